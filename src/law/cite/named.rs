//! Finds words that name acts by number: the kind of act, the Communities in brackets, "No", year and number, suffix;
//! and lists of them under one head ("Regulations (EC) No 1/2001, (EC) No 2/2001 and (EU) 2015/3").

use super::cursor::{Cursor, tail};
use super::reading::{Reading, read, read_plain};
use super::{Citation, Noun, cases, titles};
use crate::law::Day;
use regex::Regex;
use std::sync::LazyLock;

/// The words that can begin a citation. ASCII word boundaries keep the search on the engine's fast path.
static HEADS: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = concat!(
        r"(?-u:\b)(?:(?i:(?P<act>regulation|directive|decision|recommendation|joint\s+(?:action|position)",
        r"|common\s+position|guideline|opinion)s?|(?P<case>cases?))(?-u:\b)",
        r"|(?P<court>[CTF])[-\u{2010}-\u{2013}][0-9]|(?P<com>COM|SWD|SEC|JOIN)\s*[(/]",
        r"|(?P<celex>[0-9CE](?:19|20)[0-9]{2}(?:[A-Z]{1,2}[0-9]{3,6}|/[0-9]))",
        r"|(?P<bare>(?:19|20)?[0-9]{2}/[0-9]{1,4}/(?:E[CU]|EEC|ECSC|JHA|CFSP|Euratom))(?-u:\b))",
    );
    Regex::new(pattern).expect("a pattern of this file")
});

/// All citations, in order, without parts.
pub(super) fn find(text: &str) -> Vec<Citation> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(head) = HEADS.captures_at(text, at) {
        let (start, end) = head.get(0).map_or((at, text.len()), |m| (m.start(), m.end()));
        let before = found.len();
        if let Some(word) = head.name("act") {
            act_list(text, word.as_str(), start, end, &mut found);
        } else if head.name("case").is_some() {
            cases::case_list(text, start, end, &mut found);
        } else if head.name("court").is_some() {
            cases::case_list(text, start, start, &mut found);
        } else if head.name("com").is_some() {
            cases::commission_document(text, start, &mut found);
        } else if head.name("celex").is_some() {
            cases::bare_celex(text, start, &mut found);
        } else {
            titles::number_apart(text, start, &mut found);
        }
        let passed = if found.len() > before { found.last().map_or(end, |c: &Citation| c.end) } else { end };
        at = passed.max(end);
    }
    found
}

/// A kind of act, with the place where its words begin ("Implementing", "Framework" included).
pub(super) fn head_of(text: &str, word: &str, start: usize) -> (Noun, usize) {
    let noun = match word.as_bytes()[0].to_ascii_lowercase() {
        b'd' if word.len() > 8 => Noun::Directive,
        b'd' => Noun::Decision,
        b'j' => Noun::JointAction,
        b'c' => Noun::CommonPosition,
        b'g' => Noun::Guideline,
        b'o' => Noun::Opinion,
        _ if word.len() > 10 => Noun::Recommendation,
        _ => Noun::Regulation,
    };
    let before = text[..start].trim_end_matches(super::cursor::is_blank);
    for prefix in ["Implementing", "Delegated", "Framework"] {
        let there = before.len().checked_sub(prefix.len()).and_then(|from| before.get(from..));
        if there.is_some_and(|w| w.eq_ignore_ascii_case(prefix)) {
            let framework = prefix == "Framework" && noun == Noun::Decision;
            return (if framework { Noun::FrameworkDecision } else { noun }, before.len() - prefix.len());
        }
    }
    (noun, start)
}

/// What a member of a list says, before it is interpreted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member<'a> {
    /// The Communities in brackets before the number, or in the suffix.
    pub communities: Communities,
    /// Whether "No" stands before the number.
    pub no: bool,
    /// What stands before the slash; the only number if there is none.
    pub first: &'a str,
    /// What stands after the slash.
    pub second: Option<&'a str>,
    /// Whether a suffix such as `/EC` follows.
    pub suffix: bool,
}

/// The Communities and policies that a citation names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a set of five names, each there or not")]
pub(super) struct Communities {
    pub eu: bool,
    pub ec: bool,
    pub eec: bool,
    pub ecsc: bool,
    /// Justice and home affairs.
    pub jha: bool,
    /// Euratom, the common foreign policy: they tell no period.
    pub other: bool,
}

impl Communities {
    fn any(self) -> bool {
        self != Self::default()
    }

