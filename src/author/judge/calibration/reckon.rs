//! From what judges said to figures.

use super::{Defect, Kind, Trial, Trials};
use crate::author::judge::Rubric;
use crate::dataset::{
    Calibration, DefectRecord, JudgeAgreement, JudgeRecord, Judgement, KeyPlace, LengthBias, Missed, PositionBias,
    Rate, SecondVote,
};
use crate::measure::{Ratings, cohen_kappa, gwet_ac1, wilson};
use crate::verify::{Rules, generic_reference};

/// The greatest level at which a criterion shows a defect.
const LOW: u8 = 2;

/// What a judge is held to.
#[derive(Debug, Clone, Copy)]
pub struct Standard<'a> {
    /// Its rubric: the floor of the total, and which criterion must show which defect.
    pub rubric: &'a Rubric,
    /// What a generic reference is to code.
    pub rules: &'a Rules,
    /// Least share of planted defects caught.
    pub catch_floor: f64,
    /// Greatest share of good items turned away.
    pub alarm_ceiling: f64,
    /// The seed, for the record.
    pub seed: u64,
}

/// The figures of some judges, each with its judgements in the order of the trials; none where its reply could not be
/// used.
///
/// A defect is caught where the judge turns the item away (its total is under the rubric's floor, or the key is not its
/// own answer) or gives a criterion that must show the defect level 1 or 2. A false alarm is the same said of the good
/// item. A reply that cannot be used catches nothing, and loses a good item.
pub fn reckon(trials: &Trials, said: &[(String, Vec<Option<Judgement>>)], standard: Standard<'_>) -> Calibration {
    let benches: Vec<Bench<'_>> = said.iter().map(|(judge, said)| Bench { judge, trials, said, standard }).collect();
    let pairs = benches.iter().enumerate().flat_map(|(i, a)| benches.iter().skip(i + 1).map(move |b| (a, b)));
    Calibration {
        rubric: standard.rubric.version,
        seed: standard.seed,
        items: trials.items.len(),
        catch_floor: standard.catch_floor,
        alarm_ceiling: standard.alarm_ceiling,
        judges: benches.iter().map(Bench::record).collect(),
        agreement: pairs.map(|(a, b)| a.agreement(b)).collect(),
        not_planted: trials.not_planted.clone(),
    }
}

/// One judge and what it said.
#[derive(Clone, Copy)]
struct Bench<'a> {
    judge: &'a str,
    trials: &'a Trials,
    said: &'a [Option<Judgement>],
    standard: Standard<'a>,
}

/// A trial with what the judge said of it.
type Heard<'a> = (&'a Trial, Option<&'a Judgement>);

impl<'a> Bench<'a> {
    fn heard(&self) -> impl Iterator<Item = Heard<'a>> + use<'a> {
        let said = self.said.iter().map(Option::as_ref).chain(std::iter::repeat(None));
        self.trials.list.iter().zip(said)
    }

    fn of(&self, kind: Kind) -> impl Iterator<Item = Heard<'a>> + use<'a> {
        self.heard().filter(move |(trial, _)| trial.kind == kind)
    }

