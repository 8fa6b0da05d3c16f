//! Backups that are not averages: for every player, the value of every node is the formula of its children's
//! values, and it converges to the exact value where it should.

#![allow(
    clippy::disallowed_methods,
    reason = "tests may use the platform's own functions, in double precision"
)]

use crate::common::any::Any;
use crate::common::hashed::{Hashed, mix, unit};
use crate::common::nim::Nim;
use crate::common::oracle::Oracle;
use crate::common::pig::Pig;
use crate::common::rows::TwiceRunning;
use crate::common::simple::OneStep;
use crate::common::sized;
use ramure::backpropagation::{
    Average, Backprop, ImplicitMinimax, MaxBackup, PowerMean, SoftmaxBackup, Values,
};
use ramure::selection::{Exploration, Ucb1};
use ramure::{Budget, GameState, Mcts, Player, StaticEvaluation, Turn};
use std::fmt::Debug;

/// Returns in how many of eight random trees of one player the search finds the best action.
fn found(c: impl Into<Exploration> + Copy, iterations: u64) -> usize {
    let finds = |seed: &u64| {
        let game = Hashed::new(*seed, 1, 6);
        let mut search = Mcts::new(Any::new(game)).tree_policy(Ucb1::new(c)).backprop(MaxBackup).seed(1);
        let report = search.run(Budget::iterations(iterations)).expect("a sound game");
        Oracle::new().best_actions(&game).contains(&report.best_action())
    };
    (0..8).filter(finds).count()
}

#[test]
fn max_backup_needs_more_exploration_than_averages() {
    // The chapter on policies says so, with these figures.
    assert_eq!([found(std::f32::consts::SQRT_2, 3_000), found(3.0, 3_000)], [8, 8]);
    let stalls = sized(3_000, 100_000);
    assert!(found(0.3, stalls) < 8, "a small constant no longer stalls: correct the chapter");
    let default = found(Exploration::deviations(1.0), stalls);
    println!("the default: {default}");
    assert!(default < 8, "the default no longer stalls: correct the chapter");
}

/// A formula of the children's visits and values. The mover's value uses the first list of values; another
/// player's value uses the second list as well.
type Formula<'a> = &'a dyn Fn(&[f64], &[f64], &[f64]) -> f64;

fn greatest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

fn mean(weights: &[f64], values: &[f64]) -> f64 {
    weights.iter().zip(values).map(|(weight, value)| weight * value).sum::<f64>()
        / weights.iter().sum::<f64>()
}

/// The formulas of `Values`, in plain arithmetic: a player's value from `theirs`, where `mine` are the
/// mover's values.
fn max(_: &[f64], mine: &[f64], theirs: &[f64]) -> f64 {
    let best = (0..mine.len()).reduce(|best, next| if mine[next] > mine[best] { next } else { best });
    theirs[best.expect("a child")]
}

fn power(p: f64, visits: &[f64], mine: &[f64], theirs: &[f64]) -> f64 {
    let powers = Vec::from_iter(mine.iter().map(|value| value.powf(p)));
    let (power_mean, average) = (mean(visits, &powers).powf(1.0 / p), mean(visits, mine));
    let lambda = if greatest(mine) - average < 1e-7 {
        0.0
    } else {
        (power_mean - average) / (greatest(mine) - average)
    };
    (1.0 - lambda) * mean(visits, theirs) + lambda * max(visits, mine, theirs)
}

fn softmax(tau: f64, mine: &[f64], theirs: &[f64]) -> f64 {
    mean(&Vec::from_iter(mine.iter().map(|value| (value / tau).exp())), theirs)
}

