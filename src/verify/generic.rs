//! Generic references: "the regulation", "the first document", "Source act". They score 0 by code.

use super::prose::{Mention, mentions, quotations};
use super::rules::{GenericRules, Rules};
use regex::{Captures, Match};
use std::collections::BTreeSet;
use std::ops::Range;

/// The first reference in `text` to a document as such, as written: from article or demonstrative (if
/// there is one) to the noun. An option is read after its `stem`; what that names counts as named.
pub fn generic_reference<'t>(text: &'t str, stem: Option<&str>, rules: &Rules) -> Option<&'t str> {
    let rules = &rules.generic;
    let named = Named::read(text, stem, rules);
    let quoted = quotations(text);
    let labels = rules.labels.iter().flat_map(|label| label.find_iter(text)).filter(|m| !named.covers(&m.range()));
    let labels = labels.map(|m| m.range());
    let listed = rules.phrase.captures_iter(text).filter_map(|found| Phrase::of(&found));
    let capital = capitals(text, rules).into_iter().filter(|phrase| !numbered(&text[phrase.whole.end()..]));
    let phrases = listed.chain(capital).filter(|phrase| !phrase.excused(&named, rules));
    let fault = labels
        .chain(phrases.map(|phrase| phrase.whole.range()))
        .filter(|range| !quoted.iter().any(|q| q.start <= range.start && range.end <= q.end))
        .min_by_key(|range| (range.start, std::cmp::Reverse(range.end)))?;
    text.get(fault)
}

/// The phrases whose noun has a capital letter and whose other words are on no list.
fn capitals<'t>(text: &'t str, rules: &GenericRules) -> Vec<Phrase<'t>> {
    let (mut phrases, mut from) = (Vec::new(), 0);
    while let Some(phrase) = rules.capital.captures_at(text, from).as_ref().and_then(Phrase::of) {
        let joins = phrase.modifiers.split_whitespace().any(|w| rules.joining.contains(&w.to_lowercase()));
        // The words after a determiner that begins no phrase may begin one themselves.
        from = if joins { phrase.whole.start() + 1 } else { phrase.whole.end() };
        if !joins {
            phrases.push(phrase);
        }
    }
    phrases
}

/// Whether a number, or the letters before one, stand at the beginning.
fn numbered(after: &str) -> bool {
    let after = after.trim_start();
    after.starts_with(|c: char| c.is_ascii_digit()) || ["(E", "No ", "Nos "].iter().any(|n| after.starts_with(n))
}

/// A determiner, its modifiers and a noun.
struct Phrase<'t> {
    whole: Match<'t>,
    noun: Match<'t>,
    modifiers: &'t str,
    plural: bool,
}

impl<'t> Phrase<'t> {
    fn of(found: &Captures<'t>) -> Option<Self> {
        let (whole, noun) = (found.get(0)?, found.name("noun")?);
        let plural = found.name("plural").is_some_and(|p| !p.is_empty());
        Some(Self { whole, noun, modifiers: found.name("modifiers").map_or("", |m| m.as_str()), plural })
    }

    fn excused(&self, named: &Named, rules: &GenericRules) -> bool {
        let idiom = rules.idioms.iter().flat_map(|r| r.find_iter(named.words));
        let noun = self.noun.range();
        named.covers(&noun)
            || idiom.into_iter().any(|m| m.start() <= noun.start && noun.end <= m.end())
            || self.short_form(named, rules)
            || named.titles.contains(&self.title())
            || self.everyday(named, rules)
    }

    /// Whether it is a short form of exactly one act named before it.
    fn short_form(&self, named: &Named, rules: &GenericRules) -> bool {
        let noun = self.noun.as_str();
        let kind = among(&rules.kinds, noun);
        let act = among(&rules.acts, noun);
        let role = self.has(&rules.role) || (act && self.has(&rules.doing));
        let kind_word = kind.then(|| noun.to_lowercase());
        (kind || act) && !self.plural && !role && named.before(self.whole.start(), kind_word.as_deref()) == 1
    }

