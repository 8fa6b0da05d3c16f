//! The experiments of the papers: functions that measure and return rows, for the programs that print them (`bandit`,
//! `p_game`, `tune`) and for programs that collect their results.
//!
//! | file           | its job                                                          |
//! |----------------|------------------------------------------------------------------|
//! | `bandits.rs`   | regret on bandits (Auer, Cesa-Bianchi and Fischer 2002)          |
//! | `breakthrough.rs`| a game on which policies were published                          |
//! | `changing.rs`  | regret on arms that change halfway                               |
//! | `compare.rs`   | contests, the program `compare`                                  |
//! | `p_games.rs`   | wrong actions on P-games (Kocsis and Szepesvári 2006)            |
//! | `hidden.rs`    | searches of games with hidden information, against each other    |
//! | `leduc.rs`     | how near searches come to an equilibrium of Leduc poker          |
//! | `table.rs`     | a person against the search, in games with secrets               |
//! | `play_2048.rs` | 2048: a person with advice, and games of the search alone        |
//! | `puzzles.rs`   | searches for the best line of a puzzle, against each other       |
//! | `statistics.rs`| the comparison of two shares, or of two scores                   |
//! | `tuning.rs`    | the best value of a parameter, by successive halving             |
//! | `parallel.rs`  | work spread over threads, with the same results for any number   |
//! | `table_file.rs`| tables as CSV                                                    |
//! | `games.rs`     | the four games by name                                           |
//! | `sweeps.rs`    | many agents in one text                                          |
//! | `same_file.rs` | whether two paths lead to one file                               |
//! | `output.rs`    | tables, pictures, the end of a program, Ctrl-C                   |
//! | `human.rs`     | a person as an agent                                             |

#![allow(dead_code, reason = "each program uses a part")]

pub mod bandits;
pub mod breakthrough;
pub mod changing;
pub mod compare;
pub mod games;
pub mod hidden;
pub mod human;
pub mod leduc;
pub mod output;
pub mod p_games;
pub mod parallel;
pub mod play_2048;
pub mod puzzles;
pub mod same_file;
pub mod small_connect4;
pub mod statistics;
pub mod sweeps;
pub mod table;
mod table_file;
pub mod tuning;

#[allow(unused_imports, reason = "each program uses a part")]
pub use table_file::TableFile;

use std::error::Error;
use std::fmt;

/// The error of an experiment, in words.
pub type Failure = Box<dyn Error + Send + Sync>;

/// A claim of a paper, and the number of its cases that held here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    pub text: String,
    pub held: usize,
    pub cases: usize,
}

impl Claim {
    /// Returns a claim that was checked in these cases.
    pub fn of(text: impl Into<String>, cases: impl IntoIterator<Item = bool>) -> Self {
        let mut claim = Claim { text: text.into(), held: 0, cases: 0 };
        for held in cases {
            claim.held += usize::from(held);
            claim.cases += 1;
        }
        claim
    }

    /// Whether the claim held in every case.
    pub fn holds(&self) -> bool {
        self.held == self.cases
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Claim { text, held, cases } = self;
        write!(f, "{:<3} {text}: {held} of {cases}", if self.holds() { "yes" } else { "NO" })
    }
}
