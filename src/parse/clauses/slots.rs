//! A provision in which citations, parts, days, quotations and the act's own name stand as slots.

use super::{corrections, fixed, quotation, terms};
use crate::law::{Celex, Day, Division, Noun, Part, cite, part_lists};
use regex::{Captures, Regex};
use std::ops::Range;
use std::sync::LazyLock;

/// An act named as the object of a sentence: whole, or some of its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reach {
    /// The act, if its number decides which it is.
    pub(super) celex: Option<Celex>,
    /// The parts named with it.
    pub(super) parts: Vec<Part>,
    /// Whether parts are meant and not named ("all provisions of … which conflict").
    pub(super) unnamed: bool,
}

/// What stands in a slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Filling {
    /// `<act>`: one act, or a list of acts.
    Acts(Vec<Reach>),
    /// `<parts>`: parts named without an act.
    Parts(Vec<Part>),
    /// `<day>`.
    Day(Day),
    /// `<quote>`: words in quotation marks.
    Quote,
    /// `<ending>`: words in quotation marks that give an act's last day ("shall apply until …").
    Ending(Day),
    /// `<this>`: the act's own name ("this Regulation").
    This,
}

impl Filling {
    fn token(&self) -> &'static str {
        match self {
            Self::Acts(_) => "<act>",
            Self::Parts(_) => "<parts>",
            Self::Day(_) => "<day>",
            Self::Quote => "<quote>",
            Self::Ending(_) => "<ending>",
            Self::This => "<this>",
        }
    }
}

/// A slot: where in the slotted text, which bytes of the provision it stands for, and what fills it.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub(super) at: usize,
    pub(super) source: Range<usize>,
    pub(super) filling: Filling,
}

impl Slot {
    /// Where it ends in the slotted text.
    pub(super) fn end(&self) -> usize {
        self.at + self.filling.token().len()
    }
}

/// A text with slots.
#[derive(Debug, Clone, Default)]
pub(super) struct Slotted {
    pub(super) text: String,
    pub(super) slots: Vec<Slot>,
}

static THIS: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"\b[Tt]his (?:(?:Delegated|Implementing|Framework|Council|Commission) )*",
        r"(?:Regulation|Directive|Decision|Recommendation|Act|Opinion|Agreement|Convention|Protocol)\b",
    ))
});
static DAY: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"\b([0-3]?\d|l)(?:st|nd|rd|th)? ",
        r"(January|February|March|April|May|June|July|August|September|October|November|December),? ((?:19|20)\d\d)\b",
    ))
});
/// "1.1.2019" after a word that a day follows: without one it may be the date of an Official Journal, or a number.
static FIGURES: LazyLock<Regex> = LazyLock::new(|| {
    fixed(r"\b(?:from|until|to|on|before|after|by|of|including) (?P<day>([0-3]?\d)\.([01]?\d)\.((?:19|20)\d\d))\b")
});
static ENDING: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"(?i)^\W*(?:Article \d+[a-z]?\s+)?(?:\d{1,2}\.\s+)?(?:(?:It|This (?:(?:Delegated|Implementing|Framework) )?(?:Regulation|Directive|Decision|Recommendation|Joint Action|Common Position|Agreement|Act)|and|shall)\b[^.;]*?)?",
        r"\b(?:until|expires? on|expire on) ",
        r"(?:and including )?([0-3]?\d) ([a-z]+) ((?:19|20)\d\d)\W*$",
    ))
});
static BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"(?i)(?:\bthe )?(?:\b(?:European Parliament and (?:of the )?Council|Council|Commission|High Authority|",
        // "Decision 1/2005 implementing Directive 2/2001": with a small letter it is a verb.
        r"(?-i:Delegated|DELEGATED|Implementing|IMPLEMENTING|Framework|FRAMEWORK|Joint|JOINT)|First|Second|Third|Sixth) )+<act>",
    ))
});
/// What stands with an act's number: its institutions, its date, the mark of a footnote, the Official Journal.
const MARKS: &str = concat!(
    r"(?: of the European Parliament and (?:of )?the Council| of the (?:Council|Commission)",
    r"|,? (?:of|dated) <day>| ?\(\*?\d{1,3}\)| ?\(OJ [^()]*(?:\([^()]*\)[^()]*)*\))",
);
/// What names the acts that changed the one before it.
const AMENDED_BY: &str =
    r",? as (?:last |most recently |subsequently )?(?:amended|corrected|supplemented) by (?:the )?";
