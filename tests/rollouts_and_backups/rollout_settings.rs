//! Rollout policies inside others: priors and learning are passed on. (`bad_settings` tests the ranges of all
//! parameters.)

use crate::common::nim::Nim;
use ramure::Rewards;
use ramure::prelude::*;
use ramure::selection::Puct;
use ramure::simulation::{
    Alternatives, Cutoff, Decisive, Evaluate, History, LastGoodReply, Mixed, MultipleRollouts, Numbered,
    Trace, WithPriors,
};
use std::cell::Cell;
use std::rc::Rc;

type Start = Nim<3>;
const START: Start = Nim { sticks: 11, player: 0 };

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
    learns(|inner| LastGoodReply::default().rollouts(inner));
    learns(|inner| Mixed::new(inner, Uniform));
    learns(|inner| MultipleRollouts::new(2, Cutoff::new(4).rollouts(Decisive::new().rollouts(inner))));
    let learning = Learns::default();
    let evaluate = |_: &Start, _: &[u8], _: &mut [f32]| Rewards::new(3, |_| 0.5);
    let mut search = Mcts::new(START).rollout_policy(Mixed::new(Evaluate::by(evaluate), learning.clone()));
    search.run(Budget::iterations(50)).expect("it is sound");
    assert_eq!(learning.0.get(), 50);
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
