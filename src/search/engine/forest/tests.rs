//! Tests of what all trees together know.

mod panics;

use crate::backpropagation::{
    Average, BayesBackup, ImplicitMinimax, MaxBackup, PowerMean, SoftmaxBackup, Step, Values,
};
use crate::game::{GameFault, GameState, Player, Rewards, StaticEvaluation, Turn};
use crate::games::{Connect4, Hex};
use crate::iteration::expansion::Order;
use crate::search::Bytes;
use crate::search::engine::forest::digest::Digest;
use crate::search::engine::forest::trunk::Value;
use crate::search::engine::forest::*;
use crate::search::run::Until;
use crate::selection::{BayesUct, Grave, Ucb1, Ucb1Tuned};
use crate::simulation::{Leaf, Uniform};
use crate::space::{ActionOf, Space};
use crate::statistics::{Merge, Merging};
use crate::tree::NodeRef;
use core::cell::Cell;

/// Averages, and counts the visits and the rewards of this tree alone: an independent record of what each
/// tree did.
#[derive(Clone, Copy, Default)]
struct Recorded;

/// The visits of one tree, and the sum of their rewards.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
struct Own {
    visits: u32,
    sum: f64,
}

impl<G: GameState> Backprop<G> for Recorded {
    type Stats = Own;

    fn update(&self, step: impl Step<G, Own>, rewards: &mut Rewards) {
        let (own, reward) = (step.stats(), rewards[step.chooser()]);
        step.set_stats(Own { visits: own.visits + 1, sum: own.sum + f64::from(reward) });
        step.record(reward);
    }
}

impl<G: GameState> Merge<G, Own> for Recorded {
    fn merge(&self, node: Merging<Own>) -> Own {
        node.own
    }
}

type NodeIn<'t, S, P> = NodeRef<'t, ActionOf<S>, <P as TreePolicy<<S as Space>::Game>>::Stats, Own>;

/// Returns the node at the end of `line` in the tree of a search, if it is stored.
fn node<'t, S: Space, P: TreePolicy<S::Game>, R>(
    search: &'t OneTree<S, P, R, Recorded>,
    line: &[ActionOf<S>],
) -> Option<NodeIn<'t, S, P>> {
    line.iter().try_fold(search.tree.root(), |node, action| {
        search.tree.children_of(node.link()).find(|child| child.has_action(action))
    })
}

/// Checks that at every node of the trunk the visits and the rewards are those of all trees, added up, and
/// that every tree knows them. Returns the number of nodes that were visited.
fn check<S: Space, P: TreePolicy<S::Game>, R>(forest: &Grove<S, P, R, Recorded, OneLeaf>) -> usize
where
    ActionOf<S>: fmt::Debug,
{
    forest.members.iter().for_each(|member| check_order(&member.search));
    let all = forest.members[0].trunk.all();
    for shared in &all {
        let mut sum = Own::default();
        for member in &forest.members {
            if let Some(node) = node(&member.search, &shared.line) {
                let own = node.backprop();
                sum = Own { visits: sum.visits + own.visits, sum: sum.sum + own.sum };
            }
        }
        let known = Own { visits: shared.visits, sum: shared.sum / f64::from(1 << 24) };
        if forest.members.iter().all(|member| member.search.tree.recycled() == 0) {
            assert_eq!(known, sum, "at {:?}", shared.line);
        }
        // A tree without room for a node loses its record of it. What it has exchanged before stays.
        assert!(
            known.visits >= sum.visits && known.sum >= sum.sum,
            "at {:?}: {known:?}, {sum:?}",
            shared.line
        );
        for (number, member) in forest.members.iter().enumerate() {
            let node = node(&member.search, &shared.line).filter(|_| shared.visits > 0);
            if let Some(node) = node.filter(|node| node.visit_count() > 0) {
                let found = (node.visit_count(), node.reward_units());
                assert_eq!(found, (shared.visits, shared.sum), "at {:?} in tree {number}", shared.line);
            }
        }
    }
    for member in &forest.members[1..] {
        let others = member.trunk.all();
        assert_eq!(others.len(), all.len());
        for (other, shared) in others.iter().zip(&all) {
            assert_eq!((&other.line, other.visits, other.sum), (&shared.line, shared.visits, shared.sum));
        }
    }
    all.iter().filter(|shared| shared.visits > 0).count()
}

