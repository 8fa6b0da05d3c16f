//! The law on guesses, with a correct game of cards and with wrong ones.

use crate::bad_games::watched;
use crate::common::tricks::{Fault, Tricks};
use ramure::HiddenInformation;
use ramure::prelude::*;
use ramure_rules::{Law, Violation};
use std::time::Duration;

fn check(fault: Fault) -> Result<ramure_rules::Summary, Box<Violation<Tricks>>> {
    let game = Tricks { fault, ..Tricks::new(3, 3, 5) };
    ramure_rules::check(game)
        .hidden(Tricks::seen)
        .only([Law::Guesses])
        .states(200)
        .games(30)
        .run()
        .map_err(Box::new)
}

#[test]
fn correct_guesses_pass() {
    for players in 2..=4 {
        let game = Tricks::new(players, 3, 5);
        ramure_rules::check(game)
            .hidden(Tricks::seen)
            .states(100)
            .games(30)
            .constant_sum(1.0)
            .run()
            .expect("sound");
    }
}

#[test]
fn wrong_guesses_are_found() {
    for (fault, what) in [
        (Fault::Peeks, "depend on what is hidden"),
        (Fault::Redeals, "changes what that player has seen"),
        (Fault::Keeps, "no guess differs from its state"),
        (Fault::Loses, "changes what that player has seen"),
        (Fault::Restarts, "changes what that player has seen"),
    ] {
        let violation = check(fault).expect_err("a wrong guess");
        assert_eq!(violation.law, Law::Guesses);
        assert!(violation.to_string().contains(what), "{fault:?}: {violation}");
    }
}

#[test]
fn a_guess_that_never_ends_is_ended_by_the_watchdog() {
    let said = watched("guesses::a_guess_that_never_ends_is_ended_by_the_watchdog", || {
        let game = Tricks { fault: Fault::Hangs, ..Tricks::new(3, 3, 5) };
        let check = ramure_rules::check(game).hidden(Tricks::seen).only([Law::Guesses]);
        let _ = check.patience(Duration::from_millis(300)).run();
    });
    assert!(said.contains("`determinize` has not returned for 300ms"), "{said}");
}

/// Chance deals two cards of five to each of two players, in turn, and throws a biased coin that only player
/// 0 sees. Then each player shows a card. The greater card wins, or with heads the smaller one.
#[derive(Clone, PartialEq, Debug)]
struct Deal {
    hands: [Vec<u8>; 2],
    heads: Option<bool>,
    shown: Vec<u8>,
    mistake: Mistake,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Mistake {
    None,
    /// A guess leaves the smaller card of the other hand where it is.
    LeavesOne,
    /// In a guess, both sides of the coin are equally likely.
    ForgetsBias,
    /// A guess prefers a great first card.
    Prefers,
    /// A guess for player 1 changes nothing.
    ShowsPlayer1,
    /// A guess may give the other player a card twice.
    Copies,
    /// With heads, player 0 shows both cards.
    CoinDecidesTurn,
    /// Both players see the coin when player 0 has shown a card.
    CoinIsSeenLater,
}

const HEADS: f64 = 0.8;

impl Deal {
    fn new(mistake: Mistake) -> Self {
        Deal { hands: Default::default(), heads: None, shown: Vec::new(), mistake }
    }

    fn seen(&self, player: Player) -> (Vec<u8>, usize, Option<bool>, bool, Vec<u8>) {
        let sees_coin = player == 0 || self.mistake == Mistake::CoinIsSeenLater && !self.shown.is_empty();
        let dealt = self.hands.iter().map(Vec::len).sum();
        let coin = self.heads.filter(|_| sees_coin);
        (self.hands[usize::from(player)].clone(), dealt, coin, self.heads.is_some(), self.shown.clone())
    }

    fn player(&self) -> usize {
        let again = self.mistake == Mistake::CoinDecidesTurn && self.heads == Some(true);
        if again { 0 } else { self.shown.len() % 2 }
    }
}

impl GameState for Deal {
    type Action = u8;

