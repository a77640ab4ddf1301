//! How the verbs begin that make something of a manifest: what it says, its rubrics, its source.

use super::crawl::{Fetched, crawled};
use super::interrupt::Interrupt;
use super::ui::{Bars, Ui};
use super::{Exit, Trouble};
use crate::build::{self, Manifest, Rubrics};
use crate::http::Allowance;
use crate::source::{Origin, Source};
use std::path::{Path, PathBuf};

/// How much a verb does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// It says what it would do.
    Plan,
    /// It does what can be done without the network.
    Offline,
    /// It does all.
    Online,
}

impl Reach {
    pub fn of(dry_run: bool, offline: bool) -> Self {
        match (dry_run, offline) {
            (true, _) => Self::Plan,
            (false, true) => Self::Offline,
            (false, false) => Self::Online,
        }
    }
}

/// A verb that has read its manifest.
pub(super) struct Begun {
    pub reach: Reach,
    pub ui: Ui,
    /// The manifest's text.
    pub text: String,
    pub manifest: Manifest,
    /// The folder it stands in.
    pub folder: PathBuf,
    pub rubrics: Rubrics,
    pub bars: Bars,
    /// What an interrupt halts.
    pub allowance: Allowance,
}

/// The source of a manifest, or the one named in its place.
pub(super) struct Opened {
    /// The documents.
    pub source: Box<dyn Source>,
    /// Those that failed for good, with the reason.
    pub unfetched: Vec<(String, String)>,
}

impl Begun {
    /// Reads manifest and rubrics. An interrupt halts what follows; a plan it ends.
    pub fn new(path: &Path, reach: Reach, ui: Ui, interrupt: &Interrupt) -> Result<Self, Trouble> {
        let text = Manifest::text(path).map_err(|e| Trouble::new(Exit::BadInput, e))?;
        let manifest = Manifest::parse(path, &text).map_err(|e| Trouble::new(Exit::BadInput, e))?;
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_path_buf();
        let rubrics = Rubrics::of(&manifest, &folder).map_err(|e| Trouble::new(Exit::BadInput, e))?;
        let (bars, allowance) = (Bars::new(ui), Allowance::default());
        if reach != Reach::Plan {
            interrupt.halts(&allowance, &bars);
        }
        Ok(Self { reach, ui, text, manifest, folder, rubrics, bars, allowance })
    }

    /// Opens the manifest's source, or the one named in its place; where that is CELLAR, its documents are fetched within
    /// the allowance, if the network may be used. None where that stopped before its end, which was told.
    pub fn opened(&self, named: Option<&Origin>, cache: Option<&Path>) -> Result<Option<Opened>, Trouble> {
        let own = || self.manifest.source.0.parse::<Origin>().map(|origin| origin.beside(&self.folder));
        let origin = named.cloned().map_or_else(own, Ok).map_err(|e| Trouble::new(Exit::BadInput, e))?;
        if origin == Origin::Cellar {
            let wanted = (&self.manifest, self.folder.as_path(), &self.rubrics);
            let allowance = Some(&self.allowance).filter(|_| self.reach == Reach::Online);
            let fetched = crawled(wanted, cache, allowance, &self.bars, self.ui)?;
            return Ok(fetched.map(|Fetched { source, failed }| Opened { source: Box::new(source), unfetched: failed }));
        }
        let shipped = build::shipped().map_err(|e| Trouble::new(Exit::Other, e))?;
        let source = origin.open(shipped).map_err(|e| Trouble::new(Exit::BadInput, e))?;
        Ok(Some(Opened { source, unfetched: Vec::new() }))
    }
}
