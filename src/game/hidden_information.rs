//! Games in which players do not see everything.

use super::{GameState, Player, Rng};

/// A game with hidden information: cards in other hands, face-down pieces, secret goals.
///
/// The state holds everything, also what a player cannot see. [`determinize`](Self::determinize) replaces
/// what one player has not seen by a guess. A search that sees the real state would cheat; [`InformationSet`]
/// lets a search see guesses only.
///
/// **Who needs it:** [`InformationSet`].
///
/// # The contract
///
/// After `state.determinize(observer, rng)`,
///
/// - everything that `observer` has seen is the same, and so are [`turn`](GameState::turn) and
///   [`players`](GameState::players);
/// - whose turn it is after some actions follows from these actions and from what `observer` has seen;
/// - if it is the observer's turn, [`actions`](GameState::actions) yields the same actions in the same order;
/// - the guess depends on what `observer` has seen and on `rng`, and on nothing else. For the same generator,
///   two states that `observer` cannot tell apart give equal guesses.
///
/// The last point is easy to break: if you shuffle the unseen cards as they lie in the real state, the result
/// depends on how they lie. **Sort what is unseen first, then shuffle it.** Draw the guess with its
/// probability given all that the observer has seen. For cards that were dealt at random and of which nothing
/// else is known, a shuffle does.
///
/// Actions must show all that the observer learns from them: let chance announce it. Otherwise a search
/// makes no use of it. The chapter "Hidden information" has an example, and the word `hidden` of the rules kit
/// finds such an action. (The game may end in some guesses and not in others.)
///
/// No budget can stop a `determinize` that never returns, as one that deals cards again until they fit; the
/// rules kit ends the process then, and prints the line.
///
/// # Examples
///
/// Each player has one card of five. Player 0 bets or folds; if player 0 bets, the greater card wins.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::HiddenInformation;
/// use ramure::search::InformationSet;
///
/// #[derive(Clone)]
/// struct Showdown { cards: [u8; 2], bets: Option<bool> }
///
/// impl GameState for Showdown {
///     type Action = bool;
///     fn turn(&self) -> Turn {
///         if self.bets.is_none() { Turn::Player(0) } else { Turn::Over }
///     }
///     fn actions(&self) -> impl IntoIterator<Item = bool> {
///         [false, true].into_iter().filter(|_| self.bets.is_none())
///     }
///     fn apply(&mut self, bets: bool) {
///         self.bets = Some(bets);
///     }
///     fn reward(&self, player: Player) -> f64 {
///         let wins = self.cards[usize::from(player)] > self.cards[usize::from(1 - player)];
///         if self.bets == Some(false) { 0.5 } else { f64::from(u8::from(wins)) }
///     }
/// }
///
/// impl HiddenInformation for Showdown {
///     fn determinize(&mut self, observer: Player, rng: &mut Rng) {
///         let own = self.cards[usize::from(observer)];
///         let unseen: Vec<u8> = (1..=5).filter(|&card| card != own).collect(); // in order
///         self.cards[usize::from(1 - observer)] = unseen[rng.below(unseen.len())];
///     }
/// }
///
/// // The search does not know that the other card is a 5. It only knows that most cards are below 4.
/// let state = Showdown { cards: [4, 5], bets: None };
/// let report = Mcts::new(InformationSet::new(state)).run(Budget::iterations(1_000))?;
/// assert!(report.best_action());
/// # Ok::<(), SearchError>(())
/// ```
///
/// [`InformationSet`]: crate::search::InformationSet
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what its players cannot see",
    label = "a search of this game would see everything",
    note = "add `impl HiddenInformation for {Self} {{ fn determinize(&mut self, observer: Player, rng: &mut Rng) {{ .. }} }}`: replaces what `observer` has not seen by a random guess",
    note = "if `{Self}` is a type of another crate, wrap it in a type of yours"
)]
pub trait HiddenInformation: GameState {
    /// Replaces what `observer` has not seen by a random guess that agrees with everything that `observer`
    /// has seen.
    fn determinize(&mut self, observer: Player, rng: &mut Rng);

    /// Returns what `observer` sees when the player to move, or chance, takes `action` in this state: the
    /// action itself, one that stands for all actions that look like it, or `None` if the observer sees
    /// nothing of it.
    ///
    /// A player always sees its own actions. Searches with a tree for each player call this, and those of
    /// [`ObservedMoves`](crate::search::ObservedMoves). \[Default: everybody sees everything\]
    fn observe(&self, action: Self::Action, observer: Player) -> Option<Self::Action> {
        let _ = observer;
        Some(action)
    }

    /// Returns what `player` knows in this state and others may not, as actions that the player has seen: for
    /// example, that its card was dealt.
    ///
    /// A search with a tree for each player begins at the current state. There, the trees of the other
    /// players do not know what these players have seen before, such as their cards. If you return it here,
    /// these players act by what they know in each guess. The price is that each of them learns apart for
    /// each different knowledge, so return little: a card or two, no hand of 13 cards. If the observer does
    /// not choose at the current state, the player who does acts without it, because the report is about all
    /// guesses. \[Default: nothing\]
    fn private_knowledge(&self, player: Player) -> impl IntoIterator<Item = Self::Action> {
        let _ = player;
        []
    }
}
