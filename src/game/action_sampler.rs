//! Games whose actions are sampled, because they are too many to list.

use super::{GameState, Rng};

/// A game whose actions or outcomes of chance are too many to list, such as real numbers: it samples them.
///
/// **Who needs it:** a search of a [`Sampled`](crate::search::Sampled).
///
/// # The contract
///
/// - At a state of a player, [`sample_action`](Self::sample_action) proposes a legal action. The proposals
///   may have any distribution, and the same action may be proposed again. What is never proposed is never
///   searched.
/// - At a chance state, it draws an outcome with its probability.
/// - It returns `None` exactly when the game is over.
///
/// A search of a `Sampled` does not call [`actions`](GameState::actions) and
/// [`probability`](GameState::probability). So `actions` may yield a part of the actions, such as a grid, or
/// none. What it yields is seen by rollout policies that compare actions, such as
/// [`Mast`](crate::simulation::Mast), by evaluators, by agents other than searches, and by the rules kit. The
/// default rollouts play sampled actions.
///
/// If you [`advance`](crate::Mcts::advance) a search by actions that it has not sampled, such as those of an
/// opponent, override [`is_legal`](GameState::is_legal).
///
/// # Actions that are floats
///
/// `f64` is not `Eq`, because NaN differs from itself. Wrap it in a type of your own that is never NaN, as
/// here:
///
/// ```
/// use ramure::ActionSampler;
/// use ramure::prelude::*;
/// use ramure::search::Sampled;
///
/// /// A finite number.
/// #[derive(Clone, Copy, PartialEq, Debug)]
/// struct Real(f64);
/// impl Eq for Real {} // sound, because `new` accepts no NaN
/// impl Real {
///     fn new(number: f64) -> Option<Real> {
///         number.is_finite().then_some(Real(number))
///     }
/// }
///
/// /// The player names a number in [0, 1). The closer to 0.7, the better.
/// #[derive(Clone)]
/// struct Guess { named: Option<Real> }
///
/// impl GameState for Guess {
///     type Action = Real;
///     fn turn(&self) -> Turn {
///         if self.named.is_none() { Turn::Player(0) } else { Turn::Over }
///     }
///     fn actions(&self) -> impl IntoIterator<Item = Real> {
///         [] // a search of a `Sampled` does not ask
///     }
///     fn apply(&mut self, number: Real) {
///         self.named = Some(number);
///     }
///     fn reward(&self, _: Player) -> f64 {
///         self.named.map_or(0.0, |named| 1.0 - (named.0 - 0.7).abs())
///     }
///     fn players(&self) -> u8 {
///         1
///     }
/// }
///
/// impl ActionSampler for Guess {
///     fn sample_action(&self, rng: &mut Rng) -> Option<Real> {
///         if self.named.is_none() { Real::new(rng.unit()) } else { None }
///     }
/// }
///
/// let mut search = Mcts::new(Sampled::new(Guess { named: None })).tree_policy(Ucb1::new(0.1));
/// let report = search.run(Budget::iterations(2_000))?;
/// assert!((report.best_action().0 - 0.7).abs() < 0.1, "{report}");
/// # Ok::<(), SearchError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not sample its actions",
    label = "no sampler of actions",
    note = "add `impl ActionSampler for {Self} {{ fn sample_action(&self, rng: &mut Rng) -> Option<Self::Action> {{ .. }} }}`: proposes an action of the player to move, or draws an outcome of chance",
    note = "if `{Self}` is a type of another crate, wrap it in a type of yours",
    note = "if the game lists all its actions, search it without `Sampled`"
)]
pub trait ActionSampler: GameState {
    /// Proposes an action of the player to move, or draws an outcome of chance with its probability. Returns
    /// `None` exactly when the game is over.
    fn sample_action(&self, rng: &mut Rng) -> Option<Self::Action>;
}
