//! Scores on any scale: another scale gives the same lines. No optimizer reads rewards.

use crate::problems::Maze;
use ramure::selection::SinglePlayer;
use ramure::{ActionCode, Budget, GameState, Mcts, Player, Rng, Scored, Turn};
use ramure_puzzles::{FlatSampling, NestedSearch, Nrpa, Optimization, Optimizer, SinglePlayerMcts};

/// A maze with the scores `factor * score + offset`, and without rewards.
#[derive(Clone)]
struct Rescaled {
    maze: Maze,
    factor: f64,
    offset: f64,
}

impl GameState for Rescaled {
    type Action = u8;

    fn players(&self) -> u8 {
        1
    }
    fn turn(&self) -> Turn {
        self.maze.turn()
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        self.maze.actions()
    }
    fn apply(&mut self, action: u8) {
        self.maze.apply(action);
    }
    fn reward(&self, _: Player) -> f64 {
        panic!("an optimizer goes by scores");
    }
}

impl Scored for Rescaled {
    fn score(&self) -> f64 {
        self.factor * self.maze.score() + self.offset
    }
}

impl ActionCode for Rescaled {
    fn action_code(&self, action: u8) -> u64 {
        self.maze.action_code(action)
    }
}

#[test]
fn another_scale_of_scores_gives_the_same_lines() {
    fn check(optimizer: impl Optimizer<Rescaled> + Copy) {
        for maze in 0..4 {
            let maze = Maze::new(maze);
            // The scores of the maze, line after line, and the best line.
            let run = |factor, offset| {
                let start = Rescaled { maze: maze.clone(), factor, offset };
                let mut search = Optimization::new(start, optimizer).seed(6);
                let best = search.run(Budget::iterations(400)).expect("a sound problem");
                let scores = maze.take();
                let greatest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                assert_eq!(best.score, factor * greatest + offset, "the score is that of the game");
                (scores, best.actions)
            };
            let expected = run(1.0, 0.0);
            let two = |exponent: i32| libm::ldexp(1.0, exponent);
            for (factor, offset) in [
                (1.0, 1e6),
                (1.0, -1e12),
                (two(-10), 1e6),
                (1e-3, 0.0),
                (3.7, -100.0),
                (1e9 / 3.0, 5e9),
                (two(1_000), 0.0),
                (two(-1_000), 0.0),
                (1e306, -3e306),
            ] {
                assert_eq!(run(factor, offset), expected, "{factor} * score + {offset}");
            }
        }
    }
    check(FlatSampling);
    check(NestedSearch::new(2));
    check(NestedSearch::new(2).beam(2, 3));
    check(Nrpa::new(2).iterations(8));
    check(Nrpa::new(2).iterations(5).rollouts(2).beam(1, 2));
    check(SinglePlayerMcts::new(150));
    check(SinglePlayerMcts::new(150).tree_policy(SinglePlayer::new(0.5, 0.1)));
}

/// A maze whose scores are rewards.
#[derive(Clone)]
struct ByReward(Maze);

impl ByReward {
    fn value(&self) -> f64 {
        // A fraction of a power of two: no sum of them is rounded.
        (self.0.score() + 13.5) / 64.0
    }
}

impl GameState for ByReward {
    type Action = u8;

    fn players(&self) -> u8 {
        1
    }
    fn turn(&self) -> Turn {
        self.0.turn()
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        self.0.actions()
    }
    fn apply(&mut self, action: u8) {
        self.0.apply(action);
    }
    fn reward(&self, _: Player) -> f64 {
        self.value()
    }
}

impl Scored for ByReward {
    fn score(&self) -> f64 {
        self.value()
    }
}

/// The rule for scores is a second implementation of that for rewards.
#[test]
fn a_tree_of_scores_in_the_unit_interval_is_one_of_rewards() {
    for (number, policy) in [SinglePlayer::default(), SinglePlayer::new(0.4, 0.05)].into_iter().enumerate() {
        for maze in 0..6 {
            let maze = Maze::new(maze);
            let optimizer = SinglePlayerMcts::new(300).tree_policy(policy);
            let mut search = Optimization::new(ByReward(maze.clone()), optimizer).passes(1).seed(4);
            search.run(Budget::until_stopped()).expect("a sound problem");
            let scores = maze.take();
            assert_eq!(scores.len(), 300);
            // The seed of the tree: the first number of the first search.
            let seed = Rng::seeded(Rng::seeded(4).bits()).bits();
            let mut tree = Mcts::new(ByReward(maze.clone()))
                .tree_policy(policy)
                .backprop(ramure::backpropagation::Average)
                .seed(seed);
            tree.run(Budget::iterations(300)).expect("a sound problem");
            assert_eq!(scores, maze.take(), "policy {number}, maze {maze:?}");
        }
    }
}
