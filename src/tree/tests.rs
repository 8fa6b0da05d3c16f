//! The store by itself. These run under Miri too.

use super::*;

const NO_LIMIT: usize = usize::MAX;

/// A tree of the shape that `grow` makes: below each node `width` children, down to `depth`.
fn full(width: usize, depth: usize) -> Tree<u16, f32, ()> {
    let mut tree = Tree::new();
    assert!(tree.plant(0, NO_LIMIT));
    fill(&mut tree, (ROOT, 0), width, depth);
    tree
}

fn fill(tree: &mut Tree<u16, f32, ()>, node: (u32, usize), width: usize, depth: usize) {
    if depth == 0 {
        return;
    }
    let actions: Vec<u16> = (0..width as u16).collect();
    for part in actions.chunks(LANES) {
        let complete = part.last() == actions.last();
        assert!(tree.grow(node, part, complete, NO_LIMIT).is_some());
    }
    let link = tree.block(node.0).link(node.1);
    let places: Vec<(u32, usize)> =
        tree.family(link).flat_map(|(id, block)| (0..block.used()).map(move |lane| (id, lane))).collect();
    for place in places {
        fill(tree, place, width, depth - 1);
    }
}

fn count(tree: &Tree<u16, f32, ()>, link: u32) -> usize {
    let lanes = tree.family(link).flat_map(|(_, block)| (0..block.used()).map(move |lane| block.link(lane)));
    lanes.map(|below| 1 + count(tree, below)).sum()
}

fn visit(tree: &Tree<u16, f32, ()>, id: u32, lane: usize, times: u32) {
    for _ in 0..times {
        tree.block(id).count_visit(lane);
    }
}

#[test]
fn a_family_keeps_its_children_in_the_order_in_which_they_were_made() {
    let tree = full(21, 1);
    let link = tree.block(ROOT).link(0);
    let actions: Vec<u16> = tree
        .family(link)
        .flat_map(|(_, block)| (0..block.used()).map(|lane| block.child(lane).action()))
        .collect();
    assert_eq!(actions, (0..21).collect::<Vec<u16>>());
    assert_eq!((tree.family_len(link), tree.family(link).count()), (21, 3));
    assert!(tree.family(link).all(|(id, block)| block.is_complete() == (id == link)));
}

#[test]
fn what_is_cut_off_serves_again_before_anything_new_is_taken() {
    let mut tree = full(9, 3);
    let (nodes, bytes) = (tree.children(), tree.reserved_bytes());
    assert_eq!(nodes, 1 + 9 + 81 + 729);
    assert_eq!(count(&tree, tree.block(ROOT).link(0)) + 1, nodes);
    for _ in 0..if cfg!(miri) { 1 } else { 20 } {
        tree.clear();
        assert_eq!(tree.children(), 1);
        fill(&mut tree, (ROOT, 0), 9, 3);
        assert_eq!((tree.children(), tree.reserved_bytes()), (nodes, bytes));
    }
}

#[test]
fn advancing_keeps_the_subtree_and_its_statistics() {
    let mut tree = full(9, 3);
    let (id, lane) = tree
        .family(tree.block(ROOT).link(0))
        .find_map(|(id, block)| {
            (0..block.used()).find(|&lane| block.child(lane).action() == 8).map(|lane| (id, lane))
        })
        .unwrap();
    visit(&tree, id, lane, 3);
    tree.block(id).record(lane, 3, 0.75);
    let kept = tree.block(id).child(lane);
    let (visits, mean, sum) = (kept.visit_count(), kept.mean(), kept.reward_sum());
    tree.advance(8);
    let root = tree.block(ROOT).child(0);
    assert_eq!((root.visit_count(), root.mean(), root.reward_sum()), (visits, mean, sum));
    assert_eq!(tree.children(), 1 + 9 + 81);
    assert_eq!(count(&tree, tree.block(ROOT).link(0)) + 1, tree.children());
    tree.advance(100); // no such child
    assert_eq!((tree.children(), tree.block(ROOT).child(0).visit_count()), (1, 0));
}

