//! Simulation: what a leaf is worth, by a rollout or by an evaluation. One policy a file; this one has the trait they
//! implement and what it is given. Uses `game` only.

mod alternatives;
mod best_line;
mod cutoff;
mod decisive;
mod epsilon_greedy;
mod evaluate;
mod evaluation_priors;
mod gibbs;
mod grams;
mod last_good_reply;
mod mast;
mod means;
mod mixed;
mod nst;
mod numbered;
mod ppa;
mod several;
mod softmax;
#[cfg(test)]
mod tests;
mod trace;
mod uniform;
mod with_priors;

pub use alternatives::Alternatives;
pub use best_line::{BestLine, WholeLine};
pub use cutoff::Cutoff;
pub use decisive::Decisive;
pub use epsilon_greedy::EpsilonGreedy;
pub use evaluate::{Evaluate, Evaluator, Priors};
pub use evaluation_priors::EvaluationPriors;
pub(crate) use evaluation_priors::value_after;
pub use last_good_reply::LastGoodReply;
pub use mast::Mast;
pub use mixed::Mixed;
pub use nst::Nst;
pub use numbered::Numbered;
pub(crate) use numbered::checked_index;
pub use ppa::Ppa;
pub use several::Several;
pub use softmax::Softmax;
pub(crate) use trace::mover;
pub use trace::{History, Trace};
pub use uniform::Uniform;
pub use with_priors::WithPriors;

use crate::game::{GameFault, GameState, Player, Rewards, Rng, Turn};
use crate::parameter::ParameterError;

/// The longest rollout, in actions, before the game is said not to end.
pub const MAX_ROLLOUT: u32 = 1_000_000;

/// Simulation: the worth of a leaf, by a rollout or by an evaluation.
///
/// **Who needs it:** every search has one; [`Uniform`] unless told otherwise. To choose the actions of rollouts
/// yourself, write [`choose`](Self::choose); to end them in another way, [`simulate`](Self::simulate). To value positions
/// without a rollout, implement [`Evaluator`] and use [`Evaluate`].
///
/// ```
/// use ramure::prelude::*;
/// use ramure::simulation::{Leaf, Trace};
/// use ramure::GameFault;
///
/// /// Plays the first legal action, every time.
/// struct First;
///
/// impl<G: GameState> RolloutPolicy<G> for First {
///     type Trace = ();
///
///     fn choose(&mut self, leaf: &Leaf<G, impl Trace<G>>, _: &mut Rng) -> Result<Option<G::Action>, GameFault> {
///         Ok(leaf.state().actions().into_iter().next())
///     }
/// }
///
/// let report = Mcts::new(ramure::games::TicTacToe::new()).rollout_policy(First).run(Budget::iterations(100))?;
/// assert_eq!(report.iterations, 100);
/// # Ok::<(), SearchError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a rollout policy for `{G}`",
    label = "not a rollout policy for this game",
    note = "implement `RolloutPolicy<{G}>`; for a function that values positions use `Evaluate::by(|state: &{G}, actions, priors| ..)`"
)]
pub trait RolloutPolicy<G: GameState> {
    /// What this policy must know of each iteration in order to learn; `()` for nothing.
    type Trace: Trace<G>;

    /// The action of the player to move, in a rollout that has come to `leaf`. `None` only if there is none. \[Default: any,
    /// all equally likely\]
    ///
    /// # Errors
    ///
    /// What is wrong with the game.
    #[inline(always)]
    fn choose(
        &mut self,
        leaf: &Leaf<G, impl Trace<G>>,
        rng: &mut Rng,
    ) -> Result<Option<G::Action>, GameFault> {
        Ok(leaf.state().random_action(rng))
    }

    /// The rewards of all players, from `leaf` on. \[Default: those of the game played to its end by [`choose`](Self::choose)\]
    ///
    /// # Errors
    ///
    /// What is wrong with the game. The iteration is then dropped, and the tree stays as it was before it.
    #[inline(always)]
    fn simulate(&mut self, leaf: &mut Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Rewards, GameFault> {
        leaf.play_out(rng, |leaf, rng| self.choose(leaf, rng))
    }

    /// Learns from a finished iteration, which ended with `rewards`. \[Default: nothing\]
    #[inline(always)]
    fn learn(&mut self, trace: &Self::Trace, rewards: &Rewards) {
        let _ = (trace, rewards);
    }

    /// Whether the parameters are in their ranges: asked at the start of every run. \[Default: yes\]
    ///
    /// # Errors
    ///
    /// The parameter that is not.
    fn check(&self) -> Result<(), ParameterError> {
        Ok(())
    }
}

/// The state that an iteration has come to, handed to the simulation as its leaf, and the trace of what was played.
#[derive(Clone)]
pub struct Leaf<G: GameState, T> {
    state: G,
    trace: T,
    ply: u32,
    /// Whether all actions must be counted, so that rollouts take no shortcut.
    counts: bool,
    value: Option<Rewards>,
}

impl<G: GameState, T: Trace<G>> Leaf<G, T> {
    /// At the root of a search; `counts` if somebody asks for the length of games.
    pub(crate) fn new(root: &G, counts: bool) -> Self {
        Leaf { state: root.clone(), trace: T::default(), ply: 0, counts, value: None }
    }

