//! One build, from the source to the files: load, sample, write, verify, judge, place, emit.

use super::calibrate::admitted;
use super::drawn::Stock;
use super::hold::OutFolder;
use super::items::{Made, Makers};
use super::models::Counter;
use super::news::passed_on;
use super::output::{self, LOCK, Output, finished};
use super::spending::spending;
use super::stages::{Counted, Ledger, digest_of};
use super::wish::{list, wish};
use super::{BuildError, Loaded, Manifest, Probes, Progress, Rubrics, TOOL, figures, load};
use crate::author::Stop;
use crate::dataset::{Calibration, Dataset, Document, Lock, LockedDocument, SecondVote, Spending, place};
use crate::emit::all;
use crate::graph::RelationGraph;
use crate::http::Allowance;
use crate::law::{Digest, Registry};
use crate::model::Spent;
use crate::sample::draw;
use crate::source::{Kind, Listed, Source};
use crate::verify::{Probe, Rules, probes};
use crate::view::{ChosenPrompts, Report, report};
use std::path::Path;

/// A build to be made.
pub struct Build<'a> {
    /// The manifest.
    pub manifest: &'a Manifest,
    /// Its bytes.
    pub manifest_bytes: &'a [u8],
    /// The folder it stands in: lists of pairs are relative to it.
    pub folder: &'a Path,
    /// The rubrics, with the manifest's own laid over.
    pub rubrics: &'a Rubrics,
    /// Where the law comes from.
    pub source: &'a dyn Source,
    /// The same as it is written: `shipped`, `folder:PATH`.
    pub origin: &'a str,
    /// Documents that could not be fetched, with the reason: they count as documents that could not be read.
    pub unfetched: Vec<(String, String)>,
    /// Where the dataset goes.
    pub out: &'a Path,
    /// The folder in which the journal of calls lies.
    pub journal: &'a Path,
    /// No network: the journal, or a clear end.
    pub offline: bool,
    /// The lock beside the manifest that the result must equal.
    pub locked: Option<Lock>,
    /// When it is halted nothing more is asked, and what is done is written.
    pub allowance: Allowance,
    /// Who listens.
    pub progress: &'a dyn Progress,
}

/// What came of a build.
#[derive(Debug)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// The dataset; none where nothing had to be done.
    pub dataset: Option<Dataset>,
    /// What is to be said of the models asked.
    pub models: AskedModels,
    /// The probes that are not fair.
    pub probes: Vec<Probe>,
    /// Documents that could not be read, with the reason.
    pub unread: Vec<(String, String)>,
    /// The lock, as written.
    pub lock: Lock,
}

/// What is to be said of the models that a build asked.
#[derive(Debug, Default)]
pub struct AskedModels {
    /// How it did on planted defects, where it is a model.
    pub calibration: Option<Calibration>,
    /// Where it and code are of two minds about generic references.
    pub second_votes: Vec<SecondVote>,
    /// What the dataset cost in models, in this run and those before; none where no model was asked.
    pub spending: Option<Spending>,
    /// What of it was spent in this run.
    pub spent: Option<Spent>,
}

/// How a build ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The output folder holds this very build already.
    Nothing,
    /// All that was wished.
    Done,
    /// Quotas unmet, or documents that could not be read.
    Short,
    /// Stopped by a limit; the same command goes on.
    Stopped(String),
    /// A set-level probe found something, and the manifest makes that a failure.
    Findings,
}

