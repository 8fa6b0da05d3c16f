//! The tutorial's search, unchanged and with one part changed.

use ramure::agents::MctsAgent;
use ramure::backpropagation::{Average, Backprop, Step};
use ramure::games::SudoTicTacToe;
use ramure::games::sudo_tic_tac_toe::Cell;
use ramure::selection::Ucb1;
use ramure::simulation::{Cutoff, EpsilonGreedyRollouts, RolloutPolicy, Uniform};
use ramure::statistics::Statistics;
use ramure::{Budget, GameState, Mcts, Player, Rewards, RootDecision, Turn};
use ramure_lab::Recipe;

/// The tutorial's exploration constant: 0.1 sqrt 2 on wins minus losses is half of that on rewards in [0, 1].
pub const C: f32 = 0.0707;

/// The kind of a rollout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rollout {
    /// At random, as in the tutorial.
    Light,
    /// Complete three in a row in a local board if possible, or else prevent it; one time in ten, play at random.
    Heavy,
    /// This number of random actions, then the static evaluation.
    Cutoff(u32),
}

/// The tutorial's search.
pub fn tutorial(name: &str, budget: Budget, rollout: Rollout) -> Recipe<SudoTicTacToe> {
    match rollout {
        Rollout::Light => agent(name, budget, Uniform, |_| Average),
        Rollout::Heavy => agent(name, budget, EpsilonGreedyRollouts::new(0.1, promise), |_| Average),
        Rollout::Cutoff(actions) => agent(name, budget, Cutoff::new(actions), |_| Average),
    }
}

/// The tutorial's search with the tutorial's backup, from the view of the player for whom it searches.
pub fn unswitched(name: &str, budget: Budget) -> Recipe<SudoTicTacToe> {
    agent(name, budget, Uniform, |viewer| Unswitched { viewer })
}

/// The tutorial's search with the tutorial's backup, always from the view of the first player.
pub fn unswitched_first(name: &str, budget: Budget) -> Recipe<SudoTicTacToe> {
    agent(name, budget, Uniform, |_| Unswitched { viewer: 0 })
}

fn agent<R, B>(name: &str, budget: Budget, rollout: R, backup: fn(Player) -> B) -> Recipe<SudoTicTacToe>
where
    R: RolloutPolicy<SudoTicTacToe> + Copy + Send + Sync + 'static,
    B: Backprop<SudoTicTacToe> + 'static,
    f32: Statistics<SudoTicTacToe, R>,
{
    let name = name.to_owned();
    Recipe::new(move || {
        let make = move |state: &SudoTicTacToe, seed| {
            // The agent plays for the same player throughout the game.
            let viewer = if let Turn::Player(player) = state.turn() { player } else { 0 };
            Mcts::new(*state)
                .tree_policy(Ucb1::new(C))
                .rollout_policy(rollout)
                .backprop(backup(viewer))
                .root_decision(RootDecision::Max)
                .seed(seed)
        };
        MctsAgent::new(name.clone(), budget, make).without_tree_reuse()
    })
}

/// The tutorial's backup: every node of the path gets the reward of the same player, regardless of the player who chose it.
#[derive(Clone, Copy)]
struct Unswitched {
    viewer: Player,
}

impl<G: GameState> Backprop<G> for Unswitched {
    type Stats = ();

    fn update(&self, step: impl Step<G, ()>, rewards: &mut Rewards) {
        step.record(rewards[self.viewer]);
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
