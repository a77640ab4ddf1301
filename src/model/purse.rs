//! The budget: a call's worst case is set aside before it is sent, and settled after.

use super::{ModelName, Usage};
use std::sync::{Mutex, PoisonError};

/// Hard limits over all models of a run. However many calls are in flight, their sum cannot pass them.
#[derive(Debug, Default)]
pub struct Purse {
    calls: Option<u64>,
    tokens: Option<u64>,
    spent: Mutex<Spent>,
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
}

impl Purse {
    /// A purse with these limits; `None` is no limit.
    pub fn new(calls: Option<u64>, tokens: Option<u64>) -> Self {
        Self { calls, tokens, spent: Mutex::default() }
    }

    /// What was spent so far.
    pub fn spent(&self) -> Spent {
        *self.lock()
    }

    /// Sets a call's worst case aside: the longest its prompt can be in tokens, and its longest reply.
    ///
    /// # Errors
    /// Which limit would be passed, in words.
    pub fn reserve(&self, _model: &ModelName, worst: &Usage) -> Result<Reserved<'_>, String> {
        let worst = worst.total().unwrap_or(0);
        let mut spent = self.lock();
        if self.calls.is_some_and(|limit| spent.calls >= limit) {
            return Err(format!("{} calls made", spent.calls));
        }
        let tokens = spent.tokens + spent.reserved + worst;
        if let Some(limit) = self.tokens.filter(|limit| tokens > *limit) {
            return Err(format!(
                "the next call may cost {worst} tokens, and {} of {limit} are left",
                limit.saturating_sub(tokens - worst)
            ));
        }
        spent.calls += 1;
        spent.reserved += worst;
        Ok(Reserved { purse: self, worst, settled: false })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Spent> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tokens set aside for one call. Dropped unsettled (the call failed), they are freed again.
#[derive(Debug)]
pub struct Reserved<'a> {
    purse: &'a Purse,
    worst: u64,
    settled: bool,
}

impl Reserved<'_> {
    /// The call was answered: books what it used.
    pub fn settle(mut self, usage: &Usage) {
        let used = usage.total().unwrap_or(self.worst);
        let mut spent = self.purse.lock();
        spent.reserved -= self.worst;
        spent.tokens += used;
        drop(spent);
        self.settled = true;
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        if !self.settled {
            self.purse.lock().reserved -= self.worst;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worst(prompt: u64) -> Usage {
        Usage { prompt: Some(prompt), reply: Some(0), ..Usage::default() }
    }

    #[test]
    fn calls_in_flight_cannot_pass_the_limit_together() {
        let (purse, model) = (Purse::new(None, Some(100)), "local:m".parse().unwrap());
        let first = purse.reserve(&model, &worst(60)).unwrap();
        assert!(purse.reserve(&model, &worst(60)).is_err());
        first.settle(&Usage { prompt: Some(10), reply: Some(5), ..Usage::default() });
        assert!(purse.reserve(&model, &worst(60)).is_ok());
        assert_eq!(purse.spent().tokens, 15);
        assert_eq!(purse.spent().reserved, 0);
    }

    #[test]
    fn calls_are_counted() {
        let (purse, model) = (Purse::new(Some(1), None), "local:m".parse().unwrap());
        drop(purse.reserve(&model, &worst(1)).unwrap());
        assert_eq!(purse.reserve(&model, &worst(1)).unwrap_err(), "1 calls made");
    }
}
