//! Searches of graphs: `Transpositions` and `MirrorImages`.

use crate::common::hashed::Hashed;
use crate::common::layered::Layered;
use crate::common::oracle::Oracle;
use crate::common::{draw, sized, wander, with_priors};
use ramure::backpropagation::Average;
use ramure::backpropagation::ScoreBounds;
use ramure::prelude::*;
use ramure::search::{MirrorImages, Transpositions};
use ramure::selection::Puct;
use ramure::{Bytes, Expansion, Keyed, Order, Player, Report, Rng, Search, StopReason};
use ramure_games::{Connect4, Hex, TicTacToe};
use std::collections::{HashMap, HashSet};

/// What a report says of each action.
pub(crate) fn findings<A: Copy>(report: &Report<A>) -> Vec<(A, u32, u32, Option<f32>)> {
    report
        .actions
        .iter()
        .map(|found| (found.action, found.visits, found.mean.to_bits(), found.proof))
        .collect()
}

/// Searches a tree of each kind with both searches, and checks that they find the same.
pub(crate) fn finds_the_same<S: Search<Space = Hashed>, T: Search<Space = Transpositions<Hashed>>>(
    tree: impl Fn(Hashed) -> S,
    graph: impl Fn(Transpositions<Hashed>) -> T,
) {
    for seed in 0..sized(2, 50) {
        for state in [
            Hashed::new(seed, 2, 6).decided(),
            Hashed::new(seed, 2, 7).decided().with_chance(),
            Hashed::new(seed, 3, 6),
            Hashed::new(seed, 1, 8),
        ] {
            if state.turn() == Turn::Chance {
                continue;
            }
            let (mut tree, mut graph) = (tree(state), graph(Transpositions::new(state)));
            let budget = Budget::iterations(sized(450, 700));
            for _ in 0..2 {
                let (one, other) = (tree.run(budget), graph.run(budget));
                let (one, other) = (one.unwrap(), other.unwrap());
                assert_eq!(findings(&one), findings(&other), "{state:?}\n{one}\n{other}");
                assert_eq!(one.principal_variation, other.principal_variation);
                assert_eq!((one.nodes, one.depth, one.proof), (other.nodes, other.depth, other.proof));
                tree.advance(one.best_action()).unwrap();
                graph.advance(one.best_action()).unwrap();
                if matches!(tree.state().turn(), Turn::Over | Turn::Chance) {
                    break;
                }
            }
        }
    }
}

#[test]
fn a_graph_without_transpositions_is_a_tree_to_the_bit() {
    finds_the_same(
        |state| Mcts::new(state).backprop(Solver::new(Average)).seed(1),
        |state| Mcts::new(state).backprop(Solver::new(Average)).seed(1),
    );
}

#[test]
fn a_reset_graph_has_forgotten_everything() {
    let game = || Transpositions::new(Hex::new(5).unwrap());
    // With priors, a position has all its children at once.
    let new = |seed| {
        let search = Mcts::new(game()).tree_policy(Puct::default());
        search.rollout_policy(with_priors(|_: &Hex, _| 1.0)).seed(seed)
    };
    let mut used = new(1);
    let report = used.run(Budget::iterations(8_000)).unwrap();
    assert!(report.nodes > 8 * 16_384, "{report}: not more blocks than are freed at once");
    used.reset(game());
    used.set_seed(2);
    let (again, fresh) = (used.run(Budget::iterations(2_000)), new(2).run(Budget::iterations(2_000)));
    let (again, fresh) = (again.unwrap(), fresh.unwrap());
    assert_eq!(findings(&again), findings(&fresh));
    assert_eq!(again.nodes, fresh.nodes);
}

/// A plain search of a graph: values of positions from their children, visits of actions. One look-up table,
/// no tricks.
struct Plain {
    nodes: Vec<PlainNode>,
    known: HashMap<(u128, u8), usize>,
}

#[derive(Clone, Default)]
struct PlainNode {
    /// Each action, with its visits, the sum of its rewards, and the position that it leads to.
    edges: Vec<(u8, f64, f64, Option<usize>)>,
    visits: f64,
    sum: f64,
}

