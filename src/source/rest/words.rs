//! The words of a document without its mark-up, so that a page that was only converted anew is known for the same.

use crate::law::Digest;

/// The words of mark-up, compared and counted: tags, comments and white space left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Words {
    /// Which words.
    pub digest: Digest,
    /// How many bytes they are.
    pub length: usize,
}

impl Words {
    /// Those of a document. One that is no mark-up is its own words.
    pub fn of(bytes: &[u8]) -> Self {
        let mut words = Vec::with_capacity(bytes.len() / 2);
        let mut rest = bytes;
        while let Some(open) = rest.iter().position(|b| *b == b'<') {
            add(&mut words, &rest[..open]);
            rest = &rest[open..];
            let end: &[u8] = if rest.starts_with(b"<!--") { b"-->" } else { b">" };
            let Some(at) = rest.windows(end.len()).position(|w| w == end) else { break };
            rest = &rest[at + end.len()..];
        }
        add(&mut words, rest);
        Self { digest: Digest::of(&words), length: words.len() }
    }
}

fn add(words: &mut Vec<u8>, text: &[u8]) {
    words.extend(text.iter().filter(|b| !b.is_ascii_whitespace()));
}

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn a_page_converted_anew_has_the_same_words() {
        let page = |version: &str, class: &str, words: &str| {
            format!("<html><!-- CONVEX # converter_version:{version} --><p class=\"{class}\">{words}</p>\n</html>")
        };
        let one = Words::of(page("9.16.1", "a", "Gnomes are counted.").as_bytes());
        assert_eq!(one, Words::of(page("9.18.0", "oj-a", "Gnomes  are\ncounted.").as_bytes()));
        assert_ne!(one, Words::of(page("9.16.1", "a", "Gnomes are not counted.").as_bytes()));
        assert_eq!(Words::of(b"a < b").length, 3);
    }
}
