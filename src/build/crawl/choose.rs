//! Which pairs a crawl fetches the documents of, and which documents those are. Pure: from the register's rows alone,
//! so that a crawl that was stopped, a refreshed one and an offline build want the same.

use super::{Acting, CrawlWish};
use crate::cache::Key;
use crate::dataset::Pair;
use crate::law::{Celex, Effect, Language, RegisterRow, Registry, RelationType};
use crate::parse::Synonyms;
use crate::sample::{Wish, before_texts};
use crate::source::{DocumentKey, Kind};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A document that is wanted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Document {
    /// What the register says of an act.
    Notice(Celex),
    /// An act's text.
    Text(Celex, Language),
}

impl Document {
    /// The act.
    pub fn celex(&self) -> &Celex {
        match self {
            Self::Notice(celex) | Self::Text(celex, _) => celex,
        }
    }

    /// What a key of the cache holds, if it is a document of this kind.
    pub fn of(key: &Key) -> Option<Self> {
        let key = DocumentKey::try_from(key.clone()).ok()?;
        match key.kind() {
            Kind::Notice => Some(Self::Notice(key.celex()?)),
            Kind::Act => Some(Self::Text(key.celex()?, key.language()?)),
            Kind::Table | Kind::Pairs | Kind::Other => None,
        }
    }
}

impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Notice(celex) => write!(f, "notice of {celex}"),
            Self::Text(celex, language) => write!(f, "{language} text of {celex}"),
        }
    }
}

/// A relation's share of what is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Chosen {
    /// The relation.
    pub relation: RelationType,
    /// Pairs of it in scope.
    pub in_scope: usize,
    /// Of them, those whose documents are wanted.
    pub pairs: usize,
}

/// What a crawl wants.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    /// Each document once, pair after pair, so that a crawl that is stopped leaves whole pairs.
    pub documents: Vec<Document>,
    /// Per relation asked about.
    pub chosen: Vec<Chosen>,
    /// The ends of the pairs.
    pub ends: BTreeSet<Celex>,
    /// Acts that act on an end and are left out, since the end has more of them than are fetched.
    pub left_out: usize,
    /// The numbers of works that the register gives, by their addresses.
    pub names: Synonyms,
    /// By act: upon which acts it acts, and how.
    by: BTreeMap<Celex, BTreeSet<(RelationType, Celex)>>,
}

impl Wanted {
    /// The acts upon which an act acts.
    pub fn acted_upon<'a>(&'a self, act: &Celex) -> impl Iterator<Item = (&'a RelationType, &'a Celex)> {
        self.by.get(act).into_iter().flatten().map(|(relation, target)| (relation, target))
    }
}

/// Chooses.
pub(super) fn wanted(
    rows: &[RegisterRow],
    wish: &Wish,
    crawl: &CrawlWish,
    language: Language,
    registry: &Registry,
) -> Wanted {
    let onto = onto(rows, registry);
    let mut wanted = Wanted::default();
    for row in rows {
        wanted.by.entry(row.source.clone()).or_default().insert((row.relation.clone(), row.target.clone()));
    }
    let mut seen = BTreeSet::new();
    let in_scope = in_scope(rows, wish, language);
    for (relation, quota) in &wish.quotas {
        let pairs: Vec<Pair> = match &wish.named {
            Some(named) => named.iter().filter(|pair| &pair.relation == relation).cloned().collect(),
            None => before_texts(in_scope.get(relation).cloned().unwrap_or_default(), wish.seed),
        };
        let most = crawl.pairs.of(*quota).filter(|_| wish.named.is_none()).unwrap_or(pairs.len());
        let chosen = Chosen { relation: relation.clone(), in_scope: pairs.len(), pairs: pairs.len().min(most) };
        wanted.chosen.push(chosen);
        for end in pairs.into_iter().take(most).flat_map(|pair| [pair.source.celex, pair.target.celex]) {
            if wanted.ends.insert(end.clone()) {
                let acting = onto.get(&end).map_or(&[][..], Vec::as_slice);
                let few = &acting[..acting.len().min(crawl.acting_per_act)];
                wanted.left_out += acting.len() - few.len();
                let own = [Document::Notice(end.clone()), Document::Text(end, language)];
                let theirs = few.iter().flat_map(|act| match crawl.acting {
                    Acting::Notices => vec![Document::Notice(act.clone())],
                    Acting::Texts => vec![Document::Notice(act.clone()), Document::Text(act.clone(), language)],
                });
                let new = |document: &Document| seen.insert(document.clone());
                wanted.documents.extend(own.into_iter().chain(theirs).filter(new));
            }
        }
    }
    wanted
}

/// By act: the acts that act on it in a way that bears on what its status is, the newest first.
fn onto(rows: &[RegisterRow], registry: &Registry) -> BTreeMap<Celex, Vec<Celex>> {
    let mut onto: BTreeMap<Celex, BTreeSet<Celex>> = BTreeMap::new();
    for row in rows.iter().filter(|row| registry.effect(&row.relation) != Effect::None && row.source != row.target) {
        onto.entry(row.target.clone()).or_default().insert(row.source.clone());
    }
    let newest_first = |acts: BTreeSet<Celex>| {
        let mut acts: Vec<Celex> = acts.into_iter().collect();
        acts.sort_by(|a, b| (b.year(), b).cmp(&(a.year(), a)));
        acts
    };
    onto.into_iter().map(|(act, acts)| (act, newest_first(acts))).collect()
}

