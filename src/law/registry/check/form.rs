//! What makes a form unusable.

use super::super::error::Step;
use super::super::ontology::nearest;
use super::super::{Form, FormOption, SLOTS, Slot, SlotKind};
use super::Check;
use crate::law::Effect;
use std::collections::BTreeMap;

impl Check<'_, '_> {
    pub(super) fn form(&mut self, i: usize, form: &Form) {
        let Some(effect) = self.effect(form) else {
            let path = [Step::Key("form"), i.into(), "relation".into()];
            let message = format!("the form `{}` is for `{}`, which no [[relation]] defines", form.name, form.relation);
            let known = self.examined.registry.relations.iter().map(|r| r.name.as_str());
            let near =
                nearest(form.relation.as_str(), known).map(|near| format!("relation = \"{near}\", if that is meant"));
            let error = self.places.error(&path, message).because("", near.unwrap_or_default());
            return self.fault(error);
        };
        self.day(i, form, effect);
        self.text(i, &["stem".into()], &form.stem, form, effect);
        if !form.stem.contains("{day}") && !form.stem.contains(&format!("{{{}}}", form.day)) {
            let path = [Step::Key("form"), i.into(), "stem".into()];
            let error = self.places.error(&path, format!("the stem of `{}` does not name its day", form.name));
            self.fault(error.because("an item is true on a day, and says which", "{day}"));
        }
        self.claims(i, &["stem_claims".into()], &form.stem_claims, form, effect);
        self.option(i, &["key".into()], &form.key, form, effect);
        for (n, distractor) in form.distractors.iter().enumerate() {
            self.option(i, &["distractors".into(), n.into()], distractor, form, effect);
        }
        if form.distractors.len() < 3 {
            let path = [Step::Key("form"), i.into(), "distractors".into()];
            let error = self.places.error(&path, format!("`{}` has {} distractors", form.name, form.distractors.len()));
            self.fault(error.because("an item has three", "three or more"));
        }
    }

    fn effect(&self, form: &Form) -> Option<Effect> {
        self.examined.registry.spec(&form.relation).map(|spec| spec.effect)
    }

    fn day(&mut self, i: usize, form: &Form, effect: Effect) {
        let path = [Step::Key("form"), i.into(), "day".into()];
        match Slot::named(&form.day) {
            Some(slot) if slot.kind == SlotKind::Day && form.day != "day" => {
                self.slot(&path, &form.day, &form.day, form, effect);
            }
            Some(_) => {
                let error = self.places.error(&path, format!("`{}` is no day that an item can be set on", form.day));
                self.fault(error.because("", "a day slot: `start`, `start.before`, `source.in_force`, …"));
            }
            None => self.slot(&path, &form.day, &form.day, form, effect),
        }
    }

    fn option(&mut self, i: usize, path: &[Step<'_>], option: &FormOption, form: &Form, effect: Effect) {
        let text: Vec<Step<'_>> = path.iter().copied().chain(["text".into()]).collect();
        self.text(i, &text, &option.text, form, effect);
        if option.claims.is_empty() {
            let whole: Vec<Step<'_>> = [Step::Key("form"), i.into()].into_iter().chain(text).collect();
            let error = self.places.error(&whole, format!("an option of `{}` has no claim", form.name));
            self.fault(
                error.because(
                    "what says nothing that code can decide is no option",
                    "claims = [{ form = \"status\", … }]",
                ),
            );
        }
        let claims: Vec<Step<'_>> = path.iter().copied().chain(["claims".into()]).collect();
        self.claims(i, &claims, &option.claims, form, effect);
    }

    fn claims(
        &mut self,
        i: usize,
        path: &[Step<'_>],
        claims: &[BTreeMap<String, String>],
        form: &Form,
        effect: Effect,
    ) {
        for (n, claim) in claims.iter().enumerate() {
            for (field, value) in claim {
                let steps = [n.into(), Step::Key(field)];
                let deep: Vec<Step<'_>> = path.iter().copied().chain(steps).collect();
                self.text(i, &deep, value, form, effect);
            }
            if let Some(why) = self.measure.claims.and_then(|fault| fault(claim)) {
                let here = [Step::Key("form"), i.into()].into_iter().chain(path.iter().copied()).chain([n.into()]);
                let path: Vec<Step<'_>> = here.chain(["form".into()]).collect();
                let error = self.places.error(&path, format!("this is no claim: {why}"));
                self.fault(error.because("", "one of the forms of a claim: rubrics/prompts/claims.md lists them"));
            }
        }
    }

    /// The slots of a text with slots.
    fn text(&mut self, i: usize, path: &[Step<'_>], text: &str, form: &Form, effect: Effect) {
        let path: Vec<Step<'_>> = [Step::Key("form"), i.into()].into_iter().chain(path.iter().copied()).collect();
        let mut rest = text;
        while let Some((_, after)) = rest.split_once('{') {
            let Some((name, tail)) = after.split_once('}') else {
                let error = self.places.error_in(&path, &format!("{{{after}"), "a brace that is not closed");
                return self.fault(error.because("braces hold slots", "{slot}"));
            };
            self.slot(&path, name, &format!("{{{name}}}"), form, effect);
            rest = tail;
        }
    }

    /// A slot that does not exist, or that no pair of such a relation has.
    fn slot(&mut self, path: &[Step<'_>], name: &str, written: &str, form: &Form, effect: Effect) {
        match Slot::named(name) {
            Some(slot) if slot.fits(effect) => {}
            Some(slot) => {
                let having: Vec<String> = slot.effects.into_iter().flatten().map(ToString::to_string).collect();
                let message = format!("`{written}` does not exist for `{}`, which {effect}", form.relation);
                let error = self.places.error_in(path, written, message);
                self.fault(error.because(format!("pairs have it where the relation {}", having.join(", ")), ""));
            }
            None => {
                let error = self.places.error_in(path, written, format!("`{written}` is no slot"));
                let known = SLOTS.iter().copied().flatten().map(|slot| slot.name);
                let near = nearest(name, known).map(|near| written.replace(name, near));
                let all = "the head of the forms in rubrics/relations.toml lists them";
                self.fault(error.because(all, near.unwrap_or_default()));
            }
        }
    }
}
