//! What an act says about its own life: entry into force, application, end, transposition, notification.

use super::slots::{Filling, Slotted};
use super::{fixed, moments, quotation, sentences};
use crate::law::{Day, Part, TermKind, When};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// A term before its place and quotation are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Draft {
    pub(super) kind: TermKind,
    pub(super) parts: Vec<Part>,
    /// Parts named from where the sentence stands, in place of `parts`.
    pub(super) own: Option<Own>,
    pub(super) at: When,
    pub(super) range: Range<usize>,
}

/// Parts that a sentence names from where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Own {
    /// "This Article".
    Article,
    /// "This paragraph".
    Paragraph,
    /// "Paragraphs 1 and 3".
    Paragraphs(Vec<String>),
}

impl Own {
    /// The parts meant in a sentence at this place.
    pub(super) fn parts(&self, place: &Part) -> Vec<Part> {
        let down = |steps: &[String]| Part::new(place.division(), place.label(), steps.to_vec()).ok();
        match self {
            Self::Article => down(&[]).into_iter().collect(),
            Self::Paragraph => down(&place.steps()[..place.steps().len().min(1)]).into_iter().collect(),
            Self::Paragraphs(numbers) => numbers.iter().filter_map(|n| down(std::slice::from_ref(n))).collect(),
        }
    }
}

/// Words without which no sentence of these stands.
const TRIGGERS: [&str; 7] = ["into force", "apply", "applicable", "effect", "expire", "addressed to", "comply with"];

static IN_FORCE: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"^(?P<subject><this>|It|it|<parts>(?: of <this>)?) (?:shall |will )?(?:enters?|comes?) into force",
        r"(?P<too>,? and (?:shall )?(?:apply|be applicable|take effect))?",
    ))
});
static TAKES_EFFECT: LazyLock<Regex> =
    LazyLock::new(|| fixed(r"^<this> (?:shall |will )?(?:takes? effect|become effective|have effect)"));
static APPLIES: LazyLock<Regex> = LazyLock::new(|| {
    fixed(
        r"(?P<subject>^<this>|^It|^it|\band|^They) (?:shall |will )?(?:apply|applies|be applicable|be applied|remain in force)\b",
    )
});
static STAGED: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"(?P<parts><parts>)(?: of <this>| to <this>)?(?:,? which)?(?: shall| will)?",
        r"(?: (?:also )?(?:apply|applies|be applicable|be applied|enter into force|come into force))?(?P<gap> [a-z ]{0,20}?)?",
        r"(?P<moment>(?: with effect)? (?:from|as from|on|as of) )",
    ))
});
static EXPIRES: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"^(?:<this>|It|it|and) (?:shall |will )?(?:(?P<last>expires?(?: on)?|cease to (?:apply|be in force|have effect|be applicable) (?:on|after))",
        r"|(?P<first>cease to (?:apply|be in force|have effect|be applicable) (?:with effect |as )?from)) (?:the )?<day>",
    ))
});
/// "This Article shall apply until …", "Paragraphs 1 and 2 shall apply from …", and a sentence that is nothing but
/// articles with their day.
static PART_APPLIES: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"^(?:This (?P<this>Article|paragraph)|Paragraphs? (?P<numbers>\d{1,2}(?:(?:, | and |, and )\d{1,2})*)|(?P<parts><parts>)(?: of <this>)?)",
        r"(?: shall apply| is applicable| are applicable| applies| apply| shall be applicable)(?: only)? ",
        r"(?:(?P<from>(?:with effect )?(?:as )?from <day>)|(?P<until>until <day>))[.;]?$",
    ))
});
static UNTIL: LazyLock<Regex> = LazyLock::new(|| fixed(r"^[^.;]{0,120}?\b(?:until|to) (?:and including )?<day>"));
static ADDRESSED: LazyLock<Regex> = LazyLock::new(|| fixed(r"^<this> (?:is|shall be) addressed to\b"));
static TRANSPOSED: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"(?i)\b(?:bring into force|put into force|adopt(?:,| and) (?:and )?publish|take (?:all )?(?:the )?(?:necessary )?measures)\b",
        r"|\bmeasures necessary (?:in order )?to comply with <this>|\b(?:necessary|needed)(?: in order| for them)? to comply with <this>",
    ))
});
static DEADLINE: LazyLock<Regex> = LazyLock::new(|| {
    fixed(r"(?i)\b(?P<word>by|not later than|no later than|at the latest by|at the latest on|before) <day>")
});
static WITHIN: LazyLock<Regex> = LazyLock::new(|| {
    fixed(
        r"(?i)\bwithin (?:a period of )?(?P<n>\S+) (?P<unit>month|year|day)s? (?:of|from|after|following) (?:the date of )?(?:its |the )?(?P<own>entry into force|notification)",
    )
});
static TRANSPOSITION_APPLIES: LazyLock<Regex> = LazyLock::new(|| {
    fixed(
        r"^(?:They|Members? States|The Member States) shall apply (?:those|these|such) (?:laws, regulations and administrative )?(?:measures|provisions)\b",
    )
});

