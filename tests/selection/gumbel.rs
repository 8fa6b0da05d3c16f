//! `selection::GumbelRoot` and `CompletedValues`, compared with the schedule of mctx, the formulas in f64,
//! the laws of chance and the theorem of the paper.

#![allow(clippy::disallowed_methods, reason = "tests may use the platform's own powers")]

use crate::common::any::Any;
use crate::common::four::Connect4;
use crate::common::simple::OneStep;
use crate::common::{chi_squared, sized, visits, with_priors};
use ramure::ActionReport;
use ramure::backpropagation::{Average, Solver};
use ramure::selection::{AtRoot, CompletedValues, Dirichlet, Gumbel, GumbelRoot, Puct};
use ramure::simulation::{Evaluate, Evaluator, Uniform, WithPriors};
use ramure::{Budget, GameState, Mcts, Report, Rewards, Rng, StopReason, Turn};

fn one_step(worth: &[f64]) -> Any {
    Any::listed(OneStep::new(Box::leak(Vec::from(worth).into_boxed_slice())))
}

fn connect4() -> Any {
    Any::new(Connect4::default())
}

/// Returns an evaluator with these priors that gives every state this `value`.
fn says<'a>(priors: &'a [f64], value: f64) -> Evaluate<impl Evaluator<Any> + Clone + 'a> {
    Evaluate::by(move |_: &Any, actions: &[u8], into: &mut [f32]| {
        for (into, &action) in into.iter_mut().zip(actions) {
            *into = priors[usize::from(action)] as f32;
        }
        Rewards::new(1, |_| value as f32)
    })
}

/// Returns the visits in `simulations` simulations of a new root after its own evaluation, without noise.
fn without_noise(worth: &[f64], priors: &[f64], drawn: u32, simulations: u64) -> Vec<u32> {
    let policy = AtRoot::new(GumbelRoot::new(drawn).noise(0.0), CompletedValues::default());
    let search = Mcts::new(one_step(worth)).backprop(Average).rollout_policy(says(priors, 0.5));
    let report = search.tree_policy(policy).run(Budget::iterations(simulations + 1)).expect("a sound game");
    visits(&report)
}

#[test]
fn the_rounds_match_those_of_mctx() {
    // The sequences of visits that seq_halving_test.py of mctx expects, summed by action, the best first.
    // With 8 actions and 24 simulations, all actions are considered once, 4 twice more, 2 four times more;
    // and so on.
    let cases: [(usize, u64, &[u32]); 5] = [
        (8, 24, &[7, 7, 3, 3, 1, 1, 1, 1]),
        (8, 47, &[18, 17, 4, 4, 1, 1, 1, 1]),
        (8, 2, &[1, 1, 0, 0, 0, 0, 0, 0]),
        (8, 13, &[3, 2, 2, 2, 1, 1, 1, 1]),
        (7, 24, &[9, 8, 3, 1, 1, 1, 1]),
    ];
    for (count, simulations, expected) in cases {
        let worth = Vec::from_iter((0..count).map(|rank| 0.9 - 0.1 * rank as f64));
        // Priors with the same order, slightly different, lead the first two simulations to the best two
        // actions.
        let priors = Vec::from_iter((0..count).map(|rank| 1.0 - 0.01 * rank as f64));
        assert_eq!(without_noise(&worth, &priors, 16, simulations), expected, "{count}, {simulations}");
    }
    let single = without_noise(&[0.1, 0.9, 0.5], &[0.2, 0.3, 0.5], 1, 16);
    assert_eq!(single, [0, 0, 16], "only the greatest prior is considered");
    let four = without_noise(&[0.1, 0.9, 0.5, 0.2, 0.3, 0.8], &[0.3, 0.01, 0.2, 0.15, 0.14, 0.2], 4, 16);
    assert_eq!(four, [2, 0, 6, 2, 0, 6], "the four greatest priors, and of them the two greatest values");
}

