//! An act's title and articles as provisions, and what is read from them, with places and quotations.

use super::relations::{Found, Reader, whole_ends};
use super::{corrections, fixed, quotation, savings, sentences, terms};
use crate::law::{
    Act, Celex, Clause, Division, Effect, Extent, Part, Place, Quote, Registry, Term, Unit, UnitKind, cite,
};
use crate::parse::{Parsed, Warning};
use regex::Regex;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

/// Longest quotation kept, in bytes; the span always covers the whole.
const LONGEST_QUOTE: usize = 2000;

/// One article (or, in an act without articles, all that is not preamble) as running text.
struct Provision {
    text: String,
    heading: String,
    /// Where each unit's words begin.
    pieces: Vec<(usize, usize)>,
}

impl Provision {
    /// The words of these units. Quoted units stand between our own marks; a new paragraph begins a new
    /// line unless the words before it lead into it.
    fn compose(act: &Act, root: usize, units: impl Iterator<Item = usize>) -> Self {
        // A corrigendum may change headings.
        let headed = act.celex.is_corrigendum();
        let heading = act.units.get(root).and_then(|u| u.heading.clone()).unwrap_or_default();
        let mut provision = Self { text: String::new(), heading, pieces: Vec::new() };
        let mut quoting = false;
        for index in units {
            let unit = &act.units[index];
            if unit.kind == UnitKind::Footnote || unit.text.is_empty() && !unit.quoted {
                continue;
            }
            if quoting && !unit.quoted {
                provision.text.push(quotation::CLOSE);
            }
            if headed && quoting && unit.quoted {
                provision.text.push('\n');
            } else {
                provision.separate(unit);
            }
            provision.pieces.push((provision.text.len(), index));
            if unit.quoted && !quoting {
                provision.text.push(quotation::OPEN);
            }
            quoting = unit.quoted;
            if let Some(heading) = unit.heading.as_ref().filter(|_| headed && unit.quoted) {
                provision.text.push_str(heading);
                provision.text.push(' ');
            }
            provision.text.push_str(&unit.running());
        }
        if quoting {
            provision.text.push(quotation::CLOSE);
        }
        provision
    }

    fn separate(&mut self, unit: &Unit) {
        if self.text.is_empty() {
            return;
        }
        let leads =
            self.text.ends_with([':', ',', ';', '—']) || self.text.ends_with(" and") || self.text.ends_with(" or");
        let point = matches!(unit.kind, UnitKind::Point | UnitKind::Table);
        self.text.push(if leads || point || unit.quoted { ' ' } else { '\n' });
    }

    /// The unit in which this byte stands.
    fn unit(&self, at: usize) -> Option<usize> {
        let after = self.pieces.partition_point(|(start, _)| *start <= at);
        after.checked_sub(1).or(Some(0)).and_then(|i| self.pieces.get(i)).map(|(_, unit)| *unit)
    }

    /// Place and quotation of a range of the text.
    fn locate(&self, act: &Act, range: &Range<usize>) -> (Place, Quote) {
        let first = self.unit(range.start);
        let last = self.unit(range.end.saturating_sub(1).max(range.start));
        let span = match (first.map(|i| act.units[i].span), last.map(|i| act.units[i].span)) {
            (Some(a), Some(b)) => a.cover(&b),
            _ => act.title.span,
        };
        let mut part = None;
        let mut at = first;
        while let (Some(index), None) = (at, &part) {
            part.clone_from(&act.units[index].part);
            at = act.units[index].parent;
        }
        let text = begun(&self.text[range.clone()]).replace([quotation::OPEN, quotation::CLOSE], "");
        (Place::Operative(part), Quote { document: act.document, span, text })
    }
}

