//! [`Pomdp`]: a simulator whose state the planner does not see, as a space. A node of the tree is a history of actions and
//! observations.

use super::histories::{Arrived, Histories};
use super::planning::{MOST_STEPS, Planned, Planning};
use super::sealed::Workings;
use super::{ActionOf, Nodes, RealAction, Space};
use crate::backpropagation::Average;
use crate::custom_error::Shared;
use crate::game::{
    Belief, BeliefError, GameFault, GameState, PartiallyObserved, Player, Rng, StepReward, Turn, fail,
    has_failed, take_failure, unless_failed,
};
use crate::math;
use crate::parameter::ParameterError;
use crate::selection::{AtRoot, AvailabilityUcb1, Exploration};
use core::fmt;
use std::sync::OnceLock;

/// How much a search explores by default, at the root and below. (`docs/evidence/planning.md` compares others.)
const AT_ROOT: Exploration = Exploration::deviations(8.0);
const EXPLORATION: Exploration = Exploration::deviations(1.0);

/// The seed of the generator that filters. Users seed their beliefs with small numbers, and with the same
/// generator for both, a state would draw the same a second time.
const FILTER_SEED: u64 = 0x9E37_79B9_7F4A_7C15;

/// How often each habit is tried.
const TRIALS: u32 = 64;

/// The most steps of all trials.
const TRIAL_STEPS: u32 = 100_000;

/// A [`Simulator`](crate::Simulator) to plan for without seeing its state: a partially observable Markov decision
/// process. The search maximises the discounted sum of the rewards, and plans to react to what it will
/// observe.
///
/// You give it a [`Belief`], the states that are possible now. Each iteration begins with one of them. A node of the tree
/// is a *history*: the actions and observations since the root. So the search knows no more than the
/// planner will, and an action that only tells something, such as to listen, is worth what it lets the
/// planner do later.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::search::Pomdp;
/// use ramure::{Belief, PartiallyObserved, Simulator};
///
/// /// A tiger is behind one of two doors. To open its door costs 100, and the other door pays 10. To listen
/// /// costs 1, and tells the right side with probability 0.85.
/// #[derive(Clone)]
/// struct Tiger { is_left: bool }
///
/// impl Simulator for Tiger {
///     type Action = &'static str;
///     type Reward = f64;
///
///     fn actions(&self) -> impl IntoIterator<Item = &'static str> {
///         ["open left", "open right", "listen"]
///     }
///     fn step(&mut self, action: &'static str, rng: &mut Rng) -> f64 {
///         if action == "listen" {
///             return -1.0;
///         }
///         let finds_it = self.is_left == (action == "open left");
///         self.is_left = rng.unit() < 0.5; // the tiger moves, and the doors close
///         if finds_it { -100.0 } else { 10.0 }
///     }
/// }
///
/// impl PartiallyObserved for Tiger {
///     type Observation = bool; // whether it is heard on the left
///
///     fn observe(&self, action: &&'static str, rng: &mut Rng) -> bool {
///         let is_right = rng.unit() < if *action == "listen" { 0.85 } else { 0.5 };
///         self.is_left == is_right
///     }
///     fn likelihood(&self, action: &&'static str, is_heard_left: &bool) -> Option<f64> {
///         let right = if *action == "listen" { 0.85 } else { 0.5 };
///         Some(if self.is_left == *is_heard_left { right } else { 1.0 - right })
///     }
/// }
///
/// let belief = Belief::from_fn(1_000, 7, |rng| Tiger { is_left: rng.unit() < 0.5 })?;
/// let mut search = Mcts::new(Pomdp::new(belief).discount(0.95));
/// let best = search.run(Budget::iterations(10_000))?.best_action();
/// assert_eq!(best.action, "listen");
///
/// for _ in 0..2 {
///     search.observe("listen", true)?; // what the real planner heard
/// }
/// assert!(search.space().belief().probability(|tiger| tiger.is_left) > 0.96);
/// let best = search.run(Budget::iterations(10_000))?.best_action();
/// assert_eq!(best.action, "open right");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Rollouts
///
/// Random actions often do what a planner would never do, and their returns say little. So rollouts repeat one
/// action wherever it is legal, a *blind policy*: that whose repetition returned the most in 64 trials from the states of
/// the belief, or random actions if these returned more. The trials come before the first iteration and take at most
/// 100 000 steps, whatever the budget of time. An
/// [`estimate`](crate::Simulator::estimate) takes the place of rollouts, and a rollout policy of your own sees the
/// [state](Believed::simulator).
///
/// # Exploration
///
/// The search explores by one deviation of the returns, and at the root by eight: the policy is
/// `AtRoot<AvailabilityUcb1, AvailabilityUcb1>`. Exploring below the root lowers the mean of the action that led
/// there. Exploring at the root lowers no mean, and keeps the search from settling on an action that needs a long plan
/// where another is right after one step.
///
/// # Settings and results
///
/// [`discount`](Self::discount), [`horizon`](Self::horizon) and [`bounds`](Self::bounds) are those of a
/// [`Planning`], whose documentation explains the scale. The means of a [`Report`](crate::Report) are returns. Its actions are
/// [`HistoryStep`]s; `best_action().action` is your own type.
///
/// # The next decision
///
/// [`Mcts::observe`](crate::Mcts::observe) says what the planner has done and observed: the belief becomes
/// that of the states which [explain](Belief::after) it. If you filter in another way, call
/// [`Mcts::reset`](crate::Mcts::reset) with [`at`](Self::at). The filter draws from a generator of the space, not from
/// that of the search: it does the same whatever the seed of the search.
/// [`Mcts::advance`](crate::Mcts::advance) plays an action in the model itself, and draws what is observed.
/// As in a `Planning`, each search starts a new tree, with the whole horizon before it.
///
/// # What you can combine with it
///
/// The same as with an [`OpenPlanning`](crate::search::OpenPlanning). There is one player. Games with hidden information
/// and several players are for [`InformationSet`](crate::search::InformationSet) and
/// [`PlayerTrees`](crate::search::PlayerTrees).
///
/// Each observation has a node of its own. If there are thousands after one action, each has a visit or two, and the
/// search plans nothing for what it will observe. Then set how many [`observations`](Self::observations) the search
/// considers, or round them.
///
/// **Source:** Silver and Veness, *Monte-Carlo Planning in Large POMDPs*, 2010 (POMCP). There, nodes keep the
/// states that came through them, as the next belief. Here the belief itself takes the step, which gives as
/// many states for an unlikely observation as for a likely one. Blind policies: Hauskrecht, *Incremental
/// Methods for Computing Bounds in Partially Observable Markov Decision Processes*, 1997.
#[derive(Clone, Debug)]
pub struct Pomdp<M: PartiallyObserved> {
    belief: Belief<M>,
    /// The settings, and the scale of the returns.
    plan: Planning<M>,
    root: Believed<M>,
    /// The action that rollouts repeat, once a search has begun.
    habit: OnceLock<Option<M::Action>>,
    /// How many observations an action may have: scale and exponent.
    few: Option<(f64, f64)>,
    /// The states at the nodes of the tree, if there may be few observations.
    histories: Histories<M>,
}

