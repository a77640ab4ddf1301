//! Acts from their texts.

use super::block::Block;
use super::coverage::{Found, Tally};
use super::units::Reading;
use super::words::Words;
use super::{
    Parsed, Refused, Warning, clauses, consolidated, coverage, flat, formex, head, judgment, markdown,
    misread::misread, page, proposal, quoted, sniff, units,
};
use crate::law::{Act, Celex, Day, Digest, Flavour, Language, Origin, Quote, Registry, Span, Unit, UnitKind};

/// A document to be read, and what whoever fetched it knows about it.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    /// The act it was asked for as.
    pub celex: &'a Celex,
    /// The language it was asked for in.
    pub language: Language,
    /// The hash of the bytes.
    pub document: Digest,
    /// The bytes as fetched.
    pub bytes: &'a [u8],
    /// The relations that clauses are read as.
    pub registry: &'a Registry,
}

/// Reads an act: its title, dates, units, and what it says it does.
///
/// The layout is found from the bytes. Every unit's span lies in them, inside its parent's.
///
/// ```
/// use legal_link::law::{Digest, Language, Registry};
/// use legal_link::parse::{Given, act};
/// let text = "COUNCIL REGULATION (EC) No 9001/2009\nof 5 May 2009\non toys\nTHE COUNCIL,\nWhereas:\n(1)\nToys matter.\nHAS ADOPTED THIS REGULATION:\nArticle 1\nToys are safe.\nDone at Brussels, 5 May 2009.\n";
/// let celex = "32009R9001".parse().unwrap();
/// let given = Given {
///     celex: &celex,
///     language: Language::ENGLISH,
///     document: Digest::of(text.as_bytes()),
///     bytes: text.as_bytes(),
///     registry: &Registry::default(),
/// };
/// let act = act(&given).unwrap().value;
/// assert_eq!(act.articles().count(), 1);
/// assert_eq!(act.date_document.unwrap().to_string(), "2009-05-05");
/// ```
///
/// # Errors
/// [`Refused`] where no act stands there, or another one.
pub fn act(given: &Given) -> Result<Parsed<Act>, Refused> {
    let flavour = sniff::act(given.bytes)?;
    let mut front = front(flavour, given.bytes);
    // A consolidated text may name itself, or the act it is a state of.
    let named = front.names.take().filter(|named| named != given.celex);
    if let Some(named) = named.filter(|named| !given.celex.is_consolidated() || *named != given.celex.base()) {
        return Err(Refused::WrongAct { asked: given.celex.clone(), named });
    }
    if front.blocks.iter().all(|b| b.text().is_empty()) {
        return Err(Refused::Empty);
    }
    let reading = reading(flavour, &front);
    let covered = coverage::measure(given.bytes, flavour, &front, &reading, &reading.units);
    let mut warnings = std::mem::take(&mut front.warnings);
    warnings.extend(coverage::warning(given.bytes, flavour, covered, &reading));
    let title = title(given, &reading.title, front.title.as_ref());
    // An annex that is a document of its own has no title of the act.
    let annexed = title.text.is_empty() && reading.units.first().is_some_and(|u| u.kind == UnitKind::Annex);
    if title.text.is_empty() && !annexed {
        warnings.push(Warning { span: Span::new(0, 0), message: "no title was found".to_string() });
    }
    let closing = reading.units.iter().find(|u| u.kind == UnitKind::Final).map_or("", |u| u.text.as_str());
    let own = reading.title.iter().map(Words::text).collect::<Vec<_>>().join(" ");
    let date_document = date(given.celex, &title, &[&own, closing], &mut warnings).or(front.dated);
    let published = front.published.or_else(|| reading.header.iter().find_map(|line| head::header_day(line)));
    if published.is_none() && journalled(given.celex, flavour) {
        warnings.push(Warning { span: title.span, message: "no day of publication is printed".to_string() });
    }
    let mut act = Act {
        celex: given.celex.clone(),
        language: given.language,
        document: given.document,
        flavour,
        title,
        date_document,
        published,
        units: reading.units,
        clauses: Vec::new(),
        terms: Vec::new(),
        origins: front.origins,
        annexed: Vec::new(),
    };
    let correcting = given.celex.is_corrigendum() && act.title.text.starts_with("Corrigendum");
    let unlike = flavour == Flavour::Plain && !correcting && !act.units.iter().any(like_an_act);
    if act.units.is_empty() || unlike {
        return Err(Refused::NotThis {
            wanted: "act",
            found: "text without a provision, recital or citation".to_string(),
        });
    }
    let tally = Tally::of(&act);
    if tally.found() == Found::Headings {
        let message = format!("{} of {} articles have no words", tally.empty_articles, tally.articles);
        warnings.push(Warning { span: act.title.span, message });
    }
    if let Some(unit) = act.units.iter().find(|unit| misread(&unit.text)) {
        let message = "words look like UTF-8 that was read as Latin-1: numbers and citations may be lost".to_string();
        warnings.push(Warning { span: unit.span, message });
    }
    if flavour.is_judgment() && !act.units.iter().any(|u| u.kind == UnitKind::Ground) {
        let found = "a decision of a court without numbered grounds".to_string();
        return Err(Refused::NotThis { wanted: "judgment", found });
    }
    if lays_down(given.celex, flavour) {
        let read = clauses::read(&act, given.registry);
        (act.clauses, act.terms) = read.value;
        warnings.extend(read.warnings);
    }
    Ok(Parsed { value: act, warnings })
}

