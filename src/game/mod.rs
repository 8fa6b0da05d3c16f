//! The trait of games, its optional companions, and the types that they use. This layer knows nothing of
//! trees and searches. Every other layer may use it.

mod abilities;
mod action_sampler;
mod belief;
mod failure;
mod forward;
mod game_fault;
mod hidden_information;
#[cfg(test)]
pub(crate) mod idle;
#[cfg(test)]
pub(crate) mod in_a_row;
mod key;
pub(crate) mod many;
mod picture;
pub(crate) mod player_action;
mod rewards;
mod rng;
mod simulator;

pub use abilities::{ActionCode, ActionIndex, Keyed, Scored, SkipTurn, StaticEvaluation, Symmetric};
pub use action_sampler::ActionSampler;
pub(crate) use belief::draw_weighted;
pub use belief::{Belief, BeliefError, PartiallyObserved};
pub(crate) use failure::{Cause, concluded, has_failed, try_apply, unless_failed};
pub use failure::{fail, take_failure};
pub(crate) use forward::{forward_evaluation, forward_indices, forward_methods, forward_to_state};
pub use game_fault::GameFault;
pub use hidden_information::HiddenInformation;
pub use key::hash_key;
pub use picture::Picture;
pub use rewards::{MAX_PLAYERS, Rewards};
pub use rng::Rng;
pub use simulator::Simulator;
pub(crate) use simulator::StepReward;

use core::fmt::Debug;
use smallvec::SmallVec;

/// The number of a player, counted from 0.
pub type Player = u8;

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Turn {
    /// This player chooses the next action.
    Player(Player),
    /// Chance draws the next action; see [`GameState::probability`].
    Chance,
    /// The game is over: nobody asks for actions, and you may call [`GameState::reward`].
    Over,
}

/// The state of a game: everything that decides what may happen next.
///
/// This is the only trait that a game must implement. One associated type and four methods are required.
/// Override [`players`](Self::players) unless there are two, [`probability`](Self::probability) unless all
/// outcomes of chance are equally likely, and [`is_simultaneous`](Self::is_simultaneous) if players choose at
/// the same time. The defaults of the other methods are correct for every game; override them to make a game
/// faster.
///
/// **Who needs it:** every search, every agent, every law of the rules kit.
///
/// # The contract
///
/// - [`actions`](Self::actions) yields each legal action once, in an order that depends on the state alone.
///   It yields at least one, unless [`turn`](Self::turn) is [`Turn::Over`]. Then it may yield anything:
///   searches and laws ask `turn` first.
/// - [`apply`](Self::apply) changes this state and no other: clones share no mutable data.
/// - [`reward`](Self::reward) is in [0, 1] for every player, no matter who played last. The search never
///   negates it.
/// - Every line of play ends.
///
/// A search that meets a breach of the contract returns a [`SearchError`](crate::SearchError).
///
/// # Examples
///
/// Players take one, two or three sticks in turn. The player who takes the last one wins.
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
///         if player == self.player { 0.0 } else { 1.0 } // no sticks left: the player to move loses
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
    note = "implement `GameState` for `{Self}`: `type Action` and the four methods `turn`, `actions`, `apply`, `reward`",
    note = "an `InformationSet`, an `OpenLoop`, a `Transpositions` and the like are not games: search them with `Mcts`"
)]
pub trait GameState: Clone {
    /// An action, such as a number, an enum, a list or a text.
    ///
    /// The tree keeps one for each child, and clones it whenever an iteration goes there, so a small type
    /// that is `Copy` is fastest. An `Arc<str>` is cheaper to clone than a `String`. A float is not `Eq`,
    /// because NaN does not equal itself: use a newtype that is never NaN, such as `Amount` in the chapter
    /// `docs/chance_and_sampling.md`.
    ///
    /// An action may be a text:
    ///
    /// ```
    /// use ramure::prelude::*;
    ///
    /// const ORDERS: [&str; 3] = ["attack the castle", "hold the bridge", "wait"];
    ///
    /// /// A day with two orders.
    /// #[derive(Clone)]
    /// struct Day { given: Vec<&'static str> }
    ///
    /// impl GameState for Day {
    ///     type Action = &'static str;
    ///     fn players(&self) -> u8 { 1 }
    ///     fn turn(&self) -> Turn { if self.given.len() < 2 { Turn::Player(0) } else { Turn::Over } }
    ///     fn actions(&self) -> impl IntoIterator<Item = &'static str> {
    ///         ORDERS.into_iter().filter(|order| !self.given.contains(order))
    ///     }
    ///     fn apply(&mut self, order: &'static str) { self.given.push(order) }
    ///     fn reward(&self, _: Player) -> f64 { if self.given == [ORDERS[1], ORDERS[0]] { 1.0 } else { 0.0 } }
    /// }
    ///
    /// let best = ramure::best_action(&Day { given: Vec::new() }, Budget::iterations(200))?;
    /// assert_eq!(best, "hold the bridge");
    /// # Ok::<(), SearchError>(())
    /// ```
    // The compiler prints the next line, with its comment, if an action type lacks one of the bounds.
    type Action: Clone + Eq + Debug + 'static; // floats: use a newtype, see docs/chance_and_sampling.md