#[test]
fn the_least_visited_give_up_their_children() {
    let mut tree = full(8, 3);
    let root_children = tree.block(ROOT).link(0);
    for lane in 0..8 {
        visit(&tree, root_children, lane, if lane == 3 { 200 } else { 5 });
    }
    let before = tree.children();
    let taken = tree.recycle(0.5);
    assert_eq!(tree.children(), before - taken);
    assert_eq!(count(&tree, tree.block(ROOT).link(0)) + 1, tree.children());
    assert_ne!(tree.block(root_children).link(3), NONE, "the most visited keeps its children");
    assert_eq!(tree.family_len(tree.block(ROOT).link(0)), 8, "the root keeps its children");
}

#[test]
fn the_limit_holds_and_what_was_cut_off_can_still_be_used() {
    let limits: &[usize] = if cfg!(miri) { &[0, 20_000] } else { &[0, 100, 5_000, 20_000, 100_000, 300_000] };
    for &limit in limits {
        let mut tree: Tree<u16, f32, ()> = Tree::new();
        if !tree.plant(0, limit) {
            assert!(limit < 20_000, "{limit} bytes have room for a root");
            continue;
        }
        let actions: Vec<u16> = (0..8).collect();
        while tree.grow((ROOT, 0), &actions, false, limit).is_some() {
            assert!(tree.reserved_bytes() <= limit);
        }
        let most = tree.children();
        assert!(limit < 100_000 || most * 32 > limit, "{limit}: {most} children");
        tree.prune(ROOT, 0);
        assert_eq!(tree.children(), 1);
        while tree.grow((ROOT, 0), &actions, false, limit).is_some() {}
        assert_eq!(tree.children(), most);
        // A raised limit goes on where the old one stopped.
        assert!(tree.grow((ROOT, 0), &actions, false, 2 * limit + 300_000).is_some());
        assert_eq!(tree.recycle(0.5), 0, "only the root has children");
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes hours")]
fn a_hundred_million_rewards_leave_the_mean_exact() {
    for mean in [0.9, 0.99] {
        let tree: Tree<u16, f32, ()> = full(1, 1);
        let block = tree.block(tree.block(ROOT).link(0));
        let mut rng = crate::game::Rng::seeded(7);
        let mut wins = 0u64;
        for visits in 1..=100_000_000u32 {
            block.count_visit(0);
            let reward = if rng.unit() < mean { 1.0 } else { 0.0 };
            wins += reward as u64;
            block.record(0, visits, reward);
        }
        let child = block.child(0);
        assert_eq!(child.reward_sum(), wins as f64, "the sum is exact");
        assert!((f64::from(child.mean()) - wins as f64 / 1e8).abs() < 6e-8, "the mean is rounded once");
        // Four standard deviations of a sum of 1e8 tosses: 1.2e-4 at most.
        assert!((f64::from(child.mean()) - mean).abs() < 1.2e-4);
    }
}

#[test]
fn fractions_are_summed_to_a_unit_of_two_to_the_minus_24() {
    let tree: Tree<u16, f32, ()> = full(1, 1);
    let block = tree.block(tree.block(ROOT).link(0));
    let mut sum = 0.0;
    let steps = if cfg!(miri) { 300 } else { 1_000_000 };
    for visits in 1..=steps {
        let reward = (f64::from(visits) * 0.618_033_988_75).fract() as f32;
        sum += f64::from(reward);
        block.count_visit(0);
        block.record(0, visits, reward);
    }
    let error = block.child(0).reward_sum() - sum;
    assert!(error.abs() <= f64::from(steps) * 3e-8, "{error}");
    assert!((f64::from(block.child(0).mean()) - sum / f64::from(steps)).abs() < 1e-7);
}
