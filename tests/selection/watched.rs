//! A bandit whose rewards the test sets, and a tree policy whose choices among the arms are observed.

use crate::chosen::Chosen;
use crate::common::hashed::unit;
use ramure::backpropagation::{Average, Backprop};
use ramure::selection::{Boltzmann, Child, Choice, KlUcb, Node, Spread, Thompson, TreePolicy};
use ramure::simulation::Uniform;
use ramure::statistics::Statistics;
use ramure::{Budget, Expansion, GameState, Mcts, Order, Player, Rng, Turn};
use std::cell::{Cell, RefCell};
use std::fmt::Debug;
use std::rc::Rc;

/// One player, one choice: every arm pays the current entry of `pays`.
#[derive(Clone)]
pub struct Arms {
    count: u8,
    chosen: Option<u8>,
    pays: Rc<RefCell<Vec<f64>>>,
}

impl GameState for Arms {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.chosen.is_some() { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.chosen.is_some() { 0 } else { self.count }
    }
    fn apply(&mut self, arm: u8) {
        self.chosen = Some(arm);
    }
    fn reward(&self, _: Player) -> f64 {
        self.pays.borrow()[usize::from(self.chosen.expect("it is over"))]
    }
    fn players(&self) -> u8 {
        1
    }
}

/// Returns the reward of `arm` in play number `play`. Arms with higher numbers pay more.
pub fn pays(arm: usize, play: u64) -> f64 {
    (unit(play * 64 + arm as u64) + 0.05 * arm as f64).min(1.0)
}

/// The statistics of an arm, in double precision.
#[derive(Clone, Copy, Default, Debug)]
pub struct Arm {
    pub plays: f64,
    pub sum: f64,
    pub squares: f64,
    /// An offset that is added to the variance.
    pub off: f64,
}

impl Arm {
    pub fn mean(&self) -> f64 {
        self.sum / self.plays
    }

    pub fn variance(&self) -> f64 {
        (self.squares / self.plays - self.mean() * self.mean() + self.off).max(0.0)
    }

    fn paid(&mut self, reward: f64) {
        self.plays += 1.0;
        self.sum += reward;
        self.squares += reward * reward;
    }
}

/// Instructions for the observed policy, and the test's observations of it.
#[derive(Clone, Default)]
struct Watch {
    forced: Cell<Option<u8>>,
    draws: Cell<u32>,
    counts: RefCell<Vec<u32>>,
    scores: RefCell<Vec<(u8, f32)>>,
}

struct Watched<P> {
    policy: P,
    watch: Rc<Watch>,
}

impl<P: TreePolicy<Arms>> TreePolicy<Arms> for Watched<P> {
    type Stats = P::Stats;
    const FIRST_PLAY: Option<ramure::selection::FirstPlay> = P::FIRST_PLAY;
    const SEES_UNVISITED: bool = P::SEES_UNVISITED;

    fn select(&self, node: impl Node<Arms, P::Stats>, rng: &mut Rng) -> Choice {
        let arms = Vec::from_iter(node.choices().map(|(choice, child)| (choice, child.action())));
        for _ in 0..self.watch.draws.take() {
            let choice = self.policy.select(node, rng);
            let (_, arm) = arms.iter().find(|(shown, _)| *shown == choice).expect("one that is shown");
            self.watch.counts.borrow_mut()[usize::from(*arm)] += 1;
        }
        if let Some(forced) = self.watch.forced.get() {
            return arms.iter().find(|(_, arm)| *arm == forced).expect("it is shown").0;
        }
        self.watch.scores.borrow_mut().clear();
        self.policy.select(Shown { node, watch: &self.watch }, rng)
    }

    fn update(&self, stats: P::Stats, visits: f32, reward: f32) -> P::Stats {
        self.policy.update(stats, visits, reward)
    }

    fn learn(&mut self, actions: &[(Player, u8)], rewards: &ramure::Rewards) {
        self.policy.learn(actions, rewards);
    }

    fn check(&self) -> Result<(), ramure::ParameterError> {
        self.policy.check()
    }
}

/// A node that records the scores.
#[derive(Clone, Copy)]
struct Shown<'a, N> {
    node: N,
    watch: &'a Watch,
}

