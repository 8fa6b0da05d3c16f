//! The saved form of one tree.

use crate::backpropagation::Backprop;
use crate::custom_error::BoxError;
use crate::game::{GameState, MAX_PLAYERS, Player, Rng};
use crate::iteration::root_actions::RootActions;
use crate::persist::Persist;
use crate::run::report::root_decision::RootDecision;
use crate::saved::sections::{self, Input, Output};
use crate::saved::{FileError, are_same, rules, short_name, unless};
use crate::search::one_tree::OneTree;
use crate::selection::{Measured, Spread, TreePolicy};
use crate::space::{ActionOf, Space};
use crate::statistics::Pack;
use crate::tree::{Outline, PositionsOutline, Restored, Tree};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::io::{Read, Write};

/// The state of the search itself, apart from its tree and its policies.
#[derive(Serialize, Deserialize)]
pub struct Position<S> {
    pub space: S,
    pub chooser: Player,
    rng: Rng,
    decision_seed: u64,
    moment: u64,
    salt: u64,
    /// The keys of the positions before the root, in a search that recognises positions.
    earlier: Vec<u128>,
}

/// What the three policies have learned.
type Learned<S, P, R, B> = (
    <P as Persist<<S as Space>::Game>>::Learned,
    <R as Persist<<S as Space>::Game>>::Learned,
    <B as Persist<<S as Space>::Game>>::Learned,
);

/// Everything that a search takes from a file, read and checked.
pub struct Loaded<
    S: Space,
    P: TreePolicy<S::Game> + Persist<S::Game>,
    R: Persist<S::Game>,
    B: Backprop<S::Game> + Persist<S::Game>,
> {
    pub position: Position<S>,
    spread: Spread,
    learned: Learned<S, P, R, B>,
    pub(crate) tree: Tree<ActionOf<S>, P::Stats, B::Stats>,
}

/// Where the root state comes from when a search is loaded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum RootState {
    /// The search has it. The file must have the same one.
    IsTheSame,
    /// The file has it.
    IsOfTheFile,
}

/// The statistics of a node as words, in a file.
type Words = SmallVec<[u32; 32]>;

