//! Tests of what all trees that share positions together know.

use crate::backpropagation::{Average, Backprop, Solver, Step};
use crate::game::{Rewards, Rng};
use crate::games::{Connect4, TicTacToe};
use crate::search::engine::forest::bounds::ForestSpace;
use crate::search::engine::forest::trunk::graph::*;
use crate::search::engine::forest::{Exchange, Grove};
use crate::search::engine::one_leaf::OneLeaf;
use crate::selection::{Choice, Node, TreePolicy};
use crate::simulation::Uniform;
use crate::space::transpositions::{MirrorImages, Transpositions};
use crate::statistics::{Merge, Merging};
use crate::{Budget, Bytes, Mcts};
use std::collections::HashSet;

/// A reward of 1.
const ONE: f64 = (1 << 24) as f64;

/// The visits of one tree and the sum of their rewards in units of 2^-24: an independent record.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
struct Own {
    visits: u32,
    sum: f64,
}

impl<G: GameState, R> Statistics<G, R> for Own {
    type Trace = ();
}

impl Own {
    fn and(self, reward: f32) -> Self {
        let units = (f64::from(reward) * ONE).round_ties_even();
        Own { visits: self.visits + 1, sum: self.sum + units }
    }
}

/// UCB1 that records the rewards of the iterations through each action. Those that move the mean of the
/// action differ from them.
#[derive(Clone)]
struct Actions;

impl<G: GameState> TreePolicy<G> for Actions {
    type Stats = Own;
    fn select(&self, node: impl Node<G, Own>, _: &mut Rng) -> Choice {
        let bonus = crate::math::ln(node.visits() as u32);
        node.argmax(|child| child.mean() + 0.7 * (bonus / child.visits()).sqrt())
    }
    fn update(&self, own: Own, _: f32, reward: f32) -> Own {
        own.and(reward)
    }
}

/// Averages that record what each position gets.
#[derive(Clone)]
struct Positions;

impl<G: GameState> Backprop<G> for Positions {
    type Stats = Own;
    const AVERAGES: bool = true;
    fn update(&self, step: impl Step<G, Own>, rewards: &mut Rewards) {
        step.set_stats(step.stats().and(rewards[step.chooser()]));
        step.record(rewards[step.chooser()]);
    }
}

impl<G: GameState> Merge<G, Own> for Actions {
    fn merge(&self, node: Merging<Own>) -> Own {
        node.own
    }
}
impl<G: GameState> Merge<G, Own> for Positions {
    fn merge(&self, node: Merging<Own>) -> Own {
        node.own
    }
}

type Recorded<S> = Grove<S, Actions, Uniform, Positions, OneLeaf>;

/// Exchanges of many nodes, early.
fn often() -> Exchange {
    Exchange::new().least_iterations(20).least_visits(4).most_nodes(100.0).start(50)
}

