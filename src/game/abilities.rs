//! What a game may offer beyond [`GameState`]: only the algorithms that need an ability ask for it, at compile time.

use super::{GameState, Player};

/// Numbers the actions of a game, for policies that keep a table indexed by action.
///
/// **Who needs it:** [`Grave`](crate::selection::Grave), [`Rave`](crate::selection::Rave) and
/// [`Mast`](crate::simulation::Mast): they share what they learn of an action between all states of the game, so
/// an action must be recognised wherever it is played.
///
/// ```
/// use ramure::ActionIndex;
/// use ramure::games::TicTacToe;
/// # use ramure::GameState;
/// assert_eq!(TicTacToe::ACTION_COUNT, 9);
/// let indices: Vec<usize> = TicTacToe::new().actions().into_iter().map(TicTacToe::action_index).collect();
/// assert_eq!(indices, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
/// ```
#[diagnostic::on_unimplemented(
    message = "the actions of `{Self}` have no numbers",
    label = "this search keeps a table indexed by action",
    note = "add `impl ActionIndex for {Self} {{ const ACTION_COUNT: usize = ..; fn action_index(action: Self::Action) -> usize {{ .. }} }}`: below ACTION_COUNT, and the same for the same action everywhere in the game"
)]
pub trait ActionIndex: GameState {
    /// All indices are below this. Tables of this many rows are kept, so the denser the better.
    const ACTION_COUNT: usize;

    /// The number of `action`, in `0..ACTION_COUNT`; two actions that are not equal have different numbers.
    fn action_index(action: Self::Action) -> usize;
}

/// Guesses the worth of an unfinished game.
///
/// **Who needs it:** [`Cutoff`](crate::simulation::Cutoff), which ends rollouts early.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no static evaluation",
    label = "this search values unfinished games",
    note = "add `impl StaticEvaluation for {Self} {{ fn evaluate(&self, player: Player) -> f64 {{ .. }} }}`: what the state seems worth to `player`, in [0, 1]"
)]
pub trait StaticEvaluation: GameState {
    /// What this running game seems worth to `player`, in [0, 1], on the scale of [`GameState::reward`].
    fn evaluate(&self, player: Player) -> f64;
}
