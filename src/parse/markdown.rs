//! Judgments as Markdown: one paragraph a line, links and escapes, no marks for what a paragraph is.

use super::act::Front;
use super::block::{Block, Role};
use super::words::Words;
use super::{dress, head, signs};
use regex::Regex;
use std::sync::LazyLock;

/// Reads a judgment.
pub(super) fn judgment(source: &[u8]) -> Front {
    let mut front = Front::default();
    let mut start = 0;
    let mut blocks: Vec<Block> = Vec::new();
    for line in source.split_inclusive(|b| *b == b'\n') {
        let (mut words, note) = read(source, start, start + line.len());
        start += line.len();
        words = signs::unsigned(words);
        if words.text().chars().any(|c| !matches!(c, '*' | ' ' | '-' | '#')) {
            let role = if note { Role::Note } else { Role::Text };
            blocks.push(Block { role, ..Block::loose(words) });
        }
    }
    title(&mut blocks, &mut front);
    let mut last = 0;
    for block in &mut blocks {
        ground(block, &mut last);
    }
    front.blocks = dress::markers(blocks);
    for block in &mut front.blocks {
        let grounds = block.marker.as_ref().is_some_and(|m| m.text().bytes().all(|b| b.is_ascii_digit()));
        block.depth = if block.marker.is_some() && !grounds { 2 } else { 1 };
    }
    front
}

/// The number of the case's document, the kind of decision, its day.
fn title(blocks: &mut [Block], front: &mut Front) {
    let mut lines = blocks.iter_mut().take(6);
    for block in lines.by_ref() {
        if let Ok(celex) = block.text().parse() {
            front.names = Some(celex);
            block.role = Role::Header;
            continue;
        }
        block.role = Role::Title;
        if head::long_day(block.text()).is_some() {
            break;
        }
    }
}

/// The number of a ground at the beginning of its line, if it counts on: `12 As the Court has held, …`.
fn ground(block: &mut Block, last: &mut usize) {
    if block.role != Role::Text {
        return;
    }
    let text = block.text();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let Some(number) = text[..digits].parse::<usize>().ok().filter(|_| digits <= 4) else { return };
    let begins = text[digits..].strip_prefix(' ').is_some_and(|t| t.starts_with(|c: char| !c.is_lowercase()));
    if begins && (*last + 1..=*last + 3).contains(&number) {
        *last = number;
        let (marker, words) = (block.words.part(0, digits), block.words.part(digits, text.len()));
        (block.marker, block.words) = (Some(marker), words);
    }
}

/// The words of a line without its markup, and whether it is a footnote.
fn read(source: &[u8], start: usize, end: usize) -> (Words, bool) {
    static MARKUP: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"\[(?P<text>(?:\\.|[^\]\\\[])*)\]\((?P<to>[^()\s]*(?:\([^()]*\)[^()\s]*)*)\)|\\(?P<plain>[!-/:-@\[-`{-~])|^#{1,6} |\*{1,3}",
        )
        .expect("a fixed pattern")
    });
    let mut words = Words::default();
    let mut note = false;
    let Ok(line) = std::str::from_utf8(&source[start..end]) else {
        words.push(source, start, end, true);
        return (words, false);
    };
    let mut from = 0;
    for found in MARKUP.captures_iter(line) {
        let Some(whole) = found.get(0) else { continue };
        words.push(source, start + from, start + whole.start(), true);
        from = whole.end();
        let to = found.name("to").map_or("", |t| t.as_str());
        if to.starts_with("#t-") {
            words.separator(signs::SIGN, start + whole.start());
        } else if let Some(text) = found.name("text") {
            note |= to.starts_with("#c-") && words.text().len() <= 2;
            // What is escaped in a link's text stands for itself; nothing else is marked up there.
            let mut at = text.start();
            for escape in text.as_str().match_indices('\\') {
                words.push(source, start + at, start + text.start() + escape.0, true);
                at = text.start() + escape.0 + 1;
            }
            words.push(source, start + at, start + text.end(), true);
        } else if let Some(plain) = found.name("plain") {
            words.push(source, start + plain.start(), start + plain.end(), false);
        }
    }
    words.push(source, start + from, end, true);
    (words, note)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_escapes_are_read_as_they_are_shown() {
        let line = r"18 May 2015 ( [\*1](#t-X) ) in \[Dublin\] ([OJ 2015 L 9001, p. 1](http://x.eu/a(1)b)), *bold*.";
        let (words, note) = read(line.as_bytes(), 0, line.len());
        let words = signs::unsigned(words);
        assert_eq!(words.text(), "18 May 2015 in [Dublin] (OJ 2015 L 9001, p. 1), bold.");
        assert!(!note && words.whole().end == line.len());
        assert!(read(br"( [\*1](#c-X) ) Language", 0, 23).1);
    }
}