/// Checks that at every node the visited children come before the others, and that the blocks count them.
fn check_order<S: Space, P: TreePolicy<S::Game>, R>(search: &OneTree<S, P, R, Recorded>) {
    if P::SEES_UNVISITED {
        return;
    }
    let tree = &search.tree;
    let mut pending = vec![(tree.root(), search.space.root().clone())];
    while let Some((node, state)) = pending.pop() {
        let blocks = Vec::from_iter(tree.family(node.link()).map(|(_, block, _)| block));
        let visits = Vec::from_iter(tree.children_of(node.link()).map(|child| child.visit_count()));
        let visited = visits.iter().filter(|&&visits| visits > 0).count();
        if let (Some(last), Turn::Player(_)) = (blocks.last(), state.turn()) {
            assert!(visits[..visited].iter().all(|&visits| visits > 0), "{visits:?}");
            assert_eq!(last.start() + last.visited(), visited, "{visits:?}");
            assert_eq!(blocks.iter().map(|block| block.visited()).sum::<usize>(), visited, "{visits:?}");
        }
        for child in tree.children_of(node.link()) {
            let mut state = state.clone();
            state.apply(child.action());
            pending.push((child, state));
        }
    }
}

/// Exchanges of many nodes, early.
pub(crate) fn often() -> Exchange {
    Exchange::new().least_iterations(20).least_visits(4).most_nodes(100.0).start(50)
}

/// Searches, plays and searches again, and checks the trunk each time. Returns how many nodes were checked.
fn play<S: ForestSpace, P>(
    search: Mcts<S, P, Uniform, Recorded>,
    trees: usize,
    iterations: u64,
    exchange: Exchange,
) -> usize
where
    ActionOf<S>: fmt::Debug,
    P: ForestPolicy<S::Game> + FedBy<S::Game, Uniform>,
{
    let mut forest = search.parallel(trees).threads(1).exchange(exchange);
    // Full trees need all iterations.
    let is_limited = forest.trees.memory_limit != usize::MAX;
    let iterations = if is_limited { iterations } else { crate::sized(iterations * 6 / 10, iterations) };
    let mut checked = 0;
    for _ in 0..crate::sized(2, 4) {
        let report = forest.run(Budget::iterations(iterations)).expect("runs");
        assert_eq!(report.iterations, iterations);
        checked += check(&forest.trees);
        let action = &report.actions[report.chosen.unwrap_or(0)].action;
        forest.advance(action.clone()).expect("legal");
        if forest.state().turn() == Turn::Over {
            break;
        }
    }
    checked
}

#[test]
fn all_trees_know_the_sum_of_what_each_did() {
    let connect4 = || Mcts::new(Connect4::new()).backprop(Recorded);
    let hex = || Mcts::new(Hex::new(7).expect("a size")).backprop(Recorded);
    let checked = [
        play(connect4(), 2, 1000, often()),
        play(connect4().tree_policy(Ucb1Tuned::default()), 3, 1000, often()),
        play(connect4().expansion(Expansion::default().order(Order::AsListed)), 3, 1000, often()),
        play(connect4().expansion(Expansion::default().widening(1.0, 0.5)), 3, 1000, often()),
        play(connect4().expansion(Expansion::default().on_visit(10)), 3, 1000, often()),
        // More than eight children: families of several blocks.
        play(hex(), 4, 1500, often()),
        play(hex().expansion(Expansion::default().order(Order::AsListed)), 4, 1500, often()),
        play(hex().tree_policy(Grave::new(100.0, 1e-7)), 2, 300, often()),
        play(Mcts::new(Race::default()).backprop(Recorded), 3, 1000, often()),
        // Recycling: the fringe loses nodes all the time, the trunk none.
        play(connect4().memory_limit(Bytes::kib(60)), 2, 4000, often()),
        // Families of several small blocks, because no large one fits.
        play(hex().memory_limit(Bytes::kib(100)), 2, 1500, often()),
        play(hex().memory_limit(Bytes::kib(150)), 2, 1500, often()),
        play(hex().memory_limit(Bytes::kib(250)), 2, 1500, often()),
    ];
    assert!(checked.iter().all(|&checked| checked > 50), "{checked:?}");
}

