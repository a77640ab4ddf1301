//! Other ways into a cache than a crawl: a lock's own documents, a dump, a folder, a saved page.

#![allow(clippy::unwrap_used)]

use crate::corpus::corpus;
use crate::program::{files, root, run, told};
use legal_link::cache::{Cache, Shipped};
use legal_link::parse;
use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;
use zip::write::SimpleFileOptions;

fn quickstart_of_a_folder(folder: &Path) -> (String, String) {
    let text = fs::read_to_string(root().join("examples/quickstart/dataset.toml")).unwrap();
    let specimens = root().join("examples/specimens");
    let manifest = folder.join("dataset.toml");
    fs::write(&manifest, text.replace("\"shipped\"", &format!("\"folder:{}\"", specimens.display()))).unwrap();
    (manifest.to_string_lossy().into_owned(), folder.join("out").to_string_lossy().into_owned())
}

#[test]
fn what_a_lock_names_is_packed_and_rebuilds_the_dataset_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let (manifest, out) = quickstart_of_a_folder(here);
    let built = run(&["build", &manifest, "--out", &out], here);
    assert!(built.status.success(), "{}", told(&built));
    let lock = format!("{out}/dataset.lock");
    let tar = here.join("x.tar").to_string_lossy().into_owned();
    let packed = run(&["cache", "pack", "--lock", &lock, "--into", &tar], here);
    assert!(packed.status.success(), "{}", told(&packed));

    // A reviewer: another machine, nothing but manifest, lock and the packed file.
    let reviewer = tempfile::tempdir().unwrap();
    let there = reviewer.path();
    let cache = there.join("c").to_string_lossy().into_owned();
    assert!(run(&["cache", "unpack", &tar, "--cache", &cache], there).status.success());
    fs::copy(&manifest, there.join("dataset.toml")).unwrap();
    fs::copy(&lock, there.join("dataset.lock")).unwrap();
    let again = there.join("out").to_string_lossy().into_owned();
    let manifest = there.join("dataset.toml").to_string_lossy().into_owned();
    let source = format!("cache:{cache}");
    let rebuilt = run(&["build", &manifest, "--out", &again, "--source", &source, "--locked"], there);
    assert!(rebuilt.status.success(), "{}", told(&rebuilt));
    let (first, second) = (files(Path::new(&out)), files(Path::new(&again)));
    for ((path, a), (_, b)) in first.iter().zip(&second) {
        assert!(a == b || path == Path::new("dataset.lock"), "{} differs", path.display());
    }
    let audited = run(&["audit", &again, "--source", &source], there);
    assert!(audited.status.success(), "{}", told(&audited));
}

#[test]
fn a_document_of_a_lock_that_is_nowhere_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let (manifest, out) = quickstart_of_a_folder(here);
    assert!(run(&["build", &manifest, "--out", &out], here).status.success());
    let lock = Path::new(&out).join("dataset.lock");
    let text = fs::read_to_string(&lock).unwrap();
    let at = text.find("[[document]]").unwrap();
    let digest = text[at..].lines().find(|l| l.starts_with("sha256")).unwrap();
    fs::write(&lock, text.replace(digest, &format!("sha256 = \"{}\"", "ab".repeat(32)))).unwrap();
    let tar = here.join("x.tar").to_string_lossy().into_owned();
    let packed = run(&["cache", "pack", "--lock", &lock.to_string_lossy(), "--into", &tar], here);
    assert_eq!(packed.status.code(), Some(7), "{}", told(&packed));
    assert!(told(&packed).contains("1 of the") && told(&packed).contains("abab"), "{}", told(&packed));
    assert!(!Path::new(&tar).exists());
}

