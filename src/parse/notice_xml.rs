//! XML notices (search, object, branch, tree): works with their names, facts and links, annotations inside.

use super::annotation::Annotation;
use super::identifiers::in_address;
use super::notice::{End, Gathered};
use super::{Refused, Warning, rdf};
use crate::law::{Celex, Span};
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

/// Notices nest a dozen levels; what stands deeper is left out.
const DEEPEST: usize = 64;

/// An element. Elements stand in document order, parents first.
pub(super) struct Element {
    pub name: String,
    pub text: String,
    pub parent: usize,
    children: Vec<usize>,
    pub span: Span,
}

/// Reads the notice into `gathered`.
pub(super) fn read(bytes: &[u8], gathered: &mut Gathered) -> Result<(), Refused> {
    let tree = tree(bytes, &mut gathered.warnings);
    if !tree.iter().any(|e| matches!(e.name.as_str(), "WORK" | "EXPRESSION")) {
        return Err(Refused::NotThis { wanted: "notice", found: "no work and no expression".to_string() });
    }
    gather(&tree, gathered);
    Ok(())
}

/// What all works and expressions of a notice say.
pub(super) fn gather(tree: &[Element], gathered: &mut Gathered) {
    for expression in (0..tree.len()).filter(|i| tree[*i].name == "EXPRESSION") {
        title(tree, expression, gathered);
    }
    for named in 0..tree.len() {
        let Some(celex) = name(tree, named) else { continue };
        let same = child(tree, named, "SAMEAS").flat_map(|s| child(tree, s, "URI"));
        for uri in child(tree, named, "URI").chain(same) {
            if let Some(address) = value(tree, uri).filter(|address| in_address(address).is_none()) {
                gathered.work(address.to_string(), celex.clone());
            }
        }
    }
    for work in (0..tree.len()).filter(|i| tree[*i].name == "WORK") {
        let Some(subject) = name(tree, work) else { continue };
        for at in &tree[work].children {
            let element = &tree[*at];
            let relation = gathered.relation(&element.name);
            let other = relation.as_ref().and_then(|_| end(tree, *at));
            for annotation in annotations(tree, *at) {
                match (&relation, &other, value_or_day(tree, *at).as_deref()) {
                    (Some(relation), Some(other), _) => {
                        let own = End::Act(subject.clone());
                        gathered.link(own, relation.clone(), other.clone(), element.span, annotation);
                    }
                    (None, _, Some(value)) => gathered.fact(&subject, &element.name, value, &annotation, element.span),
                    _ => {}
                }
            }
            if relation.is_some() && other.is_none() {
                let message = format!("{} of {subject}: the other end has no name", element.name);
                gathered.warnings.push(Warning { span: element.span, message });
            }
        }
    }
}

/// The English title of an expression that says which work it is of.
fn title(tree: &[Element], expression: usize, gathered: &mut Gathered) {
    let code = |at: usize| {
        let uri = child(tree, at, "URI").flat_map(|u| child(tree, u, "IDENTIFIER")).next();
        uri.or_else(|| child(tree, at, "OP-CODE").next()).map(|c| tree[c].text.trim())
    };
    let english = child(tree, expression, "EXPRESSION_USES_LANGUAGE").any(|l| code(l) == Some("ENG"))
        || child(tree, expression, "SAMEAS").flat_map(|s| child(tree, s, "URI")).any(|uri| {
            child(tree, uri, "IDENTIFIER")
                .any(|i| tree[i].text.trim().strip_suffix("ENG").is_some_and(|t| t.ends_with('.')))
        });
    let work = child(tree, expression, "EXPRESSION_BELONGS_TO_WORK").find_map(|w| name(tree, w));
    let said = ["EXPRESSION_TITLE", "TITLE"].into_iter().flat_map(|t| child(tree, expression, t)).next();
    if let (true, Some(work), Some(said)) = (english, work, said)
        && let Some(words) = value(tree, said)
    {
        gathered.title(&work, words, tree[said].span);
    }
}

pub(super) fn children(tree: &[Element], of: usize) -> &[usize] {
    &tree[of].children
}

/// A value, or a day that is written in three fields only.
fn value_or_day(tree: &[Element], of: usize) -> Option<String> {
    value(tree, of).map(str::to_string).or_else(|| {
        let field = |name: &str| child(tree, of, name).next().map(|f| tree[f].text.trim());
        Some(format!("{}-{:0>2}-{:0>2}", field("YEAR")?, field("MONTH")?, field("DAY")?))
    })
}

