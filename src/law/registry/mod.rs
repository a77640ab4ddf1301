//! The relation registry: what relation types exist and what they do, as data.
//!
//! Read from the text of `rubrics/relations.toml` (handed in; nothing here opens a file). A relation
//! type, its effect, the words by which acts express it and the forms of its questions are all there,
//! so that a new relation is an edit of a file.

mod check;
mod error;
mod form;
mod ontology;

pub use error::RegistryError;
pub use form::{Form, FormOption, SLOTS, Slot, SlotKind};
pub use ontology::Ontology;

use super::{Dimension, Effect, Extent, Pattern};
use error::Places;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The name of a relation type. Made by [`Registry::relation`], or read back from a file we wrote;
/// [`Registry::spec`] refuses one that the loaded registry does not have.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelationType(Arc<str>);

impl RelationType {
    /// The name, in the forward direction.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn checked(name: &str) -> Option<Self> {
        let fine = !name.is_empty()
            && name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        fine.then(|| Self(name.into()))
    }
}

impl fmt::Display for RelationType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for RelationType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for RelationType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::checked(&name).ok_or_else(|| {
            serde::de::Error::custom(format!(
                "`{name}` is no relation name; write lower-case letters, digits and `_`, a letter first"
            ))
        })
    }
}

/// The name a relation has in the published dataset, and which way round its rows stand there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedName {
    /// The name, used in `id` and in quotas.
    pub name: String,
    /// Whether the published source is the act acted upon.
    #[serde(default)]
    pub inverted: bool,
}

/// A pattern by which an act expresses a relation. See the head of `rubrics/relations.toml` for the slots.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClausePattern {
    /// `title` or `operative`.
    pub place: ClausePlace,
    /// A regular expression over the provision, in which citations, parts and days stand as slots.
    pub pattern: Pattern,
}

/// Where a clause pattern may match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClausePlace {
    /// In the act's title.
    Title,
    /// In its operative part.
    Operative,
}

/// A relation type as the registry defines it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelationSpec {
    /// Its name, in the forward direction: from the acting act to the one acted upon.
    pub name: RelationType,
    /// For people.
    pub label: String,
    /// One of the benchmark's relations (with forms), or context only.
    #[serde(default)]
    pub context: bool,
    /// CDM predicates (local names), forward.
    #[serde(default)]
    pub predicates: Vec<String>,
    /// CDM predicates (local names), inverse: folded into the forward edge.
    #[serde(default)]
    pub inverses: Vec<String>,
    /// Inverse names used by tables and people (`repealed_by`).
    #[serde(default)]
    pub inverse_names: Vec<String>,
    /// The property of the ELI ontology that says the same, if there is one (local name).
    #[serde(default)]
    pub eli: Option<String>,
    /// What it does.
    pub effect: Effect,
    /// The extent that a register row means where nothing says more.
    #[serde(default = "unknown_extent")]
    pub default_extent: Extent,
    /// Whether the effect reaches back to the beginning of the target (corrections).
    #[serde(default)]
    pub from_beginning: bool,
    /// What a widening or narrowing concerns, where all of the relation's concern the same.
    #[serde(default)]
    pub dimension: Option<Dimension>,
    /// Published name and direction, where it differs.
    #[serde(default)]
    pub published: Option<PublishedName>,
    /// How acts express it.
    #[serde(default)]
    pub clauses: Vec<ClausePattern>,
    /// Added to the generator's prompt for this relation.
    #[serde(default)]
    pub prompt: String,
    /// Share of the dataset, in items; the manifest may say otherwise.
    #[serde(default)]
    pub quota: Option<u32>,
}

fn unknown_extent() -> Extent {
    Extent::Unknown
}

/// All relation types and forms.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Registry {
    relations: Vec<RelationSpec>,
    forms: Vec<Form>,
}

/// What the claims of a form are held to: why these fields make none, if they do not.
pub type ClaimFault<'a> = &'a dyn Fn(&BTreeMap<String, String>) -> Option<String>;

/// What a registry is held to beyond itself.
#[derive(Clone, Copy, Default)]
pub struct Measure<'a> {
    /// The predicates there are.
    pub ontology: Option<&'a Ontology>,
    /// The claims there are.
    pub claims: Option<ClaimFault<'a>>,
}

