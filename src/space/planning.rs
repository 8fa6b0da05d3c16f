//! [`Planning`]: a simulator as a space, with discounted rewards up to a horizon; and [`OpenPlanning`], the same
//! without nodes for what steps lead to.

use super::sealed::Workings;
use super::{ActionOf, Nodes, RealAction, Space};
use crate::backpropagation::Average;
use crate::game::{GameFault, GameState, Player, Rng, Simulator, StepReward, Turn, has_failed, hash_key};
use crate::math;
use crate::parameter::ParameterError;
use crate::selection::{AtRoot, AvailabilityUcb1, Exploration, Ucb1};
use core::fmt;
use core::hash::{Hash, Hasher};

/// How much a search of a simulator explores by default: with nodes for outcomes at the root, and else.
/// (`docs/evidence/planning.md` compares others.)
const AT_ROOT: Exploration = Exploration::deviations(8.0);
const EXPLORATION: Exploration = Exploration::deviations(4.0);

/// The most steps that a rollout takes at once.
pub(super) const MOST_STEPS: u32 = 1_000_000;

/// The weight of a reward at the default horizon.
const NEGLIGIBLE: f64 = 0.01;

/// A [`Simulator`] to search: the search maximises the discounted sum of the rewards from now to a horizon.
///
/// The *return* of steps with the rewards `r` is `r₀ + γ r₁ + γ² r₂ + ..`, with the discount `γ`. The rewards
/// may have any scale. The means and intervals of a [`Report`](crate::Report) are returns. (Those of a
/// [view of the tree](crate::Mcts::tree) are in [0, 1].)
///
/// ```
/// use ramure::Simulator;
/// use ramure::prelude::*;
/// use ramure::search::Planning;
///
/// /// A machine earns 3 a day while it is new, and less as it wears out. To replace it costs 5.
/// #[derive(Clone, Hash)]
/// struct Machine { wear: u8 }
///
/// impl Simulator for Machine {
///     type Action = bool; // whether to replace it
///     type Reward = f64;
///
///     fn actions(&self) -> impl IntoIterator<Item = bool> {
///         [false, true]
///     }
///     fn step(&mut self, replace: bool, rng: &mut Rng) -> f64 {
///         let cost = if replace { 5.0 } else { 0.0 };
///         self.wear = if replace { 0 } else { (self.wear + rng.below(2) as u8).min(4) };
///         3.0 - f64::from(self.wear) - cost
///     }
/// }
///
/// let plan = Planning::new(Machine { wear: 0 }).discount(0.9).horizon(30);
/// let mut search = Mcts::new(plan.clone());
/// let report = search.run(Budget::iterations(2_000))?;
/// assert_eq!(report.best_action().action, false);
/// let mean = report.chosen_action().unwrap().mean; // what 30 days earned in these iterations
/// assert!(mean > 0.0 && mean < 30.0);
///
/// search.reset(plan.at(Machine { wear: 4 })); // the real machine, some weeks later
/// assert_eq!(search.run(Budget::iterations(2_000))?.best_action().action, true);
/// # Ok::<(), SearchError>(())
/// ```
///
/// # Outcomes
///
/// The search is *double progressive widening*. After an action, the tree branches: each child is an
/// *outcome*, a state that the simulator has come to. So the search plans what to do in each of them. After
/// `N` visits there are at most `⌈2 N^0.5⌉` actions and `⌈3 N^0.5⌉` outcomes, unless you
/// [set](crate::Expansion::outcome_widening) other widenings.
///
/// Outcomes with equal states are one, whatever the reward of the step: each visit draws the reward anew, and
/// the means are those of the returns. The state must be [`Hash`], and 64 bits of the hash tell states apart.
/// Everything that the state holds counts as known to the player. If the state has no hash, has
/// real numbers that never repeat, or a step draws what the player does not see, search the
/// [open loop](Self::open_loop). To plan for what the player will observe, search a
/// [`Pomdp`](crate::search::Pomdp).
///
/// # The next decision
///
/// Each search starts a new tree, with the whole horizon before it, and rewards of the past do not count.
/// [`Mcts::reset`] with [`at`](Self::at) tells the search which state a real system has come to.
/// [`Mcts::advance`] plays an action in the simulator itself, which draws what follows.
///
/// [`Mcts::reset`]: crate::Mcts::reset
/// [`Mcts::advance`]: crate::Mcts::advance
///
/// # Exploration
///
/// By default the search explores by four deviations of the returns, and at the root by eight: the policy is
/// `AtRoot<Ucb1, Ucb1>`. Exploring below the root lowers the mean of the action that led there. Exploring at the
/// root lowers no mean, and keeps the search from settling on an action that ends at once while the first returns
/// of a better one, from random steps, are worse. (An [open loop](Self::open_loop) explores by four deviations everywhere.)
///
/// # Scale
///
/// The tree keeps rewards from 0 to 1. If you declare [`bounds`](Self::bounds), returns are mapped from them.
/// They may be loose: the search explores in deviations of the returns, and bounds that are 1000 times as
/// wide as these cost nothing. If you declare none, the first return becomes the middle of the scale. A
/// return that does not fit widens the scale so that it reaches 64 times as far from the middle as this
/// return. The means so far are converted, and the iteration is discarded and does not count against the
/// budget. Means are `f32`, so they have seven digits, and returns must stay below 1e38.
///
/// # What you can combine with it
///
/// The same as with a [`Sampled`](crate::search::Sampled), except for what looks at the state: rollouts are
/// random, unless the simulator has an [estimate](Simulator::estimate). (Rollout policies that record
/// actions, such as [`Mast`](crate::simulation::Mast), play on to the horizon.) Without declared bounds, a
/// [window](crate::Mcts::window) returns an error, and a policy that keeps rewards, or a backpropagation that
/// does more than average them, starts a new tree where the scale widens.
///
/// With several players, each maximises their own return. A search of a simulator that serde can write can be
/// saved (chapter `docs/saved_trees.md`).
///
/// **Source:** Couëtoux, Hoock, Sokolovska, Teytaud and Bonnard, *Continuous Upper Confidence Trees*, 2011;
/// the scale by the least and greatest: Schrittwieser et al., *Mastering Atari, Go, Chess and Shogi by
/// Planning with a Learned Model*, 2020, appendix B, there of the means in the tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Planning<M: Simulator> {
    root: Branching<M>,
    horizon: Option<u32>,
    bounds: Option<(f64, f64)>,
}

