//! The items that most programs need: `use ramure::prelude::*;`.

pub use crate::backpropagation::{Average, Backprop, Solver, Step};
pub use crate::game::{GameState, Player, Rng, Turn};
pub use crate::selection::{Choice, Exploration, Node, TreePolicy, Ucb1};
pub use crate::simulation::{RolloutPolicy, Uniform};
pub use crate::{Budget, GameClock, Mcts, Report, Search, SearchError};
