//! [`Tuner`]: searches over all settings of a search.

use super::arena::{Arena, Playing};
use super::halving::{confirm, halve};
use super::ntuple::Model;
use super::space::{Point, Space};
use super::{Effort, Row, Tuning, TuningError};
use crate::contest::ContestError;
use crate::registry::Abilities;
use crate::{ReadError, Recipe, Registry};
use core::time::Duration;
use ramure::{GameState, Rng};
use std::collections::HashMap;

/// Finds a good search for a game of two players: tree policy, rollouts, backpropagation, their parameters,
/// and the settings of expansion, proofs and the final decision, all together, by games against the default.
///
/// It searches as the N-tuple bandit evolutionary algorithm does (Lucas, Liu and Perez-Liebana 2018,
/// algorithm 1; in Monte-Carlo tree search by Sironi, Liu and Winands 2020) for 3/5 of the games. The eight
/// best settings of its model then play by successive halving for a quarter, and the best of them plays fresh
/// games against the default.
///
/// On 24 landscapes drawn at random with as many parameters as this space, with single games as noise, it found
/// settings that win .92 of their games after 2 000 games, and .93 after 6 000. Successive halving of 64 and of
/// 256 random settings found .78 and .90, then .77 and .87 (26 November 2026).
///
/// ```
/// use ramure_games::TicTacToe; // your own game
/// use ramure_lab::Registry;
/// use ramure_lab::tuning::Tuner;
///
/// let known = Registry::new().with_numbers().with_evaluation();
/// let tuning = Tuner::new(TicTacToe::new(), &known, "mcts:20")?.games(200).run()?; // or minutes(10.0)
/// println!("{tuning}");
/// println!("{} or {:?}", tuning.best().agent, tuning.code);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tuner<G: GameState> {
    start: G,
    space: Space<G>,
    reference: Recipe<G>,
    effort: Effort,
    playing: Playing,
}

/// The settings evaluated at a time, so that as many threads are busy as half their games.
const BATCH: usize = 8;

/// The settings that play by successive halving.
const FINALISTS: usize = 8;

/// The shares of the effort at which the search ends, and successive halving.
const SEARCH_ENDS: f64 = 0.6;
const HALVING_ENDS: f64 = 0.85;

impl<G: GameState<Action: Send + Sync> + Send + 'static> Tuner<G> {
    /// Creates a tuner of the agent `default`, such as `mcts:1000` or `mcts:20ms`, over the words of the
    /// registry. What the text sets stays as it is: with `mcts:1000,solver=yes` every setting proves.
    ///
    /// # Errors
    ///
    /// Returns an error if the default cannot be read.
    pub fn new<A: Abilities<G>>(start: G, known: &Registry<G, A>, default: &str) -> Result<Self, ReadError> {
        let space = Space::new(known, default)?;
        let (reference, effort) = (space.default.clone(), Effort::Time(Duration::from_secs(600)));
        Ok(Tuner { start, space, reference, effort, playing: Playing::default() })
    }
}

impl<G: GameState + Sync> Tuner<G> {
    /// Ends after so many minutes of games. \[Default: 10\]
    pub fn minutes(mut self, minutes: f64) -> Self {
        // `run` refuses a time of 0, which stands here for all that are no durations.
        self.effort = Effort::Time(Duration::try_from_secs_f64(60.0 * minutes).unwrap_or_default());
        self
    }

    setters! {
        /// Ends after so many games, so that the result depends only on the seed, if no agent looks at the
        /// clock.
        games(games: u64) => effort = Effort::Games(games);

        /// Plays against this agent in place of the default.
        against(reference: Recipe<G>) => reference = reference;

        /// Sets how the games are played. \[Default: two random actions at the start, seed 0, all cores\]
        playing(playing: Playing) => playing = playing;
    }

