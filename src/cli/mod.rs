//! One file per verb; the only room that prints.
