//! One game for all tests: a [`Table`] of rooms and doors, which says whose turn it is, what follows, the rewards, what each player has
//! seen, and when a method panics, fails or lies.
//!
//! A [`Position`] is the number of a room. It implements every trait of a game, so one type serves as a tree, as a graph with mirror images,
//! with chance, with hidden information, with simultaneous moves, as a simulator. A table is built by hand, or from a [`Recipe`]. Its answers
//! follow from the table alone. [`Bounds`] has its exact values.
//!
//! The library's own tests and the test programs under `tests` compile this folder, so it names the crate `ramure`.

mod action;
mod exact;
mod fault;
mod position;
mod recipe;

pub use action::{Owned, TableAction};
pub use exact::Bounds;
pub use fault::{Asked, Fault, How, PLANNED};
pub use position::{Position, Walk, World};
pub use recipe::{Payoff, Recipe, Shape};

/// The exclusive upper bound of the numbers of actions.
pub const ACTIONS: u8 = 16;

/// A game as numbers. [`Table::rust`] prints it.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "save", derive(serde::Serialize, serde::Deserialize))]
pub struct Table {
    /// The number of players.
    pub players: u8,
    /// The game begins in the first.
    pub rooms: Vec<Room>,
    /// The mirror image of each room; empty if a room has none but itself. The mirror image of the action `a` is then `a ^ 1`.
    pub mirror: Vec<u16>,
    /// Whether players tell what they know, as `private_knowledge`.
    pub tells: bool,
    /// What methods do wrong.
    pub faults: Vec<Fault>,
}

/// A state of the game. Without doors, it is an end.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "save", derive(serde::Serialize, serde::Deserialize))]
pub struct Room {
    /// The player to move; `None` if chance moves.
    pub mover: Option<u8>,
    /// What the mover can do.
    pub doors: Vec<Door>,
    /// What each player gets at an end, and otherwise the evaluation.
    pub rewards: Vec<f64>,
    /// What each player has seen, as a number: a player cannot tell rooms with the same number apart. Empty if everybody sees everything.
    pub seen: Vec<u16>,
    /// Whether the mover chooses at the same time as other players.
    pub simultaneous: bool,
}

/// An action in a room.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "save", derive(serde::Serialize, serde::Deserialize))]
pub struct Door {
    /// Its number, below [`ACTIONS`].
    pub action: u8,
    /// The room that follows.
    pub to: u16,
    /// At a chance room, its share in the probability; elsewhere its share in the priors.
    pub weight: u32,
    /// What the step earns where the game is a simulator.
    pub gain: f64,
    /// The players who do not see which action this is, one bit each.
    pub hidden_from: u8,
    /// The action that these players see in its place.
    pub looks_like: Option<u8>,
}

impl Table {
    /// Returns the game of these rooms, in which nothing goes wrong.
    pub fn new(players: u8, rooms: Vec<Room>) -> Self {
        Table { players, rooms, mirror: Vec::new(), tells: false, faults: Vec::new() }
    }

    /// Returns an expression of Rust that builds this table.
    pub fn rust(&self) -> String {
        let Table { players, rooms, mirror, tells, faults } = self;
        let rooms = Vec::from_iter(rooms.iter().map(Room::rust)).join(", ");
        let new = format!("Table::new({players}, vec![{rooms}])");
        match (mirror.is_empty(), tells, faults.is_empty()) {
            (true, false, true) => new,
            _ => {
                format!("Table {{ mirror: vec!{mirror:?}, tells: {tells}, faults: vec!{faults:?}, ..{new} }}")
            }
        }
    }

    /// Returns whether `player` cannot tell two rooms apart.
    pub fn looks_same(&self, player: u8, one: u16, other: u16) -> bool {
        let seen = |room: u16| self.rooms[usize::from(room)].seen.get(usize::from(player)).copied();
        one == other || seen(one).is_some() && seen(one) == seen(other)
    }

