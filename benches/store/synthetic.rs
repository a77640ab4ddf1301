//! Invented acts by seed, in the formats in which real ones come: a notice in RDF/XML and a page in XHTML each.
#![allow(dead_code)] // Not every bench asks for all of it.

use legal_link::law::Celex;
use std::fmt::Write as _;

/// A stream of numbers (SplitMix64).
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

const WORDS: [&str; 40] = [
    "kites", "lanterns", "owners", "of", "garden", "gnomes", "shall", "keep", "the", "register", "open", "where", "a",
    "vane", "turns", "within", "market", "towns", "and", "may", "paint", "their", "fences", "before", "winter", "no",
    "umbrella", "is", "sold", "without", "its", "string", "each", "maker", "tells", "wind", "to", "every", "harbour",
    "office",
];

const NAMESPACES: &str = r#"<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:owl="http://www.w3.org/2002/07/owl#" xmlns:j.0="http://publications.europa.eu/ontology/cdm#" xmlns:j.1="http://publications.europa.eu/ontology/annotation#">"#;
const RESOURCE: &str = "http://publications.europa.eu/resource";

/// An invented act.
pub struct Invented {
    pub celex: Celex,
    pub notice: String,
    pub page: String,
}

/// How many acts a year has: numbers from 9001 up.
const A_YEAR: u64 = 990;

fn number(act: u64) -> (u64, u64) {
    (1960 + act / A_YEAR, 9001 + act % A_YEAR)
}

/// The number of the `n`th act.
pub fn celex(act: u64) -> String {
    let (year, number) = number(act);
    format!("3{year}R{number}")
}

/// Which act has this number.
pub fn act_of(celex: &str) -> Option<u64> {
    let (year, number) = celex.strip_prefix('3')?.split_once('R')?;
    let (year, number): (u64, u64) = (year.parse().ok()?, number.parse().ok()?);
    Some((year.checked_sub(1960)? * A_YEAR) + number.checked_sub(9001)?)
}

/// The `n`th act of a seed.
pub fn invented(seed: u64, n: u64) -> Invented {
    let mut chance = Chance(seed ^ n.wrapping_mul(0x2545_f491_4f6c_dd1d));
    Invented {
        celex: celex(n).parse().expect("a CELEX number"),
        notice: notice(n, &mut chance),
        page: page(n, &mut chance),
    }
}

fn notice(n: u64, chance: &mut Chance) -> String {
    let mut text = String::from(NAMESPACES);
    let own = celex(n);
    let id = format!("{:016x}-{:04x}", chance.next(), n);
    let (year, _) = number(n);
    let _ = write!(
        text,
        "\n  <rdf:Description rdf:about=\"{RESOURCE}/cellar/{id}\">\n    <owl:sameAs rdf:resource=\"{RESOURCE}/celex/{own}\"/>\n  </rdf:Description>\n  <rdf:Description rdf:about=\"{RESOURCE}/celex/{own}\">\n    <j.0:work_date_document>{year}-05-05</j.0:work_date_document>\n    <j.0:resource_legal_in-force>true</j.0:resource_legal_in-force>\n"
    );
    let others: Vec<String> = (0..20 + chance.below(80)).map(|_| celex(chance.below(50_000))).collect();
    for (at, other) in others.iter().enumerate() {
        let property =
            ["work_cites_work", "resource_legal_amends_resource_legal", "resource_legal_repeals_resource_legal"]
                [usize::from(at % 10 == 0) + usize::from(at % 20 == 0)];
        let _ = writeln!(text, "    <j.0:{property} rdf:resource=\"{RESOURCE}/celex/{other}\"/>");
    }
    text.push_str("  </rdf:Description>\n");
    for (at, other) in others.iter().step_by(20).enumerate() {
        let _ = write!(
            text,
            "  <rdf:Description rdf:nodeID=\"A{at}\">\n    <rdf:type rdf:resource=\"http://www.w3.org/2002/07/owl#Axiom\"/>\n    <owl:annotatedSource rdf:resource=\"{RESOURCE}/celex/{own}\"/>\n    <owl:annotatedProperty rdf:resource=\"http://publications.europa.eu/ontology/cdm#resource_legal_repeals_resource_legal\"/>\n    <owl:annotatedTarget rdf:resource=\"{RESOURCE}/celex/{other}\"/>\n    <j.1:start_of_validity>{year}-07-01</j.1:start_of_validity>\n  </rdf:Description>\n"
        );
    }
    text.push_str("</rdf:RDF>\n");
    text
}

fn sentence(chance: &mut Chance) -> String {
    let words: Vec<&str> =
        (0..8 + chance.below(30)).map(|_| WORDS[usize::try_from(chance.below(40)).unwrap_or(0)]).collect();
    let text = words.join(" ");
    format!("{}{}.", text[..1].to_uppercase(), &text[1..])
}

fn page(n: u64, chance: &mut Chance) -> String {
    let (year, number) = number(n);
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>L</title></head><body>\n<div class=\"eli-container\">\n<div class=\"eli-main-title\" id=\"tit_1\">\n<p class=\"oj-doc-ti\">COUNCIL REGULATION (EEC) No {number}/{}</p>\n<p class=\"oj-doc-ti\">of 5 May {year}</p>\n<p class=\"oj-doc-ti\">on {}</p>\n</div>\n<div class=\"eli-subdivision\" id=\"pbl_1\">\n<p class=\"oj-normal\">THE COUNCIL,</p>\n",
        year % 100,
        sentence(chance).to_lowercase().trim_end_matches('.'),
    );
    for recital in 1..=3 + chance.below(15) {
        let _ = writeln!(
            text,
            "<div class=\"eli-subdivision\" id=\"rct_{recital}\"><table width=\"100%\"><col width=\"4%\"/><col width=\"96%\"/><tbody><tr><td><p class=\"oj-normal\">({recital})</p></td><td><p class=\"oj-normal\">{}</p></td></tr></tbody></table></div>",
            sentence(chance)
        );
    }
    text.push_str("<p class=\"oj-normal\">HAS ADOPTED THIS REGULATION:</p>\n</div>\n<div class=\"eli-subdivision\" id=\"enc_1\">\n");
    for article in 1..=4 + chance.below(40) {
        let _ = write!(
            text,
            "<div class=\"eli-subdivision\" id=\"art_{article}\">\n<p class=\"oj-ti-art\">Article&nbsp;{article}</p>\n<p class=\"oj-sti-art\">Of lanterns</p>\n"
        );
        for paragraph in 1..=1 + chance.below(5) {
            let _ = writeln!(text, "<p class=\"oj-normal\">{paragraph}.&nbsp;&nbsp;&nbsp;{}</p>", sentence(chance));
        }
        text.push_str("</div>\n");
    }
    let _ = write!(
        text,
        "</div>\n<div class=\"eli-subdivision\" id=\"fnp_1\"><p class=\"oj-normal\">Done at Brussels, 5 May {year}.</p></div>\n</div>\n</body></html>\n"
    );
    text
}
