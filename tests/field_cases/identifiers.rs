//! Arms of the `identifiers` cases: each a call into a room and a mapping of names.

use legal_link::law::{Answer, Celex, Citation, Eli, JournalReference, Language, choose, cite, references};
use legal_link::source::Lookup;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The answer of the code to one case; `None` where the kind has no arm yet.
pub fn answer(kind: &str, input: &Value) -> Option<Value> {
    let text = |field: &str| input[field].as_str().unwrap_or_default();
    Some(match kind {
        "parse_celex" => parse_celex(text("celex")),
        "valid_sectors" => json!({"sectors": Celex::SECTORS}),
        "celex_valid" => {
            let celex = text("celex");
            json!({"valid": celex.parse::<Celex>().is_ok(), "suggest": Celex::suggest(celex)})
        }
        "celex_normalise" => json!({"celex": Celex::normalise(text("raw"))}),
        "celex_from_short" => json!({"celex": Celex::from_short(text("raw"))}),
        "celex_from_uri" => json!({"celex": Celex::from_uri(text("uri"))}),
        "url_path" => json!({"path": celex(&input["celex"]).map(|c| c.url_path())}),
        "file_slugs" => file_slugs(&input["celex"]),
        "cite" => {
            let found = cite(text("text"));
            json!({"celex": acts(&found), "reason": found.iter().find_map(|c| c.reason)})
        }
        "cite_no_hit" => json!({"celex": acts(&cite(text("text")))}),
        "case_to_celex" => json!({"celex": acts(&cite(text("text"))).first()}),
        "eli_to_celex" => json!({"celex": text("eli").parse::<Eli>().ok().and_then(|eli| eli.celex())}),
        "choose_candidate" => choose_candidate(input),
        "com_to_candidates" => {
            let found = cite(text("text")).into_iter().next();
            let candidates = found.as_ref().map(|c| c.candidates.clone()).unwrap_or_default();
            json!({"celex": found.and_then(|c| c.celex), "candidates": candidates})
        }
        "oj_to_celex" => {
            let reason = text("oj").parse::<JournalReference>().ok().map(|journal| journal.candidates().1);
            json!({"celex": null, "reason": reason})
        }
        "article_label" => {
            let found = cite(text("text")).into_iter().next();
            let article = found.as_ref().and_then(|c| c.parts.first().cloned());
            json!({"article": article, "celex": found.and_then(|c| c.celex)})
        }
        "failed_lookup" => failed_lookup(input),
        "anaphora" => json!({"targets": anaphora(text("text"))}),
        _ => return None,
    })
}

fn celex(value: &Value) -> Option<Celex> {
    value.as_str()?.parse().ok()
}

fn acts(found: &[Citation]) -> Vec<&Celex> {
    found.iter().filter_map(|c| c.celex.as_ref()).collect()
}

fn parse_celex(text: &str) -> Value {
    let Ok(celex) = text.parse::<Celex>() else { return json!({"class": null}) };
    let parts = celex.parts();
    json!({
        "class": parts.class,
        "sector": parts.sector,
        "year": parts.year,
        "type": parts.kind,
        "number": parts.number,
        "serial": parts.serial,
        "corrigendum": parts.corrigendum,
        "version_date": parts.version,
        "nim_country": parts.measure.map(|m| m.0),
        "nim_number": parts.measure.map(|m| m.1),
        "tail": parts.tail,
        "base": celex.base(),
    })
}

/// A property: slugs hold no separators, differ, and lead back.
fn file_slugs(given: &Value) -> Value {
    let given: Vec<Celex> = given.as_array().into_iter().flatten().filter_map(celex).collect();
    let slugs: Vec<String> = given.iter().map(Celex::slug).collect();
    json!({
        "path_separators": slugs.iter().map(|s| s.matches(['/', '\\']).count()).sum::<usize>(),
        "all_distinct": slugs.iter().collect::<BTreeSet<_>>().len() == slugs.len(),
        "round_trip": given.iter().zip(&slugs).all(|(celex, slug)| Celex::from_slug(slug).as_ref() == Ok(celex)),
    })
}

fn failed_lookup(input: &Value) -> Value {
    let asked = celex(&input["celex"]).expect("a CELEX number");
    let status = input["http"].as_u64().and_then(|status| status.try_into().ok()).unwrap_or_default();
    let accept = input["accept"].as_str().unwrap_or_default();
    let language = input["language"].as_str().and_then(Language::from_code);
    let found = Lookup { status, accept, language }.of(&asked);
    let exists = match found.exists {
        Answer::Yes => "yes",
        Answer::No => "no",
        Answer::Unknown => "unknown",
    };
    json!({"exists": exists, "rewritten": (found.celex != asked).then_some(found.celex)})
}

fn choose_candidate(input: &Value) -> Value {
    let titles = input["titles"].as_object().into_iter().flatten();
    let titles: Vec<(Celex, &str)> =
        titles.filter_map(|(celex, title)| Some((celex.parse().ok()?, title.as_str()?))).collect();
    let chosen =
        choose(input["text"].as_str().unwrap_or_default(), titles.iter().map(|(celex, title)| (celex, *title)));
    json!({"celex": chosen})
}

fn anaphora(text: &str) -> Vec<Value> {
    let found = references(text, None);
    let short = found.iter().filter(|c| c.short);
    short.flat_map(|c| c.parts.iter().map(move |part| json!({"target": c.nearest(), "article": part}))).collect()
}
