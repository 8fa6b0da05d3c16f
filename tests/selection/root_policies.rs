//! `selection::AtRoot` and the policies at the root: sequential halving and Dirichlet noise.

#![allow(clippy::disallowed_methods, reason = "tests may use the platform's own powers")]

use crate::common::any::Any;
use crate::common::four::Connect4;
use crate::common::hashed::{mix, unit};
use crate::common::scripted::{Scripted, choice, corridor, end};
use crate::common::simple::OneStep;
use crate::common::{sized, visits, with_priors};
use ramure::backpropagation::{Average, Solver};
use ramure::selection::FirstPlay;
use ramure::selection::{
    AtRoot, Choice, CompletedValues, Dirichlet, GumbelRoot, Node, Puct, SequentialHalving, Shot, TreePolicy,
    Ucb1,
};
use ramure::simulation::{Uniform, WithPriors};
use ramure::statistics::KeepsPrior;
use ramure::{
    Budget, Expansion, GameState, Mcts, Order, ParameterError, Report, Rewards, Rng, RootActions, Search,
    SearchError, Turn,
};
use ramure_games::Bandit;
use std::cell::RefCell;
use std::rc::Rc;

/// Returns a game with this number of actions of different worth, the best first.
fn ranked(count: usize) -> Any {
    let worth = Vec::from_iter((0..count).map(|rank| 0.9 - 0.8 * rank as f64 / count as f64));
    Any::listed(OneStep::new(Box::leak(worth.into_boxed_slice())))
}

fn connect4() -> Any {
    Any::new(Connect4::default())
}

fn halving() -> AtRoot<SequentialHalving, Ucb1> {
    AtRoot::new(SequentialHalving::new(), Ucb1::new(0.7))
}

/// The formula of Auer, Cesa-Bianchi and Fischer, with the same rewards and each action once first. The policy below
/// has other statistics, and sees unvisited actions or not.
#[test]
fn ucb1_at_the_root_follows_its_formula_whatever_is_below() {
    let (worth, c, iterations) = ([0.9, 0.7, 0.4, 0.1], 0.8, 2_000_u32);
    let mut expected = [1.0_f64; 4];
    for visits in 4..iterations {
        let score = |&place: &usize| worth[place] + c * (f64::from(visits).ln() / expected[place]).sqrt();
        let best = (0..4).max_by(|a, b| score(a).total_cmp(&score(b))).expect("four");
        expected[best] += 1.0;
    }
    let search = || Mcts::new(Any::listed(OneStep::new(Box::leak(Box::new(worth))))).backprop(Average);
    let (root, budget) = (Ucb1::new(c as f32), Budget::iterations(iterations.into()));
    let below_ucb1 = search().tree_policy(AtRoot::new(root, Ucb1::new(0.0))).run(budget);
    let below_puct = search()
        .rollout_policy(with_priors(|_: &Any, _| 1.0))
        .tree_policy(AtRoot::new(root, Puct::new(1_000.0)))
        .run(budget);
    for report in [below_ucb1, below_puct] {
        let report = report.expect("a sound game");
        for action in &report.actions {
            let of = expected
                [worth.iter().position(|&of| (of - f64::from(action.mean)).abs() < 1e-3).expect("one")];
            // The table of square roots is accurate to 2e-4.
            assert!((f64::from(action.visits) - of).abs() <= 1.0 + 0.01 * of, "{expected:?}: {report}");
        }
    }
}

/// Algorithm 3 of the paper with the means known in advance: the visits of the best action, the second best,
/// and so on. The remaining visits go to the last two actions, one by one, the better one first.
fn visits_by_rank(count: usize, budget: usize) -> Vec<u32> {
    let rounds = (count as f64).log2().ceil() as usize;
    let (mut visits, mut left) = (vec![0u32; count], count);
    for _ in 1..rounds {
        (0..left).for_each(|rank| visits[rank] += (budget / (left * rounds)) as u32);
        left = left.div_ceil(2);
    }
    assert!(left <= 2);
    for turn in 0..budget - visits.iter().sum::<u32>() as usize {
        visits[turn % left] += 1;
    }
    visits
}

