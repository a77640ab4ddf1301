//! What was changed in a text: in a few words for a line, and line by line for a page.

use crate::view::html::{Text, turns};
use similar::{ChangeTag, TextDiff};
use std::fmt::Write as _;

/// Longer texts are not compared: what a model gives may be of any length.
const COMPARED: usize = 40_000;
/// Words around a change.
const AROUND: usize = 3;

/// The first changes between two texts, at most so many characters: `both acts [-by number-]{+by title and number+} …`.
pub(crate) fn in_words(before: &str, after: &str, most: usize) -> String {
    if before.len().max(after.len()) > COMPARED {
        return String::new();
    }
    let [before, after] = [before, after].map(|text| text.split_whitespace().collect::<Vec<_>>());
    let diff = TextDiff::from_slices(&before, &after);
    let mut runs: Vec<(ChangeTag, Vec<&str>)> = Vec::new();
    for change in diff.iter_all_changes() {
        match runs.last_mut() {
            Some((tag, words)) if *tag == change.tag() => words.push(change.value()),
            _ => runs.push((change.tag(), vec![change.value()])),
        }
    }
    if runs.iter().all(|(tag, _)| *tag == ChangeTag::Equal) {
        return String::new();
    }
    let mut said = Vec::new();
    let last = runs.len().saturating_sub(1);
    for (at, (tag, words)) in runs.iter().enumerate() {
        said.push(match tag {
            ChangeTag::Delete => format!("[-{}-]", words.join(" ")),
            ChangeTag::Insert => format!("{{+{}+}}", words.join(" ")),
            ChangeTag::Equal => around(words, at > 0, at < last),
        });
    }
    cut(&said.join(" "), most)
}

/// The words of an unchanged run that stand beside a change.
fn around(words: &[&str], after: bool, before: bool) -> String {
    let tail = if after { AROUND.min(words.len()) } else { 0 };
    let head = if before { AROUND.min(words.len()) } else { 0 };
    if tail + head >= words.len() {
        return words.join(" ");
    }
    let parts = [words[..tail].join(" "), "…".to_string(), words[words.len() - head..].join(" ")];
    parts.iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// So many characters of a text at the most, fit for a terminal.
pub(crate) fn cut(text: &str, most: usize) -> String {
    let plain = |c: char| if c.is_control() || turns(c) { '\u{fffd}' } else { c };
    let mut out: String = text.chars().take(most).map(plain).collect();
    if text.chars().nth(most).is_some() {
        out.pop();
        out.push('…');
    }
    out
}

/// Lines taken away and put in, told apart by a sign and not by colour alone; in a line that was altered, the words
/// that were.
pub(super) fn by_line(before: &str, after: &str) -> String {
    // Whether the last line is ended is nothing that anybody wants to see.
    let ended = |text: &str| format!("{}\n", text.trim_end_matches('\n'));
    let (before, after) = (ended(before), ended(after));
    let diff = TextDiff::from_lines(&before, &after);
    let mut out = String::new();
    for change in diff.ops().iter().flat_map(|op| diff.iter_inline_changes(op)) {
        let mut line = String::new();
        for (strong, words) in change.iter_strings_lossy() {
            let words = Text(words.trim_end_matches('\n')).to_string();
            let _ = if strong && !words.is_empty() { write!(line, "<b>{words}</b>") } else { write!(line, "{words}") };
        }
        let _ = match change.tag() {
            ChangeTag::Delete => writeln!(out, "<del>- {line}</del>"),
            ChangeTag::Insert => writeln!(out, "<ins>+ {line}</ins>"),
            ChangeTag::Equal => writeln!(out, "  {line}"),
        };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_told_in_a_few_words() {
        let before = "One two three four five six. Name the act by its number.\n";
        let after = "One two three four five six. Name both acts by their number. Be brief.";
        let said = in_words(before, after, 200);
        assert_eq!(said, "… five six. Name [-the act-] {+both acts+} by [-its-] {+their+} number. {+Be brief.+}");
        assert_eq!(in_words(before, after, 20).chars().count(), 20);
        assert_eq!(
            in_words("a\u{1b}[31m", "a\u{1b}[31m b", 20),
            "a\u{fffd}[31m {+b+}",
            "nothing is sent to the terminal"
        );
        assert_eq!(in_words("same", "same", 20), "");
    }

    #[test]
    fn in_an_altered_line_the_words_that_were_are_strong() {
        assert_eq!(by_line("One.\nTwo.", "One.\nTwo.\nThree."), "  One.\n  Two.\n<ins>+ Three.</ins>\n");
        let told = by_line("Keep.\nName the act by its <number>.\n", "Keep.\nName the act by its <title>.\n");
        assert!(told.starts_with("  Keep.\n<del>- Name the act by its <b>&lt;number&gt;.</b></del>"), "{told}");
        assert!(told.contains("<ins>+ Name the act by its <b>&lt;title&gt;.</b></ins>"), "{told}");
    }
}
