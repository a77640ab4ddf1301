//! Money, and what tokens cost (`rubrics/prices.toml`).

use super::{ModelName, Usage};
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::iter::Sum;
use std::ops::Add;

/// An amount of US dollars, in whole billionths. Sums stay at the greatest amount there is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money(u64);

/// Billionths of a dollar in a dollar.
const DOLLAR: u64 = 1_000_000_000;

impl Money {
    /// So many billionths of a dollar.
    pub fn nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// An amount of dollars; none if it is negative, no number, or beyond nine billion.
    pub fn dollars(dollars: f64) -> Option<Self> {
        if !(0.0..=9e9).contains(&dollars) {
            return None;
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 9e18
        Some(Self((dollars * 1e9).round() as u64))
    }

    /// What is left of it when so much is taken, nothing at least.
    #[must_use]
    pub fn less(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// Dollars as an exact decimal: `0.00125`.
    pub fn decimal(self) -> String {
        let exact = format!("{}.{:09}", self.0 / DOLLAR, self.0 % DOLLAR);
        exact.trim_end_matches('0').trim_end_matches('.').to_string()
    }

    fn of_tokens(tokens: u64, nanos_each: u64) -> Self {
        Self(tokens.saturating_mul(nanos_each))
    }
}

impl Add for Money {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Add::add)
    }
}

/// `$12.34`; below a dollar exactly, as `$0.00125`.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (dollars, rest) = (self.0 / DOLLAR, self.0 % DOLLAR);
        if dollars > 0 {
            let cents = (rest + DOLLAR / 200) / (DOLLAR / 100);
            return write!(f, "${}.{:02}", dollars + cents / 100, cents % 100);
        }
        let digits = format!("{rest:09}");
        write!(f, "$0.{:0<2}", digits.trim_end_matches('0'))
    }
}

/// In dollars as an exact decimal text, `"0.00125"`.
impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.decimal())
    }
}

/// From a number of dollars, or the text of one.
impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Dollars)
    }
}

struct Dollars;

impl Visitor<'_> for Dollars {
    type Value = Money;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an amount of US dollars, for instance 2.5")
    }

    fn visit_f64<E: serde::de::Error>(self, dollars: f64) -> Result<Money, E> {
        Money::dollars(dollars).ok_or_else(|| E::custom(format!("{dollars} is no amount of US dollars")))
    }

    fn visit_i64<E: serde::de::Error>(self, dollars: i64) -> Result<Money, E> {
        let dollars = u64::try_from(dollars).map_err(|_| E::custom("an amount of money is not negative"))?;
        self.visit_u64(dollars)
    }

    fn visit_u64<E: serde::de::Error>(self, dollars: u64) -> Result<Money, E> {
        dollars.checked_mul(DOLLAR).map(Money).ok_or_else(|| E::custom("more dollars than there are"))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Money, E> {
        text.parse().map_err(E::custom).and_then(|dollars| self.visit_f64(dollars))
    }
}

/// What a model's tokens cost, in billionths of a dollar each.
#[derive(Debug, Clone, PartialEq)]
pub struct Price {
    /// The name it is listed under.
    pub model: String,
    input: u64,
    cached: u64,
    cache_write: u64,
    output: u64,
    /// What is paid through the batch interface, as a part of it, where it is known.
    pub batch: Option<f64>,
    /// The month for which the source says so.
    pub as_of: String,
    /// Where it was read.
    pub source: String,
    /// Whether that is the provider's own page.
    pub first_hand: bool,
}

impl Price {
    /// What a call cost, where its tokens were counted.
    pub fn cost(&self, usage: &Usage) -> Option<Money> {
        let (prompt, reply) = (usage.prompt?, usage.reply?);
        let cached = usage.cached.unwrap_or(0).min(prompt);
        let written = usage.cache_write.unwrap_or(0).min(prompt - cached);
        let plain = prompt - cached - written;
        let parts = [(plain, self.input), (cached, self.cached), (written, self.cache_write), (reply, self.output)];
        Some(parts.into_iter().map(|(tokens, each)| Money::of_tokens(tokens, each)).sum())
    }

