//! ELI: the European Legislation Identifier, as far as it names acts of the Union.

use super::{Celex, Day};
use std::fmt;
use std::str::FromStr;

/// The ELI types of secondary law, and the letter that CELEX has for each.
const TYPES: [(&str, &str); 17] = [
    ("reg", "R"),
    ("reg_impl", "R"),
    ("reg_del", "R"),
    ("dir", "L"),
    ("dir_impl", "L"),
    ("dir_del", "L"),
    ("dec", "D"),
    ("dec_impl", "D"),
    ("dec_del", "D"),
    ("dec_framw", "F"),
    ("joint_action", "E"),
    ("reco", "H"),
    ("res", "G"),
    ("budget", "B"),
    ("guideline", "O"),
    ("proc_rules", "Q"),
    ("opin", "A"),
];

/// An ELI of an act: type, year, number, and which of its texts.
///
/// ```
/// use legal_link::law::Eli;
/// let eli: Eli = "http://data.europa.eu/eli/dir/2004/38/2011-06-16".parse().unwrap();
/// assert_eq!(eli.to_string(), "eli/dir/2004/38/2011-06-16");
/// assert_eq!(eli.celex().unwrap().as_str(), "02004L0038-20110616");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Eli {
    kind: String,
    year: u16,
    number: String,
    /// Tells acts of one number apart; it counts otherwise than the serial of a CELEX number.
    serial: Option<String>,
    /// The part of the act that is meant: `art_5`, `anx_I`.
    subdivisions: Vec<String>,
    text: EliText,
    language: Option<String>,
    /// The format of the document: `xhtml`, `fmx4`.
    format: Option<String>,
}

/// Which text of an act an ELI names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EliText {
    /// The act, no text in particular.
    Act,
    /// As published in the Official Journal.
    Journal,
    /// The consolidated text of a day.
    Consolidated(Day),
    /// A corrigendum, by the day it was published.
    Corrigendum(Day),
}

/// A text that is no ELI of an act.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no ELI of an act (for instance eli/reg/2016/679/oj)")]
pub struct EliError(pub String);

impl Eli {
    /// The CELEX number, where the ELI tells it; of a part (`art_5`) that of its act. None for a type without a letter of its own, for a bracket after
    /// the number, and for a corrigendum, whose ordinal it does not hold.
    pub fn celex(&self) -> Option<Celex> {
        let (_, letter) = TYPES.iter().find(|(kind, _)| *kind == self.kind)?;
        if self.serial.is_some() {
            return None;
        }
        let act = Celex::secondary(letter, self.year, &self.number)?;
        match self.text {
            EliText::Act | EliText::Journal => Some(act),
            EliText::Consolidated(day) => {
                format!("0{}-{}", &act.as_str()[1..], day.to_string().replace('-', "")).parse().ok()
            }
            EliText::Corrigendum(_) => None,
        }
    }

    /// Which text it names.
    pub fn text(&self) -> EliText {
        self.text
    }
}

impl FromStr for Eli {
    type Err = EliError;
    fn from_str(given: &str) -> Result<Self, EliError> {
        read(given).ok_or_else(|| EliError(given.chars().take(120).collect()))
    }
}

