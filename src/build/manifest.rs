//! The manifest (`dataset.toml`): the wish. What happened stands in the lock.

use super::batch::{BatchWish, batch};
use super::{CrawlWish, bounded};
use crate::author::optimize::{Acceptance, Fronts, Parts};
use crate::dataset::Role;
use crate::law::{Celex, Day, Digest, Language};
use crate::model::{Effort, Money};
use serde::de::value::MapAccessDeserializer;
use serde::de::{IntoDeserializer as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// A manifest, read and checked for what can be checked without the law.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Name of the dataset: letters, digits, dashes.
    pub name: String,
    /// Its version, `1.0.0`.
    #[serde(default = "first_version")]
    pub version: String,
    /// A title for people.
    #[serde(default)]
    pub title: Option<String>,
    /// Seed of every seeded order.
    #[serde(default)]
    pub seed: u64,
    /// Where the law comes from.
    #[serde(default)]
    pub source: SourceWish,
    /// How CELLAR is asked, where it is the source.
    #[serde(default)]
    pub crawl: CrawlWish,
    /// Which acts and pairs.
    #[serde(default)]
    pub scope: Scope,
    /// How many items per relation; published names are allowed. Empty: the registry's quotas.
    #[serde(default)]
    pub quotas: BTreeMap<String, u32>,
    /// Pairs set aside for the optimizer, per role (`reflect`, `select`, `final`); they share no act, version or
    /// corrigendum with the pairs that are published.
    #[serde(default)]
    pub roles: BTreeMap<Role, usize>,
    /// How many items a pair may have.
    #[serde(default = "one")]
    pub items_per_pair: u32,
    /// Who writes.
    #[serde(default)]
    pub author: AuthorWish,
    /// Who judges, if anyone.
    #[serde(default)]
    pub judge: Option<ModelWish>,
    /// What an undecided claim of a model's draft means.
    #[serde(default)]
    pub undecided: Undecided,
    /// Hard limits on what models may cost.
    #[serde(default)]
    pub budget: Budget,
    /// How judges are calibrated, and what a model must reach before it may judge a build.
    #[serde(default)]
    pub calibration: CalibrationWish,
    /// How the author's prompts are improved by `optimize`.
    #[serde(default)]
    pub optimize: OptimizeWish,
    /// The file of prompts that `optimize` chose, if the author's are to be these.
    #[serde(default)]
    pub prompts: Option<PromptsWish>,
    /// Set-level probes: whether a finding ends the build with exit 6.
    #[serde(default)]
    pub probes: Probes,
}

/// Where documents come from: `"shipped"`, `"folder:PATH"`, `"cache:PATH"`, `"cellar"`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct SourceWish(pub String);

impl Default for SourceWish {
    fn default() -> Self {
        Self("shipped".to_string())
    }
}

/// Which acts and pairs are in scope.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scope {
    /// First year of the acts.
    pub from: i32,
    /// Last year of the acts.
    pub to: i32,
    /// Language of the texts.
    pub language: Language,
    /// A list of pairs (CSV with `source_celex,relation,target_celex`), relative to the manifest.
    pub pairs: Option<PathBuf>,
    /// Acts to leave out.
    pub leave_out: Vec<Celex>,
    /// What was known by when; default: the newest fetch.
    pub known_on: Option<Day>,
}

impl Default for Scope {
    fn default() -> Self {
        Self {
            from: Day::FIRST_YEAR,
            to: Day::LAST_YEAR,
            language: Language::ENGLISH,
            pairs: None,
            leave_out: Vec::new(),
            known_on: None,
        }
    }
}

/// Who writes the items.
#[derive(Debug, Clone, PartialEq)]
pub enum AuthorWish {
    /// The built-in author.
    Named(BuiltInName),
    /// A model.
    Model(ModelWish),
}

impl Default for AuthorWish {
    fn default() -> Self {
        Self::Named(BuiltInName::BuiltIn)
    }
}

