//! Training: networks that learn a game from nothing but its rules.
//!
//! A [`Trainer`] repeats three things: games of self-play with the best network so far, steps of the optimiser on their positions, and, now and then, matches that measure the network.
//! It works for any game that implements [`Planes`].
//!
//! ```
//! use ramure::games::TicTacToe;
//! use ramure_nets::train::{Settings, Trainer};
//!
//! let mut settings = Settings::default();
//! (settings.blocks, settings.filters, settings.hidden) = (1, 8, 8); // a tiny network
//! (settings.games, settings.simulations, settings.batch) = (4, 8, 16); // and a short training
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
//! The network is a residual tower: a convolution, [`blocks`](Settings::blocks) of two, and two heads. A game whose [shape](Planes::shape) is a list of features has a tower of matrices instead.
//! The value has one column for one or two players, of whom two must share a reward of 1, and a column for each of more.
//!
//! # Determinism
//!
//! The seed fixes a training on one machine, to the bit, for any number of threads: each game has a generator of its own, and its searches wait for nothing. A
//! training that is continued from a [checkpoint](Trainer::save) goes on to the same games. Another processor rounds differently, and so plays others.

mod adam;
mod checkpoint;
mod convolution;
mod error;
mod onnx;
mod play;
mod replay;
mod settings;
#[cfg(test)]
mod tests;
mod tower;

pub use error::TrainError;
pub use settings::{Method, Settings};

use crate::check::Contract;
use crate::network::Symmetries;
use crate::{Network, Planes};
use adam::Adam;
use candle_core::{Tensor, Var};
use checkpoint::Checkpoint;
use play::{Match, Mind, Record, plain, with_network};
use ramure::{GameState, Rng, Symmetric, Turn, hash_key};
use replay::Replay;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::num::NonZero;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use tower::{Plan, Tower, losses};

/// A game that can be trained: [`Planes`], whose states and actions go from thread to thread.
///
/// Every type that fits has this trait.
pub trait Game: Planes<Action: Send + Sync> + Send + Sync {}

impl<G: Planes<Action: Send + Sync> + Send + Sync> Game for G {}

/// The numbers that a stage draws from.
#[derive(Clone, Copy)]
enum Stage {
    Weights,
    SelfPlay,
    Training,
    Gate,
    Evaluation,
}

/// What a training is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Progress {
    /// Games of self-play that are over, out of how many.
    SelfPlay(usize, usize),
    /// Steps of the optimiser that are done, out of how many.
    Training(usize, usize),
    /// Games against the best network, out of how many.
    Gate(usize, usize),
    /// Games against the plain search, out of how many.
    Evaluation(usize, usize),
}

/// The result of a match.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Score {
    /// The mean reward of the network.
    pub mean: f64,
    /// The standard error of the mean.
    pub error: f64,
    /// The number of games.
    pub games: usize,
}

/// What happened in one iteration of a training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Iteration {
    /// Its number, from 1.
    pub iteration: u64,
    /// The games of self-play.
    pub games: usize,
    /// The positions with a target that these games added.
    pub positions: usize,
    /// The positions of the whole training.
    pub total_positions: u64,
    /// The mean number of actions in a game.
    pub actions: f64,
    /// The steps of the optimiser, of the whole training.
    pub steps: u64,
    /// The mean loss of the policy over the steps of this iteration: the cross-entropy with its target, in nats. `None` without a step.
    pub policy_loss: Option<f64>,
    /// The mean loss of the value: its squared error, in units of the output.
    pub value_loss: Option<f64>,
    /// The result against the best network, if there was a match.
    pub gate: Option<Score>,
    /// Whether the latest network is the best one from now on.
    pub is_best: bool,
    /// The result against the plain search, if there was a match.
    pub evaluation: Option<Score>,
    /// The positions that networks evaluated.
    pub evaluations: u64,
    /// The seconds of self-play.
    pub play_seconds: f64,
    /// The seconds of the optimiser.
    pub training_seconds: f64,
    /// The seconds of matches.
    pub match_seconds: f64,
}

impl fmt::Display for Iteration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Iteration { iteration, games, positions, actions, play_seconds, training_seconds, .. } = self;
        write!(
            f,
            "{iteration}: {games} games of {actions:.1} actions, {positions} positions in {play_seconds:.1} s"
        )?;
        if let (Some(policy), Some(value)) = (self.policy_loss, self.value_loss) {
            write!(
                f,
                "; losses {policy:.3} (policy) and {value:.3} (value) after {} steps, {training_seconds:.1} s",
                self.steps
            )?;
        }
        if let Some(gate) = self.gate {
            let verdict = if self.is_best { "better" } else { "not better" };
            write!(f, "; against the best network {gate}: {verdict}")?;
        }
        if let Some(score) = self.evaluation {
            write!(f, "; against the plain search {score}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} +- {:.3}", self.mean, 1.96 * self.error)
    }
}

