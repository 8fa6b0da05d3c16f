//! Images of trunks that do not fit to their trees.

use crate::games::TicTacToe;
use crate::run::budget::Budget;
use crate::search::engine::forest::Exchange;
use crate::search::engine::forest::trunk::Trunk;
use crate::search::engine::forest::trunk::image::{Image, ONE};
use crate::search::mcts::Mcts;

type Read<'a> = &'a dyn Fn(&Image) -> Result<Vec<u64>, &'static str>;

/// Gives `check` the trunk of each tree of a forest, with a function that reads such a trunk for this tree.
fn for_each_tree(mut check: impl FnMut(&Image, Read<'_>)) {
    let exchange = Exchange::new().every(0.5).least_iterations(4).start(4).least_visits(3).most_nodes(100.0);
    let mut forest = Mcts::new(TicTacToe::new()).seed(1).parallel(2).exchange(exchange);
    forest.run(Budget::iterations(200)).expect("a sound game");
    for member in &forest.trees.members {
        let search = &member.search;
        check(&member.trunk.image(), &|image| {
            let mut news = vec![0; image.nodes.len()];
            Trunk::of_image::<TicTacToe>(image, search.root(), search.chooser, &search.tree, false, &mut news)
                .map_or_else(|flaw| Err(flaw.0), |_| Ok(news))
        });
    }
}

/// The tree would tell the visits of the node a second time.
#[test]
fn a_tree_that_denies_a_node_is_refused() {
    for_each_tree(|image, read| {
        let mut changes = 0;
        for place in 0..image.nodes.len() {
            let (visits, _, is_held, _) = image.nodes[place];
            if visits > 0 && is_held {
                let mut changed = image.clone();
                changed.nodes[place].2 = false;
                let flaw = read(&changed).expect_err("the tree has the node");
                assert!(flaw.starts_with("a tree has"), "{place}: {flaw}");
                changes += 1;
            }
        }
        assert!(changes > 100, "{changes}");
    });
}

#[test]
fn rewards_that_a_tree_has_not_found_since_the_last_exchange_are_refused() {
    for_each_tree(|image, read| {
        let news = read(image).expect("it is the trunk of this tree");
        let mut changes = 0;
        for (place, news) in news.iter().enumerate() {
            // Less than any reward could add since then, or more.
            let change = (*news as f64 + 1.0) * ONE;
            let (visits, sum, is_held, _) = image.nodes[place];
            for sum in [sum - change, sum + change] {
                // Another check refuses what cannot be the sum of rewards at all, and a tree without the node
                // has none to compare.
                if !is_held || !(0.0..=f64::from(visits) * ONE).contains(&sum) {
                    continue;
                }
                let mut changed = image.clone();
                changed.nodes[place].1 = sum;
                let flaw = read(&changed).expect_err("the tree has other rewards");
                assert!(flaw.starts_with("the rewards of a node are not those"), "{place}: {flaw}");
                changes += 1;
            }
        }
        assert!(changes > 10, "{changes}");
    });
}