    fn add(&mut self, name: &str) -> bool {
        match name.to_ascii_uppercase().as_str() {
            "EU" => self.eu = true,
            // The French forms stand in English texts too.
            "EC" | "CE" => self.ec = true,
            "EEC" | "CEE" => self.eec = true,
            "ECSC" => self.ecsc = true,
            "JHA" => self.jha = true,
            "EURATOM" | "EAEC" | "CFSP" => self.other = true,
            _ => return false,
        }
        true
    }
}

/// The members of a list under one head.
fn act_list(text: &str, word: &str, start: usize, end: usize, found: &mut Vec<Citation>) {
    let (noun, start) = head_of(text, word, start);
    let plural = text[..end].ends_with(['s', 'S']);
    let mut cursor = Cursor::new(text, end);
    let maker = pass_makers(&mut cursor);
    if !cursor.blanks() {
        return;
    }
    let mut from = start;
    let mut first = true;
    loop {
        let Some(member) = member(&mut cursor) else { return };
        // "Decision of the Council 2003/9429/EC": only a number that is unmistakably an act's own.
        if first && maker && !(member.suffix || member.communities.any()) {
            return;
        }
        let marked = member.suffix || member.no || member.communities.any();
        let listed = first || marked || plural;
        let plain = member.second.is_none();
        if !listed || (plain && (noun != Noun::Regulation || !(member.no || plural))) {
            return;
        }
        let around = Around { text, start: from, end: cursor.at };
        let reading = if plain { read_plain(&member, around) } else { Some(read(noun, &member, around)) };
        let Some(Reading { celex, candidates, reason }) = reading else { return };
        found.push(Citation {
            text: text[from..cursor.at].to_string(),
            start: from,
            end: cursor.at,
            noun,
            short: false,
            celex,
            candidates,
            parts: Vec::new(),
            parts_start: from,
            reason,
        });
        first = false;
        if !next_in_list(&mut cursor) {
            return;
        }
        from = cursor.at;
    }
}

/// A citation's place in its text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Around<'a> {
    pub text: &'a str,
    pub start: usize,
    pub end: usize,
}

impl<'a> Around<'a> {
    /// Some words before it.
    pub fn before(&self) -> &'a str {
        tail(&self.text[..self.start], 120)
    }

    /// Some words after it.
    pub fn after(&self) -> &'a str {
        super::cursor::head(&self.text[self.end..], 160)
    }
}

/// One member: `(EC) No 1/2001`, `95/46/EC`, `(EU) 2016/679`, `No 17`.
pub(super) fn member<'a>(cursor: &mut Cursor<'a>) -> Option<Member<'a>> {
    let mut ahead = *cursor;
    let mut communities = Communities::default();
    let mut no = number_sign(&mut ahead);
    bracketed_communities(&mut ahead, &mut communities);
    no = number_sign(&mut ahead) || no;
    let first = ahead.digits();
    if first.is_empty() || first.len() > 5 {
        return None;
    }
    let mut after = ahead;
    after.blanks();
    let slash = after.eat('/');
    after.blanks();
    let second = after.digits();
    let mut suffix = false;
    if slash && matches!(second.len(), 1..=5) {
        ahead = after;
        suffix = suffix_communities(&mut ahead, &mut communities);
    } else if slash || !no {
        return None;
    }
    if goes_on(ahead.rest(), slash) {
        return None;
    }
    *cursor = ahead;
    let second = Some(second).filter(|_| slash);
    Some(Member { communities, no, first, second, suffix })
}

/// Whether what follows makes the digits part of something else: "1408/71a", "17.5", "17 %". Words that a converter
/// glued to a whole number ("2022/2580of") do not.
fn goes_on(rest: &str, slash: bool) -> bool {
    let letters = rest.bytes().take_while(u8::is_ascii_lowercase).count();
    let glued = slash && letters > 1 && !rest[letters..].starts_with(char::is_alphanumeric);
    let decimal = !slash && rest.strip_prefix(['.', ',']).is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()));
    !glued && rest.starts_with(|c: char| c.is_alphanumeric() || c == '/' || c == '%') || decimal
}

/// "No", "Nos", "No.", "N°", "Nº", with the blanks after it.
fn number_sign(cursor: &mut Cursor<'_>) -> bool {
    let mut ahead = *cursor;
    let there = (ahead.eat('N') || ahead.eat('n')) && {
        let sign = ["os", "o", "OS", "O", "r", "°", "º"].into_iter().find(|sign| ahead.rest().starts_with(sign));
        ahead.at += sign.map_or(0, str::len);
        sign.is_some()
    };
    ahead.eat('.');
    ahead.blanks();
    let numbered = ahead.peek().is_some_and(|c| c.is_ascii_digit() || c == '(');
    if there && numbered {
        *cursor = ahead;
    }
    there && numbered
}

