//! Saved searches of [`PlayerTrees`].

use crate::backpropagation::Average;
use crate::game::{MAX_PLAYERS, Player};
use crate::persist::Persist;
use crate::run::report::root_decision::RootDecision;
use crate::saved::sections::{self, Input, Output};
use crate::saved::{FileError, Loaded, RootState, Save, are_same, unless};
use crate::search::engine::seats::Seats;
use crate::search::engine::seats::untold::Untold;
use crate::selection::TreePolicy;
use crate::space::seat::Seat;
use crate::space::{ActionOf, Space};
use crate::statistics::Pack;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};

/// The saved state of the game beside the trees: the state after the actions of the step that is under way,
/// what the players will see of them, and who has chosen.
#[derive(Serialize, Deserialize)]
struct Step<S, A> {
    trees: u8,
    space: S,
    seen: Vec<(Player, A)>,
    chosen: u64,
}

type LoadedTree<S, P, R> = Loaded<Seat<S>, P, R, Average>;

/// Everything that is taken from a file.
pub struct LoadedTrees<S, P, R>
where
    S: Space,
    P: TreePolicy<S::Game> + Persist<S::Game>,
    R: Persist<S::Game>,
{
    step: Step<S, ActionOf<S>>,
    trees: Vec<LoadedTree<S, P, R>>,
    /// How the action to play is chosen.
    decision: Option<RootDecision>,
}

impl<S, P, R> Save for Seats<S, P, R, ()>
where
    S: Space + Serialize + DeserializeOwned,
    ActionOf<S>: Serialize + DeserializeOwned,
    P: TreePolicy<S::Game> + Persist<S::Game>,
    P::Stats: Pack,
    R: Persist<S::Game>,
{
    type Loaded = LoadedTrees<S, P, R>;

    fn write(&mut self, writer: impl Write) -> Result<(), FileError> {
        self.place_again().map_err(FileError::search)?;
        let mut out = Output::new(writer)?;
        out.value(sections::SETTINGS, &settings(self))?;
        let (seen, chosen) = self.untold.parts();
        let step = Step { trees: self.searches.len() as u8, space: &self.space, seen: seen.to_vec(), chosen };
        out.value(sections::PLAYERS, &step)?;
        self.searches.iter().try_for_each(|search| search.write_parts(&mut out))?;
        out.finish()
    }

    fn read(&self, reader: impl Read, root_state: RootState) -> Result<LoadedTrees<S, P, R>, FileError> {
        let mut input = Input::new(reader)?;
        sections::compare(input.value(sections::SETTINGS)?, settings(self))?;
        let step: Step<S, ActionOf<S>> = input.value(sections::PLAYERS)?;
        let players = step.trees;
        let fits = usize::from(players) == self.searches.len() && usize::from(players) <= MAX_PLAYERS;
        unless(fits, sections::PLAYERS, "it has another number of trees")?;
        let is_same = root_state == RootState::IsOfTheFile || are_same(&self.space, &step.space)?;
        if !is_same {
            return Err(FileError::OtherState);
        }
        let untold = Untold::of_parts(step.seen.clone(), step.chosen);
        let fits = step.seen.iter().all(|&(observer, _)| observer < players)
            && step.chosen.checked_shr(players.into()).unwrap_or(0) == 0
            && (untold.is_in_step() || step.seen.is_empty())
            && (!untold.is_in_step() || untold.step_goes_on::<S>(step.space.root()));
        unless(fits, sections::PLAYERS, "the players are in no such step")?;
        let share = match self.memory_limit {
            usize::MAX => usize::MAX,
            limit => limit / self.searches.len(),
        };
        let mut trees: Vec<LoadedTree<S, P, R>> = Vec::new();
        for (owner, search) in (0..).zip(&self.searches) {
            let room = search.room_beside(share);
            let from = RootState::IsOfTheFile;
            let loaded = search.read_parts(&mut input, from, room, self.memory_limit)?;
            let fits = loaded.position.space.owner == owner;
            unless(fits, sections::POSITION, "a tree belongs to another player")?;
            trees.push(loaded);
        }
        input.finish()?;
        // The states of the trees follow from that of the first one.
        let root = trees[0].position.space.inner.clone();
        let fits = untold.is_in_step() || are_same(&root, &step.space)?;
        unless(fits, sections::PLAYERS, "the state is not the root")?;
        let places = self.places(&root).map_err(FileError::search)?;
        for (expected, tree) in places.seats.iter().zip(&trees) {
            let fits = are_same(&expected.inner, &tree.position.space.inner)?;
            unless(fits, sections::POSITION, "the root states of two trees do not fit")?;
        }
        Ok(LoadedTrees { step, trees, decision: places.decision })
    }

    fn replace(&mut self, loaded: LoadedTrees<S, P, R>) {
        let LoadedTrees { step, trees, decision } = loaded;
        for (search, tree) in self.searches.iter_mut().zip(trees) {
            search.take(tree);
            search.decision = decision;
        }
        self.untold = Untold::of_parts(step.seen, step.chosen);
        (self.space, self.unplaced) = (step.space, None);
    }
}

/// Returns the settings that must be the same in a file and in the search that loads it.
fn settings<S, P, R>(seats: &Seats<S, P, R, ()>) -> Vec<(String, String)>
where
    S: Space + Serialize + DeserializeOwned,
    ActionOf<S>: Serialize + DeserializeOwned,
    P: TreePolicy<S::Game, Stats: Pack> + Persist<S::Game>,
    R: Persist<S::Game>,
{
    let trees = format!("one for each of {} players", seats.searches.len());
    // The trees have a decision that follows from the state.
    seats.searches[0].settings_with(seats.decision, &[("window", "none"), ("trees", &trees)])
}
