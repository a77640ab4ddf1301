//! The words by which a language cites acts: the shape of its file, and the same made ready to read with.
//!
//! Grammar (numbers, years, lists, parts, short forms) is code and alike for all languages; words are data.

use super::fold::any;
use super::phrases::Phrases;
use super::{Division, Noun};
use regex::Regex;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// A language file as written. Absent tables are empty: what a file does not name is not found.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    acts: BTreeMap<Noun, Forms>,
    #[serde(default)]
    qualifiers: Vec<String>,
    numbers: Numbers,
    communities: BTreeMap<Community, Vec<String>>,
    #[serde(default)]
    ties: Ties,
    #[serde(default)]
    makers: Makers,
    #[serde(default)]
    dates: Dates,
    #[serde(default)]
    parts: Parts,
    #[serde(default)]
    cases: Cases,
    #[serde(default)]
    short: Short,
}

/// The forms of a word: for one, and for several.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Forms {
    one: Vec<String>,
    #[serde(default)]
    many: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Numbers {
    signs: Vec<String>,
    #[serde(default)]
    before_act: bool,
}

/// A Community or policy that stands with an act's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(super) enum Community {
    /// The Union.
    #[serde(rename = "EU")]
    Union,
    /// The European Community.
    #[serde(rename = "EC")]
    European,
    /// The European Economic Community.
    #[serde(rename = "EEC")]
    Economic,
    /// The Coal and Steel Community.
    #[serde(rename = "ECSC")]
    CoalAndSteel,
    /// The Atomic Energy Community.
    Euratom,
    /// The common foreign and security policy.
    #[serde(rename = "CFSP")]
    ForeignPolicy,
    /// Justice and home affairs.
    #[serde(rename = "JHA")]
    HomeAffairs,
}

