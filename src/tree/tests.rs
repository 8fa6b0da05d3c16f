//! Tests of the store by itself. They also run under Miri.

use super::*;

const NO_LIMIT: usize = usize::MAX;

/// Makes a tree in which each node has `width` children, down to `depth`.
fn full(width: usize, depth: usize) -> Tree<u16, f32, ()> {
    let tree = Tree::new();
    assert!(tree.plant(0, NO_LIMIT));
    fill(&tree, tree.root(), width, depth);
    tree
}

fn fill(tree: &Tree<u16, f32, ()>, node: NodeRef<'_, u16, f32, ()>, width: usize, depth: usize) {
    if depth == 0 {
        return;
    }
    let actions: Vec<u16> = (0..width as u16).collect();
    // As in a search: four children, eight, then eight more at a time.
    for wanted in [SMALL].into_iter().chain((LANES..).step_by(LANES)) {
        let wanted = wanted.min(width);
        assert!(tree.grow(node, &actions[..wanted], wanted, wanted == width, NO_LIMIT).is_some());
        if wanted == width {
            break;
        }
    }
    for node in tree.children_of(node.link()) {
        fill(tree, node, width, depth - 1);
    }
}

fn count(tree: &Tree<u16, f32, ()>, link: u32) -> usize {
    tree.children_of(link).map(|node| 1 + count(tree, node.link())).sum()
}

/// Recycles half of the tree. Returns how many children were freed.
fn recycle(tree: &Tree<u16, f32, ()>) -> usize {
    tree.reset_recycled();
    tree.begin_recycling(0.5);
    loop {
        let before = tree.children();
        let ended = tree.work(3, |()| false);
        assert!(before - tree.children() <= 3 * LANES, "no more work at once than was asked for");
        if let Some(gave_up_any) = ended {
            let recycled = tree.recycled() as usize;
            assert_eq!((gave_up_any, tree.has_work()), (recycled > 0, false));
            return recycled;
        }
    }
}

fn visit(node: NodeRef<'_, u16, f32, ()>, times: u32) {
    for _ in 0..times {
        node.count_visit();
    }
}

#[test]
fn a_family_keeps_its_children_in_order_of_creation() {
    let tree = full(21, 1);
    let link = tree.root().link();
    let actions: Vec<u16> = tree.children_of(link).map(|node| node.action()).collect();
    assert_eq!(actions, (0..21).collect::<Vec<u16>>());
    assert_eq!((tree.family_len(link), tree.family(link).count()), (21, 3));
    assert!(tree.family(link).all(|(id, block, _)| block.is_complete() == (id == link)));
}

/// Writes different numbers into every column of every child and checks that all can be read back.
fn check_columns_are_separate<A, P, B>(any: A, action: fn(u32) -> A, stats: fn(u32) -> P, kept: fn(u32) -> B)
where
    A: Clone + PartialEq + core::fmt::Debug,
    P: Copy + Default + PartialEq + core::fmt::Debug,
    B: Copy + Default + PartialEq + core::fmt::Debug,
{
    let tree: Tree<A, P, B> = Tree::new();
    assert!(tree.plant(any, NO_LIMIT));
    let actions: Vec<A> = (0..23).map(action).collect();
    for wanted in [3, 4, 7, 8, 16, 23] {
        assert!(tree.grow(tree.root(), &actions[..wanted], wanted, wanted == 23, NO_LIMIT).is_some());
        for (number, node) in (0..).zip(tree.children_of(tree.root().link())).skip(wanted / 2) {
            if node.visit_count() > 0 {
                continue;
            }
            node.count_visit();
            node.record(1, number as f32 / 32.0);
            node.set_stats(stats(number));
            node.set_backprop(kept(number));
            node.set_link(NONE);
        }
    }
    assert_eq!(tree.family_len(tree.root().link()), 23);
    // A packed node unpacks to the same node. The eight lanes are the existing ones; in a small block, the
    // first four twice.
    for (_, block, _) in tree.family(tree.root().link()) {
        let eight = block.eight();
        for lane in 0..LANES {
            let node = PackedNode::new(block.node(lane % block.room())).get();
            assert_eq!(node.action(), block.node(lane % block.room()).action());
            assert_eq!(eight(lane).action(), node.action());
            assert_eq!((eight(lane).stats(), node.link()), (node.stats(), NONE));
            // With other statistics, larger or none, everything else stays the same.
            let (plain, wide, none) =
                (eight(lane), eight(lane).with_stats([7u64; 3]), eight(lane).with_stats(()));
            assert_eq!(wide.with_stats(5u8).stats(), 5);
            for (action, visits, mean, sum) in [
                (wide.action(), wide.visit_count(), wide.mean(), wide.reward_sum()),
                (none.action(), none.visit_count(), none.mean(), none.reward_sum()),
            ] {
                assert_eq!((action, visits, mean), (plain.action(), plain.visit_count(), plain.mean()));
                assert_eq!(sum, plain.reward_sum());
            }
        }
    }
    for (number, node) in (0..).zip(tree.children_of(tree.root().link())).skip(11) {
        let child = node;
        assert_eq!(child.action(), action(number));
        assert_eq!((child.visit_count(), child.mean()), (1, number as f32 / 32.0));
        assert_eq!((child.stats(), node.backprop(), node.link()), (stats(number), kept(number), NONE));
    }
}