/// The units that make up each provision, root first.
fn provisions(act: &Act, whole: bool) -> Vec<Provision> {
    let body =
        |u: &Unit| !matches!(u.kind, UnitKind::Citation | UnitKind::Recital | UnitKind::Footnote | UnitKind::Final);
    let articles: Vec<usize> =
        (0..act.units.len()).filter(|i| act.units[*i].kind == UnitKind::Article && !act.units[*i].quoted).collect();
    if whole || articles.is_empty() {
        let annexes = |u: &Unit| !whole && u.kind == UnitKind::Annex;
        let end = act.units.iter().position(annexes).unwrap_or(act.units.len());
        return vec![Provision::compose(act, 0, (0..end).filter(|i| whole || body(&act.units[*i])))];
    }
    // A unit's inner units follow it, footnotes between them, each with a parent at or after the root.
    let within = |i: usize, root: usize| {
        let unit = &act.units[i];
        unit.kind == UnitKind::Footnote || unit.parent.is_some_and(|p| p >= root)
    };
    let inside = |root: usize| (root + 1..act.units.len()).take_while(move |i| within(*i, root));
    articles.into_iter().map(|root| Provision::compose(act, root, std::iter::once(root).chain(inside(root)))).collect()
}

pub(super) fn read(act: &Act, registry: &Registry) -> Parsed<(Vec<Clause>, Vec<Term>)> {
    let dated = OnceCell::new();
    let resolve = |text: &str| {
        let name = designation(text)?;
        dated.get_or_init(|| designations(act)).get(&name).cloned()
    };
    let listed = |annex: &[Part]| annexed(act, annex);
    let reader = Reader::new(&act.celex, registry, resolve).listing(&listed);
    let title = title(act, &reader);
    let named =
        reader.corrigendum().then(|| base(&act.celex).or_else(|| title.first().map(|c| c.0.clause.target.clone())));
    let named = named.flatten();
    let provisions = provisions(act, reader.corrigendum());
    let mut found: Vec<(usize, Found)> = Vec::new();
    let mut terms = Vec::new();
    for (index, provision) in provisions.iter().enumerate() {
        let place = Place::Operative(None);
        found.extend(reader.read_after(&provision.text, &place, named.clone()).into_iter().map(|f| (index, f)));
        if !reader.corrigendum() {
            terms.extend(terms::read(&provision.text, &provision.heading).into_iter().map(|t| (index, t)));
        }
    }
    save_elsewhere(&reader, &provisions, &mut found);
    let mut warnings = Vec::new();
    // Without a pattern that reads replacements nothing tells them from the rest.
    let mut patterns = reader.patterns(&Place::Operative(None));
    let reads_edits = reader.corrigendum() && patterns.any(|(_, p)| !p.pattern.names_target());
    for (index, provision) in provisions.iter().enumerate().filter(|_| reads_edits) {
        let edits = found.iter().filter(|(of, f)| *of == index && f.clause.edit.is_some());
        let edits: Vec<Range<usize>> = edits.map(|(_, f)| f.range.clone()).collect();
        for passage in corrections::unread(&provision.text, &edits) {
            let (_, quote) = provision.locate(act, &passage);
            let message = format!("a correction that replaces no words: “{}”", quote.text.trim());
            warnings.push(Warning { span: quote.span, message });
        }
    }
    let listings = OnceCell::new();
    let mut clauses = announced(title, &found, act, &mut warnings);
    clauses.extend(found.into_iter().map(|(index, f)| {
        let (place, quote) = provisions[index].locate(act, &f.range);
        let at =
            |(other, range): &(Option<usize>, Range<usize>)| provisions[other.unwrap_or(index)].locate(act, range).1;
        let mut also: Vec<Quote> = f.also.iter().map(at).collect();
        let words = &provisions[index].text[f.range.clone()];
        if words.contains("nnex") && cite(words).iter().all(|c| c.celex.as_ref() != Some(&f.clause.target)) {
            also.extend(listings.get_or_init(|| listed_in(act)).get(&f.clause.target).map(|unit| listing(act, *unit)));
        }
        f.clause.into_clause(place, quote, also)
    }));
    let terms = terms.into_iter().filter_map(|(index, t)| {
        let (place, quote) = provisions[index].locate(act, &t.range);
        let parts = match (&t.own, &place) {
            (Some(own), Place::Operative(Some(part))) => own.parts(part),
            (Some(_), _) => return None,
            (None, _) => t.parts,
        };
        Some(Term { kind: t.kind, parts, at: t.at, place, quote })
    });
    Parsed { value: (clauses, terms.collect()), warnings }
}

