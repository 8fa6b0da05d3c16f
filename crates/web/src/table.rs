//! A game that is being played: its position, its past, and a search for each player.

use crate::error::PageError;
use crate::games::Game;
use crate::review::Review;
use crate::searches::{Explored, OnPage, search};
use crate::settings::{Effort, Settings};
use crate::view::{ReportView, View, named, report_view, text};
use core::time::Duration;
use ramure::search::ActionOf;
use ramure::{Budget, Report, StopReason};
use ramure::{Player, Turn};
use ramure_explorer::RootHistory;

/// A table of any game.
pub trait AnyTable {
    /// Plays an action, given as its text.
    ///
    /// # Errors
    ///
    /// Returns an error if the action is not legal.
    fn play(&mut self, action: &str) -> Result<(), PageError>;

    /// Takes `count` actions back, or all if there are fewer. Returns how many it took back.
    fn undo(&mut self, count: usize) -> usize;

    /// Changes the settings of a player's search. Its tree is lost, unless only the effort changes.
    ///
    /// # Errors
    ///
    /// Returns an error if the settings are wrong; the search stays as it is.
    fn set(&mut self, player: Player, settings: Settings) -> Result<(), PageError>;

    /// Lets the search of the player to move think for `slice`, at most until its effort is spent. Returns
    /// whether it has finished: it has spent its effort, nothing is left to find, or the game is over.
    ///
    /// # Errors
    ///
    /// Returns an error of the search.
    fn think(&mut self, slice: Duration) -> Result<bool, PageError>;

    /// Lets the search of the player to move think for `slice` whatever its effort is, for a person who wants
    /// to watch.
    ///
    /// # Errors
    ///
    /// Returns an error of the search.
    fn analyse(&mut self, slice: Duration) -> Result<(), PageError>;

    /// Forgets how long the search has thought, so that it thinks again.
    fn restart_thinking(&mut self);

    /// Lets the analyst judge the first position of the game that is not judged, for `slice`. Returns whether
    /// all positions are judged.
    ///
    /// # Errors
    ///
    /// Returns an error of the search.
    fn review(&mut self, slice: Duration) -> Result<bool, PageError>;

    /// Returns what the page shows of the position after `ply` actions of the game, at most all of them.
    fn view(&self, ply: usize) -> View;

    /// Returns the number of actions played.
    fn plies(&self) -> usize;

    /// Returns the pictures of the positions along a line that starts after `ply` actions, as far as the line
    /// is legal: first the position without the line, then one for each action.
    fn pictures(&self, ply: usize, line: &[&str]) -> Vec<String>;

    /// Returns the explorer's page of the tree of the player to move, or, after the end, of the player who
    /// made the last move.
    fn page(&self) -> String;
}

/// A table of the game `G`.
pub struct Table<G: OnPage> {
    game: &'static Game,
    state: G,
    /// The earlier states, and the action played in each.
    past: Vec<(G, G::Action)>,
    settings: [Settings; 2],
    searches: [Box<dyn Explored<Space = G>>; 2],
    /// The work of the search of the player to move for this move.
    thought: Thought<G>,
    review: Review<G>,
}

/// The work of a search for a move.
struct Thought<G: OnPage> {
    time: Duration,
    iterations: u64,
    /// Whether more would change nothing, or the tree is full.
    is_exhausted: bool,
    report: Option<Report<ActionOf<G>>>,
    history: RootHistory,
}

impl<G: OnPage> Default for Thought<G> {
    fn default() -> Self {
        let history = RootHistory::new();
        Thought { time: Duration::ZERO, iterations: 0, is_exhausted: false, report: None, history }
    }
}

impl<G: OnPage> Thought<G> {
    /// The remaining work.
    fn rest(&self, effort: Effort) -> Option<Budget> {
        if self.is_exhausted {
            return None;
        }
        match effort {
            Effort::Millis(millis) => {
                let rest = Duration::from_millis(millis).saturating_sub(self.time);
                (rest > Duration::ZERO).then(|| Budget::time(rest))
            }
            Effort::Iterations(iterations) => {
                let rest = iterations.saturating_sub(self.iterations);
                (rest > 0).then(|| Budget::iterations(rest))
            }
        }
    }
}

/// Returns the player to move; `None` if the game is over.
fn mover<G: OnPage>(state: &G) -> Option<usize> {
    match state.turn() {
        Turn::Player(player) => Some(usize::from(player)),
        _ => None,
    }
}

impl<G: OnPage> Table<G> {
    /// Sets up a game.
    ///
    /// # Errors
    ///
    /// Returns an error if the settings are wrong.
    pub fn new(game: &'static Game, state: G, settings: [Settings; 2]) -> Result<Self, PageError> {
        let [first, second] = &settings;
        let searches = [search(state.clone(), first)?, search(state.clone(), second)?];
        let review = Review::new(state.clone(), game.review)?;
        Ok(Table { game, state, past: vec![], settings, searches, thought: Thought::default(), review })
    }

    fn run(&mut self, budget: Budget) -> Result<(), PageError> {
        let Some(player) = mover(&self.state) else { return Ok(()) };
        let report = self.searches[player].run(budget)?;
        let thought = &mut self.thought;
        thought.history.record(&report);
        thought.time += report.time;
        thought.iterations += report.iterations;
        thought.is_exhausted = matches!(report.stop_reason, StopReason::Proven | StopReason::CountFull);
        thought.report = Some(report);
        Ok(())
    }

