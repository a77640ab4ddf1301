//! Which answer a request gets when nothing goes wrong: the negotiation of the manual.

use super::library::{Library, Manifestation, Work};
use super::notices::identifiers;
use super::wire::{Answer, Request, decoded};
use legal_link::law::{Day, Digest, Language};
use legal_link::parse::Change;
use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use zip::write::SimpleFileOptions;

const TREE: &str = "application/rdf+xml;notice=non-inferred-tree-normalized";
const IDENTIFIERS: &str = "application/xml;notice=identifiers";
const HTML: &str = "text/html;charset=UTF-8";

/// The answer.
pub fn answer(library: &Library, request: &Request) -> Answer {
    let path = request.bare_path();
    if path == "/robots.txt" {
        return Answer::new(200, "text/plain", "User-agent: *\nDisallow: /search\n");
    }
    if path == "/webapi/notification/ingestion" {
        return feed(library, request);
    }
    let Some(rest) = path.strip_prefix("/resource/") else { return missing("no such address") };
    match rest.split_once('/') {
        Some(("celex", number)) => {
            let id = super::cellar_id(&decoded(number));
            if number.contains(['(', ')']) { missing("an unescaped name") } else { work(library, &id, request) }
        }
        Some(("cellar", rest)) => cellar(library, rest, request),
        _ => missing("no such name"),
    }
}

fn missing(why: &str) -> Answer {
    Answer::new(404, HTML, format!("<html><body><p>Not found: {why}</p></body></html>"))
}

/// Leads on.
fn see(request: &Request, path: &str) -> Answer {
    let host = request.header("host");
    Answer::new(303, HTML, "").header("location", format!("http://{host}/resource/cellar/{path}"))
}

/// A request for a work, by what it accepts.
fn work(library: &Library, id: &str, request: &Request) -> Answer {
    let Some(work) = library.works.get(id) else { return missing("no such work") };
    let accept = request.header("accept");
    if accept.contains("; ") {
        return Answer::new(400, HTML, "a blank after the semicolon");
    }
    match accept {
        TREE => return see(request, &format!("{id}/rdf/non-inferred-tree-normalized")),
        IDENTIFIERS => return see(request, &format!("{id}/xml/identifiers")),
        _ => {}
    }
    let language = request.header("accept-language");
    let official = Language::from_code(language).is_some_and(|known| known.to_string() == language);
    if !official {
        return Answer::new(400, HTML, "the language is no three-letter terminological code");
    }
    let found = language.parse().ok().and_then(|language: Language| {
        let at = work.expressions.keys().position(|l| *l == language)?;
        Some((at + 1, &work.expressions[&language]))
    });
    let Some((number, manifestations)) = found else { return missing("no such expression") };
    let wanted = |m: &&Manifestation| match accept {
        "application/xhtml+xml" => m.kind == "xhtml",
        "text/html" => m.kind == "html",
        "application/xml;type=fmx4" => m.kind == "fmx4" && !m.zipped,
        "application/zip;mtype=fmx4" => m.kind == "fmx4",
        _ => false,
    };
    let Some(at) = manifestations.iter().position(|m| wanted(&m)) else { return missing("no such format") };
    let (manifestation, address) = (&manifestations[at], format!("{id}.{number:04}.{:02}", at + 1));
    if accept.starts_with("application/zip") {
        return see(request, &format!("{address}/zip"));
    }
    if manifestation.streams.len() > 1 {
        return choices(request, &address, manifestation.streams.len());
    }
    see(request, &address)
}

/// The list of parts, in no order.
fn choices(request: &Request, address: &str, count: usize) -> Answer {
    let host = request.header("host");
    let mut list =
        String::from("<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>Choices</title></head><body><ul>");
    for n in (1..=count).rev() {
        let _ = write!(list, "<li><a href=\"http://{host}/resource/cellar/{address}/DOC_{n}\">DOC_{n}</a></li>");
    }
    Answer::new(300, "application/xhtml+xml", list + "</ul></body></html>")
}

/// A request for something by its identifier: a work, a notice, a manifestation, a stream.
fn cellar(library: &Library, rest: &str, request: &Request) -> Answer {
    let (name, inside) = rest.split_once('/').unwrap_or((rest, ""));
    let mut parts = name.split('.');
    let id = parts.next().unwrap_or_default();
    let (expression, manifestation) = (parts.next(), parts.next());
    let Some(found) = library.works.get(id) else { return missing("no such work") };
    match (expression, inside) {
        (None, "") => work(library, id, request),
        (None, "rdf/non-inferred-tree-normalized") => {
            document(request, "application/rdf+xml;charset=UTF-8", library.notice_of(id).unwrap_or_default())
        }
        (None, "xml/identifiers") => document(request, "application/xml;charset=UTF-8", identifiers(id, found).into()),
        (Some(expression), _) => stream(found, (expression, manifestation), name, inside, request),
        _ => missing("no such thing"),
    }
}