/// "<act>, as amended by <act> and <act>, is": between the commas none but the first is the subject.
static AMENDED_BY_SEVERAL: LazyLock<Regex> = LazyLock::new(|| {
    fixed(&format!(
        "(?i)<act>{MARKS}*{AMENDED_BY}<act>{MARKS}*(?:, <act>{MARKS}*)*,? and (?:by )?(?:the )?<act>{MARKS}*,(?P<which> (?:is|shall) )"
    ))
});
static TAIL: LazyLock<Regex> = LazyLock::new(|| {
    fixed(&format!(
        "(?i)<act>(?:{MARKS}|{AMENDED_BY}(?:<act>{MARKS}*|{}{})(?: of <this>)?,?)+",
        r"(?:Act of |Treaty of )?Accession[^,.;:<]*|(?:acts?|Directives?|Regulations?|Decisions?)",
        r"(?: listed| referred to| set out)[^.;:]*?(?:Part [A-Z]|Annex)[^.;:,]*",
    ))
});
/// "<parts>, second paragraph, of <act>": what follows an article's number and has no name of its own.
static WITHIN_AFTER: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"<parts>,? (?:the )?(?:first|second|third|fourth|fifth|sixth|last)(?:(?:,| and|, and) (?:second|third|fourth|fifth|sixth))*",
        r" (?:subparagraph|paragraph|sentence|indent)s?(?P<which>,? (?:of|to) (?:the )?<act>)",
    ))
});
static OWNED: LazyLock<Regex> = LazyLock::new(|| {
    fixed(
        r"(?P<what><parts>|\b(?:[Aa]ll (?:the )?|[Tt]he |[Tt]hose |[Aa]ny )?(?:other )?provisions)(?:,? (?:of|to|in|contained in|laid down in)),? (?:the )?<act>(?P<which> (?:which|that) )?",
    )
});
static JOINED: LazyLock<Regex> = LazyLock::new(|| {
    fixed(r"<act>(?:(?:,|;| —| –)?(?: and| or| and in)?(?: —| –| the)?(?: \([a-z0-9]{1,4}\))? <act>)+")
});
static PHRASE: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"^(?:[^<]{0,30} )?(?:In accordance with|Pursuant to|Without prejudice to|Notwithstanding|Subject to|Under|",
        r"By way of derogation from|For the purposes? of|In derogation from) [^<,]*<act>, ",
    ))
});
/// "the second and third subparagraphs of <parts>": subparagraphs have no names of their own.
static WITHIN: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"\b(?:the )?(?:first|second|third|fourth|fifth|sixth|last|introductory)",
        r"(?:(?:,| and|, and) (?:second|third|fourth|fifth|sixth))*",
        r"(?: (?:subparagraph|paragraph|sentence|indent|wording|part)s? (?:of|in)|,? and) <parts>",
    ))
});
static PARTS: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"<parts>(?:,? (?:points?|templates?|subpoints?|paragraphs?) [(0-9][^ ]*(?:(?:, | and | to )[(0-9][^ ]*)*)?",
        r"(?:(?:,| and|, and| or| (?:of|to),? and)(?: the| of)? <parts>)*",
    ))
});
/// "Chapter II of Title IV", "Part A of Annex I": an annex counts its own articles and parts.
static NESTED: LazyLock<Regex> = LazyLock::new(|| fixed(r"<parts>,? (?:of|in|to) (?:the )?<parts>"));
/// "the acts listed in <parts>": what an annex names, if it is not said of the acts that changed another.
static LISTED: LazyLock<Regex> = LazyLock::new(|| {
    fixed(concat!(
        r"(?P<by>\bby )?(?:\b[Tt]he )?(?:\bfollowing )?\b(?:(?:[Ll]egal |[Cc]ommunity |[Uu]nion )?(?:[Aa]cts?|[Rr]egulations?|[Dd]irectives?|[Dd]ecisions?|[Ii]nstruments|[Mm]easures)",
        r"(?:, | and )?)+(?:,? (?:which|that) (?:are|is))? ?(?:listed|set out|referred to|mentioned|specified|named|enumerated|indicated|contained) in (?:the )?<parts>(?: (?:to|of) <this>| hereto| thereto)?",
    ))
});
/// An annex without a number.
static THE_ANNEX: LazyLock<Regex> = LazyLock::new(|| fixed(r"\b[Tt]he (?:Annex|ANNEX)\b"));
static LABEL: LazyLock<Regex> = LazyLock::new(|| fixed(r"(?P<mark>[:;](?: and| or)?) (?:\([a-z0-9]{1,5}\)|—|–|•|-) "));

