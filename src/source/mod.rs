//! Where documents come from: a folder, the cache, CELLAR.
