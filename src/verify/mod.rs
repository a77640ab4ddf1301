//! Is an item true, grounded, fair? Decides, never rewrites.
