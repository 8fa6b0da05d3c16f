//! How a book recognises a position.

use core::fmt::Display;
use ramure::{GameState, Keyed, Symmetric};

/// Where a position is in a book.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The name of the position: its key in hexadecimal digits, or else its text. Of mirror images, it is the
    /// least key.
    pub name: String,
    /// The symmetry that turns the state into the one with this name; `None` if it is this one.
    pub symmetry: Option<usize>,
}

/// A game whose positions have entries in a book.
///
/// Games that are [`Keyed`] and [`Symmetric`], with actions that are `Display`, have it. For others,
/// implement both methods:
///
/// ```
/// use ramure::{GameState, Player, Turn};
/// use ramure_lab::book::{Place, Positions};
///
/// /// Players take one or two sticks in turn.
/// #[derive(Clone)]
/// struct Sticks { left: u8, player: Player }
/// # impl GameState for Sticks {
/// #     type Action = u8;
/// #     fn turn(&self) -> Turn { if self.left == 0 { Turn::Over } else { Turn::Player(self.player) } }
/// #     fn actions(&self) -> impl IntoIterator<Item = u8> { 1..=self.left.min(2) }
/// #     fn apply(&mut self, taken: u8) { self.left -= taken; self.player = 1 - self.player; }
/// #     fn reward(&self, player: Player) -> f64 { if player == self.player { 0.0 } else { 1.0 } }
/// # }
///
/// impl Positions for Sticks {
///     fn place(&self) -> Place {
///         Place { name: format!("{} left for player {}", self.left, self.player), symmetry: None }
///     }
///     fn name_of(&self, action: u8, _: Option<usize>) -> String {
///         action.to_string()
///     }
/// }
/// ```
pub trait Positions: GameState {
    /// Returns the place of this position in a book. Two states with the same name are the same position, up
    /// to the symmetry.
    fn place(&self) -> Place;

    /// Returns the name of `action`, one of the actions of this state, in the entry of the book, where
    /// `symmetry` is that of the [`place`](Self::place). Different actions have different names.
    fn name_of(&self, action: Self::Action, symmetry: Option<usize>) -> String;
}

impl<G: Keyed + Symmetric<Action: Display>> Positions for G {
    fn place(&self) -> Place {
        let players = self.players();
        let keeps = |symmetry: &usize| {
            (0..players).all(|player| self.transformed_player(player, *symmetry) == player)
        };
        let images = (0..G::SYMMETRIES).filter(keeps);
        let keys = images.map(|symmetry| (self.transformed(symmetry).key(), Some(symmetry)));
        let (key, symmetry) =
            keys.fold((self.key(), None), |least, image| if image.0 < least.0 { image } else { least });
        Place { name: format!("{key:x}"), symmetry }
    }

    fn name_of(&self, action: G::Action, symmetry: Option<usize>) -> String {
        match symmetry {
            Some(symmetry) => self.transformed_action(action, symmetry).to_string(),
            None => action.to_string(),
        }
    }
}
