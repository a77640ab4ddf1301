//! Tests on counts: are answer positions uniform, do two models differ, do two shares differ?

use super::gamma::{incomplete_beta, ln_gamma, upper_gamma};

/// A chi-square statistic with its degrees of freedom and tail probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChiSquare {
    /// The statistic.
    pub statistic: f64,
    /// Degrees of freedom.
    pub df: u32,
    /// Probability of a greater statistic by chance.
    pub p: f64,
}

/// Pearson's chi-square of counts against equal shares. `None` for fewer than two categories or no count.
///
/// Source: Pearson (1900). Reference: scipy `chisquare`.
///
/// ```
/// use legal_link::measure::chi_square_uniform;
/// let positions = chi_square_uniform(&[257, 300, 274, 296]).unwrap();
/// assert!(positions.p > 0.05); // no more uneven than chance
/// ```
pub fn chi_square_uniform(counts: &[u32]) -> Option<ChiSquare> {
    let categories = u32::try_from(counts.len()).ok().filter(|c| *c >= 2)?;
    let total: f64 = counts.iter().map(|&c| f64::from(c)).sum();
    if total == 0.0 {
        return None;
    }
    let expected = total / f64::from(categories);
    let statistic = counts.iter().map(|&c| (f64::from(c) - expected).powi(2) / expected).sum();
    let df = categories - 1;
    Some(ChiSquare { statistic, df, p: upper_gamma(f64::from(df) / 2.0, statistic / 2.0) })
}

/// McNemar's test of two raters or models on the same items.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct McNemar {
    /// Two-sided exact binomial probability.
    pub exact_p: f64,
    /// Chi-square with continuity correction.
    pub corrected: f64,
}

/// McNemar's test from the discordant counts: only the first right, only the second right.
///
/// Source: McNemar (1947). Reference: statsmodels `mcnemar`.
pub fn mcnemar(first_only: u32, second_only: u32) -> McNemar {
    let (low, n) = (first_only.min(second_only), first_only + second_only);
    if n == 0 {
        return McNemar { exact_p: 1.0, corrected: 0.0 };
    }
    // P(X <= k) for Binomial(n, 1/2) is I_{1/2}(n - k, k + 1).
    let tail = incomplete_beta(f64::from(n - low), f64::from(low) + 1.0, 0.5);
    let difference = (f64::from(first_only) - f64::from(second_only)).abs() - 1.0;
    McNemar { exact_p: (2.0 * tail).min(1.0), corrected: difference.max(0.0).powi(2) / f64::from(n) }
}

/// Fisher's exact test of the table `[a, b, c, d]` (rows `a b` and `c d`): two-sided probability.
///
/// Source: Fisher (1935). Reference: scipy `fisher_exact`.
pub fn fisher_exact(table: [u32; 4]) -> f64 {
    let [a, b, c, d] = table;
    let (row, other, column) = (a + b, c + d, a + c);
    let chance = |x: u32| {
        let choose = |n: u32, k: u32| ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k);
        (choose(row, x) + choose(other, column - x) - choose(row + other, column)).exp()
    };
    let seen = chance(a);
    let possible = column.saturating_sub(other)..=row.min(column);
    possible.map(chance).filter(|p| *p <= seen * (1.0 + 1e-7)).sum::<f64>().min(1.0)
}

fn ln_factorial(n: u32) -> f64 {
    ln_gamma(f64::from(n) + 1.0)
}

#[cfg(test)]
mod tests {
    use super::{chi_square_uniform, fisher_exact, mcnemar};

    /// `exports-and-statistics.md`, section 2.4.
    #[test]
    fn positions_equal_the_reference_values() {
        let published = chi_square_uniform(&[257, 300, 274, 296]).expect("four counts");
        assert!((published.statistic - 4.29).abs() < 0.005 && (published.p - 0.232).abs() < 5e-4, "{published:?}");
        let even = chi_square_uniform(&[282, 282, 282, 281]).expect("four counts");
        assert!((even.statistic - 0.003).abs() < 5e-4);
        assert_eq!(chi_square_uniform(&[0, 0]), None);
    }

    /// `exports-and-statistics.md`, section 3.
    #[test]
    fn paired_tests_equal_the_reference_values() {
        let test = mcnemar(83, 256);
        assert!((test.corrected - 87.27).abs() < 0.005 && (test.exact_p / 1.2e-21 - 1.0).abs() < 0.05, "{test:?}");
        let test = mcnemar(85, 254);
        assert!((test.corrected - 83.26).abs() < 0.005 && (test.exact_p / 1.1e-20 - 1.0).abs() < 0.05, "{test:?}");
        assert!((fisher_exact([45, 314 - 45, 21, 251 - 21]) - 0.034).abs() < 5e-4);
    }
}
