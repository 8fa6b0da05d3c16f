//! What a search found.

use super::budget::{Bytes, StopReason};
use super::error::SearchError;
use crate::game::Player;
use core::fmt;
use core::time::Duration;

/// What a search found. Printed, it is a table with the most visited actions first: twelve of them, or all with `{:#}`.
///
/// ```
/// use ramure::prelude::*;
/// let report = Mcts::new(ramure::games::TicTacToe::new()).run(Budget::iterations(1_000))?;
/// println!("{report}");
/// assert_eq!(report.iterations, 1_000);
/// assert_eq!(report.actions.len(), 9);
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Report<A> {
    /// Every legal action, in the order of `GameState::actions`; if chance is to move, its outcomes.
    pub actions: Vec<ActionReport<A>>,
    /// Which of [`actions`](Self::actions) to play; `None` if chance is to move.
    pub chosen: Option<usize>,
    /// The line of play thought best: the chosen action, then the most visited ones.
    pub principal_variation: Vec<A>,
    /// Whose turn it is; `None` for chance. The means in [`actions`](Self::actions) are this player's; those of chance's
    /// outcomes are the means of the player who acted before, or of player 0.
    pub player: Option<Player>,
    /// The reward of the player to move, if it is proven.
    pub proof: Option<f32>,
    /// The iterations of this run.
    pub iterations: u64,
    /// The visits of the root, those kept from earlier runs included.
    pub root_visits: u32,
    /// The wall time of this run.
    pub time: Duration,
    /// The nodes of the tree: the root and all stored children, visited or not. After an `advance` or `reset` that cut off very many,
    /// those that are not given back yet are counted too.
    pub nodes: usize,
    /// The bytes that the tree takes from the system.
    pub bytes: usize,
    /// How many nodes, the least visited ones, were given up in this run because the tree was at its memory limit.
    pub recycled_nodes: u64,
    /// How many actions after the root the deepest node of this run was.
    pub depth: u32,
    /// The mean of that over the iterations of this run.
    pub mean_depth: f64,
    /// Why the search stopped.
    pub stop_reason: StopReason,
}

/// What a search found about one action of the root.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct ActionReport<A> {
    /// The action.
    pub action: A,
    /// How many iterations went through it.
    pub visits: u32,
    /// The mean reward, in [0, 1], of the player to move; 0 before the first visit.
    pub mean: f32,
    /// The reward of the player to move, if it is proven.
    pub proof: Option<f32>,
    /// What the proven reward counts for on the scale of [`mean`](Self::mean), which some backpropagations change
    /// ([`Backprop::worth`](crate::backpropagation::Backprop::worth)): with averages, the same as [`proof`](Self::proof). The choice of
    /// the action to play compares this with the means.
    pub worth: Option<f32>,
    /// The prior probability, if the tree policy keeps one.
    pub prior: Option<f32>,
    /// The probability of the improved policy, if the tree policy has one; see
    /// [`Report::improved_policy`]. 0 for an action that has no node in the tree.
    pub improved_policy: Option<f32>,
    /// A nominal 95 % confidence interval of the mean (Wilson 1927): as if the rewards were independent tosses of a coin,
    /// which those of a search are not. All of [0, 1] before the first visit.
    pub interval: (f32, f32),
    /// Whether it is not worth playing, though its reward is not proven: another action is at least as good for certain.
    pub is_shut: bool,
}

impl<A> Report<A> {
    /// The best `count` actions, or all if there are fewer: the chosen one first, then the most visited, among equals in the order
    /// of the game.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// let report = Mcts::new(ramure::games::Connect4::new()).run(Budget::iterations(500))?;
    /// for action in report.top(3) {
    ///     println!("{:?}: {:.2}", action.action, action.mean);
    /// }
    /// # Ok::<(), SearchError>(())
    /// ```
    pub fn top(&self, count: usize) -> impl Iterator<Item = &ActionReport<A>> {
        self.best_first().into_iter().take(count).map(|index| &self.actions[index])
    }