impl<M: Simulator> Planning<M> {
    /// Creates the space of `simulator` in its present state, with discount 1.
    pub fn new(simulator: M) -> Self {
        let state = Planned {
            simulator,
            rng: Rng::seeded(0),
            total: M::Reward::ZERO,
            weight: 1.0,
            left: u32::MAX,
            discount: 1.0,
            scale: Scale::UNKNOWN,
        };
        Planning { root: Branching { state, chosen: None }, horizon: None, bounds: None }
    }

    /// Sets the discount, in [0, 1]: what a reward is worth one step later. (Any other value is an error when
    /// the search runs.) \[Default: 1\]
    #[must_use]
    pub fn discount(mut self, discount: f64) -> Self {
        self.root.state.discount = discount;
        self.restart()
    }

    /// Sets how many steps the search looks ahead, at least 1. (0 is an error when the search runs.) With a
    /// discount of 1, a simulator that need not end must have one. A rollout of more than a million steps is
    /// an error. \[Default: until the discount makes a reward worth 1/100; with a discount of 1, no horizon\]
    #[must_use]
    pub fn horizon(mut self, steps: u32) -> Self {
        self.horizon = Some(steps);
        self.restart()
    }

    /// Declares that each return is from `least` to `greatest`, two finite numbers. (Anything else is an
    /// error when the search runs.) A return outside of them is
    /// [`GameFault::Return`](crate::GameFault::Return); the search can go on after it. They may be loose.
    /// \[Default: found by the search\]
    #[must_use]
    pub fn bounds(mut self, least: f64, greatest: f64) -> Self {
        self.bounds = Some((least, greatest));
        self.restart()
    }

