//! When an effect begins, as known on a day: the printed day, moved by later acts, doubted where the
//! acting act was changed in a way that is not known, and fallen where the acting act was void or had
//! ended before.

use super::case::Case;
use super::edges::Edge;
use super::facts::Moved;
use super::moment::Moment;
use super::node::Node;
use super::status::Reason;
use super::view::View;
use super::weigh::End;
use crate::law::{Basis, Celex, Day, Effect, Evidence, Extent, Part};

/// How far the ends of acts that end acts are followed: law has no longer chains, a forged table may.
const DEEPEST: usize = 4;

/// The start of one touch.
#[derive(Debug, Clone)]
pub(super) struct Start {
    pub moment: Moment,
    /// The one day to print: as it stands, confirmed or not; none for a condition.
    pub shown: Option<Day>,
    /// Why the day is not confirmed.
    pub unconfirmed: Option<String>,
    /// The acts that moved it or cast doubt on it.
    pub changed_by: Vec<Celex>,
    /// Moved by a known clause: the day as first printed.
    pub moved_from: Option<Day>,
    /// The acting act was changed, yet the consolidated states of the target end with this first day without it.
    pub confirmed: Option<Day>,
    /// Why the effect never arose or fell.
    pub never: Option<Reason>,
}

/// A printed day as later acts left it.
pub(super) struct Reread {
    pub day: Day,
    pub changed_by: Vec<Celex>,
    pub moved: bool,
    /// The day of the first change of which it is not known what it changed, and what showed it.
    pub doubt: Option<(Option<Day>, Celex)>,
}

