//! RDF/XML notices. A work has many names there, and statements use any of them: the names are joined
//! first. Annotations are axioms of their own that repeat the statement they annotate.

use super::annotation::Annotation;
use super::identifiers::in_address;
use super::markup::attributes;
use super::notice::{End, Gathered};
use super::{Parsed, Refused, Warning, sniff};
use crate::law::{Celex, Language, RelationType, Span};
use memchr::memmem::Finder;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::{Namespace, NamespaceError, NamespaceResolver, QName, ResolveResult};
use quick_xml::reader::Reader;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::LazyLock;

const RDF: &[u8] = b"http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const OWL: &[u8] = b"http://www.w3.org/2002/07/owl#";
const ANNOTATION: &[u8] = b"http://publications.europa.eu/ontology/annotation#";
const CDM: &[u8] = b"http://publications.europa.eu/ontology/cdm#";

/// A property of a node: a link or a literal.
struct Property<'a> {
    name: &'a str,
    space: Space,
    value: Value<'a>,
    span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Space {
    Cdm,
    Owl,
    Annotation,
    Other,
}

enum Value<'a> {
    Link(Cow<'a, str>),
    Literal(String),
}

/// A described thing, with its properties among all.
struct Node<'a> {
    about: Cow<'a, str>,
    properties: Range<usize>,
    span: Span,
}

/// What is described, in the order of the document.
#[derive(Default)]
struct Described<'a> {
    nodes: Vec<Node<'a>>,
    properties: Vec<Property<'a>>,
}

impl<'a> Described<'a> {
    fn begin(&mut self, about: Cow<'a, str>, span: Span) {
        let at = self.properties.len();
        self.nodes.push(Node { about, properties: at..at, span });
    }

    fn add(&mut self, property: Property<'a>) {
        if let Some(node) = self.nodes.last_mut() {
            self.properties.push(property);
            node.properties.end = self.properties.len();
        }
    }

    fn of(&self, node: &Node) -> &[Property<'a>] {
        self.properties.get(node.properties.clone()).unwrap_or_default()
    }
}

/// Reads the notice into `gathered`.
pub(super) fn read(bytes: &[u8], gathered: &mut Gathered) -> Result<(), Refused> {
    let described = described(bytes, &mut gathered.warnings)?;
    let mut names = Names::default();
    for node in &described.nodes {
        let mut own = None;
        for property in described.of(node) {
            let other = match &property.value {
                Value::Link(other) if property.space == Space::Owl && property.name == "sameAs" => other.clone(),
                Value::Literal(celex) if property.name == "resource_legal_id_celex" => format!("/celex/{celex}").into(),
                // The only name of its own that a work has in a normalised notice, where it is no act of law.
                Value::Literal(id) if property.name == "work_id_document" => match id.trim().strip_prefix("celex:") {
                    Some(celex) => format!("/celex/{celex}").into(),
                    None => continue,
                },
                _ => continue,
            };
            let (own, other) = (*own.get_or_insert_with(|| names.id(node.about.clone())), names.id(other));
            names.join(own, other);
        }
    }
    let acts = names.acts();
    let mut relations = Relations::default();
    for node in &described.nodes {
        let properties = described.of(node);
        if properties.iter().any(|p| p.space == Space::Owl && p.name == "annotatedSource") {
            axiom(node, properties, &acts, &mut relations, gathered);
        } else {
            statements(node, properties, &acts, &mut relations, gathered);
            title(properties, &acts, gathered);
        }
    }
    for (address, celex) in acts.known() {
        gathered.work(address.to_string(), celex.clone());
    }
    Ok(())
}

