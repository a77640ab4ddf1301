//! The text of an act in one language: which format is served, and whether it came in one document or in several.

use super::absent::Absent;
use super::keep::Piece;
use super::{Again, Failure, Got, Heard, Rest, answered};
use crate::cache::{About, Entry, Key};
use crate::http::{Answer, redirect};
use crate::law::{Celex, Flavour, Language, cite};
use crate::parse::{self, Refused};
use crate::source::{Archive, Bounds, DocumentKey, FORMATS, What};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io::Cursor;

/// Pages before Formex. Of Formex the archive first: it alone tells the names of the files, by which the table of a
/// document's parts calls them.
const ORDER: [&str; 4] = [XHTML, HTML, ARCHIVE, FORMEX];
const XHTML: &str = FORMATS[0];
const HTML: &str = FORMATS[1];
const FORMEX: &str = FORMATS[2];
const ARCHIVE: &str = FORMATS[3];

/// The documents that make up a text, by address: written before the first of them is, so that a text of which only some
/// came is known for that.
#[derive(Debug, Serialize, Deserialize)]
struct Whole {
    accept: String,
    parts: Vec<String>,
}

/// What is held of a text.
#[derive(Default)]
struct Held {
    entries: Vec<Entry>,
    whole: bool,
    /// Whether the documents that make it up are recorded.
    recorded: bool,
}

/// A text that is asked for.
struct Wanted<'a> {
    celex: &'a Celex,
    language: Language,
    again: Again,
    url: String,
    held: Held,
}

impl Rest {
    /// The text of an act in a language: `act/CELEX/LANGUAGE/xhtml` or `…/html`, or where it stands in several documents
    /// `…/xhtml.DOC_0001` and so on, or `…/fmx4.NAME` for each file of its Formex.
    pub async fn text(&self, celex: &Celex, language: Language, again: Again) -> Got {
        let name = format!("act/{celex}/{language}");
        let _alone = self.client.alone(&name).await;
        let held = match self.held_text(celex, language).await {
            Ok(held) => held,
            Err(failure) => return Got::Failed(failure),
        };
        if again == Again::OnlyIfMissing {
            if held.whole {
                return Got::Held;
            }
            if let Some(absent) = self.known_absent(&name).await {
                return Got::Absent(absent);
            }
        }
        let url = format!("{}/resource/celex/{}", self.base, celex.url_path());
        let wanted = Wanted { celex, language, again, url, held };
        let (mut missing, mut doubt) = (Vec::new(), None);
        for accept in ORDER {
            let known = wanted.held.entries.iter().find(|entry| entry.about.address == wanted.url);
            let known = known.filter(|_| again == Again::IfChanged);
            match self.ask(&wanted.url, accept, Some(language), known).await {
                Heard::Document(answer) => match self.document(&wanted, accept, answer).await {
                    // An archive of scans is no text.
                    Some(got) => return got,
                    None => missing.push((accept, 200)),
                },
                Heard::Parts(parts, answer) => return self.parts(&wanted, accept, parts, &answer).await,
                Heard::Unchanged => return self.confirm(known.cloned().into_iter().collect()).await,
                Heard::Missing(status) => missing.push((accept, status)),
                // Another format may do where this one is too long or was served by mistake.
                Heard::End(Got::Failed(Failure::Answer {
                    what: what @ (What::NotAcceptable | What::Mistyped),
                    address,
                    status,
                })) => {
                    doubt = Some(Failure::Answer { address, what, status });
                }
                Heard::End(got) => return got,
            }
        }
        match doubt {
            Some(failure) => Got::Failed(failure),
            None => self.why_absent(&wanted, &name, &missing).await,
        }
    }

    /// A text that came in one answer; `None` where an archive holds no text.
    async fn document(&self, wanted: &Wanted<'_>, accept: &'static str, answer: Answer) -> Option<Got> {
        let about = self.about(&wanted.url, accept, Some(wanted.language), &answer);
        if accept == ARCHIVE {
            return self.archive(wanted, about, answer).await;
        }
        if let Err(failure) = wanted.check(&answer.body) {
            return Some(Got::Failed(failure));
        }
        let key = match wanted.key(&file_name(accept, &answer)) {
            Ok(key) => key,
            Err(failure) => return Some(Got::Failed(failure)),
        };
        if wanted.held.recorded
            && let Err(failure) = self.record(wanted, accept, vec![wanted.url.clone()]).await
        {
            return Some(Got::Failed(failure));
        }
        Some(self.keep(vec![Piece { key, bytes: answer.body, about }]).await)
    }

