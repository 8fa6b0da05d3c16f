//! Rollout policies play as documented: decisive actions, frequencies, means.

#![allow(clippy::disallowed_methods, reason = "tests may use the platform's own powers")]

use crate::common::any::Any;
use crate::common::four::Connect4;
use crate::common::nim::Nim;
use crate::common::pig::Pig;
use crate::common::watched_games::{Draws, Ends, Line, Watch, Watched, shallow};
use crate::common::{after, chi_squared, mover, sized, wander};
use ramure::backpropagation::RelativeBonus;
use ramure::prelude::*;
use ramure::search::{MirrorImages, OpenLoop, Paranoid, Space, Transpositions};
use ramure::selection::Rave;
use ramure::simulation::{Decisive, History, Leaf, Mixed, MultipleRollouts, Softmax, Trace, WithPriors};
use ramure::{ActionIndex, GameFault, Player, Rewards, Turn};
use std::cell::RefCell;
use std::rc::Rc;

/// Whether `player`, the player to move, can win at once.
fn can_win<G: GameState>(state: &G, player: Player) -> bool {
    state.actions().into_iter().any(|action| has_won(&after(state, [action]), player))
}

fn has_won(state: &impl GameState, player: Player) -> bool {
    state.turn() == Turn::Over && state.reward(player) == 1.0
}

/// Checks that wins are taken, and not given away.
#[derive(Default)]
struct Sudden {
    anti: bool,
    wins: u32,
    dangers: u32,
    others: Draws,
}

impl<G: GameState, R> Watch<G, R> for Sudden {
    fn chose(&mut self, _: &R, state: &G, _: &Line<G::Action>, action: G::Action) {
        let player = mover(state);
        if can_win(state, player) {
            assert!(has_won(&after(state, [action.clone()]), player), "{action:?} does not win");
            self.wins += 1;
            return;
        }
        let legal = Vec::from_iter(state.actions());
        let gives_away = |action: &G::Action| {
            let next = after(state, [action.clone()]);
            matches!(next.turn(), Turn::Player(other) if other != player && can_win(&next, other))
        };
        let safe = Vec::from_iter(legal.iter().map(|action| !gives_away(action)));
        let count = safe.iter().filter(|&&safe| safe).count();
        let chooses = self.anti && count > 0;
        self.dangers += u32::from(chooses && count < legal.len());
        let p = |&safe: &bool| match chooses {
            true => f64::from(u8::from(safe)) / count as f64,
            false => 1.0 / legal.len() as f64,
        };
        let drawn = legal.iter().position(|other| *other == action).expect("it is legal");
        self.others.add(drawn, &Vec::from_iter(safe.iter().map(p)));
    }
}

/// Nim in which each player takes twice per turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Twice {
    sticks: u8,
    taken: u8,
}

impl GameState for Twice {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.sticks == 0 { Turn::Over } else { Turn::Player(self.taken / 2 % 2) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        1..=self.sticks.min(3)
    }
    fn apply(&mut self, sticks: u8) {
        *self = Twice { sticks: self.sticks - sticks, taken: self.taken + 1 };
    }
    fn reward(&self, player: Player) -> f64 {
        f64::from(u8::from((self.taken - 1) / 2 % 2 == player))
    }
}

#[test]
fn decisive_rollouts_take_wins_avoid_losses_and_are_otherwise_uniform() {
    fn see(roots: impl IntoIterator<Item = Any>, anti: bool, iterations: u64, wins: u32) {
        let policy = if anti { Decisive::new().anti() } else { Decisive::new() };
        let seen = Rc::new(RefCell::new(Sudden { anti, ..Sudden::default() }));
        // A different seed for each, because the same seed would draw the same.
        for (seed, root) in (0..).zip(roots) {
            Mcts::new(root)
                .seed(seed)
                .rollout_policy(Watched::new(policy, &seen))
                .run(Budget::iterations(iterations))
                .expect("it is sound");
        }
        let seen = seen.borrow();
        assert!(seen.wins >= wins && (!anti || seen.dangers >= wins), "{} {}", seen.wins, seen.dangers);
        seen.others.assert_fair();
    }
    let mut rng = Rng::seeded(3);
    let mut positions = Vec::new();
    while positions.len() < sized(20, 60) {
        let position = wander(Connect4::default(), rng.below(30), &mut rng);
        if position.turn() != Turn::Over {
            positions.push(position);
        }
    }
    let iterations = sized(400, 1_000);
    for anti in [false, true] {
        see(positions.iter().copied().map(Any::new), anti, 40, sized(300, 1_000));
        see([Any::new(Nim::<2> { sticks: 20, player: 0 })], anti, iterations, sized(100, 300));
        see([Any::new(Nim::<3> { sticks: 20, player: 2 })], anti, iterations, sized(100, 300));
        see([Any::listed(Twice { sticks: 20, taken: 0 })], anti, iterations, sized(30, 100));
        see([Any::new(Pig::new(4))], anti, iterations, sized(30, 100));
    }
}

