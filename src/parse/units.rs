//! Blocks to units: one pass with a stack of the units that are open.

use super::address::{self, Name};
use super::block::{Block, Region, Role};
use super::coverage::letters;
use super::label;
use super::words::Words;
use crate::law::{Marked, Span, Unit, UnitKind};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What the blocks of a document amount to.
pub(super) struct Reading {
    /// The lines of the title.
    pub title: Vec<Words>,
    /// The lines of the journal's page header.
    pub header: Vec<String>,
    /// All units, parents before children.
    pub units: Vec<Unit>,
    /// Letters and digits that are in none of these on purpose: page headers, and labels with their words.
    pub aside: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Front,
    Preamble,
    Recitals,
    Enacting,
    Final,
    Annex,
}

/// A unit that may still take others in. Ranks grow inwards; a unit closes all of its rank and below.
#[derive(Debug, Clone, Copy)]
struct Open {
    unit: usize,
    rank: u32,
}

const ANNEX: u32 = 10;
const GROUP: u32 = 20;
const LOOSE_GROUP: u32 = 70;
const RECITAL: u32 = 80;
const ARTICLE: u32 = 90;
/// A paragraph; a point in `d` layout tables has `PARAGRAPH + 10 d`, an unnumbered paragraph 5 more.
const PARAGRAPH: u32 = 100;
const SUB: u32 = 5;

struct Builder {
    units: Vec<Unit>,
    open: Vec<Open>,
    /// How much of the stack stood open when the present quotation began.
    floor: usize,
    quoting: bool,
    stage: Stage,
    title: Vec<Words>,
    header: Vec<String>,
    recitals: usize,
    corrigendum: bool,
    /// The groups that law can name.
    groups: BTreeMap<usize, Name>,
    aside: usize,
}

/// Makes units of blocks; `quoted` has one flag per block.
pub(super) fn read(blocks: &[Block], quoted: &[bool]) -> Reading {
    let mut builder = Builder {
        units: Vec::new(),
        open: Vec::new(),
        floor: 0,
        quoting: false,
        stage: Stage::Front,
        title: Vec::new(),
        header: Vec::new(),
        recitals: 0,
        corrigendum: false,
        groups: BTreeMap::new(),
        aside: 0,
    };
    for (block, quoted) in blocks.iter().zip(quoted) {
        builder.take(block, *quoted);
    }
    builder.finish()
}

impl Builder {
    fn take(&mut self, block: &Block, quoted: bool) {
        if quoted != self.quoting {
            if quoted {
                self.floor = self.open.len();
            } else {
                self.open.truncate(self.floor);
                self.floor = 0;
            }
            self.quoting = quoted;
        }
        if !quoted {
            self.advance(block);
        }
        let block = &self.whole(block);
        match block.role {
            Role::Text if imprint(block.text()) => self.page_header(block),
            Role::Header => self.page_header(block),
            Role::Title if self.stage == Stage::Front => {
                self.corrigendum |= self.title.is_empty() && block.text().starts_with("Corrigendum");
                self.title.push(block.words.clone());
            }
            Role::Note => self.note(block),
            Role::Title if !quoted => self.annex_title(block),
            Role::Article => self.article(block),
            Role::ArticleHeading => self.heading(block, UnitKind::Article),
            Role::Group => self.group(block),
            Role::GroupHeading => self.heading(block, UnitKind::Container),
            Role::Table => self.table(block),
            Role::Signature => self.final_part(block),
            Role::Text | Role::Title => self.text(block),
        }
    }

