//! The law that what a player learns is in the actions.

use crate::common::kuhn::Kuhn;
use crate::common::tricks::Tricks;
use ramure::HiddenInformation;
use ramure::prelude::*;
use ramure::search::InformationSet;
use ramure_rules::{Law, Summary, Violation};

/// A ball is red or blue. The player takes 0.5, or bets on the colour, or first looks for 0.05.
#[derive(Clone, Debug)]
struct Ball {
    is_red: bool,
    looks: bool,
    /// Whether the player knows the colour.
    knows: bool,
    chosen: Option<Act>,
    way: Way,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Act {
    Take,
    Look,
    Bet(bool),
    /// Chance shows the ball.
    Shows(bool),
}

/// How a game shows the ball.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Way {
    /// Looking sets a flag.
    Flag,
    /// Chance shows it.
    Chance,
}

impl Ball {
    fn new(way: Way) -> Self {
        Ball { is_red: true, looks: false, knows: false, chosen: None, way }
    }

    fn seen(&self, _: Player) -> (bool, Option<bool>, Option<Act>) {
        (self.looks, self.knows.then_some(self.is_red), self.chosen)
    }

    /// What a user may forget to tell the law: that the ball is seen.
    fn seen_without_ball(&self, _: Player) -> (bool, bool, Option<Act>) {
        (self.looks, self.knows, self.chosen)
    }
}

impl GameState for Ball {
    type Action = Act;

    fn turn(&self) -> Turn {
        match self.chosen {
            Some(_) => Turn::Over,
            None if self.looks && !self.knows => Turn::Chance,
            None => Turn::Player(0),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = Act> {
        match self.turn() {
            Turn::Chance => vec![Act::Shows(self.is_red)],
            _ if self.knows => vec![Act::Take, Act::Bet(false), Act::Bet(true)],
            _ => vec![Act::Take, Act::Bet(false), Act::Bet(true), Act::Look],
        }
    }
    fn apply(&mut self, act: Act) {
        match act {
            Act::Look => (self.looks, self.knows) = (true, self.way == Way::Flag),
            Act::Shows(_) => self.knows = true,
            act => self.chosen = Some(act),
        }
    }
    fn reward(&self, _: Player) -> f64 {
        let worth = match self.chosen {
            Some(Act::Bet(red)) => f64::from(u8::from(red == self.is_red)),
            _ => 0.5,
        };
        if self.looks { worth * 0.95 } else { worth }
    }
    fn players(&self) -> u8 {
        1
    }
}

impl HiddenInformation for Ball {
    fn determinize(&mut self, _: Player, rng: &mut Rng) {
        if !self.knows {
            self.is_red = rng.below(2) == 1;
        }
    }
}

fn check<V: PartialEq + std::fmt::Debug + 'static>(
    way: Way,
    seen: fn(&Ball, Player) -> V,
    seed: u64,
) -> Result<Summary, Box<Violation<Ball>>> {
    ramure_rules::check(Ball::new(way)).hidden(seen).games(30).seed(seed).run().map_err(Box::new)
}

#[test]
fn an_action_that_shows_what_is_hidden_breaks_the_law() {
    for seed in 0..20 {
        let by_seen = check(Way::Flag, Ball::seen, seed).expect_err("an action that shows the ball");
        let by_guesses =
            check(Way::Flag, Ball::seen_without_ball, seed).expect_err("an action that shows the ball");
        for violation in [by_seen, by_guesses] {
            assert_eq!((violation.law, violation.actions.len()), (Law::Announced, 0), "{violation}");
            assert!(violation.what.contains("player 0 learns from Look"), "{violation}");
            assert!(violation.what.contains("after Look it is chance's turn"), "{violation}");
        }
    }
}

/// The value of looking is 0.95, and of all else 0.5.
#[test]
fn an_outcome_of_chance_that_shows_what_is_hidden_obeys_the_law_and_is_searched_right() {
    for seed in 0..20 {
        check(Way::Chance, Ball::seen, seed).expect("chance shows the ball");
        check(Way::Chance, Ball::seen_without_ball, seed).expect("chance shows the ball");
    }
    let best = |way| {
        let report = Mcts::new(InformationSet::new(Ball::new(way))).run(Budget::iterations(2_000));
        report.expect("a search").best_action()
    };
    assert_eq!(best(Way::Chance), Act::Look);
    assert_ne!(best(Way::Flag), Act::Look);
}

#[test]
fn games_of_cards_obey_the_law() {
    let seen = |game: &Kuhn, player: Player| {
        (game.cards.len(), game.cards.get(usize::from(player)).copied(), game.acts.clone())
    };
    ramure_rules::check(Kuhn::default())
        .hidden(seen)
        .only([Law::Guesses, Law::Announced])
        .run()
        .expect("sound");
    for players in 2..=4 {
        let check = ramure_rules::check(Tricks::new(players, 3, 5)).hidden(Tricks::seen);
        check.only([Law::Announced]).states(100).games(30).run().expect("sound");
    }
}