#[test]
fn columns_of_any_types_do_not_overlap() {
    check_columns_are_separate(0u8, |n| n as u8, |_| (), |_| ());
    check_columns_are_separate((), |_| (), |n| n as u8, |n| n as u16);
    check_columns_are_separate(
        (0u8, 0u8, 0u8),
        |n| (n as u8, 1, 2),
        |n| [n as u8; 5],
        |n| (n as u8, n as f64),
    );
    check_columns_are_separate(0u64, u64::from, |n| (n as f32, u64::from(n)), |n| [n as f32; 3]);
    check_columns_are_separate(0u16, |n| n as u16, u128::from, |n| n as u8);
    check_columns_are_separate(0u128, u128::from, |_| (), u128::from);
}

#[test]
fn detached_blocks_are_reused_before_new_ones_are_allocated() {
    let depth = if cfg!(miri) { 2 } else { 3 };
    let tree = full(9, depth as usize);
    let (nodes, bytes) = (tree.children(), tree.reserved_bytes());
    assert_eq!(nodes, (0..=depth).map(|depth| 9_usize.pow(depth)).sum::<usize>());
    assert_eq!(count(&tree, tree.root().link()) + 1, nodes);
    for _ in 0..if cfg!(miri) { 1 } else { 20 } {
        tree.clear();
        assert_eq!(tree.children(), 1);
        fill(&tree, tree.root(), 9, depth as usize);
        assert_eq!((tree.children(), tree.reserved_bytes()), (nodes, bytes));
    }
}

#[test]
fn advancing_keeps_the_subtree_and_its_statistics() {
    let tree = full(9, 3);
    let node = tree.children_of(tree.root().link()).find(|node| node.action() == 8).unwrap();
    visit(node, 3);
    node.record(3, 0.75);
    let kept = node;
    let (visits, mean, sum) = (kept.visit_count(), kept.mean(), kept.child().reward_sum());
    tree.advance(tree.find_line([&8]));
    let root = tree.root();
    assert_eq!((root.visit_count(), root.mean(), root.child().reward_sum()), (visits, mean, sum));
    assert_eq!(tree.children(), 1 + 9 + 81);
    assert_eq!(count(&tree, tree.root().link()) + 1, tree.children());
    tree.advance(tree.find_line([&100])); // no such child
    assert_eq!((tree.children(), tree.root().visit_count()), (1, 0));
}

#[test]
fn the_least_visited_nodes_lose_their_children() {
    let tree = full(8, 3);
    let root_children = tree.root().link();
    for lane in 0..8 {
        visit(tree.block(root_children).node(lane), if lane == 3 { 200 } else { 5 });
    }
    let before = tree.children();
    let taken = recycle(&tree);
    assert_eq!(tree.children(), before - taken);
    assert_eq!(count(&tree, tree.root().link()) + 1, tree.children());
    assert_ne!(tree.block(root_children).node(3).link(), NONE, "the most visited keeps its children");
    assert_eq!(tree.family_len(tree.root().link()), 8, "the root keeps its children");
}

