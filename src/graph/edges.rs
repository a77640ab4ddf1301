//! From clauses, register rows and bridges to edges: one per (acting act, relation, target), with
//! dates, extent, evidence and contradictions.
//!
//! For extent the best evidence speaks: a row's annotation that names a part; the acting act's clause;
//! a bridge; a bare row with the relation's default extent. Where the acting act's text is here and
//! neither clause nor bridge reaches the target, the bare row's extent is unknown, and it is listed as
//! a contradiction.

use super::bridge;
use super::facts::Moved;
use super::life::unit;
use super::node::Node;
use crate::law::{
    Basis, Celex, Clause, Contradiction, DatedRelation, Day, Effect, Evidence, Extent, Language, NewDay, Part,
    RegisterKind, RegisterRow, Registry, RelationSpec, RelationType, Touch, When,
};
use std::collections::{BTreeMap, BTreeSet};

/// An edge with what the graph needs to date it anew.
#[derive(Debug)]
pub(super) struct Edge {
    pub relation: DatedRelation,
    pub effect: Effect,
    pub from_beginning: bool,
    /// What a bare row of this relation means.
    pub default_extent: Extent,
    /// One per touch.
    pub readings: Vec<Reading>,
    /// The day the acting act was made.
    pub made: Option<Day>,
}

/// How a touch was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reading {
    /// The day as printed or recorded, before any later act moved it.
    pub printed: Option<Day>,
    /// The acting act's units that say so: that of the clause, and that of the act's own day where the effect
    /// begins with it. Empty: not known.
    pub places: Vec<Part>,
    pub footing: Footing,
}

/// On what a touch's extent stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Footing {
    /// An annotation, a clause, a bridge, or given by hand.
    Stated,
    /// A bare register row, the acting act's text not here.
    Bare,
    /// A bare register row that the acting act's text does not bear out.
    Contradicted,
}

type Key = (Celex, RelationType, Celex);

#[derive(Default)]
struct Draft<'a> {
    clauses: Vec<&'a Clause>,
    rows: Vec<RegisterRow>,
}

impl Edge {
    pub fn key(&self) -> (&Celex, &RelationType, &Celex) {
        (&self.relation.source, &self.relation.relation, &self.relation.target)
    }

    pub fn given(relation: DatedRelation, registry: &Registry) -> Self {
        let reading = |t: &Touch| Reading { printed: t.start, places: Vec::new(), footing: Footing::Stated };
        let readings = relation.touches.iter().map(reading).collect();
        let spec = registry.spec(&relation.relation);
        Self {
            effect: spec.map_or(Effect::None, |s| s.effect),
            from_beginning: spec.is_some_and(|s| s.from_beginning),
            default_extent: spec.map_or(Extent::Unknown, |s| s.default_extent),
            relation,
            readings,
            made: None,
        }
    }

    /// All parts touched, if every touch names some.
    pub fn parts(&self) -> Option<impl Iterator<Item = &Part>> {
        let named = !self.relation.touches.is_empty() && self.relation.touches.iter().all(|t| !t.parts.is_empty());
        named.then(|| self.relation.touches.iter().flat_map(|t| &t.parts))
    }
}