impl Score {
    fn of(rewards: &[f64]) -> Self {
        let games = rewards.len();
        let count = games.max(1) as f64;
        let mean = rewards.iter().sum::<f64>() / count;
        let squares: f64 = rewards.iter().map(|reward| (reward - mean) * (reward - mean)).sum();
        Score { mean, error: (squares / (count * (count - 1.0).max(1.0))).sqrt(), games }
    }
}

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
    /// The weights that play.
    best: Vec<Vec<f32>>,
    replay: Replay<G>,
}

impl<G: Game> Trainer<G> {
    /// Prepares a training for games that begin in `start`, with a network of random weights.
    ///
    /// # Errors
    ///
    /// Returns [`TrainError::Setting`] if a setting is out of its range, and [`TrainError::Network`] if networks cannot play the game, for example because its input is empty.
    pub fn new(start: G, settings: Settings) -> Result<Self, TrainError> {
        settings.check()?;
        if start.turn() == Turn::Over {
            return Err(TrainError::Game { reason: "it is over before it begins" });
        }
        let contract =
            Contract { shape: start.shape(), policy: start.policy_size(), players: start.players() };
        let plan = Plan::new(&contract, &settings);
        let weights = plan.first_weights(&mut rng(&settings, Stage::Weights, 0, 0))?;
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
            best,
        };
        trainer.network()?;
        Ok(trainer)
    }

    /// Learns each position in a random orientation of the board. Without it, in the one in which it was played.
    #[must_use]
    pub fn symmetries(mut self) -> Self
    where
        G: Symmetric,
    {
        self.symmetries = Symmetries::of_game();
        self
    }

    /// Sets the number of threads that play games. The results are the same for any number. \[Default: one for each core\]
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

    /// Plays, learns and measures: one iteration of the training. Calls `progress` now and then, from several threads.
    ///
    /// # Errors
    ///
    /// Returns a [`TrainError`] if a game breaks its rules, a search fails, or the loss is no longer finite. Go on from the last checkpoint after an error.
    pub fn iterate(&mut self, progress: &(dyn Fn(Progress) + Sync)) -> Result<Iteration, TrainError> {
        self.iteration += 1;
        let clock = Instant::now();
        let network = self.network()?;
        let games = self.settings.games;
        let play = |number| self.self_play(&network, number);
        let records =
            side_by_side(self.threads, games, &play, &|done| progress(Progress::SelfPlay(done, games)))?;
        let actions = records.iter().map(|record| record.actions.len()).sum::<usize>() as f64 / games as f64;
        let mut positions = 0;
        for record in records {
            let added = self.replay.add(&self.start, record, self.settings.replay);
            positions += added.ok_or(TrainError::Game { reason: "the same actions led to another state" })?;
        }
        self.positions += positions as u64;
        let play_time = clock.elapsed();
        let losses = self.learn(positions, progress)?;
        let training_time = clock.elapsed() - play_time;
        let mut evaluations = network.counts().evaluated;
        let candidate = numbers(&self.average)?;
        let is_due = |every| every > 0 && self.iteration.is_multiple_of(every);
        let gate = if self.contract.players > 1 && is_due(self.settings.gate_every) {
            let candidate = Network::from_bytes(&onnx::onnx(&self.plan, &candidate), &self.start)?;
            let score = self.gate(&candidate, &network, progress)?;
            evaluations += candidate.counts().evaluated;
            Some(score)
        } else {
            None
        };
        let no_gate = self.settings.gate_every == 0 || self.contract.players == 1;
        let is_best = gate.map_or(no_gate, |score| score.mean >= self.settings.gate_score);
        if is_best {
            self.best = candidate;
        }
        let evaluation = if is_due(self.settings.evaluate_every) {
            let network = self.network()?;
            let score = self.evaluate(&network, progress)?;
            evaluations += network.counts().evaluated;
            Some(score)
        } else {
            None
        };
        let match_time = clock.elapsed() - play_time - training_time;
        let seconds = |time: Duration| time.as_secs_f64();
        Ok(Iteration {
            iteration: self.iteration,
            games,
            positions,
            total_positions: self.positions,
            actions,
            steps: self.adam.steps,
            policy_loss: losses.map(|losses| losses.0),
            value_loss: losses.map(|losses| losses.1),
            gate,
            is_best,
            evaluation,
            evaluations,
            play_seconds: seconds(play_time),
            training_seconds: seconds(training_time),
            match_seconds: seconds(match_time),
        })
    }

    fn self_play(&self, network: &Network<G>, number: usize) -> Result<Record, TrainError> {
        let mut rng = self.rng(Stage::SelfPlay, number);
        let mut mind = with_network(network, &self.start, &self.settings, self.settings.simulations, 1.0);
        let game = Match { settings: &self.settings, explores: true };
        game.play(&self.start, &mut *mind, &mut rng)
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
        let mut rng = self.rng(Stage::Training, 0);
        let mut sums = (0.0, 0.0);
        for step in 1..=steps {
            let drawn =
                self.replay.draw(&self.contract, self.plan.values, &self.symmetries, batch, &mut rng)?;
            let output = tower.forward(&self.weights, drawn.input)?;
            let (policy, value) = losses(output, &drawn.policy, &drawn.mask, &drawn.value)?;
            let found = (policy.to_scalar::<f32>()?, value.to_scalar::<f32>()?);
            if !(found.0 + found.1).is_finite() {
                return Err(TrainError::Exploded { step: self.adam.steps, policy: found.0, value: found.1 });
            }
            let gradients = (policy + value)?.backward()?;
            self.adam.step(&self.weights, &gradients, learning_rate, weight_decay)?;
            for (average, weight) in self.average.iter_mut().zip(&self.weights) {
                *average = ((&*average * averaging)? + (weight.as_detached_tensor() * (1.0 - averaging))?)?;
            }
            sums = (sums.0 + f64::from(found.0), sums.1 + f64::from(found.1));
            progress(Progress::Training(step, steps));
        }
        let finite = |weights: &[f32]| weights.iter().all(|weight| weight.is_finite());
        if !numbers(&self.average)?.iter().all(|weights| finite(weights)) {
            let step = self.adam.steps;
            return Err(TrainError::Exploded { step, policy: f32::NAN, value: f32::NAN });
        }
        Ok(Some((sums.0 / steps as f64, sums.1 / steps as f64)))
    }

    /// Plays a network against the best one so far, in self-play's way and from all seats in turn.
    fn gate(
        &self,
        candidate: &Network<G>,
        best: &Network<G>,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Score, TrainError> {
        let (settings, games) = (&self.settings, self.settings.gate_games);
        let mind = |network| with_network(network, &self.start, settings, settings.simulations, 1.0);
        let play = |number| self.against(number, Stage::Gate, true, &mut *mind(candidate), &mut *mind(best));
        let rewards =
            side_by_side(self.threads, games, &play, &|done| progress(Progress::Gate(done, games)))?;
        Ok(Score::of(&rewards))
    }

    /// Plays a network against the plain search, from all seats in turn.
    fn evaluate(
        &self,
        network: &Network<G>,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Score, TrainError> {
        let (settings, games) = (&self.settings, self.settings.evaluation_games);
        let play = |number| {
            let mut mind = with_network(network, &self.start, settings, settings.evaluation_simulations, 0.0);
            let mut other = plain(&self.start, settings.opponent_iterations);
            self.against(number, Stage::Evaluation, false, &mut *mind, &mut *other)
        };
        let rewards =
            side_by_side(self.threads, games, &play, &|done| progress(Progress::Evaluation(done, games)))?;
        Ok(Score::of(&rewards))
    }

    /// Plays a game of a match. Returns the reward of the first mind, which sits in another seat in each game; the second mind has all other seats. Games in a round of seats share
    /// an opening.
    fn against(
        &self,
        number: usize,
        stage: Stage,
        explores: bool,
        first: &mut dyn Mind<G>,
        second: &mut dyn Mind<G>,
    ) -> Result<f64, TrainError> {
        let players = usize::from(self.contract.players);
        let (round, seat) = (number / players, number % players);
        let game = Match { settings: &self.settings, explores };
        let record = game.play_seated(&self.start, seat, first, second, &mut self.rng(stage, round))?;
        Ok(record.rewards[seat].into())
    }

    /// Saves all that the rest of the training depends on. After a crash at any moment, `path` is the old file or the new one.
    ///
    /// # Errors
    ///
    /// Returns [`TrainError::File`] if the file cannot be written. An older file at `path` stays then.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), TrainError> {
        let [first, second] = &self.adam.moments;
        let checkpoint = Checkpoint {
            settings: self.settings.clone(),
            game: self.game(),
            iteration: self.iteration,
            positions: self.positions,
            steps: self.adam.steps,
            weights: self
                .weights
                .iter()
                .map(|weight| Ok(weight.flatten_all()?.to_vec1()?))
                .collect::<Result<_, TrainError>>()?,
            moments: [numbers(first)?, numbers(second)?],
            average: numbers(&self.average)?,
            best: self.best.clone(),
            games: self.replay.games.iter().cloned().collect(),
        };
        checkpoint.save(path.as_ref())
    }

    /// Goes on from a checkpoint, with the settings in it. `start` must be the state with which the training began. Symmetries and threads must be set anew.
    ///
    /// `change` may change settings that do not change the network, for example the learning rate. Without a change, the training goes on to the same games as if it had not been interrupted.
    ///
    /// # Errors
    ///
    /// Returns [`TrainError::File`] if the file cannot be read, and [`TrainError::Checkpoint`] if it is damaged, or of another game or network.
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
            return Err(wrong(&format!("it is of another game: {}, and not {}", saved.game, trainer.game())));
        }
        let shapes = trainer.plan.weight_shapes();
        let fits = |list: &[Vec<f32>]| {
            list.len() == shapes.len()
                && list
                    .iter()
                    .zip(&shapes)
                    .all(|(numbers, shape)| numbers.len() == shape.iter().product::<usize>())
        };
        let [first, second] = &saved.moments;
        if ![&saved.weights, first, second, &saved.average, &saved.best].into_iter().all(|list| fits(list)) {
            return Err(wrong("its network has other sizes"));
        }
        let tensors = |list: &[Vec<f32>]| -> Result<Vec<Tensor>, TrainError> {
            let tensor = |(numbers, shape): (&Vec<f32>, &Vec<usize>)| {
                Ok(Tensor::from_slice(numbers, shape.as_slice(), &candle_core::Device::Cpu)?)
            };
            list.iter().zip(&shapes).map(tensor).collect()
        };
        for (weight, numbers) in trainer.weights.iter().zip(tensors(&saved.weights)?) {
            weight.set(&numbers)?;
        }
        trainer.adam = Adam { steps: saved.steps, moments: [tensors(first)?, tensors(second)?] };
        trainer.average = tensors(&saved.average)?;
        trainer.best = saved.best;
        (trainer.iteration, trainer.positions) = (saved.iteration, saved.positions);
        for record in saved.games {
            let added = trainer.replay.add(&trainer.start, record, trainer.settings.replay);
            added.ok_or_else(|| {
                wrong("it has a game with an action that is not there, so it began in another state")
            })?;
        }
        Ok(trainer)
    }

    fn game(&self) -> String {
        let Contract { shape, policy, players } = self.contract;
        format!("input {shape}, policy {policy}, players {players}")
    }

    fn rng(&self, stage: Stage, number: usize) -> Rng {
        rng(&self.settings, stage, self.iteration, number)
    }
}

