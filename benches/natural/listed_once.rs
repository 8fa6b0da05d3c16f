//! The dear games once more, after one step of the chapter "Your first game": `apply` lists the actions of the
//! new state and keeps them in it, so that `turn` and `actions` read what is there.

use crate::five_in_a_row::FiveInARow;
use crate::othello::Othello;
use crate::pawns::{Pawns, Step};
use ramure::prelude::*;

/// Five in a row that keeps the list of its empty cells.
#[derive(Clone)]
pub struct FiveInARowOnce {
    game: FiveInARow,
    empty: Vec<usize>,
}

impl FiveInARowOnce {
    pub fn new() -> Self {
        let game = FiveInARow::new();
        FiveInARowOnce { empty: game.actions().into_iter().collect(), game }
    }
}

impl GameState for FiveInARowOnce {
    type Action = usize;

    fn turn(&self) -> Turn {
        if self.game.winner.is_some() || self.empty.is_empty() {
            Turn::Over
        } else {
            Turn::Player(self.game.player)
        }
    }

    fn actions(&self) -> impl IntoIterator<Item = usize> {
        self.empty.iter().copied()
    }

    fn apply(&mut self, cell: usize) {
        self.game.apply(cell);
        self.empty.retain(|&empty| empty != cell);
    }

    fn reward(&self, player: Player) -> f64 {
        self.game.reward(player)
    }
}

/// A race of pawns that lists its steps once.
#[derive(Clone)]
pub struct PawnsOnce {
    game: Pawns,
    steps: Vec<Step>,
    arrived: bool,
}

impl PawnsOnce {
    pub fn new() -> Self {
        let game = Pawns::new();
        PawnsOnce { steps: game.steps(), arrived: false, game }
    }
}

impl GameState for PawnsOnce {
    type Action = Step;

    fn turn(&self) -> Turn {
        if self.arrived || self.steps.is_empty() { Turn::Over } else { Turn::Player(self.game.player) }
    }

    fn actions(&self) -> impl IntoIterator<Item = Step> {
        self.steps.iter().copied()
    }

    fn apply(&mut self, step: Step) {
        self.game.apply(step);
        self.arrived = self.game.arrived().is_some();
        self.steps = self.game.steps();
    }

    fn reward(&self, player: Player) -> f64 {
        self.game.reward(player)
    }
}

/// Othello that lists its places once, and those of the opponent only if a player must pass.
#[derive(Clone)]
pub struct OthelloOnce {
    game: Othello,
    places: Vec<(usize, usize)>,
    over: bool,
}

impl OthelloOnce {
    pub fn new() -> Self {
        let game = Othello::new();
        OthelloOnce { places: game.places(0), over: false, game }
    }
}

impl GameState for OthelloOnce {
    type Action = Option<(usize, usize)>;

    fn turn(&self) -> Turn {
        if self.over { Turn::Over } else { Turn::Player(self.game.player) }
    }

    fn actions(&self) -> impl IntoIterator<Item = Self::Action> {
        let pass = self.places.is_empty().then_some(None);
        self.places.iter().copied().map(Some).chain(pass)
    }

    fn apply(&mut self, action: Self::Action) {
        self.game.apply(action);
        self.places = self.game.places(self.game.player);
        self.over = self.places.is_empty() && self.game.places(1 - self.game.player).is_empty();
    }

    fn reward(&self, player: Player) -> f64 {
        self.game.reward(player)
    }
}
