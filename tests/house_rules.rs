//! The rules of the house: the table of rooms in `ARCHITECTURE.md` against the sources.

use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Outside crates, and the one room that may name each.
const OUTSIDE: [(&str, &str); 11] = [
    ("reqwest", "http"),
    ("sled", "cache"),
    ("petgraph", "graph"),
    ("quick_xml", "parse"),
    ("scraper", "parse"),
    ("arrow", "emit"),
    ("parquet", "emit"),
    ("zip", "source"),
    ("clap", "cli"),
    ("indicatif", "cli"),
    ("similar", "view"),
];

/// Rooms whose functions depend on nothing but their arguments.
const PURE: [&str; 7] = ["law", "parse", "graph", "sample", "verify", "dataset", "emit"];

/// What a pure room may not touch.
const IMPURE: &str = r"\b(std::time|SystemTime|Instant::now|Utc::now|Local::now|std::env|env::var\w*|std::net|std::fs|std::process|rand::|thread_rng|getrandom)\b";

const PRINTING: &str = r"\b(println|eprintln|print|eprint|dbg)!";
const ENVIRONMENT: &str = r"\b(std::env::|env::vars?(_os)?\()";
const GIVING_UP: &str = r"(\.unwrap\(\)|\bpanic!|\btodo!|\bunimplemented!)";
const ASYNC: &str = r"(\basync\b|\.await\b)";

/// Rooms that may wait for others.
const ASYNC_ROOMS: [&str; 6] = ["http", "source", "model", "author", "build", "view"];

const FORBIDDEN_NAMES: [&str; 9] =
    ["util", "utils", "helper", "helpers", "common", "types", "manager", "managers", "misc"];

/// Longest file; a file is about one thing.
const MAX_LINES: usize = 800;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern of this file")
}

/// A source file: its code without comments, string contents and test code, and its string literals.
struct Source {
    name: String,
    room: String,
    /// How many modules above it up to the crate: 1 for `src/law/mod.rs`.
    depth: usize,
    lines: usize,
    code: String,
    strings: Vec<(usize, String)>,
}

