//! Rollout policies that learn: their tables are computed a second time, plainly, from the lines played and
//! their rewards, and the actions they play are compared with those tables.

#![allow(clippy::disallowed_methods, reason = "tests may use the platform's own powers")]

use crate::common::any::Any;
use crate::common::four::Connect4;
use crate::common::nim::Nim;
use crate::common::pig::{FACES, HOLD, Pig, ROLL};
use crate::common::sized;
use crate::common::watched_games::{Draws, Line, Watch, Watched};
use ramure::prelude::*;
use ramure::simulation::{LastGoodReply, Mast, Nst, Ppa};
use ramure::{ActionIndex, Player, Rewards, StaticEvaluation};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Searches `root` by `policy`, and returns the observer.
fn watched<G, R, W>(root: G, policy: R, watch: W, iterations: u64) -> Rc<RefCell<W>>
where
    G: StaticEvaluation<Action = u8> + std::fmt::Debug + Send + Sync + 'static,
    R: RolloutPolicy<Any>,
    W: Watch<Any, R>,
{
    let watch = Rc::new(RefCell::new(watch));
    let mut search = Mcts::new(Any::new(root)).rollout_policy(Watched::new(policy, &watch)).seed(11);
    search.run(Budget::iterations(iterations)).expect("the game is sound");
    watch
}

/// Returns the index of `action` among the legal actions of `state`, and `value` of each of them.
fn among<G: GameState>(state: &G, action: G::Action, value: impl Fn(G::Action) -> f64) -> (usize, Vec<f64>) {
    let legal = Vec::from_iter(state.actions());
    let place = legal.iter().position(|other| *other == action).expect("it is legal");
    (place, legal.into_iter().map(value).collect())
}

fn softmax(exponents: Vec<f64>) -> Vec<f64> {
    let greatest = exponents.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights = exponents.iter().map(|exponent| (exponent - greatest).exp());
    let sum: f64 = weights.clone().sum();
    weights.map(|weight| weight / sum).collect()
}

fn mean(rewards: &[f64]) -> f64 {
    rewards.iter().sum::<f64>() / rewards.len() as f64
}

fn is_greatest(place: usize, values: &[f64]) -> bool {
    values.iter().all(|value| *value <= values[place] + 1e-6)
}

/// Sequences of actions, each with its player, and all final rewards of the player who played the last of
/// them.
type Rewarded = BTreeMap<Vec<(Player, u8)>, Vec<f64>>;

/// Adds all sequences of at most `longest` actions of a line.
fn take_in(known: &mut Rewarded, longest: usize, played: &Line<u8>, rewards: &Rewards) {
    for end in 1..=played.len() {
        for start in end.saturating_sub(longest)..end {
            let reward = f64::from(rewards[played[end - 1].0]);
            known.entry(played[start..end].to_vec()).or_default().push(reward);
        }
    }
}

/// MAST, plainly.
#[derive(Default)]
struct PlainMast {
    known: Rewarded,
    tau: Option<f64>,
    draws: Draws,
}

impl<G: ActionIndex<Action = u8>> Watch<G, Mast> for PlainMast {
    fn chose(&mut self, _: &Mast, state: &G, _: &Line<u8>, action: u8) {
        let player = crate::common::mover(state);
        let value = |action| self.known.get(&vec![(player, action)]).map_or(1.0, |rewards| mean(rewards));
        let (place, values) = among(state, action, value);
        match self.tau {
            None => assert!(is_greatest(place, &values), "{action} of {values:?}"),
            Some(tau) => self.draws.add(place, &softmax(values.iter().map(|value| value / tau).collect())),
        }
    }
    fn learned(&mut self, mast: &Mast, played: &Line<u8>, rewards: &Rewards) {
        take_in(&mut self.known, 1, played, rewards);
        for (line, rewards) in &self.known {
            let (count, learned) = mast.learned::<G>(line[0].0, line[0].1);
            assert_eq!(count, rewards.len() as u64);
            assert!((f64::from(learned) - mean(rewards)).abs() < 1e-6, "{learned} of {rewards:?}");
        }
        assert_eq!(mast.learned::<G>(0, 1).0 > 0, self.known.contains_key(&vec![(0, 1)]));
    }
}