impl<M: PartiallyObserved> Pomdp<M> {
    /// Creates the space of a belief, with discount 1.
    pub fn new(belief: Belief<M>) -> Self {
        const {
            assert!(
                M::Reward::PLAYERS == 1,
                "a `Pomdp` has one player: for several players who see different things, implement `GameState` and `HiddenInformation`, and search an `InformationSet` or `Mcts::player_trees`"
            );
        }
        let belief = belief.retain(|state| !state.is_over());
        let mut plan = Planning::new(belief.first().clone());
        plan.set_rng(Rng::seeded(FILTER_SEED));
        Pomdp::of_plan(plan, belief, None)
    }

    fn of_plan(plan: Planning<M>, belief: Belief<M>, few: Option<(f64, f64)>) -> Self {
        let root = Believed { state: plan.planned().clone(), seen: None, habit: None, place: 0, before: 0.0 };
        Pomdp { belief, plan, root, habit: OnceLock::new(), few, histories: Histories::default() }
    }

    /// Finds the action whose repetition returns the most from the states of the belief, if that is more than
    /// random actions return. Leaves out what does not end soon.
    fn find_habit(&self) -> Option<M::Action> {
        let mut rng = self.root.state.rng.clone();
        let mut candidates = vec![None];
        candidates.extend(self.belief.first().actions().into_iter().map(Some));
        let most_steps = (TRIAL_STEPS / candidates.len() as u32).max(1);
        let (mut best, mut greatest) = (None, f64::NEG_INFINITY);
        for habit in candidates {
            let (mut total, mut ended, mut left) = (0.0, 0.0, most_steps);
            for _ in 0..TRIALS {
                if left == 0 || has_failed() {
                    break;
                }
                let mut trial = self.root.state.clone();
                trial.simulator.clone_from(self.belief.draw(&mut rng));
                left -= trial.play_out(habit.as_ref(), left, &mut rng);
                if trial.turn() == Turn::Over {
                    (total, ended) = (total + trial.of(0), ended + 1.0);
                }
            }
            if ended > 0.0 && total / ended > greatest {
                (best, greatest) = (habit, total / ended);
            }
        }
        best
    }

