//! One item walked from its key to the bytes it stands on.

use super::charts::start;
use super::html::{Text, count, words};
use super::{Life, Report, timeline};
use crate::dataset::{Authorship, Choice, Dataset, Item, LETTERS, Passage, Proof, published_passages};
use crate::law::{Basis, DatedRelation, Digest, Evidence, Extent, Locus, Quote, Span};
use std::fmt::Write as _;

/// The item that shows most: proved by code, its key supported by words, its edge by a text, its day
/// nearest to the day of the effect.
pub(super) fn showcase(dataset: &Dataset) -> Option<&Item> {
    let by_text =
        |e: &DatedRelation| e.evidence.iter().any(|e| matches!(e, Evidence::Text { .. } | Evidence::Bridge { .. }));
    dataset.items.iter().min_by_key(|item| {
        let distance = start(dataset, item).map_or(u64::MAX, |s| s.days_until(item.draft.day).unsigned_abs());
        let supported = item.draft.options.first().is_some_and(|k| !k.support.is_empty());
        let textual = dataset.edge(item).is_some_and(by_text);
        (!item.proved_by_code(), !supported, !textual, distance, &item.item)
    })
}

pub(super) fn walk(report: &Report<'_>, item: &Item) -> String {
    let dataset = report.dataset;
    let steps = [
        ("The question", question(item)),
        ("The key, and what it claims", key(item)),
        ("The verdict of code", verdicts(item)),
        ("The edge it rests on", edge(dataset, item)),
        ("The time line", time(report, item)),
        ("The words, byte by byte", quotes(dataset, item)),
        ("The passages handed to a model", passages(dataset, item)),
    ];
    let mut out = format!("<p class=\"id\">Item <code>{}</code>, {}</p><ol class=\"walk\">", item.item, author(item));
    for (title, body) in steps.iter().filter(|(_, body)| !body.is_empty()) {
        let _ = write!(out, "<li><h3>{title}</h3>{body}</li>");
    }
    out.push_str("</ol>");
    out
}

fn author(item: &Item) -> String {
    match &item.draft.author {
        Authorship::BuiltIn { form } => format!("by the built-in author, form <code>{}</code>", Text(form)),
        Authorship::Model { model, call } => {
            format!("by the model <code>{}</code>, call <code>{}</code>", Text(model), call.short(12))
        }
    }
}

fn question(item: &Item) -> String {
    let mut out = format!("<p class=\"stem\">{}</p><ol class=\"options\">", Text(&item.draft.stem));
    for (position, option) in item.options().enumerate() {
        let (class, mark) = if position == item.correct_index() {
            (" class=\"key\"", "<span class=\"badge good\">key</span>")
        } else {
            ("", "")
        };
        let _ = write!(out, "<li{class}>{} {mark}</li>", Text(&option.text));
    }
    out.push_str("</ol>");
    out
}

fn key(item: &Item) -> String {
    let Some(key) = item.draft.options.first() else { return String::new() };
    let letter = LETTERS[item.correct_index().min(3)];
    format!("<p>{letter} claims that, on {},</p>{}", item.draft.day.long(), claims(key))
}

fn claims(option: &Choice) -> String {
    let list: String = option.claims.iter().fold(String::new(), |mut out, claim| {
        let _ = write!(out, "<li>{}</li>", Text(&claim.to_string()));
        out
    });
    format!("<ul class=\"claims\">{list}</ul>")
}

