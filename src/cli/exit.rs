//! How a command ends: exit codes, and errors as kind, message and hint.

use std::fmt;
use std::process::ExitCode;

/// The exit codes of all commands. Scripts rely on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: done; `unknown` is an answer.
    Done,
    /// 1: anything else.
    Other,
    /// 2: the command line is wrong.
    Usage,
    /// 3: bad input, manifest or registry.
    BadInput,
    /// 4: done but short: quotas unmet, documents failed.
    Short,
    /// 5: stopped and resumable: a limit, the budget, a challenge page, a folder that another run uses, anything pending.
    Stopped,
    /// 6: findings: an audit, a check of relations, a judge under its floor, a probe of the whole set.
    Findings,
    /// 7: not reproducible: `--locked` would change, `--offline` lacks a document or a call.
    NotReproducible,
    /// 130: stopped by an interrupt (Ctrl-C, SIGTERM) and resumable, as a shell names an end by SIGINT.
    Interrupted,
}

impl Exit {
    /// The number.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Other => 1,
            Self::Usage => 2,
            Self::BadInput => 3,
            Self::Short => 4,
            Self::Stopped => 5,
            Self::Findings => 6,
            Self::NotReproducible => 7,
            Self::Interrupted => 130,
        }
    }

    /// The kind of error it stands for, as printed.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Other => "failed",
            Self::Usage => "usage",
            Self::BadInput => "bad input",
            Self::Short => "short",
            Self::Stopped => "stopped",
            Self::Findings => "findings",
            Self::NotReproducible => "not reproducible",
            Self::Interrupted => "interrupted",
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// An error for people: what kind, what happened, what to try.
#[derive(Debug)]
pub struct Trouble {
    /// The exit code, which is the kind.
    pub exit: Exit,
    /// What happened, where and why.
    pub message: String,
    /// What to try.
    pub hint: Option<String>,
}

impl Trouble {
    /// An error of this kind; the message is the error's with its causes.
    pub fn new(exit: Exit, error: impl fmt::Display) -> Self {
        Self { exit, message: error.to_string(), hint: None }
    }

    /// The same with a hint.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

impl From<std::io::Error> for Trouble {
    fn from(error: std::io::Error) -> Self {
        Self::new(Exit::Other, error)
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error ({}): {}", self.exit.kind(), self.message)?;
        self.hint.iter().try_for_each(|hint| write!(f, "\nhint: {hint}"))
    }
}
