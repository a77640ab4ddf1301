//! Which option a reply in prose names, if it names one.

use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Words that announce an answer, then nothing but filling up to the letter.
static ANNOUNCED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let filling = r#"(?:\s|[:=*_$"'`(\[{\\]|\b(?:is|was|would|must|should|be|the|correct|best|right|option|answer|choice|letter|text|boxed|mathbf|therefore|thus|clearly)\b)*"#;
    Regex::new(&format!(r"(?i)\b(?:answer|option|choice|choose|pick|select|go with){filling}\b([a-z])\b")).ok()
});
/// A second letter behind the first.
static ALTERNATIVE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^[\s)\]}*_$.]*(?:(?i:or|and)\b|[/,&+])[\s(\[{*_$]*([A-Za-z])\b").ok());
/// A label at the beginning, as options carry them.
static LABEL: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?m)^[\s*_(\[]*([A-Z])[*_]*[)\].:](?:\s|[*_]|$)").ok());
/// What may follow a letter that is also a word.
static AFTER: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(?:\s*$|\s*\n|\s*[^\s\w]|\s+(?:because|since|as|for|is)\b)").ok());

/// The option that a reply names, out of `letters`; none where it names none of them, or more than one.
///
/// A letter counts where it is announced ("the answer is (C)"), where it is the whole reply, or where it labels the one
/// line that carries a label. Letters that are merely discussed, and those that are words, do not.
///
/// ```
/// use legal_link::model::answer_letter;
/// assert_eq!(answer_letter("A careful reading shows that B is wrong. Answer: D", "ABCD"), Some('D'));
/// assert_eq!(answer_letter("Answer: A or B", "ABCD"), None);
/// ```
pub fn answer_letter(reply: &str, letters: &str) -> Option<char> {
    let offered = |letter: char| {
        let letter = letter.to_ascii_uppercase();
        letters.chars().any(|one| one.eq_ignore_ascii_case(&letter)).then_some(letter)
    };
    if let Some(letter) = alone(reply) {
        return offered(letter);
    }
    let announced = announced(reply)?;
    if !announced.is_empty() {
        return one_of(&announced).and_then(offered);
    }
    let labels: BTreeSet<char> =
        LABEL.as_ref()?.captures_iter(reply).filter_map(|found| found[1].chars().next()).collect();
    one_of(&labels).and_then(offered)
}

/// The letter of a reply that is one letter and marks around it.
fn alone(reply: &str) -> Option<char> {
    let mut letters = reply.trim().trim_start_matches("\\boxed").chars().filter(|c| c.is_alphanumeric());
    let letter = letters.next().filter(char::is_ascii_alphabetic)?;
    letters.next().is_none().then_some(letter)
}

/// All letters that are announced as the answer.
fn announced(reply: &str) -> Option<BTreeSet<char>> {
    let mut letters = BTreeSet::new();
    for found in ANNOUNCED.as_ref()?.captures_iter(reply) {
        let letter = found.get(1)?;
        let rest = &reply[letter.end()..];
        let name = letter.as_str().chars().next()?;
        // "The answer is a regulation", "Answer: I think": words, not letters.
        let word = name.is_ascii_lowercase() || matches!(name, 'A' | 'I');
        if word && !AFTER.as_ref()?.is_match(rest) && !ALTERNATIVE.as_ref()?.is_match(rest) {
            continue;
        }
        letters.insert(name.to_ascii_uppercase());
        letters
            .extend(ALTERNATIVE.as_ref()?.captures(rest).and_then(|more| more[1].to_ascii_uppercase().chars().next()));
    }
    Some(letters)
}

fn one_of(letters: &BTreeSet<char>) -> Option<char> {
    letters.first().copied().filter(|_| letters.len() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_counts_only_where_it_is_the_answer() {
        for (reply, letter) in [
            ("The correct option is **B**.", Some('B')),
            ("Answer: \\boxed{C}", Some('C')),
            ("(d)", Some('D')),
            ("B) because Article 3 says so.", Some('B')),
            ("A) first\nB) second\nI am not sure.", None),
            ("The answer is a regulation.", None),
            ("The answer is a.", Some('A')),
            ("Answer: A because it was repealed.", Some('A')),
            ("Answer: A regulation cannot end.", None),
            ("I would go with C", Some('C')),
            ("The answer is not B.", None),
            ("The answer is B. On reflection, the answer is C.", None),
            ("The answer is B, as said. Final answer: B", Some('B')),
            ("Answer: A, B", None),
            ("Option C is wrong and option D is wrong.", None),
            ("", None),
        ] {
            assert_eq!(answer_letter(reply, "ABCD"), letter, "{reply}");
        }
        assert_eq!(answer_letter("Answer: E", "ABCDE"), Some('E'));
    }
}
