//! What ends an act or a part of it: other acts, its own terms, the register's word.

use super::edges::{Edge, Footing};
use super::moment::Moment;
use super::node::Node;
use super::relation_graph::RelationGraph;
use super::starts::Start;
use super::status::{Asked, Reason};
use super::view::View;
use crate::law::{Answer, Basis, Celex, Day, Effect, Endpoint, Extent, Part, TermKind, Touch};
use serde::Serialize;

/// Something that ends an act, or the part asked about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ending {
    /// The act that ends it; none: its own terms, or the register alone.
    pub by: Option<Celex>,
    /// The first day without it.
    pub from: Moment,
    /// Whether it is known to end all that was asked about; else its extent is not known.
    pub whole: bool,
    /// A statement that no effect was left: never "ended by".
    pub spent: bool,
    /// From this day on it no longer counts: a later act had taken the target as living.
    pub over: Option<Day>,
    /// The fact.
    pub because: Reason,
}

impl Ending {
    /// Whether it has come by this day, and still counts on it.
    pub fn reached(&self, on: Day) -> Answer {
        if self.over.is_some_and(|over| over <= on) { Answer::No } else { self.from.reached(on) }
    }
}

/// The last day in force, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum LastDay {
    /// This day.
    On(Day),
    /// Nothing here ends it.
    Open,
    /// Something ends it, or may; the day is not known.
    Unknown,
}

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

impl Node {
    /// How a touch of this act meets the part asked about, or the act.
    pub fn reach(&self, touch: &Touch, asked: Option<&Part>) -> Reach {
        let saves_parts = touch.saved.iter().any(|s| s.part.is_some());
        let Some(asked) = asked else {
            return match touch.extent {
                Extent::Whole => Reach::Whole,
                Extent::Partial if touch.parts.is_empty() && saves_parts => Reach::Whole,
                Extent::Partial => Reach::Part,
                Extent::Unknown => Reach::Unknown,
            };
        };
        let saved = touch.saved.iter().filter_map(|s| s.part.as_ref().map(|p| (p, s.until)));
        if let Some((_, until)) = saved.clone().find(|(p, _)| self.holds(p, asked)) {
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
                let blind = |p: &Part| self.act.is_none() && p.division() != asked.division();
                if has(&|p| self.holds(p, asked)) {
                    Reach::Whole
                } else if has(&|p| self.holds(asked, p)) {
                    Reach::Part
                } else if has(&blind) {
                    Reach::Unknown
                } else {
                    Reach::None
                }
            }
        }
    }
}

impl RelationGraph {
    /// What ends the act or part, as known then. Empty where nothing here does.
    pub fn endings(&self, at: &Endpoint, known_on: Option<Day>) -> Vec<Ending> {
        let Some(node) = self.node(&at.celex) else { return Vec::new() };
        let mut trail = vec![at.celex.clone()];
        self.view(known_on).endings(node, at.part.as_ref(), &mut trail)
    }

    /// The last day in force, as the law stood when this was known.
    pub fn last_day(&self, at: &Endpoint, known_on: Option<Day>) -> LastDay {
        let endings = self.endings(at, known_on);
        let endings: Vec<Ending> = endings.into_iter().filter(|e| e.over.is_none()).collect();
        let certain = endings.iter().filter(|e| e.whole && !e.spent).filter_map(|e| e.from.known()).min();
        let earlier = |e: &Ending| match (e.from.earliest, certain) {
            (Some(may), Some(day)) => may < day,
            _ => true,
        };
        let doubtful = endings.iter().filter(|e| !e.whole || e.spent || e.from.known().is_none()).any(earlier);
        match certain {
            _ if doubtful => LastDay::Unknown,
            Some(day) => LastDay::On(day.pred()),
            None => match self.node(&at.celex) {
                Some(node) if self.view(known_on).flags(node).any(|(_, flag)| !flag) => LastDay::Unknown,
                _ => LastDay::Open,
            },
        }
    }

    /// Whether `by` had ended the act or part by that day.
    pub fn ended_by(&self, at: &Endpoint, by: &Celex, asked: Asked) -> Answer {
        let endings = self.endings(at, asked.known_on);
        let answers = endings.iter().filter(|e| e.by.as_ref() == Some(by) && !e.spent).map(|e| {
            let reached = e.reached(asked.on);
            if e.whole { reached } else { reached.and(Answer::Unknown) }
        });
        !answers.fold(Answer::Yes, |none, a| none.and(!a))
    }
}

