//! Simulation: estimates the value of a leaf, by a rollout or by an evaluation.
//!
//! Each file holds one policy. This file holds [`RolloutPolicy`], the trait that policies implement, and
//! [`Leaf`], which they are given. This module uses `game` only.

/// The methods of a [`RolloutPolicy`] that plays as its field `rollout_policy: R` does; all but `check`.
macro_rules! rollouts_of_inner {
    () => {
        type Trace = R::Trace;

        #[inline(always)]
        fn choose(
            &self,
            leaf: &Leaf<G, impl Trace<G>>,
            rng: &mut Rng,
        ) -> Result<Option<G::Action>, GameFault> {
            self.rollout_policy.choose(leaf, rng)
        }

        #[inline(always)]
        fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Rewards, GameFault> {
            self.rollout_policy.simulate(leaf, rng)
        }

        #[inline(always)]
        fn simulate_several(
            &self,
            leaf: &Leaf<G, impl Trace<G>>,
            rollouts: u32,
            rng: &mut Rng,
        ) -> Result<Option<Rewards>, GameFault> {
            self.rollout_policy.simulate_several(leaf, rollouts, rng)
        }

        #[inline(always)]
        fn batch_size(&self) -> usize {
            self.rollout_policy.batch_size()
        }

        #[inline(always)]
        fn simulate_batch<T: Trace<G>>(&self, batch: &mut [BatchLeaf<'_, G, T>]) {
            self.rollout_policy.simulate_batch(batch);
        }

        #[inline(always)]
        fn learn(&mut self, trace: &R::Trace, rewards: &Rewards) {
            self.rollout_policy.learn(trace, rewards);
        }

        #[inline(always)]
        fn learns(&self) -> bool {
            self.rollout_policy.learns()
        }
    };
}

/// The methods of [`Priors`] for a policy whose priors are those of this field.
macro_rules! priors_of_inner {
    ($field:ident) => {
        fn priors(
            &self,
            state: &G,
            actions: &[G::Action],
            priors: &mut [f32],
        ) -> Result<Option<Rewards>, $crate::BoxError> {
            self.$field.priors(state, actions, priors)
        }

        fn priors_batch(&self, batch: &mut [$crate::simulation::Position<'_, G>]) {
            self.$field.priors_batch(batch);
        }
    };
}

mod alternatives;
mod ask_tell;
mod batch;
mod best_line;
mod cutoff;
mod decisive;
mod epsilon_greedy_rollouts;
mod evaluate;
mod evaluation_priors;
mod gibbs;
mod grams;
mod last_good_reply;
mod leaf_error;
pub(crate) mod line_of_play;
mod mast;
mod means;
mod mixed;
mod multiple_rollouts;
mod nst;
mod numbered;
mod ppa;
#[cfg(feature = "save")]
mod saved;
mod softmax;
#[cfg(test)]
mod tests;
mod trace;
mod uniform;
mod with_priors;

pub use alternatives::Alternatives;
pub use ask_tell::AskTell;
pub(crate) use batch::evaluate_by;
pub use batch::{BatchLeaf, Position};
pub use best_line::BestLine;
pub use cutoff::Cutoff;
pub use decisive::Decisive;
pub use epsilon_greedy_rollouts::EpsilonGreedyRollouts;
pub use evaluate::{Evaluate, Evaluator, ForGame, FromFn, Priors};
pub use evaluation_priors::EvaluationPriors;
pub use last_good_reply::LastGoodReply;
pub(crate) use leaf_error::LeafError;
pub use mast::Mast;
pub use mixed::Mixed;
pub use multiple_rollouts::MultipleRollouts;
pub use nst::Nst;
pub use numbered::Numbered;
pub(crate) use numbered::checked_index;
pub use ppa::Ppa;
pub use softmax::Softmax;
pub use trace::{History, Trace};
pub(crate) use trace::{LAST_OF_LINE, LONGEST_LINE, Retraced, mover, shorten_line};
pub use uniform::Uniform;
pub use with_priors::WithPriors;

use crate::custom_error::BoxError;
use crate::game::{GameFault, GameState, Player, Rewards, Rng, Turn, fail, try_apply};
use crate::parameter::ParameterError;
use core::fmt;

/// The maximum length of a rollout, in actions. A longer game is reported as endless.
pub(crate) const MAX_ROLLOUT: u32 = 1_000_000;

/// A rollout policy: estimates the value of a leaf, by a rollout or by an evaluation.
///
/// **Who needs it:** every search has a rollout policy; the default is [`Uniform`]. To choose the actions of
/// rollouts yourself, implement [`choose`](Self::choose). To end rollouts in another way, implement
/// [`simulate`](Self::simulate). To evaluate positions without a rollout, implement [`Evaluator`] and use
/// [`Evaluate`].
///
/// A rollout policy changes only in [`learn`](Self::learn). While it simulates, it is shared: all that a
/// rollout changes is in its [`Leaf`] and in the random generator.
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
///     fn choose(&self, leaf: &Leaf<G, impl Trace<G>>, _: &mut Rng) -> Result<Option<G::Action>, GameFault> {
///         Ok(leaf.state().actions().into_iter().next())
///     }
/// }
///
/// let report = Mcts::new(ramure_games::TicTacToe::new()).rollout_policy(First).run(Budget::iterations(100))?;
/// assert_eq!(report.iterations, 100);
/// # Ok::<(), SearchError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a rollout policy for `{G}`",
    label = "not a rollout policy for this game",
    note = "implement `RolloutPolicy<{G}>`; to use a function that evaluates positions, write `Evaluate::by(|state: &{G}, actions, priors| ..)`",
    note = "an `Evaluator<{G}>` becomes one by `Evaluate::new(my_evaluator)`"
)]
pub trait RolloutPolicy<G: GameState> {
    /// The trace of each iteration that this policy learns from; `()` for none.
    type Trace: Trace<G>;

