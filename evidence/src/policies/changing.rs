//! Changing arms: the part of section F on recency-weighted averages. The arms of the bandit swap places
//! halfway.

use crate::report::{Finding, Part, Section, Table, Verdict};
use crate::setting::Setting;
use ramure::{Budget, GameState, Player, Rng, Search, Turn};
use ramure_lab::Failure;
use ramure_lab::Registry;
use ramure_lab::commands::bandit::{MOST_RUNS, check_arms};
use ramure_lab::commands::parallel::try_map;
use ramure_lab::contest::Estimate;
use ramure_lab::registry::{with_parameter, without_proofs};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The searches by text: each policy with the plain average, and with a recency-weighted one.
const SEARCHES: [&str; 11] = [
    "ucb1:c=1.4142135",
    "ucb1:c=1.4142135,backprop=recency-weighted",
    "ucb1:c=1.4142135,backprop=recency-weighted,alpha=0.001",
    "ucb1:c=1.4142135,backprop=discounted",
    "ucb1-tuned",
    "ucb1-tuned:backprop=recency-weighted",
    "epsilon-greedy",
    "epsilon-greedy:backprop=recency-weighted",
    "thompson",
    "thompson:backprop=recency-weighted",
    "exp3",
];

/// The arms before the change, which reverses them.
const ARMS: [f64; 2] = [0.9, 0.6];

/// Measures the searches, and adds the findings.
pub fn add(setting: &Setting, section: &mut Section) -> Result<(), Failure> {
    let (change, runs) = (setting.pick(10_000, 1_000), setting.pick(40, 4));
    let measured = SEARCHES.map(|search| measure(&ARMS, search, change, runs, setting.seed, setting.threads));
    let rows = measured.into_iter().collect::<Result<Vec<_>, _>>()?;
    // UCB1, epsilon-greedy and Thompson sampling, each before its row with a recency-weighted average.
    for average in [0, 6, 8] {
        section.findings.push(recovers(&rows[average], &rows[average + 1]));
    }
    section.parts.push(Part::Text(format!(
        "Arms that change, {} and {}: after {change} plays the two swap places, and {change} more plays follow. The table has the \
         regret of both halves, each against the best arm of that half, as a mean of {runs} runs. `recency-weighted` forgets old rewards. \
         `discounted` forgets nothing; it shrinks rewards by the steps to the end of the game. UCB1 never stops trying the \
         worse arm, so it notices the change sooner than policies that soon settle on an arm.",
        ARMS[0], ARMS[1]
    )));
    let mut table = Table::new(["search", "before the change", "after it"]);
    for Row { search, regret } in &rows {
        table.row([format!("`{search}`"), format!("{:.0}", regret[0]), format!("{:.0}", regret[1])]);
    }
    section.parts.push(Part::Table(table));
    Ok(())
}

/// Judges whether, after the change, the recency-weighted average has less regret.
fn recovers(average: &Row, recent: &Row) -> Finding {
    let [plain, forgetting] = [average, recent].map(|row| row.regret[1]);
    Finding::new(
        format!(
            "If the arms change halfway, `{}` loses less after the change than `{}`",
            recent.search, average.search
        ),
        "Kocsis and Szepesvári 2006b, on discounted UCB",
        format!("{forgetting:.0} against {plain:.0}"),
        match forgetting.high < plain.low {
            true => Verdict::Reproduced,
            false if forgetting.low > plain.high => Verdict::Not("it loses more".into()),
            false => Verdict::Open,
        },
    )
}

/// A bandit with Bernoulli arms whose probabilities are reversed after `change` plays: the first arm swaps
/// with the last, and so on.
///
/// This bandit breaks the contract of games: the reward of an arm depends on the number of plays in this
/// state *and all its copies*. The copies share one counter, so that a search is one run of a bandit that
/// changes. So each run needs its own bandit and a single thread.
#[derive(Clone, Debug)]
struct ChangingBandit {
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
enum Action {
    /// The player plays this arm.
    Arm(u16),
    /// Chance decides whether the arm wins.
    Outcome(bool),
}

impl ChangingBandit {
    /// Returns a bandit with these probabilities in [0, 1] for the first `change` plays, and in reverse order
    /// from then on.
    fn new(arms: &[f64], change: u32) -> Self {
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
struct Row {
    /// The search as a text of the registry of searches.
    search: String,
    /// The regret before the change and after it, each against the best arm of that half.
    regret: [Estimate; 2],
}

/// Plays `2 change` plays in each of `runs` runs.
///
/// # Errors
///
/// Returns an error of [`check_arms`], or if the search is unknown, there are no plays, or there are fewer
/// than two runs or too many.
fn measure(
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
    let mut search = Registry::new().search(
        &with_parameter(&without_proofs(text), &format!("expand={}", u32::MAX)),
        bandit,
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
            let Action::Arm(number) = arm.action else { continue };
            let number = usize::from(number);
            let place = if index == 0 { number } else { arms.len() - 1 - number };
            regret += f64::from(arm.visits - before[number]) * (best - arms[place]);
            before[number] = arm.visits;
        }
        Ok(regret)
    };
    Ok([half(0)?, half(1)?])
}

#[cfg(test)]
mod tests {
    use super::measure;

    #[test]
    fn a_recency_weighted_mean_recovers_when_arms_change() {
        let measure = |search| measure(&[0.9, 0.6], search, 2_000, 10, 1, 2).expect("a bandit").regret;
        let (plain, recent) =
            (measure("epsilon-greedy"), measure("epsilon-greedy:backprop=recency-weighted"));
        // All plays on the worse arm would lose 600; a tenth of the plays, drawn uniformly, loses 30.
        assert!(plain[0].high < 150.0 && plain[1].low > 300.0, "{plain:?}");
        assert!(recent[1].high < plain[1].low / 2.0, "{recent:?}");
    }

    #[test]
    fn the_number_of_threads_does_not_change_the_regret() {
        let of = |threads| measure(&[0.9, 0.6], "ucb1:c=1.4142135", 2_000, 10, 1, threads).expect("a bandit");
        assert_eq!(of(1), of(2));
    }

    #[test]
    fn impossible_measurements_are_errors() {
        assert!(measure(&[0.9, 0.6], "ucb1:c=1.4142135", 10, 1, 1, 1).is_err(), "one run has no interval");
        for (arms, change) in [(&[][..], 10), (&[0.5, 0.5], 10), (&[0.9, 0.6], 0)] {
            assert!(measure(arms, "ucb1:c=1.4142135", change, 2, 1, 1).is_err(), "{arms:?} {change}");
        }
    }
}