    /// Returns the simulator in the state from which the search starts.
    pub fn simulator(&self) -> &M {
        &self.root.state.simulator
    }

    /// Returns the space of another state, with these settings.
    #[must_use]
    pub fn at(&self, simulator: M) -> Self {
        let mut other = self.clone();
        other.root.state.simulator = simulator;
        other.restart()
    }

    /// Returns the space without nodes for outcomes. Call it last: an `OpenPlanning` keeps the settings, and
    /// they cannot be changed.
    pub fn open_loop(self) -> OpenPlanning<M> {
        OpenPlanning { plan: self }
    }

    /// Returns the state at the root, with the discount, the horizon and the scale.
    pub(super) fn planned(&self) -> &Planned<M> {
        &self.root.state
    }

    pub(super) fn set_rng(&mut self, rng: Rng) {
        self.root.state.rng = rng;
    }

    /// Makes the root the first of all steps.
    fn restart(mut self) -> Self {
        let Branching { state, chosen } = &mut self.root;
        let default = match state.discount {
            discount if discount < 1.0 => {
                let steps = math::ln64(NEGLIGIBLE) / math::ln64(discount.max(f64::MIN_POSITIVE));
                // A whole number of steps may be above it by rounding.
                (steps * (1.0 - 1e-12)).ceil().max(1.0) as u32
            }
            _ => u32::MAX,
        };
        (state.left, state.total, state.weight) = (self.horizon.unwrap_or(default), M::Reward::ZERO, 1.0);
        state.scale = self.bounds.map_or(Scale::UNKNOWN, |(least, greatest)| Scale {
            centre: 0.5 * least + 0.5 * greatest,
            half: 0.5 * greatest - 0.5 * least,
        });
        *chosen = None;
        self
    }

    /// Returns the plan as it was before the search found its scale.
    pub(super) fn unscaled(&self) -> Self {
        let mut plan = self.clone().restart();
        plan.root.state.rng = Rng::seeded(0);
        plan
    }

    /// Plays `action` at the root, and draws what follows.
    fn advance(&mut self, action: M::Action) {
        let mut next = self.clone();
        next.root.state.step(action, None);
        *self = next.restart();
    }

    pub(super) fn check(&self) -> Result<(), ParameterError> {
        let discount = self.root.state.discount;
        ParameterError::unless((0.0..=1.0).contains(&discount), "Planning::discount", discount, "in [0, 1]")?;
        ParameterError::unless(self.horizon != Some(0), "Planning::horizon", 0.0, "at least 1")?;
        if let Some((least, greatest)) = self.bounds {
            let range = "finite, and the lesser of the two";
            ParameterError::unless(greatest.is_finite(), "Planning::bounds, greatest", greatest, "finite")?;
            let is_less = least.is_finite() && least < greatest;
            ParameterError::unless(is_less, "Planning::bounds, least", least, range)?;
        }
        Ok(())
    }

    /// Widens the scale so that `value` fits; see [`Space::rescale`].
    pub(super) fn rescale(&mut self, value: f64, is_first: bool) -> Option<f32> {
        if self.bounds.is_some() || !value.is_finite() {
            return None;
        }
        let mut scale = self.root.state.scale;
        let factor = scale.widen(value, is_first);
        let fits = (0.0..=1.0).contains(&scale.reward(value));
        fits.then(|| {
            self.root.state.scale = scale;
            factor
        })
    }

    pub(super) fn in_units(&self, mean: f32) -> f32 {
        self.root.state.scale.value(mean.into()) as f32
    }
}

/// The saved form of a plan, whose root is the first of all steps.
#[cfg(feature = "save")]
#[derive(serde::Serialize, serde::Deserialize)]
struct SavedPlan<M> {
    simulator: M,
    rng: Rng,
    discount: f64,
    horizon: Option<u32>,
    bounds: Option<(f64, f64)>,
    scale: Scale,
}

