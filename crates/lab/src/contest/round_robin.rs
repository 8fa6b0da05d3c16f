//! Round robins: every agent against every other.

use super::conditions::Conditions;
use super::error::ContestError;
use super::matches::standings;
use super::plan::Plan;
use super::played::PlayedGames;
use super::ratings::{Meeting, Ratings};
use super::runner;
use super::standing::Standing;
use super::table;
use crate::Recipe;
use core::fmt;
use core::ops::ControlFlow;
use ramure::GameState;

/// A round robin, for games of two players: each agent plays a match against each other agent.
///
/// ```
/// use ramure_agents::{First, FlatMonteCarlo, Random};
/// use ramure_games::TicTacToe;
/// use ramure_lab::Recipe;
/// use ramure_lab::contest::{Conditions, RoundRobin};
///
/// let agents = [Recipe::new(|| First), Recipe::new(Random::default), Recipe::new(|| FlatMonteCarlo::per_action(20))];
/// let result = RoundRobin::new(TicTacToe::new(), agents).run(&Conditions::games(40).openings(1))?;
/// println!("{result}");
/// let ratings = result.ratings.expect("all have met");
/// assert_eq!(ratings.entries[0].name, "mc:20"); // the strongest comes first
/// # Ok::<(), ramure_lab::contest::ContestError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RoundRobin<G: GameState> {
    start: G,
    agents: Vec<Recipe<G>>,
}

impl<G: GameState + Sync> RoundRobin<G> {
    /// Creates a round robin that starts from `start`, with at least two agents.
    pub fn new(start: G, agents: impl Into<Vec<Recipe<G>>>) -> Self {
        RoundRobin { start, agents: agents.into() }
    }

    /// Plays all games: the number of games in `conditions` for each pair.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Match::run`](super::Match::run), and [`ContestError::NobodyPlays`] if there
    /// are fewer than two agents.
    pub fn run(&self, conditions: &Conditions) -> Result<RoundRobinResult, ContestError> {
        let count = self.agents.len();
        let pairings = (0..count).flat_map(|first| (first + 1..count).map(move |second| vec![first, second]));
        let plan = Plan::new("round robin", &self.start, &self.agents, pairings.collect(), conditions);
        let played = runner::run(&plan, |_| ControlFlow::Continue(()))?;
        let pair = |(number, agents): (usize, &Vec<usize>)| RoundRobinPair {
            agents: [agents[0], agents[1]],
            standings: standings(&plan, number, &played.records),
        };
        let pairs: Vec<_> = plan.pairings.iter().enumerate().map(pair).collect();
        let names: Vec<&str> = self.agents.iter().map(Recipe::name).collect();
        let meetings: Vec<_> = pairs.iter().filter_map(RoundRobinPair::meeting).collect();
        let ratings = Ratings::new(&names, &meetings).ok();
        let agents = names.into_iter().map(String::from).collect();
        Ok(RoundRobinResult { game: plan.game(), agents, pairs, ratings, played })
    }
}

/// The result of a round robin.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct RoundRobinResult {
    /// The name of the game.
    pub game: String,
    /// The names of the agents, in the order in which they were given.
    pub agents: Vec<String>,
    /// The results of all pairs.
    pub pairs: Vec<RoundRobinPair>,
    /// The ratings of all agents, the strongest first; `None` if the contest was stopped before every two
    /// agents were connected by games, directly or through others.
    pub ratings: Option<Ratings>,
    /// The games.
    pub played: PlayedGames,
}

/// The result of a pair of agents.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct RoundRobinPair {
    /// The indices of the two agents.
    pub agents: [usize; 2],
    /// The standings of the two agents.
    pub standings: Vec<Standing>,
}

impl RoundRobinPair {
    fn meeting(&self) -> Option<Meeting> {
        let games = self.standings[0].tally.games();
        let points = [0, 1]
            .map(|index| self.standings[index].score.map_or(0.0, |score| score.value * f64::from(games)));
        (games > 0).then_some(Meeting { entrants: self.agents, points, games: games.into() })
    }
}

impl RoundRobinResult {
    /// Converts the result to comma-separated values, with two rows for each pair, one per agent.
    pub fn to_csv(&self) -> String {
        table::tidy(self.pairs.iter().flat_map(|pair| {
            let [one, other] = [0, 1].map(|index| &pair.standings[index]);
            [(None, other.name.clone(), one), (None, one.name.clone(), other)]
        }))
    }
}

impl fmt::Display for RoundRobinResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.game, self.played)?;
        match &self.ratings {
            Some(ratings) => writeln!(f, "{ratings}")?,
            None => writeln!(f, "no ratings: not all have met")?,
        }
        let rows = self.pairs.iter().map(|pair| (pair.standings[1].name.clone(), &pair.standings[0]));
        table::standings(f, "opponent", rows)
    }
}
