//! What an interrupt (Ctrl-C, SIGTERM) does to long work: the first sends nothing more, the second ends the program.

use super::Exit;
use super::ui::Bars;
use crate::http::Allowance;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::runtime::{Builder, Runtime};

/// What is said at the first.
const SAID: &str = "interrupted: nothing more is sent, and what is under way is waited for (a minute at most) and kept; the \
                    same command goes on from there; a second interrupt ends at once";

/// Whether a command was interrupted.
#[derive(Debug, Clone, Default)]
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From now on an interrupt halts this allowance.
    pub fn halts(&self, allowance: &Allowance, bars: &Bars) {
        let (heard, allowance, bars) = (self.0.clone(), allowance.clone(), bars.clone());
        listen(move || {
            if heard.swap(true, Ordering::SeqCst) {
                std::process::exit(Exit::Interrupted.code().into());
            }
            allowance.halt("interrupted");
            bars.line(SAID);
        });
    }

    /// How a command ends that came to this end: one that was stopped by an interrupt says so.
    pub fn end(&self, exit: Exit) -> Exit {
        if exit == Exit::Stopped && self.0.load(Ordering::SeqCst) { Exit::Interrupted } else { exit }
    }
}

/// Calls it at each interrupt, from threads of their own.
#[cfg(unix)]
fn listen(heard: impl Fn() + Clone + Send + 'static) {
    use tokio::signal::unix::{SignalKind, signal};
    for kind in [SignalKind::interrupt(), SignalKind::terminate()] {
        let heard = heard.clone();
        on_a_thread(move |runtime| {
            let inside = runtime.enter();
            let Ok(mut signals) = signal(kind) else { return };
            drop(inside);
            while runtime.block_on(signals.recv()).is_some() {
                heard();
            }
        });
    }
}

#[cfg(not(unix))]
fn listen(heard: impl Fn() + Send + 'static) {
    on_a_thread(move |runtime| {
        while runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
            heard();
        }
    });
}

fn on_a_thread(work: impl FnOnce(&Runtime) + Send + 'static) {
    std::thread::spawn(move || {
        if let Ok(runtime) = Builder::new_current_thread().enable_all().build() {
            work(&runtime);
        }
    });
}
