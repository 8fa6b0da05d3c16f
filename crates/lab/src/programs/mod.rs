//! The programs of `ramure-lab`, one file each: its options, its work and its output.

pub mod bandit;
pub mod book;
pub mod hidden;
pub mod htp;
pub mod leduc;
pub mod p_game;
pub mod play;
pub mod puzzle;
pub mod reproduce;
pub mod tune;
pub mod watch;
