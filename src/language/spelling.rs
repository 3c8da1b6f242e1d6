//! "Did you mean …?"

use strsim::osa_distance;

/// The candidate nearest to a misspelt name, if one is near enough; the first of equals.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = match name.chars().count() {
        0..=2 => 0,
        length => (length / 3).max(1),
    };
    let mut best = None;
    for candidate in candidates {
        if name.len().abs_diff(candidate.len()) > limit {
            continue;
        }
        // Letters to change, insert, delete or swap with a neighbour, small and capital alike.
        let distance = osa_distance(&name.to_lowercase(), &candidate.to_lowercase());
        if distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found() {
        let names = ["candidates", "spots", "sees", "bivalue"];
        for (wrong, right) in [
            ("candidats", Some("candidates")),
            ("spot", Some("spots")),
            ("bivaleu", Some("bivalue")),
            ("see", Some("sees")),
            ("elephant", None),
        ] {
            assert_eq!(nearest(wrong, names), right, "{wrong}");
        }
    }
}
