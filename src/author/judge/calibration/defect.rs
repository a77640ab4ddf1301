//! The defects that are planted.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A known way in which an item can be bad. A closed set: each has code that plants it and code that checks it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Defect {
    /// An option that does not hold is the key, and the one that holds is not.
    WrongKey,
    /// A second option holds.
    TwoKeys,
    /// No passage says what the options turn on.
    UnsupportedKey,
    /// The item is set on a day on which its key does not hold.
    ShiftedDate,
    /// The stem refers to a document as such.
    GenericReference,
    /// Wrong options that nobody would choose.
    ImplausibleDistractor,
    /// The question asks for a trifle of procedure, and the relation plays no part.
    ProceduralTrivia,
}

impl Defect {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::WrongKey,
        Self::TwoKeys,
        Self::UnsupportedKey,
        Self::ShiftedDate,
        Self::GenericReference,
        Self::ImplausibleDistractor,
        Self::ProceduralTrivia,
    ];

    /// Its name in rubrics, reports and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::WrongKey => "wrong_key",
            Self::TwoKeys => "two_keys",
            Self::UnsupportedKey => "unsupported_key",
            Self::ShiftedDate => "shifted_date",
            Self::GenericReference => "generic_reference",
            Self::ImplausibleDistractor => "implausible_distractor",
            Self::ProceduralTrivia => "procedural_trivia",
        }
    }
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
