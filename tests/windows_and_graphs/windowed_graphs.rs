//! Searches of graphs that hold several leaves at a time.

use crate::common::hashed::{mix, unit};
use crate::common::layered::Layered;
use crate::common::oracle::Oracle;
use crate::common::sized;
use crate::servers::Nervous;
use crate::transpositions::{findings, finds_the_same};
use ramure::backpropagation::PowerMean;
use ramure::prelude::*;
use ramure::search::{Counted, Transpositions, TreeNode, Unobserved, Window};
use ramure::selection::Puct;
use ramure::simulation::{Evaluate, Evaluator, History, Leaf, Position, RolloutPolicy, Trace};
use ramure::{BoxError, Bytes, Expansion, GameFault, Keyed, Order, Player, Rewards, Rng};
use ramure_games::Connect4;
use ramure_games::connect4::Column;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

type Proving<G> = Mcts<Transpositions<G>, Ucb1, Uniform, Solver<Average>, Window>;

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

/// A value that only the position determines.
fn value_by_key<G: Keyed>(state: &G, _: &[G::Action], _: &mut [f32]) -> Rewards {
    let first = unit(mix(state.key() as u64)) as f32;
    Rewards::new(state.players(), |player| if player == 0 { first } else { 1.0 - first })
}

/// Each leaf of a window has random numbers of its own, so nothing may be random here.
#[test]
fn a_graph_with_a_window_of_one_is_a_graph_without_a_window_where_nothing_is_random() {
    for seed in 0..sized(4, 100) {
        for state in [Layered::new(seed, 2, 7, 4), Layered::new(seed, 2, 6, 6).with_rings()] {
            let graph = || {
                let search = Mcts::new(Transpositions::new(state)).backprop(Solver::new(Average)).seed(seed);
                let listed = Expansion::default().order(Order::AsListed);
                search.rollout_policy(Evaluate::by(value_by_key::<Layered>)).expansion(listed)
            };
            for unobserved in [Unobserved::Mean, Unobserved::Loss] {
                let (mut plain, mut window) = (graph(), graph().window(1).unobserved(unobserved));
                for _ in 0..2 {
                    let plain_report = plain.run(Budget::iterations(500)).unwrap();
                    let report = window.run(Budget::iterations(500)).unwrap();
                    assert_eq!(findings(&report), findings(&plain_report), "{state:?}");
                    assert_eq!((report.nodes, report.proof), (plain_report.nodes, plain_report.proof));
                    plain.advance(report.best_action()).unwrap();
                    window.advance(report.best_action()).unwrap();
                    if window.state().turn() == Turn::Over {
                        break;
                    }
                }
            }
        }
    }
}

#[test]
fn a_windowed_graph_without_transpositions_is_a_windowed_tree_to_the_bit() {
    for unobserved in [Unobserved::Mean, Unobserved::Loss] {
        finds_the_same(
            |state| Mcts::new(state).backprop(Solver::new(Average)).window(9).unobserved(unobserved),
            |state| Mcts::new(state).backprop(Solver::new(Average)).window(9).unobserved(unobserved),
        );
    }
}

#[test]
fn proofs_through_windows_are_true_and_nothing_stays_pending() {
    let mut proven = 0;
    for seed in 0..sized(8, 200) {
        for state in [
            Layered::new(seed, 2, 6, 4),
            Layered::new(seed, 2, 6, 5).with_rings(),
            Layered::new(seed, 3, 5, 4).with_chance(),
        ] {
            if state.turn() == Turn::Chance {
                continue;
            }
            let graph = Mcts::new(Transpositions::new(state)).backprop(Solver::new(Average)).seed(seed);
            let mut search: Proving<Layered> = graph.window([3, 40][seed as usize % 2]);
            for _ in 0..3 {
                let report = search.run(Budget::iterations(300)).unwrap();
                check_settled(search.tree().root().unwrap());
                if let Some(proof) = report.proof.filter(|_| !state.has_rings()) {
                    proven += 1;
                    let value = Oracle::new().value(&state, report.player.unwrap());
                    assert_eq!(f64::from(proof), value, "{state:?}\n{report}");
                }
            }
        }
    }
    assert!(proven > 20, "{proven}");
}

/// Gives rewards by the position, and notes the actions in the tree of all iterations whose rewards the
/// search uses.
struct ByKey {
    used: Vec<Vec<Column>>,
    /// Every simulation with a multiple of this number fails.
    fails: u32,
    simulated: Cell<u32>,
}

/// The rewards at a position: multiples of 1/256, so that sums are exact.
fn rewards_at(key: u128) -> Rewards {
    let first = (mix(key as u64 ^ (key >> 64) as u64) % 257) as f32 / 256.0;
    Rewards::new(2, |player| if player == 0 { first } else { 1.0 - first })
}

impl RolloutPolicy<Connect4> for ByKey {
    type Trace = History<Column>;

