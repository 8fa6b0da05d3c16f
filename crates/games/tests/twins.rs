//! Each game is played in step with a plain twin: arrays of cells, scanned completely after every action.

use crate::common::sized;
use crate::support::{DRAWN_SUDO, assert_agree, reason, states};
use ramure::{GameState, Player, Turn};
use ramure_games::connect4::ConnectFour;
use ramure_games::hex::{self, HexAction};
use ramure_games::sudo_tic_tac_toe::{self, Mode};
use ramure_games::{Connect4, Hex, IllegalReason, SudoTicTacToe, TicTacToe, connect4, tic_tac_toe};
use std::fmt::Debug;

type Cells = [Option<Player>; 9];

fn assert_twins<G, P>(game: G, plain: P, games: u32)
where
    G: GameState + Debug + 'static,
    P: GameState<Action = G::Action> + Debug + 'static,
{
    if let Err(violation) = ramure_rules::check(game)
        .twin(plain)
        .only([ramure_rules::Law::Agreement])
        .games(games)
        .states(sized(300, 1_000))
        .run()
    {
        panic!("{violation}");
    }
}

#[test]
fn tic_tac_toe_agrees_with_its_plain_twin() {
    assert_twins(TicTacToe::new(), PlainTicTacToe { cells: [None; 9], player: 0 }, 2000);
}

#[test]
fn connect4_agrees_with_its_plain_twin() {
    assert_twins(Connect4::new(), PlainConnect4::<7, 6>::new(), sized(100, 2000));
}

#[test]
fn small_and_large_boards_of_connect4_agree_with_their_plain_twins() {
    assert_twins(ConnectFour::<5, 4>::new(), PlainConnect4::<5, 4>::new(), sized(100, 2000));
    assert_twins(ConnectFour::<7, 8>::new(), PlainConnect4::<7, 8>::new(), sized(50, 2000));
}

#[test]
fn a_column_that_the_board_does_not_have_is_refused() {
    let mut game = ConnectFour::<5, 4>::new();
    for number in 0..7 {
        let column = connect4::Column::new(number).expect("a column");
        let before = game;
        if number < 5 {
            assert!(before.is_legal(column) && game.play(column).is_ok());
        } else {
            assert!(!before.is_legal(column));
            assert_eq!(reason(game.play(column)), Some(IllegalReason::NoColumn { columns: 5 }));
            assert_eq!(game, before);
        }
    }
    assert_eq!((game.cell(0, 4), game.cell(0, 5), game.cell(4, 0)), (Some(0), None, None));
}

#[test]
fn hex_agrees_with_its_plain_twin_on_boards_of_every_size() -> Result<(), ramure::ParameterError> {
    for size in Hex::SIZES {
        for may_swap in [false, true] {
            let game = Hex::new(size)?;
            let game = if may_swap { game.with_swap() } else { game };
            let side = usize::from(size);
            let plain = PlainHex { cells: vec![vec![None; side]; side], played: 0, may_swap };
            // Small boards get more games, because swaps are less rare there.
            let (all, least) = sized((100, 1), (2000, 4));
            assert_twins(game, plain, all / (u32::from(size) * u32::from(size)) + least);
        }
    }
    Ok(())
}

#[test]
fn sudo_tic_tac_toe_agrees_with_its_plain_twin() {
    for mode in [Mode::LocalWin, Mode::Ultimate] {
        let plain = PlainSudo { boards: [[None; 9]; 9], last: None, player: 0, mode };
        assert_twins(SudoTicTacToe::new(mode), plain, sized(150, 1000));
    }
}

#[test]
fn sudo_tic_tac_toe_agrees_with_its_plain_twin_in_a_game_that_fills_the_board() {
    let start = PlainSudo { boards: [[None; 9]; 9], last: None, player: 0, mode: Mode::LocalWin };
    let games = states(&SudoTicTacToe::new(Mode::LocalWin), DRAWN_SUDO);
    for (game, plain) in games.iter().zip(states(&start, DRAWN_SUDO)) {
        assert_agree(game, &plain);
    }
}