impl Plain {
    /// Searches `state`, a game of two players, and returns the visits of each action, and of each action
    /// after it.
    fn search(state: &Layered, iterations: u32, c: f64, rng: &mut Rng) -> HashMap<[u8; 2], f64> {
        let mut plain = Plain { nodes: vec![PlainNode::default()], known: HashMap::new() };
        plain.known.insert((state.key(), 0), 0);
        for _ in 0..iterations {
            let mut state = *state;
            // The path: each position, and the number of the action taken there.
            let (mut path, mut at) = (Vec::new(), 0);
            while let Turn::Player(player) = state.turn() {
                if plain.nodes[at].edges.is_empty() {
                    let mut actions = Vec::from_iter(state.actions());
                    for last in (1..actions.len()).rev() {
                        actions.swap(last, rng.below(last + 1));
                    }
                    plain.nodes[at].edges =
                        actions.into_iter().map(|action| (action, 0.0, 0.0, None)).collect();
                }
                #[expect(clippy::disallowed_methods, reason = "the test compares distributions, not bits")]
                let total = plain.nodes[at].visits.max(1.0).ln();
                let score = |edge: &(u8, f64, f64, Option<usize>)| {
                    if edge.1 == 0.0 { f64::INFINITY } else { edge.2 / edge.1 + c * (total / edge.1).sqrt() }
                };
                let mut best = 0;
                for edge in 1..plain.nodes[at].edges.len() {
                    if score(&plain.nodes[at].edges[edge]) > score(&plain.nodes[at].edges[best]) {
                        best = edge;
                    }
                }
                state.apply(plain.nodes[at].edges[best].0);
                path.push((at, best, player));
                if state.turn() == Turn::Over {
                    break;
                }
                let edge = plain.nodes[at].edges[best];
                // A position is looked for, and else created, on the second visit of an action.
                let next = edge.3.or_else(|| {
                    (edge.1 >= 1.0).then(|| {
                        let next = plain.nodes.len();
                        let known = *plain.known.entry((state.key(), player)).or_insert(next);
                        if known == next {
                            plain.nodes.push(PlainNode { edges: Vec::new(), visits: edge.1, sum: edge.2 });
                        }
                        known
                    })
                });
                plain.nodes[at].edges[best].3 = next;
                match next {
                    Some(next) => at = next,
                    None => break,
                }
            }
            while let Some(action) = draw(&state, rng) {
                state.apply(action);
            }
            let mut reward = state.reward(0);
            for &(node, edge, player) in path.iter().rev() {
                // From here on, `reward` is that of player 0.
                let (_, n, sum, to) = plain.nodes[node].edges[edge];
                let mut own = if player == 0 { reward } else { 1.0 - reward };
                if let Some(to) = to {
                    plain.nodes[to].visits += 1.0;
                    plain.nodes[to].sum += own;
                    let value = plain.nodes[to].sum / plain.nodes[to].visits;
                    own = ((n + 1.0) * value - sum).clamp(0.0, 1.0);
                }
                plain.nodes[node].edges[edge].1 += 1.0;
                plain.nodes[node].edges[edge].2 += own;
                reward = if player == 0 { own } else { 1.0 - own };
            }
            plain.nodes[0].visits += 1.0;
            plain.nodes[0].sum += 1.0 - reward;
        }
        let mut lines = HashMap::new();
        for first in &plain.nodes[0].edges {
            lines.insert([first.0, u8::MAX], first.1);
            for second in
                first.3.iter().flat_map(|&to| &plain.nodes[to].edges).filter(|second| second.1 > 0.0)
            {
                lines.insert([first.0, second.0], second.1);
            }
        }
        lines
    }
}

