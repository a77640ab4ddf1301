//! Whether the published text of an act is still its text on a day.

use super::node::Node;
use super::relation_graph::RelationGraph;
use super::starts;
use super::view::View;
use crate::law::{Celex, Day, Effect, Endpoint, Part};
use serde::Serialize;

/// What is known of a text on a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "text", rename_all = "snake_case")]
pub enum TextState {
    /// Nothing here changed it: it reads as published.
    AsPublished,
    /// A change that names the unit, or a unit in it or around it, had taken effect: the published words support nothing.
    Changed {
        /// The acts that changed it.
        by: Vec<Celex>,
    },
    /// The act was changed, whether here is not known: only a title or a consolidated state says so.
    Unconfirmed {
        /// What shows that it changed.
        by: Vec<Celex>,
    },
}

impl RelationGraph {
    /// Whether the act, or the part, still reads as published on that day. For a consolidated text
    /// (`of` its CELEX, `from` its day) ask with [`RelationGraph::text_since`].
    pub fn text_state(&self, at: &Endpoint, on: Day) -> TextState {
        self.text_since(at, None, on)
    }

    /// Every act that had changed the act or part by that day, or may have, each once.
    pub fn changers(&self, at: &Endpoint, on: Day) -> Vec<Celex> {
        let Some(node) = self.node(&at.celex) else { return Vec::new() };
        let view = self.view(None);
        let (mut by, mut perhaps) = view.changes(node, at.part.as_ref(), None, on);
        view.unexplained_states(node, None, on, &mut perhaps);
        by.append(&mut perhaps);
        by.sort();
        by.dedup();
        by
    }

    /// The same for a text that already holds the changes up to and on a day, as a consolidated text does.
    pub fn text_since(&self, at: &Endpoint, consolidated: Option<Day>, on: Day) -> TextState {
        let Some(node) = self.node(&at.celex) else { return TextState::AsPublished };
        let view = self.view(None);
        let (mut changed, mut unconfirmed) = view.changes(node, at.part.as_ref(), consolidated, on);
        view.unexplained_states(node, consolidated, on, &mut unconfirmed);
        for list in [&mut changed, &mut unconfirmed] {
            list.sort();
            list.dedup();
        }
        if !changed.is_empty() {
            TextState::Changed { by: changed }
        } else if !unconfirmed.is_empty() {
            TextState::Unconfirmed { by: unconfirmed }
        } else {
            TextState::AsPublished
        }
    }
}

impl View<'_> {
    fn changes(&self, node: &Node, part: Option<&Part>, since: Option<Day>, on: Day) -> (Vec<Celex>, Vec<Celex>) {
        let (mut changed, mut unconfirmed) = (Vec::new(), Vec::new());
        for (edge, acting) in self.incoming(node) {
            let by = &edge.relation.source;
            if by == &node.life.celex {
                continue;
            }
            for (i, touch) in edge.relation.touches.iter().enumerate() {
                // A correction of other language versions leaves this one as it is.
                let language = node.act.as_ref().map(|a| a.language);
                if language.is_some_and(|l| !touch.languages.is_empty() && !touch.languages.contains(&l)) {
                    continue;
                }
                let named = !touch.parts.is_empty();
                let counts = match edge.effect {
                    Effect::Rewrites => true,
                    // Parts that ended are parts that no longer read so.
                    Effect::Ends => named,
                    _ => false,
                };
                if edge.effect == Effect::Prolongs
                    && let Some(unit) = &node.life.last_day_in
                    && part.is_none_or(|p| node.on_line(p, unit))
                    && self.start(edge, i, &mut Vec::new()).moment.earliest.is_none_or(|d| d <= on)
                {
                    changed.push(by.clone());
                }
                if !counts {
                    continue;
                }
                let made = starts::made(acting);
                // A correction reaches back to the beginning.
                let first = if edge.from_beginning {
                    None
                } else {
                    let start = self.start(edge, i, &mut Vec::new());
                    if start.never.is_some() {
                        continue;
                    }
                    start.moment.earliest.or(made)
                };
                let begun = first.is_none_or(|d| d <= on);
                let held = since.is_some_and(|s| first.or(made).is_some_and(|d| d <= s));
                if !begun || held {
                    continue;
                }
                match part {
                    _ if !named => unconfirmed.push(by.clone()),
                    Some(part) if touch.parts.iter().any(|p| node.on_line(p, part)) => changed.push(by.clone()),
                    None => changed.push(by.clone()),
                    Some(_) => {}
                }
            }
        }
        (changed, unconfirmed)
    }

    /// Consolidated states that no known change accounts for.
    fn unexplained_states(&self, node: &Node, since: Option<Day>, on: Day, unconfirmed: &mut Vec<Celex>) {
        for state in self.changed_states(node).filter(|s| s.from <= on && since.is_none_or(|d| s.from > d)) {
            let explained = self.incoming(node).any(|(edge, _)| {
                edge.effect == Effect::Rewrites
                    && edge.relation.touches.iter().all(|t| !t.parts.is_empty())
                    && edge.relation.touches.iter().any(|t| t.start == Some(state.from))
            });
            if !explained {
                unconfirmed.push(state.celex.clone());
            }
        }
    }
}
