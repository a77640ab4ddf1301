//! How many calls of one model are in flight: as many as its server answers.
//!
//! Additive increase, multiplicative decrease. It starts at the cap. The first 429 of a burst lowers it to three
//! quarters; the others of that burst, sent before it was heard of, do not. Every 25 successes raise it by one, up to a
//! tenth above the level that failed last. What one call is told of a pause holds for all.

use crate::http::Clock;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::Instant;

/// Successes that raise the level by one.
const RAISE_AFTER: u32 = 25;
/// The pause after a 429 that names none.
const USUAL_PAUSE: Duration = Duration::from_secs(2);
/// The longest pause that is waited out; a server that asks for more is asked again by a later run.
const LONGEST_PAUSE: Duration = Duration::from_secs(10 * 60);
/// How long nothing but refusals is borne, with one call at a time.
const PATIENCE: Duration = Duration::from_secs(15 * 60);

/// The gate to one model, shared by all that ask it.
#[derive(Debug)]
pub struct Gate {
    level: Mutex<Level>,
    /// Rung once for every call that may go in.
    bell: Notify,
    clock: Clock,
}

/// Why nothing more should be asked now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GiveUp(pub String);

/// One call in flight; it has left when this is dropped.
#[derive(Debug)]
pub struct Passage<'a> {
    gate: &'a Gate,
    burst: u64,
}

impl Gate {
    /// A gate that lets `cap` calls through at a time. Pauses go by the clock.
    pub fn new(cap: usize, clock: Clock) -> Self {
        Self { level: Mutex::new(Level::new(cap.max(1))), bell: Notify::new(), clock }
    }

    /// How many should ask side by side so that `cap` calls are in flight all the time: some wait for a reply's record to
    /// be forced to disk, when the call itself has left.
    pub const fn askers(cap: usize) -> usize {
        cap + cap / 8
    }

    /// Lets `cap` calls through at a time, if that is more than before: for a second user with a larger cap.
    pub fn widen(&self, cap: usize) {
        let mut level = self.lock();
        if cap > level.cap {
            let more = cap - level.cap;
            (level.cap, level.now, level.ceiling) = (cap, level.now + more, level.ceiling + more);
            (0..more).for_each(|_| self.bell.notify_one());
        }
    }

    /// Waits for a place, and for the end of a pause.
    pub async fn enter(&self) -> Passage<'_> {
        loop {
            let rung = self.bell.notified();
            let entered = self.lock().enter(Instant::now());
            match entered {
                Entering::In(burst) => return Passage { gate: self, burst },
                Entering::Full => rung.await,
                Entering::Pause(until) => tokio::time::sleep_until(until).await,
            }
        }
    }

    /// How many calls may be in flight now.
    pub fn level(&self) -> usize {
        self.lock().now
    }

    /// Every change is a few assignments that cannot panic.
    fn lock(&self) -> MutexGuard<'_, Level> {
        self.level.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Passage<'_> {
    /// The call was answered; `rest` is how long until a limit is refilled that the answer says is used up.
    pub fn answered(&self, rest: Option<Duration>) {
        let clock = self.gate.clock;
        let rest = rest.map(|wait| Instant::now() + clock.lasts(wait.min(LONGEST_PAUSE)));
        if self.gate.lock().answered(rest) {
            self.gate.bell.notify_one();
        }
    }

    /// The call was refused, because there were too many; `pause` is what the server asks for.
    ///
    /// # Errors
    /// [`GiveUp`] where the pause is too long, or where it went on like this for long with one call at a time.
    pub fn refused(&self, pause: Option<Duration>) -> Result<(), GiveUp> {
        let clock = self.gate.clock;
        let pause = pause.unwrap_or(USUAL_PAUSE);
        if pause > LONGEST_PAUSE {
            return Err(GiveUp(format!("the server asks for a pause of {} s", pause.as_secs())));
        }
        let now = Instant::now();
        let alone = self.gate.lock().refused(self.burst, now, now + clock.lasts(pause));
        if alone > clock.lasts(PATIENCE) {
            let minutes = PATIENCE.as_secs() / 60;
            return Err(GiveUp(format!("one call at a time, and none was answered for {minutes} minutes")));
        }
        Ok(())
    }
}

impl Drop for Passage<'_> {
    fn drop(&mut self) {
        if self.gate.lock().leave() {
            self.gate.bell.notify_one();
        }
    }
}

/// The level, without the waiting.
#[derive(Debug)]
struct Level {
    cap: usize,
    now: usize,
    /// A tenth above the level that failed last.
    ceiling: usize,
    inside: usize,
    successes: u32,
    /// Counts bursts of refusals; a call knows in which it was sent.
    burst: u64,
    pause: Option<Instant>,
    /// Since when nothing was answered with one call at a time.
    alone: Option<Instant>,
}