fn rng(settings: &Settings, stage: Stage, iteration: u64, number: usize) -> Rng {
    Rng::seeded(hash_key(&(settings.seed, stage as u8, iteration, number as u64)) as u64)
}

fn numbers(tensors: &[Tensor]) -> Result<Vec<Vec<f32>>, TrainError> {
    tensors.iter().map(|tensor| Ok(tensor.flatten_all()?.to_vec1()?)).collect()
}

/// Does `count` pieces of work on some threads. Returns the results in their order, or the first error in it.
fn side_by_side<T: Send>(
    threads: NonZero<usize>,
    count: usize,
    work: &(dyn Fn(usize) -> Result<T, TrainError> + Sync),
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<T>, TrainError> {
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let results: Mutex<Vec<Option<Result<T, TrainError>>>> = Mutex::new((0..count).map(|_| None).collect());
    thread::scope(|scope| {
        for _ in 0..threads.get().min(count) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    let result = work(number);
                    if result.is_err() {
                        next.store(count, Ordering::Relaxed); // the others are of no use
                    }
                    results.lock().unwrap_or_else(|poisoned| poisoned.into_inner())[number] = Some(result);
                    progress(1 + done.fetch_add(1, Ordering::Relaxed));
                }
            });
        }
    });
    let results = results.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    // After an error, later results may be missing, but none before it that was begun.
    results.into_iter().flatten().collect()
}
