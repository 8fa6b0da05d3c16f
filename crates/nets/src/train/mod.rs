//! Training: networks that learn a game from nothing but its rules.
//!
//! A [`Trainer`] repeats three things: games of self-play with the best network so far, steps of the
//! optimiser on their positions, and, now and then, matches that measure the network. It works for any game
//! that implements [`Planes`].
//!
//! ```
//! use ramure_games::TicTacToe;
//! use ramure_nets::train::{Settings, Trainer};
//!
//! let mut settings = Settings::default();
//! (settings.blocks, settings.filters, settings.hidden) = (1, 8, 8); // a tiny network
//! (settings.games, settings.search_iterations, settings.batch) = (4, 8, 16); // and a short training
//! let mut trainer = Trainer::new(TicTacToe::new(), settings)?.symmetries();
//! for _ in 0..2 {
//!     println!("{}", trainer.iterate(&|_| ())?);
//! }
//! let network = trainer.network()?; // for searches
//! assert!(!trainer.onnx().is_empty()); // the same, as the bytes of a file
//! # let _ = network;
//! # Ok::<(), ramure_nets::train::TrainError>(())
//! ```
//!
//! The network is a residual tower: a convolution, [`blocks`](Settings::blocks) of two, and two heads. A game
//! whose [shape](Planes::shape) is a list of features has a tower of matrices instead. The value head has one
//! column for one or two players, and one per player for more. The rewards of two players must sum to 1.
//!
//! # Determinism
//!
//! The seed fixes a training on one machine, to the bit, for any number of threads: each game draws from its
//! own generator and is played by one thread. A training that is continued from a [checkpoint](Trainer::save)
//! continues with the same games. [Several processes](Trainer::iterate_with) can play them. Another processor
//! rounds differently, and plays other games.

mod adam;
mod checkpoint;
mod convolution;
mod error;
mod onnx;
mod play;
mod replay;
mod report;
mod round;
mod settings;
#[cfg(test)]
mod tests;
mod threads;
mod tower;

pub use checkpoint::replace_file;
pub use error::TrainError;
pub use report::{Iteration, Progress, Score};
pub use round::{Played, Round};
pub use settings::{Method, Settings};

use crate::check::Contract;
use crate::network::Symmetries;
use crate::{Network, Planes};
use adam::Adam;
use candle_core::{Device, Tensor, Var};
use checkpoint::Checkpoint;
use ramure::{GameState, Rng, Symmetric, Turn, hash_key};
use replay::Replay;
use round::{Kind, Terms, wrong};
use std::fmt;
use std::num::NonZero;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};
use threads::side_by_side;
use tower::{Plan, Tower, losses};

/// A loss from which the training has exploded: a policy that gives the right action e^-1000.
const LARGEST_LOSS: f32 = 1000.0;
/// The greatest number of numbers that a step may keep: sixteen gibibytes.
const MOST_NUMBERS: usize = 1 << 32;

/// A game that can be trained: [`Planes`], whose states and actions go from thread to thread.
///
/// Every type that fits has this trait.
pub trait Game: Planes<Action: Send + Sync> + Send + Sync {}

impl<G: Planes<Action: Send + Sync> + Send + Sync> Game for G {}

/// Plays all games of a round, and calls the second argument with the number of finished games.
pub type PlayRound<'a, G, E> = dyn FnMut(&Round<G>, &(dyn Fn(usize) + Sync)) -> Result<Vec<Played>, E> + 'a;

/// The random numbers of the first weights, and of the positions to learn from. [`Kind`] has those of games.
const WEIGHTS: u8 = 0;
const LEARNING: u8 = 2;

/// Trains a network for a game. See the [module](self) for an example.
pub struct Trainer<G: GameState> {
    start: G,
    settings: Settings,
    contract: Contract,
    plan: Plan,
    symmetries: Symmetries<G>,
    threads: NonZero<usize>,
    iteration: u64,
    positions: u64,
    weights: Vec<Var>,
    adam: Adam,
    /// The running mean of the weights.
    average: Vec<Tensor>,
    /// Whether an iteration ended in an error, so that what is here belongs to no iteration.
    is_broken: bool,
    /// The weights that play.
    best: Vec<Vec<f32>>,
    replay: Replay<G>,
}

