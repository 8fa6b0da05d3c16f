//! The tutorial's search, unchanged and with one part changed.

use ramure::backpropagation::{Average, Backprop, Step};
use ramure::selection::Ucb1;
use ramure::simulation::{Cutoff, EpsilonGreedyRollouts, Leaf, RolloutPolicy, Trace, Uniform};
use ramure::{Budget, GameFault, GameState, Mcts, Player, Rewards, Rng, RootDecision, Turn};
use ramure_agents::MctsAgent;
use ramure_games::SudoTicTacToe;
use ramure_games::sudo_tic_tac_toe::Cell;
use ramure_lab::Recipe;

/// The tutorial's exploration constant: 0.1 sqrt 2 on wins minus losses is half of that on rewards in [0, 1].
pub const C: f32 = 0.0707;

/// The kind of a rollout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rollout {
    /// At random, as in the tutorial.
    Light,
    /// Complete three in a row in a local board if possible, or else prevent it; one time in ten, play at
    /// random.
    Heavy,
    /// This number of random actions, then the static evaluation.
    Cutoff(u32),
}

impl RolloutPolicy<SudoTicTacToe> for Rollout {
    type Trace = ();

    #[inline(always)]
    fn simulate(
        &self,
        leaf: &mut Leaf<SudoTicTacToe, impl Trace<SudoTicTacToe>>,
        rng: &mut Rng,
    ) -> Result<Rewards, GameFault> {
        match *self {
            Rollout::Light => Uniform.simulate(leaf, rng),
            Rollout::Heavy => apart(&EpsilonGreedyRollouts::new(0.1, promise), leaf, rng),
            Rollout::Cutoff(actions) => apart(&Cutoff::new(actions), leaf, rng),
        }
    }
}

/// Plays a rollout outside the loop. Inside it, its code would slow down light rollouts, whose speed is
/// measured.
#[inline(never)]
fn apart(
    rollout: &impl RolloutPolicy<SudoTicTacToe>,
    leaf: &mut Leaf<SudoTicTacToe, impl Trace<SudoTicTacToe>>,
    rng: &mut Rng,
) -> Result<Rewards, GameFault> {
    rollout.simulate(leaf, rng)
}

/// The tutorial's search.
pub fn tutorial(name: &str, budget: Budget, rollout: Rollout) -> Recipe<SudoTicTacToe> {
    agent(name, budget, rollout, |_| Backup::Switched)
}

/// The tutorial's search with the tutorial's backup, from the view of the player for whom it searches.
pub fn unswitched(name: &str, budget: Budget) -> Recipe<SudoTicTacToe> {
    agent(name, budget, Rollout::Light, |viewer| Backup::Unswitched { viewer })
}

/// The tutorial's search with the tutorial's backup, always from the view of the first player.
pub fn unswitched_first(name: &str, budget: Budget) -> Recipe<SudoTicTacToe> {
    agent(name, budget, Rollout::Light, |_| Backup::Unswitched { viewer: 0 })
}

/// A search of this section. All of them are one type, so that their loop is compiled once.
pub type Tutorial = Mcts<SudoTicTacToe, Ucb1, Rollout, Backup>;

/// A search of `state` with this exploration constant.
pub fn search(state: SudoTicTacToe, c: f32, rollout: Rollout, backup: Backup) -> Tutorial {
    Mcts::new(state).tree_policy(Ucb1::new(c)).rollout_policy(rollout).backprop(backup)
}

fn agent(
    name: &str,
    budget: Budget,
    rollout: Rollout,
    backup: fn(Player) -> Backup,
) -> Recipe<SudoTicTacToe> {
    let name = name.to_owned();
    Recipe::new(move || {
        let make = move |state: &SudoTicTacToe, seed| {
            // The agent plays for the same player throughout the game.
            let viewer = if let Turn::Player(player) = state.turn() { player } else { 0 };
            search(*state, C, rollout, backup(viewer)).root_decision(RootDecision::Max).seed(seed)
        };
        MctsAgent::new(name.clone(), budget, make).without_tree_reuse()
    })
}

/// Our backup or the tutorial's.
#[derive(Clone, Copy)]
pub enum Backup {
    /// Ours: a node gets the reward of the player who chose it.
    Switched,
    /// The tutorial's: every node of the path gets the reward of the same player, regardless of the player
    /// who chose it.
    Unswitched { viewer: Player },
}

impl<G: GameState> Backprop<G> for Backup {
    type Stats = ();

    #[inline(always)]
    fn update(&self, step: impl Step<G, ()>, rewards: &mut Rewards) {
        match *self {
            Backup::Switched => Average.update(step, rewards),
            Backup::Unswitched { viewer } => step.record(rewards[viewer]),
        }
    }
}

/// The lines of three in a local board.
const LINES: [[u8; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// Returns the value of an action in a heavy rollout.
fn promise(state: &SudoTicTacToe, action: Cell) -> f32 {
    match state.turn() {
        Turn::Player(player) if completes(state, action, player) => 2.0,
        Turn::Player(player) if completes(state, action, 1 - player) => 1.0,
        _ => 0.0,
    }
}

/// Returns whether `player` would have three in a row with this cell.
fn completes(state: &SudoTicTacToe, at: Cell, player: Player) -> bool {
    let has = |cell: u8| {
        let (row, column) = (at.board() / 3 * 3 + cell / 3, at.board() % 3 * 3 + cell % 3);
        state.cell(row, column) == Some(player)
    };
    let through = LINES.iter().filter(|line| line.contains(&at.cell()));
    through.into_iter().any(|line| line.iter().all(|&cell| cell == at.cell() || has(cell)))
}
