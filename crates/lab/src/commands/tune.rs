//! The best value of a parameter against a reference, by successive halving (Jamieson and Talwalkar 2016,
//! figure 3): `ramure-lab tune`.
//!
//! In each round, every remaining value plays the reference, all from the same openings. Then the weaker half
//! is dropped. All rounds have about the same number of games, so with half the values left, each plays twice
//! as many. A value's score covers all its games. The score of the best of many values is biased upwards, so
//! tuning ends with fresh games, which do not influence the choice.

use super::compare::sweeps;
use super::files::Files;
use super::output::{say, stop_by_ctrl_c};
use super::parallel::Work;
use super::{AnyGame, Failure, GAMES};
use crate::Recipe;
use crate::contest::{
    Conditions, ContestError, Ended, Estimate, MOST_GAMES, Record, Sweep, SweepResult, Tally,
};
use crate::pictures::{Colour, Curve, Curves, Picture, Scale};
use clap::Args;
use ramure::{GameState, Rng, StopHandle};
use std::f64::consts::SQRT_2;
use std::fmt;
use std::path::Path;

/// Finds the best exploration constant, or the best value of another parameter, against one reference agent.
///
/// It uses successive halving: in each round, every remaining value plays the reference, all from the same
/// openings. Then the weaker half is dropped, and the remaining values play twice as many games. The best of
/// many values looks better than it is, by chance. So at the end that value plays fresh games for its final
/// figure, and so does sqrt 2, the constant of the theorem.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The game
    #[arg(help = format!("The game: {GAMES}"))]
    game: String,

    /// Set the budget of the search, iterations or a time such as 10ms: short for --agent mcts:BUDGET,c={}
    #[arg(long, value_name = "BUDGET", default_value = "1000", conflicts_with = "agent")]
    budget: String,

    /// Tune this agent, with {} in place of the value, as in mcts:1000,policy=ucb1-tuned,c={} or
    /// mcts:1000,expand={}
    #[arg(long, value_name = "AGENT", requires = "against")]
    agent: Option<String>,

    /// Choose the reference agent [default: mc-total with the same budget]
    #[arg(long, value_name = "AGENT")]
    against: Option<String>,

    /// List the values, with commas between them, as in 0.1,0.2,0.4 [default: two for each factor of two from
    /// 0.022 to 2, including sqrt 2]
    #[arg(long, value_name = "V,V,..", value_delimiter = ',', allow_hyphen_values = true)]
    values: Vec<f64>,

    /// Set the games of each value in the first round, an even number; half are played from each seat
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u32,

    /// Stop halving when N values or fewer remain
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(2..))]
    left: u16,

    /// Start no round that would bring all values together above N games [default: no limit]
    #[arg(long, value_name = "N")]
    most: Option<u64>,

    /// Set the fresh games for each final figure, an even number
    #[arg(long, value_name = "N", default_value_t = 200)]
    fresh: u32,

    /// Set the random actions at the start of a game; each opening is played from both seats
    #[arg(long, value_name = "N", default_value_t = 2)]
    openings: u32,

    #[command(flatten)]
    work: Work,

    #[command(flatten)]
    files: Files,
}

const EXAMPLES: &str = "\
Examples:
  ramure-lab tune hex:7 --budget 1000 --plot c.png
  ramure-lab tune connect4 --budget 10ms --against mc:400 --values 0.1,0.2,0.4,0.8,1.6
  ramure-lab tune hex:11 --agent mcts:1000,policy=ucb1-tuned,c={} --against mcts:1000,c=0.2 --games 100 --csv c.csv
Agents are written as for `ramure-lab compare`, whose --help lists them.

Ctrl-C ends the program after the games in progress and shows the results so far; a second Ctrl-C ends it at once.";