#[derive(Debug, PartialEq)]
enum Entering {
    In(u64),
    Full,
    Pause(Instant),
}

impl Level {
    fn new(cap: usize) -> Self {
        Self { cap, now: cap, ceiling: cap, inside: 0, successes: 0, burst: 0, pause: None, alone: None }
    }

    fn enter(&mut self, at: Instant) -> Entering {
        if let Some(until) = self.pause.filter(|until| *until > at) {
            return Entering::Pause(until);
        }
        if self.inside >= self.now {
            return Entering::Full;
        }
        self.inside += 1;
        Entering::In(self.burst)
    }

    /// Whether another may come in.
    fn leave(&mut self) -> bool {
        self.inside = self.inside.saturating_sub(1);
        self.inside < self.now
    }

    /// Whether one more may come in than before.
    fn answered(&mut self, rest: Option<Instant>) -> bool {
        self.pause = self.pause.max(rest);
        self.alone = None;
        self.successes += 1;
        if self.successes < RAISE_AFTER || self.now >= self.cap.min(self.ceiling) {
            return false;
        }
        self.successes = 0;
        self.now += 1;
        self.inside < self.now
    }

    /// How long nothing was answered with one call at a time.
    fn refused(&mut self, burst: u64, at: Instant, until: Instant) -> Duration {
        self.pause = self.pause.max(Some(until));
        if burst == self.burst {
            self.burst += 1;
            self.successes = 0;
            let failed = self.now.min(self.inside).max(1);
            self.ceiling = failed + failed / 10;
            self.now = (failed * 3 / 4).max(1);
        }
        if self.now > 1 {
            return Duration::ZERO;
        }
        at.saturating_duration_since(*self.alone.get_or_insert(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(cap: usize, at: Instant) -> Level {
        let mut level = Level::new(cap);
        while matches!(level.enter(at), Entering::In(_)) {}
        level
    }

    #[test]
    fn a_burst_lowers_it_once_and_successes_raise_it_to_a_tenth_above() {
        let at = Instant::now();
        let mut level = filled(40, at);
        for _ in 0..40 {
            level.refused(0, at, at);
        }
        assert_eq!((level.now, level.burst), (30, 1));
        for _ in 0..40 {
            level.leave();
        }
        for _ in 0..25 {
            level.answered(None);
        }
        assert_eq!(level.now, 31);
        for _ in 0..10_000 {
            level.answered(None);
        }
        assert_eq!(level.now, 40);
        while matches!(level.enter(at), Entering::In(_)) {}
        level.refused(1, at, at);
        assert_eq!((level.now, level.ceiling), (30, 44));
    }

    #[test]
    fn the_level_that_failed_is_that_of_the_calls_in_flight() {
        let at = Instant::now();
        let mut level = Level::new(64);
        for _ in 0..4 {
            level.enter(at);
        }
        level.refused(0, at, at);
        assert_eq!((level.now, level.ceiling), (3, 4));
        assert!(!level.leave() && level.leave());
    }

    #[test]
    fn a_pause_holds_for_all_and_patience_ends() {
        let at = Instant::now();
        let later = at + Duration::from_secs(60);
        let mut level = filled(1, at);
        assert_eq!(level.refused(0, at, later), Duration::ZERO);
        level.leave();
        assert_eq!(level.enter(at), Entering::Pause(later));
        assert_eq!(level.enter(later), Entering::In(1));
        assert_eq!(level.refused(1, later, later), Duration::from_secs(60));
        level.answered(None);
        assert_eq!(level.refused(2, later, later), Duration::ZERO);
    }

    #[tokio::test]
    async fn all_come_through_however_often_the_level_changes() {
        let gate = std::sync::Arc::new(Gate::new(8, Clock::scaled(std::time::SystemTime::now, 100_000)));
        let call = |n: u32, gate: std::sync::Arc<Gate>| async move {
            loop {
                let passage = gate.enter().await;
                tokio::task::yield_now().await;
                if n.is_multiple_of(7) && passage.burst < 5 {
                    // On a busy machine the scaled patience may end in between, which does not matter here.
                    let _ = passage.refused(None);
                } else {
                    passage.answered(None);
                    return;
                }
            }
        };
        let calls: Vec<_> = (0..300).map(|n| tokio::spawn(call(n, gate.clone()))).collect();
        for one in calls {
            one.await.unwrap();
        }
        assert_eq!(gate.lock().inside, 0);
    }

    #[test]
    fn a_pause_of_hours_is_not_waited_out() {
        let gate = Gate::new(1, Clock::new(std::time::SystemTime::now));
        let passage = Passage { gate: &gate, burst: 0 };
        assert!(passage.refused(Some(Duration::from_secs(7200))).unwrap_err().0.contains("7200 s"));
    }
}
