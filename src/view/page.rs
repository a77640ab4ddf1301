//! The report: one page, in the order in which a reader asks.

use super::html::{Text, count, counted, percent, real, words};
use super::lineage::{self, LINEAGE_STYLE};
use super::{Report, charts, judges, spend, walk};
use crate::dataset::{Dataset, Document, Refusal, Tally};
use crate::law::Celex;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

pub(super) const STYLE: &str = include_str!("report.css");

/// Documents shown before the rest is folded away.
const DOCUMENTS_SHOWN: usize = 12;

/// The report as one self-contained HTML file: no script, nothing loaded, light and dark, wide and narrow.
pub fn report(report: &Report<'_>) -> String {
    let dataset = report.dataset;
    let tallies = dataset.tallies();
    let sections: Vec<(&str, &str, String)> = vec![
        ("items", "Items", items(dataset, &tallies)),
        ("walk", "One item, from its key to the bytes", walked(report)),
        ("graph", "The graph", graph(report)),
        ("refusals", "Refusals", refusals(dataset)),
        ("prompts", "The prompts", lineage::section(report.prompts.as_ref())),
        ("judge", "The judge", judges::section(report.calibration, report.second_votes)),
        ("probes", "Shortcuts", probes(report)),
        ("spend", "What it cost", spend::section(report.spending)),
        ("stages", "Stages", stages(report)),
        ("documents", "Documents", documents(dataset)),
    ];
    let (mut contents, mut body) = (String::new(), String::new());
    for (id, title, html) in sections.iter().filter(|(_, _, html)| !html.is_empty()) {
        let _ = write!(contents, "<a href=\"#{id}\">{title}</a>");
        let _ = write!(body, "<section id=\"{id}\"><h2>{title}</h2>{html}</section>");
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{name} · report</title>\n<style>\n{STYLE}{more}</style>\n</head>\n<body>\n\
         <header>{head}<nav aria-label=\"Contents\">{contents}</nav></header>\n\
         <main>{body}</main>\n<footer>{foot}</footer>\n</body>\n</html>\n",
        more = if report.prompts.is_some() { LINEAGE_STYLE } else { "" },
        name = Text(&dataset.name),
        head = head(report),
        foot = foot(report),
    )
}

/// Whether every document, or some of them, are specimens.
fn specimens(dataset: &Dataset) -> (bool, bool) {
    let n = dataset.documents.iter().filter(|d| d.specimen).count();
    (n > 0 && n == dataset.documents.len(), n > 0)
}

fn head(report: &Report<'_>) -> String {
    let dataset = report.dataset;
    let (all, proved) = (dataset.items.len(), dataset.proved());
    let judged = dataset.rows().filter(|r| r.judged).count();
    let warning = match specimens(dataset) {
        (true, _) => {
            "<p class=\"warning\"><b>Nothing here is law.</b> Every act, number, date and text was invented for this example.</p>"
        }
        (false, true) => {
            "<p class=\"warning\"><b>Part of this is not law.</b> The documents marked as specimens were invented.</p>"
        }
        _ => "",
    };
    let acts: BTreeSet<&Celex> =
        dataset.items.iter().flat_map(|i| [&i.draft.pair.source.celex, &i.draft.pair.target.celex]).collect();
    let tiles = [
        (dataset.items.len(), "items"),
        (dataset.pairs(), "pairs"),
        (acts.len(), "acts asked about"),
        (report.graph.edges, "edges in the graph"),
        (dataset.refusals.len(), "refused"),
        (dataset.documents.len(), "documents"),
    ];
    let tiles: String = tiles.iter().fold(String::new(), |mut out, (n, what)| {
        let _ = write!(out, "<li><b>{}</b> {what}</li>", count(*n));
        out
    });
    let rest = match all - proved {
        0 => String::new(),
        1 if judged == 1 => " The other one rests on a judge who answered blind to the key.".to_string(),
        rest if judged == rest => format!(" The other {} rest on a judge who answered blind to the key.", count(rest)),
        rest => {
            format!(" Of the other {}, {} rest on a judge who answered blind to the key.", count(rest), count(judged))
        }
    };
    format!(
        "<p class=\"kicker\">Legal Link · report</p><h1>{name}</h1>\
         <p class=\"quiet\">Version {version} · law as known on {known} · seed {seed}</p>{warning}\
         <div class=\"hero\"><p class=\"figure\">{share}</p><div><p class=\"says\">of the items are <b>proved by code</b>: the key \
         holds on the item’s day and each of the three other options does not.</p>\
         <p class=\"quiet\">{} of {}.{rest}</p>{bar}</div></div><ul class=\"tiles\">{tiles}</ul>",
        count(proved),
        counted(all, "item"),
        name = Text(&dataset.name),
        version = Text(&dataset.version),
        known = dataset.known_on.long(),
        seed = dataset.seed,
        share = percent(proved, all),
        bar = charts::proof(dataset),
    )
}

