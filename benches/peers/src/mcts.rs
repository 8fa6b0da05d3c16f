//! mcts 0.3: a box per node, atomics for its threads, rewards as `i64`.
//!
//! It makes a node, with a record per action, on its first visit. Rewards are 0, 1 and 2 for loss, draw and
//! win, so its bonus, `2 C sqrt(ln N / n)` with C = 1, is that of c = 1 for rewards in [0, 1]. With the type
//! `()`, it has no transposition table. It evaluates leaves by an evaluator, and ours plays a rollout.
//!
//! Its threads share one tree. An iteration counts a visit on the way down and adds the reward on the way up,
//! so until then the visit counts as a loss. With rewards from 0 to 2 this is a virtual loss; `virtual_loss`
//! would add to it, and stays 0.

use crate::board::{
    Column, Columns, Connect4, End, GameState as _, Player, end, mover, play_out, seed, with_rng,
};
use crate::found::Found;
use mcts::tree_policy::UCTPolicy;
use mcts::{Evaluator, GameState, MCTS, MCTSManager, SearchHandle};
use std::time::Duration;

#[derive(Clone)]
struct Game(Connect4);

impl GameState for Game {
    type Move = Column;
    type Player = Player;
    type MoveList = Columns;

    #[inline]
    fn current_player(&self) -> Player {
        mover(&self.0)
    }

    #[inline]
    fn available_moves(&self) -> Columns {
        Columns::of(&self.0)
    }

    #[inline]
    fn make_move(&mut self, column: &Column) {
        self.0.apply(*column);
    }
}

struct Rollout;

impl Evaluator<Spec> for Rollout {
    type StateEvaluation = End;

    #[inline]
    fn evaluate_new_state(
        &self,
        game: &Game,
        moves: &Columns,
        _: Option<SearchHandle<Spec>>,
    ) -> (Vec<()>, End) {
        let end = end(&game.0).unwrap_or_else(|| with_rng(|rng| play_out(&game.0, rng)));
        (vec![(); moves.len()], end)
    }

    /// Called for terminal states only.
    #[inline]
    fn evaluate_existing_state(&self, _: &Game, end: &End, _: SearchHandle<Spec>) -> End {
        *end
    }

    #[inline]
    fn interpret_evaluation_for_player(&self, end: &End, player: &Player) -> i64 {
        match end {
            End::Drawn => 1,
            End::Won(winner) => 2 * i64::from(winner == player),
        }
    }
}

struct Spec;

impl MCTS for Spec {
    type State = Game;
    type Eval = Rollout;
    type TreePolicy = UCTPolicy;
    type NodeData = ();
    type TranspositionTable = ();
    type ExtraThreadData = ();
}

pub fn search(board: Connect4, iterations: u64, seed: u64) -> Found {
    let mut search = manager(board, seed);
    search.playout_n(iterations);
    let visits = search.tree().root_node().moves().map(|info| info.visits()).sum();
    found(search, Some(visits))
}

/// Two threads.
pub fn two_threads(board: Connect4, iterations: u64, seed: u64) -> Found {
    let mut search = manager(board, seed);
    search.playout_n_parallel(u32::try_from(iterations).expect("at most 2^32 - 1 iterations"), 2);
    // No iterations: the threads write the counts of the actions without waiting for each other, so some are
    // too low.
    found(search, None)
}

/// Two threads for this time.
pub fn play(board: Connect4, time: Duration, seed: u64) -> Found {
    let mut search = manager(board, seed);
    search.playout_parallel_for(time, 2);
    found(search, None)
}

fn manager(board: Connect4, seed_: u64) -> MCTSManager<Spec> {
    seed(seed_);
    MCTSManager::new(Game(board), Spec, Rollout, UCTPolicy::new(1.0), ())
}

fn found(search: MCTSManager<Spec>, iterations: Option<u64>) -> Found {
    Found::new(search.best_move().expect("a game that is not over"), iterations, search)
}