/// A sample of the blocks skips chunks as a whole.
#[test]
fn ids_are_skipped_as_if_one_after_the_other() {
    let tree = full(9, if cfg!(miri) { 2 } else { 4 });
    let all: Vec<u32> = tree.chunks.ids(0).collect();
    assert_eq!(all.len(), tree.chunks.count());
    for step in [1, 2, 3, 7, 64, 500, 5_000, 1_000_000] {
        let every: Vec<u32> = tree.chunks.ids(0).step_by(step).collect();
        assert_eq!(every, all.iter().copied().step_by(step).collect::<Vec<u32>>());
        let mut ids = tree.chunks.ids(all[all.len() / 3]);
        assert_eq!(ids.nth(step), all[all.len() / 3..].get(step).copied());
    }
}

#[test]
fn detached_blocks_are_freed_gradually() {
    // Under Miri a small tree must suffice, all of which is freed at once.
    let (width, depth) = if cfg!(miri) { (9, 2) } else { (crate::sized(20, 36), 4) };
    for step in [1, 7, 128] {
        let tree = full(width, depth);
        let before = tree.children();
        tree.clear();
        assert!(before - tree.children() <= AT_ONCE * LANES, "{before} children, {}", tree.children());
        assert!(cfg!(miri) || tree.has_cut_off(), "more blocks than are freed at once");
        while tree.has_work() {
            let left = tree.children();
            assert_eq!(tree.work(step, |()| false), None);
            assert!(left - tree.children() <= step * LANES);
        }
        assert_eq!((tree.children(), tree.recycled()), (1, 0));
        // All of the memory is reused.
        let bytes = tree.reserved_bytes();
        fill(&tree, tree.root(), width, depth - 1);
        assert_eq!(tree.reserved_bytes(), bytes);
    }
}

#[test]
fn recycling_stops_when_its_tree_is_replaced() {
    type Ends = fn(&Tree<u16, f32, ()>);
    let all: [Ends; 3] =
        [|tree| tree.clear(), |tree| tree.advance(tree.find_line([&3])), |tree| tree.stop_recycling()];
    let depth = if cfg!(miri) { 2 } else { 3 };
    for ends in all {
        let tree = full(8, depth);
        for lane in 0..8 {
            visit(tree.block(tree.root().link()).node(lane), 5);
        }
        tree.begin_recycling(0.5);
        assert_eq!(tree.work(2, |()| false), None);
        ends(&tree);
        while tree.has_work() {
            assert_eq!(tree.work(5, |()| false), None);
        }
        if tree.root().link() == NONE {
            fill(&tree, tree.root(), 8, depth);
        }
        let children = tree.children();
        assert_eq!((count(&tree, tree.root().link()) + 1, tree.work(1_000, |()| false)), (children, None));
        assert_eq!(tree.children(), children, "no node loses its children any more");
    }
}

