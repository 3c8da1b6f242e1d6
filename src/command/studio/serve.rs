//! The server: this machine alone, its own page alone.
//!
//! Another page in the same browser can send requests to this address, and a name of another's can
//! be made to point to it. So `Host` must be this address and `Origin`, where there is one, the
//! page's own. Everything is answered from memory.

use std::net::SocketAddr;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;

use super::page;
use crate::studio::Studio;

/// How long an answer may take; one that may take long is made by a process of its own.
const SHORT: Duration = Duration::from_secs(20);
const LONG: Duration = Duration::from_secs(600);

/// Nothing from elsewhere, no script and no style in the page itself.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'; object-src 'none'";

struct Served {
    studio: Studio,
    address: SocketAddr,
    files: String,
    index: String,
}

/// Serves until the program is interrupted or terminated.
pub(super) async fn until_stopped(
    listener: TcpListener,
    address: SocketAddr,
    files: String,
) -> std::io::Result<()> {
    let studio = Studio::default();
    let served = Arc::new(Served { studio, address, files, index: page::index() });
    let app = Router::new().fallback(answer).with_state(served);
    tokio::select! {
        ended = axum::serve(listener, app) => ended,
        stopped = stopped() => stopped,
    }
}

async fn stopped() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            interrupted = tokio::signal::ctrl_c() => interrupted,
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}

async fn answer(State(served): State<Arc<Served>>, request: Request) -> Response {
    if !is_from_here(&served.address, &request) {
        return sentence(StatusCode::FORBIDDEN, "this address is for its own page alone");
    }
    let path = request.uri().path().to_string();
    match (request.method(), path.as_str()) {
        (&Method::POST, "/answer") => asked(served, request.into_body()).await,
        (&Method::GET, "/") => with_type("text/html; charset=utf-8", served.index.clone()),
        (&Method::GET, "/files") => with_type("application/json", served.files.clone()),
        (&Method::GET, path) => {
            let found = page::FILES.iter().find(|(name, ..)| path[1..] == **name);
            match found {
                Some((_, kind, bytes)) => with_type(kind, *bytes),
                None => sentence(StatusCode::NOT_FOUND, "there is nothing here"),
            }
        }
        _ => sentence(StatusCode::METHOD_NOT_ALLOWED, "this cannot be done here"),
    }
}

/// Whether the request is for this address, and from its page or from no page at all.
fn is_from_here(address: &SocketAddr, request: &Request) -> bool {
    let port = address.port();
    let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let header = |name: HeaderName| request.headers().get(name).map(|value| value.as_bytes());
    let is_own = |value: &[u8], start: &str| {
        own.iter().any(|own| value.eq_ignore_ascii_case(format!("{start}{own}").as_bytes()))
    };
    header(HOST).is_some_and(|host| is_own(host, ""))
        && header(ORIGIN).is_none_or(|origin| is_own(origin, "http://"))
}

async fn asked(served: Arc<Served>, body: Body) -> Response {
    let Ok(bytes) = to_bytes(body, super::LIMIT as usize).await else {
        return sentence(StatusCode::PAYLOAD_TOO_LARGE, "more than 1 MiB is too much for the page");
    };
    let request = String::from_utf8_lossy(&bytes).into_owned();
    let (limit, answered) = match Studio::takes_long(&request) {
        true => (LONG, tokio::time::timeout(LONG, in_a_process(request)).await.ok().flatten()),
        false => {
            let work = tokio::task::spawn_blocking(move || served.studio.answer(&request));
            (SHORT, tokio::time::timeout(SHORT, work).await.ok().and_then(Result::ok))
        }
    };
    match answered {
        Some(answer) => with_type("application/json", answer),
        None => {
            let said = format!("no answer within {} seconds: it was cut off", limit.as_secs());
            sentence(StatusCode::OK, &said)
        }
    }
}

/// Asks a process of its own, which ends when nobody waits for it any more.
async fn in_a_process(request: String) -> Option<String> {
    let program = std::env::current_exe().ok()?;
    let mut child = tokio::process::Command::new(program)
        .args(["studio", "--answer"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(request.as_bytes()).await.ok()?;
    let output = child.wait_with_output().await.ok()?;
    String::from_utf8(output.stdout).ok().filter(|answer| !answer.trim().is_empty())
}

fn with_type(kind: &'static str, body: impl Into<Body>) -> Response {
    let headers = [
        (CONTENT_TYPE, kind),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
    ];
    (headers, body.into()).into_response()
}

fn sentence(status: StatusCode, said: &str) -> Response {
    let mut response = with_type("application/json", json!({ "error": said }).to_string());
    *response.status_mut() = status;
    response
}
