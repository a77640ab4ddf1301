//! From a manifest to what the sampler is asked for.

use super::Manifest;
use crate::dataset::Pair;
use crate::law::{Celex, Registry, RelationType};
use crate::sample::Wish;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A wish that the registry or a list of pairs does not allow.
#[derive(Debug, thiserror::Error)]
pub enum WishError {
    /// A quota for a relation that is not in the registry.
    #[error("[quotas] names `{name}`, which the registry does not have; it has: {known}")]
    Relation {
        /// The name.
        name: String,
        /// The names it could be.
        known: String,
    },
    /// The list of pairs cannot be read.
    #[error("cannot read the list of pairs {}: {why}", path.display())]
    Pairs {
        /// The file.
        path: PathBuf,
        /// What is wrong, with the line where it is known.
        why: String,
    },
}

#[derive(Deserialize)]
struct PairRow {
    #[serde(alias = "published_source")]
    source_celex: Celex,
    #[serde(alias = "published_relation")]
    relation: String,
    #[serde(alias = "published_target")]
    target_celex: Celex,
}

/// What the sampler is asked for.
///
/// # Errors
/// [`WishError`].
pub(super) fn wish(manifest: &Manifest, folder: &Path, registry: &Registry) -> Result<Wish, WishError> {
    let year = |y: i32| u16::try_from(y).unwrap_or(u16::MAX);
    Ok(Wish {
        quotas: quotas(manifest, registry)?,
        named: manifest.scope.pairs.as_ref().map(|list| named(&folder.join(list), registry)).transpose()?,
        leave_out: manifest.scope.leave_out.iter().cloned().collect(),
        years: Some(year(manifest.scope.from)..=year(manifest.scope.to)),
        roles: manifest.roles.clone(),
        seed: manifest.seed,
    })
}

/// Items wanted per relation, by the manifest, else by the registry.
pub(super) fn quotas(manifest: &Manifest, registry: &Registry) -> Result<BTreeMap<RelationType, usize>, WishError> {
    if manifest.quotas.is_empty() {
        let own = registry.asked().filter_map(|spec| Some((spec.name.clone(), spec.quota? as usize)));
        return Ok(own.collect());
    }
    let known = || registry.relations().iter().map(|r| registry.published(&r.name).0).collect::<Vec<_>>().join(", ");
    let one = |(name, quota): (&String, &u32)| match registry.by_any_name(name) {
        Some((relation, _)) => Ok((relation, *quota as usize)),
        None => Err(WishError::Relation { name: name.clone(), known: known() }),
    };
    manifest.quotas.iter().map(one).collect()
}

/// The pairs of a CSV list, forward, in its order; a list in the published order has its own column names.
fn named(path: &Path, registry: &Registry) -> Result<Vec<Pair>, WishError> {
    let wrong = |why: String| WishError::Pairs { path: path.to_path_buf(), why };
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_path(path).map_err(|e| wrong(e.to_string()))?;
    let mut pairs = Vec::new();
    for row in reader.deserialize::<PairRow>() {
        let row = row.map_err(|e| wrong(e.to_string()))?;
        let (relation, inverted) =
            registry.by_any_name(&row.relation).ok_or_else(|| wrong(format!("no relation `{}`", row.relation)))?;
        let ends = (row.source_celex, row.target_celex);
        let (source, target) = if inverted { (ends.1, ends.0) } else { ends };
        pairs.push(Pair { source: source.into(), relation, target: target.into() });
    }
    Ok(pairs)
}
