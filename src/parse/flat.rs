//! Texts without structure: the old `TXT_TE` pages and plain text, to blocks.
//!
//! Both print a small head of their own (number, title, journal) and then the text, one paragraph per
//! block at best, all in one at worst.

use super::act::Front;
use super::block::{Block, Role};
use super::markup::{Markup, Piece};
use super::words::Words;
use super::{dress, head, notes, split};
use crate::law::Celex;

/// A line longer than any paragraph: the whole act stands in it.
const CROWDED: usize = 6000;

/// Reads an old HTML page: what stands before `<TXT_TE>` is its head.
pub(super) fn txt_te(source: &[u8]) -> Front {
    let mut front = Front::default();
    let mut words = Words::default();
    let mut in_body = false;
    let mut in_text = false;
    let mut element = "";
    for piece in Markup::new(source) {
        match piece {
            Piece::Text { start, end } if in_body => words.push(source, start, end, true),
            Piece::Text { .. } => {}
            Piece::Open { name, start, end, attributes, .. } => {
                let begins = name.eq_ignore_ascii_case("TXT_TE") || attributes.contains("TexteOnly");
                if is_block(name) || begins {
                    let done = std::mem::take(&mut words);
                    if in_text { text_block(&mut front, done) } else { head_block(&mut front, element, done) }
                } else {
                    words.blank(start, end);
                }
                in_body |= name.eq_ignore_ascii_case("body");
                in_text |= begins;
                element = name;
            }
            Piece::Close { name, start, end } => {
                if is_block(name) || name.eq_ignore_ascii_case("TXT_TE") {
                    let done = std::mem::take(&mut words);
                    if in_text { text_block(&mut front, done) } else { head_block(&mut front, element, done) }
                } else {
                    words.blank(start, end);
                }
            }
        }
    }
    text_block(&mut front, words);
    let blocks = std::mem::take(&mut front.blocks);
    dress(&mut front, split::split(blocks));
    front
}

/// Gives the blocks their roles, and takes the signs of footnotes out of them.
fn dress(front: &mut Front, blocks: Vec<Block>) {
    front.blocks = dress::dress(notes::rejoin(blocks));
    front.aside += notes::take_signs(&mut front.blocks);
}

fn is_block(name: &str) -> bool {
    ["p", "div", "br", "h1", "h2", "h3", "h4", "strong", "em", "table", "tr", "td", "li", "body", "title", "meta"]
        .iter()
        .any(|b| name.eq_ignore_ascii_case(b))
}

fn text_block(front: &mut Front, words: Words) {
    if !words.is_empty() {
        front.blocks.push(Block::loose(words));
    }
}

/// A block before the text: the number, the title or the journal.
fn head_block(front: &mut Front, element: &str, words: Words) {
    if words.is_empty() {
        return;
    }
    if element.eq_ignore_ascii_case("h1") {
        front.names = front.names.take().or_else(|| words.text().trim().parse::<Celex>().ok());
    }
    if words.text().starts_with("Official Journal") {
        front.published = front.published.or_else(|| head::journal_line(words.text()));
    } else if element.eq_ignore_ascii_case("strong") && front.title.is_none() {
        front.title = Some(words.clone());
    }
    front.blocks.push(Block { role: Role::Header, ..Block::loose(words) });
}

/// Reads plain text, one line per block.
pub(super) fn plain(source: &[u8]) -> Front {
    let mut front = Front::default();
    let mut start = 0;
    for line in source.split_inclusive(|b| *b == b'\n') {
        let mut words = Words::default();
        words.push(source, start, start + line.len(), false);
        start += line.len();
        if !words.is_empty() {
            front.blocks.push(Block::loose(words));
        }
    }
    let from_portal = portal_head(&mut front);
    let mut blocks = std::mem::take(&mut front.blocks);
    let crowded = blocks.iter().any(|b| b.role == Role::Text && b.text().len() > CROWDED);
    if from_portal || crowded {
        blocks = split::split(blocks);
    }
    dress(&mut front, blocks);
    front
}

/// The head of texts taken from the old pages, if they have it: `EUR-Lex - NUMBER - EN`, a banner, the number,
/// the title, the journal.
fn portal_head(front: &mut Front) -> bool {
    let is_head = front.blocks.first().is_some_and(|b| b.text().starts_with("EUR-Lex - "));
    if !is_head {
        return false;
    }
    let journal = front.blocks.iter().take(12).position(|b| b.text().starts_with("Official Journal"));
    let number = front.blocks.iter().take(12).position(|b| {
        let fits = b.text().len() < 30 && b.text().starts_with(|c: char| c.is_ascii_digit());
        fits && b.text().parse::<Celex>().is_ok()
    });
    let Some(number) = number else { return false };
    front.names = front.blocks[number].text().parse().ok();
    let last = journal.unwrap_or(number + 1);
    front.published = journal.and_then(|at| head::journal_line(front.blocks[at].text()));
    front.title = front.blocks.get(number + 1).filter(|_| number + 1 < last).map(|b| b.words.clone());
    for block in front.blocks.iter_mut().take(last + 1) {
        block.role = Role::Header;
    }
    true
}
