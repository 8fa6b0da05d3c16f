//! Hex: two players each try to join two opposite sides of a rhombus of hexagonal cells. Boards are 2 x 2 to
//! 19 x 19.

mod action;
mod rollout;
mod rows;
mod stones;
mod text;

pub use action::{Cell, HexAction};

use super::text::debug_as_display;
use super::{IllegalAction, IllegalReason};
use core::ops::RangeInclusive;
use ramure::ParameterError;
use ramure::{ActionIndex, GameState, Keyed, Player, Rng, StaticEvaluation, Symmetric, Turn, hash_key};
use rows::{Free, Rows};
use stones::Stones;

/// The largest size of a board.
const MAX_SIZE: u8 = 19;

/// The state of the swap (pie) rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Swap {
    /// The game has no swap rule.
    Off,
    /// The game has the swap rule. From the third action on, the swap has been declined.
    On,
    /// The swap was played.
    Taken,
}

/// A position of Hex.
///
/// Player 0 (`X`) starts and joins top and bottom; player 1 (`O`) joins left and right. Each cell has up to
/// six neighbours: the two beside it, the two above it (straight and to the right) and the two below it
/// (straight and to the left). There are no draws.
///
/// ```
/// use ramure::GameState;
/// use ramure_games::Hex;
///
/// let mut game = Hex::new(3)?.with_swap();
/// for action in ["b2", "swap", "c1", "a2"] {
///     game.play(action.parse()?)?;
/// }
/// assert_eq!(
///     game.to_string(),
///     "  a b c\n1 . . X\n 2 O O .\n  3 . . .\nswap: taken\nmoves: 4\nstatus: X to play",
/// );
/// game.play("a3".parse()?)?;
/// game.play("c2".parse()?)?;
/// assert_eq!((game.winner(), game.reward(1)), (Some(1), 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Hex {
    free: Free,
    /// The stones of player 1 are mirrored at the main diagonal, so that both players join row 1 to the last
    /// row.
    stones: [Stones; 2],
    played: u16,
    size: u8,
    swap: Swap,
    /// Whether the last stone joined the sides.
    won: bool,
}

/// Checks the number of rows and columns of a board.
fn check_size(size: usize) -> Result<(), ParameterError> {
    let fits = u8::try_from(size).is_ok_and(|size| Hex::SIZES.contains(&size));
    ParameterError::unless(fits, "Hex::size", size as f64, "from 2 to 19")
}

impl Hex {
    /// The sizes that a board may have.
    pub const SIZES: RangeInclusive<u8> = 2..=MAX_SIZE;

    /// Creates the empty board with `size` rows and columns, without the swap rule.
    ///
    /// # Errors
    ///
    /// Returns [`ParameterError`] if the size is not in [`SIZES`](Self::SIZES).
    pub fn new(size: u8) -> Result<Self, ParameterError> {
        check_size(size.into())?;
        Ok(Hex {
            free: Free::all(size),
            stones: [Stones::none(); 2],
            played: 0,
            size,
            swap: Swap::Off,
            won: false,
        })
    }

    /// Adds the swap (pie) rule: the first action of player 1 may be [`HexAction::Swap`], which mirrors the
    /// stone of player 0 at the main diagonal and makes it a stone of player 1. \[Default: without\]
    ///
    /// Call this on a new game. If player 1 has already acted, the swap counts as declined.
    #[must_use]
    pub fn with_swap(mut self) -> Self {
        if self.swap == Swap::Off && self.passes() == 0 {
            self.swap = Swap::On;
        }
        self
    }