    fn simulate(
        &self,
        leaf: &mut Leaf<Connect4, impl Trace<Connect4>>,
        _: &mut Rng,
    ) -> Result<Rewards, GameFault> {
        self.simulated.set(self.simulated.get() + 1);
        if self.simulated.get().is_multiple_of(self.fails) {
            return Err(leaf.fail("a planned failure"));
        }
        Ok(rewards_at(leaf.state().key()))
    }
    fn learn(&mut self, trace: &History<Column>, _: &Rewards) {
        self.used.push(trace.actions().iter().map(|&(_, action)| action).collect());
    }
}

type Noted = Mcts<Transpositions<Connect4>, Ucb1, ByKey, Average, Window>;

/// Creates a search with a window, whose simulations with multiples of the number `fails` fail.
fn noted(window: usize, fails: u32) -> Noted {
    let policy = ByKey { used: Vec::new(), fails, simulated: Cell::default() };
    Mcts::new(Transpositions::new(Connect4::new())).backprop(Average).rollout_policy(policy).window(window)
}

/// Asks and answers until `answers` answers were given. The latest question is answered first, and sometimes
/// all others after it.
fn ask_and_tell(search: &mut Noted, answers: usize) {
    let (mut open, mut answered) = (Vec::new(), 0);
    while answered < answers {
        while let Some(question) = search.ask().unwrap() {
            open.push((question.ticket, rewards_at(question.state.key())));
        }
        let most = if answered % 7 == 0 { open.len() } else { 1 };
        for _ in 0..most {
            // Leaves at the end of the game need no answer, so there may be no question.
            let Some((ticket, rewards)) = open.pop() else { break };
            search.tell(ticket, rewards, &[]).unwrap();
            answered += 1;
        }
    }
    search.finish().unwrap();
}

/// Checks the numbers of all actions and positions against the iterations that were used. Returns how many
/// actions lead to known positions.
fn check_sums(search: &Noted, window: u32) -> u32 {
    // How often each action was used in each position.
    let mut used: HashMap<(u128, Column), u32> = HashMap::new();
    for line in &search.rollout_policy_ref().used {
        let mut state = Connect4::new();
        for &action in line {
            *used.entry((state.key(), action)).or_default() += 1;
            state.apply(action);
        }
    }
    let root = search.tree().root().unwrap();
    assert_eq!(root.visits() as usize, search.rollout_policy_ref().used.len());
    // For each position, its node, the visits of the actions that lead to it, and how many these are.
    let mut positions: HashMap<u128, (TreeNode<'_, _, _, _, _>, u32, u32)> = HashMap::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        if node.position().is_none() {
            continue;
        }
        let (key, visits) = (node.state().key(), node.visits());
        if let Some((_, sum, ways)) = positions.get_mut(&key) {
            (*sum, *ways) = (*sum + visits, *ways + 1);
            continue;
        }
        for child in node.children() {
            let action = child.action().unwrap();
            assert_eq!(child.visits(), used.get(&(key, action)).copied().unwrap_or(0), "{action} of {key:x}");
            open.push(child);
        }
        positions.insert(key, (node, visits, 1));
    }
    // An action has the mean of its position, as it was at the last visit of the action.
    let (mut apart, mut weight) = (0.0, 0.0);
    for node in positions.values().flat_map(|(node, ..)| node.children()) {
        if node.position().is_some_and(|_| node.position_visits() > node.visits() && node.visits() >= 4) {
            let visits = f64::from(node.visits());
            apart += visits * f64::from((node.mean() - node.position_mean()).abs());
            weight += visits;
        }
    }
    assert!(weight > 200.0 && apart < 0.03 * weight, "{apart} in {weight} visits");
    let mut shared = 0;
    for (key, (node, visits, ways)) in &positions {
        assert_eq!(node.backprop_stats().0.count, 0);
        // An action that leads to a known position is linked to it at its second visit. It keeps its first one
        // for itself, unless that one was still pending.
        let missing = visits - node.position_visits();
        assert!(missing == ways - 1 || window > 1 && missing < *ways, "{missing} visits of {ways} ways");
        shared += ways - 1;
        // The rewards of a position are those of its actions, and those of the iterations that ended there.
        let children = Vec::from_iter(node.children());
        let below: u32 = children.iter().map(|child| child.visits()).sum();
        let ended = f64::from(node.position_visits() - below) * f64::from(rewards_at(*key)[node.chooser()]);
        let of_child = |child: &TreeNode<'_, _, _, _, _>| {
            let mean = f64::from(child.mean());
            f64::from(child.visits()) * if child.chooser() == node.chooser() { mean } else { 1.0 - mean }
        };
        let expected = ended + children.iter().map(of_child).sum::<f64>();
        let sum = f64::from(node.position_mean()) * f64::from(node.position_visits());
        // The game's players take turns, so a finished game is the only end with other rewards: it has no
        // position.
        let slack = 1e-6 * f64::from(node.position_visits());
        assert!((sum - expected).abs() <= slack, "{sum}, {expected} at {key:x}");
    }
    shared
}

