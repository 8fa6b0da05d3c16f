//! EinStein würfelt nicht!: the rules against a plain second implementation, the laws, and counts of lines
//! from OpenSpiel.

use ramure::{GameState, Player, Turn};
use ramure_lab::games::Einstein;
use ramure_lab::games::einstein::Direction::{Diagonal, Horizontal, Vertical};
use ramure_lab::games::einstein::{
    Direction,
    EinsteinAction::{self, Face, Move, Place},
};

ramure_rules::laws!(
    mod laws, Einstein::new();
    hash, winner = Einstein::winner, constant_sum = 1.0, games = 300, twin = Plain::default()
);

/// A board with numbers: 1 to 6 for player 0, -1 to -6 for player 1, 0 for an empty cell.
#[derive(Clone, Debug, Default)]
struct Plain {
    board: [[i32; 5]; 5],
    placed: Vec<i32>,
    die: i32,
    player: Player,
}

impl Plain {
    fn sign(&self) -> i32 {
        if self.player == 0 { 1 } else { -1 }
    }

    fn find(&self, stone: i32) -> Option<(i32, i32)> {
        let cells = (0..5).flat_map(|row| (0..5).map(move |column| (row, column)));
        cells.into_iter().find(|&(row, column)| self.board[row as usize][column as usize] == stone)
    }

    fn to(&self, stone: i32, direction: Direction) -> Option<(i32, i32)> {
        let (row, column) = self.find(stone)?;
        let (down, right) = match direction {
            Horizontal => (0, self.sign()),
            Vertical => (self.sign(), 0),
            Diagonal => (self.sign(), self.sign()),
        };
        let cell = (row + down, column + right);
        ((0..5).contains(&cell.0) && (0..5).contains(&cell.1)).then_some(cell)
    }

    fn winner(&self) -> Option<Player> {
        let stones = self.board.as_flattened();
        if self.placed.len() < 12 {
            None
        } else if stones[24] > 0 || stones.iter().all(|&stone| stone >= 0) {
            Some(0)
        } else if stones[0] < 0 || stones.iter().all(|&stone| stone <= 0) {
            Some(1)
        } else {
            None
        }
    }
}

impl GameState for Plain {
    type Action = EinsteinAction;

    fn turn(&self) -> Turn {
        match self.winner() {
            Some(_) => Turn::Over,
            None if self.die == 0 => Turn::Chance,
            None => Turn::Player(self.player),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = EinsteinAction> {
        let mut actions = vec![];
        if self.winner().is_some() {
        } else if self.placed.len() < 12 {
            let of_player = &self.placed[self.placed.len() / 6 * 6..];
            actions
                .extend((1..=6).filter(|stone| !of_player.contains(stone)).map(|stone| Place(stone as u8)));
        } else if self.die == 0 {
            actions.extend((1..=6).map(Face));
        } else {
            let alive = |number: &i32| self.find(self.sign() * number).is_some();
            let mut numbers = vec![self.die];
            if !alive(&self.die) {
                numbers = Vec::from_iter((1..self.die).filter(alive).max());
                numbers.extend((self.die..7).filter(alive).min());
            }
            for number in numbers {
                for direction in [Horizontal, Vertical, Diagonal] {
                    if self.to(self.sign() * number, direction).is_some() {
                        actions.push(Move(number as u8, direction));
                    }
                }
            }
        }
        actions
    }
    fn apply(&mut self, action: EinsteinAction) {
        match action {
            Place(number) => {
                let corner = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0)];
                let (row, column) = corner[self.placed.len() % 6];
                if self.placed.len() < 6 {
                    self.board[row][column] = number.into();
                } else {
                    self.board[4 - row][4 - column] = -i32::from(number);
                }
                self.placed.push(number.into());
            }
            Face(face) => self.die = face.into(),
            Move(number, direction) => {
                let stone = self.sign() * i32::from(number);
                let (from, to) = (self.find(stone), self.to(stone, direction));
                let ((row, column), (to_row, to_column)) = from.zip(to).expect("a legal move");
                self.board[row as usize][column as usize] = 0;
                self.board[to_row as usize][to_column as usize] = stone;
                (self.die, self.player) = (0, 1 - self.player);
            }
        }
    }
    fn reward(&self, player: Player) -> f64 {
        if self.winner() == Some(player) { 1.0 } else { 0.0 }
    }
}

/// The start from which the lines are counted: OpenSpiel's placement number 0 for both players. There, player
/// 1 begins, so it is player 0 here.
fn start() -> Einstein {
    Einstein::placed([[6, 5, 4, 3, 2, 1], [1, 2, 3, 4, 5, 6]]).expect("each number once")
}

