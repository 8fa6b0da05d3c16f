//! Bad settings get an error that names them: budgets, memory limits, parameters, states that cannot be
//! searched, and actions that cannot be played. Every error names the fault and its place.

use crate::common::any::Any;
use crate::common::nim::Nim;
use crate::common::rows::TicTacToe;
use crate::common::simple::{OneStep, Wide};
use crate::common::{after, visits};
use ramure::backpropagation::{
    Average, Backprop, Contempt, Discounted, ImplicitMinimax, PowerMean, RecencyWeighted, RelativeBonus,
    SoftmaxBackup, Solver,
};
use ramure::selection::FirstPlay;
use ramure::selection::{
    self, AlphaAmaf, AtRoot, AvailabilityUcb1, BayesUct, Boltzmann, CompletedValues, Dirichlet, Exp3,
    Exploration, GaussianThompson, Grave, GumbelRoot, KlUcb, Moss, ProgressiveBias, ProgressiveHistory, Puct,
    Rave, RootPolicy, SinglePlayer, Thompson, TreePolicy, Ucb1, Ucb1Tuned, UcbV,
};
use ramure::simulation::{
    BestLine, Cutoff, Decisive, EpsilonGreedyRollouts, EvaluationPriors, LastGoodReply, Mast, Mixed,
    MultipleRollouts, Nst, Ppa, RolloutPolicy, Softmax, Uniform, WithPriors,
};
use ramure::statistics::ValuedPrior;
use ramure::{
    Budget, Bytes, Expansion, GameFault, GameState, LineOfPlay, Mcts, ParameterError, Player, Report,
    RootDecision, SearchError, Turn,
};
use std::time::Duration;

#[test]
fn a_game_of_no_players_or_too_many_is_rejected() {
    #[derive(Clone)]
    struct Crowd(u8);
    impl GameState for Crowd {
        type Action = u8;
        fn turn(&self) -> Turn {
            Turn::Player(0)
        }
        fn actions(&self) -> impl IntoIterator<Item = u8> {
            0..2
        }
        fn apply(&mut self, _: u8) {}
        fn reward(&self, _: Player) -> f64 {
            0.5
        }
        fn players(&self) -> u8 {
            self.0
        }
    }
    for players in [0, 9, 255] {
        let mut search = Mcts::new(Crowd(players));
        let expected =
            SearchError::Game { fault: GameFault::Players { players }, ply: 0, line: LineOfPlay::default() };
        assert_eq!(search.run(Budget::iterations(1)).expect_err("1 to 8"), expected);
        assert_eq!(search.report().expect_err("1 to 8"), expected);
    }
}

#[test]
fn a_finished_game_is_rejected() {
    let mut search = Mcts::new(Nim::<2> { sticks: 1, player: 0 });
    search.advance(1).expect("the last stick");
    assert_eq!(search.run(Budget::iterations(1)).expect_err("over"), SearchError::GameOver);
    assert_eq!(search.report().expect_err("over"), SearchError::GameOver);
    assert_eq!(search.advance(1).expect_err("over"), SearchError::GameOver);
    let over = Nim::<2> { sticks: 0, player: 0 };
    assert_eq!(ramure::best_action(&over, Budget::iterations(1)).expect_err("over"), SearchError::GameOver);
    assert_eq!(search.tree().dot(3, 0).to_string().matches("->").count(), 0);
    search.reset(Nim::<2> { sticks: 2, player: 0 });
    assert_eq!(search.run(Budget::iterations(100)).expect("it can start again").best_action(), 2);
}

#[test]
fn an_illegal_action_does_not_change_the_search() {
    let mut search = Mcts::new(TicTacToe::default());
    search.run(Budget::iterations(500)).expect("a sound game");
    search.advance(4).expect("the centre is free");
    let before = search.report().expect("kept");
    for illegal in [4, 9, 255] {
        let error = search.advance(illegal).expect_err("not free");
        assert_eq!(error, SearchError::IllegalAction { action: format!("{illegal:?}").into() });
    }
    assert_eq!(search.report().expect("kept"), before);
    assert_eq!(search.state(), &after(&TicTacToe::default(), [4]));
}

