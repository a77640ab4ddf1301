//! The cache: killed between writes, used by several at once, broken and healed, shipped and packed.

#![allow(clippy::unwrap_used)]

use legal_link::cache::{About, Cache, CacheError, Key, PackError, Shipped, lasting, lay_out, pack};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn key(name: &str) -> Key {
    format!("other/{name}").parse().unwrap()
}

fn open(folder: &Path) -> Cache {
    Cache::open(folder, Shipped::default()).unwrap()
}

fn put(cache: &Cache, name: &str, text: &str) {
    cache.put(&key(name), text.as_bytes(), About::default()).unwrap();
}

fn text(cache: &Cache, name: &str) -> Option<String> {
    cache.get(&key(name)).unwrap().map(|found| String::from_utf8(found.bytes).unwrap())
}

fn blobs(folder: &Path) -> Vec<PathBuf> {
    let below = |path: PathBuf| fs::read_dir(path).unwrap().map(|file| file.unwrap().path());
    below(folder.join("v1/blobs")).flat_map(below).collect()
}

/// Runs one test of this file again in a process of its own, with `LEGAL_LINK_CHILD` set to `word`.
fn child(test: &str, word: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--quiet"]).env("LEGAL_LINK_CHILD", word).env("LEGAL_LINK_FOLDER", folder);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn am_child() -> Option<(String, PathBuf)> {
    Some((std::env::var("LEGAL_LINK_CHILD").ok()?, std::env::var_os("LEGAL_LINK_FOLDER")?.into()))
}

fn three_puts(cache: &Cache) {
    put(cache, "a", "first");
    put(cache, "b", "second");
    put(cache, "a", "first, again");
}

#[test]
fn killed_at_any_moment_it_opens_and_ends_the_same() {
    if let Some((moment, folder)) = am_child() {
        lasting::die_at(moment.parse().unwrap());
        return three_puts(&open(&folder));
    }
    let mut died = 0;
    loop {
        let folder = tempfile::tempdir().unwrap();
        let name = "cache::killed_at_any_moment_it_opens_and_ends_the_same";
        let ended = child(name, &died.to_string(), folder.path()).status().unwrap();
        let mut cache = open(folder.path());
        assert!(cache.verify().unwrap().sound(), "killed at {died}");
        assert!(matches!(text(&cache, "a").as_deref(), None | Some("first" | "first, again")));
        three_puts(&cache);
        let verified = cache.verify().unwrap();
        assert!(verified.sound() && verified.unnamed.is_empty(), "killed at {died}: {verified:?}");
        assert_eq!(text(&cache, "a").as_deref(), Some("first, again"));
        assert_eq!(text(&cache, "b").as_deref(), Some("second"));
        assert_eq!(cache.rebuild().unwrap().keys, 2);
        assert_eq!(cache.verify().unwrap().unfinished, 0);
        if ended.success() {
            break;
        }
        died += 1;
    }
    assert!(died >= 18, "three moments in each of six writes, not {died}");
}

#[test]
fn several_processes_at_once_lose_nothing() {
    let put_forty = |cache: &Cache, who: &str| {
        for n in 0..40 {
            put(cache, &format!("{who}.{n}"), &format!("{who} {n}"));
            put(cache, "shared", "the same from all");
            assert_eq!(text(cache, "shared").as_deref(), Some("the same from all"));
        }
    };
    if let Some((who, folder)) = am_child() {
        return put_forty(&open(&folder), &who);
    }
    let folder = tempfile::tempdir().unwrap();
    let children: Vec<_> = (0..4)
        .map(|who| child("cache::several_processes_at_once_lose_nothing", &who.to_string(), folder.path()).spawn())
        .collect();
    put_forty(&open(folder.path()), "parent");
    for child in children {
        assert!(child.unwrap().wait().unwrap().success());
    }
    let cache = open(folder.path());
    assert!(cache.holds());
    assert_eq!(cache.keys().len(), 5 * 40 + 1);
    let (stat, verified) = (cache.stat().unwrap(), cache.verify().unwrap());
    assert_eq!((stat.waiting, verified.sound()), (0, true), "{verified:?}");
}

