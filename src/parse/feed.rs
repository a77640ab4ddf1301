//! The repository's notifications: which works it took in, changed or gave up, as RSS or Atom, a page of at most a
//! thousand at a time.
//!
//! Elements are told by their local names. The templates behind the feed leave some of their own words in it (a title
//! reads `$item.title`), so what an entry is known by are the fields of the notification: its identifier, the day, the
//! kind, the names of the work.

use super::{Parsed, Refused, Warning, rdf::character};
use crate::law::{Celex, Day, Span, xsd_day};
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;
use std::collections::BTreeSet;

/// More entries than a page has.
const MOST: usize = 10_000;
/// A longer page is none.
const LONGEST: usize = 64 << 20;
/// A field longer than this is cut: names are short.
const LONGEST_FIELD: usize = 16 << 10;

/// One page of notifications.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Feed {
    /// What happened, in the order of the page.
    pub entries: Vec<Notification>,
    /// Whether another page follows; `None` where the feed does not say.
    pub more: Option<bool>,
    /// The number of this page, from 1.
    pub page: Option<u64>,
}

/// What happened to one thing in the repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notification {
    /// The identifier of the thing (`0caf473a-…`, an expression's with `.0006`).
    pub cellar: String,
    /// The identifier of the work it belongs to, where the feed gives it.
    pub work: Option<String>,
    /// What was done.
    pub change: Change,
    /// The CELEX numbers among its names.
    pub celex: BTreeSet<Celex>,
    /// When, as written.
    pub at: String,
    /// The day of it, as written.
    pub day: Option<Day>,
}

/// What was done to a thing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// It was taken in.
    Created,
    /// It was changed.
    #[default]
    Updated,
    /// It was given up.
    Deleted,
}

