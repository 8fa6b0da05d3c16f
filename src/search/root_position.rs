//! The root of a search: where it moves to, and, if the search recognises positions, the states that the game
//! had before it.

use crate::backpropagation::Backprop;
use crate::game::Player;
use crate::iteration::nodes::bit_of;
use crate::iteration::path::NodeOf;
use crate::search::one_tree::OneTree;
use crate::selection::TreePolicy;
use crate::space::{NodeKind, Space};
use crate::tree::position_number;
use std::collections::HashSet;

/// Forgets what the backpropagation knows of a node, and with it what is proven.
fn forget<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(node: NodeOf<'_, S, P, B>) {
    node.set_backprop(Default::default());
    node.set_closed(false);
}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> OneTree<S, P, R, B> {
    /// Tells the tree which positions the game had before the root.
    pub(crate) fn show_earlier_states(&self) {
        if !S::ARE_POSITIONS {
            return;
        }
        let mut set = [0; 4];
        for &key in &self.earlier {
            for player in 0..self.players {
                if let Some(number) = self.tree.find_position(key, player) {
                    let (word, bit) = bit_of(number);
                    set[word] |= bit;
                }
            }
        }
        self.tree.set_earlier(&self.earlier, set);
    }

    /// Notes a position that the game has left for `next`, whose keys are given. What is proven of it holds
    /// only for lines that do not come back to it. Returns whether proofs have been forgotten.
    pub(crate) fn leave(&mut self, key: u128, next: Option<(u128, u32)>) -> bool {
        if !S::ARE_POSITIONS {
            return false;
        }
        if let Err(place) = self.earlier.binary_search(&key) {
            self.earlier.insert(place, key);
        }
        if next.is_some_and(|(next, _)| next == key) {
            return false;
        }
        let mut forgotten: HashSet<u32> = HashSet::new();
        for player in 0..self.players {
            if let Some(number) = self.tree.find_position(key, player) {
                let position = self.tree.position(number);
                if self.is_proven(position) {
                    forgotten.insert(position_number(number));
                }
                forget::<S, P, B>(position);
            }
        }
        self.forget_what_rests_on(&mut forgotten);
        !forgotten.is_empty()
    }

    /// Forgets proofs by lines that lead to positions whose own proofs have been forgotten. Some of these
    /// positions have other proofs, too: iterations go to all their children again and find them.
    fn forget_what_rests_on(&self, forgotten: &mut HashSet<u32>) {
        let mut count = 0;
        while count < forgotten.len() {
            count = forgotten.len();
            for (number, position) in self.tree.all_positions() {
                let children = self.tree.children_of(position.link());
                let mut rests = false;
                for child in children.clone() {
                    if forgotten.contains(&position_number(child.link())) {
                        forget::<S, P, B>(child);
                        rests = true;
                    }
                }
                if rests && self.is_proven(position) {
                    forget::<S, P, B>(position);
                    children.for_each(|child| child.set_closed(false));
                    forgotten.insert(position_number(number));
                }
            }
        }
        if !self.tree.is_empty() && forgotten.contains(&position_number(self.tree.root().link())) {
            forget::<S, P, B>(self.tree.root());
        }
    }

    /// Returns whether the reward of some player is certain at a node.
    fn is_proven(&self, node: NodeOf<'_, S, P, B>) -> bool {
        (0..self.players).any(|player| self.backprop.certain(node.backprop(), player).is_some())
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
