//! What models cost, for the report and for a terminal.

use super::html::{Text, count};
use super::page::table;
use crate::dataset::{Spend, Spending};
use std::fmt::Write as _;

/// The section of the report; empty where no model was asked.
pub(super) fn section(spending: Option<&Spending>) -> String {
    let Some(spending) = spending.filter(|spending| !spending.rows.is_empty()) else { return String::new() };
    let rows = spending.rows.iter().fold(String::new(), |mut out, row| {
        let cells =
            [row.calls, row.batched, row.prompt, row.cached, row.cache_write, row.reply, row.reasoning].map(number);
        let _ = write!(out, "<tr><th scope=\"row\">{}</th><td>{}</td>", Text(&row.stage), Text(&row.model));
        for cell in cells {
            let _ = write!(out, "<td>{cell}</td>");
        }
        let _ =
            write!(out, "<td>{}</td><td>{}</td></tr>", Text(&cost(row)), Text(row.price_of.as_deref().unwrap_or("–")));
        out
    });
    let heads = [
        "Stage",
        "Model",
        "Calls",
        "in batches",
        "Prompt",
        "cached",
        "written",
        "Reply",
        "thoughts",
        "Cost",
        "Price of",
    ];
    format!(
        "<p>What this dataset cost: every call whose reply it was made from, paid for when it was last built or before. {} \
         Tokens as the servers counted them.</p>{}",
        Text(&spending_total(spending)),
        table("Calls, tokens and money by stage and model", "", &heads, &rows)
    )
}

/// The whole sum in words, with all that is not in it.
pub fn spending_total(spending: &Spending) -> String {
    let mut text = match (spending.rows.iter().any(|row| row.cost.is_some()), spending.unpriced.is_empty()) {
        (false, false) => String::new(),
        _ => format!("In all {} US dollars.", spending.cost),
    };
    if !spending.unpriced.is_empty() {
        let more = if text.is_empty() { "" } else { " On top comes what is not known: " };
        let _ = write!(text, "{more}the price of {} is not known.", spending.unpriced.join(", "));
    }
    if spending.uncounted > 0 {
        let _ = write!(text, " {} of the calls were not counted by their server.", number(spending.uncounted));
    }
    text
}

fn cost(row: &Spend) -> String {
    row.cost.as_ref().map_or_else(|| "not known".to_string(), |cost| format!("${cost}"))
}

fn number(n: u64) -> String {
    count(usize::try_from(n).unwrap_or(usize::MAX))
}
