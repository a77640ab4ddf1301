//! The built-in author: forms, filled from the graph, kept where their claims come out as they say.

use super::form::{self, Filled, FilledOption};
use super::passages::{self, Texts};
use super::slots::{Facts, Slots};
use super::{Assignment, Author, Writing, Written};
use crate::dataset::{Authorship, Choice, Claim, Draft, Proof, Refusal};
use crate::graph::TextState;
use crate::law::{Act, Celex, DatedRelation, Day, Digest, Endpoint, Evidence, Form, Quote};
use crate::verify::{self, Undecided};
use std::collections::BTreeSet;

/// A statement longer than this many bytes is cut to the unit that matters.
const LONGEST_QUOTATION: usize = 20_000;

/// Writes items from the forms of the registry, with no model. Everything it writes is decided by code (the
/// stem and the key proved, three distractors refuted, on the item's day) and has passed the gates.
#[derive(Debug, Clone, Copy, Default)]
pub struct BuiltIn;

impl Author for BuiltIn {
    fn name(&self) -> String {
        "built-in".to_string()
    }

    fn write<'a>(&'a self, assignment: Assignment<'a>) -> Writing<'a> {
        Box::pin(std::future::ready(self.draft(assignment)))
    }
}

impl BuiltIn {
    /// Up to the wanted number of drafts, each from another form or setting; one refusal that names what kept
    /// each form from applying where there is none.
    pub fn draft(&self, assignment: Assignment<'_>) -> Written {
        let mut written = Written::default();
        let refuse =
            |reason: String| Refusal { pair: assignment.pair.clone(), gate: "author".to_string(), reason, draft: None };
        let desk = match Desk::open(assignment) {
            Ok(desk) => desk,
            Err(reason) => {
                written.refusals.push(refuse(reason));
                return written;
            }
        };
        let mut reasons = BTreeSet::new();
        for form in desk.forms() {
            if written.drafts.len() >= assignment.items {
                break;
            }
            let draft = match desk.first_that_holds(form) {
                Ok(draft) => draft,
                Err(reason) => {
                    reasons.insert(format!("{}: {reason}", form.name));
                    continue;
                }
            };
            match verify::gates(&draft, assignment.graph, assignment.rules, Undecided::Refuse) {
                Ok(_) => written.drafts.push(draft),
                Err(refusal) => {
                    reasons.insert(format!("{}: refused at {}", form.name, refusal.gate));
                    written.refusals.push(*refusal);
                }
            }
        }
        if written.drafts.is_empty() {
            let reasons = reasons.into_iter().collect::<Vec<_>>().join("; ");
            written.refusals.push(refuse(format!("no form applies ({reasons})")));
        }
        written
    }
}

/// An assignment with what every form needs.
struct Desk<'a> {
    assignment: Assignment<'a>,
    texts: Texts<'a>,
    settings: Vec<Slots>,
    /// The words that state the relation.
    stated: Vec<Quote>,
    /// The last days that the relation fixes.
    ends: Vec<Day>,
}

impl<'a> Desk<'a> {
    fn open(assignment: Assignment<'a>) -> Result<Self, String> {
        let Assignment { pair, graph, registry, known_on, seed, .. } = assignment;
        let (source, target) = (&pair.source.celex, &pair.target.celex);
        let edge = graph.edge(source, &pair.relation, target);
        let edge = edge.ok_or_else(|| format!("nothing here says that {source} {} {target}", pair.relation))?;
        let text = |celex| graph.act(celex).ok_or_else(|| format!("the text of {celex} is not here"));
        let texts = Texts { source: text(source)?, target: text(target)? };
        let effect = registry.effect(&pair.relation);
        let settings = Facts { graph, pair, edge, effect, known_on, seed }.settings();
        let ends: Vec<Day> = edge.touches.iter().filter_map(|t| t.until).collect();
        let acts = [texts.source, texts.target];
        let act_of = |quote: &Quote| acts.into_iter().find(|act| act.document == quote.document);
        let stated: Vec<Quote> =
            stated(edge).iter().filter_map(|q| act_of(q).map(|act| narrowed(act, q, &ends))).collect();
        let stated: Vec<Quote> = stated.into_iter().filter(says_something).collect();
        if stated.is_empty() {
            return Err(format!("no text here states that {source} {} {target}", pair.relation));
        }
        Ok(Self { assignment, texts, settings, stated, ends })
    }

