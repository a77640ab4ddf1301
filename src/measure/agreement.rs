//! Agreement between raters. Kappa misleads where one answer is rare: print AC1 and the raw share beside it.

/// How often each category was chosen, item by item: `counts[item][category]`; the same number of
/// raters on every item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ratings {
    counts: Vec<Vec<u32>>,
    raters: u32,
    categories: usize,
}

impl Ratings {
    /// Counts by item and category; `None` if there is no item, fewer than two raters or categories, or
    /// if the rows differ in length or in their number of raters.
    pub fn new(counts: Vec<Vec<u32>>) -> Option<Self> {
        let first = counts.first()?;
        let (categories, raters) = (first.len(), first.iter().sum::<u32>());
        let even = counts.iter().all(|row| row.len() == categories && row.iter().sum::<u32>() == raters);
        (even && raters >= 2 && categories >= 2).then_some(Self { counts, raters, categories })
    }

    /// The share of pairs of raters that agree, over all items: the raw agreement.
    pub fn agreement(&self) -> f64 {
        let pairs = f64::from(self.raters) * f64::from(self.raters - 1);
        let agreed = self.counts.iter().flatten().map(|&n| f64::from(n) * (f64::from(n) - 1.0)).sum::<f64>();
        agreed / (pairs * self.items())
    }

    fn items(&self) -> f64 {
        small(self.counts.len())
    }

    /// The share of all ratings that fell in each category.
    fn shares(&self) -> Vec<f64> {
        let all = f64::from(self.raters) * self.items();
        (0..self.categories)
            .map(|c| self.counts.iter().filter_map(|row| row.get(c)).map(|&n| f64::from(n)).sum::<f64>() / all)
            .collect()
    }
}

/// Cohen's kappa of two raters from their table `[both yes, first only, second only, both no]`.
///
/// Source: Cohen (1960). Reference: scikit-learn `cohen_kappa_score`. NaN where chance agreement is one.
pub fn cohen_kappa(table: [u32; 4]) -> f64 {
    let [both, first, second, neither] = table.map(f64::from);
    let all = both + first + second + neither;
    let (yes, no) = ((both + first) * (both + second), (second + neither) * (first + neither));
    chance_corrected((both + neither) / all, (yes + no) / (all * all))
}

/// Fleiss' kappa. Source: Fleiss (1971). Reference: statsmodels `fleiss_kappa`.
pub fn fleiss_kappa(ratings: &Ratings) -> f64 {
    chance_corrected(ratings.agreement(), ratings.shares().iter().map(|p| p * p).sum())
}

/// Gwet's AC1. Source: Gwet (2008). Reference: irrCAC `CAC.gwet()`.
pub fn gwet_ac1(ratings: &Ratings) -> f64 {
    let spread = ratings.shares().iter().map(|p| p * (1.0 - p)).sum::<f64>();
    chance_corrected(ratings.agreement(), spread / (small(ratings.categories) - 1.0))
}

fn chance_corrected(observed: f64, expected: f64) -> f64 {
    (observed - expected) / (1.0 - expected)
}

/// A count as a number; counts here are far below 2^32.
fn small(n: usize) -> f64 {
    f64::from(u32::try_from(n).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::{Ratings, cohen_kappa, fleiss_kappa, gwet_ac1};

    fn near(value: f64, reference: f64) {
        assert!((value - reference).abs() < 5e-5, "{value} is not {reference}");
    }

    /// `exports-and-statistics.md`, section 3: the table rebuilt from published figures.
    #[test]
    fn two_raters_equal_the_reference_values() {
        near(cohen_kappa([425, 83, 256, 251]), 0.3318);
        near(cohen_kappa([425, 85, 254, 251]), 0.3309);
        let mut rows = vec![vec![2, 0]; 425];
        rows.extend(vec![vec![1, 1]; 83 + 256]);
        rows.extend(vec![vec![0, 2]; 251]);
        let ratings = Ratings::new(rows).expect("even rows");
        near(fleiss_kappa(&ratings), 0.3118);
        near(gwet_ac1(&ratings), 0.3511);
    }

    /// The prevalence paradox: three jurors, 97 items unanimous, 3 with one no.
    #[test]
    fn kappa_collapses_where_ac1_does_not() {
        let mut rows = vec![vec![3, 0]; 97];
        rows.extend(vec![vec![2, 1]; 3]);
        let ratings = Ratings::new(rows).expect("even rows");
        near(fleiss_kappa(&ratings), -0.0101);
        near(gwet_ac1(&ratings), 0.9796);
    }

    #[test]
    fn uneven_rows_are_no_ratings() {
        assert_eq!(Ratings::new(vec![vec![2, 0], vec![1, 0]]), None);
        assert_eq!(Ratings::new(vec![]), None);
    }
}