#[test]
fn so_they_do_if_they_search_on_while_they_exchange() {
    let connect4 = || Mcts::new(Connect4::new()).backprop(Recorded);
    let hex = || Mcts::new(Hex::new(7).expect("a size")).backprop(Recorded);
    let checked = [
        play(connect4(), 2, 1000, often().overlap(true)),
        play(connect4().tree_policy(Ucb1Tuned::default()), 3, 1000, often().overlap(true)),
        play(hex(), 4, 1500, often().overlap(true)),
        play(Mcts::new(Race::default()).backprop(Recorded), 3, 1000, often().overlap(true)),
        play(connect4().memory_limit(Bytes::kib(60)), 2, 4000, often().overlap(true)),
    ];
    assert!(checked.iter().all(|&checked| checked > 50), "{checked:?}");
}

/// In Hex, the children of all busy nodes would be half a node for each iteration.
#[test]
fn an_exchange_covers_as_many_nodes_as_the_iterations_before_it_are_worth() {
    let nodes = |trees: usize, most: f64| {
        let search = Mcts::new(Hex::new(7).expect("a size")).tree_policy(Ucb1::new(0.3)).backprop(Recorded);
        let mut forest =
            search.parallel(trees).threads(1).exchange(Exchange::new().start(100).most_nodes(most));
        forest.run(Budget::iterations(15_000)).expect("runs");
        assert!(check(&forest.trees) > 49);
        forest.exchanges().nodes as f64 / (15_000.0 / trees as f64)
    };
    let (all, few, of_four) = (nodes(2, 100.0), nodes(2, 0.3), nodes(4, 0.3));
    assert!(all > 0.56 && few > 0.2 && few < 0.4, "{all}, {few}");
    assert!(of_four > 0.2 && of_four < 0.4, "{of_four}");
}

/// Returns how many children the nodes with at least `least` visits have, in the first tree, and how many one
/// tree would have.
fn widths(
    forest: &Grove<Hex, Ucb1, Uniform, Recorded, OneLeaf>,
    expansion: Expansion,
    least: u32,
) -> (usize, usize) {
    let tree = &forest.members[0].search.tree;
    let (mut found, mut expected) = (0, 0);
    let mut pending = vec![(tree.root(), 49)];
    while let Some((node, most)) = pending.pop() {
        if node.visit_count() >= least {
            let children = tree.children_of(node.link()).filter(|child| child.visit_count() > 0);
            found += children.count();
            expected += expansion.width(node.visit_count()).min(most);
            pending.extend(tree.children_of(node.link()).map(|child| (child, most - 1)));
        }
    }
    (found, expected)
}

/// Each tree tries the children in an order of its own, so all together could try too many of them.
#[test]
fn several_trees_widen_as_far_as_one() {
    let expansion = Expansion::default().widening(1.0, 0.3);
    for trees in [1, 4] {
        let search = Mcts::new(Hex::new(7).expect("a size")).tree_policy(Ucb1::new(0.1));
        let search = search.backprop(Recorded).expansion(expansion);
        let mut forest = search.parallel(trees).threads(1);
        forest.run(Budget::iterations(20_000)).expect("runs");
        let (found, expected) = widths(&forest.trees, expansion, 800);
        assert!(expected > 100, "{expected} children");
        // Four trees with other seeds: 1.23 times as many, with a standard deviation of .05. Without shares,
        // they would have twice as many.
        let most = if trees == 1 { 1.25 } else { 1.4 };
        let ratio = found as f64 / expected as f64;
        assert!((0.75..most).contains(&ratio), "{trees} trees: {found} children, not {expected}");
    }
}

