//! The one place that prints: data to stdout, the rest to stderr.

use serde::Serialize;
use std::fmt::Display;
use std::io::{self, Write};

/// How to speak to whoever runs a command.
#[derive(Debug, Clone, Copy)]
pub struct Ui {
    /// Whether the data goes out as JSON.
    pub json: bool,
}

impl Ui {
    /// Prints a command's result: as JSON if asked for, else as the text that `human` makes.
    ///
    /// # Errors
    /// When stdout cannot be written; a reader who has gone away is no error.
    pub fn data(&self, value: &impl Serialize, human: impl FnOnce() -> String) -> io::Result<()> {
        let mut text = if self.json { serde_json::to_string_pretty(value)? } else { human() };
        if !text.ends_with('\n') {
            text.push('\n');
        }
        let mut out = io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }

    /// Tells people something, on stderr.
    pub fn note(&self, words: impl Display) {
        let _ = writeln!(io::stderr().lock(), "{words}");
    }
}
