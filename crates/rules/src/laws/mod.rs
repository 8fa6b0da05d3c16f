//! The laws, each as a rule that inspects a line of play while it grows. Rules make every call into the game
//! through the probe. Uses the rest of `rules`, and `game`.

mod actions;
mod along;
mod announced;
mod chance;
mod draws;
mod ends;
mod equality;
mod fair;
mod futures;
mod guesses;
mod guesses_fair;
mod keys;
mod options;
mod rollout;
mod search;
mod states;
mod together;
mod twin;
mod ways;

pub(super) use announced::Announced;
pub(super) use equality::equality;
pub(super) use guesses::Guesses;
pub(super) use guesses_fair::GuessesFair;
pub(super) use keys::keys;
pub(super) use options::serde;
pub(super) use options::{action_text, constant_sum, evaluation, indices, invariant, symmetry, text, winner};
pub(super) use search::{MOST_ACTIONS, blocks_loss, finds_win};
pub(super) use twin::twin;

use super::law::Law;
use super::probe::{Breach, Probe};
use super::walk::{Position, Walk};
use core::fmt::Debug;
use ramure::{GameState, Rng};

/// Why the rules inspect a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// The check goes through all short lines.
    BreadthFirst,
    /// The check plays a random game.
    Game,
    /// A line that broke a law is being shortened. Rules that skip some positions for speed now inspect all.
    Shortening,
}

/// The line that a rule inspects.
pub(super) struct Site<'a, G: GameState> {
    pub walk: &'a Walk<G>,
    pub probe: &'a Probe,
    /// Yields the same numbers whenever this line is inspected for the same reason.
    pub rng: Rng,
    pub part: Part,
}

impl<G: GameState> Site<'_, G> {
    /// The position at the end of the line.
    pub fn here(&self) -> &Position<G> {
        self.walk.last()
    }

    /// Whether to inspect this position with a test that is too expensive for all positions of all games:
    /// true for one in `n` of them.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.part != Part::Game || self.rng.below(n) == 0
    }
}

/// A law in code.
pub(super) trait Rule<G: GameState> {
    /// Checks the law at the end of a line, which has just grown by one action.
    fn step(&mut self, _: &mut Site<'_, G>) -> Result<(), Breach> {
        Ok(())
    }

    /// Called when the line does not go on.
    fn end(&mut self, _: &mut Site<'_, G>) -> Result<(), Breach> {
        Ok(())
    }

    /// Called when all lines have been played. A breach found here comes with its line, and is not shortened.
    fn finish(&mut self, _: &Probe) -> Result<(), (Walk<G>, Breach)> {
        Ok(())
    }
}

/// A law of single positions.
impl<G: GameState, F: FnMut(&mut Site<'_, G>) -> Result<(), Breach>> Rule<G> for F {
    fn step(&mut self, site: &mut Site<'_, G>) -> Result<(), Breach> {
        self(site)
    }
}

/// A law that is checked, and its rule.
pub(super) type Asked<G> = (Law, Box<dyn Rule<G>>);

/// Returns the laws of every game.
pub(super) fn of_every_game<G: GameState + Debug + 'static>(longest: usize) -> Vec<Asked<G>> {
    vec![
        (Law::Calls, Box::new(actions::calls)),
        (Law::Clones, Box::new(states::Clones)),
        (Law::Turns, Box::new(states::turns)),
        (Law::Unique, Box::new(actions::unique)),
        (Law::Order, Box::new(actions::order)),
        (Law::Sizes, Box::new(actions::sizes)),
        (Law::Running, Box::new(actions::running)),
        (Law::Legal, Box::new(actions::legal)),
        (Law::Replay, Box::new(states::Replay)),
        (Law::Rewards, Box::new(ends::rewards)),
        (Law::Ends, Box::new(ends::Ends::new(longest))),
        (Law::Probabilities, Box::new(chance::probabilities)),
        (Law::RandomLegal, Box::new(chance::random_legal)),
        (Law::RandomFair, Box::new(fair::RandomFair::new())),
        (Law::RandomRollout, Box::new(rollout::RandomRollout::default())),
        (Law::Moves, Box::new(together::Moves::new())),
        (Law::Results, Box::new(together::Results::new())),
    ]
}
