//! Talking to language models. Moves text, knows no law.

mod ask;
pub mod chat;
mod object;

pub use ask::{Ask, End, ModelName, ModelNameError, Reply, Role, Schema, Turn, Usage};
pub use object::{ObjectError, object};