    /// What it said of a good item.
    fn good(&self, item: usize) -> Option<&'a Judgement> {
        self.of(Kind::Good).find(|(trial, _)| trial.item == item)?.1
    }

    fn under_floor(&self, said: &Judgement) -> bool {
        said.total < self.standard.rubric.floor
    }

    /// Whether it would turn the item away.
    fn turns_away(&self, said: &Judgement) -> bool {
        self.under_floor(said) || said.agrees == Some(false)
    }

    /// Whether a criterion that must show this defect is low.
    fn low(&self, said: &Judgement, defect: Defect) -> bool {
        let shows = self.standard.rubric.criteria.iter().filter(|c| c.catches.contains(&defect));
        shows.into_iter().any(|c| said.levels.iter().any(|(name, level, _)| *name == c.name && *level <= LOW))
    }

    fn catches(&self, said: &Judgement, defect: Defect) -> bool {
        self.turns_away(said) || self.low(said, defect)
    }

    fn record(&self) -> JudgeRecord {
        let planted: Vec<(Heard<'_>, Defect)> =
            self.heard().filter_map(|heard| Some((heard, planted(heard.0)?))).collect();
        let caught = |((_, said), defect): &(Heard<'_>, Defect)| said.is_some_and(|said| self.catches(said, *defect));
        let alarm = |said: Option<&Judgement>| {
            said.is_none_or(|said| Defect::ALL.into_iter().any(|defect| self.catches(said, defect)))
        };
        let missed = |(trial, _): &Heard<'_>, defect: &Defect| {
            let item = self.trials.items.get(trial.item)?.clone();
            Some(Missed { item, defect: defect.name().to_string() })
        };
        let mut record = JudgeRecord {
            judge: self.judge.to_string(),
            caught: rate(planted.iter().map(caught)),
            false_alarms: rate(self.of(Kind::Good).map(|(_, said)| alarm(said))),
            unusable: rate(self.heard().map(|(_, said)| said.is_none())),
            defects: Defect::ALL.into_iter().map(|defect| self.defect(defect)).collect(),
            position: self.position(),
            length: self.length(),
            second_votes: self.second_votes(),
            missed: planted
                .iter()
                .filter(|one| !caught(one))
                .filter_map(|(heard, defect)| missed(heard, defect))
                .collect(),
            fails: Vec::new(),
        };
        record.fails = self.fails(&record);
        record
    }

    fn defect(&self, defect: Defect) -> DefectRecord {
        let heard: Vec<Heard<'_>> = self.of(Kind::Planted(defect)).collect();
        let said: Vec<&Judgement> = heard.iter().filter_map(|(_, said)| *said).collect();
        let alarm = |(trial, _): &Heard<'_>| self.good(trial.item).is_none_or(|said| self.catches(said, defect));
        DefectRecord {
            defect: defect.name().to_string(),
            caught: rate(heard.iter().map(|(_, said)| said.is_some_and(|said| self.catches(said, defect)))),
            false_alarms: rate(heard.iter().map(alarm)),
            by_total: number(said.iter().filter(|said| self.under_floor(said)).count()),
            by_answer: number(said.iter().filter(|said| said.agrees == Some(false)).count()),
            by_level: number(said.iter().filter(|said| self.low(said, defect)).count()),
        }
    }

    /// Under the floor, over the ceiling, or with nothing to go by.
    fn fails(&self, record: &JudgeRecord) -> Vec<String> {
        let Standard { catch_floor, alarm_ceiling, .. } = self.standard;
        let (caught, alarms) = (record.caught, record.false_alarms);
        let mut fails = Vec::new();
        if caught.share().is_none_or(|share| share < catch_floor) {
            fails.push(format!(
                "it catches {} of {} planted defects, and must catch {:.0} %",
                caught.hits,
                caught.of,
                catch_floor * 100.0
            ));
        }
        if alarms.share().is_none_or(|share| share > alarm_ceiling) {
            fails.push(format!(
                "it turns away {} of {} good items, and may turn away {:.0} %",
                alarms.hits,
                alarms.of,
                alarm_ceiling * 100.0
            ));
        }
        fails
    }

    /// The good item's trials with its key at all four places, by place.
    fn rotations(&self) -> Vec<[Option<&'a Judgement>; 4]> {
        let mut items = vec![[None; 4]; self.trials.items.len()];
        for (trial, said) in self.heard().filter(|(trial, _)| matches!(trial.kind, Kind::Good | Kind::Rotated)) {
            let at = trial.order.iter().position(|option| *option == 0).unwrap_or(0);
            if let Some(item) = items.get_mut(trial.item) {
                item[at] = said;
            }
        }
        items
    }

    fn position(&self) -> Option<PositionBias> {
        self.heard().find(|(trial, _)| trial.kind == Kind::Rotated)?;
        let items = self.rotations();
        let places = [0, 1, 2, 3].map(|place| {
            let said: Vec<&Judgement> = items.iter().filter_map(|item| item[place]).collect();
            let answered = said.iter().filter_map(|said| said.agrees);
            KeyPlace { mean_total: mean(said.iter().map(|said| f64::from(said.total))), answered: rate(answered) }
        });
        let means: Vec<f64> = places.iter().filter_map(|place| place.mean_total).collect();
        let most = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = means.iter().copied().fold(f64::INFINITY, f64::min);
        let flips = |item: &[Option<&Judgement>; 4]| {
            let away: Vec<bool> = item.iter().flatten().map(|said| self.turns_away(said)).collect();
            (away.len() > 1).then(|| away.contains(&true) && away.contains(&false))
        };
        let spread = if means.is_empty() { 0.0 } else { most - least };
        Some(PositionBias { places, spread, flips: rate(items.iter().filter_map(flips)) })
    }

    fn length(&self) -> Option<LengthBias> {
        let long = |kind| match kind {
            Kind::Lengthened(at) => Some(at),
            _ => None,
        };
        self.heard().find_map(|(trial, _)| long(trial.kind))?;
        let twins: Vec<(u8, &Judgement, &Judgement)> =
            self.heard().filter_map(|(trial, said)| Some((long(trial.kind)?, self.good(trial.item)?, said?))).collect();
        let differences: Vec<f64> =
            twins.iter().map(|(_, short, long)| f64::from(long.total) - f64::from(short.total)).collect();
        let chose = |said: &Judgement, at: u8| said.chose.as_ref().map(|chose| chose.contains(&at));
        Some(LengthBias {
            items: number(twins.len()),
            mean_difference: mean(differences.iter().copied()).unwrap_or(0.0),
            higher: number(differences.iter().filter(|d| **d > 0.0).count()),
            lower: number(differences.iter().filter(|d| **d < 0.0).count()),
            chose_short: rate(twins.iter().filter_map(|(at, short, _)| chose(short, *at))),
            chose_long: rate(twins.iter().filter_map(|(at, _, long)| chose(long, *at))),
        })
    }

    /// Where code and judge do not say the same about references to a document as such.
    fn second_votes(&self) -> Vec<SecondVote> {
        let shown = self
            .heard()
            .filter(|(trial, _)| matches!(trial.kind, Kind::Good | Kind::Planted(Defect::GenericReference)));
        let vote = |(trial, said): Heard<'_>| {
            let item = self.trials.items.get(trial.item)?.clone();
            self.standard.rubric.second_vote(
                said?,
                item,
                generic_reference(&trial.draft.stem, None, self.standard.rules),
            )
        };
        shown.filter_map(vote).collect()
    }

    fn agreement(&self, other: &Bench<'_>) -> JudgeAgreement {
        let shown = |trial: &Trial| matches!(trial.kind, Kind::Good | Kind::Planted(_));
        let both = self.heard().zip(other.heard()).filter(|((trial, _), _)| shown(trial));
        let both: Vec<(bool, bool)> = both
            .filter_map(|((_, mine), (_, other_said))| Some((self.turns_away(mine?), other.turns_away(other_said?))))
            .collect();
        let count = |wanted: (bool, bool)| number(both.iter().filter(|one| **one == wanted).count());
        let table = [count((true, true)), count((true, false)), count((false, true)), count((false, false))];
        let ratings = both.iter().map(|(a, b)| {
            let away = u32::from(*a) + u32::from(*b);
            vec![away, 2 - away]
        });
        let ratings = Ratings::new(ratings.collect());
        let defined = |value: f64| value.is_finite().then_some(value);
        JudgeAgreement {
            judges: [self.judge.to_string(), other.judge.to_string()],
            table,
            raw: ratings.as_ref().map(Ratings::agreement),
            kappa: defined(cohen_kappa(table)),
            ac1: ratings.as_ref().map(gwet_ac1).and_then(defined),
        }
    }
}

