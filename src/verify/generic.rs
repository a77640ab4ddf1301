//! Generic references: "the regulation", "the first document", "Source act". They score 0 by code.

use super::prose::{Mention, mentions, quotations};
use super::rules::{GenericRules, Rules};
use regex::Match;
use std::collections::BTreeSet;
use std::ops::Range;

/// The first reference in `text` to a document as such, as written: from article or demonstrative (if
/// there is one) to the noun. An option is read after its `stem`; what that names counts as named.
pub fn generic_reference<'t>(text: &'t str, stem: Option<&str>, rules: &Rules) -> Option<&'t str> {
    let named = Named::read(text, stem);
    let quoted = quotations(text);
    let rules = &rules.generic;
    let labels = rules.labels.iter().flat_map(|label| label.find_iter(text)).filter(|m| !named.covers(&m.range()));
    let labels = labels.map(|m| m.range());
    let phrases = rules.phrase.captures_iter(text).filter_map(|found| {
        let (whole, noun) = (found.get(0)?, found.name("noun")?);
        let plural = found.name("plural").is_some_and(|p| !p.is_empty());
        let words = Phrase { whole, noun, modifiers: found.name("modifiers").map_or("", |m| m.as_str()), plural };
        (!words.excused(text, &named, rules)).then(|| whole.range())
    });
    let fault = labels
        .chain(phrases)
        .filter(|range| !quoted.iter().any(|q| q.start <= range.start && range.end <= q.end))
        .min_by_key(|range| (range.start, std::cmp::Reverse(range.end)))?;
    text.get(fault)
}

/// A determiner, its modifiers and a noun.
struct Phrase<'t> {
    whole: Match<'t>,
    noun: Match<'t>,
    modifiers: &'t str,
    plural: bool,
}

impl Phrase<'_> {
    fn excused(&self, text: &str, named: &Named, rules: &GenericRules) -> bool {
        let idiom = rules.idioms.iter().flat_map(|r| r.find_iter(text));
        let noun = self.noun.range();
        named.covers(&noun)
            || idiom.into_iter().any(|m| m.start() <= noun.start && noun.end <= m.end())
            || self.short_form(named, rules)
    }

    /// Whether it is a short form of exactly one act named before it.
    fn short_form(&self, named: &Named, rules: &GenericRules) -> bool {
        let among = |list: &[String], word: &str| list.iter().any(|w| w.eq_ignore_ascii_case(word));
        let noun = self.noun.as_str();
        let kind = among(&rules.kinds, noun);
        let act = among(&rules.acts, noun);
        let role = self
            .modifiers
            .split_whitespace()
            .any(|modifier| among(&rules.role, modifier) || (act && among(&rules.doing, modifier)));
        let kind_word = kind.then(|| noun.to_lowercase());
        (kind || act) && !self.plural && !role && named.before(self.whole.start(), kind_word.as_deref()) == 1
    }
}

/// The acts named by number in a text, and in the stem before it.
struct Named {
    stem: Vec<Mention>,
    text: Vec<Mention>,
}

impl Named {
    fn read(text: &str, stem: Option<&str>) -> Self {
        Self { stem: stem.map(mentions).unwrap_or_default(), text: mentions(text) }
    }

    fn covers(&self, range: &Range<usize>) -> bool {
        self.text.iter().any(|m| m.range.start <= range.start && range.end <= m.range.end)
    }

    /// How many different acts (of this kind, if one is given) are named before this place.
    fn before(&self, at: usize, kind: Option<&str>) -> usize {
        let here = self.text.iter().filter(|m| m.range.end <= at);
        let of_kind = self.stem.iter().chain(here).filter(|m| kind.is_none_or(|k| m.is_kind(k)));
        let acts: BTreeSet<String> = of_kind.map(Mention::identity).collect();
        acts.len()
    }
}
