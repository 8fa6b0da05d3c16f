//! The rounds of sequential halving, at the root and throughout the tree. Not a policy.

/// Returns, for each round, the number of visits that a contender has by the end of that round.
///
/// In each of the `⌈log2 contenders⌉` rounds, a contender gets `⌊budget / (s · ⌈log2 contenders⌉)⌋` more
/// visits than before, at least one, where `s` is the number of contenders left.
pub(super) fn targets(
    budget: u64,
    contenders: usize,
    halve: fn(usize) -> usize,
) -> impl Iterator<Item = u32> {
    let rounds = usize::BITS - contenders.saturating_sub(1).leading_zeros();
    let (mut left, mut sum) = (contenders as u64, 0u64);
    (0..rounds).map(move |_| {
        sum += (budget / (left.max(1) * u64::from(rounds))).max(1);
        left = halve(left as usize) as u64;
        sum.min(u64::from(u32::MAX)) as u32
    })
}

#[cfg(test)]
mod tests {
    use super::targets;

    #[test]
    fn rounds_share_the_budget_and_targets_do_not_overflow() {
        let of = |budget, contenders| Vec::from_iter(targets(budget, contenders, |left| left.div_ceil(2)));
        // Three rounds of 8, 4 and 2 contenders: 240 / 3 visits each.
        assert_eq!(of(240, 8), [10, 30, 70]);
        assert_eq!(of(1, 5), [1, 2, 3]);
        assert_eq!(of(u64::MAX, 3), [u32::MAX; 2]);
        assert!(of(100, 1).is_empty() && of(100, 0).is_empty());
    }
}
