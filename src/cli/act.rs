//! `legal-link act CELEX`: what is known of an act, and its text as it was read.

use super::graph::touch_words;
use super::held::{Read, Where};
use super::ui::Ui;
use super::{Exit, Trouble, celex};
use crate::graph::{Asked, Capped, Changes, LastDay, Life, Reason, Status};
use crate::law::{Act, Celex, DatedRelation, Day, Effect, Language, Outcome, Part, RelationType, Unit, corrected};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Neighbours shown on each side in a terminal.
const LIMIT: usize = 20;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A CELEX number, or an address or ELI that names one.
    celex: String,
    /// The day asked about; by default the newest fetch.
    #[arg(long, value_name = "YYYY-MM-DD")]
    on: Option<Day>,
    /// What had been published by this day counts; by default the newest fetch.
    #[arg(long, value_name = "DAY")]
    known_on: Option<Day>,
    /// So many of the acts on each side, newest first; by default 20, in JSON all.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Print the text of the act as it was read, unit by unit.
    #[arg(long)]
    text: bool,
    /// Only this unit of the text, with what stands in it: 8(3), 'Annex II', 'Chapter IV'.
    #[arg(long, value_name = "UNIT", requires = "text")]
    unit: Option<Part>,
    /// The text with the corrigenda that are here worked in; what could not be worked in is listed.
    #[arg(long, requires = "text")]
    corrected: bool,
    #[command(flatten)]
    held: Where,
}

/// What is known of an act.
#[derive(Serialize)]
struct Sheet<'a> {
    celex: &'a Celex,
    title: Option<&'a str>,
    life: Option<Life>,
    last_day: LastDay,
    on: Option<Day>,
    known_on: Option<Day>,
    status: Option<Status>,
    changes: Changes,
    /// What acts on it, newest first.
    acted_on_by: Capped<Neighbour<'a>>,
    /// On what it acts, newest first.
    acts_on: Capped<Neighbour<'a>>,
    /// Relations that do nothing to either act, counted: the relation, by others onto it, by it onto others.
    context: BTreeMap<&'a RelationType, [usize; 2]>,
    states: Vec<State<'a>>,
    corrigenda: Vec<Corrigendum<'a>>,
    /// The documents of the source that tell of it.
    documents: Vec<Stands<'a>>,
}

/// An act on the other end of an edge.
#[derive(Serialize)]
struct Neighbour<'a> {
    celex: &'a Celex,
    title: Option<&'a str>,
    /// The day it was made.
    made: Option<Day>,
    label: &'a str,
    #[serde(flatten)]
    edge: &'a DatedRelation,
}

#[derive(Serialize)]
struct State<'a> {
    celex: &'a Celex,
    from: Day,
    until: Option<Day>,
}

#[derive(Serialize)]
struct Corrigendum<'a> {
    celex: &'a Celex,
    made: Option<Day>,
    /// The languages it concerns; empty: not recorded.
    languages: Vec<Language>,
}

#[derive(Serialize)]
struct Stands<'a> {
    document: String,
    address: &'a str,
    taken: Option<Day>,
}

pub(super) fn run(args: &Args, ui: Ui) -> Result<Exit, Trouble> {
    let celex = celex::named(&args.celex)?;
    let read = args.held.read(ui)?;
    if !read.graph.has(&celex) {
        let trouble = Trouble::new(Exit::BadInput, format!("nothing here tells of {celex}"));
        return Err(trouble.hint("name a source that does with --from, for instance folder:PATH"));
    }
    if args.text {
        return text(&read, &celex, args, ui);
    }
    let limit = args.limit.unwrap_or(if ui.json { usize::MAX } else { LIMIT });
    let sheet = sheet(&read, &celex, args, limit);
    ui.data(&sheet, || lines(&sheet, ui.width()))?;
    Ok(Exit::Done)
}