    /// The indices of the actions, the chosen one first, then the most visited.
    fn best_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.actions.len()).collect();
        order.sort_by_key(|&index| {
            (Some(index) != self.chosen, core::cmp::Reverse(self.actions[index].visits))
        });
        order
    }

    /// Iterations per second of wall time.
    pub fn iterations_per_second(&self) -> f64 {
        self.iterations as f64 / self.time.as_secs_f64().max(1e-9)
    }

    /// The share of each action in the visits of all, in the order of [`actions`](Self::actions): the training target of AlphaZero.
    /// They sum to 1, to rounding; all are 0 before the first visit.
    ///
    /// **Source:** Silver et al., *Mastering the game of Go without human knowledge*, 2017, with the temperature 1.
    pub fn visit_shares(&self) -> Vec<f32> {
        let total: u64 = self.actions.iter().map(|action| u64::from(action.visits)).sum();
        let share = |visits| f64::from(visits) / total.max(1) as f64;
        self.actions.iter().map(|action| share(action.visits) as f32).collect()
    }

    /// The improved policy `π' = softmax(logits + σ(completed q))`, in the order of [`actions`](Self::actions): the training target of
    /// Gumbel search. The probabilities sum to 1, to rounding.
    ///
    /// `None` if the tree policy has none ([`Gumbel`](crate::selection::Gumbel), [`GumbelRoot`](crate::selection::GumbelRoot) and
    /// [`CompletedValues`](crate::selection::CompletedValues) have one), if chance is to move, or before the root has children. A
    /// proven action counts with what its proof is worth instead of its mean; one that has no node in the tree, for want of memory, has the
    /// probability 0.
    ///
    /// **Source:** Danihelka et al., *Policy improvement by planning with Gumbel*, ICLR 2022, equation 11.
    ///
    /// ```
    /// use ramure::games::{Connect4, connect4::Column};
    /// use ramure::prelude::*;
    /// use ramure::selection::Gumbel;
    /// use ramure::simulation::WithPriors;
    /// let centre = |_: &Connect4, action: Column| if action.to_string() == "3" { 2.0 } else { 1.0 };
    /// let search = Mcts::new(Connect4::new()).rollout_policy(WithPriors::new(Uniform, centre));
    /// let report = search.tree_policy(Gumbel::mctx()).run(Budget::iterations(32))?;
    /// let target = report.improved_policy().expect("Gumbel search has one");
    /// assert!((target.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    /// # Ok::<(), SearchError>(())
    /// ```
    pub fn improved_policy(&self) -> Option<Vec<f32>> {
        self.actions.iter().map(|action| action.improved_policy).collect()
    }
}

impl<A: Copy> Report<A> {
    /// The action to play.
    ///
    /// # Panics
    ///
    /// If it is chance's turn; see [`try_best_action`](Self::try_best_action).
    #[track_caller]
    pub fn best_action(&self) -> A {
        match self.try_best_action() {
            Ok(action) => action,
            Err(error) => panic!("{error}"),
        }
    }

    /// What was found about the action to play; `None` if chance is to move.
    pub fn chosen_action(&self) -> Option<&ActionReport<A>> {
        self.chosen.map(|chosen| &self.actions[chosen])
    }

    /// The action to play.
    ///
    /// # Errors
    ///
    /// [`SearchError::ChanceToMove`].
    pub fn try_best_action(&self) -> Result<A, SearchError> {
        self.chosen.map(|chosen| self.actions[chosen].action).ok_or(SearchError::ChanceToMove)
    }
}

impl<A> ActionReport<A> {
    pub(super) fn new(action: A, visits: u32, mean: f32, proof: Option<f32>, prior: Option<f32>) -> Self {
        ActionReport {
            action,
            visits,
            mean,
            proof,
            worth: proof,
            prior,
            improved_policy: None,
            interval: wilson(visits, mean),
            is_shut: false,
        }
    }

