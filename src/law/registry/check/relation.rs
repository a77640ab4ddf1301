//! What makes a relation unusable.

use super::super::error::{RegistryError, Step};
use super::super::{ClausePlace, Ontology, RelationSpec};
use super::Check;
use crate::law::{Effect, Extent};

/// A name that a relation has, what it is to it, and where it stands in its table.
struct Naming<'s> {
    name: &'s str,
    is: &'static str,
    path: Vec<Step<'s>>,
}

/// All names of a relation, its own first.
fn names(spec: &RelationSpec) -> Vec<Naming<'_>> {
    let mut all = vec![Naming { name: spec.name.as_str(), is: "name", path: vec!["name".into()] }];
    let lists = [
        ("inverse_names", "inverse name", &spec.inverse_names),
        ("predicates", "predicate", &spec.predicates),
        ("inverses", "inverse predicate", &spec.inverses),
    ];
    for (key, is, list) in lists {
        all.extend(list.iter().enumerate().map(|(i, name)| Naming { name, is, path: vec![key.into(), i.into()] }));
    }
    if let Some(published) = &spec.published {
        let path = vec!["published".into(), "name".into()];
        all.push(Naming { name: &published.name, is: "published name", path });
    }
    all
}

impl Check<'_, '_> {
    /// An error in the `i`th relation of the file.
    fn at(&self, i: usize, path: &[Step<'_>], message: impl Into<String>) -> RegistryError {
        let path: Vec<Step<'_>> = [Step::Key("relation"), i.into()].into_iter().chain(path.iter().copied()).collect();
        self.places.error(&path, message)
    }

    pub(super) fn relation(&mut self, i: usize, spec: &RelationSpec) {
        self.collisions(i, spec);
        self.published(i, spec);
        self.parameters(i, spec);
        self.inverses(i, spec);
        self.direction(i, spec);
        self.predicates(i, spec);
        self.clauses(i, spec);
    }

    /// A name means one relation, one way round.
    fn collisions(&mut self, i: usize, spec: &RelationSpec) {
        let own = names(spec);
        for (n, naming) in own.iter().enumerate() {
            let same = |other: &str| other.eq_ignore_ascii_case(naming.name);
            let mut others =
                self.examined.registry.relations.iter().flat_map(|r| names(r).into_iter().map(move |o| (r, o)));
            let elsewhere = others.find(|(_, o)| same(o.name)).map(|(r, o)| (r.name.to_string(), o.is));
            // The published name may be the own one, or, turned round, the inverse one.
            let may = |other: &Naming<'_>| {
                let inverted = spec.published.as_ref().is_some_and(|p| p.inverted);
                naming.is == "published name"
                    && matches!((other.is, inverted), ("name", false) | ("inverse name", true))
            };
            let here = own[..n].iter().find(|o| same(o.name) && !may(o)).map(|o| (spec.name.to_string(), o.is));
            let Some((of, is)) =
                elsewhere.or(here).filter(|_| naming.is != "published name" || naming.name != spec.name.as_str())
            else {
                continue;
            };
            let message = format!("`{}` is the {is} of `{of}` already", naming.name);
            let error = self.at(i, &naming.path, message).because(
                format!("as {} of `{}` it would mean two things in tables, notices and rows", naming.is, spec.name),
                format!("another {}, or define `{of}` anew in a later file under its own name", naming.is),
            );
            self.fault(error);
        }
    }

    fn published(&mut self, i: usize, spec: &RelationSpec) {
        let Some(published) = &spec.published else { return };
        let path = &["published".into()];
        if published.inverted && published.name == spec.name.as_str() {
            let message =
                format!("published rows of `{}` cannot stand the other way round under its forward name", spec.name);
            let error = self.at(i, path, message).because(
                "a row `a name b` says that a acts on b; turned round it needs a name that says so",
                "published = { name = \"<its inverse name>\", inverted = true }",
            );
            self.fault(error);
        }
        if !published.inverted && spec.inverse_names.contains(&published.name) {
            let message =
                format!("`{}` is an inverse name, but its published rows are said to stand forward", published.name);
            let error = self.at(i, path, message).because(
                "the same word would name the relation in both directions",
                format!("published = {{ name = \"{}\", inverted = true }}", published.name),
            );
            self.fault(error);
        }
    }

