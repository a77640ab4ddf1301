//! What is told while models are waited for: from wherever a batch is asked after to whoever listens.

use super::{Counter, Progress};
use crate::model;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

/// Lines on their way to a listener.
#[derive(Debug)]
pub(super) struct News {
    tell: Sender<Told>,
    told: Mutex<Receiver<Told>>,
}

/// What is on its way.
#[derive(Debug)]
enum Told {
    Note(String),
    Warning(String),
    /// The work that all before was about is over.
    Over,
}

impl Default for News {
    fn default() -> Self {
        let (tell, told) = channel();
        Self { tell, told: Mutex::new(told) }
    }
}

impl News {
    /// Where a model tells how its batches go.
    pub fn teller(&self) -> model::News {
        let tell = self.tell.clone();
        Arc::new(move |line| drop(tell.send(Told::Note(line))))
    }

    /// Tells what is wrong.
    pub fn warn(&self, warnings: &[String]) {
        for warning in warnings {
            let _ = self.tell.send(Told::Warning(warning.clone()));
        }
    }

    /// Does the work, and passes on what is told meanwhile.
    pub fn passed_on<T>(&self, progress: &dyn Progress, work: impl FnOnce() -> T) -> T {
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
                for told in told.iter() {
                    match told {
                        Told::Note(line) => progress.note(&line),
                        Told::Warning(line) => progress.warn(&line),
                        Told::Over => break,
                    }
                }
            });
            // Dropped when the work is over, also by a panic, which then is not waited for.
            let _over = Over(&self.tell);
            work()
        })
    }
}

/// Does work for which models may be asked, and passes on what they tell meanwhile.
pub(super) fn passed_on<T>(counter: Option<&Counter>, progress: &dyn Progress, work: impl FnOnce() -> T) -> T {
    match counter {
        Some(counter) => counter.news().passed_on(progress, work),
        None => work(),
    }
}

struct Over<'a>(&'a Sender<Told>);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        let _ = self.0.send(Told::Over);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Heard(Mutex<Vec<String>>);

    impl Progress for Heard {
        fn begin(&self, _stage: &str, _steps: usize) {}
        fn step(&self, _done: usize) {}
        fn note(&self, note: &str) {
            self.0.lock().unwrap().push(note.to_string());
        }
        fn warn(&self, warning: &str) {
            self.0.lock().unwrap().push(format!("warning: {warning}"));
        }
        fn end(&self, _note: &str) {}
    }

    #[test]
    fn what_is_told_during_the_work_is_heard_in_order() {
        let (news, heard) = (News::default(), Heard(Mutex::default()));
        let teller = news.teller();
        news.warn(&["zero".to_string()]);
        for work in ["one", "two"] {
            news.passed_on(&heard, || teller(work.to_string()));
        }
        assert_eq!(*heard.0.lock().unwrap(), ["warning: zero", "one", "two"]);
    }
}
