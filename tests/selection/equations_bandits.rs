//! The tree policies from bandits follow the formulas of their papers: their scores and the frequencies of
//! their draws are compared with these formulas, written here a second time in double precision.
//!
//! Each policy chooses at a real node, whose statistics come from rewards that the test sets. The node passes
//! on every call and records each child's score. Draws are tested by chi-squared. Each such test fails for a
//! correct policy with a probability of 1e-6; seeds are fixed.

#![allow(
    clippy::disallowed_methods,
    reason = "tests may use the platform's own functions, in double precision"
)]

use crate::common::hashed::unit;
use crate::common::{self, sized};
use crate::watched::{Arm, Arms, Bench, pays};
use ramure::backpropagation::RecencyWeighted;
use ramure::selection::{
    Boltzmann, EpsilonGreedy, Exp3, GaussianThompson, KlUcb, Moss, SinglePlayer, Thompson, TreePolicy, Ucb1,
    Ucb1Tuned, UcbV,
};
use ramure::statistics::Statistics;
use statrs::distribution::{Beta, ChiSquared, Continuous, ContinuousCDF, Normal};
use std::fmt::Debug;

/// Rewards, arm by arm: wins and losses; fractions; arms with very different visits; arms that always won or
/// lost.
fn tables() -> Vec<Vec<Vec<f64>>> {
    let arm = |wins: usize, losses: usize| [vec![1.0; wins], vec![0.0; losses]].concat();
    vec![
        vec![arm(1, 0), arm(0, 1)],
        vec![arm(2, 1), arm(1, 1), arm(0, 2), arm(3, 0)],
        vec![vec![0.25, 0.5, 0.75], vec![0.1, 0.9], vec![0.5; 4], vec![1.0, 0.375, 0.0, 0.625, 0.3]],
        vec![arm(700, 300), arm(3, 5), arm(0, 9), arm(12, 0), arm(1, 60)],
        (0..20).map(|index| arm(1 + index % 7, 1 + 3 * index % 11)).collect(),
        // More than 2048 plays in both sizes.
        vec![arm(sized(1_800, 6_000), sized(600, 2_000)), arm(40, 20), arm(0, 2), arm(2, 0)],
    ]
}

/// Checks that at all tables, and along its own run, `policy` scores `score(arm, ln N)`, which must grow with
/// the logarithm and the variance. The tolerance is 1e-5, plus the error of the table of logarithms, or of
/// their roots if `rooted`, and the error of the variance if rewards are not binary fractions.
fn scores<P>(policy: impl Fn() -> P, rooted: bool, score: impl Fn(&Arm, f64) -> f64)
where
    P: TreePolicy<Arms, Stats: Statistics<Arms, ()>> + Clone + Debug + 'static,
{
    let check = |bench: &Bench<P>, scores: &[f64], variance: f64| {
        let ln = bench.plays().ln();
        // Below 2048, table values are exact up to rounding. Above, ln has an error of 1e-5 and its root of
        // 2e-4.
        let off = match (bench.plays() < 2048.0, rooted) {
            (true, _) => 3e-6,
            (false, false) => 1e-5 * ln,
            (false, true) => 4e-4 * ln,
        };
        for (index, (&found, arm)) in scores.iter().zip(bench.arms()).enumerate() {
            let least = score(&Arm { off: -variance, ..*arm }, (ln - off).max(0.0));
            let most = score(&Arm { off: variance, ..*arm }, ln + off);
            let rounding = 1e-5 * most.abs();
            let fits = (least - rounding..=most + rounding).contains(&found);
            assert!(fits, "arm {index} of {:?}: {found}, not {least} to {most}", bench.arms());
        }
    };
    for table in tables() {
        let mut bench = Bench::at(policy(), &table);
        let scores = bench.scores();
        check(&bench, &scores, 0.0);
    }
    let mut bench = Bench::new(policy(), 9);
    for play in 0..sized(2_200, 3_000) {
        let before = bench.clone_arms();
        let (chosen, scores) = bench.play(|arm| pays(arm, play));
        if play < 9 {
            assert_eq!(before[chosen].plays, 0.0, "each arm is tried once first");
            continue;
        }
        let greatest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert_eq!(scores[chosen], greatest, "the policy chooses the greatest");
        let after = bench.replace_arms(before);
        check(&bench, &scores, 2e-7);
        bench.replace_arms(after);
    }
}

