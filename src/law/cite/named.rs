//! Finds words that name acts by number: the kind of act, the Communities in brackets, "No", year and number, suffix;
//! and lists of them under one head ("Regulations (EC) No 1/2001, (EC) No 2/2001 and (EU) 2015/3").

use super::cursor::{Cursor, head, is_hyphen, tail};
use super::makers::pass_makers;
use super::reading::{Reading, read, read_plain};
use super::wording::{Community, Wording};
use super::{Citation, Noun, cases, titles};

/// All citations, in order, without parts.
pub(super) fn find(words: &Wording, text: &str) -> Vec<Citation> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(head) = words.heads.captures_at(text, at) {
        let (start, end) = head.get(0).map_or((at, text.len()), |m| (m.start(), m.end()));
        if text[..start].ends_with(char::is_alphanumeric) {
            // Inside a word; what looks like a head may begin one character on.
            at = start + text[start..].chars().next().map_or(1, char::len_utf8);
            continue;
        }
        let before = found.len();
        if head.name("act").is_some() {
            act_list(words, text, start, &mut found);
        } else if head.name("case").is_some() {
            let mut cursor = Cursor::new(text, start);
            if words.cases.take(&mut cursor).is_some() {
                cases::case_list(words, text, start, cursor.at, &mut found);
            }
        } else if head.name("court").is_some() {
            cases::case_list(words, text, start, start, &mut found);
        } else if head.name("com").is_some() {
            cases::commission_document(text, start, &mut found);
        } else if head.name("celex").is_some() {
            cases::bare_celex(text, start, &mut found);
        } else if words.number_first {
            list_before_act(words, text, start, &mut found);
        } else {
            titles::number_apart(words, text, start, &mut found);
        }
        at = match found.last() {
            Some(last) if found.len() > before => last.end.max(end),
            _ => end,
        };
    }
    found
}

