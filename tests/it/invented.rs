//! A whole invented dataset, for emitters and the report: acts numbered from 9001, texts ours.

use legal_link::dataset::{
    Authorship, Choice, Claim, ClaimForm, Dataset, Document, Draft, Item, Judgement, Pair, Passage, Proof, Refusal,
    Shortfall, Side, StatusWord,
};
use legal_link::law::{
    Basis, Celex, Contradiction, DatedRelation, Day, Digest, Evidence, Extent, Language, Locus, Quote, Registry, Span,
    Touch,
};

/// Seven relations as the published dataset has them.
pub const REGISTRY: &str = r#"
[[relation]]
name = "repeals"
label = "repeals"
effect = "ends"
[[relation]]
name = "implicitly_repeals"
label = "implicitly repeals"
effect = "ends"
[[relation]]
name = "corrects"
label = "corrects"
effect = "rewrites"
[[relation]]
name = "completes"
label = "completes"
effect = "supplements"
[[relation]]
name = "extends_validity_of"
label = "extends the validity of"
effect = "prolongs"
published = { name = "extends_validity" }
[[relation]]
name = "extends_application"
label = "extends the application of"
effect = "widens"
[[relation]]
name = "renders_obsolete"
label = "renders obsolete"
effect = "declares_spent"
published = { name = "rendered_obsolete_by", inverted = true }
[[relation]]
name = "cites"
label = "cites"
context = true
effect = "none"
"#;

/// The verbs that the invented provisions use, by relation.
const VERBS: [(&str, &str); 7] = [
    ("repeals", "is repealed"),
    ("implicitly_repeals", "is replaced in so far as it deals with the same matter"),
    ("corrects", "is to be read with the corrected wording"),
    ("completes", "is supplemented by the rules of this act"),
    ("extends_validity_of", "shall apply for two more years"),
    ("extends_application", "shall apply also to inland vessels"),
    ("renders_obsolete", "has no further effect"),
];

/// Days from the start of the effect to the day of the item.
const OFFSETS: [i64; 7] = [-1, 0, 1, -40, 400, 20, -700];

pub struct Act {
    pub celex: Celex,
    pub title: String,
    pub html: String,
}

impl Act {
    pub fn quote(&self, words: &str) -> Quote {
        let start = self.html.find(words).expect("the words stand in the document");
        let span = Span::new(start, start + words.len());
        Quote { document: self.digest(), span, text: words.to_string() }
    }

    pub fn digest(&self) -> Digest {
        Digest::of(self.html.as_bytes())
    }

    pub fn document(&self) -> Document {
        Document {
            name: format!("acts/{}.html", self.celex),
            celex: Some(self.celex.clone()),
            digest: self.digest(),
            bytes: self.html.len(),
            origin: Some("specimens".to_string()),
            taken: Some(day("2026-08-22")),
            specimen: true,
        }
    }
}

pub fn day(text: &str) -> Day {
    text.parse().expect("a day")
}

fn act(celex: &str, title: &str, articles: &[&str]) -> Act {
    let paragraph = |(i, text): (usize, &&str)| format!("<h2>Article {}</h2>\n<p>{text}</p>", i + 1);
    let body = articles.iter().enumerate().map(paragraph).collect::<Vec<_>>().join("\n");
    let html = format!("<html><body>\n<h1>{title}</h1>\n{body}\n</body></html>\n");
    Act { celex: celex.parse().expect("CELEX"), title: title.to_string(), html }
}

