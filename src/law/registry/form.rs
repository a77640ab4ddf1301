//! Forms of the built-in author, and the slots that they may name.

use super::RelationType;
use crate::law::Effect;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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

/// What a slot holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlotKind {
    /// An act.
    Act,
    /// A day; `.before` and `.after` step from it.
    Day,
    /// A part of an act.
    Part,
    /// Words of an act.
    Words,
}

/// A slot that forms may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// Its name, as in `{start.later}`.
    pub name: &'static str,
    /// What it holds.
    pub kind: SlotKind,
    /// The effects whose pairs can have it; none: all.
    pub effects: Option<&'static [Effect]>,
}

/// Acts and their days, the same for each role.
macro_rules! of_act {
    ($role:literal) => {
        [
            all($role, SlotKind::Act),
            all(concat!($role, ".named"), SlotKind::Act),
            all(concat!($role, ".direct"), SlotKind::Act),
            all(concat!($role, ".made"), SlotKind::Day),
            all(concat!($role, ".published"), SlotKind::Day),
            all(concat!($role, ".in_force"), SlotKind::Day),
            all(concat!($role, ".applies"), SlotKind::Day),
            all(concat!($role, ".last_day"), SlotKind::Day),
            all(concat!($role, ".waiting"), SlotKind::Day),
            all(concat!($role, ".later"), SlotKind::Day),
        ]
    };
}

const PARTED: &[Effect] = &[Effect::Ends, Effect::Voids, Effect::Widens, Effect::Narrows, Effect::Pauses];
const BOUNDED: &[Effect] = &[Effect::Widens, Effect::Narrows, Effect::Pauses];
const WORDED: &[Effect] = &[Effect::Widens, Effect::Narrows];
const MOVED: &[Effect] = &[Effect::Prolongs];
const EDITED: &[Effect] = &[Effect::Rewrites];

/// Every slot there is, in groups; the head of the forms in `rubrics/relations.toml` says what each means.
pub const SLOTS: [&[Slot]; 4] = [
    &of_act!("source"),
    &of_act!("target"),
    &of_act!("via"),
    &[
        all("day", SlotKind::Day),
        all("start", SlotKind::Day),
        all("start.later", SlotKind::Day),
        all("gap", SlotKind::Day),
        all("whole", SlotKind::Act),
        of("part", SlotKind::Part, PARTED),
        of("saved", SlotKind::Part, PARTED),
        of("saved.until", SlotKind::Day, PARTED),
        of("rest", SlotKind::Part, PARTED),
        of("until", SlotKind::Day, BOUNDED),
        of("words", SlotKind::Words, WORDED),
        of("old_end", SlotKind::Day, MOVED),
        of("new_end", SlotKind::Day, MOVED),
        of("unit", SlotKind::Part, EDITED),
        of("old", SlotKind::Words, EDITED),
        of("new", SlotKind::Words, EDITED),
        of("second.unit", SlotKind::Part, EDITED),
        of("second.old", SlotKind::Words, EDITED),
        of("second.new", SlotKind::Words, EDITED),
    ],
];

const fn all(name: &'static str, kind: SlotKind) -> Slot {
    Slot { name, kind, effects: None }
}

const fn of(name: &'static str, kind: SlotKind, effects: &'static [Effect]) -> Slot {
    Slot { name, kind, effects: Some(effects) }
}

impl Slot {
    /// The slot of this name, `.before` and `.after` of a day slot included.
    pub fn named(name: &str) -> Option<&'static Self> {
        let exact = |name: &str| SLOTS.iter().copied().flatten().find(|slot| slot.name == name);
        exact(name).or_else(|| {
            let (of, step) = name.rsplit_once('.')?;
            matches!(step, "before" | "after").then_some(())?;
            Self::named(of).filter(|slot| slot.kind == SlotKind::Day)
        })
    }

    /// Whether pairs of a relation with this effect can have it.
    pub fn fits(&self, effect: Effect) -> bool {
        self.effects.is_none_or(|effects| effects.contains(&effect))
    }
}
