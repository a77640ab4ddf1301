//! Which blocks stand inside quotation marks: the words of another act that this one changes.
//!
//! A quotation opens where a block begins with a quotation mark after a colon (or in its marker, or as a
//! heading), and closes where the marks balance. One that never closes before the act's next own
//! article is a slip of the printer: then only its first block counts.

use super::block::{Block, Region, Role};
use super::label;

const PAIRS: [(char, char); 7] =
    [('‘', '’'), ('“', '”'), ('«', '»'), ('"', '"'), ('\'', '\''), ('`', '\''), ('„', '”')];

/// How a block ends for a quotation with `balance` marks open.
enum Close {
    /// The quotation goes on with this many marks open.
    Open(usize),
    /// It closes with the last words of the block.
    Closed,
    /// It closes before, and more words follow.
    Within,
}

/// One flag per block, by what the layout says of the act's own articles and its end.
pub(super) fn of_page(blocks: &[Block]) -> Vec<bool> {
    quoted(blocks, |b| {
        let closed = b.region == Region::Final || b.text().starts_with("Done at ");
        closed || b.opens && b.region == Region::Article
    })
}

/// One flag per block.
pub(super) fn quoted(blocks: &[Block], own: impl Fn(&Block) -> bool) -> Vec<bool> {
    let mut flags = vec![false; blocks.len()];
    // The open quotation: where it began, its marks, how many are open.
    let mut open: Option<(usize, (char, char), usize)> = None;
    let mut introduced = false;
    for (i, block) in blocks.iter().enumerate() {
        // A note at the end of a page stands between a quotation and what introduces it, and may close one.
        if block.role == Role::Note && open.is_none() {
            continue;
        }
        if own(block)
            && let Some((from, ..)) = open.take()
        {
            flags[from + 1..i].fill(false);
        }
        let marker = block.marker.as_ref().map_or("", |m| m.text());
        let begins = first_mark(marker).or_else(|| first_mark(block.text()));
        let heading = !matches!(block.role, Role::Text | Role::Table | Role::Title);
        if let Some(pair) = begins
            && (introduced || first_mark(marker).is_some() || heading)
            && open.is_none_or(|(_, p, _)| p == pair && introduced)
        {
            if let Some((from, ..)) = open.take() {
                flags[from + 1..i].fill(false);
            }
            match balance(marker, block.text(), pair, 0) {
                Close::Open(n) => {
                    open = Some((i, pair, n));
                    flags[i] = true;
                }
                Close::Closed => flags[i] = true,
                Close::Within => {}
            }
        } else if let Some((from, pair, n)) = open {
            flags[i] = true;
            match balance(marker, block.text(), pair, n) {
                Close::Open(n) => open = Some((from, pair, n)),
                Close::Closed | Close::Within => open = None,
            }
        }
        if !block.text().is_empty() {
            // An annex may be nothing but the annex of another act, in quotation marks.
            let annex = label::annex(block.text()).is_some_and(|(_, rest)| rest >= block.text().len());
            introduced = block.text().ends_with(':') || (flags[i] && open.is_none()) || annex;
        }
    }
    if let Some((from, ..)) = open {
        flags[from + 1..].fill(false);
    }
    for (flag, block) in flags.iter_mut().zip(blocks) {
        *flag |= block.quoted;
    }
    flags
}

fn first_mark(text: &str) -> Option<(char, char)> {
    let first = text.chars().next()?;
    PAIRS.iter().copied().find(|(open, _)| *open == first)
}

/// Counts the marks of a block. An apostrophe inside a word, or after a plural, is none.
fn balance(marker: &str, text: &str, (open, close): (char, char), before: usize) -> Close {
    let mut level = before;
    let mut closed_at = None;
    for (part, is_text) in [(marker, false), (text, true)] {
        let mut previous = ' ';
        let mut rest = part.chars().peekable();
        let mut position = 0;
        while let Some(c) = rest.next() {
            let next = rest.peek().copied();
            let starts_word =
                !previous.is_alphanumeric() && next.is_some_and(|n| n.is_alphanumeric() || "([“‘".contains(n));
            let first = before == 0 && level == 0 && closed_at.is_none() && position == 0;
            if c == open
                && (starts_word || first)
                && (open != close || level == 0 || previous == ' ' || previous == '(')
            {
                level += 1;
            } else if c == close && level > 0 && !next.is_some_and(char::is_alphanumeric) && previous != ' ' {
                let mut ahead = rest.clone();
                ahead.next();
                let plural = previous == 's' && next == Some(' ') && ahead.next().is_some_and(char::is_lowercase);
                if !(plural && matches!(close, '’' | '\'') && (before > 0 || position > 80)) {
                    level -= 1;
                    if level == 0 && is_text {
                        closed_at = Some(position + c.len_utf8());
                    }
                }
            }
            previous = c;
            position += c.len_utf8();
        }
    }
    match (level, closed_at) {
        (0, Some(at)) => {
            let more = text.get(at..).unwrap_or("").chars().filter(|c| c.is_alphanumeric()).count();
            if more > 5 { Close::Within } else { Close::Closed }
        }
        (0, None) => Close::Within,
        (n, _) => Close::Open(n),
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::Words;
    use super::*;

    fn flags(lines: &[&str]) -> Vec<bool> {
        let blocks: Vec<Block> = lines
            .iter()
            .map(|line| {
                let mut words = Words::default();
                words.push(line.as_bytes(), 0, line.len(), false);
                Block::loose(words)
            })
            .collect();
        quoted(&blocks, |b| b.text().starts_with("Article 2"))
    }

    #[test]
    fn a_quotation_runs_from_its_colon_to_its_closing_mark() {
        let lines =
            ["is replaced by the following:", "‘Article 5", "The Member States’ bodies decide.", "End.’", "Article 6"];
        assert_eq!(flags(&lines), [false, true, true, true, false]);
    }

    #[test]
    fn a_definition_is_no_quotation() {
        let lines = ["For the purposes of this Act:", "‘toys’ means things to play with;", "‘shop’ means a place."];
        assert_eq!(flags(&lines), [false; 3]);
    }

    #[test]
    fn a_quotation_that_never_closes_holds_its_first_block_only() {
        let lines = ["the following:", "‘Torn text.", "More.", "Article 2", "Own."];
        assert_eq!(flags(&lines), [false, true, false, false, false]);
    }
}
