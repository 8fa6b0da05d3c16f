//! The claims that every search must satisfy in a game whose values are all known.

use crate::common::any::Any;
use crate::common::oracle::values;
use crate::common::{mover, sized};
use crate::covering::{everything, plans, settled, text_of};
use ramure::ActionReport;
use ramure::backpropagation::Backprop;
use ramure::selection::Ucb1;
use ramure::{Budget, Mcts, Report, StaticEvaluation, StopReason};
use ramure_lab::{Registry, WithEvaluation, WithNumbers};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// The value that the backpropagation `contempt`, read from a text, gives to a draw.
pub const DRAW: f64 = 0.4;

/// A position, with the value of each action to the player to move.
pub struct Case {
    state: Any,
    iterations: u64,
    /// Whether the game has wins, draws and losses of two players without chance, so that a solver can prove
    /// it completely.
    provable: bool,
    worth: Vec<(u8, f64)>,
    /// The same values, with a draw worth [`DRAW`].
    scorned: Vec<(u8, f64)>,
}

impl Case {
    /// Returns a position to search with `iterations` iterations. The values come from a walk through the
    /// whole game.
    pub fn new<G>(state: G, iterations: u64) -> Self
    where
        G: StaticEvaluation<Action = u8> + Debug + Send + Sync + 'static,
    {
        let me = usize::from(mover(&state));
        let of = |draw: f64| {
            let worth = |results: Vec<f64>| {
                let is_draw = results.iter().all(|&result| result == 0.5);
                if is_draw { vec![draw; results.len()] } else { results }
            };
            let value = |action| values(&crate::common::after(&state, [action]), &worth)[me];
            Vec::from_iter(state.actions().into_iter().map(|action| (action, value(action))))
        };
        let (worth, scorned) = (of(0.5), of(DRAW));
        Case { state: Any::new(state), iterations, provable: false, worth, scorned }
    }

    /// Returns a position of a game without chance that is too large to walk through, with the value of each
    /// action: a win, a draw or a loss.
    pub fn valued<G>(state: G, iterations: u64, worth: Vec<(u8, f64)>) -> Self
    where
        G: StaticEvaluation<Action = u8> + Debug + Send + Sync + 'static,
    {
        let scorned = |&(action, worth): &(u8, f64)| (action, if worth == 0.5 { DRAW } else { worth });
        let scorned = worth.iter().map(scorned).collect();
        Case { state: Any::new(state), iterations, provable: false, scorned, worth }
    }

    /// Marks the game as one that a solver can prove completely.
    pub fn provable(self) -> Self {
        Case { provable: true, ..self }
    }

    /// Runs the search that `text` names.
    pub fn run(
        &self,
        known: &Registry<Any, WithNumbers<WithEvaluation>>,
        text: &str,
        seed: u64,
    ) -> Report<u8> {
        let mut search = known.search(text, self.state.clone(), seed).expect("it is well written");
        search.run(Budget::iterations(self.iterations)).expect("a sound game")
    }

    /// Returns the difference between the best action and this one, where a draw is worth 1/2, or [`DRAW`] if
    /// `scorned`.
    pub fn regret(&self, scorned: bool, action: u8) -> f64 {
        let worth = if scorned { &self.scorned } else { &self.worth };
        let best = worth.iter().map(|worth| worth.1).fold(0.0, f64::max);
        best - of(worth, action)
    }
}

fn of(worth: &[(u8, f64)], action: u8) -> f64 {
    worth.iter().find(|worth| worth.0 == action).expect("a legal action").1
}

/// Checks the claims that hold for every report without exception. Returns `None` if all hold.
fn fault(case: &Case, report: &Report<u8>, settings: &[String]) -> Option<&'static str> {
    let set = |setting: &str| settings.iter().any(|item| item.starts_with(setting));
    let chosen = report.chosen_action().expect("there is a player to move");
    let proven = |index: usize| report.actions[index].proof;
    let worth = |index: usize| of(&case.worth, report.actions[index].action);
    let all = || 0..report.actions.len();
    // Bounds are stored in units of 2^-16.
    if all().any(|index| proven(index).is_some_and(|proof| (f64::from(proof) - worth(index)).abs() > 1e-4)) {
        return Some("a proof that is not true");
    }
    if all().any(|index| proven(index) == Some(1.0)) && chosen.proof != Some(1.0) {
        return Some("a proven win that is not played");
    }
    if chosen.proof == Some(0.0) && all().any(|index| proven(index).is_none_or(|proof| proof > 0.0)) {
        return Some("a proven loss that is played");
    }
    let tried = || report.actions.iter().filter(|action| action.visits > 0);
    // If no child can be better, the search need not try the others; nor if a score stays above the urgency.
    let enough = if set("fpu=0.9") { 0.7 } else { 1.0 };
    let suffices = |action: &ActionReport<u8>| action.proof == Some(1.0) || action.mean >= enough;
    // Without exploration, an action whose AMAF value is below the mean of another is not tried. Both may be
    // almost 0.
    let explores = !set("grave") && !set("hrave");
    if explores && tried().count() < report.actions.len().min(2) && !tried().any(suffices) {
        return Some("one child is tried, and no other");
    }
    let open = || report.actions.iter().filter(|action| action.proof.is_none() && !action.is_pruned);
    let most = open().map(|action| action.visits).max();
    let greatest = open().filter(|action| action.visits > 0).map(|action| action.mean).fold(0.0, f32::max);
    let is_open = chosen.proof.is_none();
    let ended_early = report.iterations < 2 * case.iterations;
    let is_both = Some(chosen.visits) == most && chosen.mean >= greatest;
    if set("final=max-robust") && is_open && ended_early && !is_both {
        return Some("max-robust, and not the greatest mean and the most visits");
    }
    // The probability to draw an action with half the visits is below 1e-6.
    if set("final=temperature") && is_open && most.is_some_and(|most| 2 * chosen.visits < most) {
        return Some("drawn, and has few visits");
    }
    None
}

