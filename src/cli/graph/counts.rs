//! `legal-link graph counts`: how much the dated relation graph of a source holds.

use crate::cli::held::{Opened, Where};
use crate::cli::ui::Ui;
use crate::cli::{Exit, Trouble};
use crate::graph::Counts;
use std::fmt::Write as _;

pub(super) fn run(held: &Where, ui: Ui) -> Result<Exit, Trouble> {
    let counts = match held.opened(ui)? {
        Opened::Built(graph) => graph.counts(),
        Opened::Stored(graph, _) => graph.counts(),
    };
    ui.data(&counts, || lines(&counts))?;
    Ok(Exit::Done)
}

fn lines(counts: &Counts) -> String {
    let Counts { acts, texts, edges, relations, by_evidence, contradicted } = counts;
    let mut out = format!("{acts} acts, {texts} with text; {edges} edges, {contradicted} contradicted\n");
    let _ = write!(out, "{:26}{:>8}", "", "all");
    for kind in by_evidence.keys() {
        let _ = write!(out, "{kind:>10}");
    }
    for (relation, n) in relations {
        let _ = write!(out, "\n{:26}{n:>8}", relation.as_str());
        for kind in by_evidence.values() {
            let _ = write!(out, "{:>10}", kind.get(relation).copied().unwrap_or(0));
        }
    }
    out
}
