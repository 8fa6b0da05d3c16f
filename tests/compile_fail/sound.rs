//! This program compiles, which shows that the others fail for the intended reason.
#![deny(warnings)]
use ramure::prelude::*;
use ramure::selection::{Grave, Puct};
use ramure::simulation::{Cutoff, WithPriors};
use ramure::{ActionIndex, StaticEvaluation};

include!("../common/sticks.rs");

impl ActionIndex for Sticks {
    const ACTION_COUNT: usize = 4;
    fn action_index(taken: u8) -> usize {
        usize::from(taken)
    }
}

impl StaticEvaluation for Sticks {
    fn evaluate(&self, _: Player) -> f64 {
        0.5
    }
}

/// The actions are a `Vec`, and the signature is the trait's.
#[derive(Clone)]
struct Quiet(bool);

impl GameState for Quiet {
    type Action = u8;
    fn turn(&self) -> Turn {
        if self.0 { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        if self.0 { vec![] } else { vec![0, 1] }
    }
    fn apply(&mut self, _: u8) {
        self.0 = true;
    }
    fn reward(&self, _: Player) -> f64 {
        0.5
    }
}

/// The actions are a `Vec`, and the signature shows it to callers.
#[derive(Clone)]
pub struct Refined(bool);

impl GameState for Refined {
    type Action = u8;
    fn turn(&self) -> Turn {
        if self.0 { Turn::Over } else { Turn::Player(0) }
    }
    #[expect(refining_impl_trait)]
    fn actions(&self) -> Vec<u8> {
        if self.0 { vec![] } else { vec![0, 1] }
    }
    fn apply(&mut self, _: u8) {
        self.0 = true;
    }
    fn reward(&self, _: Player) -> f64 {
        0.5
    }
}

fn main() -> Result<(), SearchError> {
    let budget = Budget::iterations(10);
    let new = || Mcts::new(Sticks(7, 0));
    new().tree_policy(Grave::default()).run(budget)?;
    new().rollout_policy(Cutoff::new(2)).run(budget)?;
    let priors = WithPriors::new(Uniform, |_: &Sticks, _| 1.0);
    new().tree_policy(Puct::default()).rollout_policy(priors).run(budget)?;
    assert_eq!(Refined(false).actions().len(), 2);
    Mcts::new(Refined(false)).run(budget)?;
    Mcts::new(Quiet(false)).run(budget)?;
    Ok(())
}
