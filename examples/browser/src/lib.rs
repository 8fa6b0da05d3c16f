//! Your game in the browser, against the search. `cargo run` writes the page.
//!
//! To play another game, replace `game.rs` and change the lines below, down to the next line of dashes. Your
//! game needs `GameState` and `Picture`, and its actions need `Debug`.

#![allow(clippy::clone_on_copy, reason = "the actions of your game may own memory")]

mod game;

use game::Chomp as Game;
use ramure::prelude::*;
use ramure::{Bytes, Picture, Report};
use ramure_explorer::{Explorer, RootHistory};
use serde_json::json;
use std::cell::RefCell;

// -------------------------------------------------------------------------------------------------------------

const TITLE: &str = "Chomp";
const RULES: &str = "A bite takes a piece and all below and to its right. Do not eat the green one.";
const PLAYERS: [&str; 2] = ["First", "Second"];

fn start() -> Game {
    Game::new()
}

fn search(state: Game) -> Mcts<Game> {
    Mcts::new(state).memory_limit(Bytes::mib(256)).seed(1)
}

// -------------------------------------------------------------------------------------------------------------

/// A game that is being played, and its search.
struct Table {
    search: Mcts<Game>,
    /// The positions before, and what was played in each.
    past: Vec<(Game, <Game as GameState>::Action)>,
    /// The latest report at this position.
    report: Option<Report<<Game as GameState>::Action>>,
    iterations: u64,
    history: RootHistory,
}

impl Table {
    fn new() -> Self {
        let (search, past, history) = (search(start()), Vec::new(), RootHistory::new());
        Table { search, past, report: None, iterations: 0, history }
    }

    fn forget(&mut self) {
        (self.report, self.iterations, self.history) = (None, 0, RootHistory::new());
    }

    /// Searches for so many milliseconds.
    fn think(&mut self, millis: u64) -> Result<(), String> {
        if self.search.state().turn() != Turn::Over {
            let report = self.search.run(Budget::millis(millis)).map_err(|error| error.to_string())?;
            self.iterations += report.iterations;
            self.history.record(&report);
            self.report = Some(report);
        }
        Ok(())
    }

    /// Plays the legal action of this index.
    fn play(&mut self, index: usize) -> Result<(), String> {
        let state = self.search.state().clone();
        let action = state.actions().into_iter().nth(index).ok_or("there is no such action")?;
        self.search.advance(action.clone()).map_err(|error| error.to_string())?;
        self.past.push((state, action));
        self.forget();
        Ok(())
    }

    fn undo(&mut self) {
        if let Some((state, _)) = self.past.pop() {
            self.search.reset(state);
            self.forget();
        }
    }

    /// Returns what the page shows, as JSON.
    fn view(&self) -> String {
        let state = self.search.state();
        let player = match state.turn() {
            Turn::Player(player) => Some(player),
            _ => None,
        };
        let names = state.actions().into_iter().map(|action| format!("{action:?}"));
        let actions: Vec<_> = names
            .enumerate()
            .map(|(index, name)| {
                let found = self.report.iter().flat_map(|report| &report.actions);
                let found = found.clone().find(|found| format!("{:?}", found.action) == name);
                let [visits, mean] =
                    found.map_or([0.0; 2], |found| [f64::from(found.visits), found.mean.into()]);
                json!({ "index": index, "name": name, "visits": visits, "mean": mean })
            })
            .collect();
        json!({
            "title": TITLE,
            "rules": RULES,
            "players": PLAYERS,
            "player": player,
            "rewards": player.is_none().then(|| [state.reward(0), state.reward(1)]),
            "picture": state.picture(self.past.last().map(|(_, action)| action.clone())),
            "played": self.past.iter().map(|(_, action)| format!("{action:?}")).collect::<Vec<_>>(),
            "best": self.report.as_ref().map(|report| format!("{:?}", report.best_action())),
            "iterations": self.iterations,
            "actions": actions,
        })
        .to_string()
    }

    /// Returns the explorer's page of the tree.
    fn page(&self) -> String {
        let explorer = Explorer::new(self.search.tree()).title(TITLE).players(PLAYERS).nodes(5_000);
        explorer.pictures().statistics().history(&self.history).to_string()
    }
}

thread_local! {
    static TABLE: RefCell<Table> = RefCell::new(Table::new());
    /// The latest answer, which the page reads from memory.
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Answers a request of the page. Returns where the answer lies.
#[unsafe(no_mangle)]
pub extern "C" fn ask(request: u32, number: u32) -> *const u8 {
    let answer = TABLE.with_borrow_mut(|table| {
        let mut done = Ok(());
        match request {
            0 => *table = Table::new(),
            1 => done = table.think(number.into()),
            2 => done = table.play(number as usize),
            3 => table.undo(),
            _ => return table.page(),
        }
        done.map_or_else(|error| json!({ "error": error }).to_string(), |()| table.view())
    });
    ANSWER.with_borrow_mut(|text| {
        *text = answer;
        text.as_ptr()
    })
}

/// Returns the length of the latest answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    ANSWER.with_borrow(String::len)
}