    /// A block whose marker is no label has it before its words.
    fn whole<'b>(&self, block: &'b Block) -> Cow<'b, Block> {
        let point = block.role == Role::Text && !matches!(self.stage, Stage::Front | Stage::Final);
        let labelled = point || block.role == Role::Note;
        if labelled { Cow::Borrowed(block) } else { block.marked() }
    }

    fn page_header(&mut self, block: &Block) {
        self.aside += letters(block.text());
        self.header.push(block.text().to_string());
    }

    /// Moves on to the stage that the block's container, or its words, begin.
    fn advance(&mut self, block: &Block) {
        let stage = match block.region {
            Region::Title => Stage::Front,
            Region::Preamble | Region::Citation => Stage::Preamble,
            Region::Recital => Stage::Recitals,
            Region::Enacting | Region::Article => Stage::Enacting,
            Region::Final => Stage::Final,
            Region::Annex => Stage::Annex,
            Region::Loose => self.by_words(block),
        };
        if stage == self.stage && !(stage == Stage::Annex && block.opens) {
            return;
        }
        let fresh_annex = stage == Stage::Annex && (block.opens || self.stage != Stage::Annex);
        self.stage = stage;
        if stage >= Stage::Enacting {
            self.close(0);
        }
        if fresh_annex && block.role != Role::Title && label::annex(block.text()).is_none() {
            self.push(UnitKind::Annex, "", ANNEX, block);
        }
    }

    fn by_words(&self, block: &Block) -> Stage {
        let text = block.text();
        match (block.role, self.stage) {
            (Role::Header | Role::Note, stage) => stage,
            (Role::Title, Stage::Front) => Stage::Front,
            (Role::Title, _) => Stage::Annex,
            (Role::Article, stage) if stage < Stage::Final => Stage::Enacting,
            (Role::Group, stage) if stage <= Stage::Recitals => Stage::Enacting,
            (Role::Signature, _) => Stage::Final,
            (Role::Text, Stage::Front | Stage::Preamble) if says_whereas(text) => Stage::Recitals,
            (Role::Text, stage) if stage <= Stage::Recitals && enacting_formula(text) => Stage::Enacting,
            (Role::Text, Stage::Enacting) if text.starts_with("Done at ") => Stage::Final,
            (_, Stage::Front) => Stage::Preamble,
            (_, stage) => stage,
        }
    }

    fn text(&mut self, block: &Block) {
        match self.stage {
            Stage::Front => self.title.push(block.words.clone()),
            Stage::Preamble if !self.quoting => self.preamble(block),
            Stage::Recitals if !self.quoting => self.recital(block),
            Stage::Final => self.final_part(block),
            _ => self.provision(block),
        }
    }

    fn preamble(&mut self, block: &Block) {
        let text = block.text();
        let begins =
            ["Having ", "Acting", "After ", "In accordance", "In cooperation", "In agreement", "On a proposal"];
        if block.region == Region::Citation || begins.iter().any(|b| text.starts_with(b)) {
            let block = &block.marked();
            if block.region == Region::Citation
                && !block.opens
                && append_last(&mut self.units, UnitKind::Citation, block)
            {
                return;
            }
            self.close(0);
            self.leaf(UnitKind::Citation, "", block, 0, None);
        } else {
            // "HAVE ADOPTED THIS DIRECTIVE:" is no part of the last recital.
            self.close(RECITAL);
            self.provision(block);
        }
    }

    fn recital(&mut self, block: &Block) {
        let text = block.text();
        let marker = block.marker.as_ref().map(|m| label::clean(m.text()));
        let contained = block.region == Region::Recital;
        // A number that does not count on is the sign of a footnote that a line break cut off.
        let counts =
            |n: &usize| (self.recitals + 1..=self.recitals + 3).contains(n) && !text.starts_with(char::is_lowercase);
        let printed = marker.as_deref().and_then(|m| m.parse().ok()).filter(|n| contained || counts(n));
        let begins = if contained { block.opens } else { printed.is_some() || says_whereas(text) };
        let bare = says_whereas(text) && whereas(text) == text.len();
        if !begins || bare {
            if bare || self.open.is_empty() || enacting_formula(text) {
                self.close(0);
            }
            return self.provision(block);
        }
        let noted = label::note(text).filter(|_| contained && printed.is_none());
        self.recitals = printed.unwrap_or(self.recitals + 1);
        let number = match (&noted, marker.filter(|m| contained && !m.is_empty())) {
            (_, Some(marker)) => marker,
            (Some((number, _)), None) => number.clone(),
            _ => self.recitals.to_string(),
        };
        self.close(0);
        let at = self.push(UnitKind::Recital, &number, RECITAL, block);
        let from = noted.map_or_else(|| whereas(text), |(_, from)| from);
        say(&mut self.units[at], block, from);
        self.label(block, from);
    }

    fn article(&mut self, block: &Block) {
        let own = !self.quoting && !self.corrigendum;
        if own && self.stage != Stage::Annex && !self.units.iter().any(|u| u.kind == UnitKind::Article && !u.quoted) {
            self.forget_contents();
        }
        let (number, rest) = label::article(block.text()).unwrap_or((String::new(), 0));
        self.close(RECITAL);
        let at = self.push(UnitKind::Article, &number, ARTICLE, block);
        self.units[at].quoted = !own;
        self.label(block, rest);
        let heading = block.text()[rest..].trim();
        if !heading.is_empty() {
            self.units[at].heading = Some(heading.to_string());
        }
    }

    /// Groups before the first article that it does not stand in are a table of contents: they have no address.
    fn forget_contents(&mut self) {
        let open: Vec<usize> = self.open.iter().map(|o| o.unit).collect();
        self.groups.retain(|at, _| open.contains(at));
    }

    fn group(&mut self, block: &Block) {
        let text = block.text();
        let found = label::group(text);
        let rank = match (block.level, &found) {
            (0, Some(group)) => GROUP + 10 * (group.rank - 1),
            (0, None) => LOOSE_GROUP,
            // Where the layout counts the levels, they say more than the words.
            (level, _) => GROUP + 6 * u32::try_from(level.min(8)).unwrap_or(8),
        };
        self.close(rank);
        let label = found.as_ref().map_or("", |g| g.label.as_str());
        let at = self.push(UnitKind::Container, label, rank, block);
        let rest = found.as_ref().map_or(0, |g| g.rest.min(text.len()));
        self.label(block, rest);
        let heading = text[rest..].trim();
        if !heading.is_empty() {
            self.units[at].heading = Some(heading.to_string());
        }
        if !self.quoting
            && !self.corrigendum
            && let Some(group) = found
            && let Some(division) = group.division
        {
            self.groups.insert(at, (division, group.label));
        }
    }

    /// A heading line belongs to the last article or group, where that has no words yet.
    fn heading(&mut self, block: &Block, kind: UnitKind) {
        let last = self.units.last_mut().filter(|u| u.kind == kind && u.text.is_empty());
        match last {
            Some(unit) => {
                let heading = unit.heading.get_or_insert_default();
                if !heading.is_empty() {
                    heading.push(' ');
                }
                heading.push_str(block.text());
                unit.span = unit.span.cover(&span(block));
            }
            None => self.text(block),
        }
    }

    fn annex_title(&mut self, block: &Block) {
        let text = block.text();
        if let Some((label, rest)) = label::annex(text) {
            self.close(0);
            let at = self.push(UnitKind::Annex, &label, ANNEX, block);
            let rest = rest.min(text.len());
            self.label(block, rest);
            let heading = text[rest..].trim();
            if !heading.is_empty() {
                self.units[at].heading = Some(heading.to_string());
            }
        } else if label::appendix(text) || !matches!(self.units.last(), Some(u) if u.kind == UnitKind::Annex) {
            self.group(block);
        } else {
            self.heading(block, UnitKind::Annex);
        }
    }

    /// Paragraphs, unnumbered paragraphs and points.
    fn provision(&mut self, block: &Block) {
        let depth = u32::try_from(block.depth).unwrap_or(0);
        let level = PARAGRAPH + 10 * depth;
        if let Some(marker) = &block.marker {
            let label = label::clean(marker.text());
            self.close(level);
            let numbered = marker.text().ends_with('.') && label::numbered(&label);
            let plain = self.open.last().is_some_and(|o| o.rank == ARTICLE && self.units[o.unit].text.is_empty());
            let kind = if numbered && plain { UnitKind::Paragraph } else { UnitKind::Point };
            self.leaf(kind, &label, block, 0, Some(level));
            return;
        }
        if let Some((number, rest)) = label::paragraph(block.text()) {
            let number = number.to_string();
            let in_annex = self.stage == Stage::Annex && !self.quoting;
            if depth == 0 || self.quoting {
                self.close(level);
                let kind = if in_annex { UnitKind::Point } else { UnitKind::Paragraph };
                self.leaf(kind, &number, block, rest, Some(level));
                return;
            }
        }
        self.close(level + SUB);
        let takes = self.open.last().copied().filter(|o| {
            let unit = &self.units[o.unit];
            let fresh = self.units.len() == o.unit + 1 && unit.text.is_empty() && unit.quoted == self.quoted();
            fresh && matches!(unit.kind, UnitKind::Article | UnitKind::Paragraph | UnitKind::Point)
        });
        match takes {
            Some(open) => {
                let unit = &mut self.units[open.unit];
                say(unit, block, 0);
                unit.span = unit.span.cover(&span(block));
            }
            None => {
                self.leaf(UnitKind::Subparagraph, "", block, 0, Some(level + SUB));
            }
        }
    }

    fn table(&mut self, block: &Block) {
        let depth = u32::try_from(block.depth).unwrap_or(0);
        self.close(PARAGRAPH + 10 * depth + SUB);
        self.leaf(UnitKind::Table, "", block, 0, None);
    }

    fn final_part(&mut self, block: &Block) {
        if self.quoting {
            return self.provision(block);
        }
        if append_last(&mut self.units, UnitKind::Final, block) {
            return;
        }
        self.close(0);
        self.leaf(UnitKind::Final, "", block, 0, None);
    }

    fn note(&mut self, block: &Block) {
        let (label, rest) = match &block.marker {
            Some(marker) => (marker.text().to_string(), 0),
            None => label::note(block.text()).unwrap_or((String::new(), 0)),
        };
        if label.is_empty() && append_last(&mut self.units, UnitKind::Footnote, block) {
            return;
        }
        self.label(block, rest);
        let mut unit = begun(UnitKind::Footnote, &label, block);
        say(&mut unit, block, rest);
        self.units.push(unit);
    }

    fn quoted(&self) -> bool {
        self.quoting || self.corrigendum && self.open.last().is_some_and(|o| self.units[o.unit].quoted)
    }

    /// Closes all open units of this rank and below, those around a quotation excepted.
    fn close(&mut self, rank: u32) {
        while self.open.len() > self.floor && self.open.last().is_some_and(|o| o.rank >= rank) {
            self.open.pop();
        }
    }

    fn push(&mut self, kind: UnitKind, label: &str, rank: u32, block: &Block) -> usize {
        let parent = self.open.last().map(|o| o.unit);
        let at = self.units.len();
        self.units.push(Unit { parent, quoted: self.quoted(), ..begun(kind, label, block) });
        self.open.push(Open { unit: at, rank });
        at
    }

    /// A unit with words of its own; it stays open if it has a rank.
    fn leaf(&mut self, kind: UnitKind, label: &str, block: &Block, from: usize, rank: Option<u32>) {
        let at = self.push(kind, label, rank.unwrap_or(u32::MAX), block);
        if rank.is_none() {
            self.open.pop();
        }
        say(&mut self.units[at], block, from);
        self.label(block, from);
    }

    /// Sets the words of a label aside: the block's marker, and its text up to `rest`.
    fn label(&mut self, block: &Block, rest: usize) {
        self.aside += letters(&block.text()[..rest]) + block.marker.as_ref().map_or(0, |m| letters(m.text()));
    }

    fn finish(mut self) -> Reading {
        embrace(&mut self.units);
        address::assign(&mut self.units, &self.groups);
        Reading { title: self.title, header: self.header, units: self.units, aside: self.aside }
    }
}

