//! The report of a search: what it found at the root, and which action to play (`root_decision`). Uses the
//! rest of `run`, and all layers below it.

pub(crate) mod children;
pub(crate) mod root_decision;
pub(crate) mod shares;

use crate::game::{Player, Rng};
use crate::parameter::ParameterError;
use crate::run::budget::{Bytes, StopReason};
use crate::run::error::SearchError;
use crate::run::report::children::Summaries;
use crate::run::report::root_decision::RootDecision;
use core::fmt;
use core::time::Duration;

/// The results of a search.
///
/// `Display` prints a table with the most visited actions first: twelve of them, and as much of the best line
/// as fits in 80 columns. `{:#}` prints all of both.
///
/// ```
/// use ramure::prelude::*;
/// let report = Mcts::new(ramure_games::TicTacToe::new()).run(Budget::iterations(1_000))?;
/// println!("{report}");
/// assert_eq!(report.iterations, 1_000);
/// assert_eq!(report.actions.len(), 9);
/// # Ok::<(), SearchError>(())
/// ```
///
/// # JSON
///
/// With the feature `serde`, a report is `Serialize` and `Deserialize`. The names of the fields stay, `time`
/// is a number of seconds, and `None` is `null`. A number that is not finite is an error, never `null`.
/// `has_units` says whether the means are returns of a simulator.
///
/// ```
/// # #[cfg(feature = "serde")] {
/// use ramure::prelude::*;
/// use ramure::Report;
/// use ramure_games::{Connect4, connect4::Column};
/// let report = Mcts::new(Connect4::new()).run(Budget::iterations(1_000))?;
/// let json = serde_json::to_string(&report)?; // {"actions":[{"action":"0","visits":..,"mean":..,
/// assert!(json.starts_with("{\"actions\":[{\"action\":\"0\",\"visits\":"));
/// assert_eq!(serde_json::from_str::<Report<Column>>(&json)?, report);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Report<A> {
    /// Every legal action that the search [may choose](crate::RootActions), in the order of
    /// `GameState::actions`; at a chance node, its outcomes. Where actions are
    /// [sampled](crate::search::Sampled), those that were, in the order of sampling.
    pub actions: Vec<ActionReport<A>>,
    /// The index in [`actions`](Self::actions) of the action to play; `None` at a chance node.
    pub chosen: Option<usize>,
    /// The best line of play found: the chosen action, followed by the most visited ones. In a search of an
    /// [`InformationSet`](crate::search::InformationSet) it may have actions that are not legal in the real
    /// state.
    pub principal_variation: Vec<A>,
    /// The player to move; `None` at a chance node. The means in [`actions`](Self::actions) are this
    /// player's. At a chance node they are the means of the player who acted before, or of player 0.
    pub player: Option<Player>,
    /// The reward of the player to move, if it is proven. With [`RootActions`](crate::RootActions), it is the
    /// reward that these can reach, which need not be that of the position.
    pub proof: Option<f32>,
    /// The number of iterations of this run.
    pub iterations: u64,
    /// The visits of the root, including those kept from earlier runs.
    pub root_visits: u32,
    /// The wall time of this run.
    pub time: Duration,
    /// The number of nodes in the tree: the root and all stored children, visited or not. After an `advance`
    /// or `reset` that cut off very many nodes, this includes those that are not freed yet.
    pub nodes: usize,
    /// The number of bytes that the tree takes from the system.
    pub bytes: usize,
    /// The number of nodes, the least visited ones, that this run freed because the tree was at its memory
    /// limit.
    pub recycled_nodes: u64,
    /// The depth of the deepest node of this run, in actions from the root.
    pub depth: u32,
    /// The mean depth over the iterations of this run.
    pub mean_depth: f64,
    /// Why the search stopped.
    pub stop_reason: StopReason,
    /// Whether means are in the units of a simulator, and not rewards in [0, 1].
    pub(crate) has_units: bool,
}

