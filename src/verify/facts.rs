//! Gate 3: every fact that the prose names is one of the two documents or of the graph, the prose names
//! what its claims name, and the claims come out as they must on the item's day.

use super::check::{Check, Verdict};
use super::proof::{Proven, prove_all};
use super::prose::{Mention, Named, days_set, mentions};
use super::wording::{normal, says};
use crate::dataset::{Claim, ClaimForm, Draft, Proof};
use crate::graph::RelationGraph;
use crate::law::{Act, Celex, DatedRelation, Day, Part};
use std::collections::BTreeSet;

/// What a claim that code cannot decide means for a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undecided {
    /// It is refused.
    Refuse,
    /// A judge must answer the item from the two documents, blind to the key, and agree.
    Judge,
}

/// What code says of the stem and of each option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proofs {
    /// The stem; none if it asserts nothing.
    pub stem: Option<Proven>,
    /// The options, unshuffled.
    pub options: Vec<Proven>,
}

impl Proofs {
    /// Proves the stem and every option on the item's day.
    pub fn of(draft: &Draft, graph: &RelationGraph) -> Self {
        let prove = |claims: &[Claim]| prove_all(claims, draft.day, draft.known_on, graph);
        Self {
            stem: (!draft.stem_claims.is_empty()).then(|| prove(&draft.stem_claims)),
            options: draft.options.iter().map(|o| prove(&o.claims)).collect(),
        }
    }

    /// Whether code left anything open.
    pub fn undecided(&self) -> bool {
        self.stem.iter().chain(&self.options).any(|p| p.proof == Proof::Undecided)
    }
}

/// Whether a stem names a day to answer for; without one the answer changes with time. The date by which an act
/// is named is none.
pub fn names_a_day(stem: &str) -> bool {
    !days_set(stem).is_empty()
}

/// The citations in a text that stand for none of the known acts, as written.
pub fn unknown_citations(text: &str, known: impl Fn(&Celex) -> bool) -> Vec<String> {
    let unknown = |m: &Mention| !m.celex.iter().any(&known);
    mentions(text).into_iter().filter(unknown).map(|m| m.words).collect()
}

/// The gate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts {
    pub(super) undecided: Undecided,
}

impl Check for Facts {
    fn name(&self) -> &'static str {
        "facts"
    }

    fn check(&self, draft: &Draft, graph: &RelationGraph) -> Verdict {
        let mut verdict = Verdict::default();
        let stem = Named::read(&draft.stem);
        if !days_set(&draft.stem).contains(&draft.day) {
            verdict.refuse(format!("the stem does not name the day it is set on, {}", draft.day.long()));
        }
        let known = Known::new(draft, graph);
        let mut asserted = Asserted::of(&draft.stem_claims);
        asserted.named_by(&stem, &stem, &draft.stem, "the stem", &mut verdict);
        for option in &draft.options {
            let named = Named::read(&option.text);
            let claimed = Asserted::of(&option.claims);
            let both = format!("{} {}", draft.stem, option.text);
            let place = format!("the option “{}”", option.text);
            claimed.named_by(&named, &stem, &both, &place, &mut verdict);
            claimed.nothing_else(&named, draft.day, &place, &mut verdict);
            known.figures(&named, &claimed, &place, &mut verdict);
            asserted.add(claimed);
        }
        known.all(&stem, &asserted, "the stem", &mut verdict);
        // A prose that says something else than its claims is refused before the claims are weighed.
        if verdict.passes() {
            self.weigh(&Proofs::of(draft, graph), draft, &mut verdict);
        }
        verdict
    }
}

impl Facts {
    fn weigh(self, proofs: &Proofs, draft: &Draft, verdict: &mut Verdict) {
        let mut hold = |place: &str, wanted: Proof, proven: &Proven| {
            if proven.proof == wanted || (proven.proof == Proof::Undecided && self.undecided == Undecided::Judge) {
                return;
            }
            let says = match proven.proof {
                Proof::Proved => "holds",
                Proof::Refuted => "does not hold",
                Proof::Undecided => "is not decided",
            };
            let why = proven.because.first().map_or(String::new(), |r| format!(": {}", r.says));
            verdict.refuse(format!("{place} {says} on {}{why}", draft.day.long()));
        };
        if let Some(stem) = &proofs.stem {
            hold("what the stem asserts", Proof::Proved, stem);
        }
        for (i, (proven, option)) in proofs.options.iter().zip(&draft.options).enumerate() {
            let (place, wanted) = if i == 0 { ("key", Proof::Proved) } else { ("distractor", Proof::Refuted) };
            hold(&format!("the {place} “{}”", option.text), wanted, proven);
        }
    }
}

