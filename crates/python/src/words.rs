//! The words of searches and agents: texts such as `ucb1-tuned` and `mcts:1000` name them.

use crate::game::PyGame;
use crate::hooks::Hooks;
use ramure_lab::commands::{AnyGame, Everything};
use ramure_lab::{Registry, WithEvaluation, WithNumbers};
use std::sync::LazyLock;

/// The words for games of the crate.
pub static OF_THE_CRATE: LazyLock<Everything> = LazyLock::new(AnyGame::registry);

/// The words for games written in Python, which share their loops.
type OfPython = Registry<PyGame, WithNumbers<WithEvaluation>>;

/// Returns the words for a game that has the methods that `hooks` says.
pub fn of_python(hooks: &Hooks) -> &'static OfPython {
    static KNOWN: LazyLock<[OfPython; 4]> = LazyLock::new(|| {
        let all = || Registry::new().with_evaluation().with_numbers();
        let keyed = all().with_keys();
        [all().without_evaluation(), all(), keyed.clone().without_evaluation(), keyed]
    });
    &KNOWN[usize::from(hooks.has("evaluation")) + 2 * usize::from(hooks.has("key"))]
}
