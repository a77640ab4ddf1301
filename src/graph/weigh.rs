//! The law of one act on one day: whether it has begun, what ends it, whether it applies. Decides from a [`Docket`]
//! alone, and names the grounds of the answer only where somebody wants to hear them.

use super::docket::{At, Docket, Touched};
use super::edges::Footing;
use super::grounds::Ground;
use super::moment::Moment;
use crate::law::{Answer, Day, Effect, Extent, Part, TermKind};
use serde::Serialize;

/// How a touch meets what is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// All of it, or all but a saved part.
    Whole,
    /// None of it: it is saved, until the last day given.
    Saved(Option<Day>),
    /// A part of it.
    Part,
    /// None of it.
    None,
    /// Not known.
    Unknown,
}

/// Where an end comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// A touch by another act, how it meets what is asked about, and the acting act's rank.
    Touch(At, Reach, usize),
    /// The act's own terms.
    Own(usize),
    /// The end of a part by the act's own terms.
    Stage(usize),
    /// The register alone.
    Register(Day),
}

/// Something that ends what is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    pub source: Source,
    /// The first day without it.
    pub from: Moment,
    /// Whether it is known to end all of it.
    pub whole: bool,
    /// A statement that no effect was left.
    pub spent: bool,
    /// From this day on it no longer counts.
    pub over: Option<Day>,
    /// The in-force flag that bounds it or casts doubt on it.
    pub flag: Option<Day>,
    /// The register's last day, where it dates this end or differs from it.
    pub recorded: Option<Day>,
}

impl End {
    fn new(source: Source, from: Moment) -> Self {
        Self { source, from, whole: true, spent: false, over: None, flag: None, recorded: None }
    }

    /// Whether it has come by this day, and still counts on it.
    pub fn reached(&self, on: Day) -> Answer {
        if self.over.is_some_and(|over| over <= on) { Answer::No } else { self.from.reached(on) }
    }

    /// Whether what is asked about has ended by it.
    pub fn ended(&self, on: Day) -> Answer {
        let reached = self.reached(on);
        if self.whole { reached } else { reached.and(Answer::Unknown) }
    }

    fn by(&self) -> Option<usize> {
        match self.source {
            Source::Touch(.., by) => Some(by),
            _ => None,
        }
    }
}

/// The answers to the two questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Answers {
    /// Begun and not ended.
    pub in_force: Answer,
    /// In force, begun to apply, and not paused.
    pub applicable: Answer,
}

impl Answers {
    pub(super) fn both(answer: Answer) -> Self {
        Self { in_force: answer, applicable: answer }
    }
}

/// Who listens to the grounds, if anybody.
pub(super) struct Hearing<'g>(pub Option<&'g mut Vec<Ground>>);

impl Hearing<'_> {
    fn aloud(&self) -> bool {
        self.0.is_some()
    }

    fn say(&mut self, ground: Ground) {
        if let Some(grounds) = &mut self.0 {
            grounds.push(ground);
        }
    }

    fn say_first(&mut self, ground: Ground) {
        if let Some(grounds) = &mut self.0 {
            grounds.insert(0, ground);
        }
    }
}

/// Whether the act or part is in force and applicable on the day. `ends` is room to work in.
pub(super) fn weigh<D: Docket>(
    docket: &D,
    part: Option<&Part>,
    on: Day,
    ends: &mut Vec<End>,
    mut hearing: Hearing<'_>,
) -> Answers {
    if let Some(newest) = docket.newest().filter(|newest| on > *newest) {
        hearing.say(Ground::After(newest));
        return Answers::both(Answer::Unknown);
    }
    if !docket.published() {
        hearing.say(Ground::Unpublished(docket.known_on()));
        let before = docket.known_on().is_some_and(|known| on <= known);
        return Answers::both(if before { Answer::No } else { Answer::Unknown });
    }
    if let Some(void) = void(docket, part) {
        hearing.say(void);
        return Answers::both(Answer::No);
    }
    let stage = part.and_then(|p| stage(docket, TermKind::EntryIntoForce, p));
    let begins = stage.map_or_else(|| docket.begins(), |(_, at)| at);
    let begun = begins.reached(on);
    let ended = if begun == Answer::No {
        Answer::No
    } else {
        collect(docket, part, ends);
        ended(docket, part, on, ends, &mut hearing)
    };
    match stage {
        Some((i, _)) => hearing.say(Ground::Stage(i)),
        None => hearing.say(Ground::Begins),
    }
    if stage.is_none() && begins.known().is_none() {
        hearing.say(Ground::Began(begins));
    }
    let mut in_force = begun.and(!ended);
    if let Some(seen) = docket.seen().filter(|seen| in_force == Answer::Yes && *seen < on) {
        in_force = Answer::Unknown;
        hearing.say_first(Ground::Unseen(seen));
    }
    if in_force == Answer::Yes && part.is_some_and(|p| docket.lacks(p)) {
        in_force = Answer::Unknown;
        hearing.say_first(Ground::Lacks);
    }
    let applies = if in_force == Answer::No { Answer::No } else { applies(docket, part, on, &mut hearing) };
    if in_force == Answer::Yes {
        hearing.say(Ground::Standing);
    }
    Answers { in_force, applicable: in_force.and(applies) }
}

