//! robots.txt: what a host allows whom to ask for (RFC 9309), and how fast (`Crawl-delay`).

use std::time::Duration;

/// How much of a robots.txt is read, in bytes (RFC 9309, section 2.5).
const MOST_BYTES: usize = 500 << 10;
/// The longest `Crawl-delay` that is believed.
const LONGEST_DELAY: Duration = Duration::from_secs(24 * 3600);

/// The rules of one host for one crawler.
///
/// ```
/// use legal_link::http::Robots;
/// let text = b"User-agent: *\nDisallow: /search\nAllow: /search/about$\nCrawl-delay: 5\n";
/// let robots = Robots::parse(text, "legal-link/0.1.0 (+crawl@uni.example)");
/// assert!(robots.allows("/resource/celex/31999R9001"));
/// assert!(!robots.allows("/search?q=x"));
/// assert!(robots.allows("/search/about"));
/// assert_eq!(robots.delay(), Some(std::time::Duration::from_secs(5)));
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Robots {
    rules: Vec<Rule>,
    delay: Option<Duration>,
}

#[derive(Debug, Clone, PartialEq)]
struct Rule {
    allow: bool,
    pattern: Pattern,
}

impl Robots {
    /// The rules of `text` for the crawler that calls itself `agent`: those of all groups that name its product token
    /// (what stands before the first `/`), and where none does, those for `*`. What is no rule is passed over, and so
    /// is all beyond the first 500 KiB.
    pub fn parse(text: &[u8], agent: &str) -> Self {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let text = String::from_utf8_lossy(&text[..text.len().min(MOST_BYTES)]);
        let mut groups = Groups { own: product(agent).to_string(), ..Groups::default() };
        for line in text.split(['\r', '\n']) {
            let line = line.split('#').next().unwrap_or_default();
            if let Some((name, value)) = line.split_once(':') {
                groups.line(&name.trim().to_ascii_lowercase(), value.trim());
            }
        }
        groups.ours.unwrap_or(groups.others)
    }

    /// Whether the crawler may ask for this path with its query. The longest pattern decides; of two equally long
    /// ones, the one that allows.
    pub fn allows(&self, path: &str) -> bool {
        let path = normal(path, false);
        if path == "/robots.txt" {
            return true;
        }
        let hits = self.rules.iter().filter(|rule| rule.pattern.matches(&path));
        hits.max_by_key(|rule| (rule.pattern.length, rule.allow)).is_none_or(|rule| rule.allow)
    }

    /// The pause that the host wants between two requests.
    pub fn delay(&self) -> Option<Duration> {
        self.delay
    }
}

/// The product token of a name or of a `User-agent` line.
fn product(agent: &str) -> &str {
    let end = agent.find(|c: char| !(c.is_ascii_alphabetic() || c == '-' || c == '_'));
    &agent[..end.unwrap_or(agent.len())]
}

/// The groups read so far, and whom the open one is for.
#[derive(Default)]
struct Groups {
    own: String,
    /// The rules of the groups that name us; none: no group does.
    ours: Option<Robots>,
    others: Robots,
    for_us: bool,
    for_all: bool,
    /// Whether the open group has a rule, so that the next `User-agent` opens another.
    ruled: bool,
}

impl Groups {
    fn line(&mut self, name: &str, value: &str) {
        match name {
            "user-agent" => {
                if std::mem::take(&mut self.ruled) {
                    (self.for_us, self.for_all) = (false, false);
                }
                self.for_all |= value == "*";
                if !self.own.is_empty() && product(value).eq_ignore_ascii_case(&self.own) {
                    self.for_us = true;
                    self.ours.get_or_insert_default();
                }
            }
            "allow" | "disallow" => {
                self.ruled = true;
                if !value.is_empty() {
                    let rule = Rule { allow: name == "allow", pattern: Pattern::of(value) };
                    self.each(|robots| robots.rules.push(rule.clone()));
                }
            }
            "crawl-delay" => {
                self.ruled = true;
                let delay = value.parse::<f64>().ok().filter(|seconds| *seconds > 0.0);
                if let Some(seconds) = delay {
                    let delay = Duration::try_from_secs_f64(seconds).unwrap_or(LONGEST_DELAY).min(LONGEST_DELAY);
                    self.each(|robots| robots.delay = robots.delay.max(Some(delay)));
                }
            }
            _ => {}
        }
    }

    /// Changes the rules of those whom the open group is for.
    fn each(&mut self, change: impl Fn(&mut Robots)) {
        self.ours.iter_mut().filter(|_| self.for_us).for_each(&change);
        if self.for_all {
            change(&mut self.others);
        }
    }
}

/// A path's beginning, with `*` for any characters and `$` for the path's end.
#[derive(Debug, Clone, PartialEq)]
struct Pattern {
    /// What stands between the stars.
    pieces: Vec<String>,
    /// Whether the path must end with the last piece.
    ends: bool,
    /// In bytes, as written and brought to normal form.
    length: usize,
}

impl Pattern {
    fn of(written: &str) -> Self {
        let normal = normal(written, true);
        let (inner, ends) = normal.strip_suffix('$').map_or((normal.as_str(), false), |inner| (inner, true));
        Self { pieces: inner.split('*').map(str::to_string).collect(), ends, length: normal.len() }
    }

    /// Each piece is taken where it first fits, which finds a fit where there is one: time is linear in the path.
    fn matches(&self, path: &str) -> bool {
        let Some((first, more)) = self.pieces.split_first() else { return false };
        let Some(mut rest) = path.strip_prefix(first.as_str()) else { return false };
        let Some((last, between)) = more.split_last() else { return !self.ends || rest.is_empty() };
        for piece in between {
            let Some(at) = rest.find(piece.as_str()) else { return false };
            rest = &rest[at + piece.len()..];
        }
        if self.ends { rest.ends_with(last.as_str()) } else { rest.contains(last.as_str()) }
    }
}

