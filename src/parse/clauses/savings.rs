//! What outlives the end of the rest: exceptions in the clause itself, and later sentences that let a part,
//! or the act for some persons, goods or cases, go on.

use super::fixed;
use super::slots::{Filling, Slotted};
use crate::law::{Celex, Day, Part, Saving};
use regex::Regex;
use std::sync::LazyLock;

static EXCEPTION: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"(?i)(?:^|,? )(?:with the exception of|with the exception that|except that|except in respect of|except as regards",
        r"|except for|except|save in respect of|save as regards|save for|save|other than|apart from|excluding) ",
    ))
});
/// The head of one item of an exception: its parts, alone or with their act.
static ITEM: LazyLock<Regex> = LazyLock::new(|| {
    fixed(
        r"(?:^|,? and(?: for| of)? |, (?:for|of) |; (?:and )?|: |^the following(?: provisions| Articles)?: ?)(?:the )?(?P<slot><parts>|<act>)",
    )
});
static UNTIL: LazyLock<Regex> = LazyLock::new(|| fixed(r"(?i)\b(?:until|up to) (?:and including )?<day>"));
static ENDED: LazyLock<Regex> = LazyLock::new(|| {
    fixed(r"(?i)\b(?:repealed|deleted|cease to (?:have effect|apply))(?: with effect| as)? (?:from|on) <day>")
});
/// Sentences by which something goes on.
static GOES_ON: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"(?i)\b(?:shall|will|may|do|does)?(?:, however,)? ?(?:nevertheless |nonetheless |however )?",
        r"(?:(?:continues?|continue) to (?:apply|be applicable|have effect|produce (?:its |their )?effects?|be valid|be (?:in force|dealt|governed|subject|treated|considered|examined|processed|covered|assessed|handled|regulated|implemented|financed|managed|produced|marketed|sold|used|issued|granted|made available|placed on the market))",
        r"|continue in force|remains? (?:in force|applicable|valid|in effect|subject|governed|exempted|compatible)|still apply)\b",
    ))
});
/// Subjects and mentions that mean the act whose end the sentence before gave.
static MEANS_IT: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"(?:^(?:It|They|it|they)\b|\b(?:[Tt]hat|[Tt]hose|[Tt]he (?:repealed|said|former)) (?:repealed )?",
        r"(?:(?:Delegated|Implementing|Framework) )*(?:Regulation|Directive|Decision|Recommendation|[Aa]ct|[Pp]rovision|legal act)s?\b",
        r"|[Tt]he following (?:provisions|Articles))",
    ))
});

/// "Paragraphs 1 and 2 are without prejudice to …": what the end leaves as it was.
static UNTOUCHED: LazyLock<Regex> =
    LazyLock::new(|| fixed(r"(?i)^(?:<parts>|this|paragraphs? [\d, and]+) (?:is|are|shall be) without prejudice to "));

/// "paragraphs 3 and 4" of the one article touched.
static PARAGRAPHS: LazyLock<Regex> = LazyLock::new(|| {
    fixed(r"^(?:the )?paragraphs? (?P<numbers>\d{1,2}(?:(?:, | and |, and )\d{1,2})*)(?: thereof)?(?:[,.;]|$)")
});

fn paragraphs(text: &Slotted, touched: &[Part], source: &str) -> Vec<Saving> {
    let (Some(caps), [article]) = (PARAGRAPHS.captures(&text.text), touched) else { return Vec::new() };
    let rest = text.piece(caps.get(0).map_or(0, |m| m.end())..text.text.len());
    let words = trimmed(&rest.words(0..rest.text.len(), source));
    let numbers = caps["numbers"].split(|c: char| !c.is_ascii_digit()).filter(|n| !n.is_empty());
    let part = |number: &str| {
        let steps = article.steps().iter().cloned().chain([number.to_string()]).collect();
        Part::new(article.division(), article.label(), steps).ok()
    };
    numbers.map(|n| Saving { part: part(n), until: until(&rest), words: words.clone() }).collect()
}

