//! Where the evidence went: `ramure-lab reproduce`.

use crate::Failure;
use clap::Args;

/// Says how to repeat the experiments of the sources and the papers, which are a project of their own.
#[derive(Args)]
pub struct Options {
    /// The options to pass on
    #[arg(value_name = "OPTION", trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<String>,
}

/// Names the command to type instead.
///
/// # Errors
///
/// Returns an error in any case: nothing is measured here.
pub fn run(Options { options }: Options) -> Result<(), Failure> {
    let words: String = options.iter().map(|option| format!(" {option}")).collect();
    Err(format!(
        "the experiments are the project benches/evidence, which is not part of this command; in a clone of the repository, type\n  \
         benches/evidence/run.sh{words}"
    )
    .into())
}