impl<G: GameState> fmt::Debug for Trainer<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trainer")
            .field("settings", &self.settings)
            .field("game", &self.contract)
            .field("iteration", &self.iteration)
            .field("positions", &self.positions)
            .finish_non_exhaustive()
    }
}

impl<G: Game> Trainer<G> {
    /// Prepares a training for games that begin in `start`, with a network of random weights.
    ///
    /// # Errors
    ///
    /// Returns [`TrainError::Setting`] if a setting is out of its range, and [`TrainError::Network`] if
    /// networks cannot play the game, for example because its input is empty.
    pub fn new(start: G, settings: Settings) -> Result<Self, TrainError> {
        settings.check()?;
        if start.turn() == Turn::Over {
            return Err(TrainError::Game { reason: "its first state is already over" });
        }
        let contract = Contract::of(&start);
        let plan = Plan::new(&contract, &settings);
        let numbers_kept = plan.numbers_kept(settings.batch);
        if numbers_kept > MOST_NUMBERS {
            return Err(TrainError::TooLarge { numbers: numbers_kept, limit: MOST_NUMBERS });
        }
        let weights = plan.first_weights(&mut rng(&settings, WEIGHTS, 0, 0))?;
        let average =
            weights.iter().map(|weight| weight.as_detached_tensor().copy()).collect::<Result<Vec<_>, _>>()?;
        let best = numbers(&average)?;
        let adam = Adam::new(&weights)?;
        let trainer = Trainer {
            symmetries: Symmetries::none(),
            threads: thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN),
            iteration: 0,
            positions: 0,
            replay: Replay::new(),
            start,
            settings,
            contract,
            plan,
            weights,
            adam,
            average,
            is_broken: false,
            best,
        };
        trainer.network()?;
        Ok(trainer)
    }

    /// Trains on each position in a random orientation. \[Default: as it was played\]
    #[must_use]
    pub fn symmetries(mut self) -> Self
    where
        G: Symmetric,
    {
        self.symmetries = Symmetries::of_game();
        self
    }

    /// Sets the number of threads that play games. The results are the same for any number. \[Default: one
    /// for each core\]
    #[must_use]
    pub fn threads(mut self, threads: NonZero<usize>) -> Self {
        self.threads = threads;
        self
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the number of iterations so far.
    pub fn iterations(&self) -> u64 {
        self.iteration
    }

    /// Returns the best network so far.
    ///
    /// # Errors
    ///
    /// Returns [`TrainError::Network`] if the inference library refuses it.
    pub fn network(&self) -> Result<Network<G>, TrainError> {
        Ok(Network::from_bytes(&self.onnx(), &self.start)?)
    }

    /// Returns the best network so far, as the bytes of an ONNX file.
    pub fn onnx(&self) -> Vec<u8> {
        onnx::onnx(&self.plan, &self.best)
    }

    /// Plays, learns and measures: one iteration of the training. Calls `progress` now and then, from several
    /// threads.
    ///
    /// # Errors
    ///
    /// Returns a [`TrainError`] if a game breaks its rules, a search fails, or the loss is no longer finite.
    /// After an error, continue from the last checkpoint.
    pub fn iterate(&mut self, progress: &(dyn Fn(Progress) + Sync)) -> Result<Iteration, TrainError> {
        let threads = self.threads;
        self.iterate_with(
            &mut |round, done| side_by_side(threads, round.games(), &|number| round.play(number), done),
            progress,
        )
    }

    /// Does as [`iterate`](Self::iterate), but lets `play` play the games, for example in several processes.
    /// The result is the same.
    ///
    /// Each iteration needs a [`Round`] of self-play, and now and then one or two of matches. `play` returns
    /// all games of a round in the order of their numbers. It may call its second argument with the number of
    /// games that are over.
    ///
    /// ```
    /// use ramure_games::TicTacToe;
    /// use ramure_nets::train::{Round, Settings, TrainError, Trainer};
    ///
    /// # let mut settings = Settings::default();
    /// # (settings.blocks, settings.filters, settings.hidden) = (1, 8, 8);
    /// # (settings.games, settings.search_iterations, settings.batch) = (4, 8, 16);
    /// let mut trainer = Trainer::new(TicTacToe::new(), settings)?;
    /// let iteration = trainer.iterate_with::<TrainError>(
    ///     &mut |round, _| {
    ///         // The bytes can go to another process, and the games can come back: both work with serde.
    ///         let there = Round::from_bytes(&round.to_bytes()?, TicTacToe::new())?;
    ///         (0..there.games()).map(|number| there.play(number)).collect()
    ///     },
    ///     &|_| (),
    /// )?;
    /// println!("{iteration}");
    /// # Ok::<(), TrainError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of [`iterate`](Self::iterate) and of `play`, and [`TrainError::Round`] if `play`
    /// does not return the games of the round in the order of their numbers.
    pub fn iterate_with<E: From<TrainError>>(
        &mut self,
        play: &mut PlayRound<'_, G, E>,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Iteration, E> {
        self.is_broken = true;
        self.iteration += 1;
        let clock = Instant::now();
        let best = self.onnx();
        let (_, played) = self.round(Kind::SelfPlay, vec![best.clone()], play, progress)?;
        let count = |played: &[Played]| played.iter().map(|played| played.evaluations).sum::<u64>();
        let (games, mut evaluations) = (played.len(), count(&played));
        let actions =
            played.iter().map(|played| played.record.actions.len()).sum::<usize>() as f64 / games as f64;
        let mut positions = 0;
        for Played { record, .. } in played {
            let added = self.replay.add(&self.start, record, self.settings.replay);
            positions += added.ok_or(TrainError::Game { reason: "the same actions led to another end, or the number of players changed: the result of `apply` must depend on the state and the action alone" })?;
        }
        self.positions += positions as u64;
        let play_time = clock.elapsed();
        let losses = self.learn(positions, progress)?;
        let training_time = clock.elapsed() - play_time;
        let candidate = numbers(&self.average)?;
        let is_due = |every| every > 0 && self.iteration.is_multiple_of(every);
        let has_gate = self.contract.players > 1 && self.settings.gate_every > 0;
        let gate = if has_gate && is_due(self.settings.gate_every) {
            let networks = vec![onnx::onnx(&self.plan, &candidate), best];
            let (round, played) = self.round(Kind::Gate, networks, play, progress)?;
            evaluations += count(&played);
            Some(self.gate(&round.rewards(&played)?))
        } else {
            None
        };
        // Until the first match, the latest network plays: the first one is random.
        let is_before = !has_gate || self.iteration < self.settings.gate_every;
        let is_best = gate.map_or(is_before, |(_, multiple)| multiple >= self.settings.gate_score);
        if is_best {
            self.best = candidate;
        }
        let evaluation = if is_due(self.settings.evaluate_every) {
            let (round, played) = self.round(Kind::Evaluation, vec![self.onnx()], play, progress)?;
            evaluations += count(&played);
            Some(Score::of(&Vec::from_iter(round.rewards(&played)?.into_iter().map(|(own, _)| own))))
        } else {
            None
        };
        let match_time = clock.elapsed() - play_time - training_time;
        let seconds = |time: Duration| time.as_secs_f64();
        self.is_broken = false;
        Ok(Iteration {
            iteration: self.iteration,
            games,
            positions,
            total_positions: self.positions,
            actions,
            steps: self.adam.steps,
            policy_loss: losses.map(|losses| losses.0),
            value_loss: losses.map(|losses| losses.1),
            gate: gate.map(|(score, _)| score),
            is_best,
            evaluation,
            evaluations,
            play_seconds: seconds(play_time),
            training_seconds: seconds(training_time),
            match_seconds: seconds(match_time),
        })
    }

    /// Returns the score of the latest network against the best one so far, and this as a multiple of what
    /// all players got on average.
    fn gate(&self, rewards: &[(f64, f64)]) -> (Score, f64) {
        let own: Vec<f64> = rewards.iter().map(|&(own, _)| own).collect();
        let all: f64 = rewards.iter().map(|&(_, all)| all).sum();
        let multiple = own.iter().sum::<f64>() * f64::from(self.contract.players) / all;
        // Where nobody ever gets a reward, the networks are equal.
        (Score::of(&own), if all > 0.0 { multiple } else { 1.0 })
    }

    /// Makes the steps that are due after so many new positions. Returns the mean losses.
    fn learn(
        &mut self,
        positions: usize,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Option<(f64, f64)>, TrainError> {
        let Settings { batch, reuse, learning_rate, weight_decay, averaging, .. } = self.settings;
        let steps = (positions as f64 * f64::from(reuse) / batch as f64).ceil() as usize;
        if self.replay.len() == 0 || steps == 0 {
            return Ok(None);
        }
        let tower = Tower::new(self.plan);
        let mut rng = rng(&self.settings, LEARNING, self.iteration, 0);
        let (mut sums, mut last) = ((0.0, 0.0), (0.0, 0.0));
        for step in 1..=steps {
            let drawn =
                self.replay.draw(&self.contract, self.plan.values, &self.symmetries, batch, &mut rng)?;
            let output = tower.forward(&self.weights, drawn.input)?;
            let (policy, value) = losses(output, &drawn.policy, &drawn.mask, &drawn.value)?;
            let found = (policy.to_scalar::<f32>()?, value.to_scalar::<f32>()?);
            let loss = found.0 + found.1;
            if !loss.is_finite() || loss > LARGEST_LOSS {
                return Err(TrainError::Exploded { step: self.adam.steps, policy: found.0, value: found.1 });
            }
            let gradients = (policy + value)?.backward()?;
            self.adam.step(&self.weights, &gradients, learning_rate, weight_decay)?;
            // The first weights count no longer than they would in a mean of all.
            let steps_so_far = self.adam.steps as f64;
            let averaging = averaging.min((1.0 + steps_so_far) / (10.0 + steps_so_far));
            for (average, weight) in self.average.iter_mut().zip(&self.weights) {
                *average = ((&*average * averaging)? + (weight.as_detached_tensor() * (1.0 - averaging))?)?;
            }
            last = found;
            sums = (sums.0 + f64::from(found.0), sums.1 + f64::from(found.1));
            progress(Progress::Training { done: step, of: steps });
        }
        // What is saved must be able to play.
        let file = onnx::onnx(&self.plan, &numbers(&self.average)?);
        let output = Network::from_bytes(&file, &self.start)
            .map(|network| network.outputs(std::slice::from_ref(&self.start)));
        let is_finite = matches!(output, Ok(Ok(outputs)) if outputs.iter().all(|output| {
            output.policy.iter().chain(&output.value).all(|number| number.is_finite())
        }));
        if !is_finite {
            return Err(TrainError::Exploded { step: self.adam.steps, policy: last.0, value: last.1 });
        }
        Ok(Some((sums.0 / steps as f64, sums.1 / steps as f64)))
    }

    /// Lets `play` play a round of games.
    fn round<E: From<TrainError>>(
        &self,
        kind: Kind,
        networks: Vec<Vec<u8>>,
        play: &mut PlayRound<'_, G, E>,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<(Round<G>, Vec<Played>), E> {
        let (settings, iteration) = (self.settings.clone(), self.iteration);
        let round = Round::of(self.start.clone(), Terms { kind, settings, iteration, networks })?;
        let of = round.games();
        let played = play(&round, &|done| {
            progress(match kind {
                Kind::SelfPlay => Progress::SelfPlay { done, of },
                Kind::Gate => Progress::Gate { done, of },
                Kind::Evaluation => Progress::Evaluation { done, of },
            });
        })?;
        if played.len() != of {
            return Err(wrong(&format!("there are {} games, and not {of}", played.len())).into());
        }
        if let Some((place, game)) = played.iter().enumerate().find(|(place, game)| game.number != *place) {
            return Err(wrong(&format!("game {} is in the place of game {place}", game.number)).into());
        }
        Ok((round, played))
    }

    /// Saves all that the rest of the training depends on. After a crash at any moment, `path` is the old
    /// file or the new one.
    ///
    /// # Errors
    ///
    /// Returns [`TrainError::File`] if the file cannot be written, and [`TrainError::Unfinished`] after an
    /// iteration that ended in an error. An older file at `path` stays then.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), TrainError> {
        if self.is_broken {
            return Err(TrainError::Unfinished { iteration: self.iteration });
        }
        let [first, second] = &self.adam.moments;
        let checkpoint = Checkpoint {
            settings: self.settings.clone(),
            game: self.game(),
            iteration: self.iteration,
            positions: self.positions,
            steps: self.adam.steps,
            weights: numbers(&Vec::from_iter(self.weights.iter().map(|weight| weight.as_tensor().clone())))?,
            moments: [numbers(first)?, numbers(second)?],
            average: numbers(&self.average)?,
            best: self.best.clone(),
            games: self.replay.games.iter().cloned().collect(),
        };
        checkpoint.save(path.as_ref())
    }

    /// Continues from a checkpoint, with the settings in it. `start` must be the state with which the
    /// training began. Symmetries and threads must be set anew.
    ///
    /// `change` may change settings that do not change the network, for example the learning rate. Without a
    /// change, the training continues with the same games as if it had not been interrupted.
    ///
    /// # Errors
    ///
    /// Returns [`TrainError::File`] if the file cannot be read, [`TrainError::Checkpoint`] if it is damaged,
    /// or of another game or network, and the errors of [`new`](Self::new).
    pub fn load(
        path: impl AsRef<Path>,
        start: G,
        change: impl FnOnce(&mut Settings),
    ) -> Result<Self, TrainError> {
        let path = path.as_ref();
        let saved = Checkpoint::load(path)?;
        let wrong = |reason: &str| TrainError::Checkpoint { path: path.into(), reason: reason.into() };
        let mut settings = saved.settings;
        change(&mut settings);
        let mut trainer = Trainer::new(start, settings)?;
        if saved.game != trainer.game() {
            return Err(wrong(&format!(
                "it is of another game or board: {}, and not {}",
                saved.game,
                trainer.game()
            )));
        }
        let shapes = trainer.plan.weight_shapes();
        let misfit = || wrong("its network has other sizes, or numbers that are not finite");
        let tensor = |(numbers, shape): (&Vec<f32>, &Vec<usize>)| {
            let fits = numbers.len() == shape.iter().product::<usize>();
            if !fits || !numbers.iter().all(|number| number.is_finite()) {
                return Err(misfit());
            }
            Ok(Tensor::from_slice(numbers, shape.as_slice(), &Device::Cpu)?)
        };
        let tensors = |list: &[Vec<f32>]| {
            if list.len() != shapes.len() {
                return Err(misfit());
            }
            list.iter().zip(&shapes).map(tensor).collect::<Result<Vec<_>, _>>()
        };
        for (weight, numbers) in trainer.weights.iter().zip(tensors(&saved.weights)?) {
            weight.set(&numbers)?;
        }
        let [first, second] = &saved.moments;
        trainer.adam = Adam { steps: saved.steps, moments: [tensors(first)?, tensors(second)?] };
        trainer.average = tensors(&saved.average)?;
        tensors(&saved.best)?;
        trainer.best = saved.best;
        (trainer.iteration, trainer.positions) = (saved.iteration, saved.positions);
        for record in saved.games {
            let added = trainer.replay.add(&trainer.start, record, trainer.settings.replay);
            added.ok_or_else(|| {
                wrong("its games do not fit the rules: it began in another state, or the rules have changed")
            })?;
        }
        Ok(trainer)
    }

    fn game(&self) -> String {
        let Contract { shape, policy, players } = self.contract;
        format!("{shape}, {policy} actions, {players} players")
    }
}

/// Returns the random numbers of a stage of an iteration.
fn rng(settings: &Settings, stage: u8, iteration: u64, number: usize) -> Rng {
    Rng::seeded(hash_key(&(settings.seed, stage, iteration, number as u64)) as u64)
}

fn numbers(tensors: &[Tensor]) -> Result<Vec<Vec<f32>>, TrainError> {
    tensors.iter().map(|tensor| Ok(tensor.flatten_all()?.to_vec1()?)).collect()
}
