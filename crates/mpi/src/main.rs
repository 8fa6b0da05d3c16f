//! `ramure-mpi`: contests, tuning, experiments and trainings over the ranks of MPI.

mod help;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use ramure_lab::Failure;
use ramure_lab::commands::{AnyGame, bandit, compare, hidden, leduc, p_game, puzzle, tune};
use ramure_lab::ranks::{self, Ranks};
use ramure_mpi::{MpiLink, spread};
#[cfg(feature = "networks")]
use ramure_nets::program::{train, with_net};
use std::process::ExitCode;

/// Runs the contests and experiments of ramure-lab over MPI
///
/// Start it with the launcher of your MPI, as in
/// `mpirun -n 4 ramure-mpi compare connect4 mcts:1000 mc:100`.
#[derive(Parser)]
#[command(version, about, max_term_width = 80)]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Compare(compare::Options),
    Tune(tune::Options),
    Bandit(bandit::Options),
    PGame(p_game::Options),
    Hidden(hidden::Options),
    Leduc(leduc::Options),
    Puzzle(puzzle::Options),
    #[cfg(feature = "networks")]
    Train(train::Options),
}

fn main() -> ExitCode {
    let words = help::over_ranks(Options::command()).try_get_matches();
    let options = words.and_then(|words| Options::from_arg_matches(&words));
    let mut link = match MpiLink::start() {
        Ok(link) => link,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    agree(&mut link);
    let options = match options {
        Ok(options) => options,
        Err(error) => {
            // All ranks have the same arguments, so one of them says what is wrong.
            if link.is_first() {
                let _ = error.print();
            }
            return ExitCode::from(error.exit_code() as u8);
        }
    };
    if link.ranks() == 1 {
        eprintln!("one rank: start this with a launcher, as in `mpirun -n 4 ramure-mpi ...`, to use more");
    }
    match options.command {
        Command::Compare(options) => spread(link, || contest(&options)),
        Command::Tune(options) => spread(link, || tune::run(options)),
        Command::Bandit(options) => spread(link, || bandit::run(options)),
        Command::PGame(options) => spread(link, || p_game::run(options)),
        Command::Hidden(options) => spread(link, || hidden::run(options)),
        Command::Leduc(options) => spread(link, || leduc::run(options)),
        Command::Puzzle(options) => spread(link, || puzzle::run(options)),
        #[cfg(feature = "networks")]
        Command::Train(options) => spread(link, || train::run(options)),
    }
}

/// Plays a contest.
fn contest(options: &compare::Options) -> Result<(), Failure> {
    let known = AnyGame::registry();
    #[cfg(feature = "networks")]
    let known = with_net(known, &options.start()?);
    options.run(&known)
}

/// Ends all ranks if one was started in another way than the first.
fn agree(link: &mut MpiLink) {
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let build = ranks::build().map_or("unknown".into(), |build| format!("{build:016x}"));
    let here =
        format!("version {}, build {build}: {}", env!("CARGO_PKG_VERSION"), Vec::from_iter(words).join(" "));
    let reason = match link.share(here.clone()) {
        Ok(there) if there == here => return,
        Ok(there) => format!(
            "it is {here}, but rank 0 is {there}; start all ranks with the same program and the same arguments"
        ),
        Err(error) => error.to_string(),
    };
    eprintln!("error: rank {}: {reason}", link.rank());
    link.abort(1)
}