/// Reads a page of notifications, RSS or Atom. An entry that names nothing is left out, with a warning.
///
/// ```
/// let page = br#"<feed xmlns="http://www.w3.org/2005/Atom" xmlns:n="urn:n"><n:moreEntries>true</n:moreEntries>
///   <entry><updated>2026-08-05T10:00:00.000+02:00</updated><n:cellarId>cellar:9001-a</n:cellarId>
///   <n:type>update</n:type><n:identifiers>celex:32016R9001,oj:L_202409001</n:identifiers></entry></feed>"#;
/// let feed = legal_link::parse::feed(page).unwrap().value;
/// assert_eq!(feed.more, Some(true));
/// assert_eq!(feed.entries[0].celex.first().unwrap().as_str(), "32016R9001");
/// assert_eq!(feed.entries[0].day.unwrap().to_string(), "2026-08-05");
/// ```
///
/// # Errors
/// [`Refused`] where the bytes are neither `rss` nor `feed`, or declare entities.
pub fn feed(bytes: &[u8]) -> Result<Parsed<Feed>, Refused> {
    if bytes.len() > LONGEST {
        return Err(Refused::TooBig { bytes: bytes.len(), limit: LONGEST });
    }
    if bytes.trim_ascii().is_empty() {
        return Err(Refused::Empty);
    }
    let mut reading = Reading::default();
    let mut reader = Reader::from_reader(bytes);
    reader.config_mut().check_end_names = false;
    loop {
        let start = position(&reader);
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(e) => {
                let message = format!("the feed is torn here: {e}");
                reading.warnings.push(Warning { span: Span::new(start, bytes.len()), message });
                reading.torn = true;
                break;
            }
        };
        match event {
            Event::DocType(declared) if declared.windows(8).any(|w| w == b"<!ENTITY") => {
                return Err(Refused::Entities);
            }
            Event::Start(tag) => reading.open(&tag, start)?,
            Event::Empty(tag) => {
                reading.open(&tag, start)?;
                reading.close(position(&reader));
            }
            Event::End(_) => reading.close(position(&reader)),
            Event::Text(text) => reading.text(&String::from_utf8_lossy(&text)),
            Event::CData(text) => reading.text(&String::from_utf8_lossy(&text)),
            Event::GeneralRef(name) => {
                if let Some(c) = character(&name) {
                    reading.text(c.encode_utf8(&mut [0; 4]));
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    reading.finish(bytes.len())
}

fn position(reader: &Reader<&[u8]>) -> usize {
    usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX)
}

#[derive(Default)]
struct Reading {
    feed: Feed,
    warnings: Vec<Warning>,
    torn: bool,
    rooted: bool,
    depth: usize,
    /// The entry being read, where it began and at which depth.
    entry: Option<(Notification, usize, usize)>,
    field: Field,
    words: String,
}

/// What the text being read says.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Field {
    #[default]
    Other,
    Thing,
    Work,
    Kind,
    /// A list of names; it may hold an element for each.
    Names,
    At,
    More,
    Page,
}

impl Reading {
    fn open(&mut self, tag: &BytesStart, start: usize) -> Result<(), Refused> {
        let name = tag.local_name();
        if !self.rooted {
            self.rooted = true;
            if !matches!(name.as_ref(), b"rss" | b"feed" | b"RDF") {
                let found = format!("a document that begins with `{}`", String::from_utf8_lossy(name.as_ref()));
                return Err(Refused::NotThis { wanted: "feed of notifications", found });
            }
        }
        self.depth += 1;
        let field = match (name.as_ref(), self.entry.is_some()) {
            (b"item" | b"entry", false) => {
                self.entry = Some((Notification::default(), start, self.depth));
                Field::Other
            }
            (b"cellarId", true) => Field::Thing,
            (b"rootCellarId", true) => Field::Work,
            (b"type", true) => Field::Kind,
            (b"identifiers" | b"identifier", true) => Field::Names,
            (b"date" | b"pubDate" | b"updated", true) => Field::At,
            (b"moreEntries", false) => Field::More,
            (b"page", false) => Field::Page,
            // An element of a list belongs to the list.
            _ if self.field == Field::Names && self.entry.is_some() => Field::Names,
            _ => Field::Other,
        };
        // What a list has said before an element inside it begins is a name of its own.
        self.put();
        self.field = field;
        Ok(())
    }

    fn text(&mut self, words: &str) {
        if self.field != Field::Other && self.words.len() + words.len() <= LONGEST_FIELD {
            self.words.push_str(words);
        }
    }

    fn close(&mut self, end: usize) {
        self.put();
        self.field = match self.field {
            // Still inside the list where only an element of it has ended.
            Field::Names if self.depth > self.entry.as_ref().map_or(0, |(_, _, depth)| depth + 1) => Field::Names,
            _ => Field::Other,
        };
        if self.entry.as_ref().is_some_and(|(_, _, depth)| *depth == self.depth)
            && let Some((entry, start, _)) = self.entry.take()
        {
            if entry.cellar.is_empty() && entry.celex.is_empty() {
                let message = "an entry that names nothing is left out".to_string();
                self.warnings.push(Warning { span: Span::new(start, end), message });
            } else if self.feed.entries.len() < MOST {
                self.feed.entries.push(entry);
            } else if self.feed.entries.len() == MOST {
                let message = format!("more than {MOST} entries; the rest is left out");
                self.warnings.push(Warning { span: Span::new(start, end), message });
                self.feed.more = Some(true);
            }
        }
        self.depth = self.depth.saturating_sub(1);
    }

    /// Keeps what the words of the field say.
    fn put(&mut self) {
        let words = std::mem::take(&mut self.words);
        let words = words.trim();
        // A word of the template that was not filled in.
        if words.is_empty() || words.contains('$') {
            return;
        }
        match (self.field, &mut self.entry) {
            (Field::Thing, Some((entry, ..))) => entry.cellar = bare(words),
            (Field::Work, Some((entry, ..))) => entry.work = Some(bare(words)),
            (Field::Kind, Some((entry, ..))) => {
                entry.change = match words.to_ascii_lowercase().as_str() {
                    "create" => Change::Created,
                    "delete" => Change::Deleted,
                    _ => Change::Updated,
                }
            }
            (Field::Names, Some((entry, ..))) => {
                let names = words.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '[' | ']'));
                entry.celex.extend(names.filter_map(celex));
            }
            // RSS may say the day twice, first in words: the one in figures counts.
            (Field::At, Some((entry, ..))) if entry.day.is_none() => {
                entry.at = words.to_string();
                entry.day = xsd_day(words).ok();
            }
            (Field::More, None) => self.feed.more = crate::law::xsd_boolean(&words.to_ascii_lowercase()),
            (Field::Page, None) => self.feed.page = words.parse().ok(),
            _ => {}
        }
    }

    fn finish(mut self, end: usize) -> Result<Parsed<Feed>, Refused> {
        if !self.rooted {
            return Err(Refused::NotThis { wanted: "feed of notifications", found: "no markup".to_string() });
        }
        if self.depth > 0 && !self.torn {
            let message = "the feed ends before its last element does".to_string();
            self.warnings.push(Warning { span: Span::new(end, end), message });
            self.torn = true;
        }
        if self.torn {
            // What a cut page says of further pages cannot be relied on.
            self.feed.more = None;
        }
        Ok(Parsed { value: self.feed, warnings: self.warnings })
    }
}

/// An identifier without the word before it (`cellar:`).
fn bare(words: &str) -> String {
    words.strip_prefix("cellar:").unwrap_or(words).to_string()
}

