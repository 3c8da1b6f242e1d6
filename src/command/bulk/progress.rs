//! A bar on the terminal, and numbers as people read them.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar over so many bytes, if someone is looking.
pub fn bar(bytes: u64, quiet: bool) -> Option<ProgressBar> {
    if quiet || bytes < 1 << 16 || !std::io::stderr().is_terminal() {
        return None;
    }
    let style = ProgressStyle::with_template("{bar:40} {percent:>3} % {eta} left")
        .expect("the template is well formed");
    Some(ProgressBar::new(bytes).with_style(style))
}

/// A number with commas: 1,204.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn commas_stand_between_thousands() {
        let shown: Vec<String> = [0, 999, 1204, 1000000].map(super::thousands).to_vec();
        assert_eq!(shown, ["0", "999", "1,204", "1,000,000"]);
    }
}
