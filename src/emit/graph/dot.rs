//! DOT, for Graphviz: one arrow per edge, with its relation, its extent and its first day.

use super::{EdgeList, extent};
use std::fmt::Write as _;

/// Letters of a title shown in a node.
const TITLE: usize = 60;

/// The graph in DOT (UTF-8).
pub fn dot(list: &EdgeList<'_>) -> String {
    let mut out = String::from(
        "digraph relations {\n  graph [rankdir=\"LR\", charset=\"UTF-8\"];\n  node [shape=\"box\", fontsize=\"10\"];\n  edge [fontsize=\"9\"];\n",
    );
    for act in list.acts {
        let name = quoted(act.celex.as_str());
        let title = act.title.as_deref().unwrap_or_default();
        let mut short: String = title.chars().take(TITLE).collect();
        if short.len() < title.len() {
            short.push('\u{2026}');
        }
        let label = if short.is_empty() { name.clone() } else { format!("{name}\\n{}", quoted(&short)) };
        let _ = writeln!(out, "  \"{name}\" [label=\"{label}\", tooltip=\"{}\"];", quoted(title));
    }
    for edge in list.edges {
        let mut label =
            list.registry.spec(&edge.relation).map_or(edge.relation.as_str(), |s| s.label.as_str()).to_string();
        if edge.touches.iter().any(|t| extent(t) == "partial") {
            label.push_str(" in part");
        }
        if let Some(day) = edge.touches.iter().filter_map(|t| t.start).min() {
            let _ = write!(label, " from {day}");
        }
        let style = if edge.contradictions.is_empty() { "" } else { ", style=\"dashed\"" };
        let (source, target) = (quoted(edge.source.as_str()), quoted(edge.target.as_str()));
        let _ = writeln!(out, "  \"{source}\" -> \"{target}\" [label=\"{}\"{style}];", quoted(&label));
    }
    out.push_str("}\n");
    out
}

/// Text inside a quoted string: Graphviz reads `\n` and `\G` in labels, so a backslash is doubled.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => out.push(' '),
            // Graphviz reads entities in labels.
            '&' => out.push_str("&amp;"),
            c => out.push(c),
        }
    }
    out
}
