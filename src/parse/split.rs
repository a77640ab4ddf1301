//! Blocks that hold more than one thing: a whole act in one line, headings run into the text after them.
//!
//! What the lost line breaks left behind is used: labels that count on (`Article 7` after `Article 6`),
//! formulas that begin a line wherever acts are printed, sentences glued together. A reference to an
//! article is none of these: it follows a preposition, or does not count on.

use super::block::{Block, Role};
use super::notes;
use regex::Regex;
use std::sync::LazyLock;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Stage {
    Title,
    Preamble,
    Enacting,
    Final,
}

/// What has been counted so far.
struct Splitter {
    stage: Stage,
    article: u32,
    paragraph: u32,
    number: u32,
    group: [u32; 4],
    annex: u32,
    /// Where the last article heading ended, while its own heading may still follow.
    heading: Option<usize>,
}

/// A place where a block is broken, and the role of what begins there.
struct Break {
    at: usize,
    role: Role,
}

/// The blocks, each holding one thing.
pub(super) fn split(blocks: Vec<Block>) -> Vec<Block> {
    let mut splitter =
        Splitter { stage: Stage::Title, article: 0, paragraph: 0, number: 0, group: [0; 4], annex: 0, heading: None };
    let mut out = Vec::with_capacity(blocks.len());
    for block in blocks {
        if block.role != Role::Text {
            out.push(block);
            continue;
        }
        let mut breaks = splitter.breaks(block.text());
        breaks.sort_by_key(|b| (b.at, b.role == Role::Text));
        breaks.dedup_by_key(|b| b.at);
        if breaks.first().is_none_or(|b| b.at > 0) {
            breaks.insert(0, Break { at: 0, role: Role::Text });
        }
        for (i, piece) in breaks.iter().enumerate() {
            let end = breaks.get(i + 1).map_or(block.text().len(), |b| b.at);
            let words = block.words.part(piece.at, end);
            if !words.is_empty() {
                out.push(Block { role: piece.role, ..Block::loose(words) });
            }
        }
    }
    out
}

static CANDIDATE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?P<article>Article\s\d{1,4})",
        r"|(?P<preamble>Having regard|Having consulted|Whereas|Acting (?:in|on|by|under)|After consulting|In cooperation with|HAVING REGARD|WHEREAS)",
        r"|(?P<formula>HA(?:S|VE) (?:ADOPTED|DECIDED|AGREED|ISSUED|DRAWN|HEREBY)|HEREBY RECOMMENDS)",
        r"|(?P<institution>THE [A-Z]{3}[A-Z ,()'’-]{3,300}[,:])",
        r"|(?P<done>Done at [A-Z])",
        r"|(?P<binding>This (?:Regulation|Decision|Directive) shall be binding in its entirety)",
        r"|(?P<annex>ANNEX)",
        r"|(?P<group>CHAPTER|TITLE|SECTION|PART|Section|Chapter|Title)\s",
        r"|(?P<number>\(\d{1,3}\))\s?",
        r"|(?P<letter>\([a-z]{1,4}\))\s?",
        r"|(?P<paragraph>\d{1,2})[a-z]?\.\s",
        r"|(?P<dash>[-–—])\s",
        r#"|(?P<quote>[‘“"'`])[(\p{Lu}\d]"#,
    ))
    .expect("a fixed pattern")
});

/// Two sentences glued together where a line break was lost.
static GLUE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[\p{Ll})’\d][.;:](\p{Lu}\p{Ll}|[‘“])").expect("a fixed pattern"));

/// The end of a heading glued to the text after it.
static HEADING_GLUE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^[^.;:]{2,160}?[\p{Ll})](\p{Lu}[\p{Ll} ]|\d{1,2}\.\s)").expect("a fixed pattern"));

