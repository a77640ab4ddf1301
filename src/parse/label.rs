//! Labels and headings as acts print them: `(a)`, `1.`, `Article 2a`, `CHAPTER IV`, `ANNEX II`.

use crate::law::Division;
use regex::Regex;
use std::sync::LazyLock;

/// Marks that may stand before a label or heading where it begins a quotation.
const OPENING: &[char] = &['‘', '“', '"', '\'', '`', '«', '„'];

/// Where a text begins after an opening quotation mark.
fn unquoted(text: &str) -> usize {
    let bare = text.trim_start_matches(OPENING);
    text.len() - if bare.len() < text.len() { bare.trim_start() } else { bare }.len()
}

/// A label without brackets, dots and quotation marks; empty for a dash.
pub(super) fn clean(label: &str) -> String {
    let bare = label.trim_matches(|c: char| !c.is_alphanumeric());
    bare.replace(' ', "")
}

/// Whether a label is a paragraph's number: `3`, `3a`, `1bis`.
pub(super) fn numbered(label: &str) -> bool {
    let letters = label.trim_start_matches(|c: char| c.is_ascii_digit());
    let latin = ["bis", "ter", "quater", "quinquies", "sexies", "septies", "octies"].contains(&letters);
    letters.len() < label.len() && (latin || letters.len() <= 2 && letters.bytes().all(|b| b.is_ascii_lowercase()))
}

/// The number of a paragraph at the beginning of a text (`1. …`, `3a. …`): its label, and where the words begin.
pub(super) fn paragraph(text: &str) -> Option<(&str, usize)> {
    let start = unquoted(text);
    let rest = &text[start..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let letters = rest.bytes().skip(digits).take_while(u8::is_ascii_lowercase).count();
    let end = digits + letters;
    let fits = (1..=3).contains(&digits) && letters <= 2 && rest[end..].starts_with(". ") && rest.len() > end + 2;
    fits.then(|| (&rest[..end], start + end + 2))
}

/// The label of an article heading: `2a` in `Article 2a`, and where a heading on the same line begins.
/// A reference (`Article 2(2) shall …`) is none.
pub(super) fn article(text: &str) -> Option<(String, usize)> {
    static HEADING: LazyLock<Regex> = LazyLock::new(|| {
        let number = r"(?P<label>\d{1,4}(?:[a-zA-Z]{1,2}\b|\s[a-z]\b)?|[IVXL]{1,7}\b)";
        let latin = r"(?P<latin>\s?(?i:bis|ter|quater|quinquies|sexies|septies|octies|novies|nonies|decies|undecies|duodecies)\b)?";
        let pattern = format!(
            r"^(?i:article)\s(?:{number}{latin}|(?P<word>(?i:one|first|premier|1er|unique)))\s?[.:]?(?:\s?[—–-]\s?|\s|$)|^(?P<sole>(?i:sole|single|only|unique)\s(?i:article))\s?[.:]?$"
        );
        Regex::new(&pattern).expect("a fixed pattern")
    });
    let start = unquoted(text);
    let rest = &text[start..];
    if !rest
        .get(..4)
        .is_some_and(|h| ["arti", "sole", "sing", "only", "uniq"].iter().any(|w| h.eq_ignore_ascii_case(w)))
    {
        return None;
    }
    let found = HEADING.captures(rest)?;
    let end = start + found.get(0)?.end();
    if found.name("sole").is_some() || found.name("word").is_some() {
        return Some(("1".to_string(), end));
    }
    let latin = found.name("latin").map_or(String::new(), |l| l.as_str().trim().to_lowercase());
    let label: String = found.name("label")?.as_str().chars().filter(|c| !c.is_whitespace()).collect();
    Some((label + &latin, end))
}

/// Whether the whole line is an article's heading and nothing else: `Article 14a`, not `Article 2(2) shall …`.
pub fn is_article_heading(line: &str) -> bool {
    let line = line.trim();
    article(line).is_some_and(|(_, end)| line[end..].trim_matches(|c: char| !c.is_alphanumeric()).is_empty())
}

/// The label of a point, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PointLabel {
    /// A letter: `a`, `aa`.
    Letter(String),
    /// A Roman number.
    Roman(u32),
    /// A number, a capital, a dash: as printed, without brackets.
    Other(String),
}

