//! monte-carlo-tree-search 0.3: nodes and links in two `Vec`s, the explorer `Ucb`.
//!
//! Its bonus is fixed: `sqrt(2 ln N / n)`, c = sqrt 2 for rewards in [0, 1]. Its explorer makes the rollouts.
//! Our explorer differs from `Ucb` only in the rollout. The search computes the best action after every
//! iteration.

use crate::board::{Column, Connect4, End, GameState as _, Rng, end, mover, play_out};
use crate::found::Found;
use monte_carlo_tree_search::{CountWdl, Explorer, GameState, Player, Search, TwoPlayerGame, Ucb};
use rand_09::SeedableRng as _;
use rand_09::rngs::SmallRng;

#[derive(Clone)]
struct Game(Connect4);

impl TwoPlayerGame for Game {
    type Move = Column;

    #[inline]
    fn state<'a>(&self, moves: &'a mut Vec<Column>) -> GameState<'a, Column> {
        moves.clear();
        match end(&self.0) {
            Some(End::Won(0)) => GameState::WinPlayerOne,
            Some(End::Won(_)) => GameState::WinPlayerTwo,
            Some(End::Drawn) => GameState::Draw,
            None => {
                moves.extend(self.0.actions());
                GameState::Moves(moves)
            }
        }
    }

    #[inline]
    fn play(&mut self, column: &Column) {
        self.0.apply(*column);
    }

    #[inline]
    fn current_player(&self) -> Player {
        if mover(&self.0) == 0 { Player::One } else { Player::Two }
    }
}

/// `Ucb` with our rollout.
struct OurRollout {
    ucb: Ucb<Game>,
    rng: Rng,
}

impl Explorer<Game> for OurRollout {
    type Evaluation = CountWdl;
    type Delta = CountWdl;

    #[inline]
    fn bias(&mut self, game: Game, _: &mut impl rand_09::Rng) -> CountWdl {
        let mut count = CountWdl::default();
        match play_out(&game.0, &mut self.rng) {
            End::Won(0) => count.wins_player_one = 1,
            End::Won(_) => count.wins_player_two = 1,
            End::Drawn => count.draws = 1,
        }
        count
    }

    fn unexplored_bias(&self) -> CountWdl {
        self.ucb.unexplored_bias()
    }

    #[inline]
    fn reevaluate(&mut self, game: Game, evaluation: &mut CountWdl) -> CountWdl {
        self.ucb.reevaluate(game, evaluation)
    }

    #[inline]
    fn selected_child_pos<'a>(
        &self,
        parent: &CountWdl,
        children: impl ExactSizeIterator<Item = &'a CountWdl>,
        player: Player,
    ) -> Option<usize> {
        self.ucb.selected_child_pos(parent, children, player)
    }

    #[inline]
    fn update(
        &mut self,
        old: &mut CountWdl,
        siblings: impl Iterator<Item = Option<CountWdl>>,
        delta: CountWdl,
        player: Player,
    ) -> CountWdl {
        self.ucb.update(old, siblings, delta, player)
    }

    #[inline]
    fn initial_delta(&self, new: &CountWdl) -> CountWdl {
        self.ucb.initial_delta(new)
    }

    #[inline]
    fn is_solved(&self, evaluation: &CountWdl) -> bool {
        self.ucb.is_solved(evaluation)
    }
}

/// With our rollout.
pub fn search(board: Connect4, iterations: u64, seed: u64) -> Found {
    run(board, OurRollout { ucb: Ucb::new(), rng: Rng::seeded(seed) }, iterations, seed)
}

/// With all defaults.
pub fn own_rollout(board: Connect4, iterations: u64, seed: u64) -> Found {
    run(board, Ucb::new(), iterations, seed)
}

fn run<E>(board: Connect4, explorer: E, iterations: u64, seed: u64) -> Found
where
    E: Explorer<Game, Evaluation = CountWdl> + 'static,
{
    let iterations = u32::try_from(iterations).expect("at most 2^32 - 1 iterations");
    let mut rng = SmallRng::seed_from_u64(seed);
    let search = Search::with_playouts(Game(board), explorer, iterations, &mut rng);
    let best = search.best_move().expect("a game that is not over");
    Found::new(best, Some(search.evaluation().total() as u64), search)
}