#[test]
fn a_guest_reads_what_the_holder_puts_and_leaves_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let holder = open(folder.path());
    let guest = open(folder.path());
    assert!(holder.holds() && !guest.holds());
    put(&holder, "a", "from the holder");
    assert_eq!(text(&guest, "a").as_deref(), Some("from the holder"));
    put(&guest, "b", "from the guest");
    assert_eq!(text(&Cache::visit(folder.path(), Shipped::default()).unwrap(), "b").as_deref(), Some("from the guest"));
    drop(holder);
    // The guest still lives: the next holder reads its journal and leaves it.
    let next = open(folder.path());
    assert_eq!(text(&next, "b").as_deref(), Some("from the guest"));
    put(&guest, "c", "later");
    drop((next, guest));
    let last = open(folder.path());
    assert_eq!(text(&last, "c").as_deref(), Some("later"));
    assert_eq!(last.stat().unwrap().waiting, 0);
}

#[test]
fn a_missing_or_broken_index_heals() {
    let folder = tempfile::tempdir().unwrap();
    let index = folder.path().join("v1/index");
    let check = |what: &str| {
        let cache = open(folder.path());
        assert_eq!(text(&cache, "a").as_deref(), Some("first, again"), "{what}");
        assert_eq!(cache.history(&key("a")).len(), 2, "{what}");
        assert_eq!(cache.keys().len(), 2, "{what}");
    };
    three_puts(&open(folder.path()));
    check("untouched");
    fs::remove_dir_all(&index).unwrap();
    check("deleted");
    for file in fs::read_dir(&index).unwrap().map(|file| file.unwrap().path()).filter(|path| path.is_file()) {
        fs::write(&file, b"this is no index").unwrap();
    }
    check("overwritten");
    for file in fs::read_dir(&index).unwrap().map(|file| file.unwrap().path()).filter(|path| path.is_file()) {
        let bytes = fs::read(&file).unwrap();
        fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    }
    check("cut");
    fs::remove_dir_all(&index).unwrap();
    fs::write(&index, b"a file where the folder should be").unwrap();
    check("replaced by a file");
}

#[test]
fn blobs_alone_are_enough() {
    let folder = tempfile::tempdir().unwrap();
    three_puts(&open(folder.path()));
    fs::remove_dir_all(folder.path().join("v1/index")).unwrap();
    fs::remove_file(folder.path().join("v1/puts.journal")).unwrap();
    let cache = open(folder.path());
    assert_eq!(text(&cache, "b").as_deref(), Some("second"));
    assert_eq!(cache.history(&key("a")).len(), 2);
    assert!(cache.verify().unwrap().sound());
}

#[test]
fn a_tampered_blob_is_found_set_aside_and_fetched_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut cache = open(folder.path());
    put(&cache, "a", "Article 1");
    let blob = blobs(folder.path()).remove(0);
    let mut bytes = fs::read(&blob).unwrap();
    let at = bytes.len() - 10;
    bytes[at] ^= 1;
    fs::write(&blob, bytes).unwrap();
    assert!(matches!(cache.get(&key("a")), Err(CacheError::Damaged { .. })));
    assert_eq!(cache.verify().unwrap().damaged.len(), 1);
    let rebuilt = cache.rebuild().unwrap();
    assert_eq!((rebuilt.set_aside.len(), rebuilt.lost), (1, vec![key("a")]));
    assert_eq!(text(&cache, "a"), None);
    put(&cache, "a", "Article 1");
    assert_eq!(text(&cache, "a").as_deref(), Some("Article 1"));
    assert!(cache.verify().unwrap().sound());
}

#[test]
fn a_lost_blob_falls_back_to_the_answer_before() {
    let folder = tempfile::tempdir().unwrap();
    let mut cache = open(folder.path());
    put(&cache, "a", "old");
    let before = blobs(folder.path());
    put(&cache, "a", "new");
    let new = blobs(folder.path()).into_iter().find(|path| !before.contains(path)).unwrap();
    fs::remove_file(new).unwrap();
    assert!(matches!(cache.get(&key("a")), Err(CacheError::Gone { .. })));
    assert_eq!(cache.verify().unwrap().gone, [key("a")]);
    cache.rebuild().unwrap();
    assert_eq!(text(&cache, "a").as_deref(), Some("old"));
}

#[test]
fn an_older_or_empty_answer_never_takes_the_place_of_a_good_one() {
    let folder = tempfile::tempdir().unwrap();
    let cache = open(folder.path());
    let at = |seconds| About { fetched_at: Some(seconds), ..About::default() };
    cache.put(&key("a"), b"good", at(20)).unwrap();
    cache.put(&key("a"), b"from an old pack", at(10)).unwrap();
    assert!(matches!(cache.put(&key("a"), b"", at(30)), Err(CacheError::Empty(_))));
    assert_eq!(text(&cache, "a").as_deref(), Some("good"));
    assert_eq!(cache.history(&key("a")).len(), 2);
}