    /// The files of a text that came in an archive, which is made anew for every request: the files are what is kept.
    async fn archive(&self, wanted: &Wanted<'_>, about: About, answer: Answer) -> Option<Got> {
        let body = answer.body;
        let unpacked = tokio::task::spawn_blocking(move || unpack(&body)).await;
        let unreadable = |why: String| Some(Got::Failed(Failure::Unreadable(wanted.url.clone(), why)));
        let files = match unpacked {
            Ok(Ok(files)) => files,
            Ok(Err(why)) => return unreadable(why),
            Err(error) => return unreadable(error.to_string()),
        };
        if files.is_empty() {
            return None;
        }
        let (mut pieces, mut parts) = (Vec::new(), Vec::new());
        for (name, bytes) in files {
            if let Err(failure) = wanted.check(&bytes) {
                return Some(Got::Failed(failure));
            }
            let key = match wanted.key(&formex_name(&name)) {
                Ok(key) => key,
                Err(failure) => return Some(Got::Failed(failure)),
            };
            let address = format!("{}#{name}", wanted.url);
            parts.push(address.clone());
            pieces.push(Piece { key, bytes, about: About { address, ..about.clone() } });
        }
        Some(match self.record(wanted, ARCHIVE, parts).await {
            Ok(()) => self.keep(pieces).await,
            Err(failure) => Got::Failed(failure),
        })
    }

    /// The parts of a text, each kept as it comes.
    async fn parts(&self, wanted: &Wanted<'_>, accept: &'static str, parts: Vec<String>, list: &Answer) -> Got {
        if parts.is_empty() {
            return Got::Failed(Failure::Unreadable(list.url.clone(), "a list without parts".to_string()));
        }
        let addresses: Result<Vec<String>, _> =
            parts.iter().map(|part| redirect(&list.url, 303, part, self.client.allowed_hosts())).collect();
        let addresses = match addresses {
            Ok(addresses) => addresses,
            Err(why) => return Got::Failed(Failure::Unreadable(list.url.clone(), format!("a part: {why}"))),
        };
        if let Err(failure) = self.record(wanted, accept, addresses.clone()).await {
            return Got::Failed(failure);
        }
        let mut changed = Vec::new();
        for address in addresses {
            let known = wanted.held.entries.iter().find(|entry| entry.about.address == address);
            if wanted.again == Again::OnlyIfMissing && known.is_some() {
                continue;
            }
            let known = known.filter(|_| wanted.again == Again::IfChanged);
            let got = match self.ask(&address, accept, Some(wanted.language), known).await {
                Heard::Document(answer) => self.part(wanted, accept, &address, answer).await,
                Heard::Unchanged => self.confirm(known.cloned().into_iter().collect()).await,
                Heard::Parts(_, answer) => Got::Failed(answered(&answer, What::Choices)),
                Heard::Missing(status) => Got::Failed(Failure::Answer { address, what: What::NotInThisFormat, status }),
                Heard::End(got) => got,
            };
            match got {
                Got::Stored(keys) => changed.extend(keys),
                Got::Held => {}
                other => return other,
            }
        }
        if changed.is_empty() { Got::Held } else { Got::Stored(changed) }
    }

    async fn part(&self, wanted: &Wanted<'_>, accept: &'static str, address: &str, answer: Answer) -> Got {
        if let Err(failure) = wanted.check(&answer.body) {
            return Got::Failed(failure);
        }
        let number = parse::part_number(address).unwrap_or_default();
        let name = match accept {
            FORMEX => file_name(accept, &answer),
            other => format!("{}.DOC_{number:04}", file_name(other, &answer)),
        };
        match wanted.key(&name) {
            Ok(key) => {
                let about = self.about(address, accept, Some(wanted.language), &answer);
                self.keep(vec![Piece { key, bytes: answer.body, about }]).await
            }
            Err(failure) => Got::Failed(failure),
        }
    }

    /// Why no format was found: asked of the notice, or of other languages where that lists none.
    async fn why_absent(&self, wanted: &Wanted<'_>, name: &str, missing: &[(&str, u16)]) -> Got {
        let known = match self.notice(wanted.celex, Again::OnlyIfMissing).await {
            Got::Absent(absent) => return self.note_absent(name, absent, missing).await,
            Got::Held | Got::Stored(_) => match self.expressions(wanted.celex).await {
                Ok(known) => known,
                Err(failure) => return Got::Failed(failure),
            },
            other => return other,
        };
        let absent = if known.contains(&wanted.language) {
            Absent::NoTextFormat
        } else if !known.is_empty() {
            Absent::NoExpression
        } else {
            match self.in_another_language(wanted).await {
                Ok(true) => Absent::NoExpression,
                Ok(false) => {
                    let why = "no format answers, and its notice lists no languages".to_string();
                    return Got::Failed(Failure::Unreadable(wanted.url.clone(), why));
                }
                Err(got) => return got,
            }
        };
        self.note_absent(name, absent, missing).await
    }