fn stream(work: &Work, at: (&str, Option<&str>), name: &str, inside: &str, request: &Request) -> Answer {
    let nth = |text: &str| text.parse::<usize>().ok()?.checked_sub(1);
    let manifestation = nth(at.0)
        .and_then(|n| work.expressions.values().nth(n))
        .zip(at.1.and_then(nth))
        .and_then(|(manifestations, n)| manifestations.get(n));
    let Some(manifestation) = manifestation else { return missing("no such manifestation") };
    let kind = match manifestation.kind.as_str() {
        "xhtml" => "application/xhtml+xml;charset=UTF-8",
        "html" => HTML,
        _ => "application/xml;type=fmx4;charset=UTF-8",
    };
    if inside.is_empty() {
        return see(request, &format!("{name}/DOC_1"));
    }
    if inside == "zip" || inside == "DOC_1" && manifestation.zipped {
        // Made anew for every request, and so never the same bytes for long: no tag, no day.
        return Answer::new(200, "application/zip", packed(manifestation));
    }
    let found = match inside.strip_prefix("DOC_").and_then(nth) {
        Some(n) if !manifestation.zipped => manifestation.streams.get(n),
        _ => {
            let member = inside.strip_prefix("DOC_1/").map(decoded);
            manifestation.streams.iter().find(|s| manifestation.zipped && Some(&s.name) == member.as_ref())
        }
    };
    match found {
        Some(stream) => document(request, kind, stream.bytes.to_vec())
            .header("content-disposition", format!("filename=\"{}\"", stream.name)),
        None => missing("no such stream"),
    }
}

/// A document, unless it is too large or the one that the client has.
fn document(request: &Request, kind: &str, bytes: Vec<u8>) -> Answer {
    let most: usize = request.header("accept-max-cs-size").parse().unwrap_or(usize::MAX);
    if bytes.len() > most {
        return Answer::new(406, HTML, "larger than accepted");
    }
    let tag = format!("\"{}\"", Digest::of(&bytes).short(16));
    let day = "Wed, 05 Aug 2026 10:00:00 GMT";
    let held = request.header("if-none-match");
    if held == tag || held.is_empty() && request.header("if-modified-since") == day && tag.len() < 3 {
        return Answer::new(304, kind, "").header("etag", tag);
    }
    Answer::new(200, kind, bytes).header("etag", tag).header("last-modified", day)
}

fn packed(manifestation: &Manifestation) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for stream in &manifestation.streams {
        writer.start_file(stream.name.as_str(), SimpleFileOptions::default()).expect("memory");
        writer.write_all(&stream.bytes).expect("memory");
    }
    writer.finish().expect("memory").into_inner()
}

/// A page of notifications, as Atom, with the words that the repository's templates leave in it.
fn feed(library: &Library, request: &Request) -> Answer {
    let day = |name: &str| request.parameter(name).and_then(|text| text.get(..10)?.parse::<Day>().ok());
    let Some(start) = day("startDate") else { return Answer::new(400, HTML, "no startDate") };
    let end = day("endDate");
    let page: usize = request.parameter("page").and_then(|p| p.parse().ok()).unwrap_or(1).max(1);
    let kind = |change: Change| match change {
        Change::Created => "create",
        Change::Updated => "update",
        Change::Deleted => "delete",
    };
    let wanted = request.parameter("type").map(|t| t.to_ascii_lowercase());
    let hits: Vec<_> = library
        .changes
        .iter()
        .filter(|(on, change, _)| {
            *on >= start && end.is_none_or(|end| *on <= end) && wanted.as_deref().is_none_or(|w| w == kind(*change))
        })
        .collect();
    let from = (page - 1) * library.page;
    let more = hits.len() > from + library.page;
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><feed xmlns=\"http://www.w3.org/2005/Atom\" \
         xmlns:notifEntry=\"http://publications.europa.eu/atom/notificationEntry\" \
         xmlns:notifReq=\"http://publications.europa.eu/atom/notificationRequest\"><title>Notifications</title>\
         <notifReq:page>{page}</notifReq:page><notifReq:moreEntries>{more}</notifReq:moreEntries>"
    );
    for (on, change, id) in hits.into_iter().skip(from).take(library.page) {
        let celex = library.works.get(id).map_or("", |work| work.celex.as_str());
        let celex = celex.replace('(', "%28").replace(')', "%29").replace('/', "%2F");
        let _ = write!(
            out,
            "<entry><id>${{item.cellarUri}}_1</id><title>$item.title</title><updated>{on}T10:00:00.000+02:00</updated>\
             <notifEntry:cellarId>cellar:{id}</notifEntry:cellarId><notifEntry:rootCellarId>cellar:{id}</notifEntry:rootCellarId>\
             <notifEntry:type>{}</notifEntry:type><notifEntry:identifiers><notifEntry:identifier>celex:{celex}\
             </notifEntry:identifier></notifEntry:identifiers></entry>",
            kind(*change)
        );
    }
    Answer::new(200, "application/atom+xml;charset=UTF-8", out + "</feed>")
}
