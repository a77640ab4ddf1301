//! What a call costs beside the bare wire: with gate, budget, durable journal and schema check on.
//!
//! ```text
//! cargo bench --bench models                # 10,000 calls, 64 in flight, 50 ms each: five runs, medians
//! cargo bench --bench models -- 4000 512    # other numbers: calls, calls in flight
//! ```
//!
//! A server in a process of its own answers each call after 50 ms with 4 kB, and is asked with 4 kB. Two clients take
//! turns, each in a process of its own: one writes the request's bytes to a socket and reads the answer's, no more; the
//! other is `Served`, whose every reply is forced to disk before it is used. CPU is that of all threads of the client.

#[path = "../figures/mod.rs"]
mod figures;

use figures::{all_threads, child, figure};
use legal_link::http::{Client, Clock, Policy};
use legal_link::model::{
    Ask, Calls, Dialect, Gate, LanguageModel, Limits, Means, Prices, Purse, Role, Route, Schema, Served, Silence, Turn,
    conforms, object,
};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const RUNS: usize = 5;
const TAKES: Duration = Duration::from_millis(50);
/// Bytes of a prompt, and of an answer.
const LONG: usize = 4000;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        ["serve"] => runtime().block_on(serve()),
        [client @ ("bare" | "served"), address, calls, flight] => {
            println!("{}", run(client == "served", address, number(calls), number(flight)));
        }
        [] => table(10_000, 64),
        [calls, flight] => table(number(calls), number(flight)),
        _ => eprintln!("give nothing, or the numbers of calls and of calls in flight"),
    }
}

fn number(text: &str) -> usize {
    text.parse().expect("a number")
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Runtime::new().expect("a runtime")
}

fn table(calls: usize, flight: usize) {
    let program = std::env::current_exe().expect("this program");
    let mut server = Command::new(program).arg("serve").stdout(Stdio::piped()).spawn().expect("a server");
    let mut address = String::new();
    BufReader::new(server.stdout.as_mut().expect("its output")).read_line(&mut address).expect("its address");
    let (calls_text, flight_text) = (calls.to_string(), flight.to_string());
    let measure = |client: &str| child(&[client, address.trim(), &calls_text, &flight_text]);
    let mut rows = [Vec::new(), Vec::new()];
    for _ in 0..RUNS {
        for (rows, client) in rows.iter_mut().zip(["bare", "served"]) {
            rows.push(measure(client));
        }
    }
    let _ = server.kill();
    let _ = server.wait();
    let median = |rows: &[Value], what: &str| {
        let mut figures: Vec<f64> = rows.iter().map(|row| figure(&row[what])).collect();
        figures.sort_by(f64::total_cmp);
        figures[figures.len() / 2]
    };
    println!(
        "{calls} calls of {LONG} bytes and back, {flight} in flight, {} ms each, median of {RUNS}",
        TAKES.as_millis()
    );
    println!("| client | wall | calls/s | CPU a call |\n|---|---|---|---|");
    #[allow(clippy::cast_precision_loss)]
    let count = calls as f64;
    for (rows, name) in rows.iter().zip(["bare socket", "`Served`"]) {
        let (wall, cpu) = (median(rows, "wall_s"), median(rows, "cpu_s"));
        println!("| {name} | {wall:.2} s | {:.0} | {:.3} ms |", count / wall, cpu * 1000.0 / count);
    }
    println!("wall, `Served` to bare: {:.3}", median(&rows[1], "wall_s") / median(&rows[0], "wall_s"));
}

fn run(served: bool, address: &str, calls: usize, flight: usize) -> Value {
    let runtime = runtime();
    let (clock, cpu) = (Instant::now(), all_threads());
    if served {
        runtime.block_on(by_model(address, calls, flight));
    } else {
        runtime.block_on(by_socket(address, calls, flight));
    }
    json!({"wall_s": clock.elapsed().as_secs_f64(), "cpu_s": all_threads() - cpu})
}

fn ask(n: usize) -> Ask {
    let text = format!("{n}: {}", "which act ended which? ".repeat(LONG / 24));
    let schema = json!({"type": "object", "properties": {"words": {"type": "string"}, "n": {"type": "integer"}},
        "required": ["words", "n"], "additionalProperties": false});
    Ask {
        turns: vec![Turn { role: Role::User, text }],
        schema: Schema { name: "answer".to_string(), schema },
        max_tokens: 2000,
        temperature: None,
        seed: None,
    }
}