/// Reads a point's label. `(i)`, `(v)` and `(x)` are letters where the label before on the same level says so,
/// Roman numbers otherwise; `deeper` tells whether the point stands deeper than the one before, if that is known.
pub fn point_label(label: &str, previous: Option<&str>, deeper: Option<bool>) -> PointLabel {
    let bare = clean(label);
    let Some(first) = bare.chars().next().filter(char::is_ascii_lowercase) else { return PointLabel::Other(bare) };
    let before = previous.map(clean).filter(|_| deeper != Some(true));
    let Some(value) = roman(&bare) else { return PointLabel::Letter(bare) };
    // `i` after `h`, `ii` after `hh`: the letter before, as often.
    let repeats = |text: &str| text.chars().all(|c| text.starts_with(c));
    let follows = before.as_deref().is_some_and(|b| {
        let last = b.chars().next();
        b.len() == bare.len()
            && repeats(b)
            && repeats(&bare)
            && last.is_some_and(|l| u32::from(l) + 1 == u32::from(first))
    });
    let counts_on = before.as_deref().and_then(roman).is_some_and(|b| b + 1 == value);
    if follows && !(counts_on && before.as_deref() != Some("h")) {
        PointLabel::Letter(bare)
    } else {
        PointLabel::Roman(value)
    }
}

/// The value of a small Roman number of a list; none for anything else.
pub(super) fn roman(text: &str) -> Option<u32> {
    let value = |c: char| match c {
        'i' => Some(1),
        'v' => Some(5),
        'x' => Some(10),
        _ => None,
    };
    let digits: Vec<u32> = text.chars().map(value).collect::<Option<_>>()?;
    let follow = digits.iter().skip(1).copied().chain([0]);
    let sum = digits
        .iter()
        .zip(follow)
        .fold(0_i64, |sum, (d, next)| sum + if *d < next { -i64::from(*d) } else { i64::from(*d) });
    u32::try_from(sum).ok().filter(|v| *v > 0 && to_roman(*v) == text)
}

/// A small Roman number, as lists count.
pub(super) fn to_roman(mut value: u32) -> String {
    let mut out = String::new();
    for (worth, digits) in [(10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")] {
        while value >= worth && out.len() < 20 {
            out.push_str(digits);
            value -= worth;
        }
    }
    out
}

/// A group's heading: the division, its rank (outermost first) and label, and where a heading on the same line begins.
pub(super) struct Group {
    /// Which division, where law has a word for it.
    pub division: Option<Division>,
    /// 1 part, 2 title, 3 chapter, 4 section, 5 subsection.
    pub rank: u32,
    /// Its label; words as written (`ONE`).
    pub label: String,
    /// Where a heading on the same line begins.
    pub rest: usize,
}

/// Reads `CHAPTER IV`, `Section 2`, `TITLE I GENERAL PROVISIONS`.
pub(super) fn group(text: &str) -> Option<Group> {
    static GROUP: LazyLock<Regex> = LazyLock::new(|| {
        let word =
            r"(?P<word>PART|Part|TITLE|Title|CHAPTER|Chapter|SECTION|Section|SUBSECTION|Sub-?[Ss]ection|SUB-SECTION)";
        let label = r"(?P<label>[IVXLC]+[a-zA-Z]?|\d{1,3}[a-z]?|[A-Z]|ONE|TWO|THREE|FOUR|FIVE|SIX|SEVEN|One|Two|Three|Four|Five|Six|Seven)";
        let pattern = format!(r"^{word}\s{label}(?P<end>\s?[.:—–-]?\s*$|\s?[.:—–-]\s|\s(?:\p{{Lu}}))");
        Regex::new(&pattern).expect("a fixed pattern")
    });
    let start = unquoted(text);
    let rest = &text[start..];
    if !rest.starts_with(['P', 'T', 'C', 'S']) || rest.len() > 300 {
        return None;
    }
    let found = GROUP.captures(rest)?;
    let (rank, division) = match found.name("word")?.as_str().to_ascii_lowercase().as_str() {
        "part" => (1, Some(Division::Part)),
        "title" => (2, Some(Division::Title)),
        "chapter" => (3, Some(Division::Chapter)),
        "section" => (4, Some(Division::Section)),
        _ => (5, None),
    };
    let label = found.name("label")?;
    let rest = start
        + label.end()
        + (found.name("end")?.as_str().len()
            - found.name("end")?.as_str().trim_start_matches([' ', '.', ':', '—', '–', '-']).len());
    Some(Group { division, rank, label: label.as_str().to_string(), rest })
}

/// The label of an annex heading: `II` in `ANNEX II`, empty for an only annex; and where a heading on the same line begins.
pub(super) fn annex(text: &str) -> Option<(String, usize)> {
    static ANNEX: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^(?:ANNEX|Annex)(?:\s(?P<label>[IVXLC]+[a-zA-Z]?|\d{1,3}[a-z]?|[A-Z]))?(?:\s?[.:—–-]\s?|\s|$)")
            .expect("a fixed pattern")
    });
    // "Annex V, point 2", "Annex I(3)": a reference.
    static REFERENCE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^Annex\s(?:[IVXLC]+[a-zA-Z]?|\d{1,3}[a-z]?|[A-Z])[,;(]").expect("a fixed pattern")
    });
    let start = unquoted(text);
    let found = ANNEX.captures(&text[start..]).filter(|_| !REFERENCE.is_match(&text[start..]))?;
    let label = found.name("label").map_or("", |l| l.as_str());
    Some((label.to_string(), start + found.get(0)?.end()))
}

