//! Answers of the search service of EUR-Lex: an envelope around a page of hits, or around a fault.
//!
//! The words that were searched for stand in `<em>`, escaped, inside the values themselves: `ID_CELEX` may read
//! `<em>32014R1337</em>`. They are taken out.

use super::notice::Gathered;
use super::notice_xml::{Element, child, children, tree, value};
use super::sniff::{self, NoticeKind};
use super::{Notice, Parsed, Refused, Warning, notice_xml};
use crate::law::{Celex, Day, Digest, Language, RegisterKind, Registry, distinct};

/// One page of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hits {
    /// What was found, in the order of rank.
    pub hits: Vec<Hit>,
    /// How many hits there are on all pages, as the service counts.
    pub total: Option<u64>,
    /// How many it says this page holds.
    pub on_page: Option<u64>,
    /// The number of this page, from 1.
    pub page: Option<u64>,
    /// The language of the titles.
    pub language: Option<Language>,
    /// What the hits' notices say of acts and of relations.
    pub notice: Notice,
}

/// One hit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Its CELEX number.
    pub celex: Option<Celex>,
    /// The service's own name for it: an expression in a language.
    pub reference: String,
    /// Its place among the hits of the page.
    pub rank: Option<u64>,
    /// Its title in the language asked for.
    pub title: Option<String>,
    /// The date of the document.
    pub date_document: Option<Day>,
    /// The day of its Official Journal.
    pub published: Option<Day>,
    /// Who made it, each once.
    pub authors: Vec<String>,
}

/// Reads an answer of the search service.
///
/// An envelope without results is an answer without hits: the total is not known then.
///
/// # Errors
/// [`Refused`] where the bytes are no such answer; [`Refused::Fault`] where the service says why it gave none.
pub fn search_answer(bytes: &[u8], registry: &Registry, taken: Option<Day>) -> Result<Parsed<Hits>, Refused> {
    if bytes.len() > sniff::LIMIT {
        return Err(Refused::TooBig { bytes: bytes.len(), limit: sniff::LIMIT });
    }
    if sniff::notice(bytes)? != NoticeKind::Soap {
        return Err(Refused::NotThis { wanted: "search answer", found: "a notice by itself".to_string() });
    }
    let mut gathered = Gathered::new(Digest::of(bytes), registry, RegisterKind::Notice, taken);
    let mut tree = tree(bytes, &mut gathered.warnings);
    for element in &mut tree {
        element.text = plain(&element.text);
    }
    let named = |name: &str| (0..tree.len()).find(|i| tree[*i].name == name);
    if let Some(fault) = named("Fault") {
        return Err(Refused::Fault { code: code(&tree, fault), says: text_under(&tree, fault, "Text") });
    }
    if named("Body").is_none() {
        return Err(Refused::NotThis { wanted: "search answer", found: "an envelope without a body".to_string() });
    }
    let mut answer = Hits::default();
    if let Some(results) = named("searchResults") {
        let field = |name| child(&tree, results, name).next().map(|f| tree[f].text.trim());
        let count = |name| field(name).and_then(|t| t.parse().ok());
        (answer.on_page, answer.total, answer.page) = (count("numhits"), count("totalhits"), count("page"));
        answer.language = field("language").and_then(Language::from_code);
        answer.hits = child(&tree, results, "result").map(|at| hit(&tree, at, &mut gathered.warnings)).collect();
        answer.hits.sort_by_key(|h| h.rank);
    }
    notice_xml::gather(&tree, &mut gathered);
    let Parsed { value: notice, mut warnings } = gathered.finish();
    answer.notice = notice;
    let held = answer.hits.len() as u64;
    if answer.on_page.is_some_and(|said| said != held) {
        let message = format!("the page holds {held} hits and says {}", answer.on_page.unwrap_or(0));
        warnings.push(Warning { span: tree[0].span, message });
    }
    Ok(Parsed { value: answer, warnings })
}

fn hit(tree: &[Element], at: usize, warnings: &mut Vec<Warning>) -> Hit {
    let text = |name| child(tree, at, name).next().map(|f| tree[f].text.trim());
    let work = below(tree, at, &["content", "NOTICE", "WORK"]);
    let of_work = |path: &[&str]| work.and_then(|w| below(tree, w, path));
    let celex = work.and_then(|w| notice_xml::name(tree, w));
    if celex.is_none() {
        let message = "a hit without a CELEX number".to_string();
        warnings.push(Warning { span: tree[at].span, message });
    }
    let day = |path: &[&str]| of_work(path).and_then(|at| day(tree, at));
    let agents = work.into_iter().flat_map(|w| child(tree, w, "WORK_CREATED_BY_AGENT"));
    let labels: Vec<&str> = agents.flat_map(|a| child(tree, a, "PREFLABEL")).map(|l| tree[l].text.trim()).collect();
    let title = below(tree, at, &["content", "NOTICE", "EXPRESSION", "EXPRESSION_TITLE"]);
    Hit {
        celex,
        reference: text("reference").unwrap_or_default().to_string(),
        rank: text("rank").and_then(|r| r.parse().ok()),
        title: title.and_then(|t| value(tree, t)).map(str::to_string),
        date_document: day(&["WORK_DATE_DOCUMENT"]),
        published: day(&[
            "RESOURCE_LEGAL_PUBLISHED_IN_OFFICIAL-JOURNAL",
            "EMBEDDED_NOTICE",
            "WORK",
            "DATE_PUBLICATION",
        ]),
        authors: distinct(labels).into_iter().map(str::to_string).collect(),
    }
}

