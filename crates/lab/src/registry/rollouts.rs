//! The rollouts that texts can name, in one list, which is one type.

use super::able::{Full, Noted};
use super::error::ReadError;
use super::lists::any;
use super::notes::{Kept, Notes, Shown};
use super::packed::PriorWords;
use super::parameters::Parameters;
use super::settings::ABOVE_0;
use ramure::simulation::{
    Cutoff, Decisive, EpsilonGreedyRollouts, EvaluationPriors, LastGoodReply, Leaf, Mast, Mixed,
    MultipleRollouts, Nst, Ppa, Priors, RolloutPolicy, Softmax, Trace, Uniform,
};
use ramure::statistics::{Pack, Prior, Statistics};
use ramure::{BoxError, GameFault, GameState, ParameterError, Player, Rewards, Rng, Turn};
use std::sync::Arc;

/// A heuristic value of an action.
type Heuristic<G> = fn(&G, <G as GameState>::Action) -> f32;

any! {
    /// Any rollout policy.
    AnyRollout making MakeRollout, matched by each;
    Uniform: Uniform = "uniform", "random actions to the end" => Uniform;
    Cutoff: Cutoff = "cutoff" needs Evaluation, "random actions, then the static evaluation"
        => Cutoff::new(u32::try_from(actions).unwrap_or(u32::MAX)), |p|
        // No rollout reaches the greatest `u32`, so saturating loses nothing.
        actions = p.count("actions", "the most actions of a rollout", 8, 0..)?;
    CutoffAtRandom: Cutoff = "cutoff-random" needs Evaluation, "cutoff at a random length"
        => Cutoff::with_probability(probability), |p|
        probability = p.number("probability", "the probability of ending before an action", 0.1, 0.0..=1.0)?;
    CutoffDecided: Cutoff = "cutoff-decided" needs Evaluation, "cutoff once the evaluation is decided"
        => Cutoff::when_decided(margin).every(every), |p|
        margin = p.number("margin", "the distance from 1/2 that decides", 0.3, 0.0..=0.5)?,
        every = p.count("every", "evaluates once in this many actions", 1, 1..=1_000_000)? as u32;
    Evaluation: Cutoff = "evaluation" needs Evaluation, "no rollout, the static evaluation" => Cutoff::new(0);
    EpsilonGreedy: EpsilonGreedyRollouts<Heuristic<G>> = "epsilon-greedy" needs Evaluation,
        "mostly the action that the evaluation rates best"
        => EpsilonGreedyRollouts::new(epsilon, by_evaluation::<G> as Heuristic<G>), |p|
        epsilon = p.number("epsilon", "the probability of a random action", 0.1, 0.0..=1.0)?;
    Softmax: Softmax<Heuristic<G>> = "softmax" needs Evaluation, "actions drawn by exp(evaluation / tau)"
        => Softmax::new(tau, by_evaluation::<G> as Heuristic<G>), |p|
        tau = p.number("tau", "the temperature", 0.1, ABOVE_0)?;
    Decisive: Decisive = "decisive", "plays an immediate win, otherwise random actions"
        => if anti { Decisive::new().anti() } else { Decisive::new() }, |p|
        anti = p.flag("anti", "also prevents an immediate win of the next player", false)?;
    Mast: Mast = "mast" needs Numbers, "prefers actions that did well in other iterations" => Mast::new(epsilon), |p|
        epsilon = p.number("epsilon", "the probability of a random action", 0.4, 0.0..=1.0)?;
    MastGibbs: Mast = "mast-gibbs" needs Numbers, "MAST with Gibbs sampling" => Mast::gibbs(tau), |p|
        tau = p.number("tau", "the temperature", 0.1, ABOVE_0)?;
    Nst: Nst = "nst" needs Numbers, "prefers actions that did well after the latest actions"
        => Nst::new(longest, epsilon).k(k), |p|
        longest = p.count("longest", "the longest n-gram", 3, 2..=3)? as usize,
        k = p.count("k", "the iterations from which a longer n-gram counts", 7, 1..=1_000_000)? as u32,
        epsilon = p.number("epsilon", "the probability of a random action", 0.4, 0.0..=1.0)?;
    LastGoodReply: LastGoodReply<<G as GameState>::Action> = "lgr" needs Numbers, "repeats replies that won"
        => if forgets { LastGoodReply::forgetting(actions) } else { LastGoodReply::new(actions) }, |p|
        actions = p.count("actions", "how many previous actions a reply answers", 2, 1..=2)? as usize,
        forgets = p.flag("forgets", "forgets replies that lost", true)?;
    Ppa: Ppa = "ppa" needs Numbers, "learns weights of actions from the winner" => Ppa::new(alpha), |p|
        alpha = p.number("alpha", "the step", 1.0, 0.0..=1000.0)?;
    MultipleRollouts: MultipleRollouts<Uniform> = "multiple", "several random rollouts from each leaf"
        => MultipleRollouts::new(rollouts, Uniform), |p|
        rollouts = p.count("rollouts", "the number of rollouts", 4, 1..=1_000_000)? as u32;
    Mixed: Mixed<Cutoff, Uniform> = "mixed" needs Evaluation, "the static evaluation mixed with a rollout"
        => Mixed::new(Cutoff::new(0), Uniform).lambda(lambda), |p|
        lambda = p.number("lambda", "the share of the rollout", 0.5, 0.0..=1.0)?;
}

