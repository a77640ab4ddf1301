//! Talking to language models. Moves text, knows no law.