impl View<'_> {
    /// Why the act, or this part of it, counts as never made.
    pub(super) fn voided(&self, node: &Node, part: Option<&Part>) -> Option<Reason> {
        let celex = &node.life.celex;
        if node.void {
            return Some(Reason::about(celex, format!("{celex} was declared void: as if never made")));
        }
        let (edge, _) = self.incoming(node).find(|(e, _)| {
            e.effect == Effect::Voids
                && e.relation.touches.iter().any(|t| t.saved.is_empty() && node.reach(t, part) == Reach::Whole)
        })?;
        let by = &edge.relation.source;
        Some(Reason::about(by, format!("{by} declares {celex} void: as if never made")).and(celex))
    }

    /// Everything but flags that ends the act or the part; `trail` guards against acts that end each other.
    pub(super) fn endings(&self, node: &Node, part: Option<&Part>, trail: &mut Vec<Celex>) -> Vec<Ending> {
        let celex = &node.life.celex;
        let mut endings = Vec::new();
        for (edge, _) in self.incoming(node) {
            let spent = edge.effect == Effect::DeclaresSpent;
            let ends = spent || matches!(edge.effect, Effect::Ends | Effect::Voids);
            if !ends || self.graph.superseded(&edge.relation) {
                continue;
            }
            for (i, touch) in edge.relation.touches.iter().enumerate() {
                let start = self.start(edge, i, trail);
                let reach = node.reach(touch, part);
                if start.never.is_none() {
                    endings.extend(self.ending(node, edge, i, &start, reach));
                }
            }
        }
        endings.extend(self.expiry(node, trail));
        if let Some(stage) = part.and_then(|p| node.stage(TermKind::Expiry, p)) {
            let because = stage.because.clone();
            endings.push(Ending { by: None, from: stage.at, whole: true, spent: false, over: None, because });
        }
        self.recorded_end(node, &mut endings);
        endings.sort_by(|a, b| {
            let key = |e: &Ending| (!e.whole, e.from.latest.is_none(), e.from.latest, e.by.clone());
            key(a).cmp(&key(b))
        });
        for ending in &mut endings {
            ending.because = ending.because.clone().and(celex);
        }
        endings
    }

    fn ending(&self, node: &Node, edge: &Edge, i: usize, start: &Start, reach: Reach) -> Option<Ending> {
        let touch = &edge.relation.touches[i];
        let mut from = start.moment;
        let mut whole = true;
        match reach {
            Reach::None | Reach::Part | Reach::Saved(None) => return None,
            Reach::Saved(Some(until)) => from = Moment::on(until.succ()),
            Reach::Whole => {}
            Reach::Unknown => whole = false,
        }
        let spent = edge.effect == Effect::DeclaresSpent;
        if spent {
            from = Moment { earliest: self.begins(node).earliest, latest: from.latest };
        }
        let mut because = told(edge, touch, start, reach);
        match edge.readings[i].footing {
            Footing::Contradicted => {
                // Only here does the flag decide.
                if let Some((day, _)) = self.flags(node).filter(|(_, flag)| *flag).last() {
                    from = Moment::not_before(Some(from.earliest.map_or(day.succ(), |e| e.max(day.succ()))));
                    because.add(&format!("; the register's flag says in force on {}", day.long()));
                }
            }
            Footing::Bare if whole && !spent => {
                if let Some((day, _)) =
                    self.flags(node).filter(|(d, flag)| *flag && from.reached(*d) != Answer::No).last()
                {
                    whole = false;
                    because.add(&format!(
                        ", by a register row that names no extent; but the register's flag says in force on {}",
                        day.long()
                    ));
                }
            }
            _ => {}
        }
        Some(Ending { by: Some(edge.relation.source.clone()), from, whole, spent, over: None, because })
    }

    /// The register's end of validity: it dates an end whose day is not printed, or stands alone.
    fn recorded_end(&self, node: &Node, endings: &mut Vec<Ending>) {
        let Some(record) = node.record.as_ref().filter(|r| self.taken(r.taken)) else { return };
        let alive = record.open_end || self.flags(node).any(|(day, flag)| flag && record.ends.iter().all(|e| *e < day));
        let Some(last) = record.ends.iter().max().copied().filter(|_| !alive) else { return };
        let from = Moment::on(last.succ());
        let celex = &node.life.celex;
        let recorded = format!("the register records {} as the last day of {celex}", last.long());
        let mut placed = false;
        for ending in endings.iter_mut().filter(|e| e.whole && !e.spent) {
            match ending.from.known() {
                Some(day) if day == last.succ() => placed = true,
                Some(_) => {
                    ending.because.add(&format!("; but {recorded}"));
                    placed = true;
                }
                None if ending.from.reached(last.succ()) != Answer::No => {
                    ending.from = from;
                    ending.because.add(&format!("; {recorded}"));
                    placed = true;
                }
                None => {}
            }
        }
        if !placed {
            let because = Reason::about(celex, recorded);
            endings.push(Ending { by: None, from, whole: true, spent: false, over: None, because });
        }
    }

    /// Whether the act or part has ended by the day, with the facts for and against.
    pub(super) fn ended(&self, node: &Node, part: Option<&Part>, on: Day) -> (Answer, Vec<Reason>) {
        let celex = &node.life.celex;
        let endings = self.endings(node, part, &mut vec![celex.clone()]);
        let (mut yes, mut unknown, mut other) = (Vec::new(), Vec::new(), Vec::new());
        for ending in &endings {
            let reached = ending.reached(on);
            match (reached, ending.whole) {
                (Answer::Yes, true) => yes.push(ending.because.clone()),
                (Answer::No, _) => other.push(ending.because.clone()),
                _ => unknown.push(ending.because.clone()),
            }
        }
        for (day, flag) in self.flags(node).filter(|(_, flag)| !flag) {
            let says = format!("the register says that on {} {celex} was no longer in force", day.long());
            let because = Reason::about(celex, says);
            if day <= on && yes.is_empty() {
                yes.push(because);
            } else if day > on && !flag && !endings.iter().any(|e| e.reached(day) != Answer::No) {
                unknown.push(because);
            }
        }
        let answer = if !yes.is_empty() {
            Answer::Yes
        } else if unknown.is_empty() {
            Answer::No
        } else {
            Answer::Unknown
        };
        let mut because = yes;
        because.extend(unknown);
        because.extend(self.touched_parts(node, part, on));
        because.extend(other);
        if answer == Answer::Yes
            && let Some((day, _)) = self.flags(node).find(|(day, flag)| *flag && *day >= on)
        {
            let says =
                format!("the register's flag says that {celex}, or what is left of it, was in force on {}", day.long());
            because.push(Reason::about(celex, says));
        }
        (answer, because)
    }

    /// Parts that ended, parts that were saved, and effects that never came about.
    fn touched_parts(&self, node: &Node, part: Option<&Part>, on: Day) -> Vec<Reason> {
        let mut because = Vec::new();
        for (edge, _) in self.incoming(node).filter(|(e, _)| matches!(e.effect, Effect::Ends)) {
            if self.graph.superseded(&edge.relation) {
                continue;
            }
            for (i, touch) in edge.relation.touches.iter().enumerate() {
                let start = self.start(edge, i, &mut vec![node.life.celex.clone()]);
                let reach = node.reach(touch, part);
                if let Some(never) = start.never {
                    because.push(never);
                } else if matches!(reach, Reach::Part | Reach::Saved(_)) && start.moment.reached(on) != Answer::No {
                    because.push(told(edge, touch, &start, reach));
                }
            }
        }
        because
    }
}

