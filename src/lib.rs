//! Legal Link: a compiler that turns EU law into legal multiple-choice benchmarks.
//!
//! The rooms, from the words of the law to the published dataset: see `ARCHITECTURE.md`.

pub mod audit;
pub mod author;
pub mod build;
pub mod cache;
pub mod cli;
pub mod dataset;
pub mod emit;
pub mod graph;
pub mod http;
pub mod law;
pub mod measure;
pub mod model;
pub mod parse;
pub mod sample;
pub mod source;
pub mod verify;
pub mod view;
