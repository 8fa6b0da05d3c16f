//! Games whose `actions` lists moves after the end, as the move generators of many engines do: nobody asks.

use crate::common::{sized, visits};
use ramure::prelude::*;
use ramure::search::{OpenLoop, Space, Transpositions};
use ramure::selection::AvailabilityUcb1;
use ramure::{Keyed, StaticEvaluation};
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

impl Keyed for Listing {
    fn key(&self) -> u128 {
        self.game.key()
    }
}

/// Plays a game by searches of one kind.
fn game<S: Search<Space: Space<Game: GameState<Action = Cell>>>>(mut search: S) -> Vec<Vec<u32>> {
    let mut all = Vec::new();
    while search.state().turn() != Turn::Over {
        let report = search.run(Budget::iterations(300)).expect("a sound game");
        all.push(visits(&report));
        search.advance(report.best_action()).expect("a legal action");
    }
    assert_eq!(search.run(Budget::iterations(1)).unwrap_err(), SearchError::GameOver);
    all
}

#[test]
fn searches_ignore_actions_after_the_end() {
    let games = [false, true].map(|runs_on| {
        let new = || Mcts::new(Listing::new(runs_on)).seed(1);
        let mut trees = Mcts::player_trees(Listing::new(runs_on)).seed(1);
        let trees = trees.run(Budget::iterations(sized(1_500, 3_000))).expect("a sound game");
        let mut open =
            Mcts::new(OpenLoop::new(Listing::new(runs_on))).tree_policy(AvailabilityUcb1::new(0.7)).seed(1);
        let open = open.run(Budget::iterations(sized(1_500, 3_000))).expect("a sound game");
        let graph = Mcts::new(Transpositions::new(Listing::new(runs_on))).seed(1);
        ([game(new()), game(graph)], [visits(&trees), visits(&open)])
    });
    assert_eq!(games[0], games[1]);
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
    if let Err(violation) = ramure_rules::check(Listing::new(true)).keys().games(50).run() {
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
