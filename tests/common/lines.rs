//! A game of a few actions, each playable once or repeatedly, with rewards by hash and with chance; a rollout
//! policy that draws nothing; and a model of the search, in double precision, that knows the full lines of
//! all iterations.

use super::hashed::{mix, unit};
use ramure::backpropagation::Backprop;
use ramure::selection::TreePolicy;
use ramure::simulation::{Leaf, RolloutPolicy, Trace};
use ramure::statistics::Statistics;
use ramure::{ActionIndex, Budget, GameFault, GameState, Mcts, Player, Rng, Turn};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// The number of actions.
pub const CELLS: u8 = 6;

/// The mark of chance in the list of turns.
pub const CHANCE: Player = Player::MAX;

/// `turns` lists the players in order. The rewards are a hash of the line and the player.
#[derive(Clone, Debug)]
pub struct Lines {
    turns: &'static [Player],
    repeats: bool,
    line: Vec<u8>,
}

thread_local! {
    /// The line of the last game that ended on this thread. (Chance also draws in rollouts, so the model
    /// needs the line.)
    static ENDED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

impl Lines {
    /// Returns the game before the first action.
    pub fn new(turns: &'static [Player]) -> Self {
        Lines { turns, repeats: false, line: Vec::new() }
    }

    /// Makes every action playable any number of times.
    pub fn repeating(self) -> Self {
        Lines { repeats: true, ..self }
    }

    /// Returns the player to move at this depth, or `None` for chance.
    fn mover(&self, depth: usize) -> Option<Player> {
        Some(self.turns[depth]).filter(|&player| player != CHANCE)
    }

    /// Returns the player who moved last before this depth, or player 0.
    fn chooser(&self, depth: usize) -> Player {
        (0..depth).rev().find_map(|above| self.mover(above)).unwrap_or(0)
    }

    /// Whether `action` can be played after the first `depth` actions of the line.
    fn can_play(&self, depth: usize, action: u8) -> bool {
        self.repeats || !self.line[..depth].contains(&action)
    }

    /// Returns a number for the line and `salt`.
    fn key(&self, salt: u64) -> u64 {
        self.line.iter().fold(mix(salt), |key, &action| mix(key ^ u64::from(action + 1)))
    }

    /// Returns the heuristic value of `action`, from 0 to 1.
    pub fn promise(&self, action: u8) -> f32 {
        unit(self.key(u64::from(action) + 100)) as f32
    }
}

impl GameState for Lines {
    type Action = u8;

    fn turn(&self) -> Turn {
        match self.turns.get(self.line.len()) {
            None => Turn::Over,
            Some(&CHANCE) => Turn::Chance,
            Some(&player) => Turn::Player(player),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        let cells = if self.turn() == Turn::Over { 0 } else { CELLS };
        (0..cells).filter(|&action| self.can_play(self.line.len(), action))
    }
    fn apply(&mut self, action: u8) {
        self.line.push(action);
    }
    fn reward(&self, player: Player) -> f64 {
        ENDED.with_borrow_mut(|ended| ended.clone_from(&self.line));
        // The first action decides half of the reward, so that the search has something to find.
        0.5 * unit(self.key(u64::from(player))) + 0.5 * unit(mix(u64::from(self.line[0] + 8 * player)))
    }
    fn players(&self) -> u8 {
        1 + self.turns.iter().filter(|&&player| player != CHANCE).max().expect("there are players")
    }
}

impl ActionIndex for Lines {
    const ACTION_COUNT: usize = CELLS as usize;
    fn action_index(action: u8) -> usize {
        usize::from(action)
    }
}

/// Rollouts that draw nothing: the action is a hash of the line.
#[derive(Clone, Copy)]
pub struct Fixed;

impl Fixed {
    fn action(state: &Lines) -> Option<u8> {
        let actions = Vec::from_iter(state.actions());
        (!actions.is_empty()).then(|| actions[(state.key(7) % actions.len() as u64) as usize])
    }
}

impl RolloutPolicy<Lines> for Fixed {
    type Trace = ();

    fn choose(&self, leaf: &Leaf<Lines, impl Trace<Lines>>, _: &mut Rng) -> Result<Option<u8>, GameFault> {
        Ok(Fixed::action(leaf.state()))
    }
}

/// The statistics of an action in a node: visits and mean, and the same for all moves as first.
#[derive(Clone, Copy, Default, Debug)]
pub struct Arm {
    pub action: u8,
    pub n: f64,
    pub q: f64,
    pub p: f64,
    pub a: f64,
    /// The heuristic value of the action.
    pub h: f64,
}

/// The model's statistics of a node of the tree.
#[derive(Clone, Default)]
struct Known {
    visits: f64,
    sum: f64,
    /// For each action, the number of iterations through this node in which the player to move played it here
    /// or later, and the sum of that player's rewards in them.
    amaf: HashMap<u8, (f64, f64)>,
}

/// A node in which the search chooses, as the model knows it before the iteration.
pub struct Here<'a> {
    pub visits: f64,
    pub player: Player,
    pub arms: Vec<Arm>,
    state: &'a Lines,
    model: &'a Model,
}

impl Here<'_> {
    /// Returns the number of times that the player to move ever played `action`, and the mean of the rewards.
    pub fn history(&self, action: u8) -> (f64, f64) {
        let (count, sum) = self.model.history.get(&(self.player, action)).copied().unwrap_or_default();
        (count, sum / count)
    }

    /// Returns the nodes above with the same player to move, the nearest first: visits, and AMAF count and
    /// mean of `action`.
    pub fn above(&self, action: u8) -> impl Iterator<Item = (f64, f64, f64)> {
        let state = self.state;
        let mine = (0..state.line.len()).rev().filter(move |&ply| state.turns[ply] == self.player);
        mine.map(move |ply| {
            let known = &self.model.nodes[&state.line[..ply]];
            let legal = state.can_play(ply, action);
            let (p, sum) = known.amaf.get(&action).copied().filter(|_| legal).unwrap_or_default();
            (known.visits, p, sum / p)
        })
    }
}