    /// What is paid of this, online or through the batch interface; all of it where the part for batches is not known.
    pub fn paid(&self, money: Money, batch: bool) -> Money {
        let part = if batch { self.batch.unwrap_or(1.0) } else { 1.0 };
        #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a part of it
        Money((money.0 as f64 * part).round() as u64)
    }

    /// What so many tokens cost where nothing is read from a cache.
    pub fn plain(&self, prompt: u64, reply: u64) -> Money {
        Money::of_tokens(prompt, self.input) + Money::of_tokens(reply, self.output)
    }

    /// What a call can cost at most: its whole prompt at the dearest rate of prompts.
    pub fn worst(&self, prompt: u64, reply: u64) -> Money {
        let dearest = self.input.max(self.cached).max(self.cache_write);
        Money::of_tokens(prompt, dearest) + Money::of_tokens(reply, self.output)
    }
}

/// The prices of models.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Prices {
    /// The table's version.
    pub version: u32,
    /// The day of that version, where it says so.
    pub dated: Option<String>,
    rows: Vec<Price>,
}

/// A table of prices that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("prices.toml: {0}")]
pub struct PricesError(pub String);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PricesFile {
    version: u32,
    dated: Option<String>,
    #[serde(default, rename = "price")]
    prices: Vec<PriceRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PriceRow {
    model: String,
    input: f64,
    cached: Option<f64>,
    cache_write: Option<f64>,
    output: f64,
    batch: Option<f64>,
    as_of: String,
    source: String,
    #[serde(default)]
    first_hand: bool,
}

impl Prices {
    /// Reads the table.
    ///
    /// # Errors
    /// [`PricesError`]: no TOML, unknown or missing keys, a price that is negative or finer than a thousandth of a dollar
    /// per million tokens, a part for batches outside 0 to 1, two prices of one model.
    ///
    /// ```
    /// use legal_link::model::{Prices, Usage};
    /// let text = "version = 1\n[[price]]\nmodel = \"local:m*\"\ninput = 1.0\noutput = 2.0\nas_of = \"2026-11\"\nsource = \"mine\"";
    /// let prices = Prices::parse(text).unwrap();
    /// let price = prices.of(&"local:m-1".parse().unwrap()).unwrap();
    /// let usage = Usage { prompt: Some(1000), reply: Some(500), ..Usage::default() };
    /// assert_eq!(price.cost(&usage).unwrap().to_string(), "$0.002");
    /// assert!(prices.of(&"local:other".parse().unwrap()).is_none());
    /// ```
    pub fn parse(text: &str) -> Result<Self, PricesError> {
        let file: PricesFile = toml::from_str(text).map_err(|e| PricesError(e.message().to_string()))?;
        let mut rows: Vec<Price> = Vec::new();
        for row in file.prices {
            let price = row.price()?;
            if rows.iter().any(|other| other.model == price.model) {
                return Err(PricesError(format!("two prices of `{}`", price.model)));
            }
            rows.push(price);
        }
        Ok(Self { version: file.version, dated: file.dated, rows })
    }

    /// The price of a model: of the names that fit, the longest.
    pub fn of(&self, model: &ModelName) -> Option<&Price> {
        let name = model.to_string();
        let fits = |row: &&Price| match row.model.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => name == row.model,
        };
        self.rows.iter().filter(fits).max_by_key(|row| row.model.len())
    }
}

