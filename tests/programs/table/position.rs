//! [`Position`], the state of the table game, and [`Walk`], the game as a simulator.

use super::action::TableAction;
use super::fault::{Asked, Counts, How, PLANNED};
use super::{ACTIONS, Door, Room, Table};
use ramure::{
    ActionIndex, ActionSampler, GameState, HiddenInformation, Keyed, PartiallyObserved, Player, Rng,
    Simulator, StaticEvaluation, Symmetric, Turn, fail,
};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::sync::Arc;

/// A table, and how often its game was asked.
#[derive(Debug)]
pub struct World {
    pub table: Table,
    counts: Counts,
}

impl World {
    /// Creates the game of `table`, of which nobody has asked anything.
    pub fn new(table: Table) -> Arc<Self> {
        Arc::new(World { table, counts: Counts::default() })
    }

    /// Returns how many states and actions that own memory there are, and other owners.
    pub fn owners(self: &Arc<Self>) -> usize {
        Arc::strong_count(self)
    }

    /// Counts a call. Returns what goes wrong with it.
    #[inline]
    pub(super) fn meet(&self, asked: Asked) -> Option<How> {
        self.counts.meet(&self.table.faults, asked)
    }
}

/// A state of the table game: a room. `A` is the type of its actions.
pub struct Position<A = u8> {
    world: Arc<World>,
    room: u16,
    action: PhantomData<fn() -> A>,
}

impl<A: TableAction> Position<A> {
    /// Returns the room with this number.
    pub fn new(world: &Arc<World>, room: u16) -> Self {
        Position { world: world.clone(), room, action: PhantomData }
    }

    /// Returns the first room of `table`.
    pub fn first(table: Table) -> Self {
        Position::new(&World::new(table), 0)
    }

    /// Returns the number of the room.
    pub fn room(&self) -> u16 {
        self.room
    }

    /// Returns the table, with the counts of its calls.
    pub fn world(&self) -> &Arc<World> {
        &self.world
    }

    /// Returns the action with this number, legal or not.
    pub fn action(&self, number: u8) -> A {
        A::new(number, &self.world)
    }

    fn at(&self) -> &Room {
        &self.world.table.rooms[usize::from(self.room)]
    }

    fn meet(&self, asked: Asked) -> Option<How> {
        self.world.meet(asked)
    }

    /// Plays the action with this number. An action that is not legal does nothing.
    fn go(&mut self, number: u8) -> Option<f64> {
        match self.meet(Asked::Apply) {
            Some(How::Fail) => fail(PLANNED),
            Some(How::Lie(shift)) => {
                let rooms = self.world.table.rooms.len();
                self.room = ((usize::from(self.room) + 1 + usize::from(shift)) % rooms) as u16;
                None
            }
            _ => {
                let (to, gain) = self.at().door(number).map(|door| (door.to, door.gain))?;
                self.room = to;
                Some(gain)
            }
        }
    }

    /// Draws a door by the weights of chance, or each with the same probability.
    fn draw(&self, rng: &mut Rng) -> Option<&Door> {
        let doors = &self.at().doors;
        let weight = |door: &Door| if self.at().mover.is_none() { u64::from(door.weight) } else { 1 };
        let total: u64 = doors.iter().map(weight).sum();
        let mut drawn = (rng.unit() * total as f64) as u64;
        doors.iter().filter(|door| weight(door) > 0).find(|door| match drawn.checked_sub(weight(door)) {
            None => true,
            Some(left) => {
                drawn = left;
                false
            }
        })
    }
}

impl<A> Clone for Position<A> {
    fn clone(&self) -> Self {
        self.world.meet(Asked::CloneState);
        Position { world: self.world.clone(), room: self.room, action: PhantomData }
    }
}

impl<A> PartialEq for Position<A> {
    fn eq(&self, other: &Self) -> bool {
        self.room == other.room
    }
}

impl<A> Eq for Position<A> {}

impl<A> Hash for Position<A> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.room.hash(hasher);
    }
}

