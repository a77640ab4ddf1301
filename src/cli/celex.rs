//! `legal-link celex ID`: the parts of a CELEX number.

use super::ui::Ui;
use super::{Exit, Trouble};
use crate::law::{Celex, CelexClass, Day};
use serde::Serialize;
use std::fmt::Write as _;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A CELEX number, an address that holds one, or an ELI.
    id: String,
}

/// What is printed.
#[derive(Serialize)]
struct Parts<'a> {
    celex: &'a Celex,
    class: CelexClass,
    sector: char,
    year: Option<u16>,
    r#type: Option<&'a str>,
    number: Option<&'a str>,
    serial: Option<u16>,
    corrigendum: Option<u16>,
    version_date: Option<Day>,
    nim_country: Option<&'a str>,
    nim_number: Option<&'a str>,
    tail: Option<&'a str>,
    base: Celex,
    url_path: String,
}

/// The act that a CELEX number, or an address or ELI, names.
pub(super) fn named(id: &str) -> Result<Celex, Trouble> {
    let celex = id.parse::<Celex>().or_else(|error| Celex::from_uri(id).ok_or(error));
    celex.map_err(|error| Trouble::new(Exit::BadInput, error))
}

pub(super) fn run(args: &Args, ui: Ui) -> Result<Exit, Trouble> {
    let celex = named(&args.id)?;
    let parts = celex.parts();
    let told = Parts {
        class: parts.class,
        sector: parts.sector,
        year: parts.year,
        r#type: Some(parts.kind).filter(|k| !k.is_empty()),
        number: parts.number,
        serial: parts.serial,
        corrigendum: parts.corrigendum,
        version_date: parts.version,
        nim_country: parts.measure.map(|(country, _)| country),
        nim_number: parts.measure.map(|(_, number)| number),
        tail: parts.tail,
        base: celex.base(),
        url_path: celex.url_path(),
        celex: &celex,
    };
    ui.data(&told, || lines(&told))?;
    Ok(Exit::Done)
}

/// One part a line, those that are there.
fn lines(parts: &Parts<'_>) -> String {
    let mut out = String::new();
    if let Ok(serde_json::Value::Object(fields)) = serde_json::to_value(parts) {
        for (name, value) in fields.iter().filter(|(_, value)| !value.is_null()) {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_string);
            let _ = writeln!(out, "{name:13} {value}");
        }
    }
    out
}