impl Build<'_> {
    /// Makes the dataset.
    ///
    /// # Errors
    /// [`BuildError`]; nothing in the output folder is touched before all stages have run. [`BuildError::Busy`] where
    /// another run is about to write there.
    pub fn run(&self) -> Result<Outcome, BuildError> {
        let registry = self.rubrics.registry()?;
        let rules = Rules::parse("checks.toml", self.rubrics.file("checks.toml")?)?;
        let listed = self.source.list()?;
        output::takes(self.out)?;
        let _held = OutFolder::hold(self.out)?;
        let mut lock = self.lock_of_inputs(&listed)?;
        let mut ledger = Ledger::default();
        let inputs = digest_of(&lock.without_places());
        ledger.record("inputs", 2, inputs, inputs, Counted { taken: listed.len(), made: listed.len(), warnings: 0 });
        if let Some(done) = self.done_before(&ledger)? {
            return Ok(done);
        }

        let loaded = self.load(&registry, &mut ledger)?;
        goes_on(&self.allowance)?;
        let documents = documents(&loaded);
        let refused = loaded.refused.iter().map(|(key, why)| (key.to_string(), why.clone()));
        let unread = self.unfetched.iter().cloned().chain(refused).collect();
        self.progress.begin("graph", 0);
        let graph = RelationGraph::build(loaded.facts, &registry);
        let known_on = self.manifest.scope.known_on.or(graph.known_on()).ok_or(BuildError::NoDay)?;
        let edges: Vec<_> = graph.edges().collect();
        ledger.record(
            "graph",
            1,
            digest_of(&known_on),
            digest_of(&edges),
            Counted { made: edges.len(), ..Counted::default() },
        );
        self.progress.end(&format!("{} edges", edges.len()));

        let sample = draw(&graph, &registry, &wish(self.manifest, self.folder, &registry)?);
        let names: Vec<_> = sample.pairs.iter().map(|s| &s.pair).collect();
        let counted = Counted { taken: edges.len(), made: names.len(), warnings: 0 };
        ledger.record("sample", 1, digest_of(&self.manifest.seed), digest_of(&names), counted);

        goes_on(&self.allowance)?;
        let teller = self.teller()?;
        let (progress, allowance) = (self.progress, &self.allowance);
        let stock = Stock { manifest: self.manifest, graph: &graph, registry: &registry, rules: &rules, known_on };
        let makers = passed_on(teller.as_ref(), progress, || Makers::open(stock, self.rubrics, teller.as_ref()))?;
        let calibrate = || admitted(stock, self.rubrics, teller.as_ref(), &sample, progress, allowance);
        let calibration = passed_on(teller.as_ref(), progress, calibrate)?;
        if let Some(calibration) = &calibration {
            let wish = &self.manifest.calibration;
            let parameters = digest_of(&(wish.items, wish.catch_floor, wish.alarm_ceiling));
            let counted = Counted { taken: calibration.items, made: calibration.judges.len(), warnings: 0 };
            ledger.record("calibrate", 1, parameters, digest_of(calibration), counted);
        }
        let made = passed_on(teller.as_ref(), progress, || makers.make(&sample, progress, allowance));
        if let Some(Stop::NotOnRecord(why)) = &made.stop {
            return Err(BuildError::Missing(why.clone()));
        }
        let counted = Counted { taken: names.len(), made: made.kept.len(), warnings: made.refusals.len() };
        let kept: Vec<_> = made.kept.iter().map(|k| (&k.draft, &k.proofs, &k.judgement)).collect();
        ledger.record("write", 2, digest_of(&self.manifest.items_per_pair), digest_of(&kept), counted);
        lock.models = makers.locked(&made, teller.as_ref());

        let Made { kept, refusals, second_votes, stop } = made;
        let items = place(kept, self.manifest.seed);
        let counted = Counted { taken: items.len(), made: items.len(), warnings: 0 };
        ledger.record("place", 1, digest_of(&self.manifest.seed), digest_of(&items), counted);
        let edges = figures::edges_of(&graph, &items);
        let shortfalls = sample.shortfalls(|pair| items.iter().filter(|i| &i.draft.pair == pair).count());
        let dataset = Dataset {
            name: self.manifest.title.clone().unwrap_or_else(|| self.manifest.name.clone()),
            version: self.manifest.version.clone(),
            seed: self.manifest.seed,
            language: self.manifest.scope.language,
            known_on,
            registry,
            items,
            refusals,
            shortfalls,
            edges,
            documents,
        };
        lock.known_on = Some(known_on);
        let spending = teller.as_ref().map(spending);
        let spent = teller.as_ref().map(|teller| teller.purse().spent());
        let models = AskedModels { calibration, second_votes, spending, spent };
        self.finish(dataset, models, &graph, &rules, lock, &ledger, stop, unread)
    }

    /// What a build is made from, all of it: equal inputs give equal outputs.
    fn lock_of_inputs(&self, listed: &[Listed]) -> Result<Lock, BuildError> {
        let mut lock = Lock::new(TOOL, self.manifest.seed);
        lock.manifest = Some(Digest::of(self.manifest_bytes));
        lock.source = Some(self.origin.to_string());
        (lock.rubrics, lock.prompts) = self.rubrics.digests();
        lock.prompts_file = self.rubrics.improved().map(|(digest, _)| *digest);
        let document = |one: &Listed| LockedDocument {
            key: one.key.to_string(),
            sha256: one.digest,
            bytes: one.size,
            address: Some(one.address.clone()),
            taken: one.taken,
        };
        // What no stage reads is no input.
        let read = listed.iter().filter(|one| one.key.kind() != Kind::Other);
        lock.documents = read.map(document).collect();
        lock.pairs = list(self.manifest, self.folder)?.map(|(_, text)| Digest::of(text.as_bytes()));
        Ok(lock)
    }

    /// The outcome of an earlier run of this very build, if the output folder holds it whole.
    fn done_before(&self, ledger: &Ledger) -> Result<Option<Outcome>, BuildError> {
        let same = |lock: &Lock| lock.stages.first() == ledger.stages().first() && lock.complete;
        let Some(lock) = finished(self.out).filter(same) else { return Ok(None) };
        self.compare(&lock)?;
        let end = if lock.short.is_empty() { End::Nothing } else { End::Short };
        Ok(Some(Outcome {
            end,
            dataset: None,
            models: AskedModels::default(),
            probes: Vec::new(),
            unread: Vec::new(),
            lock,
        }))
    }

    fn load(&self, registry: &Registry, ledger: &mut Ledger) -> Result<Loaded, BuildError> {
        self.progress.begin("read", 0);
        let loaded = load(self.source, registry)?;
        let acts: Vec<_> =
            loaded.facts.acts.iter().map(|a| (&a.celex, &a.document, a.units.len(), &a.clauses)).collect();
        let counted = Counted {
            taken: loaded.read.len() + loaded.refused.len(),
            made: acts.len(),
            warnings: loaded.warnings.len(),
        };
        ledger.record("read", 2, digest_of(&()), digest_of(&acts), counted);
        self.progress.end(&format!("{} documents, {} refused", loaded.read.len(), loaded.refused.len()));
        Ok(loaded)
    }

    /// Journal and budget, where a model is wished for.
    fn teller(&self) -> Result<Option<Counter>, BuildError> {
        if self.manifest.writer().is_none() && self.manifest.judge.is_none() {
            return Ok(None);
        }
        let (budget, prices) = (&self.manifest.budget, self.rubrics.prices()?);
        Ok(Some(Counter::open(self.journal, budget, prices, self.allowance.clone(), self.offline)?))
    }

    #[allow(clippy::too_many_arguments)]
    fn finish(
        &self,
        dataset: Dataset,
        models: AskedModels,
        graph: &RelationGraph,
        rules: &Rules,
        mut lock: Lock,
        ledger: &Ledger,
        stop: Option<Stop>,
        unread: Vec<(String, String)>,
    ) -> Result<Outcome, BuildError> {
        let probes = probes(&dataset.items.iter().collect::<Vec<_>>(), rules);
        let unfair: Vec<Probe> = probes.iter().filter(|p| !p.fair).cloned().collect();
        let end = match stop {
            Some(Stop::Limit(why) | Stop::NotOnRecord(why)) => End::Stopped(why),
            None if !dataset.shortfalls.is_empty() || !unread.is_empty() => End::Short,
            None if !unfair.is_empty() && self.manifest.probes == Probes::Fail => End::Findings,
            None => End::Done,
        };
        lock.complete = !matches!(end, End::Stopped(_));
        lock.short = dataset.shortfalls.iter().map(|s| format!("{}: {} of {}", s.stratum, s.had, s.wanted)).collect();
        lock.short.extend(unread.iter().map(|(document, why)| format!("not read: {document}: {why}")));
        let mut output = Output::default();
        for emitter in all() {
            emitter.emit(&dataset, &mut |path, bytes| {
                output.add(path, bytes, figures::rows(path, &dataset));
                Ok(())
            })?;
        }
        if let Some(calibration) = &models.calibration {
            output.add("calibration.json", &json(calibration), None);
        }
        if let Some(spending) = &models.spending {
            output.add("spending.json", &json(spending), None);
        }
        if !models.second_votes.is_empty() {
            output.add("second_votes.json", &json(&models.second_votes), None);
        }
        let page = report(&Report {
            dataset: &dataset,
            tool: TOOL,
            graph: figures::graph_counts(graph, &dataset.registry),
            lives: figures::lives(graph, &dataset.items, dataset.known_on),
            probes: figures::shown(&probes),
            prompts: self.chosen_prompts(),
            calibration: models.calibration.as_ref(),
            second_votes: &models.second_votes,
            spending: models.spending.as_ref(),
            stages: ledger.stages().to_vec(),
        });
        output.add("report.html", page.as_bytes(), None);
        lock.stages = ledger.stages().to_vec();
        lock.files = output.locked();
        lock.sort();
        self.compare(&lock)?;
        output.write(self.out, &lock.to_toml()?)?;
        Ok(Outcome { end, dataset: Some(dataset), models, probes: unfair, unread, lock })
    }

    /// The prompts of an optimization that this dataset was written by.
    fn chosen_prompts(&self) -> Option<ChosenPrompts<'_>> {
        let (digest, improved) = self.rubrics.improved()?;
        let file = self.manifest.prompts.as_ref()?.file.to_str()?;
        Some(ChosenPrompts { file, digest: *digest, lineage: &improved.lineage })
    }

    /// With `--locked`, the result must equal the lock beside the manifest.
    fn compare(&self, lock: &Lock) -> Result<(), BuildError> {
        let differences = self.locked.as_ref().map(|wanted| lock.differences(wanted)).unwrap_or_default();
        if differences.is_empty() { Ok(()) } else { Err(BuildError::Differs(differences)) }
    }
}

