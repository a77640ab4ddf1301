//! What is wrong with a registry file, shown where it stands.

use std::cell::OnceCell;
use std::fmt;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What is wrong with a registry file: the place, the line itself, why, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryError {
    /// The file's name as handed in.
    pub file: String,
    /// The line, from 1, where it is known.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// Why that is wrong; may be empty.
    pub why: Box<str>,
    /// What to write; may be empty.
    pub write: Box<str>,
    /// The line as written, and the columns (in characters, from 0) that are meant.
    pub shown: Option<Box<(String, Range<usize>)>>,
}

impl RegistryError {
    /// The error of the TOML reader: no TOML, or no registry.
    pub(super) fn unreadable(file: &str, text: &str, error: &toml::de::Error) -> Self {
        let mut message = error.message().lines();
        let first = message.next().unwrap_or_default().to_string();
        let mut new = Self::at(file, text, error.span(), first);
        new.why = message.collect::<Vec<_>>().join("; ").into();
        new
    }

    /// An error at these bytes of the text.
    pub(super) fn at(file: &str, text: &str, span: Option<Range<usize>>, message: String) -> Self {
        let shown = span.clone().map(|span| Box::new(shown(text, span)));
        Self {
            file: file.to_string(),
            line: span.map(|s| text[..floor(text, s.start)].matches('\n').count() + 1),
            message,
            why: Box::default(),
            write: Box::default(),
            shown,
        }
    }

    /// The same, saying why and what to write.
    #[must_use]
    pub(super) fn because(self, why: impl Into<String>, write: impl Into<String>) -> Self {
        Self { why: why.into().into(), write: write.into().into(), ..self }
    }
}

impl std::error::Error for RegistryError {}

impl fmt::Display for RegistryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        self.line.iter().try_for_each(|line| write!(f, ":{line}"))?;
        write!(f, ": {}", self.message)?;
        if let (Some(line), Some((text, columns))) = (self.line, self.shown.as_deref()) {
            let number = format!("{line:>4}");
            write!(f, "\n{number} | {text}\n{:width$} | ", "", width = number.len())?;
            write!(f, "{:skip$}{}", "", "^".repeat(columns.len().max(1)), skip = columns.start)?;
        }
        for (label, words) in [("why", &self.why), ("write", &self.write)] {
            if !words.is_empty() {
                write!(f, "\n{label:>5}: {words}")?;
            }
        }
        Ok(())
    }
}

/// The first line of a span, and the columns of the span in it. Tabs become spaces, so that carets stand below.
fn shown(text: &str, span: Range<usize>) -> (String, Range<usize>) {
    const LONGEST: usize = 160;
    let start = floor(text, span.start);
    let begins = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let ends = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let end = floor(text, span.end).clamp(start, ends);
    let column = |at: usize| text[begins..at].chars().count();
    let (mut from, mut to) = (column(start), column(end));
    let mut line: Vec<char> = text[begins..ends].trim_end().chars().map(|c| if c == '\t' { ' ' } else { c }).collect();
    // Long lines (patterns, forms) are cut around what is meant.
    if line.len() > LONGEST {
        let cut = from.saturating_sub(LONGEST / 4);
        line = line.into_iter().skip(cut).take(LONGEST).collect();
        (from, to) = (from - cut, (to - cut).min(line.len()));
    }
    (line.into_iter().collect(), from..to.max(from))
}

fn floor(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A step into a registry file: a key, or the place in a list.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step<'s> {
    Key(&'s str),
    At(usize),
}

impl<'s> From<&'s str> for Step<'s> {
    fn from(key: &'s str) -> Self {
        Self::Key(key)
    }
}

impl From<usize> for Step<'_> {
    fn from(at: usize) -> Self {
        Self::At(at)
    }
}

/// A registry text, and where in it everything stands.
pub(super) struct Places<'t> {
    file: &'t str,
    text: &'t str,
    /// Read again, with places, where one is asked for.
    root: OnceCell<Option<DeTable<'t>>>,
}

impl<'t> Places<'t> {
    pub fn of(file: &'t str, text: &'t str) -> Self {
        Self { file, text, root: OnceCell::new() }
    }

    /// Whether this place is written at all.
    pub fn has(&self, path: &[Step<'_>]) -> bool {
        self.walk(path).1 == path.len()
    }

    /// An error at this place, or at the last step towards it that is written.
    pub fn error(&self, path: &[Step<'_>], message: impl Into<String>) -> RegistryError {
        RegistryError::at(self.file, self.text, self.walk(path).0, message.into())
    }

    /// The same, narrowed to a word inside the place.
    pub fn error_in(&self, path: &[Step<'_>], word: &str, message: impl Into<String>) -> RegistryError {
        let span = self.walk(path).0.map(|span| {
            let inside = self.text.get(span.clone()).filter(|_| !word.is_empty()).and_then(|text| text.find(word));
            inside.map_or(span.clone(), |at| span.start + at..span.start + at + word.len())
        });
        RegistryError::at(self.file, self.text, span, message.into())
    }

    /// The span of the deepest step that is written, and how many steps that were.
    fn walk(&self, path: &[Step<'_>]) -> (Option<Range<usize>>, usize) {
        let Some((first, rest)) = path.split_first() else { return (None, 0) };
        let root = self.root.get_or_init(|| DeTable::parse(self.text).ok().map(Spanned::into_inner));
        let Some(mut here) = root.as_ref().and_then(|root| key(root, first)) else { return (None, 0) };
        for (i, step) in rest.iter().enumerate() {
            let next = match (here.get_ref(), step) {
                (DeValue::Table(table), _) => key(table, step),
                (DeValue::Array(list), Step::At(at)) => list.get(*at),
                _ => None,
            };
            let Some(next) = next else { return (Some(self.head(here)), i + 1) };
            here = next;
        }
        (Some(self.head(here)), path.len())
    }

    /// The span of a value; of a table, that of its name, else of its head.
    fn head(&self, value: &Spanned<DeValue<'_>>) -> Range<usize> {
        match value.get_ref() {
            DeValue::Table(table) => table.get("name").map_or_else(|| value.span(), Spanned::span),
            DeValue::Array(list) if self.text[value.span()].starts_with("[[") => {
                list.first().map_or_else(|| value.span(), Spanned::span)
            }
            _ => value.span(),
        }
    }
}

fn key<'a, 't>(table: &'a DeTable<'t>, step: &Step<'_>) -> Option<&'a Spanned<DeValue<'t>>> {
    match step {
        Step::Key(key) => table.get(*key),
        Step::At(_) => None,
    }
}