/// The kind of act named at `start`, whether the word names several, and where its words begin ("Implementing"
/// included) and end.
pub(super) fn head_at(words: &Wording, text: &str, start: usize) -> Option<(Noun, bool, usize, usize)> {
    let mut cursor = Cursor::new(text, start);
    let (noun, many) = words.acts.take(&mut cursor)?;
    let begin = words.qualifiers.at_end(&text[..start]).filter(|_| text[..start].ends_with(super::cursor::is_blank));
    Some((noun, many, begin.unwrap_or(start), cursor.at))
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
pub(super) struct Communities(u8);

impl Communities {
    pub fn any(self) -> bool {
        self.0 != 0
    }

    pub fn has(self, community: Community) -> bool {
        self.0 & (1 << community as u8) != 0
    }

    /// Whether it is named, and no other.
    pub fn only(self, community: Community) -> bool {
        self.0 == 1 << community as u8
    }

    fn add(&mut self, words: &Wording, name: &str) -> bool {
        let known = words.community(name);
        self.0 |= known.map_or(0, |community| 1 << community as u8);
        known.is_some()
    }
}

/// The members of a list under one head.
fn act_list(words: &Wording, text: &str, start: usize, found: &mut Vec<Citation>) {
    let Some((noun, plural, start, end)) = head_at(words, text, start) else { return };
    let mut cursor = Cursor::new(text, end);
    let between = pass_between(words, noun, &mut cursor);
    // "Regulation(EU) 2016/679": a converter lost the blank.
    if !cursor.blanks() && cursor.peek() != Some('(') {
        return;
    }
    let mut from = start;
    let mut first = true;
    while let Some(member) = member(words, &mut cursor) {
        let unmistakable = member.suffix || member.communities.any() || (member.no && words.maker_of.is_empty());
        // "Decision of the Council 2003/9429/EC": only a number that is unmistakably an act's own.
        let listed = if first { !between.maker || unmistakable } else { plural || member.no || unmistakable };
        let plain = member.second.is_none();
        if !listed || (plain && (noun != Noun::Regulation || !(member.no || plural))) {
            return;
        }
        let around = Around { text, start: from, end: cursor.at, between };
        let reading = if plain { read_plain(words, &member, around) } else { Some(read(words, noun, &member, around)) };
        let Some(reading) = reading else { return };
        found.push(citation(text, from, cursor.at, noun, reading));
        first = false;
        if !next_in_list(words, &mut cursor) {
            return;
        }
        from = cursor.at;
    }
}

/// "az 1060/2009/EK, a 648/2012/EU és az (EU) 2016/1011 rendelet": the numbers stand before the kind of act.
fn list_before_act(words: &Wording, text: &str, start: usize, found: &mut Vec<Citation>) {
    let mut cursor = Cursor::new(text, start);
    let mut members = Vec::new();
    let mut from = start;
    while let Some(member) = member(words, &mut cursor).filter(|m| m.suffix || m.communities.any()) {
        members.push((from, cursor.at, member));
        let mut ahead = cursor;
        if !next_in_list(words, &mut ahead) {
            break;
        }
        from = ahead.at;
        cursor = ahead;
    }
    let Some(last) = members.last_mut() else { return };
    cursor.at = last.1;
    let mut maker = pass_makers_and_qualifiers(words, &mut cursor);
    let mut ahead = cursor;
    while ahead.blanks() && words.before_act.take(&mut ahead).is_some() {
        cursor = ahead;
        maker |= pass_makers_and_qualifiers(words, &mut cursor);
        ahead = cursor;
    }
    cursor.blanks();
    let Some((noun, _)) = words.acts.take(&mut cursor) else { return };
    last.1 = cursor.at;
    for (from, end, member) in members {
        let around = Around { text, start: from, end, between: Between { maker, body: false } };
        if member.second.is_some() {
            found.push(citation(text, from, end, noun, read(words, noun, &member, around)));
        }
    }
}

/// Passes what can stand between the kind of act and its number: "d'exécution", "of the Council", "of the EEA Joint
/// Committee".
fn pass_between(words: &Wording, noun: Noun, cursor: &mut Cursor<'_>) -> Between {
    let maker = pass_makers_and_qualifiers(words, cursor);
    let body = noun == Noun::Decision && pass_joint_body(words, cursor);
    if body {
        pass_makers_and_qualifiers(words, cursor);
    }
    Between { maker, body }
}

/// Passes "of the EEA Joint Committee"; some words of the name may stand before those that tell a joint body.
fn pass_joint_body(words: &Wording, cursor: &mut Cursor<'_>) -> bool {
    let mut ahead = *cursor;
    if !ahead.blanks() || (words.maker_of.take(&mut ahead).is_none() && !words.maker_of.is_empty()) {
        return false;
    }
    for _ in 0..MOST_WORDS_OF_A_BODY {
        ahead.blanks();
        if words.joint_bodies.take(&mut ahead).is_some() {
            *cursor = ahead;
            return true;
        }
        if ahead.run(|c| c.is_alphabetic() || is_hyphen(c)).is_empty() {
            return false;
        }
    }
    false
}

/// How many words can stand between "of" and the words that tell a joint body, and one.
const MOST_WORDS_OF_A_BODY: usize = 5;

/// Passes "d'exécution" and "of the Council"; whether it names who made the act.
fn pass_makers_and_qualifiers(words: &Wording, cursor: &mut Cursor<'_>) -> bool {
    let mut maker = false;
    loop {
        maker |= pass_makers(words, cursor);
        let mut ahead = *cursor;
        if !ahead.blanks() || words.qualifiers.take(&mut ahead).is_none() {
            return maker;
        }
        *cursor = ahead;
    }
}

/// A citation without parts.
pub(super) fn citation(text: &str, start: usize, end: usize, noun: Noun, reading: Reading) -> Citation {
    let Reading { celex, candidates, reason } = reading;
    let words = text[start..end].to_string();
    Citation {
        text: words,
        start,
        end,
        noun,
        short: false,
        celex,
        candidates,
        parts: Vec::new(),
        parts_start: start,
        reason,
    }
}

/// What stands between kind and number.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Between {
    /// Whether who made the act is named.
    pub maker: bool,
    /// Whether that is a joint body under an agreement.
    pub body: bool,
}

