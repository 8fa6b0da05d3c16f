//! Hex: cells in a list, flooded from one side after every stone.

use ramure::{GameState, Player, Rng, Symmetric, Turn};
use ramure_games::hex::{Cell, HexAction};
use std::cell;
use std::rc::Rc;

mistakes! {
    /// I wrote down only five of the six neighbours.
    NeighbourForgotten,
    /// I lean the board to the other side: a cell is a neighbour of the cell above it to the left.
    NeighboursOfTheMirrorImage,
    /// I forgot that the second player joins the other two sides.
    BothJoinTopAndBottom,
    /// In a swap, I change the owner of the stone but leave it in its place.
    SwapIsNotMirrored,
    /// I allow a swap while there is one stone, so that players can swap back and forth.
    SwapMayBeSwapped,
    /// A swap returns early, before the turn passes to the other player.
    SwapKeepsTheTurn,
    /// I forgot that the last row has no neighbours below.
    PanicsAtTheEdge,
    /// For speed, I draw a free cell, and never swap.
    RandomNeverSwaps,
    /// If a swap is legal, I toss a coin for it.
    RandomTossesACoin,
    /// I store the winner in an `Rc<Cell>`, which all clones share.
    WinnerIsShared,
    /// I mirror the board, which exchanges the players, but leave the stones to their owners.
    MirrorKeepsTheOwners,
}

/// A position, with the swap rule.
#[derive(Debug)]
pub struct Hex {
    size: usize,
    cells: Vec<Option<Player>>,
    player: Player,
    played: usize,
    /// The winner, computed when a stone is placed.
    winner: Rc<cell::Cell<Option<Player>>>,
    mistake: Mistake,
}

impl Clone for Hex {
    fn clone(&self) -> Self {
        let winner = match self.mistake {
            Mistake::WinnerIsShared => Rc::clone(&self.winner),
            _ => Rc::new((*self.winner).clone()),
        };
        Hex { cells: self.cells.clone(), winner, ..*self }
    }
}

impl Hex {
    /// Returns the empty board.
    pub fn new(size: usize, mistake: Mistake) -> Self {
        Hex { size, cells: vec![None; size * size], player: 0, played: 0, winner: Rc::default(), mistake }
    }

    /// Returns the player who joins their sides.
    pub fn winner(&self) -> Option<Player> {
        self.winner.get()
    }

    fn may_swap(&self) -> bool {
        if self.mistake == Mistake::SwapMayBeSwapped {
            return self.cells.iter().flatten().count() == 1;
        }
        self.played == 1
    }

    fn neighbours(&self, at: usize) -> impl Iterator<Item = usize> {
        let steps: &[(isize, isize)] = match self.mistake {
            Mistake::NeighbourForgotten => &[(-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0)],
            Mistake::NeighboursOfTheMirrorImage => &[(-1, 0), (-1, -1), (0, -1), (0, 1), (1, 1), (1, 0)],
            _ => &[(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)],
        };
        let (row, column) = (at / self.size, at % self.size);
        let rows = if self.mistake == Mistake::PanicsAtTheEdge { self.size + 1 } else { self.size };
        steps.iter().filter_map(move |&(down, right)| {
            let row = row.checked_add_signed(down).filter(|&row| row < rows)?;
            let column = column.checked_add_signed(right).filter(|&column| column < self.size)?;
            Some(row * self.size + column)
        })
    }

    /// Whether a player joins the top with the bottom, or the left with the right.
    fn joins(&self, player: Player) -> bool {
        let last = self.size - 1;
        let across = player == 1 && self.mistake != Mistake::BothJoinTopAndBottom;
        let along = |at: usize| if across { at % self.size } else { at / self.size };
        let own = |at: usize| self.cells[at] == Some(player);
        let mut open = Vec::from_iter((0..self.cells.len()).filter(|&at| along(at) == 0 && own(at)));
        let mut seen = vec![false; self.cells.len()];
        while let Some(at) = open.pop() {
            if along(at) == last {
                return true;
            }
            seen[at] = true;
            open.extend(self.neighbours(at).filter(|&next| own(next) && !seen[next]));
        }
        false
    }

    fn swap(&mut self) {
        let Some(at) = self.cells.iter().position(Option::is_some) else { return };
        let mirrored = at % self.size * self.size + at / self.size;
        self.cells[at] = None;
        self.cells[if self.mistake == Mistake::SwapIsNotMirrored { at } else { mirrored }] =
            Some(self.player);
    }
}

impl GameState for Hex {
    type Action = HexAction;

    fn turn(&self) -> Turn {
        if self.winner().is_some() { Turn::Over } else { Turn::Player(self.player) }
    }
    fn actions(&self) -> impl IntoIterator<Item = HexAction> {
        let running = self.turn() != Turn::Over;
        let free = (0..self.cells.len()).filter(move |&at| running && self.cells[at].is_none());
        let cells = free.filter_map(|at| Cell::new((at / self.size) as u8, (at % self.size) as u8));
        cells.map(HexAction::Place).chain((running && self.may_swap()).then_some(HexAction::Swap))
    }
    fn apply(&mut self, action: HexAction) {
        self.played += 1;
        match action {
            HexAction::Place(cell) => {
                self.cells[usize::from(cell.row()) * self.size + usize::from(cell.column())] =
                    Some(self.player);
                if self.joins(self.player) {
                    self.winner.set(Some(self.player));
                }
            }
            HexAction::Swap => {
                self.swap();
                if self.mistake == Mistake::SwapKeepsTheTurn {
                    return;
                }
            }
        }
        self.player = 1 - self.player;
    }
    fn reward(&self, player: Player) -> f64 {
        f64::from(u8::from(self.winner() == Some(player)))
    }
    fn random_action(&self, rng: &mut Rng) -> Option<HexAction> {
        let mut actions = Vec::from_iter(self.actions());
        if actions.last() == Some(&HexAction::Swap) {
            match self.mistake {
                Mistake::RandomNeverSwaps => _ = actions.pop(),
                Mistake::RandomTossesACoin if rng.below(2) == 0 => return Some(HexAction::Swap),
                Mistake::RandomTossesACoin => _ = actions.pop(),
                _ => {}
            }
        }
        actions.get(rng.below(actions.len())).copied()
    }
}

/// Returns the mirror image at the main diagonal, which exchanges the players.
impl Symmetric for Hex {
    const SYMMETRIES: usize = 1;

    fn transformed(&self, _: usize) -> Self {
        let mut image = self.clone();
        let other =
            |player: Player| if self.mistake == Mistake::MirrorKeepsTheOwners { player } else { 1 - player };
        for at in 0..self.cells.len() {
            image.cells[at % self.size * self.size + at / self.size] = self.cells[at].map(other);
        }
        image.player = 1 - self.player;
        image.winner.set(self.winner().map(|winner| 1 - winner));
        image
    }
    fn transformed_action(&self, action: HexAction, _: usize) -> HexAction {
        match action {
            HexAction::Place(cell) => {
                HexAction::Place(Cell::new(cell.column(), cell.row()).expect("on the board"))
            }
            HexAction::Swap => HexAction::Swap,
        }
    }
    fn transformed_player(&self, player: Player, _: usize) -> Player {
        1 - player
    }
}
