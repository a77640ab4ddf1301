//! Labels that a model writes into its options: after the options are mixed they would point to the wrong letter.

use regex::Regex;
use std::sync::LazyLock;

/// `A) `, `(B) `, `C. `, `D: `, `Option A – `, in bold (by stars or lines) or not.
static CAPITAL: LazyLock<Option<Regex>> = LazyLock::new(|| label("[A-D]"));
/// The same with small letters or figures, which count only where all options have them, in order.
static SMALL: LazyLock<Option<Regex>> = LazyLock::new(|| label("[a-d1-4]"));

fn label(letters: &str) -> Option<Regex> {
    let end = "[*_]*";
    let pattern = format!(
        r"^\s*[*_]*(?:(?i:option|answer|choice)\s+)?(?:[(\[]({letters})[)\]][.:]?{end}\s*|({letters})(?:[)\]][.:]?{end}\s*|[.:]{end}\s+|{end}\s+[-–—]\s+))"
    );
    Regex::new(&pattern).ok()
}

/// Options without the labels of their letters. A word ("A Member State") and a case number ("C-26/20") are no labels.
///
/// ```
/// use legal_link::author::without_labels;
/// assert_eq!(without_labels(&["A) first", "A Member State", "C-26/20"]), ["first", "A Member State", "C-26/20"]);
/// ```
pub fn without_labels(options: &[&str]) -> Vec<String> {
    let found = |pattern: &LazyLock<Option<Regex>>, option: &str| -> Option<(String, usize)> {
        let found = pattern.as_ref()?.captures(option)?;
        let letter = found.get(1).or(found.get(2))?.as_str().to_string();
        let end = found.get(0)?.end();
        (!option[end..].trim().is_empty()).then_some((letter, end))
    };
    let in_order = |letters: &str| {
        let each = options.iter().zip(letters.chars());
        options.len() <= letters.len()
            && each.clone().count() > 1
            && each
                .into_iter()
                .all(|(option, letter)| found(&SMALL, option).is_some_and(|(l, _)| l == letter.to_string()))
    };
    let small = in_order("abcd") || in_order("1234");
    let one = |option: &&str| {
        let label = found(&CAPITAL, option).or_else(|| found(&SMALL, option).filter(|_| small));
        label.map_or_else(|| (*option).to_string(), |(_, end)| closed(option, option[end..].trim()).to_string())
    };
    options.iter().map(one).collect()
}

/// What follows a label, without the mark that closes what was opened before the label (`**A) all bold**`).
fn closed<'a>(option: &str, rest: &'a str) -> &'a str {
    let opened = ["**", "__", "*", "_"].into_iter().find(|mark| option.trim_start().starts_with(mark));
    let only = |mark: &&str| rest.matches(*mark).count() == 1;
    opened.filter(only).and_then(|mark| rest.strip_suffix(mark)).unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_go_and_words_stay() {
        let all = without_labels(&["**A)** first", "Option B: second", "C – third", "[D] fourth"]);
        assert_eq!(all, ["first", "second", "third", "fourth"]);
        assert_eq!(without_labels(&["__A)__ first", "_B._ second", "**C** – third", "**D) fourth**"]), all);
        assert_eq!(without_labels(&["a) x", "b) y"]), ["x", "y"]);
        let kept = ["1. January 1990", "A-level", "D. ", "B", "(a) of Article 3"];
        assert_eq!(without_labels(&kept), kept);
    }
}
