//! The options of the command line.

use clap::{Args, ValueEnum};
use ramure::Budget;
use std::io::IsTerminal;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The options of every game.
#[derive(Args)]
pub struct Common {
    /// Choose the first player [default: human, or mcts without a terminal]
    #[arg(long, value_enum, value_name = "WHO")]
    first: Option<Who>,

    /// Choose the second player [default: mcts]
    #[arg(long, value_enum, value_name = "WHO")]
    second: Option<Who>,

    /// Run N iterations of the search per action [default: 2000 in games without a human]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    iterations: Option<u64>,

    /// Let the search think for S seconds per action, as in 0.5 [default: 1 in games with a human]
    #[arg(long, value_name = "S", value_parser = seconds, conflicts_with = "iterations")]
    seconds: Option<Duration>,

    /// Set the seed of all random numbers; with --iterations, it fixes the whole game [default: 0, or the
    /// time if a human plays]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// The kind of a player.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Who {
    /// A person who types actions
    Human,
    /// A random legal action, all equally likely
    Random,
    /// Monte-Carlo tree search
    Mcts,
}

impl Common {
    /// The two players, the first player first.
    pub fn seats(&self) -> [Who; 2] {
        let terminal = std::io::stdin().is_terminal();
        // A seat that no option names is for a person, unless the other seat is or there is no terminal.
        let other = |named: Who| if terminal && named != Who::Human { Who::Human } else { Who::Mcts };
        match (self.first, self.second) {
            (Some(first), Some(second)) => [first, second],
            (Some(first), None) => [first, other(first)],
            (None, Some(second)) => [other(second), second],
            (None, None) => [other(Who::Mcts), Who::Mcts],
        }
    }

    /// Whether a person plays.
    pub fn has_human(&self) -> bool {
        self.seats().contains(&Who::Human)
    }

    /// The budget of the search for each action.
    pub fn budget(&self) -> Budget {
        match (self.iterations, self.seconds) {
            (Some(iterations), _) => Budget::iterations(iterations),
            (_, Some(seconds)) => Budget::time(seconds),
            _ if self.has_human() => Budget::millis(1_000),
            _ => Budget::iterations(2_000),
        }
    }

    /// The seed of all random numbers.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| {
            // A person wants a new game every time. Without one, a game that can be repeated is more useful.
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            if self.has_human() { now.as_nanos() as u64 } else { 0 }
        })
    }
}

/// The largest value of `--seconds`: a day.
const MOST_SECONDS: f64 = 86_400.0;

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 =
        text.parse().map_err(|_| format!("`{text}` is not a number; write seconds, as in 0.5"))?;
    if seconds.is_nan() || !(0.001..=MOST_SECONDS).contains(&seconds) {
        return Err(format!("{seconds} seconds is out of range; choose from 0.001 to {MOST_SECONDS}"));
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// The end of every `--help`.
pub const KEYS: &str = "\
During a game, type an action, or one of hint, undo, report, help, quit.
While a search thinks, Ctrl-C makes it move now; otherwise it ends the game.
The board has colours if the terminal has them and NO_COLOR is not set.";
