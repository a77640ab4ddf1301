//! Slices of the keys by which rows are asked for.

use std::fmt;

/// A stretch of keys, the first included, the last not. The key of a row is the CELEX number of the act that it is about, or
/// the address of one that has none, a blank, and the tail of the other work's address; keys compare byte by byte.
///
/// ```
/// use legal_link::source::Slice;
/// let slice = Slice::of("32016", "32017");
/// assert!(slice.holds("32016R0679 cellar/x") && !slice.holds("32017"));
/// assert!(Slice::nameless().holds("http://publications.europa.eu/resource/cellar/x"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slice {
    from: String,
    to: String,
}

/// Behind every key.
const END: &str = "~";

/// Behind every CELEX number, which is of figures and capitals, and before every address.
const ADDRESSES: &str = "a";

/// How long the beginnings are by which rows are told apart, in characters: sector and year, type and the number figure by
/// figure, and on into the other work's address; at last the whole key.
const LENGTHS: [usize; 12] = [5, 7, 8, 9, 10, 16, 19, 20, 21, 25, 26, 250];

/// Where to cut where nothing is known of what lies between: most keys differ in figures.
const CUTS: &[u8] = b"0123456789AJRa";

/// No key that must be cut is longer.
const DEEPEST: usize = 64;

impl Slice {
    /// All keys.
    pub fn all() -> Self {
        Self::of("", END)
    }

    /// Those of acts with a CELEX number.
    pub fn numbered() -> Self {
        Self::of("", ADDRESSES)
    }

    /// Those of works without one.
    pub fn nameless() -> Self {
        Self::of(ADDRESSES, END)
    }

    /// Its parts on this side of the border between numbers and addresses, and beyond it.
    pub(super) fn sides(&self) -> Vec<Self> {
        let sides = [Self::numbered(), Self::nameless()]
            .map(|side| Self::of(side.from.as_str().max(&self.from), side.to.as_str().min(&self.to)));
        sides.into_iter().filter(|side| side.from < side.to).collect()
    }

    /// Whether it is of works without a number.
    pub(super) fn is_nameless(&self) -> bool {
        self.from.as_str() >= ADDRESSES
    }

    /// From a beginning to another: `32016` to `32017` are the acts of 2016 in sector 3.
    pub fn of(from: &str, to: &str) -> Self {
        Self { from: from.to_string(), to: to.to_string() }
    }

    /// The first key that may be in it.
    pub fn from(&self) -> &str {
        &self.from
    }

    /// The first key behind it.
    pub fn to(&self) -> &str {
        &self.to
    }

    /// Whether a key is in it.
    pub fn holds(&self, key: &str) -> bool {
        self.from.as_str() <= key && key < self.to.as_str()
    }

    /// Whether keys that begin so can be in it.
    pub(super) fn may_hold(&self, beginning: &str) -> bool {
        let from = self.from.get(..beginning.len()).unwrap_or(&self.from);
        from <= beginning && beginning < self.to.as_str()
    }

    /// How long the beginnings may be by which its rows can be told apart, shortest first.
    pub(super) fn lengths(&self) -> impl Iterator<Item = usize> {
        let shared = self.from.bytes().zip(self.to.bytes()).take_while(|(a, b)| a == b).count();
        let at_least = shared.max(self.from.len());
        LENGTHS.into_iter().filter(move |length| *length > at_least)
    }

    /// Parts of at most `most` rows each, with their counts, from the counts of its rows by the beginning of their
    /// keys. What lies under one beginning stays together, and may be more.
    pub(super) fn cut(&self, spread: &[(String, u64)], most: u64) -> Vec<(Slice, u64)> {
        let mut parts: Vec<(Slice, u64)> = Vec::new();
        for (beginning, rows) in spread {
            match parts.last_mut() {
                Some((_, sum)) if *sum + rows <= most => *sum += rows,
                Some((last, _)) => {
                    last.to.clone_from(beginning);
                    parts.push((Self::of(beginning, &self.to), *rows));
                }
                None => parts.push((self.clone(), *rows)),
            }
        }
        parts
    }