/// The languages in which a notice of a work's tree, in RDF/XML, lists expressions.
///
/// # Errors
/// [`Refused`] where the bytes are no such notice.
pub fn expressions(bytes: &[u8]) -> Result<Parsed<BTreeSet<Language>>, Refused> {
    if bytes.len() > sniff::LIMIT {
        return Err(Refused::TooBig { bytes: bytes.len(), limit: sniff::LIMIT });
    }
    if sniff::notice(bytes)? != sniff::NoticeKind::Rdf {
        return Err(Refused::NotThis { wanted: "notice in RDF/XML", found: "another form".to_string() });
    }
    let mut warnings = Vec::new();
    let described = described(bytes, &mut warnings)?;
    let languages = described.nodes.iter().filter_map(|node| language(described.of(node)));
    Ok(Parsed { value: languages.collect(), warnings })
}

/// Where a property of the CDM leads.
fn leads<'p>(properties: &'p [Property], name: &str) -> Option<&'p str> {
    properties.iter().find_map(|p| match &p.value {
        Value::Link(to) if p.space == Space::Cdm && p.name == name => Some(to.as_ref()),
        _ => None,
    })
}

/// The language that an expression uses.
fn language(properties: &[Property]) -> Option<Language> {
    Language::from_code(leads(properties, "expression_uses_language")?.rsplit('/').next()?)
}

/// The English title of an expression that says which work it is of.
fn title(properties: &[Property], acts: &Acts, gathered: &mut Gathered) {
    if language(properties) != Some(Language::ENGLISH) {
        return;
    }
    let title = properties.iter().find(|p| p.space == Space::Cdm && p.name == "expression_title");
    let work = leads(properties, "expression_belongs_to_work").and_then(|work| acts.of(work));
    if let (Some(Property { value: Value::Literal(words), span, .. }), Some(work)) = (title, work) {
        gathered.title(&work, words, *span);
    }
}

/// Which relation each property is, asked for once: a notice has few properties, each a thousand times.
#[derive(Default)]
struct Relations<'a>(HashMap<&'a str, Option<(RelationType, bool)>>);

impl<'a> Relations<'a> {
    fn of(&mut self, property: &'a str, gathered: &Gathered) -> Option<(RelationType, bool)> {
        self.0.entry(property).or_insert_with(|| gathered.relation(property)).clone()
    }
}

fn statements<'a>(
    node: &Node,
    properties: &[Property<'a>],
    acts: &Acts,
    relations: &mut Relations<'a>,
    gathered: &mut Gathered,
) {
    let mut known = None;
    let mut subject = || known.get_or_insert_with(|| acts.of(&node.about)).clone();
    for property in properties.iter().filter(|p| p.space == Space::Cdm) {
        match &property.value {
            Value::Link(object) => {
                let Some(relation) = relations.of(property.name, gathered) else { continue };
                let own = subject().map_or_else(|| End::of(&node.about), End::Act);
                gathered.link(own, relation, acts.end(object), property.span, Annotation::default());
            }
            Value::Literal(value) => {
                if let Some(celex) = subject() {
                    gathered.fact(&celex, property.name, value, &Annotation::default(), property.span);
                }
            }
        }
    }
}

fn axiom<'a>(
    node: &Node,
    properties: &'a [Property<'a>],
    acts: &Acts,
    relations: &mut Relations<'a>,
    gathered: &mut Gathered,
) {
    let mut annotation = Annotation::default();
    let (mut source, mut target, mut annotated) = (None, None, Vec::new());
    for property in properties {
        match (&property.value, property.space, property.name) {
            (Value::Link(uri), Space::Owl, "annotatedSource") => source = Some(uri.as_ref()),
            (Value::Link(value), Space::Owl, "annotatedTarget") => target = Some(value.as_ref()),
            (Value::Literal(value), Space::Owl, "annotatedTarget") => target = Some(value.as_str()),
            (Value::Link(uri), Space::Owl, "annotatedProperty") => annotated.extend(uri.rsplit('#').next()),
            (Value::Literal(value), Space::Annotation, name) => annotation.set(name, value),
            _ => {}
        }
    }
    let (Some(source), Some(target)) = (source, target) else { return };
    // One axiom may name the relation and properties above it: the relation is the one meant.
    for property in annotated {
        if let Some(relation) = relations.of(property, gathered) {
            gathered.link(acts.end(source), relation, acts.end(target), node.span, annotation.clone());
        } else if let Some(celex) = acts.of(source) {
            gathered.fact(&celex, property, target, &annotation, node.span);
        }
    }
}