/// All edges of these acts, titles and rows, and the days that clauses move.
pub(super) fn read(
    nodes: &BTreeMap<Celex, Node>,
    rows: Vec<RegisterRow>,
    titles: &BTreeMap<Celex, Vec<Clause>>,
    registry: &Registry,
) -> (Vec<Edge>, Vec<Moved>) {
    let mut drafts: BTreeMap<Key, Draft> = BTreeMap::new();
    let texts = nodes.iter().filter_map(|(celex, n)| n.act.as_ref().map(|a| (celex, a.clauses.as_slice())));
    let said = || texts.clone().chain(titles.iter().map(|(celex, c)| (celex, c.as_slice())));
    for (celex, clauses) in said() {
        for clause in clauses {
            let key = (celex.clone(), clause.relation.clone(), clause.target.clone());
            drafts.entry(key).or_default().clauses.push(clause);
        }
    }
    let rewritten = prolongations(nodes, registry);
    for (celex, clause) in &rewritten {
        let key = (celex.clone(), clause.relation.clone(), clause.target.clone());
        let draft = drafts.entry(key).or_default();
        if !draft.clauses.iter().any(|c| c.until == clause.until) {
            draft.clauses.push(clause);
        }
    }
    let moved = said().flat_map(|(celex, clauses)| clauses.iter().flat_map(|c| moves(celex, c))).collect();
    for row in rows {
        let key = (row.source.clone(), row.relation.clone(), row.target.clone());
        drafts.entry(key).or_default().rows.push(row);
    }
    let explicit: BTreeSet<(Celex, Celex)> = drafts
        .iter()
        .filter(|((_, relation, _), d)| !d.clauses.is_empty() && registry.effect(relation) == Effect::Ends)
        .map(|((s, _, t), _)| (s.clone(), t.clone()))
        .collect();
    let clauses_of = |celex: &Celex| -> &[Clause] {
        let text = nodes.get(celex).and_then(|n| n.act.as_ref()).map(|a| a.clauses.as_slice());
        text.or_else(|| titles.get(celex).map(Vec::as_slice)).unwrap_or(&[])
    };
    let edges = drafts.into_iter().map(|(key, draft)| {
        let spec = registry.spec(&key.1);
        let bridged = spec.is_some_and(|s| s.effect == Effect::Ends)
            && draft.clauses.is_empty()
            && !explicit.contains(&(key.0.clone(), key.2.clone()));
        let spans = if bridged {
            bridge::bridges(clauses_of(&key.0), &key.2, clauses_of(&key.2), registry)
        } else {
            Vec::new()
        };
        edge(key, draft, &spans, nodes, spec)
    });
    (edges.collect(), moved)
}

fn edge(
    key: Key,
    mut draft: Draft,
    spans: &[bridge::Bridge<'_>],
    nodes: &BTreeMap<Celex, Node>,
    spec: Option<&RelationSpec>,
) -> Edge {
    let (source, relation, target) = key;
    draft.rows.sort_by_cached_key(|r| {
        let part = r.part.as_ref().map(Part::to_string);
        let said = (r.start, r.end, part, r.role.clone(), r.languages.clone(), r.comment.clone());
        (r.register, r.locus.document, r.locus.span, said, r.taken)
    });
    draft.rows.dedup();
    let mut made = Edge {
        relation: DatedRelation {
            source,
            relation,
            target,
            touches: Vec::new(),
            evidence: Vec::new(),
            contradictions: Vec::new(),
        },
        effect: spec.map_or(Effect::None, |s| s.effect),
        from_beginning: spec.is_some_and(|s| s.from_beginning),
        default_extent: spec.map_or(Extent::Unknown, |s| s.default_extent),
        readings: Vec::new(),
        made: None,
    };
    let writer = Writer { acting: nodes.get(&made.relation.source), spec };
    writer.clauses(&mut made, &draft);
    writer.bridges(&mut made, &draft, spans);
    writer.rows(&mut made, &draft.rows, draft.clauses.is_empty() && spans.is_empty());
    made
}

/// Writes the touches and evidence of one edge.
struct Writer<'a> {
    acting: Option<&'a Node>,
    spec: Option<&'a RelationSpec>,
}

