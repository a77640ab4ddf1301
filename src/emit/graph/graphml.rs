//! GraphML: every value typed, one edge per touch.

use super::{EdgeList, basis, extent, parts, saved};
use std::fmt::Write as _;

const NODE_KEYS: [&str; 4] = ["title", "made", "in_force_from", "last_day"];
const EDGE_KEYS: [&str; 11] =
    ["relation", "label", "touch", "extent", "parts", "saved", "start", "basis", "until", "doubt", "contradicted"];

/// The graph as GraphML (UTF-8). Days are ISO 8601 strings; absent values are left out.
pub fn graphml(list: &EdgeList<'_>) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    );
    for name in NODE_KEYS {
        let _ = writeln!(out, "<key id=\"n_{name}\" for=\"node\" attr.name=\"{name}\" attr.type=\"string\"/>");
    }
    for name in EDGE_KEYS {
        let kind = match name {
            "touch" => "int",
            "contradicted" => "boolean",
            _ => "string",
        };
        let _ = writeln!(out, "<key id=\"e_{name}\" for=\"edge\" attr.name=\"{name}\" attr.type=\"{kind}\"/>");
    }
    out.push_str("<graph id=\"relations\" edgedefault=\"directed\">\n");
    for act in list.acts {
        let _ = write!(out, "<node id=\"{}\">", escaped(act.celex.as_str()));
        let day = |d: Option<crate::law::Day>| d.map(|d| d.to_string());
        let values = [act.title.clone(), day(act.made), day(act.in_force_from), day(act.last_day)];
        data(&mut out, 'n', NODE_KEYS.into_iter().zip(values));
        out.push_str("</node>\n");
    }
    for (n, (edge, at, touch)) in list.touches().enumerate() {
        let (source, target) = (escaped(edge.source.as_str()), escaped(edge.target.as_str()));
        let _ = write!(out, "<edge id=\"e{n}\" source=\"{source}\" target=\"{target}\">");
        let label = list.registry.spec(&edge.relation).map(|s| s.label.clone());
        let joined = |list: Vec<String>| (!list.is_empty()).then(|| list.join("; "));
        let values = [
            Some(edge.relation.to_string()),
            label,
            Some(at.to_string()),
            touch.map(|t| extent(t).to_string()),
            touch.and_then(|t| joined(parts(t))),
            touch.and_then(|t| joined(saved(t))),
            touch.and_then(|t| t.start).map(|d| d.to_string()),
            touch.and_then(basis),
            touch.and_then(|t| t.until).map(|d| d.to_string()),
            touch.and_then(|t| t.conditional.clone().or_else(|| t.unconfirmed.clone())),
            Some((!edge.contradictions.is_empty()).to_string()),
        ];
        data(&mut out, 'e', EDGE_KEYS.into_iter().zip(values));
        out.push_str("</edge>\n");
    }
    out.push_str("</graph>\n</graphml>\n");
    out
}

fn data<'a>(out: &mut String, of: char, values: impl Iterator<Item = (&'a str, Option<String>)>) {
    for (name, value) in values {
        if let Some(value) = value {
            let _ = write!(out, "<data key=\"{of}_{name}\">{}</data>", escaped(&value));
        }
    }
}

/// Text as XML 1.0 can hold it: what that cannot shows as a replacement mark.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