/// The names of works, joined where the notice says they are the same.
#[derive(Default)]
struct Names<'a> {
    ids: HashMap<Cow<'a, str>, usize>,
    parents: Vec<usize>,
}

impl<'a> Names<'a> {
    fn id(&mut self, name: Cow<'a, str>) -> usize {
        *self.ids.entry(name).or_insert_with(|| {
            self.parents.push(self.parents.len());
            self.parents.len() - 1
        })
    }

    fn root(&mut self, mut id: usize) -> usize {
        while self.parents[id] != id {
            self.parents[id] = self.parents[self.parents[id]];
            id = self.parents[id];
        }
        id
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.parents[one.max(other)] = one.min(other);
    }

    /// The CELEX number of every joined work: of several, the first in order.
    fn acts(mut self) -> Acts<'a> {
        let roots: Vec<usize> = (0..self.parents.len()).map(|id| self.root(id)).collect();
        let mut celexes: Vec<Option<Celex>> = vec![None; roots.len()];
        for (name, id) in &self.ids {
            let known = &mut celexes[roots[*id]];
            *known = match (known.take(), in_address(name)) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            };
        }
        Acts { ids: self.ids, roots, celexes }
    }
}

/// The acts that names stand for.
struct Acts<'a> {
    ids: HashMap<Cow<'a, str>, usize>,
    roots: Vec<usize>,
    celexes: Vec<Option<Celex>>,
}

impl Acts<'_> {
    fn of(&self, name: &str) -> Option<Celex> {
        match self.ids.get(name) {
            Some(id) => self.celexes[self.roots[*id]].clone(),
            None => in_address(name),
        }
    }

    /// A work as the end of a statement.
    fn end(&self, name: &str) -> End {
        self.of(name).map_or_else(|| End::of(name), End::Act)
    }

    /// The addresses of works that the notice gives a number for and that do not hold it themselves.
    fn known(&self) -> impl Iterator<Item = (&str, &Celex)> {
        self.ids.iter().filter_map(|(name, id)| {
            let celex = self.celexes[self.roots[*id]].as_ref()?;
            in_address(name).is_none().then_some((name.as_ref(), celex))
        })
    }
}

