//! Rollout policies with all kinds of games and settings. Parameters out of range are rejected by name, also
//! inside another policy. Priors and learning are passed on. All policies work with three players and with
//! dice.

use crate::common::any::Any;
use crate::common::broken::{Broken, Fault};
use crate::common::nim::Nim;
use crate::common::pig::{HOLD, Pig};
use ramure::prelude::*;
use ramure::selection::{Grave, Puct};
use ramure::simulation::{
    Alternatives, Cutoff, Decisive, EpsilonGreedyRollouts, Evaluate, History, LastGoodReply, Mast, Mixed,
    MultipleRollouts, Nst, Numbered, Ppa, Softmax, Trace, WithPriors,
};
use ramure::{GameFault, Rewards};
use std::cell::Cell;
use std::rc::Rc;

type Start = Nim<3>;
const START: Start = Nim { sticks: 11, player: 0 };

/// Returns the parameter that is rejected by the check with which every run starts (`bad_settings` tests that
/// it does). There is no search, because each would have to be compiled.
fn refused<R: RolloutPolicy<Start>>(policy: R) -> Option<&'static str> {
    policy.check().err().map(|error| error.name)
}

#[test]
fn parameters_out_of_range_are_rejected_by_name() {
    let heuristic = |_: &Start, _: u8| 0.0;
    for wrong in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
        assert_eq!(refused(Softmax::new(wrong, heuristic)), Some("Softmax::tau"));
        assert_eq!(refused(Mast::gibbs(wrong)), Some("Mast::tau"));
    }
    for wrong in [f64::NAN, f64::INFINITY, -0.1, 1.1] {
        assert_eq!(refused(Mast::new(wrong)), Some("Mast::epsilon"));
        assert_eq!(refused(Nst::new(2, wrong)), Some("Nst::epsilon"));
        assert_eq!(refused(Cutoff::with_probability(wrong)), Some("Cutoff::probability"));
        assert_eq!(refused(Cutoff::when_decided(wrong)), Some("Cutoff::margin"));
        assert_eq!(refused(Mixed::new(Cutoff::new(0), Uniform).lambda(wrong)), Some("Mixed::lambda"));
    }
    for wrong in [f64::NAN, f64::INFINITY, -0.1, 1e4] {
        assert_eq!(refused(Ppa::new(wrong)), Some("Ppa::alpha"));
    }
    for wrong in [0, 1, 4, usize::MAX] {
        assert_eq!(refused(Nst::new(wrong, 0.1)), Some("Nst::longest"));
    }
    for wrong in [0, 3, usize::MAX] {
        assert_eq!(refused(LastGoodReply::new(wrong)), Some("LastGoodReply::actions"));
    }
    assert_eq!(refused(Nst::default().k(0)), Some("Nst::k"));
    assert_eq!(refused(Cutoff::when_decided(0.1).every(0)), Some("Cutoff::every"));
    assert_eq!(refused(MultipleRollouts::new(0, Uniform)), Some("MultipleRollouts::rollouts"));
}

#[test]
fn the_ends_of_the_ranges_are_allowed() {
    assert_eq!(refused(Mast::gibbs(f64::MIN_POSITIVE)), None);
    assert_eq!(refused(Mast::gibbs(f64::MAX)), None);
    for end in [0.0, 1.0] {
        assert_eq!(refused(Nst::new(2, end).k(1)), None);
        assert_eq!(refused(Cutoff::with_probability(end)), None);
        assert_eq!(refused(Cutoff::when_decided(end / 2.0).every(u32::MAX)), None);
        assert_eq!(refused(Mixed::new(Uniform, Uniform).lambda(end)), None);
        assert_eq!(refused(Ppa::new(1000.0 * end)), None);
    }
}

#[test]
fn bad_parameters_are_rejected_through_any_wrapper() {
    let wrong = || EpsilonGreedyRollouts::new(2.0, |_: &Start, _: u8| 0.0);
    let expected = Some("EpsilonGreedyRollouts::epsilon");
    assert_eq!(refused(Decisive::new().rollouts(wrong())), expected);
    assert_eq!(refused(LastGoodReply::default().rollouts(wrong())), expected);
    assert_eq!(refused(Cutoff::new(3).rollouts(wrong())), expected);
    assert_eq!(refused(MultipleRollouts::new(2, wrong())), expected);
    assert_eq!(refused(Mixed::new(wrong(), Uniform)), expected);
    assert_eq!(refused(Mixed::new(Uniform, wrong())), expected);
    assert_eq!(refused(WithPriors::new(MultipleRollouts::new(2, wrong()), |_: &Start, _| 1.0)), expected);
}