#[test]
fn the_visits_of_all_lines_are_those_of_a_plain_search_of_the_graph() {
    let (seeds, iterations, c) = (sized(60, 1_000), 400u32, 0.7f32);
    for state in [Layered::new(5, 2, 6, 3).alternating(), Layered::new(8, 2, 5, 2)] {
        let mut sums: HashMap<[u8; 2], [(f64, f64); 2]> = HashMap::new();
        let mut add = |which: usize, lines: HashMap<[u8; 2], f64>| {
            for (line, visits) in lines {
                let sum = &mut sums.entry(line).or_default()[which];
                *sum = (sum.0 + visits, sum.1 + visits * visits);
            }
        };
        for seed in 0..seeds {
            add(0, Plain::search(&state, iterations, f64::from(c), &mut Rng::seeded(seed)));
            let mut search =
                Mcts::new(Transpositions::new(state)).backprop(Average).tree_policy(Ucb1::new(c)).seed(seed);
            search.run(Budget::iterations(iterations.into())).unwrap();
            let mut lines = HashMap::new();
            for first in search.tree().root().unwrap().children() {
                let action = first.action().unwrap();
                lines.insert([action, u8::MAX], f64::from(first.visits()));
                for second in first.children().filter(|second| second.visits() > 0) {
                    lines.insert([action, second.action().unwrap()], f64::from(second.visits()));
                }
            }
            add(1, lines);
        }
        for (line, [plain, search]) in &sums {
            let n = seeds as f64;
            let mean = |sum: (f64, f64)| sum.0 / n;
            let variance = |sum: (f64, f64)| (sum.1 / n - mean(sum) * mean(sum)).max(0.0) / n;
            let error = (variance(*plain) + variance(*search)).sqrt();
            // Five standard errors, 40 lines: a false alarm in 40 000 sets of seeds. (The seeds are fixed.)
            let differs = (mean(*plain) - mean(*search)).abs() > 5.0 * error + 1e-9;
            assert!(!differs, "{line:?}: {} and {} visits, error {error}", mean(*plain), mean(*search));
        }
    }
}

#[test]
fn proofs_are_true_whichever_way_they_came() {
    let mut proven = 0;
    for seed in 0..sized(12, 200) {
        for state in [
            Layered::new(seed, 2, 6, 4),
            Layered::new(seed, 2, 7, 3).alternating(),
            Layered::new(seed, 2, 6, 4).with_chance(),
            Layered::new(seed, 3, 5, 4),
            Layered::new(seed, 1, 8, 5),
        ] {
            if state.turn() == Turn::Chance {
                continue;
            }
            let mut search = Mcts::new(Transpositions::new(state)).backprop(Solver::new(Average)).seed(seed);
            let report = search.run(Budget::iterations(1_500)).unwrap();
            let mut oracle = Oracle::new();
            let mover = report.player.unwrap();
            if let Some(proof) = report.proof {
                proven += 1;
                assert_eq!(f64::from(proof), oracle.value(&state, mover), "{state:?}\n{report}");
            }
            // Every proof in the graph, too.
            let mut pending = vec![search.tree().root().unwrap()];
            while let Some(node) = pending.pop() {
                if let Some(proof) = node.proof(node.chooser()).filter(|_| state.players() == 2) {
                    let value = oracle.value(node.state(), node.chooser());
                    assert_eq!(f64::from(proof), value, "{node:?} of {state:?}");
                }
                pending.extend(node.children().filter(|child| child.visits() > 8));
            }
        }
    }
    assert!(proven > sized(40, 700), "{proven}");
}