/// The evaluation of the state after `action` for the player to move, or its reward if the game is over there.
fn value_after<G: Full>(state: &G, action: G::Action) -> Result<f64, GameFault> {
    let Turn::Player(player) = state.turn() else { return Err(GameFault::NoActions) };
    let mut next = state.clone();
    next.apply(action);
    let is_over = next.turn() == Turn::Over;
    match if is_over { next.reward(player) } else { next.evaluate(player) } {
        value if (0.0..=1.0).contains(&value) => Ok(value),
        reward if is_over => Err(GameFault::Reward { player, reward }),
        value => Err(GameFault::Evaluation { player, value }),
    }
}

/// The evaluation of the state after `action`, as a heuristic. A heuristic cannot return an error, so a wrong
/// evaluation is NaN, and [`of_evaluation`] finds the fault.
fn by_evaluation<G: Full>(state: &G, action: G::Action) -> f32 {
    value_after(state, action).map_or(f32::NAN, |value| value as f32)
}

/// Translates a fault in `state`: if a heuristic is NaN, returns the fault of the evaluation, since
/// heuristics by text are always evaluations.
#[cold]
fn of_evaluation<G: Full>(state: &G, fault: GameFault) -> GameFault {
    let GameFault::Heuristic { index } = fault else { return fault };
    let action = state.actions().into_iter().nth(index);
    action.and_then(|action| value_after(state, action).err()).unwrap_or(fault)
}

/// A rollout policy that was read.
pub(super) struct MakeRollout<G: Full> {
    pub make: Arc<dyn Fn() -> AnyRollout<G> + Send + Sync>,
    pub noted: Noted,
}

impl<G: Full> MakeRollout<G> {
    fn of<R: RolloutPolicy<G, Trace: Kept<G>> + 'static>(
        _: &mut Parameters,
        make: impl Fn() -> R + Send + Sync + 'static,
        wrap: fn(R) -> AnyRollout<G>,
    ) -> Result<Self, ReadError> {
        make().check()?;
        Ok(MakeRollout { make: Arc::new(move || wrap(make())), noted: R::Trace::NOTED })
    }
}

impl<G: Full> RolloutPolicy<G> for AnyRollout<G> {
    type Trace = Notes<G::Action, true>;

