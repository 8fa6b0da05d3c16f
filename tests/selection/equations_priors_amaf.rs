//! Tree policies with priors, heuristics and all-moves-as-first values choose as in the formulas of their
//! papers. Every choice of a search is compared with plain arithmetic in double precision, in games of one,
//! two and three players, with chance and with repeatable actions.

#![allow(
    clippy::disallowed_methods,
    reason = "tests may use the platform's own functions, in double precision"
)]

use crate::common::lines::{Arm, CHANCE, FIRST, Fixed, Here, Lines, Score, follows};
use crate::common::sized;
use ramure::selection::FirstPlay;
use ramure::selection::{
    AlphaAmaf, Choice, Grave, Node, ProgressiveBias, ProgressiveHistory, Puct, Rave, TreePolicy, Ucb1,
};
use ramure::simulation::WithPriors;
use ramure::statistics::Statistics;
use ramure::{Expansion, Mcts, Player};

/// One player; two in turn; two, of whom one moves twice in a row; three, in no order; two and chance. In the
/// last two, actions can be repeated.
fn games() -> [Lines; 7] {
    let turns: [&[Player]; 5] =
        [&[0; 5], &[0, 1, 0, 1, 0], &[0, 1, 1, 0, 0, 1], &[2, 0, 1, 1, 2, 0], &[0, 1, CHANCE, 0, 1, 0]];
    let [a, b, c, d, e] = turns.map(Lines::new);
    let [again, again_with_chance] = [&b, &e].map(|game| game.clone().repeating());
    [a, b, c, d, e, again, again_with_chance]
}

/// The number of iterations: few enough that the root of the logarithm is exact up to rounding.
fn iterations() -> u64 {
    sized(80, 600)
}

/// Rollouts that draw nothing, and the heuristic of the game, which only some policies use.
type Priors = WithPriors<Fixed, fn(&Lines, u8) -> f32>;