#[test]
fn rounds_of_halving_have_the_visits_of_the_paper() {
    let cases = [(1, 9), (2, 2), (2, 31), (3, 6), (3, 100), (4, 8), (5, 64), (7, 25), (8, 24), (8, 1_000)];
    for (count, budget) in
        cases.into_iter().chain([(9, 36), (16, 64), (17, 1_234), (100, 700), (121, sized(5_000, 50_000))])
    {
        for seed in 0..3 {
            let mut search = Mcts::new(ranked(count)).backprop(Average).tree_policy(halving()).seed(seed);
            let report = search.run(Budget::iterations(budget as u64)).expect("a sound game");
            assert_eq!(
                visits(&report),
                visits_by_rank(count, budget),
                "{count} actions, {budget} iterations"
            );
            assert_eq!(report.best_action(), 0);
        }
    }
}

/// One player, one choice: the reward of a play is a hash of the arm and of the number of its earlier plays.
#[derive(Clone)]
struct Paid {
    count: u8,
    salt: u64,
    chosen: Option<u8>,
    plays: Rc<RefCell<Vec<u64>>>,
}

impl Paid {
    fn new(count: u8, salt: u64) -> Self {
        Paid { count, salt, chosen: None, plays: Rc::new(RefCell::new(vec![0; usize::from(count)])) }
    }

    /// Returns the reward of an arm after this number of earlier plays.
    fn pays(salt: u64, arm: usize, play: u64) -> f64 {
        unit(mix(salt) ^ (play * 64 + arm as u64))
    }
}

impl GameState for Paid {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.chosen.is_some() { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.chosen.is_some() { 0 } else { self.count }
    }
    fn apply(&mut self, arm: u8) {
        self.chosen = Some(arm);
    }
    fn reward(&self, _: u8) -> f64 {
        let arm = usize::from(self.chosen.expect("it is over"));
        let plays = &mut self.plays.borrow_mut()[arm];
        *plays += 1;
        Paid::pays(self.salt, arm, *plays - 1)
    }
    fn players(&self) -> u8 {
        1
    }
}

#[test]
fn each_round_keeps_the_better_half_by_the_means_so_far() {
    // Algorithm 3 of the paper in double precision, with the rewards as they arrive.
    fn expected(count: usize, salt: u64, budget: u64) -> (Vec<u32>, usize) {
        let (mut n, mut sums) = (vec![0u64; count], vec![0.0; count]);
        let play = |n: &mut [u64], sums: &mut [f64], arm: usize| {
            sums[arm] += Paid::pays(salt, arm, n[arm]);
            n[arm] += 1;
        };
        let rounds = (count as f64).log2().ceil() as u64;
        let (mut left, mut spent) = (Vec::from_iter(0..count), 0);
        while left.len() > 2 {
            for &arm in &left {
                for _ in 0..budget / (left.len() as u64 * rounds) {
                    play(&mut n, &mut sums, arm);
                    spent += 1;
                }
            }
            left.sort_by(|&a, &b| (sums[b] / n[b] as f64).total_cmp(&(sums[a] / n[a] as f64)));
            left.truncate(left.len().div_ceil(2));
        }
        let mean = |sums: &[f64], n: &[u64], arm: usize| sums[arm] / n[arm] as f64;
        for _ in spent..budget {
            let fewest = left.iter().map(|&arm| n[arm]).min().expect("two are left");
            let next = left.iter().copied().filter(|&arm| n[arm] == fewest);
            let next = next.reduce(|a, b| if mean(&sums, &n, b) > mean(&sums, &n, a) { b } else { a });
            play(&mut n, &mut sums, next.expect("one of them"));
        }
        let best =
            left.into_iter().reduce(|a, b| if mean(&sums, &n, b) > mean(&sums, &n, a) { b } else { a });
        (n.into_iter().map(|n| n as u32).collect(), best.expect("one of them"))
    }
    let mut not_the_most_played = 0;
    for salt in 0..60 {
        for (count, budget) in [(3, 20), (6, 60), (8, 97), (17, 600)] {
            let mut search = Mcts::new(Paid::new(count, salt)).tree_policy(halving()).seed(salt);
            let report = search.run(Budget::iterations(budget)).expect("a sound game");
            let (visits_expected, best) = expected(usize::from(count), salt, budget);
            assert_eq!(visits(&report), visits_expected, "{count} arms, {budget} plays, {salt}");
            assert_eq!(report.chosen, Some(best), "{count} arms, {budget} plays, {salt}: {report}");
            let best_mean = report.actions.iter().map(|action| action.mean).fold(0.0, f32::max);
            not_the_most_played += u32::from(report.actions[best].mean < best_mean);
        }
    }
    // The rounds matter: often an arm that dropped out early has the greatest mean of all.
    assert!(not_the_most_played > 20, "{not_the_most_played}");
}