    /// The relation's forms in an order seeded by the pair, so that each comes first about equally often.
    fn forms(&self) -> Vec<&'a Form> {
        let Assignment { pair, registry, seed, .. } = self.assignment;
        let mut forms: Vec<&Form> = registry.forms(&pair.relation).collect();
        let (source, target) = (pair.source.to_string(), pair.target.to_string());
        forms.sort_by_cached_key(|form| {
            let fields =
                [source.as_bytes(), target.as_bytes(), form.relation.as_str().as_bytes(), form.name.as_bytes()];
            Digest::of_fields(std::iter::once(seed.to_be_bytes().as_slice()).chain(fields))
        });
        forms
    }

    /// The draft of a form in the first of the pair's settings in which it holds.
    fn first_that_holds(&self, form: &Form) -> Result<Draft, String> {
        let mut first_reason = None;
        for slots in &self.settings {
            match form::fill(form, slots).and_then(|filled| self.draft(form, filled)) {
                Ok(draft) => return Ok(draft),
                Err(reason) => {
                    first_reason.get_or_insert(reason);
                }
            }
        }
        Err(first_reason.unwrap_or_default())
    }

    fn draft(&self, form: &Form, filled: Filled) -> Result<Draft, String> {
        let day = filled.day;
        let stem = self.hold(&filled.stem_claims, day)?;
        let key = self.choice(filled.key, Proof::Proved, day)?;
        let mut options = vec![key];
        let mut last = String::new();
        for distractor in filled.distractors {
            if options.len() == 4 {
                break;
            }
            if options.iter().any(|o| o.text == distractor.text) {
                continue;
            }
            match self.choice(distractor, Proof::Refuted, day) {
                Ok(choice) => options.push(choice),
                Err(reason) => last = reason,
            }
        }
        if options.len() < 4 {
            return Err(format!("only {} options do not hold ({last})", options.len() - 1));
        }
        for option in &mut options {
            option.support = self.quotable(&option.support, day)?;
        }
        let mut support = self.quotable(&stem, day)?;
        support.extend(options.iter().flat_map(|o| o.support.iter().cloned()));
        let passages = passages::choose(self.texts, &support, day, self.assignment.graph)?;
        Ok(Draft {
            pair: self.assignment.pair.clone(),
            day,
            known_on: self.assignment.known_on,
            stem: filled.stem,
            stem_claims: filled.stem_claims,
            options,
            passages,
            author: Authorship::BuiltIn { form: form.name.clone() },
        })
    }

    /// All of these claims proved: the words that prove them.
    fn hold(&self, claims: &[Claim], day: Day) -> Result<Vec<Quote>, String> {
        let mut support = Vec::new();
        for claim in claims {
            let (proof, quotes) = self.decide(claim, day);
            if proof != Proof::Proved {
                return Err(format!("on {day} {} is {}", plain(claim), word(proof)));
            }
            support.extend(quotes);
        }
        Ok(distinct(support))
    }

    /// The option with its support, if it comes out as wanted.
    fn choice(&self, option: FilledOption, wanted: Proof, day: Day) -> Result<Choice, String> {
        let FilledOption { text, claims } = option;
        let support = if wanted == Proof::Proved {
            self.hold(&claims, day)?
        } else {
            let decided = claims.iter().map(|c| self.decide(c, day));
            let (_, quotes) = decided
                .into_iter()
                .find(|(proof, _)| *proof == Proof::Refuted)
                .ok_or_else(|| format!("on {day} nothing refutes “{text}”"))?;
            distinct(quotes)
        };
        Ok(Choice { text, claims, support })
    }

    /// What can be quoted for a verdict from the two acts, in words that were law on the day; where its facts have
    /// no such words (a rule of the Treaties, a register's date), the words that state the relation.
    fn quotable(&self, support: &[Quote], day: Day) -> Result<Vec<Quote>, String> {
        let texts = [self.texts.source, self.texts.target];
        let act_of = |quote: &Quote| texts.into_iter().find(|act| act.document == quote.document);
        let third = support.iter().all(|q| act_of(q).is_none()).then(|| support.first()).flatten();
        if let Some(quote) = third {
            return Err(format!("it rests on a third document: “{}”", shortened(&quote.text)));
        }
        let ours = support.iter().filter_map(|q| act_of(q).map(|act| (act, q)));
        let quoted: Vec<Quote> = ours
            .filter(|(act, q)| says_something(q) && self.still_law(act, q, day))
            .map(|(act, q)| self.narrowed(act, q))
            .collect();
        Ok(if quoted.is_empty() { self.stated.clone() } else { distinct(quoted) })
    }

    /// Whether no other act had changed the unit it stands in by the day; corrections are worked into what a unit says.
    fn still_law(&self, act: &Act, quote: &Quote, day: Day) -> bool {
        let around = act.units.iter().filter(|u| u.span.contains(&quote.span) && u.part.is_some());
        let unit = around.min_by_key(|u| u.span.end - u.span.start);
        let Some(part) = unit.and_then(|u| u.part.clone()) else { return true };
        let at = Endpoint { celex: act.celex.clone(), part: Some(part) };
        match self.assignment.graph.text_state(&at, day) {
            TextState::Changed { by } => by.iter().all(Celex::is_corrigendum),
            TextState::AsPublished | TextState::Unconfirmed { .. } => true,
        }
    }

    /// A statement longer than a passage, cut to the innermost unit that names the day it fixes.
    fn narrowed(&self, act: &Act, quote: &Quote) -> Quote {
        narrowed(act, quote, &self.ends)
    }

    fn decide(&self, claim: &Claim, day: Day) -> (Proof, Vec<Quote>) {
        let proven = verify::prove(claim, day, self.assignment.known_on, self.assignment.graph);
        (proven.proof, proven.support)
    }
}

