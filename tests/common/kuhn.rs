//! Kuhn poker, and the exact value of strategies in it.

use ramure::prelude::*;
use ramure::{HiddenInformation, Player};

/// Dealt cards and actions: `Deal` is chance's, with a card from 0 to 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Act {
    Deal(u8),
    Pass,
    Bet,
}
use Act::{Bet, Deal, Pass};

/// Each player puts in one chip and gets one of three cards. Both may bet one chip more.
#[derive(Clone, Default, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Kuhn {
    pub cards: Vec<u8>,
    pub acts: Vec<Act>,
}

impl Kuhn {
    /// Returns the chips that player 0 gets from player 1, once the game is over.
    pub fn chips(&self) -> f64 {
        let shows = if self.cards[0] > self.cards[1] { 1.0 } else { -1.0 };
        match self.acts[..] {
            [Pass, Pass] => shows,
            [Bet, Pass] => 1.0,
            [Pass, Bet, Pass] => -1.0,
            _ => 2.0 * shows,
        }
    }
}

impl GameState for Kuhn {
    type Action = Act;

    fn turn(&self) -> Turn {
        match self.acts[..] {
            _ if self.cards.len() < 2 => Turn::Chance,
            [] | [Pass, Bet] => Turn::Player(0),
            [_] => Turn::Player(1),
            _ => Turn::Over,
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = Act> {
        match self.turn() {
            Turn::Chance => (0..3).filter(|card| !self.cards.contains(card)).map(Deal).collect(),
            Turn::Player(_) => vec![Pass, Bet],
            _ => vec![],
        }
    }
    fn apply(&mut self, act: Act) {
        match act {
            Deal(card) => self.cards.push(card),
            act => self.acts.push(act),
        }
    }
    fn reward(&self, player: Player) -> f64 {
        let chips = if player == 0 { self.chips() } else { -self.chips() };
        (chips + 2.0) / 4.0
    }
}

impl HiddenInformation for Kuhn {
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        let known = self.cards.get(usize::from(observer)).copied();
        let unseen: Vec<u8> = (0..3).filter(|&card| Some(card) != known).collect();
        if let Some(card) = self.cards.get_mut(usize::from(1 - observer)) {
            *card = unseen[rng.below(unseen.len())];
        }
    }
    fn observe(&self, act: Act, observer: Player) -> Option<Act> {
        let is_own = usize::from(observer) == self.cards.len();
        if matches!(act, Deal(_)) && !is_own { None } else { Some(act) }
    }
    fn private_knowledge(&self, player: Player) -> impl IntoIterator<Item = Act> {
        self.cards.get(usize::from(player)).copied().map(Deal)
    }
}

/// Returns how much a best response to `bets` wins more than the equilibrium, on average over both players,
/// in chips: NashConv / 2. `bets` has the probability with which a player bets with this card after these
/// acts.
pub fn exploitability(bets: impl Fn(Player, u8, &[Act]) -> f64) -> f64 {
    (0..2).map(|player| best_response(player, &bets)).sum::<f64>() / 2.0
}

/// Returns the chips that `player` gets with a best response.
fn best_response(player: Player, bets: &impl Fn(Player, u8, &[Act]) -> f64) -> f64 {
    let value = |card: u8| {
        let hands: Vec<(u8, f64)> =
            (0..3).filter(|&other| other != card).map(|other| (other, 1.0 / 6.0)).collect();
        respond(player, card, &[], &hands, bets)
    };
    (0..3).map(value).sum()
}

/// The cards of the other player are weighted with the probability to come here.
fn respond(
    player: Player,
    card: u8,
    acts: &[Act],
    hands: &[(u8, f64)],
    bets: &impl Fn(Player, u8, &[Act]) -> f64,
) -> f64 {
    let state = |other: u8| Kuhn {
        cards: if player == 0 { vec![card, other] } else { vec![other, card] },
        acts: acts.to_vec(),
    };
    let after = |act: Act| [acts, &[act]].concat();
    match state(hands[0].0).turn() {
        Turn::Over => {
            let sign = if player == 0 { 1.0 } else { -1.0 };
            hands.iter().map(|&(other, weight)| sign * weight * state(other).chips()).sum()
        }
        Turn::Player(mover) if mover == player => [Pass, Bet]
            .map(|act| respond(player, card, &after(act), hands, bets))
            .into_iter()
            .fold(f64::MIN, f64::max),
        Turn::Player(mover) => [Pass, Bet]
            .map(|act| {
                let share = |other| {
                    if act == Bet { bets(mover, other, acts) } else { 1.0 - bets(mover, other, acts) }
                };
                let hands: Vec<(u8, f64)> =
                    hands.iter().map(|&(other, weight)| (other, weight * share(other))).collect();
                respond(player, card, &after(act), &hands, bets)
            })
            .into_iter()
            .sum(),
        _ => 0.0,
    }
}