impl<S, P, R, B> OneTree<S, P, R, B>
where
    S: Space + Serialize + DeserializeOwned,
    ActionOf<S>: Serialize + DeserializeOwned,
    P: TreePolicy<S::Game> + Persist<S::Game>,
    P::Stats: Pack,
    R: Persist<S::Game>,
    B: Backprop<S::Game> + Persist<S::Game>,
    B::Stats: Pack,
{
    /// Returns the settings that must be the same in a file and in the search that loads it, each with its
    /// name.
    pub(crate) fn settings(&self, more: &[(&'static str, &str)]) -> Vec<(String, String)> {
        self.settings_with(self.decision, more)
    }

    /// Returns the settings with this root decision.
    pub(crate) fn settings_with(
        &self,
        decision: Option<RootDecision>,
        more: &[(&'static str, &str)],
    ) -> Vec<(String, String)> {
        let [small, large, chunk] = Tree::<ActionOf<S>, P::Stats, B::Stats>::layout();
        let settings = [
            ("game", short_name(core::any::type_name::<S>())),
            ("tree policy", self.tree_policy.settings()),
            ("rollout policy", self.rollout_policy.settings()),
            ("backpropagation", self.backprop.settings()),
            ("expansion", format!("{:?}", self.expansion)),
            ("root decision", format!("{decision:?}")),
            ("layout of the tree", format!("{chunk} blocks of {small} or {large} bytes")),
        ];
        let more = more.iter().map(|&(name, setting)| (name, setting.to_owned()));
        settings.into_iter().chain(more).map(|(name, setting)| (name.to_owned(), setting)).collect()
    }

    /// Writes everything, with these settings, too.
    pub fn write_with(&self, writer: impl Write, more: &[(&'static str, &str)]) -> Result<(), FileError> {
        let mut out = Output::new(writer)?;
        out.value(sections::SETTINGS, &self.settings(more))?;
        self.write_parts(&mut out)?;
        out.finish()
    }

    /// Writes everything except the settings.
    pub(crate) fn write_parts(&self, out: &mut Output<impl Write>) -> Result<(), FileError> {
        let position = Position {
            space: &self.space,
            chooser: self.chooser,
            rng: self.rng.clone(),
            decision_seed: self.decision_seed,
            moment: self.moment,
            salt: self.salt,
            earlier: self.earlier.clone(),
        };
        out.value(sections::POSITION, &position)?;
        let state = self.space.root();
        let learned = (
            self.tree_policy.learned(state),
            self.rollout_policy.learned(state),
            self.backprop.learned(state),
        );
        out.value(sections::LEARNED, &(self.spread.measured(), learned))?;
        self.tree.free_the_rest();
        let outline = self.tree.outline();
        out.value(sections::OUTLINE, &outline)?;
        let positions = self.tree.shares().then(|| self.tree.positions_outline());
        if let Some(positions) = &positions {
            out.value(sections::GRAPH, positions)?;
        }
        let mut words = Words::new();
        words.resize(P::Stats::WORDS + B::Stats::WORDS, 0);
        let mut put = |action: ActionOf<S>, stats: P::Stats, backprop: B::Stats, bytes: &mut Vec<u8>| {
            *bytes = postcard::to_extend(&action, core::mem::take(bytes))?;
            stats.pack(&mut words);
            backprop.pack(&mut words[P::Stats::WORDS..]);
            words.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
            Ok(())
        };
        let failed = |error: postcard::Error| FileError::value("an action", error);
        let mut bytes = Vec::new();
        for number in 0..outline.chunks() {
            bytes.clear();
            self.tree.write_chunk(number, &mut bytes, &mut put).map_err(failed)?;
            out.section(sections::BLOCKS, &bytes)?;
        }
        for number in 0..positions.map_or(0, |positions| positions.sections()) {
            bytes.clear();
            self.tree.write_positions(number, &mut bytes, &mut put).map_err(failed)?;
            out.section(sections::SHARED, &bytes)?;
        }
        Ok(())
    }

    /// Reads and checks a file of a search with these settings, too. The search stays as it is.
    pub fn read_with(
        &self,
        reader: impl Read,
        more: &[(&'static str, &str)],
        root_state: RootState,
    ) -> Result<Loaded<S, P, R, B>, FileError> {
        let mut input = Input::new(reader)?;
        sections::compare(input.value(sections::SETTINGS)?, self.settings(more))?;
        // Until this search gives up its tree, there are two.
        let (room, limit) = (self.room_beside(self.memory_limit), self.memory_limit);
        let loaded = self.read_parts(&mut input, root_state, room, limit)?;
        input.finish()?;
        Ok(loaded)
    }

    /// Returns how many bytes are left of `limit` beside the tree of this search.
    pub(crate) fn room_beside(&self, limit: usize) -> usize {
        match limit {
            usize::MAX => usize::MAX,
            limit => limit.saturating_sub(self.bytes()),
        }
    }

    /// Reads and checks everything except the settings. The tree may take `room` bytes, because of the memory
    /// limit `limit`.
    pub(crate) fn read_parts(
        &self,
        input: &mut Input<impl Read>,
        root_state: RootState,
        room: usize,
        limit: usize,
    ) -> Result<Loaded<S, P, R, B>, FileError> {
        let mut position: Position<S> = input.value(sections::POSITION)?;
        // The search can still count from there without an overflow.
        position.moment = position.moment.min(1 << 62);
        let is_same = || are_same(&self.space.unscaled(), &position.space.unscaled());
        if root_state == RootState::IsTheSame && !is_same()? {
            return Err(FileError::OtherState);
        }
        let root = position.space.root();
        let players = root.players();
        let has_players = (1..=MAX_PLAYERS).contains(&usize::from(players)) && position.chooser < players;
        let is_line = position.earlier.is_sorted_by(|a, b| a < b)
            && (self.tree.shares() || position.earlier.is_empty());
        let fits = has_players && is_line;
        unless(fits, sections::POSITION, "the root state and the player who acted last do not fit")?;
        let (spread, learned): (Measured, Learned<S, P, R, B>) = input.value(sections::LEARNED)?;
        let spread = Spread::from_measured(spread).ok_or_else(|| {
            FileError::invalid(sections::LEARNED, "the spread of the rewards is not one of rewards in [0, 1]")
        })?;
        let wrong = |error: BoxError| FileError::invalid(sections::LEARNED, error);
        self.tree_policy.check_learned(root, &learned.0).map_err(wrong)?;
        self.rollout_policy.check_learned(root, &learned.1).map_err(wrong)?;
        self.backprop.check_learned(root, &learned.2).map_err(wrong)?;
        let outline: Outline = input.value(sections::OUTLINE)?;
        let chunks = outline.chunks();
        let positions: Option<PositionsOutline> =
            if self.tree.shares() { Some(input.value(sections::GRAPH)?) } else { None };
        let mut restored = Restored::new(outline, positions);
        let full = || FileError::MemoryLimit { limit };
        let mut words = Words::new();
        words.resize(P::Stats::WORDS + B::Stats::WORDS, 0);
        let mut take = |bytes: &mut &[u8], part: sections::Tag| {
            let (action, rest) =
                postcard::take_from_bytes(bytes).map_err(|error| FileError::invalid(part, error))?;
            let (first, rest) =
                rest.split_at_checked(4 * words.len()).ok_or(FileError::invalid(part, "it is too short"))?;
            *bytes = rest;
            for (word, bytes) in words.iter_mut().zip(first.chunks_exact(4)) {
                *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            }
            let (stats, backprop) = words.split_at(P::Stats::WORDS);
            let are_sound = P::Stats::is_sound(stats) && B::Stats::is_sound(backprop);
            unless(are_sound, part, "the statistics of a node are not those of a search")?;
            Ok::<_, FileError>((action, P::Stats::unpack(stats), B::Stats::unpack(backprop)))
        };
        for _ in 0..chunks {
            let bytes = input.section(sections::BLOCKS)?;
            let rest = &mut &bytes[..];
            if !restored.read_chunk(rest, room, |bytes| take(bytes, sections::BLOCKS))? {
                return Err(full());
            }
            unless(rest.is_empty(), sections::BLOCKS, "a chunk is too long")?;
        }
        for _ in 0..positions.map_or(0, |positions| positions.sections()) {
            let bytes = input.section(sections::SHARED)?;
            if !restored.read_positions(&mut &bytes[..], room, |bytes| take(bytes, sections::SHARED))? {
                return Err(full());
            }
        }
        let Some(tree) = restored.finish(room)? else { return Err(full()) };
        rules::check::<S, _, _>(root, position.chooser, position.salt, self.expansion.tries(), &tree)?;
        Ok(Loaded { position, spread, learned, tree })
    }

    /// Takes what was loaded.
    pub(crate) fn take(&mut self, loaded: Loaded<S, P, R, B>) {
        let Loaded { position, spread, learned, tree } = loaded;
        let Position { space, chooser, rng, decision_seed, moment, salt, earlier } = position;
        self.players = space.root().players();
        (self.space, self.chooser, self.rng, self.salt) = (space, chooser, rng, salt);
        self.earlier = earlier;
        self.root_actions = RootActions::default();
        (self.decision_seed, self.moment, self.is_full) = (decision_seed, moment, false);
        self.forget_plan();
        self.spread = spread;
        self.tree_policy.restore(learned.0);
        self.rollout_policy.restore(learned.1);
        self.backprop.restore(learned.2);
        self.tree = tree;
        self.states.clear();
    }
}