    /// Returns the action of the player to move, in a rollout that has reached `leaf`. Returns `None` only if
    /// there is no legal action. \[Default: a uniformly random action\]
    ///
    /// # Errors
    ///
    /// Returns a [`GameFault`] if something is wrong with the game or with a heuristic. To return an error of
    /// your own, pass it to [`Leaf::fail`].
    #[inline(always)]
    fn choose(&self, leaf: &Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Option<G::Action>, GameFault> {
        Ok(leaf.state().random_action(rng))
    }

    /// Returns the rewards of all players, starting from `leaf`. \[Default: plays the game to its end by
    /// [`choose`](Self::choose)\]
    ///
    /// # Errors
    ///
    /// Returns a [`GameFault`] if something is wrong with the game, an evaluation or a heuristic. The
    /// iteration is then dropped, and no statistic changes. To return an error of your own, pass it to
    /// [`Leaf::fail`].
    #[inline(always)]
    fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Rewards, GameFault> {
        leaf.play_out(rng, |leaf, rng| self.choose(leaf, rng))
    }

    /// Returns the mean rewards of several rollouts from `leaf`, or `None` to have them played one by one.
    /// [`MultipleRollouts`] asks for this, except where the search needs the actions of
    /// rollouts. Override it if you can play a batch of rollouts faster than one at a time.
    /// \[Default: `None`\]
    ///
    /// # Errors
    ///
    /// Returns a [`GameFault`] as [`simulate`](Self::simulate) does.
    #[inline(always)]
    fn simulate_several(
        &self,
        leaf: &Leaf<G, impl Trace<G>>,
        rollouts: u32,
        rng: &mut Rng,
    ) -> Result<Option<Rewards>, GameFault> {
        let _ = (leaf, rollouts, rng);
        Ok(None)
    }

    /// Returns the most leaves that this policy simulates faster in one batch than one by one. With 1, each
    /// leaf goes to the next thread that is free. \[Default: 1\]
    fn batch_size(&self) -> usize {
        1
    }

    /// Simulates from all leaves of a `batch`, in a search with a [window](crate::Mcts::window). Override
    /// this and [`batch_size`](Self::batch_size) if you can evaluate a batch of leaves faster than one at a
    /// time. \[Default: [`simulate`](Self::simulate) for each\]
    ///
    /// Store a result for each leaf with [`BatchLeaf::simulate`]. The result of a leaf must not depend on the
    /// other leaves of the batch.
    #[inline(always)]
    fn simulate_batch<T: Trace<G>>(&self, batch: &mut [BatchLeaf<'_, G, T>]) {
        for entry in batch {
            entry.simulate(|leaf, rng| self.simulate(leaf, rng));
        }
    }

    /// Learns from a finished iteration, which ended with `rewards`. \[Default: does nothing\]
    ///
    /// Called if the policy [`learns`](Self::learns). In a search with a [window](crate::Mcts::window), it
    /// learns when the rewards of all leaves of the window have arrived.
    ///
    /// This policy remembers which reply to an action won last time, a sketch of
    /// [`LastGoodReply`]:
    ///
    /// ```
    /// use ramure::prelude::*;
    /// use ramure::simulation::{History, Leaf, Trace};
    /// use ramure::{ActionIndex, GameFault, Rewards};
    /// use ramure_games::Hex;
    ///
    /// struct Replies<G: ActionIndex> {
    ///     /// Indexed by player and by the action replied to.
    ///     replies: Vec<Option<G::Action>>,
    /// }
    ///
    /// impl<G: ActionIndex> Replies<G> {
    ///     fn new(players: usize) -> Self {
    ///         Replies { replies: vec![None; players * G::ACTION_COUNT] }
    ///     }
    ///     fn place(player: Player, action: G::Action) -> usize {
    ///         usize::from(player) * G::ACTION_COUNT + G::action_index(action)
    ///     }
    /// }
    ///
    /// impl<G: ActionIndex> RolloutPolicy<G> for Replies<G> {
    ///     type Trace = History<G::Action>;
    ///
    ///     fn choose(&self, leaf: &Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Option<G::Action>, GameFault> {
    ///         let state = leaf.state();
    ///         let Turn::Player(player) = state.turn() else { return Ok(None) };
    ///         let last = leaf.played().last();
    ///         let reply = last.and_then(|(_, last)| self.replies[Self::place(player, last.clone())].clone());
    ///         let legal = reply.filter(|reply| state.is_legal(reply.clone()));
    ///         Ok(legal.or_else(|| state.random_action(rng)))
    ///     }
    ///
    ///     fn learn(&mut self, trace: &History<G::Action>, rewards: &Rewards) {
    ///         for pair in trace.actions().windows(2) {
    ///             let [(_, action), (player, reply)] = pair else { continue };
    ///             let known = &mut self.replies[Self::place(*player, action.clone())];
    ///             if rewards[*player] > 0.5 {
    ///                 *known = Some(reply.clone());
    ///             } else if known.as_ref() == Some(reply) {
    ///                 *known = None; // the reply did not win this time
    ///             }
    ///         }
    ///     }
    /// }
    ///
    /// let mut search = Mcts::new(Hex::new(7)?).rollout_policy(Replies::new(2));
    /// search.run(Budget::iterations(1_000))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    fn learn(&mut self, trace: &Self::Trace, rewards: &Rewards) {
        let _ = (trace, rewards);
    }

    /// Returns whether this policy [learns](Self::learn). The answer must stay the same during a run. A policy
    /// that only has parameters may return `false`: in a window, its leaves need not wait for each other then.
    /// \[Default: whether it has any field\]
    #[inline(always)]
    fn learns(&self) -> bool
    where
        Self: Sized,
    {
        size_of::<Self>() > 0
    }

    /// Checks that the parameters are in their ranges. Called at the start of every run. \[Default: accepts
    /// all values\]
    ///
    /// # Errors
    ///
    /// Returns a [`ParameterError`] if a parameter is out of range.
    fn check(&self) -> Result<(), ParameterError> {
        Ok(())
    }
}

/// The leaf of an iteration as the simulation sees it: the state that the iteration has reached, and the
/// trace of the actions played.
pub struct Leaf<G, T> {
    state: G,
    trace: T,
    ply: u32,
    /// Whether all actions must be counted. Rollouts then cannot use the game's shortcut.
    counts: bool,
    value: Option<Rewards>,
    /// The seed of the guess of what is hidden.
    guess: Option<u64>,
}

impl<G: fmt::Debug, T: fmt::Debug> fmt::Debug for Leaf<G, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Leaf")
            .field("state", &self.state)
            .field("trace", &self.trace)
            .field("ply", &self.ply)
            .field("value", &self.value)
            .finish_non_exhaustive()
    }
}