#[test]
fn with_too_few_iterations_halving_gives_one_visit_per_round() {
    let run = |budget| {
        let mut search = Mcts::new(ranked(8)).tree_policy(halving());
        search.run(Budget::iterations(budget)).expect("a sound game")
    };
    assert_eq!(visits(&run(13)), [3, 2, 2, 2, 1, 1, 1, 1]); // all 8 once, the best 4 again, the best of these again
    assert_eq!(visits(&run(15)), [4, 3, 2, 2, 1, 1, 1, 1]); // the remaining visits go to the last two
    assert_eq!(visits(&run(10)), [2, 2, 1, 1, 1, 1, 1, 1]);
    let report = run(5);
    let tried = Vec::from_iter((0..8u8).filter(|&rank| report.actions[usize::from(rank)].visits > 0));
    assert_eq!((visits(&report).iter().sum::<u32>(), tried.len()), (5, 5));
    assert_eq!(report.best_action(), tried[0], "the best of those that were tried");
}

#[test]
fn halving_counts_the_visits_of_each_run_separately() {
    for (count, budget) in [(6, 60), (9, 80), (40, 1_000)] {
        let mut search = Mcts::new(ranked(count)).backprop(Average).tree_policy(halving());
        for run in 1..=3 {
            let report = search.run(Budget::iterations(budget as u64)).expect("a sound game");
            let expected =
                Vec::from_iter(visits_by_rank(count, budget).into_iter().map(|visits| run * visits));
            assert_eq!(visits(&report), expected, "{count} actions, {budget} iterations, run {run}");
        }
    }
    // Not all have the same visits before the second run, and some a single one.
    let mut search = Mcts::new(ranked(8)).backprop(Average).tree_policy(halving());
    assert_eq!(visits(&search.run(Budget::iterations(10)).expect("a sound game")), [2, 2, 1, 1, 1, 1, 1, 1]);
    let report = search.run(Budget::iterations(240)).expect("a sound game");
    let expected = visits_by_rank(8, 240).into_iter().zip([2, 2, 1, 1, 1, 1, 1, 1]);
    assert_eq!(visits(&report), Vec::from_iter(expected.map(|(now, before)| now + before)));
    // A first run that leaves most children untried does not harm a second run.
    let mut search = Mcts::new(ranked(20)).backprop(Average).tree_policy(halving());
    search.run(Budget::iterations(7)).expect("a sound game");
    let report = search.run(Budget::iterations(400)).expect("a sound game");
    assert_eq!((report.best_action(), visits(&report).iter().sum()), (0, 407));
    assert!(visits(&report)[19] < 8, "a few in the first round: {report}");
}

#[test]
fn the_best_of_the_furthest_children_is_played_after_too_few_iterations() {
    let (mut visited_once, mut more_visits_elsewhere) = (0, 0);
    for salt in 0..100 {
        let mut search = Mcts::new(Paid::new(8, salt)).tree_policy(halving()).seed(salt);
        let report = search.run(Budget::iterations(10)).expect("a sound game");
        // Each was visited once. Of the better four, which are left, the two best were visited once more.
        let first = |arm: &usize| Paid::pays(salt, *arm, 0);
        let mut arms = Vec::from_iter(0..8);
        arms.sort_by(|a, b| first(b).total_cmp(&first(a)));
        let mean = |place: usize| match arms[place] {
            arm if place < 2 => 0.5 * (first(&arm) + Paid::pays(salt, arm, 1)),
            arm => first(&arm),
        };
        let best = (0..4).max_by(|&a, &b| mean(a).total_cmp(&mean(b))).expect("four");
        assert_eq!(report.chosen, Some(arms[best]), "{salt}: {report}");
        visited_once += u32::from(best >= 2);
        more_visits_elsewhere += u32::from(report.actions[arms[0]].visits == 2);
    }
    assert!(visited_once > 20 && more_visits_elsewhere == 100, "{visited_once}");
}

