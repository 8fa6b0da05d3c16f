//! Flat Monte-Carlo: rollouts after each action, without a tree.

use crate::{Agent, mover};
use core::fmt::Write;
use ramure::search::Rollouts;
use ramure::simulation::{RolloutPolicy, Uniform};
use ramure::{GameFault, GameState, ParameterError, Rng, SearchError};

/// Flat Monte-Carlo: plays rollouts from the state after each action, and chooses the action with the
/// greatest mean reward.
///
/// **Use it** as the baseline of a search: the difference is the gain of the tree. It always assumes that the
/// other players play at random. **Cost:** the rollouts. What the rollout policy learns is kept in the next
/// game. **Source:** Abramson, *Expected-outcome: a general model of static evaluation*, 1990; with UCB1 over
/// the actions, Auer, Cesa-Bianchi and Fischer 2002.
///
/// ```
/// use ramure_agents::{Agent, FlatMonteCarlo};
/// use ramure_games::Connect4;
/// let mut agent = FlatMonteCarlo::per_action(64);
/// let game = Connect4::new();
/// let action = agent.choose(&game)?;
/// println!("{action}\n{}", agent.thoughts(&game).unwrap_or_default());
/// # Ok::<(), ramure::SearchError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FlatMonteCarlo<R = Uniform> {
    allocation: Allocation,
    rollout_policy: R,
    rng: Rng,
    /// The results of the last choice, for each action.
    arms: Vec<Arm>,
}

/// How rollouts are divided among the actions.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Allocation {
    /// This number of rollouts for each action.
    PerAction(u64),
    /// This number of rollouts in all, dealt out in turn: the counts of two actions differ by at most one.
    Total(u64),
    /// This number of rollouts in all, divided by UCB1 with this exploration constant.
    Ucb1(u64, f64),
}

impl FlatMonteCarlo {
    /// Plays `rollouts` rollouts after each action; at least one.
    pub fn per_action(rollouts: u64) -> Self {
        FlatMonteCarlo::new(Allocation::PerAction(rollouts))
    }

    /// Plays `rollouts` rollouts in all, divided among the actions; each action gets at least one.
    pub fn total(rollouts: u64) -> Self {
        FlatMonteCarlo::new(Allocation::Total(rollouts))
    }

    /// Plays `rollouts` rollouts in all, divided among the actions by UCB1 with the exploration constant `c`;
    /// each action gets at least one. The action with the most rollouts is played.
    pub fn ucb1(rollouts: u64, c: f64) -> Self {
        FlatMonteCarlo::new(Allocation::Ucb1(rollouts, c))
    }

    fn new(allocation: Allocation) -> Self {
        FlatMonteCarlo { allocation, rollout_policy: Uniform, rng: Rng::seeded(0), arms: Vec::new() }
    }
}

impl<R> FlatMonteCarlo<R> {
    /// Plays the rollouts with `rollout_policy`. \[Default: [`Uniform`]\]
    pub fn rollout_policy<Q>(self, rollout_policy: Q) -> FlatMonteCarlo<Q> {
        let FlatMonteCarlo { allocation, rng, arms, .. } = self;
        FlatMonteCarlo { allocation, rollout_policy, rng, arms }
    }

    /// Fixes all random choices. \[Default: 0\]
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.rng = Rng::seeded(seed);
        self
    }

    fn check(&self) -> Result<(), ParameterError> {
        let (rollouts, c) = match self.allocation {
            Allocation::PerAction(rollouts) | Allocation::Total(rollouts) => (rollouts, 0.0),
            Allocation::Ucb1(rollouts, c) => (rollouts, c),
        };
        ParameterError::unless(rollouts > 0, "FlatMonteCarlo, rollouts", rollouts as f64, "at least 1")?;
        ParameterError::unless((0.0..=1000.0).contains(&c), "FlatMonteCarlo, c", c, "from 0 to 1000")
    }
}

/// The rollouts of an action so far.
#[derive(Clone, Copy, Default, Debug)]
struct Arm {
    rollouts: u64,
    sum: f64,
}

impl Arm {
    fn mean(&self) -> f64 {
        if self.rollouts == 0 { 0.0 } else { self.sum / self.rollouts as f64 }
    }
}

impl<G: GameState, R: RolloutPolicy<G>> Agent<G> for FlatMonteCarlo<R> {
    fn name(&self) -> String {
        match self.allocation {
            Allocation::PerAction(rollouts) => format!("mc:{rollouts}"),
            Allocation::Total(rollouts) => format!("mc-total:{rollouts}"),
            Allocation::Ucb1(rollouts, c) => format!("mc-ucb1:{rollouts},c={c}"),
        }
    }

    fn choose(&mut self, state: &G) -> Result<G::Action, SearchError> {
        self.check()?;
        self.rollout_policy.check()?;
        let (player, _) = mover(state)?;
        let mut actions = Vec::from_iter(state.actions());
        SearchError::unless_failed(0)?;
        if actions.is_empty() {
            return Err(SearchError::game(GameFault::NoActions, 0));
        }
        let mut arms = std::mem::take(&mut self.arms);
        arms.clear();
        arms.resize(actions.len(), Arm::default());
        let least = actions.len() as u64;
        let rollouts = match self.allocation {
            Allocation::PerAction(rollouts) => rollouts.saturating_mul(least),
            Allocation::Total(rollouts) | Allocation::Ucb1(rollouts, _) => rollouts.max(least),
        };
        let mut played = Rollouts::new(state);
        for number in 0..rollouts {
            let index = match self.allocation {
                Allocation::Ucb1(_, c) if number >= least => {
                    let log = libm::log(number as f64);
                    let value = |arm: &Arm| arm.mean() + c * (log / arm.rollouts as f64).sqrt();
                    first_greatest(&arms, value)
                }
                _ => (number % least) as usize,
            };
            let rewards = played.after(&actions[index], &mut self.rollout_policy, &mut self.rng)?;
            arms[index].rollouts += 1;
            arms[index].sum += f64::from(rewards[player]);
        }
        let visited = matches!(self.allocation, Allocation::Ucb1(..));
        let key = |index: usize| (if visited { arms[index].rollouts } else { 0 }, arms[index].mean());
        let chosen = self.rng.greatest(0..arms.len(), key).unwrap_or(0);
        self.arms = arms;
        Ok(actions.swap_remove(chosen))
    }

    fn new_game(&mut self, seed: u64) {
        self.rng = Rng::seeded(seed);
    }

    fn thoughts(&self, state: &G) -> Option<String> {
        let mut text = String::new();
        for (action, arm) in state.actions().into_iter().zip(&self.arms) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{action:?}: {:.4} in {} rollouts", arm.mean(), arm.rollouts);
        }
        (!text.is_empty()).then_some(text)
    }
}

fn first_greatest(arms: &[Arm], key: impl Fn(&Arm) -> f64) -> usize {
    let better = |best: usize, index: usize| if key(&arms[index]) > key(&arms[best]) { index } else { best };
    (0..arms.len()).reduce(better).unwrap_or(0)
}
