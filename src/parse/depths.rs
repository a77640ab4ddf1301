//! How deep the points of a flat text stand: a structured page nests them, flat text only labels them.

use super::block::{Block, Role};
use super::label::{self, PointLabel};
use std::collections::HashMap;

/// Deeper than any list of an act.
const DEEPEST: usize = 8;

/// How a list labels its points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Style {
    /// `(1)`, `1)`.
    Number,
    /// `1.` alone on its line.
    Dotted,
    /// `(a)`, `(aa)`.
    Letter,
    /// `(A)`.
    Capital,
    /// `(i)`, `(iv)`.
    Roman,
    /// A dash.
    Dash,
}

/// A marked block as a point of a list.
struct Item {
    style: Style,
    label: String,
    /// The block of the next point of its list, if the list goes on.
    next: Option<usize>,
}

/// Gives every marked block its depth. A label that counts on goes on with its list; another style opens a list
/// inside. Words without a label stand in the innermost point whose list goes on after them.
pub(super) fn depths(blocks: &mut [Block]) {
    let items = items(blocks);
    let mut open: Vec<usize> = Vec::new();
    for at in 0..blocks.len() {
        if let Some(item) = &items[at] {
            let counted = open.iter().rposition(|o| items[*o].as_ref().is_some_and(|i| i.next == Some(at)));
            let alike = || open.iter().position(|o| items[*o].as_ref().is_some_and(|i| i.style == item.style));
            if let Some(level) = counted.or_else(alike) {
                open.truncate(level);
            }
            if open.len() < DEEPEST {
                open.push(at);
            }
            blocks[at].depth = open.len();
        } else if blocks[at].role != Role::Text || label::paragraph(blocks[at].text()).is_some() {
            open.clear();
        } else if !blocks[at].text().starts_with(char::is_lowercase) {
            let goes_on = |o: &usize| {
                items[*o].as_ref().is_some_and(|i| i.style == Style::Dotted || i.next.is_some_and(|next| next > at))
            };
            while open.last().is_some_and(|o| !goes_on(o)) {
                open.pop();
            }
            blocks[at].depth = open.len();
        } else {
            blocks[at].depth = open.len();
        }
    }
}

/// The points, and where their lists go on: from the last block to the first, by the label that each waits for.
fn items(blocks: &[Block]) -> Vec<Option<Item>> {
    let mut items: Vec<Option<Item>> = styles(blocks);
    let mut ahead: HashMap<(Style, String), usize> = HashMap::new();
    for at in (0..blocks.len()).rev() {
        let Some(item) = &mut items[at] else {
            let resets = blocks[at].role != Role::Text || label::paragraph(blocks[at].text()).is_some();
            // A sentence of its own ends a list of dashes.
            let sentence = !blocks[at].text().starts_with(char::is_lowercase);
            if resets {
                ahead.clear();
            } else if sentence {
                ahead.remove(&(Style::Dash, String::new()));
            }
            continue;
        };
        item.next = successors(item).into_iter().find_map(|label| ahead.get(&(item.style, label)).copied());
        // Labels behind the first of a list belong to it, or to later ones.
        if is_first(item) && item.style != Style::Dash {
            ahead.retain(|(style, _), _| *style != item.style);
        }
        ahead.insert((item.style, item.label.clone()), at);
    }
    items
}

fn styles(blocks: &[Block]) -> Vec<Option<Item>> {
    let mut items: Vec<Option<Item>> = Vec::with_capacity(blocks.len());
    let (mut previous, mut roman): (Option<String>, bool) = (None, false);
    for block in blocks {
        let Some(marker) = block.marker.as_ref().filter(|_| block.role == Role::Text) else {
            if block.role != Role::Text || label::paragraph(block.text()).is_some() {
                (previous, roman) = (None, false);
            }
            items.push(None);
            continue;
        };
        let label = label::clean(marker.text());
        let style = style(marker.text(), &label, previous.as_deref(), roman);
        roman = style == Style::Roman || roman && style == Style::Dash;
        previous = Some(label.clone());
        items.push(Some(Item { style, label, next: None }));
    }
    items
}

