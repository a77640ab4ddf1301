//! Pages that ask a browser to prove itself.

/// Names that the scripts of such pages use. They count inside scripts and addresses, never in the words of a page.
const SCRIPTS: [&str; 10] = [
    "awswaf",
    "gokuprops",
    "awswafintegration",
    "captcha-delivery",
    "challenge.js",
    "cf-chl",
    "_cf_chl",
    "challenge-platform",
    "datadome",
    "hcaptcha.com",
];
/// What such pages say to a person.
const SENTENCES: [&str; 6] = [
    "not a robot",
    "verify you are human",
    "are you human",
    "enable javascript and cookies",
    "checking your browser",
    "unusual traffic",
];
/// How many bytes of words such a page has at most: it is no document.
const MOST_WORDS: usize = 1500;
/// How far a page is read.
const WINDOW: usize = 256 << 10;

/// Whether an answer is a challenge: its headers say so, or it is a page with little to read whose scripts, or whose few
/// words, ask a browser to prove itself. A document that merely speaks of such things is none.
///
/// Header names are in lower case.
pub fn challenge(status: u16, headers: &[(String, String)], body: &[u8]) -> bool {
    let says = |name: &str, values: &[&str]| {
        headers.iter().any(|(n, v)| n == name && values.iter().any(|value| v.trim().eq_ignore_ascii_case(value)))
    };
    if says("x-amzn-waf-action", &["challenge", "captcha"]) || says("cf-mitigated", &["challenge"]) {
        return true;
    }
    if !super::Sniffed::of(body).is_markup() {
        return false;
    }
    let page = Page::of(&body[..body.len().min(WINDOW)]);
    if page.words.len() > MOST_WORDS || page.scripts.is_empty() {
        return false;
    }
    let nothing_to_read = page.words.is_empty() && status == 202;
    nothing_to_read
        || SCRIPTS.iter().any(|mark| page.scripts.contains(mark))
        || SENTENCES.iter().any(|sentence| page.words.contains(sentence) || page.without_scripts.contains(sentence))
}

/// A page taken apart, in lower case and in linear time: what its scripts hold, what it says, and what it says to those
/// who run none.
#[derive(Default)]
struct Page {
    scripts: String,
    words: String,
    without_scripts: String,
}

impl Page {
    fn of(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes).to_ascii_lowercase();
        let mut page = Self::default();
        let mut rest = text.as_str();
        while let Some(open) = rest.find('<') {
            add(&mut page.words, &rest[..open]);
            rest = &rest[open..];
            let element = ["script", "noscript", "style", "title"].into_iter().find(|name| begins(rest, name));
            let end = match element {
                Some(name) => rest.find(&format!("</{name}")).unwrap_or(rest.len()),
                None => rest.find('>').map_or(rest.len(), |at| at + 1),
            };
            match element {
                Some("script") => add(&mut page.scripts, &rest[..end]),
                Some("noscript" | "title") => add(&mut page.without_scripts, &rest[..end]),
                _ => {}
            }
            // A closing tag is read as any other tag.
            rest = &rest[end..];
        }
        add(&mut page.words, rest);
        page
    }
}

/// Whether an element of this name begins here.
fn begins(text: &str, name: &str) -> bool {
    let after = text[1..].strip_prefix(name);
    after.is_some_and(|rest| rest.starts_with(|c: char| c == '>' || c == '/' || c.is_ascii_whitespace()))
}

/// Words, a blank between them.
fn add(to: &mut String, text: &str) {
    for word in text.split_ascii_whitespace() {
        to.push_str(word);
        to.push(' ');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(status: u16, body: &str) -> bool {
        challenge(status, &[], body.as_bytes())
    }

    #[test]
    fn scripts_and_headers_give_a_wall_away() {
        assert!(is(200, "<html><head><script>window.gokuProps={}</script></head><body></body></html>"));
        assert!(is(
            202,
            "<!DOCTYPE html><html><head><script src=\"https://x.token.awswaf.com/y/challenge.js\"></script>"
        ));
        assert!(is(403, "<html><body><script>go()</script><noscript>Verify that you're not a robot.</noscript>"));
        assert!(is(202, "<html><script>go()</script></html>"));
        let header = [("x-amzn-waf-action".to_string(), "captcha".to_string())];
        assert!(challenge(405, &header, b""));
    }

    #[test]
    fn documents_that_speak_of_walls_are_none() {
        assert!(!is(
            200,
            "<html><body><p>Article 1</p><p>The awswaf service asks: are you not a robot?</p></body></html>"
        ));
        assert!(!is(200, "{\"choices\":[{\"text\":\"<script>awswaf</script>\"}]}"));
        let act = "<p>The contracting parties shall take the measures needed.</p>".repeat(100);
        assert!(!is(200, &format!("<html><head><script src=\"https://x/challenge.js\"></script></head>{act}</html>")));
        assert!(!is(202, "") && !is(200, "<html><script>go()</script></html>"));
    }

    #[test]
    fn broken_pages_end() {
        for page in ["<", "<script", "<script>", "<title>x</titl", "<html><!-- <script>", "<é"] {
            let _ = is(200, page);
        }
    }
}