/// Checks that positions and actions agree, and returns the number of positions that several actions lead to.
fn check_sums<G: Keyed>(search: &Mcts<Transpositions<G>, Ucb1, Uniform, Average>) -> usize {
    let (mut known, mut shared) = (HashMap::new(), 0);
    let mut pending = vec![search.tree().root().unwrap()];
    while let Some(node) = pending.pop() {
        let Some(number) = node.position() else {
            assert_eq!(node.children().count(), 0);
            continue;
        };
        let (key, chooser) = (node.state().key(), node.chooser());
        if let Some(before) = known.insert(number, (key, chooser)) {
            assert_eq!(before, (key, chooser), "one number, two positions");
            shared += 1;
            continue;
        }
        // The visits of a position are those of its actions, and those that ended there. So is the sum of its
        // rewards.
        let children = Vec::from_iter(node.children());
        let visits: u32 = children.iter().map(|child| child.visits()).sum();
        let ended = node.position_visits() - visits;
        let mut actions = Vec::from_iter(children.iter().filter_map(|child| child.action()));
        actions.sort_by_key(|action| format!("{action:?}"));
        actions.dedup();
        assert_eq!(actions.len(), children.len(), "an action is stored twice at {node:?}");
        let reward_of = |child: &ramure::search::TreeNode<'_, _, _, _, _>| {
            let mean = f64::from(child.mean());
            if child.chooser() == chooser { mean } else { 1.0 - mean }
        };
        let below: f64 = children.iter().map(|child| f64::from(child.visits()) * reward_of(child)).sum();
        let rest = f64::from(node.position_mean()) * f64::from(node.position_visits()) - below;
        let slack = 1e-5 * f64::from(node.position_visits());
        assert!((-slack..=f64::from(ended) + slack).contains(&rest), "{rest} for {ended} visits at {node:?}");
        // An iteration that has expanded another node may end at a position without children.
        assert!(4 * ended <= 8 + node.position_visits(), "{ended} visits ended at {node:?}");
        pending.extend(children);
    }
    let keys: HashSet<_> = known.values().collect();
    assert_eq!(keys.len(), known.len(), "two numbers for one position");
    shared
}

#[test]
fn the_rewards_of_a_position_are_those_of_its_actions() {
    let mut shared = 0;
    for seed in 0..sized(6, 100) {
        for state in [
            Layered::new(seed, 2, 7, 4),
            Layered::new(seed, 2, 7, 4).alternating().with_chance(),
            Layered::new(seed, 2, 6, 6).with_rings(),
        ] {
            let mut search = Mcts::new(Transpositions::new(state)).backprop(Average).seed(seed);
            search.run(Budget::iterations(1_000)).unwrap();
            if state.turn() != Turn::Chance {
                shared += check_sums(&search);
            }
        }
        let mut search = Mcts::new(Transpositions::new(Connect4::new())).backprop(Average).seed(seed);
        search.run(Budget::iterations(2_000)).unwrap();
        shared += check_sums(&search);
    }
    assert!(shared > 1_000, "{shared}");
}

#[test]
fn wrong_keys_neither_hang_nor_crash_a_search() {
    for seed in 0..sized(30, 1_000) {
        for bits in [0, 1, 3] {
            let state = Layered::new(seed, 2, 6, 8).with_rings().with_chance().with_wrong_keys(bits);
            let mut search = Mcts::new(Transpositions::new(state)).memory_limit(Bytes::kib(256));
            let _ = search.run(Budget::iterations(300));
            let _ = search.report();
            let _ = search.tree().dot(4, 1).to_string();
        }
    }
}

#[test]
fn a_graph_stays_below_the_memory_limit_and_loses_nothing_that_it_needs() {
    for &kib in sized(&[100][..], &[160, 2_000]) {
        let limit = Bytes::kib(kib);
        let mut search =
            Mcts::new(Transpositions::new(Connect4::new())).backprop(Average).memory_limit(limit).seed(3);
        let mut rng = Rng::seeded(1);
        let mut recycled = 0;
        while search.state().turn() != Turn::Over {
            let report = search.run(Budget::iterations(sized(1_500, 60_000))).unwrap();
            assert!(report.bytes <= limit.0, "{report}");
            assert_eq!(report.stop_reason, StopReason::Iterations, "{report}");
            recycled += report.recycled_nodes;
            check_visits(&search);
            let action = draw(search.state(), &mut rng).unwrap();
            search.advance(action).unwrap();
        }
        assert!(recycled > 0);
    }
}

