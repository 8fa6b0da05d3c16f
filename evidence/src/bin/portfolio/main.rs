//! Plays the default search against its alternatives on games of many kinds: `evidence/run.sh --portfolio`.

mod game;
mod games;
mod heat_map;

use clap::Parser;
use game::Game;
use ramure::{GameState, SearchError};
use ramure_agents::Agent;
use ramure_lab::Failure;
use ramure_lab::commands::output;
use ramure_lab::contest::{Conditions, Estimate, Match, ResultsFile};
use ramure_lab::ranks::cores;
use ramure_lab::{ReadError, Recipe, Registry};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// Plays the default search against its alternatives on games of many kinds, and writes a page and a picture.
/// Each cell of the table is a contest with a file of its own. A contest that is cut off goes on where it
/// ended, and one that has ended is only read.
#[derive(Parser)]
#[command(name = "evidence/run.sh --portfolio", max_term_width = 80, after_help = EXAMPLES)]
struct Options {
    /// Give each action this budget: iterations, or a time
    #[arg(long, value_name = "N|TIME", default_value = "1000")]
    budget: String,

    /// Play this many games in each cell, rounded up to a multiple of the players
    #[arg(long, value_name = "N", default_value_t = 200)]
    games: u32,

    /// Play only the games whose name contains this; may be repeated
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,

    /// Play only these alternatives, by the names of the columns; may be repeated
    #[arg(long, value_name = "NAME")]
    against: Vec<String>,

    /// Also play this alternative, by what its text adds to that of the default, as in fpu=mean-0.1; may be
    /// repeated
    #[arg(long, value_name = "TEXT")]
    also: Vec<String>,

    /// End before the first cell that begins after so many minutes [default: when all cells are played]
    #[arg(long, value_name = "N")]
    minutes: Option<u64>,

    /// Keep the games of the cells in this folder
    #[arg(long, value_name = "FOLDER", default_value = "target/portfolio")]
    cells: PathBuf,

    /// Write evidence/portfolio-BUDGET.md to this folder, and its picture to pictures/experiments below it
    #[arg(long, value_name = "FOLDER", default_value = "target/experiments")]
    folder: PathBuf,

    /// Set the seed of the contests; the best constant is judged with the seed after it
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Play N games at a time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

const EXAMPLES: &str = "\
Examples:
  evidence/run.sh --portfolio --games 20 --only connect4
  evidence/run.sh --portfolio --budget 10ms --minutes 110
  evidence/run.sh --portfolio --budget 1000 --folder docs

Play with times only while nothing else runs on the machine.";

/// The alternatives to the default, each with what its text adds to that of the default. The constants are a
/// grid: their best is judged by a second set of games.
const ALTERNATIVES: [(&str, &str); 10] = [
    ("textbook", "c=1.41421,solver=no"),
    ("c = 0.2", "c=0.2"),
    ("c = 0.35", "c=0.35"),
    ("c = 0.5", "c=0.5"),
    ("c = 0.7", "c=0.7"),
    ("c = 1", "c=1"),
    ("UCB1-Tuned", "policy=ucb1-tuned"),
    ("GRAVE", "policy=grave"),
    ("progressive history", "policy=progressive-history"),
    ("MAST", "rollout=mast"),
];

/// The columns after the alternatives.
const BEST: &str = "best constant";
const SQUEEZED: &str = "squeezed";

/// Chooses as another agent does if rewards lie between 0.45 and 0.55.
struct Squeezed(Box<dyn Agent<Game>>);

impl Agent<Game> for Squeezed {
    fn name(&self) -> String {
        format!("squeezed {}", self.0.name())
    }
    fn choose(&mut self, state: &Game) -> Result<<Game as GameState>::Action, SearchError> {
        self.0.choose(&state.squeezed())
    }
    fn played(&mut self, action: <Game as GameState>::Action) {
        self.0.played(action);
    }
    fn new_game(&mut self, seed: u64) {
        self.0.new_game(seed);
    }
}

/// A column of the table: its name and its scores against the default, a game each.
struct Column {
    name: String,
    scores: Vec<Option<Estimate>>,
}

struct Portfolio {
    options: Options,
    begin: Instant,
}

impl Portfolio {
    fn read(&self, text: &str) -> Result<Recipe<Game>, ReadError> {
        Registry::new().with_numbers().read(text)
    }