fn shipped_files(documents: &[(&str, &str)]) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let cache = open(folder.path());
    for (name, text) in documents {
        put(&cache, name, text);
    }
    let mut files = BTreeMap::new();
    lay_out(
        cache.entries(),
        |entry| cache.get(&entry.key).map(|found| found.unwrap().bytes),
        |path, bytes| {
            files.insert(path.to_string(), bytes.to_vec());
            Ok(())
        },
    )
    .unwrap();
    files
}

#[test]
fn what_is_shipped_lies_under_the_cache_and_is_never_written() {
    let files = shipped_files(&[("a", "shipped a"), ("b", "shipped b")]);
    let ours = tempfile::tempdir().unwrap();
    for (path, bytes) in &files {
        fs::create_dir_all(ours.path().join(path).parent().unwrap()).unwrap();
        fs::write(ours.path().join(path), bytes).unwrap();
    }
    for shipped in [Shipped::from_files(files.clone()).unwrap(), Shipped::from_folder(ours.path()).unwrap()] {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), shipped).unwrap();
        assert_eq!(text(&cache, "a").as_deref(), Some("shipped a"));
        put(&cache, "a", "own a");
        assert_eq!(text(&cache, "a").as_deref(), Some("own a"));
        assert_eq!(cache.keys(), [key("a"), key("b")]);
        assert!(cache.verify().unwrap().sound());
        assert_eq!(cache.stat().unwrap().keys, 1);
    }
    for (path, bytes) in &files {
        assert_eq!(&fs::read(ours.path().join(path)).unwrap(), bytes);
    }
    assert_eq!(files, shipped_files(&[("b", "shipped b"), ("a", "shipped a")]));
}

#[test]
fn a_packed_cache_comes_back_whole_or_says_why_not() {
    let folder = tempfile::tempdir().unwrap();
    let cache = open(folder.path());
    (0..5).for_each(|n| put(&cache, &format!("{n}"), &format!("document {n}").repeat(n + 1)));
    put(&cache, "same", "document 0");
    let packed = || {
        let mut bytes = Vec::new();
        let bytes_of = |entry: &legal_link::cache::Entry| Ok::<_, PackError>(cache.get(&entry.key)?.unwrap().bytes);
        pack(cache.entries(), bytes_of, &mut bytes).unwrap();
        bytes
    };
    let bytes = packed();
    assert_eq!(bytes, packed());

    let other = tempfile::tempdir().unwrap();
    let theirs = open(other.path());
    let done = theirs.unpack(&mut bytes.as_slice()).unwrap();
    assert_eq!((done.documents, done.new), (6, 6));
    assert_eq!(theirs.unpack(&mut bytes.as_slice()).unwrap().new, 0);
    assert_eq!(theirs.entries(), cache.entries());
    assert!(theirs.verify().unwrap().sound());

    for cut in (0..bytes.len() - 1024).step_by(257) {
        let third = tempfile::tempdir().unwrap();
        let theirs = open(third.path());
        assert!(theirs.unpack(&mut &bytes[..cut]).is_err(), "cut at {cut}");
        assert!(theirs.verify().unwrap().sound());
    }
}

#[test]
fn the_shipped_cache_is_the_specimens_packed() {
    use legal_link::source::{DocumentKey, Folder, Source, SourceError, entries};
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let specimens = Folder::open(root.join("examples/specimens")).unwrap();
    let bytes_of = |entry: &legal_link::cache::Entry| {
        let key = DocumentKey::try_from(entry.key.clone()).unwrap();
        Ok::<_, SourceError>(specimens.fetch(&key)?.bytes)
    };
    let (mut files, mut differ) = (0, Vec::new());
    let compare = |path: &str, bytes: &[u8]| {
        files += 1;
        if fs::read(root.join("eurlex_cache").join(path)).ok().as_deref() != Some(bytes) {
            differ.push(path.to_string());
        }
        Ok(())
    };
    lay_out(entries(&specimens).unwrap(), bytes_of, compare).unwrap();
    let again = "cargo run -- cache pack --from folder:examples/specimens --into eurlex_cache";
    assert!(differ.is_empty(), "run `{again}`; these differ: {differ:?}");
    assert_eq!(legal_link::build::shipped().unwrap().entries().count(), specimens.list().unwrap().len());
    assert!(files > 1);
}
