//! Games to measure searches on: with hidden cards, simultaneous choices and dice. Uses the layer `game` of
//! [`ramure`] and nothing else.
//!
//! Each game is one file. States are small and cheap to clone, and print as text for people to read. Two
//! states are equal if all that has happened in them is the same, as far as the rules need it.
//! [`apply`](ramure::GameState::apply) trusts its caller: an action that is not legal may panic.

pub mod breakthrough;
pub mod einstein;
pub mod game_2048;
pub mod goofspiel;
pub mod knockout_whist;
pub mod kuhn;
pub mod leduc;
pub mod matrix;
pub mod phantom_tic_tac_toe;
pub mod pig;
mod sets;
mod small_connect4;

pub use breakthrough::Breakthrough;
pub use einstein::Einstein;
pub use game_2048::Game2048;
pub use goofspiel::Goofspiel;
pub use knockout_whist::KnockoutWhist;
pub use kuhn::Kuhn;
pub use leduc::Leduc;
pub use matrix::MatrixGame;
pub use phantom_tic_tac_toe::PhantomTicTacToe;
pub use pig::Pig;
pub use small_connect4::SmallConnect4;

/// Implements `Debug` by `Display`, so that reports and failed assertions show readable actions.
macro_rules! debug_as_display {
    ($($type:ty),+) => {
        $(impl core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        })+
    };
}
pub(crate) use debug_as_display;
