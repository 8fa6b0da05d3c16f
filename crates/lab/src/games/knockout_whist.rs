//! Knockout Whist: tricks with trumps; a player without a trick is out.

use super::debug_as_display;
use super::sets::{draw, members};
use crate::several::joined;
use ramure::{ActionIndex, GameState, HiddenInformation, MAX_PLAYERS, Player, Rng, Turn};
use std::fmt;

/// A card, 0 to 51: four suits of thirteen ranks, from 2 to the ace.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Card(u8);

/// A suit, 0 to 3: clubs, diamonds, hearts, spades.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Suit(u8);

impl Card {
    /// Returns the suit.
    pub fn suit(self) -> Suit {
        Suit(self.0 / 13)
    }

    /// Returns the rank: 0 for a two, 12 for an ace.
    pub fn rank(self) -> u8 {
        self.0 % 13
    }
}

/// An action of Knockout Whist.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WhistAction {
    /// Chance deals this card to the next player. Only this player sees it.
    Deal(Card),
    /// Chance chooses the trump suit of this hand.
    Trump(Suit),
    /// The player plays this card.
    Play(Card),
}

/// A position of Knockout Whist for 2 to 7 players.
///
/// In the first hand each player gets seven cards, and in each hand after it one card less. A suit drawn at
/// random is trump. The first player leads a card. The others play a card each, of the same suit if they can.
/// The highest trump wins the trick, or, if there is none, the highest card of the suit that was led. The
/// winner leads to the next trick. Players who win no trick in a hand are out. The winner of the last trick
/// leads to the first trick of the next hand. The last player left wins: the reward is 1 for this player and
/// 0 for all others.
///
/// # Guesses
///
/// A player sees its own cards, all cards played in this hand, and who could not follow suit. All deals that
/// agree with this are equally likely, to within the limits that
/// [`determinize`](HiddenInformation::determinize) states. The tutorial code forgets who could not follow
/// suit.
///
/// **Source:** the rules are those of the code of Cowling, Powley and Whitehouse for *Information Set Monte
/// Carlo Tree Search*, 2012 (`ISMCTS.py`). There, too, chance chooses the trumps, and nobody gets a second
/// chance.
///
/// ```
/// use ramure::{GameState, Rng, Turn};
/// use ramure_lab::games::KnockoutWhist;
///
/// let game = KnockoutWhist::dealt(3, &mut Rng::seeded(7))?;
/// assert_eq!(game.turn(), Turn::Player(0));
/// assert_eq!(game.actions().into_iter().count(), 7);
/// println!("{}", game.view(0)); // the own hand and the trick
/// # Ok::<(), ramure_lab::games::knockout_whist::PlayersError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct KnockoutWhist {
    /// The cards of each player, as bits.
    hands: [u64; MOST],
    /// The cards played in this hand, with those of the current trick.
    played: u64,
    /// The current trick: the cards in their order.
    trick: [u8; MOST],
    /// For each player, the suits that all know it lacks, as bits.
    lacks: [u8; MOST],
    won: [u8; MOST],
    /// The players who are out, as bits.
    out: u8,
    players: u8,
    /// The number of tricks in this hand.
    tricks: u8,
    in_trick: u8,
    /// The player who has led or leads.
    leader: u8,
    to_move: u8,
    phase: Phase,
    trump: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Phase {
    Deal,
    Trump,
    Play,
    Over,
}

/// The greatest number of players: seven hands of seven cards are 49.
pub const MOST_PLAYERS: u8 = 7;

const MOST: usize = MOST_PLAYERS as usize;
const _: () = assert!(MOST <= MAX_PLAYERS);
const DECK: u64 = (1 << 52) - 1;
const SUIT: u64 = (1 << 13) - 1;

/// A number of players that is not 2 to [`MOST_PLAYERS`].
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq)]
#[error("Knockout Whist for {players} players: choose 2 to {MOST_PLAYERS}")]
pub struct PlayersError {
    /// The number of players.
    pub players: u8,
}

ramure::debug_as_sentence!(PlayersError);

fn of_suit(suit: u8) -> u64 {
    SUIT << (13 * suit)
}

