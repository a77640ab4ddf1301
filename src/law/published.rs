//! The ids of the published dataset: `complex_legallink_{source}_{target}_{relation}`.

use super::{Endpoint, Registry, RelationType};
use std::fmt;
use std::str::FromStr;

const PREFIX: &str = "complex_legallink_";

/// A published id, read by the grammar of its ends (acts, parts and brackets hold `_` too) and printed back unchanged.
///
/// ```
/// use legal_link::law::PublishedId;
/// let text = "complex_legallink_32023R2081_article_2f_32014R0833_extends_application";
/// let id: PublishedId = text.parse().unwrap();
/// assert_eq!((id.source.to_string(), id.target.to_string()), ("32023R2081#2f".into(), "32014R0833".into()));
/// assert_eq!(id.relation, "extends_application");
/// assert_eq!(id.to_string(), text);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PublishedId {
    /// The first end.
    pub source: Endpoint,
    /// The second end.
    pub target: Endpoint,
    /// The relation by its published name.
    pub relation: String,
}

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

impl PublishedId {
    /// The statement in its forward direction: acting act, relation, act acted upon. None if the registry does not
    /// know the relation.
    pub fn forward(&self, registry: &Registry) -> Option<(&Endpoint, RelationType, &Endpoint)> {
        let (relation, inverted) = registry.by_any_name(&self.relation)?;
        let (source, target) = if inverted { (&self.target, &self.source) } else { (&self.source, &self.target) };
        Some((source, relation, target))
    }

    /// The id of a statement in forward direction.
    pub fn of(source: &Endpoint, relation: &RelationType, target: &Endpoint, registry: &Registry) -> Self {
        let (name, inverted) = registry.published(relation);
        let (source, target) = if inverted { (target, source) } else { (source, target) };
        Self { source: source.clone(), target: target.clone(), relation: name.to_string() }
    }
}

impl FromStr for PublishedId {
    type Err = PublishedIdError;
    fn from_str(text: &str) -> Result<Self, PublishedIdError> {
        let wrong = |why| PublishedIdError { id: text.chars().take(200).collect(), why };
        let ends = text.strip_prefix(PREFIX).ok_or_else(|| wrong("it begins otherwise"))?;
        let (source, target, rest) =
            two_ends(ends).ok_or_else(|| wrong("its ends are not two acts or parts of acts"))?;
        let relation = rest.strip_prefix('_').unwrap_or_default();
        let named = !relation.is_empty() && relation.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        if named {
            Ok(Self { source, target, relation: relation.to_string() })
        } else {
            Err(wrong("it ends with no relation"))
        }
    }
}

fn two_ends(text: &str) -> Option<(Endpoint, Endpoint, &str)> {
    let (source, rest) = Endpoint::published_head(text)?;
    let (target, rest) = Endpoint::published_head(rest.strip_prefix('_')?)?;
    Some((source, target, rest))
}

impl fmt::Display for PublishedId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}_{}_{}", self.source.published(), self.target.published(), self.relation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_ids_are_read_and_printed_back() {
        let rows = [
            ("32023R2081_article_2f_32014R0833_extends_application", "32023R2081#2f", "32014R0833"),
            ("31985R1672_52014XC0312(01)_rendered_obsolete_by", "31985R1672", "52014XC0312(01)"),
            ("31987R0569_31985R3143_article_5.4_completes", "31987R0569", "31985R3143#5(4)"),
            ("32000L0048_31986L0362_annex_2_completes", "32000L0048", "31986L0362#Annex 2"),
            ("32008R0950R(01)_32008R0950_corrects", "32008R0950R(01)", "32008R0950"),
            ("31987R9001_annex_31985R9002_annex_repeals", "31987R9001#Annex", "31985R9002#Annex"),
            ("72013L0036GBR_123456_32013L0036_implements", "72013L0036GBR_123456", "32013L0036"),
            ("62012CJ0131_SUM_31995L0046_article_12_cites", "62012CJ0131_SUM", "31995L0046#12"),
            ("12016E/TXT_32016R0679_annex_IV.2_cites", "12016E/TXT", "32016R0679#Annex IV(2)"),
        ];
        for (tail, source, target) in rows {
            let text = format!("{PREFIX}{tail}");
            let id: PublishedId = text.parse().unwrap_or_else(|e| panic!("{e}"));
            assert_eq!((id.source.to_string().as_str(), id.target.to_string().as_str()), (source, target), "{text}");
            assert_eq!(id.to_string(), text);
        }
        for tail in [
            "",
            "32008R0950",
            "32008R0950_32008R0951",
            "32008R0950_32008R0951_",
            "32008R0950__32008R0951_repeals",
            "x_y_z",
        ] {
            assert!(format!("{PREFIX}{tail}").parse::<PublishedId>().is_err(), "{tail}");
        }
    }

    fn end() -> impl Strategy<Value = String> {
        let celex = prop::sample::select(vec![
            "32016R0679",
            "32016R0679R(02)",
            "72013L0036GBR_12",
            "12016E/TXT",
            "C2002/074/07",
        ]);
        let part =
            prop::sample::select(vec!["", "#7", "#8(3)", "#2f(a)", "#Annex", "#Annex IV", "#Chapter II", "#Title III"]);
        (celex, part).prop_map(|(celex, part)| format!("{celex}{part}"))
    }

    proptest! {
        #[test]
        fn ends_and_ids_round_trip(source in end(), target in end(), relation in "[a-z]{3,9}(_[a-z]{2,5})?") {
            let (source, target): (Endpoint, Endpoint) = (source.parse().expect("an end"), target.parse().expect("an end"));
            prop_assert_eq!(Endpoint::from_published(&source.published()), Ok(source.clone()));
            prop_assert_eq!(source.to_string().parse::<Endpoint>(), Ok(source.clone()));
            let id = PublishedId { source, target, relation };
            let no_division = !["part", "title", "annex", "article"].iter().any(|w| id.relation == *w || id.relation.starts_with(&format!("{w}_")));
            if no_division {
                prop_assert_eq!(id.to_string().parse::<PublishedId>(), Ok(id));
            }
        }

        #[test]
        fn no_text_is_too_odd(text in "(complex_legallink_)?[0-9A-Za-z_().#/]{0,60}") {
            if let Ok(id) = text.parse::<PublishedId>() {
                prop_assert_eq!(id.to_string(), text);
            }
        }
    }
}
