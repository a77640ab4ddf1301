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
