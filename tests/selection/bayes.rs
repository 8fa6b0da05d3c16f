//! Bayesian backups and their tree policy: beliefs compared with plain arithmetic and numerical integration,
//! choices compared with the two formulas.

#![allow(
    clippy::disallowed_methods,
    reason = "tests may use the platform's own functions, in double precision"
)]

use crate::common::any::Any;
use crate::common::hashed::Hashed;
use crate::common::scripted::{choice, end};
use crate::common::{sized, visits};
use ramure::backpropagation::{Average, Backprop, BayesBackup, Belief, Solver};
use ramure::selection::{BayesUct, Ucb1};
use ramure::{Budget, Expansion, GameState, Mcts, Order, Player, Turn};
use ramure_games::{Bandit, PGame};
use statrs::distribution::{Continuous, ContinuousCDF, Normal};

/// Returns the mean and the variance of the posterior after `count` rewards with this sum.
fn beta(count: f64, sum: f64) -> (f64, f64) {
    let (a, b) = (1.0 + sum, 1.0 + count - sum);
    (a / (a + b), a * b / ((a + b).powi(2) * (a + b + 1.0)))
}

fn of(belief: Belief, player: Player) -> (f64, f64) {
    (f64::from(belief.means.of(player)), f64::from(belief.variances[usize::from(player)]))
}

/// Returns the mean and the variance of the greater of two independent normal variables, by a sum over a
/// grid.
fn greater((mean, variance): (f64, f64), (other, its): (f64, f64)) -> (f64, f64) {
    let (s, t) = (variance.sqrt(), its.sqrt());
    let (from, to) = ((mean - 9.0 * s).min(other - 9.0 * t), (mean + 9.0 * s).max(other + 9.0 * t));
    let steps = sized(10_000, 200_000);
    let width = (to - from) / f64::from(steps);
    let density =
        |x: f64, m: f64, s: f64| (-0.5 * ((x - m) / s).powi(2)).exp() / (s * std::f64::consts::TAU.sqrt());
    let (mut below, mut its_below, mut first, mut second) = (0.0, 0.0, 0.0, 0.0);
    for step in 0..steps {
        let x = from + (f64::from(step) + 0.5) * width;
        let (p, q) = (density(x, mean, s) * width, density(x, other, t) * width);
        // The density of each variable times the probability that the other is lower, up to the middle of the
        // step.
        let part = p * (its_below + 0.5 * q) + q * (below + 0.5 * p);
        first += x * part;
        second += x * x * part;
        (below, its_below) = (below + p, its_below + q);
    }
    (first, second - first * first)
}

#[test]
fn leaves_have_the_posterior_of_their_rewards() {
    let state = Any::listed(Bandit::new(&[0.3, 0.8]).expect("two arms"));
    let search = Mcts::new(state).backprop(BayesBackup).tree_policy(BayesUct::second(1.0));
    let mut search = search.expansion(Expansion::default().on_visit(u32::MAX));
    search.run(Budget::iterations(1_000)).expect("a sound game");
    let root = search.tree().root().expect("it ran");
    for child in root.children() {
        let n = f64::from(child.visits());
        let (mean, variance) = of(child.backprop_stats(), 0);
        let sum = mean * (n + 2.0) - 1.0;
        assert!((sum - sum.round()).abs() < 1e-3, "{sum} is not a number of wins");
        let expected = beta(n, sum.round());
        assert!((mean - expected.0).abs() < 1e-6 && (variance / expected.1 - 1.0).abs() < 1e-5);
        assert!((child.mean() - mean as f32).abs() < 1e-7);
    }
}

#[test]
fn a_chance_node_that_ends_the_game_has_the_belief_of_a_leaf() {
    let state = Any::listed(Bandit::new(&[0.3, 0.8]).expect("two arms"));
    let mut search = Mcts::new(state).backprop(BayesBackup);
    search.run(Budget::iterations(500)).expect("a sound game");
    for arm in search.tree().root().expect("it ran").children() {
        let outcomes = Vec::from_iter(arm.children().filter(|outcome| outcome.visits() > 0));
        let count: f64 = outcomes.iter().map(|outcome| f64::from(outcome.visits())).sum();
        let won = outcomes.iter().find(|outcome| outcome.state().reward(0) == 1.0);
        let expected = beta(count, won.map_or(0.0, |outcome| f64::from(outcome.visits())));
        let found = of(arm.backprop_stats(), 0);
        assert!((found.0 - expected.0).abs() < 1e-6 && (found.1 / expected.1 - 1.0).abs() < 1e-5);
        assert!(
            outcomes.iter().all(|outcome| outcome.backprop_stats().variances == [0.0; 8]),
            "over is certain"
        );
    }
}

