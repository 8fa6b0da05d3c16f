//! Contests of agents that play on a clock. No test looks at the time: the flags fall at once or never.

use ramure::prelude::*;
use ramure::{GameClock, SearchError};
use ramure_agents::{Agent, First, MctsAgent};
use ramure_games::{Connect4, TicTacToe};
use ramure_lab::Recipe;
use ramure_lab::contest::{Conditions, Match, Record};
use std::time::Duration;

const NANOSECOND: Duration = Duration::from_nanos(1);
const DAY: Duration = Duration::from_secs(86_400);

/// An agent that plays the first action, on a clock if it has one.
struct Clocked {
    clock: Option<GameClock>,
    /// Whether its own clock stops it.
    stops_itself: bool,
}

impl<G: GameState> Agent<G> for Clocked {
    fn name(&self) -> String {
        "clocked".into()
    }
    fn choose(&mut self, state: &G) -> Result<G::Action, SearchError> {
        if self.stops_itself {
            return Err(SearchError::FlagFell { took: DAY, left: NANOSECOND });
        }
        First.choose(state)
    }
    fn clock(&self) -> Option<GameClock> {
        self.clock
    }
}

fn clocked<G: GameState>(time: Duration) -> Recipe<G> {
    Recipe::new(move || Clocked { clock: Some(GameClock::new(time)), stops_itself: false })
}

fn first<G: GameState>() -> Recipe<G> {
    Recipe::new(|| First)
}

#[test]
fn an_agent_whose_flag_falls_loses_and_the_loss_is_counted() {
    let result = Match::new(TicTacToe::new(), [clocked(NANOSECOND), first()])
        .run(&Conditions::games(6).openings(1))
        .unwrap();
    let [late, other] = &result.standings[..] else { panic!("two agents play") };
    assert_eq!((late.losses_on_time, late.forfeits.len(), late.tally.losses), (6, 6, 6));
    assert_eq!((other.losses_on_time, other.forfeits.len(), other.tally.wins), (0, 0, 6));
    assert!(late.forfeits[0].starts_with("the flag fell: the move took"), "{}", late.forfeits[0]);
    let text = result.to_string();
    assert!(
        text.contains("clocked forfeited games, 6 in all, 6 of them on time; first: the flag fell"),
        "{text}"
    );
    let csv = result.to_csv();
    let column = csv.lines().next().unwrap().split(',').position(|name| name == "losses_on_time").unwrap();
    // No quoted field has a comma here.
    let values = csv.lines().skip(1).map(|line| line.split(',').nth(column).unwrap());
    assert_eq!(Vec::from_iter(values), ["6", "0"], "{csv}");
    for record in &result.played.records {
        let forfeit = record.forfeit.as_ref().unwrap();
        assert!(forfeit.on_time && record.seats[usize::from(forfeit.player)] == 0);
        record.replay(&TicTacToe::new()).unwrap();
        let text = serde_json::to_string(record).unwrap();
        assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), *record);
    }
}

#[test]
fn records_say_nothing_of_time_where_no_flag_fell() {
    let broken = Recipe::new(|| Clocked { clock: Some(GameClock::new(DAY)), stops_itself: false });
    let result =
        Match::new(Connect4::new(), [broken, first()]).run(&Conditions::games(4).openings(2)).unwrap();
    assert!(
        result.standings.iter().all(|standing| standing.losses_on_time == 0 && standing.forfeits.is_empty())
    );
    let text = serde_json::to_string(&result.played.records[0]).unwrap();
    assert!(!text.contains("on_time"), "{text}");
    // A record of an older version has no word about time.
    let old = r#"{"pairing":0,"game":0,"seats":[0,1],"opening":0,"actions":[],"rewards":[0,1],
        "forfeit":{"player":0,"reason":"panicked: no"},"choices":[1,0],"seconds":[0,0]}"#;
    assert!(!serde_json::from_str::<Record>(old).unwrap().forfeit.unwrap().on_time);
}

#[test]
fn an_agent_that_stops_on_its_own_clock_loses_on_time_too() {
    let itself = Recipe::new(|| Clocked { clock: None, stops_itself: true });
    let result = Match::new(TicTacToe::new(), [itself, first()]).run(&Conditions::games(2)).unwrap();
    assert_eq!((result.standings[0].losses_on_time, result.standings[0].tally.losses), (2, 2));
}

/// The search on a clock of a nanosecond finds an action, but too late.
#[test]
fn a_search_loses_on_time_and_begins_the_next_game_with_a_full_clock() {
    let on = |time: Duration| {
        Recipe::new(move || {
            let make = |state: &TicTacToe, seed| Mcts::new(*state).seed(seed);
            MctsAgent::on_clock("search", GameClock::new(time).expected_moves(1_000_000), make)
        })
    };
    let result = Match::new(TicTacToe::new(), [on(NANOSECOND), first()]).run(&Conditions::games(4)).unwrap();
    assert_eq!((result.standings[0].losses_on_time, result.standings[0].choices), (4, 4));
    let result = Match::new(TicTacToe::new(), [on(DAY), first()]).run(&Conditions::games(4)).unwrap();
    assert_eq!(result.standings[0].losses_on_time, 0);
}