    /// Whether a text in another language than the one wanted is served.
    async fn in_another_language(&self, wanted: &Wanted<'_>) -> Result<bool, Got> {
        for language in ["fra", "deu", "eng"].into_iter().filter_map(Language::from_code) {
            for accept in [XHTML, HTML].into_iter().filter(|_| language != wanted.language) {
                match self.ask(&wanted.url, accept, Some(language), None).await {
                    Heard::Document(_) | Heard::Parts(..) => return Ok(true),
                    Heard::Missing(_) | Heard::Unchanged => {}
                    Heard::End(got) => return Err(got),
                }
            }
        }
        Ok(false)
    }

    /// The languages that the notice of an act lists.
    async fn expressions(&self, celex: &Celex) -> Result<BTreeSet<Language>, Failure> {
        let key = DocumentKey::notice(celex.as_str(), "tree-rdf")
            .map_err(|e| Failure::Unreadable(celex.to_string(), e.to_string()))?;
        self.blocking(move |cache| {
            let found = cache.get(key.key())?;
            let read = found.map(|found| parse::expressions(&found.bytes)).transpose();
            Ok(read
                .map_err(|e| Failure::Unreadable(key.to_string(), e.to_string()))?
                .map(|r| r.value)
                .unwrap_or_default())
        })
        .await
    }

    async fn held_text(&self, celex: &Celex, language: Language) -> Result<Held, Failure> {
        let folder = format!("act/{}/{language}", Key::segment(celex.as_str()));
        let record = record_key(celex, language)?;
        self.blocking(move |cache| {
            let entries = cache.below(&folder);
            let record = cache.get(&record)?.and_then(|found| serde_json::from_slice::<Whole>(&found.bytes).ok());
            let have: BTreeSet<&str> = entries.iter().map(|entry| entry.about.address.as_str()).collect();
            let whole = match &record {
                Some(record) => record.parts.iter().all(|part| have.contains(part.as_str())),
                None => !entries.is_empty(),
            };
            Ok(Held { whole, recorded: record.is_some(), entries })
        })
        .await
    }

    /// Records which documents make up a text.
    async fn record(&self, wanted: &Wanted<'_>, accept: &str, parts: Vec<String>) -> Result<(), Failure> {
        let key = record_key(wanted.celex, wanted.language)?;
        let record = Whole { accept: accept.to_string(), parts };
        let bytes = serde_json::to_vec(&record).map_err(|e| Failure::Cache(e.to_string()))?;
        let about = About { taken: Some(self.today), ..About::default() };
        self.blocking(move |cache| Ok(cache.put(&key, &bytes, about).map(|_| ())?)).await
    }
}

impl Wanted<'_> {
    fn key(&self, name: &str) -> Result<DocumentKey, Failure> {
        DocumentKey::act(self.celex, self.language, name)
            .map_err(|e| Failure::Unreadable(self.celex.to_string(), e.to_string()))
    }

    /// Refuses pages without law, other acts' texts and other languages', as far as a document says what it is. Where it
    /// says nothing that can be compared, it is taken.
    fn check(&self, bytes: &[u8]) -> Result<(), Failure> {
        let unreadable = |why: String| Failure::Unreadable(self.url.clone(), why);
        let stated = match parse::stated(bytes) {
            Ok(stated) => stated,
            Err(refused @ (Refused::PortalShell | Refused::Challenge | Refused::Empty | Refused::Entities)) => {
                return Err(unreadable(refused.to_string()));
            }
            // The table of a document's parts, or markup that other layouts know.
            Err(_) => return Ok(()),
        };
        if let Some(language) = stated.language.filter(|language| *language != self.language) {
            return Err(unreadable(format!("{} was asked for, and the document is in {language}", self.language)));
        }
        let own = self.celex;
        if let Some(kind) = other_kind(stated.flavour, own) {
            return Err(Failure::OtherAct { asked: own.to_string(), named: kind.to_string() });
        }
        // A corrigendum has no number of its own to print, and names the act that it corrects.
        let named = match (stated.celex, corrigendum_title(bytes)) {
            (None, Some(title)) if !own.is_corrigendum() => {
                let named = title.chars().take(80).collect();
                return Err(Failure::OtherAct { asked: own.to_string(), named });
            }
            (None, Some(title)) => cite(&title).into_iter().next().and_then(|citation| citation.celex),
            (stated, _) => stated,
        };
        let same = |named: &Celex| named == own || *named == own.base();
        match named.filter(|named| !same(named)) {
            Some(named) => Err(Failure::OtherAct { asked: own.to_string(), named: named.to_string() }),
            None => Ok(()),
        }
    }
}

