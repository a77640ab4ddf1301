//! Bytes to law values, pure and synchronous: acts, notices, tables; titles and operative parts to clauses.
//!
//! Nothing here fetches, and nothing here panics on what it is given: a parser returns a value with
//! [`Warning`]s, or says why the bytes are [`Refused`].

mod act;
mod address;
mod annotation;
mod block;
mod choices;
pub mod clauses;
mod consolidated;
mod coverage;
mod data;
mod depths;
mod dress;
mod feed;
mod flat;
mod formex;
mod hanging;
mod head;
mod identifiers;
mod judgment;
mod label;
mod markdown;
mod markup;
mod misread;
mod notes;
mod notice;
mod notice_xml;
mod numerals;
mod page;
mod proposal;
mod quoted;
mod rdf;
mod results;
mod signs;
mod sniff;
mod soap;
mod split;
mod stated;
mod styled;
mod tables;
mod units;
mod words;

pub use act::{Given, act, text};
pub use choices::{choices, part_number, parts_in_order};
pub use coverage::{Complete, Coverage, Found, Tally, coverage};
pub use feed::{Change, Feed, Notification, feed};
pub use formex::{MainPart, Member, Parts, Root, RootError, main_part, parts, root as formex_root};
pub use head::clean_title;
pub use identifiers::{Identifiers, Synonyms, identifiers};
pub use label::{PointLabel, is_article_heading, point_label};
pub use misread::misread;
pub use notes::without_signs;
pub use notice::{Notice, OpenLink, notice};
pub use page::older_class;
pub use rdf::expressions;
pub use results::{Results, Solution, Told, ToldOnce, results};
pub use sniff::act as flavour;
pub use soap::{Hit, Hits, search_answer};
pub use stated::{Stated, stated};
pub use tables::{Pair, Tables, table};

use crate::law::{Celex, Span};

/// A value, and what was doubtful while reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed<T> {
    /// The value.
    pub value: T,
    /// What a reader should know about it, in order of place.
    pub warnings: Vec<Warning>,
}

/// Something doubtful, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The bytes it concerns.
    pub span: Span,
    /// What is doubtful.
    pub message: String,
}

/// Why bytes were not read as what they were said to be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// A navigation page of a portal, saved in place of a text.
    #[error("a portal page without the text of an act; fetch the document itself")]
    PortalShell,
    /// A page that asks a browser to prove itself.
    #[error("a challenge page; stop, wait, and ask less often")]
    Challenge,
    /// Nothing in it looks like what was asked for.
    #[error("no {wanted}: {found}")]
    NotThis {
        /// What was asked for.
        wanted: &'static str,
        /// What is there instead.
        found: String,
    },
    /// The document names another act.
    #[error("the document names {named}, not {asked}")]
    WrongAct {
        /// The act asked for.
        asked: Celex,
        /// The act that the document names.
        named: Celex,
    },
    /// A service's answer that it has none, and why.
    #[error("the service refused the question: {says} ({code})")]
    Fault {
        /// Its code.
        code: String,
        /// Its words.
        says: String,
    },
    /// No bytes, or nothing but white space and markup.
    #[error("an empty document")]
    Empty,
    /// More bytes than any real document has.
    #[error("{bytes} bytes, more than the {limit} that are read")]
    TooBig {
        /// Its size.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// It declares entities of its own, which are never expanded.
    #[error("the document declares entities of its own, which are not expanded")]
    Entities,
}
