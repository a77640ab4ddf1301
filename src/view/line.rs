//! The time line of one act, as a page to print: A4 across, black on white.
//!
//! Bars for force and application, marks for what acts on it, one lane per kind. Labels are set where there is
//! room; what stays without one is counted at its lane, and all of it is in the description.

use super::html::{Text, real};
use super::svg;
use super::timeline::back;
use crate::law::Day;
use std::fmt::Write as _;

/// What is drawn.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ActLine {
    /// The act's number.
    pub name: String,
    /// Its title.
    pub title: String,
    /// A sentence or two under the title: its status.
    pub said: Vec<String>,
    /// Force, application, parts: bars, each on a line of its own.
    pub bars: Vec<Bar>,
    /// What acts on it and its states, a lane per kind.
    pub lanes: Vec<Lane>,
    /// The day asked about.
    pub on: Option<Day>,
    /// The newest day that anything here tells of.
    pub known_on: Option<Day>,
}

/// A stretch of the act's life.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bar {
    /// What it is: `in force`, `applies`, `Article 7`.
    pub name: String,
    /// The first day; none: not known, drawn open.
    pub from: Option<Day>,
    /// The last day inside; none: no end known.
    pub until: Option<Day>,
    /// Whether that is its last day; else only the last on which it is certain.
    pub sure: bool,
    /// How it is drawn.
    pub tone: Tone,
    /// Words at its end: `ended by 32016R0679`.
    pub note: String,
}

/// How a bar is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Black: force.
    Full,
    /// Grey: application.
    Half,
    /// Hatched: what lives on for a time, or may.
    Hatched,
}

/// Events of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lane {
    /// What they are: `amended by`.
    pub name: String,
    /// Their mark.
    pub mark: Mark,
    /// In any order.
    pub events: Vec<Event>,
}

/// The shape of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A stroke: a change of the text.
    Tick,
    /// A ring: a correction.
    Ring,
    /// A cross: an end, whole or in part.
    Cross,
    /// An arrow: the act lives longer or reaches further.
    Arrow,
    /// A diamond: a consolidated state.
    Diamond,
}

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its day; one without is counted and not drawn.
    pub day: Option<Day>,
    /// What stands at its mark.
    pub label: String,
}

const WIDTH: f64 = 1122.0;
const HEIGHT: f64 = 794.0;
const LEFT: f64 = 190.0;
const RIGHT: f64 = 1082.0;
const MARGIN: f64 = 40.0;
/// Width of a letter of a label of 10 units, at most.
const LETTER: f64 = 6.3;
const LINE: f64 = 13.0;
const BAR: f64 = 30.0;
const FOOT: f64 = 80.0;

/// Draws it as one SVG file.
pub fn act_line(act: &ActLine) -> String {
    let Some(scale) = Scale::of(act) else {
        return page(act, "<text class=\"name\" x=\"40\" y=\"150\">No day of it is known here.</text>");
    };
    let mut drawing = Drawing { body: String::new() };
    let head = drawing.head(act);
    let bottom = HEIGHT - FOOT;
    let lanes: Vec<&Lane> = act.lanes.iter().filter(|l| !l.events.is_empty()).collect();
    let bars = real(act.bars.len()) * BAR;
    let top = head + 26.0;
    let mut y = top + bars + 14.0;
    let rows = room(&lanes, scale, bottom - y - 6.0);
    // The frame closes where the lanes end.
    let used = lanes.iter().zip(&rows).map(|(lane, rows)| placed(lane, scale, *rows).1.max(1) + 1).sum();
    let bottom = bottom.min(y + real(used) * LINE);
    drawing.axis(scale, top, bottom);
    for (i, bar) in act.bars.iter().enumerate() {
        drawing.bar(bar, scale, top + 8.0 + real(i) * BAR);
    }
    for (lane, rows) in lanes.iter().zip(rows) {
        y = drawing.lane(lane, scale, y, rows);
    }
    drawing.days(act, scale, top, bottom);
    drawing.legend(act, &lanes);
    page(act, &drawing.body)
}

/// How many lines of labels each lane gets: one at least, more where it has more to say and there is room.
fn room(lanes: &[&Lane], scale: Scale, height: f64) -> Vec<usize> {
    let mut rows = vec![1; lanes.len()];
    let wanted: Vec<usize> = lanes.iter().map(|one| placed(one, scale, usize::MAX).1.max(1)).collect();
    // Each lane also takes a line of space.
    let mut used = 2 * lanes.len();
    while real(used + 1) * LINE <= height {
        let Some(i) = (0..rows.len()).filter(|&i| rows[i] < wanted[i]).min_by_key(|&i| rows[i]) else { break };
        rows[i] += 1;
        used += 1;
    }
    rows
}

