//! A server that begins to cut prompts after its probe, told by what it counts.

use super::{Answered, Ask, Asking, End, LanguageModel, ModelName};
use std::sync::Arc;

/// A model whose server counts what it reads: a reply to part of a prompt is told from a reply to all of it.
///
/// No tokenizer that we know joins words, so a prompt of fewer tokens than words was cut: by a machine with a smaller
/// window behind the same address, by a server that was started anew. Only for servers whose figures the probe found to
/// grow with the prompt.
pub struct Whole(Arc<dyn LanguageModel>);

impl Whole {
    /// The model, its prompts counted.
    pub fn new(model: Arc<dyn LanguageModel>) -> Self {
        Self(model)
    }
}

impl LanguageModel for Whole {
    fn name(&self) -> &ModelName {
        self.0.name()
    }

    fn ask<'a>(&'a self, ask: &'a Ask, draw: &'a str) -> Asking<'a> {
        Box::pin(async move {
            let mut answered: Answered = self.0.ask(ask, draw).await?;
            let words: usize = ask.turns.iter().map(|turn| turn.text.split_whitespace().count()).sum();
            if answered.reply.usage.prompt.is_some_and(|tokens| tokens < words as u64) {
                answered.reply.end = End::PromptCut;
            }
            Ok(answered)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CallKey, Reply, Role, Schema, Turn, Usage};

    /// A model that counts so many tokens.
    struct Counts(ModelName, u64);

    impl LanguageModel for Counts {
        fn name(&self) -> &ModelName {
            &self.0
        }

        fn ask<'a>(&'a self, _ask: &'a Ask, draw: &'a str) -> Asking<'a> {
            let usage = Usage { prompt: Some(self.1), ..Usage::default() };
            let reply = Reply { text: "{}".to_string(), end: End::Stop, usage, served: None };
            let call = CallKey::new("", b"", draw);
            Box::pin(std::future::ready(Ok(Answered { reply, call, replayed: false, batch: false })))
        }
    }

    #[tokio::test]
    async fn fewer_tokens_than_words_are_a_cut_prompt() {
        let turn = |text: &str| Turn { role: Role::User, text: text.to_string() };
        let ask = Ask {
            turns: vec![turn("Article 5 ends on"), turn("1 July 1984 at the latest")],
            schema: Schema { name: "s".to_string(), schema: serde_json::json!({}) },
            max_tokens: 10,
            temperature: None,
            seed: None,
        };
        for (tokens, end) in [(10, End::Stop), (9, End::PromptCut), (4000, End::Stop)] {
            let model = Whole::new(Arc::new(Counts("local:m".parse().unwrap(), tokens)));
            assert_eq!(model.ask(&ask, "d").await.unwrap().reply.end, end, "{tokens}");
        }
    }
}