    #[inline(always)]
    fn choose(&self, leaf: &Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Option<G::Action>, GameFault> {
        each!(self, policy => policy.choose(leaf, rng))
    }

    #[inline(always)]
    fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Rewards, GameFault> {
        each!(self, policy => simulate(policy, leaf, rng))
    }

    #[inline(always)]
    fn learn(&mut self, notes: &Self::Trace, rewards: &Rewards) {
        each!(self, policy => RolloutPolicy::<G>::learn(policy, Shown::<G>::of(notes), rewards));
    }

    fn learns(&self) -> bool {
        each!(self, policy => RolloutPolicy::<G>::learns(policy))
    }

    fn check(&self) -> Result<(), ParameterError> {
        each!(self, policy => RolloutPolicy::<G>::check(policy))
    }
}

/// Calls one policy in a function of its own, which all loops share.
#[inline(never)]
fn simulate<G: Full>(
    policy: &impl RolloutPolicy<G>,
    leaf: &mut Leaf<G, impl Trace<G>>,
    rng: &mut Rng,
) -> Result<Rewards, GameFault> {
    policy.simulate(leaf, rng).map_err(|fault| of_evaluation(leaf.state(), fault))
}

/// Writes the statistics of new children for a policy that reads priors, from the priors and the value of the
/// node.
pub(super) type Initialize<G> = fn(
    &EvaluationPriors<AnyRollout<G>>,
    Player,
    &[f32],
    Option<&Rewards>,
    &mut [PriorWords],
) -> Result<(), GameFault>;

/// Writes the statistics as an `S`.
pub(super) fn initialize<G: Full, S: Pack + Statistics<G, EvaluationPriors<AnyRollout<G>>>>(
    rollouts: &EvaluationPriors<AnyRollout<G>>,
    player: Player,
    priors: &[f32],
    value: Option<&Rewards>,
    stats: &mut [PriorWords],
) -> Result<(), GameFault> {
    let mut own = vec![S::default(); stats.len()];
    S::initialize(rollouts, player, priors, value, &mut own)?;
    stats.iter_mut().zip(own).for_each(|(stats, own)| *stats = PriorWords::of(own));
    Ok(())
}

/// Any rollout policy, with priors from the evaluation.
#[derive(Clone)]
pub(super) struct PriorRollouts<G: Full> {
    rollouts: EvaluationPriors<AnyRollout<G>>,
    initialize: Initialize<G>,
}

impl<G: Full> PriorRollouts<G> {
    /// `priors` has the function that writes the priors, and their temperature.
    pub fn new(rollout: AnyRollout<G>, priors: Option<(Initialize<G>, f64)>) -> Self {
        let (initialize, temperature) = priors.unwrap_or((initialize::<G, Prior>, 1.0));
        PriorRollouts { rollouts: EvaluationPriors::new(rollout, temperature), initialize }
    }
}

impl<G: Full> Statistics<G, PriorRollouts<G>> for PriorWords {
    type Trace = Notes<G::Action, false>;
    const INITIALIZES: bool = true;

    fn priors(
        rollout_policy: &PriorRollouts<G>,
        state: &G,
        actions: &[G::Action],
        priors: &mut [f32],
    ) -> Result<Option<Rewards>, BoxError> {
        rollout_policy.rollouts.priors(state, actions, priors)
    }

    fn initialize(
        rollout_policy: &PriorRollouts<G>,
        player: Player,
        priors: &[f32],
        value: Option<&Rewards>,
        stats: &mut [Self],
    ) -> Result<(), GameFault> {
        (rollout_policy.initialize)(&rollout_policy.rollouts, player, priors, value, stats)
    }

    fn prior(self) -> Option<f32> {
        PriorWords::prior(self)
    }

    fn promise(self) -> Option<f32> {
        Some(PriorWords::promise(self))
    }
}

impl<G: Full> RolloutPolicy<G> for PriorRollouts<G> {
    type Trace = Notes<G::Action, true>;

    #[inline(always)]
    fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Rewards, GameFault> {
        self.rollouts.simulate(leaf, rng)
    }

    #[inline(always)]
    fn learn(&mut self, notes: &Self::Trace, rewards: &Rewards) {
        self.rollouts.learn(notes, rewards);
    }

    fn learns(&self) -> bool {
        self.rollouts.learns()
    }

    fn check(&self) -> Result<(), ParameterError> {
        self.rollouts.check()
    }
}
