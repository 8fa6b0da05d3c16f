//! A contest at equal wall time: each search plays Connect 4 against ramure, both on one thread or both on two.
//!
//! On two threads each search keeps to its own time limit. Most searches have none on one thread. There, all
//! get as many iterations as took that time in the action before.
//!
//! Each player of each game is a separate process. It waits on its standard input while the other one thinks,
//! and frees its tree before it answers, so only one of them runs at a time. Each action is a search of its
//! own from an empty tree, because not all of the searches can keep their tree.
//!
//! Other programs on the machine would disturb the searches unequally: some wait for the slower thread. So a
//! pair of games is played again if other programs used the processors meanwhile. The time for this is
//! limited.

use crate::board::{Column, Connect4, GameState as _, Rng, Turn};
use crate::peer::{self, PEERS, Peer, Program, Search};
use crate::quiet::{self, Patience, Watch};
use crate::{position, threads};
use clap::Args;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// The part that runs in the process of a player.
#[derive(Args)]
pub struct Player {
    #[arg(long)]
    player: String,
    #[arg(long)]
    seed: u64,
    #[arg(long)]
    millis: u64,
    #[arg(long)]
    one_thread: bool,
}

/// The time of a small search before the game, which loads the code and initialises lazy statics.
const WARM_UP: Duration = Duration::from_millis(5);