impl<'de> Deserialize<'de> for AuthorWish {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AuthorVisitor)
    }
}

/// A word or a table; each is then read on its own, so that an error says what is wrong in it.
struct AuthorVisitor;

impl<'de> Visitor<'de> for AuthorVisitor {
    type Value = AuthorWish;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`built-in`, or a table with `model`")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<AuthorWish, E> {
        BuiltInName::deserialize(name.into_deserializer()).map(AuthorWish::Named)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<AuthorWish, A::Error> {
        ModelWish::deserialize(MapAccessDeserializer::new(map)).map(AuthorWish::Model)
    }
}

/// The one author that needs no model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BuiltInName {
    /// Writes from forms, checked by code alone.
    BuiltIn,
}

/// A model to ask.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelWish {
    /// `provider:model`, for instance `openai:gpt-5-mini` or `local:smollm2-135m`.
    pub model: String,
    /// Base address, where it is not the provider's own.
    #[serde(default)]
    pub base_url: Option<String>,
    /// Name of the environment variable that holds the key.
    #[serde(default)]
    pub key_env: Option<String>,
    /// Longest reply, in tokens.
    #[serde(default = "reply_tokens")]
    pub max_tokens: u32,
    /// Sampling temperature.
    #[serde(default)]
    pub temperature: Option<f64>,
    /// How long it may think: `none`, `minimal`, `low`, `medium`, `high`, `xhigh`, `max`; the model's own default where
    /// it is not given.
    #[serde(default)]
    pub effort: Option<Effort>,
    /// Calls in flight at most.
    #[serde(default = "in_flight")]
    pub in_flight: usize,
    /// Whether calls go in batches, at half the price and answered within a day: `true`, or a table that says how
    /// patiently.
    #[serde(default, deserialize_with = "batch")]
    pub batch: Option<BatchWish>,
    /// Drafts asked per item wanted, at most.
    #[serde(default = "draws")]
    pub draws: u32,
}

/// What an undecided claim means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Undecided {
    /// The draft is refused.
    Refuse,
    /// The judge must answer the item blind and agree; the row is marked `judged`.
    #[default]
    Judge,
}

/// Hard limits; a call's worst case is reserved before it is sent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Budget {
    /// Calls.
    pub calls: Option<u64>,
    /// Tokens, prompt and reply together.
    pub tokens: Option<u64>,
    /// US dollars, by the prices of `rubrics/prices.toml`; models without a price cannot be asked then.
    pub money: Option<Money>,
    /// Seconds of wall time, from the first call on: then nothing more is sent, and what was sent is waited for up to a
    /// minute, since it may be paid for.
    pub seconds: Option<u64>,
}

/// How judges are calibrated: defects are planted in good items, and counted where the judge catches them. A build with a
/// model judge does it first, and does not go on where that judge is under the floor or over the ceiling.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CalibrationWish {
    /// Good items in which defects are planted; with 0 a build does not try its judge.
    pub items: usize,
    /// Least share of planted defects that a judge must catch.
    pub catch_floor: f64,
    /// Greatest share of good items that it may turn away.
    pub alarm_ceiling: f64,
    /// Further models to compare with; they judge no build.
    #[serde(rename = "judge")]
    pub judges: Vec<ModelWish>,
}

impl Default for CalibrationWish {
    fn default() -> Self {
        Self { items: 6, catch_floor: 0.7, alarm_ceiling: 0.3, judges: Vec::new() }
    }
}

/// How the author's prompts are improved. The budget is the paper's, 30 full evaluations of 150 pairs; the means that go beyond
/// the reference implementation are those that helped on the landscape of `benches/optimizer`, and can be switched off one by
/// one under `[optimize.parts]`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OptimizeWish {
    /// Evaluations at the most: one set of prompts on one pair, which is a draft and a judgement.
    pub evaluations: u64,
    /// Pairs that a proposal is tried on first.
    pub minibatch: usize,
    /// Proposals under way at once.
    pub side_by_side: usize,
    /// What candidates are compared by.
    pub fronts: Fronts,
    /// When a proposal has passed its minibatch.
    pub acceptance: Acceptance,
    /// Merges tried at the most.
    pub merges: u32,
    /// After so many proposals in a row that cost nothing and gave nothing, the run ends.
    pub give_up: u32,
    /// Longest component, in characters.
    pub longest: usize,
    /// Means that go beyond the reference implementation.
    pub parts: Parts,
    /// The model that writes components anew; without it the author's.
    pub reflection: Option<ModelWish>,
}