#[test]
fn an_empty_bound_is_rejected_in_any_budget() {
    let time = Duration::from_secs(1);
    for nothing in [
        Budget::iterations(0),
        Budget::millis(0),
        Budget::time(Duration::ZERO),
        Budget::until_stopped().and_bytes(Bytes(0)),
        Budget::iterations(0).and_time(time),
        Budget::time(time).and_iterations(0),
        Budget::iterations(5).and_bytes(Bytes::mib(0)),
        Budget::iterations(5).and_time(Duration::ZERO),
    ] {
        let error = Mcts::new(TicTacToe::default()).run(nothing).expect_err("an empty budget");
        assert_eq!(error, SearchError::EmptyBudget);
    }
}

#[test]
fn a_memory_limit_without_room_for_the_children_of_the_root_is_rejected() {
    let error = |limit| {
        let mut search = Mcts::new(Wide::new(40, 2)).memory_limit(Bytes(limit));
        search.run(Budget::iterations(10)).expect_err("no room")
    };
    for limit in [0, 1, 100] {
        assert_eq!(error(limit), SearchError::MemoryLimit { limit });
    }
    // For every limit, the result is an error, or a report within the limit that has tried actions.
    for limit in (0..8_000).step_by(50) {
        let mut search = Mcts::new(Wide::new(40, 2)).memory_limit(Bytes(limit));
        match search.run(Budget::iterations(50)) {
            Ok(report) => {
                assert!(report.bytes <= limit, "{report}");
                assert_eq!(visits(&report).iter().sum::<u32>(), 50, "{limit} bytes: {report}");
            }
            Err(error) => assert_eq!(error, SearchError::MemoryLimit { limit }),
        }
    }
}

#[test]
fn first_play_urgency_is_rejected_by_policies_that_ignore_it() {
    let urgency = Expansion::default().first_play(FirstPlay::Value(0.5));
    let mut search = Mcts::new(TicTacToe::default()).tree_policy(Thompson).expansion(urgency);
    assert_eq!(search.run(Budget::iterations(5)).expect_err("unused"), SearchError::FirstPlayUnused);
}

#[test]
fn every_error_names_the_fault_and_its_place() {
    let at_root = SearchError::Game { fault: GameFault::NoPrior, ply: 0, line: LineOfPlay::default() };
    assert!(at_root.to_string().starts_with("the priors"));
    assert!(at_root.to_string().ends_with(" (at the root of the search)"));
    let below = |fault| SearchError::Game { fault, ply: 3, line: LineOfPlay::default() }.to_string();
    for (fault, says) in [
        (GameFault::NoActions, "`actions` yields no action"),
        (GameFault::TooManyActions { limit: 7 }, "more than 7 actions"),
        (GameFault::Players { players: 9 }, "`players` returned 9; it must be between 1 and 8"),
        (GameFault::UnknownPlayer { player: 2, players: 2 }, "returned player 2, but `players` returned 2"),
        (GameFault::Reward { player: 1, reward: 1.5 }, "the reward of player 1 is 1.5"),
        (GameFault::Evaluation { player: 1, value: f64::NAN }, "the evaluation for player 1 is NaN"),
        (GameFault::Prior { index: 4, prior: -1.0 }, "the prior of action number 4 is -1"),
        (GameFault::Heuristic { index: 4 }, "the heuristic value of action number 4"),
        (GameFault::Probability { index: 4, probability: 2.0 }, "the probability of outcome number 4 is 2"),
        (GameFault::ProbabilitySum { sum: 0.9 }, "sum to 0.9; they must sum to 1"),
        (GameFault::UnknownOutcome, "that `actions` does not yield"),
        (GameFault::ActionIndex { index: 9, count: 9 }, "`action_index` returned 9"),
        (GameFault::Endless { limit: 8 }, "within 8 actions"),
    ] {
        let text = below(fault);
        assert!(
            text.ends_with(" (3 actions after the root of the search)") && text.contains(says.trim()),
            "{text}"
        );
    }
    for (error, says) in [
        (SearchError::GameOver, "over"),
        (SearchError::ChanceToMove, "chance"),
        (SearchError::IllegalAction { action: "9".into() }, "the action 9 is not legal"),
        (SearchError::EmptyBudget, "budget is empty"),
        (SearchError::MemoryLimit { limit: 77 }, "77 bytes"),
        (SearchError::FirstPlayUnused, "first-play urgency"),
        (SearchError::NoPriors, "this tree policy has no priors"),
        (SearchError::CountFull, "count"),
    ] {
        assert!(error.to_string().contains(says), "{error}");
    }
}

