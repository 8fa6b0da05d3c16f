//! PUCT reads priors, and uniform rollouts give none.
//! expect: this tree policy reads prior probabilities, and the rollout policy `Uniform` gives none
//! expect: no priors for the tree policy
//! expect: give values and priors: `.rollout_policy(Evaluate::new(my_evaluator))`
//! expect: or keep the rollouts and add priors: `.rollout_policy(WithPriors::new(Uniform, |state: &Sticks, action| ..))`
use ramure::prelude::*;

#[derive(Clone)]
struct Sticks(u8, Player);

impl GameState for Sticks {
    type Action = u8;
    fn turn(&self) -> Turn {
        if self.0 == 0 { Turn::Over } else { Turn::Player(self.1) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        1..=self.0.min(3)
    }
    fn apply(&mut self, taken: u8) {
        self.0 -= taken;
        self.1 = 1 - self.1;
    }
    fn reward(&self, player: Player) -> f64 {
        if player == self.1 { 0.0 } else { 1.0 }
    }
}

fn main() {
    let mut search = Mcts::new(Sticks(7, 0)).tree_policy(ramure::selection::Puct::default());
    let _ = search.run(Budget::iterations(10));
}