/// Draws `count` members of a set; all, if there are fewer.
fn draw_many(set: u64, count: u32, rng: &mut Rng) -> u64 {
    let mut left = set;
    for _ in 0..count {
        let Some(card) = draw(left, rng) else { break };
        left &= !(1 << card);
    }
    set & !left
}

impl KnockoutWhist {
    /// Creates a game before the first deal, in which player 0 will lead.
    ///
    /// # Errors
    ///
    /// Returns a [`PlayersError`] if there are not 2 to [`MOST_PLAYERS`] players.
    pub fn new(players: u8) -> Result<Self, PlayersError> {
        if !(2..=MOST_PLAYERS).contains(&players) {
            return Err(PlayersError { players });
        }
        Ok(KnockoutWhist {
            hands: [0; MOST],
            played: 0,
            trick: [0; MOST],
            lacks: [0; MOST],
            won: [0; MOST],
            out: 0,
            players,
            tricks: 7,
            in_trick: 0,
            leader: 0,
            to_move: 0,
            phase: Phase::Deal,
            trump: 0,
        })
    }

    /// Creates a game after a random first deal, in which player 0 leads.
    ///
    /// # Errors
    ///
    /// Returns a [`PlayersError`] if there are not 2 to [`MOST_PLAYERS`] players.
    pub fn dealt(players: u8, rng: &mut Rng) -> Result<Self, PlayersError> {
        let mut game = KnockoutWhist::new(players)?;
        while game.turn() == Turn::Chance {
            let Some(outcome) = game.random_outcome(rng) else { break };
            game.apply(outcome);
        }
        Ok(game)
    }

    /// Returns the cards of `player`.
    pub fn hand(&self, player: Player) -> impl Iterator<Item = Card> {
        members(self.hands.get(usize::from(player)).copied().unwrap_or(0)).map(Card)
    }

    /// Returns the trump suit; `None` before it is chosen, and at the end.
    pub fn trump(&self) -> Option<Suit> {
        (self.phase == Phase::Play).then_some(Suit(self.trump))
    }

    /// Returns the cards of the current trick in the order in which they were played, with their players.
    pub fn trick(&self) -> impl Iterator<Item = (Player, Card)> {
        let next = |player: &Player| Some(self.after(*player));
        let players = std::iter::successors(Some(self.leader), next);
        players.zip(&self.trick[..usize::from(self.in_trick)]).map(|(player, &card)| (player, Card(card)))
    }

    /// Returns whether `player` is out.
    pub fn is_out(&self, player: Player) -> bool {
        player >= self.players || self.out >> player & 1 == 1
    }

    /// Returns the number of tricks that `player` has won in this hand.
    pub fn tricks_won(&self, player: Player) -> u8 {
        self.won.get(usize::from(player)).copied().unwrap_or(0)
    }

    /// Returns the suits that `player` lacks, as all can tell.
    pub fn lacks(&self, player: Player) -> impl Iterator<Item = Suit> {
        let lacks = self.lacks.get(usize::from(player)).copied().unwrap_or(0);
        (0..4).filter(move |suit| lacks >> suit & 1 == 1).map(Suit)
    }

    /// Returns the winner; `None` if the game is not over.
    pub fn winner(&self) -> Option<Player> {
        (self.phase == Phase::Over).then_some(self.leader)
    }

    /// Returns all that `player` sees, as text.
    pub fn view(&self, player: Player) -> String {
        let list = |cards: &mut dyn Iterator<Item = Card>| {
            let names = joined(cards, " ");
            if names.is_empty() { "none".to_owned() } else { names }
        };
        let tricks = |count| format!("{count} trick{}", if count == 1 { "" } else { "s" });
        let mut lines = vec![match (self.winner(), self.trump()) {
            (Some(winner), _) => format!("player {winner} has won"),
            (None, None) => format!("the deal of {} cards each", self.tricks),
            (None, Some(trump)) => format!("a hand of {}, trumps are {trump}", tricks(self.tricks)),
        }];
        for other in (0..self.players).filter(|&other| !self.is_out(other)) {
            let mut line = format!("player {other}: {}", tricks(self.tricks_won(other)));
            if other != player && self.lacks(other).next().is_some() {
                line += &format!(", has no {}", joined(self.lacks(other), " "));
            }
            lines.push(line);
        }
        if self.in_trick > 0 {
            lines.push(format!(
                "trick of player {}: {}",
                self.leader,
                list(&mut self.trick().map(|(_, card)| card))
            ));
        }
        let before = self.played & !self.trick().fold(0, |set, (_, card)| set | 1 << card.0);
        if before != 0 {
            lines.push(format!("played before: {}", list(&mut members(before).map(Card))));
        }
        lines.push(format!("your hand: {}", list(&mut self.hand(player))));
        lines.join("\n")
    }