/// The checks of the ranges run at the start of each run, for each part of a search.
#[test]
fn a_run_names_the_parameter_that_is_out_of_range() {
    let new = || Mcts::new(OneStep::new(&[0.25, 0.5, 0.75]));
    let named = |results: [Result<Report<u16>, SearchError>; 2], name: &str| {
        for error in results.map(|result| result.expect_err(name)) {
            let SearchError::Parameter(error) = error else { panic!("{error:?}") };
            assert_eq!(error.name, name);
            assert!(
                error.to_string().starts_with(name) && error.to_string().contains("it must be"),
                "{error}"
            );
        }
    };
    macro_rules! run {
        ($search:expr, $name:literal) => {{
            let mut search = $search;
            named([search.run(Budget::iterations(20)), search.report()], $name);
        }};
    }
    run!(new().tree_policy(Ucb1::new(f32::NAN)), "Ucb1::c");
    run!(new().backprop(Discounted::new(1.5)), "Discounted::gamma");
    let greedy = EpsilonGreedyRollouts::new(1.1, |_: &OneStep, _: u16| 0.0);
    run!(new().rollout_policy(greedy), "EpsilonGreedyRollouts::epsilon");
}

/// Returns the values at the ends of a range: those that must be accepted, and those that must be rejected.
type Ends = (&'static [f64], &'static [f64]);

const AT_LEAST_0: Ends = (&[0.0, 0.001, 1e30], &[-1e-6, f64::INFINITY, f64::NAN]);
const FROM_0_TO_1000: Ends =
    (&[0.0, 0.001, 1000.0], &[-1e-6, 1000.1, f32::MAX as f64, f64::INFINITY, f64::NAN]);
const ABOVE_0: Ends = (&[1e-30, 1e30], &[0.0, -1e-6, f64::INFINITY, f64::NAN]);
const FROM_0_TO_1: Ends = (&[0.0, 1.0], &[-1e-6, 1.00001, f64::NAN]);
const ABOVE_0_TO_1: Ends = (&[1e-30, 1.0], &[0.0, -1e-6, 1.00001, f64::NAN]);
const BETWEEN_0_AND_1: Ends = (&[1e-30, 0.999], &[0.0, 1.0, -1e-6, f64::NAN]);

/// Checks that the parameter `name` is rejected outside its range, and only there. `check` returns the error
/// for a value.
fn ends(name: &str, (fit, wrong): Ends, check: impl Fn(f64) -> Result<(), ParameterError>) {
    for &value in fit {
        assert_eq!(check(value).map_err(|error| error.to_string()), Ok(()), "{name} of {value}");
    }
    for &value in wrong {
        let error = check(value).expect_err(&format!("{name} of {value} is out of range"));
        assert_eq!(error.name, name);
    }
}

