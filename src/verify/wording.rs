//! Whether a text says certain words: compared after normalisation, on whole words.

use icu_normalizer::ComposingNormalizerBorrowed;

/// Letters composed with their accents (Unicode NFC); white space runs as one blank; quotation marks, dashes and
/// ellipses in one form; characters without width left out; all else as written.
pub(super) fn normal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in ComposingNormalizerBorrowed::new_nfc().normalize(text).chars() {
        match c {
            '‘' | '’' | '‚' | '‛' | '′' | '`' => out.push('\''),
            '“' | '”' | '„' | '«' | '»' | '″' => out.push('"'),
            '‐' | '‑' | '‒' | '–' | '—' | '−' => out.push('-'),
            '…' => out.push_str("..."),
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' => {}
            c if c.is_whitespace() => {
                if !out.is_empty() && !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            c => out.push(c),
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// Normal words without the quotation marks around them, and without the stop or comma behind those.
pub(super) fn unquoted(words: &str) -> &str {
    let marks = ['"', '\''];
    let trimmed = words.trim().trim_end_matches(['.', ',', ';']);
    let words = if trimmed.ends_with(marks) { trimmed } else { words.trim() };
    words.trim_matches(marks).trim()
}

/// Whether `text` contains `words`, both normal already. The first letter of the words may be of either
/// case (a sentence may begin with them); a figure must be whole (`5` is not said by `1,5` or `15`).
pub(super) fn says(text: &str, words: &str) -> bool {
    let words = unquoted(words);
    let Some(first) = words.chars().next() else { return false };
    let rest = &words[first.len_utf8()..];
    let flipped: String =
        if first.is_uppercase() { first.to_lowercase().collect() } else { first.to_uppercase().collect() };
    [first.to_string(), flipped].iter().any(|head| {
        let needle = format!("{head}{rest}");
        text.match_indices(&needle).any(|(at, found)| whole(text, at, at + found.len()))
    })
}

/// Whether no word or figure is cut at either end of the range.
pub(super) fn whole(text: &str, start: usize, end: usize) -> bool {
    let edge = |inner: Option<char>, outer: Option<char>, further: Option<char>| {
        let (Some(inner), Some(outer)) = (inner, outer) else { return true };
        if !inner.is_alphanumeric() {
            return true;
        }
        let splits_figure =
            inner.is_ascii_digit() && matches!(outer, '.' | ',' | '/') && further.is_some_and(|c| c.is_ascii_digit());
        !outer.is_alphanumeric() && !splits_figure
    };
    let mut before = text[..start].chars().rev();
    let mut after = text[end..].chars();
    let inside = &text[start..end];
    edge(inside.chars().next(), before.next(), before.next())
        && edge(inside.chars().next_back(), after.next(), after.next())
}

/// Lower-case words and figures of a text, in order.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::{normal, says};

    #[test]
    fn letters_are_composed_and_have_width() {
        assert_eq!(normal("E\u{301}tat"), normal("\u{c9}tat"));
        assert_eq!(normal("\u{200b}\u{2060} \u{feff}"), "");
    }

    #[test]
    fn words_are_whole_and_marks_are_one() {
        let text = normal("Article 4\u{a0}is  deleted; the fee is 1,5 euro – ‘no more’.");
        assert!(says(&text, &normal("article 4 is deleted")) && says(&text, "Article 4 is"));
        assert!(says(&text, &normal("1,5 euro — \"no more\"").replace('"', "'")));
        assert!(!says(&text, "5 euro") && !says(&text, "rticle 4") && !says(&text, "fee is 1") && !says(&text, ""));
    }
}
