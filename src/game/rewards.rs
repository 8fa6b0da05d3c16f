//! One reward per player.

use super::{GameFault, GameState, Player, StaticEvaluation};
use core::ops::{Index, IndexMut};

/// The largest number of players that a game may have.
pub const MAX_PLAYERS: usize = 8;

/// The rewards of all players, each in [0, 1]: the result of one iteration.
///
/// Index it by [`Player`]. The index must be below [`players`](Self::players).
///
/// # Panics
///
/// Indexing panics if the player is [`MAX_PLAYERS`] or above.
///
/// # Examples
///
/// ```
/// use ramure::Rewards;
/// let rewards = Rewards::new(2, |player| if player == 0 { 1.0 } else { 0.0 });
/// assert_eq!((rewards[0], rewards[1]), (1.0, 0.0));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rewards {
    of: [f32; MAX_PLAYERS],
    players: u8,
}

/// The rewards of as many players as there are numbers, from 1 to [`MAX_PLAYERS`].
impl<const N: usize> From<[f32; N]> for Rewards {
    #[inline]
    fn from(rewards: [f32; N]) -> Self {
        const { assert!(1 <= N && N <= MAX_PLAYERS, "a game has 1 to 8 players") };
        Rewards::new(N as u8, |player| rewards[usize::from(player)])
    }
}

impl Rewards {
    /// Creates the rewards of `players` players from a function of the player. Ignores players from
    /// [`MAX_PLAYERS`] on.
    #[inline(always)]
    pub fn new(players: u8, mut reward: impl FnMut(Player) -> f32) -> Self {
        let players = players.min(MAX_PLAYERS as u8);
        let mut of = [0.0; MAX_PLAYERS];
        for player in 0..players {
            of[usize::from(player)] = reward(player);
        }
        Rewards { of, players }
    }

    /// Collects the rewards of a finished game.
    ///
    /// # Errors
    ///
    /// Returns [`GameFault::Reward`] if a reward is not in [0, 1].
    #[inline(always)]
    pub fn of<G: GameState>(state: &G) -> Result<Self, GameFault> {
        let fault = |player, reward| GameFault::Reward { player, reward };
        Self::try_new(state.players(), |player| state.reward(player), fault)
    }

    /// Collects the evaluations of a running game.
    pub(crate) fn evaluated<G: StaticEvaluation>(state: &G) -> Result<Self, GameFault> {
        let fault = |player, value| GameFault::Evaluation { player, value };
        Self::try_new(state.players(), |player| state.evaluate(player), fault)
    }

    /// Creates rewards from a function of the player. Returns the `fault` of the first value that is not in
    /// [0, 1].
    #[inline(always)]
    pub(crate) fn try_new(
        players: u8,
        mut value: impl FnMut(Player) -> f64,
        fault: fn(Player, f64) -> GameFault,
    ) -> Result<Self, GameFault> {
        let mut rewards = Rewards { of: [0.0; MAX_PLAYERS], players: players.min(MAX_PLAYERS as u8) };
        for player in 0..rewards.players {
            let value = value(player);
            if !(0.0..=1.0).contains(&value) {
                return Err(fault(player, value));
            }
            rewards.of[usize::from(player)] = value as f32;
        }
        Ok(rewards)
    }

    /// Returns these rewards if there are `players` of them and each is in [0, 1].
    #[inline(always)]
    pub(crate) fn checked(self, players: u8) -> Result<Self, GameFault> {
        if self.players != players {
            return Err(GameFault::RewardCount { given: self.players, players });
        }
        for player in 0..players {
            if !(0.0..=1.0).contains(&self[player]) {
                return Err(GameFault::Reward { player, reward: f64::from(self[player]) });
            }
        }
        Ok(self)
    }

    /// Returns the number of players.
    #[inline(always)]
    pub fn players(&self) -> u8 {
        self.players
    }

    /// Returns the rewards in the order of the players.
    #[inline(always)]
    pub fn as_slice(&self) -> &[f32] {
        &self.of[..usize::from(self.players)]
    }

    /// Returns the rewards, with zeros for the players that the game does not have.
    #[inline(always)]
    pub(crate) fn lanes(&self) -> &[f32; MAX_PLAYERS] {
        &self.of
    }
}

impl Index<Player> for Rewards {
    type Output = f32;

    #[inline(always)]
    fn index(&self, player: Player) -> &f32 {
        &self.of[usize::from(player)]
    }
}

impl IndexMut<Player> for Rewards {
    #[inline(always)]
    fn index_mut(&mut self, player: Player) -> &mut f32 {
        &mut self.of[usize::from(player)]
    }
}