pub(super) fn card(title: &str, says: &str, drawing: &str) -> String {
    format!("<figure class=\"card\"><h3>{title}</h3>{drawing}<figcaption>{says}</figcaption></figure>")
}

fn items(dataset: &Dataset, tallies: &[Tally<'_>]) -> String {
    if dataset.items.is_empty() {
        return "<p>No item passed the gates. The refusals below say why.</p>".to_string();
    }
    let met: Vec<Tally<'_>> = tallies.iter().filter(|t| t.items > 0).cloned().collect();
    let uneven = met.iter().any(|t| t.positions.iter().max() > t.positions.iter().min().map(|n| n + 1).as_ref());
    let positions = if uneven {
        "Within some relation the counts of A to D differ by more than one."
    } else {
        "Within each relation the counts of A to D differ by at most one; the dashes show an even spread."
    };
    let mut out = String::from("<div class=\"cards\">");
    out.push_str(&card(
        "By relation and decade",
        "The decade of the day an item is set on.",
        &charts::decades(dataset, &met),
    ));
    out.push_str(&card("Where the key stands", positions, &charts::positions(&met)));
    out.push_str(&card("How close the days come", &charts::days_said(dataset), &charts::days(dataset, &met)));
    let note = "Refused: drafts and pairs that a gate turned away.";
    out.push_str(&card("Relation by relation", note, &relations(tallies)));
    out.push_str("</div>");
    out.push_str(&shortfalls(dataset));
    out
}

fn relations(tallies: &[Tally<'_>]) -> String {
    let rows = tallies.iter().fold(String::new(), |mut out, t| {
        let proved = if t.items == 0 { "–".to_string() } else { percent(t.proved, t.items) };
        let _ = write!(
            out,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{proved}</td><td>{}</td></tr>",
            Text(&words(t.relation.as_str())),
            count(t.items),
            count(t.pairs),
            count(t.refused)
        );
        out
    });
    table("Figures by relation", "", &["Relation", "Items", "Pairs", "Proved", "Refused"], &rows)
}

fn shortfalls(dataset: &Dataset) -> String {
    if dataset.shortfalls.is_empty() {
        return String::new();
    }
    let mut out = String::from("<h3>Asked for and not had</h3><ul class=\"short\">");
    for s in &dataset.shortfalls {
        let (stratum, reason) = (Text(&s.stratum), Text(&s.reason));
        let _ = write!(out, "<li><b>{stratum}</b>: {} of {}. {reason}</li>", count(s.had), count(s.wanted));
    }
    out.push_str("</ul>");
    out
}

/// A table of figures that scrolls in itself where it is wider than the page.
pub(super) fn table(title: &str, class: &str, heads: &[&str], rows: &str) -> String {
    let heads = heads.iter().fold(String::new(), |mut out, head| {
        let _ = write!(out, "<th scope=\"col\">{head}</th>");
        out
    });
    format!(
        "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{title}\"><table class=\"figures{class}\">\
         <thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
}

fn walked(report: &Report<'_>) -> String {
    walk::showcase(report.dataset).map_or_else(String::new, |item| walk::walk(report, item))
}

/// A cell with a bar behind its number.
fn bar(n: usize, most: usize) -> String {
    let width = if most == 0 { 0.0 } else { 100.0 * real(n) / real(most) };
    format!("<td class=\"bar\"><span style=\"width:{width:.1}%\"></span>{}</td>", count(n))
}

fn graph(report: &Report<'_>) -> String {
    let graph = &report.graph;
    let most = graph.relations.iter().map(|r| r.edges).max().unwrap_or(0);
    let rows = graph.relations.iter().fold(String::new(), |mut out, r| {
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>{}", Text(&r.label), bar(r.edges, most));
        for n in [r.notice, r.register, r.text, r.bridge, r.contradicted] {
            let class = if n == 0 { " class=\"none\"" } else { "" };
            let _ = write!(out, "<td{class}>{}</td>", count(n));
        }
        out.push_str("</tr>");
        out
    });
    let heads = ["Relation", "Edges", "Notice", "Register", "Text", "Bridge", "Contradicted"];
    format!(
        "<p>{} between {}. An edge may rest on several kinds of evidence: a notice’s link, a register’s row, the acting act’s own words, or a \
         bridge over a third act.</p>{}",
        counted(graph.edges, "edge"),
        counted(graph.acts, "act"),
        table("Edges by relation and evidence", "", &heads, &rows)
    )
}

fn refusals(dataset: &Dataset) -> String {
    if dataset.refusals.is_empty() {
        return "<p>No draft was refused.</p>".to_string();
    }
    let mut gates: BTreeMap<&str, Vec<&Refusal>> = BTreeMap::new();
    for refusal in &dataset.refusals {
        gates.entry(&refusal.gate).or_default().push(refusal);
    }
    let most = gates.values().map(Vec::len).max().unwrap_or(0);
    let mut gates: Vec<_> = gates.into_iter().collect();
    gates.sort_by_key(|(gate, refused)| (std::cmp::Reverse(refused.len()), *gate));
    let mut out = format!(
        "<p>{} refused, each kept in <code>refused.jsonl</code>. By gate, with the reasons folded inside:</p>",
        count(dataset.refusals.len())
    );
    for (gate, refused) in gates {
        let width = 100.0 * real(refused.len()) / real(most.max(1));
        let _ = write!(
            out,
            "<details class=\"gate\"><summary><span class=\"gate-name\">{}</span><span class=\"track\"><span style=\"width:{width:.1}%\"></span></span>\
             <span class=\"n\">{}</span></summary>{}</details>",
            Text(&words(gate)),
            count(refused.len()),
            reasons(&refused)
        );
    }
    out
}

/// The reasons, most frequent first, with the pairs they met.
fn reasons(refused: &[&Refusal]) -> String {
    let mut reasons: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for refusal in refused {
        let pair = &refusal.pair;
        let said = format!("{} {} {}", pair.source, words(pair.relation.as_str()), pair.target);
        reasons.entry(&refusal.reason).or_default().insert(said);
        *counts.entry(&refusal.reason).or_default() += 1;
    }
    let mut order: Vec<_> = reasons.into_iter().collect();
    order.sort_by_key(|(reason, _)| (std::cmp::Reverse(counts[reason]), *reason));
    let mut out = String::from("<ul class=\"reasons\">");
    for (reason, pairs) in order {
        let shown: Vec<&str> = pairs.iter().take(3).map(String::as_str).collect();
        let more = if pairs.len() > 3 { format!(", and {} more", count(pairs.len() - 3)) } else { String::new() };
        let (reason, n) = (Text(reason), count(counts[reason]));
        let _ = write!(
            out,
            "<li><b>{n} ×</b> {reason} <span class=\"quiet\">{}{more}</span></li>",
            Text(&shown.join("; "))
        );
    }
    out.push_str("</ul>");
    out
}

fn probes(report: &Report<'_>) -> String {
    if report.probes.is_empty() {
        return String::new();
    }
    let off: Vec<&str> =
        report.probes.iter().filter(|p| !p.interval.contains(p.chance)).map(|p| p.name.as_str()).collect();
    let says = if off.is_empty() {
        "Every interval holds what chance gives (the dashed mark): no shortcut tried finds the key.".to_string()
    } else {
        format!("Off chance (the dashed mark): {}.", Text(&off.join(", ")))
    };
    let intro = "<p>Rules that read no law should find the key as often as chance does. Dots are shares, whiskers 95 % intervals.</p>";
    format!("{intro}<figure class=\"card wide\">{}<figcaption>{says}</figcaption></figure>", charts::probes(report))
}

fn stages(report: &Report<'_>) -> String {
    if report.stages.is_empty() {
        return String::new();
    }
    let rows = report.stages.iter().fold(String::new(), |mut out, s| {
        let of = |n: u64| count(usize::try_from(n).unwrap_or(usize::MAX));
        let _ = write!(
            out,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td><code title=\"{}\">{}</code></td></tr>",
            Text(&s.name),
            s.version,
            of(s.taken),
            of(s.made),
            of(s.warnings),
            s.output,
            s.output.short(12)
        );
        out
    });
    let heads = ["Stage", "Version", "In", "Out", "Warnings", "Output"];
    format!(
        "<p>Each stage turns values into values; the same values, parameters and seed give the same output, known by its hash.</p>{}",
        table("Stages", "", &heads, &rows)
    )
}

fn documents(dataset: &Dataset) -> String {
    let bytes: usize = dataset.documents.iter().map(|d| d.bytes).sum();
    let mut out = format!(
        "<p>{}, {} bytes; the same by hash in <code>dataset.lock</code>.</p>",
        counted(dataset.documents.len(), "document"),
        count(bytes)
    );
    let (shown, rest) = dataset.documents.split_at(dataset.documents.len().min(DOCUMENTS_SHOWN));
    out.push_str(&document_table(shown));
    if !rest.is_empty() {
        let _ = write!(out, "<details><summary>{} more</summary>{}</details>", count(rest.len()), document_table(rest));
    }
    out
}

fn document_table(documents: &[Document]) -> String {
    let rows = documents.iter().fold(String::new(), |mut out, d| {
        let celex = d.celex.as_ref().map_or("–", Celex::as_str);
        let taken = d.taken.map_or_else(|| "–".to_string(), |t| t.to_string());
        let _ = write!(
            out,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{taken}</td><td><code title=\"{}\">{}</code></td></tr>",
            Text(&d.name),
            Text(celex),
            count(d.bytes),
            d.digest,
            d.digest.short(12)
        );
        out
    });
    table("Documents", " left", &["Document", "Act", "Bytes", "Taken", "sha256"], &rows)
}

fn foot(report: &Report<'_>) -> String {
    let dataset = report.dataset;
    let (all, some) = specimens(dataset);
    let mut out = String::new();
    if !all && !dataset.documents.is_empty() {
        out.push_str(
            "<p>Texts and metadata of acts: © European Union, https://eur-lex.europa.eu. Only the Official Journal of the European Union is \
             authentic. Passages have their markup removed and white space made even.</p>",
        );
    }
    if some {
        out.push_str("<p>Specimens were invented; nothing in them is law.</p>");
    }
    let compilations: BTreeSet<&str> = dataset.documents.iter().filter_map(Document::compilation).collect();
    if !compilations.is_empty() {
        let names: Vec<&str> = compilations.into_iter().collect();
        let _ = write!(out, "<p>Documents came through the compilations {}.</p>", Text(&names.join(", ")));
    }
    let _ = write!(out, "<p>The perturbed passages of this dataset are blank. Made by {}.</p>", Text(report.tool));
    out
}
