//! One question to a model that must come back as JSON of a given shape: checked here, whatever the server
//! promised, and repaired by at most two turns that quote the error.

use crate::model::{Answered, Ask, CallKey, End, LanguageModel, ModelError, ObjectError, Role, Turn, conforms, object};
use serde_json::Value;

/// Repair turns at most.
const REPAIRS: usize = 2;
/// Longest reply that is quoted back in a repair turn, in characters.
const QUOTED_BACK: usize = 4000;

/// Why no usable reply came.
#[derive(Debug, thiserror::Error)]
pub(super) enum ExchangeError {
    /// The model could not be asked.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// It declined.
    #[error("the model declined: {0}")]
    Declined(String),
    /// The provider's filter held the reply back.
    #[error("the provider's filter held the reply back")]
    Filtered,
    /// The provider held the reply back because it repeats a source word for word.
    #[error("the provider held the reply back because it repeats a source word for word")]
    Recitation,
    /// Thoughts alone reached the token limit; asked again they would again.
    #[error("thoughts used up the limit of tokens before a word was written; lower `effort` or raise `max_tokens`")]
    Thoughts,
    /// Prompt and reply do not fit into the model's window.
    #[error("prompt and reply do not fit into the model's window")]
    Window,
    /// The last reply was still not of the shape asked.
    #[error("{why} (after {repairs} repair turns)")]
    Unusable {
        /// What was wrong with it.
        why: String,
        /// Repair turns made.
        repairs: usize,
        /// The call whose reply it was.
        call: CallKey,
    },
}

/// Asks, reads the one object of the reply, holds it to the schema and to `read`; on an error asks again, quoting it.
///
/// # Errors
/// [`ExchangeError`].
pub(super) async fn exchange<T>(
    model: &dyn LanguageModel,
    mut ask: Ask,
    draw: &str,
    read: impl Fn(Value) -> Result<T, String>,
) -> Result<(T, CallKey), ExchangeError> {
    let mut repairs = 0;
    loop {
        let this_draw = if repairs == 0 { draw.to_string() } else { format!("{draw}/repair-{repairs}") };
        let (why, call, text) = match model.ask(&ask, &this_draw).await {
            Ok(Answered { reply, call, .. }) => {
                let result = match reply.end {
                    End::Refusal => return Err(ExchangeError::Declined(clip(&reply.text, 200))),
                    End::Filtered => return Err(ExchangeError::Filtered),
                    End::Recitation => return Err(ExchangeError::Recitation),
                    End::Thoughts => return Err(ExchangeError::Thoughts),
                    End::Window => return Err(ExchangeError::Window),
                    // A cut reply is never read leniently: closing its brackets would invent content.
                    End::Length => Err(format!("the reply was cut at {} tokens; write less", ask.max_tokens)),
                    End::Stop | End::Unsaid => checked(&reply.text, &ask.schema.schema).and_then(&read),
                };
                match result {
                    Ok(value) => return Ok((value, call)),
                    Err(why) => (why, call, Some(reply.text)),
                }
            }
            // Paid for and not readable at all: there is nothing to quote, so the same is asked again.
            Err(ModelError::Malformed { error, call, .. }) => (error.to_string(), call, None),
            Err(error) => return Err(error.into()),
        };
        if repairs == REPAIRS {
            return Err(ExchangeError::Unusable { why, repairs, call });
        }
        repairs += 1;
        if let Some(text) = text {
            ask.turns.push(Turn { role: Role::Assistant, text: clip(&text, QUOTED_BACK) });
            let text =
                format!("That reply cannot be used: {why}. Reply again with the whole JSON object and nothing else.");
            ask.turns.push(Turn { role: Role::User, text });
        }
    }
}

/// The object in a reply, as the schema wants it, whatever the server promised.
fn checked(text: &str, schema: &Value) -> Result<Value, String> {
    let value = object(text).map_err(|e: ObjectError| e.to_string())?;
    conforms(&value, schema).map_err(|e| e.to_string())?;
    Ok(value)
}

fn clip(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_string(),
    }
}
