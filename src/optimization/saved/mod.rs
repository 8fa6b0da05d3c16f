//! Saved optimizations: `save` and `load` of [`Optimization`], behind the feature `save`. Uses `saved`, and
//! the rest of `optimization`.

#[cfg(test)]
mod tests;

use super::attempts::Kept;
use super::nrpa::Bias;
use super::{FlatSampling, NestedSearch, Nrpa, Optimization, Optimizer, SinglePlayerMcts};
use crate::custom_error::BoxError;
use crate::game::{GameState, Scored, Turn, has_failed};
use crate::persist::{Persist, persist_settings};
use crate::saved::FileError;
use crate::saved::sections::{self, Input, Output};
use crate::saved::{RootState, are_same, file, loading_methods, short_name, unless};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};
use std::path::Path;

persist_settings! { FlatSampling, NestedSearch }
persist_settings! {
    SinglePlayerMcts: |search| {
        let ((c, d), iterations) = (search.tree_policy.constants(), search.iterations);
        format!("SinglePlayerMcts {{ c: {c:?}, d: {d:?}, iterations: {iterations} }}")
    };
}

impl<G: GameState, B: Bias<G>> Persist<G> for Nrpa<B> {
    type Learned = ();
    fn settings(&self) -> String {
        let Nrpa { level, iterations, alpha, rollouts, beam, .. } = self;
        let bias = if B::IS_ZERO { "none" } else { "function" };
        format!(
            "Nrpa {{ level: {level}, iterations: {iterations}, alpha: {alpha:?}, rollouts: {rollouts}, beam: {beam:?}, bias: {bias} }}"
        )
    }
    fn learned(&self, _: &G) {}
    fn restore(&mut self, (): ()) {}
}

/// Where the lines start, and the seed from which the generators of the searches came.
#[derive(Serialize, Deserialize)]
struct Start<G> {
    state: G,
    seed: u64,
}

/// Everything that is taken from a file, read and checked.
struct Loaded<G: GameState, L> {
    start: Start<G>,
    learned: L,
    searches: Vec<Kept<G::Action>>,
}