impl Writer<'_> {
    fn effect(&self) -> Effect {
        self.spec.map_or(Effect::None, |s| s.effect)
    }

    /// The first day of the effect, on what it rests, and the event it hangs on.
    fn start(&self, when: &When, place: Option<&Part>) -> (Option<Day>, Option<Basis>, Option<String>) {
        let Some(node) = self.acting else { return (None, None, None) };
        if self.effect() == Effect::DeclaresSpent {
            return (node.life.published, node.life.published.map(|_| Basis::Publication), None);
        }
        if self.spec.is_some_and(|s| s.from_beginning) {
            return (None, None, None);
        }
        let conditional = match when {
            When::Event { words } => Some(words.clone()),
            _ => None,
        };
        let (day, basis) = when.resolve(&node.life.acting_dates(node.act.as_ref(), place));
        (day, basis, conditional)
    }

    /// The units that a start is read from.
    fn places(&self, place: Option<&Part>, basis: Option<Basis>) -> Vec<Part> {
        let own = match (self.acting, basis) {
            (Some(node), Some(Basis::Applies)) => node.life.applies_in.clone(),
            (Some(node), Some(Basis::EntryIntoForce)) => node.life.begins_in.clone(),
            _ => return place.cloned().into_iter().collect(),
        };
        // Where one of the two is not known, any change may have touched it.
        place.cloned().zip(own).map_or(Vec::new(), |(place, own)| vec![place, own])
    }

    fn clauses(&self, edge: &mut Edge, draft: &Draft) {
        // A title announces what the operative part does: where both speak, the operative part is read.
        let operative = |c: &&&Clause| !matches!(c.place, crate::law::Place::Title);
        let spoken = draft.clauses.iter().any(|c| operative(&c));
        let annotated = annotation(&draft.rows);
        let narrower = draft.rows.iter().any(|r| r.part.is_some());
        let languages = self.languages(&draft.rows);
        for clause in &draft.clauses {
            edge.relation.evidence.push(Evidence::Text { quote: clause.quote.clone() });
            if (spoken && !operative(&clause)) || narrower {
                continue;
            }
            let place = unit(&clause.place);
            let (mut start, mut basis, conditional) = self.start(&clause.start, place);
            let places = self.places(place, basis);
            if let Some(day) = annotated {
                (start, basis) = (Some(day), Some(Basis::Annotation));
            }
            let own = edge.relation.evidence.len() - 1;
            edge.relation.evidence.extend(clause.also.iter().map(|quote| Evidence::Text { quote: quote.clone() }));
            edge.push(
                Touch {
                    extent: clause.extent,
                    parts: clause.parts.clone(),
                    saved: clause.saved.clone(),
                    start,
                    basis,
                    conditional: conditional.filter(|_| annotated.is_none()),
                    unconfirmed: None,
                    until: clause.until,
                    words: clause.words.clone(),
                    languages: languages.clone(),
                    evidence: own,
                },
                places,
                Footing::Stated,
            );
        }
    }

    /// The languages that the registers record for a correction, and that of its text where this is here: it would not
    /// be written in a language that it does not concern. None recorded: not known.
    fn languages(&self, rows: &[RegisterRow]) -> Vec<Language> {
        let recorded: BTreeSet<Language> = rows.iter().flat_map(|r| r.languages.iter().copied()).collect();
        if recorded.is_empty() || !self.spec.is_some_and(|s| s.from_beginning) {
            return Vec::new();
        }
        let own = self.acting.filter(|n| n.has_text()).and_then(|n| n.act.as_ref()).map(|a| a.language);
        recorded.into_iter().chain(own).collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn bridges(&self, edge: &mut Edge, draft: &Draft, spans: &[bridge::Bridge<'_>]) {
        let annotated = annotation(&draft.rows);
        let narrower = draft.rows.iter().any(|r| r.part.is_some());
        for span in spans {
            edge.relation.evidence.push(Evidence::Bridge {
                via: span.clause.target.clone(),
                clause: span.clause.quote.clone(),
                change: span.change.quote.clone(),
            });
            if narrower {
                continue;
            }
            let place = unit(&span.clause.place);
            let (mut start, mut basis, conditional) = self.start(&span.clause.start, place);
            let places = self.places(place, basis);
            if let Some(day) = annotated {
                (start, basis) = (Some(day), Some(Basis::Annotation));
            }
            edge.push(
                Touch {
                    extent: if span.whole { Extent::Whole } else { Extent::Partial },
                    parts: span.parts.clone(),
                    saved: Vec::new(),
                    start,
                    basis,
                    conditional,
                    unconfirmed: None,
                    until: None,
                    words: None,
                    languages: Vec::new(),
                    evidence: edge.relation.evidence.len() - 1,
                },
                places,
                Footing::Stated,
            );
        }
    }

    fn rows(&self, edge: &mut Edge, rows: &[RegisterRow], alone: bool) {
        let narrower = rows.iter().any(|r| r.part.is_some());
        let mute = self.acting.is_some_and(Node::has_text)
            && self.spec.is_some_and(|s| s.effect == Effect::Ends || !s.clauses.is_empty());
        let mut contradicted = false;
        for row in rows {
            let locus = row.locus.clone();
            let evidence = match row.register {
                RegisterKind::Notice => Evidence::Notice { locus },
                RegisterKind::Table => Evidence::Register { locus },
            };
            if !edge.relation.evidence.contains(&evidence) {
                edge.relation.evidence.push(evidence.clone());
            }
            let at = edge.relation.evidence.iter().position(|e| *e == evidence).unwrap_or_default();
            // A bare row beside one that names the part says nothing more.
            if (narrower && row.part.is_none()) || (!narrower && !alone) {
                continue;
            }
            let said_partial = row.comment.as_ref().is_some_and(|c| c.to_ascii_lowercase().contains("partial"));
            let (extent, footing) = match (&row.part, self.effect()) {
                (Some(_), _) => (Extent::Partial, Footing::Stated),
                (None, _) if said_partial => (Extent::Partial, Footing::Stated),
                (None, _) if mute => (Extent::Unknown, Footing::Contradicted),
                (None, _) => (edge.default_extent, Footing::Bare),
            };
            contradicted |= footing == Footing::Contradicted;
            let (start, basis) = if row.start.is_some() {
                (row.start, Some(Basis::Annotation))
            } else {
                let (day, basis, _) = self.start(&When::Unstated, None);
                (day, basis)
            };
            edge.push(
                Touch {
                    extent,
                    parts: row.part.iter().cloned().collect(),
                    saved: Vec::new(),
                    start,
                    basis,
                    conditional: None,
                    unconfirmed: None,
                    until: row.end,
                    words: None,
                    languages: row.languages.clone(),
                    evidence: at,
                },
                self.places(None, basis),
                footing,
            );
        }
        if contradicted {
            let (source, target) = (&edge.relation.source, &edge.relation.target);
            let says = format!(
                "the register says that {source} {} {target}; the text of {source}, which is here, does not, nor does it end an act that {target} changed",
                self.spec.map_or("acts on", |s| s.label.as_str())
            );
            edge.relation.contradictions.push(Contradiction { says, quote: None });
        }
    }
}

impl Edge {
    fn push(&mut self, touch: Touch, places: Vec<Part>, footing: Footing) {
        let reading = Reading { printed: touch.start, places, footing };
        let same = |t: &Touch| Touch { evidence: touch.evidence, ..t.clone() } == touch;
        if let Some(i) = self.relation.touches.iter().position(same)
            && self.readings[i].footing == reading.footing
        {
            return;
        }
        self.relation.touches.push(touch);
        self.readings.push(reading);
    }
}

/// The start that rows without a part annotate for the relation as a whole: the first day of several.
fn annotation(rows: &[RegisterRow]) -> Option<Day> {
    rows.iter().filter(|r| r.part.is_none()).filter_map(|r| r.start).min()
}

/// The days that a clause of `by` puts in the place of others in its target.
fn moves(by: &Celex, clause: &Clause) -> impl Iterator<Item = Moved> {
    let moved = |day: &NewDay| Moved {
        of: clause.target.clone(),
        by: by.clone(),
        parts: clause.parts.clone(),
        old: day.old,
        new: day.new,
    };
    clause.days.iter().map(moved)
}

/// Changes of a last day are prolongations, whatever words they use: "in Article 3, ‘31 December 2001’ is replaced by
/// ‘31 December 2003’", where the target's Article 3 gives its last day. Read as the registry's first relation that
/// prolongs.
fn prolongations(nodes: &BTreeMap<Celex, Node>, registry: &Registry) -> Vec<(Celex, Clause)> {
    let prolongs = |s: &&RelationSpec| s.effect == Effect::Prolongs && !s.context;
    let Some(spec) = registry.relations().iter().find(prolongs) else { return Vec::new() };
    let mut found = Vec::new();
    let texts = nodes.iter().filter_map(|(celex, n)| n.act.as_ref().map(|a| (celex, a)));
    for (by, clause) in texts.flat_map(|(celex, act)| act.clauses.iter().map(move |c| (celex, c))) {
        let Some(target) = nodes.get(&clause.target).filter(|_| !clause.days.is_empty()) else { continue };
        let Some(last) = target.life.last_day else { continue };
        let here = clause.parts.is_empty()
            || target.life.last_day_in.as_ref().is_some_and(|p| clause.parts.iter().any(|c| target.holds(c, p)));
        if let Some(day) = clause.days.iter().find(|d| d.old == Some(last) && d.new > last && here) {
            let read = Clause {
                relation: spec.name.clone(),
                extent: Extent::Whole,
                parts: Vec::new(),
                until: Some(day.new),
                edit: None,
                days: Vec::new(),
                ..clause.clone()
            };
            found.push((by.clone(), read));
        }
    }
    found
}
