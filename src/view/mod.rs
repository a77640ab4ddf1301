//! For eyes: the report and its drawings, from values handed in.