/// Returns a choice between `N` actions. The first ends the game and loses. The others draw after 90 more
/// actions.
fn lost_or_long<const N: usize>() -> Scripted {
    choice::<N>(
        0,
        std::array::from_fn(|action| if action == 0 { end(0.0) } else { corridor(1, 90, end(0.5)) }),
    )
}

#[test]
fn if_all_admitted_children_are_proven_the_others_share_the_rest() {
    const PRIORS: [f32; 5] = [1e9, 1.0, 2.0, 3.0, 2.5];
    let search = |iterations, noise, seed| {
        let policy = AtRoot::new(GumbelRoot::new(1).noise(noise), CompletedValues::default());
        let rollouts = with_priors(|_: &Any, action: u8| PRIORS[usize::from(action)]);
        let search = Mcts::new(Any::new(lost_or_long::<5>())).rollout_policy(rollouts).tree_policy(policy);
        let mut search = search.backprop(Solver::new(Average)).seed(seed);
        search.run(Budget::iterations(iterations)).expect("a sound game")
    };
    // One iteration evaluates the root.
    assert_eq!(visits(&search(1 + 1 + 80, 0.0, 0)), [1, 20, 20, 20, 20]);
    let report = search(1 + 1, 0.0, 0);
    assert_eq!((visits(&report), report.chosen), (vec![1, 0, 0, 0, 0], Some(3)));
    // If the others have no visits, the action to play is drawn by their priors. Six standard errors: a
    // correct policy fails with a probability of 2e-9 for each action, and of 3e-9 for each search, in which
    // an action other than the first may be admitted.
    let mut counts = [0.0; 5];
    for seed in 0..600 {
        counts[search(1 + 1, 1.0, seed).chosen.expect("a choice")] += 1.0;
    }
    for action in 1..5 {
        let p = f64::from(PRIORS[action]) / 8.5;
        let error: f64 = counts[action] - 600.0 * p;
        assert!(error.abs() < 6.0 * (600.0 * p * (1.0 - p)).sqrt(), "{counts:?}");
    }
}

#[test]
fn halving_plays_the_best_prior_if_all_visited_actions_are_lost() {
    let rollouts = with_priors(|_: &Any, action: u8| f32::from(action));
    let policy = AtRoot::new(SequentialHalving::new(), Puct::default());
    let search = Mcts::new(Any::new(lost_or_long::<3>())).rollout_policy(rollouts).tree_policy(policy);
    let mut search =
        search.expansion(Expansion::default().order(Order::AsListed)).backprop(Solver::new(Average));
    let report = search.run(Budget::iterations(2)).expect("a sound game"); // one evaluates the root
    assert_eq!((visits(&report), report.chosen), (vec![1, 0, 0], Some(2)), "{report}");
}

