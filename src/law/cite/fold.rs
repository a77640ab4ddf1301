//! Letters as they are compared: case and accents left out, so that "RÈGLEMENT", "Reglement" and "règlement" are one.

use super::cursor::{is_blank, is_hyphen};

/// Letters with marks, by the letter without.
const MARKED: [(char, &str); 23] = [
    ('a', "àáâãäåāăą"),
    ('c', "çćĉċč"),
    ('d', "ď"),
    ('e', "èéêëēĕėęě"),
    ('g', "ĝğġģ"),
    ('h', "ĥħ"),
    ('i', "ìíîïĩīĭį"),
    ('k', "ķ"),
    ('l', "ĺļľł"),
    ('n', "ñńņň"),
    ('o', "òóôõöōŏő"),
    ('r', "ŕŗř"),
    ('s', "śŝşšș"),
    ('t', "ţťț"),
    ('u', "ùúûüũūŭůűų"),
    ('y', "ýÿ"),
    ('z', "źżž"),
    ('α', "ά"),
    ('ε', "έ"),
    ('η', "ή"),
    ('ι', "ίϊΐ"),
    ('ο', "ό"),
    ('υ', "ύϋΰ"),
];

/// The letter without case and marks; apostrophes, hyphens and blanks of any kind as one of them.
pub(super) fn fold(c: char) -> char {
    if c.is_ascii() {
        return if c.is_ascii_whitespace() { ' ' } else { c.to_ascii_lowercase() };
    }
    let small = small(c);
    match small {
        'ς' => 'σ',
        'ώ' => 'ω',
        '\u{2018}' | '\u{2019}' | '\u{2bc}' => '\'',
        c if is_hyphen(c) => '-',
        c if is_blank(c) => ' ',
        c => MARKED.iter().find(|(_, marked)| marked.contains(c)).map_or(c, |(plain, _)| *plain),
    }
}

fn small(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

fn capital(c: char) -> char {
    let mut capitals = c.to_uppercase();
    capitals.next().filter(|_| capitals.next().is_none()).unwrap_or(c)
}

/// A regular expression for a phrase, which may begin small only if the phrase does. `*` between words is any word,
/// at the end of a word any ending.
pub(super) fn pattern(phrase: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for (i, c) in phrase.chars().enumerate() {
        match c {
            '*' if before.is_alphanumeric() => out.push_str(r"\p{L}*"),
            '*' => out.push_str(r"[\p{L}\p{N}]+"),
            c if is_blank(c) => out.push_str(r"\s+"),
            '\'' => out.push_str("['\u{2018}\u{2019}\u{2bc}]"),
            '-' => out.push_str("[-\u{2010}-\u{2014}\u{2212}]"),
            c if c.is_alphabetic() => out.push_str(&class(c, i == 0 && c.is_uppercase())),
            c => out.push_str(&regex::escape(&c.to_string())),
        }
        before = c;
    }
    out
}

/// All ways to write a letter.
fn class(c: char, only_capital: bool) -> String {
    let mut ways = vec![capital(c), capital(fold(c))];
    if !only_capital {
        ways.extend([small(c), fold(c)]);
        // The cedilla that old code pages put for a comma below, and the sigma of the end of a word.
        match small(c) {
            'ș' => ways.extend(['ş', 'Ş']),
            'ț' => ways.extend(['ţ', 'Ţ']),
            'σ' | 'ς' => ways.push('ς'),
            _ => {}
        }
    }
    ways.sort_unstable();
    ways.dedup();
    if ways.len() == 1 { ways.into_iter().collect() } else { format!("[{}]", ways.into_iter().collect::<String>()) }
}

/// A regular expression for any of these phrases, the longest first; nothing matches where there is none.
pub(super) fn any<'a>(phrases: impl IntoIterator<Item = &'a str>) -> String {
    let mut phrases: Vec<&str> = phrases.into_iter().collect();
    phrases.sort_unstable_by_key(|p| (std::cmp::Reverse(p.chars().count()), *p));
    phrases.dedup();
    if phrases.is_empty() {
        return r"[^\s\S]".into();
    }
    format!("(?:{})", phrases.into_iter().map(pattern).collect::<Vec<_>>().join("|"))
}
