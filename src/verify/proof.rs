//! Claims against the graph: proved, refuted or undecided, with the facts and words it rests on.

use super::wording::{normal, says, unquoted};
use crate::dataset::{Claim, ClaimForm, Proof, StatusWord};
use crate::graph::{Asked, LastDay, Reason, RelationGraph, TextState};
use crate::law::{Answer, Celex, DatedRelation, Day, Effect, Endpoint, Evidence, Extent, Part, Place, Quote, Touch};

/// What code says of a claim, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proven {
    /// The verdict.
    pub proof: Proof,
    /// The facts it rests on, the decisive ones first.
    pub because: Vec<Reason>,
    /// The words those facts are read from.
    pub support: Vec<Quote>,
}

/// Decides one claim about `day` by what had been published by `known_on`.
///
/// ```
/// use legal_link::dataset::{Claim, Proof};
/// use legal_link::graph::{Given, GivenAct, RelationGraph};
/// use legal_link::law::{Day, Registry};
/// use legal_link::verify::prove;
///
/// let day = Day::from_ymd(1999, 5, 1).unwrap();
/// let act = GivenAct { in_force_from: Some(day), ..GivenAct::named("31999R9001".parse().unwrap()) };
/// let graph = RelationGraph::given(Given { acts: vec![act], ..Given::default() }, &Registry::default());
/// let claim: Claim = serde_json::from_str(r#"{"form":"status","act":"31999R9001","is":"in_force"}"#).unwrap();
/// assert_eq!(prove(&claim, day, day, &graph).proof, Proof::Proved);
/// assert_eq!(prove(&claim, day.pred(), day, &graph).proof, Proof::Refuted);
/// ```
pub fn prove(claim: &Claim, day: Day, known_on: Day, graph: &RelationGraph) -> Proven {
    let court = Court { graph, day, known_on };
    let Ruling { answer, because } = match &claim.form {
        ClaimForm::Status { act, part, is } => court.status(act, part.as_ref(), *is),
        ClaimForm::EndedBy { act, part, by } => court.ended_by(act, part.as_ref(), by),
        ClaimForm::EndsOn { act, last_day } => court.ends_on(act, *last_day),
        ClaimForm::AppliesTo { act, part, words } => court.applies_to(act, part.as_ref(), words),
        ClaimForm::SupplementedBy { act, by } => court.supplemented_by(act, by),
        ClaimForm::Reads { act, unit, words } => court.reads(act, unit, words),
        ClaimForm::Quotes { act, unit, words } => {
            let reads = court.reads(act, unit, words);
            reads.and(court.status(act, Some(unit), StatusWord::InForce))
        }
    };
    let proof = match if claim.denied { !answer } else { answer } {
        Answer::Yes => Proof::Proved,
        Answer::No => Proof::Refuted,
        Answer::Unknown => Proof::Undecided,
    };
    let (because, support) = court.support(&claim.form, because);
    Proven { proof, because, support }
}

/// Decides claims joined by *and*: proved if all are, refuted if one is. No claim decides nothing.
pub fn prove_all(claims: &[Claim], day: Day, known_on: Day, graph: &RelationGraph) -> Proven {
    let each: Vec<Proven> = claims.iter().map(|c| prove(c, day, known_on, graph)).collect();
    let has = |proof| each.iter().any(|p| p.proof == proof);
    let proof = if has(Proof::Refuted) {
        Proof::Refuted
    } else if each.is_empty() || has(Proof::Undecided) {
        Proof::Undecided
    } else {
        Proof::Proved
    };
    // A refutation rests on what refutes, not on the claims that hold beside it.
    let decisive = each.into_iter().filter(|p| p.proof == proof || proof == Proof::Proved);
    let (mut because, mut support) = (Vec::new(), Vec::new());
    for proven in decisive {
        because.extend(proven.because);
        support.extend(proven.support.into_iter().filter(|q| !support.contains(q)).collect::<Vec<_>>());
    }
    Proven { proof, because, support }
}

fn quotes<'a>(because: impl IntoIterator<Item = &'a Reason>) -> Vec<Quote> {
    let mut found: Vec<Quote> = Vec::new();
    for quote in because.into_iter().filter_map(|r| r.quote.as_ref()) {
        if !found.contains(quote) {
            found.push(quote.clone());
        }
    }
    found
}

