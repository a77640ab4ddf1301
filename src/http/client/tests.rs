//! The client against small servers on loopback, on a clock where a second lasts 1/200 s.

use super::*;
use crate::http::Secret;
use futures_util::future::{join, join_all};
use std::time::SystemTime;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// What a server saw: when, and which path.
type Seen = Arc<Mutex<Vec<(Instant, String)>>>;

/// Serves what `answer` says for a path and the count of requests before; gives the address, without a last slash.
async fn server(answer: impl Fn(&str, usize) -> Vec<u8> + Send + 'static) -> (String, Seen) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let seen = Seen::default();
    let noted = seen.clone();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut head = [0; 4096];
            let length = socket.read(&mut head).await.unwrap_or(0);
            let head = String::from_utf8_lossy(&head[..length]).into_owned();
            let path = head.split(' ').nth(1).unwrap_or_default().to_string();
            let nth = noted.lock().unwrap().len();
            noted.lock().unwrap().push((Instant::now(), path.clone()));
            let _ = socket.write_all(&answer(&path, nth)).await;
        }
    });
    (address, seen)
}

/// An answer with these header lines, and the length of its body.
fn says(status: u16, headers: &[&str], body: &[u8]) -> Vec<u8> {
    let lines = headers.iter().fold(String::new(), |lines, line| lines + line + "\r\n");
    let length = body.len();
    let head = format!("HTTP/1.1 {status} X\r\n{lines}content-length: {length}\r\nconnection: close\r\n\r\n");
    [head.as_bytes(), body].concat()
}

/// One answer after the other, then the last one again.
async fn serve(answers: Vec<Vec<u8>>) -> (String, Seen) {
    server(move |_, nth| answers[nth.min(answers.len() - 1)].clone()).await
}

fn client(policy: Policy) -> Client {
    Client::new("legal-link/9.9 (+a@b.example)", policy, Clock::scaled(SystemTime::now, 200)).unwrap()
}

/// As for a server of one's own: no pace, no robots.txt.
fn quick(attempts: u32) -> Policy {
    Policy { pace: Duration::ZERO, robots: false, attempts, max_bytes: 1 << 20, ..Policy::default() }
}

fn paths(seen: &Seen) -> Vec<String> {
    seen.lock().unwrap().iter().map(|(_, path)| path.clone()).collect()
}

#[tokio::test]
async fn a_busy_server_is_asked_again() {
    let busy = says(429, &["retry-after-ms: 1"], b"");
    let (url, _) = serve(vec![busy.clone(), says(202, &[], b""), busy, says(200, &[], b"ok")]).await;
    let answer = client(quick(5)).send(&Request::get(url)).await.unwrap();
    assert_eq!((answer.status, answer.attempts, answer.body.as_slice()), (200, 4, b"ok".as_slice()));
}

#[tokio::test]
async fn what_a_request_holds_for_settled_is_not_asked_again() {
    let (url, seen) = serve(vec![says(500, &[], b"never"), says(500, &[], b"busy"), says(200, &[], b"x")]).await;
    let client = client(quick(5));
    let mut request = Request::get(&url);
    request.settled = Some(|answer| answer.body == b"never");
    assert_eq!(client.send(&request).await.unwrap().body, b"never");
    assert_eq!(client.send(&request).await.unwrap().body, b"x");
    assert_eq!(paths(&seen).len(), 3);
}

#[tokio::test]
async fn a_lack_of_money_is_final_and_a_long_body_refused() {
    let (url, _) = serve(vec![says(429, &[], b"insufficient_quota")]).await;
    assert_eq!(client(quick(5)).send(&Request::get(url)).await.unwrap().attempts, 1);
    let (url, _) = serve(vec![says(200, &[], &[b'x'; 200])]).await;
    let error = client(Policy { max_bytes: 100, ..quick(1) }).send(&Request::get(url)).await.unwrap_err();
    assert!(matches!(error, HttpError::TooLong { max: 100, .. }), "{error}");
}

#[tokio::test]
async fn bodies_that_are_not_whole_are_no_answers() {
    let close = "HTTP/1.1 200 OK\r\nconnection: close\r\n";
    let bad = [
        format!("{close}content-length: 20\r\n\r\nhalf").into_bytes(),
        format!("{close}transfer-encoding: chunked\r\n\r\n9\r\nhalf").into_bytes(),
        says(200, &["content-digest: sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:"], b"another"),
        says(200, &["content-md5: XUFAKrxLKna5cZ2REBfFkg=="], b"another"),
        says(200, &["content-encoding: gzip"], b"no gzip"),
        says(200, &["content-encoding: br"], b"what was not asked for"),
    ];
    for answer in bad {
        let shown = String::from_utf8_lossy(&answer).into_owned();
        let (url, seen) = serve(vec![answer]).await;
        let error = client(quick(2)).send(&Request::get(url)).await.unwrap_err();
        assert!(matches!(error, HttpError::Failed { attempts: 2, .. }), "{error} {shown}");
        assert_eq!(seen.lock().unwrap().len(), 2);
    }
}