/// What the title says, with its quotation.
fn title<R: Fn(&str) -> Option<Celex>>(act: &Act, reader: &Reader<R>) -> Vec<(Found, Quote)> {
    let found = reader.read(&act.title.text, &Place::Title);
    found.into_iter().map(|f| (f, act.title.clone())).collect()
}

/// The title's clauses that the operative part does not state more closely. An end that only the title
/// announces leaves open how much ends.
fn announced(
    title: Vec<(Found, Quote)>,
    operative: &[(usize, Found)],
    act: &Act,
    warnings: &mut Vec<Warning>,
) -> Vec<Clause> {
    let mut kept = Vec::new();
    for (mut found, quote) in title {
        let clause = &mut found.clause;
        let stated =
            operative.iter().any(|(_, f)| f.clause.relation == clause.relation && f.clause.target == clause.target);
        let correction = clause.effect == Effect::Rewrites && act.celex.is_corrigendum();
        let closer = matches!(clause.effect, Effect::Ends | Effect::Prolongs) || correction;
        if stated && closer {
            continue;
        }
        if clause.effect == Effect::Ends {
            clause.extent = Extent::Unknown;
            let message = format!("the title announces the end of {}, which no provision states", clause.target);
            warnings.push(Warning { span: act.title.span, message });
        }
        kept.push(found.clause.into_clause(Place::Title, quote, Vec::new()));
    }
    kept
}

/// Sentences of other articles that let an ended act go on. What the same act ends it does not prolong.
fn save_elsewhere<R: Fn(&str) -> Option<Celex>>(
    reader: &Reader<R>,
    provisions: &[Provision],
    found: &mut Vec<(usize, Found)>,
) {
    let ended: Vec<usize> = whole_ends(found.iter().map(|(_, f)| &f.clause));
    if ended.is_empty() {
        return;
    }
    for (index, provision) in provisions.iter().enumerate() {
        if !savings::may_save(&provision.text) {
            continue;
        }
        for range in sentences::sentences(&provision.text) {
            let sentence = &provision.text[range.clone()];
            if !savings::may_save(sentence) {
                continue;
            }
            let (_, body) = sentences::lead_in(&reader.slotted(sentence, None));
            for end in &ended {
                let (of, ended) = &mut found[*end];
                if *of == index || !body.names(&ended.clause.target) {
                    continue;
                }
                if let Some(saved) =
                    savings::later(&body, &ended.clause.target, ended.clause.parts.is_empty(), sentence)
                {
                    ended.clause.save(saved);
                    ended.also.push((Some(index), range.clone()));
                }
            }
        }
    }
    let targets: BTreeSet<Celex> = ended.iter().map(|i| found[*i].1.clause.target.clone()).collect();
    found.retain(|(_, f)| f.clause.effect != Effect::Prolongs || !targets.contains(&f.clause.target));
}

/// Acts that an annex lists: of each line, row or numbered item the act named first.
const MOST_LISTED: usize = 2000;
static ITEM: LazyLock<Regex> = LazyLock::new(|| fixed(r"\n|;|[.)] (?:\d{1,3}[.)]|—|–|-|\([a-z0-9]{1,4}\)) "));

