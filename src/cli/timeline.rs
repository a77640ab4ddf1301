//! `legal-link timeline CELEX --svg FILE`: an act and its relations on a time line to print.

use super::held::{Read, Where};
use super::ui::Ui;
use super::{Exit, Trouble, act, celex};
use crate::cache::lasting::{self, Place};
use crate::graph::{Asked, LastDay, Moment};
use crate::law::{Celex, DatedRelation, Day, Effect, Endpoint, Extent, Part, TermKind, Touch};
use crate::view::{ActLine, Bar, Event, Lane, Mark, Tone, act_line};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Parts with bars of their own, at most; the rest are told in the drawing's description only.
const PARTS: usize = 5;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A CELEX number, or an address or ELI that names one.
    celex: String,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    svg: PathBuf,
    /// The day to mark, with the act's status on it.
    #[arg(long, value_name = "YYYY-MM-DD")]
    on: Option<Day>,
    #[command(flatten)]
    held: Where,
}

pub(super) fn run(args: &Args, ui: Ui) -> Result<Exit, Trouble> {
    let celex = celex::named(&args.celex)?;
    let read = args.held.read(ui)?;
    if !read.graph.has(&celex) {
        return Err(Trouble::new(Exit::BadInput, format!("nothing here tells of {celex}")));
    }
    let drawn = act_line(&line(&read, &celex, args.on));
    lasting::write(Place::Whole(&args.svg), drawn.as_bytes()).map_err(|e| Trouble::new(Exit::Other, e))?;
    ui.note(format_args!("{} written", args.svg.display()));
    Ok(Exit::Done)
}

fn line(read: &Read, celex: &Celex, on: Option<Day>) -> ActLine {
    let mut said = Vec::new();
    if let Some(day) = on.or(read.graph.known_on()) {
        let status = read.graph.status(&celex.clone().into(), Asked::on(day));
        said.push(format!("On {}: in force {}, applicable {}.", day.long(), status.in_force, status.applicable));
    }
    ActLine {
        name: celex.to_string(),
        title: act::title(read, celex).unwrap_or("title not here").to_string(),
        said,
        bars: bars(read, celex),
        lanes: lanes(read, celex),
        on,
        known_on: read.graph.known_on(),
    }
}

fn bars(read: &Read, celex: &Celex) -> Vec<Bar> {
    let Some(life) = read.graph.life(celex) else { return Vec::new() };
    let at = Endpoint::from(celex.clone());
    let endings = read.graph.endings(&at, None);
    let last = read.graph.last_day(&at, None);
    let sure = last != LastDay::Unknown;
    let (until, note) = match last {
        LastDay::On(day) => {
            let by = endings.iter().find(|e| e.from.known() == Some(day.succ())).and_then(|e| e.by.as_ref());
            (Some(day), by.map_or_else(|| "by its own terms".to_string(), |by| format!("ended by {by}")))
        }
        LastDay::Open => (None, "no end known".to_string()),
        LastDay::Unknown => {
            let may = endings.iter().filter_map(|e| e.from.earliest).min().map(Day::pred);
            let may = may.filter(|day| life.in_force.earliest.is_none_or(|from| from <= *day));
            (may, "when it ends is not known".to_string())
        }
    };
    let bar = |name: &str, at: &Moment, tone| Bar {
        name: name.to_string(),
        from: at.known().or(at.latest).or(at.earliest),
        until,
        sure,
        tone,
        note: note.clone(),
    };
    let mut bars = vec![bar("in force", &life.in_force, Tone::Full)];
    let applies = Bar { note: String::new(), ..bar("applies", &life.applies, Tone::Half) };
    bars.push(applies);
    if !sure && until.is_some() {
        let latest = endings.iter().map(|e| e.from.latest).max().flatten().map(Day::pred);
        let name = "perhaps in force".to_string();
        bars.push(Bar {
            name,
            from: until.map(Day::succ),
            until: latest,
            sure: true,
            tone: Tone::Hatched,
            note: String::new(),
        });
    }
    let mut parts: Vec<Bar> = Vec::new();
    for stage in &life.staged {
        let names = named(&stage.parts);
        let day = stage.at.known().or(stage.at.earliest);
        let (from, until, what) = match stage.kind {
            TermKind::Expiry => (life.in_force.known(), day.map(Day::pred), "ends by its own terms"),
            TermKind::Application => (day, until, "applies"),
            _ => (day, until, "enters into force"),
        };
        parts.push(Bar { name: names, from, until, sure: true, tone: Tone::Hatched, note: what.to_string() });
    }
    for edge in read.graph.onto(celex).filter(|e| read.graph.effect(e) == Effect::Ends) {
        for touch in &edge.touches {
            parts.extend(kept(edge, touch));
            if touch.extent == Extent::Partial && !touch.parts.is_empty() && touch.start.is_some() {
                let (from, until) = (life.in_force.known(), touch.start.map(Day::pred));
                let note = format!("ended by {}", edge.source);
                parts.push(Bar { name: named(&touch.parts), from, until, sure: true, tone: Tone::Hatched, note });
            }
        }
    }
    parts.truncate(PARTS);
    bars.extend(parts);
    bars
}

