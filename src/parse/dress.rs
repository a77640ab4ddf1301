//! Flat blocks get the roles and depths that a structured page would have given them.

use super::block::{Block, Role};
use super::units::enacting_formula;
use super::words::Words;
use super::{depths, label, quoted};
use regex::Regex;
use std::sync::LazyLock;

/// Roles, markers and depths for blocks that have none.
pub(super) fn dress(blocks: Vec<Block>) -> Vec<Block> {
    let mut blocks = markers(blocks);
    let quoted = quoted::quoted(&blocks, |b| b.text().starts_with("Done at "));
    roles(&mut blocks, &quoted);
    depths::depths(&mut blocks);
    blocks
}

/// A label at the beginning of a line, or alone on the line before, becomes the block's marker.
pub(super) fn markers(blocks: Vec<Block>) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::with_capacity(blocks.len());
    let mut waiting: Option<Words> = None;
    for mut block in blocks {
        let length = marker_length(block.text());
        let alone = length == block.text().len() && length > 0;
        if let Some(marker) = waiting.take() {
            // A dash alone is an empty cell where a heading follows.
            if alone || is_heading(block.text()) {
                out.push(Block { marker: Some(marker), ..Block::loose(Words::default()) });
            } else {
                block.marker = Some(marker);
            }
        }
        if alone && block.role == Role::Text {
            waiting = Some(block.words);
            continue;
        }
        if length > 0 && block.role == Role::Text && block.marker.is_none() {
            block.marker = Some(block.words.part(0, length));
            let rest = block.words.part(length, block.text().len());
            let gone = block.text().len() - rest.text().len();
            block.words = rest;
            for mark in &mut block.marks {
                mark.at = mark.at.saturating_sub(gone);
            }
        }
        out.push(block);
    }
    out.extend(waiting.map(|marker| Block { marker: Some(marker), ..Block::loose(Words::default()) }));
    out
}

/// Whether a line is the heading of an article, a group or an annex.
fn is_heading(text: &str) -> bool {
    label::is_article_heading(text) || label::group(text).is_some() || is_annex_heading(text, Place::Annex)
}

/// The length of the marker (`(a)`, `—`, `1)`) at the beginning of a line; 0 if there is none.
/// The numbers of paragraphs (`1. …`) are left to the units.
fn marker_length(text: &str) -> usize {
    static MARKER: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^(?:[‘“\x22'`]?\(\s?(?:\d{1,3}[a-z]?|[a-z]{1,5}|[A-Z]{1,2})\s?\)|[‘“\x22'`]?(?:\d{1,2}|[a-z]{1,4})\)|[—–•-])(?:\s|$)")
            .expect("a fixed pattern")
    });
    static ALONE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^[‘“\x22'`]?(?:\d{1,3}[a-z]{0,2}|[a-zA-Z]|[ivx]{1,5})\.$").expect("a fixed pattern")
    });
    if text.len() <= 8 && ALONE.is_match(text) {
        return text.len();
    }
    MARKER.find(text).map_or(0, |m| m.as_str().trim_end().len())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Place {
    Head,
    Title,
    Preamble,
    Enacting,
    Final,
    Annex,
}

