//! The games of the page.

use crate::settings::Effort;
use ramure::Picture;
use ramure_games::Connect4;
use serde::Serialize;

/// A game that the page offers.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Game {
    /// The name in links.
    pub word: &'static str,
    /// The name on the page.
    pub title: &'static str,
    /// The names of the first and the second player.
    pub players: [&'static str; 2],
    /// The rules in short.
    pub rules: &'static str,
    /// The effort of the levels easy, medium and hard.
    pub levels: [Effort; 3],
    /// The iterations with which the analyst judges each position of a game.
    pub review: u64,
}

/// Returns the levels of a game. Hard is the same everywhere: two seconds a move.
const fn levels(easy: u64, medium: u64) -> [Effort; 3] {
    [Effort::Iterations(easy), Effort::Iterations(medium), Effort::Millis(2_000)]
}

/// Returns the picture of the first position of the first game, which the page shows while the engine loads.
pub fn first_picture() -> String {
    Connect4::new().picture(None)
}

/// The games.
pub const GAMES: [Game; 7] = [
    Game {
        word: "connect4",
        title: "Connect 4",
        players: ["Red", "Yellow"],
        rules: "Four in a row win: across, up or diagonally. A stone falls to the lowest free cell of its column.",
        levels: levels(40, 800),
        review: 60_000,
    },
    Game {
        word: "hex-5",
        title: "Hex 5 × 5",
        players: ["Orange", "Blue"],
        rules: HEX,
        levels: levels(150, 3_000),
        review: 30_000,
    },
    Game {
        word: "hex-7",
        title: "Hex 7 × 7",
        players: ["Orange", "Blue"],
        rules: HEX,
        levels: levels(300, 6_000),
        review: 20_000,
    },
    Game {
        word: "hex-11",
        title: "Hex 11 × 11",
        players: ["Orange", "Blue"],
        rules: HEX,
        levels: levels(700, 15_000),
        review: 8_000,
    },
    Game {
        word: "tic-tac-toe",
        title: "Tic-Tac-Toe",
        players: ["Cross", "Circle"],
        rules: "Three in a row win: across, down or diagonally.",
        levels: levels(15, 60),
        review: 10_000,
    },
    Game {
        word: "sudo-tic-tac-toe",
        title: "Sudo Tic-Tac-Toe",
        players: ["Cross", "Circle"],
        rules: "Nine boards. Your cell sends the other player to the board at the same place. The player who first wins a board wins the game.",
        levels: levels(100, 2_000),
        review: 20_000,
    },
    Game {
        word: "ultimate-tic-tac-toe",
        title: "Ultimate Tic-Tac-Toe",
        players: ["Cross", "Circle"],
        rules: "Nine boards. Your cell sends the other player to the board at the same place. Three won boards in a row win the game.",
        levels: levels(100, 2_000),
        review: 20_000,
    },
];

const HEX: &str = "Orange joins top and bottom, Blue joins left and right. The second player may swap: take over the first stone.";
