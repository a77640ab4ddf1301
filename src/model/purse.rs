//! The budget: a call's worst case is set aside before it is sent, and settled after.

use super::{ModelName, Money, Price, Prices, Usage};
use crate::http::Allowance;
use std::future::Future;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// How long calls under way are waited for when the time is over: they may be paid for already.
const GRACE: Duration = Duration::from_secs(60);

/// Hard limits over all models of a run; `None` is no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// Calls.
    pub calls: Option<u64>,
    /// Tokens, prompt and reply together.
    pub tokens: Option<u64>,
    /// Money.
    pub money: Option<Money>,
    /// Time from the first call on; after it nothing is sent.
    pub time: Option<Duration>,
}

/// What models may cost. However many calls are in flight, their sum cannot pass the limits.
#[derive(Debug, Default)]
pub struct Purse {
    limits: Limits,
    prices: Prices,
    allowance: Allowance,
    began: OnceLock<Instant>,
    spent: Mutex<Spent>,
    freed: Notify,
}

/// Why nothing more is sent, or waited for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Over {
    /// A limit is reached.
    #[error("{0}")]
    Limit(String),
    /// Somebody stopped the run.
    #[error("{0}")]
    Halted(&'static str),
}

/// Why a call cannot be sent.
enum Full {
    /// Calls in flight hold what it may need; when they are settled it may be free.
    InFlight,
    /// A limit would be passed, whatever they come to.
    Over(String),
}

/// What was spent, and what is set aside for calls in flight.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spent {
    /// Calls made or in flight.
    pub calls: u64,
    /// Tokens of settled calls, as the servers counted them (the worst case where they did not).
    pub tokens: u64,
    /// Tokens set aside.
    pub reserved: u64,
    /// Money for settled calls of models whose price is known.
    pub money: Money,
    /// Money set aside.
    pub money_reserved: Money,
    /// Calls of models whose price is not known.
    pub unpriced: u64,
    /// The longest that an answered call took.
    longest: Duration,
}

impl Purse {
    /// A purse with these limits and prices.
    pub fn new(limits: Limits, prices: Prices) -> Self {
        Self { limits, prices, ..Self::default() }
    }

    /// The same; nothing is sent any more when the allowance is halted.
    #[must_use]
    pub fn within(self, allowance: Allowance) -> Self {
        Self { allowance, ..self }
    }

    /// What was spent so far.
    pub fn spent(&self) -> Spent {
        *self.lock()
    }

    /// What a model's tokens cost, if it is known.
    pub fn price(&self, model: &ModelName) -> Option<&Price> {
        self.prices.of(model)
    }

    /// Whether money is limited and this model's price is not known, so that it may not be asked.
    pub fn lacks_price(&self, model: &ModelName) -> bool {
        self.limits.money.is_some() && self.price(model).is_none()
    }

