//! An act that was published in several documents: its main text and its annexes, put together again.

use crate::law::{Act, Celex, Language, Span};
use crate::parse::{Member, Parts, Root, Warning, main_part};
use crate::source::DocumentKey;
use std::collections::BTreeMap;

/// The documents of one act in one language, as far as they are parts of it.
#[derive(Debug, Default)]
struct Documents {
    texts: Vec<(Root, DocumentKey, Act)>,
    /// The tables of parts that were published with them.
    tables: Vec<(DocumentKey, Parts)>,
}

/// Documents that wait for the others of their act.
#[derive(Debug, Default)]
pub(super) struct Waiting(BTreeMap<(Celex, Language), Documents>);

/// What the documents came to.
#[derive(Debug, Default)]
pub(super) struct Joined {
    /// Acts with their annexes.
    pub acts: Vec<Act>,
    /// What the tables of parts name and is not here.
    pub warnings: Vec<(DocumentKey, Warning)>,
    /// Annexes without their act.
    pub lone: Vec<DocumentKey>,
}

impl Waiting {
    /// A text of an act.
    pub fn text(&mut self, root: Root, key: DocumentKey, act: Act) {
        let of = (act.celex.clone(), act.language);
        self.0.entry(of).or_default().texts.push((root, key, act));
    }

    /// The table of an act's parts.
    pub fn table(&mut self, celex: Celex, language: Language, key: DocumentKey, parts: Parts) {
        self.0.entry((celex, language)).or_default().tables.push((key, parts));
    }

    /// Every act with its annexes, in the order that its table of parts gives, else in the order of their keys.
    pub fn join(self) -> Joined {
        let mut joined = Joined::default();
        for documents in self.0.into_values() {
            documents.join(&mut joined);
        }
        joined
    }
}

impl Documents {
    fn join(mut self, joined: &mut Joined) {
        for (key, parts) in &self.tables {
            for member in parts.members.iter().filter(|m| !self.texts.iter().any(|(_, text, _)| is(text, m))) {
                let message = format!("the table of parts names {}, which is not here", member.file);
                joined.warnings.push((key.clone(), Warning { span: Span::new(0, 0), message }));
            }
        }
        let members: Vec<&Member> = self.tables.iter().flat_map(|(_, parts)| &parts.members).collect();
        let place = |key: &DocumentKey| members.iter().position(|m| is(key, m)).unwrap_or(usize::MAX);
        self.texts.sort_by_cached_key(|(_, key, _)| (place(key), key.clone()));
        let published = self.tables.iter().find_map(|(_, parts)| parts.published);
        let found = main_part(self.texts.into_iter().map(|(root, key, act)| (root, (key, act))));
        match found.main {
            Some((_, mut act)) => {
                act.annexed = found.annexes.into_iter().map(|(_, annex)| annex).collect();
                act.published = act.published.or(published);
                joined.acts.push(act);
            }
            None => joined.lone.extend(found.annexes.into_iter().map(|(key, _)| key)),
        }
        joined.acts.extend(found.rest.into_iter().map(|(_, act)| act));
    }
}

/// Whether the document is the file that a table of parts names: its key ends with the file's name, the last ending
/// left out.
fn is(key: &DocumentKey, member: &Member) -> bool {
    let stem = member.file.rsplit_once('.').map_or(member.file.as_str(), |(stem, _)| stem);
    let before = key.name().strip_suffix(stem);
    before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
}
