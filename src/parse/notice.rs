//! Notices of works: what the register says of an act and of its relations, in RDF/XML or XML.

use super::annotation::{Annotation, boolean, checked_day, code};
use super::identifiers::{Synonyms, in_address, nameless};
use super::{Parsed, Refused, Warning, notice_xml, rdf, sniff, soap};
use crate::law::{
    ActRecord, Celex, ConsolidatedState, Day, DayError, Digest, EffectDate, Locus, RegisterKind, RegisterRow, Registry,
    RelationType, Span,
};
use std::collections::{BTreeMap, BTreeSet};

/// What a notice says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notice {
    /// Statements that one act acts on another, forward, one per annotation (or one bare).
    pub rows: Vec<RegisterRow>,
    /// Statements about acts themselves.
    pub records: Vec<ActRecord>,
    /// Consolidated states that it names.
    pub states: Vec<ConsolidatedState>,
    /// Statements of which an end has no CELEX number in this notice.
    pub open: Vec<OpenLink>,
    /// The addresses of works with the CELEX number that the notice gives for them.
    pub works: Vec<(String, Celex)>,
}

/// A statement of which an end is named by an address only, as all are in a normalised notice but the notice's own work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenLink {
    source: End,
    relation: RelationType,
    target: End,
    said: Vec<(Span, Annotation)>,
    origin: Origin,
}

/// The document in which statements stand, what kind of register it is, and the day on which it was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Origin {
    document: Digest,
    register: RegisterKind,
    taken: Option<Day>,
}

impl OpenLink {
    /// The relation.
    pub fn relation(&self) -> &RelationType {
        &self.relation
    }

    /// The addresses that have no CELEX number.
    pub fn addresses(&self) -> impl Iterator<Item = &str> {
        [&self.source, &self.target].into_iter().filter_map(|end| match end {
            End::Act(_) => None,
            End::Work(address) => Some(address.as_str()),
        })
    }
}

/// An end of a statement.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum End {
    /// A work whose number is known.
    Act(Celex),
    /// A work at an address.
    Work(String),
}

impl End {
    /// The work at an address.
    pub fn of(address: &str) -> Self {
        in_address(address).map_or_else(|| Self::Work(address.to_string()), Self::Act)
    }

    fn celex(&self, synonyms: &Synonyms) -> Option<Celex> {
        match self {
            Self::Act(celex) => Some(celex.clone()),
            Self::Work(address) => synonyms.celex(address),
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::Act(celex) => celex.as_str(),
            Self::Work(address) => address,
        }
    }
}

impl Notice {
    /// Makes rows and states of the open statements whose ends are known to `synonyms`; those that stay open come back
    /// as warnings.
    pub fn resolve(&mut self, synonyms: &Synonyms) -> Vec<Warning> {
        let (mut named, mut open) = (BTreeMap::<Link, Vec<OpenLink>>::new(), Vec::new());
        for link in std::mem::take(&mut self.open) {
            match (link.source.celex(synonyms), link.target.celex(synonyms)) {
                (Some(source), Some(target)) => {
                    named.entry((source, link.relation.clone(), target)).or_default().push(link);
                }
                _ => open.push(link),
            }
        }
        for (link, mut links) in named {
            let origin = links[0].origin;
            let said: Vec<_> = links.iter_mut().flat_map(|l| std::mem::take(&mut l.said)).collect();
            let same = |row: &RegisterRow| (&row.source, &row.relation, &row.target) == (&link.0, &link.1, &link.2);
            // What is said with annotations takes the place of what is said bare, and is not said twice.
            let annotated = said.iter().any(|(_, a)| a.says_something());
            if !annotated && self.rows.iter().any(same) {
                continue;
            }
            if annotated {
                self.rows.retain(|row| !(same(row) && bare(row)));
            }
            settle(&link, said, origin, self);
        }
        self.sort();
        let warning = |link: &OpenLink| {
            let span = link.said.first().map_or(Span::new(0, 0), |(span, _)| *span);
            nameless(link.source.name(), &link.relation.to_string(), link.target.name(), span)
        };
        let warnings = open.iter().map(warning).collect();
        self.open = open;
        warnings
    }

    /// Rows by their acts and relation (those of one statement in its order), states once each.
    fn sort(&mut self) {
        let key = |row: &RegisterRow| (row.source.clone(), row.relation.clone(), row.target.clone());
        self.rows.sort_by_cached_key(key);
        self.states.sort_by(|a, b| (&a.of, a.from).cmp(&(&b.of, b.from)));
        self.states.dedup_by(|later, first| (&later.of, later.from) == (&first.of, first.from));
    }
}

