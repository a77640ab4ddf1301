//! Words as text, with the way back to the bytes they were read from.

use crate::law::Span;
use regex::Regex;
use std::sync::LazyLock;

/// A piece of text and the source bytes it came from: verbatim where both have the same length,
/// otherwise (an entity, a run of blanks) one atom.
#[derive(Debug, Clone, Copy)]
struct Piece {
    text: usize,
    start: usize,
    end: usize,
    verbatim: bool,
}

/// Text with white space runs as one blank and entities decoded; every position leads back to its source bytes.
#[derive(Debug, Clone, Default)]
pub(super) struct Words {
    text: String,
    pieces: Vec<Piece>,
    /// White space seen since the last word, to become one blank if another word follows.
    pending: Option<Span>,
}

impl Words {
    /// The text read so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether no word was read.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Where the next word would begin.
    pub fn next(&self) -> usize {
        self.text.len() + usize::from(self.pending.is_some())
    }

    /// Adds the source bytes `[start, end)`; `entities` says whether `&…;` is to be decoded.
    pub fn push(&mut self, source: &[u8], start: usize, end: usize, entities: bool) {
        let mut at = start;
        let Some(bytes) = source.get(start..end) else { return };
        if let Ok(text) = std::str::from_utf8(bytes) {
            return self.push_str(text, start, entities);
        }
        for chunk in bytes.utf8_chunks() {
            self.push_str(chunk.valid(), at, entities);
            at += chunk.valid().len();
            // Bytes that are no UTF-8 are read as Latin-1, the charset of the old pages.
            for byte in chunk.invalid() {
                self.atom(char::from(*byte), at, at + 1);
                at += 1;
            }
        }
    }