#[tokio::test]
async fn a_bomb_is_refused_at_once() {
    use std::io::Write as _;
    let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    bomb.write_all(&vec![0; 20 << 20]).unwrap();
    let (url, seen) = serve(vec![says(200, &["content-encoding: gzip"], &bomb.finish().unwrap())]).await;
    let error = client(Policy { max_bytes: 64 << 20, ..quick(3) }).send(&Request::get(url)).await.unwrap_err();
    assert!(matches!(error, HttpError::Bomb { .. }), "{error}");
    assert_eq!(seen.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_body_that_drips_ends() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            tokio::spawn(async move {
                let _ = socket.read(&mut [0; 4096]).await;
                let _ = socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n").await;
                while socket.write_all(b"x").await.is_ok() {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            });
        }
    });
    let policy = Policy { timeout: Duration::from_millis(100), ..quick(1) };
    let error = client(policy).send(&Request::get(url)).await.unwrap_err();
    assert!(matches!(&error, HttpError::Failed { why, .. } if why.starts_with("timed out")), "{error}");
}

#[tokio::test]
async fn redirects_are_followed_within_the_host_and_loops_end() {
    let there = says(303, &["location: /there"], b"");
    let (url, _) = serve(vec![there.clone(), says(200, &[], b"ok")]).await;
    let answer = client(quick(1)).follow(&Request::get(url.clone())).await.unwrap();
    assert_eq!((answer.status, answer.url), (200, format!("{url}/there")));
    let error = client(quick(1)).follow(&Request::get(serve(vec![there]).await.0)).await.unwrap_err();
    assert!(matches!(error, HttpError::Loop { .. }), "{error}");
    let (url, _) = serve(vec![says(302, &["location: https://example.com/"], b"")]).await;
    let error = client(quick(1)).follow(&Request::get(url)).await.unwrap_err();
    assert!(matches!(error, HttpError::Redirect { .. }), "{error}");
}

#[tokio::test]
async fn a_redirect_waits_as_long_as_it_asks() {
    let (url, seen) = server(|path, _| match path {
        "/" => says(303, &["location: /there", "retry-after: 10"], b""),
        "/long" => says(303, &["location: /there", "retry-after: 86400"], b""),
        _ => says(200, &[], b"ok"),
    })
    .await;
    let client = client(quick(1));
    assert_eq!(client.follow(&Request::get(&url)).await.unwrap().status, 200);
    let starts: Vec<_> = seen.lock().unwrap().iter().map(|(at, _)| *at).collect();
    assert!(starts[1] - starts[0] >= Duration::from_millis(50), "{starts:?}");
    assert_eq!(client.follow(&Request::get(format!("{url}/long"))).await.unwrap().status, 303);
}

#[tokio::test]
async fn robots_comes_first_and_the_pace_is_kept() {
    let (url, seen) = server(|path, _| match path {
        "/robots.txt" => says(200, &[], b"User-agent: *\nDisallow: /search\nCrawl-delay: 4"),
        _ => says(200, &[], b"ok"),
    })
    .await;
    let client = client(Policy::default());
    let began = Instant::now();
    let requests: Vec<_> = ["/a", "/b?q=1", "/search?q=1"].iter().map(|p| Request::get(format!("{url}{p}"))).collect();
    let answers = join_all(requests.iter().map(|request| client.send(request))).await;
    assert!(answers[0].is_ok() && answers[1].is_ok());
    assert!(matches!(answers[2], Err(HttpError::Disallowed { .. })));
    assert!(client.send(&requests[0]).await.is_ok());
    let seen = seen.lock().unwrap();
    assert_eq!(seen.iter().map(|(_, path)| path.as_str()).collect::<Vec<_>>(), ["/robots.txt", "/a", "/b?q=1", "/a"]);
    // Four seconds between starts, as the host wishes. What arrives may arrive late and never early, so that each is
    // measured from the beginning and not from the one before.
    let gap = Duration::from_millis(20);
    assert!((2..).zip(&seen[2..]).all(|(nth, (at, _))| *at - began >= gap * (nth - 1)), "{seen:?}");
}

#[tokio::test]
async fn a_missing_robots_allows_and_one_that_cannot_be_had_forbids() {
    let (url, _) =
        server(|path, _| says(if path == "/robots.txt" { 404 } else { 200 }, &[], b"User-agent: *\nDisallow: /")).await;
    assert!(client(Policy::default()).send(&Request::get(url)).await.is_ok());

    let (url, seen) =
        server(|path, nth| says(if path == "/robots.txt" && nth < 2 { 500 } else { 200 }, &[], b"")).await;
    let policy = Policy { attempts: 2, longest_wait: Duration::from_secs(400), ..Policy::default() };
    let client = client(policy);
    let request = Request::get(format!("{url}/x"));
    let error = client.send(&request).await.unwrap_err();
    assert!(matches!(&error, HttpError::NoRobots { why, .. } if why == "status 500") && error.of_host(), "{error}");
    assert!(client.send(&request).await.is_err());
    assert_eq!(paths(&seen), ["/robots.txt", "/robots.txt"], "a host without its rules is asked for nothing else");
    tokio::time::sleep(Duration::from_millis(2010)).await;
    assert!(client.send(&request).await.is_ok(), "later the rules are asked for again");
}

