//! An item: a stem, four options with their claims, five passages, and what each stands on.

use super::{Claim, Proof};
use crate::law::{Celex, Day, Digest, Endpoint, Quote, RelationType, Span};
use serde::{Deserialize, Serialize};

/// The pair of acts an item asks about, in the forward direction.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Pair {
    /// The acting act.
    pub source: Endpoint,
    /// The relation.
    pub relation: RelationType,
    /// The act acted upon.
    pub target: Endpoint,
}

/// Which of the two documents a passage comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The acting act.
    Source,
    /// The act acted upon.
    Target,
}

/// A context passage: one contiguous piece of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// Which document.
    pub side: Side,
    /// The act.
    pub celex: Celex,
    /// The document's bytes.
    pub document: Digest,
    /// Where in them.
    pub span: Span,
    /// The words; an empty passage only when both documents are used up.
    pub text: String,
    /// The act was changed by the item's day; the words are those first published.
    #[serde(default)]
    pub as_published: bool,
}

/// An option with what it claims and what bears on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The words.
    pub text: String,
    /// Claims, joined by *and*.
    pub claims: Vec<Claim>,
    /// Words that prove the key, or refute the distractor; each lies inside a passage.
    pub support: Vec<Quote>,
}

/// Who wrote an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "author", rename_all = "kebab-case")]
pub enum Authorship {
    /// The built-in author, by a form of the registry.
    BuiltIn {
        /// The form's name.
        form: String,
    },
    /// A model.
    Model {
        /// `provider:model`.
        model: String,
        /// Key of the journaled call whose reply it is.
        call: Digest,
    },
}

/// What a judge said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    /// `provider:model`, or `built-in`.
    pub judge: String,
    /// Level 1-5 per criterion, in the rubric's order, with the judge's reason.
    pub levels: Vec<(String, u8, String)>,
    /// Weighted sum of levels; 0 after a hard rule.
    pub total: u32,
    /// The greatest total possible.
    pub out_of: u32,
    /// Whether the judge answered the item blind and agreed with the key (asked where a claim is undecided).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agrees: Option<bool>,
    /// The options that it chose when it answered blind, unshuffled: the key is 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chose: Option<Vec<u8>>,
    /// Key of the journaled call, if a model judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<Digest>,
}

/// A draft as an author hands it over: options unshuffled, the key first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// The pair.
    pub pair: Pair,
    /// The day it is set on.
    pub day: Day,
    /// What was known by when: the newest fetch, unless the manifest says otherwise.
    pub known_on: Day,
    /// The question.
    pub stem: String,
    /// What the stem asserts.
    pub stem_claims: Vec<Claim>,
    /// Four options; the first is the key.
    pub options: Vec<Choice>,
    /// Five passages, source before target.
    pub passages: Vec<Passage>,
    /// Who wrote it.
    pub author: Authorship,
}

impl Draft {
    /// The unique name of the item: 16 hex digits over pair, day, stem and options in their unshuffled
    /// order; answer positions do not touch it.
    pub fn item_id(&self) -> ItemId {
        let day = self.day.to_string();
        let pair = format!("{}|{}|{}", self.pair.source, self.pair.relation, self.pair.target);
        let head = [pair.as_bytes(), day.as_bytes(), self.stem.as_bytes()];
        let options = self.options.iter().map(|o| o.text.as_bytes());
        ItemId(Digest::of_fields(head.into_iter().chain(options)).short(16))
    }
}

/// The unique name of an item.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ItemId(String);

impl ItemId {
    /// The 16 hex digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for ItemId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// An item that passed the gates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Its unique name.
    pub item: ItemId,
    /// What was written.
    pub draft: Draft,
    /// `order[i]` is the unshuffled index of the option at position `i`; the key is where it is 0.
    pub order: [u8; 4],
    /// What code said of the key and of each distractor, unshuffled.
    pub proofs: Vec<Proof>,
    /// What a judge said, if one was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judgement: Option<Judgement>,
}

impl Item {
    /// Position (0-3) of the key.
    pub fn correct_index(&self) -> usize {
        self.order.iter().position(|&o| o == 0).unwrap_or(0)
    }

    /// The options in published order.
    pub fn options(&self) -> impl Iterator<Item = &Choice> {
        self.order.iter().filter_map(|&o| self.draft.options.get(usize::from(o)))
    }

    /// Whether every claim was decided by code: the key proved, every distractor refuted.
    pub fn proved_by_code(&self) -> bool {
        self.proofs.first() == Some(&Proof::Proved) && self.proofs.iter().skip(1).all(|p| *p == Proof::Refuted)
    }
}

/// A draft that a gate refused, kept with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The pair.
    pub pair: Pair,
    /// Which gate: `structure`, `generic_reference`, `facts`, `grounding`, `judge`, `duplicate`, `author`, ….
    pub gate: String,
    /// Why, in one sentence that names the words or the fact.
    pub reason: String,
    /// The draft, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft: Option<Draft>,
}
