//! Searches for the best line of a puzzle, against each other: `ramure-lab puzzle`.

use super::files::Files;
use super::output::{mean, mean_in_words, say};
use super::parallel::{Work, try_map};
use crate::Failure;
use crate::contest::Estimate;
use crate::pictures::{Picture, RatingsChart};
use crate::registry::nearest::DidYouMean;
use crate::several::extent;
use clap::Args;
use ramure::selection::SinglePlayer;
use ramure::{ActionCode, Budget, Scored};
use ramure_games::{Morpion, SameGame};
use ramure_puzzles::{FlatSampling, NestedSearch, Nrpa, Optimization, Optimizer, SinglePlayerMcts};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Compares searches for the best line of a puzzle, on the same instances.
///
/// An instance is a board of SameGame, or a seed of the search. The first search is the one to which the
/// others are compared. A row shows the mean puzzle score, by which share it is above that of the first
/// search, both with 95 % intervals if there are two instances or more, and the least and the greatest one.
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help())]
pub struct Options {
    /// The puzzle
    #[arg(help = format!("The puzzle: {PUZZLES}"))]
    puzzle: Puzzle,

    /// The searches, as in flat nested:2 nrpa:3,n=50 (--help lists all words)
    #[arg(value_name = "SEARCH", default_values = ["flat", "sp-mcts:25000", "nested:2", "nested:2,beam=4", "nrpa:3,n=46", "nrpa:3,n=46,beam=4"])]
    searches: Vec<Recipe>,

    /// Set the number of instances: boards of SameGame, or seeds
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    instances: u32,

    /// Set the number of rollouts of each search
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "pass")]
    rollouts: u64,

    /// Make one pass of each search, however many rollouts that takes
    #[arg(long)]
    pass: bool,

    #[command(flatten)]
    work: Work,

    #[command(flatten)]
    files: Files,
}

const EXAMPLES: &str = "\
Examples:
  ramure-lab puzzle same-game
  ramure-lab puzzle same-game flat nrpa:2 nrpa:2,alpha=0.5 --plot same_game.svg
  ramure-lab puzzle morpion-5d nested:3 nrpa:3 --pass --instances 10";

fn long_help() -> String {
    format!("Searches:\n{SEARCHES}\n\n{EXAMPLES}")
}

/// Runs the searches, and prints the results.
pub fn run(options: Options) -> Result<(), Failure> {
    let Options { puzzle, searches, instances, rollouts, pass, work, files } = options;
    files.check(1, [])?;
    let rollouts = (!pass).then_some(rollouts);
    let settings =
        Settings { puzzle, searches, instances, rollouts, seed: work.seed, threads: work.threads() };
    let rows = measure(&settings)?;
    let width = rows.iter().map(|row| row.search.len()).max().unwrap_or(0);
    say(format_args!(
        "{puzzle}, {instances} instances from seed {}\n{:<width$}  {:<28} {:<28} {:>6} {:>8} {:>11} {:>9}",
        work.seed,
        "search",
        "mean puzzle score",
        "above the first, %",
        "least",
        "greatest",
        "rollouts",
        "seconds"
    ))?;
    for row in ranked(&rows) {
        let percent = row.above(&rows[0]).map_or_else(
            || "-".into(),
            |above| mean_in_words(above.map(|share| 100.0 * share), row.scores.len(), 1),
        );
        let (least, greatest) = extent(row.scores.iter().copied());
        say(format_args!(
            "{:<width$}  {:<28} {:<28} {least:>6} {greatest:>8} {:>11.0} {:>9.2}",
            row.search,
            mean_in_words(row.mean(), row.scores.len(), 1),
            percent,
            row.rollouts,
            row.seconds
        ))?;
    }
    files.csv(|| {
        let line = |row: &Row| {
            let of = |(number, score): (usize, &f64)| format!("\"{}\",{number},{score}\n", row.search);
            row.scores.iter().enumerate().map(of).collect::<String>()
        };
        format!("search,instance,score\n{}", rows.iter().map(line).collect::<String>())
    })?;
    files.plot(|path| Ok(picture(&rows, &settings).save(path)?))
}

