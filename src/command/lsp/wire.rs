//! Messages in and out: a header with the length, then JSON.

use std::io::{BufRead, Read};

use lsp_server::{ErrorCode, Message};
use serde_json::{Value, json};

/// The longest message that is read.
const LONGEST: usize = 64 << 20;

/// What came in.
pub enum Incoming {
    /// A message.
    Message(Message),
    /// Something that is none: the answer to it.
    Broken(Value),
    /// Nothing more comes.
    End,
}

/// Reads the next message; what cannot be read is told, and skipped as far as it goes.
pub fn read(input: &mut impl BufRead) -> Incoming {
    let mut length: Option<usize> = None;
    let mut began = false;
    loop {
        let mut line = Vec::new();
        // A header is short; a line that does not end is no header.
        match input.by_ref().take(4096).read_until(b'\n', &mut line) {
            Err(_) | Ok(0) => return Incoming::End,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            if began {
                break;
            }
            continue;
        }
        began = true;
        if let Some((name, value)) = line.split_once(':')
            && name.trim().eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok();
        }
    }
    let Some(length) = length else {
        return broken(ErrorCode::ParseError, Value::Null, "a message has no Content-Length");
    };
    if length > LONGEST {
        let read = std::io::copy(&mut input.take(length as u64), &mut std::io::sink());
        return match read {
            Ok(_) => broken(ErrorCode::InvalidRequest, Value::Null, "a message is too long"),
            Err(_) => Incoming::End,
        };
    }
    let mut body = vec![0; length];
    if input.read_exact(&mut body).is_err() {
        return Incoming::End;
    }
    parsed(&body)
}

/// A message from its JSON.
pub fn parsed(body: &[u8]) -> Incoming {
    let value: Value = match serde_json::from_slice(body) {
        Ok(value) => value,
        Err(error) => return broken(ErrorCode::ParseError, Value::Null, &error.to_string()),
    };
    let id = value.get("id").filter(|id| id.is_string() || id.is_i64()).cloned();
    match serde_json::from_value(value) {
        Ok(message) => Incoming::Message(message),
        Err(_) => {
            broken(ErrorCode::InvalidRequest, id.unwrap_or(Value::Null), "this is no message")
        }
    }
}

fn broken(code: ErrorCode, id: Value, message: &str) -> Incoming {
    let error = json!({ "code": code as i32, "message": message });
    Incoming::Broken(json!({ "jsonrpc": "2.0", "id": id, "error": error }))
}

/// A message as it is sent.
pub fn written(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}