    fn name(&self, player: usize) -> &'static str {
        self.game.players[player]
    }

    fn result(&self) -> Option<String> {
        if self.state.turn() != Turn::Over {
            return None;
        }
        let winner = (0..2).find(|&player| self.state.reward(player) == 1.0);
        Some(winner.map_or("A draw".into(), |player| format!("{} wins", self.name(usize::from(player)))))
    }

    fn report(&self) -> Option<ReportView> {
        let report = self.thought.report.as_ref()?;
        let seconds = self.thought.time.as_secs_f64();
        let search = &*self.searches[mover(&self.state)?];
        Some(ReportView { iterations: self.thought.iterations, seconds, ..report_view(report, search) })
    }

    /// Returns the position after `ply` actions.
    fn state_at(&self, ply: usize) -> &G {
        self.past.get(ply).map_or(&self.state, |(state, _)| state)
    }
}

impl<G: OnPage> AnyTable for Table<G> {
    fn play(&mut self, action: &str) -> Result<(), PageError> {
        let illegal = || PageError::Move(action.chars().take(40).collect());
        let chosen =
            named(&self.state, action).filter(|_| mover(&self.state).is_some()).ok_or_else(illegal)?;
        let before = self.state.clone();
        self.state.apply(chosen.clone());
        self.past.push((before, chosen.clone()));
        self.review.push();
        for search in &mut self.searches {
            // A search that cannot follow starts anew.
            if search.advance(chosen.clone()).is_err() {
                search.reset(self.state.clone());
            }
        }
        self.restart_thinking();
        Ok(())
    }

    fn undo(&mut self, count: usize) -> usize {
        let count = count.min(self.past.len());
        if count > 0 {
            self.state = self.past.swap_remove(self.past.len() - count).0;
            self.past.truncate(self.past.len() + 1 - count);
            self.review.truncate(self.past.len() + 1);
            for search in &mut self.searches {
                search.reset(self.state.clone());
            }
            self.restart_thinking();
        }
        count
    }

    fn set(&mut self, player: Player, settings: Settings) -> Result<(), PageError> {
        let index = usize::from(player & 1);
        let only_effort =
            Settings { effort: self.settings[index].effort, ..settings.clone() } == self.settings[index];
        settings.check()?;
        if !only_effort {
            self.searches[index] = search(self.state.clone(), &settings)?;
            if mover(&self.state) == Some(index) {
                self.restart_thinking();
            }
        }
        self.settings[index] = settings;
        Ok(())
    }

    fn think(&mut self, slice: Duration) -> Result<bool, PageError> {
        let Some(player) = mover(&self.state) else { return Ok(true) };
        let effort = self.settings[player].effort;
        // Nothing may be left to find, but a report is needed all the same.
        match self.thought.rest(effort) {
            Some(rest) => self.run(rest.and_time(slice))?,
            None if self.thought.report.is_none() => self.run(Budget::iterations(1))?,
            None => {}
        }
        Ok(self.thought.rest(effort).is_none())
    }

    fn analyse(&mut self, slice: Duration) -> Result<(), PageError> {
        match self.thought.is_exhausted {
            true => Ok(()),
            false => self.run(Budget::time(slice)),
        }
    }

    fn restart_thinking(&mut self) {
        self.thought = Thought::default();
    }

    fn review(&mut self, slice: Duration) -> Result<bool, PageError> {
        if let Some(ply) = self.review.next() {
            let state = self.past.get(ply).map_or(&self.state, |(state, _)| state);
            self.review.judge(ply, state, slice)?;
        }
        Ok(self.review.next().is_none())
    }

    fn view(&self, ply: usize) -> View {
        let ply = ply.min(self.past.len());
        let (state, is_now) = (self.state_at(ply), ply == self.past.len());
        let player = mover(state);
        let last = ply.checked_sub(1).map(|before| self.past[before].1.clone());
        let moves: Vec<String> = self.past.iter().map(|(_, action)| text(action)).collect();
        View {
            picture: state.picture(last),
            player,
            result: self.result(),
            legal: match player {
                Some(_) => state.actions().into_iter().map(|action| text(&action)).collect(),
                None => Vec::new(),
            },
            link: format!("{}/{}", self.game.word, moves.join(",")),
            judged: self.review.judged(&moves),
            moves,
            ply,
            report: if is_now { self.report() } else { None }.or_else(|| self.review.report(ply)),
            is_exhausted: self.thought.is_exhausted,
        }
    }

    fn plies(&self) -> usize {
        self.past.len()
    }

    fn pictures(&self, ply: usize, line: &[&str]) -> Vec<String> {
        let mut state = self.state_at(ply).clone();
        let mut pictures = vec![state.picture(None)];
        for name in line {
            let Some(action) = named(&state, name) else { break };
            state.apply(action);
            pictures.push(state.picture(None));
        }
        pictures
    }

    fn page(&self) -> String {
        let player = mover(&self.state).unwrap_or((self.past.len() + 1) % 2);
        let title =
            format!("{}, {} to move, after {} moves", self.game.title, self.name(player), self.past.len());
        self.searches[player].page(&title, self.game.players, &self.thought.history)
    }
}
