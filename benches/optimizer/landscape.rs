//! A simulated writer, judge and reflecting model on the landscape of prompts that `landscape.toml` describes.
//!
//! Everything is drawn by seed: the same seed and the same request give the same answer, whoever asks and however often.
//! What an item is worth without the noise (the truth) is known, and so is the greatest sum that any prompt reaches.

use legal_link::author::Rubric;
use legal_link::author::optimize::{Score, Scored};
use legal_link::law::Digest;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

/// The landscape's description, as it was committed.
const TABLE: &str = include_str!("landscape.toml");
const RUBRIC: &str = include_str!("../../rubrics/judge.toml");
/// The name that stands for the addendum of every relation.
const RELATIONS: &str = "relations";
const SLIP: &str = "slip";

/// What a pair is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    Reflect,
    Select,
    /// For the end: no optimizer is told of it.
    Final,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    seeds: Seeds,
    budget: Budget,
    relations: Vec<String>,
    pairs: BTreeMap<Kept, usize>,
    traits: BTreeMap<String, u64>,
    base: BTreeMap<String, i32>,
    noise: Noise,
    length: Length,
    reflection: Reflections,
    start: BTreeMap<String, String>,
    instruction: Vec<Instruction>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Seeds {
    development: Vec<u64>,
    frozen: usize,
}

