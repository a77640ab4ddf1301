//! The clock that pace, back-off and `Retry-After` run on.

use std::time::{Duration, SystemTime};

/// A clock, handed in: what time it is, and how long a second lasts.
///
/// A scaled clock is for servers on loopback, where manners are tested: the pauses keep their order and their
/// proportions and take a fraction of the time. Time-outs are not scaled, since a slow machine is no slow server.
///
/// ```
/// use legal_link::http::Clock;
/// use std::time::{Duration, SystemTime};
/// let real = Clock::new(SystemTime::now);
/// assert_eq!(real.lasts(Duration::from_secs(1)), Duration::from_secs(1));
/// let quick = Clock::scaled(SystemTime::now, 200);
/// assert_eq!(quick.lasts(Duration::from_secs(1)), Duration::from_millis(5));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    now: fn() -> SystemTime,
    scale: u32,
}

impl Clock {
    /// A clock on which a second is a second.
    pub fn new(now: fn() -> SystemTime) -> Self {
        Self::scaled(now, 1)
    }

    /// A clock on which a second of pace, back-off or `Retry-After` lasts the `scale`th part of one (0 = 1).
    pub fn scaled(now: fn() -> SystemTime, scale: u32) -> Self {
        Self { now, scale: scale.max(1) }
    }

    /// The time of day, for the dates of `Retry-After`.
    pub fn now(&self) -> SystemTime {
        (self.now)()
    }

    /// How long a pause of `told` lasts.
    pub fn lasts(&self, told: Duration) -> Duration {
        told / self.scale
    }

    /// The pause that lasts `real`.
    pub(super) fn told(self, real: Duration) -> Duration {
        real.saturating_mul(self.scale)
    }
}
