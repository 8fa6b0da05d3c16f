//! Connects the processes of an MPI program, the *ranks*, so that they play contests and tune together.
//!
//! [`MpiLink`] carries the messages of [`ramure_lab::ranks`]:
//!
//! ```no_run
//! use ramure_games::Connect4;
//! use ramure_lab::Registry;
//! use ramure_lab::contest::{Conditions, Match};
//! use ramure_mpi::MpiLink;
//!
//! let known = Registry::<Connect4>::new();
//! let agents = [known.read("mcts:1000,c=0.5")?, known.read("mcts:1000")?];
//! // All ranks do the same.
//! let result = ramure_lab::ranks::run(Box::new(MpiLink::start()?), || {
//!     let result = Match::new(Connect4::new(), agents).run(&Conditions::games(4_000))?;
//!     ramure_lab::commands::output::say(result) // on the first rank
//! });
//! # Ok::<(), ramure_lab::Failure>(())
//! ```
//!
//! Start it with the launcher of your MPI: `mpirun -n 4 program`, or `srun program` under Slurm. Without a
//! launcher, there is one rank.

mod error;
mod link;
mod spread;

pub use error::MpiError;
pub use link::MpiLink;
pub use spread::spread;
