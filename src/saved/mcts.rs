//! `save` and `load` of [`Mcts`], and of a search of one tree.

use crate::backpropagation::Backprop;
use crate::persist::Persist;
use crate::saved::{FileError, Loaded, RootState, file, loading_methods};
use crate::search::engine::Engine;
use crate::search::mcts::Mcts;
use crate::search::one_tree::OneTree;
use crate::selection::TreePolicy;
use crate::space::{ActionOf, Space};
use crate::statistics::Pack;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{Read, Write};
use std::path::Path;

/// The settings of a search without a window, beyond those that all searches have.
const WITHOUT_WINDOW: &[(&str, &str)] = &[("window", "none")];

/// The trees of an engine that can be saved.
#[diagnostic::on_unimplemented(
    message = "this search cannot be saved",
    label = "some part of the search cannot be written to a file or read from it",
    note = "the game and its actions must implement `Serialize` and `DeserializeOwned`, and the policies `Persist`"
)]
pub trait Save {
    /// Everything that a search takes from a file, read and checked.
    type Loaded;

    fn write(&mut self, writer: impl Write) -> Result<(), FileError>;

    /// Reads and checks a file. The search stays as it is.
    fn read(&self, reader: impl Read, root_state: RootState) -> Result<Self::Loaded, FileError>;

    fn replace(&mut self, loaded: Self::Loaded);
}

impl<S, P, R, B, E> Mcts<S, P, R, B, E>
where
    S: Space,
    P: TreePolicy<S::Game>,
    B: Backprop<S::Game>,
    E: Engine<S, P, R, B>,
{
    /// Saves what the search has found as the file `path`, which [`load`](Self::load) reads: the root state,
    /// the trees, what the policies have learned, and the random generators. Pending iterations of a
    /// [window](Self::window) are [finished](Self::finish) first.
    ///
    /// An existing file is replaced only when the new one is complete. If this process is killed before that,
    /// the old file stays, and a file `path.<number>.tmp` remains beside it until the next `save` to this
    /// path. If `path` is a symbolic link, the file that it leads to is replaced.
    ///
    /// In a search that [shares positions](crate::search::Transpositions), this also frees the positions that
    /// the root no longer leads to, and reports count fewer nodes. Later results may differ from those of a
    /// search that was never saved; they are the same as those of the search that loads the file.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// use ramure_games::Connect4;
    ///
    /// # let folder = std::env::temp_dir().join(format!("ramure-save-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// # let path = folder.join("opening.search");
    /// # if false {
    /// let path = "opening.search";
    /// # }
    /// let new = || Mcts::new(Connect4::new()).seed(7);
    ///
    /// let mut search = new();
    /// search.run(Budget::iterations(2_000))?;
    /// search.save(&path)?;
    ///
    /// // Later, in another process: the same search, and what it had found.
    /// let mut later = new();
    /// later.load(&path)?;
    /// let (report, uninterrupted) =
    ///     (later.run(Budget::iterations(2_000))?, search.run(Budget::iterations(2_000))?);
    /// assert_eq!(report.root_visits, 4_000);
    /// assert_eq!(report.actions, uninterrupted.actions);
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns a [`FileError`] if the file cannot be written, or if an action, the state or what a policy has
    /// learned cannot be serialized.
    #[cfg_attr(docsrs, doc(cfg(feature = "save")))]
    pub fn save(&mut self, path: impl AsRef<Path>) -> Result<(), FileError>
    where
        E::Trees: Save,
    {
        file::replace(path.as_ref(), |file| self.save_to(file))
    }

    /// Writes what [`save`](Self::save) writes to any writer, for platforms without files. The writer should
    /// be buffered; it is flushed at the end.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`save`](Self::save).
    #[cfg_attr(docsrs, doc(cfg(feature = "save")))]
    pub fn save_to(&mut self, writer: impl Write) -> Result<(), FileError>
    where
        E::Trees: Save,
    {
        self.trees.write(writer)
    }

    loading_methods! {
        /// Replaces what this search has found by what a search of the same root state has
        /// [saved](Self::save) as the file `path`.
        ///
        /// Build the search like the one that was saved: with the same root state, policies, expansion and
        /// root decision, and with the same window. You can change expansion and root decision afterwards. The number of threads may be another one. The seed and the
        /// state of the random generator come from the file. The memory limit is that of this search. If the
        /// memory limit is the same, too, the next run gives the same results as if the saved search had
        /// continued, to the bit; at the limit, only on the same platform.
        ///
        /// Two states are the same if they serialize to the same bytes. If you do not know how far the saved
        /// game had come, use [`resume`](Self::resume), which takes the root state from the file.
        ///
        /// `load` checks a file before it uses any of it: its checksums, its settings, each block of the
        /// tree, and each action against the rules of the game. This takes about as long as playing each
        /// action of the tree once: in Connect 4, less than a microsecond for each node. If the search only
        /// [guesses](crate::search::InformationSet) or [samples](crate::search::Sampled) states, `load`
        /// cannot check actions against the rules.
        ///
        /// # Errors
        ///
        /// Returns a [`FileError`] if the file cannot be read, if it is incomplete, damaged, or of another
        /// game, version, search or root state, or if its tree does not fit into the memory limit together
        /// with the tree that this search has. After an error, the search is unchanged.
        load;

        /// Goes on where the search in the file `path` was, in whatever state of the game:
        /// [loads](Self::load) the file and takes the root state from it, too.
        ///
        /// ```
        /// use ramure::prelude::*;
        /// use ramure::saved::FileError;
        /// use ramure_games::Connect4;
        ///
        /// let mut search = Mcts::new(Connect4::new());
        /// let action = search.run(Budget::iterations(500))?.best_action();
        /// search.advance(action)?;
        /// let mut file = Vec::new();
        /// search.save_to(&mut file)?;
        ///
        /// let mut later = Mcts::new(Connect4::new());
        /// assert_eq!(later.load_from(&file[..]), Err(FileError::OtherState)); // that of the file has one stone
        /// later.resume_from(&file[..])?;
        /// assert_eq!(later.state(), search.state());
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        resume;
        of trees, where E::Trees: Save;
    }
}

impl<S, P, R, B> Save for OneTree<S, P, R, B>
where
    S: Space + Serialize + DeserializeOwned,
    ActionOf<S>: Serialize + DeserializeOwned,
    P: TreePolicy<S::Game> + Persist<S::Game>,
    P::Stats: Pack,
    R: Persist<S::Game>,
    B: Backprop<S::Game> + Persist<S::Game>,
    B::Stats: Pack,
{
    type Loaded = Loaded<S, P, R, B>;

    fn write(&mut self, writer: impl Write) -> Result<(), FileError> {
        self.write_with(writer, WITHOUT_WINDOW)
    }

    fn read(&self, reader: impl Read, root_state: RootState) -> Result<Self::Loaded, FileError> {
        self.read_with(reader, WITHOUT_WINDOW, root_state)
    }

    fn replace(&mut self, loaded: Self::Loaded) {
        self.take(loaded);
    }
}
