//! Goofspiel.

use crate::posterior::guesses_are_fair;
use ramure::{GameState, Player, Turn};
use ramure_lab::games::goofspiel::{CardsError, Goofspiel, Prizes, Scoring};

fn game(cards: u8, order: Prizes, scoring: Scoring) -> Goofspiel {
    Goofspiel::new(cards, order, scoring).expect("a number of cards in range")
}

/// What a player sees: all but a bid of player 0 before player 1 has bid.
fn seen(state: &Goofspiel, player: Player) -> String {
    if player == 0 { format!("{state:?}") } else { state.to_string() }
}

ramure_rules::laws!(
    mod drawn, super::game(6, Prizes::Drawn, Scoring::Difference);
    hash, hidden = seen, constant_sum = 1.0, games = 200,
    twin = Plain { cards: 6, order: Prizes::Drawn, scoring: Scoring::Difference, line: vec![] }
);

ramure_rules::laws!(
    mod descending, super::game(13, Prizes::Descending, Scoring::Win);
    hash, hidden = seen, constant_sum = 1.0, games = 100,
    twin = Plain { cards: 13, order: Prizes::Descending, scoring: Scoring::Win, line: vec![] }
);

/// The cards in the order in which they were drawn or bid.
#[derive(Clone, Debug)]
struct Plain {
    cards: u8,
    order: Prizes,
    scoring: Scoring,
    line: Vec<u8>,
}

impl Plain {
    /// The prize, the bid of player 0 and that of player 1, for each step; 0 is not known yet.
    fn steps(&self) -> Vec<[u8; 3]> {
        let get = |place: usize| self.line.get(place).copied().unwrap_or(0);
        let step = |step: u8| match self.order {
            Prizes::Drawn => [0, 1, 2].map(|part| get(3 * usize::from(step) + part)),
            _ => {
                let prize = if self.order == Prizes::Ascending { step + 1 } else { self.cards - step };
                [prize, get(2 * usize::from(step)), get(2 * usize::from(step) + 1)]
            }
        };
        (0..self.cards).map(step).collect()
    }
}

impl GameState for Plain {
    type Action = u8;

    fn turn(&self) -> Turn {
        let open = self.steps().into_iter().find_map(|step| step.iter().position(|&part| part == 0));
        match open {
            None => Turn::Over,
            Some(0) => Turn::Chance,
            Some(part) => Turn::Player(part as Player - 1),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        let steps = self.steps();
        let open = steps.iter().find_map(|step| step.iter().position(|&part| part == 0));
        let all = game(self.cards, Prizes::Drawn, Scoring::Win).actions().into_iter().collect::<Vec<_>>();
        all.into_iter()
            .filter(move |card| open.is_some_and(|part| steps.iter().all(|step| step[part] != *card)))
    }
    fn apply(&mut self, card: u8) {
        self.line.push(card);
    }
    fn reward(&self, player: Player) -> f64 {
        let points = |by: usize| -> f64 {
            let wins = self.steps().into_iter().filter(|step| step[1 + by] > step[2 - by]);
            wins.map(|step| f64::from(step[0])).sum()
        };
        let [own, other] = [points(player.into()), points(1 - usize::from(player))];
        match self.scoring {
            Scoring::Win if own == other => 0.5,
            Scoring::Win => f64::from(u8::from(own > other)),
            _ => {
                let all: f64 = (1..=self.cards).map(f64::from).sum();
                0.5 + (own - other) / (2.0 * all)
            }
        }
    }
}

#[test]
fn the_lines_of_play_of_three_cards_are_as_counted_by_hand() {
    // Bids for the first prize: 3 x 3 ways. For the second: 2 x 2. The last cards are forced: (3!)^2 lines.
    let table = "
        # depth  lines  finished
        1            3         0
        2            9         0
        3           18         0
        4           36         0
        6           36        36
    ";
    ramure_rules::perft_table(&game(3, Prizes::Descending, Scoring::Win), table).expect("as counted by hand");
    // With drawn prizes, 3! orders more.
    let drawn = ramure_rules::perft(&game(3, Prizes::Drawn, Scoring::Win), 9);
    assert_eq!(drawn.rows.last().map(|row| row.lines), Some(216));
}

#[test]
fn all_orders_and_scorings_agree_with_the_twin() {
    for order in [Prizes::Descending, Prizes::Ascending, Prizes::Drawn] {
        for scoring in [Scoring::Win, Scoring::Difference] {
            for cards in [1, 2, 5] {
                let plain = Plain { cards, order, scoring, line: vec![] };
                ramure_rules::check(game(cards, order, scoring))
                    .twin(plain)
                    .only([ramure_rules::Law::Agreement])
                    .games(20)
                    .run()
                    .expect("the same game");
            }
        }
    }
}

#[test]
fn a_bid_before_the_step_ends_is_uniform_to_the_other() {
    // The views of player 0: before each step; those of player 1 are as many.
    assert_eq!(guesses_are_fair(&game(3, Prizes::Descending, Scoring::Win), |_| true, 500), 2 * (1 + 9 + 36));
}

#[test]
fn numbers_of_cards_out_of_range_are_errors() {
    for cards in [0, 14, 255] {
        assert_eq!(Goofspiel::new(cards, Prizes::Drawn, Scoring::Win), Err(CardsError { cards }));
    }
}