impl Slotted {
    /// The same for words taken out of quotation marks: only days are looked for.
    pub(super) fn of_words(text: &str) -> Self {
        let mut slotted = Self::default();
        for (source, filling) in days(text) {
            slotted.push(Slot { at: 0, source, filling });
        }
        slotted
    }

    /// Puts slots into `text`.
    pub(super) fn of(text: &str) -> Self {
        let mut found = quotations(text);
        let outside = |taken: &[(Range<usize>, Filling)], range: &Range<usize>| {
            let after = taken.partition_point(|(r, _)| r.end <= range.start);
            taken.get(after).is_none_or(|(r, _)| r.start >= range.end)
        };
        for layer in [acts(text), owns(text), lists(text), the_annex(text), days(text)] {
            let mut kept: Vec<_> = layer.into_iter().filter(|(range, _)| outside(&found, range)).collect();
            found.append(&mut kept);
            found.sort_by_key(|(range, _)| range.start);
        }
        let mut slotted = Self::default();
        let mut from = 0;
        for (range, filling) in found {
            slotted.push_words(&text[from..range.start]);
            from = range.end;
            slotted.push(Slot { at: 0, source: range, filling });
        }
        slotted.push_words(&text[from..]);
        slotted.gather()
    }

    fn push_words(&mut self, words: &str) {
        self.text.extend(words.chars().map(|c| match c {
            '<' => '‹',
            '>' => '›',
            '\u{a0}' => ' ',
            c => c,
        }));
    }

    fn push(&mut self, mut slot: Slot) {
        slot.at = self.text.len();
        self.text.push_str(slot.filling.token());
        self.slots.push(slot);
    }

    /// Folds parts into the act they belong to, and lists of acts into one slot.
    fn gather(self) -> Self {
        self.rewrite(&LABEL, |_, _| None)
            .rewrite(&WITHIN, |_, slots| slots.first().map(|s| s.filling.clone()))
            .rewrite(&NESTED, |_, slots| {
                slots.iter().find(|s| in_annex(s)).or(slots.first()).map(|s| s.filling.clone())
            })
            .rewrite(&PARTS, |_, slots| Some(Filling::Parts(all_parts(slots))))
            .rewrite(&BEFORE, |_, slots| acts_of(slots).map(Filling::Acts))
            .rewrite(&AMENDED_BY_SEVERAL, |_, slots| slots.first().map(|s| s.filling.clone()))
            .rewrite(&TAIL, |_, slots| slots.first().map(|s| s.filling.clone()))
            .rewrite(&WITHIN_AFTER, |_, slots| slots.first().map(|s| s.filling.clone()))
            .rewrite(&OWNED, owned)
            .join()
    }

    /// Joins lists of acts, but not the act of a phrase before the subject with the subject.
    fn join(self) -> Self {
        let cut = PHRASE.find(&self.text).map_or(0, |m| m.end());
        let mut out = self.piece(0..cut);
        let rest = self.piece(cut..self.text.len()).rewrite(&JOINED, |_, slots| acts_of(slots).map(Filling::Acts));
        out.copy(&rest, 0..rest.text.len());
        out
    }