/// The results of a search for one action of the root.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct ActionReport<A> {
    /// The action.
    pub action: A,
    /// The number of iterations that went through this action.
    pub visits: u32,
    /// The mean reward, in [0, 1], of the player to move; 0 before the first visit. In a search of a
    /// [`Planning`](crate::search::Planning), the mean return, and so are the numbers below.
    pub mean: f32,
    /// The reward of the player to move, if it is proven.
    pub proof: Option<f32>,
    /// The worth of the proven reward on the scale of [`mean`](Self::mean), which some backpropagations
    /// change ([`Backprop::worth`](crate::backpropagation::Backprop::worth)). With averages it equals
    /// [`proof`](Self::proof). The root decision compares it with the means.
    pub worth: Option<f32>,
    /// The prior probability, if the tree policy has one.
    pub prior: Option<f32>,
    /// The probability of this action in the improved policy, if the tree policy has one; see
    /// [`Report::improved_policy`]. 0 for an action without a node in the tree, unless proofs leave no other.
    pub improved_policy: Option<f32>,
    /// A nominal 95 % confidence interval of the mean (Wilson 1927). It treats the rewards as independent
    /// coin tosses, which the rewards of a search are not. All of [0, 1] before the first visit.
    pub interval: (f32, f32),
    /// Whether the action was pruned: its reward is not proven, but another action is certainly at least as
    /// good.
    pub is_pruned: bool,
}

/// Returns the indices of actions with these visits: the chosen one first, then by descending visits.
fn best_first(visits: &[u32], chosen: Option<usize>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..visits.len()).collect();
    order.sort_by_key(|&index| (Some(index) != chosen, core::cmp::Reverse(visits[index])));
    order
}

impl<A> Report<A> {
    /// Returns the best `count` actions, or all if there are fewer. The chosen action comes first, then the
    /// most visited ones. Ties are in the order of the game.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// let report = Mcts::new(ramure_games::Connect4::new()).run(Budget::iterations(500))?;
    /// for action in report.top(3) {
    ///     println!("{:?}: {:.2}", action.action, action.mean);
    /// }
    /// # Ok::<(), SearchError>(())
    /// ```
    pub fn top(&self, count: usize) -> impl Iterator<Item = &ActionReport<A>> {
        self.best_first().into_iter().take(count).map(|index| &self.actions[index])
    }

    /// Returns the indices of the actions: the chosen one first, then by descending visits.
    fn best_first(&self) -> Vec<usize> {
        let visits: Vec<u32> = self.actions.iter().map(|action| action.visits).collect();
        best_first(&visits, self.chosen)
    }

    /// Returns the iterations per second of wall time.
    pub fn iterations_per_second(&self) -> f64 {
        self.iterations as f64 / self.time.as_secs_f64().max(1e-9)
    }

    /// Returns the share of each action in the visits, as far as proofs leave a choice, in the order of
    /// [`actions`](Self::actions). This is the training target of AlphaZero. The shares sum to 1, up to
    /// rounding; all are 0 before the first visit. The table that `Display` prints has these shares.
    ///
    /// A share is the probability with which [`RootDecision::Temperature`](crate::RootDecision::Temperature)
    /// of 1 plays the action, once an open action was visited. So a proven win has all, however few visits led to it. A proven loss and a
    /// pruned action have none while others are open. Any other proven action has the shares of the open
    /// actions whose means are below its worth, and none of its own. If several proven actions are the best,
    /// they share by their visits. At a chance node, the shares are those of the visits alone.
    ///
    /// **Source:** Silver et al., *Mastering the game of Go without human knowledge*, 2017, with
    /// temperature 1.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// use ramure_games::TicTacToe;
    /// let mut state = TicTacToe::new();
    /// for cell in ["1", "4", "2", "5"] {
    ///     state.play(cell.parse()?)?;
    /// }
    /// let report = Mcts::new(state).run(Budget::iterations(1_000))?; // X wins in cell 3
    /// assert_eq!(report.proof, Some(1.0));
    /// assert_eq!(report.visit_shares(), [1.0, 0.0, 0.0, 0.0, 0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn visit_shares(&self) -> Vec<f32> {
        let mut entries = without_actions(&self.actions);
        if self.player.is_none() {
            // Nobody chooses among outcomes.
            for entry in &mut entries {
                (entry.proof, entry.worth, entry.is_pruned) = (None, None, false);
            }
        }
        shares::by_visits(&entries, !self.has_units)
    }

    /// Returns the improved policy `π' = softmax(logits + σ(completed q))`, in the order of
    /// [`actions`](Self::actions). This is the training target of Gumbel search. The probabilities sum to 1,
    /// up to rounding.
    ///
    /// Returns `None` if the tree policy has no improved policy, at a chance node, or before the root has
    /// children. [`Gumbel`](crate::selection::Gumbel), [`GumbelRoot`](crate::selection::GumbelRoot) and
    /// [`CompletedValues`](crate::selection::CompletedValues) have an improved policy. A proven action counts
    /// with the worth of its proof instead of its mean. Then proven wins get all, and proven losses and pruned
    /// actions get nothing while others are left. An action that has no node in the tree for lack of memory
    /// has probability 0 unless proofs leave nothing else.
    ///
    /// **Source:** Danihelka et al., *Policy improvement by planning with Gumbel*, ICLR 2022, equation 11.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// use ramure::selection::Gumbel;
    /// use ramure::simulation::WithPriors;
    /// use ramure_games::{Connect4, connect4::Column};
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