/// Reads a notice, in RDF/XML or XML (object, branch, tree, identifiers), or the notices of a search service's answer
/// ([`search_answer`](super::search_answer) reads the hits themselves). Statements of which an end has no CELEX number stay
/// [open](Notice::open) until [`Notice::resolve`] is told more names.
///
/// # Errors
/// [`Refused`] where the bytes are no notice.
pub fn notice(bytes: &[u8], registry: &Registry, taken: Option<Day>) -> Result<Parsed<Notice>, Refused> {
    if bytes.len() > sniff::LIMIT {
        return Err(Refused::TooBig { bytes: bytes.len(), limit: sniff::LIMIT });
    }
    let mut gathered = Gathered::new(Digest::of(bytes), registry, RegisterKind::Notice, taken);
    match sniff::notice(bytes)? {
        sniff::NoticeKind::Rdf => rdf::read(bytes, &mut gathered)?,
        sniff::NoticeKind::Xml => notice_xml::read(bytes, &mut gathered)?,
        sniff::NoticeKind::Soap => {
            let parsed = soap::search_answer(bytes, registry, taken)?;
            return Ok(Parsed { value: parsed.value.notice, warnings: parsed.warnings });
        }
    }
    Ok(gathered.finish())
}

type Link = (Celex, RelationType, Celex);

/// What the readers of notices in both forms, and of answers about many acts, hand over.
pub(super) struct Gathered<'a> {
    registry: &'a Registry,
    document: Digest,
    register: RegisterKind,
    taken: Option<Day>,
    rows: BTreeMap<(End, RelationType, End), Vec<(Span, Annotation)>>,
    records: BTreeMap<Celex, ActRecord>,
    works: Vec<(String, Celex)>,
    pub warnings: Vec<Warning>,
}

