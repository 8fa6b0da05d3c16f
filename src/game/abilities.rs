//! What a game may offer beyond [`GameState`]: only the algorithms that need an ability ask for it, at compile time.

use super::{GameState, Player};

/// Numbers the actions of a game, for policies that keep a table indexed by action.
///
/// **Who needs it:** [`Grave`](crate::selection::Grave), [`Rave`](crate::selection::Rave),
/// [`AlphaAmaf`](crate::selection::AlphaAmaf), [`ProgressiveHistory`](crate::selection::ProgressiveHistory),
/// [`Mast`](crate::simulation::Mast), [`Nst`](crate::simulation::Nst), [`Ppa`](crate::simulation::Ppa) and
/// [`LastGoodReply`](crate::simulation::LastGoodReply): they share what they learn of an action between all states of
/// the game, so an action must be recognised wherever it is played.
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

/// Knows the symmetries of a game: ways to turn or mirror a state that change nothing about how it is played.
///
/// **Who needs it:** the rules kit, `ramure::rules` behind the feature `proptest`, whose law on symmetries finds rules
/// that treat one side of the board unlike the other. No search asks for it.
///
/// Symmetries are numbered from 0; the one that changes nothing is left out. Of each the following holds: the actions
/// of the transformed state are the transformed actions; to play and then to transform leads to the same state as to
/// transform and then to play the transformed action; and the rewards are the same, each for the transformed player.
///
/// ```
/// use ramure::games::Connect4;
/// use ramure::{GameState, Symmetric};
///
/// assert_eq!(Connect4::SYMMETRIES, 1); // left and right
/// let mut game = Connect4::new();
/// game.apply("0".parse()?);
/// assert_eq!(game.transformed(0).cell(0, 6), Some(0));
/// assert_eq!(game.transformed_action("2".parse()?, 0), "4".parse()?);
/// # Ok::<(), ramure::games::ParseError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "the symmetries of `{Self}` are not known",
    label = "this compares a game with its mirror images",
    note = "add `impl Symmetric for {Self} {{ const SYMMETRIES: usize = ..; fn transformed(&self, symmetry: usize) -> Self {{ .. }} fn transformed_action(&self, action: Self::Action, symmetry: usize) -> Self::Action {{ .. }} }}`"
)]
pub trait Symmetric: GameState {
    /// How many symmetries there are besides the one that changes nothing.
    const SYMMETRIES: usize;

    /// The state as `symmetry`, in `0..SYMMETRIES`, shows it. On any other number it may panic.
    fn transformed(&self, symmetry: usize) -> Self;

    /// `action`, one of the [actions](GameState::actions) of this state, as `symmetry` shows it: an action of
    /// the transformed state.
    fn transformed_action(&self, action: Self::Action, symmetry: usize) -> Self::Action;

    /// Who takes the place of `player`, for symmetries that exchange the players. \[Default: he himself\]
    fn transformed_player(&self, player: Player, symmetry: usize) -> Player {
        let _ = symmetry;
        player
    }
}