impl Splitter {
    fn breaks(&mut self, text: &str) -> Vec<Break> {
        let mut breaks: Vec<Break> = GLUE
            .captures_iter(text)
            .filter_map(|c| c.get(1))
            .map(|m| Break { at: m.start(), role: Role::Text })
            .collect();
        let mut from = 0;
        while let Some(found) = CANDIDATE.captures_at(text, from) {
            let Some(whole) = found.get(0) else { break };
            let at = whole.start();
            from = whole.end().max(at + 1);
            while !text.is_char_boundary(from) {
                from += 1;
            }
            let before = Before::of(text, at);
            if found.name("article").is_some() {
                from = self.article(text, at, &before, &mut breaks).unwrap_or(from);
                continue;
            }
            if found.name("number").is_some()
                && self.stage < Stage::Final
                && let Some(length) = notes::journal(&text[whole.end()..])
            {
                // A note at the end of a printed page, in the middle of the text.
                from = whole.end() + length;
                breaks.extend([Break { at, role: Role::Note }, Break { at: from, role: Role::Text }]);
                continue;
            }
            let name = ["preamble", "formula", "institution", "done", "binding", "annex", "group"]
                .into_iter()
                .find(|n| found.name(n).is_some());
            if found.name("quote").is_some() {
                // What is quoted may be a heading.
                from = at + text[at..].chars().next().map_or(1, char::len_utf8);
            }
            let role = match name {
                Some("preamble") => self.stage < Stage::Enacting && (before.ends() || before.glued),
                Some("formula") => self.stage < Stage::Enacting,
                Some("institution") => self.stage == Stage::Title && !before.upper_function_word(),
                Some("done") => self.stage == Stage::Enacting && (before.ends() || before.glued),
                Some("binding") => self.stage == Stage::Enacting && before.ends(),
                Some("annex") if before.opens_quotation() => {
                    let mark = before.last.map_or(0, char::len_utf8);
                    breaks.push(Break { at: at - mark, role: Role::Text });
                    false
                }
                Some("annex") => self.annex(text, whole.end(), &before, &mut breaks),
                Some("group") => {
                    let label = found.name("group").map_or(at, |g| g.end());
                    self.group(text, label, &before, &mut breaks)
                }
                _ => self.label(&found, text, whole.end(), &before),
            };
            if role {
                self.stage = match name {
                    Some("preamble" | "institution") => Stage::Preamble,
                    Some("formula") => Stage::Enacting,
                    Some("done") => Stage::Final,
                    _ => self.stage,
                };
                if matches!(name, Some("done" | "formula")) {
                    self.number = 0;
                }
                breaks.push(Break { at, role: Role::Text });
            }
        }
        breaks
    }

    /// An article's heading, if it counts on. Returns where to read on.
    fn article(&mut self, text: &str, at: usize, before: &Before, breaks: &mut Vec<Break>) -> Option<usize> {
        let next = self.article + 1;
        let expected = next.to_string();
        let digits = at + "Article ".len();
        let rest = text.get(digits..)?;
        let after = rest.strip_prefix(expected.as_str())?;
        let end = text.len() - after.len();
        let follows = follows_heading(after);
        let begins = at == 0 || before.ends() || before.glued || before.closes_heading();
        let referred = before.function_word() && !before.breaks_off(after);
        if !(follows && begins) || referred || before.opens_quotation() || self.stage > Stage::Enacting {
            return None;
        }
        self.article = next;
        (self.paragraph, self.number, self.stage) = (0, 0, Stage::Enacting);
        breaks.push(Break { at, role: Role::Article });
        let trimmed = text.len() - after.trim_start().len();
        if trimmed < text.len() {
            breaks.push(Break { at: trimmed, role: Role::Text });
            if let Some(glue) = HEADING_GLUE.captures(&text[trimmed..]).and_then(|c| c.get(1)) {
                breaks.push(Break { at: trimmed + glue.start(), role: Role::Text });
            }
        }
        self.heading = Some(end);
        Some(end)
    }