    fn goes_on(&self) -> bool {
        self.options.minutes.is_none_or(|minutes| self.begin.elapsed() < Duration::from_secs(60 * minutes))
    }

    /// Plays a cell: `agent` against as many of `default` as the game has other seats. Returns the score of
    /// `agent` on a scale on which 0.5 is even, or `None` if there was no time for it.
    fn cell(
        &self,
        (name, start): &(&str, Game),
        column: &str,
        [agent, default]: [Recipe<Game>; 2],
        seed: u64,
    ) -> Result<Option<Estimate>, Failure> {
        if !self.goes_on() {
            return Ok(None);
        }
        let plain = |text: &str| text.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
        let file = [*name, &self.options.budget, column].map(plain).join("_");
        let path = self.options.cells.join(format!("{file}_{seed}.jsonl"));
        let players = start.players();
        let mut agents = vec![default; players.into()];
        agents[0] = agent;
        let threads = self.options.threads.map_or_else(cores, usize::from);
        let conditions = Conditions::games(self.options.games.next_multiple_of(players.into()))
            .openings(2)
            .seed(seed)
            .threads(threads)
            .results(ResultsFile::resume(path));
        let result = Match::new(start.clone(), agents).run(&conditions)?;
        let score = result.standings[0].score.ok_or("no games")?;
        let even = f64::from(players) / 2.0;
        let score = score.map(|score| score * even);
        eprintln!("{name}, {column}: {score:.3}, after {:.0} s", self.begin.elapsed().as_secs_f64());
        Ok(Some(score))
    }

    fn run(&self) -> Result<(), Failure> {
        let Options { budget, seed, .. } = &self.options;
        fs::create_dir_all(&self.options.cells)?;
        let chosen = |only: &[String], name: &str| {
            only.is_empty() || only.iter().any(|part| name.contains(part.as_str()))
        };
        let games: Vec<_> =
            game::all().into_iter().filter(|(name, _)| chosen(&self.options.only, name)).collect();
        let default = self.read(&format!("mcts:{budget}"))?;
        let mut columns = Vec::new();
        let also = self.options.also.iter().map(|text| (text.as_str(), text.as_str()));
        let of_the_table = ALTERNATIVES.into_iter().filter(|(name, _)| chosen(&self.options.against, name));
        for (name, more) in of_the_table.chain(also) {
            let agent = self.read(&format!("mcts:{budget},{more}"))?;
            let score = |game| self.cell(game, name, [agent.clone(), default.clone()], *seed);
            columns.push(Column {
                name: name.into(),
                scores: games.iter().map(score).collect::<Result<_, _>>()?,
            });
        }
        if chosen(&self.options.against, BEST) {
            columns.push(self.best_constants(&games, &columns, &default)?);
        }
        if chosen(&self.options.against, SQUEEZED) {
            let averaging = self.read(&format!("mcts:{budget},solver=no"))?;
            let squeezed = averaging.clone();
            let squeezed = Recipe::new(move || Squeezed(squeezed.make()));
            let score = |game| self.cell(game, SQUEEZED, [squeezed.clone(), averaging.clone()], *seed);
            columns.push(Column {
                name: SQUEEZED.into(),
                scores: games.iter().map(score).collect::<Result<_, _>>()?,
            });
        }
        self.write(&games, &columns)
    }

