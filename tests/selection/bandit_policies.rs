//! The bandit tree policies in trees: how they treat proofs and settings, and Exp3 after ten million rounds.
//! (`equations_bandits` tests that they score and draw as in their papers, and `perspective` tests that they
//! use the rewards of the right player.)

use crate::chosen::Chosen;
use crate::common::any::Any;
use crate::common::rows::TicTacToe;
use crate::common::simple::{OneStep, Wide};
use crate::common::{self, sized};
use ramure::backpropagation::{Average, Solver};
use ramure::selection::{
    AvailabilityUcb1, BayesUct, Boltzmann, EpsilonGreedy, Exp3, FirstPlay, GaussianThompson, KlUcb, Moss,
    SinglePlayer, TreePolicy, Ucb1, UcbV,
};
use ramure::simulation::Uniform;
use ramure::statistics::Statistics;
use ramure::{Budget, Expansion, Mcts, SearchError, StopReason};

/// The policies that see visited children only.
fn plain() -> Vec<Chosen<Any, KlUcb>> {
    vec![
        Chosen::new(UcbV::new(0.1, 0.1)),
        Chosen::new(KlUcb::default()),
        Chosen::new(KlUcb::new(3.0)),
        Chosen::new(Moss::new()),
        Chosen::new(Moss::with_horizon(2_000)),
    ]
}

/// The policies that see all children.
fn seeing() -> Vec<Chosen<Any, Boltzmann>> {
    vec![
        Chosen::new(EpsilonGreedy::new(0.2)),
        Chosen::new(EpsilonGreedy::decreasing(1.0, 0.3)),
        Chosen::new(Boltzmann::new(0.1)),
    ]
}

/// The policies with a rule of their own for unvisited children.
fn ruling() -> Vec<Chosen<Any, GaussianThompson>> {
    vec![Chosen::new(GaussianThompson::new(0.5)), Chosen::new(Exp3::new(0.1))]
}

/// Does the same with each policy: `each!(policy => expression)`.
macro_rules! each {
    ($policy:ident => $what:expr) => {
        for $policy in plain() { $what }
        for $policy in seeing() { $what }
        for $policy in ruling() { $what }
    };
    ($policy:ident => $what:expr; $($value:expr),*) => { $( { let $policy = $value; $what } )* };
}

fn search<P: TreePolicy<Any>>(state: &Any, policy: P, seed: u64) -> Mcts<Any, P, Uniform, Average> {
    Mcts::new(state.clone()).backprop(Average).tree_policy(policy).seed(seed)
}

/// Returns a choice between these rewards.
fn one_step(worth: &'static [f64]) -> Any {
    Any::listed(OneStep::new(worth))
}

#[test]
fn each_policy_proves_tic_tac_toe_drawn() {
    // Proven children are not chosen. Otherwise the search would visit their subtrees without end.
    let start = Any::new(sized(TicTacToe::picture("X.. .O. ..."), TicTacToe::default()));
    for seed in 0..sized(2, 3) {
        each!(policy => {
            let mut search = search(&start, policy.clone(), seed).backprop(Solver::new(Average));
            let report = search.run(Budget::iterations(400_000)).expect("a sound game");
            assert_eq!((report.stop_reason, report.proof), (StopReason::Proven, Some(0.5)), "{policy:?} {report}");
        });
    }
}

#[test]
fn each_policy_works_with_widening_little_memory_and_its_first_play_urgency() {
    each!(policy => {
        let wide = Any::listed(Wide::new(60, 4));
        let mut narrow = search(&wide, policy.clone(), 1).expansion(Expansion::default().widening(1.0, 0.5));
        let report = narrow.run(Budget::iterations(900)).expect("a sound game");
        let tried = common::visits(&report).iter().filter(|&&visits| visits > 0).count();
        assert!((2..=31).contains(&tried), "{policy:?}: {tried} of 30");
        let mut small = search(&wide, policy.clone(), 1).memory_limit(ramure::Bytes(100_000));
        let many = sized(1_200, 5_000);
        assert_eq!(small.run(Budget::iterations(many)).expect("room enough").iterations, many);

        let worth = one_step(&[0.25, 0.5, 0.75]);
        let urgent = Expansion::default().first_play(FirstPlay::Value(0.6));
        let result = search(&worth, policy.clone(), 1).expansion(urgent).run(Budget::iterations(200));
        let text = format!("{policy:?}");
        if text.starts_with("Exp3") || text.starts_with("Gaussian") {
            assert!(result.is_err(), "{text} has its own rule");
        } else {
            assert_eq!(result.expect("a setting").iterations, 200);
        }
    });
}

