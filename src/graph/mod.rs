//! The intermediate form: the dated relation graph, and what it says of an act on a day.
