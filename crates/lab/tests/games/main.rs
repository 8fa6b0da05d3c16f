//! The games of the laboratory, and the exact tools for them.

mod breakthrough;
mod einstein;
mod equilibria;
mod exact;
mod game_2048;
mod goofspiel;
mod htp;
mod knockout_whist;
mod kuhn;
mod leduc;
mod matrix;
mod phantom_tic_tac_toe;
mod pig;
mod plans;
mod posterior;

/// Returns `full` if the environment variable `RAMURE_DEEP` is set, as in `.ci/deep`, and `quick` otherwise.
fn sized<T>(quick: T, full: T) -> T {
    if std::env::var_os("RAMURE_DEEP").is_some() { full } else { quick }
}
