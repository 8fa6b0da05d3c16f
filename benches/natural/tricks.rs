//! A trick-taking game of four players with open hands: follow suit if you can, the highest card of the suit
//! led takes the trick, hearts are trumps. The reward is the share of the tricks. Hands and the trick on the
//! table are lists.

use ramure::prelude::*;

const PLAYERS: u8 = 4;
const HAND: u8 = 13;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Card {
    suit: Suit,
    rank: u8,
}

#[derive(Clone)]
pub struct Tricks {
    hands: Vec<Vec<Card>>,
    table: Vec<(Player, Card)>,
    won: Vec<u8>,
    player: Player,
}

impl Tricks {
    /// Deals the cards by this seed.
    pub fn new(seed: u64) -> Self {
        let mut cards = Vec::new();
        for suit in [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades] {
            for rank in 2..=14 {
                cards.push(Card { suit, rank });
            }
        }
        Rng::seeded(seed).shuffle(&mut cards);
        let hands = cards.chunks(HAND.into()).map(<[Card]>::to_vec).collect();
        Tricks { hands, table: Vec::new(), won: vec![0; PLAYERS.into()], player: 0 }
    }

    /// The player whose card takes the trick.
    fn winner(&self) -> Player {
        let led = self.table[0].1.suit;
        let strength = |card: Card| match card.suit {
            Suit::Hearts => 100 + card.rank,
            suit if suit == led => card.rank,
            _ => 0,
        };
        self.table.iter().max_by_key(|(_, card)| strength(*card)).unwrap().0
    }
}

impl GameState for Tricks {
    type Action = Card;

    fn players(&self) -> u8 {
        PLAYERS
    }

    fn turn(&self) -> Turn {
        if self.hands.iter().all(Vec::is_empty) { Turn::Over } else { Turn::Player(self.player) }
    }

    fn actions(&self) -> impl IntoIterator<Item = Card> {
        let hand = &self.hands[usize::from(self.player)];
        if let Some((_, led)) = self.table.first() {
            let follow: Vec<Card> = hand.iter().copied().filter(|card| card.suit == led.suit).collect();
            if !follow.is_empty() {
                return follow;
            }
        }
        hand.clone()
    }

    fn apply(&mut self, card: Card) {
        self.hands[usize::from(self.player)].retain(|held| *held != card);
        self.table.push((self.player, card));
        self.player = (self.player + 1) % PLAYERS;
        if self.table.len() == usize::from(PLAYERS) {
            self.player = self.winner();
            self.won[usize::from(self.player)] += 1;
            self.table.clear();
        }
    }

    fn reward(&self, player: Player) -> f64 {
        f64::from(self.won[usize::from(player)]) / f64::from(HAND)
    }
}
