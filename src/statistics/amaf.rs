//! All moves as first.

use super::{RunningMean, Statistics};
use crate::game::{ActionIndex, GameFault, MAX_PLAYERS, Player};
use crate::simulation::{Trace, checked_index, mover};

/// All-moves-as-first statistics of a child: over the iterations through its parent in which its action was played, by
/// the same player, there or anywhere later. 12 bytes per child.
///
/// Counts stop at 2^24, which no table of AMAF values needs to pass.
/// **Source:** Gelly and Silver, *Combining Online and Offline Knowledge in UCT*, 2007, section 5.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Amaf {
    /// How many such iterations there were.
    pub visits: f32,
    /// The mean of their rewards, for the player who chooses.
    pub mean: RunningMean,
}

/// The trace that [`Amaf`] needs: when each player last played each action in this iteration.
#[derive(Clone, Debug)]
pub struct LastPlayed {
    last: Vec<[u64; MAX_PLAYERS]>,
    /// The time at the root of this iteration. Times go on from one iteration to the next, so nothing must be cleared.
    start: u64,
    now: u64,
}

impl Default for LastPlayed {
    fn default() -> Self {
        LastPlayed { last: Vec::new(), start: 1, now: 1 }
    }
}

impl<G: ActionIndex> Trace<G> for LastPlayed {
    fn restart(&mut self) {
        self.start = self.now + 1;
        self.now = self.start;
    }

    #[inline]
    fn record(&mut self, state: &G, action: G::Action) -> Result<(), GameFault> {
        if let Some(player) = mover(state)? {
            let index = checked_index::<G>(action)?;
            if self.last.is_empty() {
                self.last.resize(G::ACTION_COUNT, [0; MAX_PLAYERS]);
            }
            self.last[index][usize::from(player)] = self.now;
        }
        self.now += 1;
        Ok(())
    }
}

impl<G: ActionIndex, R> Statistics<G, R> for Amaf {
    type Trace = LastPlayed;
    const CREDITS: bool = true;

    #[inline]
    fn credit(
        self,
        trace: &LastPlayed,
        depth: usize,
        player: Player,
        action: G::Action,
        reward: f32,
    ) -> Self {
        let last = trace.last.get(G::action_index(action)).map_or(0, |last| last[usize::from(player)]);
        if last < trace.start + depth as u64 || self.visits >= (1 << 24) as f32 {
            return self;
        }
        let visits = self.visits + 1.0;
        Amaf { visits, mean: self.mean.with(reward, visits) }
    }
}
