//! Sets of phrases, each with what it stands for, matched at a place in a text.

use super::cursor::{Cursor, is_blank, tail};
use super::fold::fold;

/// Phrases with what they stand for; of those that stand at a place, the longest counts.
#[derive(Debug, Clone)]
pub(super) struct Phrases<T = ()> {
    all: Vec<Phrase<T>>,
}

#[derive(Debug, Clone)]
struct Phrase<T> {
    /// Folded, words divided by one blank; `*` stands for a word, behind a letter for an ending.
    letters: Vec<char>,
    /// Whether its first letter must be a capital.
    capital: bool,
    /// Whether any ending may follow.
    open: bool,
    meaning: T,
}

impl<T: Copy> Phrases<T> {
    pub fn new<'a>(given: impl IntoIterator<Item = (&'a str, T)>) -> Self {
        let mut all: Vec<Phrase<T>> = given.into_iter().map(|(text, meaning)| phrase(text, meaning)).collect();
        all.sort_by_key(|p| std::cmp::Reverse(p.letters.len()));
        Self { all }
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// What the phrase that stands here means; the cursor passes it.
    pub fn take(&self, cursor: &mut Cursor<'_>) -> Option<T> {
        let (end, meaning) = self.find(cursor, |next| !next.is_alphanumeric())?;
        cursor.at = end;
        Some(meaning)
    }

    /// As [`Self::take`], where digits may follow directly.
    pub fn take_glued(&self, cursor: &mut Cursor<'_>) -> Option<T> {
        let (end, meaning) = self.find(cursor, |next| !next.is_alphabetic())?;
        cursor.at = end;
        Some(meaning)
    }

    fn find(&self, cursor: &Cursor<'_>, may_follow: impl Fn(char) -> bool) -> Option<(usize, T)> {
        let rest = cursor.rest();
        let first = rest.chars().next()?;
        let folded = fold(first);
        self.all
            .iter()
            .filter(|p| p.letters.first() == Some(&folded) && (!p.capital || first.is_uppercase()))
            .find_map(|p| Some((cursor.at + p.ends_at(rest, &may_follow)?, p.meaning)))
    }

    /// The phrases in a text, each with its offset.
    pub fn within(&self, text: &str) -> impl Iterator<Item = (usize, T)> {
        let mut inside = false;
        text.char_indices().filter_map(move |(at, c)| {
            let begins = !inside;
            inside = c.is_alphanumeric();
            if begins { Some((at, self.take(&mut Cursor::new(text, at))?)) } else { None }
        })
    }

    /// The offset in `text` of the phrase that stands at its end, blanks aside.
    pub fn at_end(&self, text: &str) -> Option<usize> {
        let trimmed = text.trim_end_matches(is_blank);
        let near = tail(trimmed, 90);
        let from = trimmed.len() - near.len();
        // A phrase has six words at most; of those that end here the longest counts.
        let mut found = None;
        let mut letters = near.char_indices().rev().peekable();
        let mut words = 0;
        while let Some((at, c)) = letters.next() {
            let begins = c.is_alphanumeric() && letters.peek().is_none_or(|(_, before)| !before.is_alphanumeric());
            if !begins {
                continue;
            }
            words += 1;
            if words > 6 {
                break;
            }
            let mut cursor = Cursor::new(trimmed, from + at);
            if self.take(&mut cursor).is_some() && cursor.at == trimmed.len() {
                found = Some(from + at);
            }
        }
        found
    }
}

impl<T> Phrase<T> {
    /// Where the phrase ends in a text that it begins, if it does.
    fn ends_at(&self, text: &str, may_follow: impl Fn(char) -> bool) -> Option<usize> {
        let mut rest = text;
        let mut before = ' ';
        for letter in &self.letters {
            let ending = std::mem::replace(&mut before, *letter).is_alphanumeric();
            if matches!(letter, ' ' | '*') {
                let passed = |c: char| if *letter == ' ' { is_blank(c) } else { c.is_alphanumeric() };
                let after = rest.trim_start_matches(passed);
                if after.len() == rest.len() && (*letter == ' ' || !ending) {
                    return None;
                }
                rest = after;
                continue;
            }
            let c = rest.chars().next().filter(|c| fold(*c) == *letter)?;
            rest = &rest[c.len_utf8()..];
        }
        if self.open {
            rest = rest.trim_start_matches(char::is_alphabetic);
        }
        let word = self.letters.last().is_some_and(|c| c.is_alphanumeric());
        if word && rest.chars().next().is_some_and(|c| !may_follow(c)) {
            return None;
        }
        Some(text.len() - rest.len())
    }
}

fn phrase<T>(text: &str, meaning: T) -> Phrase<T> {
    let open = text.ends_with('*');
    let words: Vec<&str> = text.trim_end_matches('*').split_whitespace().collect();
    let text = words.join(" ");
    let capital = text.starts_with(char::is_uppercase);
    Phrase { letters: text.chars().map(fold).collect(), capital, open, meaning }
}