    /// Parameters that the effect has no use for contradict it.
    fn parameters(&mut self, i: usize, spec: &RelationSpec) {
        let effect = spec.effect;
        if spec.from_beginning && effect != Effect::Rewrites {
            let error =
                self.at(i, &["from_beginning".into()], format!("`from_beginning` contradicts the effect `{effect}`"));
            let why = match effect {
                Effect::Voids => "what voids an act reaches back to its beginning by itself",
                Effect::None => "a relation without effect begins nothing",
                _ => {
                    "such an effect has a first day of its own; only what rewrites (a correction) counts from the beginning"
                }
            };
            self.fault(error.because(why, "leave it out, or effect = \"rewrites\""));
        }
        if spec.dimension.is_some() && !matches!(effect, Effect::Widens | Effect::Narrows) {
            let error = self.at(i, &["dimension".into()], format!("`dimension` contradicts the effect `{effect}`"));
            self.fault(error.because(
                "it says to whom, to what, where or when an act comes to apply, or no longer does",
                "leave it out, or effect = \"widens\" or \"narrows\"",
            ));
        }
        if spec.default_extent != Extent::Unknown
            && matches!(effect, Effect::Supplements | Effect::Rewrites | Effect::None)
        {
            let message = format!("`default_extent` contradicts the effect `{effect}`");
            let why = match effect {
                Effect::Supplements => "a supplement touches nothing of its target, whole or in part",
                Effect::Rewrites => "what rewrites touches units, and a bare row does not say which",
                _ => "a relation without effect touches nothing",
            };
            let error = self.at(i, &["default_extent".into()], message);
            self.fault(error.because(why, "leave it out"));
        }
    }

