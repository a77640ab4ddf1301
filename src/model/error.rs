//! Why a model gave no reply.

use super::{CallKey, Fault, NotAReply, NotKept, Over};
use crate::http::HttpError;

/// Why a model gave no reply.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ModelError {
    /// No answer came, after all attempts.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The server answered with an error.
    #[error("{address} answered {status}: {message}")]
    Status {
        /// Where.
        address: String,
        /// HTTP status.
        status: u16,
        /// The server's words.
        message: String,
        /// What it means.
        fault: Fault,
    },
    /// The server wants fewer calls than we can wait for.
    #[error("{address}: {why}; run the same command again later to go on")]
    Exhausted {
        /// Where.
        address: String,
        /// What it asked for.
        why: String,
    },
    /// The answer is no completion. It was paid for, and is on record.
    #[error("{address}: {error}")]
    Malformed {
        /// Where.
        address: String,
        /// What is wrong.
        error: NotAReply,
        /// The call that it answered.
        call: CallKey,
    },
    /// The reply could not be journaled, so it was not used.
    #[error("the reply could not be journaled, so it is not used: {0}")]
    Journal(#[from] NotKept),
    /// Offline, and the call is not on record.
    #[error("offline, and this call is not in the journal (draw {draw}); build once without --offline")]
    NotOnRecord {
        /// The draw that was asked for.
        draw: String,
    },
    /// The budget is used up.
    #[error(
        "the budget of this run is used up: {0}; the same command goes on with as much again, or raise it under [budget]"
    )]
    Spent(String),
    /// Somebody stopped the run.
    #[error("{0}")]
    Halted(&'static str),
}

impl From<Over> for ModelError {
    fn from(over: Over) -> Self {
        match over {
            Over::Limit(why) => Self::Spent(why),
            Over::Halted(why) => Self::Halted(why),
        }
    }
}

impl ModelError {
    /// Whether the run should stop here and be resumed later, rather than go on with other work.
    pub fn ends_the_run(&self) -> bool {
        match self {
            // A server that is not there answers no other call either, and what was not asked is not refused.
            Self::Http(error) => error.of_host() || matches!(error, HttpError::Failed { .. } | HttpError::Address(_)),
            Self::Journal(_) | Self::Spent(_) | Self::Halted(_) | Self::NotOnRecord { .. } | Self::Exhausted { .. } => {
                true
            }
            Self::Status { fault, .. } => fault.ends_the_run(),
            Self::Malformed { .. } => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_is_not_there_ends_the_run_and_a_long_reply_does_not() {
        let url = "http://127.0.0.1:9/v1".to_string();
        let failed = HttpError::Failed { url: url.clone(), why: "connection refused".to_string(), attempts: 5 };
        assert!(ModelError::Http(failed).ends_the_run());
        assert!(!ModelError::Http(HttpError::TooLong { url, max: 1 }).ends_the_run());
    }
}
