//! The published `id` of a row: written for a pair, and read back by the grammar of [`PublishedId`].

use super::Pair;
use crate::law::{PublishedId, PublishedIdError, Registry};

/// The published `id` of a pair, its ends in the published order.
pub fn published_id(pair: &Pair, registry: &Registry) -> String {
    PublishedId::of(&pair.source, &pair.relation, &pair.target, registry).to_string()
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
    let read: PublishedId = id.parse()?;
    let unknown = || PublishedIdError { id: id.to_string(), why: "no relation of the registry has this name" };
    let (source, relation, target) = read.forward(registry).ok_or_else(unknown)?;
    Ok(Pair { source: source.clone(), relation, target: target.clone() })
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
            let id = format!("complex_legallink_{id}");
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
