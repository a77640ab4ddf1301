//! The driver: manifest, plan, stages, resume, the lock, progress.
