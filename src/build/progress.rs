//! How long work tells what it is doing, without knowing who listens.

/// A listener to the driver's progress. The terminal's bars are one, silence another.
pub trait Progress: Sync {
    /// A stage begins, with so many steps (0: not known).
    fn begin(&self, stage: &str, steps: usize);
    /// Steps were done.
    fn step(&self, done: usize);
    /// The stage goes on; one line about what it waits for.
    fn note(&self, note: &str);
    /// Something is wrong that the work goes on in spite of.
    fn warn(&self, warning: &str);
    /// The stage ended; one line about it.
    fn end(&self, note: &str);
}

/// Nobody listens.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _stage: &str, _steps: usize) {}
    fn step(&self, _done: usize) {}
    fn note(&self, _note: &str) {}
    fn warn(&self, _warning: &str) {}
    fn end(&self, _note: &str) {}
}
