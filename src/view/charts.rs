//! The drawings of the whole set: shares, decades, positions, days, refusals, probes.

use super::Report;
use super::html::{count, counted, part, percent, real, words};
use super::svg::{Anchor, Svg, WIDTH};
use crate::dataset::{Dataset, Item, LETTERS, Tally};
use crate::law::{Day, RelationType};
use std::collections::{BTreeMap, BTreeSet};

/// Room for the names at the left of a drawing.
const NAMES: f64 = 142.0;
const ROW: f64 = 30.0;
const HEAD: f64 = 26.0;

/// Proved by code, judged, neither: one bar.
pub(super) fn proof(dataset: &Dataset) -> String {
    let all = dataset.items.len();
    let (proved, judged) = (dataset.proved(), dataset.rows().filter(|r| r.judged).count());
    let mut svg = Svg::new(14.0);
    let (mut x, rest) = (0.0, all.saturating_sub(proved + judged));
    for (class, n) in [("proved", proved), ("judged", judged), ("undecided", rest)] {
        let w = WIDTH * part(n, all);
        svg.rect(class, (x, 0.0), ((w - 1.5).max(if n > 0 { 2.0 } else { 0.0 }), 14.0));
        x += w;
    }
    let description = format!("{proved} items proved by code, {judged} judged, {rest} neither, of {all}.");
    svg.done("proof", "Share of items proved by code", &description)
}

fn items_of<'a>(dataset: &'a Dataset, relation: &'a RelationType) -> impl Iterator<Item = &'a Item> {
    dataset.items.iter().filter(move |i| &i.draft.pair.relation == relation)
}