/// Days as places across the page.
#[derive(Debug, Clone, Copy)]
struct Scale {
    from: Day,
    days: f64,
}

impl Scale {
    fn of(act: &ActLine) -> Option<Self> {
        let bars = act.bars.iter().flat_map(|b| [b.from, b.until]);
        let events = act.lanes.iter().flat_map(|l| &l.events).map(|e| e.day);
        let days: Vec<Day> = bars.chain(events).chain([act.on]).flatten().collect();
        let (first, last) = (*days.iter().min()?, *days.iter().max()?);
        // An act without an end is drawn up to the newest day known of it.
        let open = act.bars.iter().any(|b| b.until.is_none());
        let last = act.known_on.filter(|_| open).map_or(last, |k| k.max(last));
        let margin = u32::try_from(first.days_until(last) / 40).unwrap_or(0).max(20);
        let from = back(first, margin);
        let span = from.days_until(last.plus_days(margin));
        Some(Self { from, days: real(usize::try_from(span).unwrap_or(0).max(1)) })
    }

    fn at(self, day: Day) -> f64 {
        let days = self.from.days_until(day);
        let distance = real(usize::try_from(days.unsigned_abs()).unwrap_or(0));
        let distance = if days < 0 { -distance } else { distance };
        (LEFT + (RIGHT - LEFT) * distance / self.days).clamp(LEFT, RIGHT)
    }

    /// First days of years, and of months where the whole is short, at a step that leaves room for their names.
    fn ticks(self) -> Vec<(f64, String)> {
        let years = self.days / 365.25;
        if years < 3.0 {
            let firsts = (self.from.year()..=Day::LAST_YEAR)
                .flat_map(|y| (1..=12).filter_map(move |m| Day::from_ymd(y, m, 1)))
                .skip_while(|d| *d < self.from)
                .take_while(|d| real(usize::try_from(self.from.days_until(*d)).unwrap_or(0)) <= self.days);
            let step = if years < 1.0 { 1 } else { 3 };
            let shown = firsts.filter(|d| (d.month() - 1) % step == 0);
            return shown.map(|d| (self.at(d), format!("{}-{:02}", d.year(), d.month()))).collect();
        }
        let step = [1, 2, 5, 10, 20].into_iter().find(|s| years / f64::from(*s) <= 22.0).unwrap_or(50);
        (self.from.year()..=Day::LAST_YEAR)
            .filter(|y| y % step == 0)
            .filter_map(|y| Day::from_ymd(y, 1, 1))
            .skip_while(|d| *d < self.from)
            .take_while(|d| real(usize::try_from(self.from.days_until(*d)).unwrap_or(0)) <= self.days)
            .map(|d| (self.at(d), d.year().to_string()))
            .collect()
    }
}

/// A label set on a line of its lane.
struct Placed<'a> {
    event: &'a Event,
    at: f64,
    from: f64,
    row: usize,
}

/// Sets labels beside their marks on at most so many lines, earliest first; the ones without room are left out.
/// Also how many lines were used.
fn placed(lane: &Lane, scale: Scale, rows: usize) -> (Vec<Placed<'_>>, usize) {
    let mut events: Vec<(&Event, Day)> = lane.events.iter().filter_map(|e| Some((e, e.day?))).collect();
    events.sort_by(|a, b| (a.1, &a.0.label).cmp(&(b.1, &b.0.label)));
    let mut ends: Vec<f64> = Vec::new();
    let mut set = Vec::new();
    for (event, day) in events {
        let at = scale.at(day);
        let width = real(event.label.chars().count()) * LETTER + 12.0;
        let from = if at + width > RIGHT + MARGIN - 6.0 { at - width } else { at + 6.0 };
        let free = ends.iter().position(|end| *end <= from - 2.0);
        let row = match free {
            Some(row) => row,
            None if ends.len() < rows.min(64) => {
                ends.push(0.0);
                ends.len() - 1
            }
            None => continue,
        };
        ends[row] = from.max(at) + if from < at { 8.0 } else { width };
        set.push(Placed { event, at, from, row });
    }
    (set, ends.len())
}

struct Drawing {
    body: String,
}

impl Drawing {
    fn text(&mut self, class: &str, x: f64, y: f64, words: &str) {
        let words = Text(words);
        let _ = write!(self.body, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{words}</text>");
    }

    fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        svg::line(&mut self.body, class, from, to);
    }

