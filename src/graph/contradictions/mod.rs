//! Where the register and the acts' own words disagree, each place with both quotations.
//!
//! A place is listed only where both sides state something: a row, a flag, a record on one side, a
//! clause, a title, a printed day on the other. Absence counts only where it says something: a row that
//! the acting act's text, which is here, nowhere bears out; an edge that a notice of the acting act lacks.
//! What the register was not asked about contradicts nothing.

mod days;
mod extents;
mod flags;
mod ground;
mod links;
mod states;

pub(super) use ground::Ground;

use super::facts::Facts;
use super::relation_graph::RelationGraph;
use crate::law::{Celex, Digest, Locus, Quote, Registry, RelationType};
use serde::Serialize;

/// What kind of disagreement it is. The order is that of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The row records an end of the whole act; by the words only parts end, or parts are saved.
    PartialAsWhole,
    /// The row records the end of a part; by the words the whole act ends.
    WholeAsPartial,
    /// The words save something; the row, which records the end, does not say so.
    SavingNotRecorded,
    /// The register records one relation, the words state another.
    OtherRelation,
    /// The words of the target do to the source what the register says the source does to it.
    WrongDirection,
    /// The words do the same to an act with a number like the recorded one.
    WrongTarget,
    /// The acting act's text, which is here, has no words for the row.
    NotInText,
    /// The words name an act that the notice of the acting act has no row for.
    MissingEdge,
    /// The day from which a relation counts.
    StartDiffers,
    /// The last day of an act.
    EndDiffers,
    /// The entry into force of an act.
    EntryDiffers,
    /// The day from which an act applies.
    ApplicationDiffers,
    /// The date of a document.
    DocumentDateDiffers,
    /// The flag says in force on its day; by the words the act had ended.
    FlaggedInForce,
    /// The flag says not in force on its day; by the words the act ends only later.
    FlaggedNotInForce,
    /// A consolidated state counts from a day before the act was published.
    StateBeforeForce,
    /// A consolidated state counts from a day on which the act had ended.
    StateAfterEnd,
    /// The register alone: an end before the beginning.
    EndBeforeStart,
    /// The register alone: ended, and yet flagged in force on a later day.
    EndedYetInForce,
    /// The register alone: acts that end each other, round in a circle.
    CycleOfEnds,
    /// The register alone: an act acts on another before one of them was made.
    BeforeItExisted,
    /// The register alone: what corrects is no corrigendum.
    CorrectorIsNone,
    /// The register alone: a corrigendum of one act is recorded as correcting another, too.
    CorrectsAnother,
    /// The register alone: an act that acts on itself.
    ActsOnItself,
    /// The register alone: the year in the number does not fit the date of the document.
    YearDiffers,
}

impl Kind {
    /// Its name, as `--kind` takes it and JSON has it.
    pub fn name(self) -> String {
        serde_json::to_value(self).ok().and_then(|v| v.as_str().map(str::to_string)).unwrap_or_default()
    }
}

/// How sure a disagreement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sureness {
    /// Both sides say it in so many words.
    Stated,
    /// One side is read from silence: what a row or a text does not say.
    FromSilence,
}

/// One place where two statements cannot both hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Disagreement {
    /// Twelve hex digits, the same for the same disagreement whatever else is known.
    pub id: String,
    /// What kind it is.
    pub kind: Kind,
    /// The acts, the acting one first.
    pub acts: Vec<Celex>,
    /// The relation recorded, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relation: Option<RelationType>,
    /// What disagrees, as one plain sentence.
    pub says: String,
    /// How sure it is.
    pub sure: Sureness,
    /// The register's statement as written.
    pub register: Quote,
    /// The other side: the act's words, or in a check of the register alone its other statement.
    pub against: Quote,
    /// Further words, where the other side takes two: the change that links the acts of a bridge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub further: Option<Quote>,
}

/// Gives a register's statement as its document has it; none where the bytes are not here.
pub type AsWritten<'a> = dyn Fn(&Locus) -> Option<String> + 'a;

/// Every place where the register and the acts' words disagree. `facts` are the register's statements and the
/// recorded titles from which the graph was built; the texts are the graph's.
pub fn contradictions(
    graph: &RelationGraph,
    facts: &Facts,
    registry: &Registry,
    as_written: &AsWritten<'_>,
) -> Vec<Disagreement> {
    let ground = Ground::new(graph, facts, registry, as_written);
    let families = [extents::read, links::read, days::read, flags::read, states::read];
    sorted(families.into_iter().flat_map(|family| family(&ground)).collect())
}

/// What a register says that cannot hold whatever the acts say: both statements are the register's.
pub fn checks(
    graph: &RelationGraph,
    facts: &Facts,
    registry: &Registry,
    as_written: &AsWritten<'_>,
) -> Vec<Disagreement> {
    sorted(super::checks::read(&Ground::new(graph, facts, registry, as_written)))
}

/// The list in its order, each once.
fn sorted(mut list: Vec<Disagreement>) -> Vec<Disagreement> {
    list.sort_by(|a, b| (a.kind, &a.acts, &a.relation, &a.id).cmp(&(b.kind, &b.acts, &b.relation, &b.id)));
    list.dedup_by(|a, b| a.id == b.id);
    list
}

/// As many as asked for, drawn by the seed: the same list and seed give the same draw.
pub fn drawn(mut list: Vec<Disagreement>, count: usize, seed: &str) -> Vec<Disagreement> {
    list.sort_by_cached_key(|d| Digest::of_fields([seed.as_bytes(), d.id.as_bytes()]));
    list.truncate(count);
    list
}

impl Disagreement {
    /// A disagreement between a statement of the register and another. The sentence is no part of the id.
    pub(super) fn new(
        kind: Kind,
        acts: &[&Celex],
        relation: Option<&RelationType>,
        (register, against): (Quote, Quote),
        says: String,
    ) -> Self {
        let name = kind.name();
        let fields = std::iter::once(name.as_str())
            .chain(acts.iter().map(|a| a.as_str()))
            .chain(relation.map(RelationType::as_str));
        let id = Digest::of_fields(fields.map(str::as_bytes)).short(12);
        let acts = acts.iter().map(|a| (*a).clone()).collect();
        Self {
            id,
            kind,
            acts,
            relation: relation.cloned(),
            says,
            sure: Sureness::Stated,
            register,
            against,
            further: None,
        }
    }

    /// The same, read from what one side does not say.
    pub(super) fn of_silence(self) -> Self {
        Self { sure: Sureness::FromSilence, ..self }
    }
}
