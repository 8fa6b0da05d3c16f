//! Rollout policies chosen at run time.

use super::written;
use crate::Persist;
use crate::custom_error::BoxError;
use crate::game::{GameFault, GameState, Rewards, Rng, StaticEvaluation};
use crate::parameter::ParameterError;
use crate::programs::table::{Position, TableAction};
use crate::simulation::Position as Asked;
use crate::simulation::{
    BatchLeaf, Cutoff, Evaluate, Evaluator, LastGoodReply, Leaf, Mast, MultipleRollouts, Numbered, Priors,
    RolloutPolicy, Trace, Uniform,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Any rollout policy of the table game.
#[derive(Clone, Debug)]
pub enum AnyRollout<A> {
    Uniform(Uniform),
    Evaluate(Evaluate<ByTable>),
    Cutoff(Cutoff),
    Mast(Mast),
    Replies(LastGoodReply<A>),
    Multiple(MultipleRollouts<Uniform>),
}

/// The evaluations of the table, with the weights of the doors as priors.
#[derive(Clone, Debug)]
pub struct ByTable;

impl<A: TableAction> Evaluator<Position<A>> for ByTable {
    fn evaluate(&self, batch: &mut [Asked<'_, Position<A>>]) -> Result<(), BoxError> {
        for position in batch {
            position.ask(|state, actions, priors| self.evaluate_one(state, actions, priors).map(Some));
        }
        Ok(())
    }

    fn evaluate_one(
        &self,
        state: &Position<A>,
        actions: &[A],
        priors: &mut [f32],
    ) -> Result<Rewards, BoxError> {
        weigh(state, actions, priors);
        Ok(Rewards::new(state.players(), |player| state.evaluate(player) as f32))
    }
}

/// Writes the weights of the doors as priors.
fn weigh<A: TableAction>(state: &Position<A>, actions: &[A], priors: &mut [f32]) {
    let room = &state.world().table.rooms[usize::from(state.room())];
    for (prior, action) in priors.iter_mut().zip(actions) {
        *prior = room.door(action.number()).map_or(1.0, |door| door.weight as f32);
    }
}

macro_rules! each {
    ($rollouts:expr, $policy:ident => $answer:expr) => {
        match $rollouts {
            AnyRollout::Uniform($policy) => $answer,
            AnyRollout::Evaluate($policy) => $answer,
            AnyRollout::Cutoff($policy) => $answer,
            AnyRollout::Mast($policy) => $answer,
            AnyRollout::Replies($policy) => $answer,
            AnyRollout::Multiple($policy) => $answer,
        }
    };
}

impl<A: TableAction> RolloutPolicy<Position<A>> for AnyRollout<A> {
    type Trace = Numbered<A>;

    fn choose(
        &self,
        leaf: &Leaf<Position<A>, impl Trace<Position<A>>>,
        rng: &mut Rng,
    ) -> Result<Option<A>, GameFault> {
        each!(self, policy => policy.choose(leaf, rng))
    }
    fn simulate(
        &self,
        leaf: &mut Leaf<Position<A>, impl Trace<Position<A>>>,
        rng: &mut Rng,
    ) -> Result<Rewards, GameFault> {
        each!(self, policy => policy.simulate(leaf, rng))
    }
    fn batch_size(&self) -> usize {
        each!(self, policy => RolloutPolicy::<Position<A>>::batch_size(policy))
    }
    fn simulate_batch<T: Trace<Position<A>>>(&self, batch: &mut [BatchLeaf<'_, Position<A>, T>]) {
        each!(self, policy => policy.simulate_batch(batch));
    }
    fn learns(&self) -> bool {
        each!(self, policy => RolloutPolicy::<Position<A>>::learns(policy))
    }
    fn learn(&mut self, trace: &Numbered<A>, rewards: &Rewards) {
        match self {
            AnyRollout::Mast(mast) => RolloutPolicy::<Position<A>>::learn(mast, trace, rewards),
            AnyRollout::Replies(replies) => {
                RolloutPolicy::<Position<A>>::learn(replies, &(trace.clone(), ()), rewards)
            }
            _ => {}
        }
    }
    fn check(&self) -> Result<(), ParameterError> {
        each!(self, policy => RolloutPolicy::<Position<A>>::check(policy))
    }
}

impl<A: TableAction> Priors<Position<A>> for AnyRollout<A> {
    fn priors(
        &self,
        state: &Position<A>,
        actions: &[A],
        priors: &mut [f32],
    ) -> Result<Option<Rewards>, BoxError> {
        match self {
            AnyRollout::Evaluate(policy) => policy.priors(state, actions, priors),
            _ => {
                weigh(state, actions, priors);
                Ok(None)
            }
        }
    }

    fn priors_batch(&self, batch: &mut [Asked<'_, Position<A>>]) {
        match self {
            AnyRollout::Evaluate(policy) => policy.priors_batch(batch),
            _ => {
                for position in batch {
                    position.ask(|state, actions, priors| {
                        weigh(state, actions, priors);
                        Ok(None)
                    });
                }
            }
        }
    }
}

impl<A: TableAction + Serialize + DeserializeOwned> Persist<Position<A>> for AnyRollout<A> {
    type Learned = Vec<u8>;

    fn settings(&self) -> String {
        each!(self, policy => Persist::<Position<A>>::settings(policy))
    }
    fn learned(&self, state: &Position<A>) -> Vec<u8> {
        each!(self, policy => written(&Persist::<Position<A>>::learned(policy, state)))
    }
    fn check_learned(&self, state: &Position<A>, learned: &Vec<u8>) -> Result<(), BoxError> {
        each!(self, policy => policy.check_learned(state, &postcard::from_bytes(learned)?))
    }
    fn restore(&mut self, learned: Vec<u8>) {
        let checked = "it was checked";
        each!(self, policy => Persist::<Position<A>>::restore(policy, postcard::from_bytes(&learned).expect(checked)));
    }
}
