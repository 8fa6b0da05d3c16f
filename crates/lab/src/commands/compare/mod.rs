//! Contests on any of the games: `ramure-lab compare`. Commands of other crates can add agents to it.

mod human;
mod pictures;
pub mod sweeps;

pub use pictures::draw_ratings;

use super::files::{Files, aside};
use super::output::{say, stop_by_ctrl_c, write};
use super::parallel::Work;
use super::{AnyAction, AnyGame, Everything, GAMES};
use crate::contest::{Conditions, Match, Record, ResultsFile, RoundRobin, Sprt, Sweep};
use crate::sgf::{HexMove, HexRecord};
use crate::{Failure, Recipe};
use clap::Args;
use human::Human;
use pictures::{draw_match, draw_sweep};
use ramure_games::hex::HexAction;
use std::path::PathBuf;

/// Plays agents against each other, and reports which is stronger and how certain that is.
///
/// Two agents play a match. Three or more play a round robin with Elo ratings. A sweep plays one agent, with
/// several values of a parameter, against fixed opponents.
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help(), mut_arg("csv", |csv| csv.help(CSV)))]
pub struct Options {
    /// The game
    #[arg(help = format!("The game: {GAMES}"))]
    game: String,

    /// Two or more agents, as in mcts:384,c=0.5 or random (--help lists all words)
    #[arg(value_name = "AGENT", conflicts_with = "sweep", num_args = 1..)]
    agents: Vec<String>,

    /// Try an agent with several values, as in mcts:48,96,192 or 'mcts:1000,c={0.1,0.3,1}'
    #[arg(long, value_name = "AGENT", requires = "against")]
    sweep: Option<String>,

    /// Add an opponent of the sweep; may be repeated
    #[arg(long, value_name = "AGENT", requires = "sweep")]
    against: Vec<String>,

    /// Stop a match once it is clear whether the first agent is ELO1 or only ELO0 stronger than the second
    /// (sequential test with error rates of 5 %), as in 0,20
    #[arg(long, value_name = "ELO0,ELO1", conflicts_with = "sweep", value_parser = sprt, allow_hyphen_values = true)]
    until: Option<Sprt>,

    /// Set the games of each pairing, an even number; half are played from each seat
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u32,

    /// Set the random actions at the start of a game; each opening is played from both seats
    #[arg(long, value_name = "N", default_value_t = 0)]
    openings: u32,

    #[command(flatten)]
    work: Work,

    /// Append each game to this file as soon as it is over, as a line of JSON
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,

    /// Continue the contest in the results file
    #[arg(long, requires = "results", conflicts_with = "force")]
    resume: bool,

    #[command(flatten)]
    files: Files,

    /// Write a tidy table to this CSV file: a row for each agent of each pairing
    #[arg(long, value_name = "FILE")]
    tidy: Option<PathBuf>,

    /// Write the games of Hex to this SGF file
    #[arg(long, value_name = "FILE", conflicts_with = "sweep")]
    records: Option<PathBuf>,
}

const CSV: &str = "Write a table to this CSV file; a sweep against one opponent has the columns of the sources: winR \
winY tie ry ryt dt nGames value";

const EXAMPLES: &str = "\
Examples:
  ramure-lab compare connect4 mcts:384,c=0.5 mc:64 --games 300
  ramure-lab compare connect4 --sweep mcts:48,96,192,384,768 --against mc:64 \\
                     --games 300 --csv sweep.csv --plot sweep.svg
  ramure-lab compare hex:7 --sweep 'mcts:1000,c={0.1,0.2,0.4,0.8}' \\
                     --against mc-total:1000 --plot c.png
  ramure-lab compare sudo:2 random mc:10 mcts:100 --openings 2 --plot elo.svg
  ramure-lab compare hex:11 human mcts:1s --games 2 --records games.sgf
  ramure-lab compare connect4 mcts:1000,c=0.4 mcts:1000,c=0.6 --until 0,30 \\
                     --games 20000 --results games.jsonl --resume
  ramure-lab compare connect4 mcts:50ms,threads=2 mcts:50ms --threads 1
  ramure-lab compare tic-tac-toe human alphabeta:9 --games 2

Ctrl-C ends the contest after the games in progress and shows their results; a second Ctrl-C ends it at once.";

fn long_help() -> String {
    format!("{}\n{EXAMPLES}", AnyGame::registry().help())
}

fn sprt(text: &str) -> Result<Sprt, String> {
    let elos = text
        .split_once(',')
        .and_then(|(low, high)| Some((low.trim().parse().ok()?, high.trim().parse().ok()?)));
    let (low, high) =
        elos.ok_or_else(|| format!("\"{text}\" is not two numbers with a comma, as in 0,20"))?;
    let test = Sprt::new(low, high);
    test.start().map_err(|error| error.to_string())?;
    Ok(test)
}

/// Returns the words for agents, with `human`, the person at the terminal.
pub fn words_with_human() -> Everything {
    AnyGame::registry().with("human", "the person at the terminal", |_| Ok(Human::default))
}

impl Options {
    /// Returns the start of the game.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`AnyGame::read`].
    pub fn start(&self) -> Result<AnyGame, Failure> {
        AnyGame::read(&self.game)
    }

