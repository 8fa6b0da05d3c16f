//! Searches of games with hidden information, against each other: `ramure-lab hidden`.

use super::compare::draw_ratings;
use super::files::Files;
use super::output::{say, stop_by_ctrl_c};
use super::parallel::Work;
use crate::contest::{Conditions, Ended, Estimate, Match, RoundRobin, RoundRobinResult};
use crate::games::{KnockoutWhist, PhantomTicTacToe};
use crate::pictures::{Picture, RatingsChart};
use crate::{Failure, Recipe};
use clap::{Args, ValueEnum};
use ramure::HiddenInformation;
use ramure::prelude::*;
use ramure::search::InformationSet;
use ramure::selection::AvailabilityUcb1;
use ramure_agents::{Agent, Determinized, MctsAgent, Random};
use std::fmt;
use std::path::Path;

/// Plays searches against each other in games with hidden information, and prints what was published.
///
/// The players are random, determinized UCT (pimc), SO-ISMCTS, MO-ISMCTS, and UCT that sees everything, as an
/// upper bound. All search the same number of iterations, and none keeps its tree from one action to the
/// next. Each deal is played from all seats.
///
/// With more than two players, each agent plays alone against fields: another agent has all other seats.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The game
    #[arg(value_enum)]
    game: Contest,

    /// Set the number of players of knockout-whist: 2 to 7
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=7))]
    players: u8,

    /// Set the games of each pairing, rounded up to a multiple of the number of players
    #[arg(long, value_name = "N", default_value_t = 200)]
    games: u32,

    /// Set the iterations for each action
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    iterations: u64,

    /// Set the number of guesses among which determinized UCT divides the iterations
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    guesses: u32,

    /// Set the exploration constant of all searches
    #[arg(long, value_name = "C", default_value_t = 0.7)]
    c: f32,

    #[command(flatten)]
    work: Work,

    #[command(flatten)]
    files: Files,
}

const EXAMPLES: &str = "\
Examples:
  ramure-lab hidden knockout-whist
  ramure-lab hidden knockout-whist --players 4 --games 400
  ramure-lab hidden phantom-tic-tac-toe --iterations 2000 --plot elo.svg";

/// Plays the round robin and prints the results.
pub fn run(options: Options) -> Result<(), Failure> {
    let Options { game, players, games, iterations, guesses, c, work, files } = options;
    files.check(1, [])?;
    if !(0.0..=1000.0).contains(&c) {
        return Err(format!("--c is {c}; it must be from 0 to 1000").into());
    }
    let effort = Effort { iterations, guesses, c };
    let conditions = Conditions::games(games.checked_next_multiple_of(players.into()).unwrap_or(games))
        .seed(work.seed)
        .threads(work.threads())
        .stop_handle(stop_by_ctrl_c())
        .progress();
    let searched = format!("{iterations} iterations for an action, pimc with {guesses} guesses, c = {c}");
    if players == 2 {
        let result = game.play(effort, conditions)?;
        say(format_args!("{searched}\n{result}"))?;
        files.csv(|| result.to_csv())?;
        files.plot(|path| draw_ratings(&result, path))?;
    } else {
        let result = game.play_fields(players, effort, conditions)?;
        say(format_args!("{searched}\n{result}"))?;
        files.csv(|| result.to_csv())?;
        files.plot(|path| draw_fields(&result, path))?;
    }
    say(game.published())
}

/// A game of the round robin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Contest {
    KnockoutWhist,
    PhantomTicTacToe,
}

/// How much each agent searches for an action, and how.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effort {
    /// The iterations for an action, in all.
    pub iterations: u64,
    /// The number of guesses among which a determinized search divides them.
    pub guesses: u32,
    /// The exploration constant.
    pub c: f32,
}

/// Creates an agent that searches by SO-ISMCTS.
pub fn single_observer<G: HiddenInformation + 'static>(budget: Budget, c: f32) -> impl Agent<G> {
    let make = move |space: &InformationSet<G>, seed| {
        Mcts::new(space.clone()).tree_policy(AvailabilityUcb1::new(c)).seed(seed)
    };
    MctsAgent::new("so-ismcts", budget, make).without_tree_reuse()
}

/// Creates an agent that searches by MO-ISMCTS.
pub fn multiple_observer<G: HiddenInformation + 'static>(budget: Budget, c: f32) -> impl Agent<G> {
    let make = move |space: &InformationSet<G>, seed| {
        Mcts::player_trees(space.clone()).tree_policy(AvailabilityUcb1::new(c)).seed(seed)
    };
    MctsAgent::new("mo-ismcts", budget, make).without_tree_reuse()
}

/// Creates an agent that searches the real state.
pub fn cheat<G: GameState + 'static>(budget: Budget, c: f32) -> impl Agent<G> {
    let agent = MctsAgent::new("cheating-uct", budget, move |state: &G, seed| {
        Mcts::new(state.clone()).tree_policy(Ucb1::new(c)).backprop(Average).seed(seed)
    });
    agent.without_tree_reuse()
}

/// Creates an agent that searches guesses, each as if nothing were hidden.
pub fn determinized<G: HiddenInformation + 'static>(effort: Effort) -> impl Agent<G> {
    let Effort { iterations, guesses, c } = effort;
    let each = Budget::iterations((iterations / u64::from(guesses.max(1))).max(1));
    Determinized::new("pimc", guesses, each, move |guess: &G, seed| {
        Mcts::new(guess.clone()).tree_policy(Ucb1::new(c)).backprop(Average).seed(seed)
    })
}