/// Checks that the visits and rewards of each action and each position in the trunk are those of all trees,
/// added up, and that every tree knows them. Returns how many sums were those of several trees, and how many
/// actions lead to positions that others lead to as well.
///
/// A tree that has `lost` a position has no record of it any more.
fn check<S: ForestSpace>(forest: &Recorded<S>, lost: &HashSet<Key>) -> [usize; 2] {
    let trunk = &forest.members[0].trunk;
    let (mut sums, mut ways) = (0, 0);
    let own_of = |position: usize| {
        let (key, chooser) = trunk.graph.positions[position].key;
        forest.members.iter().map(move |member| {
            let tree = &member.search.tree;
            (member, tree.find_position(key, chooser).map(|number| tree.position(number)))
        })
    };
    // A tree may have had no room for the position, or no known way to it, and tells of it next time.
    let may_wait = !lost.is_empty() || forest.forest.exchange.most_nodes < 100.0;
    let told = |own: Own, untold: (u32, f64)| {
        assert!(untold == (0, 0.0) || may_wait, "{untold:?}");
        Own { visits: own.visits - untold.0, sum: own.sum - untold.1 }
    };
    let mut add = |known: &TrunkNode<_, _, _>, own: &[Own], is_lost: bool, what: &dyn std::fmt::Debug| {
        let sum =
            own.iter().fold(Own::default(), |a, b| Own { visits: a.visits + b.visits, sum: a.sum + b.sum });
        let known = Own { visits: known.visits, sum: known.sum };
        if is_lost {
            assert!(known.visits >= sum.visits && known.sum >= sum.sum, "{known:?}, {sum:?} at {what:?}");
        } else {
            assert_eq!(known, sum, "at {what:?}");
            sums += usize::from(own.iter().filter(|own| own.visits > 0).count() > 1);
        }
    };
    for (number, position) in trunk.graph.positions.iter().enumerate() {
        let mut all = vec![];
        for (member, lane) in own_of(number) {
            let held = &member.trunk.graph.positions[number];
            assert_eq!(
                (held.key, held.shared.visits, held.shared.sum),
                (position.key, position.shared.visits, position.shared.sum)
            );
            if let Some(lane) = lane.filter(|_| held.shared.is_held) {
                let TrunkNode { visits, sum, .. } = held.shared;
                all.push(told(lane.backprop(), (lane.visit_count() - visits, lane.reward_units() - sum)));
            }
        }
        add(&position.shared, &all, lost.contains(&position.key), &position.key);
    }
    let mut led_to = HashSet::new();
    for (number, family) in trunk.families.iter().enumerate() {
        let parent = trunk.graph.parents[number] as usize;
        let position = &trunk.graph.positions[parent];
        let is_lost = lost.contains(&position.key);
        let mut of_actions = Own::default();
        for place in (family.first as usize..).take(family.count as usize) {
            let known = &trunk.nodes[place];
            let below = trunk.graph.ways[place].position;
            if known.visits > 0 && below != NONE && !led_to.insert(below) {
                ways += 1;
            }
            let mut all = vec![];
            for (member, lane) in own_of(parent) {
                let held = &member.trunk.nodes[place];
                assert_eq!(
                    (held.action == known.action, held.visits, held.sum),
                    (true, known.visits, known.sum)
                );
                let Some(lane) = lane.filter(|_| held.is_held) else { continue };
                let mut nodes = member.search.tree.children_of(lane.link());
                let node = nodes.find(|node| node.action() == known.action).expect("an action that is held");
                // The sum of the rewards that moved the mean is checked below.
                let untold = node.visit_count() - held.visits;
                all.push(Own { sum: 0.0, ..told(node.stats(), (untold, 0.0)) });
                // It leads to its position.
                if known.visits > 0 && below != NONE {
                    let (key, chooser) = trunk.graph.positions[below as usize].key;
                    let place = member.search.tree.find_position(key, chooser);
                    assert_eq!(place, Some(position_number(node.link())));
                }
            }
            // Those that wait for their first exchange are not told yet.
            if !family.is_due {
                let of_visits = TrunkNode { sum: 0.0, ..(*known).clone() };
                add(&of_visits, &all, is_lost, &place);
            }
            of_actions.visits += known.visits;
            of_actions.sum += f64::from(known.visits) * ONE - known.sum; // the players take turns
        }
        // The rewards of a position are those of its actions, and of the iterations that ended there. (Nobody
        // chose the first root.)
        let is_root = std::ptr::eq(&raw const position.shared, trunk.home(0).expect("a position"));
        if !family.is_due && !is_lost && !may_wait && !is_root {
            let TrunkNode { visits, sum, .. } = position.shared;
            let (ended, slack) = (f64::from(visits - of_actions.visits), f64::from(visits));
            assert!(
                (-slack..=ended * ONE + slack).contains(&(sum - of_actions.sum)),
                "at {:?}",
                position.key
            );
            assert!(
                ended <= f64::from(4 + visits / 4),
                "{ended} of {visits} visits ended at {:?}",
                position.key
            );
        }
    }
    let root = (trunk.nodes[0].visits, trunk.nodes[0].sum);
    let position = trunk.home(0).expect("a position");
    assert_eq!(root, (position.visits, position.sum));
    [sums, ways]
}

/// Plays as [`play_with`] does, with exchanges of many nodes and an action after each run.
fn play<S: ForestSpace>(state: S, trees: usize, limit: Bytes, overlap: bool) -> [usize; 2] {
    let exchange = if limit < Bytes(usize::MAX) { often().least_visits(16) } else { often() };
    play_with(state, trees, limit, exchange.overlap(overlap), 1)
}