    /// Back to the root, for a new iteration.
    #[inline(always)]
    pub(crate) fn restart(&mut self, root: &G) {
        self.state.clone_from(root);
        self.trace.restart();
        (self.ply, self.value) = (0, None);
    }

    /// Keeps the value that came with the priors of this state.
    #[inline(always)]
    pub(crate) fn set_value(&mut self, value: Option<Rewards>) {
        self.value = value;
    }

    #[inline(always)]
    pub(crate) fn trace(&self) -> &T {
        &self.trace
    }

    /// What an evaluator that gave priors for this very state said of its value, if one did.
    #[inline(always)]
    pub fn value(&self) -> Option<Rewards> {
        self.value
    }

    /// The state now.
    #[inline(always)]
    pub fn state(&self) -> &G {
        &self.state
    }

    /// How many actions the state is away from the root of the search.
    #[inline(always)]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The actions that the players played in this iteration, from the root of the search to this state, each with the player:
    /// for a rollout policy whose trace keeps them, as [`History`] does.
    #[inline(always)]
    pub fn played(&self) -> &[(Player, G::Action)] {
        self.trace.actions()
    }

    /// Plays one legal action and notes it in the trace.
    ///
    /// # Errors
    ///
    /// What the trace finds wrong with the action.
    #[inline(always)]
    pub fn apply(&mut self, action: G::Action) -> Result<(), GameFault> {
        self.trace.record(&self.state, action)?;
        self.state.apply(action);
        self.ply = self.ply.wrapping_add(1);
        Ok(())
    }

    /// Plays random actions to the end of the game; by the game's own shortcut, [`GameState::random_rollout`], if the trace
    /// notes nothing and nobody asks for the length of games.
    ///
    /// # Errors
    ///
    /// As [`play_out`](Self::play_out).
    #[inline(always)]
    pub fn play_out_at_random(&mut self, rng: &mut Rng) -> Result<Rewards, GameFault> {
        if !T::NOTES && !self.counts {
            self.state.random_rollout(rng);
        }
        self.play_out(rng, |leaf, rng| Ok(leaf.state().random_action(rng)))
    }

    /// Plays to the end of the game: `choose` picks the players' actions, [`GameState::random_action`] draws for
    /// chance.
    ///
    /// # Errors
    ///
    /// No action in a running game, a reward out of range, no end within [`MAX_ROLLOUT`] actions, or what `choose`
    /// says.
    #[inline(always)]
    pub fn play_out(
        &mut self,
        rng: &mut Rng,
        choose: impl FnMut(&Self, &mut Rng) -> Result<Option<G::Action>, GameFault>,
    ) -> Result<Rewards, GameFault> {
        match self.play_on(MAX_ROLLOUT, rng, choose)? {
            true => Rewards::of(&self.state),
            false => Err(GameFault::Endless { limit: MAX_ROLLOUT }),
        }
    }

    /// Plays at most `actions` actions, as [`play_out`](Self::play_out) does; whether the game is over then.
    ///
    /// # Errors
    ///
    /// No action in a running game, or what `choose` says.
    #[inline(always)]
    pub fn play_on(
        &mut self,
        actions: u32,
        rng: &mut Rng,
        mut choose: impl FnMut(&Self, &mut Rng) -> Result<Option<G::Action>, GameFault>,
    ) -> Result<bool, GameFault> {
        for _ in 0..actions {
            let action = match self.state.turn() {
                Turn::Over => return Ok(true),
                Turn::Chance => self.state.random_action(rng),
                Turn::Player(_) => choose(self, rng)?,
            };
            match action {
                Some(action) => self.apply(action)?,
                None => return Err(why_no_action(&self.state)),
            }
        }
        Ok(self.state.turn() == Turn::Over)
    }
}

/// Why a running game gave no random action.
#[cold]
pub(crate) fn why_no_action<G: GameState>(state: &G) -> GameFault {
    match state.turn() {
        Turn::Chance => {
            check_weights(state, &Vec::from_iter(state.actions())).err().unwrap_or(GameFault::NoActions)
        }
        _ => GameFault::NoActions,
    }
}

/// Whether the weights of the outcomes of a chance state are probabilities that sum to one.
pub(crate) fn check_weights<G: GameState>(state: &G, outcomes: &[G::Action]) -> Result<(), GameFault> {
    let mut sum = 0.0;
    for (index, &outcome) in outcomes.iter().enumerate() {
        let weight = state.weight(outcome);
        if !(0.0..=1.0 + crate::game::WEIGHT_TOLERANCE).contains(&weight) {
            return Err(GameFault::Weight { index, weight });
        }
        sum += weight;
    }
    let sums_to_one = (sum - 1.0).abs() <= crate::game::WEIGHT_TOLERANCE;
    if sums_to_one || outcomes.is_empty() { Ok(()) } else { Err(GameFault::WeightSum { sum }) }
}