#[test]
fn ranges_match_the_documentation() {
    // The test calls the checks with which every run starts. It makes no search, because each would have to
    // be compiled.
    fn tree(policy: impl TreePolicy<Any>) -> Result<(), ParameterError> {
        policy.check()
    }
    fn root(policy: impl RootPolicy<Any, ValuedPrior>) -> Result<(), ParameterError> {
        policy.check()
    }
    fn rollouts(policy: impl RolloutPolicy<Any>) -> Result<(), ParameterError> {
        policy.check()
    }
    fn backup(policy: impl Backprop<Any>) -> Result<(), ParameterError> {
        policy.check()
    }
    ends("AlphaAmaf::alpha", FROM_0_TO_1, |x| tree(AlphaAmaf::new(x as f32, 1.0)));
    ends("AlphaAmaf::c", FROM_0_TO_1000, |x| tree(AlphaAmaf::new(0.5, x as f32)));
    ends("AvailabilityUcb1::c", FROM_0_TO_1000, |x| tree(AvailabilityUcb1::new(x as f32)));
    ends("BayesUct::c", FROM_0_TO_1000, |x| tree(BayesUct::first(x as f32)));
    ends("Boltzmann::tau", (&[1e-6, 1000.0], &[0.0, 1e-7, 1000.1, f64::INFINITY, f64::NAN]), |x| {
        tree(Boltzmann::new(x))
    });
    ends("CompletedValues::c_visit", AT_LEAST_0, |x| tree(CompletedValues::new(x as f32, 1.0)));
    ends("CompletedValues::c_scale", AT_LEAST_0, |x| tree(CompletedValues::new(1.0, x as f32)));
    ends("Dirichlet::alpha", ABOVE_0, |x| root(Dirichlet::new(x as f32)));
    ends("Dirichlet::scaled, total", ABOVE_0, |x| root(Dirichlet::scaled(x as f32)));
    ends("Dirichlet::epsilon", FROM_0_TO_1, |x| root(Dirichlet::new(1.0).epsilon(x as f32)));
    ends("EpsilonGreedy::epsilon", FROM_0_TO_1, |x| tree(selection::EpsilonGreedy::new(x)));
    ends("EpsilonGreedy::c", ABOVE_0, |x| tree(selection::EpsilonGreedy::decreasing(x, 0.5)));
    ends("EpsilonGreedy::d", BETWEEN_0_AND_1, |x| tree(selection::EpsilonGreedy::decreasing(1.0, x)));
    ends("Exp3::gamma", ABOVE_0_TO_1, |x| tree(Exp3::new(x)));
    ends("GaussianThompson::sigma", (&[1e-30, 1000.0], &[0.0, 1000.1, f64::INFINITY, f64::NAN]), |x| {
        tree(GaussianThompson::new(x))
    });
    ends("Grave::reference", (&[0.0, 1e30, f64::INFINITY], &[-1e-6, f64::NAN]), |x| {
        tree(Grave::new(x as f32, 0.1))
    });
    ends("Grave::bias", AT_LEAST_0, |x| tree(Grave::hrave(x as f32)));
    ends("GumbelRoot::actions", (&[1.0, 2.0], &[0.0]), |x| root(GumbelRoot::new(x as u32)));
    ends("GumbelRoot::c_visit", AT_LEAST_0, |x| root(GumbelRoot::new(4).scale(x as f32, 1.0)));
    ends("GumbelRoot::c_scale", AT_LEAST_0, |x| root(GumbelRoot::new(4).scale(1.0, x as f32)));
    ends("GumbelRoot::noise", AT_LEAST_0, |x| root(GumbelRoot::new(4).noise(x as f32)));
    ends("KlUcb::c", FROM_0_TO_1000, |x| tree(KlUcb::new(x as f32)));
    ends("Moss::horizon", (&[1.0, 2_147_483_647.0], &[0.0, 2_147_483_648.0]), |x| {
        tree(Moss::with_horizon(x as u32))
    });
    ends("ProgressiveBias::c", FROM_0_TO_1000, |x| tree(ProgressiveBias::new(x as f32, 1.0)));
    ends("ProgressiveBias::weight", FROM_0_TO_1000, |x| tree(ProgressiveBias::new(1.0, x as f32)));
    ends("ProgressiveHistory::c", FROM_0_TO_1000, |x| tree(ProgressiveHistory::new(x as f32, 1.0)));
    ends("ProgressiveHistory::weight", FROM_0_TO_1000, |x| tree(ProgressiveHistory::new(1.0, x as f32)));
    ends("Puct::c", FROM_0_TO_1000, |x| tree(Puct::new(x as f32)));
    ends("Puct::c_init", FROM_0_TO_1000, |x| tree(Puct::growing(x as f32, 1.0)));
    ends("Puct::c_base", ABOVE_0, |x| tree(Puct::growing(1.0, x as f32)));
    ends("Puct::fpu_reduction", FROM_0_TO_1, |x| tree(Puct::new(1.0).fpu_reduction(x as f32)));
    ends("Rave::bias", AT_LEAST_0, |x| tree(Rave::new(x as f32)));
    ends("Rave::k", ABOVE_0, |x| tree(Rave::hand_selected(x as f32)));
    ends("Rave::c", FROM_0_TO_1000, |x| tree(Rave::new(0.1).exploration(x as f32)));
    ends("SinglePlayer::c", FROM_0_TO_1000, |x| tree(SinglePlayer::new(x as f32, 0.1)));
    ends("SinglePlayer::d", FROM_0_TO_1000, |x| tree(SinglePlayer::new(0.1, x as f32)));
    ends("Ucb1::c", FROM_0_TO_1000, |x| tree(Ucb1::new(x as f32)));
    ends("Ucb1::c", FROM_0_TO_1000, |x| root(Ucb1::new(x as f32)));
    ends("Ucb1Tuned::c", FROM_0_TO_1000, |x| tree(Ucb1Tuned::new(x as f32)));
    ends("UcbV::zeta", FROM_0_TO_1000, |x| tree(UcbV::new(x as f32, 1.0)));
    ends("UcbV::c", FROM_0_TO_1000, |x| tree(UcbV::new(1.0, x as f32)));
    // A root policy is checked before the policy below it, and both are checked.
    let below = |noise, c| tree(AtRoot::new(Dirichlet::new(noise), Puct::new(c)));
    ends("Dirichlet::alpha", ABOVE_0, |x| {
        below(x as f32, -1.0).or_else(|error| match error.name {
            "Puct::c" => Ok(()),
            _ => Err(error),
        })
    });
    ends("Puct::c", FROM_0_TO_1000, |x| below(1.0, x as f32));

    ends("Cutoff::probability", FROM_0_TO_1, |x| rollouts(Cutoff::with_probability(x)));
    ends("Cutoff::margin", (&[0.0, 0.5], &[-1e-6, 0.5001, f64::NAN]), |x| rollouts(Cutoff::when_decided(x)));
    ends("Cutoff::every", (&[1.0, 2.0], &[0.0]), |x| rollouts(Cutoff::new(9).every(x as u32)));
    ends("EpsilonGreedyRollouts::epsilon", FROM_0_TO_1, |x| {
        rollouts(EpsilonGreedyRollouts::new(x, |_: &Any, _: u8| 0.0))
    });
    ends("EvaluationPriors::temperature", ABOVE_0, |x| rollouts(EvaluationPriors::new(Uniform, x)));
    ends("LastGoodReply::actions", (&[1.0, 2.0], &[0.0, 3.0]), |x| {
        rollouts(LastGoodReply::<u8>::new(x as usize))
    });
    ends("Mast::epsilon", FROM_0_TO_1, |x| rollouts(Mast::new(x)));
    ends("Mast::tau", ABOVE_0, |x| rollouts(Mast::gibbs(x)));
    ends("Mixed::lambda", FROM_0_TO_1, |x| rollouts(Mixed::new(Uniform, Uniform).lambda(x)));
    ends("Nst::longest", (&[2.0, 3.0], &[1.0, 4.0]), |x| rollouts(Nst::new(x as usize, 0.1)));
    ends("Nst::k", (&[1.0, 2.0], &[0.0]), |x| rollouts(Nst::new(3, 0.1).k(x as u32)));
    ends("Nst::epsilon", FROM_0_TO_1, |x| rollouts(Nst::new(3, x)));
    ends("Ppa::alpha", (&[0.0, 1000.0], &[-1e-6, 1000.1, f64::NAN]), |x| rollouts(Ppa::new(x)));
    ends("MultipleRollouts::rollouts", (&[1.0, 2.0], &[0.0]), |x| {
        rollouts(MultipleRollouts::new(x as u32, Uniform))
    });
    ends("Softmax::tau", ABOVE_0, |x| rollouts(Softmax::new(x, |_: &Any, _: u8| 0.0)));
    // The inner parts are checked, too.
    ends("Mast::epsilon", FROM_0_TO_1, |x| rollouts(BestLine::new(Mast::new(x))));
    ends("Mast::epsilon", FROM_0_TO_1, |x| rollouts(Cutoff::new(9).rollouts(Mast::new(x))));
    ends("Mast::epsilon", FROM_0_TO_1, |x| rollouts(Decisive::new().rollouts(Mast::new(x))));
    ends("Mast::epsilon", FROM_0_TO_1, |x| rollouts(EvaluationPriors::new(Mast::new(x), 1.0)));
    ends("Mast::epsilon", FROM_0_TO_1, |x| rollouts(LastGoodReply::new(1).rollouts(Mast::new(x))));
    ends("Mast::epsilon", FROM_0_TO_1, |x| rollouts(Mixed::new(Mast::new(x), Uniform)));
    ends("Mast::epsilon", FROM_0_TO_1, |x| rollouts(Mixed::new(Uniform, Mast::new(x))));
    ends("Mast::epsilon", FROM_0_TO_1, |x| rollouts(MultipleRollouts::new(2, Mast::new(x))));
    ends("Mast::epsilon", FROM_0_TO_1, |x| rollouts(WithPriors::new(Mast::new(x), |_: &Any, _: u8| 1.0)));

    ends("Contempt::value", FROM_0_TO_1, |x| backup(Contempt::new(x as f32, Average)));
    ends("Contempt::player", (&[0.0, 7.0], &[8.0]), |x| backup(Contempt::of(x as u8, 0.5, Average)));
    ends("Discounted::gamma", ABOVE_0_TO_1, |x| backup(Discounted::new(x as f32)));
    ends("Discounted::gamma", ABOVE_0_TO_1, |x| backup(Solver::new(Discounted::new(x as f32))));
    ends("ImplicitMinimax::alpha", FROM_0_TO_1, |x| backup(ImplicitMinimax::new(x as f32, Average)));
    ends("PowerMean::p", (&[1.0, 1e30], &[0.999, f64::INFINITY, f64::NAN]), |x| {
        backup(PowerMean::new(x as f32))
    });
    ends("RelativeBonus::k", ABOVE_0, |x| backup(RelativeBonus::new(x as f32, 0.5, Average)));
    ends("RelativeBonus::a", FROM_0_TO_1, |x| backup(RelativeBonus::new(1.0, x as f32, Average)));
    ends("RecencyWeighted::alpha", ABOVE_0_TO_1, |x| backup(RecencyWeighted::new(x as f32)));
    ends("SoftmaxBackup::tau", ABOVE_0, |x| backup(SoftmaxBackup::new(x as f32)));

    // These are settings of a search, so the types are always the same.
    let run = |search: Mcts<OneStep>| match { search }.run(Budget::iterations(5)) {
        Ok(_) => Ok(()),
        Err(SearchError::Parameter(error)) => Err(error),
        Err(other) => panic!("{other}"),
    };
    let new = || Mcts::new(OneStep::new(&[0.25, 0.5, 0.75]));
    let decides = |decision| run(new().root_decision(decision));
    ends("RootDecision::MaxRobust", AT_LEAST_0, |x| decides(RootDecision::MaxRobust(x as f32)));
    ends("RootDecision::Secure", AT_LEAST_0, |x| decides(RootDecision::Secure(x as f32)));
    ends("RootDecision::Temperature", ABOVE_0, |x| decides(RootDecision::Temperature(x as f32)));
    let expands = |expansion| run(new().expansion(expansion));
    let default = Expansion::default;
    ends("FirstPlay", FROM_0_TO_1, |x| expands(default().first_play(FirstPlay::Value(x as f32))));
    ends("FirstPlay", FROM_0_TO_1, |x| expands(default().first_play(FirstPlay::BelowMean(x as f32))));
    ends("Expansion::on_visit", (&[1.0, 2.0], &[0.0]), |x| expands(default().on_visit(x as u32)));
    ends("Expansion::depth", (&[1.0, 2.0], &[0.0]), |x| expands(default().depth(x as u32)));
    ends("Expansion::widening, scale", ABOVE_0, |x| expands(default().widening(x, 0.5)));
    ends("Expansion::widening, exponent", FROM_0_TO_1, |x| expands(default().widening(1.0, x)));
}

