//! The programs of the command `ramure-nets`. `ramure-mpi` runs them over several processes.

mod agent;
pub mod train;

pub use agent::with_net;
