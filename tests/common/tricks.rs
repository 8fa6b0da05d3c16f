//! A game of cards in which the hands of the others are hidden.

use ramure::prelude::*;
use ramure::{ActionIndex, HiddenInformation, StaticEvaluation};

/// Each player has some cards of a deck. In turn, all play a card to the trick, of the suit of the first card
/// if they can. The greatest card of that suit wins the trick and leads to the next. Then chance turns up a
/// card of the rest, and its suit is trump in the next trick.
#[derive(Clone, PartialEq, Debug)]
pub struct Tricks {
    pub players: u8,
    pub hands: Vec<Vec<u8>>,
    pub rest: Vec<u8>,
    /// The cards of the current trick, and who played the first.
    pub trick: Vec<u8>,
    pub leader: u8,
    pub trump: u8,
    pub is_turning: bool,
    pub won: Vec<u8>,
    /// For each player, the suits of which they have no card, as all know.
    pub lacks: Vec<u8>,
    /// What is wrong with its guesses.
    pub fault: Fault,
}

/// What is wrong with a guess.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fault {
    None,
    /// It depends on the real cards.
    Peeks,
    /// It gives the observer other cards, too.
    Redeals,
    /// It changes nothing.
    Keeps,
    /// It takes a card from the observer to the rest.
    Loses,
    /// It forgets that a trick was begun.
    Restarts,
    /// It deals again and again.
    Hangs,
}

const SUITS: u8 = 3;

fn suit(card: u8) -> u8 {
    card % SUITS
}

impl Tricks {
    pub fn new(players: u8, cards: usize, seed: u64) -> Self {
        let mut deck: Vec<u8> = (0..15).collect();
        shuffle(&mut deck, &mut Rng::seeded(seed));
        let hands = (0..players).map(|_| deck.split_off(deck.len() - cards)).collect();
        Tricks {
            players,
            hands,
            rest: deck,
            trick: Vec::new(),
            leader: 0,
            trump: 0,
            is_turning: false,
            won: vec![0; players.into()],
            lacks: vec![0; players.into()],
            fault: Fault::None,
        }
    }

    fn to_move(&self) -> u8 {
        (self.leader + self.trick.len() as u8) % self.players
    }
}

fn shuffle(cards: &mut [u8], rng: &mut Rng) {
    for place in 1..cards.len() {
        cards.swap(place, rng.below(place + 1));
    }
}

impl GameState for Tricks {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.is_turning {
            Turn::Chance
        } else if self.trick.is_empty() && self.hands[0].is_empty() {
            Turn::Over
        } else {
            Turn::Player(self.to_move())
        }
    }

    fn actions(&self) -> impl IntoIterator<Item = u8> {
        let hand = &self.hands[usize::from(self.to_move())];
        let led = self.trick.first().map(|&card| suit(card));
        let follows = hand.iter().any(|&card| Some(suit(card)) == led);
        let mut actions = match self.turn() {
            Turn::Chance => self.rest.clone(),
            Turn::Over => Vec::new(),
            _ => hand.iter().copied().filter(|&card| !follows || Some(suit(card)) == led).collect(),
        };
        actions.sort_unstable();
        actions
    }

    fn apply(&mut self, card: u8) {
        assert!(self.is_legal(card), "{card} is not legal in {self:?}");
        if self.is_turning {
            (self.is_turning, self.trump) = (false, suit(card));
            self.rest.retain(|&other| other != card);
            return;
        }
        let player = self.to_move();
        self.hands[usize::from(player)].retain(|&other| other != card);
        self.trick.push(card);
        let led = suit(self.trick[0]);
        if suit(card) != led {
            self.lacks[usize::from(player)] |= 1 << led;
        }
        if self.trick.len() == usize::from(self.players) {
            let rank = |&place: &usize| {
                let card = self.trick[place];
                (suit(card) == self.trump, suit(card) == led, card)
            };
            let best = (0..self.trick.len()).max_by_key(rank).expect("a card") as u8;
            self.leader = (self.leader + best) % self.players;
            self.won[usize::from(self.leader)] += 1;
            self.trick.clear();
            self.is_turning = !self.hands[0].is_empty() && self.rest.len() > 1;
        }
    }

    fn reward(&self, player: Player) -> f64 {
        f64::from(self.won[usize::from(player)]) / f64::from(self.won.iter().sum::<u8>())
    }

    fn players(&self) -> u8 {
        self.players
    }
}

impl ActionIndex for Tricks {
    const ACTION_COUNT: usize = 15;

    fn action_index(card: u8) -> usize {
        card.into()
    }
}

/// The share of the tricks so far.
impl StaticEvaluation for Tricks {
    fn evaluate(&self, player: Player) -> f64 {
        let tricks: u8 = self.won.iter().sum();
        if tricks == 0 { 0.5 } else { f64::from(self.won[usize::from(player)]) / f64::from(tricks) }
    }
}

impl Tricks {
    /// Everything that a player has seen, except for the cards that were played.
    pub fn seen(&self, player: Player) -> (Vec<u8>, Vec<u8>, [u8; 2], Vec<u8>, usize) {
        let own = self.hands[usize::from(player)].clone();
        (own, self.trick.clone(), [self.trump, self.leader], self.won.clone(), self.rest.len())
    }
}

impl HiddenInformation for Tricks {
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        let redeals = self.fault == Fault::Redeals;
        let others: Vec<usize> =
            (0..self.hands.len()).filter(|&player| redeals || player != usize::from(observer)).collect();
        match self.fault {
            Fault::Keeps => return,
            Fault::Loses => self.rest.extend(self.hands[usize::from(observer)].pop()),
            Fault::Restarts => self.trick.clear(),
            Fault::Hangs => loop {
                std::thread::sleep(std::time::Duration::from_millis(10));
            },
            _ => {}
        }
        let counts: Vec<usize> = self.hands.iter().map(Vec::len).collect();
        let mut unseen: Vec<u8> = others.iter().flat_map(|&player| self.hands[player].clone()).collect();
        unseen.append(&mut self.rest);
        if self.fault != Fault::Peeks {
            unseen.sort_unstable();
        }
        loop {
            shuffle(&mut unseen, rng);
            let mut cards = unseen.iter().copied();
            for &player in &others {
                self.hands[player] = cards.by_ref().take(counts[player]).collect();
            }
            let fits = |&player: &usize| {
                self.hands[player].iter().all(|&card| self.lacks[player] >> suit(card) & 1 == 0)
            };
            if others.iter().all(fits) {
                self.rest = cards.collect();
                return;
            }
        }
    }
}