    /// Makes `player` the player to move: if it is the other player's turn, that player passes. A pass is no
    /// action of the game, and declines a swap. Nothing changes if the game is over, or if there is no such
    /// player.
    ///
    /// Set up positions and replay records with this, where a player places several stones in a row.
    ///
    /// ```
    /// use ramure_games::Hex;
    ///
    /// let mut game = Hex::new(3)?;
    /// for cell in ["b2", "a3"] {
    ///     game = game.with_turn(0);
    ///     game.play(cell.parse()?)?;
    /// }
    /// assert_eq!(
    ///     game.to_string(),
    ///     "  a b c\n1 . . .\n 2 . X .\n  3 X . .\nswap: off\npasses: 1\nmoves: 3\nstatus: O to play",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_turn(mut self, player: Player) -> Self {
        if !self.won && player == self.player() ^ 1 {
            if self.may_swap() {
                self.swap = Swap::Off;
            }
            self.played = self.played.wrapping_add(1);
        }
        self
    }

    /// Places a stone of the player to move, or swaps.
    ///
    /// # Errors
    ///
    /// Returns [`IllegalReason::GameOver`], [`IllegalReason::OffTheBoard`], [`IllegalReason::CellTaken`] or
    /// [`IllegalReason::NoSwap`] if the action is not legal. The position is then unchanged.
    pub fn play(&mut self, action: HexAction) -> Result<(), IllegalAction<HexAction>> {
        self.check(action).map_err(|reason| reason.of(action))?;
        self.apply(action);
        Ok(())
    }

    /// Returns the number of rows, which is also the number of columns.
    #[inline]
    pub fn size(&self) -> u8 {
        self.size
    }

    /// Returns the player whose stone is in this row and column, counted from 0 at the top left; `None` if
    /// the cell is free or off the board.
    pub fn cell(&self, row: u8, column: u8) -> Option<Player> {
        let cell = Cell::new(row, column)?;
        (0..2).find(|&player| {
            let (row, column) = seen_by(player, cell);
            self.stones[usize::from(player)].holds(row, column)
        })
    }

    /// Returns the winner, if the game is over.
    pub fn winner(&self) -> Option<Player> {
        self.won.then_some((self.played & 1) as Player ^ 1)
    }

    /// Returns the stones that join the winner's sides and all stones connected to them, in reading order.
    /// Empty if the game is not over.
    pub fn winning_chain(&self) -> Vec<Cell> {
        let Some(winner) = self.winner() else { return Vec::new() };
        let chain = self.stones[usize::from(winner)].chain(self.size);
        let in_chain = |&cell: &Cell| {
            let (row, column) = seen_by(winner, cell);
            chain.holds(row, column)
        };
        self.cells().filter(in_chain).collect()
    }

    #[inline(always)]
    fn player(&self) -> Player {
        (self.played & 1) as Player
    }

    /// Returns the number of stones.
    #[inline(always)]
    fn count(&self) -> u16 {
        u16::from(self.size).pow(2) - self.free.count() as u16
    }

    /// Whether the player to move may swap. With one stone, it is the other player who placed it: a pass in
    /// its place would have declined the swap.
    #[inline(always)]
    fn may_swap(&self) -> bool {
        self.swap == Swap::On && self.count() == 1
    }

    /// Returns the number of turns that [`with_turn`](Self::with_turn) skipped.
    fn passes(&self) -> u16 {
        self.played.saturating_sub(self.count() + u16::from(self.swap == Swap::Taken))
    }

    fn check(&self, action: HexAction) -> Result<(), IllegalReason> {
        match action {
            _ if self.won => Err(IllegalReason::GameOver),
            HexAction::Swap if self.may_swap() => Ok(()),
            HexAction::Swap => Err(IllegalReason::NoSwap),
            HexAction::Place(cell) if cell.row().max(cell.column()) >= self.size => {
                Err(IllegalReason::OffTheBoard { size: self.size })
            }
            HexAction::Place(cell) if !self.free.holds(cell) => Err(IllegalReason::CellTaken),
            HexAction::Place(_) => Ok(()),
        }
    }

    #[inline(always)]
    fn place(&mut self, player: Player, cell: Cell) {
        self.free.remove(cell);
        let (row, column) = seen_by(player, cell);
        let stones = &mut self.stones[usize::from(player)];
        stones.place(row, column);
        self.won = stones.join(self.size);
    }

    /// Returns all cells of the board, in reading order.
    fn cells(&self) -> impl Iterator<Item = Cell> {
        Rows::full(self.size).cells().map(|(row, column)| Cell::one_based(row, column))
    }

    /// Returns the cell after half a turn of the board.
    fn turned(&self, cell: Cell) -> Cell {
        Cell::one_based(self.size + 1 - cell.one_based_row(), self.size + 1 - cell.one_based_column())
    }

    /// Makes the only stone the mirrored stone of the other player. The cells of player 1 are stored mirrored,
    /// so only the owner changes.
    fn swap(&mut self) {
        self.stones.swap(0, 1);
        self.swap = Swap::Taken;
        self.free = Free::all(self.size);
        // One of the players has the stone.
        for (row, column) in self.stones[0].cells() {
            self.free.remove(Cell::one_based(row, column));
        }
        for (row, column) in self.stones[1].cells() {
            self.free.remove(Cell::one_based(column, row));
        }
    }
}

