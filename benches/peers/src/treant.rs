//! treant 0.4, a descendant of mcts: see `mcts.rs` for rewards, exploration constant and nodes.
//!
//! Its solver is off by default; there is a row with it and a row without. It has no transposition table here, as in its
//! quick start.

use crate::board::{
    Column, Columns, Connect4, End, GameState as _, Player, end, mover, play_out, seed, with_rng,
};
use crate::found::Found;
use treant::tree_policy::UCTPolicy;
use treant::{Evaluator, GameState, MCTS, MCTSManager, ProvenValue, SearchHandle};

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

    #[inline]
    fn terminal_value(&self) -> Option<ProvenValue> {
        end(&self.0).map(|end| if end == End::Drawn { ProvenValue::Draw } else { ProvenValue::Loss })
    }
}

struct Rollout;

impl<const SOLVER: bool> Evaluator<Spec<SOLVER>> for Rollout {
    type StateEvaluation = End;

    #[inline]
    fn evaluate_new_state(
        &self,
        game: &Game,
        moves: &Columns,
        _: Option<SearchHandle<Spec<SOLVER>>>,
    ) -> (Vec<()>, End) {
        let end = end(&game.0).unwrap_or_else(|| with_rng(|rng| play_out(&game.0, rng)));
        (vec![(); moves.len()], end)
    }

    /// Called for terminal states and for proven nodes.
    #[inline]
    fn evaluate_existing_state(&self, _: &Game, end: &End, _: SearchHandle<Spec<SOLVER>>) -> End {
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

struct Spec<const SOLVER: bool> {
    seed: u64,
}

impl<const SOLVER: bool> MCTS for Spec<SOLVER> {
    type State = Game;
    type Eval = Rollout;
    type TreePolicy = UCTPolicy;
    type NodeData = ();
    type TranspositionTable = ();
    type ExtraThreadData = ();

    #[inline]
    fn solver_enabled(&self) -> bool {
        SOLVER
    }

    fn rng_seed(&self) -> Option<u64> {
        Some(self.seed)
    }
}

pub fn search(board: Connect4, iterations: u64, seed: u64) -> Found {
    run::<false>(board, iterations, seed)
}

pub fn proving(board: Connect4, iterations: u64, seed: u64) -> Found {
    run::<true>(board, iterations, seed)
}

fn run<const SOLVER: bool>(board: Connect4, iterations: u64, seed_: u64) -> Found {
    seed(seed_);
    let spec = Spec::<SOLVER> { seed: seed_ };
    let mut search = MCTSManager::new(Game(board), spec, Rollout, UCTPolicy::new(1.0), ());
    search.playout_n(iterations);
    let best = search.best_move().expect("a game that is not over");
    let visits = search.tree().root_node().moves().map(|info| info.visits()).sum();
    Found::new(best, Some(visits), search)
}
