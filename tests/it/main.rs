//! Integration tests: rooms together, on the corpus (`../shared/corpus`, or `LEGAL_LINK_CORPUS`) and on our fixtures.
//! Where the corpus is not there a test says so on stderr with a line beginning `SKIPPED`.

mod act;
mod audit;
mod author;
mod beginning;
mod browser;
mod cache;
mod clauses;
mod commands;
mod compiled;
mod contradictions;
mod corpus;
mod counts;
mod documents;
mod emit;
mod exports;
mod formex;
mod formex_corpus;
mod golden;
mod graph;
mod import;
mod invented;
mod invention;
mod languages;
mod local_model;
mod parse;
mod program;
mod quickstart;
mod reading;
mod relations;
mod report;
mod source;
mod statuses;
mod stored;
mod time_line;
mod world;