#[test]
fn an_older_answer_of_the_cache_is_packed_for_the_lock_that_names_it() {
    use legal_link::cache::About;
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let at = here.join("c");
    let cache = Cache::open(&at, Shipped::default()).unwrap();
    let key: legal_link::cache::Key = "notice/32009R9001/tree-rdf".parse().unwrap();
    let old = cache.put(&key, b"old", About { fetched_at: Some(1), ..About::default() }).unwrap();
    cache.put(&key, b"new", About { fetched_at: Some(2), ..About::default() }).unwrap();
    drop(cache);
    let lock = format!(
        "version = 1\ntool = \"t\"\nseed = 1\n[[document]]\nkey = \"{key}\"\nsha256 = \"{}\"\nbytes = 3\n",
        old.digest
    );
    fs::write(here.join("dataset.lock"), lock).unwrap();
    let (lock, tar) = (here.join("dataset.lock"), here.join("x.tar"));
    let (lock, tar, at) = (lock.to_string_lossy(), tar.to_string_lossy(), at.to_string_lossy());
    let packed = run(&["cache", "pack", "--lock", &lock, "--into", &tar, "--cache", &at], here);
    assert!(packed.status.success(), "{}", told(&packed));
    let other = here.join("d");
    assert!(run(&["cache", "unpack", &tar, "--cache", &other.to_string_lossy()], here).status.success());
    assert_eq!(Cache::visit(&other, Shipped::default()).unwrap().get(&key).unwrap().unwrap().bytes, b"old");
}

const REGULATION: &str = "<ACT><BIB.INSTANCE><DOCUMENT.REF FILE=\"L_9001.doc.xml\"/><LG.DOC>EN</LG.DOC></BIB.INSTANCE>\
    <TITLE><TI><P>COMMISSION REGULATION (EC) No 9001/2009</P><P>of 5 May 2009</P><P>on toys</P></TI></TITLE>\
    <PREAMBLE><PREAMBLE.INIT>THE COMMISSION,</PREAMBLE.INIT></PREAMBLE><ENACTING.TERMS><ARTICLE IDENTIFIER=\"001\">\
    <TI.ART>Article 1</TI.ART><ALINEA>Toys are safe.</ALINEA></ARTICLE></ENACTING.TERMS></ACT>";
const ANNEX: &str = "<ANNEX><BIB.INSTANCE><DOCUMENT.REF FILE=\"L_9001.doc.xml\"/><LG.DOC>EN</LG.DOC></BIB.INSTANCE>\
    <TITLE><TI><P>ANNEX</P></TI></TITLE><CONTENTS><P>Toys.</P></CONTENTS></ANNEX>";
const TABLE: &str = "<DOC><FMX><DOC.MAIN.PUB NO.SEQ=\"0001\"><REF.PHYS FILE=\"L_9001.xml\" TYPE=\"DOC.XML\"/>\
    </DOC.MAIN.PUB><DOC.SUB.PUB NO.SEQ=\"0001.0001\" TYPE=\"ANNEX\"><REF.PHYS FILE=\"L_9002.xml\" TYPE=\"DOC.XML\"/>\
    </DOC.SUB.PUB></FMX></DOC>";
const DECISION: &str = "<html lang=\"en\"><body><p class=\"oj-doc-ti\">COMMISSION DECISION (EU) 2016/9002</p>\
    <p class=\"oj-doc-ti\">of 9 June 2016</p><p class=\"oj-ti-art\">Article 1</p><p class=\"oj-normal\">Toys.</p></body></html>";
const NAMELESS: &str = "<html><body><p class=\"oj-doc-ti\">Corrigendum to Commission Decision (EU) 2016/9002</p>\
    <p class=\"oj-normal\">On page 1, for: 'Toys', read: 'Games'.</p></body></html>";
const SHELL: &str = "<html><head><meta name=\"WT.cg_n\" content=\"x\"></head><body><nav>Menu</nav></body></html>";

fn zipped(path: &Path, files: &[(&str, &[u8])]) {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    fs::write(path, writer.finish().unwrap().into_inner()).unwrap();
}

fn keys(cache: &Path) -> Vec<String> {
    Cache::visit(cache, Shipped::default()).unwrap().keys().iter().map(ToString::to_string).collect()
}

