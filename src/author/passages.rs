//! The five context passages of an item: pieces of the two acts that hold every quotation it rests on.

use crate::dataset::{Passage, Side};
use crate::graph::{RelationGraph, TextState};
use crate::law::{Act, Day, Endpoint, Quote, Span, UnitKind};

/// How many passages an item carries.
pub(super) const PASSAGES: usize = 5;
/// The length, in characters, up to which a passage grows to the article around a quotation.
const GROWS_TO: usize = 1500;
/// The least length, in characters, of a passage that only fills up.
const LEAST: usize = 60;
/// How far two passages of one act may be joined when there are too many.
const JOINED: usize = 4000;

/// The two texts of a pair.
#[derive(Clone, Copy)]
pub(super) struct Texts<'a> {
    pub source: &'a Act,
    pub target: &'a Act,
}

/// A piece chosen, before it becomes a passage.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    side: Side,
    span: Span,
}

/// Five passages, source before target, at least one of each, that hold every quotation in `support`.
///
/// # Errors
/// A sentence: a quotation stands in neither act, or there are too many to hold in five passages.
pub(super) fn choose(
    texts: Texts<'_>,
    support: &[Quote],
    day: Day,
    graph: &RelationGraph,
) -> Result<Vec<Passage>, String> {
    let mut pieces: Vec<Piece> = Vec::new();
    for quote in support {
        let side = texts.side(quote).ok_or_else(|| format!("it rests on a third document: {}", quote.text))?;
        add(&mut pieces, Piece { side, span: home(texts.act(side), &quote.span) });
    }
    while room(&pieces) < 0 {
        join_closest(&mut pieces, texts)?;
    }
    fill_up(&mut pieces, texts, |_, _| true);
    Ok(passages(pieces, texts, day, graph))
}

/// Five passages of pieces that `may` be shown, at least one of each act.
///
/// # Errors
/// A sentence: an act has no such piece.
pub(super) fn filled_up(
    texts: Texts<'_>,
    day: Day,
    graph: &RelationGraph,
    may: impl Fn(&Act, &Span) -> bool,
) -> Result<Vec<Passage>, String> {
    let mut pieces = Vec::new();
    fill_up(&mut pieces, texts, may);
    let silent = [Side::Source, Side::Target].into_iter().find(|side| !pieces.iter().any(|p| p.side == *side));
    match silent {
        Some(side) => Err(format!("{} says nothing else", texts.act(side).celex)),
        None => Ok(passages(pieces, texts, day, graph)),
    }
}

fn passages(mut pieces: Vec<Piece>, texts: Texts<'_>, day: Day, graph: &RelationGraph) -> Vec<Passage> {
    pieces.sort_by_key(|p| (p.side == Side::Target, p.span));
    let mut passages: Vec<Passage> = pieces.iter().map(|p| texts.passage(p, day, graph)).collect();
    while passages.len() < PASSAGES {
        let target = texts.target;
        passages.push(Passage {
            side: Side::Target,
            celex: target.celex.clone(),
            document: target.document,
            span: Span::new(0, 0),
            text: String::new(),
            as_published: false,
        });
    }
    passages
}

impl<'a> Texts<'a> {
    fn act(&self, side: Side) -> &'a Act {
        match side {
            Side::Source => self.source,
            Side::Target => self.target,
        }
    }

    fn side(&self, quote: &Quote) -> Option<Side> {
        [Side::Source, Side::Target].into_iter().find(|s| self.act(*s).document == quote.document)
    }

    fn passage(&self, piece: &Piece, day: Day, graph: &RelationGraph) -> Passage {
        let act = self.act(piece.side);
        let changed =
            act.units.iter().filter(|u| piece.span.contains(&u.span)).filter_map(|u| u.part.clone()).any(|part| {
                let at = Endpoint { celex: act.celex.clone(), part: Some(part) };
                !matches!(graph.text_state(&at, day), TextState::AsPublished)
            });
        Passage {
            side: piece.side,
            celex: act.celex.clone(),
            document: act.document,
            span: piece.span,
            text: act.words_in(&piece.span),
            as_published: changed,
        }
    }
}

