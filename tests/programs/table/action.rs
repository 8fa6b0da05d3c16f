//! The actions of a [`Position`](super::Position): plain numbers, or actions that own memory.

use super::fault::Asked;
use super::position::World;
use std::fmt;
use std::sync::Arc;

/// An action of the table game.
pub trait TableAction: Clone + Eq + fmt::Debug + Send + Sync + 'static {
    /// Whether a search keeps the states of nodes.
    const KEEPS_STATES: bool;

    /// Creates the action with this number.
    fn new(number: u8, world: &Arc<World>) -> Self;

    /// Returns its number.
    fn number(&self) -> u8;
}

impl TableAction for u8 {
    const KEEPS_STATES: bool = false;

    fn new(number: u8, _: &Arc<World>) -> u8 {
        number
    }
    fn number(&self) -> u8 {
        *self
    }
}

/// An action that owns memory. Its clones, comparisons and drops can panic. Each holds the [`World`], so whoever owns a world sees by
/// [`World::owners`] whether all actions and states were dropped.
pub struct Owned {
    number: Box<u8>,
    /// None if it was read from a file.
    world: Option<Arc<World>>,
}

impl TableAction for Owned {
    const KEEPS_STATES: bool = true;

    fn new(number: u8, world: &Arc<World>) -> Self {
        Owned { number: Box::new(number), world: Some(world.clone()) }
    }
    fn number(&self) -> u8 {
        *self.number
    }
}

impl Owned {
    fn meet(&self, asked: Asked) {
        if let Some(world) = &self.world {
            world.meet(asked);
        }
    }
}

impl Clone for Owned {
    fn clone(&self) -> Self {
        self.meet(Asked::CloneAction);
        Owned { number: self.number.clone(), world: self.world.clone() }
    }
}

impl PartialEq for Owned {
    fn eq(&self, other: &Self) -> bool {
        self.meet(Asked::CompareActions);
        self.number == other.number
    }
}

impl Eq for Owned {}

impl Drop for Owned {
    fn drop(&mut self) {
        self.meet(Asked::DropAction);
    }
}

impl fmt::Debug for Owned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number.fmt(f)
    }
}

#[cfg(feature = "save")]
impl serde::Serialize for Owned {
    fn serialize<Out: serde::Serializer>(&self, serializer: Out) -> Result<Out::Ok, Out::Error> {
        self.number.serialize(serializer)
    }
}

#[cfg(feature = "save")]
impl<'de> serde::Deserialize<'de> for Owned {
    fn deserialize<In: serde::Deserializer<'de>>(deserializer: In) -> Result<Self, In::Error> {
        Ok(Owned { number: Box::new(u8::deserialize(deserializer)?), world: None })
    }
}