    /// Returns whose turn it is. Searches call this once after each action that they play.
    fn turn(&self) -> Turn;

    /// Returns the legal actions of the player to move, or the outcomes of chance. Yields each once (of two
    /// equal cards in a hand, one), in an order that depends on the state alone, and at least one. What it
    /// yields if the game is over does not matter: searches and laws ignore it.
    ///
    /// Keep the return type as written here, whatever the body returns: an iterator, a range, an array or a
    /// `Vec`. With `-> Vec<Self::Action>` the compiler warns (`refining_impl_trait`) that the signature
    /// promises more than the trait does. If you want that promise, for callers that know your type, put
    /// `#[expect(refining_impl_trait)]` above the method.
    fn actions(&self) -> impl IntoIterator<Item = Self::Action>;

    /// Plays `action`, one of [`actions`](Self::actions). The effect of any other action is up to the game.
    ///
    /// The same action in the same state leads to the same state: chance draws in a turn of its own,
    /// [`Turn::Chance`]. A search plays one line in a hundred or so a second time to check this. No budget
    /// can stop a call that never returns; the laws of the rules kit end the process then, and print the
    /// line.
    fn apply(&mut self, action: Self::Action);

    /// Returns the reward of `player` in this finished game, in [0, 1]: by convention 1 for a win, 1/2 for a
    /// draw and 0 for a loss. Called only if [`turn`](Self::turn) is [`Turn::Over`].
    fn reward(&self, player: Player) -> f64;

    /// Whether a search keeps the states of nodes, so that an iteration clones one instead of playing the
    /// actions that lead there. Then it calls [`apply`](Self::apply) once or twice in the tree, at any depth.
    ///
    /// Set this if `apply` takes much longer than a clone: a simulator, a database, a language model. Where
    /// evaluations are cheap and priors sharp, an iteration of [`Puct`](crate::selection::Puct) plays 8 to 22
    /// actions in the tree, and keeping states pays if `apply` takes more than about 300 instructions. Each node
    /// with children keeps a state, as long as all states take at most half of the [memory
    /// limit](crate::Mcts::memory_limit), not counting what they own on the heap. A search finds the same
    /// with and without them, unless it recycles nodes for lack of memory. Where a node stands for many
    /// states (hidden information, open loops), none is kept, and none for a [`Simulator`]. \[Default:
    /// `false`\]
    const KEEPS_STATES: bool = false;

    /// Returns the number of players, from 1 to [`MAX_PLAYERS`]; the same in every state. \[Default: 2\]
    #[inline(always)]
    fn players(&self) -> u8 {
        2
    }

    /// Returns the probability of `outcome`, one of [`actions`](Self::actions), if [`turn`](Self::turn) is
    /// [`Turn::Chance`]. The probabilities of all outcomes sum to 1, to within 1e-6. \[Default: the same for
    /// each outcome\]
    fn probability(&self, outcome: Self::Action) -> f64 {
        let _ = outcome;
        1.0 / self.actions().into_iter().count() as f64
    }

    /// Draws an action of the player to move, each with the same probability. Returns `None` if there are no
    /// actions. Called only if [`turn`](Self::turn) is [`Turn::Player`].
    ///
    /// Rollouts spend most of their time here. Override this if your game can draw an action without listing
    /// all of them; keep the distribution the same. \[Default: draws a number below the number of actions and
    /// takes that one. If the iterator of [`actions`](Self::actions) does not know the number, lists them
    /// first\]
    #[inline]
    fn random_action(&self, rng: &mut Rng) -> Option<Self::Action> {
        let mut actions = self.actions().into_iter();
        // A `Vec`, an array or a range knows its length, so nothing need be copied.
        if let (count, Some(most)) = actions.size_hint()
            && count == most
        {
            let drawn = actions.nth(rng.below(count));
            return if drawn.is_none() && count > 0 { draw_again(self, rng) } else { drawn };
        }
        draw_from(actions, rng)
    }

    /// Draws an outcome of chance by [`probability`](Self::probability). Returns `None` if there are no
    /// outcomes, or if the probabilities are wrong. Called only if [`turn`](Self::turn) is [`Turn::Chance`].
    ///
    /// Override this if your game can draw an outcome without listing all of them; keep the distribution the
    /// same. \[Default: lists the outcomes and their probabilities\]
    #[inline]
    fn random_outcome(&self, rng: &mut Rng) -> Option<Self::Action> {
        if size_of::<Self::Action>() <= SMALL_ACTION {
            draw_outcome(self, &SmallVec::<[Self::Action; 32]>::from_iter(self.actions()), rng)
        } else {
            draw_outcome(self, &Vec::from_iter(self.actions()), rng)
        }
    }

