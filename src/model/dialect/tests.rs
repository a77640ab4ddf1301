//! Replies in each dialect's own shape, and requests as each provider wants them.

use super::*;
use crate::model::{End, Schema, Usage};
use serde_json::json;

const ALL: [Dialect; 6] =
    [Dialect::Chat, Dialect::Compatible, Dialect::Responses, Dialect::Messages, Dialect::Gemini, Dialect::Ollama];

fn ask() -> Ask {
    let turn = |role, text: &str| Turn { role, text: text.to_string() };
    let schema = json!({
        "type": "object",
        "required": ["answer"],
        "additionalProperties": false,
        "properties": {"answer": {"type": "string", "maxLength": 9}, "list": {"type": "array", "minItems": 4, "items": {"type": "boolean"}}},
    });
    Ask {
        turns: vec![turn(Role::System, "Be brief."), turn(Role::User, "Say yes."), turn(Role::Assistant, " ")],
        schema: Schema { name: "answer".to_string(), schema },
        max_tokens: 100,
        temperature: Some(0.5),
        seed: Some(u64::MAX),
    }
}

fn body(dialect: Dialect, setup: &Setup) -> Value {
    let bytes = dialect.request(&ask(), setup);
    assert_eq!(bytes, dialect.request(&ask(), setup), "{dialect:?}");
    serde_json::from_slice(&bytes).unwrap()
}

fn with(effort: Effort) -> Setup {
    Setup { effort: Some(effort), ..Setup::new("m") }
}

fn read(dialect: Dialect, body: &Value) -> Reply {
    dialect.reply(body.to_string().as_bytes()).unwrap()
}

#[test]
fn low_effort_asks_the_same_of_all() {
    let low = with(Effort::Low);
    let of = |dialect| body(dialect, &low);
    let chat = of(Dialect::Chat);
    assert_eq!((&chat["reasoning_effort"], &chat["max_completion_tokens"]), (&json!("low"), &json!(1124)));
    let responses = of(Dialect::Responses);
    assert_eq!((&responses["reasoning"]["effort"], &responses["max_output_tokens"]), (&json!("low"), &json!(1124)));
    let messages = of(Dialect::Messages);
    assert_eq!((&messages["thinking"]["budget_tokens"], &messages["max_tokens"]), (&json!(1024), &json!(1124)));
    assert!(messages.get("temperature").is_none(), "thinking takes no temperature");
    let config = &of(Dialect::Gemini)["generationConfig"];
    assert_eq!((&config["thinkingConfig"]["thinkingBudget"], &config["maxOutputTokens"]), (&json!(1024), &json!(1124)));
    assert_eq!(of(Dialect::Ollama)["think"], "low");
    let least = body(Dialect::Messages, &with(Effort::Minimal));
    assert_eq!((&least["thinking"]["budget_tokens"], &least["max_tokens"]), (&json!(1024), &json!(1124)));
    assert!(body(Dialect::Messages, &with(Effort::None)).get("thinking").is_none());
}

#[test]
fn each_schema_is_what_its_provider_takes_and_the_rest_is_told() {
    let setup = Setup::new("m");
    let chat = body(Dialect::Chat, &setup)["response_format"]["json_schema"].clone();
    assert_eq!((&chat["strict"], &chat["name"]), (&json!(true), &json!("answer")));
    let answer = &chat["schema"]["properties"]["answer"];
    assert_eq!((answer.get("maxLength"), &answer["description"]), (None, &json!("at most 9 characters.")));
    assert_eq!(chat["schema"]["required"], json!(["answer", "list"]), "strict wants all fields");
    assert_eq!(body(Dialect::Responses, &setup)["text"]["format"]["schema"], chat["schema"]);
    let messages = &body(Dialect::Messages, &setup)["output_config"]["format"]["schema"];
    assert_eq!(messages["properties"]["list"].get("minItems"), None);
    assert_eq!(messages["properties"]["list"]["description"], "at least 4 entries.");
    let gemini = &body(Dialect::Gemini, &setup)["generationConfig"]["responseJsonSchema"];
    assert_eq!(gemini["properties"]["list"]["minItems"], 4);
    for whole in [
        &body(Dialect::Compatible, &setup)["response_format"]["json_schema"]["schema"],
        &body(Dialect::Ollama, &setup)["format"],
    ] {
        assert_eq!(whole, &ask().schema.schema);
    }
}

