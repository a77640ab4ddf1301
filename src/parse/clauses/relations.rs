//! Sentences to clauses: the registry's patterns find the relation and its target; extent, start, exceptions,
//! last day and words are read the same way for every relation.

use super::slots::{Filling, Reach, Slotted};
use super::{corrections, fixed, moments, savings, sentences};
use crate::law::{
    Celex, Clause, ClausePattern, ClausePlace, Day, Edit, Effect, Extent, Part, Place, Quote, Registry, RelationSpec,
    RelationType, Saving, When,
};
use regex::{Captures, Regex};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

/// A clause before its place and quotation are known.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub(super) relation: RelationType,
    pub(super) effect: Effect,
    pub(super) target: Celex,
    pub(super) extent: Extent,
    pub(super) parts: Vec<Part>,
    pub(super) saved: Vec<Saving>,
    pub(super) start: When,
    pub(super) until: Option<Day>,
    pub(super) words: Option<String>,
    pub(super) edit: Option<Edit>,
    pub(super) alone: bool,
}

impl Draft {
    pub(super) fn into_clause(self, place: Place, quote: Quote) -> Clause {
        Clause {
            relation: self.relation,
            target: self.target,
            extent: self.extent,
            parts: self.parts,
            saved: self.saved,
            start: self.start,
            until: self.until,
            words: self.words,
            edit: self.edit,
            alone: self.alone,
            place,
            quote,
        }
    }

    /// Adds what a later sentence saves.
    pub(super) fn save(&mut self, saved: Vec<Saving>) {
        for saving in saved {
            if saving.part.is_some() && self.extent == Extent::Whole {
                self.extent = Extent::Partial;
            }
            if !self.saved.contains(&saving) {
                self.saved.push(saving);
            }
        }
    }
}

/// A clause and the bytes of the provision that state it.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) clause: Draft,
    pub(super) range: Range<usize>,
}

/// Reads the provisions of one act.
pub(super) struct Reader<'a, R> {
    acting: &'a Celex,
    registry: &'a Registry,
    /// Only corrects: a corrigendum repeats the title of the act it corrects.
    corrigendum: bool,
    /// The act that a designation without a year means in this document.
    resolve: R,
}

/// "…, repealed by Regulation …": what another act did.
static BY_ANOTHER: LazyLock<Regex> = LazyLock::new(|| {
    fixed(
        r"(?i)(?P<done>amended|inserted|added|replaced|established|laid down|adopted|set up|introduced|imposed|provided for|referred to|covered|set|as) by <act>|(?P<by>\bby <act>)",
    )
});
static UNTIL: LazyLock<Regex> = LazyLock::new(|| fixed(r"(?i)\b(?:until|up to) (?:and including )?<day>"));
static FINITE: LazyLock<Regex> =
    LazyLock::new(|| fixed(r"\b(?:shall|may|must|will|should|is|are|was|were|has|have|can|could|would)\b"));
static RELATIVE: LazyLock<Regex> =
    LazyLock::new(|| fixed(r"^,? ?(?:which|that|whose|where|as|in so far as|insofar as)\b"));
static LIMITS: LazyLock<Regex> = LazyLock::new(|| {
    fixed(
        r"(?i)\b(?:in so far as|insofar as|to the extent (?:that|to which)|as regards|in respect of|with regard to|with respect to|as far as)\b",
    )
});
static THEREOF: LazyLock<Regex> = LazyLock::new(|| fixed(r"<parts>,? (?:thereof|of the (?:said|repealed) [A-Z]\w+)"));

/// Without one of these no act is named by its number.
const NUMBERED: [&str; 4] = ["/", "No", "N°", "Nr"];
/// How far into the rest of its sentence a moment may stand, in bytes.
const MOMENT_WITHIN: usize = 60;

impl<'a, R: Fn(&str) -> Option<Celex>> Reader<'a, R> {
    pub(super) fn new(acting: &'a Celex, registry: &'a Registry, resolve: R) -> Self {
        Self { acting, registry, corrigendum: acting.is_corrigendum(), resolve }
    }

    /// Whether the acting act is a corrigendum.
    pub(super) fn corrigendum(&self) -> bool {
        self.corrigendum
    }

    /// The clauses of one provision.
    pub(super) fn read(&self, text: &str, place: &Place) -> Vec<Found> {
        self.read_after(text, place, None)
    }

