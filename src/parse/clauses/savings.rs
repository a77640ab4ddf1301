//! What outlives the end of the rest: exceptions in the clause itself, and later sentences that let a part,
//! or the act for some persons, goods or cases, go on.

use super::slots::{Filling, Slot, Slotted};
use super::{fixed, moments};
use crate::law::{Celex, Day, Part, Saving, When};
use regex::Regex;
use std::sync::LazyLock;

static EXCEPTION: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"(?i)(?:^|,? )(?:with the exception of|with the exception that|except that|except in respect of|except as regards",
        r"|except for|except|save in respect of|save as regards|save for|save|other than|apart from|excluding)(?: |: ?)",
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
/// What is still done under the act that has ended: "shall be concluded in accordance with that Regulation".
static DONE_UNDER: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"(?i)\bshall (?:nevertheless |however |still )?be (?:[a-z]+(?:,| and) )?(?:concluded|completed|closed|finali[sz]ed|terminated|pursued|conducted|carried out",
        r"|processed|examined|assessed|decided|settled|handled|dealt with|treated|governed|managed|implemented|financed|audited)",
        r" (?:in accordance with|pursuant to|under|by) (?:the (?:provisions|rules|procedures?) (?:of|laid down in|provided for in) )?(?P<it>(?:the )?<act>|(?:that|those|the repealed|the said|the former) )",
    ))
});
/// "without prejudice to the continued application of that Regulation to …".
static CONTINUED: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"(?i)\bwithout prejudice to (?:(?:the|their) )?(?P<its>its )?(?:continued|continuing|further) (?:application|applicability|validity|effects?)",
        r"(?: (?:of|in respect of) )?",
    ))
});
/// Where the sentence of an end goes on with what it leaves: "… is repealed, but …", "…; however, …".
static GOES_ON_SAYING: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"(?i),? (?:but|although|though|whereas|while) |; (?:however|nevertheless|nonetheless),? |; (?P<it>(?:it|they|that|those|the (?:repealed|said)) )",
        r"|,? and (?P<verb>(?:it |they )?(?:shall|will|may)(?: however| nevertheless|, however,)? (?:continue|remain) )",
    ))
});
/// Verbs that open what is said of the act that has ended, its name left out.
static VERB: LazyLock<Regex> = LazyLock::new(|| fixed(r"(?i)^(?:shall|will|may|continues?|remains?)\b"));

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

/// What the clause's own sentence saves.
#[derive(Debug, Default)]
pub(super) struct Exceptions {
    pub(super) saved: Vec<Saving>,
    /// Where they begin, if there are any.
    pub(super) at: Option<usize>,
    /// The moment after them, which is that of the clause.
    pub(super) start: Option<When>,
}

/// The exceptions in the rest of a clause's own sentence. `touched` are the parts that the clause names.
pub(super) fn exceptions(rest: &Slotted, target: &Celex, touched: &[Part], source: &str) -> Exceptions {
    let Some(mark) = EXCEPTION.find(&rest.text) else { return Exceptions::default() };
    let inner = rest.piece(mark.end()..rest.text.len());
    let (inner, start) = without_moment(inner);
    let found = |saved| Exceptions { saved, at: Some(mark.start()), start };
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
        return found(saved);
    }
    if saved.is_empty() {
        let words = inner.words(0..inner.text.len(), source);
        saved.push(Saving { part: None, until: until(&inner), words: trimmed(&words) });
    }
    found(saved)
}

/// "…, with the exception of Article 4, with effect from 1 June 2018": the exception, and the moment that stands after
/// its parts and belongs to the whole.
fn without_moment(inner: Slotted) -> (Slotted, Option<When>) {
    let listed = |s: &&Slot| matches!(s.filling, Filling::Parts(_) | Filling::Acts(_));
    let Some(last) = inner.slots.iter().rev().find(listed) else { return (inner, None) };
    let (named, after) = (last.end(), inner.piece(last.end()..inner.text.len()));
    let moment = moments::first(&after).filter(|m| {
        let between = after.text[..m.range.start].trim_start_matches(" thereof");
        matches!(between, " " | ", ") && !after.text[m.range.end..].contains(char::is_alphanumeric)
    });
    match moment {
        Some(moment) => (inner.piece(0..named), Some(moment.when)),
        None => (inner, None),
    }
}

/// What "without prejudice to the continued application of …" saves of `target` in a sentence that ends it.
pub(super) fn continued(text: &Slotted, target: &Celex, source: &str) -> Vec<Saving> {
    let Some(caps) = CONTINUED.captures(&text.text) else { return Vec::new() };
    let rest = text.piece(caps.get(0).map_or(0, |m| m.end())..text.text.len());
    let saved = items(&rest, target, source);
    let first = rest.slots.first().filter(|s| s.at <= "the ".len()).map(|s| &s.filling);
    let names_it = match first {
        Some(Filling::Acts(acts)) => acts.iter().any(|a| a.celex.as_ref() == Some(target)),
        _ => caps.name("its").is_some() || MEANS_IT.find(&rest.text).is_some_and(|m| m.start() == 0),
    };
    if !saved.is_empty() || !names_it {
        return saved;
    }
    let words = trimmed(&rest.words(0..rest.text.len(), source));
    vec![Saving { part: None, until: until(&rest), words }]
}

/// What the sentence of an end goes on to say of it after "but" or "; however,", as a sentence of its own.
pub(super) fn going_on(sentence: &Slotted) -> Option<Slotted> {
    let caps = GOES_ON_SAYING.captures(&sentence.text)?;
    let from = [caps.name("it"), caps.name("verb")].into_iter().flatten().next().map(|m| m.start());
    let rest = sentence.piece(from.or(caps.get(0).map(|m| m.end()))?..sentence.text.len());
    Some(if VERB.is_match(&rest.text) { rest.said_of_it() } else { rest })
}

/// Whether a text may save something: cheap, and certain where it says no.
pub(super) fn may_save(text: &str) -> bool {
    ["continue", "remain", "shall be"].iter().any(|w| text.contains(w))
}

/// What a later sentence saves of an act whose end was given before it; `None` if it is no such sentence. Of an act that
/// ends in part only (`whole` false) what is done under it says nothing.
pub(super) fn later(body: &Slotted, target: &Celex, whole: bool, source: &str) -> Option<Vec<Saving>> {
    let untouched = UNTOUCHED.find(&body.text);
    let Some(going) = untouched.or_else(|| GOES_ON.find(&body.text)) else {
        return done_under(body, target, source).filter(|_| whole);
    };
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

/// What a sentence saves by which something is still done under the act that has ended.
fn done_under(body: &Slotted, target: &Celex, source: &str) -> Option<Vec<Saving>> {
    let caps = DONE_UNDER.captures(&body.text)?;
    let (done, it) = (caps.get(0)?, caps.name("it")?);
    let words = trimmed(&body.words(0..done.start(), source));
    let saving = |part| Saving { part, until: until(body), words: words.clone() };
    match body.at(it.end().saturating_sub("<act>".len())).map(|s| &s.filling) {
        Some(Filling::Acts(acts)) => {
            let of_target = acts.iter().find(|a| a.celex.as_ref() == Some(target))?;
            let parts: Vec<Saving> = of_target.parts.iter().map(|p| saving(Some(p.clone()))).collect();
            Some(if parts.is_empty() { vec![saving(None)] } else { parts })
        }
        _ => MEANS_IT.find(&body.text[it.start()..]).filter(|m| m.start() == 0).map(|_| vec![saving(None)]),
    }
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