fn roles(blocks: &mut [Block], quoted: &[bool]) {
    let contents = contents(blocks);
    let mut place = Place::Head;
    let mut last_article = 0;
    for at in 0..blocks.len() {
        if blocks[at].role == Role::Article {
            place = Place::Enacting;
            last_article += 1;
        }
        if blocks[at].role != Role::Text {
            continue;
        }
        if contents.contains(&at) {
            place = Place::Enacting;
            continue;
        }
        if quoted[at] && place > Place::Title {
            quoted_role(&mut blocks[at]);
            continue;
        }
        let text = blocks[at].words.text();
        let marked = blocks[at].marker.is_some();
        if place == Place::Head {
            if is_page_header(text) {
                blocks[at].role = Role::Header;
                continue;
            }
            place = Place::Title;
        }
        if place == Place::Title {
            if !ends_title(text) && !marked {
                blocks[at].role = Role::Title;
                continue;
            }
            place = Place::Preamble;
        }
        let role = match place {
            Place::Preamble if enacting_formula(text) => {
                place = Place::Enacting;
                Role::Text
            }
            Place::Preamble | Place::Enacting if !marked && counts_on(text, &mut last_article, &blocks[..at]) => {
                place = Place::Enacting;
                Role::Article
            }
            Place::Preamble | Place::Enacting | Place::Annex if !marked && label::group(text).is_some() => Role::Group,
            Place::Enacting if !marked && (text.starts_with("Done at ") || binding(text)) => {
                place = Place::Final;
                Role::Signature
            }
            Place::Final if is_note(&blocks[at]) => Role::Note,
            Place::Preamble if is_note(&blocks[at]) && text.starts_with("OJ ") => Role::Note,
            Place::Enacting | Place::Final | Place::Annex
                if !marked && last_article > 0 && is_annex_heading(text, place) =>
            {
                place = Place::Annex;
                Role::Title
            }
            Place::Final if !marked && at > 0 && blocks[at - 1].role == Role::Note => Role::Note,
            Place::Final => Role::Signature,
            _ => Role::Text,
        };
        blocks[at].role = role;
        if let Some(before) = at.checked_sub(1).map(|b| &blocks[b])
            && role == Role::Text
            && !marked
            && is_heading_line(text)
        {
            blocks[at].role = match before.role {
                Role::Article => Role::ArticleHeading,
                Role::Group => Role::GroupHeading,
                Role::Title if place == Place::Annex && goes_on_with_title(blocks, at) => Role::Title,
                _ => Role::Text,
            };
        }
        if blocks[at].role == Role::Note
            && let Some(marker) = blocks[at].marker.take()
        {
            let mut words = marker;
            words.join(&blocks[at].words);
            blocks[at].words = words;
        }
    }
}

/// The formula that ends a regulation or a decision; a structured page has it in its final part.
fn binding(text: &str) -> bool {
    let named = ["This Regulation", "This Decision", "This Directive"].iter().any(|act| text.starts_with(act));
    named && text.len() < 160 && text.contains("shall be binding in its entirety")
}

/// Whether a line goes on with the title of an annex: the first line after its label, and one more in capitals or
/// brackets. What stands below is text, or cells of a table that lost its lines.
fn goes_on_with_title(blocks: &[Block], at: usize) -> bool {
    let is_label = |b: &Block| label::annex(b.text()).is_some_and(|(_, rest)| rest >= b.text().len());
    let text = blocks[at].text();
    let loud = text.starts_with('(') || !text.contains(char::is_lowercase);
    is_label(&blocks[at - 1]) && label::article(text).is_none() || loud && at >= 2 && is_label(&blocks[at - 2])
}

/// Headings of another act inside a quotation.
fn quoted_role(block: &mut Block) {
    let (text, marked) = (block.text(), block.marker.is_some());
    if !marked && label::is_article_heading(text) {
        block.role = Role::Article;
    } else if !marked && label::group(text).is_some() {
        block.role = Role::Group;
    }
}

/// Whether a line is the heading of the act's next article. A label that does not count on is a reference
/// that a line break cut off, or a row of a table, unless a sentence ended before it.
fn counts_on(text: &str, last: &mut u32, before: &[Block]) -> bool {
    let ended =
        before.last().is_some_and(|b| b.text().ends_with(['.', ';', ':', '’', '”', '"']) || b.role != Role::Text);
    let noted = ended && text.split_once(" (").is_some_and(|(h, note)| label::is_article_heading(h) && note.len() <= 4);
    let heading = if noted { text.split_once(" (").map_or(text, |(h, _)| h) } else { text };
    let Some((label, _)) = label::article(heading).filter(|_| label::is_article_heading(heading)) else { return false };
    let digits: String = label.chars().take_while(char::is_ascii_digit).collect();
    let Ok(number) = digits.parse::<u32>() else {
        *last += 1;
        return true;
    };
    let inserted = number == *last && label.len() > digits.len();
    let skips = number > *last + 1 && number <= *last + 9 && (before.is_empty() || ended && *last > 0);
    let counts = number == *last + 1 || inserted || skips;
    if counts {
        *last = number;
    }
    counts
}