/// The kind of document that a layout is of, where a document with this number cannot be of that kind.
fn other_kind(flavour: Flavour, celex: &Celex) -> Option<&'static str> {
    if flavour.is_judgment() && celex.parts().sector != '6' {
        Some("a judgment")
    } else if flavour.is_consolidated() && !celex.is_consolidated() {
        Some("a consolidated text")
    } else if flavour == Flavour::Proposal && celex.parts().sector != '5' {
        Some("a proposal")
    } else {
        None
    }
}

/// The title of a corrigendum and what follows it; `None` for a document that is none.
fn corrigendum_title(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD)]);
    let text = text.find("<body").map_or(&*text, |at| &text[at..]);
    let (mut words, mut inside) = (String::new(), false);
    for c in text.chars() {
        match c {
            '<' => inside = true,
            '>' => {
                inside = false;
                words.push(' ');
            }
            c if !inside => words.push(c),
            _ => {}
        }
    }
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    // Before the title stand the day, the language, the name and the page of the journal.
    let at = words.find("Corrigendum to ").filter(|at| *at < 200)?;
    words.get(at..).map(str::to_string)
}

/// How far the head of a document is read for its title, in bytes.
const HEAD: usize = 16 << 10;

fn record_key(celex: &Celex, language: Language) -> Result<Key, Failure> {
    Key::of(["other", &format!("parts.{celex}.{language}")]).map_err(|e| Failure::Cache(e.to_string()))
}

/// Which text of the act it is: the format, and for Formex the name of the file.
fn file_name(accept: &str, answer: &Answer) -> String {
    match accept {
        XHTML => "xhtml".to_string(),
        HTML => "html".to_string(),
        _ => {
            let given = answer.header("content-disposition").and_then(|value| value.split_once("filename="));
            let given = given.map(|(_, name)| name.trim_matches(['"', '\'', ';', ' ']));
            let last = answer.url.rsplit('/').next().unwrap_or_default();
            formex_name(given.filter(|name| !name.is_empty()).unwrap_or(last))
        }
    }
}

/// `fmx4.` and the file's name without its folders and its last ending.
fn formex_name(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    format!("fmx4.{}", name.strip_suffix(".xml").unwrap_or(name))
}

fn ends(file: &str, ending: &str) -> bool {
    file.rsplit_once('.').is_some_and(|(_, last)| last.eq_ignore_ascii_case(ending))
}

/// The texts in an archive, also in an archive inside it.
fn unpack(body: &[u8]) -> Result<Vec<(String, Vec<u8>)>, String> {
    let open = |bytes: Vec<u8>| {
        let members = Archive::open(Cursor::new(bytes), Bounds::ACT).and_then(|mut archive| archive.members());
        members.map_err(|e| e.to_string())
    };
    let mut files = Vec::new();
    for member in open(body.to_vec())? {
        if ends(member.file(), "zip") {
            for inner in open(member.bytes)? {
                if ends(inner.file(), "xml") {
                    files.push((inner.file().to_string(), inner.bytes));
                }
            }
        } else if ends(member.file(), "xml") {
            files.push((member.file().to_string(), member.bytes));
        }
    }
    let names: BTreeSet<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    if names.len() < files.len() {
        return Err("two files of an archive have one name".to_string());
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_of_another_kind_of_document_is_another_document() {
        let kind = |flavour, celex: &str| other_kind(flavour, &celex.parse().expect("a number"));
        assert_eq!(kind(Flavour::CjeuXhtml, "32022R9001"), Some("a judgment"));
        assert_eq!(kind(Flavour::CjeuXhtml, "62015CJ9001"), None);
        assert_eq!(kind(Flavour::ConsInline, "32022R9001"), Some("a consolidated text"));
        assert_eq!(kind(Flavour::Proposal, "32022R9001"), Some("a proposal"));
        assert_eq!(kind(Flavour::OjEli, "32022R9001R(01)"), None);
    }
}