/// Between stages: whether the run was stopped.
///
/// # Errors
/// [`BuildError::Stopped`] with the reason.
pub(super) fn goes_on(allowance: &Allowance) -> Result<(), BuildError> {
    allowance.spent().map_or(Ok(()), |why| Err(BuildError::Stopped(why)))
}

/// The lock that stands beside a manifest.
///
/// # Errors
/// [`BuildError::Missing`] where there is none.
pub fn lock_beside(folder: &Path) -> Result<Lock, BuildError> {
    let path = folder.join(LOCK);
    let text = std::fs::read_to_string(&path).map_err(|e| {
        BuildError::Missing(format!("--locked needs {}: {e}; make it with --write-lock", path.display()))
    })?;
    Ok(Lock::parse(&text)?)
}

/// A value as a file of JSON.
fn json(value: &impl serde::Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(value).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

fn documents(loaded: &Loaded) -> Vec<Document> {
    let one = |listed: &Listed| Document {
        name: listed.key.to_string(),
        celex: listed.key.celex(),
        digest: listed.digest,
        bytes: usize::try_from(listed.size).unwrap_or(usize::MAX),
        origin: listed.origin.clone(),
        taken: listed.taken,
        specimen: listed.specimen,
    };
    loaded.read.iter().map(one).collect()
}