    /// The clauses of one provision; `named` is the act that the title or a provision before it named last.
    pub(super) fn read_after(&self, text: &str, place: &Place, named: Option<Celex>) -> Vec<Found> {
        if self.corrigendum && matches!(place, Place::Operative(_)) {
            return corrections::read(self, text, named);
        }
        let mut found: Vec<Found> = Vec::new();
        for range in sentences::sentences(text) {
            let sentence = &text[range.clone()];
            // Every designation of an act has a stroke or "No"; without one only an act named before can be meant.
            if found.is_empty() && !NUMBERED.iter().any(|mark| sentence.contains(mark)) {
                continue;
            }
            let slotted = self.slotted(sentence, found.last().map(|f| &f.clause.target));
            if place != &Place::Title {
                let (_, body) = sentences::lead_in(&slotted);
                if save(&mut found, &body, sentence, &range) {
                    continue;
                }
            }
            self.sentence(&slotted, sentence, place, &range, &mut found);
        }
        found
    }

    /// The sentence with slots: designations without a year resolved, parts "thereof" given to the act last named.
    pub(super) fn slotted(&self, sentence: &str, last: Option<&Celex>) -> Slotted {
        let mut slotted = Slotted::of(sentence);
        for slot in &mut slotted.slots {
            if let Filling::Acts(reaches) = &mut slot.filling
                && let [only] = reaches.as_mut_slice()
                && only.celex.is_none()
            {
                only.celex = (self.resolve)(&sentence[slot.source.clone()]);
            }
        }
        match last {
            Some(last) => slotted.rewrite(&THEREOF, |_, slots| match slots.first().map(|s| &s.filling) {
                Some(Filling::Parts(parts)) => {
                    Some(Filling::Acts(vec![Reach { celex: Some(last.clone()), parts: parts.clone(), unnamed: false }]))
                }
                _ => None,
            }),
            None => slotted,
        }
    }

    fn sentence(&self, slotted: &Slotted, source: &str, place: &Place, range: &Range<usize>, found: &mut Vec<Found>) {
        let named = slotted.slots.iter().any(|s| matches!(s.filling, Filling::Acts(_)));
        // "… is amended as follows:" goes on over the sentences of its points.
        let amended = found.last().filter(|f| f.clause.effect == Effect::Rewrites).map(|f| f.clause.target.clone());
        if !named && amended.is_none() {
            return;
        }
        let title = place == &Place::Title;
        let (lead, body) = if title { (Slotted::default(), slotted.clone()) } else { sentences::lead_in(slotted) };
        let known = found.len();
        let alone = title && has_no_subject(&body);
        self.matches(&lead, &body, source, (place, range, alone), amended.as_ref(), found);
        // "By way of derogation from …, …": what a phrase before the subject says may be the clause itself.
        if found.len() == known && !lead.text.is_empty() {
            self.matches(&Slotted::default(), slotted, source, (place, range, alone), amended.as_ref(), found);
        }
    }

    fn matches(
        &self,
        lead: &Slotted,
        body: &Slotted,
        source: &str,
        (place, range, alone): (&Place, &Range<usize>, bool),
        amended: Option<&Celex>,
        found: &mut Vec<Found>,
    ) {
        let title = place == &Place::Title;
        let known = found.len();
        for (spec, pattern) in self.patterns(place) {
            for caps in pattern.pattern.regex().captures_iter(&body.text) {
                let slot = caps.name("target").and_then(|t| body.at(t.start()));
                let reaches = match (slot.map(|s| &s.filling), amended) {
                    (Some(Filling::Acts(reaches)), _) => reaches.clone(),
                    (None, Some(act)) => vec![Reach { celex: Some(act.clone()), parts: Vec::new(), unnamed: false }],
                    _ => continue,
                };
                if !stands(body, &caps, title) {
                    continue;
                }
                let sentence = Sentence { lead, body, caps: &caps, source, alone };
                for draft in sentence.drafts(spec, &reaches) {
                    let again = found[known..].iter().any(|f| same(&f.clause, &draft));
                    if &draft.target != self.acting && !again {
                        found.push(Found { clause: draft, range: range.clone() });
                    }
                }
            }
        }
    }

    /// The patterns for this place, with their relations.
    pub(super) fn patterns(&self, place: &Place) -> impl Iterator<Item = (&'a RelationSpec, &'a ClausePattern)> {
        let wanted = if place == &Place::Title { ClausePlace::Title } else { ClausePlace::Operative };
        let corrigendum = self.corrigendum;
        let specs = self.registry.relations().iter().filter(move |s| !corrigendum || s.from_beginning);
        specs.flat_map(move |s| s.clauses.iter().filter(move |c| c.place == wanted).map(move |c| (s, c)))
    }
}

fn same(one: &Draft, other: &Draft) -> bool {
    one.relation == other.relation && one.target == other.target && one.parts == other.parts
}

/// Gives what this sentence saves to the ends before it; whether it was such a sentence.
fn save(found: &mut [Found], body: &Slotted, source: &str, range: &Range<usize>) -> bool {
    let mut saves = false;
    let open = whole_ends(found.iter().map(|f| &f.clause));
    let named = open.iter().any(|i| body.names(&found[*i].clause.target));
    for i in open {
        let clause = &found[i].clause;
        if named && !body.names(&clause.target) {
            continue;
        }
        if let Some(saved) = savings::later(body, &clause.target, source) {
            found[i].clause.save(saved);
            found[i].range.end = range.end;
            saves = true;
        }
    }
    saves
}

