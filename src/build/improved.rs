//! The prompts that an optimization chose, in one file: what `optimize --out` writes and a manifest names by its hash.

use super::optimize::COMPONENTS;
use super::{PromptsWish, bounded};
use crate::law::Digest;
use crate::view::Lineage;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What the names of addenda, each for one relation, begin with.
const ADDENDA: &str = "relations/";
/// The longest file that is read, in bytes: a lineage of a thousand candidates with long prompts.
const LONGEST: u64 = 32 << 20;

/// The prompts that an optimization chose, and how it came to them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Improved {
    /// The tool and its version.
    pub tool: String,
    /// The prompts chosen, by component.
    pub prompts: BTreeMap<String, String>,
    /// Which candidates there were, and how the result does on pairs kept apart.
    pub lineage: Lineage,
}

/// A file of prompts that a manifest names and that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PromptsError {
    /// It cannot be read.
    #[error(
        "the manifest's [prompts] file {} cannot be read: {error}; `legal-link optimize MANIFEST --out DIR` writes one, DIR/{}",
        path.display(),
        Improved::FILE
    )]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// Its bytes are others.
    #[error(
        "{} is not the file that the manifest's [prompts] names: its sha256 is {found}, and {wanted} is wanted; bring back the file \
         that was named (`optimize --out` writes the same bytes again from its journal), or name this one: sha256 = \"{found}\"",
        path.display()
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// The digest that the manifest names.
        wanted: Digest,
        /// The digest of its bytes.
        found: Digest,
    },
    /// It is no such file.
    #[error("{} holds no prompts of an optimization ({why}); name the {} that `optimize --out` writes", path.display(), Improved::FILE)]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
}

impl Improved {
    /// The name of the file in the folder of `optimize --out`.
    pub const FILE: &str = "prompts.json";

    /// The file's bytes.
    pub fn to_json(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }

    /// The prompts that a manifest in `folder` names, whose bytes must be those it means.
    ///
    /// # Errors
    /// [`PromptsError`].
    pub(super) fn named(wish: &PromptsWish, folder: &Path) -> Result<Self, PromptsError> {
        let path = folder.join(&wish.file);
        let text =
            bounded::up_to(&path, LONGEST).map_err(|error| PromptsError::Unreadable { path: path.clone(), error })?;
        let found = Digest::of(text.as_bytes());
        if found != wish.sha256 {
            return Err(PromptsError::Other { path, wanted: wish.sha256, found });
        }
        let improved: Result<Self, _> = serde_json::from_str(&text);
        let read = improved.map_err(|e| e.to_string()).and_then(Self::sound);
        read.map_err(|why| PromptsError::Malformed { path, why })
    }

    /// These prompts, if they are components that an optimization writes, each with a text; else what is wrong.
    fn sound(self) -> Result<Self, String> {
        let known = |name: &str| COMPONENTS.contains(&name) || name.starts_with(ADDENDA);
        if self.prompts.is_empty() {
            return Err("there are none".to_string());
        }
        match self.prompts.iter().find(|(name, text)| !known(name) || text.trim().is_empty()) {
            Some((name, _)) if !known(name) => {
                Err(format!("`{name}` is no component that is improved: {}, {ADDENDA}RELATION", COMPONENTS.join(", ")))
            }
            Some((name, _)) if COMPONENTS.contains(&name.as_str()) => Err(format!("`{name}` is empty")),
            _ => Ok(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_bytes_that_are_named_are_taken() {
        let folder = tempfile::tempdir().unwrap();
        let file = PathBuf::from("prompts.json");
        let prompts = BTreeMap::from([("drafting".to_string(), "Say it once.\n".to_string())]);
        let improved = Improved { tool: "legal-link".to_string(), prompts, lineage: Lineage::default() };
        let bytes = improved.to_json();
        let wish = PromptsWish { file: file.clone(), sha256: Digest::of(&bytes) };
        let said = |wish: &PromptsWish| Improved::named(wish, folder.path()).unwrap_err().to_string();
        assert!(said(&wish).contains("prompts.json cannot be read") && said(&wish).contains("optimize"));
        std::fs::write(folder.path().join(&file), &bytes).unwrap();
        assert_eq!(Improved::named(&wish, folder.path()).unwrap(), improved);
        let other = String::from_utf8(bytes).unwrap().replace("once", "here");
        std::fs::write(folder.path().join(&file), &other).unwrap();
        let found = Digest::of(other.as_bytes());
        assert!(said(&wish).contains(&format!("its sha256 is {found}, and {} is wanted", wish.sha256)));
        for (prompts, why) in [
            (vec![], "there are none"),
            (vec![("draftng", "Say it.")], "`draftng` is no component that is improved: drafting, distractors"),
            (vec![("drafting", " ")], "`drafting` is empty"),
        ] {
            let prompts = prompts.into_iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
            let bytes = Improved { prompts, ..improved.clone() }.to_json();
            std::fs::write(folder.path().join(&file), &bytes).unwrap();
            let wish = PromptsWish { file: file.clone(), sha256: Digest::of(&bytes) };
            assert!(said(&wish).contains(why), "{}", said(&wish));
        }
        let wish = PromptsWish { file: file.clone(), sha256: Digest::of(b"[]") };
        std::fs::write(folder.path().join(&file), "[]").unwrap();
        assert!(said(&wish).contains("holds no prompts of an optimization"));
    }
}
