//! A source read into a graph, what the built-in author makes of it, and a server that answers as a model would.

use legal_link::author::{Assignment, BuiltIn};
use legal_link::build::{Rubrics, load};
use legal_link::dataset::{Claim, Draft, Pair};
use legal_link::graph::RelationGraph;
use legal_link::law::{Day, Registry};
use legal_link::source::Source;
use legal_link::verify::Rules;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};

pub struct World {
    registry: Registry,
    rules: Rules,
    graph: RelationGraph,
    known_on: Day,
}

impl World {
    pub fn of(rubrics: &Rubrics, source: &dyn Source) -> Self {
        let registry = rubrics.registry().unwrap_or_else(|e| panic!("{e}"));
        let rules = Rules::parse("checks.toml", rubrics.file("checks.toml").expect("shipped")).expect("rules");
        let loaded = load(source, &registry).expect("a source");
        let known_on = loaded.facts.known_on.expect("the source says when it was taken");
        let graph = RelationGraph::build(loaded.facts, &registry);
        Self { registry, rules, graph, known_on }
    }

    /// What comes with the program.
    pub fn shipped(rubrics: &Rubrics) -> Self {
        let shipped = legal_link::build::shipped().expect("what is shipped reads");
        Self::of(rubrics, legal_link::source::Origin::Shipped.open(shipped).expect("it is a source").as_ref())
    }

    pub fn graph(&self) -> &RelationGraph {
        &self.graph
    }

    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// So many items of the built-in author, each of another pair, relation by relation.
    pub fn good(&self, items: usize) -> Vec<Draft> {
        let mut lists: Vec<Vec<Pair>> = self.registry.asked().map(|spec| self.pairs(spec.name.as_str())).collect();
        let mut good = Vec::new();
        while good.len() < items && lists.iter().any(|list| !list.is_empty()) {
            for pair in lists.iter_mut().filter_map(Vec::pop) {
                good.extend(self.drafts(&pair).into_iter().next().filter(|_| good.len() < items));
            }
        }
        good
    }

    /// The pairs of a relation whose texts are both here.
    fn pairs(&self, relation: &str) -> Vec<Pair> {
        let here = |celex| self.graph.act(celex).is_some();
        let edges =
            self.graph.edges().filter(|e| e.relation.as_str() == relation && here(&e.source) && here(&e.target));
        let pair = |e: &legal_link::law::DatedRelation| Pair {
            source: e.source.clone().into(),
            relation: e.relation.clone(),
            target: e.target.clone().into(),
        };
        edges.map(pair).collect()
    }

    fn drafts(&self, pair: &Pair) -> Vec<Draft> {
        let Self { registry, rules, graph, known_on } = self;
        BuiltIn.draft(Assignment { pair, items: 20, graph, registry, rules, known_on: *known_on, seed: 7 }).drafts
    }

    /// What a perfect model would answer for these relations: for the line by which a prompt names a pair, replies.
    pub fn replies(&self, relations: &[&str]) -> BTreeMap<String, Vec<Value>> {
        let pairs = relations.iter().flat_map(|r| self.pairs(r));
        let of = |pair: Pair| {
            let label = &self.registry.spec(&pair.relation).expect("registered").label;
            let line = format!("- {} {label} {}.", pair.source, pair.target);
            (line, self.drafts(&pair).iter().map(as_reply).collect())
        };
        pairs.map(of).collect()
    }
}

/// A draft as a model hands it over: every field of a claim a text, those unused empty.
fn as_reply(draft: &Draft) -> Value {
    let claims = |claims: &[Claim]| -> Vec<Value> { claims.iter().map(claim).collect() };
    let options: Vec<Value> =
        draft.options.iter().map(|o| json!({"text": o.text, "claims": claims(&o.claims)})).collect();
    json!({
        "day": draft.day.to_string(),
        "stem": draft.stem,
        "stem_claims": claims(&draft.stem_claims),
        "options": options,
    })
}

fn claim(claim: &Claim) -> Value {
    let fields = ["form", "act", "part", "by", "is", "last_day", "words", "unit"];
    let written = serde_json::to_value(claim).expect("a claim serialises");
    let text = |field: &&str| (field.to_string(), json!(written[*field].as_str().unwrap_or_default()));
    let mut all: Map<String, Value> = fields.iter().map(text).collect();
    all.insert("denied".to_string(), written["denied"].clone());
    Value::Object(all)
}

/// A chat server on loopback that answers a prompt by the first line of `replies` that it holds, in turn. Its base.
pub fn serve(replies: BTreeMap<String, Vec<Value>>) -> String {
    let mut asked: BTreeMap<String, usize> = BTreeMap::new();
    serve_by(move |request| {
        let prompt = prompt(request);
        let found = replies.iter().find(|(line, replies)| !replies.is_empty() && prompt.contains(line.as_str()));
        let content = found.map_or("I do not know.".to_string(), |(line, replies)| {
            let n = asked.entry(line.clone()).or_default();
            *n += 1;
            replies[(*n - 1) % replies.len()].to_string()
        });
        (content, json!({"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}))
    })
}

/// The last turn of a request.
pub fn prompt(request: &Value) -> String {
    let last = request["messages"].as_array().and_then(|messages| messages.last());
    last.and_then(|turn| turn["content"].as_str()).unwrap_or_default().to_string()
}

/// A chat server on loopback that answers one request after the other with a text and the tokens used. Its base.
pub fn serve_by(mut reply: impl FnMut(&Value) -> (String, Value) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let base = format!("http://{}/v1", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let _ = answer(stream, &mut reply);
        }
    });
    base
}

fn answer(mut stream: TcpStream, reply: &mut impl FnMut(&Value) -> (String, Value)) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let (mut length, mut line) = (0, String::new());
    while reader.read_line(&mut line)? > 2 {
        let lower = line.to_ascii_lowercase();
        if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
        line.clear();
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let request: Value = serde_json::from_slice(&body).unwrap_or_default();
    let (content, usage) = reply(&request);
    let reply = json!({
        "model": "served-by-the-test",
        "choices": [{"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}],
        "usage": usage,
    });
    let reply = reply.to_string();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{reply}",
        reply.len()
    )
}
