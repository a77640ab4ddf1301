//! The published `id` of a row: written for a pair, and read back by its grammar.
//!
//! ```text
//! id   = "complex_legallink_" end "_" end "_" relation
//! end  = CELEX [ "_" division [ "_" label { "." step } ] ]
//! ```
//! Ends may be parts of acts and relations have underscores of their own, so an id can never be cut at its
//! first or last underscore.

use super::Pair;
use crate::law::{Celex, Division, Endpoint, Part, Registry};

const PREFIX: &str = "complex_legallink_";

const DIVISIONS: [(Division, &str); 8] = [
    (Division::Article, "article"),
    (Division::Annex, "annex"),
    (Division::Chapter, "chapter"),
    (Division::Title, "title"),
    (Division::Section, "section"),
    (Division::Part, "part"),
    (Division::Protocol, "protocol"),
    (Division::Recital, "recital"),
];

/// Why a text is no published id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{id}` is no published id: {why} (want {PREFIX}SOURCE_TARGET_RELATION, as complex_legallink_32009R1135_32008D0798_repeals)"
)]
pub struct PublishedIdError {
    /// The text.
    pub id: String,
    /// What is wrong with it.
    pub why: &'static str,
}

/// The published `id` of a pair, its ends in the published order.
pub fn published_id(pair: &Pair, registry: &Registry) -> String {
    let (relation, inverted) = registry.published(&pair.relation);
    let (source, target) = ends(pair, inverted);
    format!("{PREFIX}{}_{}_{relation}", written(source), written(target))
}

/// The pair that a published `id` names, turned into the forward direction.
///
/// ```
/// use legal_link::dataset::{published_id, read_published_id};
/// use legal_link::law::Registry;
/// let registry = Registry::parse([("r", "[[relation]]\nname = \"completes\"\nlabel = \"completes\"\neffect = \"supplements\"")]).unwrap();
/// let id = "complex_legallink_31987R0569_31985R3143_article_5.4_completes";
/// let pair = read_published_id(id, &registry).unwrap();
/// assert_eq!(pair.target.to_string(), "31985R3143#5(4)");
/// assert_eq!(published_id(&pair, &registry), id);
/// ```
///
/// # Errors
/// [`PublishedIdError`] if it does not follow the grammar, or no relation of the registry has its name.
pub fn read_published_id(id: &str, registry: &Registry) -> Result<Pair, PublishedIdError> {
    let wrong = |why| PublishedIdError { id: id.to_string(), why };
    let rest = id.strip_prefix(PREFIX).ok_or_else(|| wrong("it begins otherwise"))?;
    let mut named = false;
    // `…_implicitly_repeals` also ends with `_repeals`: the reading whose ends are ends is the right one.
    for spec in registry.relations() {
        let (name, inverted) = registry.published(&spec.name);
        let Some(both) = rest.strip_suffix(name).and_then(|r| r.strip_suffix('_')) else { continue };
        named = true;
        let words: Vec<&str> = both.split('_').collect();
        if let Some((first, after)) = read(&words)
            && let Some((second, [])) = read(after)
        {
            let (source, target) = if inverted { (second, first) } else { (first, second) };
            return Ok(Pair { source, relation: spec.name.clone(), target });
        }
    }
    Err(wrong(if named {
        "its ends are not two acts or parts of acts"
    } else {
        "no relation of the registry has this name"
    }))
}

/// Source and target in the published order.
pub(super) fn ends(pair: &Pair, inverted: bool) -> (&Endpoint, &Endpoint) {
    if inverted { (&pair.target, &pair.source) } else { (&pair.source, &pair.target) }
}

fn written(end: &Endpoint) -> String {
    let Some(part) = &end.part else { return end.celex.to_string() };
    let word = DIVISIONS.iter().find(|(d, _)| *d == part.division()).map_or("part", |(_, word)| *word);
    let labels = std::iter::once(part.label()).chain(part.steps().iter().map(String::as_str));
    let path = labels.filter(|l| !l.is_empty()).collect::<Vec<_>>().join(".");
    if path.is_empty() { format!("{}_{word}", end.celex) } else { format!("{}_{word}_{path}", end.celex) }
}

/// One end at the front of the words, and the words after it.
fn read<'a, 'b>(words: &'b [&'a str]) -> Option<(Endpoint, &'b [&'a str])> {
    let (celex, after) = words.split_first()?;
    let celex: Celex = celex.parse().ok()?;
    let division = after.first().and_then(|w| DIVISIONS.iter().find(|(_, word)| word == w));
    let Some((division, _)) = division else { return Some((celex.into(), after)) };
    let after = &after[1..];
    // A label is what is no act: an annex may have none.
    let path = after.first().filter(|w| w.parse::<Celex>().is_err());
    let mut labels = path.into_iter().flat_map(|p| p.split('.'));
    let label = labels.next().unwrap_or_default();
    let part = Part::new(*division, label, labels.map(str::to_string).collect()).ok()?;
    Some((Endpoint { celex, part: Some(part) }, &after[usize::from(path.is_some())..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registry() -> Registry {
        Registry::parse([("relations.toml", include_str!("../../rubrics/relations.toml"))]).expect("our registry")
    }

    #[test]
    fn published_ids_are_read_and_written_back() {
        let registry = registry();
        for (id, source, target) in [
            ("31983R1303_31982R2834_implicitly_repeals", "31983R1303", "31982R2834"),
            ("32005D0257_32000D0256_extends_validity", "32005D0257", "32000D0256"),
            ("31985R1672_52014XC0312(01)_rendered_obsolete_by", "52014XC0312(01)", "31985R1672"),
            ("31987R0569_31985R3143_article_5.4_completes", "31987R0569", "31985R3143#5(4)"),
            ("32000L0048_31986L0362_annex_2_completes", "32000L0048", "31986L0362#Annex 2"),
            ("32008R0950R(01)_32008R0950_corrects", "32008R0950R(01)", "32008R0950"),
            ("32023R2081_article_2f_32014R0833_extends_application", "32023R2081#2f", "32014R0833"),
            ("32001R9001_annex_32002R9002_annex_repeals", "32001R9001#Annex", "32002R9002#Annex"),
        ] {
            let id = format!("{PREFIX}{id}");
            let pair = read_published_id(&id, &registry).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(
                (pair.source.to_string().trim_end(), pair.target.to_string().trim_end()),
                (source, target),
                "{id}"
            );
            assert_eq!(published_id(&pair, &registry), id);
        }
    }

    #[test]
    fn what_is_no_published_id_says_why() {
        let registry = registry();
        for (id, why) in [
            ("32009R1135_32008D0798_repeals", "it begins otherwise"),
            ("complex_legallink_32009R1135_32008D0798_admires", "no relation of the registry has this name"),
            ("complex_legallink_32009R1135_repeals", "its ends are not two acts or parts of acts"),
            ("complex_legallink_32009R1135_article_32008D0798_x_repeals", "its ends are not two acts or parts of acts"),
            ("complex_legallink__repeals", "its ends are not two acts or parts of acts"),
        ] {
            assert_eq!(read_published_id(id, &registry).expect_err(id).why, why, "{id}");
        }
    }
}
