//! Leduc poker: one card each of a deck of six, one card for all, two rounds of bets.

use ramure::{GameState, HiddenInformation, Player, Rng, Turn};
use std::fmt;

/// An action of Leduc poker.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LeducAction {
    /// Chance deals this card: to player 0, to player 1, then to the table.
    Deal(LeducCard),
    /// The player gives up. Legal after a raise.
    Fold,
    /// The player calls a raise, or checks.
    Call,
    /// The player calls and raises: by 2 chips in the first round, by 4 in the second. Legal twice in a
    /// round.
    Raise,
}

/// A card of Leduc poker: jack, queen or king of one of two suits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LeducCard(u8);

impl LeducCard {
    /// Returns the number, 0 to 5: the jacks, the queens, then the kings.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Returns the rank: 0 for a jack, 1 for a queen, 2 for a king.
    pub fn rank(self) -> u8 {
        self.0 / 2
    }
}

/// A position of Leduc poker.
///
/// Both players pay one chip and get a card of six: three ranks, two suits. There are two rounds of bets, in
/// which player 0 acts first and at most two raises are allowed. Before the second round, a card is turned up
/// for both. A pair with this card wins; otherwise the greater rank wins. Equal ranks share.
///
/// Rewards map the chips won, -13 to 13, to [0, 1]; see [`chips`](Self::chips).
///
/// **Source:** Southey, Bowling et al., *Bayes' bluff: opponent modelling in poker*, 2005.
///
/// ```
/// use ramure::GameState;
/// use ramure_lab::games::Leduc;
///
/// let mut game = Leduc::new();
/// for place in [0, 4, 0, 1, 2] {
///     let action = game.actions().into_iter().nth(place).expect("so many actions");
///     game.apply(action); // two deals, call, raise, raise
/// }
/// assert_eq!(game.to_string(), "Ja 5, Kb 3: call raise raise");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Leduc {
    /// The cards of player 0, of player 1 and of the table, from 1; 0 before they are dealt.
    cards: [u8; 3],
    /// The chips that the players have paid.
    paid: [u8; 2],
    /// The actions of both rounds: two bits each, from 1, the first in the lowest bits.
    line: [u16; 2],
    acted: u8,
    raises: u8,
    in_second: bool,
    folded: Option<Player>,
    suits_matter: bool,
}

const FOLD: u16 = 1;
const CALL: u16 = 2;
const RAISE: u16 = 3;

impl Leduc {
    /// Creates the game before the deal, with six different cards.
    pub fn new() -> Self {
        Leduc {
            cards: [0; 3],
            paid: [1; 2],
            line: [0; 2],
            acted: 0,
            raises: 0,
            in_second: false,
            folded: None,
            suits_matter: true,
        }
    }

    /// Creates the game before the deal, with two equal cards of each rank. Strategies lose nothing, because
    /// the suits are worth nothing, and there are fewer information sets: 288 instead of 936.
    pub fn by_rank() -> Self {
        Leduc { suits_matter: false, ..Leduc::new() }
    }

    /// Returns the chips that `player` has won; a loss is negative. Meaningful if the game is over.
    pub fn chips(&self, player: Player) -> i32 {
        let [first, second, table] = self.cards.map(|card| card.saturating_sub(1) / 2);
        let strength = |rank| if rank == table { 3 } else { rank };
        let of_first = match self.folded {
            Some(0) => -i32::from(self.paid[0]),
            Some(_) => i32::from(self.paid[1]),
            None => i32::from(self.paid[0]) * (strength(first).cmp(&strength(second)) as i32),
        };
        if player == 0 { of_first } else { -of_first }
    }

    /// Returns the card of `player`; `None` before it is dealt.
    pub fn card(&self, player: Player) -> Option<LeducCard> {
        self.cards[..2].get(usize::from(player))?.checked_sub(1).map(LeducCard)
    }

    /// Returns the card on the table; `None` before it is turned up.
    pub fn table(&self) -> Option<LeducCard> {
        self.cards[2].checked_sub(1).map(LeducCard)
    }

    /// Returns the chips that each player has paid.
    pub fn paid(&self) -> [u8; 2] {
        self.paid
    }

    fn dealt(&self) -> usize {
        self.cards.into_iter().filter(|&card| card > 0).count()
    }

    /// Whether both have acted and none is to answer a raise.
    fn round_is_over(&self) -> bool {
        self.acted >= 2 && self.paid[0] == self.paid[1]
    }

