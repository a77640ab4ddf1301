//! How prose names an act: its kind with its number, and what its title says it is about.

use super::{Celex, Day};
use regex::Regex;
use std::sync::LazyLock;

/// The exact designation of an act and its subject.
///
/// ```
/// use legal_link::law::{ActName, Celex};
/// let celex: Celex = "32009R9001".parse().unwrap();
/// let title = "COMMISSION REGULATION (EC) No 9001/2009 of 3 June 2009 on the labelling of lamps and repealing Regulation (EC) No 9002/2001";
/// let name = ActName::read(&celex, title);
/// assert_eq!(name.designation, "Regulation (EC) No 9001/2009");
/// assert_eq!(name.subject.as_deref(), Some("on the labelling of lamps"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActName {
    /// `Directive 95/46/EC`, `Delegated Regulation (EU) 2024/1772`, `Corrigendum 32016R0679R(02)`.
    pub designation: String,
    /// What it is about, as it follows the designation: `on …`, `laying down …`, for a corrigendum `to …`; in its
    /// title's own words, but for `with regard to`, which reads as `on` behind a name. None where the title does not
    /// say so in one piece without naming other acts: a subject cut short is worse than none.
    pub subject: Option<String>,
}

/// Longest subject, in characters: what is longer is left out.
const SUBJECT: usize = 180;
/// How a subject begins that reads as English behind a name.
const BEGINNINGS: [&str; 12] = [
    "on ",
    "laying down ",
    "establishing ",
    "concerning ",
    "as regards ",
    "regarding ",
    "relating to ",
    "applying ",
    "imposing ",
    "setting up ",
    "creating ",
    "providing for ",
];

static HEAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?xi)
        \b(?P<kind>(?:(?:delegated|implementing|framework)\s+)?(?:regulation|directive|decision|recommendation))\s+
        (?:of\s+the\s+[a-z ]{4,60}?\s+)?
        (?P<domain>\((?:EU|EC|EEC|ECSC|Euratom|EU,\s?Euratom|EC,\s?Euratom|EC,\s?ECSC|ECSC,\s?EEC,\s?Euratom|CFSP)\),?\s*)?
        (?P<no>No\.?\s*)?
        (?P<number>\d{1,4}(?:/\d{1,4})?(?:/(?:EEC|EC|EU|ECSC|JHA|CFSP|Euratom))?)\b",
    )
    .ok()
});

static NUMBER_FIRST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?P<number>\d{2,4}/\d{1,4}/(?:EEC|EC|EU|ECSC|JHA|CFSP|Euratom))\s*:\s*(?P<rest>.*)$").ok()
});

static KIND: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)\b(?:framework\s+)?(?:decision|directive|recommendation)\b").ok());

static DATED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)\bof\s+(?P<day>\d{1,2}\s+[a-z]+\s+\d{4})\b").ok());

static OTHER_ACT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\d/\d|\bNo\s*\d|\b(?:that|this|the|said) (?:directive|regulation|decision)\b").ok()
});

/// Words that something must follow.
static DANGLING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:regulations?|directives?|decisions?|articles?(?:\s+\d+)?|of|the|to|and|or|in|for|on|with|a|certain)$")
        .ok()
});

impl ActName {
    /// The name of an act from its title; from its number where the title has none.
    pub fn read(celex: &Celex, title: &str) -> Self {
        if celex.is_corrigendum() {
            let corrected = designation(title).map(|(corrected, _)| format!("to {corrected}"));
            return Self { designation: format!("Corrigendum {celex}"), subject: corrected };
        }
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        let (designation, rest) = designation(&title).unwrap_or_else(|| (from_number(celex), title.clone()));
        Self { designation, subject: subject(&rest) }
    }

    /// The name of an act of which only the number is known.
    pub fn of_number(celex: &Celex) -> Self {
        Self::read(celex, "")
    }

    /// Designation and subject: `Directive 95/46/EC on the protection of …`.
    pub fn with_subject(&self) -> String {
        match &self.subject {
            Some(subject) => format!("{} {subject}", self.designation),
            None => self.designation.clone(),
        }
    }
}

