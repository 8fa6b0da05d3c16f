//! Searches with a window: `save` and `load` of [`Windowed`].

use crate::backpropagation::Backprop;
use crate::persist::{Persist, persist_settings};
use crate::saved::{LoadError, Loaded, RootState, SaveError, file, loading_methods};
use crate::search::engine::window::{Counted, InFlight, Windowed, Workers};
use crate::selection::TreePolicy;
use crate::simulation::RolloutPolicy;
use crate::space::{ActionOf, Space};
use crate::statistics::{Pack, Statistics};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{Read, Write};
use std::path::Path;

persist_settings! { InFlight }

impl<S, P, R, B, W> Windowed<S, P, R, B, W>
where
    S: Space + Serialize + DeserializeOwned,
    ActionOf<S>: Serialize + DeserializeOwned,
    P: TreePolicy<S::Game> + Persist<S::Game>,
    P::Stats: Pack + Statistics<S::Game, R>,
    R: RolloutPolicy<S::Game> + Persist<S::Game>,
    B: Backprop<S::Game> + Persist<S::Game>,
    B::Stats: Pack,
    W: Workers<S, P, R>,
{
    /// Saves what the search has found as the file `path`; see [`Mcts::save`](crate::Mcts::save). Pending
    /// iterations are [finished](Self::finish) first.
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
        /// Replaces what this search has found by what a search of the same root state with the same window
        /// has [saved](Self::save) as the file `path`. Pending iterations are dropped. See
        /// [`Mcts::load`](crate::Mcts::load).
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
    ) -> Result<Loaded<S, P, R, Counted<B>>, LoadError> {
        self.inner().read_with(reader, &[("window", &self.window_setting())], root_state)
    }

    fn replace(&mut self, loaded: Loaded<S, P, R, Counted<B>>) {
        self.drop_pending();
        self.inner_mut().replace(loaded);
    }
}
