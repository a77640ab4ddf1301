//! For eyes: the report and its drawings, and the summary at the end of a build, from values handed in.
//!
//! Everything is drawn as text: one HTML file with its style and its SVG inside, no script, nothing loaded
//! from elsewhere. All words from outside pass through one escaping function.

mod charts;
mod html;
mod judges;
mod line;
mod lineage;
mod page;
mod spend;
mod standing;
mod summary;
mod svg;
mod timeline;
mod walk;

pub use judges::{calibration_page, calibration_text};
pub use line::{ActLine, Bar, Event, Lane, Mark, Tone, act_line};
pub use lineage::{Candidate, ChosenPrompts, Gain, Lineage, lineage_page, lineage_text};
pub use page::report;
pub use spend::spending_total;
pub use standing::{News, SpentSoFar, Standing, news_line, standing_line};
pub use summary::summary;

use crate::dataset::{Calibration, Dataset, LockedStage, SecondVote, Spending};
use crate::law::{Celex, Day};
use crate::measure::Interval;
use std::collections::BTreeMap;

/// What the report shows beside the dataset itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Report<'a> {
    /// The dataset.
    pub dataset: &'a Dataset,
    /// Name and version of the tool.
    pub tool: &'a str,
    /// The graph's counts.
    pub graph: GraphCounts,
    /// What is known of the acts' lives; those of the item walked are drawn.
    pub lives: BTreeMap<Celex, Life>,
    /// Shortcut probes over the whole set.
    pub probes: Vec<Probe>,
    /// The prompts of the author, where an optimization chose them.
    pub prompts: Option<ChosenPrompts<'a>>,
    /// How the judge did on planted defects, where it is a model.
    pub calibration: Option<&'a Calibration>,
    /// Where judge and code are of two minds about generic references.
    pub second_votes: &'a [SecondVote],
    /// What the dataset cost in models.
    pub spending: Option<&'a Spending>,
    /// The stages run, in order.
    pub stages: Vec<LockedStage>,
}

/// Counts of the relation graph.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GraphCounts {
    /// Acts known.
    pub acts: usize,
    /// Edges: one per acting act, relation and target.
    pub edges: usize,
    /// Per relation, in the registry's order.
    pub relations: Vec<EdgeCount>,
}

/// The edges of one relation, and on what they rest (an edge may rest on several).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EdgeCount {
    /// For people: the relation's label.
    pub label: String,
    /// Edges.
    pub edges: usize,
    /// Of them with a notice's link.
    pub notice: usize,
    /// Of them with a table row.
    pub register: usize,
    /// Of them with a clause of the acting act.
    pub text: usize,
    /// Of them with a bridge.
    pub bridge: usize,
    /// Of them with something that contradicts.
    pub contradicted: usize,
}

/// What is known of an act's life.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Life {
    /// Its title.
    pub title: String,
    /// Publication.
    pub published: Option<Day>,
    /// First day in force.
    pub in_force: Option<Day>,
    /// First day on which it applies.
    pub applies: Option<Day>,
    /// Last day in force.
    pub last_day: Option<Day>,
}

/// A shortcut probe: how often a rule that reads no law picks the key.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// The rule: `longest option`, `most words shared with the stem`, ….
    pub name: String,
    /// Items on which it picks the key.
    pub right: usize,
    /// Items asked.
    pub of: usize,
    /// The interval of the share.
    pub interval: Interval,
    /// What blind chance gives, as a share.
    pub chance: f64,
}