/// Random rollouts that count how often they learn, and check the data that they learn from.
#[derive(Clone, Default)]
struct Learns(Rc<Cell<u32>>);

impl RolloutPolicy<Start> for Learns {
    type Trace = History<u8>;

    fn learn(&mut self, trace: &History<u8>, _: &Rewards) {
        assert!(!trace.actions().is_empty());
        self.0.set(self.0.get() + 1);
    }
}

#[test]
fn inner_policies_learn_from_every_iteration_and_their_priors_are_passed_on() {
    /// Searches with priors of 1, 2 and 3 from deep inside.
    fn learns<R>(policy: impl FnOnce(WithPriors<Learns, fn(&Start, u8) -> f32>) -> R)
    where
        R: ramure::simulation::Priors<Start>,
    {
        let inner = Learns::default();
        let mut search = Mcts::new(START)
            .tree_policy(Puct::default())
            .rollout_policy(policy(WithPriors::new(inner.clone(), |_, action| f32::from(action))));
        let report = search.run(Budget::iterations(50)).expect("it is sound");
        assert_eq!(inner.0.get(), 50);
        let priors = Vec::from_iter(report.actions.iter().map(|action| action.prior.expect("it has one")));
        assert!(priors.iter().zip([1.0, 2.0, 3.0]).all(|(prior, part)| (prior * 6.0 - part).abs() < 1e-5));
    }
    learns(|inner| inner);
    learns(|inner| Decisive::new().rollouts(inner));
    learns(|inner| Decisive::new().anti().rollouts(inner));
    learns(|inner| LastGoodReply::default().rollouts(inner));
    learns(|inner| Cutoff::new(4).rollouts(inner));
    learns(|inner| MultipleRollouts::new(3, inner));
    learns(|inner| Mixed::new(inner, Uniform));
    learns(|inner| MultipleRollouts::new(2, Cutoff::new(4).rollouts(Decisive::new().rollouts(inner))));
    let learning = Learns::default();
    let evaluate = |_: &Start, _: &[u8], _: &mut [f32]| Rewards::new(3, |_| 0.5);
    let mut search = Mcts::new(START).rollout_policy(Mixed::new(Evaluate::by(evaluate), learning.clone()));
    search.run(Budget::iterations(50)).expect("it is sound");
    assert_eq!(learning.0.get(), 50);
}

fn value(_: &Any, action: u8) -> f32 {
    f32::from(action)
}

/// Calls `run` with each policy.
macro_rules! for_each_policy {
    ($run:ident, $state:expr) => {
        $run("Decisive", $state, || Decisive::new());
        $run("Decisive, anti", $state, || Decisive::new().anti());
        $run("Softmax", $state, || Softmax::new(2.0, value));
        $run("Mast, Gibbs", $state, || Mast::gibbs(0.1));
        $run("Nst 2", $state, || Nst::new(2, 0.2).k(2));
        $run("Nst 3", $state, || Nst::default());
        $run("LGR-1", $state, || LastGoodReply::new(1));
        $run("LGRF-2, MAST", $state, || LastGoodReply::default().rollouts(Mast::default()));
        $run("Ppa", $state, || Ppa::default());
        $run("Cutoff by chance", $state, || Cutoff::with_probability(0.2).rollouts(Ppa::new(0.3)));
        $run("Cutoff when decided", $state, || {
            Cutoff::when_decided(0.2).at_most(9).rollouts(Mast::default())
        });
        $run("MultipleRollouts", $state, || MultipleRollouts::new(3, Nst::default()));
        $run("Mixed", $state, || {
            Mixed::new(Cutoff::new(0), MultipleRollouts::new(2, Decisive::new().rollouts(Mast::default())))
        });
    };
}