#[test]
fn with_equal_values_actions_are_played_in_proportion_to_the_priors() {
    // Chi-squared with four degrees of freedom is above 23.5 with a probability of 1e-4, so in one of eight
    // cases with 8e-4.
    const PRIORS: [f64; 5] = [0.4, 0.3, 0.15, 0.1, 0.05];
    for (simulations, drawn) in [(1, 16), (2, 16), (3, 2), (5, 16), (8, 3), (9, 16), (12, 4), (16, 16)] {
        let mut counts = [0; 5];
        for seed in 0..sized(600, 3_000) {
            let policy = Gumbel::considering(drawn);
            let search = Mcts::new(one_step(&[0.5; 5]))
                .backprop(Average)
                .rollout_policy(says(&PRIORS, 0.5))
                .seed(seed);
            let report = search.tree_policy(policy).run(Budget::iterations(simulations + 1));
            counts[usize::from(report.expect("a sound game").best_action())] += 1;
        }
        assert!(chi_squared(&counts, &PRIORS) < 23.5, "{counts:?}, {simulations} of {drawn}");
    }
}

#[test]
fn few_simulations_improve_on_a_draw_from_the_priors() {
    // The values are exact here, so the theorem holds: the expectation is at least that of the priors, 0.42.
    // A mean of 1 000 must exceed it by four of its standard errors, which are below 0.013. From two
    // simulations on, it exceeds it by far.
    const WORTH: [f64; 8] = [0.2, 0.9, 0.4, 0.6, 0.1, 0.8, 0.5, 0.3];
    const PRIORS: [f64; 8] = [0.3, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1];
    let of_priors: f64 = WORTH.iter().zip(PRIORS).map(|(worth, prior)| worth * prior).sum();
    let mut last = of_priors;
    for simulations in [2, 4, 8, 16] {
        let total: f64 = (0..1_000)
            .map(|seed| {
                let search = Mcts::new(one_step(&WORTH))
                    .backprop(Average)
                    .rollout_policy(says(&PRIORS, 0.5))
                    .seed(seed);
                let report = search.tree_policy(Gumbel::default()).run(Budget::iterations(simulations + 1));
                WORTH[usize::from(report.expect("a sound game").best_action())]
            })
            .sum();
        let mean = total / 1_000.0;
        println!("{simulations} simulations: {mean:.3}, the priors {of_priors:.3}");
        assert!(mean > of_priors + 0.052, "{mean} with {simulations}");
        assert!(mean > last - 0.052, "more simulations must not be worse: {mean} after {last}");
        last = mean;
    }
}

/// `c_visit` and `c_scale`, and whether values are rescaled.
#[derive(Clone, Copy, Debug)]
struct Scale {
    c_visit: f64,
    c_scale: f64,
    rescaled: bool,
}

const SCALES: [Scale; 6] = {
    const fn new(c_visit: f64, c_scale: f64, rescaled: bool) -> Scale {
        Scale { c_visit, c_scale, rescaled }
    }
    [
        new(50.0, 1.0, false),
        new(5.0, 0.5, false),
        new(50.0, 0.125, false),
        new(0.0, 0.0, false),
        new(50.0, 0.1, true),
        new(3.0, 0.25, true),
    ]
};

impl Scale {
    fn below(self) -> CompletedValues {
        let below = CompletedValues::new(self.c_visit as f32, self.c_scale as f32);
        if self.rescaled { below.rescaled() } else { below }
    }

    fn at_root(self, drawn: u32) -> GumbelRoot {
        let root = GumbelRoot::new(drawn).scale(self.c_visit as f32, self.c_scale as f32).noise(0.0);
        if self.rescaled { root.rescaled() } else { root }
    }

