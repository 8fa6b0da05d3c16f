//! The evaluator.

use crate::cache::Cache;
use crate::check::Contract;
use crate::model::{Model, Output, SIZE_LIMIT};
use crate::{EvaluationError, Head, LoadError, Planes};
use ramure::simulation::{Evaluator, Position};
use ramure::{BoxError, GameState, Keyed, Player, Rewards, Symmetric, hash_key};
use std::fmt;
use std::fs::File;
use std::hash::{Hash, Hasher};
use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// By how much a value may exceed its range, because of rounding.
const TOLERANCE: f32 = 1e-4;
/// The greatest size of a batch.
const BATCH_LIMIT: usize = 4096;
/// The size of batches unless you set others: the inference library evaluates convolutions fastest one
/// position at a time.
const BATCH_SIZES: &[usize] = &[1];

/// In which orientations a network sees a position of a [`Symmetric`] game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Orientation {
    /// As it is.
    #[default]
    Same,
    /// In one of all orientations, drawn from the seed and the input of the position. With one seed, the same
    /// position is always seen in the same orientation (the source draws anew for each evaluation); so in
    /// self-play, change the seed from game to game.
    ///
    /// **Cost:** a transformed state per position. **Source:** Silver et al., *Mastering the game of Go
    /// without human knowledge*, 2017, Methods, "Expand and evaluate".
    Random {
        /// The seed.
        seed: u64,
    },
    /// In all orientations. The priors and the values are the means.
    ///
    /// **Cost:** an evaluation for each orientation. **Source:** Silver et al., *Mastering the game of Go
    /// with deep neural networks and tree search*, 2016, Methods, "Symmetries" (explicit symmetry ensembles).
    Average,
}

/// How many evaluations a [`Network`] has made, together with its clones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct Counts {
    /// The positions that the network has seen, each orientation for itself.
    pub evaluated: u64,
    /// The positions that the cache has answered.
    pub cached: u64,
}

/// An evaluator of positions by a neural network, from an ONNX file.
///
/// **Use it** as the rollout policy of a search, in [`Evaluate`](ramure::simulation::Evaluate),
/// with a tree policy that reads priors, such as [`Puct`](ramure::selection::Puct), and a
/// [window](ramure::Mcts::window). A clone shares the weights, the cache and the counts.
///
/// **Contract of the file:** see the [crate](crate#the-contract).
///
/// **Parameters:** the [sizes of batches](Self::batch_sizes), the [`Orientation`], the size of the
/// [cache](Self::cache).
///
/// **Cost:** the inference, and per position about as long as [`Planes::write`] and an exponential for each
/// legal action take.
///
/// ```
/// # use ramure::ActionIndex;
/// # use ramure_nets::{Planes, Shape};
/// use ramure::prelude::*;
/// use ramure::selection::Puct;
/// use ramure::simulation::Evaluate;
/// use ramure_nets::Network;
/// #
/// # #[derive(Clone)]
/// # struct Sticks { left: u8, player: Player }
/// # impl GameState for Sticks {
/// #     type Action = u8;
/// #     fn turn(&self) -> Turn { if self.left == 0 { Turn::Over } else { Turn::Player(self.player) } }
/// #     fn actions(&self) -> impl IntoIterator<Item = u8> { 1..=self.left.min(3) }
/// #     fn apply(&mut self, taken: u8) { self.left -= taken; self.player = 1 - self.player; }
/// #     fn reward(&self, player: Player) -> f64 { if player == self.player { 0.0 } else { 1.0 } }
/// # }
/// # impl ActionIndex for Sticks {
/// #     const ACTION_COUNT: usize = 3;
/// #     fn action_index(taken: u8) -> usize { usize::from(taken) - 1 }
/// # }
/// # impl Planes for Sticks {
/// #     fn shape(&self) -> Shape { Shape::Features(21) }
/// #     fn write(&self, input: &mut [f32]) { input[usize::from(self.left) - 1] = 1.0; }
/// # }
///
/// // The game of `examples/your_own_game.rs`.
/// let start = Sticks { left: 21, player: 0 };
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/sticks.onnx");
/// let network = Network::load(path, &start)?;
/// let mut search = Mcts::new(start)
///     .tree_policy(Puct::default())
///     .rollout_policy(Evaluate::new(network.clone()))
///     .window(16);
/// let report = search.run(Budget::iterations(400))?;
/// assert_eq!(report.best_action(), 1); // leaves a multiple of four
/// assert!(network.counts().evaluated > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Network<G: GameState> {
    model: Arc<Model>,
    orientation: Orientation,
    symmetries: Symmetries<G>,
    /// The key of a position, if there is a cache.
    key: Option<fn(&G) -> u128>,
    cache: Arc<Mutex<Cache>>,
    counts: Arc<Counters>,
}