#[test]
fn a_choice_has_the_expected_maximum_of_two_values() {
    let mut checked = 0;
    for seed in 0..10 {
        let mut search =
            Mcts::new(Any::listed(PGame::new(2, 10, seed).expect("a game"))).backprop(BayesBackup);
        search.run(Budget::iterations(60)).expect("a sound game");
        let mut pending = Vec::from_iter(search.tree().root());
        while let Some(node) = pending.pop() {
            pending.extend(node.children());
            let tried = Vec::from_iter(node.children().filter(|child| child.visits() > 0));
            let [a, b] = &tried[..] else { continue };
            let Turn::Player(mover) = node.state().turn() else { continue };
            let (a, b) = (a.backprop_stats(), b.backprop_stats());
            if of(a, mover).1 == 0.0 || of(b, mover).1 == 0.0 {
                continue;
            }
            let expected = greater(of(a, mover), of(b, mover));
            let found = of(node.backprop_stats(), mover);
            assert!((found.0 - expected.0).abs() < 1e-5, "{found:?} is not {expected:?}");
            assert!((found.1 - expected.1).abs() < 1e-5, "{found:?} is not {expected:?}");
            // One player's gain is the other's loss.
            let other = of(node.backprop_stats(), 1 - mover);
            assert!((found.0 + other.0 - 1.0).abs() < 1e-6 && (found.1 - other.1).abs() < 1e-6);
            checked += 1;
        }
    }
    assert!(checked > 50, "{checked}");
}

/// Returns the mean and the variance, for all players, of the child that is greatest for `mover`, combining
/// the children two by two in their order. These are Clark's equations 1 to 3, as printed. The other players
/// get each child in proportion to its probability of being the greatest, and share the mover's gain as a
/// loss.
fn folded(children: &[Vec<(f64, f64)>], mover: usize) -> Vec<(f64, f64)> {
    let normal = Normal::standard();
    let pair = |a: Vec<(f64, f64)>, b: &Vec<(f64, f64)>| {
        let spread = (a[mover].1 + b[mover].1).sqrt();
        if spread == 0.0 {
            return if a[mover].0 >= b[mover].0 { a } else { b.clone() };
        }
        let alpha = (a[mover].0 - b[mover].0) / spread;
        let (first, second, bonus) = (normal.cdf(alpha), normal.cdf(-alpha), spread * normal.pdf(alpha));
        let of = |player: usize| {
            let ((x, v), (y, w)) = (a[player], b[player]);
            let gain = if player == mover { bonus } else { -bonus / (a.len() - 1) as f64 };
            let mean = x * first + y * second + gain;
            let square = (x * x + v) * first + (y * y + w) * second + (x + y) * gain;
            (mean.clamp(0.0, 1.0), (square - mean * mean).max(0.0))
        };
        (0..a.len()).map(of).collect()
    };
    children[1..].iter().fold(children[0].clone(), pair)
}

/// Returns the mean and the variance of a player in a chance node: those of the posterior of as many rewards
/// as draws, each with its outcome's mean; plus the variances of the outcomes, weighted by the squares of
/// their shares.
fn sampled(outcomes: &[(f64, f64, f64)]) -> (f64, f64) {
    let n: f64 = outcomes.iter().map(|outcome| outcome.0).sum();
    let moment = |power: i32| outcomes.iter().map(|&(n, mean, _)| n * mean.powi(power)).sum::<f64>();
    let (mean, square) = ((moment(1) + 1.0) / (n + 2.0), (moment(2) + 1.0) / (n + 2.0));
    let within = outcomes.iter().map(|&(own, _, variance)| (own / (n + 2.0)).powi(2) * variance).sum::<f64>();
    (mean, (square - mean * mean) / (n + 3.0) + within)
}

