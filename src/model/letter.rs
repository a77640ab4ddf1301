//! Which option a reply in prose names, if it names one.

use super::object::object;
use super::thought::after_thoughts;
use regex::Regex;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// What may stand between an announcement and the letter: marks, and words that say nothing.
const FILLING: &str = r#"(?:[\s:：=*_$"'`(\[{<>\\}\])“”‘’–—-]|\b(?:is|was|would|must|should|be|the|my|final|correct|best|right|option|answer|choice|letter|text|boxed|therefore|thus|hence|so|clearly|certainly|definitely|surely|obviously|most|very|likely|probably|i|think|believe)\b)*"#;

type Pattern = LazyLock<Option<Regex>>;

fn pattern(text: &str) -> Option<Regex> {
    Regex::new(text).ok()
}

/// The answer, announced: "the answer is", "I choose", "the best option:".
static ANSWER: Pattern = LazyLock::new(|| {
    let question = r"(?:\s+(?:to|for|of)(?:\s+(?:the|this|that|your))?\s+(?:question|problem|item)(?:\s+\d+)?)?";
    let chosen = r"(?:final|correct|best|right|my|chosen|proper)\s+(?:option|choice|letter|alternative|decision|selection)|(?:option|choice)\s+is|(?:correct|solution|response|result|conclusion|verdict)\s*:";
    let choosing = r"choose|chose|chosen|pick(?:ed)?|select(?:ed|ion)?|go(?:ing)? (?:with|for)";
    pattern(&format!(r"(?i)\b(?:answer{question}|{chosen}|{choosing})({FILLING})\b([a-z])\b"))
});
/// An option by its name, which may only be discussed; also as "answer choice B".
static NAMED: Pattern =
    LazyLock::new(|| pattern(&format!(r"(?i)\b(?:option|choice|alternative)({FILLING})\b([a-z])\b")));