#[derive(Debug, Default)]
struct Counters {
    evaluated: AtomicU64,
    cached: AtomicU64,
}

/// The orientations of the states of a game, as functions of their numbers: 0 leaves everything as it is, and
/// `n` is symmetry `n - 1`.
#[derive(Clone)]
pub(crate) struct Symmetries<G: GameState> {
    /// The number of symmetries; a game may have none.
    pub count: usize,
    pub state: fn(&G, usize) -> G,
    pub action: fn(&G, G::Action, usize) -> G::Action,
    pub player: fn(&G, Player, usize) -> Player,
}

impl<G: GameState> Symmetries<G> {
    pub(crate) fn none() -> Self {
        Symmetries {
            count: 0,
            state: |state, _| state.clone(),
            action: |_, action, _| action,
            player: |_, player, _| player,
        }
    }

    pub(crate) fn of_game() -> Self
    where
        G: Symmetric,
    {
        Symmetries {
            count: G::SYMMETRIES,
            state: |state, number| match number {
                0 => state.clone(),
                number => state.transformed(number - 1),
            },
            action: |state, action, number| match number {
                0 => action,
                number => state.transformed_action(action, number - 1),
            },
            player: |state, player, number| match number {
                0 => player,
                number => state.transformed_player(player, number - 1),
            },
        }
    }
}

impl<G: GameState> fmt::Debug for Network<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network")
            .field("model", &self.model)
            .field("orientation", &self.orientation)
            .field("has_cache", &self.key.is_some())
            .field("counts", &self.counts())
            .finish()
    }
}

impl<G: GameState> Network<G> {
    /// Returns how many evaluations this network has made, together with its clones.
    pub fn counts(&self) -> Counts {
        Counts {
            evaluated: self.counts.evaluated.load(Ordering::Relaxed),
            cached: self.counts.cached.load(Ordering::Relaxed),
        }
    }

    /// Sets the orientations in which the network sees a position. \[Default: [`Orientation::Same`]\]
    ///
    /// Discards what is in the cache.
    #[must_use]
    pub fn orientation(mut self, orientation: Orientation) -> Self
    where
        G: Symmetric,
    {
        self.orientation = orientation;
        self.symmetries = Symmetries::of_game();
        self.empty_cache();
        self
    }

    /// Keeps the evaluations of up to `entries` positions, by their keys; 0 turns the cache off. \[Default:
    /// 0\]
    ///
    /// A search gives the same result with a cache as without: what is kept is what would be computed again.
    /// This requires that states with equal keys have the same input, viewer and columns. If
    /// [`Planes::write`] writes something that the key lacks, such as the last actions, leave the cache off.
    /// **Use it** if positions are reached in several ways, or if several searches meet the same positions,
    /// as in self-play. A new position takes the place of an older one.
    ///
    /// **Cost:** 4 bytes for each column of the policy and each player, and 32 bytes, per entry: 68 for
    /// Connect 4, 240 for Hex 7x7. They are reserved at once. A look-up takes about 0.1 microseconds. Threads
    /// that share the network take turns.
    #[must_use]
    pub fn cache(mut self, entries: usize) -> Self
    where
        G: Keyed,
    {
        let Contract { policy, players, .. } = self.model.contract;
        self.key = (entries > 0).then_some(G::key);
        self.cache = Arc::new(Mutex::new(Cache::new(entries, policy + usize::from(players))));
        self
    }