/// Tunes the agent, and prints the results.
pub fn run(options: Options) -> Result<(), Failure> {
    let Options { game, budget, agent, against, values, games, left, most, fresh, openings, work, files } =
        options;
    files.check(1, [])?;
    let start = AnyGame::read(&game)?;
    let known = AnyGame::registry();
    let candidate = |(value, text): (f64, String)| Ok(Candidate { value, agent: known.read(&text)? });
    let text = agent.unwrap_or_else(|| format!("mcts:{budget},c={{}}"));
    let values = if values.is_empty() { EXPLORATION_CONSTANTS.to_vec() } else { values };
    let (parameter, swept) = sweeps::read(&with_values(&text, &values)?)?;
    let candidates = swept.into_iter().map(candidate).collect::<Result<_, Failure>>()?;
    let also = match &parameter[..] {
        "c" => sweeps::read(&with_values(&text, &[SQRT_2])?)?.1.pop().map(candidate).transpose()?,
        _ => None,
    };
    let reference = match against {
        Some(text) => known.read(&text)?,
        None => known.read(&format!("mc-total:{budget}")).map_err(|error| {
            format!(
                "{error}; mc-total needs a number as its budget, so name another reference with --against"
            )
        })?,
    };
    let settings = Settings {
        games,
        left: left.into(),
        most_games: most.unwrap_or(u64::MAX),
        fresh_games: fresh,
        openings,
        seed: work.seed,
        threads: work.threads(),
        stop: stop_by_ctrl_c(),
        progress: true,
    };
    let tuning = tune(&start, &parameter, candidates, also, &reference, &settings)?;
    say(format_args!("{game}: {}\n{}", table(&tuning), conclusion(&tuning)))?;
    if let Some(mut file) = files.table(COLUMNS)? {
        let rows =
            tuning.rows.iter().map(|row| (row, false)).chain(tuning.fresh.iter().map(|row| (row, true)));
        rows.map(|(row, is_fresh)| record(&tuning, row, is_fresh)).try_for_each(|row| file.write(row))?;
    }
    files.plot(|path| draw(&game, &tuning, path))
}

/// Returns the agent's text with a list of values, for a sweep.
fn with_values(text: &str, values: &[f64]) -> Result<String, Failure> {
    if text.matches("{}").count() != 1 {
        return Err(
            format!("\"{text}\" must have one {{}} in place of the value, as in mcts:1000,c={{}}").into()
        );
    }
    let values: Vec<String> = values.iter().map(f64::to_string).collect();
    Ok(text.replace("{}", &format!("{{{}}}", values.join(","))))
}

fn table(tuning: &Tuning) -> String {
    let mut table = format!(
        "against {}, {} games, {}\n{:>8} {:>6} {:<21} {:>7}  {}\n",
        tuning.reference,
        tuning.games(),
        tuning.end,
        tuning.parameter,
        "games",
        "score [95 % interval]",
        "dropped",
        "best is ahead by"
    );
    for row in &tuning.rows {
        let lead = match tuning.lead_over(row) {
            _ if row.value == tuning.best().value => "-".into(),
            lead => or_dash(lead),
        };
        let dropped = row.dropped.map_or("-".into(), |round| format!("round {round}"));
        let (value, score, games) = (written(row.value), or_dash(row.score), row.tally.games());
        table += &format!("{value:>8} {games:>6} {score:<21} {dropped:>7}  {lead}\n");
    }
    for row in tuning.rows.iter().chain(&tuning.fresh).filter(|row| !row.forfeits.is_empty()) {
        table += &format!(
            "{} forfeited {} games; the first: {}\n",
            row.agent,
            row.forfeits.len(),
            row.forfeits[0]
        );
    }
    table
}

fn conclusion(tuning: &Tuning) -> String {
    let (best, name) = (tuning.best(), &tuning.parameter);
    let mut text = format!("best: {name} = {}, score {}\n", written(best.value), or_dash(best.score));
    let as_good: Vec<String> = tuning.as_good().map(|row| written(row.value)).collect();
    text += &match &as_good[..] {
        [] => "every other value is weaker, each by more than chance explains in one comparison\n".to_owned(),
        _ => format!("these games cannot distinguish it from: {}\n", as_good.join(", ")),
    };
    if tuning.fresh.is_empty() {
        return text
            + "The program was stopped before the fresh games, so the score of the best value is biased upwards.\n";
    }
    text += "In fresh games, which did not influence the choice (the score of the best of many values is biased upwards):\n";
    for row in &tuning.fresh {
        let (value, score, verdict) = (written(row.value), or_dash(row.score), verdict(row.score));
        text += &format!("  {name} = {value}: score {score}, {verdict} {}\n", tuning.reference);
    }
    if let [Row { score: Some(best), .. }, Row { score: Some(other), .. }] = tuning.fresh[..] {
        let lead = best.minus(other);
        text += &format!("  difference: {lead}\n");
    }
    text
}

fn verdict(score: Option<Estimate>) -> &'static str {
    match score {
        Some(score) if score.low > 0.5 => "stronger than",
        Some(score) if score.high < 0.5 => "weaker than",
        _ => "not distinguishable from",
    }
}

fn or_dash(estimate: Option<Estimate>) -> String {
    estimate.map_or("-".into(), |estimate| estimate.to_string())
}

