//! How a search came to a fault: [`LineOfPlay`].

use crate::backpropagation::Backprop;
use crate::game::{GameState, Rng, put_failure_back, take_failure};
use crate::iteration::nodes::can_play;
use crate::iteration::{FedBy, Iterations, LeafOf, Traces};
use crate::simulation::{LAST_OF_LINE, LONGEST_LINE, Leaf, Retraced, RolloutPolicy, Trace};
use crate::space::Space;
use crate::space::transpositions::{transformation_of, unstored};
use core::fmt;

/// How a search came to a fault: the actions from its root, and the guess of what is hidden.
///
/// ```
/// use ramure::prelude::*;
///
/// /// The player who reaches 21 first wins. Somebody forgot that one can also pass it.
/// #[derive(Clone)]
/// struct Count { sum: u32, player: Player }
///
/// impl GameState for Count {
///     type Action = u32;
///     fn turn(&self) -> Turn { if self.sum == 21 { Turn::Over } else { Turn::Player(self.player) } }
///     fn actions(&self) -> impl IntoIterator<Item = u32> { if self.sum < 21 { 3..6 } else { 0..0 } }
///     fn apply(&mut self, added: u32) { *self = Count { sum: self.sum + added, player: 1 - self.player } }
///     fn reward(&self, player: Player) -> f64 { if player == self.player { 0.0 } else { 1.0 } }
/// }
///
/// let error = Mcts::new(Count { sum: 0, player: 0 }).run(Budget::iterations(100)).unwrap_err();
/// let SearchError::Game { line, ply, .. } = &error else { panic!("{error}") };
/// assert_eq!(line.actions.len(), *ply as usize);
/// let sum: u32 = line.actions.iter().map(|added| added.parse::<u32>().unwrap()).sum();
/// assert!(sum > 21);
/// assert!(error.to_string().contains(&line.actions.join(", ")));
/// ```
#[derive(Clone, Default, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LineOfPlay {
    /// The actions from the root, printed by `Debug`. If there are more than [`LONGEST`](Self::LONGEST), the
    /// last 10 of this list are the last ones before the fault, and the others the first ones.
    ///
    /// If the fault is in a rollout, the search plays it a second time to see its actions. They are left out
    /// if it then takes another way, as with an evaluator that changes; and in searches that put positions
    /// together with their mirror images, that have a [window](crate::Mcts::window) or a tree for each
    /// player.
    pub actions: Vec<String>,
    /// The seed of the guess of what is hidden, if the search makes one in each iteration. To see the guess,
    /// call [`determinize`](crate::HiddenInformation::determinize) for a copy of the root state, with the
    /// generator `Rng::seeded(seed)`.
    pub guess: Option<u64>,
    /// The number of the iteration that made the guess: one more than the visits that the root had. In
    /// [`Determinized`](crate::agents::Determinized), the number of the guess, from 1. 0 without a guess.
    pub iteration: u32,
}

impl LineOfPlay {
    /// The most actions that a line keeps.
    pub const LONGEST: usize = LONGEST_LINE;

    /// The most actions that an error prints.
    const PRINTED: usize = 100;

    /// Takes what `leaf` was told of a fault.
    pub(crate) fn of<G: GameState, T: Trace<G>>(leaf: &Leaf<G, T>) -> Self {
        let (actions, iteration, guess) = leaf.take_line();
        LineOfPlay { actions, guess, iteration: guess.map_or(0, |_| iteration) }
    }

    /// Leaves out actions in the middle of a line that is too long.
    pub(crate) fn shorten<A>(actions: &mut Vec<A>) {
        let length = actions.len();
        if length > Self::LONGEST {
            actions.drain(Self::LONGEST - LAST_OF_LINE..length - LAST_OF_LINE);
        }
    }

    /// Describes the place, `ply` actions after the root.
    pub(crate) fn write(&self, ply: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match ply {
            0 => f.write_str("at the root of the search")?,
            1 => f.write_str("1 action after the root of the search")?,
            _ => write!(f, "{ply} actions after the root of the search")?,
        }
        let (known, ply) = (self.actions.len(), ply as usize);
        // If the line is known to its end, so are the last actions.
        let last = if known > Self::PRINTED && known == ply.min(Self::LONGEST) { LAST_OF_LINE } else { 0 };
        let first = &self.actions[..known.min(Self::PRINTED - last)];
        if !first.is_empty() {
            write!(f, " ({}", first.join(", "))?;
            match (ply.saturating_sub(first.len() + last), last) {
                (0, _) => {}
                (more, 0) => write!(f, ", and {more} more")?,
                (more, _) => {
                    write!(f, ", then {more} more, and at last {}", self.actions[known - last..].join(", "))?
                }
            }
            f.write_str(")")?;
        }
        match self.guess {
            Some(seed) => {
                write!(f, ", in the guess of iteration {} by `Rng::seeded({seed})`", self.iteration)
            }
            None => Ok(()),
        }
    }
}

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>
    Iterations<'_, '_, S, P, R, B>
{
    /// Tells `leaf` how this iteration came to a fault. If that is in a rollout, `rollout` is the generator
    /// from before.
    #[cold]
    #[inline(never)]
    pub fn tell(&self, leaf: &LeafOf<S, P, R>, rollout: Option<Rng>) {
        let failure = take_failure();
        let stored = self.path.steps()[1..].iter().map(|step| step.node().action());
        let mut again: Leaf<S::Game, Retraced<Traces<S, P, R>>> =
            leaf.again(self.space.root(), |state, rng| {
                let _ = self.space.guess(state, rng); // it did not fail before
            });
        let (mut actions, mut goes_same_way, mut is_mirrored) = (Vec::new(), true, false);
        for stored in stored {
            let transformation = if goes_same_way { transformation_of::<S>(again.state()) } else { 0 };
            let action = unstored::<S>(again.state(), transformation, stored);
            actions.push(format!("{action:?}"));
            // In a game that goes another way this time, an illegal action might panic.
            let is_legal = goes_same_way && can_play::<S>(again.state(), action.clone());
            goes_same_way = is_legal && again.apply(action).is_ok();
            is_mirrored |= transformation != 0;
        }
        if let Some(mut rng) = rollout
            && goes_same_way
            && !is_mirrored
            && leaf.ply() > again.ply()
        {
            let _ = self.rollout_policy.simulate(&mut again, &mut rng);
            if again.ply() == leaf.ply() {
                actions.clone_from(&again.trace().actions);
            }
        }
        if again.ply() < leaf.ply() {
            // Only a line that is known to its end has the full length.
            actions.truncate(LineOfPlay::LONGEST - 1);
        }
        actions.truncate(leaf.ply() as usize);
        LineOfPlay::shorten(&mut actions);
        leaf.set_line(actions, self.tree.root().visit_count() + 1);
        // The game may have failed a second time just now.
        put_failure_back(failure);
    }
}
