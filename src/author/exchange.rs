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
    /// The server read only part of the prompt.
    #[error("the server dropped part of the prompt without a word (it counts fewer tokens than there are words)")]
    PromptCut,
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
                    End::PromptCut => return Err(ExchangeError::PromptCut),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Asking, ModelName, NotAReply, Reply, Schema, Usage};
    use serde_json::json;
    use std::sync::Mutex;

    /// A model that says these replies one after the other, and keeps what it was asked.
    struct Scripted {
        name: ModelName,
        replies: Mutex<Vec<Result<(End, &'static str), ModelError>>>,
        asked: Mutex<Vec<(String, Ask)>>,
    }

    impl LanguageModel for Scripted {
        fn name(&self) -> &ModelName {
            &self.name
        }

        fn ask<'a>(&'a self, ask: &'a Ask, draw: &'a str) -> Asking<'a> {
            self.asked.lock().unwrap().push((draw.to_string(), ask.clone()));
            let said = self.replies.lock().unwrap().remove(0).map(|(end, text)| Answered {
                reply: Reply { text: text.to_string(), end, usage: Usage::default(), served: None },
                call: CallKey::new("", b"", draw),
                replayed: false,
                batch: false,
            });
            Box::pin(std::future::ready(said))
        }
    }

    fn malformed() -> Result<(End, &'static str), ModelError> {
        let (error, call) = (NotAReply("cut".to_string()), CallKey::new("", b"", "x"));
        Err(ModelError::Malformed { address: "http://127.0.0.1".to_string(), error, call })
    }

    /// What came of these replies, and what was asked.
    async fn told(
        replies: Vec<Result<(End, &'static str), ModelError>>,
    ) -> (Result<i64, ExchangeError>, Vec<(String, Ask)>) {
        let schema = json!({"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}});
        let ask = Ask {
            turns: vec![Turn { role: Role::User, text: "How many?".to_string() }],
            schema: Schema { name: "count".to_string(), schema },
            max_tokens: 50,
            temperature: None,
            seed: None,
        };
        let model =
            Scripted { name: "local:m".parse().unwrap(), replies: Mutex::new(replies), asked: Mutex::default() };
        let read = |v: Value| v["n"].as_i64().filter(|n| *n < 9).ok_or_else(|| "`n` must be below 9".to_string());
        let result = exchange(&model, ask, "draft/1", read).await.map(|(n, _)| n);
        (result, model.asked.into_inner().unwrap())
    }

    #[tokio::test]
    async fn a_repair_turn_quotes_the_reply_and_the_error() {
        let (result, asked) =
            told(vec![Ok((End::Stop, "{\"n\": \"two\"}")), Ok((End::Length, "{\"n\"")), Ok((End::Stop, "{\"n\": 2}"))])
                .await;
        assert_eq!(result.unwrap(), 2);
        let draws: Vec<&str> = asked.iter().map(|(draw, _)| draw.as_str()).collect();
        assert_eq!(draws, ["draft/1", "draft/1/repair-1", "draft/1/repair-2"]);
        let turns = &asked[2].1.turns;
        assert_eq!(turns.len(), 5);
        assert_eq!((turns[1].role, turns[1].text.as_str()), (Role::Assistant, "{\"n\": \"two\"}"));
        assert!(turns[2].text.contains("`n` must be of type integer"), "{}", turns[2].text);
        assert!(turns[4].text.contains("cut at 50 tokens"), "{}", turns[4].text);
    }

    #[tokio::test]
    async fn two_repair_turns_are_all() {
        let wrong = || Ok((End::Stop, "{\"n\": 10}"));
        let (result, asked) = told(vec![wrong(), malformed(), wrong(), Ok((End::Stop, "{\"n\": 1}"))]).await;
        assert_eq!(result.unwrap_err().to_string(), "`n` must be below 9 (after 2 repair turns)");
        assert_eq!(asked.len(), 3);
        assert_eq!(asked[2].1.turns.len(), 3, "what could not be read at all is not quoted");
    }

    #[tokio::test]
    async fn what_no_repair_can_help_is_told_apart_and_asked_once() {
        for (end, why) in [
            (End::Refusal, "the model declined: No."),
            (End::Filtered, "filter"),
            (End::Recitation, "word for word"),
            (End::Thoughts, "thoughts used up"),
            (End::Window, "window"),
            (End::PromptCut, "dropped part of the prompt"),
        ] {
            let (result, asked) = told(vec![Ok((end, "No."))]).await;
            assert!(result.unwrap_err().to_string().contains(why), "{end:?}");
            assert_eq!(asked.len(), 1, "{end:?}");
        }
    }
}
