//! Bytes by key, on disk: an index over content-addressed compressed blobs, the shipped cache laid
//! under it, the one function for writes that must last, and the append-only journal.