#[tokio::test]
async fn a_host_that_asks_for_a_pause_gets_it_from_all() {
    let (url, seen) = server(|path, nth| match (path, nth) {
        ("/a", 0) => says(503, &["retry-after: 20"], b""),
        _ => says(200, &[], b"ok"),
    })
    .await;
    let client = client(quick(2));
    let (a, b) = (Request::get(format!("{url}/a")), Request::get(format!("{url}/b")));
    let (first, second) = join(client.send(&a), async {
        while paths(&seen).is_empty() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        client.send(&b).await
    })
    .await;
    assert_eq!((first.unwrap().status, second.unwrap().status), (200, 200));
    let seen = seen.lock().unwrap();
    assert!(seen[1].0 - seen[0].0 >= Duration::from_millis(95), "{seen:?}");
}

#[tokio::test]
async fn a_host_that_asks_for_more_than_we_wait_is_left_alone() {
    let (url, seen) = serve(vec![says(503, &["retry-after: 7200"], b"")]).await;
    let client = client(quick(5));
    assert_eq!(client.send(&Request::get(&url)).await.unwrap().status, 503);
    let error = client.send(&Request::get(&url)).await.unwrap_err();
    assert!(matches!(error, HttpError::Resting { seconds: 5000..=7200, .. }) && error.of_host(), "{error}");
    assert_eq!(seen.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_challenge_stops_its_host_and_no_other() {
    let page = b"<html><head><script>window.gokuProps={}</script></head><body></body></html>";
    for challenge in [says(200, &[], page), says(202, &["x-amzn-waf-action: challenge"], b"")] {
        let (url, seen) = serve(vec![challenge]).await;
        let (other, _) = serve(vec![says(200, &[], b"ok")]).await;
        let client = client(quick(5));
        let requests: Vec<_> = (0..5).map(|n| Request::get(format!("{url}/{n}"))).collect();
        let answers = join_all(requests.iter().map(|request| client.send(request))).await;
        assert!(answers.iter().all(|answer| matches!(answer, Err(HttpError::Stopped { .. }))), "{answers:?}");
        assert!(client.clone().follow(&requests[0]).await.unwrap_err().of_host());
        assert_eq!(seen.lock().unwrap().len(), 1, "nobody in line asks after the challenge");
        assert!(client.send(&Request::get(other)).await.is_ok());
    }
}

#[tokio::test]
async fn an_unchanged_document_is_said_to_be_so() {
    let unchanged = b"HTTP/1.1 304 Not Modified\r\netag: \"1\"\r\ncontent-length: 9000\r\nconnection: close\r\n\r\n";
    let (url, _) = serve(vec![unchanged.to_vec()]).await;
    let answer = client(quick(1)).send(&Request::get(url).header("if-none-match", "\"1\"")).await.unwrap();
    assert_eq!((answer.status, answer.header("etag"), answer.body.len()), (304, Some("\"1\""), 0));
}

#[tokio::test]
async fn one_at_a_time_is_busy_with_a_name() {
    let client = client(quick(1));
    let first = client.alone("a").await;
    let _other = client.alone("b").await;
    let wait = tokio::time::timeout(Duration::from_millis(20), client.alone("a")).await;
    assert!(wait.is_err());
    drop(first);
    let _second = client.alone("a").await;
}

#[tokio::test]
async fn sixty_four_in_flight_share_their_connections() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let connections = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counted = connections.clone();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            counted.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            tokio::spawn(async move {
                let mut seen = [0; 4096];
                while socket.read(&mut seen).await.is_ok_and(|n| n > 0) {
                    tokio::time::sleep(Duration::from_millis(2)).await;
                    let _ = socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok").await;
                }
            });
        }
    });
    let client = client(Policy { in_flight: 64, ..quick(5) });
    let request = Request { body: Some(b"{}".to_vec()), ..Request::get(url) };
    let all = join_all((0..640).map(|_| client.send(&request))).await;
    assert!(all.iter().all(|answer| answer.as_ref().is_ok_and(|a| a.body == b"ok")));
    assert!(connections.load(std::sync::atomic::Ordering::SeqCst) <= 64);
}

#[test]
fn secrets_do_not_show() {
    let secret = Some(("authorization".to_string(), "Bearer ".to_string(), Secret::new("s3cr3t\n")));
    let request = Request { secret, ..Request::get("http://127.0.0.1/") };
    assert!(!format!("{request:?}").contains("s3cr3t"));
}
