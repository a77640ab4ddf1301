//! RDF in CELLAR's vocabulary, made from tables of edges, acts and states: what a SPARQL endpoint is loaded with.

use legal_link::law::{Celex, Day, Digest, EffectDate, Registry, RelationType};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

const PREFIXES: &str = "@prefix cdm: <http://publications.europa.eu/ontology/cdm#> .
@prefix cmr: <http://publications.europa.eu/ontology/cdm/cmr#> .
@prefix ann: <http://publications.europa.eu/ontology/annotation#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
";

/// A value with its type.
#[derive(Clone, Copy)]
pub enum Value<'a> {
    Date(&'a str),
    Moment(&'a str),
    Boolean(bool),
}

/// An annotation of an axiom: its name and value.
pub type Said = (String, String);

/// Statements about works, as Turtle, and as they were made.
#[derive(Default)]
pub struct CellarRdf {
    works: BTreeSet<String>,
    turtle: String,
    /// Acting act, predicate, act acted upon.
    pub edges: Vec<[String; 3]>,
    /// The same with the annotations of an axiom.
    pub axioms: Vec<([String; 3], Vec<Said>)>,
    /// Act, property, value, annotations.
    pub facts: Vec<([String; 3], Vec<Said>)>,
}

/// The address of a work.
pub fn work(celex: &str) -> String {
    let digest = Digest::of(celex.as_bytes()).to_string();
    let hex: String = digest.chars().filter(char::is_ascii_hexdigit).collect();
    let parts = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..32]];
    format!("http://publications.europa.eu/resource/cellar/{}", parts.join("-"))
}

fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "\\r");
    format!("\"{escaped}\"")
}

fn owned(said: &[(&str, &str)]) -> Vec<Said> {
    said.iter().map(|(name, value)| ((*name).to_string(), (*value).to_string())).collect()
}

impl Value<'_> {
    fn plain(self) -> String {
        match self {
            Self::Date(text) | Self::Moment(text) => text.to_string(),
            Self::Boolean(flag) => flag.to_string(),
        }
    }

    fn turtle(self) -> String {
        match self {
            Self::Date(day) => format!("{}^^xsd:date", quoted(day)),
            Self::Moment(moment) => format!("{}^^xsd:dateTime", quoted(moment)),
            Self::Boolean(flag) => format!("\"{flag}\"^^xsd:boolean"),
        }
    }
}

impl CellarRdf {
    /// The address of an act, which from now on has its number.
    pub fn act(&mut self, celex: &str) -> String {
        let work = work(celex);
        if self.works.insert(celex.to_string()) {
            let number = quoted(celex);
            let same = format!("http://publications.europa.eu/resource/celex/{celex}").replace(['(', ')'], "_");
            let _ = writeln!(
                self.turtle,
                "<{work}> cdm:resource_legal_id_celex {number}^^xsd:string ; owl:sameAs <{same}> ."
            );
        }
        work
    }

    /// A statement between two works, given by their addresses.
    pub fn statement(&mut self, source: &str, predicate: &str, target: &str) {
        let _ = writeln!(self.turtle, "<{source}> cdm:{predicate} <{target}> .");
    }

    /// An edge between two acts.
    pub fn edge(&mut self, source: &str, predicate: &str, target: &str) {
        self.edges.push([source, predicate, target].map(str::to_string));
        let (source, target) = (self.act(source), self.act(target));
        self.statement(&source, predicate, &target);
    }

    /// An axiom about an edge, with its annotations by name.
    pub fn annotated(&mut self, source: &str, predicate: &str, target: &str, said: &[(&str, &str)]) {
        self.axioms.push(([source, predicate, target].map(str::to_string), owned(said)));
        let target = format!("<{}>", self.act(target));
        self.axiom(source, predicate, &target, said);
    }

    /// A statement about an act itself, with the annotations of its axiom, if it has one.
    pub fn fact(&mut self, celex: &str, property: &str, value: Value, said: &[(&str, &str)]) {
        self.facts.push(([celex, property, &value.plain()].map(str::to_string), owned(said)));
        let (work, value) = (self.act(celex), value.turtle());
        let _ = writeln!(self.turtle, "<{work}> {property} {value} .");
        if !said.is_empty() {
            self.axiom(celex, property.trim_start_matches("cdm:"), &value, said);
        }
    }

    /// Marks a work to be left out.
    pub fn hide(&mut self, celex: &str) {
        self.fact(celex, "cdm:do_not_index", Value::Boolean(true), &[]);
    }

    fn axiom(&mut self, source: &str, predicate: &str, target: &str, said: &[(&str, &str)]) {
        let source = self.act(source);
        let said: Vec<String> = said.iter().map(|(name, value)| format!(" ; ann:{name} {}", quoted(value))).collect();
        let said = said.concat();
        let _ = writeln!(
            self.turtle,
            "[] a owl:Axiom ; owl:annotatedSource <{source}> ; owl:annotatedProperty cdm:{predicate} ; \
             owl:annotatedTarget {target}{said} ."
        );
    }

