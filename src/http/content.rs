//! What an answer's bytes are, whatever its labels say.

use encoding_rs::Encoding;
use flate2::read::MultiGzDecoder;
use std::io::Read as _;

/// The name, in lower case, of the decoder for the `charset` of a `Content-Type`; `None` where none is named or the
/// name is unknown. All labels of the Encoding Standard are known, `unicode-1-1-utf-8` among them.
///
/// ```
/// use legal_link::http::charset;
/// assert_eq!(charset("text/html; charset=\"latin1\"").as_deref(), Some("windows-1252"));
/// assert_eq!(charset("text/html"), None);
/// ```
pub fn charset(content_type: &str) -> Option<String> {
    let parameter = |part: &str| {
        let (name, value) = part.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']);
        name.trim().eq_ignore_ascii_case("charset").then(|| value.to_string())
    };
    let label = parts(content_type).skip(1).find_map(parameter)?;
    Encoding::for_label(label.as_bytes()).map(|encoding| encoding.name().to_ascii_lowercase())
}

/// What stands between the semicolons of a header; one inside a quoted string divides nothing (RFC 9110, section 5.6.6).
fn parts(header: &str) -> impl Iterator<Item = &str> {
    let (mut quoted, mut escaped) = (false, false);
    header.split(move |c| {
        let literal = std::mem::take(&mut escaped);
        match c {
            '\\' if quoted && !literal => escaped = true,
            '"' if !literal => quoted = !quoted,
            _ => {}
        }
        c == ';' && !quoted
    })
}

/// What the first bytes of a document say that it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sniffed {
    /// XML or XHTML.
    Xml,
    /// HTML.
    Html,
    /// PDF.
    Pdf,
    /// A scanned page.
    Tiff,
    /// A zip archive (of Formex members, for instance).
    Zip,
    /// A gzip file.
    Gzip,
    /// JSON.
    Json,
    /// None of these: plain text, perhaps.
    Other,
}

