//! arbor 0.2, with its own rollout. Rewards are in [0, 1], so its c is ours.
//!
//! Its states must be `Copy`, and none of these games is. So its state is a number in a list of states. Its
//! rollout copies the state for each action; here, this clones the state. It has no games of more than two
//! players.

use crate::Found;
use crate::position::{Position, Shared};
use arbor::{Action, GameResult, GameState, MCTS};
use ramure::Player;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::fmt;

#[derive(Clone, Copy, Debug)]
struct Choice<A>(A);
impl<A: Copy + fmt::Debug> Action for Choice<A> {}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Side(Player);
impl arbor::Player for Side {}

/// The root, and after it the states of the iteration.
type States<G> = RefCell<Vec<Position<G>>>;

struct Game<'a, G> {
    states: &'a States<G>,
    index: usize,
    player: Player,
}

impl<'a, G: Shared> Game<'a, G> {
    fn last(states: &'a States<G>) -> Self {
        let list = states.borrow();
        let index = list.len() - 1;
        Game { states, index, player: list[index].player }
    }
}

impl<G> Clone for Game<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for Game<'_, G> {}

impl<G> fmt::Debug for Game<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "state {}", self.index)
    }
}

impl<G> fmt::Display for Game<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl<G: Shared> GameState<Side, Choice<G::Action>> for Game<'_, G> {
    fn actions<F: FnMut(Choice<G::Action>)>(&self, f: &mut F) {
        self.states.borrow()[self.index].state.actions().into_iter().for_each(|action| f(Choice(action)));
    }

    fn make(&self, Choice(action): Choice<G::Action>) -> Self {
        let mut states = self.states.borrow_mut();
        if self.index == 0 {
            states.truncate(1); // the next iteration begins
        }
        let mut next = states[self.index].clone();
        next.apply(action);
        states.push(next);
        drop(states);
        Game::last(self.states)
    }

    fn gameover(&self) -> Option<GameResult> {
        self.states.borrow()[self.index].result().map(|result| match result {
            Ordering::Less => GameResult::Lose,
            Ordering::Equal => GameResult::Draw,
            Ordering::Greater => GameResult::Win,
        })
    }

    fn player(&self) -> Side {
        Side(self.player)
    }
}

/// Its generator takes no seed.
pub fn search<G: Shared>(state: &G, iterations: u64, _: u64) -> Found<G::Action> {
    let states = RefCell::new(vec![Position::new(state.clone())]);
    let mut search = MCTS::new(Game::last(&states)).with_exploration(crate::C).with_entropy();
    search.ponder(iterations as usize);
    let Choice(action) = search.best().expect("a game that is not over");
    // The root begins with one visit.
    Found { action, visits: Some(u64::from(search.info.n) - 1) }
}
