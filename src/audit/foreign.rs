//! A row with the published columns and nothing else: from its id to ends, edge and status, as far as
//! what is here goes. It carries no claims, so whether its key holds is not for code to say.

use super::published::Foreign;
use super::report::ItemReport;
use super::{Ground, sentence};
use crate::dataset::{Claim, ClaimForm, LETTERS, StatusWord, read_published_id};
use crate::graph::{Asked, RelationGraph};
use crate::law::{Celex, DatedRelation, Endpoint};
use crate::verify::{stated_in_text, structure_flaws};

/// What can be said of such a row.
pub(super) fn walk(row: &Foreign, number: usize, ground: &Ground<'_>) -> ItemReport {
    let mut report = ItemReport::new(number, &row.id, None);
    shape(row, ground, &mut report);
    match read_published_id(&row.id, ground.registry) {
        Err(e) => report.find("row", e.to_string()),
        Ok(pair) => {
            let edge = ground.graph.edge(&pair.source.celex, &pair.relation, &pair.target.celex);
            match edge {
                Some(edge) => tell(edge, &pair.target, ground.graph, &mut report),
                None => nothing(&pair.source, &pair.target, ground.graph, &mut report),
            }
            passages(row, [&pair.source, &pair.target], ground.graph, &mut report);
        }
    }
    report.unknown.push("it carries no claims: whether its key holds is for a reader to say".to_string());
    report.settled()
}

fn shape(row: &Foreign, ground: &Ground<'_>, report: &mut ItemReport) {
    let options: Vec<&str> = row.options.iter().map(String::as_str).collect();
    for flaw in structure_flaws(&options, &serde_json::Value::from(row.correct_index), ground.rules) {
        report.find("structure", format!("{flaw:?}"));
    }
    let letter = usize::try_from(row.correct_index).ok().and_then(|i| LETTERS.get(i));
    if letter.is_none_or(|l| *l != row.correct_label) {
        report.find(
            "structure",
            format!("index {} and label {} name different options", row.correct_index, row.correct_label),
        );
    }
}

/// The edge, its evidence, and the status of the act acted upon on the eve and on the first day of the effect.
fn tell(edge: &DatedRelation, target: &Endpoint, graph: &RelationGraph, report: &mut ItemReport) {
    let evidence =
        if stated_in_text(edge) { "a text states it" } else { "a register records it; no text here states it" };
    report.notes.push(format!("{} {} {}: {evidence}", edge.source, edge.relation, edge.target));
    report.notes.extend(edge.contradictions.iter().map(|c| format!("against it: {}", c.says)));
    for day in edge.touches.iter().filter_map(|t| t.start).take(1).flat_map(|d| [d.pred(), d]) {
        let status = graph.status(target, Asked::on(day));
        let form = ClaimForm::Status { act: target.celex.clone(), part: target.part.clone(), is: StatusWord::InForce };
        let asked = sentence(&Claim { form, denied: false }, day);
        report.notes.push(format!("that {asked}: {}", status.in_force));
    }
}

/// No edge: a finding only where both texts are here to say so.
fn nothing(source: &Endpoint, target: &Endpoint, graph: &RelationGraph, report: &mut ItemReport) {
    let here = |end: &Endpoint| graph.act(&end.celex).is_some();
    let other = graph
        .onto(&target.celex)
        .chain(graph.by(&target.celex))
        .find(|e| e.source == source.celex || e.target == source.celex);
    if let Some(edge) = other {
        report.notes.push(format!("here {} {} {}", edge.source, edge.relation, edge.target));
    }
    if here(source) && here(target) {
        report.unknown.push("both texts are here, and neither states this relation; a register may".to_string());
    } else {
        let absent: Vec<&str> = [source, target].into_iter().filter(|e| !here(e)).map(|e| e.celex.as_str()).collect();
        report.unknown.push(format!("no edge and no text here of {}", absent.join(", ")));
    }
}

/// Whether the passages are words of the acts that their titles name.
fn passages(row: &Foreign, ends: [&Endpoint; 2], graph: &RelationGraph, report: &mut ItemReport) {
    for (title, text) in row.context_titles.iter().zip(&row.contexts).filter(|(_, t)| !t.trim().is_empty()) {
        let named = title.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
        let Some(celex) = named.and_then(|n| n.trim().parse::<Celex>().ok()) else { continue };
        if !ends.iter().any(|e| e.celex == celex) {
            report.find("row", format!("a passage is said to be from {celex}, which is neither end of the id"));
        }
        let Some(act) = graph.act(&celex) else { continue };
        let plain =
            |t: &str| t.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ");
        let whole: Vec<&str> = std::iter::once(act.title.text.as_str())
            .chain(
                act.units
                    .iter()
                    .flat_map(|u| [u.label.as_str(), u.heading.as_deref().unwrap_or_default(), u.text.as_str()]),
            )
            .collect();
        let (whole, passage) = (plain(&whole.join(" ")), plain(text));
        let middle: Vec<&str> = passage.split(' ').collect();
        let probe = middle.get(middle.len() / 3..middle.len() / 3 + 8.min(middle.len())).unwrap_or(&middle).join(" ");
        let stands = whole.contains(&probe);
        let does = if stands { "is found" } else { "is not found" };
        report.notes.push(format!("a passage said to be from {celex} {does} in the text here"));
    }
}
