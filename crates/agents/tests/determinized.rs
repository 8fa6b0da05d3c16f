//! Determinized search.

use crate::common::tricks::{Fault, Tricks};
use ramure::SearchError;
use ramure::backpropagation::Average;
use ramure::prelude::*;
use ramure::search::InformationSet;
use ramure::selection::AvailabilityUcb1;
use ramure::{GameFault, HiddenInformation};
use ramure_agents::{Agent, Determinized};

/// The player may take .6, or bet on the colour of a hidden ball.
#[derive(Clone, Debug)]
struct Ball {
    is_red: bool,
    played: Vec<u8>,
}

impl GameState for Ball {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.played.first() == Some(&0) || self.played.len() == 2 { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.turn() == Turn::Over { 0 } else { 2 }
    }
    fn apply(&mut self, action: u8) {
        self.played.push(action);
    }
    fn reward(&self, _: Player) -> f64 {
        match self.played[..] {
            [1, bet] => f64::from(u8::from((bet == 1) == self.is_red)),
            _ => 0.6,
        }
    }
    fn players(&self) -> u8 {
        1
    }
}

impl HiddenInformation for Ball {
    fn determinize(&mut self, _: Player, rng: &mut Rng) {
        self.is_red = rng.below(2) == 1;
    }
}

fn tricks(
    guesses: u32,
    iterations: u64,
) -> Determinized<Mcts<Tricks>, impl FnMut(&Tricks, u64) -> Mcts<Tricks>> {
    Determinized::new("pimc", guesses, Budget::iterations(iterations), |guess: &Tricks, seed| {
        Mcts::new(guess.clone()).seed(seed)
    })
}

fn game(seed: u64) -> Tricks {
    Tricks::new(3, 4, seed)
}

#[test]
fn strategy_fusion_bets_on_a_ball_that_nobody_sees() {
    for is_red in [false, true] {
        let state = Ball { is_red, played: vec![] };
        // An exact search of a guess has 1 for the bet and .6 for the rest. A bet is worth 1/2.
        let mut agent = Determinized::new("pimc", 40, Budget::iterations(400), |guess: &Ball, seed| {
            Mcts::new(guess.clone()).backprop(Average).seed(seed)
        });
        assert_eq!(agent.choose(&state), Ok(1));
        let [takes, bets] = agent.votes() else { panic!("two actions") };
        assert!(bets.mean > 0.8 && takes.mean < 0.601 && bets.share > 0.7, "{:?}", agent.votes());
        let report = Mcts::new(InformationSet::new(state))
            .tree_policy(AvailabilityUcb1::new(0.7))
            .run(Budget::iterations(4_000))
            .expect("a sound game");
        assert_eq!(report.best_action(), 0);
    }
}

#[test]
fn votes_are_the_visits_of_all_searches() {
    let mut agent = tricks(7, 150);
    let state = game(2);
    let chosen = agent.choose(&state).expect("a sound game");
    let votes = agent.votes();
    assert!(votes.iter().map(|vote| vote.action).eq(state.actions()));
    assert_eq!(votes.iter().map(|vote| vote.visits).sum::<u64>(), 7 * 150);
    assert!((votes.iter().map(|vote| vote.share).sum::<f64>() - 1.0).abs() < 1e-6);
    for vote in votes {
        assert!((vote.share - vote.visits as f64 / (7.0 * 150.0)).abs() < 1e-6);
        assert!((0.0..=1.0).contains(&vote.mean));
    }
    let most = votes.iter().map(|vote| vote.visits).max();
    assert_eq!(votes.iter().find(|vote| vote.action == chosen).map(|vote| vote.visits), most);
    let thoughts = agent.thoughts(&state).expect("it has searched");
    assert_eq!(thoughts.lines().count(), votes.len());

    // One guess is the same as a search of this guess.
    let mut rng = Rng::seeded(5);
    let mut guess = state.clone();
    guess.determinize(0, &mut Rng::seeded(rng.bits()));
    let report = Mcts::new(guess).seed(rng.bits()).run(Budget::iterations(150)).expect("a sound game");
    let mut one = tricks(1, 150).seed(5);
    assert_eq!(one.choose(&state), Ok(report.best_action()));
    let visits: Vec<u64> = report.actions.iter().map(|row| row.visits.into()).collect();
    assert!(one.votes().iter().map(|vote| vote.visits).eq(visits));
}

