//! Judgments: blocks to the court's own parts. Parties, numbered grounds under headings, the ruling; no articles.

use super::act::Front;
use super::block::{Block, Region, Role};
use super::styled::{self, Layout};
use super::units::{Reading, append_last, begun, embrace, say, span};
use super::{head, label, quoted};
use crate::law::{Unit, UnitKind};

/// Reads a judgment's page.
pub(super) fn page(source: &[u8]) -> Front {
    Front { blocks: styled::read(source, 0, Layout { spaced: true }).blocks, ..Front::default() }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Stage {
    /// The court, the day, what the case is about.
    Front,
    Parties,
    /// Who sat, who was heard.
    Court,
    Grounds,
    Ruling,
    Final,
}

/// A heading takes the ranks from 1, a ground or a ruling `NUMBERED`, what stands in `d` lists `LISTED + 10 d`.
const NUMBERED: usize = 20;
const LISTED: usize = 30;

struct Bench {
    units: Vec<Unit>,
    open: Vec<(usize, usize)>,
    title: Vec<super::words::Words>,
    stage: Stage,
    /// The number of the last ground.
    grounds: usize,
    quoting: bool,
}

/// Makes units of a judgment's blocks.
pub(super) fn read(blocks: &[Block]) -> Reading {
    let mut bench = Bench {
        units: Vec::new(),
        open: Vec::new(),
        title: Vec::new(),
        stage: Stage::Front,
        grounds: 0,
        quoting: false,
    };
    let own = |b: &Block| b.depth <= 1 && b.marker.as_ref().is_some_and(|m| number(m.text()).is_some());
    let flags = quoted::quoted(blocks, |b| own(b) || b.role == Role::Group);
    for (at, (block, quoted)) in blocks.iter().zip(&flags).enumerate() {
        bench.quoting = *quoted;
        bench.take(block, &blocks[at + 1..]);
    }
    bench.finish()
}

/// A ground's number: figures alone.
fn number(marker: &str) -> Option<usize> {
    Some(marker).filter(|m| m.len() <= 4 && m.bytes().all(|b| b.is_ascii_digit())).and_then(|m| m.parse().ok())
}

impl Bench {
    fn take(&mut self, block: &Block, after: &[Block]) {
        let text = block.text();
        self.advance(block);
        match (block.role, self.stage) {
            (Role::Header, _) => {}
            (Role::Note, _) => self.note(block),
            (Role::Title, Stage::Front) => self.title.push(block.words.clone()),
            (Role::Title, _) => self.heading(block, 1),
            (Role::Group, _) => self.heading(block, 1 + block.depth.min(8)),
            (Role::Table, _) => self.leaf(UnitKind::Table, "", block, 0, None),
            (_, Stage::Parties) if text != "v" => self.party(block),
            (_, Stage::Grounds) if self.counts(block) => {
                let label = block.marker.as_ref().map_or("", |m| m.text()).to_string();
                self.grounds = label.parse().unwrap_or(self.grounds);
                self.leaf(UnitKind::Ground, &label, block, 0, Some(NUMBERED));
            }
            (_, Stage::Grounds) if self.is_heading(block, after) => self.heading(block, 3),
            (_, Stage::Ruling) if !self.quoting => self.ruling(block),
            (_, Stage::Final) => self.last(block),
            _ => self.text_of(block),
        }
    }

    /// Moves on to the stage that the block's words begin.
    fn advance(&mut self, block: &Block) {
        let text = block.text();
        let begins = |words: &[&str]| words.iter().any(|w| text.starts_with(w));
        let signed = block.role == Role::Signature || begins(&["[Signatures]", "Delivered in open court", "Done at "]);
        let stage = match self.stage {
            _ if block.role == Role::Note => return,
            _ if signed => Stage::Final,
            Stage::Parties | Stage::Front if begins(&["THE COURT", "THE GENERAL COURT", "THE CIVIL SERVICE"]) => {
                Stage::Court
            }
            stage if stage < Stage::Grounds && (matches!(text, "Judgment" | "Order") || self.first(block)) => {
                Stage::Grounds
            }
            Stage::Grounds if !self.quoting && begins(&["On those grounds", "For those reasons"]) => Stage::Ruling,
            // A judge's name under the ruling.
            Stage::Ruling if self.ruled() && name(block) => Stage::Final,
            stage => stage,
        };
        if stage != self.stage {
            self.open.clear();
        }
        self.stage = stage;
    }

    /// Whether the block is the first ground.
    fn first(&self, block: &Block) -> bool {
        self.stage == Stage::Court && block.marker.as_ref().is_some_and(|m| m.text() == "1")
    }

    /// Whether a number counts on from the last ground. A few may be missing.
    fn counts(&self, block: &Block) -> bool {
        let own = block.depth <= 1 && !self.quoting;
        let number = block.marker.as_ref().and_then(|m| number(m.text()));
        own && number.is_some_and(|n| (self.grounds + 1..=self.grounds + 3).contains(&n))
    }

    /// Whether the formula of the ruling has been followed by what it says.
    fn ruled(&self) -> bool {
        self.units.last().is_some_and(|u| u.text.ends_with(['.', '’']) && u.parent.is_some())
    }

    /// A line without a full stop between the end of one ground and the next, where the layout has no class for it.
    fn is_heading(&self, block: &Block, after: &[Block]) -> bool {
        let text = block.text();
        let shaped = block.marker.is_none()
            && !self.quoting
            && text.len() <= 300
            && text.starts_with(char::is_uppercase)
            && !text.ends_with(['.', ';', ':', ',', '…', '’']);
        let ended = self.units.last().is_none_or(|u| !u.text.ends_with([':', ',', ';']));
        let follows = after.iter().take(6).find(|b| b.marker.is_some() || b.text().ends_with(['.', ';', ':', ',']));
        shaped && ended && follows.is_some_and(|b| self.counts(b))
    }

    fn heading(&mut self, block: &Block, rank: usize) {
        self.close(rank);
        let at = self.push(UnitKind::Container, "", block, rank);
        self.units[at].heading = Some(block.text().to_string());
    }

    /// A party; the word for its role under it belongs to it.
    fn party(&mut self, block: &Block) {
        let text = block.text();
        let role = text.starts_with(char::is_lowercase) && !text.ends_with(':') && text.len() <= 80;
        match self.units.last_mut().filter(|u| role && u.kind == UnitKind::Party && u.heading.is_none()) {
            Some(party) => {
                party.heading = Some(text.trim_end_matches([',', '.']).to_string());
                party.span = party.span.cover(&span(block));
            }
            None if text.ends_with(':') => self.text_of(block),
            None => {
                self.open.clear();
                self.leaf(UnitKind::Party, "", block, 0, None);
            }
        }
    }

    /// The formula, and under it what is ruled, one by one.
    fn ruling(&mut self, block: &Block) {
        let numbered = match &block.marker {
            Some(marker) => Some((label::clean(marker.text()), 0)),
            None => label::paragraph(block.text()).map(|(l, from)| (l.to_string(), from)),
        };
        let numbered = numbered.filter(|(l, _)| number(l).is_some());
        let formula = self.open.is_empty();
        let only = self.open.len() == 1 && self.units.last().is_none_or(|u| u.parent.is_none());
        match numbered {
            _ if formula => self.leaf(UnitKind::Ruling, "", block, 0, Some(1)),
            Some((label, from)) => self.leaf(UnitKind::Ruling, &label, block, from, Some(NUMBERED)),
            None if only => self.leaf(UnitKind::Ruling, "", block, 0, Some(NUMBERED)),
            None => self.text_of(block),
        }
    }

    /// Running text and what is listed in it.
    fn text_of(&mut self, block: &Block) {
        let level = LISTED + 10 * block.depth.min(16);
        if let Some(marker) = &block.marker {
            return self.leaf(UnitKind::Point, &label::clean(marker.text()), block, 0, Some(level));
        }
        match label::paragraph(block.text()).filter(|_| self.quoting) {
            Some((label, from)) => self.leaf(UnitKind::Paragraph, label, block, from, Some(LISTED + 1)),
            None => self.leaf(UnitKind::Subparagraph, "", block, 0, Some(level + 5)),
        }
    }

    fn last(&mut self, block: &Block) {
        if !append_last(&mut self.units, UnitKind::Final, block) {
            self.leaf(UnitKind::Final, "", block, 0, None);
        }
    }

    fn note(&mut self, block: &Block) {
        let (label, from) = label::note(block.text()).unwrap_or((String::new(), 0));
        self.open.clear();
        self.leaf(UnitKind::Footnote, &label, block, from, None);
    }

    fn close(&mut self, rank: usize) {
        while self.open.last().is_some_and(|(_, open)| *open >= rank) {
            self.open.pop();
        }
    }

    fn push(&mut self, kind: UnitKind, label: &str, block: &Block, rank: usize) -> usize {
        let at = self.units.len();
        let parent = self.open.last().map(|(unit, _)| *unit);
        self.units.push(Unit { parent, quoted: self.quoting, ..begun(kind, label, block) });
        self.open.push((at, rank));
        at
    }

    /// A unit with words of its own; it stays open if it has a rank.
    fn leaf(&mut self, kind: UnitKind, label: &str, block: &Block, from: usize, rank: Option<usize>) {
        if let Some(rank) = rank {
            self.close(rank);
        }
        let at = self.push(kind, label, block, rank.unwrap_or(usize::MAX));
        if rank.is_none() {
            self.open.pop();
        }
        say(&mut self.units[at], block, from);
        if self.stage == Stage::Front && opens_case(block.text()) {
            self.stage = Stage::Parties;
            self.open.clear();
        }
    }

    fn finish(mut self) -> Reading {
        embrace(&mut self.units);
        Reading { title: self.title, header: Vec::new(), units: self.units, aside: 0 }
    }
}

/// Whether the parties follow: "REQUEST … in the proceedings", "APPEAL under Article 56 … brought on 2 May 2015,".
fn opens_case(text: &str) -> bool {
    let kinds = ["ACTION ", "APPEAL", "APPLICATION ", "Action ", "Appeal ", "Application "];
    let ends = ["in the proceedings", "in proceedings", "between", "brought on"];
    let bare = text.trim_end_matches([',', ':']);
    ends.iter().any(|e| bare.ends_with(e)) || text.ends_with(',') && kinds.iter().any(|k| text.starts_with(k))
}

/// A name alone on its line, or an office.
fn name(block: &Block) -> bool {
    let text = block.text();
    block.marker.is_none()
        && text.len() <= 60
        && text.split_whitespace().count() <= 5
        && !text.ends_with(['.', ';', ':', ','])
        && block.region == Region::Loose
        && head::long_day(text).is_none()
}
