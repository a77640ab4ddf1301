//! Which of several acts with one year and number a designation means.

use super::{Celex, cite};

/// Words that may stand before the designation in an act's own title.
const BEFORE: [&str; 9] = ["council", "commission", "european", "parliament", "central", "bank", "of", "the", "and"];

/// The one act whose title begins with the designation in `text`. None if no title does, or several do: a bracket in
/// a number counts differently in ELI and CELEX, so titles decide, never the lowest bracket.
pub fn choose<'a>(text: &str, titles: impl IntoIterator<Item = (&'a Celex, &'a str)>) -> Option<&'a Celex> {
    let designation = squeezed(&cite(text).first()?.text);
    let mut bearing = titles.into_iter().filter(|(_, title)| {
        let own = cite(title).into_iter().next().filter(|c| title[..c.start].split_whitespace().all(is_before));
        own.is_some_and(|c| squeezed(&c.text) == designation)
    });
    let (celex, _) = bearing.next()?;
    bearing.next().is_none().then_some(celex)
}

fn is_before(word: &str) -> bool {
    BEFORE.contains(&word.to_lowercase().as_str())
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
