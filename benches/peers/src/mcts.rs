//! mcts 0.3: a box per node, atomics for its threads (one here), rewards as `i64`.
//!
//! It makes a node, with a record per action, on its first visit. Rewards are 0, 1 and 2 for loss, draw and win, so its
//! bonus, `2 C sqrt(ln N / n)` with C = 1, is that of c = 1 for rewards in [0, 1]. The type `()` means that there is no
//! transposition table. It has no rollouts and calls an evaluator, which runs our rollout.

use crate::board::{
    Column, Columns, Connect4, End, GameState as _, Player, end, mover, play_out, seed, with_rng,
};
use crate::found::Found;
use mcts::tree_policy::UCTPolicy;
use mcts::{Evaluator, GameState, MCTS, MCTSManager, SearchHandle};

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

pub fn search(board: Connect4, iterations: u64, seed_: u64) -> Found {
    seed(seed_);
    let mut search = MCTSManager::new(Game(board), Spec, Rollout, UCTPolicy::new(1.0), ());
    search.playout_n(iterations);
    let best = search.best_move().expect("a game that is not over");
    let visits = search.tree().root_node().moves().map(|info| info.visits()).sum();
    Found::new(best, Some(visits), search)
}