    fn push_str(&mut self, text: &str, base: usize, entities: bool) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let run = run(&text[at..]);
            if run > 0 {
                self.verbatim(&text[at..at + run], base + at);
                at += run;
                continue;
            }
            let rest = &text[at..];
            if entities
                && bytes[at] == b'&'
                && let Some((c, length)) = entity(rest)
            {
                self.atom(c, base + at, base + at + length);
                at += length;
                continue;
            }
            let Some(c) = rest.chars().next() else { break };
            if is_blank(c) {
                self.blank(base + at, base + at + c.len_utf8());
                // Of many blanks the first counts: between tags there is mostly indentation.
                at +=
                    bytes[at + c.len_utf8()..].iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r')).count();
            } else if !is_invisible(c) {
                self.verbatim(&rest[..c.len_utf8()], base + at);
            }
            at += c.len_utf8();
        }
    }

    /// A word boundary that stands for markup (a line break, the edge of a cell).
    pub fn blank(&mut self, start: usize, end: usize) {
        if !self.text.is_empty() && self.pending.is_none() && !self.text.ends_with([' ', '\n']) {
            self.pending = Some(Span::new(start, end));
        }
    }

    /// Text of our own between cells and rows of a table; it has no source bytes.
    pub fn separator(&mut self, separator: &str, at: usize) {
        self.pending = None;
        self.pieces.push(Piece { text: self.text.len(), start: at, end: at, verbatim: false });
        self.text.push_str(separator);
    }

    fn settle(&mut self) {
        if let Some(span) = self.pending.take() {
            self.pieces.push(Piece { text: self.text.len(), start: span.start, end: span.end, verbatim: false });
            self.text.push(' ');
        }
    }

    fn verbatim(&mut self, text: &str, start: usize) {
        // A single blank between two words of one run is kept in the run.
        if let Some(span) = self.pending
            && span.end - span.start == 1
            && let Some(last) = self.pieces.last()
            && last.verbatim
            && last.start + (self.text.len() - last.text) == span.start
            && span.end == start
        {
            self.text.push(' ');
            self.pending = None;
        }
        self.settle();
        let joins = self.pieces.last().is_some_and(|p| p.verbatim && p.start + (self.text.len() - p.text) == start);
        if !joins {
            self.pieces.push(Piece { text: self.text.len(), start, end: start, verbatim: true });
        }
        self.text.push_str(text);
    }

    /// A character that the source bytes `[start, end)` stand for.
    pub fn character(&mut self, c: char, start: usize, end: usize) {
        self.atom(c, start, end);
    }

    fn atom(&mut self, c: char, start: usize, end: usize) {
        if is_blank(c) {
            self.blank(start, end);
        } else {
            self.settle();
            self.pieces.push(Piece { text: self.text.len(), start, end, verbatim: false });
            self.text.push(c);
        }
    }

    fn piece(&self, at: usize) -> Option<&Piece> {
        let after = self.pieces.partition_point(|p| p.text <= at);
        self.pieces.get(after.checked_sub(1)?)
    }

    /// The source bytes of the text range `[from, to)`, blanks at its edges left out.
    pub fn span(&self, from: usize, to: usize) -> Span {
        let inner = self.text.get(from..to).unwrap_or("");
        let to = from + inner.trim_end().len();
        let from = to - inner.trim().len();
        let start = self.piece(from).map_or(0, |p| if p.verbatim { p.start + (from - p.text) } else { p.start });
        let end = self
            .piece(to.saturating_sub(1))
            .map_or(start, |p| if p.verbatim { p.start + (to - p.text) } else { p.end });
        Span::new(start, end)
    }

    /// The source bytes of all of it.
    pub fn whole(&self) -> Span {
        self.span(0, self.text.len())
    }

    /// The part `[from, to)` as words of its own, blanks at its edges left out.
    pub fn part(&self, from: usize, to: usize) -> Self {
        let inner = self.text.get(from..to).unwrap_or("");
        let to = from + inner.trim_end().len();
        let from = to - inner.trim().len();
        if from == to {
            return Self::default();
        }
        let first = self.pieces.partition_point(|p| p.text <= from).saturating_sub(1);
        let last = self.pieces.partition_point(|p| p.text < to);
        let mut pieces: Vec<Piece> = self.pieces[first..last.max(first)].to_vec();
        for piece in &mut pieces {
            if piece.text < from {
                if piece.verbatim {
                    piece.start += from - piece.text;
                }
                piece.text = 0;
            } else {
                piece.text -= from;
            }
        }
        Self { text: self.text[from..to].to_string(), pieces, pending: None }
    }

    /// These words without the range `[from, to)`; one blank is left where there was one after it.
    pub fn without(&self, from: usize, to: usize) -> Self {
        let mut rest = self.part(0, from);
        let tail = self.part(to, self.text.len());
        let blank = self.text.get(to..).is_some_and(|t| t.starts_with(' ')) && !rest.is_empty();
        rest.append(&tail, if blank { " " } else { "" });
        rest
    }

    /// These words and then others, a blank between them.
    pub fn join(&mut self, other: &Self) {
        self.append(other, if self.is_empty() { "" } else { " " });
    }

    /// These words, text of our own, and then others.
    pub fn append(&mut self, other: &Self, between: &str) {
        if other.is_empty() {
            return;
        }
        if !between.is_empty() {
            let at = self.whole().end;
            self.separator(between, at);
        }
        self.pending = None;
        let base = self.text.len();
        self.text.push_str(&other.text);
        self.pieces.extend(other.pieces.iter().map(|p| Piece { text: p.text + base, ..*p }));
    }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{a0}'
}

/// Invisible characters are no words.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}' | '\u{feff}' | '\u{ad}')
}

/// The bytes that may begin something else than a plain character of a word: a blank, an entity, what is invisible.
const SPECIAL: [bool; 256] = {
    let mut table = [false; 256];
    let special = b"& \t\n\r\xc0\xc1\xc2\xe2\xe3";
    let mut at = 0;
    while at < special.len() {
        table[special[at] as usize] = true;
        at += 1;
    }
    table
};

/// How much of a text stands as it is: words, and single blanks between them.
fn run(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(plain) = bytes[at..].iter().position(|b| SPECIAL[usize::from(*b)]) {
        at += plain;
        let stays = match bytes[at] {
            b' ' => (at > 0 && bytes.get(at + 1).is_some_and(|b| !SPECIAL[usize::from(*b)])).then_some(1),
            0x80.. => text[at..].chars().next().filter(|c| !is_blank(*c) && !is_invisible(*c)).map(char::len_utf8),
            _ => None,
        };
        match stays {
            Some(length) => at += length,
            None => return at,
        }
        at += plainly(&bytes[at..]);
    }
    bytes.len()
}