    /// Sets the discount; see [`Planning::discount`].
    #[must_use]
    pub fn discount(self, discount: f64) -> Self {
        Pomdp::of_plan(self.plan.discount(discount), self.belief, self.few)
    }

    /// Sets how many steps the search looks ahead; see [`Planning::horizon`].
    #[must_use]
    pub fn horizon(self, steps: u32) -> Self {
        Pomdp::of_plan(self.plan.horizon(steps), self.belief, self.few)
    }

    /// Declares that each return is from `least` to `greatest`; see [`Planning::bounds`].
    #[must_use]
    pub fn bounds(self, least: f64, greatest: f64) -> Self {
        Pomdp::of_plan(self.plan.bounds(least, greatest), self.belief, self.few)
    }

    /// Sets how many different observations the search considers after an action: at most
    /// `⌈scale · N^exponent⌉` after `N` visits. `scale` is above 0, `exponent` is in [0, 1]. For real-valued
    /// observations, which never come twice. Needs the
    /// [`likelihood`](PartiallyObserved::likelihood). \[Default: all of them\]
    ///
    /// When there are as many, each further state goes to one of these, in proportion to how often it was
    /// drawn. The node keeps the state, with the likelihood of the node's observation as its weight, and the
    /// iteration goes on from a state that is drawn by weight from those kept there. A node keeps at most
    /// 1 000 states. They do not count towards a memory limit.
    ///
    /// **Source:** Sunberg and Kochenderfer, *Online Algorithms for POMDPs with Continuous State, Action, and
    /// Observation Spaces*, 2018, algorithm 2 (POMCPOW). They set 5 and 1/15 for a walk to a light.
    #[must_use]
    pub fn observations(self, scale: f64, exponent: f64) -> Self {
        Pomdp::of_plan(self.plan, self.belief, Some((scale, exponent)))
    }

    /// Returns the states that are possible now.
    pub fn belief(&self) -> &Belief<M> {
        &self.belief
    }

    /// Returns the space of another belief, with these settings.
    #[must_use]
    pub fn at(&self, belief: Belief<M>) -> Self {
        let belief = belief.retain(|state| !state.is_over());
        Pomdp::of_plan(self.plan.at(belief.first().clone()), belief, self.few)
    }

    /// Returns the space after `action` and `observation`: see [`Belief::after`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Belief::after`].
    pub fn after(&self, action: &M::Action, observation: &M::Observation) -> Result<Self, BeliefError> {
        let mut rng = self.plan.planned().rng.clone();
        let mut next = self.at(self.belief.after(action, observation, &mut rng)?);
        next.set_rng(rng);
        Ok(next)
    }

    /// Takes in a state at its history, where there may be few observations: it may then observe one of these,
    /// and be replaced.
    fn settle_among_few(&self, (scale, exponent): (f64, f64), believed: &mut Believed<M>) {
        let Believed { state, seen: Some((action, observation)), place, before, .. } = believed else {
            return;
        };
        let width = |visits: u32| (scale * math::pow(f64::from(visits), exponent)).ceil() as usize;
        let came = (&state.simulator, state.of(0) - *before);
        match self.histories.arrive(*place, action, observation, came, width, &mut state.rng) {
            Ok(Arrived { observation: settled, place: next, instead }) => {
                (*observation, *place) = (settled, next);
                if let Some((simulator, gain)) = instead {
                    state.replace(simulator, *before + gain);
                }
            }
            Err(error) => fail(error),
        }
    }

    /// Plays `action` in a state of the belief, and observes what is seen there.
    fn simulated(&self, action: M::Action) -> Result<Self, BeliefError> {
        let mut rng = self.plan.planned().rng.clone();
        let mut state = self.belief.draw(&mut rng).clone();
        state.step(action.clone(), &mut rng);
        unless_reported()?;
        if state.is_over() {
            return Ok(self.at(Belief::new([state])?));
        }
        let observation = state.observe(&action, &mut rng);
        unless_reported()?;
        let mut space = self.clone();
        space.set_rng(rng);
        space.after(&action, &observation)
    }
}

/// The settings and the belief are equal.
impl<M: PartiallyObserved + PartialEq> PartialEq for Pomdp<M> {
    fn eq(&self, other: &Self) -> bool {
        self.belief == other.belief && self.plan == other.plan && self.few == other.few
    }
}

