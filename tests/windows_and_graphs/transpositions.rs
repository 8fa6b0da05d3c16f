//! Searches of graphs. (The twin plays them, too, and the random programs check their proofs.)

use crate::common::hashed::{mix, unit};
use crate::common::layered::Layered;
use crate::common::sized;
use ramure::backpropagation::Average;
use ramure::backpropagation::PowerMean;
use ramure::backpropagation::ScoreBounds;
use ramure::prelude::*;
use ramure::search::Transpositions;
use ramure::search::{Counted, TreeNode};
use ramure::selection::Puct;
use ramure::simulation::{Evaluate, Evaluator, Position};
use ramure::{BoxError, Expansion, Keyed, Order, Player, Rewards, StopReason};
use ramure_games::TicTacToe;
use std::cell::RefCell;
use std::collections::HashSet;

#[test]
fn what_is_played_is_kept_and_the_rest_is_freed() {
    for seed in 0..sized(4, 40) {
        for state in [Layered::new(seed, 2, 9, 5), Layered::new(seed, 2, 9, 5).with_rings()] {
            let mut search = Mcts::new(Transpositions::new(state)).seed(seed);
            for _ in 0..12 {
                if search.state().turn() == Turn::Over {
                    break;
                }
                let report = search.run(Budget::iterations(400)).unwrap();
                let child = search.tree().root().unwrap().children().find(|child| child.position().is_some());
                let Some(child) = child else { break };
                let (visits, action) = (child.position_visits(), child.action().unwrap());
                // What can be reached from the child, counted by walking.
                let (mut known, mut pending) = (std::collections::HashSet::new(), vec![child]);
                let mut nodes = 1;
                while let Some(node) = pending.pop() {
                    if node.position().is_some_and(|number| known.insert(number)) {
                        let children = Vec::from_iter(node.children());
                        nodes += children.len();
                        pending.extend(children);
                    }
                }
                search.advance(action).unwrap();
                let root = search.tree().root().unwrap();
                assert_eq!(
                    (root.visits(), search.tree().node_count()),
                    (visits, nodes),
                    "{state:?}\n{report}"
                );
            }
        }
    }
}

#[test]
fn tic_tac_toe_is_proven_in_few_iterations() {
    // Without transpositions, this takes more than 6 000.
    let expansion = Expansion::default().on_visit(1);
    for seed in 0..sized(2, 50) {
        let game = Transpositions::new(TicTacToe::new());
        let search = Mcts::new(game).tree_policy(Ucb1::new(0.5)).backprop(ScoreBounds::new(Average));
        let report = search.expansion(expansion).seed(seed).run(Budget::iterations(5_000)).unwrap();
        assert_eq!((report.stop_reason, report.proof), (StopReason::Proven, Some(0.5)), "{report}");
    }
}

/// Two players take numbers in turn, four each. The numbers that are left lie in the order in which taking
/// them out by `swap_remove` puts them, so states of one position list their actions in different orders.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Numbers {
    left: Vec<u8>,
    taken: [u16; 2],
}

impl Numbers {
    fn new(count: u8) -> Self {
        Numbers { left: Vec::from_iter(0..count), taken: [0; 2] }
    }

    fn actions_taken(&self) -> u32 {
        self.taken[0].count_ones() + self.taken[1].count_ones()
    }
}

impl GameState for Numbers {
    type Action = u8;
    fn turn(&self) -> Turn {
        match self.actions_taken() {
            5 => Turn::Over,
            taken => Turn::Player((taken % 2) as Player),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        self.left.clone()
    }
    fn apply(&mut self, action: u8) {
        self.taken[(self.actions_taken() % 2) as usize] |= 1 << action;
        let place = self.left.iter().position(|&number| number == action).expect("a number that is left");
        self.left.swap_remove(place);
    }
    /// Who wins depends on all numbers.
    fn reward(&self, player: Player) -> f64 {
        let hash =
            (u32::from(self.taken[0]) << 16 | u32::from(self.taken[1])).wrapping_mul(0x9E37_79B1) >> 24;
        f64::from(u8::from((hash % 3 == 0) == (player == 0)))
    }
}

impl Keyed for Numbers {
    fn key(&self) -> u128 {
        u128::from(self.taken[0]) << 16 | u128::from(self.taken[1])
    }
}

#[test]
fn states_of_one_position_may_list_their_actions_in_different_orders() {
    for (count, order) in
        [(12, Order::Random), (12, Order::AsListed), (7, Order::Random), (7, Order::AsListed)]
    {
        for seed in 0..sized(1, 30) {
            let search = Mcts::new(Transpositions::new(Numbers::new(count))).backprop(Average).seed(seed);
            let search = search.tree_policy(Ucb1::new(2_f32.sqrt())); // it meets many positions twice
            let mut search = search.expansion(Expansion::default().order(order));
            search.run(Budget::iterations(sized(12_000, 30_000))).unwrap();
            // Every action has been tried where there were enough visits.
            let mut pending = vec![search.tree().root().unwrap()];
            while let Some(node) = pending.pop() {
                let state = node.state();
                if node.visits() > 100 && state.turn() != Turn::Over {
                    assert_eq!(node.children().count(), state.left.len(), "{node:?}");
                }
                pending.extend(node.children().filter(|child| child.visits() > 100));
            }
        }
    }
}

/// Checks that no position has pending visits. Returns the number of positions.
fn check_settled<G: Keyed, P: TreePolicy<G>, R, B: Backprop<G>>(
    root: TreeNode<'_, Transpositions<G>, P, R, Counted<B>>,
) -> usize {
    let (mut known, mut open) = (HashSet::new(), vec![root]);
    while let Some(node) = open.pop() {
        assert_eq!(node.backprop_stats().0.count, 0, "{}", node.position_visits());
        if node.position().is_some_and(|number| known.insert(number)) {
            open.extend(node.children());
        }
    }
    known.len()
}

/// Evaluates each position once.
struct Once(RefCell<HashSet<u128>>);

impl Evaluator<Layered> for Once {
    fn evaluate(&self, batch: &mut [Position<'_, Layered>]) -> Result<(), BoxError> {
        for position in batch {
            let key = position.state.key();
            assert!(self.0.borrow_mut().insert(key), "{key:x} comes twice");
            let priors = position.priors().iter_mut().enumerate();
            priors.for_each(|(index, prior)| *prior = 0.5 + unit(mix(key as u64 ^ index as u64)) as f32);
            let value = unit(mix(key as u64)) as f32;
            position.set_value(Rewards::new(2, |player| if player == 0 { value } else { 1.0 - value }));
        }
        Ok(())
    }
}

#[test]
fn no_position_is_evaluated_twice_whichever_way_it_is_reached() {
    for seed in 0..sized(6, 100) {
        // The players take turns, so the position says who chose it.
        let state = Layered::new(seed, 2, 9, 9).alternating();
        let once = Evaluate::new(Once(RefCell::default()));
        let search = Mcts::new(Transpositions::new(state)).tree_policy(Puct::default()).rollout_policy(once);
        // This backup looks at the visits of the children.
        let mut search = search.backprop(PowerMean::new(3.0)).window(32);
        let report = search.run(Budget::iterations(600)).unwrap();
        assert_eq!(report.iterations, 600);
        let positions = check_settled(search.tree().root().unwrap());
        assert!(positions > 20, "{positions}");
    }
}