fn route(address: &str) -> Route {
    Route::new("local:m".parse().expect("a name"), Dialect::Compatible, &format!("http://{address}/v1"))
}

async fn by_model(address: &str, calls: usize, flight: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let clock = Clock::new(SystemTime::now);
    let policy = Policy { in_flight: flight, ..Policy::default() };
    let journal = Calls::open(&folder.path().join("calls.journal")).expect("a journal");
    let limits = Limits { calls: Some(calls as u64), tokens: Some(u64::MAX / 2), ..Limits::default() };
    let means = Means {
        client: Client::new("legal-link-bench", policy, clock).expect("a client"),
        key: None,
        gate: Arc::new(Gate::new(flight, clock)),
        silence: Silence::new(address, Arc::new(|_| {}), clock),
        calls: journal.clone(),
        purse: Arc::new(Purse::new(limits, Prices::default())),
        now: || "2026-01-01T00:00:00Z".to_string(),
    };
    let model = Arc::new(Served::new(route(address), means));
    let next = Arc::new(AtomicUsize::new(0));
    let workers: Vec<_> = (0..Gate::askers(flight))
        .map(|_| {
            let (model, next) = (model.clone(), next.clone());
            tokio::spawn(async move {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= calls {
                        return;
                    }
                    let ask = ask(n);
                    let answered = model.ask(&ask, &format!("draw/{n}")).await.expect("an answer");
                    let value = object(&answered.reply.text).expect("an object");
                    conforms(&value, &ask.schema.schema).expect("as the schema wants it");
                }
            })
        })
        .collect();
    for worker in workers {
        worker.await.expect("no panic");
    }
    assert_eq!(journal.len(), calls);
}

async fn by_socket(address: &str, calls: usize, flight: usize) {
    let next = Arc::new(AtomicUsize::new(0));
    let workers: Vec<_> = (0..flight)
        .map(|_| {
            let (address, next) = (address.to_string(), next.clone());
            tokio::spawn(async move {
                let mut socket = TcpStream::connect(&address).await.expect("the server");
                socket.set_nodelay(true).expect("a socket");
                let route = route(&address);
                let mut left = Vec::new();
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= calls {
                        return;
                    }
                    let (body, _) = route.request(&ask(n), "");
                    let head = format!(
                        "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n",
                        body.len()
                    );
                    socket.write_all(&[head.as_bytes(), &body].concat()).await.expect("sent");
                    message(&mut socket, &mut left).await.expect("an answer");
                }
            })
        })
        .collect();
    for worker in workers {
        worker.await.expect("no panic");
    }
}

/// Reads one message with its body; `None` where the connection ends.
async fn message(socket: &mut TcpStream, left: &mut Vec<u8>) -> Option<Vec<u8>> {
    let mut some = vec![0; 16 << 10];
    loop {
        if let Some(end) = left.windows(4).position(|w| w == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&left[..end]).to_ascii_lowercase();
            let length = head.lines().find_map(|l| l.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
            let whole = end + 4 + length.unwrap_or(0);
            if left.len() >= whole {
                return Some(left.drain(..whole).collect());
            }
        }
        let count = socket.read(&mut some).await.ok().filter(|count| *count > 0)?;
        left.extend_from_slice(&some[..count]);
    }
}

async fn serve() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    println!("{}", listener.local_addr().expect("an address"));
    let text = json!({"words": "x".repeat(LONG), "n": 1}).to_string();
    let body = json!({"model": "m-1", "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 1000, "total_tokens": 2000}})
    .to_string();
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", body.len());
    let answer: Arc<Vec<u8>> = Arc::new([head, body].concat().into_bytes());
    while let Ok((mut socket, _)) = listener.accept().await {
        let answer = answer.clone();
        tokio::spawn(async move {
            let _ = socket.set_nodelay(true);
            let mut left = Vec::new();
            while message(&mut socket, &mut left).await.is_some() {
                tokio::time::sleep(TAKES).await;
                if socket.write_all(&answer).await.is_err() {
                    return;
                }
            }
        });
    }
}