impl Sniffed {
    /// Reads the magic number or the first mark-up; the first kilobyte is enough.
    pub fn of(bytes: &[u8]) -> Self {
        let binary: [(&[u8], Self); 7] = [
            (b"%PDF-", Self::Pdf),
            (b"II*\0", Self::Tiff),
            (b"MM\0*", Self::Tiff),
            // BigTIFF: 43 in place of 42.
            (b"II+\0", Self::Tiff),
            (b"MM\0+", Self::Tiff),
            (b"PK\x03\x04", Self::Zip),
            (b"\x1f\x8b", Self::Gzip),
        ];
        if let Some((_, found)) = binary.iter().find(|(magic, _)| bytes.starts_with(magic)) {
            return *found;
        }
        let wide = wide(bytes);
        let text = wide.as_deref().unwrap_or_else(|| bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
        let text = text.trim_ascii_start();
        let begins = |mark: &[u8]| text.get(..mark.len()).is_some_and(|head| head.eq_ignore_ascii_case(mark));
        if begins(b"<!doctype html") || begins(b"<html") {
            Self::Html
        } else if begins(b"<") {
            Self::Xml
        } else if begins(b"{") || begins(b"[") {
            Self::Json
        } else {
            Self::Other
        }
    }

    /// Whether it can be read as mark-up.
    pub fn is_markup(self) -> bool {
        matches!(self, Self::Xml | Self::Html)
    }
}

/// The first kilobyte of UTF-16 as UTF-8: with a byte order mark, or as an XML declaration betrays it (XML 1.0, appendix F).
fn wide(bytes: &[u8]) -> Option<Vec<u8>> {
    let marks: [(&[u8], &[u8], &'static Encoding); 2] =
        [(b"\xff\xfe", b"<\0?\0", encoding_rs::UTF_16LE), (b"\xfe\xff", b"\0<\0?", encoding_rs::UTF_16BE)];
    let (mark, _, encoding) =
        marks.iter().find(|(mark, declared, _)| bytes.starts_with(mark) || bytes.starts_with(declared))?;
    let text = bytes.strip_prefix(*mark).unwrap_or(bytes);
    let (text, _) = encoding.decode_without_bom_handling(&text[..text.len().min(1024)]);
    Some(text.into_owned().into_bytes())
}

/// Why compressed bytes are not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UnzipError {
    /// They break off or are no gzip.
    #[error("the compressed body is cut or broken")]
    Broken,
    /// More than allowed.
    #[error("the body is longer than allowed")]
    TooLong,
    /// Far more than any document holds in so few bytes.
    #[error("the body grows more than {MOST_GROWTH} times when it is decompressed")]
    Bomb,
}

/// How many times its size a compressed body may have, beyond the first mebibyte. The notices with most
/// repetition grow about fiftyfold.
pub const MOST_GROWTH: usize = 250;

/// Decompresses a gzip body of at most `max_bytes`.
///
/// # Errors
/// [`UnzipError`].
pub fn unzip(bytes: &[u8], max_bytes: usize) -> Result<Vec<u8>, UnzipError> {
    let grown = bytes.len().saturating_mul(MOST_GROWTH).max(1 << 20);
    let most = grown.min(max_bytes);
    let mut out = Vec::new();
    let mut decoder = MultiGzDecoder::new(bytes).take(most as u64 + 1);
    decoder.read_to_end(&mut out).map_err(|_| UnzipError::Broken)?;
    match out.len() > most {
        true if most < max_bytes => Err(UnzipError::Bomb),
        true => Err(UnzipError::TooLong),
        false => Ok(out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, GzBuilder};
    use std::io::Write as _;

    fn zipped(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzBuilder::new().write(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn a_bomb_is_not_unpacked() {
        let bomb = zipped(&vec![0; 40 << 20]);
        assert_eq!(unzip(&bomb, 64 << 20), Err(UnzipError::Bomb));
        let text = b"Article 1 ".repeat(1000);
        assert_eq!(unzip(&zipped(&text), 1 << 20), Ok(text.clone()));
        assert_eq!(unzip(&zipped(&text), 100), Err(UnzipError::TooLong));
        let cut = zipped(&text);
        assert_eq!(unzip(&cut[..cut.len() - 1], 1 << 20), Err(UnzipError::Broken));
    }

    #[test]
    fn bytes_are_believed_before_labels() {
        assert_eq!(Sniffed::of(b"%PDF-1.7"), Sniffed::Pdf);
        assert_eq!(Sniffed::of(b"\xef\xbb\xbf\n<!DOCTYPE HTML>"), Sniffed::Html);
        assert_eq!(Sniffed::of(b"<?xml version='1.0'?>"), Sniffed::Xml);
        assert_eq!(Sniffed::of(b"\n{ \"head\""), Sniffed::Json);
        assert_eq!(Sniffed::of(b""), Sniffed::Other);
        assert_eq!(Sniffed::of(b"\xff\xfe<\0?\0x\0m\0l\0"), Sniffed::Xml);
        assert_eq!(Sniffed::of(b"\xfe\xff\0<\0h\0t\0m\0l\0>"), Sniffed::Html);
        assert_eq!(Sniffed::of(b"\0<\0?\0x"), Sniffed::Xml);
        assert_eq!(Sniffed::of(b"\xff\xfeA\0"), Sniffed::Other);
        assert_eq!([&b"MM\0+\0\x08"[..], b"II+\0"].map(Sniffed::of), [Sniffed::Tiff; 2]);
    }

    #[test]
    fn a_quoted_string_hides_what_it_holds() {
        let rows = [
            ("text/html ; profile=\"a;charset=latin1\" ; charset=utf-8", Some("utf-8")),
            ("text/html; profile=\"a\\\";charset=latin1\"; charset=utf-8", Some("utf-8")),
            ("text/html; profile=\"charset=latin1", None),
            ("text/html; charset=\"utf-8\"", Some("utf-8")),
        ];
        for (header, decoder) in rows {
            assert_eq!(charset(header).as_deref(), decoder, "{header}");
        }
    }
}