#[test]
fn halving_has_less_simple_regret_than_ucb1_on_many_close_arms() {
    // The simple regret of 20 arms .025 apart with 800 plays. The difference of the means of 4 000 pairs must
    // exceed three of its own standard errors. It exceeds seven, so other seeds would fail once in 30 000. In
    // the quick size, 600 pairs of 200 plays differ by two standard errors for halving, and by three for
    // SHOT. Any difference will do, so other seeds would fail once in 40.
    let (pairs, plays, least) = sized((600, 200, 0.0), (4_000, 800, 3.0));
    let arms: [f64; 20] = core::array::from_fn(|arm| 0.5 - 0.025 * arm as f64);
    let regret = |report: &Report<_>| 0.5 - arms[report.chosen.expect("a choice")];
    let bandit = Bandit::new(&arms).expect("probabilities");
    let leaves = Expansion::default().on_visit(u32::MAX);
    let regrets = |seed| {
        let search = || Mcts::new(Any::listed(bandit.clone())).expansion(leaves).seed(seed);
        let textbook = Ucb1::new(2_f32.sqrt());
        let ucb1 = search().tree_policy(textbook).run(Budget::iterations(plays)).expect("a sound game");
        let halved = search().tree_policy(halving()).run(Budget::iterations(plays)).expect("a sound game");
        let shot = search().tree_policy(Shot::new()).run(Budget::iterations(plays)).expect("a sound game");
        [regret(&ucb1), regret(&halved), regret(&shot)]
    };
    let all = Vec::from_iter((0..pairs).map(regrets));
    let n = all.len() as f64;
    for (index, name) in [(1, "SequentialHalving"), (2, "Shot")] {
        let mean_of = |index: usize| all.iter().map(|regrets| regrets[index]).sum::<f64>() / n;
        let mean = mean_of(0) - mean_of(index);
        let squares = all.iter().map(|regrets| (regrets[0] - regrets[index] - mean).powi(2));
        let error = (squares.sum::<f64>() / (n - 1.0) / n).sqrt();
        println!("Ucb1 {:.5}, {name} {:.5}, difference {mean:.5} +- {error:.5}", mean_of(0), mean_of(index));
        assert!(mean > least * error, "{name}: {mean} with {error}");
    }
}

#[test]
fn unplannable_budgets_and_bad_parameters_are_errors() {
    let mut search = Mcts::new(ranked(3)).tree_policy(halving());
    assert_eq!(search.run(Budget::millis(5)), Err(SearchError::NeedsIterations));
    assert!(search.run(Budget::millis(10_000).and_iterations(5)).is_ok());
    let mut search = Mcts::new(ranked(3)).tree_policy(AtRoot::new(SequentialHalving::new(), Ucb1::new(-1.0)));
    assert_eq!(named(search.run(Budget::iterations(5))), "Ucb1::c");
    let seen = Seen::default();
    let noisy = |dirichlet| {
        let priors = with_priors(|_: &Any, _| 1.0);
        let policy = AtRoot::new(dirichlet, Seeing { below: Puct::default(), seen: seen.clone() });
        Mcts::new(ranked(3)).rollout_policy(priors).tree_policy(policy).run(Budget::iterations(5))
    };
    for wrong in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert_eq!(named(noisy(Dirichlet::new(wrong))), "Dirichlet::alpha");
        assert_eq!(named(noisy(Dirichlet::scaled(wrong))), "Dirichlet::scaled, total");
    }
    for wrong in [-0.1, 1.1, f32::NAN] {
        assert_eq!(named(noisy(Dirichlet::default().epsilon(wrong))), "Dirichlet::epsilon");
    }
    // The smallest possible alpha gives everything to one action, the greatest the same to each.
    for (extreme, shares) in
        [(f32::MIN_POSITIVE, [0.0, 0.0, 1.0]), (1e-20, [0.0, 0.0, 1.0]), (f32::MAX, [1.0 / 3.0; 3])]
    {
        noisy(Dirichlet::new(extreme).epsilon(1.0)).expect("in range");
        let mut found = Vec::from_iter(seen.borrow().iter().map(|(_, prior)| *prior));
        found.sort_by(f64::total_cmp);
        for (found, share) in found.iter().zip(shares) {
            assert!((found - share).abs() < 1e-6, "{extreme}: {found}, not {share}");
        }
    }
    fn goes<T: Send>(_: &T) {}
    goes(&Mcts::new(ranked(3)).tree_policy(AtRoot::new(SequentialHalving::new(), Puct::default())));
    goes(&Mcts::new(ranked(3)).tree_policy(AtRoot::new(Dirichlet::default(), Puct::default())));
}

fn named<T: std::fmt::Debug>(result: Result<T, SearchError>) -> &'static str {
    match result {
        Err(SearchError::Parameter(ParameterError { name, .. })) => name,
        other => panic!("{other:?}"),
    }
}

/// The priors that a tree policy has seen at the latest visit of the root.
type Seen<A> = Rc<RefCell<Vec<(A, f64)>>>;

