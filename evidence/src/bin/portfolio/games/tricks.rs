//! A trick-taking game of three players with open hands. Chance deals eight cards to each; the reward is the
//! share of the tricks.

use ramure::{ActionIndex, GameState, Player, Rng, Turn};

/// A deal, or a card: a suit of three and a rank of eight.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TrickAction {
    Deal(u8),
    Card(u8),
}

const PLAYERS: u8 = 3;
const RANKS: u8 = 8;

/// The cards of a suit as a set.
const SUIT: u32 = (1 << RANKS) - 1;

/// Players follow the suit that was led, if they can. The first suit is trumps. The highest trump takes the
/// trick, or else the highest card of the suit that was led.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tricks {
    /// The hands as sets of cards; all empty before the deal and after the last trick.
    hands: [u32; PLAYERS as usize],
    /// The cards on the table, in the order of play.
    table: [u8; PLAYERS as usize],
    on_table: u8,
    won: [u8; PLAYERS as usize],
    player: Player,
    is_dealt: bool,
}

impl Tricks {
    /// Returns the state before the deal.
    pub fn new() -> Self {
        Tricks { hands: [0; 3], table: [0; 3], on_table: 0, won: [0; 3], player: 0, is_dealt: false }
    }

    fn deal(&mut self, number: u8) {
        let mut cards: [u8; 24] = std::array::from_fn(|card| card as u8);
        Rng::seeded(number.into()).shuffle(&mut cards);
        for (place, card) in cards.into_iter().enumerate() {
            self.hands[place % 3] |= 1 << card;
        }
        self.is_dealt = true;
    }

    /// The cards that the player to move may play.
    fn legal(&self) -> u32 {
        let hand = self.hands[usize::from(self.player)];
        if self.on_table == 0 {
            return hand;
        }
        let follow = hand & SUIT << (self.table[0] / RANKS * RANKS);
        if follow == 0 { hand } else { follow }
    }
}

impl GameState for Tricks {
    type Action = TrickAction;

    fn players(&self) -> u8 {
        PLAYERS
    }

    fn turn(&self) -> Turn {
        if !self.is_dealt {
            Turn::Chance
        } else if self.hands == [0; 3] {
            Turn::Over
        } else {
            Turn::Player(self.player)
        }
    }

    fn actions(&self) -> impl IntoIterator<Item = TrickAction> {
        let deals = if self.is_dealt { 0..0 } else { 0..200 };
        let legal = if self.is_dealt { self.legal() } else { 0 };
        deals
            .map(TrickAction::Deal)
            .chain((0..24).filter(move |card| legal >> card & 1 == 1).map(TrickAction::Card))
    }

    fn apply(&mut self, action: TrickAction) {
        let card = match action {
            TrickAction::Deal(number) => return self.deal(number),
            TrickAction::Card(card) => card,
        };
        self.hands[usize::from(self.player)] &= !(1 << card);
        self.table[usize::from(self.on_table)] = card;
        self.on_table += 1;
        self.player = (self.player + 1) % PLAYERS;
        if self.on_table == PLAYERS {
            let led = self.table[0] / RANKS;
            let strength = |card: u8| match card / RANKS {
                0 => 2 * RANKS + card,
                suit if suit == led => RANKS + card % RANKS,
                _ => 0,
            };
            let best = (0..3_u8).max_by_key(|&place| strength(self.table[usize::from(place)])).unwrap_or(0);
            // The player to move led this trick.
            self.player = (self.player + best) % PLAYERS;
            self.won[usize::from(self.player)] += 1;
            (self.table, self.on_table) = ([0; 3], 0);
        }
    }

    fn reward(&self, player: Player) -> f64 {
        f64::from(self.won[usize::from(player)]) / f64::from(RANKS)
    }
}

impl ActionIndex for Tricks {
    const ACTION_COUNT: usize = 224;

    fn action_index(action: TrickAction) -> usize {
        match action {
            TrickAction::Card(card) => card.into(),
            TrickAction::Deal(number) => 24 + usize::from(number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ramure_rules::check;

    /// The same game with lists of cards, each a suit and a rank.
    #[derive(Clone, Debug, Default)]
    struct Plain {
        hands: Vec<Vec<(u8, u8)>>,
        table: Vec<(Player, (u8, u8))>,
        won: Vec<Player>,
        player: Player,
    }

    impl GameState for Plain {
        type Action = TrickAction;

        fn players(&self) -> u8 {
            3
        }
        fn turn(&self) -> Turn {
            if self.hands.is_empty() {
                Turn::Chance
            } else if self.won.len() == 8 {
                Turn::Over
            } else {
                Turn::Player(self.player)
            }
        }
        fn actions(&self) -> impl IntoIterator<Item = TrickAction> {
            if self.hands.is_empty() {
                return (0..200).map(TrickAction::Deal).collect::<Vec<_>>();
            }
            let mut hand = self.hands[usize::from(self.player)].clone();
            let led = self.table.first().map(|(_, card)| card.0);
            if hand.iter().any(|card| Some(card.0) == led) {
                hand.retain(|card| Some(card.0) == led);
            }
            hand.sort();
            hand.into_iter().map(|(suit, rank)| TrickAction::Card(8 * suit + rank)).collect()
        }
        fn apply(&mut self, action: TrickAction) {
            match action {
                TrickAction::Deal(number) => {
                    let mut cards: Vec<(u8, u8)> = (0..24).map(|card| (card / 8, card % 8)).collect();
                    Rng::seeded(number.into()).shuffle(&mut cards);
                    self.hands =
                        (0..3).map(|hand| cards.iter().copied().skip(hand).step_by(3).collect()).collect();
                }
                TrickAction::Card(card) => {
                    let card = (card / 8, card % 8);
                    self.hands[usize::from(self.player)].retain(|held| *held != card);
                    self.table.push((self.player, card));
                    self.player = (self.player + 1) % 3;
                    if self.table.len() < 3 {
                        return;
                    }
                    let led = self.table[0].1.0;
                    let suit = if self.table.iter().any(|(_, card)| card.0 == 0) { 0 } else { led };
                    let taking = self.table.iter().filter(|(_, card)| card.0 == suit);
                    self.player = taking.max_by_key(|(_, card)| card.1).expect("the card led").0;
                    self.won.push(self.player);
                    self.table.clear();
                }
            }
        }
        fn reward(&self, player: Player) -> f64 {
            self.won.iter().filter(|winner| **winner == player).count() as f64 / 8.0
        }
    }

    #[test]
    fn tricks_keeps_the_laws_and_equals_its_twin() {
        check(Tricks::new())
            .indices()
            .constant_sum(1.0)
            .twin(Plain::default())
            .games(200)
            .run()
            .expect("the laws");
    }
}