impl<A> fmt::Debug for Position<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "room {}", self.room)
    }
}

impl<A: TableAction> GameState for Position<A> {
    type Action = A;
    const KEEPS_STATES: bool = A::KEEPS_STATES;

    fn turn(&self) -> Turn {
        match self.meet(Asked::Turn) {
            Some(How::Lie(0)) => return Turn::Over,
            Some(How::Lie(1)) => return Turn::Player(9),
            Some(How::Lie(2)) => return Turn::Chance,
            Some(How::Lie(_)) => return Turn::Player(self.world.table.players - 1),
            _ => {}
        }
        let room = self.at();
        if room.is_end() { Turn::Over } else { room.mover.map_or(Turn::Chance, Turn::Player) }
    }

    fn actions(&self) -> impl IntoIterator<Item = A> {
        let mut actions = Vec::from_iter(self.at().doors.iter().map(|door| self.action(door.action)));
        if self.at().is_end() {
            actions.push(self.action(ACTIONS - 1)); // as the move generators of many engines do: nobody asks
        }
        match self.meet(Asked::Actions) {
            Some(How::Fail) => actions = fail(PLANNED),
            Some(How::Lie(0)) => actions.clear(),
            Some(How::Lie(1)) => actions.extend(actions.first().cloned()),
            Some(How::Lie(2)) => actions.reverse(),
            Some(How::Lie(_)) => drop(actions.pop()),
            _ => {}
        }
        actions
    }

    fn apply(&mut self, action: A) {
        self.go(action.number());
    }

    fn reward(&self, player: Player) -> f64 {
        match self.meet(Asked::Reward) {
            Some(How::Fail) => fail(PLANNED),
            Some(How::Lie(0)) => 1.5,
            Some(How::Lie(1)) => f64::NAN,
            Some(How::Lie(_)) => -0.25,
            _ => self.at().rewards[usize::from(player)],
        }
    }

    fn players(&self) -> u8 {
        self.world.table.players
    }

    fn probability(&self, outcome: A) -> f64 {
        match self.meet(Asked::Probability) {
            Some(How::Fail) => return fail(PLANNED),
            Some(How::Lie(0)) => return 2.0,
            Some(How::Lie(1)) => return f64::NAN,
            Some(How::Lie(_)) => return 0.0,
            _ => {}
        }
        let total: u32 = self.at().doors.iter().map(|door| door.weight).sum();
        self.at().door(outcome.number()).map_or(0.0, |door| f64::from(door.weight) / f64::from(total))
    }

    fn is_simultaneous(&self) -> bool {
        self.at().simultaneous
    }
}

impl<A: TableAction> Keyed for Position<A> {
    fn key(&self) -> u128 {
        let room = match self.meet(Asked::Key) {
            Some(How::Fail) => return fail(PLANNED),
            Some(How::Lie(shift)) => self.room + 1 + u16::from(shift),
            _ => self.room,
        };
        // Keys of all sizes, as hashes are.
        u128::from(room).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
    }
}

impl<A: TableAction> Symmetric for Position<A> {
    const SYMMETRIES: usize = 1;

    fn transformed(&self, _: usize) -> Self {
        let room = self.world.table.mirror.get(usize::from(self.room)).copied();
        Position::new(&self.world, room.unwrap_or(self.room))
    }

    fn transformed_action(&self, action: A, _: usize) -> A {
        if self.world.table.mirror.is_empty() { action } else { self.action(action.number() ^ 1) }
    }
}

impl<A: TableAction> ActionIndex for Position<A> {
    const ACTION_COUNT: usize = ACTIONS as usize;

    fn action_index(action: A) -> usize {
        usize::from(action.number())
    }
}

impl<A: TableAction> StaticEvaluation for Position<A> {
    fn evaluate(&self, player: Player) -> f64 {
        match self.meet(Asked::Evaluation) {
            Some(How::Fail) => fail(PLANNED),
            Some(How::Lie(0)) => 1.5,
            Some(How::Lie(_)) => f64::NAN,
            _ => self.at().rewards[usize::from(player)],
        }
    }
}