/// The exceptions in the rest of a clause's own sentence; where they begin, if there are any. `touched` are the parts
/// that the clause names.
pub(super) fn exceptions(
    rest: &Slotted,
    target: &Celex,
    touched: &[Part],
    source: &str,
) -> (Vec<Saving>, Option<usize>) {
    let Some(mark) = EXCEPTION.find(&rest.text) else { return (Vec::new(), None) };
    let inner = rest.piece(mark.end()..rest.text.len());
    let mut saved = items(&inner, target, source);
    if saved.is_empty() {
        saved = paragraphs(&inner, touched, source);
    }
    // Of a list of acts, the one of which a part is saved is named.
    let of_another = || {
        let head = inner.at(0).or_else(|| inner.at("the ".len()));
        matches!(head.map(|s| &s.filling), Some(Filling::Acts(acts)) if acts.iter().all(|a| a.celex.as_ref() != Some(target)))
    };
    if saved.is_empty() && of_another() {
        return (Vec::new(), Some(mark.start()));
    }
    if saved.is_empty() {
        let words = inner.words(0..inner.text.len(), source);
        saved.push(Saving { part: None, until: until(&inner), words: trimmed(&words) });
    }
    (saved, Some(mark.start()))
}

/// What a later sentence saves of an act whose end was given before it; `None` if it is no such sentence.
/// `lead` are the phrases before its subject.
pub(super) fn later(body: &Slotted, target: &Celex, source: &str) -> Option<Vec<Saving>> {
    let untouched = UNTOUCHED.find(&body.text);
    let going = untouched.or_else(|| GOES_ON.find(&body.text))?;
    let saved = if untouched.is_some() { Vec::new() } else { items(body, target, source) };
    if !saved.is_empty() {
        return Some(saved);
    }
    // "… before the entry into force of <act>" tells a time.
    let times = |at: usize| {
        ["entry into force of ", "date of application of ", "repeal of "].iter().any(|t| body.text[..at].ends_with(t))
    };
    let names_it = body.slots.iter().any(|s| match &s.filling {
        Filling::Acts(acts) if !times(s.at) => {
            acts.iter().any(|a| a.celex.as_ref() == Some(target) && a.parts.is_empty())
        }
        _ => false,
    });
    if !names_it && !MEANS_IT.is_match(&body.text) {
        return None;
    }
    let subject_first = going.start() < body.text.len() / 2;
    let words = if subject_first { going.end()..body.text.len() } else { 0..going.start() };
    Some(vec![Saving { part: None, until: until(body), words: trimmed(&body.words(words, source)) }])
}

/// The parts of the target named at the head of each item, with the last day each has.
fn items(text: &Slotted, target: &Celex, source: &str) -> Vec<Saving> {
    let mut heads: Vec<(usize, usize, Vec<Part>)> = Vec::new();
    for caps in ITEM.captures_iter(&text.text) {
        let (Some(whole), Some(slot)) = (caps.get(0), caps.name("slot")) else { continue };
        let parts = match text.at(slot.start()).map(|s| &s.filling) {
            Some(Filling::Parts(parts)) if !text.text[slot.end()..].starts_with(" of <this>") => parts.clone(),
            Some(Filling::Acts(acts)) => {
                let of_target = acts.iter().filter(|a| a.celex.as_ref() == Some(target));
                of_target.flat_map(|a| a.parts.iter().cloned()).collect()
            }
            _ => continue,
        };
        if !parts.is_empty() {
            heads.push((whole.start(), slot.end(), parts));
        }
    }
    let mut saved = Vec::new();
    for (i, (_, from, parts)) in heads.iter().enumerate() {
        let to = heads.get(i + 1).map_or(text.text.len(), |next| next.0);
        let own = text.piece(*from..to.max(*from));
        let words = trimmed(&own.words(0..own.text.len(), source));
        let last = until(&own);
        saved.extend(parts.iter().map(|p| Saving { part: Some(p.clone()), until: last, words: words.clone() }));
    }
    saved
}

/// The last day inside: "until <day>", or the day before the part's own end.
fn until(text: &Slotted) -> Option<Day> {
    let day = |m: regex::Match| match text.at(m.end() - "<day>".len()).map(|s| &s.filling) {
        Some(Filling::Day(day)) => Some(*day),
        _ => None,
    };
    let until = UNTIL.find(&text.text).and_then(day);
    until.or_else(|| ENDED.find(&text.text).and_then(day).map(Day::pred))
}

fn trimmed(words: &str) -> String {
    words.trim().trim_start_matches(',').trim_end_matches(['.', ';', ',']).trim().to_string()
}
