//! Text into HTML, safely; counts and shares for people.

use std::fmt;

/// Text that shows in HTML, in content and in quoted attributes, as the characters it is.
/// Control characters show as a replacement mark; so do the marks that turn the direction of what follows.
pub(super) struct Text<'a>(pub &'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\n' | '\t' | '\r' => f.write_char(c)?,
                c if c.is_control() || turns(c) => f.write_char('\u{fffd}')?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// Whether a character changes the direction of the text after it, beyond its own place.
pub(super) fn turns(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A name of the registry as words: `renders_obsolete` as `renders obsolete`.
pub(super) fn words(name: &str) -> String {
    name.replace('_', " ")
}

/// A count with its thousands marked: `1,127`.
pub(super) fn count(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 item`, `2 items`.
pub(super) fn counted(n: usize, one: &str) -> String {
    format!("{} {one}{}", count(n), if n == 1 { "" } else { "s" })
}

/// A count as a real number, for drawing.
pub(super) fn real(n: usize) -> f64 {
    f64::from(u32::try_from(n).unwrap_or(u32::MAX))
}

/// A part of a whole, 0 to 1; 0 of nothing.
pub(super) fn part(n: usize, of: usize) -> f64 {
    if of == 0 { 0.0 } else { real(n) / real(of) }
}

/// A share in per cent, never rounded up to all of it nor down to nothing.
pub(super) fn percent(n: usize, of: usize) -> String {
    let tenths = (part(n, of) * 1000.0).round();
    let tenths = if n < of && tenths >= 1000.0 {
        999.0
    } else if n > 0 && tenths < 1.0 {
        1.0
    } else {
        tenths
    };
    if tenths >= 1000.0 { "100 %".to_string() } else { format!("{:.1} %", tenths / 10.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_is_only_text() {
        let text = Text("<script>\"&'\0\u{202e}é").to_string();
        assert_eq!(text, "&lt;script&gt;&quot;&amp;&#39;\u{fffd}\u{fffd}é");
    }

    #[test]
    fn figures_for_people() {
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(count(127), "127");
        assert_eq!((percent(1126, 1127), percent(1127, 1127)), ("99.9 %".into(), "100 %".into()));
        assert_eq!(
            (percent(0, 9), percent(1, 99_999), percent(0, 0)),
            ("0.0 %".into(), "0.1 %".into(), "0.0 %".into())
        );
    }
}