/// A citation's place in its text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Around<'a> {
    pub text: &'a str,
    pub start: usize,
    pub end: usize,
    pub between: Between,
}

impl<'a> Around<'a> {
    /// Some words before it.
    pub fn before(&self) -> &'a str {
        tail(&self.text[..self.start], 120)
    }

    /// Some words after it.
    pub fn after(&self) -> &'a str {
        head(&self.text[self.end..], 160)
    }
}

/// One member: `(EC) No 1/2001`, `95/46/EC`, `(EU) 2016/679`, `No 17`.
pub(super) fn member<'a>(words: &Wording, cursor: &mut Cursor<'a>) -> Option<Member<'a>> {
    let mut ahead = *cursor;
    let mut communities = Communities::default();
    let mut no = number_sign(words, &mut ahead);
    bracketed_communities(words, &mut ahead, &mut communities);
    no = number_sign(words, &mut ahead) || no;
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
        suffix = suffix_communities(words, &mut ahead, &mut communities);
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
pub(super) fn number_sign(words: &Wording, cursor: &mut Cursor<'_>) -> bool {
    let mut ahead = *cursor;
    let there = words.signs.take_glued(&mut ahead).is_some();
    ahead.eat('.');
    ahead.blanks();
    let numbered = ahead.peek().is_some_and(|c| c.is_ascii_digit() || c == '(');
    if there && numbered {
        *cursor = ahead;
    }
    there && numbered
}

/// `(EEC, Euratom, ECSC)` and the blanks after it; some write one name without brackets.
fn bracketed_communities(words: &Wording, cursor: &mut Cursor<'_>, communities: &mut Communities) {
    let mut ahead = *cursor;
    let mut named = *communities;
    if !ahead.eat('(') {
        if named.add(words, ahead.run(char::is_uppercase)) && ahead.blanks() {
            *cursor = ahead;
            *communities = named;
        }
        return;
    }
    loop {
        ahead.blanks();
        if !named.add(words, ahead.run(char::is_alphabetic)) {
            return;
        }
        ahead.blanks();
        if ahead.eat(')') {
            break;
        }
        if !(ahead.eat(',') || ahead.eat('/') || words.and.take(&mut ahead).is_some()) {
            return;
        }
    }
    ahead.blanks();
    *cursor = ahead;
    *communities = named;
}

/// `/EC`, and `, Euratom` or `, ECSC` after it.
fn suffix_communities(words: &Wording, cursor: &mut Cursor<'_>, communities: &mut Communities) -> bool {
    let mut ahead = *cursor;
    if !ahead.eat_after_blanks('/') {
        return false;
    }
    ahead.blanks();
    if !communities.add(words, ahead.run(char::is_alphabetic)) {
        return false;
    }
    *cursor = ahead;
    loop {
        let more = ahead.eat(',') || ahead.eat('/');
        ahead.blanks();
        let name = ahead.run(char::is_alphabetic);
        if !more || !communities.add(words, name) {
            return true;
        }
        *cursor = ahead;
    }
}

/// Passes what can stand between two members, and the separator; whether a member begins there.
fn next_in_list(words: &Wording, cursor: &mut Cursor<'_>) -> bool {
    let mut ahead = *cursor;
    footnote(&mut ahead);
    pass_makers(words, &mut ahead);
    footnote(&mut ahead);
    let comma = ahead.eat_after_blanks(',') || ahead.eat_after_blanks(';');
    let blank = ahead.blanks();
    let word = blank && words.and.take(&mut ahead).is_some();
    if !(comma || word) || (word && !ahead.blanks()) {
        return false;
    }
    if word && words.of.take(&mut ahead).is_some() {
        ahead.blanks();
    }
    if words.number_first && words.the.take(&mut ahead).is_some() {
        ahead.blanks();
    }
    let begins = ahead.peek().is_some_and(|c| c.is_ascii_digit() || c == '(')
        || words.signs.take_glued(&mut { ahead }).is_some();
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