/// The stage of this kind that the part falls under.
fn stage<D: Docket>(docket: &D, kind: TermKind, part: &Part) -> Option<(usize, Moment)> {
    let mut stages = docket.stages().enumerate();
    stages
        .find(|(_, (of, parts, _))| *of == kind && parts.iter().any(|p| docket.holds(p, part)))
        .map(|(i, (.., at))| (i, at))
}

/// How a touch of the act meets the part asked about, or the act.
pub(super) fn reach<D: Docket>(docket: &D, touch: &Touched<'_>, asked: Option<&Part>) -> Reach {
    let saves_parts = touch.saved.iter().any(|s| s.part.is_some());
    let Some(asked) = asked else {
        return match touch.extent {
            Extent::Whole => Reach::Whole,
            Extent::Partial if touch.parts.is_empty() && saves_parts => Reach::Whole,
            Extent::Partial => Reach::Part,
            Extent::Unknown => Reach::Unknown,
        };
    };
    let mut saved = touch.saved.iter().filter_map(|s| s.part.as_ref().map(|p| (p, s.until)));
    if let Some((_, until)) = saved.find(|(p, _)| docket.holds(p, asked)) {
        return Reach::Saved(until);
    }
    match touch.extent {
        Extent::Whole => Reach::Whole,
        Extent::Unknown => Reach::Unknown,
        Extent::Partial if touch.parts.is_empty() && saves_parts => Reach::Whole,
        Extent::Partial if touch.parts.is_empty() => Reach::Unknown,
        Extent::Partial => {
            let has = |test: &dyn Fn(&Part) -> bool| touch.parts.iter().any(test);
            // Without the text, nobody knows which articles a chapter holds.
            let blind = |p: &Part| !docket.has_units() && p.division() != asked.division();
            if has(&|p| docket.holds(p, asked)) {
                Reach::Whole
            } else if has(&|p| docket.holds(asked, p)) {
                Reach::Part
            } else if has(&blind) {
                Reach::Unknown
            } else {
                Reach::None
            }
        }
    }
}

/// Why the act, or this part of it, counts as never made.
pub(super) fn void<D: Docket>(docket: &D, part: Option<&Part>) -> Option<Ground> {
    if docket.void() {
        return Some(Ground::Void);
    }
    let mut touches = docket.touches().filter(|t| t.effect == Effect::Voids && t.saved.is_empty());
    touches.find(|t| reach(docket, t, part) == Reach::Whole).map(|t| Ground::VoidedBy(t.at))
}

/// Everything but flags that ends the act or the part, the certain ends first, by day.
pub(super) fn collect<D: Docket>(docket: &D, part: Option<&Part>, ends: &mut Vec<End>) {
    ends.clear();
    for touch in docket.touches() {
        if !matches!(touch.effect, Effect::DeclaresSpent | Effect::Ends | Effect::Voids) || docket.superseded(touch.at)
        {
            continue;
        }
        let reach = reach(docket, &touch, part);
        if matches!(reach, Reach::None | Reach::Part | Reach::Saved(None)) {
            continue;
        }
        if let Some(start) = docket.start(touch.at) {
            ends.push(end(docket, &touch, start, reach));
        }
    }
    ends.extend(
        (0..).zip(docket.own_ends()).map(|(i, own)| End { over: own.over, ..End::new(Source::Own(i), own.from) }),
    );
    if let Some((i, at)) = part.and_then(|p| stage(docket, TermKind::Expiry, p)) {
        ends.push(End::new(Source::Stage(i), at));
    }
    if let Some(last) = docket.recorded() {
        record(last, ends);
    }
    ends.sort_by_key(|e| (!e.whole, e.from.latest.is_none(), e.from.latest, e.by()));
}

/// The end that a touch brings which reaches what is asked about.
fn end<D: Docket>(docket: &D, touch: &Touched<'_>, start: Moment, reach: Reach) -> End {
    let mut end = End::new(Source::Touch(touch.at, reach, touch.by), start);
    end.spent = touch.effect == Effect::DeclaresSpent;
    end.whole = reach != Reach::Unknown;
    if let Reach::Saved(Some(until)) = reach {
        end.from = Moment::on(until.succ());
    }
    if end.spent {
        end.from.earliest = docket.begins().earliest;
    }
    let alive = || docket.flags().filter(|(_, flag)| *flag).map(|(day, _)| day);
    match touch.footing {
        // Only here does the flag decide.
        Footing::Contradicted => {
            end.flag = alive().last();
            if let Some(day) = end.flag {
                end.from = Moment::not_before(Some(end.from.earliest.map_or(day.succ(), |e| e.max(day.succ()))));
            }
        }
        Footing::Bare if end.whole && !end.spent => {
            end.flag = alive().filter(|day| end.from.reached(*day) != Answer::No).last();
            end.whole = end.flag.is_none();
        }
        _ => {}
    }
    end
}

