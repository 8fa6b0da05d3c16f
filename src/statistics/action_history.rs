//! No statistics per child, but the actions of every iteration.

use super::Statistics;
use crate::game::ActionIndex;
use crate::simulation::Numbered;

/// Empty statistics that request a trace of the actions of every iteration. 0 bytes per child.
///
/// The search passes these actions to [`TreePolicy::learn`](crate::selection::TreePolicy::learn). Their
/// indices are known to be in range.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct ActionHistory;

impl<G: ActionIndex, R> Statistics<G, R> for ActionHistory {
    type Trace = Numbered<G::Action>;
}