    /// Sets a call's worst case aside: the longest its prompt can be in tokens, and its longest reply. Where calls in flight
    /// hold what it may need, it waits until they are settled. Of time, the longest that a call took so far must be left.
    /// A call in a batch costs what batches cost.
    ///
    /// # Errors
    /// Which limit would be passed, or that the run was stopped.
    pub async fn reserve(&self, model: &ModelName, worst: &Usage, batch: bool) -> Result<Reserved<'_>, Over> {
        self.in_time(self.reserve_when_free(model, worst, batch)).await?.map_err(Over::Limit)
    }

    async fn reserve_when_free(&self, model: &ModelName, worst: &Usage, batch: bool) -> Result<Reserved<'_>, String> {
        loop {
            let freed = self.freed.notified();
            tokio::pin!(freed);
            // Listens before it looks, so that nothing is freed unheard in between.
            freed.as_mut().enable();
            match self.try_reserve(model, worst, batch) {
                Ok(reserved) => return Ok(reserved),
                Err(Full::Over(why)) => return Err(why),
                Err(Full::InFlight) => freed.await,
            }
        }
    }

    fn try_reserve(&self, model: &ModelName, worst: &Usage, batch: bool) -> Result<Reserved<'_>, Full> {
        let price = self.price(model);
        if self.lacks_price(model) {
            return Err(Full::Over(format!("money is limited, and the price of {model} is not known")));
        }
        let now = Instant::now();
        let until = self.limits.time.map(|time| *self.began.get_or_init(|| now) + time);
        let tokens = worst.total().unwrap_or(0);
        let dearest = |p: &Price| p.paid(p.worst(worst.prompt.unwrap_or(0), worst.reply.unwrap_or(0)), batch);
        let money = price.map(dearest).unwrap_or_default();
        let mut spent = self.lock();
        if until.is_some_and(|until| until.saturating_duration_since(now) <= spent.longest) {
            let limit = self.limits.time.unwrap_or_default().as_secs();
            return Err(Full::Over(format!("the next call may not be done within the {limit} seconds that there are")));
        }
        if self.limits.calls.is_some_and(|limit| spent.calls >= limit) {
            return Err(Full::Over(format!("{} calls made", spent.calls)));
        }
        if let Some(limit) = self.limits.tokens {
            let left = limit.saturating_sub(spent.tokens);
            if tokens > left {
                return Err(Full::Over(format!(
                    "the next call may cost {tokens} tokens, and {left} of {limit} are left"
                )));
            }
            if spent.reserved.saturating_add(tokens) > left {
                return Err(Full::InFlight);
            }
        }
        if let Some(limit) = self.limits.money {
            let left = limit.less(spent.money);
            if money > left {
                return Err(Full::Over(format!("the next call may cost {money}, and {left} of {limit} are left")));
            }
            if spent.money_reserved + money > left {
                return Err(Full::InFlight);
            }
        }
        spent.calls += 1;
        spent.reserved = spent.reserved.saturating_add(tokens);
        spent.money_reserved = spent.money_reserved + money;
        spent.unpriced += u64::from(price.is_none());
        Ok(Reserved { purse: self, price, batch, worst_tokens: tokens, worst_money: money, began: now })
    }

    /// Waits for what comes before a call is sent, but not beyond the time that there is, nor after the run was stopped.
    /// Until the first call is reserved, all of the time is left.
    ///
    /// # Errors
    /// [`Over`].
    pub async fn in_time<T>(&self, wait: impl Future<Output = T>) -> Result<T, Over> {
        self.until(Duration::ZERO, wait).await
    }

    /// Waits for a call that was sent: to its end, or until a minute after the time that there is, or after the run was
    /// stopped.
    ///
    /// # Errors
    /// [`Over`].
    pub async fn in_grace<T>(&self, call: impl Future<Output = T>) -> Result<T, Over> {
        self.until(GRACE, call).await
    }

    async fn until<T>(&self, grace: Duration, work: impl Future<Output = T>) -> Result<T, Over> {
        if let Some(why) = self.allowance.halted_for(grace) {
            return Err(Over::Halted(why));
        }
        let left = self.left(grace);
        if left.is_some_and(|left| left.is_zero()) {
            return Err(self.late());
        }
        tokio::select! {
            biased;
            done = work => Ok(done),
            why = self.allowance.when_halted_for(grace) => Err(Over::Halted(why)),
            () = tokio::time::sleep(left.unwrap_or_default()), if left.is_some() => Err(self.late()),
        }
    }

    /// What is left of the time that there is, and of the grace after it.
    fn left(&self, grace: Duration) -> Option<Duration> {
        let now = Instant::now();
        let time = self.limits.time?;
        Some((*self.began.get().unwrap_or(&now) + time + grace).saturating_duration_since(now))
    }

    fn late(&self) -> Over {
        let seconds = self.limits.time.unwrap_or_default().as_secs();
        Over::Limit(format!("the {seconds} seconds that there are have passed"))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Spent> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is set aside for one call. Dropped unsettled (the call failed), it is free again.
#[derive(Debug)]
pub struct Reserved<'a> {
    purse: &'a Purse,
    price: Option<&'a Price>,
    batch: bool,
    worst_tokens: u64,
    worst_money: Money,
    began: Instant,
}

