//! Oshi-Zumo: both players bid coins to push a wrestler, at the same time.

use ramure::{GameState, HiddenInformation, Player, Rng, Turn};
use std::fmt;

/// A position of Oshi-Zumo, also known as Alesia and Oshizumo.
///
/// Each player has N coins. A wrestler stands in the middle of 2K + 1 places. In each step, both bid at least
/// M coins, at the same time. A player who has fewer bids all of them. Both bids are spent. The wrestler goes
/// one place towards the player who has bid less. The game ends when the wrestler is pushed off the places,
/// or when nobody has coins. The player on whose half the wrestler is then loses. In the middle it is a draw.
///
/// Player 0 pushes towards greater places. It bids first, and [`apply`](GameState::apply) keeps the bid back
/// until player 1 has bid ([`GameState::is_simultaneous`]).
///
/// **Source:** Kotani, *Oshi-Zumo*; Buro, *Solving the Oshi-Zumo game*, 2003.
///
/// ```
/// use ramure::GameState;
/// use ramure_lab::games::OshiZumo;
///
/// let mut game = OshiZumo::new(5, 2, 1)?;
/// game.apply(3);
/// assert_eq!(game.to_string(), "[. . # . .] coins 5 and 5, player 0 has bid");
/// game.apply(1);
/// assert_eq!(game.to_string(), "[. . . # .] coins 2 and 4");
/// # Ok::<(), ramure_lab::games::oshi_zumo::OshiZumoError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct OshiZumo {
    coins: [u8; 2],
    /// The place of the wrestler, from -K - 1 to K + 1.
    place: i8,
    /// The bid of player 0, until player 1 has bid.
    bid: Option<u8>,
    size: i8,
    least: u8,
}

/// The greatest K.
pub const MOST_SIZE: u8 = 100;

/// A parameter of [`OshiZumo`] that is out of its range.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OshiZumoError {
    /// There must be coins.
    #[error("Oshi-Zumo with 0 coins: choose 1 to 255")]
    Coins,
    /// K, the number of places on each side of the middle, must be 1 to [`MOST_SIZE`].
    #[error("Oshi-Zumo with {size} places on each side: choose 1 to {MOST_SIZE}")]
    Size {
        /// The number given.
        size: u8,
    },
    /// The least bid must be at least 1, so that every game ends, and at most the number of coins.
    #[error("a least bid of {least} coins: choose 1 to {coins}, the number of coins")]
    LeastBid {
        /// The bid given.
        least: u8,
        /// The number of coins.
        coins: u8,
    },
}

ramure::debug_as_sentence!(OshiZumoError);

impl OshiZumo {
    /// Creates a game with N = `coins`, K = `size` and M = `least_bid`.
    ///
    /// # Errors
    ///
    /// Returns an [`OshiZumoError`] if a parameter is out of its range.
    pub fn new(coins: u8, size: u8, least_bid: u8) -> Result<Self, OshiZumoError> {
        if coins == 0 {
            return Err(OshiZumoError::Coins);
        }
        if !(1..=MOST_SIZE).contains(&size) {
            return Err(OshiZumoError::Size { size });
        }
        if !(1..=coins).contains(&least_bid) {
            return Err(OshiZumoError::LeastBid { least: least_bid, coins });
        }
        Ok(OshiZumo { coins: [coins; 2], place: 0, bid: None, size: size as i8, least: least_bid })
    }

    /// Returns the coins of both players.
    pub fn coins(&self) -> [u8; 2] {
        self.coins
    }

    /// Returns the place of the wrestler, from -K - 1 to K + 1: above 0 on the half of player 1.
    pub fn place(&self) -> i8 {
        self.place
    }

    /// The least and the greatest bid of the player to move.
    fn bids(&self) -> (u8, u8) {
        let coins = self.coins[usize::from(self.bid.is_some())];
        (self.least.min(coins), coins)
    }
}

impl GameState for OshiZumo {
    type Action = u8;

    #[inline]
    fn turn(&self) -> Turn {
        if self.place.abs() > self.size || self.coins == [0; 2] {
            Turn::Over
        } else {
            Turn::Player(self.bid.is_some().into())
        }
    }

    #[inline]
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        let (least, most) = self.bids();
        let count = if self.turn() == Turn::Over { 0 } else { usize::from(most - least) + 1 };
        (least..=most).take(count)
    }

    #[inline]
    fn apply(&mut self, bid: u8) {
        let Some(first) = self.bid.take() else {
            self.bid = Some(bid);
            return;
        };
        self.coins[0] -= first;
        self.coins[1] -= bid;
        self.place += first.cmp(&bid) as i8;
    }

    fn reward(&self, player: Player) -> f64 {
        let of_first = f64::from(self.place.signum() + 1) / 2.0;
        if player == 0 { of_first } else { 1.0 - of_first }
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng) -> Option<u8> {
        let (least, most) = self.bids();
        (self.turn() != Turn::Over).then(|| least + rng.below(usize::from(most - least) + 1) as u8)
    }

    #[inline]
    fn is_simultaneous(&self) -> bool {
        self.turn() != Turn::Over
    }
}

impl HiddenInformation for OshiZumo {
    /// Player 1 has not seen the bid of player 0 when it bids. Each bid is equally likely.
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        if observer == 1 && self.bid.is_some() {
            self.bid = OshiZumo { bid: None, ..*self }.random_action(rng);
        }
    }
}

impl fmt::Display for OshiZumo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = self.size + 1;
        for place in -end..=end {
            let mark = if place == self.place { "#" } else { "." };
            match place {
                _ if place == -end => f.write_str(if place == self.place { "# [" } else { "[" })?,
                _ if place == end => f.write_str(if place == self.place { "] #" } else { "]" })?,
                _ if place == 1 - end => f.write_str(mark)?,
                _ => write!(f, " {mark}")?,
            }
        }
        write!(f, " coins {} and {}", self.coins[0], self.coins[1])?;
        if self.bid.is_some() { f.write_str(", player 0 has bid") } else { Ok(()) }
    }
}

impl fmt::Debug for OshiZumo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")?;
        match self.bid {
            Some(bid) => write!(f, " {bid}"),
            None => Ok(()),
        }
    }
}
