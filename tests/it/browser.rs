//! Pages and drawings in a real browser.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The browser of this machine, if it has one.
pub fn browser() -> Option<PathBuf> {
    let found = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].map(PathBuf::from);
    found.into_iter().find(|p| p.is_file())
}

/// A page as it stands when its scripts have run.
pub fn dom(browser: &Path, page: &Path, profile: &Path, width: u32) -> String {
    let flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--hide-scrollbars",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--dump-dom",
    ];
    let done = Command::new(browser)
        .args(flags)
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("--window-size={width},900"))
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("the browser starts");
    String::from_utf8_lossy(&done.stdout).into_owned()
}

/// At a telephone's width and a desk's, no part of a page is wider than the page.
pub fn fits(browser: &Path, html: &str, what: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    // The page measures itself inside a frame of the width asked for: headless windows have a least width.
    let measure = "<script>for (const w of [360, 1280]) { const f = document.createElement('iframe'); f.width = w; f.height = 800; \
                   f.srcdoc = document.getElementById('page').textContent; f.onload = () => { const e = f.contentDocument.documentElement; \
                   document.body.dataset['w' + w] = e.scrollWidth; }; document.body.append(f); }</script>";
    let escaped = html.replace('&', "&amp;").replace('<', "&lt;");
    let page = folder.path().join("measure.html");
    let measuring = format!("<!doctype html><meta charset=utf-8><body><pre id=page hidden>{escaped}</pre>{measure}");
    std::fs::write(&page, measuring).expect("written");
    let dom = dom(browser, &page, &folder.path().join("profile"), 1600);
    for width in [360, 1280] {
        let said = format!("data-w{width}=\"{width}\"");
        let got: String = dom.split("<pre").next().unwrap_or_default().chars().take(300).collect();
        assert!(dom.contains(&said), "{what}: want {said}, got {got}");
    }
}