#[test]
fn ucb1_scores_as_figure_1_of_auer_2002() {
    for c in [0.0, 0.5, std::f32::consts::SQRT_2] {
        scores(|| Ucb1::new(c), true, |arm, ln| arm.mean() + f64::from(c) * (ln / arm.plays).sqrt());
    }
}

#[test]
fn ucb1_tuned_scores_as_section_4_of_auer_2002() {
    for c in [0.4, 1.0] {
        scores(
            || Ucb1Tuned::new(c),
            true,
            |arm, ln| {
                let bound = arm.variance() + (2.0 * ln / arm.plays).sqrt();
                arm.mean() + f64::from(c) * (ln / arm.plays * bound.min(0.25)).sqrt()
            },
        );
    }
}

/// The three terms of SP-MCTS, for rewards that are scaled to the least and the greatest one met.
#[test]
fn single_player_scores_as_section_4_of_schadd_2008() {
    // One more table: a narrow range of rewards, which scaling widens.
    let narrow = vec![vec![0.5, 0.5625, 0.53125], vec![0.515625; 4], vec![0.5625, 0.5]];
    for table in tables().into_iter().chain([narrow]) {
        let all = || table.iter().flatten().copied();
        let (least, greatest) = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
        let scale = |reward: f64| (reward - least) / (greatest - least);
        for (c, d) in [(0.5, 0.01), (0.0, 0.0), (1.5, 3.0)] {
            let mut bench = Bench::at(SinglePlayer::new(c, d), &table);
            let (found, plays) = (bench.scores(), bench.plays());
            for (found, rewards) in found.into_iter().zip(&table) {
                let n = rewards.len() as f64;
                let mean = rewards.iter().map(|&reward| scale(reward)).sum::<f64>() / n;
                let squares: f64 = rewards.iter().map(|&reward| scale(reward).powi(2)).sum();
                let third = ((squares - n * mean * mean + f64::from(d)).max(0.0) / n).sqrt();
                let score = mean + f64::from(c) * (plays.ln() / n).sqrt() + third;
                // The root of a variance of 0 that is off by 1e-13 is off by 3e-7; scaled by the narrow
                // range, by 5e-6.
                let off = 2e-5 + if plays < 2048.0 { 0.0 } else { 4e-4 * f64::from(c) };
                assert!((found - score).abs() < off, "{rewards:?}: {found}, not {score}");
            }
        }
    }
}

#[test]
fn ucb_v_scores_as_audibert_2009() {
    for (zeta, c) in [(1.2, 1.0), (0.3, 0.25), (2.0, 0.0), (0.0, 1.0)] {
        scores(
            || UcbV::new(zeta, c),
            false,
            |arm, ln| {
                let e = f64::from(zeta) * ln;
                arm.mean()
                    + (2.0 * arm.variance() * e / arm.plays).sqrt()
                    + 3.0 * f64::from(c) * e / arm.plays
            },
        );
    }
}

/// The divergence of two Bernoulli distributions.
fn divergence(p: f64, q: f64) -> f64 {
    let part = |x: f64, y: f64| if x > 0.0 { x * (x / y).ln() } else { 0.0 };
    part(p, q) + part(1.0 - p, 1.0 - q)
}

#[test]
fn kl_ucb_scores_as_algorithm_1_of_garivier_2011() {
    for c in [0.0, 3.0] {
        scores(
            || KlUcb::new(c),
            false,
            |arm, ln| {
                let level = (ln + f64::from(c) * ln.max(1.0).ln()) / arm.plays;
                let (mut low, mut high) = (arm.mean(), 1.0);
                for _ in 0..60 {
                    let q = 0.5 * (low + high);
                    if q < 1.0 && divergence(arm.mean(), q) <= level { low = q } else { high = q }
                }
                low
            },
        );
    }
}

