//! Gate 4: the quotations exist, say what they are quoted for, stand in a passage, and were law on the day.

use super::check::{Check, Verdict};
use super::facts::Proofs;
use super::wording::{normal, says};
use crate::dataset::{Claim, ClaimForm, Draft, Passage};
use crate::graph::{RelationGraph, TextState};
use crate::law::{Act, Celex, DatedRelation, Endpoint, Evidence, Quote, Span, Unit, UnitKind};
use std::borrow::Cow;

/// Whether a text states the relation, so that a question can be asked from the texts: a clause, or a
/// bridge of two. What only a register records can be asked as a register's fact.
pub fn stated_in_text(edge: &DatedRelation) -> bool {
    edge.evidence.iter().any(|e| matches!(e, Evidence::Text { .. } | Evidence::Bridge { .. }))
}

/// The gate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grounding;

impl Check for Grounding {
    fn name(&self) -> &'static str {
        "grounding"
    }

    fn check(&self, draft: &Draft, graph: &RelationGraph) -> Verdict {
        let mut verdict = Verdict::default();
        let ground = Ground { draft, graph };
        let pair = &draft.pair;
        match graph.edge(&pair.source.celex, &pair.relation, &pair.target.celex) {
            None => verdict.refuse(format!("no edge {} {} {}", pair.source, pair.relation, pair.target)),
            Some(edge) if !stated_in_text(edge) => {
                verdict.refuse(format!("no text here states that {} {} {}", pair.source, pair.relation, pair.target));
            }
            Some(_) => {}
        }
        for passage in draft.passages.iter().filter(|p| !p.text.is_empty()) {
            ground.passage(passage, &mut verdict);
        }
        for (i, option) in draft.options.iter().enumerate() {
            let place = if i == 0 { "key" } else { "distractor" };
            if option.support.is_empty() {
                verdict.refuse(format!("nothing is quoted for the {place} “{}”", option.text));
            }
            for quote in &option.support {
                ground.quote(quote, &option.claims, &mut verdict);
            }
        }
        ground.key(&mut verdict);
        verdict
    }
}

struct Ground<'a> {
    draft: &'a Draft,
    graph: &'a RelationGraph,
}

