//! What is said on the command line.

use clap::{Args, ValueEnum};
use ramure::Budget;
use std::io::IsTerminal;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The options of every game.
#[derive(Args)]
pub struct Common {
    /// Who plays first [default: human, or mcts without a terminal]
    #[arg(long, value_enum, value_name = "WHO")]
    first: Option<Who>,

    /// Who plays second [default: mcts]
    #[arg(long, value_enum, value_name = "WHO")]
    second: Option<Who>,

    /// The search makes N iterations per action [default: 2000 in games without a human]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    iterations: Option<u64>,

    /// The search thinks for S seconds per action [default: 1 in games with a human]
    #[arg(long, value_name = "S", value_parser = seconds, conflicts_with = "iterations")]
    seconds: Option<Duration>,

    /// Fixes all that is random; with --iterations, the whole game [default: 0, or the time of day if a human plays]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// Who sits on a side of the board.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Who {
    /// A person, who types actions
    Human,
    /// Any legal action, all alike
    Random,
    /// Monte-Carlo tree search
    Mcts,
}

impl Common {
    /// Who plays, the first player first.
    pub fn seats(&self) -> [Who; 2] {
        let terminal = std::io::stdin().is_terminal();
        // Whoever is not named is the person, unless he is named already or there is no terminal to sit at.
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

    /// How long the search thinks about an action.
    pub fn budget(&self) -> Budget {
        match (self.iterations, self.seconds) {
            (Some(iterations), _) => Budget::iterations(iterations),
            (_, Some(seconds)) => Budget::time(seconds),
            _ if self.has_human() => Budget::millis(1_000),
            _ => Budget::iterations(2_000),
        }
    }

    /// What fixes all that is random.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| {
            // A person does not want to play the same game every time; everybody else wants to see it again.
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            if self.has_human() { now.as_nanos() as u64 } else { 0 }
        })
    }
}

/// The longest time to think about an action that can be asked for: a day.
const MOST_SECONDS: f64 = 86_400.0;

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 =
        text.parse().map_err(|_| format!("`{text}` is not a number; write seconds, as in 0.5"))?;
    if seconds.is_nan() || !(0.001..=MOST_SECONDS).contains(&seconds) {
        return Err(format!("{seconds} seconds cannot be; choose from 0.001 to {MOST_SECONDS}"));
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// The end of every `--help`.
pub const KEYS: &str = "\
Typed during a game: an action, or one of hint, undo, report, help, quit.
Ctrl-C makes a search that thinks move now; anywhere else it ends the game.
Colours are used if the terminal has them, and not if NO_COLOR is set.";