fn described<'a>(bytes: &'a [u8], warnings: &mut Vec<Warning>) -> Result<Described<'a>, Refused> {
    let mut reader = Reader::from_reader(bytes);
    let mut spaces = Spaces::default();
    let mut described = Described::default();
    let mut depth = 0_usize;
    let mut literal: Option<(Property, String)> = None;
    loop {
        let start = position(&reader);
        let read = reader.read_event().map_err(|e| e.to_string()).and_then(|event| {
            let entered = match &event {
                Event::Start(tag) | Event::Empty(tag) => spaces.enter(tag, depth),
                _ => Ok(()),
            };
            entered.map(|()| event).map_err(|e| e.to_string())
        });
        let event = match read {
            Ok(event) => event,
            Err(e) => {
                let message = format!("the notice is torn here: {e}");
                warnings.push(Warning { span: Span::new(start, bytes.len()), message });
                break;
            }
        };
        let span = Span::new(start, position(&reader));
        match event {
            Event::Start(tag) => {
                match depth {
                    1 => described.begin(spaces.about(inside(bytes, start, &tag)), span),
                    2 => literal = Some((spaces.property(inside(bytes, start, &tag), span), String::new())),
                    _ => {}
                }
                depth += 1;
            }
            Event::Empty(tag) => {
                match depth {
                    1 => described.begin(spaces.about(inside(bytes, start, &tag)), span),
                    2 => described.add(spaces.property(inside(bytes, start, &tag), span)),
                    _ => {}
                }
                spaces.leave(depth);
            }
            Event::End(_) => {
                depth = depth.saturating_sub(1);
                spaces.leave(depth);
                if let Some((mut property, text)) = literal.take_if(|_| depth == 2) {
                    property.span = property.span.cover(&span);
                    if matches!(property.value, Value::Literal(_)) {
                        property.value = Value::Literal(text);
                    }
                    described.add(property);
                }
                if depth == 1
                    && let Some(node) = described.nodes.last_mut()
                {
                    node.span = node.span.cover(&span);
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
    if described.nodes.is_empty() {
        return Err(Refused::NotThis { wanted: "notice", found: "no statement".to_string() });
    }
    Ok(described)
}

fn position(reader: &Reader<&[u8]>) -> usize {
    usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX)
}

/// Name and attributes of a tag that begins at `start`; of one that is no UTF-8 what is before the fault.
fn inside<'a>(bytes: &'a [u8], start: usize, tag: &BytesStart) -> (&'a str, &'a str) {
    let inner = bytes.get(start + 1..).and_then(|b| b.get(..tag.len())).unwrap_or_default();
    let inner =
        std::str::from_utf8(inner).unwrap_or_else(|_| inner.utf8_chunks().next().map_or("", |chunk| chunk.valid()));
    let blank = inner.bytes().position(|b| b.is_ascii_whitespace()).unwrap_or(inner.len());
    inner.split_at(blank)
}

/// A name without its prefix.
fn local(name: &str) -> &str {
    name.bytes().position(|b| b == b':').map_or(name, |at| &name[at + 1..])
}

/// What prefixes stand for. Statements stand two levels below the root, and declarations below them are of no use.
#[derive(Default)]
struct Spaces {
    resolver: NamespaceResolver,
    /// The depths of open elements that declare some.
    declared: Vec<usize>,
}

impl Spaces {
    fn enter(&mut self, tag: &BytesStart, depth: usize) -> Result<(), NamespaceError> {
        static MARK: LazyLock<Finder> = LazyLock::new(|| Finder::new("xmlns"));
        if depth > 2 || MARK.find(tag).is_none() {
            return Ok(());
        }
        self.declared.push(depth);
        self.resolver.push(tag)
    }

    fn leave(&mut self, depth: usize) {
        if self.declared.pop_if(|at| *at == depth).is_some() {
            self.resolver.pop();
        }
    }

    fn attribute<'a>(&self, raw: &'a str, wanted: &str) -> Option<Cow<'a, str>> {
        let is = |key: &str| {
            local(key) == wanted
                && self.resolver.resolve_attribute(QName(key.as_bytes())).0 == ResolveResult::Bound(Namespace(RDF))
        };
        let (_, value) = attributes(raw).find(|(key, _)| is(key))?;
        Some(if value.contains('&') { Cow::Owned(value.replace("&amp;", "&")) } else { Cow::Borrowed(value) })
    }

    /// The name of what an element describes.
    fn about<'a>(&self, (_, raw): (&str, &'a str)) -> Cow<'a, str> {
        let named = self.attribute(raw, "about").or_else(|| self.attribute(raw, "ID"));
        let blank = || self.attribute(raw, "nodeID").map(|id| Cow::Owned(format!("_:{id}")));
        named.or_else(blank).unwrap_or_default()
    }

    fn property<'a>(&self, (name, raw): (&'a str, &'a str), span: Span) -> Property<'a> {
        let space = match self.resolver.resolve_element(QName(name.as_bytes())).0 {
            ResolveResult::Bound(Namespace(CDM)) => Space::Cdm,
            ResolveResult::Bound(Namespace(OWL)) => Space::Owl,
            ResolveResult::Bound(Namespace(ANNOTATION)) => Space::Annotation,
            _ => Space::Other,
        };
        let value = match self.attribute(raw, "resource") {
            Some(uri) => Value::Link(uri),
            None => Value::Literal(String::new()),
        };
        Property { name: local(name), space, value, span }
    }
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