/// A unit that a block begins, without words, address or place among others.
pub(super) fn begun(kind: UnitKind, label: &str, block: &Block) -> Unit {
    Unit {
        kind,
        label: label.to_string(),
        heading: None,
        part: None,
        text: String::new(),
        span: span(block),
        parent: None,
        quoted: false,
        marks: block.marks.first().map(|m| Marked { at: 0, ..*m }).into_iter().collect(),
    }
}

/// Spans grow to hold the units inside.
pub(super) fn embrace(units: &mut [Unit]) {
    for at in (0..units.len()).rev() {
        if let Some(parent) = units[at].parent {
            let inner = units[at].span;
            units[parent].span = units[parent].span.cover(&inner);
        }
    }
}

/// Adds the block's words to the last unit if that is of this kind.
pub(super) fn append_last(units: &mut [Unit], kind: UnitKind, block: &Block) -> bool {
    let Some(unit) = units.last_mut().filter(|unit| unit.kind == kind) else { return false };
    unit.text.push(' ');
    say(unit, block, 0);
    unit.span = unit.span.cover(&span(block));
    true
}

/// Adds the block's words, from an offset on, to the unit's, with their origins.
pub(super) fn say(unit: &mut Unit, block: &Block, from: usize) {
    let base = unit.text.len();
    unit.text.push_str(&block.text()[from..]);
    originate(unit, block, base, from);
}

