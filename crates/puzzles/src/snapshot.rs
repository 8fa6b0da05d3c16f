//! What a search has found, to be written and read: [`Snapshot`], behind the feature `save`.

use crate::attempts::Kept;
use crate::driver::{MOST_SEARCHES, Optimization, Optimizer};
use core::fmt;
use ramure::{CustomError, GameState, Scored, Turn, take_failure};
use serde::{Deserialize, Serialize};

/// What an [`Optimization`] has found: its root state and its seed, and of each of its
/// [searches](Optimization::searches) the best line and the random generator.
///
/// Write it in any format of `serde` that keeps all bits of a number: `postcard`, or `serde_json` with
/// `float_roundtrip`. A file that a program replaces while it may be stopped is best written beside the old
/// one, and then renamed.
///
/// A run begins new passes, so what an optimizer has learned in a pass is never in a snapshot. Nor are the
/// optimizer itself and the number of [passes](Optimization::passes): give the search the same ones, or
/// others, which go on from the best lines.
///
/// ```
/// use ramure::prelude::*;
/// use ramure_games::SameGame;
/// use ramure_puzzles::{Nrpa, Optimization};
///
/// let new = || Optimization::new(SameGame::random(7), Nrpa::new(2).iterations(10)).searches(2);
/// let mut search = new();
/// let best = search.run(Budget::iterations(200))?;
/// let text = serde_json::to_string(&search.snapshot())?;
///
/// // Later, in another process: the same search, and what it had found.
/// let mut later = new();
/// later.restore(serde_json::from_str(&text)?)?;
/// assert_eq!(later.best(), Some((best.score, &best.actions[..])));
/// let (found, uninterrupted) =
///     (later.run(Budget::iterations(200))?, search.run(Budget::iterations(200))?);
/// assert_eq!((found.score, found.actions), (uninterrupted.score, uninterrupted.actions));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(
    serialize = "G: Serialize, G::Action: Serialize",
    deserialize = "G: Deserialize<'de>, G::Action: Deserialize<'de>"
))]
pub struct Snapshot<G: GameState> {
    state: G,
    seed: u64,
    searches: Vec<Kept<G::Action>>,
}

impl<G: GameState> Snapshot<G> {
    /// Returns the state from which all lines start. A search from another state refuses the snapshot.
    pub fn state(&self) -> &G {
        &self.state
    }
}

impl<G: Scored, O: Optimizer<G>> Optimization<G, O> {
    /// Returns what the search has found, to be written. Take it between two runs.
    #[cfg_attr(docsrs, doc(cfg(feature = "save")))]
    #[must_use]
    pub fn snapshot(&self) -> Snapshot<G> {
        Snapshot { state: self.state.clone(), seed: self.seed, searches: self.searches.clone() }
    }

    /// Replaces what this search has found by a [`snapshot`](Self::snapshot) of a search with the same root
    /// state. The number of searches, the seed and the random generators come from the snapshot.
    ///
    /// With the same optimizer and passes, the next run gives the same results as if the first search had
    /// continued, to the bit. `restore` checks a snapshot before it uses any of it: it plays the best lines by
    /// the rules of the game, and asks for their scores.
    ///
    /// # Errors
    ///
    /// Returns a [`SnapshotError`] if the snapshot has another root state or what no search has found, or if
    /// the game fails. After an error, the search is unchanged.
    #[cfg_attr(docsrs, doc(cfg(feature = "save")))]
    pub fn restore(&mut self, snapshot: Snapshot<G>) -> Result<(), SnapshotError>
    where
        G: PartialEq,
    {
        if snapshot.state != self.state {
            return Err(SnapshotError::OtherState);
        }
        take_failure(); // of a call outside of searches
        let Snapshot { seed, mut searches, .. } = snapshot;
        let checked = check_all(&self.state, &mut searches);
        unless_failed().and(checked)?; // an error of the game comes before what follows from it
        (self.seed, self.count, self.searches) = (seed, searches.len(), searches);
        Ok(())
    }
}

fn invalid(flaw: &'static str) -> SnapshotError {
    SnapshotError::Invalid { flaw }
}

fn unless_failed() -> Result<(), SnapshotError> {
    take_failure().map_or(Ok(()), |error| Err(SnapshotError::Failed { error: error.into() }))
}

fn check_all<G: Scored>(root: &G, searches: &mut [Kept<G::Action>]) -> Result<(), SnapshotError> {
    if !(1..=MOST_SEARCHES).contains(&searches.len()) {
        return Err(invalid("the number of searches is not from 1 to 65536"));
    }
    for (score, line) in searches.iter_mut().filter_map(|search| search.best.as_mut()) {
        *score = check(root, *score, line)?;
    }
    Ok(())
}

/// By how much of its size a score may differ on another machine, whose logarithms, for example, are rounded
/// in another way.
const TOLERANCE: f64 = 1e-9;

/// Plays a line by the rules of the game, and compares its score. Returns the score on this machine.
fn check<G: Scored>(root: &G, score: f64, line: &[G::Action]) -> Result<f64, SnapshotError> {
    if root.players() != 1 || root.turn() == Turn::Over {
        return Err(invalid("there is a line, although no search begins like this"));
    }
    let mut state = root.clone();
    for action in line {
        match state.turn() {
            Turn::Player(0) => {}
            Turn::Over => return Err(invalid("a line goes on after the end of the game")),
            _ => return Err(invalid("it is not the turn of the player")),
        }
        if !state.is_legal(action.clone()) {
            return Err(invalid("an action is not legal"));
        }
        state.apply(action.clone());
        unless_failed()?; // nothing more is asked of that state
    }
    if state.turn() != Turn::Over {
        return Err(invalid("a line ends before the game is over"));
    }
    let here = state.score();
    let is_same = score.is_finite() && here.is_finite() && (here - score).abs() <= TOLERANCE * score.abs();
    if is_same { Ok(here) } else { Err(invalid("a score is not that of the line")) }
}

/// Why a search does not take a [`Snapshot`]. The search is unchanged.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The snapshot is of a search with another root state.
    OtherState,
    /// The snapshot has content that no search has found.
    Invalid {
        /// What is wrong.
        flaw: &'static str,
    },
    /// The game [failed](ramure::fail) with an error of its own, which is the
    /// [`source`](core::error::Error::source) of this one. Nothing is known about the snapshot.
    Failed {
        /// The error.
        error: CustomError,
    },
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SnapshotError::OtherState => f.write_str(
                "the snapshot is of a search with another root state; begin a search from `snapshot.state()` to go on there",
            ),
            SnapshotError::Invalid { flaw } => write!(f, "the snapshot is invalid: {flaw}"),
            SnapshotError::Failed { .. } => {
                f.write_str("the game failed while the lines of the snapshot were checked")
            }
        }
    }
}

/// Prints the sentence of `Display`, and the error of the game.
impl fmt::Debug for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SnapshotError::Failed { error } => write!(f, "{self}: {error}"),
            _ => fmt::Display::fmt(self, f),
        }
    }
}

impl core::error::Error for SnapshotError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            SnapshotError::Failed { error } => Some(error.get_ref()),
            _ => None,
        }
    }
}