/// Returns an error if the simulator has reported one.
fn unless_reported() -> Result<(), BeliefError> {
    take_failure().map_or(Ok(()), |error| Err(BeliefError::Failed(error.into())))
}

/// An action in a [`Pomdp`], or what is observed after it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HistoryStep<A, O> {
    /// The action.
    pub action: A,
    /// What was observed after it; `None` if this is the choice of the action.
    pub observation: Option<O>,
}

impl<A, O> HistoryStep<A, O> {
    /// Creates the choice of `action`.
    pub fn new(action: A) -> Self {
        HistoryStep { action, observation: None }
    }
}

/// The choice of an action.
impl<A, O> From<A> for HistoryStep<A, O> {
    fn from(action: A) -> Self {
        HistoryStep::new(action)
    }
}

/// Shows the action, or what was observed.
impl<A: fmt::Debug, O: fmt::Debug> fmt::Debug for HistoryStep<A, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.observation {
            Some(observation) => observation.fmt(f),
            None => self.action.fmt(f),
        }
    }
}

/// What was chosen, and what is observed after it.
type Seen<M> = (<M as crate::Simulator>::Action, <M as PartiallyObserved>::Observation);

/// The game with which the iterations of a [`Pomdp`] play: a state that the belief holds possible, and what
/// the planner is about to observe there.
#[derive(PartialEq, Debug)]
pub struct Believed<M: PartiallyObserved> {
    state: Planned<M>,
    /// The step that was played, if nothing has been observed since.
    seen: Option<Seen<M>>,
    /// The action that rollouts repeat.
    habit: Option<M::Action>,
    /// The place of the last history, and the return before the step that followed it.
    place: usize,
    before: f64,
}

impl<M: PartiallyObserved> Clone for Believed<M> {
    fn clone(&self) -> Self {
        let (seen, habit) = (self.seen.clone(), self.habit.clone());
        Believed { state: self.state.clone(), seen, habit, ..*self }
    }
    #[inline(always)]
    fn clone_from(&mut self, source: &Self) {
        self.state.clone_from(&source.state);
        self.seen.clone_from(&source.seen);
        self.habit.clone_from(&source.habit);
        (self.place, self.before) = (source.place, source.before);
    }
}

impl<M: PartiallyObserved> Believed<M> {
    /// Returns the state of the simulator.
    pub fn simulator(&self) -> &M {
        self.state.simulator()
    }
}

#[diagnostic::do_not_recommend]
impl<M: PartiallyObserved> GameState for Believed<M> {
    type Action = HistoryStep<M::Action, M::Observation>;

    #[inline(always)]
    fn turn(&self) -> Turn {
        if self.seen.is_some() { Turn::Chance } else { self.state.turn() }
    }
    /// The legal actions, or the one observation that is made in this state.
    fn actions(&self) -> impl IntoIterator<Item = Self::Action> {
        let seen = self.seen.clone();
        let choices = seen.is_none().then(|| self.simulator().actions()).into_iter().flatten();
        let seen = seen.map(|(action, observation)| HistoryStep { action, observation: Some(observation) });
        seen.into_iter().chain(choices.map(HistoryStep::new))
    }
    #[inline(always)]
    fn apply(&mut self, HistoryStep { action, observation }: Self::Action) {
        self.seen = None;
        if observation.is_some() {
            return;
        }
        self.before = self.state.of(0);
        self.state.step(action.clone(), None);
        if !has_failed() && self.state.turn() != Turn::Over {
            let observation = self.state.simulator.observe(&action, &mut self.state.rng);
            self.seen = Some((action, observation));
        }
    }
    #[inline(always)]
    fn reward(&self, player: Player) -> f64 {
        self.state.reward(player)
    }
    fn probability(&self, _: Self::Action) -> f64 {
        1.0
    }
    #[inline(always)]
    fn players(&self) -> u8 {
        1
    }
    /// Repeats the habit where it is legal, and otherwise plays random actions.
    fn random_rollout(&mut self, rng: &mut Rng) {
        self.seen = None; // rollouts need no observations
        self.state.play_out(self.habit.as_ref(), MOST_STEPS, rng);
    }
}

#[diagnostic::do_not_recommend]
impl<M: PartiallyObserved> Space for Pomdp<M> {
    type Game = Believed<M>;
    type Real = Believed<M>;
    type TreePolicy = AtRoot<AvailabilityUcb1, AvailabilityUcb1>;
    type Backprop = Average;

