//! What is kept of a game.

use core::fmt;
use ramure::game::{GameState, Player, Turn};
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

impl Forfeit {
    /// What the game brings the players.
    pub(super) fn rewards(&self, players: u8) -> Vec<f64> {
        let share = 1.0 / f64::from(players.saturating_sub(1)).max(1.0);
        (0..players).map(|other| if other == self.player { 0.0 } else { share }).collect()
    }
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
    /// The record is of another game, or of other rules: an action is not there, the rewards or the players' choices after the opening
    /// are not those of the record, or a time is negative or not finite.
    ///
    /// ```
    /// use ramure::agents::{First, Random};
    /// use ramure_lab::Recipe;
    /// use ramure_lab::contest::{Conditions, Match};
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
        let players = start.players();
        if [self.rewards.len(), self.choices.len(), self.seconds.len()] != [usize::from(players); 3] {
            return Err(ReplayError::OtherPlayers);
        }
        if self.opening as usize > self.actions.len() {
            return Err(ReplayError::OtherOpening);
        }
        let mut state = start.clone();
        let mut choices = vec![0; usize::from(players)];
        let mut actions = Vec::with_capacity(self.actions.len());
        for (ply, &index) in self.actions.iter().enumerate() {
            let missing = ReplayError::NoSuchAction { ply: ply as u32, index };
            let action = state.actions().into_iter().nth(index as usize).ok_or(missing)?;
            if let Turn::Player(player) = state.turn()
                && ply >= self.opening as usize
            {
                *choices.get_mut(usize::from(player)).ok_or(ReplayError::OtherPlayers)? += 1;
            }
            state.apply(action);
            actions.push(action);
        }
        let same_end = match &self.forfeit {
            Some(forfeit) => forfeit.player < players && self.rewards == forfeit.rewards(players),
            None => {
                state.turn() == Turn::Over
                    && state.players() == players
                    && (0..players).all(|player| state.reward(player) == self.rewards[usize::from(player)])
            }
        };
        if !same_end {
            return Err(ReplayError::OtherEnd);
        }
        for (player, (&chosen, &recorded)) in (0..players).zip(choices.iter().zip(&self.choices)) {
            // A choice that came to nothing counts, and is no action.
            let gave_away = self.forfeit.as_ref().is_some_and(|forfeit| forfeit.player == player);
            if recorded != chosen && !(gave_away && recorded == chosen + 1) {
                return Err(ReplayError::OtherChoices { player });
            }
        }
        match (0..players).zip(&self.seconds).find(|(_, seconds)| !(0.0..f64::INFINITY).contains(*seconds)) {
            Some((player, _)) => Err(ReplayError::Time { player }),
            None => Ok(actions),
        }
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
    /// The game is for another number of players.
    OtherPlayers,
    /// The opening has another number of actions.
    OtherOpening,
    /// A player chose another number of times.
    OtherChoices {
        /// Who.
        player: Player,
    },
    /// How long a player thought is negative, or not finite.
    Time {
        /// Who.
        player: Player,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::NoSuchAction { ply, index } => {
                write!(f, "after {ply} actions there is no legal action number {index}, counted from 0")
            }
            ReplayError::OtherEnd => f.write_str("the recorded actions do not lead to the recorded end"),
            ReplayError::OtherPlayers => f.write_str("the record is of a game of another number of players"),
            ReplayError::OtherOpening => f.write_str("the recorded opening has another number of actions"),
            ReplayError::OtherChoices { player } => {
                write!(f, "player {player} does not choose as often as recorded")
            }
            ReplayError::Time { player } => {
                write!(f, "the recorded time of player {player} is negative or not finite")
            }
        }
    }
}

impl core::error::Error for ReplayError {}