/// What every optimizer gets.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    pub evaluations: u64,
    pub minibatch: usize,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Noise {
    level: u64,
    nothing: u64,
    vague: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Length {
    free: usize,
    every: usize,
    criteria: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reflections {
    asked: Shares,
    unasked: Shares,
}

/// How many of a hundred reflections end so.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shares {
    does: [u64; 3],
    does_and_loses: u64,
    harm: u64,
    idle: u64,
    reword: u64,
    lose: u64,
    same: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Instruction {
    name: String,
    component: String,
    wordings: Vec<String>,
    #[serde(default)]
    fault: String,
    #[serde(default)]
    complaint: String,
    #[serde(default)]
    effects: Vec<Effect>,
    needs: Option<String>,
    conflicts: Option<Conflict>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Effect {
    on: String,
    by: i32,
    #[serde(default)]
    when: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Conflict {
    with: String,
    on: String,
    by: i32,
}

/// What an instruction, or two together, do to a pair: `by` on a criterion, or on `slip` (the number after the last
/// criterion), where all of the mask are sent.
#[derive(Debug, Clone, Copy)]
struct Touch {
    mask: u64,
    on: usize,
    by: i32,
}

/// The level on each criterion, and after the last of them `slip`.
type Levels = [i32; 8];

/// A pair: what it is by itself, and what can be done to it.
#[derive(Debug)]
struct Pair {
    relation: usize,
    levels: Levels,
    /// It slips while `slip` is above this.
    firm: i32,
    touches: Vec<Touch>,
}

/// The landscape by one seed.
#[derive(Debug)]
pub struct Landscape {
    table: Table,
    rubric: Rubric,
    seed: u64,
    pairs: BTreeMap<Kept, Vec<Pair>>,
    /// The instruction that a line is.
    lines: HashMap<String, usize>,
    /// Whether more lines take from a criterion.
    crowded: Vec<bool>,
}

/// What a reflection does to a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    Add(usize),
    Drop(usize),
}

/// The seeds that may be looked at while an optimizer is built.
pub fn development() -> Vec<u64> {
    table().seeds.development
}

/// The seeds whose figures are reported: drawn by the tree of the engine when it was frozen.
pub fn frozen(tree: &str) -> Vec<u64> {
    let seed = |n: usize| {
        let digest = Digest::of_fields(["frozen", tree, &n.to_string()].map(str::as_bytes));
        digest.as_bytes()[..4].iter().fold(0, |seed, byte| seed << 8 | u64::from(*byte))
    };
    (0..table().seeds.frozen).map(seed).collect()
}

fn table() -> Table {
    toml::from_str(TABLE).expect("landscape.toml is sound")
}

impl Landscape {
    pub fn new(seed: u64) -> Self {
        let (table, rubric) = (table(), Rubric::parse(RUBRIC).expect("the shipped rubric is sound"));
        let numbered = table.instruction.iter().enumerate();
        let lines = numbered.flat_map(|(at, one)| one.wordings.iter().map(move |words| (words.clone(), at))).collect();
        let crowded = rubric.criteria.iter().map(|one| table.length.criteria.contains(&one.name)).collect();
        let mut landscape = Self { table, rubric, seed, pairs: BTreeMap::new(), lines, crowded };
        let pairs = landscape.table.pairs.iter();
        landscape.pairs =
            pairs.map(|(kept, n)| (*kept, (0..*n).map(|at| landscape.pair(*kept, at)).collect())).collect();
        landscape
    }

    fn pair(&self, kept: Kept, at: usize) -> Pair {
        let relation = at % self.table.relations.len();
        let mut dice = Dice::new(self.seed, &["pair", &format!("{kept:?}"), &at.to_string()]);
        let mut holds = vec![self.table.relations[relation].as_str()];
        holds.extend(
            self.table.traits.iter().filter(|(_, percent)| dice.below(100) < **percent).map(|(name, _)| name.as_str()),
        );
        let base = |name: &str| self.table.base.get(name).copied().unwrap_or_default();
        let ease = u64::try_from(base("ease")).unwrap_or_default();
        let mut levels = Levels::default();
        for (level, one) in levels.iter_mut().zip(&self.rubric.criteria) {
            *level = base(&one.name) + dice.step(ease);
        }
        levels[self.rubric.criteria.len()] = base(SLIP);
        let firm = i32::try_from(dice.below(100)).unwrap_or_default();
        Pair { relation, levels, firm, touches: self.touches(&holds) }
    }

    /// What the instructions do to a pair of which these relations and traits hold.
    fn touches(&self, holds: &[&str]) -> Vec<Touch> {
        let bit =
            |name: &str| 1_u64 << self.table.instruction.iter().position(|one| one.name == name).expect("a known name");
        let mut touches = Vec::new();
        for one in &self.table.instruction {
            let mask = bit(&one.name) | one.needs.as_deref().map_or(0, bit);
            for effect in
                one.effects.iter().filter(|effect| effect.when.iter().all(|name| holds.contains(&name.as_str())))
            {
                touches.push(Touch { mask, on: self.place(&effect.on), by: effect.by });
            }
            if let Some(conflict) = &one.conflicts {
                touches.push(Touch { mask: mask | bit(&conflict.with), on: self.place(&conflict.on), by: conflict.by });
            }
        }
        touches
    }

    fn place(&self, name: &str) -> usize {
        let found = self.rubric.criteria.iter().position(|one| one.name == name);
        found.or((name == SLIP).then_some(self.rubric.criteria.len())).expect("a criterion, or `slip`")
    }

    /// The prompts at the start, by component.
    pub fn start(&self) -> BTreeMap<String, String> {
        let mut start = self.table.start.clone();
        let relation = start.remove("relation").unwrap_or_default();
        start.extend(self.table.relations.iter().map(|name| (addendum(name), relation.clone())));
        start
    }

    /// What every optimizer gets.
    pub fn budget(&self) -> Budget {
        self.table.budget
    }

    pub fn size(&self, kept: Kept) -> usize {
        self.pairs[&kept].len()
    }

    /// The greatest total of one item.
    pub fn out_of(&self) -> u32 {
        self.rubric.out_of()
    }

    /// The component that is sent with this pair and not with those of other relations.
    pub fn own(&self, kept: Kept, at: usize) -> String {
        addendum(&self.table.relations[self.pairs[&kept][at].relation])
    }

    /// The lines that are sent with a pair.
    fn sent<'a>(&self, prompts: &'a BTreeMap<String, String>, pair: &Pair) -> Vec<&'a str> {
        let own = addendum(&self.table.relations[pair.relation]);
        let sent = prompts.iter().filter(|(name, _)| !name.starts_with(RELATIONS) || **name == own);
        sent.flat_map(|(_, text)| text.lines()).collect()
    }

    fn mask(&self, lines: &[&str]) -> u64 {
        lines.iter().filter_map(|line| self.lines.get(*line)).fold(0, |mask, at| mask | 1 << at)
    }

    /// The levels by these instructions and so many lines, without noise; `None` where a reference names no act.
    fn levels(&self, pair: &Pair, mask: u64, lines: usize) -> Option<Levels> {
        self.at_most(pair, mask, mask, lines)
    }

    /// The levels that no prompt passes which sends all of `sure`, nothing but what `may` be sent, and so many lines or more.
    fn at_most(&self, pair: &Pair, sure: u64, may: u64, lines: usize) -> Option<Levels> {
        let mut levels = pair.levels;
        for touch in &pair.touches {
            let sent = if self.helps(touch) { may } else { sure };
            levels[touch.on] += if touch.mask & sent == touch.mask { touch.by } else { 0 };
        }
        if levels[self.rubric.criteria.len()] > pair.firm {
            return None;
        }
        let over = lines.saturating_sub(self.table.length.free).div_ceil(self.table.length.every);
        let over = i32::try_from(over).unwrap_or(i32::MAX);
        for (level, crowded) in levels.iter_mut().zip(&self.crowded) {
            *level = (*level - if *crowded { over } else { 0 }).max(1);
        }
        Some(self.within(levels))
    }

    fn helps(&self, touch: &Touch) -> bool {
        if touch.on == self.rubric.criteria.len() { touch.by < 0 } else { touch.by > 0 }
    }

    /// From 1 to 5; level 1 of a hard criterion is what slips, and no level here.
    fn within(&self, mut levels: Levels) -> Levels {
        for (level, one) in levels.iter_mut().zip(&self.rubric.criteria) {
            *level = (*level).clamp(if one.hard { 2 } else { 1 }, 5);
        }
        levels
    }

    fn total(&self, levels: &Levels) -> u32 {
        let weighed = self.rubric.criteria.iter().zip(levels);
        weighed.map(|(one, level)| one.weight * level.unsigned_abs()).sum()
    }

    /// What an item by these prompts is worth on all pairs of a set, without noise.
    pub fn truth(&self, prompts: &BTreeMap<String, String>, kept: Kept) -> u64 {
        let each = self.pairs[&kept].iter().map(|pair| {
            let lines = self.sent(prompts, pair);
            self.levels(pair, self.mask(&lines), lines.len()).map_or(0, |levels| u64::from(self.total(&levels)))
        });
        each.sum()
    }

    /// Writes and judges an item by these prompts.
    pub fn evaluate(&self, prompts: &BTreeMap<String, String>, kept: Kept, at: usize) -> Scored {
        let pair = &self.pairs[&kept][at];
        let lines = self.sent(prompts, pair);
        let mask = self.mask(&lines);
        let place = format!("{kept:?}/{at}");
        let mut dice = Dice::new(self.seed, &[["evaluate", place.as_str()].as_slice(), &lines].concat());
        let mut feedback = format!("A question on the relation {}.\n", self.table.relations[pair.relation]);
        if dice.below(100) < self.table.noise.nothing {
            feedback.push_str("No question came of it: the reply is cut off.");
            return Scored { score: Score::default(), feedback };
        }
        let Some(levels) = self.levels(pair, mask, lines.len()) else {
            let reason = self.reason(pair, mask, self.rubric.criteria.len(), lines.len(), &mut dice);
            let _ = write!(feedback, "Refused (generic_reference): {reason}");
            return Scored { score: Score::default(), feedback };
        };
        let levels = self.within(levels.map(|level| level + dice.step(self.table.noise.level)));
        let total = self.total(&levels);
        let _ = writeln!(feedback, "{total} of {} points.", self.out_of());
        for (on, (criterion, level)) in self.rubric.criteria.iter().zip(&levels).enumerate() {
            let reason =
                if *level >= 5 { "Good.".to_string() } else { self.reason(pair, mask, on, lines.len(), &mut dice) };
            let _ = writeln!(feedback, "- {}: level {level} of 5. {reason}", criterion.name);
        }
        let criteria = self.rubric.criteria.iter().zip(&levels).map(|(one, level)| one.weight * level.unsigned_abs());
        Scored { score: Score { total, criteria: criteria.collect() }, feedback }
    }

    /// Why an item has no more on one criterion: one of the things that would help, or that do harm.
    fn reason(&self, pair: &Pair, mask: u64, on: usize, lines: usize, dice: &mut Dice) -> String {
        let better = |by: i32| if on == self.rubric.criteria.len() { -by } else { by };
        let mut reasons = Vec::new();
        for (at, one) in self.table.instruction.iter().enumerate() {
            let present = mask & 1 << at != 0;
            let touches = || pair.touches.iter().filter(|touch| touch.on == on && touch.mask & 1 << at != 0);
            if !present && !one.fault.is_empty() && touches().any(|touch| better(touch.by) > 0) {
                reasons.push(one.fault.as_str());
            }
            if present && !one.complaint.is_empty() && touches().any(|touch| better(touch.by) < 0) {
                reasons.push(one.complaint.as_str());
            }
        }
        if lines > self.table.length.free && self.crowded.get(on).copied().unwrap_or_default() {
            reasons.push("It follows some of the rules only: there are too many.");
        }
        if reasons.is_empty() || dice.below(100) < self.table.noise.vague {
            return "It could be better.".to_string();
        }
        reasons[dice.index(reasons.len())].to_string()
    }

    /// Writes a component anew, in the light of what was said of items.
    pub fn reflect(&self, component: &str, text: &str, lessons: &[String]) -> String {
        let mut heard: Vec<&str> = lessons.iter().map(String::as_str).collect();
        heard.sort_unstable();
        let mut dice = Dice::new(self.seed, &[["reflect", component, text].as_slice(), &heard].concat());
        let mut lines: Vec<&str> = text.lines().collect();
        let here = self.mask(&lines);
        let (own, others) = self.asked(component, here, &heard);
        let shares = if own.is_empty() { &self.table.reflection.unasked } else { &self.table.reflection.asked };
        let asked = if own.is_empty() { others } else { own };
        let Shares { does: [one, two, three], does_and_loses, harm, idle, reword, lose, same } = *shares;
        match dice.share(&[one, two, three, does_and_loses, harm, idle, reword, lose, same]) {
            at @ 0..3 => self.change(&mut lines, &asked, at + 1, &mut dice),
            3 => {
                forget(&mut lines, &mut dice);
                self.change(&mut lines, &asked, 1, &mut dice);
            }
            4 => self.stray(&mut lines, component, &mut dice, |one| !one.complaint.is_empty()),
            5 => self.stray(&mut lines, component, &mut dice, |one| one.effects.is_empty()),
            6 => self.reword(&mut lines, &mut dice),
            7 => forget(&mut lines, &mut dice),
            _ => {}
        }
        lines.join("\n")
    }

    /// What the faults and complaints ask of this component, and what they ask of others that it could say as well.
    fn asked(&self, component: &str, here: u64, heard: &[&str]) -> (Vec<Change>, Vec<Change>) {
        let said = |words: &str| !words.is_empty() && heard.iter().any(|one| one.contains(words));
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for (at, one) in self.table.instruction.iter().enumerate() {
            let present = here & 1 << at != 0;
            match () {
                () if present && said(&one.complaint) => own.push(Change::Drop(at)),
                () if present || !said(&one.fault) => {}
                () if one.component == component => own.push(Change::Add(at)),
                () => others.push(Change::Add(at)),
            }
        }
        (own, others)
    }

    fn change<'a>(&'a self, lines: &mut Vec<&'a str>, asked: &[Change], times: usize, dice: &mut Dice) {
        let mut asked = asked.to_vec();
        for _ in 0..times.min(asked.len()) {
            match asked.swap_remove(dice.index(asked.len())) {
                Change::Add(at) => lines.push(self.worded(at, dice)),
                Change::Drop(at) => lines.retain(|line| self.lines.get(*line) != Some(&at)),
            }
        }
    }

    fn worded(&self, at: usize, dice: &mut Dice) -> &str {
        let wordings = &self.table.instruction[at].wordings;
        &wordings[dice.index(wordings.len())]
    }

    /// A line that nothing asked for.
    fn stray<'a>(
        &'a self,
        lines: &mut Vec<&'a str>,
        component: &str,
        dice: &mut Dice,
        which: impl Fn(&Instruction) -> bool,
    ) {
        let here = self.mask(lines);
        let fits = |one: &Instruction| {
            one.component == component || one.component == RELATIONS && component.starts_with(RELATIONS)
        };
        let found = self.table.instruction.iter().enumerate();
        let found: Vec<usize> =
            found.filter(|(at, one)| which(one) && fits(one) && here & 1 << at == 0).map(|(at, _)| at).collect();
        if !found.is_empty() {
            lines.push(self.worded(found[dice.index(found.len())], dice));
        }
    }

    fn reword<'a>(&'a self, lines: &mut [&'a str], dice: &mut Dice) {
        let at = dice.index(lines.len());
        if let Some(known) = lines.get(at).and_then(|line| self.lines.get(*line)) {
            lines[at] = self.worded(*known, dice);
        }
    }

    /// The greatest sum that any prompts reach on a set, without noise.
    ///
    /// What is sent with a relation's pairs can be chosen for it alone, since its addendum may hold any line; so the
    /// greatest sum is that of the relations' greatest sums. Each of these is found among the sets of instructions that
    /// could help there. The others never do: an instruction without a good effect on these pairs, which no other one needs,
    /// can be left out of any prompt without a loss, for each level falls with each bad effect and with each line. An
    /// instruction said twice is a line more and does nothing.
    pub fn optimum(&self, kept: Kept) -> u64 {
        (0..self.table.relations.len()).map(|relation| self.optimum_of(relation, kept)).sum()
    }

    /// The greatest sum on one relation's pairs.
    pub fn optimum_of(&self, relation: usize, kept: Kept) -> u64 {
        let (pairs, useful) = self.useful(relation, kept);
        let mut best = 0;
        self.search(&pairs, 0, useful, useful, &mut best);
        best
    }

    /// The same without leaving out any branch.
    #[allow(dead_code)] // A test compares the two.
    pub fn optimum_by_trying_all(&self, relation: usize, kept: Kept) -> u64 {
        let (pairs, useful) = self.useful(relation, kept);
        let sum = |mask: u64| {
            let levels = pairs.iter().filter_map(|pair| self.levels(pair, mask, mask.count_ones() as usize));
            levels.map(|levels| u64::from(self.total(&levels))).sum()
        };
        // The subsets of a mask, from the greatest down.
        let subsets = std::iter::successors(Some(useful), |mask| (*mask > 0).then(|| (mask - 1) & useful));
        subsets.map(sum).max().unwrap_or_default()
    }

    /// A relation's pairs, and the instructions that may help with one of them: those with a good effect, and what they need.
    fn useful(&self, relation: usize, kept: Kept) -> (Vec<&Pair>, u64) {
        let pairs: Vec<&Pair> = self.pairs[&kept].iter().filter(|pair| pair.relation == relation).collect();
        let good = pairs.iter().flat_map(|pair| &pair.touches).filter(|touch| self.helps(touch));
        let useful = good.fold(0, |mask, touch| mask | touch.mask);
        (pairs, useful)
    }

    /// These prompts without the lines that help with no pair whatever.
    #[allow(dead_code)] // A test stands on it.
    pub fn without_the_useless(&self, prompts: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        let all = self.pairs.values().flatten().flat_map(|pair| &pair.touches).filter(|touch| self.helps(touch));
        let useful = all.fold(0, |mask, touch| mask | touch.mask);
        let helps = |line: &&str| self.lines.get(*line).is_some_and(|at| useful & 1 << at != 0);
        let left = |text: &String| text.lines().filter(helps).collect::<Vec<_>>().join("\n");
        prompts.iter().map(|(name, text)| (name.clone(), left(text))).collect()
    }

    /// Tries all sets between `sure` and `may`, of which those in `open` are not decided: branches that cannot pass the best
    /// so far are left out.
    fn search(&self, pairs: &[&Pair], sure: u64, may: u64, open: u64, best: &mut u64) {
        let lines = sure.count_ones() as usize;
        let levels = pairs.iter().filter_map(|pair| self.at_most(pair, sure, may, lines));
        let most = levels.map(|levels| u64::from(self.total(&levels))).sum();
        if most <= *best {
            return;
        }
        if open == 0 {
            *best = most;
            return;
        }
        let next = 1 << open.trailing_zeros();
        self.search(pairs, sure | next, may, open & !next, best);
        self.search(pairs, sure, may & !next, open & !next, best);
    }
}

