//! Knockout Whist.

use ramure::{GameState, HiddenInformation, Player, Rng, Turn};
use ramure_lab::games::KnockoutWhist;
use ramure_lab::games::knockout_whist::{Card, PlayersError, Suit, WhistAction};
use std::collections::BTreeMap;

fn game(players: u8) -> KnockoutWhist {
    KnockoutWhist::new(players).expect("a number of players in range")
}

/// What a player sees: the text for people, whose turn it is, and how many cards all have.
fn seen(state: &KnockoutWhist, player: Player) -> (String, Turn, Vec<usize>) {
    let counts = (0..state.players()).map(|player| state.hand(player).count()).collect();
    (state.view(player), state.turn(), counts)
}

ramure_rules::laws!(
    mod two, super::game(2);
    hash, indices, hidden = seen, fair_guesses = seen, constant_sum = 1.0, games = 40, states = 60,
    twin = Plain::new(2)
);

ramure_rules::laws!(
    mod five, super::game(5);
    hash, indices, hidden = seen, fair_guesses = seen, constant_sum = 1.0, games = 20, states = 60,
    twin = Plain::new(5)
);

/// The rules of the tutorial code, step by step as there, with lists of cards.
#[derive(Clone, Debug)]
struct Plain {
    players: usize,
    hands: Vec<Vec<Card>>,
    trick: Vec<(usize, Card)>,
    taken: Vec<u32>,
    knocked_out: Vec<bool>,
    trump: Option<Suit>,
    tricks_in_round: usize,
    to_move: usize,
}

impl Plain {
    fn new(players: usize) -> Self {
        Plain {
            players,
            hands: vec![vec![]; players],
            trick: vec![],
            taken: vec![0; players],
            knocked_out: vec![false; players],
            trump: None,
            tricks_in_round: 7,
            to_move: 0,
        }
    }

    fn next(&self, player: usize) -> usize {
        let mut next = (player + 1) % self.players;
        while next != player && self.knocked_out[next] {
            next = (next + 1) % self.players;
        }
        next
    }

    /// The next player who gets a card: all cards of a player are dealt before those of the next one,
    /// beginning with the leader.
    fn receiver(&self) -> Option<usize> {
        let seats = std::iter::successors(Some(self.to_move), |&player| Some(self.next(player)));
        let left = self.knocked_out.iter().filter(|out| !**out).count();
        seats.take(left).find(|&player| self.hands[player].len() < self.tricks_in_round)
    }

    fn is_over(&self) -> bool {
        self.tricks_in_round == 0
    }
}

impl GameState for Plain {
    type Action = WhistAction;

