//! A reasoning tree with text actions, evaluated in batches: `cargo run --release --example reasoning_tree`.
//!
//! The task is the game of 24: combine four numbers by `+`, `-`, `*` and `/`, so that 24 is left. A thought is
//! a text, such as "10 - 4 = 6". In place of `propose` and `evaluate`, call your language model.

use ramure::prelude::*;
use ramure::selection::Puct;
use ramure::simulation::AskTell;
use ramure::{BoxError, Rewards};
use std::sync::Arc;

#[derive(Clone)]
struct Reasoning {
    left: Vec<i64>, // the numbers
}

impl GameState for Reasoning {
    type Action = Arc<str>; // cheap to clone

    fn players(&self) -> u8 {
        1
    }
    fn turn(&self) -> Turn {
        if self.left.len() == 1 { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = Arc<str>> {
        propose(&self.left) // if a model can fail, see `ramure::fail`
    }
    fn apply(&mut self, thought: Arc<str>) {
        let numbers = thought.split(' ').filter_map(|word| word.parse::<i64>().ok());
        if let [a, b, result] = numbers.collect::<Vec<_>>()[..] {
            for used in [a, b] {
                let place = self.left.iter().position(|&number| number == used);
                place.map(|place| self.left.remove(place));
            }
            self.left.push(result);
        }
    }
    fn reward(&self, _: Player) -> f64 {
        if self.left == [24] { 1.0 } else { 0.0 }
    }
}

/// Stands for a model that proposes the next thoughts.
fn propose(left: &[i64]) -> Vec<Arc<str>> {
    let mut thoughts: Vec<Arc<str>> = Vec::new();
    for (i, a) in left.iter().enumerate() {
        for (j, b) in left.iter().enumerate().filter(|&(j, _)| j != i) {
            let mut add = |sign, result| thoughts.push(format!("{a} {sign} {b} = {result}").into());
            if i < j {
                add('+', a + b);
                add('*', a * b);
            }
            if a >= b {
                add('-', a - b);
            }
            if *b != 0 && a % b == 0 {
                add('/', a / b);
            }
        }
    }
    thoughts.sort();
    thoughts.dedup(); // equal numbers lead to equal thoughts
    thoughts
}

/// Stands for a model that evaluates many states in one call. It knows what two numbers lead to.
fn evaluate(states: &[Reasoning]) -> Result<Vec<f32>, BoxError> {
    let is_24 = |thought: &Arc<str>| thought.ends_with("= 24");
    let value = |state: &Reasoning| match state.left.len() {
        2 => f32::from(u8::from(propose(&state.left).iter().any(is_24))),
        _ => state.left.iter().filter(|&number| 24 % number.max(&1) == 0).count() as f32 / 8.0,
    };
    Ok(states.iter().map(value).collect())
}

fn main() -> Result<(), BoxError> {
    let task = Reasoning { left: vec![4, 9, 10, 13] };
    let mut search = Mcts::new(task).tree_policy(Puct::default()).rollout_policy(AskTell).window(8);
    let (mut calls, mut evaluated) = (0, 0);
    loop {
        let (mut tickets, mut states) = (Vec::new(), Vec::new());
        while let Some(question) = search.ask()? {
            tickets.push((question.ticket, question.actions.len()));
            states.push(question.state.clone());
        }
        if states.is_empty() && search.report()?.proof.is_some() {
            break; // a line that leads to 24 is found
        }
        (calls, evaluated) = (calls + 1, evaluated + states.len());
        for ((ticket, actions), value) in tickets.into_iter().zip(evaluate(&states)?) {
            search.tell(ticket, Rewards::new(1, |_| value), &vec![1.0; actions])?;
        }
    }
    search.finish()?;
    let report = search.report()?;
    assert_eq!(report.proof, Some(1.0), "no way to 24 was found");
    println!("{} ({evaluated} states in {calls} calls)", report.principal_variation.join("; "));
    Ok(())
}