    /// Returns whether the turn and the own actions are the same in rooms that a player cannot tell apart.
    pub fn is_consistent(&self) -> bool {
        let actions = |room: &Room| Vec::from_iter(room.doors.iter().map(|door| door.action));
        let fits = |player: u8, one: u16, other: u16| {
            let (one, other) = (&self.rooms[usize::from(one)], &self.rooms[usize::from(other)]);
            let same_turn =
                one.mover == other.mover && one.is_end() == other.is_end() || one.is_end() && other.is_end();
            same_turn && (one.mover != Some(player) || actions(one) == actions(other))
        };
        let rooms = 0..self.rooms.len() as u16;
        (0..self.players).all(|player| {
            rooms.clone().all(|one| {
                rooms.clone().all(|other| !self.looks_same(player, one, other) || fits(player, one, other))
            })
        })
    }

    /// Returns whether every room leads to an end.
    pub fn can_end(&self) -> bool {
        let mut ends: Vec<bool> = self.rooms.iter().map(Room::is_end).collect();
        for _ in 0..self.rooms.len() {
            for (at, room) in self.rooms.iter().enumerate() {
                ends[at] |= room.possible().any(|door| ends[usize::from(door.to)]);
            }
        }
        ends.iter().all(|&ends| ends)
    }

    /// Returns whether the rewards of all ends sum to 1, or there is one player: then each proof has one value.
    pub fn is_zero_sum(&self) -> bool {
        let ends = || self.rooms.iter().filter(|room| room.doors.is_empty());
        self.players == 1
            || self.players == 2 && ends().all(|end| (end.rewards.iter().sum::<f64>() - 1.0).abs() < 1e-12)
    }
}

impl Room {
    /// Returns an end.
    pub fn end(rewards: Vec<f64>) -> Self {
        Room { mover: None, doors: Vec::new(), rewards, seen: Vec::new(), simultaneous: false }
    }

    /// Returns a room in which `mover`, or chance, chooses a door.
    pub fn new(mover: impl Into<Option<u8>>, doors: Vec<Door>, rewards: Vec<f64>) -> Self {
        Room { mover: mover.into(), doors, ..Room::end(rewards) }
    }

    /// Returns whether the game is over here.
    pub fn is_end(&self) -> bool {
        self.doors.is_empty()
    }

    /// Returns the doors that may be taken: chance never takes one without weight.
    pub fn possible(&self) -> impl Iterator<Item = &Door> {
        self.doors.iter().filter(|door| self.mover.is_some() || door.weight > 0)
    }

    /// Returns the actions.
    pub fn numbers(&self) -> Vec<u8> {
        self.doors.iter().map(|door| door.action).collect()
    }

    /// Returns the door of `action`.
    pub fn door(&self, action: u8) -> Option<&Door> {
        self.doors.iter().find(|door| door.action == action)
    }

    fn rust(&self) -> String {
        let Room { mover, doors, rewards, seen, simultaneous } = self;
        let doors = Vec::from_iter(doors.iter().map(Door::rust)).join(", ");
        let new = match mover {
            _ if self.is_end() => format!("Room::end(vec!{rewards:?})"),
            Some(mover) => format!("Room::new({mover}, vec![{doors}], vec!{rewards:?})"),
            None => format!("Room::new(None, vec![{doors}], vec!{rewards:?})"),
        };
        if seen.is_empty() {
            new
        } else {
            format!("Room {{ seen: vec!{seen:?}, simultaneous: {simultaneous}, ..{new} }}")
        }
    }
}

impl Door {
    /// Returns a door that everybody sees.
    pub fn new(action: u8, to: u16) -> Self {
        Door { action, to, weight: 1, gain: 0.0, hidden_from: 0, looks_like: None }
    }

    fn rust(&self) -> String {
        let Door { action, to, weight, gain, hidden_from, looks_like } = self;
        let new = format!("Door::new({action}, {to})");
        match (*self == Door::new(*action, *to), *hidden_from) {
            (true, _) => new,
            (false, 0) => format!("Door {{ weight: {weight}, gain: {gain:?}, ..{new} }}"),
            _ => format!(
                "Door {{ weight: {weight}, gain: {gain:?}, hidden_from: {hidden_from}, looks_like: {looks_like:?}, ..{new} }}"
            ),
        }
    }
}