/// Passages still to be had; below zero if there are too many already.
fn room(pieces: &[Piece]) -> i32 {
    let has = |side| pieces.iter().any(|p| p.side == side);
    let owed = usize::from(!has(Side::Source)) + usize::from(!has(Side::Target));
    i32::try_from(PASSAGES).unwrap_or(0) - i32::try_from(pieces.len() + owed).unwrap_or(i32::MAX)
}

/// Adds a piece; pieces of one act that overlap become one.
fn add(pieces: &mut Vec<Piece>, mut piece: Piece) {
    let touches = |a: &Span, b: &Span| a.start < b.end && b.start < a.end;
    while let Some(at) = pieces.iter().position(|p| p.side == piece.side && touches(&p.span, &piece.span)) {
        piece.span = piece.span.cover(&pieces.swap_remove(at).span);
    }
    pieces.push(piece);
}

/// The span to show around a quotation: the largest unit around it, an article at most, that stays short.
fn home(act: &Act, quote: &Span) -> Span {
    if act.title.span.contains(quote) {
        return act.title.span;
    }
    let around = act.units.iter().enumerate().filter(|(_, u)| u.span.contains(quote));
    let Some((mut at, _)) = around.min_by_key(|(_, u)| u.span.end - u.span.start) else { return *quote };
    while act.units[at].kind != UnitKind::Article
        && let Some(parent) = act.units[at].parent
        && act.units[parent].kind != UnitKind::Container
        && act.words_in(&act.units[parent].span).len() <= GROWS_TO
    {
        at = parent;
    }
    act.units[at].span
}

/// Joins the two neighbouring pieces of one act that lie closest together.
fn join_closest(pieces: &mut Vec<Piece>, texts: Texts<'_>) -> Result<(), String> {
    let mut best: Option<(usize, usize, usize)> = None;
    for (i, a) in pieces.iter().enumerate() {
        for (j, b) in pieces.iter().enumerate().skip(i + 1).filter(|(_, b)| b.side == a.side) {
            let length = texts.act(a.side).words_in(&a.span.cover(&b.span)).len();
            if length <= JOINED && best.is_none_or(|(least, ..)| length < least) {
                best = Some((length, i, j));
            }
        }
    }
    let (_, i, j) = best.ok_or("what it rests on does not fit into five passages")?;
    let second = pieces.swap_remove(j);
    let first = pieces.swap_remove(i);
    add(pieces, Piece { side: first.side, span: first.span.cover(&second.span) });
    Ok(())
}

/// Fills up with further pieces of both acts in turn: titles, then articles, then what else there is.
fn fill_up(pieces: &mut Vec<Piece>, texts: Texts<'_>, may: impl Fn(&Act, &Span) -> bool) {
    let (mut sources, mut targets) = (candidates(texts.source), candidates(texts.target));
    while pieces.len() < PASSAGES {
        let count = |side| pieces.iter().filter(|p| p.side == side).count();
        let source_first = count(Side::Source) <= count(Side::Target);
        let order = if source_first { [Side::Source, Side::Target] } else { [Side::Target, Side::Source] };
        let next = order.into_iter().find_map(|side| {
            let free = |s: &Span| {
                let apart = |p: &Piece| p.side != side || p.span.end <= s.start || s.end <= p.span.start;
                pieces.iter().all(apart) && may(texts.act(side), s)
            };
            let span = if side == Side::Source { sources.find(free) } else { targets.find(free) };
            span.map(|span| Piece { side, span })
        });
        let Some(piece) = next else { return };
        pieces.push(piece);
    }
}

/// What an act offers to fill up with, best first.
fn candidates(act: &Act) -> impl Iterator<Item = Span> + '_ {
    let fits = move |span: &Span| (LEAST..=GROWS_TO).contains(&act.words_in(span).len());
    let of = move |kind: UnitKind| act.units.iter().filter(move |u| u.kind == kind && !u.quoted).map(|u| u.span);
    let title = std::iter::once(act.title.span).filter(|_| !act.title.text.is_empty());
    let kinds = [UnitKind::Article, UnitKind::Recital, UnitKind::Annex, UnitKind::Paragraph, UnitKind::Citation];
    let rest = act.units.iter().filter(|u| !u.text.is_empty()).map(|u| u.span);
    title.chain(kinds.into_iter().flat_map(of).chain(rest).filter(fits))
}
