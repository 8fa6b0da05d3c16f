//! The programs of the command.

pub mod agent;
pub mod train;