    /// Whether the text itself says that the noun, in small letters, means no act: it was brought in before as
    /// an everyday thing, or is of somebody or something that makes no EU law.
    fn everyday(&self, named: &Named, rules: &GenericRules) -> bool {
        let noun = self.noun.as_str();
        if noun.chars().any(char::is_uppercase) || self.has(&rules.role) || self.has(&rules.doing) {
            return false;
        }
        let of = named.words[self.whole.end()..].strip_prefix(" of ").filter(|_| among(&rules.everyday_of, noun));
        let of_others = |of: &str| {
            let owner: Vec<&str> = clause(of).split_whitespace().take(6).collect();
            of.starts_with(char::is_alphabetic) && !rules.lawmaking.is_match(&owner.join(" "))
        };
        of.is_some_and(of_others) || (!self.plural && named.brought_in(self.whole.start(), noun, rules))
    }

    fn has(&self, list: &[String]) -> bool {
        self.modifiers.split_whitespace().any(|modifier| among(list, modifier))
    }

    fn title(&self) -> String {
        let words = self.modifiers.split_whitespace().chain([self.noun.as_str()]);
        words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
    }
}

fn among(list: &[String], word: &str) -> bool {
    list.iter().any(|w| w.eq_ignore_ascii_case(word))
}

/// A text up to its first mark.
fn clause(text: &str) -> &str {
    text.split([',', ';', ':', '.', '?', '!', '(']).next().unwrap_or_default()
}

/// The acts named by number in a text, and in the stem before it.
struct Named<'t> {
    words: &'t str,
    text: Vec<Mention>,
    before: Option<(&'t str, Vec<Mention>)>,
    /// The titles that the two give to an act together with its number, in small letters.
    titles: BTreeSet<String>,
}

impl<'t> Named<'t> {
    fn read(words: &'t str, stem: Option<&'t str>, rules: &GenericRules) -> Self {
        let (text, before) = (mentions(words), stem.map(|stem| (stem, mentions(stem))));
        let mut titled = titles(words, &text, rules);
        titled.extend(before.iter().flat_map(|(stem, acts)| titles(stem, acts, rules)));
        Self { words, text, before, titles: titled }
    }

    fn covers(&self, range: &Range<usize>) -> bool {
        self.text.iter().any(|m| m.range.start <= range.start && range.end <= m.range.end)
    }

    /// How many different acts (of this kind, if one is given) are named before this place.
    fn before(&self, at: usize, kind: Option<&str>) -> usize {
        let here = self.text.iter().filter(|m| m.range.end <= at);
        let stem = self.before.iter().flat_map(|(_, acts)| acts);
        let acts: BTreeSet<String> =
            stem.chain(here).filter(|m| kind.is_none_or(|k| m.is_kind(k))).map(Mention::identity).collect();
        acts.len()
    }

    /// Whether the noun was brought in before this place as a thing that is no act: "took a decision".
    fn brought_in(&self, at: usize, noun: &str, rules: &GenericRules) -> bool {
        let stem = self.before.iter().map(|(stem, acts)| (*stem, acts, stem.len()));
        stem.chain([(self.words, &self.text, at)]).any(|(text, acts, end)| {
            rules.brought_in.captures_iter(&text[..end]).filter_map(|found| found.name("noun")).any(|found| {
                found.as_str() == noun
                    && !rules.of_law.is_match(&text[found.end()..])
                    && !rules.lawmaking.is_match(&without(acts, text, &sentence(text, found.start())))
            })
        })
    }
}

/// The titles that a text gives to an act together with its number, in small letters.
fn titles(text: &str, acts: &[Mention], rules: &GenericRules) -> BTreeSet<String> {
    let given = |phrase: &Phrase| {
        let (start, end) = (phrase.whole.start(), phrase.whole.end());
        let behind = text[end..].trim_start_matches(' ').starts_with(['(', ','])
            && acts.iter().any(|m| (end..=end + 3).contains(&m.range.start));
        let open = text[..start].rfind('(').filter(|open| !text[*open..start].contains(')'));
        let inside = open.is_some_and(|open| {
            let named = acts.iter().rfind(|m| m.range.end <= open);
            named.is_some_and(|m| !text[m.range.end..open].contains(['.', ';', '?']))
        });
        numbered(&text[end..]) || behind || inside
    };
    capitals(text, rules).iter().filter(|phrase| given(phrase)).map(Phrase::title).collect()
}

/// The sentence around a place.
fn sentence(text: &str, at: usize) -> Range<usize> {
    const STOPS: [&str; 3] = [". ", "? ", "! "];
    let from = STOPS.iter().filter_map(|stop| text[..at].rfind(stop)).max().map_or(0, |stop| stop + 2);
    let to = STOPS.iter().filter_map(|stop| text[at..].find(stop)).min().map_or(text.len(), |stop| at + stop);
    from..to
}

