//! Saved searches with a [`Window`].

use crate::backpropagation::Backprop;
use crate::persist::{Persist, persist_settings};
use crate::saved::{LoadError, Loaded, RootState, Save, SaveError};
use crate::search::engine::window::{Counted, InFlight, Window};
use crate::selection::TreePolicy;
use crate::simulation::RolloutPolicy;
use crate::space::{ActionOf, Space};
use crate::statistics::{Pack, Statistics};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{Read, Write};

persist_settings! { InFlight }

impl<S, P, R, B, W> Save<S, P, R, B> for Window<W>
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

    fn write(trees: &mut Self::Trees, writer: impl Write) -> Result<(), SaveError> {
        // An iteration that fails is taken back.
        let _ = trees.finish();
        trees.search.write(writer, &[("window", &trees.window.text())])
    }

    fn read(
        trees: &Self::Trees,
        reader: impl Read,
        root_state: RootState,
    ) -> Result<Self::Loaded, LoadError> {
        trees.search.read(reader, &[("window", &trees.window.text())], root_state)
    }

    fn replace(trees: &mut Self::Trees, loaded: Self::Loaded) {
        trees.drop_pending();
        trees.search.replace(loaded);
    }
}
