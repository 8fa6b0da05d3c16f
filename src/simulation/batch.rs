//! Batches: several leaves that are simulated, or several positions that are evaluated, in one call.

use super::{Leaf, Priors, RolloutPolicy, Trace};
use crate::custom_error::{BoxError, CustomError, Shared};
use crate::game::{GameFault, GameState, Rewards, Rng, Turn};
use core::fmt;
use std::sync::Arc;

/// A leaf of a batch, and the result of its simulation.
pub struct BatchLeaf<'a, G, T> {
    leaf: &'a mut Leaf<G, T>,
    result: &'a mut Option<Result<Rewards, GameFault>>,
}

impl<'a, G: GameState, T: Trace<G>> BatchLeaf<'a, G, T> {
    pub(crate) fn new(leaf: &'a mut Leaf<G, T>, result: &'a mut Option<Result<Rewards, GameFault>>) -> Self {
        BatchLeaf { leaf, result }
    }

    /// Returns the leaf.
    pub fn leaf(&self) -> &Leaf<G, T> {
        self.leaf
    }

    /// Simulates from the leaf, and stores the result.
    #[inline(always)]
    pub fn simulate(&mut self, simulate: impl FnOnce(&mut Leaf<G, T>) -> Result<Rewards, GameFault>) {
        *self.result = Some(simulate(self.leaf));
    }

    pub(super) fn leaf_mut(&mut self) -> &mut Leaf<G, T> {
        self.leaf
    }
}

impl<G: fmt::Debug, T: fmt::Debug> fmt::Debug for BatchLeaf<'_, G, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchLeaf").field("leaf", &self.leaf).field("result", &self.result).finish()
    }
}

/// One position of a batch, for a [`BatchEvaluator`] to evaluate.
pub struct Position<'a, G: GameState> {
    state: &'a G,
    actions: &'a [G::Action],
    pub(crate) priors: Vec<f32>,
    pub(crate) value: Result<Option<Rewards>, BoxError>,
    /// The place in the batch, which an evaluator may reorder.
    place: usize,
}

impl<'a, G: GameState> Position<'a, G> {
    /// Creates a position that is not evaluated yet, with 1 as the prior of each action.
    pub(crate) fn new(state: &'a G, actions: &'a [G::Action]) -> Self {
        Position { state, actions, priors: vec![1.0; actions.len()], value: Ok(None), place: 0 }
    }

    /// Returns the state, in which the game is not over.
    pub fn state(&self) -> &'a G {
        self.state
    }

    /// Returns the legal actions; none at a chance node.
    pub fn actions(&self) -> &'a [G::Action] {
        self.actions
    }

    /// Returns the priors to write, one for each of [`actions`](Self::actions). They must not be negative and
    /// may have any scale. Those that you do not write are 1.
    pub fn priors(&mut self) -> &mut [f32] {
        &mut self.priors
    }

    /// Sets the expected rewards of all players, each in [0, 1].
    pub fn set_value(&mut self, value: Rewards) {
        self.value = Ok(Some(value));
    }

    /// Reports that this position cannot be evaluated. The other positions of the batch are used all the
    /// same.
    pub fn fail(&mut self, error: impl Into<BoxError>) {
        self.value = Err(error.into());
    }

    /// Asks `priors` for the priors of this position, and stores its answer.
    pub(crate) fn ask(
        &mut self,
        priors: impl FnOnce(&G, &[G::Action], &mut [f32]) -> Result<Option<Rewards>, BoxError>,
    ) {
        self.value = priors(self.state, self.actions, &mut self.priors);
    }
}

impl<G: GameState + fmt::Debug> fmt::Debug for Position<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Position")
            .field("state", &self.state)
            .field("actions", &self.actions)
            .field("priors", &self.priors)
            .field("value", &self.value)
            .finish()
    }
}

