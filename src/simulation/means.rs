//! The mean reward of each action of each player: the table of MAST and related policies.

use crate::game::{ActionIndex, Player, Rewards};

/// For every player and action, the number of times the player played it and the mean of the rewards: 20
/// bytes each. An action played twice in an iteration counts twice.
#[derive(Clone, Default, Debug)]
pub(super) struct Means {
    /// The tallies of all players, one row after another.
    tallies: Vec<ActionSum>,
    /// A copy of the means, so that the values looked up for the legal actions are close together in memory.
    means: Vec<f32>,
}

#[derive(Clone, Copy, Default, Debug)]
pub(super) struct ActionSum {
    pub count: u64,
    sum: f64,
}

/// Stands for the mean of an action never played.
pub(super) const UNPLAYED: f32 = 1.0;

impl Means {
    /// Adds a reward. Returns the action's index in the rows and its new mean.
    #[inline]
    pub fn add<G: ActionIndex>(
        &mut self,
        player: Player,
        action: G::Action,
        rewards: &Rewards,
    ) -> (usize, f32) {
        let place = place::<G>(player, action);
        if place >= self.tallies.len() {
            let rows = (usize::from(player) + 1).max(usize::from(rewards.players()));
            self.tallies.resize(rows * G::ACTION_COUNT, ActionSum::default());
            self.means.resize(rows * G::ACTION_COUNT, UNPLAYED);
        }
        let tally = &mut self.tallies[place];
        tally.count += 1;
        tally.sum += f64::from(rewards[player]);
        self.means[place] = (tally.sum / tally.count as f64) as f32;
        (place, self.means[place])
    }

    /// Returns the number of places in all rows.
    /// Returns for each player and action how often it was played, and the sum of its rewards.
    #[cfg(feature = "save")]
    pub fn learned_sums(&self) -> Vec<(u64, f64)> {
        self.tallies.iter().map(|tally| (tally.count, tally.sum)).collect()
    }

    /// Returns the table with these sums.
    #[cfg(feature = "save")]
    pub fn of_sums(sums: Vec<(u64, f64)>) -> Self {
        let mean =
            |&(count, sum): &(u64, f64)| if count > 0 { (sum / count as f64) as f32 } else { UNPLAYED };
        let means = sums.iter().map(mean).collect();
        Means { tallies: sums.into_iter().map(|(count, sum)| ActionSum { count, sum }).collect(), means }
    }

    /// Returns what `weight` makes of each mean.
    #[cfg(feature = "save")]
    pub fn map(&self, weight: impl Fn(f32) -> f64) -> Vec<f64> {
        self.means.iter().map(|&mean| weight(mean)).collect()
    }

    pub fn len(&self) -> usize {
        self.means.len()
    }

    /// Returns the number of times `player` played `action`, and the mean reward.
    pub fn learned<G: ActionIndex>(&self, player: Player, action: G::Action) -> (u64, f32) {
        let index = G::action_index(action.clone());
        let count = row::<G, _>(&self.tallies, player).get(index).map_or(0, |tally| tally.count);
        (count, self.mean_of::<G>(player)(action))
    }

    /// Returns a function that looks up the mean of an action of `player`.
    #[inline(always)]
    pub fn mean_of<G: ActionIndex>(&self, player: Player) -> impl Fn(G::Action) -> f32 {
        let row = row::<G, _>(&self.means, player);
        move |action| row.get(G::action_index(action)).copied().unwrap_or(UNPLAYED)
    }
}

/// Returns the row of `player` in a table with one row per player; empty before the table is created.
#[inline(always)]
pub(super) fn row<G: ActionIndex, T>(table: &[T], player: Player) -> &[T] {
    let start = usize::from(player) * G::ACTION_COUNT;
    table.get(start..start + G::ACTION_COUNT).unwrap_or_default()
}

/// Returns the place of `action` of `player` in such a table.
#[inline(always)]
pub(super) fn place<G: ActionIndex>(player: Player, action: G::Action) -> usize {
    usize::from(player) * G::ACTION_COUNT + G::action_index(action)
}