fn verdicts(item: &Item) -> String {
    let mut out =
        format!("<p>With what was known by {}:</p><table class=\"verdicts\"><tbody>", item.draft.known_on.long());
    for (position, unshuffled) in item.order.iter().enumerate() {
        let index = usize::from(*unshuffled);
        let (Some(option), Some(proof)) = (item.draft.options.get(index), item.proofs.get(index)) else { continue };
        let (class, word) = match proof {
            Proof::Proved => ("good", "proved"),
            Proof::Refuted => ("bad", "refuted"),
            Proof::Undecided => ("open", "undecided"),
        };
        let letter = LETTERS[position.min(3)];
        let _ = write!(
            out,
            "<tr><th scope=\"row\">{letter}</th><td><span class=\"badge {class}\">{word}</span></td><td>{}</td></tr>",
            claims(option)
        );
    }
    out.push_str("</tbody></table>");
    if let Some(judgement) = &item.judgement {
        let agreed = match judgement.agrees {
            Some(true) => ", answered blind to the key and agreed",
            Some(false) => ", answered blind to the key and did not agree",
            None => "",
        };
        let _ = write!(
            out,
            "<p>The judge <code>{}</code> gave {} of {}{agreed}.</p>",
            Text(&judgement.judge),
            judgement.total,
            judgement.out_of
        );
    }
    out
}

fn edge(dataset: &Dataset, item: &Item) -> String {
    let pair = &item.draft.pair;
    let label =
        dataset.registry.spec(&pair.relation).map_or_else(|| words(pair.relation.as_str()), |s| s.label.clone());
    let (source, target) = (pair.source.to_string(), pair.target.to_string());
    let mut out = format!(
        "<p class=\"edge\"><b>{}</b> <span class=\"arrow\">{} →</span> <b>{}</b></p>",
        Text(&source),
        Text(&label),
        Text(&target)
    );
    let Some(edge) = dataset.edge(item) else { return out };
    out.push_str("<ul class=\"facts\">");
    for touch in &edge.touches {
        let extent = match touch.extent {
            Extent::Whole => "the whole act".to_string(),
            Extent::Unknown => "how much is not said".to_string(),
            Extent::Partial if touch.parts.is_empty() => "a part of it".to_string(),
            Extent::Partial => touch.parts.iter().map(crate::law::Part::long).collect::<Vec<_>>().join(", "),
        };
        let from = touch.start.map_or_else(|| "on a day not known".to_string(), |d| format!("from {}", d.long()));
        let basis = touch.basis.map_or("", basis);
        let _ = write!(out, "<li>Touches {}, {from}{basis}.", Text(&extent));
        for (what, said) in [("Conditional", &touch.conditional), ("Unconfirmed", &touch.unconfirmed)] {
            if let Some(said) = said {
                let _ = write!(out, " <b>{what}:</b> {}", Text(said));
            }
        }
        out.push_str("</li>");
    }
    for evidence in &edge.evidence {
        let _ = write!(out, "<li>{}</li>", supports(dataset, evidence));
    }
    for contradiction in &edge.contradictions {
        let _ = write!(out, "<li class=\"against\">Against it: {}</li>", Text(&contradiction.says));
    }
    out.push_str("</ul>");
    out
}

fn basis(basis: Basis) -> &'static str {
    match basis {
        Basis::Annotation => ", as the register annotates",
        Basis::Clause => ", as the clause says",
        Basis::Applies => ", the day from which the acting act applies",
        Basis::EntryIntoForce => ", presumed from the acting act's entry into force",
        Basis::Publication => ", the publication of the statement",
    }
}

fn supports(dataset: &Dataset, evidence: &Evidence) -> String {
    let row = |what: &str, locus: &Locus| format!("{what}: {}", place(dataset, &locus.document, locus.span));
    match evidence {
        Evidence::Notice { locus } => row("A notice links the two", locus),
        Evidence::Register { locus } => row("A register row says so", locus),
        Evidence::Text { quote } => format!("The acting act says so: {}", place(dataset, &quote.document, quote.span)),
        Evidence::Bridge { via, clause, change } => format!(
            "By a bridge through <b>{}</b>: the clause <q>{}</q> and the change <q>{}</q>",
            Text(via.as_str()),
            Text(&clause.text),
            Text(&change.text)
        ),
    }
}

fn place(dataset: &Dataset, document: &Digest, span: Span) -> String {
    let name = dataset.document(document).map_or_else(|| document.short(12), |d| d.name.clone());
    format!("<code>{}</code>, bytes {} to {}", Text(&name), count(span.start), count(span.end))
}

