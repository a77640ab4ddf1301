//! Sentences to clauses: the registry's patterns find the relation and its target; extent, start, exceptions,
//! last day and words are read the same way for every relation.

use super::savings::Exceptions;
use super::slots::{Filling, Reach, Slotted};
use super::{corrections, fixed, moments, quotation, savings, sentences, terms};
use crate::law::{
    Celex, Clause, ClausePattern, ClausePlace, Day, Edit, Effect, Extent, NewDay, Part, Place, Quote, Registry,
    RelationSpec, RelationType, Saving, When,
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
    pub(super) days: Vec<NewDay>,
    pub(super) alone: bool,
}

impl Draft {
    pub(super) fn into_clause(self, place: Place, quote: Quote, also: Vec<Quote>) -> Clause {
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
            days: self.days,
            alone: self.alone,
            place,
            quote,
            also,
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
    /// Sentences that say more of it (which act is meant, what is saved): the provision's index, if it is another,
    /// and the bytes.
    pub(super) also: Vec<(Option<usize>, Range<usize>)>,
}

/// Reads the provisions of one act.
pub(super) struct Reader<'a, R> {
    acting: &'a Celex,
    registry: &'a Registry,
    /// Only corrects: a corrigendum repeats the title of the act it corrects.
    corrigendum: bool,
    /// The act that a designation without a year means in this document.
    resolve: R,
    /// The acts that an annex of this document lists.
    listed: &'a dyn Fn(&[Part]) -> Vec<Celex>,
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
/// What is extended to a time goes on longer.
static TIME: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"(?i)^(?:the |a |an )?(?:further |total |maximum )?(?:<day>|end of |last day |period |(?:19|20)\d\d\b|\d{1,2} [a-z]+ (?:19|20)\d\d",
        r"|(?:January|February|March|April|May|June|July|August|September|October|November|December)\b|(?:\d+|[a-z-]+) (?:days?|weeks?|months?|years?)\b)",
    ))
});
static PROVISIONS: LazyLock<Regex> = LazyLock::new(|| fixed(r"(?i)\bprovisions\b"));
static THEREOF: LazyLock<Regex> = LazyLock::new(|| fixed(r"<parts>,? (?:thereof|of the (?:said|repealed) [A-Z]\w+)"));

/// Without one of these no act is named by its number.
const NUMBERED: [&str; 4] = ["/", "No", "N°", "Nr"];
/// How far into the rest of its sentence a moment may stand, in bytes.
const MOMENT_WITHIN: usize = 60;

impl<'a, R: Fn(&str) -> Option<Celex>> Reader<'a, R> {
    pub(super) fn new(acting: &'a Celex, registry: &'a Registry, resolve: R) -> Self {
        Self { acting, registry, corrigendum: acting.is_corrigendum(), resolve, listed: &|_| Vec::new() }
    }

    /// The same, knowing which acts the document's annexes list.
    pub(super) fn listing(self, listed: &'a dyn Fn(&[Part]) -> Vec<Celex>) -> Self {
        Self { listed, ..self }
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
            let numbered = NUMBERED.iter().any(|mark| sentence.contains(mark)) || sentence.contains("nnex");
            if found.is_empty() && !numbered {
                continue;
            }
            let slotted = self.slotted(sentence, found.last().map(|f| &f.clause.target));
            let known = found.len();
            self.sentence(&slotted, sentence, place, &range, &mut found);
            if place == &Place::Title {
                continue;
            }
            if found[known..].iter().any(|f| f.clause.effect == Effect::Ends) {
                if let (Some(more), Some(last)) = (savings::going_on(&slotted), found.last()) {
                    let more = thereof(more, &last.clause.target);
                    save(&mut found[known..], &more, sentence, &range);
                }
                continue;
            }
            // What goes on after an end is saved from it, and not prolonged.
            let said = found.split_off(known);
            let (_, body) = sentences::lead_in(&slotted);
            if !save(&mut found, &body, sentence, &range) {
                found.extend(said);
            }
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
        let slotted = if sentence.contains(" in ") { slotted.with_listed(self.listed) } else { slotted };
        match last {
            Some(last) => thereof(slotted, last),
            None => slotted,
        }
    }

