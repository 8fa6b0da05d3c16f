//! The functions that JavaScript calls. Texts are JSON.

use crate::bandits::{self, LEARNERS};
use crate::games::GAMES;
use crate::lesson;
use crate::link::open;
use crate::puzzle;
use crate::settings::{POLICIES, ROLLOUTS, Settings};
use crate::table::AnyTable;
use core::time::Duration;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

/// Returns the games, the policies with their constants, and the settings to start with.
#[wasm_bindgen]
pub fn catalogue() -> Result<String, JsError> {
    let catalogue = serde_json::json!({
        "games": GAMES,
        "policies": POLICIES,
        "rollouts": ROLLOUTS,
        "settings": Settings::default(),
        "learners": LEARNERS,
    });
    Ok(catalogue.to_string())
}

/// A game with a search for each player.
#[wasm_bindgen]
pub struct Table(Box<dyn AnyTable>);

#[wasm_bindgen]
impl Table {
    /// Sets up the position of a link; `settings` are those of both players.
    #[wasm_bindgen(constructor)]
    pub fn new(link: &str, settings: &str) -> Result<Table, JsError> {
        Ok(Table(open(link, serde_json::from_str(settings)?)?))
    }

    /// Plays an action.
    pub fn play(&mut self, action: &str) -> Result<(), JsError> {
        Ok(self.0.play(action)?)
    }

    /// Takes actions back.
    pub fn undo(&mut self, count: usize) -> usize {
        self.0.undo(count)
    }

    /// Changes the settings of a player's search.
    pub fn set(&mut self, player: u8, settings: &str) -> Result<(), JsError> {
        Ok(self.0.set(player, serde_json::from_str(settings)?)?)
    }

    /// Lets the search of the player to move think for a slice of its effort. Returns whether it has
    /// finished.
    pub fn think(&mut self, millis: u32) -> Result<bool, JsError> {
        Ok(self.0.think(Duration::from_millis(millis.into()))?)
    }

    /// Lets the search of the player to move think without a limit.
    pub fn analyse(&mut self, millis: u32) -> Result<(), JsError> {
        Ok(self.0.analyse(Duration::from_millis(millis.into()))?)
    }

    /// Lets the search of the player to move begin to think again.
    pub fn restart_thinking(&mut self) {
        self.0.restart_thinking();
    }

    /// Lets the analyst judge the first position that is not judged. Returns whether all are.
    pub fn review(&mut self, millis: u32) -> Result<bool, JsError> {
        Ok(self.0.review(Duration::from_millis(millis.into()))?)
    }

    /// Returns what the page shows of the position after `ply` actions.
    pub fn view(&self, ply: usize) -> Result<String, JsError> {
        Ok(serde_json::to_string(&self.0.view(ply))?)
    }

    /// Returns the number of actions played.
    pub fn plies(&self) -> usize {
        self.0.plies()
    }

    /// Returns the pictures along a line, whose actions are separated by commas.
    pub fn pictures(&self, ply: usize, line: &str) -> Vec<String> {
        self.0.pictures(ply, &line.split(',').collect::<Vec<_>>())
    }

    /// Returns the explorer's page of the tree.
    pub fn page(&self) -> String {
        self.0.page()
    }
}

/// A search of Tic-Tac-Toe that makes one iteration at a time.
#[wasm_bindgen]
pub struct Lesson(lesson::Lesson);

#[wasm_bindgen]
impl Lesson {
    /// Begins in the position after `moves`.
    #[wasm_bindgen(constructor)]
    pub fn new(moves: &str, c: f64, seed: u32) -> Result<Lesson, JsError> {
        Ok(Lesson(lesson::Lesson::new(moves, c, seed.into())?))
    }

    /// Returns the picture of the position.
    pub fn picture(&self) -> String {
        self.0.picture()
    }

    /// Makes an iteration. Returns what it did.
    pub fn iterate(&mut self) -> Result<String, JsError> {
        Ok(serde_json::to_string(&self.0.iterate()?)?)
    }
}

/// Three policies on a bandit.
#[wasm_bindgen]
pub struct Bandits(bandits::Bandits);

#[wasm_bindgen]
impl Bandits {
    /// Sets up a bandit.
    #[wasm_bindgen(constructor)]
    pub fn new(probabilities: &[f64], seed: u32) -> Result<Bandits, JsError> {
        Ok(Bandits(bandits::Bandits::new(probabilities, seed.into())?))
    }

    /// Lets each policy play. Returns what all have done.
    pub fn play(&mut self, count: u32) -> Result<String, JsError> {
        Ok(serde_json::to_string(&self.0.play(count.into())?)?)
    }
}

/// A board of SameGame with a search that plays it.
#[wasm_bindgen]
pub struct Puzzle(puzzle::Puzzle);

#[wasm_bindgen]
impl Puzzle {
    /// Sets up the random board of this number.
    #[wasm_bindgen(constructor)]
    pub fn new(board: u32, seed: u32) -> Puzzle {
        Puzzle(puzzle::Puzzle::new(board.into(), seed.into()))
    }

    /// Searches.
    pub fn think(&mut self, iterations: u32) -> Result<(), JsError> {
        Ok(self.0.think(iterations.into())?)
    }

    /// Removes the group that the search chooses.
    pub fn play(&mut self) -> Result<(), JsError> {
        Ok(self.0.play()?)
    }

    /// Returns what the page shows.
    pub fn view(&self) -> Result<String, JsError> {
        Ok(serde_json::to_string(&self.0.view())?)
    }
}
