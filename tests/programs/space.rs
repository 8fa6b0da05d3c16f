//! [`TableSpace`]: the table game in each space, with rooms and actions as numbers.

use super::table::{Position, TableAction, Walk, World};
use crate::game::GameState;
use crate::search::{
    InformationSet, MirrorImages, OpenLoop, PlannedAction, Planning, PlayerAction, Sampled, Transpositions,
};
use crate::space::{ActionOf, Space};
use std::sync::Arc;

/// The number that stands for an outcome of a simulator.
pub const OUTCOME: u8 = 200;

/// A space of the table game.
pub trait TableSpace: Space + Sized {
    /// Returns the space of a room, with the settings of this one.
    fn at(&self, room: u16) -> Self;

    /// Returns the number of the room of a state.
    fn room(state: &Self::Real) -> u16;

    /// Returns an action at the root, legal or not.
    fn action(&self, number: u8) -> ActionOf<Self>;

    /// Returns the number of an action.
    fn number(action: &ActionOf<Self>) -> u8;

    /// Returns the game.
    fn world(&self) -> &Arc<World>;
}

macro_rules! spaces {
    ($($space:ty, |$own:ident, $state:ident| $new:expr, |$this:ident| $root:expr;)+) => { $(
        impl<A: TableAction> TableSpace for $space {
            fn at(&self, room: u16) -> Self {
                let ($own, $state) = (self, Position::<A>::new(self.world(), room));
                $new
            }
            fn room(state: &Position<A>) -> u16 {
                state.room()
            }
            fn action(&self, number: u8) -> A {
                A::new(number, self.world())
            }
            fn number(action: &A) -> u8 {
                action.number()
            }
            fn world(&self) -> &Arc<World> {
                let $this = self;
                $root.world()
            }
        }
    )+ };
}
spaces! {
    Position<A>, |_own, state| state, |own| own;
    Transpositions<Position<A>>, |_own, state| Transpositions::new(state), |own| own.root();
    MirrorImages<Position<A>>, |_own, state| MirrorImages::new(state), |own| Self::real(own.root());
    Sampled<Position<A>>, |_own, state| Sampled::new(state), |own| Self::real(own.root());
    InformationSet<Position<A>>, |own, state| InformationSet::new(state).observer(own.observer().unwrap_or(0)), |own| own.root();
}

impl<A: TableAction> TableSpace for OpenLoop<Position<A>> {
    fn at(&self, room: u16) -> Self {
        OpenLoop::new(Position::new(self.world(), room))
    }
    fn room(state: &Position<A>) -> u16 {
        state.room()
    }
    fn action(&self, number: u8) -> PlayerAction<A> {
        let legal = self.root().actions().into_iter().find(|legal| legal.action.number() == number);
        legal.unwrap_or_else(|| PlayerAction { player: Some(0), action: A::new(number, self.world()) })
    }
    fn number(action: &PlayerAction<A>) -> u8 {
        action.action.number()
    }
    fn world(&self) -> &Arc<World> {
        Self::real(self.root()).world()
    }
}

impl<A: TableAction> TableSpace for Planning<Walk<A>> {
    fn at(&self, room: u16) -> Self {
        Planning::at(self, Walk(Position::new(self.world(), room)))
    }
    fn room(state: &Self::Real) -> u16 {
        state.simulator().0.room()
    }
    fn action(&self, number: u8) -> PlannedAction<A> {
        PlannedAction::new(0, A::new(number, self.world()))
    }
    fn number(action: &PlannedAction<A>) -> u8 {
        if action.is_outcome() { OUTCOME } else { action.action.number() }
    }
    fn world(&self) -> &Arc<World> {
        self.simulator().0.world()
    }
}