/// The style of a label; `previous` is the label before, `roman_open` whether that was a Roman one.
fn style(marker: &str, label: &str, previous: Option<&str>, roman_open: bool) -> Style {
    match label::point_label(label, previous, None) {
        PointLabel::Letter(l) if roman_open && l == "v" => Style::Roman,
        PointLabel::Letter(_) => Style::Letter,
        PointLabel::Roman(_) => Style::Roman,
        PointLabel::Other(label) => match label.chars().next() {
            None => Style::Dash,
            Some(first) if first.is_ascii_digit() && marker.ends_with('.') => Style::Dotted,
            Some(first) if first.is_ascii_digit() => Style::Number,
            Some(_) => Style::Capital,
        },
    }
}

fn is_first(item: &Item) -> bool {
    matches!(item.label.as_str(), "1" | "a" | "A" | "i" | "")
}

/// The labels that may follow: `b` or `aa` after `a`, `2` or `1a` after `1`.
fn successors(item: &Item) -> Vec<String> {
    let label = item.label.as_str();
    if item.style == Style::Dash {
        return vec![String::new()];
    }
    if item.style == Style::Roman {
        return label::roman(label).map(|n| label::to_roman(n + 1)).into_iter().collect();
    }
    let digits = label.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 {
        let next = label[..digits].parse::<u32>().ok().map(|n| (n + 1).to_string());
        let inserted = [format!("{label}a")].into_iter().filter(|_| digits == label.len());
        let after = label[digits..].chars().next_back().and_then(|c| char::from_u32(u32::from(c) + 1));
        let sibling = after.map(|c| format!("{}{c}", &label[..digits]));
        return inserted.chain(sibling).chain(next).collect();
    }
    let last = label.chars().next_back().unwrap_or('a');
    let next = char::from_u32(u32::from(last) + 1).map(|c| format!("{}{c}", &label[..label.len() - last.len_utf8()]));
    let first =
        label.chars().next().and_then(|c| char::from_u32(u32::from(c) + 1)).filter(|_| label.chars().count() > 1);
    [format!("{label}a")]
        .into_iter()
        .filter(|_| label.chars().count() == 1)
        .chain(next)
        .chain(first.map(String::from))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::words::Words;
    use super::*;

    fn depths_of(lines: &[(&str, &str)]) -> Vec<usize> {
        let words = |text: &str| {
            let mut words = Words::default();
            words.push(text.as_bytes(), 0, text.len(), false);
            words
        };
        let block = |(marker, text): &(&str, &str)| {
            let marker = (!marker.is_empty()).then(|| words(marker));
            Block { marker, ..Block::loose(words(text)) }
        };
        let mut blocks: Vec<Block> = lines.iter().map(block).collect();
        depths(&mut blocks);
        blocks.iter().map(|b| b.depth).collect()
    }

    #[test]
    fn a_list_goes_on_after_the_lists_and_sentences_inside_it() {
        let lines = [
            ("(1)", "‘gnome’ means a figure."),
            ("", "States may treat dwarfs as gnomes, provided that:"),
            ("(a)", "they are small;"),
            ("(b)", "they are of clay."),
            ("", "However, this does not hold indoors."),
            ("(2)", "‘garden’ means a lawn:"),
            ("(a)", "mown;"),
            ("(i)", "daily,"),
            ("", "or"),
            ("(ii)", "weekly;"),
            ("(b)", "fenced."),
            ("", "Gardens may be large."),
        ];
        assert_eq!(depths_of(&lines), [1, 1, 2, 2, 1, 1, 2, 3, 3, 3, 2, 0]);
    }

    #[test]
    fn two_lists_of_one_paragraph_are_not_one() {
        let lines =
            [("", "Either:"), ("(a)", "x;"), ("(b)", "y."), ("", "Or:"), ("(a)", "v;"), ("(b)", "w."), ("—", "z")];
        assert_eq!(depths_of(&lines), [0, 1, 1, 0, 1, 1, 2]);
    }
}