impl Default for OptimizeWish {
    fn default() -> Self {
        Self {
            evaluations: 30 * 150,
            minibatch: 3,
            side_by_side: 4,
            fronts: Fronts::Instance,
            acceptance: Acceptance::Better,
            merges: 5,
            give_up: 50,
            longest: 6000,
            parts: Parts::default(),
            reflection: None,
        }
    }
}

/// A file of prompts, with the hash that its bytes must have.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PromptsWish {
    /// The `prompts.json` that `optimize --out` wrote, relative to the manifest.
    pub file: PathBuf,
    /// Its SHA-256: a file of other bytes is refused.
    pub sha256: Digest,
}

/// What a finding of the set-level probes means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Probes {
    /// Shown in the report.
    #[default]
    Report,
    /// Ends the build with findings (exit 6).
    Fail,
}

fn first_version() -> String {
    "0.1.0".to_string()
}
fn one() -> u32 {
    1
}
fn reply_tokens() -> u32 {
    1500
}
fn in_flight() -> usize {
    4
}
fn draws() -> u32 {
    3
}

/// A manifest that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// The file cannot be read.
    #[error("cannot read the manifest {path}: {error}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// It is no manifest.
    #[error("{path}{}: {message}", line.map(|l| format!(":{l}")).unwrap_or_default())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: Option<usize>,
        /// What is wrong.
        message: String,
    },
}

impl Manifest {
    /// Reads a manifest file.
    ///
    /// # Errors
    /// [`ManifestError`] naming the file and, where known, the line.
    pub fn read(path: &Path) -> Result<Self, ManifestError> {
        Self::parse(path, &Self::text(path)?)
    }

    /// The text of a manifest file.
    ///
    /// # Errors
    /// [`ManifestError::Unreadable`].
    pub fn text(path: &Path) -> Result<String, ManifestError> {
        bounded::text(path).map_err(|error| ManifestError::Unreadable { path: path.to_path_buf(), error })
    }

    /// Reads a manifest from its text; `path` is used in messages only.
    ///
    /// # Errors
    /// [`ManifestError::Wrong`].
    pub fn parse(path: &Path, text: &str) -> Result<Self, ManifestError> {
        let wrong = |line, message: String| ManifestError::Wrong { path: path.to_path_buf(), line, message };
        let manifest: Self = toml::from_str(text).map_err(|e| {
            let line = e.span().map(|s| text[..s.start.min(text.len())].matches('\n').count() + 1);
            wrong(line, e.message().to_string())
        })?;
        let fine = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if manifest.name.is_empty() || !manifest.name.chars().all(fine) {
            return Err(wrong(None, "`name` takes letters, digits, `-` and `_`".to_string()));
        }
        let fine = |c: char| c.is_ascii_alphanumeric() || "-._+".contains(c);
        if manifest.version.is_empty() || !manifest.version.chars().all(fine) {
            return Err(wrong(None, "`version` takes letters, digits and `-._+`, as in `1.0.0`".to_string()));
        }
        if manifest.title.as_ref().is_some_and(|title| title.trim().is_empty() || title.contains(char::is_control)) {
            return Err(wrong(None, "`title` is one line of text".to_string()));
        }
        if manifest.scope.language != Language::ENGLISH {
            let message = format!("`language` is {}, and items are written in eng only", manifest.scope.language);
            return Err(wrong(None, message));
        }
        if manifest.scope.from > manifest.scope.to {
            let message = format!("the scope ends ({}) before it begins ({})", manifest.scope.to, manifest.scope.from);
            return Err(wrong(None, message));
        }
        let CalibrationWish { catch_floor, alarm_ceiling, .. } = manifest.calibration;
        if ![catch_floor, alarm_ceiling].iter().all(|share| (0.0..=1.0).contains(share)) {
            return Err(wrong(None, "`catch_floor` and `alarm_ceiling` are shares, from 0.0 to 1.0".to_string()));
        }
        let models = manifest.models().chain(&manifest.optimize.reflection);
        if let Some(error) = models.map(ModelWish::settings).find_map(Result::err) {
            return Err(wrong(None, error.to_string()));
        }
        if manifest.items_per_pair == 0 {
            return Err(wrong(None, "`items_per_pair` must be at least 1".to_string()));
        }
        Ok(manifest)
    }