impl PriceRow {
    fn price(self) -> Result<Price, PricesError> {
        let each = |what: &str, price: f64| {
            // Dollars per million tokens are thousands of billionths per token.
            let nanos = price * 1000.0;
            if !(0.0..=1e9).contains(&nanos) || (nanos - nanos.round()).abs() > 1e-6 {
                let model = &self.model;
                return Err(PricesError(format!(
                    "`{what}` of `{model}` is {price}: a price in thousandths of a dollar, please"
                )));
            }
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 1e9
            Ok(nanos.round() as u64)
        };
        if self.batch.is_some_and(|part| !(0.0..=1.0).contains(&part)) {
            return Err(PricesError(format!("`batch` of `{}` is no part, from 0.0 to 1.0", self.model)));
        }
        Ok(Price {
            input: each("input", self.input)?,
            cached: each("cached", self.cached.unwrap_or(self.input))?,
            cache_write: each("cache_write", self.cache_write.unwrap_or(self.input))?,
            output: each("output", self.output)?,
            batch: self.batch,
            model: self.model,
            as_of: self.as_of,
            source: self.source,
            first_hand: self.first_hand,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shipped() -> Prices {
        Prices::parse(include_str!("../../rubrics/prices.toml")).unwrap()
    }

    #[test]
    fn the_shipped_prices_know_a_dated_model_and_not_every_model() {
        let price = |name: &str| shipped().of(&name.parse().unwrap()).cloned();
        assert_eq!(price("openai:gpt-5-mini-2025-08-07"), price("openai:gpt-5-mini"));
        assert!(price("openai:gpt-5-mini").unwrap().worst(1, 0) < price("openai:gpt-5").unwrap().worst(1, 0));
        assert_eq!(price("local:llama"), None);
        assert_eq!(price("openai:gpt-5-codex"), None);
        let dated = shipped().dated.unwrap();
        assert!(shipped().rows.iter().all(|row| row.as_of <= dated && !row.source.is_empty()), "{dated}");
    }

    #[test]
    fn each_kind_of_token_has_its_price_and_uncounted_ones_have_none() {
        let price = shipped().of(&"anthropic:claude-haiku-4-5".parse().unwrap()).cloned().unwrap();
        let usage = Usage {
            prompt: Some(1000),
            cached: Some(600),
            cache_write: Some(300),
            reply: Some(10),
            reasoning: Some(4),
        };
        // 100 at 1.00, 600 at 0.10, 300 at 1.25, 10 at 5.00 dollars per million.
        assert_eq!(price.cost(&usage), Some(Money::nanos(100_000 + 60_000 + 375_000 + 50_000)));
        assert!(price.cost(&usage).unwrap() < price.worst(1000, 10));
        assert_eq!(price.cost(&Usage { reply: None, ..usage }), None);
        assert_eq!(price.paid(Money::nanos(1000), true), Money::nanos(500));
        // More cached than there is: counted once.
        let odd = Usage { cached: Some(5000), cache_write: Some(5000), ..usage };
        assert_eq!(price.cost(&odd), Some(Money::nanos(100_000 + 50_000)));
    }

    #[test]
    fn money_reads_and_writes_exactly() {
        let said = |nanos: u64| (Money::nanos(nanos).to_string(), serde_json::to_string(&Money::nanos(nanos)).unwrap());
        assert_eq!(said(0), ("$0.00".into(), "\"0\"".into()));
        assert_eq!(said(1_250_000), ("$0.00125".into(), "\"0.00125\"".into()));
        assert_eq!(said(1_999_999_999).0, "$2.00");
        assert_eq!(said(12_345_000_000), ("$12.35".into(), "\"12.345\"".into()));
        assert_eq!(said(999_999_999), ("$0.999999999".into(), "\"0.999999999\"".into()));
        let read = |text: &str| serde_json::from_str::<Money>(text).ok();
        assert_eq!(
            (read("2"), read("2.5"), read("\"2.5\"")),
            (Some(Money::nanos(2_000_000_000)), Money::dollars(2.5), Money::dollars(2.5))
        );
        assert_eq!((read("-1"), read("1e300"), read("\"NaN\"")), (None, None, None));
    }

    #[test]
    fn a_wrong_table_says_which_price() {
        let table = |line: &str| {
            let row = format!(
                "version = 1\n[[price]]\nmodel = \"a:b\"\n{line}\noutput = 1.0\nas_of = \"x\"\nsource = \"x\"\n"
            );
            Prices::parse(&row).unwrap_err().0
        };
        assert!(table("input = -1.0").contains("`input` of `a:b`"));
        assert!(table("input = 0.0001").contains("thousandths"));
        assert!(table("input = 1.0\nbatch = 2.0").contains("`batch`"));
    }
}
