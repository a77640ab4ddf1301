//! What can be wrong with a list of options and its key, before anybody asks what they say.

use std::collections::BTreeSet;

/// What is wrong with the options' texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BlankOption {
    /// An option is empty: leaving it out would move the key.
    #[error("an option is empty")]
    Empty,
    /// The key itself is empty.
    #[error("the key points to an empty option")]
    Key,
}

/// Whether any option is blank.
///
/// # Errors
/// [`BlankOption::Key`] before [`BlankOption::Empty`].
pub fn check_blank<S: AsRef<str>>(options: &[S], key: usize) -> Result<(), BlankOption> {
    let blank = |option: &S| option.as_ref().trim().is_empty();
    if options.get(key).is_none_or(blank) {
        return Err(BlankOption::Key);
    }
    if options.iter().any(blank) { Err(BlankOption::Empty) } else { Ok(()) }
}

/// The options besides the key that the graph makes true as well, in their order.
pub fn also_right<'a>(options: &[&'a str], key: usize, is_true: &BTreeSet<&str>) -> Vec<&'a str> {
    let others = options.iter().enumerate().filter(|(i, _)| *i != key);
    others.map(|(_, option)| *option).filter(|option| is_true.contains(option)).collect()
}

/// Whether a foreign key counts from 0 or from 1, proved by the answer's text: the base, and the key from 0.
/// None if the text stands at neither place, or at both.
///
/// ```
/// use legal_link::dataset::index_base;
/// assert_eq!(index_base(&["w", "x", "y", "z"], "x", 2), Some((1, 1)));
/// ```
pub fn index_base<S: AsRef<str>>(options: &[S], answer: &str, index: usize) -> Option<(usize, usize)> {
    let at = |i: usize| options.get(i).is_some_and(|o| o.as_ref() == answer);
    match (at(index), index.checked_sub(1).is_some_and(at)) {
        (true, false) => Some((0, index)),
        (false, true) => Some((1, index - 1)),
        _ => None,
    }
}

/// Under what an item counts as the same as another: its stem and the set of its options, letters' case
/// and white space apart.
pub fn sameness<S: AsRef<str>>(stem: &str, options: &[S]) -> (String, BTreeSet<String>) {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    (plain(stem), options.iter().map(|o| plain(o.as_ref())).collect())
}

/// Accuracy over all questions asked: a reply that could not be read counts as wrong.
#[expect(clippy::cast_precision_loss, reason = "counts of items are far below 2^52")]
pub fn accuracy(asked: u64, right: u64) -> Option<f64> {
    (asked > 0).then(|| right as f64 / asked as f64)
}