    /// Plays all games. An agent that fails is not an error: it loses that game.
    ///
    /// # Errors
    ///
    /// Returns an error if the effort is nothing, if the game is not one of two players, breaks its contract
    /// or panics, if the reference fails, and if the file cannot be used. [`TuningError::Broken`] has what
    /// was found before.
    pub fn run(mut self) -> Result<Tuning, TuningError> {
        match self.effort {
            Effort::Games(0) => return Err(ContestError::NoGames.into()),
            Effort::Time(Duration::ZERO) => {
                return Err(TuningError::Setting("the time of a tuning must be above 0 minutes".into()));
            }
            _ => {}
        }
        let (space, reference) = (&mut self.space, &self.reference);
        let of = format!("settings of {} for {:?}", space.default.name(), self.effort);
        let mut arena = Arena::open(&self.start, reference, &self.playing, of, self.effort)?;
        let (points, searched) = search(space, &mut arena);
        let agents = points.iter().map(|point| space.recipe(point)).collect::<Result<Vec<_>, _>>()?;
        let mut tuning = Tuning::of(reference, &agents);
        tuning.searched = Some((searched.len(), arena.games));
        let mut round = 0.0;
        halve(&mut arena, &agents, &mut tuning, 1, |arena, agents| {
            round += 1.0;
            let rounds = libm::log2(FINALISTS as f64);
            let ends = SEARCH_ENDS + (HALVING_ENDS - SEARCH_ENDS) * (round / rounds);
            Some((arena.even_games_for(ends - arena.spent(), agents), ends))
        });
        if arena.is_stopped && tuning.rows.iter().all(|row| row.score.is_none()) {
            // It was stopped in the search, whose games say what is known.
            for (row, point) in tuning.rows.iter_mut().zip(&points) {
                *row = searched.get(point).unwrap_or(row).clone();
            }
            let of_rows: u64 = tuning.rows.iter().map(|row| u64::from(row.tally.games())).sum();
            tuning.searched = Some((searched.len(), arena.games - of_rows));
        }
        let best = &agents[tuning.best];
        if !arena.is_stopped && best.name() != reference.name() {
            let games = arena.even_games_for(1.0 - arena.spent(), 1);
            confirm(&mut arena, &mut tuning, std::slice::from_ref(best), games, 1.0);
        }
        tuning.code = space.code(&points[tuning.best]);
        tuning.ended(arena)
    }
}

/// Searches for 3/5 of the effort. Returns the settings with the greatest means of the model, the best first,
/// and the games of every setting that was tried.
fn search<G: GameState + Sync>(
    space: &mut Space<G>,
    arena: &mut Arena<'_, G>,
) -> (Vec<Point>, HashMap<Point, Row>) {
    let mut model = Model::new(space.sizes());
    let mut rng = Rng::seeded(arena.seed());
    let mut searched: HashMap<Point, Row> = HashMap::new();
    // The paper begins at random. The default is a better place than most.
    let default = vec![0; space.sizes().len()];
    let mut next = vec![default.clone()];
    while !arena.is_stopped && arena.spent() < SEARCH_ENDS {
        // The registry has read the words of these together. What it rejects nevertheless is left out.
        let mut current: Vec<(Point, Recipe<G>)> =
            next.into_iter().filter_map(|point| Some((point.clone(), space.recipe(&point).ok()?))).collect();
        if current.is_empty() {
            current.push((default.clone(), space.default.clone()));
        }
        let (points, agents): (Vec<Point>, Vec<Recipe<G>>) = current.into_iter().unzip();
        arena.play(&agents, 2, SEARCH_ENDS, |index, games| {
            let row = searched.entry(points[index].clone()).or_insert_with(|| Row::of(&agents[index]));
            row.add(games);
            for pair in &games.pairs {
                model.add(&points[index], pair.iter().sum::<f64>() / pair.len() as f64);
            }
        });
        next = model.next(&points, BATCH, &mut rng, |point| space.canonical(point));
    }
    let mut best = model.best(FINALISTS);
    if best.is_empty() {
        best.push(default);
    }
    (best, searched)
}
