//! Talking to language models. Moves text, knows no law.

mod ask;
mod calls;
pub mod chat;
mod object;
mod purse;
mod served;

pub use ask::{Ask, End, ModelName, ModelNameError, Reply, Role, Schema, Turn, Usage};
pub use calls::{CallKey, CallRecord, Calls};
pub use object::{ObjectError, object};
pub use purse::{Purse, Reserved, Spent};
pub use served::{Answered, Asking, LanguageModel, ModelError, Recorded, Served};
