//! An evaluation out of range gets the same error, whichever part of a search calls it.

use crate::common::any::Any;
use crate::covering::everything;
use ramure::prelude::*;
use ramure::selection::Puct;
use ramure::simulation::{BestLine, Cutoff, Decisive, EvaluationPriors, Mixed, MultipleRollouts, Priors};
use ramure::{GameFault, StaticEvaluation};
use ramure_lab::Registry;

/// Twelve steps of two actions, with the same evaluation everywhere except at the start.
#[derive(Clone, Debug)]
struct Steps {
    done: u8,
    evaluation: f64,
}

impl GameState for Steps {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.done == 12 { Turn::Over } else { Turn::Player(self.done % 2) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.done == 12 { 0 } else { 2 }
    }
    fn apply(&mut self, _: u8) {
        self.done += 1;
    }
    fn reward(&self, _: Player) -> f64 {
        0.5
    }
}

impl StaticEvaluation for Steps {
    fn evaluate(&self, _: Player) -> f64 {
        if self.done == 0 { 0.5 } else { self.evaluation }
    }
}

/// Returns the error of a search by `text` of a game with this evaluation.
fn run_with(text: &str, evaluation: f64) -> Result<(), SearchError> {
    let mut search = everything().search(text, Any::new(Steps { done: 0, evaluation }), 1).expect("a text");
    search.run(Budget::iterations(300)).map(drop)
}

/// Returns the texts of all parts that use the evaluation.
fn texts() -> Vec<String> {
    let (all, plain) = (everything().words(), Registry::<Any>::new().with_numbers().words());
    let mut texts: Vec<String> =
        all.policies.into_iter().filter(|word| !plain.policies.contains(word)).collect();
    let rollouts = all.rollouts.iter().filter(|word| !plain.rollouts.contains(word));
    texts.extend(rollouts.map(|word| format!("ucb1:rollout={word}")));
    let backprops = all.backprops.iter().filter(|word| !plain.backprops.contains(word));
    texts.extend(backprops.map(|word| format!("ucb1:backprop={word}")));
    texts
}

#[test]
fn every_part_reports_an_evaluation_out_of_range() {
    let texts = texts();
    assert!(texts.len() > 10 && texts.contains(&"puct".to_owned()), "{texts:?}");
    for text in &texts {
        for evaluation in [2.0, -1.0, f64::INFINITY, f64::NAN] {
            let error = run_with(text, evaluation).expect_err(text);
            let same = |value: f64| value == evaluation || value.is_nan() && evaluation.is_nan();
            let is_reported = matches!(
                error,
                SearchError::Game { fault: GameFault::Evaluation { value, .. }, .. } if same(value)
            );
            assert!(is_reported, "{text}, evaluation {evaluation}: {error}");
        }
        assert_eq!(run_with(text, 0.75), Ok(()), "{text}");
    }
}

/// A terminal state is valued by its reward, which may also be wrong.
#[test]
fn a_reward_out_of_range_after_an_action_is_reported_as_a_reward() {
    #[derive(Clone, Debug)]
    struct Last(Option<u8>);
    impl GameState for Last {
        type Action = u8;
        fn turn(&self) -> Turn {
            if self.0.is_some() { Turn::Over } else { Turn::Player(0) }
        }
        fn actions(&self) -> impl IntoIterator<Item = u8> {
            0..if self.0.is_some() { 0 } else { 2 }
        }
        fn apply(&mut self, action: u8) {
            self.0 = Some(action);
        }
        fn reward(&self, _: Player) -> f64 {
            3.0
        }
        fn players(&self) -> u8 {
            1
        }
    }
    impl StaticEvaluation for Last {
        fn evaluate(&self, _: Player) -> f64 {
            0.5
        }
    }
    for text in ["puct", "ucb1:rollout=softmax", "ucb1:rollout=epsilon-greedy,epsilon=0"] {
        let mut search = everything().search(text, Any::new(Last(None)), 1).expect("a text");
        let error = search.run(Budget::iterations(9)).expect_err("a reward of 3");
        let fault = GameFault::Reward { player: 0, reward: 3.0 };
        assert!(
            matches!(error, SearchError::Game { fault: reported, .. } if reported == fault),
            "{text}: {error}"
        );
    }
}

/// Wrong priors that come through another policy get the same error as direct ones.
#[test]
fn a_wrapper_passes_on_errors_in_priors() {
    fn check(rollouts: impl Priors<Steps>, evaluation: f64) {
        let search = Mcts::new(Steps { done: 0, evaluation }).rollout_policy(rollouts);
        let error =
            search.tree_policy(Puct::default()).run(Budget::iterations(300)).expect_err("it is wrong");
        let is_right = |value: f64| value == evaluation || value.is_nan() && evaluation.is_nan();
        let SearchError::Game { fault: GameFault::Evaluation { value, .. }, .. } = error else {
            panic!("{evaluation}: {error}")
        };
        assert!(is_right(value), "{evaluation}: {error}");
    }
    let priors = || EvaluationPriors::new(Uniform, 0.5);
    for evaluation in [2.0, f64::NAN] {
        check(MultipleRollouts::new(2, priors()), evaluation);
        check(Decisive::new().rollouts(priors()), evaluation);
        check(Mixed::new(priors(), Uniform), evaluation);
        check(Cutoff::new(9).rollouts(priors()), evaluation);
        check(BestLine::new(priors()), evaluation);
    }
}
