//! UCB1 with a history of each action, which fades.

use super::rave::above_all;
use super::{Choice, Event, Exploration, Node, TreePolicy};
use crate::game::{ActionIndex, MAX_PLAYERS, Player, Rewards, Rng};
use crate::parameter::ParameterError;
use crate::statistics::ActionHistory;

/// Progressive history: `s/n + c sqrt(ln N / n) + (s_a / n_a) W / (n - s + 1)`, where `s = n Q` is the sum of
/// the child's rewards and `s_a / n_a` is the mean reward of its action over all iterations in which the same
/// player played it, in the tree or in a rollout.
///
/// **Use it** where an action has a similar value in most states and there are many actions (Focus, Chinese
/// Checkers, the games of [`Grave`](super::Grave)). It was designed for more than two players. It needs
/// numbered actions, [`ActionIndex`]. The history of a child that loses soon fades; that of a child that wins
/// stays.
///
/// **Parameters:** `c`, an [`Exploration`], one deviation of the rewards by default as in
/// [`Ucb1`](super::Ucb1), and `W`, from 0 to 1000, 5 by default, as in later experiments of the authors. The
/// larger `W`, the longer the history counts.
///
/// An unvisited child has an infinite bonus: it comes before all visited ones, and among unvisited children
/// the one with the best history comes first. A finite first-play urgency replaces the UCB1 part, and `W s_a
/// / n_a` stays. Where the paper is silent: an action played twice in an iteration counts twice, an action
/// never played counts as a mean of 1, and the search keeps what it learned for its lifetime.
///
/// **Stores** 4 bytes per child, `1 / sqrt(n)`, and 128 bytes per action. **Cost:** a table lookup per child,
/// and one per action of every iteration. It records the actions of rollouts, so rollouts cannot use the
/// game's shortcut.
///
/// **Source:** Nijssen and Winands, *Enhancements for Multi-Player Monte-Carlo Tree Search*, 2010,
/// "Progressive History".
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::ProgressiveHistory;
/// let hex = ramure_games::Hex::new(5)?;
/// let mut search = Mcts::new(hex).tree_policy(ProgressiveHistory::new(0.5, 3.0));
/// search.run(Budget::iterations(200))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ProgressiveHistory {
    pub(super) c: Exploration,
    pub(super) weight: f32,
    /// By action index and player.
    pub(super) history: Vec<[ActionSum; MAX_PLAYERS]>,
}

#[derive(Clone, Copy, Default, Debug)]
pub(super) struct ActionSum {
    pub count: u64,
    pub sum: f64,
}

impl ProgressiveHistory {
    /// Creates the policy with the exploration constant `c`, from 0 to 1000 or
    /// [in deviations](Exploration::deviations), and the `weight` of the history, the paper's `W`, from 0 to
    /// 1000.
    pub fn new(c: impl Into<Exploration>, weight: f32) -> Self {
        ProgressiveHistory { c: c.into(), weight, history: Vec::new() }
    }

    /// Returns what the policy learned about `action` played by `player`: the number of times it was played,
    /// and the mean reward, which is 1 before the first time.
    pub fn learned<G: ActionIndex>(&self, player: Player, action: G::Action) -> (u64, f32) {
        match self.history.get(G::action_index(action)).and_then(|row| row.get(usize::from(player))) {
            Some(&ActionSum { count, sum }) if count > 0 => (count, (sum / count as f64) as f32),
            _ => (0, 1.0),
        }
    }
}

impl Default for ProgressiveHistory {
    fn default() -> Self {
        ProgressiveHistory::new(Exploration::deviations(1.0), 5.0)
    }
}

impl<G: ActionIndex> TreePolicy<G> for ProgressiveHistory {
    type Stats = (f32, ActionHistory); // 1 / sqrt(n)
    const SEES_UNVISITED: bool = true;

    #[inline]
    fn select(&self, node: impl Node<G, Self::Stats>, _: &mut Rng) -> Choice {
        if let Some(starving) = self.c.starving(node) {
            return starving;
        }
        let root = self.c.constant(node.spread()) * node.sqrt_ln_visits();
        let player = node.player();
        let untried = match node.untried_score(root) {
            f32::INFINITY => above_all(root + self.weight),
            finite => finite,
        };
        node.argmax(|child| {
            let (rare, _) = child.stats();
            let lost = child.visits() * (1.0 - child.mean());
            let history = self.learned::<G>(player, child.action()).1;
            child.mean_or(untried) + root * rare + history * self.weight / (lost + 1.0)
        })
    }

    #[inline]
    fn update(&self, (_, played): Self::Stats, visits: f32, _: f32) -> Self::Stats {
        (1.0 / visits.sqrt(), played)
    }

    #[inline]
    fn notice(&self, (bonus, played): Self::Stats, event: Event<Self::Stats>) -> Self::Stats {
        match event {
            Event::Recounted(visits) if visits > 0.0 => (1.0 / visits.sqrt(), played),
            Event::Recounted(_) => (0.0, played),
            _ => (bonus, played),
        }
    }

    fn learn(&mut self, actions: &[(Player, G::Action)], rewards: &Rewards) {
        if self.history.is_empty() {
            self.history.resize(G::ACTION_COUNT, Default::default());
        }
        for (player, action) in actions {
            let tally = &mut self.history[G::action_index(action.clone())][usize::from(*player)];
            tally.count += 1;
            tally.sum += f64::from(rewards[*player]);
        }
    }

    fn check(&self) -> Result<(), ParameterError> {
        self.c.check("ProgressiveHistory::c")?;
        ParameterError::unless_constant("ProgressiveHistory::weight", self.weight.into())
    }
}
