//! The one place that prints: data to stdout, the rest to stderr.

use crate::build::Progress;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

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
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        let mut out = io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }

    /// Prints a list: as one JSON line each if asked for, else as the text that `human` makes of each.
    ///
    /// # Errors
    /// As [`Ui::data`].
    pub fn lines<T: Serialize>(&self, values: &[T], human: impl Fn(&T) -> String) -> io::Result<()> {
        let mut text = String::new();
        for value in values {
            if self.json {
                text.push_str(&serde_json::to_string(value)?);
            } else {
                text.push_str(&human(value));
            }
            if !text.ends_with('\n') {
                text.push('\n');
            }
        }
        let mut out = io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }

    /// How many letters a line has: the terminal's, or enough for a page where there is none.
    pub fn width(&self) -> usize {
        let columns = terminal_size::terminal_size_of(io::stdout()).map(|(terminal_size::Width(n), _)| usize::from(n));
        columns.map_or(100, |n| n.clamp(40, 160))
    }

    /// Tells people something, on stderr.
    pub fn note(&self, words: impl Display) {
        let _ = writeln!(io::stderr().lock(), "{words}");
    }
}

/// The stages of long work as bars on stderr; in a pipe, one line per stage. Where the data goes out as JSON, nothing but
/// warnings. Clones are of the same bars.
#[derive(Debug, Clone)]
pub struct Bars {
    json: bool,
    shown: Arc<Mutex<Option<(String, ProgressBar)>>>,
    warnings: Arc<Mutex<Vec<String>>>,
}

impl Bars {
    /// Bars for whoever runs the command.
    pub fn new(ui: Ui) -> Self {
        Self { json: ui.json, shown: Arc::default(), warnings: Arc::default() }
    }

    /// The warnings so far, for the data that goes out.
    pub fn warnings(&self) -> Vec<String> {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn with(&self, work: impl FnOnce(&mut Option<(String, ProgressBar)>)) {
        work(&mut self.shown.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Bars {
    /// A line above the bar, to stay.
    pub fn line(&self, line: &str) {
        self.with(|slot| {
            let mut err = io::stderr();
            let mut write = || drop(writeln!(err, "{line}"));
            match slot {
                Some((_, bar)) => bar.suspend(write),
                None => write(),
            }
        });
    }

    /// One line about the stage under way, above its bar, and beside the bar how it stands. Where no bar can be seen both
    /// are in the line.
    pub fn tell(&self, line: &str, standing: &str) {
        self.with(|slot| {
            let mut err = io::stderr();
            match slot {
                Some((_, bar)) if err.is_terminal() => {
                    bar.set_message(standing.to_string());
                    bar.suspend(|| {
                        let _ = writeln!(err, "{line}");
                    });
                }
                _ => {
                    let _ = writeln!(err, "{line} | {standing}");
                }
            }
        });
    }
}

impl Progress for Bars {
    fn begin(&self, stage: &str, steps: usize) {
        if self.json {
            return;
        }
        let bar = if steps == 0 { ProgressBar::new_spinner() } else { ProgressBar::new(steps as u64) };
        let form = if steps == 0 {
            "{spinner} {prefix}"
        } else {
            "{spinner} {prefix} [{bar:12}] {pos}/{len} {eta} {wide_msg}"
        };
        if let Ok(style) = ProgressStyle::with_template(form) {
            bar.set_style(style);
        }
        bar.set_prefix(stage.to_string());
        bar.enable_steady_tick(Duration::from_millis(100));
        self.with(|slot| *slot = Some((stage.to_string(), bar)));
    }

    fn step(&self, done: usize) {
        self.with(|slot| {
            if let Some((_, bar)) = slot {
                bar.inc(done as u64);
            }
        });
    }

    fn warn(&self, warning: &str) {
        self.line(&format!("warning: {warning}"));
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).push(warning.to_string());
    }

    fn note(&self, note: &str) {
        if self.json {
            return;
        }
        self.with(|slot| match slot {
            Some((stage, bar)) if !bar.is_hidden() => bar.set_message(format!("{stage}: {note}")),
            _ => {
                let _ = writeln!(io::stderr().lock(), "{note}");
            }
        });
    }

    fn end(&self, note: &str) {
        self.with(|slot| {
            if let Some((stage, bar)) = slot.take() {
                bar.finish_and_clear();
                let _ = writeln!(io::stderr().lock(), "{stage}: {note}");
            }
        });
    }
}