impl<'a> Gathered<'a> {
    /// Nothing yet.
    pub fn new(document: Digest, registry: &'a Registry, register: RegisterKind, taken: Option<Day>) -> Self {
        Self {
            registry,
            document,
            register,
            taken,
            rows: BTreeMap::new(),
            records: BTreeMap::new(),
            works: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// The record of an act, made where there is none.
    fn record(&mut self, celex: &Celex, span: Span) -> &mut ActRecord {
        let (document, taken) = (self.document, self.taken);
        let entry = self.records.entry(celex.clone()).or_insert_with(|| ActRecord {
            celex: celex.clone(),
            title: None,
            date_document: None,
            published: None,
            in_force: None,
            effects: Vec::new(),
            ends: Vec::new(),
            open_end: false,
            locus: Locus { document, span },
            taken,
        });
        entry.locus.span = entry.locus.span.cover(&span);
        entry
    }

    /// The English title of an act.
    pub fn title(&mut self, celex: &Celex, title: &str, span: Span) {
        let record = self.record(celex, span);
        record.title.get_or_insert_with(|| title.split_whitespace().collect::<Vec<_>>().join(" "));
    }

    /// Whether a property is a relation of the registry.
    pub fn relation(&self, property: &str) -> Option<(RelationType, bool)> {
        self.registry.by_predicate(property)
    }

    /// A statement that `subject` and `object` are so related; inverse names are turned round.
    pub fn link(
        &mut self,
        subject: End,
        (relation, inverse): (RelationType, bool),
        object: End,
        span: Span,
        note: Annotation,
    ) {
        let (source, target) = if inverse { (object, subject) } else { (subject, object) };
        self.rows.entry((source, relation, target)).or_default().push((span, note));
    }

    /// The number of the work at an address.
    pub fn work(&mut self, address: String, celex: Celex) {
        self.works.push((address, celex));
    }

    /// A statement about an act itself, if the property (by its address or local name) is one that is kept.
    pub fn fact(&mut self, celex: &Celex, property: &str, value: &str, note: &Annotation, span: Span) {
        let property = property.rsplit(['#', '/']).next().unwrap_or(property).to_ascii_lowercase();
        let kept =
            ["work_date_document", "date_document", "resource_legal_in-force", "resource_legal_date_end-of-validity"];
        let effect = property == "resource_legal_date_entry-into-force";
        let published =
            matches!(property.as_str(), "official-journal-act_date_publication" | "resource_legal_date_publication");
        if !(effect || published || kept.contains(&property.as_str())) {
            return;
        }
        let entry = self.record(celex, span);
        if property == "resource_legal_in-force" {
            entry.in_force = entry.in_force.or(boolean(value));
            return;
        }
        match checked_day(value) {
            Ok(day) if effect => push_new(&mut entry.effects, (effect_date(note), day)),
            Ok(day) if published => entry.published = entry.published.or(Some(day)),
            Ok(day) if property.ends_with("date_document") => entry.date_document = entry.date_document.or(Some(day)),
            Ok(day) => push_new(&mut entry.ends, day),
            Err(DayError::Filler) => entry.open_end |= property.ends_with("end-of-validity"),
            Err(DayError::Malformed) => {
                let message = format!("{celex}: {property} `{value}` is no date");
                self.warnings.push(Warning { span, message });
            }
        }
    }

    /// Rows, records and states in order.
    pub fn finish(mut self) -> Parsed<Notice> {
        let mut notice = Notice::default();
        let origin = Origin { document: self.document, register: self.register, taken: self.taken };
        for ((source, relation, target), said) in self.rows {
            match (source, target) {
                (End::Act(source), End::Act(target)) => {
                    settle(&(source, relation, target), said, origin, &mut notice);
                }
                (source, target) => notice.open.push(OpenLink { source, relation, target, said, origin }),
            }
        }
        notice.sort();
        self.works.sort();
        self.works.dedup();
        notice.works = self.works;
        for record in self.records.values_mut() {
            record.effects.sort_by_key(|(kind, day)| (*day, format!("{kind:?}")));
            // A day that one statement explains needs no second entry without explanation.
            let told: BTreeSet<Day> =
                record.effects.iter().filter(|(k, _)| *k != EffectDate::Unsaid).map(|(_, d)| *d).collect();
            record.effects.retain(|(k, d)| *k != EffectDate::Unsaid || !told.contains(d));
            record.ends.sort();
        }
        notice.records = self.records.into_values().collect();
        self.warnings.sort_by_key(|w| w.span);
        Parsed { value: notice, warnings: self.warnings }
    }
}

/// Makes rows, and perhaps a state, of what is said of a link.
fn settle(
    (source, relation, target): &Link,
    mut said: Vec<(Span, Annotation)>,
    Origin { document, register, taken }: Origin,
    notice: &mut Notice,
) {
    let from = source.parts().version;
    // A state of this act, not one of an act that this one had changed or ended.
    if let Some(from) = from.filter(|_| source.base() == *target) {
        let span = said.first().map_or(Span::new(0, 0), |(span, _)| *span);
        let locus = Locus { document, span };
        notice.states.push(ConsolidatedState {
            celex: source.clone(),
            of: target.clone(),
            from,
            until: None,
            locus,
            taken,
        });
    }
    // The same statement may stand there bare, from both ends, and with its annotations.
    if said.iter().any(|(_, a)| a.says_something()) {
        said.retain(|(_, a)| a.says_something());
    } else {
        said.truncate(1);
    }
    let (only, mut seen) = (said.len() == 1, BTreeSet::new());
    for (span, annotation) in said {
        let (from, to) = (source.clone(), target.clone());
        let bare = RegisterRow::bare(from, relation.clone(), to, register, Locus { document, span });
        let mut row = RegisterRow { taken, ..bare };
        if only || seen.insert(annotation.clone()) {
            annotation.into_row(&mut row);
            notice.rows.push(row);
        }
    }
}

/// Whether a row says no more than its link.
fn bare(row: &RegisterRow) -> bool {
    let (from, to) = (row.source.clone(), row.target.clone());
    let bare = RegisterRow::bare(from, row.relation.clone(), to, row.register, row.locus.clone());
    *row == RegisterRow { taken: row.taken, ..bare }
}

fn push_new<T: PartialEq>(list: &mut Vec<T>, value: T) {
    if !list.contains(&value) {
        list.push(value);
    }
}

/// The kind of a date of effect, from its annotation.
fn effect_date(note: &Annotation) -> EffectDate {
    let kind = note.date_type.as_deref().map(code).unwrap_or_default();
    let partial = note.date_comment.as_deref().is_some_and(|c| c.contains("{MA/PART"));
    match kind.as_str() {
        "EV" => EffectDate::EntryIntoForce,
        "MA/PART" => EffectDate::PartialApplication,
        _ if partial => EffectDate::PartialApplication,
        "MA" => EffectDate::Application,
        _ => EffectDate::Unsaid,
    }
}
