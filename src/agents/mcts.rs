//! A search as an agent.

use super::{Agent, AgentError, mover};
use crate::game::GameState;
use crate::search::{Budget, ReportOf, Search};
use core::fmt;

/// Monte-Carlo tree search as an agent: any search, a budget for each action, and a tree that is kept between
/// actions.
///
/// `make` creates the search from a state and a seed; it is called once per game. The agent follows the
/// actions reported to [`played`](Agent::played), and so keeps the subtree of the current state. If they are not
/// reported, it starts with an empty tree.
///
/// ```
/// use ramure::agents::{Agent, MctsAgent};
/// use ramure::games::Connect4;
/// use ramure::prelude::*;
///
/// let mut agent = MctsAgent::new("mcts:384", Budget::iterations(384), |state: &Connect4, seed| {
///     Mcts::new(state.clone()).tree_policy(Ucb1::new(0.5)).seed(seed)
/// });
/// let game = Connect4::new();
/// let action = agent.choose(&game)?;
/// println!("{action}\n{}", agent.thoughts(&game).unwrap_or_default());
/// # Ok::<(), ramure::agents::AgentError>(())
/// ```
pub struct MctsAgent<S: Search, F> {
    name: String,
    budget: Budget,
    make: F,
    search: Option<S>,
    seed: u64,
    keeps_tree: bool,
    /// The actions played since the last choice.
    played: Vec<<S::Game as GameState>::Action>,
    report: Option<ReportOf<S::Game>>,
}

impl<S: Search, F: FnMut(&S::Game, u64) -> S> MctsAgent<S, F> {
    /// Creates an agent that searches within `budget` for each action.
    pub fn new(name: impl Into<String>, budget: Budget, make: F) -> Self {
        let (played, name) = (Vec::new(), name.into());
        MctsAgent { name, budget, make, search: None, seed: 0, keeps_tree: true, played, report: None }
    }

    /// Starts every search with an empty tree. \[Default: keeps the tree\]
    #[must_use]
    pub fn without_tree_reuse(mut self) -> Self {
        self.keeps_tree = false;
        self
    }

    /// The report of the search for the last choice.
    pub fn report(&self) -> Option<&ReportOf<S::Game>> {
        self.report.as_ref()
    }

    /// Advances the search by the actions played. Returns whether that leads to `state`, as far as the turn
    /// and the legal actions can tell.
    fn follow(&mut self, state: &S::Game) -> bool {
        let played = std::mem::take(&mut self.played);
        let Some(search) = &mut self.search else { return false };
        if !self.keeps_tree
            || played.is_empty()
            || played.iter().any(|&action| search.advance(action).is_err())
        {
            return false;
        }
        let there = search.state();
        there.turn() == state.turn() && there.actions().into_iter().eq(state.actions())
    }
}

impl<S: Search, F> fmt::Debug for MctsAgent<S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MctsAgent")
            .field("name", &self.name)
            .field("budget", &self.budget)
            .field("keeps_tree", &self.keeps_tree)
            .field("report", &self.report)
            .finish_non_exhaustive()
    }
}

impl<S: Search, F: FnMut(&S::Game, u64) -> S> Agent<S::Game> for MctsAgent<S, F> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, state: &S::Game) -> Result<<S::Game as GameState>::Action, AgentError> {
        mover(state)?;
        let follows = self.follow(state);
        let search = match &mut self.search {
            Some(search) => {
                if !follows {
                    search.reset(state.clone());
                }
                search
            }
            none => none.insert((self.make)(state, self.seed)),
        };
        let report = search.run(self.budget)?;
        let action = report.try_best_action()?;
        self.report = Some(report);
        Ok(action)
    }

    fn played(&mut self, action: <S::Game as GameState>::Action) {
        self.played.push(action);
    }

    fn new_game(&mut self, seed: u64) {
        (self.search, self.seed, self.report) = (None, seed, None);
        self.played.clear();
    }

    fn thoughts(&self, _: &S::Game) -> Option<String> {
        self.report.as_ref().map(|report| report.to_string())
    }
}