/// The clauses from which something can be saved: ends, and of two ends of one act not that of a part.
pub(super) fn whole_ends<'d>(clauses: impl Iterator<Item = &'d Draft> + Clone) -> Vec<usize> {
    let ends = clauses.enumerate().filter(|(_, c)| c.effect == Effect::Ends);
    let whole: BTreeSet<&Celex> = ends.clone().filter(|(_, c)| c.parts.is_empty()).map(|(_, c)| &c.target).collect();
    ends.filter(|(_, c)| c.parts.is_empty() || !whole.contains(&c.target)).map(|(i, _)| i).collect()
}

/// Whether a match says what its pattern means: no verb of another sentence between the target and the
/// pattern's own, no participle that belongs to an act named before it, no report of another act's doing.
fn stands(body: &Slotted, caps: &Captures, title: bool) -> bool {
    let Some(whole) = caps.get(0) else { return false };
    let tail = caps.name("tail").map_or("", |t| t.as_str());
    let apposition = tail.starts_with(',') || RELATIVE.is_match(tail);
    let last_word = tail.rsplit(' ').next().unwrap_or_default();
    if FINITE.is_match(tail) && !apposition || matches!(last_word, "which" | "that" | "been" | "whether" | "if") {
        return false;
    }
    if title {
        if LONGER_TITLE.is_match(&body.text[..whole.start()]) {
            return false;
        }
        // "amending <act> supplementing <act>": the second participle belongs to the act before it.
        let before = body.text[..whole.start()].trim_end();
        let own = body.slots.first().is_some_and(|s| s.at + "<act>".len() == before.len()) && is_head(before);
        return !before.ends_with("<act>") || own;
    }
    let rest = &body.text[whole.end()..];
    let sentence_end = rest.find(';').unwrap_or(rest.len());
    !BY_ANOTHER.captures_iter(&rest[..sentence_end]).any(|c| c.name("by").is_some())
}

/// An act changed, with its own title after it: what follows belongs to that title.
static LONGER_TITLE: LazyLock<Regex> = LazyLock::new(|| {
    fixed(
        r"(?i)(?:amending|correcting)\b[^<]*<act> (?:laying down|on|concerning|establishing|implementing|supplementing)\b",
    )
});

/// What a title does before it has any subject, and what gives it one after all.
static DOES: LazyLock<Regex> = LazyLock::new(|| {
    fixed(
        r"^(?:of <day> |on )?(?:amending|repealing|correcting|supplementing|completing|extending|prolonging|suspending|adapting)\b",
    )
});
static SUBJECT: LazyLock<Regex> = LazyLock::new(|| {
    fixed(
        r"\b(?:and|as well as) (?:laying down|establishing|fixing|setting up|introducing|adopting|creating|on|concerning|providing)\b",
    )
});

/// Whether the title of an act says nothing but what it does to others.
fn has_no_subject(title: &Slotted) -> bool {
    let text = title.text.as_str();
    let own = title.slots.first().map_or("", |s| &text[..s.at + "<act>".len()]);
    let after = if own.ends_with("<act>") && is_head(own) { text[own.len()..].trim_start() } else { text };
    DOES.is_match(after) && !SUBJECT.is_match(after)
}

/// Whether the text up to a title's first act is nothing but that act: its own designation.
fn is_head(before: &str) -> bool {
    before.trim_end_matches("<act>").split_whitespace().count() <= 3
}

/// One match in one sentence.
struct Sentence<'s> {
    lead: &'s Slotted,
    body: &'s Slotted,
    caps: &'s Captures<'s>,
    source: &'s str,
    alone: bool,
}

