//! The regret of searches on a bandit whose arms swap places halfway, a task for recency-weighted averages.

use crate::commands::bandit::{MOST_RUNS, check_arms, with_parameter};
use crate::commands::parallel::try_map;
use crate::commands::{AnyAction, AnyGame, Failure};
use crate::contest::Estimate;
use ramure::{Budget, GameState, Player, Rng, Search, Turn};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A bandit with Bernoulli arms whose probabilities are reversed after `change` plays: the first arm swaps with the
/// last, and so on.
///
/// This bandit breaks the contract of games: the reward of an arm depends on the number of plays in this state *and all its
/// copies*. The copies share one counter, so that a search is one run of a bandit that changes. So each run needs its own
/// bandit and a single thread.
#[derive(Clone, Debug)]
pub struct ChangingBandit {
    arms: Arc<[f64]>,
    change: u32,
    /// The finished plays of all copies together.
    plays: Arc<AtomicU32>,
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Stage {
    Choice,
    Played { probability: f64 },
    Over { won: bool },
}

/// An action of the player or of chance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// The player plays this arm.
    Arm(u16),
    /// Chance decides whether the arm wins.
    Outcome(bool),
}

impl ChangingBandit {
    /// Returns a bandit with these probabilities in [0, 1] for the first `change` plays, and in reverse order from then on.
    pub fn new(arms: &[f64], change: u32) -> Self {
        ChangingBandit { arms: arms.into(), change, plays: Arc::default(), stage: Stage::Choice }
    }

    /// Returns the current probability of an arm.
    fn payout(&self, arm: usize) -> f64 {
        let is_changed = self.plays.load(Ordering::Relaxed) >= self.change;
        self.arms[if is_changed { self.arms.len() - 1 - arm } else { arm }]
    }
}

impl GameState for ChangingBandit {
    type Action = Action;

    fn turn(&self) -> Turn {
        match self.stage {
            Stage::Choice => Turn::Player(0),
            Stage::Played { .. } => Turn::Chance,
            Stage::Over { .. } => Turn::Over,
        }
    }

    fn actions(&self) -> impl IntoIterator<Item = Action> {
        let arms = if self.stage == Stage::Choice { self.arms.len() } else { 0 };
        let outcomes =
            [true, false].map(Action::Outcome).into_iter().filter(|&outcome| self.probability(outcome) > 0.0);
        (0..arms as u16).map(Action::Arm).chain(outcomes)
    }

    fn apply(&mut self, action: Action) {
        self.stage = match action {
            Action::Arm(arm) => Stage::Played { probability: self.payout(usize::from(arm)) },
            Action::Outcome(won) => {
                self.plays.fetch_add(1, Ordering::Relaxed);
                Stage::Over { won }
            }
        };
    }

    fn reward(&self, _: Player) -> f64 {
        if self.stage == (Stage::Over { won: true }) { 1.0 } else { 0.0 }
    }

    fn players(&self) -> u8 {
        1
    }

    fn probability(&self, outcome: Action) -> f64 {
        match (self.stage, outcome) {
            (Stage::Played { probability }, Action::Outcome(true)) => probability,
            (Stage::Played { probability }, Action::Outcome(false)) => 1.0 - probability,
            _ => 0.0,
        }
    }
}

/// The result of one search.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The search as a text of the registry of searches.
    pub search: String,
    /// The regret before the change and after it, each against the best arm of that half.
    pub regret: [Estimate; 2],
}

/// Plays `2 change` plays in each of `runs` runs.
///
/// # Errors
///
/// Returns an error of [`check_arms`], or if the search is unknown, there are no plays, or there are fewer than two runs or too many.
pub fn measure(
    arms: &[f64],
    search: &str,
    change: u32,
    runs: u32,
    seed: u64,
    threads: usize,
) -> Result<Row, Failure> {
    check_arms(arms)?;
    if change == 0 {
        return Err("there are no plays; ask for at least 1 before the change".into());
    }
    if runs > MOST_RUNS {
        return Err(format!("{runs} runs do not fit in memory; ask for at most {MOST_RUNS}").into());
    }
    let mut rng = Rng::seeded(seed);
    let seeds: Vec<u64> = (0..runs).map(|_| rng.bits()).collect();
    let runs = try_map(threads, seeds.len(), |run| one_run(arms, search, change, seeds[run]))?;
    let over_runs = |half: usize| {
        let regrets: Vec<f64> = runs.iter().map(|halves| halves[half]).collect();
        let regret = Estimate::mean(&regrets).ok_or("an interval needs two runs or more")?;
        Ok::<_, Failure>(regret.within(0.0, f64::INFINITY))
    };
    Ok(Row { search: search.to_owned(), regret: [over_runs(0)?, over_runs(1)?] })
}

/// Returns the regret of each half of one run.
fn one_run(arms: &[f64], text: &str, change: u32, seed: u64) -> Result<[f64; 2], Failure> {
    let bandit = ChangingBandit::new(arms, change);
    let played = Arc::clone(&bandit.plays);
    // `expand` keeps the search from adding nodes below the arms, so that an iteration is a play.
    let mut search = AnyGame::registry().search(
        &with_parameter(text, &format!("expand={}", u32::MAX)),
        bandit.into(),
        seed,
    )?;
    let best = arms.iter().copied().fold(0.0, f64::max);
    let mut before = vec![0; arms.len()];
    let mut half = |index: usize| {
        let report = search.run(Budget::iterations(u64::from(change)))?;
        if played.load(Ordering::Relaxed) != change * (index as u32 + 1) {
            return Err(Failure::from("an iteration was not one play"));
        }
        let mut regret = 0.0;
        for arm in &report.actions {
            let AnyAction::ChangingBandit(Action::Arm(number)) = arm.action else { continue };
            let number = usize::from(number);
            let place = if index == 0 { number } else { arms.len() - 1 - number };
            regret += f64::from(arm.visits - before[number]) * (best - arms[place]);
            before[number] = arm.visits;
        }
        Ok(regret)
    };
    Ok([half(0)?, half(1)?])
}