/// The agents, the weakest first, as the papers have it.
fn agents<G: HiddenInformation + 'static>(effort: Effort) -> Vec<Recipe<G>> {
    let budget = Budget::iterations(effort.iterations);
    vec![
        Recipe::new(Random::default),
        Recipe::new(move || determinized(effort)),
        Recipe::new(move || single_observer(budget, effort.c)),
        Recipe::new(move || multiple_observer(budget, effort.c)),
        Recipe::new(move || cheat(budget, effort.c)),
    ]
}

impl Contest {
    /// Plays all agents against each other. Two games with the same deal, one from each seat, make a pair.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`RoundRobin::run`].
    pub fn play(self, effort: Effort, conditions: Conditions) -> Result<RoundRobinResult, Failure> {
        let conditions = conditions.label(self.to_string());
        Ok(match self {
            Contest::KnockoutWhist => {
                let start = KnockoutWhist::new(2)?;
                // Fourteen cards and the trumps.
                RoundRobin::new(start, agents(effort)).run(&conditions.openings(15))?
            }
            Contest::PhantomTicTacToe => {
                RoundRobin::new(PhantomTicTacToe::new(), agents(effort)).run(&conditions)?
            }
        })
    }

    /// Plays each agent alone against a field, in which another agent has all other seats: all pairs of
    /// different agents, in a game of this many players. Each deal is played from all seats, and all pairs
    /// play the same deals.
    ///
    /// # Errors
    ///
    /// Returns an error if the game is not for this many players, and the errors of [`Match::run`].
    pub fn play_fields(
        self,
        players: u8,
        effort: Effort,
        conditions: Conditions,
    ) -> Result<FieldsResult, Failure> {
        let conditions = conditions.label(self.to_string());
        match self {
            // Seven cards for each player, and the trumps.
            Contest::KnockoutWhist => {
                let conditions = conditions.openings(7 * u32::from(players) + 1);
                fields(&KnockoutWhist::new(players)?, &agents(effort), &conditions)
            }
            Contest::PhantomTicTacToe => Err(format!("{self} is a game for two players").into()),
        }
    }

    /// Returns what was published about such games.
    pub fn published(self) -> &'static str {
        match self {
            Contest::KnockoutWhist => {
                "Published: the tutorial code of Cowling, Powley and Whitehouse (2012) has this game without figures. In their games, \
                 searches of information sets \"outperform existing approaches\", which are determinized ones, and a search that sees everything is \
                 an upper bound."
            }
            Contest::PhantomTicTacToe => {
                "Published: for a phantom game on four by four cells, Cowling, Powley and Whitehouse (2012) introduced MO-ISMCTS, because with SO-ISMCTS the \
                 others seem to see the observer's hidden actions."
            }
        }
    }
}

/// The results of agents alone against fields.
#[derive(Clone, PartialEq, Debug)]
pub struct FieldsResult {
    /// The number of players.
    pub players: u8,
    /// The games of each pair. There are fewer if the contest was stopped.
    pub games: u32,
    /// The agent, the agent in all other seats, and the mean reward of the first.
    pub rows: Vec<(String, String, Estimate)>,
}

fn fields<G: GameState + Sync>(
    start: &G,
    agents: &[Recipe<G>],
    conditions: &Conditions,
) -> Result<FieldsResult, Failure> {
    let others = usize::from(start.players()) - 1;
    let mut result = FieldsResult { players: start.players(), games: 0, rows: Vec::new() };
    for agent in agents {
        for other in agents.iter().filter(|other| other.name() != agent.name()) {
            let mut seats = vec![agent.clone()];
            seats.extend(std::iter::repeat_n(other.clone(), others));
            let played = Match::new(start.clone(), seats).run(conditions)?;
            if let Some(score) = played.standings[0].score {
                result.rows.push((agent.name().to_owned(), other.name().to_owned(), score));
            }
            result.games = result.games.max(played.played.records.len() as u32);
            if played.played.ended == Ended::Stopped {
                return Ok(result);
            }
        }
    }
    Ok(result)
}

impl FieldsResult {
    /// Converts the result to comma-separated values, with a row for each pair.
    pub fn to_csv(&self) -> String {
        let row = |(agent, field, score): &(String, String, Estimate)| {
            let Estimate { value, low, high } = score;
            format!("{agent},{field},{},{},{value},{low},{high}\n", self.players, self.games)
        };
        let rows: String = self.rows.iter().map(row).collect();
        format!("agent,field,players,games,score,low,high\n{rows}")
    }
}

impl fmt::Display for FieldsResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FieldsResult { players, games, rows } = self;
        writeln!(
            f,
            "{players} players, {games} games of each agent alone against a field; a score of {:.3} is even",
            1.0 / f64::from(*players)
        )?;
        writeln!(f, "{:<13} {:<13} score [95 % interval]", "agent", "field")?;
        rows.iter().try_for_each(|(agent, field, score)| writeln!(f, "{agent:<13} {field:<13} {score}"))
    }
}

impl fmt::Display for Contest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Contest::KnockoutWhist => "knockout-whist",
            Contest::PhantomTicTacToe => "phantom-tic-tac-toe",
        })
    }
}

/// Draws the score of each agent against each field.
fn draw_fields(result: &FieldsResult, path: &Path) -> Result<(), Failure> {
    let FieldsResult { players, games, rows } = result;
    let picture =
        RatingsChart::new(format!("One agent against a field, {players} players, {games} games each"))
            .x_label("score, with 95 % intervals")
            .guide(1.0 / f64::from(*players), "even");
    let row = |picture: RatingsChart, (agent, field, score): &(String, String, Estimate)| {
        picture.row(format!("{agent} against {field}"), *score)
    };
    Ok(rows.iter().fold(picture, row).save(path)?)
}
