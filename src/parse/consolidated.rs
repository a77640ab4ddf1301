//! Consolidated texts: the head that lists what the text is made of, and the text after it.

use super::act::Front;
use super::block::{Block, Region, Role};
use super::markup::{Markup, Piece, attribute, seek};
use super::styled::{self, Layout};
use super::words::Words;
use super::{Warning, dress, head, label, quoted};
use crate::law::{Celex, Day, Mark, Origin, cite, strip_marks};
use regex::Regex;
use std::sync::LazyLock;

/// Reads a consolidated text whose parts are told by classes.
pub(super) fn classed(source: &[u8]) -> Front {
    let mut front = head(source);
    front.blocks = styled::read(source, front.begins, Layout::default()).blocks;
    let (mut articles, mut annex) = (false, false);
    for block in &mut front.blocks {
        articles |= block.role == Role::Article;
        annex |= articles && block.role == Role::Title;
        if block.region == Region::Loose && articles && !annex && binding(block.text()) {
            block.region = Region::Final;
        }
    }
    unclosed(&mut front.blocks);
    front
}

/// A quotation that is not closed goes on to the end of the point, or of the article, it begins in: where a footnote
/// of the text put in ends the quotation, its closing mark stands at the end of the page.
fn unclosed(blocks: &mut [Block]) {
    let flags = quoted::of_page(blocks);
    let mut depth = None;
    for at in 0..blocks.len() {
        let block = &blocks[at];
        let text = block.text().trim_end_matches([';', '.', ',', ' ']);
        let goes_on = block.marker.is_none()
            && !block.opens
            && matches!(block.role, Role::Text | Role::Table | Role::ArticleHeading)
            && matches!(block.region, Region::Article | Region::Loose | Region::Enacting)
            && label::paragraph(block.text()).is_none();
        if flags[at] {
            let torn = flags.get(at + 1) == Some(&false) && !text.ends_with(['’', '”', '"', '\'', '»', '“']);
            depth = torn.then_some(block.depth);
        } else if depth.is_some_and(|depth| goes_on && block.depth >= depth) {
            blocks[at].quoted = true;
        } else {
            depth = None;
        }
    }
}

/// Reads a consolidated text that has styles in place of classes: its blocks are told by what they print.
pub(super) fn inline(source: &[u8]) -> Front {
    let mut front = head(source);
    let blocks = styled::read(source, front.begins, Layout::default()).blocks;
    let loose = |b: Block| Block { region: Region::Loose, depth: 0, opens: false, ..b };
    front.blocks = dress::dress(blocks.into_iter().map(loose).collect());
    front
}

/// "This Regulation shall be binding in its entirety …" ends an act.
fn binding(text: &str) -> bool {
    static BINDING: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^This (?:Regulation|Decision|Directive) shall be binding in its entirety")
            .expect("a fixed pattern")
    });
    BINDING.is_match(text)
}

/// A row of the head's tables.
#[derive(Default)]
struct Row {
    cells: Vec<Words>,
    act: Option<Celex>,
}

/// Reads the head: up to the second rule across the page, or to the first mark that opens a passage.
fn head(source: &[u8]) -> Front {
    let end = seek(source, 0, "▼".as_bytes()).unwrap_or(source.len());
    let mut front = Front { begins: source.len(), ..Front::default() };
    let (mut row, mut line, mut rules) = (Row::default(), Words::default(), 0);
    let (mut in_body, mut in_row) = (false, false);
    for piece in Markup::new(source) {
        let (start, after) = match piece {
            Piece::Open { start, end, .. } | Piece::Close { start, end, .. } | Piece::Text { start, end } => {
                (start, end)
            }
        };
        if start >= end {
            front.begins = front.begins.min(line_start(source, end));
            break;
        }
        match piece {
            Piece::Text { start, end } if in_body => line.push(source, start, end, true),
            Piece::Open { name: "body", .. } => in_body = true,
            Piece::Open { name: "hr", .. } => {
                rules += 1;
                if rules == 2 {
                    front.begins = after;
                    break;
                }
            }
            Piece::Open { name: "a", attributes, .. } if row.act.is_none() => row.act = linked(attributes),
            Piece::Open { name: "tr", .. } => (row, in_row) = (Row::default(), true),
            Piece::Close { name: "td", .. } => row.cells.push(std::mem::take(&mut line)),
            Piece::Close { name: "tr", .. } => {
                in_row = false;
                settle(std::mem::take(&mut row), &mut front);
            }
            Piece::Close { name: "p", .. } if !in_row => {
                reference(&std::mem::take(&mut line), &mut front);
            }
            Piece::Open { start, end, .. } | Piece::Close { start, end, .. } => line.blank(start, end),
            Piece::Text { .. } => {}
        }
    }
    if front.begins == source.len() {
        front.begins = line_start(source, end);
    }
    front
}

