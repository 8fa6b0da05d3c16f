//! [`Untold`]: what players will see when a step of simultaneous moves ends.

use crate::game::{GameState, Player, Turn};
use crate::space::Space;

/// The actions of a step of simultaneous moves that the players have not been told yet.
#[derive(Clone, Debug)]
pub(crate) struct Untold<A> {
    /// An observer, and what it sees.
    seen: Vec<(Player, A)>,
    /// The players who have chosen in this step, one bit each.
    chosen: u64,
}

impl<A: Clone> Untold<A> {
    pub fn new() -> Self {
        Untold { seen: Vec::new(), chosen: 0 }
    }

    /// Returns what the players will see, and who has chosen, one bit each.
    #[cfg(feature = "save")]
    pub fn parts(&self) -> (&[(Player, A)], u64) {
        (&self.seen, self.chosen)
    }

    #[cfg(feature = "save")]
    pub fn of_parts(seen: Vec<(Player, A)>, chosen: u64) -> Self {
        Untold { seen, chosen }
    }

    pub fn clear(&mut self) {
        self.chosen = 0;
        self.seen.clear();
    }

    /// Returns whether some players have chosen in a step, and others have not.
    pub fn is_in_step(&self) -> bool {
        self.chosen != 0
    }

    /// Notes what each player sees of `action`, which is about to be played. Players know their own actions.
    #[inline]
    pub fn note<S: Space<Game: GameState<Action = A>>>(
        &mut self,
        state: &S::Game,
        turn: Turn,
        action: &A,
        players: Player,
    ) {
        for observer in (0..players).filter(|&observer| turn != Turn::Player(observer)) {
            self.seen.extend(S::seen(state, action.clone(), observer).map(|seen| (observer, seen)));
        }
        if let (true, Turn::Player(player)) = (state.is_simultaneous(), turn) {
            self.chosen |= 1_u64.checked_shl(player.into()).unwrap_or(0);
        }
    }

    /// Returns whether, in `state`, another player of the same step is to move.
    #[inline]
    pub fn step_goes_on<S: Space<Game: GameState<Action = A>>>(&self, state: &S::Game) -> bool {
        self.chosen != 0
            && state.is_simultaneous()
            && matches!(state.turn(), Turn::Player(player) if self.chosen.checked_shr(player.into()) == Some(0))
    }

    /// Returns how many actions `observer` will see when the step ends.
    pub fn count(&self, observer: Player) -> usize {
        self.seen.iter().filter(|(other, _)| *other == observer).count()
    }

    /// Ends the step. Returns each observer, what it sees, and whether it has chosen in the step too.
    #[inline]
    pub fn take(&mut self) -> impl Iterator<Item = (Player, A, bool)> {
        let chosen = core::mem::take(&mut self.chosen);
        self.seen.drain(..).map(move |(observer, seen)| (observer, seen, chosen >> observer & 1 == 1))
    }
}