fn sheet<'a>(read: &'a Read, celex: &'a Celex, args: &Args, limit: usize) -> Sheet<'a> {
    let graph = &read.graph;
    let on = args.on.or(args.known_on).or(graph.known_on());
    let asked = on.map(|on| Asked { on, known_on: args.known_on });
    let side = |edges: Vec<&'a DatedRelation>, other: fn(&'a DatedRelation) -> &'a Celex| {
        let acting = edges.into_iter().filter(|e| graph.effect(e) != Effect::None);
        let neighbours = acting.map(|edge| neighbour(read, edge, other(edge))).collect();
        Capped::newest(neighbours, limit, |n: &Neighbour<'_>| (n.made, (n.celex.clone(), n.edge.relation.clone())))
    };
    let mut context: BTreeMap<&RelationType, [usize; 2]> = BTreeMap::new();
    for (at, edges) in [graph.onto(celex).collect::<Vec<_>>(), graph.by(celex).collect()].into_iter().enumerate() {
        for edge in edges.into_iter().filter(|e| graph.effect(e) == Effect::None) {
            context.entry(&edge.relation).or_default()[at] += 1;
        }
    }
    Sheet {
        celex,
        title: title(read, celex),
        life: graph.life(celex),
        last_day: graph.last_day(&celex.clone().into(), args.known_on),
        on,
        known_on: args.known_on.or(graph.known_on()),
        status: asked.map(|asked| graph.status(&celex.clone().into(), asked)),
        changes: graph.changes(celex),
        acted_on_by: side(graph.onto(celex).collect(), |e| &e.source),
        acts_on: side(graph.by(celex).collect(), |e| &e.target),
        context,
        states: states(read, celex),
        corrigenda: corrigenda(read, celex),
        documents: documents(read, celex),
    }
}

fn neighbour<'a>(read: &'a Read, edge: &'a DatedRelation, celex: &'a Celex) -> Neighbour<'a> {
    let label = read.registry.spec(&edge.relation).map_or("acts on", |s| s.label.as_str());
    Neighbour { celex, title: title(read, celex), made: read.graph.made(celex), label, edge }
}

/// The act's own title, else the one that a register records.
pub(super) fn title<'a>(read: &'a Read, celex: &Celex) -> Option<&'a str> {
    let own = read.graph.act(celex).map(|a| a.title.text.as_str()).filter(|t| !t.is_empty());
    own.or_else(|| read.graph.record(celex)?.title.as_deref())
}

fn states<'a>(read: &'a Read, celex: &Celex) -> Vec<State<'a>> {
    let mut states: Vec<State<'a>> = read
        .register
        .states
        .iter()
        .filter(|s| &s.of == celex)
        .map(|s| State { celex: &s.celex, from: s.from, until: s.until })
        .collect();
    states.sort_by_key(|s| (s.from, s.celex, s.until));
    states.dedup_by_key(|s| s.from);
    states
}

fn corrigenda<'a>(read: &'a Read, celex: &Celex) -> Vec<Corrigendum<'a>> {
    let corrects = |e: &&DatedRelation| read.graph.effect(e) == Effect::Rewrites && e.source.is_corrigendum();
    let edges = read.graph.onto(celex).filter(corrects);
    let mut found: BTreeMap<&Celex, BTreeSet<Language>> = BTreeMap::new();
    for edge in edges {
        found.entry(&edge.source).or_default().extend(edge.touches.iter().flat_map(|t| t.languages.iter().copied()));
    }
    let told = found.into_iter().map(|(celex, languages)| Corrigendum {
        celex,
        made: read.graph.record(celex).and_then(|r| r.date_document),
        languages: languages.into_iter().collect(),
    });
    told.collect()
}

