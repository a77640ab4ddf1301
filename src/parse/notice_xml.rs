//! XML notices (search, object, branch, tree): works with their names, facts and links, annotations inside.

use super::annotation::Annotation;
use super::notice::Gathered;
use super::{Refused, Warning, rdf};
use crate::law::{Celex, Span};
use quick_xml::events::Event;
use quick_xml::reader::Reader;

/// Notices nest a dozen levels; what stands deeper is left out.
const DEEPEST: usize = 64;

/// An element. Elements stand in document order, parents first.
struct Element {
    name: String,
    text: String,
    parent: usize,
    children: Vec<usize>,
    span: Span,
}

/// Reads the notice into `gathered`.
pub(super) fn read(bytes: &[u8], gathered: &mut Gathered) -> Result<(), Refused> {
    let tree = tree(bytes, gathered);
    let works: Vec<usize> = (0..tree.len()).filter(|i| tree[*i].name == "WORK").collect();
    if works.is_empty() {
        return Err(Refused::NotThis { wanted: "notice", found: "no work".to_string() });
    }
    for work in works {
        let Some(subject) = name(&tree, work) else { continue };
        for child in &tree[work].children {
            let element = &tree[*child];
            let relation = gathered.relation(&element.name);
            let object = relation.as_ref().and_then(|_| object(&tree, *child));
            for annotation in annotations(&tree, *child) {
                match (&relation, &object, value(&tree, *child)) {
                    (Some(relation), Some(object), _) => {
                        gathered.link(subject.clone(), relation.clone(), object.clone(), element.span, annotation);
                    }
                    (None, _, Some(value)) => gathered.fact(&subject, &element.name, value, &annotation, element.span),
                    _ => {}
                }
            }
            if relation.is_some() && object.is_none() {
                let message = format!("{} of {subject}: no CELEX number for the other end", element.name);
                gathered.warnings.push(Warning { span: element.span, message });
            }
        }
    }
    Ok(())
}

fn child<'t>(tree: &'t [Element], of: usize, name: &'t str) -> impl Iterator<Item = usize> + 't {
    tree[of].children.iter().copied().filter(move |c| tree[*c].name == name)
}

fn value(tree: &[Element], of: usize) -> Option<&str> {
    child(tree, of, "VALUE").next().map(|v| tree[v].text.trim())
}

/// The CELEX number of a work or link: among its names, or its own field.
fn name(tree: &[Element], of: usize) -> Option<Celex> {
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

/// The other end of a link: named by it, or by the notice embedded in it.
fn object(tree: &[Element], link: usize) -> Option<Celex> {
    let embedded = child(tree, link, "EMBEDDED_NOTICE").flat_map(|n| child(tree, n, "WORK"));
    name(tree, link).or_else(|| embedded.into_iter().find_map(|work| name(tree, work)))
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

fn tree(bytes: &[u8], gathered: &mut Gathered) -> Vec<Element> {
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
                gathered.warnings.push(Warning { span: Span::new(start, bytes.len()), message });
                break;
            }
        };
        let end = usize::try_from(reader.buffer_position()).unwrap_or(start);
        match event {
            Event::Start(tag) => {
                depth += 1;
                if depth <= DEEPEST {
                    let name = String::from_utf8_lossy(tag.local_name().as_ref()).into_owned();
                    let index = tree.len();
                    tree[at].children.push(index);
                    tree.push(Element {
                        name,
                        text: String::new(),
                        parent: at,
                        children: Vec::new(),
                        span: Span::new(start, end),
                    });
                    at = index;
                }
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
