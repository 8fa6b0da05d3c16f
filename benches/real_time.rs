//! Measures 20 ms of real time: two snakes on 11×11 squares that move at the same time, with a tree for
//! each player. Prints the iterations of a run, and by how much it exceeds its time. `cargo bench -p
//! ramure-benches --bench real_time`.

use ramure::prelude::*;
use ramure::search::PlayerTrees;
use ramure::selection::RegretMatching;
use ramure::simulation::Evaluate;
use ramure::{Expansion, HiddenInformation, Rewards};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

const SIZE: i8 = 11;
const BUDGET: Duration = Duration::from_millis(20);

/// Two snakes of length 5 that grow by a square every eighth step, without food. A snake that runs into a
/// wall or a body dies; if both heads meet, both die.
#[derive(Clone, Debug)]
struct Duel {
    /// The squares of each snake, head first.
    snakes: [VecDeque<(i8, i8)>; 2],
    dead: [bool; 2],
    steps: u16,
    first_choice: Option<u8>,
}

impl Duel {
    fn new() -> Self {
        let body = |x: i8| (0..5).map(|back| (x, 5 + if x < 5 { back } else { -back })).collect();
        Duel { snakes: [body(3), body(7)], dead: [false; 2], steps: 0, first_choice: None }
    }

    fn step(&mut self, choices: [u8; 2]) {
        const WAYS: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
        let grows = self.steps % 8 == 7;
        self.steps += 1;
        for (snake, choice) in self.snakes.iter_mut().zip(choices) {
            let (head, way) = (snake[0], WAYS[usize::from(choice)]);
            snake.push_front((head.0 + way.0, head.1 + way.1));
            if !grows {
                snake.pop_back();
            }
        }
        let heads = [self.snakes[0][0], self.snakes[1][0]];
        let is_free = |place: (i8, i8)| {
            let bodies = self.snakes.iter().flat_map(|snake| snake.iter().skip(1));
            (0..SIZE).contains(&place.0)
                && (0..SIZE).contains(&place.1)
                && !bodies.copied().any(|at| at == place)
        };
        self.dead = heads.map(|head| !is_free(head) || heads[0] == heads[1]);
    }
}

impl GameState for Duel {
    type Action = u8;
    fn turn(&self) -> Turn {
        match self.first_choice {
            _ if self.dead != [false; 2] || self.steps >= 500 => Turn::Over,
            None => Turn::Player(0),
            Some(_) => Turn::Player(1),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.turn() == Turn::Over { 0 } else { 4 }
    }
    fn apply(&mut self, choice: u8) {
        match self.first_choice.take() {
            None => self.first_choice = Some(choice),
            Some(first) => self.step([first, choice]),
        }
    }
    fn reward(&self, player: Player) -> f64 {
        match self.dead {
            [true, false] => f64::from(player),
            [false, true] => f64::from(1 - player),
            _ => 0.5,
        }
    }
    fn is_simultaneous(&self) -> bool {
        true
    }
}

impl HiddenInformation for Duel {
    fn determinize(&mut self, _: Player, _: &mut Rng) {}
}

/// Lets a search play both sides; `advance` plays what both choose. Prints the iterations of the runs, and by
/// how much they are too long.
fn play<S: Search<Space = Duel>>(
    name: &str,
    new: impl Fn(u64) -> S,
    advance: impl Fn(&mut S) -> Result<(), SearchError>,
    runs: usize,
) -> Result<(), SearchError> {
    let (mut iterations, mut excess) = (Vec::new(), Vec::new());
    for seed in 0.. {
        let mut search = new(seed);
        for _ in 0..40 {
            let start = Instant::now();
            let report = search.run(Budget::time(BUDGET))?;
            excess.push(start.elapsed().saturating_sub(BUDGET).as_secs_f64() * 1e3);
            iterations.push(report.iterations);
            advance(&mut search)?;
            if search.report().is_err() {
                break; // the game is over
            }
        }
        if excess.len() >= runs {
            break;
        }
    }
    iterations.sort_unstable();
    excess.sort_by(f64::total_cmp);
    let at = |share: f64| (share * (excess.len() - 1) as f64) as usize;
    println!(
        "{name:<40} {} runs; iterations: median {}, most {}; too long by {:.3} ms (median), {:.3} (90 of 100), {:.3} (worst)",
        excess.len(),
        iterations[at(0.5)],
        iterations[iterations.len() - 1],
        excess[at(0.5)],
        excess[at(0.9)],
        excess[excess.len() - 1],
    );
    Ok(())
}

/// Lets both players choose in their trees.
fn advance<R: RolloutPolicy<Duel> + Clone>(
    search: &mut Mcts<Duel, RegretMatching, R, Average, PlayerTrees>,
) -> Result<(), SearchError> {
    let [first, second] = [0, 1].map(|player| search.report_of(player).map(|report| report.best_action()));
    search.advance(first?)?;
    search.advance(second?)
}

fn main() -> Result<(), SearchError> {
    // `--test` asks for a smoke test.
    let runs = if std::env::args().any(|argument| argument == "--test") { 4 } else { 200 };
    let trees = || Mcts::player_trees(Duel::new()).tree_policy(RegretMatching::default());
    play("a tree for each player", |seed| trees().seed(seed), advance, runs)?;
    let half = Evaluate::by(|_: &Duel, _, _| Rewards::new(2, |_| 0.5));
    let shallow = |seed| trees().rollout_policy(half).expansion(Expansion::default().depth(16)).seed(seed);
    play("the same, to a depth of 16, no rollouts", shallow, advance, runs)?;
    let in_turns = |search: &mut Mcts<Duel>| {
        search.advance(search.report()?.best_action())?;
        search.advance(search.report()?.best_action())
    };
    play("one tree, players in turns", |seed| Mcts::new(Duel::new()).seed(seed), in_turns, runs)
}
