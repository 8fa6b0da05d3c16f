//! The winner according to the rewards.

use crate::game::Player;

/// The player whose reward is greater than all others; a single player wins with more than 1/2. `None` if a reward is
/// NaN.
pub(super) fn winner(players: u8, mut reward: impl FnMut(Player) -> f64) -> Option<Player> {
    let (mut best, mut winner) = (if players == 1 { 0.5 } else { f64::NEG_INFINITY }, None);
    for player in 0..players {
        let reward = reward(player);
        if reward.is_nan() {
            return None;
        } else if reward > best {
            (best, winner) = (reward, Some(player));
        } else if reward == best {
            winner = None;
        }
    }
    winner
}

#[cfg(test)]
mod tests {
    use super::winner;

    #[test]
    fn the_player_with_the_greatest_reward_wins() {
        let of = |rewards: &[f64]| winner(rewards.len() as u8, |player| rewards[usize::from(player)]);
        assert_eq!(of(&[]), None);
        assert_eq!((of(&[0.5]), of(&[0.6])), (None, Some(0)));
        assert_eq!((of(&[1.0, 0.0]), of(&[0.2, 0.3]), of(&[0.5, 0.5])), (Some(0), Some(1), None));
        assert_eq!((of(&[0.5, 0.5, 0.0]), of(&[0.4, 0.5, 0.1]), of(&[0.0, 0.0, 0.0])), (None, Some(1), None));
        assert_eq!(of(&[f64::NAN, 1.0]), None);
    }
}