    fn sentence(&self, slotted: &Slotted, source: &str, place: &Place, range: &Range<usize>, found: &mut Vec<Found>) {
        let named = slotted.slots.iter().any(|s| matches!(s.filling, Filling::Acts(_)));
        if !named && amended(found).is_none() {
            return;
        }
        let title = place == &Place::Title;
        let (lead, body) = if title { (Slotted::default(), slotted.clone()) } else { sentences::lead_in(slotted) };
        let known = found.len();
        let alone = title && has_no_subject(&body);
        self.matches(&lead, &body, source, (place, range, alone), found);
        // "By way of derogation from …, …": what a phrase before the subject says may be the clause itself.
        if found.len() == known && !lead.text.is_empty() {
            self.matches(&Slotted::default(), slotted, source, (place, range, alone), found);
        }
    }

    fn matches(
        &self,
        lead: &Slotted,
        body: &Slotted,
        source: &str,
        (place, range, alone): (&Place, &Range<usize>, bool),
        found: &mut Vec<Found>,
    ) {
        let title = place == &Place::Title;
        let known = found.len();
        // "… is amended as follows:" goes on over its points, which may be sentences: what names no act speaks
        // of the act amended.
        for targeted in [true, false] {
            let head = if targeted { None } else { amended(found) };
            if !targeted && head.is_none() {
                continue;
            }
            let (amended, named_in) = head.unzip();
            // The sentence that names the act, where it is not this one.
            let named_in = named_in.filter(|head| head != range);
            let patterns = self.patterns(place).filter(|(_, p)| p.pattern.names_target() == targeted);
            for (spec, pattern) in patterns {
                for caps in pattern.pattern.regex().captures_iter(&body.text) {
                    let slot = caps.name("target").and_then(|t| body.at(t.start()));
                    let reaches = match (slot.map(|s| &s.filling), &amended) {
                        (Some(Filling::Acts(reaches)), _) => reaches.clone(),
                        (None, Some(act)) => vec![within(body, &caps, act, spec.effect)],
                        _ => continue,
                    };
                    if !stands(body, &caps, title) {
                        continue;
                    }
                    let sentence = Sentence { lead, body, caps: &caps, source, title, alone };
                    for mut draft in sentence.drafts(spec, &reaches) {
                        draft.days = self.new_days(&draft);
                        let again = found[known..].iter().any(|f| same(&f.clause, &draft));
                        if &draft.target != self.acting && !again && (targeted || says_more(&draft)) {
                            draft.edit = draft.edit.filter(|_| sentence.says_no_more());
                            let also = named_in.iter().map(|head| (None, head.clone())).collect();
                            found.push(Found { clause: draft, range: range.clone(), also });
                        }
                    }
                }
            }
        }
    }

    /// The days that an edit puts into the changed act: in the place of another, or in a provision replaced as a
    /// whole, read as that act's own.
    pub(super) fn new_days(&self, draft: &Draft) -> Vec<NewDay> {
        let Some(edit) = &draft.edit else { return Vec::new() };
        let new = only_day(&edit.new);
        if !edit.old.is_empty() {
            let both = only_day(&edit.old).zip(new).filter(|(old, new)| old != new);
            return both.map(|(old, new)| NewDay { old: Some(old), new }).into_iter().collect();
        }
        if new.is_none() || draft.parts.is_empty() {
            return Vec::new();
        }
        let unknown: fn(&str) -> Option<Celex> = |_| None;
        let inner = Reader::new(&draft.target, self.registry, unknown);
        let inner_text = sentences::unheaded(&edit.new);
        let said = inner.read_plain(inner_text).into_iter().map(|f| f.clause.start);
        let said = said.chain(terms::read(inner_text, "entry into force").into_iter().map(|t| t.at));
        let fixed = |when: When| match when {
            When::On { day } => Some(NewDay { old: None, new: day }),
            _ => None,
        };
        let days: BTreeSet<NewDay> = said.filter_map(fixed).collect();
        if days.len() == 1 { days.into_iter().collect() } else { Vec::new() }
    }

    /// The clauses of a provision that is quoted, changes in it aside.
    fn read_plain(&self, text: &str) -> Vec<Found> {
        let ends = |f: &Found| f.clause.effect != Effect::Rewrites;
        if text.contains(['‘', '“', '«', quotation::OPEN]) {
            return Vec::new();
        }
        self.read(text, &Place::Operative(None)).into_iter().filter(ends).collect()
    }

    /// The patterns for this place, with their relations.
    pub(super) fn patterns(&self, place: &Place) -> impl Iterator<Item = (&'a RelationSpec, &'a ClausePattern)> {
        let wanted = if place == &Place::Title { ClausePlace::Title } else { ClausePlace::Operative };
        let corrigendum = self.corrigendum;
        let specs = self.registry.relations().iter().filter(move |s| !corrigendum || s.from_beginning);
        specs.flat_map(move |s| s.clauses.iter().filter(move |c| c.place == wanted).map(move |c| (s, c)))
    }
}

