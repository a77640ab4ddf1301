//! The manifest that a new folder begins with.

/// A commented manifest: valid as it stands, and buildable at once from what comes with the program.
pub const STARTER: &str = include_str!("starter.toml");

#[cfg(test)]
mod tests {
    use super::super::{CrawlWish, Manifest, Pace, PairsWish};
    use super::*;
    use std::path::Path;

    #[test]
    fn it_is_valid_as_it_stands_and_with_every_setting_taken_out_of_its_comment() {
        let read = |text: &str| Manifest::parse(Path::new("dataset.toml"), text).unwrap();
        assert_eq!(read(STARTER).crawl, CrawlWish::default());
        // A setting in a comment begins right after the sign; words begin after a blank.
        let begins = |c: char| c.is_ascii_lowercase() || c == '[';
        let plain = |line: &str| match line.strip_prefix('#') {
            Some(setting) if setting.starts_with(begins) => setting.to_string(),
            _ => line.to_string(),
        };
        let open = STARTER.lines().map(plain).collect::<Vec<_>>().join("\n");
        let open = open.replace("source = \"shipped\"", "source = \"cellar\"");
        let manifest = read(&open);
        let crawl = manifest.crawl;
        assert!(crawl.contact.is_some());
        // What the comments show are the defaults.
        let shown = (crawl.sparql, crawl.rest, crawl.pace, crawl.pairs, crawl.acting, crawl.longest_document);
        let own = CrawlWish::default();
        assert_eq!(shown, (own.sparql, own.rest, Pace::POLITE, PairsWish::Times(3), own.acting, own.longest_document));
        assert!(manifest.judge.is_some() && manifest.budget.calls.is_some());
    }
}