/// The origins of a block's words, which the unit's text holds from `base` on. Words of one origin take one mark.
fn originate(unit: &mut Unit, block: &Block, base: usize, from: usize) {
    for marked in &block.marks {
        let at = base + marked.at.saturating_sub(from);
        if unit.marks.last().is_some_and(|last| last.at >= at) {
            unit.marks.pop();
        }
        if unit.marks.last().is_none_or(|last| last.mark != marked.mark) {
            let at = if unit.marks.is_empty() { 0 } else { at };
            unit.marks.push(Marked { at, mark: marked.mark });
        }
    }
}

/// The source bytes of a block, its marker included.
pub(super) fn span(block: &Block) -> Span {
    match (&block.marker, block.words.is_empty()) {
        (Some(marker), true) => marker.whole(),
        (Some(marker), false) => marker.whole().cover(&block.words.whole()),
        (None, _) => block.words.whole(),
    }
}

/// The last lines of a page of the journal: its identifier and serial number.
pub(super) fn imprint(text: &str) -> bool {
    text.starts_with("ELI: http") || text.starts_with("ISSN ")
}

/// Whether a text begins with "Whereas", which old acts print in capitals too.
fn says_whereas(text: &str) -> bool {
    text.starts_with("Whereas") || text.starts_with("WHEREAS")
}

/// Where the words of an unnumbered recital begin, after "Whereas".
fn whereas(text: &str) -> usize {
    let rest = if says_whereas(text) { &text["Whereas".len()..] } else { text };
    text.len() - rest.trim_start_matches([',', ':', ';', ' ']).len()
}

/// "HAS ADOPTED THIS REGULATION:" and its kin.
pub(super) fn enacting_formula(text: &str) -> bool {
    let upper = ["HAS ", "HAVE "].iter().any(|h| text.starts_with(h));
    upper && ["ADOPTED", "DECIDED", "AGREED", "ISSUED", "RECOMMENDS", "DRAWN"].iter().any(|w| text[4..].contains(w))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_in_capitals_is_a_reason() {
        for text in ["Whereas prices have risen;", "WHEREAS prices have risen;", "WHEREAS, prices have risen;"] {
            assert_eq!(&text[whereas(text)..], "prices have risen;");
        }
        assert_eq!(whereas("(1) Prices"), 0);
        assert!(says_whereas("WHEREAS:") && whereas("WHEREAS:") == 8 && !says_whereas("The whereabouts"));
    }
}