fn reward(winner: Option<Player>, player: Player) -> f64 {
    match winner {
        None => 0.5,
        Some(winner) if winner == player => 1.0,
        Some(_) => 0.0,
    }
}

/// Returns the player who has three in a row.
fn row_of_three(cells: &Cells) -> Option<Player> {
    let lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    let line = lines
        .into_iter()
        .find(|&[a, b, c]| cells[a].is_some() && cells[a] == cells[b] && cells[b] == cells[c]);
    line.and_then(|[a, _, _]| cells[a])
}

#[derive(Clone, Debug)]
struct PlainTicTacToe {
    cells: Cells,
    player: Player,
}

impl GameState for PlainTicTacToe {
    type Action = tic_tac_toe::Cell;

    fn turn(&self) -> Turn {
        let over = row_of_three(&self.cells).is_some() || self.cells.iter().all(Option::is_some);
        if over { Turn::Over } else { Turn::Player(self.player) }
    }

    fn actions(&self) -> impl IntoIterator<Item = tic_tac_toe::Cell> {
        let running = self.turn() != Turn::Over;
        let free = (0..9u8).filter(move |&cell| running && self.cells[usize::from(cell)].is_none());
        free.filter_map(|cell| tic_tac_toe::Cell::new(cell / 3, cell % 3))
    }

    fn apply(&mut self, action: tic_tac_toe::Cell) {
        self.cells[usize::from(3 * action.row() + action.column())] = Some(self.player);
        self.player = 1 - self.player;
    }

    fn reward(&self, player: Player) -> f64 {
        reward(row_of_three(&self.cells), player)
    }
}

/// Row 0 is at the bottom.
#[derive(Clone, Debug)]
struct PlainConnect4<const COLUMNS: usize, const ROWS: usize> {
    stones: [[Option<Player>; COLUMNS]; ROWS],
    player: Player,
}

impl<const COLUMNS: usize, const ROWS: usize> PlainConnect4<COLUMNS, ROWS> {
    fn new() -> Self {
        PlainConnect4 { stones: [[None; COLUMNS]; ROWS], player: 0 }
    }

    fn at(&self, row: i32, column: i32) -> Option<Player> {
        let row = self.stones.get(usize::try_from(row).ok()?)?;
        *row.get(usize::try_from(column).ok()?)?
    }

    fn winner(&self) -> Option<Player> {
        for (row, column) in (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (row, column))) {
            let (row, column) = (row as i32, column as i32);
            for (up, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let line = [0, 1, 2, 3].map(|step| self.at(row + step * up, column + step * right));
                if line[0].is_some() && line.iter().all(|&stone| stone == line[0]) {
                    return line[0];
                }
            }
        }
        None
    }
}

impl<const COLUMNS: usize, const ROWS: usize> GameState for PlainConnect4<COLUMNS, ROWS> {
    type Action = connect4::Column;

    fn turn(&self) -> Turn {
        let over = self.winner().is_some() || self.stones[ROWS - 1].iter().all(Option::is_some);
        if over { Turn::Over } else { Turn::Player(self.player) }
    }

    fn actions(&self) -> impl IntoIterator<Item = connect4::Column> {
        let running = self.turn() != Turn::Over;
        let free = (0..COLUMNS).filter(move |&column| running && self.stones[ROWS - 1][column].is_none());
        free.filter_map(|column| connect4::Column::new(column as u8))
    }

    fn apply(&mut self, action: connect4::Column) {
        let column = usize::from(action.number());
        let row = self.stones.iter().position(|row| row[column].is_none()).expect("the column is not full");
        self.stones[row][column] = Some(self.player);
        self.player = 1 - self.player;
    }

    fn reward(&self, player: Player) -> f64 {
        reward(self.winner(), player)
    }
}

#[derive(Clone, Debug)]
struct PlainHex {
    cells: Vec<Vec<Option<Player>>>,
    played: usize,
    may_swap: bool,
}

impl PlainHex {
    fn player(&self) -> Player {
        (self.played % 2) as Player
    }