/// Plays moves, each after the face with the number of the stone or the one given.
fn after(moves: &[(u8, u8, Direction)]) -> Einstein {
    let mut game = start();
    for &(face, number, direction) in moves {
        for action in [Face(face), Move(number, direction)] {
            assert!(game.is_legal(action), "{action} in\n{game}");
            game.apply(action);
        }
    }
    game
}

/// The tables are counts by `einstein_wurfelt_nicht` of the Python package `open_spiel`, on 23 November 2026.
#[test]
fn the_lines_of_play_are_as_many_as_in_openspiel() {
    let table = "
        # depth   lines  finished  wins of 0  wins of 1
        1             6         0          0          0
        2            18         0          0          0
        3           108         0          0          0
        4           324         0          0          0
        5          1944         0          0          0
        6          6162         0          0          0
        7         36972         0          0          0
    ";
    ramure_rules::perft_table(&start(), table).expect("the counts from the start");
    // In the next positions, stones are missing and both players are near the end.
    let game = after(&[
        (3, 3, Diagonal),
        (1, 1, Horizontal),
        (5, 5, Vertical),
        (3, 3, Vertical),
        (1, 1, Horizontal),
        (5, 5, Diagonal),
        (3, 1, Diagonal),
        (1, 1, Horizontal),
        (5, 5, Vertical),
        (3, 1, Vertical),
        (1, 4, Horizontal),
        (5, 5, Diagonal),
    ]);
    let table = "
        # depth   lines  finished  wins of 0  wins of 1
        1             6         0          0          0
        2            18         0          0          0
        3           108         0          0          0
        4           429        17          0         17
        5          2472         0          0          0
        6          6081         0          0          0
        7         36486         0          0          0
    ";
    ramure_rules::perft_table(&game, table).expect("the counts before player 1 wins");
    let game = after(&[
        (3, 3, Vertical),
        (5, 5, Horizontal),
        (1, 2, Diagonal),
        (3, 3, Diagonal),
        (5, 5, Horizontal),
        (1, 1, Vertical),
        (3, 3, Vertical),
        (5, 5, Horizontal),
        (1, 2, Diagonal),
        (3, 5, Diagonal),
        (5, 5, Horizontal),
        (1, 1, Vertical),
        (3, 3, Vertical),
    ]);
    let table = "
        # depth   lines  finished  wins of 0  wins of 1
        1             6         0          0          0
        2            16         0          0          0
        3            96         0          0          0
        4           260        26         26          0
        5          1404         0          0          0
        6          3766       232          0        232
        7         21204         0          0          0
    ";
    ramure_rules::perft_table(&game, table).expect("the counts before both win");
}

#[test]
fn the_neighbours_of_a_captured_stone_move() {
    // Player 0 captures its own 5 with the 6. A five then lets it choose between the 4 and the 6.
    let mut game = after(&[(6, 6, Horizontal), (1, 1, Diagonal)]);
    game.apply(Face(5));
    let moves = Vec::from_iter(game.actions());
    assert!(moves.iter().all(|action| matches!(action, Move(4 | 6, _))), "{moves:?}");
    assert_eq!((moves.len(), game.face(), game.turn()), (6, Some(5), Turn::Player(0)));
    assert_eq!(game.cell(0, 1), Some((0, 6)));
    assert_eq!(game.cell(0, 0), None);
}

#[test]
fn a_player_who_reaches_the_corner_wins() {
    // The 2 of player 0 runs along the diagonal and captures two stones. The 6 of player 1 goes up.
    let game =
        after(&[(2, 2, Diagonal), (6, 6, Vertical), (2, 2, Diagonal), (6, 6, Vertical), (2, 2, Diagonal)]);
    assert_eq!((game.winner(), game.turn(), game.reward(0), game.reward(1)), (Some(0), Turn::Over, 1.0, 0.0));
    assert!(game.to_string().ends_with("player 0 has won"));
    assert_eq!(game.actions().into_iter().count(), 0);
}

#[test]
fn placements_without_each_number_once_are_refused() {
    assert_eq!(Einstein::placed([[1, 2, 3, 4, 5, 5], [1, 2, 3, 4, 5, 6]]), None);
    assert_eq!(Einstein::placed([[1, 2, 3, 4, 5, 6], [0, 2, 3, 4, 5, 6]]), None);
    assert_eq!(Einstein::placed([[1, 2, 3, 4, 5, 6], [7, 2, 3, 4, 5, 6]]), None);
    assert_eq!(Einstein::new().to_string().lines().last(), Some("12 stones to place"));
    let lines = [
        " 6  5  4  .  .",
        " 3  2  .  .  .",
        " 1  .  .  . -6",
        " .  .  . -5 -4",
        " .  . -3 -2 -1",
        "player 0 to roll the die",
    ];
    assert_eq!(start().to_string(), lines.join("\n"));
}
