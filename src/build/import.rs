//! Documents that come in by hand: a folder, an archive of texts, one saved page.

use crate::cache::{About, Cache, CacheError, Key};
use crate::law::{Celex, Day, Digest, Language, Registry};
use crate::parse::{self, Refused, Root};
use crate::source::{
    Archive, ArchiveError, Bounds, DocumentKey, DocumentKeyError, Folder, Member, Source, SourceError,
};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufReader, Read as _};
use std::path::{Path, PathBuf};

/// What is brought in, and what is known about it.
#[derive(Debug, Clone)]
pub struct Import<'a> {
    /// A folder with an `INDEX.tsv`, a zip of texts, or one text.
    pub path: &'a Path,
    /// The act, of one text that need not name itself.
    pub celex: Option<&'a Celex>,
    /// The language, of texts that do not name it.
    pub language: Language,
    /// The day on which the texts were taken, where it is known.
    pub taken: Option<Day>,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Imported {
    /// Documents put into the cache.
    pub documents: usize,
    /// Bytes of them.
    pub bytes: u64,
    /// Files of which nothing is kept, each with the reason: what is not recognised is not guessed.
    pub left_out: Vec<(String, String)>,
}

/// Why nothing is brought in.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// A file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// The one text is none that can be kept.
    #[error("{}: {why}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        why: Refused,
    },
    /// The one text does not say which act it is.
    #[error("{} does not say which act it is; name it with --celex", .0.display())]
    Nameless(PathBuf),
    /// The archive cannot be opened.
    #[error("{}: {why}", path.display())]
    Archive {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: ArchiveError,
    },
    /// The folder cannot be used.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A document cannot be given a key.
    #[error(transparent)]
    Key(#[from] DocumentKeyError),
    /// The cache does not take it.
    #[error(transparent)]
    Cache(#[from] CacheError),
}

/// The longest single text, in bytes.
const LONGEST: u64 = 64 << 20;
/// How much is put into the cache at once, in bytes.
const BATCH: usize = 16 << 20;

impl Import<'_> {
    /// Brings the documents into the cache. What is in the cache already stays in its history.
    ///
    /// # Errors
    /// [`ImportError`]; what was put before stays.
    pub fn run(&self, cache: &Cache, registry: &Registry) -> Result<Imported, ImportError> {
        if self.path.is_dir() {
            return folder(self.path, cache);
        }
        let unreadable = |error| ImportError::Unreadable { path: self.path.to_path_buf(), error };
        if !fs::metadata(self.path).map_err(unreadable)?.is_file() {
            return Err(unreadable(std::io::Error::other("it is no file")));
        }
        let mut file = BufReader::new(File::open(self.path).map_err(unreadable)?);
        let mut head = Vec::new();
        file.by_ref().take(4).read_to_end(&mut head).map_err(unreadable)?;
        if head.starts_with(b"PK") {
            let file = BufReader::new(File::open(self.path).map_err(unreadable)?);
            return self.archive(file, cache);
        }
        let mut bytes = head;
        file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        self.one(&bytes, cache, registry)
    }

    /// One saved text.
    fn one(&self, bytes: &[u8], cache: &Cache, registry: &Registry) -> Result<Imported, ImportError> {
        let refused = |why| ImportError::Refused { path: self.path.to_path_buf(), why };
        let stated = parse::stated(bytes).map_err(refused)?;
        let celex = self.celex.or(stated.celex.as_ref());
        let celex = celex.ok_or_else(|| ImportError::Nameless(self.path.to_path_buf()))?;
        // A text that states a number of its own is not kept under another; nor one without a provision.
        if let Some(named) = stated.celex.as_ref().filter(|named| *named != celex && celex.base() != **named) {
            return Err(refused(Refused::WrongAct { asked: celex.clone(), named: named.clone() }));
        }
        let language = stated.language.unwrap_or(self.language);
        let given = parse::Given { celex, language, document: Digest::of(bytes), bytes, registry };
        parse::act(&given).map_err(refused)?;
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let key = DocumentKey::act(celex, language, stated.flavour.word())?;
        cache.put(key.key(), bytes, self.about(&name))?;
        Ok(Imported { documents: 1, bytes: bytes.len() as u64, left_out: Vec::new() })
    }

    fn about(&self, address: &str) -> About {
        About { address: address.to_string(), taken: self.taken, ..About::default() }
    }

    fn archive(&self, file: BufReader<File>, cache: &Cache) -> Result<Imported, ImportError> {
        let failed = |why| ImportError::Archive { path: self.path.to_path_buf(), why };
        let mut archive = Archive::open(file, Bounds::DUMP).map_err(failed)?;
        let mut imported = Imported::default();
        // First what each member says, then, with that known, the bytes: a dump does not fit into memory.
        let mut members = Shelf::default();
        for at in 0..archive.len() {
            match archive.member(at) {
                Ok(Some(member)) => members.look(at, &member),
                Ok(None) => {}
                Err(why) => imported.left_out.push((named(&why).to_string(), why.to_string())),
            }
        }
        let (wanted, nameless) = members.sort(self.language);
        imported.left_out.extend(nameless);
        imported.left_out.sort();
        let mut batch = Batch::default();
        for (at, key) in wanted {
            let Some(member) = archive.member(at).map_err(failed)? else { continue };
            imported.documents += 1;
            imported.bytes += member.bytes.len() as u64;
            batch.add(key?.key().clone(), member.bytes, self.about(&member.name));
            if batch.bytes > BATCH {
                batch.put(cache)?;
            }
        }
        batch.put(cache)?;
        Ok(imported)
    }
}