fn sources() -> Vec<Source> {
    let mut paths = Vec::new();
    walk(&root().join("src"), &mut paths);
    paths.sort();
    paths.iter().filter(|p| p.file_name().is_some_and(|n| n != "tests.rs")).map(|p| source(p)).collect()
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources").flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

fn source(path: &Path) -> Source {
    let text = read(path);
    let below = path.strip_prefix(root().join("src")).expect("a source is under src");
    let steps: Vec<String> = below.iter().map(|s| s.to_string_lossy().into_owned()).collect();
    let room = if steps.len() > 1 { steps[0].clone() } else { steps[0].trim_end_matches(".rs").to_string() };
    let is_mod = steps.last().is_some_and(|s| s == "mod.rs");
    let (code, strings) = scan(&text);
    let tests = test_code(&code);
    let strings = strings.into_iter().filter(|(at, _)| !tests.iter().any(|t| t.contains(at))).collect();
    let mut bytes = code.into_bytes();
    for range in tests {
        bytes[range].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
    }
    Source {
        name: format!("src/{}", steps.join("/")),
        room,
        depth: if is_mod { steps.len() - 1 } else { steps.len() },
        lines: text.lines().count(),
        code: String::from_utf8_lossy(&bytes).into_owned(),
        strings,
    }
}

/// Blanks comments and the insides of literals (same length, so that offsets stay); gives the strings with their offsets.
fn scan(text: &str) -> (String, Vec<(usize, String)>) {
    let literals = regex(concat!(
        r##"(?s)//[^\n]*|/\*.*?\*/|b?r"[^"]*"|b?r#".*?"#|b?"(?:\\.|[^"\\])*""##,
        r"|b?'(?:\\[^\n]{1,8}?|[^\\\n'])'"
    ));
    let mut code = text.as_bytes().to_vec();
    let mut strings = Vec::new();
    for found in literals.find_iter(text) {
        let words = found.as_str();
        if !words.starts_with('/') && !words.ends_with('\'') {
            let inner = words.trim_start_matches(['b', 'r', '#']).trim_end_matches('#');
            strings.push((found.start(), inner[1..inner.len() - 1].to_string()));
        }
        code[found.range()].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
    }
    (String::from_utf8_lossy(&code).into_owned(), strings)
}

/// The ranges of items marked `#[cfg(test)]` or `#[test]`.
fn test_code(code: &str) -> Vec<std::ops::Range<usize>> {
    let mut ranges = Vec::new();
    for found in regex(r"#\[(cfg\(test\)|test)\]").find_iter(code) {
        let mut depth = 0;
        let end = code[found.end()..].char_indices().find_map(|(at, c)| {
            depth += match c {
                '{' => 1,
                '}' => -1,
                _ => 0,
            };
            ((c == '}' || c == ';') && depth == 0).then_some(found.end() + at + 1)
        });
        ranges.push(found.start()..end.unwrap_or(code.len()));
    }
    ranges
}

/// What a room may use: the rooms, and for some only the items named in backticks.
type Table = BTreeMap<String, BTreeMap<String, Vec<String>>>;

fn table() -> Table {
    let text = read(&root().join("ARCHITECTURE.md"));
    let row = regex(r"(?m)^\| `(\w+)/` \|[^|]*\| ([^|]*) \|$");
    let use_of = regex(r"^(\w+)(?: \(([^)]*)\))?$");
    let quoted = regex(r"`(\w+)`");
    let mut table = Table::new();
    for found in row.captures_iter(&text) {
        let mut uses = BTreeMap::new();
        for word in regex(r", (?:and )?").split(&mask_commas(&found[2])) {
            match use_of.captures(word.trim()) {
                Some(c) => {
                    let items = c.get(2).map_or(String::new(), |m| m.as_str().to_string());
                    let items = quoted.captures_iter(&items).map(|q| q[1].to_string()).collect();
                    uses.insert(c[1].to_string(), items);
                }
                None if word == "all above" || word == "what a verb shows" => {
                    uses.extend(table.keys().map(|room| (room.clone(), Vec::new())));
                }
                None => assert_eq!(word, "nothing of ours", "a cell of the table that this test cannot read"),
            }
        }
        table.insert(found[1].to_string(), uses);
    }
    table
}

/// Commas inside brackets as semicolons, so that a cell can be split at commas.
fn mask_commas(cell: &str) -> String {
    let mut inside = false;
    let masked = |c| {
        inside = (inside || c == '(') && c != ')';
        if inside && c == ',' { ';' } else { c }
    };
    cell.chars().map(masked).collect()
}

/// The rooms that a source names, each with the first item after it, by `crate::`, `super::` or the crate's name.
fn imports(source: &Source) -> BTreeSet<(String, String)> {
    let head = regex(r"\b(crate|legal_link|super(?:\s*::\s*super)*)\s*::\s*");
    let mut found = BTreeSet::new();
    for path in head.captures_iter(&source.code) {
        let up = path[1].matches("super").count();
        if up > 0 && up < source.depth {
            continue;
        }
        let rest = &source.code[path.get(0).map_or(0, |m| m.end())..];
        found.extend(branches(rest).into_iter().flat_map(|branch| {
            let (room, rest) = branch.split_once("::").unwrap_or((&branch, ""));
            let items = if rest.is_empty() { vec![String::new()] } else { branches(rest) };
            let first = |item: &str| regex(r"^\w*").find(item.trim()).map_or("", |m| m.as_str()).to_string();
            let room = first(room);
            items.iter().map(|item| (room.clone(), first(item))).collect::<Vec<_>>()
        }));
    }
    found
}

/// The branches of a path: `a::b` is itself, `{a, b::{c, d}}` is `a` and `b::{c, d}`.
fn branches(path: &str) -> Vec<String> {
    let path = path.trim_start();
    let Some(inside) = path.strip_prefix('{') else {
        let end = path.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':' | '{' | ' ' | '\n')));
        let at = path.find('{');
        let stop = match (at, end) {
            (Some(open), Some(end)) if open < end && path[..open].trim_end().ends_with("::") => {
                return vec![format!("{}{}", &path[..open], group(&path[open..]))];
            }
            (_, end) => end.unwrap_or(path.len()),
        };
        return vec![path[..stop].to_string()];
    };
    let mut depth = 1;
    let mut parts = vec![String::new()];
    for c in inside.chars() {
        depth += match c {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        match c {
            _ if depth == 0 => break,
            ',' if depth == 1 => parts.push(String::new()),
            c => parts.last_mut().expect("starts with one").push(c),
        }
    }
    parts.iter().map(|p| p.trim().to_string()).filter(|p| !p.is_empty()).collect()
}