#[cfg(feature = "save")]
impl<M: Simulator + serde::Serialize> serde::Serialize for Planning<M> {
    fn serialize<Out: serde::Serializer>(&self, serializer: Out) -> Result<Out::Ok, Out::Error> {
        let Planning { root: Branching { state, .. }, horizon, bounds } = self;
        let Planned { simulator, rng, discount, scale, .. } = state;
        let (rng, discount, scale) = (rng.clone(), *discount, *scale);
        SavedPlan { simulator, rng, discount, horizon: *horizon, bounds: *bounds, scale }
            .serialize(serializer)
    }
}

#[cfg(feature = "save")]
impl<'de, M: Simulator + serde::Deserialize<'de>> serde::Deserialize<'de> for Planning<M> {
    fn deserialize<In: serde::Deserializer<'de>>(deserializer: In) -> Result<Self, In::Error> {
        let saved = SavedPlan::deserialize(deserializer)?;
        let SavedPlan { simulator, rng, discount, horizon, bounds, scale } = saved;
        if !(scale.centre.is_finite() && scale.half.is_finite() && scale.half > 0.0) {
            return Err(serde::de::Error::custom("the scale of the returns is not finite"));
        }
        let mut plan = Planning { horizon, bounds, ..Planning::new(simulator).discount(discount) }.restart();
        (plan.root.state.rng, plan.root.state.scale) = (rng, scale);
        Ok(plan)
    }
}

/// A [`Planning`] without nodes for outcomes: a node of the tree stands for a line of actions, whatever the
/// simulator draws between them. [`Planning::open_loop`] creates it.
///
/// **Use it** if states cannot be told apart, or if the best action depends little on what earlier steps led
/// to. Where the player observes a part of the state, a [`Pomdp`](crate::search::Pomdp) plans better. **What it loses** is explained at
/// [`OpenLoop`](crate::search::OpenLoop): the search compares fixed lines of actions, so it undervalues
/// actions after which the player can react. You can combine it with the same policies as an `OpenLoop`.
///
/// ```
/// use ramure::Simulator;
/// use ramure::prelude::*;
/// use ramure::search::Planning;
///
/// /// A tiger is behind one of two doors. The player has heard it twice on the left, each time with
/// /// probability 0.85 rightly. To open its door costs 100, and the other door pays 10. To listen again costs 1.
/// #[derive(Clone)]
/// struct Doors { is_left: Option<bool>, over: bool }
///
/// impl Simulator for Doors {
///     type Action = &'static str;
///     type Reward = f64;
///
///     fn actions(&self) -> impl IntoIterator<Item = &'static str> {
///         ["left", "right", "listen"]
///     }
///     fn step(&mut self, action: &'static str, rng: &mut Rng) -> f64 {
///         // Nobody knows where it is, so the first step draws it, by what was heard.
///         let is_left = *self.is_left.get_or_insert_with(|| rng.unit() < 0.97);
///         self.over = action != "listen";
///         if action == "listen" { -1.0 } else if is_left == (action == "left") { -100.0 } else { 10.0 }
///     }
///     fn is_over(&self) -> bool {
///         self.over
///     }
/// }
///
/// let plan = Planning::new(Doors { is_left: None, over: false }).discount(0.95).horizon(5);
/// let report = Mcts::new(plan.open_loop()).run(Budget::iterations(2_000))?;
/// assert_eq!(report.best_action().action, "right");
/// # Ok::<(), SearchError>(())
/// ```
///
/// **Source:** Perez, Dieskau, Hünermund, Mostaghim and Lucas, *Open Loop Search for General Video Game
/// Playing*, 2015.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "save", derive(serde::Serialize, serde::Deserialize))]
pub struct OpenPlanning<M: Simulator> {
    plan: Planning<M>,
}

impl<M: Simulator> OpenPlanning<M> {
    /// Returns the simulator in the state from which the search starts.
    pub fn simulator(&self) -> &M {
        self.plan.simulator()
    }

    /// Returns the space of another state, with these settings.
    #[must_use]
    pub fn at(&self, simulator: M) -> Self {
        self.plan.at(simulator).open_loop()
    }
}

