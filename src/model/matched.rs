//! What came back of a batch, told by name and never by place.

use std::collections::{BTreeMap, BTreeSet};

/// The results of a batch beside what was asked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Matched {
    /// Asked and answered, in the order asked.
    pub ok: Vec<String>,
    /// Asked and not answered.
    pub missing: Vec<String>,
    /// Answered and not asked, in the order returned.
    pub extra: Vec<String>,
    /// Answered more than once; the first answer counts.
    pub repeated: Vec<String>,
}

impl Matched {
    /// Matches the names returned to those asked: a result that is missing moves no other.
    ///
    /// ```
    /// use legal_link::model::Matched;
    /// let matched = Matched::of(["a", "b"], ["b", "c", "b"]);
    /// assert_eq!((matched.ok, matched.missing), (vec!["b".to_string()], vec!["a".to_string()]));
    /// assert_eq!((matched.extra, matched.repeated), (vec!["c".to_string()], vec!["b".to_string()]));
    /// ```
    pub fn of<'a>(asked: impl IntoIterator<Item = &'a str>, returned: impl IntoIterator<Item = &'a str>) -> Self {
        let asked: Vec<&str> = asked.into_iter().collect();
        let wanted: BTreeSet<&str> = asked.iter().copied().collect();
        let mut matched = Self::default();
        let mut times: BTreeMap<&str, usize> = BTreeMap::new();
        for name in returned {
            let time = times.entry(name).or_default();
            *time += 1;
            match *time {
                1 if !wanted.contains(name) => matched.extra.push(name.to_string()),
                2 => matched.repeated.push(name.to_string()),
                _ => {}
            }
        }
        for name in asked {
            let list = if times.contains_key(name) { &mut matched.ok } else { &mut matched.missing };
            list.push(name.to_string());
        }
        matched
    }
}