/// A braced group, to its closing brace.
fn group(text: &str) -> &str {
    let mut depth = 0;
    let end = text.char_indices().find(|(_, c)| {
        depth += match c {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        depth == 0
    });
    end.map_or(text, |(at, _)| &text[..=at])
}

/// Lines of a source that match, as `file:line: words`.
fn offences(source: &Source, pattern: &Regex, out: &mut String) {
    for found in pattern.find_iter(&source.code) {
        let line = source.code[..found.start()].matches('\n').count() + 1;
        let _ = writeln!(out, "{}:{line}: {}", source.name, found.as_str());
    }
}

fn in_room(source: &Source) -> bool {
    source.name.matches('/').count() > 1
}

#[test]
fn rooms_are_those_of_the_table() {
    let told: BTreeSet<String> = table().into_keys().collect();
    let is_room =
        |entry: std::fs::DirEntry| entry.path().is_dir().then(|| entry.file_name().to_string_lossy().into_owned());
    let made: BTreeSet<String> =
        std::fs::read_dir(root().join("src")).expect("src").flatten().filter_map(is_room).collect();
    assert_eq!(told, made, "the table of ARCHITECTURE.md (left) and the folders of src/ (right)");
    let declared = read(&root().join("src/lib.rs"));
    assert!(told.iter().all(|room| declared.contains(&format!("pub mod {room};"))), "lib.rs declares every room");
}

#[test]
fn rooms_use_only_what_the_table_allows() {
    let table = table();
    let mut wrong = String::new();
    for source in sources().iter().filter(|s| in_room(s)) {
        let may = &table[&source.room];
        for (room, item) in imports(source) {
            let fine = room == source.room
                || !table.contains_key(&room)
                || may.get(&room).is_some_and(|items| items.is_empty() || items.contains(&item));
            if !fine {
                let _ = writeln!(wrong, "{}: {} may not use {room}::{item}", source.name, source.room);
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn outside_crates_stay_in_their_room() {
    let mut wrong = String::new();
    for source in sources() {
        for (name, room) in OUTSIDE {
            if source.room != room && !(source.room == "main" && room == "cli") {
                offences(&source, &regex(&format!(r"\b{name}(\s*::|\s*;|\s+as\b)")), &mut wrong);
            }
        }
    }
    assert!(wrong.is_empty(), "an outside crate in a room that is not its own\n{wrong}");
}

#[test]
fn pure_rooms_are_pure() {
    let mut wrong = String::new();
    for source in sources().iter().filter(|s| PURE.contains(&s.room.as_str())) {
        offences(source, &regex(IMPURE), &mut wrong);
    }
    assert!(wrong.is_empty(), "clock, environment, files, network or chance in a pure room\n{wrong}");
}

#[test]
fn only_cli_prints_and_few_read_the_environment() {
    let mut wrong = String::new();
    for source in sources().iter().filter(|s| s.room != "cli") {
        offences(source, &regex(PRINTING), &mut wrong);
        if source.room != "build" && source.room != "main" {
            offences(source, &regex(ENVIRONMENT), &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "printing, or reading the environment, where it does not belong\n{wrong}");
}

#[test]
fn nothing_gives_up() {
    let mut wrong = String::new();
    for source in sources() {
        offences(&source, &regex(GIVING_UP), &mut wrong);
    }
    assert!(wrong.is_empty(), "unwrap, panic or a gap outside tests\n{wrong}");
}

#[test]
fn async_stays_where_waiting_is() {
    let mut wrong = String::new();
    for source in sources().iter().filter(|s| in_room(s) && !ASYNC_ROOMS.contains(&s.room.as_str())) {
        offences(source, &regex(ASYNC), &mut wrong);
    }
    assert!(wrong.is_empty(), "async in a room that does not wait\n{wrong}");
}

/// Words that a file may hold although a relation has the same name, and what they are there.
const NOT_A_RELATION: [(&str, &str); 1] = [
    // The column of a table of consolidated states that names the act consolidated; its rows are states, no edges.
    ("src/parse/tables.rs", "consolidates"),
];

#[test]
fn no_relation_is_named_in_code() {
    let registry = read(&root().join("rubrics/relations.toml"));
    let registry: toml::Table = registry.parse().expect("rubrics/relations.toml is TOML");
    let mut names = BTreeSet::new();
    for relation in registry["relation"].as_array().expect("a list of relations") {
        names.extend(relation["name"].as_str());
        names.extend(relation.get("published").and_then(|p| p["name"].as_str()));
        let inverse = relation.get("inverse_names").and_then(|i| i.as_array());
        names.extend(inverse.into_iter().flatten().filter_map(|i| i.as_str()));
    }
    assert!(names.len() > 7, "the registry names relations");
    let mut wrong = String::new();
    for source in sources() {
        for (at, words) in &source.strings {
            let line = source.code[..*at].matches('\n').count() + 1;
            if names.contains(words.as_str()) && !NOT_A_RELATION.contains(&(source.name.as_str(), words.as_str())) {
                let _ = writeln!(wrong, "{}:{line}: \"{words}\"", source.name);
            }
            let notices = ["src/parse/notice", "src/parse/rdf"].iter().any(|file| source.name.starts_with(file));
            if words.contains("resource_legal_") && !notices {
                let _ = writeln!(wrong, "{}:{line}: a CDM name: \"{words}\"", source.name);
            }
        }
    }
    assert!(wrong.is_empty(), "names that belong in rubrics/relations.toml\n{wrong}");
}

#[test]
fn files_have_honest_names_and_a_size() {
    for source in sources() {
        let named = source.name.split('/').map(|step| step.trim_end_matches(".rs"));
        let bad: Vec<_> = named.filter(|step| FORBIDDEN_NAMES.contains(step)).collect();
        assert!(bad.is_empty(), "{}: a name that says nothing: {bad:?}", source.name);
        assert!(source.lines <= MAX_LINES, "{}: {} lines, at most {MAX_LINES}", source.name, source.lines);
    }
    let main = read(&root().join("src/main.rs"));
    assert!(main.lines().count() <= 20, "main.rs is a few lines; the work is in the library");
}

#[test]
fn this_test_sees_what_it_should() {
    let text = concat!(
        "use crate::{law::{Celex, Day as D}, cache};\n",
        "// crate::comment::X\nfn f() { let s = \"crate::string::Y\"; crate::graph::go(s) }\n",
        "#[cfg(test)]\nmod tests { use crate::parse::Z; }\nuse super::super::emit::Sink;\n"
    );
    let (code, strings) = scan(text);
    assert_eq!(strings.len(), 1);
    let tests = test_code(&code);
    let code = tests.iter().fold(code.clone(), |c, r| format!("{}{}", &c[..r.start], &c[r.end..]));
    let source = Source { name: "src/view/x.rs".into(), room: "view".into(), depth: 2, lines: 6, code, strings };
    let seen: Vec<String> = imports(&source).into_iter().map(|(room, item)| format!("{room}::{item}")).collect();
    assert_eq!(seen, ["cache::", "emit::Sink", "graph::go", "law::Celex", "law::Day"]);
    assert!(table()["cache"]["law"].contains(&"Digest".to_string()));
    assert!(table()["law"].is_empty() && table()["build"].len() > 10 && !table()["view"].contains_key("graph"));
}