#[test]
fn mast_keeps_the_means_of_actions_and_plays_the_greatest() {
    let new = || Mast::new(0.0);
    watched(Nim::<3> { sticks: 14, player: 1 }, new(), PlainMast::default(), 800);
    watched(Pig::new(5), new(), PlainMast::default(), 800);
    watched(Connect4::default(), new(), PlainMast::default(), 800);
}

#[test]
fn gibbs_sampling_of_mast_plays_each_action_with_its_probability() {
    for tau in [0.02, 0.3, 5.0] {
        let plain = || PlainMast { tau: Some(tau), ..PlainMast::default() };
        watched(Connect4::default(), Mast::gibbs(tau), plain(), sized(150, 600)).borrow().draws.assert_fair();
        let nim = Nim::<3> { sticks: 14, player: 1 };
        watched(nim, Mast::gibbs(tau), plain(), sized(500, 2_000)).borrow().draws.assert_fair();
    }
    // The temperature is so low that no exponential is a number above 0.
    let cold = PlainMast { tau: Some(1e-5), ..PlainMast::default() };
    assert!(watched(Connect4::default(), Mast::gibbs(1e-5), cold, 600).borrow().draws.count > 1_000);
}

/// NST, plainly.
struct PlainNst {
    known: Rewarded,
    longest: usize,
    k: usize,
}

impl<G: ActionIndex<Action = u8>> Watch<G, Nst> for PlainNst {
    fn chose(&mut self, _: &Nst, state: &G, played: &Line<u8>, action: u8) {
        let player = crate::common::mover(state);
        let value = |action| {
            let line = [played, &[(player, action)]].concat();
            let means = (1..=self.longest.min(line.len())).filter_map(|length| {
                let rewards = self.known.get(&line[line.len() - length..])?;
                (length == 1 || rewards.len() >= self.k).then(|| mean(rewards))
            });
            let means = Vec::from_iter(means);
            if means.is_empty() { 1.0 } else { mean(&means) }
        };
        let (place, values) = among(state, action, value);
        assert!(is_greatest(place, &values), "{action} of {values:?}");
    }
    fn learned(&mut self, nst: &Nst, played: &Line<u8>, rewards: &Rewards) {
        take_in(&mut self.known, self.longest, played, rewards);
        for (line, rewards) in &self.known {
            let (count, learned) = nst.learned::<G>(line);
            assert_eq!(count, rewards.len() as u64, "{line:?}");
            assert!((f64::from(learned) - mean(rewards)).abs() < 1e-6, "{learned} of {rewards:?}");
        }
        assert_eq!(nst.learned::<G>(&[(0, 1), (0, 1), (0, 1), (0, 1)]), (0, 1.0));
    }
}

#[test]
fn nst_keeps_the_means_of_sequences_and_plays_the_greatest_average() {
    for (longest, k) in [(2, 7), (3, 7), (3, 1), (3, 30)] {
        let new = || Nst::new(longest, 0.0).k(k);
        let plain = || PlainNst { known: Rewarded::new(), longest, k: k as usize };
        watched(Nim::<3> { sticks: 14, player: 1 }, new(), plain(), sized(200, 500));
        watched(Pig::new(5), new(), plain(), sized(200, 500));
        watched(Connect4::default(), new(), plain(), sized(60, 150));
    }
}

/// With probability epsilon, any action is played, including the greatest.
#[derive(Default)]
struct Epsilon {
    greatest: Draws,
}

