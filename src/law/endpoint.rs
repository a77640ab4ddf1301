//! One end of a relation: an act, or a part of one.

use super::{Celex, Part};
use serde::{Deserialize, Serialize};
use std::fmt;

/// An act, or a part of an act: `31962R0017`, `31962R0017#8(3)`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Endpoint {
    /// The act.
    pub celex: Celex,
    /// The part of it, if only a part is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
}

impl From<Celex> for Endpoint {
    fn from(celex: Celex) -> Self {
        Self { celex, part: None }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.celex)?;
        self.part.iter().try_for_each(|p| write!(f, "#{p}"))
    }
}
