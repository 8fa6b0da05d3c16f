//! The lesson of one iteration at a time, against the rules of the four phases and the library's own search.

use ramure::backpropagation::Average;
use ramure::selection::Ucb1;
use ramure::{Budget, Mcts};
use ramure_games::TicTacToe;
use ramure_web::error::PageError;
use ramure_web::lesson::{Iteration, Lesson};
use std::collections::BTreeMap;

const C: f64 = 1.0;

fn iterations(moves: &str, count: usize) -> Vec<Iteration> {
    let mut lesson = Lesson::new(moves, C, 5).expect("a lesson");
    (0..count).map(|_| lesson.iterate().expect("an iteration")).collect()
}

#[test]
fn the_selection_takes_the_greatest_score() {
    let mut compared = 0;
    for iteration in iterations("", 300) {
        for choice in &iteration.selection {
            let score =
                |mean: f32, bonus: Option<f64>| bonus.map_or(f64::INFINITY, |bonus| f64::from(mean) + bonus);
            let greatest =
                choice.children.iter().map(|child| score(child.mean, child.bonus)).fold(0.0, f64::max);
            let chosen: Vec<_> = choice.children.iter().filter(|child| child.chosen).collect();
            assert_eq!(chosen.len(), 1, "{choice:?}");
            let own = score(chosen[0].mean, chosen[0].bonus);
            // The search computes in single precision.
            assert!(
                own == greatest || (own - greatest).abs() < 1e-5,
                "{own} is less than {greatest}: {choice:?}"
            );
            compared += usize::from(greatest.is_finite());
        }
    }
    assert!(compared > 100, "scores were compared {compared} times only");
}

#[test]
fn each_iteration_adds_its_rewards_to_the_nodes_of_its_path() {
    let mut sums: BTreeMap<String, (u32, f64)> = BTreeMap::new();
    for (index, iteration) in iterations("1,5", 200).iter().enumerate() {
        assert_eq!(iteration.number as usize, index + 1);
        assert_eq!(iteration.rewards[0] + iteration.rewards[1], 1.0);
        // From the root to the leaf, each node a move below the one before.
        for (depth, node) in iteration.backpropagation.iter().enumerate() {
            assert_eq!(node.path.split_whitespace().count(), depth);
            if depth > 0 {
                // Cross is to move in the position after two moves, and so chose the nodes of odd depth.
                let sum = sums.entry(node.path.clone()).or_default();
                *sum = (sum.0 + 1, sum.1 + f64::from(iteration.rewards[(depth + 1) % 2]));
                assert_eq!(node.visits, sum.0);
                assert!((f64::from(node.mean) - sum.1 / f64::from(sum.0)).abs() < 1e-4, "{node:?}");
            }
        }
        assert_eq!(iteration.backpropagation.last().map(|node| &node.path), Some(&iteration.leaf));
        assert_eq!(iteration.selection.len() + 1, iteration.backpropagation.len());
        assert!(iteration.tree.iter().any(|node| node.path == iteration.leaf));
        for path in &iteration.expansion {
            assert!(iteration.tree.iter().any(|node| node.path == *path), "{path} is in the tree");
        }
    }
}

#[test]
fn a_lesson_is_a_search_of_the_library() {
    let mut lesson = Lesson::new("", C, 5).expect("a lesson");
    let last = (0..400).map(|_| lesson.iterate().expect("an iteration")).last().expect("one");
    // The actions of rollouts are drawn one by one, as the library does if it needs them.
    let mut search = Mcts::new(TicTacToe::new()).tree_policy(Ucb1::new(C as f32)).backprop(Average).seed(5);
    let report = search.run(Budget::iterations(400)).expect("a search");
    let visits: u32 = report.actions.iter().map(|entry| entry.visits).sum();
    let of_root = last.tree.iter().filter(|node| !node.path.is_empty() && !node.path.contains(' '));
    assert_eq!(of_root.map(|node| node.visits).sum::<u32>(), visits);
}

#[test]
fn a_lesson_that_cannot_begin_is_an_error() {
    assert_eq!(Lesson::new("1,1", C, 1).err(), Some(PageError::Start("1".into())));
    for c in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(Lesson::new("", c, 1), Err(PageError::Constant { .. })));
    }
    // Cross has won.
    let mut over = Lesson::new("1,2,4,5,7", C, 1).expect("a position");
    assert!(matches!(over.iterate(), Err(PageError::Search(_))));
}