/// An answer with its reasons.
struct Ruling {
    answer: Answer,
    because: Vec<Reason>,
}

impl Ruling {
    fn new(answer: Answer, says: String, acts: &[&Celex]) -> Self {
        Self { answer, because: vec![Reason { says, quote: None, acts: acts.iter().map(|c| (*c).clone()).collect() }] }
    }

    /// The same with further facts, which change nothing.
    fn beside(mut self, because: Vec<Reason>) -> Self {
        self.because.extend(because);
        self
    }

    fn and(mut self, other: Self) -> Self {
        self.answer = self.answer.and(other.answer);
        self.because.extend(other.because);
        self
    }
}

/// The graph, asked about one day.
struct Court<'g> {
    graph: &'g RelationGraph,
    day: Day,
    known_on: Day,
}

impl Court<'_> {
    /// The facts, ends that have not come by the day last, and the words they are read from: those ends are told and
    /// not quoted, unless nothing else is; where no fact has words, what other acts do to the act is quoted.
    fn support(&self, form: &ClaimForm, because: Vec<Reason>) -> (Vec<Reason>, Vec<Quote>) {
        let (act, part) = match form {
            ClaimForm::EndsOn { .. } => {
                let support = quotes(because.iter().filter(|r| !self.outdated(r)));
                return (because, support);
            }
            ClaimForm::Status { act, part, .. }
            | ClaimForm::EndedBy { act, part, .. }
            | ClaimForm::AppliesTo { act, part, .. } => (act, part.clone()),
            ClaimForm::SupplementedBy { act, .. } => (act, None),
            ClaimForm::Reads { act, unit, .. } | ClaimForm::Quotes { act, unit, .. } => (act, Some(unit.clone())),
        };
        let endings = self.graph.endings(&Endpoint { celex: act.clone(), part }, Some(self.known_on));
        let to_come: Vec<&str> = (endings.iter())
            .filter(|e| e.from.reached(self.day) == Answer::No)
            .map(|e| e.because.says.as_str())
            .collect();
        let (now, later): (Vec<Reason>, Vec<Reason>) =
            because.into_iter().partition(|r| !to_come.contains(&r.says.as_str()));
        let current = quotes(now.iter().filter(|r| !self.outdated(r)));
        let because = [now, later].concat();
        let all = if current.is_empty() { quotes(&because) } else { current };
        if !all.is_empty() {
            return (because, all);
        }
        let effects = [
            Effect::Ends,
            Effect::DeclaresSpent,
            Effect::Prolongs,
            Effect::Supplements,
            Effect::Narrows,
            Effect::Pauses,
            Effect::Voids,
        ];
        let onto = effects.into_iter().flat_map(|effect| self.edges(act, None, effect));
        let told: Vec<Reason> =
            onto.flat_map(|e| e.touches.iter().flat_map(|t| touched(e, t, Answer::No, "").because)).collect();
        (because, quotes(&told))
    }

    /// Whether the words of a fact had been changed by the day: they tell it still, and support nothing.
    fn outdated(&self, reason: &Reason) -> bool {
        let Some(quote) = &reason.quote else { return false };
        let texts = reason.acts.iter().filter_map(|c| self.graph.act(c));
        let Some(act) = texts.into_iter().find(|a| a.document == quote.document) else { return false };
        let around = act.units.iter().filter(|u| u.span.contains(&quote.span) && u.part.is_some());
        let Some(unit) = around.min_by_key(|u| u.span.end - u.span.start) else { return false };
        let at = Endpoint { celex: act.celex.clone(), part: unit.part.clone() };
        matches!(self.graph.text_state(&at, self.day), TextState::Changed { .. })
    }

    fn in_force(&self, act: &Celex, part: Option<&Part>, on: Day, known_on: Day) -> Ruling {
        let at = Endpoint { celex: act.clone(), part: part.cloned() };
        let status = self.graph.status(&at, Asked { on, known_on: Some(known_on) });
        Ruling { answer: status.in_force, because: status.because }
    }

    fn status(&self, act: &Celex, part: Option<&Part>, is: StatusWord) -> Ruling {
        let at = Endpoint { celex: act.clone(), part: part.cloned() };
        let status = self.graph.status(&at, Asked { on: self.day, known_on: Some(self.known_on) });
        let answer = match is {
            StatusWord::InForce => status.in_force,
            StatusWord::NotInForce => !status.in_force,
            StatusWord::Applicable => status.applicable,
            StatusWord::NotApplicable => !status.applicable,
        };
        let of_application = matches!(is, StatusWord::Applicable | StatusWord::NotApplicable);
        match self.application_in_doubt(act).filter(|_| of_application && status.in_force == Answer::Yes) {
            Some(why) => Ruling::new(Answer::Unknown, why, &[act]).beside(status.because),
            None => Ruling { answer, because: status.because },
        }
    }

    /// Why nobody can say from what is here whether an act that is in force applies: a directive whose
    /// transposition is not yet due binds its addressees and nobody else; a day of application printed by an act
    /// that was changed before that day may have been moved.
    fn application_in_doubt(&self, act: &Celex) -> Option<String> {
        let life = self.graph.life(act)?;
        if act.parts().kind == "L" && !life.application_named && life.transposed.is_none_or(|due| self.day < due) {
            return Some(format!("{act} is a directive, and nothing here says that its transposition was due"));
        }
        let printed = life.applies.known().filter(|_| life.application_named)?;
        let changes = self.graph.onto(act).filter(|e| {
            self.graph.effect(e) == Effect::Rewrites
                && !e.source.is_corrigendum()
                && (e.touches.is_empty() || e.touches.iter().any(|t| t.parts.is_empty()))
        });
        let mut before = changes.filter(|e| {
            let made = self.graph.life(&e.source).and_then(|l| l.made.or(l.published));
            let year = i32::from(e.source.year().unwrap_or(u16::MAX));
            made.map_or(year <= printed.year().min(self.day.year()), |made| made < printed && made <= self.day)
        });
        let by = &before.next()?.source;
        Some(format!("{act} prints {} as the day from which it applies, but {by} changed it before", printed.long()))
    }

    /// The edges by which `by` acts on `act` in this way.
    fn edges(&self, act: &Celex, by: Option<&Celex>, effect: Effect) -> Vec<&DatedRelation> {
        let ours = |e: &&DatedRelation| by.is_none_or(|by| e.source == *by) && self.graph.effect(e) == effect;
        self.graph.onto(act).filter(ours).collect()
    }

    /// What the two acts do to each other in other ways, either way round.
    fn between(&self, act: &Celex, by: &Celex) -> Vec<Reason> {
        let forth = self.graph.onto(act).filter(|e| e.source == *by);
        let back = self.graph.onto(by).filter(|e| e.source == *act);
        let touches = forth.chain(back).flat_map(|e| e.touches.iter().map(move |t| (e, t)));
        touches.flat_map(|(e, t)| touched(e, t, Answer::No, &e.relation.as_str().replace('_', " ")).because).collect()
    }

    /// Whether a touch has begun by the day: unknown where its start is, or may have moved.
    fn begun(&self, touch: &Touch) -> Answer {
        match touch.start {
            Some(start) if touch.conditional.is_none() && touch.unconfirmed.is_none() => (start <= self.day).into(),
            _ => Answer::Unknown,
        }
    }

    fn ended_by(&self, act: &Celex, part: Option<&Part>, by: &Celex) -> Ruling {
        let edges = self.edges(act, Some(by), Effect::Ends);
        let voided = self.edges(act, Some(by), Effect::Voids);
        if let Some((edge, touch)) = voided.iter().find_map(|e| Some((*e, e.touches.first()?))) {
            // Whether what counts as never made "has been ended" is a matter of words.
            return touched(edge, touch, Answer::Unknown, "declares void");
        }
        if edges.is_empty() {
            let nothing = Ruling::new(Answer::No, format!("nothing here says that {by} ended {act}"), &[by, act]);
            return nothing
                .beside(self.between(act, by))
                .beside(self.in_force(act, part, self.day, self.known_on).because);
        }
        let at = Endpoint { celex: act.clone(), part: part.cloned() };
        let asked = Asked { on: self.day, known_on: Some(self.known_on) };
        let answer = self.graph.ended_by(&at, by, asked);
        let touches = edges.iter().flat_map(|e| e.touches.iter().map(move |t| (*e, t)));
        let because = touches.flat_map(|(e, t)| touched(e, t, answer, "ends").because).collect();
        let ruling = Ruling { answer, because };
        if answer == Answer::No { ruling } else { ruling.and(self.was_first_to_end(&at, by, asked)) }
    }

    /// Whether nothing else had ended it before, and nothing says that it lives on.
    fn was_first_to_end(&self, at: &Endpoint, by: &Celex, asked: Asked) -> Ruling {
        let endings = self.graph.endings(at, asked.known_on);
        let ours = endings.iter().filter(|e| e.by.as_ref() == Some(by)).filter_map(|e| e.from.latest).min();
        let mut ruling = self.in_force(&at.celex, at.part.as_ref(), self.day, self.known_on);
        ruling.answer = !ruling.answer;
        for other in endings.iter().filter(|e| e.by.as_ref() != Some(by)) {
            let Some(eve) = ours.map(Day::pred) else { continue };
            let before = match other.from.reached(eve) {
                Answer::Yes if other.whole && !other.spent => Answer::Yes,
                Answer::No => Answer::No,
                _ => Answer::Unknown,
            };
            if before != Answer::No {
                ruling = ruling.and(Ruling { answer: !before, because: vec![other.because.clone()] });
            }
        }
        ruling
    }

    /// As the law stands on the day: what had been published by then counts.
    fn ends_on(&self, act: &Celex, last_day: Day) -> Ruling {
        let known = self.day.min(self.known_on);
        let last = self.in_force(act, None, last_day, known);
        let next = self.in_force(act, None, last_day.succ(), known);
        let because = if last.answer == Answer::No { last.because } else { next.because };
        let answer = match self.graph.last_day(&Endpoint::from(act.clone()), Some(known)) {
            // A day after the newest fetch has no status; the law as it stood may have fixed it all the same.
            LastDay::On(day) if day == last_day => (last.answer != Answer::No && next.answer != Answer::Yes).into(),
            LastDay::On(_) | LastDay::Open => Answer::No,
            // Which day is not known; that it is not this one may be.
            LastDay::Unknown => last.answer.and(!next.answer).and(Answer::Unknown),
        };
        let endings = self.graph.endings(&Endpoint::from(act.clone()), Some(known));
        let moves = self.edges(act, None, Effect::Prolongs);
        let moves = moves.into_iter().flat_map(|e| e.touches.iter().map(move |t| (e, t)));
        let moves = moves.filter(|(_, t)| t.until == Some(last_day) || t.start.is_none_or(|s| s <= self.day));
        let moves = moves.flat_map(|(e, t)| touched(e, t, answer, "prolongs").because).collect();
        Ruling { answer, because }.beside(moves).beside(endings.into_iter().map(|e| e.because).collect())
    }

    fn supplemented_by(&self, act: &Celex, by: &Celex) -> Ruling {
        let edges = self.edges(act, Some(by), Effect::Supplements);
        let mut best = Ruling::new(Answer::No, format!("nothing here says that {by} adds to {act}"), &[by, act]);
        if edges.is_empty() {
            return best.beside(self.between(act, by)).beside(self.in_force(by, None, self.day, self.known_on).because);
        }
        for (edge, touch) in edges.iter().flat_map(|e| e.touches.iter().map(move |t| (*e, t))) {
            let ruling = touched(edge, touch, self.begun(touch), "adds to");
            best = better(best, self.while_both_live(ruling, act, touch, by));
        }
        best
    }

    /// An addition or widening that has begun counts while the act it touches is law; whether it outlives
    /// the act that made it is not for code to say.
    fn while_both_live(&self, ruling: Ruling, act: &Celex, touch: &Touch, by: &Celex) -> Ruling {
        if ruling.answer != Answer::Yes {
            return ruling;
        }
        let target = self.in_force(act, None, self.day, self.known_on);
        let acting = self.in_force(by, None, self.day, self.known_on);
        let began = touch.start.map(|start| self.in_force(by, None, start, self.known_on).answer);
        let alive = match (acting.answer, began) {
            (Answer::No, Some(Answer::Yes)) => Answer::Unknown,
            (answer, _) => answer,
        };
        let mut answer = ruling.answer.and(alive);
        if target.answer != Answer::Yes {
            answer = answer.and(Answer::Unknown);
        }
        let mut because = ruling.because;
        if answer != Answer::Yes {
            because.extend(target.because.into_iter().chain(acting.because));
        }
        Ruling { answer, because }
    }

    /// By the words of widening and narrowing clauses, and by no others. What a clause widens an act to, it did not
    /// apply to before; what a clause takes out of it, it did.
    fn applies_to(&self, act: &Celex, part: Option<&Part>, words: &str) -> Ruling {
        let widened = self.touched_words(act, part, words, Effect::Widens);
        let narrowed = self.touched_words(act, part, words, Effect::Narrows).map(|ruling| {
            let applies = self.status(act, part, StatusWord::Applicable);
            Ruling { answer: !ruling.answer, because: ruling.because }.and(applies)
        });
        match (widened, narrowed) {
            (Some(widened), Some(narrowed)) if widened.answer == narrowed.answer => widened.beside(narrowed.because),
            (Some(widened), Some(narrowed)) => {
                // One clause lets it in, another takes it out: which of them prevails is not for code to say.
                Ruling { answer: Answer::Unknown, because: widened.because }.beside(narrowed.because)
            }
            (Some(ruling), None) | (None, Some(ruling)) => ruling,
            (None, None) => {
                let says = format!("no clause here widens {act} to “{words}”, or takes it out");
                Ruling::new(Answer::Unknown, says, &[act])
            }
        }
    }

    /// Whether a clause of this effect that says these words has hold of the act on the day; none if no clause does.
    fn touched_words(&self, act: &Celex, part: Option<&Part>, words: &str, effect: Effect) -> Option<Ruling> {
        let wanted = normal(words);
        let does = if effect == Effect::Widens { "widens" } else { "narrows" };
        let mut best: Option<Ruling> = None;
        for edge in self.edges(act, None, effect) {
            for touch in &edge.touches {
                let same = touch.words.as_ref().is_some_and(|w| normal(w).eq_ignore_ascii_case(&wanted));
                if !same {
                    continue;
                }
                let place = match part {
                    _ if touch.parts.is_empty() => Answer::Yes,
                    Some(part) if touch.parts.iter().any(|p| p.contains(part)) => Answer::Yes,
                    _ => Answer::Unknown,
                };
                let over = touch.until.map_or(Answer::Yes, |last| (self.day <= last).into());
                let ruling = touched(edge, touch, self.begun(touch).and(over).and(place), does);
                let ruling = self.while_both_live(ruling, act, touch, &edge.source);
                if best.as_ref().is_none_or(|best| best.answer != Answer::Yes) {
                    best = Some(ruling);
                }
            }
        }
        best
    }
}

