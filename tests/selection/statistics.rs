//! Sums are exact, visits add up, and formulas are followed, compared with plain arithmetic in double
//! precision.

#![allow(
    clippy::disallowed_methods,
    reason = "tests may use the platform's own functions, in double precision"
)]

use crate::common::hashed::unit;
use crate::common::{sized, visits};
use ramure::backpropagation::Average;
use ramure::selection::{Puct, Thompson, TreePolicy, Ucb1, Ucb1Tuned};
use ramure::simulation::{RolloutPolicy, Uniform, WithPriors};
use ramure::statistics::Statistics;
use ramure::{Budget, GameState, Mcts, Player, Turn};
use std::cell::Cell;
use std::rc::Rc;

/// One action, then chance: a reward of 1 with this probability, else 0.
#[derive(Clone)]
struct Coin {
    win: f64,
    tossed: Option<bool>,
    steps: u8,
}

impl GameState for Coin {
    type Action = bool;

    fn turn(&self) -> Turn {
        match self.steps {
            0 => Turn::Player(0),
            1 => Turn::Chance,
            _ => Turn::Over,
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = bool> {
        [true, false].into_iter().take([1, 2, 0][usize::from(self.steps)])
    }
    fn apply(&mut self, action: bool) {
        self.tossed = Some(action);
        self.steps += 1;
    }
    fn reward(&self, _: Player) -> f64 {
        if self.tossed == Some(true) { 1.0 } else { 0.0 }
    }
    fn players(&self) -> u8 {
        1
    }
    fn probability(&self, outcome: bool) -> f64 {
        if outcome { self.win } else { 1.0 - self.win }
    }
    fn random_outcome(&self, rng: &mut ramure::Rng) -> Option<bool> {
        Some(rng.unit() < self.win)
    }
}

#[test]
fn means_of_20_million_random_rewards_are_exact_to_a_rounding_error() {
    let count = sized(80_000, 20_000_000);
    for win in [0.9, 0.99] {
        let mut search = Mcts::new(Coin { win, tossed: None, steps: 0 });
        search.run(Budget::iterations(count.into())).expect("a sound game");
        let root = search.tree().root().expect("it ran");
        let child = root.children().next().expect("one action");
        let outcomes = Vec::from_iter(child.children());
        assert_eq!(child.visits(), count);
        // The first visit was a rollout from the child, whose toss is not in the tree.
        assert_eq!(outcomes.iter().map(|outcome| outcome.visits()).sum::<u32>(), count - 1);
        let wins =
            outcomes.iter().find(|outcome| outcome.action() == Some(true)).expect("it came up").visits();
        // The first toss may be one more win.
        let error_of = |wins: u32| (f64::from(child.mean()) - f64::from(wins) / f64::from(count)).abs();
        let error = error_of(wins).min(error_of(wins + 1));
        assert!(error < 1.2e-7, "{win}: off by {error}");
        assert!((f64::from(child.mean()) - win).abs() < 4.0 * (win * (1.0 - win) / f64::from(count)).sqrt());
        assert!(
            outcomes
                .iter()
                .all(|outcome| outcome.mean() == if outcome.action() == Some(true) { 1.0 } else { 0.0 })
        );
    }
}

/// One player, one choice: the reward of an action is random, and depends only on the time of the choice.
#[derive(Clone)]
struct Bandit {
    arms: u8,
    chosen: Option<u8>,
    pulls: Rc<Cell<u64>>,
}

impl Bandit {
    fn new(arms: u8) -> Self {
        Bandit { arms, chosen: None, pulls: Rc::default() }
    }

    /// Returns the reward of `arm` as the `pull`-th of all pulls, between 0 and 1. Arms with higher numbers
    /// bring more.
    fn worth(arm: u8, pull: u64) -> f64 {
        (unit(pull * 64 + u64::from(arm)) + 0.05 * f64::from(arm)).min(1.0)
    }
}

impl GameState for Bandit {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.chosen.is_some() { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.chosen.is_some() { 0 } else { self.arms }
    }
    fn apply(&mut self, arm: u8) {
        self.chosen = Some(arm);
    }
    fn reward(&self, _: Player) -> f64 {
        let pull = self.pulls.get();
        self.pulls.set(pull + 1);
        Bandit::worth(self.chosen.expect("it is over"), pull)
    }
    fn players(&self) -> u8 {
        1
    }
}

/// The statistics of an arm, in double precision.
#[derive(Clone, Copy, Default)]
struct Arm {
    pulls: f64,
    sum: f64,
    squares: f64,
}

/// Follows a search choice by choice. Each choice must have, up to rounding errors, the greatest `score(arm,
/// its number, N)`, where `N` is the number of earlier iterations. Arms that were never pulled have an
/// infinite score, unless `score` says otherwise.
fn follows<P, R>(
    search: Mcts<Bandit, P, R, Average>,
    iterations: u64,
    score: impl Fn(&Arm, usize, f64) -> f64,
) where
    P: TreePolicy<Bandit, Stats: Statistics<Bandit, R>>,
    R: RolloutPolicy<Bandit>,
{
    let mut search = search;
    let count = usize::from(search.state().arms);
    let (mut arms, mut before) = (vec![Arm::default(); count], vec![0; count]);
    let mut ties = 0;
    for iteration in 0..iterations {
        let report = search.run(Budget::iterations(1)).expect("a sound game");
        let now = visits(&report);
        let Some(chosen) = (0..count).find(|&arm| now[arm] > before[arm]) else {
            assert_eq!(iteration, 0, "only the first iteration may value the root itself");
            continue;
        };
        let scores =
            Vec::from_iter(arms.iter().enumerate().map(|(index, arm)| score(arm, index, iteration as f64)));
        let greatest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // From 2048 on, the root of the logarithm has an error of 2e-4, and bonuses are below 1.
        let rounding = if iteration < 2048 { 2e-5 } else { 2e-4 };
        assert!(
            scores[chosen] >= greatest - rounding || scores[chosen] == greatest,
            "iteration {iteration} chose {chosen}: {scores:?}"
        );
        ties += u32::from(scores[chosen] < greatest);
        let reward = Bandit::worth(chosen as u8, iteration);
        let arm = &mut arms[chosen];
        (arm.pulls, arm.sum, arm.squares) =
            (arm.pulls + 1.0, arm.sum + reward, arm.squares + reward * reward);
        assert!((f64::from(report.actions[chosen].mean) - arm.sum / arm.pulls).abs() < 2e-7, "{report}");
        before = now;
    }
    assert!(ties < 150, "{ties} choices differ from plain arithmetic");
}

#[test]
fn ucb1_follows_its_formula() {
    for (arms, c) in [(3, 1.0), (8, std::f32::consts::SQRT_2), (9, 0.3), (20, 2.0)] {
        follows(
            Mcts::new(Bandit::new(arms)).backprop(Average).tree_policy(Ucb1::new(c)),
            sized(2_500, 5_000),
            |arm, _, n| {
                if arm.pulls == 0.0 {
                    return f64::INFINITY;
                }
                arm.sum / arm.pulls + f64::from(c) * (n.ln() / arm.pulls).sqrt()
            },
        );
    }
}

#[test]
fn ucb1_tuned_follows_its_formula() {
    for (arms, c) in [(3, 1.0), (8, 1.0), (9, 0.5), (20, 1.0)] {
        follows(
            Mcts::new(Bandit::new(arms)).backprop(Average).tree_policy(Ucb1Tuned::new(c)),
            sized(2_500, 5_000),
            |arm, _, n| {
                if arm.pulls == 0.0 {
                    return f64::INFINITY;
                }
                let mean = arm.sum / arm.pulls;
                let bound = arm.squares / arm.pulls - mean * mean + (2.0 * n.ln() / arm.pulls).sqrt();
                mean + f64::from(c) * (n.ln() / arm.pulls * bound.min(0.25)).sqrt()
            },
        );
    }
}

#[test]
fn puct_follows_its_formula() {
    for (arms, c) in [(3, 1.25), (8, 0.5), (9, 4.0), (20, 1.25)] {
        let weight = |arm: usize| 1.0 + (arm * 7 % 5) as f64;
        let sum: f64 = (0..usize::from(arms)).map(weight).sum();
        let priors = WithPriors::new(Uniform, move |_: &Bandit, arm: u8| weight(usize::from(arm)) as f32);
        let search =
            Mcts::new(Bandit::new(arms)).backprop(Average).rollout_policy(priors).tree_policy(Puct::new(c));
        follows(search, sized(2_500, 5_000), |arm, index, n| {
            let mean = if arm.pulls == 0.0 { 0.5 } else { arm.sum / arm.pulls };
            mean + f64::from(c) * weight(index) / sum * n.sqrt() / (1.0 + arm.pulls)
        });
    }
}

#[test]
fn thompson_sampling_finds_the_best_arm_and_keeps_trying_the_others() {
    for seed in 0..sized(2, 5) {
        let mut search = Mcts::new(Bandit::new(10)).backprop(Average).tree_policy(Thompson).seed(seed);
        let report = search.run(Budget::iterations(20_000)).expect("a sound game");
        assert_eq!(report.best_action(), 9, "{report}");
        assert!(visits(&report).iter().all(|&visits| visits >= 2), "{report}");
        assert!(report.actions[9].visits > 10_000, "{report}");
    }
}

#[test]
fn the_visits_of_the_children_sum_to_the_iterations_at_the_root_and_everywhere() {
    use crate::common::four::Connect4;
    let mut search = Mcts::new(Connect4::default()).backprop(Average);
    let mut made = 0;
    for iterations in [1, 2, 30, 1_000, 10_000] {
        let report = search.run(Budget::iterations(iterations)).expect("a sound game");
        made += iterations;
        assert_eq!(report.iterations, iterations);
        assert_eq!(u64::from(report.root_visits), made);
        assert_eq!(visits(&report).iter().map(|&visits| u64::from(visits)).sum::<u64>(), made);
    }
    let mut pending = Vec::from_iter(search.tree().root());
    while let Some(node) = pending.pop() {
        let children = Vec::from_iter(node.children());
        let below: u32 = children.iter().map(|child| child.visits()).sum();
        assert!(children.is_empty() || node.action().is_none() || below == node.visits() - 1);
        pending.extend(children);
    }
}

#[test]
fn means_of_rewards_that_are_not_binary_fractions_do_not_drift() {
    #[derive(Clone)]
    struct Constant(f64, bool);
    impl GameState for Constant {
        type Action = ();
        fn turn(&self) -> Turn {
            if self.1 { Turn::Over } else { Turn::Player(0) }
        }
        fn actions(&self) -> impl IntoIterator<Item = ()> {
            (!self.1).then_some(())
        }
        fn apply(&mut self, (): ()) {
            self.1 = true;
        }
        fn reward(&self, _: Player) -> f64 {
            self.0
        }
        fn players(&self) -> u8 {
            1
        }
    }
    let (many, some) = sized((100_000, 20_000), (100_000_000, 3_000_000));
    for (reward, count) in
        [(0.9, many), (0.99, many), (0.1, some), (1.0 / 3.0, some), (1e-7, some), (1.0, some)]
    {
        let report = Mcts::new(Constant(reward, false)).run(Budget::iterations(count)).expect("a sound game");
        let error = (f64::from(report.actions[0].mean) - reward).abs();
        assert!(error < 1e-7, "{reward}: off by {error}");
    }
}
