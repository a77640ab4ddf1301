//! No answer of the wire makes its classification, the search for a challenge or the reading of robots.txt panic, and
//! nothing is stored that is to be asked for again.
#![no_main]

use legal_link::http::{Robots, challenge};
use legal_link::source::{Asked, Came, FORMATS, What, classify};
use libfuzzer_sys::fuzz_target;

/// Statuses and headers that classes hang on.
const STATUSES: [u16; 12] = [200, 200, 200, 202, 206, 300, 303, 304, 404, 406, 429, 500];
const HEADERS: [(&str, &str); 6] = [
    ("content-length", "100"),
    ("content-type", "application/xhtml+xml"),
    ("content-type", "application/pdf"),
    ("x-sql-state", "S1TAT"),
    ("x-sparql-maxrows", "2"),
    ("x-amzn-waf-action", "challenge"),
];

fuzz_target!(|input: (u8, u8, u8, Option<u8>, &[u8])| {
    let (status, headers, accept, articles, body) = input;
    let status = STATUSES[usize::from(status) % STATUSES.len()];
    let given = HEADERS.iter().enumerate().filter(|(bit, _)| headers >> bit & 1 == 1);
    let headers: Vec<_> = given.map(|(_, (name, value))| ((*name).to_string(), (*value).to_string())).collect();
    let formats = ["", FORMATS[0], FORMATS[1], FORMATS[2], FORMATS[3], "application/sparql-results+json", "text/csv"];
    let asked = Asked { accept: formats[usize::from(accept) % formats.len()], articles_expected: accept > 127 };
    let came = Came { status, headers: &headers, body, articles: articles.map(usize::from) };
    let class = classify(&asked, &came);
    assert!(!(class.may_be_stored() && class.may_be_retried()));
    assert!(!class.may_be_stored() || matches!(status, 200 | 203));
    assert_eq!(class.what == What::Challenge, challenge(status, &headers, body));

    let robots = Robots::parse(body, "legal-link/0 (+a@b.example)");
    assert!(robots.allows("/robots.txt"));
    let path = String::from_utf8_lossy(&body[..body.len().min(200)]).into_owned();
    let _ = (robots.allows(&path), robots.allows("/resource/celex/31999R9001?a=%2A*$"), robots.delay());
});