/// What claims name.
#[derive(Debug, Clone, Default)]
struct Asserted {
    acts: BTreeSet<Celex>,
    parts: BTreeSet<Part>,
    days: BTreeSet<Day>,
    words: Vec<String>,
}

impl Asserted {
    fn of(claims: &[Claim]) -> Self {
        let mut all = Self::default();
        for claim in claims {
            all.claim(&claim.form);
        }
        all
    }

    fn claim(&mut self, form: &ClaimForm) {
        match form {
            ClaimForm::Status { act, part, .. } => self.name(&[act], part.as_ref()),
            ClaimForm::EndedBy { act, part, by } => self.name(&[act, by], part.as_ref()),
            ClaimForm::EndsOn { act, last_day } => {
                self.name(&[act], None);
                self.days.insert(*last_day);
            }
            ClaimForm::AppliesTo { act, part, words } => {
                self.name(&[act], part.as_ref());
                self.words.push(words.clone());
            }
            ClaimForm::SupplementedBy { act, by } => self.name(&[act, by], None),
            ClaimForm::Reads { act, unit, words } | ClaimForm::Quotes { act, unit, words } => {
                self.name(&[act], Some(unit));
                self.words.push(words.clone());
            }
        }
    }

    fn name(&mut self, acts: &[&Celex], part: Option<&Part>) {
        self.acts.extend(acts.iter().map(|a| (*a).clone()));
        self.parts.extend(part.cloned());
    }

    fn add(&mut self, other: Self) {
        self.acts.extend(other.acts);
        self.parts.extend(other.parts);
        self.days.extend(other.days);
        self.words.extend(other.words);
    }

    /// Whether the prose (with the stem before it) names every act, part, day and wording claimed.
    fn named_by(&self, named: &Named, stem: &Named, text: &str, place: &str, verdict: &mut Verdict) {
        for act in self.acts.iter().filter(|a| !named.act(a) && !stem.act(a)) {
            verdict.refuse(format!("{place} claims something of {act} and does not name it"));
        }
        for part in self.parts.iter().filter(|p| !named.parts.contains(p) && !stem.parts.contains(p)) {
            verdict.refuse(format!("{place} claims something of {} and does not name it", part.long()));
        }
        for day in self.days.iter().filter(|d| !named.days.contains(d) && !stem.days.contains(d)) {
            verdict.refuse(format!("{place} claims something of {} and does not name it", day.long()));
        }
        let text = normal(text);
        for words in self.words.iter().filter(|w| !says(&text, &normal(w))) {
            verdict.refuse(format!("{place} claims the words “{words}” and does not say them"));
        }
    }

    /// Whether the prose of an option names nothing that it does not claim.
    fn nothing_else(&self, named: &Named, day: Day, place: &str, verdict: &mut Verdict) {
        let words: Vec<Named> = self.words.iter().map(|w| Named::read(w)).collect();
        let quoted = |is: &dyn Fn(&Named) -> bool| words.iter().any(is);
        for mention in &named.acts {
            let claimed = self.acts.iter().any(|a| mention.may_be(a));
            if !claimed && !quoted(&|w| w.acts.iter().any(|m| m.identity() == mention.identity())) {
                verdict.refuse(format!("{place} names {} and claims nothing of it", mention.words));
            }
        }
        for part in named.parts.iter().filter(|p| !self.parts.contains(p)) {
            if !quoted(&|w| w.parts.contains(part)) {
                verdict.refuse(format!("{place} names {} and claims nothing of it", part.long()));
            }
        }
        for other in named.days.iter().filter(|d| **d != day && !self.days.contains(d)) {
            if !quoted(&|w| w.days.contains(other)) {
                verdict.refuse(format!("{place} names {} and claims nothing of it", other.long()));
            }
        }
    }
}

