//! Matches: two or more agents against each other.

use super::conditions::Conditions;
use super::error::ContestError;
use super::estimate::Estimate;
use super::plan::Plan;
use super::played::PlayedGames;
use super::record::Record;
use super::runner;
use super::sprt::{Sprt, SprtReport};
use super::standing::Standing;
use super::table;
use crate::Recipe;
use core::fmt;
use core::ops::ControlFlow;
use ramure::GameState;
use std::collections::BTreeMap;

/// A match: one agent for each player of the game; the agents change seats between games.
///
/// In a game of one player, any number of agents play the same games, each alone, with the same opening and
/// the same luck as long as their actions agree. Their scores are compared; those of two agents are compared
/// game by game, see [`MatchResult::difference`].
///
/// ```
/// use ramure_agents::{FlatMonteCarlo, Random};
/// use ramure_games::Connect4;
/// use ramure_lab::Recipe;
/// use ramure_lab::contest::{Conditions, Match};
///
/// let agents = [Recipe::new(|| FlatMonteCarlo::per_action(8)), Recipe::new(Random::default)];
/// let result = Match::new(Connect4::new(), agents).run(&Conditions::games(40).seed(7))?;
/// println!("{result}");
/// assert!(result.standings[0].tally.wins > 25);
/// # Ok::<(), ramure_lab::contest::ContestError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Match<G: GameState> {
    start: G,
    agents: Vec<Recipe<G>>,
}

impl<G: GameState + Sync> Match<G> {
    /// Creates a match that starts from `start`, with an agent for each player; for a game of one player,
    /// with any number of agents.
    pub fn new(start: G, agents: impl Into<Vec<Recipe<G>>>) -> Self {
        Match { start, agents: agents.into() }
    }

    fn plan<'a>(&'a self, conditions: &'a Conditions) -> Plan<'a, G> {
        let all = 0..self.agents.len();
        let alone = self.start.players() == 1;
        let pairings = if alone { all.map(|agent| vec![agent]).collect() } else { vec![all.collect()] };
        Plan::new("match", &self.start, &self.agents, pairings, conditions)
    }

    /// Plays all games. An agent that fails is not an error: it loses that game.
    ///
    /// # Errors
    ///
    /// Returns [`ContestError`] if the conditions do not fit the game, if there are more than
    /// [`MOST_GAMES`](super::MOST_GAMES) games in all, if the game breaks its contract, or if the results
    /// file cannot be used.
    pub fn run(&self, conditions: &Conditions) -> Result<MatchResult, ContestError> {
        let plan = self.plan(conditions);
        let played = runner::run(&plan, |_| ControlFlow::Continue(()))?;
        Ok(MatchResult::of(&plan, played))
    }

    /// Plays until `test` has decided about the first agent, at most all games, and at most
    /// [`MOST_GAMES`](super::MOST_GAMES).
    ///
    /// In a game of one player, the score of the first agent against the second is (1 + r - s) / 2, where r
    /// and s are their rewards in the same game. Groups of games are judged in order, so the verdict is the
    /// same for any number of threads; games started beyond the decision are not counted. The interval of the
    /// score does not account for the test: if the test ended early, the score is biased away from even.
    ///
    /// ```
    /// use ramure_agents::{FlatMonteCarlo, Random};
    /// use ramure_games::TicTacToe;
    /// use ramure_lab::Recipe;
    /// use ramure_lab::contest::{Conditions, Match, Sprt, Verdict};
    ///
    /// let agents = [Recipe::new(|| FlatMonteCarlo::per_action(8)), Recipe::new(Random::default)];
    /// let (result, test) = Match::new(TicTacToe::new(), agents).test(&Conditions::games(400), Sprt::new(0.0, 100.0))?;
    /// println!("{test}\n{result}");
    /// assert_eq!(test.verdict, Verdict::Accept);
    /// assert!(result.played.records.len() < 400);
    /// # Ok::<(), ramure_lab::contest::ContestError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of [`run`](Self::run), and also an error if a parameter of the test is out of range
    /// or if the number of agents is not two.
    pub fn test(
        &self,
        conditions: &Conditions,
        test: Sprt,
    ) -> Result<(MatchResult, SprtReport), ContestError> {
        let plan = Plan { may_end_early: true, ..self.plan(conditions) };
        let mut test = test.start()?;
        let agents = self.agents.len();
        if agents != 2 {
            return Err(ContestError::TestOfTwo { agents });
        }
        // Two agents play every opening twice: in both seats, or each alone.
        let mut scores = Vec::with_capacity(agents);
        let played = runner::run(&plan, |record| {
            scores.push(match record.seats.iter().position(|&agent| agent == 0) {
                Some(seat) => record.rewards[seat],
                None => 1.0 - record.rewards[0],
            });
            if scores.len() < agents {
                return ControlFlow::Continue(());
            }
            let mean = scores.drain(..).sum::<f64>() / agents as f64;
            // The mean of rewards in [0, 1] can exceed 1 only by rounding.
            match test.push(mean.min(1.0)) {
                Ok(Some(_)) => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        })?;
        Ok((MatchResult::of(&plan, played), test.report()))
    }
}

/// The result of a match.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct MatchResult {
    /// The name of the game.
    pub game: String,
    /// The standings of the agents, in the order in which the agents were given.
    pub standings: Vec<Standing>,
    /// The games.
    pub played: PlayedGames,
}

impl MatchResult {
    fn of<G: GameState>(plan: &Plan<'_, G>, played: PlayedGames) -> Self {
        let pairings = 0..plan.pairings.len();
        let standings = pairings.flat_map(|pairing| standings(plan, pairing, &played.records)).collect();
        MatchResult { game: plan.game(), standings, played }
    }

    /// Returns by how much the first of two agents scored more than the second in a game of one player: the
    /// mean difference of their rewards in the same games, with its 95 % interval ([`Estimate::mean`]). If
    /// the interval lies above 0, the first agent is better. `None` for other games and other numbers of
    /// agents, and for fewer than two games.
    pub fn difference(&self) -> Option<Estimate> {
        if self.standings.len() != 2 {
            return None;
        }
        let rewards = |agent: usize| -> BTreeMap<u32, f64> {
            let alone = self.played.records.iter().filter(|record| record.seats == [agent]);
            alone.map(|record| (record.game, record.rewards[0])).collect()
        };
        let others = rewards(1);
        let differences =
            rewards(0).into_iter().filter_map(|(game, reward)| Some(reward - others.get(&game)?));
        Estimate::mean(&Vec::from_iter(differences))
    }

    /// Converts the result to comma-separated values, with a row for each agent.
    pub fn to_csv(&self) -> String {
        table::tidy(self.standings.iter().enumerate().map(|(index, standing)| {
            let others = self.standings.iter().enumerate().filter(|&(other, _)| other != index);
            let others: Vec<&str> = others.map(|(_, standing)| standing.name.as_str()).collect();
            (None, others.join(" "), standing)
        }))
    }
}

/// The standings of the agents of a pairing.
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
        table::standings(f, "", rows)?;
        match self.difference() {
            Some(difference) => writeln!(f, "difference of the scores, game by game: {difference}"),
            None => Ok(()),
        }
    }
}
