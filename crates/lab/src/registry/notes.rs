//! The trace of a search by text. It records what its policies need of each iteration, decided at run time.

use super::able::{Full, Noted};
use ramure::simulation::{Alternatives, History, Numbered, Trace};
use ramure::statistics::LastPlayed;
use ramure::{ActionIndex, GameFault, GameState, Player, Turn};

/// The trace for the tree policy, or for the rollout policy if `FOR_ROLLOUTS` is set.
#[derive(Clone, Debug)]
pub(super) struct Notes<A, const FOR_ROLLOUTS: bool> {
    noted: Noted,
    /// A pair, because a policy that learns alone and shares no trace expects one.
    played: (Numbered<A>, ()),
    alternatives: Alternatives<A>,
    pub last: LastPlayed,
}

impl<A, const FOR_ROLLOUTS: bool> Notes<A, FOR_ROLLOUTS> {
    /// Returns whether the trace records when each action was last played.
    #[inline(always)]
    pub fn knows_last(&self) -> bool {
        self.noted.has(Noted::LAST)
    }
}

impl<A, const FOR_ROLLOUTS: bool> Default for Notes<A, FOR_ROLLOUTS> {
    fn default() -> Self {
        Notes {
            noted: Noted::default(),
            played: Default::default(),
            alternatives: Alternatives::default(),
            last: LastPlayed::default(),
        }
    }
}

impl<G: Full, const FOR_ROLLOUTS: bool> Trace<G> for Notes<G::Action, FOR_ROLLOUTS> {
    // If a part must see all actions, the state refuses the shortcut instead.
    const NOTES: bool = false;

    #[inline(always)]
    fn restart(&mut self) {
        if self.noted.has(Noted::HISTORY) {
            Trace::<G>::restart(&mut self.played.0);
        }
        if self.noted.has(Noted::ALTERNATIVES) {
            Trace::<G>::restart(&mut self.alternatives);
        }
        if self.noted.has(Noted::LAST) {
            Trace::<G>::restart(&mut self.last);
        }
    }

    #[inline(always)]
    fn record(&mut self, state: &G, turn: Turn, action: &G::Action) -> Result<(), GameFault> {
        self.noted = state.wish().noted(FOR_ROLLOUTS);
        if self.noted.anything() { self.note(state, turn, action) } else { Ok(()) }
    }

    #[inline(always)]
    fn actions(&self) -> &[(Player, G::Action)] {
        if self.noted.has(Noted::HISTORY) {
            Trace::<G>::actions(&self.played.0)
        } else {
            Trace::<G>::actions(&self.alternatives)
        }
    }
}

impl<A, const FOR_ROLLOUTS: bool> Notes<A, FOR_ROLLOUTS> {
    #[inline(never)]
    fn note<G: ActionIndex<Action = A>>(&mut self, state: &G, turn: Turn, action: &A) -> Result<(), GameFault>
    where
        A: Clone + 'static,
    {
        if self.noted.has(Noted::NUMBERED) {
            Trace::<G>::record(&mut self.played.0, state, turn, action)?;
        } else if self.noted.has(Noted::HISTORY) {
            Trace::<G>::record(&mut self.played.0.0, state, turn, action)?;
        }
        if self.noted.has(Noted::ALTERNATIVES) {
            Trace::<G>::record(&mut self.alternatives, state, turn, action)?;
        }
        if self.noted.has(Noted::LAST) {
            Trace::<G>::record(&mut self.last, state, turn, action)?;
        }
        Ok(())
    }
}

/// A trace that can be restored from [`Notes`].
pub(super) trait Kept<G: GameState>: Trace<G> {
    /// The data to record.
    const NOTED: Noted;
}

/// A trace that a rollout policy can learn from.
pub(super) trait Shown<G: GameState>: Kept<G> {
    fn of<const FOR_ROLLOUTS: bool>(notes: &Notes<G::Action, FOR_ROLLOUTS>) -> &Self;
}

impl<G: GameState, T: Kept<G>, U: Kept<G>> Kept<G> for (T, U) {
    const NOTED: Noted = T::NOTED.and(U::NOTED);
}

/// Says for each trace what it records, and where a rollout policy finds it in [`Notes`].
macro_rules! traces {
    ($($trace:ty: $game:ident $(, keeps $noted:ident)? $(, |$notes:ident| $place:expr)?;)*) => {$(
        $(impl<G: $game> Kept<G> for $trace {
            const NOTED: Noted = Noted::$noted;
        })?

        $(impl<G: $game> Shown<G> for $trace {
            #[inline(always)]
            fn of<const FOR_ROLLOUTS: bool>($notes: &Notes<G::Action, FOR_ROLLOUTS>) -> &Self {
                $place
            }
        })?
    )*};
}

traces! {
    (): GameState, keeps NOTHING, |_notes| &();
    ((), ()): GameState, |_notes| &((), ());
    History<G::Action>: GameState, keeps HISTORY, |notes| &notes.played.0.0;
    Numbered<G::Action>: ActionIndex, keeps NUMBERED, |notes| &notes.played.0;
    (Numbered<G::Action>, ()): ActionIndex, |notes| &notes.played;
    LastPlayed: ActionIndex, keeps LAST;
    Alternatives<G::Action>: ActionIndex, keeps ALTERNATIVES, |notes| &notes.alternatives;
}