impl<A> Report<A> {
    /// Returns the entry of the action to play; `None` at a chance node. Its mean is what the player to move
    /// can expect of games that are played as the search played them.
    pub fn chosen_action(&self) -> Option<&ActionReport<A>> {
        self.chosen.map(|chosen| &self.actions[chosen])
    }
}

impl<A: Clone> Report<A> {
    /// Returns the action to play.
    ///
    /// # Panics
    ///
    /// Panics if the root is a chance node; see [`try_best_action`](Self::try_best_action).
    #[track_caller]
    pub fn best_action(&self) -> A {
        match self.try_best_action() {
            Ok(action) => action,
            Err(error) => panic!("{error}"),
        }
    }

    /// Returns the action to play.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::ChanceToMove`] if the root is a chance node.
    pub fn try_best_action(&self) -> Result<A, SearchError> {
        self.chosen.map(|chosen| self.actions[chosen].action.clone()).ok_or(SearchError::ChanceToMove)
    }

    /// Chooses the action to play again, by another root decision. `seed` determines what is drawn. If another
    /// action is chosen, the best line has only this action.
    ///
    /// ```
    /// use ramure::RootDecision;
    /// use ramure_games::Connect4;
    /// use ramure::prelude::*;
    ///
    /// let mut report = Mcts::new(Connect4::new()).run(Budget::iterations(200))?;
    /// report.choose_by(RootDecision::Temperature(1.0), 7)?;
    /// println!("{}", report.best_action());
    /// # Ok::<(), SearchError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if a parameter of `decision` is out of its range.
    pub fn choose_by(&mut self, decision: RootDecision, seed: u64) -> Result<(), ParameterError> {
        decision.check()?;
        let (mut rng, mut ties) = (Rng::seeded(seed), Rng::seeded(!seed));
        let chosen = decision.decide(&without_actions(&self.actions), &mut rng, &mut ties, &|_| false);
        if chosen != self.chosen {
            self.chosen = chosen;
            self.principal_variation =
                self.chosen_action().map(|entry| entry.action.clone()).into_iter().collect();
        }
        Ok(())
    }
}

impl<A> ActionReport<A> {
    pub(crate) fn new(action: A, visits: u32, mean: f32, proof: Option<f32>, prior: Option<f32>) -> Self {
        ActionReport {
            action,
            visits,
            mean,
            proof,
            worth: proof,
            prior,
            improved_policy: None,
            interval: wilson(visits, mean),
            is_pruned: false,
        }
    }

