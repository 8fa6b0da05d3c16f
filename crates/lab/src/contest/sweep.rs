//! Sweeps: one parameter of an agent against fixed opponents.

use super::conditions::Conditions;
use super::error::ContestError;
use super::matches::standings;
use super::plan::Plan;
use super::played::PlayedGames;
use super::runner;
use super::standing::Standing;
use super::table;
use crate::Recipe;
use core::fmt;
use core::ops::ControlFlow;
use ramure::GameState;

/// A sweep, for games of two players: an agent with each of several values of a parameter, against every
/// opponent.
///
/// ```
/// use ramure_agents::{FlatMonteCarlo, Random};
/// use ramure_games::Connect4;
/// use ramure_lab::Recipe;
/// use ramure_lab::contest::{Conditions, Sweep};
///
/// let agent = |rollouts: f64| Recipe::new(move || FlatMonteCarlo::per_action(rollouts as u64));
/// let result = Sweep::new(Connect4::new(), "rollouts per action", [1.0, 4.0, 16.0], agent)
///     .against([Recipe::new(Random::default)])
///     .run(&Conditions::games(20))?;
/// println!("{result}");
/// assert_eq!(result.points.len(), 3);
/// assert!(result.to_source_csv(0).starts_with("winR,winY,tie,ry,ryt,dt,nGames,value\n"));
/// # Ok::<(), ramure_lab::contest::ContestError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sweep<G: GameState> {
    start: G,
    parameter: String,
    values: Vec<f64>,
    /// The agents, one for each value; then the opponents.
    agents: Vec<Recipe<G>>,
}

impl<G: GameState + Sync> Sweep<G> {
    /// Creates a sweep that starts from `start` and plays the agents that `agent` creates for each of the
    /// `values`. `parameter` describes the values.
    pub fn new(
        start: G,
        parameter: impl Into<String>,
        values: impl Into<Vec<f64>>,
        agent: impl FnMut(f64) -> Recipe<G>,
    ) -> Self {
        let values = values.into();
        let agents = values.iter().copied().map(agent).collect();
        Sweep { start, parameter: parameter.into(), values, agents }
    }

    /// Adds opponents.
    pub fn against(mut self, opponents: impl IntoIterator<Item = Recipe<G>>) -> Self {
        self.agents.extend(opponents);
        self
    }

    /// Plays all games: the number of games in `conditions` for each value and opponent.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Match::run`](super::Match::run), and [`ContestError::NobodyPlays`] if there is
    /// no value or no opponent.
    pub fn run(&self, conditions: &Conditions) -> Result<SweepResult, ContestError> {
        let opponents = self.values.len()..self.agents.len();
        let pairs =
            opponents.flat_map(|opponent| (0..self.values.len()).map(move |value| vec![value, opponent]));
        let kind = format!("sweep of {}: {:?}", self.parameter, self.values);
        let plan = Plan::new(kind, &self.start, &self.agents, pairs.collect(), conditions);
        let played = runner::run(&plan, |_| ControlFlow::Continue(()))?;
        let point = |(pairing, agents): (usize, &Vec<usize>)| SweepPoint {
            value: self.values[agents[0]],
            opponent: agents[1] - self.values.len(),
            standings: standings(&plan, pairing, &played.records),
        };
        Ok(SweepResult {
            game: plan.game(),
            parameter: self.parameter.clone(),
            opponents: self.agents[self.values.len()..].iter().map(|agent| agent.name().to_owned()).collect(),
            points: plan.pairings.iter().enumerate().map(point).collect(),
            played,
        })
    }
}

/// The result of a sweep.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct SweepResult {
    /// The name of the game.
    pub game: String,
    /// The name of the parameter.
    pub parameter: String,
    /// The names of the opponents.
    pub opponents: Vec<String>,
    /// The points, grouped by opponent, in the order of the values.
    pub points: Vec<SweepPoint>,
    /// The games.
    pub played: PlayedGames,
}

/// The result of one value against one opponent.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct SweepPoint {
    /// The value.
    pub value: f64,
    /// The index of the opponent, from 0.
    pub opponent: usize,
    /// The standing of the agent with this value, and that of the opponent.
    pub standings: Vec<Standing>,
}

impl SweepPoint {
    /// Returns the standing of the agent with this value.
    pub fn agent(&self) -> &Standing {
        &self.standings[0]
    }
}

impl SweepResult {
    /// Returns the points against one opponent, given by its index.
    pub fn of(&self, opponent: usize) -> impl Iterator<Item = &SweepPoint> {
        self.points.iter().filter(move |point| point.opponent == opponent)
    }

    /// Converts the result to comma-separated values, with a row for each agent of each point.
    pub fn to_csv(&self) -> String {
        table::tidy(self.points.iter().flat_map(|point| {
            let [agent, opponent] = [0, 1].map(|index| &point.standings[index]);
            [
                (Some(point.value), opponent.name.clone(), agent),
                (Some(point.value), agent.name.clone(), opponent),
            ]
        }))
    }

    /// Converts the results against one opponent to the table format of the published sources, separated by
    /// commas. The agent is red, the opponent yellow. `winR`, `winY` and `tie` are shares of the games; `ry`
    /// and `ryt` are their cumulative sums from the left, for stacked areas; `dt` is the total thinking time
    /// of both in seconds, in `nGames` games.
    pub fn to_source_csv(&self, opponent: usize) -> String {
        table::source(self.of(opponent).map(|point| (point.value, &point.standings[..])))
    }
}

impl fmt::Display for SweepResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.game, self.played)?;
        for (number, opponent) in self.opponents.iter().enumerate() {
            writeln!(f, "against {opponent}:")?;
            table::standings(
                f,
                &self.parameter,
                self.of(number).map(|point| (point.value.to_string(), point.agent())),
            )?;
        }
        Ok(())
    }
}