    /// The player after `player` who is not out.
    #[inline]
    fn after(&self, player: Player) -> Player {
        let mut next = player;
        for _ in 0..self.players {
            next = if next + 1 == self.players { 0 } else { next + 1 };
            if self.out >> next & 1 == 0 {
                break;
            }
        }
        next
    }

    fn remaining(&self) -> u8 {
        self.players - self.out.count_ones() as u8
    }

    /// The cards that the player to move may play.
    #[inline]
    fn playable(&self) -> u64 {
        let hand = self.hands[usize::from(self.to_move)];
        if self.in_trick == 0 {
            return hand;
        }
        let same = hand & of_suit(self.trick[0] / 13);
        if same == 0 { hand } else { same }
    }

    /// The cards that were not dealt.
    fn stock(&self) -> u64 {
        self.hands.iter().fold(DECK, |stock, hand| stock & !hand)
    }

    fn deal(&mut self, card: Card) {
        let player = usize::from(self.to_move);
        self.hands[player] |= 1 << card.0;
        if self.hands[player].count_ones() == u32::from(self.tricks) {
            self.to_move = self.after(self.to_move);
            if self.to_move == self.leader {
                self.phase = Phase::Trump;
            }
        }
    }

    fn play(&mut self, card: Card) {
        let player = usize::from(self.to_move);
        self.hands[player] &= !(1 << card.0);
        self.played |= 1 << card.0;
        self.trick[usize::from(self.in_trick)] = card.0;
        let led = self.trick[0] / 13;
        if card.0 / 13 != led {
            self.lacks[player] |= 1 << led;
        }
        self.in_trick += 1;
        if self.in_trick < self.remaining() {
            self.to_move = self.after(self.to_move);
        } else {
            self.end_trick(led);
        }
    }

    fn end_trick(&mut self, led: u8) {
        let strength = |card: Card| match card.0 / 13 {
            suit if suit == self.trump => 26 + card.rank(),
            suit if suit == led => 13 + card.rank(),
            _ => 0,
        };
        let winner = self.trick().max_by_key(|&(_, card)| strength(card)).map_or(0, |(player, _)| player);
        self.won[usize::from(winner)] += 1;
        (self.leader, self.to_move, self.in_trick, self.trick) = (winner, winner, 0, [0; MOST]);
        if self.hands[usize::from(winner)] == 0 {
            self.end_hand();
        }
    }

    fn end_hand(&mut self) {
        for player in 0..self.players {
            self.out |= u8::from(self.won[usize::from(player)] == 0) << player;
        }
        (self.won, self.lacks, self.played, self.trump) = ([0; MOST], [0; MOST], 0, 0);
        if self.remaining() == 1 {
            self.phase = Phase::Over;
        } else {
            self.tricks -= 1;
            self.phase = Phase::Deal;
        }
    }

    /// The cards that `player` may have, of those in `unseen`.
    fn possible(&self, player: usize, unseen: u64) -> u64 {
        (0..4)
            .filter(|suit| self.lacks[player] >> suit & 1 == 1)
            .fold(unseen, |set, suit| set & !of_suit(suit))
    }
}

impl GameState for KnockoutWhist {
    type Action = WhistAction;

    #[inline]
    fn turn(&self) -> Turn {
        match self.phase {
            Phase::Deal | Phase::Trump => Turn::Chance,
            Phase::Play => Turn::Player(self.to_move),
            Phase::Over => Turn::Over,
        }
    }

