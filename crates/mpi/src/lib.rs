//! Connects the processes of an MPI program, so that they search together.
//!
//! [`MpiLink`] is a [`Link`](ramure::search::Link) for [`Mcts::run_linked`](ramure::Mcts::run_linked):
//!
//! ```no_run
//! use ramure::prelude::*;
//! use ramure_mpi::MpiLink;
//!
//! let mut link = MpiLink::start()?;
//! // All ranks do the same.
//! let mut search = Mcts::new(ramure::games::Connect4::new()).parallel(8).threads(2);
//! let report = search.run_linked(Budget::iterations(1_000_000), &mut link)?;
//! if link.is_first() {
//!     println!("{report}");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Start it with the launcher of your MPI: `mpirun -n 4 program`, or `srun program` under Slurm. Without a
//! launcher, there is one rank.

mod delayed;
mod error;
mod link;
mod spread;

pub use delayed::Delayed;
pub use error::MpiError;
pub use link::MpiLink;
pub use spread::spread;
