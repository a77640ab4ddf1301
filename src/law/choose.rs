//! Which of several acts with one year and number a designation means.

use super::{Celex, Citation, Noun, cite};

/// Words that may stand before the designation in an act's own title.
const BEFORE: [&str; 9] = ["council", "commission", "european", "parliament", "central", "bank", "of", "the", "and"];

/// The one act whose title begins with the designation in `text`. None if no title does, or several do: a bracket in
/// a number counts differently in ELI and CELEX, so titles decide, never the lowest bracket. Where several titles bear
/// the number, the maker that the text names before it decides.
///
/// ```
/// use legal_link::law::{Celex, choose};
/// let acts: Vec<Celex> = ["32012D9243", "32012D9243(01)"].map(|c| c.parse().unwrap()).into();
/// let titles = ["Decision No 9243/2012/EU of the European Parliament and of the Council", "Council Decision"];
/// let chosen = choose("Decision No 9243/2012/EU", acts.iter().zip(titles));
/// assert_eq!(chosen, Some(&acts[0]));
/// ```
pub fn choose<'a>(text: &str, titles: impl IntoIterator<Item = (&'a Celex, &'a str)>) -> Option<&'a Celex> {
    let named = cite(text).into_iter().next()?;
    let bearing: Vec<(&Celex, String)> = titles
        .into_iter()
        .filter_map(|(celex, title)| {
            let own = cite(title).into_iter().next().filter(|own| number(own) == number(&named))?;
            let before = title[..own.start].to_lowercase();
            before.split_whitespace().all(|word| BEFORE.contains(&word)).then_some((celex, squeezed(&before)))
        })
        .collect();
    let maker = squeezed(&text[..named.start].to_lowercase());
    let made = |before: &String| bearing.len() == 1 || (!maker.is_empty() && maker.ends_with(before.as_str()));
    let mut meant = bearing.iter().filter(|(_, before)| made(before));
    let (celex, _) = meant.next()?;
    meant.next().is_none().then_some(*celex)
}

/// Kind and number, without the words between them ("No", the Communities in brackets).
fn number(citation: &Citation) -> (Noun, String) {
    let digits = citation.text.find(|c: char| c.is_ascii_digit()).unwrap_or_default();
    (citation.noun, squeezed(&citation.text[digits..].to_lowercase()))
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
