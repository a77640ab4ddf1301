//! Intervals, agreement, similarity: each with its source and reference values.
