//! Words that were decoded by the wrong rule.

/// Whether a text looks as if it had been written in UTF-8 and read as Latin-1 or Windows-1252 (`dÃ©cision`), or had lost
/// characters on the way (U+FFFD): number signs break, and citations vanish.
///
/// What counts is a letter that begins a character in UTF-8 before one that goes on with it, where both together are a
/// character of the languages of the Union. A capital before a closing quotation mark or a no-break space is an ordinary
/// end of a word (`«IRMû`), and one between quotation marks is a letter that is spoken of (`‘Å’`).
///
/// ```
/// use legal_link::parse::misread;
/// assert!(misread("dÃ©cision nÂ° 9001/2006"));
/// assert!(!misread("décision nº 9001/80"));
/// ```
pub fn misread(text: &str) -> bool {
    let mut before = ' ';
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c == '\u{fffd}' || ('\u{80}'..='\u{9f}').contains(&c) {
            return true;
        }
        let mut next = rest.clone();
        let second = next.next().and_then(continued);
        let found = match (c, second) {
            ('â', Some(0x80..=0x84)) => next.next().and_then(continued).is_some(),
            ('Â'..='Å' | 'Î' | 'Ï' | 'Ð' | 'Ñ', Some(second)) => {
                !ends_a_word(before, second, next.next()) && !quoted(before, rest.clone())
            }
            _ => false,
        };
        if found {
            return true;
        }
        before = c;
    }
    false
}

/// The byte from 0x80 to 0xBF that is read as this character.
fn continued(c: char) -> Option<u8> {
    /// 0x80 to 0x9F in Windows-1252; unused ones stand for themselves.
    const WINDOWS: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘',
        '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    let latin = u8::try_from(c).ok().filter(|byte| (0x80..=0xbf).contains(byte));
    latin.or_else(|| (0x80..).zip(WINDOWS).find(|(_, known)| *known == c).map(|(byte, _)| byte))
}

/// Whether a capital and the sign after it are the last letter of a word in capitals and a punctuation mark.
fn ends_a_word(before: char, second: u8, after: Option<char>) -> bool {
    let sign = !matches!(second, 0x8a | 0x8c | 0x8e | 0x9a | 0x9c | 0x9e | 0x9f | 0xaa | 0xb5 | 0xba);
    sign && before.is_uppercase() && !after.is_some_and(char::is_alphabetic)
}

/// Whether a capital stands alone between two quotation marks. A mark before it that was itself misread would not look
/// like one.
fn quoted(before: char, mut after: std::str::Chars<'_>) -> bool {
    let mark = |c: char| matches!(c, '‘' | '’' | '‚' | '“' | '”' | '„' | '«' | '»' | '‹' | '›');
    mark(before) && after.next().is_some_and(mark) && !after.next().is_some_and(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_all_languages_read_as_latin_are_found() {
        for word in [
            "décision",
            "n°",
            "n\u{ba} 9",
            "für Länder",
            "LÄNDER",
            "Ελλάδα",
            "България",
            "článek",
            "õigus",
            "“quoted”",
            "100 €",
            "a–b",
            "voilà tout",
            "§ 9",
            "août",
            "Noël",
        ] {
            let latin: String = word.bytes().map(char::from).collect();
            assert!(misread(&latin), "{latin}");
            let (windows, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(word.as_bytes());
            assert!(misread(&windows), "{windows}");
            assert!(!misread(word), "{word}");
        }
        assert!(misread("Regulation No\u{fffd}9001"));
    }

    #[test]
    fn signs_after_capitals_are_signs() {
        for text in
            ["«IRMû", "a «MANHû disse", "voilà\u{a0}»", "à «", "ÎLE", "Ñ", "„GEBÄ“ ", "SÃO", "Article 9\u{a0}»", ""]
        {
            assert!(!misread(text), "{text}");
        }
    }

    #[test]
    fn a_letter_between_quotation_marks_is_a_letter() {
        for text in ["the letters ‘Å’ and ‘Ä’ are added", "die Größe „Ä“ bleibt", "“Â” et «Ã»", "‹Ð›"]
        {
            assert!(!misread(text), "{text}");
        }
        for text in ["«Â\u{a0}MAN", "‘Â§ 9’", "“Â°”", "Â«Ä", "‘Ã’r’", "Ã“ Briain", "Ã€ cette fin"]
        {
            assert!(misread(text), "{text}");
        }
    }
}
