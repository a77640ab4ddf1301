//! The time line of an act in a real browser: every word is on the page, and none is set over another.

use crate::browser::{browser, dom};
use crate::corpus::corpus;
use crate::program::{run, told};
use legal_link::law::Day;
use legal_link::view::{ActLine, Bar, Event, Lane, Mark, Tone, act_line};
use std::path::Path;

/// What the page says of each drawing on it: words outside, and words over each other.
const MEASURE: &str = r"<script>
for (const svg of document.querySelectorAll('svg')) {
  const page = svg.getBoundingClientRect();
  const words = [...svg.querySelectorAll('text')].filter(t => t.textContent.trim())
    .map(t => [t.textContent.trim(), t.getBoundingClientRect()]);
  const wrong = [];
  for (const [word, at] of words)
    if (at.left < page.left || at.right > page.right || at.top < page.top || at.bottom > page.bottom) wrong.push('outside: ' + word);
  words.forEach(([word, a], i) => words.slice(i + 1).forEach(([other, b]) => {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 1 && high > 3) wrong.push('over each other: ' + word + ' | ' + other);
  }));
  const told = document.createElement('p');
  told.className = 'told';
  told.textContent = words.length + ' words; ' + wrong.length + ' wrong; ' + wrong.slice(0, 5).join('; ');
  document.body.append(told);
}
</script>";

/// An act with `many` amendments, corrections and ends, close together and far apart, and every kind of bar.
fn crowded(many: u32) -> ActLine {
    let day = |month: u32| {
        let (years, month) = (month / 12, month % 12 + 1);
        Day::from_ymd(i32::try_from(1970 + years).expect("a year"), month, 17)
    };
    let lane = |name: &str, mark, of: u32| {
        let events =
            (0..of).map(|n| Event { day: day(n * n % 600), label: format!("3{}R{:04}", 1970 + n % 50, 9001 + n) });
        Lane { name: name.to_string(), mark, events: events.collect() }
    };
    let bar = |name: &str, from, until, sure, tone, note: &str| Bar {
        name: name.to_string(),
        from: day(from),
        until: day(until),
        sure,
        tone,
        note: note.to_string(),
    };
    ActLine {
        name: "31970R9001".to_string(),
        title:
            "A regulation on the keeping of lanterns, with a title so long that no page across could hold it on a line "
                .repeat(3),
        said: vec!["On 1 January 2000: in force unknown, applicable unknown.".to_string()],
        bars: vec![
            bar("in force", 0, 590, false, Tone::Full, "when it ends is not known"),
            bar("applies", 6, 590, true, Tone::Half, ""),
            bar("Annex II, Chapter IV, Article 125a(3)", 0, 30, true, Tone::Hatched, "ended by 31973R9002"),
            bar("some cases", 500, 510, true, Tone::Hatched, "saved by 32012R9003"),
        ],
        lanes: vec![
            lane("ended by", Mark::Cross, many.min(6)),
            lane("reach changed by", Mark::Arrow, many / 4),
            lane("amended by", Mark::Tick, many),
            lane("corrected by", Mark::Ring, many / 2),
            lane("consolidated states", Mark::Diamond, many),
            lane("itself prolongs, widens", Mark::Arrow, many / 3),
        ],
        on: day(360),
        known_on: day(620),
    }
}

fn drawn(celex: &str, source: Option<&str>, folder: &Path) -> String {
    let svg = folder.join(format!("{celex}.svg"));
    let path = svg.to_str().expect("a path in UTF-8");
    let mut args = vec!["timeline", celex, "--svg", path];
    args.extend(source.iter().flat_map(|source| ["--source", source]));
    let done = run(&args, folder);
    assert!(done.status.success(), "{celex}: {}", told(&done));
    std::fs::read_to_string(svg).expect("the drawing was written")
}

#[test]
fn no_word_leaves_the_page_or_covers_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut named: Vec<(String, String)> =
        [0, 1, 12, 60, 400].map(|many| (format!("{many} amendments"), act_line(&crowded(many)))).into();
    for celex in ["31974R9001", "31989R9002", "32001L9001"] {
        let known = run(&["act", celex], folder.path()).status.success();
        named.extend(known.then(|| (celex.to_string(), drawn(celex, None, folder.path()))));
    }
    assert!(named.len() > 5, "none of the specimens named here is shipped");
    if let Some(corpus) = corpus("no_word_leaves_the_page_or_covers_another: real acts") {
        let source = format!("folder:{}", corpus.display());
        for celex in ["31995L0046", "32016R0679", "32022R2554", "32009R1224", "31962R0017"] {
            named.push((celex.to_string(), drawn(celex, Some(&source), folder.path())));
        }
    }
    let Some(browser) = browser() else {
        eprintln!("SKIPPED no_word_leaves_the_page_or_covers_another: no chromium here");
        return;
    };
    let strip = |svg: &str| svg.find("<svg").map_or_else(String::new, |at| svg[at..].to_string());
    let drawings: String = named.iter().map(|(_, svg)| strip(svg)).collect();
    let page = folder.path().join("lines.html");
    std::fs::write(&page, format!("<!doctype html><meta charset=utf-8><body>{drawings}{MEASURE}")).expect("written");
    let profile = tempfile::tempdir().expect("a folder");
    let dom = dom(&browser, &page, profile.path(), 1300);
    let told: Vec<&str> =
        dom.split("<p class=\"told\">").skip(1).filter_map(|rest| rest.split("</p>").next()).collect();
    assert_eq!(told.len(), named.len(), "every drawing is measured");
    for ((name, _), told) in named.iter().zip(told) {
        assert!(told.contains("; 0 wrong;") && !told.starts_with("0 words"), "{name}: {told}");
    }
}
