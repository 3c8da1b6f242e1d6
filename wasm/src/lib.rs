//! The studio's engine for wasm32-unknown-unknown, with nothing but memory and numbers between it
//! and JavaScript: the caller asks for room, writes a request there, and reads the answer at its
//! length.

use std::cell::RefCell;

use dokulog::Studio;

thread_local! {
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static STUDIO: Studio = Studio::default();
}

/// Room for a request of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *const u8 {
    TEXT.with_borrow_mut(|text| {
        text.clear();
        text.resize(length, 0);
        text.as_ptr()
    })
}

/// Answers the request that was written there; the answer takes its place. Its length.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    let request = TEXT.with_borrow(|text| String::from_utf8_lossy(text).into_owned());
    let answer = STUDIO.with(|studio| studio.answer(&request));
    TEXT.with_borrow_mut(|text| *text = answer.into_bytes());
    TEXT.with_borrow(Vec::len)
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn answer_at() -> *const u8 {
    TEXT.with_borrow(|text| text.as_ptr())
}