fn time(report: &Report<'_>, item: &Item) -> String {
    let pair = &item.draft.pair;
    let unknown = Life::default();
    let life = |celex| report.lives.get(celex).unwrap_or(&unknown);
    let lanes = [(&pair.target.celex, life(&pair.target.celex)), (&pair.source.celex, life(&pair.source.celex))];
    let titles: String =
        lanes.iter().filter(|(_, l)| !l.title.is_empty()).fold(String::new(), |mut out, (celex, life)| {
            let _ = write!(out, "<dt>{celex}</dt><dd>{}</dd>", Text(&life.title));
            out
        });
    let start = start(report.dataset, item);
    let drawing = timeline::draw(&timeline::Pair { lanes, start, day: item.draft.day });
    let legend = "<p class=\"legend\"><span class=\"swatch dot\"></span>published <span class=\"swatch pale\"></span>in force, \
                  not yet applicable <span class=\"swatch full\"></span>in force and applicable</p>";
    let titles = if titles.is_empty() { titles } else { format!("<dl class=\"titles\">{titles}</dl>") };
    format!("<div class=\"timeline\">{drawing}{legend}</div>{titles}")
}

fn quotes(dataset: &Dataset, item: &Item) -> String {
    let mut found: Vec<(&Quote, Vec<String>)> = Vec::new();
    for (position, option) in item.options().enumerate() {
        let letter = LETTERS[position.min(3)];
        let role = if position == item.correct_index() { "supports the key" } else { "bears on" };
        for quote in &option.support {
            let role = format!("{role} {letter}");
            match found.iter_mut().find(|(q, _)| *q == quote) {
                Some((_, roles)) => roles.push(role),
                None => found.push((quote, vec![role])),
            }
        }
    }
    found.iter().fold(String::new(), |mut out, (quote, roles)| {
        let _ = write!(out, "{}", quotation(dataset, quote, &roles.join(", ")));
        out
    })
}

fn quotation(dataset: &Dataset, quote: &Quote, role: &str) -> String {
    format!(
        "<figure class=\"quote\"><blockquote>{}</blockquote><figcaption><span class=\"role\">{role}</span> · \
         {}<br><span class=\"hash\">sha256 <code>{}</code></span></figcaption></figure>",
        Text(&quote.text),
        place(dataset, &quote.document, quote.span),
        quote.document
    )
}

fn passages(dataset: &Dataset, item: &Item) -> String {
    let support: Vec<&Quote> = item.draft.options.iter().flat_map(|o| &o.support).collect();
    let mut out = String::new();
    for passage in published_passages(item, &dataset.registry) {
        let note = if passage.as_published { " · as published; the act was changed later" } else { "" };
        let text = if passage.text.is_empty() {
            "<i>blank: both documents are used up</i>".to_string()
        } else {
            highlighted(passage, &support)
        };
        let _ = write!(
            out,
            "<div class=\"passage\"><h4>{} <span class=\"quiet\">bytes {} to {}{note}</span></h4><p>{text}</p></div>",
            passage.celex,
            count(passage.span.start),
            count(passage.span.end)
        );
    }
    out
}

/// The passage's words, with those that support or refute an option marked.
fn highlighted(passage: &Passage, support: &[&Quote]) -> String {
    let inside = |q: &&&Quote| q.document == passage.document && passage.span.contains(&q.span) && !q.text.is_empty();
    let found =
        support.iter().filter(inside).filter_map(|q| passage.text.find(&q.text).map(|at| (at, at + q.text.len())));
    let mut ranges: Vec<(usize, usize)> = found.collect();
    ranges.sort_unstable();
    let (mut out, mut at) = (String::new(), 0);
    for (start, end) in ranges {
        let start = start.max(at);
        if start < end {
            let _ = write!(out, "{}<mark>{}</mark>", Text(&passage.text[at..start]), Text(&passage.text[start..end]));
            at = end;
        }
    }
    let _ = write!(out, "{}", Text(&passage.text[at..]));
    out
}