impl View<'_> {
    /// The start of a touch of this edge. `trail` holds the acts whose ends are being looked up.
    pub fn start(&self, edge: &Edge, touch: usize, trail: &mut Vec<Celex>) -> Start {
        let (reading, fact) = (&edge.readings[touch], &edge.relation.touches[touch]);
        let acting = self.graph.node(&edge.relation.source);
        let made = acting.and_then(made);
        let mut start = Start {
            moment: Moment::not_before(made),
            shown: None,
            unconfirmed: None,
            changed_by: Vec::new(),
            moved_from: None,
            confirmed: None,
            never: None,
        };
        if fact.conditional.is_none()
            && let Some(printed) = reading.printed
        {
            start.moment = Moment::on(printed);
            start.shown = Some(printed);
            if let Some(acting) = acting.filter(|_| fact.basis != Some(Basis::Annotation)) {
                let bridge = match edge.relation.evidence.get(fact.evidence) {
                    Some(Evidence::Bridge { via, .. }) => Some(via),
                    _ => None,
                };
                let whole = edge.effect == Effect::Ends && fact.extent == Extent::Whole;
                // A bridge's day is the end of the act between: that act's states read it a second time.
                let ended = bridge.or(Some(&edge.relation.target).filter(|_| whole));
                self.move_day(&mut start, ended, acting, &reading.places);
            }
        }
        start.never = acting.and_then(|a| self.never(edge, a, reading.places.first(), start.moment, trail));
        start
    }

    fn move_day(&self, start: &mut Start, ended: Option<&Celex>, acting: &Node, places: &[Part]) {
        let Some(printed) = start.shown else { return };
        let reread = self.reread(acting, printed, places);
        start.shown = Some(reread.day);
        start.moment = Moment::on(reread.day);
        start.moved_from = reread.moved.then_some(printed);
        start.changed_by = reread.changed_by;
        let Some((since, shown_by)) = reread.doubt else { return };
        let second = ended.and_then(|e| self.second_reading(e, acting));
        start.moment = match second {
            Some(day) => Moment::between(reread.day, day),
            None => Moment::not_before(since.or(acting.life.made)),
        };
        if start.moment.known().is_some() {
            start.confirmed = second;
        } else {
            let mut says = format!(
                "{} prints {}, but {shown_by} shows that it was changed before that day",
                acting.life.celex,
                reread.day.long()
            );
            if let Some((ended, day)) = ended.zip(second) {
                says.push_str(&states_end(ended, day));
            }
            start.unconfirmed = Some(says);
        }
    }

    /// The day that units of an act print, as later acts left it by the time it came.
    pub fn reread(&self, act: &Node, printed: Day, places: &[Part]) -> Reread {
        let mut out = Reread { day: printed, changed_by: Vec::new(), moved: false, doubt: None };
        let mut changes: Vec<(Option<Day>, &Edge)> = self
            .incoming(act)
            .filter(|(e, by)| e.effect == Effect::Rewrites && by.life.celex != act.life.celex)
            .map(|(e, by)| (made(by), e))
            .collect();
        changes.sort_by_key(|(made, e)| (*made, e.relation.source.clone()));
        for (made, edge) in &changes {
            if made.is_some_and(|m| m >= out.day) {
                continue;
            }
            let by = &edge.relation.source;
            let moves = self.graph.moved.get(&(act.life.celex.clone(), by.clone()));
            if let Some(moved) = moves.and_then(|m| m.iter().find(|m| puts(m, act, out.day, places))) {
                out.day = moved.new;
                out.moved = true;
                out.changed_by.push(by.clone());
                out.doubt = None;
            } else if !edge.from_beginning && out.doubt.is_none() && may_touch(edge, act, places) {
                out.doubt = Some((*made, by.clone()));
                out.changed_by.push(by.clone());
            }
        }
        // A state that no known change accounts for shows that the act changed.
        if out.doubt.is_none()
            && let Some(state) = self.changed_states(act).find(|s| s.from < out.day)
            && !changes.iter().any(|(made, _)| made.is_none_or(|m| m <= state.from))
        {
            out.doubt = Some((act.life.made, state.celex.clone()));
            out.changed_by.push(state.celex.clone());
        }
        out
    }

    /// The first day of application that the act names, as later acts left it, and why; none where it names none.
    pub fn application(&self, act: &Node) -> Option<(Moment, Option<Reason>)> {
        let life = &act.life;
        if !life.application_named {
            return None;
        }
        let printed = (life.applies, life.applies_because.clone());
        let Some(day) = life.applies.known() else { return Some(printed) };
        let places: Vec<Part> = life.applies_in.iter().cloned().collect();
        let reread = self.reread(act, day, &places);
        let celex = &life.celex;
        let by: Vec<String> = reread.changed_by.iter().map(Celex::to_string).collect();
        let (at, says) = match &reread.doubt {
            Some((since, shown_by)) => {
                let says = format!(
                    "{celex} prints {} as the day from which it applies; unconfirmed: {shown_by} shows that it was changed before that day",
                    reread.day.long()
                );
                (Moment::not_before(since.or(life.made)), says)
            }
            None if reread.moved => {
                let (now, first) = (reread.day.long(), day.long());
                let says = format!("{celex} applies from {now} (first printed as {first}, moved by {})", by.join(", "));
                (Moment::on(reread.day), says)
            }
            None => return Some(printed),
        };
        let mut reason = Reason::about(celex, says);
        reason.quote = printed.1.and_then(|r| r.quote);
        let reason = reread.changed_by.iter().fold(reason, Reason::and);
        Some((at, Some(reason)))
    }

    /// The first day without the act by its consolidated states: the day after the last state that ends.
    /// It counts only if it is not before the acting act.
    fn second_reading(&self, target: &Celex, acting: &Node) -> Option<Day> {
        let states = self.graph.node(target)?.states.iter().filter(|s| self.taken(s.taken));
        let day = states.filter_map(|s| s.until).max()?.succ();
        made(acting).is_none_or(|m| day >= m).then_some(day)
    }

    /// Consolidated states that differ from the act as published: all but a first that is not after its beginning.
    pub fn changed_states<'a>(&self, act: &'a Node) -> impl Iterator<Item = &'a crate::law::ConsolidatedState> {
        let view = *self;
        let begins = act.life.in_force.latest.or(act.life.published).or(act.life.made);
        let states = act.states.iter().filter(move |s| view.taken(s.taken));
        states.enumerate().filter(move |(i, s)| *i > 0 || begins.is_none_or(|b| s.from > b)).map(|(_, s)| s)
    }

    /// Why an effect falls (the acting act is void) or never arose (it had ended before the day).
    fn never(
        &self,
        edge: &Edge,
        acting: &Node,
        place: Option<&Part>,
        start: Moment,
        trail: &mut Vec<Celex>,
    ) -> Option<Reason> {
        let celex = &acting.life.celex;
        let target = &edge.relation.target;
        if let Some(void) = self.voided(acting, place) {
            let says = format!("what {celex} does to {target} falls with it: {}", void.says);
            return Some(Reason { says, ..void }.and(target));
        }
        let day = start.known()?;
        if trail.contains(celex) || trail.len() > DEEPEST || edge.effect == Effect::DeclaresSpent || edge.from_beginning
        {
            return None;
        }
        let before = |m: &Moment| m.latest.is_some_and(|end| end <= day);
        let ends_it = |e: &End| e.whole && self.graph.acting(e) != Some(celex) && before(&e.from);
        trail.push(celex.clone());
        let ended = {
            let case = Case::new(*self, acting, trail);
            case.ends(place).into_iter().find(ends_it).map(|end| case.ended(end))
        };
        trail.pop();
        let ended = ended?;
        let says = format!(
            "what {celex} was to do to {target} from {} never came about, for {celex} had ended before: {}",
            day.long(),
            ended.says
        );
        Some(Reason::about(celex, says).and(target))
    }
}

/// The day the act was made; where no date is here, the first day of the year in its number.
pub(super) fn made(node: &Node) -> Option<Day> {
    let year = || Day::from_ymd(i32::from(node.life.celex.year()?), 1, 1);
    node.life.made.or(node.life.published).or_else(year)
}

fn states_end(target: &Celex, first_without: Day) -> String {
    format!("; the consolidated states of {target} end on {}", first_without.pred().long())
}

/// Whether a change may have touched one of these units: it names no parts, or one of those it names lies on the
/// line of a unit. Without units, any change may have.
pub(super) fn may_touch(edge: &Edge, act: &Node, places: &[Part]) -> bool {
    match edge.parts() {
        Some(mut parts) if !places.is_empty() => parts.any(|p| places.iter().any(|place| act.on_line(p, place))),
        _ => true,
    }
}

/// Whether a new day takes the place of this one, printed in these units.
fn puts(moved: &Moved, act: &Node, day: Day, places: &[Part]) -> bool {
    let here = |place: &Part| moved.parts.iter().any(|p| act.on_line(p, place));
    match moved.old {
        Some(old) => old == day && (moved.parts.is_empty() || places.is_empty() || places.iter().any(here)),
        // Whatever day stood there; of a provision replaced as a whole, its one day now.
        None if moved.parts.is_empty() => true,
        None => places.iter().any(|place| moved.parts.iter().any(|p| act.holds(p, place))),
    }
}