    /// Converts the rewards to other units. A mean of no visits stays 0.
    pub(crate) fn convert(&mut self, to_units: &dyn Fn(f32) -> f32) {
        if self.visits > 0 {
            self.mean = to_units(self.mean);
        }
        self.interval = (to_units(self.interval.0), to_units(self.interval.1));
        (self.proof, self.worth) = (self.proof.map(to_units), self.worth.map(to_units));
    }

    /// Returns the same numbers for another action.
    pub(crate) fn with_action<B>(&self, action: B) -> ActionReport<B> {
        let ActionReport { visits, mean, proof, worth, prior, improved_policy, interval, is_pruned, .. } =
            *self;
        ActionReport { action, visits, mean, proof, worth, prior, improved_policy, interval, is_pruned }
    }
}

/// Returns the entries without their actions, for code that is compiled once and not for each game.
pub(crate) fn without_actions<A>(actions: &[ActionReport<A>]) -> Summaries {
    let mut entries = Summaries::new();
    for entry in actions {
        entries.push(entry.with_action(()));
    }
    entries
}

/// Returns the Wilson score interval at 95 %. It contains the mean, also after rounding.
fn wilson(visits: u32, mean: f32) -> (f32, f32) {
    if visits == 0 {
        return (0.0, 1.0);
    }
    const Z: f64 = 1.959_963_984_540_054;
    let (n, p) = (f64::from(visits), f64::from(mean));
    let scale = 1.0 / (1.0 + Z * Z / n);
    let centre = p + Z * Z / (2.0 * n);
    let spread = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let (low, high) = ((centre - spread) * scale, (centre + spread) * scale);
    ((low.max(0.0) as f32).min(mean), (high.min(1.0) as f32).max(mean))
}

/// The most rows of actions that are printed without `{:#}`.
const ROWS: usize = 12;

/// The columns of the best line that are printed without `{:#}`.
const COLUMNS: usize = 80;

/// The columns of the words after a best line that is cut.
const CUT: usize = 16;

impl<A: fmt::Debug> fmt::Display for Report<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn any<A: fmt::Debug>(action: &A) -> &dyn fmt::Debug {
            action
        }
        let report = Report {
            actions: self.actions.iter().map(|entry| entry.with_action(any(&entry.action))).collect(),
            principal_variation: self.principal_variation.iter().map(any).collect(),
            chosen: self.chosen,
            player: self.player,
            proof: self.proof,
            iterations: self.iterations,
            root_visits: self.root_visits,
            time: self.time,
            nodes: self.nodes,
            bytes: self.bytes,
            recycled_nodes: self.recycled_nodes,
            depth: self.depth,
            mean_depth: self.mean_depth,
            stop_reason: self.stop_reason,
            has_units: self.has_units,
        };
        report.write_table(f)?;
        report.write_line(f)?;
        report.write_counts(f)
    }
}

