//! The proofs of [`Solver`](super::Solver), and how they follow from those of the children. What the loop
//! does with a proven node is in `iteration/proofs.rs`.

use crate::game::{Player, Rewards, Turn};
use crate::statistics::pack_structs;
use core::fmt;

/// The proven rewards of a node. 2 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Proof {
    /// The [`Ending`] in the upper byte, and in the lower the set of players who certainly get 0, one bit
    /// each. They share a number because 0 then says that nothing is known, which the search asks at every
    /// step.
    bits: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Ending {
    /// Only the losers are known.
    Open,
    /// The player to move has a child that is a proven draw, and may find a better one.
    DrawInHand,
    /// All players get 1/2.
    Drawn,
    /// The player who is not a loser gets 1.
    Won,
}

/// Says what is proven, in words.
impl fmt::Debug for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for player in (0..8).filter(|player| self.losers() & 1 << player != 0) {
            write!(f, "player {player} loses, ")?;
        }
        f.write_str(match self.ending() {
            Ending::Open if self.is_unknown() => "nothing is proven",
            Ending::Open => "the rest is open",
            Ending::DrawInHand => "the player to move has at least a draw",
            Ending::Drawn => "a draw",
            Ending::Won => "the other player wins",
        })
    }
}

pack_structs! { Proof { bits: u16 } => |proof| proof.bits >> 8 <= Ending::Won as u16; }

impl Proof {
    #[inline(always)]
    fn new(losers: u8, ending: Ending) -> Self {
        Proof { bits: (ending as u16) << 8 | u16::from(losers) }
    }

    #[inline(always)]
    fn losers(self) -> u8 {
        self.bits as u8
    }

    #[inline(always)]
    fn ending(self) -> Ending {
        match self.bits >> 8 {
            0 => Ending::Open,
            1 => Ending::DrawInHand,
            2 => Ending::Drawn,
            _ => Ending::Won,
        }
    }

    /// Returns `true` if nothing is known, as of most nodes.
    #[inline(always)]
    pub(super) fn is_unknown(self) -> bool {
        self.bits == 0
    }

    /// Returns the reward of `player`, if it is proven.
    #[inline(always)]
    pub fn reward(self, player: Player) -> Option<f32> {
        if self.is_unknown() { None } else { self.known_reward(player) }
    }

    #[inline(never)]
    fn known_reward(self, player: Player) -> Option<f32> {
        match self.ending() {
            // A game may name a player that it does not have.
            _ if self.losers().checked_shr(player.into()).is_some_and(|set| set & 1 != 0) => Some(0.0),
            Ending::Drawn => Some(0.5),
            Ending::Won => Some(1.0),
            Ending::Open | Ending::DrawInHand => None,
        }
    }

    /// Returns the proof that follows from a finished game. Rewards other than 0, 1/2 and 1 prove nothing.
    pub(super) fn of_end(rewards: &Rewards) -> Self {
        let with = |reward: f32| {
            let players = rewards.as_slice().iter().enumerate();
            players.filter(|&(_, &r)| r == reward).fold(0u8, |set, (player, _)| set | 1 << player)
        };
        let (losers, winners, all) = (with(0.0), with(1.0), all_players(rewards.players()));
        let ending = if with(0.5) == all {
            Ending::Drawn
        } else if winners.count_ones() == 1 && losers | winners == all {
            Ending::Won
        } else {
            Ending::Open
        };
        Proof::new(losers, ending)
    }

    /// Returns the proof of a node that follows from its children: the player to move takes the best child,
    /// and chance may take any.
    pub(super) fn follows(turn: Turn, players: u8, children: impl IntoIterator<Item = Self>) -> Self {
        let (mut first, mut all_alike, mut losers) = (None, true, all_players(players));
        let (mut has_draw, mut all_known) = (false, true);
        for child in children {
            if let Turn::Player(mover) = turn {
                let reward = child.reward(mover);
                if reward == Some(1.0) {
                    return child;
                }
                has_draw |= reward == Some(0.5);
                all_known &= reward.is_some();
            }
            all_alike &= child == *first.get_or_insert(child);
            losers &= child.losers();
        }
        if has_draw {
            return Proof::new(0, if all_known { Ending::Drawn } else { Ending::DrawInHand });
        }
        let first = first.unwrap_or_default();
        Proof::new(losers, if all_alike && first.is_ended() { first.ending() } else { Ending::Open })
    }

    /// Returns what is known from two sources. The earlier proof may know more, because children may have
    /// been discarded since for lack of memory.
    pub(super) fn and(self, news: Self) -> Self {
        Proof::new(self.losers() | news.losers(), self.ending().max(news.ending()))
    }

    #[inline(always)]
    fn is_ended(self) -> bool {
        matches!(self.ending(), Ending::Drawn | Ending::Won)
    }

    /// Returns `true` if anything is known that could affect the parent.
    #[inline(always)]
    pub(super) fn affects_parent(self) -> bool {
        self.is_ended() || self.losers() != 0
    }

    /// Returns `true` if the player to move is certain of at least a draw, but not of a win.
    #[inline(always)]
    pub(super) fn has_a_draw(self) -> bool {
        matches!(self.ending(), Ending::DrawInHand | Ending::Drawn)
    }
}

fn all_players(players: u8) -> u8 {
    u8::MAX >> (8 - players.min(8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_state_proves_losses_draws_and_sole_wins() {
        let (lost, drawn, won) = (Some(0.0), Some(0.5), Some(1.0));
        for (rewards, expected) in [
            (&[1.0][..], &[won][..]),
            (&[0.5], &[drawn]),
            (&[0.0], &[lost]),
            (&[0.75], &[None]),
            (&[1.0, 0.0], &[won, lost]),
            (&[0.0, 1.0], &[lost, won]),
            (&[0.5, 0.5], &[drawn, drawn]),
            (&[0.0, 0.0], &[lost, lost]),
            // No player is the only winner, or another player has not lost.
            (&[1.0, 1.0], &[None, None]),
            (&[1.0, 0.25], &[None, None]),
            (&[0.5, 0.0], &[None, lost]),
            (&[1.0, 0.5, 0.0], &[None, None, lost]),
            (&[0.0, 0.0, 1.0], &[lost, lost, won]),
            (&[0.0, 0.5, 0.5], &[lost, None, None]),
        ] {
            let players = rewards.len() as u8;
            let proof = Proof::of_end(&Rewards::new(players, |player| rewards[usize::from(player)]));
            let found = Vec::from_iter((0..players).map(|player| proof.reward(player)));
            assert_eq!(found, expected, "{rewards:?}");
            assert_eq!(proof.affects_parent(), found.iter().any(Option::is_some), "{rewards:?}");
        }
    }
}