/// One forced action, then one of five.
#[derive(Clone, Copy, Debug)]
struct Fan(u8);

impl GameState for Fan {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.0 == 2 { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..[1, 5, 0][usize::from(self.0)]
    }
    fn apply(&mut self, _: u8) {
        self.0 += 1;
    }
    fn reward(&self, _: Player) -> f64 {
        0.5
    }
    fn players(&self) -> u8 {
        1
    }
}

/// Returns the number of times each action of [`Fan`] was chosen.
struct Counts([u32; 5]);

impl<R> Watch<Fan, R> for Counts {
    fn chose(&mut self, _: &R, _: &Fan, _: &Line<u8>, action: u8) {
        self.0[usize::from(action)] += 1;
    }
}

fn counts(tau: f64, values: [f32; 5]) -> [u32; 5] {
    let seen = Rc::new(RefCell::new(Counts([0; 5])));
    let softmax = Softmax::new(tau, move |_: &Fan, action: u8| values[usize::from(action)]);
    shallow(Fan(0), Watched::new(softmax, &seen), 40_000).expect("it is sound");
    seen.borrow().0
}

#[test]
fn softmax_plays_each_action_in_proportion_to_its_exponential() {
    let values = [0.3, -1.0, 0.9, 0.3, 0.5];
    for (tau, shift) in [(0.5, 0.0), (2.0, 0.0), (0.5, 1e3), (1e9, -7.0)] {
        let weights = values.map(|value: f64| (value / tau).exp());
        let expected = weights.map(|weight| weight / weights.iter().sum::<f64>());
        let counts = counts(tau, values.map(|value| value as f32 + shift));
        // With 4 degrees of freedom, it is above 45 with a probability of 4e-9; a shift by 1000 costs three
        // digits.
        assert!(chi_squared(&counts, &expected) < 45.0, "{counts:?} for {expected:?}");
    }
}

#[test]
fn softmax_accepts_infinite_values() {
    const INF: f32 = f32::INFINITY;
    // Half of 40 000, to within six standard deviations.
    let is_half = |count: u32| count.abs_diff(20_000) < 600;
    let found = counts(1.0, [INF, 0.0, -INF, INF, 9e9]);
    assert!(is_half(found[0]) && is_half(found[3]) && found[1] + found[2] + found[4] == 0, "{found:?}");
    assert_eq!(counts(1.0, [-INF, -INF, -1e30, -INF, -INF])[2], 40_000);
    assert!(counts(1.0, [-INF; 5]).into_iter().all(|count| count > 7_000), "a fifth of 40 000 each");
    let softmax = Softmax::new(1.0, |_: &Fan, action: u8| if action == 3 { f32::NAN } else { 1.0 });
    let error = shallow(Fan(0), softmax, 9).expect_err("no number");
    assert!(
        matches!(error, SearchError::Game { fault: GameFault::Heuristic { index: 3 }, ply: 1, .. }),
        "{error}"
    );
}

/// Records its start, plays one action, and returns the number of the rollout in eighths.
#[derive(Clone, Default)]
struct Eighths {
    begun: Rc<RefCell<Vec<(u32, u8)>>>,
    learned: Rc<RefCell<Vec<(usize, Rewards)>>>,
}

impl RolloutPolicy<Nim<2>> for Eighths {
    type Trace = History<u8>;

    fn simulate(
        &self,
        leaf: &mut Leaf<Nim<2>, impl Trace<Nim<2>>>,
        rng: &mut Rng,
    ) -> Result<Rewards, GameFault> {
        let number = self.begun.borrow().len();
        self.begun.borrow_mut().push((leaf.ply(), leaf.state().sticks));
        leaf.play_on(1, rng, |leaf, rng| Ok(leaf.state().random_action(rng)))?;
        Ok(Rewards::new(2, |player| ((number + usize::from(player)) % 8) as f32 / 8.0))
    }
    fn learn(&mut self, trace: &History<u8>, rewards: &Rewards) {
        self.learned.borrow_mut().push((trace.actions().len(), *rewards));
    }
}

