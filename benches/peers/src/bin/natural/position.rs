//! A game of ramure as the other crates want to see it.

use ramure::prelude::*;
use std::cell::RefCell;
use std::cmp::Ordering;

/// The traits that all crates together require of a game.
pub trait Shared: GameState<Action: Copy + Send + Sync> + Send + Sync + 'static {}

impl<G: GameState<Action: Copy + Send + Sync> + Send + Sync + 'static> Shared for G {}

/// A state with its turn, which is asked for once per action, as in ramure.
#[derive(Clone)]
pub struct Position<G> {
    pub state: G,
    /// The player to move; after the end of a game of two, the opponent of the last.
    pub player: Player,
    pub is_over: bool,
}

impl<G: GameState> Position<G> {
    pub fn new(state: G) -> Self {
        let mut position = Position { state, player: 0, is_over: false };
        position.read_turn();
        position
    }

    pub fn apply(&mut self, action: G::Action) {
        self.state.apply(action);
        self.read_turn();
    }

    fn read_turn(&mut self) {
        match self.state.turn() {
            Turn::Player(player) => self.player = player,
            Turn::Over => {
                self.player = (self.player + 1) % self.state.players();
                self.is_over = true;
            }
            _ => unreachable!("these games have no chance"),
        }
    }

    /// The legal actions, none at the end.
    pub fn actions(&self) -> Vec<G::Action> {
        if self.is_over { Vec::new() } else { self.state.actions().into_iter().collect() }
    }

    /// How a game of two has ended for `player`, if it is over: `Greater` is a win.
    pub fn result(&self) -> Option<Ordering> {
        self.is_over.then(|| self.state.reward(self.player).total_cmp(&0.5))
    }
}

/// The rewards of these games are whole numbers in this unit: halves, and thirteenths of the tricks.
pub const UNIT: f64 = 1.0 / 26.0;

/// The rewards of at most four players, for crates that take integers.
pub type Rewards = [i64; 4];

thread_local! {
    static RNG: RefCell<Rng> = RefCell::new(Rng::seeded(0));
}

/// Seeds [`rewards_of_rollout`] on this thread.
pub fn seed(seed: u64) {
    RNG.set(Rng::seeded(seed));
}

/// Plays random actions to the end, for crates without rollouts of their own: from lists of the actions, as
/// the games return them.
pub fn rewards_of_rollout<G: GameState>(from: &Position<G>) -> Rewards {
    let mut position = from.clone();
    RNG.with_borrow_mut(|rng| {
        while !position.is_over {
            let mut actions = position.actions();
            let drawn = rng.below(actions.len());
            position.apply(actions.swap_remove(drawn));
        }
    });
    let mut rewards = [0; 4];
    for (player, reward) in (0..position.state.players()).zip(&mut rewards) {
        *reward = (position.state.reward(player) / UNIT).round() as i64;
    }
    rewards
}