/// How many bytes at the beginning of some inside a run belong to it for certain, looked at many at a time.
fn plainly(bytes: &[u8]) -> usize {
    const MANY: usize = 16;
    let special = |b: u8| b < b' ' || b == b'&' || b >= 0x80;
    let parts = |b: u8| b <= b' ' || b == b'&' || b >= 0x80;
    let mut at = 0;
    while let Some(window) = bytes.get(at..=at + MANY) {
        let (here, next) = (&window[..MANY], &window[1..]);
        // No short cut: the machine compares all of them at once.
        let odd = here.iter().zip(next).fold(false, |odd, (b, n)| odd | special(*b) | ((*b == b' ') & parts(*n)));
        if odd {
            break;
        }
        at += MANY;
    }
    at
}

/// The character that an entity at the beginning of `text` stands for, and its length in bytes.
/// Only the fixed names below and numbers are known: nothing declared in a document is ever expanded.
pub(super) fn entity(text: &str) -> Option<(char, usize)> {
    static ENTITY: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8});").expect("a fixed pattern"));
    let window = &text.as_bytes()[..text.len().min(12)];
    let end = window.iter().position(|b| *b == b';')? + 1;
    let found = ENTITY.captures(text.get(..end)?)?;
    let name = found.get(1)?.as_str();
    let c = if let Some(hex) = name.strip_prefix("#x").or_else(|| name.strip_prefix("#X")) {
        char::from_u32(u32::from_str_radix(hex, 16).ok()?)?
    } else if let Some(number) = name.strip_prefix('#') {
        char::from_u32(number.parse().ok()?)?
    } else {
        NAMED.iter().find(|(n, _)| *n == name)?.1
    };
    Some((c, end))
}

const NAMED: [(&str, char); 36] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", ' '),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("laquo", '«'),
    ("raquo", '»'),
    ("ndash", '–'),
    ("mdash", '—'),
    ("hellip", '…'),
    ("euro", '€'),
    ("pound", '£'),
    ("sect", '§'),
    ("deg", '°'),
    ("times", '×'),
    ("middot", '·'),
    ("bull", '•'),
    ("shy", '\u{ad}'),
    ("eacute", 'é'),
    ("egrave", 'è'),
    ("ecirc", 'ê'),
    ("agrave", 'à'),
    ("aacute", 'á'),
    ("acirc", 'â'),
    ("ccedil", 'ç'),
    ("oacute", 'ó'),
    ("ocirc", 'ô'),
    ("ouml", 'ö'),
    ("uuml", 'ü'),
    ("auml", 'ä'),
    ("szlig", 'ß'),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn words(source: &str) -> Words {
        let mut words = Words::default();
        words.push(source.as_bytes(), 0, source.len(), true);
        words
    }

    #[test]
    fn blanks_runs_and_entities_become_plain_text() {
        let w = words("  one\u{a0}two\n   three &amp; four &#8217; five ");
        assert_eq!(w.text(), "one two three & four ’ five");
    }

    #[test]
    fn every_range_leads_back_to_its_bytes() {
        let source = "  one\u{a0}two\n   three &amp; four";
        let w = words(source);
        let at = w.text().find("two").unwrap_or(0);
        assert_eq!(w.span(at, at + 3).slice(source.as_bytes()), Some(&b"two"[..]));
        let amp = w.text().find('&').unwrap_or(0);
        assert_eq!(w.span(amp, amp + 1).slice(source.as_bytes()), Some(&b"&amp;"[..]));
        let part = w.part(at, w.text().len());
        assert_eq!(part.text(), "two three & four");
        assert_eq!(part.whole().slice(source.as_bytes()), Some("two\n   three &amp; four".as_bytes()));
    }

    #[test]
    fn bytes_that_are_no_utf8_are_latin1() {
        let mut w = Words::default();
        w.push(b"caf\xe9 noir", 0, 9, true);
        assert_eq!(w.text(), "café noir");
    }
}
