//! The positions from which a network learns.

use super::TrainError;
use super::play::Record;
use crate::Planes;
use crate::check::Contract;
use crate::network::Symmetries;
use candle_core::{Device, Tensor};
use ramure::{Rewards, Rng, Turn};
use std::collections::VecDeque;

/// The number by which the logits of illegal actions are lowered.
const ILLEGAL: f32 = -1e9;

/// A position with its targets.
struct Sample<G> {
    state: G,
    policy: Vec<f32>,
    rewards: Vec<f32>,
}

/// The latest games.
pub(crate) struct Replay<G> {
    pub games: VecDeque<Record>,
    samples: VecDeque<Sample<G>>,
}

/// A batch of positions.
pub(crate) struct Batch {
    pub input: Tensor,
    pub policy: Tensor,
    /// 0 for legal actions, and a large negative number for others.
    pub mask: Tensor,
    pub value: Tensor,
}

impl<G: Planes> Replay<G> {
    pub(crate) fn new() -> Self {
        Replay { games: VecDeque::new(), samples: VecDeque::new() }
    }

    /// Returns the number of positions.
    pub(crate) fn len(&self) -> usize {
        self.samples.len()
    }

    /// Adds a game that began in `start`. Old games leave as long as `most` positions remain without them.
    /// Returns the number of new positions; `None` if the game does not fit the rules, where the replay is of
    /// no more use.
    pub(crate) fn add(&mut self, start: &G, record: Record, most: usize) -> Option<usize> {
        let before = self.samples.len();
        let (mut state, mut targets) = (start.clone(), record.targets.iter().peekable());
        for (ply, &number) in record.actions.iter().enumerate() {
            let actions = Vec::from_iter(state.actions());
            let action = actions.get(number as usize)?.clone();
            if let Some(target) = targets.next_if(|target| target.ply as usize == ply) {
                let is_chance = state.turn() == Turn::Chance;
                let count = if is_chance { 0 } else { actions.len() };
                let rewards = target.proof.as_ref().unwrap_or(&record.rewards).clone();
                if target.policy.len() != count || rewards.len() != usize::from(state.players()) {
                    return None;
                }
                self.samples.push_back(Sample {
                    state: state.clone(),
                    policy: target.policy.clone(),
                    rewards,
                });
            }
            state.apply(action);
        }
        let is_whole = state.turn() == Turn::Over && targets.peek().is_none();
        let is_right = Rewards::of(&state).is_ok_and(|rewards| rewards.as_slice() == record.rewards);
        if !is_whole || !is_right {
            return None;
        }
        let added = self.samples.len() - before;
        self.games.push_back(record);
        while let Some(oldest) = self.games.front()
            && self.samples.len() >= most + oldest.targets.len()
        {
            self.samples.drain(..oldest.targets.len());
            self.games.pop_front();
        }
        Some(added)
    }

    /// Draws positions, each in a random orientation.
    pub(crate) fn draw(
        &self,
        contract: &Contract,
        values: usize,
        symmetries: &Symmetries<G>,
        size: usize,
        rng: &mut Rng,
    ) -> Result<Batch, TrainError> {
        let Contract { shape, policy: columns, players } = *contract;
        let mut input = vec![0.0; size * shape.len()];
        let mut policy = vec![0.0; size * columns];
        let mut mask = vec![ILLEGAL; size * columns];
        let mut value = Vec::with_capacity(size * values);
        for row in 0..size {
            let Sample { state, policy: shares, rewards } = &self.samples[rng.below(self.samples.len())];
            let orientation = rng.below(symmetries.count + 1);
            let seen = (symmetries.state)(state, orientation);
            let viewer = seen.viewer();
            if seen.shape() != shape || viewer >= players {
                let reason =
                    "a symmetry leads to another shape of the input, or to a viewer who is not a player";
                return Err(TrainError::Game { reason });
            }
            let numbers = &mut input[row * shape.len()..][..shape.len()];
            seen.write(numbers);
            if !numbers.iter().all(|number| number.is_finite()) {
                return Err(TrainError::Game { reason: "it writes numbers that are NaN or infinite" });
            }
            if shares.is_empty() {
                mask[row * columns..][..columns].fill(0.0); // chance draws: nothing is to be learned about actions
            }
            for (action, &share) in state.actions().into_iter().zip(shares) {
                let column = seen.policy_index((symmetries.action)(state, action, orientation));
                if column >= columns {
                    return Err(TrainError::Game { reason: "an action has a column beyond the policy" });
                }
                policy[row * columns + column] += share;
                mask[row * columns + column] = 0.0;
            }
            // The rewards of the players, from the viewer on.
            let mut turned = vec![0.0; players.into()];
            for player in 0..players {
                let seen_as = (symmetries.player)(state, player, orientation);
                turned[usize::from((seen_as + players - viewer) % players)] = rewards[usize::from(player)];
            }
            if values == 1 {
                value.push(2.0 * turned[0] - 1.0);
            } else {
                value.extend(turned);
            }
        }
        let tensor = |numbers, columns| Tensor::from_vec(numbers, (size, columns), &Device::Cpu);
        Ok(Batch {
            input: tensor(input, shape.len())?,
            policy: tensor(policy, columns)?,
            mask: tensor(mask, columns)?,
            value: tensor(value, values)?,
        })
    }
}