#[test]
fn a_schema_told_in_words_is_sent_in_no_other_way() {
    let told = Setup { tell_schema: true, ..Setup::new("m") };
    for dialect in ALL {
        let text = body(dialect, &told).to_string();
        assert!(text.contains("must follow this JSON schema"), "{dialect:?}");
        for field in ["response_format", "output_config", "responseJsonSchema", "\"format\"", "\"text\":{"] {
            assert!(!text.contains(field), "{dialect:?} {field}");
        }
    }
}

#[test]
fn instructions_and_turns_stand_where_each_expects_them() {
    let setup = Setup::new("m");
    let messages = body(Dialect::Messages, &setup);
    assert_eq!((&messages["system"], &messages["messages"][0]["role"]), (&json!("Be brief."), &json!("user")));
    let gemini = body(Dialect::Gemini, &setup);
    assert_eq!(gemini["systemInstruction"]["parts"][0]["text"], "Be brief.");
    assert_eq!(gemini["contents"][1]["role"], "model");
    assert_eq!(gemini["contents"][1]["parts"][0]["text"], "(nothing)", "an empty turn is refused there");
    assert!(gemini["generationConfig"]["seed"].as_i64().is_some_and(|seed| i32::try_from(seed).is_ok()));
    assert_eq!(body(Dialect::Responses, &setup)["instructions"], "Be brief.");
    let ollama = body(Dialect::Ollama, &setup);
    assert_eq!((&ollama["options"]["num_ctx"], &ollama["stream"]), (&json!(4096), &json!(false)));
    let addresses = ALL.map(|dialect| dialect.address("http://h/v1/", "m"));
    assert_eq!(addresses[4], "http://h/v1/models/m:generateContent");
    assert_eq!(addresses[5], "http://h/v1/api/chat");
}

#[test]
fn a_window_grows_with_the_prompt() {
    let mut long = ask();
    long.turns[1].text = "word ".repeat(4000);
    let bytes = Dialect::Ollama.request(&long, &Setup::new("m"));
    let body: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(body["options"]["num_ctx"], 16_384);
}

#[test]
fn usage_is_split_alike_whatever_it_is_called() {
    let chat = json!({"model": "m-1", "choices": [{"message": {"content": "{}"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 4},
        "completion_tokens_details": {"reasoning_tokens": 3}}});
    let responses = json!({"model": "m-1", "status": "completed", "output": [
        {"type": "reasoning"}, {"type": "message", "content": [{"type": "output_text", "text": "{}"}]}],
        "usage": {"input_tokens": 10, "output_tokens": 5, "input_tokens_details": {"cached_tokens": 4},
        "output_tokens_details": {"reasoning_tokens": 3}}});
    let messages = json!({"model": "m-1", "stop_reason": "end_turn", "content": [{"type": "thinking"}, {"type": "text", "text": "{}"}],
        "usage": {"input_tokens": 4, "cache_read_input_tokens": 4, "cache_creation_input_tokens": 2, "output_tokens": 5}});
    let gemini = json!({"modelVersion": "m-1", "candidates": [{"finishReason": "STOP", "content": {"parts": [
        {"text": "hm", "thought": true}, {"text": "{}"}]}}], "usageMetadata": {"promptTokenCount": 10,
        "cachedContentTokenCount": 4, "candidatesTokenCount": 2, "thoughtsTokenCount": 3, "totalTokenCount": 15}});
    let full = Usage { prompt: Some(10), cached: Some(4), cache_write: None, reply: Some(5), reasoning: Some(3) };
    for (dialect, body, usage) in [
        (Dialect::Chat, chat, full),
        (Dialect::Responses, responses, full),
        (Dialect::Messages, messages, Usage { cache_write: Some(2), reasoning: None, ..full }),
        (Dialect::Gemini, gemini, full),
    ] {
        let reply = read(dialect, &body);
        assert_eq!((reply.text.as_str(), reply.end, reply.usage), ("{}", End::Stop, usage), "{dialect:?}");
        assert_eq!(reply.served.as_deref(), Some("m-1"));
    }
    let ollama = json!({"model": "m-1", "message": {"content": "{}"}, "done_reason": "stop", "prompt_eval_count": 10, "eval_count": 5});
    assert_eq!(read(Dialect::Ollama, &ollama).usage.total(), Some(15));
}

#[test]
fn figures_that_cannot_be_are_no_figures() {
    let body = |usage: Value| json!({"choices": [{"message": {"content": "{}"}}], "usage": usage});
    let usage = |value: Value| read(Dialect::Compatible, &body(value)).usage;
    assert_eq!(usage(json!({"prompt_tokens": 0, "completion_tokens": -3})), Usage::default());
    let odd = usage(json!({"prompt_tokens": 5, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 9}}));
    assert_eq!((odd.cached, odd.total()), (None, Some(7)));
    let huge = usage(json!({"prompt_tokens": u64::MAX, "completion_tokens": u64::MAX}));
    assert_eq!(huge.total(), None);
}