#[test]
fn beliefs_of_inner_nodes_follow_from_those_of_the_children_for_all_players() {
    // The cases: choices between two, choices between more, draws of which some outcomes are not over, and
    // choices with untried children.
    let mut checked = [0; 4];
    for players in 2..=3 {
        for seed in 0..6 {
            let state = Any::new(Hashed::new(seed, players, 5).with_chance());
            let search = Mcts::new(state).tree_policy(Ucb1::new(2_f32.sqrt())).seed(seed);
            let mut search = search.backprop(BayesBackup);
            search.run(Budget::iterations(400)).expect("a sound game");
            let mut pending = Vec::from_iter(search.tree().root());
            while let Some(node) = pending.pop() {
                pending.extend(node.children());
                let tried = Vec::from_iter(node.children().filter(|child| child.visits() > 0));
                if tried.is_empty() {
                    continue;
                }
                let known = |child: Belief| Vec::from_iter((0..players).map(|player| of(child, player)));
                let mut children = Vec::from_iter(tried.iter().map(|child| known(child.backprop_stats())));
                let is_choice = matches!(node.state().turn(), Turn::Player(_));
                if is_choice && tried.len() < node.state().actions().into_iter().count() {
                    // One variable with the prior stands for all untried children.
                    children.push(vec![beta(0.0, 0.0); usize::from(players)]);
                    checked[3] += 1;
                }
                let expected = match node.state().turn() {
                    Turn::Player(mover) => {
                        checked[usize::from(children.len() > 2)] += 1;
                        folded(&children, usize::from(mover))
                    }
                    _ => {
                        checked[2] += u32::from(children.iter().any(|child| child[0].1 > 0.0));
                        let of = |player: usize| {
                            let visits = tried.iter().map(|child| f64::from(child.visits()));
                            let outcomes =
                                visits.zip(&children).map(|(n, child)| (n, child[player].0, child[player].1));
                            sampled(&Vec::from_iter(outcomes))
                        };
                        (0..usize::from(players)).map(of).collect()
                    }
                };
                for (found, expected) in known(node.backprop_stats()).into_iter().zip(expected) {
                    assert!(
                        (found.0 - expected.0).abs() < 1e-6,
                        "{found:?} is not {expected:?}: {:?}",
                        node.state()
                    );
                    assert!(
                        (found.1 - expected.1).abs() < 1e-6,
                        "{found:?} is not {expected:?}: {:?}",
                        node.state()
                    );
                }
            }
        }
    }
    assert!(checked.iter().all(|&count| count > 100), "{checked:?}");
}

#[test]
fn the_sum_over_three_players_is_preserved() {
    // In a game that is won or drawn, the rewards of all sum to 1 or 3/2, and posteriors of 3 players to
    // between 1 and 3/2.
    for state in [Hashed::new(1, 3, 6).decided(), Hashed::new(5, 3, 6).decided().with_chance()] {
        let mut search = Mcts::new(Any::new(state)).backprop(BayesBackup);
        search.run(Budget::iterations(5_000)).expect("a sound game");
        let mut pending = Vec::from_iter(search.tree().root());
        while let Some(node) = pending.pop() {
            pending.extend(node.children());
            let sum: f64 = (0..3).map(|player| of(node.backprop_stats(), player).0).sum();
            assert!(node.visits() == 0 || (0.95..1.55).contains(&sum), "{sum}");
        }
    }
}

/// Follows a search choice by choice. Each choice must have, up to rounding, the greatest `score(mean,
/// deviation, n, N)`.
fn follows<B: Backprop<Any>>(
    state: Any,
    policy: BayesUct,
    backprop: B,
    score: impl Fn(f64, f64, f64, f64) -> f64,
) {
    let count = state.actions().into_iter().count();
    let mut search = Mcts::new(state).tree_policy(policy).backprop(backprop);
    let report = search.run(Budget::iterations(count as u64)).expect("a sound game");
    let (mut before, mut ties) = (report, 0);
    assert!(visits(&before).iter().all(|&visits| visits == 1), "{before}");
    for iteration in count..sized(500, 1_500) {
        let root = search.tree().root().expect("it ran");
        let mut scores = vec![f64::NAN; count];
        for child in root.children() {
            let place =
                before.actions.iter().position(|reported| Some(&reported.action) == child.action().as_ref());
            let n = f64::from(child.visits());
            let reported = f64::from(child.stats());
            let (mean, deviation) = if reported < 0.0 {
                (f64::from(child.mean()), -reported)
            } else {
                let (mean, variance) = beta(n, n * f64::from(child.mean()));
                (mean, variance.sqrt())
            };
            scores[place.expect("an action")] = score(mean, deviation, n, iteration as f64);
        }
        let report = search.run(Budget::iterations(1)).expect("a sound game");
        let now = visits(&report);
        let chosen = (0..count).find(|&index| now[index] > before.actions[index].visits).expect("one");
        let greatest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert!(scores[chosen] >= greatest - 2e-5, "iteration {iteration} chose {chosen}: {scores:?}");
        ties += u32::from(scores[chosen] < greatest);
        before = report;
    }
    assert!(ties < 100, "{ties}");
}