/// An evaluator of many positions at once, such as a network: estimates the rewards of each, and how likely
/// each action is to be the best.
///
/// Use it with [`EvaluateBatch`] and a search with a [window](crate::Mcts::window). A reference, a box and an
/// `Arc` of a batch evaluator are batch evaluators.
pub trait BatchEvaluator<G: GameState> {
    /// Evaluates each position of `batch`: sets its [value](Position::set_value) and, for tree policies that
    /// read them, its [priors](Position::priors).
    ///
    /// The game is over in none of the positions. You may reorder them. To get the same results from the same
    /// seed, the answer for a position must depend neither on its place in the batch nor on the other
    /// positions; [`EvaluateBatch::pad_to`] fixes the size.
    ///
    /// # Errors
    ///
    /// Returns any error if the whole batch fails. The run then ends with
    /// [`SearchError::Failed`](crate::SearchError::Failed).
    fn evaluate(&self, batch: &mut [Position<'_, G>]) -> Result<(), BoxError>;
}

macro_rules! batch_evaluator_behind {
    ($pointer:ty) => {
        impl<G: GameState, E: BatchEvaluator<G> + ?Sized> BatchEvaluator<G> for $pointer {
            fn evaluate(&self, batch: &mut [Position<'_, G>]) -> Result<(), BoxError> {
                (**self).evaluate(batch)
            }
        }
    };
}
batch_evaluator_behind!(&E);
batch_evaluator_behind!(Box<E>);
batch_evaluator_behind!(Arc<E>);

/// No rollout: a [`BatchEvaluator`] evaluates the leaves, all leaves of a window in one call.
///
/// **Use it** with a network and a search with a [window](crate::Mcts::window). In a search without a window,
/// it evaluates batches of one position. Finished games give their own rewards.
///
/// **Parameter:** your evaluator. **Cost:** a call per window. **Stores** nothing per child. **Source:**
/// Silver et al., *Mastering the game of Go without human knowledge*, 2017, where eight leaves wait for the
/// network at a time.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::games::Connect4;
/// use ramure::selection::Puct;
/// use ramure::simulation::{BatchEvaluator, EvaluateBatch, Position};
/// use ramure::{BoxError, Rewards};
///
/// /// Prefers the columns in the middle.
/// struct Network;
///
/// impl BatchEvaluator<Connect4> for Network {
///     fn evaluate(&self, batch: &mut [Position<'_, Connect4>]) -> Result<(), BoxError> {
///         // A real network gets the planes of all states as one tensor here.
///         for position in batch {
///             let columns = position.actions();
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
///     .rollout_policy(EvaluateBatch::new(Network))
///     .window(16);
/// let report = search.run(Budget::iterations(1_000))?;
/// assert_eq!(report.best_action().number(), 3);
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct EvaluateBatch<E> {
    evaluator: E,
    pub(super) size: usize,
}

impl<E> EvaluateBatch<E> {
    /// Evaluates leaves by `evaluator`.
    pub fn new(evaluator: E) -> Self {
        EvaluateBatch { evaluator, size: 0 }
    }

    /// Fills each batch of fewer than `size` positions with copies of its first position. Use it if the
    /// arithmetic of your evaluator depends on the size of the batch, as that of a GPU does, and the same
    /// seed must give the same result. \[Default: no padding\]
    #[must_use]
    pub fn pad_to(self, size: usize) -> Self {
        EvaluateBatch { size, ..self }
    }

    /// Evaluates the positions of `batch`, whose values are then set, or errors.
    fn evaluate<G: GameState>(&self, batch: &mut [Position<'_, G>])
    where
        E: BatchEvaluator<G>,
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
        E: BatchEvaluator<G>,
    {
        let mut position = [Position::new(state, actions)];
        self.evaluate(&mut position);
        let [Position { priors: found, value, .. }] = position;
        priors.copy_from_slice(&found);
        Ok(value?.ok_or(GameFault::NotEvaluated)?)
    }
}

/// Evaluates a batch. Afterwards each position has a value or an error, and the order is as before.
pub(crate) fn evaluate_by<G: GameState>(
    evaluate: impl FnOnce(&mut [Position<'_, G>]) -> Result<(), BoxError>,
    batch: &mut [Position<'_, G>],
) {
    batch.iter_mut().enumerate().for_each(|(place, position)| position.place = place);
    let outcome = evaluate(batch);
    batch.sort_unstable_by_key(|position| position.place);
    // The positions may belong to several searches, so each gets the error.
    let error = outcome.err().map(|error| match error.downcast::<GameFault>() {
        Ok(fault) => Err(*fault),
        Err(error) => Ok(Shared(CustomError::new(error))),
    });
    for position in batch {
        match &error {
            Some(Ok(shared)) => position.fail(shared.clone()),
            Some(Err(fault)) => position.fail(*fault),
            None if matches!(position.value, Ok(None)) => position.fail(GameFault::NotEvaluated),
            None => {}
        }
    }
}

/// Returns `value` if it is a value for each player in `state`.
pub(super) fn checked<G: GameState>(state: &G, value: Rewards) -> Result<Rewards, GameFault> {
    if value.players() != state.players() {
        return Err(GameFault::RewardCount { given: value.players(), players: state.players() });
    }
    Rewards::try_new(state.players(), |player| f64::from(value[player]))
        .map_err(|(player, value)| GameFault::Evaluation { player, value })
}

/// Returns the actions of a player at `leaf`; none at a chance node.
pub(super) fn actions_of_player<G: GameState, T: Trace<G>>(leaf: &Leaf<G, T>) -> Vec<G::Action> {
    match leaf.turn() {
        Turn::Player(_) => Vec::from_iter(leaf.state().actions()),
        _ => Vec::new(),
    }
}

impl<G: GameState, E: BatchEvaluator<G>> RolloutPolicy<G> for EvaluateBatch<E> {
    type Trace = ();

    fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, _: &mut Rng) -> Result<Rewards, GameFault> {
        let state = leaf.state();
        if leaf.turn() == Turn::Over {
            return Rewards::of(state);
        }
        let value = match leaf.value() {
            Some(value) => value,
            None => {
                let actions = actions_of_player(leaf);
                let mut priors = vec![1.0; actions.len()];
                self.evaluate_one(state, &actions, &mut priors).map_err(|error| leaf.fail(error))?
            }
        };
        checked(leaf.state(), value)
    }

    fn simulate_batch<T: Trace<G>>(&self, batch: &mut [BatchLeaf<'_, G, T>], rng: &mut Rng) {
        let is_open = |leaf: &Leaf<G, T>| leaf.value().is_none() && leaf.turn() != Turn::Over;
        let open = batch.iter().enumerate().filter(|(_, entry)| is_open(entry.leaf()));
        let open: Vec<_> = open.map(|(index, entry)| (index, actions_of_player(entry.leaf()))).collect();
        let positions =
            open.iter().map(|(index, actions)| Position::new(batch[*index].leaf().state(), actions));
        let mut positions: Vec<_> = positions.collect();
        self.evaluate(&mut positions);
        let values: Vec<_> = positions.into_iter().map(|position| position.value).collect();
        for ((index, _), value) in open.iter().zip(values) {
            let entry = &mut batch[*index];
            match value {
                Ok(value) => entry.leaf_mut().set_value(value),
                Err(error) => *entry.result = Some(Err(entry.leaf.fail(error))),
            }
        }
        for entry in batch.iter_mut().filter(|entry| entry.result.is_none()) {
            entry.simulate(|leaf| self.simulate(leaf, rng));
        }
    }
}

impl<G: GameState, E: BatchEvaluator<G>> Priors<G> for EvaluateBatch<E> {
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
