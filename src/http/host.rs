//! What is known of one host: who may ask it, when, what for, and whether it wants to be asked at all.

use super::{Allowance, Clock, HttpError, Robots};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::Instant;

/// The longest rest that is noted down; a host that asks for more gets no more.
const LONGEST_REST: Duration = Duration::from_secs(7 * 24 * 3600);

/// One host, shared by all that ask it.
pub(super) struct Host {
    pub(super) name: String,
    pub(super) permits: Semaphore,
    /// Its robots.txt, once it is known. The lock is held while it is asked for.
    pub(super) robots: tokio::sync::Mutex<Option<Heard>>,
    state: Mutex<State>,
    /// Whoever is at the head of the line waits for the next start.
    line: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct State {
    /// When the next request may start, by pace.
    next: Option<Instant>,
    /// Until when it wants to be left alone.
    rest: Option<Instant>,
    /// The status of the challenge that it answered with.
    stopped: Option<u16>,
}

/// What was heard of a host's robots.txt.
#[derive(Clone)]
pub(super) enum Heard {
    Rules(std::sync::Arc<Robots>),
    /// Nothing may be asked; why, and until when that is believed.
    Nothing {
        why: String,
        until: Instant,
    },
}

impl Host {
    pub(super) fn new(name: &str, in_flight: usize) -> Self {
        Self {
            name: name.to_string(),
            permits: Semaphore::new(in_flight.max(1)),
            robots: tokio::sync::Mutex::default(),
            state: Mutex::default(),
            line: tokio::sync::Mutex::default(),
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets no request start before `wait` is over; waits already asked for stand.
    pub(super) fn rest(&self, wait: Duration, clock: Clock) {
        let until = Instant::now() + clock.lasts(wait.min(LONGEST_REST));
        let mut state = self.state();
        state.rest = Some(state.rest.map_or(until, |at| at.max(until)));
    }

    /// Asks nothing more: it answered with a challenge.
    pub(super) fn stop(&self, status: u16) -> HttpError {
        let status = *self.state().stopped.get_or_insert(status);
        HttpError::Stopped { host: self.name.clone(), status }
    }

    /// Whether it may be asked, now or within `longest`.
    ///
    /// # Errors
    /// [`HttpError::Stopped`], [`HttpError::Resting`].
    pub(super) fn open(&self, longest: Duration, clock: Clock) -> Result<(), HttpError> {
        let (rest, stopped) = {
            let state = self.state();
            (state.rest, state.stopped)
        };
        if let Some(status) = stopped {
            return Err(HttpError::Stopped { host: self.name.clone(), status });
        }
        let left = rest.map_or(Duration::ZERO, |at| clock.told(at.saturating_duration_since(Instant::now())));
        if left > longest {
            let seconds = left.as_secs() + u64::from(left.subsec_nanos() > 0);
            return Err(HttpError::Resting { host: self.name.clone(), seconds });
        }
        Ok(())
    }

    /// Waits in line until the host has rested and the last start is `pace` ago. What the host says while somebody
    /// waits, everybody in line hears.
    ///
    /// # Errors
    /// As [`Host::open`], and [`HttpError::Halted`].
    pub(super) async fn turn(
        &self,
        pace: Duration,
        longest: Duration,
        clock: Clock,
        allowance: &Allowance,
    ) -> Result<(), HttpError> {
        let _head = self.line.lock().await;
        loop {
            self.open(longest, clock)?;
            let start = {
                let state = self.state();
                state.next.max(state.rest)
            };
            match start.filter(|at| *at > Instant::now()) {
                Some(at) => allowance.sleep(at.saturating_duration_since(Instant::now())).await?,
                None => break,
            }
        }
        self.state().next = (!pace.is_zero()).then(|| Instant::now() + clock.lasts(pace));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    #[tokio::test]
    async fn starts_keep_their_pace_and_a_rest_holds_all_or_refuses() {
        let (host, clock) = (Host::new("a.example", 1), Clock::scaled(SystemTime::now, 50));
        let allowance = Allowance::default();
        let (second, minute) = (Duration::from_secs(1), Duration::from_secs(60));
        let began = Instant::now();
        for _ in 0..4 {
            host.turn(second, minute, clock, &allowance).await.unwrap();
        }
        assert!(began.elapsed() >= Duration::from_millis(60));
        host.rest(Duration::from_secs(5), clock);
        host.rest(second, clock);
        let rested = Instant::now();
        host.turn(Duration::ZERO, minute, clock, &allowance).await.unwrap();
        assert!(rested.elapsed() >= Duration::from_millis(95));
        host.rest(Duration::MAX, clock);
        assert!(matches!(
            host.turn(second, minute, clock, &allowance).await,
            Err(HttpError::Resting { seconds: 500_000.., .. })
        ));
        let _ = host.stop(202);
        assert!(matches!(host.open(Duration::MAX, clock), Err(HttpError::Stopped { status: 202, .. })));
    }
}