/// Searches `state`, and compares every node of the tree that has tried children with `formula` of those
/// children.
fn follows<B: Backprop<Any, Stats = Values>>(state: Any, backprop: B, formula: Formula) {
    let mut search = Mcts::new(state).backprop(backprop).tree_policy(Ucb1::new(0.5)).seed(5);
    search.run(Budget::iterations(sized(300, 3_000))).expect("a sound game");
    let mut pending = Vec::from_iter(search.tree().root());
    let mut checked = 0;
    while let Some(node) = pending.pop() {
        let (state, values) = (node.state(), node.backprop_stats());
        assert!((node.mean() - values.of(node.chooser())).abs() < 1e-6 || node.visits() == 0);
        let tried = Vec::from_iter(node.children().filter(|child| child.visits() > 0));
        if !tried.is_empty() {
            let visits = Vec::from_iter(tried.iter().map(|child| f64::from(child.visits())));
            let of = |player| {
                Vec::from_iter(tried.iter().map(|child| f64::from(child.backprop_stats().of(player))))
            };
            for player in 0..state.players() {
                let expected = match state.turn() {
                    Turn::Player(mover) => formula(&visits, &of(mover), &of(player)),
                    _ => mean(&visits, &of(player)),
                };
                let error = (f64::from(values.of(player)) - expected).abs();
                assert!(error < 1e-5, "{state:?}, player {player}: {} is not {expected}", values.of(player));
                checked += 1;
            }
        } else if state.turn() == Turn::Over && node.visits() > 0 {
            for player in 0..state.players() {
                assert!((f64::from(values.of(player)) - state.reward(player)).abs() < 1e-7);
            }
        }
        pending.extend(node.children());
    }
    assert!(checked > sized(10, 30), "{checked}");
}

/// Runs the check in games of one, two and three players, with and without chance, and with players who act
/// twice in a row.
fn follows_everywhere<B: Backprop<Any, Stats = Values> + Copy>(backprop: B, formula: Formula) {
    for players in 1..=3 {
        follows(Any::new(Hashed::new(u64::from(players), players, 5)), backprop, formula);
        follows(Any::new(Hashed::new(7 + u64::from(players), players, 5).with_chance()), backprop, formula);
    }
    follows(Any::new(TwiceRunning::picture("X.O .X. ...")), backprop, formula);
    follows(Any::new(Nim::<3> { sticks: 9, player: 1 }), backprop, formula);
    follows(Any::new(Pig::new(3)), backprop, formula);
}

#[test]
fn the_greatest_child_is_backed_up_for_all_players() {
    follows_everywhere(MaxBackup, &max);
}

#[test]
fn power_means_are_backed_up_for_all_players() {
    for p in [1.0, 2.0, 3.5, 16.0] {
        follows_everywhere(PowerMean::new(p), &|visits, mine, theirs| {
            power(f64::from(p), visits, mine, theirs)
        });
    }
}

#[test]
fn the_softmax_of_the_children_is_backed_up_for_all_players() {
    for tau in [0.03, 0.1, 1.0] {
        follows_everywhere(SoftmaxBackup::new(tau), &|_, mine, theirs| softmax(f64::from(tau), mine, theirs));
    }
}

/// Returns the mean of the root after each of three actions was tried once. They are worth 1/4, 1/2 and 1.
fn of_three<B: Backprop<Any>>(backprop: B) -> f64 {
    let mut search = Mcts::new(Any::listed(OneStep::new(&[0.25, 0.5, 1.0]))).backprop(backprop);
    search.run(Budget::iterations(3)).expect("a sound game");
    f64::from(search.tree().root().expect("it ran").mean())
}

#[test]
fn backups_of_three_children_match_hand_computed_values() {
    let close =
        |found: f64, expected: f64| assert!((found - expected).abs() < 1e-6, "{found} is not {expected}");
    close(of_three(MaxBackup), 1.0);
    close(of_three(PowerMean::new(1.0)), 1.75 / 3.0);
    close(of_three(PowerMean::new(2.0)), 0.661_437_83); // sqrt((1/16 + 1/4 + 1) / 3)
    close(of_three(PowerMean::new(1e8)), 1.0);
    close(of_three(SoftmaxBackup::new(0.5)), 0.779_204_76); // weights exp(1/2), exp(1) and exp(2)
    close(of_three(SoftmaxBackup::new(1e-30)), 1.0);
    close(of_three(SoftmaxBackup::new(1e30)), 1.75 / 3.0);
    // However far all values are from 1, the greatest has weight 1.
    let mut low =
        Mcts::new(Any::listed(OneStep::new(&[0.125, 0.25, 0.5]))).backprop(SoftmaxBackup::new(1e-30));
    low.run(Budget::iterations(3)).expect("a sound game");
    close(f64::from(low.tree().root().expect("it ran").mean()), 0.5);
}

