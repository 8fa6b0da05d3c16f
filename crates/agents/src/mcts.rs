//! A search as an agent.

use crate::{Agent, mover};
use core::fmt;
use ramure::search::{ActionOf, Space};
use ramure::{Budget, GameClock, GameState, Report, RootDecision, Search, SearchError, Turn, WallClock};

/// The game that an agent with a search plays.
type RealOf<S> = <<S as Search>::Space as Space>::Real;

/// An action of the game that a space is made of.
type RealAction<S> = <<S as Space>::Real as GameState>::Action;

/// Monte-Carlo tree search as an agent: any search, a budget for each action or a clock for the whole game,
/// and a tree that is kept between actions.
///
/// `make` creates the search from a state and a seed; it is called once per game,
/// with seed 0 before the first [`new_game`](Agent::new_game). The state may be wrapped:
/// with `|space: &InformationSet<Whist>, seed| ..`, the agent plays `Whist`, and searches what the player to
/// move sees. The agent follows the actions reported to [`played`](Agent::played), and so keeps the subtree
/// of the current state. If they are not reported, it starts with an empty tree.
///
/// Until [`new_game`](Agent::new_game), all states are of one game: if the search
/// [recognises positions](ramure::search::Transpositions), a line of play that returns to one of them is a
/// repetition, also after an empty tree. The agent does not know the states before its first choice.
///
/// ```
/// use ramure_agents::{Agent, MctsAgent};
/// use ramure_games::Connect4;
/// use ramure::prelude::*;
///
/// let mut agent = MctsAgent::new("mcts:384", Budget::iterations(384), |state: &Connect4, seed| {
///     Mcts::new(state.clone()).tree_policy(Ucb1::new(0.5)).seed(seed)
/// });
/// let game = Connect4::new();
/// let action = agent.choose(&game)?;
/// println!("{action}\n{}", agent.thoughts(&game).unwrap_or_default());
/// # Ok::<(), ramure::SearchError>(())
/// ```
pub struct MctsAgent<S: Search, F> {
    name: String,
    pace: Pace,
    make: F,
    search: Option<S>,
    seed: u64,
    keeps_tree: bool,
    /// How many of its first actions of a game it chooses by another decision.
    opening: Option<(u32, RootDecision)>,
    /// How many actions it has chosen in this game.
    chosen: u32,
    /// The actions played since the last choice.
    played: Vec<RealAction<S::Space>>,
    report: Option<Report<ActionOf<S::Space>>>,
}

/// How much an agent may search.
#[derive(Clone, Copy, Debug)]
enum Pace {
    /// The same for each action.
    Budget(Budget),
    /// A clock for the whole game: what it shows at the start, and now.
    Clock { start: GameClock, now: GameClock },
}

impl<S: Search, F: FnMut(&S::Space, u64) -> S> MctsAgent<S, F> {
    /// Creates an agent that searches within `budget` for each action.
    pub fn new(name: impl Into<String>, budget: Budget, make: F) -> Self {
        MctsAgent::with_pace(name.into(), Pace::Budget(budget), make)
    }

    /// Creates an agent that plays each game on `clock`, which shows the time at the start of a game.
    ///
    /// The agent counts the time in [`choose`](Agent::choose). If its flag falls there, it returns
    /// [`SearchError::FlagFell`], as it does from then on until the next game.
    ///
    /// ```
    /// use ramure_agents::{Agent, MctsAgent};
    /// use ramure_games::Connect4;
    /// use ramure::prelude::*;
    /// use std::time::Duration;
    ///
    /// let clock = GameClock::new(Duration::from_millis(900)).increment(Duration::from_millis(10));
    /// let mut agent = MctsAgent::on_clock("clock", clock, |state: &Connect4, seed| Mcts::new(*state).seed(seed));
    /// agent.choose(&Connect4::new())?;
    /// assert!(agent.clock().is_some_and(|clock| clock.remaining() < Duration::from_millis(910)));
    /// # Ok::<(), ramure::SearchError>(())
    /// ```
    pub fn on_clock(name: impl Into<String>, clock: GameClock, make: F) -> Self {
        MctsAgent::with_pace(name.into(), Pace::Clock { start: clock, now: clock }, make)
    }

    fn with_pace(name: String, pace: Pace, make: F) -> Self {
        MctsAgent {
            name,
            pace,
            make,
            search: None,
            seed: 0,
            keeps_tree: true,
            opening: None,
            chosen: 0,
            played: Vec::new(),
            report: None,
        }
    }

    /// Starts every search with an empty tree. \[Default: keeps the tree\]
    #[must_use]
    pub fn without_tree_reuse(mut self) -> Self {
        self.keeps_tree = false;
        self
    }