impl<G: GameState, T: Trace<G>> Leaf<G, T> {
    /// Creates a leaf at the root of a search. `counts` is `true` if some part of the search needs the length
    /// of games.
    pub(crate) fn new(root: &G, counts: bool) -> Self {
        let (state, trace) = (root.clone(), T::default());
        Leaf { state, trace, ply: 0, counts, value: None, guess: None }
    }

    /// Returns a copy of this leaf.
    #[inline(always)]
    pub(crate) fn copy(&self) -> Self {
        Leaf { state: self.state.clone(), trace: self.trace.clone(), ..*self }
    }

    /// Creates a leaf at the root with another trace, and with the same guess.
    pub(crate) fn again<U: Trace<G>>(&self, root: &G, guess: impl FnOnce(&mut G, &mut Rng)) -> Leaf<G, U> {
        let mut again = Leaf::new(root, self.counts);
        again.restart(root);
        if let Some(seed) = self.guess {
            guess(&mut again.state, &mut Rng::seeded(seed));
        }
        again
    }

    /// Returns to the root for a new iteration.
    #[inline(always)]
    pub(crate) fn restart(&mut self, root: &G) {
        self.state.clone_from(root);
        self.trace.restart();
        (self.ply, self.value) = (0, None);
    }

    /// Replaces what is hidden in the root state by a guess. It has a seed of its own, so that it can be made
    /// again.
    #[inline(always)]
    pub(crate) fn guess(
        &mut self,
        rng: &mut Rng,
        guess: impl FnOnce(&mut G, &mut Rng) -> Result<(), GameFault>,
    ) -> Result<(), GameFault> {
        let seed = rng.bits();
        self.guess = Some(seed);
        guess(&mut self.state, &mut Rng::seeded(seed))
    }

