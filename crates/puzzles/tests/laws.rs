//! The sum of digits, whose results follow an exact law. Each test fails for a right search with a
//! probability of 1e-6; seeds are fixed.

use crate::common::{chi_squared, sized};
use crate::problems::Digits;
use ramure::Budget;
use ramure_puzzles::{FlatSampling, NestedSearch, Optimization, Optimizer};
use statrs::distribution::{ChiSquared, ContinuousCDF};
use std::collections::BTreeMap;

const BASE: usize = 3;
const LENGTH: usize = 5;

/// The number of sequences of `length` digits with each sum.
fn ways(length: usize) -> Vec<f64> {
    let mut ways = vec![1.0];
    for _ in 0..length {
        let mut longer = vec![0.0; ways.len() + BASE - 1];
        for (sum, count) in ways.iter().enumerate() {
            (0..BASE).for_each(|digit| longer[sum + digit] += count);
        }
        ways = longer;
    }
    ways
}

/// The probabilities of the results of a nested search of level 1 with `left` digits to go, whose remembered
/// line has the sum `best` in these digits, or nothing is remembered.
///
/// A line is remembered for its sum alone, so all lines with this sum are equally likely.
fn nested(left: usize, best: Option<usize>) -> Vec<f64> {
    let mut law = vec![0.0; left * (BASE - 1) + 1];
    if left == 0 {
        law[0] = 1.0;
        return law;
    }
    let rest = ways(left - 1);
    let all: f64 = rest.iter().sum();
    // The best line so far: its sum, and its next digit if a rollout of this step has found it.
    let mut leaders = BTreeMap::from([((best, None), 1.0)]);
    for digit in 0..BASE {
        let mut next = BTreeMap::new();
        for ((known, first), p) in leaders {
            for (sum, count) in rest.iter().enumerate() {
                let better = known.is_none_or(|known| digit + sum > known);
                let leader = if better { (Some(digit + sum), Some(digit)) } else { (known, first) };
                *next.entry(leader).or_insert(0.0) += p * count / all;
            }
        }
        leaders = next;
    }
    for ((sum, first), p) in leaders {
        let sum = sum.expect("there were rollouts");
        let same: f64 = ways(left)[sum];
        for digit in 0..BASE.min(sum + 1) {
            let share = match first {
                Some(first) => f64::from(u8::from(digit == first)),
                None => rest.get(sum - digit).map_or(0.0, |count| count / same),
            };
            if share > 0.0 {
                for (more, q) in nested(left - 1, Some(sum - digit)).into_iter().enumerate() {
                    law[digit + more] += p * share * q;
                }
            }
        }
    }
    law
}

fn check<O: Optimizer<Digits> + Copy>(optimizer: O, budget: Budget, law: &[f64]) {
    let mut counts = vec![0u32; law.len()];
    for seed in 0..sized(4_000, 40_000) {
        let mut search =
            Optimization::new(Digits::new(BASE as u8, LENGTH as u8), optimizer).passes(1).seed(seed);
        if budget.iterations.is_none() {
            counts[search.run(budget).expect("a sound problem").score as usize] += 1;
        } else {
            let mut search = search.passes(u64::MAX);
            counts[search.run(budget).expect("a sound problem").score as usize] += 1;
        }
    }
    assert!((law.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    // Sums that are hardly ever met are put together.
    let total: f64 = counts.iter().map(|&count| f64::from(count)).sum();
    let rare = |&p: &f64| p * total < 8.0;
    let mut pooled: Vec<(u32, f64)> =
        counts.iter().copied().zip(law.iter().copied()).filter(|(_, p)| !rare(p)).collect();
    let left: (u32, f64) =
        counts.iter().zip(law).filter(|(_, p)| rare(p)).fold((0, 0.0), |(n, q), (m, p)| (n + m, q + p));
    if left.1 * total >= 8.0 {
        pooled.push(left);
    } else {
        assert!(left.0 <= 40, "{left:?}"); // 8 at most are expected
    }
    let (counts, law): (Vec<u32>, Vec<f64>) = pooled.into_iter().unzip();
    let limit = ChiSquared::new(law.len() as f64 - 1.0).expect("some sums").inverse_cdf(1.0 - 1e-6);
    let found = chi_squared(&counts, &law);
    assert!(found < limit, "{found} of {limit}: {counts:?}, {law:?}");
}

#[test]
fn the_best_of_random_lines_follows_its_law() {
    let one: Vec<f64> = ways(LENGTH).iter().map(|count| count / BASE.pow(LENGTH as u32) as f64).collect();
    let within = |sum: usize| one[..sum].iter().sum::<f64>();
    let all_four = |p: f64| p * p * p * p;
    let law: Vec<f64> = (0..one.len()).map(|sum| all_four(within(sum + 1)) - all_four(within(sum))).collect();
    check(FlatSampling, Budget::iterations(4), &law);
}

#[test]
fn the_nested_search_of_level_1_follows_its_law() {
    check(NestedSearch::new(1), Budget::until_stopped(), &nested(LENGTH, None));
}