/// Returns the greatest error of the means of the root's children after `iterations` iterations, over some
/// games without near ties.
fn error<B: Backprop<Any> + Copy>(backprop: B, chance: bool, iterations: u64) -> f64 {
    let mut worst = 0.0;
    let (count, depth) = sized((1, 3), (3, 4));
    for players in 1..=3 {
        let clear = |state: &Hashed| {
            let moves = matches!(state.turn(), Turn::Player(_));
            moves && Oracle::new().least_lead(state) > 0.05
        };
        let games = (0..).map(|seed| Hashed::new(seed, players, depth));
        let games = games.map(|game| if chance { game.with_chance() } else { game }).filter(clear);
        for state in games.take(count) {
            let search = Mcts::new(Any::new(state)).tree_policy(Ucb1::new(2_f32.sqrt())).seed(1);
            let mut search = search.backprop(backprop);
            let report = search.run(Budget::iterations(iterations)).expect("a sound game");
            let mut oracle = Oracle::new();
            let (mover, best) = (crate::common::mover(&state), oracle.best_actions(&state)[0]);
            assert_eq!(report.best_action(), best, "{report}");
            let root = search.tree().root().expect("it ran");
            let child = root.children().find(|child| child.action() == Some(best)).expect("it was tried");
            worst = f64::max(worst, (f64::from(child.mean()) - oracle.value(&state, mover)).abs());
        }
    }
    worst
}

#[test]
fn values_converge_to_those_of_the_oracle() {
    // The maximum is exact as soon as the tree is complete. Power means still count actions that are tried
    // now and then.
    let many = sized(1_500, 50_000);
    let max = error(MaxBackup, false, many);
    assert!(max < 1e-6, "{max}");
    let power = error(PowerMean::new(8.0), false, many);
    assert!(power < sized(0.05, 0.02), "{power}");
    let after = |iterations| error(PowerMean::new(2.0), false, iterations);
    let (few, more) = (after(sized(500, 5_000)), after(2 * many));
    assert!(more < sized(0.05, 0.03) && more < 0.5 * few, "{few} {more}");
    let mixed = error(ImplicitMinimax::new(0.5, Average), false, 2 * many);
    assert!(mixed < sized(0.04, 0.03), "{mixed}");
    // Below chance, outcomes are drawn: the error of a mean of n of them is at most 1 / (2 sqrt(n)).
    let max = error(MaxBackup, true, 2 * many);
    assert!(max < sized(0.04, 0.01), "{max}");
}

#[test]
fn the_softmax_backup_need_not_converge_to_the_exact_value_or_action() {
    /// The left action leads to a choice of 1, 0, 0 and 0, the right action to 0.6 four times.
    #[derive(Clone, Debug)]
    struct Mixed(Vec<u8>);
    impl GameState for Mixed {
        type Action = u8;
        fn turn(&self) -> Turn {
            if self.0.len() == 2 { Turn::Over } else { Turn::Player(0) }
        }
        fn actions(&self) -> impl IntoIterator<Item = u8> {
            0..[2, 4, 0][self.0.len()]
        }
        fn apply(&mut self, action: u8) {
            self.0.push(action);
        }
        fn reward(&self, _: Player) -> f64 {
            if self.0[0] == 1 { 0.6 } else { f64::from(u8::from(self.0[1] == 0)) }
        }
        fn players(&self) -> u8 {
            1
        }
    }
    for iterations in [1_000, sized(10_000, 100_000)] {
        let mut search = Mcts::new(Any::listed(Mixed(Vec::new()))).backprop(SoftmaxBackup::new(1.0));
        let report = search.run(Budget::iterations(iterations)).expect("a sound game");
        let left = std::f64::consts::E / (std::f64::consts::E + 3.0);
        assert!((f64::from(report.actions[0].mean) - left).abs() < 1e-6, "exact is 1: {report}");
        assert_eq!(report.best_action(), 1, "0.6 looks better than {left}: {report}");
        let report =
            Mcts::new(Any::listed(Mixed(Vec::new()))).backprop(MaxBackup).run(Budget::iterations(iterations));
        assert_eq!(report.expect("a sound game").best_action(), 0);
    }
}