#[test]
fn several_rollouts_start_at_the_same_leaf_and_give_their_mean() {
    for rollouts in [1, 2, 5] {
        let inner = Eighths::default();
        let root = Nim { sticks: 60, player: 0 };
        let mut search = Mcts::new(root).rollout_policy(MultipleRollouts::new(rollouts, inner.clone()));
        search.run(Budget::iterations(40)).expect("it is sound");
        let (begun, learned) = (inner.begun.borrow(), inner.learned.borrow());
        assert_eq!((begun.len(), learned.len()), (40 * rollouts as usize, 40));
        for (group, (played, rewards)) in begun.chunks_exact(rollouts as usize).zip(learned.iter()) {
            assert!(group.iter().all(|leaf| leaf == &group[0]), "{group:?}");
            assert_eq!(
                *played,
                group[0].0 as usize + 1,
                "the way to the leaf, and what the last rollout played"
            );
            assert!(rewards.players() == 2);
        }
        for (iteration, (_, rewards)) in learned.iter().enumerate() {
            for player in 0..2 {
                let numbers =
                    (0..rollouts as usize).map(|number| iteration * rollouts as usize + number + player);
                let mean = numbers.map(|number| (number % 8) as f64 / 8.0).sum::<f64>() / f64::from(rollouts);
                assert!((f64::from(rewards[player as u8]) - mean).abs() < 1e-7);
            }
        }
    }
}