/// Player 0 has three actions, and loses with each.
#[derive(Clone)]
struct Lost(Option<u8>);

impl GameState for Lost {
    type Action = u8;
    fn turn(&self) -> Turn {
        if self.0.is_none() { Turn::Player(0) } else { Turn::Over }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..3
    }
    fn apply(&mut self, action: u8) {
        self.0 = Some(action);
    }
    fn reward(&self, player: u8) -> f64 {
        player.into()
    }
}

impl HiddenInformation for Lost {
    fn determinize(&mut self, _: u8, _: &mut Rng) {}
}

#[test]
fn a_guess_that_is_lost_divides_its_vote() {
    let mut agent = Determinized::new("pimc", 1, Budget::iterations(100), |guess: &Lost, seed| {
        Mcts::new(guess.clone()).seed(seed)
    });
    agent.choose(&Lost(None)).expect("a sound game");
    assert!(agent.votes().iter().all(|vote| vote.share > 0.0), "{:?}", agent.votes());
}

#[test]
fn the_choice_depends_on_what_is_seen_and_on_the_seed_alone() {
    for seed in 0..10 {
        let state = game(seed);
        let mut other = state.clone();
        other.determinize(0, &mut Rng::seeded(seed + 100));
        assert_ne!(state, other);
        let (mut agent, mut same) = (tricks(5, 60), tricks(5, 60));
        agent.new_game(seed);
        same.new_game(seed);
        assert_eq!(agent.choose(&state), same.choose(&other));
        assert_eq!(agent.votes(), same.votes());
        // It has forgotten the first game.
        agent.new_game(seed);
        let votes = agent.votes().to_vec();
        assert!(votes.is_empty());
        agent.choose(&other).expect("a sound game");
        assert_eq!(agent.votes(), same.votes());
    }
}

#[test]
fn a_whole_game_is_played() {
    let (mut state, mut rng) = (game(4), Rng::seeded(1));
    let mut agent = tricks(3, 30);
    loop {
        let action = match state.turn() {
            Turn::Over => break,
            Turn::Chance => state.random_outcome(&mut rng).expect("an outcome"),
            _ => {
                let action = agent.choose(&state).expect("a sound game");
                let count = state.actions().into_iter().count();
                assert_eq!(agent.votes().len(), if count == 1 { 0 } else { count });
                action
            }
        };
        assert!(state.is_legal(action));
        state.apply(action);
        agent.played(action);
    }
    assert!(matches!(agent.choose(&state), Err(SearchError::GameOver)));
}

#[test]
fn wrong_settings_and_wrong_guesses_are_errors() {
    let none = tricks(0, 10).choose(&game(0));
    assert!(matches!(none, Err(SearchError::Parameter(_))), "{none:?}");
    let empty = tricks(2, 0).choose(&game(0));
    assert!(empty.is_err(), "{empty:?}");
    for fault in [Fault::Redeals, Fault::Loses] {
        let state = Tricks { fault, ..game(0) };
        let Err(SearchError::Game { fault: GameFault::Determinization, ply: 0, line, .. }) =
            tricks(20, 10).choose(&state)
        else {
            panic!("{fault:?}")
        };
        // The error says how to make the guess again.
        assert!((1..=20).contains(&line.iteration), "{line:?}");
        let mut guess = state.clone();
        guess.determinize(0, &mut Rng::seeded(line.guess.expect("a guess")));
        assert_ne!(guess.hands[0], state.hands[0]);
    }
}

#[test]
fn votes_of_a_restricted_search_are_for_its_actions() {
    let state = Ball { is_red: true, played: vec![] };
    let mut agent = Determinized::new("bets", 5, Budget::iterations(100), |guess: &Ball, seed| {
        Mcts::new(guess.clone()).root_actions(ramure::RootActions::only([1])).seed(seed)
    });
    assert_eq!(agent.choose(&state), Ok(1));
    assert_eq!(agent.votes()[0].visits, 0, "{:?}", agent.votes());
}