/// The lines of a table of contents: headings between the enacting formula and the first article that has words.
fn contents(blocks: &[Block]) -> std::ops::Range<usize> {
    let Some(formula) = blocks.iter().position(|b| enacting_formula(b.text())) else { return 0..0 };
    let first = |b: &Block| {
        b.marker.is_none()
            && label::article(b.text()).is_some_and(|(l, _)| l == "1")
            && label::is_article_heading(b.text())
    };
    let has_words = |at: &usize| {
        blocks[at + 1..].iter().take(3).any(|b| {
            label::paragraph(b.text()).is_some()
                || b.text().ends_with(['.', ';'])
                || b.text().len() > 200 && b.text().ends_with(':')
        })
    };
    let Some(real) = (formula + 1..blocks.len()).filter(|at| first(&blocks[*at])).find(has_words) else { return 0..0 };
    let listed = blocks[formula + 1..real].iter().any(|b| {
        first(b)
            || is_annex_heading(b.text(), Place::Enacting)
            || b.text().to_ascii_uppercase().trim_start_matches("TABLE OF ").starts_with("CONTENT")
    });
    if !listed {
        return 0..0;
    }
    // The groups that the first article stands in are its own, not the table's.
    let mut end = real;
    let mut rank = u32::MAX;
    for at in (formula + 1..real).rev() {
        match label::group(blocks[at].text()) {
            Some(group) if group.rank < rank => (rank, end) = (group.rank, at),
            None if is_heading_line(blocks[at].text()) && end - at <= 2 => {}
            _ => break,
        }
    }
    formula + 1..end
}

/// A line of the journal's page header.
fn is_page_header(text: &str) -> bool {
    static HEADER: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^(?:\d{1,2}\s?\.\s?\d{1,2}\s?\.\s?(?:\d{4}|\d{2})|[A-Z]{2}|Official Journal of the .{5,60}|(?:No )?[LC]\s?\d{1,3}(?:\s?[A-Z])?(?:\s?/\s?\d{1,4})?|\d{4}/\d{1,6})$")
            .expect("a fixed pattern")
    });
    text.len() < 80 && HEADER.is_match(text)
}

/// Whether a line is the first after the title: the institution, a citation, a recital, an article.
fn ends_title(text: &str) -> bool {
    let institution = text.starts_with("THE ") && (text.ends_with(',') || text.ends_with(':'));
    institution
        || text == "PREAMBLE"
        || ["Having regard", "Whereas", "HAVING REGARD", "WHEREAS", "On page "].iter().any(|w| text.starts_with(w))
        || label::is_article_heading(text)
        || enacting_formula(text)
}

fn is_note(block: &Block) -> bool {
    block.marker.as_ref().is_some_and(|m| label::note(m.text()).is_some()) || label::note(block.text()).is_some()
}

fn is_annex_heading(text: &str, place: Place) -> bool {
    let heading = text.starts_with("ANNEX") || (place == Place::Final && text.starts_with("Annex"));
    // Inside an annex a line with more than a label is a row of a table.
    let most = if place == Place::Annex { 4 } else { 120 };
    heading
        && !text.ends_with(';')
        && label::annex(text).is_some_and(|(_, rest)| text[rest.min(text.len())..].len() < most)
}

/// A short line that begins with a capital and does not end as a sentence does.
fn is_heading_line(text: &str) -> bool {
    let short = text.len() <= 200 && text.starts_with(|c: char| c.is_uppercase() || c == '‘' || c == '\'');
    short && !text.ends_with(['.', ';', ':', ',']) && label::paragraph(text).is_none()
}
