//! What the author of a game writes, and what he is given for it. This layer knows of no tree and no search;
//! everything else may use it.

mod abilities;
mod fault;
mod rewards;
mod rng;

pub use abilities::{ActionIndex, StaticEvaluation, Symmetric};
pub use fault::GameFault;
pub use rewards::{MAX_PLAYERS, Rewards};
pub use rng::Rng;

use core::fmt::Debug;
use smallvec::SmallVec;

/// A player: 0, 1, 2, ...
pub type Player = u8;

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Turn {
    /// This player chooses the next action.
    Player(Player),
    /// Nature draws the next action, see [`GameState::weight`].
    Chance,
    /// The game has ended: there are no actions, and [`GameState::reward`] may be asked.
    Over,
}

/// The state of a game: everything that decides what may happen next.
///
/// This is the one trait that a game needs. One associated type and four methods are required; the others have
/// defaults that are right for every game, and that a game may replace to be faster.
///
/// **Who needs it:** every search, every agent, every law of the rules kit.
///
/// # The contract
///
/// - [`actions`](Self::actions) yields each legal action once, in an order that depends on the state alone; it yields
///   none exactly when [`turn`](Self::turn) is [`Turn::Over`].
/// - [`apply`](Self::apply) changes this state and no other: a clone shares nothing that can be changed.
/// - [`reward`](Self::reward) lies in [0, 1] for every player, whoever moved last. Nothing is ever negated.
/// - The game ends, whatever is played.
///
/// A search answers a breach with a [`SearchError`](crate::SearchError) where it meets one.
///
/// # Example
///
/// Players take one, two or three sticks in turn; who takes the last one wins.
///
/// ```
/// use ramure::prelude::*;
///
/// #[derive(Clone)]
/// struct Sticks {
///     left: u8,
///     player: Player,
/// }
///
/// impl GameState for Sticks {
///     type Action = u8;
///
///     fn turn(&self) -> Turn {
///         if self.left == 0 { Turn::Over } else { Turn::Player(self.player) }
///     }
///     fn actions(&self) -> impl IntoIterator<Item = u8> {
///         1..=self.left.min(3)
///     }
///     fn apply(&mut self, taken: u8) {
///         self.left -= taken;
///         self.player = 1 - self.player;
///     }
///     fn reward(&self, player: Player) -> f64 {
///         if player == self.player { 0.0 } else { 1.0 } // who is to move finds no stick: he has lost
///     }
/// }
///
/// let action = ramure::best_action(&Sticks { left: 10, player: 0 }, Budget::iterations(2_000))?;
/// assert_eq!(action, 2); // leaves a multiple of four
/// # Ok::<(), SearchError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a game that ramure can search",
    label = "not a game state",
    note = "implement `GameState` for `{Self}`: `type Action` and the four methods `turn`, `actions`, `apply`, `reward`"
)]
pub trait GameState: Clone {
    /// What can be played: small and cheap to copy (a number, a newtype, a fieldless enum). Where actions are big, texts or
    /// floats, let this be an index into a table of the game's.
    // The compiler shows the next line, comment and all, to those whose actions are something else.
    type Action: Copy + Eq + Debug + 'static; // texts, floats, big actions: use an index into a table, see docs/first_game.md

    /// Whose turn it is. Called several times per action: keep it cheap.
    fn turn(&self) -> Turn;

    /// The legal actions of the player to move, or the possible outcomes if chance is to move; none exactly when the
    /// game is over. Each once, in an order fixed by the state.
    ///
    /// Write the return type as it stands here, whatever the body returns: an iterator, a range, an array, a `Vec`. With
    /// `-> Vec<Self::Action>` the compiler warns that the signature says more than the trait does
    /// (`refining_impl_trait`); if you want it to, for callers that know your type, `#[expect(refining_impl_trait)]` above the method
    /// silences the warning.
    fn actions(&self) -> impl IntoIterator<Item = Self::Action>;

    /// Plays one of [`actions`](Self::actions). What happens on any other is up to the game.
    fn apply(&mut self, action: Self::Action);