/// The texts and notices of the act, and every document that a statement about it stands in.
fn documents<'a>(read: &'a Read, celex: &Celex) -> Vec<Stands<'a>> {
    let register = &read.register;
    let rows = register.rows.iter().filter(|r| &r.source == celex || &r.target == celex).map(|r| r.locus.document);
    let records = register.records.iter().filter(|r| &r.celex == celex).map(|r| r.locus.document);
    let states = register.states.iter().filter(|s| &s.of == celex).map(|s| s.locus.document);
    let told: BTreeSet<_> = rows.chain(records).chain(states).collect();
    let of_it = read.documents.iter().filter(|d| d.key.celex().as_ref() == Some(celex) || told.contains(&d.digest));
    of_it.map(|d| Stands { document: d.key.to_string(), address: &d.address, taken: d.taken }).collect()
}

fn lines(sheet: &Sheet<'_>, width: usize) -> String {
    let mut out = format!("{}\n", sheet.celex);
    if let Some(title) = sheet.title {
        wrap(&mut out, "  ", title, width);
    }
    if let Some(life) = &sheet.life {
        out.push('\n');
        dates(&mut out, life, sheet.last_day, width);
    }
    if let (Some(status), Some(on)) = (&sheet.status, sheet.on) {
        let known =
            sheet.known_on.filter(|k| *k != on).map_or(String::new(), |k| format!(", as known on {}", k.long()));
        let _ =
            writeln!(out, "\nOn {}{known}: in force {}, applicable {}", on.long(), status.in_force, status.applicable);
        for reason in &status.because {
            because(&mut out, reason, width);
        }
    }
    side(&mut out, "Acted on by", &sheet.acted_on_by, width);
    side(&mut out, "Acts on", &sheet.acts_on, width);
    if !sheet.context.is_empty() {
        let told: Vec<String> =
            sheet.context.iter().map(|(name, [onto, by])| format!("{name} {onto} onto it, {by} by it")).collect();
        wrap(&mut out, "", &format!("\nOther relations: {}", told.join("; ")), width);
    }
    versions(&mut out, sheet, width);
    let _ = writeln!(out, "\nStands on {} documents", sheet.documents.len());
    for one in &sheet.documents {
        let taken = one.taken.map_or(String::new(), |d| format!(", taken {d}"));
        wrap(&mut out, "  ", &format!("{}{taken}", one.document), width);
    }
    out
}

fn dates(out: &mut String, life: &Life, last_day: LastDay, width: usize) {
    let day = |what: &str, d: Option<Day>| d.map(|d| format!("{what} {}", d.long()));
    let made = [day("made", life.made), day("published", life.published)];
    let made: Vec<String> = made.into_iter().flatten().collect();
    if !made.is_empty() {
        wrap(out, "  ", &made.join(", "), width);
    }
    let mut force = format!("in force {}", from(life.in_force));
    if life.application_named {
        let _ = write!(force, "; applies {}", from(life.applies));
    }
    let end = match last_day {
        LastDay::On(day) => format!("last day {}", day.long()),
        LastDay::Open => "no end known".to_string(),
        LastDay::Unknown => "when it ends is not known".to_string(),
    };
    let _ = write!(force, "; {end}");
    wrap(out, "  ", &force, width);
    if let Some(day) = life.transposed {
        wrap(out, "  ", &format!("to be transposed by {}", day.long()), width);
    }
    for stage in &life.staged {
        wrap(out, "  ", &stage.because.says, width);
    }
}

fn from(at: crate::graph::Moment) -> String {
    at.known().map_or_else(|| at.words(), |day| format!("from {}", day.long()))
}

fn because(out: &mut String, reason: &Reason, width: usize) {
    wrap(out, "  ", &reason.says, width);
    if let Some(quote) = &reason.quote {
        wrap(out, "      ", &format!("\u{201c}{}\u{201d}", quote.text), width);
    }
}