/// The acts listed in this annex of the act, or in its only one where none is named.
fn annexed(act: &Act, annex: &[Part]) -> Vec<Celex> {
    let is_annex = |u: &Unit| u.kind == UnitKind::Annex && !u.quoted;
    let named = |u: &Unit| match annex.first() {
        Some(part) if part.division() == Division::Annex => u.part.as_ref().is_some_and(|p| p.contains(part)),
        Some(_) => false,
        None => true,
    };
    let mut found: Vec<Celex> = Vec::new();
    let mut inside = false;
    for unit in &act.units {
        if is_annex(unit) {
            inside = named(unit);
        }
        if !inside || unit.kind == UnitKind::Footnote || unit.quoted {
            continue;
        }
        for line in ITEM.split(&unit.text) {
            let first = cite(line).into_iter().find_map(|c| c.celex);
            found.extend(first.filter(|c| !found.contains(c) && found.len() < MOST_LISTED));
        }
    }
    found
}

/// The acts that the annexes name, each with the first unit that does.
fn listed_in(act: &Act) -> BTreeMap<Celex, usize> {
    let annex = act.units.iter().position(|u| u.kind == UnitKind::Annex && !u.quoted).unwrap_or(act.units.len());
    let mut found = BTreeMap::new();
    for (at, unit) in act.units.iter().enumerate().skip(annex).filter(|(_, u)| u.kind != UnitKind::Footnote) {
        for celex in cite(&unit.text).into_iter().filter_map(|c| c.celex) {
            found.entry(celex).or_insert(at);
        }
    }
    found
}

/// The words of a unit as a quotation.
fn listing(act: &Act, unit: usize) -> Quote {
    let unit = &act.units[unit];
    Quote { document: act.document, span: unit.span, text: begun(&unit.text).to_string() }
}

/// As much of a text as a quotation keeps.
fn begun(text: &str) -> &str {
    let cut = (0..=LONGEST_QUOTE.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
    &text[..cut]
}

/// The act that a corrigendum's number names.
fn base(corrigendum: &Celex) -> Option<Celex> {
    Some(corrigendum.base()).filter(|base| base != corrigendum)
}

static DESIGNATION: LazyLock<Regex> =
    LazyLock::new(|| fixed(r"^(?:[A-Z][a-z]+ )*(Regulation|Directive|Decision) (?:\([A-Z]+\) )?No (\d{1,4})$"));
static DATED: LazyLock<Regex> = LazyLock::new(|| {
    fixed(
        r"^,? of \d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December) ((?:19|20)\d\d)\b",
    )
});

/// "Regulation No 17": a designation that needs a date to be a number.
pub(super) fn designation(text: &str) -> Option<String> {
    let caps = DESIGNATION.captures(text.trim())?;
    Some(format!("{} {}", &caps[1], &caps[2]))
}

/// Designations without a year that the document elsewhere gives with their date ("Regulation No 17 of
/// 6 February 1962"); one that has two dates is left out.
fn designations(act: &Act) -> BTreeMap<String, Celex> {
    let mut found: BTreeMap<String, Vec<Celex>> = BTreeMap::new();
    for unit in act.units.iter().filter(|u| !u.quoted && u.text.contains(" No ")) {
        for named in cite(&unit.text).into_iter().filter(|n| n.celex.is_none()) {
            let date = DATED.captures(&unit.text[named.end..]);
            let name = designation(&named.text);
            if let (Some(date), Some(name)) = (date, name)
                && let Some((kind, number)) = name.split_once(' ')
            {
                let letter = if kind == "Regulation" {
                    'R'
                } else if kind == "Directive" {
                    'L'
                } else {
                    'D'
                };
                let celex = format!("3{}{letter}{number:0>4}", &date[1]).parse::<Celex>().ok();
                let all = found.entry(name.clone()).or_default();
                all.extend(celex.filter(|c| !all.contains(c)));
            }
        }
    }
    found
        .into_iter()
        .filter_map(|(name, all)| if let [only] = all.as_slice() { Some((name, only.clone())) } else { None })
        .collect()
}
