//! minimax 0.6: `MonteCarloTreeSearch`.
//!
//! Its bonus is fixed: `sqrt(2 log2 N / n)`, 1.7 times that of c = 1, so its trees are shallower. It always
//! proves wins and losses. It seeds a new generator for each rollout; overriding `RolloutPolicy::rollout`
//! avoids that. By default a node gets children on its first visit; with `with_rollouts_before_expanding(1)`,
//! on its second, as in ramure. Its choice among ties cannot be seeded. It frees the tree before it returns,
//! so its time includes freeing.
//!
//! Its threads share one tree, with atomics and a virtual loss. Each makes an equal part of the iterations.

use crate::board::{Column, Columns, Connect4, End, GameState as _, end, mover, play_out, seed, with_rng};
use crate::found::Found;
use minimax::{Game, MCTSOptions, MonteCarloTreeSearch, RolloutPolicy, Strategy, Winner};
use rand_09::rngs::SmallRng;
use rand_09::seq::IndexedRandom as _;
use std::time::Duration;

struct Rules;

fn winner(board: &Connect4) -> Option<Winner> {
    end(board).map(|end| if end == End::Drawn { Winner::Draw } else { Winner::PlayerJustMoved })
}

impl Game for Rules {
    type S = Connect4;
    type M = Column;

    #[inline]
    fn generate_moves(board: &Connect4, moves: &mut Vec<Column>) -> Option<Winner> {
        moves.extend(Columns::of(board));
        winner(board)
    }

    #[inline]
    fn apply(board: &mut Connect4, column: Column) -> Option<Connect4> {
        let mut next = *board;
        next.apply(column);
        Some(next)
    }

    #[inline]
    fn get_winner(board: &Connect4) -> Option<Winner> {
        winner(board)
    }
}

struct OurRollout;

impl RolloutPolicy for OurRollout {
    type G = Rules;

    /// Never called, because `rollout` is overridden.
    fn random_move(
        &self,
        board: &mut Connect4,
        moves: &mut Vec<Column>,
        rng: &mut SmallRng,
    ) -> Result<Column, Winner> {
        match Rules::generate_moves(board, moves) {
            Some(winner) => Err(winner),
            None => moves.choose(rng).copied().ok_or(Winner::Draw),
        }
    }

    /// The value for the player who made the last move: 1, 0 or -1; `i32::MAX` for a win, which minimax takes
    /// as a proof.
    #[inline]
    fn rollout(&self, _: &MCTSOptions, board: &Connect4) -> i32 {
        match end(board) {
            Some(End::Won(_)) => i32::MAX,
            Some(End::Drawn) => 0,
            None => match with_rng(|rng| play_out(board, rng)) {
                End::Drawn => 0,
                End::Won(winner) if winner == mover(board) => -1,
                End::Won(_) => 1,
            },
        }
    }
}

/// With our rollout, children on the second visit.
pub fn search(board: Connect4, iterations: u64, seed_: u64) -> Found {
    seed(seed_);
    let options = options().with_rollouts_before_expanding(1);
    run(MonteCarloTreeSearch::new_with_policy(options, Box::new(OurRollout)), &board, iterations)
}

/// The same with two threads.
pub fn two_threads(board: Connect4, iterations: u64, seed_: u64) -> Found {
    seed(seed_);
    run(on_two_threads(), &board, iterations)
}

/// The same with two threads for this time.
pub fn play(board: Connect4, time: Duration, seed_: u64) -> Found {
    seed(seed_);
    let mut search = on_two_threads();
    search.set_timeout(time);
    Found::new(search.choose_move(&board).expect("a game that is not over"), None, ())
}

fn on_two_threads() -> MonteCarloTreeSearch<Rules> {
    let options = MCTSOptions::default().with_num_threads(2).with_rollouts_before_expanding(1);
    MonteCarloTreeSearch::new_with_policy(options, Box::new(OurRollout))
}

/// With our rollout, children on the first visit.
pub fn early_children(board: Connect4, iterations: u64, seed_: u64) -> Found {
    seed(seed_);
    run(MonteCarloTreeSearch::new_with_policy(options(), Box::new(OurRollout)), &board, iterations)
}

/// With all defaults.
pub fn own_rollout(board: Connect4, iterations: u64, _: u64) -> Found {
    run(MonteCarloTreeSearch::new(options()), &board, iterations)
}

fn options() -> MCTSOptions {
    MCTSOptions::default().with_num_threads(1)
}

fn run(mut search: MonteCarloTreeSearch<Rules>, board: &Connect4, iterations: u64) -> Found {
    search.set_max_rollouts(u32::try_from(iterations).expect("at most 2^32 - 1 iterations"));
    let best = search.choose_move(board).expect("a game that is not over");
    Found::new(best, None, ())
}