/// An action in a [`Planning`], or what a step by it has led to. `Debug` shows the action, and for an outcome
/// its number.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlannedAction<A> {
    /// The player who chose the action.
    pub player: Player,
    /// The action.
    pub action: A,
    /// The seed by which the simulator drew this outcome last, and a hash of its state; `None` for a choice of
    /// the player.
    outcome: Option<(u64, u64)>,
}

impl<A> PlannedAction<A> {
    /// Creates the choice of `player`.
    pub fn new(player: Player, action: A) -> Self {
        PlannedAction { player, action, outcome: None }
    }

    /// Returns whether this is an outcome, and not a choice.
    pub fn is_outcome(&self) -> bool {
        self.outcome.is_some()
    }
}

/// Outcomes are equal if their states are, by whatever seed.
impl<A: PartialEq> PartialEq for PlannedAction<A> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        let hash = |action: &Self| action.outcome.map(|(_, hash)| hash);
        self.action == other.action && self.player == other.player && hash(self) == hash(other)
    }
}

impl<A: Eq> Eq for PlannedAction<A> {}

impl<A: Hash> Hash for PlannedAction<A> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.action, self.player, self.outcome.map(|(_, hash)| hash)).hash(state);
    }
}

impl<A: fmt::Debug> fmt::Debug for PlannedAction<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.outcome {
            Some((_, hash)) => write!(f, "#{:04x}", hash & 0xFFFF),
            None => self.action.fmt(f),
        }
    }
}

/// How returns are mapped to rewards in [0, 1]: the `centre` to 1/2, and what is `half` away to 0 or 1.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "save", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Scale {
    centre: f64,
    half: f64,
}

impl Scale {
    /// The scale before the first return: only 0 fits.
    const UNKNOWN: Scale = Scale { centre: 0.0, half: 1e-200 };

    /// How many times the distance of a return the scale covers when this return widens it.
    const ROOM: f64 = 64.0;

    /// The reward that stands for `value`. Not in [0, 1] if it does not fit.
    #[inline(always)]
    fn reward(self, value: f64) -> f64 {
        let distance = 0.5 * (value - self.centre) / self.half;
        // The bounds themselves fit, whatever rounding does.
        if distance.abs() <= 0.5 + 1e-9 { (0.5 + distance).clamp(0.0, 1.0) } else { 0.5 + distance }
    }

    /// The return that a reward stands for.
    fn value(self, reward: f64) -> f64 {
        self.centre + (reward - 0.5) * 2.0 * self.half
    }

    /// Widens the scale so that `value` fits. Returns the factor by which distances from 1/2 shrink. If
    /// `is_first`, there are no rewards yet, and the first return becomes the middle.
    fn widen(&mut self, value: f64, is_first: bool) -> f32 {
        let old = self.half;
        if is_first && *self == Scale::UNKNOWN {
            // Nearer returns than this differ by rounding.
            *self = Scale { centre: value, half: (value.abs() * 1e-12).max(1e-200) };
            return 0.0;
        }
        self.half = (Scale::ROOM * (value - self.centre).abs()).clamp(old, f64::MAX / 4.0);
        (old / self.half) as f32
    }
}

/// The game with which the iterations of an [`OpenPlanning`] play: a state of the simulator and the rewards
/// so far.
#[derive(PartialEq, Debug)]
pub struct Planned<M: Simulator> {
    pub(super) simulator: M,
    /// Draws what steps lead to.
    pub(super) rng: Rng,
    /// The discounted sum of the rewards since the root. After a reward that is not a finite number, this
    /// reward.
    total: M::Reward,
    /// The weight of the next reward.
    weight: f64,
    /// The steps to the horizon.
    left: u32,
    discount: f64,
    pub(super) scale: Scale,
}

