//! Evaluators: functions that estimate the value of a position, and the priors of its actions, without a
//! rollout.

use super::batch::{actions_of_player, checked};
use super::{Leaf, Position, RolloutPolicy, Trace};
use crate::custom_error::BoxError;
use crate::game::{GameFault, GameState, Rewards, Rng, Turn};
use core::any::type_name;
use core::fmt;
use std::sync::Arc;

/// An evaluator, such as a network or a formula: estimates the rewards of a running game, and how likely each
/// action is to be the best.
///
/// A function is an evaluator through [`Evaluate::by`], or [`Evaluate::try_by`] if it can fail. A box, a
/// reference and an `Arc` of an evaluator are evaluators, also of a `dyn Evaluator<G>`. Use an `Arc` to share
/// one, such as a network, between searches.
///
/// An evaluator takes `&self`, so that several workers can share it. If it needs a buffer, put the buffer
/// into a `Mutex`, or into a `Cell` if only one search uses it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an evaluator for `{G}`",
    label = "not an evaluator of this game",
    note = "to use a function, write `Evaluate::by(|state: &{G}, actions, priors| ..)`, or `try_by` if it can fail"
)]
pub trait Evaluator<G: GameState> {
    /// Returns the expected rewards of all players in `state`, each in [0, 1].
    ///
    /// `priors` has one entry for each of the legal `actions` of the player to move, in their order, and is
    /// filled with equal numbers. Write how likely each action is to be the best. The numbers must not be
    /// negative and may have any scale: the search divides them by their sum.
    ///
    /// Where chance moves, `actions` and `priors` are empty.
    ///
    /// # Errors
    ///
    /// Returns any error of your own. The iteration is then dropped, and the run ends with
    /// [`SearchError::Failed`](crate::SearchError::Failed), whose [`source`](core::error::Error::source) is
    /// this error. What the search found before stays in its tree.
    fn evaluate(&self, state: &G, actions: &[G::Action], priors: &mut [f32]) -> Result<Rewards, BoxError>;
}

macro_rules! evaluator_behind {
    ($pointer:ty) => {
        impl<G: GameState, E: Evaluator<G> + ?Sized> Evaluator<G> for $pointer {
            fn evaluate(
                &self,
                state: &G,
                actions: &[G::Action],
                priors: &mut [f32],
            ) -> Result<Rewards, BoxError> {
                (**self).evaluate(state, actions, priors)
            }
        }
    };
}

evaluator_behind!(&E);
evaluator_behind!(Box<E>);
evaluator_behind!(Arc<E>);

/// A function as an [`Evaluator`]; see [`Evaluate::by`].
#[derive(Clone, Copy)]
pub struct FromFn<F>(F);

impl<G: GameState, F: Fn(&G, &[G::Action], &mut [f32]) -> Rewards> Evaluator<G> for FromFn<F> {
    fn evaluate(&self, state: &G, actions: &[G::Action], priors: &mut [f32]) -> Result<Rewards, BoxError> {
        Ok((self.0)(state, actions, priors))
    }
}

/// A function that can fail as an [`Evaluator`]; see [`Evaluate::try_by`].
#[derive(Clone, Copy)]
pub struct TryFromFn<F>(F);

impl<G, F, E> Evaluator<G> for TryFromFn<F>
where
    G: GameState,
    F: Fn(&G, &[G::Action], &mut [f32]) -> Result<Rewards, E>,
    E: Into<BoxError>,
{
    fn evaluate(&self, state: &G, actions: &[G::Action], priors: &mut [f32]) -> Result<Rewards, BoxError> {
        (self.0)(state, actions, priors).map_err(Into::into)
    }
}

impl<F> fmt::Debug for FromFn<F> {
    /// Prints the type of the function, because closures are not `Debug`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FromFn").field(&format_args!("{}", type_name::<F>())).finish()
    }
}

impl<F> fmt::Debug for TryFromFn<F> {
    /// Prints the type of the function, because closures are not `Debug`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TryFromFn").field(&format_args!("{}", type_name::<F>())).finish()
    }
}

/// A rollout policy that also gives priors, for tree policies that read them.
///
/// **Who needs it:** [`Puct`](crate::selection::Puct), and
/// [`ProgressiveBias`](crate::selection::ProgressiveBias), which uses them as heuristic values: any finite
/// numbers, not divided by their sum.
#[diagnostic::on_unimplemented(
    message = "this tree policy reads prior probabilities, and the rollout policy `{Self}` gives none",
    label = "no priors for the tree policy",
    note = "give values and priors: `.rollout_policy(Evaluate::new(my_evaluator))`, where `my_evaluator` implements `Evaluator<{G}>`",
    note = "or keep the rollouts and add priors: `.rollout_policy(WithPriors::new({Self}, |state: &{G}, action| ..))`"
)]
pub trait Priors<G: GameState>: RolloutPolicy<G> {
    /// Writes the prior of each of `actions`, the legal actions in `state`, in their order. Priors must not
    /// be negative and may have any scale.
    ///
    /// Called when a node is expanded. If the same evaluation gives the value of the state, return it;
    /// [`Leaf::value`] then passes it to the simulation of this state.
    ///
    /// # Errors
    ///
    /// Returns a [`GameFault`] if the game or its evaluation is invalid, or any error of your own. The
    /// iteration is then dropped.
    fn priors(
        &self,
        state: &G,
        actions: &[G::Action],
        priors: &mut [f32],
    ) -> Result<Option<Rewards>, BoxError>;