/// The register's end of validity: it dates an end whose day is not printed, or stands alone.
fn record(last: Day, ends: &mut Vec<End>) {
    let from = Moment::on(last.succ());
    let mut placed = false;
    for end in ends.iter_mut().filter(|e| e.whole && !e.spent) {
        match end.from.known() {
            Some(day) if day == last.succ() => placed = true,
            Some(_) => {
                end.recorded = Some(last);
                placed = true;
            }
            None if end.from.reached(last.succ()) != Answer::No => {
                end.from = from;
                end.recorded = Some(last);
                placed = true;
            }
            None => {}
        }
    }
    if !placed {
        ends.push(End::new(Source::Register(last), from));
    }
}

/// Whether what is asked about has ended by the day.
fn ended<D: Docket>(docket: &D, part: Option<&Part>, on: Day, ends: &[End], hearing: &mut Hearing<'_>) -> Answer {
    let any = |answer| ends.iter().any(|e| e.ended(on) == answer);
    let over = || docket.flags().filter(|(_, flag)| !flag).map(|(day, _)| day);
    // A flag that says "over" before the day decides where nothing else does; one taken later leaves it open.
    let flag = if any(Answer::Yes) { None } else { over().find(|day| *day <= on) };
    let doubtful = |day: &Day| *day > on && !ends.iter().any(|e| e.reached(*day) != Answer::No);
    let answer = if flag.is_some() || any(Answer::Yes) {
        Answer::Yes
    } else if any(Answer::Unknown) || over().any(|day| doubtful(&day)) {
        Answer::Unknown
    } else {
        Answer::No
    };
    if hearing.aloud() {
        let of = |answer| ends.iter().filter(move |e| e.ended(on) == answer).map(|e| Ground::Ended(*e));
        let flags = |day| Ground::OverByFlag(day);
        of(Answer::Yes).chain(flag.map(flags)).for_each(|g| hearing.say(g));
        of(Answer::Unknown).chain(over().filter(doubtful).map(flags)).for_each(|g| hearing.say(g));
        touched_parts(docket, part, on, hearing);
        of(Answer::No).for_each(|g| hearing.say(g));
        if answer == Answer::Yes
            && let Some((day, _)) = docket.flags().find(|(day, flag)| *flag && *day >= on)
        {
            hearing.say(Ground::InForceByFlag(day));
        }
    }
    answer
}

/// Parts that ended, parts that were saved, and effects that never came about.
fn touched_parts<D: Docket>(docket: &D, part: Option<&Part>, on: Day, hearing: &mut Hearing<'_>) {
    for touch in docket.touches().filter(|t| t.effect == Effect::Ends && !docket.superseded(t.at)) {
        match docket.start(touch.at) {
            None => hearing.say(Ground::Never(touch.at)),
            Some(start) => {
                let inside = matches!(reach(docket, &touch, part), Reach::Part | Reach::Saved(_));
                if inside && start.reached(on) != Answer::No {
                    hearing.say(Ground::Touched(touch.at));
                }
            }
        }
    }
}

/// Whether it has begun to apply and is not paused; force is asked apart.
fn applies<D: Docket>(docket: &D, part: Option<&Part>, on: Day, hearing: &mut Hearing<'_>) -> Answer {
    let stage = part.and_then(|p| stage(docket, TermKind::Application, p));
    let named = stage.map(|(i, at)| (Ground::Stage(i), at));
    let mut answer = match named.or_else(|| docket.applies().map(|at| (Ground::Applies, at))) {
        Some((ground, at)) => {
            hearing.say(ground);
            at.reached(on)
        }
        None => Answer::Yes,
    };
    for touch in docket.touches().filter(|t| t.effect == Effect::Pauses) {
        let Some(start) = docket.start(touch.at) else { continue };
        let (from, known) = match reach(docket, &touch, part) {
            Reach::None | Reach::Part | Reach::Saved(None) => continue,
            Reach::Saved(Some(until)) => (Moment::on(until.succ()), Answer::Yes),
            Reach::Whole => (start, Answer::Yes),
            Reach::Unknown => (start, Answer::Unknown),
        };
        let over = touch.until.map_or(Answer::No, |last| Answer::from(last < on));
        let paused = from.reached(on).and(!over).and(known);
        if paused != Answer::No {
            hearing.say(Ground::Paused(touch.at, from));
        }
        answer = answer.and(!paused);
    }
    answer
}
