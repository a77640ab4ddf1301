//! The vocabulary of law: identifiers, acts and their units, clauses, relations, dates.
//!
//! Values only. Nothing here fetches, stores, prints or knows the time.

mod act;
mod answer;
mod celex;
mod choose;
mod cite;
mod clause;
mod correction;
mod dated_rows;
mod day;
mod digest;
mod document_date;
mod eli;
mod endpoint;
mod journal;
mod language;
mod lexical;
mod name;
mod origin;
mod outline;
mod part;
mod pattern;
mod published;
mod recorded;
mod registry;
mod relation;
mod title;
mod versions;
mod written;

pub use act::{Act, Flavour, Unit, UnitKind, join_words};
pub use answer::Answer;
pub use celex::{Celex, CelexClass, CelexError, CelexParts};
pub use choose::choose;
pub use cite::{
    Addressed, Citation, Languages, LanguagesError, Noun, PartList, RangeFault, Reason, Wording, addressed,
    bound_lists, cite, part_lists, references,
};
pub use clause::{ActingDates, Clause, Edit, Extent, NewDay, Offset, Place, Saving, Term, TermKind, When};
pub use correction::{Corrected, NotApplied, Outcome, corrected};
pub use dated_rows::{OfYear, days_by_work, distinct, entry_into_force, of_year};
pub(crate) use day::MONTHS;
pub use day::{Day, DayError};
pub use digest::{Digest, DigestError, Quote, Span};
pub use document_date::{DateSource, DocumentDate, year_fits};
pub use eli::{Eli, EliError, EliText};
pub use endpoint::{Endpoint, EndpointError};
pub use journal::{JournalError, JournalReference};
pub use language::{Language, LanguageError};
pub use lexical::{local_name, percent_encoded, xsd_boolean, xsd_day};
pub use name::ActName;
pub use origin::{Mark, MarkError, Marked, Origin, marks, strip_marks};
pub use outline::Outline;
pub use part::{Division, Part, PartError};
pub use pattern::{Pattern, PatternError};
pub use published::{PublishedId, PublishedIdError};
pub use recorded::{EndKind, Period, RecordedEnd, sort_ends};
pub use registry::{
    ClaimFault, ClausePattern, ClausePlace, Examined, Form, FormOption, Measure, Ontology, PublishedName, Registry,
    RegistryError, RelationSpec, RelationType, SLOTS, Slot, SlotKind,
};
pub use relation::{
    ActRecord, Basis, ConsolidatedState, Contradiction, DatedRelation, Dimension, Effect, EffectDate, Evidence, Locus,
    RegisterKind, RegisterRow, Touch,
};
pub use title::{TitleShown, title_in};
pub use versions::{
    belonging, concerns, is_superseded, newest_served, not_consolidated, state_around, text_with, version_on,
};
pub use written::written_days;