/// The designation in a title, and the title from there on.
fn designation(title: &str) -> Option<(String, String)> {
    if let Some(found) = NUMBER_FIRST.as_ref()?.captures(title) {
        let rest = found.name("rest")?.as_str();
        let kind = KIND.as_ref()?.find(rest)?;
        return Some((format!("{} {}", title_case(kind.as_str()), &found["number"]), rest[kind.end()..].to_string()));
    }
    let found = HEAD.as_ref()?.captures(title)?;
    // The act's own number stands before anything it does to others.
    let whole = found.get(0).filter(|m| m.start() < 80)?;
    let mut words = title_case(&found["kind"]);
    if let Some(domain) = found.name("domain") {
        words = format!("{words} {}", domain.as_str().trim().trim_end_matches(','));
    }
    let no = if found.name("no").is_some() { "No " } else { "" };
    Some((format!("{words} {no}{}", &found["number"]), title[whole.end()..].to_string()))
}

fn title_case(words: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters
            .next()
            .map_or(String::new(), |first| first.to_uppercase().chain(letters.flat_map(char::to_lowercase)).collect())
    };
    words.split_whitespace().map(capital).collect::<Vec<String>>().join(" ")
}

/// The designation that the number alone gives, by the numbering of its time: `Directive 95/46/EC`,
/// `Regulation (EC) No 44/2001`, from 2015 `Regulation (EU) 2016/679`. The number itself where there is no rule.
fn from_number(celex: &Celex) -> String {
    let text = celex.as_str();
    let parts = || {
        let year: u32 = text.get(1..5)?.parse().ok()?;
        let number = text.get(6..)?.trim_start_matches('0');
        let plain = text.starts_with('3') && !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
        plain.then(|| (year, text.as_bytes()[5], number.to_string()))
    };
    let Some((year, kind, number)) = parts() else { return text.to_string() };
    let domain = if year > 2009 {
        "EU"
    } else if year > 1993 {
        "EC"
    } else {
        "EEC"
    };
    let short = if year < 1999 { year - 1900 } else { year };
    match (kind, year) {
        (b'R', 2015..) => format!("Regulation (EU) {year}/{number}"),
        (b'L', 2015..) => format!("Directive (EU) {year}/{number}"),
        (b'D', 2015..) => format!("Decision (EU) {year}/{number}"),
        (b'R', _) => format!("Regulation ({domain}) No {number}/{short}"),
        (b'L', _) => format!("Directive {short}/{number}/{domain}"),
        (b'D', _) => format!("Decision {short}/{number}/{domain}"),
        _ => text.to_string(),
    }
}

/// What a title says the act is about: the words after its date, up to what it does to other acts.
fn subject(rest: &str) -> Option<String> {
    let dated = DATED.as_ref()?.captures(rest).filter(|f| Day::parse_long(&f["day"]).is_ok());
    let rest = dated.and_then(|f| f.get(0)).map_or(rest, |m| &rest[m.end()..]);
    let rest = rest.trim_start_matches([' ', ':', ',', '-', '–', '—']);
    let acting = ["supplementing", "amending", "implementing", "correcting", "repealing", "completing", "extending"];
    let about =
        [" with regard to ", " as regards ", " concerning ", " in respect of ", " by ", " on ", " laying down "];
    let mut words = rest;
    if acting.iter().any(|a| starts_with(rest, a)) {
        let at = about.iter().filter_map(|a| find(rest, a)).min()?;
        words = rest[at..].trim_start();
    }
    let ends = [", and ", " and ", ", ", " "];
    let acts = ["amending ", "repealing ", "supplementing ", "implementing "];
    let end = ends.iter().flat_map(|e| acts.iter().filter_map(move |a| find(words, &format!("{e}{a}")))).min();
    words = &words[..end.unwrap_or(words.len())];
    // Another act named on the way: what is said after it, if anything.
    if let Some(named) = OTHER_ACT.as_ref()?.find(words) {
        let after = &words[named.end()..];
        let at = [" with regard to ", " as regards "].iter().filter_map(|a| find(after, a)).min()?;
        words = after[at..].trim_start();
    }
    let words = without_bracket(words)?.trim_end_matches([' ', ',', '.', ';', ':', '-', '–', '—']);
    let words = find(words, " Text with EEA relevance").map_or(words, |at| words[..at].trim_end());
    let words = words.strip_prefix("with regard to ").map_or(words.to_string(), |about| format!("on {about}"));
    let names_no_act = OTHER_ACT.as_ref().is_some_and(|r| !r.is_match(&words));
    let begins = BEGINNINGS.iter().any(|b| words.starts_with(b));
    let whole = !DANGLING.as_ref()?.is_match(&words);
    let fits = words.len() > 10 && words.chars().count() <= SUBJECT;
    (begins && whole && fits && names_no_act).then_some(words)
}

