//! Phantom Tic-Tac-Toe.

use crate::posterior::guesses_are_fair;
use crate::sized;
use ramure::{ActionIndex, GameState, Player, Turn};
use ramure_games::TicTacToe;
use ramure_games::tic_tac_toe::Cell;
use ramure_lab::games::PhantomTicTacToe;
use ramure_lab::games::phantom_tic_tac_toe::PhantomAction;

/// What a player sees: its marks in their order, what it has found and tries, and whose turn it is.
fn seen(state: &PhantomTicTacToe, player: Player) -> (Vec<Cell>, Vec<Cell>, Option<Cell>, Turn) {
    (state.marks(player), state.found(player).collect(), state.tried(player), state.turn())
}

ramure_rules::laws!(
    mod laws, PhantomTicTacToe::new();
    hash, hidden = seen, constant_sum = 1.0, twin = Plain::default(), games = 300
);

/// The board as cells, what each player knows to be taken, and the cell that was tried.
#[derive(Clone, Debug, Default)]
struct Plain {
    cells: [Option<Player>; 9],
    known: [Vec<Cell>; 2],
    tried: Option<Cell>,
    player: Player,
}

impl Plain {
    fn winner(&self) -> Option<Player> {
        let lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
        let full = |line: &[usize; 3]| line.iter().all(|&cell| self.cells[cell] == self.cells[line[0]]);
        lines.iter().filter(|line| full(line)).find_map(|line| self.cells[line[0]])
    }
}

impl GameState for Plain {
    type Action = PhantomAction;

    fn turn(&self) -> Turn {
        match self.tried {
            Some(_) => Turn::Chance,
            None if self.winner().is_some() || self.cells.iter().all(Option::is_some) => Turn::Over,
            None => Turn::Player(self.player),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = PhantomAction> {
        match (self.turn(), self.tried) {
            (_, Some(cell)) if self.cells[TicTacToe::action_index(cell)].is_none() => {
                vec![PhantomAction::Free]
            }
            (_, Some(_)) => vec![PhantomAction::Taken],
            (Turn::Player(player), _) => {
                let known = &self.known[usize::from(player)];
                let all = PhantomTicTacToe::new();
                let all = all.actions().into_iter();
                all.filter(|action| !known.iter().any(|&cell| PhantomAction::Try(cell) == *action)).collect()
            }
            _ => vec![],
        }
    }
    fn apply(&mut self, action: PhantomAction) {
        match action {
            PhantomAction::Try(cell) => self.tried = Some(cell),
            answer => {
                let cell = self.tried.take().expect("a cell was tried");
                self.known[usize::from(self.player)].push(cell);
                if answer == PhantomAction::Free {
                    self.cells[TicTacToe::action_index(cell)] = Some(self.player);
                    self.player = 1 - self.player;
                }
            }
        }
    }
    fn reward(&self, player: Player) -> f64 {
        self.winner().map_or(0.5, |winner| f64::from(u8::from(winner == player)))
    }
}

#[test]
fn the_lines_of_play_are_as_counted_by_hand() {
    // Tries: 9; then 9 of which one is taken, and the second player has 8 more.
    let table = "
        # depth  lines  finished
        1            9         0
        2            9         0
        3           81         0
        4           81         0
    ";
    ramure_rules::perft_table(&PhantomTicTacToe::new(), table).expect("as counted by hand");
    // After both have marked a cell, 9 * 8 ways, the first player has 8 cells to try. After 9 tries that
    // failed, 8 more for the second player.
    let counted = ramure_rules::perft(&PhantomTicTacToe::new(), 5);
    assert_eq!(counted.rows.last().map(|row| row.lines), Some(9 * 8 * 8 + 9 * 8));
}

#[test]
fn guesses_are_as_likely_as_in_random_play() {
    // All lines until there are so many marks, with all tries that failed.
    let most = sized(3, 5);
    let goes_on = |state: &PhantomTicTacToe| state.marks(0).len() + state.marks(1).len() < most;
    guesses_are_fair(&PhantomTicTacToe::new(), goes_on, 1_000);
}