impl<G, O> Optimization<G, O>
where
    G: Scored + Serialize + DeserializeOwned,
    G::Action: Serialize + DeserializeOwned,
    O: Optimizer<G> + Persist<G>,
{
    /// Saves what the search has found as the file `path`, which [`load`](Self::load) reads: the root state,
    /// and of each of the [searches](Self::searches) the best line and the random generator.
    ///
    /// Save between two runs. A run begins new passes, so what an optimizer has learned in a pass is never in
    /// a file. An existing file is replaced only when the new one is complete; see
    /// [`Mcts::save`](crate::Mcts::save).
    ///
    /// ```
    /// use ramure::optimization::{Nrpa, Optimization};
    /// use ramure::prelude::*;
    /// use ramure_games::SameGame;
    ///
    /// let new = || Optimization::new(SameGame::random(7), Nrpa::new(2).iterations(10)).searches(2);
    /// let (mut search, mut file) = (new(), Vec::new());
    /// let best = search.run(Budget::iterations(200))?;
    /// search.save_to(&mut file)?; // or `save`, with a path
    ///
    /// // Later, in another process: the same search, and what it had found.
    /// let mut later = new();
    /// later.load_from(&file[..])?;
    /// assert_eq!(later.best(), Some((best.score, &best.actions[..])));
    /// let (found, uninterrupted) =
    ///     (later.run(Budget::iterations(200))?, search.run(Budget::iterations(200))?);
    /// assert_eq!((found.score, found.actions), (uninterrupted.score, uninterrupted.actions));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Mcts::save`](crate::Mcts::save).
    #[cfg_attr(docsrs, doc(cfg(feature = "save")))]
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), FileError> {
        file::replace(path.as_ref(), |file| self.save_to(file))
    }

    /// Writes what [`save`](Self::save) writes to any writer. See [`Mcts::save_to`](crate::Mcts::save_to).
    ///
    /// # Errors
    ///
    /// Returns the errors of [`save`](Self::save).
    #[cfg_attr(docsrs, doc(cfg(feature = "save")))]
    pub fn save_to(&self, writer: impl Write) -> Result<(), FileError> {
        let mut out = Output::new(writer)?;
        out.value(sections::SETTINGS, &self.saved_settings())?;
        out.value(sections::POSITION, &Start { state: &self.state, seed: self.seed })?;
        out.value(sections::LEARNED, &self.optimizer.learned(&self.state))?;
        out.value(sections::LINES, &self.searches)?;
        out.finish()
    }

    loading_methods! {
        /// Replaces what this search has found by what a search of the same root state has
        /// [saved](Self::save) as the file `path`.
        ///
        /// Build the search like the one that was saved: with the same root state, optimizer and number of
        /// searches. The seed and the random generators come from the file. The next run gives the same
        /// results as if the saved search had continued, to the bit. [`passes`](Self::passes) may differ, and
        /// so may a memory limit, as long as no tree reaches it.
        ///
        /// `load` checks a file before it uses any of it. It plays the best lines by the rules of the game
        /// and asks for their scores. See [`Mcts::load`](crate::Mcts::load).
        ///
        /// # Errors
        ///
        /// Returns a [`FileError`] if the file cannot be read, if it is incomplete, damaged, or of another
        /// game, version, search or root state. After an error, the search is unchanged.
        load;

        /// Loads a file and takes the root state from it, too. See [`Mcts::resume`](crate::Mcts::resume).
        resume;
    }

    fn saved_settings(&self) -> Vec<(String, String)> {
        let settings = [
            ("game", short_name(core::any::type_name::<G>())),
            ("optimizer", self.optimizer.settings()),
            ("number of searches", self.searches.len().to_string()),
        ];
        settings.into_iter().map(|(name, setting)| (name.to_owned(), setting)).collect()
    }

    fn read(&self, reader: impl Read, root_state: RootState) -> Result<Loaded<G, O::Learned>, FileError> {
        let mut input = Input::new(reader)?;
        sections::compare(input.value(sections::SETTINGS)?, self.saved_settings())?;
        let start: Start<G> = input.value(sections::POSITION)?;
        if root_state == RootState::IsTheSame && !are_same(&self.state, &start.state)? {
            return Err(FileError::OtherState);
        }
        let learned: O::Learned = input.value(sections::LEARNED)?;
        let wrong = |error: BoxError| FileError::invalid(sections::LEARNED, error);
        self.optimizer.check_learned(&start.state, &learned).map_err(wrong)?;
        let mut searches: Vec<Kept<G::Action>> = input.value(sections::LINES)?;
        input.finish()?;
        let fits = searches.len() == self.searches.len();
        unless(fits, sections::LINES, "there is another number of searches")?;
        for (score, line) in searches.iter_mut().filter_map(|search| search.best.as_mut()) {
            *score = check(&start.state, *score, line)
                .map_err(|flaw| FileError::invalid(sections::LINES, flaw))?;
        }
        Ok(Loaded { start, learned, searches })
    }

    fn replace(&mut self, loaded: Loaded<G, O::Learned>) {
        let Loaded { start: Start { state, seed }, learned, searches } = loaded;
        (self.state, self.seed, self.searches) = (state, seed, searches);
        self.optimizer.restore(learned);
    }
}

/// By how much of its size a score may differ on another machine, whose logarithms, for example, are rounded
/// in another way.
const TOLERANCE: f64 = 1e-9;

/// Plays a line by the rules of the game, and compares its score. Returns the score on this machine.
fn check<G: Scored>(root: &G, score: f64, line: &[G::Action]) -> Result<f64, &'static str> {
    if root.players() != 1 || root.turn() == Turn::Over {
        return Err("there is a line, although no search begins like this");
    }
    let mut state = root.clone();
    for action in line {
        match state.turn() {
            Turn::Player(0) => {}
            Turn::Over => return Err("a line goes on after the end of the game"),
            _ => return Err("it is not the turn of the player"),
        }
        if !state.is_legal(action.clone()) {
            return Err("an action is not legal");
        }
        state.apply(action.clone());
        if has_failed() {
            return Err("the game failed");
        }
    }
    if state.turn() != Turn::Over {
        return Err("a line ends before the game is over");
    }
    let here = state.score();
    let is_same = score.is_finite() && here.is_finite() && (here - score).abs() <= TOLERANCE * score.abs();
    if is_same { Ok(here) } else { Err("a score is not that of the line") }
}