#[test]
fn refusals_thoughts_filters_and_recitation_are_told_apart() {
    let chat = |message: Value, why: &str| json!({"choices": [{"message": message, "finish_reason": why}]});
    let responses = |output: Value, why: &str| json!({"status": "incomplete", "incomplete_details": {"reason": why}, "output": output});
    let messages = |content: Value, why: &str| json!({"content": content, "stop_reason": why});
    let gemini = |content: Value, why: &str| json!({"candidates": [{"content": content, "finishReason": why}]});
    let said = json!({"parts": [{"text": "{"}]});
    let cases = [
        (Dialect::Chat, chat(json!({"content": "{"}), "length"), End::Length),
        (Dialect::Chat, chat(json!({"content": null, "refusal": "No."}), "stop"), End::Refusal),
        (Dialect::Chat, chat(json!({"content": "", "reasoning_content": "hm"}), "length"), End::Thoughts),
        (Dialect::Chat, chat(json!({"content": ""}), "content_filter"), End::Filtered),
        (Dialect::Compatible, chat(json!({"content": [{"type": "text", "text": "{}"}]}), "stop"), End::Stop),
        (Dialect::Responses, responses(json!([{"type": "reasoning"}]), "max_output_tokens"), End::Thoughts),
        (Dialect::Responses, responses(json!([]), "content_filter"), End::Filtered),
        (Dialect::Messages, messages(json!([{"type": "text", "text": "No."}]), "refusal"), End::Refusal),
        (Dialect::Messages, messages(json!([{"type": "thinking"}]), "max_tokens"), End::Thoughts),
        (Dialect::Messages, messages(json!([]), "model_context_window_exceeded"), End::Window),
        (Dialect::Messages, messages(json!([{"type": "tool_use", "input": {}}]), "tool_use"), End::Stop),
        (Dialect::Gemini, gemini(said, "MAX_TOKENS"), End::Length),
        (
            Dialect::Gemini,
            json!({"candidates": [{"content": {"role": "model"}, "finishReason": "MAX_TOKENS"}],
            "usageMetadata": {"thoughtsTokenCount": 64}}),
            End::Thoughts,
        ),
        (Dialect::Gemini, gemini(json!({}), "RECITATION"), End::Recitation),
        (Dialect::Gemini, gemini(json!({}), "SAFETY"), End::Filtered),
        (Dialect::Gemini, json!({"promptFeedback": {"blockReason": "SAFETY"}}), End::Filtered),
        (
            Dialect::Ollama,
            json!({"message": {"content": "", "thinking": "hm"}, "done_reason": "length"}),
            End::Thoughts,
        ),
    ];
    for (dialect, body, end) in cases {
        assert_eq!(read(dialect, &body).end, end, "{dialect:?} {body}");
    }
}

#[test]
fn what_is_no_completion_is_none_in_any_dialect() {
    for dialect in ALL {
        for bytes in [&b""[..], b"{", b"[]", b"null", b"{\"choices\":[]}", br#"{"error":{"message":"loading"}}"#] {
            let error = dialect.reply(bytes).unwrap_err();
            assert!(!bytes.ends_with(b"}}") || error.0 == "loading", "{dialect:?} {error}");
        }
    }
}