/// Checks that each state with only one winning action is won, and that the same seed finds the same.
fn finds_the_wins<R: RolloutPolicy<Any>>(name: &str, states: &[(Any, u8)], policy: impl Fn() -> R) {
    for (state, win) in states {
        let run = || {
            let mut search = Mcts::new(state.clone()).rollout_policy(policy()).seed(4);
            let report = search.run(Budget::iterations(400)).expect("it is sound");
            assert_eq!(report.best_action(), *win, "{name} in {state:?}");
            Vec::from_iter(report.actions.iter().map(|action| (action.visits, action.mean)))
        };
        assert_eq!(run(), run(), "{name} in {state:?}");
    }
}

#[test]
fn every_rollout_policy_finds_a_win_in_one_with_three_players_and_dice() {
    let mut states = Vec::new();
    for player in 0..3 {
        states.push((Any::new(Nim::<3> { sticks: 3, player }), 3));
    }
    for player in 0..2 {
        let mut banked = [4, 4];
        banked[usize::from(player)] = 9;
        // In the last turn, holding wins, and rolling may lose.
        states.push((Any::new(Pig { banked, pot: 0, player, turns: 1, rolling: false }), HOLD));
        banked[usize::from(player)] = 4;
        states.push((Any::new(Pig { banked, pot: 1, player, turns: 1, rolling: false }), HOLD));
    }
    for_each_policy!(finds_the_wins, &states);
    // A tree policy that records actions itself.
    let run = |state: &Any, policy| {
        Mcts::new(state.clone())
            .tree_policy(Grave::default())
            .rollout_policy(policy)
            .run(Budget::iterations(400))
    };
    for (state, win) in &states {
        let policy = LastGoodReply::default().rollouts(Nst::default());
        assert_eq!(run(state, policy).expect("it is sound").best_action(), *win, "{state:?}");
    }
}

#[test]
fn policies_with_action_tables_reject_an_index_out_of_range() {
    fn refuses<R: RolloutPolicy<Broken>>(policy: impl Fn() -> R) {
        for (at, first) in [(0, 1), (1, 2), (2, 1_000_000), (3, 2)] {
            let game = Broken::new(Fault::Index(first), at);
            let mut search = Mcts::new(game.clone()).rollout_policy(policy());
            search.run(Budget::iterations(40)).expect("it is not broken yet");
            game.trigger().arm(3);
            for _ in 0..3 {
                if let Err(error) = search.run(Budget::iterations(500)) {
                    // The game may break when the search plays a line a second time.
                    let reported = |fault| match fault {
                        GameFault::ActionIndex { index, count } => index >= 2 && count == 2,
                        fault => fault == GameFault::Replay,
                    };
                    assert!(matches!(error, SearchError::Game { fault, .. } if reported(fault)), "{error:?}");
                }
            }
        }
    }
    refuses(Mast::default);
    refuses(|| Mast::gibbs(0.1));
    refuses(|| Nst::default().k(1));
    refuses(LastGoodReply::default);
    refuses(Ppa::default);
}

#[test]
fn traces_keep_the_documented_actions() {
    // A game by hand: 11 sticks, less 3, less 2, ...
    let mut state = START;
    let mut trace = Alternatives::<u8>::default();
    let mut numbered = Numbered::<u8>::default();
    for taken in [3, 2, 3, 1, 2] {
        Trace::<Start>::record(&mut trace, &state, state.turn(), &taken).expect("it is in range");
        Trace::<Start>::record(&mut numbered, &state, state.turn(), &taken).expect("it is in range");
        state.apply(taken);
    }
    let expected: [(u8, u8, &[u32]); 5] =
        [(0, 3, &[1, 2, 3]), (1, 2, &[1, 2, 3]), (2, 3, &[1, 2, 3]), (0, 1, &[1, 2, 3]), (1, 2, &[1, 2])];
    assert!(trace.steps().eq(expected));
    assert_eq!(Trace::<Start>::actions(&trace), Trace::<Start>::actions(&numbered));
    assert!(Trace::<Start>::record(&mut trace, &START, START.turn(), &4).is_err());
    Trace::<Start>::restart(&mut trace);
    assert_eq!(trace.steps().count(), 0);
}
