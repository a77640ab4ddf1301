//! Where a model's thoughts end and its reply begins.

use super::object::{ObjectError, value_end};

/// What opens a thought and what closes it, as models and the servers in front of them write it. In the
/// channels of the last rows all is thought until the last message to the reader begins.
const MARKS: [(&str, &str); 12] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|channel|>analysis", "<|channel|>final"),
    ("<|channel|>commentary", "<|channel|>final"),
];

/// What follows the model's thoughts: only that is its reply. A closing mark without an opening one ends a
/// thought too (a template had opened it); a mark inside a JSON value is text.
///
/// # Errors
/// [`ObjectError::Truncated`] for a thought that never closes.
pub(super) fn after_thoughts(reply: &str) -> Result<&str, ObjectError> {
    let (mut start, mut at) = (0, 0);
    while let Some(skip) = reply[at..].find(['<', '[', '◁', '{']) {
        at += skip;
        let rest = &reply[at..];
        if let Some((_, close)) = MARKS.iter().find(|(open, _)| rest.starts_with(open)) {
            at += rest.find(close).ok_or(ObjectError::Truncated)? + close.len();
            start = at;
        } else if let Some((_, close)) = MARKS.iter().find(|(_, close)| rest.starts_with(close)) {
            at += close.len();
            start = at;
        } else {
            at = value_end(reply, at).unwrap_or(at + rest.chars().next().map_or(1, char::len_utf8));
        }
    }
    Ok(&reply[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_follows_the_last_thought_counts() {
        for (reply, rest) in [
            ("<think>a</think>b", "b"),
            ("a</think>b", "b"),
            ("<think>a</think> so <thinking>b</thinking>c", "c"),
            ("[THINK]a [1][/THINK]b", "b"),
            ("{\"a\": \"</think>\"}", "{\"a\": \"</think>\"}"),
            ("<think>x</think>{\"a\": \"<think>\"}", "{\"a\": \"<think>\"}"),
            ("{\"a\": \"</think> mean", "{\"a\": \"</think> mean"),
            ("Let {x} be. </think>C", "C"),
            ("<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b", "<|message|>b"),
            ("a < b ◁ c [ d", "a < b ◁ c [ d"),
        ] {
            assert_eq!(after_thoughts(reply), Ok(rest), "{reply}");
        }
        for cut in ["<think>a", "Sure. <reasoning>a", "<|channel|>analysis<|message|>a<|end|>", "◁think▷a"] {
            assert_eq!(after_thoughts(cut), Err(ObjectError::Truncated), "{cut}");
        }
    }
}