fn addendum(relation: &str) -> String {
    format!("{RELATIONS}/{relation}")
}

/// Takes a line out, where another is left.
fn forget(lines: &mut Vec<&str>, dice: &mut Dice) {
    if lines.len() > 1 {
        lines.remove(dice.index(lines.len()));
    }
}

/// Draws by what is asked.
#[derive(Debug)]
struct Dice {
    of: Digest,
    drawn: u64,
}

impl Dice {
    fn new(seed: u64, fields: &[&str]) -> Self {
        let seed = seed.to_be_bytes();
        let fields = fields.iter().map(|field| field.as_bytes());
        Self { of: Digest::of_fields(std::iter::once(seed.as_slice()).chain(fields)), drawn: 0 }
    }

    fn below(&mut self, n: u64) -> u64 {
        self.drawn += 1;
        let digest = Digest::of_fields([self.of.as_bytes().as_slice(), &self.drawn.to_be_bytes()]);
        let number = digest.as_bytes()[..8].iter().fold(0_u64, |n, byte| n << 8 | u64::from(*byte));
        number % n.max(1)
    }

    fn index(&mut self, n: usize) -> usize {
        usize::try_from(self.below(n as u64)).unwrap_or_default()
    }

    /// One of these, each as often as its share.
    fn share(&mut self, shares: &[u64]) -> usize {
        let mut left = self.below(shares.iter().sum());
        let falls = |share: &u64| {
            let here = left < *share;
            left = left.saturating_sub(*share);
            here
        };
        shares.iter().position(falls).unwrap_or_default()
    }

    /// One down or one up, each in `percent` of a hundred draws.
    fn step(&mut self, percent: u64) -> i32 {
        let roll = self.below(100);
        i32::from(roll < percent) - i32::from(roll >= 100 - percent)
    }
}
