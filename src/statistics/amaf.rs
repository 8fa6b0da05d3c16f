//! All moves as first.

use super::{RunningMean, Statistics};
use crate::game::{ActionIndex, GameFault, MAX_PLAYERS, Player, Turn};
use crate::simulation::{Trace, checked_index, mover};

/// The most visits that [`Amaf`] counts.
const MOST_VISITS: f32 = (1 << 24) as f32;

/// All-moves-as-first statistics of a child. They cover the iterations through its parent in which the same
/// player played its action, there or anywhere later. 12 bytes per child.
///
/// Counts stop at 2^24, which no table of AMAF values needs to exceed.
///
/// **Source:** Gelly and Silver, *Combining Online and Offline Knowledge in UCT*, 2007, section 5.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Amaf {
    /// The number of such iterations.
    pub visits: f32,
    /// The mean of their rewards, for the player who chooses.
    pub mean: RunningMean,
}

impl Amaf {
    /// Returns whether rewards in [0, 1] can have given this.
    pub(super) fn is_possible(self) -> bool {
        (0.0..=MOST_VISITS).contains(&self.visits) && self.mean.is_of_rewards()
    }
}

/// The trace that [`Amaf`] needs: when each player last played each action in this iteration.
#[derive(Clone, Debug)]
pub struct LastPlayed {
    last: Vec<[u64; MAX_PLAYERS]>,
    /// The time at the root of this iteration. Times increase from one iteration to the next, so nothing
    /// needs to be cleared.
    start: u64,
    now: u64,
}

impl Default for LastPlayed {
    fn default() -> Self {
        LastPlayed { last: Vec::new(), start: 1, now: 1 }
    }
}

impl<G: ActionIndex> Trace<G> for LastPlayed {
    const NUMBERS: bool = true;

    fn restart(&mut self) {
        self.start = self.now + 1;
        self.now = self.start;
    }

    #[inline]
    fn record(&mut self, state: &G, turn: Turn, action: &G::Action) -> Result<(), GameFault> {
        if let Some(player) = mover(state, turn)? {
            let index = checked_index::<G>(action.clone())?;
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
        if last < trace.start + depth as u64 || self.visits >= MOST_VISITS {
            return self;
        }
        let visits = self.visits + 1.0;
        Amaf { visits, mean: self.mean.with(reward, visits) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameState;

    /// Two players take cells in turn.
    #[derive(Clone, Copy, Default)]
    struct Cells {
        taken: [bool; 9],
        player: Player,
    }

    impl GameState for Cells {
        type Action = usize;
        fn turn(&self) -> Turn {
            Turn::Player(self.player)
        }
        fn actions(&self) -> impl IntoIterator<Item = usize> {
            (0..9).filter(|&cell| !self.taken[cell])
        }
        fn apply(&mut self, cell: usize) {
            self.taken[cell] = true;
            self.player = 1 - self.player;
        }
        fn reward(&self, _: Player) -> f64 {
            0.5
        }
    }

    impl ActionIndex for Cells {
        const ACTION_COUNT: usize = 9;
        fn action_index(cell: usize) -> usize {
            cell
        }
    }

    #[test]
    fn credit_goes_to_actions_of_the_same_player_at_this_depth_or_below() {
        let mut trace = LastPlayed::default();
        let state = Cells::default();
        let all = Vec::from_iter(state.actions());
        let credited = |trace: &LastPlayed, depth, player, action: usize| {
            let before = Amaf { visits: 3.0, ..Amaf::default() };
            let after = <Amaf as Statistics<Cells, ()>>::credit(before, trace, depth, player, action, 1.0);
            after.visits == 4.0
        };
        let mut played = Vec::new();
        for iteration in 0..4 {
            Trace::<Cells>::restart(&mut trace);
            let mut game = state;
            played.clear();
            for depth in 0..=iteration {
                let action = all[(2 * iteration + depth) % 9];
                trace.record(&game, game.turn(), &action).expect("legal");
                game.apply(action);
                played.push(action);
            }
            for depth in 0..6 {
                for player in 0..2 {
                    for &action in &all {
                        let at = played.iter().position(|&other| other == action);
                        let expected = at.is_some_and(|at| at >= depth && at % 2 == usize::from(player));
                        let found = credited(&trace, depth, player, action);
                        assert_eq!(found, expected, "{iteration}: {player} plays {action} at {depth}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_full_table_stops_counting() {
        let mut trace = LastPlayed::default();
        Trace::<Cells>::restart(&mut trace);
        let (state, full) = (Cells::default(), (1 << 24) as f32);
        let action = state.actions().into_iter().next().expect("nine");
        trace.record(&state, state.turn(), &action).expect("legal");
        for (visits, grows) in [(full - 1.0, true), (full, false)] {
            let before = Amaf { visits, ..Amaf::default() };
            let after = <Amaf as Statistics<Cells, ()>>::credit(before, &trace, 0, 0, action, 1.0);
            assert_eq!(after != before, grows, "{visits}");
        }
    }
}
