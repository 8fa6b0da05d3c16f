//! The root of a search: where it moves to, and, if the search recognises positions, the states that the game
//! had before it.

use crate::backpropagation::Backprop;
use crate::game::Player;
use crate::iteration::path::NodeOf;
use crate::search::one_tree::OneTree;
use crate::selection::TreePolicy;
use crate::space::{NodeKind, Space};
use crate::tree::{ROOT, is_same_position, position_number};
use std::collections::HashSet;

/// Forgets what the backpropagation knows of a node, and with it what is proven.
fn forget<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(node: NodeOf<'_, S, P, B>) {
    node.set_backprop(Default::default());
    node.set_closed(false);
}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> OneTree<S, P, R, B> {
    /// Tells the tree which positions the game has had, that of the root included: a line of play that comes
    /// to one of them is a repetition.
    pub(crate) fn show_earlier_states(&self) {
        if !S::ARE_POSITIONS {
            return;
        }
        let mut keys = self.earlier.clone();
        if let Some((root, _)) = S::position(self.root())
            && let Err(place) = keys.binary_search(&root)
        {
            keys.insert(place, root);
        }
        self.tree.set_earlier(keys, self.players);
    }

    /// Returns the positions with this key: one for each player who has moved there.
    fn positions_of(&self, key: u128) -> impl Iterator<Item = u32> {
        (0..self.players).filter_map(move |player| self.tree.find_position(key, player))
    }

    /// Notes that the game has gone on from the position `left` to `next`, the root, whose keys are given.
    /// Returns whether proofs have been forgotten.
    ///
    /// A line that comes to one of the two is a repetition from now on, so no proof may rest on what is known
    /// there. What is known of the root itself stays: it is [hidden](crate::iteration::nodes::known) from the
    /// actions that lead back to it, so nothing rests on it when the game leaves it.
    pub(crate) fn go_on(&mut self, left: u128, next: Option<(u128, u32)>) -> bool {
        if !S::ARE_POSITIONS {
            return false;
        }
        if let Err(place) = self.earlier.binary_search(&left) {
            self.earlier.insert(place, left);
        }
        let root = if self.tree.is_empty() { ROOT } else { self.tree.root().link() };
        let (mut forgets, mut passed) = (false, HashSet::new());
        for key in [left].into_iter().chain(next.map(|(next, _)| next)) {
            for number in self.positions_of(key) {
                let (position, is_root) = (self.tree.position(number), is_same_position(number, root));
                if self.knows(position) {
                    forgets |= !is_root;
                    passed.insert(position_number(number));
                }
                if !is_root {
                    forget::<S, P, B>(position);
                }
            }
        }
        self.forget_what_rests_on(passed) || forgets
    }

    /// Forgets what was found by lines that lead to these positions. Some of it may follow from other lines,
    /// too: iterations go to all children again and find it. Returns whether there was anything.
    fn forget_what_rests_on(&self, mut passed: HashSet<u32>) -> bool {
        let (given, mut before) = (passed.len(), 0);
        while before < passed.len() {
            before = passed.len();
            for (number, position) in self.tree.all_positions() {
                let children = self.tree.children_of(position.link());
                let mut rests = false;
                for child in children.clone() {
                    if passed.contains(&position_number(child.link())) {
                        forget::<S, P, B>(child);
                        rests = true;
                    }
                }
                if rests && self.knows(position) {
                    forget::<S, P, B>(position);
                    children.for_each(|child| child.set_closed(false));
                    passed.insert(position_number(number));
                }
            }
        }
        passed.len() > given
    }

    /// Returns whether anything is known at a node that could be part of a proof.
    fn knows(&self, node: NodeOf<'_, S, P, B>) -> bool {
        B::PROVES && self.backprop.knows(node.backprop(), self.players)
    }

    /// Makes `node` the root, or the position with a key and a transformation, if the tree has it.
    pub(crate) fn advance_tree(
        &self,
        node: Option<(u32, u32)>,
        position: Option<(u128, u32)>,
        chooser: Player,
    ) {
        if !S::ARE_POSITIONS || self.tree.is_empty() {
            return self.tree.advance(node);
        }
        let Some((key, transformation)) = position else { return self.tree.advance(node) };
        match self.tree.find_position(key, chooser) {
            Some(number) => self.tree.advance_to_position(number),
            None => {
                self.tree.advance(node);
                // The child leads to a position with another key, if `advance_to` set a state that does not
                // follow.
                self.tree.unlink(self.tree.root());
            }
        }
        self.tree.set_root_transformation(transformation);
    }
}
