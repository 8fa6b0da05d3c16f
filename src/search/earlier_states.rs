//! The states that a game had before the root, for searches that recognise positions.

use crate::backpropagation::Backprop;
use crate::iteration::nodes::graph::place_of;
use crate::search::mcts::Mcts;
use crate::selection::TreePolicy;
use crate::simulation::RolloutPolicy;
use crate::space::Space;

impl<S: Space, P: TreePolicy<S::Game>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>> Mcts<S, P, R, B> {
    /// Gives the states that the game had before the root state, in any order, and starts a new tree. In a
    /// search that [recognises positions](crate::search::Transpositions), a line of play that returns to one
    /// of them is a repetition. [`advance`](Self::advance) adds the states that it leaves, so you need this
    /// only if the search starts in the middle of a game. \[Default: none\]
    ///
    /// ```
    /// use ramure::Keyed;
    /// use ramure::prelude::*;
    /// use ramure::search::Transpositions;
    ///
    /// /// A walk between two rooms. In each, the player may leave: for .6 from room 0, and for .5 from room 1.
    /// #[derive(Clone, Debug)]
    /// struct Walk { room: u8, left: bool }
    ///
    /// impl GameState for Walk {
    ///     type Action = &'static str;
    ///     fn players(&self) -> u8 { 1 }
    ///     fn turn(&self) -> Turn { if self.left { Turn::Over } else { Turn::Player(0) } }
    ///     fn actions(&self) -> impl IntoIterator<Item = &'static str> { ["walk", "leave"].into_iter().filter(|_| !self.left) }
    ///     fn apply(&mut self, action: &'static str) {
    ///         if action == "walk" { self.room = 1 - self.room } else { self.left = true }
    ///     }
    ///     fn reward(&self, _: Player) -> f64 { if self.room == 0 { 0.6 } else { 0.5 } }
    /// }
    /// impl Keyed for Walk {
    ///     fn key(&self) -> u128 { self.room.into() }
    /// }
    ///
    /// let at = |room| Walk { room, left: false };
    /// let mut search = Mcts::new(Transpositions::new(at(1))).earlier_states([at(0)]);
    /// assert_eq!(search.run(Budget::iterations(500))?.best_action(), "leave"); // going back to room 0 leads nowhere
    /// # Ok::<(), SearchError>(())
    /// ```
    pub fn earlier_states(mut self, states: impl IntoIterator<Item = S::Real>) -> Self {
        self.set_earlier_states(states);
        self
    }

    /// Gives the [`earlier_states`](Self::earlier_states) between two runs, in place of the former one, and
    /// empties the tree. Call it after [`reset`](Self::reset).
    pub fn set_earlier_states(&mut self, states: impl IntoIterator<Item = S::Real>) {
        const { assert!(S::IS_KEYED, "only a search of `Transpositions` or `MirrorImages` recognises positions") };
        self.earlier = states.into_iter().map(|state| S::position(S::of(state, 0).root()).0).collect();
        self.earlier.sort_unstable();
        self.earlier.dedup();
        self.tree.clear();
    }
}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> Mcts<S, P, R, B> {
    /// Tells the tree which positions the game had before the root.
    pub(crate) fn show_earlier_states(&self) {
        let mut set = [0; 4];
        for &key in &self.earlier {
            for number in (0..self.players).filter_map(|player| self.tree.find_position(key, player)) {
                let (word, bit) = place_of(number);
                set[word] |= bit;
            }
        }
        self.tree.set_earlier(&self.earlier, set);
    }

    /// Notes a position that the game has left, whose key is given. What is proven of it holds only for lines
    /// that do not come back to it.
    pub(crate) fn leave(&mut self, key: u128) {
        if let Err(place) = self.earlier.binary_search(&key) {
            self.earlier.insert(place, key);
        }
        if S::position(self.space.root()).0 == key {
            return;
        }
        for number in (0..self.players).filter_map(|player| self.tree.find_position(key, player)) {
            let position = self.tree.position(number);
            position.set_backprop(B::Stats::default());
            position.set_closed(false);
        }
    }
}
