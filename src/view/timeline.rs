//! The time line of a pair: the lives of two acts, the day of the effect and the day of the item.

use super::Life;
use super::html::real;
use super::svg::{Anchor, Svg, WIDTH};
use crate::law::{Celex, Day};

/// What is drawn.
pub(super) struct Pair<'a> {
    /// The act acted upon, drawn above, and the acting act below.
    pub lanes: [(&'a Celex, &'a Life); 2],
    /// The first day of the effect.
    pub start: Option<Day>,
    /// The day of the item.
    pub day: Day,
}

const LANES: f64 = 34.0;
const LANE: f64 = 40.0;
const BOTTOM: f64 = LANES + 2.0 * LANE;

/// From the first to the last day shown.
#[derive(Clone, Copy)]
struct Scale {
    from: Day,
    days: f64,
}

impl Scale {
    fn new(from: Day, to: Day) -> Self {
        let days = usize::try_from(from.days_until(to)).unwrap_or(0).max(1);
        Self { from, days: real(days) }
    }

    fn at(self, day: Day) -> f64 {
        let days = self.from.days_until(day);
        let distance = real(usize::try_from(days.unsigned_abs()).unwrap_or(0));
        (WIDTH * if days < 0 { -distance } else { distance } / self.days).clamp(-4.0, WIDTH + 4.0)
    }
}

/// The whole lives, and, where the two days lie too close to tell apart, those days from nearby.
pub(super) fn draw(pair: &Pair<'_>) -> String {
    let known = |l: &Life| [l.published, l.in_force, l.applies, l.last_day];
    let lives = pair.lanes.iter().flat_map(|(_, l)| known(l)).flatten();
    let days: Vec<Day> = lives.chain(pair.start).chain([pair.day]).collect();
    let (Some(first), Some(last)) = (days.iter().min(), days.iter().max()) else { return String::new() };
    let margin = u32::try_from(first.days_until(*last) / 12).unwrap_or(0).max(60);
    let whole = Scale::new(back(*first, margin), last.plus_days(margin));
    let mut out = lanes(pair, whole, "life", "Lives of the two acts", &years(whole));
    if let Some(start) = pair.start {
        let apart = start.days_until(pair.day).unsigned_abs();
        let close = (whole.at(start) - whole.at(pair.day)).abs() < 30.0;
        if let Ok(apart) = u32::try_from(apart)
            && close
        {
            let margin = apart.max(4);
            let near = Scale::new(back(start.min(pair.day), margin), start.max(pair.day).plus_days(margin));
            out.push_str("<p class=\"near\">The same, from nearby:</p>");
            out.push_str(&lanes(pair, near, "near", "The two days from nearby", &dated(near)));
        }
    }
    out
}

/// So many days earlier, at most back to the first day there is.
pub(super) fn back(day: Day, days: u32) -> Day {
    (0..days).fold(day, |d, _| d.pred())
}

/// A mark of the scale, and where its words stand.
struct Tick {
    line: f64,
    label: f64,
    words: String,
}

impl Tick {
    fn at(x: f64, words: String) -> Self {
        Self { line: x, label: x, words }
    }
}

/// The days of a short stretch, by their number in the month; the months of a longer one; else years.
fn dated(scale: Scale) -> Vec<Tick> {
    if scale.days > 1200.0 {
        return years(scale);
    }
    let all = std::iter::successors(Some(scale.from), |d| Some(d.succ()));
    let days = all.take_while(|d| scale.at(*d) < WIDTH).take(1201);
    if scale.days <= 14.0 {
        let middle = |d: Day| scale.at(d).midpoint(scale.at(d.succ()));
        return days
            .map(|d| Tick { line: scale.at(d), label: middle(d), words: d.day_of_month().to_string() })
            .collect();
    }
    let firsts: Vec<Day> = days.filter(|d| d.day_of_month() == 1).collect();
    let step = firsts.len().div_ceil(5).max(1);
    let month = |d: Day| d.long().trim_start_matches("1 ").to_string();
    firsts.into_iter().step_by(step).map(|d| Tick::at(scale.at(d), month(d))).collect()
}

/// First days of years, at a step that leaves room for their numbers.
fn years(scale: Scale) -> Vec<Tick> {
    let years = scale.days / 365.25;
    let step = [1, 2, 5, 10, 20, 50].into_iter().find(|s| years / f64::from(*s) <= 7.0).unwrap_or(50);
    (scale.from.year()..=Day::LAST_YEAR)
        .filter(|y| y % step == 0)
        .filter_map(|y| Day::from_ymd(y, 1, 1))
        .skip_while(|d| *d < scale.from)
        .take_while(|d| scale.at(*d) <= WIDTH)
        .map(|d| Tick::at(scale.at(d), d.year().to_string()))
        .collect()
}