    /// All models that are named: the writer, the judge, those to compare the judge with.
    pub fn models(&self) -> impl Iterator<Item = &ModelWish> {
        self.writer().into_iter().chain(&self.judge).chain(&self.calibration.judges)
    }

    /// The model that writes, if a model does.
    pub fn writer(&self) -> Option<&ModelWish> {
        match &self.author {
            AuthorWish::Named(_) => None,
            AuthorWish::Model(model) => Some(model),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_manifest_has_defaults() {
        let manifest = Manifest::parse(Path::new("dataset.toml"), "name = \"x\"\n").unwrap();
        assert_eq!(manifest.source, SourceWish::default());
        assert!(manifest.writer().is_none());
    }

    #[test]
    fn a_typing_error_shows_its_line() {
        let error = Manifest::parse(Path::new("dataset.toml"), "name = \"x\"\n\n[scope]\nform = 1990\n").unwrap_err();
        assert!(error.to_string().starts_with("dataset.toml:4"), "{error}");
    }

    #[test]
    fn what_cannot_be_meant_is_told() {
        let told = |text: &str| Manifest::parse(Path::new("dataset.toml"), text).unwrap_err().to_string();
        assert!(told("name = \"x\"\nauthor = \"bultin\"\n").contains("unknown variant `bultin`, expected `built-in`"));
        assert!(told("name = \"x\"\n[author]\nmodel = \"local:m\"\nbase = 1\n").contains("unknown field `base`"));
        for (line, must) in [
            ("in_flight = 1000000000000", "between 1 and 10000"),
            ("in_flight = 0", "between 1"),
            ("temperature = nan", "between 0 and 2"),
            ("draws = 0", "at least 1"),
            ("max_tokens = 0", "`max_tokens` of local:m is 0; it must be between 1 and 1000000"),
            ("max_tokens = 4000000000", "between 1 and 1000000"),
        ] {
            let error = told(&format!("name = \"x\"\n[judge]\nmodel = \"local:m\"\n{line}\n"));
            assert!(error.contains(must) && error.contains("local:m"), "{line}: {error}");
        }
        assert!(told("name = \"x\"\nversion = \"1\\n# x\"\n").contains("`version`"));
        assert!(told("name = \"x\"\ntitle = \"a\\nb\"\n").contains("`title`"));
        assert!(told("name = \"x\"\n[scope]\nlanguage = \"fra\"\n").contains("eng only"));
    }

    #[test]
    fn a_manifest_without_an_end_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("dataset.toml");
        std::fs::write(&path, "#".repeat(5 << 20)).unwrap();
        assert!(Manifest::read(&path).unwrap_err().to_string().contains("longer than"));
        assert!(Manifest::read(folder.path()).unwrap_err().to_string().contains("no file"));
    }

    #[test]
    fn a_model_author_is_a_table() {
        let text = "name = \"x\"\n[author]\nmodel = \"local:m\"\nbase_url = \"http://127.0.0.1:1/v1\"\n";
        assert!(Manifest::parse(Path::new("dataset.toml"), text).unwrap().writer().is_some());
    }
}
