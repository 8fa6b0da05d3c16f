//! The saved state of rollout policies, behind the feature `save`. Evaluators and functions are
//! the user's.

use super::best_line::worth;
use super::grams::{Context, Contexts};
use super::mast::{Rule, gibbs_weight};
use super::means::Means;
use super::nst::Gram;
use super::{
    AskTell, BestLine, Cutoff, Decisive, EpsilonGreedyRollouts, Evaluate, EvaluationPriors, LastGoodReply,
    Mast, Mixed, MultipleRollouts, Nst, Ppa, Softmax, Uniform, WithPriors,
};
use crate::custom_error::BoxError;
use crate::game::{ActionIndex, GameState, MAX_PLAYERS};
use crate::math::exp;
use crate::persist::{Persist, persist_both, persist_inner, persist_settings};
use serde::Serialize;
use serde::de::DeserializeOwned;

persist_settings! { AskTell, Uniform }

persist_inner! {
    Cutoff<R>, rollout_policy, |cutoff| {
        let Cutoff { actions, probability, margin, every, .. } = cutoff;
        format!("Cutoff {{ actions: {actions}, probability: {probability:?}, margin: {margin:?}, every: {every} }}")
    };
    Decisive<R>, otherwise, |decisive| format!("Decisive {{ anti: {} }}", decisive.anti);
    EvaluationPriors<R>, rollout_policy, |priors| format!("EvaluationPriors {{ temperature: {:?} }}", priors.temperature);
    MultipleRollouts<R>, rollout_policy, |multiple| format!("MultipleRollouts {{ rollouts: {} }}", multiple.rollouts);
    WithPriors<R, F>, rollout_policy, |_with| "WithPriors".into();
}

// The evaluator or the heuristic is the user's.
persist_settings! {
    Evaluate<E>: |evaluate| match evaluate.size {
        0 => "Evaluate".into(),
        size => format!("Evaluate {{ size: {size} }}"),
    };
    EpsilonGreedyRollouts<H>: |rollouts| format!("EpsilonGreedyRollouts {{ epsilon: {:?} }}", rollouts.epsilon);
    Softmax<H>: |softmax| format!("Softmax {{ tau: {:?} }}", softmax.tau);
}

persist_both! {
    Mixed<E, R>, evaluation, rollout_policy, |mixed| format!("Mixed {{ lambda: {:?} }}, ", mixed.lambda)
}

/// The best game: its actions from the root state on, and its reward.
impl<G: GameState, R: Persist<G>> Persist<G> for BestLine<R, G::Action>
where
    G::Action: Serialize + DeserializeOwned,
{
    type Learned = (Option<(Vec<G::Action>, f32)>, R::Learned);
    fn settings(&self) -> String {
        format!("BestLine, {}", self.rollout_policy.settings())
    }
    fn learned(&self, state: &G) -> Self::Learned {
        // The root may have moved since the last run. The next run would keep the same.
        (self.best_from(state), self.rollout_policy.learned(state))
    }
    fn check_learned(&self, state: &G, (best, rollouts): &Self::Learned) -> Result<(), BoxError> {
        if let Some((line, reward)) = best {
            unless((0.0..=1.0).contains(reward), "the best line has no reward in [0, 1]")?;
            unless(worth(state, line) == Some(*reward), "the best line is not legal or has another reward")?;
        }
        self.rollout_policy.check_learned(state, rollouts)
    }
    fn restore(&mut self, (best, rollouts): Self::Learned) {
        self.best = best;
        self.rollout_policy.restore(rollouts);
    }
}

/// For each player and action, how often the action was played, and the sum of the rewards.
impl<G: ActionIndex> Persist<G> for Mast {
    type Learned = Vec<(u64, f64)>;
    fn settings(&self) -> String {
        format!("Mast {{ {:?} }}", self.rule)
    }
    fn learned(&self, _: &G) -> Self::Learned {
        self.means.learned_sums()
    }
    fn check_learned(&self, _: &G, learned: &Self::Learned) -> Result<(), BoxError> {
        are_sums::<G>(learned)
    }
    fn restore(&mut self, learned: Self::Learned) {
        self.means = Means::of_sums(learned);
        if let Rule::Gibbs(tau) = self.rule {
            self.weights = self.means.map(|mean| gibbs_weight(mean, tau));
        }
    }
}

/// The record of an action after others: its index, how often it was played, and its mean reward.
type GramWords = (u32, u32, f64);

