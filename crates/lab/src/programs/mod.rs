//! The programs of `ramure-lab`, one file each: what they are told, what they do with it, what they print.

pub mod bandit;
pub mod compare;
pub mod p_game;
pub mod reproduce;
pub mod tune;