fn lanes(pair: &Pair<'_>, scale: Scale, id: &str, title: &str, ticks: &[Tick]) -> String {
    let mut svg = Svg::new(BOTTOM + 40.0);
    for tick in ticks {
        svg.line("grid", (tick.line, LANES), (tick.line, BOTTOM));
        let x = tick.label;
        let anchor = if x < 16.0 {
            Anchor::Start
        } else if x > WIDTH - 16.0 {
            Anchor::End
        } else {
            Anchor::Middle
        };
        svg.text("tick", (x, BOTTOM + 14.0), anchor, &tick.words);
    }
    let mut said = Vec::new();
    for (lane, (celex, life)) in pair.lanes.iter().enumerate() {
        let y = LANES + LANE * real(lane);
        one_life(&mut svg, life, scale, y, lane == 0);
        let role = if lane == 0 { "acted upon" } else { "acting" };
        svg.text("name lane", (4.0, y + 13.0), Anchor::Start, &format!("{celex} · {role}"));
        said.push(spoken(celex, life));
    }
    let x = scale.at(pair.day);
    let width = (scale.at(pair.day.succ()) - x).max(2.0);
    svg.tinted("item-day", (x, 18.0), (width, BOTTOM - 18.0), if width > 6.0 { 0.3 } else { 1.0 });
    let x = x + width / 2.0;
    mark(&mut svg, "item-day-label", x, 13.0, &format!("item: {}", pair.day.long()));
    if let Some(start) = pair.start {
        let x = scale.at(start);
        svg.line("effect-day", (x, LANES - 6.0), (x, BOTTOM + 22.0));
        mark(&mut svg, "effect-day-label", x, BOTTOM + 34.0, &format!("effect: {}", start.long()));
        said.push(format!("The edge takes effect on {}.", start.long()));
    }
    said.push(format!("The item is set on {}.", pair.day.long()));
    svg.done(id, title, &said.join(" "))
}

/// Waiting for entry into force, in force and not yet applicable, in force: three kinds of bar.
fn one_life(svg: &mut Svg, life: &Life, scale: Scale, y: f64, target: bool) {
    let (top, height) = (y + 19.0, 13.0);
    let begin = life.in_force.or(life.applies);
    let end = life.last_day.map_or(WIDTH + 4.0, |d| scale.at(d.succ()));
    if let (Some(published), Some(begin)) = (life.published, begin) {
        let x = scale.at(published);
        svg.line("waiting", (x, top + height / 2.0), (scale.at(begin), top + height / 2.0));
        svg.circle("published", (x, top + height / 2.0), 3.0);
    }
    let Some(begin) = begin else {
        if let Some(published) = life.published {
            svg.circle("published", (scale.at(published), top + height / 2.0), 3.0);
        }
        return;
    };
    let applies = life.applies.map_or(scale.at(begin), |d| scale.at(d).min(end));
    let class = if target { "life target" } else { "life source" };
    svg.tinted(class, (scale.at(begin), top), (applies - scale.at(begin), height), 0.35);
    svg.rect(class, (applies, top), (end - applies, height));
}

/// A label at a line, kept inside the drawing.
fn mark(svg: &mut Svg, class: &str, x: f64, y: f64, label: &str) {
    let anchor = if x < 80.0 {
        Anchor::Start
    } else if x > WIDTH - 80.0 {
        Anchor::End
    } else {
        Anchor::Middle
    };
    let x = if x < 80.0 { x.max(2.0) } else { x.min(WIDTH - 2.0) };
    svg.text(class, (x, y), anchor, label);
}

fn spoken(celex: &Celex, life: &Life) -> String {
    let day = |what: &str, d: Option<Day>| d.map(|d| format!("{what} {}", d.long()));
    let parts = [
        day("published", life.published),
        day("in force from", life.in_force),
        day("applicable from", life.applies),
        Some(day("last day", life.last_day).unwrap_or_else(|| "no end known".to_string())),
    ];
    format!("{celex}: {}.", parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Day {
        text.parse().expect("a day")
    }

    fn drawn(start: Option<&str>, on: &str, life: &Life) -> String {
        let (target, source): (Celex, Celex) =
            ("31975R9001".parse().expect("CELEX"), "31979R9002".parse().expect("CELEX"));
        draw(&Pair { lanes: [(&target, life), (&source, &Life::default())], start: start.map(day), day: day(on) })
    }

    fn life() -> Life {
        let (published, in_force) = (Some(day("1975-02-03")), Some(day("1975-02-23")));
        Life { published, in_force, last_day: Some(day("1979-06-30")), ..Life::default() }
    }

    #[test]
    fn days_that_lie_close_are_shown_from_nearby_too() {
        let near = drawn(Some("1979-07-01"), "1979-06-30", &life());
        assert_eq!(near.matches("<svg").count(), 2);
        assert!(near.contains("item: 30 June 1979") && near.contains("effect: 1 July 1979"));
        assert!(
            near.contains(
                "31975R9001: published 3 February 1975, in force from 23 February 1975, last day 30 June 1979."
            )
        );
        assert_eq!(drawn(Some("1979-07-01"), "1976-06-30", &life()).matches("<svg").count(), 1);
    }

    #[test]
    fn what_is_not_known_is_not_drawn() {
        let unknown = drawn(None, "1979-06-30", &Life::default());
        assert_eq!(unknown.matches("<svg").count(), 1);
        assert!(!unknown.contains("class=\"life") && unknown.contains("no end known"));
        assert!(drawn(Some("2099-12-31"), "2099-12-31", &life()).contains("effect: 31 December 2099"));
        assert!(drawn(Some("1952-01-01"), "1952-01-01", &Life::default()).contains("1 January 1952"));
    }
}