/// The two acts of pair `k` of relation `r`: the acting one, and the one acted upon.
pub fn acts(r: usize, k: usize) -> (Act, Act) {
    let year = 1961 + (r * 7 + k * 11) % 58;
    let (old, new) = (9001 + r * 40 + k * 2, 9002 + r * 40 + k * 2);
    let (verb, later) = (VERBS[r].1, year + 4);
    let title = |n: usize, y: usize, about: &str| format!("Regulation No {n}/{y} on {about}");
    let target = act(
        &format!("3{year}R{old}"),
        &title(old, year, "the marking of river buoys"),
        &[
            "Member States shall mark every buoy on a navigable river with a yellow band of at least forty centimetres.",
            "A buoy set before the entry into force of this Regulation may keep its band until it is replaced.",
            "This Regulation shall apply from 1 March.",
        ],
    );
    let source = act(
        &format!("3{later}R{new}"),
        &title(new, later, "the safety of inland waterways"),
        &[
            "This Regulation lays down rules for lights, bands and bells on inland waterways.",
            &format!("Regulation No {old}/{year} {verb} with effect from 1 July {later}."),
            "This Regulation shall enter into force on the twentieth day following its publication.",
        ],
    );
    (source, target)
}

fn start(source: &Act) -> Day {
    day(&format!("{}-07-01", &source.celex.as_str()[1..5]))
}

fn plus(from: Day, days: i64) -> Day {
    let steps = u32::try_from(days.abs()).expect("few days");
    if days >= 0 { from.plus_days(steps) } else { (0..steps).fold(from, |d, _| d.pred()) }
}

fn status(act: &Celex, is: StatusWord, denied: bool) -> Claim {
    Claim { form: ClaimForm::Status { act: act.clone(), part: None, is }, denied }
}

fn passage(side: Side, act: &Act, words: &str) -> Passage {
    let quote = act.quote(words);
    Passage {
        side,
        celex: act.celex.clone(),
        document: quote.document,
        span: quote.span,
        text: quote.text,
        as_published: false,
    }
}

fn paragraphs(act: &Act) -> Vec<&str> {
    act.html.lines().filter_map(|l| l.strip_prefix("<p>")?.strip_suffix("</p>")).collect()
}

pub fn draft(registry: &Registry, r: usize, k: usize) -> Draft {
    let (source, target) = acts(r, k);
    let pair = Pair {
        source: source.celex.clone().into(),
        relation: registry.relation(VERBS[r].0).expect("registered"),
        target: target.celex.clone().into(),
    };
    let on = plus(start(&source), OFFSETS[(r + k) % OFFSETS.len()]);
    let (s, t) = (paragraphs(&source), paragraphs(&target));
    let named = |a: &Act| a.title.split(" on ").next().unwrap_or_default().to_string();
    let choice = |text: String, claims, support| Choice { text, claims, support };
    let options = vec![
        choice(
            format!("{} governs the band; {} does not bear on it before 1 July.", named(&target), named(&source)),
            vec![status(&target.celex, StatusWord::InForce, false)],
            vec![source.quote(s[1]), target.quote(t[0])],
        ),
        choice(
            format!("{} had been ended by {} when the pilot set the buoy.", named(&target), named(&source)),
            vec![Claim {
                form: ClaimForm::EndedBy { act: target.celex.clone(), part: None, by: source.celex.clone() },
                denied: false,
            }],
            vec![source.quote(s[1])],
        ),
        choice(
            format!("{} was no longer in force from the day on which its successor was signed.", named(&target)),
            vec![status(&target.celex, StatusWord::NotInForce, false)],
            vec![source.quote(s[2])],
        ),
        choice(
            format!("Neither act was in force, so that the pilot was free to choose any band for {}.", named(&target)),
            vec![status(&target.celex, StatusWord::InForce, true), status(&source.celex, StatusWord::InForce, true)],
            vec![],
        ),
    ];
    Draft {
        stem: format!(
            "On {} a pilot sets a buoy on a navigable river and asks which band it must bear under {} and {}. Which answer \
             is right on that day?",
            on.long(),
            named(&target),
            named(&source)
        ),
        pair,
        day: on,
        known_on: day("2026-08-22"),
        stem_claims: vec![],
        options,
        passages: vec![
            passage(Side::Source, &source, s[0]),
            passage(Side::Source, &source, s[1]),
            passage(Side::Source, &source, s[2]),
            passage(Side::Target, &target, t[0]),
            passage(Side::Target, &target, t[1]),
        ],
        author: Authorship::BuiltIn { form: ["day_before", "on_the_day", "staged"][k % 3].to_string() },
    }
}