    /// A group's heading, if it counts on (or begins anew).
    fn group(&mut self, text: &str, label: usize, before: &Before, breaks: &mut Vec<Break>) -> bool {
        let word = text[..label].rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or("");
        let rank = match word.to_ascii_lowercase().as_str() {
            w if w.ends_with("part") => 0,
            w if w.ends_with("title") => 1,
            w if w.ends_with("chapter") => 2,
            _ => 3,
        };
        if self.stage < Stage::Preamble || self.stage == Stage::Final || before.function_word() {
            return false;
        }
        let rest = text[label..].trim_start();
        let expected = [self.group[rank] + 1, 1].into_iter().find_map(|n| {
            let names =
                [roman(n), n.to_string(), ORDINALS.get(n as usize - 1).map_or(String::new(), |o| (*o).to_string())];
            names
                .into_iter()
                .filter(|s| !s.is_empty() && rest.starts_with(s.as_str()))
                .max_by_key(String::len)
                .map(|s| (n, s))
        });
        let Some((n, name)) = expected else { return false };
        let after = &rest[name.len()..];
        let capital = after.trim_start().starts_with(|c: char| c.is_uppercase() || c == ':' || c == '—')
            || after.trim().is_empty();
        if !capital || after.starts_with(|c: char| c.is_ascii_digit()) {
            return false;
        }
        self.group[rank] = n;
        self.group[rank + 1..].fill(0);
        self.stage = Stage::Enacting;
        let end = text.len() - after.trim_start_matches([' ', ':', '—', '.']).len();
        if end < text.len() {
            breaks.push(Break { at: end, role: Role::Text });
        }
        true
    }

    /// An annex's heading: after the signatures, with the next label or none.
    fn annex(&mut self, text: &str, label: usize, before: &Before, breaks: &mut Vec<Break>) -> bool {
        if self.stage != Stage::Final || before.function_word() || before.last == Some('(') {
            return false;
        }
        let rest = &text[label..];
        let bare = rest.trim_start();
        let run = bare.bytes().take_while(|b| matches!(b, b'I' | b'V' | b'X' | b'L')).count();
        let expected = roman(self.annex + 1);
        let length = if run > 0 && !bare[run..].starts_with(|c: char| c.is_alphanumeric()) {
            run
        } else if bare.starts_with(&expected) {
            expected.len()
        } else {
            let one = bare.bytes().take_while(u8::is_ascii_alphanumeric).count();
            if one == 1 || bare[..one].bytes().all(|b| b.is_ascii_digit()) { one } else { 0 }
        };
        self.annex += 1;
        (self.paragraph, self.number) = (0, 0);
        let end = text.len() - bare[length..].trim_start_matches([' ', '.', ':']).len();
        if end < text.len() {
            breaks.push(Break { at: end, role: Role::Text });
        }
        true
    }