/// The beginning of the block that holds a byte: the last paragraph's start tag before it.
fn line_start(source: &[u8], at: usize) -> usize {
    let before = &source[..at];
    (0..before.len()).rev().take(4096).find(|i| before[*i..].starts_with(b"<p")).unwrap_or(at)
}

/// The act that a link leads to: its title says the number, its address too.
fn linked(attributes: &str) -> Option<Celex> {
    let title = attribute(attributes, "title").and_then(|t| t.split(':').next()?.trim().parse().ok());
    title.or_else(|| attribute(attributes, "href").and_then(Celex::from_uri))
}

/// A row that begins with a mark names the act that the mark stands for.
fn settle(row: Row, front: &mut Front) {
    let mut cells = row.cells.iter();
    let mark = cells.next().map(|c| c.text().trim_start_matches(['►', '▼', ' ']).trim());
    let Some(Ok(mark)) = mark.map(str::parse::<Mark>) else {
        // A box of the editors' own words.
        if let [note] = &row.cells[..]
            && note.text().len() > 40
        {
            let message = "a note of the editors in the head was left out".to_string();
            front.warnings.push(Warning { span: note.whole(), message });
        }
        return;
    };
    let (mut name, mut published) = (Words::default(), None);
    for cell in cells {
        let (text, journal) = journal(cell.text());
        if name.is_empty() {
            name = cell.part(0, text);
        }
        published = published.or(journal).or_else(|| head::short_day(&cell.text()[text..]));
    }
    if published.is_none() {
        published = row.cells.last().and_then(|c| head::short_day(c.text()));
    }
    let (name, _) = head::clean_title(&strip_marks(name.text()).0);
    if mark == Mark::BASE {
        front.published = front.published.or(published);
    }
    let act = row.act.or_else(|| {
        let mut named = cite(&name).into_iter();
        named.next().filter(|_| named.next().is_none()).and_then(|c| c.celex)
    });
    front.origins.push(Origin { mark, act, name, published });
}

/// Where a name ends and the reference to its journal begins, and the day of that: `… (OJ L 254 20.9.2016, p. 1)`.
fn journal(text: &str) -> (usize, Option<Day>) {
    static JOURNAL: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\s?\(OJ [A-Z]+ ?[^()]*\)\s*$").expect("a fixed pattern"));
    match JOURNAL.find(text) {
        Some(found) => (found.start(), head::short_day(found.as_str())),
        None => (text.len(), None),
    }
}

/// The line that names the text: `02016R1675 — EN — 22.10.2018 — 003.001`, without the 0 in older ones.
fn reference(line: &Words, front: &mut Front) {
    static REFERENCE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"^(?P<act>0?\d{4}[A-Z]{1,2}\d{4,5}(?:\(\d\d\))?)\s[—–-]\s[A-Z]{2}\s[—–-]\s(?P<day>\d\d\.\d\d\.\d{4})\b",
        )
        .expect("a fixed pattern")
    });
    let Some(found) = REFERENCE.captures(line.text()) else { return };
    let act = found["act"].to_string();
    let padded = if act.starts_with('0') { act } else { format!("0{act}") };
    let day = head::short_day(&found["day"]);
    front.names = day.and_then(|day| format!("{padded}-{}", day.to_string().replace('-', "")).parse().ok());
}