#[test]
fn the_limit_holds_and_detached_blocks_are_reused() {
    let limits: &[usize] = if cfg!(miri) { &[0, 20_000] } else { &[0, 100, 5_000, 20_000, 100_000, 300_000] };
    for &limit in limits {
        let tree: Tree<u16, f32, ()> = Tree::new();
        if !tree.plant(0, limit) {
            assert!(limit < 20_000, "{limit} bytes have room for a root");
            continue;
        }
        let actions: Vec<u16> = (0..u16::MAX).collect();
        let grow = |limit| {
            let wanted = (tree.children() - 1 + SMALL).next_multiple_of(SMALL);
            tree.grow(tree.root(), &actions[..wanted], wanted, false, limit)
        };
        while grow(limit).is_some() {
            assert!(tree.reserved_bytes() <= limit);
        }
        let most = tree.children();
        assert!(limit < 100_000 || most * 32 > limit, "{limit}: {most} children");
        tree.prune(tree.root());
        assert_eq!(tree.children(), 1);
        while grow(limit).is_some() {}
        assert_eq!(tree.children(), most);
        // With a higher limit the tree grows again.
        assert!(grow(2 * limit + 300_000).is_some());
        assert_eq!(recycle(&tree), 0, "only the root has children");
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes hours")]
fn a_hundred_million_rewards_leave_the_mean_exact() {
    let count = crate::sized(1_000_000, 100_000_000);
    for mean in [0.9, 0.99] {
        let tree: Tree<u16, f32, ()> = full(1, 1);
        let node = tree.block(tree.root().link()).node(0);
        let mut rng = crate::game::Rng::seeded(7);
        let mut wins = 0u64;
        for visits in 1..=count {
            node.count_visit();
            let reward = if rng.unit() < mean { 1.0 } else { 0.0 };
            wins += reward as u64;
            node.record(visits, reward);
        }
        let child = node;
        assert_eq!(child.child().reward_sum(), wins as f64, "the sum is exact");
        assert!(
            (f64::from(child.mean()) - wins as f64 / f64::from(count)).abs() < 6e-8,
            "the mean is rounded once"
        );
        // Four standard deviations of a mean of 1e8 tosses: 1.2e-4 at most; of 1e6 tosses, ten times as much.
        assert!((f64::from(child.mean()) - mean).abs() < 1.2 / f64::from(count).sqrt());
    }
}

#[test]
fn fractions_are_summed_in_units_of_two_to_the_minus_24() {
    let tree: Tree<u16, f32, ()> = full(1, 1);
    let node = tree.block(tree.root().link()).node(0);
    let (mut sum, mut units) = (0.0, 0u64);
    let steps = if cfg!(miri) { 300 } else { 1_000_000 };
    for visits in 1..=steps {
        let reward = (f64::from(visits) * 0.618_033_988_75).fract() as f32;
        sum += f64::from(reward);
        units += (f64::from(reward) * 16_777_216.0).round_ties_even() as u64;
        node.count_visit();
        node.record(visits, reward);
        assert_eq!(node.child().reward_sum() * 16_777_216.0, units as f64, "after {visits} visits");
        #[cfg(feature = "save")]
        {
            let (visits, mean, low) = node.sums();
            assert!(node.restore(visits, mean, low), "rewards gave the mean {mean} of {visits} visits");
        }
    }
    assert!((sum - units as f64 / 16_777_216.0).abs() <= f64::from(steps) * 3e-8);
    assert!((f64::from(node.mean()) - sum / f64::from(steps)).abs() < 1e-7);
}

/// Writes a tree and reads it again.
#[cfg(feature = "save")]
fn copy(tree: &Tree<u16, f32, ()>) -> Result<Tree<u16, f32, ()>, Flaw> {
    let outline = tree.outline();
    let mut restored = image::Restored::new(outline.clone(), None);
    for number in 0..outline.chunks() {
        let bytes = chunk(tree, number);
        let rest = &mut &bytes[..];
        let fits = restored.read_chunk(rest, NO_LIMIT, |bytes| {
            let (first, rest) = bytes.split_first_chunk::<6>().ok_or(Flaw("too short"))?;
            *bytes = rest;
            let &[a, b, c, d, e, f] = first;
            Ok::<_, Flaw>((u16::from_le_bytes([a, b]), f32::from_le_bytes([c, d, e, f]), ()))
        })?;
        assert!(fits && rest.is_empty());
    }
    restored.finish(usize::MAX).map(|tree| tree.expect("there is no limit"))
}

#[cfg(feature = "save")]
fn chunk(tree: &Tree<u16, f32, ()>, number: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let put = |action: u16, stats: f32, (), bytes: &mut Vec<u8>| {
        bytes.extend(action.to_le_bytes());
        bytes.extend(stats.to_le_bytes());
        Ok::<_, ()>(())
    };
    tree.write_chunk(number, &mut bytes, put).expect("nothing can fail");
    bytes
}

/// A tree with free blocks of both kinds, with blocks that are not free yet, and in the middle of recycling.
#[cfg(feature = "save")]
fn busy() -> Tree<u16, f32, ()> {
    let tree = full(9, 3);
    visit(tree.root(), 1_000);
    let children: Vec<_> = tree.children_of(tree.root().link()).collect();
    children.iter().zip([90, 80, 70, 60]).for_each(|(&child, visits)| visit(child, visits));
    for &child in &children[..2] {
        tree.children_of(child.link()).zip([3, 5, 7]).for_each(|(node, visits)| visit(node, visits));
    }
    tree.prune(children[4]);
    let grown = tree.children_of(children[0].link()).next().expect("it has children");
    let few: [u16; 3] = [1, 2, 3];
    tree.prune(grown);
    tree.grow(grown, &few, 3, true, NO_LIMIT).expect("there is room");
    tree.children_of(grown.link()).for_each(|node| visit(node, 1));
    for &child in &children[5..7] {
        let link = child.link();
        child.set_link(NONE);
        tree.cut_off(link);
    }
    tree.begin_recycling(0.5);
    tree.work(4, |()| false);
    assert!(
        tree.has_cut_off() && tree.is_recycling() && tree.free[0].get() != NONE && tree.free[1].get() != NONE
    );
    tree
}

#[cfg(feature = "save")]
#[test]
fn a_tree_that_was_written_and_read_is_the_same_and_goes_on_the_same() {
    let tree = busy();
    let read = copy(&tree).expect("it is a tree");
    let agree = |moment: usize| {
        assert_eq!(read.outline(), tree.outline(), "moment {moment}");
        let sizes = |tree: &Tree<u16, f32, ()>| (tree.children(), tree.used_bytes(), tree.reserved_bytes());
        assert_eq!(sizes(&read), sizes(&tree), "moment {moment}");
        for number in 0..tree.outline().chunks() {
            assert_eq!(chunk(&read, number), chunk(&tree, number), "moment {moment}");
        }
    };
    agree(0);
    // Under Miri, each comparison of all columns takes long.
    for moment in 1..if cfg!(miri) { 1 } else { 150 } {
        for tree in [&tree, &read] {
            tree.work(3, |()| false);
            let leaf =
                tree.children_of(tree.root().link()).nth(moment % 9).expect("the root has nine children");
            let actions: Vec<u16> = (0..40).collect();
            if leaf.link() == NONE {
                let more = 1 + 5 * moment % 40;
                tree.grow(leaf, &actions[..more], more, false, 100_000);
            }
        }
        agree(moment);
    }
    assert!(cfg!(miri) || !tree.is_recycling());
    let empty = Tree::new();
    assert_eq!(copy(&empty).map(|read| read.outline()), Ok(empty.outline()));
}

/// Whatever a damaged file says, no block has two parents, no node is its own descendant, and every list
/// ends.
#[cfg(feature = "save")]
#[test]
#[cfg_attr(miri, ignore = "takes hours")]
fn what_is_not_a_tree_is_refused() {
    type Damage = fn(&Tree<u16, f32, ()>, &[NodeRef<'_, u16, f32, ()>]);
    let damages: [(Damage, &str); 14] = [
        (|_, nodes| nodes[1].set_link(nodes[0].link()), "a block is in two places"),
        (
            |tree, nodes| tree.children_of(nodes[0].link()).for_each(|node| node.set_link(nodes[0].link())),
            "a block is in two places",
        ),
        (|tree, nodes| nodes[1].set_link(tree.root().link()), "a block is in two places"),
        (|_, nodes| nodes[1].set_link(u32::MAX), "a link leads to no block"),
        (|_, nodes| nodes[1].set_link(NONE), "a block is in no family and in no list"),
        (|tree, nodes| nodes[4].set_link(tree.free[1].get()), "a family has a block without children"),
        (
            |tree, nodes| nodes[0].set_link(tree.block(nodes[0].link()).next()),
            "a block is not where its family continues",
        ),
        (
            |tree, nodes| tree.block(nodes[1].link()).set_next(nodes[1].link()),
            "a block is not where its family continues",
        ),
        (|tree, _| tree.block(tree.free[1].get()).set_next(tree.free[1].get()), "a block is in two places"),
        (
            |tree, _| tree.free.iter().for_each(|head| head.set(NONE)),
            "a block is in no family and in no list",
        ),
        (|tree, _| tree.free[0].swap(&tree.free[1]), "a block in the list of free blocks is not free"),
        (|tree, _| tree.cut_off.set(tree.free[0].get()), "a block without children was cut off"),
        (|_, nodes| visit(nodes[0], 2_000), "children have more visits than their parent"),
        (|_, nodes| nodes[0].record_with_mean(5, 3.0), "a mean is not a mean of rewards"),
    ];
    for (number, (damage, expected)) in damages.into_iter().enumerate() {
        let tree = busy();
        let nodes: Vec<_> = tree.children_of(tree.root().link()).collect();
        damage(&tree, &nodes);
        assert_eq!(copy(&tree).err().map(|flaw| flaw.0), Some(expected), "damage {number}");
    }
}

thread_local! {
    static ALIVE: Cell<usize> = const { Cell::new(0) };
    static CLONES: Cell<usize> = const { Cell::new(usize::MAX) };
    static DROPS: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// An action that owns memory. It counts how many are alive, and its `Clone` and `Drop` panic if they are
/// called more often than `CLONES` and `DROPS` say.
#[derive(PartialEq, Eq, Debug)]
struct Owning(Box<u32>);

impl Owning {
    fn new(number: u32) -> Self {
        ALIVE.set(ALIVE.get() + 1);
        Owning(Box::new(number))
    }
}

impl Clone for Owning {
    fn clone(&self) -> Self {
        assert!(CLONES.replace(CLONES.get().wrapping_sub(1)) != 0, "no more clones");
        Owning::new(*self.0)
    }
}

impl Drop for Owning {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
        assert!(DROPS.replace(DROPS.get().wrapping_sub(1)) != 0, "no more drops");
    }
}

/// Returns the children below a link, first to last, with those below them: their actions and their visits.
fn listed<A: Clone>(tree: &Tree<A, f32, ()>, link: u32, number: fn(&A) -> u32) -> Vec<(u32, u32)> {
    let mut all = Vec::new();
    for node in tree.children_of(link) {
        all.push((number(&node.action()), node.visit_count()));
        all.extend(listed(tree, node.link(), number));
    }
    all
}

/// Does the same with a tree in all the ways that the store has, and replaces it by a copy after so many
/// steps, again and again. Returns what the tree was after each step.
fn exercise<A: Clone + Eq>(
    tree: &mut Tree<A, f32, ()>,
    of: fn(u32) -> A,
    number: fn(&A) -> u32,
    steps: usize,
    copied_after: usize,
    check: impl Fn(&Tree<A, f32, ()>),
) -> Vec<Vec<(u32, u32)>> {
    const LIMIT: usize = if cfg!(miri) { 9_000 } else { 40_000 };
    let mut rng = crate::game::Rng::seeded(5);
    let mut seen = Vec::new();
    assert!(tree.plant(of(0), LIMIT));
    for step in 0..steps {
        if step % copied_after == copied_after - 1 {
            *tree = tree.clone();
        }
        let mut node = tree.root();
        while node.link() != NONE && rng.below(4) > 0 {
            let below = rng.below(tree.family_len(node.link()));
            node = tree.children_of(node.link()).nth(below).expect("it was counted");
        }
        let family = tree.family_len(node.link());
        match rng.below(12) {
            0..5 => {
                let wanted = family + 1 + rng.below(5);
                let mut actions: Vec<A> = tree.children_of(node.link()).map(|child| child.action()).collect();
                actions.extend((family..wanted).map(|place| of(place as u32)));
                tree.grow(node, &actions, wanted, false, LIMIT);
            }
            5 => tree.prune(node),
            6 => tree.begin_recycling(0.3),
            7 => drop(tree.work(rng.below(9), |()| false)),
            8 if family > 0 && rng.below(5) == 0 => {
                let last = tree.children_of(node.link()).last().expect("it has one").action();
                tree.advance(tree.find_line([&last]));
            }
            9 if family > 0 => {
                let first = tree.children_of(node.link()).find(|child| child.visit_count() == 0);
                if let Some(first) = first {
                    first.count_visit();
                    if rng.below(2) == 0 {
                        first.uncount_visit();
                        tree.unvisit(node.link(), first);
                    }
                }
            }
            10 => node.set_action(of(1_000 + step as u32)),
            11 if family > 0 => {
                let like = tree.children_of(node.link()).last().expect("it has one");
                tree.prepare_stand_in(like, 0.5, 0.0);
                assert!(tree.stand_in().has_action(&like.action()));
                // Lanes without a child have an action, too.
                let block = tree.block(node.link());
                (0..LANES).for_each(|lane| assert!(number(&block.eight()(lane).action()) < 100_000));
            }
            _ if step % 97 == 96 => tree.clear(),
            _ => {}
        }
        check(tree);
        // Under Miri, each comparison of all nodes takes long.
        if !cfg!(miri) || step % 10 == 9 {
            seen.push(listed(tree, tree.root().link(), number));
        }
    }
    seen
}

fn steps() -> usize {
    if cfg!(miri) { 60 } else { 1_500 }
}

#[test]
fn actions_that_own_memory_live_as_long_as_their_nodes() {
    // As large as an action that owns memory.
    let plain =
        |copied_after| exercise(&mut Tree::new(), u64::from, |&n| n as u32, steps(), copied_after, |_| ());
    let expected = plain(usize::MAX);
    assert!(plain(9) == expected, "a copy is another tree");
    let mut tree = Tree::new();
    let alive = |tree: &Tree<Owning, f32, ()>| assert_eq!(ALIVE.get(), tree.children());
    let owned = exercise(&mut tree, Owning::new, |action| *action.0, steps(), 7, alive);
    assert!(owned == expected, "the tree is another one");
    assert!(ALIVE.get() > 0);
    drop(tree);
    assert_eq!(ALIVE.get(), 0);
}

#[test]
fn positions_hold_no_actions() {
    let tree: Tree<Owning, f32, ()> = Tree::new();
    tree.share();
    assert!(tree.plant(Owning::new(0), NO_LIMIT));
    assert!(tree.add_position(tree.root(), (1, 0), 0, NO_LIMIT));
    for key in 1..40 {
        let position = tree.find_position(key, 0).expect("it was added");
        let actions: Vec<Owning> = (0..6).map(Owning::new).collect();
        assert!(tree.grow(tree.position(position), &actions, 6, true, NO_LIMIT).is_some());
        drop(actions);
        let below = tree.position(position).link();
        for (child, next) in tree.children_of(below).zip([key + 1, key / 2 + 1]) {
            match tree.find_position(next, 0) {
                Some(known) => tree.link_to(child, known, 0),
                None => assert!(tree.add_position(child, (next, 0), 0, NO_LIMIT)),
            }
        }
        assert_eq!(ALIVE.get(), tree.children());
    }
    let copy = tree.clone();
    assert_eq!((copy.positions(), copy.reserved_bytes()), (tree.positions(), tree.reserved_bytes()));
    assert_eq!(ALIVE.get(), 2 * tree.children());
    drop(copy);
    tree.note_cycle();
    tree.begin_recycling(0.2);
    while tree.work(5, |()| false).is_none() {
        assert_eq!(ALIVE.get(), tree.children());
    }
    tree.advance(tree.find_line([&Owning::new(0)]));
    tree.clear();
    assert_eq!((ALIVE.get(), tree.children()), (1, 1));
    drop(tree);
    assert_eq!(ALIVE.get(), 0);
}

/// Wherever a clone or a drop panics, no action is dropped twice, and none is left after the tree.
#[test]
fn panics_in_clone_and_drop_lose_no_action() {
    let all = if cfg!(miri) { 12 } else { 200 };
    let mut panics = [0; 2];
    for (what, left) in [&CLONES, &DROPS].into_iter().enumerate() {
        for count in (0..).step_by(if cfg!(miri) { 29 } else { 43 }) {
            let mut tree = Tree::new();
            left.set(count);
            let tried = std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| {
                exercise(&mut tree, Owning::new, |action| *action.0, all, 5, |_| ());
            }));
            left.set(usize::MAX);
            panics[what] += usize::from(tried.is_err());
            if !tree.is_empty() {
                assert_eq!(ALIVE.get(), tree.children());
                // The tree can be used as before.
                tree.clear();
                while tree.has_work() {
                    tree.work(100, |()| false);
                }
                assert_eq!((ALIVE.get(), tree.children()), (1, 1));
                let actions: Vec<Owning> = (0..9).map(Owning::new).collect();
                assert!(tree.grow(tree.root(), &actions, 9, true, NO_LIMIT).is_some());
            }
            left.set(if what == 1 { 3 } else { usize::MAX });
            let ended = std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| drop(tree)));
            left.set(usize::MAX);
            assert!(what == 1 || ended.is_ok());
            assert_eq!(ALIVE.get(), 0, "{count}");
            // Under Miri, each panic takes long.
            if tried.is_ok() || cfg!(miri) && count > 20 {
                break;
            }
        }
    }
    assert!(panics.iter().all(|&count| count > 0), "{panics:?}");
}
