//! One question to a model that must come back as JSON of a given shape: checked here, whatever the server
//! promised, and repaired by at most two turns that quote the error.

use crate::model::{Ask, CallKey, End, LanguageModel, ModelError, ObjectError, Role, Turn, object};
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

/// Asks, reads the one object of the reply and checks it with `read`; on an error asks again, quoting it.
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
        let answered = model.ask(&ask, &this_draw).await?;
        let reply = answered.reply;
        let result = match reply.end {
            End::Refusal => return Err(ExchangeError::Declined(clip(&reply.text, 200))),
            End::Filtered => return Err(ExchangeError::Filtered),
            // A cut reply is never read leniently: closing its brackets would invent content.
            End::Length => Err(format!("the reply was cut at {} tokens; write less", ask.max_tokens)),
            End::Stop | End::Unsaid => object(&reply.text).map_err(|e: ObjectError| e.to_string()).and_then(&read),
        };
        let why = match result {
            Ok(value) => return Ok((value, answered.call)),
            Err(why) => why,
        };
        if repairs == REPAIRS {
            return Err(ExchangeError::Unusable { why, repairs, call: answered.call });
        }
        repairs += 1;
        ask.turns.push(Turn { role: Role::Assistant, text: clip(&reply.text, QUOTED_BACK) });
        let text =
            format!("That reply cannot be used: {why}. Reply again with the whole JSON object and nothing else.");
        ask.turns.push(Turn { role: Role::User, text });
    }
}

fn clip(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_string(),
    }
}
