//! Values to bytes, into a sink handed in.
