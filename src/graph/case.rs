//! One act of a [`super::RelationGraph`] as a docket, and the words of its grounds.

use super::docket::{At, Docket, OwnEnd, Touched};
use super::edges::{Edge, Footing};
use super::expiry::Own;
use super::grounds::{self, Ground, Ledger};
use super::moment::Moment;
use super::node::Node;
use super::starts::Start;
use super::status::Reason;
use super::view::View;
use super::weigh::{self, End};
use super::words::{quote, told};
use crate::law::{Celex, Day, Extent, Part, Quote, TermKind};
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::convert::Infallible;
use std::rc::Rc;

/// An act of the graph, as known on a day. What is settled is looked up when it is asked for: acts that act on each
/// other would go round for ever otherwise; `trail` holds the acts whose ends are being looked up.
pub(super) struct Case<'g, 't> {
    view: View<'g>,
    node: &'g Node,
    trail: RefCell<&'t mut Vec<Celex>>,
    own: OnceCell<Vec<Own>>,
    /// What was looked up is kept: the answer asks for it, and its reasons ask again.
    application: OnceCell<Option<(Moment, Option<Reason>)>>,
    starts: RefCell<HashMap<At, Rc<Start>>>,
}

impl<'g, 't> Case<'g, 't> {
    pub fn new(view: View<'g>, node: &'g Node, trail: &'t mut Vec<Celex>) -> Self {
        Self {
            view,
            node,
            trail: RefCell::new(trail),
            own: OnceCell::new(),
            application: OnceCell::new(),
            starts: RefCell::default(),
        }
    }

    pub fn edge(&self, at: At) -> &'g Edge {
        &self.view.graph.edges[at.edge]
    }

    pub fn own(&self) -> &[Own] {
        self.own.get_or_init(|| self.view.expiry(self.node, &mut self.trail.borrow_mut()))
    }

    fn application(&self) -> Option<&(Moment, Option<Reason>)> {
        self.application.get_or_init(|| self.view.application(self.node)).as_ref()
    }

    fn started(&self, at: At) -> Rc<Start> {
        let known = self.starts.borrow().get(&at).cloned();
        known.unwrap_or_else(|| {
            let start = Rc::new(self.view.start(self.edge(at), at.touch, &mut self.trail.borrow_mut()));
            self.starts.borrow_mut().insert(at, start.clone());
            start
        })
    }

    /// What ends the act or the part, flags left out.
    pub fn ends(&self, part: Option<&Part>) -> Vec<End> {
        let mut ends = Vec::new();
        weigh::collect(self, part, &mut ends);
        ends
    }

    /// The grounds in words, each said once.
    pub fn reasons(&self, part: Option<&Part>, grounds: &[Ground]) -> Vec<Reason> {
        let mut because: Vec<Reason> = grounds.iter().filter_map(|g| self.reason(part, *g)).collect();
        once(&mut because);
        because
    }

    pub fn reason(&self, part: Option<&Part>, ground: Ground) -> Option<Reason> {
        let Ok(reason) = grounds::reason(self, part, ground);
        reason
    }

    pub fn ended(&self, end: End) -> Reason {
        let Ok(reason) = grounds::ended(self, end);
        reason
    }
}

/// Drops facts that have been told.
pub(super) fn once(because: &mut Vec<Reason>) {
    let mut seen = std::collections::HashSet::new();
    because.retain(|r| seen.insert(r.says.clone()));
}

impl Docket for Case<'_, '_> {
    fn newest(&self) -> Option<Day> {
        self.view.graph.known_on
    }

    fn known_on(&self) -> Option<Day> {
        self.view.known_on
    }

    fn published(&self) -> bool {
        self.view.knows(self.node)
    }

    fn void(&self) -> bool {
        self.node.void
    }

    fn begins(&self) -> Moment {
        self.view.begins(self.node)
    }

    fn applies(&self) -> Option<Moment> {
        self.application().map(|(at, _)| *at)
    }

    fn stages(&self) -> impl Iterator<Item = (TermKind, &[Part], Moment)> {
        self.node.life.staged.iter().map(|s| (s.kind, s.parts.as_slice(), s.at))
    }

    fn seen(&self) -> Option<Day> {
        self.node.seen
    }

    fn flags(&self) -> impl Iterator<Item = (Day, bool)> {
        self.view.flags(self.node)
    }

    fn recorded(&self) -> Option<Day> {
        let record = self.node.record.as_ref().filter(|r| self.view.taken(r.taken))?;
        let outlived = |(day, flag): (Day, bool)| flag && record.ends.iter().all(|e| *e < day);
        let alive = record.open_end || self.flags().any(outlived);
        record.ends.iter().max().copied().filter(|_| !alive)
    }

    fn own_ends(&self) -> impl Iterator<Item = OwnEnd> {
        self.own().iter().map(|own| own.end)
    }

    fn touches(&self) -> impl Iterator<Item = Touched<'_>> {
        self.view.placed(self.node).flat_map(|(i, by, _)| {
            let edge = &self.view.graph.edges[i];
            edge.relation.touches.iter().zip(&edge.readings).enumerate().map(move |(t, (touch, reading))| Touched {
                at: At { edge: i, touch: t },
                by,
                effect: edge.effect,
                extent: touch.extent,
                parts: &touch.parts,
                saved: &touch.saved,
                until: touch.until,
                footing: reading.footing,
            })
        })
    }

    fn superseded(&self, at: At) -> bool {
        self.view.graph.superseded(&self.edge(at).relation)
    }

    fn start(&self, at: At) -> Option<Moment> {
        let start = self.started(at);
        start.never.is_none().then_some(start.moment)
    }

    fn holds(&self, outer: &Part, inner: &Part) -> bool {
        self.node.holds(outer, inner)
    }

    fn has_units(&self) -> bool {
        self.node.act.is_some()
    }

    fn lacks(&self, part: &Part) -> bool {
        self.node.lacks(part)
    }
}

impl Ledger for Case<'_, '_> {
    type Error = Infallible;

    fn celex(&self) -> &Celex {
        &self.node.life.celex
    }

    fn acting(&self, at: At) -> Result<Celex, Infallible> {
        Ok(self.edge(at).relation.source.clone())
    }

    fn implicit(&self, at: At) -> bool {
        self.edge(at).default_extent == Extent::Unknown
    }

    fn footing(&self, at: At) -> Footing {
        self.edge(at).readings[at.touch].footing
    }

    fn begins(&self) -> Result<Reason, Infallible> {
        Ok(self.node.life.begins_because.clone())
    }

    fn applies(&self) -> Result<Option<Reason>, Infallible> {
        Ok(self.application().and_then(|(_, because)| because.clone()))
    }

    fn stage(&self, i: usize) -> Result<Reason, Infallible> {
        Ok(self.node.life.staged[i].because.clone())
    }

    fn own_end(&self, i: usize) -> Result<Reason, Infallible> {
        Ok(self.own()[i].because.clone())
    }

    // Without the day: acts that void each other would ask for it in a circle.
    fn quote(&self, at: At) -> Result<Option<Quote>, Infallible> {
        let edge = self.edge(at);
        Ok(quote(edge, &edge.relation.touches[at.touch]).cloned())
    }

    fn told(&self, at: At) -> Result<Reason, Infallible> {
        let edge = self.edge(at);
        Ok(told(edge, &edge.relation.touches[at.touch], &self.started(at)))
    }

    fn never(&self, at: At) -> Result<Option<Reason>, Infallible> {
        Ok(self.started(at).never.clone())
    }
}
