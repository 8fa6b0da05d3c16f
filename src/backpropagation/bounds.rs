//! Bounds on the rewards of all players, and how they follow from those of the children.

use crate::game::{MAX_PLAYERS, Player, Rewards, Turn};
use crate::statistics::pack_structs;

/// Lower and upper bounds on the reward of every player; [0, 1] by default. 32 bytes.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// In units of 1/65520.
    low: [u16; MAX_PLAYERS],
    /// The distance of the upper bound from 1.
    short: [u16; MAX_PLAYERS],
}

pack_structs! { Bounds { low: [u16; MAX_PLAYERS], short: [u16; MAX_PLAYERS] } }

/// The number of units in 1: divisible by 1 to 10 and by 12 to 16.
const ONE: u16 = 65_520;

impl Bounds {
    /// Returns the pessimistic and the optimistic bound of `player`, which must be below [`MAX_PLAYERS`].
    #[inline(always)]
    pub fn of(self, player: Player) -> (f32, f32) {
        // A damaged file may hold any number.
        let reward = |units: u16| f32::from(units.min(ONE)) / f32::from(ONE);
        (reward(self.low[usize::from(player)]), reward(self.high(player)))
    }

    /// Returns the reward of `player`, if the bounds meet.
    #[inline(always)]
    pub fn reward(self, player: Player) -> Option<f32> {
        let (low, high) = self.of(player);
        (low == high).then_some(low)
    }

    #[inline(always)]
    fn high(self, player: Player) -> u16 {
        ONE.saturating_sub(self.short[usize::from(player)])
    }

    /// Returns `true` if a child with these bounds may be better for `mover` than what a node with the bounds
    /// `node` already guarantees.
    pub(super) fn may_beat(self, node: Self, mover: Player) -> bool {
        self.high(mover) > node.low[usize::from(mover)]
    }

    /// Returns the bounds that follow from a finished game.
    pub(super) fn of_end(rewards: &Rewards) -> Self {
        let mut bounds = Bounds::default();
        for (player, &reward) in rewards.as_slice().iter().enumerate() {
            let units = f64::from(reward) * f64::from(ONE);
            // A multiple of the unit may have been rounded to an `f32`.
            let whole = units.round_ties_even();
            let (low, high) =
                if (units - whole).abs() < 4e-3 { (whole, whole) } else { (units.floor(), units.ceil()) };
            bounds.low[player] = low as u16;
            bounds.short[player] = ONE - high as u16;
        }
        bounds
    }

    /// Returns the bounds of a node that follow from its children, of which there must be at least one.
    pub(super) fn follow(turn: Turn, children: impl Iterator<Item = Self> + Clone) -> Self {
        let Turn::Player(mover) = turn else {
            return children.reduce(Bounds::or).unwrap_or_default();
        };
        let m = usize::from(mover);
        let low = children.clone().map(|child| child.low[m]).fold(0, u16::max);
        let short = children.clone().map(|child| child.short[m]).fold(ONE, u16::min);
        let mut bounds =
            children.filter(|child| child.high(mover) >= low).reduce(Bounds::or).unwrap_or_default();
        (bounds.low[m], bounds.short[m]) = (low, short);
        bounds
    }

    /// Returns the bounds that the others' lower bounds leave to each of the `players`, if no two players get
    /// more than 1 together.
    pub(super) fn left_by_rivals(self, players: u8) -> Self {
        let mut left = Bounds::default();
        for player in 0..usize::from(players) {
            let others = (0..usize::from(players)).filter(|&other| other != player);
            left.short[player] = others.map(|other| self.low[other]).fold(0, u16::max);
        }
        left
    }

    /// Returns the bounds that hold if one of two bounds holds.
    fn or(self, other: Self) -> Self {
        self.merge(other, u16::min)
    }

    /// Returns the bounds that hold if both do. The earlier bounds may know more, because children may have
    /// been discarded since for lack of memory.
    pub(super) fn and(self, other: Self) -> Self {
        self.merge(other, u16::max)
    }

    fn merge(mut self, other: Self, pick: fn(u16, u16) -> u16) -> Self {
        for player in 0..MAX_PLAYERS {
            self.low[player] = pick(self.low[player], other.low[player]);
            self.short[player] = pick(self.short[player], other.short[player]);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rounded_reward_counts_as_a_multiple_of_the_unit() {
        let of = |reward: f64| {
            let bounds = Bounds::of_end(&Rewards::new(1, |_| reward as f32));
            (bounds.low[0], bounds.high(0))
        };
        for units in 0..=ONE {
            assert_eq!(of(f64::from(units) / f64::from(ONE)), (units, units));
        }
        // The rounding of an `f32` is less than .002 of a unit everywhere, and far less here.
        for units in 1..100 {
            for off in [0.006, 0.3, 0.994] {
                assert_eq!(of((f64::from(units) + off) / f64::from(ONE)), (units, units + 1), "{off}");
            }
        }
    }

    #[test]
    fn the_upper_bound_of_a_rival_is_what_the_others_leave() {
        let bounds = |low: [u16; 3]| {
            let mut bounds = Bounds::default();
            bounds.low[..3].copy_from_slice(&low);
            bounds
        };
        let left = |low| {
            let left = bounds(low).left_by_rivals(3);
            assert_eq!(left.low, [0; MAX_PLAYERS]);
            [0, 1, 2].map(|player| left.high(player))
        };
        assert_eq!(left([0, 0, 0]), [ONE; 3]);
        assert_eq!(left([10, 0, 0]), [ONE, ONE - 10, ONE - 10]);
        assert_eq!(left([10, 0, 30]), [ONE - 30, ONE - 30, ONE - 10]);
    }
}
