//! mctrust 0.4: nodes in a `Vec`, each with a `Vec` of children and one of untried actions.
//!
//! Rewards are 1, 0 and -1, twice as far apart as ours, so c = 1 is 2 here. RAVE is on by default; we switch
//! it off, because it is another algorithm, and one row has it. Its own rollout needs a `Vec` of actions per
//! step, because `legal_actions` returns one; its `Evaluator` accepts our rollout. The feature `dag` is off,
//! because it costs time even when unused.
//!
//! Its threads have a tree each and share nothing. At the end it adds up the visits of the actions of the
//! root.

use crate::board::{Column, Connect4, End, GameState as _, end, mover, play_out, seed, with_rng};
use crate::found::Found;
use mctrust::{Environment, Evaluator, Outcome, RaveConfig, Reward, SearchConfig, TreeSearch};
use std::sync::Arc;
use std::time::Duration;

#[derive(Clone)]
struct Game(Connect4);

impl Environment for Game {
    type Action = Column;

    #[inline]
    fn legal_actions(&self) -> Vec<Column> {
        self.0.actions().into_iter().collect()
    }

    #[inline]
    fn apply(&mut self, column: &Column) {
        self.0.apply(*column);
    }

    /// The result for the player to move.
    #[inline]
    fn evaluate(&self) -> Outcome {
        match end(&self.0) {
            None => Outcome::Ongoing,
            Some(End::Drawn) => Outcome::Neutral,
            Some(End::Won(_)) => Outcome::Failure,
        }
    }

    #[inline]
    fn current_player(&self) -> usize {
        usize::from(mover(&self.0))
    }

    #[inline]
    fn num_players(&self) -> usize {
        2
    }
}

struct OurRollout;

impl Evaluator<Game> for OurRollout {
    #[inline]
    fn evaluate(&self, game: &Game) -> Reward {
        match with_rng(|rng| play_out(&game.0, rng)) {
            End::Drawn => Reward::DRAW,
            End::Won(winner) if winner == mover(&game.0) => Reward::WIN,
            End::Won(_) => Reward::LOSS,
        }
    }
}

/// With our rollout.
pub fn search(board: Connect4, iterations: u64, seed: u64) -> Found {
    run(board, iterations, seed, true, false)
}

/// With its own rollout.
pub fn own_rollout(board: Connect4, iterations: u64, seed: u64) -> Found {
    run(board, iterations, seed, false, false)
}

/// With its own rollout and RAVE: all defaults but c.
pub fn rave(board: Connect4, iterations: u64, seed: u64) -> Found {
    run(board, iterations, seed, false, true)
}

/// With our rollout and two threads.
pub fn two_threads(board: Connect4, iterations: u64, seed: u64) -> Found {
    run_parallel(board, config(iterations, false), seed)
}

/// With our rollout and two threads for this time.
pub fn play(board: Connect4, time: Duration, seed: u64) -> Found {
    run_parallel(board, SearchConfig { time_budget: Some(time), ..config(u64::MAX, false) }, seed)
}

fn run_parallel(board: Connect4, config: SearchConfig, seed_: u64) -> Found {
    seed(seed_);
    let mut search = TreeSearch::with_seed(Game(board), config, seed_);
    search.with_evaluator(Arc::new(OurRollout));
    // It frees the trees of the threads before it returns, and does not tell their visits.
    let best = search.run_parallel(2).expect("a game that is not over");
    Found::new(best, None, search)
}

fn config(iterations: u64, rave: bool) -> SearchConfig {
    let rave = RaveConfig { enabled: rave, ..RaveConfig::default() };
    SearchConfig::builder().iterations(iterations as usize).exploration_constant(2.0).rave(rave).build()
}

fn run(board: Connect4, iterations: u64, seed_: u64, our_rollout: bool, rave: bool) -> Found {
    seed(seed_);
    let mut search = TreeSearch::with_seed(Game(board), config(iterations, rave), seed_);
    if our_rollout {
        search.with_evaluator(Arc::new(OurRollout));
    }
    let best = search.run().expect("a game that is not over");
    Found::new(best, Some(u64::from(search.total_simulations())), search)
}