    fn rect(&mut self, class: &str, (x, y): (f64, f64), (width, height): (f64, f64)) {
        let _ = write!(
            self.body,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{height:.1}\"/>",
            width.max(1.0)
        );
    }

    /// Number, title in at most three lines, status. Gives the height used.
    fn head(&mut self, act: &ActLine) -> f64 {
        self.text("head", MARGIN, 52.0, &act.name);
        let mut y = 70.0;
        let title = wrapped(&act.title, 140);
        for (i, line) in title.iter().take(3).enumerate() {
            let cut = i == 2 && title.len() > 3;
            let line = if cut { format!("{line} …") } else { line.clone() };
            self.text("title", MARGIN, y, &line);
            y += 15.0;
        }
        for sentence in &act.said {
            self.text("said", MARGIN, y + 4.0, sentence);
            y += 15.0;
        }
        y
    }

    fn axis(&mut self, scale: Scale, top: f64, bottom: f64) {
        for (x, words) in scale.ticks() {
            self.line("grid", (x, top), (x, bottom));
            self.text("tick", x, bottom + 13.0, &words);
            self.text("tick", x, top - 5.0, &words);
        }
        self.line("frame", (LEFT, bottom), (RIGHT, bottom));
        self.line("frame", (LEFT, top), (RIGHT, top));
    }

    fn bar(&mut self, bar: &Bar, scale: Scale, y: f64) {
        self.text("lane", MARGIN, y + 12.0, &cut(&bar.name, LEFT - MARGIN - 8.0));
        let from = bar.from.map_or(LEFT, |d| scale.at(d));
        let until = bar.until.map_or(RIGHT, |d| scale.at(d.succ()));
        let class = match bar.tone {
            Tone::Full => "full",
            Tone::Half => "half",
            Tone::Hatched => "hatched",
        };
        self.rect(class, (from, y + 2.0), (until - from, 12.0));
        if bar.until.is_none() {
            let _ = write!(
                self.body,
                "<path class=\"{class}\" d=\"M{RIGHT} {:.1}L{:.1} {:.1}L{RIGHT} {:.1}Z\"/>",
                y - 2.0,
                RIGHT + 12.0,
                y + 8.0,
                y + 18.0
            );
        }
        let begins = bar.from.map_or_else(|| "beginning not known".to_string(), |d| format!("from {d}"));
        let last = if bar.sure { "last day" } else { "certain up to" };
        let ends = bar.until.map(|d| format!("{last} {d}"));
        let parts: Vec<&str> = [Some(begins.as_str()), ends.as_deref(), Some(bar.note.as_str())]
            .into_iter()
            .flatten()
            .filter(|s| !s.is_empty())
            .collect();
        let words = parts.join(" · ");
        let width = real(words.chars().count()) * LETTER;
        self.text("label", from.min(RIGHT - width).max(LEFT), y + 24.0, &words);
    }

    /// A lane's marks and labels; gives the place below it.
    fn lane(&mut self, lane: &Lane, scale: Scale, y: f64, rows: usize) -> f64 {
        let (set, used) = placed(lane, scale, rows);
        let height = real(used.max(1)) * LINE;
        self.line("rule", (MARGIN, y - 4.0), (RIGHT, y - 4.0));
        let drawn = lane.events.iter().filter(|e| e.day.is_some()).count();
        self.text("lane", MARGIN, y + 9.0, &format!("{} ({})", lane.name, lane.events.len()));
        let aside = [(drawn - set.len(), "without label"), (lane.events.len() - drawn, "without day")];
        let aside: Vec<String> = aside.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
        if !aside.is_empty() && (used > 1 || set.is_empty()) {
            self.text("aside", MARGIN, y + 20.0, &aside.join(", "));
        } else if !aside.is_empty() {
            self.text("aside", MARGIN + real(lane.name.len() + 5) * LETTER, y + 9.0, &aside.join(", "));
        }
        for event in &lane.events {
            let Some(day) = event.day else { continue };
            let x = scale.at(day);
            let row = set.iter().find(|p| std::ptr::eq(p.event, event)).map_or(0, |p| p.row);
            let at = y + real(row) * LINE;
            if row > 0 {
                self.line("stem", (x, y), (x, at));
            }
            self.mark(lane.mark, x, at + 5.0);
        }
        for label in &set {
            let at = y + real(label.row) * LINE + 8.5;
            let from = if label.from < label.at { label.from + 4.0 } else { label.from };
            self.text("label", from, at, &label.event.label);
        }
        y + height + LINE
    }

