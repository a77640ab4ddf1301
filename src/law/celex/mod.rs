//! CELEX numbers: the identifier every EU act is known by.

mod address;
mod grammar;
mod repair;

pub(super) use repair::full_year;

use super::Day;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A CELEX number, kept exactly as written and known to be well-formed.
///
/// Well-formed means the grammar of section 3 of the CELLAR notes: sector, year, type letters, number,
/// then what the sector adds (serial, corrigendum, date of a consolidated state, slash parts of a treaty,
/// country and number of a national measure). That such an act exists is another question.
///
/// ```
/// use legal_link::law::{Celex, CelexClass};
/// let celex: Celex = "32016R0679R(02)".parse().unwrap();
/// let parts = celex.parts();
/// assert_eq!((parts.class, parts.year, parts.kind, parts.number), (CelexClass::Corrigendum, Some(2016), "R", Some("0679")));
/// assert_eq!(celex.base().to_string(), "32016R0679");
/// assert_eq!(celex.to_string(), "32016R0679R(02)");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Celex(Box<str>);

/// What a CELEX number stands for, by its form alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CelexClass {
    /// A document of any sector, in plain form.
    Document,
    /// A correction of another document: `R(02)` at the end.
    Corrigendum,
    /// A consolidated text (with a date), or the family of all of them (without).
    Consolidated,
    /// A treaty, or a part of one.
    Treaty,
    /// A national measure that transposes an act.
    #[serde(rename = "nim")]
    NationalMeasure,
}

/// The parts of a CELEX number, as slices of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CelexParts<'a> {
    /// What it stands for.
    pub class: CelexClass,
    /// The first character: `3` for secondary law, `6` for case law, … (see [`Celex::SECTORS`]).
    pub sector: char,
    /// The year.
    pub year: Option<u16>,
    /// One or two letters; empty for notices of the Official Journal's C series.
    pub kind: &'a str,
    /// The number with its zeros; none before a slash part.
    pub number: Option<&'a str>,
    /// The number in brackets that tells documents of one number apart.
    pub serial: Option<u16>,
    /// The ordinal of a corrigendum.
    pub corrigendum: Option<u16>,
    /// The day from which a consolidated text holds.
    pub version: Option<Day>,
    /// Country (three letters) and running number of a national measure.
    pub measure: Option<(&'a str, &'a str)>,
    /// What follows the first slash, without the mark of a corrigendum.
    pub tail: Option<&'a str>,
    /// The ending of a companion of a judgment: `INF`, `SUM`, `RES`.
    pub companion: Option<&'a str>,
}

/// A text that is no CELEX number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CelexError(pub String);

impl fmt::Display for CelexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no CELEX number", self.0)?;
        match Celex::suggest(&self.0) {
            Some(near) => write!(f, " (did you mean {near}?)"),
            None => f.write_str(" (write for instance 32016R0679, 31995L0046, 32016R0679R(02), 02016R0679-20160504)"),
        }
    }
}

impl std::error::Error for CelexError {}

impl Celex {
    /// All sectors: 0 consolidated texts, 1 treaties, 2 international agreements, 3 secondary law,
    /// 4 complementary law, 5 preparatory documents, 6 case law, 7 national measures, 8 national case law,
    /// 9 parliamentary questions, C the Official Journal's C series, E EFTA.
    pub const SECTORS: &'static str = "0123456789CE";

    /// The text, as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its parts.
    pub fn parts(&self) -> CelexParts<'_> {
        // Well-formed by construction; a reading that fails all the same gives empty parts, never a panic.
        grammar::read(&self.0).unwrap_or(CelexParts {
            class: CelexClass::Document,
            sector: '3',
            year: None,
            kind: "",
            number: None,
            serial: None,
            corrigendum: None,
            version: None,
            measure: None,
            tail: None,
            companion: None,
        })
    }

    /// The act it belongs to: the corrected act, the act of which it is a state, the act it transposes;
    /// itself if it is an act of its own. A serial is kept.
    ///
    /// A consolidated text belongs to sector 3, those of agreements (type `A`) to sector 2, of treaties to sector 1.
    #[must_use]
    pub fn base(&self) -> Self {
        let parts = self.parts();
        let text = &self.0;
        let base = match parts.class {
            CelexClass::Corrigendum => text.rsplit_once("R(").map_or(&**text, |(base, _)| base).to_string(),
            CelexClass::Consolidated => {
                let sector = match (parts.tail, parts.kind) {
                    (Some(_), _) => '1',
                    (None, "A") => '2',
                    (None, _) => '3',
                };
                format!("{sector}{}", text[1..].split('-').next().unwrap_or_default())
            }
            CelexClass::NationalMeasure => {
                let country = parts.measure.map_or(0, |(country, number)| country.len() + 1 + number.len());
                format!("3{}", &text[1..text.len() - country])
            }
            CelexClass::Treaty | CelexClass::Document => text.split('_').next().unwrap_or_default().to_string(),
        };
        Self(base.into())
    }

    /// Whether it corrects another document.
    pub fn is_corrigendum(&self) -> bool {
        self.parts().class == CelexClass::Corrigendum
    }

    /// Whether it is a proposal of the Commission, alone or with the High Representative: no law yet.
    pub fn is_proposal(&self) -> bool {
        let parts = self.parts();
        parts.sector == '5' && matches!(parts.kind, "PC" | "JP")
    }

    /// Whether it is a consolidated text, or the family of them.
    pub fn is_consolidated(&self) -> bool {
        self.0.starts_with('0')
    }

    /// The year it carries.
    pub fn year(&self) -> Option<u16> {
        self.parts().year
    }

    /// The act's number of this type and year in sector 3: `32016R0679` from `R`, 2016, 679. Padded to four digits.
    pub(super) fn secondary(kind: &str, year: u16, number: &str) -> Option<Self> {
        format!("3{year}{kind}{number:0>4}").parse().ok()
    }
}

impl FromStr for Celex {
    type Err = CelexError;
    fn from_str(text: &str) -> Result<Self, CelexError> {
        match grammar::read(text) {
            Some(_) => Ok(Self(text.into())),
            None => Err(CelexError(text.to_string())),
        }
    }
}

impl fmt::Display for Celex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Celex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Celex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests;