impl<M: Simulator> Clone for Planned<M> {
    fn clone(&self) -> Self {
        Planned { simulator: self.simulator.clone(), rng: self.rng.clone(), ..*self }
    }
    #[inline(always)]
    fn clone_from(&mut self, source: &Self) {
        self.simulator.clone_from(&source.simulator);
        self.rng.clone_from(&source.rng);
        (self.total, self.weight, self.left) = (source.total, source.weight, source.left);
        (self.discount, self.scale) = (source.discount, source.scale);
    }
}

impl<M: Simulator> Planned<M> {
    /// Plays `action` with the given generator, or with that of the state.
    #[inline(always)]
    pub(super) fn step(&mut self, action: M::Action, rng: Option<&mut Rng>) {
        let reward = self.simulator.step(action, rng.unwrap_or(&mut self.rng));
        self.add(reward);
        self.weight *= self.discount;
        if self.left == 1 {
            self.end_by_estimate();
        }
        self.left = self.left.saturating_sub(1);
    }

    #[inline(always)]
    fn add(&mut self, reward: M::Reward) {
        for (total, &reward) in self.total.each_mut().iter_mut().zip(reward.each()) {
            *total = if reward.is_finite() { *total + self.weight * reward } else { reward };
        }
    }

    /// Plays to the end, but at most so many steps: repeats `habit` where it is legal, and otherwise plays
    /// random actions. Returns the number of steps.
    #[inline(always)]
    pub(super) fn play_out(&mut self, habit: Option<&M::Action>, most: u32, rng: &mut Rng) -> u32 {
        self.end_by_estimate();
        for steps in 0..most {
            let player = if let Turn::Player(player) = self.turn() { player } else { return steps };
            if player >= M::Reward::PLAYERS {
                return steps;
            }
            let legal =
                |habit: &&M::Action| self.simulator.actions().into_iter().any(|legal| legal == **habit);
            let action = match habit.filter(legal) {
                Some(habit) => habit.clone(),
                None => match self.random_action(rng) {
                    Some(chosen) => chosen.action,
                    None => return steps,
                },
            };
            self.step(action, Some(&mut *rng));
            if has_failed() {
                return steps + 1;
            }
        }
        most
    }

    /// Ends here with an estimate of all rewards that follow, if the simulator has one. Does nothing after the
    /// horizon, so a line has one estimate.
    #[inline(always)]
    pub(super) fn end_by_estimate(&mut self) {
        if self.left > 0
            && !self.simulator.is_over()
            && self.is_finite()
            && let Some(rest) = self.simulator.estimate()
        {
            self.add(rest);
            self.left = 0;
        }
    }

    /// Returns the state of the simulator.
    pub fn simulator(&self) -> &M {
        &self.simulator
    }

    /// The return of `player`.
    pub(super) fn of(&self, player: Player) -> f64 {
        self.total.each().get(usize::from(player)).copied().unwrap_or(0.0)
    }

    /// Replaces the state, and the return of its only player.
    pub(super) fn replace(&mut self, simulator: M, total: f64) {
        self.simulator = simulator;
        self.total.each_mut().fill(total);
    }

    fn is_finite(&self) -> bool {
        self.total.each().iter().all(|total| total.is_finite())
    }

    /// Returns what is wrong with a return, where the search has found that a reward is not in [0, 1].
    pub(super) fn fault(&self, fault: GameFault) -> GameFault {
        let GameFault::Reward { player, reward } = fault else { return fault };
        if let Some(player) = (0..M::Reward::PLAYERS).find(|&player| !self.of(player).is_finite()) {
            return GameFault::StepReward { player, reward: self.of(player) };
        }
        // Else a copy of this state has been played on.
        let is_own = self.turn() == Turn::Over;
        if !is_own && !reward.is_finite() {
            return GameFault::StepReward { player, reward };
        }
        let value = if is_own { self.of(player) } else { self.scale.value(reward) };
        let Scale { centre, half } = self.scale;
        GameFault::Return { player, value, least: centre - half, greatest: centre + half }
    }
}

#[diagnostic::do_not_recommend]
impl<M: Simulator> GameState for Planned<M> {
    type Action = PlannedAction<M::Action>;

