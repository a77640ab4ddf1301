//! The gamma function's logarithm and the two incomplete integrals the tests need.
//!
//! Source: Press et al., Numerical Recipes, 3rd ed., sections 6.1, 6.2 and 6.4.

const LANCZOS: [f64; 6] = [
    76.180_091_729_471_46,
    -86.505_320_329_416_77,
    24.014_098_240_830_91,
    -1.231_739_572_450_155,
    0.001_208_650_973_866_179,
    -0.000_005_395_239_384_953,
];

/// Natural logarithm of the gamma function, for `x > 0`.
pub(super) fn ln_gamma(x: f64) -> f64 {
    let t = x + 5.5;
    let head = t - (x + 0.5) * t.ln();
    let sum = LANCZOS.iter().zip(1_u8..).fold(1.000_000_000_190_015, |sum, (c, i)| sum + c / (x + f64::from(i)));
    -head + (2.506_628_274_631_000_5 * sum / x).ln()
}

/// Upper regularised incomplete gamma function Q(a, x): the chi-square tail is Q(df/2, x/2).
pub(super) fn upper_gamma(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let scale = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 { 1.0 - scale * gamma_series(a, x) } else { scale * gamma_fraction(a, x) }
}

fn gamma_series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum) = (1.0 / a, 1.0 / a);
    for n in 1..500_u16 {
        term *= x / (a + f64::from(n));
        sum += term;
        if term.abs() < sum.abs() * 1e-15 {
            break;
        }
    }
    sum
}

fn gamma_fraction(a: f64, x: f64) -> f64 {
    let first = x + 1.0 - a;
    let mut fraction = Fraction { above: 1e300, below: 1.0 / first, value: 1.0 / first };
    for n in 1..500_u16 {
        let n = f64::from(n);
        if fraction.step(-n * (n - a), first + 2.0 * n) {
            break;
        }
    }
    fraction.value
}

/// Regularised incomplete beta function I_x(a, b).
pub(super) fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp();
    if x < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(a, b, x) / a
    } else {
        1.0 - front * beta_fraction(b, a, 1.0 - x) / b
    }
}

fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    let first = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = Fraction { above: 1.0, below: first, value: first };
    for m in 1..1000_u16 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        fraction.step(even, 1.0);
        if fraction.step(odd, 1.0) {
            break;
        }
    }
    fraction.value
}

/// A continued fraction evaluated forwards (Lentz's method).
struct Fraction {
    above: f64,
    below: f64,
    value: f64,
}

impl Fraction {
    /// Adds one level; true when it no longer changes the value.
    fn step(&mut self, numerator: f64, denominator: f64) -> bool {
        self.below = 1.0 / away_from_zero(denominator + numerator * self.below);
        self.above = away_from_zero(denominator + numerator / self.above);
        let change = self.below * self.above;
        self.value *= change;
        (change - 1.0).abs() < 1e-15
    }
}

fn away_from_zero(x: f64) -> f64 {
    if x.abs() < 1e-300 { 1e-300 } else { x }
}
