//! Rollouts that remember which actions did well.

use super::epsilon_greedy::greatest;
use super::{History, Leaf, RolloutPolicy, Trace, mover};
use crate::game::{ActionIndex, GameFault, MAX_PLAYERS, Player, Rewards, Rng};
use crate::parameter::ParameterError;

/// Move-average sampling technique: for every player and action, the mean reward of the iterations in which he played
/// it anywhere; with probability `1 - epsilon` a rollout plays the action whose mean is greatest.
///
/// **Use it** where an action is good or bad much alike in most states (Hex, Go-like games); it needs numbered actions,
/// [`ActionIndex`]. What it learned is kept while the search lives. **Cost:** a look into a table per legal action.
/// **Stores** 16 bytes per action and player, nothing per child. **Source:** Finnsson and Björnsson,
/// *Simulation-Based Approach to General Game Playing*, AAAI 2008, there with Gibbs sampling; epsilon-greedy selection
/// after Tak, Winands and Björnsson, *N-Grams and the Last-Good-Reply Policy*, 2012, whose epsilon of 0.4 is the default.
/// Actions never played count as a mean of 1.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::simulation::Mast;
/// let mut search = Mcts::new(ramure::games::Hex::new(5).unwrap()).rollout_policy(Mast::default());
/// search.run(Budget::iterations(200))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mast {
    epsilon: f64,
    table: Vec<[Tally; MAX_PLAYERS]>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Tally {
    count: u64,
    sum: f64,
}

impl Mast {
    /// Random actions with probability `epsilon`, in [0, 1].
    pub fn new(epsilon: f64) -> Self {
        Mast { epsilon, table: Vec::new() }
    }

    /// What it learned of `action` played by `player`: the number of iterations and the mean reward, 1 before the first.
    pub fn learned<G: ActionIndex>(&self, player: Player, action: G::Action) -> (u64, f32) {
        match self.table.get(G::action_index(action)).map(|row| row[usize::from(player)]) {
            Some(Tally { count, sum }) if count > 0 => (count, (sum / count as f64) as f32),
            _ => (0, 1.0),
        }
    }
}

impl Default for Mast {
    fn default() -> Self {
        Mast::new(0.4)
    }
}

impl<G: ActionIndex> RolloutPolicy<G> for Mast {
    type Trace = Numbered<G::Action>;

    fn choose(
        &mut self,
        leaf: &Leaf<G, impl Trace<G>>,
        rng: &mut Rng,
    ) -> Result<Option<G::Action>, GameFault> {
        let state = leaf.state();
        if rng.unit() < self.epsilon {
            return Ok(state.random_action(rng));
        }
        let Some(player) = mover(state)? else { return Ok(None) };
        greatest(state.actions(), |action| self.learned::<G>(player, action).1, rng)
    }

    fn learn(&mut self, trace: &Numbered<G::Action>, rewards: &Rewards) {
        if self.table.is_empty() {
            self.table.resize(G::ACTION_COUNT, Default::default());
        }
        for &(player, action) in trace.0.actions() {
            let tally = &mut self.table[G::action_index(action)][usize::from(player)];
            tally.count += 1;
            tally.sum += f64::from(rewards[player]);
        }
    }

    fn check(&self) -> Result<(), ParameterError> {
        ParameterError::unless(
            (0.0..=1.0).contains(&self.epsilon),
            "Mast::epsilon",
            self.epsilon,
            "in [0, 1]",
        )
    }
}

/// A history whose actions are known to have indices in range.
#[derive(Clone, Debug)]
pub struct Numbered<A>(History<A>);

impl<A> Default for Numbered<A> {
    fn default() -> Self {
        Numbered(History::default())
    }
}

impl<G: ActionIndex> Trace<G> for Numbered<G::Action> {
    fn restart(&mut self) {
        Trace::<G>::restart(&mut self.0);
    }

    #[inline]
    fn record(&mut self, state: &G, action: G::Action) -> Result<(), GameFault> {
        checked_index::<G>(action)?;
        self.0.record(state, action)
    }

    fn actions(&self) -> &[(Player, G::Action)] {
        self.0.actions()
    }
}

/// The index of an action, if it is in range.
#[inline(always)]
pub(crate) fn checked_index<G: ActionIndex>(action: G::Action) -> Result<usize, GameFault> {
    let (index, count) = (G::action_index(action), G::ACTION_COUNT);
    if index < count { Ok(index) } else { Err(GameFault::ActionIndex { index, count }) }
}