/// Searches with three trees, plays and searches again, and checks that all trees agree about the trunk, for
/// any number of threads, and that each node there has the mean that follows from its children: `expected`
/// gets the node, the player who chose it, its turn and the children.
fn derived<S: ForestSpace, P, B>(
    search: impl Fn() -> Mcts<S, P, Uniform, B>,
    expected: impl Fn(&Value<B::Stats>, Player, Turn, &[Value<B::Stats>]) -> f64,
) where
    ActionOf<S>: fmt::Debug,
    P: ForestPolicy<S::Game> + FedBy<S::Game, Uniform>,
    B: ForestBackprop<S::Game>,
    B::Stats: fmt::Debug + PartialEq,
{
    let iterations = crate::sized(450, 1500);
    let run = |threads, overlap| {
        let mut forest = search().parallel(3).threads(threads).exchange(often().overlap(overlap));
        forest.run(Budget::iterations(iterations)).expect("runs");
        let action = forest.report().expect("a report").actions[0].action.clone();
        forest.advance(action).expect("legal");
        let report = forest.run(Budget::iterations(iterations)).expect("runs");
        let values = forest.trees.members[0].trunk.values();
        assert!(forest.trees.members.iter().all(|member| member.trunk.values() == values), "the trees agree");
        // The trees themselves have the values of the trunk.
        for member in &forest.trees.members {
            let root = member.search.tree.root();
            let found = Value { visits: root.visit_count(), mean: root.mean(), backprop: root.backprop() };
            assert_eq!(found, values[0].0);
        }
        (report.actions, values)
    };
    for overlap in [false, true] {
        let (actions, values) = run(1, overlap);
        assert!(run(3, overlap) == (actions, values.clone()), "the same on three threads");
        let nodes = values.iter().filter(|(.., children)| !children.is_empty());
        assert!(nodes.clone().count() > 20, "{} nodes", nodes.count());
        for (node, chooser, turn, children) in nodes {
            let mean = expected(node, *chooser, *turn, children);
            assert!((f64::from(node.mean) - mean).abs() < 1e-6, "{node:?}, not {mean}: {children:?}");
        }
    }
}

/// Returns the values of the best child for the player to move, or the mean of the outcomes of chance.
fn best(turn: Turn, player: Player, children: impl Iterator<Item = (u32, Values)> + Clone) -> f64 {
    if let Turn::Player(mover) = turn {
        let all = children.map(|(_, values)| values);
        let best =
            all.reduce(|best, next| if next.exactly(mover) > best.exactly(mover) { next } else { best });
        return best.map_or(0.5, |best| best.exactly(player));
    }
    let (visits, sum) = children.fold((0.0, 0.0), |(visits, sum), (more, values)| {
        (visits + f64::from(more), sum + f64::from(more) * values.exactly(player))
    });
    sum / visits
}

#[test]
fn values_follow_from_those_of_the_children_that_all_trees_know() {
    let race = || Mcts::new(Race::default()).backprop(MaxBackup);
    derived(race, |_, chooser, turn, children| {
        best(turn, chooser, children.iter().map(|child| (child.visits, child.backprop)))
    });
    let power = || Mcts::new(Connect4::new()).backprop(PowerMean::new(3.0));
    derived(power, |_, _, _, children| {
        let (visits, sum) = children.iter().fold((0.0, 0.0), |(visits, sum), child| {
            (
                visits + f64::from(child.visits),
                sum + f64::from(child.visits) * crate::math::pow(child.mean.into(), 3.0),
            )
        });
        1.0 - crate::math::pow(sum / visits, 1.0 / 3.0) // the value for the other player
    });
    let softmax = || Mcts::new(Race::default()).backprop(SoftmaxBackup::new(0.2));
    derived(softmax, |_, chooser, turn, children| {
        let values = children.iter().map(|child| (child.visits, child.backprop));
        let Turn::Player(mover) = turn else { return best(turn, chooser, values) };
        let weight = |values: Values| crate::math::exp(values.exactly(mover) / 0.2);
        let weighted =
            values.clone().map(|(_, values)| weight(values) * values.exactly(chooser)).sum::<f64>();
        weighted / values.map(|(_, values)| weight(values)).sum::<f64>()
    });
    // The greatest of several uncertain values is expected to be greater than the greatest of their means.
    let bayes = || Mcts::new(Connect4::new()).tree_policy(BayesUct::default()).backprop(BayesBackup);
    derived(bayes, |node, _, _, children| {
        let greatest = children.iter().map(|child| child.mean).fold(0.0, f32::max);
        assert!(1.0 - node.mean >= greatest - 1e-6, "{node:?}: {children:?}");
        node.mean.into()
    });
    let implicit = || Mcts::new(Race::default()).backprop(ImplicitMinimax::new(0.25, Average));
    derived(implicit, |node, chooser, turn, children| {
        let minimax = children.iter().map(|child| (child.visits, child.backprop.0.minimax));
        let mean = f64::from(node.backprop.0.mean.value);
        // What is not from the children is from the first visit in each tree.
        if turn == Turn::Chance {
            let below = |child: &Value<_>| f64::from(child.visits) * f64::from(mean_of_rewards(child));
            let (all, below) = (f64::from(node.visits) * mean, children.iter().map(below).sum::<f64>());
            assert!((-0.01..=3.01).contains(&(all - below)), "{all} and {below}");
        }
        0.75 * mean + 0.25 * best(turn, chooser, minimax)
    });
}

