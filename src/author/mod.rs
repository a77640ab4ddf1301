//! Writing items: the built-in author, the model author, the judges.