/// The letter first: "D is the correct answer", "(c) must be right".
static AFFIRMED: Pattern = LazyLock::new(|| {
    let sure = "the|a|my|clearly|certainly|definitely|most|likely|probably|therefore|thus|indeed|only|one";
    let right = "correct|right|best|true|proper|answer";
    pattern(&format!(
        r#"(?:[(\[]([A-Za-z])[)\]]|\b([A-Z])\b)[)\]}}*_"'`”’]*\s+(?:is|must be|would be|should be|seems|appears to be)(?:\s+(?:{sure}))*\s+(?:{right})\b(?P<noun>\s+(?:answer|option|choice|one)\b)?"#
    ))
});
/// Words before a letter that leave open whether it is meant.
static OPEN: Pattern = LazyLock::new(|| {
    pattern(r#"(?i)(?:\b(?:and|or|nor|not|neither|either|both|whether|if|why)|\b[A-Za-z]\s*[,/&])[\s(\[*_"'“‘]*$"#)
});
/// Words after a letter that deny it.
static DENIED: Pattern = LazyLock::new(|| {
    let verb = "(?:is|was|would be|can be|seems|looks)";
    let false_ = "not|never|wrong|incorrect|false|untrue|inaccurate|excluded|eliminated|ruled out";
    pattern(&format!(
        r#"(?i)^[\s"'”’)\]}}*_:–—-]*(?:(?:{verb}\s+)?(?:(?:also|clearly|simply|likewise|therefore|thus)\s+)*(?:wrong|incorrect|false)\b|{verb}\s+(?:(?:also|clearly|simply|likewise|therefore|thus)\s+)*(?:{false_})\b|(?:isn|wasn|can|doesn|couldn)['’]t\b|(?:cannot|does not|can not|could not)\b)"#
    ))
});
/// A second letter behind the first.
static ALTERNATIVE: Pattern = LazyLock::new(|| {
    pattern(
        r#"^[\s)\]}*_$."'”’>]*(?:,?\s*(?:or|and|OR|AND)\b|[/,&+])\s*(?:(?:maybe|perhaps|possibly|even)\s+)?[\s(\[{*_$"'“‘<]*([A-Za-z])\b(?:[^\w'’]|$)"#,
    )
});
/// A letter that is the beginning of a name: of a case (`C-131/12`), of a point (`D.4`), of a paper (`C(2019)`).
static COMPOUND: Pattern = LazyLock::new(|| pattern(r"^(?:[-‐‑]\w|–\d|[.(/]\d|['’]s\b)"));
/// A label at the beginning of a line, as options carry them, or a letter with its reason.
static LABEL: Pattern = LazyLock::new(|| {
    pattern(
        r"(?m)^[\s*_(\[]*([A-Z])[*_]*(?:[)\].:](?:\s|[*_]|$)|\s+[-–—]\s|—|,\s*(?:because|since|as|for)\s|\s+(?:because|since)\s)",
    )
});
/// What may follow a letter that is also a word.
static AFTER: Pattern = LazyLock::new(|| pattern(r"^(?:\s*$|\s*\n|\s*[^\s\w]|\s+(?:because|since|as|for|is)\b)"));
/// A line that says one letter and nothing else.
static LINE: Pattern = LazyLock::new(|| {
    let lead = "so|thus|therefore|hence|it|it['’]s|is|must|be|clearly|definitely|probably|i|think|say|the|letter";
    pattern(&format!(r"^(?:\W|_|\b(?i:{lead})\b)*(?:[A-Z]|[(\[][a-z])(?:\W|_)*$"))
});
/// Signs of typesetting and of servers: `\text{`, `__`, `</answer>`, `<|message|>`.
static SIGNS: Pattern =
    LazyLock::new(|| pattern(r"\\+[A-Za-z]+\s*(\{)|</[A-Za-z_]+>|<\|[^|<>]*\|>|__+|\b_([A-Za-z])_\b"));

/// The option that a reply names, out of `letters`; none where it names none of them, or more than one.
///
/// What the model thought before is no part of the reply. In a JSON object the field of the answer counts. In
/// prose, what says most decides, and what says less is not asked: a letter that is announced ("the answer is
/// (C)") or stands alone on the first or last line; one that is called right ("C is correct"); the label that
/// the first line carries ("B – 25 May 2018"); an option named and not denied ("option B"); the one label of
/// any line. Letters that are merely discussed, words, and names of cases do not count.
///
/// ```
/// use legal_link::model::answer_letter;
/// assert_eq!(answer_letter("A careful reading shows that B is wrong. Answer: D", "ABCD"), Some('D'));
/// assert_eq!(answer_letter("Answer: A or B", "ABCD"), None);
/// assert_eq!(answer_letter("<think>Answer: B</think>Option A is wrong. Answer: C", "ABCD"), Some('C'));
/// ```
pub fn answer_letter(reply: &str, letters: &str) -> Option<char> {
    let reply = after_thoughts(reply).ok()?;
    let named = match fields(reply) {
        Some(named) => named,
        None => in_prose(reply)?,
    };
    let letter = named.first().copied().filter(|_| named.len() == 1)?;
    letters.chars().any(|one| one.eq_ignore_ascii_case(&letter)).then_some(letter)
}

/// What the answer's fields of a JSON object name; none where the reply is no object with such a field.
fn fields(reply: &str) -> Option<BTreeSet<char>> {
    const NAMES: [&str; 4] = ["answer", "letter", "choice", "option"];
    let Value::Object(object) = object(reply).ok()? else { return None };
    let of_the_answer = |name: &str| NAMES.iter().any(|part| name.to_lowercase().contains(part));
    let one = |value: &Value| !value.is_object() && !value.is_array();
    let fields: Vec<&Value> = object.iter().filter(|(n, v)| of_the_answer(n) && one(v)).map(|(_, v)| v).collect();
    let texts = fields.iter().filter_map(|value| value.as_str());
    (!fields.is_empty()).then(|| texts.filter_map(in_prose).flatten().collect())
}

/// The letters that a text names by the surest of its ways to name one.
fn in_prose(text: &str) -> Option<BTreeSet<char>> {
    let text = &SIGNS.as_ref()?.replace_all(text, " $1$2");
    let text = text.trim();
    if let Some(letter) = alone(text) {
        return Some(BTreeSet::from([letter]));
    }
    let mut sure = announced(text, &ANSWER)?;
    sure.extend(affirmed(text, true)?);
    sure.extend(lone_lines(text)?);
    if !sure.is_empty() {
        return Some(sure);
    }
    let affirmed = affirmed(text, false)?;
    if !affirmed.is_empty() {
        return Some(affirmed);
    }
    let labels = labels(text)?;
    let one: BTreeSet<char> = labels.iter().map(|(_, letter)| *letter).collect();
    if one.len() == 1 && labels.first().is_some_and(|(line, _)| *line == 0) {
        return Some(one);
    }
    let named = announced(text, &NAMED)?;
    Some(if named.is_empty() { one } else { named })
}

/// The letter of a text that is one letter and marks around it.
fn alone(text: &str) -> Option<char> {
    let mut letters = text.chars().filter(|c| c.is_alphanumeric());
    let letter = letters.next().filter(char::is_ascii_alphabetic)?;
    letters.next().is_none().then_some(letter.to_ascii_uppercase())
}

/// All letters that stand behind an announcement and are not denied.
fn announced(text: &str, announcement: &Pattern) -> Option<BTreeSet<char>> {
    let mut letters = BTreeSet::new();
    for found in announcement.as_ref()?.captures_iter(text) {
        let (filling, letter) = (found.get(1)?, found.get(2)?);
        let (before, rest) = (&text[..found.get(0)?.start()], &text[letter.end()..]);
        if is_name(&found[0], filling.as_str()) || denied(before, rest)? || COMPOUND.as_ref()?.is_match(rest) {
            continue;
        }
        let name = letter.as_str().chars().next()?;
        let second = alternative(rest)?;
        // Nor need the next line go on.
        if second.is_none()
            && (is_word(name, rest)? || filling.as_str().contains('\n') && !AFTER.as_ref()?.is_match(rest))
        {
            continue;
        }
        letters.insert(name.to_ascii_uppercase());
        letters.extend(second);
    }
    Some(letters)
}

/// Whether a letter is a word of its own: "The answer is a regulation", "Answer: I think".
fn is_word(letter: char, rest: &str) -> Option<bool> {
    Some((letter.is_ascii_lowercase() || matches!(letter, 'A' | 'I')) && !AFTER.as_ref()?.is_match(rest))
}

/// The letter that stands behind another one as its equal.
#[allow(clippy::option_option)]
fn alternative(rest: &str) -> Option<Option<char>> {
    let Some(found) = ALTERNATIVE.as_ref()?.captures(rest) else { return Some(None) };
    let letter = found.get(1)?;
    let (name, behind) = (letter.as_str().chars().next()?, &rest[letter.end()..]);
    let meant = !is_word(name, behind)? && !denied("", behind)?;
    Some(meant.then_some(name.to_ascii_uppercase()))
}

/// Whether "answer" only begins a name: "answer choice B" is option B, not the answer.
fn is_name(announcement: &str, filling: &str) -> bool {
    let noun = filling.trim_matches([' ', '(', '*']).to_ascii_lowercase();
    announcement.to_ascii_lowercase().starts_with("answer") && matches!(noun.as_str(), "option" | "choice")
}

/// Whether words around a letter say that it is not meant.
fn denied(before: &str, rest: &str) -> Option<bool> {
    let word = before.split_whitespace().next_back().unwrap_or_default();
    let negated = ["not", "neither", "nor"].iter().any(|no| word.eq_ignore_ascii_case(no));
    Some(negated || DENIED.as_ref()?.is_match(rest))
}

/// All letters that are called right; with `noun`, only those that are called the right answer.
fn affirmed(text: &str, noun: bool) -> Option<BTreeSet<char>> {
    let mut letters = BTreeSet::new();
    for found in AFFIRMED.as_ref()?.captures_iter(text) {
        let letter = found.get(1).or(found.get(2))?;
        let whole = found.get(0)?;
        let named_so = found.name("noun").is_some() || whole.as_str().ends_with("answer");
        if (named_so || !noun) && !OPEN.as_ref()?.is_match(&text[..whole.start()]) {
            letters.extend(letter.as_str().chars().map(|c| c.to_ascii_uppercase()));
        }
    }
    Some(letters)
}

/// The letters that are the whole of the first or the last line.
fn lone_lines(text: &str) -> Option<BTreeSet<char>> {
    let line = LINE.as_ref()?;
    let ends = [text.lines().next(), text.lines().next_back()];
    let found = ends.into_iter().flatten().filter(|l| alone(l).is_some() || line.is_match(l));
    Some(found.filter_map(|l| l.chars().rfind(char::is_ascii_alphabetic)).map(|c| c.to_ascii_uppercase()).collect())
}

/// The labels that lines carry and that are not denied there, each with the place where its line begins.
fn labels(text: &str) -> Option<Vec<(usize, char)>> {
    let mut labels = Vec::new();
    for found in LABEL.as_ref()?.captures_iter(text) {
        if !denied("", &text[found.get(0)?.end()..])? {
            labels.push((found.get(0)?.start(), found[1].chars().next()?));
        }
    }
    Some(labels)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_read(replies: &[(&str, Option<char>)]) {
        for (reply, letter) in replies {
            assert_eq!(answer_letter(reply, "ABCD"), *letter, "{reply}");
        }
    }

    #[test]
    fn a_letter_counts_only_where_it_is_the_answer() {
        all_read(&[
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
        ]);
        assert_eq!(answer_letter("Answer: E", "ABCDE"), Some('E'));
    }

    #[test]
    fn an_announced_letter_goes_before_options_discussed() {
        all_read(&[
            ("Option A is wrong. Option B names another act. Answer: C", Some('C')),
            ("Answer: C\nExplanation: option A names another act; option B is wrong.", Some('C')),
            ("The answer is B. Answer choice A is tempting.", Some('B')),
            ("The correct choice is A; option B came later.", Some('A')),
            ("Option A: wrong.\nOption B: fits.\nOption C: wrong.", Some('B')),
            ("Option C is wrong.", None),
            ("The answer is not option B.", None),
            ("The answer to this question is (C).", Some('C')),
        ]);
    }

    #[test]
    fn a_letter_may_stand_before_its_reason() {
        all_read(&[
            ("B\n\nExplanation: A is wrong.", Some('B')),
            ("The act was repealed.\n\n**C**", Some('C')),
            ("B\nThe act was repealed.\nC", None),
            ("D - it was repealed", Some('D')),
            ("B – 25 May 2018. Option A names another day.", Some('B')),
            ("A, because B was repealed.", Some('A')),
            ("Therefore, D.", Some('D')),
            ("It must be\n(d)", Some('D')),
            ("D is the correct answer.\nB was only amended.", Some('D')),
            ("C is correct. Option A names another act.", Some('C')),
            ("C is not correct.", None),
            ("A or C is correct.", None),
            ("Options A and B are wrong, C is right.", Some('C')),
            ("Answer: B or perhaps D", None),
            ("Answer: C, I am sure.", Some('C')),
        ]);
    }

    #[test]
    fn wrappers_and_filling_words_are_no_part_of_it() {
        all_read(&[
            ("<answer>\nC\n</answer>\nB is the older act.", Some('C')),
            ("Answer: <C>", Some('C')),
            ("$\\boxed{\\text{D}}$", Some('D')),
            ("Answer: \\textbf{C}", Some('C')),
            ("The answer is “C”.", Some('C')),
            ("Answer – B", Some('B')),
            ("Answer: __B__", Some('B')),
            ("Answer: _(b)_", Some('B')),
            ("The answer is most likely C.", Some('C')),
            ("{\"letter\": \"C\", \"explanation\": \"The answer is not A, option B\"}", Some('C')),
            ("```json\n{\"answer\": \"B) the act\"}\n```", Some('B')),
            ("{\"answer\": null, \"explanation\": \"Option B\"}", None),
        ]);
    }

    #[test]
    fn thoughts_and_names_are_no_answers() {
        all_read(&[
            ("<think>Answer: B</think>Answer: C", Some('C')),
            ("<think>Answer: B, or rather", None),
            ("Answer: C-131/12", None),
            ("Answer: C(2019) 1294", None),
            ("Answer: D.4 of the Annex", None),
        ]);
    }
}