#[test]
fn choices_follow_both_formulas_with_and_without_bayesian_backups() {
    let games =
        || [(3, 8, 3), (8, 4, 1)].map(|(b, d, seed)| Any::listed(PGame::new(b, d, seed).expect("a game")));
    for c in [std::f64::consts::SQRT_2, 0.3] {
        let first = |mean: f64, _: f64, n: f64, total: f64| mean + c * (total.ln() / n).sqrt();
        let second = |mean: f64, deviation: f64, _: f64, total: f64| mean + c * total.ln().sqrt() * deviation;
        for state in games() {
            follows(state.clone(), BayesUct::first(c as f32), BayesBackup, first);
            follows(state.clone(), BayesUct::first(c as f32), Average, first);
            follows(state.clone(), BayesUct::second(c as f32), BayesBackup, second);
            follows(state.clone(), BayesUct::second(c as f32), Average, second);
        }
    }
}

#[test]
fn a_node_is_uncertain_as_long_as_it_has_untried_children() {
    // If the first end below action 0 is a poor one, the search must come back to see the others.
    let hidden = || choice(0, [choice(0, [0.1, 0.9, 0.2].map(end)), end(0.5)]);
    // Here the opponent has the others.
    let refuted = || choice(0, [end(0.5), choice(1, [0.9, 0.1, 0.8].map(end))]);
    for policy in [BayesUct::first(1.4), BayesUct::second(1.4)] {
        for seed in 0..sized(15, 30) {
            for game in [hidden(), refuted()] {
                let game = Any::new(game);
                let mut search = Mcts::new(game).tree_policy(policy).backprop(BayesBackup).seed(seed);
                let report = search.run(Budget::iterations(1_000)).expect("a sound game");
                assert_eq!(report.best_action(), 0, "{policy:?}: {report}");
                let inner =
                    report.actions.iter().find(|action| (action.mean - 0.5).abs() > 1e-6).expect("it");
                assert!((inner.mean - 0.9).abs() < 1e-6 || inner.mean < 0.5, "{report}");
            }
        }
    }
}

#[test]
fn children_that_a_constant_width_hides_are_not_untried() {
    let expansion = |width| Expansion::default().order(Order::AsListed).widening(width, 0.0);
    // With a width of two, action 0 is worth .2, and .3 is more.
    let hidden = Any::new(choice(0, [choice(0, [0.1, 0.2, 0.0].map(end)), end(0.3)]));
    let search = || {
        Mcts::new(hidden.clone()).tree_policy(Ucb1::new(0.7)).backprop(BayesBackup).expansion(expansion(2.0))
    };
    let plain = search().run(Budget::iterations(1_000)).expect("a sound game");
    let windowed = search().window(3).run(Budget::iterations(1_000)).expect("a sound game");
    for report in [plain, windowed] {
        assert_eq!(report.best_action(), 1, "{report}");
        assert!((report.actions[0].mean - 0.2).abs() < 1e-6, "{report}");
    }
    // With a width of one, the second child comes when the first is refuted.
    let refuted = Any::new(choice(0, [choice(0, [0.0, 0.9, 0.8].map(end))]));
    let search = Mcts::new(refuted).backprop(Solver::new(BayesBackup)).expansion(expansion(1.0));
    let report = { search }.run(Budget::iterations(1_000)).expect("a sound game");
    assert!((report.actions[0].mean - 0.9).abs() < 1e-6, "{report}");
}

#[test]
fn the_tree_policy_receives_the_deviation_of_the_belief() {
    let mut search =
        Mcts::new(Any::listed(PGame::new(3, 8, 2).expect("a game"))).tree_policy(BayesUct::default());
    search = search.seed(1);
    let mut search = search.backprop(BayesBackup);
    search.run(Budget::iterations(3_000)).expect("a sound game");
    let mut pending = Vec::from_iter(search.tree().root());
    while let Some(node) = pending.pop() {
        pending.extend(node.children());
        if node.visits() > 0 {
            let deviation = node.backprop_stats().variances[usize::from(node.chooser())].sqrt();
            assert!((node.stats() + deviation).abs() < 1e-7 && node.stats() < 0.0);
        }
    }
}

#[test]
fn both_formulas_learn_bandits() {
    for policy in [BayesUct::first(1.0), BayesUct::second(1.4)] {
        for seed in 0..sized(2, 5) {
            let state = Any::listed(Bandit::new(&[0.3, 0.5, 0.8, 0.6]).expect("four arms"));
            let search = Mcts::new(state).backprop(BayesBackup).tree_policy(policy).seed(seed);
            let report = { search }.run(Budget::iterations(5_000)).expect("a sound game");
            assert!(report.actions[2].visits > 3_500, "{report}");
        }
    }
}