    /// Returns the logits of `π'` in f64: `ln P + σ(completed q)`, with `σ` of equation 8 of the paper, the
    /// completed values of equation 10 and `v_mix` of appendix D. Rescaling follows mctx's
    /// `qtransform_completed_by_mix_value`.
    fn logits(self, n: &[u32], q: &[f64], priors: &[f64], raw: Option<f64>) -> Vec<f64> {
        let visited = || (0..n.len()).filter(|&a| n[a] > 0);
        let all: f64 = n.iter().map(|&n| f64::from(n)).sum();
        let weight: f64 = visited().map(|a| priors[a]).sum();
        let mean = visited().map(|a| priors[a] / weight * q[a]).sum::<f64>();
        let mixed = match raw {
            Some(raw) => (raw + all * mean) / (1.0 + all),
            None if all == 0.0 => 0.5,
            None => mean,
        };
        let mut completed = Vec::from_iter((0..n.len()).map(|a| if n[a] > 0 { q[a] } else { mixed }));
        if self.rescaled {
            let least = completed.iter().copied().fold(f64::INFINITY, f64::min);
            let greatest = completed.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            completed.iter_mut().for_each(|q| *q = (*q - least) / (greatest - least).max(1e-8));
        }
        let most = f64::from(*n.iter().max().expect("actions"));
        let sigma = |q: f64| (self.c_visit + most) * self.c_scale * q;
        Vec::from_iter((0..n.len()).map(|a| priors[a].ln() + sigma(completed[a])))
    }

    /// Returns `π'`, equation 11.
    fn improved(self, n: &[u32], q: &[f64], priors: &[f64], raw: Option<f64>) -> Vec<f64> {
        let logits = self.logits(n, q, priors, raw);
        let greatest = logits.iter().copied().fold(f64::MIN, f64::max);
        let sum: f64 = logits.iter().map(|logit| (logit - greatest).exp()).sum();
        logits.iter().map(|logit| (logit - greatest).exp() / sum).collect()
    }
}

/// Returns the index of the greatest value, the first if there are several.
fn greatest(arms: impl Iterator<Item = usize>, score: impl Fn(usize) -> f64) -> usize {
    arms.reduce(|best, a| if score(a) > score(best) { a } else { best }).expect("actions")
}

/// Section 5 of the paper in f64: returns the visits of this number of simulations of a node whose actions
/// have exact values.
fn follow(worth: &[f64], priors: &[f64], raw: Option<f64>, scale: Scale, simulations: u64) -> Vec<u32> {
    let mut n = vec![0u32; worth.len()];
    for _ in 0..simulations {
        let all: f64 = n.iter().map(|&n| f64::from(n)).sum();
        let improved = scale.improved(&n, worth, priors, raw);
        let next = greatest(0..n.len(), |a| improved[a] - f64::from(n[a]) / (1.0 + all));
        n[next] += 1;
    }
    n
}

/// Algorithm 2 of the paper in f64, without noise, with the rounds of mctx's
/// `get_sequence_of_considered_visits`: returns the visits of this number of simulations of the root, and the
/// action to play.
fn halve(
    worth: &[f64],
    priors: &[f64],
    raw: Option<f64>,
    scale: Scale,
    drawn: usize,
    simulations: usize,
) -> (Vec<u32>, usize) {
    let mut n = vec![0u32; worth.len()];
    let mut considered = Vec::from_iter(0..worth.len());
    considered.sort_by(|&a, &b| priors[b].total_cmp(&priors[a]));
    considered.truncate(drawn);
    let rounds = (considered.len() as f64).log2().ceil() as usize;
    let mut left = simulations;
    while left > 0 {
        let extra = (simulations / (rounds * considered.len()).max(1)).max(1) * considered.len();
        for _ in 0..extra.min(left) {
            let scores = scale.logits(&n, worth, priors, raw);
            let fewest = considered.iter().map(|&a| n[a]).min().expect("actions");
            let next = greatest(considered.iter().copied().filter(|&a| n[a] == fewest), |a| scores[a]);
            n[next] += 1;
            left -= 1;
        }
        let scores = scale.logits(&n, worth, priors, raw);
        considered.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        considered.truncate((considered.len() / 2).max(2));
    }
    let (scores, most) = (scale.logits(&n, worth, priors, raw), *n.iter().max().expect("actions"));
    let chosen = greatest((0..n.len()).filter(|&a| n[a] == most), |a| scores[a]);
    (n, chosen)
}

