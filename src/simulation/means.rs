//! How well each action did, for every player: what MAST and its kin look up.

use crate::game::{ActionIndex, Player, Rewards};

/// For every player and action, how often the player played it and the mean of the rewards: 20 bytes each. An action played twice
/// in an iteration counts twice.
#[derive(Clone, Default, Debug)]
pub(super) struct Means {
    /// Those of one player after those of the other.
    tallies: Vec<Tally>,
    /// The means, once more: what is looked up for each legal action lies together.
    means: Vec<f32>,
}

#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Tally {
    pub count: u64,
    sum: f64,
}

/// What stands for the mean of an action never played.
pub(super) const UNPLAYED: f32 = 1.0;

impl Means {
    /// Takes in a reward; the new mean, and its place in the rows.
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
            self.tallies.resize(rows * G::ACTION_COUNT, Tally::default());
            self.means.resize(rows * G::ACTION_COUNT, UNPLAYED);
        }
        let tally = &mut self.tallies[place];
        tally.count += 1;
        tally.sum += f64::from(rewards[player]);
        self.means[place] = (tally.sum / tally.count as f64) as f32;
        (place, self.means[place])
    }

    /// How many places the rows have.
    pub fn len(&self) -> usize {
        self.means.len()
    }

    /// How often `player` played `action`, and the mean reward.
    pub fn learned<G: ActionIndex>(&self, player: Player, action: G::Action) -> (u64, f32) {
        let index = G::action_index(action);
        let count = row::<G, _>(&self.tallies, player).get(index).map_or(0, |tally| tally.count);
        (count, self.mean_of::<G>(player)(action))
    }

    /// The mean of each action of `player`: a look into his row.
    #[inline(always)]
    pub fn mean_of<G: ActionIndex>(&self, player: Player) -> impl Fn(G::Action) -> f32 {
        let row = row::<G, _>(&self.means, player);
        move |action| row.get(G::action_index(action)).copied().unwrap_or(UNPLAYED)
    }
}

/// The row of `player` in a table of a row for each player; nothing before the table is made.
#[inline(always)]
pub(super) fn row<G: ActionIndex, T>(table: &[T], player: Player) -> &[T] {
    let start = usize::from(player) * G::ACTION_COUNT;
    table.get(start..start + G::ACTION_COUNT).unwrap_or_default()
}

/// Where in such a table `action` of `player` stands.
#[inline(always)]
pub(super) fn place<G: ActionIndex>(player: Player, action: G::Action) -> usize {
    usize::from(player) * G::ACTION_COUNT + G::action_index(action)
}
