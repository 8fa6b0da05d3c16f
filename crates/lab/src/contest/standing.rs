//! The results of an agent: its wins, draws, losses and score.

use super::estimate::Estimate;
use super::record::{Outcome, Record};
use crate::several::joined;
use core::fmt;
use ramure::Player;

/// Counts of wins, draws and losses.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Games in which no other player got a greater reward, and at least one a smaller one.
    pub wins: u32,
    /// Games in which all players got the same reward.
    pub draws: u32,
    /// Games in which another player got a greater reward.
    pub losses: u32,
}

impl Tally {
    /// Returns the number of games.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    fn count(&mut self, outcome: Outcome) {
        *match outcome {
            Outcome::Win => &mut self.wins,
            Outcome::Draw => &mut self.draws,
            Outcome::Loss => &mut self.losses,
        } += 1;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}-{}-{}", self.wins, self.draws, self.losses))
    }
}

/// The results of an agent in a pairing.
#[derive(Clone, Default, PartialEq, Debug)]
#[non_exhaustive]
pub struct Standing {
    /// The name of the agent.
    pub name: String,
    /// The wins, draws and losses in all games.
    pub tally: Tally,
    /// The wins, draws and losses as player 0, 1, ...
    pub by_seat: Vec<Tally>,
    /// Its mean reward, with the 95 % interval of [`Estimate::score`]; `None` if it has not played.
    pub score: Option<Estimate>,
    /// How many times it chose an action.
    pub choices: u64,
    /// Its total thinking time, in seconds.
    pub seconds: f64,
    /// The reasons of its forfeits, one for each forfeited game.
    pub forfeits: Vec<String>,
    /// How many of the forfeited games it lost on time. They count as losses in the score, so if there are
    /// any, the score says less about the play than about the clock.
    pub losses_on_time: u32,
}

impl Standing {
    /// Returns the standing of the agent at `position` in a pairing, over all its games, which are in groups.
    pub(super) fn of<'a>(
        name: &str,
        position: usize,
        players: usize,
        records: impl Iterator<Item = &'a Record>,
    ) -> Self {
        let by_seat = vec![Tally::default(); players];
        let mut standing = Standing { name: name.to_owned(), by_seat, ..Standing::default() };
        let mut scores: Vec<(usize, f64)> = Vec::new();
        for record in records {
            // An agent starts in its own seat, and moves one seat towards the first with every game of a
            // group.
            let (group, turn) = (record.game as usize / players, record.game as usize % players);
            let seat = (position + players - turn) % players;
            let player = seat as Player;
            let outcome = record.outcome(player);
            standing.tally.count(outcome);
            standing.by_seat[seat].count(outcome);
            standing.choices += u64::from(record.choices[seat]);
            standing.seconds += record.seconds[seat];
            if let Some(forfeit) = record.forfeit.as_ref().filter(|forfeit| forfeit.player == player) {
                standing.forfeits.push(forfeit.reason.clone());
                standing.losses_on_time += u32::from(forfeit.on_time);
            }
            scores.push((group, record.rewards[seat]));
        }
        let groups = scores.chunk_by(|one, other| one.0 == other.0);
        standing.score =
            Estimate::score(groups.map(|group| group.iter().map(|score| score.1).collect::<Vec<_>>()));
        standing
    }

    /// Its wins, draws and losses from each seat, as text: `40-2-8 31-1-18`.
    pub(super) fn seats(&self) -> String {
        joined(&self.by_seat, " ")
    }

    /// Returns its mean thinking time per action, in milliseconds.
    pub fn milliseconds_per_action(&self) -> f64 {
        if self.choices == 0 { 0.0 } else { 1e3 * self.seconds / self.choices as f64 }
    }
}
