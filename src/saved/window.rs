//! Saved searches with a window.

use crate::backpropagation::Backprop;
use crate::persist::{Persist, persist_settings};
use crate::saved::{FileError, Loaded, RootState, Save};
use crate::search::engine::window::{Counted, InFlight, Windowed};
use crate::selection::TreePolicy;
use crate::simulation::RolloutPolicy;
use crate::space::{ActionOf, Space};
use crate::statistics::{Pack, Statistics};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{Read, Write};

persist_settings! { InFlight }

impl<S, P, R, B, W> Save for Windowed<S, P, R, B, W>
where
    S: Space + Serialize + DeserializeOwned,
    ActionOf<S>: Serialize + DeserializeOwned,
    P: TreePolicy<S::Game> + Persist<S::Game>,
    P::Stats: Pack + Statistics<S::Game, R>,
    R: RolloutPolicy<S::Game> + Persist<S::Game>,
    B: Backprop<S::Game> + Persist<S::Game>,
    B::Stats: Pack,
{
    type Loaded = Loaded<S, P, R, Counted<B>>;

    fn write(&mut self, writer: impl Write) -> Result<(), FileError> {
        self.finish().map_err(FileError::search)?;
        self.search.write_with(writer, &[("window", &self.window.text())])
    }

    fn read(&self, reader: impl Read, root_state: RootState) -> Result<Self::Loaded, FileError> {
        self.search.read_with(reader, &[("window", &self.window.text())], root_state)
    }

    fn replace(&mut self, loaded: Self::Loaded) {
        self.drop_pending();
        self.search.take(loaded);
    }
}