    #[inline(always)]
    fn turn(&self) -> Turn {
        if self.left == 0 || self.simulator.is_over() || !self.is_finite() {
            Turn::Over
        } else {
            Turn::Player(self.simulator.player())
        }
    }
    #[inline(always)]
    fn actions(&self) -> impl IntoIterator<Item = Self::Action> {
        let player = self.simulator.player();
        self.simulator.actions().into_iter().map(move |action| PlannedAction::new(player, action))
    }
    #[inline(always)]
    fn apply(&mut self, chosen: Self::Action) {
        self.step(chosen.action, None);
    }
    #[inline(always)]
    fn reward(&self, player: Player) -> f64 {
        let value = self.of(player);
        if value.is_finite() { self.scale.reward(value) } else { f64::NAN }
    }
    #[inline(always)]
    fn players(&self) -> u8 {
        M::Reward::PLAYERS
    }
    #[inline(always)]
    fn random_rollout(&mut self, _: &mut Rng) {
        self.end_by_estimate();
    }
}

/// The game with which the iterations of a [`Planning`] play: chance draws what an action leads to.
#[derive(PartialEq, Debug)]
pub struct Branching<M: Simulator> {
    state: Planned<M>,
    /// The action that was chosen and not played yet.
    chosen: Option<M::Action>,
}

impl<M: Simulator> Clone for Branching<M> {
    fn clone(&self) -> Self {
        Branching { state: self.state.clone(), chosen: self.chosen.clone() }
    }
    #[inline(always)]
    fn clone_from(&mut self, source: &Self) {
        self.state.clone_from(&source.state);
        self.chosen.clone_from(&source.chosen);
    }
}

impl<M: Simulator> Branching<M> {
    /// Returns the state of the simulator, before a step that has been chosen and not drawn.
    pub fn simulator(&self) -> &M {
        &self.state.simulator
    }
}

#[diagnostic::do_not_recommend]
impl<M: Simulator + Hash> GameState for Branching<M> {
    type Action = PlannedAction<M::Action>;

    #[inline(always)]
    fn turn(&self) -> Turn {
        if self.chosen.is_some() { Turn::Chance } else { self.state.turn() }
    }
    fn actions(&self) -> impl IntoIterator<Item = Self::Action> {
        let is_choice = self.chosen.is_none();
        is_choice.then(|| self.state.actions()).into_iter().flatten()
    }
    #[inline(always)]
    fn apply(&mut self, PlannedAction { action, outcome, .. }: Self::Action) {
        match outcome {
            None => self.chosen = Some(action),
            Some((seed, _)) => {
                self.chosen = None;
                self.state.step(action, Some(&mut Rng::seeded(seed)));
            }
        }
    }
    #[inline(always)]
    fn reward(&self, player: Player) -> f64 {
        self.state.reward(player)
    }
    #[inline(always)]
    fn players(&self) -> u8 {
        M::Reward::PLAYERS
    }
    /// Draws an action, or what the chosen one leads to.
    #[inline(always)]
    fn random_action(&self, rng: &mut Rng) -> Option<Self::Action> {
        let Some(action) = self.chosen.clone() else { return self.state.random_action(rng) };
        let (seed, mut simulator) = (rng.bits(), self.state.simulator.clone());
        let player = simulator.player();
        simulator.step(action.clone(), &mut Rng::seeded(seed));
        Some(PlannedAction { player, action, outcome: Some((seed, hash_key(&simulator) as u64)) })
    }
    #[inline(always)]
    fn random_outcome(&self, rng: &mut Rng) -> Option<Self::Action> {
        self.random_action(rng)
    }
    /// Rollouts need no nodes, so steps draw from the generator itself.
    #[inline(always)]
    fn random_rollout(&mut self, rng: &mut Rng) {
        if let Some(action) = self.chosen.take() {
            self.state.step(action, Some(&mut *rng));
        }
        self.state.play_out(None, MOST_STEPS, rng);
    }
}

