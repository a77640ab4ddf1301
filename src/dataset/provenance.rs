//! What an item stands on, as one record beside its row.

use super::{Dataset, Document, Item};
use crate::law::{DatedRelation, Digest, Evidence};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A line of `provenance.jsonl`: the whole item with claims, quotations, spans, hashes and proofs, the edge
/// it rests on with evidence and contradictions, and the documents that all of these name. Passages stand
/// in the order source, target of the forward edge; options unshuffled, `order` telling their positions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// The item.
    #[serde(flatten)]
    pub item: Item,
    /// The edge.
    pub edge: Option<DatedRelation>,
    /// The documents named, in the order of the dataset's own list.
    pub documents: Vec<Document>,
}

impl Provenance {
    /// What this item of this dataset stands on.
    pub fn of(item: &Item, dataset: &Dataset) -> Self {
        let edge = dataset.edge(item).cloned();
        let named = named(item, edge.as_ref());
        let documents = dataset.documents.iter().filter(|d| named.contains(&d.digest)).cloned().collect();
        Self { item: item.clone(), edge, documents }
    }
}

fn named(item: &Item, edge: Option<&DatedRelation>) -> BTreeSet<Digest> {
    let draft = &item.draft;
    let mut named: BTreeSet<Digest> = draft.passages.iter().map(|p| p.document).collect();
    named.extend(draft.options.iter().flat_map(|o| &o.support).map(|q| q.document));
    let Some(edge) = edge else { return named };
    named.extend(edge.contradictions.iter().filter_map(|c| c.quote.as_ref()).map(|q| q.document));
    for evidence in &edge.evidence {
        match evidence {
            Evidence::Notice { locus } | Evidence::Register { locus } => {
                named.insert(locus.document);
            }
            Evidence::Text { quote } => {
                named.insert(quote.document);
            }
            Evidence::Bridge { clause, change, .. } => named.extend([clause.document, change.document]),
        }
    }
    named
}