fn side(out: &mut String, head: &str, list: &Capped<Neighbour<'_>>, width: usize) {
    if list.all == 0 {
        return;
    }
    let cut = if list.truncated {
        format!(", the {} newest shown (--limit {} shows all)", list.shown.len(), list.all)
    } else {
        String::new()
    };
    let _ = writeln!(out, "\n{head} {}{cut}", list.all);
    for one in &list.shown {
        let made = one.made.map_or_else(|| "          ".to_string(), |d| d.to_string());
        let touches: Vec<String> = one.edge.touches.iter().map(touch_words).collect();
        let doubt = if one.edge.contradictions.is_empty() { "" } else { " (contradicted)" };
        wrap(out, "  ", &format!("{made}  {}  {}{doubt}: {}", one.celex, one.label, touches.join("; ")), width);
        if let Some(title) = one.title {
            let room = width.saturating_sub(14).max(20);
            let short: String = title.chars().take(room).collect();
            let more = if short.len() < title.len() { "\u{2026}" } else { "" };
            let _ = writeln!(out, "              {short}{more}");
        }
    }
}

fn versions(out: &mut String, sheet: &Sheet<'_>, width: usize) {
    let changes = &sheet.changes;
    if changes.amendments + changes.corrigenda > 0 {
        let latest = changes.latest.as_ref().map_or(String::new(), |c| format!(", the newest {c}"));
        let _ =
            writeln!(out, "\nActs that change it: {}{latest}; corrigenda: {}", changes.amendments, changes.corrigenda);
    }
    for one in &sheet.corrigenda {
        let languages: Vec<String> = one.languages.iter().map(Language::to_string).collect();
        let languages = if languages.is_empty() { "languages not recorded".to_string() } else { languages.join(" ") };
        let made = one.made.map_or(String::new(), |d| format!(" of {}", d.long()));
        wrap(out, "  ", &format!("{}{made}: {languages}", one.celex), width);
    }
    if !sheet.states.is_empty() {
        let _ = writeln!(out, "\n{} consolidated states", sheet.states.len());
        let days: Vec<String> = sheet.states.iter().map(|s| s.from.to_string()).collect();
        wrap(out, "  ", &days.join(", "), width);
    }
}

/// A text as printed.
#[derive(Serialize)]
struct Told<'a> {
    celex: &'a Celex,
    language: Language,
    document: String,
    title: &'a str,
    units: &'a [&'a Unit],
    /// What became of each correction; none where the text was asked for as published.
    #[serde(skip_serializing_if = "Option::is_none")]
    corrections: Option<&'a [Worked]>,
}

/// A correction, and what became of it.
#[derive(Serialize)]
struct Worked {
    by: Celex,
    old: String,
    new: String,
    /// The units that read differently now.
    units: Vec<String>,
    /// Why it was not worked in.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

impl Worked {
    fn of(act: &Act, outcome: Outcome) -> Self {
        let (units, refused) = match outcome.units {
            Ok(at) => (at.into_iter().map(|i| name(act, i)).collect(), None),
            Err(why) => (Vec::new(), Some(why.to_string())),
        };
        Self { by: outcome.by, old: outcome.edit.old, new: outcome.edit.new, units, refused }
    }

