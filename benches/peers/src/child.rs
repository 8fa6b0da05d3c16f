//! One search in a separate process: the part that runs in the process, and the part that starts it.

use crate::board::Connect4;
use crate::found::Found;
use crate::peer::{self, PEERS, Peer, Program};
use crate::policies::POLICIES;
use crate::table::Size;
use crate::threads;
use crate::{memory, position};
use clap::Args;
use cpu_time::ProcessTime;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

/// The part that runs in the process.
#[derive(Args)]
pub struct Search {
    #[arg(long)]
    peer: String,
    #[arg(long)]
    iterations: u64,
    #[arg(long)]
    seed: u64,
    /// Count bytes instead of time
    #[arg(long)]
    bytes: bool,
}

/// The iterations of a small search before the clock starts, which loads the code and initialises lazy
/// statics.
const WARM_UP: u64 = 1_000;

/// Added to the seed for the warm-up: a processor remembers the branches of a search that it saw before.
const OTHER_SEED: u64 = 1_000_000;

impl Search {
    fn function(&self) -> Result<fn(Connect4, u64, u64) -> Found, String> {
        let mut rows = PEERS.iter().chain(&POLICIES).chain(&threads::ROWS);
        match rows.find(|row| row.name == self.peer).map(|row| &row.program) {
            Some(Program::Rust(search)) => Ok(*search),
            _ => Err(format!("`{}` does not run in this program", self.peer)),
        }
    }

    /// Prints `cpu_ns wall_ns iterations bytes nodes mean_depth`, with `-` for unknown values.
    pub fn measure(&self) -> Result<(), String> {
        fn shown<T: ToString>(number: Option<T>) -> String {
            number.map_or("-".into(), |number| number.to_string())
        }
        let search = self.function()?;
        let board = Connect4::new();
        drop(search(board, WARM_UP.min(self.iterations), self.seed + OTHER_SEED));
        let run = || search(board, self.iterations, self.seed);
        let (found, times, bytes) = if self.bytes {
            let (found, bytes) = memory::peak_of(run);
            (found, "- -".into(), Some(bytes))
        } else {
            let (cpu, wall) = (ProcessTime::now(), Instant::now());
            let found = run();
            let (cpu, wall) = (cpu.elapsed(), wall.elapsed());
            (found, format!("{} {}", cpu.as_nanos(), wall.as_nanos()), None)
        };
        let Found { iterations, nodes, mean_depth, .. } = found;
        println!("{times} {} {} {} {}", shown(iterations), shown(bytes), shown(nodes), shown(mean_depth));
        Ok(())
    }

    /// Prints the column that the search plays in each position.
    pub fn check(&self, positions: &[String]) -> Result<(), String> {
        let search = self.function()?;
        for columns in positions {
            println!("{}", search(position::after(columns)?, self.iterations, self.seed).best);
        }
        Ok(())
    }
}

/// The part that starts the processes.
pub struct Runner {
    program: PathBuf,
    python: Option<PathBuf>,
    by_cpu: bool,
}

impl Runner {
    pub fn new(python: Option<PathBuf>, by_cpu: bool) -> Result<Self, String> {
        let program = std::env::current_exe().map_err(|error| format!("no path to this program: {error}"))?;
        Ok(Runner { program, python, by_cpu })
    }

    /// Returns the words that a run of this peer prints.
    fn ask(&self, peer: &Peer, what: &str, arguments: &[String]) -> Result<Vec<String>, String> {
        let mut command = match (&peer.program, &self.python) {
            (Program::Rust(_), _) => {
                let mut command = Command::new(&self.program);
                command.args([what, "--peer", peer.name]);
                command
            }
            (Program::OpenSpiel(options), Some(python)) => {
                let mut command = Command::new(python);
                command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/open_spiel.py")).arg(what).args(*options);
                command
            }
            (Program::OpenSpiel(_), None) => return Err("needs `--python`".into()),
        };
        let output = command.args(arguments).output().map_err(|error| format!("cannot start: {error}"))?;
        if output.status.success() {
            let text = String::from_utf8_lossy(&output.stdout);
            return Ok(text.split_whitespace().map(str::to_owned).collect());
        }
        let complaint = String::from_utf8_lossy(&output.stderr);
        let last = complaint.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no message");
        Err(format!("{}: {last}", output.status))
    }

    fn measure(&self, peer: &Peer, iterations: u64, seed: u64, bytes: bool) -> Result<Vec<String>, String> {
        let mut arguments = vec![format!("--iterations={iterations}"), format!("--seed={seed}")];
        arguments.extend(bytes.then(|| "--bytes".into()));
        let words = self.ask(peer, "measure", &arguments)?;
        match words.get(2) {
            Some(made) if words.len() >= 4 => match made.parse::<u64>() {
                // One more or less, because some searches count the creation of the root.
                Ok(made) if made.abs_diff(iterations) > 1 => Err(format!("made {made} iterations")),
                _ => Ok(words),
            },
            _ => Err(format!("printed `{}`", words.join(" "))),
        }
    }

    /// Returns the iterations per second of one run.
    pub fn speed(&self, peer: &Peer, iterations: u64, seed: u64) -> Result<f64, String> {
        let words = self.measure(peer, iterations, seed, false)?;
        let nanoseconds: f64 =
            words[usize::from(!self.by_cpu)].parse().map_err(|_| "reported no time".to_string())?;
        Ok(iterations as f64 * 1e9 / nanoseconds)
    }

    /// Returns the size of the tree after a number of iterations.
    pub fn size(&self, peer: &Peer, iterations: u64) -> Result<Size, String> {
        let words = self.measure(peer, iterations, 1, true)?;
        let number = |index: usize| words.get(index).and_then(|word| word.parse().ok()).unwrap_or(f64::NAN);
        let (bytes, nodes, mean_depth) = (number(3), number(4), number(5));
        if bytes.is_nan() {
            return Err("reported no bytes".into());
        }
        let iterations = iterations as f64;
        Ok(Size { bytes: bytes / iterations, bytes_per_node: bytes / nodes, mean_depth })
    }

    /// Checks that the peer plays the right columns with each of these seeds; otherwise returns the columns
    /// that it played.
    pub fn verdict(&self, peer: &Peer, iterations: u64, seeds: u64) -> Result<(), String> {
        let mut wrong = Vec::new();
        for seed in 1..=seeds {
            let mut arguments = vec![format!("--iterations={iterations}"), format!("--seed={seed}")];
            arguments.extend(position::POSITIONS.map(str::to_owned));
            let answers = self.ask(peer, "check", &arguments)?;
            for (index, columns) in position::POSITIONS.into_iter().enumerate() {
                let right = position::right_answers(&position::after(columns)?);
                let answer = answers.get(index).map_or("nothing", String::as_str);
                if !answer.parse().is_ok_and(|column: u8| right.contains(&column)) {
                    wrong.push(format!("{answer} instead of {right:?} after {columns}"));
                }
            }
        }
        let asked = seeds as usize * position::POSITIONS.len();
        match wrong.first() {
            None => Ok(()),
            Some(first) => Err(format!("**wrong**, {} of {asked}: {first}", wrong.len())),
        }
    }

    pub fn version(&self, peer: &Peer) -> String {
        match peer.program {
            Program::Rust(_) => peer::version(peer.package).into(),
            Program::OpenSpiel(_) => {
                let words = self.ask(peer, "version", &[]).unwrap_or_default();
                words.into_iter().next().unwrap_or("?".into())
            }
        }
    }
}
