//! Formex 4, the publisher's own XML. A text is read by the elements it is made of, and reduced to the same blocks
//! as a page, so that one builder makes the units of all layouts; what is no text (the bibliographic head, the table
//! of a document's parts) is read apart.

mod family;
mod parts;
mod place;
mod reader;
mod root;

pub use parts::{MainPart, Member, Parts, main_part, parts};
pub(super) use reader::front;
pub use root::{Root, RootError, root};

use super::markup::attribute;
use quick_xml::events::BytesStart;
use quick_xml::reader::Reader;

/// A reader of the bytes after any byte order mark, and how many bytes those marks are.
fn reader(source: &[u8]) -> (Reader<&[u8]>, usize) {
    let mut rest = source;
    while let Some(after) = rest.strip_prefix(b"\xef\xbb\xbf") {
        rest = after;
    }
    (Reader::from_reader(rest), source.len() - rest.len())
}

/// Where the reader stands.
fn position(reader: &Reader<&[u8]>, before: usize) -> usize {
    usize::try_from(reader.buffer_position()).map_or(usize::MAX, |at| at + before)
}

/// The value of an attribute, as written.
fn value<'a>(tag: &'a BytesStart, name: &str) -> Option<&'a str> {
    attribute(std::str::from_utf8(tag.attributes_raw()).ok()?, name)
}