impl<'a> Ground<'a> {
    fn act_of(&self, document: &crate::law::Digest) -> Option<&'a Act> {
        let ends = [&self.draft.pair.source.celex, &self.draft.pair.target.celex];
        ends.into_iter().filter_map(|c| self.graph.act(c)).find(|a| a.document == *document)
    }

    fn passage(&self, passage: &Passage, verdict: &mut Verdict) {
        let Some(act) = self.graph.act(&passage.celex).filter(|a| a.document == passage.document) else {
            verdict.refuse(format!("a passage is not from the text of {} that is here", passage.celex));
            return;
        };
        if normal(&passage.text) != normal(&act.words_in(&passage.span)) {
            verdict.refuse(format!("a passage of {} does not say what its bytes say", passage.celex));
        }
        let changed = self.changed_in(act, &passage.span);
        if let Some(by) = changed
            && !passage.as_published
        {
            let by: Vec<&str> = by.iter().map(Celex::as_str).collect();
            let words = format!("a passage of {} is shown as law on {}", passage.celex, self.draft.day.long());
            verdict.refuse(format!("{words}, but {} changed it", by.join(", ")));
        }
    }

    /// The acts that changed, or may have changed, a unit in the span by the item's day.
    fn changed_in(&self, act: &Act, span: &Span) -> Option<Vec<Celex>> {
        let units = act.units.iter().filter(|u| span.contains(&u.span) && !u.quoted);
        units.filter_map(|u| u.part.clone()).find_map(|part| {
            let at = Endpoint { celex: act.celex.clone(), part: Some(part) };
            match self.graph.text_state(&at, self.draft.day) {
                TextState::AsPublished => None,
                TextState::Changed { by } | TextState::Unconfirmed { by } => Some(by),
            }
        })
    }

    fn quote(&self, quote: &Quote, claims: &[Claim], verdict: &mut Verdict) {
        let words = || format!("“{}”", shortened(&quote.text));
        let Some(act) = self.act_of(&quote.document) else {
            verdict.refuse(format!("{} is quoted from a document that is neither act's", words()));
            return;
        };
        if !said(act, quote) {
            verdict.refuse(format!(
                "{} does not say {} at bytes {}-{}",
                act.celex,
                words(),
                quote.span.start,
                quote.span.end
            ));
        }
        // What a passage says is held to its bytes, and so is what the quotation says.
        let held = |p: &Passage| p.document == quote.document && p.span.contains(&quote.span) && !p.text.is_empty();
        let held = self.draft.passages.iter().any(held);
        if !held {
            verdict.refuse(format!("{} stands in no passage", words()));
        }
        if let Some(why) = self.not_law(act, quote, claims) {
            verdict.refuse(format!("{} supports nothing: {why}", words()));
        }
    }

    /// Why published words do not support these claims on the day, if they do not.
    fn not_law(&self, act: &Act, quote: &Quote, claims: &[Claim]) -> Option<String> {
        let inner = act.units.iter().filter(|u| u.span.contains(&quote.span) && u.part.is_some());
        let unit = inner.min_by_key(|u| u.span.end - u.span.start)?;
        let part = unit.part.clone()?;
        let at = Endpoint { celex: act.celex.clone(), part: Some(part.clone()) };
        match self.graph.text_state(&at, self.draft.day) {
            TextState::AsPublished => None,
            TextState::Changed { by } => {
                // Corrections are worked into what a unit reads; their words and the corrected ones both count.
                let correction = by.iter().all(|c| self.corrects(c, act));
                (!correction).then(|| format!("{} had changed {} by then", list(&by), part.long()))
            }
            TextState::Unconfirmed { by } => {
                // What the act says of its own life may be told; what a unit says may not be restated from its old words.
                let restated = claims.iter().any(|c| {
                    matches!(&c.form,
                        ClaimForm::Reads { act: of, unit, .. } | ClaimForm::Quotes { act: of, unit, .. }
                            if *of == act.celex && (unit.contains(&part) || part.contains(unit)))
                });
                let correction = by.iter().all(|c| self.corrects(c, act));
                (restated && !correction).then(|| format!("{} may have changed {}", list(&by), part.long()))
            }
        }
    }

    fn corrects(&self, changing: &Celex, act: &Act) -> bool {
        let clauses = self.graph.act(changing).map(|c| c.clauses.as_slice()).unwrap_or_default();
        clauses.iter().any(|c| c.target == act.celex && c.edit.is_some())
    }

    /// The key rests on words that its proof rests on, where the proof rests on words.
    fn key(&self, verdict: &mut Verdict) {
        let Some(key) = self.draft.options.first() else { return };
        let proofs = Proofs::of(self.draft, self.graph);
        let Some(proven) = proofs.options.first() else { return };
        let ours: Vec<&Quote> = proven.support.iter().filter(|q| self.act_of(&q.document).is_some()).collect();
        let meets =
            |a: &Quote, b: &Quote| a.document == b.document && (a.span.contains(&b.span) || b.span.contains(&a.span));
        if !ours.is_empty() && !key.support.iter().any(|s| ours.iter().any(|o| meets(s, o))) {
            verdict.refuse("what is quoted for the key is not what proves it");
        }
    }
}

/// From this length, in bytes, a quotation is the beginning of a sentence and may end within a word.
const LONG: usize = 1000;

/// Whether the units in the quotation's span, or the one around it, say its words, with the labels and
/// headings between them or without.
fn said(act: &Act, quote: &Quote) -> bool {
    let words = normal(&quote.text);
    if words.is_empty() {
        return false;
    }
    if act.title.span.contains(&quote.span) {
        return says(&normal(&act.title.text), &words);
    }
    let around = act.units.iter().filter(|u| u.span.contains(&quote.span));
    let around = around.map(|u| u.span).min_by_key(|span| span.end - span.start);
    std::iter::once(quote.span).chain(around).any(|span| {
        // Footnotes stand between the units they interrupt.
        let inner = || act.units.iter().filter(|u| span.contains(&u.span) && u.kind != UnitKind::Footnote);
        let bare = inner().map(Unit::running).collect::<Vec<_>>().join(" ");
        let headed = inner().flat_map(|u| [u.heading.as_deref().unwrap_or_default().into(), u.running()]);
        let headed = headed.filter(|t| !t.is_empty()).collect::<Vec<Cow<str>>>().join(" ");
        let whole = act.units.iter().position(|u| u.span == span);
        let labelled = whole.map(|i| act.full_text(i)).unwrap_or_default();
        [bare, headed, labelled, act.words_in(&span)].iter().any(|text| {
            let text = normal(text);
            // Very long words may be cut anywhere.
            says(&text, &words) || (words.len() > LONG && text.contains(&words))
        })
    })
}

fn list(acts: &[Celex]) -> String {
    acts.iter().map(Celex::as_str).collect::<Vec<_>>().join(", ")
}

/// The beginning of long words, for a sentence.
pub(super) fn shortened(words: &str) -> String {
    const SHOWN: usize = 120;
    match words.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{} …", &words[..at]),
        None => words.to_string(),
    }
}