#[test]
fn moss_scores_as_audibert_and_bubeck_2009_with_the_plays_so_far_for_the_horizon() {
    for count in [2, 4, 5, 9, 20] {
        let some = |table: &Vec<Vec<f64>>| table.len() == count;
        for table in tables().iter().filter(|table| some(table)) {
            let mut bench = Bench::at(Moss::new(), table);
            let (plays, found) = (bench.plays(), bench.scores());
            for (arm, found) in bench.arms().iter().zip(found) {
                moss_is(arm, plays, count, found);
            }
            let mut bench = Bench::at(Moss::with_horizon(1_500), table);
            let found = bench.scores();
            for (arm, found) in bench.arms().iter().zip(found) {
                moss_is(arm, 1_500.0, count, found);
            }
        }
    }
    let mut bench = Bench::new(Moss::new(), 9);
    for play in 0..sized(2_200, 4_000) {
        let (before, plays) = (bench.clone_arms(), bench.plays());
        let (chosen, scores) = bench.play(|arm| pays(arm, play));
        if play >= 9 {
            before.iter().zip(&scores).for_each(|(arm, &found)| moss_is(arm, plays, 9, found));
            assert_eq!(scores[chosen], scores.iter().copied().fold(f64::NEG_INFINITY, f64::max));
        }
    }
}

/// If the three logarithms nearly cancel, the root magnifies their errors: 3e-6 below 2048, and 1e-4 above.
fn moss_is(arm: &Arm, plays: f64, count: usize, found: f64) {
    let off = if plays < 2048.0 { 3e-6 } else { 1e-4 };
    let log = (plays / (count as f64 * arm.plays)).ln();
    let [least, most] = [log - off, log + off].map(|log| arm.mean() + (log.max(0.0) / arm.plays).sqrt());
    assert!((least - 1e-6..=most + 1e-6).contains(&found), "{arm:?} {plays}: {found}, not {least} to {most}");
}

#[test]
fn scores_match_hand_computed_values() {
    // Two wins of three, one of two, none of two, three of three: N = 10, ln 10 = 2.302585.
    let table = &tables()[1];
    let by_hand = |found: Vec<f64>, right: [f64; 4]| {
        for (found, right) in found.iter().zip(right) {
            assert!((found - right).abs() < 1e-5 * right, "{found}, not {right}");
        }
    };
    // 0.666667 + sqrt(0.767528), 0.5 + sqrt(1.151293), sqrt(1.151293), 1 + sqrt(0.767528)
    by_hand(Bench::at(Ucb1::new(1.0), table).scores(), [1.542753, 1.572983, 1.072983, 1.876087]);
    // The bound on the variance is above 1/4 everywhere, so the bonuses are half of these.
    by_hand(Bench::at(Ucb1Tuned::new(1.0), table).scores(), [1.104710, 1.036491, 0.536491, 1.438043]);
    // E = 2.302585, variances 2/9, 1/4, 0, 0: roots 0.584059, 0.758714, 0, 0; last terms 2.302585 and
    // 3.453878.
    by_hand(Bench::at(UcbV::new(1.0, 1.0), table).scores(), [3.553311, 4.712592, 3.453878, 3.302585]);
    // Without a win, the bound is 1 - N^(-1/n), here 1 - 10^(-1/2); with nothing but wins, it is 1.
    let found = Bench::at(KlUcb::new(0.0), table).scores();
    assert!((found[2] - 0.683772).abs() < 1e-6 && found[3] == 1.0, "{found:?}");
    // For one half, d is ln(1 / (4 q (1 - q))) / 2: 4 q (1 - q) = exp(-2.302585) = 1/10, q = (1 + sqrt(0.9))
    // / 2.
    assert!((found[1] - 0.974342).abs() < 1e-6, "{found:?}");
    // ln(10 / (4 · 2)) = 0.223144, over two 0.111572, its root 0.334024; and ln(10 / 12) is below 0.
    let found = Bench::at(Moss::new(), table).scores();
    assert!((found[1] - 0.834024).abs() < 1e-5 && (found[2] - 0.334024).abs() < 1e-5, "{found:?}");
    assert!((found[0] - 2.0 / 3.0).abs() < 1e-6 && found[3] == 1.0, "{found:?}");
}