/// The first element at the end of a path of names.
fn below(tree: &[Element], from: usize, path: &[&str]) -> Option<usize> {
    path.iter().try_fold(from, |at, name| child(tree, at, name).next())
}

/// A day: a value, or year, month and day apart.
fn day(tree: &[Element], at: usize) -> Option<Day> {
    if let Some(value) = value(tree, at) {
        return value.get(..10).unwrap_or(value).parse().ok();
    }
    let number = |name: &str| child(tree, at, name).next().and_then(|n| tree[n].text.trim().parse::<u32>().ok());
    Day::from_ymd(i32::try_from(number("YEAR")?).ok()?, number("MONTH")?, number("DAY")?)
}

/// The innermost code of a fault: the reason's, not the side's that is to blame.
fn code(tree: &[Element], fault: usize) -> String {
    let code = child(tree, fault, "Code").next();
    let subcode = code.and_then(|c| child(tree, c, "Subcode").next()).or(code);
    subcode.map_or_else(String::new, |c| text_under(tree, c, "Value"))
}

fn text_under(tree: &[Element], at: usize, name: &str) -> String {
    let mut below: Vec<usize> = children(tree, at).to_vec();
    while let Some(next) = below.pop() {
        if tree[next].name == name {
            return tree[next].text.trim().to_string();
        }
        below.extend(children(tree, next));
    }
    String::new()
}

/// A value without the marks of the words searched for.
fn plain(text: &str) -> String {
    text.replace("<em>", "").replace("</em>", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registry() -> Registry {
        Registry::parse([("relations.toml", include_str!("../../rubrics/relations.toml"))])
            .expect("the shipped registry")
    }

    fn answer(body: &str) -> Result<Parsed<Hits>, Refused> {
        let text = format!(
            "<?xml version='1.0'?><S:Envelope xmlns:S='http://www.w3.org/2003/05/soap-envelope'><S:Body>{body}</S:Body></S:Envelope>"
        );
        search_answer(text.as_bytes(), &registry(), None)
    }

    #[test]
    fn hits_lose_the_marks_of_what_was_searched_for() {
        let body = "<searchResults xmlns='x'><numhits>1</numhits><totalhits>41</totalhits><page>3</page><language>en</language>\
            <result><reference>eng_cellar:1_en</reference><rank>1</rank><content><NOTICE>\
            <EXPRESSION><EXPRESSION_TITLE><VALUE>Regulation on &lt;em>toys&lt;/em> &amp; games</VALUE></EXPRESSION_TITLE></EXPRESSION>\
            <WORK><ID_CELEX><VALUE>&lt;em>32014R9001&lt;/em></VALUE></ID_CELEX>\
            <RESOURCE_LEGAL_IN-FORCE><VALUE>false</VALUE></RESOURCE_LEGAL_IN-FORCE>\
            <WORK_CREATED_BY_AGENT><PREFLABEL>European Parliament</PREFLABEL></WORK_CREATED_BY_AGENT>\
            <WORK_CREATED_BY_AGENT><PREFLABEL>Council</PREFLABEL></WORK_CREATED_BY_AGENT>\
            <WORK_CREATED_BY_AGENT><PREFLABEL>Council</PREFLABEL></WORK_CREATED_BY_AGENT>\
            <WORK_DATE_DOCUMENT><DAY>16</DAY><MONTH>12</MONTH><YEAR>2014</YEAR></WORK_DATE_DOCUMENT>\
            </WORK></NOTICE></content></result></searchResults>";
        let Parsed { value: found, warnings } = answer(body).expect("an answer");
        assert_eq!((found.total, found.page, found.on_page), (Some(41), Some(3), Some(1)));
        let hit = &found.hits[0];
        assert_eq!(hit.celex.as_ref().map(Celex::as_str), Some("32014R9001"));
        assert_eq!(hit.title.as_deref(), Some("Regulation on toys & games"));
        assert_eq!(hit.authors, ["European Parliament", "Council"]);
        assert_eq!(hit.date_document.map(|d| d.to_string()).as_deref(), Some("2014-12-16"));
        let record = &found.notice.records[0];
        assert_eq!((record.in_force, record.date_document), (Some(false), hit.date_document));
        assert!(warnings.is_empty(), "{warnings:?}");
    }

    #[test]
    fn a_fault_is_refused_with_its_reason_and_an_empty_body_has_no_hits() {
        let fault = "<Fault><Code><Value>env:Sender</Value><Subcode><Value>x:WRONG_QUERY</Value></Subcode></Code>\
            <Reason><Text>Error at line 1.</Text></Reason></Fault>";
        let refused = answer(fault).expect_err("a fault");
        assert_eq!(refused, Refused::Fault { code: "x:WRONG_QUERY".to_string(), says: "Error at line 1.".to_string() });
        let empty = answer("").expect("an answer").value;
        assert_eq!((empty.hits.len(), empty.total), (0, None));
        assert!(search_answer(b"<NOTICE><WORK/></NOTICE>", &registry(), None).is_err());
    }
}