/// Follows searches of all games by `policy`, with and without a first-play urgency.
fn check<P>(policy: P, first_play: Option<FirstPlay>, score: impl Fn(&Here<'_>, &Arm) -> Score)
where
    P: TreePolicy<Lines, Stats: Statistics<Lines, Priors>> + Clone,
{
    for (seed, game) in games().into_iter().enumerate() {
        let priors: Priors = WithPriors::new(Fixed, Lines::promise);
        let search = Mcts::new(game).rollout_policy(priors).tree_policy(policy.clone());
        let expansion = first_play.map(|urgency| Expansion::default().first_play(urgency));
        follows(search.expansion(expansion.unwrap_or_default()).seed(seed as u64), iterations(), &score);
    }
}

/// Returns the mean reward of the visited children, or 1/2 if there are none, less `reduction`.
fn below_mean(here: &Here<'_>, reduction: f64) -> f64 {
    let (n, sum) = here.arms.iter().fold((0.0, 0.0), |(n, sum), arm| (n + arm.n, sum + arm.n * arm.q));
    (if n == 0.0 { 0.5 } else { sum / n }) - reduction
}

/// The replacement for the score of UCB1 before the first visit.
#[derive(Clone, Copy)]
enum Untried {
    First,
    /// It replaces the whole score.
    Score(f64),
    /// It replaces Q; the bonus is that of one visit.
    BelowMean(f64),
}

/// The three kinds, each with its setting of a search.
const UNTRIED: [(Option<FirstPlay>, Untried); 4] = [
    (None, Untried::First),
    (Some(FirstPlay::Value(0.5)), Untried::Score(0.5)),
    (Some(FirstPlay::BelowMean(0.0)), Untried::BelowMean(0.0)),
    (Some(FirstPlay::BelowMean(0.25)), Untried::BelowMean(0.25)),
];

/// Returns the rank of an unvisited child, and its UCB1 part, with the bonus of one visit.
fn untried(here: &Here<'_>, untried: Untried, bonus: f64) -> Score {
    match untried {
        Untried::First => (1, 0.0),
        Untried::Score(score) => (0, score),
        Untried::BelowMean(reduction) => (0, below_mean(here, reduction) + bonus),
    }
}

/// UCB1 with three times the mean of the rewards and its own bonus, a formula that the crate does not know.
#[derive(Clone, Copy)]
struct Own;

impl<G: ramure::GameState> TreePolicy<G> for Own {
    type Stats = f32;

    fn select(&self, node: impl Node<G, f32>, _: &mut ramure::Rng) -> Choice {
        let bonus = 0.5 * node.ln_visits();
        node.argmax(|child| child.stats() + bonus / child.visits() - child.mean())
    }
    fn update(&self, stats: f32, visits: f32, reward: f32) -> f32 {
        stats + (3.0 * reward - stats) / visits
    }
}

#[test]
fn a_child_never_visited_counts_like_one_visited_once_if_its_urgency_is_below_the_mean() {
    for reduction in [0.0, 0.125, 0.5] {
        let urgency = Some(FirstPlay::BelowMean(reduction));
        let known = |here: &Here<'_>, arm: &Arm| match arm.n {
            0.0 => (1.0, below_mean(here, f64::from(reduction)).max(0.0)),
            n => (n, arm.q),
        };
        for c in [0.125, 0.5, 2.0] {
            check(Ucb1::new(c), urgency, |here, arm| {
                let (n, q) = known(here, arm);
                (0, q + f64::from(c) * (here.visits.ln() / n).sqrt())
            });
        }
        check(Own, urgency, |here, arm| {
            let (n, q) = known(here, arm);
            (0, 2.0 * q + 0.5 * here.visits.ln() / n)
        });
    }
}

/// `Q + C(N) P sqrt(N) / (1 + n)`, where an unvisited child has the value `first_play(sum of the visited
/// priors, their mean)`.
fn puct(
    here: &Here<'_>,
    arm: &Arm,
    rate: impl Fn(f64) -> f64,
    first_play: impl Fn(f64, Option<f64>) -> f64,
) -> Score {
    let total: f64 = here.arms.iter().map(|arm| arm.h).sum();
    let visited = here.arms.iter().filter(|arm| arm.n > 0.0);
    let (n, sum) = visited.clone().fold((0.0, 0.0), |(n, sum), arm| (n + arm.n, sum + arm.n * arm.q));
    let seen = visited.map(|arm| arm.h / total).sum();
    let value = if arm.n > 0.0 { arm.q } else { first_play(seen, (n > 0.0).then_some(sum / n)) };
    (0, value + rate(here.visits) * arm.h / total * here.visits.sqrt() / (1.0 + arm.n))
}

#[test]
fn puct_follows_its_formula_with_every_first_play_urgency() {
    for c in [0.3, 1.25, 4.0] {
        let plain = Puct::new(c);
        let rate = |_| f64::from(c);
        check(plain, None, |here, arm| puct(here, arm, rate, |_, _| 0.5));
        let loss = Some(FirstPlay::Value(0.0));
        check(plain, loss, |here, arm| puct(here, arm, rate, |_, _| 0.0));
        let below = Some(FirstPlay::BelowMean(0.125));
        check(plain, below, |here, arm| puct(here, arm, rate, |_, mean| mean.unwrap_or(0.5) - 0.125));
    }
}

#[test]
fn puct_lowers_first_play_urgency_by_the_priors_that_were_visited() {
    for (c, r) in [(0.5, 0.25), (1.25, 0.75)] {
        let policy = Puct::new(c).fpu_reduction(r);
        let (rate, r) = (|_| f64::from(c), f64::from(r));
        check(policy, None, |here, arm| puct(here, arm, rate, |seen, _| 0.5 - r * seen.sqrt()));
        let mean = Some(FirstPlay::BelowMean(0.0));
        check(policy, mean, |here, arm| {
            puct(here, arm, rate, |seen, mean| mean.unwrap_or(0.5) - r * seen.sqrt())
        });
    }
}

#[test]
fn puct_explores_more_with_the_logarithm_of_the_visits() {
    for (init, base) in [(1.25, 19652.0), (0.2, 40.0), (0.0, 100.0)] {
        let (c, b) = (f64::from(init), f64::from(base));
        check(Puct::growing(init, base), None, |here, arm| {
            puct(here, arm, |n| ((1.0 + n + b) / b).ln() + c, |_, _| 0.5)
        });
    }
}

/// `(1 - β) Q + β A`, and the bonus of UCT-RAVE.
fn rave(here: &Here<'_>, arm: &Arm, beta: f64, c: f64, first_play: Option<f64>) -> Score {
    match (arm.n, arm.p) {
        (0.0, 0.0) => first_play.map_or(FIRST, |value| (0, value)),
        (0.0, _) => (u8::from(c > 0.0 && first_play.is_none()), arm.a),
        (n, _) => (0, (1.0 - beta) * arm.q + beta * arm.a + c * (here.visits.ln() / n).sqrt()),
    }
}

#[test]
fn rave_follows_the_formulas_of_both_schedules() {
    for bias in [0.0, 1e-3, 0.3] {
        let beta = |arm: &Arm| arm.p / (arm.p + arm.n + f64::from(bias) * arm.p * arm.n);
        check(Rave::new(bias), None, |here, arm| rave(here, arm, beta(arm), 0.0, None));
        let urgency = Some(FirstPlay::Value(0.25));
        check(Rave::new(bias), urgency, |here, arm| rave(here, arm, beta(arm), 0.0, Some(0.25)));
    }
    for k in [10.0, 1000.0] {
        let beta = |here: &Here<'_>| (f64::from(k) / (3.0 * here.visits + f64::from(k))).sqrt();
        check(Rave::hand_selected(k), None, |here, arm| rave(here, arm, beta(here), 0.0, None));
    }
}

#[test]
fn uct_rave_adds_the_bonus_of_ucb1_to_rave() {
    for c in [0.125, 1.0] {
        let beta = |arm: &Arm| arm.p / (arm.p + arm.n + 0.125 * arm.p * arm.n);
        let policy = Rave::new(0.125).exploration(c);
        check(policy, None, |here, arm| rave(here, arm, beta(arm), f64::from(c), None));
        let urgency = Some(FirstPlay::Value(0.5));
        check(policy, urgency, |here, arm| rave(here, arm, beta(arm), f64::from(c), Some(0.5)));
        let urgency = Some(FirstPlay::BelowMean(0.125));
        check(policy, urgency, |here, arm| {
            let bonus = f64::from(c) * here.visits.ln().sqrt();
            match (arm.n, arm.p) {
                (0.0, 0.0) => (0, below_mean(here, 0.125) + bonus),
                (0.0, _) => (0, arm.a + bonus),
                _ => rave(here, arm, beta(arm), f64::from(c), None),
            }
        });
        let beta = |here: &Here<'_>| (50.0 / (3.0 * here.visits + 50.0)).sqrt();
        let policy = Rave::hand_selected(50.0).exploration(c);
        check(policy, None, |here, arm| rave(here, arm, beta(here), f64::from(c), None));
    }
}

/// Returns `arm` with the AMAF values of the table that the paper's algorithm passes down, among the nodes of
/// the same player. It starts with the topmost node; on the way down, `if t.playouts > ref then tref = t`.
fn handed_down(here: &Here<'_>, arm: &Arm, reference: f64) -> Arm {
    let mut way_down = Vec::from_iter(here.above(arm.action));
    way_down.reverse();
    way_down.push((here.visits, arm.p, arm.a));
    let mut tref = way_down[0];
    for t in way_down {
        let playouts = t.0;
        if playouts > reference {
            tref = t;
        }
    }
    if tref.1 == 0.0 { *arm } else { Arm { p: tref.1, a: tref.2, ..*arm } }
}

#[test]
fn grave_and_hrave_take_their_values_from_the_nodes_above() {
    for (reference, bias) in [
        (0.0, 0.25),
        (3.0, 0.25),
        (10.0, 0.25),
        (50.0, 1e-5),
        (sized(30.0, 200.0), 0.0),
        (f32::INFINITY, 0.01),
    ] {
        let policy = match reference {
            f32::INFINITY => Grave::hrave(bias),
            _ => Grave::new(reference, bias),
        };
        check(policy, None, |here, arm| {
            let arm = handed_down(here, arm, f64::from(reference));
            let beta = arm.p / (arm.p + arm.n + f64::from(bias) * arm.p * arm.n);
            rave(here, &arm, beta, 0.0, None)
        });
    }
}

#[test]
fn alpha_amaf_always_mixes_amaf_and_ucb1_in_equal_parts() {
    for (alpha, c) in [(0.0, 1.0), (0.25, 0.5), (0.75, 1.5), (1.0, 1.0)] {
        let (a, rest) = (f64::from(alpha), 1.0 - f64::from(alpha));
        let ucb1 = |here: &Here<'_>, arm: &Arm| arm.q + f64::from(c) * (here.visits.ln() / arm.n).sqrt();
        check(AlphaAmaf::new(alpha, c), None, |here, arm| match (arm.n, arm.p) {
            (0.0, 0.0) => FIRST,
            (0.0, _) if rest > 0.0 => (1, a * arm.a),
            (0.0, _) => (0, arm.a),
            _ => (0, a * arm.a + rest * if rest > 0.0 { ucb1(here, arm) } else { 0.0 }),
        });
        let urgency = Some(FirstPlay::Value(0.625));
        check(AlphaAmaf::new(alpha, c), urgency, |here, arm| match (arm.n, arm.p) {
            (0.0, 0.0) => (0, 0.625),
            (0.0, _) => (0, a * arm.a + rest * 0.625),
            _ => (0, a * arm.a + rest * ucb1(here, arm)),
        });
        let urgency = Some(FirstPlay::BelowMean(0.125));
        check(AlphaAmaf::new(alpha, c), urgency, |here, arm| {
            let (mean, bonus) = (below_mean(here, 0.125), f64::from(c) * here.visits.ln().sqrt());
            match (arm.n, arm.p) {
                (0.0, 0.0) => (0, mean + rest * bonus),
                (0.0, _) => (0, a * arm.a + rest * (mean + bonus)),
                _ => (0, a * arm.a + rest * ucb1(here, arm)),
            }
        });
    }
}

#[test]
fn progressive_bias_adds_a_heuristic_that_fades() {
    for (c, w) in [(1.0, 1.0), (0.25, 3.0), (0.5, 0.0)] {
        let policy = ProgressiveBias::new(c, w);
        for (urgency, kind) in UNTRIED {
            check(policy, urgency, |here, arm| {
                let bias = f64::from(w) * arm.h / (arm.n + 1.0);
                let bonus = |n: f64| f64::from(c) * (here.visits.ln() / n).sqrt();
                match (arm.n, untried(here, kind, bonus(1.0))) {
                    (0.0, (1, _)) => FIRST,
                    (0.0, (rank, ucb1)) => (rank, ucb1 + bias),
                    (n, _) => (0, arm.q + bonus(n) + bias),
                }
            });
        }
    }
}

#[test]
fn progressive_history_adds_a_fading_global_mean_of_the_action() {
    for (c, w) in [(1.0, 5.0), (0.25, 1.0), (0.5, 20.0), (0.0, 5.0)] {
        for (urgency, kind) in UNTRIED {
            check(ProgressiveHistory::new(c, w), urgency, |here, arm| {
                let (count, mean) = here.history(arm.action);
                let history = f64::from(w) * if count == 0.0 { 1.0 } else { mean };
                let bonus = |n: f64| f64::from(c) * (here.visits.ln() / n).sqrt();
                match (arm.n, untried(here, kind, bonus(1.0))) {
                    (0.0, (rank, ucb1)) => (rank, ucb1 + history),
                    (n, _) => (0, arm.q + bonus(n) + history / (n - n * arm.q + 1.0)),
                }
            });
        }
    }
}
