//! Notices made of what tables say: RDF of the tree in the normalised, non-inferred form, in which every work has its
//! identifier for a name and nothing else. And the identifiers notices that tell the names.

use super::library::{Library, Work, cellar_id};
use legal_link::law::Registry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

const RESOURCE: &str = "http://publications.europa.eu/resource";

/// What a notice says.
#[derive(Debug, Clone)]
pub enum Statement {
    /// The act does this to another.
    Link {
        predicate: String,
        target: String,
        /// The annotations of the statement's axiom, by name.
        said: Vec<(String, String)>,
    },
    /// A fact about the act: property, type in XML Schema, value.
    Fact(&'static str, &'static str, String),
}

/// The columns of a table that are annotations.
const ANNOTATIONS: [&str; 7] = [
    "start_of_validity",
    "end_of_validity",
    "type_of_link_target",
    "reference_to_modified_location",
    "role2",
    "language_list",
    "comment",
];

type Row = BTreeMap<String, String>;

fn rows(path: &Path) -> Vec<Row> {
    let Ok(mut reader) = csv::Reader::from_path(path) else { return Vec::new() };
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

/// What the tables of a folder say, as statements of the acts' own notices.
pub fn of_tables(folder: &Path, registry: &Registry, library: &mut Library) {
    let mut seen = BTreeSet::new();
    for name in ["relations_annotated.csv", "relations.csv", "relations_other.csv"] {
        for row in rows(&folder.join(name)) {
            let known = registry
                .by_any_name(&row["relation"])
                .and_then(|(relation, inverse)| Some((registry.spec(&relation)?.predicates.first()?.clone(), inverse)));
            let Some((predicate, inverse)) = known else { continue };
            let (mut source, mut target) = (row["source_celex"].clone(), row["target_celex"].clone());
            if inverse {
                std::mem::swap(&mut source, &mut target);
            }
            let said = ANNOTATIONS.iter().filter_map(|name| Some((name.to_string(), row.get(*name)?.clone())));
            let said: Vec<_> = said.filter(|(_, value)| !value.is_empty()).collect();
            if seen.insert((source.clone(), predicate.clone(), target.clone(), said.clone())) {
                library.work(&target);
                library.work(&source).statements.push(Statement::Link { predicate, target, said });
            }
        }
    }
    for row in rows(&folder.join("act_metadata.csv")) {
        let work = library.work(&row["celex"]);
        work.title = Some(row["title_en"].clone()).filter(|title| !title.is_empty());
        work.statements.push(Statement::Fact("work_date_document", "date", row["work_date_document"].clone()));
        if let Some(flag) = ["0", "1"].iter().position(|flag| *flag == row["in_force_raw"]) {
            work.statements.push(Statement::Fact("resource_legal_in-force", "boolean", (flag == 1).to_string()));
        }
    }
    for row in rows(&folder.join("consolidations.csv")) {
        let (predicate, target) =
            ("act_consolidated_consolidates_resource_legal".to_string(), row["consolidates"].clone());
        library.work(&target);
        let work = library.work(&row["consolidated_celex"]);
        work.statements.push(Statement::Link { predicate, target, said: Vec::new() });
        work.statements.push(Statement::Fact("act_consolidated_date", "date", row["state_date"].clone()));
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The tree notice of a work.
pub fn notice(id: &str, work: &Work) -> String {
    let own = format!("{RESOURCE}/cellar/{id}");
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" \
         xmlns:j.0=\"http://publications.europa.eu/ontology/cdm#\" xmlns:owl=\"http://www.w3.org/2002/07/owl#\" \
         xmlns:j.1=\"http://publications.europa.eu/ontology/annotation#\">\n",
    );
    let literal = |property: &str, kind: &str, value: &str| {
        let kind = format!("http://www.w3.org/2001/XMLSchema#{kind}");
        format!("    <j.0:{property} rdf:datatype=\"{kind}\">{}</j.0:{property}>\n", escaped(value))
    };
    let _ = writeln!(out, "  <rdf:Description rdf:about=\"{own}\">");
    out += &literal("resource_legal_id_celex", "string", &work.celex);
    out += &literal("work_id_document", "string", &format!("celex:{}", work.celex));
    let mut bare = BTreeSet::new();
    for statement in &work.statements {
        match statement {
            Statement::Fact(property, kind, value) => out += &literal(property, kind, value),
            Statement::Link { predicate, target, .. } => {
                if bare.insert((predicate, target)) {
                    let to = format!("{RESOURCE}/cellar/{}", cellar_id(target));
                    let _ = writeln!(out, "    <j.0:{predicate} rdf:resource=\"{to}\"/>");
                }
            }
        }
    }
    out += "  </rdf:Description>\n";
    let axioms = work.statements.iter().filter_map(|statement| match statement {
        Statement::Link { predicate, target, said } if !said.is_empty() => Some((predicate, target, said)),
        _ => None,
    });
    for (number, (predicate, target, said)) in axioms.enumerate() {
        let _ = write!(
            out,
            "  <rdf:Description rdf:nodeID=\"A{number}\">\n    <rdf:type rdf:resource=\"http://www.w3.org/2002/07/owl#Axiom\"/>\n    \
             <owl:annotatedSource rdf:resource=\"{own}\"/>\n    \
             <owl:annotatedProperty rdf:resource=\"http://publications.europa.eu/ontology/cdm#{predicate}\"/>\n    \
             <owl:annotatedTarget rdf:resource=\"{RESOURCE}/cellar/{}\"/>\n",
            cellar_id(target)
        );
        for (name, value) in said {
            let _ = writeln!(out, "    <j.1:{name}>{}</j.1:{name}>", escaped(value));
        }
        out += "  </rdf:Description>\n";
    }
    for (number, (language, _)) in (1..).zip(&work.expressions) {
        let code = language.to_string().to_uppercase();
        let _ = write!(
            out,
            "  <rdf:Description rdf:about=\"{own}.{number:04}\">\n    <j.0:expression_belongs_to_work rdf:resource=\"{own}\"/>\n    \
             <j.0:expression_uses_language rdf:resource=\"{RESOURCE}/authority/language/{code}\"/>\n"
        );
        if let Some(title) = work.title.as_ref().filter(|_| code == "ENG") {
            let _ =
                writeln!(out, "    <j.0:expression_title xml:lang=\"en\">{}</j.0:expression_title>", escaped(title));
        }
        out += "  </rdf:Description>\n";
    }
    out + "</rdf:RDF>\n"
}

/// The names of a work.
pub fn identifiers(id: &str, work: &Work) -> String {
    let celex = &work.celex;
    let name = |kind: &str, name: &str| {
        let value = format!("{RESOURCE}/{kind}/{}", name.replace('(', "%28").replace(')', "%29"));
        format!("<URI><VALUE>{value}</VALUE><IDENTIFIER>{name}</IDENTIFIER><TYPE>{kind}</TYPE></URI>")
    };
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<NOTICE type=\"identifiers\"><WORK>{}<SAMEAS>{}</SAMEAS></WORK></NOTICE>\n",
        name("cellar", id),
        name("celex", celex)
    )
}
