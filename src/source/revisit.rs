//! Which records a changed act makes stale.

use crate::law::{Celex, Effect, Registry, RelationType};
use std::collections::BTreeSet;

/// The acts whose records must be asked for again when an act has changed: those upon which it acts, since a repeal or an
/// amendment is written into the record of the *old* act. Relations without an effect change no record.
pub fn revisit<'a>(
    changed: &Celex,
    acted_upon: impl IntoIterator<Item = (&'a RelationType, &'a Celex)>,
    registry: &Registry,
) -> BTreeSet<Celex> {
    let acts = acted_upon.into_iter().filter(|(relation, _)| registry.effect(relation) != Effect::None);
    acts.map(|(_, target)| target).filter(|target| *target != changed).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_acts_acted_upon_are_asked_for_again_each_once() {
        let text = include_str!("../../rubrics/relations.toml");
        let registry = Registry::parse([("relations.toml", text)]).expect("the shipped registry");
        let named = |name: &str| registry.relation(name).expect("a relation of the shipped registry");
        let celex = |text: &str| text.parse::<Celex>().expect("a number");
        let (ends, rewrites, cites) = (named("repeals"), named("amends"), named("cites"));
        let (own, old, third) = (celex("32003R9012"), celex("31991R9013"), celex("31990R9001"));
        let rows = [(&ends, &old), (&rewrites, &old), (&rewrites, &own), (&cites, &third)];
        assert_eq!(revisit(&own, rows, &registry), BTreeSet::from([old.clone()]));
    }
}
