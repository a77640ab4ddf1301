//! `legal-link cache`: what is kept on this machine, and giving it to others.

use super::held::cache_folder;
use super::locked::{Locked, Places};
use super::ui::Ui;
use super::{Exit, Trouble};
use crate::build::{self, Import, ImportError, Rubrics};
use crate::cache::{
    Cache, CacheError, Entry, PackError, Rebuilt, Shipped, Stat, Unpacked, Verified, WriteError, lasting, lay_out,
    pack, tidy,
};
use crate::dataset::Lock;
use crate::law::{Celex, Day, Language};
use crate::source::{self, Origin, Source, SourceError};
use serde::Serialize;
use std::fmt::Write as _;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    verb: Verb,
    /// The cache's folder [default: the user's cache folder].
    #[arg(long, global = true, value_name = "DIR")]
    cache: Option<PathBuf>,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Count what is in it.
    Stat,
    /// Hash every document again and say what does not stand.
    Verify,
    /// Set damaged documents aside and make the index anew.
    Rebuild,
    /// Write documents as one file (`x.tar`) for a colleague, or as a folder to ship.
    Pack {
        /// Whose documents: `folder:PATH` or `cache:PATH` [default: the cache's].
        #[arg(long, value_name = "SRC")]
        from: Option<Origin>,
        /// Just the documents that this lock names, with the very bytes it names.
        #[arg(long, value_name = "FILE")]
        lock: Option<PathBuf>,
        /// The file, if it ends in `.tar`; else the folder, whose other blobs are removed.
        #[arg(long, value_name = "PATH")]
        into: PathBuf,
    },
    /// Put the documents of a packed file into the cache.
    Unpack {
        /// The file.
        file: PathBuf,
    },
    /// Put documents into the cache that came by hand: a folder with an INDEX.tsv, a zip of texts, a saved page.
    Import {
        /// The folder or file.
        path: PathBuf,
        /// The act, of one text that does not name itself.
        #[arg(long)]
        celex: Option<Celex>,
        /// The language of texts that do not name theirs.
        #[arg(long, default_value = "eng")]
        language: Language,
        /// The day on which the texts were taken.
        #[arg(long, value_name = "YYYY-MM-DD")]
        taken: Option<Day>,
    },
}

pub(super) fn run(args: &Args, ui: Ui) -> Result<Exit, Trouble> {
    match &args.verb {
        Verb::Stat => {
            let stat = visit(args)?.stat()?;
            ui.data(&stat, || stat_text(&stat))?;
            Ok(Exit::Done)
        }
        Verb::Verify => {
            let verified = visit(args)?.verify()?;
            ui.data(&verified, || verified_text(&verified))?;
            Ok(if verified.sound() { Exit::Done } else { Exit::Findings })
        }
        Verb::Rebuild => {
            let rebuilt = hold(args)?.rebuild()?;
            ui.data(&rebuilt, || rebuilt_text(&rebuilt))?;
            Ok(if rebuilt.lost.is_empty() { Exit::Done } else { Exit::Short })
        }
        Verb::Pack { from, lock: Some(lock), into } => {
            let packed = pack_locked(args, from.as_ref(), lock, into)?;
            ui.data(&packed, || format!("{} documents, {} bytes", packed.documents, packed.bytes))?;
            Ok(Exit::Done)
        }
        Verb::Pack { from, lock: None, into } => {
            let origin = from.clone().map_or_else(|| folder(args).map(Origin::Cache), Ok)?;
            let packed = packed(origin.open(build::shipped().map_err(broken)?)?.as_ref(), into)?;
            ui.data(&packed, || format!("{} documents, {} bytes", packed.documents, packed.bytes))?;
            Ok(Exit::Done)
        }
        Verb::Unpack { file } => {
            let unread = |error| Trouble::new(Exit::BadInput, format!("{}: {error}", file.display()));
            let mut packed = BufReader::new(File::open(file).map_err(unread)?);
            let Unpacked { documents, new } = hold(args)?.unpack(&mut packed)?;
            ui.data(&Unpacked { documents, new }, || format!("{documents} documents, {new} of them new"))?;
            Ok(Exit::Done)
        }
        Verb::Import { path, celex, language, taken } => {
            let import = Import { path, celex: celex.as_ref(), language: *language, taken: *taken };
            let registry = Rubrics::over(Path::new("rubrics")).and_then(|r| r.registry()).map_err(bad)?;
            let imported = import.run(&hold(args)?, &registry)?;
            ui.data(&imported, || format!("{} documents, {} bytes", imported.documents, imported.bytes))?;
            for (file, why) in &imported.left_out {
                ui.note(format_args!("left out: {file}: {why}"));
            }
            Ok(if imported.left_out.is_empty() { Exit::Done } else { Exit::Short })
        }
    }
}

