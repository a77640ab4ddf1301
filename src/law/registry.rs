//! The relation registry: what relation types exist and what they do, as data.
//!
//! Read from the text of `rubrics/relations.toml` (handed in; nothing here opens a file). A relation
//! type, its effect, the words by which acts express it and the forms of its questions are all there,
//! so that a new relation is an edit of a file.

use super::{Effect, Extent, Pattern};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
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
        Self::checked(&name).ok_or_else(|| serde::de::Error::custom(format!("`{name}` is no relation name")))
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
    /// What a widening or narrowing concerns: `persons`, `territory`, `things`, `time`.
    #[serde(default)]
    pub dimension: Option<String>,
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

/// A form by which the built-in author writes an item: text with `{slots}`, and the claims it makes.
/// It carries no condition: it applies where its slots exist and its claims come out as it says
/// (the key and the stem proved, three distractors refuted, on its day).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// The relation it asks about.
    pub relation: RelationType,
    /// Its own name, unique per relation.
    pub name: String,
    /// The day it is set on: the name of a day slot (`start`, `start.before`, …).
    pub day: String,
    /// The stem.
    pub stem: String,
    /// What the stem asserts.
    #[serde(default)]
    pub stem_claims: Vec<BTreeMap<String, String>>,
    /// The option that holds.
    pub key: FormOption,
    /// Options that do not hold; the first three that apply and differ are used.
    pub distractors: Vec<FormOption>,
}

/// An option of a [`Form`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormOption {
    /// Its text, with slots.
    pub text: String,
    /// Its claims, joined by *and*: the fields of [`crate::dataset::Claim`], slots allowed in the values.
    pub claims: Vec<BTreeMap<String, String>>,
}

/// All relation types and forms.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Registry {
    relations: Vec<RelationSpec>,
    forms: Vec<Form>,
}

/// What is wrong with a registry file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}{}: {message}", line.map(|l| format!(":{l}")).unwrap_or_default())]
pub struct RegistryError {
    /// The file's name as handed in.
    pub file: String,
    /// The line, from 1, where it is known.
    pub line: Option<usize>,
    /// What is wrong and what to write.
    pub message: String,
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
    /// text replaces the earlier one; a form with the same relation and name likewise.
    ///
    /// # Errors
    /// [`RegistryError`] naming file and line: text that is no TOML, unknown keys or effects, a name,
    /// predicate or inverse that two relations claim, a form for a relation that is not there.
    pub fn parse<'a>(texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, RegistryError> {
        let mut registry = Self::default();
        for (file, text) in texts {
            let read: RegistryFile = toml::from_str(text).map_err(|e| RegistryError {
                file: file.to_string(),
                line: e.span().map(|s| text[..s.start.min(text.len())].matches('\n').count() + 1),
                message: e.message().to_string(),
            })?;
            let mut own = BTreeSet::new();
            if let Some(twice) = read.relation.iter().map(|spec| &spec.name).find(|name| !own.insert(*name)) {
                let defines = |(_, l): &(usize, &str)| l.contains("name") && l.contains(&format!("\"{twice}\""));
                return Err(RegistryError {
                    file: file.to_string(),
                    line: text.lines().enumerate().filter(defines).nth(1).map(|(i, _)| i + 1),
                    message: format!("`{twice}` is defined twice in this file"),
                });
            }
            for spec in read.relation {
                registry.relations.retain(|r| r.name != spec.name);
                registry.relations.push(spec);
            }
            for form in read.form {
                registry.forms.retain(|f| !(f.relation == form.relation && f.name == form.name));
                registry.forms.push(form);
            }
            registry.check().map_err(|(needle, message)| RegistryError {
                file: file.to_string(),
                line: text.lines().position(|l| l.contains(&format!("\"{needle}\""))).map(|i| i + 1),
                message,
            })?;
        }
        Ok(registry)
    }

    /// Names that collide, forms without their relation: the word to look for, and the message.
    fn check(&self) -> Result<(), (String, String)> {
        let mut seen: BTreeMap<&str, &RelationType> = BTreeMap::new();
        for spec in &self.relations {
            let published = spec.published.iter().map(|p| p.name.as_str()).filter(|n| *n != spec.name.as_str());
            let names = std::iter::once(spec.name.as_str()).chain(spec.inverse_names.iter().map(String::as_str));
            let predicates = spec.predicates.iter().chain(&spec.inverses).map(String::as_str);
            for name in names.chain(published).chain(predicates) {
                if let Some(other) = seen.insert(name, &spec.name)
                    && (other != &spec.name || spec.predicates.iter().any(|p| spec.inverses.contains(p)))
                {
                    return Err((
                        name.to_string(),
                        format!("`{name}` belongs to `{other}` already and cannot also name `{}`", spec.name),
                    ));
                }
            }
        }
        match self.forms.iter().find(|f| self.spec(&f.relation).is_none()) {
            Some(form) => Err((
                form.relation.to_string(),
                format!("the form `{}` is for `{}`, which no [[relation]] defines", form.name, form.relation),
            )),
            None => Ok(()),
        }
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
mod tests {
    use super::*;

    #[test]
    fn a_relation_is_defined_once_in_a_file_and_may_be_again_in_a_later_one() {
        let text =
            |label: &str| format!("[[relation]]\nname = \"hinders\"\nlabel = \"{label}\"\neffect = \"pauses\"\n");
        let (once, again) = (text("hinders"), text("slows"));
        let registry = Registry::parse([("a.toml", once.as_str()), ("b.toml", again.as_str())]).expect("a registry");
        assert_eq!(registry.relations()[0].label, "slows");
        let error = Registry::parse([("a.toml", format!("{once}{again}").as_str())]).expect_err("twice");
        assert_eq!(error.to_string(), "a.toml:6: `hinders` is defined twice in this file");
    }
}
