//! [`Bounds`]: what a table is worth, computed without a search.

use super::{Room, Table};

/// The least and the greatest reward of each player in each room, if every mover chooses the best for itself. They meet where the reward is
/// certain. Outcomes of chance count whatever their weights, but for 0.
///
/// In a table with rings, a way back proves nothing, so a room whose reward depends on one keeps bounds that do not meet.
#[derive(Clone, PartialEq, Debug)]
pub struct Bounds {
    rooms: Vec<Interval>,
}

/// The least and the greatest reward of each player.
pub type Interval = Vec<(f64, f64)>;

impl Bounds {
    /// Computes the bounds of all rooms.
    pub fn new(table: &Table) -> Self {
        Bounds::under(table, |_, _| true)
    }

    /// Computes the bounds if only these actions, by room and number, may be chosen.
    pub fn under(table: &Table, allows: impl Fn(u16, u8) -> bool) -> Self {
        let unknown = || vec![(0.0, 1.0); table.players.into()];
        let mut rooms: Vec<Interval> = table.rooms.iter().map(|_| unknown()).collect();
        let is_zero_sum = table.is_zero_sum();
        // In each round all bounds move closer, or nothing changes any more.
        loop {
            let mut changed = false;
            for at in (0..table.rooms.len()).rev() {
                let room = &table.rooms[at];
                let allowed = room.possible().filter(|door| allows(at as u16, door.action));
                let next =
                    of(room, allowed.map(|door| rooms[usize::from(door.to)].clone()).collect(), is_zero_sum);
                changed |= next != rooms[at];
                rooms[at] = next;
            }
            if !changed {
                return Bounds { rooms };
            }
        }
    }

    /// Returns the bounds on the rewards of each player in a room.
    pub fn of(&self, room: u16) -> &Interval {
        &self.rooms[usize::from(room)]
    }

    /// Returns the bounds in a room in which only these actions may be chosen, once.
    pub fn restricted(&self, table: &Table, room: u16, allows: impl Fn(u8) -> bool) -> Interval {
        let room = &table.rooms[usize::from(room)];
        let allowed = room.possible().filter(|door| allows(door.action));
        of(room, allowed.map(|door| self.of(door.to).clone()).collect(), table.is_zero_sum())
    }

    /// Returns the bounds in `room` with the rule of repetition: a way back to a room of `line`, which ends with `room`, is worth
    /// `repeated` to each player. Returns `None` if that takes more than `work` rooms.
    pub fn on_line(
        table: &Table,
        line: &mut Vec<u16>,
        repeated: f64,
        allows: &dyn Fn(usize, u8) -> bool,
        work: &mut u32,
    ) -> Option<Interval> {
        *work = work.checked_sub(1)?;
        let depth = line.len();
        let room = &table.rooms[usize::from(*line.last()?)];
        let mut following = Vec::new();
        for door in room.possible().filter(|door| allows(depth, door.action)) {
            if line.contains(&door.to) {
                following.push(vec![(repeated, repeated); table.players.into()]);
                continue;
            }
            line.push(door.to);
            let bounds = Bounds::on_line(table, line, repeated, allows, work);
            line.pop();
            following.push(bounds?);
        }
        Some(of(room, following, table.is_zero_sum()))
    }
}

/// Returns the bounds in `room` if its doors lead to these.
fn of(room: &Room, following: Vec<Interval>, is_zero_sum: bool) -> Interval {
    if following.is_empty() {
        return room.rewards.iter().map(|&reward| (reward, reward)).collect();
    }
    let least = |player: usize, among: &[&Interval]| {
        among.iter().map(|next| next[player].0).fold(f64::INFINITY, f64::min)
    };
    let most =
        |player: usize, among: &[&Interval]| among.iter().map(|next| next[player].1).fold(0.0, f64::max);
    let all = Vec::from_iter(&following);
    let players = 0..room.rewards.len();
    let Some(mover) = room.mover.map(usize::from) else {
        return players.map(|player| (least(player, &all), most(player, &all))).collect();
    };
    let secured = following.iter().map(|next| next[mover].0).fold(0.0, f64::max);
    let reached = most(mover, &all);
    if is_zero_sum {
        let other = (1.0 - reached, 1.0 - secured);
        return players.map(|player| if player == mover { (secured, reached) } else { other }).collect();
    }
    // What the mover might choose.
    let chosen: Vec<_> = all.into_iter().filter(|next| next[mover].1 >= secured).collect();
    players
        .map(|player| {
            if player == mover { (secured, reached) } else { (least(player, &chosen), most(player, &chosen)) }
        })
        .collect()
}
