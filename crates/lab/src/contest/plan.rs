//! The plan of a contest: its games and their order.

use super::conditions::Conditions;
use super::error::ContestError;
use crate::Recipe;
use ramure::{GameFault, GameState, MAX_PLAYERS};

/// All games of a contest. They come in groups; a group has the same opening, with each agent of a pairing
/// once in every seat. All pairings are played group by group, so whenever a contest is stopped, they have
/// played nearly the same number of games.
pub struct Plan<'a, G: GameState> {
    /// A description of the contest, for the first line of its results file.
    pub kind: String,
    pub start: &'a G,
    pub agents: &'a [Recipe<G>],
    /// The agents of each pairing, by index.
    pub pairings: Vec<Vec<usize>>,
    pub conditions: &'a Conditions,
    /// Whether the contest may end before all games are played. Then the plan may have more games than fit in
    /// memory.
    pub may_end_early: bool,
}

/// The greatest number of games of a contest, over all pairings. All games are kept until it ends, at about
/// 400 bytes each and 4 bytes per action.
pub const MOST_GAMES: u64 = 2_000_000;

/// A game to play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    pub pairing: usize,
    /// The index of the game in the pairing.
    pub game: usize,
    /// The index of the group of games.
    pub group: usize,
    /// The agents in the order of their seats.
    pub seats: Vec<usize>,
}

impl<'a, G: GameState> Plan<'a, G> {
    /// Creates a plan whose games are all played.
    pub fn new(
        kind: impl Into<String>,
        start: &'a G,
        agents: &'a [Recipe<G>],
        pairings: Vec<Vec<usize>>,
        conditions: &'a Conditions,
    ) -> Self {
        Plan { kind: kind.into(), start, agents, pairings, conditions, may_end_early: false }
    }

    /// Checks that the plan can be played.
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

    /// The name of the game.
    pub fn game(&self) -> String {
        self.conditions.label.clone().unwrap_or_else(super::game_name::<G>)
    }

    /// The number of seats, which is the number of players if the plan can be played.
    pub fn seats(&self) -> usize {
        self.pairings[0].len()
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.pairings.len().saturating_mul(self.conditions.games as usize)
    }

    /// The game of index `number`.
    pub fn job(&self, number: usize) -> Job {
        let seats = self.seats();
        let (group, rest) = (number / (seats * self.pairings.len()), number % (seats * self.pairings.len()));
        let (pairing, turn) = (rest / seats, rest % seats);
        let agents = &self.pairings[pairing];
        let seats_taken = (0..seats).map(|seat| agents[(seat + turn) % seats]).collect();
        Job { pairing, game: group * seats + turn, group, seats: seats_taken }
    }

    /// The index of a game; the inverse of [`job`](Self::job).
    pub fn number(&self, pairing: usize, game: usize) -> usize {
        let seats = self.seats();
        (game / seats * self.pairings.len() + pairing) * seats + game % seats
    }
}