const COLUMNS: &str = "parameter value agent reference fresh games wins draws losses score low high dropped_after_round \
                       lead lead_low lead_high";

/// The row of a value in the CSV file: of its fresh games, or of all others.
fn record(tuning: &Tuning, row: &Row, is_fresh: bool) -> Vec<String> {
    let interval = |estimate: Option<Estimate>| match estimate {
        Some(Estimate { value, low, high }) => [value, low, high].map(|number| number.to_string()),
        None => Default::default(),
    };
    let tally = row.tally;
    let mut record = vec![tuning.parameter.clone(), row.value.to_string(), row.agent.clone()];
    record.extend([tuning.reference.clone(), if is_fresh { "yes" } else { "no" }.into()]);
    record.extend([tally.games(), tally.wins, tally.draws, tally.losses].map(|count| count.to_string()));
    record.extend(interval(row.score));
    record.push(row.dropped.map_or_else(String::new, |round| round.to_string()));
    let has_lead = !is_fresh && row.value != tuning.best().value;
    record.extend(interval(if has_lead { tuning.lead_over(row) } else { None }));
    record
}

/// Exploration constants from 0.02 to 2, two for each factor of two, including sqrt 2.
pub const EXPLORATION_CONSTANTS: [f64; 14] =
    [0.022, 0.031, 0.044, 0.0625, 0.088, 0.125, 0.177, 0.25, 0.354, 0.5, 0.707, 1.0, SQRT_2, 2.0];

/// The settings of a tuning.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The games of each value in the first round, an even number.
    pub games: u32,
    /// The number of values, at least 2, at which halving stops.
    pub left: usize,
    /// The most games of all values together. A round that would exceed it does not start; the first round
    /// must fit.
    pub most_games: u64,
    /// The fresh games for each final figure, an even number.
    pub fresh_games: u32,
    /// The random actions at the start of a game. Each opening is played from both seats.
    pub openings: u32,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of threads, which changes only the time.
    pub threads: usize,
    /// Stops the tuning, which then returns the results so far.
    pub stop: StopHandle,
    /// Whether to show the progress on a terminal.
    pub progress: bool,
}

/// A value, and the agent that uses it.
#[derive(Clone, Debug)]
pub struct Candidate<G: GameState> {
    pub value: f64,
    pub agent: Recipe<G>,
}

/// The result of a value.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    pub value: f64,
    pub agent: String,
    pub tally: Tally,
    /// The score over all games of the value; `None` if there are none.
    pub score: Option<Estimate>,
    /// The round, from 1, after which the value was dropped; `None` if it never was.
    pub dropped: Option<usize>,
    /// The reason for each forfeited game.
    pub forfeits: Vec<String>,
    /// The scores in the games of each opening.
    pairs: Vec<Vec<f64>>,
}

/// The result of a tuning.
#[derive(Clone, PartialEq, Debug)]
pub struct Tuning {
    /// The name of the tuned parameter.
    pub parameter: String,
    /// The agent that all values played against.
    pub reference: String,
    /// The values in ascending order, with all games but the fresh ones.
    pub rows: Vec<Row>,
    /// The index of the row with the greatest score among those that were not dropped.
    pub best: usize,
    /// The number of values in each round.
    pub rounds: Vec<usize>,
    /// The fresh games of the best value and of the additional value, if there is one.
    pub fresh: Vec<Row>,
    pub end: End,
}

/// The reason why no further round was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Few values are left.
    Few,
    /// The next round would have exceeded the limit of games.
    Spent,
    /// The stop handle was used.
    Stopped,
}