impl Court<'_> {
    fn reads(&self, act: &Celex, unit: &Part, words: &str) -> Ruling {
        let rule = |answer, says: String| Ruling::new(answer, says, &[act]);
        let Some(text) = self.graph.act(act) else {
            return rule(Answer::Unknown, format!("the text of {act} is not here"));
        };
        let Some(at) = text.index_of(unit) else {
            let answer = if text.articles().next().is_some() { Answer::No } else { Answer::Unknown };
            return rule(answer, format!("{act} has no {} here", unit.long()));
        };
        let published = normal(&text.full_text(at));
        let (law, says_so) = match self.as_law(act, unit, published) {
            Ok(found) => found,
            Err(ruling) => return ruling,
        };
        let found = says(&law, &normal(words));
        let does = if found { "says" } else { "does not say" };
        let mut ruling = rule(found.into(), format!("{} of {act} {does} “{words}”", unit.long()));
        ruling.because[0].quote =
            Some(Quote { document: text.document, span: text.units[at].span, text: text.full_text(at) });
        ruling.because.extend(says_so);
        ruling
    }

    /// The unit's words as law on the day, corrections worked in; or why they are not known.
    fn as_law(&self, act: &Celex, unit: &Part, published: String) -> Result<(String, Vec<Reason>), Ruling> {
        let at = Endpoint { celex: act.clone(), part: Some(unit.clone()) };
        let by = self.graph.changers(&at, self.day);
        let (mut law, mut because) = (published, Vec::new());
        // What only may have changed it counts as well: words that are certain are certain of every change.
        for changing in by {
            let corrected = self.correct(act, unit, &changing, &law);
            let Some((text, reason)) = corrected else {
                let says = format!("{changing} changed {act}; how {} then read is not here", unit.long());
                return Err(Ruling::new(Answer::Unknown, says, &[&changing, act]));
            };
            law = text;
            because.push(reason);
        }
        Ok((law, because))
    }

    /// The text with the replacements made that a corrigendum or an amending act spells out; `None` where it does
    /// more than replace words here.
    fn correct(&self, act: &Celex, unit: &Part, changing: &Celex, text: &str) -> Option<(String, Reason)> {
        let document = self.graph.act(changing)?;
        let mut law = text.to_string();
        let mut reason = None;
        let onto = document.clauses.iter().filter(|c| c.target == *act);
        for clause in
            onto.filter(|c| c.parts.is_empty() || c.parts.iter().any(|p| p.contains(unit) || unit.contains(p)))
        {
            // The title says that it corrects or amends; the operative part says what.
            let Some(edit) = &clause.edit else {
                if clause.place == Place::Title {
                    continue;
                }
                return None;
            };
            let (old, new) = (normal(&edit.old), normal(&edit.new));
            let (old, new) = (unquoted(&old), unquoted(&new));
            if old.is_empty() {
                return None;
            }
            if !law.contains(old) {
                // Named for this unit, and not found in it: its effect here is not known.
                if !clause.parts.is_empty() && !law.contains(new) {
                    return None;
                }
                continue;
            }
            // Words that stand there more than once: which of them the correction meant, the unit's address
            // alone does not tell (fields of a form in one annex).
            if law.matches(old).nth(1).is_some() {
                return None;
            }
            law = law.replacen(old, new, 1);
            let says = format!("{changing} has {} of {act} read “{}” for “{}”", unit.long(), edit.new, edit.old);
            let acts = vec![changing.clone(), act.clone()];
            reason = Some(Reason { says, quote: Some(clause.quote.clone()), acts });
        }
        let untouched = || {
            let says = format!("{changing} replaces other words of {act}");
            Reason { says, quote: None, acts: vec![changing.clone(), act.clone()] }
        };
        document
            .clauses
            .iter()
            .any(|c| c.target == *act && c.edit.is_some())
            .then(|| (law, reason.unwrap_or_else(untouched)))
    }
}