/// What an end saves, from then to its last day.
fn kept<'a>(edge: &'a DatedRelation, touch: &'a Touch) -> impl Iterator<Item = Bar> + 'a {
    touch.saved.iter().map(|saved| Bar {
        name: saved.part.as_ref().map_or_else(|| "some cases".to_string(), Part::long),
        from: touch.start,
        until: saved.until,
        sure: true,
        tone: Tone::Hatched,
        note: format!("saved by {}", edge.source),
    })
}

fn named(parts: &[Part]) -> String {
    match parts {
        [one] => one.long(),
        [one, .., last] if parts.len() > 2 => format!("{} \u{2026} {last}", one.long()),
        _ => parts.iter().map(Part::to_string).collect::<Vec<_>>().join(", "),
    }
}

/// The lanes, by what the relations do; what an act does itself stands below what is done to it.
fn lanes(read: &Read, celex: &Celex) -> Vec<Lane> {
    let graph = &read.graph;
    let onto: Vec<&DatedRelation> = graph.onto(celex).collect();
    let by: Vec<&DatedRelation> = graph.by(celex).collect();
    let lane = |name: &str, mark, edges: &[&DatedRelation], does: &dyn Fn(&DatedRelation) -> bool, out: bool| {
        let mut events: BTreeSet<(Option<Day>, String)> = BTreeSet::new();
        for edge in edges.iter().filter(|e| does(e)) {
            let other = if out { &edge.target } else { &edge.source };
            let first = edge.touches.iter().filter_map(|t| t.start).min().or_else(|| graph.made(&edge.source));
            let starts: BTreeSet<Option<Day>> = edge
                .touches
                .iter()
                .map(|t| t.start.or(first))
                .chain(edge.touches.is_empty().then_some(first))
                .collect();
            events.extend(starts.into_iter().map(|day| (day, other.to_string())));
        }
        let events = events.into_iter().map(|(day, label)| Event { day, label }).collect();
        Lane { name: name.to_string(), mark, events }
    };
    let effect = |wanted: &'static [Effect]| move |e: &DatedRelation| wanted.contains(&graph.effect(e));
    let corrects = |e: &DatedRelation| graph.effect(e) == Effect::Rewrites && e.source.is_corrigendum();
    let amends = |e: &DatedRelation| graph.effect(e) == Effect::Rewrites && !e.source.is_corrigendum();
    let ends: &[Effect] = &[Effect::Ends, Effect::DeclaresSpent, Effect::Voids];
    let reach: &[Effect] = &[Effect::Widens, Effect::Narrows, Effect::Pauses];
    let states: BTreeSet<Day> = read.register.states.iter().filter(|s| &s.of == celex).map(|s| s.from).collect();
    let states = states.into_iter().map(|day| Event { day: Some(day), label: day.to_string() }).collect();
    vec![
        lane("ended by", Mark::Cross, &onto, &effect(ends), false),
        lane("prolonged by", Mark::Arrow, &onto, &effect(&[Effect::Prolongs]), false),
        lane("reach changed by", Mark::Arrow, &onto, &effect(reach), false),
        lane("amended by", Mark::Tick, &onto, &amends, false),
        lane("corrected by", Mark::Ring, &onto, &corrects, false),
        lane("supplemented by", Mark::Tick, &onto, &effect(&[Effect::Supplements]), false),
        Lane { name: "consolidated states".to_string(), mark: Mark::Diamond, events: states },
        lane("itself ends", Mark::Cross, &by, &effect(ends), true),
        lane("itself changes", Mark::Tick, &by, &effect(&[Effect::Rewrites, Effect::Supplements]), true),
        lane(
            "itself prolongs, widens",
            Mark::Arrow,
            &by,
            &effect(&[Effect::Prolongs, Effect::Widens, Effect::Narrows, Effect::Pauses]),
            true,
        ),
    ]
}
