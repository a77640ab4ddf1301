//! How many requests may still be sent: a budget, an interruption and a machine without a network are one thing.

use super::HttpError;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// What a client may still send. Clones share it: whoever holds one can stop the client.
///
/// ```
/// use legal_link::http::Allowance;
/// let allowance = Allowance::of(1);
/// assert!(allowance.take().is_ok() && allowance.take().is_err());
/// assert_eq!(allowance.sent(), 1);
/// ```
#[derive(Debug, Clone)]
pub struct Allowance(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    most: u64,
    sent: AtomicU64,
    /// Why nothing more may be sent, and since when, where somebody stopped it.
    halted: watch::Sender<Option<(&'static str, Instant)>>,
}

impl Default for Allowance {
    /// As many as are wanted.
    fn default() -> Self {
        Self::of(u64::MAX)
    }
}

impl Allowance {
    /// So many requests, repeated ones and those for robots.txt included.
    pub fn of(most: u64) -> Self {
        Self(Arc::new(Shared { most, sent: AtomicU64::new(0), halted: watch::Sender::new(None) }))
    }

    /// None at all.
    pub fn none(why: &'static str) -> Self {
        let none = Self::of(0);
        none.halt(why);
        none
    }

    /// Sends nothing more: requests under way come to their end, those that wait fail at once.
    pub fn halt(&self, why: &'static str) {
        self.0.halted.send_if_modified(|halted| {
            let first = halted.is_none();
            halted.get_or_insert((why, Instant::now()));
            first
        });
    }

    /// Whether somebody stopped it.
    pub fn halted(&self) -> bool {
        self.0.halted.borrow().is_some()
    }

    /// How many were sent.
    pub fn sent(&self) -> u64 {
        self.0.sent.load(Ordering::SeqCst)
    }

    /// Why nothing more may be sent, if so.
    pub fn spent(&self) -> Option<String> {
        let halted = *self.0.halted.borrow();
        let budget = || format!("the {} requests that were allowed are spent", self.0.most);
        halted.map(|(why, _)| why.to_string()).or_else(|| (self.sent() >= self.0.most).then(budget))
    }

    /// Takes one request out of it.
    ///
    /// # Errors
    /// [`HttpError::Halted`].
    pub fn take(&self) -> Result<(), HttpError> {
        let halted = || HttpError::Halted { why: self.spent().unwrap_or_default() };
        if self.halted() {
            return Err(halted());
        }
        let one_more = |sent: u64| (sent < self.0.most).then_some(sent + 1);
        self.0.sent.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_more).map(|_| ()).map_err(|_| halted())
    }

    /// Whether somebody stopped it so long ago: why.
    pub fn halted_for(&self, grace: Duration) -> Option<&'static str> {
        let halted = *self.0.halted.borrow();
        halted.filter(|(_, at)| at.elapsed() >= grace).map(|(why, _)| why)
    }

    /// Waits until somebody has stopped it so long ago: why.
    pub async fn when_halted_for(&self, grace: Duration) -> &'static str {
        let mut halts = self.0.halted.subscribe();
        let halted = halts.wait_for(Option::is_some).await.ok().and_then(|halted| *halted);
        // The sender lives as long as `self`, so that there is no end without one.
        let Some((why, at)) = halted else { return std::future::pending().await };
        tokio::time::sleep(grace.saturating_sub(at.elapsed())).await;
        why
    }

    /// Waits, if somebody does not stop it meanwhile.
    ///
    /// # Errors
    /// [`HttpError::Halted`].
    pub(super) async fn sleep(&self, wait: Duration) -> Result<(), HttpError> {
        let mut halted = self.0.halted.subscribe();
        tokio::select! {
            () = tokio::time::sleep(wait) => Ok(()),
            _ = halted.wait_for(Option::is_some) => Err(HttpError::Halted { why: self.spent().unwrap_or_default() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_waits_hears_that_it_is_over() {
        let allowance = Allowance::default();
        let other = allowance.clone();
        let waiting = tokio::spawn(async move { other.sleep(Duration::from_secs(3600)).await });
        tokio::task::yield_now().await;
        allowance.halt("interrupted");
        assert_eq!(waiting.await.unwrap(), Err(HttpError::Halted { why: "interrupted".to_string() }));
        assert!(allowance.take().is_err() && allowance.sent() == 0);
        assert_eq!(allowance.when_halted_for(Duration::ZERO).await, "interrupted");
        assert_eq!(allowance.halted_for(Duration::from_secs(3600)), None);
    }
}
