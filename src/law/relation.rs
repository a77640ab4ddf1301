//! Relations between acts: the effect a relation type has, register rows, and dated edges.

use super::{Celex, Day, Digest, Extent, Language, Part, Quote, RelationType, Saving, Span};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a relation type does to its target. A closed set: the graph understands these and no others;
/// which relation has which effect is data (`rubrics/relations.toml`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Ends the whole or the named parts from `start`.
    Ends,
    /// States that the target had no effect left: not in force after it, unknown before it.
    DeclaresSpent,
    /// Moves the end of validity.
    Prolongs,
    /// Widens to whom, to what, where or when the target applies.
    Widens,
    /// Narrows it.
    Narrows,
    /// In force but not applicable between `start` and `until`.
    Pauses,
    /// Adds to the target; its own validity is untouched.
    Supplements,
    /// The named units read differently.
    Rewrites,
    /// As if never made.
    Voids,
    /// Context only.
    None,
}

/// The effect as the registry writes it.
impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ends => "ends",
            Self::DeclaresSpent => "declares_spent",
            Self::Prolongs => "prolongs",
            Self::Widens => "widens",
            Self::Narrows => "narrows",
            Self::Pauses => "pauses",
            Self::Supplements => "supplements",
            Self::Rewrites => "rewrites",
            Self::Voids => "voids",
            Self::None => "none",
        })
    }
}

/// What a widening or narrowing of an act's application concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dimension {
    /// To whom it applies.
    Persons,
    /// Where it applies.
    Territory,
    /// To what it applies.
    Things,
    /// When it applies.
    Time,
}

/// As a question: "to whom".
impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Persons => "to whom",
            Self::Territory => "where",
            Self::Things => "to what",
            Self::Time => "when",
        })
    }
}

/// Which document and where in it: the address of a register's statement.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Locus {
    /// The document's bytes.
    pub document: Digest,
    /// The bytes of the statement.
    pub span: Span,
}

/// A register's statement that one act acts on another: a table row or a notice's link, with its annotation.
/// Always in the forward direction (inverses are folded where it is read).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisterRow {
    /// The acting act.
    pub source: Celex,
    /// The relation.
    pub relation: RelationType,
    /// The act acted upon.
    pub target: Celex,
    /// Start of validity from the annotation.
    pub start: Option<Day>,
    /// End of validity from the annotation.
    pub end: Option<Day>,
    /// The part of the target that the annotation names.
    pub part: Option<Part>,
    /// Role code as written (`R`, `DEL`, …).
    pub role: Option<String>,
    /// Languages concerned, of a correction; empty: not recorded.
    pub languages: Vec<Language>,
    /// The annotation's comment, raw.
    pub comment: Option<String>,
    /// A notice, or a table.
    pub register: RegisterKind,
    /// Where it stands.
    pub locus: Locus,
    /// The day on which the register said so at the latest.
    pub taken: Option<Day>,
}

impl RegisterRow {
    /// A statement that says no more than that: no annotation, nothing known of its day.
    pub fn bare(source: Celex, relation: RelationType, target: Celex, register: RegisterKind, locus: Locus) -> Self {
        Self {
            source,
            relation,
            target,
            start: None,
            end: None,
            part: None,
            role: None,
            languages: Vec::new(),
            comment: None,
            register,
            locus,
            taken: None,
        }
    }
}

/// The two kinds of register documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RegisterKind {
    /// An RDF or XML notice of a work.
    Notice,
    /// A row of an edge table (or of a SPARQL answer).
    Table,
}

/// A register's statements about one act itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActRecord {
    /// The act.
    pub celex: Celex,
    /// Title in English, if recorded.
    pub title: Option<String>,
    /// Date of the document.
    pub date_document: Option<Day>,
    /// Publication in the Official Journal, if recorded.
    pub published: Option<Day>,
    /// In-force flag: a statement about the day `taken`.
    pub in_force: Option<bool>,
    /// Dates of effect with their kind where annotated (entry into force, application, or not said).
    pub effects: Vec<(EffectDate, Day)>,
    /// Recorded ends of validity: last valid days, fillers left out.
    pub ends: Vec<Day>,
    /// Whether a filler (`9999-12-31`) stood among the ends: no end known.
    pub open_end: bool,
    /// Where it stands.
    pub locus: Locus,
    /// The day the register said so.
    pub taken: Option<Day>,
}