    fn mark(&mut self, mark: Mark, x: f64, y: f64) {
        let (left, right, top, low) = (x - 3.5, x + 3.5, y - 3.5, y + 3.5);
        let _ = match mark {
            Mark::Tick => write!(self.body, "<path class=\"mark\" d=\"M{x:.1} {:.1}V{:.1}\"/>", y - 5.0, y + 5.0),
            Mark::Ring => write!(self.body, "<circle class=\"ring\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>"),
            Mark::Cross => {
                write!(
                    self.body,
                    "<path class=\"mark\" d=\"M{left:.1} {top:.1}L{right:.1} {low:.1}M{right:.1} {top:.1}L{left:.1} {low:.1}\"/>"
                )
            }
            Mark::Arrow => {
                write!(
                    self.body,
                    "<path class=\"solid\" d=\"M{left:.1} {top:.1}L{right:.1} {y:.1}L{left:.1} {low:.1}Z\"/>"
                )
            }
            Mark::Diamond => write!(
                self.body,
                "<path class=\"solid\" d=\"M{x:.1} {top:.1}L{right:.1} {y:.1}L{x:.1} {low:.1}L{left:.1} {y:.1}Z\"/>"
            ),
        };
    }

    /// The day asked about, and the newest that anything tells of.
    fn days(&mut self, act: &ActLine, scale: Scale, top: f64, bottom: f64) {
        if let Some(on) = act.on {
            let x = scale.at(on);
            self.line("on", (x, top - 16.0), (x, bottom + 20.0));
            let words = on.long();
            let from = (x + 3.0).min(RIGHT + MARGIN - real(words.chars().count()) * 6.2);
            self.text("asked", from, top - 16.0, &words);
        }
    }

    /// What bars and marks mean, as far as they are drawn, in two lines where one is too short.
    fn legend(&mut self, act: &ActLine, lanes: &[&Lane]) {
        let (mut x, mut y) = (MARGIN, HEIGHT - 42.0);
        let mut set = |drawing: &mut Self, drawn: f64, words: &str, draw: &dyn Fn(&mut Self, f64, f64)| {
            let width = drawn + real(words.len()) * LETTER;
            if x > MARGIN && x + width > WIDTH - MARGIN {
                (x, y) = (MARGIN, y + 14.0);
            }
            draw(drawing, x, y);
            drawing.text("label", x + drawn, y, words);
            x += width + 16.0;
        };
        for (tone, class, words) in [
            (Tone::Full, "full", "in force"),
            (Tone::Half, "half", "applies"),
            (Tone::Hatched, "hatched", "a part with days of its own, or what is not certain"),
        ] {
            if act.bars.iter().any(|b| b.tone == tone) {
                set(self, 27.0, words, &|drawing, x, y| drawing.rect(class, (x, y - 8.0), (22.0, 9.0)));
            }
        }
        for (mark, words) in [
            (Mark::Cross, "an end"),
            (Mark::Arrow, "longer life or wider reach"),
            (Mark::Tick, "a change or an addition"),
            (Mark::Ring, "a correction"),
            (Mark::Diamond, "a consolidated state"),
        ] {
            if lanes.iter().any(|l| l.mark == mark) {
                set(self, 14.0, words, &|drawing, x, y| drawing.mark(mark, x + 5.0, y - 3.5));
            }
        }
        if let Some(known) = act.known_on {
            let law = "Days are days of law, both ends inside; a mark stands on the first day of its effect.";
            self.text("aside", MARGIN, HEIGHT - 12.0, &format!("As known on {}. {law}", known.long()));
        }
    }
}

/// Words cut to what a width holds; the whole of them stands in the description.
fn cut(words: &str, width: f64) -> String {
    if real(words.chars().count()) * LETTER <= width {
        return words.to_string();
    }
    let kept = (1..words.len()).take_while(|n| real(n + 1) * LETTER <= width).count();
    words.chars().take(kept).chain(['\u{2026}']).collect()
}

/// Words on lines of at most so many letters.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.chars().take(width).collect()),
        }
    }
    lines
}