    /// Returns a clone that counts its own evaluations.
    #[cfg(feature = "train")]
    pub(crate) fn counted_anew(&self) -> Self {
        Network { counts: Arc::default(), ..self.clone() }
    }

    /// Gives this network an empty cache of its own, of the same size. Clones keep the old one.
    fn empty_cache(&mut self) {
        self.cache = Arc::new(Mutex::new(self.locked(|cache| cache.emptied())));
    }

    fn locked<T>(&self, work: impl FnOnce(&mut Cache) -> T) -> T {
        work(&mut self.cache.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<G: Planes> Network<G> {
    /// Loads a network from the ONNX file at `path`, for the game of `state`: any state of it, such as the
    /// first.
    ///
    /// # Errors
    ///
    /// Returns a [`LoadError`] if the file cannot be read, is not a complete ONNX file, or is not the network
    /// of this game.
    pub fn load(path: impl AsRef<Path>, state: &G) -> Result<Self, LoadError> {
        let path = path.as_ref();
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|file| file.take(SIZE_LIMIT + 1).read_to_end(&mut bytes));
        read.map_err(|error| LoadError::File { path: path.into(), error })?;
        Self::from_bytes(&bytes, state)
    }

    /// Loads a network from the bytes of an ONNX file, for the game of `state`: any state of it, such as the
    /// first.
    ///
    /// # Errors
    ///
    /// Returns a [`LoadError`] if these are not the bytes of a complete ONNX file, or not of a network of
    /// this game.
    pub fn from_bytes(bytes: &[u8], state: &G) -> Result<Self, LoadError> {
        let contract = Contract::of(state);
        if contract.shape.len() == 0 || contract.policy == 0 {
            return Err(LoadError::Empty { shape: contract.shape, policy: contract.policy });
        }
        let model = Model::new(bytes, contract, BATCH_SIZES)?;
        Ok(Network {
            model: Arc::new(model),
            orientation: Orientation::Same,
            symmetries: Symmetries::none(),
            key: None,
            cache: Arc::new(Mutex::new(Cache::new(0, 0))),
            counts: Arc::default(),
        })
    }

    /// Compiles the network for batches of these sizes. \[Default: 1, or the size that the file fixes\]
    ///
    /// A batch of another size is cut into pieces: as many as possible of the largest size that is full, and
    /// so on. A rest that is less than the smallest size is filled up with zeros, whose answers nobody reads.
    ///
    /// Discards what is in the cache.
    ///
    /// With one size, the answer for a position does not depend on the batch, to the bit. With several, it
    /// depends on the piece by some units of the last place, and the result of a search on the sizes of its
    /// windows and on what is in the cache. One position at a time is fastest for convolutions. Networks of
    /// large matrices may gain from batches: measure yours with the example `measure`.
    ///
    /// # Errors
    ///
    /// Returns [`LoadError::BatchSizes`] if a size is not in 1..=4096, if there is none, or if the file fixes
    /// another size; and the errors of [`load`](Self::load) about inference and outputs if the network does
    /// not work with batches of this size.
    pub fn batch_sizes(mut self, sizes: &[usize]) -> Result<Self, LoadError> {
        let is_wrong = sizes.is_empty() || sizes.iter().any(|size| !(1..=BATCH_LIMIT).contains(size));
        let fixed = self.model.layout.batch;
        if is_wrong || fixed.is_some_and(|fixed| sizes != [fixed]) {
            return Err(LoadError::BatchSizes { found: sizes.to_vec(), fixed });
        }
        self.model = Arc::new(self.model.with_sizes(sizes)?);
        self.empty_cache();
        Ok(self)
    }

    /// Returns what the network says about states in which the game is not over, before it is checked, masked
    /// and normalised. Neither symmetries nor the cache are used.
    ///
    /// # Errors
    ///
    /// Returns an [`EvaluationError`] if a state is not of the game of this network, or if the inference
    /// fails.
    pub fn outputs(&self, states: &[G]) -> Result<Vec<Output>, EvaluationError> {
        let mut input = Vec::new();
        states.iter().try_for_each(|state| self.write(state, &mut input))?;
        self.infer(&input)
    }

    /// Appends the input of a state.
    fn write(&self, state: &G, input: &mut Vec<f32>) -> Result<(), EvaluationError> {
        let Contract { shape, policy, players } = self.model.contract;
        if state.shape() != shape {
            return Err(EvaluationError::Shape { found: state.shape(), expected: shape });
        }
        if state.policy_size() != policy {
            return Err(EvaluationError::PolicySize { found: state.policy_size(), expected: policy });
        }
        if state.players() != players {
            return Err(EvaluationError::Players { found: state.players(), expected: players });
        }
        if state.viewer() >= players {
            return Err(EvaluationError::Viewer { viewer: state.viewer(), players });
        }
        let start = input.len();
        input.resize(start + shape.len(), 0.0);
        state.write(&mut input[start..]);
        match input[start..].iter().position(|number| !number.is_finite()) {
            None => Ok(()),
            Some(index) => Err(EvaluationError::Input { index, number: input[start + index] }),
        }
    }

    fn infer(&self, input: &[f32]) -> Result<Vec<Output>, EvaluationError> {
        let positions = input.len() / self.model.contract.shape.len();
        self.counts.evaluated.fetch_add(positions as u64, Ordering::Relaxed);
        self.model.run(input)
    }

    /// Appends the inputs of all orientations in which the network is to see a state. Returns these
    /// orientations.
    fn write_oriented(&self, state: &G, input: &mut Vec<f32>) -> Result<Vec<Oriented<G>>, EvaluationError> {
        let count = self.symmetries.count;
        let numbers = match self.orientation {
            Orientation::Same => 0..=0,
            Orientation::Random { seed } => {
                let start = input.len();
                self.write(state, input)?;
                let key = hash_key(&(seed, Bits(&input[start..])));
                input.truncate(start);
                let drawn = ((u128::from(key as u64) * (count as u128 + 1)) >> 64) as usize;
                drawn..=drawn
            }
            Orientation::Average => 0..=count,
        };
        let oriented = |number| {
            let state = (self.symmetries.state)(state, number);
            self.write(&state, input)?;
            Ok(Oriented { state, number })
        };
        numbers.map(oriented).collect()
    }

    /// Adds what the network says about `state`, seen in one orientation, to the priors of `actions` and the
    /// values of the players.
    fn add(
        &self,
        (state, actions): (&G, &[G::Action]),
        oriented: &Oriented<G>,
        output: &Output,
        priors: &mut [f64],
        values: &mut [f64],
    ) -> Result<(), EvaluationError> {
        let seen = &oriented.state;
        let mut logits = Vec::with_capacity(actions.len());
        for action in actions {
            let action = (self.symmetries.action)(state, action.clone(), oriented.number);
            let column = self.column(seen, action)?;
            logits.push(finite(Head::Policy, column, output.policy[column])?);
        }
        let greatest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        logits.iter_mut().for_each(|logit| *logit = libm::exp(*logit - greatest));
        let sum: f64 = logits.iter().sum();
        for (prior, weight) in priors.iter_mut().zip(&logits) {
            *prior += weight / sum;
        }
        let rewards = self.rewards(seen.viewer(), &output.value)?;
        for (player, value) in (0..).zip(values) {
            let seen_as = (self.symmetries.player)(state, player, oriented.number);
            *value += f64::from(rewards[seen_as]);
        }
        Ok(())
    }

    fn column(&self, state: &G, action: G::Action) -> Result<usize, EvaluationError> {
        let (index, size) = (state.policy_index(action), self.model.contract.policy);
        if index < size { Ok(index) } else { Err(EvaluationError::PolicyIndex { index, size }) }
    }

    /// Returns the rewards of all players.
    fn rewards(&self, viewer: Player, value: &[f32]) -> Result<Rewards, EvaluationError> {
        let players = self.model.contract.players;
        let least = if value.len() == 1 { -1.0 } else { 0.0 };
        for (column, &number) in value.iter().enumerate() {
            finite(Head::Value, column, number)?;
            if !(least - TOLERANCE..=1.0 + TOLERANCE).contains(&number) {
                return Err(EvaluationError::Value { column, number, least });
            }
        }
        let column = |player: Player| usize::from((player + players - viewer) % players);
        Ok(Rewards::new(players, |player| {
            let reward = match *value {
                [value] if player == viewer => 0.5 + 0.5 * value,
                [value] => 0.5 - 0.5 * value,
                _ => value[column(player)],
            };
            reward.clamp(0.0, 1.0)
        }))
    }

    /// Evaluates one position from the outputs for all of its orientations. Returns its row for the cache: the
    /// priors by column, then the rewards.
    fn finish(
        &self,
        position: &mut Position<'_, G>,
        oriented: &[Oriented<G>],
        outputs: &[Output],
    ) -> Result<Vec<f32>, EvaluationError> {
        let (state, actions) = (position.state, position.actions);
        let Contract { policy, players, .. } = self.model.contract;
        let (mut priors, mut values) = (vec![0.0; actions.len()], vec![0.0; players.into()]);
        for (oriented, output) in oriented.iter().zip(outputs) {
            self.add((state, actions), oriented, output, &mut priors, &mut values)?;
        }
        let scale = 1.0 / oriented.len() as f64;
        let mut row = vec![0.0; policy];
        for (action, prior) in actions.iter().zip(priors) {
            row[self.column(state, action.clone())?] = (prior * scale) as f32;
        }
        row.extend(values.into_iter().map(|value| (value * scale) as f32));
        self.apply(position, &row)?;
        Ok(row)
    }

    /// Gives a position what a row of the cache says.
    fn apply(&self, position: &mut Position<'_, G>, row: &[f32]) -> Result<(), EvaluationError> {
        let Contract { policy, players, .. } = self.model.contract;
        let (state, actions) = (position.state, position.actions);
        for (prior, action) in position.priors().iter_mut().zip(actions) {
            *prior = row[self.column(state, action.clone())?];
        }
        position.set_value(Rewards::new(players, |player| row[policy + usize::from(player)]));
        Ok(())
    }
}

/// A state as the network sees it.
struct Oriented<G> {
    state: G,
    /// The number of its orientation in [`Symmetries`].
    number: usize,
}

/// The bits of an input, to draw from.
struct Bits<'a>(&'a [f32]);

impl Hash for Bits<'_> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.iter().for_each(|number| hasher.write_u32(number.to_bits()));
    }
}