/// Does what `P` does, and notes the priors that it sees at the root.
struct Seeing<A, P> {
    below: P,
    seen: Seen<A>,
}

impl<A: Clone, G, P> TreePolicy<G> for Seeing<A, P>
where
    G: GameState<Action = A>,
    P: TreePolicy<G, Stats: KeepsPrior>,
{
    type Stats = P::Stats;
    const FIRST_PLAY: Option<FirstPlay> = P::FIRST_PLAY;
    const SEES_UNVISITED: bool = P::SEES_UNVISITED;

    fn select(&self, node: impl Node<G, P::Stats>, rng: &mut Rng) -> Choice {
        if node.is_root() {
            let priors = node.choices().map(|(_, child)| (child.action(), f64::from(child.stats().prior())));
            *self.seen.borrow_mut() = priors.collect();
        }
        self.below.select(node, rng)
    }
    fn update(&self, stats: P::Stats, visits: f32, reward: f32) -> P::Stats {
        self.below.update(stats, visits, reward)
    }
    fn learn(&mut self, actions: &[(u8, G::Action)], rewards: &Rewards) {
        self.below.learn(actions, rewards);
    }
}

#[test]
fn the_noise_has_the_mean_and_the_variance_of_a_dirichlet_distribution() {
    // η has the mean 1/K and the variance (1/K)(1 - 1/K) / (1 + Kα). With 4 000 draws, the mean and the
    // variance of the samples must be within five of their own standard errors, for 4 actions and 4 noises.
    // This fails once in 50 000.
    const WEIGHTS: [f64; 4] = [0.5, 0.25, 0.15, 0.1];
    let cases = [
        (Dirichlet::new(0.03).epsilon(1.0), 0.03, 1.0),
        (Dirichlet::new(0.3), 0.3, 0.25),
        (Dirichlet::new(1.5).epsilon(0.5), 1.5, 0.5),
        (Dirichlet::default(), 2.5, 0.25),
    ];
    for (dirichlet, alpha, epsilon) in cases {
        let rollouts = with_priors(|_: &Any, action: u8| WEIGHTS[usize::from(action)] as f32);
        let seen = Seen::default();
        let policy = AtRoot::new(dirichlet, Seeing { below: Puct::default(), seen: seen.clone() });
        let mut search =
            Mcts::new(ranked(4)).backprop(Average).rollout_policy(rollouts).tree_policy(policy).seed(11);
        search.run(Budget::iterations(1)).expect("a sound game");
        // All draws are from one root.
        let draws = Vec::from_iter((0..4_000).map(|_| {
            search.run(Budget::iterations(1)).expect("a sound game");
            seen.borrow_mut().sort_unstable_by_key(|(action, _)| *action);
            let priors = Vec::from_iter(seen.borrow().iter().map(|(_, prior)| *prior));
            assert!((priors.iter().sum::<f64>() - 1.0).abs() < 1e-5);
            [0, 1, 2, 3].map(|action| (priors[action] - (1.0 - epsilon) * WEIGHTS[action]) / epsilon)
        }));
        let n = draws.len() as f64;
        for action in 0..4 {
            let moment = |centre: f64, power| {
                draws.iter().map(|eta| (eta[action] - centre).powi(power)).sum::<f64>() / n
            };
            let (mean, expected) = (moment(0.0, 1), 0.25);
            let (variance, formula) = (moment(mean, 2), 0.25 * 0.75 / (1.0 + 4.0 * alpha));
            assert!((mean - expected).abs() < 5.0 * (formula / n).sqrt(), "mean {mean} at {alpha}");
            let error = ((moment(mean, 4) - variance * variance) / n).sqrt();
            assert!((variance - formula).abs() < 5.0 * error, "variance {variance} for {formula} at {alpha}");
        }
    }
}

