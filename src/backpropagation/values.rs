//! What a node is worth to every player, and how the values of its children make it.

use super::Step;
use crate::game::{GameState, MAX_PLAYERS, Player, Rewards, Turn};
use crate::statistics::pack_structs;

/// The value of 1.
const ONE: f64 = (1u32 << 31) as f64;

/// What a node is worth to every player, each in [0, 1]: what backups other than averages keep per child. 32 bytes.
///
/// Counted in units of 2^-31. So the values of two players whose rewards sum to one do so too, exactly; and a mean of many
/// rewards does not drift, as one of `f32` would.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Values([u32; MAX_PLAYERS]);

pack_structs! { Values { 0: [u32; MAX_PLAYERS] } }

impl Values {
    /// What the node is worth to `player`, who must be below [`MAX_PLAYERS`].
    #[inline(always)]
    pub fn of(self, player: Player) -> f32 {
        self.exactly(player) as f32
    }

    #[inline(always)]
    pub(super) fn exactly(self, player: Player) -> f64 {
        f64::from(self.0[usize::from(player)]) / ONE
    }

    /// From a function of the player. What lies beyond [0, 1] is drawn in.
    #[inline(always)]
    pub(super) fn new(players: u8, mut value: impl FnMut(Player) -> f64) -> Self {
        let mut values = Values::default();
        for player in 0..players {
            values.0[usize::from(player)] = (value(player) * ONE).round_ties_even() as u32;
            values.0[usize::from(player)] = values.0[usize::from(player)].min(ONE as u32);
        }
        values
    }

    /// What the end of a game is worth.
    #[inline]
    pub(super) fn of_end(rewards: &Rewards) -> Self {
        Values::new(rewards.players(), |player| f64::from(rewards[player]))
    }

    /// The mean with one more list of rewards, which makes `count` of them.
    #[inline]
    pub(super) fn with(self, rewards: &Rewards, count: f64) -> Self {
        Values::new(rewards.players(), |player| {
            let mean = self.exactly(player);
            mean + (f64::from(rewards[player]) - mean) / count
        })
    }

    /// The mean of values with weights, which must not all be 0.
    #[inline]
    pub(super) fn mean(players: u8, weighted: impl Iterator<Item = (f64, Values)>) -> Self {
        let (mut sums, mut weights) = ([0.0; MAX_PLAYERS], 0.0);
        for (weight, values) in weighted {
            weights += weight;
            for player in 0..players {
                sums[usize::from(player)] += weight * values.exactly(player);
            }
        }
        Values::new(players, |player| sums[usize::from(player)] / weights)
    }

    /// Those which are best for `mover`, the first among equals.
    #[inline]
    pub(super) fn best(mover: Player, all: impl Iterator<Item = Self>) -> Option<Self> {
        let mover = usize::from(mover);
        all.reduce(|best, next| if next.0[mover] > best.0[mover] { next } else { best })
    }
}

/// Settles a step by the values of its tried children: by `chosen` where a player is to move, who is handed over; by their
/// mean, weighted by visits, where chance is. A node without tried children is worth the mean of the rewards of its own visits;
/// these do not count any more as soon as it has one.
#[inline]
pub(super) fn back_up<G: GameState>(
    step: impl Step<G, Values>,
    rewards: &Rewards,
    chosen: impl FnOnce(Player) -> Values,
) {
    let (players, chooser) = (rewards.players(), step.chooser());
    let is_leaf = step.tried().next().is_none();
    let values = match step.turn() {
        Turn::Player(mover) if !is_leaf => chosen(mover),
        Turn::Chance if !is_leaf => {
            Values::mean(players, step.tried().map(|child| (f64::from(child.visits), child.stats)))
        }
        _ => {
            step.set_stats(step.stats().with(rewards, f64::from(step.visits())));
            return step.record(rewards[chooser]);
        }
    };
    step.set_stats(values);
    step.settle(rewards[chooser], values.of(chooser));
}