/// A player of a contest.
#[derive(Clone, Copy)]
enum Side {
    /// On two threads, by its own time limit.
    Two(&'static threads::Player),
    /// On one thread, by iterations.
    One(&'static Peer),
}

impl Side {
    fn named(name: &str, one_thread: bool) -> Result<Self, String> {
        let mut all: Vec<_> = if one_thread {
            PEERS.iter().chain(&threads::ROWS).map(|peer| (peer.name, Side::One(peer))).collect()
        } else {
            threads::PLAYERS.iter().map(|player| (player.name, Side::Two(player))).collect()
        };
        let names: Vec<_> = all.iter().map(|(name, _)| *name).collect();
        match names.iter().position(|other| *other == name) {
            Some(place) => Ok(all.swap_remove(place).1),
            None => Err(format!("no player has the name `{name}`; the players are {}", names.join(", "))),
        }
    }

    /// Returns the name of its crate, and its settings.
    fn described(self) -> [&'static str; 2] {
        match self {
            Side::Two(player) => [player.package, player.note],
            Side::One(peer) => [peer.package, peer.note],
        }
    }
}

/// The iterations that take a time, as far as the last search shows.
struct Pace {
    search: Search,
    time: Duration,
    iterations: f64,
}

impl Pace {
    /// Searches the first position, longer each time, until a search takes half of the time.
    fn new(search: Search, time: Duration) -> Self {
        let mut pace = Pace { search, time, iterations: 16.0 };
        while pace.play(Connect4::new(), 0).1 < time / 2 {}
        pace
    }

    /// Returns the action, and the time that the search took.
    fn play(&mut self, board: Connect4, seed: u64) -> (Column, Duration) {
        let start = Instant::now();
        let found = (self.search)(board, self.iterations as u64, seed);
        let taken = start.elapsed();
        // A search that ends early, because the root is proven, says little about the next one.
        let ratio = self.time.as_secs_f64() / taken.as_secs_f64();
        self.iterations = (self.iterations * ratio.clamp(0.5, 2.0)).max(16.0);
        (found.best, taken)
    }
}

impl Player {
    /// For each line with the columns played so far, prints the next column and the nanoseconds that it took.
    pub fn play(&self) -> Result<(), String> {
        let time = Duration::from_millis(self.millis);
        let mut choose: Box<dyn FnMut(Connect4, u64) -> (Column, Duration)> =
            match Side::named(&self.player, self.one_thread)? {
                Side::Two(player) => {
                    drop((player.play)(Connect4::new(), WARM_UP, self.seed));
                    Box::new(move |board, seed| {
                        let start = Instant::now();
                        let found = (player.play)(board, time, seed);
                        (found.best, start.elapsed())
                    })
                }
                Side::One(Peer { program: Program::Rust(search), .. }) => {
                    let mut pace = Pace::new(*search, time);
                    Box::new(move |board, seed| pace.play(board, seed))
                }
                Side::One(peer) => return Err(format!("`{}` does not run in this program", peer.name)),
            };
        println!("ready");
        for (turn, line) in (1..).zip(std::io::stdin().lines()) {
            let board = position::after(line.map_err(|error| error.to_string())?.trim())?;
            let (best, time) = choose(board, (self.seed << 8) + turn);
            println!("{best} {}", time.as_nanos());
        }
        Ok(())
    }
}

/// A process that plays one side of a game.
struct Process {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Process {
    fn start(player: &str, seed: u64, contest: &Contest) -> Result<Self, String> {
        let failed = |error| format!("cannot start `{player}`: {error}");
        let mut command = match Side::named(player, contest.one_thread)? {
            Side::One(Peer { program: Program::OpenSpiel(options), .. }) => {
                let python = contest.python.as_ref().ok_or("OpenSpiel needs `--python`")?;
                let mut command = Command::new(python);
                command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/open_spiel.py")).arg("play").args(*options);
                command
            }
            _ => {
                let mut command = Command::new(std::env::current_exe().map_err(failed)?);
                command.args(["play", "--player", player]);
                command.args(contest.one_thread.then_some("--one-thread"));
                command
            }
        };
        command.args([format!("--seed={seed}"), format!("--millis={}", contest.millis)]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
        let (questions, answers) = (child.stdin.take(), child.stdout.take());
        let questions = questions.ok_or("a process without standard input")?;
        let answers = BufReader::new(answers.ok_or("a process without standard output")?);
        let mut process = Process { child, questions, answers };
        process.answer()?;
        Ok(process)
    }

    fn answer(&mut self) -> Result<String, String> {
        let mut line = String::new();
        match self.answers.read_line(&mut line) {
            Ok(0) => Err("a player ended too early".into()),
            Ok(_) => Ok(line),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Returns the column to play after these columns, and the nanoseconds that the choice took.
    fn choose(&mut self, columns: &str) -> Result<(String, f64), String> {
        writeln!(self.questions, "{columns}").map_err(|error| error.to_string())?;
        let line = self.answer()?;
        let wrong = || format!("a player answered `{}` after `{columns}`", line.trim());
        let (column, time) = line.trim().split_once(' ').ok_or_else(wrong)?;
        Ok((column.to_owned(), time.parse().map_err(|_| wrong())?))
    }

    fn end(self) -> Result<(), String> {
        let Process { mut child, questions, answers } = self;
        drop((questions, answers));
        child.wait().map(drop).map_err(|error| error.to_string())
    }
}

/// The results of one match so far.
#[derive(Clone)]
struct Match {
    names: [&'static str; 2],
    /// Wins of the first, draws, and wins of the second.
    results: [u64; 3],
    /// The thinking times of the first and of the second, in nanoseconds.
    times: [Vec<f64>; 2],
}

/// The number of random actions at the start of each game.
const OPENING: usize = 2;

impl Match {
    /// Plays a pair of games, again if other programs disturbed them. Returns whether the last try was quiet.
    fn play_pair(&mut self, seed: u64, contest: &Contest, patience: &mut Patience) -> Result<bool, String> {
        let before = self.clone();
        loop {
            patience.wait();
            let (start, watch) = (Instant::now(), Watch::start());
            for first_begins in [true, false] {
                self.play(seed, first_begins, contest)?;
            }
            let was_quiet = watch.was_quiet();
            if was_quiet || patience.0.is_zero() {
                return Ok(was_quiet);
            }
            patience.0 = patience.0.saturating_sub(start.elapsed());
            *self = before.clone();
        }
    }

    /// Plays one game from the opening of this seed. Player 0 is the first of the match if `first_begins`.
    fn play(&mut self, seed: u64, first_begins: bool, contest: &Contest) -> Result<(), String> {
        let (mut board, mut columns) = (Connect4::new(), String::new());
        let mut rng = Rng::seeded(seed);
        for _ in 0..OPENING {
            let column = board.random_action(&mut rng).ok_or("a game that is over in the opening")?;
            board.apply(column);
            columns += &column.to_string();
        }
        let mut sides = Vec::new();
        for name in self.names {
            sides.push(Process::start(name, seed, contest)?);
        }
        while let Turn::Player(player) = board.turn() {
            let side = usize::from((player == 0) != first_begins);
            let (column, time) = sides[side].choose(&columns)?;
            let name = self.names[side];
            let played = column.parse().map_err(|error| format!("{name}: {error}"))?;
            board.play(played).map_err(|error| format!("{name} after {columns}: {error}"))?;
            columns += &column;
            self.times[side].push(time);
        }
        sides.into_iter().try_for_each(Process::end)?;
        let result = match board.winner() {
            None => 1,
            Some(winner) if (winner == 0) == first_begins => 0,
            Some(_) => 2,
        };
        self.results[result] += 1;
        Ok(())
    }

    fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    /// Returns the mean thinking times in milliseconds.
    fn millis(&self) -> [f64; 2] {
        self.times.each_ref().map(|times| times.iter().sum::<f64>() / times.len() as f64 / 1e6)
    }

    fn row(&self, one_thread: bool) -> Result<String, String> {
        let [_, ours] = Side::named(self.names[0], one_thread)?.described();
        let [package, note] = Side::named(self.names[1], one_thread)?.described();
        let version = peer::version(package);
        let [wins, draws, losses] = self.results;
        let [value, low, high] = wilson(wins as f64 + draws as f64 / 2.0, self.games());
        let [our_time, other_time] = self.millis();
        Ok(format!(
            "| {} {version} | {} | {} | {} | {wins}, {draws}, {losses} | {value:.3} ({low:.3} to {high:.3}) | \
             {our_time:.1} | {other_time:.1} |",
            package,
            note,
            ours,
            self.games()
        ))
    }

    fn json(&self) -> Value {
        let (results, millis) = (self.results, self.millis());
        json!({ "names": self.names, "wins_draws_losses": results, "mean_milliseconds": millis })
    }
}

/// Wilson's score interval at 95 %: the share, and its ends. Draws are half a success.
fn wilson(successes: f64, games: u64) -> [f64; 3] {
    const Z: f64 = 1.96;
    let n = games as f64;
    let share = successes / n;
    let centre = share + Z * Z / (2.0 * n);
    let spread = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 / (1.0 + Z * Z / n);
    [share, (centre - spread) * scale, (centre + spread) * scale]
}

/// The settings of the contest.
pub struct Contest {
    /// The games of each match, rounded up to pairs.
    pub games: u64,
    /// The time per action.
    pub millis: u64,
    /// The time for waiting until other programs leave the processors alone, and for playing disturbed games
    /// again.
    pub patience: Duration,
    /// Only the matches of these players, or all.
    pub only: Vec<String>,
    /// One thread for each search, or two.
    pub one_thread: bool,
    /// The Python in which OpenSpiel is installed; without it, its match is left out.
    pub python: Option<PathBuf>,
    pub json: Option<PathBuf>,
}

impl Contest {
    /// Plays all matches in turn, one pair of games at a time, and prints a table.
    pub fn run(&self) -> Result<(), String> {
        if self.games == 0 || self.millis == 0 {
            return Err("`--games` or `--millis` is 0; both must be at least 1".into());
        }
        self.only.iter().try_for_each(|name| Side::named(name, self.one_thread).map(drop))?;
        let asked_for = |names: &[&str; 2]| {
            self.only.is_empty() || names.iter().any(|name| self.only.iter().any(|only| only == name))
        };
        let can_play = |[_, other]: &[&str; 2]| self.python.is_some() || !other.starts_with("open-spiel");
        let all: &[[&str; 2]] = if self.one_thread { &threads::ALONE } else { &threads::MATCHES };
        let names = all.iter().copied().filter(|names| asked_for(names) && can_play(names));
        let mut matches: Vec<Match> =
            names.map(|names| Match { names, results: [0; 3], times: [vec![], vec![]] }).collect();
        let pairs = self.games.div_ceil(2);
        let (mut disturbed, mut patience) = (0, Patience(self.patience));
        for pair in 1..=pairs {
            eprintln!("pair {pair} of {pairs}; disturbed so far: {disturbed}");
            for game in &mut matches {
                disturbed += u64::from(!game.play_pair(pair, self, &mut patience)?);
            }
            // After each pair, so that a contest that is interrupted leaves its results.
            self.write_json(&matches, disturbed)?;
        }
        println!(
            "| search | settings | ramure | games | ramure's wins, draws, losses | ramure's score | ramure: ms per action | \
             the other |"
        );
        println!("|---|---|---|---:|---:|---:|---:|---:|");
        for game in &matches {
            println!("{}", game.row(self.one_thread)?);
        }
        println!(
            "\nIn {disturbed} of {} pairs of games, other programs used more than {:.0} % of the processors.",
            pairs * matches.len() as u64,
            quiet::SHARE * 100.0
        );
        Ok(())
    }

    fn write_json(&self, matches: &[Match], disturbed: u64) -> Result<(), String> {
        let Some(file) = &self.json else { return Ok(()) };
        let matches: Vec<_> = matches.iter().map(Match::json).collect();
        let all = json!({
            "table": "contest",
            "threads": if self.one_thread { 1 } else { 2 },
            "millis": self.millis,
            "disturbed_pairs": disturbed,
            "matches": matches,
        });
        std::fs::write(file, format!("{all:#}\n")).map_err(|error| format!("{}: {error}", file.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_wilsons() {
        let rounded = |successes, games| wilson(successes, games).map(|end| (end * 1e3).round());
        assert_eq!(rounded(20.0, 20), [1000.0, 839.0, 1000.0]);
        assert_eq!(rounded(50.0, 100), [500.0, 404.0, 596.0]);
    }

    #[test]
    fn each_match_has_players() {
        for (matches, one_thread) in [(&threads::MATCHES[..], false), (&threads::ALONE, true)] {
            for name in matches.as_flattened() {
                assert!(Side::named(name, one_thread).is_ok(), "{name}");
            }
        }
    }
}
