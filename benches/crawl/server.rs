//! A server on loopback that makes invented documents as they are asked for, as CELLAR names and negotiates them.

use crate::figures::all_threads;
use crate::synthetic::{act_of, invented};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// One in a process of its own.
pub struct Server {
    pub address: String,
    process: Child,
    said: BufReader<std::process::ChildStdout>,
}

impl Server {
    pub fn start() -> Self {
        let program = std::env::current_exe().expect("this program");
        let pipes = |command: &mut Command| command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut process = pipes(Command::new(program).arg("serve")).expect("a server");
        let mut said = BufReader::new(process.stdout.take().expect("its words"));
        let mut address = String::new();
        said.read_line(&mut address).expect("its address");
        Self { address: address.trim().to_string(), process, said }
    }

    /// Its CPU seconds, and how many requests it answered.
    pub fn stop(mut self) -> (f64, u64) {
        drop(self.process.stdin.take());
        let mut told = String::new();
        self.said.read_to_string(&mut told).expect("its figures");
        self.process.wait().expect("its end");
        let (cpu, requests) = told.trim().split_once(' ').expect("two figures");
        (cpu.parse().expect("seconds"), requests.parse().expect("a number"))
    }
}

/// Serves until there is nobody who could say more.
pub fn serve(seed: u64) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port on loopback");
    println!("http://{}", listener.local_addr().expect("an address"));
    let answered = Arc::new(AtomicU64::new(0));
    let count = answered.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let count = count.clone();
            std::thread::spawn(move || connection(stream, seed, &count));
        }
    });
    std::io::stdin().read_to_end(&mut Vec::new()).expect("the end of its input");
    println!("{} {}", all_threads(), answered.load(Ordering::Relaxed));
}

/// Answers the requests of one connection.
fn connection(mut stream: TcpStream, seed: u64, answered: &AtomicU64) {
    stream.set_nodelay(true).expect("a connection");
    let mut lines = BufReader::new(stream.try_clone().expect("a connection")).lines();
    loop {
        let head: Vec<String> = lines.by_ref().map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
        let Some(path) = head.first().and_then(|line| line.split(' ').nth(1)) else { return };
        let accept = head.iter().find_map(|line| line.to_ascii_lowercase().strip_prefix("accept:").map(str::to_string));
        let (status, header, body) = answer(path, accept.unwrap_or_default().trim(), seed);
        let whole = format!("HTTP/1.1 {status}\r\n{header}content-length: {}\r\n\r\n{body}", body.len());
        answered.fetch_add(1, Ordering::Relaxed);
        if stream.write_all(whole.as_bytes()).is_err() {
            return;
        }
    }
}

fn answer(path: &str, accept: &str, seed: u64) -> (&'static str, String, String) {
    let found = |kind: &str, body: String| ("200 OK", format!("content-type: {kind};charset=UTF-8\r\n"), body);
    if let Some(celex) = path.strip_prefix("/resource/celex/") {
        // Of every other act there is HTML only.
        let page = if act_of(celex).is_some_and(|act| act % 2 == 0) { "application/xhtml+xml" } else { "text/html" };
        let stream = if accept.starts_with("application/rdf+xml") {
            "rdf"
        } else if accept == page {
            page.rsplit(['/', '+']).next().unwrap_or_default()
        } else {
            return ("404 Not Found", String::new(), String::new());
        };
        return ("303 See Other", format!("location: /resource/cellar/{celex}/{stream}\r\n"), String::new());
    }
    let place = path.strip_prefix("/resource/cellar/").and_then(|rest| rest.split_once('/'));
    match place.and_then(|(celex, stream)| Some((act_of(celex)?, stream))) {
        Some((act, "rdf")) => found("application/rdf+xml", invented(seed, act).notice),
        Some((act, "html")) => found("text/html", invented(seed, act).page),
        Some((act, _)) => found("application/xhtml+xml", invented(seed, act).page),
        None => ("404 Not Found", String::new(), String::new()),
    }
}
