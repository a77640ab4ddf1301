//! How an act ends by its own terms: its printed last day, the acts that moved it, and what casts doubt on it.

use super::docket::OwnEnd;
use super::edges::Edge;
use super::moment::Moment;
use super::node::Node;
use super::starts::{self, Start};
use super::status::Reason;
use super::view::View;
use crate::law::{Celex, Day, Effect, Part};

/// An end by the act's own terms, and why.
#[derive(Debug, Clone)]
pub(super) struct Own {
    pub end: OwnEnd,
    pub because: Reason,
}

/// The last day as it stands after the prolongations looked at so far.
struct Standing<'a> {
    last: Option<Day>,
    /// The unit that prints it; none after a prolongation.
    place: Option<&'a Part>,
    /// The day the act that set it was made: what changed before then does not matter.
    since: Option<Day>,
    /// Prolonged, but until when is not here.
    open: bool,
    because: Vec<Reason>,
}

impl View<'_> {
    /// What ends the act by its own terms, prolongations counted.
    ///
    /// A prolongation that comes after the last day revives nothing, unless that day is unconfirmed: then
    /// the days between are unknown, and the act lives on to its new last day.
    pub(super) fn expiry(&self, act: &Node, trail: &mut Vec<Celex>) -> Vec<Own> {
        let mut standing = Standing {
            last: act.life.last_day,
            place: act.life.last_day_in.as_ref(),
            since: None,
            open: false,
            because: act.life.last_day_because.iter().cloned().collect(),
        };
        self.rewritten(act, &mut standing);
        let mut endings = Vec::new();
        for (start, until, edge) in self.prolongations(act, trail) {
            let by = &edge.relation.source;
            let late = standing.last.zip(start.shown).filter(|(last, start)| *start > last.succ());
            if let Some((last, from)) = late {
                if self.doubt(act, &standing).is_none() {
                    let says = format!("{by} prolongs {} only after its last day", act.life.celex);
                    standing.because.push(Reason::about(by, says).and(&act.life.celex));
                    continue;
                }
                let says = format!(
                    "{} prints {} as its last day, which a later act may have moved before {by} prolonged it from {}",
                    act.life.celex,
                    last.long(),
                    from.long()
                );
                let because = Reason::about(&act.life.celex, says).and(by);
                let end = OwnEnd { from: Moment::not_before(Some(last.succ())), over: Some(from) };
                endings.push(Own { end, because });
            }
            standing.prolong(act, edge, until);
        }
        endings.extend(self.own_end(act, standing));
        endings
    }

    /// Puts the last day that a later act wrote into the provision in the place of the printed one.
    fn rewritten(&self, act: &Node, standing: &mut Standing<'_>) {
        let Some(printed) = standing.last else { return };
        let places: Vec<Part> = standing.place.cloned().into_iter().collect();
        let reread = self.reread(act, printed, &places);
        let Some((by, day)) = reread.changed_by.last().zip(reread.moved.then_some(reread.day)) else { return };
        standing.last = Some(day);
        standing.since = self.graph.node(by).and_then(starts::made);
        let says = format!("{by} moves the last day of {} from {} to {}", act.life.celex, printed.long(), day.long());
        standing.because.insert(0, Reason::about(by, says).and(&act.life.celex));
    }

    /// The prolongations of the act as a whole that came about, in order of their beginning.
    fn prolongations<'a>(&'a self, act: &Node, trail: &mut Vec<Celex>) -> Vec<(Start, Option<Day>, &'a Edge)> {
        let mut found = Vec::new();
        for (edge, _) in self.incoming(act).filter(|(e, _)| e.effect == Effect::Prolongs) {
            for (i, touch) in edge.relation.touches.iter().enumerate().filter(|(_, t)| t.parts.is_empty()) {
                found.push((self.start(edge, i, trail), touch.until, edge));
            }
        }
        found.retain(|(start, ..)| start.never.is_none());
        found.sort_by_key(|(start, until, e)| (start.shown, *until, e.relation.source.clone()));
        found
    }

    fn own_end(&self, act: &Node, mut standing: Standing<'_>) -> Option<Own> {
        let celex = &act.life.celex;
        let without = standing.last?.succ();
        let doubt = self.doubt(act, &standing);
        if !standing.open && doubt.is_none() {
            return Some(own(Moment::on(without), standing.because.into_iter().next()?));
        }
        let mut from = Moment::not_before(Some(without));
        if standing.open {
            // A register row that prolongs without a day, which no text bears out: here the flag decides.
            if let Some((day, _)) = self.flags(act).filter(|(_, flag)| *flag).last() {
                from = Moment::not_before(Some(without.max(day.succ())));
                let says = format!("the register's flag says that {celex} was in force on {}", day.long());
                standing.because.insert(0, Reason::about(celex, says));
            }
        }
        let mut because = standing.because.into_iter().next()?;
        if let Some(by) = doubt {
            because.add(&format!(
                "; unconfirmed: {by} shows that it was changed before its last day of {} or lived on after it",
                without.pred().long()
            ));
            because = because.and(&by);
        }
        Some(own(from, because))
    }

    /// What shows that the last day may not stand: a change of the act before it, or a state that begins after it.
    fn doubt(&self, act: &Node, standing: &Standing<'_>) -> Option<Celex> {
        let last = standing.last?;
        let after = |day: Day| standing.since.is_none_or(|since| day > since);
        let changed = self.incoming(act).find(|(e, by)| {
            e.effect == Effect::Rewrites
                && !e.from_beginning
                && starts::made(by).is_none_or(|m| m <= last && after(m))
                && starts::may_touch(e, act, standing.place.map(std::slice::from_ref).unwrap_or_default())
        });
        let state = |s: &&crate::law::ConsolidatedState| s.from > last || standing.since.is_none();
        let changed = changed.map(|(e, _)| e.relation.source.clone());
        changed.or_else(|| self.changed_states(act).find(state).map(|s| s.celex.clone()))
    }
}

impl Standing<'_> {
    fn prolong(&mut self, act: &Node, edge: &Edge, until: Option<Day>) {
        let (by, celex) = (&edge.relation.source, &act.life.celex);
        let says = if let Some(day) = until {
            if self.last.is_none_or(|last| day > last) {
                self.last = Some(day);
                self.place = None;
                self.since = edge.made;
                self.open = false;
            }
            format!("{by} moves the last day of {celex} to {}", day.long())
        } else {
            self.open = true;
            format!("{by} prolongs {celex}, until when is not here")
        };
        self.because.insert(0, Reason::about(by, says).and(celex));
    }
}

fn own(from: Moment, because: Reason) -> Own {
    Own { end: OwnEnd { from, over: None }, because }
}