/// Checks that the draws of `policy` with the current statistics follow `probabilities`, which sum to one.
fn draws_are<P>(bench: &mut Bench<P>, probabilities: &[f64])
where
    P: TreePolicy<Arms, Stats: Statistics<Arms, ()>> + Clone + Debug + 'static,
{
    assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{probabilities:?}");
    let draws = sized(10_000, 200_000);
    let (counts, all) = (bench.draws(draws), f64::from(draws));
    // Arms with fewer than ten expected draws count together, because chi-squared does not hold for them.
    let (mut seen, mut expected, mut rest) = (Vec::new(), Vec::new(), (0, 0.0));
    for (&count, &p) in counts.iter().zip(probabilities) {
        if p * all >= 10.0 {
            seen.push(count);
            expected.push(p);
        } else {
            rest = (rest.0 + count, rest.1 + p);
        }
    }
    assert!(f64::from(rest.0) <= rest.1 * all + 40.0, "{counts:?} {probabilities:?}");
    if rest.1 * all >= 10.0 {
        seen.push(rest.0);
        expected.push(rest.1);
    } else {
        let sum: f64 = expected.iter().sum();
        expected.iter_mut().for_each(|p| *p /= sum);
    }
    if seen.len() < 2 {
        return;
    }
    let limit = ChiSquared::new((seen.len() - 1) as f64).expect("at least one").inverse_cdf(1.0 - 1e-6);
    assert!(common::chi_squared(&seen, &expected) < limit, "{counts:?}, not {probabilities:?}");
}

/// Returns the probability of each variable to be the greatest of independent variables with these densities
/// and distribution functions between `from` and `to`, by Simpson's rule.
fn greatest_of<D: Continuous<f64, f64> + ContinuousCDF<f64, f64>>(
    laws: &[D],
    from: f64,
    to: f64,
) -> Vec<f64> {
    let steps = sized(4_000, 8_000);
    let width = (to - from) / steps as f64;
    let mut sums = vec![0.0; laws.len()];
    for step in 0..=steps {
        let x = from + width * step as f64;
        let below = Vec::from_iter(laws.iter().map(|law| law.cdf(x)));
        let weight = if step == 0 || step == steps { 1.0 } else { [2.0, 4.0][step % 2] };
        for (index, law) in laws.iter().enumerate() {
            let others: f64 =
                (0..laws.len()).filter(|&other| other != index).map(|other| below[other]).product();
            sums[index] += weight * law.pdf(x) * others;
        }
    }
    sums.iter().map(|sum| sum * width / 3.0).collect()
}

#[test]
fn thompson_draws_from_the_beta_posteriors() {
    for table in &tables()[..5] {
        let mut bench = Bench::at(Thompson, table);
        let law = |arm: &Arm| {
            Beta::new(1.0 + arm.sum, 1.0 + arm.plays - arm.sum).expect("parameters of at least 1")
        };
        let laws = Vec::from_iter(bench.arms().iter().map(law));
        draws_are(&mut bench, &greatest_of(&laws, 0.0, 1.0));
    }
}

#[test]
fn gaussian_thompson_draws_as_algorithm_2_of_agrawal_2013() {
    for sigma in [1.0, 0.3] {
        for table in &tables()[..5] {
            let mut bench = Bench::at(GaussianThompson::new(sigma), table);
            let law = |arm: &Arm| {
                let count = arm.plays + 1.0;
                Normal::new(arm.sum / count, sigma / count.sqrt()).expect("a deviation above 0")
            };
            let laws = Vec::from_iter(bench.arms().iter().map(law));
            draws_are(&mut bench, &greatest_of(&laws, -8.0, 9.0));
        }
    }
    // Arms that were never played draw from the prior.
    let mut bench = Bench::at(GaussianThompson::default(), &[vec![1.0; 3], vec![], vec![]]);
    let laws = [(0.75, 0.5), (0.0, 1.0), (0.0, 1.0)]
        .map(|(mean, deviation)| Normal::new(mean, deviation).expect("one"));
    draws_are(&mut bench, &greatest_of(&laws, -8.0, 9.0));
}

