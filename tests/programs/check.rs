//! Checks a program in all ways, and looks for one that fails.

use super::kinds::Kind;
use super::program::{Call, Program};
use super::runner::{Flaw, Outcome, are_same, difference};

impl Program {
    /// Returns what is wrong when this program is performed, again, with other threads, and where something hidden is otherwise.
    pub fn flaw(&self) -> Option<Flaw> {
        let once = match self.perform(self.start, 1, true) {
            Ok(once) => once,
            Err(flaw) => return Some(flaw),
        };
        let has_threads = self.kind.has_threads() && self.table.faults.is_empty();
        // Which lines a search plays again as a check depends on how many searches there were, so calls cannot be counted.
        let ways: &[(usize, &str)] = if !self.table.faults.is_empty() {
            &[]
        } else if has_threads {
            &[(1, "the second time"), (3, "with three threads")]
        } else {
            &[(1, "the second time")]
        };
        for &(threads, way) in ways {
            match self.perform(self.start, threads, false) {
                Ok(again) => {
                    if let Some(flaw) = differs(&once, &again, way) {
                        return Some(flaw);
                    }
                }
                Err(flaw) => return Some(Flaw { text: format!("{way}: {}", flaw.text), ..flaw }),
            }
        }
        self.peeks(&once)
    }

    /// Returns a flaw if the search depends on what its observer cannot see.
    fn peeks(&self, once: &[Outcome]) -> Option<Flaw> {
        let mover = self.table.rooms[usize::from(self.start)].mover?;
        let rooms = 0..self.table.rooms.len() as u16;
        if !self.kind.is_hidden() || !self.table.faults.is_empty() {
            return None;
        }
        let other = rooms
            .into_iter()
            .find(|&room| room != self.start && self.table.looks_same(mover, room, self.start))?;
        let stays = |call: &Call| {
            use Call::*;
            !matches!(
                call,
                Advance(_)
                    | AdvanceBest
                    | AdvanceTo(_)
                    | AdvanceIllegal
                    | Reset(_)
                    | ContinueAt(_)
                    | View
                    | Save(_)
                    | LoadForeign
                    | LoadDamaged(_)
            )
        };
        let calls = Vec::from_iter(self.calls.iter().take_while(|call| stays(call)).cloned());
        let count = calls.len();
        let prefix = Program { calls, ..self.clone() };
        match prefix.perform(other, 1, false) {
            Ok(elsewhere) => {
                differs(&once[..count.min(once.len())], &elsewhere, "where something hidden is otherwise")
            }
            Err(flaw) => Some(flaw),
        }
    }

    /// Panics if something is wrong.
    #[track_caller]
    pub fn check(&self) {
        if let Some(Flaw { call, text }) = self.flaw() {
            panic!("call {call}, {:?}: {text}", self.calls.get(call));
        }
    }
}

fn differs(once: &[Outcome], again: &[Outcome], way: &str) -> Option<Flaw> {
    for (call, (one, other)) in once.iter().zip(again).enumerate() {
        if !are_same(one, other) {
            return Some(Flaw {
                call,
                text: format!("{way} it does something else: {}", difference(one, other)),
            });
        }
    }
    (once.len() != again.len()).then(|| Flaw { call: 0, text: format!("{way} there are fewer outcomes") })
}

/// Returns the first failing program among these seeds, shrunk, with its flaw.
pub fn hunt(kind: Kind, seeds: impl IntoIterator<Item = u64>) -> Option<(u64, Program, Flaw)> {
    for seed in seeds {
        let program = Program::random(seed, kind);
        if let Some(flaw) = program.flaw() {
            let (small, flaw) = program.shrunk(flaw, Program::flaw);
            return Some((seed, small, flaw));
        }
    }
    None
}