    fn tree_policy() -> Self::TreePolicy {
        AtRoot::new(AvailabilityUcb1::new(AT_ROOT), AvailabilityUcb1::new(EXPLORATION))
    }
    fn real(state: &Believed<M>) -> &Believed<M> {
        state
    }
    fn to_real(action: ActionOf<Self>) -> Option<RealAction<Self>> {
        Some(action)
    }
    fn of_real(&self, action: RealAction<Self>) -> ActionOf<Self> {
        action
    }
    fn of(state: Believed<M>, _: Player) -> Self {
        Pomdp::new(Belief::new([state.simulator().clone()]).expect("there is one"))
    }
    #[inline(always)]
    fn root(&self) -> &Believed<M> {
        &self.root
    }
    fn observer(&self) -> Option<Player> {
        Some(0)
    }
}

#[diagnostic::do_not_recommend]
impl<M: PartiallyObserved> Workings<Believed<M>, Believed<M>> for Pomdp<M> {
    const NODES: Nodes = Nodes::Guessed;
    const IS_SIMULATED: bool = true;

    fn set_root(&mut self, root: Believed<M>) {
        self.root = root;
    }
    fn play(&mut self, chosen: ActionOf<Self>) {
        match self.simulated(chosen.action) {
            Ok(next) => *self = next,
            Err(BeliefError::Failed(error)) => fail(Shared(error)),
            Err(error) => fail(error),
        }
    }
    fn set_rng(&mut self, rng: Rng) {
        self.plan.set_rng(rng.clone());
        self.root.state.rng = rng;
    }
    #[inline(always)]
    fn guess(&self, state: &mut Believed<M>, rng: &mut Rng) -> Result<(), GameFault> {
        if self.habit.get().is_none() {
            let habit = self.find_habit();
            unless_failed()?;
            let _ = self.habit.set(habit); // another thread has found the same
        }
        state.habit = self.habit.get().cloned().flatten();
        state.state.simulator.clone_from(self.belief.draw(rng));
        state.state.rng = Rng::seeded(rng.bits());
        Ok(())
    }
    fn begin_tree(&mut self) {
        self.histories = Histories::default();
    }
    #[inline(always)]
    fn settle(&self, believed: &mut Believed<M>) {
        if let Some(widening) = self.few {
            self.settle_among_few(widening, believed);
        }
    }
    fn fault(state: &Believed<M>, fault: GameFault) -> GameFault {
        state.state.fault(fault)
    }
    fn check(&self) -> Result<(), ParameterError> {
        if let Some((scale, exponent)) = self.few {
            let fits = scale > 0.0 && scale < f64::INFINITY;
            ParameterError::unless(fits, "Pomdp::observations, scale", scale, "finite and above 0")?;
            let fits = (0.0..=1.0).contains(&exponent);
            ParameterError::unless(fits, "Pomdp::observations, exponent", exponent, "in [0, 1]")?;
        }
        self.plan.check()
    }
    fn rescale(&mut self, value: f64, is_first: bool) -> Option<f32> {
        let factor = self.plan.rescale(value, is_first);
        self.root.state.scale = self.plan.planned().scale;
        factor
    }
    fn unscaled(&self) -> Self {
        Pomdp::of_plan(self.plan.unscaled(), self.belief.clone(), self.few)
    }
    fn in_units(&self, mean: f32) -> f32 {
        self.plan.in_units(mean)
    }
}

#[cfg(feature = "save")]
impl<M: PartiallyObserved + serde::Serialize> serde::Serialize for Pomdp<M>
where
    M::Action: serde::Serialize,
    M::Observation: serde::Serialize,
{
    fn serialize<Out: serde::Serializer>(&self, serializer: Out) -> Result<Out::Ok, Out::Error> {
        (&self.belief, &self.plan, self.few, &self.histories).serialize(serializer)
    }
}

#[cfg(feature = "save")]
impl<'de, M: PartiallyObserved + serde::Deserialize<'de>> serde::Deserialize<'de> for Pomdp<M>
where
    M::Action: serde::Deserialize<'de>,
    M::Observation: serde::Deserialize<'de>,
{
    fn deserialize<In: serde::Deserializer<'de>>(deserializer: In) -> Result<Self, In::Error> {
        let (belief, plan, few, histories) =
            <(Belief<M>, Planning<M>, Option<(f64, f64)>, Histories<M>)>::deserialize(deserializer)?;
        Ok(Pomdp { histories, ..Pomdp::of_plan(plan, belief, few) })
    }
}