fn finite(head: Head, column: usize, number: f32) -> Result<f64, EvaluationError> {
    if number.is_finite() {
        Ok(number.into())
    } else {
        Err(EvaluationError::NotFinite { head, column, number })
    }
}

impl<G: Planes> Evaluator<G> for Network<G> {
    fn evaluate(&self, batch: &mut [Position<'_, G>]) -> Result<(), BoxError> {
        let (mut input, mut open) = (Vec::new(), Vec::with_capacity(batch.len()));
        for position in batch {
            let key = self.key.map(|key| key(position.state));
            let kept = |key| self.locked(|cache| cache.get(key).map(|row| self.apply(position, row)));
            if let Some(applied) = key.and_then(kept) {
                self.counts.cached.fetch_add(1, Ordering::Relaxed);
                applied.unwrap_or_else(|error| position.fail(error));
                continue;
            }
            let start = input.len();
            match self.write_oriented(position.state, &mut input) {
                Ok(oriented) => open.push((position, key, oriented)),
                Err(error) => {
                    input.truncate(start);
                    position.fail(error);
                }
            }
        }
        let mut outputs = self.infer(&input)?.into_iter();
        for (position, key, oriented) in open {
            let outputs = Vec::from_iter(outputs.by_ref().take(oriented.len()));
            match (self.finish(position, &oriented, &outputs), key) {
                (Ok(row), Some(key)) => self.locked(|cache| cache.put(key, &row)),
                (Ok(_), None) => {}
                (Err(error), _) => position.fail(error),
            }
        }
        Ok(())
    }
}
