//! Batches: several leaves that are simulated, or several positions that are evaluated, in one call.

use super::{Leaf, Trace};
use crate::custom_error::{BoxError, Shared};
use crate::game::{Cause, GameFault, GameState, Rewards, Rng, Turn, concluded, take_failure, unless_failed};
use core::fmt;

/// A leaf of a batch, and the result of its simulation.
pub struct BatchLeaf<'a, G, T> {
    pub(super) leaf: &'a mut Leaf<G, T>,
    rng: &'a mut Rng,
    pub(super) result: &'a mut Option<Result<Rewards, Cause>>,
}

impl<'a, G: GameState, T: Trace<G>> BatchLeaf<'a, G, T> {
    pub(crate) fn new(
        leaf: &'a mut Leaf<G, T>,
        rng: &'a mut Rng,
        result: &'a mut Option<Result<Rewards, Cause>>,
    ) -> Self {
        BatchLeaf { leaf, rng, result }
    }

    /// Returns the leaf.
    pub fn leaf(&self) -> &Leaf<G, T> {
        self.leaf
    }

    /// Simulates from the leaf with the random numbers of this leaf, and stores the result.
    #[inline(always)]
    pub fn simulate(
        &mut self,
        simulate: impl FnOnce(&mut Leaf<G, T>, &mut Rng) -> Result<Rewards, GameFault>,
    ) {
        *self.result = Some(concluded(simulate(self.leaf, self.rng)));
    }
}

impl<G: fmt::Debug, T: fmt::Debug> fmt::Debug for BatchLeaf<'_, G, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchLeaf").field("leaf", &self.leaf).field("result", &self.result).finish()
    }
}

/// One position of a batch, for an [`Evaluator`](super::Evaluator) to evaluate.
pub struct Position<'a, G: GameState> {
    /// The state, in which the game is not over.
    pub state: &'a G,
    /// The legal actions; none at a chance node.
    pub actions: &'a [G::Action],
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
        if let Some(error) = take_failure() {
            self.value = Err(error);
        }
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

/// Evaluates one position by `evaluate`, as a batch.
pub(super) fn evaluate_alone<G: GameState>(
    state: &G,
    actions: &[G::Action],
    priors: &mut [f32],
    evaluate: impl FnOnce(&mut [Position<'_, G>]),
) -> Result<Rewards, BoxError> {
    let mut position = [Position::new(state, actions)];
    evaluate(&mut position);
    let [Position { priors: found, value, .. }] = position;
    priors.copy_from_slice(&found);
    Ok(value?.ok_or(GameFault::NotEvaluated)?)
}

/// Evaluates a batch. Afterwards each position has a value or an error, and the order is as before.
pub(crate) fn evaluate_by<G: GameState>(
    evaluate: impl FnOnce(&mut [Position<'_, G>]) -> Result<(), BoxError>,
    batch: &mut [Position<'_, G>],
) {
    batch.iter_mut().enumerate().for_each(|(place, position)| position.place = place);
    let failed = evaluate(batch).err();
    batch.sort_unstable_by_key(|position| position.place);
    // The positions may belong to several searches, so each gets the error.
    let cause = take_failure().or(failed).map(Cause::from);
    for position in batch {
        match &cause {
            Some(Cause::Error(error)) => position.fail(Shared(error.clone())),
            Some(Cause::Fault(fault)) => position.fail(*fault),
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
    let fault = |player, value| GameFault::Evaluation { player, value };
    Rewards::try_new(state.players(), |player| f64::from(value[player]), fault)
}

/// Returns the actions of a player at `leaf`; none at a chance node.
pub(super) fn actions_of_player<G: GameState, T: Trace<G>>(
    leaf: &Leaf<G, T>,
) -> Result<Vec<G::Action>, GameFault> {
    let actions = match leaf.turn() {
        Turn::Player(_) => Vec::from_iter(leaf.state().actions()),
        _ => Vec::new(),
    };
    unless_failed()?;
    Ok(actions)
}
