//! Kuhn poker.

use crate::posterior::guesses_are_fair;
use ramure::{GameState, Player, Turn};
use ramure_lab::games::Kuhn;
use ramure_lab::games::kuhn::KuhnAction::{self, Bet, Deal, Pass};

/// What a player sees: its own card, the bets, and how many cards are dealt.
fn seen(state: &Kuhn, player: Player) -> (Option<u8>, Vec<bool>, [bool; 2]) {
    (state.card(player), state.bets().collect(), [0, 1].map(|player| state.card(player).is_some()))
}

ramure_rules::laws!(
    mod laws, Kuhn::new();
    hash, hidden = seen, fair_guesses = seen, constant_sum = 1.0, twin = Plain(vec![]), games = 200
);

/// The actions in their order, and the rules as a table.
#[derive(Clone, Debug)]
struct Plain(Vec<KuhnAction>);

impl GameState for Plain {
    type Action = KuhnAction;

    fn turn(&self) -> Turn {
        match self.0.get(2..) {
            None => Turn::Chance,
            Some([]) | Some([Pass, Bet]) => Turn::Player(0),
            Some([_]) => Turn::Player(1),
            Some(_) => Turn::Over,
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = KuhnAction> {
        match self.turn() {
            Turn::Chance => (0..3).map(Deal).filter(|deal| !self.0.contains(deal)).collect(),
            Turn::Player(_) => vec![Pass, Bet],
            _ => vec![],
        }
    }
    fn apply(&mut self, action: KuhnAction) {
        self.0.push(action);
    }
    fn reward(&self, player: Player) -> f64 {
        let (Deal(first), Deal(second)) = (self.0[0], self.0[1]) else { unreachable!() };
        let winner = if first > second { 1.0 } else { -1.0 };
        let chips = match self.0[2..] {
            [Pass, Pass] => winner,
            [Bet, Pass] => 1.0,
            [Pass, Bet, Pass] => -1.0,
            _ => 2.0 * winner,
        };
        0.5 + if player == 0 { chips / 4.0 } else { -chips / 4.0 }
    }
}

#[test]
fn there_are_thirty_lines_of_play() {
    let table = "
        # depth  lines  finished
        1            3         0
        2            6         0
        3           12         0
        4           24        18
        5           12        12
    ";
    ramure_rules::perft_table(&Kuhn::new(), table).expect("as counted by hand");
}

#[test]
fn guesses_are_fair_in_all_twelve_views() {
    assert_eq!(guesses_are_fair(&Kuhn::new(), |_| true, 2_000), 12);
}

#[test]
fn the_positions_print_for_people() {
    let mut game = Kuhn::new();
    assert_eq!(game.to_string(), "? against ?");
    for action in [Deal(2), Deal(0), Pass] {
        game.apply(action);
    }
    assert_eq!(game.to_string(), "K against J: pass");
    assert_eq!(Deal(2).to_string(), "deal K");
}
