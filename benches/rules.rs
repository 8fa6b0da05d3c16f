//! Checks that the rules kit finds no fault in correct games: all laws, on the four games, a dice game and a
//! three-player game, for many seeds. `cargo bench -p ramure-benches --bench rules -- 1000` checks 1000
//! seeds.
//!
//! Ends with a table, or with the first violation. The table also gives the time of one check, in release.

#[path = "../tests/common/nim.rs"]
mod nim;

use nim::Nim;
use ramure::prelude::*;
use ramure_games::sudo_tic_tac_toe::Mode;
use ramure_games::{Connect4, Hex, SudoTicTacToe, TicTacToe};
use ramure_rules::{Check, Violation};
use std::time::{Duration, Instant};

/// Each player throws a loaded die four times. The player with more points wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Dice {
    points: [u8; 2],
    throws: u8,
    in_the_air: bool,
}

const WEIGHTS: [f64; 4] = [0.45, 0.3, 0.2, 0.05];

impl GameState for Dice {
    type Action = u8;

    fn turn(&self) -> Turn {
        match self.throws {
            8 => Turn::Over,
            _ if self.in_the_air => Turn::Chance,
            throws => Turn::Player(throws % 2),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        match self.turn() {
            Turn::Chance => 1..5,
            Turn::Player(_) => 0..1,
            _ => 0..0,
        }
    }
    fn apply(&mut self, action: u8) {
        if self.in_the_air {
            self.points[usize::from(self.throws % 2)] += action;
            self.throws += 1;
        }
        self.in_the_air = !self.in_the_air;
    }
    fn reward(&self, player: Player) -> f64 {
        let [mine, yours] = [player, 1 - player].map(|player| self.points[usize::from(player)]);
        0.5 + 0.5 * f64::from(i8::from(mine > yours) - i8::from(mine < yours))
    }
    fn probability(&self, points: u8) -> f64 {
        WEIGHTS[usize::from(points - 1)]
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Cargo also passes `--bench`. `--test` asks for a smoke test.
    let test = std::env::args().any(|argument| argument == "--test");
    let seeds = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let seeds = seeds.unwrap_or(if test { 1 } else { 20 });
    println!("{seeds} seeds each; no seed may find a violation");
    println!("{:<32} {:>10} {:>14} {:>12}", "game", "violations", "states", "ms a check");
    macro_rules! soak {
        ($name:literal, $initial:expr) => {
            let initial = $initial;
            soak($name, seeds, || {
                let check = ramure_rules::check(initial.clone()).hash().text().action_text().symmetry();
                check.evaluation().indices().constant_sum(1.0).winner(|state| state.winner())
            })?;
        };
    }
    soak!("Tic-Tac-Toe", TicTacToe::new());
    soak!("Connect 4", Connect4::new());
    soak!("Hex 5x5", Hex::new(5)?);
    soak!("Hex 11x11, swap", Hex::new(11)?.with_swap());
    soak!("Sudo Tic-Tac-Toe, local win", SudoTicTacToe::new(Mode::LocalWin));
    soak!("Sudo Tic-Tac-Toe, ultimate", SudoTicTacToe::new(Mode::Ultimate));
    soak("Nim, three players", seeds, || {
        let winner = |state: &Nim<3>| (state.sticks == 0).then_some((state.player + 2) % 3);
        ramure_rules::check(Nim::<3> { sticks: 15, player: 0 }).hash().constant_sum(1.0).winner(winner)
    })?;
    soak("dice", seeds, || {
        ramure_rules::check(Dice { points: [0; 2], throws: 0, in_the_air: false }).hash().constant_sum(1.0)
    })?;
    Ok(())
}

fn soak<G: GameState + std::fmt::Debug + 'static>(
    name: &str,
    seeds: u64,
    check: impl Fn() -> Check<G>,
) -> Result<(), Violation<G>> {
    let (mut states, mut time) = (0, Duration::ZERO);
    for seed in 0..seeds {
        let start = Instant::now();
        states += check().seed(seed).run()?.states;
        time += start.elapsed();
    }
    let each = time.as_secs_f64() * 1000.0 / seeds.max(1) as f64;
    println!("{name:<32} {:>10} {states:>14} {each:>12.0}", 0);
    Ok(())
}