/// Longest provision read for an act's last day, in bytes.
const LONGEST_LIFE: usize = 1000;
/// How far after a verb its moment may stand, in bytes.
const NEAR: usize = 50;

/// Reads the terms in one article; `heading` is its own.
pub(super) fn read(text: &str, heading: &str) -> Vec<Draft> {
    if !TRIGGERS.iter().any(|t| text.contains(t)) {
        return Vec::new();
    }
    let mut reading = Reading { drafts: Vec::new(), own: own_heading(heading), transposing: false };
    for range in sentences::sentences(text) {
        let sentence = &text[range.clone()];
        if TRIGGERS.iter().any(|t| sentence.contains(t)) || reading.own {
            let (lead, body) = sentences::lead_in(&Slotted::of(sentence));
            reading.sentence(&lead, &body, sentence, &range);
        }
    }
    reading.drafts
}

/// The last day that a provision of an act, quoted, gives that act: the one it names where it says no more than from
/// when to when, or where it tells the act's life from its entry into force.
pub(super) fn last_day(quoted: &str) -> Option<Day> {
    let text = sentences::unheaded(quoted);
    let ends = text.contains(" until ") || text.contains(" to ") || text.contains(" expire");
    if !ends || text.len() > LONGEST_LIFE || !quotation::ranges(text).is_empty() {
        return None;
    }
    // "It" is the act where nothing else is spoken of.
    let alone = text.starts_with("It shall apply") && sentences::sentences(text).len() == 1;
    let terms = read(text, if alone { "entry into force" } else { "" });
    let mut days = terms.into_iter().filter(|t| t.kind == TermKind::Expiry && t.parts.is_empty() && t.own.is_none());
    let (Some(Draft { at: When::On { day }, .. }), None) = (days.next(), days.next()) else { return None };
    Some(day)
}

fn own_heading(heading: &str) -> bool {
    let heading = heading.to_lowercase();
    ["entry into force", "date of application", "into force and application", "entry in force"]
        .iter()
        .any(|h| heading.contains(h))
}

struct Reading {
    drafts: Vec<Draft>,
    /// Whether the article speaks of the act's own life, so that "It" and bare articles are its own.
    own: bool,
    transposing: bool,
}

impl Reading {
    fn push(&mut self, kind: TermKind, parts: Vec<Part>, at: When, range: &Range<usize>) {
        let draft = Draft { kind, parts, own: None, at, range: range.clone() };
        if !self.drafts.contains(&draft) {
            self.drafts.push(draft);
        }
    }

    fn sentence(&mut self, lead: &Slotted, body: &Slotted, source: &str, range: &Range<usize>) {
        if ADDRESSED.is_match(&body.text) {
            self.push(TermKind::Notification, Vec::new(), When::Notification, range);
            return;
        }
        self.in_force(body, source, range);
        if let Some(verb) = TAKES_EFFECT.find(&body.text) {
            match moment(&body.piece(verb.end()..body.text.len()), source) {
                Some(When::Notification) => self.push(TermKind::Notification, Vec::new(), When::Notification, range),
                Some(when) => self.push(TermKind::EntryIntoForce, Vec::new(), when, range),
                None => {}
            }
        }
        self.expiry(body, range);
        self.application(body, source, range);
        if self.own {
            self.staged(body, source, range);
        } else {
            self.part_applies(body, range);
        }
        self.transposition(lead, body, source, range);
    }

    fn in_force(&mut self, body: &Slotted, source: &str, range: &Range<usize>) {
        let Some(caps) = IN_FORCE.captures(&body.text) else { return };
        let (Some(whole), Some(subject)) = (caps.get(0), caps.name("subject")) else { return };
        let parts = match body.at(subject.start()).map(|s| &s.filling) {
            Some(Filling::Parts(parts)) => parts.clone(),
            _ => Vec::new(),
        };
        if subject.as_str() != "<this>" && !self.own {
            return;
        }
        let Some(when) = moment(&body.piece(whole.end()..body.text.len()), source) else { return };
        self.own = true;
        if caps.name("too").is_some() {
            self.push(TermKind::Application, parts.clone(), when.clone(), range);
        }
        self.push(TermKind::EntryIntoForce, parts, when, range);
    }

    fn expiry(&mut self, body: &Slotted, range: &Range<usize>) {
        let Some(caps) = EXPIRES.captures(&body.text) else { return };
        let by_name = body.text.starts_with("<this>");
        let Some(day) = caps.get(0).and_then(|m| day(body, m.end())).filter(|_| by_name || self.own) else { return };
        let last = if caps.name("first").is_some() { day.pred() } else { day };
        self.push(TermKind::Expiry, Vec::new(), When::On { day: last }, range);
    }

