//! How alike two texts are.

use std::collections::BTreeSet;

/// Jaccard similarity of two sets: shared members over all members; 1 for two empty sets.
///
/// Source: Jaccard (1901).
///
/// ```
/// use legal_link::measure::jaccard;
/// assert_eq!(jaccard("a b c".split(' '), "b c d".split(' ')), 0.5);
/// ```
pub fn jaccard<T: Ord>(a: impl IntoIterator<Item = T>, b: impl IntoIterator<Item = T>) -> f64 {
    let (a, b): (BTreeSet<T>, BTreeSet<T>) = (a.into_iter().collect(), b.into_iter().collect());
    let shared = a.intersection(&b).count();
    let all = a.len() + b.len() - shared;
    if all == 0 { 1.0 } else { share(shared, all) }
}

/// One less the Levenshtein distance over the longer length, in characters; 1 for two empty texts.
///
/// Source: Levenshtein (1966). Quadratic: texts beyond 4 096 characters are compared by their first 4 096.
pub fn edit_similarity(a: &str, b: &str) -> f64 {
    const LIMIT: usize = 4096;
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(LIMIT).collect(), b.chars().take(LIMIT).collect());
    let longer = a.len().max(b.len());
    if longer == 0 {
        return 1.0;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    1.0 - share(row[b.len()], longer)
}

fn share(part: usize, whole: usize) -> f64 {
    let number = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    number(part) / number(whole)
}

#[cfg(test)]
mod tests {
    use super::{edit_similarity, jaccard};

    #[test]
    fn the_ends_of_both_scales() {
        let words = |text: &'static str| text.split_whitespace();
        assert!((jaccard(words("a b"), words("b a")) - 1.0).abs() < f64::EPSILON);
        assert!(jaccard(words("a"), words("b")).abs() < f64::EPSILON);
        assert!((edit_similarity("kitten", "sitting") - (1.0 - 3.0 / 7.0)).abs() < 1e-12);
        assert!((edit_similarity("", "") - 1.0).abs() < f64::EPSILON);
    }
}
