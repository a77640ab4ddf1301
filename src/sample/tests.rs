use super::{Wish, draw};
use crate::dataset::{Pair, Role};
use crate::graph::{Given, RelationGraph};
use crate::law::Registry;
use std::collections::{BTreeMap, BTreeSet};

const RELATIONS: &str = "[[relation]]\nname = \"ends\"\nlabel = \"ends\"\neffect = \"ends\"\n";

fn registry() -> Registry {
    Registry::parse([("relations.toml", RELATIONS)]).expect("a registry")
}

fn pairs(names: &[(&str, &str)], registry: &Registry) -> Vec<Pair> {
    let act = |name: &str| name.parse::<crate::law::Celex>().expect("a CELEX number").into();
    let relation = registry.relation("ends").expect("defined");
    names.iter().map(|(s, t)| Pair { source: act(s), relation: relation.clone(), target: act(t) }).collect()
}

fn drawn(names: &[(&str, &str)], roles: BTreeMap<Role, usize>, leave_out: &[&str]) -> super::Sample {
    let registry = registry();
    let graph = RelationGraph::given(Given::default(), &registry);
    let wish = Wish {
        quotas: [(registry.relation("ends").expect("defined"), 4)].into(),
        named: Some(pairs(names, &registry)),
        leave_out: leave_out.iter().map(|c| c.parse().expect("a CELEX number")).collect(),
        roles,
        seed: 7,
        ..Wish::default()
    };
    draw(&graph, &registry, &wish)
}

#[test]
fn roles_share_no_act_and_no_corrigendum() {
    let names = [
        ("32001R9001", "31991R9001"),
        ("32001R9001R(01)", "31992R9002"),
        ("32003R9003", "31992R9002"),
        ("32004R9004", "31994R9004"),
        ("32005R9005", "31995R9005"),
    ];
    let sample = drawn(&names, [(Role::Reflect, 1), (Role::Select, 3)].into(), &[]);
    let mut works: BTreeMap<Role, BTreeSet<_>> = BTreeMap::new();
    for one in &sample.pairs {
        works.entry(one.role).or_default().extend([one.pair.source.celex.base(), one.pair.target.celex.base()]);
    }
    assert_eq!(works.len(), 3, "all of test, reflect and select are used: {works:?}");
    let all: usize = works.values().map(BTreeSet::len).sum();
    assert_eq!(all, works.values().flatten().collect::<BTreeSet<_>>().len());
}

#[test]
fn an_act_left_out_takes_its_corrigenda_with_it() {
    let names = [("32001R9001", "31991R9001"), ("32001R9001R(01)", "32001R9001"), ("32004R9004", "31994R9004")];
    let sample = drawn(&names, BTreeMap::new(), &["32001R9001"]);
    assert_eq!(sample.pairs.len(), 1);
}

#[test]
fn what_is_short_is_told_by_stratum() {
    let names = [("32001R9001", "31991R9001"), ("32014L9004", "31994R9004")];
    let sample = drawn(&names, BTreeMap::new(), &[]);
    let short = sample.shortfalls(|pair| usize::from(pair.source.celex.as_str().starts_with("32001")));
    let told: Vec<_> = short.iter().map(|s| (s.stratum.as_str(), s.wanted, s.had)).collect();
    assert_eq!(told, [("ends", 4, 1), ("ends, 2000s, kind R, short", 2, 1), ("ends, 2010s, kind L, short", 2, 0)]);
}