/// The pairs that can be asked about, by relation: whole acts, in the years wanted, neither left out, and not where the
/// register says that only texts in other languages are concerned.
fn in_scope(rows: &[RegisterRow], wish: &Wish, language: Language) -> BTreeMap<RelationType, BTreeSet<Pair>> {
    let left_out: BTreeSet<Celex> = wish.leave_out.iter().map(Celex::base).collect();
    let fit = |celex: &Celex| !left_out.contains(&celex.base()) && !celex.is_consolidated() && !celex.is_proposal();
    let year = |celex: &Celex| wish.years.as_ref().is_none_or(|years| celex.year().is_some_and(|y| years.contains(&y)));
    // An edge may have several rows; one that names this language, or none that names any, is enough.
    let mut spoken: BTreeMap<(&RelationType, &Celex, &Celex), Option<bool>> = BTreeMap::new();
    for row in rows {
        let fits = fit(&row.source) && fit(&row.target) && year(&row.source) && row.source != row.target;
        if fits && wish.quotas.contains_key(&row.relation) {
            let known = spoken.entry((&row.relation, &row.source, &row.target)).or_default();
            if !row.languages.is_empty() {
                *known = Some(known.unwrap_or(false) || row.languages.contains(&language));
            }
        }
    }
    let mut found: BTreeMap<RelationType, BTreeSet<Pair>> = BTreeMap::new();
    for ((relation, source, target), _) in spoken.into_iter().filter(|(_, spoken)| spoken.unwrap_or(true)) {
        let pair = Pair { source: source.clone().into(), relation: relation.clone(), target: target.clone().into() };
        found.entry(relation.clone()).or_default().insert(pair);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::super::Rubrics;
    use super::super::PairsWish;
    use super::*;
    use crate::law::{Digest, Locus, RegisterKind, Span};

    fn rows(edges: &[(&str, &str, &str)], registry: &Registry) -> Vec<RegisterRow> {
        let locus = Locus { document: Digest::of(b""), span: Span::new(0, 0) };
        let one = |(source, relation, target): &(&str, &str, &str)| {
            let relation = registry.relation(relation).unwrap();
            RegisterRow::bare(
                source.parse().unwrap(),
                relation,
                target.parse().unwrap(),
                RegisterKind::Table,
                locus.clone(),
            )
        };
        edges.iter().map(one).collect()
    }

    fn wish(quota: usize, registry: &Registry) -> Wish {
        let asked = [registry.relation("repeals").unwrap(), registry.relation("corrects").unwrap()];
        Wish { quotas: asked.into_iter().map(|r| (r, quota)).collect(), years: Some(1990..=2020), ..Wish::default() }
    }

    const EDGES: [(&str, &str, &str); 8] = [
        ("32009R9001", "repeals", "31999R9001"),
        ("32010R9002", "repeals", "31999R9002"),
        ("32021R9003", "repeals", "31999R9003"),
        ("32012R9004", "amends", "31999R9001"),
        ("32011R9005", "amends", "31999R9001"),
        ("32012R9006", "cites", "31999R9001"),
        ("32012R9001R(01)", "corrects", "32012R9001"),
        ("32013R9001R(01)", "corrects", "32013R9001"),
    ];

    #[test]
    fn pairs_in_scope_are_wanted_with_what_acts_on_their_ends() {
        let registry = Rubrics::shipped().registry().unwrap();
        let mut rows = rows(&EDGES, &registry);
        rows[6].languages = vec!["fra".parse().unwrap()];
        let crawl = CrawlWish { acting_per_act: 2, ..CrawlWish::default() };
        let wanted = wanted(&rows, &wish(5, &registry), &crawl, Language::ENGLISH, &registry);
        let told: Vec<(usize, usize)> = wanted.chosen.iter().map(|c| (c.in_scope, c.pairs)).collect();
        // Out of scope by its year, and a correction of another language.
        assert_eq!((told.iter().map(|t| t.0).sum::<usize>(), told.iter().map(|t| t.1).sum::<usize>()), (3, 3));
        let documents: BTreeSet<String> = wanted.documents.iter().map(ToString::to_string).collect();
        assert_eq!(documents.len(), wanted.documents.len());
        for there in ["notice of 32012R9004", "notice of 32011R9005", "eng text of 31999R9001", "notice of 32013R9001"]
        {
            assert!(documents.contains(there), "{there}: {documents:?}");
        }
        // The newest two of three are fetched; a citation bears on nothing.
        assert_eq!(wanted.left_out, 1);
        assert!(!documents.iter().any(|d| d.contains("9006") || d.contains("9003") || d.contains("32012R9001")));
    }

    #[test]
    fn more_pairs_later_change_no_choice_made_but_their_own() {
        let registry = Rubrics::shipped().registry().unwrap();
        let many: Vec<(String, String)> =
            (0..200).map(|n| (format!("32010R9{n:03}"), format!("31999R9{n:03}"))).collect();
        let edges: Vec<(&str, &str, &str)> = many.iter().map(|(s, t)| (s.as_str(), "repeals", t.as_str())).collect();
        let rows = rows(&edges, &registry);
        let choose = |rows: &[RegisterRow], pairs| {
            let crawl = CrawlWish { pairs, ..CrawlWish::default() };
            wanted(rows, &wish(10, &registry), &crawl, Language::ENGLISH, &registry).ends
        };
        let (few, more) = (choose(&rows, PairsWish::Times(1)), choose(&rows, PairsWish::Times(3)));
        assert!(few.is_subset(&more) && few.len() == 20 && more.len() == 60);
        let fewer = choose(&rows[..199], PairsWish::Times(1));
        assert!(few.intersection(&fewer).count() >= 18);
    }
}
