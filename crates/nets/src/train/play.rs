//! Games of self-play.

use super::settings::{Method, Settings};
use super::{Game, TrainError};
use crate::Network;
use ramure::backpropagation::{Average, Solver};
use ramure::search::{ReportOf, RootDecision};
use ramure::selection::{AtRoot, CompletedValues, Dirichlet, GumbelRoot, Puct};
use ramure::simulation::EvaluateBatch;
use ramure::{Budget, GameState, Mcts, Player, Rewards, Rng, Search, Turn};
use serde::{Deserialize, Serialize};

/// The greatest number of actions that Gumbel search draws at the root.
const CONSIDERED: u32 = 16;
/// By how much the rewards of two players may miss 1.
const TOLERANCE: f64 = 1e-6;

/// What was found in one position of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Found {
    /// The number of actions before it.
    pub ply: u32,
    /// The target for each action, in the order of [`GameState::actions`].
    pub policy: Vec<f32>,
    /// The rewards of all players, if the search has proven them.
    pub proof: Option<Vec<f32>>,
}

/// A game that was played, from the start of the training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    /// Each action and each outcome of chance, as its number in [`GameState::actions`].
    pub actions: Vec<u32>,
    pub found: Vec<Found>,
    /// The rewards of all players.
    pub rewards: Vec<f32>,
}

/// A player of self-play or of a match.
pub(crate) trait Mind<G: GameState> {
    /// Searches from `state`.
    fn think(&mut self, state: &G, seed: u64, decision: RootDecision) -> Result<ReportOf<G>, TrainError>;
}

/// A search for a fixed number of iterations.
struct Fixed<S> {
    search: S,
    budget: Budget,
}

impl<G: GameState, S: Search<Game = G>> Mind<G> for Fixed<S> {
    fn think(&mut self, state: &G, seed: u64, decision: RootDecision) -> Result<ReportOf<G>, TrainError> {
        self.search.reset(state.clone());
        self.search.set_seed(seed);
        self.search.set_root_decision(Some(decision));
        Ok(self.search.run(self.budget)?)
    }
}

/// Returns the search with a network. `noise` scales the noise at the root: 1 in self-play, 0 in a match.
pub(crate) fn with_network<'a, G: Game + 'a>(
    network: &Network<G>,
    state: &G,
    settings: &Settings,
    simulations: u32,
    noise: f32,
) -> Box<dyn Mind<G> + 'a> {
    let search = Mcts::new(state.clone()).rollout_policy(EvaluateBatch::new(network.clone()));
    let search = search.backprop(Solver::new(Average));
    let budget = Budget::iterations(simulations.into());
    match settings.method {
        Method::Gumbel => {
            let root = GumbelRoot::new(CONSIDERED).noise(noise);
            Box::new(Fixed {
                search: search.tree_policy(AtRoot::new(root, CompletedValues::default())),
                budget,
            })
        }
        Method::AlphaZero => {
            let policy = AtRoot::new(Dirichlet::default().epsilon(0.25 * noise), Puct::default());
            Box::new(Fixed { search: search.tree_policy(policy), budget })
        }
    }
}

/// Returns a plain search: UCT with a solver and random rollouts.
pub(crate) fn plain<'a, G: Game + 'a>(state: &G, iterations: u64) -> Box<dyn Mind<G> + 'a> {
    let search = Mcts::new(state.clone()).backprop(Solver::new(Average));
    Box::new(Fixed { search, budget: Budget::iterations(iterations) })
}

/// Plays random actions, as many as drawn. Stops before an action that ends the game.
pub(crate) fn open<G: GameState>(state: &mut G, most: u32, rng: &mut Rng) -> Vec<u32> {
    let mut actions = Vec::new();
    for _ in 0..rng.below(most as usize + 1) {
        let mut next = state.clone();
        let Some(number) = random_step(&mut next, rng) else { break };
        if next.turn() == Turn::Over {
            break;
        }
        *state = next;
        actions.push(number);
    }
    actions
}

/// Plays a random action, or lets chance draw. Returns its number among the actions; `None` if there is none.
fn random_step<G: GameState>(state: &mut G, rng: &mut Rng) -> Option<u32> {
    let action = state.random_action(rng)?;
    let number = state.actions().into_iter().position(|legal| legal == action)?;
    state.apply(action);
    Some(number as u32)
}