impl<A: TableAction> HiddenInformation for Position<A> {
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        let table = &self.world.table;
        match self.meet(Asked::Guess) {
            Some(How::Fail) => return fail(PLANNED),
            Some(How::Lie(_)) => return self.room = rng.below(table.rooms.len()) as u16,
            _ => {}
        }
        let rooms = 0..table.rooms.len() as u16;
        let guesses = Vec::from_iter(rooms.filter(|&room| table.looks_same(observer, room, self.room)));
        self.room = guesses[rng.below(guesses.len())];
    }

    fn observe(&self, action: A, observer: Player) -> Option<A> {
        let door = self.at().door(action.number());
        match door.filter(|door| door.hidden_from >> observer & 1 == 1) {
            Some(door) => door.looks_like.map(|number| self.action(number)),
            None => Some(action),
        }
    }

    fn private_knowledge(&self, player: Player) -> impl IntoIterator<Item = A> {
        let seen = self.at().seen.get(usize::from(player)).filter(|_| self.world.table.tells);
        seen.map(|&seen| self.action((seen % u16::from(ACTIONS)) as u8))
    }
}

impl<A: TableAction> ActionSampler for Position<A> {
    fn sample_action(&self, rng: &mut Rng) -> Option<A> {
        match self.meet(Asked::Actions) {
            Some(How::Fail) => return fail(PLANNED),
            Some(How::Lie(0)) => return None,
            Some(How::Lie(_)) => return Some(self.action(ACTIONS - 1)),
            _ => {}
        }
        self.draw(rng).map(|door| self.action(door.action))
    }
}

#[cfg(feature = "save")]
impl<A> serde::Serialize for Position<A> {
    fn serialize<Out: serde::Serializer>(&self, serializer: Out) -> Result<Out::Ok, Out::Error> {
        (&self.world.table, self.room).serialize(serializer)
    }
}

#[cfg(feature = "save")]
impl<'de, A> serde::Deserialize<'de> for Position<A> {
    fn deserialize<In: serde::Deserializer<'de>>(deserializer: In) -> Result<Self, In::Error> {
        let (table, room) = <(Table, u16)>::deserialize(deserializer)?;
        if usize::from(room) >= table.rooms.len() {
            return Err(serde::de::Error::custom("there is no such room"));
        }
        Ok(Position { world: World::new(table), room, action: PhantomData })
    }
}

/// The game as a simulator of one player, who makes all choices. Chance moves within a step. A step earns the gain of its door, and at an
/// end what player 0 gets.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "save", derive(serde::Serialize, serde::Deserialize), serde(bound = ""))]
pub struct Walk<A = u8>(pub Position<A>);

impl<A> Hash for Walk<A> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.hash(hasher);
    }
}

/// The planner sees whether the number of the room is odd, and is wrong in one of five observations.
impl<A: TableAction> PartiallyObserved for Walk<A> {
    type Observation = bool;

    fn observe(&self, _: &A, rng: &mut Rng) -> bool {
        (self.0.room % 2 == 1) == (rng.unit() < 0.8)
    }

    fn likelihood(&self, _: &A, is_odd: &bool) -> Option<f64> {
        Some(if (self.0.room % 2 == 1) == *is_odd { 0.8 } else { 0.2 })
    }
}

impl<A: TableAction> Simulator for Walk<A> {
    type Action = A;
    type Reward = f64;

    fn actions(&self) -> impl IntoIterator<Item = A> {
        self.0.actions()
    }

    fn step(&mut self, action: A, rng: &mut Rng) -> f64 {
        let mut earned = self.0.go(action.number()).unwrap_or(0.0);
        while !self.0.at().is_end() && self.0.at().mover.is_none() {
            let Some(door) = self.0.draw(rng) else { break };
            (earned, self.0.room) = (earned + door.gain, door.to);
        }
        if self.0.at().is_end() { earned + self.0.reward(0) } else { earned }
    }

    fn is_over(&self) -> bool {
        self.0.at().is_end()
    }
}
