//! How long to wait before asking again.

use chrono::{DateTime, NaiveDateTime, Utc};
use std::time::{Duration, SystemTime};

/// A header that is neither a number of seconds nor an HTTP date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("neither a number of seconds nor an HTTP date")]
pub struct InvalidWait;

/// Reads `Retry-After`: digits that are seconds, or an HTTP date in any of its three forms (RFC 9110, sections 10.2.3 and
/// 5.6.7). A date that has passed asks for no wait.
///
/// # Errors
/// [`InvalidWait`]; fall back to a wait of your own.
pub fn retry_after(value: &str, now: SystemTime) -> Result<Duration, InvalidWait> {
    let value = value.trim();
    if digits(value) {
        return value.parse().map(Duration::from_secs).map_err(|_| InvalidWait);
    }
    let now = DateTime::<Utc>::from(now).timestamp();
    let at = http_date(value).ok_or(InvalidWait)?;
    Ok(Duration::from_secs(u64::try_from(at - now).unwrap_or(0)))
}

/// Reads `retry-after-ms`.
///
/// # Errors
/// [`InvalidWait`] if it is no number of milliseconds.
pub fn retry_after_ms(value: &str) -> Result<Duration, InvalidWait> {
    decimal(value, 1000.0)
}

/// Reads a `Retry-After` of seconds with a fraction (`1.5`), which no standard knows and some model providers send.
///
/// # Errors
/// [`InvalidWait`] if it is no number of seconds.
pub fn retry_after_decimal(value: &str) -> Result<Duration, InvalidWait> {
    decimal(value, 1.0)
}

/// Digits, and digits behind a point: so many of which `per_second` make a second.
fn decimal(value: &str, per_second: f64) -> Result<Duration, InvalidWait> {
    let value = value.trim();
    let (whole, fraction) = value.split_once('.').unwrap_or((value, "0"));
    if !digits(whole) || !digits(fraction) {
        return Err(InvalidWait);
    }
    let number: f64 = value.parse().map_err(|_| InvalidWait)?;
    Duration::try_from_secs_f64(number / per_second).map_err(|_| InvalidWait)
}

fn digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Seconds since 1970 of an HTTP date: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`,
/// `Sun Nov  6 08:49:37 1994`. Two-digit years are read as POSIX does: 69-99 are 19xx.
pub fn http_date(value: &str) -> Option<i64> {
    let after_day_name = value.split_once(',').map_or(value, |(_, rest)| rest).trim();
    ["%d %b %Y %H:%M:%S GMT", "%d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"]
        .iter()
        .find_map(|form| NaiveDateTime::parse_from_str(after_day_name, form).ok())
        .map(|at| at.and_utc().timestamp())
}

/// Exponential back-off with full jitter: between half of `base * 2^attempt` and all of it, at most `cap`.
/// The jitter comes from `seed`, so that a test repeats.
pub fn back_off(attempt: u32, base: Duration, cap: Duration, seed: u64) -> Duration {
    let full = base.saturating_mul(1u32.checked_shl(attempt.min(16)).unwrap_or(u32::MAX)).min(cap);
    // SplitMix64 (Steele, Lea, Flood 2014), one step.
    let mut z = seed.wrapping_add(u64::from(attempt) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let part = u32::try_from((z ^ (z >> 31)) >> 40).unwrap_or(0);
    full / 2 + full.mul_f64(f64::from(part) / f64::from(1u32 << 24) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_date_forms_are_read() {
        let forms = ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"];
        assert!(forms.iter().all(|f| http_date(f) == Some(784_111_777)), "{:?}", forms.map(http_date));
        assert_eq!(http_date("soon"), None);
    }

    #[test]
    fn waits_stay_in_their_bounds() {
        for attempt in 0..40 {
            let wait = back_off(attempt, Duration::from_secs(1), Duration::from_secs(60), 7);
            assert!(wait <= Duration::from_secs(60) && wait >= Duration::from_millis(500), "{attempt} {wait:?}");
        }
    }

    #[test]
    fn seconds_are_digits() {
        let read = |value: &str| retry_after(value, SystemTime::UNIX_EPOCH);
        assert_eq!(read(" 120 "), Ok(Duration::from_secs(120)));
        for value in ["-3", "+30", "1e2", "1.5", "inf", "0x10", "", "99999999999999999999999"] {
            assert!(read(value).is_err(), "{value}");
        }
        assert_eq!(retry_after_decimal("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(retry_after_ms("250"), Ok(Duration::from_millis(250)));
        assert!(["1.", ".5", "+1.5", "1e2", "nan"].iter().all(|value| retry_after_decimal(value).is_err()));
        assert!(retry_after_ms("1e2").is_err());
    }
}