/// Returns the mean of the rewards, which the evaluations do not change.
fn mean_of_rewards(node: &Value<<ImplicitMinimax<Average> as Backprop<Race>>::Stats>) -> f32 {
    node.backprop.0.mean.value
}

/// The share of the way.
impl StaticEvaluation for Race {
    fn evaluate(&self, player: Player) -> f64 {
        f64::from(self.fields[usize::from(player)].min(9)) / 9.0
    }
}

/// At the memory limit, a family may consist of blocks of either kind.
#[test]
fn the_visited_children_come_first_in_a_full_tree() {
    let mut recycled = 0;
    for kib in [40, 60, 80, 100, 150, 200] {
        let search = Mcts::new(Hex::new(7).expect("a size")).backprop(Recorded);
        let mut search = search.memory_limit(Bytes::kib(kib));
        for _ in 0..crate::sized(3, 5) {
            recycled += search.run(Budget::iterations(1000)).expect("runs").recycled_nodes;
            check_order(&search.trees);
        }
    }
    assert!(recycled > 1000, "{recycled}");
}

thread_local! {
    /// Whether the die has no faces when it is thrown first.
    static FIRST_THROW_FAILS: Cell<bool> = const { Cell::new(false) };
}

/// Three players in turn move one field, or as far as a die of three faces says. The first to reach the end
/// of the track wins.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct Race {
    fields: [u8; 3],
    player: Player,
    throws: bool,
}

impl GameState for Race {
    type Action = u8;

    fn players(&self) -> u8 {
        3
    }

    fn turn(&self) -> Turn {
        match self.throws {
            _ if self.fields.iter().any(|&field| field >= 9) => Turn::Over,
            true => Turn::Chance,
            false => Turn::Player(self.player),
        }
    }

    fn actions(&self) -> impl IntoIterator<Item = u8> {
        let is_first = self.throws && self.fields == [0; 3];
        match self.throws {
            _ if is_first && FIRST_THROW_FAILS.get() => 0..0,
            true => 0..3,
            false => 0..2,
        }
    }

    fn apply(&mut self, action: u8) {
        if !self.throws && action == 1 {
            self.throws = true;
            return;
        }
        self.fields[usize::from(self.player)] += if self.throws { action } else { 1 };
        (self.player, self.throws) = ((self.player + 1) % 3, false);
    }

    fn probability(&self, outcome: u8) -> f64 {
        [0.5, 0.25, 0.25][usize::from(outcome)]
    }

    fn reward(&self, player: Player) -> f64 {
        f64::from(u8::from(self.fields[usize::from(player)] >= 9))
    }
}

/// The first tree searches alone. Its digest gives the second tree the root's children in the first exchange,
/// and those of the throw in the second one.
#[test]
fn an_error_in_an_exchange_has_the_ply_from_the_root() {
    let member = || Member::new(Mcts::new(Race::default()).backprop(Recorded).trees);
    let (mut first, mut second) = (member(), member());
    let turn = Turn::Player(0);
    for member in [&mut first, &mut second] {
        member.search.prepare(Budget::until_stopped()).expect("no error yet");
        member.search.begin(None);
        member.trunk.plant::<Race>(member.search.root(), 0);
    }
    let (mut leaf, mut exchanging) = (Leaf::new(&Race::default(), false), None);
    let (mut found, mut nothing) = (Digest::new(), Digest::new());
    let until = Until { iterations: 200, bytes: usize::MAX };
    first.search.iterate_until(turn, until, &mut None, &mut leaf, &mut first.counts).expect("no error yet");
    for fails in [false, true] {
        first.gather(true, &mut found);
        second.gather(true, &mut nothing);
        FIRST_THROW_FAILS.set(fails);
        first.exchange(turn, &mut exchanging, &[&found, &nothing], 0, false, often());
        second.exchange(turn, &mut exchanging, &[&found, &nothing], 1, false, often());
        FIRST_THROW_FAILS.set(false);
    }
    let error = second.broken.map(|error| error.to_string());
    let expected = SearchError::game(GameFault::NoActions, 1);
    assert_eq!(error, Some(expected.to_string()));
}