/// Whether a text is the heading of an appendix, which is a part of an annex.
pub(super) fn appendix(text: &str) -> bool {
    let rest = &text[unquoted(text)..];
    rest.starts_with("Appendix") || rest.starts_with("APPENDIX")
}

/// The sign of a footnote at the beginning of a text: its label, and where the words begin.
pub(super) fn note(text: &str) -> Option<(String, usize)> {
    let inner = text.strip_prefix('(')?;
    let close = inner.find(')').filter(|c| *c <= 6)?;
    let label: String = inner[..close].chars().filter(|c| !c.is_whitespace()).collect();
    let fits = !label.is_empty() && label.chars().all(|c| c.is_ascii_digit() || c == '*' || c.is_ascii_lowercase());
    let rest = inner[close + 1..].len() - inner[close + 1..].trim_start().len();
    fits.then_some((label, close + 2 + rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_and_references_differ() {
        for (line, heading) in [
            ("Article 14a", true),
            ("Article 9 bis", true),
            ("Article 9 BIS", true),
            ("‘Article 11a", true),
            ("Sole Article", true),
            ("SOLE ARTICLE", true),
            ("Article premier", true),
            ("Article 5bis", true),
            ("Article 5 ter", true),
            ("Article 26A", true),
            ("Article 5 of the Treaty", false),
            ("Article IV", true),
            ("Article 2(2) shall apply to small firms.", false),
            ("Article 2 (2)", false),
            ("  Article 8  ", true),
            ("Articles 2 and 3", false),
            ("Articled clerks", false),
        ] {
            assert_eq!(is_article_heading(line), heading, "{line}");
        }
        for (line, label) in
            [("Article 2a", "2a"), ("Article 5 bis", "5bis"), ("Article 2 f", "2f"), ("Article premier", "1")]
        {
            assert_eq!(article(line).map(|a| a.0).as_deref(), Some(label), "{line}");
        }
    }

    #[test]
    fn letters_and_roman_numbers_are_told_by_the_label_before() {
        for (label, previous, read) in [
            ("(i)", Some("(h)"), PointLabel::Letter("i".to_string())),
            ("(ii)", Some("(hh)"), PointLabel::Letter("ii".to_string())),
            ("(ii)", Some("(i)"), PointLabel::Roman(2)),
            ("(v)", Some("(u)"), PointLabel::Letter("v".to_string())),
            ("(v)", Some("(iv)"), PointLabel::Roman(5)),
            ("(xii)", Some("(xi)"), PointLabel::Roman(12)),
            ("(ix)", None, PointLabel::Roman(9)),
            ("(vx)", None, PointLabel::Letter("vx".to_string())),
        ] {
            assert_eq!(point_label(label, previous, None), read, "{label} after {previous:?}");
        }
        assert_eq!(point_label("(i)", Some("(h)"), Some(true)), PointLabel::Roman(1));
    }

    #[test]
    fn groups_and_annexes() {
        let chapter = group("CHAPTER IV").expect("a chapter");
        assert_eq!((chapter.rank, chapter.label.as_str()), (3, "IV"));
        let title = group("TITLE I GENERAL PROVISIONS").expect("a title");
        assert_eq!(&"TITLE I GENERAL PROVISIONS"[title.rest..], "GENERAL PROVISIONS");
        assert!(group("Chapter IV of Directive 2009/9001/EC").is_none());
        assert_eq!(annex("ANNEX II").map(|a| a.0).as_deref(), Some("II"));
        assert_eq!(annex("ANNEX").map(|a| a.0).as_deref(), Some(""));
    }

    #[test]
    fn paragraph_numbers_and_notes() {
        assert_eq!(paragraph("1. Member States"), Some(("1", 3)));
        assert_eq!(paragraph("‘3a. Member States"), Some(("3a", "‘3a. ".len())));
        assert_eq!(paragraph("1.5 per cent"), None);
        assert_eq!(note("(12) OJ L 1"), Some(("12".to_string(), 5)));
        assert_eq!(note("(*1) OJ L 1"), Some(("*1".to_string(), 5)));
        assert_eq!(clean("‘(43)"), "43");
        assert_eq!(clean("—"), "");
    }
}
