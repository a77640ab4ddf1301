//! A place in a text, and small steps forward from it. Blanks of any kind (no-break, narrow) count as blanks.

/// A place in a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a> {
    pub text: &'a str,
    pub at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next character.
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Passes blanks; whether there were any.
    pub fn blanks(&mut self) -> bool {
        let before = self.at;
        while let Some(c) = self.peek().filter(|c| is_blank(*c)) {
            self.at += c.len_utf8();
        }
        self.at > before
    }

    /// Passes this character.
    pub fn eat(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        if there {
            self.at += wanted.len_utf8();
        }
        there
    }

    /// Passes blanks and then this character; nothing if it is not there.
    pub fn eat_after_blanks(&mut self, wanted: char) -> bool {
        let mut ahead = *self;
        ahead.blanks();
        let there = ahead.eat(wanted);
        if there {
            *self = ahead;
        }
        there
    }

    /// Passes this word (ASCII, any case), which must end there.
    pub fn word(&mut self, wanted: &str) -> bool {
        let head = self.rest().get(..wanted.len()).is_some_and(|h| h.eq_ignore_ascii_case(wanted));
        let ends = head && !self.rest()[wanted.len()..].starts_with(char::is_alphanumeric);
        if ends {
            self.at += wanted.len();
        }
        ends
    }

    /// Passes the first of these words that stands here.
    pub fn one_of(&mut self, words: &[&str]) -> bool {
        words.iter().any(|w| self.word(w))
    }

    /// Passes characters that are all of one kind.
    pub fn run(&mut self, is: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !is(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Passes digits.
    pub fn digits(&mut self) -> &'a str {
        self.run(|c| c.is_ascii_digit())
    }
}

pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}' | '\u{feff}' | '\u{2060}')
}

/// Hyphens and dashes that stand for a hyphen.
pub(super) fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2014}' | '\u{2212}')
}

/// The last `bytes` bytes (or a few less) of a text, cut between characters.
pub(super) fn tail(text: &str, bytes: usize) -> &str {
    let mut from = text.len().saturating_sub(bytes);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    &text[from..]
}

/// The first `bytes` bytes (or a few less) of a text, cut between characters.
pub(super) fn head(text: &str, bytes: usize) -> &str {
    let mut to = bytes.min(text.len());
    while !text.is_char_boundary(to) {
        to -= 1;
    }
    &text[..to]
}