    #[inline]
    fn actions(&self) -> impl IntoIterator<Item = WhistAction> {
        let (cards, suits) = match self.phase {
            Phase::Deal => (self.stock(), 0),
            Phase::Trump => (0, 4),
            Phase::Play => (self.playable(), 0),
            Phase::Over => (0, 0),
        };
        let is_deal = self.phase == Phase::Deal;
        let card =
            move |card| if is_deal { WhistAction::Deal(Card(card)) } else { WhistAction::Play(Card(card)) };
        members(cards).map(card).chain((0..suits).map(|suit| WhistAction::Trump(Suit(suit))))
    }

    #[inline]
    fn apply(&mut self, action: WhistAction) {
        match action {
            WhistAction::Deal(card) => self.deal(card),
            WhistAction::Trump(suit) => (self.trump, self.phase) = (suit.0, Phase::Play),
            WhistAction::Play(card) => self.play(card),
        }
    }

    #[inline]
    fn reward(&self, player: Player) -> f64 {
        f64::from(u8::from(self.winner() == Some(player)))
    }

    #[inline]
    fn players(&self) -> u8 {
        self.players
    }

    #[inline]
    fn probability(&self, _: WhistAction) -> f64 {
        match self.phase {
            Phase::Deal => 1.0 / f64::from(self.stock().count_ones()),
            _ => 0.25,
        }
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng) -> Option<WhistAction> {
        draw(self.playable(), rng).map(|card| WhistAction::Play(Card(card)))
    }

    #[inline]
    fn random_outcome(&self, rng: &mut Rng) -> Option<WhistAction> {
        match self.phase {
            Phase::Deal => draw(self.stock(), rng).map(|card| WhistAction::Deal(Card(card))),
            _ => Some(WhistAction::Trump(Suit(rng.below(4) as u8))),
        }
    }

    #[inline]
    fn is_legal(&self, action: WhistAction) -> bool {
        match (action, self.phase) {
            (WhistAction::Deal(card), Phase::Deal) => self.stock() >> card.0 & 1 == 1,
            (WhistAction::Trump(_), Phase::Trump) => true,
            (WhistAction::Play(card), Phase::Play) => self.playable() >> card.0 & 1 == 1,
            _ => false,
        }
    }
}

impl ActionIndex for KnockoutWhist {
    const ACTION_COUNT: usize = 52 + 52 + 4;

    #[inline]
    fn action_index(action: WhistAction) -> usize {
        match action {
            WhistAction::Play(card) => card.0.into(),
            WhistAction::Deal(card) => 52 + usize::from(card.0),
            WhistAction::Trump(suit) => 104 + usize::from(suit.0),
        }
    }
}

/// The most attempts at a deal in which everybody lacks what is known.
const MOST_ATTEMPTS: u32 = 100;

impl HiddenInformation for KnockoutWhist {
    /// Deals the cards that `observer` has not seen anew. With two players, and as long as all follow suit,
    /// all deals are equally likely. Otherwise they are, too, unless a hundred attempts fail, which happens
    /// only if many suits are lacking; then the deal is a random one that agrees with all that is known.
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        let observer = usize::from(observer);
        let own = self.hands.get(observer).copied().unwrap_or(0);
        let unseen = DECK & !self.played & !own;
        // Those who may have the fewest cards come first.
        let mut others = [(0_u32, 0_usize, 0_u64, 0_u32); MOST];
        let mut count = 0;
        for player in (0..usize::from(self.players)).filter(|&player| player != observer) {
            let need = self.hands[player].count_ones();
            if need > 0 {
                let possible = self.possible(player, unseen);
                others[count] = (possible.count_ones(), player, possible, need);
                count += 1;
            }
        }
        let others = &mut others[..count];
        others.sort_unstable();
        for _ in 0..MOST_ATTEMPTS {
            if let Some(hands) = attempt(others, unseen, self.hands, rng) {
                self.hands = hands;
                return;
            }
        }
        self.hands = complete(others, unseen, self.hands, rng);
    }

    fn observe(&self, action: WhistAction, observer: Player) -> Option<WhistAction> {
        let is_dealt_to_other = matches!(action, WhistAction::Deal(_)) && self.to_move != observer;
        (!is_dealt_to_other).then_some(action)
    }
}

