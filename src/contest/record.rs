//! What is kept of a game.

use crate::game::{GameState, Player, Turn};
use core::fmt;
use serde::{Deserialize, Serialize};

/// A game that was played: a line of a results file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Which pairing of the contest, from 0; a match has one.
    pub pairing: u32,
    /// Which game of the pairing, from 0.
    pub game: u32,
    /// Which agent of the contest plays as player 0, 1, ..., each by its number.
    pub seats: Vec<usize>,
    /// How many actions the random opening has.
    pub opening: u32,
    /// All actions, the opening's and chance's among them: each by its place in the list of legal actions, from 0.
    pub actions: Vec<u32>,
    /// What the game brought player 0, 1, ...
    pub rewards: Vec<f64>,
    /// Why it ended before its end, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<Forfeit>,
    /// How often player 0, 1, ... chose.
    pub choices: Vec<u32>,
    /// How long player 0, 1, ... thought in all, in seconds.
    pub seconds: Vec<f64>,
}

/// An agent gave the game away: it failed, panicked, or returned an illegal action. It gets nothing; the others share one
/// point.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Forfeit {
    /// Who.
    pub player: Player,
    /// What happened.
    pub reason: String,
}

/// Who won, as a player sees it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// Somebody else has more.
    Loss,
    /// Nobody has more, but somebody has as much. Alone, with a reward between 0 and 1.
    Draw,
    /// All others have less. Alone, with a reward of 1.
    Win,
}

impl Record {
    /// What the game was to `player`.
    pub fn outcome(&self, player: Player) -> Outcome {
        let own = self.rewards[usize::from(player)];
        let rivals = self.rewards.iter().enumerate().filter(|&(other, _)| other != usize::from(player));
        let Some(best) = rivals.map(|(_, &reward)| reward).reduce(f64::max) else {
            return if own == 1.0 {
                Outcome::Win
            } else if own == 0.0 {
                Outcome::Loss
            } else {
                Outcome::Draw
            };
        };
        if own > best {
            Outcome::Win
        } else if own < best {
            Outcome::Loss
        } else {
            Outcome::Draw
        }
    }

    /// Plays the game again from `start`, and returns its actions.
    ///
    /// # Errors
    ///
    /// The record is of another game, or of other rules.
    ///
    /// ```
    /// use ramure::agents::{First, Random, Recipe};
    /// use ramure::contest::{Conditions, Match};
    /// use ramure::games::Connect4;
    ///
    /// let start = Connect4::new();
    /// let agents = [Recipe::new(|| First), Recipe::new(Random::default)];
    /// let result = Match::new(start, agents).run(&Conditions::games(2))?;
    /// let columns = result.played.records[0].replay(&start)?;
    /// assert_eq!(columns[0].to_string(), "0"); // the first legal action
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replay<G: GameState>(&self, start: &G) -> Result<Vec<G::Action>, ReplayError> {
        let mut state = start.clone();
        let mut actions = Vec::with_capacity(self.actions.len());
        for (ply, &index) in self.actions.iter().enumerate() {
            let missing = ReplayError::NoSuchAction { ply: ply as u32, index };
            let action = state.actions().into_iter().nth(index as usize).ok_or(missing)?;
            state.apply(action);
            actions.push(action);
        }
        if self.forfeit.is_some() {
            return Ok(actions);
        }
        let same = state.turn() == Turn::Over
            && self.rewards.len() == usize::from(state.players())
            && (0..state.players()).all(|player| state.reward(player) == self.rewards[usize::from(player)]);
        if same { Ok(actions) } else { Err(ReplayError::OtherEnd) }
    }
}

/// Why a record cannot be played again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ReplayError {
    /// There are not so many actions.
    NoSuchAction {
        /// After how many actions.
        ply: u32,
        /// The place in the list of legal actions, from 0.
        index: u32,
    },
    /// The game is not over at the end of the record, or was won by others.
    OtherEnd,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::NoSuchAction { ply, index } => {
                write!(f, "after {ply} actions there is no legal action number {index}, counted from 0")
            }
            ReplayError::OtherEnd => f.write_str("the recorded actions do not lead to the recorded end"),
        }
    }
}

impl core::error::Error for ReplayError {}
