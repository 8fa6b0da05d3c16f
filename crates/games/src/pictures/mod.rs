//! The pictures of the four games, one file each; `svg` writes the shapes. Uses `games` and `game`.

mod connect4;
mod hex;
mod sudo_tic_tac_toe;
mod svg;
mod tic_tac_toe;

#[cfg(test)]
mod tests;
