//! What a form can say of a pair: slots, computed from the graph by the effect of the relation.
//!
//! A slot has two faces: as prose names it (`Article 8(3)`, `25 May 2018`) and as a claim does (`8(3)`,
//! `2018-05-25`). The head of the forms in `rubrics/relations.toml` lists them all.

use super::wording::Wording;
use crate::dataset::Pair;
use crate::graph::{Life, RelationGraph};
use crate::law::{self, Act, ActName, Celex, DatedRelation, Day, Digest, Effect, Evidence, Part, Touch};
use std::collections::BTreeMap;

/// One slot's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slot {
    prose: String,
    exact: String,
    day: Option<Day>,
}

impl Slot {
    fn day(day: Day) -> Self {
        Self { prose: day.long(), exact: day.to_string(), day: Some(day) }
    }

    fn part(part: &Part) -> Self {
        Self { prose: part.long(), exact: part.to_string(), day: None }
    }

    fn words(words: &str) -> Self {
        Self { prose: words.to_string(), exact: words.to_string(), day: None }
    }
}

/// The two faces of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Face {
    Prose,
    Claim,
}

/// All slots of a pair in one of its settings (a touched part, an edit).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Slots(BTreeMap<String, Slot>);

impl Slots {
    /// The text with every `{slot}` filled.
    ///
    /// # Errors
    /// The name of the first slot that the pair does not have.
    pub fn fill(&self, text: &str, face: Face) -> Result<String, String> {
        let mut out = String::with_capacity(text.len() * 2);
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, tail) = after.split_once('}').ok_or_else(|| after.to_string())?;
            let slot = self.get(name).ok_or_else(|| name.to_string())?;
            out.push_str(before);
            out.push_str(if face == Face::Prose { &slot.prose } else { &slot.exact });
            rest = tail;
        }
        out.push_str(rest);
        Ok(out)
    }

    /// The day in a day slot.
    pub fn day_in(&self, name: &str) -> Option<Day> {
        self.get(name)?.day
    }

    /// A slot by its name, `.before` and `.after` of a day slot included.
    fn get(&self, name: &str) -> Option<Slot> {
        if let Some(slot) = self.0.get(name) {
            return Some(slot.clone());
        }
        let (of, step) = name.rsplit_once('.')?;
        let day = self.day_in(of)?;
        match step {
            "before" => Some(Slot::day(day.pred())),
            "after" => Some(Slot::day(day.succ())),
            _ => None,
        }
    }

    /// Sets `day`, the day of the item.
    pub fn set_item_day(&mut self, day: Day) {
        self.set_day("day", Some(day));
    }

    fn set(&mut self, name: impl Into<String>, slot: Slot) {
        let name = name.into();
        debug_assert!(law::Slot::named(&name).is_some(), "`{name}` is not among the slots that forms are checked by");
        self.0.insert(name, slot);
    }

    fn set_day(&mut self, name: impl Into<String>, day: Option<Day>) {
        if let Some(day) = day {
            self.set(name, Slot::day(day));
        }
    }
}

/// Where slots come from.
pub(super) struct Facts<'a> {
    pub graph: &'a RelationGraph,
    pub pair: &'a Pair,
    pub edge: &'a DatedRelation,
    pub effect: Effect,
    pub known_on: Day,
    pub seed: u64,
}

