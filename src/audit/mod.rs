//! Re-derives a dataset, ours or foreign, and names what does not stand.