    /// Plays any number of random actions at once, like [`random_action`](Self::random_action) (and
    /// [`random_outcome`](Self::random_outcome)) and [`apply`](Self::apply) in turn. This is a shortcut for
    /// rollouts that do not need the single actions. The rollout then plays the rest of the game action by
    /// action.
    ///
    /// Override this if you can compute the end of a random game more cheaply than by playing it. For
    /// example, a board of Hex can be filled at random, and the winner is computed once. Only the *rewards*
    /// at the end must be distributed as in random play; the state itself need not be reachable. \[Default:
    /// plays nothing\]
    #[inline(always)]
    fn random_rollout(&mut self, rng: &mut Rng) {
        let _ = rng;
    }

    /// Plays several random games from this state to their ends, each as
    /// [`random_action`](Self::random_action) and [`apply`](Self::apply) would. Returns the mean rewards of
    /// all players, or `None` to have the games played one by one.
    ///
    /// [`MultipleRollouts`](crate::simulation::MultipleRollouts) of [`Uniform`](crate::simulation::Uniform)
    /// calls this with the number of its rollouts, at least 1, if the game is not over and nothing needs the
    /// single actions. The games must be independent of each other. Override it if you can play a batch of
    /// games faster than one at a time. For example, `Connect4` plays eight games at once with vector
    /// instructions. \[Default: `None`\]
    ///
    /// The loop of a search is also compiled for AVX2. If you mark this `#[inline(always)]`, it is part of
    /// the loop and uses these instructions, too.
    #[inline(always)]
    fn random_rollouts(&self, games: u32, rng: &mut Rng) -> Option<Rewards> {
        let _ = (games, rng);
        None
    }

    /// Returns whether the player to move chooses at the same time as other players. \[Default: `false`\]
    ///
    /// The players of such a *step* choose in ascending order, and [`apply`](Self::apply) keeps their choices
    /// in the state until all have chosen. Nobody sees a choice before the step ends, so
    /// [`actions`](Self::actions) of a player must not depend on the choices before it. A step ends when this
    /// returns `false`, when chance moves, or when the player to move is not greater than the one before: a
    /// greater player who is next belongs to the same step and does not see the choices.
    ///
    /// Rock-paper-scissors is one step: player 0 chooses, then player 1, and this is `true` for both. Only
    /// searches with a tree for each player ask. To every other search, the players move in turn, and the
    /// later player sees what the earlier one chose.
    #[inline(always)]
    fn is_simultaneous(&self) -> bool {
        false
    }

    /// Returns whether `action` is legal in this state, in which the game is not over. \[Default: searches
    /// [`actions`](Self::actions)\]
    fn is_legal(&self, action: Self::Action) -> bool {
        self.actions().into_iter().any(|legal| legal == action)
    }
}

/// The largest difference from 1 of the sum of the probabilities at a chance node.
pub(crate) const PROBABILITY_TOLERANCE: f64 = 1e-6;

/// The largest size in bytes of an action for which a short list of actions is kept on the stack.
const SMALL_ACTION: usize = 64;

/// Lists `actions` and draws one.
#[inline]
fn draw_from<A: Clone>(actions: impl Iterator<Item = A>, rng: &mut Rng) -> Option<A> {
    fn draw<A: Clone>(actions: &[A], rng: &mut Rng) -> Option<A> {
        actions.get(rng.below(actions.len())).cloned()
    }
    if size_of::<A>() <= SMALL_ACTION {
        draw(&SmallVec::<[A; 32]>::from_iter(actions), rng)
    } else {
        draw(&Vec::from_iter(actions), rng)
    }
}

/// Draws an action of a game whose iterator yields fewer actions than it promised.
#[cold]
#[inline(never)]
fn draw_again<G: GameState>(state: &G, rng: &mut Rng) -> Option<G::Action> {
    draw_from(state.actions().into_iter(), rng)
}

/// Draws one of `outcomes`, which are those of `state`; see [`GameState::random_outcome`].
#[inline]
fn draw_outcome<G: GameState>(state: &G, outcomes: &[G::Action], rng: &mut Rng) -> Option<G::Action> {
    // Draws the outcome at which the running sum of the probabilities passes a number in [0, 1).
    let (mut sum, mut drawn, threshold) = (0.0, None, rng.unit());
    for outcome in outcomes {
        let probability = state.probability(outcome.clone());
        if !(0.0..=1.0 + PROBABILITY_TOLERANCE).contains(&probability) {
            return None;
        }
        sum += probability;
        if drawn.is_none() && probability > 0.0 && threshold < sum {
            drawn = Some(outcome);
        }
    }
    if (sum - 1.0).abs() > PROBABILITY_TOLERANCE {
        return None;
    }
    // The sum may be a rounding error below 1.
    drawn.or_else(|| outcomes.iter().rev().find(|&outcome| state.probability(outcome.clone()) > 0.0)).cloned()
}