/// Plays a game to its end.
pub(crate) struct Match<'a> {
    pub settings: &'a Settings,
    /// Whether actions are drawn for variety, as the method says.
    pub explores: bool,
}

impl Match<'_> {
    /// Plays from `start`. `mind` plays for everybody.
    pub(crate) fn play<G: Game>(
        &self,
        start: &G,
        mind: &mut dyn Mind<G>,
        rng: &mut Rng,
    ) -> Result<Record, TrainError> {
        self.play_by(start, rng, |_, state, seed, decision| mind.think(state, seed, decision))
    }

    /// Plays from `start`. `first` has this seat, and `second` all others.
    pub(crate) fn play_seated<G: Game>(
        &self,
        start: &G,
        seat: usize,
        first: &mut dyn Mind<G>,
        second: &mut dyn Mind<G>,
        rng: &mut Rng,
    ) -> Result<Record, TrainError> {
        self.play_by(start, rng, |player, state, seed, decision| {
            let mind: &mut dyn Mind<G> = if usize::from(player) == seat { &mut *first } else { &mut *second };
            mind.think(state, seed, decision)
        })
    }

    fn play_by<G: Game>(
        &self,
        start: &G,
        rng: &mut Rng,
        mut think: impl FnMut(Player, &G, u64, RootDecision) -> Result<ReportOf<G>, TrainError>,
    ) -> Result<Record, TrainError> {
        let settings = self.settings;
        let mut state = start.clone();
        let mut record =
            Record { actions: open(&mut state, settings.openings, rng), found: vec![], rewards: vec![] };
        let opening = record.actions.len();
        loop {
            if record.actions.len() >= settings.longest_game as usize {
                return Err(TrainError::LongGame { limit: settings.longest_game });
            }
            if state.is_simultaneous() {
                return Err(TrainError::Game { reason: "players move at the same time" });
            }
            let number = match state.turn() {
                Turn::Over => break,
                Turn::Player(player) => {
                    let played = (record.actions.len() - opening) as u64;
                    let is_drawn = self.explores
                        && settings.method == Method::AlphaZero
                        && played < settings.temperature_actions.into();
                    let decision =
                        if is_drawn { RootDecision::Temperature(1.0) } else { RootDecision::Robust };
                    let report = think(player, &state, rng.bits(), decision)?;
                    let chosen =
                        report.chosen.ok_or(TrainError::Game { reason: "a search chose no action" })?;
                    record.found.push(found(&report, player, state.players(), record.actions.len()));
                    state.apply(report.actions[chosen].action);
                    chosen as u32
                }
                _ => random_step(&mut state, rng)
                    .ok_or(TrainError::Game { reason: "chance has no outcome to draw" })?,
            };
            record.actions.push(number);
        }
        record.rewards = rewards(&state)?;
        Ok(record)
    }
}

/// Returns what a search has found for the network to learn.
fn found<A>(report: &ramure::Report<A>, player: Player, players: u8, ply: usize) -> Found {
    let policy = report.improved_policy().unwrap_or_else(|| report.visit_shares());
    let proof = match (report.proof, players) {
        (Some(proof), 1) => Some(vec![proof]),
        (Some(proof), 2) => {
            Some((0..2).map(|other| if other == player { proof } else { 1.0 - proof }).collect())
        }
        _ => None,
    };
    Found { ply: ply as u32, policy, proof }
}

/// Returns the rewards of a finished game, if a network can learn them.
fn rewards<G: GameState>(state: &G) -> Result<Vec<f32>, TrainError> {
    let rewards = Rewards::of(state).map_err(TrainError::Rules)?;
    let sum: f64 = rewards.as_slice().iter().map(|&reward| f64::from(reward)).sum();
    if state.players() == 2 && (sum - 1.0).abs() > TOLERANCE {
        return Err(TrainError::Rewards {
            found: rewards.as_slice().iter().map(|&reward| reward.into()).collect(),
        });
    }
    Ok(rewards.as_slice().to_vec())
}
