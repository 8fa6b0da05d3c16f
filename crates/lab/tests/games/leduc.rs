//! Leduc poker.

use crate::posterior::guesses_are_fair;
use ramure::{GameState, Player, Turn};
use ramure_lab::games::Leduc;
use ramure_lab::games::leduc::{LeducAction, LeducCard};

/// What a player sees: its own card, the table, and the text without the cards.
fn seen(state: &Leduc, player: Player) -> (Option<LeducCard>, Option<LeducCard>, [u8; 2], [bool; 2], String) {
    let line = state.to_string().split_once(':').expect("a colon").1.to_owned();
    let dealt = [0, 1].map(|player| state.card(player).is_some());
    (state.card(player), state.table(), state.paid(), dealt, line)
}

ramure_rules::laws!(
    mod laws, Leduc::new();
    hash, hidden = seen, fair_guesses = seen, constant_sum = 1.0, twin = Plain::new(true), games = 300
);

mod by_rank {
    use super::{Leduc, Plain, seen};

    ramure_rules::laws!(
        mod laws, Leduc::by_rank();
        hash, hidden = seen, fair_guesses = seen, constant_sum = 1.0, twin = Plain::new(false), games = 300
    );
}

/// The actions in their order. Everything follows from them, from the start.
#[derive(Clone, Debug)]
struct Plain {
    deck: Vec<LeducCard>,
    line: Vec<LeducAction>,
}

/// What a line of play has led to.
struct Counted {
    cards: Vec<LeducCard>,
    paid: [i32; 2],
    player: usize,
    acted: u32,
    raises: u32,
    round: usize,
    folded: Option<usize>,
}

impl Plain {
    fn new(suits_matter: bool) -> Self {
        let start = Leduc::new();
        let deck = start.actions().into_iter().filter_map(|deal| match deal {
            LeducAction::Deal(card) => Some(card),
            _ => None,
        });
        let all: Vec<LeducCard> = deck.collect();
        let deck = if suits_matter { all } else { [0, 0, 2, 2, 4, 4].map(|card: usize| all[card]).to_vec() };
        Plain { deck, line: vec![] }
    }

    fn counted(&self) -> Counted {
        let mut now =
            Counted { cards: vec![], paid: [1, 1], player: 0, acted: 0, raises: 0, round: 0, folded: None };
        for action in &self.line {
            let [own, other] = [now.player, 1 - now.player];
            match action {
                LeducAction::Deal(card) => {
                    now.cards.push(*card);
                    continue;
                }
                LeducAction::Fold => now.folded = Some(own),
                LeducAction::Call => now.paid[own] = now.paid[other],
                LeducAction::Raise => {
                    now.paid[own] = now.paid[other] + [2, 4][now.round];
                    now.raises += 1;
                }
            }
            now.acted += 1;
            now.player = other;
            let is_done = *action == LeducAction::Call && now.acted > 1;
            if is_done {
                (now.round, now.player, now.acted, now.raises) = (now.round + 1, 0, 0, 0);
            }
        }
        now
    }
}

impl GameState for Plain {
    type Action = LeducAction;

    fn turn(&self) -> Turn {
        let now = self.counted();
        if now.folded.is_some() || now.round == 2 {
            Turn::Over
        } else if now.cards.len() < 2 + now.round {
            Turn::Chance
        } else {
            Turn::Player(now.player as Player)
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = LeducAction> {
        let now = self.counted();
        match self.turn() {
            Turn::Chance => {
                let mut left = self.deck.clone();
                for card in now.cards {
                    left.remove(left.iter().position(|&other| other == card).expect("it was there"));
                }
                left.dedup();
                left.into_iter().map(LeducAction::Deal).collect()
            }
            Turn::Player(_) => {
                let mut all = vec![LeducAction::Call];
                if now.raises > 0 {
                    all.push(LeducAction::Fold);
                }
                if now.raises < 2 {
                    all.push(LeducAction::Raise);
                }
                all
            }
            _ => vec![],
        }
    }
    fn apply(&mut self, action: LeducAction) {
        self.line.push(action);
    }
    fn probability(&self, outcome: LeducAction) -> f64 {
        let LeducAction::Deal(card) = outcome else { panic!("a deal") };
        let cards = self.counted().cards;
        let count = |of: &[LeducCard]| of.iter().filter(|&&other| other == card).count();
        (count(&self.deck) - count(&cards)) as f64 / (6 - cards.len()) as f64
    }
    fn reward(&self, player: Player) -> f64 {
        let now = self.counted();
        let ranks: Vec<u8> = now.cards.iter().map(|card| card.rank()).collect();
        let winner = match now.folded {
            Some(folded) => Some(1 - folded),
            None if ranks[0] == ranks[1] => None,
            None if ranks[0] == ranks[2] => Some(0),
            None if ranks[1] == ranks[2] => Some(1),
            None => Some(usize::from(ranks[1] > ranks[0])),
        };
        let won = match winner {
            None => 0,
            Some(winner) if winner == usize::from(player) => now.paid[1 - winner],
            Some(winner) => -now.paid[1 - winner],
        };
        0.5 + f64::from(won) / 26.0
    }
}

#[test]
fn guesses_are_fair_in_all_views() {
    assert_eq!(guesses_are_fair(&Leduc::new(), |_| true, 300), 936);
    assert_eq!(guesses_are_fair(&Leduc::by_rank(), |_| true, 1_000), 288);
}