fn edge(registry: &Registry, r: usize, k: usize) -> DatedRelation {
    let (source, target) = acts(r, k);
    let clause = source.quote(paragraphs(&source)[1]);
    let register = Evidence::Register {
        locus: Locus { document: Digest::of(b"edges/relations.csv"), span: Span::new(120 * k, 120 * k + 96) },
    };
    DatedRelation {
        touches: vec![Touch {
            extent: if r == 1 { Extent::Partial } else { Extent::Whole },
            parts: vec![],
            saved: vec![],
            start: Some(start(&source)),
            basis: Some(Basis::Clause),
            conditional: None,
            unconfirmed: None,
            until: None,
            words: None,
            languages: vec![],
            evidence: 0,
        }],
        evidence: if k.is_multiple_of(3) {
            vec![Evidence::Text { quote: clause.clone() }, register]
        } else {
            vec![Evidence::Text { quote: clause.clone() }]
        },
        contradictions: if k == 1 {
            vec![Contradiction {
                says: "The register gives 30 June as the last day, the clause 1 July as the first without it."
                    .to_string(),
                quote: Some(clause),
            }]
        } else {
            vec![]
        },
        source: source.celex,
        relation: registry.relation(VERBS[r].0).expect("registered"),
        target: target.celex,
    }
}

/// The invented dataset: `per_relation` items for each of the seven.
pub fn dataset(per_relation: usize) -> Dataset {
    let registry = Registry::parse([("invented", REGISTRY)]).expect("a registry");
    let (mut items, mut edges, mut documents, mut refusals) = (vec![], vec![], vec![], vec![]);
    for r in 0..VERBS.len() {
        for k in 0..per_relation {
            let draft = draft(&registry, r, k);
            let (source, target) = acts(r, k);
            documents.extend([source.document(), target.document()]);
            edges.push(edge(&registry, r, k));
            let undecided = r == 5 && k == 2;
            let mut order = [0u8, 1, 2, 3];
            order.rotate_right((k + r) % 4);
            items.push(Item {
                item: draft.item_id(),
                order,
                proofs: vec![
                    Proof::Proved,
                    Proof::Refuted,
                    if undecided { Proof::Undecided } else { Proof::Refuted },
                    Proof::Refuted,
                ],
                judgement: undecided.then(|| Judgement {
                    judge: "built-in".to_string(),
                    levels: vec![("legal specificity".to_string(), 4, "Names both acts.".to_string())],
                    total: 4,
                    out_of: 5,
                    agrees: Some(true),
                    chose: None,
                    call: None,
                }),
                draft,
            });
        }
        let refused = draft(&registry, r, per_relation + 1);
        let (gate, reason) = [
            ("facts", "The date 31 June 1999 is found in neither act nor in the graph."),
            ("generic_reference", "“the regulation” names no act before it."),
            ("author", "No form applies: the edge has no start."),
        ][r % 3];
        for _ in 0..=r % 4 {
            refusals.push(Refusal {
                pair: refused.pair.clone(),
                gate: gate.to_string(),
                reason: reason.to_string(),
                draft: (gate != "author").then(|| refused.clone()),
            });
        }
    }
    documents.push(Document {
        name: "edges/relations.csv".to_string(),
        celex: None,
        digest: Digest::of(b"edges/relations.csv"),
        bytes: 4096,
        origin: None,
        taken: None,
        specimen: true,
    });
    Dataset {
        name: "River Buoys".to_string(),
        version: "0.1.0".to_string(),
        seed: 7,
        language: Language::ENGLISH,
        known_on: day("2026-08-22"),
        registry,
        items,
        refusals,
        shortfalls: vec![Shortfall {
            stratum: "corrects, 1970s".to_string(),
            wanted: 4,
            had: 2,
            reason: "Only two pairs have both texts.".to_string(),
        }],
        edges,
        documents,
    }
}