/// These methods are compiled once, and not for each game.
impl Report<&dyn fmt::Debug> {
    fn proof_name(&self, reward: f32) -> &'static str {
        if self.has_units { "known" } else { proof_name(reward) }
    }

    /// Writes a row for each action.
    fn write_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = self.best_first();
        let shown = if f.alternate() { order.len() } else { order.len().min(ROWS) };
        let names: Vec<String> =
            order[..shown].iter().map(|&index| format!("{:?}", self.actions[index].action)).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
        let priors = self.actions.iter().any(|action| action.prior.is_some());
        let improves = self.actions.iter().any(|action| action.improved_policy.is_some());

        write!(f, "  {:<width$}  {:>10}  {:>6}  {:>6}", "action", "visits", "share", "mean")?;
        // The interval of a mean in units spans the whole scale, and says nothing.
        if !self.has_units {
            write!(f, "  {:>15}", "95 % interval")?;
        }
        if priors {
            write!(f, "  {:>6}", "prior")?;
        }
        if improves {
            write!(f, "  {:>8}", "improved")?;
        }
        writeln!(f, "  proof")?;
        let shares = self.visit_shares();
        for (&index, name) in order[..shown].iter().zip(&names) {
            let action = &self.actions[index];
            let mark = if Some(index) == self.chosen { '>' } else { ' ' };
            let share = 100.0 * shares[index];
            let digits = usize::from(share < 99.95); // 100 takes the place of the decimal
            write!(f, "{mark} {name:<width$}  {:>10}  {share:>4.digits$} %", grouped(action.visits.into()))?;
            let (low, high) = action.interval;
            match (action.visits, self.has_units) {
                (0, true) => write!(f, "  {:>6}", "-")?,
                (0, false) => write!(f, "  {:>6}  {:>15}", "-", "-")?,
                (_, true) => write!(f, "  {:>6.4}", action.mean)?,
                (_, false) => write!(f, "  {:>6.4}  {:>15}", action.mean, format!("{low:.4}-{high:.4}"))?,
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
                Some(reward) => writeln!(f, "  {}", self.proof_name(reward))?,
            }
        }
        if shown < order.len() {
            writeln!(f, "  ... and {} more", order.len() - shown)?;
        }
        Ok(())
    }

    /// Writes the best line and the proof.
    fn write_line(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = Vec::from_iter(self.principal_variation.iter().map(|action| format!(" {action:?}")));
        let proof = self.proof.map_or_else(String::new, |reward| format!(" ({})", self.proof_name(reward)));
        let start = "best line:";
        f.write_str(start)?;
        let width = |text: &String| text.chars().count();
        let all = start.len() + line.iter().map(width).sum::<usize>() + width(&proof);
        let is_whole = f.alternate() || all <= COLUMNS;
        let (mut columns, mut written) = (start.len(), 0);
        for action in &line {
            columns += width(action);
            if written > 0 && columns > COLUMNS - CUT - width(&proof) && !is_whole {
                break;
            }
            f.write_str(action)?;
            written += 1;
        }
        if written < line.len() {
            write!(f, " ... and {} more", line.len() - written)?;
        }
        writeln!(f, "{proof}")
    }

    /// Writes the counts of the run and of the tree.
    fn write_counts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_of_run = self.stop_reason != StopReason::NotRun;
        if is_of_run {
            writeln!(
                f,
                "{} iterations in {:.3} s ({} per second): {}",
                grouped(self.iterations),
                self.time.as_secs_f64(),
                grouped(self.iterations_per_second().round() as u64),
                self.stop_reason,
            )?;
        } else {
            writeln!(f, "{} visits of the root: {}", grouped(self.root_visits.into()), self.stop_reason)?;
        }
        let recycled = match self.recycled_nodes {
            0 => String::new(),
            nodes => format!(", {} recycled at the memory limit", grouped(nodes)),
        };
        write!(f, "{} nodes in {}{recycled}", grouped(self.nodes as u64), Bytes(self.bytes))?;
        if is_of_run {
            write!(f, "; depth {} at most, {:.1} on average", self.depth, self.mean_depth)?;
        }
        Ok(())
    }
}

/// A number with spaces between its thousands, from five digits on.
fn grouped(number: u64) -> String {
    let mut text = number.to_string();
    if text.len() > 4 {
        (1..=(text.len() - 1) / 3).for_each(|group| text.insert(text.len() - 4 * group + 1, ' '));
    }
    text
}

pub(crate) fn proof_name(reward: f32) -> &'static str {
    match reward {
        1.0 => "win",
        0.5 => "draw",
        0.0 => "loss",
        _ => "known",
    }
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn an_interval_contains_its_mean() {
        for visits in 1..3_000 {
            for mean in [0.0, 1.0, 1.0 / visits as f32, 1.0 - 1.0 / visits as f32] {
                let (low, high) = super::wilson(visits, mean);
                let fits = 0.0 <= low && low <= mean && mean <= high && high <= 1.0;
                assert!(fits, "{visits} {mean}: {low} {high}");
            }
        }
    }

    #[test]
    fn thousands_are_apart_from_five_digits_on() {
        let numbers = [0, 9999, 10_000, 117_118, 2_114_220, 1_000_000_000];
        let texts = ["0", "9999", "10 000", "117 118", "2 114 220", "1 000 000 000"];
        assert_eq!(numbers.map(grouped), texts);
    }
}