/// Registry texts, read and looked at.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Examined {
    /// What could be read.
    pub registry: Registry,
    /// What makes it unusable, in the order of the files.
    pub errors: Vec<RegistryError>,
    /// Predicates that the ontology does not have, each with the error that it is unless the source at hand
    /// carries them all the same.
    pub strangers: Vec<(String, RegistryError)>,
    /// What is worth a look and stops nothing.
    pub warnings: Vec<RegistryError>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RegistryFile {
    #[serde(default)]
    relation: Vec<RelationSpec>,
    #[serde(default)]
    form: Vec<Form>,
}

impl RelationSpec {
    /// Whether a clause of this relation has a first day of its own. A correction reaches back to the
    /// beginning of its target, and a statement that an act is spent dates nothing but itself.
    pub fn has_start(&self) -> bool {
        !self.from_beginning && self.effect != Effect::DeclaresSpent
    }
}

impl Registry {
    /// Reads one or more registry texts (name for messages, text). A relation defined again in a later
    /// text replaces the earlier one, whole (a context relation can so become one that is asked about); a form
    /// with the same relation and name likewise.
    ///
    /// # Errors
    /// The first [`RegistryError`]: text that is no TOML, unknown keys or effects, names that collide, an effect
    /// that contradicts its parameters, a missing inverse, a form whose relation or slots do not exist.
    pub fn parse<'a>(texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, RegistryError> {
        let Examined { registry, errors, .. } = Self::examine(texts, &Measure::default());
        errors.into_iter().next().map_or(Ok(registry), Err)
    }

    /// The same, with everything that is wrong or worth a look, and held to what else is known.
    pub fn examine<'a>(texts: impl IntoIterator<Item = (&'a str, &'a str)>, measure: &Measure<'_>) -> Examined {
        let mut examined = Examined::default();
        for (file, text) in texts {
            match toml::from_str::<RegistryFile>(text) {
                Ok(read) => check::file(&mut examined, &Places::of(file, text), read, measure),
                Err(e) => examined.errors.push(RegistryError::unreadable(file, text, &e)),
            }
        }
        examined
    }

    /// The relation type with this forward name.
    pub fn relation(&self, name: &str) -> Option<RelationType> {
        self.relations.iter().find(|r| r.name.as_str() == name).map(|r| r.name.clone())
    }

    /// The definition of a relation type.
    pub fn spec(&self, relation: &RelationType) -> Option<&RelationSpec> {
        self.relations.iter().find(|r| &r.name == relation)
    }

    /// What a relation type does; [`Effect::None`] for one the registry does not have.
    pub fn effect(&self, relation: &RelationType) -> Effect {
        self.spec(relation).map_or(Effect::None, |s| s.effect)
    }

    /// A relation by any name people or tables use (forward, inverse or published), and whether the
    /// statement's ends stand the other way round.
    pub fn by_any_name(&self, name: &str) -> Option<(RelationType, bool)> {
        self.relations.iter().find_map(|r| {
            if r.name.as_str() == name {
                return Some((r.name.clone(), false));
            }
            if r.inverse_names.iter().any(|n| n == name) {
                return Some((r.name.clone(), true));
            }
            r.published.as_ref().filter(|p| p.name == name).map(|p| (r.name.clone(), p.inverted))
        })
    }

    /// A relation by a CDM predicate (local name, any case), and whether it is the inverse.
    pub fn by_predicate(&self, predicate: &str) -> Option<(RelationType, bool)> {
        let is = |p: &String| p.eq_ignore_ascii_case(predicate);
        self.relations.iter().find_map(|r| {
            if r.predicates.iter().any(is) {
                Some((r.name.clone(), false))
            } else {
                r.inverses.iter().any(is).then(|| (r.name.clone(), true))
            }
        })
    }

    /// The name under which the published dataset has it, and whether its rows stand the other way round.
    pub fn published<'a>(&'a self, relation: &'a RelationType) -> (&'a str, bool) {
        match self.spec(relation).and_then(|s| s.published.as_ref()) {
            Some(p) => (&p.name, p.inverted),
            None => (relation.as_str(), false),
        }
    }

    /// All relation types, in the order of the files.
    pub fn relations(&self) -> &[RelationSpec] {
        &self.relations
    }

    /// The relation types that questions are asked about.
    pub fn asked(&self) -> impl Iterator<Item = &RelationSpec> {
        self.relations.iter().filter(|r| !r.context)
    }

    /// The forms for a relation, in the order of the files.
    pub fn forms(&self, relation: &RelationType) -> impl Iterator<Item = &Form> {
        let relation = relation.clone();
        self.forms.iter().filter(move |f| f.relation == relation)
    }
}

#[cfg(test)]
mod tests;
