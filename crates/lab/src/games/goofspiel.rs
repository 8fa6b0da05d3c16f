//! Goofspiel: both players bid cards for prizes, at the same time.

use super::sets::{draw, members};
use ramure::{GameState, HiddenInformation, Player, Rng, Turn};
use std::fmt;

/// The order in which the prizes are bid for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Prizes {
    /// From the greatest to the least.
    Descending,
    /// From the least to the greatest.
    Ascending,
    /// Chance draws the next prize before each bid.
    Drawn,
}

/// The worth of points at the end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Scoring {
    /// A win is worth 1, a draw 1/2, a loss 0.
    Win,
    /// 1/2 plus half of the difference in points as a share of all points, between 0 and 1.
    Difference,
}

/// A position of Goofspiel for two players.
///
/// Each player has the cards 1 to n, and there are n prizes worth 1 to n points. In each step, both bid a
/// card for one prize, at the same time, and then show it. The greater card wins the points. After a tie,
/// nobody gets the prize. Used cards are gone.
///
/// Player 0 bids first, and [`apply`](GameState::apply) keeps the bid back until player 1 has bid
/// ([`GameState::is_simultaneous`]).
///
/// **Source:** Ross, *Goofspiel: the game of pure strategy*, 1971; the variants are those of Lisý, Lanctot
/// and Bowling 2015.
///
/// ```
/// use ramure::GameState;
/// use ramure_lab::games::goofspiel::{Goofspiel, Prizes, Scoring};
///
/// let mut game = Goofspiel::new(4, Prizes::Descending, Scoring::Win)?;
/// let bid = |game: &Goofspiel, place| game.actions().into_iter().nth(place).expect("so many cards");
/// game.apply(bid(&game, 0)); // player 0 bids 1 for 4
/// game.apply(bid(&game, 1)); // player 1 bids 2 for 4
/// assert_eq!(game.points(), [0, 4]);
/// assert_eq!(game.to_string(), "prize 3, then 2 1\nplayer 0:  0 points, cards 2 3 4\nplayer 1:  4 points, cards 1 3 4");
/// # Ok::<(), ramure_lab::games::goofspiel::CardsError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Goofspiel {
    /// The cards of each player, as bits from 1.
    hands: [u16; 2],
    /// The prizes that were not bid for, without the current one.
    prizes: u16,
    /// The current prize; 0 if chance must draw one, or at the end.
    prize: u8,
    /// The bid of player 0, until player 1 has bid.
    bid: Option<u8>,
    points: [u8; 2],
    cards: u8,
    order: Prizes,
    scoring: Scoring,
}

/// The greatest number of cards: a suit.
pub const MOST_CARDS: u8 = 13;

/// A number of cards that is not 1 to [`MOST_CARDS`].
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq)]
#[error("Goofspiel with {cards} cards: choose 1 to {MOST_CARDS}")]
pub struct CardsError {
    /// The number of cards.
    pub cards: u8,
}

ramure::debug_as_sentence!(CardsError);

impl Goofspiel {
    /// Creates a game with the cards 1 to `cards`.
    ///
    /// # Errors
    ///
    /// Returns a [`CardsError`] if `cards` is not 1 to [`MOST_CARDS`].
    pub fn new(cards: u8, order: Prizes, scoring: Scoring) -> Result<Self, CardsError> {
        if !(1..=MOST_CARDS).contains(&cards) {
            return Err(CardsError { cards });
        }
        let all = (1 << (cards + 1)) - 2;
        let mut game = Goofspiel {
            hands: [all; 2],
            prizes: all,
            prize: 0,
            bid: None,
            points: [0; 2],
            cards,
            order,
            scoring,
        };
        game.next_prize();
        Ok(game)
    }

    /// Returns the points of both players.
    pub fn points(&self) -> [u8; 2] {
        self.points
    }

    /// Returns the prize that is bid for; `None` if chance must draw it, or if the game is over.
    pub fn prize(&self) -> Option<u8> {
        (self.prize > 0).then_some(self.prize)
    }