impl<N> ramure::__sealed::Sealed for Shown<'_, N> {}

impl<S: Copy + 'static, N: Node<Arms, S>> Node<Arms, S> for Shown<'_, N> {
    fn visits(self) -> f32 {
        self.node.visits()
    }
    fn player(self) -> Player {
        self.node.player()
    }
    fn first_play(self) -> f32 {
        self.node.first_play()
    }
    fn untried_score(self, bonus: f32) -> f32 {
        self.node.untried_score(bonus)
    }
    fn has_untried(self) -> bool {
        self.node.has_untried()
    }
    fn is_root(self) -> bool {
        self.node.is_root()
    }
    fn spread(&self) -> &Spread {
        self.node.spread()
    }
    fn stats(self) -> S {
        self.node.stats()
    }
    fn width(self) -> usize {
        self.node.width()
    }
    fn starving(self) -> Option<Choice> {
        self.node.starving()
    }
    fn stats_of(self, child: Choice) -> Option<S> {
        self.node.stats_of(child)
    }
    fn set_stats(self, child: Choice, stats: S) {
        self.node.set_stats(child, stats);
    }
    fn argmax(self, score: impl Fn(Child<'_, u8, S>) -> f32) -> Choice {
        let scored = self.node.choices().map(|(_, child)| (child.action(), score(child)));
        self.watch.scores.borrow_mut().extend(scored);
        self.node.argmax(&score)
    }
    fn choices(&self) -> impl Iterator<Item = (Choice, Child<'_, u8, S>)> {
        self.node.choices()
    }
    fn children(&self) -> impl Iterator<Item = Child<'_, u8, S>> {
        self.node.children()
    }
    fn parent(self) -> Option<Self> {
        self.node.parent().map(|node| Shown { node, ..self })
    }
    fn ln_visits(self) -> f32 {
        self.node.ln_visits()
    }
    fn sqrt_ln_visits(self) -> f32 {
        self.node.sqrt_ln_visits()
    }
}

/// A search of [`Arms`] with an observed policy, and the rewards that the arms have paid.
pub struct Bench<P> {
    search: Box<dyn Plays>,
    watch: Rc<Watch>,
    pays: Rc<RefCell<Vec<f64>>>,
    arms: Vec<Arm>,
    last_reward: f64,
    policy: std::marker::PhantomData<P>,
}

/// A search of [`Arms`] whose policy is hidden, so that few searches are compiled.
trait Plays {
    /// Makes one iteration, and returns the visits.
    fn play(&mut self) -> Vec<u32>;
    /// Returns the policy's statistics of an arm.
    fn stats(&self, arm: u8) -> Box<dyn std::any::Any>;
}

impl<L: TreePolicy<Arms>, B: Backprop<Arms>> Plays for Mcts<Arms, Watched<Chosen<Arms, L>>, Uniform, B> {
    fn play(&mut self) -> Vec<u32> {
        crate::common::visits(&self.run(Budget::iterations(1)).expect("a sound game"))
    }

    fn stats(&self, arm: u8) -> Box<dyn std::any::Any> {
        let root = self.tree().root().expect("it ran");
        let child = root.children().find(|child| child.action() == Some(arm)).expect("it is there");
        self.tree_policy_ref().policy.stats(child.stats())
    }
}

