//! treant 0.4, a descendant of mcts: see `mcts.rs` for rewards, exploration constant and nodes.
//!
//! Its solver is off by default; there is a row with it and a row without. It has no transposition table
//! here, as in its quick start.
//!
//! Its threads share one tree. A visit that has no reward yet counts as a loss, as in mcts. Its guide to
//! parallel search recommends a virtual loss above the greatest reward, so two threads have one of 10.

use crate::board::{
    Column, Columns, Connect4, End, GameState as _, Player, end, mover, play_out, seed, with_rng,
};
use crate::found::Found;
use std::time::Duration;
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
    virtual_loss: i64,
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

    #[inline]
    fn virtual_loss(&self) -> i64 {
        self.virtual_loss
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

fn run<const SOLVER: bool>(board: Connect4, iterations: u64, seed: u64) -> Found {
    let mut search = manager::<SOLVER>(board, seed, 0);
    search.playout_n(iterations);
    let visits = search.tree().root_node().moves().map(|info| info.visits()).sum();
    found(search, Some(visits))
}

/// Two threads.
pub fn two_threads<const SOLVER: bool, const VIRTUAL_LOSS: i64>(
    board: Connect4,
    iterations: u64,
    seed: u64,
) -> Found {
    let mut search = manager::<SOLVER>(board, seed, VIRTUAL_LOSS);
    search.playout_n_parallel(u32::try_from(iterations).expect("at most 2^32 - 1 iterations"), 2);
    // No iterations: the threads write the counts of the actions without waiting for each other, so some are
    // too low.
    found(search, None)
}

/// Two threads for this time.
pub fn play<const SOLVER: bool, const VIRTUAL_LOSS: i64>(
    board: Connect4,
    time: Duration,
    seed: u64,
) -> Found {
    let mut search = manager::<SOLVER>(board, seed, VIRTUAL_LOSS);
    search.playout_parallel_for(time, 2);
    found(search, None)
}

fn manager<const SOLVER: bool>(board: Connect4, seed_: u64, virtual_loss: i64) -> MCTSManager<Spec<SOLVER>> {
    seed(seed_);
    let spec = Spec::<SOLVER> { seed: seed_, virtual_loss };
    let mut search = MCTSManager::new(Game(board), spec, Rollout, UCTPolicy::new(1.0), ());
    // A proven root ends a search like a full tree, with a message.
    search.print_on_playout_error(false);
    search
}

fn found<const SOLVER: bool>(search: MCTSManager<Spec<SOLVER>>, iterations: Option<u64>) -> Found {
    Found::new(search.best_move().expect("a game that is not over"), iterations, search)
}