/// Nim, with several random games at once that give these rewards.
#[derive(Clone)]
struct AtOnce(Nim<2>, &'static [f32]);

impl GameState for AtOnce {
    type Action = u8;

    fn turn(&self) -> Turn {
        self.0.turn()
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        Vec::from_iter(self.0.actions())
    }
    fn apply(&mut self, taken: u8) {
        self.0.apply(taken);
    }
    fn reward(&self, player: Player) -> f64 {
        self.0.reward(player)
    }
    fn random_rollouts(&self, games: u32, _: &mut Rng) -> Option<Rewards> {
        assert_ne!(self.turn(), Turn::Over, "a finished game is not played");
        (games == 5).then(|| Rewards::new(self.1.len() as u8, |player| self.1[usize::from(player)]))
    }
}

impl ActionIndex for AtOnce {
    const ACTION_COUNT: usize = Nim::<2>::ACTION_COUNT;

    fn action_index(taken: u8) -> usize {
        Nim::<2>::action_index(taken)
    }
}

/// Returns a search with several random rollouts from each leaf. The game plays five at once, and gives these
/// rewards for them.
fn at_once(rewards: &'static [f32], rollouts: u32) -> Mcts<AtOnce, Ucb1, MultipleRollouts<Uniform>> {
    let root = AtOnce(Nim { sticks: 40, player: 0 }, rewards);
    Mcts::new(root).rollout_policy(MultipleRollouts::new(rollouts, Uniform))
}

#[test]
fn several_games_at_once_are_used_if_the_game_offers_them() {
    let means = |rollouts| {
        let report = at_once(&[0.75, 0.25], rollouts).run(Budget::iterations(50)).expect("it is sound");
        Vec::from_iter(report.actions.iter().filter(|action| action.visits > 0).map(|action| action.mean))
    };
    assert!(!means(5).is_empty() && means(5).iter().all(|&mean| mean == 0.75), "{:?}", means(5));
    assert!(means(4).iter().any(|&mean| mean != 0.75), "{:?}", means(4));
}

/// If they were played at once, their number of rewards would be a fault.
#[test]
fn several_games_are_played_one_by_one_if_their_actions_or_lengths_are_needed() {
    let budget = Budget::iterations(50);
    at_once(&[], 5).backprop(RelativeBonus::new(1.4, 0.25, Average)).run(budget).expect("lengths are needed");
    at_once(&[], 5).tree_policy(Rave::default()).run(budget).expect("actions are needed");
    at_once(&[], 5).run(budget).expect_err("nothing is needed");
}

/// Views of a game that do not change its rewards pass on what it offers; and so do policies that only add
/// priors.
#[test]
fn several_games_at_once_are_used_through_views_and_wrappers() {
    let mut rng = Rng::seeded(1);
    let game = ramure_games::Connect4::new();
    fn at_once<S: Space>(space: S, rng: &mut Rng) -> bool {
        space.root().random_rollouts(8, rng).is_some()
    }
    assert!(at_once(Transpositions::new(game), &mut rng));
    assert!(at_once(MirrorImages::new(game), &mut rng));
    assert!(at_once(OpenLoop::new(game), &mut rng));
    assert!(Paranoid::new(game).random_rollouts(8, &mut rng).is_none(), "this view changes rewards");

    let root = AtOnce(Nim { sticks: 40, player: 0 }, &[0.75, 0.25]);
    let priors = WithPriors::new(Uniform, |_: &AtOnce, _| 1.0);
    let mut search = Mcts::new(root).rollout_policy(MultipleRollouts::new(5, priors));
    let report = search.run(Budget::iterations(50)).expect("it is sound");
    let mut found = report.actions.iter().filter(|action| action.visits > 0);
    assert!(found.all(|action| action.mean == 0.75), "{report}");
}

#[test]
fn wrong_rewards_of_several_games_are_faults() {
    for (rewards, fault) in [
        (&[0.5, 0.5, 0.5][..], GameFault::RewardCount { given: 3, players: 2 }),
        (&[0.5, 1.5], GameFault::Reward { player: 1, reward: 1.5 }),
    ] {
        let error = at_once(rewards, 5).run(Budget::iterations(50)).expect_err("a fault");
        assert!(matches!(&error, SearchError::Game { fault: found, .. } if *found == fault), "{error:?}");
    }
}

/// Plays one action, then returns the same value every time.
struct Always([f32; 2]);

impl<G: GameState> RolloutPolicy<G> for Always {
    type Trace = ();

    fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Rewards, GameFault> {
        leaf.play_on(1, rng, |leaf, rng| Ok(leaf.state().random_action(rng)))?;
        Ok(Rewards::new(2, |player| self.0[usize::from(player)]))
    }
}

/// A policy that must not be called.
struct Never;

impl<G: GameState> RolloutPolicy<G> for Never {
    type Trace = ();

    fn simulate(&self, _: &mut Leaf<G, impl Trace<G>>, _: &mut Rng) -> Result<Rewards, GameFault> {
        panic!("called for no reason")
    }
}

/// Returns the mean of the first player's only action after one mixed rollout.
fn mixture<E, R>(policy: Mixed<E, R>) -> f64
where
    Mixed<E, R>: RolloutPolicy<Fan>,
{
    let report = shallow(Fan(0), policy, 10).expect("it is sound");
    f64::from(report.actions[0].mean)
}

#[test]
fn evaluation_and_rollout_are_mixed_in_the_set_shares() {
    struct OneOf(f32);
    impl RolloutPolicy<Fan> for OneOf {
        type Trace = ();
        fn simulate(&self, _: &mut Leaf<Fan, impl Trace<Fan>>, _: &mut Rng) -> Result<Rewards, GameFault> {
            Ok(Rewards::new(1, |_| self.0))
        }
    }
    for lambda in [0.0, 0.125, 0.5, 1.0] {
        let found = mixture(Mixed::new(OneOf(0.25), OneOf(0.75)).lambda(lambda));
        assert!((found - (0.25 + 0.5 * lambda)).abs() < 1e-6, "{found} for {lambda}");
    }
    assert!((mixture(Mixed::new(OneOf(0.25), OneOf(0.75))) - 0.5).abs() < 1e-6, "half and half");
    assert!((mixture(Mixed::new(OneOf(0.25), Uniform)) - 0.375).abs() < 1e-6, "the game says 1/2");
    // A part with weight 0 is not called.
    let nim = Nim::<2> { sticks: 20, player: 0 };
    shallow(nim, Mixed::new(Never, Uniform).lambda(1.0), 10).expect("only a rollout");
    shallow(nim, Mixed::new(Always([0.5; 2]), Never).lambda(0.0), 10).expect("only an evaluation");
    // The evaluation has its own leaf, so the line is the rollout's.
    let seen = Rc::new(RefCell::new(Ends::default()));
    let mixed = Mixed::new(Always([0.25, 0.75]), Watched::new(Uniform, &seen));
    shallow(nim, mixed, 200).expect("it is sound");
    for (played, rewards) in &seen.borrow().0 {
        assert!((7..=20).contains(played), "the whole game");
        let first = rewards[0] - 0.125;
        assert!((first == 0.0 || first == 0.5) && rewards[1] - 0.375 == 0.5 - first, "{rewards:?}");
    }
}