/// A player whose hand is guessed: the number of cards that it may have, the player, these cards, and the
/// number that it has.
type Guessed = (u32, usize, u64, u32);

/// Deals to one player after the other. Returns `None` if the attempt fails, or is rejected so that all deals
/// are equally likely.
fn attempt(others: &[Guessed], unseen: u64, mut hands: [u64; MOST], rng: &mut Rng) -> Option<[u64; MOST]> {
    // A deal was drawn with a probability that is inversely proportional to the product of the numbers of
    // choices, so it is accepted in proportion to this product, compared with a bound of it.
    let (mut left, mut dealt, mut acceptance) = (unseen, 0_u32, 1.0);
    for &(all, player, possible, need) in others {
        let choices = possible & left;
        let available = choices.count_ones();
        if available < need {
            return None;
        }
        // At most so many of the cards that were dealt before are impossible for this player.
        let elsewhere = unseen.count_ones() - all;
        let bound = all - dealt.saturating_sub(elsewhere);
        for card in 0..need {
            acceptance *= f64::from(available - card) / f64::from(bound.max(available) - card);
        }
        hands[player] = draw_many(choices, need, rng);
        left &= !hands[player];
        dealt += need;
    }
    (acceptance >= 1.0 || rng.unit() < acceptance).then_some(hands)
}

/// Deals by looking for a card for each place in a hand, and moving cards that were dealt before if there is
/// none left (Kuhn's method for matchings).
fn complete(others: &[Guessed], unseen: u64, mut hands: [u64; MOST], rng: &mut Rng) -> [u64; MOST] {
    let real = hands;
    for &(_, player, ..) in others {
        hands[player] = 0;
    }
    let mut cards: Vec<u8> = members(unseen).collect();
    rng.shuffle(&mut cards);
    for &(_, player, _, need) in others {
        for _ in 0..need {
            if !give(player, others, &cards, &mut hands, &mut 0) {
                return real; // no deal agrees with what is known: the state cannot be reached
            }
        }
    }
    hands
}

/// Gives `player` one card more, if need be one of another player who then gets another.
fn give(player: usize, others: &[Guessed], cards: &[u8], hands: &mut [u64; MOST], tried: &mut u64) -> bool {
    let Some(&(_, _, possible, _)) = others.iter().find(|other| other.1 == player) else { return false };
    for card in cards.iter().filter(|&card| possible >> card & 1 == 1) {
        let bit = 1 << card;
        if *tried & bit != 0 || hands[player] & bit != 0 {
            continue;
        }
        *tried |= bit;
        let owner = others.iter().map(|other| other.1).find(|&other| hands[other] & bit != 0);
        if owner.is_none_or(|owner| give(owner, others, cards, hands, tried)) {
            if let Some(owner) = owner {
                hands[owner] &= !bit;
            }
            hands[player] |= bit;
            return true;
        }
    }
    false
}

impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["clubs", "diamonds", "hearts", "spades"][usize::from(self.0 % 4)])
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rank = b"23456789TJQKA"[usize::from(self.rank())];
        write!(f, "{}{}", rank as char, ['c', 'd', 'h', 's'][usize::from(self.0 / 13 % 4)])
    }
}

debug_as_display!(Card, Suit);

impl fmt::Display for WhistAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WhistAction::Deal(card) => write!(f, "deal {card}"),
            WhistAction::Trump(suit) => write!(f, "trumps are {suit}"),
            WhistAction::Play(card) => fmt::Display::fmt(card, f),
        }
    }
}

impl fmt::Display for KnockoutWhist {
    /// Prints all hands, also those that a player does not see; see [`KnockoutWhist::view`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let view = self.view(MOST_PLAYERS);
        f.write_str(view.trim_end_matches("\nyour hand: none"))?;
        for player in (0..self.players).filter(|&player| !self.is_out(player)) {
            write!(f, "\nhand of player {player}: {}", joined(self.hand(player), " "))?;
        }
        write!(f, "\nplayer {} {}", self.to_move, if self.phase == Phase::Play { "to play" } else { "leads" })
    }
}

impl fmt::Debug for KnockoutWhist {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_string().replace('\n', "; "))
    }
}
