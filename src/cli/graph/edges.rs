//! `legal-link graph edges`: edges with their days, extent and all that supports or contradicts them, each with the
//! words and bytes it rests on, for a reader who wants to check them against the acts.

use super::no_relation;
use crate::cli::held::{Read, Where};
use crate::cli::ui::Ui;
use crate::cli::{Exit, Trouble};
use crate::graph::RelationGraph;
use crate::law::{
    Basis, Celex, Contradiction, DatedRelation, Digest, Effect, Evidence, Extent, Part, Quote, RelationType, Saving,
    Span, Touch,
};
use crate::source::Listed;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only edges of this relation; may be given several times.
    #[arg(long, value_name = "NAME")]
    relation: Vec<String>,
    /// Only edges by this act.
    #[arg(long, value_name = "CELEX")]
    by: Option<Celex>,
    /// Only edges onto this act.
    #[arg(long, value_name = "CELEX")]
    onto: Option<Celex>,
    /// Only edges that have evidence of this kind.
    #[arg(long, value_name = "KIND")]
    evidence: Option<Kind>,
    /// Only edges that have no evidence of another kind: `--only text` lists what no register row says.
    #[arg(long, value_name = "KIND")]
    only: Option<Kind>,
    /// So many of them, drawn by the seed, in the order of the draw.
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// What the draw depends on.
    #[arg(long, value_name = "TEXT", default_value = "1", requires = "sample")]
    seed: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    Notice,
    Register,
    Text,
    Bridge,
}

impl Kind {
    fn is(self, evidence: &Evidence) -> bool {
        match evidence {
            Evidence::Notice { .. } => self == Self::Notice,
            Evidence::Register { .. } => self == Self::Register,
            Evidence::Text { .. } => self == Self::Text,
            Evidence::Bridge { .. } => self == Self::Bridge,
        }
    }
}

impl Args {
    /// The edges asked for, in the order in which they are printed.
    fn wanted<'g>(&self, graph: &'g RelationGraph) -> Vec<&'g DatedRelation> {
        let named = |e: &&DatedRelation| {
            (self.relation.is_empty() || self.relation.iter().any(|r| r == e.relation.as_str()))
                && self.by.as_ref().is_none_or(|by| by == &e.source)
                && self.onto.as_ref().is_none_or(|onto| onto == &e.target)
                && self.evidence.is_none_or(|kind| e.evidence.iter().any(|x| kind.is(x)))
                && self.only.is_none_or(|kind| e.evidence.iter().all(|x| kind.is(x)))
        };
        let mut edges: Vec<&DatedRelation> = graph.edges().filter(named).collect();
        if let Some(n) = self.sample {
            edges.sort_by_cached_key(|e| {
                let name = format!("{} {} {}", e.source, e.relation, e.target);
                Digest::of_fields([self.seed.as_bytes(), name.as_bytes()])
            });
            edges.truncate(n);
        }
        edges
    }
}

/// An edge as printed.
#[derive(Serialize)]
struct Told<'a> {
    source: &'a Celex,
    relation: &'a RelationType,
    target: &'a Celex,
    effect: Effect,
    /// Extent, parts, saved, start with its basis, condition, doubt and end: once per statement of the acting act.
    touches: &'a [Touch],
    evidence: Vec<Ground<'a>>,
    contradictions: &'a [Contradiction],
}

impl<'a> Told<'a> {
    fn of(edge: &'a DatedRelation, graph: &RelationGraph, shelf: &Shelf<'a>) -> Self {
        Self {
            source: &edge.source,
            relation: &edge.relation,
            target: &edge.target,
            effect: graph.effect(edge),
            touches: &edge.touches,
            evidence: edge.evidence.iter().map(|e| shelf.ground(e)).collect(),
            contradictions: &edge.contradictions,
        }
    }
}

/// What supports an edge, as printed.
#[derive(Serialize)]
struct Ground<'a> {
    kind: &'static str,
    /// The act between, of a bridge.
    #[serde(skip_serializing_if = "Option::is_none")]
    via: Option<&'a Celex>,
    stands: Vec<Stands<'a>>,
}

/// Where words stand.
#[derive(Serialize)]
struct Stands<'a> {
    /// The document's key in the source.
    document: String,
    /// Its file or address.
    address: &'a str,
    span: Span,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

/// The documents of a source by their bytes.
struct Shelf<'a>(BTreeMap<Digest, &'a Listed>);

