//! minimax 0.6 with all its defaults but the number of threads: its own rollout, children on the first visit,
//! proofs.
//!
//! Its bonus is fixed at `sqrt(2 log2 N / n)`, so it meets ramure with [`C`]. Its rollouts end after 100
//! actions; none of these games is longer. `apply` clones the state, because these games cannot undo an
//! action. It has no games of more than two players. It starts a thread for each search. It tells the visits
//! of the root only on the standard error, if it is `verbose`; they are the iterations.

use crate::Found;
use crate::position::{Position, Shared};
use minimax::{Game, MCTSOptions, MonteCarloTreeSearch, Strategy, Winner};
use std::cmp::Ordering;
use std::marker::PhantomData;

/// The constant of minimax in ramure's scale: `sqrt(2 / ln 2)`.
pub const C: f32 = 1.699;

struct Rules<G>(PhantomData<G>);

impl<G: Shared> Game for Rules<G> {
    type S = Position<G>;
    type M = G::Action;

    fn generate_moves(position: &Position<G>, actions: &mut Vec<G::Action>) -> Option<Winner> {
        let winner = Self::get_winner(position);
        if winner.is_none() {
            actions.extend(position.state.actions());
        }
        winner
    }

    fn apply(position: &mut Position<G>, action: G::Action) -> Option<Position<G>> {
        let mut next = position.clone();
        next.apply(action);
        Some(next)
    }

    fn get_winner(position: &Position<G>) -> Option<Winner> {
        position.result().map(|result| match result {
            Ordering::Less => Winner::PlayerJustMoved,
            Ordering::Equal => Winner::Draw,
            Ordering::Greater => Winner::PlayerToMove,
        })
    }
}

/// Its generator takes no seed.
pub fn search<G: Shared>(state: &G, iterations: u64, _: u64) -> Found<G::Action> {
    let mut search = MonteCarloTreeSearch::<Rules<G>>::new(MCTSOptions::default().with_num_threads(1));
    search.set_max_rollouts(u32::try_from(iterations).expect("at most 2^32 - 1 iterations"));
    let action = search.choose_move(&Position::new(state.clone())).expect("a game that is not over");
    Found { action, visits: None }
}
