//! RDF/XML notices. A work has many names there, and statements use any of them: the names are joined
//! first. Annotations are axioms of their own that repeat the statement they annotate.

use super::annotation::Annotation;
use super::notice::Gathered;
use super::{Refused, Warning};
use crate::law::{Celex, Span};
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::ResolveResult;
use quick_xml::reader::NsReader;
use std::collections::{BTreeMap, HashMap};

const RDF: &[u8] = b"http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const OWL: &[u8] = b"http://www.w3.org/2002/07/owl#";
const ANNOTATION: &[u8] = b"http://publications.europa.eu/ontology/annotation#";
const CDM: &[u8] = b"http://publications.europa.eu/ontology/cdm#";

/// A property of a node: a link or a literal.
struct Property {
    name: String,
    space: Space,
    value: Value,
    span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Space {
    Cdm,
    Owl,
    Annotation,
    Other,
}

enum Value {
    Link(String),
    Literal(String),
}

/// A described thing with its properties.
struct Node {
    about: String,
    properties: Vec<Property>,
    span: Span,
}

/// Reads the notice into `gathered`.
pub(super) fn read(bytes: &[u8], gathered: &mut Gathered) -> Result<(), Refused> {
    let nodes = nodes(bytes, gathered)?;
    let mut names = Names::default();
    for node in &nodes {
        for property in &node.properties {
            match &property.value {
                Value::Link(other) if property.space == Space::Owl && property.name == "sameAs" => {
                    names.join(&node.about, other);
                }
                Value::Literal(celex) if property.name == "resource_legal_id_celex" => {
                    names.join(&node.about, &format!("/celex/{celex}"));
                }
                _ => {}
            }
        }
    }
    let acts = names.acts();
    for node in &nodes {
        if node.properties.iter().any(|p| p.space == Space::Owl && p.name == "annotatedSource") {
            axiom(node, &mut names, &acts, gathered);
        } else {
            statements(node, &mut names, &acts, gathered);
        }
    }
    Ok(())
}

fn statements(node: &Node, names: &mut Names, acts: &Acts, gathered: &mut Gathered) {
    let subject = acts.of(names, &node.about);
    for property in node.properties.iter().filter(|p| p.space == Space::Cdm) {
        match (&property.value, gathered.relation(&property.name)) {
            (Value::Link(object), Some(relation)) => {
                let object_act = acts.of(names, object);
                match (subject.clone(), object_act) {
                    (Some(s), Some(o)) => gathered.link(s, relation, o, property.span, Annotation::default()),
                    _ => nameless(&node.about, &property.name, object, property.span, gathered),
                }
            }
            (Value::Literal(value), _) => {
                if let Some(celex) = &subject {
                    gathered.fact(celex, &property.name, value, &Annotation::default(), property.span);
                }
            }
            _ => {}
        }
    }
}

fn axiom(node: &Node, names: &mut Names, acts: &Acts, gathered: &mut Gathered) {
    let mut annotation = Annotation::default();
    let (mut source, mut target, mut properties) = (None, None, Vec::new());
    for property in &node.properties {
        match (&property.value, property.space, property.name.as_str()) {
            (Value::Link(uri), Space::Owl, "annotatedSource") => source = Some(uri.as_str()),
            (Value::Link(value) | Value::Literal(value), Space::Owl, "annotatedTarget") => {
                target = Some(value.as_str());
            }
            (Value::Link(uri), Space::Owl, "annotatedProperty") => {
                properties.extend(uri.rsplit('#').next());
            }
            (Value::Literal(value), Space::Annotation, name) => annotation.set(name, value),
            _ => {}
        }
    }
    let (Some(source), Some(target)) = (source, target) else { return };
    // One axiom may name the relation and properties above it: the relation is the one meant.
    for property in properties {
        if let Some(relation) = gathered.relation(property) {
            match (acts.of(names, source), acts.of(names, target)) {
                (Some(s), Some(o)) => gathered.link(s, relation, o, node.span, annotation.clone()),
                _ => nameless(source, property, target, node.span, gathered),
            }
        } else if let Some(celex) = acts.of(names, source) {
            gathered.fact(&celex, property, target, &annotation, node.span);
        }
    }
}

fn nameless(source: &str, property: &str, target: &str, span: Span, gathered: &mut Gathered) {
    let message = format!("{property} from {source} to {target}: the notice gives no CELEX number for an end");
    gathered.warnings.push(Warning { span, message });
}

/// The names of works, joined where the notice says they are the same.
#[derive(Default)]
struct Names {
    ids: HashMap<String, usize>,
    parents: Vec<usize>,
}

impl Names {
    fn id(&mut self, name: &str) -> usize {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = self.parents.len();
        self.parents.push(id);
        self.ids.insert(name.to_string(), id);
        id
    }

    fn root(&mut self, mut id: usize) -> usize {
        while self.parents[id] != id {
            self.parents[id] = self.parents[self.parents[id]];
            id = self.parents[id];
        }
        id
    }

    fn join(&mut self, one: &str, other: &str) {
        let (one, other) = (self.id(one), self.id(other));
        let (one, other) = (self.root(one), self.root(other));
        self.parents[one.max(other)] = one.min(other);
    }