/// Returns epsilon shared by all arms, plus the rest for those with the greatest mean.
fn greedy(arms: &[Arm], epsilon: f64) -> Vec<f64> {
    let best = arms.iter().map(Arm::mean).fold(0.0, f64::max);
    let ties = arms.iter().filter(|arm| arm.mean() == best).count() as f64;
    let share = |arm: &Arm| if arm.mean() == best { (1.0 - epsilon) / ties } else { 0.0 };
    arms.iter().map(|arm| share(arm) + epsilon / arms.len() as f64).collect()
}

#[test]
fn epsilon_greedy_draws_as_in_sutton_and_barto() {
    for epsilon in [0.0, 0.1, 1.0] {
        for table in &tables()[..5] {
            let mut bench = Bench::at(EpsilonGreedy::new(epsilon), table);
            let right = greedy(bench.arms(), epsilon);
            draws_are(&mut bench, &right);
        }
    }
    let mut bench = Bench::at(EpsilonGreedy::new(0.2), &[vec![1.0], vec![0.0], vec![], vec![]]);
    draws_are(&mut bench, &[0.05, 0.05, 0.45, 0.45]); // unvisited arms come first
}

#[test]
fn decreasing_epsilon_is_that_of_figure_3_of_auer_2002() {
    for (c, d) in [(0.05, 0.3), (0.5, 0.9), (5.0, 0.1)] {
        for table in &tables()[..5] {
            let mut bench = Bench::at(EpsilonGreedy::decreasing(c, d), table);
            let epsilon = (c * table.len() as f64 / (d * d * bench.plays())).min(1.0);
            let right = greedy(bench.arms(), epsilon);
            draws_are(&mut bench, &right);
        }
    }
}

#[test]
fn boltzmann_draws_in_proportion_to_the_exponentials_of_the_means() {
    for tau in [0.02, 0.1, 1.0, 50.0] {
        for table in &tables()[..5] {
            let mut bench = Bench::at(Boltzmann::new(tau), table);
            let weights = Vec::from_iter(bench.arms().iter().map(|arm| (arm.mean() / tau).exp()));
            let sum: f64 = weights.iter().sum();
            draws_are(&mut bench, &Vec::from_iter(weights.iter().map(|weight| weight / sum)));
        }
    }
}

#[test]
fn exp3_draws_and_learns_as_figure_1_of_auer_2002() {
    for (gamma, count) in [(0.1, 4), (0.01, 2), (1.0, 3), (0.3, 12)] {
        let mut bench = Bench::new(Exp3::new(gamma), count);
        // As in the figure: weights, not their logarithms.
        let mut weights = vec![1.0f64; usize::from(count)];
        let mut gains = vec![0.0; usize::from(count)];
        let shares = |weights: &[f64]| {
            let sum: f64 = weights.iter().sum();
            let share = |weight: &f64| (1.0 - gamma) * weight / sum + gamma / f64::from(count);
            Vec::from_iter(weights.iter().map(share))
        };
        for play in 0..600 {
            if play % 150 == 0 {
                draws_are(&mut bench, &shares(&weights));
            }
            let probabilities = shares(&weights);
            let (chosen, _) = bench.play(|arm| unit(play * 64 + arm as u64) * (0.4 + 0.05 * arm as f64));
            // The reward as the tree stores it, in single precision.
            let reward = f64::from(bench.last_reward() as f32);
            gains[chosen] += reward / probabilities[chosen];
            weights[chosen] *= (gamma * reward / probabilities[chosen] / f64::from(count)).exp();
            let found = bench.stats(chosen).0;
            assert!((found / gains[chosen] - 1.0).abs() < 1e-9, "{found}, not {}", gains[chosen]);
        }
    }
}