impl Rubric {
    /// The judge's vote on generic references, where it is not that of code: the hard criterion at level 1 and code finds
    /// none, or above it and code finds one.
    pub fn second_vote(
        &self,
        said: &Judgement,
        item: crate::dataset::ItemId,
        code: Option<&str>,
    ) -> Option<SecondVote> {
        let hard = self.criteria.iter().find(|c| c.hard && c.catches.contains(&Defect::GenericReference))?;
        let (_, level, reason) = said.levels.iter().find(|(name, ..)| *name == hard.name)?;
        let differs = (*level == 1) != code.is_some();
        differs.then(|| SecondVote {
            item,
            judge: said.judge.clone(),
            code: code.map(str::to_string),
            level: *level,
            reason: reason.clone(),
        })
    }
}

fn planted(trial: &Trial) -> Option<Defect> {
    match trial.kind {
        Kind::Planted(defect) => Some(defect),
        _ => None,
    }
}

fn rate(all: impl IntoIterator<Item = bool>) -> Rate {
    let (mut hits, mut of) = (0, 0);
    for hit in all {
        of += 1;
        hits += u32::from(hit);
    }
    let interval = wilson(hits, of);
    Rate { hits, of, low: interval.low, high: interval.high }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / f64::from(number(values.len())))
}

/// A count; far below 2^32.
fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