/// Returns the parameter that a search with this policy refuses, if any.
fn refused<P>(policy: P) -> Option<&'static str>
where
    P: TreePolicy<Any, Stats: Statistics<Any, ()>> + Clone + std::fmt::Debug + 'static,
{
    let start = one_step(&[0.25, 0.5, 0.75]);
    let result = match (P::FIRST_PLAY, P::SEES_UNVISITED) {
        (Some(_), false) => search(&start, Chosen::<_, KlUcb>::new(policy), 0).run(Budget::iterations(20)),
        (Some(_), true) => search(&start, Chosen::<_, Boltzmann>::new(policy), 0).run(Budget::iterations(20)),
        (None, _) => {
            search(&start, Chosen::<_, GaussianThompson>::new(policy), 0).run(Budget::iterations(20))
        }
    };
    match result {
        Ok(_) => None,
        Err(SearchError::Parameter(error)) => Some(error.name),
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn parameters_out_of_range_are_rejected_by_name() {
    for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.001] {
        assert_eq!(refused(UcbV::new(wrong, 1.0)), Some("UcbV::zeta"));
        assert_eq!(refused(UcbV::new(1.0, wrong)), Some("UcbV::c"));
        assert_eq!(refused(KlUcb::new(wrong)), Some("KlUcb::c"));
    }
    for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.001] {
        assert_eq!(refused(GaussianThompson::new(wrong)), Some("GaussianThompson::sigma"));
        assert_eq!(refused(EpsilonGreedy::new(wrong)), Some("EpsilonGreedy::epsilon"));
        assert_eq!(refused(EpsilonGreedy::decreasing(wrong, 0.5)), Some("EpsilonGreedy::c"));
        assert_eq!(refused(EpsilonGreedy::decreasing(1.0, wrong)), Some("EpsilonGreedy::d"));
        assert_eq!(refused(Boltzmann::new(wrong)), Some("Boltzmann::tau"));
        assert_eq!(refused(Exp3::new(wrong)), Some("Exp3::gamma"));
    }
    assert_eq!(refused(Moss::with_horizon(0)), Some("Moss::horizon"));
    assert_eq!(refused(Moss::with_horizon(1 << 31)), Some("Moss::horizon"));
    assert_eq!(refused(GaussianThompson::new(0.0)), Some("GaussianThompson::sigma"));
    assert_eq!(refused(EpsilonGreedy::new(1.001)), Some("EpsilonGreedy::epsilon"));
    assert_eq!(refused(EpsilonGreedy::decreasing(0.0, 0.5)), Some("EpsilonGreedy::c"));
    assert_eq!(refused(EpsilonGreedy::decreasing(1.0, 1.0)), Some("EpsilonGreedy::d"));
    assert_eq!(refused(Boltzmann::new(0.0)), Some("Boltzmann::tau"));
    assert_eq!(refused(Exp3::new(0.0)), Some("Exp3::gamma"));
    assert_eq!(refused(Exp3::new(1.001)), Some("Exp3::gamma"));
    each!(policy => assert_eq!(refused(policy), None);
        UcbV::default(), UcbV::new(0.0, 0.0), UcbV::new(1000.0, 1000.0), KlUcb::default(), KlUcb::new(1000.0),
        Moss::default(), Moss::with_horizon(1), Moss::with_horizon(i32::MAX as u32),
        GaussianThompson::default(), GaussianThompson::new(f64::MIN_POSITIVE), GaussianThompson::new(1000.0),
        EpsilonGreedy::default(), EpsilonGreedy::new(0.0), EpsilonGreedy::new(1.0),
        EpsilonGreedy::decreasing(f64::MIN_POSITIVE, 0.999), EpsilonGreedy::decreasing(f64::MAX, f64::MIN_POSITIVE),
        Boltzmann::default(), Boltzmann::new(1e-6), Boltzmann::new(1000.0),
        Exp3::default(), Exp3::new(f64::MIN_POSITIVE), Exp3::new(1.0));
}

#[test]
fn with_the_greatest_constants_all_children_are_visited_alike() {
    each!(policy => {
        let mut search = search(&one_step(&[0.25, 0.5, 0.75]), policy.clone(), 1);
        let visits = common::visits(&search.run(Budget::iterations(3_000)).expect("a sound game"));
        assert!(visits.iter().all(|&visits| visits > 400), "{policy:?}: {visits:?}");
    }; Chosen::<_, KlUcb>::new(UcbV::new(1000.0, 1000.0)), Chosen::<_, KlUcb>::new(KlUcb::new(1000.0)),
        Chosen::<_, GaussianThompson>::new(GaussianThompson::new(1000.0)),
        Chosen::<_, Boltzmann>::new(Boltzmann::new(1000.0)), Chosen::<_, KlUcb>::new(Ucb1::new(1000.0)),
        Chosen::<_, KlUcb>::new(BayesUct::first(1000.0)), Chosen::<_, KlUcb>::new(BayesUct::second(1000.0)),
        Chosen::<_, Boltzmann>::new(AvailabilityUcb1::new(1000.0)));
}