/// Relations down, decades across; the darker the more.
pub(super) fn decades(dataset: &Dataset, tallies: &[Tally<'_>]) -> String {
    let decade = |i: &Item| i.draft.day.year().div_euclid(10) * 10;
    let met: BTreeSet<i32> = dataset.items.iter().map(decade).collect();
    let (Some(first), Some(last)) = (met.first().copied(), met.last().copied()) else { return String::new() };
    let columns: Vec<i32> = (first..=last).step_by(10).collect();
    let cell = |t: &Tally<'_>, d: i32| items_of(dataset, t.relation).filter(|i| decade(i) == d).count();
    let most = tallies.iter().flat_map(|t| columns.iter().map(move |d| cell(t, *d))).max().unwrap_or(0);
    let width = (WIDTH - NAMES) / real(columns.len());
    let mut svg = Svg::new(HEAD + ROW * real(tallies.len()));
    for (c, d) in columns.iter().enumerate() {
        let x = NAMES + width * (real(c) + 0.5);
        svg.text("tick", (x, 16.0), Anchor::Middle, &decade_name(*d, width));
    }
    for (r, t) in tallies.iter().enumerate() {
        let y = HEAD + ROW * real(r);
        name(&mut svg, t, y);
        for (c, d) in columns.iter().enumerate() {
            let (n, x) = (cell(t, *d), NAMES + width * real(c));
            if n == 0 {
                svg.rect("empty", (x + 1.5, y + 1.5), (width - 3.0, ROW - 3.0));
                continue;
            }
            let strength = 0.16 + 0.84 * part(n, most);
            svg.tinted("heat", (x + 1.5, y + 1.5), (width - 3.0, ROW - 3.0), strength);
            let class = if strength > 0.7 { "value on" } else { "value" };
            svg.text(class, (x + width / 2.0, y + ROW / 2.0 + 4.5), Anchor::Middle, &count(n));
        }
    }
    let description = format!("Items by relation and by the decade of the day they are set on, {first}s to {last}s.");
    svg.done("decades", "Items by relation and decade", &description)
}

fn name(svg: &mut Svg, tally: &Tally<'_>, y: f64) {
    svg.text("name", (NAMES - 8.0, y + ROW / 2.0 + 4.5), Anchor::End, &fitted(&words(tally.relation.as_str()), 21));
}

/// The text, cut where it is longer than there is room for.
fn fitted(text: &str, letters: usize) -> String {
    match text.char_indices().nth(letters) {
        Some(_) => text.chars().take(letters - 1).chain(['…']).collect(),
        None => text.to_string(),
    }
}

fn decade_name(decade: i32, room: f64) -> String {
    if room < 36.0 { format!("’{:02}s", decade % 100) } else { format!("{decade}s") }
}

/// Where the keys stand, relation by relation: four parts of one bar.
pub(super) fn positions(tallies: &[Tally<'_>]) -> String {
    let mut svg = Svg::new(HEAD + ROW * real(tallies.len()));
    let width = WIDTH - NAMES;
    for (p, letter) in LETTERS.iter().enumerate() {
        svg.text("tick", (NAMES + width * (real(p) + 0.5) / 4.0, 16.0), Anchor::Middle, letter);
    }
    for (r, t) in tallies.iter().enumerate() {
        let y = HEAD + ROW * real(r);
        name(&mut svg, t, y);
        let mut x = NAMES;
        for (p, n) in t.positions.iter().enumerate() {
            let w = width * part(*n, t.items);
            let class = ["pos a", "pos b", "pos c", "pos d"][p];
            svg.rect(class, (x + 0.75, y + 4.0), (w - 1.5, ROW - 8.0));
            if w > 16.0 {
                svg.text("value on", (x + w / 2.0, y + ROW / 2.0 + 4.5), Anchor::Middle, &count(*n));
            }
            x += w;
        }
    }
    // Where an even spread would have its borders.
    for quarter in 1..4 {
        let x = NAMES + width * real(quarter) / 4.0;
        svg.line("even", (x, HEAD), (x, HEAD + ROW * real(tallies.len())));
    }
    let said: Vec<String> =
        tallies.iter().map(|t| format!("{}: {:?}", words(t.relation.as_str()), t.positions)).collect();
    svg.done("positions", "Positions of the key by relation", &format!("Counts at A, B, C, D. {}.", said.join("; ")))
}

/// The first day of the effect of the edge an item rests on.
pub(super) fn start(dataset: &Dataset, item: &Item) -> Option<Day> {
    dataset.edge(item)?.touches.iter().filter_map(|t| t.start).min()
}

const BINS: [(i64, &str, &str); 9] = [
    (-366, ">1y", "more than a year before"),
    (-31, "1y", "up to a year before"),
    (-2, "1m", "up to a month before"),
    (-1, "1d", "on the day before"),
    (0, "day", "on the day itself"),
    (1, "1d", "on the day after"),
    (31, "1m", "up to a month after"),
    (366, "1y", "up to a year after"),
    (i64::MAX, ">1y", "later than a year after"),
];

/// The bin of a distance in days: before the day, the bins open to the past; after it, to the future.
fn bin(days: i64) -> usize {
    match days {
        ..-366 => 0,
        -366..-31 => 1,
        -31..-1 => 2,
        _ => BINS.iter().position(|(upto, _, _)| days <= *upto).map_or(8, |b| b.max(3)),
    }
}

/// When the items are set, counted from the day on which their edge takes effect.
pub(super) fn days(dataset: &Dataset, tallies: &[Tally<'_>]) -> String {
    let mut counts: BTreeMap<&RelationType, [usize; 9]> = BTreeMap::new();
    let (mut sides, mut without) = ([0; 3], 0);
    for item in &dataset.items {
        let Some(start) = start(dataset, item) else {
            without += 1;
            continue;
        };
        let days = start.days_until(item.draft.day);
        counts.entry(&item.draft.pair.relation).or_default()[bin(days)] += 1;
        sides[usize::from(days >= 0) + usize::from(days > 0)] += 1;
    }
    let most = counts.values().flatten().copied().max().unwrap_or(0);
    let (width, height) = ((WIDTH - NAMES) / 9.0, ROW * real(tallies.len()));
    let mut svg = Svg::new(HEAD + height + 20.0);
    svg.rect("today", (NAMES + width * 4.0, 2.0), (width, HEAD + height - 2.0));
    for (b, (_, label, _)) in BINS.iter().enumerate() {
        svg.text("tick", (NAMES + width * (real(b) + 0.5), 16.0), Anchor::Middle, label);
    }
    for (r, t) in tallies.iter().enumerate() {
        let y = HEAD + ROW * real(r);
        name(&mut svg, t, y);
        svg.line("grid", (NAMES, y + ROW / 2.0), (WIDTH, y + ROW / 2.0));
        for (b, n) in counts.get(t.relation).into_iter().flatten().enumerate().filter(|(_, n)| **n > 0) {
            let centre = (NAMES + width * (real(b) + 0.5), y + ROW / 2.0);
            svg.circle(if b < 4 { "before" } else { "after" }, centre, 7.5 + 5.0 * part(*n, most).sqrt());
            svg.text("value on", (centre.0, centre.1 + 4.5), Anchor::Middle, &count(*n));
        }
    }
    let below = HEAD + height + 14.0;
    svg.text("tick", (NAMES, below), Anchor::Start, "← before the effect");
    svg.text("tick", (WIDTH, below), Anchor::End, "after it →");
    let [before, on, after] = sides;
    let description = format!(
        "{before} items are set before the day on which the edge takes effect, {on} on that day, {after} after it; {without} edges have no such day."
    );
    svg.done("days", "Days of the items, counted from the day of the effect", &description)
}

/// Every shortcut with its interval, and the line that chance draws.
pub(super) fn probes(report: &Report<'_>) -> String {
    let row = 44.0;
    let height = row * real(report.probes.len());
    let mut svg = Svg::new(height + 24.0);
    let (left, width) = (8.0, WIDTH - 16.0);
    let x = |share: f64| left + width * share.clamp(0.0, 1.0);
    for quarter in 0..5 {
        let share = real(quarter) / 4.0;
        let anchor = [Anchor::Start, Anchor::Middle, Anchor::Middle, Anchor::Middle, Anchor::End][quarter];
        svg.text("tick", (x(share), height + 16.0), anchor, &format!("{:.0} %", share * 100.0));
        for r in 0..report.probes.len() {
            let y = row * real(r);
            svg.line("grid", (x(share), y + 20.0), (x(share), y + 38.0));
        }
    }
    let mut said = Vec::new();
    for (r, probe) in report.probes.iter().enumerate() {
        let y = row * real(r);
        let share = part(probe.right, probe.of);
        let fair = probe.interval.contains(probe.chance);
        svg.text("name", (left, y + 14.0), Anchor::Start, &fitted(&probe.name, 34));
        let figure = format!("{} · {} of {}", percent(probe.right, probe.of), count(probe.right), count(probe.of));
        svg.text("tick", (WIDTH - 8.0, y + 14.0), Anchor::End, &figure);
        let middle = y + 29.0;
        svg.line("chance", (x(probe.chance), middle - 9.0), (x(probe.chance), middle + 9.0));
        let class = if fair { "whisker" } else { "whisker off" };
        svg.line(class, (x(probe.interval.low), middle), (x(probe.interval.high), middle));
        for end in [probe.interval.low, probe.interval.high] {
            svg.line(class, (x(end), middle - 4.0), (x(end), middle + 4.0));
        }
        svg.circle(if fair { "dot" } else { "dot off" }, (x(share), middle), 5.0);
        let (low, high) = (probe.interval.low * 100.0, probe.interval.high * 100.0);
        said.push(format!("{}: {figure}, interval {low:.1} to {high:.1} %", probe.name));
    }
    svg.done("probes", "How often a shortcut finds the key", &format!("{}.", said.join("; ")))
}

/// What bins hold, in words, for the caption.
pub(super) fn days_said(dataset: &Dataset) -> String {
    let distance = |i: &Item| start(dataset, i).map(|s| s.days_until(i.draft.day));
    let distances: Vec<i64> = dataset.items.iter().filter_map(distance).collect();
    let of = |want: fn(i64) -> bool| distances.iter().filter(|d| want(**d)).count();
    let (before, on, after) = (of(|d| d < 0), of(|d| d == 0), of(|d| d > 0));
    let close = of(|d| d.abs() <= 1);
    format!(
        "{} before the day on which the edge takes effect, {} on it, {} after it; {} within a day of it.",
        counted(before, "item"),
        count(on),
        count(after),
        count(close)
    )
}

#[cfg(test)]
mod tests {
    use super::{BINS, bin};

    #[test]
    fn distances_fall_into_the_bins_that_say_so() {
        let said = |days: i64| BINS[bin(days)].2;
        assert_eq!(said(-400), "more than a year before");
        assert_eq!(said(-366), "up to a year before");
        assert_eq!(said(-31), "up to a month before");
        assert_eq!(said(-2), "up to a month before");
        assert_eq!(said(-1), "on the day before");
        assert_eq!(said(0), "on the day itself");
        assert_eq!(said(1), "on the day after");
        assert_eq!(said(2), "up to a month after");
        assert_eq!(said(366), "up to a year after");
        assert_eq!(said(367), "later than a year after");
    }
}