#[test]
fn a_dump_is_taken_apart_by_what_its_texts_say_and_the_rest_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let dump = folder.path().join("dump.zip");
    zipped(
        &dump,
        &[
            ("2009/L_9002.xml", ANNEX.as_bytes()),
            ("2009/L_9001.xml", REGULATION.as_bytes()),
            ("2009/L_9001.doc.xml", TABLE.as_bytes()),
            ("2016/32099R9999.xhtml", DECISION.as_bytes()),
            ("2016/c.xhtml", NAMELESS.as_bytes()),
            ("shell.html", SHELL.as_bytes()),
        ],
    );
    let cache = folder.path().join("c");
    let imported = run(
        &["cache", "import", &dump.to_string_lossy(), "--cache", &cache.to_string_lossy(), "--taken", "2020-01-01"],
        folder.path(),
    );
    assert_eq!(imported.status.code(), Some(4), "{}", told(&imported));
    let expected = [
        "act/32009R9001/eng/fmx4.L_9001",
        "act/32009R9001/eng/fmx4.L_9001.doc",
        "act/32009R9001/eng/fmx4.L_9002",
        "act/32016D9002/eng/oj-eli",
    ];
    assert_eq!(keys(&cache), expected);
    for left in ["2016/c.xhtml: it does not say which act", "shell.html: a portal page"] {
        assert!(told(&imported).contains(left), "{left}: {}", told(&imported));
    }
    let source = format!("cache:{}", cache.display());
    let act = run(&["act", "32009R9001", "--text", "--source", &source], folder.path());
    assert!(act.status.success() && told(&act).contains("Toys are safe"), "{}", told(&act));
}

#[test]
fn a_saved_page_needs_a_number_and_must_be_law() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("c");
    let import = |text: &str, more: &[&str]| {
        let page = folder.path().join("page.html");
        fs::write(&page, text).unwrap();
        let (page, cache) = (page.to_string_lossy().into_owned(), cache.to_string_lossy().into_owned());
        run(&[&["cache", "import", &page, "--cache", &cache], more].concat(), folder.path())
    };
    let nameless = import(NAMELESS, &[]);
    assert_eq!(nameless.status.code(), Some(3));
    assert!(told(&nameless).contains("--celex"), "{}", told(&nameless));
    assert!(told(&import(SHELL, &["--celex", "32016D9002"])).contains("a portal page"));
    let challenge = "<html><script>window.awsWafCookieDomainList=[];AwsWafIntegration.getToken()</script></html>";
    assert!(told(&import(challenge, &["--celex", "32016D9002"])).contains("a challenge page"));
    assert!(told(&import(DECISION, &["--celex", "32016D9003"])).contains("names 32016D9002, not 32016D9003"));
    assert_eq!(keys(&cache), Vec::<String>::new());
    assert!(import(DECISION, &[]).status.success());
    assert_eq!(keys(&cache), ["act/32016D9002/eng/oj-eli"]);
}

#[test]
fn a_folder_with_an_index_is_put_whole() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("c");
    let specimens = root().join("examples/specimens");
    let args = ["cache", "import", &specimens.to_string_lossy(), "--cache", &cache.to_string_lossy()];
    let imported = run(&args, folder.path());
    assert!(imported.status.success(), "{}", told(&imported));
    let lines = fs::read_to_string(specimens.join("INDEX.tsv")).unwrap().lines().count();
    assert_eq!(keys(&cache).len(), lines - 1);
}

#[test]
fn no_act_of_the_corpus_is_taken_for_another() {
    let Some(folder) = corpus("no_act_of_the_corpus_is_taken_for_another") else { return };
    let index = fs::read_to_string(folder.join("INDEX.tsv")).unwrap();
    let (mut named, mut silent) = (0, 0);
    for line in index.lines().filter(|line| line.starts_with("acts/")) {
        let mut columns = line.split('\t');
        let (file, celex) = (columns.next().unwrap(), columns.next().unwrap());
        let Ok(stated) = parse::stated(&fs::read(folder.join(file)).unwrap()) else { continue };
        match stated.celex {
            Some(found) => {
                named += 1;
                assert!(found.as_str() == celex || found.base().as_str() == celex, "{file} is taken for {found}");
            }
            None => silent += 1,
        }
    }
    eprintln!("{named} texts name their act, {silent} do not");
    assert!(named > 3 * silent, "{named} texts name their act, {silent} do not");
}