/// Finds the best of the `candidates` against `reference`. Also plays fresh games for the value `also`, if it
/// is given.
///
/// # Errors
///
/// Returns an error if there are fewer than two values, a value appears twice, or a setting is out of range;
/// and the errors of [`Sweep::run`](crate::contest::Sweep::run).
pub fn tune<G: GameState + Sync>(
    start: &G,
    parameter: &str,
    mut candidates: Vec<Candidate<G>>,
    also: Option<Candidate<G>>,
    reference: &Recipe<G>,
    settings: &Settings,
) -> Result<Tuning, Failure> {
    candidates.sort_by(|a, b| a.value.total_cmp(&b.value));
    check(&candidates, settings)?;
    let mut seeds = Rng::seeded(settings.seed);
    let mut play = |values: &[Candidate<G>], games: u32| {
        let conditions = Conditions::games(games)
            .openings(settings.openings)
            .seed(seeds.bits())
            .threads(settings.threads)
            .stop_handle(settings.stop.clone());
        let conditions = if settings.progress { conditions.progress() } else { conditions };
        let mut agents = values.iter().map(|candidate| candidate.agent.clone());
        // The sweep asks once for each value.
        let next = |_| agents.next().unwrap_or_else(|| reference.clone());
        let of_values: Vec<f64> = values.iter().map(|candidate| candidate.value).collect();
        Sweep::new(start.clone(), parameter, of_values, next).against([reference.clone()]).run(&conditions)
    };

    let mut rows: Vec<Row> = candidates.iter().map(Row::of).collect();
    // The remaining values, best first.
    let mut field: Vec<usize> = (0..rows.len()).collect();
    let (mut rounds, mut spent) = (Vec::new(), 0);
    let mut end = loop {
        let pairs = pairs_of_each(field.len(), &rows, settings);
        spent += 2 * pairs * field.len() as u64;
        // In ascending order, so that the games do not depend on the scores.
        let mut playing = field.clone();
        playing.sort_unstable();
        let values: Vec<Candidate<G>> = playing.iter().map(|&row| candidates[row].clone()).collect();
        let result = play(&values, u32::try_from(2 * pairs)?)?;
        playing.iter().enumerate().for_each(|(index, &row)| rows[row].add(&result, index));
        rounds.push(field.len());
        field.sort_by(|&a, &b| rows[b].mean().total_cmp(&rows[a].mean()));
        let half = field.len().div_ceil(2);
        if result.played.ended == Ended::Stopped {
            break End::Stopped;
        } else if field.len() <= settings.left.max(2) {
            break End::Few;
        } else if spent + 2 * pairs_of_each(half, &rows, settings) * half as u64 > settings.most_games {
            break End::Spent;
        }
        for row in field.drain(half..) {
            rows[row].dropped = Some(rounds.len());
        }
    };

    let best = field[0];
    let mut fresh = Vec::new();
    if end != End::Stopped {
        let also = also.filter(|also| also.value != candidates[best].value);
        let values: Vec<_> = [candidates[best].clone()].into_iter().chain(also).collect();
        fresh = values.iter().map(Row::of).collect();
        let result = play(&values, settings.fresh_games)?;
        fresh.iter_mut().enumerate().for_each(|(index, row)| row.add(&result, index));
        if result.played.ended == Ended::Stopped {
            end = End::Stopped;
        }
    }
    let (parameter, reference) = (parameter.to_owned(), reference.name().to_owned());
    Ok(Tuning { parameter, reference, rows, best, rounds, fresh, end })
}

/// The number of openings that each of `values` values plays, from both seats, in a round. All rounds have
/// about the same number of games in all.
fn pairs_of_each(values: usize, all: &[Row], settings: &Settings) -> u64 {
    u64::from(settings.games / 2) * all.len() as u64 / values as u64
}

/// Checks the settings before the first game, rather than after hours of games.
fn check<G: GameState>(candidates: &[Candidate<G>], settings: &Settings) -> Result<(), Failure> {
    if candidates.len() < 2 {
        return Err("to find the best value, give two or more values".into());
    }
    if let Some(twice) = candidates.windows(2).find(|pair| pair[0].value == pair[1].value) {
        return Err(format!("the value {} appears twice; name each value once", twice[0].value).into());
    }
    for games in [settings.games, settings.fresh_games] {
        if games == 0 {
            return Err(ContestError::NoGames.into());
        }
        if !games.is_multiple_of(2) {
            return Err(ContestError::UnevenGames { games, players: 2 }.into());
        }
    }
    // A contest counts its games in 32 bits.
    let (games, values, most) = (settings.games, candidates.len(), settings.most_games.min(u32::MAX.into()));
    match u64::from(games).checked_mul(values as u64) {
        Some(all) if all <= most => {}
        _ => {
            return Err(format!(
                "{games} games of each of {values} values are more than {most} in all; ask for fewer"
            )
            .into());
        }
    }
    // Each round is a contest. The fresh games are one, too, of at most two values.
    let games = u64::from(games).saturating_mul(values as u64).max(2 * u64::from(settings.fresh_games));
    match games <= MOST_GAMES {
        true => Ok(()),
        false => Err(ContestError::TooManyGames { games, most: MOST_GAMES }.into()),
    }
}

impl Row {
    fn of<G: GameState>(candidate: &Candidate<G>) -> Self {
        Row {
            value: candidate.value,
            agent: candidate.agent.name().to_owned(),
            tally: Tally::default(),
            score: None,
            dropped: None,
            forfeits: Vec::new(),
            pairs: Vec::new(),
        }
    }

