//! The pictures of the four games.

mod connect4;
mod hex;
mod sudo_tic_tac_toe;
mod svg;
mod tic_tac_toe;

#[cfg(test)]
mod tests;
