//! Saved searches of a [`Forest`].

use crate::backpropagation::Backprop;
use crate::iteration::path::{BackpropStats, PolicyStats};
use crate::persist::Persist;
use crate::run::budget::StopReason;
use crate::run::counts::RunCounts;
use crate::saved::sections::{self, Input, Output};
use crate::saved::{FileError, Loaded, RootState, Save, are_same, unless};
use crate::search::engine::forest::ExchangeCounts;
use crate::search::engine::forest::crew::Member;
use crate::search::engine::forest::trunk::Trunk;
use crate::search::engine::forest::trunk::image::{Image, check_visits};
use crate::search::engine::forest::{Grove, MOST_TREES, seed_of};
use crate::search::engine::{Pace, Trees};
use crate::selection::TreePolicy;
use crate::simulation::RolloutPolicy;
use crate::space::{ActionOf, NodeKind, Space};
use crate::statistics::{Pack, Statistics};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{Read, Write};

/// The trunk of a search with these policies.
type TrunkOf<S, P, B> = Trunk<ActionOf<S>, PolicyStats<S, P>, BackpropStats<S, B>>;

/// What a file says of one tree.
type LoadedTree<S, P, R, B> = (Loaded<S, P, R, B>, TrunkOf<S, P, B>);

/// Everything that a forest takes from a file: the seed, and each tree with its trunk.
#[doc(hidden)]
pub struct LoadedForest<
    S: Space,
    P: TreePolicy<S::Game> + Persist<S::Game>,
    R: Persist<S::Game>,
    B: Backprop<S::Game> + Persist<S::Game>,
> {
    seed: u64,
    trees: Vec<LoadedTree<S, P, R, B>>,
}

impl<S, P, R, B, L> Save for Grove<S, P, R, B, L>
where
    S: Space + Serialize + DeserializeOwned,
    ActionOf<S>: Serialize + DeserializeOwned,
    P: TreePolicy<S::Game> + Persist<S::Game> + Clone,
    P::Stats: Pack + Statistics<S::Game, R>,
    R: RolloutPolicy<S::Game> + Persist<S::Game> + Clone,
    B: Backprop<S::Game> + Persist<S::Game> + Clone,
    B::Stats: Pack,
    L: Pace<S, P, R, B>,
{
    type Loaded = LoadedForest<S, P, R, B>;

    /// Writes all trees, and what they told each other.
    fn write(&mut self, writer: impl Write) -> Result<(), FileError> {
        const { assert!(!S::ARE_POSITIONS, "several trees that share positions cannot be saved") };
        self.agree();
        let mut out = Output::new(writer)?;
        out.value(sections::SETTINGS, &settings(self))?;
        out.value(sections::FOREST, &(self.members.len() as u32, self.seed))?;
        for member in &self.members {
            member.search.write_parts(&mut out)?;
            out.value(sections::TRUNK, &member.trunk.image())?;
        }
        out.finish()
    }

    fn read(&self, reader: impl Read, root_state: RootState) -> Result<LoadedForest<S, P, R, B>, FileError> {
        const { assert!(!S::ARE_POSITIONS, "several trees that share positions cannot be loaded") };
        let mut input = Input::new(reader)?;
        sections::compare(input.value(sections::SETTINGS)?, settings(self))?;
        let (count, seed): (u32, u64) = input.value(sections::FOREST)?;
        let fits = (1..=self.forest.trees.clamp(1, MOST_TREES)).contains(&(count as usize));
        unless(fits, sections::FOREST, "it has more trees than the search, or none")?;
        let share = self.equal_limits().tree;
        let mut trees: Vec<LoadedTree<S, P, R, B>> = Vec::new();
        let mut images: Vec<Image> = Vec::new();
        let mut news = Vec::new();
        for number in 0..count as usize {
            let own = self.members.get(number);
            let room = own.map_or(share, |member| member.search.room_beside(share));
            let from = if number == 0 { root_state } else { RootState::IsOfTheFile };
            let loaded = self.first().read_parts(&mut input, from, room, self.memory_limit)?;
            let image: Image = input.value(sections::TRUNK)?;
            if let (Some((first, _)), Some(trunk)) = (trees.first(), images.first()) {
                let agree = are_same(&first.position.space, &loaded.position.space)?
                    && first.position.chooser == loaded.position.chooser
                    && image.agrees_with(trunk);
                unless(agree, sections::TRUNK, "the trees do not agree")?;
            }
            news.resize(image.visits().len(), 0);
            let state = loaded.position.space.root();
            let trunk = Trunk::of_image::<S>(
                &image,
                state,
                loaded.position.chooser,
                &loaded.tree,
                B::DERIVES,
                &mut news,
            )
            .map_err(|flaw| FileError::invalid(sections::TRUNK, flaw.0))?;
            images.push(image);
            trees.push((loaded, trunk));
        }
        let shared = images.first().map(Image::visits).unwrap_or_default();
        check_visits(&shared, &news).map_err(|flaw| FileError::invalid(sections::TRUNK, flaw.0))?;
        input.finish()?;
        Ok(LoadedForest { seed, trees })
    }

    fn replace(&mut self, loaded: LoadedForest<S, P, R, B>) {
        let LoadedForest { seed, trees } = loaded;
        let policies = self.policies.take().unwrap_or_else(|| self.first().policies());
        self.members.truncate(trees.len());
        for number in self.members.len()..trees.len() {
            self.members.push(Member::new(self.first().sibling(&policies, seed_of(seed, number))));
        }
        self.policies = Some(policies);
        self.joined = trees.len();
        for (member, (loaded, trunk)) in self.members.iter_mut().zip(trees) {
            member.search.take(loaded);
            member.trunk = trunk;
            (member.counts, member.broken) = (RunCounts::new(StopReason::NotRun), None);
        }
        (self.seed, self.exchanges, self.is_consistent) = (seed, ExchangeCounts::default(), true);
    }
}

/// Returns the settings that must be the same in a file and in the forest that loads it.
fn settings<S, P, R, B, L>(grove: &Grove<S, P, R, B, L>) -> Vec<(String, String)>
where
    S: Space + Serialize + DeserializeOwned,
    ActionOf<S>: Serialize + DeserializeOwned,
    P: TreePolicy<S::Game, Stats: Pack + Statistics<S::Game, R>> + Persist<S::Game>,
    R: RolloutPolicy<S::Game> + Persist<S::Game>,
    B: Backprop<S::Game, Stats: Pack> + Persist<S::Game>,
    L: Pace<S, P, R, B>,
{
    let (window, trees, exchange) =
        (grove.forest.each.setting(), grove.forest.trees.to_string(), format!("{:?}", grove.forest.exchange));
    grove.first().settings(&[("window", &window), ("trees", &trees), ("exchange", &exchange)])
}
