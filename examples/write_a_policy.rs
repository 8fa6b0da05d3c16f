//! Your own tree policy, and a match that measures it: `cargo run --release --example write_a_policy`.
//!
//! The policy is the ten lines below. The rest is the match that compares it with UCB1. Every opening is
//! played twice, with the seats swapped, so neither the luck of the opening nor the advantage of the first
//! player counts. Every seed is fixed, so the result is the same on every machine.

use ramure::prelude::*;
use ramure_games::Connect4;

/// UCB with the fourth root of the visits where UCB1 has the square root of their logarithm: `Q + c N^(1/4) /
/// sqrt(n)`. It never stops exploring the alternatives. After Shah, Xie and Xu, *Non-Asymptotic Analysis of
/// Monte Carlo Tree Search*, 2020.
struct PolynomialUcb(f32);

impl<G: GameState> TreePolicy<G> for PolynomialUcb {
    type Stats = (); // the visits and the mean, which every child has, are enough

    #[inline(always)] // into the search loop
    fn select(&self, node: impl Node<G, ()>, _: &mut Rng) -> Choice {
        let bonus = self.0 * node.visits().sqrt().sqrt();
        node.argmax(|child| child.mean() + bonus / child.visits().sqrt())
    }
}

/// A search of any type, so that one table can compare different types.
type Player = Box<dyn Search<Space = Connect4>>;

const ITERATIONS: u64 = 500;
const OPENINGS: u64 = 100;

fn main() -> Result<(), SearchError> {
    println!(
        "Connect 4, {ITERATIONS} iterations per action, {OPENINGS} openings, each played from both seats\n"
    );
    println!("{:<24} {:<16} {:>7} {:>15}", "policy", "against", "score", "95 % interval");
    for (name, c) in [("PolynomialUcb(0.1)", 0.1), ("PolynomialUcb(0.25)", 0.25), ("PolynomialUcb(0.5)", 0.5)]
    {
        let mine = |seed| -> Player {
            Box::new(Mcts::new(Connect4::new()).tree_policy(PolynomialUcb(c)).seed(seed))
        };
        for (rival, c) in [("Ucb1(sqrt 2)", f32::sqrt(2.0)), ("Ucb1(0.7)", 0.7)] {
            let other = |seed| -> Player {
                Box::new(Mcts::new(Connect4::new()).tree_policy(Ucb1::new(c)).seed(seed))
            };
            let (mean, margin) = compare(&mine, &other)?;
            let interval = format!("{:.3}-{:.3}", mean - margin, mean + margin);
            println!("{name:<24} {rival:<16} {mean:>7.3} {interval:>15}");
        }
    }
    println!(
        "\nThe policy on the left is stronger if its whole interval lies above 0.500, and weaker if all of it lies below.\n\
         An interval around 0.500 decides nothing: play more openings."
    );
    Ok(())
}

/// The mean reward of `mine`, and half the width of its interval. A pair of games is one sample, because its
/// two games share the opening and so are not independent.
fn compare(mine: &dyn Fn(u64) -> Player, other: &dyn Fn(u64) -> Player) -> Result<(f64, f64), SearchError> {
    let (mut sum, mut squares) = (0.0, 0.0);
    for opening in 0..OPENINGS {
        let seeds = [2 * opening, 2 * opening + 1];
        let as_first = play(opening, [mine(seeds[0]), other(seeds[1])])?;
        let as_second = 1.0 - play(opening, [other(seeds[0]), mine(seeds[1])])?;
        let pair = (as_first + as_second) / 2.0;
        sum += pair;
        squares += pair * pair;
    }
    let count = OPENINGS as f64;
    let mean = sum / count;
    let variance = (squares / count - mean * mean) * count / (count - 1.0);
    Ok((mean, 1.96 * (variance / count).sqrt()))
}

/// The first player's reward in one game.
fn play(opening: u64, mut players: [Player; 2]) -> Result<f64, SearchError> {
    let mut state = Connect4::new();
    // Three random actions. Without them, two searches would play the same few games again and again.
    let mut rng = Rng::seeded(opening);
    for _ in 0..3 {
        state.random_action(&mut rng).into_iter().for_each(|action| state.apply(action));
    }
    for player in &mut players {
        player.reset(state);
    }
    while let Turn::Player(to_move) = state.turn() {
        let action = players[usize::from(to_move)].run(Budget::iterations(ITERATIONS))?.best_action();
        state.apply(action);
        for player in &mut players {
            player.advance(action)?;
        }
    }
    Ok(state.reward(0))
}
