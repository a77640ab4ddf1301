//! Which of several acts with one year and number a designation means.

use super::cite::{Designation, designation};
use super::{Celex, Citation, Noun, cite};
use std::collections::BTreeSet;

/// The one act whose title begins with the designation in `text`. None if no title does, or several do: a bracket in
/// a number counts differently in ELI and CELEX, so titles decide, never the lowest bracket.
///
/// Of what the text says of the act (who made it, "implementing" or "delegated", the day), a title may contradict nothing;
/// of several that do not, the one that says the same in most of it is meant.
///
/// ```
/// use legal_link::law::{Celex, choose};
/// let acts: Vec<Celex> = ["32012D9243", "32012D9243(01)"].map(|c| c.parse().unwrap()).into();
/// let titles = ["2012/9243/EU: Council Decision of 8 March 2012", "2012/9243/EU: Commission Decision of 9 March 2012"];
/// let chosen = choose("Commission Decision 2012/9243/EU", acts.iter().zip(titles));
/// assert_eq!(chosen, Some(&acts[1]));
/// ```
pub fn choose<'a>(text: &str, titles: impl IntoIterator<Item = (&'a Celex, &'a str)>) -> Option<&'a Celex> {
    let named = cite(text).into_iter().next()?;
    let said = designation(text, &named);
    let mut fitting: Vec<(usize, &Celex)> = titles
        .into_iter()
        .filter_map(|(celex, title)| {
            let own = cite(title).into_iter().next().filter(|own| number(own) == number(&named))?;
            let says = Some(designation(title, &own)).filter(|own| title[..own.start].trim().is_empty())?;
            Some((agreement(&said, &says)?, celex))
        })
        .collect();
    let most = fitting.iter().map(|(agrees, _)| *agrees).max()?;
    fitting.retain(|(agrees, _)| *agrees == most);
    match fitting[..] {
        [(_, celex)] => Some(celex),
        _ => None,
    }
}

/// In how many points a title says the same as the text; none where it says otherwise.
fn agreement(said: &Designation, title: &Designation) -> Option<usize> {
    let within = |some: &BTreeSet<String>, others: &BTreeSet<String>| {
        some.iter().all(|one| others.iter().any(|other| same_name(one, other)))
    };
    let by_others = !title.makers.is_empty() && !within(&said.makers, &title.makers);
    let otherwise = !within(&said.qualifiers, &title.qualifiers);
    let another_day = said.day.is_some_and(|day| title.day.is_some_and(|other| other != day));
    if by_others || otherwise || another_day {
        return None;
    }
    let makers = !said.makers.is_empty() && within(&title.makers, &said.makers) && !title.makers.is_empty();
    let points = [makers, said.qualifiers == title.qualifiers, said.day.is_some() && said.day == title.day];
    Some(points.into_iter().filter(|same| *same).count())
}

/// Whether two names are of one institution: "Parliament" and "European Parliament", "ECB" and "European Central Bank".
fn same_name(one: &str, other: &str) -> bool {
    let initials = |name: &str| name.split(' ').filter_map(|word| word.chars().next()).collect::<String>();
    one.ends_with(other) || other.ends_with(one) || initials(one) == other || initials(other) == one
}

/// Kind and number, without the words between them ("No", the Communities in brackets).
fn number(citation: &Citation) -> (Noun, String) {
    let digits = citation.text.find(|c: char| c.is_ascii_digit()).unwrap_or_default();
    let number = citation.text[digits..].to_lowercase();
    (citation.noun, number.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of two titles is meant.
    fn chosen(text: &str, titles: [&str; 2]) -> Option<usize> {
        let acts: [Celex; 2] = ["32010D9001", "32010D9001(01)"].map(|c| c.parse().unwrap());
        let chosen = choose(text, acts.iter().zip(titles)).cloned();
        chosen.and_then(|celex| acts.iter().position(|act| *act == celex))
    }

    #[test]
    fn maker_qualifier_and_day_decide() {
        let council_and_commission = [
            "2010/9001/EU: Council Decision of 3 May 2010 on bales",
            "2010/9001/EU: Commission Decision of 7 May 2010",
        ];
        assert_eq!(chosen("Commission Decision 2010/9001/EU", council_and_commission), Some(1));
        assert_eq!(chosen("Decision 2010/9001/EU of 3 May 2010", council_and_commission), Some(0));
        assert_eq!(chosen("Decision 2010/9001/EU", council_and_commission), None);
        assert_eq!(chosen("Commission Decision 2010/9001/EU of 3 May 2010", council_and_commission), None);
        assert_eq!(chosen("Decision 2010/9001/EU of the European Central Bank", council_and_commission), None);
        let both =
            ["2010/9001/EU: Council Decision", "Decision 2010/9001/EU of the European Parliament and of the Council"];
        assert_eq!(chosen("Council Decision 2010/9001/EU", both), Some(0));
        assert_eq!(chosen("Decision 2010/9001/EU of the European Parliament and of the Council", both), Some(1));
        let kinds = [
            "Commission Delegated Decision (EU) 2015/9004 of 1 June 2015",
            "Commission Implementing Decision (EU) 2015/9004 of 3 June 2015",
        ];
        assert_eq!(chosen("under Commission Implementing Decision (EU) 2015/9004", kinds), Some(1));
        assert_eq!(chosen("Commission Decision (EU) 2015/9004", kinds), None);
        let alike = ["Decision (EU) 2016/9003 of the Council", "Council Decision (EU) 2016/9003"];
        assert_eq!(chosen("Council Decision (EU) 2016/9003", alike), None);
    }
}
