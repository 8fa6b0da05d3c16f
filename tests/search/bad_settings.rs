//! Bad settings get an error that names them: budgets, memory limits, parameters, states that cannot be searched, actions
//! that cannot be played; and every error says what and where.

use crate::common::nim::Nim;
use crate::common::rows::TicTacToe;
use crate::common::simple::{Corridor, OneStep, Wide};
use crate::common::{after, visits};
use ramure::backpropagation::{Backprop, Discounted, Solver};
use ramure::selection::{
    AlphaAmaf, Grave, ProgressiveBias, ProgressiveHistory, Puct, Rave, Thompson, TreePolicy, Ucb1, Ucb1Tuned,
};
use ramure::simulation::{EpsilonGreedy, Mast, RolloutPolicy, Uniform, WithPriors};
use ramure::statistics::Statistics;
use ramure::{
    Budget, Bytes, Expansion, FirstPlay, GameFault, GameState, Mcts, Player, RootDecision, SearchError, Turn,
};
use std::time::Duration;

#[test]
fn a_game_of_no_players_or_too_many_is_refused() {
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
        let expected = SearchError::Game { fault: GameFault::Players { players }, ply: 0 };
        assert_eq!(search.run(Budget::iterations(1)).expect_err("1 to 8"), expected);
        assert_eq!(search.report().expect_err("1 to 8"), expected);
    }
}

#[test]
fn a_game_that_is_over_is_refused() {
    let mut search = Mcts::new(Nim::<2> { sticks: 1, player: 0 });
    search.advance(1).expect("the last stick");
    assert_eq!(search.run(Budget::iterations(1)).expect_err("over"), SearchError::GameOver);
    assert_eq!(search.report().expect_err("over"), SearchError::GameOver);
    assert_eq!(search.advance(1).expect_err("over"), SearchError::GameOver);
    let over = Nim::<2> { sticks: 0, player: 0 };
    assert_eq!(ramure::best_action(&over, Budget::iterations(1)).expect_err("over"), SearchError::GameOver);
    assert_eq!(search.tree().dot(3, 0).to_string().matches("->").count(), 0);
    search.reset(Nim::<2> { sticks: 2, player: 0 });
    assert_eq!(search.run(Budget::iterations(100)).expect("it can begin anew").best_action(), 2);
}

#[test]
fn an_illegal_action_does_not_change_the_search() {
    let mut search = Mcts::new(TicTacToe::default());
    search.run(Budget::iterations(500)).expect("a sound game");
    search.advance(4).expect("the centre is free");
    let before = search.report().expect("kept");
    for illegal in [4, 9, 255] {
        assert_eq!(search.advance(illegal).expect_err("not free"), SearchError::IllegalAction);
    }
    assert_eq!(search.report().expect("kept"), before);
    assert_eq!(search.state(), &after(&TicTacToe::default(), [4]));
}

