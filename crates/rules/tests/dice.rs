//! Dice games: the law that every game ends must not choose the dice, nor keep the players from winning.

use crate::common::sized;
use ramure::{GameState, Player, Turn};
use ramure_rules::Law;

/// The part that a game of [`Dice`] leaves out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Forgets {
    Nothing,
    /// No player ever wins.
    TheGoal,
}

/// Pig: the player rolls until holding or rolling a one, which loses the points of the turn. The first player
/// with 100 points wins. A player who never holds can roll without end.
#[derive(Clone, Copy, Debug)]
struct Pig {
    banked: [u32; 2],
    pot: u32,
    player: Player,
    rolling: bool,
    forgets: Forgets,
}

impl Pig {
    fn new(forgets: Forgets) -> Self {
        Pig { banked: [0; 2], pot: 0, player: 0, rolling: false, forgets }
    }

    fn end_turn(&mut self, brought: u32) {
        self.banked[usize::from(self.player)] += brought;
        (self.pot, self.player) = (0, 1 - self.player);
    }
}

impl GameState for Pig {
    /// 0 holds, 1 rolls; 2 to 7 are the faces 1 to 6.
    type Action = u8;

    fn turn(&self) -> Turn {
        let won = self.forgets == Forgets::Nothing && self.banked.iter().any(|&points| points >= 100);
        match (won, self.rolling) {
            (true, _) => Turn::Over,
            (_, true) => Turn::Chance,
            _ => Turn::Player(self.player),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        match self.turn() {
            Turn::Over => 0..0,
            Turn::Chance => 2..8,
            // The first action of a turn is a roll.
            _ => {
                if self.pot == 0 {
                    1..2
                } else {
                    0..2
                }
            }
        }
    }
    fn apply(&mut self, action: u8) {
        match action {
            0 => self.end_turn(self.pot),
            1 => self.rolling = true,
            face => {
                self.rolling = false;
                if face == 2 { self.end_turn(0) } else { self.pot += u32::from(face - 1) }
            }
        }
    }
    fn reward(&self, player: Player) -> f64 {
        if self.banked[usize::from(player)] >= 100 { 1.0 } else { 0.0 }
    }
    fn probability(&self, _: u8) -> f64 {
        1.0 / 6.0
    }
}

/// One player walks ten squares to a goal that must be reached exactly. If the law chose the dice badly, the
/// walk would never end.
#[derive(Clone, Copy, Debug)]
struct Walk {
    square: u8,
}

impl GameState for Walk {
    type Action = u8;

    fn players(&self) -> u8 {
        1
    }
    fn turn(&self) -> Turn {
        if self.square == 10 { Turn::Over } else { Turn::Chance }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        if self.square == 10 { 0..0 } else { 1..7 }
    }
    fn apply(&mut self, steps: u8) {
        if self.square + steps <= 10 {
            self.square += steps;
        }
    }
    fn reward(&self, _: Player) -> f64 {
        1.0
    }
    fn probability(&self, _: u8) -> f64 {
        1.0 / 6.0
    }
}

fn assert_ends<G: GameState + std::fmt::Debug + 'static>(game: &G) {
    for seed in 0..sized(2, 5) {
        match ramure_rules::check(game.clone()).only([Law::Ends]).seed(seed).run() {
            Ok(summary) => assert!(summary.games >= 100, "{summary}"),
            Err(violation) => panic!("seed {seed}: {violation}"),
        }
    }
}

/// A walk takes more than 500 throws with a probability below 10 (5/6)^490, about 1e-38.
#[test]
fn the_law_that_games_end_draws_dice_at_random() {
    assert_ends(&Walk { square: 0 });
}

/// A random game of Pig takes 153 actions on average, and the longest of 20 000 took 266. The probability
/// that 500 are not enough is negligible.
#[test]
fn players_who_avoid_the_end_stop_eventually_in_dice_games() {
    assert_ends(&Pig::new(Forgets::Nothing));
}

#[test]
fn a_dice_game_without_an_end_is_found() {
    let violation =
        ramure_rules::check(Pig::new(Forgets::TheGoal)).only([Law::Ends]).run().expect_err("no player wins");
    assert_eq!((violation.law, violation.actions.len()), (Law::Ends, 1000));
    assert!(violation.to_string().contains("Found in game 0 "), "{violation}");
}