/// Searches, plays `plies` actions and searches again, and checks the trunk each time.
fn play_with<S: ForestSpace>(
    state: S,
    trees: usize,
    limit: Bytes,
    exchange: Exchange,
    plies: usize,
) -> [usize; 2] {
    let search = Mcts::new(state).tree_policy(Actions).backprop(Positions).memory_limit(limit);
    let is_full = limit < Bytes(usize::MAX);
    let mut forest = search.parallel(trees).threads(1).exchange(exchange);
    let (mut lost, mut found) = (HashSet::new(), [0; 2]);
    for _ in 0..4 {
        let iterations = if is_full { crate::sized(3_000, 10_000) } else { crate::sized(400, 800) };
        let report = forest.run(Budget::iterations(iterations)).expect("runs");
        assert_eq!(report.iterations, iterations);
        if report.recycled_nodes > 0 {
            lost.extend(forest.trees.members[0].trunk.graph.positions.iter().map(|position| position.key));
        }
        let more = check(&forest.trees, &lost);
        found = [found[0] + more[0], found[1] + more[1]];
        let held = |forest: &Recorded<S>| {
            let of = |(number, member): (
                usize,
                &crate::search::engine::forest::crew::Member<S, Actions, Uniform, Positions>,
            )| {
                let tree = &member.search.tree;
                let held = member.trunk.graph.positions.iter().map(|position| position.key);
                Vec::from_iter(
                    held.filter(|key| tree.find_position(key.0, key.1).is_some()).map(|key| (number, key)),
                )
            };
            HashSet::<(usize, Key)>::from_iter(forest.members.iter().enumerate().flat_map(of))
        };
        let before = held(&forest.trees);
        forest.advance(report.actions[0].action.clone()).expect("legal");
        for _ in 1..plies {
            let action = forest.space().root().actions().into_iter().next();
            forest.advance(action.expect("the game is not over")).expect("legal");
        }
        if forest.state().turn() == Turn::Over {
            break;
        }
        let after = held(&forest.trees);
        lost.extend(before.difference(&after).map(|(_, key)| *key));
    }
    found
}

#[test]
fn actions_and_positions_have_the_sums_of_what_each_tree_did() {
    let connect4 = || Transpositions::new(Connect4::new());
    let none = Bytes(usize::MAX);
    for [sums, ways] in [
        play(connect4(), 2, none, false),
        play(connect4(), 3, none, false),
        play(connect4(), 3, none, true),
        play(MirrorImages::new(Connect4::new()), 2, none, false),
        play(Transpositions::new(TicTacToe::new()), 3, none, false),
        play(MirrorImages::new(TicTacToe::new()), 2, none, true),
    ] {
        assert!(sums > 200 && ways > 50, "{sums} sums, {ways} actions that lead to known positions");
    }
    // Few positions have children in the trunk, so most outlive the positions that lead to them, and a root
    // may be unknown.
    for (most, plies) in [(1.0, 1), (1.0, 2), (0.3, 2)] {
        let [sums, _] = play_with(connect4(), 2, none, often().most_nodes(most), plies);
        assert!(sums > 30, "{sums}");
    }
    // Recycling: the fringe loses nodes all the time, and there is not always room for the positions of the
    // trunk.
    for (kib, trees) in [(600, 2), (640, 3), (800, 2)] {
        let [_, ways] = play(connect4(), trees, Bytes::kib(kib * trees), kib == 640);
        assert!(ways > 20, "{ways}");
    }
}

/// Each tree finds proofs of its own. At a position, they are those of all actions that lead there, in every
/// tree.
#[test]
fn proofs_reach_all_actions_that_lead_to_a_position() {
    let (mut proven, mut ways, mut positions) = (0, 0, 0);
    for seed in 0..crate::sized(1, 2) {
        let search =
            Mcts::new(Transpositions::new(TicTacToe::new())).backprop(Solver::new(Average)).seed(seed);
        let mut forest = search.parallel(3).threads(1).exchange(often());
        let mut shared = HashSet::new();
        // The quick size looks less often.
        while forest.run(Budget::iterations(crate::sized(400, 250))).expect("runs").proof.is_none() {
            for (number, member) in forest.trees.members.iter().enumerate() {
                let (trunk, tree) = (&member.trunk, &member.search.tree);
                for (family, &parent) in trunk.graph.parents.iter().enumerate() {
                    let parent_here = &trunk.graph.positions[parent as usize];
                    // A new family waits for the next exchange.
                    if !parent_here.shared.is_held || trunk.families[family].is_due {
                        continue;
                    }
                    let children = tree.children_of(tree.position(parent_here.link).link());
                    for child in children.filter(|child| child.link() != ROOT) {
                        let below = tree.position(child.link()).backprop();
                        let chooser = trunk.families[family].chooser;
                        let proof = Backprop::<TicTacToe>::certain(&Solver::new(Average), below, chooser);
                        assert!(proof.is_none_or(|reward| reward == 0.0) || child.is_closed());
                        if proof.is_some() {
                            proven += 1;
                            shared.insert((number, child.link(), parent));
                        }
                    }
                }
            }
        }
        ways += shared.len();
        positions += HashSet::<(usize, u32)>::from_iter(shared.iter().map(|way| (way.0, way.1))).len();
    }
    assert!(proven > 300 && ways > positions + 10, "{proven} {ways} {positions}");
}
