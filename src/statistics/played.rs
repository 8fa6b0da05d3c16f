//! Nothing per child, but the actions of every iteration.

use super::Statistics;
use crate::game::ActionIndex;
use crate::simulation::Numbered;

/// Nothing at all, 0 bytes per child: it asks for a trace of the actions of every iteration, so that
/// [`TreePolicy::learn`](crate::selection::TreePolicy::learn) is told them, with indices known to be in range.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Played;

impl<G: ActionIndex, R> Statistics<G, R> for Played {
    type Trace = Numbered<G::Action>;
}