    /// Transforms the state into the one that the tree stores.
    #[inline(always)]
    pub(crate) fn transform(&mut self, transform: impl FnOnce(&mut G)) {
        transform(&mut self.state);
    }

    /// Stores the value that came with the priors of this state.
    #[inline(always)]
    pub(crate) fn set_value(&mut self, value: Option<Rewards>) {
        self.value = value;
    }

    #[inline(always)]
    pub(crate) fn trace(&self) -> &T {
        &self.trace
    }

    /// Returns the value of this state, if an evaluator gave one together with the state's priors.
    #[inline(always)]
    pub fn value(&self) -> Option<Rewards> {
        self.value
    }

    /// Reports that a policy or an evaluator failed with an error of its own. Return the fault that this
    /// returns.
    ///
    /// The run then ends with [`SearchError::Failed`](crate::SearchError::Failed), whose
    /// [`source`](core::error::Error::source) is `error`. If `error` is a [`GameFault`], the run ends with
    /// that fault.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// use ramure::{GameFault, Rewards};
    /// use ramure::simulation::{Leaf, RolloutPolicy, Trace};
    /// use std::error::Error;
    ///
    /// /// Reads the value of each position from a file.
    /// struct FromFile;
    ///
    /// impl<G: GameState> RolloutPolicy<G> for FromFile {
    ///     type Trace = ();
    ///
    ///     fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, _: &mut Rng) -> Result<Rewards, GameFault> {
    ///         let text = std::fs::read_to_string("no such file").map_err(|error| leaf.fail(error))?;
    ///         let value: f32 = text.parse().map_err(|error: std::num::ParseFloatError| leaf.fail(error))?;
    ///         Ok(Rewards::new(2, |_| value))
    ///     }
    /// }
    ///
    /// let mut search = Mcts::new(ramure_games::TicTacToe::new()).rollout_policy(FromFile);
    /// let error = search.run(Budget::iterations(100)).unwrap_err();
    /// assert!(error.source().unwrap().is::<std::io::Error>());
    /// ```
    #[cold]
    pub fn fail(&self, error: impl Into<BoxError>) -> GameFault {
        match error.into().downcast::<GameFault>() {
            Ok(fault) => *fault,
            Err(error) => {
                fail::<(), _>(error);
                GameFault::Failed
            }
        }
    }

