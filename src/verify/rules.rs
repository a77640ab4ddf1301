//! What the gates look for in prose, read from the text of `rubrics/checks.toml`.

use regex::{Regex, RegexBuilder};
use serde::Deserialize;
use std::collections::BTreeSet;

/// The rules, compiled once.
#[derive(Debug, Clone)]
pub struct Rules {
    pub(super) generic: GenericRules,
    pub(super) meta: Vec<Regex>,
    pub(super) letter: Vec<Regex>,
    pub(super) negation: Vec<Regex>,
    /// A kind's words and the letter its CELEX numbers carry.
    pub(super) types: Vec<(Regex, char)>,
    pub(super) cues: Cues,
    pub(super) limits: Limits,
}

/// The rules for generic references.
#[derive(Debug, Clone)]
pub(super) struct GenericRules {
    /// Determiner, modifiers, noun, plural ending.
    pub(super) phrase: Regex,
    /// Determiner, words that are on no list, a kind of act with a capital letter.
    pub(super) capital: Regex,
    /// Words that join a determiner's noun to the next, in small letters.
    pub(super) joining: BTreeSet<String>,
    /// "a", up to two words, an everyday noun in small letters.
    pub(super) brought_in: Regex,
    /// Nouns that mean no act where they are of something that makes no law.
    pub(super) everyday_of: Vec<String>,
    /// What shows, in its sentence, that an everyday noun means an act.
    pub(super) lawmaking: Regex,
    /// What shows, right after it, that a noun means a piece of an act.
    pub(super) of_law: Regex,
    pub(super) labels: Vec<Regex>,
    pub(super) idioms: Vec<Regex>,
    pub(super) kinds: Vec<String>,
    pub(super) acts: Vec<String>,
    pub(super) doing: Vec<String>,
    pub(super) role: Vec<String>,
}

/// Words that give an option away.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cues {
    pub(super) absolute: Vec<String>,
    pub(super) vague: Vec<String>,
    pub(super) empty: Vec<String>,
}

/// Figures.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Limits {
    pub(super) options: usize,
    pub(super) passages: usize,
    pub(super) key_length_tenths: usize,
    pub(super) near_duplicate: u32,
    pub(super) same_item: u32,
    pub(super) stem_characters: usize,
    pub(super) option_characters: usize,
}

/// What is wrong with a rules file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {message}; compare it with the shipped `rubrics/checks.toml`")]
pub struct RulesError {
    /// The file's name as handed in.
    pub file: String,
    /// What is wrong.
    pub message: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesFile {
    generic_reference: GenericFile,
    options: OptionsFile,
    stem: StemFile,
    cues: Cues,
    limits: Limits,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GenericFile {
    determiners: Vec<String>,
    neutral: Vec<String>,
    doing: Vec<String>,
    role: Vec<String>,
    kinds: Vec<String>,
    acts: Vec<String>,
    documents: Vec<String>,
    capital: Vec<String>,
    joining: Vec<String>,
    everyday: Vec<String>,
    everyday_of: Vec<String>,
    lawmaking: String,
    of_law: String,
    idioms: Vec<String>,
    labels: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OptionsFile {
    meta: Vec<String>,
    letter: Vec<String>,
    deeds: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StemFile {
    negation: Vec<String>,
    types: Vec<(String, char)>,
}

impl Rules {
    /// Reads the text of a rules file; `file` is its name for messages.
    ///
    /// # Errors
    /// [`RulesError`] for text that is no TOML, unknown or missing keys, patterns that are no
    /// regular expressions.
    pub fn parse(file: &str, text: &str) -> Result<Self, RulesError> {
        let wrong = |message: String| RulesError { file: file.to_string(), message };
        let read: RulesFile = toml::from_str(text).map_err(|e| wrong(e.message().to_string()))?;
        let patterns = |list: &[String]| list.iter().map(|p| compile(p).map_err(&wrong)).collect::<Result<Vec<_>, _>>();
        let g = &read.generic_reference;
        let modifiers = alternatives(g.neutral.iter().chain(&g.doing).chain(&g.role));
        let nouns = alternatives(g.kinds.iter().chain(&g.acts).chain(&g.documents));
        let determiners = alternatives(&g.determiners);
        let phrase = format!(
            r"(?i)\b(?:{determiners})(?P<modifiers>(?:\s+(?:(?:19|20)\d\d|{modifiers})\b)*)\s+(?P<noun>{nouns})(?P<plural>s?)\b"
        );
        let capital = format!(
            r"\b(?i:{determiners})\b(?P<modifiers>(?:\s+[\p{{L}}\d][\p{{L}}\d-]*){{1,2}})\s+(?P<noun>{})(?P<plural>s?)\b",
            alternatives(&g.capital)
        );
        let brought_in = format!(
            r"(?:\b(?:[Aa]n?|[Aa]nother)\s|\p{{L}}[’']s?\s)\s*(?:[\p{{L}}-]+\s+){{0,2}}?(?P<noun>{})\b",
            alternatives(&g.everyday)
        );
        let types = read.stem.types.iter().map(|(words, letter)| {
            compile(&format!(r"(?i)\b{}s?\b", regex::escape(words))).map(|r| (r, *letter)).map_err(&wrong)
        });
        Ok(Self {
            generic: GenericRules {
                phrase: compile(&phrase).map_err(&wrong)?,
                capital: compile(&capital).map_err(&wrong)?,
                joining: g.joining.iter().map(|w| w.to_lowercase()).collect(),
                brought_in: compile(&brought_in).map_err(&wrong)?,
                everyday_of: g.everyday_of.clone(),
                lawmaking: compile(&g.lawmaking).map_err(&wrong)?,
                of_law: compile(&g.of_law).map_err(&wrong)?,
                labels: patterns(&g.labels)?,
                idioms: patterns(&g.idioms)?,
                kinds: g.kinds.clone(),
                acts: g.acts.clone(),
                doing: g.doing.clone(),
                role: g.role.clone(),
            },
            meta: patterns(&read.options.meta)?,
            letter: patterns(&read.options.letters())?,
            negation: patterns(&read.stem.negation)?,
            types: types.collect::<Result<_, _>>()?,
            cues: read.cues,
            limits: read.limits,
        })
    }
}

impl OptionsFile {
    /// The patterns for letters, with what their short hands stand for.
    fn letters(&self) -> Vec<String> {
        let does = alternatives(&self.deeds);
        let stands_for = [
            ("<letter>", r"(?:[A-D]|\([A-D]\))"),
            ("<small>", r"\([a-d]\)"),
            ("<opens>", r"(?:^|[.;:!?] )"),
            ("<ends>", r"(?:$|[ ,.;:)])"),
            ("<stops>", r"(?:$|[,.;:)])"),
            ("<does>", does.as_str()),
        ];
        let whole =
            |pattern: &String| stands_for.iter().fold(pattern.clone(), |p, (short, long)| p.replace(short, long));
        self.letter.iter().map(whole).collect()
    }
}

/// A pattern from a file is bounded in size, so that no file can exhaust memory.
fn compile(pattern: &str) -> Result<Regex, String> {
    RegexBuilder::new(pattern).size_limit(1 << 20).build().map_err(|e| format!("pattern `{pattern}`: {e}"))
}

/// Longer words first, so that none hides another that begins like it.
fn alternatives<'a>(words: impl IntoIterator<Item = &'a String>) -> String {
    let mut words: Vec<String> = words.into_iter().map(|w| regex::escape(w)).collect();
    words.sort_by_key(|w| std::cmp::Reverse(w.len()));
    words.join("|")
}
