//! mcts 0.3. It has no rollouts, so its evaluator plays them.
//!
//! Its bonus is `2 C sqrt(ln N / n)`, for the mean of the rewards in their unit.

use crate::Found;
use crate::position::{Position, Rewards, Shared, UNIT, rewards_of_rollout, seed};
use mcts::tree_policy::UCTPolicy;
use mcts::{Evaluator, GameState, MCTS, MCTSManager, SearchHandle};
use ramure::Player;
use std::marker::PhantomData;

#[derive(Clone)]
struct Game<G>(Position<G>);

impl<G: Shared> GameState for Game<G> {
    type Move = G::Action;
    type Player = Player;
    type MoveList = Vec<G::Action>;

    fn current_player(&self) -> Player {
        self.0.player
    }

    fn available_moves(&self) -> Vec<G::Action> {
        self.0.actions()
    }

    fn make_move(&mut self, action: &G::Action) {
        self.0.apply(*action);
    }
}

struct Rollout;

impl<G: Shared> Evaluator<Spec<G>> for Rollout {
    type StateEvaluation = Rewards;

    fn evaluate_new_state(
        &self,
        game: &Game<G>,
        actions: &Vec<G::Action>,
        _: Option<SearchHandle<Spec<G>>>,
    ) -> (Vec<()>, Rewards) {
        (vec![(); actions.len()], rewards_of_rollout(&game.0))
    }

    /// Called for terminal states only.
    fn evaluate_existing_state(&self, _: &Game<G>, rewards: &Rewards, _: SearchHandle<Spec<G>>) -> Rewards {
        *rewards
    }

    fn interpret_evaluation_for_player(&self, rewards: &Rewards, player: &Player) -> i64 {
        rewards[usize::from(*player)]
    }
}

struct Spec<G>(PhantomData<G>);

impl<G: Shared> MCTS for Spec<G> {
    type State = Game<G>;
    type Eval = Rollout;
    type TreePolicy = UCTPolicy;
    type NodeData = ();
    type TranspositionTable = ();
    type ExtraThreadData = ();
}

pub fn search<G: Shared>(state: &G, iterations: u64, seed_: u64) -> Found<G::Action> {
    seed(seed_);
    let policy = UCTPolicy::new(f64::from(crate::C) / UNIT / 2.0);
    let game = Game(Position::new(state.clone()));
    let mut search = MCTSManager::new(game, Spec(PhantomData), Rollout, policy, ());
    search.playout_n(iterations);
    let visits = search.tree().root_node().moves().map(|info| info.visits()).sum();
    Found { action: search.best_move().expect("a game that is not over"), visits: Some(visits) }
}
