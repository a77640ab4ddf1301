//! How a client behaves towards a host, and what it calls itself.

use std::fmt;
use std::time::Duration;

/// Manners towards one host. Times are as a [`Clock`](super::Clock) tells them, but for `timeout`.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    /// Requests in flight at most.
    pub in_flight: usize,
    /// Least time between the starts of two requests. A longer `Crawl-delay` in the host's robots.txt is kept instead.
    pub pace: Duration,
    /// Whether the host's robots.txt is read before its first request, and obeyed: yes for a crawl, no for a server of
    /// one's own or one that is paid for.
    pub robots: bool,
    /// Longest time for one request, connection and body included, so that a body that drips ends.
    pub timeout: Duration,
    /// Longest body, after decompression, in bytes.
    pub max_bytes: usize,
    /// How often a request is sent at most.
    pub attempts: u32,
    /// Shortest wait before the second attempt; doubled each time.
    pub back_off: Duration,
    /// Longest wait between two attempts. A host that asks for more is left alone: its requests fail at once
    /// ([`HttpError::Resting`](super::HttpError::Resting)) until that time has passed.
    pub longest_wait: Duration,
    /// Seed of the jitter.
    pub seed: u64,
    /// Hosts (`host` or `host:port`) to which a redirect may lead, besides the one that was asked.
    pub allowed_hosts: Vec<String>,
}

impl Default for Policy {
    /// A crawl: one request per host and second, robots.txt obeyed.
    fn default() -> Self {
        Self {
            in_flight: 1,
            pace: USUAL_PACE,
            robots: true,
            timeout: Duration::from_secs(120),
            max_bytes: 64 << 20,
            attempts: 5,
            back_off: Duration::from_secs(1),
            longest_wait: Duration::from_secs(120),
            seed: 0,
            allowed_hosts: Vec::new(),
        }
    }
}

/// One request a second: what a public host is asked without permission.
pub const USUAL_PACE: Duration = Duration::from_secs(1);

impl Policy {
    /// The warning that a caller owes its user where this policy asks faster than one request at a time, a second
    /// apart.
    ///
    /// ```
    /// use legal_link::http::Policy;
    /// assert_eq!(Policy::default().hurry(), None);
    /// let fast = Policy { pace: std::time::Duration::from_millis(200), ..Policy::default() };
    /// assert!(fast.hurry().unwrap().to_string().starts_with("up to 5 requests a second"));
    /// ```
    pub fn hurry(&self) -> Option<Hurry> {
        let hurried = self.pace < USUAL_PACE || self.in_flight > 1;
        hurried.then_some(Hurry { pace: self.pace, in_flight: self.in_flight })
    }
}

/// More haste than a public server should be met with unasked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hurry {
    pace: Duration,
    in_flight: usize,
}

impl fmt::Display for Hurry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pace.is_zero() {
            f.write_str("requests without a pause")?;
        } else {
            write!(f, "up to {} requests a second", (10.0 / self.pace.as_secs_f64()).round() / 10.0)?;
        }
        write!(
            f,
            ", {} at a time: more haste than one request a second, one at a time; ask the host first",
            self.in_flight
        )
    }
}

/// A contact that nobody can be reached at.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no contact: give an e-mail address or the address of a web page, so that the host can reach whoever asks it"
)]
pub struct NoContact(String);

/// The name that a crawl goes by: `legal-link/VERSION (+contact)`.
///
/// # Errors
/// [`NoContact`] where the contact is neither an e-mail address nor the address of a web page.
///
/// ```
/// use legal_link::http::user_agent;
/// assert!(user_agent("mailto:crawl@uni.example").unwrap().ends_with(" (+mailto:crawl@uni.example)"));
/// assert!(user_agent(" ").is_err());
/// ```
pub fn user_agent(contact: &str) -> Result<String, NoContact> {
    let contact = contact.trim();
    let plain = |c: char| c.is_ascii_graphic() && !matches!(c, '(' | ')' | '\\' | '"');
    let page =
        ["http://", "https://"].iter().any(|scheme| contact.strip_prefix(scheme).is_some_and(|rest| !rest.is_empty()));
    let mail = contact
        .split_once('@')
        .is_some_and(|(name, host)| !name.is_empty() && host.contains('.') && !host.contains('@'));
    if (page || mail) && contact.chars().all(plain) && contact.len() <= 200 {
        Ok(format!("legal-link/{} (+{contact})", env!("CARGO_PKG_VERSION")))
    } else {
        Err(NoContact(contact.chars().take(80).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_reaches_somebody_and_breaks_no_header() {
        for good in ["crawl@uni.example", "https://uni.example/crawl"] {
            assert!(user_agent(good).is_ok(), "{good}");
        }
        for bad in ["", "me", "@", "a@b@c.d", "https://", "a@b.example\r\nx: y", "a b@c.example", "a@b.example)"] {
            assert!(user_agent(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn haste_is_said_in_figures() {
        let said = |ms, in_flight| {
            let policy = Policy { pace: Duration::from_millis(ms), in_flight, ..Policy::default() };
            policy.hurry().map(|hurry| hurry.to_string())
        };
        assert_eq!(said(3000, 1), None);
        assert!(said(1000, 4).unwrap().contains("4 at a time"));
        assert!(said(250, 1).unwrap().starts_with("up to 4 requests a second"));
        assert!(said(0, 1).unwrap().starts_with("requests without a pause"));
    }
}