/// Implements what the two spaces have in common.
macro_rules! plans {
    ($game:ty, $policy:ty, $new:expr) => {
        type Game = $game;
        type Real = $game;
        type TreePolicy = $policy;
        type Backprop = Average;

        fn tree_policy() -> Self::TreePolicy {
            $new
        }
        fn real(state: &$game) -> &$game {
            state
        }
        fn to_real(action: ActionOf<Self>) -> Option<RealAction<Self>> {
            Some(action)
        }
        fn of_real(&self, action: RealAction<Self>) -> ActionOf<Self> {
            action
        }
    };
}

#[diagnostic::do_not_recommend]
impl<M: Simulator + Hash> Space for Planning<M> {
    plans! { Branching<M>, AtRoot<Ucb1, Ucb1>, AtRoot::new(Ucb1::new(AT_ROOT), Ucb1::new(EXPLORATION)) }

    fn of(root: Branching<M>, _: Player) -> Self {
        Planning { root, horizon: None, bounds: None }
    }
    #[inline(always)]
    fn root(&self) -> &Branching<M> {
        &self.root
    }
}

#[diagnostic::do_not_recommend]
impl<M: Simulator + Hash> Workings<Branching<M>, Branching<M>> for Planning<M> {
    const IS_SIMULATED: bool = true;
    const NODES: Nodes = Nodes::Sampled;
    const OUTCOME_WIDENING: (f64, f64) = (3.0, 0.5);

    fn set_root(&mut self, root: Branching<M>) {
        self.root = root;
    }
    fn play(&mut self, chosen: ActionOf<Self>) {
        self.advance(chosen.action);
    }
    fn set_rng(&mut self, rng: Rng) {
        Planning::set_rng(self, rng);
    }
    fn fault(state: &Branching<M>, fault: GameFault) -> GameFault {
        state.state.fault(fault)
    }
    fn check(&self) -> Result<(), ParameterError> {
        Planning::check(self)
    }
    fn rescale(&mut self, value: f64, is_first: bool) -> Option<f32> {
        Planning::rescale(self, value, is_first)
    }
    fn unscaled(&self) -> Self {
        Planning::unscaled(self)
    }
    fn in_units(&self, mean: f32) -> f32 {
        Planning::in_units(self, mean)
    }
}

#[diagnostic::do_not_recommend]
impl<M: Simulator> Space for OpenPlanning<M> {
    plans! { Planned<M>, AvailabilityUcb1, AvailabilityUcb1::new(EXPLORATION) }

    fn of(state: Planned<M>, _: Player) -> Self {
        let root = Branching { state, chosen: None };
        OpenPlanning { plan: Planning { root, horizon: None, bounds: None } }
    }
    #[inline(always)]
    fn root(&self) -> &Planned<M> {
        &self.plan.root.state
    }
    fn observer(&self) -> Option<Player> {
        Some(self.plan.simulator().player())
    }
}

#[diagnostic::do_not_recommend]
impl<M: Simulator> Workings<Planned<M>, Planned<M>> for OpenPlanning<M> {
    const IS_SIMULATED: bool = true;
    const NODES: Nodes = Nodes::Guessed;

    fn set_root(&mut self, root: Planned<M>) {
        self.plan.root.state = root;
    }
    fn play(&mut self, chosen: ActionOf<Self>) {
        self.plan.advance(chosen.action);
    }
    fn set_rng(&mut self, rng: Rng) {
        self.plan.set_rng(rng);
    }
    #[inline(always)]
    fn guess(&self, state: &mut Planned<M>, rng: &mut Rng) -> Result<(), GameFault> {
        state.rng = Rng::seeded(rng.bits());
        Ok(())
    }
    fn fault(state: &Planned<M>, fault: GameFault) -> GameFault {
        state.fault(fault)
    }
    fn check(&self) -> Result<(), ParameterError> {
        self.plan.check()
    }
    fn rescale(&mut self, value: f64, is_first: bool) -> Option<f32> {
        self.plan.rescale(value, is_first)
    }
    fn unscaled(&self) -> Self {
        OpenPlanning { plan: self.plan.unscaled() }
    }
    fn in_units(&self, mean: f32) -> f32 {
        self.plan.in_units(mean)
    }
}