/// Path or pattern in one form: unreserved characters plain, all others but the delimiters percent-encoded with capital
/// digits. In a pattern `*` and `$` are signs; in a path they are characters, and encoded.
fn normal(text: &str, pattern: bool) -> String {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let hex = |byte: Option<&u8>| byte.and_then(|b| char::from(*b).to_digit(16)).and_then(|d| u8::try_from(d).ok());
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let encoded = match (byte, hex(bytes.get(at + 1)), hex(bytes.get(at + 2))) {
            (b'%', Some(high), Some(low)) => Some(high << 4 | low),
            _ => None,
        };
        at += if encoded.is_some() { 3 } else { 1 };
        let byte = encoded.unwrap_or(byte);
        let unreserved = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        let sign = matches!(byte, b'*' | b'$');
        let plain = encoded.is_none() && byte.is_ascii_graphic() && (!sign || pattern);
        if unreserved || plain {
            out.push(char::from(byte));
        } else {
            out.push('%');
            out.push(char::from(DIGITS[usize::from(byte >> 4)]));
            out.push(char::from(DIGITS[usize::from(byte & 15)]));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str) -> Robots {
        Robots::parse(text.as_bytes(), "legal-link/9.9 (+a@b.example)")
    }

    #[test]
    fn the_longest_pattern_decides_and_a_tie_allows() {
        let robots = rules("user-agent: *\ndisallow: /a\nallow: /a/b\ndisallow: /a/b/c\ndisallow: /t\nallow: /t");
        assert!(!robots.allows("/a") && !robots.allows("/ab"));
        assert!(robots.allows("/a/b") && !robots.allows("/a/b/c/d"));
        assert!(robots.allows("/t") && robots.allows("/") && robots.allows("/other"));
        assert!(!rules("User-agent: *\nDisallow: /").allows("/x"));
        assert!(rules("User-agent: *\nDisallow: /").allows("/robots.txt"));
        assert!(rules("User-agent: *\nDisallow:").allows("/x"));
    }

    #[test]
    fn stars_and_ends() {
        let robots = rules("User-agent: *\nDisallow: /*.zip$\nDisallow: /p/*/x\nDisallow: /e$\nDisallow: *q=*&z$");
        assert!(!robots.allows("/a/b.zip") && robots.allows("/a/b.zip?v=1") && !robots.allows("/.zip.zip"));
        assert!(!robots.allows("/p//x/y") && robots.allows("/p/x"));
        assert!(!robots.allows("/e") && robots.allows("/e/"));
        assert!(!robots.allows("/s?q=1&z") && robots.allows("/s?q=1&zz"));
        assert!(!rules("User-agent: *\nDisallow: /*ab*ab$").allows("/abab"));
        assert!(rules("User-agent: *\nDisallow: /*ab*ab$").allows("/ab"));
    }

    #[test]
    fn a_group_that_names_us_is_the_only_one() {
        let text = "Disallow: /nobody\nUser-agent: other\nUser-agent: Legal-Link/2\nDisallow: /us\nSitemap: /s.xml\n\
            Disallow: /too\n\nUser-agent: *\nDisallow: /\n\nUSER-AGENT: legal-link # again\nDisallow: /more";
        let robots = rules(text);
        assert!(!robots.allows("/us") && !robots.allows("/too") && !robots.allows("/more"));
        assert!(robots.allows("/x") && robots.allows("/nobody"));
        let robots = rules("User-agent: legal\nDisallow: /\nUser-agent: legal-linker\nDisallow: /");
        assert!(robots.allows("/x"), "a name that only begins or goes on like ours is not ours");
        assert!(rules("User-agent: legal-link\n\nUser-agent: *\nDisallow: /x").allows("/y"));
    }

    #[test]
    fn odd_files_are_read_as_far_as_they_go() {
        assert!(!Robots::parse(b"\xef\xbb\xbfUser-agent:*\rDisallow:/x", "legal-link").allows("/x"));
        assert!(rules("<html><body>Not found: sorry</body></html>").allows("/x"));
        assert!(Robots::parse(&[0xff; 100], "legal-link").allows("/x"));
        let long = format!("User-agent: *\n{}Disallow: /late", "#\n".repeat(MOST_BYTES / 2));
        assert!(rules(&long).allows("/late"));
    }

    #[test]
    fn paths_are_compared_decoded() {
        let robots =
            rules("User-agent: *\nDisallow: /a%3cd\nDisallow: /%7Ejoe\nDisallow: /é\nDisallow: /f%2A\nDisallow: /c%28");
        assert!(!robots.allows("/a%3Cd.html") && !robots.allows("/~joe") && !robots.allows("/%c3%a9"));
        assert!(!robots.allows("/f*") && robots.allows("/fx"));
        assert!(!robots.allows("/c%28x") && robots.allows("/c%"));
    }

    #[test]
    fn a_delay_is_read_and_bounded() {
        let delay = |text: &str| rules(text).delay().map(|d| d.as_secs_f64());
        assert_eq!(delay("User-agent: *\nCrawl-delay: 2.5"), Some(2.5));
        assert_eq!(delay("User-agent: *\nCrawl-delay: 1e300"), Some(86400.0));
        assert_eq!(delay("User-agent: *\nCrawl-delay: -1"), None);
        assert_eq!(delay("User-agent: legal-link\nAllow: /\nUser-agent: *\nCrawl-delay: 9"), None);
    }
}