    /// Returns the cards of `player`, in ascending order.
    pub fn hand(&self, player: Player) -> impl Iterator<Item = u8> {
        members(self.hands.get(usize::from(player)).copied().unwrap_or(0))
    }

    fn next_prize(&mut self) {
        self.prize = match self.order {
            _ if self.prizes == 0 => 0,
            Prizes::Descending => 15 - self.prizes.leading_zeros() as u8,
            Prizes::Ascending => self.prizes.trailing_zeros() as u8,
            Prizes::Drawn => 0,
        };
        if self.prize > 0 {
            self.prizes &= !(1 << self.prize);
        }
    }

    /// The cards among which the player to move or chance chooses.
    fn choices(&self) -> u16 {
        match self.turn() {
            Turn::Chance => self.prizes,
            Turn::Player(player) => self.hands[usize::from(player)],
            _ => 0,
        }
    }
}

impl GameState for Goofspiel {
    /// A card, 1 to the number of cards: a bid of a player, or a prize that chance draws.
    type Action = u8;

    #[inline]
    fn turn(&self) -> Turn {
        match (self.prize, self.prizes, self.bid) {
            (0, 0, _) => Turn::Over,
            (0, ..) => Turn::Chance,
            (.., None) => Turn::Player(0),
            (.., Some(_)) => Turn::Player(1),
        }
    }

    #[inline]
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        members(self.choices())
    }

    fn apply(&mut self, card: u8) {
        match (self.turn(), self.bid) {
            (Turn::Chance, _) => {
                self.prize = card;
                self.prizes &= !(1 << card);
            }
            (_, None) => self.bid = Some(card),
            (_, Some(first)) => {
                self.hands[0] &= !(1 << first);
                self.hands[1] &= !(1 << card);
                if first != card {
                    self.points[usize::from(first < card)] += self.prize;
                }
                self.bid = None;
                self.next_prize();
            }
        }
    }

    fn reward(&self, player: Player) -> f64 {
        let own = self.points[usize::from(player & 1)];
        let other = self.points[usize::from(1 - (player & 1))];
        match self.scoring {
            Scoring::Win => f64::from(own.cmp(&other) as i8 + 1) / 2.0,
            Scoring::Difference => {
                let all = f64::from(self.cards) * f64::from(self.cards + 1) / 2.0;
                0.5 + (f64::from(own) - f64::from(other)) / (2.0 * all)
            }
        }
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng) -> Option<u8> {
        draw(self.choices(), rng)
    }

    #[inline]
    fn random_outcome(&self, rng: &mut Rng) -> Option<u8> {
        draw(self.choices(), rng)
    }

    #[inline]
    fn is_legal(&self, card: u8) -> bool {
        card < 16 && self.choices() >> card & 1 == 1
    }

    #[inline]
    fn is_simultaneous(&self) -> bool {
        self.prize > 0
    }
}

impl HiddenInformation for Goofspiel {
    /// Player 1 has not seen the bid of player 0 when it bids. Each card that player 0 has is equally likely.
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        if observer == 1 && self.bid.is_some() {
            self.bid = draw(self.hands[0], rng);
        }
    }
}

impl fmt::Display for Goofspiel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |set: u16, is_up: bool| {
            let mut names: Vec<String> = members(set).map(|card| card.to_string()).collect();
            if !is_up {
                names.reverse();
            }
            if names.is_empty() { "none".to_owned() } else { names.join(" ") }
        };
        match self.turn() {
            Turn::Over => write!(f, "all prizes are gone")?,
            Turn::Chance => write!(f, "chance draws one of the prizes {}", list(self.prizes, true))?,
            _ => write!(
                f,
                "prize {}, then {}",
                self.prize,
                list(self.prizes, self.order != Prizes::Descending)
            )?,
        }
        for player in 0..2 {
            let (points, cards) = (self.points[player], list(self.hands[player], true));
            write!(f, "\nplayer {player}: {points:2} points, cards {cards}")?;
        }
        if self.bid.is_some() {
            write!(f, "\nplayer 0 has bid")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Goofspiel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_string().replace('\n', "; "))?;
        match self.bid {
            Some(card) => write!(f, ": {card}"),
            None => Ok(()),
        }
    }
}
