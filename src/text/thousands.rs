//! Numbers as people read them.

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
