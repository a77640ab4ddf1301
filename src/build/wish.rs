//! From a manifest to what the sampler is asked for.

use super::{Manifest, bounded};
use crate::dataset::Pair;
use crate::law::{Registry, RelationType, Span};
use crate::parse::{self, Parsed, Tables};
use crate::sample::Wish;
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
    /// Two quotas for one relation, under different names of it.
    #[error("[quotas] names `{relation}` twice, once as `{name}`: keep one of the two")]
    Twice {
        /// The relation.
        relation: RelationType,
        /// The name that came second.
        name: String,
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

/// What the sampler is asked for.
///
/// # Errors
/// [`WishError`].
pub(super) fn wish(manifest: &Manifest, folder: &Path, registry: &Registry) -> Result<Wish, WishError> {
    let year = |y: i32| u16::try_from(y.max(0)).unwrap_or(u16::MAX);
    Ok(Wish {
        quotas: quotas(manifest, registry)?,
        named: list(manifest, folder)?.map(|(path, text)| named(&path, &text, registry)).transpose()?,
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
    let mut quotas = BTreeMap::new();
    for wanted in &manifest.quotas {
        let (relation, quota) = one(wanted)?;
        if quotas.insert(relation.clone(), quota).is_some() {
            return Err(WishError::Twice { relation, name: wanted.0.clone() });
        }
    }
    Ok(quotas)
}

/// The text of the list of pairs, where the manifest names one.
pub(super) fn list(manifest: &Manifest, folder: &Path) -> Result<Option<(PathBuf, String)>, WishError> {
    let Some(list) = &manifest.scope.pairs else { return Ok(None) };
    let path = folder.join(list);
    match bounded::text(&path) {
        Ok(text) => Ok(Some((path, text))),
        Err(e) => Err(WishError::Pairs { path, why: e.to_string() }),
    }
}

/// The pairs of a CSV list, forward, in its order; a list in the published order has its own column names, and a
/// table of register rows is a list of pairs as well.
fn named(path: &Path, text: &str, registry: &Registry) -> Result<Vec<Pair>, WishError> {
    let wrong = |why: String| WishError::Pairs { path: path.to_path_buf(), why };
    let at = |span: Span| format!("line {}", text[..span.start.min(text.len())].matches('\n').count() + 1);
    let name = path.to_string_lossy();
    let Parsed { value: Tables { rows, pairs, .. }, warnings } =
        parse::table(&name, text.as_bytes(), registry, |_| None).map_err(|e| wrong(e.to_string()))?;
    if let Some(warning) = warnings.first() {
        return Err(wrong(format!("{}: {}", at(warning.span), warning.message)));
    }
    if let Some(pair) = pairs.iter().find(|p| p.source.part.is_some() || p.target.part.is_some()) {
        return Err(wrong(format!("{}: a pair names whole acts, not parts", at(pair.locus.span))));
    }
    let rows =
        rows.into_iter().map(|r| Pair { source: r.source.into(), relation: r.relation, target: r.target.into() });
    let pairs = pairs.into_iter().map(|p| Pair { source: p.source, relation: p.relation, target: p.target });
    Ok(pairs.chain(rows).collect())
}

#[cfg(test)]
mod tests {
    use super::super::Rubrics;
    use super::*;

    fn asked(text: &str, folder: &Path) -> Result<Wish, WishError> {
        let manifest = Manifest::parse(Path::new("dataset.toml"), text).unwrap();
        wish(&manifest, folder, &Rubrics::shipped().registry().unwrap())
    }

    #[test]
    fn a_relation_has_one_quota_under_whatever_name() {
        let error = asked("name = \"x\"\n[quotas]\nrepeals = 1\nrepealed_by = 2\n", Path::new(".")).unwrap_err();
        assert!(error.to_string().contains("twice"), "{error}");
    }

    #[test]
    fn years_before_all_law_and_after_it_bound_nothing() {
        let wish = asked("name = \"x\"\n[scope]\nfrom = -5\nto = 99999999\n", Path::new(".")).unwrap();
        assert_eq!(wish.years, Some(0..=u16::MAX));
    }

    #[test]
    fn a_list_of_pairs_that_cannot_be_read_is_named() {
        let error = asked("name = \"x\"\n[scope]\npairs = \"/dev/zero\"\n", Path::new(".")).unwrap_err();
        assert!(error.to_string().contains("/dev/zero"), "{error}");
    }
}