/// The first tree has the seed of the forest.
#[test]
fn one_tree_is_a_search() {
    let search = || Mcts::new(Connect4::new()).seed(5).memory_limit(Bytes::kib(16));
    let (mut alone, mut forest) = (search(), search().parallel(1));
    for iterations in [1, 500, 20_000] {
        let budget = Budget::iterations(iterations);
        let (expected, found) = (alone.run(budget).expect("runs"), forest.run(budget).expect("runs"));
        assert_eq!(found.actions, expected.actions);
        let size = |report: Report<ActionOf<Connect4>>| (report.nodes, report.bytes, report.recycled_nodes);
        assert_eq!(size(found.clone()), size(expected.clone()));
        alone.advance(expected.best_action()).expect("legal");
        forest.advance(found.best_action()).expect("legal");
    }
    let report = forest.run(Budget::millis(2)).expect("runs");
    assert_eq!(report.stop_reason, StopReason::Time);
    assert_eq!(forest.exchanges(), ExchangeCounts::default());
}

/// A search that goes on with several trees keeps what it found with one.
#[test]
fn a_search_that_becomes_a_forest_keeps_its_tree() {
    let mut search = Mcts::new(Connect4::new()).backprop(Recorded);
    search.run(Budget::iterations(2000)).expect("runs");
    let mut forest = search.parallel(3).exchange(often());
    let report = forest.run(Budget::iterations(500)).expect("runs");
    assert_eq!(report.root_visits, 2500);
    assert!(check(&forest.trees) > 50);
    assert_eq!(forest.report().expect("runs").nodes, report.nodes);

    // The other trees take part from the start, and know what the first one found.
    let mut search = Mcts::new(Connect4::new()).backprop(Recorded);
    search.run(Budget::iterations(3000)).expect("runs");
    let mut forest = search.parallel(3);
    forest.run(Budget::iterations(600)).expect("runs");
    let iterations = forest.trees.members.iter().map(|member| member.counts.iterations);
    assert_eq!(Vec::from_iter(iterations), [200, 200, 200]);

    // Also while the tree recycles its memory.
    let mut search = Mcts::new(Connect4::new()).backprop(Recorded).memory_limit(Bytes::kib(120));
    for iterations in [3000, 3010, 3020, 3030] {
        search.run(Budget::iterations(iterations)).expect("runs");
    }
    let full = search.clone().parallel(2).run(Budget::iterations(2000));
    assert_eq!(full, Err(SearchError::MemoryLimit { limit: 120 << 10 }));
    let mut forest = search.memory_limit(Bytes::kib(240)).parallel(2).exchange(often());
    for _ in 0..3 {
        forest.run(Budget::iterations(2000)).expect("runs");
        assert!(check(&forest.trees) > 50);
    }
}

/// A proof that only one tree knows.
#[derive(Clone, Copy, Default)]
struct Selfish;

impl<G: GameState> Backprop<G> for Selfish {
    type Stats = u32;
    const PROVES: bool = true;

    fn update(&self, step: impl Step<G, u32>, rewards: &mut Rewards) {
        step.set_stats(step.stats() + 1);
        step.record(rewards[step.chooser()]);
    }

    fn certain(&self, visits: u32, _: Player) -> Option<f32> {
        (visits > 700).then_some(0.5)
    }
}

impl<G: GameState> Merge<G, u32> for Selfish {
    fn merge(&self, node: Merging<u32>) -> u32 {
        node.own
    }
}

#[test]
fn trees_that_disagree_about_a_proof_stop_together() {
    let mut forest = Mcts::new(Connect4::new()).backprop(Selfish).parallel(3).exchange(often());
    let report = forest.run(Budget::iterations(100_000)).expect("runs");
    assert!(report.iterations < 3_000);
}

/// Derives values, and does not say so.
#[derive(Clone)]
struct Silent;

impl<G: GameState> Backprop<G> for Silent {
    type Stats = ();

    fn update(&self, step: impl Step<G, ()>, rewards: &mut Rewards) {
        step.record(rewards[step.chooser()]);
    }

    fn refresh(&self, step: impl Step<G, ()>, _: u8) -> Option<f32> {
        step.tried().map(|child| child.mean).reduce(f32::max)
    }
}

impl<G: GameState> Merge<G, ()> for Silent {
    fn merge(&self, _: Merging<()>) {}
}

