//! Bad answers, by seed.

use super::shapes::{Prompt, Said, Shape};
use super::wire::Answer;
use legal_link::law::Digest;
use legal_link::model::End;
use serde_json::json;

/// One way of answering badly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// 429 with `Retry-After` in seconds.
    HasteSeconds,
    /// 429 with `Retry-After` as a date in the past.
    HasteDate,
    /// 429 with `retry-after-ms`.
    HasteMilliseconds,
    /// 429 with the headers of a limit that is used up.
    HasteHeaders,
    /// 429 with Gemini's `RetryInfo`.
    HasteInfo,
    /// 429 without a word about when.
    Haste,
    /// 429 with hours in `Retry-After`.
    HasteHours,
    /// 500.
    Broken,
    /// 503.
    Unavailable,
    /// 529.
    Overloaded,
    /// The connection ends before the answer.
    Reset,
    /// Half of the body, then the end.
    Cut,
    /// The answer in small pieces.
    Slow,
    /// 200 with an envelope that is no JSON.
    BrokenEnvelope,
    /// 200, the words broken JSON.
    BrokenJson,
    /// The JSON fenced, with words around it.
    Fenced,
    /// Prose in place of JSON.
    SchemaIgnored,
    /// Other fields than were asked for.
    OtherFields,
    /// The token limit reached in the middle.
    Length,
    /// Thoughts eat the output.
    Thoughts,
    /// No place for the words.
    EmptyParts,
    /// Figures of usage that cannot be.
    WrongUsage,
    /// No usage at all.
    NoUsage,
    /// The model declines.
    Refusal,
    /// A filter.
    Filtered,
    /// The provider takes it for a recitation.
    Recitation,
    /// 400: the prompt is too long.
    TooLong,
    /// 400, and the key that came is told again.
    TellsKey,
    /// 401, the same.
    WrongKey,
    /// 200, with the headers of a limit that is used up for two minutes.
    UsedUp,
    /// 429: no money.
    NoMoney,
    /// 429: the day's quota.
    DayIsOver,
}

use Fault as F;

impl Fault {
    /// All that pass, or spoil one answer.
    pub const PASSING: [Self; 26] = [
        F::HasteSeconds,
        F::HasteDate,
        F::HasteMilliseconds,
        F::HasteHeaders,
        F::HasteInfo,
        F::Haste,
        F::Broken,
        F::Unavailable,
        F::Overloaded,
        F::Reset,
        F::Cut,
        F::Slow,
        F::BrokenEnvelope,
        F::BrokenJson,
        F::Fenced,
        F::SchemaIgnored,
        F::OtherFields,
        F::Length,
        F::Thoughts,
        F::EmptyParts,
        F::WrongUsage,
        F::NoUsage,
        F::Refusal,
        F::Filtered,
        F::Recitation,
        F::TooLong,
    ];

    /// Those that leave a good answer good: the call is sent again, or its words say the same.
    pub const HARMLESS: [Self; 14] = [
        F::HasteSeconds,
        F::HasteDate,
        F::HasteMilliseconds,
        F::HasteHeaders,
        F::HasteInfo,
        F::Haste,
        F::Broken,
        F::Unavailable,
        F::Overloaded,
        F::Reset,
        F::Cut,
        F::Slow,
        F::Fenced,
        F::NoUsage,
    ];

    /// Spoils what the model says.
    pub fn spoil_words(self, said: &mut Said, prompt: &Prompt) {
        let half = said.text.char_indices().nth(said.text.chars().count() / 2).map_or(0, |(at, _)| at);
        match self {
            F::BrokenJson => said.text.truncate(half),
            F::Fenced => said.text = format!("Sure, here it is:\n```json\n{}\n```\n", said.text),
            F::SchemaIgnored => said.text = "I would rather tell it in my own words.".to_string(),
            F::OtherFields => said.text = json!({"something": prompt.cap, "else": true}).to_string(),
            F::Length => {
                said.text.truncate(half);
                said.end = End::Length;
            }
            F::Thoughts => {
                said.text = String::new();
                (said.end, said.thoughts) = (End::Thoughts, true);
            }
            F::EmptyParts => said.no_parts = true,
            F::WrongUsage => said.usage = Some([-1_000_000, -7]),
            F::NoUsage => said.usage = None,
            F::Refusal => (said.text, said.end) = ("I cannot help with that.".to_string(), End::Refusal),
            F::Filtered => (said.text, said.end) = (String::new(), End::Filtered),
            F::Recitation => (said.text, said.end) = (String::new(), End::Recitation),
            _ => {}
        }
    }