/// The documents of one dataset, so that somebody else can rebuild it.
fn pack_locked(args: &Args, from: Option<&Origin>, lock: &Path, into: &Path) -> Result<Packed, Trouble> {
    let named = |e: &dyn std::fmt::Display| Trouble::new(Exit::BadInput, format!("{}: {e}", lock.display()));
    let read = std::fs::read_to_string(lock).map_err(|e| named(&e))?;
    let read = Lock::parse(&read).map_err(|e| named(&e))?;
    let dir = lock.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let locked = Locked::among(&Places { dir, source: from, cache: args.cache.as_deref() }, Some(&read))?;
    let missing = locked.missing(&read);
    if let Some(first) = missing.first() {
        let (n, of, key) = (missing.len(), read.documents.len(), &first.key);
        let why = format!("{n} of the {of} documents are nowhere here, the first: {key} ({})", first.sha256);
        let hint = "name the source that the dataset was built from: --from cache:PATH or folder:PATH";
        return Err(Trouble::new(Exit::NotReproducible, why).hint(hint));
    }
    packed(&locked, into)
}

fn folder(args: &Args) -> Result<PathBuf, Trouble> {
    cache_folder(args.cache.as_deref())
}

fn visit(args: &Args) -> Result<Cache, Trouble> {
    Ok(Cache::visit(&folder(args)?, build::shipped().map_err(broken)?)?)
}

fn hold(args: &Args) -> Result<Cache, Trouble> {
    Ok(Cache::open(&folder(args)?, Shipped::default())?)
}

fn bad(error: impl std::fmt::Display) -> Trouble {
    Trouble::new(Exit::BadInput, error)
}

fn broken(error: impl std::fmt::Display) -> Trouble {
    Trouble::new(Exit::Other, error)
}

/// What was packed.
#[derive(Debug, Serialize)]
struct Packed {
    documents: usize,
    /// Uncompressed.
    bytes: u64,
}

fn packed(source: &dyn Source, into: &Path) -> Result<Packed, Trouble> {
    let entries = source::entries(source)?;
    let done = Packed { documents: entries.len(), bytes: entries.iter().map(|entry| entry.size).sum() };
    let bytes_of = |entry: &Entry| -> Result<Vec<u8>, Trouble> {
        let key = source::DocumentKey::try_from(entry.key.clone()).map_err(broken)?;
        Ok(source.fetch(&key)?.bytes)
    };
    if into.extension().is_some_and(|ending| ending == "tar") {
        lasting::fill(into, |sink| pack(entries.clone(), bytes_of, sink))?;
    } else {
        lay_out(entries.clone(), bytes_of, |path, bytes| -> Result<(), Trouble> {
            Ok(lasting::write(lasting::Place::Whole(&into.join(path)), bytes)?)
        })?;
        tidy(into, &entries)?;
    }
    Ok(done)
}

fn stat_text(stat: &Stat) -> String {
    let mut out = format!(
        "documents  {} ({} answers, older ones counted)\nblobs      {}, {} bytes on disk for {} bytes\nshipped    {}\n",
        stat.keys, stat.puts, stat.blobs, stat.bytes_on_disk, stat.bytes, stat.shipped
    );
    if stat.waiting > 0 {
        let _ = writeln!(out, "waiting    {} journals of other processes", stat.waiting);
    }
    out
}

fn verified_text(verified: &Verified) -> String {
    let mut out = format!("{} blobs hashed\n", verified.blobs);
    for (digest, fault) in &verified.damaged {
        let _ = writeln!(out, "damaged    {digest}: {fault}");
    }
    for key in &verified.gone {
        let _ = writeln!(out, "gone       {key}");
    }
    for line in &verified.bad_lines {
        let _ = writeln!(out, "bad line   {line} of the journal of puts");
    }
    if !verified.unnamed.is_empty() || verified.unfinished > 0 {
        let (unnamed, unfinished) = (verified.unnamed.len(), verified.unfinished);
        let _ = writeln!(out, "harmless   {unnamed} blobs without a name, {unfinished} unfinished files");
    }
    out.push_str(if verified.sound() { "sound\n" } else { "not sound: `legal-link cache rebuild` mends it\n" });
    out
}

fn rebuilt_text(rebuilt: &Rebuilt) -> String {
    let mut out = format!("{} documents indexed, {} blobs set aside\n", rebuilt.keys, rebuilt.set_aside.len());
    for key in &rebuilt.lost {
        let _ = writeln!(out, "lost       {key} (fetch it again)");
    }
    out
}

impl From<CacheError> for Trouble {
    fn from(error: CacheError) -> Self {
        let exit = if matches!(error, CacheError::Busy(_)) { Exit::Stopped } else { Exit::Other };
        Self::new(exit, error)
    }
}

impl From<PackError> for Trouble {
    fn from(error: PackError) -> Self {
        match error {
            PackError::Cache(error) => error.into(),
            other => Self::new(Exit::BadInput, other),
        }
    }
}

impl From<ImportError> for Trouble {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::Cache(error) => error.into(),
            other => Self::new(Exit::BadInput, other),
        }
    }
}

impl From<WriteError> for Trouble {
    fn from(error: WriteError) -> Self {
        Self::new(Exit::Other, error)
    }
}

impl From<SourceError> for Trouble {
    fn from(error: SourceError) -> Self {
        let exit = if matches!(error, SourceError::NoCrawler) { Exit::Usage } else { Exit::BadInput };
        Self::new(exit, error)
    }
}
