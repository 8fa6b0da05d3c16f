//! Reports of a training.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The activity of a training.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Progress {
    /// Games of self-play.
    SelfPlay {
        /// How many are over.
        done: usize,
        /// How many there are.
        of: usize,
    },
    /// Steps of the optimiser.
    Training {
        /// How many are over.
        done: usize,
        /// How many there are.
        of: usize,
    },
    /// Games against the best network.
    Gate {
        /// How many are over.
        done: usize,
        /// How many there are.
        of: usize,
    },
    /// Games against the plain search.
    Evaluation {
        /// How many are over.
        done: usize,
        /// How many there are.
        of: usize,
    },
}

/// The result of a match.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Score {
    /// The mean reward of the network.
    pub mean: f64,
    /// The number of games.
    pub games: usize,
}

/// The results of one iteration of a training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Iteration {
    /// Its number, from 1.
    pub iteration: u64,
    /// The games of self-play.
    pub games: usize,
    /// The positions with a target that these games added.
    pub positions: usize,
    /// The positions of the whole training.
    pub total_positions: u64,
    /// The mean number of actions in a game.
    pub actions: f64,
    /// The steps of the optimiser, of the whole training.
    pub steps: u64,
    /// The mean loss of the policy over the steps of this iteration: the cross-entropy with its target, in
    /// nats. `None` without a step.
    pub policy_loss: Option<f64>,
    /// The mean loss of the value: its squared error, in units of the output.
    pub value_loss: Option<f64>,
    /// The result against the best network, if there was a match.
    pub gate: Option<Score>,
    /// Whether the latest network is the best one from now on.
    pub is_best: bool,
    /// The result against the plain search, if there was a match; of a game of one player, the reward of the
    /// network alone.
    pub evaluation: Option<Score>,
    /// The positions that networks evaluated, with those of the matches.
    pub evaluations: u64,
    /// The seconds of self-play.
    pub play_seconds: f64,
    /// The seconds of the optimiser.
    pub training_seconds: f64,
    /// The seconds of matches.
    pub match_seconds: f64,
}

impl fmt::Display for Iteration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Iteration { iteration, games, positions, actions, play_seconds, training_seconds, .. } = self;
        write!(
            f,
            "{iteration}: {games} games of {actions:.1} actions, {positions} positions in {play_seconds:.1} s"
        )?;
        if let (Some(policy), Some(value)) = (self.policy_loss, self.value_loss) {
            write!(
                f,
                "; losses {policy:.3} (policy) and {value:.3} (value) after {} steps, {training_seconds:.1} s",
                self.steps
            )?;
        }
        if let Some(gate) = self.gate {
            let verdict = if self.is_best { "takes its place" } else { "does not take its place" };
            write!(f, "; against the best network {gate}, {verdict}")?;
        }
        if let Some(score) = self.evaluation {
            write!(f, "; evaluation {score}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} in {} games", self.mean, self.games)
    }
}

impl Score {
    pub(crate) fn of(rewards: &[f64]) -> Self {
        Score { mean: rewards.iter().sum::<f64>() / rewards.len().max(1) as f64, games: rewards.len() }
    }
}