    /// The same of another action.
    pub(super) fn with_action<B>(self, action: B) -> ActionReport<B> {
        let ActionReport { visits, mean, proof, worth, prior, improved_policy, interval, is_shut, .. } = self;
        ActionReport { action, visits, mean, proof, worth, prior, improved_policy, interval, is_shut }
    }
}

/// The Wilson score interval at 95 %.
fn wilson(visits: u32, mean: f32) -> (f32, f32) {
    if visits == 0 {
        return (0.0, 1.0);
    }
    const Z: f64 = 1.959_963_984_540_054;
    let (n, p) = (f64::from(visits), f64::from(mean));
    let scale = 1.0 / (1.0 + Z * Z / n);
    let centre = p + Z * Z / (2.0 * n);
    let spread = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    (((centre - spread) * scale).max(0.0) as f32, ((centre + spread) * scale).min(1.0) as f32)
}

/// The most rows of actions that are printed unless all are asked for.
const ROWS: usize = 12;

impl<A: fmt::Debug> fmt::Display for Report<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = self.best_first();
        let shown = if f.alternate() { order.len() } else { order.len().min(ROWS) };
        let names: Vec<String> =
            order[..shown].iter().map(|&index| format!("{:?}", self.actions[index].action)).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
        let priors = self.actions.iter().any(|action| action.prior.is_some());
        let improves = self.actions.iter().any(|action| action.improved_policy.is_some());

        write!(
            f,
            "  {:<width$}  {:>10}  {:>6}  {:>6}  {:>15}",
            "action", "visits", "share", "mean", "95 % interval"
        )?;
        if priors {
            write!(f, "  {:>6}", "prior")?;
        }
        if improves {
            write!(f, "  {:>8}", "improved")?;
        }
        writeln!(f, "  proof")?;
        let total: u64 = self.actions.iter().map(|action| u64::from(action.visits)).sum();
        for (&index, name) in order[..shown].iter().zip(&names) {
            let action = &self.actions[index];
            let mark = if Some(index) == self.chosen { '>' } else { ' ' };
            let share = 100.0 * f64::from(action.visits) / total.max(1) as f64;
            write!(f, "{mark} {name:<width$}  {:>10}  {share:>4.1} %", action.visits)?;
            if action.visits == 0 {
                write!(f, "  {:>6}  {:>15}", "-", "-")?;
            } else {
                let (low, high) = action.interval;
                write!(f, "  {:>6.4}  {:>15}", action.mean, format!("{low:.4}-{high:.4}"))?;
            }
            if priors {
                match action.prior {
                    Some(prior) => write!(f, "  {prior:>6.4}")?,
                    None => write!(f, "  {:>6}", "-")?,
                }
            }
            if let Some(share) = action.improved_policy {
                write!(f, "  {share:>8.4}")?;
            }
            match action.proof {
                None => writeln!(f)?,
                Some(reward) => writeln!(f, "  {}", proof_name(reward))?,
            }
        }
        if shown < order.len() {
            writeln!(f, "  ... and {} more", order.len() - shown)?;
        }
        write!(f, "best line:")?;
        for action in &self.principal_variation {
            write!(f, " {action:?}")?;
        }
        if let Some(reward) = self.proof {
            write!(f, " ({})", proof_name(reward))?;
        }
        writeln!(f)?;
        writeln!(
            f,
            "{} iterations in {:.3} s ({:.0} per second): {}",
            self.iterations,
            self.time.as_secs_f64(),
            self.iterations_per_second(),
            self.stop_reason,
        )?;
        let recycled = match self.recycled_nodes {
            0 => String::new(),
            nodes => format!(", {nodes} recycled at the memory limit"),
        };
        write!(
            f,
            "{} nodes in {}{recycled}; depth {} at most, {:.1} in the mean",
            self.nodes,
            Bytes(self.bytes),
            self.depth,
            self.mean_depth,
        )
    }
}

pub(super) fn proof_name(reward: f32) -> &'static str {
    match reward {
        1.0 => "win",
        0.5 => "draw",
        0.0 => "loss",
        _ => "known",
    }
}
