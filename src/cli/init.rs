//! `legal-link init [DIR]`: a manifest to begin with.

use super::ui::Ui;
use super::{Exit, Trouble};
use crate::build::STARTER;
use crate::cache::lasting::{Place, write};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder, made if it is not there.
    #[arg(default_value = ".")]
    dir: PathBuf,
}

/// What is printed.
#[derive(Serialize)]
struct Told {
    manifest: PathBuf,
}

pub(super) fn run(args: &Args, ui: Ui) -> Result<Exit, Trouble> {
    let manifest = args.dir.join("dataset.toml");
    if manifest.symlink_metadata().is_ok() {
        let why = format!("{} is there already, and is left as it is", manifest.display());
        return Err(Trouble::new(Exit::BadInput, why).hint("give another folder: legal-link init DIR"));
    }
    write(Place::Whole(&manifest), STARTER.as_bytes())?;
    let told = Told { manifest };
    ui.data(&told, || {
        let at = told.manifest.display();
        format!("{at}\nNext: legal-link build {at} --out {}\n", args.dir.join("out").display())
    })?;
    Ok(Exit::Done)
}