    /// The number of cards like `card` that are not among `seen`.
    fn left(&self, card: u8, seen: &[u8]) -> usize {
        let copies = match (self.suits_matter, card % 2) {
            (true, _) => 1,
            (false, 0) => 2,
            (false, _) => 0,
        };
        copies - seen.iter().filter(|&&other| other == card + 1).count()
    }
}

impl Default for Leduc {
    fn default() -> Self {
        Self::new()
    }
}

impl GameState for Leduc {
    type Action = LeducAction;

    #[inline]
    fn turn(&self) -> Turn {
        if self.dealt() < 2 + usize::from(self.in_second) {
            Turn::Chance
        } else if self.folded.is_some() || self.round_is_over() {
            Turn::Over
        } else {
            Turn::Player(self.acted % 2)
        }
    }

    fn actions(&self) -> impl IntoIterator<Item = LeducAction> {
        let mut all = [None; 6];
        match self.turn() {
            Turn::Chance => {
                all = [0, 1, 2, 3, 4, 5].map(|card| {
                    (self.left(card, &self.cards) > 0).then_some(LeducAction::Deal(LeducCard(card)))
                });
            }
            Turn::Player(_) => {
                all[0] = (self.paid[0] != self.paid[1]).then_some(LeducAction::Fold);
                all[1] = Some(LeducAction::Call);
                all[2] = (self.raises < 2).then_some(LeducAction::Raise);
            }
            _ => {}
        }
        all.into_iter().flatten()
    }

    fn apply(&mut self, action: LeducAction) {
        let player = usize::from(self.acted % 2);
        let code = match action {
            LeducAction::Deal(card) => {
                self.cards[self.dealt()] = card.0 + 1;
                return;
            }
            LeducAction::Fold => FOLD,
            LeducAction::Call => CALL,
            LeducAction::Raise => RAISE,
        };
        self.line[usize::from(self.in_second)] |= code << (2 * self.acted);
        self.acted += 1;
        match code {
            FOLD => self.folded = Some(player as Player),
            CALL => self.paid[player] = self.paid[1 - player],
            _ => {
                self.paid[player] = self.paid[1 - player] + if self.in_second { 4 } else { 2 };
                self.raises += 1;
            }
        }
        if code != FOLD && self.round_is_over() && !self.in_second {
            (self.in_second, self.acted, self.raises) = (true, 0, 0);
        }
    }

    fn reward(&self, player: Player) -> f64 {
        f64::from(self.chips(player) + 13) / 26.0
    }

    fn probability(&self, outcome: LeducAction) -> f64 {
        let LeducAction::Deal(card) = outcome else { return 0.0 };
        self.left(card.0, &self.cards) as f64 / (6 - self.dealt()) as f64
    }
}

impl HiddenInformation for Leduc {
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        let other = usize::from(1 - observer);
        if self.cards[other] == 0 {
            return;
        }
        let seen = [self.cards[usize::from(observer)], self.cards[2]];
        let unseen = (0..6).flat_map(|card| std::iter::repeat_n(card, self.left(card, &seen)));
        self.cards[other] = unseen.clone().nth(rng.below(unseen.count())).map_or(0, |card| card + 1);
    }

    fn observe(&self, action: LeducAction, observer: Player) -> Option<LeducAction> {
        let is_dealt_to_other =
            matches!(action, LeducAction::Deal(_)) && self.dealt() == usize::from(1 - observer);
        (!is_dealt_to_other).then_some(action)
    }

    fn private_knowledge(&self, player: Player) -> impl IntoIterator<Item = LeducAction> {
        self.card(player).map(LeducAction::Deal)
    }
}

impl fmt::Display for LeducCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", ['J', 'Q', 'K'][usize::from(self.rank()) % 3], ['a', 'b'][usize::from(self.0 % 2)])
    }
}

impl fmt::Display for LeducAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LeducAction::Deal(card) => write!(f, "deal {card}"),
            LeducAction::Fold => f.write_str("fold"),
            LeducAction::Call => f.write_str("call"),
            LeducAction::Raise => f.write_str("raise"),
        }
    }
}

impl fmt::Display for Leduc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |card: u8| if card == 0 { "?".to_owned() } else { LeducCard(card - 1).to_string() };
        let [first, second, table] = self.cards.map(name);
        write!(f, "{first} {}, {second} {}:", self.paid[0], self.paid[1])?;
        for (round, mut line) in self.line.into_iter().enumerate() {
            if round == 1 && self.in_second {
                write!(f, "; {table}:")?;
            }
            while line > 0 {
                write!(f, " {}", ["", "fold", "call", "raise"][usize::from(line % 4)])?;
                line /= 4;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Leduc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suits = if self.suits_matter { "" } else { " (by rank)" };
        write!(f, "{self}{suits}")
    }
}
