//! What is the same for a whole run: the pairs, the prompts at the start, the rubric.

use super::error::OptimizeError;
use super::{Optimize, Voices};
use crate::author::optimize::{Engine, Instance, Objections, Prompts, Set, Settings, Sizes};
use crate::author::{Rubric, addendum};
use crate::build::drawn::{Drawn, Stock};
use crate::build::{BuildError, Manifest, ModelWish, OptimizeWish};
use crate::dataset::{Pair, Role};
use crate::law::{Digest, RelationType};
use crate::sample::Sample;
use std::collections::{BTreeMap, BTreeSet};

/// The components that are improved; how the reply looks (`claims`) is read by code and stays.
pub(in crate::build) const COMPONENTS: [&str; 2] = ["drafting", "distractors"];

/// The form of the records of decisions. A journal of another form is of another run.
const DECISIONS: u32 = 2;

/// The roles of the pairs: reflected on, compared by, kept for the end.
pub(super) const ROLES: [Role; 3] = [Role::Reflect, Role::Select, Role::Final];

/// What is the same for a whole run.
pub(super) struct Bench<'a> {
    pub stock: Stock<'a>,
    pub sample: &'a Sample,
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

impl OptimizeWish {
    /// Whether its settings can be: sums of them are reckoned with, and lists of such lengths are made.
    fn settings(&self) -> Result<(), OptimizeError> {
        let size = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
        let bounds = [
            ("evaluations", self.evaluations, 1, 1_000_000_000),
            ("minibatch", size(self.minibatch), 1, 1000),
            ("side_by_side", size(self.side_by_side), 1, 1000),
            ("longest", size(self.longest), 1, 1_000_000),
            ("give_up", self.give_up.into(), 1, 1_000_000),
            ("parts.rounds", size(self.parts.rounds), 1, 100),
            ("parts.first_leg", size(self.parts.first_leg), 0, 1_000_000),
        ];
        match bounds.into_iter().find(|(_, is, least, most)| !(least..=most).contains(&is)) {
            Some((name, is, least, most)) => Err(OptimizeError::Setting { name, is, least, most }),
            None => Ok(()),
        }
    }
}

impl<'a> Bench<'a> {
    pub fn open(optimize: &Optimize<'a>, drawn: &'a Drawn) -> Result<Self, OptimizeError> {
        let (stock, sample) = (drawn.stock(optimize.manifest), &drawn.sample);
        let mut pairs: BTreeMap<Role, Vec<&Pair>> = BTreeMap::new();
        for one in &sample.pairs {
            pairs.entry(one.role).or_default().push(&one.pair);
        }
        for role in ROLES {
            let wanted = optimize.manifest.roles.get(&role).copied().unwrap_or(0);
            let found = pairs.get(&role).map_or(0, Vec::len);
            if found == 0 && role != Role::Final {
                return Err(OptimizeError::NoPairs { role, wanted });
            }
            if found < wanted {
                optimize.progress.warn(&format!(
                    "{found} pairs are set aside for {role} where {wanted} are wanted: pairs that share an act stay together"
                ));
            }
        }
        let base = optimize.rubrics.prompts();
        let mut components: BTreeMap<String, String> =
            COMPONENTS.iter().filter_map(|name| Some(((*name).to_string(), base.get(*name)?.clone()))).collect();
        let asked: BTreeSet<&RelationType> = pairs.values().flatten().map(|pair| &pair.relation).collect();
        for relation in asked {
            let name = addendum(relation);
            let words = stock.registry.spec(relation).map(|spec| spec.prompt.clone()).unwrap_or_default();
            let text = base.get(&name).cloned().unwrap_or(words);
            components.insert(name, text);
        }
        Ok(Self {
            stock,
            sample,
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
        self.stock.manifest.optimize.settings()?;
        let objections = Objections::new(self.stock.manifest.optimize.longest, self.passages());
        let engine =
            Engine::new(settings(self.stock.manifest, &self.rubric), self.sizes(), self.seed.clone(), objections)?;
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
            .filter_map(|celex| self.stock.graph.act(celex))
            .flat_map(|act| std::iter::once(&act.title.text).chain(act.units.iter().map(|unit| &unit.text)))
            .map(String::as_str)
    }

    /// The name of this run. All that a score or a decision depends on makes it another run: what was paid for in the one
    /// serves the other from the journal of calls, its decisions do not. What only limits a run is no part of its name.
    pub fn name(&self, optimize: &Optimize<'_>, voices: &Voices) -> Result<Digest, OptimizeError> {
        let (rubrics, prompts) = optimize.rubrics.digests();
        let documents = optimize.source.list().map_err(BuildError::from)?;
        let documents = documents.into_iter().map(|one| (one.key.to_string(), one.digest));
        let made_by: BTreeMap<String, Digest> = rubrics.into_iter().chain(prompts).chain(documents).collect();
        let Manifest { judge, optimize, undecided, .. } = self.stock.manifest;
        let settings = settings(self.stock.manifest, &self.rubric);
        let decided = serde_json::to_string(&(DECISIONS, settings, optimize.longest, &self.pairs, made_by));
        let voices = [voices.author.name().to_string(), voices.judge.name(), voices.reflection.name().to_string()];
        let asked = [self.stock.manifest.writer(), judge.as_ref(), optimize.reflection.as_ref()].map(|wish| {
            let asked = |wish: &ModelWish| {
                let ModelWish { base_url, max_tokens, temperature, effort, .. } = wish;
                format!("{base_url:?} {max_tokens} {temperature:?} {effort:?}")
            };
            wish.map(asked)
        });
        let how = format!("{voices:?} {asked:?} {undecided:?} {}", self.stock.known_on);
        let seed = self.seed.digest().to_string();
        Ok(Digest::of_fields([&decided.unwrap_or_default(), &how, &seed].map(String::as_bytes)))
    }
}