/// How a language writes parts of acts, where not as English does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Habit {
    /// A small letter alone is a label: "Buchstabe a".
    BareLetters,
    /// Parts stand behind their act: "määruse (EL) 2016/679 artikkel 5".
    AfterAct,
    /// The label of a part stands before its word: "5 artikla".
    LabelFirst,
    /// A stop behind a number makes it an ordinal: "članka 5. stavka 2.".
    OrdinalStop,
    /// "5.2 a" is an article, its paragraph and its point.
    Dotted,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Ties {
    of: Vec<String>,
    the: Vec<String>,
    and: Vec<String>,
    to: Vec<String>,
    before_act: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Makers {
    names: Vec<String>,
    of: Vec<String>,
    joint_bodies: Vec<String>,
    united_nations: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Dates {
    months: Vec<Vec<String>>,
    of: Vec<String>,
    between: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Parts {
    article: Vec<String>,
    annex: Vec<String>,
    chapter: Vec<String>,
    title: Vec<String>,
    section: Vec<String>,
    part: Vec<String>,
    protocol: Vec<String>,
    recital: Vec<String>,
    first: Vec<String>,
    steps: Vec<String>,
    unlabelled: Vec<String>,
    ordinals: Vec<String>,
    asides: Vec<String>,
    units: Vec<String>,
    habits: BTreeSet<Habit>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Cases {
    case: Vec<String>,
    judgment: Vec<String>,
    order: Vec<String>,
    opinion: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Short {
    this: Vec<String>,
    that: Vec<String>,
    the: Vec<String>,
    unclear: Vec<String>,
    capitals: bool,
}

/// Which act a short form means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// The act whose text it is.
    This,
    /// One named before, by a demonstrative.
    That,
    /// One named before, by the article alone.
    The,
    /// The words do not say.
    Unclear,
}

/// Which document of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ruling {
    Judgment,
    Order,
    Opinion,
}

/// The words by which a language cites acts, ready to read with: see [`super::Languages`].
#[derive(Debug)]
pub struct Wording {
    /// Where a citation can begin.
    pub(super) heads: Regex,
    /// Kinds of act; whether the word names several.
    pub(super) acts: Phrases<(Noun, bool)>,
    pub(super) qualifiers: Phrases,
    pub(super) signs: Phrases,
    /// Whether numbers stand before the kind of act.
    pub(super) number_first: bool,
    /// Names of Communities in capitals.
    communities: Vec<(String, Community)>,
    pub(super) of: Phrases,
    pub(super) the: Phrases,
    pub(super) and: Phrases,
    pub(super) to: Phrases,
    pub(super) before_act: Phrases,
    pub(super) makers: Phrases,
    /// What ties a maker to its act; empty where the maker stands in the genitive, or before the kind of act.
    pub(super) maker_of: Phrases,
    pub(super) joint_bodies: Phrases,
    pub(super) united_nations: Phrases,
    pub(super) months: Phrases<u32>,
    pub(super) date_of: Phrases,
    pub(super) date_between: Phrases,
    pub(super) part_heads: Regex,
    pub(super) divisions: Phrases<Division>,
    pub(super) first_label: Phrases,
    pub(super) steps: Phrases,
    pub(super) unlabelled: Phrases,
    pub(super) ordinals: Phrases,
    pub(super) asides: Phrases,
    pub(super) units: Phrases,
    habits: BTreeSet<Habit>,
    pub(super) cases: Phrases,
    pub(super) rulings: Phrases<Ruling>,
    pub(super) shorts: Regex,
    pub(super) short_words: Phrases<Which>,
    /// Whether a capital tells the act from the everyday word.
    pub(super) capitals: bool,
}

impl Wording {
    /// Reads a language file.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|e| e.to_string().trim_end().to_string())?;
        file.checked()?;
        file.ready().map_err(|e| e.to_string().lines().last().unwrap_or_default().trim().to_string())
    }

    /// Whether the language writes parts of acts so.
    pub(super) fn has(&self, habit: Habit) -> bool {
        self.habits.contains(&habit)
    }

    /// The Community of this name.
    pub(super) fn community(&self, name: &str) -> Option<Community> {
        let capitals = name.to_uppercase();
        self.communities.iter().find(|(known, _)| *known == capitals).map(|(_, community)| *community)
    }
}

fn each(words: &[String]) -> impl Iterator<Item = &str> {
    words.iter().map(String::as_str)
}

fn plain(words: &[String]) -> Phrases {
    Phrases::new(each(words).map(|w| (w, ())))
}

impl File {
    /// What the shape alone does not say.
    fn checked(&self) -> Result<(), String> {
        let no_act = |noun: &&Noun| matches!(noun, Noun::Case | Noun::Document | Noun::Number);
        if let Some(noun) = self.acts.keys().find(no_act) {
            return Err(format!("[acts]: `{noun:?}` is no kind of act"));
        }
        if !matches!(self.dates.months.len(), 0 | 12) {
            return Err(format!("[dates] months: {} lists, want 12 from January on", self.dates.months.len()));
        }
        let empty = |words: &Vec<String>| words.iter().any(|w| w.trim_matches(['*', ' ']).is_empty());
        if self.acts.values().any(|f| empty(&f.one) || empty(&f.many)) || self.communities.values().any(empty) {
            return Err("a word is empty".into());
        }
        Ok(())
    }

    fn act_words(&self) -> impl Iterator<Item = (&str, (Noun, bool))> {
        self.acts.iter().flat_map(|(noun, forms)| {
            let one = each(&forms.one).map(|w| (w, (*noun, false)));
            one.chain(each(&forms.many).map(|w| (w, (*noun, true))))
        })
    }

    fn division_words(&self) -> impl Iterator<Item = (&str, Division)> {
        let Parts { article, annex, chapter, title, section, part, protocol, recital, .. } = &self.parts;
        let all = [
            (article, Division::Article),
            (annex, Division::Annex),
            (chapter, Division::Chapter),
            (title, Division::Title),
            (section, Division::Section),
            (part, Division::Part),
            (protocol, Division::Protocol),
            (recital, Division::Recital),
        ];
        all.into_iter().flat_map(|(words, division)| each(words).map(move |w| (w, division)))
    }

    fn heads(&self) -> Result<Regex, regex::Error> {
        let acts = any(self.act_words().map(|(w, _)| w));
        let cases = any(each(&self.cases.case));
        let communities = any(self.communities.values().flat_map(|names| each(names)));
        // A number before its act: with a Community in brackets before it or behind a slash after it.
        let numbered = if self.numbers.before_act {
            format!(r"|(?P<numbered>\({communities}[^)]{{0,24}}\)\s*[0-9]|[0-9]{{1,4}}/[0-9]{{2,4}}/{communities})")
        } else {
            String::new()
        };
        Regex::new(&format!(
            concat!(
                r"(?P<act>{acts})|(?P<case>{cases})",
                r"|(?P<court>[CTF][-\u{{2010}}-\u{{2013}}][0-9])|(?P<com>(?:COM|SWD|SEC|JOIN)\s*[(/])",
                r"|(?P<celex>[0-9CE](?:19|20)[0-9]{{2}}(?:[A-Z]{{1,2}}[0-9]{{3,6}}|/[0-9]))",
                r"{numbered}|(?P<bare>(?:19|20)?[0-9]{{2}}/[0-9]{{1,4}}/{communities})",
            ),
            acts = acts,
            cases = cases,
            numbered = numbered,
            communities = communities,
        ))
    }

    fn short_words(&self) -> impl Iterator<Item = (&str, Which)> {
        let Short { this, that, the, unclear, .. } = &self.short;
        let all = [(this, Which::This), (that, Which::That), (the, Which::The), (unclear, Which::Unclear)];
        all.into_iter().flat_map(|(words, which)| each(words).map(move |w| (w, which)))
    }

    fn ruling_words(&self) -> impl Iterator<Item = (&str, Ruling)> {
        let Cases { judgment, order, opinion, .. } = &self.cases;
        let all = [(judgment, Ruling::Judgment), (order, Ruling::Order), (opinion, Ruling::Opinion)];
        all.into_iter().flat_map(|(words, ruling)| each(words).map(move |w| (w, ruling)))
    }

    fn ready(&self) -> Result<Wording, regex::Error> {
        let singular = any(self.acts.values().flat_map(|forms| each(&forms.one)));
        let qualifiers = any(each(&self.qualifiers).chain(each(&self.makers.names)));
        let shorts = any(self.short_words().map(|(w, _)| w));
        let months = self.dates.months.iter().zip(1..).flat_map(|(names, month)| each(names).map(move |n| (n, month)));
        let communities = self.communities.iter();
        Ok(Wording {
            heads: self.heads()?,
            acts: Phrases::new(self.act_words()),
            qualifiers: plain(&self.qualifiers),
            signs: plain(&self.numbers.signs),
            number_first: self.numbers.before_act,
            communities: communities.flat_map(|(c, names)| names.iter().map(|n| (n.to_uppercase(), *c))).collect(),
            of: plain(&self.ties.of),
            the: plain(&self.ties.the),
            and: plain(&self.ties.and),
            to: plain(&self.ties.to),
            before_act: plain(&self.ties.before_act),
            makers: plain(&self.makers.names),
            maker_of: plain(&self.makers.of),
            joint_bodies: plain(&self.makers.joint_bodies),
            united_nations: plain(&self.makers.united_nations),
            months: Phrases::new(months),
            date_of: plain(&self.dates.of),
            date_between: plain(&self.dates.between),
            part_heads: Regex::new(&any(self.division_words().map(|(w, _)| w)))?,
            divisions: Phrases::new(self.division_words()),
            first_label: plain(&self.parts.first),
            steps: plain(&self.parts.steps),
            unlabelled: plain(&self.parts.unlabelled),
            ordinals: plain(&self.parts.ordinals),
            asides: plain(&self.parts.asides),
            units: plain(&self.parts.units),
            habits: self.parts.habits.clone(),
            cases: plain(&self.cases.case),
            rulings: Phrases::new(self.ruling_words()),
            shorts: Regex::new(&format!(r"\b(?P<which>{shorts})\s*(?:{qualifiers}\s+)?(?P<noun>{singular})\b"))?,
            short_words: Phrases::new(self.short_words()),
            capitals: self.short.capitals,
        })
    }
}
