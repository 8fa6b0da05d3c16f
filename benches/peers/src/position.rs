//! Positions with one right answer, to check that a search works.

use crate::board::{Connect4, GameState};

/// Columns played in turn from the empty board. In the first eight positions the player to move has an
/// immediate win. In the others the player must block the opponent's. They cover each direction of lines, for
/// each player.
pub const POSITIONS: [&str; 16] = [
    "2534111320664620", // player 0 to move: up
    "60512644",         // right
    "06416645053463",   // rising
    "0203126622403131", // falling
    "1623163630004",    // player 1: up
    "42404124661",      // right
    "1134322035130",    // rising
    "245261553211033",  // falling
    "0212300250",       // player 0 must block: up
    "240510520403",     // right
    "254054664365033343",
    "54462334014035",
    "266014422616021", // player 1
    "55202221653",
    "363243165224023",
    "302323340250544",
];

/// Returns the position after these columns.
pub fn after(columns: &str) -> Result<Connect4, String> {
    let mut board = Connect4::new();
    for digit in columns.chars() {
        let column = digit.to_string().parse().map_err(|error| format!("{columns}: {error}"))?;
        board.play(column).map_err(|error| format!("{columns}: {error}"))?;
    }
    Ok(board)
}

/// Returns the columns with which the player to move wins at once.
fn wins(board: &Connect4) -> Vec<u8> {
    let winning = |&column: &_| {
        let mut after = *board;
        after.apply(column);
        after.winner().is_some()
    };
    board.actions().into_iter().filter(winning).map(|column| column.number()).collect()
}

/// Returns the right columns: those that win at once, or, if there are none, those after which the opponent
/// cannot.
pub fn right_answers(board: &Connect4) -> Vec<u8> {
    let wins = wins(board);
    if !wins.is_empty() {
        return wins;
    }
    let holds = |&column: &_| {
        let mut after = *board;
        after.apply(column);
        self::wins(&after).is_empty()
    };
    board.actions().into_iter().filter(holds).map(|column| column.number()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Player, Turn};

    #[test]
    fn each_position_has_one_right_answer() -> Result<(), String> {
        for (index, columns) in POSITIONS.into_iter().enumerate() {
            let board = after(columns)?;
            assert_eq!(board.turn(), Turn::Player((index / 4 % 2) as Player), "{columns}");
            assert_eq!(right_answers(&board).len(), 1, "{columns}");
            assert_eq!(wins(&board).len(), usize::from(index < 8), "{columns}");
        }
        Ok(())
    }
}
