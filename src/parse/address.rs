//! Addresses: which part of the act each unit is, as law names it.
//!
//! A unit is named by its article, recital or annex and the labels down to it. Where two units of an act would
//! be named alike, what stands between them tells them apart: a section by its chapter, a point by the
//! subparagraph or the part of an annex that its list stands in. Words of another act, in quotation marks, are
//! named by the unit that quotes them.

use crate::law::{Division, Part, Unit, UnitKind};
use std::collections::{BTreeMap, BTreeSet};

/// What a group is called: its division and label.
pub(super) type Name = (Division, String);

/// Gives every unit its address; `groups` names the groups that have one (by unit).
pub(super) fn assign(units: &mut [Unit], groups: &BTreeMap<usize, Name>) {
    containers(units, groups);
    let mut taken: BTreeSet<Part> = BTreeSet::new();
    let mut order = Order::default();
    for at in 0..units.len() {
        order.see(units, at);
        if units[at].quoted || units[at].kind == UnitKind::Container {
            continue;
        }
        let label = units[at].label.clone();
        let parent = parent_part(units, at);
        let step = match units[at].kind {
            UnitKind::Recital => {
                units[at].part = Part::new(Division::Recital, &label, Vec::new()).ok();
                continue;
            }
            UnitKind::Annex => {
                units[at].part = Part::new(Division::Annex, &label, Vec::new()).ok();
                continue;
            }
            UnitKind::Article if parent.as_ref().is_none_or(|p| p.division() != Division::Annex) => {
                units[at].part = Part::article(&label).ok();
                continue;
            }
            UnitKind::Article | UnitKind::Paragraph | UnitKind::Point if !label.is_empty() => label,
            UnitKind::Point => format!("indent {}", order.indent(units, at)),
            UnitKind::Subparagraph => match order.ordinal.get(&at) {
                Some(n) if *n > 1 => format!("subparagraph {n}"),
                _ => continue,
            },
            _ => continue,
        };
        let Some(parent) = parent else { continue };
        // The lines of annexes and recitals are not counted as subparagraphs are.
        if units[at].kind == UnitKind::Subparagraph && parent.division() != Division::Article {
            continue;
        }
        let short = parent.child(&step).ok();
        let longer = || {
            let between = between(units, groups, at, &order)?;
            parent.child(&between).ok()?.child(&step).ok()
        };
        let part = short.filter(|p| !taken.contains(p)).or_else(longer).filter(|p| !taken.contains(p));
        taken.extend(part.clone());
        units[at].part = part;
    }
}

/// A group is named by itself where the act has one of that name only, else under the group around it.
fn containers(units: &mut [Unit], groups: &BTreeMap<usize, Name>) {
    let in_annex = |units: &[Unit], at: usize| ancestors(units, at).any(|a| units[a].kind == UnitKind::Annex);
    let own: Vec<usize> = groups.keys().copied().filter(|at| !units[*at].quoted && !in_annex(units, *at)).collect();
    let mut count: BTreeMap<&Name, usize> = BTreeMap::new();
    for at in &own {
        *count.entry(&groups[at]).or_default() += 1;
    }
    for at in &own {
        let (division, label) = &groups[at];
        let only = count[&groups[at]] == 1;
        let around = ancestors(units, *at).find_map(|a| units[a].part.clone());
        units[*at].part = match around.filter(|_| !only) {
            Some(around) => {
                Part::new(*division, label, Vec::new()).ok().and_then(|p| around.child(&p.to_string()).ok())
            }
            None => Part::new(*division, label, Vec::new()).ok(),
        };
    }
}

/// What tells a list apart from another one of the same labels: the part of the annex, or the subparagraph.
fn between(units: &[Unit], groups: &BTreeMap<usize, Name>, at: usize, order: &Order) -> Option<String> {
    let mut around = ancestors(units, at).take_while(|a| match units[*a].kind {
        UnitKind::Container | UnitKind::Subparagraph => true,
        _ => units[*a].part.is_none(),
    });
    around.find_map(|a| match groups.get(&a) {
        Some((division, label)) => Part::new(*division, label, Vec::new()).ok().map(|p| p.to_string()),
        None => order.ordinal.get(&a).filter(|n| **n > 1).map(|n| format!("subparagraph {n}")),
    })
}

fn ancestors(units: &[Unit], at: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(units[at].parent, |a| units[*a].parent)
}

/// The address of the nearest unit around that has one; groups and subparagraphs are left out of it.
fn parent_part(units: &[Unit], at: usize) -> Option<Part> {
    ancestors(units, at)
        .find(|a| units[*a].kind != UnitKind::Container && units[*a].part.is_some())
        .and_then(|a| units[a].part.clone())
}

/// Which subparagraph, and which indent, each unit is.
#[derive(Default)]
struct Order {
    /// By parent: subparagraphs, and dashes since the last of these.
    seen: BTreeMap<Option<usize>, (usize, usize)>,
    /// The number of every subparagraph; the words of the unit around are the first.
    ordinal: BTreeMap<usize, usize>,
}

impl Order {
    fn see(&mut self, units: &[Unit], at: usize) {
        let unit = &units[at];
        let (subparagraphs, dashes) = self.seen.entry(unit.parent).or_default();
        match unit.kind {
            UnitKind::Subparagraph if !unit.text.starts_with(char::is_lowercase) => {
                *subparagraphs += 1;
                *dashes = 0;
                let own = unit.parent.is_some_and(|p| !units[p].text.is_empty());
                self.ordinal.insert(at, *subparagraphs + usize::from(own));
            }
            UnitKind::Point if unit.label.is_empty() => *dashes += 1,
            UnitKind::Point | UnitKind::Paragraph => *dashes = 0,
            _ => {}
        }
    }

    /// Which indent of its list a dash is.
    fn indent(&self, units: &[Unit], at: usize) -> usize {
        self.seen.get(&units[at].parent).map_or(0, |(_, dashes)| *dashes)
    }
}
