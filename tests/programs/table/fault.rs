//! Planned faults: calls of a game that panic, fail or lie.

use std::sync::atomic::{AtomicU64, Ordering};

/// What a search asks of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "save", derive(serde::Serialize, serde::Deserialize))]
pub enum Asked {
    /// `turn`. It cannot fail.
    Turn,
    /// `actions`, and `sample_action`.
    Actions,
    /// `apply`, and `step`.
    Apply,
    /// `reward`.
    Reward,
    /// `probability`.
    Probability,
    /// `key`.
    Key,
    /// `determinize`.
    Guess,
    /// `evaluate`, and `estimate`.
    Evaluation,
    /// A clone of the state. It can only panic.
    CloneState,
    /// A clone of an action that owns memory. It can only panic.
    CloneAction,
    /// A comparison of such an action. It can only panic.
    CompareActions,
    /// The drop of such an action. It can only panic, and does not while the thread unwinds.
    DropAction,
}

/// The number of variants of [`Asked`].
const KINDS: usize = Asked::DropAction as usize + 1;

/// What goes wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "save", derive(serde::Serialize, serde::Deserialize))]
pub enum How {
    /// Panics with [`PLANNED`].
    Panic,
    /// Reports an error by `ramure::fail`.
    Fail,
    /// Gives a wrong answer; the number says which.
    Lie(u8),
}

/// A planned fault: the `at`th call of one kind, counted from 1, and then every `every`th after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "save", derive(serde::Serialize, serde::Deserialize))]
pub struct Fault {
    /// Which calls are counted.
    pub on: Asked,
    /// The first call that goes wrong.
    pub at: u64,
    /// The calls from one fault to the next; 0 for one fault only.
    pub every: u64,
    /// What goes wrong.
    pub how: How,
}

/// The message of planned panics and errors.
pub const PLANNED: &str = "planned by the table";

impl Fault {
    fn is_due(&self, count: u64) -> bool {
        count == self.at || count > self.at && self.every > 0 && (count - self.at).is_multiple_of(self.every)
    }
}

/// Counts the calls of a game with faults.
#[derive(Debug, Default)]
pub(super) struct Counts([AtomicU64; KINDS]);

impl Counts {
    /// Counts a call. Returns what goes wrong with it; a panic happens here.
    #[inline]
    pub fn meet(&self, faults: &[Fault], asked: Asked) -> Option<How> {
        if faults.is_empty() {
            return None;
        }
        let count = self.0[asked as usize].fetch_add(1, Ordering::Relaxed) + 1;
        let how = faults.iter().find(|fault| fault.on == asked && fault.is_due(count))?.how;
        assert!(how != How::Panic || std::thread::panicking(), "{PLANNED}");
        Some(how)
    }
}
