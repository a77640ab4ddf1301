//! What a page prints among its words that is none of them: signs of footnotes, marks of origins, blanks that a
//! printer for eyes put in.

use super::words::Words;
use crate::law::{Mark, Marked, marks};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// Stands in the words where a footnote's sign was, until [`plain`] takes it out.
pub(super) const SIGN: &str = "\u{e000}";

/// Takes ranges out of words, in order. A blank joins what is left where one stood at an edge, unless a comma, a stop
/// or a closing bracket follows.
struct Cutting<'w> {
    whole: &'w Words,
    done: Words,
    from: usize,
    /// What stood at the edges of what was cut: nothing, a blank, or the end of a row.
    between: &'static str,
}

impl<'w> Cutting<'w> {
    fn new(whole: &'w Words) -> Self {
        Self { whole, done: Words::default(), from: 0, between: "" }
    }

    /// Takes over what stands before the range, if anything does: where it begins in what is left.
    fn cut(&mut self, range: &Range<usize>) -> Option<usize> {
        let text = self.whole.text();
        let piece = self.whole.part(self.from, range.start);
        let stop = piece.text().starts_with([',', '.', ';', ':', ')']);
        let between = if self.done.is_empty() || stop && self.between == " " { "" } else { self.between };
        let begins = (!piece.is_empty()).then(|| self.done.text().len() + between.len());
        if begins.is_some() {
            self.done.append(&piece, between);
            self.between = "";
        }
        let (before, after) = (&text[..range.start], &text[range.end..]);
        let edges = [before.trim_end().len()..range.end, range.start..text.len() - after.trim_start().len()];
        for edge in edges.map(|e| &text[e]) {
            self.between = match self.between {
                "\n" => "\n",
                _ if edge.contains('\n') => "\n",
                _ if edge.contains(' ') => " ",
                kept => kept,
            };
        }
        self.from = range.end;
        begins
    }

    fn rest(&mut self) -> Option<usize> {
        let end = self.whole.text().len();
        self.cut(&(end..end))
    }
}

/// The words without signs of footnotes.
pub(super) fn unsigned(words: Words) -> Words {
    static SIGNED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new("\\s?\\(\\s?\u{e000}\\s?\\)|\\s?\u{e000}").expect("a fixed pattern"));
    if !words.text().contains(SIGN) {
        return words;
    }
    let mut cutting = Cutting::new(&words);
    for sign in SIGNED.find_iter(words.text()) {
        cutting.cut(&sign.range());
    }
    cutting.rest();
    cutting.done
}

/// The words without blanks before stops and inside brackets.
pub(super) fn unspaced(words: Words) -> Words {
    static SPACED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r" (?:[,;:)]|\.(?: |$))|[(‘] ").expect("a fixed pattern"));
    let words = unsigned(words);
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for found in SPACED.find_iter(words.text()) {
        let blank = if found.as_str().starts_with(' ') { found.start() } else { found.end() - 1 };
        ranges.push(blank..blank + 1);
    }
    if ranges.is_empty() {
        return words;
    }
    let (mut out, mut from) = (Words::default(), 0);
    for range in ranges.iter().chain([&(words.text().len()..words.text().len())]) {
        out.append(&words.part(from, range.start), "");
        from = range.end;
    }
    out
}

/// A marker without signs and marks.
pub(super) fn plain(mut marker: Words, marks: &mut Marks) -> Words {
    marks.of(&mut marker);
    marker
}

/// The origin that holds at a place of a consolidated text.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// The origin of the block, and those opened around words inside it.
    open: Vec<Mark>,
}

/// More marks than ever stand open; what opens deeper is read as if it stood here.
const DEEPEST: usize = 32;

impl Marks {
    /// Takes signs and marks out of the words: the origins of what is left, the first at 0. None in other texts.
    pub fn of(&mut self, words: &mut Words) -> Vec<Marked> {
        *words = unsigned(std::mem::take(words));
        let found: Vec<(Range<usize>, Option<Mark>)> = marks(words.text()).collect();
        let mut here: Vec<Marked> = self.open.last().map(|mark| Marked { at: 0, mark: *mark }).into_iter().collect();
        if found.is_empty() {
            return here;
        }
        let mut cutting = Cutting::new(words);
        for (range, opened) in found {
            if let Some(at) = cutting.cut(&range) {
                self.note(&mut here, at);
            }
            self.turn(words.text()[range.start..].starts_with('▼'), opened);
        }
        match cutting.rest() {
            Some(at) => self.note(&mut here, at),
            None if cutting.done.is_empty() => self.note(&mut here, 0),
            None => {}
        }
        *words = cutting.done;
        here
    }

    /// The origin of the words at an offset.
    fn note(&self, here: &mut Vec<Marked>, at: usize) {
        let Some(mark) = self.open.last().copied() else { return };
        if here.last().is_some_and(|last| last.at >= at) {
            here.pop();
        }
        if here.last().is_none_or(|last| last.mark != mark) {
            here.push(Marked { at, mark });
        }
    }

    /// A mark: `▼M1` for all that follows, `►M1` for words up to `◄`.
    fn turn(&mut self, block: bool, opened: Option<Mark>) {
        match opened {
            Some(mark) if block => self.open = vec![mark],
            Some(mark) if self.open.len() < DEEPEST => self.open.push(mark),
            None if self.open.len() > 1 => {
                self.open.pop();
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Words {
        let mut words = Words::default();
        words.push(text.as_bytes(), 0, text.len(), false);
        words
    }

    #[test]
    fn marks_become_origins_of_the_words_after_them() {
        let mut marks = Marks::default();
        assert!(marks.of(&mut words("plain")).is_empty());
        marks.of(&mut words("▼B"));
        let mut text = words("three months ►C1 before they sell ◄ , or later ►M2 still ◄");
        let here = marks.of(&mut text);
        assert_eq!(text.text(), "three months before they sell, or later still");
        let told: Vec<(usize, String)> = here.iter().map(|m| (m.at, m.mark.to_string())).collect();
        let at = |w: &str| text.text().find(w).unwrap_or(0);
        assert_eq!(
            told,
            [(0, "B".into()), (at("before"), "C1".into()), (at(", or"), "B".into()), (at("still"), "M2".into())]
        );
        assert_eq!(marks.of(&mut words("next"))[0].mark, Mark::BASE);
        assert_eq!(marks.of(&mut words("►M1 ▼M3 Article 5"))[0].mark, Mark::modifier(3));
    }

    #[test]
    fn signs_of_footnotes_and_printers_blanks_go() {
        let text = format!("the Committee ( {SIGN} ) , acting ( the Act{SIGN} ) .");
        assert_eq!(unspaced(words(&text)).text(), "the Committee, acting (the Act).");
        assert_eq!(unsigned(words(&format!("Opinion ({SIGN}) and"))).text(), "Opinion and");
    }
}