/// A game with a meaningless evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Guessed(Hashed);

impl GameState for Guessed {
    type Action = u8;
    fn turn(&self) -> Turn {
        self.0.turn()
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        self.0.actions()
    }
    fn apply(&mut self, action: u8) {
        self.0.apply(action);
    }
    fn reward(&self, player: Player) -> f64 {
        self.0.reward(player)
    }
    fn players(&self) -> u8 {
        self.0.players()
    }
    fn probability(&self, outcome: u8) -> f64 {
        self.0.probability(outcome)
    }
}

impl StaticEvaluation for Guessed {
    fn evaluate(&self, player: Player) -> f64 {
        // `Hashed` returns a number for every state, terminal or not.
        unit(mix(self.0.reward(player).to_bits()))
    }
}

#[test]
fn evaluations_are_backed_up_by_minimax_beside_exact_means() {
    for players in 1..=3 {
        for state in [Hashed::new(3, players, 6), Hashed::new(4, players, 6).with_chance()] {
            let mut search = Mcts::new(Any::new(Guessed(state))).backprop(ImplicitMinimax::new(0.4, Average));
            search.run(Budget::iterations(sized(1_000, 2_000))).expect("a sound game");
            let mut plain = Mcts::new(Any::new(Guessed(state))).backprop(ImplicitMinimax::new(0.0, Average));
            plain.run(Budget::iterations(sized(1_000, 2_000))).expect("a sound game");
            let mut pending = Vec::from_iter(search.tree().root());
            let mut inner = 0;
            while let Some(node) = pending.pop() {
                pending.extend(node.children());
                let (kept, state) = (node.backprop_stats().0, node.state());
                let tried = Vec::from_iter(node.children().filter(|child| child.visits() > 0));
                let visits = Vec::from_iter(tried.iter().map(|child| f64::from(child.visits())));
                let minimax = Vec::from_iter(tried.iter().map(|child| child.backprop_stats().0.minimax));
                let of = |player| Vec::from_iter(minimax.iter().map(|values| f64::from(values.of(player))));
                for player in 0..players {
                    let expected = match state.turn() {
                        _ if node.visits() == 0 => continue,
                        Turn::Over => state.reward(player),
                        _ if tried.is_empty() => state.evaluate(player),
                        Turn::Player(mover) => max(&visits, &of(mover), &of(player)),
                        _ => mean(&visits, &of(player)),
                    };
                    assert!(
                        (f64::from(kept.minimax.of(player)) - expected).abs() < 1e-5,
                        "{state:?} {kept:?}"
                    );
                }
                if node.visits() > 0 {
                    let (q, v) = (kept.mean.value, kept.minimax.of(node.chooser()));
                    assert!((node.mean() - (0.6 * q + 0.4 * v)).abs() < 1e-6, "{kept:?}");
                    inner += u32::from(!tried.is_empty());
                }
            }
            assert!(inner > 10, "{inner}");
            // With a share of 0, it is the plain average.
            let root = plain.tree().root().expect("it ran");
            assert_eq!(root.mean(), root.backprop_stats().0.mean.value);
        }
    }
}

#[test]
fn the_mean_inside_a_mixture_stays_exact() {
    let state = Guessed(Hashed::new(2, 1, 1));
    let mut search =
        Mcts::new(Any::new(state)).backprop(ImplicitMinimax::new(0.5, Average)).tree_policy(Ucb1::new(0.2));
    search.run(Budget::iterations(sized(100_000, 3_000_000))).expect("a sound game");
    let root = search.tree().root().expect("it ran");
    let (mut visits, mut rewards) = (Vec::new(), Vec::new());
    for child in root.children() {
        visits.push(f64::from(child.visits()));
        rewards.push(child.state().reward(0));
        assert!((f64::from(child.mean()) - child.state().reward(0)).abs() < 1e-7);
    }
    let error = (f64::from(root.backprop_stats().0.mean.value) - mean(&visits, &rewards)).abs();
    assert!(error < 2e-7, "{error}");
}