#[test]
fn visits_and_rewards_are_those_of_the_iterations_that_were_used() {
    for (window, fails) in [(1, 70), (16, u32::MAX), (16, 70), (500, 9)] {
        for unobserved in [Unobserved::Mean, Unobserved::Loss] {
            let mut search = noted(window, fails).unobserved(unobserved);
            let mut failures = 0;
            for _ in 0..sized(40, 400) {
                failures += u32::from(search.run(Budget::iterations(60)).is_err());
            }
            assert_eq!(failures > 0, fails != u32::MAX);
            let shared = check_sums(&search, window as u32);
            assert!(shared > 50, "{shared} transpositions with a window of {window}");
            ask_and_tell(&mut search, 300);
            assert!(check_sums(&search, window as u32) > shared);
        }
    }
}

#[test]
fn a_full_graph_keeps_what_is_pending() {
    for (window, limit) in [(24, Bytes::kib(160)), (600, Bytes::kib(200))] {
        let mut search = noted(window, 50);
        search.set_memory_limit(limit);
        let mut recycled = 0;
        for _ in 0..sized(3, 100) {
            ask_and_tell(&mut search, 1_800);
            recycled += search.report().unwrap().recycled_nodes;
            // A run ends with the first failure.
            let _ = search.run(Budget::iterations(2_000));
            let report = search.report().unwrap();
            recycled += report.recycled_nodes;
            assert!(report.bytes <= limit.0, "{report}");
            let positions = check_settled(search.tree().root().unwrap());
            assert!(positions > 100, "{positions}");
        }
        assert!(recycled > 1_000, "{recycled}");
        // The visits at the root are never given up.
        let root = search.tree().root().unwrap();
        assert_eq!(root.visits() as usize, search.rollout_policy_ref().used.len());
        assert_eq!(root.position_visits(), root.visits());
    }
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

/// Two ways to each place of a long corridor. The players take turns.
#[derive(Clone, Copy, Debug)]
struct Corridor(u16);

impl GameState for Corridor {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.0 == 1_000 { Turn::Over } else { Turn::Player((self.0 % 2) as u8) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..2
    }
    fn apply(&mut self, _: u8) {
        self.0 += 1;
    }
    fn reward(&self, _: Player) -> f64 {
        0.5
    }
}

impl Keyed for Corridor {
    fn key(&self) -> u128 {
        u128::from(self.0)
    }
}

/// Takes the first action at the root's first 40 visits, and then always the second one. Below, always the
/// first.
struct Turning;

impl TreePolicy<Corridor> for Turning {
    type Stats = ();
    const SEES_UNVISITED: bool = true;

    fn select(&self, node: impl Node<Corridor, ()>, _: &mut Rng) -> Choice {
        let second = u8::from(node.is_root() && node.visits() >= 40.0);
        node.choices().find(|(_, child)| child.has_action(&second)).expect("two actions").0
    }
}

/// Once the search has turned to the second action, this has pending visits in every iteration to come. It
/// leads to a position that is known, so it must have its children at once, and new ones in every iteration.
#[test]
fn an_action_that_always_has_pending_visits_leads_on_to_the_position_that_others_have_found() {
    for (threads, unobserved) in [(1, Unobserved::Loss), (1, Unobserved::Mean), (3, Unobserved::Loss)] {
        let search = Mcts::new(Transpositions::new(Corridor(0))).tree_policy(Turning).backprop(Average);
        let mut search = search.window(16).unobserved(unobserved).threads(threads);
        let depth_of_first = search.run(Budget::iterations(40)).unwrap().depth;
        let report = search.run(Budget::iterations(400)).unwrap();
        check_settled(search.tree().root().unwrap());
        let root = search.tree().root().unwrap();
        let [first, second] = [0, 1].map(|index| root.children().nth(index).unwrap());
        let (of_first, of_second) = if first.action() == Some(0) { (first, second) } else { (second, first) };
        assert_eq!((of_first.visits(), of_second.visits()), (40, 400));
        assert!(of_second.position().is_some() && of_second.position() == of_first.position());
        // The second action was linked to the position while all its visits were pending, so these count there.
        assert_eq!(of_first.position_visits(), 40 + 400);
        // Each visit goes one step deeper than the last that was used. So a window of them goes a step deeper.
        assert!(report.depth >= depth_of_first + 400 / 16, "{} after {depth_of_first}", report.depth);
    }
}

/// The panic may come right after an action with pending visits was linked to its position.
#[test]
fn a_panic_on_the_way_down_leaves_nothing_pending() {
    for left in (1..700).step_by(sized(5, 1)) {
        let state = Layered::new(3, 2, 9, 5);
        let search = Mcts::new(Transpositions::new(state)).backprop(Average);
        let mut search = search.tree_policy(Nervous { left: Cell::new(left) }).window(16);
        let run = catch_unwind(AssertUnwindSafe(|| search.run(Budget::iterations(1_000))));
        assert!(run.is_err());
        search.finish().unwrap();
        check_settled(search.tree().root().unwrap());
        let before = search.tree().root().unwrap().visits();
        assert_eq!(search.run(Budget::iterations(100)).unwrap().root_visits, before + 100);
        check_settled(search.tree().root().unwrap());
    }
}
