//! The root of a search: where it moves to, and, if the search recognises positions, the states that the game
//! had before it.

use crate::backpropagation::Backprop;
use crate::game::Player;
use crate::iteration::path::NodeOf;
use crate::search::one_tree::OneTree;
use crate::selection::TreePolicy;
use crate::space::{NodeKind, Space};
use crate::tree::{ROOT, is_same_position, position_number};
use std::collections::{HashMap, HashSet};

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
    ///
    /// A line that comes to one of the two is a repetition from now on, so no proof may rest on what is known
    /// there. What is known of the root itself stays: it is [hidden](crate::iteration::nodes::known) from the
    /// actions that lead back to it, so nothing rests on it when the game leaves it.
    pub(crate) fn go_on(&mut self, left: u128, next: Option<(u128, u32)>) {
        if !S::ARE_POSITIONS {
            return;
        }
        if let Err(place) = self.earlier.binary_search(&left) {
            self.earlier.insert(place, left);
        }
        let root = if self.tree.is_empty() { ROOT } else { self.tree.root().link() };
        let mut passed = HashSet::new();
        for key in [left].into_iter().chain(next.map(|(next, _)| next)) {
            for number in self.positions_of(key) {
                let (position, is_root) = (self.tree.position(number), is_same_position(number, root));
                if self.knows(position) {
                    passed.insert(position_number(number));
                }
                if !is_root {
                    forget::<S, P, B>(position);
                }
            }
        }
        if self.tree.families_given_up() > 0 {
            // Nobody can say what rests on what in a family that was given up.
            for (number, position) in self.tree.all_positions() {
                if position.link() == ROOT && self.knows(position) && !is_same_position(number, root) {
                    forget::<S, P, B>(position);
                    passed.insert(position_number(number));
                }
            }
        }
        self.forget_what_rests_on(passed);
    }

    /// Forgets what was found by lines that lead to these positions. Some of it may follow from other lines,
    /// too: iterations go to all children again and find it.
    fn forget_what_rests_on(&self, passed: HashSet<u32>) {
        if passed.is_empty() {
            return;
        }
        // Which positions have an action that leads to a position.
        let mut parents: HashMap<u32, Vec<u32>> = HashMap::new();
        for (number, position) in self.tree.all_positions() {
            for child in self.tree.children_of(position.link()).filter(|child| child.link() != ROOT) {
                parents.entry(position_number(child.link())).or_default().push(number);
            }
        }
        let mut open = Vec::from_iter(passed.iter().copied());
        let mut found = passed;
        while let Some(below) = open.pop() {
            for &number in parents.get(&below).map_or(&[][..], |parents| parents) {
                let position = self.tree.position(number);
                let children = self.tree.children_of(position.link());
                for child in children.clone().filter(|child| position_number(child.link()) == below) {
                    forget::<S, P, B>(child);
                }
                if self.knows(position) {
                    forget::<S, P, B>(position);
                    children.for_each(|child| child.set_closed(false));
                    if found.insert(position_number(number)) {
                        open.push(position_number(number));
                    }
                }
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::table::{Door, Position, Room, Table};
    use crate::search::Transpositions;
    use crate::{Budget, Expansion, Mcts, Order, RootActions, Search};

    /// Chance leads to `PROVEN`, which has a win and a way to `GIVEN_UP`; to `GIVEN_UP`, which leads to `PROVEN`
    /// only; or into a ring.
    #[test]
    fn a_proof_whose_children_were_given_up_ends_when_the_game_comes_to_what_it_may_rest_on() {
        const PROVEN: u16 = 1;
        const GIVEN_UP: u16 = 2;
        let door = |action, to, weight| Door { weight, ..Door::new(action, to) };
        let rooms = vec![
            Room::new(None, vec![door(0, PROVEN, 18), door(1, GIVEN_UP, 1), door(2, 4, 1)], vec![0.0]),
            Room::new(0, vec![Door::new(4, GIVEN_UP), Door::new(3, 3)], vec![0.0]),
            Room::new(0, vec![Door::new(5, PROVEN)], vec![0.0]),
            Room::end(vec![1.0]),
            Room::new(0, vec![Door::new(6, 5)], vec![0.0]),
            Room::new(0, vec![Door::new(7, 4), Door::new(8, 6)], vec![0.0]),
            Room::end(vec![0.0]),
        ];
        let start: Position = Position::first(Table::new(1, rooms));
        let world = start.world().clone();
        let expansion = Expansion::default().on_visit(1).order(Order::AsListed);
        let search = Mcts::new(Transpositions::new(start)).seed(1).expansion(expansion);
        let mut found = 0;
        for share in 1..100 {
            let mut search = search.clone();
            search.run(Budget::iterations(400)).expect("a sound game");
            let one_tree = &search.trees;
            let position = |room| {
                let key = crate::Keyed::key(&Position::<u8>::new(&world, room));
                one_tree.tree.find_position(key, 0).map(|number| one_tree.tree.position(number))
            };
            one_tree.tree.begin_recycling(f64::from(share) / 100.0);
            while one_tree.tree.work(100, |_| false).is_none() && one_tree.tree.is_recycling() {}
            let (Some(proven), Some(given_up)) = (position(PROVEN), position(GIVEN_UP)) else { continue };
            if !one_tree.knows(given_up) || given_up.link() != ROOT || proven.link() == ROOT {
                continue;
            }
            found += 1;
            search.advance(0).expect("an outcome");
            search.set_root_actions(RootActions::except([3]));
            let report = search.run(Budget::iterations(10)).expect("a sound game");
            assert_eq!(report.actions[0].proof, None, "{report}");
        }
        assert!(found > 0, "no share gives up the one and not the other");
    }
}