impl Sentence<'_> {
    fn drafts(&self, spec: &RelationSpec, reaches: &[Reach]) -> Vec<Draft> {
        let end = self.caps.get(0).map_or(0, |m| m.end());
        let rest = self.body.piece(end..self.body.text.len());
        let ending = self.last_day();
        let mut drafts = Vec::new();
        for reach in reaches {
            let Some(target) = reach.celex.clone() else { continue };
            let ends = spec.effect == Effect::Ends;
            let (saved, cut) = if ends { savings::exceptions(&rest, &target, self.source) } else { (Vec::new(), None) };
            let plain = rest.piece(0..cut.unwrap_or(rest.text.len()));
            let narrows = spec.effect == Effect::Narrows;
            let (words, words_moment, last) = self.words(narrows);
            let start = words_moment.unwrap_or_else(|| self.start(spec, &plain));
            let prolongs = spec.effect == Effect::Prolongs;
            if prolongs && ending.is_none() {
                continue;
            }
            // Rewriting an act's last day prolongs the act, not the article it stands in.
            let parts = if ending.as_ref().is_some_and(|e| e.1) { Vec::new() } else { reach.parts.clone() };
            let pauses = narrows || spec.effect == Effect::Pauses;
            let mut draft = Draft {
                relation: spec.name.clone(),
                effect: spec.effect,
                target,
                extent: extent(spec.effect, &parts, reach.unnamed || ends && limited(&plain.text)),
                parts,
                saved: Vec::new(),
                start,
                until: ending.map(|e| e.0).or(last).or_else(|| pauses.then(|| until(&rest)).flatten()),
                words,
                edit: (spec.effect == Effect::Rewrites).then(|| self.edit(&rest)).flatten(),
                alone: self.alone,
            };
            draft.save(saved);
            drafts.push(draft);
        }
        drafts
    }

    /// The words replaced and those put in their place, where the sentence says no more than that: what stands
    /// behind them may replace further words.
    fn edit(&self, rest: &Slotted) -> Option<Edit> {
        if rest.text.chars().any(|c| c.is_alphanumeric() || c == '<') {
            return None;
        }
        let words = |group: &str| {
            let range = self.caps.name(group)?.range();
            Some(corrections::bare(&self.body.words(range, self.source))).filter(|words| !words.is_empty())
        };
        Some(Edit { old: words("old")?, new: words("new")?, ..Edit::default() })
    }

    /// The day in `<until>`, and whether it stood in a quotation that rewrites an act's end.
    fn last_day(&self) -> Option<(Day, bool)> {
        match self.body.at(self.caps.name("until")?.start())?.filling {
            Filling::Day(day) => Some((day, false)),
            Filling::Ending(day) => Some((day, true)),
            _ => None,
        }
    }

    /// The words of a widening or narrowing, without the moment written among them, and that moment; of what
    /// narrows, also without the last day at their end, and that day.
    fn words(&self, narrows: bool) -> (Option<String>, Option<When>, Option<Day>) {
        let Some(group) = self.caps.name("words") else { return (None, None, None) };
        let whole = self.body.piece(group.range());
        let closes = |m: &regex::Match| !whole.text[m.end()..].contains(char::is_alphanumeric);
        let ending = UNTIL.find(&whole.text).filter(|m| narrows && closes(m)).map(|m| m.start());
        let last = ending.and_then(|_| until(&whole));
        let inner = whole.piece(0..ending.unwrap_or(whole.text.len()));
        let moment = moments::first(&inner);
        let gap = moment.as_ref().map_or(inner.text.len()..inner.text.len(), |m| m.range.clone());
        let before = inner.words(0..gap.start, self.source);
        let after = inner.words(gap.end..inner.text.len(), self.source);
        let words = format!("{before} {after}").split_whitespace().collect::<Vec<_>>().join(" ");
        (Some(words.trim_end_matches(',').trim().to_string()), moment.map(|m| m.when), last)
    }

    /// From when: in the phrases before the subject, right after the pattern's words, or inside them.
    fn start(&self, spec: &RelationSpec, rest: &Slotted) -> When {
        if let Some(moment) = moments::first(self.lead) {
            return moment.when;
        }
        // What an amendment says after its verb is the new wording, or its place.
        let within = if spec.effect == Effect::Rewrites { 2 } else { MOMENT_WITHIN };
        let near = moments::first(rest).filter(|m| {
            let before = rest.text[..m.range.start].trim_start_matches(',');
            before.len() <= within && !before.contains([',', ';']) && !before.contains("prejudice")
        });
        if let Some(moment) = near {
            return moment.when;
        }
        if let Some(event) = moments::event(rest, self.source).filter(|_| spec.effect != Effect::Rewrites) {
            return event;
        }
        let Some((whole, target)) = self.caps.get(0).zip(self.caps.name("target")) else { return When::Unstated };
        let inside = self.body.piece(whole.start()..target.start());
        moments::first(&inside).map_or(When::Unstated, |m| m.when)
    }
}

/// Whether words after the verb limit what ends. What a clause leaves untouched ("without prejudice to the
/// obligations in respect of …") limits nothing.
fn limited(rest: &str) -> bool {
    LIMITS.is_match(rest.split("without prejudice").next().unwrap_or_default())
}

fn extent(effect: Effect, parts: &[Part], unnamed: bool) -> Extent {
    match effect {
        _ if !parts.is_empty() => Extent::Partial,
        Effect::Rewrites => Extent::Unknown,
        _ if unnamed => Extent::Unknown,
        _ => Extent::Whole,
    }
}

fn until(rest: &Slotted) -> Option<Day> {
    let found = UNTIL.find(&rest.text)?;
    match rest.at(found.end() - "<day>".len())?.filling {
        Filling::Day(day) => Some(day),
        _ => None,
    }
}
