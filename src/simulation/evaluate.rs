//! Evaluators: functions that estimate the value of a position, and the priors of its actions, without a
//! rollout.

use super::batch::{actions_of_player, checked, evaluate_alone, evaluate_by};
use super::{BatchLeaf, Leaf, Position, RolloutPolicy, Trace};
use crate::custom_error::BoxError;
use crate::game::{GameFault, GameState, Rewards, Rng, Turn};
use core::any::type_name;
use core::fmt;
use core::marker::PhantomData;
use std::sync::Arc;

/// An evaluator, such as a network or a formula: estimates the rewards of running games, and how likely each
/// action is to be the best.
///
/// Use it with [`Evaluate`]. A search with a [window](crate::Mcts::window) has several positions evaluated in
/// one call, and other searches one at a time. [`Evaluate::by`] makes a rollout policy of a function of one
/// position; a [`Batcher`](crate::search::Batcher) needs a type that implements `Evaluator`.
///
/// A box, a reference and an `Arc` of an evaluator are evaluators, also of a `dyn Evaluator<G>`. Use an `Arc`
/// to share one, such as a network, between searches.
///
/// An evaluator takes `&self`, so that several workers can share it. If it needs a buffer, put the buffer
/// into a `Mutex`, or into a `Cell` if only one search uses it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an evaluator for `{G}`",
    label = "not an evaluator of this game",
    note = "to use a function, write `Evaluate::by(|state: &{G}, actions, priors| ..)`",
    note = "in a `Sampled`, an `ObservedMoves` or an `OpenLoop`, write `Evaluate::for_game(my_evaluator)` if it evaluates the states of your own game"
)]
pub trait Evaluator<G: GameState> {
    /// Evaluates each position of `batch`: sets its [value](Position::set_value) and, for tree policies that
    /// read them, its [priors](Position::priors).
    ///
    /// The game is over in none of the positions. You may reorder them. To get the same results from the same
    /// seed, the answer for a position must depend neither on its place in the batch nor on the other
    /// positions; [`Evaluate::pad_to`] fixes the size.
    ///
    /// # Errors
    ///
    /// Returns any error of your own if the whole batch fails; [`Position::fail`] is for one position. The
    /// iterations are then dropped, and the run ends with
    /// [`SearchError::Failed`](crate::SearchError::Failed), whose [`source`](core::error::Error::source) is
    /// this error. What the search found before stays in its tree.
    fn evaluate(&self, batch: &mut [Position<'_, G>]) -> Result<(), BoxError>;

    /// Evaluates one position: writes the priors of `actions`, which are 1 before, and returns the expected
    /// rewards of all players. Override it if one position takes less work than a batch of one. \[Default:
    /// [`evaluate`](Self::evaluate)\]
    ///
    /// # Errors
    ///
    /// Returns any error of your own.
    fn evaluate_one(
        &self,
        state: &G,
        actions: &[G::Action],
        priors: &mut [f32],
    ) -> Result<Rewards, BoxError> {
        let evaluate = |batch: &mut [Position<'_, G>]| evaluate_by(|batch| self.evaluate(batch), batch);
        evaluate_alone(state, actions, priors, evaluate)
    }

    /// Returns the most positions that are evaluated faster in one batch than one by one. Return 1 if a batch
    /// gains nothing; each thread then evaluates one position at a time. \[Default: no bound\]
    fn batch_size(&self) -> usize {
        usize::MAX
    }
}

macro_rules! evaluator_behind {
    ($pointer:ty $(: $sized:ident)?, $self:ident => $inner:expr) => {
        impl<G: GameState, E: Evaluator<G> $(+ ?$sized)?> Evaluator<G> for $pointer {
            fn evaluate(&$self, batch: &mut [Position<'_, G>]) -> Result<(), BoxError> {
                $inner.evaluate(batch)
            }
            fn evaluate_one(
                &$self,
                state: &G,
                actions: &[G::Action],
                priors: &mut [f32],
            ) -> Result<Rewards, BoxError> {
                $inner.evaluate_one(state, actions, priors)
            }
            fn batch_size(&$self) -> usize {
                $inner.batch_size()
            }
        }
    };
}

evaluator_behind!(&E: Sized, self => **self);
evaluator_behind!(Box<E>: Sized, self => **self);
evaluator_behind!(Arc<E>: Sized, self => **self);
evaluator_behind!(ForGame<E, G>, self => self.evaluator);

/// A function as an [`Evaluator`]; see [`Evaluate::by`].
#[derive(Clone, Copy)]
pub struct FromFn<F>(F);

/// The result of a function of a position: its value, or a value or an error.
#[diagnostic::on_unimplemented(
    message = "a function that evaluates positions returns `Rewards`, or a `Result` of them, and not `{Self}`",
    label = "not the rewards of all players"
)]
pub trait IntoValue {
    fn into_value(self) -> Result<Rewards, BoxError>;
}

impl IntoValue for Rewards {
    fn into_value(self) -> Result<Rewards, BoxError> {
        Ok(self)
    }
}

impl<E: Into<BoxError>> IntoValue for Result<Rewards, E> {
    fn into_value(self) -> Result<Rewards, BoxError> {
        self.map_err(Into::into)
    }
}

/// An evaluator of the game `G`, in whichever space this game is searched; see [`Evaluate::for_game`].
pub struct ForGame<E, G> {
    pub(crate) evaluator: E,
    game: PhantomData<fn(&G)>,
}

impl<E: Clone, G> Clone for ForGame<E, G> {
    fn clone(&self) -> Self {
        ForGame { evaluator: self.evaluator.clone(), game: PhantomData }
    }
}

impl<E: Copy, G> Copy for ForGame<E, G> {}

impl<E: fmt::Debug, G> fmt::Debug for ForGame<E, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.evaluator.fmt(f)
    }
}

