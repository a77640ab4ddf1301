//! Notations that are near a CELEX number: what they stand for. Nothing here is applied silently.

use super::Celex;

impl Celex {
    /// The number behind another notation of the same identifier: blanks around it, a prefix `celex:`, small letters.
    pub fn normalise(raw: &str) -> Option<Self> {
        let text = raw.trim().to_ascii_uppercase();
        let text = text.strip_prefix("CELEX").map_or(text.as_str(), |rest| rest.trim_start_matches([':', '/', ' ']));
        text.trim().parse().ok()
    }

    /// The number behind the old short form with a two-digit year: `395L0046`. Years from 52 are of the last century,
    /// since the first act is of 1952.
    pub fn from_short(raw: &str) -> Option<Self> {
        let text = raw.trim();
        let sector = text.get(..1).filter(|s| Self::SECTORS.contains(s))?;
        let year: u16 = text.get(1..3).filter(|y| y.bytes().all(|b| b.is_ascii_digit()))?.parse().ok()?;
        let rest = text.get(3..).filter(|r| r.starts_with(|c: char| c.is_ascii_uppercase()))?;
        format!("{sector}{}{rest}", full_year(year)).parse().ok()
    }

    /// The well-formed number that a text was perhaps meant to be: other notation, an old short form, missing zeros.
    /// None if the text is well-formed, or nothing near it is.
    ///
    /// ```
    /// use legal_link::law::Celex;
    /// assert_eq!(Celex::suggest("32016R679").unwrap().as_str(), "32016R0679");
    /// assert_eq!(Celex::suggest("32016R0679"), None);
    /// ```
    pub fn suggest(text: &str) -> Option<Self> {
        if text.len() > 64 || text.parse::<Self>().is_ok() {
            return None;
        }
        let plain = text.trim().to_ascii_uppercase();
        let plain = plain.strip_prefix("CELEX").map_or(plain.as_str(), |rest| rest.trim_start_matches([':', '/', ' ']));
        let plain: String = plain.chars().filter(|c| !c.is_whitespace()).collect();
        plain.parse().ok().or_else(|| Self::from_short(&plain)).or_else(|| padded(&plain))
    }
}

/// The year behind two digits.
pub(in crate::law) fn full_year(two: u16) -> u16 {
    if two >= 52 { 1900 + two } else { 2000 + two }
}

/// The same with its number padded to four digits.
fn padded(text: &str) -> Option<Celex> {
    let letter = text.char_indices().skip(1).find(|(_, c)| c.is_ascii_uppercase())?.0;
    let number = letter + text[letter..].find(|c: char| c.is_ascii_digit())?;
    let end = number + text[number..].find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len() - number);
    if end - number >= 4 {
        return None;
    }
    let padded = format!("{}{:0>4}{}", &text[..number], &text[number..end], &text[end..]);
    padded.parse().ok().or_else(|| Celex::from_short(&padded))
}