    /// Spoils the answer.
    pub fn spoil(self, answer: &mut Answer, shape: Shape, key: &str) {
        let error = |kind: &str, message: &str| match shape {
            Shape::Gemini => json!({"error": {"code": 0, "status": kind, "message": message}}),
            Shape::Messages => json!({"type": "error", "error": {"type": kind, "message": message}}),
            _ => json!({"error": {"type": kind, "code": kind, "message": message}}),
        };
        let haste = || Answer::json(429, &error("rate_limit_exceeded", "slow down"));
        *answer = match self {
            F::HasteSeconds => haste().with("retry-after", "1"),
            F::HasteDate => haste().with("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT"),
            F::HasteMilliseconds => haste().with("retry-after-ms", "700"),
            F::HasteHeaders => {
                haste().with("x-ratelimit-remaining-tokens", "0").with("x-ratelimit-reset-tokens", "1s20ms")
            }
            F::HasteInfo => {
                let info = json!({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.837906927s"});
                let status = "RESOURCE_EXHAUSTED";
                Answer::json(429, &json!({"error": {"code": 429, "status": status, "message": "", "details": [info]}}))
            }
            F::Haste => haste(),
            F::HasteHours => haste().with("retry-after", "7200"),
            F::Broken => Answer::json(500, &error("server_error", "trouble")),
            F::Unavailable => Answer::json(503, &error("unavailable", "loading")),
            F::Overloaded => Answer::json(529, &error("overloaded_error", "overloaded")),
            F::BrokenEnvelope => {
                answer.body.truncate(answer.body.len() - 9);
                return;
            }
            F::TooLong => Answer::json(400, &error("exceed_context_size_error", "the prompt is too long")),
            F::TellsKey => Answer::json(400, &error("invalid_request_error", &format!("not with the key {key}"))),
            F::WrongKey => Answer::json(401, &error("invalid_api_key", &format!("Incorrect API key provided: {key}"))),
            F::UsedUp => {
                let until = (chrono::Utc::now() + chrono::TimeDelta::minutes(2)).to_rfc3339();
                answer.headers.extend([
                    ("x-ratelimit-remaining-requests".to_string(), "0".to_string()),
                    ("x-ratelimit-reset-requests".to_string(), "2m0s".to_string()),
                    ("anthropic-ratelimit-tokens-remaining".to_string(), "0".to_string()),
                    ("anthropic-ratelimit-tokens-reset".to_string(), until),
                ]);
                return;
            }
            F::NoMoney => Answer::json(429, &error("insufficient_quota", "no money")).with("retry-after", "1"),
            F::DayIsOver => {
                let quota = json!({"violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel"}]});
                let status = "RESOURCE_EXHAUSTED";
                Answer::json(429, &json!({"error": {"code": 429, "status": status, "message": "", "details": [quota]}}))
            }
            _ => return,
        };
    }
}

/// Which faults are made, and how often.
#[derive(Debug, Clone)]
pub struct Faults {
    seed: u64,
    /// Of a hundred calls, how many are answered badly the first time.
    percent: u64,
    kinds: Vec<Fault>,
    /// How often one call is answered badly at most.
    most: u64,
}

impl Faults {
    pub fn none() -> Self {
        Self { seed: 0, percent: 0, kinds: Vec::new(), most: 0 }
    }

    /// Every passing fault, on a third of all calls, each at most twice.
    pub fn seeded(seed: u64) -> Self {
        Self::of(seed, 33, &Fault::PASSING)
    }

    /// These faults on so many of a hundred calls.
    pub fn of(seed: u64, percent: u64, kinds: &[Fault]) -> Self {
        Self { seed, percent, kinds: kinds.to_vec(), most: 2 }
    }

    /// This fault on every call.
    pub fn always(fault: Fault) -> Self {
        Self { seed: 0, percent: 100, kinds: vec![fault], most: u64::MAX }
    }

    /// What is wrong with the answer to this call, which came for the `time`th time.
    pub fn choose(&self, shape: Shape, call: Digest, time: u64) -> Option<Fault> {
        let draw = Digest::of_fields([&self.seed.to_be_bytes()[..], call.as_bytes(), &time.to_be_bytes()]);
        let [hit, kind, ..] = *draw.as_bytes();
        if time > self.most || u64::from(hit) * 100 >= self.percent * 256 {
            return None;
        }
        // A kind that a dialect cannot say is told in its nearest words.
        match self.kinds[usize::from(kind) % self.kinds.len()] {
            F::Recitation if shape != Shape::Gemini => Some(F::Filtered),
            other => Some(other),
        }
    }
}