impl<G: GameState, V: IntoValue, F: Fn(&G, &[G::Action], &mut [f32]) -> V> Evaluator<G> for FromFn<F> {
    fn evaluate(&self, batch: &mut [Position<'_, G>]) -> Result<(), BoxError> {
        for position in batch {
            position.ask(|state, actions, priors| self.evaluate_one(state, actions, priors).map(Some));
        }
        Ok(())
    }

    fn evaluate_one(
        &self,
        state: &G,
        actions: &[G::Action],
        priors: &mut [f32],
    ) -> Result<Rewards, BoxError> {
        (self.0)(state, actions, priors).into_value()
    }

    fn batch_size(&self) -> usize {
        1
    }
}

impl<F> fmt::Debug for FromFn<F> {
    /// Prints the type of the function, because closures are not `Debug`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FromFn").field(&format_args!("{}", type_name::<F>())).finish()
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

/// No rollout: an [`Evaluator`] evaluates the leaves, all leaves of a [window](crate::Mcts::window) in one
/// call. Finished games give their own rewards.
///
/// **Use it** with a trained network or a good formula, together with [`Puct`](crate::selection::Puct), which
/// reads the priors; tree policies that read no priors ignore them. Each state is evaluated once, for value
/// and priors together. If values are rough and rollouts cheap, mix both by [`Mixed`](super::Mixed) instead.
///
/// **Parameter:** your evaluator. **Cost:** a call per iteration, or per window. **Stores** nothing per
/// child. **Source:** Silver et al., *Mastering the game of Go without human knowledge*, 2017, "expand and
/// evaluate", where eight leaves wait for the network at a time.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::Puct;
/// use ramure::simulation::{Evaluate, Evaluator, Position};
/// use ramure::{BoxError, Rewards};
/// use ramure_games::Connect4;
///
/// /// Prefers the columns in the middle.
/// struct Network;
///
/// impl Evaluator<Connect4> for Network {
///     fn evaluate(&self, batch: &mut [Position<'_, Connect4>]) -> Result<(), BoxError> {
///         // A real network gets the planes of all states as one tensor here.
///         for position in batch {
///             let columns = position.actions;
///             for (prior, column) in position.priors().iter_mut().zip(columns) {
///                 *prior = 1.0 / (1.0 + f32::from(column.number().abs_diff(3)));
///             }
///             position.set_value(Rewards::new(2, |_| 0.5));
///         }
///         Ok(())
///     }
/// }
///
/// let mut search = Mcts::new(Connect4::new())
///     .tree_policy(Puct::default())
///     .rollout_policy(Evaluate::new(Network))
///     .window(16);
/// let report = search.run(Budget::iterations(1_000))?;
/// assert_eq!(report.best_action().number(), 3);
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Evaluate<E> {
    evaluator: E,
    pub(super) size: usize,
}

impl<E> Evaluate<E> {
    /// Evaluates leaves by `evaluator`, a type that implements [`Evaluator`] for the states with which the
    /// iterations play; see [`for_game`](Self::for_game). For a function use [`by`](Self::by).
    pub fn new(evaluator: E) -> Self {
        Evaluate { evaluator, size: 0 }
    }