    fn turn(&self) -> Turn {
        match self.trump {
            _ if self.is_over() => Turn::Over,
            None => Turn::Chance,
            Some(_) => Turn::Player(self.to_move as Player),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = WhistAction> {
        let all = || {
            let start = game(2);
            Vec::from_iter(start.actions()).into_iter().filter_map(|deal| match deal {
                WhistAction::Deal(card) => Some(card),
                _ => None,
            })
        };
        if self.is_over() {
            vec![]
        } else if self.trump.is_some() {
            let hand = &self.hands[self.to_move];
            let follows: Vec<Card> = match self.trick.first() {
                None => vec![],
                Some((_, led)) => hand.iter().copied().filter(|card| card.suit() == led.suit()).collect(),
            };
            let cards = if follows.is_empty() { hand.clone() } else { follows };
            cards.into_iter().map(WhistAction::Play).collect()
        } else if self.receiver().is_some() {
            all().filter(|card| !self.hands.concat().contains(card)).map(WhistAction::Deal).collect()
        } else {
            let mut suits: Vec<Suit> = all().map(Card::suit).collect();
            suits.dedup();
            suits.into_iter().map(WhistAction::Trump).collect()
        }
    }
    fn apply(&mut self, action: WhistAction) {
        let card = match action {
            WhistAction::Deal(card) => {
                let receiver = self.receiver().expect("somebody needs a card");
                self.hands[receiver].push(card);
                return;
            }
            WhistAction::Trump(suit) => {
                self.trump = Some(suit);
                return;
            }
            WhistAction::Play(card) => card,
        };
        self.trick.push((self.to_move, card));
        self.hands[self.to_move].retain(|other| *other != card);
        self.to_move = self.next(self.to_move);
        if !self.trick.iter().any(|(player, _)| *player == self.to_move) {
            return;
        }
        let led = self.trick[0].1.suit();
        let ranked = |suit: Suit| {
            let mut plays: Vec<_> = self.trick.iter().filter(|(_, card)| card.suit() == suit).collect();
            plays.sort_by_key(|(_, card)| card.rank());
            plays
        };
        let mut sorted = ranked(led);
        sorted.extend(ranked(self.trump.expect("it was chosen")));
        let winner = sorted.last().expect("a play").0;
        self.taken[winner] += 1;
        self.trick.clear();
        self.to_move = winner;
        if self.hands[winner].is_empty() {
            self.tricks_in_round -= 1;
            for player in 0..self.players {
                self.knocked_out[player] |= self.taken[player] == 0;
            }
            if self.knocked_out.iter().filter(|out| !**out).count() <= 1 {
                self.tricks_in_round = 0;
            }
            (self.trump, self.taken) = (None, vec![0; self.players]);
        }
    }
    fn players(&self) -> u8 {
        self.players as u8
    }
    fn reward(&self, player: Player) -> f64 {
        if self.knocked_out[usize::from(player)] { 0.0 } else { 1.0 }
    }
}

#[test]
fn all_numbers_of_players_agree_with_the_twin() {
    for players in 2..=7 {
        ramure_rules::check(game(players))
            .twin(Plain::new(players.into()))
            .only([ramure_rules::Law::Agreement])
            .games(10)
            .states(60)
            .run()
            .expect("the same game");
    }
    for players in [0, 1, 8, 255] {
        assert_eq!(KnockoutWhist::new(players), Err(PlayersError { players }));
        assert_eq!(KnockoutWhist::dealt(players, &mut Rng::seeded(0)), Err(PlayersError { players }));
    }
}

/// Plays at random until `until` holds on a player's turn; plays several games if need be.
fn reach(
    players: u8,
    rng: &mut Rng,
    until: impl Fn(&KnockoutWhist, Player) -> bool,
) -> (KnockoutWhist, Player) {
    loop {
        let mut state = KnockoutWhist::dealt(players, rng).expect("players in range");
        while state.turn() != Turn::Over {
            let drawn = match state.turn() {
                Turn::Player(player) if until(&state, player) => return (state, player),
                Turn::Chance => state.random_outcome(rng),
                _ => state.random_action(rng),
            };
            state.apply(drawn.expect("a card or a suit"));
        }
    }
}

fn lacking(state: &KnockoutWhist, observer: Player) -> usize {
    (0..state.players()).filter(|&player| player != observer).map(|player| state.lacks(player).count()).sum()
}

#[test]
fn guesses_give_nobody_a_suit_that_it_lacks() {
    let mut rng = Rng::seeded(2);
    for players in [2, 3, 4, 7] {
        for least in 1..=usize::from(players).min(4) {
            let (state, observer) = reach(players, &mut rng, |state, player| lacking(state, player) >= least);
            for _ in 0..200 {
                let mut guess = state;
                guess.determinize(observer, &mut rng);
                for player in 0..players {
                    assert_eq!(guess.hand(player).count(), state.hand(player).count());
                    let lacks: Vec<Suit> = state.lacks(player).collect();
                    assert!(
                        guess.hand(player).all(|card| !lacks.contains(&card.suit()) || player == observer)
                    );
                }
                assert_eq!(seen(&guess, observer), seen(&state, observer));
            }
        }
    }
}

#[test]
fn all_deals_that_agree_with_what_is_known_are_equally_likely() {
    // Late in a hand, two others have two cards each or one, and somebody lacks a suit. The deals are
    // counted: all ordered pairs of disjoint hands of unseen cards without the suits that are lacking.
    let mut rng = Rng::seeded(11);
    let few = |state: &KnockoutWhist, observer: Player| {
        let sizes: Vec<usize> =
            (0..3).filter(|&player| player != observer).map(|player| state.hand(player).count()).collect();
        lacking(state, observer) >= 2 && sizes == [1, 1]
    };
    for _ in 0..3 {
        let (state, observer) = reach(3, &mut rng, few);
        let others: Vec<Player> = (0..3).filter(|&player| player != observer).collect();
        let text = state.view(observer);
        let all: Vec<Card> = {
            let start = game(2);
            Vec::from_iter(start.actions())
                .into_iter()
                .filter_map(|deal| if let WhistAction::Deal(card) = deal { Some(card) } else { None })
                .collect()
        };
        // What the observer sees names every card that it has seen.
        let unseen: Vec<Card> = all.into_iter().filter(|card| !text.contains(&card.to_string())).collect();
        let fits = |player: Player, card: Card| state.lacks(player).all(|suit| suit != card.suit());
        let mut deals = BTreeMap::new();
        for &first in unseen.iter().filter(|&&card| fits(others[0], card)) {
            for &second in unseen.iter().filter(|&&card| card != first && fits(others[1], card)) {
                deals.insert((first, second), 0_u32);
            }
        }
        let draws = 40 * deals.len();
        for _ in 0..draws {
            let mut guess = state;
            guess.determinize(observer, &mut rng);
            let card = |player| guess.hand(player).next().expect("a card");
            *deals.get_mut(&(card(others[0]), card(others[1]))).expect("a possible deal") += 1;
        }
        let squares: f64 =
            deals.values().map(|&count| (f64::from(count) - 40.0) * (f64::from(count) - 40.0)).sum();
        let (chi, degrees) = (squares / 40.0, deals.len() as f64 - 1.0);
        assert!(
            chi < degrees + 5.0 * (2.0 * degrees).sqrt(),
            "chi-squared {chi}, {degrees} degrees of freedom"
        );
    }
}

#[test]
fn players_without_a_trick_are_out() {
    let mut rng = Rng::seeded(5);
    let (state, _) = reach(4, &mut rng, |state, _| (0..4).any(|player| state.is_out(player)));
    assert_eq!(state.winner(), None);
    for player in 0..4 {
        assert_eq!(state.is_out(player), state.hand(player).next().is_none());
    }
    assert!(!state.is_out(0) || state.turn() != Turn::Player(0));
    assert!(state.to_string().contains("hand of player"));
}