    /// Judges the best constant of each game by games that did not choose it.
    fn best_constants(
        &self,
        games: &[(&str, Game)],
        columns: &[Column],
        default: &Recipe<Game>,
    ) -> Result<Column, Failure> {
        let mut scores = Vec::new();
        for (number, game) in games.iter().enumerate() {
            let constants = columns.iter().filter(|column| column.name.starts_with("c = "));
            let screened = constants.filter_map(|column| Some((column, column.scores[number]?.value)));
            let best = screened.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(column, _)| column);
            scores.push(match best {
                None => None,
                Some(best) => {
                    let constant = best.name.trim_start_matches("c = ");
                    let agent = self.read(&format!("mcts:{},c={constant}", self.options.budget))?;
                    let column = format!("{BEST} {constant}");
                    self.cell(game, &column, [agent, default.clone()], self.options.seed + 1)?
                }
            });
        }
        Ok(Column { name: BEST.into(), scores })
    }

    /// Writes the page and its picture.
    fn write(&self, games: &[(&str, Game)], columns: &[Column]) -> Result<(), Failure> {
        let Options { budget, folder, games: count, seed, .. } = &self.options;
        let listed = |option: &str, names: &[String]| -> String {
            names.iter().map(|name| format!(" --{option} \"{name}\"")).collect()
        };
        let chosen = listed("only", &self.options.only)
            + &listed("against", &self.options.against)
            + &listed("also", &self.options.also);
        let command = format!(
            "evidence/run.sh --portfolio --budget {budget} --games {count} --seed {seed}{chosen} --folder docs"
        );
        let machine = concat!(env!("CARGO_MANIFEST_DIR"), "/../benches/machine.sh");
        let header = Command::new(machine).args([&command, "release"]).output()?.stdout;
        let header = String::from_utf8_lossy(&header);
        let (pages, pictures) = (folder.join("evidence"), folder.join("pictures/experiments"));
        fs::create_dir_all(&pages)?;
        fs::create_dir_all(&pictures)?;
        let picture = format!("portfolio-{budget}.svg");
        output::write(&pictures.join(&picture), heat_map::svg(games, columns))?;
        let mut text = format!(
            "# The default search against its alternatives, {budget}\n\n\
             [Evidence on policies](policies.md) says what follows from this page. The run that wrote it:\n\n\
             {header}Scores of the alternative against the default, {count} games each from openings of two random actions, with 95 % \
             intervals. Below 0.5, the default is stronger. With three players, one alternative plays two defaults, and its \
             share is scaled so that 0.5 is even."
        );
        let constants: Vec<_> =
            columns.iter().filter_map(|column| column.name.strip_prefix("c = ")).collect();
        for (name, meaning) in [
            (BEST, format!("the best of c = {}, judged by other games", constants.join(", "))),
            (
                SQUEEZED,
                "the default without proofs that sees all rewards squeezed into 0.45 to 0.55, against the same search that \
                 sees them as they are"
                    .into(),
            ),
        ] {
            if columns.iter().any(|column| column.name == name) {
                text += &format!(" \"{name}\" is {meaning}.");
            }
        }
        text += &format!(
            "\n\n![Scores of the alternatives, a row for each game](../pictures/experiments/{picture})\n\n| game |"
        );
        for column in columns {
            text += &format!(" {} |", column.name);
        }
        text += &format!("\n|---|{}\n", "---|".repeat(columns.len()));
        for (number, (name, _)) in games.iter().enumerate() {
            text += &format!("| {name} |");
            for column in columns {
                text += &column.scores[number].map_or(" |".into(), |score| format!(" {score:.2} |"));
            }
            text += "\n";
        }
        text += "| mean |";
        for column in columns {
            let played: Vec<f64> = column.scores.iter().flatten().map(|score| score.value).collect();
            let mean = played.iter().sum::<f64>() / played.len() as f64;
            text += &if played.is_empty() { " |".into() } else { format!(" {mean:.3} |") };
        }
        let path = pages.join(format!("portfolio-{budget}.md"));
        output::write(&path, text + "\n")?;
        output::say(format_args!("see {}", path.display()))
    }
}

fn main() -> ExitCode {
    let portfolio = Portfolio { options: Options::parse(), begin: Instant::now() };
    output::ended(portfolio.run())
}