    /// The CELEX number of every joined work: of several, the first in order.
    fn acts(&mut self) -> Acts {
        let named: Vec<(usize, Celex)> = self.ids.iter().filter_map(|(n, id)| Some((*id, celex(n)?))).collect();
        let mut acts = BTreeMap::<usize, Celex>::new();
        for (id, celex) in named {
            let root = self.root(id);
            acts.entry(root).and_modify(|c| *c = (*c).clone().min(celex.clone())).or_insert(celex);
        }
        Acts(acts)
    }
}

struct Acts(BTreeMap<usize, Celex>);

impl Acts {
    fn of(&self, names: &mut Names, name: &str) -> Option<Celex> {
        match names.ids.get(name).copied() {
            Some(id) => self.0.get(&names.root(id)).cloned().or_else(|| celex(name)),
            None => celex(name),
        }
    }
}

/// The CELEX number in a work's address; an expression's or manifestation's is not its name.
fn celex(uri: &str) -> Option<Celex> {
    let at = uri.find("/celex/")?;
    if uri[at..].contains('.') { None } else { Celex::from_uri(uri) }
}

fn nodes(bytes: &[u8], gathered: &mut Gathered) -> Result<Vec<Node>, Refused> {
    let mut reader = NsReader::from_reader(bytes);
    let mut nodes: Vec<Node> = Vec::new();
    let mut depth = 0_usize;
    let mut literal: Option<(Property, String)> = None;
    loop {
        let start = position(&reader);
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(e) => {
                let message = format!("the notice is torn here: {e}");
                gathered.warnings.push(Warning { span: Span::new(start, bytes.len()), message });
                break;
            }
        };
        let end = position(&reader);
        match event {
            Event::Start(tag) => {
                match depth {
                    1 => nodes.push(Node {
                        about: name_of(&reader, &tag),
                        properties: Vec::new(),
                        span: Span::new(start, end),
                    }),
                    2 => literal = Some((property(&reader, &tag, Span::new(start, end)), String::new())),
                    _ => {}
                }
                depth += 1;
            }
            Event::Empty(tag) => match (depth, nodes.last_mut()) {
                (2, Some(node)) => node.properties.push(property(&reader, &tag, Span::new(start, end))),
                (1, _) => nodes.push(Node {
                    about: name_of(&reader, &tag),
                    properties: Vec::new(),
                    span: Span::new(start, end),
                }),
                _ => {}
            },
            Event::End(_) => {
                depth = depth.saturating_sub(1);
                if let (2, Some((mut property, text)), Some(node)) =
                    (depth, literal.take_if(|_| depth == 2), nodes.last_mut())
                {
                    property.span = Span::new(property.span.start, end);
                    if matches!(&property.value, Value::Literal(_)) {
                        property.value = Value::Literal(text);
                    }
                    node.properties.push(property);
                }
                if depth == 1
                    && let Some(node) = nodes.last_mut()
                {
                    node.span = Span::new(node.span.start, end);
                }
            }
            Event::Text(text) => {
                if let Some((_, literal)) = &mut literal {
                    literal.push_str(&String::from_utf8_lossy(&text));
                }
            }
            Event::GeneralRef(name) => {
                if let Some((_, literal)) = &mut literal {
                    literal.extend(character(&name));
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    if nodes.is_empty() {
        return Err(Refused::NotThis { wanted: "notice", found: "no statement".to_string() });
    }
    Ok(nodes)
}

fn position(reader: &NsReader<&[u8]>) -> usize {
    usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX)
}

/// The character a reference stands for: numbers and the five names of XML, nothing declared.
pub(super) fn character(name: &[u8]) -> Option<char> {
    match name {
        b"amp" => Some('&'),
        b"lt" => Some('<'),
        b"gt" => Some('>'),
        b"quot" => Some('"'),
        b"apos" => Some('\''),
        _ => {
            let number = std::str::from_utf8(name).ok()?.strip_prefix('#')?;
            let value = match number.strip_prefix('x') {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(value)
        }
    }
}

fn attribute(reader: &NsReader<&[u8]>, tag: &BytesStart, wanted: &[u8]) -> Option<String> {
    tag.attributes().flatten().find_map(|a| {
        let (space, name) = reader.resolver().resolve_attribute(a.key);
        let is = matches!(space, ResolveResult::Bound(ns) if ns.as_ref() == RDF) && name.as_ref() == wanted;
        is.then(|| String::from_utf8_lossy(&a.value).replace("&amp;", "&"))
    })
}

fn name_of(reader: &NsReader<&[u8]>, tag: &BytesStart) -> String {
    let named = attribute(reader, tag, b"about").or_else(|| attribute(reader, tag, b"ID"));
    named.or_else(|| attribute(reader, tag, b"nodeID").map(|id| format!("_:{id}"))).unwrap_or_default()
}

fn property(reader: &NsReader<&[u8]>, tag: &BytesStart, span: Span) -> Property {
    let (space, name) = reader.resolver().resolve_element(tag.name());
    let space = match space {
        ResolveResult::Bound(ns) if ns.as_ref() == CDM => Space::Cdm,
        ResolveResult::Bound(ns) if ns.as_ref() == OWL => Space::Owl,
        ResolveResult::Bound(ns) if ns.as_ref() == ANNOTATION => Space::Annotation,
        _ => Space::Other,
    };
    let name = String::from_utf8_lossy(name.as_ref()).into_owned();
    let value = match attribute(reader, tag, b"resource") {
        Some(uri) => Value::Link(uri),
        None => Value::Literal(String::new()),
    };
    Property { name, space, value, span }
}