    /// The label of a recital, note, paragraph or point; a dash; a quotation.
    fn label(&mut self, found: &regex::Captures, text: &str, end: usize, before: &Before) -> bool {
        let next = text[end..].chars().next();
        let opens = before.ends() || (before.glued && before.last.is_some_and(|c| !c.is_ascii_digit() && c != ')'));
        if let Some(number) = found.name("number") {
            let n: u32 = number.as_str().trim_matches(['(', ')']).parse().unwrap_or(0);
            let recital = self.stage == Stage::Preamble;
            let begins = next.is_some_and(
                |c| if recital { c.is_uppercase() } else { c.is_alphanumeric() } || "‘“\"'`[(".contains(c),
            );
            let listed = recital && text[end..].starts_with("Whereas")
                || before.at_start
                || before.ends() && before.last != Some(',');
            // The signature before the first note ends with no mark.
            let noted = self.stage == Stage::Final
                && self.annex == 0
                && (n == self.number + 1 && next.is_some_and(char::is_uppercase) || text[end..].starts_with("OJ "));
            if !noted && (self.stage == Stage::Title || n != self.number + 1 || !(begins && listed)) {
                return false;
            }
            self.number = n;
            return true;
        }
        if found.name("letter").is_some() {
            let goes_on = next.is_some_and(|c| c.is_alphanumeric() || "‘“\"'`".contains(c));
            return self.stage == Stage::Enacting
                && goes_on
                && (opens && before.last != Some(',') || before.conjunction());
        }
        if let Some(paragraph) = found.name("paragraph") {
            let n: u32 = paragraph.as_str().parse().unwrap_or(0);
            let counts = n == self.paragraph + 1 || n == 1;
            let begins = next.is_some_and(|c| c.is_uppercase() || "‘“\"'`(".contains(c));
            let after_heading = n == 1
                && self.heading.is_some_and(|h| {
                    h < end
                        && end - h < 200
                        && !text.as_bytes()[h..end.saturating_sub(3).max(h)].iter().any(|b| b".;:".contains(b))
                });
            let headed = self.heading == found.get(0).map(|m| m.start());
            let in_number = before.glued && !headed && before.last.is_some_and(|c| c.is_ascii_digit());
            let fits = self.stage == Stage::Enacting
                && !in_number
                && n > 0
                && counts
                && begins
                && (before.at_start || opens && before.last != Some(',') || after_heading);
            if fits {
                self.paragraph = n;
                self.number = 0;
                self.heading = None;
            }
            return fits;
        }
        if found.name("dash").is_some() {
            let text_follows = next.is_some_and(|c| c.is_alphabetic() || "‘“\"'`(".contains(c));
            return self.stage == Stage::Enacting
                && text_follows
                && before.last.is_some_and(|c| matches!(c, ':' | ';' | ','));
        }
        self.stage == Stage::Enacting && before.last == Some(':')
    }
}

const ORDINALS: [&str; 7] = ["ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN"];

/// What stands before a candidate.
struct Before<'a> {
    /// The last character that is no blank.
    last: Option<char>,
    /// Whether no blank stands between.
    glued: bool,
    /// Whether nothing stands before.
    at_start: bool,
    text: &'a str,
}

impl<'a> Before<'a> {
    fn of(text: &'a str, at: usize) -> Self {
        let before = &text[..at];
        let trimmed = before.trim_end();
        let last = trimmed.chars().next_back();
        Self { last, glued: before.len() == trimmed.len() && last.is_some(), at_start: last.is_none(), text: trimmed }
    }

    /// Whether a sentence or a clause ends here.
    fn ends(&self) -> bool {
        self.last.is_none_or(|c| matches!(c, '.' | ';' | ':' | ',' | '>' | '’' | '”' | '"' | '`' | '\''))
    }

    fn word(&self) -> &'a str {
        self.text.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or("")
    }

    /// A word after which a reference stands, never a heading.
    fn function_word(&self) -> bool {
        let word = self.word();
        let words = [
            "of",
            "in",
            "to",
            "under",
            "by",
            "and",
            "or",
            "with",
            "from",
            "the",
            "this",
            "see",
            "that",
            "than",
            "at",
            "for",
            "per",
            "both",
            "on",
            "Articles",
            "paragraph",
            "if",
            "pursuant",
            "implementing",
            "within",
        ];
        !self.glued
            && self.last != Some('.')
            && (words.contains(&word) || self.last == Some(',') || self.last == Some('('))
    }

    /// A line that ends with a comma though its sentence is over: a capital begins the next, and no list of articles
    /// was going on.
    fn breaks_off(&self, after: &str) -> bool {
        let tail = self.text.char_indices().rev().nth(60).map_or(0, |(at, _)| at);
        let listed = self.text[tail..].contains("Article");
        self.last == Some(',') && !listed && after.trim_start().starts_with(char::is_uppercase)
    }

    fn upper_function_word(&self) -> bool {
        ["OF", "AND", "BY", "BETWEEN", "WITH", "of", "and"].contains(&self.word()) && !self.glued
    }

    /// Whether a heading without a full stop may end here.
    fn closes_heading(&self) -> bool {
        !self.function_word() && self.last.is_some_and(|c| c.is_alphanumeric() || c == ')')
    }

    /// Whether the last character is a quotation mark that opens.
    fn opens_quotation(&self) -> bool {
        let mark = self.last.is_some_and(|c| matches!(c, '‘' | '“' | '"' | '\'' | '`'));
        let ahead = self.text.trim_end_matches(['‘', '“', '"', '\'', '`']);
        mark && (ahead.is_empty() || ahead.ends_with([' ', ':']))
    }

    fn conjunction(&self) -> bool {
        self.text.ends_with("; and") || self.text.ends_with("; or") || self.text.ends_with(", and")
    }
}