    /// Writes the priors of all positions of a `batch`, in a search with a [window](crate::Mcts::window).
    /// \[Default: [`priors`](Self::priors) for each\]
    ///
    /// [`Position::fail`] stores the error of a position.
    fn priors_batch(&self, batch: &mut [Position<'_, G>]) {
        for position in batch {
            position.ask(|state, actions, priors| self.priors(state, actions, priors));
        }
    }
}

/// No rollout: an [`Evaluator`] evaluates the leaves. Finished games give their own rewards.
///
/// **Use it** with a trained network or a good formula, together with [`Puct`](crate::selection::Puct), which
/// reads the priors; tree policies that read no priors ignore them. Each state is evaluated once, for value
/// and priors together. If values are rough and rollouts cheap, mix both by [`Mixed`](super::Mixed) instead.
///
/// **Parameter:** your evaluator. **Cost:** a call per iteration. **Stores** nothing per child. **Source:**
/// Silver et al., *Mastering the game of Go without human knowledge*, 2017, "expand and evaluate".
///
/// ```
/// use ramure::prelude::*;
/// use ramure::Rewards;
/// use ramure::games::TicTacToe;
/// use ramure::selection::Puct;
/// use ramure::simulation::Evaluate;
/// // This evaluator knows only that the centre is a good place.
/// let centre = Evaluate::by(|_: &TicTacToe, actions, priors| {
///     for (prior, action) in priors.iter_mut().zip(actions) {
///         *prior = if action.to_string() == "5" { 2.0 } else { 1.0 };
///     }
///     Rewards::new(2, |_| 0.5)
/// });
/// let mut search = Mcts::new(TicTacToe::new()).tree_policy(Puct::default()).rollout_policy(centre);
/// search.run(Budget::iterations(100))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Evaluate<E> {
    evaluator: E,
}

impl<E> Evaluate<E> {
    /// Evaluates leaves by `evaluator`, a type that implements [`Evaluator`]. For a function use
    /// [`by`](Self::by).
    pub fn new(evaluator: E) -> Self {
        Evaluate { evaluator }
    }
}

impl<F> Evaluate<FromFn<F>> {
    /// Evaluates leaves by the function `evaluate(state, actions, priors)`; see [`Evaluator::evaluate`].
    ///
    /// A closure names the game once, `|state: &MyGame, actions, priors| ..`; the compiler infers the rest.
    /// It cannot change what it captures, because several workers may call it. If it keeps state, keep that
    /// in a [`Cell`](core::cell::Cell), or in an atomic or a `Mutex` if several threads search:
    ///
    /// ```
    /// use ramure::prelude::*;
    /// use ramure::Rewards;
    /// use ramure::games::TicTacToe;
    /// use ramure::simulation::Evaluate;
    /// use std::cell::Cell;
    ///
    /// let calls = Cell::new(0);
    /// let evaluate = Evaluate::by(|_: &TicTacToe, _, _| {
    ///     calls.set(calls.get() + 1);
    ///     Rewards::new(2, |_| 0.5)
    /// });
    /// Mcts::new(TicTacToe::new()).rollout_policy(evaluate).run(Budget::iterations(100))?;
    /// assert!(calls.get() > 90); // finished games are not evaluated
    /// # Ok::<(), SearchError>(())
    /// ```
    pub fn by<G: GameState>(evaluate: F) -> Self
    where
        F: Fn(&G, &[G::Action], &mut [f32]) -> Rewards,
    {
        Evaluate { evaluator: FromFn(evaluate) }
    }
}

impl<F> Evaluate<TryFromFn<F>> {
    /// Evaluates leaves by the function `evaluate(state, actions, priors)`, which can fail with any error.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// use ramure::Rewards;
    /// use ramure::games::Connect4;
    /// use ramure::simulation::Evaluate;
    /// use std::num::ParseFloatError;
    ///
    /// let evaluate = Evaluate::try_by(|_: &Connect4, _, _| -> Result<_, ParseFloatError> {
    ///     let value = "one half".parse()?; // the answer of a server, say
    ///     Ok(Rewards::new(2, |_| value))
    /// });
    /// let error = Mcts::new(Connect4::new()).rollout_policy(evaluate).run(Budget::iterations(10)).unwrap_err();
    /// assert!(std::error::Error::source(&error).unwrap().is::<ParseFloatError>());
    /// ```
    pub fn try_by<G: GameState, E: Into<BoxError>>(evaluate: F) -> Self
    where
        F: Fn(&G, &[G::Action], &mut [f32]) -> Result<Rewards, E>,
    {
        Evaluate { evaluator: TryFromFn(evaluate) }
    }
}

impl<G: GameState, E: Evaluator<G>> RolloutPolicy<G> for Evaluate<E> {
    type Trace = ();

    fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, _: &mut Rng) -> Result<Rewards, GameFault> {
        let state = leaf.state();
        if leaf.turn() == Turn::Over {
            return Rewards::of(state);
        }
        let rewards = match leaf.value() {
            Some(rewards) => rewards,
            None => {
                let actions = actions_of_player(leaf);
                let value = self.evaluator.evaluate(state, &actions, &mut vec![1.0; actions.len()]);
                value.map_err(|error| leaf.fail(error))?
            }
        };
        checked(state, rewards)
    }
}

impl<G: GameState, E: Evaluator<G>> Priors<G> for Evaluate<E> {
    fn priors(
        &self,
        state: &G,
        actions: &[G::Action],
        priors: &mut [f32],
    ) -> Result<Option<Rewards>, BoxError> {
        self.evaluator.evaluate(state, actions, priors).map(Some)
    }
}
