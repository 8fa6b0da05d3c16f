//! [`Recipe`]: a table from a seed.

use super::{ACTIONS, Door, Room, Table};
use ramure::Rng;
use std::collections::BTreeMap;

/// How rooms are connected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// One way leads to each room.
    Tree,
    /// Several ways lead to a room, and none leads back.
    Dag,
    /// Some ways lead back. From every room an end can be reached.
    Ring,
}

/// The rewards at the ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Payoff {
    /// One player wins.
    Wins,
    /// One player wins, or nobody.
    Draws,
    /// Eighths, which sum to 1.
    Shares,
    /// Any numbers in [0, 1], each for itself.
    Any,
    /// A half for everybody.
    Even,
}

/// What a random table is like. The same recipe makes the same table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Recipe {
    pub seed: u64,
    /// From 1 to 4.
    pub players: u8,
    /// About this many rooms.
    pub rooms: u16,
    /// The most doors of a room, up to 14.
    pub width: u8,
    pub shape: Shape,
    pub payoff: Payoff,
    /// Whether chance moves in some rooms.
    pub chance: bool,
    /// Whether the second half of the rooms are mirror images of the first.
    pub mirrored: bool,
    /// Whether players do not see everything: a deal, and actions in secret. `shape` is then a tree.
    pub hidden: bool,
    /// Whether some steps are simultaneous. Only with `hidden`.
    pub simultaneous: bool,
}

impl Recipe {
    /// Returns a plain tree of two players.
    pub fn new(seed: u64) -> Self {
        let (shape, payoff) = (Shape::Tree, Payoff::Draws);
        let (chance, mirrored, hidden, simultaneous) = (false, false, false, false);
        Recipe {
            seed,
            players: 2,
            rooms: 20,
            width: 3,
            shape,
            payoff,
            chance,
            mirrored,
            hidden,
            simultaneous,
        }
    }

    /// Makes the table.
    pub fn make(&self) -> Table {
        let mut rng = Rng::seeded(self.seed);
        let rooms = if self.hidden { Deal::new(self, &mut rng).rooms } else { self.plain(&mut rng) };
        let mut table =
            Table { players: self.players, rooms, mirror: Vec::new(), tells: false, faults: Vec::new() };
        if self.mirrored && !self.hidden {
            mirror(&mut table);
        }
        table.tells = self.hidden && rng.below(2) == 0;
        table
    }

    /// Returns the rewards of an end, or an evaluation.
    fn rewards(&self, rng: &mut Rng) -> Vec<f64> {
        let players = usize::from(self.players);
        let winner = rng.below(players);
        let mut rewards = vec![0.0; players];
        match self.payoff {
            Payoff::Draws if rng.below(3) == 0 => rewards.fill(0.5 * 2.0 / players.max(2) as f64),
            Payoff::Wins | Payoff::Draws if players == 1 => rewards[0] = rng.below(2) as f64,
            Payoff::Wins | Payoff::Draws => rewards[winner] = 1.0,
            Payoff::Shares => (0..8).for_each(|_| rewards[rng.below(players.max(2)) % players] += 0.125),
            Payoff::Any => rewards.fill_with(|| rng.unit()),
            Payoff::Even => rewards.fill(0.5),
        }
        rewards
    }

    fn mover(&self, rng: &mut Rng, may_be_chance: bool) -> Option<u8> {
        let is_chance = self.chance && may_be_chance && rng.below(4) == 0;
        let player = rng.below(self.players.into()) as u8;
        (!is_chance).then_some(player)
    }

    fn door(&self, rng: &mut Rng, action: u8, to: u16) -> Door {
        let weight = 1 + rng.below(4) as u32;
        Door { weight, gain: rng.below(9) as f64 - 4.0, ..Door::new(action, to) }
    }

    fn plain(&self, rng: &mut Rng) -> Vec<Room> {
        let count = self.rooms.max(2);
        let width = usize::from(self.width.clamp(1, 14));
        let mut rooms: Vec<Room> = (0..count).map(|_| Room::end(self.rewards(rng))).collect();
        // In a tree, the next room that no door leads to yet.
        let mut free = 1;
        for at in 0..count - 1 {
            let left = count - if self.shape == Shape::Tree { free } else { at + 1 };
            let is_end = at > 0 && (left == 0 || rng.below(5) == 0);
            // The first rooms of a tree must not end all lines.
            if is_end && (self.shape != Shape::Tree || free > at + 1 || left == 0) {
                continue;
            }
            let mut numbers: Vec<u8> = (0..ACTIONS - 2).collect();
            rng.shuffle(&mut numbers);
            let doors =
                (1 + rng.below(width)).min(if self.shape == Shape::Tree { left.into() } else { width });
            for (door, &action) in numbers[..doors].iter().enumerate() {
                let near = usize::from(left).min(2 * width + 1);
                let to = match self.shape {
                    Shape::Tree => {
                        free += 1;
                        free - 1
                    }
                    Shape::Ring if door > 0 && rng.below(3) == 0 => rng.below(usize::from(at) + 1) as u16,
                    Shape::Dag | Shape::Ring => at + 1 + rng.below(near) as u16,
                };
                let door = self.door(rng, action, to);
                rooms[usize::from(at)].doors.push(door);
            }
            let may_be_chance = at > 0 || rng.below(4) == 0;
            let room = &mut rooms[usize::from(at)];
            room.mover = self.mover(rng, may_be_chance);
            if let (None, [_, .., last]) = (room.mover, &mut room.doors[..])
                && rng.below(3) == 0
            {
                last.weight = 0; // it never happens
            }
        }
        rooms
    }
}

