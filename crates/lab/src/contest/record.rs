//! Records of games.

use ramure::{GameState, Player, Turn};
use serde::{Deserialize, Serialize};

/// A game that was played: a line of a results file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The index of the pairing in the contest, from 0; a match has one pairing.
    pub pairing: u32,
    /// The index of the game in the pairing, from 0.
    pub game: u32,
    /// The agents that play as player 0, 1, ..., as indices into the agents of the contest.
    pub seats: Vec<usize>,
    /// The number of actions of the random opening.
    pub opening: u32,
    /// All actions, including those of the opening and of chance, each as its index in the list of legal
    /// actions, from 0.
    pub actions: Vec<u32>,
    /// The rewards of player 0, 1, ...
    pub rewards: Vec<f64>,
    /// Why the game was ended early, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<Forfeit>,
    /// How many times player 0, 1, ... chose an action.
    pub choices: Vec<u32>,
    /// The total thinking time of player 0, 1, ..., in seconds.
    pub seconds: Vec<f64>,
}

/// A forfeit: an agent failed, panicked, lost on time, or returned an illegal action. Its reward is 0; the
/// others share one point.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Forfeit {
    /// The player whose agent forfeited.
    pub player: Player,
    /// The event.
    pub reason: String,
    /// Whether the player lost on time: the flag of its clock fell.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub on_time: bool,
}

impl Forfeit {
    /// The rewards of the players.
    pub(super) fn rewards(&self, players: u8) -> Vec<f64> {
        let share = 1.0 / f64::from(players.saturating_sub(1)).max(1.0);
        (0..players).map(|other| if other == self.player { 0.0 } else { share }).collect()
    }
}

/// The outcome of a game for a player.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// Another player has a greater reward.
    Loss,
    /// All players have the same reward. In a game of one player: a reward between 0 and 1.
    Draw,
    /// No player has a greater reward, and not all have the same: several players may win together. In a game
    /// of one player: a reward of 1.
    Win,
}

impl Record {
    /// Returns the outcome of the game for `player`.
    pub fn outcome(&self, player: Player) -> Outcome {
        let own = self.rewards[usize::from(player)];
        let (is_draw, is_win) = match self.rewards[..] {
            [_] => (own != 0.0 && own != 1.0, own == 1.0),
            ref all => (all.iter().all(|&reward| reward == own), all.iter().all(|&reward| reward <= own)),
        };
        match (is_draw, is_win) {
            (true, _) => Outcome::Draw,
            (false, true) => Outcome::Win,
            (false, false) => Outcome::Loss,
        }
    }

    /// Replays the game from `start`, and returns its actions.
    ///
    /// # Errors
    ///
    /// Returns [`ReplayError`] if the record is of another game or of other rules: if an action does not
    /// exist, if the rewards or the numbers of choices after the opening differ from those of the record, or
    /// if a time is negative or not finite.
    ///
    /// ```
    /// use ramure_agents::{First, Random};
    /// use ramure_games::Connect4;
    /// use ramure_lab::Recipe;
    /// use ramure_lab::contest::{Conditions, Match};
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
            let turn = state.turn();
            if turn == Turn::Over {
                return Err(missing); // a game may list actions after its end
            }
            let action = state.actions().into_iter().nth(index as usize).ok_or(missing)?;
            if let Turn::Player(player) = turn
                && ply >= self.opening as usize
            {
                *choices.get_mut(usize::from(player)).ok_or(ReplayError::OtherPlayers)? += 1;
            }
            state.apply(action.clone());
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
            // A choice that ended in a forfeit counts, but played no action.
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

/// Why a record cannot be replayed.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReplayError {
    /// There are fewer legal actions than the index of an action, or the game is over.
    #[error("after {ply} actions there is no legal action of index {index}")]
    NoSuchAction {
        /// The number of actions before it.
        ply: u32,
        /// The index in the list of legal actions, from 0.
        index: u32,
    },
    /// The game is not over at the end of the record, or it ends with other rewards.
    #[error("the recorded actions do not lead to the recorded end")]
    OtherEnd,
    /// The game has another number of players.
    #[error("the record has another number of players than the game")]
    OtherPlayers,
    /// The opening has the wrong number of actions.
    #[error("the recorded opening has the wrong number of actions")]
    OtherOpening,
    /// A player chose another number of times.
    #[error("player {player} does not choose as many times as recorded")]
    OtherChoices {
        /// The player.
        player: Player,
    },
    /// The thinking time of a player is negative or not finite.
    #[error("the recorded time of player {player} is negative or not finite")]
    Time {
        /// The player.
        player: Player,
    },
}

ramure::debug_as_sentence!(ReplayError);

#[cfg(test)]
mod tests {
    use super::{Record, ReplayError};
    use ramure::{GameState, Player, Turn};

    /// A game of one action, which lists its actions after the end, too.
    #[derive(Clone)]
    struct Short(u8);

    impl GameState for Short {
        type Action = u8;
        fn turn(&self) -> Turn {
            if self.0 == 0 { Turn::Player(0) } else { Turn::Over }
        }
        fn actions(&self) -> impl IntoIterator<Item = u8> {
            0..2
        }
        fn apply(&mut self, _: u8) {
            self.0 += 1;
        }
        fn reward(&self, _: Player) -> f64 {
            0.5
        }
    }

    #[test]
    fn a_record_that_plays_past_the_end_is_refused() {
        let record = |actions: &[u32]| Record {
            pairing: 0,
            game: 0,
            seats: vec![0, 1],
            opening: 0,
            actions: actions.to_vec(),
            rewards: vec![0.5, 0.5],
            forfeit: None,
            choices: vec![1, 0],
            seconds: vec![0.0, 0.0],
        };
        assert_eq!(record(&[1]).replay(&Short(0)), Ok(vec![1]));
        let past = ReplayError::NoSuchAction { ply: 1, index: 0 };
        assert_eq!(record(&[1, 0]).replay(&Short(0)), Err(past));
    }
}