impl<G: ActionIndex> Persist<G> for Nst {
    type Learned = (Vec<(u64, f64)>, Vec<(Context, Vec<GramWords>)>);
    fn settings(&self) -> String {
        let Nst { longest, k, epsilon, .. } = self;
        format!("Nst {{ longest: {longest}, k: {k}, epsilon: {epsilon:?} }}")
    }
    fn learned(&self, _: &G) -> Self::Learned {
        let words = |row: &Vec<Gram>| row.iter().map(|gram| (gram.index, gram.count, gram.mean)).collect();
        (self.single.learned_sums(), in_order(&self.longer, words))
    }
    fn check_learned(&self, _: &G, (single, longer): &Self::Learned) -> Result<(), BoxError> {
        are_sums::<G>(single)?;
        are_in_order(longer)?;
        let is_gram = |&(index, count, mean): &GramWords| {
            (index as usize) < G::ACTION_COUNT && count > 0 && (0.0..=1.0).contains(&mean)
        };
        let is_row = |row: &Vec<GramWords>| row.iter().all(is_gram) && row.is_sorted_by(|a, b| a.0 < b.0);
        unless(
            longer.iter().all(|(_, row)| is_row(row)),
            "the sequences of actions are not those of this game",
        )
    }
    fn restore(&mut self, (single, longer): Self::Learned) {
        self.single = Means::of_sums(single);
        let row = |row: Vec<GramWords>| {
            row.into_iter().map(|(index, count, mean)| Gram { index, count, mean }).collect()
        };
        self.longer = longer.into_iter().map(|(context, words)| (context, row(words))).collect();
    }
}

/// For each context, the reply.
impl<G: ActionIndex, R: Persist<G>> Persist<G> for LastGoodReply<G::Action, R>
where
    G::Action: Serialize + DeserializeOwned,
{
    type Learned = (Vec<(Context, G::Action)>, R::Learned);
    fn settings(&self) -> String {
        let LastGoodReply { actions, forgets, otherwise, .. } = self;
        format!("LastGoodReply {{ actions: {actions}, forgets: {forgets} }}, {}", otherwise.settings())
    }
    fn learned(&self, state: &G) -> Self::Learned {
        (in_order(&self.replies, G::Action::clone), self.otherwise.learned(state))
    }
    fn check_learned(&self, state: &G, (replies, otherwise): &Self::Learned) -> Result<(), BoxError> {
        are_in_order(replies)?;
        self.otherwise.check_learned(state, otherwise)
    }
    fn restore(&mut self, (replies, otherwise): Self::Learned) {
        self.replies = replies.into_iter().collect();
        self.otherwise.restore(otherwise);
    }
}

/// The weights.
impl<G: ActionIndex> Persist<G> for Ppa {
    type Learned = Vec<f64>;
    fn settings(&self) -> String {
        format!("Ppa {{ alpha: {:?} }}", self.alpha)
    }
    fn learned(&self, _: &G) -> Self::Learned {
        self.weights.clone()
    }
    fn check_learned(&self, _: &G, weights: &Self::Learned) -> Result<(), BoxError> {
        is_table::<G>(weights.len())?;
        unless(weights.iter().all(|weight| weight.is_finite()), "a weight is not finite")
    }
    fn restore(&mut self, weights: Self::Learned) {
        self.exponentials = weights.iter().map(|&weight| exp(weight)).collect();
        self.changes = vec![0.0; weights.len()];
        self.weights = weights;
    }
}

/// Returns the entries in the order of their contexts, so that equal tables are written alike.
fn in_order<V, W>(table: &Contexts<V>, words: impl Fn(&V) -> W) -> Vec<(Context, W)> {
    let mut entries: Vec<_> = table.iter().map(|(&context, value)| (context, words(value))).collect();
    entries.sort_unstable_by_key(|&(context, _)| context);
    entries
}

fn are_in_order<W>(entries: &[(Context, W)]) -> Result<(), BoxError> {
    unless(entries.is_sorted_by(|a, b| a.0 < b.0), "a context of actions is there twice")
}

/// Checks the size of a table with a row of actions for each player.
fn is_table<G: ActionIndex>(len: usize) -> Result<(), BoxError> {
    let fits = len.is_multiple_of(G::ACTION_COUNT.max(1)) && len <= MAX_PLAYERS * G::ACTION_COUNT;
    unless(fits, "a table of actions is not one of this game")
}

fn are_sums<G: ActionIndex>(sums: &[(u64, f64)]) -> Result<(), BoxError> {
    is_table::<G>(sums.len())?;
    let is_sum = |&(count, sum): &(u64, f64)| count <= 1 << 53 && (0.0..=count as f64).contains(&sum);
    unless(sums.iter().all(is_sum), "a sum of rewards is not one of so many rewards")
}

fn unless(holds: bool, message: &'static str) -> Result<(), BoxError> {
    if holds { Ok(()) } else { Err(message.into()) }
}
