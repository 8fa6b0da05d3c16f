//! Saved searches, behind the feature `save`: writes what a search has found to a file, and reads it back.
//!
//! `sections` is the format, `file` replaces a file completely or not at all, `rules` checks a tree against the rules of its game, and
//! `windowed` saves and loads searches with a window. The store writes and checks the blocks of the tree.

mod error;
mod file;
mod rules;
mod sections;
#[cfg(all(test, feature = "games"))]
mod tests;
mod windowed;

pub use error::{LoadError, SaveError};

use super::Mcts;
use crate::backpropagation::Backprop;
use crate::custom_error::BoxError;
use crate::game::{GameState, MAX_PLAYERS, Player, Rng};
use crate::persist::Persist;
use crate::selection::TreePolicy;
use crate::statistics::Pack;
use crate::tree::{Flaw, Outline, Restored, Tree};
use sections::{Input, Output};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::io::{Read, Write};
use std::path::Path;

/// The state of the search itself, apart from its tree and its policies.
#[derive(Serialize, Deserialize)]
struct Position<G> {
    state: G,
    chooser: Player,
    rng: Rng,
    decision_seed: u64,
    moment: u64,
    salt: u64,
}

/// Everything that a search takes from a file, read and checked.
struct Loaded<G: GameState, P: TreePolicy<G> + Persist<G>, R: Persist<G>, B: Backprop<G> + Persist<G>> {
    position: Position<G>,
    learned: (P::Learned, R::Learned, B::Learned),
    tree: Tree<G::Action, P::Stats, B::Stats>,
}

/// The statistics of a node as words, in a file.
type Words = SmallVec<[u32; 32]>;