    /// "It shall apply from …", "… until …", "… from … to …".
    fn application(&mut self, body: &Slotted, source: &str, range: &Range<usize>) {
        for caps in APPLIES.captures_iter(&body.text) {
            let (Some(whole), Some(subject)) = (caps.get(0), caps.name("subject")) else { continue };
            if subject.as_str() != "<this>" && !self.own {
                continue;
            }
            let rest = body.piece(whole.end()..body.text.len());
            let from = moments::first(&rest).filter(|m| m.range.start <= 3);
            if let Some(until) = UNTIL.find(&rest.text).filter(|m| m.as_str().matches('<').count() <= 2)
                && (from.is_some() || until.start() == 0 && until.len() < 40)
                && let Some(day) = day(&rest, until.end())
                && from.as_ref().is_none_or(|m| m.when != When::On { day })
            {
                self.push(TermKind::Expiry, Vec::new(), When::On { day }, range);
            }
            match from {
                Some(moment) => {
                    self.own = true;
                    self.push(TermKind::Application, Vec::new(), moment.when, range);
                }
                None if rest.text.starts_with(" when ") || rest.text.starts_with(" from the ") => {
                    if let Some(event) = moments::event(&rest, source) {
                        self.push(TermKind::Application, Vec::new(), event, range);
                    }
                }
                None => {}
            }
        }
    }

    /// "Articles 4 to 8 shall apply from …", "… with the exception of Article 6, which shall apply from …".
    fn staged(&mut self, body: &Slotted, source: &str, range: &Range<usize>) {
        for caps in STAGED.captures_iter(&body.text) {
            let (Some(parts), Some(preposition)) = (caps.name("parts"), caps.name("moment")) else { continue };
            let rest = body.piece(preposition.start()..body.text.len());
            let day = moments::first(&rest).filter(|m| m.range.start <= 1).map(|m| m.when);
            let which = caps[0].contains("which");
            let Some(when) = day.or_else(|| moments::event(&rest, source).filter(|_| which)) else { continue };
            if let Some(Filling::Parts(list)) = body.at(parts.start()).map(|s| &s.filling) {
                let kind =
                    if caps[0].contains("into force") { TermKind::EntryIntoForce } else { TermKind::Application };
                let again = self.drafts.iter().any(|d| &d.parts == list && d.kind == kind && d.range == *range);
                if !again {
                    self.push(kind, list.clone(), when, range);
                }
            }
        }
    }

    /// A part's own day, outside the article on the act's own life.
    fn part_applies(&mut self, body: &Slotted, range: &Range<usize>) {
        let Some(caps) = PART_APPLIES.captures(&body.text) else { return };
        let Some((kind, day)) = [("from", TermKind::Application), ("until", TermKind::Expiry)]
            .into_iter()
            .find_map(|(name, kind)| Some((kind, day(body, caps.name(name)?.end())?)))
        else {
            return;
        };
        let mut draft = Draft { kind, parts: Vec::new(), own: None, at: When::On { day }, range: range.clone() };
        if let Some(Filling::Parts(list)) = caps.name("parts").and_then(|p| body.at(p.start())).map(|s| &s.filling) {
            draft.parts.clone_from(list);
        } else if let Some(numbers) = caps.name("numbers") {
            let numbers = numbers.as_str().split(|c: char| !c.is_ascii_digit()).filter(|n| !n.is_empty());
            draft.own = Some(Own::Paragraphs(numbers.map(str::to_string).collect()));
        } else {
            draft.own = Some(if &caps["this"] == "Article" { Own::Article } else { Own::Paragraph });
        }
        if !draft.parts.is_empty() || draft.own.is_some() {
            self.drafts.push(draft);
        }
    }

    fn transposition(&mut self, lead: &Slotted, body: &Slotted, source: &str, range: &Range<usize>) {
        if self.transposing && TRANSPOSITION_APPLIES.is_match(&body.text) {
            if let Some(moment) = moments::first(body) {
                self.push(TermKind::Application, Vec::new(), moment.when, range);
            }
            return;
        }
        let own = body.slots.iter().filter(|s| s.filling == Filling::This).map(|s| &source[s.source.clone()]);
        let transposable = own.clone().any(|name| name.ends_with("Directive") || name.ends_with("Decision"));
        if !body.text.contains("Member States") || !transposable || !TRANSPOSED.is_match(&body.text) {
            return;
        }
        let deadline = [lead, body].into_iter().find_map(|text| {
            let caps = DEADLINE.captures(&text.text)?;
            let day = day(text, caps.get(0)?.end())?;
            Some(if caps["word"].eq_ignore_ascii_case("before") { day.pred() } else { day })
        });
        let at = deadline.map(|day| When::On { day }).or_else(|| {
            let found = WITHIN.find(&body.text)?;
            Some(When::Event { words: body.words(found.range(), source) })
        });
        if let Some(at) = at {
            self.transposing = true;
            self.push(TermKind::Transposition, Vec::new(), at, range);
        }
    }
}

/// The moment right after a verb, or the event that stands there.
fn moment(rest: &Slotted, source: &str) -> Option<When> {
    let near = moments::first(rest).filter(|m| m.range.start <= NEAR);
    near.map(|m| m.when).or_else(|| moments::event(rest, source))
}

/// The day whose slot ends at this byte.
fn day(text: &Slotted, end: usize) -> Option<Day> {
    match text.at(end.checked_sub("<day>".len())?)?.filling {
        Filling::Day(day) => Some(day),
        _ => None,
    }
}