    /// Plays the contest between agents that `known` reads, and prints the results.
    ///
    /// # Errors
    ///
    /// Returns an error if an agent cannot be read, a game cannot be played or a file cannot be written.
    pub fn run(&self, known: &Everything) -> Result<(), Failure> {
        let start = self.start()?;
        // A resumed contest may replace the table and the picture that it wrote before.
        let files = Files { force: self.files.force || self.resume, ..self.files.clone() };
        let results = self.results.iter().flat_map(|path| [path.clone(), aside(path)]);
        let others = || self.tidy.iter().chain(&self.records);
        files.check(1, others().cloned().chain(results))?;
        others().try_for_each(|path| files.check_one(path))?;
        if self.records.is_some() && !matches!(start, AnyGame::Hex(_)) {
            return Err("--records writes games of Hex only; --results writes those of any game".into());
        }
        let conditions = self.conditions();
        match &self.sweep {
            Some(text) => self.sweep(start, known, text, &conditions),
            None => self.play(start, known, &conditions),
        }
    }

    fn conditions(&self) -> Conditions {
        let mut conditions = Conditions::games(self.games)
            .openings(self.openings)
            .seed(self.work.seed)
            .label(&self.game)
            .stop_handle(stop_by_ctrl_c());
        let mut texts = self.agents.iter().chain(&self.against).chain(&self.sweep);
        // With a human player, play one game at a time, and draw no progress bar over the board.
        conditions =
            match texts.any(|text| text.rsplit(',').next().is_some_and(|agent| agent.trim() == "human")) {
                true => conditions.threads(1),
                false => conditions.threads(self.work.threads()).progress(),
            };
        match &self.results {
            Some(path) if self.resume => conditions.results(ResultsFile::resume(path)),
            Some(path) if self.files.force => conditions.results(ResultsFile::replace(path)),
            Some(path) => conditions.results(ResultsFile::create(path)),
            None => conditions,
        }
    }

    fn tidy(&self, text: impl FnOnce() -> String) -> Result<(), Failure> {
        self.tidy.as_ref().map_or(Ok(()), |path| write(path, text()))
    }

    /// Writes the games as records.
    fn records(&self, start: &AnyGame, games: &[Record]) -> Result<(), Failure> {
        let Some(path) = &self.records else { return Ok(()) };
        let record = |game| record_of(start, game, &self.agents).map(|record| record.to_string());
        let records = games.iter().map(record).collect::<Result<String, Failure>>()?;
        write(path, records)
    }

    fn sweep(
        &self,
        start: AnyGame,
        known: &Everything,
        text: &str,
        conditions: &Conditions,
    ) -> Result<(), Failure> {
        let (parameter, swept) = sweeps::read(text)?;
        let read = |text: &String| start.read_agent(known, text);
        let agents = swept.iter().map(|(_, text)| read(text)).collect::<Result<Vec<_>, _>>()?;
        let opponents = self.against.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let (values, mut agents): (Vec<f64>, _) =
            (swept.iter().map(|(value, _)| *value).collect(), agents.into_iter());
        // The sweep asks once for each value.
        let next = |_| agents.next().unwrap_or_else(|| opponents[0].clone());
        let result = Sweep::new(start, parameter, values, next).against(opponents.clone()).run(conditions)?;
        say(&result)?;
        self.files.csv(|| if opponents.len() == 1 { result.to_source_csv(0) } else { result.to_csv() })?;
        self.tidy(|| result.to_csv())?;
        self.files.plot(|path| draw_sweep(&result, path))
    }

    fn play(&self, start: AnyGame, known: &Everything, conditions: &Conditions) -> Result<(), Failure> {
        let agents: Vec<Recipe<AnyGame>> =
            self.agents.iter().map(|text| start.read_agent(known, text)).collect::<Result<_, _>>()?;
        match (agents.len(), self.until) {
            (0 | 1, _) => Err("a contest needs two or more agents, or a sweep; --help lists them".into()),
            (2, until) => {
                let contest = Match::new(start.clone(), agents);
                let result = match until {
                    Some(test) => {
                        let (result, test) = contest.test(conditions, test)?;
                        say(test)?;
                        result
                    }
                    None => contest.run(conditions)?,
                };
                say(&result)?;
                self.files.csv(|| result.to_csv())?;
                self.tidy(|| result.to_csv())?;
                self.records(&start, &result.played.records)?;
                self.files.plot(|path| draw_match(&result, path))
            }
            (_, Some(_)) => {
                Err("--until compares two agents, but there are more; leave it out or name two agents".into())
            }
            (_, None) => {
                let result = RoundRobin::new(start.clone(), agents).run(conditions)?;
                say(&result)?;
                self.files.csv(|| result.to_csv())?;
                self.tidy(|| result.to_csv())?;
                self.records(&start, &result.played.records)?;
                self.files.plot(|path| draw_ratings(&result, path))
            }
        }
    }
}

/// Returns a game of a contest of Hex as a record.
fn record_of(start: &AnyGame, game: &Record, agents: &[String]) -> Result<HexRecord, Failure> {
    let AnyGame::Hex(board) = start else { return Err("it is not a game of Hex".into()) };
    let name = |seat: usize| game.seats.get(seat).and_then(|&agent| agents.get(agent)).cloned();
    let moves = game.replay(start)?.into_iter().zip([0, 1].into_iter().cycle());
    let moves = moves.filter_map(|(action, player)| match action {
        AnyAction::Hex(HexAction::Place(cell)) => Some((player, HexMove::Place(cell))),
        AnyAction::Hex(HexAction::Swap) => Some((player, HexMove::SwapPieces)),
        _ => None,
    });
    let winner = if game.rewards[0] > game.rewards[1] { "B+" } else { "W+" };
    let how = match &game.forfeit {
        Some(forfeit) if forfeit.on_time => "T",
        Some(_) => "F",
        None => "",
    };
    Ok(HexRecord {
        size: board.size(),
        players: [0, 1].map(|seat| name(seat).unwrap_or_default()),
        result: format!("{winner}{how}"),
        stones: Vec::new(),
        turn: None,
        moves: moves.collect(),
    })
}
