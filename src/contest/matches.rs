//! Two or more agents against each other.

use super::conditions::Conditions;
use super::error::ContestError;
use super::plan::Plan;
use super::played::Played;
use super::record::Record;
use super::runner;
use super::sprt::{Sprt, SprtReport};
use super::standing::Standing;
use super::table;
use crate::agents::Recipe;
use crate::game::GameState;
use core::fmt;
use core::ops::ControlFlow;

/// A match: one agent for each player of the game, who change seats from game to game.
///
/// ```
/// use ramure::agents::{FlatMonteCarlo, Random, Recipe};
/// use ramure::contest::{Conditions, Match};
/// use ramure::games::Connect4;
///
/// let agents = [Recipe::new(|| FlatMonteCarlo::per_action(8)), Recipe::new(Random::default)];
/// let result = Match::new(Connect4::new(), agents).run(&Conditions::games(40).seed(7))?;
/// println!("{result}");
/// assert!(result.standings[0].tally.wins > 25);
/// # Ok::<(), ramure::contest::ContestError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Match<G: GameState> {
    start: G,
    agents: Vec<Recipe<G>>,
}

impl<G: GameState + Sync> Match<G> {
    /// From `start`, an agent for each player.
    pub fn new(start: G, agents: impl Into<Vec<Recipe<G>>>) -> Self {
        Match { start, agents: agents.into() }
    }

    fn plan<'a>(&'a self, conditions: &'a Conditions) -> Plan<'a, G> {
        Plan {
            kind: "match".into(),
            start: &self.start,
            agents: &self.agents,
            pairings: vec![(0..self.agents.len()).collect()],
            conditions,
            may_end_early: false,
        }
    }

    /// Plays all games.
    ///
    /// # Errors
    ///
    /// The conditions do not fit the game, there are more than [`MOST_GAMES`](super::MOST_GAMES) in all, the game breaks its contract, or the results file cannot be used. An agent that
    /// fails is no error: it loses that game.
    pub fn run(&self, conditions: &Conditions) -> Result<MatchResult, ContestError> {
        let plan = self.plan(conditions);
        let played = runner::run(&plan, |_| ControlFlow::Continue(()))?;
        Ok(MatchResult::of(&plan, played))
    }

    /// Plays until `test` has its answer on the first agent, at most all games, and at most [`MOST_GAMES`](super::MOST_GAMES). Groups of games are judged in their order,
    /// so the answer is the same for any number of threads; games begun beyond the decision are not counted. (The interval of the
    /// score knows nothing of the test: where a test ended early, chance has pushed the score away from even, and it flatters.)
    ///
    /// ```
    /// use ramure::agents::{FlatMonteCarlo, Random, Recipe};
    /// use ramure::contest::{Conditions, Match, Sprt, Verdict};
    /// use ramure::games::TicTacToe;
    ///
    /// let agents = [Recipe::new(|| FlatMonteCarlo::per_action(8)), Recipe::new(Random::default)];
    /// let (result, test) = Match::new(TicTacToe::new(), agents).test(&Conditions::games(400), Sprt::new(0.0, 100.0))?;
    /// println!("{test}\n{result}");
    /// assert_eq!(test.verdict, Verdict::Accept);
    /// assert!(result.played.records.len() < 400);
    /// # Ok::<(), ramure::contest::ContestError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run); or a parameter of the test is out of its range, or there are other than two agents.
    pub fn test(
        &self,
        conditions: &Conditions,
        test: Sprt,
    ) -> Result<(MatchResult, SprtReport), ContestError> {
        let plan = Plan { may_end_early: true, ..self.plan(conditions) };
        let mut test = test.start()?;
        let players = self.agents.len();
        if players != 2 {
            return Err(ContestError::TestOfTwo { agents: players });
        }
        let mut scores = Vec::with_capacity(players);
        let played = runner::run(&plan, |record| {
            let seat = record.seats.iter().position(|&agent| agent == 0);
            scores.push(seat.map_or(0.0, |seat| record.rewards[seat]));
            if scores.len() < players {
                return ControlFlow::Continue(());
            }
            let mean = scores.drain(..).sum::<f64>() / players as f64;
            // Rewards in [0, 1] have such a mean, but for rounding.
            match test.push(mean.min(1.0)) {
                Ok(Some(_)) => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        })?;
        Ok((MatchResult::of(&plan, played), test.report()))
    }
}

/// What came of a match.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchResult {
    /// What the game is called.
    pub game: String,
    /// One for each agent, in the order in which they were given.
    pub standings: Vec<Standing>,
    /// The games.
    pub played: Played,
}

impl MatchResult {
    fn of<G: GameState>(plan: &Plan<'_, G>, played: Played) -> Self {
        MatchResult { game: plan.game(), standings: standings(plan, 0, &played.records), played }
    }

    /// A table as comma-separated values, a row for each agent.
    pub fn to_csv(&self) -> String {
        table::tidy(self.standings.iter().enumerate().map(|(index, standing)| {
            let others = self.standings.iter().enumerate().filter(|&(other, _)| other != index);
            let others: Vec<&str> = others.map(|(_, standing)| standing.name.as_str()).collect();
            (None, others.join(" "), standing)
        }))
    }
}

/// How the agents of a pairing fared.
pub(super) fn standings<G: GameState>(
    plan: &Plan<'_, G>,
    pairing: usize,
    records: &[Record],
) -> Vec<Standing> {
    let agents = &plan.pairings[pairing];
    let of_pairing = || records.iter().filter(|record| record.pairing as usize == pairing);
    let standing = |(position, &agent): (usize, &usize)| {
        Standing::of(plan.agents[agent].name(), position, agents.len(), of_pairing())
    };
    agents.iter().enumerate().map(standing).collect()
}

impl fmt::Display for MatchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.game, self.played)?;
        let rows = self.standings.iter().map(|standing| (String::new(), standing));
        table::standings(f, "", rows)
    }
}