/// The fact that a touch states, in words.
fn told(edge: &Edge, touch: &Touch, start: &Start, reach: Reach) -> Reason {
    let (source, target) = (&edge.relation.source, &edge.relation.target);
    let list = |parts: Vec<String>| parts.join(", ");
    let what = match (touch.extent, touch.parts.is_empty()) {
        (Extent::Unknown, _) => format!("{target}, how much of it is not known,"),
        (_, false) => format!("{} of {target}", list(touch.parts.iter().map(Part::long).collect())),
        (Extent::Partial, true) if touch.saved.is_empty() => format!("part of {target}, which is not known,"),
        _ => target.to_string(),
    };
    let verb = match edge.effect {
        Effect::DeclaresSpent => "states to have no effect left:",
        Effect::Voids => "declares void",
        _ => "ends",
    };
    let mut says = vec![format!("{source} {verb} {what} {}", start.moment.words())];
    if let Some(words) = &touch.conditional {
        says.push(format!(", if and when \u{201c}{words}\u{201d}"));
    }
    if touch.basis == Some(Basis::EntryIntoForce) {
        says.push(" (presumed: its entry into force, for no other day is named)".to_string());
    }
    if touch.basis == Some(Basis::Applies) {
        says.push(" (the day from which it applies)".to_string());
    }
    if let Some(day) = start.moved_from {
        let by: Vec<String> = start.changed_by.iter().map(Celex::to_string).collect();
        says.push(format!(" (first printed as {}, moved by {})", day.long(), by.join(", ")));
    }
    if start.confirmed.is_some() {
        let by: Vec<String> = start.changed_by.iter().map(Celex::to_string).collect();
        let by = by.join(", ");
        says.push(format!(" (changed by {by}; the consolidated states of {target} confirm the day)"));
    }
    if let Some(doubt) = &start.unconfirmed {
        says.push(format!("; unconfirmed: {doubt}"));
    }
    let saved: Vec<String> = touch
        .saved
        .iter()
        .filter_map(|s| {
            let part = s.part.as_ref()?.long();
            Some(s.until.map_or(part.clone(), |u| format!("{part} until {}", u.long())))
        })
        .collect();
    if !saved.is_empty() {
        says.push(format!(", but {} lives on", list(saved)));
    }
    if edge.default_extent == Extent::Unknown && reach == Reach::Unknown {
        says.push(" (an implicit repeal, which no text states)".to_string());
    }
    let mut reason = Reason::about(source, says.concat()).and(target);
    for by in &start.changed_by {
        reason = reason.and(by);
    }
    match edge.relation.evidence.get(touch.evidence) {
        Some(crate::law::Evidence::Text { quote }) => reason.quoting(quote),
        Some(crate::law::Evidence::Bridge { via, clause, .. }) => {
            reason.add(&format!(", by the bridge through {via}"));
            reason.and(via).quoting(clause)
        }
        _ => reason,
    }
}