    /// Adds the games of the value at index `index` of a sweep.
    fn add(&mut self, result: &SweepResult, index: usize) {
        let standing = result.points[index].agent();
        self.tally.wins += standing.tally.wins;
        self.tally.draws += standing.tally.draws;
        self.tally.losses += standing.tally.losses;
        self.forfeits.extend(standing.forfeits.iter().cloned());
        let games = result.played.records.iter().filter(|record| record.pairing as usize == index);
        let games: Vec<&Record> = games.collect();
        for pair in games.chunk_by(|a, b| a.game / 2 == b.game / 2) {
            // In a sweep, the agents of the values come first.
            let reward = |record: &&Record| {
                record.seats.iter().position(|&agent| agent == index).map(|seat| record.rewards[seat])
            };
            self.pairs.push(pair.iter().filter_map(reward).collect());
        }
        self.score = Estimate::score(&self.pairs);
    }

    /// The score, or less than any score if the value has not played.
    fn mean(&self) -> f64 {
        self.score.map_or(-1.0, |score| score.value)
    }
}

impl Tuning {
    /// Returns the best value over all games but the fresh ones.
    pub fn best(&self) -> &Row {
        &self.rows[self.best]
    }

    /// Returns the difference between the best value's score and this one.
    pub fn lead_over(&self, row: &Row) -> Option<Estimate> {
        Some(self.best().score?.minus(row.score?))
    }

    /// Returns the values that these games cannot distinguish from the best one: the 95 % interval of the
    /// difference contains zero.
    pub fn as_good(&self) -> impl Iterator<Item = &Row> {
        let others = self.rows.iter().filter(|row| row.value != self.best().value);
        others.filter(|row| self.lead_over(row).is_none_or(|lead| lead.low <= 0.0))
    }

    /// Returns the fresh games of a value.
    pub fn fresh_of(&self, value: f64) -> Option<&Row> {
        self.fresh.iter().find(|row| row.value == value)
    }

    /// Returns the number of all games, including the fresh ones.
    pub fn games(&self) -> u32 {
        self.rows.iter().chain(&self.fresh).map(|row| row.tally.games()).sum()
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            End::Few => "until few values were left",
            End::Spent => "until a further round would have exceeded the limit of games",
            End::Stopped => "stopped before the end",
        })
    }
}

/// Returns a value as text, in its shortest form.
pub fn written(value: f64) -> String {
    if value == SQRT_2 { "sqrt 2".into() } else { value.to_string() }
}

/// Draws the score over the values, and the final figures of the best value and of sqrt 2.
fn draw(game: &str, tuning: &Tuning, path: &Path) -> Result<(), Failure> {
    let by_factors = tuning.rows.iter().all(|row| row.value > 0.0);
    let mut picture = Curves::new(format!("{game}: {} against {}", general(tuning), tuning.reference))
        .x_label(if tuning.parameter == "c" { "exploration constant c" } else { &tuning.parameter })
        .x_scale(if by_factors { Scale::Log10 } else { Scale::Linear })
        .y_label("score, with 95 % intervals")
        .y_percent()
        .y_within(0.0, 1.0)
        .guide(0.5, "even");
    let point = |row: &Row| Some((row.value, row.score?));
    let fresh = if tuning.fresh.is_empty() { "" } else { ", fresh games" };
    let marked = [(tuning.best().value, "best", Colour::Vermilion), (SQRT_2, "sqrt 2", Colour::Blue)];
    for (value, name, colour) in marked {
        let row = tuning.fresh_of(value).or_else(|| tuning.rows.iter().find(|row| row.value == value));
        if let Some(point) = row.and_then(point).filter(|_| name == "best" || value != tuning.best().value) {
            picture = picture.curve(Curve::of_estimates(format!("{name}{fresh}"), [point]).colour(colour));
        }
    }
    let all = tuning.rows.iter().filter_map(point);
    Ok(picture.curve(Curve::of_estimates("all values", all).colour(Colour::Black)).save(path)?)
}

/// Returns the agent's text without the value.
fn general(tuning: &Tuning) -> String {
    let name = &tuning.parameter;
    let parts = tuning.best().agent.split(',').filter(|part| !part.starts_with(&format!("{name}=")));
    // A value after the colon has no name of its own, so the word before the colon stands for it.
    let parts = parts.map(|part| if part.starts_with(&format!("{name}:")) { name } else { part });
    parts.collect::<Vec<_>>().join(",")
}