/// A piece of a text without the acts that it names by number.
fn without(acts: &[Mention], text: &str, piece: &Range<usize>) -> String {
    let (mut rest, mut from) = (String::new(), piece.start);
    for act in acts.iter().filter(|m| m.range.start >= piece.start && m.range.end <= piece.end) {
        rest.push_str(text.get(from..act.range.start).unwrap_or_default());
        from = from.max(act.range.end);
    }
    rest + text.get(from..piece.end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'t>(text: &'t str, stem: Option<&str>) -> Option<&'t str> {
        let rules = Rules::parse("checks.toml", include_str!("../../rubrics/checks.toml")).expect("the shipped rules");
        generic_reference(text, stem, &rules)
    }

    #[test]
    fn no_adjective_hides_a_reference() {
        let two = "Regulation (EC) No 9513/2001 was repealed by Regulation (EC) No 9514/2007.";
        for (text, stem, span) in [
            ("Under the new Regulation, no licence was needed.", Some(two), "the new Regulation"),
            ("Which duty did the present Regulation lay down?", None, "the present Regulation"),
            ("Under the applicable regulation, who had to pay?", None, "the applicable regulation"),
            ("Which fee did the consolidated text show?", None, "the consolidated text"),
            ("Which fee did the 2003 regulation show?", None, "the 2003 regulation"),
            ("Which fee did the anti-dumping Regulation show?", None, "the anti-dumping Regulation"),
            ("He held that the anti-dumping Regulation applied.", Some(two), "the anti-dumping Regulation"),
            ("The old Directive applied.", Some("Directive 98/9001/EC was in force. What held?"), "The old Directive"),
        ] {
            assert_eq!(found(text, stem), Some(span), "{text}");
        }
        for (text, stem) in [
            ("Directive 2001/9601/EC covers seeds. Who is bound by the relevant Directive?", None),
            ("The anti-dumping Regulation applied.", Some("Regulation (EC) No 9001/2001 was in force. What held?")),
            ("Who is bound by the Toys Directive (Directive 2009/9001/EC)?", None),
            ("Who is bound by the Toys Directive 2009/9001/EC?", None),
            (
                "The Toys Directive applied.",
                Some("Directive 2009/9001/EC (the Toys Directive) repealed Directive 88/9002/EEC. What held?"),
            ),
            ("The exporter infringed Regulation (EC) No 9001/2001.", None),
            ("The relevant documents had to be kept.", Some(two)),
            ("Which fee does the consolidated text of Regulation (EC) No 9001/2001 show?", None),
        ] {
            assert_eq!(found(text, stem), None, "{text}");
        }
    }

    #[test]
    fn everyday_words_are_no_references() {
        for text in [
            "The decision of the company's board to close the plant was taken on 3 March 2015.",
            "The regulation of river traffic was the harbour master's task.",
            "The office took a decision. Could he contest that decision under Article 4 of Regulation (EC) No 9001/2009?",
            "He took a decision under Article 4 of Regulation (EC) No 9001/2009. Could the decision be contested?",
            "The importer handed over the documents required by Article 5 of Regulation (EC) No 9610/2003.",
            "The documents before the court named no consignee.",
            "On 3 May 2011 the source code was copied.",
            "Energy from this source was sold.",
            "A passage through the strait took place. Was the passage free of charge?",
            "The musician sold an instrument. Was the instrument taxed?",
        ] {
            assert_eq!(found(text, None), None, "{text}");
        }
        assert_eq!(found("The decision could be contested.", Some("The office took a decision. What held?")), None);
        for (text, span) in [
            ("The decision of the Commission set a fee.", "The decision"),
            ("The Commission took a decision. Which fee did the decision set?", "the decision"),
            ("An instrument repealed the levy. When did the instrument apply?", "the instrument"),
            ("A passage in Article 5 sets a fee. Which fee does the passage set?", "the passage"),
            ("The regulation of 3 May 2011 set a fee.", "The regulation"),
            ("Which fee does the document mentioned above set?", "the document"),
            ("A court gave a decision. What did the second decision say?", "the second decision"),
        ] {
            assert_eq!(found(text, None).or(Some("")), Some(span), "{text}");
        }
    }
}