    /// Puts the acts that an annex lists in the place of "the acts listed in Annex I"; no parts stand for the only annex.
    pub(super) fn with_listed(self, listed: &dyn Fn(&[Part]) -> Vec<Celex>) -> Self {
        self.rewrite(&LISTED, |caps, slots| {
            let Some(Filling::Parts(parts)) = slots.first().map(|s| &s.filling).filter(|_| caps.name("by").is_none())
            else {
                return None;
            };
            let reach = |celex| Reach { celex: Some(celex), parts: Vec::new(), unnamed: false };
            let acts: Vec<Reach> = listed(parts).into_iter().map(reach).collect();
            (!acts.is_empty()).then_some(Filling::Acts(acts))
        })
    }

    /// Replaces each match by one slot made from the slots inside it, or, where `fold` makes none, by the
    /// group `mark` of the match; `which` at the end of a match stays.
    pub(super) fn rewrite(self, pattern: &Regex, fold: impl Fn(&Captures, &[Slot]) -> Option<Filling>) -> Self {
        if !pattern.is_match(&self.text) {
            return self;
        }
        let mut out = Self::default();
        let mut from = 0;
        for caps in pattern.captures_iter(&self.text) {
            let Some(whole) = caps.get(0) else { continue };
            let kept = caps.name("which").map_or(whole.end(), |m| m.start());
            out.copy(&self, from..whole.start());
            let inside = self.between(&(whole.start()..kept));
            match (fold(&caps, inside), inside) {
                (Some(filling), [first, .., last]) => {
                    out.push(Slot { at: 0, source: first.source.start..last.source.end, filling });
                }
                (Some(filling), [only]) => out.push(Slot { at: 0, source: only.source.clone(), filling }),
                _ => match caps.name("mark") {
                    Some(mark) => {
                        out.copy(&self, mark.range());
                        out.text.push(' ');
                    }
                    None => out.copy(&self, whole.start()..kept),
                },
            }
            from = kept;
        }
        out.copy(&self, from..self.text.len());
        out
    }

    /// Appends a piece of `other` with its slots.
    fn copy(&mut self, other: &Self, range: Range<usize>) {
        let shift = self.text.len();
        for slot in other.between(&range) {
            self.slots.push(Slot { at: slot.at - range.start + shift, ..slot.clone() });
        }
        self.text.push_str(&other.text[range]);
    }

    /// The slots that begin in this range of the slotted text.
    pub(super) fn between(&self, range: &Range<usize>) -> &[Slot] {
        let from = self.slots.partition_point(|s| s.at < range.start);
        let to = self.slots.partition_point(|s| s.at < range.end);
        &self.slots[from..to.max(from)]
    }

    /// The slot that begins at this byte of the slotted text.
    pub(super) fn at(&self, at: usize) -> Option<&Slot> {
        self.between(&(at..at + 1)).first()
    }

    /// Whether one of the acts named is this one.
    pub(super) fn names(&self, target: &Celex) -> bool {
        self.slots.iter().any(|s| match &s.filling {
            Filling::Acts(acts) => acts.iter().any(|a| a.celex.as_ref() == Some(target)),
            _ => false,
        })
    }

    /// The same with the subject "it" before its words.
    pub(super) fn said_of_it(&self) -> Self {
        let mut out = Self::default();
        out.push_words("it ");
        out.copy(self, 0..self.text.len());
        out
    }

    /// A piece of the slotted text with its slots.
    pub(super) fn piece(&self, range: Range<usize>) -> Self {
        let mut out = Self::default();
        out.copy(self, range);
        out
    }

    /// A piece of the slotted text, with the provision's own words in place of slots.
    pub(super) fn words(&self, range: Range<usize>, source: &str) -> String {
        let mut out = String::new();
        let mut from = range.start;
        for slot in self.between(&range) {
            out.push_str(&self.text[from..slot.at]);
            out.push_str(&source[slot.source.clone()]);
            from = (slot.at + slot.filling.token().len()).min(range.end);
        }
        out.push_str(&self.text[from..range.end.max(from)]);
        out.trim().to_string()
    }
}

type Found = Vec<(Range<usize>, Filling)>;

fn quotations(text: &str) -> Found {
    let filling = |range: &Range<usize>| match ending(&text[range.clone()]) {
        Some(day) => Filling::Ending(day),
        None => Filling::Quote,
    };
    quotation::ranges(text).into_iter().map(|range| (range.clone(), filling(&range))).collect()
}