/// Gives parts "thereof" to this act.
fn thereof(slotted: Slotted, act: &Celex) -> Slotted {
    slotted.rewrite(&THEREOF, |_, slots| match slots.first().map(|s| &s.filling) {
        Some(Filling::Parts(parts)) => {
            Some(Filling::Acts(vec![Reach { celex: Some(act.clone()), parts: parts.clone(), unnamed: false }]))
        }
        _ => None,
    })
}

/// Whether the second says no more than the first.
fn same(one: &Draft, other: &Draft) -> bool {
    one.relation == other.relation
        && one.target == other.target
        && one.parts == other.parts
        && (other.edit.is_none() || one.edit == other.edit)
}

/// The act that the sentences before amend, as long as they speak of no other, and the first that says so.
fn amended(found: &[Found]) -> Option<(Celex, Range<usize>)> {
    let last = &found.last()?.clause.target;
    let changed = |f: &&Found| f.clause.effect == Effect::Rewrites && &f.clause.target == last;
    found.iter().find(changed).map(|f| (f.clause.target.clone(), f.range.clone()))
}

/// What a point of an amendment touches: the parts named in the match; of a change of words, those named last
/// before it.
fn within(body: &Slotted, caps: &Captures, act: &Celex, effect: Effect) -> Reach {
    let parts_of = |slot: &super::slots::Slot| match &slot.filling {
        Filling::Parts(parts) => Some(parts.clone()),
        Filling::Acts(reaches) => {
            let named = reaches.iter().find(|r| r.celex.as_ref() == Some(act) && !r.parts.is_empty());
            named.map(|r| r.parts.clone())
        }
        _ => None,
    };
    let range = caps.get(0).map_or(0..0, |m| m.range());
    let inside: Vec<Part> = body.between(&range).iter().filter_map(parts_of).flatten().collect();
    let parts = if inside.is_empty() && effect == Effect::Rewrites {
        body.between(&(0..range.start)).iter().rev().find_map(parts_of).unwrap_or_default()
    } else {
        inside
    };
    Reach { celex: Some(act.clone()), parts, unnamed: false }
}

/// A point of an amendment is a clause of its own where it ends, prolongs or changes days; the rest is the amendment's.
fn says_more(draft: &Draft) -> bool {
    draft.effect != Effect::Rewrites || !draft.days.is_empty()
}

