//! Turtle: the edges under the predicates of the registry, their dates as annotations of an `owl:Axiom` each, as the
//! publisher writes them; acts and edges in ELI terms where ELI has one.

use super::{EdgeList, parts};
use crate::law::{Celex, Day, Touch, local_name};
use std::fmt::Write as _;

const PREFIXES: &str = "@prefix cdm: <http://publications.europa.eu/ontology/cdm#> .
@prefix ann: <http://publications.europa.eu/ontology/annotation#> .
@prefix eli: <http://data.europa.eu/eli/ontology#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix own: <urn:legal-link:relation:> .
";

/// The graph in Turtle (UTF-8). Ends of validity are last days inside, as the publisher has them; ELI's day on which
/// an act is no longer in force is the day after. A relation that the registry gives no predicate stands under a name
/// of ours.
pub fn turtle(list: &EdgeList<'_>) -> String {
    let mut out = String::from(PREFIXES);
    for act in list.acts {
        let _ = write!(out, "\n{} eli:id_local {}", iri(&act.celex), literal(act.celex.as_str()));
        let days = [
            ("eli:date_document", act.made),
            ("eli:first_date_entry_in_force", act.in_force_from),
            ("eli:date_no_longer_in_force", act.last_day.map(Day::succ)),
        ];
        if let Some(title) = &act.title {
            let _ = write!(out, " ;\n  eli:title {}@en", literal(title));
        }
        for (name, day) in days {
            if let Some(day) = day {
                let _ = write!(out, " ;\n  {name} {}", date(day));
            }
        }
        out.push_str(" .\n");
    }
    for edge in list.edges {
        let spec = list.registry.spec(&edge.relation);
        let predicate = spec
            .and_then(|s| s.predicates.first())
            .map_or_else(|| format!("own:{}", edge.relation), |name| format!("cdm:{}", local_name(name)));
        let (source, target) = (iri(&edge.source), iri(&edge.target));
        let _ = writeln!(out, "\n{source} {predicate} {target} .");
        if let Some(eli) = spec.and_then(|s| s.eli.as_deref()) {
            let _ = writeln!(out, "{source} eli:{} {target} .", local_name(eli));
        }
        for touch in &edge.touches {
            let notes = notes(touch);
            if !notes.is_empty() {
                let _ = write!(
                    out,
                    "[] a owl:Axiom ;\n  owl:annotatedSource {source} ;\n  owl:annotatedProperty {predicate} ;\n  owl:annotatedTarget {target}"
                );
                for (name, value) in notes {
                    let _ = write!(out, " ;\n  ann:{name} {value}");
                }
                out.push_str(" .\n");
            }
        }
    }
    out
}

/// The annotations of a touch, by the publisher's names.
fn notes(touch: &Touch) -> Vec<(&'static str, String)> {
    let mut notes = Vec::new();
    notes.extend(touch.start.map(|d| ("start_of_validity", date(d))));
    notes.extend(touch.until.map(|d| ("end_of_validity", date(d))));
    notes.extend(parts(touch).iter().map(|p| ("reference_to_modified_location", literal(p))));
    if !touch.languages.is_empty() {
        let list: Vec<String> = touch.languages.iter().map(ToString::to_string).collect();
        notes.push(("language_list", literal(&list.join(", "))));
    }
    notes
}

fn iri(celex: &Celex) -> String {
    format!("<http://publications.europa.eu/resource/celex/{}>", celex.url_path())
}

fn date(day: Day) -> String {
    format!("\"{day}\"^^xsd:date")
}

fn literal(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
