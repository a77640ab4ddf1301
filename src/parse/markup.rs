//! A tolerant reader of tags: XHTML and tag soup alike, with the byte offsets that a strict one gives only
//! for well-formed input. It never allocates per tag, never expands anything and never goes back.

use memchr::{memchr, memchr3, memmem};

/// A piece of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// A start tag; `attributes` is all between the name and `>`.
    Open {
        /// Its name, without prefix, as written.
        name: &'a str,
        /// The raw attributes.
        attributes: &'a str,
        /// Whether it closes itself.
        closed: bool,
        /// Offset of `<`.
        start: usize,
        /// Offset after `>`.
        end: usize,
    },
    /// An end tag.
    Close {
        /// Its name, as written.
        name: &'a str,
        /// Offset of `<`.
        start: usize,
        /// Offset after `>`.
        end: usize,
    },
    /// Character data `[start, end)`, entities not decoded.
    Text {
        /// Offset of its first byte.
        start: usize,
        /// Offset after its last byte.
        end: usize,
    },
}

/// Walks a page once.
pub(super) struct Markup<'a> {
    source: &'a [u8],
    at: usize,
}

impl<'a> Markup<'a> {
    /// Starts at the first byte.
    pub fn new(source: &'a [u8]) -> Self {
        Self { source, at: 0 }
    }

    /// Starts at a byte between pieces.
    pub fn from(source: &'a [u8], at: usize) -> Self {
        Self { source, at }
    }

    /// The end of a tag that begins at `from`: after the first `>` outside quotation marks.
    fn tag_end(&self, from: usize) -> Option<usize> {
        let mut at = from;
        loop {
            at += memchr3(b'>', b'"', b'\'', self.source.get(at..)?)?;
            let byte = self.source[at];
            if byte == b'>' {
                return Some(at + 1);
            }
            if at > from && self.source[at - 1] == b'=' {
                at += 1 + memchr(byte, &self.source[at + 1..])?;
            }
            at += 1;
        }
    }
}

impl<'a> Iterator for Markup<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        loop {
            let start = self.at;
            let rest = self.source.get(start..).filter(|r| !r.is_empty())?;
            if rest[0] != b'<' {
                let end = memchr(b'<', rest).map_or(self.source.len(), |p| start + p);
                self.at = end;
                return Some(Piece::Text { start, end });
            }
            let ends = self.source.len();
            if rest.starts_with(b"<!--") {
                self.at = seek(self.source, start + 4, b"-->").map_or(ends, |e| e + 3);
                continue;
            }
            if rest.starts_with(b"<![CDATA[") {
                let close = seek(self.source, start + 9, b"]]>").unwrap_or(ends);
                self.at = (close + 3).min(ends);
                return Some(Piece::Text { start: start + 9, end: close });
            }
            let second = rest.get(1).copied().unwrap_or(0);
            if matches!(second, b'!' | b'?') {
                self.at = self.tag_end(start).unwrap_or(ends);
                continue;
            }
            if !(second.is_ascii_alphabetic() || second == b'/') {
                // A bare `<` in running text.
                let end = memchr(b'<', &rest[1..]).map_or(ends, |p| start + 1 + p);
                self.at = end;
                return Some(Piece::Text { start, end });
            }
            let Some(end) = self.tag_end(start) else {
                self.at = ends;
                return Some(Piece::Text { start: start + 1, end: ends });
            };
            self.at = end;
            let Ok(inner) = std::str::from_utf8(&self.source[start + 1..end - 1]) else { continue };
            if let Some(name) = inner.strip_prefix('/') {
                return Some(Piece::Close { name: local(name.trim()), start, end });
            }
            let closed = inner.ends_with('/');
            let inner = inner.trim_end_matches('/');
            let blank = inner.bytes().position(|b| b.is_ascii_whitespace());
            let (name, attributes) = blank.map_or((inner, ""), |at| (&inner[..at], &inner[at + 1..]));
            let name = local(name);
            if !closed && (name.eq_ignore_ascii_case("script") || name.eq_ignore_ascii_case("style")) {
                let close = format!("</{name}");
                self.at = seek(self.source, end, close.as_bytes()).unwrap_or(ends);
            }
            return Some(Piece::Open { name, attributes, closed, start, end });
        }
    }
}

/// Where `needle` stands at or after `from`.
pub(super) fn seek(hay: &[u8], from: usize, needle: &[u8]) -> Option<usize> {
    memmem::find(hay.get(from..)?, needle).map(|at| from + at)
}

fn local(name: &str) -> &str {
    name.bytes().rposition(|b| b == b':').map_or(name, |at| &name[at + 1..])
}

/// The value of an attribute in the raw attributes of a tag.
pub(super) fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    self::attributes(attributes).find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// Names and values in the raw attributes of a tag, as written. What has no value is passed over.
pub(super) fn attributes(raw: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = raw;
    std::iter::from_fn(move || {
        let equals = rest.bytes().position(|b| b == b'=')?;
        let before = rest[..equals].trim_ascii();
        let key = before.bytes().rposition(|b| b.is_ascii_whitespace()).map_or(before, |at| &before[at + 1..]);
        let after = rest[equals + 1..].trim_ascii_start();
        let value;
        (value, rest) = if let Some(quote) = after.bytes().next().filter(|b| matches!(b, b'"' | b'\'')) {
            let close = memchr(quote, &after.as_bytes()[1..])? + 1;
            (&after[1..close], &after[close + 1..])
        } else {
            let close = after.bytes().position(|b| b.is_ascii_whitespace()).unwrap_or(after.len());
            after.split_at(close)
        };
        (!key.is_empty()).then_some((key, value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_soup_with_offsets() {
        let page = b"<p CLASS='a > b' id=x>one<br/>two < three</P><!-- <p> -->&amp;";
        let pieces: Vec<Piece> = Markup::new(page).collect();
        assert_eq!(pieces.len(), 7);
        let Piece::Open { attributes, .. } = pieces[0] else { panic!("an open tag") };
        assert_eq!(attribute(attributes, "class"), Some("a > b"));
        assert_eq!(attribute(attributes, "id"), Some("x"));
        assert_eq!(attribute(attributes, "d"), None);
        assert!(matches!(pieces[6], Piece::Text { start, .. } if &page[start..] == b"&amp;"));
    }

    #[test]
    fn scripts_hold_no_text_and_torn_tags_end_the_page() {
        let page = b"<script>if (a<b) {}</script>x<p class=\"";
        let texts = Markup::new(page).filter(|p| matches!(p, Piece::Text { .. })).count();
        assert_eq!(texts, 2);
    }
}
