//! The trait by which a game is shown to a network.

use crate::Shape;
use ramure::{ActionIndex, Player, Turn};

/// Shows the states of a game to a network, and numbers its outputs.
///
/// This is the only trait that a game needs for a [`Network`](crate::Network), besides [`ActionIndex`] of the
/// crate `ramure`. Two methods are required.
///
/// # The view
///
/// Write a state as the [viewer](Self::viewer) sees it: by default, the player to move. "Mine" and "theirs"
/// instead of "white" and "black" makes the network learn each pattern once and not twice. Where the rules
/// differ between the players, as in Hex, turn the board so that they do not, or add a plane that says which
/// player is to move.
///
/// # Parameters of the board
///
/// If your game has boards of several sizes, the shape may depend on `self`. A network then serves one size:
/// that of the state with which it was loaded.
///
/// # Examples
///
/// ```
/// use ramure::prelude::*;
/// use ramure::ActionIndex;
/// use ramure_nets::{Planes, Shape};
///
/// /// Players take one, two or three sticks in turn. The player who takes the last one wins.
/// #[derive(Clone)]
/// struct Sticks { left: u8, player: Player }
///
/// impl GameState for Sticks {
///     type Action = u8;
///     fn turn(&self) -> Turn {
///         if self.left == 0 { Turn::Over } else { Turn::Player(self.player) }
///     }
///     fn actions(&self) -> impl IntoIterator<Item = u8> {
///         1..=self.left.min(3)
///     }
///     fn apply(&mut self, taken: u8) {
///         self.left -= taken;
///         self.player = 1 - self.player;
///     }
///     fn reward(&self, player: Player) -> f64 {
///         if player == self.player { 0.0 } else { 1.0 }
///     }
/// }
///
/// impl ActionIndex for Sticks {
///     const ACTION_COUNT: usize = 3;
///     fn action_index(taken: u8) -> usize {
///         usize::from(taken) - 1
///     }
/// }
///
/// impl Planes for Sticks {
///     fn shape(&self) -> Shape {
///         Shape::Features(10) // one for each number of sticks
///     }
///     fn write(&self, input: &mut [f32]) {
///         input[usize::from(self.left) - 1] = 1.0;
///     }
/// }
///
/// let mut input = [0.0; 10];
/// Sticks { left: 3, player: 1 }.write(&mut input);
/// assert_eq!(input, [0., 0., 1., 0., 0., 0., 0., 0., 0., 0.]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be shown to a network",
    label = "this evaluates positions by a network",
    note = "add `impl Planes for {Self} {{ fn shape(&self) -> Shape {{ .. }} fn write(&self, input: &mut [f32]) {{ .. }} }}`: the numbers that the network reads, seen by the player to move",
    note = "if `{Self}` is a type of another crate, wrap it in a type of yours"
)]
pub trait Planes: ActionIndex {
    /// Returns the shape of the input, the same for all states of a game.
    fn shape(&self) -> Shape;

    /// Writes this unfinished state into `input`, which has [`shape().len()`](Shape::len) numbers, all 0.
    ///
    /// Write finite numbers. The result must depend on the state alone.
    fn write(&self, input: &mut [f32]);

    /// Returns the player who sees the input, and whose value the network gives. \[Default: the player to
    /// move; player 0 if chance draws\]
    fn viewer(&self) -> Player {
        match self.turn() {
            Turn::Player(player) => player,
            _ => 0,
        }
    }

    /// Returns the number of columns of the policy head, the same for all states of a game. \[Default:
    /// [`ACTION_COUNT`](ActionIndex::ACTION_COUNT)\]
    fn policy_size(&self) -> usize {
        Self::ACTION_COUNT
    }

    /// Returns the column of the policy head for `action`, a legal action of this state, below
    /// [`policy_size`](Self::policy_size). \[Default: its [`action_index`](ActionIndex::action_index)\]
    ///
    /// If [`write`](Self::write) turns the board, turn the action, too.
    fn policy_index(&self, action: Self::Action) -> usize {
        Self::action_index(action)
    }
}
