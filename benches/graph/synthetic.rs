//! A seeded graph that looks like law at scale: acts of 1958 to 2024, in-degrees by a power law, every effect, partial
//! ends and savings, prolongations, conditional and unknown starts, flags and recorded ends.

use legal_link::graph::stored::{
    ActWords, EdgeWords, Horizon, SettledAct, SettledEdge, SettledTouch, Writer, can_decide,
};
use legal_link::graph::{Footing, Moment, Reason};
use legal_link::law::{
    Basis, Celex, DatedRelation, Day, Digest, Effect, Evidence, Extent, Locus, Part, RelationType, Saving, Span, Touch,
};
use std::io::Write;

/// Name, effect, and how many of a thousand edges; sorted by name.
const RELATIONS: [(&str, Effect, u64); 12] = [
    ("amends", Effect::Rewrites, 250),
    ("based_on", Effect::None, 200),
    ("cites", Effect::None, 300),
    ("completes", Effect::Supplements, 30),
    ("declares_void", Effect::Voids, 1),
    ("derogates", Effect::Narrows, 20),
    ("extends_application", Effect::Widens, 9),
    ("extends_validity_of", Effect::Prolongs, 20),
    ("implicitly_repeals", Effect::Ends, 10),
    ("renders_obsolete", Effect::DeclaresSpent, 10),
    ("repeals", Effect::Ends, 140),
    ("suspends", Effect::Pauses, 10),
];

/// The newest fetch of every synthetic graph.
pub fn newest() -> Day {
    Day::from_ymd(2025, 12, 31).expect("a day")
}

/// Numbers that look random and depend on nothing but the seed (SplitMix64).
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).expect("below a usize")
    }

    /// True so many times of a hundred.
    fn percent(&mut self, n: u64) -> bool {
        self.next() % 100 < n
    }

    /// Between 0 and 1.
    fn unit(&mut self) -> f64 {
        f64::from(u32::try_from(self.next() >> 32).expect("32 bits")) / f64::from(u32::MAX)
    }
}

/// The acts in order of their CELEX numbers, and the edges by target, source and relation.
pub struct Synthetic {
    pub celexes: Vec<Celex>,
    /// Target, source, relation.
    pub edges: Vec<(u32, u32, u8)>,
    relations: Vec<(RelationType, Effect)>,
    parts: Vec<Part>,
}

impl Synthetic {
    pub fn new(acts: usize, edges: usize, seed: u64) -> Self {
        let mut chance = Chance::new(seed);
        let per_series = acts.div_ceil(67 * 3);
        let series = (1958..2025).flat_map(|year| ['D', 'L', 'R'].map(|kind| (year, kind)));
        let celexes = series
            .flat_map(|(year, kind)| (1..=per_series).map(move |n| format!("3{year}{kind}{n:04}")))
            .take(acts)
            .map(|text| text.parse().expect("a CELEX number"));
        let celexes: Vec<Celex> = celexes.collect();
        let n = celexes.len();
        let mut drawn: Vec<(u32, u32, u8)> = (0..edges)
            .map(|_| {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
                let popular = ((n as f64) * chance.unit().powi(3)) as usize;
                let target = popular.min(n - 1) * 1_000_003 % n;
                let source = if target + 1 < n { target + 1 + chance.below(n - target - 1) } else { 0 };
                let small = |n: usize| u32::try_from(n).expect("32 bits");
                (small(target), small(source), relation(chance.next() % 1000))
            })
            .collect();
        drawn.sort_unstable();
        drawn.dedup();
        let name = |text: &str| serde_json::from_value(serde_json::json!(text)).expect("a relation's name");
        let parts = ["1", "2", "3(1)", "4", "8(3)", "12", "Annex I", "Annex II", "Chapter IV"];
        Self {
            celexes,
            edges: drawn,
            relations: RELATIONS.iter().map(|(text, effect, _)| (name(text), *effect)).collect(),
            parts: parts.iter().map(|p| p.parse().expect("a part")).collect(),
        }
    }

    /// Hands over every act with the edges onto it.
    pub fn each(&self, mut take: impl FnMut(usize, SettledAct, Vec<SettledEdge>)) {
        let mut chance = Chance::new(7);
        let mut at = 0;
        for rank in 0..self.celexes.len() {
            let (act, first) = self.act(rank, &mut chance);
            let mut edges = Vec::new();
            while let Some(&(_, source, relation)) = self.edges.get(at).filter(|(target, ..)| *target as usize == rank)
            {
                edges.push(self.edge(rank, first, source as usize, relation.into(), &mut chance));
                at += 1;
            }
            take(rank, act, edges);
        }
    }

    /// Writes it as a stored graph.
    pub fn store(&self, out: impl Write) {
        let horizon = Horizon { newest: Some(newest()), known_on: Some(newest()) };
        let mut writer =
            Writer::new(out, horizon, self.celexes.clone(), self.relations.clone()).expect("acts in order");
        self.each(|_, act, edges| writer.act(&act, edges).expect("facts that fit"));
        writer.finish().expect("a whole graph").flush().expect("room on disk");
    }

    pub fn relation(&self, place: usize) -> (&str, Effect) {
        (self.relations[place].0.as_str(), self.relations[place].1)
    }

    fn about(&self, rank: usize, says: String) -> Reason {
        Reason { says, quote: None, acts: vec![self.celexes[rank].clone()] }
    }