/// The model's statistics of all iterations so far.
#[derive(Default)]
struct Model {
    /// The nodes by the line that leads to them.
    nodes: HashMap<Vec<u8>, Known>,
    /// By player and action: the number of times played, and the sum of the rewards.
    history: HashMap<(Player, u8), (f64, f64)>,
}

impl Model {
    fn here<'a>(&'a self, state: &'a Lines) -> Here<'a> {
        let Turn::Player(player) = state.turn() else { panic!("a player chooses") };
        let known = self.nodes.get(&state.line).cloned().unwrap_or_default();
        let arm = |action| {
            let mut line = state.line.clone();
            line.push(action);
            let child = self.nodes.get(&line).cloned().unwrap_or_default();
            let (p, sum) = known.amaf.get(&action).copied().unwrap_or_default();
            let mean = |sum: f64, count: f64| if count == 0.0 { 0.0 } else { sum / count };
            let h = f64::from(state.promise(action));
            Arm { action, n: child.visits, q: mean(child.sum, child.visits), p, a: mean(sum, p), h }
        };
        let arms = state.actions().into_iter().map(arm).collect();
        Here { visits: known.visits.max(1.0), player, arms, state, model: self }
    }

    /// Adds an iteration that followed `path` through the tree, and went on to the end by [`Fixed`] and by
    /// chance.
    fn learn(&mut self, start: &Lines, path: &[u8]) {
        let end = Lines { line: ENDED.with_borrow(Vec::clone), ..start.clone() };
        assert!(end.line.starts_with(path), "the iteration went another way");
        for depth in path.len()..end.line.len() {
            let before = Lines { line: end.line[..depth].to_vec(), ..end.clone() };
            let expected = Fixed::action(&before).filter(|_| end.mover(depth).is_some());
            assert!(expected.is_none_or(|action| action == end.line[depth]), "the rollout went another way");
        }
        let rewards = Vec::from_iter((0..end.players()).map(|player| end.reward(player)));
        for depth in 0..=path.len() {
            let known = self.nodes.entry(path[..depth].to_vec()).or_default();
            known.visits += 1.0;
            if let Some(above) = depth.checked_sub(1) {
                known.sum += rewards[usize::from(start.chooser(above + 1))];
            }
            if depth < path.len()
                && let Some(player) = start.mover(depth)
            {
                // An iteration counts once for an action, however often it played that action.
                let mine = (depth..end.line.len()).filter(|&ply| start.turns[ply] == player);
                for action in HashSet::<u8>::from_iter(mine.map(|ply| end.line[ply])) {
                    let (p, sum) = known.amaf.entry(action).or_default();
                    (*p, *sum) = (*p + 1.0, *sum + rewards[usize::from(player)]);
                }
            }
        }
        for (&player, &action) in start.turns.iter().zip(&end.line).filter(|(player, _)| **player != CHANCE) {
            let (count, sum) = self.history.entry((player, action)).or_default();
            (*count, *sum) = (*count + 1.0, *sum + rewards[usize::from(player)]);
        }
    }
}