pub(super) fn child<'t>(tree: &'t [Element], of: usize, name: &'t str) -> impl Iterator<Item = usize> + 't {
    tree[of].children.iter().copied().filter(move |c| tree[*c].name == name)
}

pub(super) fn value(tree: &[Element], of: usize) -> Option<&str> {
    child(tree, of, "VALUE").next().map(|v| tree[v].text.trim())
}

/// The CELEX number of a work or link: among its names, or its own field.
pub(super) fn name(tree: &[Element], of: usize) -> Option<Celex> {
    let same = child(tree, of, "SAMEAS").flat_map(|s| child(tree, s, "URI"));
    let by_name = child(tree, of, "URI").chain(same).find_map(|uri| {
        let is = child(tree, uri, "TYPE").any(|t| tree[t].text.trim() == "celex");
        let identifier = child(tree, uri, "IDENTIFIER").next().map(|i| tree[i].text.trim());
        identifier.filter(|_| is).and_then(|i| i.parse().ok())
    });
    by_name.or_else(|| {
        let fields = ["RESOURCE_LEGAL_ID_CELEX", "ID_CELEX"];
        fields.into_iter().flat_map(|f| child(tree, of, f)).find_map(|f| value(tree, f)?.parse().ok())
    })
}

/// The other end of a link: by its CELEX number or, where the link and the notice embedded in it give none, by the first
/// of its addresses.
fn end(tree: &[Element], link: usize) -> Option<End> {
    let embedded: Vec<usize> = child(tree, link, "EMBEDDED_NOTICE").flat_map(|n| child(tree, n, "WORK")).collect();
    let celex = name(tree, link).or_else(|| embedded.iter().find_map(|work| name(tree, *work)));
    let mut addresses = std::iter::once(link).chain(embedded).flat_map(|of| child(tree, of, "URI"));
    celex.map(End::Act).or_else(|| addresses.find_map(|uri| value(tree, uri)).map(End::of))
}

/// The annotations of a statement; one without words if it has none.
fn annotations(tree: &[Element], of: usize) -> Vec<Annotation> {
    let read = |at: usize| {
        let mut annotation = Annotation::default();
        for field in &tree[at].children {
            annotation.set(&tree[*field].name, &tree[*field].text);
        }
        annotation
    };
    let found: Vec<Annotation> = child(tree, of, "ANNOTATION").map(read).collect();
    if found.is_empty() { vec![Annotation::default()] } else { found }
}

pub(super) fn tree(bytes: &[u8], warnings: &mut Vec<Warning>) -> Vec<Element> {
    let mut reader = Reader::from_reader(bytes);
    reader.config_mut().check_end_names = false;
    let root =
        Element { name: String::new(), text: String::new(), parent: 0, children: Vec::new(), span: Span::new(0, 0) };
    let mut tree = vec![root];
    let (mut at, mut depth) = (0, 0_usize);
    loop {
        let start = usize::try_from(reader.buffer_position()).unwrap_or(0);
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(e) => {
                let message = format!("the notice is torn here: {e}");
                warnings.push(Warning { span: Span::new(start, bytes.len()), message });
                break;
            }
        };
        let end = usize::try_from(reader.buffer_position()).unwrap_or(start);
        match event {
            Event::Start(tag) => {
                depth += 1;
                if depth <= DEEPEST {
                    at = add(&mut tree, at, &tag, Span::new(start, end));
                }
            }
            Event::Empty(tag) if depth < DEEPEST => {
                add(&mut tree, at, &tag, Span::new(start, end));
            }
            Event::End(_) => {
                if depth <= DEEPEST {
                    tree[at].span = Span::new(tree[at].span.start, end);
                    at = tree[at].parent;
                }
                depth = depth.saturating_sub(1);
            }
            Event::Text(text) if depth <= DEEPEST => tree[at].text.push_str(&String::from_utf8_lossy(&text)),
            Event::GeneralRef(name) if depth <= DEEPEST => tree[at].text.extend(rdf::character(&name)),
            Event::Eof => break,
            _ => {}
        }
    }
    tree
}

/// Adds an element to its parent; its index.
fn add(tree: &mut Vec<Element>, parent: usize, tag: &BytesStart, span: Span) -> usize {
    let name = String::from_utf8_lossy(tag.local_name().as_ref()).into_owned();
    let index = tree.len();
    tree[parent].children.push(index);
    tree.push(Element { name, text: String::new(), parent, children: Vec::new(), span });
    index
}
