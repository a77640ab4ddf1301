//! Why no usable answer came.

use super::{RedirectRefused, UnzipError};

/// How many redirects are followed, one after the other.
pub(super) const MOST_REDIRECTS: usize = 8;

/// Why no usable answer came.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HttpError {
    /// The address is none.
    #[error("`{0}` is no http(s) address")]
    Address(String),
    /// Connection, time-out, or a body that was cut or is not the one announced.
    #[error("{url}: {why} (sent {attempts} times)")]
    Failed {
        /// The address, without its query.
        url: String,
        /// What went wrong.
        why: String,
        /// How often it was sent.
        attempts: u32,
    },
    /// No answer within the time that the request allows itself.
    #[error("{url}: no answer within {seconds} s")]
    TooSlow {
        /// The address, without its query.
        url: String,
        /// How long was waited.
        seconds: u64,
    },
    /// The body is longer than allowed.
    #[error("{url}: the body is longer than {max} bytes")]
    TooLong {
        /// The address, without its query.
        url: String,
        /// The bound.
        max: usize,
    },
    /// The body grows beyond all measure when it is decompressed.
    #[error("{url}: {why}")]
    Bomb {
        /// The address, without its query.
        url: String,
        /// How much is too much.
        why: UnzipError,
    },
    /// A redirect that is not followed.
    #[error("{url} redirects, and {why}")]
    Redirect {
        /// The address that redirects, without its query.
        url: String,
        /// Why it is not followed.
        why: RedirectRefused,
    },
    /// Redirects without end.
    #[error("{url}: more than {MOST_REDIRECTS} redirects")]
    Loop {
        /// The address that was asked first, without its query.
        url: String,
    },
    /// The host's robots.txt does not allow this address; it was not asked for.
    #[error("{url}: the host's robots.txt does not allow it")]
    Disallowed {
        /// The address, without its query.
        url: String,
    },
    /// The host's robots.txt could not be had, which forbids everything (RFC 9309, section 2.3.1.4).
    #[error("{host}: its robots.txt could not be had ({why}), and until it can nothing may be asked there; try later")]
    NoRobots {
        /// The host.
        host: String,
        /// What came instead.
        why: String,
    },
    /// The host answered with a challenge, and is asked nothing more.
    #[error(
        "{host} answered {status} with a page that asks a browser to prove itself; nothing more is asked there: \
        wait some hours, and then ask less often"
    )]
    Stopped {
        /// The host.
        host: String,
        /// The status of the challenge.
        status: u16,
    },
    /// The host asked for a pause longer than the policy waits, and it is not over.
    #[error("{host} asks to be left alone for {seconds} s more; go on after that")]
    Resting {
        /// The host.
        host: String,
        /// Seconds until it may be asked again, rounded up.
        seconds: u64,
    },
    /// Nothing more may be sent at all.
    #[error("{why}")]
    Halted {
        /// Why not.
        why: String,
    },
}

impl HttpError {
    /// Whether it speaks of the host (or of all hosts) and not of the address: any other request there would fail in the
    /// same way now, so what is wanted from it is pending and not failed.
    pub fn of_host(&self) -> bool {
        matches!(self, Self::NoRobots { .. } | Self::Stopped { .. } | Self::Resting { .. } | Self::Halted { .. })
    }
}
