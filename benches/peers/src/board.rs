//! The code that all wrappers share: ramure's rules of Connect 4 and its rollout, for any search.

pub use ramure::{GameState, Player, Rng, Turn};
pub use ramure_games::Connect4;
pub use ramure_games::connect4::Column;
use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The player to move; after the end of the game, the player who would move next.
#[inline]
pub fn mover(board: &Connect4) -> Player {
    match board.turn() {
        Turn::Player(player) => player,
        _ => board.winner().map_or(0, |winner| 1 - winner),
    }
}

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    Won(Player),
    Drawn,
}

/// Returns the result of the game, or `None` if it is not over.
#[inline]
pub fn end(board: &Connect4) -> Option<End> {
    (board.turn() == Turn::Over).then(|| board.winner().map_or(End::Drawn, End::Won))
}

/// The rollout: random actions to the end, as in ramure's `Uniform`, by the game's shortcut.
#[inline]
pub fn play_out(board: &Connect4, rng: &mut Rng) -> End {
    let mut board = *board;
    board.random_rollout(rng);
    while let Some(column) = board.random_action(rng) {
        board.apply(column);
    }
    board.winner().map_or(End::Drawn, End::Won)
}

/// The columns that are not full, one bit each, without a `Vec`.
#[derive(Clone, Copy, Debug)]
pub struct Columns(u8);

impl Columns {
    /// Returns the columns, or no column if the game is over.
    #[inline]
    pub fn of(board: &Connect4) -> Self {
        if board.turn() == Turn::Over {
            return Columns(0);
        }
        Columns(board.actions().into_iter().fold(0, |bits, column| bits | 1 << column.number()))
    }
}

impl Iterator for Columns {
    type Item = Column;

    #[inline]
    fn next(&mut self) -> Option<Column> {
        let column = Column::new(self.0.trailing_zeros() as u8);
        self.0 &= self.0.wrapping_sub(1);
        column
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Columns {}

static SEED: AtomicU64 = AtomicU64::new(0);
/// The number of threads that have taken a generator since [`seed`].
static TAKEN: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static RNG: RefCell<Option<Rng>> = const { RefCell::new(None) };
}

/// Seeds [`with_rng`] on this thread and on threads that start later. Each thread gets numbers of its own, so
/// that several threads do not play the same games; the first thread gets the generator of the seed itself.
pub fn seed(seed: u64) {
    SEED.store(seed, Relaxed);
    TAKEN.store(0, Relaxed);
    RNG.with_borrow_mut(|rng| *rng = None);
}

/// Calls `f` with the generator of this thread, for searches that give their rollouts none. This takes one
/// look-up per rollout, without a lock.
#[inline]
pub fn with_rng<T>(f: impl FnOnce(&mut Rng) -> T) -> T {
    let first = || Rng::seeded(SEED.load(Relaxed) + (TAKEN.fetch_add(1, Relaxed) << 32));
    RNG.with_borrow_mut(|rng| f(rng.get_or_insert_with(first)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_are_the_actions() {
        let mut rng = Rng::seeded(1);
        for _ in 0..200 {
            let mut board = Connect4::new();
            loop {
                let columns = Columns::of(&board);
                assert_eq!(columns.len(), columns.count());
                assert!(columns.eq(board.actions()));
                assert_eq!(columns.len() == 0, end(&board).is_some());
                let Some(column) = board.random_action(&mut rng) else { break };
                let player = mover(&board);
                board.apply(column);
                assert!(end(&board) == Some(End::Drawn) || mover(&board) == 1 - player);
            }
        }
    }
}