    /// All of it.
    pub fn turtle(&self) -> String {
        format!("{PREFIXES}{}", self.turtle)
    }
}

/// The forward predicate of a relation by its name in a table.
pub fn predicate(registry: &Registry, name: &str) -> Option<(RelationType, String)> {
    let (relation, _) = registry.by_any_name(name)?;
    let predicate = registry.spec(&relation)?.predicates.first()?.clone();
    Some((relation, predicate))
}

/// The rows of a table as maps by column.
pub fn rows(path: &Path) -> Vec<std::collections::BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).expect("a table");
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

/// The names of annotations, as columns and in the RDF.
pub const ANNOTATIONS: [&str; 7] = [
    "start_of_validity",
    "end_of_validity",
    "type_of_link_target",
    "reference_to_modified_location",
    "role2",
    "language_list",
    "comment",
];

/// The corpus's tables of edges, annotations, acts and states, and what its notices say of dates of effect and ends.
pub fn of_corpus(corpus: &Path, registry: &Registry) -> CellarRdf {
    let mut rdf = CellarRdf::default();
    let edges = corpus.join("edges");
    let mut seen = BTreeSet::new();
    for table in ["relations.csv", "relations_other.csv"] {
        for row in rows(&edges.join(table)) {
            let Some((_, predicate)) = predicate(registry, &row["relation"]) else { continue };
            let (source, target) = (&row["source_celex"], &row["target_celex"]);
            if seen.insert((source.clone(), predicate.clone(), target.clone())) {
                rdf.edge(source, &predicate, target);
            }
        }
    }
    for row in rows(&edges.join("relations_annotated.csv")) {
        let Some((_, predicate)) = predicate(registry, &row["relation"]) else { continue };
        let said = ANNOTATIONS.map(|name| (name, row[name].as_str()));
        let said: Vec<(&str, &str)> = said.into_iter().filter(|(_, value)| !value.is_empty()).collect();
        rdf.annotated(&row["source_celex"], &predicate, &row["target_celex"], &said);
    }
    for row in rows(&edges.join("act_metadata.csv")) {
        let celex = &row["celex"];
        rdf.fact(celex, "cdm:work_date_document", Value::Date(&row["work_date_document"]), &[]);
        if let Some(flag) = ["0", "1"].iter().position(|flag| *flag == row["in_force_raw"]) {
            rdf.fact(celex, "cdm:resource_legal_in-force", Value::Boolean(flag == 1), &[]);
        }
    }
    for row in rows(&edges.join("consolidations.csv")) {
        let state = &row["consolidated_celex"];
        rdf.edge(state, "act_consolidated_consolidates_resource_legal", &row["consolidates"]);
        rdf.fact(state, "cdm:act_consolidated_date", Value::Date(&row["state_date"]), &[]);
    }
    for (celex, effects, ends, open) in dates_of_notices(corpus, registry) {
        let celex = celex.as_str();
        for (kind, day) in effects {
            let property = "cdm:resource_legal_date_entry-into-force";
            let code = match kind {
                EffectDate::EntryIntoForce => "EV",
                EffectDate::Application => "MA",
                EffectDate::PartialApplication => "MA/PART",
                EffectDate::Unsaid => "",
            };
            let code = format!("{{{code}|http://publications.europa.eu/resource/authority/fd_335/{code}}}");
            let said: &[(&str, &str)] = if kind == EffectDate::Unsaid { &[] } else { &[("type_of_date", &code)] };
            rdf.fact(celex, property, Value::Date(&day.to_string()), said);
        }
        let ends = ends.iter().map(Day::to_string).chain(open.then(|| "9999-12-31".to_string()));
        for end in ends {
            rdf.fact(celex, "cdm:resource_legal_date_end-of-validity", Value::Date(&end), &[]);
        }
    }
    rdf
}

type Dates = (Celex, Vec<(EffectDate, Day)>, Vec<Day>, bool);

/// Dates of effect and ends that the notices give, one entry an act: of several the first.
pub fn dates_of_notices(corpus: &Path, registry: &Registry) -> Vec<Dates> {
    let mut paths: Vec<_> =
        std::fs::read_dir(corpus.join("notices")).expect("notices").flatten().map(|e| e.path()).collect();
    paths.sort();
    let mut dates: std::collections::BTreeMap<Celex, Dates> = std::collections::BTreeMap::new();
    for path in paths {
        let bytes = std::fs::read(&path).expect("a notice");
        let Ok(parsed) = legal_link::parse::notice(&bytes, registry, None) else { continue };
        for record in parsed.value.records {
            if !(record.effects.is_empty() && record.ends.is_empty()) {
                let celex = record.celex.clone();
                dates.entry(celex.clone()).or_insert((celex, record.effects, record.ends, record.open_end));
            }
        }
    }
    dates.into_values().collect()
}
