//! [`Picture`]: games that draw their positions.

use super::GameState;

/// A game that draws its positions as SVG.
///
/// **Who needs it:** pages that show positions, such as those that the crate `ramure-explorer` writes. The
/// games of the crate `ramure-games` for two players have it.
///
/// # The picture
///
/// The picture is one `<svg>` element with a `viewBox` and without a size, so that it fills the space that a
/// page gives it. Write **one line of text per cell**, and the same lines in the same order for every
/// position: a page of `ramure-explorer` stores only the lines in which a position differs from the one before
/// it.
///
/// Colours that suit dark and light pages alike are `currentColor`, the colour of the text around the
/// picture, in part transparent. The games of `ramure-games` also use these classes, with which a page can
/// restyle a picture:
///
/// | class | what it is |
/// |---|---|
/// | `board` | the background |
/// | `grid` | lines between cells, and the sides of the board |
/// | `label` | the names of rows and columns |
/// | `cell` | a cell, or a column that takes a stone. It has `data-action="A"`, where `A` is the `Debug` text of the action, while the action is legal |
/// | `p0`, `p1` | a stone or mark of this player |
/// | `last` | the mark of the last action |
/// | `win` | a part of what won the game |
///
/// # Examples
///
/// ```
/// use ramure::prelude::*;
/// use ramure::Picture;
///
/// #[derive(Clone)]
/// struct Sticks {
///     left: u8,
///     player: Player,
/// }
/// # impl GameState for Sticks {
/// #     type Action = u8;
/// #     fn turn(&self) -> Turn {
/// #         if self.left == 0 { Turn::Over } else { Turn::Player(self.player) }
/// #     }
/// #     fn actions(&self) -> impl IntoIterator<Item = u8> {
/// #         1..=self.left.min(3)
/// #     }
/// #     fn apply(&mut self, taken: u8) {
/// #         self.left -= taken;
/// #         self.player = 1 - self.player;
/// #     }
/// #     fn reward(&self, player: Player) -> f64 {
/// #         if player == self.player { 0.0 } else { 1.0 }
/// #     }
/// # }
///
/// impl Picture for Sticks {
///     fn picture(&self, _last: Option<u8>) -> String {
///         let mut svg = String::from("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 20\">\n");
///         for stick in 0..10 {
///             let opacity = if stick < self.left { 1.0 } else { 0.1 };
///             let x = 10 * stick + 3;
///             svg += &format!("<rect x=\"{x}\" y=\"1\" width=\"4\" height=\"18\" fill=\"currentColor\" opacity=\"{opacity}\"/>\n");
///         }
///         svg + "</svg>\n"
///     }
/// }
///
/// let picture = Sticks { left: 4, player: 0 }.picture(None);
/// assert_eq!(picture.matches("opacity=\"1\"").count(), 4);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not draw its positions",
    label = "this needs `impl Picture for {Self}`",
    note = "add `impl ramure::Picture for {Self} {{ fn picture(&self, last: Option<<Self as GameState>::Action>) -> String {{ .. }} }}`",
    note = "if `{Self}` is a type of another crate, wrap it in a type of yours",
    note = "or show positions as text, with `texts` instead of `pictures`"
)]
pub trait Picture: GameState {
    /// Returns the position as an SVG image. `last` is the action that led to it; `None` if it is not known.
    fn picture(&self, last: Option<Self::Action>) -> String;
}