impl Watch<Any, Nst> for Epsilon {
    fn chose(&mut self, nst: &Nst, state: &Any, _: &Line<u8>, action: u8) {
        let player = crate::common::mover(state);
        let value = |action| f64::from(nst.learned::<Any>(&[(player, action)]).1);
        let (place, values) = among(state, action, value);
        let ties = values.iter().filter(|value| values.iter().all(|other| other <= value)).count();
        if ties == 1 && values.len() == 3 {
            let others = 0.4 * 2.0 / 3.0;
            self.greatest.add(usize::from(is_greatest(place, &values)), &[others, 1.0 - others]);
        }
    }
}

#[test]
fn nst_plays_at_random_with_probability_epsilon() {
    // Sequences do not count, because k is out of reach.
    let nst = Nst::default().k(u32::MAX);
    let seen = watched(Nim::<2> { sticks: 20, player: 0 }, nst, Epsilon::default(), 2_000);
    seen.borrow().greatest.assert_fair();
}

/// Always plays the first legal action, so that the test knows which actions are not replies.
#[derive(Clone)]
struct First;

impl<G: GameState> RolloutPolicy<G> for First {
    type Trace = ();

    fn choose(
        &self,
        leaf: &ramure::simulation::Leaf<G, impl ramure::simulation::Trace<G>>,
        _: &mut Rng,
    ) -> Result<Option<G::Action>, ramure::GameFault> {
        Ok(leaf.state().actions().into_iter().next())
    }
}

/// Last good reply, plainly: all lines, searched backwards.
struct PlainReply {
    lines: Vec<(Vec<(Player, u8)>, Rewards)>,
    actions: usize,
    forgets: bool,
    replies: u32,
}

impl PlainReply {
    /// Returns the reply of `player` to exactly the actions `to`.
    fn reply(&self, to: &Line<u8>, player: Player) -> Option<u8> {
        let mut failed = Vec::new();
        for (line, rewards) in self.lines.iter().rev() {
            for at in (to.len()..line.len()).rev() {
                let (by, action) = line[at];
                if by != player || line[at - to.len()..at] != *to {
                    continue;
                }
                if rewards[player] > 0.5 {
                    // The newest reply that won, unless it has lost since.
                    return (!self.forgets || !failed.contains(&action)).then_some(action);
                }
                if rewards[player] < 0.5 {
                    failed.push(action);
                }
            }
        }
        None
    }
}

impl<G: ActionIndex<Action = u8>> Watch<G, LastGoodReply<u8, First>> for PlainReply {
    fn chose(&mut self, _: &LastGoodReply<u8, First>, state: &G, played: &Line<u8>, action: u8) {
        let player = crate::common::mover(state);
        let to = |length: usize| played.len().checked_sub(length).map(|start| &played[start..]);
        let replies = (1..=self.actions).rev().filter_map(|length| self.reply(to(length)?, player));
        let legal = replies.into_iter().find(|&reply| state.is_legal(reply));
        self.replies += u32::from(legal.is_some());
        assert_eq!(Some(action), legal.or(state.actions().into_iter().next()));
    }
    fn learned(&mut self, policy: &LastGoodReply<u8, First>, played: &Line<u8>, rewards: &Rewards) {
        self.lines.push((played.to_vec(), *rewards));
        for at in 1..played.len() {
            for length in 1..=self.actions.min(at) {
                let (to, player) = (&played[at - length..at], played[at].0);
                assert_eq!(policy.reply::<G>(to, player), self.reply(to, player));
            }
        }
    }
}

#[test]
fn replies_are_the_last_winning_ones() {
    for actions in [1, 2] {
        for forgets in [false, true] {
            let new = if forgets { LastGoodReply::forgetting } else { LastGoodReply::new };
            let policy = || new(actions).rollouts(First);
            let plain = || PlainReply { lines: Vec::new(), actions, forgets, replies: 0 };
            let nim = watched(Nim::<3> { sticks: 14, player: 1 }, policy(), plain(), 200);
            let pig = watched(Pig::new(5), policy(), plain(), 200);
            let four = watched(Connect4::default(), policy(), plain(), 100);
            for replies in [nim.borrow().replies, pig.borrow().replies, four.borrow().replies] {
                assert!(replies > 100, "{replies}");
            }
        }
    }
}

