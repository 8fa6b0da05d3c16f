//! Kuhn poker: one card each of a deck of three, one bet.

use super::debug_as_display;
use ramure::{GameState, HiddenInformation, Player, Rng, Turn};
use std::fmt;

/// An action of Kuhn poker.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KuhnAction {
    /// Chance deals this card, 0 (jack) to 2 (king), to the next player.
    Deal(u8),
    /// The player passes: checks, or folds after a bet.
    Pass,
    /// The player bets one chip, or calls a bet.
    Bet,
}

/// A position of Kuhn poker.
///
/// Both players pay one chip. Chance deals each of them a card of three, first to player 0. Player 0 bets one
/// chip or passes. After a bet, the other player calls or folds. If player 0 passes, player 1 may bet, too.
/// Unless a player has folded, the greater card wins.
///
/// Rewards map the chips won, -2 to 2, to [0, 1]; see [`chips`](Self::chips). The value of the game is -1/18
/// chips for player 0.
///
/// **Source:** Kuhn, *A simplified two-person poker*, 1950.
///
/// ```
/// use ramure::GameState;
/// use ramure_lab::games::Kuhn;
/// use ramure_lab::games::kuhn::KuhnAction::{Bet, Deal, Pass};
///
/// let mut game = Kuhn::new();
/// for action in [Deal(1), Deal(2), Bet, Bet] {
///     game.apply(action);
/// }
/// assert_eq!(game.to_string(), "Q against K: bet, bet");
/// assert_eq!((game.chips(0), game.reward(0)), (-2, 0.0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Kuhn {
    /// The cards, 1 to 3; 0 before they are dealt.
    cards: [u8; 2],
    /// Whether each action so far was a bet, as bits.
    bets: u8,
    acted: u8,
}

const NAMES: [char; 4] = ['?', 'J', 'Q', 'K'];

impl Kuhn {
    /// Creates the game before the deal.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the chips that `player` has won; a loss is negative. Meaningful if the game is over.
    pub fn chips(&self, player: Player) -> i32 {
        let [first, second] = self.cards;
        let shows = if first > second { 1 } else { -1 };
        let of_first = match (self.acted, self.bets) {
            (2, 0b00) => shows,     // pass, pass
            (2, 0b01) => 1,         // bet, fold
            (2, 0b11) => 2 * shows, // bet, call
            (3, 0b010) => -1,       // pass, bet, fold
            _ => 2 * shows,         // pass, bet, call
        };
        if player == 0 { of_first } else { -of_first }
    }

    /// Returns the card of `player`, 0 (jack) to 2 (king); `None` before it is dealt.
    pub fn card(&self, player: Player) -> Option<u8> {
        self.cards.get(usize::from(player))?.checked_sub(1)
    }

    /// Returns whether each action of the players so far was a bet.
    pub fn bets(&self) -> impl Iterator<Item = bool> {
        let bets = self.bets;
        (0..self.acted).map(move |action| bets >> action & 1 == 1)
    }

    fn dealt(&self) -> u8 {
        self.cards.into_iter().filter(|&card| card > 0).count() as u8
    }
}

impl GameState for Kuhn {
    type Action = KuhnAction;

    #[inline]
    fn turn(&self) -> Turn {
        match (self.dealt(), self.acted, self.bets) {
            (0 | 1, ..) => Turn::Chance,
            (_, 0, _) => Turn::Player(0),
            (_, 1, _) => Turn::Player(1),
            (_, 2, 0b10) => Turn::Player(0),
            _ => Turn::Over,
        }
    }

    fn actions(&self) -> impl IntoIterator<Item = KuhnAction> {
        let all = match self.turn() {
            Turn::Chance => {
                [0, 1, 2].map(|card| Some(KuhnAction::Deal(card)).filter(|_| card + 1 != self.cards[0]))
            }
            Turn::Player(_) => [Some(KuhnAction::Pass), Some(KuhnAction::Bet), None],
            _ => [None; 3],
        };
        all.into_iter().flatten()
    }

    fn apply(&mut self, action: KuhnAction) {
        match action {
            KuhnAction::Deal(card) => self.cards[usize::from(self.dealt())] = card + 1,
            KuhnAction::Pass => self.acted += 1,
            KuhnAction::Bet => {
                self.bets |= 1 << self.acted;
                self.acted += 1;
            }
        }
    }

    fn reward(&self, player: Player) -> f64 {
        f64::from(self.chips(player) + 2) / 4.0
    }
}

impl HiddenInformation for Kuhn {
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        let other = usize::from(1 - observer);
        if self.cards[other] == 0 {
            return;
        }
        let own = self.cards[usize::from(observer)];
        let unseen = (1..=3).filter(|&card| card != own);
        self.cards[other] = unseen.clone().nth(rng.below(unseen.count())).unwrap_or(0);
    }

    fn observe(&self, action: KuhnAction, observer: Player) -> Option<KuhnAction> {
        let is_dealt_to_other = matches!(action, KuhnAction::Deal(_)) && self.dealt() != observer;
        (!is_dealt_to_other).then_some(action)
    }

    fn private_knowledge(&self, player: Player) -> impl IntoIterator<Item = KuhnAction> {
        self.card(player).map(KuhnAction::Deal)
    }
}

impl fmt::Display for KuhnAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KuhnAction::Deal(card) => write!(f, "deal {}", NAMES[usize::from(card + 1)]),
            KuhnAction::Pass => f.write_str("pass"),
            KuhnAction::Bet => f.write_str("bet"),
        }
    }
}

impl fmt::Display for Kuhn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = self.cards.map(|card| NAMES[usize::from(card)]);
        write!(f, "{first} against {second}")?;
        for action in 0..self.acted {
            let name = if self.bets >> action & 1 == 1 { "bet" } else { "pass" };
            write!(f, "{} {name}", if action == 0 { ":" } else { "," })?;
        }
        Ok(())
    }
}

debug_as_display!(Kuhn);
