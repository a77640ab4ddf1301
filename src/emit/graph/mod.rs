//! The dated relation graph for other programs: GraphML, DOT, a Parquet edge list, Turtle.
//!
//! One entry per touch (a part of the target, with its dates) where the format has room for dates; the acting act
//! always stands first. Titles come from outside and are escaped for each format.

mod dot;
mod graphml;
mod table;
mod turtle;

pub use dot::dot;
pub use graphml::graphml;
pub use table::edge_table;
pub use turtle::turtle;

use crate::law::{Celex, DatedRelation, Day, Extent, Registry, Touch};

/// An act as exported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedAct {
    /// Its number.
    pub celex: Celex,
    /// Its title, if one is known.
    pub title: Option<String>,
    /// The date of the document.
    pub made: Option<Day>,
    /// First day in force, where it is known.
    pub in_force_from: Option<Day>,
    /// Last day in force, where it is known.
    pub last_day: Option<Day>,
}

/// What is exported: edges, and the acts at their ends.
#[derive(Debug, Clone, Copy)]
pub struct EdgeList<'a> {
    /// The acts, by CELEX.
    pub acts: &'a [ExportedAct],
    /// The edges, by acting act, relation and target.
    pub edges: &'a [&'a DatedRelation],
    /// What the relations are called elsewhere.
    pub registry: &'a Registry,
}

impl<'a> EdgeList<'a> {
    /// Every touch of every edge with its place in the edge; an edge without one stands once.
    fn touches(&self) -> impl Iterator<Item = (&'a DatedRelation, usize, Option<&'a Touch>)> {
        self.edges.iter().flat_map(|edge| {
            let bare = edge.touches.is_empty().then_some((*edge, 0, None));
            edge.touches.iter().enumerate().map(|(i, touch)| (*edge, i, Some(touch))).chain(bare)
        })
    }
}

fn extent(touch: &Touch) -> &'static str {
    match touch.extent {
        Extent::Whole => "whole",
        Extent::Partial => "partial",
        Extent::Unknown => "unknown",
    }
}

/// The parts touched, as law names them.
fn parts(touch: &Touch) -> Vec<String> {
    touch.parts.iter().map(crate::law::Part::long).collect()
}

/// What is saved: the part or the words, and until when.
fn saved(touch: &Touch) -> Vec<String> {
    let one = |s: &crate::law::Saving| {
        let what = s.part.as_ref().map_or_else(|| s.words.clone(), crate::law::Part::long);
        s.until.map_or(what.clone(), |until| format!("{what} until {until}"))
    };
    touch.saved.iter().map(one).collect()
}

/// On what the start rests, as JSON has it.
fn basis(touch: &Touch) -> Option<String> {
    serde_json::to_value(touch.basis?).ok()?.as_str().map(str::to_string)
}
