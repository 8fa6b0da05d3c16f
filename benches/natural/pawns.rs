//! A race of pawns on a board of 8x8: a pawn steps straight on, or takes diagonally. The first pawn on the
//! last row wins, and so does a player whose opponent has no pawn or no action left. The state is a list, and
//! the end test looks at all pawns.

use ramure::prelude::*;

#[derive(Clone, Copy, PartialEq, Eq)]
struct Pawn {
    owner: Player,
    row: i8,
    column: i8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    from: (i8, i8),
    to: (i8, i8),
}

#[derive(Clone)]
pub struct Pawns {
    pawns: Vec<Pawn>,
    pub(crate) player: Player,
}

impl Pawns {
    pub fn new() -> Self {
        let pawns = [(0, 0), (0, 1), (1, 6), (1, 7)]
            .into_iter()
            .flat_map(|(owner, row)| (0..8).map(move |column| Pawn { owner, row, column }))
            .collect();
        Pawns { pawns, player: 0 }
    }

    fn at(&self, row: i8, column: i8) -> Option<Player> {
        self.pawns.iter().find(|pawn| pawn.row == row && pawn.column == column).map(|pawn| pawn.owner)
    }

    pub(crate) fn steps(&self) -> Vec<Step> {
        let forward = if self.player == 0 { 1 } else { -1 };
        let mut steps = Vec::new();
        for pawn in self.pawns.iter().filter(|pawn| pawn.owner == self.player) {
            let row = pawn.row + forward;
            if !(0..8).contains(&row) {
                continue;
            }
            for column in [pawn.column - 1, pawn.column, pawn.column + 1] {
                let owner = self.at(row, column);
                let legal =
                    if column == pawn.column { owner.is_none() } else { owner == Some(1 - self.player) };
                if (0..8).contains(&column) && legal {
                    steps.push(Step { from: (pawn.row, pawn.column), to: (row, column) });
                }
            }
        }
        steps
    }

    /// The owner of a pawn on the last row.
    pub(crate) fn arrived(&self) -> Option<Player> {
        let arrived = |pawn: &&Pawn| pawn.row == if pawn.owner == 0 { 7 } else { 0 };
        self.pawns.iter().find(arrived).map(|pawn| pawn.owner)
    }

    fn winner(&self) -> Option<Player> {
        // The player to move has no pawn, or every pawn is blocked.
        self.arrived().or_else(|| self.steps().is_empty().then_some(1 - self.player))
    }
}

impl GameState for Pawns {
    type Action = Step;

    fn turn(&self) -> Turn {
        if self.winner().is_some() { Turn::Over } else { Turn::Player(self.player) }
    }

    fn actions(&self) -> impl IntoIterator<Item = Step> {
        self.steps()
    }

    fn apply(&mut self, step: Step) {
        self.pawns.retain(|pawn| (pawn.row, pawn.column) != step.to);
        let pawn = self.pawns.iter_mut().find(|pawn| (pawn.row, pawn.column) == step.from);
        if let Some(pawn) = pawn {
            (pawn.row, pawn.column) = step.to;
        }
        self.player = 1 - self.player;
    }

    fn reward(&self, player: Player) -> f64 {
        if self.winner() == Some(player) { 1.0 } else { 0.0 }
    }
}