    /// Walks from one side over the stones of a player.
    fn joins(&self, player: Player) -> bool {
        let size = self.cells.len();
        let mut open: Vec<(usize, usize)> =
            (0..size).map(|i| if player == 0 { (0, i) } else { (i, 0) }).collect();
        let mut seen = vec![vec![false; size]; size];
        while let Some((row, column)) = open.pop() {
            if seen[row][column] || self.cells[row][column] != Some(player) {
                continue;
            }
            if size - 1 == if player == 0 { row } else { column } {
                return true;
            }
            seen[row][column] = true;
            for (down, right) in [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)] {
                let next = (row.checked_add_signed(down), column.checked_add_signed(right));
                if let (Some(row), Some(column)) = next
                    && row.max(column) < size
                {
                    open.push((row, column));
                }
            }
        }
        false
    }
}

impl GameState for PlainHex {
    type Action = HexAction;

    fn turn(&self) -> Turn {
        if self.joins(0) || self.joins(1) { Turn::Over } else { Turn::Player(self.player()) }
    }

    fn actions(&self) -> impl IntoIterator<Item = HexAction> {
        let mut actions = Vec::new();
        if self.turn() == Turn::Over {
            return actions;
        }
        for (row, cells) in (0..).zip(&self.cells) {
            for (column, cell) in (0..).zip(cells) {
                if cell.is_none() {
                    actions.extend(hex::Cell::new(row, column).map(HexAction::Place));
                }
            }
        }
        if self.may_swap && self.played == 1 {
            actions.push(HexAction::Swap);
        }
        actions
    }

    fn apply(&mut self, action: HexAction) {
        match action {
            HexAction::Place(cell) => {
                self.cells[usize::from(cell.row())][usize::from(cell.column())] = Some(self.player());
            }
            HexAction::Swap => {
                let size = self.cells.len();
                let before = self.cells.clone();
                for (row, column) in (0..size).flat_map(|row| (0..size).map(move |column| (row, column))) {
                    self.cells[row][column] = before[column][row].map(|_| 1);
                }
            }
        }
        self.played += 1;
    }

    fn reward(&self, player: Player) -> f64 {
        if self.joins(player) { 1.0 } else { 0.0 }
    }
}

#[derive(Clone, Debug)]
struct PlainSudo {
    boards: [Cells; 9],
    last: Option<u8>,
    player: Player,
    mode: Mode,
}

impl PlainSudo {
    fn winner(&self) -> Option<Player> {
        let winners = self.boards.map(|board| row_of_three(&board));
        if self.mode == Mode::LocalWin {
            winners.into_iter().flatten().next()
        } else {
            row_of_three(&winners)
        }
    }

    fn is_open(&self, board: usize) -> bool {
        let won = self.mode == Mode::Ultimate && row_of_three(&self.boards[board]).is_some();
        !won && self.boards[board].iter().any(Option::is_none)
    }
}

impl GameState for PlainSudo {
    type Action = sudo_tic_tac_toe::Cell;

    fn turn(&self) -> Turn {
        let over = self.winner().is_some() || !(0..9).any(|board| self.is_open(board));
        if over { Turn::Over } else { Turn::Player(self.player) }
    }

    fn actions(&self) -> impl IntoIterator<Item = sudo_tic_tac_toe::Cell> {
        let mut actions = Vec::new();
        if self.turn() == Turn::Over {
            return actions;
        }
        let sent_to = self.last.filter(|&board| self.is_open(usize::from(board)));
        for board in (0..9).filter(|&board| sent_to.is_none_or(|sent_to| sent_to == board)) {
            if self.is_open(usize::from(board)) {
                let free =
                    (0..9).filter(|&cell| self.boards[usize::from(board)][usize::from(cell)].is_none());
                actions.extend(free.filter_map(|cell| sudo_tic_tac_toe::Cell::new(board, cell)));
            }
        }
        actions
    }

    fn apply(&mut self, action: sudo_tic_tac_toe::Cell) {
        self.boards[usize::from(action.board())][usize::from(action.cell())] = Some(self.player);
        self.last = Some(action.cell());
        self.player = 1 - self.player;
    }

    fn reward(&self, player: Player) -> f64 {
        reward(self.winner(), player)
    }
}
