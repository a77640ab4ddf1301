//! What benches measure alike: CPU of one thread, peak memory of a process, figures of a child.
#![allow(dead_code)] // Not every bench measures all of it.

use rustix::time::{ClockId, clock_gettime};
use serde_json::Value;
use std::process::Command;
use std::time::Duration;

/// CPU seconds of the thread that asks.
pub fn cpu() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let part = |n: i64| u64::try_from(n).expect("time runs forward");
    Duration::from_secs(part(time.tv_sec)).as_secs_f64() + Duration::from_nanos(part(time.tv_nsec)).as_secs_f64()
}

/// CPU seconds of all threads of this process, also of those that have ended; Linux counts them in hundredths.
pub fn all_threads() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    let after = text.rsplit(')').next().expect("fields after the name");
    let ticks: f64 = after.split_whitespace().skip(11).take(2).map(|t| t.parse::<f64>().expect("ticks")).sum();
    ticks / 100.0
}

/// The most memory this process has held, in MB.
pub fn peak() -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:")).expect("a peak");
    line.trim().trim_end_matches(" kB").trim().parse::<f64>().expect("a number") * 1.024 / 1000.0
}

/// What this program prints, as JSON, when it is called with these words.
pub fn child(args: &[&str]) -> Value {
    let program = std::env::current_exe().expect("this program");
    let out = Command::new(program).args(args).output().expect("a child");
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).expect("figures")
}

pub fn figure(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no figure"))
}