impl<P: TreePolicy<Arms, Stats: Statistics<Arms, ()>> + Clone + Debug + 'static> Bench<P> {
    /// Returns a bench with `count` arms before the first play.
    pub fn new(policy: P, count: u8) -> Self {
        Bench::with(policy, Average, count)
    }

    /// Returns a bench after the arms have paid these rewards, arm by arm. The policy had no choice.
    pub fn at(policy: P, table: &[Vec<f64>]) -> Self {
        let mut bench = Bench::new(policy, table.len() as u8);
        let most = table.iter().map(Vec::len).max().unwrap_or(0);
        for round in 0..most {
            for (arm, rewards) in table.iter().enumerate().filter(|(_, rewards)| rewards.len() > round) {
                bench.watch.forced.set(Some(arm as u8));
                bench.play(|_| rewards[round]);
                bench.watch.forced.set(None);
            }
        }
        bench.arms.iter().zip(table).for_each(|(arm, rewards)| assert_eq!(arm.plays, rewards.len() as f64));
        bench
    }

    /// Returns a bench with `count` arms and its own backpropagation, before the first play.
    pub fn with<B: Backprop<Arms> + 'static>(policy: P, backprop: B, count: u8) -> Self {
        let watch = Rc::<Watch>::default();
        let pays = Rc::new(RefCell::new(vec![0.0; usize::from(count)]));
        let game = Arms { count, chosen: None, pays: pays.clone() };
        fn search<L: TreePolicy<Arms> + 'static, B: Backprop<Arms> + 'static>(
            game: Arms,
            policy: Chosen<Arms, L>,
            backprop: B,
            watch: Rc<Watch>,
        ) -> Box<dyn Plays> {
            let search = Mcts::new(game).tree_policy(Watched { policy, watch }).backprop(backprop);
            Box::new(search.expansion(Expansion::default().order(Order::AsListed)).seed(5))
        }
        let shared = watch.clone();
        let search = match (P::FIRST_PLAY, P::SEES_UNVISITED) {
            (Some(_), false) => search(game, Chosen::<_, KlUcb>::new(policy), backprop, shared),
            (Some(_), true) => search(game, Chosen::<_, Boltzmann>::new(policy), backprop, shared),
            (None, _) => search(game, Chosen::<_, Thompson>::new(policy), backprop, shared),
        };
        let arms = vec![Arm::default(); usize::from(count)];
        Bench { search, watch, pays, arms, last_reward: 0.0, policy: std::marker::PhantomData }
    }

    /// Plays once, where `pays` gives the reward of each arm. Returns the chosen arm, and the scores of all
    /// arms if they were computed.
    pub fn play(&mut self, pays: impl Fn(usize) -> f64) -> (usize, Vec<f64>) {
        let count = self.arms.len();
        *self.pays.borrow_mut() = (0..count).map(pays).collect();
        let visits = self.search.play();
        let chosen = (0..count).find(|&arm| f64::from(visits[arm]) > self.arms[arm].plays).expect("one play");
        self.last_reward = self.pays.borrow()[chosen];
        self.arms[chosen].paid(self.last_reward);
        let mut scores = vec![f64::NAN; count];
        for &(arm, score) in self.watch.scores.borrow().iter() {
            scores[usize::from(arm)] = f64::from(score);
        }
        (chosen, scores)
    }

    /// Returns the scores for the current statistics. (This takes a play, which is not recorded.)
    pub fn scores(&mut self) -> Vec<f64> {
        let arms = self.arms.clone();
        let (_, scores) = self.play(|_| 0.5);
        self.arms = arms;
        assert!(scores.iter().all(|score| score.is_finite()), "{scores:?}");
        scores
    }

    /// Returns the number of times each arm is chosen in `count` draws with the current statistics. (This
    /// takes a play of an arm that the bench names. It pays nothing, and policies that only know sums do not
    /// record it.)
    pub fn draws(&mut self, count: u32) -> Vec<u32> {
        self.watch.draws.set(count);
        *self.watch.counts.borrow_mut() = vec![0; self.arms.len()];
        self.watch.forced.set(Some(0));
        self.play(|_| 0.0);
        self.watch.forced.set(None);
        self.watch.counts.take()
    }

    /// Returns the number of plays.
    pub fn plays(&self) -> f64 {
        self.arms.iter().map(|arm| arm.plays).sum()
    }

    pub fn arms(&self) -> &[Arm] {
        &self.arms
    }

    pub fn clone_arms(&self) -> Vec<Arm> {
        self.arms.clone()
    }

    /// Replaces the arms, and returns the old ones.
    pub fn replace_arms(&mut self, arms: Vec<Arm>) -> Vec<Arm> {
        std::mem::replace(&mut self.arms, arms)
    }

    pub fn last_reward(&self) -> f64 {
        self.last_reward
    }

    /// Returns the policy's statistics of an arm.
    pub fn stats(&self, arm: usize) -> P::Stats {
        *self.search.stats(arm as u8).downcast().expect("those of the policy")
    }
}