/// Draws values and priors of actions at random. Both matter, because the priors differ by a factor of 20.
fn drawn(count: usize, rng: &mut Rng) -> (Vec<f64>, Vec<f64>) {
    let worth = Vec::from_iter((0..count).map(|_| rng.unit()));
    let weights = Vec::from_iter((0..count).map(|_| 0.05 + rng.unit()));
    let sum: f64 = weights.iter().sum();
    (worth, weights.iter().map(|weight| weight / sum).collect())
}

/// Checks that `improved` is the report's improved policy. The means have single precision, so logits have an
/// error of 1e-5.
#[track_caller]
fn has_improved<A>(report: &Report<A>, improved: &[f64]) {
    let found = report.improved_policy().expect("it has one");
    assert_eq!(found.len(), improved.len());
    for (&found, &expected) in found.iter().zip(improved) {
        assert!((f64::from(found) - expected).abs() < 1e-4, "{found}, not {expected}");
    }
    assert!((found.iter().map(|&share| f64::from(share)).sum::<f64>() - 1.0).abs() < 1e-5);
}

#[test]
fn nodes_below_the_root_follow_the_improved_policy() {
    let mut rng = Rng::seeded(5);
    for case in 0..90 {
        let (worth, priors) = drawn(2 + case % 9, &mut rng);
        let (raw, scale) = (rng.unit(), SCALES[case % SCALES.len()]);
        let with_value =
            Mcts::new(one_step(&worth)).rollout_policy(says(&priors, raw)).tree_policy(scale.below());
        let weight = |_: &Any, action: u8| priors[usize::from(action)] as f32;
        let without = Mcts::new(one_step(&worth)).rollout_policy(WithPriors::new(Uniform, weight));
        let (mut with_value, mut without) = (with_value, without.tree_policy(scale.below()));
        for simulations in [1, 7, 40, 200] {
            let reported = [
                with_value.reset_and_run(one_step(&worth), simulations + 1),
                without.reset_and_run(one_step(&worth), simulations + 1),
            ];
            for (reported, raw) in reported.into_iter().zip([Some(raw), None]) {
                let expected = follow(&worth, &priors, raw, scale, simulations);
                assert_eq!(visits(&reported), expected, "{scale:?}, {raw:?}");
                has_improved(&reported, &scale.improved(&expected, &worth, &priors, raw));
            }
        }
    }
}

#[test]
fn the_root_follows_the_formulas_of_the_paper() {
    let (mut rng, mut differ) = (Rng::seeded(6), 0);
    for case in 0..sized(150, 300) {
        let (count, considered) = (2 + case % 11, 1 + case % 7);
        let (worth, priors) = drawn(count, &mut rng);
        let (raw, scale) = (rng.unit(), SCALES[case % SCALES.len()]);
        for simulations in [1, 6, 25, 120] {
            let policy = AtRoot::new(scale.at_root(considered as u32), scale.below());
            let search = Mcts::new(one_step(&worth))
                .backprop(Average)
                .rollout_policy(says(&priors, raw))
                .tree_policy(policy);
            let mut search = search;
            let report = search.run(Budget::iterations(simulations as u64 + 1)).expect("a sound game");
            let halved = |scale| halve(&worth, &priors, Some(raw), scale, considered, simulations);
            let (expected, chosen) = halved(scale);
            assert_eq!(visits(&report), expected, "{scale:?}, {considered} of {count}, {simulations}");
            assert_eq!(report.chosen, Some(chosen), "{scale:?}, {considered} of {count}, {simulations}");
            has_improved(&report, &scale.improved(&expected, &worth, &priors, Some(raw)));
            // The cases must distinguish the scales: visits that count or do not, and values that are
            // rescaled or not.
            differ += u32::from(halved(Scale { rescaled: !scale.rescaled, ..scale }) != (expected, chosen));
        }
    }
    assert!(differ > sized(15, 30), "{differ}");
}