/// `(EEC, Euratom, ECSC)` and the blanks after it; some write one name without brackets.
fn bracketed_communities(cursor: &mut Cursor<'_>, communities: &mut Communities) {
    let mut ahead = *cursor;
    if !ahead.eat('(') {
        let mut named = *communities;
        if named.add(ahead.run(|c| c.is_ascii_uppercase())) && ahead.blanks() {
            *cursor = ahead;
            *communities = named;
        }
        return;
    }
    let mut named = *communities;
    loop {
        ahead.blanks();
        if !named.add(ahead.run(|c| c.is_ascii_alphabetic())) {
            return;
        }
        ahead.blanks();
        if ahead.eat(')') {
            break;
        }
        if !(ahead.eat(',') || ahead.eat('/') || ahead.word("and")) {
            return;
        }
    }
    ahead.blanks();
    *cursor = ahead;
    *communities = named;
}

/// `/EC`, and `, Euratom` or `, ECSC` after it.
fn suffix_communities(cursor: &mut Cursor<'_>, communities: &mut Communities) -> bool {
    let mut ahead = *cursor;
    if !ahead.eat_after_blanks('/') {
        return false;
    }
    ahead.blanks();
    if !communities.add(ahead.run(|c| c.is_ascii_alphabetic())) {
        return false;
    }
    *cursor = ahead;
    loop {
        let more = ahead.eat(',') || ahead.eat('/');
        ahead.blanks();
        let name = ahead.run(|c| c.is_ascii_alphabetic());
        if !more || !communities.add(name) {
            return true;
        }
        *cursor = ahead;
    }
}

/// Passes what can stand between two members, and the separator; whether a member begins there.
fn next_in_list(cursor: &mut Cursor<'_>) -> bool {
    let mut ahead = *cursor;
    footnote(&mut ahead);
    pass_makers(&mut ahead);
    footnote(&mut ahead);
    let comma = ahead.eat_after_blanks(',') || ahead.eat_after_blanks(';');
    let blank = ahead.blanks();
    let word = blank && (ahead.one_of(&["and", "or"]) || ahead.phrase("as well as"));
    if !(comma || word) || (word && !ahead.blanks()) {
        return false;
    }
    if word && ahead.word("of") {
        ahead.blanks();
    }
    let begins = ahead.peek().is_some_and(|c| c.is_ascii_digit() || c == '(' || c == 'N');
    if begins {
        *cursor = ahead;
    }
    begins
}

/// `(9)`, `( 9 )`, `(*)`
fn footnote(cursor: &mut Cursor<'_>) {
    let mut ahead = *cursor;
    ahead.blanks();
    if !ahead.eat('(') {
        return;
    }
    ahead.blanks();
    let mark = ahead.run(|c| c.is_ascii_digit() || c == '*');
    ahead.blanks();
    if (1..=3).contains(&mark.len()) && ahead.eat(')') {
        *cursor = ahead;
    }
}

/// Passes who made an act, and when; whether that was said.
pub(super) fn pass_makers(cursor: &mut Cursor<'_>) -> bool {
    let start = cursor.at;
    loop {
        let before = cursor.at;
        made_by(cursor);
        if cursor.at == before {
            return before > start;
        }
    }
}

/// "of the European Parliament and of the Council", "of 27 April 2016".
pub(super) fn made_by(cursor: &mut Cursor<'_>) {
    let mut ahead = *cursor;
    ahead.eat(',');
    if !ahead.blanks() || !ahead.word("of") || !ahead.blanks() {
        return;
    }
    let institutions = [
        "the European Parliament and of the Council",
        "the European Parliament and the Council",
        "the European Parliament",
        "the Council",
        "the Commission",
        "the European Central Bank",
    ];
    if institutions.iter().any(|name| ahead.phrase(name)) || dated(&mut ahead).is_some() {
        *cursor = ahead;
    }
}

/// "27 April 2016"
pub(super) fn dated(cursor: &mut Cursor<'_>) -> Option<Day> {
    let mut ahead = *cursor;
    let day = ahead.digits();
    ahead.blanks();
    let month = ahead.run(|c| c.is_ascii_alphabetic());
    ahead.blanks();
    let year = ahead.digits();
    if day.is_empty() || day.len() > 2 || year.len() != 4 {
        return None;
    }
    let date = Day::parse_long(&format!("{day} {month} {year}")).ok()?;
    *cursor = ahead;
    Some(date)
}