/// A puzzle by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Puzzle {
    /// A different board for each instance.
    SameGame,
    /// The same paper for each instance, with another seed of the search.
    Disjoint,
    Touching,
}

/// The names of all puzzles.
pub const PUZZLES: &str = "same-game, morpion-5d or morpion-5t";

const NAMES: [&str; 3] = ["same-game", "morpion-5d", "morpion-5t"];

impl FromStr for Puzzle {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = [Puzzle::SameGame, Puzzle::Disjoint, Puzzle::Touching];
        all.into_iter().find(|puzzle| puzzle.to_string() == text).ok_or_else(|| {
            let near = DidYouMean(text, &NAMES);
            format!("\"{text}\" is not a puzzle; the puzzles are {PUZZLES}{near}")
        })
    }
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAMES[*self as usize])
    }
}

/// The words for searches, with their parameters.
pub const SEARCHES: &str = "\
  flat              random lines
  nested:LEVEL      nested Monte-Carlo search; beam=WIDTH at the highest level
  nrpa:LEVEL        nested rollout policy adaptation; n=N, alpha=A; at level 1
                    also rollouts=P and beam=WIDTH
  sp-mcts:RESTART   tree search that starts again after so many iterations;
                    c=C, d=D";

/// A search by text, such as `nrpa:3,n=50`.
#[derive(Clone, PartialEq, Debug)]
pub struct Recipe {
    text: String,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Flat,
    Nested(NestedSearch),
    Nrpa(Nrpa),
    Tree(SinglePlayerMcts),
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Recipe {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split(',');
        let head = parts.next().unwrap_or_default();
        let (word, number) = head.split_once(':').map_or((head, None), |(word, number)| (word, Some(number)));
        let mut options = Unread { text, left: Vec::new() };
        for part in parts {
            options.left.push(part.split_once('=').ok_or_else(|| options.wrong(part))?);
        }
        let level = || -> Result<usize, String> {
            number.and_then(|number| number.parse().ok()).ok_or_else(|| options.wrong(head))
        };
        let kind = match word {
            "flat" if number.is_none() => Kind::Flat,
            "nested" => {
                let level = level()?;
                Kind::Nested(NestedSearch::new(level).beam(level, options.take("beam")?.unwrap_or(1)))
            }
            "nrpa" => {
                let nrpa = Nrpa::new(level()?)
                    .iterations(options.take("n")?.unwrap_or(100))
                    .alpha(options.take("alpha")?.unwrap_or(1.0))
                    .rollouts(options.take("rollouts")?.unwrap_or(1));
                Kind::Nrpa(nrpa.beam(1, options.take("beam")?.unwrap_or(1)))
            }
            "sp-mcts" => {
                let tree = SinglePlayerMcts::new(level()? as u64);
                Kind::Tree(match (options.take("c")?, options.take("d")?) {
                    (None, None) => tree,
                    (Some(c), Some(d)) => tree.tree_policy(SinglePlayer::new(c, d)),
                    _ => return Err(format!("\"{text}\" has one of c and d; write both or none")),
                })
            }
            _ => return Err(options.wrong(head)),
        };
        match options.left.first() {
            Some((name, _)) => Err(options.wrong(name)),
            None => Ok(Recipe { text: text.to_owned(), kind }),
        }
    }
}

/// The options of a search that were not read yet.
struct Unread<'t> {
    text: &'t str,
    left: Vec<(&'t str, &'t str)>,
}

impl Unread<'_> {
    fn wrong(&self, part: &str) -> String {
        format!("\"{part}\" in \"{}\" is not understood; the searches are\n{SEARCHES}", self.text)
    }

    fn take<T: FromStr>(&mut self, name: &str) -> Result<Option<T>, String> {
        let Some(place) = self.left.iter().position(|option| option.0 == name) else { return Ok(None) };
        let (_, value) = self.left.remove(place);
        value.parse().map(Some).map_err(|_| self.wrong(value))
    }
}

/// How to measure.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    pub puzzle: Puzzle,
    pub searches: Vec<Recipe>,
    /// The number of boards of SameGame, or of seeds.
    pub instances: u32,
    /// The number of rollouts of each search, or `None`: one pass of the algorithm.
    pub rollouts: Option<u64>,
    pub seed: u64,
    pub threads: usize,
}