/// The kind of a date of effect (authority table fd_335).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectDate {
    /// `EV`: entry into force.
    EntryIntoForce,
    /// `MA`: application.
    Application,
    /// `MA/PART`: partial application.
    PartialApplication,
    /// Not annotated: entry into force or application, one cannot tell.
    Unsaid,
}

/// A consolidated state of an act: evidence for dates, never sole proof.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsolidatedState {
    /// The consolidated text.
    pub celex: Celex,
    /// The act it is a state of.
    pub of: Celex,
    /// The first day of this state.
    pub from: Day,
    /// The last day inside, where derived.
    pub until: Option<Day>,
    /// Where it stands.
    pub locus: Locus,
    /// The day the register said so.
    pub taken: Option<Day>,
}

/// On what the start of an effect rests, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// The relation's own annotation in a notice.
    Annotation,
    /// The clause fixes the day.
    Clause,
    /// The day from which the acting act applies.
    Applies,
    /// The acting act's entry into force; no other day is named: presumed.
    EntryIntoForce,
    /// The statement's own publication.
    Publication,
}

/// One act of touching: which parts, from when, on what the dates rest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touch {
    /// How much of the target.
    pub extent: Extent,
    /// The parts touched.
    pub parts: Vec<Part>,
    /// The parts (or cases) saved.
    pub saved: Vec<Saving>,
    /// First day of the effect.
    pub start: Option<Day>,
    /// On what it rests.
    pub basis: Option<Basis>,
    /// The event it hangs on, in the provision's words; the start then counts as unknown.
    pub conditional: Option<String>,
    /// Why the date is unconfirmed, if it is: the acting act was changed before it.
    pub unconfirmed: Option<String>,
    /// Last day of the effect, or a prolongation's new last day.
    pub until: Option<Day>,
    /// The words of a widening.
    pub words: Option<String>,
    /// Languages concerned; empty: not recorded.
    pub languages: Vec<Language>,
    /// Which of the edge's evidence it was read from.
    pub evidence: usize,
}

/// What supports an edge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Evidence {
    /// A notice's link.
    Notice {
        /// Where it stands.
        locus: Locus,
    },
    /// A table row.
    Register {
        /// Where it stands.
        locus: Locus,
    },
    /// A clause of the acting act.
    Text {
        /// Its words and bytes.
        quote: Quote,
    },
    /// A derivation from other edges: the bridge of an implicit repeal.
    Bridge {
        /// The act that links the two.
        via: Celex,
        /// The acting act's clause.
        clause: Quote,
        /// The title, article or annex by which the target had changed the linking act.
        change: Quote,
    },
}

impl Evidence {
    /// Its kind in a word: `notice`, `register`, `text` or `bridge`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Notice { .. } => "notice",
            Self::Register { .. } => "register",
            Self::Text { .. } => "text",
            Self::Bridge { .. } => "bridge",
        }
    }
}

/// An edge: one per acting act, relation and target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatedRelation {
    /// The acting act.
    pub source: Celex,
    /// The relation.
    pub relation: RelationType,
    /// The act acted upon.
    pub target: Celex,
    /// Touched parts, each with dates.
    pub touches: Vec<Touch>,
    /// All that supports it.
    pub evidence: Vec<Evidence>,
    /// All that contradicts it, in plain sentences with the quotations they rest on.
    pub contradictions: Vec<Contradiction>,
}

/// Two statements that cannot both hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contradiction {
    /// What disagrees with what.
    pub says: String,
    /// The statement on the other side, if it stands in a text.
    pub quote: Option<Quote>,
}
