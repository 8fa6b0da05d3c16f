//! Visits all lines of play from a state, without recursion.

use ramure::CustomError;
use ramure::{GameState, Turn, take_failure};

/// A state of the current line. Its untried actions are in the common list, from `first` up to where those of
/// the next state start.
struct Level<G> {
    state: G,
    first: usize,
}

/// Calls `visit` with the state at the end of each line of up to `depth` actions, and with the number of
/// actions. It returns whether the line goes on.
pub(super) fn walk<G: GameState>(state: &G, depth: usize, mut visit: impl FnMut(usize, &G) -> bool) {
    take_failure(); // of a call outside of counts
    if depth == 0 || state.turn() == Turn::Over {
        return;
    }
    let mut levels = vec![Level { state: state.clone(), first: 0 }];
    let mut untried: Vec<G::Action> = Vec::new();
    let mut last = state.clone();
    let mut ply = 0; // of the level that is worked at
    if depth > 1 {
        untried.extend(state.actions());
        unless_failed();
    }
    loop {
        if ply + 1 == depth {
            // Most of the time is spent here, so nothing is stored that is not needed.
            let state = &levels[ply].state;
            for action in state.actions() {
                last.clone_from(state);
                last.apply(action);
                unless_failed();
                visit(depth, &last);
            }
            unless_failed();
        } else if untried.len() > levels[ply].first
            && let Some(action) = untried.pop()
        {
            if ply + 1 == levels.len() {
                levels.push(Level { state: levels[ply].state.clone(), first: 0 });
            } else {
                let (above, below) = levels.split_at_mut(ply + 1);
                below[0].state.clone_from(&above[ply].state);
            }
            let level = &mut levels[ply + 1];
            level.state.apply(action);
            unless_failed();
            level.first = untried.len();
            if visit(ply + 1, &level.state) {
                ply += 1;
                if ply + 1 < depth {
                    untried.extend(level.state.actions());
                }
            }
            unless_failed();
            continue;
        }
        if ply == 0 {
            return;
        }
        ply -= 1;
    }
}

/// Panics if the game has failed: what was counted would be wrong.
#[inline(always)]
pub(super) fn unless_failed() {
    if let Some(error) = take_failure() {
        panic!("the game failed: {:?}", CustomError::from(error));
    }
}
