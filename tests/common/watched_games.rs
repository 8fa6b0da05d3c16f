//! Rollout policies that record the actions of others.

use ramure::prelude::*;
use ramure::simulation::{History, Leaf, Trace};
use ramure::{Expansion, GameFault, ParameterError, Player, Rewards};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Actions, each with its player.
pub type Line<A> = [(Player, A)];

/// Observes a rollout policy `R`.
pub trait Watch<G: GameState, R> {
    /// The policy chose `action` in `state`, after the actions `played` since the root.
    fn chose(&mut self, policy: &R, state: &G, played: &Line<G::Action>, action: G::Action) {
        let _ = (policy, state, played, action);
    }

    /// The policy has learned from an iteration.
    fn learned(&mut self, policy: &R, played: &Line<G::Action>, rewards: &Rewards) {
        let _ = (policy, played, rewards);
    }
}

/// Plays rollouts with the actions of `R`, observed by `W`.
pub struct Watched<R, W> {
    policy: R,
    watch: Rc<RefCell<W>>,
}

impl<R, W> Watched<R, W> {
    pub fn new(policy: R, watch: &Rc<RefCell<W>>) -> Self {
        Watched { policy, watch: watch.clone() }
    }
}

impl<G: GameState, R: RolloutPolicy<G>, W: Watch<G, R>> RolloutPolicy<G> for Watched<R, W> {
    type Trace = (History<G::Action>, R::Trace);

    fn choose(&self, leaf: &Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Option<G::Action>, GameFault> {
        let chosen = self.policy.choose(leaf, rng)?;
        if let Some(action) = chosen.clone() {
            self.watch.borrow_mut().chose(&self.policy, leaf.state(), leaf.played(), action);
        }
        Ok(chosen)
    }
    fn learn(&mut self, trace: &Self::Trace, rewards: &Rewards) {
        self.policy.learn(&trace.1, rewards);
        self.watch.borrow_mut().learned(&self.policy, trace.0.actions(), rewards);
    }
    fn check(&self) -> Result<(), ParameterError> {
        self.policy.check()
    }
}

/// Checks whether draws follow their probabilities, which may differ from draw to draw.
#[derive(Default)]
pub struct Draws {
    /// For each place, the number of draws above the expected number, and the variance of that excess.
    excess: BTreeMap<usize, (f64, f64)>,
    pub count: u32,
}

impl Draws {
    /// Records that the place `drawn` came up, when the places had these probabilities.
    pub fn add(&mut self, drawn: usize, probabilities: &[f64]) {
        assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{probabilities:?}");
        assert!(probabilities[drawn] > 0.0, "{drawn} is impossible: {probabilities:?}");
        for (place, &p) in probabilities.iter().enumerate() {
            let (excess, variance) = self.excess.entry(place).or_default();
            *excess += f64::from(u8::from(place == drawn)) - p;
            *variance += p * (1.0 - p);
        }
        self.count += 1;
    }

    /// Panics if some place came up more than six standard deviations too often or too rarely. The excess is
    /// a martingale. If its variance is above 25, it is nearly normal, so fair draws fail with a probability
    /// of 2e-9 for each place.
    pub fn assert_fair(&self) {
        assert!(self.count >= 500, "only {} draws", self.count);
        for (place, &(excess, variance)) in &self.excess {
            assert!(
                excess.abs() <= 6.0 * variance.max(25.0).sqrt(),
                "{place}: {excess} of variance {variance}"
            );
        }
    }
}

/// The number of actions of each iteration, and its rewards.
#[derive(Default)]
pub struct Ends(pub Vec<(usize, Rewards)>);

impl<G: GameState, R> Watch<G, R> for Ends {
    fn learned(&mut self, _: &R, played: &Line<G::Action>, rewards: &Rewards) {
        self.0.push((played.len(), *rewards));
    }
}

/// Searches `root` so that all rollouts begin one action below it.
pub fn shallow<G: GameState, R: RolloutPolicy<G>>(
    root: G,
    policy: R,
    iterations: u64,
) -> Result<ramure::Report<G::Action>, SearchError> {
    let search = Mcts::new(root).rollout_policy(policy).expansion(Expansion::default().on_visit(u32::MAX));
    search.seed(5).run(Budget::iterations(iterations))
}
