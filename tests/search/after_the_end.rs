//! Games whose `actions` lists moves after the end, as the move generators of many engines do: nobody asks.
//! (So does the table game of the random programs.)

use ramure::StaticEvaluation;
use ramure::prelude::*;
use ramure_agents::{Agent, AlphaBeta, FlatMonteCarlo, Minimax};
use ramure_games::TicTacToe;
use ramure_games::tic_tac_toe::Cell;

/// Tic-Tac-Toe. If it `runs_on`, a finished game has the actions that were legal before the last one.
#[derive(Clone, PartialEq, Debug)]
struct Listing {
    game: TicTacToe,
    before: TicTacToe,
    runs_on: bool,
}

impl Listing {
    fn new(runs_on: bool) -> Self {
        Listing { game: TicTacToe::new(), before: TicTacToe::new(), runs_on }
    }
}

impl GameState for Listing {
    type Action = Cell;

    fn turn(&self) -> Turn {
        self.game.turn()
    }
    fn actions(&self) -> impl IntoIterator<Item = Cell> {
        let listed = if self.runs_on && self.turn() == Turn::Over { &self.before } else { &self.game };
        Vec::from_iter(listed.actions())
    }
    fn apply(&mut self, cell: Cell) {
        assert_ne!(self.turn(), Turn::Over, "{cell} after the end");
        self.before = self.game;
        self.game.apply(cell);
    }
    fn reward(&self, player: Player) -> f64 {
        self.game.reward(player)
    }
}

impl StaticEvaluation for Listing {
    fn evaluate(&self, player: Player) -> f64 {
        self.game.evaluate(player)
    }
}

#[test]
fn agents_ignore_actions_after_the_end() {
    let chosen = [false, true].map(|runs_on| {
        let mut state = Listing::new(runs_on);
        for place in [0, 3, 1, 4] {
            state.apply(Cell::new(place / 3, place % 3).expect("a cell"));
        }
        [
            AlphaBeta::new(9).choose(&state).expect("a sound game"),
            Minimax::new(9).choose(&state).expect("a sound game"),
            FlatMonteCarlo::per_action(50).choose(&state).expect("a sound game"),
        ]
    });
    assert_eq!(chosen[0], chosen[1]);
}

#[test]
fn laws_ignore_actions_after_the_end() {
    if let Err(violation) = ramure_rules::check(Listing::new(true)).games(50).run() {
        panic!("{violation}");
    }
    ramure_rules::check(Listing::new(true))
        .twin(TicTacToe::new())
        .only([ramure_rules::Law::Agreement])
        .games(50)
        .run()
        .expect("the same game");
    let counts = [false, true].map(|runs_on| ramure_rules::divide(&Listing::new(runs_on), 6).total());
    assert_eq!(counts[0], counts[1]);
}
