//! The value of a node for every player, and how it follows from the values of its children.

use super::Step;
use crate::game::{GameState, MAX_PLAYERS, Player, Rewards, Turn};
use crate::statistics::pack_structs;

/// The representation of 1.
const ONE: f64 = (1u32 << 31) as f64;

/// The value of a node for every player, each in [0, 1]: the statistics of backpropagations other than
/// averages. 32 bytes.
///
/// Values are counted in units of 2^-31. So the values of two players whose rewards sum to one also sum to
/// one, exactly, and a mean of many rewards does not drift, as one of `f32` would.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Values([u32; MAX_PLAYERS]);

pack_structs! {
    Values { 0: [u32; MAX_PLAYERS] } => |values| values.0.iter().all(|&value| f64::from(value) <= ONE);
}

impl Values {
    /// Returns the value of the node for `player`, which must be below [`MAX_PLAYERS`].
    #[inline(always)]
    pub fn of(self, player: Player) -> f32 {
        self.exactly(player) as f32
    }

    #[inline(always)]
    pub(crate) fn exactly(self, player: Player) -> f64 {
        f64::from(self.0[usize::from(player)]) / ONE
    }

    /// Creates values from a function of the player. Values outside [0, 1] are clamped.
    #[inline(always)]
    pub(super) fn new(players: u8, mut value: impl FnMut(Player) -> f64) -> Self {
        let mut values = Values::default();
        for player in 0..players {
            values.0[usize::from(player)] = (value(player) * ONE).round_ties_even() as u32;
            values.0[usize::from(player)] = values.0[usize::from(player)].min(ONE as u32);
        }
        values
    }

    /// Returns the values of the end of a game.
    #[inline]
    pub(super) fn of_end(rewards: &Rewards) -> Self {
        Values::new(rewards.players(), |player| f64::from(rewards[player]))
    }

    /// Adds a list of rewards to the mean, which makes `count` of them.
    #[inline]
    pub(super) fn with(self, rewards: &Rewards, count: f64) -> Self {
        Values::new(rewards.players(), |player| {
            let mean = self.exactly(player);
            mean + (f64::from(rewards[player]) - mean) / count
        })
    }

    /// Returns the weighted mean of values. The weights must not all be 0.
    #[inline]
    pub(super) fn mean(players: u8, weighted: impl Iterator<Item = (f64, Values)>) -> Self {
        let (mut sums, mut weights) = ([0.0; MAX_PLAYERS], 0.0);
        // Not a `for` loop: families are folded faster than they are walked child by child.
        weighted.for_each(|(weight, values)| {
            weights += weight;
            for player in 0..players {
                sums[usize::from(player)] += weight * values.exactly(player);
            }
        });
        Values::new(players, |player| sums[usize::from(player)] / weights)
    }

    /// Returns the values that are best for `mover`, the first of them if there is a tie.
    #[inline]
    pub(super) fn best(mover: Player, all: impl Iterator<Item = Self>) -> Option<Self> {
        let mover = usize::from(mover);
        all.reduce(|best, next| if next.0[mover] > best.0[mover] { next } else { best })
    }
}

/// The methods of a backpropagation that computes the values of a node where a player moves by its method `of`.
macro_rules! derives_values {
    () => {
        type Stats = Values;
        const DERIVES: bool = true;

        #[inline]
        fn update(&self, step: impl Step<G, Values>, rewards: &mut Rewards) {
            $crate::backpropagation::values::back_up(step, rewards, |mover| {
                self.of(step, mover, rewards.players())
            });
        }
    };
}
pub(super) use derives_values;

/// Records a step with a mean: the value of its tried children.
///
/// A node without tried children has the mean of the rewards of its own visits, which no longer count as soon
/// as a child is tried.
#[inline]
pub(super) fn back_up<G: GameState>(
    step: impl Step<G, Values>,
    rewards: &Rewards,
    chosen: impl FnOnce(Player) -> Values,
) {
    let (players, chooser) = (rewards.players(), step.chooser());
    let Some(values) = follow(step, players, chosen) else {
        step.set_stats(step.stats().with(rewards, f64::from(step.visits())));
        return step.record(rewards[chooser]);
    };
    step.set_stats(values);
    step.record_with_mean(rewards[chooser], values.of(chooser));
}

/// Returns the values that follow from those of the tried children, if there are any.
///
/// Where a player moves, `chosen` computes the values and gets that player. Where chance moves, the values
/// are the mean of the outcomes, weighted by visits.
#[inline]
fn follow<G: GameState>(
    step: impl Step<G, Values>,
    players: u8,
    chosen: impl FnOnce(Player) -> Values,
) -> Option<Values> {
    let is_leaf = step.tried().next().is_none();
    match step.turn() {
        Turn::Player(mover) if !is_leaf => Some(chosen(mover)),
        Turn::Chance if !is_leaf => {
            Some(Values::mean(players, step.tried().map(|child| (f64::from(child.visits), child.stats))))
        }
        _ => None,
    }
}
