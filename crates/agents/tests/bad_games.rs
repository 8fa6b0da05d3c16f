//! Agents on games that break their contract: each returns an error that names the fault, and none panics.

use ramure::SearchError;
use ramure::prelude::*;
use ramure::{GameFault, LineOfPlay, StaticEvaluation};
use ramure_agents::{Agent, AlphaBeta, First, FlatMonteCarlo, MctsAgent, Minimax, Random};
use std::cell::Cell;

/// The number of players that a state returns.
type Count = fn(&Strange) -> u8;

/// Three steps of two actions each, with the turns and numbers of players that the test sets.
#[derive(Clone)]
struct Strange {
    steps: u8,
    /// The actions, one bit each.
    played: u8,
    /// The number of calls of `turn` on this state and those before it.
    asked: Cell<u32>,
    turn: fn(&Strange) -> Turn,
    players: Count,
}

impl Strange {
    fn new(turn: fn(&Strange) -> Turn, players: Count) -> Self {
        Strange { steps: 0, played: 0, asked: Cell::new(0), turn, players }
    }

    fn alternating(&self) -> Turn {
        if self.steps == 3 { Turn::Over } else { Turn::Player(self.steps % 2) }
    }
}

impl GameState for Strange {
    type Action = u8;

    fn turn(&self) -> Turn {
        self.asked.set(self.asked.get() + 1);
        (self.turn)(self)
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.steps == 3 { 0 } else { 2 }
    }
    fn apply(&mut self, action: u8) {
        self.steps += 1;
        self.played = self.played << 1 | action;
    }
    fn reward(&self, _: Player) -> f64 {
        0.5
    }
    fn players(&self) -> u8 {
        (self.players)(self)
    }
    fn probability(&self, _: u8) -> f64 {
        0.5
    }
}

impl StaticEvaluation for Strange {
    fn evaluate(&self, _: Player) -> f64 {
        0.5
    }
}

/// Returns every kind of agent.
fn agents() -> Vec<Box<dyn Agent<Strange>>> {
    vec![
        Box::new(First),
        Box::new(Random::seeded(1)),
        Box::new(FlatMonteCarlo::per_action(3)),
        Box::new(FlatMonteCarlo::total(9)),
        Box::new(FlatMonteCarlo::ucb1(9, 1.0)),
        Box::new(Minimax::new(2)),
        Box::new(Minimax::new(5)),
        Box::new(AlphaBeta::new(2).by_evaluation()),
        Box::new(AlphaBeta::new(5).nodes(1_000)),
        Box::new(MctsAgent::new("mcts", Budget::iterations(20), |state: &Strange, seed| {
            Mcts::new(state.clone()).seed(seed)
        })),
    ]
}

fn game(fault: GameFault, ply: u32) -> SearchError {
    SearchError::Game { fault, ply, line: LineOfPlay::default() }
}

#[test]
fn every_agent_reports_a_number_of_players_out_of_range() {
    let counts: [(u8, Count); 3] = [(0, |_| 0), (9, |_| 9), (200, |_| 200)];
    for (players, count) in counts {
        let start = Strange::new(Strange::alternating, count);
        for mut agent in agents() {
            let error = agent.choose(&start).expect_err("no such number of players");
            assert_eq!(error, game(GameFault::Players { players }, 0), "{}, {players}", agent.name());
        }
    }
}

#[test]
fn every_agent_reports_an_unknown_player() {
    let start = Strange::new(|_| Turn::Player(2), |_| 2);
    for mut agent in agents() {
        let error = agent.choose(&start).expect_err("there are two players");
        let fault = GameFault::UnknownPlayer { player: 2, players: 2 };
        assert_eq!(error, game(fault, 0), "{}", agent.name());
    }
}

#[test]
fn look_aheads_report_a_changing_number_of_players() {
    let start = Strange::new(Strange::alternating, |state| if state.steps < 2 { 2 } else { 3 });
    for (depth, ply) in [(2, 2), (5, 3)] {
        let place = |error| match error {
            SearchError::Game { fault, ply, .. } => (fault, ply),
            other => panic!("{other}"),
        };
        let wrong = Some((GameFault::RewardCount { given: 3, players: 2 }, ply));
        assert_eq!(Minimax::new(depth).look_ahead(&start).err().map(place), wrong);
        assert_eq!(AlphaBeta::new(depth).look_ahead(&start).err().map(place), wrong);
    }
}

/// After the actions 1, 0 and 1 the game goes on and has no action, and so it is after chance drew the second.
#[test]
fn agents_name_the_actions_that_led_to_a_fault() {
    fn turn(state: &Strange) -> Turn {
        match (state.steps, state.played) {
            (3, 0b101) => Turn::Player(1),
            _ => state.alternating(),
        }
    }
    fn chance(state: &Strange) -> Turn {
        if state.steps == 1 { Turn::Chance } else { turn(state) }
    }
    for turn in [turn, chance] {
        let agents: [Box<dyn Agent<Strange>>; 4] = [
            Box::new(FlatMonteCarlo::per_action(100)),
            Box::new(Minimax::new(5)),
            Box::new(AlphaBeta::new(5).by_evaluation()),
            Box::new(AlphaBeta::new(5).nodes(1_000)),
        ];
        for mut agent in agents {
            let Err(SearchError::Game { fault, ply, line, .. }) = agent.choose(&Strange::new(turn, |_| 2))
            else {
                panic!("{} found no fault", agent.name())
            };
            assert_eq!((fault, ply), (GameFault::NoActions, 3), "{}", agent.name());
            assert_eq!(line.actions, ["1", "0", "1"], "{}", agent.name());
        }
    }
}

/// No agent panics for any turns in any order, and every action that an agent plays is legal.
#[test]
fn no_agent_panics_on_a_turn_that_changes_between_calls() {
    const TURNS: [Turn; 5] = [Turn::Player(0), Turn::Player(1), Turn::Player(7), Turn::Chance, Turn::Over];
    // The first answer is a player. Later answers walk through the list, from different starts and with
    // different steps.
    fn turn<const FROM: u32, const STEP: u32>(state: &Strange) -> Turn {
        match state.asked.get() {
            0 | 1 => Turn::Player(0),
            asked => TURNS[((asked * STEP + FROM) % 5) as usize],
        }
    }
    let turns: [fn(&Strange) -> Turn; 10] = [
        turn::<0, 0>,
        turn::<1, 0>,
        turn::<2, 0>,
        turn::<3, 0>,
        turn::<4, 0>,
        turn::<0, 1>,
        turn::<1, 2>,
        turn::<2, 3>,
        turn::<3, 4>,
        turn::<4, 1>,
    ];
    let counts: [Count; 3] = [|_| 2, |_| 8, |state| if state.asked.get() > 0 { 9 } else { 8 }];
    for (number, turn) in turns.into_iter().enumerate() {
        for (count, players) in counts.into_iter().enumerate() {
            for mut agent in agents() {
                // The tree of a search has its own tests.
                if agent.name() == "mcts" {
                    continue;
                }
                if let Ok(action) = agent.choose(&Strange::new(turn, players)) {
                    assert!(action < 2, "{}, turns {number}, players {count}", agent.name());
                }
            }
        }
    }
}
