//! [`Round`]: games that a training needs, which any process can play.

use super::play::{Match, Record, plain, with_network};
use super::settings::Settings;
use super::{Game, TrainError, rng};
use crate::Network;
use ramure::GameState;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;

/// The least and the greatest number of random actions with which a game against the best network begins.
const GATE_OPENINGS: RangeInclusive<u32> = 2..=4;

/// The purpose of games. The numbers tell their random numbers from those of [`super::WEIGHTS`] and
/// [`super::LEARNING`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Kind {
    /// To learn from.
    SelfPlay = 1,
    /// The latest network, the first one, against the best, the second one.
    Gate = 3,
    /// A network against the plain search.
    Evaluation = 4,
}

/// The inputs of the games of a round, besides the start of the game.
#[derive(Serialize, Deserialize)]
pub(crate) struct Terms {
    pub kind: Kind,
    pub settings: Settings,
    pub iteration: u64,
    /// The networks as ONNX files.
    pub networks: Vec<Vec<u8>>,
}

/// Games that a training needs at one time, of self-play or of a match.
/// [`Trainer::iterate_with`](super::Trainer::iterate_with) has an example.
///
/// The games are independent. Each depends on the round and its own number alone, so it does not matter which
/// process plays it, or when.
pub struct Round<G: GameState> {
    start: G,
    terms: Terms,
    networks: Vec<Network<G>>,
}

/// A game that was played for a training, with what was found in its positions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Played {
    /// The number of the game in its round.
    pub(crate) number: usize,
    pub(crate) record: Record,
    /// The positions that networks evaluated.
    pub(crate) evaluations: u64,
}

impl<G: GameState> fmt::Debug for Round<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Terms { kind, iteration, .. } = self.terms;
        f.debug_struct("Round").field("kind", &kind).field("iteration", &iteration).finish_non_exhaustive()
    }
}

impl<G: Game> Round<G> {
    pub(super) fn of(start: G, terms: Terms) -> Result<Self, TrainError> {
        let networks = terms.networks.iter().map(|bytes| Network::from_bytes(bytes, &start));
        Ok(Round { networks: networks.collect::<Result<_, _>>()?, start, terms })
    }

    /// Returns the number of games. Their numbers are the smaller ones, from 0.
    pub fn games(&self) -> usize {
        let Settings { games, gate_games, evaluation_games, .. } = self.terms.settings;
        match self.terms.kind {
            Kind::SelfPlay => games,
            Kind::Gate => self.rounded(gate_games),
            Kind::Evaluation => self.rounded(evaluation_games),
        }
    }

    /// Rounds a number of games up, so that all seats are taken equally often.
    fn rounded(&self, games: usize) -> usize {
        games.max(1).next_multiple_of(self.start.players().max(1).into())
    }

    /// Plays the game of this number.
    ///
    /// # Errors
    ///
    /// Returns a [`TrainError`] if the game breaks its rules, or a search fails.
    pub fn play(&self, number: usize) -> Result<Played, TrainError> {
        let (start, settings) = (&self.start, &self.terms.settings);
        let networks = Vec::from_iter(self.networks.iter().map(Network::counted_anew));
        let search = |network: usize, iterations, noise| {
            with_network(&networks[network], start, settings, iterations, noise)
        };
        let (kind, iterations) = (self.terms.kind, settings.search_iterations);
        let mut searchers = match kind {
            Kind::SelfPlay => vec![search(0, iterations, 1.0)],
            Kind::Gate => vec![search(0, iterations, 0.0), search(1, iterations, 0.0)],
            Kind::Evaluation => {
                let first = search(0, settings.evaluation_iterations, 0.0);
                vec![first, plain(start, settings.opponent_iterations)]
            }
        };
        let is_match = kind != Kind::SelfPlay;
        let game = Match { settings, openings: self.openings(), explores: !is_match };
        // Games in a round of seats share an opening.
        let (opening, seat) = self.opening_and_seat(number);
        let mut rng = self.rng(if is_match { opening } else { number });
        let place = |player| usize::from(is_match && usize::from(player) != seat);
        let mut record = game.play(start, &mut searchers, place, &mut rng)?;
        if is_match {
            record.targets.clear(); // nobody learns from them
        }
        Ok(Played {
            number,
            record,
            evaluations: networks.iter().map(|network| network.counts().evaluated).sum(),
        })
    }

    /// Returns the numbers of random actions with which games may begin.
    pub(super) fn openings(&self) -> RangeInclusive<u32> {
        let most = self.terms.settings.openings;
        match self.terms.kind {
            // Two networks that play as well as they can play the same game each time.
            Kind::Gate => *GATE_OPENINGS.start()..=most.max(*GATE_OPENINGS.end()),
            Kind::SelfPlay | Kind::Evaluation => 0..=most,
        }
    }

    /// Returns the number of the opening of a game of a match, and the seat of the first searcher. The second
    /// one has all other seats.
    fn opening_and_seat(&self, number: usize) -> (usize, usize) {
        let players = usize::from(self.start.players().max(1));
        (number / players, number % players)
    }

    /// Returns the rewards of the first searcher, and the sum of those of all players, from the games of a
    /// match in the order of their numbers.
    pub(crate) fn rewards(&self, played: &[Played]) -> Result<Vec<(f64, f64)>, TrainError> {
        let rewards = played.iter().enumerate().map(|(number, played)| {
            let rewards = &played.record.rewards;
            let own = rewards.get(self.opening_and_seat(number).1);
            let own = own.ok_or_else(|| wrong("a game has rewards for fewer players than the rules"))?;
            Ok((f64::from(*own), rewards.iter().map(|&reward| f64::from(reward)).sum()))
        });
        rewards.collect()
    }

    /// Returns the round as bytes, for a process that has the start of the game. Most of them are the
    /// networks.
    ///
    /// # Errors
    ///
    /// Returns [`TrainError::Round`] if the memory is not enough.
    pub fn to_bytes(&self) -> Result<Vec<u8>, TrainError> {
        postcard::to_allocvec(&self.terms).map_err(|error| wrong(&error.to_string()))
    }

    /// Returns the round that another process wrote as `bytes`. `start` must be the state with which the
    /// training began.
    ///
    /// # Errors
    ///
    /// Returns [`TrainError::Round`] if these are not the bytes of a round, and [`TrainError::Network`] if
    /// its networks are of another game.
    pub fn from_bytes(bytes: &[u8], start: G) -> Result<Self, TrainError> {
        let terms: Terms = postcard::from_bytes(bytes).map_err(|error| wrong(&error.to_string()))?;
        terms.settings.check()?;
        if terms.networks.len() != if terms.kind == Kind::Gate { 2 } else { 1 } {
            return Err(wrong("it has a wrong number of networks"));
        }
        Self::of(start, terms)
    }

    pub(super) fn rng(&self, number: usize) -> ramure::Rng {
        let Terms { kind, settings, iteration, .. } = &self.terms;
        rng(settings, *kind as u8, *iteration, number)
    }
}

/// The error of a round that another process sent, or of games that do not belong to it.
pub(crate) fn wrong(reason: &str) -> TrainError {
    TrainError::Round { reason: reason.into() }
}
