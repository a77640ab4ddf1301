//! The rubrics: embedded in the binary, overridden by files beside the manifest.

use super::{Improved, Manifest, PromptsError, bounded};
use crate::author::claim_fault;
use crate::law::{Digest, Examined, Language, Languages, LanguagesError, Measure, Ontology, Registry, RegistryError};
use crate::model::{Prices, PricesError};
use crate::source::{Kind, Source, SourceError};
use include_dir::{Dir, include_dir};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The file of prices.
const PRICES: &str = "prices.toml";

static SHIPPED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/rubrics");

/// All rubric files by path (`relations.toml`, `prompts/drafting.md`), the manifest's own laid over the shipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rubrics {
    files: BTreeMap<String, String>,
    /// The prompts of an optimization that were laid over these, and the digest of their file.
    improved: Option<(Digest, Improved)>,
}

/// A rubric that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RubricsError {
    /// A file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// A file that a stage needs is not there.
    #[error("rubrics/{0} is missing; delete your copy of the folder to use the shipped one")]
    Missing(String),
    /// The registry is wrong.
    #[error("rubrics/{0}")]
    Registry(#[from] RegistryError),
    /// A language file is wrong.
    #[error("rubrics/{0}")]
    Language(#[from] LanguagesError),
    /// The prices are wrong.
    #[error("rubrics/{0}")]
    Prices(#[from] PricesError),
    /// The prompts that the manifest names cannot be used.
    #[error(transparent)]
    Prompts(#[from] PromptsError),
}

impl Rubrics {
    /// The rubrics that are embedded in the binary.
    pub fn shipped() -> Self {
        let mut files = BTreeMap::new();
        let mut folders = vec![&SHIPPED];
        while let Some(folder) = folders.pop() {
            folders.extend(folder.dirs());
            for file in folder.files() {
                if let Some(text) = file.contents_utf8() {
                    files.insert(file.path().to_string_lossy().replace('\\', "/"), text.to_string());
                }
            }
        }
        Self { files, improved: None }
    }

    /// The rubrics of a manifest that stands in `folder`: the shipped ones, its own `rubrics/` laid over them, and over
    /// those the prompts that it names.
    ///
    /// # Errors
    /// [`RubricsError`]: a file cannot be read, or the prompts are not those that the manifest names.
    pub fn of(manifest: &Manifest, folder: &Path) -> Result<Self, RubricsError> {
        let mut rubrics = Self::over(&folder.join("rubrics"))?;
        if let Some(wish) = &manifest.prompts {
            let improved = Improved::named(wish, folder)?;
            for (component, text) in &improved.prompts {
                rubrics.lay(&format!("prompts/{component}.md"), text.clone());
            }
            rubrics.improved = Some((wish.sha256, improved));
        }
        Ok(rubrics)
    }

    /// The prompts of an optimization that are laid over these, with the digest of their file.
    pub fn improved(&self) -> Option<&(Digest, Improved)> {
        self.improved.as_ref()
    }

    /// The shipped rubrics with the files of `folder` (if it exists) laid over them: one of the same path takes
    /// the place of the shipped one, a further one is added.
    ///
    /// # Errors
    /// [`RubricsError::Unreadable`].
    pub fn over(folder: &Path) -> Result<Self, RubricsError> {
        let mut rubrics = Self::shipped();
        let mut folders = vec![folder.to_path_buf()];
        let mut seen = BTreeSet::new();
        while let Some(at) = folders.pop() {
            if !at.is_dir() {
                continue;
            }
            let unreadable = |error| RubricsError::Unreadable { path: at.clone(), error };
            // A link may lead round in a circle.
            if !seen.insert(at.canonicalize().map_err(unreadable)?) {
                continue;
            }
            for entry in std::fs::read_dir(&at).map_err(unreadable)? {
                let path = entry.map_err(unreadable)?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|e| e == "toml" || e == "md") {
                    rubrics.add(folder, &path)?;
                }
            }
        }
        Ok(rubrics)
    }

    fn add(&mut self, folder: &Path, path: &Path) -> Result<(), RubricsError> {
        let unreadable = |error| RubricsError::Unreadable { path: path.to_path_buf(), error };
        let text = bounded::text(path).map_err(unreadable)?;
        let name = path.strip_prefix(folder).unwrap_or(path).to_string_lossy().replace('\\', "/");
        self.files.insert(name, text);
        Ok(())
    }

    /// A file's text.
    ///
    /// # Errors
    /// [`RubricsError::Missing`].
    pub fn file(&self, name: &str) -> Result<&str, RubricsError> {
        self.files.get(name).map(String::as_str).ok_or_else(|| RubricsError::Missing(name.to_string()))
    }

    /// The registry: `relations.toml`, then every other `relations/*.toml` in order of name.
    ///
    /// # Errors
    /// [`RubricsError`], naming file and line.
    pub fn registry(&self) -> Result<Registry, RubricsError> {
        let Examined { registry, errors, .. } = self.examine()?;
        errors.into_iter().next().map_or(Ok(registry), |error| Err(error.into()))
    }

    /// The registry with everything that is wrong in it or worth a look, predicates held to `cdm.toml`.
    ///
    /// # Errors
    /// [`RubricsError`]: a file is missing, or `cdm.toml` is wrong.
    pub fn examine(&self) -> Result<Examined, RubricsError> {
        let ontology = self.ontology()?;
        let measure = Measure { ontology: Some(&ontology), claims: Some(&claim_fault) };
        let first = ("relations.toml", self.file("relations.toml")?);
        let more = self.files.iter().filter(|(n, _)| n.starts_with("relations/"));
        let texts = std::iter::once(first).chain(more.map(|(n, t)| (n.as_str(), t.as_str())));
        Ok(Registry::examine(texts, &measure))
    }

    /// The predicates there are: `cdm.toml`.
    ///
    /// # Errors
    /// [`RubricsError`]: the file is missing or wrong.
    pub fn ontology(&self) -> Result<Ontology, RubricsError> {
        Ok(Ontology::parse("cdm.toml", self.file("cdm.toml")?)?)
    }

    /// Lays one more file over these, under its path in the folder.
    pub fn lay(&mut self, name: &str, text: String) {
        self.files.insert(name.to_string(), text);
    }

    /// The codes of the languages that have a file, sorted.
    pub fn language_codes(&self) -> impl Iterator<Item = &str> {
        self.language_files().map(|(code, _)| code)
    }

    /// The words by which a language cites acts, if it has a file.
    ///
    /// # Errors
    /// [`RubricsError::Language`], naming file and line.
    pub fn language(&self, language: Language) -> Result<Option<Languages>, RubricsError> {
        let code = language.to_string();
        let Some(file) = self.language_files().find(|(name, _)| *name == code) else { return Ok(None) };
        Ok(Some(Languages::parse([file])?))
    }

    /// The words by which all languages cite acts.
    ///
    /// # Errors
    /// [`RubricsError::Language`], naming file and line.
    pub fn languages(&self) -> Result<Languages, RubricsError> {
        Ok(Languages::parse(self.language_files())?)
    }

    fn language_files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter_map(|(name, text)| {
            let code = name.strip_prefix("languages/")?.strip_suffix(".toml")?;
            Some((code, text.as_str()))
        })
    }

    /// What models cost: `prices.toml`.
    ///
    /// # Errors
    /// [`RubricsError`]: the file is missing or wrong.
    pub fn prices(&self) -> Result<Prices, RubricsError> {
        Ok(Prices::parse(self.file(PRICES)?)?)
    }

    /// The prompt components by name, without folder and ending.
    pub fn prompts(&self) -> BTreeMap<String, String> {
        let named = |n: &str| n.strip_prefix("prompts/").and_then(|n| n.strip_suffix(".md")).map(str::to_string);
        self.files.iter().filter_map(|(n, t)| Some((named(n)?, t.clone()))).collect()
    }

    /// Digest of each file that a build can use, for the lock: rubrics proper, and prompts. (Language files serve the
    /// reading of other texts; acts are read with the words of English that are part of the program. Prices change no
    /// item; a report that shows money shows what they were.)
    pub fn digests(&self) -> (BTreeMap<String, Digest>, BTreeMap<String, Digest>) {
        let used = self.files.iter().filter(|(n, _)| !n.starts_with("languages/") && *n != PRICES);
        let all = used.map(|(n, t)| (n.clone(), Digest::of(t.as_bytes())));
        all.partition(|(n, _)| !n.starts_with("prompts/"))
    }
}

/// Of the predicates that the ontology does not have, those that no register document of the source carries
/// either: they will find nothing.
///
/// # Errors
/// [`SourceError`] where the source cannot say what it holds.
pub fn strangers(examined: &Examined, source: &dyn Source) -> Result<Vec<RegistryError>, SourceError> {
    let mut strangers = examined.strangers.clone();
    if strangers.is_empty() {
        return Ok(Vec::new());
    }
    for listed in source.list()?.iter().filter(|one| !matches!(one.key.kind(), Kind::Act)) {
        let Ok(fetched) = source.fetch(&listed.key) else { continue };
        // XML notices write names in upper case.
        let said = String::from_utf8_lossy(&fetched.bytes).to_ascii_lowercase();
        strangers.retain(|(predicate, _)| !said.contains(&predicate.to_ascii_lowercase()));
    }
    Ok(strangers.into_iter().map(|(_, error)| error).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_rubrics_hold_a_registry_that_asks_about_seven_relations() {
        let registry = Rubrics::shipped().registry().unwrap();
        assert_eq!(registry.asked().count(), 7);
    }

    #[test]
    fn the_shipped_languages_are_the_official_ones_and_a_folder_adds_more() {
        assert_eq!(Rubrics::shipped().languages().unwrap().known().count(), 24);
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("languages")).unwrap();
        let text = "[acts]\nregulation = { one = [\"reglugerð*\"] }\n[numbers]\nsigns = [\"nr\"]\n[communities]\nEC = [\"EB\"]\n";
        std::fs::write(folder.path().join("languages/isl.toml"), text).unwrap();
        let rubrics = Rubrics::over(folder.path()).unwrap();
        assert_eq!(rubrics.language_codes().count(), 25);
        let icelandic = "isl".parse().unwrap();
        let languages = rubrics.language(icelandic).unwrap().unwrap();
        let found = languages.wording(icelandic).unwrap().cite("reglugerðar (EB) nr. 9001/2003");
        assert_eq!(found[0].celex.as_ref().unwrap().as_str(), "32003R9001");
        std::fs::write(folder.path().join("languages/isl.toml"), "[acts]\nlaw = { one = [] }\n").unwrap();
        let error = Rubrics::over(folder.path()).unwrap().languages().unwrap_err().to_string();
        assert!(error.starts_with("rubrics/languages/isl.toml: ") && error.contains("line 2"), "{error}");
    }

    #[test]
    fn a_file_beside_the_manifest_adds_or_replaces() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("relations")).unwrap();
        let text = "[[relation]]\nname = \"hinders\"\nlabel = \"hinders\"\neffect = \"pauses\"\n";
        std::fs::write(folder.path().join("relations/mine.toml"), text).unwrap();
        let registry = Rubrics::over(folder.path()).unwrap().registry().unwrap();
        assert!(registry.relation("hinders").is_some() && registry.asked().count() == 8);
    }

    #[test]
    fn a_folder_that_is_not_there_changes_nothing() {
        assert_eq!(Rubrics::over(Path::new("/nowhere/at/all")).unwrap(), Rubrics::shipped());
    }
}