/// A score and its rank. A higher rank wins whatever the scores.
pub type Score = (u8, f64);

/// The rank of an unvisited child without statistics: before all others.
pub const FIRST: Score = (2, 0.0);

/// Follows a search iteration by iteration. Each choice must have the greatest `score`, up to a relative
/// error of 1e-5, and visits and means must equal those of the model.
pub fn follows<P, R, B>(
    mut search: Mcts<Lines, P, R, B>,
    iterations: u64,
    score: &dyn Fn(&Here<'_>, &Arm) -> Score,
) where
    P: TreePolicy<Lines, Stats: Statistics<Lines, R>>,
    R: RolloutPolicy<Lines>,
    B: Backprop<Lines>,
{
    let start = search.state().clone();
    let (mut model, mut choices, mut near, mut unknown) = (Model::default(), 0, 0, 0);
    for iteration in 0..iterations {
        search.run(Budget::iterations(1)).expect("a sound game");
        let mut node = search.tree().root().expect("it ran");
        let mut path = Vec::new();
        loop {
            let state = node.state().clone();
            let visits = |line: &Vec<u8>| model.nodes.get(line).map_or(0.0, |known| known.visits);
            let went = |child: &ramure::search::TreeNode<Lines, P, R, B>| {
                f64::from(child.visits()) > visits(&child.state().line)
            };
            let Some(next) = node.children().find(went) else { break };
            let chosen = next.action().expect("not the root");
            if state.turn() == Turn::Chance {
                path.push(chosen);
                node = next;
                continue;
            }
            let here = model.here(&state);
            let scores = Vec::from_iter(here.arms.iter().map(|arm| (arm.action, score(&here, arm))));
            let (rank, value) = scores.iter().find(|arm| arm.0 == chosen).expect("it is legal").1;
            let greatest = scores.iter().map(|arm| arm.1.0).max().expect("there are some");
            let best = scores.iter().filter(|arm| arm.1.0 == greatest).map(|arm| arm.1.1);
            let best = best.fold(f64::NEG_INFINITY, f64::max);
            assert!(
                rank == greatest && value >= best - 1e-5 * best.abs(),
                "iteration {iteration} after {:?} chose {chosen}: {scores:?} of {:?}",
                state.line,
                here.arms
            );
            choices += 1;
            near += u32::from(value < best);
            unknown += u32::from(rank == FIRST.0);
            path.push(chosen);
            node = next;
        }
        model.learn(&start, &path);
        let mean = f64::from(node.mean());
        let known = &model.nodes[&path];
        assert_eq!(f64::from(node.visits()), known.visits);
        assert!((mean - known.sum / known.visits).abs() < 1e-6 || path.is_empty(), "{mean} at {path:?}");
    }
    assert!(choices > iterations, "{choices} choices tell little");
    assert!(near * 50 < choices as u32, "{near} of {choices} choices are too close to tell");
    assert!(unknown * 2 < choices as u32, "{unknown} of {choices} choices were between the unknown");
}
