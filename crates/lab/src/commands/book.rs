//! Builds an opening book: `ramure-lab book`.

use crate::Failure;
use crate::book::{Construction, Progress};
use crate::commands::output::{say, stop_by_ctrl_c};
use crate::commands::{AnyGame, GAMES};
use clap::Args;
use ramure::Search;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Builds an opening book: searches positions, the most likely ones first, and saves what it finds.
///
/// The file is complete at every moment. A program that is killed loses what came after the last save;
/// --resume goes on, and the book becomes the same, byte for byte. To play from a book, write book:FILE
/// before an agent, as in book:c4.book,mcts:50ms.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The game
    #[arg(help = format!("The game: {GAMES}"))]
    game: String,

    /// Write the book to this file
    #[arg(long, value_name = "FILE")]
    file: PathBuf,

    /// Set the search of each position: a tree policy with the parameters of mcts, without a budget
    #[arg(long, value_name = "TEXT", default_value = "ucb1")]
    search: String,

    /// Set the iterations of each search
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    iterations: u64,

    /// End after so many positions
    #[arg(long, value_name = "N", required_unless_present = "depth")]
    positions: Option<usize>,

    /// Leave out positions that are more than so many actions after the start
    #[arg(long, value_name = "N")]
    depth: Option<u32>,

    /// Set the seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Save the book again after so many seconds
    #[arg(long, value_name = "N", default_value_t = 60)]
    save_every: u64,

    /// Continue the book in the file
    #[arg(long, conflicts_with = "force")]
    resume: bool,

    /// Replace an existing file
    #[arg(long)]
    force: bool,
}

const EXAMPLES: &str = "\
Examples:
  ramure-lab book connect4 --positions 1000 --file c4.book
  ramure-lab book connect4 --positions 5000 --file c4.book --resume
  ramure-lab book hex:7 --search grave --depth 2 --file hex.book
  ramure-lab compare connect4 book:c4.book,mcts:10ms mcts:10ms --openings 2";

/// Builds the book.
pub fn run(options: Options) -> Result<(), Failure> {
    let Options { game, file, search, iterations, positions, depth, seed, save_every, resume, force } =
        options;
    let start = AnyGame::read(&game)?;
    let known = AnyGame::registry();
    // Errors in the text are reported once. Then it can be read for each position.
    known.search(&search, start.clone(), 0)?;
    let make = |state: AnyGame, seed| -> Box<dyn Search<Space = AnyGame> + Send> {
        known.search(&search, state, seed).expect("it was read before")
    };
    let began = Instant::now();
    let mut shown = Instant::now();
    let observer = |progress: Progress| {
        if shown.elapsed() >= Duration::from_secs(10) {
            shown = Instant::now();
            let Progress { positions, saved, depth, weight, .. } = progress;
            eprintln!(
                "{positions} positions, {saved} saved; the latest at depth {depth}, weight {weight:.2e}"
            );
        }
    };
    let mut construction = Construction::new(start.game_name(), start, &search[..], make)
        .iterations(iterations)
        .seed(seed)
        .save_every(Duration::from_secs(save_every))
        .stop_handle(stop_by_ctrl_c())
        .observer(observer);
    if let Some(positions) = positions {
        construction = construction.positions(positions);
    }
    if let Some(depth) = depth {
        construction = construction.depth(depth);
    }
    let book = match (resume, force) {
        (true, _) => construction.resume(&file),
        (_, true) => construction.replace(&file),
        _ => construction.build(&file),
    }?;
    let deepest = book.entries().iter().map(|entry| entry.depth).max().unwrap_or(0);
    let proven = book.entries().iter().filter(|entry| entry.best().is_some_and(|best| best.proof.is_some()));
    say(format_args!(
        "{} positions up to depth {deepest}, {} of them proven, in {:.0} s",
        book.len(),
        proven.count(),
        began.elapsed().as_secs_f64()
    ))
}