#[test]
fn defaults_match_the_documentation() {
    fn same<T: std::fmt::Debug + Default>(documented: T) {
        assert_eq!(format!("{:?}", T::default()), format!("{documented:?}"));
    }
    let root_of_two = std::f32::consts::SQRT_2;
    let deviation = Exploration::deviations(1.0);
    same(AlphaAmaf::new(0.5, deviation));
    same(AvailabilityUcb1::new(deviation));
    same(BayesUct::second(root_of_two));
    same(Boltzmann::new(0.1));
    same(CompletedValues::new(50.0, 1.0));
    same(Dirichlet::scaled(10.0).epsilon(0.25));
    same(selection::EpsilonGreedy::new(0.1));
    same(Exp3::new(0.1));
    same(GaussianThompson::new(1.0));
    same(Grave::new(50.0, 1e-5));
    same(GumbelRoot::new(16).scale(50.0, 1.0).noise(1.0));
    same(KlUcb::new(0.0));
    same(Moss::new());
    same(ProgressiveBias::new(deviation, 1.0));
    same(ProgressiveHistory::new(deviation, 5.0));
    same(Puct::new(Exploration::deviations(2.5)).fpu_reduction(0.0));
    same(Rave::new(1e-3).exploration(0.0));
    same(Ucb1::new(deviation));
    same(Ucb1Tuned::new(1.0));
    same(UcbV::new(1.2, 1.0));
    same(ImplicitMinimax::new(0.4, Average));
    same(PowerMean::new(2.0));
    same(RelativeBonus::new(1.4, 0.25, Average));
    same(SoftmaxBackup::new(0.1));
    same(Mast::new(0.4));
    same(Nst::new(3, 0.4).k(7));
    same(Ppa::new(1.0));
    same(EvaluationPriors::new(Uniform, 0.1));
    assert_eq!(Cutoff::when_decided(0.25), Cutoff::when_decided(0.25).every(1).at_most(u32::MAX));
}

#[test]
fn an_action_never_played_has_a_count_of_zero() {
    assert_eq!(Mast::default().learned::<Any>(1, 4).0, 0);
    assert_eq!(Nst::default().learned::<Any>(&[(1, 4), (0, 2)]).0, 0);
    assert_eq!(ProgressiveHistory::default().learned::<Any>(1, 4).0, 0);
    assert_eq!(Ppa::default().weight::<Any>(1, 4), 0.0);
}