fn read(given: &str) -> Option<Eli> {
    let given = given.trim();
    let path = match given.find("://") {
        Some(at) => given[at + 3..].split_once("/eli/").filter(|(host, _)| host.ends_with("europa.eu"))?.1,
        None => given.trim_start_matches('/').strip_prefix("eli/")?,
    };
    let path = path.split(['?', '#']).next()?.trim_end_matches('/');
    let mut steps = path.split('/').peekable();
    let kind = steps.next().filter(|k| !k.is_empty() && k.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'))?;
    let year = steps.next().filter(|y| y.len() == 4)?.parse().ok().filter(|y| (1950..2100).contains(y))?;
    let (number, serial) = number(steps.next()?)?;
    let subdivisions: Vec<&str> = std::iter::from_fn(|| steps.next_if(|step| is_subdivision(step))).take(8).collect();
    let text = match steps.next() {
        None => EliText::Act,
        Some("oj") => EliText::Journal,
        Some("corrigendum") => {
            let day = steps.next()?.parse().ok()?;
            steps.next().filter(|s| *s == "oj")?;
            EliText::Corrigendum(day)
        }
        Some(day) => EliText::Consolidated(day.parse().ok()?),
    };
    let language = steps.next_if(|l| l.len() == 3 && l.bytes().all(|b| b.is_ascii_lowercase()));
    let format = steps.next_if(|f| language.is_some() && is_format(f));
    if steps.next().is_some() {
        return None;
    }
    let owned = |s: &str| s.to_string();
    Some(Eli {
        kind: owned(kind),
        year,
        number: owned(number),
        serial: serial.map(owned),
        subdivisions: subdivisions.into_iter().map(owned).collect(),
        text,
        language: language.map(owned),
        format: format.map(owned),
    })
}

/// `art_5`, `par_2`, `anx_I`: three letters for the kind of part, and its label.
fn is_subdivision(step: &str) -> bool {
    let label = |label: &str| (1..=12).contains(&label.len()) && label.bytes().all(|b| b.is_ascii_alphanumeric());
    step.split_once('_')
        .is_some_and(|(kind, of)| kind.len() == 3 && kind.bytes().all(|b| b.is_ascii_lowercase()) && label(of))
}

/// `xhtml`, `pdfa2a`, `fmx4`.
fn is_format(step: &str) -> bool {
    let fine = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    (3..=8).contains(&step.len()) && step.starts_with(|c: char| c.is_ascii_lowercase()) && step.bytes().all(fine)
}

/// `679`, or `243(2)` with what stands in brackets.
fn number(step: &str) -> Option<(&str, Option<&str>)> {
    let digits = |s: &str| !s.is_empty() && s.len() <= 6 && s.bytes().all(|b| b.is_ascii_digit());
    let (number, serial) = match step.split_once('(') {
        Some((number, rest)) => (number, Some(rest.strip_suffix(')')?)),
        None => (step, None),
    };
    (digits(number) && serial.is_none_or(digits)).then_some((number, serial))
}

impl fmt::Display for Eli {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "eli/{}/{}/{}", self.kind, self.year, self.number)?;
        self.serial.iter().try_for_each(|s| write!(f, "({s})"))?;
        self.subdivisions.iter().try_for_each(|part| write!(f, "/{part}"))?;
        match self.text {
            EliText::Act => {}
            EliText::Journal => f.write_str("/oj")?,
            EliText::Consolidated(day) => write!(f, "/{day}")?,
            EliText::Corrigendum(day) => write!(f, "/corrigendum/{day}/oj")?,
        }
        self.language.iter().chain(&self.format).try_for_each(|step| write!(f, "/{step}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn elis_round_trip_and_tell_what_they_tell() {
        let rows = [
            ("eli/reg/2016/679/oj", Some("32016R0679")),
            ("eli/reg/2016/679", Some("32016R0679")),
            ("eli/reg/2016/679/oj/eng", Some("32016R0679")),
            ("eli/reg/2016/679/2016-05-04", Some("02016R0679-20160504")),
            ("eli/dec/2012/243(2)/oj", None),
            ("eli/reg/2022/2554/corrigendum/2025-07-30/oj", None),
            ("eli/treaty/2016/1/oj", None),
            ("eli/reg/2016/679/art_5/oj", Some("32016R0679")),
            ("eli/reg/2016/679/art_5/par_1/2016-05-04/eng", Some("02016R0679-20160504")),
            ("eli/reg/2016/679/oj/eng/xhtml", Some("32016R0679")),
            ("eli/reg/2016/679/corrigendum/2018-05-23/oj/eng", None),
        ];
        for (text, celex) in rows {
            let eli: Eli = text.parse().unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(eli.to_string(), text);
            assert_eq!(eli.celex().as_ref().map(Celex::as_str), celex, "{text}");
        }
        for text in [
            "",
            "eli/",
            "eli/reg/2016",
            "eli/reg/16/679",
            "eli/reg/2016/679/2016-13-01",
            "eli/reg/2016/679/oj/eng/xhtml/x",
            "eli/reg/2016/679/oj/xhtml",
            "eli/reg/2016/679/art_/oj",
            "https://example.org/x",
        ] {
            assert!(text.parse::<Eli>().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_parses_prints_as_it_was(text in "eli/(reg|dec_impl|x)/[0-9]{4}/[0-9]{1,6}(\\([0-9]\\))?(/art_[0-9]{1,2})?(/oj|/2011-06-16|/corrigendum/2020-01-01/oj)?(/eng)?") {
            if let Ok(eli) = text.parse::<Eli>() {
                prop_assert_eq!(eli.to_string(), text);
            }
        }
    }
}