    /// Plays on a copy of this leaf, and returns what `play` returns. Use it to simulate several times from
    /// one leaf: an error that a policy [reports](Self::fail) on the copy is then reported here.
    ///
    /// # Errors
    ///
    /// Returns the error of `play`.
    #[inline(always)]
    pub fn on_copy<X>(&self, play: impl FnOnce(&mut Self) -> Result<X, GameFault>) -> Result<X, GameFault>
    where
        T: Clone,
    {
        play(&mut self.copy())
    }

    /// Returns the seed of the guess of what is hidden, if there is one.
    pub(crate) fn seed_of_guess(&self) -> Option<u64> {
        self.guess
    }

    /// Returns the current state.
    #[inline(always)]
    pub fn state(&self) -> &G {
        &self.state
    }

    /// Returns whose turn it is in the current state.
    #[inline(always)]
    pub fn turn(&self) -> Turn {
        self.state.turn()
    }

    /// Returns the number of actions between the root of the search and the current state.
    #[inline(always)]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// Returns the actions that the players played in this iteration, from the root of the search to this
    /// state, each with its player. Empty unless the trace of the rollout policy keeps them, as [`History`]
    /// does.
    #[inline(always)]
    pub fn played(&self) -> &[(Player, G::Action)] {
        self.trace.actions()
    }

    /// Plays one legal action and records it in the trace.
    ///
    /// # Errors
    ///
    /// Returns a [`GameFault`] if the trace rejects the action.
    #[inline(always)]
    pub fn apply(&mut self, action: G::Action) -> Result<(), GameFault> {
        self.play(if T::NOTES { self.state.turn() } else { Turn::Over }, action)
    }

    /// Plays `action` where it is the turn of `turn`.
    #[inline(always)]
    pub(crate) fn play(&mut self, turn: Turn, action: G::Action) -> Result<(), GameFault> {
        self.trace.record(&self.state, turn, &action)?;
        try_apply(&mut self.state, action)?;
        self.ply = self.ply.wrapping_add(1);
        Ok(())
    }

    /// Plays `action` where it is the turn of `turn`, and it is known to lead to `next`.
    pub(crate) fn take_over(&mut self, turn: Turn, action: &G::Action, next: &G) -> Result<(), GameFault> {
        self.trace.record(&self.state, turn, action)?;
        self.state.clone_from(next);
        self.ply = self.ply.wrapping_add(1);
        Ok(())
    }

    /// Plays random actions to the end of the game. Uses the game's own shortcut,
    /// [`GameState::random_rollout`], if the trace records nothing and no part of the search needs the length
    /// of games.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`play_out`](Self::play_out).
    #[inline(always)]
    pub fn play_out_at_random(&mut self, rng: &mut Rng) -> Result<Rewards, GameFault> {
        if !self.needs_actions() {
            self.state.random_rollout(rng);
        }
        self.play_out(rng, |leaf, rng| Ok(leaf.state().random_action(rng)))
    }