    /// An act, and a first day for what happens to it.
    fn act(&self, rank: usize, chance: &mut Chance) -> (SettledAct, Day) {
        let celex = &self.celexes[rank];
        let year = i32::from(celex.year().expect("a year"));
        let first = Day::from_ymd(year, 1, 1).expect("a day").plus_days(days(chance, 365));
        let begins = moment(first, 80, chance);
        let later = |chance: &mut Chance| first.plus_days(400 + days(chance, 14_000));
        let flags = if chance.percent(60) { vec![(newest(), chance.percent(45))] } else { Vec::new() };
        let own_ends = match chance.below(10) {
            0 => vec![(Moment::on(later(chance)), None)],
            1 => vec![(Moment::not_before(Some(later(chance))), chance.percent(30).then(|| later(chance)))],
            _ => Vec::new(),
        };
        let act = SettledAct {
            published: true,
            void: chance.next().is_multiple_of(1000),
            begins,
            applies: chance.percent(30).then(|| moment(first.plus_days(days(chance, 800)), 90, chance)),
            seen: chance.percent(20).then(newest),
            recorded: chance.percent(15).then(|| later(chance)),
            flags,
            words: ActWords {
                begins: self.about(rank, format!("{celex} entered into force {}", begins.words())),
                applies: None,
                stages: Vec::new(),
                own_ends: own_ends.iter().map(|_| self.about(rank, format!("{celex} ends by its own terms"))).collect(),
            },
            own_ends,
            stages: Vec::new(),
            outline: None,
        };
        (act, first)
    }

    fn edge(&self, target: usize, first: Day, source: usize, relation: usize, chance: &mut Chance) -> SettledEdge {
        let (name, effect) = &self.relations[relation];
        let touches = 1 + usize::from(chance.percent(10)) + usize::from(chance.percent(2));
        let touches: Vec<SettledTouch> = (0..touches).map(|_| self.touch(first, *effect, chance)).collect();
        let decides = can_decide(*effect);
        let (by, onto) = (&self.celexes[source], &self.celexes[target]);
        let fact = |t: &SettledTouch| Touch {
            extent: t.extent,
            parts: t.parts.clone(),
            saved: t.saved.clone(),
            start: t.start.and_then(|s| s.known()),
            basis: Some(Basis::Clause),
            conditional: None,
            unconfirmed: None,
            until: t.until,
            words: None,
            languages: Vec::new(),
            evidence: 0,
        };
        let locus = Locus { document: Digest::of(b"synthetic"), span: Span::new(source, source + 80) };
        SettledEdge {
            source,
            relation,
            published: true,
            superseded: chance.percent(1),
            implicit: *name == self.relations[8].0,
            words: EdgeWords {
                relation: DatedRelation {
                    source: by.clone(),
                    relation: name.clone(),
                    target: onto.clone(),
                    touches: touches.iter().map(fact).collect(),
                    evidence: vec![Evidence::Register { locus }],
                    contradictions: Vec::new(),
                },
                told: touches
                    .iter()
                    .filter(|_| decides)
                    .map(|_| self.about(source, format!("{by} ends {onto}")))
                    .collect(),
                never: touches.iter().filter(|_| decides).map(|_| None).collect(),
            },
            touches,
        }
    }

    fn touch(&self, first: Day, effect: Effect, chance: &mut Chance) -> SettledTouch {
        let from = first.plus_days(100 + days(chance, 15_000));
        let dated = matches!(effect, Effect::Ends | Effect::Pauses | Effect::Prolongs | Effect::Rewrites);
        let some = |chance: &mut Chance| self.parts[chance.below(self.parts.len())].clone();
        let (extent, parts, saved) = match chance.below(100) {
            0..20 => (Extent::Whole, Vec::new(), Vec::new()),
            20..80 => (Extent::Partial, vec![some(chance)], Vec::new()),
            80..88 => (Extent::Partial, vec![some(chance), some(chance)], Vec::new()),
            88..93 => {
                let until = chance.percent(50).then(|| from.plus_days(days(chance, 2000)));
                (Extent::Whole, Vec::new(), vec![Saving { part: Some(some(chance)), until, words: String::new() }])
            }
            93..96 => {
                let saved = Saving { part: Some(some(chance)), until: None, words: String::new() };
                (Extent::Partial, Vec::new(), vec![saved])
            }
            _ => (Extent::Unknown, Vec::new(), Vec::new()),
        };
        let footing = match chance.below(20) {
            0 => Footing::Contradicted,
            1..5 => Footing::Bare,
            _ => Footing::Stated,
        };
        let until = (effect == Effect::Pauses || effect == Effect::Prolongs) && chance.percent(80);
        SettledTouch {
            start: (!dated || !chance.percent(3)).then(|| moment(from, 85, chance)),
            extent,
            parts,
            saved,
            until: until.then(|| from.plus_days(30 + days(chance, 3000))),
            footing,
        }
    }
}

/// A number of days below `n`.
fn days(chance: &mut Chance, n: usize) -> u32 {
    u32::try_from(chance.below(n)).expect("few days")
}

/// So many times of a hundred a known day; else one between two days, one that may never come, or one not known.
fn moment(day: Day, known: u64, chance: &mut Chance) -> Moment {
    if chance.percent(known) {
        return Moment::on(day);
    }
    match chance.below(5) {
        0 | 1 => Moment::between(day, day.plus_days(1 + days(chance, 700))),
        2 => Moment::UNKNOWN,
        _ => Moment::not_before(Some(day)),
    }
}

/// The relation that a number below a thousand falls to.
fn relation(mut n: u64) -> u8 {
    let found = RELATIONS.iter().position(|(.., share)| {
        let here = n < *share;
        n = n.saturating_sub(*share);
        here
    });
    u8::try_from(found.unwrap_or(0)).expect("few relations")
}