/// The mean regret, and the number of cases behind it.
#[derive(Clone, Copy, Default)]
struct Mean {
    sum: f64,
    count: u32,
}

impl Mean {
    fn add(&mut self, regret: f64) {
        self.sum += regret;
        self.count += 1;
    }
    fn get(self) -> f64 {
        self.sum / f64::from(self.count)
    }
}

/// The factor by which to multiply the usual number of tries.
pub fn depth() -> u64 {
    std::env::var("RAMURE_DEEP").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

/// The limits of the mean regret, the same for all searches.
pub struct Bounds {
    /// For all searches together.
    pub all: f64,
    /// For the searches with any one word or setting, except for a given number of these.
    pub word: f64,
    pub but_for: usize,
    /// For the searches with any one word or setting, without exception.
    pub any_word: f64,
    /// For any one search that plays all cases; one that plays every other one may lose twice as much.
    pub search: f64,
}

/// Runs every search of the array on all `cases`, or, in the small instance, on every other one, so that each
/// word meets them all. The claims of [`fault`] must hold for every run, and the mean regret must stay within
/// `bounds`.
pub fn judge(family: &str, cases: &[Case], bounds: &Bounds) {
    let step = sized(2, 1);
    let (known, members) = (everything(), settled());
    let mut words: BTreeMap<(usize, &str), Mean> = BTreeMap::new();
    let (mut all, mut at_random) = (Mean::default(), Mean::default());
    let (mut wrong, mut searches) = (Vec::new(), Vec::new());
    for (number, member) in members.iter().enumerate() {
        let (mut own, scorned) = (Mean::default(), member.name[2] == "contempt");
        for case in cases.iter().skip(number % step).step_by(step) {
            // SHOT divides the iterations among refuted children, too, so it proves later.
            let is_narrowed = case.provable && member.name[0] != "shot";
            let runs = if is_narrowed { &member.narrowed() } else { member };
            for seed in 0..depth() {
                let report = runs.run(&known, &case.state, seed, case.iterations).expect("a sound game");
                if let Some(fault) = fault(case, &report, &member.name) {
                    wrong.push(format!("{fault}: {}, {:?}\n{report}", runs.text, case.state));
                }
                let regret = case.regret(scorned, report.best_action());
                own.add(regret);
                for (list, word) in member.name.iter().enumerate() {
                    words.entry((list, word)).or_default().add(regret);
                }
                all.add(regret);
                for action in &report.actions {
                    at_random.add(case.regret(scorned, action.action));
                }
            }
        }
        searches.push((own.get(), &*member.text));
    }
    let mut words = Vec::from_iter(words.iter().map(|(&(_, word), mean)| (mean.get(), word)));
    for list in [&mut searches, &mut words] {
        list.sort_by(|a, b| b.0.total_cmp(&a.0));
    }
    let (all, at_random) = (all.get(), at_random.get());
    let (count, games) = (searches.len(), cases.len());
    println!(
        "{family}: {count} searches, {games} games; any action loses {at_random:.4}, all searches {all:.4},"
    );
    println!("{family}: the worst words {:.3?}, the worst searches {:.3?}", &words[..6], &searches[..6]);
    let over: Vec<_> = [
        (all > bounds.all, (all, "all together")),
        (words[bounds.but_for].0 > bounds.word, words[bounds.but_for]),
        (words[0].0 > bounds.any_word, words[0]),
        (searches[0].0 > bounds.search * step as f64, searches[0]),
    ]
    .into_iter()
    .filter_map(|(is_over, what)| is_over.then_some(what))
    .collect();
    let faults = wrong.len();
    assert!(
        wrong.is_empty() && over.is_empty(),
        "{family}: the regret is too high for {over:?}; {faults} faults\n{}",
        wrong[..faults.min(5)].join("\n")
    );
    assert!(
        at_random > 5.0 * bounds.all && at_random > 3.0 * bounds.word,
        "{family}: these games tell nothing"
    );
}

/// Runs the searches of one policy with each rollout policy and with each backpropagation, with and without
/// proofs. The claims of [`fault`] must hold, and the mean regret must not exceed `most` for all of them
/// together, and five times as much for any one.
pub fn judge_policy(policy: &str, cases: &[Case], most: f64) {
    let (known, words) = (everything(), everything().words());
    let rollouts = words.rollouts.iter().map(|rollout| [rollout, "average"]);
    let backprops = words.backprops.iter().map(|backprop| ["uniform", backprop]);
    let (mut all, mut worst) = (Mean::default(), (0.0, String::new()));
    for ([rollout, backprop], solver) in
        rollouts.chain(backprops).flat_map(|parts| ["no", "yes"].map(|solver| (parts, solver)))
    {
        let name = [policy, rollout, backprop, solver].map(str::to_owned);
        let (text, mut own) = (text_of(&name), Mean::default());
        for (case, seed) in cases.iter().flat_map(|case| (0..2 * depth()).map(move |seed| (case, seed))) {
            let report = case.run(&known, &text, seed);
            assert_eq!(fault(case, &report, &name), None, "{text}: {:?}\n{report}", case.state);
            let regret = case.regret(backprop == "contempt", report.best_action());
            own.add(regret);
            all.add(regret);
        }
        if own.get() > worst.0 {
            worst = (own.get(), text);
        }
    }
    println!("{policy}: all searches lose {:.4}, the worst {:.4?}", all.get(), worst);
    assert!(all.get() <= most && worst.0 <= 5.0 * most, "{}, and {worst:?}", all.get());
}

/// Runs the searches that may stop early, once with an early stop and once to the end. Both must play the
/// same action, except for what is proven or pruned after the stop. Returns the number of searches that
/// stopped.
pub fn judge_early_stops(cases: &[Case]) -> usize {
    let (known, mut stopped) = (everything(), 0);
    for member in settled().iter().filter(|member| !plans(&member.name[0])) {
        if !matches!(&*member.name[8], "-" | "final=robust") {
            continue;
        }
        for case in cases {
            let runs = if case.provable { &member.narrowed() } else { member };
            let run = |budget| runs.run_for(&known, &case.state, 0, budget).expect("a sound game");
            let budget = Budget::iterations(case.iterations);
            let (early, whole) = (run(budget.or_decided()), run(budget));
            let news =
                early.actions.iter().zip(&whole.actions).any(|(before, after)| {
                    (before.proof, before.is_pruned) != (after.proof, after.is_pruned)
                });
            let same = early.best_action() == whole.best_action();
            assert!(same || news, "{}\n{early}\n{whole}", runs.text);
            if early.stop_reason == StopReason::Decided {
                stopped += 1;
                let open = early.actions.iter().filter(|action| action.proof.is_none() && !action.is_pruned);
                let mut visits = Vec::from_iter(open.map(|action| u64::from(action.visits)));
                visits.sort_unstable();
                let left = case.iterations - early.iterations;
                if let [.., second, first] = visits[..] {
                    assert!(first - second >= left, "{}: {left} iterations are left\n{early}", runs.text);
                }
            }
        }
    }
    stopped
}

/// Runs [`Ucb1`](ramure::selection::Ucb1) with a backpropagation on all `cases`. The claims of [`fault`] must
/// hold, and the search must play the best action in all but one of 50 runs. In the hardest case, a gamble is
/// worth .05 more than a draw. Its mean lies three standard deviations above the draw if it gets all 800
/// iterations, and two if the draw gets half of them because it is not proven.
pub fn judge_backprop<B: Backprop<Any>>(cases: &[Case], scorned: bool, backprop: impl Fn() -> B) {
    let (mut runs, mut missed) = (0, Vec::new());
    for case in cases {
        for seed in 0..2 * depth() {
            let search = Mcts::new(case.state.clone()).tree_policy(Ucb1::new(2_f32.sqrt()));
            let mut search = search.backprop(backprop()).seed(seed);
            let report = search.run(Budget::iterations(case.iterations)).expect("a sound game");
            let about = std::any::type_name::<B>();
            assert_eq!(fault(case, &report, &[]), None, "{about}: {:?}\n{report}", case.state);
            let regret = case.regret(scorned, report.best_action());
            runs += 1;
            if regret > 1e-9 {
                missed.push(format!("{about}: {regret} is lost in {:?}\n{report}", case.state));
            }
        }
    }
    assert!(missed.len() <= runs / 50, "{} of {runs} runs\n{}", missed.len(), missed.join("\n"));
}
