//! What is the same for a whole run: the pairs, the prompts at the start, the rubric.

use super::error::OptimizeError;
use super::{Optimize, Voices};
use crate::author::optimize::{Engine, Instance, Objections, Prompts, Set, Settings, Sizes};
use crate::author::{Assignment, Rubric, addendum};
use crate::build::drawn::Drawn;
use crate::build::{BuildError, Manifest};
use crate::dataset::{Pair, Role};
use crate::graph::RelationGraph;
use crate::law::{Day, Digest, Registry, RelationType};
use crate::verify::Rules;
use std::collections::{BTreeMap, BTreeSet};

/// The components that are improved; how the reply looks (`claims`) is read by code and stays.
pub(super) const COMPONENTS: [&str; 2] = ["drafting", "distractors"];

/// The roles of the pairs: reflected on, compared by, kept for the end.
pub(super) const ROLES: [Role; 3] = [Role::Reflect, Role::Select, Role::Final];

/// What is the same for a whole run.
pub(super) struct Bench<'a> {
    pub manifest: &'a Manifest,
    pub graph: &'a RelationGraph,
    pub registry: &'a Registry,
    pub rules: &'a Rules,
    pub known_on: Day,
    pub rubric: Rubric,
    pub pairs: BTreeMap<Role, Vec<&'a Pair>>,
    pub base: BTreeMap<String, String>,
    pub seed: Prompts,
    pub runtime: tokio::runtime::Runtime,
}

/// The settings that a manifest asks for.
pub(super) fn settings(manifest: &Manifest, rubric: &Rubric) -> Settings {
    let wish = &manifest.optimize;
    Settings {
        seed: manifest.seed,
        minibatch: wish.minibatch,
        evaluations: wish.evaluations,
        side_by_side: wish.side_by_side,
        fronts: wish.fronts,
        acceptance: wish.acceptance,
        perfect: rubric.out_of(),
        merges: wish.merges,
        give_up: wish.give_up,
        parts: wish.parts,
    }
}

impl<'a> Bench<'a> {
    pub fn open(optimize: &Optimize<'a>, drawn: &'a Drawn) -> Result<Self, OptimizeError> {
        let Drawn { registry, rules, graph, known_on, sample } = drawn;
        let mut pairs: BTreeMap<Role, Vec<&Pair>> = BTreeMap::new();
        for one in &sample.pairs {
            pairs.entry(one.role).or_default().push(&one.pair);
        }
        for role in [Role::Reflect, Role::Select] {
            if !pairs.contains_key(&role) {
                let wanted = optimize.manifest.roles.get(&role).copied().unwrap_or(0);
                return Err(OptimizeError::NoPairs { role, wanted });
            }
        }
        let base = optimize.rubrics.prompts();
        let mut components: BTreeMap<String, String> =
            COMPONENTS.iter().filter_map(|name| Some(((*name).to_string(), base.get(*name)?.clone()))).collect();
        let asked: BTreeSet<&RelationType> = pairs.values().flatten().map(|pair| &pair.relation).collect();
        for relation in asked {
            let name = addendum(relation);
            let words = registry.spec(relation).map(|spec| spec.prompt.clone()).unwrap_or_default();
            let text = base.get(&name).cloned().unwrap_or(words);
            components.insert(name, text);
        }
        Ok(Self {
            manifest: optimize.manifest,
            graph,
            registry,
            rules,
            known_on: *known_on,
            rubric: Rubric::parse(optimize.rubrics.file("judge.toml")?).map_err(BuildError::from)?,
            pairs,
            base,
            seed: Prompts::new(components),
            runtime: tokio::runtime::Runtime::new().map_err(BuildError::from)?,
        })
    }

    /// An optimizer at its start.
    ///
    /// # Errors
    /// [`OptimizeError::Engine`] where the budget buys nothing.
    pub fn engine(&self) -> Result<Engine, OptimizeError> {
        let objections = Objections::new(self.manifest.optimize.longest, self.passages());
        let engine = Engine::new(settings(self.manifest, &self.rubric), self.sizes(), self.seed.clone(), objections)?;
        Ok(engine.bearing(self.bearing()))
    }

    pub fn of(&self, role: Role) -> &[&'a Pair] {
        self.pairs.get(&role).map(Vec::as_slice).unwrap_or_default()
    }

    pub fn sizes(&self) -> Sizes {
        Sizes { reflect: self.of(Role::Reflect).len(), select: self.of(Role::Select).len() }
    }

    pub fn pair(&self, instance: Instance) -> Option<&'a Pair> {
        let role = match instance.set {
            Set::Reflect => Role::Reflect,
            Set::Select => Role::Select,
        };
        self.of(role).get(instance.at).copied()
    }

    /// An addendum is sent with the pairs of its relation.
    pub fn bearing(&self) -> BTreeMap<String, BTreeSet<Instance>> {
        let mut bearing: BTreeMap<String, BTreeSet<Instance>> = BTreeMap::new();
        for name in self.seed.components().keys().filter(|name| !COMPONENTS.contains(&name.as_str())) {
            bearing.insert(name.clone(), BTreeSet::new());
        }
        for (set, role) in [(Set::Reflect, Role::Reflect), (Set::Select, Role::Select)] {
            for (at, pair) in self.of(role).iter().enumerate() {
                bearing.entry(addendum(&pair.relation)).or_default().insert(Instance { set, at });
            }
        }
        bearing
    }

    /// The words of the acts of all pairs, of which a prompt may not copy a run.
    pub fn passages(&self) -> impl Iterator<Item = &str> {
        let acts = self.pairs.values().flatten().flat_map(|pair| [&pair.source.celex, &pair.target.celex]);
        let acts: BTreeSet<_> = acts.collect();
        acts.into_iter()
            .filter_map(|celex| self.graph.act(celex))
            .flat_map(|act| act.units.iter().map(|u| u.text.as_str()))
    }

    /// The name of this run: equal settings, prompts, pairs and voices give equal names.
    pub fn name(&self, voices: &Voices) -> Digest {
        let settings = serde_json::to_string(&settings(self.manifest, &self.rubric)).unwrap_or_default();
        let pairs = serde_json::to_string(&self.pairs).unwrap_or_default();
        let voices =
            [voices.author.name().to_string(), voices.judge.name(), voices.reflection.name().to_string()].join(" ");
        let base = Prompts::new(self.base.clone()).digest().to_string();
        let seed = self.seed.digest().to_string();
        Digest::of_fields([&settings, &pairs, &voices, &base, &seed].map(String::as_bytes))
    }

    pub fn assignment<'b>(&'b self, pair: &'b Pair) -> Assignment<'b> {
        let Self { graph, registry, rules, known_on, .. } = *self;
        Assignment { pair, items: 1, graph, registry, rules, known_on, seed: self.manifest.seed }
    }
}