    fn turn(&self) -> Turn {
        match self.heads {
            None => Turn::Chance,
            Some(_) if self.shown.len() == 2 => Turn::Over,
            Some(_) => Turn::Player(self.player() as u8),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        match self.turn() {
            Turn::Player(_) => self.hands[self.player()].clone(),
            Turn::Chance if self.hands[1].len() == 2 => vec![0, 1],
            Turn::Chance => (0..5).filter(|card| !self.hands.concat().contains(card)).collect(),
            _ => Vec::new(),
        }
    }
    fn apply(&mut self, action: u8) {
        if self.heads.is_some() {
            let player = self.player();
            self.hands[player].retain(|&card| card != action);
            self.shown.push(action);
        } else if self.hands[1].len() == 2 {
            self.heads = Some(action == 1);
        } else {
            let to = usize::from(self.hands[0].len() > self.hands[1].len());
            self.hands[to].push(action);
            self.hands[to].sort_unstable();
        }
    }
    fn probability(&self, outcome: u8) -> f64 {
        match (self.hands[1].len(), outcome) {
            (2, 1) => HEADS,
            (2, _) => 1.0 - HEADS,
            _ => 1.0 / (5.0 - self.hands.concat().len() as f64),
        }
    }
    fn reward(&self, player: Player) -> f64 {
        let wins = (self.shown[0] > self.shown[1]) != (self.heads == Some(true));
        f64::from(u8::from(wins == (player == 0)))
    }
}

impl HiddenInformation for Deal {
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        if observer == 1 && self.mistake == Mistake::ShowsPlayer1 {
            return;
        }
        if observer == 1 && self.heads.is_some() {
            let heads = if self.mistake == Mistake::ForgetsBias { 0.5 } else { HEADS };
            self.heads = Some(rng.unit() < heads);
        }
        let [own, other] = [usize::from(observer), usize::from(1 - observer)];
        let known = [self.hands[own].clone(), self.shown.clone()].concat();
        let mut unseen: Vec<u8> = (0..5).filter(|card| !known.contains(card)).collect();
        let mut hand: Vec<u8> = Vec::new();
        for place in 0..self.hands[other].len() {
            let index = match self.mistake {
                Mistake::LeavesOne if place == 0 && self.hands[other].len() == 2 => {
                    unseen.iter().position(|&card| card == self.hands[other][0]).expect("not seen")
                }
                Mistake::Prefers if place == 0 => rng.below(unseen.len()).max(rng.below(unseen.len())),
                _ => rng.below(unseen.len()),
            };
            hand.push(if self.mistake == Mistake::Copies { unseen[index] } else { unseen.remove(index) });
        }
        hand.sort_unstable();
        self.hands[other] = hand;
    }
}

fn check_deal(mistake: Mistake, law: Law) -> Result<ramure_rules::Summary, Box<Violation<Deal>>> {
    let check = ramure_rules::check(Deal::new(mistake)).hidden(Deal::seen).fair_guesses(Deal::seen);
    check.only([law]).games(30).run().map_err(Box::new)
}

#[test]
fn guesses_that_chance_would_not_deal_are_found() {
    check_deal(Mistake::None, Law::Guesses).expect("sound");
    check_deal(Mistake::None, Law::Announced).expect("sound");
    let summary = check_deal(Mistake::None, Law::GuessesFair).expect("sound");
    assert_eq!(summary.laws, [Law::GuessesFair]);
    for (mistake, law, what) in [
        (Mistake::LeavesOne, Law::GuessesFair, "are not distributed as chance would deal"),
        (Mistake::ForgetsBias, Law::GuessesFair, "guesses for player 1 are not distributed"),
        (Mistake::Prefers, Law::GuessesFair, "are not distributed"),
        (Mistake::ShowsPlayer1, Law::GuessesFair, "guesses for player 1 are not distributed"),
        (Mistake::Copies, Law::GuessesFair, "chance cannot have led to a guess for player"),
        (Mistake::CoinDecidesTurn, Law::Announced, "the turn is Player(1) here and Player(0) there"),
        (Mistake::CoinIsSeenLater, Law::Announced, "player 1 learns from"),
    ] {
        let violation = check_deal(mistake, law).expect_err("a wrong guess");
        assert!(violation.to_string().contains(what), "{mistake:?}: {violation}");
    }
    // The other law finds none of the wrong distributions.
    for mistake in [Mistake::ForgetsBias, Mistake::Prefers, Mistake::ShowsPlayer1] {
        check_deal(mistake, Law::Guesses).expect("nothing that one guess could show");
    }
}

/// Chance throws a coin that player 0 does not see, and with heads another one. Then player 0 guesses the
/// first.
#[derive(Clone, Debug, Default)]
struct Coins {
    coins: Vec<bool>,
    guess: Option<bool>,
    /// Whether chance always throws both coins.
    both: bool,
}

impl GameState for Coins {
    type Action = bool;

    fn turn(&self) -> Turn {
        match (&self.coins[..], self.guess) {
            ([], _) => Turn::Chance,
            ([first], _) if *first || self.both => Turn::Chance,
            (_, None) => Turn::Player(0),
            _ => Turn::Over,
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = bool> {
        [false, true].into_iter().filter(|_| self.guess.is_none())
    }
    fn apply(&mut self, action: bool) {
        if self.turn() == Turn::Chance { self.coins.push(action) } else { self.guess = Some(action) }
    }
    fn reward(&self, _: Player) -> f64 {
        f64::from(u8::from(self.guess == Some(self.coins[0])))
    }
    fn players(&self) -> u8 {
        1
    }
}

impl HiddenInformation for Coins {
    /// Guesses nothing when the game is over.
    fn determinize(&mut self, _: Player, rng: &mut Rng) {
        if self.turn() == Turn::Chance && self.both {
            self.coins.fill_with(|| rng.below(2) == 1);
        }
        if self.turn() == Turn::Player(0) {
            *self = Coins { both: self.both, ..Coins::default() };
            while self.turn() == Turn::Chance {
                self.coins.push(rng.below(2) == 1);
            }
        }
    }
}

/// Finished games need no guesses, and where lines of different length look alike, their probabilities are
/// not compared.
#[test]
fn fair_guesses_are_compared_where_probabilities_are_known() {
    let check = |both| {
        let check = ramure_rules::check(Coins { both, ..Coins::default() });
        check
            .fair_guesses(|coins, _| (coins.turn(), coins.guess))
            .only([Law::GuessesFair])
            .run()
            .map_err(Box::new)
    };
    check(true).expect("fair guesses");
    let violation = check(false).expect_err("nothing to compare");
    assert!(violation.to_string().contains("there is nothing to compare"), "{violation}");
}

/// The cards of this game are dealt before it starts.
#[test]
fn fair_guesses_need_a_start_where_nothing_is_hidden() {
    let check = ramure_rules::check(Tricks::new(2, 2, 1)).fair_guesses(Tricks::seen).only([Law::GuessesFair]);
    let violation = check.run().expect_err("nothing to compare");
    assert!(violation.to_string().contains("hides something from player 0"), "{violation}");
}

mod of_cards {
    use super::Tricks;

    ramure_rules::laws!(mod laws, Tricks::new(2, 3, 1); hidden = Tricks::seen, games = 50, states = 200);
}
