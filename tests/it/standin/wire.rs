//! HTTP/1.1 by hand: as much of it as a client of ours speaks, and every way to break it.

use super::Fault;
use std::fmt::Write as _;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// A request: its path with query, and its headers with names in lower case.
pub struct Request {
    pub path: String,
    headers: Vec<(String, String)>,
}

impl Request {
    /// A header; empty where it is not there.
    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(n, _)| n == name).map_or("", |(_, value)| value)
    }

    /// The path without its query.
    pub fn bare_path(&self) -> &str {
        self.path.split('?').next().unwrap_or_default()
    }

    /// A parameter of the query.
    pub fn parameter(&self, name: &str) -> Option<String> {
        let query = self.path.split_once('?')?.1;
        let value = query.split('&').filter_map(|pair| pair.split_once('=')).find(|(n, _)| *n == name)?.1;
        Some(decoded(value))
    }
}

/// Percent-encoding undone.
pub fn decoded(text: &str) -> String {
    let mut out = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        let hex = after.get(..2).and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        match hex {
            Some(value) if *byte == b'%' => {
                out.push(value);
                rest = &after[2..];
            }
            _ => out.push(*byte),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// An answer.
#[derive(Default)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn new(status: u16, kind: &str, body: impl Into<Vec<u8>>) -> Self {
        Self { status, headers: vec![("content-type".into(), kind.into())], body: body.into() }
    }

    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Another value for a header.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.headers.retain(|(n, _)| n != name);
        self.headers.push((name.into(), value.into()));
    }

    /// Whether a document is in it, and not the way to one.
    pub fn holds_a_document(&self) -> bool {
        self.status == 200 && !self.body.is_empty()
    }
}

/// The next request; `None` where the connection ends or speaks otherwise.
pub async fn read(socket: &mut TcpStream, left: &mut Vec<u8>) -> Option<Request> {
    let end = loop {
        if let Some(end) = left.windows(4).position(|w| w == b"\r\n\r\n") {
            break end;
        }
        let mut some = [0; 4096];
        let count = socket.read(&mut some).await.ok().filter(|count| *count > 0)?;
        left.extend_from_slice(&some[..count]);
        if left.len() > 64 << 10 {
            return None;
        }
    };
    let head: Vec<u8> = left.drain(..end + 4).collect();
    let head = String::from_utf8(head).ok()?;
    let mut lines = head.split("\r\n");
    let path = lines.next()?.strip_prefix("GET ")?.split(' ').next()?.to_string();
    let header = |line: &str| line.split_once(':').map(|(n, v)| (n.to_ascii_lowercase(), v.trim().to_string()));
    Some(Request { path, headers: lines.filter_map(header).collect() })
}

/// Writes an answer, breaking what the fault says. Whether the connection may be used again.
pub async fn write(socket: &mut TcpStream, answer: &Answer, fault: Option<Fault>) -> bool {
    if fault == Some(Fault::Reset) {
        return false;
    }
    let length = answer.body.len();
    let announced = match fault {
        Some(Fault::WrongLength) => length.saturating_sub(length / 7 + 1),
        _ => length,
    };
    let mut head = format!("HTTP/1.1 {} -\r\n", answer.status);
    for (name, value) in &answer.headers {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    if answer.status != 304 {
        let _ = write!(head, "content-length: {announced}\r\n");
    }
    head.push_str("\r\n");
    if socket.write_all(head.as_bytes()).await.is_err() {
        return false;
    }
    match fault {
        Some(Fault::Cut) => {
            let _ = socket.write_all(&answer.body[..length / 2]).await;
            let _ = socket.shutdown().await;
            false
        }
        Some(Fault::Drip) => {
            for byte in &answer.body {
                if socket.write_all(&[*byte]).await.is_err() {
                    return false;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            false
        }
        Some(Fault::WrongLength) => {
            // As many bytes as announced, the rest is kept back: a document cut, and every header in order.
            let _ = socket.write_all(&answer.body[..announced]).await;
            let _ = socket.shutdown().await;
            false
        }
        _ => socket.write_all(&answer.body).await.is_ok(),
    }
}
