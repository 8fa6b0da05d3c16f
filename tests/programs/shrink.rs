//! Makes a failing program smaller: drops calls, simplifies settings, and takes parts of the game away.

use super::program::{Call, Program};
use super::runner::Flaw;
use super::table::{Door, Table};
use std::time::{Duration, Instant};

/// The time after which a program is small enough.
const PATIENCE: Duration = Duration::from_secs(30);

impl Program {
    /// Returns a program that fails, too, and is not larger, and its flaw.
    pub fn shrunk(&self, mut flaw: Flaw, fails: impl Fn(&Program) -> Option<Flaw>) -> (Program, Flaw) {
        let begin = Instant::now();
        let mut best = self.clone();
        let mut is_done = false;
        while !is_done && begin.elapsed() < PATIENCE {
            is_done = true;
            let mut at = 0;
            // Each kind of candidates, by number, until there are no more.
            while let Some(candidate) = best.candidate(at) {
                if begin.elapsed() >= PATIENCE {
                    break;
                }
                let is_new =
                    candidate != best && candidate.table.can_end() && candidate.table.is_consistent();
                match fails(&candidate).filter(|_| is_new) {
                    Some(found) => (best, flaw, is_done) = (candidate, found, false),
                    None => at += 1,
                }
            }
        }
        (best, flaw)
    }

    /// Returns the candidate with this number.
    fn candidate(&self, mut at: usize) -> Option<Program> {
        let calls = self.calls.len();
        // The second half of the calls, then single ones.
        for size in [calls / 2, calls / 4, 1] {
            let count = if size == 0 { 0 } else { calls.div_ceil(size) };
            if at < count {
                let mut smaller = self.clone();
                let end = calls - at * size;
                smaller.calls.drain(end.saturating_sub(size)..end);
                return Some(smaller);
            }
            at -= count;
        }
        if at < calls {
            let mut smaller = self.clone();
            smaller.calls[at] = simpler(&self.calls[at]);
            return Some(smaller);
        }
        at -= calls;
        if at < SETTINGS.len() {
            let mut smaller = self.clone();
            SETTINGS[at](&mut smaller);
            return Some(smaller);
        }
        at -= SETTINGS.len();
        self.smaller_table(at)
    }

    fn smaller_table(&self, mut at: usize) -> Option<Program> {
        let mut smaller = self.clone();
        let table = &mut smaller.table;
        for room in 0..table.rooms.len() {
            let doors = table.rooms[room].doors.len();
            // Closes all doors, or one.
            if at == 0 && doors > 0 {
                table.rooms[room].doors.clear();
                return Some(smaller.without_unreached());
            }
            if at > 0 && at <= doors {
                table.rooms[room].doors.remove(at - 1);
                return Some(smaller.without_unreached());
            }
            at = at.checked_sub(doors + 1)?;
        }
        let plain: [fn(&mut Table); 5] = [
            |table| table.mirror.clear(),
            |table| table.tells = false,
            |table| each_door(table, |door| *door = Door { gain: 0.0, ..door.clone() }),
            |table| each_door(table, |door| *door = Door { weight: 1, ..door.clone() }),
            |table| {
                each_door(table, |door| *door = Door { hidden_from: 0, looks_like: None, ..door.clone() })
            },
        ];
        plain.get(at)?(table);
        Some(smaller)
    }

    /// Leaves out the rooms that no door leads to.
    fn without_unreached(mut self) -> Program {
        if !self.table.mirror.is_empty()
            || self
                .calls
                .iter()
                .any(|call| matches!(call, Call::Reset(_) | Call::ContinueAt(_) | Call::Earlier(_)))
        {
            return self;
        }
        let rooms = &self.table.rooms;
        let mut is_reached = vec![false; rooms.len()];
        let mut open = vec![self.start];
        while let Some(room) = open.pop() {
            if !std::mem::replace(&mut is_reached[usize::from(room)], true) {
                open.extend(rooms[usize::from(room)].doors.iter().map(|door| door.to));
            }
        }
        // What cannot be told apart from a room that is reached may be guessed.
        for player in 0..self.table.players {
            for room in 0..rooms.len() as u16 {
                let same = (0..rooms.len())
                    .any(|other| is_reached[other] && self.table.looks_same(player, room, other as u16));
                is_reached[usize::from(room)] |= self.kind.is_hidden() && same;
            }
        }
        if self.kind.is_hidden()
            && rooms
                .iter()
                .zip(&is_reached)
                .any(|(room, is)| *is && room.doors.iter().any(|door| !is_reached[usize::from(door.to)]))
        {
            return self;
        }
        let number = |room: u16| {
            is_reached[..usize::from(room)].iter().filter(|&&is_reached| is_reached).count() as u16
        };
        let mut kept = Vec::new();
        for (room, _) in rooms.iter().zip(&is_reached).filter(|(_, is_reached)| **is_reached) {
            let mut room = room.clone();
            room.doors.iter_mut().for_each(|door| door.to = number(door.to));
            kept.push(room);
        }
        self.start = number(self.start);
        self.table.rooms = kept;
        self
    }
}

fn each_door(table: &mut Table, change: impl Fn(&mut Door)) {
    table.rooms.iter_mut().flat_map(|room| &mut room.doors).for_each(change);
}

/// Returns a call that does less.
fn simpler(call: &Call) -> Call {
    match *call {
        Call::Run(n) if n > 1 => Call::Run(n / 2),
        Call::RunDecided(n) | Call::RunBytes(n, _) | Call::RunStopped(n) | Call::RunObserved(n, _, None) => {
            Call::Run(n)
        }
        Call::RunObserved(n, every, Some(_)) => Call::RunObserved(n, every, None),
        Call::AdvanceTo(number) => Call::Advance(number),
        Call::Advance(number) if number > 0 => Call::Advance(number - 1),
        Call::ContinueAt(room) => Call::Reset(room),
        Call::Only(bits, least) if least > 0 => Call::Only(bits, 0),
        Call::Except(bits, least) if least > 0 => Call::Except(bits, 0),
        Call::Save(true) => Call::Save(false),
        Call::Ask(n) if n > 1 => Call::Ask(n - 1),
        Call::TellAll(n) if n > 1 => Call::TellAll(n - 1),
        _ => call.clone(),
    }
}

/// Settings that are simpler.
const SETTINGS: [fn(&mut Program); 14] = [
    |program| program.settings.limit = None,
    |program| program.settings.expansion = None,
    |program| {
        if let Some(growth) = &mut program.settings.expansion {
            growth.depth = None
        }
    },
    |program| {
        if let Some(growth) = &mut program.settings.expansion {
            growth.widening = false
        }
    },
    |program| {
        if let Some(growth) = &mut program.settings.expansion {
            growth.first_play = None
        }
    },
    |program| {
        if let Some(growth) = &mut program.settings.expansion {
            growth.listed = false
        }
    },
    |program| {
        if let Some(growth) = &mut program.settings.expansion {
            growth.on_visit = 1
        }
    },
    |program| program.settings.tree = 0,
    |program| program.settings.rollout = 0,
    |program| program.settings.backprop = 0,
    |program| program.settings.seed = 0,
    |program| program.settings.window = 1.max(program.settings.window / 2),
    |program| program.settings.mean = false,
    |program| program.table.faults.clear(),
];