/// The words of an act's text alone, in whatever layout: a line to each block (a heading, a paragraph, a point with its
/// label, a table, a footnote), white space as one blank, entities decoded. No units are made of them.
///
/// ```
/// let page = r#"<html><body><p class="oj-doc-ti">Regulation&nbsp;9001</p><p class="oj-normal">Toys  are<br/>safe.</p></body></html>"#;
/// assert_eq!(legal_link::parse::text(page.as_bytes()).unwrap().value, "Regulation 9001\nToys are safe.\n");
/// ```
///
/// # Errors
/// [`Refused`] where no act stands there.
pub fn text(bytes: &[u8]) -> Result<Parsed<String>, Refused> {
    let Front { blocks, warnings, .. } = front(sniff::act(bytes)?, bytes);
    let mut text = String::with_capacity(bytes.len() / 2);
    for block in &blocks {
        if let Some(marker) = &block.marker {
            text.push_str(marker.text());
            text.push(' ');
        }
        text.push_str(block.text());
        text.push('\n');
    }
    Ok(Parsed { value: text, warnings })
}

/// Whether a text is law by its own words. A proposal is none yet; what a court rules is told by other patterns.
fn lays_down(celex: &Celex, flavour: Flavour) -> bool {
    !flavour.is_judgment() && flavour != Flavour::Proposal && !celex.is_proposal() && celex.parts().sector != '6'
}

/// Whether a text of this kind prints the day of its journal.
fn journalled(celex: &Celex, flavour: Flavour) -> bool {
    celex.parts().sector != '6' && !matches!(flavour, Flavour::Proposal | Flavour::Formex | Flavour::ConsolidatedFormex)
}

/// Units of a layout's blocks.
pub(super) fn reading(flavour: Flavour, front: &Front) -> Reading {
    if flavour.is_judgment() {
        return judgment::read(&front.blocks);
    }
    units::read(&front.blocks, &quoted::of_page(&front.blocks))
}

/// Whether a unit is one that acts have and other texts have not.
fn like_an_act(unit: &Unit) -> bool {
    matches!(unit.kind, UnitKind::Article | UnitKind::Recital | UnitKind::Citation)
}

/// What a layout's reader hands over.
#[derive(Default)]
pub(super) struct Front {
    /// All blocks.
    pub blocks: Vec<Block>,
    /// The act that the document names, if it does.
    pub names: Option<Celex>,
    /// The title printed above the text, where the layout has one apart from it.
    pub title: Option<Words>,
    /// The day of the journal, where the layout prints it apart from the text.
    pub published: Option<Day>,
    /// The day of the text itself, where the layout prints it apart from title and text.
    pub dated: Option<Day>,
    /// The acts that a consolidated text is made of.
    pub origins: Vec<Origin>,
    /// Where the text begins, after a head of its own.
    pub begins: usize,
    /// What was doubtful in the layout, or left out.
    pub warnings: Vec<Warning>,
    /// Letters and digits that the reader set aside on purpose: the signs of footnotes.
    pub aside: usize,
}

/// Reads the layout.
pub(super) fn front(flavour: Flavour, bytes: &[u8]) -> Front {
    match flavour {
        Flavour::Oj | Flavour::OjEli => {
            let (blocks, aside) = page::blocks(bytes);
            Front { blocks, aside, ..Front::default() }
        }
        Flavour::TxtTe => flat::txt_te(bytes),
        Flavour::Plain => flat::plain(bytes),
        Flavour::Formex | Flavour::ConsolidatedFormex => formex::front(bytes),
        Flavour::ConsEli | Flavour::ConsOld => consolidated::classed(bytes),
        Flavour::ConsInline => consolidated::inline(bytes),
        Flavour::Proposal => proposal::page(bytes),
        Flavour::CjeuXhtml => judgment::page(bytes),
        Flavour::CjeuMd => markdown::judgment(bytes),
    }
}

/// The title that the page prints above the text, complete and with its number; else the lines of the text's own.
pub(super) fn printed_title(lines: &[Words], printed: Option<&Words>) -> Words {
    let mut title = printed.filter(|p| p.text().chars().any(|c| c.is_ascii_digit())).cloned().unwrap_or_default();
    if title.is_empty() {
        for line in lines {
            title.join(line);
        }
    }
    title
}

fn title(given: &Given, lines: &[Words], printed: Option<&Words>) -> Quote {
    let title = printed_title(lines, printed);
    let (text, _) = head::clean_title(title.text());
    Quote { document: given.document, span: title.whole(), text }
}

/// The day in the title; where that prints none, or none that goes with the number, the day in the text's own
/// title or at its end.
fn date(celex: &Celex, title: &Quote, others: &[&str], warnings: &mut Vec<Warning>) -> Option<Day> {
    if celex.is_corrigendum() {
        return None;
    }
    let found = head::long_day(&title.text);
    if found.is_some_and(|day| head::fits(celex, day)) {
        return found;
    }
    if let Some(day) = found {
        let message = format!("the title's date {day} does not go with the number {celex}");
        warnings.push(Warning { span: title.span, message });
    }
    others.iter().filter_map(|text| head::long_day(text)).find(|day| head::fits(celex, *day))
}