    /// Fills each batch of fewer than `size` positions with copies of its first position. Use it if the
    /// arithmetic of your evaluator depends on the size of the batch, as that of a GPU does, and the same
    /// seed must give the same result. \[Default: no padding\]
    #[must_use]
    pub fn pad_to(self, size: usize) -> Self {
        Evaluate { size, ..self }
    }

    /// Evaluates the positions of `batch`, whose values are then set, or errors.
    fn evaluate<G: GameState>(&self, batch: &mut [Position<'_, G>])
    where
        E: Evaluator<G>,
    {
        let Some(&Position { state, actions, .. }) = batch.first() else { return };
        let evaluate = |batch: &mut [Position<'_, G>]| self.evaluator.evaluate(batch);
        if batch.len() < self.size {
            let same = batch.iter().map(|position| Position::new(position.state, position.actions));
            let more = (batch.len()..self.size).map(|_| Position::new(state, actions));
            let mut padded: Vec<_> = same.chain(more).collect();
            evaluate_by(evaluate, &mut padded);
            for (position, evaluated) in batch.iter_mut().zip(padded) {
                *position = evaluated;
            }
        } else {
            evaluate_by(evaluate, batch);
        }
    }

    /// Evaluates one position.
    fn evaluate_one<G: GameState>(
        &self,
        state: &G,
        actions: &[G::Action],
        priors: &mut [f32],
    ) -> Result<Rewards, BoxError>
    where
        E: Evaluator<G>,
    {
        if self.size > 1 {
            return evaluate_alone(state, actions, priors, |batch| self.evaluate(batch));
        }
        self.evaluator.evaluate_one(state, actions, priors)
    }
}

impl<E, G: GameState> Evaluate<ForGame<E, G>> {
    /// Evaluates leaves by an evaluator of the game `G`, in whichever space this game is searched.
    ///
    /// In a [`Sampled`](crate::search::Sampled), an [`ObservedMoves`](crate::search::ObservedMoves) or an
    /// [`OpenLoop`](crate::search::OpenLoop), iterations play with states of another type. There
    /// [`new`](Self::new) asks for an evaluator of that type, and this for one of your game. It gets the state
    /// and the actions of the game, and its priors are not used.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// use ramure::search::OpenLoop;
    /// use ramure::simulation::{Evaluate, Evaluator, Position};
    /// use ramure::{BoxError, Rewards};
    /// use ramure_games::Connect4;
    ///
    /// struct Network;
    ///
    /// impl Evaluator<Connect4> for Network {
    ///     fn evaluate(&self, batch: &mut [Position<'_, Connect4>]) -> Result<(), BoxError> {
    ///         batch.iter_mut().for_each(|position| position.set_value(Rewards::new(2, |_| 0.5)));
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut search = Mcts::new(OpenLoop::new(Connect4::new())).rollout_policy(Evaluate::for_game(Network));
    /// search.run(Budget::iterations(100))?;
    /// # Ok::<(), SearchError>(())
    /// ```
    pub fn for_game(evaluator: E) -> Self
    where
        E: Evaluator<G>,
    {
        Evaluate::new(ForGame { evaluator, game: PhantomData })
    }
}

impl<F, G: GameState> Evaluate<ForGame<FromFn<F>, G>> {
    /// Evaluates leaves by the function `evaluate(state, actions, priors)`. It returns the expected rewards
    /// of all players in `state`, each in [0, 1], as [`Rewards`], or as `Result<Rewards, _>` if it can fail
    /// with any error.
    ///
    /// `priors` has one entry for each of the legal `actions` of the player to move, in their order, and is
    /// filled with equal numbers. Write how likely each action is to be the best. The numbers must not be
    /// negative and may have any scale: the search divides them by their sum. Where chance moves, `actions`
    /// and `priors` are empty.
    ///
    /// A closure names the game once, `|state: &MyGame, actions, priors| ..`, in whichever space it is
    /// searched; the compiler infers the rest:
    ///
    /// ```
    /// use ramure::prelude::*;
    /// use ramure::Rewards;
    /// use ramure::selection::Puct;
    /// use ramure::simulation::Evaluate;
    /// use ramure_games::TicTacToe;
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
    ///
    /// It cannot change what it captures, because several workers may call it. If it keeps state, keep that
    /// in a [`Cell`](core::cell::Cell), or in an atomic or a `Mutex` if several threads search.
    ///
    /// An error ends the run:
    ///
    /// ```
    /// use ramure::prelude::*;
    /// use ramure::Rewards;
    /// use ramure::simulation::Evaluate;
    /// use ramure_games::Connect4;
    /// use std::num::ParseFloatError;
    ///
    /// let evaluate = Evaluate::by(|_: &Connect4, _, _| -> Result<_, ParseFloatError> {
    ///     let value = "one half".parse()?; // the answer of a server, say
    ///     Ok(Rewards::new(2, |_| value))
    /// });
    /// let error = Mcts::new(Connect4::new()).rollout_policy(evaluate).run(Budget::iterations(10)).unwrap_err();
    /// assert!(std::error::Error::source(&error).unwrap().is::<ParseFloatError>());
    /// ```
    pub fn by<V: IntoValue>(evaluate: F) -> Self
    where
        F: Fn(&G, &[G::Action], &mut [f32]) -> V,
    {
        Evaluate::for_game(FromFn(evaluate))
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
                let actions = actions_of_player(leaf)?;
                let value = self.evaluate_one(state, &actions, &mut vec![1.0; actions.len()]);
                value.map_err(|error| leaf.fail(error))?
            }
        };
        checked(state, rewards)
    }

    fn learns(&self) -> bool {
        false
    }

    fn batch_size(&self) -> usize {
        if self.size > 0 { self.size } else { self.evaluator.batch_size().max(1) }
    }

    fn simulate_batch<T: Trace<G>>(&self, batch: &mut [BatchLeaf<'_, G, T>]) {
        let is_open = |leaf: &Leaf<G, T>| leaf.value().is_none() && leaf.turn() != Turn::Over;
        let open = batch.iter().enumerate().filter(|(_, entry)| is_open(entry.leaf()));
        let listed = open.map(|(index, entry)| (index, actions_of_player(entry.leaf())));
        let (mut open, mut failed) = (Vec::new(), Vec::new());
        for (index, actions) in listed {
            match actions {
                Ok(actions) => open.push((index, actions)),
                Err(fault) => failed.push((index, fault)),
            }
        }
        for (index, fault) in failed {
            *batch[index].result = Some(Err(fault));
        }
        let positions =
            open.iter().map(|(index, actions)| Position::new(batch[*index].leaf().state(), actions));
        let mut positions: Vec<_> = positions.collect();
        self.evaluate(&mut positions);
        let values: Vec<_> = positions.into_iter().map(|position| position.value).collect();
        for ((index, _), value) in open.iter().zip(values) {
            let entry = &mut batch[*index];
            match value {
                Ok(value) => entry.leaf.set_value(value),
                Err(error) => *entry.result = Some(Err(entry.leaf.fail(error))),
            }
        }
        for entry in batch.iter_mut().filter(|entry| entry.result.is_none()) {
            entry.simulate(|leaf, rng| self.simulate(leaf, rng));
        }
    }
}

impl<G: GameState, E: Evaluator<G>> Priors<G> for Evaluate<E> {
    fn priors(
        &self,
        state: &G,
        actions: &[G::Action],
        priors: &mut [f32],
    ) -> Result<Option<Rewards>, BoxError> {
        self.evaluate_one(state, actions, priors).map(Some)
    }

    fn priors_batch(&self, batch: &mut [Position<'_, G>]) {
        self.evaluate(batch);
    }
}