impl<G, P, R, B> Mcts<G, P, R, B>
where
    G: GameState + Serialize + DeserializeOwned,
    G::Action: Serialize + DeserializeOwned,
    P: TreePolicy<G> + Persist<G>,
    P::Stats: Pack,
    R: Persist<G>,
    B: Backprop<G> + Persist<G>,
    B::Stats: Pack,
{
    /// Saves what the search has found as the file `path`, which [`load`](Self::load) reads: the root state, the tree, what the policies
    /// have learned, and the random generator.
    ///
    /// An existing file is replaced only when the new one is complete. If this process is killed before that, the old file stays, and a file
    /// `path.<process>-<number>.tmp` remains beside it.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// use ramure::games::Connect4;
    ///
    /// # let folder = std::env::temp_dir().join(format!("ramure-save-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// # let path = folder.join("opening.search");
    /// # if false {
    /// let path = "opening.search";
    /// # }
    /// let new = || Mcts::new(Connect4::new()).backprop(Solver::new(Average)).seed(7);
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
    /// Returns a [`SaveError`] if the file cannot be written, or if an action, the state or what a policy has learned cannot be serialized.
    #[cfg_attr(docsrs, doc(cfg(feature = "save")))]
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), SaveError> {
        file::replace(path.as_ref(), |file| self.write(file, "none"))
    }

    /// Writes what [`save`](Self::save) writes to any writer, for platforms without files. The writer should be buffered; it is flushed at the end.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`save`](Self::save).
    #[cfg_attr(docsrs, doc(cfg(feature = "save")))]
    pub fn save_to(&self, writer: impl Write) -> Result<(), SaveError> {
        self.write(writer, "none")
    }

    /// Replaces what this search has found by what a search has [saved](Self::save) as the file `path`.
    ///
    /// Build the search like the one that was saved: with the same policies, expansion and root decision. You can change the latter two
    /// afterwards. The root state, the seed and the state of the random generator come from the file. The memory limit is that of this
    /// search. If the memory limit is the same, too, the next run gives the same results as if the saved search had continued, to the bit; at the
    /// limit, only on the same platform.
    ///
    /// `load` checks a file before it uses any of it: its checksums, its settings, each block of the tree, and each action
    /// against the rules of the game. This takes about as long as playing each action of the tree once: in Connect 4, less than a microsecond for each node. If the search only
    /// [guesses](super::InformationSet) or [samples](super::Sampled) states, `load` cannot check actions against the rules.
    ///
    /// # Errors
    ///
    /// Returns a [`LoadError`] if the file cannot be read, if it is incomplete, damaged, or of another game, version or search, or if
    /// its tree does not fit into the memory limit together with the tree that this search has. After an error, the search is
    /// unchanged.
    #[cfg_attr(docsrs, doc(cfg(feature = "save")))]
    pub fn load(&mut self, path: impl AsRef<Path>) -> Result<(), LoadError> {
        let loaded = file::read(path.as_ref(), |file| self.read(file, "none"))?;
        self.replace(loaded);
        Ok(())
    }

    /// Reads what [`save_to`](Self::save_to) has written, and no byte after it. The reader should be buffered. See
    /// [`load`](Self::load).
    ///
    /// # Errors
    ///
    /// Returns the errors of [`load`](Self::load).
    #[cfg_attr(docsrs, doc(cfg(feature = "save")))]
    pub fn load_from(&mut self, reader: impl Read) -> Result<(), LoadError> {
        let loaded = self.read(reader, "none")?;
        self.replace(loaded);
        Ok(())
    }

    /// Returns the settings, each with its name. They must be the same in a file and in the search that loads it.
    fn settings(&self, window: &str) -> Vec<(String, String)> {
        let [small, large, chunk] = Tree::<G::Action, P::Stats, B::Stats>::layout();
        let settings = [
            ("game", short_name(core::any::type_name::<G>())),
            ("tree policy", self.tree_policy.settings()),
            ("rollout policy", self.rollout_policy.settings()),
            ("backpropagation", self.backprop.settings()),
            ("expansion", format!("{:?}", self.expansion)),
            ("root decision", format!("{:?}", self.decision)),
            ("window", window.to_owned()),
            ("layout of the tree", format!("{chunk} blocks of {small} or {large} bytes")),
        ];
        settings.into_iter().map(|(name, setting)| (name.to_owned(), setting)).collect()
    }

    fn write(&self, writer: impl Write, window: &str) -> Result<(), SaveError> {
        const { assert!(!G::IS_KEYED, "a search that shares positions cannot be saved") };
        let mut out = Output::new(writer)?;
        out.value(sections::SETTINGS, &self.settings(window))?;
        let position = Position {
            state: &self.state,
            chooser: self.chooser,
            rng: self.rng.clone(),
            decision_seed: self.decision_seed,
            moment: self.moment,
            salt: self.salt,
        };
        out.value(sections::POSITION, &position)?;
        let learned = (self.tree_policy.learned(), self.rollout_policy.learned(), self.backprop.learned());
        out.value(sections::LEARNED, &learned)?;
        let outline = self.tree.outline();
        out.value(sections::OUTLINE, &outline)?;
        let mut words = Words::new();
        words.resize(P::Stats::WORDS + B::Stats::WORDS, 0);
        let mut bytes = Vec::new();
        for number in 0..outline.chunks() {
            bytes.clear();
            self.tree
                .write_chunk(number, &mut bytes, |action, stats, backprop, bytes| {
                    *bytes = postcard::to_extend(&action, core::mem::take(bytes))?;
                    stats.pack(&mut words);
                    backprop.pack(&mut words[P::Stats::WORDS..]);
                    words.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
                    Ok(())
                })
                .map_err(|error: postcard::Error| SaveError::value("an action", error))?;
            out.section(sections::BLOCKS, &bytes)?;
        }
        out.finish()
    }

    /// Reads and checks a file. The search stays as it is.
    fn read(&self, reader: impl Read, window: &str) -> Result<Loaded<G, P, R, B>, LoadError> {
        const { assert!(!G::IS_KEYED, "a search that shares positions cannot be loaded") };
        let mut input = Input::new(reader)?;
        self.compare(input.value(sections::SETTINGS)?, window)?;
        let position: Position<G> = input.value(sections::POSITION)?;
        let players = position.state.players();
        let has_players = (1..=MAX_PLAYERS).contains(&usize::from(players)) && position.chooser < players;
        let fits = has_players && position.moment < 1 << 62;
        unless(fits, sections::POSITION, "the root state and the player who acted last do not fit")?;
        let learned: (P::Learned, R::Learned, B::Learned) = input.value(sections::LEARNED)?;
        let wrong = |error: BoxError| LoadError::invalid(sections::LEARNED, error);
        self.tree_policy.check_learned(&learned.0).map_err(wrong)?;
        self.rollout_policy.check_learned(&learned.1).map_err(wrong)?;
        self.backprop.check_learned(&learned.2).map_err(wrong)?;
        let outline: Outline = input.value(sections::OUTLINE)?;
        let chunks = outline.chunks();
        let mut restored = Restored::new(outline);
        // While the file is read, there are two trees: the new one, and that of this search.
        let limit = match self.memory_limit {
            usize::MAX => usize::MAX,
            limit => limit.saturating_sub(self.tree.reserved_bytes()),
        };
        let mut words = Words::new();
        words.resize(P::Stats::WORDS + B::Stats::WORDS, 0);
        for _ in 0..chunks {
            let bytes = input.section(sections::BLOCKS)?;
            let rest = &mut &bytes[..];
            let fits = restored.read_chunk(rest, limit, |bytes| {
                let (action, rest) = postcard::take_from_bytes(bytes)
                    .map_err(|error| LoadError::invalid(sections::BLOCKS, error))?;
                let (first, rest) =
                    rest.split_at_checked(4 * words.len()).ok_or(Flaw("a chunk is too short"))?;
                *bytes = rest;
                for (word, bytes) in words.iter_mut().zip(first.chunks_exact(4)) {
                    *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                }
                let (stats, backprop) = words.split_at(P::Stats::WORDS);
                let are_sound = P::Stats::is_sound(stats) && B::Stats::is_sound(backprop);
                unless(are_sound, sections::BLOCKS, "the statistics of a node are not those of a search")?;
                Ok::<_, LoadError>((action, P::Stats::unpack(stats), B::Stats::unpack(backprop)))
            })?;
            if !fits {
                return Err(LoadError::MemoryLimit { limit: self.memory_limit });
            }
            unless(rest.is_empty(), sections::BLOCKS, "a chunk is too long")?;
        }
        input.finish()?;
        let tree = restored.finish()?;
        rules::check(&position.state, &tree)?;
        Ok(Loaded { position, learned, tree })
    }

    /// Compares the settings in a file with those of this search.
    fn compare(&self, saved: Vec<(String, String)>, window: &str) -> Result<(), LoadError> {
        let own = self.settings(window);
        let names =
            |settings: &[(String, String)]| settings.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        unless(names(&saved) == names(&own), sections::SETTINGS, "the settings have other names")?;
        match saved.into_iter().zip(own).find(|(saved, own)| saved != own) {
            None => Ok(()),
            Some(((name, saved), (_, search))) => Err(LoadError::Different { setting: name, saved, search }),
        }
    }

    fn replace(&mut self, loaded: Loaded<G, P, R, B>) {
        let Loaded { position, learned, tree } = loaded;
        let Position { state, chooser, rng, decision_seed, moment, salt } = position;
        self.players = state.players();
        (self.state, self.chooser, self.rng, self.salt) = (state, chooser, rng, salt);
        (self.decision_seed, self.moment, self.is_full) = (decision_seed, moment, false);
        self.tree_policy.restore(learned.0);
        self.rollout_policy.restore(learned.1);
        self.backprop.restore(learned.2);
        self.tree = tree;
    }
}

fn unless(holds: bool, part: sections::Tag, flaw: &'static str) -> Result<(), LoadError> {
    if holds { Ok(()) } else { Err(LoadError::invalid(part, flaw)) }
}

/// Returns the name of a type without the modules, which may move.
fn short_name(name: &str) -> String {
    let is_of_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let mut short = String::new();
    for piece in name.split_inclusive(|c: char| !is_of_path(c)) {
        short.push_str(piece.rsplit("::").next().unwrap_or(piece));
    }
    short
}

#[cfg(test)]
mod name_tests {
    use super::short_name;

    #[test]
    fn modules_are_no_part_of_the_name_of_a_game() {
        let long = "ramure::search::information_set::InformationSet<cards::whist::Whist<[u8; 4], (a::B, C)>>";
        assert_eq!(short_name(long), "InformationSet<Whist<[u8; 4], (B, C)>>");
        assert_eq!(short_name("Plain"), "Plain");
    }
}
