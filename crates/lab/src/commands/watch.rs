//! A search on the whole screen while it thinks: `ramure-lab watch`.

use crate::Failure;
use crate::commands::{AnyAction, AnyGame, GAMES};
use crate::sgf::{HexMove, read_file};
use crate::watch::{Session, watch};
use clap::Args;
use ramure::{Bytes, GameState};
use ramure_games::Hex;
use ramure_games::hex::HexAction;
use std::path::PathBuf;

/// Shows a search while it thinks: the board, the tree with its actions as bars, the means over time. You
/// walk through the tree, and play.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The game
    #[arg(help = format!("The game: {GAMES}"), required_unless_present = "record")]
    game: Option<String>,

    /// Begin with this game of Hex, an SGF file; u takes its moves back
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "moves"])]
    record: Option<PathBuf>,

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
  ramure-lab watch --record game.sgf --search grave

Keys: arrows walk through the tree, p plays, u takes back, space pauses, ? lists all. NO_COLOR=1 leaves colours out.";

/// Shows the search until the viewer quits.
pub fn run(options: Options) -> Result<(), Failure> {
    let Options { game, record, search, moves, memory, seed } = options;
    let memory = Bytes::mib(memory as usize);
    if let Some(path) = record {
        let named = |error: String| format!("{}: {error}", path.display());
        let record = read_file(&path).map_err(named)?;
        let positions = record.positions(Hex::new(record.size)?.with_swap())?;
        // A pass and a resignation are no actions.
        let action = |action: HexMove| match action {
            HexMove::Place(cell) => Some(HexAction::Place(cell)),
            HexMove::SwapPieces | HexMove::SwapSides => Some(HexAction::Swap),
            HexMove::Pass | HexMove::Resign => None,
        };
        let mut earlier: Vec<_> = positions.into_iter().map(AnyGame::Hex).collect();
        let last = earlier.pop().ok_or("the record is empty")?;
        let actions = record.moves.iter().map(|(_, played)| action(*played));
        let moves = earlier
            .into_iter()
            .zip(actions)
            .filter_map(|(from, action)| Some((from, AnyAction::Hex(action?))));
        let session = Session::new(last, &search, seed, memory)?;
        return watch(session.after(moves.collect()));
    }
    let mut state = AnyGame::read(&game.unwrap_or_default())?;
    for text in &moves {
        let action = state.read_action(text).map_err(|error| format!("\"{text}\": {error}"))?;
        if !state.is_legal(action) {
            return Err(format!("\"{text}\" is not legal after the actions before it").into());
        }
        state.apply(action);
    }
    watch(Session::new(state, &search, seed, memory)?)
}
