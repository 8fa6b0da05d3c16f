//! Searches with a window: `save` and `load` of [`Windowed`].

use crate::backpropagation::Backprop;
use crate::game::GameState;
use crate::persist::{Persist, persist_settings};
use crate::saved::{LoadError, Loaded, RootState, SaveError, file, loading_methods};
use crate::search::engine::window::{Counted, InFlight, Windowed, Workers};
use crate::selection::TreePolicy;
use crate::simulation::RolloutPolicy;
use crate::statistics::{Pack, Statistics};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{Read, Write};
use std::path::Path;

persist_settings! { InFlight }

impl<G, P, R, B, W> Windowed<G, P, R, B, W>
where
    G: GameState + Serialize + DeserializeOwned,
    G::Action: Serialize + DeserializeOwned,
    P: TreePolicy<G> + Persist<G>,
    P::Stats: Pack + Statistics<G, R>,
    R: RolloutPolicy<G> + Persist<G>,
    B: Backprop<G> + Persist<G>,
    B::Stats: Pack,
    W: Workers<G, P, R>,
{
    /// Saves what the search has found as the file `path`; see [`Mcts::save`](crate::Mcts::save). Pending iterations are
    /// [finished](Self::finish) first.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Mcts::save`](crate::Mcts::save).
    #[cfg_attr(docsrs, doc(cfg(feature = "save")))]
    pub fn save(&mut self, path: impl AsRef<Path>) -> Result<(), SaveError> {
        file::replace(path.as_ref(), |file| self.save_to(file))
    }

    /// Writes what [`save`](Self::save) writes. See [`Mcts::save_to`](crate::Mcts::save_to).
    ///
    /// # Errors
    ///
    /// Returns the errors of [`save`](Self::save).
    #[cfg_attr(docsrs, doc(cfg(feature = "save")))]
    pub fn save_to(&mut self, writer: impl Write) -> Result<(), SaveError> {
        // An iteration that fails is taken back.
        let _ = self.finish();
        self.inner().write(writer, &[("window", &self.window_setting())])
    }

    loading_methods! {
        /// Replaces what this search has found by what a search of the same root state with the same window has [saved](Self::save) as the file
        /// `path`. Pending iterations are dropped. See [`Mcts::load`](crate::Mcts::load).
        ///
        /// # Errors
        ///
        /// Returns the errors of [`Mcts::load`](crate::Mcts::load). After an error, the search is unchanged.
        load;

        /// Loads a file and takes the root state from it, too. See [`Mcts::resume`](crate::Mcts::resume).
        resume;
    }

    fn read(
        &self,
        reader: impl Read,
        root_state: RootState,
    ) -> Result<Loaded<G, P, R, Counted<B>>, LoadError> {
        self.inner().read_with(reader, &[("window", &self.window_setting())], root_state)
    }

    fn replace(&mut self, loaded: Loaded<G, P, R, Counted<B>>) {
        self.drop_pending();
        self.inner_mut().replace(loaded);
    }
}
