//! What an answer other than 200 means, in any provider's words.
//!
//! One reading for all: servers that copy an interface often keep another's errors (llama.cpp answers Anthropic's route
//! with OpenAI's envelope), and no two providers use the same words for different things.

use crate::http::{Answer, retry_after, retry_after_decimal, retry_after_ms};
use chrono::DateTime;
use serde_json::Value;
use std::time::{Duration, SystemTime};

/// What an answer other than 200 means for the call, and for the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Too many calls at once (429): ask again after the pause, and fewer at a time.
    Limited(Option<Duration>),
    /// Trouble on the server's side that may pass: ask again after the pause, so many times.
    Passing(Option<Duration>),
    /// No call will be answered: no money, the day's quota, a key refused, a model that is not there.
    Final,
    /// This request is refused; another may not be.
    Refused,
}

/// Words in `code`, `type` or `status` of an error that mean that no money is left.
const NO_MONEY: [&str; 4] = ["insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "billing_error"];
/// The same in Anthropic's message, whose type is that of any bad request.
const NO_CREDIT: &str = "credit balance is too low";

/// Whether an answer is a model's, readable or not: status 200, and neither a page nor nothing nor an error under a
/// status that says otherwise. Whatever else came was paid for.
pub fn is_reply(answer: &Answer) -> bool {
    let body = answer.body.trim_ascii();
    let speaks_of_one = memchr::memmem::find(body, b"\"error\"").is_some();
    let error = || speaks_of_one && serde_json::from_slice::<Value>(body).is_ok_and(|value| refuses(&value));
    answer.status == 200 && !body.is_empty() && !body.starts_with(b"<") && !error()
}

/// An error and nothing beside it that could be an answer.
fn refuses(body: &Value) -> bool {
    let answers = ["choices", "output", "content", "candidates", "message"];
    !body["error"].is_null() && answers.iter().all(|field| body[*field].is_null())
}

impl Fault {
    /// Reads an answer's status, headers and body; `now` is for waits that are told as dates.
    pub fn of(answer: &Answer, now: SystemTime) -> Self {
        let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        let error = if body.is_array() { &body[0]["error"] } else { &body["error"] };
        match answer.status {
            _ if for_good(error) => Self::Final,
            429 => Self::Limited(wait(answer, error, now)),
            200 if error["code"] == 429 => Self::Limited(wait(answer, error, now)),
            200 | 408 | 409 | 425 | 500.. => Self::Passing(wait(answer, error, now)),
            300..=399 | 401..=405 => Self::Final,
            _ => Self::Refused,
        }
    }

    /// Whether the run should stop here and go on later.
    pub fn ends_the_run(self) -> bool {
        !matches!(self, Self::Refused)
    }
}

/// Whether an error says that nothing will be answered today.
fn for_good(error: &Value) -> bool {
    let named = ["code", "type", "status"].iter().filter_map(|field| error[field].as_str());
    let no_money = named.into_iter().any(|word| NO_MONEY.contains(&word));
    let no_credit = error["message"].as_str().is_some_and(|text| text.contains(NO_CREDIT));
    let details = || error["details"].as_array().into_iter().flatten();
    let bad_key = details().any(|detail| detail["reason"] == "API_KEY_INVALID");
    let per_day = details().flat_map(|detail| detail["violations"].as_array().into_iter().flatten());
    let per_day = per_day.filter_map(|violation| violation["quotaId"].as_str()).any(|id| id.contains("PerDay"));
    no_money || no_credit || bad_key || per_day
}

/// The pause that an answer asks for: by `retry-after-ms`, `Retry-After`, Gemini's `RetryInfo`, or the reset of a limit
/// that its headers say is used up.
fn wait(answer: &Answer, error: &Value, now: SystemTime) -> Option<Duration> {
    let ms = answer.header("retry-after-ms").and_then(|value| retry_after_ms(value).ok());
    let after = |value: &str| retry_after(value, now).or_else(|_| retry_after_decimal(value)).ok();
    ms.or_else(|| answer.header("retry-after").and_then(after))
        .or_else(|| retry_info(error))
        .or_else(|| used_up(answer, now))
}

/// `details[].retryDelay` of Gemini's `RetryInfo`: seconds with a fraction, `45.837906927s`.
fn retry_info(error: &Value) -> Option<Duration> {
    let details = error["details"].as_array()?;
    details.iter().find_map(|detail| lasting(detail["retryDelay"].as_str()?))
}

/// How long until a limit is refilled that the headers of any answer say is used up.
pub fn used_up(answer: &Answer, now: SystemTime) -> Option<Duration> {
    let header = |name: String| answer.header(&name);
    let empty = |name: &String| header(name.clone()).is_some_and(|left| left.trim() == "0");
    let what = ["requests", "tokens", "input-tokens", "output-tokens"];
    let openai = what.iter().map(|w| (format!("x-ratelimit-remaining-{w}"), format!("x-ratelimit-reset-{w}")));
    let anthropic =
        what.iter().map(|w| (format!("anthropic-ratelimit-{w}-remaining"), format!("anthropic-ratelimit-{w}-reset")));
    let resets = openai.chain(anthropic).filter(|(left, _)| empty(left)).filter_map(|(_, reset)| header(reset));
    resets.filter_map(|value| lasting(value).or_else(|| until(value, now))).max()
}

/// A length of time as `6m0s`, `1h2m3.5s`, `20ms`, `45.8s`.
fn lasting(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut sum = Duration::ZERO;
    while !rest.is_empty() {
        let number = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let value: f64 = rest[..number].parse().ok()?;
        rest = &rest[number..];
        let unit = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let seconds = match &rest[..unit] {
            "ms" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            "d" => 86_400.0,
            _ => return None,
        };
        sum = sum.checked_add(Duration::try_from_secs_f64(value * seconds).ok()?)?;
        rest = &rest[unit..];
    }
    (!text.trim().is_empty()).then_some(sum)
}

/// How long until a time as RFC 3339 writes it; none where it has passed.
fn until(text: &str, now: SystemTime) -> Option<Duration> {
    let at = DateTime::parse_from_rfc3339(text.trim()).ok()?;
    Some(SystemTime::from(at).duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answer(status: u16, headers: &[(&str, &str)], body: &Value) -> Answer {
        let headers = headers.iter().map(|(n, v)| ((*n).to_string(), (*v).to_string())).collect();
        Answer { status, headers, body: body.to_string().into_bytes(), attempts: 1, url: String::new() }
    }

    fn of(status: u16, headers: &[(&str, &str)], body: &Value) -> Fault {
        Fault::of(&answer(status, headers, body), SystemTime::UNIX_EPOCH)
    }

    fn limited(ms: u64) -> Fault {
        Fault::Limited(Some(Duration::from_millis(ms)))
    }

    #[test]
    fn a_page_nothing_and_an_error_under_200_are_no_reply() {
        let came = |body: &[u8]| Answer { body: body.to_vec(), ..answer(200, &[], &json!({})) };
        for body in
            [&b"  "[..], b"<!doctype html><p>Log in", br#"{"error":{"message":"Rate limit exceeded","code":429}}"#]
        {
            assert!(!is_reply(&came(body)), "{}", String::from_utf8_lossy(body));
        }
        for body in
            [&br#"{"choices":[],"error":{"code":1}}"#[..], br#"{"error":null,"output":[]}"#, b"{\"choices\":[{", b"odd"]
        {
            assert!(is_reply(&came(body)), "{}", String::from_utf8_lossy(body));
        }
        assert_eq!(of(200, &[], &json!({"error": {"code": 429}})), Fault::Limited(None));
        assert_eq!(of(200, &[], &json!({"error": {"code": "insufficient_quota"}})), Fault::Final);
        assert_eq!(of(200, &[], &json!({"error": "busy"})), Fault::Passing(None));
    }

    #[test]
    fn a_429_says_how_long_in_many_ways() {
        let none = json!({});
        assert_eq!(of(429, &[("retry-after-ms", "250"), ("retry-after", "9")], &none), limited(250));
        assert_eq!(of(429, &[("retry-after", "Thu, 01 Jan 1970 00:00:07 GMT")], &none), limited(7000));
        let used = [("x-ratelimit-remaining-requests", "0"), ("x-ratelimit-reset-requests", "6m0s")];
        assert_eq!(of(429, &used, &none), limited(360_000));
        let used = [
            ("anthropic-ratelimit-input-tokens-remaining", "0"),
            ("anthropic-ratelimit-input-tokens-reset", "1970-01-01T00:01:00Z"),
        ];
        assert_eq!(of(429, &used, &none), limited(60_000));
        let info = json!({"error": {"status": "RESOURCE_EXHAUSTED", "details": [
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "45.5s"}]}});
        assert_eq!(of(429, &[], &info), limited(45_500));
        assert_eq!(of(429, &[("retry-after", "1.5")], &none), limited(1500));
        assert_eq!(of(429, &[("retry-after", "soon")], &none), Fault::Limited(None));
    }

    #[test]
    fn a_429_for_lack_of_money_or_for_the_day_is_final() {
        assert_eq!(of(429, &[("retry-after", "1")], &json!({"error": {"code": "insufficient_quota"}})), Fault::Final);
        let day = json!([{"error": {"status": "RESOURCE_EXHAUSTED", "details": [
            {"violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]}]}}]);
        assert_eq!(of(429, &[], &day), Fault::Final);
        let credit = json!({"type": "error", "error": {"type": "invalid_request_error",
            "message": "Your credit balance is too low to access the API."}});
        assert_eq!(of(400, &[], &credit), Fault::Final);
        assert_eq!(of(401, &[], &json!({})), Fault::Final);
    }

    #[test]
    fn a_bad_request_is_no_reason_to_stop_and_trouble_passes() {
        assert_eq!(of(400, &[], &json!({"error": {"type": "exceed_context_size_error"}})), Fault::Refused);
        assert!(!Fault::Refused.ends_the_run() && Fault::Final.ends_the_run());
        for status in [408, 409, 425, 500, 502, 503, 529] {
            assert_eq!(of(status, &[], &json!({})), Fault::Passing(None), "{status}");
        }
        assert_eq!(lasting("1h2m3.5s"), Some(Duration::from_millis(3_723_500)));
        assert_eq!(lasting("20ms"), Some(Duration::from_millis(20)));
        assert_eq!((lasting(""), lasting("6"), lasting("m"), lasting("9e9h")), (None, None, None, None));
    }
}