#[test]
fn a_budget_of_nothing_is_refused_whatever_else_it_allows() {
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
fn a_memory_limit_without_room_for_the_roots_children_is_refused() {
    let error = |limit| {
        let mut search = Mcts::new(Corridor { left: 9 }).memory_limit(Bytes(limit));
        search.run(Budget::iterations(10)).expect_err("no room")
    };
    for limit in [0, 1, 100] {
        assert_eq!(error(limit), SearchError::MemoryLimit { limit });
    }
    // For every limit: an error, or a report that has tried actions, within the limit.
    for limit in (0..8_000).step_by(50) {
        let mut plain = Mcts::new(Wide::new(40, 2)).memory_limit(Bytes(limit));
        let mut all = Mcts::new(Wide::new(40, 2)).memory_limit(Bytes(limit)).tree_policy(Thompson);
        for result in [plain.run(Budget::iterations(50)), all.run(Budget::iterations(50))] {
            match result {
                Ok(report) => {
                    assert!(report.bytes <= limit, "{report}");
                    assert_eq!(visits(&report).iter().sum::<u32>(), 50, "{limit} bytes: {report}");
                }
                Err(error) => assert_eq!(error, SearchError::MemoryLimit { limit }),
            }
        }
    }
}

/// What a search says when it is run, if it is a parameter; else nothing.
fn refused<P, R, B>(search: Mcts<OneStep, P, R, B>) -> Option<&'static str>
where
    P: TreePolicy<OneStep, Stats: Statistics<OneStep, R>>,
    R: RolloutPolicy<OneStep>,
    B: Backprop<OneStep>,
{
    let mut search = search;
    match search.run(Budget::iterations(20)) {
        Ok(_) => None,
        Err(SearchError::Parameter(error)) => {
            let again = search.report().expect_err("the parameter is as it was");
            assert_eq!(again.to_string(), error.to_string());
            assert!(error.to_string().starts_with(error.name) && error.to_string().contains("it must be"));
            Some(error.name)
        }
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn parameters_out_of_their_range_are_refused_by_name() {
    let new = || Mcts::new(OneStep::new(&[0.25, 0.5, 0.75]));
    for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.001] {
        assert_eq!(refused(new().tree_policy(Ucb1::new(wrong))), Some("Ucb1::c"));
        assert_eq!(refused(new().tree_policy(Ucb1Tuned::new(wrong))), Some("Ucb1Tuned::c"));
        let puct = new().rollout_policy(WithPriors::new(Uniform, |_: &OneStep, _| 1.0));
        assert_eq!(refused(puct.tree_policy(Puct::new(wrong))), Some("Puct::c"));
        let with_priors = || new().rollout_policy(WithPriors::new(Uniform, |_: &OneStep, _| 1.0));
        assert_eq!(refused(with_priors().tree_policy(Puct::growing(wrong, 100.0))), Some("Puct::c_init"));
        assert_eq!(refused(with_priors().tree_policy(Puct::growing(1.0, wrong))), Some("Puct::c_base"));
        let reduced = Puct::default().fpu_reduction(wrong);
        assert_eq!(refused(with_priors().tree_policy(reduced)), Some("Puct::fpu_reduction"));
        let bias = ProgressiveBias::new(wrong, 1.0);
        assert_eq!(refused(with_priors().tree_policy(bias)), Some("ProgressiveBias::c"));
        let bias = ProgressiveBias::new(1.0, wrong);
        assert_eq!(refused(with_priors().tree_policy(bias)), Some("ProgressiveBias::weight"));
        assert_eq!(refused(new().root_decision(RootDecision::Secure(wrong))), Some("RootDecision::Secure"));
        let expansion = Expansion::default().first_play(FirstPlay::Value(wrong));
        assert_eq!(refused(new().expansion(expansion)), Some("FirstPlay"));
        let expansion = Expansion::default().first_play(FirstPlay::BelowMean(wrong));
        assert_eq!(refused(new().expansion(expansion)), Some("FirstPlay"));
    }
    for wrong in [f32::NAN, f32::INFINITY, 0.0, -1.0, 1.5] {
        let fits = wrong == 1.5;
        let temperature = new().root_decision(RootDecision::Temperature(wrong));
        assert_eq!(refused(temperature), (!fits).then_some("RootDecision::Temperature"));
        assert_eq!(refused(new().backprop(Discounted::new(wrong))), Some("Discounted::gamma"));
        let solver = new().backprop(Solver::new(Discounted::new(wrong)));
        assert_eq!(refused(solver), Some("Discounted::gamma"));
    }
    for wrong in [f64::NAN, f64::INFINITY, -0.1, 1.1] {
        let greedy = EpsilonGreedy::new(wrong, |_: &OneStep, _: u16| 0.0);
        assert_eq!(refused(new().rollout_policy(greedy)), Some("EpsilonGreedy::epsilon"));
        let priors = WithPriors::new(greedy, |_: &OneStep, _| 1.0);
        assert_eq!(refused(new().rollout_policy(priors)), Some("EpsilonGreedy::epsilon"));
        let expansion = Expansion::default().widening(1.0, wrong);
        assert_eq!(refused(new().expansion(expansion)), Some("Expansion::widening, exponent"));
    }
    for wrong in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
        let expansion = Expansion::default().widening(wrong, 0.5);
        assert_eq!(refused(new().expansion(expansion)), Some("Expansion::widening, scale"));
    }
    assert_eq!(refused(new().expansion(Expansion::default().on_visit(0))), Some("Expansion::on_visit"));
    let with_priors = || new().rollout_policy(WithPriors::new(Uniform, |_: &OneStep, _| 1.0));
    assert_eq!(refused(with_priors().tree_policy(Puct::growing(1.0, 0.0))), Some("Puct::c_base"));
    let reduced = |r| with_priors().tree_policy(Puct::default().fpu_reduction(r));
    assert_eq!(refused(reduced(1.1)), Some("Puct::fpu_reduction"));
    // The ends of the ranges are in them.
    assert_eq!([refused(reduced(0.0)), refused(reduced(1.0))], [None; 2]);
    assert_eq!(refused(with_priors().tree_policy(ProgressiveBias::new(0.0, 0.0))), None);
    assert_eq!(refused(new().tree_policy(Ucb1::new(0.0))), None);
    assert_eq!(refused(new().backprop(Discounted::new(1.0))), None);
    assert_eq!(refused(new().root_decision(RootDecision::Secure(0.0))), None);
}

#[test]
fn parameters_of_all_moves_as_first_and_mast_out_of_their_range_are_refused_by_name() {
    let parameter = |result: Result<_, SearchError>| match result {
        Err(SearchError::Parameter(error)) => error.name,
        other => panic!("{:?}", other.map(|_: ramure::Report<u8>| ())),
    };
    let new = || Mcts::new(TicTacToe::default());
    let budget = Budget::iterations(5);
    for wrong in [f32::NAN, f32::INFINITY, -1.0] {
        if wrong != f32::INFINITY {
            // An infinite one is HRAVE.
            assert_eq!(parameter(new().tree_policy(Grave::new(wrong, 0.1)).run(budget)), "Grave::reference");
        }
        assert_eq!(parameter(new().tree_policy(Grave::new(9.0, wrong)).run(budget)), "Grave::bias");
        assert_eq!(parameter(new().tree_policy(Grave::hrave(wrong)).run(budget)), "Grave::bias");
        assert_eq!(parameter(new().tree_policy(Rave::new(wrong)).run(budget)), "Rave::bias");
        assert_eq!(parameter(new().tree_policy(Rave::hand_selected(wrong)).run(budget)), "Rave::k");
        let explores = Rave::default().exploration(wrong);
        assert_eq!(parameter(new().tree_policy(explores).run(budget)), "Rave::c");
        assert_eq!(parameter(new().tree_policy(AlphaAmaf::new(wrong, 1.0)).run(budget)), "AlphaAmaf::alpha");
        assert_eq!(parameter(new().tree_policy(AlphaAmaf::new(0.5, wrong)).run(budget)), "AlphaAmaf::c");
        let history = ProgressiveHistory::new(wrong, 1.0);
        assert_eq!(parameter(new().tree_policy(history).run(budget)), "ProgressiveHistory::c");
        let history = ProgressiveHistory::new(1.0, wrong);
        assert_eq!(parameter(new().tree_policy(history).run(budget)), "ProgressiveHistory::weight");
        let mast = Mast::new(f64::from(wrong));
        assert_eq!(parameter(new().rollout_policy(mast).run(budget)), "Mast::epsilon");
    }
    assert_eq!(parameter(new().tree_policy(Rave::hand_selected(0.0)).run(budget)), "Rave::k");
    assert_eq!(parameter(new().tree_policy(AlphaAmaf::new(1.1, 1.0)).run(budget)), "AlphaAmaf::alpha");
    // The ends of the ranges are in them.
    assert!(new().tree_policy(AlphaAmaf::new(1.0, 0.0)).run(budget).is_ok());
    assert!(new().tree_policy(AlphaAmaf::new(0.0, 0.0)).run(budget).is_ok());
    assert!(new().tree_policy(Grave::new(f32::INFINITY, 0.0)).run(budget).is_ok());
}

#[test]
fn first_play_urgency_for_a_policy_that_has_no_use_for_it_is_refused() {
    let urgency = Expansion::default().first_play(FirstPlay::Value(0.5));
    let mut search = Mcts::new(TicTacToe::default()).tree_policy(Thompson).expansion(urgency);
    assert_eq!(search.run(Budget::iterations(5)).expect_err("unused"), SearchError::FirstPlayUnused);
}

#[test]
fn every_error_says_what_and_where() {
    let at_root = SearchError::Game { fault: GameFault::NoPrior, ply: 0 };
    assert!(at_root.to_string().starts_with("at the root of the search: the priors"));
    let below = |fault| SearchError::Game { fault, ply: 3 }.to_string();
    for (fault, says) in [
        (GameFault::NoActions, "`actions` yields none"),
        (GameFault::TooManyActions { limit: 7 }, "more than 7 actions"),
        (GameFault::Players { players: 9 }, "`players` says 9; it must be between 1 and 8"),
        (GameFault::UnknownPlayer { player: 2, players: 2 }, "player 2, but there are only 2"),
        (GameFault::Reward { player: 1, reward: 1.5 }, "the reward of player 1 is 1.5"),
        (GameFault::Evaluation { player: 1, value: f64::NAN }, "the evaluation for player 1 is NaN"),
        (GameFault::Prior { index: 4, prior: -1.0 }, "the prior of action number 4 is -1"),
        (GameFault::Heuristic { index: 4 }, "the heuristic value of action number 4"),
        (GameFault::Weight { index: 4, weight: 2.0 }, "the weight of outcome number 4 is 2"),
        (GameFault::WeightSum { sum: 0.9 }, "sum to 0.9; they must sum to 1"),
        (GameFault::UnknownOutcome, "not among `actions`"),
        (GameFault::ActionIndex { index: 9, count: 9 }, "`action_index` says 9"),
        (GameFault::Endless { limit: 8 }, "within 8 actions"),
    ] {
        let text = below(fault);
        assert!(
            text.starts_with("3 actions after the root of the search: ") && text.contains(says.trim()),
            "{text}"
        );
    }
    for (error, says) in [
        (SearchError::GameOver, "over"),
        (SearchError::ChanceToMove, "chance"),
        (SearchError::IllegalAction, "not legal"),
        (SearchError::EmptyBudget, "budget is empty"),
        (SearchError::MemoryLimit { limit: 77 }, "77 bytes"),
        (SearchError::FirstPlayUnused, "first-play urgency"),
        (SearchError::NoPriors, "order of their priors"),
        (SearchError::CountFull, "count"),
    ] {
        assert!(error.to_string().contains(says), "{error}");
    }
}
