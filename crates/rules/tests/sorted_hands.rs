//! Hands that lie in the order in which they were dealt, and that players see sorted.

use ramure::HiddenInformation;
use ramure::prelude::*;
use ramure_rules::{Law, Summary, Violation};

/// Chance deals hands from one deck, first to player 0. Then each player shows a card, and the greater card
/// wins.
#[derive(Clone, Debug)]
struct Hands {
    deck: u8,
    each: usize,
    hands: [Vec<u8>; 2],
    shown: Vec<u8>,
    mistake: Mistake,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Mistake {
    None,
    /// A guess leaves the first card of the other hand where it is.
    LeavesFirst,
    /// A guess changes nothing for player 1.
    ShowsPlayer1,
    /// A guess prefers a great card.
    Prefers,
}

impl Hands {
    fn new(deck: u8, each: usize, mistake: Mistake) -> Self {
        Hands { deck, each, hands: Default::default(), shown: Vec::new(), mistake }
    }

    fn sorted(&self, player: Player) -> Vec<u8> {
        let mut hand = self.hands[usize::from(player)].clone();
        hand.sort_unstable();
        hand
    }

    fn seen(&self, player: Player) -> (Vec<u8>, [usize; 2], Vec<u8>) {
        (self.sorted(player), [0, 1].map(|player: usize| self.hands[player].len()), self.shown.clone())
    }
}

impl GameState for Hands {
    type Action = u8;

    fn turn(&self) -> Turn {
        match self.shown.len() {
            0 if self.hands[1].len() < self.each => Turn::Chance,
            2 => Turn::Over,
            shown => Turn::Player(shown as Player),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        match self.turn() {
            Turn::Chance => (0..self.deck).filter(|card| !self.hands.concat().contains(card)).collect(),
            Turn::Player(player) => self.sorted(player),
            _ => Vec::new(),
        }
    }
    fn apply(&mut self, card: u8) {
        if let Turn::Player(player) = self.turn() {
            self.hands[usize::from(player)].retain(|&other| other != card);
            self.shown.push(card);
        } else {
            let to = usize::from(self.hands[0].len() == self.each);
            self.hands[to].push(card);
        }
    }
    fn probability(&self, _: u8) -> f64 {
        1.0 / (f64::from(self.deck) - self.hands.concat().len() as f64)
    }
    fn reward(&self, player: Player) -> f64 {
        f64::from(u8::from((self.shown[0] > self.shown[1]) == (player == 0)))
    }
}

impl HiddenInformation for Hands {
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        if observer == 1 && self.mistake == Mistake::ShowsPlayer1 {
            return;
        }
        let other = usize::from(1 - observer);
        let known = [self.sorted(observer), self.shown.clone()].concat();
        let mut unseen: Vec<u8> = (0..self.deck).filter(|card| !known.contains(card)).collect();
        for place in 0..self.hands[other].len() {
            let index = match self.mistake {
                Mistake::LeavesFirst if place == 0 => {
                    unseen.iter().position(|&card| card == self.hands[other][0]).expect("not seen")
                }
                Mistake::Prefers => rng.below(unseen.len()).max(rng.below(unseen.len())),
                _ => rng.below(unseen.len()),
            };
            self.hands[other][place] = unseen.remove(index);
        }
    }
}

fn check(deck: u8, each: usize, mistake: Mistake) -> Result<Summary, Box<Violation<Hands>>> {
    let check = ramure_rules::check(Hands::new(deck, each, mistake)).fair_guesses(Hands::seen);
    check.only([Law::GuessesFair]).states(100).games(10).run().map_err(Box::new)
}

#[test]
fn fair_guesses_of_hands_that_lie_as_they_were_dealt_pass() {
    for (deck, each) in [(6, 2), (8, 2)] {
        check(deck, each, Mistake::None).expect("fair guesses");
    }
}

#[test]
fn unfair_guesses_of_hands_that_lie_as_they_were_dealt_are_found() {
    for mistake in [Mistake::LeavesFirst, Mistake::ShowsPlayer1, Mistake::Prefers] {
        let violation = check(5, 2, mistake).expect_err("unfair guesses");
        assert!(violation.what.contains("not distributed as chance would deal"), "{mistake:?}: {violation}");
    }
}
