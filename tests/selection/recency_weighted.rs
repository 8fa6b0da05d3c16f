//! `RecencyWeighted`: its means compared with a plain model, and that it follows arms that change.

use ramure::backpropagation::{Average, Backprop, RecencyWeighted};
use ramure::selection::Ucb1;
use ramure::{Budget, Expansion, GameState, Mcts, Player, Search, Turn};
use std::cell::Cell;
use std::rc::Rc;

/// One choice between two arms, whose rewards depend on the number of games played before. It breaks the
/// rules, because it changes during the search.
#[derive(Clone)]
struct Changing {
    played: Rc<Cell<u32>>,
    rewards: fn(u32) -> [f64; 2],
    over: Option<f64>,
}

impl Changing {
    fn new(rewards: fn(u32) -> [f64; 2]) -> Self {
        Changing { played: Rc::default(), rewards, over: None }
    }
}

impl GameState for Changing {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.over.is_some() { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.over.is_some() { 0 } else { 2 }
    }
    fn apply(&mut self, arm: u8) {
        self.over = Some((self.rewards)(self.played.get())[usize::from(arm)]);
        self.played.set(self.played.get() + 1);
    }
    fn reward(&self, _: Player) -> f64 {
        self.over.unwrap_or(f64::NAN)
    }
    fn players(&self) -> u8 {
        1
    }
}

fn search<B: Backprop<Changing>>(game: Changing, backprop: B) -> impl Search<Space = Changing> {
    let search =
        Mcts::new(game).tree_policy(Ucb1::new(1.0)).expansion(Expansion::default().on_visit(u32::MAX));
    search.backprop(backprop)
}

#[test]
fn the_mean_and_the_sum_follow_the_formula() {
    let rewards = |n: u32| [f64::from(n % 7) / 8.0, f64::from(n % 5) / 4.0];
    let (alpha, mut known, mut before) = (0.05, [0.0f64; 2], [0; 2]);
    let game = Changing::new(rewards);
    let mut search = search(game.clone(), RecencyWeighted::new(alpha as f32));
    for _ in 0..2_000 {
        let played = game.played.get();
        let report = search.run(Budget::iterations(1)).unwrap();
        for action in report.actions {
            let arm = usize::from(action.action);
            if action.visits > before[arm] {
                let n = f64::from(action.visits);
                known[arm] += (rewards(played)[arm] - known[arm]) * (1.0 / n).max(alpha);
                before[arm] = action.visits;
                assert!((f64::from(action.mean) - known[arm]).abs() < 1e-5, "{} {}", action.mean, known[arm]);
            }
        }
    }
    assert!(before.iter().all(|&visits| visits > 100));
}

#[test]
fn changing_arms_are_followed_sooner_than_with_averages() {
    // After 10 000 of 15 000 plays, the good arm becomes the bad one.
    let swapped = |n: u32| if n < 10_000 { [0.8, 0.4] } else { [0.2, 0.6] };
    let late = |report: ramure::Report<u8>| report.actions[1].visits;
    let recent = search(Changing::new(swapped), RecencyWeighted::new(0.01)).run(Budget::iterations(15_000));
    let average = search(Changing::new(swapped), Average).run(Budget::iterations(15_000));
    let (recent, average) = (late(recent.unwrap()), late(average.unwrap()));
    // Nothing here is random: averages need as many bad plays as there were good ones.
    assert!(recent > 4_000 && average < 2_000, "{recent} {average}");
}
