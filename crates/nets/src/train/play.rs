//! Games of self-play.

use super::settings::{Method, Settings};
use super::{Game, TrainError};
use crate::Network;
use ramure::backpropagation::{Average, Solver};
use ramure::search::ActionOf;
use ramure::selection::{AtRoot, CompletedValues, Dirichlet, GumbelRoot, Puct};
use ramure::simulation::Evaluate;
use ramure::{Budget, GameState, Mcts, Player, Rewards, Rng, Search, Turn};
use ramure::{Bytes, Report, RootDecision};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The greatest number of actions that Gumbel search draws at the root.
const CONSIDERED: u32 = 16;
/// The memory of a search, far more than it needs with usual settings.
const MEMORY: Bytes = Bytes(1 << 30);
/// By how much the rewards of two players may miss 1.
const TOLERANCE: f64 = 1e-6;

/// The result of the search of one position of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Target {
    /// The number of actions before it.
    pub ply: u32,
    /// The target for each action, in the order of [`GameState::actions`]; empty where chance draws.
    pub policy: Vec<f32>,
    /// The rewards of all players, if the search has proven them.
    pub proof: Option<Vec<f32>>,
}

/// A game that was played, from the start of the training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    /// Each action and each outcome of chance, as its number in [`GameState::actions`].
    pub actions: Vec<u32>,
    pub targets: Vec<Target>,
    /// The rewards of all players.
    pub rewards: Vec<f32>,
}

/// A player of self-play or of a match: a search for a fixed number of iterations.
pub(crate) struct Searcher<'a, G: GameState> {
    search: Box<dyn Search<Space = G> + 'a>,
    budget: Budget,
}

impl<G: GameState> Searcher<'_, G> {
    /// Searches from `state`.
    pub(crate) fn search(
        &mut self,
        state: &G,
        seed: u64,
        decision: Option<RootDecision>,
    ) -> Result<Report<ActionOf<G>>, TrainError> {
        self.search.reset(state.clone());
        self.search.set_seed(seed);
        self.search.set_root_decision(decision);
        Ok(self.search.run(self.budget)?)
    }
}

/// Returns the search with a network. `noise` scales the noise at the root: 1 in self-play, 0 for the
/// strongest play.
pub(crate) fn with_network<'a, G: Game + 'a>(
    network: &Network<G>,
    state: &G,
    settings: &Settings,
    iterations: u32,
    noise: f32,
) -> Searcher<'a, G> {
    let search = Mcts::new(state.clone()).memory_limit(MEMORY).rollout_policy(Evaluate::new(network.clone()));
    let search = search.backprop(Solver::new(Average));
    let search: Box<dyn Search<Space = G> + 'a> = match settings.method {
        Method::Gumbel => {
            let root = GumbelRoot::new(CONSIDERED).noise(noise);
            Box::new(search.tree_policy(AtRoot::new(root, CompletedValues::default())))
        }
        Method::AlphaZero => {
            // The constant of the paper: what a network says before it has learnt has no deviation to trust.
            let root = Dirichlet::default().epsilon(0.25 * noise);
            Box::new(search.tree_policy(AtRoot::new(root, Puct::new(1.25))))
        }
    };
    Searcher { search, budget: Budget::iterations(iterations.into()) }
}

/// Returns a plain search: UCT with a solver and random rollouts.
pub(crate) fn plain<'a, G: Game + 'a>(state: &G, iterations: u64) -> Searcher<'a, G> {
    let search = Mcts::new(state.clone()).memory_limit(MEMORY).backprop(Solver::new(Average));
    Searcher { search: Box::new(search), budget: Budget::iterations(iterations) }
}

/// Plays random actions, as many as drawn from `lengths`. Stops before an action that ends the game.
pub(crate) fn open<G: GameState>(state: &mut G, lengths: RangeInclusive<u32>, rng: &mut Rng) -> Vec<u32> {
    let mut actions = Vec::new();
    let (least, most) = lengths.into_inner();
    for _ in 0..least as usize + rng.below((most - least) as usize + 1) {
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
    let drawn = match state.turn() {
        Turn::Chance => state.random_outcome(rng),
        _ => state.random_action(rng),
    };
    let action = drawn?;
    let number = state.actions().into_iter().position(|legal| legal == action)?;
    state.apply(action);
    Some(number as u32)
}

/// Plays a game to its end.
pub(crate) struct Match<'a> {
    pub settings: &'a Settings,
    /// How many random actions a game may begin with.
    pub openings: RangeInclusive<u32>,
    /// Whether actions are drawn for variety, as the method says.
    pub explores: bool,
}

impl Match<'_> {
    /// Plays from `start`. `seat` returns the place in `searchers` of the one that plays for a player.
    pub(crate) fn play<G: Game>(
        &self,
        start: &G,
        searchers: &mut [Searcher<'_, G>],
        seat: impl Fn(Player) -> usize,
        rng: &mut Rng,
    ) -> Result<Record, TrainError> {
        let settings = self.settings;
        let mut state = start.clone();
        let [least, most] =
            [self.openings.start(), self.openings.end()].map(|&length| length.min(settings.longest_game));
        let mut record =
            Record { actions: open(&mut state, least..=most, rng), targets: vec![], rewards: vec![] };
        let opening = record.actions.len();
        loop {
            if state.is_simultaneous() {
                return Err(TrainError::Game { reason: "players move at the same time" });
            }
            let number = match state.turn() {
                Turn::Over => break,
                _ if record.actions.len() >= settings.longest_game as usize => {
                    return Err(TrainError::LongGame { limit: settings.longest_game });
                }
                Turn::Player(player) => {
                    let played = (record.actions.len() - opening) as u64;
                    let is_drawn = self.explores
                        && settings.method == Method::AlphaZero
                        && played < settings.temperature_actions.into();
                    // Without a decision of ours, Gumbel search plays the winner of its halving.
                    let decision = is_drawn.then_some(RootDecision::Temperature(1.0));
                    let report = searchers[seat(player)].search(&state, rng.bits(), decision)?;
                    let chosen =
                        report.chosen.ok_or(TrainError::Game { reason: "a search chose no action" })?;
                    record.targets.push(target(&report, player, state.players(), record.actions.len()));
                    state.apply(report.actions[chosen].action.clone());
                    chosen as u32
                }
                _ => {
                    // The search asks for the value of this position, too.
                    record.targets.push(Target {
                        ply: record.actions.len() as u32,
                        policy: vec![],
                        proof: None,
                    });
                    let no_outcome = TrainError::Game { reason: "chance has no outcome to draw" };
                    random_step(&mut state, rng).ok_or(no_outcome)?
                }
            };
            record.actions.push(number);
        }
        record.rewards = rewards(&state)?;
        Ok(record)
    }
}

/// Returns what a search has found for the network to learn.
pub(crate) fn target<A>(report: &ramure::Report<A>, player: Player, players: u8, ply: usize) -> Target {
    let policy = report.improved_policy().unwrap_or_else(|| report.visit_shares());
    let proof = match (report.proof, players) {
        (Some(proof), 1) => Some(vec![proof]),
        (Some(proof), 2) => {
            Some((0..2).map(|other| if other == player { proof } else { 1.0 - proof }).collect())
        }
        _ => None,
    };
    Target { ply: ply as u32, policy, proof }
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