/// Playout policy adaptation as in the paper: the line is played again from the root.
struct PlainPpa {
    root: Any,
    alpha: f64,
    weights: BTreeMap<(Player, u8), f64>,
    draws: Draws,
}

impl PlainPpa {
    fn new(root: Any, alpha: f64) -> Self {
        PlainPpa { root, alpha, weights: BTreeMap::new(), draws: Draws::default() }
    }

    fn probabilities(&self, state: &Any, action: u8) -> (usize, Vec<f64>) {
        let player = crate::common::mover(state);
        let weight = |action| self.weights.get(&(player, action)).copied().unwrap_or(0.0);
        let (place, exponents) = among(state, action, weight);
        (place, softmax(exponents))
    }
}

impl Watch<Any, Ppa> for PlainPpa {
    fn chose(&mut self, _: &Ppa, state: &Any, _: &Line<u8>, action: u8) {
        let (place, probabilities) = self.probabilities(state, action);
        self.draws.add(place, &probabilities);
    }
    fn learned(&mut self, ppa: &Ppa, played: &Line<u8>, rewards: &Rewards) {
        let mut adapted = self.weights.clone();
        let mut state = self.root.clone();
        for &(player, action) in played {
            if rewards[player] > 0.5 {
                let (_, probabilities) = self.probabilities(&state, action);
                for (legal, p) in state.actions().into_iter().zip(probabilities) {
                    *adapted.entry((player, legal)).or_default() -= self.alpha * p;
                }
                *adapted.entry((player, action)).or_default() += self.alpha;
            }
            state.apply(action);
        }
        for (&(player, action), weight) in &mut adapted {
            let learned = ppa.weight::<Any>(player, action);
            assert!((learned - *weight).abs() < 1e-6, "{learned} instead of {weight}");
            // Rounding errors must not accumulate; large steps would magnify them.
            *weight = learned;
        }
        self.weights = adapted;
    }
}

#[test]
fn playout_policy_adaptation_is_that_of_the_paper() {
    for alpha in [0.0, 0.05, 1.0] {
        let nim = Nim::<3> { sticks: 14, player: 1 };
        let seen = watched(nim, Ppa::new(alpha), PlainPpa::new(Any::new(nim), alpha), 2_000);
        seen.borrow().draws.assert_fair();
        assert_eq!(seen.borrow().weights.values().any(|weight| weight.abs() > 0.1), alpha > 0.0);
        let four = Connect4::default();
        let seen = watched(four, Ppa::new(alpha), PlainPpa::new(Any::new(four), alpha), 500);
        seen.borrow().draws.assert_fair();
    }
}

#[test]
fn weights_whose_exponential_overflows_are_handled() {
    let nim = Nim::<2> { sticks: 255, player: 1 };
    let seen = watched(nim, Ppa::new(1000.0), PlainPpa::new(Any::new(nim), 1000.0), 300);
    let weights = seen.borrow().weights.values().fold(0.0_f64, |most, weight| most.max(weight.abs()));
    assert!(weights > 800.0, "{weights}");
}

/// An adaptation adds to the played action what it takes from the others.
struct Balanced;

impl Watch<Any, Ppa> for Balanced {
    fn learned(&mut self, ppa: &Ppa, _: &Line<u8>, _: &Rewards) {
        for player in 0..2 {
            let weight = |action| ppa.weight::<Any>(player, action);
            assert!((weight(HOLD) + weight(ROLL)).abs() < 1e-9);
            assert!(FACES.into_iter().all(|face| weight(face) == 0.0), "no player chooses a face");
        }
    }
}

#[test]
fn playout_policy_adaptation_ignores_dice() {
    watched(Pig::new(5), Ppa::default(), Balanced, 500);
}
