//! The intermediate form: the dated relation graph, and what it says of an act on a day.
//!
//! [`RelationGraph::build`] takes what the documents say ([`Facts`]) and stores each relation once,
//! forward, with its dates, its extent, and everything that supports or contradicts it.
//! [`RelationGraph::status`] answers whether an act (or a part of one) is in force and whether it
//! applies on a day, *as known on* another day, with the facts the answer rests on.
//!
//! Days are never points where law is uncertain: a [`Moment`] is a first day that lies between two
//! days, and every answer is *yes*, *no* or *unknown*.
//!
//! The petgraph inside is no part of the signature.

mod beginnings;
mod bridge;
mod case;
mod checks;
pub mod contradictions;
mod docket;
mod doubts;
mod edges;
mod endings;
mod expiry;
mod facts;
mod folded;
mod grounds;
mod life;
mod moment;
mod neighbours;
mod node;
mod relation_graph;
mod starts;
mod status;
pub mod stored;
mod tally;
mod text_state;
mod view;
mod weigh;
mod words;

pub use bridge::{Bridge, bridges};
pub use doubts::{Doubt, TimeOrder};
pub use edges::Footing;
pub use endings::{Ending, LastDay};
pub use facts::{Facts, Given, GivenAct, Moved};
pub use folded::Folded;
pub use life::{Life, Stage};
pub use moment::Moment;
pub use neighbours::{Capped, Changes, reached};
pub use relation_graph::{Counts, RelationGraph};
pub use status::{Asked, Reason, Status};
pub use stored::StoredGraph;
pub use tally::{Shares, Tally};
pub use text_state::TextState;
pub use weigh::Answers;
