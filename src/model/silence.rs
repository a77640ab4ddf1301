//! Telling of a server that does not answer: after half a minute, and then ever more rarely.

use super::News;
use crate::http::Clock;
use chrono::{DateTime, Utc};
use std::fmt;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// How long nothing is said: most answers come within it, thoughts included, and who waits longer for the first sign of
/// life begins to wonder. Doubled each time.
const FIRST: Duration = Duration::from_secs(30);

/// How long a server has been silent to all who ask it. Clones are of the same silence.
#[derive(Clone)]
pub struct Silence(Arc<Shared>);

struct Shared {
    server: String,
    news: News,
    clock: Clock,
    state: Mutex<State>,
}

/// Requests without an answer.
struct State {
    waiting: usize,
    /// When the first of them was sent, or the last answer came.
    since: Instant,
    /// How often it was told of.
    told: u32,
}

/// A request that is waited for, until this is dropped.
struct Waits<'a>(&'a Shared);

impl Silence {
    /// Of the server of this name, told in the news.
    pub fn new(server: &str, news: News, clock: Clock) -> Self {
        let state = Mutex::new(State { waiting: 0, since: Instant::now(), told: 0 });
        Self(Arc::new(Shared { server: server.to_string(), news, clock, state }))
    }

    /// Waits for an answer, and tells how long none has come. An error is none.
    ///
    /// # Errors
    /// That of the answer.
    pub async fn over<T, E>(&self, answer: impl Future<Output = Result<T, E>>) -> Result<T, E> {
        let _waits = self.0.begin();
        tokio::pin!(answer);
        loop {
            let next = self.0.lock().next(self.0.clock);
            tokio::select! {
                biased;
                came = &mut answer => {
                    if came.is_ok() {
                        self.0.lock().broken();
                    }
                    return came;
                }
                () = tokio::time::sleep_until(next) => self.0.tell(),
            }
        }
    }
}

impl Shared {
    fn begin(&self) -> Waits<'_> {
        let mut state = self.lock();
        if state.waiting == 0 && state.told == 0 {
            state.broken();
        }
        state.waiting += 1;
        Waits(self)
    }

    /// Of all who wait the first tells.
    fn tell(&self) {
        let mut state = self.lock();
        if state.next(self.clock) > Instant::now() {
            return;
        }
        let now = self.clock.now();
        let since = DateTime::<Utc>::from(now.checked_sub(state.since.elapsed()).unwrap_or(now)).format("%H:%M:%S");
        let (server, seconds, waiting) = (&self.server, state.interval().as_secs(), state.waiting);
        let line = format!(
            "waiting for {server}: no answer for {seconds} s, since {since} UTC (requests under way: {waiting})"
        );
        state.told += 1;
        drop(state);
        (self.news)(line);
    }

    /// Every change is a few assignments that cannot panic.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn broken(&mut self) {
        (self.since, self.told) = (Instant::now(), 0);
    }

    fn interval(&self) -> Duration {
        FIRST.saturating_mul(1 << self.told.min(16))
    }

    fn next(&self, clock: Clock) -> Instant {
        self.since + clock.lasts(self.interval())
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.lock().waiting -= 1;
    }
}

impl fmt::Debug for Silence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Silence").field("server", &self.0.server).finish_non_exhaustive()
    }
}
