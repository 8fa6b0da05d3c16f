//! The laws of all games together: every player gets to move, and not all results are equal.

use super::{Part, Rule, Site};
use crate::probe::{Breach, Probe};
use crate::walk::Walk;
use ramure::{GameState, Turn};

/// Fewer games are no evidence.
const GAMES: u32 = 16;

/// The games that are evidence: those with two turns of players or more per player. If the check starts near
/// the end of a game, a player may have no turn left, and one result may be the only one.
struct Evidence<G: GameState> {
    games: u32,
    /// The shortest of them.
    shortest: Option<Walk<G>>,
}

impl<G: GameState> Evidence<G> {
    const NONE: Self = Evidence { games: 0, shortest: None };

    /// Adds a game that has ended.
    fn add(&mut self, walk: &Walk<G>) {
        let is_turn = |turn| matches!(turn, Turn::Player(_));
        let turns = walk.positions().iter().filter(|position| is_turn(position.look.turn)).count();
        if turns < 2 * usize::from(walk.last().look.players) {
            return;
        }
        self.games += 1;
        if self.shortest.as_ref().is_none_or(|shortest| walk.len() < shortest.len()) {
            self.shortest = Some(walk.clone());
        }
    }

    /// Returns the shortest game, if there are enough games.
    fn take(&mut self) -> Option<Walk<G>> {
        self.shortest.take().filter(|_| self.games >= GAMES)
    }
}

/// Every player gets to move.
pub struct Moves<G: GameState> {
    evidence: Evidence<G>,
    /// Whether each player was to move in any state.
    has_moved: Vec<bool>,
}

impl<G: GameState> Moves<G> {
    pub fn new() -> Self {
        Moves { evidence: Evidence::NONE, has_moved: Vec::new() }
    }
}

impl<G: GameState> Rule<G> for Moves<G> {
    fn step(&mut self, site: &mut Site<'_, G>) -> Result<(), Breach> {
        let look = &site.here().look;
        self.has_moved.resize(self.has_moved.len().max(look.players.into()), false);
        if let Turn::Player(player) = look.turn
            && let Some(has_moved) = self.has_moved.get_mut(usize::from(player))
        {
            *has_moved = true;
        }
        Ok(())
    }

    fn end(&mut self, site: &mut Site<'_, G>) -> Result<(), Breach> {
        if site.part == Part::Game {
            self.evidence.add(site.walk);
        }
        Ok(())
    }

    fn finish(&mut self, _: &Probe) -> Result<(), (Walk<G>, Breach)> {
        let Some(idle) = self.has_moved.iter().position(|has_moved| !has_moved) else { return Ok(()) };
        let Some(walk) = self.evidence.take() else { return Ok(()) };
        let what = format!(
            "player {idle} is never to move, in none of {} games, of which this is the shortest; does `apply` pass the turn on? If a \
             player need not move, leave this law out: `without(Law::Moves)`",
            self.evidence.games
        );
        Err((walk, Breach::new(what)))
    }
}

/// Not all results are equal.
pub struct Results<G: GameState> {
    evidence: Evidence<G>,
    /// The rewards of the first game.
    first: Option<Vec<f64>>,
    differ: bool,
}

impl<G: GameState> Results<G> {
    pub fn new() -> Self {
        Results { evidence: Evidence::NONE, first: None, differ: false }
    }
}

impl<G: GameState> Rule<G> for Results<G> {
    fn end(&mut self, site: &mut Site<'_, G>) -> Result<(), Breach> {
        let look = &site.here().look;
        if look.is_over() {
            let first = self.first.get_or_insert_with(|| look.rewards.clone());
            self.differ |= *first != look.rewards;
            if site.part == Part::Game {
                self.evidence.add(site.walk);
            }
        }
        Ok(())
    }

    fn finish(&mut self, _: &Probe) -> Result<(), (Walk<G>, Breach)> {
        let (Some(rewards), false) = (&self.first, self.differ) else { return Ok(()) };
        let Some(walk) = self.evidence.take() else { return Ok(()) };
        let what = format!(
            "the rewards are {rewards:?} in each of {} games, of which this is the shortest, so a search learns nothing; does `reward` \
             look at the state and at the player? If random play always ends so, leave this law out: `without(Law::Results)`",
            self.evidence.games
        );
        Err((walk, Breach::new(what)))
    }
}