#[test]
fn a_constant_with_which_scores_overflow_is_an_error() {
    // All scores would be infinite, and one child would get all visits.
    let error = search(&one_step(&[0.25, 0.5, 0.75]), Ucb1::new(f32::MAX), 1).run(Budget::iterations(10));
    let error = error.expect_err("all scores would be infinite").to_string();
    assert!(error.contains("Ucb1::c") && error.contains("from 0 to 1000"), "{error}");
}

#[test]
fn availability_with_any_first_play_urgency_finds_the_best_end() {
    static ENDS: [f64; 5] = [0.3, 0.5, 0.9, 0.4, 0.2];
    let urgencies = [0.0, 0.1, 0.5, 1.0].map(FirstPlay::BelowMean);
    for first_play in
        urgencies.into_iter().chain([0.75, 1.0].map(FirstPlay::Value)).chain([FirstPlay::Infinite])
    {
        for seed in 0..sized(2, 10) {
            let expansion = Expansion::default().first_play(first_play);
            let mut search = search(&one_step(&ENDS), AvailabilityUcb1::default(), seed).expansion(expansion);
            let report = search.run(Budget::iterations(5_000)).expect("a sound game");
            assert_eq!(report.best_action(), 2, "{first_play:?}: {report}");
            // Below the mean, the exploration term stays, so all children are tried.
            let all = common::visits(&report).iter().all(|&visits| visits > 0);
            assert!(all || matches!(first_play, FirstPlay::Value(_)), "{first_play:?}: {report}");
            let mut search = Mcts::player_trees(one_step(&ENDS)).expansion(expansion).seed(seed);
            let report = search.run(Budget::iterations(5_000)).expect("a sound game");
            assert_eq!(report.best_action(), 2, "{first_play:?}: {report}");
        }
    }
}

#[test]
fn the_size_of_a_child_matches_the_documentation() {
    fn bytes<P: TreePolicy<OneStep>>(_: P) -> usize {
        size_of::<P::Stats>()
    }
    assert_eq!([bytes(UcbV::default()), bytes(KlUcb::default()), bytes(Moss::new())], [24, 0, 4]);
    assert_eq!([bytes(GaussianThompson::default()), bytes(EpsilonGreedy::default())], [0, 0]);
    assert_eq!([bytes(Boltzmann::default()), bytes(Exp3::default())], [0, 16]);
}

#[test]
fn exp3_is_sound_after_ten_million_rounds() {
    let (rounds, gamma) = (sized(100_000u64, 10_000_000), 0.05);
    let mut search = search(&one_step(&[0.5, 1.0]), Exp3::new(gamma), 3);
    let report = search.run(Budget::iterations(rounds)).expect("a sound game");
    let slack = sized(250.0, 1_000.0);
    // In the end, the worse action is drawn only with a probability of γ / 2. Before that, its weight falls
    // by e^(-γ/4) per round or faster, which lasts fewer than 100 rounds. Beyond that, five standard
    // deviations: the test fails with a probability of 6e-7.
    let (n, p) = (rounds as f64, gamma / 2.0);
    let worse = f64::from(report.actions[0].visits);
    assert!((worse - n * p).abs() < slack + 5.0 * (n * p * (1.0 - p)).sqrt(), "{report}");
    // Each gain estimates the sum of all rewards that the action would have brought.
    for child in search.tree().root().expect("it ran").children() {
        let (gain, probability) = child.stats();
        let (worth, p) = if child.action() == Some(0) { (0.5, p) } else { (1.0, 1.0 - p) };
        let deviation = worth * (n * (1.0 / p - 1.0)).sqrt();
        assert!((gain - worth * n).abs() < 5.0 * deviation + slack, "{gain}, not {} or so", worth * n);
        assert_eq!(probability, 0.0, "no iteration is in progress");
    }
}

/// Eight actions, one step of a scale apart. The least and the greatest reward of an earlier game do not count.
#[test]
fn a_single_player_forgets_the_scale_of_another_game() {
    const WIDE: [f64; 8] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 1.0];
    const NARROW: [f64; 8] = [0.510, 0.511, 0.512, 0.513, 0.514, 0.515, 0.516, 0.517];
    let run = |search: &mut Mcts<Any, SinglePlayer, Uniform, Average>| {
        search.run(Budget::iterations(1_000)).expect("a sound game").actions
    };
    let new = |worth| Mcts::new(one_step(worth)).tree_policy(SinglePlayer::default()).backprop(Average);
    let fresh = run(&mut new(&NARROW));
    assert!(fresh[7].visits > 900, "{fresh:?}");
    let mut search = new(&WIDE);
    run(&mut search);
    search.reset(one_step(&NARROW));
    assert!(run(&mut search)[7].visits > 900);
}