    /// Returns whether the trace records the actions of rollouts, or some part of the search needs the length
    /// of games. Then each action has to be played by [`apply`](Self::apply).
    #[inline(always)]
    pub(crate) fn needs_actions(&self) -> bool {
        T::NOTES || self.counts
    }

    /// Plays several random games from here, and returns their mean rewards, if the game can play them [at
    /// once](GameState::random_rollouts). Returns `None` if it cannot, if it is over, if `games` is 0, or if
    /// the trace records actions, or some part of the search needs the length of games.
    ///
    /// # Errors
    ///
    /// Returns a [`GameFault`] if a reward is out of range or the number of rewards is wrong.
    #[inline(always)]
    pub fn random_rollouts(&self, games: u32, rng: &mut Rng) -> Result<Option<Rewards>, GameFault> {
        if games == 0 || self.needs_actions() || self.state.turn() == Turn::Over {
            return Ok(None);
        }
        let rewards = self.state.random_rollouts(games, rng);
        rewards.map(|rewards| rewards.checked(self.state.players())).transpose()
    }

    /// Plays to the end of the game: `choose` picks the actions of the players, and
    /// [`GameState::random_outcome`] draws the outcomes of chance.
    ///
    /// # Errors
    ///
    /// Returns a [`GameFault`] if a running game has no action, a reward is out of range, the game does not
    /// end within 1 000 000 actions, or `choose` fails.
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

    /// Plays at most `actions` actions, as [`play_out`](Self::play_out) does. Returns `true` if the game is
    /// then over.
    ///
    /// # Errors
    ///
    /// Returns a [`GameFault`] if a running game has no action, or if `choose` fails.
    #[inline(always)]
    pub fn play_on(
        &mut self,
        actions: u32,
        rng: &mut Rng,
        mut choose: impl FnMut(&Self, &mut Rng) -> Result<Option<G::Action>, GameFault>,
    ) -> Result<bool, GameFault> {
        for _ in 0..actions {
            let turn = self.state.turn();
            let action = match turn {
                Turn::Over => return Ok(true),
                Turn::Chance => self.state.random_outcome(rng),
                Turn::Player(_) => choose(self, rng)?,
            };
            match action {
                Some(action) => self.play(turn, action)?,
                None => return Err(why_no_action(&self.state)),
            }
        }
        Ok(self.state.turn() == Turn::Over)
    }
}

/// The fault of a running game whose [`random_action`](GameState::random_action) or
/// [`random_outcome`](GameState::random_outcome) gave `None`: it has no actions, or at a chance node the
/// probabilities of its outcomes are wrong.
#[cold]
pub(crate) fn why_no_action<G: GameState>(state: &G) -> GameFault {
    match state.turn() {
        // Nobody asks for an action after the end.
        Turn::Over => GameFault::Replay,
        Turn::Chance => {
            check_probabilities(state, &Vec::from_iter(state.actions())).err().unwrap_or(GameFault::NoActions)
        }
        _ => GameFault::NoActions,
    }
}

/// Checks that the probabilities of the outcomes of a chance state are in [0, 1] and sum to 1, both to within a
/// small tolerance.
///
/// **Who needs it:** agents of your own that average over chance. `outcomes` are the actions of `state`.
///
/// # Errors
///
/// Returns [`GameFault::Probability`] or [`GameFault::ProbabilitySum`].
pub fn check_probabilities<G: GameState>(state: &G, outcomes: &[G::Action]) -> Result<(), GameFault> {
    let mut sum = 0.0;
    for (index, outcome) in outcomes.iter().enumerate() {
        let probability = state.probability(outcome.clone());
        if !(0.0..=1.0 + crate::game::PROBABILITY_TOLERANCE).contains(&probability) {
            return Err(GameFault::Probability { index, probability });
        }
        sum += probability;
    }
    let sums_to_one = (sum - 1.0).abs() <= crate::game::PROBABILITY_TOLERANCE;
    if sums_to_one || outcomes.is_empty() { Ok(()) } else { Err(GameFault::ProbabilitySum { sum }) }
}
