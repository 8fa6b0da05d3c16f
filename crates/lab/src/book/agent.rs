//! An agent that plays from a book.

use super::{Book, Positions};
use core::fmt;
use ramure::{GameClock, SearchError};
use ramure_agents::Agent;
use std::sync::Arc;

/// An agent that plays the best actions of a book, and asks another agent in positions that are not in the
/// book.
///
/// Its actions are legal in every position: of the book, it takes the name of an action, and plays the legal
/// action with this name. A symmetric position finds the entry of its mirror image.
///
/// See [`Book`] for an example.
pub struct BookAgent<G, A> {
    book: Arc<Book<G>>,
    otherwise: A,
    /// Whether the last choice came from the book.
    is_from_book: bool,
}

impl<G: Positions, A: Agent<G>> BookAgent<G, A> {
    /// Creates an agent that plays from `book`, and asks `otherwise` where it ends. Several agents can share
    /// one book, as an `Arc`.
    pub fn new(book: impl Into<Arc<Book<G>>>, otherwise: A) -> Self {
        BookAgent { book: book.into(), otherwise, is_from_book: false }
    }

    /// Returns the book.
    pub fn book(&self) -> &Book<G> {
        &self.book
    }
}

impl<G: Positions, A: Agent<G>> Agent<G> for BookAgent<G, A> {
    fn name(&self) -> String {
        format!("book+{}", self.otherwise.name())
    }

    fn choose(&mut self, state: &G) -> Result<G::Action, SearchError> {
        let action = self.book.best_action(state);
        self.is_from_book = action.is_some();
        action.map_or_else(|| self.otherwise.choose(state), Ok)
    }

    fn played(&mut self, action: G::Action) {
        self.otherwise.played(action);
    }

    fn new_game(&mut self, seed: u64) {
        self.is_from_book = false;
        self.otherwise.new_game(seed);
    }

    fn clock(&self) -> Option<GameClock> {
        self.otherwise.clock()
    }

    fn thoughts(&self, state: &G) -> Option<String> {
        if !self.is_from_book {
            return self.otherwise.thoughts(state);
        }
        let entry = self.book.find(state)?;
        let best = entry.best()?;
        Some(format!("from the book: {} visits of {}, mean {:.3}", best.visits, visits(entry), best.mean))
    }
}

fn visits(entry: &super::Entry) -> u64 {
    entry.actions.iter().map(|action| u64::from(action.visits)).sum()
}

impl<G, A: fmt::Debug> fmt::Debug for BookAgent<G, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BookAgent")
            .field("positions", &self.book.entries.len())
            .field("otherwise", &self.otherwise)
            .finish_non_exhaustive()
    }
}
