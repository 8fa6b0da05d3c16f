//! Games to measure searches on. They use the layer `game` of [`ramure`] and nothing else.

pub mod game_2048;
pub mod pig;

pub use game_2048::Game2048;
pub use pig::Pig;
