//! One item, explained: plain sentences first, then the chain from its options to the bytes.

use super::item::named;
use super::{Ground, Held, sentence};
use crate::dataset::{Authorship, Choice, Claim, Item, LETTERS, Proof, Provenance, published_id};
use crate::law::{Digest, Quote};
use crate::verify::{Proven, prove, prove_all};
use serde::Serialize;

/// An item explained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explained {
    /// What it asks, what holds and why, and what does not hold and why.
    pub sentences: Vec<String>,
    /// Option, claim, verdict, fact, quotation, document.
    pub chain: Node,
}

/// A step of the chain, and the steps it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Node {
    /// The step.
    pub says: String,
    /// What it rests on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rests_on: Vec<Node>,
}

impl Node {
    fn leaf(says: impl Into<String>) -> Self {
        Self { says: says.into(), rests_on: Vec::new() }
    }
}

impl std::fmt::Display for Node {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        fn branch(node: &Node, indent: &str, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            for (i, below) in node.rests_on.iter().enumerate() {
                let last = i + 1 == node.rests_on.len();
                let (mark, next) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
                let wrapped = format!("\n{indent}{next}");
                writeln!(f, "{indent}{mark}{}", below.says.replace('\n', &wrapped))?;
                branch(below, &format!("{indent}{next}"), f)?;
            }
            Ok(())
        }
        writeln!(f, "{}", self.says)?;
        branch(self, "", f)
    }
}

/// Explains an item by what its claims come to here and now.
pub fn explain(provenance: &Provenance, ground: &Ground<'_>) -> Explained {
    let teller = Teller { provenance, ground };
    Explained { sentences: teller.sentences(), chain: teller.chain() }
}

struct Teller<'a> {
    provenance: &'a Provenance,
    ground: &'a Ground<'a>,
}

impl Teller<'_> {
    fn item(&self) -> &Item {
        &self.provenance.item
    }

    fn all(&self, claims: &[Claim]) -> Proven {
        let draft = &self.item().draft;
        prove_all(claims, draft.day, draft.known_on, self.ground.graph)
    }

    fn options(&self) -> impl Iterator<Item = (usize, &Choice, bool)> {
        self.item().options().enumerate().map(|(i, o)| (i, o, self.item().order.get(i) == Some(&0)))
    }

    fn sentences(&self) -> Vec<String> {
        let (item, draft) = (self.item(), &self.item().draft);
        let pair = &draft.pair;
        let label = self.ground.registry.spec(&pair.relation).map_or(pair.relation.as_str(), |s| s.label.as_str());
        let by = match &draft.author {
            Authorship::BuiltIn { form } => format!("the built-in author by its form `{form}`"),
            Authorship::Model { model, .. } => format!("the model {model}"),
        };
        let mut told = vec![format!(
            "{} is about this: {} {label} {}. It is set on {} with what was known on {}, and {by} wrote it.",
            item.item,
            pair.source,
            pair.target,
            draft.day.long(),
            draft.known_on.long(),
        )];
        told.push(format!("It asks: {}", draft.stem));
        for (i, option, key) in self.options() {
            let proven = self.all(&option.claims);
            let verdict = match (proven.proof, key) {
                (Proof::Proved, true) => "is the key, and it holds",
                (Proof::Refuted, true) => "is the key, but it does not hold",
                (Proof::Undecided, true) => "is the key, and what is here does not decide it",
                (Proof::Refuted, false) => "is wrong",
                (Proof::Proved, false) => "is no key, but it holds",
                (Proof::Undecided, false) => "is no key, and what is here does not decide it",
            };
            let why: Vec<&str> = proven.because.iter().take(2).map(|r| r.says.as_str()).collect();
            let why = if why.is_empty() { String::new() } else { format!(": {}", why.join("; ")) };
            told.push(format!("{} “{}” {verdict}{why}.", LETTERS[i.min(3)], option.text));
        }
        let documents = named(self.provenance);
        let here = documents.iter().filter(|d| matches!((self.ground.documents)(d), Held::Here(_))).count();
        told.push(format!("Of the {} documents it rests on, {here} are here.", documents.len()));
        told
    }

    fn chain(&self) -> Node {
        let item = self.item();
        let id = published_id(&item.draft.pair, self.ground.registry);
        let mut root = Node::leaf(format!("{} ({id})", item.item));
        if !item.draft.stem_claims.is_empty() {
            let rests_on = item.draft.stem_claims.iter().map(|c| self.claim(c)).collect();
            root.rests_on.push(Node { says: format!("stem: {}", item.draft.stem), rests_on });
        }
        for (i, option, key) in self.options() {
            let mark = if key { " [key]" } else { "" };
            let mut rests_on: Vec<Node> = option.claims.iter().map(|c| self.claim(c)).collect();
            if !option.support.is_empty() {
                let quotes = option.support.iter().map(|q| self.quote(q)).collect();
                rests_on.push(Node { says: "quoted for it".to_string(), rests_on: quotes });
            }
            root.rests_on.push(Node { says: format!("{}{mark}: {}", LETTERS[i.min(3)], option.text), rests_on });
        }
        root
    }

    fn claim(&self, claim: &Claim) -> Node {
        let draft = &self.item().draft;
        let proven = prove(claim, draft.day, draft.known_on, self.ground.graph);
        let verdict = match proven.proof {
            Proof::Proved => "proved",
            Proof::Refuted => "refuted",
            Proof::Undecided => "undecided",
        };
        let facts = proven.because.iter().map(|reason| Node {
            says: reason.says.clone(),
            rests_on: reason.quote.iter().map(|q| self.quote(q)).collect(),
        });
        let verdict = Node { says: verdict.to_string(), rests_on: facts.collect() };
        Node { says: format!("claims that {}", sentence(claim, draft.day)), rests_on: vec![verdict] }
    }

    fn quote(&self, quote: &Quote) -> Node {
        let document = Node::leaf(self.document(&quote.document));
        let bytes = format!("bytes {}-{}", quote.span.start, quote.span.end);
        Node { says: format!("“{}” ({bytes})", quote.text), rests_on: vec![document] }
    }

    fn document(&self, digest: &Digest) -> String {
        let about = self.provenance.documents.iter().find(|d| d.digest == *digest);
        let name = about.map_or_else(|| "a document".to_string(), |d| d.name.clone());
        let origin = about.and_then(|d| d.origin.as_ref()).map_or(String::new(), |o| format!(", from {o}"));
        let here = match (self.ground.documents)(digest) {
            Held::Here(bytes) => format!("{} bytes here, hash re-made: {}", bytes.len(), Digest::of(&bytes) == *digest),
            Held::Absent => "not here".to_string(),
            Held::Damaged(why) => format!("damaged: {why}"),
        };
        format!("{name} (sha256 {}{origin}; {here})", digest.short(16))
    }
}
