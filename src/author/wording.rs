//! A correction as a question can quote it: the unit, and the few words that differ.

use crate::law::{Act, Part, Place};

/// The words around what an edit changes, before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wording {
    /// The unit of the target.
    pub unit: Part,
    /// The words first published.
    pub old: String,
    /// The words to be read in their place.
    pub new: String,
}

/// How many words on either side of the change are quoted at first.
const AROUND: usize = 4;
/// The longest quotation, in words.
const LONGEST: usize = 30;

impl Wording {
    /// The edits of `source` that name a unit of `target`, in order, each as a short quotation that tells
    /// old from new: neither stands in the other's text. Words that the unit says in several places are left out: an
    /// edit may mean one of them only (an annex of many forms), and then the unit reads both ways.
    pub fn of(source: &Act, target: &Act) -> Vec<Self> {
        let clauses = source.clauses.iter().filter(|c| c.target == target.celex && !matches!(c.place, Place::Title));
        clauses
            .filter_map(|clause| {
                let (unit, edit) = (clause.parts.first()?, clause.edit.as_ref()?);
                let (old, new) = window(bare(&edit.old), bare(&edit.new))?;
                let text = target.index_of(unit).map(|at| target.full_text(at))?;
                if text.split_whitespace().collect::<Vec<_>>().join(" ").matches(&old).nth(1).is_some() {
                    return None;
                }
                Some(Self { unit: unit.clone(), old, new })
            })
            .collect()
    }
}

/// The words without closing marks that were opened outside them, and the stops behind those.
fn bare(words: &str) -> &str {
    let end = words.trim_end_matches(['.', ';', ',', ' ', '’', '”', '\'']);
    if words[end.len()..].contains(['’', '”']) { end } else { words }
}

/// The shortest quotations of both texts that show the difference with some words around it, none of which
/// is found in the other text.
fn window(old: &str, new: &str) -> Option<(String, String)> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split_whitespace().collect(), new.split_whitespace().collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let room = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(room).take_while(|(a, b)| a == b).count();
    (AROUND..=AROUND + 12).find_map(|around| {
        let cut = |words: &[&str]| {
            let from = head.saturating_sub(around);
            let to = (words.len() - tail + around).min(words.len());
            words[from..to].iter().map(|w| w.trim_matches('…')).filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ")
        };
        let (was, is) = (cut(&old), cut(&new));
        let short = was.split(' ').count().max(is.split(' ').count()) <= LONGEST;
        let apart = !was.is_empty()
            && !is.is_empty()
            && !old.join(" ").contains(&is)
            && !new.join(" ").contains(&was)
            && !is.contains('…')
            && !was.contains('…');
        (short && apart).then_some((was, is))
    })
}

#[cfg(test)]
mod tests {
    use super::window;

    #[test]
    fn a_window_shows_the_difference_and_tells_old_from_new() {
        let old = "The keeper shall file the form referred to in Article 2(1)(26) of the annexed list;";
        let new = "The keeper shall file the form referred to in Article 4(1)(26) of the annexed list;";
        let (was, is) = window(old, new).expect("they differ");
        assert_eq!(was, "referred to in Article 2(1)(26) of the annexed list;");
        assert_eq!(is, "referred to in Article 4(1)(26) of the annexed list;");
    }

    #[test]
    fn words_only_added_need_their_neighbours() {
        let (was, is) = window("… under Article 5(6) and (9), …", "… under Article 4(6), Article 5(6) and (9), …")
            .expect("they differ");
        assert!(!is.contains(&was) && !was.contains(&is), "{was} | {is}");
    }

    #[test]
    fn equal_texts_have_no_window() {
        assert_eq!(window("the same words", "the same words"), None);
    }
}