impl<'a> Shelf<'a> {
    fn words(&self, quote: &'a Quote) -> Stands<'a> {
        Stands { text: Some(&quote.text), ..self.place(quote.document, quote.span) }
    }

    fn place(&self, document: Digest, span: Span) -> Stands<'a> {
        let listed = self.0.get(&document);
        let key = listed.map_or_else(|| document.to_string(), |l| l.key.to_string());
        Stands { document: key, address: listed.map_or("", |l| l.address.as_str()), span, text: None }
    }

    fn ground(&self, evidence: &'a Evidence) -> Ground<'a> {
        let (via, stands) = match evidence {
            Evidence::Notice { locus } | Evidence::Register { locus } => {
                (None, vec![self.place(locus.document, locus.span)])
            }
            Evidence::Text { quote } => (None, vec![self.words(quote)]),
            Evidence::Bridge { via, clause, change } => (Some(via), vec![self.words(clause), self.words(change)]),
        };
        Ground { kind: evidence.kind(), via, stands }
    }
}

pub(super) fn run(args: &Args, held: &Where, ui: Ui) -> Result<Exit, Trouble> {
    let Read { graph, documents, registry, .. } = held.read(ui)?;
    if let Some(unknown) =
        args.relation.iter().find(|name| registry.relations().iter().all(|s| s.name.as_str() != *name))
    {
        return Err(no_relation(&registry, unknown));
    }
    let shelf = Shelf(documents.iter().map(|l| (l.digest, l)).collect());
    let told: Vec<Told> = args.wanted(&graph).into_iter().map(|edge| Told::of(edge, &graph, &shelf)).collect();
    ui.data(&told, || lines(&told))?;
    Ok(Exit::Done)
}

fn lines(edges: &[Told]) -> String {
    let mut out = String::new();
    for edge in edges {
        let _ = writeln!(out, "{} {} {}", edge.source, edge.relation, edge.target);
        for touch in edge.touches {
            let _ = writeln!(out, "  {}", reading(touch));
        }
        for ground in &edge.evidence {
            for at in &ground.stands {
                let via = ground.via.map_or(String::new(), |via| format!(" through {via}"));
                let _ =
                    writeln!(out, "  {}{via}: {} bytes {}-{}", ground.kind, at.document, at.span.start, at.span.end);
                if let Some(text) = at.text {
                    let _ = writeln!(out, "    \u{201c}{text}\u{201d}");
                }
            }
        }
        for contradiction in edge.contradictions {
            let _ = writeln!(out, "  contradicted: {}", contradiction.says);
        }
    }
    out
}

/// One touch in a line: extent, parts, what is saved, from when and on what that rests, until when.
pub(in crate::cli) fn reading(touch: &Touch) -> String {
    let list = |parts: Vec<String>| parts.join(", ");
    let extent = match touch.extent {
        Extent::Whole => "whole",
        Extent::Partial => "partial",
        Extent::Unknown => "extent unknown",
    };
    let mut out = extent.to_string();
    if !touch.parts.is_empty() {
        let _ = write!(out, ": {}", list(touch.parts.iter().map(Part::to_string).collect()));
    }
    if !touch.saved.is_empty() {
        let _ = write!(out, "; saved: {}", list(touch.saved.iter().map(saving).collect()));
    }
    let basis = match touch.basis {
        Some(Basis::Annotation) => " (annotation)",
        Some(Basis::Clause) => " (clause)",
        Some(Basis::Applies) => " (applies)",
        Some(Basis::EntryIntoForce) => " (entry into force, presumed)",
        Some(Basis::Publication) => " (publication)",
        None => "",
    };
    match (touch.start, &touch.conditional) {
        (_, Some(words)) => write!(out, "; from: when \u{201c}{words}\u{201d}"),
        (Some(day), None) => write!(out, "; from {day}{basis}"),
        (None, None) => write!(out, "; from: not known"),
    }
    .unwrap_or_default();
    if let Some(day) = touch.until {
        let _ = write!(out, "; until {day}");
    }
    if let Some(words) = &touch.words {
        let _ = write!(out, "; to \u{201c}{words}\u{201d}");
    }
    if let Some(why) = &touch.unconfirmed {
        let _ = write!(out, "; unconfirmed: {why}");
    }
    out
}

fn saving(saving: &Saving) -> String {
    let what = saving.part.as_ref().map_or_else(|| format!("\u{201c}{}\u{201d}", saving.words), Part::to_string);
    saving.until.map_or(what.clone(), |day| format!("{what} until {day}"))
}
