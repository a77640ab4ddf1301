//! Notices of works: what the register says of an act and of its relations, in RDF/XML or XML.

use super::annotation::{Annotation, boolean, checked_day, code};
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
}

/// Reads a notice, in RDF/XML or XML (object, branch, tree, identifiers), or the notices of a search service's answer
/// ([`search_answer`](super::search_answer) reads the hits themselves). Statements of which an end has no CELEX number are left out, each with a warning.
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
    rows: BTreeMap<Link, Vec<(Span, Annotation)>>,
    records: BTreeMap<Celex, ActRecord>,
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
        subject: Celex,
        (relation, inverse): (RelationType, bool),
        object: Celex,
        span: Span,
        note: Annotation,
    ) {
        let (source, target) = if inverse { (object, subject) } else { (subject, object) };
        self.rows.entry((source, relation, target)).or_default().push((span, note));
    }

    /// A statement about an act itself, if the property is one that is kept.
    pub fn fact(&mut self, celex: &Celex, property: &str, value: &str, note: &Annotation, span: Span) {
        let property = property.to_ascii_lowercase();
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
        let mut states = BTreeMap::new();
        for ((source, relation, target), mut said) in self.rows {
            let from = source.parts().version;
            // A state of this act, not one of an act that this one had changed or ended.
            if let Some(from) = from.filter(|_| source.base() == target) {
                let locus = Locus { document: self.document, span: said[0].0 };
                let state = ConsolidatedState {
                    celex: source.clone(),
                    of: target.clone(),
                    from,
                    until: None,
                    locus,
                    taken: self.taken,
                };
                states.entry((state.of.clone(), state.from)).or_insert(state);
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
                let locus = Locus { document: self.document, span };
                let bare = RegisterRow::bare(from, relation.clone(), to, self.register, locus);
                let mut row = RegisterRow { taken: self.taken, ..bare };
                if only || seen.insert(annotation.clone()) {
                    annotation.into_row(&mut row);
                    notice.rows.push(row);
                }
            }
        }
        for record in self.records.values_mut() {
            record.effects.sort_by_key(|(kind, day)| (*day, format!("{kind:?}")));
            // A day that one statement explains needs no second entry without explanation.
            let told: BTreeSet<Day> =
                record.effects.iter().filter(|(k, _)| *k != EffectDate::Unsaid).map(|(_, d)| *d).collect();
            record.effects.retain(|(k, d)| *k != EffectDate::Unsaid || !told.contains(d));
            record.ends.sort();
        }
        notice.records = self.records.into_values().collect();
        notice.states = states.into_values().collect();
        self.warnings.sort_by_key(|w| w.span);
        Parsed { value: notice, warnings: self.warnings }
    }
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