#[test]
fn values_that_are_derived_without_a_word_are_an_error() {
    let mut forest = Mcts::new(Connect4::new()).backprop(Silent).parallel(2).exchange(often());
    let error = forest.run(Budget::iterations(1000)).expect_err("it does not say so");
    let undeclared = GameFault::Undeclared { method: "refresh", constant: "DERIVES" };
    assert!(matches!(error, SearchError::Game { fault, .. } if fault == undeclared), "{error}");
}

#[test]
fn the_memory_limit_holds_for_all_trees_and_what_they_know_of_each_other() {
    for (trees, limit) in [(2, 200_000), (4, 200_000), (64, 1_000_000)] {
        let exchange = Exchange::new().least_iterations(20).most_nodes(10.0).start(50);
        let mut forest =
            Mcts::new(Connect4::new()).memory_limit(Bytes(limit)).parallel(trees).exchange(exchange);
        for _ in 0..3 {
            let (mut most, budget) = (0, Budget::iterations(crate::sized(5_000, 20_000)));
            let mut note = |report: &Report<ActionOf<Connect4>>| most = most.max(report.bytes);
            let report = forest.run_with(budget, Every::Iterations(1000), &mut note).expect("runs");
            assert!(forest.trees.members.iter().all(|member| member.trunk.len() > 8));
            forest.advance(report.best_action()).expect("legal");
            let bytes = most.max(report.bytes).max(forest.memory_usage().0);
            assert!(bytes <= limit, "{trees} trees: {bytes} of {limit}");
        }
    }
    // Limits that cannot hold are refused.
    let mut forest = Mcts::new(Connect4::new()).memory_limit(Bytes(200_000)).parallel(64);
    let error = forest.run(Budget::iterations(1000)).expect_err("a share of 3125 bytes");
    assert_eq!(error, SearchError::MemoryLimit { limit: 200_000 });
}

/// Small enough for Miri, which checks the memory and the threads.
#[test]
fn threads_under_miri() {
    let forest = |threads| {
        let exchange = Exchange::new().least_iterations(5).least_visits(2).most_nodes(100.0).start(5);
        let search = Mcts::new(Race::default()).backprop(Recorded);
        let mut forest = search.parallel(3).threads(threads).exchange(exchange);
        let first = forest.run(Budget::iterations(60)).expect("runs");
        forest.advance(first.actions[1].action).expect("legal");
        let second = forest.run(Budget::iterations(40)).expect("runs");
        check(&forest.trees);
        (first.actions, second.actions)
    };
    assert_eq!(forest(1), forest(3));
}

/// A tree costs memory and time, so it is created when it joins.
#[test]
fn a_tree_is_created_when_there_are_visits_enough_for_it() {
    for trees in [64, 1024, 4096] {
        let mut forest = Mcts::new(Connect4::new()).parallel(trees);
        let mut created = vec![];
        for iterations in [5, 1000, 2000] {
            let report = forest.run(Budget::iterations(iterations)).expect("runs");
            assert_eq!(report.iterations, iterations);
            created.push(forest.trees.members.len());
        }
        // 5 and 1005 visits; at 1000, 1500 and 2250 visits the second, the third and the fourth tree look
        // whether it is their turn.
        assert_eq!(created, [1, 2, 3]);
        forest.reset(Connect4::new());
        assert_eq!(forest.trees.members.len(), 1);
        // All trees may join at once, but only while there is time.
        let exchange = Exchange::new().start(0);
        let mut forest = Mcts::new(Connect4::new()).parallel(trees).exchange(exchange);
        let report = forest.run(Budget::time(Duration::from_nanos(1))).expect("runs");
        assert_eq!((report.iterations, report.stop_reason), (1, StopReason::Time));
        assert_eq!(forest.trees.members.len(), 1);
        let report = forest.run(Budget::iterations(3)).expect("runs");
        assert_eq!((report.root_visits, forest.trees.members.len()), (4, 3));
    }
}

/// Late trees take over the whole trunk: what was found at every node, by every policy.
#[test]
fn a_tree_that_joins_late_knows_what_all_trees_know() {
    let mut forest = Mcts::new(Connect4::new()).backprop(Recorded).parallel(3).exchange(often().start(800));
    for trees in [1, 1, 2, 2, 2, 3, 3] {
        forest.run(Budget::iterations(300)).expect("runs");
        let checked = check(&forest.trees);
        assert!(checked > if trees == 1 { 7 } else { 50 }, "{checked} nodes of {trees} trees");
        assert_eq!(forest.trees.members.len(), trees);
    }
}
