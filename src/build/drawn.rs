//! What items are written and judged from; a manifest's source read into a graph and its pairs drawn, for what is neither a
//! build nor a crawl.

use super::wish::wish;
use super::{BuildError, Manifest, Progress, Rubrics, load};
use crate::author::Assignment;
use crate::dataset::Pair;
use crate::graph::RelationGraph;
use crate::law::{Day, Registry};
use crate::sample::{Sample, draw};
use crate::source::Source;
use crate::verify::Rules;
use std::path::Path;

/// What items are written and judged from, lent to who does it.
#[derive(Clone, Copy)]
pub(super) struct Stock<'a> {
    pub manifest: &'a Manifest,
    pub graph: &'a RelationGraph,
    pub registry: &'a Registry,
    pub rules: &'a Rules,
    pub known_on: Day,
}

impl<'a> Stock<'a> {
    /// So many items to be written of a pair.
    pub fn assignment<'b>(self, pair: &'b Pair, items: usize) -> Assignment<'b>
    where
        'a: 'b,
    {
        let Self { manifest, graph, registry, rules, known_on } = self;
        Assignment { pair, items, graph, registry, rules, known_on, seed: manifest.seed }
    }
}

/// The same read from a source, and the pairs drawn from it.
pub(super) struct Drawn {
    pub registry: Registry,
    pub rules: Rules,
    pub graph: RelationGraph,
    pub known_on: Day,
    pub sample: Sample,
}

impl Drawn {
    /// # Errors
    /// [`BuildError`], as a build.
    pub fn of(
        manifest: &Manifest,
        folder: &Path,
        rubrics: &Rubrics,
        source: &dyn Source,
        progress: &dyn Progress,
    ) -> Result<Self, BuildError> {
        let registry = rubrics.registry()?;
        let rules = Rules::parse("checks.toml", rubrics.file("checks.toml")?)?;
        progress.begin("read", 0);
        let loaded = load(source, &registry)?;
        let graph = RelationGraph::build(loaded.facts, &registry);
        progress.end(&format!("{} acts, {} edges", graph.acts().count(), graph.edges().count()));
        let known_on = manifest.scope.known_on.or(graph.known_on()).ok_or(BuildError::NoDay)?;
        let sample = draw(&graph, &registry, &wish(manifest, folder, &registry)?);
        Ok(Self { registry, rules, graph, known_on, sample })
    }

    /// What items are written and judged from.
    pub fn stock<'a>(&'a self, manifest: &'a Manifest) -> Stock<'a> {
        let Self { registry, rules, graph, known_on, .. } = self;
        Stock { manifest, graph, registry, rules, known_on: *known_on }
    }
}