/// Returns the row and column of a cell, counted from 1, as this player's [`Stones`] store them.
#[inline(always)]
fn seen_by(player: Player, cell: Cell) -> (u8, u8) {
    let (row, column) = (cell.one_based_row(), cell.one_based_column());
    if player == 0 { (row, column) } else { (column, row) }
}

#[diagnostic::do_not_recommend]
impl GameState for Hex {
    type Action = HexAction;

    #[inline]
    fn turn(&self) -> Turn {
        if self.won { Turn::Over } else { Turn::Player(self.player()) }
    }

    #[inline]
    fn actions(&self) -> impl IntoIterator<Item = HexAction> {
        let cells = if self.won { Rows::none() } else { *self.free.rows() };
        let swap = self.may_swap().then_some(HexAction::Swap);
        cells.cells().map(|(row, column)| HexAction::Place(Cell::one_based(row, column))).chain(swap)
    }

    /// Plays an action, which must be legal; debug builds panic if it is not.
    #[inline]
    fn apply(&mut self, action: HexAction) {
        debug_assert_eq!(self.check(action), Ok(()));
        match action {
            HexAction::Place(cell) => self.place(self.player(), cell),
            HexAction::Swap => self.swap(),
        }
        self.played = self.played.wrapping_add(1);
    }

    #[inline]
    fn reward(&self, player: Player) -> f64 {
        f64::from(u8::from(self.winner() == Some(player)))
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng) -> Option<HexAction> {
        if self.won {
            return None;
        }
        if self.may_swap() && rng.below(self.free.count() + 1) == 0 {
            return Some(HexAction::Swap);
        }
        Some(HexAction::Place(self.free.draw(rng)))
    }

    /// Fills the board at random and computes the winner once. Does nothing if a swap is still possible,
    /// because a swap would change the owner of a stone.
    #[inline]
    fn random_rollout(&mut self, rng: &mut Rng) {
        if self.won || self.swap == Swap::On && self.count() < 2 {
            return;
        }
        let free = self.free.count() as u32;
        let of_first = if self.player() == 0 { free.div_ceil(2) } else { free / 2 };
        let joins =
            rollout::joins_when_filled(&self.stones[0].rows(), self.free.rows(), of_first, self.size, rng);
        // The last stone is the winner's.
        self.won = true;
        self.played = if joins { 1 } else { 2 };
    }

    #[inline]
    fn is_legal(&self, action: HexAction) -> bool {
        self.check(action).is_ok()
    }
}

impl ActionIndex for Hex {
    /// The number of cells of the largest board, 19 per row, plus one for the swap. It does not
    /// depend on the size.
    const ACTION_COUNT: usize = MAX_SIZE as usize * MAX_SIZE as usize + 1;

    #[inline]
    fn action_index(action: HexAction) -> usize {
        match action {
            HexAction::Place(cell) => rows::number(cell),
            HexAction::Swap => Self::ACTION_COUNT - 1,
        }
    }
}

impl StaticEvaluation for Hex {
    /// Compares how many stones each player still needs if the opponent passes. The values for the two
    /// players sum to 1.
    ///
    /// **Cost:** about as many passes over the rows of the board as both players need stones.
    fn evaluate(&self, player: Player) -> f64 {
        if self.won {
            return self.reward(player);
        }
        let [first, second] = self.stones;
        let needed = [
            first.needed(self.free.rows(), self.size),
            second.needed(&self.free.rows().mirrored(), self.size),
        ];
        super::share(player, [needed[1], needed[0]])
    }
}

impl Keyed for Hex {
    /// A hash of the stones, the size and the swap rule.
    #[inline]
    fn key(&self) -> u128 {
        let [first, second] = &self.stones;
        hash_key(&(first.rows(), second.rows(), self.size, self.swap, self.player()))
    }
}

impl Symmetric for Hex {
    /// The half turn. (Reflections exchange the sides and so the players, one of whom has acted first.)
    const SYMMETRIES: usize = 1;

    fn transformed(&self, _: usize) -> Self {
        let mut state = Hex { free: Free::all(self.size), stones: [Stones::none(); 2], ..self.clone() };
        for cell in self.cells() {
            if let Some(player) = self.cell(cell.row(), cell.column()) {
                state.place(player, self.turned(cell));
            }
        }
        state.won = self.won;
        state
    }

    fn transformed_action(&self, action: HexAction, _: usize) -> HexAction {
        match action {
            HexAction::Place(cell) => HexAction::Place(self.turned(cell)),
            HexAction::Swap => HexAction::Swap,
        }
    }
}

debug_as_display!(Cell, HexAction, Hex);