#[test]
fn the_mctx_constructor_has_the_defaults_of_mctx() {
    let mut rng = Rng::seeded(8);
    let (worth, priors) = drawn(20, &mut rng);
    let run = |policy: Gumbel| {
        let search =
            Mcts::new(one_step(&worth)).backprop(Average).rollout_policy(says(&priors, 0.25)).seed(4);
        search.tree_policy(policy).run(Budget::iterations(65)).expect("a sound game")
    };
    let report = run(Gumbel::mctx());
    let scale = Scale { c_visit: 50.0, c_scale: 0.1, rescaled: true };
    has_improved(&report, &scale.improved(&visits(&report), &worth, &priors, Some(0.25)));
    assert_eq!(report.actions, run(Gumbel::with(16, 50.0, 0.1).rescaled()).actions);
    assert_ne!(report.actions, run(Gumbel::with(16, 50.0, 0.1)).actions);
    assert_eq!(visits(&report).iter().filter(|&&visits| visits > 0).count(), 16);
    let (table, share) =
        (report.to_string(), report.chosen_action().and_then(|chosen| chosen.improved_policy));
    let row = table.lines().nth(1).expect("the chosen action comes first").to_owned();
    assert!(table.lines().next().is_some_and(|head| head.ends_with("prior  improved  proof")), "{table}");
    assert!(row.ends_with(&format!("{:.4}", share.expect("it has one"))), "{table}");
}

/// Returns the improved policy, from the report's visits, means, priors and proofs. Wins have all of it, and
/// losses have nothing while another action does not lose.
fn by_the_report<A>(report: &Report<A>, scale: Scale, raw: f64) -> Vec<f64> {
    let of = |value: fn(&ActionReport<A>) -> f64| Vec::from_iter(report.actions.iter().map(value));
    let values = of(|action| f64::from(action.proof.unwrap_or(action.mean)));
    let priors = of(|action| f64::from(action.prior.expect("it has priors")));
    let mut improved = scale.improved(&visits(report), &values, &priors, Some(raw));
    let proofs = Vec::from_iter(report.actions.iter().map(|action| action.proof));
    let (is_won, is_lost) = (proofs.contains(&Some(1.0)), proofs.iter().all(|&proof| proof == Some(0.0)));
    for (share, &proof) in improved.iter_mut().zip(&proofs) {
        if is_won && proof != Some(1.0) || !is_lost && proof == Some(0.0) {
            *share = 0.0;
        }
    }
    let sum: f64 = improved.iter().sum();
    improved.iter().map(|share| share / sum).collect()
}

