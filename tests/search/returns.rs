//! What the returns of a plan count: each estimate once, and each reward as it was drawn, whatever it is.
#![expect(clippy::disallowed_methods, reason = "an oracle needs no reproducible power")]

use crate::common::plans::{Answers, AnyPlan, Grid, Plan};
use crate::common::sized;
use ramure::Simulator;
use ramure::prelude::*;
use ramure::search::Planning;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};

/// One step after another earns `reward`. The rest is estimated as `estimate`.
#[derive(Clone, Copy, Hash)]
struct Rest {
    reward: i32,
    estimate: i32,
}

impl Simulator for Rest {
    type Action = ();
    type Reward = f64;

    fn actions(&self) -> impl IntoIterator<Item = ()> {
        [()]
    }
    fn step(&mut self, (): (), _: &mut Rng) -> f64 {
        self.reward.into()
    }
    fn estimate(&self) -> Option<f64> {
        Some(self.estimate.into())
    }
}

/// With the discount 0.8, the estimate of five times the reward is exact: x = r + 0.8 x. So each return is the
/// estimate, wherever it is asked for.
#[test]
fn an_estimate_counts_once() {
    for reward in [-2, 4] {
        let estimate = 5 * reward;
        for (horizon, iterations) in [1, 2, 3, 7].into_iter().flat_map(|h| [1, 2, 3, 20, 200].map(|n| (h, n)))
        {
            let plan = Planning::new(AnyPlan::new(Rest { reward, estimate })).discount(0.8).horizon(horizon);
            let budget = Budget::iterations(iterations);
            let closed = Mcts::new(plan.clone()).run(budget).expect("a sound simulator");
            let open = Mcts::new(plan.open_loop()).run(budget).expect("a sound simulator");
            for mean in [closed.chosen_action().unwrap().mean, open.chosen_action().unwrap().mean] {
                let is_right = (mean - estimate as f32).abs() < 1e-4;
                assert!(is_right, "reward {reward}, horizon {horizon}, {iterations} iterations: {mean}");
            }
        }
    }
}

/// A simulator to whose rewards a number from `-noise` to `noise` is added.
#[derive(Clone, Copy)]
struct Noisy<M> {
    state: M,
    noise: f64,
}

impl<M: Hash> Hash for Noisy<M> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.state.hash(hasher);
    }
}

impl<M: Simulator<Reward = f64>> Simulator for Noisy<M> {
    type Action = M::Action;
    type Reward = f64;

    fn actions(&self) -> impl IntoIterator<Item = M::Action> {
        self.state.actions()
    }
    fn step(&mut self, action: M::Action, rng: &mut Rng) -> f64 {
        self.state.step(action, rng) + self.noise * (2.0 * rng.unit() - 1.0)
    }
    fn is_over(&self) -> bool {
        self.state.is_over()
    }
}

/// Eight steps to the left or to the right. All to the right earn 1 at the end.
#[derive(Clone, Copy, Hash)]
struct Walk {
    steps: u8,
    right: u8,
}

impl Simulator for Walk {
    type Action = bool;
    type Reward = f64;

    fn actions(&self) -> impl IntoIterator<Item = bool> {
        [false, true]
    }
    fn step(&mut self, right: bool, _: &mut Rng) -> f64 {
        self.steps += 1;
        self.right += u8::from(right);
        f64::from(u8::from(self.right == 8))
    }
    fn is_over(&self) -> bool {
        self.steps == 8
    }
}

/// With an outcome for each reward, 11 of 20 seeds found the way.
#[test]
fn noise_on_rewards_hides_no_way() {
    let seeds = sized(10, 20);
    let found = (0..seeds).filter(|&seed| {
        let plan = Planning::new(AnyPlan::new(Noisy { state: Walk { steps: 0, right: 0 }, noise: 0.5 }));
        Mcts::new(plan).seed(seed).run(Budget::iterations(2_000)).expect("sound").best_action().action == 1
    });
    let found = found.count() as u64;
    assert!(found + 1 >= seeds, "{found} of {seeds}");
}

/// The list of outcomes, from which value iteration computes the exact answers, knows nothing of noise.
#[test]
fn the_state_alone_names_an_outcome() {
    let (start, answers) = (Grid::START, Answers::new(Grid::START, 0.95));
    let plan = |state, noise| Planning::new(Noisy { state, noise }).discount(0.95).horizon(40);
    let budget = Budget::iterations(sized(2_000, 10_000));
    for noise in [0.0, 5.0] {
        let mut search = Mcts::new(plan(start, noise));
        search.run(budget).expect("a sound simulator");
        let root = search.tree().root().expect("a tree");
        for choice in root.children() {
            let action = choice.action().expect("no root").action;
            let listed: HashSet<Grid> = start.outcomes(action).into_iter().map(|(_, next, _)| next).collect();
            let met: Vec<Grid> = choice.children().map(|child| child.state().simulator().state).collect();
            assert_eq!(met.len(), listed.len(), "{action}: {met:?}");
            assert_eq!(HashSet::from_iter(met), listed);
        }
    }
    let choose = |&state: &Grid| Mcts::new(plan(state, 5.0)).run(budget).expect("sound").best_action().action;
    let lost = answers.regret(choose);
    assert!((-1e-6..3.0).contains(&lost), "{lost} %");
}

/// 2 000 draws from -1 to 1 have a mean of 0 ± 0.013. One that was stored would be any of them.
#[test]
fn rewards_are_drawn_anew_at_each_visit() {
    let plan = Planning::new(AnyPlan::new(Noisy { state: Rest { reward: 0, estimate: 0 }, noise: 1.0 }));
    for (horizon, seed) in [(1, 1), (3, 2), (3, 3)] {
        let mut search = Mcts::new(plan.clone().horizon(horizon)).seed(seed);
        let mean = search.run(Budget::iterations(2_000)).expect("sound").chosen_action().unwrap().mean;
        assert!(mean.abs() < 0.1, "{horizon}: {mean}");
    }
}

/// Earns 1 a step, for ever.
#[derive(Clone, Copy, Hash)]
struct Wage;

impl Simulator for Wage {
    type Action = ();
    type Reward = f64;

    fn actions(&self) -> impl IntoIterator<Item = ()> {
        [()]
    }
    fn step(&mut self, (): (), _: &mut Rng) -> f64 {
        1.0
    }
}

/// With the discount 10^(-2/n), a reward is worth 1/100 after n steps; a little more, and it takes another step.
#[test]
fn the_default_horizon_is_where_a_reward_is_worth_a_hundredth() {
    let mean = |discount: f64| {
        let report =
            Mcts::new(Planning::new(AnyPlan::new(Wage)).discount(discount)).run(Budget::iterations(1));
        f64::from(report.expect("a sound simulator").chosen_action().unwrap().mean)
    };
    for steps in 1..=60 {
        for (more, least) in [(0.0, steps), (1e-6, steps + 1), (-1e-6, steps)] {
            let discount = 0.1_f64.powf(2.0 / f64::from(steps)) + more;
            let wages: f64 = (0..least).map(|step| discount.powi(step)).sum();
            assert!((mean(discount) - wages).abs() < 1e-4, "{steps} {more}: {} and {wages}", mean(discount));
        }
    }
    assert!((mean(0.1) - 1.1).abs() < 1e-6);
}