/// Each quotation once, in order of place.
fn distinct(mut quotes: Vec<Quote>) -> Vec<Quote> {
    quotes.sort_by_key(|q| (q.document, q.span, q.text.clone()));
    quotes.dedup();
    quotes
}

/// The words of the acts that state the relation: clauses, or both ends of a bridge.
fn stated(edge: &DatedRelation) -> Vec<Quote> {
    let words = edge.evidence.iter().flat_map(|evidence| match evidence {
        Evidence::Text { quote } => vec![quote.clone()],
        Evidence::Bridge { clause, change, .. } => vec![clause.clone(), change.clone()],
        Evidence::Notice { .. } | Evidence::Register { .. } => Vec::new(),
    });
    distinct(words.collect())
}

/// The quotation, or, where it is longer than a passage, the smallest unit inside it that names one of the days
/// together with the unit it changes.
fn narrowed(act: &Act, quote: &Quote, days: &[Day]) -> Quote {
    if quote.span.end - quote.span.start <= LONGEST_QUOTATION {
        return quote.clone();
    }
    let names = |text: &str| days.iter().any(|day| text.contains(&day.long()));
    let inside = act.units.iter().enumerate().filter(|(_, u)| quote.span.contains(&u.span) && !u.quoted);
    let found = inside.filter(|(i, _)| names(&act.full_text(*i))).min_by_key(|(_, u)| u.span.end - u.span.start);
    found.map_or_else(
        || quote.clone(),
        |(i, unit)| Quote { document: quote.document, span: unit.span, text: act.full_text(i) },
    )
}

/// Whether a quotation is more than marks and a stray word.
fn says_something(quote: &Quote) -> bool {
    quote.text.chars().filter(|c| c.is_alphabetic()).count() >= 12
}

/// The beginning of long words, for a sentence.
fn shortened(words: &str) -> String {
    words.char_indices().nth(100).map_or(words.to_string(), |(at, _)| format!("{} …", &words[..at]))
}

fn plain(claim: &Claim) -> String {
    serde_json::to_string(claim).unwrap_or_default()
}

fn word(proof: Proof) -> &'static str {
    match proof {
        Proof::Proved => "proved",
        Proof::Refuted => "refuted",
        Proof::Undecided => "undecided",
    }
}