/// The results of a search, instance by instance.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    pub search: String,
    pub scores: Vec<f64>,
    /// The mean number of rollouts of an instance, and the mean wall time in seconds.
    pub rollouts: f64,
    pub seconds: f64,
}

impl Row {
    /// Returns the mean puzzle score; without an interval, if there is one only.
    pub fn mean(&self) -> Estimate {
        mean(&self.scores)
    }

    /// Returns by which share the mean puzzle score is above that of `other`, from the differences on the
    /// same instances; `None` if that of `other` is 0.
    pub fn above(&self, other: &Row) -> Option<Estimate> {
        let differences: Vec<f64> =
            self.scores.iter().zip(&other.scores).map(|(own, other)| own - other).collect();
        let scale = mean(&other.scores).value.abs();
        (scale > 0.0).then(|| mean(&differences).map(|difference| difference / scale))
    }
}

/// Measures all searches on the same instances. The rows are in the order of the searches.
///
/// # Errors
///
/// Returns an error if a search fails.
pub fn measure(settings: &Settings) -> Result<Vec<Row>, Failure> {
    let Settings { puzzle, searches, instances, rollouts, seed, threads } = settings;
    let count = *instances as usize;
    let results = try_map(*threads, searches.len() * count, |job| {
        let (kind, instance) = (searches[job / count].kind, seed.wrapping_add((job % count) as u64));
        match puzzle {
            Puzzle::SameGame => one(SameGame::random(instance), kind, *rollouts, instance),
            Puzzle::Disjoint => one(Morpion::disjoint(), kind, *rollouts, instance),
            Puzzle::Touching => one(Morpion::touching(), kind, *rollouts, instance),
        }
    })?;
    let row = |(search, results): (&Recipe, &[Found])| {
        let average = |of: &dyn Fn(&Found) -> f64| results.iter().map(of).sum::<f64>() / count as f64;
        Row {
            search: search.to_string(),
            scores: results.iter().map(|found| found.score).collect(),
            rollouts: average(&|found| found.rollouts as f64),
            seconds: average(&|found| found.seconds),
        }
    };
    Ok(searches.iter().zip(results.chunks(count)).map(row).collect())
}

#[derive(Serialize, Deserialize)]
struct Found {
    score: f64,
    rollouts: u64,
    seconds: f64,
}

fn one<G: Scored + ActionCode>(
    state: G,
    kind: Kind,
    rollouts: Option<u64>,
    seed: u64,
) -> Result<Found, Failure> {
    let optimizer: Box<dyn Optimizer<G>> = match kind {
        Kind::Flat => Box::new(FlatSampling),
        Kind::Nested(nested) => Box::new(nested),
        Kind::Nrpa(nrpa) => Box::new(nrpa),
        Kind::Tree(tree) => Box::new(tree),
    };
    let mut search = Optimization::new(state, optimizer).seed(seed);
    let found = match rollouts {
        Some(rollouts) => search.run(Budget::iterations(rollouts))?,
        None => search.passes(1).run(Budget::until_stopped())?,
    };
    Ok(Found { score: found.score, rollouts: found.rollouts, seconds: found.time.as_secs_f64() })
}

/// Draws the mean puzzle scores, best first.
pub fn picture(rows: &[Row], settings: &Settings) -> RatingsChart {
    let Settings { puzzle, instances, rollouts, .. } = settings;
    let length = rollouts.map_or("one pass".to_owned(), |rollouts| format!("{rollouts} rollouts"));
    let mut picture = RatingsChart::new(format!("{puzzle}: {instances} instances, {length}"))
        .x_label(if *instances == 1 { "puzzle score" } else { "mean puzzle score, with 95 % intervals" });
    if let Some(first) = rows.first() {
        picture = picture.guide(first.mean().value, &first.search);
    }
    ranked(rows).into_iter().fold(picture, |picture, row| picture.row(&row.search, row.mean()))
}

/// Returns the rows, the greatest mean first.
pub fn ranked(rows: &[Row]) -> Vec<&Row> {
    let mut ranked: Vec<&Row> = rows.iter().collect();
    ranked.sort_by(|a, b| b.mean().value.total_cmp(&a.mean().value));
    ranked
}
