//! Remembers the best game of a search.

use super::{Leaf, Priors, RolloutPolicy, Trace};
use crate::game::{GameFault, GameState, Rewards, Rng, Turn, try_apply};
use crate::parameter::ParameterError;

/// Rollouts by `R`, with a memory of the best finished game of all iterations: its actions and its reward.
///
/// **Use it** in games of one player: puzzles, planning, optimisation. There the best game seen is an answer
/// by itself, and may be better than the line of most visits that a report shows. With several players it is
/// the game that was best for player 0, which may need the other players to cooperate.
///
/// Put it around all other rollout policies. It sees the game with which an iteration ends, and remembers it
/// only if the iteration's rewards are those of the game; the mean of
/// [`MultipleRollouts`](super::MultipleRollouts) may differ. An iteration that ends with an evaluation or at
/// a proven node is not a finished game.
///
/// **Parameters:** the rollout policy. **Cost:** the actions of each iteration are recorded, so rollouts
/// cannot use the game's shortcut; a clone of the root's state per iteration; and the game is replayed
/// whenever it seems to be better than the best so far. **Stores** nothing per child.
///
/// **Source:** Schadd, Winands, van den Herik, Chaslot and Uiterwijk, *Single-Player Monte-Carlo Tree
/// Search*, 2008: the best simulation is remembered.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::simulation::BestLine;
///
/// /// Ten cards. A card earns one point if it directly follows a greater card.
/// #[derive(Clone)]
/// struct Cards(Vec<u8>);
///
/// impl GameState for Cards {
///     type Action = u8;
///
///     fn players(&self) -> u8 {
///         1
///     }
///     fn turn(&self) -> Turn {
///         if self.0.len() == 10 { Turn::Over } else { Turn::Player(0) }
///     }
///     fn actions(&self) -> impl IntoIterator<Item = u8> {
///         (0..10).filter(|card| !self.0.contains(card))
///     }
///     fn apply(&mut self, card: u8) {
///         self.0.push(card);
///     }
///     fn reward(&self, _: Player) -> f64 {
///         self.0.windows(2).filter(|pair| pair[0] > pair[1]).count() as f64 / 9.0
///     }
/// }
///
/// let mut search = Mcts::new(Cards(vec![])).rollout_policy(BestLine::new(Uniform));
/// search.run(Budget::iterations(2_000))?;
/// let (line, reward) = search.rollout_policy_ref().best().expect("a game was played to its end");
/// let mut cards = Cards(vec![]);
/// for &card in line {
///     cards.apply(card);
/// }
/// assert_eq!(cards.reward(0) as f32, reward);
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BestLine<R, A> {
    pub(super) rollout_policy: R,
    pub(super) best: Option<(Vec<A>, f32)>,
}

impl<R, A> BestLine<R, A> {
    /// Creates the policy with rollouts by `rollout_policy`.
    pub fn new(rollout_policy: R) -> Self {
        BestLine { rollout_policy, best: None }
    }

    /// Returns all actions of the best finished game, including outcomes of chance, and its reward for player
    /// 0. Of several equally good games, the first one seen counts. `None` before the first finished game.
    ///
    /// The game begins at the state from which the search last ran. If you [`advance`](crate::Mcts::advance)
    /// along it, the next run keeps the rest of it. If the game takes another course, the next run discards
    /// it.
    pub fn best(&self) -> Option<(&[A], f32)> {
        self.best.as_ref().map(|(line, reward)| (&line[..], *reward))
    }

    /// Returns the best game as far as it begins at `root`, and its reward.
    pub(super) fn best_from<G: GameState<Action = A>>(&self, root: &G) -> Option<(Vec<A>, f32)>
    where
        A: Clone,
    {
        let (line, reward) = self.best.as_ref()?;
        let mut rests = (0..line.len()).map(|begun| &line[begun..]);
        let rest = rests.find(|rest| worth(root, rest) == Some(*reward))?;
        Some((rest.to_vec(), *reward))
    }
}

impl<R: Default, A> Default for BestLine<R, A> {
    fn default() -> Self {
        BestLine::new(R::default())
    }
}

/// The trace of all actions that an iteration has played, and of the state from which it started.
#[derive(Clone, Debug)]
pub struct WholeLine<G: GameState> {
    /// `None` before the first action.
    root: Option<G>,
    actions: Vec<G::Action>,
    /// Whether no iteration of this run before this one has played an action.
    is_first: bool,
}

impl<G: GameState> Default for WholeLine<G> {
    fn default() -> Self {
        WholeLine { root: None, actions: Vec::new(), is_first: true }
    }
}

impl<G: GameState> Trace<G> for WholeLine<G> {
    fn restart(&mut self) {
        self.actions.clear();
        self.is_first = self.root.is_none();
    }

    #[inline]
    fn record(&mut self, state: &G, _: Turn, action: &G::Action) -> Result<(), GameFault> {
        if self.root.is_none() {
            self.root = Some(state.clone());
        }
        self.actions.push(action.clone());
        Ok(())
    }
}

/// Returns the reward of player 0, if `actions` lead from `root` to the end of the game.
pub(super) fn worth<G: GameState>(root: &G, actions: &[G::Action]) -> Option<f32> {
    let mut state = root.clone();
    for action in actions {
        if state.turn() == Turn::Over || !state.is_legal(action.clone()) {
            return None;
        }
        try_apply(&mut state, action.clone()).ok()?;
    }
    (state.turn() == Turn::Over).then(|| Rewards::of(&state).ok()).flatten().map(|rewards| rewards[0])
}

impl<G: GameState, R: RolloutPolicy<G>> RolloutPolicy<G> for BestLine<R, G::Action> {
    type Trace = (R::Trace, WholeLine<G>);

    #[inline(always)]
    fn choose(&self, leaf: &Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Option<G::Action>, GameFault> {
        self.rollout_policy.choose(leaf, rng)
    }

    #[inline(always)]
    fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Rewards, GameFault> {
        self.rollout_policy.simulate(leaf, rng)
    }

    fn learn(&mut self, (inner, played): &Self::Trace, rewards: &Rewards) {
        self.rollout_policy.learn(inner, rewards);
        let Some(root) = &played.root else { return };
        // The root may have moved since the last run.
        if played.is_first {
            self.best = self.best_from(root);
        }
        if self.best.as_ref().is_none_or(|&(_, best)| rewards[0] > best)
            && let Some(reward) = worth(root, &played.actions)
            && self.best.as_ref().is_none_or(|&(_, best)| reward > best)
        {
            self.best = Some((played.actions.clone(), reward));
        }
    }

    fn check(&self) -> Result<(), ParameterError> {
        self.rollout_policy.check()
    }
}

impl<G: GameState, R: Priors<G>> Priors<G> for BestLine<R, G::Action> {
    priors_of_inner!(rollout_policy);
}
