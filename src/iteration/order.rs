//! The random order in which the children of a node are created. It is not stored but computed again, with
//! the same result, whenever the family grows.

use crate::game::Rng;
use crate::tree::{LANES, SMALL};
use smallvec::SmallVec;

/// Puts the first `wanted` of `actions` in the order in which the children of a node are created. All orders
/// are equally likely. `known` children exist already, and `is_made` says whether the child at a place is by
/// an action. `others` has a value for each action, which moves with it, or none at all.
///
/// The first four are drawn from `rng` when a node gets its first children; later they are those of the
/// existing children. They and `salt` determine the order of all others. So `known` may be four, unless the
/// children have another order, by a visit that was taken back. Most children
/// have the place that is drawn for them, so few are searched for.
pub(crate) fn arrange<A, T>(
    actions: &mut [A],
    others: &mut [T],
    known: usize,
    is_made: impl Fn(usize, &A) -> bool,
    wanted: usize,
    salt: u64,
    rng: &mut Rng,
) {
    let mut seed = salt;
    for place in 0..wanted.min(SMALL) {
        let on = if place < known {
            actions[place..].iter().position(|action| is_made(place, action)).unwrap_or(0)
        } else {
            rng.below(actions.len() - place)
        };
        seed = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(on as u64);
        swap(actions, others, place, place + on);
    }
    if wanted <= SMALL {
        return;
    }
    let order = &mut Rng::seeded(seed);
    // The order of a few actions is never needed again: all children exist after this call.
    let order = if actions.len() <= LANES { rng } else { order };
    for place in SMALL..wanted {
        let drawn = order.below(actions.len() - place);
        let on = if place < known && !is_made(place, &actions[place + drawn]) {
            actions[place..].iter().position(|action| is_made(place, action)).unwrap_or(drawn)
        } else {
            drawn
        };
        swap(actions, others, place, place + on);
    }
}

/// Exchanges two actions, and the values that go with them.
#[inline(always)]
fn swap<A, T>(actions: &mut [A], others: &mut [T], a: usize, b: usize) {
    actions.swap(a, b);
    if !others.is_empty() {
        others.swap(a, b);
    }
}

/// Puts the actions of `known` existing children first, in their order, before all other `actions`, which
/// keep theirs. `is_made` says whether the child at a place is by an action.
pub(crate) fn put_first<A>(actions: &mut [A], known: usize, is_made: impl Fn(usize, &A) -> bool) {
    for place in 0..known {
        let rest = actions.get_mut(place..).unwrap_or_default();
        if let Some(on) = rest.iter().position(|action| is_made(place, action)) {
            rest[..=on].rotate_right(1);
        }
    }
}

/// Leaves out the actions that are not `kept`.
pub(crate) fn keep<A>(actions: &mut Vec<A>, kept: &dyn Fn(&A) -> bool) {
    let mut count = 0;
    for place in 0..actions.len() {
        if kept(&actions[place]) {
            actions.swap(count, place);
            count += 1;
        }
    }
    actions.truncate(count);
}

/// Sorts `actions`, together with their statistics `initial`, by descending `promise`. Ties keep their order.
pub(crate) fn promising_first<A, K: Copy>(actions: &mut [A], initial: &mut [K], promise: impl Fn(K) -> f32) {
    // Adding 0 turns -0 into 0.
    let mut order: SmallVec<[(f32, usize); 64]> =
        initial.iter().map(|&stats| promise(stats) + 0.0).zip(0..).collect();
    by_promise(&mut order);
    for place in 0..order.len() {
        // Earlier swaps may have moved this action; follow it.
        let mut from = order[place].1;
        while from < place {
            from = order[from].1;
        }
        actions.swap(place, from);
        initial.swap(place, from);
    }
}

/// Sorts by descending promise; ties by the number. It is a function, so that the sort is compiled once and
/// not for each kind of search.
fn by_promise(order: &mut [(f32, usize)]) {
    order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_growing_family_keeps_its_order_and_contains_every_action_once() {
        for (seed, count) in [(1, 9u16), (2, 40), (3, 121), (4, 300)] {
            let listed: Vec<u16> = (0..count).collect();
            let mut rng = Rng::seeded(seed);
            let mut made: Vec<u16> = Vec::new();
            while made.len() < listed.len() {
                let wanted = if made.is_empty() { SMALL } else { (made.len() + 1).next_multiple_of(LANES) };
                let mut actions = listed.clone();
                let wanted = wanted.min(actions.len());
                let is_made = |place: usize, action: &u16| made[place] == *action;
                arrange::<_, ()>(&mut actions, &mut [], made.len(), is_made, wanted, 7, &mut rng);
                assert_eq!(actions[..made.len()], made);
                made = actions[..wanted].to_vec();
            }
            made.sort_unstable();
            assert_eq!(made, listed);
        }
    }

    #[test]
    fn the_most_promising_come_first_and_ties_keep_their_order() {
        let mut rng = Rng::seeded(4);
        for count in [0, 1, 2, 7, 64, 65, 300] {
            let promises: Vec<f32> = (0..count).map(|_| rng.below(20) as f32 - 10.0).collect();
            let mut expected: Vec<usize> = (0..count).collect();
            expected.sort_by(|&a, &b| promises[b].partial_cmp(&promises[a]).expect("numbers"));
            let (mut actions, mut initial) = (Vec::from_iter(0..count), promises.clone());
            promising_first(&mut actions, &mut initial, |promise| promise);
            assert_eq!(actions, expected);
            assert!(actions.iter().zip(&initial).all(|(&action, &promise)| promises[action] == promise));
        }
        let (mut actions, mut initial) = ([1, 2, 3, 4], [0.0, -0.0, 0.0, -0.0]);
        promising_first(&mut actions, &mut initial, |promise| promise);
        assert_eq!(actions, [1, 2, 3, 4]);
    }

    /// In 60 000 draws each of the 120 orders of five actions is expected 500 times, with a standard
    /// deviation of 22. A false alarm at six standard deviations happens in one of 4 million runs.
    #[test]
    fn random_orders_are_equally_likely() {
        let mut rng = Rng::seeded(1);
        let mut counts = std::collections::HashMap::new();
        for salt in 0..60_000 {
            let mut actions = [0u8, 1, 2, 3, 4];
            arrange::<_, ()>(&mut actions, &mut [], 0, |_, _| false, 4, salt, &mut rng);
            let made = actions;
            let mut actions = [0u8, 1, 2, 3, 4];
            let is_made = |place: usize, action: &u8| made[place] == *action;
            arrange::<_, ()>(&mut actions, &mut [], 4, is_made, 5, salt, &mut rng);
            *counts.entry(actions).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), 120);
        assert!(counts.values().all(|&count| count.abs_diff(500) < 134), "{counts:?}");
    }
}