#[test]
fn noise_does_not_accumulate_on_successive_roots() {
    fn weight(_: &Any, column: u8) -> f32 {
        f32::from(column) + 1.0
    }
    for expansion in [Expansion::default(), Expansion::default().widening(1.0, 0.3)] {
        let rollouts = WithPriors::new(Uniform, weight as fn(&Any, u8) -> f32);
        let seen = Seen::default();
        let policy = AtRoot::new(Dirichlet::new(0.5), Seeing { below: Puct::default(), seen: seen.clone() });
        let search = Mcts::new(connect4()).rollout_policy(rollouts).backprop(Solver::new(Average));
        let mut search = search.tree_policy(policy).expansion(expansion);
        let mut drawn = std::collections::HashSet::new();
        while search.state().turn() != Turn::Over {
            let state = search.state().clone();
            let total: f32 = state.actions().into_iter().map(|column| weight(&state, column)).sum();
            for _ in 0..sized(6, 20) {
                seen.borrow_mut().clear(); // a run at a proven root makes no iterations
                let report = search.run(Budget::iterations(40)).expect("a sound game");
                let own = |action: u8| f64::from(weight(&state, action) / total);
                for entry in &report.actions {
                    // A root that widens has not all children.
                    let is_own = |prior| (f64::from(prior) - own(entry.action)).abs() < 1e-6;
                    assert!(entry.prior.is_none_or(is_own), "{report}");
                }
                for &(action, prior) in seen.borrow().iter() {
                    let least = 0.75 * own(action) - 1e-6;
                    let is_noised = (least..=least + 0.25 + 2e-6).contains(&prior);
                    assert!(is_noised, "{prior} of {}: {report}", own(action));
                }
                drawn.insert(seen.borrow().first().map(|(_, prior)| prior.to_bits()));
            }
            let report = search.report().expect("a running game");
            search.advance(report.best_action()).expect("a legal action");
        }
        assert!(drawn.len() > 50, "{} draws were different", drawn.len());
    }
}

/// Restrictions in turn, and files: no run starts from the noise of another.
#[test]
fn noise_does_not_accumulate_under_restrictions_of_the_root() {
    const WEIGHTS: [f64; 5] = [1.0 / 15.0, 2.0 / 15.0, 3.0 / 15.0, 4.0 / 15.0, 5.0 / 15.0];
    let restrictions = [
        RootActions::except([0, 3]),
        RootActions::only([3]),
        RootActions::default(),
        RootActions::only([0, 1, 2]),
        RootActions::except([4]),
        RootActions::default(),
    ];
    let rollouts = with_priors(|_: &Any, action: u8| WEIGHTS[usize::from(action)] as f32);
    let seen = Seen::default();
    let policy = AtRoot::new(Dirichlet::default(), Seeing { below: Puct::default(), seen: seen.clone() });
    let search = Mcts::new(ranked(5)).backprop(Average).rollout_policy(rollouts);
    let mut search = search.tree_policy(policy).seed(1);
    search.run(Budget::iterations(1)).expect("a sound game");
    for restriction in restrictions.into_iter().cycle().take(300) {
        search.set_root_actions(restriction);
        let report = search.run(Budget::iterations(3)).expect("a sound game");
        for entry in &report.actions {
            assert_eq!(entry.prior, Some(WEIGHTS[usize::from(entry.action)] as f32), "{report}");
        }
        for &(action, prior) in seen.borrow().iter() {
            let least = 0.75 * WEIGHTS[usize::from(action)] - 1e-6;
            assert!((least..=least + 0.25 + 2e-6).contains(&prior), "{prior} of {action}");
        }
    }
}

/// Two runs under different restrictions may end at the same number of visits of the actions that they
/// consider. The second makes a plan of its own.
#[test]
fn a_plan_of_shot_is_not_that_of_another_restriction() {
    let mut search = Mcts::new(ranked(6)).backprop(Average).tree_policy(Shot::new());
    let report = search.run(Budget::iterations(600)).expect("a sound game");
    let best = report.best_action();
    let rest = 600 - u64::from(report.chosen_action().expect("a choice").visits);
    search.set_root_actions(RootActions::except([best]));
    let report = search.run(Budget::iterations(600 - rest)).expect("a sound game");
    // The first of three rounds has 600 / (5 · 3) visits for each of five actions; for six, 600 / (6 · 3).
    assert!(report.actions.iter().all(|entry| entry.visits >= 40), "{report}");
}
