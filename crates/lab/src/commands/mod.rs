//! The commands of `ramure-lab`, one file or folder each: its options, its work and its output.
//!
//! | file           | what the commands share                                           |
//! |----------------|-------------------------------------------------------------------|
//! | `any_game.rs`  | [`AnyGame`]: every game as one type, and the games by name        |
//! | `files.rs`     | the files that a command writes, and tables as CSV                |
//! | `output.rs`    | what a command says, how it ends, Ctrl-C                          |
//! | `parallel.rs`  | work spread over threads, with the same results for any number    |

pub mod any_game;
pub mod bandit;
pub mod book;
pub mod compare;
pub mod files;
pub mod hidden;
pub mod htp;
pub mod leduc;
pub mod output;
pub mod p_game;
pub mod parallel;
pub mod plan;
pub mod play;
pub mod puzzle;
pub mod tune;
pub mod watch;

pub use any_game::{AnyAction, AnyGame, Everything, GAMES};

use std::fmt;

/// The most visits that a search can count.
const MOST_VISITS: i64 = 2_147_483_647;

/// Calls `look` at each checkpoint, a number of iterations in ascending order, with how many of them there are
/// since the one before.
fn at_each<T, E>(
    checkpoints: impl IntoIterator<Item = u64>,
    mut look: impl FnMut(u64) -> Result<T, E>,
) -> Result<Vec<T>, E> {
    let mut done = 0;
    checkpoints.into_iter().map(|all| look(all - std::mem::replace(&mut done, all))).collect()
}

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