/// The CELEX number of a name such as `celex:32016R9001`, percent-encoded or not.
fn celex(name: &str) -> Option<Celex> {
    let number = name.strip_prefix("celex:")?;
    if number.contains('.') { None } else { Celex::from_uri(&format!("celex:{number}")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ATOM: &str = concat!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><feed xmlns=\"http://www.w3.org/2005/Atom\"",
        " xmlns:notifEntry=\"http://publications.europa.eu/atom/notificationEntry\"",
        " xmlns:notifReq=\"http://publications.europa.eu/atom/notificationRequest\">",
        "<title>Notifications</title><notifReq:page>2</notifReq:page><notifReq:moreEntries>false</notifReq:moreEntries>",
        "<entry><id>${item.cellarUri}_1</id><title>$item.title</title><updated>2026-08-05T10:00:00.000+02:00</updated>",
        "<notifEntry:cellarId>cellar:00009001-0000-11e6-9000-01aa75ed71a1.0006</notifEntry:cellarId>",
        "<notifEntry:rootCellarId>cellar:00009001-0000-11e6-9000-01aa75ed71a1</notifEntry:rootCellarId>",
        "<notifEntry:type>create</notifEntry:type><notifEntry:identifiers>",
        "<notifEntry:identifier>celex:32016R9001R%2802%29</notifEntry:identifier>",
        "<notifEntry:identifier>eli:reg:2016:9001:corrigendum</notifEntry:identifier></notifEntry:identifiers></entry>",
        "<entry><updated>2026-08-05T10:00:01.000+02:00</updated><notifEntry:type>update</notifEntry:type></entry></feed>"
    );

    const RSS: &str = concat!(
        "<rss version=\"2.0\" xmlns:n=\"urn:n\"><channel><title>t</title><n:page>1</n:page><n:moreEntries>TRUE</n:moreEntries>",
        "<item><guid>9001</guid><pubDate>Wed, 05 Aug 2026 10:00:00 GMT</pubDate><n:date>2026-08-06T00:30:00+02:00</n:date>",
        "<n:cellarId>cellar:9001-b</n:cellarId><n:type>DELETE</n:type>",
        "<n:identifiers>[celex:31999R9001, celex:31999R9001.ENG, oj:JOL_1999_9001]</n:identifiers></item></channel></rss>"
    );

    #[test]
    fn atom_with_the_templates_own_words_in_it() {
        let parsed = feed(ATOM.as_bytes()).expect("a feed");
        assert_eq!((parsed.value.page, parsed.value.more), (Some(2), Some(false)));
        let [entry] = &parsed.value.entries[..] else { panic!("one entry: {parsed:?}") };
        assert_eq!(entry.work.as_deref(), Some("00009001-0000-11e6-9000-01aa75ed71a1"));
        assert_eq!(entry.change, Change::Created);
        assert_eq!(entry.celex.iter().map(Celex::as_str).collect::<Vec<_>>(), ["32016R9001R(02)"]);
        assert_eq!(parsed.warnings.len(), 1, "the entry that names nothing");
    }

    #[test]
    fn rss_with_a_list_in_one_text() {
        let parsed = feed(RSS.as_bytes()).expect("a feed").value;
        assert_eq!(parsed.more, Some(true));
        let entry = &parsed.entries[0];
        assert_eq!((entry.cellar.as_str(), entry.change), ("9001-b", Change::Deleted));
        assert_eq!(entry.day.map(|d| d.to_string()).as_deref(), Some("2026-08-06"));
        assert_eq!(entry.celex.len(), 1);
    }

    #[test]
    fn a_cut_page_says_nothing_of_further_ones() {
        let cut = &RSS[..RSS.len() - 20];
        let parsed = feed(cut.as_bytes()).expect("a feed");
        assert_eq!(parsed.value.more, None);
        assert!(!parsed.warnings.is_empty());
        assert!(feed(b"<html><body/></html>").is_err() && feed(b"").is_err() && feed(b"words").is_err());
        assert!(feed(b"<!DOCTYPE rss [<!ENTITY a \"b\">]><rss/>").is_err());
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(which in 0_usize..2, bytes in proptest::collection::vec(any::<u8>(), 0..60), cut in 0_usize..3000) {
            let mut page = [ATOM, RSS][which].as_bytes().to_vec();
            let cut = cut % page.len();
            let end = (cut + bytes.len()).min(page.len());
            page.splice(cut..end, bytes);
            if let Ok(parsed) = feed(&page) {
                prop_assert!(parsed.warnings.iter().all(|w| w.span.end <= page.len()));
            }
        }
    }
}