/// Checks that each position has at least the visits of each way to it, less those before it had children.
fn check_visits(search: &Mcts<Transpositions<Connect4>, Ucb1, Uniform, Average>) {
    let mut pending = vec![search.tree().root().unwrap()];
    for _ in 0..2_000 {
        let Some(node) = pending.pop() else { break };
        assert!(node.position_visits() + 2 >= node.visits(), "{node:?}: {}", node.position_visits());
        pending.extend(node.children());
    }
}

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
fn mirror_images_are_one_position_and_reports_speak_of_the_real_one() {
    let mut rng = Rng::seeded(4);
    for round in 0..sized(12, 200) {
        let state = wander(TicTacToe::new(), round % 5, &mut rng);
        if state.turn() == Turn::Over {
            continue;
        }
        let search = |limit| {
            let expansion = Expansion::default().on_visit(1);
            let search = Mcts::new(MirrorImages::new(state)).backprop(ScoreBounds::new(Average));
            let mut search = search.expansion(expansion).seed(round as u64);
            let report = search.run(Budget::iterations(limit)).unwrap();
            (search, report)
        };
        let (mut search, report) = search(1_500);
        let mut oracle = Oracle::new();
        let mover = report.player.unwrap();
        assert_eq!(report.proof.map(f64::from), Some(oracle.value(&state, mover)), "{state}\n{report}");
        assert_eq!(report.actions.len(), state.actions().into_iter().count());
        // Play the best line: every action is legal in the real game, and no player gives anything away.
        let mut real = state;
        for &action in &report.principal_variation {
            assert!(real.is_legal(action));
            real.apply(action);
        }
        let mut real = state;
        while real.turn() != Turn::Over {
            let report = search.run(Budget::iterations(300)).unwrap();
            let (action, mover) = (report.best_action(), report.player.unwrap());
            let value = oracle.value(&real, mover);
            real.apply(action);
            assert_eq!(oracle.value(&real, mover), value, "{real}\n{report}");
            search.advance(action).unwrap();
            assert_eq!(search.state(), &real);
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
    let mut shared = 0;
    for (count, order) in
        [(12, Order::Random), (12, Order::AsListed), (7, Order::Random), (7, Order::AsListed)]
    {
        for seed in 0..sized(1, 30) {
            let search = Mcts::new(Transpositions::new(Numbers::new(count))).backprop(Average).seed(seed);
            let search = search.tree_policy(Ucb1::new(2_f32.sqrt())); // it meets many positions twice
            let mut search = search.expansion(Expansion::default().order(order));
            search.run(Budget::iterations(sized(12_000, 30_000))).unwrap();
            shared += check_sums(&search);
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
    assert!(shared > 1_000, "{shared}");
}

/// UCB1 that also adds up the rewards that it receives.
struct Sums;

impl<G: GameState> TreePolicy<G> for Sums {
    type Stats = f32;
    fn select(&self, node: impl Node<G, f32>, _: &mut Rng) -> Choice {
        let root = node.sqrt_ln_visits();
        node.argmax(|child| child.mean() + root / child.visits().sqrt())
    }
    fn update(&self, sum: f32, _: f32, reward: f32) -> f32 {
        assert!([0.0, 0.5, 1.0].contains(&reward), "{reward} is not a reward of this game");
        sum + reward
    }
}

#[test]
fn policies_receive_the_rewards_of_the_iterations() {
    /// Returns at how many actions the mean is not that of the rewards, because it was moved to that of the
    /// position.
    macro_rules! moved_means {
        ($state:expr) => {{
            let search = Mcts::new(Transpositions::new($state)).tree_policy(Sums);
            let mut search = search.backprop(Average);
            search.run(Budget::iterations(1_000)).unwrap();
            let mut moved = 0;
            let mut pending = vec![search.tree().root().unwrap()];
            let mut seen = std::collections::HashSet::new();
            while let Some(node) = pending.pop() {
                let sum = f64::from(node.mean()) * f64::from(node.visits());
                moved += usize::from((f64::from(node.stats()) - sum).abs() > 0.1);
                if node.position().is_some_and(|number| seen.insert(number)) {
                    pending.extend(node.children().filter(|child| child.visits() > 1));
                }
            }
            moved
        }};
    }
    let mut moved = 0;
    for seed in 0..sized(3, 30) {
        for state in [Layered::new(seed, 2, 6, 3), Layered::new(seed, 2, 6, 3).alternating().with_rings()] {
            moved += moved_means!(state);
        }
    }
    assert!(moved > 100, "only {moved} means were moved");
}