/// The words up to a bracket with a note (`(recast)`, `(Text with EEA relevance)`, a short name), which ends a
/// subject; a bracket that the sentence goes on behind belongs to it (`Article 85 (3) of the Treaty`).
fn without_bracket(words: &str) -> Option<&str> {
    let Some(at) = words.find(" (") else { return Some(words) };
    let inside = &words[at + 2..];
    let close = inside.find(')')?;
    let number = inside[..close].chars().all(|c| c.is_ascii_digit() || c.is_ascii_lowercase() && close == 1);
    let last = inside[close + 1..].trim_matches([' ', '.', ';', ',']);
    if last.is_empty() || last.starts_with('(') || starts_with(last, "Text with EEA") {
        return Some(&words[..at]);
    }
    number.then_some(words)
}

fn starts_with(text: &str, head: &str) -> bool {
    text.get(..head.len()).is_some_and(|t| t.eq_ignore_ascii_case(head))
}

/// Finds an ASCII needle, letters' case apart.
fn find(text: &str, needle: &str) -> Option<usize> {
    text.to_ascii_lowercase().find(&needle.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(celex: &str, title: &str) -> (String, Option<String>) {
        let name = ActName::read(&celex.parse().expect("a CELEX number"), title);
        (name.designation, name.subject)
    }

    #[test]
    fn titles_of_all_times_give_designation_and_subject() {
        let cases = [
            (
                "31962R9017",
                "EEC Council: Regulation No 9017: First Regulation on dairy fees",
                "Regulation No 9017",
                None,
            ),
            (
                "31993L9104",
                "Council Directive 93/9104/EC of 23 November 1993 concerning the stacking of crates",
                "Directive 93/9104/EC",
                Some("concerning the stacking of crates"),
            ),
            (
                "32004D9585",
                "2004/9585/EC: Council Decision of 19 July 2004 establishing councils of lamp makers",
                "Decision 2004/9585/EC",
                Some("establishing councils of lamp makers"),
            ),
            (
                "32024R9772",
                "Commission Delegated Regulation (EU) 2024/9772 of 13 March 2024 supplementing Regulation (EU) 2022/9554 with regard to standards for the rating of lamps (Text with EEA relevance)",
                "Delegated Regulation (EU) 2024/9772",
                Some("on standards for the rating of lamps"),
            ),
            (
                "31968R9017",
                "Regulation (EEC) No 9017/68 of the Council of 19 July 1968 applying rules on crates to canals",
                "Regulation (EEC) No 9017/68",
                Some("applying rules on crates to canals"),
            ),
            (
                "31992R9479",
                "Council Regulation (EEC) No 9479/92 of 25 February 1992 on the application of Article 85 (3) of the Treaty to lamp makers",
                "Regulation (EEC) No 9479/92",
                Some("on the application of Article 85 (3) of the Treaty to lamp makers"),
            ),
            (
                "32008R9001",
                "Commission Regulation (EC) No 9001/2008 of 3 June 2008 on the application of Regulation (EC) concerning lamps",
                "Regulation (EC) No 9001/2008",
                None,
            ),
            (
                "32014L9041R(02)",
                "Corrigendum to Directive 2014/9041/EU of 3 April 2014 on the order of lamps",
                "Corrigendum 32014L9041R(02)",
                Some("to Directive 2014/9041/EU"),
            ),
        ];
        for (celex, title, designation, subject) in cases {
            assert_eq!(name(celex, title), (designation.to_string(), subject.map(str::to_string)), "{title}");
        }
    }

    #[test]
    fn a_number_alone_gives_the_designation_of_its_time() {
        for (celex, wanted) in [
            ("32016R9679", "Regulation (EU) 2016/9679"),
            ("31995L9046", "Directive 95/9046/EC"),
            ("32001R9044", "Regulation (EC) No 9044/2001"),
            ("32016R9679R(02)", "Corrigendum 32016R9679R(02)"),
        ] {
            assert_eq!(name(celex, "").0, wanted);
        }
    }
}