impl Facts<'_> {
    /// Every setting of the pair: one per touch of the edge and, within it, per edit or saved part. Never empty.
    pub fn settings(&self) -> Vec<Slots> {
        let mut base = Slots::default();
        self.set_act(&mut base, "source", &self.pair.source.celex);
        self.set_act(&mut base, "target", &self.pair.target.celex);
        for evidence in &self.edge.evidence {
            if let Evidence::Bridge { via, .. } = evidence {
                self.set_act(&mut base, "via", via);
            }
        }
        let mut settings: Vec<Slots> = self.edge.touches.iter().flat_map(|touch| self.touched(&base, touch)).collect();
        if settings.is_empty() {
            if let Some(target) = base.get("target") {
                base.set("whole", target);
            }
            settings.push(base);
        }
        settings
    }

    fn set_act(&self, slots: &mut Slots, role: &str, celex: &Celex) {
        let title = self.graph.act(celex).map(|a| a.title.text.as_str());
        let recorded = || self.graph.record(celex).and_then(|r| r.title.as_deref());
        let name = ActName::read(celex, title.or_else(recorded).unwrap_or_default());
        let face = |prose: String| Slot { prose, exact: celex.to_string(), day: None };
        slots.set(role, face(name.designation.clone()));
        slots.set(format!("{role}.named"), face(name.with_subject()));
        // A directive binds the Member States it is addressed to: it is not said to apply.
        if celex.parts().kind != "L" {
            slots.set(format!("{role}.direct"), face(name.designation.clone()));
        }
        let Some(life) = self.graph.life(celex) else { return };
        let (in_force, applies) = (life.in_force.known(), applies(&life));
        slots.set_day(format!("{role}.made"), life.made);
        slots.set_day(format!("{role}.published"), life.published);
        slots.set_day(format!("{role}.in_force"), in_force);
        slots.set_day(format!("{role}.applies"), applies);
        slots.set_day(format!("{role}.last_day"), life.last_day);
        if let (Some(from), Some(to)) = (in_force, applies) {
            slots.set_day(format!("{role}.waiting"), self.between(role, from, to));
        }
        if let Some(from) = applies.or(in_force) {
            slots.set_day(format!("{role}.later"), self.later(role, from));
        }
    }

    fn touched(&self, base: &Slots, touch: &Touch) -> Vec<Slots> {
        let mut slots = base.clone();
        if let Some(start) = touch.start {
            slots.set_day("start", Some(start));
            slots.set_day("start.later", self.later("start", start));
            if let Some(from) = base.day_in("source.in_force") {
                slots.set_day("gap", self.between("gap", from, start));
            }
        }
        let target = self.graph.act(&self.pair.target.celex);
        match self.effect {
            Effect::Ends | Effect::Voids => self.parted(&slots, touch, target),
            Effect::Prolongs => {
                slots.set_day("old_end", base.day_in("target.last_day"));
                slots.set_day("new_end", touch.until);
                vec![slots]
            }
            Effect::Widens | Effect::Narrows | Effect::Pauses => {
                if let Some(words) = &touch.words {
                    slots.set("words", Slot::words(words));
                }
                slots.set_day("until", touch.until);
                self.parted(&slots, touch, target)
            }
            Effect::Rewrites => self.reworded(&slots, target),
            Effect::DeclaresSpent | Effect::Supplements | Effect::None => vec![slots],
        }
    }

    /// One setting per touched part and per saved part, each with a part that is neither.
    fn parted(&self, slots: &Slots, touch: &Touch, target: Option<&Act>) -> Vec<Slots> {
        let mut out = Vec::new();
        let mut slots = slots.clone();
        // An act that lives on but for some parts is asked about by those parts.
        if let Some(whole) = slots.get("target").filter(|_| touch.parts.is_empty()) {
            slots.set("whole", whole);
        }
        let slots = &slots;
        let saved = touch.saved.iter().filter_map(|s| s.part.as_ref().map(|p| (p, s.until)));
        for (part, until) in saved {
            let mut here = slots.clone();
            here.set("saved", Slot::part(part));
            here.set_day("saved.until", until);
            self.set_rest(&mut here, touch, target);
            out.push(here);
        }
        for part in &touch.parts {
            let mut here = slots.clone();
            here.set("part", Slot::part(part));
            self.set_rest(&mut here, touch, target);
            out.push(here);
        }
        if out.is_empty() {
            out.push(slots.clone());
        }
        out
    }

    /// `rest`: an article of the target that the touch neither names nor saves.
    fn set_rest(&self, slots: &mut Slots, touch: &Touch, target: Option<&Act>) {
        let Some(target) = target else { return };
        let named = || touch.parts.iter().chain(touch.saved.iter().filter_map(|s| s.part.as_ref()));
        let free = |p: &Part| !named().any(|n| n.contains(p) || p.contains(n) || target.holds(n, p));
        let articles = target.articles().filter_map(|u| u.part.as_ref()).filter(|p| free(p));
        if let Some(rest) = articles.min_by_key(|p| self.chance("rest", &p.to_string())) {
            slots.set("rest", Slot::part(rest));
        }
    }

    /// One setting per edit, with a second edit beside it where the acting act makes several.
    fn reworded(&self, slots: &Slots, target: Option<&Act>) -> Vec<Slots> {
        let (Some(source), Some(target)) = (self.graph.act(&self.pair.source.celex), target) else {
            return vec![slots.clone()];
        };
        let wordings = Wording::of(source, target);
        let mut out: Vec<Slots> = wordings
            .iter()
            .enumerate()
            .map(|(i, wording)| {
                let mut here = slots.clone();
                set_wording(&mut here, "", wording);
                if let Some(second) =
                    wordings.iter().cycle().skip(i + 1).take(wordings.len() - 1).find(|w| w.unit != wording.unit)
                {
                    set_wording(&mut here, "second.", second);
                }
                here
            })
            .collect();
        out.sort_by_cached_key(|s| self.chance("edit", &format!("{s:?}")));
        out.push(slots.clone());
        out
    }

    /// A day strictly between two days that lie more than a fortnight apart, the same for the same seed and pair.
    fn between(&self, what: &str, from: Day, to: Day) -> Option<Day> {
        let gap = u32::try_from(from.days_until(to)).ok().filter(|gap| *gap > 14)?;
        Some(from.plus_days(1 + self.number(what) % (gap - 1)))
    }

    /// A day some weeks or months after, if that much is known.
    fn later(&self, what: &str, from: Day) -> Option<Day> {
        Some(from.plus_days(20 + self.number(what) % 160)).filter(|day| *day <= self.known_on)
    }

    fn chance(&self, what: &str, name: &str) -> Digest {
        let pair = format!("{} {} {}", self.pair.source, self.pair.relation, self.pair.target);
        Digest::of_fields([&self.seed.to_be_bytes(), pair.as_bytes(), what.as_bytes(), name.as_bytes()])
    }

    fn number(&self, what: &str) -> u32 {
        let digest = self.chance("day", what);
        let bytes = digest.as_bytes();
        u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
    }
}

fn set_wording(slots: &mut Slots, prefix: &str, wording: &Wording) {
    slots.set(format!("{prefix}unit"), Slot::part(&wording.unit));
    slots.set(format!("{prefix}old"), Slot::words(&wording.old));
    slots.set(format!("{prefix}new"), Slot::words(&wording.new));
}

/// The day from which an act applies, where that is another than the one on which it entered into force.
fn applies(life: &Life) -> Option<Day> {
    life.applies.known().filter(|day| life.application_named && life.in_force.known() != Some(*day))
}
