//! HTTP/1.1 by hand: as much of it as a client of ours speaks, and every way to break it.

use super::Fault;
use serde_json::Value;
use std::fmt::Write as _;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// A request.
pub struct Request {
    pub method: String,
    pub path: String,
    headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Request {
    /// The header that holds a key, and the key.
    pub fn key(&self) -> Option<(String, String)> {
        let keys = ["authorization", "x-api-key", "x-goog-api-key"];
        self.headers.iter().find(|(name, _)| keys.contains(&name.as_str())).cloned()
    }
}

/// An answer.
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(status: u16, body: &Value) -> Self {
        let headers = vec![("content-type".to_string(), "application/json".to_string())];
        Self { status, headers, body: body.to_string().into_bytes() }
    }

    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_string(), value.to_string()));
        self
    }
}

/// The next request with its body; `None` where the connection ends.
pub async fn read(socket: &mut TcpStream, left: &mut Vec<u8>) -> Option<Request> {
    let end = loop {
        if let Some(end) = left.windows(4).position(|w| w == b"\r\n\r\n") {
            break end;
        }
        more(socket, left).await?;
    };
    let head: Vec<u8> = left.drain(..end + 4).collect();
    let head = String::from_utf8(head).ok()?;
    let mut lines = head.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let (method, path) = (first.next()?.to_string(), first.next()?.to_string());
    let header = |line: &str| line.split_once(':').map(|(n, v)| (n.to_ascii_lowercase(), v.trim().to_string()));
    let headers: Vec<(String, String)> = lines.filter_map(header).collect();
    let length = headers.iter().find(|(n, _)| n == "content-length").and_then(|(_, v)| v.parse().ok()).unwrap_or(0);
    while left.len() < length {
        more(socket, left).await?;
    }
    let body = left.drain(..length).collect();
    Some(Request { method, path, headers, body })
}

async fn more(socket: &mut TcpStream, left: &mut Vec<u8>) -> Option<()> {
    let mut some = vec![0; 16 << 10];
    let count = socket.read(&mut some).await.ok().filter(|count| *count > 0)?;
    left.extend_from_slice(&some[..count]);
    Some(())
}

/// Writes an answer, breaking what the fault says. Whether all of it was sent.
pub async fn write(socket: &mut TcpStream, answer: &Answer, fault: Option<Fault>) -> bool {
    if fault == Some(Fault::Reset) {
        return false;
    }
    let mut bytes = format!("HTTP/1.1 {} -\r\n", answer.status);
    for (name, value) in &answer.headers {
        let _ = write!(bytes, "{name}: {value}\r\n");
    }
    let _ = write!(bytes, "content-length: {}\r\n\r\n", answer.body.len());
    let mut bytes = bytes.into_bytes();
    match fault {
        Some(Fault::Cut) => {
            bytes.extend_from_slice(&answer.body[..answer.body.len() / 2]);
            let _ = socket.write_all(&bytes).await;
            let _ = socket.shutdown().await;
            false
        }
        Some(Fault::Slow) => {
            bytes.extend_from_slice(&answer.body);
            for piece in bytes.chunks(bytes.len().div_ceil(8)) {
                if socket.write_all(piece).await.is_err() {
                    return false;
                }
                tokio::time::sleep(Duration::from_millis(3)).await;
            }
            true
        }
        _ => {
            bytes.extend_from_slice(&answer.body);
            socket.write_all(&bytes).await.is_ok()
        }
    }
}
