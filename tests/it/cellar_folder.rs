//! What two servers say, written down as a folder: tables of what the endpoint is loaded with, and the documents that the
//! repository serves.

use crate::cellar_rdf::{ANNOTATIONS, CellarRdf, Said};
use crate::standin::{Library, cellar_id};
use legal_link::law::{Celex, Digest, Registry};
use legal_link::source::{Folder, Listed, Source as _};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The predicate of consolidated states.
const CONSOLIDATES: &str = "act_consolidated_consolidates_resource_legal";

/// A folder being written, all of it taken on one day.
pub struct Written<'a> {
    path: &'a Path,
    day: &'a str,
    index: String,
}

impl<'a> Written<'a> {
    pub fn new(path: &'a Path, day: &'a str) -> Self {
        Self { path, day, index: "file\tcelex\tflavour\tlanguage\tsha256\ttaken\n".to_string() }
    }

    fn file(&mut self, name: &str, celex: &str, flavour: &str, bytes: &[u8]) {
        let path = self.path.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, bytes).expect("room on disk");
        let line = [name, celex, flavour, "en", &Digest::of(bytes).to_string(), self.day].join("\t");
        self.index.push_str(&line);
        self.index.push('\n');
    }

    /// The tables of what `rdf` says: the edges of these relations, what is annotated to those that `in_full` picks (by
    /// relation, acting act and act acted upon), the dates of the acts that stand in them, and the consolidated states.
    /// Gives the acts named.
    pub fn tables(
        &mut self,
        rdf: &CellarRdf,
        registry: &Registry,
        relations: &BTreeSet<String>,
        in_full: &dyn Fn(&str, &str, &str) -> bool,
    ) -> BTreeSet<String> {
        let listed = |predicate: &str| {
            let (relation, _) = registry.by_predicate(predicate)?;
            relations.contains(relation.as_str()).then(|| relation.to_string())
        };
        let (mut edges, mut annotated, mut states) = (Vec::new(), Vec::new(), Vec::new());
        let (mut acts, mut dated) = (BTreeSet::new(), BTreeSet::new());
        for [source, predicate, target] in &rdf.edges {
            if predicate == CONSOLIDATES {
                let celex: Celex = source.parse().expect("a number");
                if celex.base().as_str() == target {
                    states.push(
                        [source.as_str(), &celex.parts().version.expect("a day").to_string(), target].map(quoted),
                    );
                }
                acts.extend([source.clone(), target.clone()]);
            }
            let Some(relation) = listed(predicate) else { continue };
            edges.push([source.as_str(), &relation, target, ""].map(quoted));
            acts.extend([source.clone(), target.clone()]);
            if in_full(&relation, source, target) {
                dated.extend([source.clone(), target.clone()]);
            }
        }
        for ([source, predicate, target], said) in &rdf.axioms {
            let relation = listed(predicate).filter(|relation| in_full(relation, source, target));
            if let Some(relation) = relation {
                let ends = [source.as_str(), &relation, target, ""].map(quoted);
                annotated.push(ends.into_iter().chain(ANNOTATIONS.map(|name| cell(said, name))).collect::<Vec<_>>());
            }
        }
        let facts = rdf.facts.iter().filter(|([celex, ..], _)| dated.contains(celex)).map(
            |([celex, property, value], said)| {
                let property = property.rsplit(':').next().unwrap_or(property);
                let fact = [celex.as_str(), property, value].map(quoted);
                fact.into_iter()
                    .chain(["type_of_date", "comment_on_date"].map(|name| cell(said, name)))
                    .collect::<Vec<_>>()
            },
        );
        let header = "source_celex,relation,target_celex,evidence_file";
        self.table("relations", header, &edges);
        self.table("relations_annotated", &format!("{header},{}", ANNOTATIONS.join(",")), &annotated);
        self.table("dates", "celex,property,value,type_of_date,comment_on_date", &facts.collect::<Vec<_>>());
        self.table("consolidations", "consolidated_celex,state_date,consolidates", &states);
        acts
    }

    fn table(&mut self, name: &str, header: &str, rows: &[impl AsRef<[String]>]) {
        let rows: Vec<String> = rows.iter().map(|row| row.as_ref().join(",")).collect();
        self.file(
            &format!("edges/{name}.csv"),
            "",
            "edge-table",
            format!("{header}\n{}\n", rows.join("\n")).as_bytes(),
        );
    }

    /// The notice of an act, as the repository serves it.
    pub fn notice(&mut self, library: &Library, celex: &str) {
        let bytes = library.notice_of(&cellar_id(celex)).expect("a work");
        self.file(&format!("notices/{}.tree.rdf", celex.replace('/', "-")), celex, "notice-tree", &bytes);
    }

    /// The names of a work, as the repository serves them.
    pub fn names(&mut self, library: &Library, id: &str) {
        let bytes = library.names_of(id).expect("a work");
        self.file(&format!("notices/{id}.identifiers.xml"), "", "notice-identifiers", &bytes);
    }

    /// A text that another folder holds.
    pub fn text(&mut self, from: &Folder, one: &Listed) {
        let celex = one.key.celex().expect("an act");
        let bytes = from.fetch(&one.key).expect("a document").bytes;
        self.file(&one.address, celex.as_str(), one.key.name(), &bytes);
    }

    /// The folder.
    pub fn open(self) -> Folder {
        fs::write(self.path.join("INDEX.tsv"), self.index).expect("room on disk");
        Folder::open(self.path).expect("a sound index")
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

fn cell(said: &[Said], name: &str) -> String {
    quoted(said.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value))
}
