//! Which games a contest has, in which order.

use super::conditions::Conditions;
use super::error::ContestError;
use crate::Recipe;
use ramure::game::{GameFault, GameState, MAX_PLAYERS};

/// All games of a contest. They come in groups: the same opening with all agents of a pairing once in every seat. Group by
/// group all pairings are played, so whenever a contest is ended, all have played about as much.
pub struct Plan<'a, G: GameState> {
    /// What kind of contest, and of what, for the head of its results file.
    pub kind: String,
    pub start: &'a G,
    pub agents: &'a [Recipe<G>],
    /// The agents of each pairing, by number.
    pub pairings: Vec<Vec<usize>>,
    pub conditions: &'a Conditions,
    /// Whether it may end before all games are played: then more may be asked for than can be kept.
    pub may_end_early: bool,
}

/// The most games of a contest, of all pairings together. All are kept until it ends: some 400 bytes each and 4 for each action.
pub const MOST_GAMES: u64 = 2_000_000;

/// A game to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    pub pairing: usize,
    /// Which game of the pairing.
    pub game: usize,
    /// Which group of games.
    pub group: usize,
    /// The agents in the order of their seats.
    pub seats: Vec<usize>,
}

impl<G: GameState> Plan<'_, G> {
    /// Whether it can be played.
    pub fn check(&self) -> Result<(), ContestError> {
        let players = self.start.players();
        if players == 0 || usize::from(players) > MAX_PLAYERS {
            return Err(ContestError::Game { fault: GameFault::Players { players }, ply: 0 });
        }
        if self.pairings.is_empty() {
            return Err(ContestError::NobodyPlays);
        }
        if let Some(pairing) = self.pairings.iter().find(|pairing| pairing.len() != usize::from(players)) {
            return Err(ContestError::Players { agents: pairing.len(), players });
        }
        let games = self.conditions.games;
        if games == 0 {
            return Err(ContestError::NoGames);
        }
        if !games.is_multiple_of(u32::from(players)) {
            return Err(ContestError::UnevenGames { games, players });
        }
        if !self.may_end_early && self.len() as u64 > MOST_GAMES {
            return Err(ContestError::TooManyGames { games: self.len() as u64, most: MOST_GAMES });
        }
        Ok(())
    }

    /// What the game is called.
    pub fn game(&self) -> String {
        self.conditions.label.clone().unwrap_or_else(super::game_name::<G>)
    }

    /// How many sit round the table: as many as the game has players, if the plan can be played.
    pub fn seats(&self) -> usize {
        self.pairings[0].len()
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.pairings.len().saturating_mul(self.conditions.games as usize)
    }

    /// The `number`th game.
    pub fn job(&self, number: usize) -> Job {
        let seats = self.seats();
        let (group, rest) = (number / (seats * self.pairings.len()), number % (seats * self.pairings.len()));
        let (pairing, turn) = (rest / seats, rest % seats);
        let agents = &self.pairings[pairing];
        let seats_taken = (0..seats).map(|seat| agents[(seat + turn) % seats]).collect();
        Job { pairing, game: group * seats + turn, group, seats: seats_taken }
    }

    /// Which number a game has; the inverse of [`job`](Self::job).
    pub fn number(&self, pairing: usize, game: usize) -> usize {
        let seats = self.seats();
        (game / seats * self.pairings.len() + pairing) * seats + game % seats
    }
}