/// The one day that the words name.
fn only_day(words: &str) -> Option<Day> {
    let slotted = Slotted::of_words(words);
    let mut days = slotted.slots.iter().filter_map(|s| match s.filling {
        Filling::Day(day) => Some(day),
        _ => None,
    });
    let day = days.next()?;
    days.all(|other| other == day).then_some(day)
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
        if let Some(saved) = savings::later(body, &clause.target, clause.parts.is_empty(), source) {
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
    title: bool,
    alone: bool,
}

impl Sentence<'_> {
    fn drafts(&self, spec: &RelationSpec, reaches: &[Reach]) -> Vec<Draft> {
        let end = self.caps.get(0).map_or(0, |m| m.end());
        let rest = self.body.piece(end..self.body.text.len());
        let ending = self.last_day();
        let edit = self.edit();
        let mut drafts = Vec::new();
        for reach in reaches {
            let Some(target) = reach.celex.clone() else { continue };
            let ends = spec.effect == Effect::Ends;
            let found = if ends { self.exceptions(&rest, &target, reach) } else { Exceptions::default() };
            let mut saved = found.saved;
            for before in [Some(self.lead.clone()), self.tail()].into_iter().flatten().filter(|_| ends) {
                saved.extend(self.exceptions(&before, &target, reach).saved);
            }
            for text in [self.lead, &rest].into_iter().filter(|_| ends) {
                saved.extend(savings::continued(text, &target, self.source));
            }
            let plain = rest.piece(0..found.at.unwrap_or(rest.text.len()));
            let narrows = spec.effect == Effect::Narrows;
            let (words, words_moment, last) = self.words(narrows);
            let start = words_moment.unwrap_or_else(|| self.start(spec, &plain));
            // "shall cease to have effect on <until>": its last day is inside.
            let start = match ending {
                Some((day, _)) if ends => When::On { day: day.succ() },
                _ if start == When::Unstated => found.start.unwrap_or(start),
                _ => start,
            };
            let prolongs = spec.effect == Effect::Prolongs;
            // "extended to 31 December 2010", "extended to the end of 2010" widen nothing.
            let dated = self.caps.name("words").is_some_and(|w| TIME.is_match(w.as_str()));
            if prolongs && ending.is_none() || dated {
                continue;
            }
            // Rewriting an act's last day prolongs the act, not the article it stands in.
            let parts = match ending {
                Some((_, true)) => Vec::new(),
                _ if reach.parts.is_empty() && spec.effect == Effect::Rewrites => self.part_after_target(),
                _ => reach.parts.clone(),
            };
            let pauses = narrows || spec.effect == Effect::Pauses;
            let mut draft = Draft {
                relation: spec.name.clone(),
                effect: spec.effect,
                target,
                extent: extent(spec.effect, &parts, reach.unnamed || ends && self.limited(&plain.text)),
                parts,
                saved: Vec::new(),
                start,
                until: ending
                    .map(|e| e.0)
                    .filter(|_| !ends)
                    .or(last)
                    .or_else(|| pauses.then(|| until(&rest)).flatten()),
                words,
                edit: edit.clone().filter(|_| spec.effect == Effect::Rewrites),
                days: Vec::new(),
                alone: self.alone,
            };
            draft.save(saved);
            drafts.push(draft);
        }
        drafts
    }

    /// Whether the sentence says no more than what its edit says: what stands behind may replace further words.
    fn says_no_more(&self) -> bool {
        let end = self.caps.get(0).map_or(0, |m| m.end());
        let both = ["old", "new"].iter().all(|group| self.caps.name(group).is_some_and(|m| !m.as_str().is_empty()));
        both && !self.body.text[end..].chars().any(|c| c.is_alphanumeric() || c == '<')
    }

    /// Whether words before the target ("the provisions on taxes in …") or after the verb ("as regards …") limit
    /// what ends. What a clause leaves untouched ("without prejudice to the obligations in respect of …") limits
    /// nothing.
    fn limited(&self, rest: &str) -> bool {
        let before = self.caps.get(0).zip(self.caps.name("target"));
        let before = before.map_or("", |(whole, target)| &self.body.text[whole.start()..target.start()]);
        PROVISIONS.is_match(before)
            || LIMITS.is_match(before)
            || LIMITS.is_match(rest.split("without prejudice").next().unwrap_or_default())
    }

    fn exceptions(&self, text: &Slotted, target: &Celex, reach: &Reach) -> Exceptions {
        savings::exceptions(text, target, &reach.parts, self.source)
    }

    /// "In <act>, Article 5 is deleted": the one list of parts between the target and the verb.
    fn part_after_target(&self) -> Vec<Part> {
        let range =
            self.caps.name("target").zip(self.caps.get(0)).map_or(0..0, |(target, whole)| target.end()..whole.end());
        let lists = self.body.between(&range).iter().filter_map(|s| match &s.filling {
            Filling::Parts(parts) => Some(parts),
            _ => None,
        });
        let lists: Vec<&Vec<Part>> = lists.collect();
        if let [only] = lists.as_slice() { (*only).clone() } else { Vec::new() }
    }

    /// What follows the target up to the verb.
    fn tail(&self) -> Option<Slotted> {
        self.caps.name("tail").map(|tail| self.body.piece(tail.range()))
    }

    /// The words replaced and those put in their place, marks taken off.
    fn edit(&self) -> Option<Edit> {
        let words = |name: &str| {
            let group = self.caps.name(name)?;
            Some(corrections::bare(&self.body.words(group.range(), self.source)))
        };
        words("new").map(|new| Edit { old: words("old").unwrap_or_default(), new, ..Edit::default() })
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
        let events = spec.effect != Effect::Rewrites && !self.title;
        let event = || moments::event_before(self.lead, self.source).or_else(|| moments::event(rest, self.source));
        if let Some(event) = events.then(event).flatten() {
            return event;
        }
        let Some((whole, target)) = self.caps.get(0).zip(self.caps.name("target")) else { return When::Unstated };
        let after = self.caps.name("tail").map_or(target.end(), |tail| tail.end());
        let inside = [whole.start()..target.start(), after..whole.end().max(after)].into_iter();
        let moment =
            inside.filter(|_| spec.effect != Effect::Rewrites).find_map(|r| moments::first(&self.body.piece(r)));
        moment.map_or(When::Unstated, |m| m.when)
    }
}

fn extent(effect: Effect, parts: &[Part], unnamed: bool) -> Extent {
    match effect {
        _ if !parts.is_empty() => Extent::Partial,
        Effect::Rewrites | Effect::Supplements => Extent::Unknown,
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
