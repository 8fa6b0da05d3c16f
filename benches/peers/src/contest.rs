//! A contest at equal wall time: each search plays Connect 4 on two threads against ramure on two threads.
//!
//! Each player of each game is a separate process. It waits on its standard input while the other one thinks,
//! and frees its tree before it answers, so only one of them runs at a time. Each action is a search of its
//! own from an empty tree, because not all of the searches can keep their tree.
//!
//! Other programs on the machine would disturb the searches unequally: two trees that meet wait for the
//! slower thread. So a pair of games is played again if other programs used the processors meanwhile. The
//! time for this is limited.

use crate::board::{Connect4, GameState as _, Rng, Turn};
use crate::quiet::{self, Patience, Watch};
use crate::{peer, position, threads};
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
}

/// The time of a small search before the game, which loads the code and initialises lazy statics.
const WARM_UP: Duration = Duration::from_millis(5);

fn named(name: &str) -> Result<&'static threads::Player, String> {
    let found = threads::PLAYERS.iter().find(|player| player.name == name);
    found.ok_or_else(|| {
        let names: Vec<_> = threads::PLAYERS.iter().map(|player| player.name).collect();
        format!("no player has the name `{name}`; the players are {}", names.join(", "))
    })
}

impl Player {
    /// For each line with the columns played so far, prints the next column and the nanoseconds that it took.
    pub fn play(&self) -> Result<(), String> {
        let player = named(&self.player)?;
        drop((player.play)(Connect4::new(), WARM_UP, self.seed));
        println!("ready");
        for (turn, line) in (1..).zip(std::io::stdin().lines()) {
            let board = position::after(line.map_err(|error| error.to_string())?.trim())?;
            let start = Instant::now();
            let found = (player.play)(board, Duration::from_millis(self.millis), (self.seed << 8) + turn);
            let (best, time) = (found.best, start.elapsed());
            drop(found);
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
    fn start(player: &str, seed: u64, millis: u64) -> Result<Self, String> {
        let failed = |error| format!("cannot start `{player}`: {error}");
        let program = std::env::current_exe().map_err(failed)?;
        let mut command = Command::new(program);
        command.args(["play", "--player", player, &format!("--seed={seed}"), &format!("--millis={millis}")]);
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
    fn play_pair(&mut self, seed: u64, millis: u64, patience: &mut Patience) -> Result<bool, String> {
        let before = self.clone();
        loop {
            patience.wait();
            let (start, watch) = (Instant::now(), Watch::start());
            for first_begins in [true, false] {
                self.play(seed, first_begins, millis)?;
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
    fn play(&mut self, seed: u64, first_begins: bool, millis: u64) -> Result<(), String> {
        let (mut board, mut columns) = (Connect4::new(), String::new());
        let mut rng = Rng::seeded(seed);
        for _ in 0..OPENING {
            let column = board.random_action(&mut rng).ok_or("a game that is over in the opening")?;
            board.apply(column);
            columns += &column.to_string();
        }
        let mut sides = Vec::new();
        for name in self.names {
            sides.push(Process::start(name, seed, millis)?);
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

    fn row(&self) -> Result<String, String> {
        let [ours, other] = [named(self.names[0])?, named(self.names[1])?];
        let version = peer::version(other.package);
        let [wins, draws, losses] = self.results;
        let [value, low, high] = wilson(wins as f64 + draws as f64 / 2.0, self.games());
        let [our_time, other_time] = self.millis();
        Ok(format!(
            "| {} {version} | {} | {} | {} | {wins}, {draws}, {losses} | {value:.3} ({low:.3} to {high:.3}) | \
             {our_time:.1} | {other_time:.1} |",
            other.package,
            other.note,
            ours.note,
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
    pub json: Option<PathBuf>,
}

impl Contest {
    /// Plays all matches in turn, one pair of games at a time, and prints a table.
    pub fn run(&self) -> Result<(), String> {
        if self.games == 0 || self.millis == 0 {
            return Err("`--games` or `--millis` is 0; both must be at least 1".into());
        }
        self.only.iter().try_for_each(|name| named(name).map(drop))?;
        let asked_for = |names: &[&str; 2]| {
            self.only.is_empty() || names.iter().any(|name| self.only.iter().any(|only| only == name))
        };
        let names = threads::MATCHES.into_iter().filter(asked_for);
        let mut matches: Vec<Match> =
            names.map(|names| Match { names, results: [0; 3], times: [vec![], vec![]] }).collect();
        let pairs = self.games.div_ceil(2);
        let (mut disturbed, mut patience) = (0, Patience(self.patience));
        for pair in 1..=pairs {
            eprintln!("pair {pair} of {pairs}; disturbed so far: {disturbed}");
            for game in &mut matches {
                disturbed += u64::from(!game.play_pair(pair, self.millis, &mut patience)?);
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
            println!("{}", game.row()?);
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
        for name in threads::MATCHES.as_flattened() {
            assert!(named(name).is_ok(), "{name}");
        }
    }
}