    fn line(&self) -> String {
        let done = match &self.refused {
            None => format!("worked into {}", self.units.join(", ")),
            Some(why) => format!("not worked in: {why}"),
        };
        format!("{}: \u{201c}{}\u{201d} \u{2192} \u{201c}{}\u{201d}, {done}", self.by, self.old, self.new)
    }
}

/// The address of a unit, or of the nearest unit around it that has one.
fn name(act: &Act, mut at: usize) -> String {
    loop {
        let unit = &act.units[at];
        match (&unit.part, unit.parent) {
            (Some(part), _) => return part.long(),
            (None, Some(parent)) => at = parent,
            (None, None) => return "the text".to_string(),
        }
    }
}

/// The act as its corrigenda that are here have it read, and what became of each correction.
fn with_corrections(read: &Read, published: &Act) -> (Act, Vec<Worked>) {
    let sources = read.graph.onto(&published.celex).map(|e| &e.source).filter(|c| c.is_corrigendum());
    let corrigenda: BTreeMap<&Celex, &Act> = sources.filter_map(|c| Some((c, read.graph.act(c)?))).collect();
    let read = corrected(published, corrigenda.into_values());
    let worked = read.outcomes.into_iter().map(|o| Worked::of(&read.act, o)).collect();
    (read.act, worked)
}

/// The units as they were read, or one of them with what stands in it.
fn text(read: &Read, celex: &Celex, args: &Args, ui: Ui) -> Result<Exit, Trouble> {
    let unit = args.unit.as_ref();
    let Some(published) = read.graph.act(celex) else {
        return Err(Trouble::new(Exit::BadInput, format!("the text of {celex} is not here")));
    };
    let worked = args.corrected.then(|| with_corrections(read, published));
    let (act, corrections) = worked.as_ref().map_or((published, None), |(act, worked)| (act, Some(worked.as_slice())));
    let units: Vec<&Unit> = match unit {
        None => act.units.iter().collect(),
        Some(part) => {
            let Some(at) = act.index_of(part) else {
                return Err(Trouble::new(
                    Exit::BadInput,
                    format!("the text of {celex} that is here has no {}", part.long()),
                ));
            };
            act.subtree(at).into_iter().map(|i| &act.units[i]).collect()
        }
    };
    let document = read.document(&act.document).map_or_else(|| act.document.to_string(), |d| d.key.to_string());
    let told = Told { celex, language: act.language, document, title: &act.title.text, units: &units, corrections };
    ui.data(&told, || {
        let mut out = printed(act, &units, unit.is_none(), ui.width());
        for (i, correction) in corrections.unwrap_or_default().iter().enumerate() {
            if i == 0 {
                out.push_str("\nCorrections\n");
            }
            wrap(&mut out, "  ", &correction.line(), ui.width());
        }
        out
    })?;
    Ok(Exit::Done)
}

fn printed(act: &Act, units: &[&Unit], whole: bool, width: usize) -> String {
    let mut out = String::new();
    if whole {
        wrap(&mut out, "", &act.title.text, width);
        out.push('\n');
    }
    for unit in units {
        let mut depth = 0;
        let mut above = unit.parent;
        while let Some(parent) = above {
            depth += 1;
            above = act.units.get(parent).and_then(|u| u.parent);
        }
        let margin = "  ".repeat(depth.min(8));
        let margin = if unit.quoted { format!("{margin}> ") } else { margin };
        let head = unit.printed_head();
        let words = [head.as_str(), unit.heading.as_deref().unwrap_or(""), unit.text.as_str()];
        let words: Vec<&str> = words.into_iter().filter(|w| !w.is_empty()).collect();
        if !words.is_empty() {
            wrap(&mut out, &margin, &words.join(" "), width);
        }
    }
    out
}

/// Adds words on lines of at most so many letters, each behind the margin.
fn wrap(out: &mut String, margin: &str, words: &str, width: usize) {
    let room = width.saturating_sub(margin.chars().count()).max(20);
    for paragraph in words.split('\n') {
        let mut line = String::new();
        let mut letters = 0;
        for word in paragraph.split_whitespace() {
            let long = word.chars().count();
            if letters > 0 && letters + 1 + long > room {
                let _ = writeln!(out, "{margin}{line}");
                line.clear();
                letters = 0;
            }
            if letters > 0 {
                line.push(' ');
                letters += 1;
            }
            line.push_str(word);
            letters += long;
        }
        let _ = writeln!(out, "{}", format!("{margin}{line}").trim_end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_set_on_lines_of_the_width() {
        let mut out = String::new();
        wrap(&mut out, "  ", "one two three four five six seven eight nine ten", 24);
        assert!(out.lines().all(|l| l.starts_with("  ") && l.chars().count() <= 24), "{out}");
        assert_eq!(out.split_whitespace().count(), 10);
    }
}
