//! Uniform permutations, as the course work makes them: sort random keys.

use crate::random::Random;

/// The numbers 0 to `count - 1` in a uniformly random order: each gets a random key, and the keys
/// are sorted.
pub(super) fn permutation(count: usize, random: &mut Random) -> Vec<usize> {
    let mut keyed: Vec<(u64, usize)> = (0..count).map(|i| (random.bits(), i)).collect();
    keyed.sort();
    keyed.into_iter().map(|(_, i)| i).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pearson's statistic of these counts against equal shares.
    fn chi_square(counts: &[u32]) -> f64 {
        let expected = counts.iter().sum::<u32>() as f64 / counts.len() as f64;
        counts.iter().map(|&n| (n as f64 - expected).powi(2) / expected).sum()
    }

    fn counts(draw: impl Fn(&mut Random) -> Vec<usize>) -> Vec<u32> {
        let mut counts = vec![0; 24];
        let mut random = Random::new(2);
        for _ in 0..24_000 {
            let p = draw(&mut random);
            let rank = |i: usize| p[i + 1..].iter().filter(|&&later| later < p[i]).count();
            counts[rank(0) * 6 + rank(1) * 2 + rank(2)] += 1;
        }
        counts
    }

    /// 23 degrees of freedom: more than 49.7 comes once in a thousand draws.
    #[test]
    fn every_order_is_equally_likely() {
        assert!(chi_square(&counts(|random| permutation(4, random))) < 49.7);
        let shuffled = counts(|random| {
            let mut items: Vec<usize> = (0..4).collect();
            random.shuffle(&mut items);
            items
        });
        assert!(chi_square(&shuffled) < 49.7);
    }

    /// The test can fail: swapping each item with any other is the classic biased shuffle.
    #[test]
    fn a_biased_shuffle_is_found_out() {
        let biased = counts(|random| {
            let mut items: Vec<usize> = (0..4).collect();
            for i in 0..4 {
                items.swap(i, random.below(4));
            }
            items
        });
        assert!(chi_square(&biased) > 49.7);
    }
}