/// The member that an error is about.
fn named(error: &ArchiveError) -> &str {
    match error {
        ArchiveError::Member { name, .. } | ArchiveError::TooLong { name, .. } | ArchiveError::Bomb { name } => name,
        ArchiveError::Broken(_) | ArchiveError::TooMany { .. } => "",
    }
}

fn folder(path: &Path, cache: &Cache) -> Result<Imported, ImportError> {
    let folder = Folder::open(path)?;
    let (mut imported, mut batch) = (Imported::default(), Batch::default());
    for one in folder.list()? {
        match folder.fetch(&one.key) {
            Ok(fetched) => {
                imported.documents += 1;
                imported.bytes += fetched.bytes.len() as u64;
                batch.add(one.key.key().clone(), fetched.bytes, one.about());
            }
            Err(why) => imported.left_out.push((one.address, why.to_string())),
        }
        if batch.bytes > BATCH {
            batch.put(cache)?;
        }
    }
    batch.put(cache)?;
    Ok(imported)
}

/// Documents that wait to be put together.
#[derive(Default)]
struct Batch {
    documents: Vec<(Key, Vec<u8>, About)>,
    bytes: usize,
}

impl Batch {
    fn add(&mut self, key: Key, bytes: Vec<u8>, about: About) {
        self.bytes += bytes.len();
        self.documents.push((key, bytes, about));
    }

    fn put(&mut self, cache: &Cache) -> Result<(), CacheError> {
        let batch = std::mem::take(self);
        cache.put_all(batch.documents.iter().map(|(key, bytes, about)| (key.clone(), bytes.as_slice(), about.clone())))
    }
}

/// Members by their place, each with the key that it is kept under; and files that are not kept, with the reason.
type Sorted = (Vec<(usize, Result<DocumentKey, DocumentKeyError>)>, Vec<(String, String)>);

/// What the members of an archive say of themselves and of one another.
#[derive(Default)]
struct Shelf {
    texts: Vec<Text>,
    /// By the place of a table of parts (folder and file name): the act.
    tables: BTreeMap<String, Option<Celex>>,
    /// By place: the place of the table that names it.
    listed: BTreeMap<String, String>,
    left_out: Vec<(String, String)>,
}

/// A text in an archive.
struct Text {
    at: usize,
    name: String,
    /// The last word of its key.
    which: String,
    celex: Option<Celex>,
    language: Option<Language>,
    /// The place of the table of parts that it says it belongs to.
    table: Option<String>,
}

impl Shelf {
    fn look(&mut self, at: usize, member: &Member) {
        let beside = |file: &str| member.name.strip_suffix(member.file()).unwrap_or_default().to_string() + file;
        let stem = member.file().rsplit_once('.').map_or(member.file(), |(stem, _)| stem);
        let formex = format!("fmx4.{stem}");
        match parse::formex_root(&member.bytes) {
            Some(Root::Issue) => return,
            Some(Root::Parts) => {
                if let Ok(parsed) = parse::parts(&member.bytes) {
                    self.listed
                        .extend(parsed.value.members.iter().map(|part| (beside(&part.file), member.name.clone())));
                    self.tables.insert(member.name.clone(), parsed.value.celex);
                    let table = Some(member.name.clone());
                    let name = member.name.clone();
                    self.texts.push(Text { at, name, which: formex, celex: None, language: None, table });
                }
                return;
            }
            _ => {}
        }
        match parse::stated(&member.bytes) {
            Ok(stated) => {
                let which = if stated.flavour.word() == "fmx4" { formex } else { stated.flavour.word().to_string() };
                let table = stated.table.as_deref().map(beside);
                let name = member.name.clone();
                self.texts.push(Text { at, name, which, celex: stated.celex, language: stated.language, table });
            }
            Err(why) => self.left_out.push((member.name.clone(), why.to_string())),
        }
    }

    /// Which members are kept under which key, and which are not, with the reason.
    fn sort(mut self, language: Language) -> Sorted {
        let table_of = |text: &Text, listed: &BTreeMap<String, String>| {
            listed.get(&text.name).cloned().or_else(|| text.table.clone())
        };
        // A table that names no act itself is the table of the act whose text says that it belongs to it.
        for text in self.texts.iter().filter(|text| text.celex.is_some()) {
            if let Some(table) = table_of(text, &self.listed) {
                let of = self.tables.entry(table).or_default();
                *of = of.take().or_else(|| text.celex.clone());
            }
        }
        let languages: BTreeMap<String, Language> =
            self.texts.iter().filter_map(|text| Some((table_of(text, &self.listed)?, text.language?))).collect();
        let (mut kept, mut left_out) = (Vec::new(), std::mem::take(&mut self.left_out));
        for text in &self.texts {
            let table = table_of(text, &self.listed);
            let celex = table.as_ref().and_then(|t| self.tables.get(t).cloned().flatten()).or(text.celex.clone());
            let spoken = text.language.or_else(|| languages.get(table.as_ref()?).copied()).unwrap_or(language);
            match celex {
                None => left_out.push((text.name.clone(), "it does not say which act it is".to_string())),
                Some(celex) => kept.push((text.at, DocumentKey::act(&celex, spoken, &text.which))),
            }
        }
        (kept, left_out)
    }
}
