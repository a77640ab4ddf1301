//! The vocabulary of law: identifiers, acts and their units, clauses, relations, dates.
//!
//! Values only. Nothing here fetches, stores, prints or knows the time.

mod act;
mod answer;
mod celex;
mod cite;
mod clause;
mod day;
mod digest;
mod eli;
mod endpoint;
mod language;
mod name;
mod part;
mod registry;
mod relation;

pub use act::{Act, Flavour, Unit, UnitKind};
pub use answer::Answer;
pub use celex::{Celex, CelexClass, CelexError, CelexParts};
pub use cite::{Citation, Noun, PartList, RangeFault, Reason, bound_lists, cite, part_lists, references};
pub use clause::{ActingDates, Clause, Edit, Extent, Offset, Place, Saving, Term, TermKind, When};
pub use day::{Day, DayError};
pub use digest::{Digest, DigestError, Quote, Span};
pub use eli::{Eli, EliError, EliText};
pub use endpoint::Endpoint;
pub use language::{Language, LanguageError};
pub use name::ActName;
pub use part::{Division, Part, PartError};
pub use registry::{
    ClausePattern, ClausePlace, Form, FormOption, PublishedName, Registry, RegistryError, RelationSpec, RelationType,
};
pub use relation::{
    ActRecord, Basis, ConsolidatedState, Contradiction, DatedRelation, Effect, EffectDate, Evidence, Locus,
    RegisterKind, RegisterRow, Touch,
};