/// Adds the mirror image of each room but the first, which is its own.
fn mirror(table: &mut Table) {
    let count = table.rooms.len() as u16;
    let image = |room: u16| if room == 0 { 0 } else { room + count - 1 };
    let mirrored = |door: &Door| Door { action: door.action ^ 1, to: image(door.to), ..door.clone() };
    for room in 1..count {
        let mut other = table.rooms[usize::from(room)].clone();
        other.doors = other.doors.iter().map(mirrored).collect();
        table.rooms.push(other);
    }
    // Of two mirrored actions, the first room has both.
    let doors = std::mem::take(&mut table.rooms[0].doors);
    for door in doors {
        let has = |rooms: &[Room], action| rooms[0].door(action).is_some();
        if !has(&table.rooms, door.action) && !has(&table.rooms, door.action ^ 1) {
            let other = mirrored(&door);
            table.rooms[0].doors.extend([door, other]);
        }
    }
    table.mirror =
        (0..2 * count - 1).map(|room| if room < count { image(room) } else { room - (count - 1) }).collect();
}

/// Rooms of a game with hidden parts. The turn depends on the depth, and the actions on what the mover has seen.
struct Deal<'a> {
    recipe: &'a Recipe,
    rooms: Vec<Room>,
    movers: Vec<u8>,
    /// Whether the mover at this depth and the next one choose at the same time.
    together: Vec<bool>,
    /// The actions at this depth that the others do not see, one bit each. With the highest bit, they see that there is one.
    secrets: Vec<u8>,
    /// The numbers of what players have seen: player, the number before, and what came (255 for nothing, and who acted).
    seen: BTreeMap<(u8, u16, u8, u8), u16>,
    /// The actions by depth and by what the mover has seen.
    actions: BTreeMap<(usize, u16), Vec<Door>>,
}

impl<'a> Deal<'a> {
    fn new(recipe: &'a Recipe, rng: &mut Rng) -> Self {
        let depth = 2 + rng.below(if recipe.rooms > 20 { 3 } else { 2 });
        let players = usize::from(recipe.players);
        let mut movers: Vec<u8> = (0..depth).map(|_| rng.below(players) as u8).collect();
        let mut together = vec![false; depth + 1];
        for at in 1..depth {
            if recipe.simultaneous && players > 1 && !together[at - 1] && rng.below(2) == 0 {
                (movers[at - 1], movers[at]) = (0, 1 + rng.below(players - 1) as u8);
                (together[at - 1], together[at]) = (true, true);
            }
        }
        let secrets = (0..depth).map(|_| (rng.bits() & rng.bits()) as u8).collect();
        let (rooms, seen, actions) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        let mut deal = Deal { recipe, rooms, movers, together, secrets, seen, actions };
        // The deal: each player sees whether its own card is high.
        let root = Room { seen: vec![0; players], ..Room::end(recipe.rewards(rng)) };
        deal.rooms.push(root);
        let cards = 2 + rng.below(2) as u8;
        for card in 0..cards {
            let seen =
                (0..recipe.players).map(|player| deal.sees(player, 0, (card >> (player & 1)) & 1, 254));
            let seen = Vec::from_iter(seen);
            let to = deal.room(seen, 0, rng);
            let hidden_from = u8::MAX;
            deal.rooms[0].doors.push(Door {
                hidden_from,
                looks_like: Some(ACTIONS - 1),
                ..recipe.door(rng, card, to)
            });
        }
        deal
    }

    fn sees(&mut self, player: u8, before: u16, came: u8, from: u8) -> u16 {
        let next = self.seen.len() as u16 + 1;
        *self.seen.entry((player, before, came, from)).or_insert(next)
    }

    /// Adds the room at `depth` in which the players have seen this, and all that follow.
    fn room(&mut self, seen: Vec<u16>, depth: usize, rng: &mut Rng) -> u16 {
        let number = self.rooms.len() as u16;
        self.rooms.push(Room { seen: seen.clone(), ..Room::end(self.recipe.rewards(rng)) });
        if depth == self.movers.len() {
            return number;
        }
        let mover = self.movers[depth];
        let is_together = self.together[depth];
        // Within a step, what the others choose decides nothing.
        let known = if is_together { u16::MAX } else { seen[usize::from(mover)] };
        if !self.actions.contains_key(&(depth, known)) {
            let doors = self.actions_at(depth, rng);
            self.actions.insert((depth, known), doors);
        }
        let mut doors = self.actions[&(depth, known)].clone();
        for door in &mut doors {
            let mut then = seen.clone();
            for player in 0..self.recipe.players {
                let came = if player == mover || door.hidden_from >> player & 1 == 0 {
                    door.action
                } else {
                    door.looks_like.unwrap_or(255)
                };
                then[usize::from(player)] = self.sees(player, seen[usize::from(player)], came, mover);
            }
            door.to = self.room(then, depth + 1, rng);
        }
        let room = &mut self.rooms[usize::from(number)];
        (room.mover, room.doors, room.simultaneous) = (Some(mover), doors, is_together);
        number
    }

    /// Draws actions. Which actions are secret depends on the depth alone: otherwise, players would see of an action whose it can be.
    fn actions_at(&self, depth: usize, rng: &mut Rng) -> Vec<Door> {
        let mut numbers: Vec<u8> = (0..6).collect();
        rng.shuffle(&mut numbers);
        let count = 1 + rng.below(usize::from(self.recipe.width.clamp(1, 3)));
        let mut doors = Vec::new();
        for &action in &numbers[..count] {
            let is_secret = self.secrets[depth] >> action & 1 == 1;
            let hidden_from = if is_secret { !(1 << self.movers[depth]) } else { 0 };
            let looks_like = (self.secrets[depth] >> 7 == 1).then_some(ACTIONS - 1);
            doors.push(Door { hidden_from, looks_like, ..self.recipe.door(rng, action, 0) });
        }
        doors
    }
}