    /// What the finished game is worth to `player`, in [0, 1]: by custom 1 for a win, 1/2 for a draw, 0 for a loss.
    /// Asked only when [`turn`](Self::turn) is [`Turn::Over`].
    fn reward(&self, player: Player) -> f64;

    /// How many players there are, from 1 to [`MAX_PLAYERS`]; the same in every state. \[Default: 2\]
    #[inline(always)]
    fn players(&self) -> u8 {
        2
    }

    /// The probability of `outcome`, one of [`actions`](Self::actions), when [`turn`](Self::turn) is
    /// [`Turn::Chance`]; the weights of all outcomes sum to one, to within 1e-6. \[Default: all alike\]
    fn weight(&self, outcome: Self::Action) -> f64 {
        let _ = outcome;
        1.0 / self.actions().into_iter().count() as f64
    }

    /// A random action: each with the same probability for a player, by [`weight`](Self::weight) for chance; `None`
    /// if there is none, or if the weights are no probabilities.
    ///
    /// Rollouts spend their time here. A game that can draw without listing its actions should replace this; the
    /// distribution must stay the same. \[Default: lists the actions and draws one\]
    #[inline]
    fn random_action(&self, rng: &mut Rng) -> Option<Self::Action> {
        if size_of::<Self::Action>() <= SMALL_ACTION {
            draw_on_stack(self, rng)
        } else {
            draw_on_heap(self, rng)
        }
    }

    /// Plays random actions, as many as it likes, as [`random_action`](Self::random_action) and [`apply`](Self::apply) in turn
    /// would: a shortcut for rollouts in which nobody wants to know the actions. What is left of the game is then played
    /// action by action.
    ///
    /// Replace it if the end of a random game can be had more cheaply than by playing it; a game of Hex, for one, can be
    /// filled up at random, and it is seen but once who has won. Only the *rewards* at the end must be distributed as in random
    /// play: the state need not be one that can be reached. \[Default: plays nothing\]
    #[inline(always)]
    fn random_rollout(&mut self, rng: &mut Rng) {
        let _ = rng;
    }

    /// Whether `action` may be played here. \[Default: looks through [`actions`](Self::actions)\]
    fn is_legal(&self, action: Self::Action) -> bool {
        self.actions().into_iter().any(|legal| legal == action)
    }
}

/// How far from one the weights of a chance node may sum.
pub(crate) const WEIGHT_TOLERANCE: f64 = 1e-6;

/// Lists of actions of so many bytes lie on the stack if they are short.
const SMALL_ACTION: usize = 64;

#[inline]
fn draw_on_stack<G: GameState>(state: &G, rng: &mut Rng) -> Option<G::Action> {
    draw(state, &SmallVec::<[G::Action; 32]>::from_iter(state.actions()), rng)
}

#[inline(never)]
fn draw_on_heap<G: GameState>(state: &G, rng: &mut Rng) -> Option<G::Action> {
    draw(state, &Vec::from_iter(state.actions()), rng)
}

/// One of `actions`, which are those of `state`; see [`GameState::random_action`].
#[inline]
fn draw<G: GameState>(state: &G, actions: &[G::Action], rng: &mut Rng) -> Option<G::Action> {
    if state.turn() != Turn::Chance {
        return actions.get(rng.below(actions.len())).copied();
    }
    // The outcome at which the running sum passes a number drawn from [0, 1).
    let (mut sum, mut drawn, threshold) = (0.0, None, rng.unit());
    for &outcome in actions {
        let weight = state.weight(outcome);
        if !(0.0..=1.0 + WEIGHT_TOLERANCE).contains(&weight) {
            return None;
        }
        sum += weight;
        if drawn.is_none() && weight > 0.0 && threshold < sum {
            drawn = Some(outcome);
        }
    }
    if (sum - 1.0).abs() > WEIGHT_TOLERANCE {
        return None;
    }
    // The sum may end a rounding error below one.
    drawn.or_else(|| actions.iter().rev().copied().find(|&outcome| state.weight(outcome) > 0.0))
}