/// The last day that a quoted passage gives an act, if it says no more than that, or tells the act's whole life.
fn ending(quoted: &str) -> Option<Day> {
    let Some(caps) = ENDING.captures(quoted) else { return terms::last_day(&corrections::bare(quoted)) };
    Day::parse_long(&format!("{} {} {}", &caps[1], &caps[2], &caps[3])).ok()
}

fn acts(text: &str) -> Found {
    let act = |noun: &Noun| !matches!(noun, Noun::Case | Noun::Document);
    let reach = |celex| Reach { celex, parts: Vec::new(), unnamed: false };
    let named = cite(text).into_iter().filter(|c| act(&c.noun));
    named.map(|c| (name(text, c.start..c.end), Filling::Acts(vec![reach(c.celex)]))).collect()
}

/// An act's name without a verb before it: "implementing Directive 2001/9002/EC" with a small letter is what another
/// act does.
fn name(text: &str, named: Range<usize>) -> Range<usize> {
    let first = text[named.clone()].split_whitespace().next().unwrap_or_default();
    let verb = first.starts_with(char::is_lowercase) && first.ends_with("ing");
    let rest = text[named.start + first.len()..named.end].trim_start().len();
    if verb { named.end - rest..named.end } else { named }
}

fn owns(text: &str) -> Found {
    THIS.find_iter(text).map(|m| (m.range(), Filling::This)).collect()
}

fn lists(text: &str) -> Found {
    part_lists(text).into_iter().map(|l| (l.start..l.end, Filling::Parts(l.parts))).collect()
}

fn the_annex(text: &str) -> Found {
    let unnumbered = |range: &Range<usize>| {
        !text[range.end..].trim_start().starts_with(|c: char| c.is_ascii_digit() || c == 'I' || c == 'V' || c == 'X')
    };
    let found = THE_ANNEX.find_iter(text).map(|m| m.range()).filter(unnumbered);
    found.map(|range| (range, Filling::Parts(Vec::new()))).collect()
}

fn days(text: &str) -> Found {
    let day = |caps: &Captures| {
        // A small letter l for a one is a slip of old printed pages.
        let number = if &caps[1] == "l" { "1" } else { &caps[1] };
        Day::parse_long(&format!("{number} {} {}", &caps[2], &caps[3])).ok()
    };
    let mut found: Found =
        DAY.captures_iter(text).filter_map(|c| Some((c.get(0)?.range(), Filling::Day(day(&c)?)))).collect();
    let figures = |c: Captures| {
        let day = format!("{}-{:0>2}-{:0>2}", &c[4], &c[3], &c[2]).parse().ok()?;
        Some((c.name("day")?.range(), Filling::Day(day)))
    };
    found.extend(FIGURES.captures_iter(text).filter_map(figures));
    found
}

fn all_parts(slots: &[Slot]) -> Vec<Part> {
    let lists = slots.iter().map(|s| match &s.filling {
        Filling::Parts(parts) => parts.as_slice(),
        _ => &[],
    });
    lists.flatten().cloned().collect()
}

fn in_annex(slot: &Slot) -> bool {
    let annex = |p: &Part| matches!(p.division(), Division::Annex | Division::Protocol);
    matches!(&slot.filling, Filling::Parts(parts) if parts.iter().any(annex))
}

fn acts_of(slots: &[Slot]) -> Option<Vec<Reach>> {
    let mut reaches = Vec::new();
    for slot in slots {
        if let Filling::Acts(acts) = &slot.filling {
            reaches.extend(acts.iter().cloned());
        }
    }
    (!reaches.is_empty()).then_some(reaches)
}

/// "Articles 3 and 4 of <act>", "all provisions of <act> which …".
fn owned(caps: &Captures, slots: &[Slot]) -> Option<Filling> {
    let mut reaches = acts_of(slots)?;
    let first = reaches.first_mut()?;
    first.parts.extend(all_parts(slots));
    first.unnamed |= first.parts.is_empty() && caps.name("which").is_some();
    Some(Filling::Acts(reaches))
}