const STYLE: &str = "svg{background:#fff}text{font-family:'DejaVu Sans',Arial,Helvetica,sans-serif;font-size:10px;fill:#000}\
.head{font-size:22px;font-weight:bold}.title{font-size:11.5px}.said{font-size:11.5px;font-weight:bold}\
.lane{font-weight:bold}.aside{font-size:9px;font-style:italic}.tick{font-size:9.5px;text-anchor:middle}\
.asked{font-size:11px;font-weight:bold}.name{font-size:14px}.label{paint-order:stroke;stroke:#fff;stroke-width:2.5px;stroke-linejoin:round}.grid{stroke:#ccc;stroke-width:.6}.frame{stroke:#000;stroke-width:.8}\
.rule{stroke:#ccc;stroke-width:.6}.stem{stroke:#888;stroke-width:.6}.on{stroke:#000;stroke-width:1.2;stroke-dasharray:5 3}\
.full{fill:#000}.half{fill:#999;stroke:#000;stroke-width:.6}.hatched{fill:url(#hatch);stroke:#000;stroke-width:.6}\
.mark{stroke:#000;stroke-width:1.4;fill:none}.ring{stroke:#000;stroke-width:1.2;fill:#fff}.solid{fill:#000}";

fn page(act: &ActLine, body: &str) -> String {
    let title = format!("Time line of {}", act.name);
    let (title, description) = (Text(&title), described(act));
    let description = Text(&description);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"297mm\" height=\"210mm\" viewBox=\"0 0 {WIDTH:.0} {HEIGHT:.0}\" role=\"img\" aria-labelledby=\"t d\">\n\
         <title id=\"t\">{title}</title>\n<desc id=\"d\">{description}</desc>\n<style>{STYLE}</style>\n\
         <defs><pattern id=\"hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><rect width=\"5\" height=\"5\" fill=\"#fff\"/><line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"5\" stroke=\"#000\" stroke-width=\"1.6\"/></pattern></defs>\n\
         <rect width=\"{WIDTH:.0}\" height=\"{HEIGHT:.0}\" fill=\"#fff\"/>\n{body}\n</svg>\n"
    )
}

/// All that is drawn, in words.
fn described(act: &ActLine) -> String {
    let mut out = format!("{}. {}", act.title, act.said.join(" "));
    for bar in &act.bars {
        let from = bar.from.map_or_else(|| "from a day not known".to_string(), |d| format!("from {}", d.long()));
        let until = bar.until.map_or_else(
            || "no end known".to_string(),
            |d| format!("{} {}", if bar.sure { "last day" } else { "certain up to" }, d.long()),
        );
        let note = if bar.note.is_empty() { String::new() } else { format!(", {}", bar.note) };
        let _ = write!(out, " {}: {from}, {until}{note}.", bar.name);
    }
    for lane in act.lanes.iter().filter(|l| !l.events.is_empty()) {
        let mut events: Vec<&Event> = lane.events.iter().collect();
        events.sort_by(|a, b| (a.day.is_none(), a.day, &a.label).cmp(&(b.day.is_none(), b.day, &b.label)));
        let day = |e: &Event| e.day.map_or_else(|| "day not known".to_string(), Day::long);
        let told: Vec<String> = events.iter().map(|e| format!("{} ({})", e.label, day(e))).collect();
        let _ = write!(out, " {}: {}.", lane.name, told.join("; "));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn act(amendments: u32) -> ActLine {
        let day = |y: u32| Day::from_ymd(i32::try_from(1990 + y).unwrap_or(1990), 3, 1);
        let events = (0..amendments).map(|n| Event { day: day(n % 30), label: format!("32000R{:04}", 9001 + n) });
        ActLine {
            name: "31989R9001".into(),
            title: "A regulation on <lanterns> & \"lamps\"".into(),
            bars: vec![Bar {
                name: "in force".into(),
                from: day(0),
                until: None,
                sure: true,
                tone: Tone::Full,
                note: String::new(),
            }],
            lanes: vec![Lane { name: "amended by".into(), mark: Mark::Tick, events: events.collect() }],
            known_on: day(34),
            ..ActLine::default()
        }
    }

    #[test]
    fn few_and_many_relations_stay_on_the_page() {
        for many in [0, 2, 60, 2000] {
            let drawn = act_line(&act(many));
            assert!(drawn.contains("31989R9001") && !drawn.contains("<lanterns>"), "{many}");
            let lowest = drawn.split(" y=\"").skip(1).filter_map(|t| t.split('"').next()?.parse::<f64>().ok());
            assert!(lowest.fold(0.0, f64::max) < HEIGHT, "{many}");
        }
        let crowded = act_line(&act(2000));
        assert!(crowded.contains("without label"));
        // What has no label in the drawing has its words in the description.
        assert!(crowded.contains("32000R11000 ("), "{}", &crowded[..400]);
    }

    #[test]
    fn an_act_without_a_day_is_said_to_have_none() {
        let none = act_line(&ActLine { name: "31989R9001".into(), ..ActLine::default() });
        assert!(none.contains("No day of it is known here"));
    }
}
