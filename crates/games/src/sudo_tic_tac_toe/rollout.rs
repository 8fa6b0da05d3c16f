//! Plays a random game to its end in one loop.
//!
//! The next cell in a local board is uniformly random among its free cells, whichever player plays it and
//! whenever. So the next cell of each board is drawn ahead, when the one before it is played. The loop then
//! does not wait for a draw before it knows the next board.

use super::{ANY, Mode, SudoTicTacToe};
use crate::three;
use ramure::{GameState, Rng, Turn};

/// Plays a game to its end at random. The state then gives the winner; its boards are left unchanged.
#[inline(always)]
pub(super) fn play_out(game: &mut SudoTicTacToe, rng: &mut Rng) {
    if game.turn() == Turn::Over {
        return;
    }
    let winner = match game.mode {
        Mode::LocalWin => winner::<false>(game, rng),
        Mode::Ultimate => winner::<true>(game, rng),
    };
    game.next = ANY;
    match winner {
        // The last action is the winner's.
        Some(player) => (game.won, game.played) = (true, player as u8 + 1),
        None => game.closed = three::ALL,
    }
}

/// Returns the winner of a random continuation, or `None` for a draw; `ULTIMATE` is the mode.
#[inline(always)]
fn winner<const ULTIMATE: bool>(game: &SudoTicTacToe, rng: &mut Rng) -> Option<usize> {
    // Sixteen entries, of which nine are used, and indices of four bits: so no index needs a bounds check.
    let (mut marked, mut free, mut ahead) = ([[0u16; 16]; 2], [0u16; 16], [0u8; 16]);
    for (marked, from) in marked.iter_mut().zip(&game.marked) {
        marked[..9].copy_from_slice(from);
    }
    for board in 0..9 {
        free[board] = game.free(board as u8);
        ahead[board] = three::random_member(free[board], rng);
    }
    let mut sums = Sums::of(&free);
    let mut boards_won = game.boards_won;
    let mut player = usize::from(game.played & 1);
    let mut board = if game.next == ANY { sums.random_board(rng)? } else { usize::from(game.next) };
    loop {
        let cell = usize::from(ahead[board] & 15);
        let own = marked[player][board] | 1 << cell;
        marked[player][board] = own;
        let mut left = free[board] & !(1 << cell);
        let line = three::has_line(own);
        if ULTIMATE {
            // A won board has no free cells. This avoids a branch, because it could not be predicted.
            let lost = left & u16::from(line).wrapping_neg();
            left ^= lost;
            sums.subtract(board, 1 + lost.count_ones());
            boards_won[player] |= u16::from(line) << board;
            if three::has_line(boards_won[player]) {
                return Some(player);
            }
        } else if line {
            return Some(player);
        }
        free[board] = left;
        ahead[board] = three::random_member(left, rng);
        player ^= 1;
        board = cell;
        if free[board] == 0 {
            if !ULTIMATE {
                // This is so rare that keeping the sums up to date would cost more.
                sums = Sums::of(&free);
            }
            board = sums.random_board(rng)?;
        }
    }
}

/// A one in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The numbers of free cells.
struct Sums {
    /// One byte for each board but the last: the free cells in it and in the boards before it.
    up_to: u64,
    /// The number of all free cells.
    all: u32,
}

impl Sums {
    #[inline(always)]
    fn of(free: &[u16; 16]) -> Self {
        let mut sums = Sums { up_to: 0, all: 0 };
        for (board, cells) in free[..9].iter().enumerate() {
            let count = cells.count_ones();
            sums.up_to += from(board) * u64::from(count);
            sums.all += count;
        }
        sums
    }

    #[inline(always)]
    fn subtract(&mut self, board: usize, count: u32) {
        self.up_to -= from(board) * u64::from(count);
        self.all -= count;
    }

    /// Returns a random board, with probability proportional to its number of free cells; `None` if no cell
    /// is free.
    #[inline(always)]
    fn random_board(&self, rng: &mut Rng) -> Option<usize> {
        if self.all == 0 {
            return None;
        }
        let drawn = rng.below(self.all as usize) as u64;
        // The top bits of the bytes that exceed the number drawn. All numbers are below 128, so no byte
        // borrows.
        let tops = ONES << 7;
        let above = ((self.up_to | tops) - (drawn + 1) * ONES) & tops;
        Some(8 - above.count_ones() as usize)
    }
}

/// Returns a one in the byte of this board and of each board after it; the last board has no byte.
#[inline(always)]
fn from(board: usize) -> u64 {
    ONES << (4 * board) << (4 * board)
}
