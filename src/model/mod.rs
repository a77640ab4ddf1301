//! Talking to language models. Moves text, knows no law.
//!
//! An [`Ask`] goes to a [`LanguageModel`] and comes back [`Answered`]. The way there is a [`Route`]: a provider's
//! [`Dialect`], an address, a setup. On the way stand the journal ([`Calls`]), the budget ([`Purse`]) and the [`Gate`].

mod ask;
mod batch;
mod book;
mod calls;
mod conform;
mod dialect;
mod effort;
mod error;
mod fault;
mod gate;
mod letter;
mod matched;
mod object;
mod price;
mod probe;
mod provider;
mod purse;
mod route;
mod served;
mod silence;
mod thought;
mod whole;

pub use ask::{Ask, End, ModelName, ModelNameError, Reply, Role, Schema, Turn, Usage};
pub use batch::{Batched, Ledger, News, Patience};
pub use book::{Book, Booked, Entry};
pub use calls::{CallKey, CallRecord, Calls, NotKept};
pub use conform::{Misfit, conforms};
pub use dialect::{Dialect, NotAReply, Setup, error_of};
pub use effort::Effort;
pub use error::ModelError;
pub use fault::{Fault, is_reply, used_up};
pub use gate::{Gate, GiveUp, Passage};
pub use letter::answer_letter;
pub use matched::Matched;
pub use object::{ObjectError, object};
pub use price::{Money, Price, Prices, PricesError};
pub use probe::{Probe, PromptProbe, SchemaProbe};
pub use provider::{PROVIDERS, Provider};
pub use purse::{Limits, Over, Purse, Reserved, Spent};
pub use route::{Answered, Route};
pub use served::{Asking, LanguageModel, Means, Recorded, Served};
pub use silence::Silence;
pub use whole::Whole;