    /// Two parts, where nothing is known of what lies in it; none where no key lies between its ends.
    pub(super) fn halves(&self) -> Option<[Slice; 2]> {
        let middle = between(self.from.as_bytes(), self.to.as_bytes(), 0)?;
        let middle = String::from_utf8(middle).ok()?;
        Some([Self::of(&self.from, &middle), Self::of(&middle, &self.to)])
    }
}

/// A text between two, both of ASCII, that agree up to `at`.
fn between(low: &[u8], high: &[u8], at: usize) -> Option<Vec<u8>> {
    if at >= DEEPEST {
        return None;
    }
    let below = low.get(at).copied().unwrap_or(b' ' - 1);
    let above = high.get(at).copied().unwrap_or(END.as_bytes()[0]);
    let with = |byte: u8| low[..at.min(low.len())].iter().copied().chain([byte]).collect::<Vec<u8>>();
    if below == above {
        return between(low, high, at + 1);
    }
    let cuts: Vec<u8> = CUTS.iter().copied().filter(|cut| below < *cut && *cut < above).collect();
    if let Some(cut) = cuts.get(cuts.len() / 2) {
        return Some(with(*cut));
    }
    if above.saturating_sub(below) > 1 {
        return Some(with(below + (above - below) / 2));
    }
    // Neighbours: what begins as the lower one does is cut further on.
    low.get(at).and_then(|_| between(low, &[&low[..=at], END.as_bytes()].concat(), at + 1))
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.from.as_str(), self.to.as_str()) {
            ("", END) => f.write_str("of all keys"),
            ("", ADDRESSES) => f.write_str("of all numbers"),
            (ADDRESSES, END) => f.write_str("of works without a number"),
            ("", to) => write!(f, "up to {to}"),
            (from, END) => write!(f, "from {from} on"),
            (from, to) => write!(f, "from {from} to {to}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parts_follow_the_rows() {
        let spread: Vec<(String, u64)> =
            [("31999", 3), ("32000", 4), ("32001", 90), ("32002", 5)].map(|(p, n)| (p.to_string(), n)).to_vec();
        let parts = Slice::all().cut(&spread, 10);
        let told: Vec<String> = parts.iter().map(|(slice, rows)| format!("{slice}: {rows}")).collect();
        assert_eq!(told, ["up to 32001: 7", "from 32001 to 32002: 90", "from 32002 on: 5"]);
        assert_eq!(parts[1].0.lengths().next(), Some(7));
        assert_eq!(Slice::all().lengths().next(), Some(5));
        assert!(parts[1].0.may_hold("32001R") && parts[1].0.may_hold("320") && !parts[1].0.may_hold("22009"));
        assert_eq!(Slice::all().sides(), [Slice::numbered(), Slice::nameless()]);
        assert_eq!(Slice::of("32", "33").sides(), [Slice::of("32", "33")]);
    }

    #[test]
    fn halving_comes_to_a_single_key() {
        let key = "32016R0679 cellar/1a2b";
        let mut slice = Slice::all();
        let mut steps = 0;
        while let Some([low, high]) = slice.halves() {
            assert_eq!(low.to(), high.from());
            slice = if low.holds(key) { low } else { high };
            assert!(slice.holds(key));
            steps += 1;
            assert!(steps < 400, "{slice}");
        }
        assert!(!slice.holds("32016R0679 cellar/1a2c") && !slice.holds("32016R0680"));
    }

    proptest! {
        #[test]
        fn halves_are_smaller_and_leave_nothing_out(a in "[0-9A-Z ()/_a-z.]{0,8}", b in "[0-9A-Z ()/_a-z.]{0,8}", key in "[0-9A-Z a-z]{0,9}") {
            prop_assume!(a < b);
            let slice = Slice::of(&a, &b);
            if let Some([low, high]) = slice.halves() {
                prop_assert!(low.from() < low.to() && high.from() < high.to(), "{} {}", low, high);
                prop_assert_eq!(slice.holds(&key), low.holds(&key) || high.holds(&key));
            }
        }
    }
}