    /// Chooses the first `actions` actions after [`new_game`](Agent::new_game) by `decision`, and the others
    /// by that of the search. So its games differ, although it plays to win. Call `new_game` before each
    /// game: its seed determines what is drawn. \[Default: no opening\]
    ///
    /// ```
    /// use ramure_agents::{Agent, MctsAgent};
    /// use ramure_games::Connect4;
    /// use ramure::prelude::*;
    /// use ramure::RootDecision;
    ///
    /// let make = |state: &Connect4, seed| Mcts::new(*state).seed(seed);
    /// let agent = MctsAgent::new("varied", Budget::iterations(200), make);
    /// let mut agent = agent.opening(4, RootDecision::Temperature(1.0)); // or `Within(0.05)`
    /// let mut first = Vec::new();
    /// for seed in 0..20 {
    ///     agent.new_game(seed);
    ///     first.push(agent.choose(&Connect4::new())?);
    /// }
    /// assert!(first.iter().any(|action| *action != first[0]));
    /// # Ok::<(), SearchError>(())
    /// ```
    #[must_use]
    pub fn opening(mut self, actions: u32, decision: RootDecision) -> Self {
        self.opening = Some((actions, decision));
        self
    }

    /// The report of the search for the last choice.
    pub fn report(&self) -> Option<&Report<ActionOf<S::Space>>> {
        self.report.as_ref()
    }

    /// Advances the search by the actions played. Returns whether that leads to `state`, as far as the turn
    /// and the legal actions can tell. If the game fails, keeps the actions that remain for the next choice.
    fn follow(&mut self, state: &RealOf<S>) -> Result<bool, SearchError> {
        let Some(search) = self.search.as_mut().filter(|_| !self.played.is_empty()) else {
            self.played.clear();
            return Ok(false);
        };
        while let Some(action) = self.played.first().cloned() {
            let follows = !is_hidden(search.space(), action.clone());
            match follows.then(|| search.advance(search.space().of_real(action))) {
                Some(Err(error @ SearchError::Failed { .. })) => return Err(error),
                Some(Ok(())) => drop(self.played.remove(0)),
                Some(Err(_)) | None => {
                    self.played.clear();
                    return Ok(false);
                }
            }
        }
        if !self.keeps_tree {
            return Ok(false); // the search has noted the positions on the way
        }
        let there = search.state();
        let follows = there.turn() == state.turn() && there.actions().into_iter().eq(state.actions());
        SearchError::unless_failed(0)?;
        Ok(follows)
    }
}

/// Returns whether the observer of the guesses does not see `action` as it is. A tree that followed it would
/// know it.
fn is_hidden<S: Space>(space: &S, action: RealAction<S>) -> bool {
    let (root, action) = (space.root(), space.of_real(action));
    let hides = |observer| {
        root.turn() != Turn::Player(observer)
            && S::seen(root, action.clone(), observer).as_ref() != Some(&action)
    };
    space.observer().is_some_and(hides)
}

impl<S: Search, F> fmt::Debug for MctsAgent<S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MctsAgent")
            .field("name", &self.name)
            .field("pace", &self.pace)
            .field("keeps_tree", &self.keeps_tree)
            .field("opening", &self.opening)
            .field("report", &self.report)
            .finish_non_exhaustive()
    }
}

impl<S: Search, F: FnMut(&S::Space, u64) -> S> Agent<RealOf<S>> for MctsAgent<S, F> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, state: &RealOf<S>) -> Result<RealAction<S::Space>, SearchError> {
        let (player, _) = mover(state)?;
        let clock = WallClock::start();
        let budget = match &self.pace {
            Pace::Budget(budget) => *budget,
            Pace::Clock { now, .. } => now.budget()?,
        };
        let follows = self.follow(state)?;
        let space = || S::Space::of(state.clone(), player);
        let search = match &mut self.search {
            Some(search) => {
                let observer = search.space().observer();
                if !follows || observer.is_some_and(|observer| observer != player) {
                    search.continue_at(space());
                }
                search
            }
            none => none.insert((self.make)(&space(), self.seed)),
        };
        let opening = self.opening.filter(|&(actions, _)| self.chosen < actions);
        opening.map_or(Ok(()), |(_, decision)| decision.check())?;
        let mut report = search.run(budget)?;
        if let Some((_, decision)) = opening {
            // The root may have been chosen among before: each action has a draw of its own.
            let moment = u64::from(self.chosen).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            report.choose_by(decision, self.seed.wrapping_add(moment))?;
        }
        self.chosen += 1;
        let chosen = report.try_best_action()?;
        let illegal = |action: &_| SearchError::IllegalAction { action: format!("{action:?}").into() };
        let action = S::Space::to_real(chosen.clone()).ok_or_else(|| illegal(&chosen))?;
        self.report = Some(report);
        if let Pace::Clock { now, .. } = &mut self.pace {
            now.spent(clock.elapsed())?;
        }
        Ok(action)
    }

    fn played(&mut self, action: RealAction<S::Space>) {
        self.played.push(action);
    }

    fn new_game(&mut self, seed: u64) {
        (self.search, self.seed, self.report, self.chosen) = (None, seed, None, 0);
        self.played.clear();
        if let Pace::Clock { start, now } = &mut self.pace {
            *now = *start;
        }
    }

    fn clock(&self) -> Option<GameClock> {
        match self.pace {
            Pace::Clock { now, .. } => Some(now),
            Pace::Budget(_) => None,
        }
    }

    fn thoughts(&self, _: &RealOf<S>) -> Option<String> {
        self.report.as_ref().map(|report| report.to_string())
    }
}
