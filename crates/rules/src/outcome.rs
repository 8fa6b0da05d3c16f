//! The winners according to the rewards.

use ramure::{MAX_PLAYERS, Player};

/// Some of the players, at most [`MAX_PLAYERS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Players(u8);

const _: () = assert!(MAX_PLAYERS <= u8::BITS as usize);

impl Players {
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn iter(self) -> impl Iterator<Item = Player> {
        (0..MAX_PLAYERS as Player).filter(move |player| self.0 >> player & 1 == 1)
    }

    /// Returns the player, if there is only one.
    pub fn only(self) -> Option<Player> {
        (self.0.count_ones() == 1).then(|| self.0.trailing_zeros() as Player)
    }
}

/// Returns the players with the greatest reward, unless all have the same; a single player wins with more
/// than 1/2. Nobody wins if a reward is NaN.
pub(super) fn winners(players: u8, mut reward: impl FnMut(Player) -> f64) -> Players {
    let (mut best, mut winners, mut all) = (if players == 1 { 0.5 } else { f64::NEG_INFINITY }, 0, 0);
    for player in 0..players.min(MAX_PLAYERS as u8) {
        let reward = reward(player);
        all |= 1 << player;
        if reward.is_nan() {
            return Players(0);
        } else if reward > best {
            (best, winners) = (reward, 1 << player);
        } else if reward == best && players > 1 {
            winners |= 1 << player;
        }
    }
    Players(if players > 1 && winners == all { 0 } else { winners })
}

#[cfg(test)]
mod tests {
    use super::winners;

    #[test]
    fn the_players_with_the_greatest_reward_win_unless_all_have_it() {
        let of = |rewards: &[f64]| {
            let winners = winners(rewards.len() as u8, |player| rewards[usize::from(player)]);
            Vec::from_iter(winners.iter())
        };
        let nobody: Vec<u8> = vec![];
        assert_eq!(of(&[]), nobody);
        assert_eq!((of(&[0.5]), of(&[0.6])), (nobody.clone(), vec![0]));
        assert_eq!((of(&[1.0, 0.0]), of(&[0.2, 0.3]), of(&[0.5, 0.5])), (vec![0], vec![1], nobody.clone()));
        assert_eq!((of(&[0.5, 0.5, 0.0]), of(&[0.4, 0.5, 0.1])), (vec![0, 1], vec![1]));
        assert_eq!((of(&[0.0, 1.0, 0.0, 1.0, 0.0]), of(&[0.2; 5])), (vec![1, 3], nobody.clone()));
        assert_eq!((of(&[0.0; 8]), of(&[0., 0., 0., 0., 0., 0., 0., 1.])), (nobody.clone(), vec![7]));
        assert_eq!(of(&[f64::NAN, 1.0]), nobody);
    }
}
