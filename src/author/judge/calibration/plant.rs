//! Planting a defect in a good item, and checking that it is there.

use super::{Defect, DefectWords};
use crate::author::passages::{self, Texts};
use crate::dataset::{Choice, Claim, ClaimForm, Draft, Proof};
use crate::graph::RelationGraph;
use crate::law::{Act, ActName, Celex, Day, Digest, Quote, Span, cite};
use crate::verify::{Proofs, Rules, content, generic_reference, prove};
use std::collections::BTreeSet;

/// Plants defects. Pure: the same item, words and seed give the same defect.
#[derive(Clone, Copy)]
pub struct Planter<'a> {
    /// What is known of the acts.
    pub graph: &'a RelationGraph,
    /// What a generic reference is.
    pub rules: &'a Rules,
    /// The words to plant with.
    pub words: &'a DefectWords,
    /// The seed of every choice.
    pub seed: u64,
}

/// How far, in days, an item's day is moved from a day on which something happens to its acts.
const STEPS: [i64; 7] = [0, -1, 1, -30, 30, -400, 400];
/// How far the wrong days of a trifle lie from the right one.
const AWAY: [u32; 6] = [1, 3, 7, 11, 17, 28];

impl Planter<'_> {
    /// The item with the defect, checked by [`Planter::check`].
    ///
    /// # Errors
    /// A sentence: why this item cannot have this defect.
    pub fn plant(&self, defect: Defect, good: &Draft) -> Result<Draft, String> {
        let bad = match defect {
            Defect::WrongKey => self.wrong_key(good),
            Defect::TwoKeys => self.two_keys(good),
            Defect::UnsupportedKey => self.unsupported_key(good),
            Defect::ShiftedDate => self.shifted_date(good),
            Defect::GenericReference => self.generic_reference(good),
            Defect::ImplausibleDistractor => self.implausible_distractor(good),
            Defect::ProceduralTrivia => self.procedural_trivia(good),
        }?;
        self.check(defect, &bad)?;
        Ok(bad)
    }

    /// Whether code finds the defect in an item.
    ///
    /// # Errors
    /// What is not so.
    pub fn check(&self, defect: Defect, bad: &Draft) -> Result<(), String> {
        let proofs = || -> Vec<Proof> { Proofs::of(bad, self.graph).options.iter().map(|p| p.proof).collect() };
        let holds = match defect {
            Defect::WrongKey => {
                let proofs = proofs();
                proofs.first() == Some(&Proof::Refuted) && proofs.contains(&Proof::Proved)
            }
            Defect::TwoKeys => {
                let proofs = proofs();
                proofs.first() == Some(&Proof::Proved) && proofs.iter().filter(|p| **p == Proof::Proved).count() > 1
            }
            Defect::UnsupportedKey => self.says_nothing(bad),
            Defect::ShiftedDate => proofs().first() == Some(&Proof::Refuted) && bad.stem.contains(&bad.day.long()),
            Defect::GenericReference => generic_reference(&bad.stem, None, self.rules).is_some(),
            Defect::ImplausibleDistractor => {
                bad.options.iter().skip(1).filter(|o| o.claims.is_empty() && self.strange(&o.text, bad)).count() > 1
            }
            Defect::ProceduralTrivia => self.trifle(bad),
        };
        if holds { Ok(()) } else { Err(format!("code does not find `{defect}` in it")) }
    }

    /// The item with one wrong option made longer by words that say nothing, and which option that is. No defect.
    pub fn lengthened(&self, good: &Draft) -> (Draft, u8) {
        let at = self.ordered(good, "long", [1u8, 2, 3], u8::to_string)[0];
        let padding = self.ordered(good, "padding", &self.words.padding, |p| (*p).clone())[0];
        let mut long = good.clone();
        if let Some(option) = long.options.get_mut(usize::from(at)) {
            let stop = if option.text.ends_with('.') { "" } else { "." };
            option.text = format!("{}{stop} {padding}", option.text);
        }
        (long, at)
    }

    fn wrong_key(&self, good: &Draft) -> Result<Draft, String> {
        let proofs = Proofs::of(good, self.graph).options;
        let refuted = (1..good.options.len()).filter(|i| proofs.get(*i).is_some_and(|p| p.proof == Proof::Refuted));
        let at = self.ordered(good, "wrong_key", refuted, usize::to_string);
        let at = *at.first().ok_or("no distractor is refuted")?;
        let mut bad = good.clone();
        bad.options.swap(0, at);
        Ok(bad)
    }

    /// One of the key's claims, said for itself, holds as well.
    fn two_keys(&self, good: &Draft) -> Result<Draft, String> {
        let key = good.options.first().ok_or("it has no key")?;
        let plain = |text: &str| text.trim_end_matches('.').to_lowercase();
        let mut sentences: Vec<(&Claim, String)> = key.claims.iter().map(|c| (c, self.sentence(c))).collect();
        sentences.retain(|(claim, text)| {
            let holds = prove(claim, good.day, good.known_on, self.graph).proof == Proof::Proved;
            holds && good.options.iter().all(|o| plain(&o.text) != plain(text))
        });
        let ordered = self.ordered(good, "two_keys", sentences, |(_, text)| text.clone());
        let (claim, text) = ordered.into_iter().next().ok_or("no claim of the key can be said in other words")?;
        let choice = Choice { text, claims: vec![claim.clone()], support: key.support.clone() };
        let at = self.ordered(good, "second key", 1..good.options.len(), usize::to_string);
        let mut bad = good.clone();
        *at.first().and_then(|at| bad.options.get_mut(*at)).ok_or("it has no distractor")? = choice;
        Ok(bad)
    }

    fn unsupported_key(&self, good: &Draft) -> Result<Draft, String> {
        let text = |celex| self.graph.act(celex).ok_or_else(|| format!("the text of {celex} is not here"));
        let texts = Texts { source: text(&good.pair.source.celex)?, target: text(&good.pair.target.celex)? };
        let bearing = self.bearing(good);
        let passages = passages::filled_up(texts, good.day, self.graph, |act, span| {
            !touches(&bearing, act.document, span) && !names_the_other(&act.words_in(span), act, good)
        })?;
        Ok(Draft { passages, ..good.clone() })
    }

    /// All words of documents that bear on an option.
    fn bearing(&self, draft: &Draft) -> Vec<Quote> {
        let own = draft.options.iter().flat_map(|o| o.support.iter().cloned());
        own.chain(Proofs::of(draft, self.graph).options.into_iter().flat_map(|p| p.support)).collect()
    }

    /// Whether no passage holds words that bear on an option.
    fn says_nothing(&self, bad: &Draft) -> bool {
        let bearing = self.bearing(bad);
        bad.passages.iter().filter(|p| !p.text.is_empty()).all(|p| !touches(&bearing, p.document, &p.span))
    }

    fn shifted_date(&self, good: &Draft) -> Result<Draft, String> {
        let mut days = BTreeSet::new();
        let edge = self.graph.edge(&good.pair.source.celex, &good.pair.relation, &good.pair.target.celex);
        let touches = edge.into_iter().flat_map(|e| &e.touches).flat_map(|t| [t.start, t.until]);
        let lives = [&good.pair.source.celex, &good.pair.target.celex].into_iter().filter_map(|c| self.graph.life(c));
        let lives = lives.flat_map(|l| [l.published, l.in_force.known(), l.applies.known(), l.last_day]);
        for day in touches.chain(lives).chain([Some(good.day)]).flatten() {
            days.extend(STEPS.into_iter().filter_map(|step| moved(day, step)));
        }
        days.retain(|day| *day != good.day && *day <= good.known_on);
        let shifted = |day: Day| {
            let stem = said_instead(&good.stem, &good.day.long(), &day.long())?;
            let bad = Draft { day, stem, ..good.clone() };
            self.check(Defect::ShiftedDate, &bad).ok().map(|()| bad)
        };
        let days = self.ordered(good, "shifted_date", days, Day::to_string);
        days.into_iter().find_map(shifted).ok_or_else(|| "the key holds on every day tried".to_string())
    }

    fn generic_reference(&self, good: &Draft) -> Result<Draft, String> {
        let acts = [&good.pair.source.celex, &good.pair.target.celex];
        let acts = self.ordered(good, "act", acts, ToString::to_string);
        let phrases = self.ordered(good, "generic", &self.words.generic, |p| (*p).clone());
        for act in acts {
            let named: Vec<_> = cite(&good.stem)
                .into_iter()
                .filter(|c| c.celex.iter().chain(&c.candidates).any(|c| c == act))
                .map(|c| c.start..c.end)
                .collect();
            for phrase in phrases.iter().filter(|_| !named.is_empty()) {
                let mut stem = good.stem.clone();
                named.iter().rev().for_each(|range| stem.replace_range(range.clone(), phrase));
                let bad = Draft { stem: capitalised(&stem), ..good.clone() };
                if self.check(Defect::GenericReference, &bad).is_ok() {
                    return Ok(bad);
                }
            }
        }
        Err("the stem names neither act by its number".to_string())
    }

    fn implausible_distractor(&self, good: &Draft) -> Result<Draft, String> {
        let mut absurd = self.ordered(good, "implausible", &self.words.implausible, |w| (*w).clone());
        absurd.retain(|w| self.strange(w, good));
        let [first, second, ..] = absurd.as_slice() else {
            return Err("every absurd option shares a word with the item".to_string());
        };
        let at = self.ordered(good, "absurd", 1..good.options.len(), usize::to_string);
        let mut bad = good.clone();
        for (at, text) in at.into_iter().zip([first, second]) {
            if let Some(option) = bad.options.get_mut(at) {
                *option = Choice { text: (*text).clone(), claims: Vec::new(), support: Vec::new() };
            }
        }
        Ok(bad)
    }

    /// Whether an option shares no word of content with the stem and the key.
    fn strange(&self, option: &str, draft: &Draft) -> bool {
        let key = draft.options.first().map_or("", |o| o.text.as_str());
        let words = content(option, self.rules);
        [draft.stem.as_str(), key].iter().all(|text| content(text, self.rules).is_disjoint(&words))
    }

    fn procedural_trivia(&self, good: &Draft) -> Result<Draft, String> {
        let acts = [&good.pair.source.celex, &good.pair.target.celex];
        let acts = self.ordered(good, "trivia", acts, ToString::to_string);
        let asked = acts.into_iter().find_map(|act| self.trifle_of(act));
        let (stem, day) = asked.ok_or("the graph knows neither act's day of publication or signature")?;
        let away = self.ordered(good, "away", AWAY, u32::to_string);
        let others = away.iter().take(3).map(|n| day.plus_days(*n).long());
        let option = |text: String| Choice { text: format!("{text}."), claims: Vec::new(), support: Vec::new() };
        let options = std::iter::once(day.long()).chain(others).map(option).collect();
        Ok(Draft { stem, stem_claims: Vec::new(), options, ..good.clone() })
    }

    /// A question about a trifle of this act, with its answer.
    fn trifle_of(&self, act: &Celex) -> Option<(String, Day)> {
        let life = self.graph.life(act)?;
        let published = life.published.map(|day| (&self.words.trivia.published, day));
        let (stem, day) = published.or(life.made.map(|day| (&self.words.trivia.made, day)))?;
        Some((stem.replace("{act}", &self.designation(act)), day))
    }

    /// Whether the stem asks for a trifle and the key answers it, and no option says anything of the relation.
    fn trifle(&self, bad: &Draft) -> bool {
        let acts = [&bad.pair.source.celex, &bad.pair.target.celex];
        let asked = acts.into_iter().filter_map(|act| self.trifle_of(act)).find(|(stem, _)| *stem == bad.stem);
        let Some((_, day)) = asked else { return false };
        let says = |i: usize| bad.options.get(i).is_some_and(|o| o.text.contains(&day.long()));
        bad.options.iter().all(|o| o.claims.is_empty()) && says(0) && !(1..4).any(says)
    }

    /// A claim as a sentence that names acts as prose does.
    fn sentence(&self, claim: &Claim) -> String {
        let mut acts: Vec<&Celex> = match &claim.form {
            ClaimForm::EndedBy { act, by, .. } | ClaimForm::SupplementedBy { act, by } => vec![act, by],
            ClaimForm::Status { act, .. }
            | ClaimForm::EndsOn { act, .. }
            | ClaimForm::AppliesTo { act, .. }
            | ClaimForm::Reads { act, .. }
            | ClaimForm::Quotes { act, .. } => vec![act],
        };
        // A corrigendum's number begins with that of its act.
        acts.sort_by_key(|act| std::cmp::Reverse(act.as_str().len()));
        let (said, mut out) = (claim.to_string(), String::new());
        let mut rest = said.as_str();
        while let Some(first) = rest.chars().next() {
            if let Some(act) = acts.iter().find(|act| rest.starts_with(act.as_str())) {
                out.push_str(&self.designation(act));
                rest = &rest[act.as_str().len()..];
            } else {
                out.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
        format!("{}.", capitalised(&out))
    }

    fn designation(&self, act: &Celex) -> String {
        let title = self.graph.act(act).map(|a| a.title.text.as_str());
        let recorded = || self.graph.record(act).and_then(|r| r.title.as_deref());
        ActName::read(act, title.or_else(recorded).unwrap_or_default()).designation
    }

    /// Things in an order that the seed and the item give.
    fn ordered<T>(
        &self,
        item: &Draft,
        what: &str,
        things: impl IntoIterator<Item = T>,
        name: impl Fn(&T) -> String,
    ) -> Vec<T> {
        let id = item.item_id();
        let mut things: Vec<T> = things.into_iter().collect();
        things.sort_by_cached_key(|thing| {
            Digest::of_fields([
                &self.seed.to_be_bytes(),
                id.as_str().as_bytes(),
                what.as_bytes(),
                name(thing).as_bytes(),
            ])
        });
        things
    }
}

/// Whether one of the quotations overlaps the span of a document.
fn touches(quotes: &[Quote], document: Digest, span: &Span) -> bool {
    quotes.iter().any(|q| q.document == document && q.span.start < span.end && span.start < q.span.end)
}

/// Whether words of one act of the pair name the other.
fn names_the_other(words: &str, act: &Act, draft: &Draft) -> bool {
    let pair = [&draft.pair.source.celex, &draft.pair.target.celex];
    let other = |celex: &Celex| *celex != act.celex && pair.contains(&celex);
    cite(words).iter().flat_map(|c| c.celex.iter().chain(&c.candidates)).any(other)
}

fn moved(day: Day, by: i64) -> Option<Day> {
    let far = u32::try_from(by.unsigned_abs()).ok()?;
    if by >= 0 {
        Some(day.plus_days(far))
    } else {
        Day::from_number(day.number().checked_sub(u16::try_from(far).ok()?)?)
    }
}

/// The text with `new` wherever it says `old` as a whole; none where it does not.
fn said_instead(text: &str, old: &str, new: &str) -> Option<String> {
    let figure = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let (mut out, mut rest, mut found) = (String::new(), text, false);
    while let Some((before, after)) = rest.split_once(old) {
        let whole = !figure(before.chars().next_back()) && !figure(after.chars().next());
        found |= whole;
        out.push_str(before);
        out.push_str(if whole { new } else { old });
        rest = after;
    }
    out.push_str(rest);
    found.then_some(out)
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_replaced_whole() {
        assert_eq!(said_instead("On 11 May and 1 May", "1 May", "2 May").as_deref(), Some("On 11 May and 2 May"));
        assert_eq!(said_instead("On 11 May", "1 May", "2 May"), None);
    }

    #[test]
    fn a_day_moves_both_ways() {
        let day = Day::from_ymd(2000, 3, 1).unwrap();
        assert_eq!(moved(day, -1), Day::from_ymd(2000, 2, 29));
        assert_eq!(moved(day, 1), Day::from_ymd(2000, 3, 2));
    }
}