    /// Notices state a relation from either end: without its inverse, half of them is lost.
    fn inverses(&mut self, i: usize, spec: &RelationSpec) {
        let known = spec.predicates.iter().find_map(|p| Some((p, self.measure.ontology?.inverse_of(p)?)));
        let written = self.places.has(&["relation".into(), i.into(), "inverses".into()]);
        let write = match known {
            Some((_, inverse)) => format!("inverses = [\"{inverse}\"]"),
            None => "inverses = [\"…_by_…\"], or inverses = [] where the register has none".to_string(),
        };
        if spec.predicates.is_empty() && !spec.inverses.is_empty() {
            let error = self.at(
                i,
                &["inverses".into()],
                format!("`{}` has an inverse predicate and no forward one", spec.name),
            );
            self.fault(error.because("edges are asked for and stored forward", "predicates = [\"…\"]"));
        } else if !spec.predicates.is_empty() && spec.inverses.is_empty() && (!written || known.is_some()) {
            let path: &[Step<'_>] = if written { &["inverses".into()] } else { &["predicates".into()] };
            let error = self.at(i, path, format!("`{}` has a predicate and no inverse", spec.name));
            let why = "the notice of the act acted upon states the relation by its inverse, which is folded in";
            self.fault(error.because(why, write));
        } else if let Some((forward, inverse)) =
            known.filter(|(_, inverse)| !spec.inverses.iter().any(|i| i == inverse))
        {
            let message = format!("the inverse of `{forward}` in the CDM is `{inverse}`");
            let error = self.at(i, &["inverses".into()], message);
            self.examined.warnings.push(error.because("", write));
        } else if let Some(n) = spec.inverses.iter().position(|inverse| !by_habit(&spec.predicates, inverse)) {
            let known =
                |o: &Ontology| spec.predicates.iter().any(|p| o.inverse_of(p) == Some(spec.inverses[n].as_str()));
            if !self.measure.ontology.is_some_and(known) {
                let error = self.at(
                    i,
                    &["inverses".into(), n.into()],
                    format!("`{}` is no inverse as the CDM writes them", spec.inverses[n]),
                );
                let why = "they turn subject and object round: `a_verbs_b` and `b_verbed_by_a`";
                self.examined.warnings.push(error.because(why, ""));
            }
        }
    }

    /// What an effect does, the first act of an edge does to the second: a predicate that runs the other way round
    /// would have the act acted upon do it.
    fn direction(&mut self, i: usize, spec: &RelationSpec) {
        let Some(ontology) = self.measure.ontology else { return };
        for naming in &names(spec) {
            let (runs, list, other) = match naming.is {
                "predicate" => match ontology.forward_of(naming.name) {
                    Some(forward) => ("from the act acted upon to the acting act", "inverses", Some(forward)),
                    None => continue,
                },
                "inverse predicate" if ontology.is_forward(naming.name) => {
                    ("from the acting act to the one acted upon", "predicates", ontology.inverse_of(naming.name))
                }
                _ => continue,
            };
            let message = format!("`{}` runs {runs}", naming.name);
            let there = other.map_or(String::new(), |other| format!(", and `{other}` here"));
            let error = self.at(i, &naming.path, message).because(
                format!("the effect `{}` is done by the first act of an edge to the second", spec.effect),
                format!("it under `{list}`{there}"),
            );
            self.fault(error);
        }
    }

    /// Predicates are names of the register: one that it does not have finds nothing, ever.
    fn predicates(&mut self, i: usize, spec: &RelationSpec) {
        let Some(ontology) = self.measure.ontology else { return };
        for naming in names(spec).iter().filter(|n| n.is.ends_with("predicate") && !ontology.has(n.name)) {
            let message = format!("`{}` is no predicate of the CDM", naming.name);
            let write = match ontology.nearest(naming.name) {
                Some(near) => format!("`{near}`, if that is meant"),
                None => "one of those in rubrics/cdm.toml; a register of your own may have others: lay your own cdm.toml over it".to_string(),
            };
            let why = "a predicate that no register has finds no edge, and nothing else would tell";
            let error = self.at(i, &naming.path, message).because(why, write);
            self.examined.strangers.push((naming.name.to_string(), error));
        }
    }

    fn clauses(&mut self, i: usize, spec: &RelationSpec) {
        let effect = spec.effect;
        for (n, clause) in spec.clauses.iter().enumerate() {
            let has = |slot: &str| clause.pattern.as_str().contains(slot);
            let mut wrong = |slot: &str, message: String, why: &str, write: &str| {
                let path = [Step::Key("relation"), i.into(), "clauses".into(), n.into(), "pattern".into()];
                let error = self.places.error_in(&path, slot, message);
                self.examined.errors.push(error.because(why, write));
            };
            if clause.pattern.regex().is_match("") {
                wrong(
                    "",
                    "this pattern matches where nothing is said".to_string(),
                    "",
                    "the words that express the relation",
                );
            }
            if clause.place == ClausePlace::Title && !has("<target>") {
                wrong(
                    "",
                    "a pattern for titles must name its `<target>`".to_string(),
                    "a title has no sentence before it that could",
                    "<target>",
                );
            }
            // Of an end it is the last day inside: "shall cease to have effect on <until>".
            let lasts = [Effect::Ends, Effect::Prolongs, Effect::Widens, Effect::Narrows, Effect::Pauses];
            if has("<until>") && !lasts.contains(&effect) {
                let message = format!("`<until>` contradicts the effect `{effect}`, which has no last day");
                wrong("<until>", message, "", "<day>");
            }
            if effect == Effect::Prolongs && !has("<until>") {
                let message = "a prolongation is read only with its new last day".to_string();
                wrong("", message, "without `<until>` this pattern finds nothing", "<until> where the day stands");
            }
            if has("<words>") && !matches!(effect, Effect::Widens | Effect::Narrows) {
                let message = format!("`<words>` contradicts the effect `{effect}`");
                wrong(
                    "<words>",
                    message,
                    "they say to whom or what an act comes to apply, or no longer does",
                    "[^.;]*",
                );
            }
            for one in ["<old>", "<new>"] {
                if has(one) && effect != Effect::Rewrites {
                    let message = format!("`{one}` contradicts the effect `{effect}`, which changes no words");
                    wrong(one, message, "", "<quote>");
                }
            }
            // Without `<old>`, a provision is replaced as a whole.
            if has("<old>") && !has("<new>") && effect == Effect::Rewrites {
                let why = "a replacement has words before and after";
                wrong("<old>", "`<old>` needs `<new>`".to_string(), why, "<new>");
            }
        }
    }
}

/// Whether an inverse turns round one of the predicates as the CDM does.
fn by_habit(predicates: &[String], inverse: &str) -> bool {
    let turned = |forward: &String| {
        let steps = || forward.match_indices('_').map(|(at, _)| at);
        let object = steps().any(|at| inverse.starts_with(&format!("{}_", &forward[at + 1..])));
        let subject = steps().any(|at| inverse.ends_with(&format!("_{}", &forward[..at])));
        object && subject
    };
    predicates.iter().any(turned)
}
