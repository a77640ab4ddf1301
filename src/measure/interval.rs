//! Confidence intervals of a share.

use super::gamma::incomplete_beta;

/// The 97.5 % point of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// A two-sided 95 % interval of a share, within 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// Whether the interval contains this share.
    pub fn contains(&self, share: f64) -> bool {
        self.low <= share && share <= self.high
    }
}

/// Wilson's 95 % interval of `hits` out of `n`; everything is possible where nothing was drawn.
///
/// Source: Wilson (1927), without continuity correction.
///
/// ```
/// use legal_link::measure::wilson;
/// let none_of_100 = wilson(0, 100);
/// assert!((none_of_100.high - 0.0370).abs() < 5e-5);
/// ```
pub fn wilson(hits: u32, n: u32) -> Interval {
    if n == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let n = f64::from(n);
    let p = f64::from(hits) / n;
    let z2 = Z * Z;
    let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    Interval { low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
}

/// The exact 95 % interval of `hits` out of `n`, from the binomial distribution.
///
/// Source: Clopper and Pearson (1934).
pub fn clopper_pearson(hits: u32, n: u32) -> Interval {
    if n == 0 || hits > n {
        return Interval { low: 0.0, high: 1.0 };
    }
    let (k, rest) = (f64::from(hits), f64::from(n - hits));
    let low = if hits == 0 { 0.0 } else { beta_quantile(k, rest + 1.0, 0.025) };
    let high = if hits == n { 1.0 } else { beta_quantile(k + 1.0, rest, 0.975) };
    Interval { low, high }
}

/// By bisection: 60 halvings fix all digits of a double between 0 and 1.
fn beta_quantile(a: f64, b: f64, p: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if incomplete_beta(a, b, middle) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::{clopper_pearson, wilson};

    /// `exports-and-statistics.md`, section 3 (statsmodels `proportion_confint`).
    #[test]
    fn intervals_equal_the_reference_values() {
        assert!((wilson(0, 100).high - 0.0370).abs() < 5e-5);
        assert!((wilson(100, 100).low - 0.9630).abs() < 5e-5);
        assert!((clopper_pearson(0, 100).high - 0.0362).abs() < 5e-5);
        let half = |hits| (wilson(hits, 1127).high - wilson(hits, 1127).low) / 2.0;
        assert!((half(563) - 0.029).abs() < 5e-4);
        assert!((half(845) - 0.025).abs() < 5e-4);
    }

    #[test]
    fn nothing_drawn_leaves_everything_possible() {
        assert!(wilson(0, 0).contains(0.25));
        assert!(clopper_pearson(0, 0).contains(1.0));
    }
}