/// Whether what stands after `Article 7` is a heading's line end: nothing, a capital, a label.
fn follows_heading(after: &str) -> bool {
    let rest = after.trim_start();
    let spaced = rest.len() < after.len();
    match rest.chars().next() {
        None => true,
        Some(c) if c.is_uppercase() || "‘“\"'`".contains(c) => true,
        Some(c) if c.is_ascii_digit() => {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            digits <= 2 && rest[digits..].starts_with(". ") && (spaced || rest.starts_with("1."))
        }
        Some('(') => spaced && rest.starts_with("(a) ") || rest.starts_with("(1) "),
        Some('-' | '—' | '–') => spaced,
        _ => false,
    }
}

fn roman(mut n: u32) -> String {
    let mut out = String::new();
    for (value, sign) in [(50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")] {
        while n >= value {
            out.push_str(sign);
            n -= value;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::words::Words;
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        let mut words = Words::default();
        words.push(text.as_bytes(), 0, text.len(), false);
        split(vec![Block::loose(words)]).iter().map(|b| b.text().to_string()).collect()
    }

    #[test]
    fn an_act_in_one_line_is_broken_where_its_lines_began() {
        let act = "Council Directive 2009/9001/EC of 5 May 2009 on toysTHE COUNCIL OF THE EUROPEAN UNION,Having regard to the Treaty, and in particular Article 1 thereof,Whereas:(1) Toys matter (Article 2).(2) They break.HAS ADOPTED THIS DIRECTIVE:Article 1Scope1. This Directive applies as Article 2 says.2. It binds.Article 2Entry into forceThis Directive enters into force.Done at Brussels, 5 May 2009.(1) OJ L 1.";
        assert_eq!(
            lines(act),
            [
                "Council Directive 2009/9001/EC of 5 May 2009 on toys",
                "THE COUNCIL OF THE EUROPEAN UNION,",
                "Having regard to the Treaty, and in particular Article 1 thereof,",
                "Whereas:",
                "(1) Toys matter (Article 2).",
                "(2) They break.",
                "HAS ADOPTED THIS DIRECTIVE:",
                "Article 1",
                "Scope",
                "1. This Directive applies as Article 2 says.",
                "2. It binds.",
                "Article 2",
                "Entry into force",
                "This Directive enters into force.",
                "Done at Brussels, 5 May 2009.",
                "(1) OJ L 1.",
            ]
        );
    }

    #[test]
    fn a_label_glued_to_a_paragraph_number_counts_on() {
        let act = "HAS ADOPTED THIS REGULATION: Article 1 Toys are safe. Article 21. Shops sell toys. 2. Article 3 applies. Article 3 Done.";
        let found = lines(act);
        assert!(found.contains(&"Article 2".to_string()) && found.contains(&"Article 3".to_string()), "{found:?}");
        assert!(found.contains(&"1. Shops sell toys.".to_string()), "{found:?}");
    }

    #[test]
    fn letters_of_several_bytes_before_a_number_are_no_trouble() {
        for before in ["é", "é ", " é", "—", " — ", "\u{a0}", "€€ ", "’"] {
            let act =
                format!("HAS ADOPTED THIS REGULATION: Article 1{before}1. Toys are safe. Article 2{before}1. Done.");
            assert!(!lines(&act).is_empty(), "{before}");
        }
    }
}