/// What the two documents and the graph tell of the pair.
struct Known<'g> {
    draft: &'g Draft,
    graph: &'g RelationGraph,
    texts: [Option<&'g Act>; 2],
    edges: Vec<&'g DatedRelation>,
    said: Vec<String>,
}

impl<'g> Known<'g> {
    fn new(draft: &'g Draft, graph: &'g RelationGraph) -> Self {
        let ends = [&draft.pair.source.celex, &draft.pair.target.celex];
        let texts = ends.map(|c| graph.act(c));
        let edges = ends.iter().flat_map(|c| graph.onto(c).chain(graph.by(c))).collect();
        let said = texts.iter().flatten().map(|act| {
            let units = act.units.iter().flat_map(|u| [u.heading.as_deref().unwrap_or_default(), u.text.as_str()]);
            normal(&std::iter::once(act.title.text.as_str()).chain(units).collect::<Vec<_>>().join(" "))
        });
        Self { draft, graph, texts, edges, said: said.collect() }
    }

    fn says(&self, words: &str) -> bool {
        let words = normal(words);
        self.said.iter().any(|text| says(text, &words))
    }

    /// Whether everything the prose names is claimed somewhere, or known.
    fn all(&self, named: &Named, claimed: &Asserted, place: &str, verdict: &mut Verdict) {
        for mention in named.acts.iter().filter(|m| !claimed.acts.iter().any(|a| m.may_be(a)) && !self.act(m)) {
            verdict.refuse(format!("{place} names {}, which neither document nor graph knows", mention.words));
        }
        for part in named.parts.iter().filter(|p| !claimed.parts.contains(p) && !self.part(p)) {
            verdict.refuse(format!("{place} names {}, which neither act has", part.long()));
        }
        let item = self.draft.day;
        for day in named.days.iter().filter(|d| **d != item && !claimed.days.contains(d) && !self.day(**d)) {
            verdict.refuse(format!("{place} names {}, which neither document nor graph knows", day.long()));
        }
        self.figures(named, claimed, place, verdict);
    }

    fn figures(&self, named: &Named, claimed: &Asserted, place: &str, verdict: &mut Verdict) {
        let in_claim = |f: &str| claimed.words.iter().any(|w| says(&normal(w), &normal(f)));
        for figure in named.figures.iter().filter(|f| !in_claim(f) && !self.says(f)) {
            verdict.refuse(format!("{place} names the figure {figure}, which neither document has"));
        }
    }

    fn act(&self, mention: &Mention) -> bool {
        let ends = [&self.draft.pair.source.celex, &self.draft.pair.target.celex];
        let edges = self.edges.iter().flat_map(|e| [&e.source, &e.target]);
        ends.into_iter().chain(edges).any(|c| mention.may_be(c)) || self.says(&mention.words)
    }

    fn part(&self, part: &Part) -> bool {
        let touched = self
            .edges
            .iter()
            .flat_map(|e| &e.touches)
            .any(|t| t.parts.contains(part) || t.saved.iter().any(|s| s.part.as_ref() == Some(part)));
        touched || self.texts.iter().flatten().any(|act| act.unit(part).is_some()) || self.says(&part.long())
    }

    fn day(&self, day: Day) -> bool {
        let near = |d: Option<Day>| d.is_some_and(|d| d == day || d.succ() == day || d.pred() == day);
        let mut touches = self.edges.iter().flat_map(|e| &e.touches);
        touches.any(|t| near(t.start) || near(t.until) || t.saved.iter().any(|s| near(s.until)))
            || self.lives(&near)
            || self.says(&day.long())
            || self.says(&format!("{}.{}.{}", day.day_of_month(), day.month(), day.year()))
    }

    fn lives(&self, near: &dyn Fn(Option<Day>) -> bool) -> bool {
        let ends = [&self.draft.pair.source.celex, &self.draft.pair.target.celex];
        ends.into_iter().filter_map(|c| self.graph.life(c)).any(|life| {
            let bounds = [life.in_force, life.applies].into_iter().flat_map(|m| [m.earliest, m.latest]);
            let fixed = [life.made, life.published, life.last_day, life.transposed];
            bounds.chain(fixed).any(near) || life.staged.iter().any(|s| near(s.at.earliest) || near(s.at.latest))
        })
    }
}