impl Reserved<'_> {
    /// The call was answered: books what it used.
    pub fn settle(self, usage: &Usage) {
        let paid = |price: &Price| price.cost(usage).map(|cost| price.paid(cost, self.batch));
        let money = self.price.map(|price| paid(price).unwrap_or(self.worst_money)).unwrap_or_default();
        let mut spent = self.purse.lock();
        spent.tokens = spent.tokens.saturating_add(usage.total().unwrap_or(self.worst_tokens));
        spent.money = spent.money + money;
        spent.longest = spent.longest.max(self.began.elapsed());
        // What was set aside is freed when `self` is dropped; the lock must be free by then.
        drop(spent);
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        let mut spent = self.purse.lock();
        spent.reserved = spent.reserved.saturating_sub(self.worst_tokens);
        spent.money_reserved = spent.money_reserved.less(self.worst_money);
        drop(spent);
        self.purse.freed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worst(prompt: u64) -> Usage {
        Usage { prompt: Some(prompt), reply: Some(0), ..Usage::default() }
    }

    fn model() -> ModelName {
        "local:m".parse().unwrap()
    }

    /// A dollar a million tokens: a thousandth of a cent for ten.
    fn prices() -> Prices {
        let row =
            "version = 1\n[[price]]\nmodel = \"local:m\"\ninput = 1.0\noutput = 1.0\nas_of = \"x\"\nsource = \"x\"\n";
        Prices::parse(row).unwrap()
    }

    #[tokio::test]
    async fn calls_in_flight_cannot_pass_the_limit_together() {
        let purse = Purse::new(Limits { tokens: Some(100), ..Limits::default() }, Prices::default());
        let first = purse.reserve(&model(), &worst(60), false).await.unwrap();
        assert!(matches!(purse.try_reserve(&model(), &worst(60), false), Err(Full::InFlight)));
        first.settle(&Usage { prompt: Some(10), reply: Some(5), ..Usage::default() });
        assert!(purse.reserve(&model(), &worst(60), false).await.is_ok());
        assert_eq!((purse.spent().tokens, purse.spent().reserved), (15, 0));
        let refused = purse.reserve(&model(), &worst(86), false).await.unwrap_err();
        assert_eq!(refused.to_string(), "the next call may cost 86 tokens, and 85 of 100 are left");
    }

    #[tokio::test]
    async fn a_call_waits_for_those_in_flight_where_they_hold_what_it_needs() {
        let purse = Purse::new(Limits { tokens: Some(100), ..Limits::default() }, Prices::default());
        let first = purse.reserve(&model(), &worst(60), false).await.unwrap();
        let (of, asked) = (model(), worst(60));
        let second = purse.reserve(&of, &asked, false);
        tokio::pin!(second);
        assert!(at_once(second.as_mut()).await.is_none());
        drop(first);
        assert!(second.await.is_ok());
    }

    /// What a promise has come to at once, if it has.
    async fn at_once<F: Future>(mut promise: std::pin::Pin<&mut F>) -> Option<F::Output> {
        std::future::poll_fn(|context| {
            std::task::Poll::Ready(match promise.as_mut().poll(context) {
                std::task::Poll::Ready(value) => Some(value),
                std::task::Poll::Pending => None,
            })
        })
        .await
    }

    #[tokio::test]
    async fn calls_are_counted() {
        let purse = Purse::new(Limits { calls: Some(1), ..Limits::default() }, Prices::default());
        drop(purse.reserve(&model(), &worst(1), false).await.unwrap());
        assert_eq!(purse.reserve(&model(), &worst(1), false).await.unwrap_err().to_string(), "1 calls made");
    }

    #[tokio::test]
    async fn money_is_set_aside_at_its_worst_and_settled_as_counted() {
        let limit = Money::nanos(100_000);
        let purse = Purse::new(Limits { money: Some(limit), ..Limits::default() }, prices());
        let first = purse.reserve(&model(), &worst(60), false).await.unwrap();
        first.settle(&Usage { prompt: Some(40), reply: Some(0), ..Usage::default() });
        let refused = purse.reserve(&model(), &worst(61), false).await.unwrap_err();
        assert_eq!(refused.to_string(), "the next call may cost $0.000061, and $0.00006 of $0.0001 are left");
        // Tokens that nobody counted cost the worst case.
        purse.reserve(&model(), &worst(60), false).await.unwrap().settle(&Usage::default());
        assert_eq!((purse.spent().money, purse.spent().money_reserved), (limit, Money::default()));
        assert!(purse.reserve(&model(), &worst(1), false).await.is_err());
    }

    #[tokio::test]
    async fn a_call_in_a_batch_is_reckoned_at_what_batches_cost() {
        let row = "version = 1\n[[price]]\nmodel = \"local:m\"\ninput = 1.0\noutput = 1.0\nbatch = 0.5\nas_of = \"x\"\nsource = \"x\"\n";
        let limit = Money::nanos(100_000);
        let purse = Purse::new(Limits { money: Some(limit), ..Limits::default() }, Prices::parse(row).unwrap());
        let reserved = purse.reserve(&model(), &worst(150), true).await.unwrap();
        assert_eq!(purse.spent().money_reserved, Money::nanos(75_000));
        reserved.settle(&Usage { prompt: Some(100), reply: Some(0), ..Usage::default() });
        assert_eq!(purse.spent().money, Money::nanos(50_000));
        let refused = purse.reserve(&model(), &worst(150), false).await.unwrap_err();
        assert_eq!(refused.to_string(), "the next call may cost $0.00015, and $0.00005 of $0.0001 are left");
    }

    #[tokio::test]
    async fn a_model_without_a_price_costs_an_unknown_sum_and_not_nothing() {
        let other: ModelName = "local:other".parse().unwrap();
        let limited = Purse::new(Limits { money: Some(Money::nanos(1)), ..Limits::default() }, prices());
        assert!(limited.reserve(&other, &worst(0), false).await.unwrap_err().to_string().contains("is not known"));
        let free = Purse::new(Limits::default(), prices());
        free.reserve(&other, &worst(5), false).await.unwrap().settle(&worst(5));
        assert_eq!((free.spent().unpriced, free.spent().money), (1, Money::default()));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn no_number_in_flight_passes_the_limit_in_money() {
        let limit = Money::nanos(1_000_000);
        let purse = std::sync::Arc::new(Purse::new(Limits { money: Some(limit), ..Limits::default() }, prices()));
        let task = |task: u64| {
            let purse = purse.clone();
            async move {
                let mut made = 0;
                for call in 0..20 {
                    let Ok(reserved) = purse.reserve(&model(), &worst(10), false).await else { continue };
                    let spent = purse.spent();
                    assert!(spent.money + spent.money_reserved <= limit, "{spent:?}");
                    made += 1;
                    tokio::task::yield_now().await;
                    if (task + call).is_multiple_of(3) {
                        drop(reserved);
                    } else {
                        reserved.settle(&worst((task + call) % 11));
                    }
                }
                made
            }
        };
        let tasks: Vec<_> = (0..64).map(|i| tokio::spawn(task(i))).collect();
        let mut made = 0;
        for task in tasks {
            made += task.await.expect("no task fails");
        }
        let spent = purse.spent();
        assert!(spent.money <= limit && spent.money_reserved == Money::default() && spent.reserved == 0, "{spent:?}");
        assert_eq!(spent.calls, made);
        // Only a call whose worst case does not fit any more is refused.
        assert!(limit.less(spent.money) < Money::nanos(10_000), "{spent:?}");
    }

    #[tokio::test]
    async fn nothing_is_sent_when_the_time_is_over_and_what_was_sent_is_waited_for() {
        let purse =
            Purse::new(Limits { time: Some(Duration::from_millis(20)), ..Limits::default() }, Prices::default());
        let first = purse.reserve(&model(), &worst(1), false).await.unwrap();
        let waited = purse.in_time(std::future::pending::<()>()).await;
        assert_eq!(waited.unwrap_err().to_string(), "the 0 seconds that there are have passed");
        drop(first);
        assert!(purse.in_time(std::future::ready(())).await.is_err(), "what would be sent next is not");
        assert!(purse.reserve(&model(), &worst(1), false).await.unwrap_err().to_string().contains("seconds"));
        let answer = async {
            tokio::time::sleep(Duration::from_millis(5)).await;
            "paid for"
        };
        assert_eq!(purse.in_grace(answer).await, Ok("paid for"));
    }

    #[tokio::test]
    async fn nothing_is_sent_when_the_run_was_stopped_and_what_was_sent_is_waited_for() {
        let allowance = Allowance::default();
        let purse = Purse::new(Limits::default(), Prices::default()).within(allowance.clone());
        let first = purse.reserve(&model(), &worst(1), false).await.unwrap();
        let waits = purse.in_time(std::future::pending::<()>());
        tokio::pin!(waits);
        assert!(at_once(waits.as_mut()).await.is_none());
        allowance.halt("interrupted");
        assert_eq!(waits.await, Err(Over::Halted("interrupted")), "who waits hears of it");
        drop(first);
        assert!(purse.reserve(&model(), &worst(1), false).await.is_err());
        let answer = async {
            tokio::time::sleep(Duration::from_millis(5)).await;
            "paid for"
        };
        assert_eq!(purse.in_grace(answer).await, Ok("paid for"));
    }
}