#[test]
fn exp3_continues_when_its_weights_overflow() {
    const GAMMA: f64 = 0.9;
    let (mut bench, mut gains) = (Bench::new(Exp3::new(GAMMA), 2), [0.0; 2]);
    for play in 0..2_000 {
        // Only the relation of the weights counts.
        let weights = gains.map(|gain: f64| (GAMMA / 2.0 * (gain - gains[0])).exp());
        let (chosen, _) = bench.play(|_| 1.0);
        gains[chosen] += 1.0 / ((1.0 - GAMMA) * weights[chosen] / (weights[0] + weights[1]) + GAMMA / 2.0);
        let found = bench.stats(chosen).0;
        assert!((found / gains[chosen] - 1.0).abs() < 1e-9, "{play}: {found}, not {}", gains[chosen]);
    }
    assert!(gains.iter().all(|gain| (GAMMA / 2.0 * gain).exp().is_infinite()), "{gains:?}");
}

#[test]
fn a_child_that_exp3_did_not_draw_gains_nothing() {
    let update = |stats| TreePolicy::<crate::watched::Arms>::update(&Exp3::new(0.5), stats, 4.0, 1.0);
    assert_eq!(update((3.0, 0.5)), (5.0, 0.0));
    assert_eq!(update((3.0, 0.0)), (3.0, 0.0));
}

#[test]
fn exp3_as_tuned_has_the_gamma_of_corollary_3_2() {
    // sqrt(10 ln 10 / ((e - 1) 10000)) = sqrt(23.02585 / 17182.818) = 0.036607
    let Exp3Debug(gamma) = Exp3Debug::of(Exp3::tuned(10, 10_000));
    assert!((gamma - 0.036607).abs() < 1e-6, "{gamma}");
    assert_eq!(Exp3::tuned(10, 1), Exp3::new(1.0));
    assert_eq!(Exp3::tuned(1, 100), Exp3::new(1.0));
}

/// Returns the parameters that `Exp3` prints.
struct Exp3Debug(f64);

impl Exp3Debug {
    fn of(policy: Exp3) -> Self {
        let text = format!("{policy:?}");
        let number = text.trim_start_matches("Exp3 { gamma: ").trim_end_matches(" }");
        Exp3Debug(number.parse().expect("a number"))
    }
}

#[test]
fn the_variance_is_that_of_the_rewards_under_any_backpropagation() {
    // Means that forget, each by the recursion that defines it, and variances of all rewards.
    const ALPHA: f64 = 0.3;
    fn check<P>(policy: P, score: impl Fn(f64, f64, f64, f64) -> f64)
    where
        P: TreePolicy<Arms, Stats: Statistics<Arms, ()>> + Clone + Debug + 'static,
    {
        let mut bench = Bench::with(policy, RecencyWeighted::new(ALPHA as f32), 4);
        let mut means = [0.0; 4];
        for play in 0..1_000 {
            let (before, ln) = (bench.clone_arms(), bench.plays().ln());
            let (chosen, scores) = bench.play(|arm| pays(arm, play));
            for (index, arm) in before.iter().enumerate().filter(|_| play >= 4) {
                let expected = score(means[index], arm.variance(), arm.plays, ln);
                assert!((scores[index] - expected).abs() < 1e-5 * expected, "{}: {expected}", scores[index]);
            }
            let share = f64::max(1.0 / bench.arms()[chosen].plays, ALPHA);
            means[chosen] += share * (bench.last_reward() - means[chosen]);
        }
    }
    check(Ucb1Tuned::new(0.7), |mean, variance, n, ln| {
        mean + 0.7 * (ln / n * (variance + (2.0 * ln / n).sqrt()).min(0.25)).sqrt()
    });
    check(UcbV::new(0.4, 0.5), |mean, variance, n, ln| {
        mean + (2.0 * variance * 0.4 * ln / n).sqrt() + 3.0 * 0.5 * 0.4 * ln / n
    });
}