/// A touch as a reason, with the words it is read from.
fn touched(edge: &DatedRelation, touch: &Touch, answer: Answer, does: &str) -> Ruling {
    let when = match (touch.start, &touch.conditional, &touch.unconfirmed) {
        (_, Some(words), _) => format!("when “{words}”"),
        (Some(day), None, None) => format!("from {}", day.long()),
        (Some(day), None, Some(why)) => format!("from {}, which is unconfirmed: {why}", day.long()),
        (None, None, _) => "from a day that is not known".to_string(),
    };
    let what = match touch.extent {
        Extent::Whole => String::new(),
        Extent::Unknown => " (how much of it is not known)".to_string(),
        Extent::Partial => {
            let parts: Vec<String> = touch.parts.iter().map(Part::long).collect();
            let saved: Vec<String> = touch.saved.iter().filter_map(|s| s.part.as_ref()).map(Part::long).collect();
            let but = if saved.is_empty() { String::new() } else { format!(" but for {}", saved.join(", ")) };
            format!(" ({}{but})", if parts.is_empty() { "all".to_string() } else { parts.join(", ") })
        }
    };
    let says = format!("{} {does} {}{what} {when}", edge.source, edge.target);
    let acts = vec![edge.source.clone(), edge.target.clone()];
    let evidence = edge.evidence.get(touch.evidence).map(words_of).unwrap_or_default();
    let mut because: Vec<Reason> =
        evidence.into_iter().map(|q| Reason { says: says.clone(), quote: Some(q), acts: acts.clone() }).collect();
    if because.is_empty() {
        because.push(Reason { says, quote: None, acts });
    }
    Ruling { answer, because }
}

/// Of several touches one that holds is enough; else one that may.
fn better(a: Ruling, b: Ruling) -> Ruling {
    let rank = |r: &Ruling| match r.answer {
        Answer::Yes => 2,
        Answer::Unknown => 1,
        Answer::No => 0,
    };
    if rank(&b) >= rank(&a) { b } else { a }
}

fn words_of(evidence: &Evidence) -> Vec<Quote> {
    match evidence {
        Evidence::Text { quote } => vec![quote.clone()],
        Evidence::Bridge { clause, change, .. } => vec![clause.clone(), change.clone()],
        Evidence::Notice { .. } | Evidence::Register { .. } => Vec::new(),
    }
}
