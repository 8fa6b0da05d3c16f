//! Plays 2048 by search, and prints the mean score and how often the tile 2048 appears, for several times per move.
//!
//! ```sh
//! cargo run --release -p ramure-lab --example play_2048 -- 20 1 10 # 20 games each at 1 ms and 10 ms per move
//! ```

use ramure::prelude::*;
use ramure::search::OpenLoop;
use ramure_lab::games::Game2048;
use ramure_lab::games::game_2048::Action2048;
use std::time::Duration;

/// Plays one game by `choose` and returns its end.
fn play(
    seed: u64,
    mut choose: impl FnMut(&Game2048) -> Result<Action2048, SearchError>,
) -> Result<Game2048, SearchError> {
    let (mut game, mut rng) = (Game2048::new(), Rng::seeded(seed));
    loop {
        let action = match game.turn() {
            Turn::Player(_) => choose(&game)?,
            Turn::Chance => game.random_action(&mut rng).expect("an empty cell"),
            _ => return Ok(game),
        };
        game.apply(action);
    }
}

fn print(name: &str, millis: u64, ends: &[Game2048]) {
    let n = ends.len() as f64;
    let scores = || ends.iter().map(|end| f64::from(end.score()));
    let mean = scores().sum::<f64>() / n;
    let error = (scores().map(|score| (score - mean) * (score - mean)).sum::<f64>() / (n - 1.0) / n).sqrt();
    let share = ends.iter().filter(|end| end.greatest() >= 2048).count() as f64 / n;
    let deviation = (share * (1.0 - share) / n).sqrt();
    println!(
        "| {name} | {millis} ms | {} | {mean:.0} ± {error:.0} | {share:.2} ± {deviation:.2} |",
        ends.len()
    );
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<u64>());
    let games = numbers.next().unwrap_or(Ok(4))?.max(2);
    let mut times = numbers.collect::<Result<Vec<u64>, _>>()?;
    if times.is_empty() {
        times = vec![1, 10];
    }
    println!(
        "| search | time per move | games | mean score, standard error | share with a tile of 2048, standard error |"
    );
    println!("|---|---|---|---|---|");
    let random = (0..200).map(|seed| {
        let mut rng = Rng::seeded(seed ^ 77);
        play(seed, |game| Ok(game.random_action(&mut rng).expect("the game goes on")))
    });
    print("random", 0, &random.collect::<Result<Vec<_>, _>>()?);
    for &millis in &times {
        let budget = Budget::time(Duration::from_millis(millis));
        let closed = (0..games).map(|seed| {
            play(seed, |game| {
                Mcts::new(*game).tree_policy(Ucb1::new(0.1)).seed(seed).run(budget)?.try_best_action()
            })
        });
        print("chance nodes", millis, &closed.collect::<Result<Vec<_>, _>>()?);
        let open = (0..games).map(|seed| {
            play(seed, |game| {
                Ok(OpenLoop::new(*game).search(0.1).seed(seed).run(budget)?.try_best_action()?.action)
            })
        });
        print("open loop", millis, &open.collect::<Result<Vec<_>, _>>()?);
    }
    Ok(())
}
