//! A search on the whole screen while it thinks: `ramure-lab watch`.

use crate::Failure;
use crate::commands::{AnyGame, GAMES};
use crate::watch::{Session, watch};
use clap::Args;
use ramure::{Bytes, GameState};

/// Shows a search while it thinks: the board, the tree with its actions as bars, the means over time. You
/// walk through the tree, and play.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The game
    #[arg(help = format!("The game: {GAMES}"))]
    game: String,

    /// Set the search: a tree policy with the parameters of mcts, without a budget
    #[arg(long, value_name = "TEXT", default_value = "ucb1")]
    search: String,

    /// Play these actions first
    #[arg(long, value_name = "ACTIONS", value_delimiter = ',')]
    moves: Vec<String>,

    /// Set the most memory of the tree, in MiB; at the limit, the search recycles what it visits least
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..))]
    memory: u32,

    /// Set the seed of the search
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

const EXAMPLES: &str = "\
Examples:
  ramure-lab watch connect4
  ramure-lab watch connect4 --moves 3,3,2 --search rave
  ramure-lab watch hex:7 --search grave

Keys: arrows walk through the tree, p plays, u takes back, space pauses, ? lists all. NO_COLOR=1 leaves colours out.";

/// Shows the search until the viewer quits.
pub fn run(options: Options) -> Result<(), Failure> {
    let Options { game, search, moves, memory, seed } = options;
    let mut state = AnyGame::read(&game)?;
    for text in &moves {
        let action = state.read_action(text).map_err(|error| format!("\"{text}\": {error}"))?;
        if !state.is_legal(action) {
            return Err(format!("\"{text}\" is not legal after the actions before it").into());
        }
        state.apply(action);
    }
    watch(Session::new(state, &search, seed, Bytes::mib(memory as usize))?)
}
