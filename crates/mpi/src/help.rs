//! The help of the programs of the laboratory, which run over several ranks here.

use clap::Command;
use clap::builder::StyledStr;

/// The help on ending a program early.
const INTERRUPT: &str = "\
Ctrl-C ends all ranks at once, because mpirun gets it. To end with the results so far, send the signal INT to the ranks: pkill -INT -x ramure-mpi";

/// Returns the command, with helps that are right for `mpirun`.
pub fn over_ranks(command: Command) -> Command {
    command.mut_subcommands(|program| {
        let [short, long] = [program.get_after_help(), program.get_after_long_help()].map(adapted);
        let program = short.into_iter().fold(program, Command::after_help);
        long.into_iter().fold(program, Command::after_long_help)
    })
}

/// Returns the text for several ranks. No person can play there, and Ctrl-C goes to `mpirun`.
fn adapted(text: Option<&StyledStr>) -> Option<String> {
    let text = text?.to_string();
    let over_mpi = |line: String, name| {
        line.replace(&format!("  {name} "), "  mpirun -n 4 ramure-mpi ").replace(name, "ramure-mpi")
    };
    let lines = text.lines().filter(|line| !line.contains(" human ")).map(|line| {
        if line.starts_with("Ctrl-C") {
            return INTERRUPT.into();
        }
        ["ramure-lab", "ramure-nets"].into_iter().fold(line.to_owned(), over_mpi)
    });
    Some(Vec::from_iter(lines).join("\n"))
}