#[test]
fn the_improved_policy_of_a_report_includes_proofs_and_sums_to_one() {
    fn evaluator(state: &Any, actions: &[u8], into: &mut [f32]) -> Rewards {
        into.iter_mut().zip(actions).for_each(|(into, &action)| *into = 1.0 + f32::from(action));
        Rewards::new(state.players(), |_| 0.5)
    }
    let (mut rng, mut proven) = (Rng::seeded(3), [0, 0]);
    for case in 0..120 {
        let state = crate::common::wander(Connect4::default(), 14 + case % 14, &mut rng);
        if state.turn() == Turn::Over {
            continue;
        }
        let search =
            Mcts::new(Any::new(state)).rollout_policy(Evaluate::by(evaluator)).backprop(Solver::new(Average));
        let mut search = search.tree_policy(Gumbel::considering(5)).seed(case as u64);
        assert_eq!(search.report().expect("a running game").improved_policy(), None, "nothing is known");
        let report = search.run(Budget::iterations(200)).expect("a sound game");
        has_improved(&report, &by_the_report(&report, SCALES[0], 0.5));
        let improved = report.improved_policy().expect("it has one");
        let has = |reward| report.actions.iter().any(|action| action.proof == Some(reward));
        let is_open = report.actions.iter().any(|action| action.proof != Some(0.0));
        for shares in [improved, report.visit_shares()] {
            assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{shares:?}");
            for (action, share) in report.actions.iter().zip(shares) {
                match action.proof {
                    Some(0.0) if is_open => assert_eq!(share, 0.0, "{report}"),
                    Some(1.0) => {}
                    _ if has(1.0) => assert_eq!(share, 0.0, "{report}"),
                    _ => {}
                }
            }
        }
        proven[0] += u32::from(has(0.0) && is_open);
        proven[1] += u32::from(has(1.0));
    }
    assert!(proven.iter().all(|&count| count > 5), "{proven:?}");
}

#[test]
fn only_policies_that_improve_the_priors_report_an_improved_policy() {
    let priors = || with_priors(|_: &Any, column: u8| f32::from(column) + 1.0);
    let new = || Mcts::new(connect4()).rollout_policy(priors());
    let budget = Budget::iterations(100);
    let plain = new().tree_policy(Puct::default()).run(budget).expect("a sound game");
    assert_eq!(plain.improved_policy(), None);
    // The root's own improved policy, over a tree policy that has none.
    let at_root = new().tree_policy(AtRoot::new(GumbelRoot::default(), Puct::default()));
    let target = { at_root }.run(budget).expect("a sound game").improved_policy().expect("it has one");
    assert!((target.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{target:?}");
    // The improved policy of the policy below, at a root with noise. If the root has no value, an unvisited
    // child has the mean of the others.
    let below = AtRoot::new(Dirichlet::default(), Gumbel::considering(4));
    let target = new().tree_policy(below).run(budget).expect("a sound game").improved_policy();
    assert!((target.expect("it has one").iter().sum::<f32>() - 1.0).abs() < 1e-5);
    let unsearched = Mcts::new(connect4()).rollout_policy(priors()).tree_policy(Puct::default());
    assert!(unsearched.report().expect("a running game").visit_shares().iter().all(|&share| share == 0.0));
}

/// Runs a search from an empty tree.
trait FromNothing {
    fn reset_and_run(&mut self, state: Any, iterations: u64) -> Report<u8>;
}

impl<S: ramure::Search<Space = Any>> FromNothing for S {
    fn reset_and_run(&mut self, state: Any, iterations: u64) -> Report<u8> {
        self.reset(state);
        self.run(Budget::iterations(iterations)).expect("a sound game")
    }
}

#[test]
fn an_action_without_a_prior_is_chosen_last() {
    let priors = |_: &Any, action: u8| f32::from(u8::from(action > 1));
    for seed in 0..50 {
        let search = Mcts::new(one_step(&[1.0, 1.0, 0.2, 0.3])).rollout_policy(with_priors(priors));
        let report = search.tree_policy(Gumbel::default()).seed(seed).run(Budget::iterations(40));
        assert_eq!(visits(&report.expect("a sound game"))[..2], [0, 0]);
    }
    // The two actions with a prior lose and are proven. Then the search plays one of the others, which wins
    // and ends the search.
    let search = Mcts::new(one_step(&[1.0, 1.0, 0.0, 0.0])).rollout_policy(with_priors(priors));
    let search = search.backprop(Solver::new(Average));
    let report = search.tree_policy(Gumbel::default()).run(Budget::iterations(40)).expect("a sound game");
    assert_eq!((report.stop_reason, report.proof), (StopReason::Proven, Some(1.0)), "{report}");
}
