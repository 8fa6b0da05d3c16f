//! Small runs with threads, for Miri.

use crate::custom_error::BoxError;
use crate::game::Rewards;
use crate::game::in_a_row::Three;
use crate::search::engine::window::{Batcher, Unobserved};
use crate::selection::Puct;
use crate::simulation::{Evaluate, Evaluator, Position};
use crate::{Budget, Mcts};

struct Half;

impl Evaluator<Three> for Half {
    fn evaluate(&self, batch: &mut [Position<'_, Three>]) -> Result<(), BoxError> {
        batch.iter_mut().for_each(|position| position.set_value(Rewards::new(2, |_| 0.5)));
        Ok(())
    }
}

#[test]
fn threads() {
    let mut search = Mcts::new(Three::new()).window(6).unobserved(Unobserved::Loss).threads(3);
    assert_eq!(search.run(Budget::iterations(40)).expect("a sound game").root_visits, 40);
    let batcher = Batcher::new(Half).expect("a thread");
    let search = Mcts::new(Three::new()).tree_policy(Puct::default());
    let mut search = search.rollout_policy(Evaluate::new(batcher)).window(6).threads(2);
    assert_eq!(search.run(Budget::iterations(30)).expect("a sound game").root_visits, 30);
}
