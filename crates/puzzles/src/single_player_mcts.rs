//! Monte-Carlo tree search for one player, with restarts.

use crate::attempts::{Attempts, Ended, fault, unknown};
use crate::driver::Optimizer;
use crate::error::PuzzleError;
use crate::score_tree::{ByScore, WithoutRewards};
use core::cell::{Cell, OnceCell, RefCell};
use ramure::backpropagation::Average;
use ramure::selection::SinglePlayer;
use ramure::simulation::{Leaf, RolloutPolicy, Trace};
use ramure::{
    Budget, Bytes, GameFault, GameState, Mcts, ParameterError, Player, Rewards, Rng, Scored, StopHandle,
    Turn, fail,
};

/// SP-MCTS: tree search by [`SinglePlayer`] with random rollouts, which starts again with an empty tree after
/// some iterations. A pass is one tree.
///
/// Each iteration plays a line to its end. The result is the best of these lines, with its exact puzzle
/// score. The tree reads the score, too, and not [`GameState::reward`]: it scales scores by the least and the
/// greatest score of its lines so far. So scores may be on any scale, and another scale gives the same lines,
/// up to rounding. A penalty for bad lines should be of the size of the scores, because a far smaller score
/// would hide the differences between all others. Restarts help because each tree settles on one beginning of
/// the line, and the next tree may settle on another one.
///
/// **Use it** for puzzles whose first actions matter: lines with different beginnings differ more than lines
/// with the same one. [`Nrpa`](crate::Nrpa) is better if good lines share many actions. For other policies,
/// use [`Mcts`] with [`BestLine`](ramure::simulation::BestLine) yourself.
///
/// **Parameters:** the tree policy, the iterations of a tree, and a [limit](Self::memory_limit) of its
/// memory. **Cost:** the rollouts; the memory of one tree for each thread.
///
/// **Source:** Schadd, Winands, van den Herik, Chaslot and Uiterwijk, *Single-Player Monte-Carlo Tree
/// Search*, 2008; the restarts: section 4.3. The scale: Schrittwieser et al., *Mastering Atari, Go, Chess and
/// Shogi by Planning with a Learned Model*, 2020, equation 5, which takes the least and the greatest mean in
/// the tree instead.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::SinglePlayer;
/// use ramure_games::SameGame;
/// use ramure_puzzles::{Optimization, SinglePlayerMcts};
///
/// let optimizer = SinglePlayerMcts::new(100).tree_policy(SinglePlayer::new(0.1, 0.001));
/// let best = Optimization::new(SameGame::random(7), optimizer).run(Budget::iterations(250))?;
/// assert_eq!((best.rollouts, best.passes), (250, 2));
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SinglePlayerMcts {
    tree_policy: SinglePlayer,
    iterations: u64,
    memory_limit: Bytes,
}

impl SinglePlayerMcts {
    /// Creates the search. It starts again after `iterations` iterations, at least 1.
    pub fn new(iterations: u64) -> Self {
        SinglePlayerMcts { tree_policy: SinglePlayer::default(), iterations, memory_limit: Bytes(usize::MAX) }
    }

    /// Sets the tree policy. \[Default: [`SinglePlayer::default`]\]
    #[must_use]
    pub fn tree_policy(mut self, tree_policy: SinglePlayer) -> Self {
        self.tree_policy = tree_policy;
        self
    }

    /// Sets the most memory that a tree may take. \[Default: no limit\]
    ///
    /// At the limit, the tree stops growing: its least visited nodes lose their children, as
    /// [`Mcts::memory_limit`] describes, and the search goes on. The best line is not part of the tree, so it
    /// stays. With [`run_on`](crate::Optimization::run_on), there is one tree for each thread. A limit
    /// without room for the children of the root is an error of the run.
    ///
    /// ```
    /// use ramure::Bytes;
    /// use ramure::prelude::*;
    /// use ramure_games::SameGame;
    /// use ramure_puzzles::{Optimization, SinglePlayerMcts};
    ///
    /// let optimizer = SinglePlayerMcts::new(1_000_000).memory_limit(Bytes::mib(64));
    /// let best = Optimization::new(SameGame::random(7), optimizer).run(Budget::iterations(100))?;
    /// assert_eq!(best.rollouts, 100);
    /// # Ok::<(), SearchError>(())
    /// ```
    #[must_use]
    pub fn memory_limit(mut self, limit: Bytes) -> Self {
        self.memory_limit = limit;
        self
    }
}

impl<G: Scored> Optimizer<G> for SinglePlayerMcts {
    fn pass(&self, attempts: &mut Attempts<'_, G>) -> Result<(), Ended> {
        let (root, seed) = (attempts.root(), attempts.rng().bits());
        let score = Cell::new(0.0);
        let watched = Watched {
            attempts: RefCell::new(attempts),
            score: &score,
            stop: OnceCell::new(),
            ended: Cell::new(None),
            is_counted: Cell::new(false),
        };
        let mut search = Mcts::new(WithoutRewards { state: root.clone() })
            .tree_policy(ByScore::new(self.tree_policy, &score))
            .rollout_policy(watched)
            .backprop(Average) // a reward of 0 would be a proven loss
            .memory_limit(self.memory_limit)
            .seed(seed);
        // The handle exists only after the policy is in the search. The cell was empty, so setting it
        // succeeds.
        let _ = search.rollout_policy_ref().stop.set(search.stop_handle());
        search.run(Budget::iterations(self.iterations))?;
        search.rollout_policy_ref().ended.take().map_or(Ok(()), Err)
    }

    fn check(&self) -> Result<(), ParameterError> {
        let (count, name) = (self.iterations, "SinglePlayerMcts, iterations");
        ParameterError::unless(count > 0, name, count as f64, "at least 1")
    }
}

/// Random rollouts that report each finished line.
struct Watched<'a, 'r, G: GameState> {
    attempts: RefCell<&'a mut Attempts<'r, G>>,
    /// The score of the line of this iteration, for the tree policy.
    score: &'a Cell<f64>,
    /// Stops the search when the attempts end.
    stop: OnceCell<StopHandle>,
    ended: Cell<Option<Ended>>,
    /// Whether the line of this iteration was reported.
    is_counted: Cell<bool>,
}

impl<G: Scored> Watched<'_, '_, G> {
    fn end(&self, ended: Ended) {
        if let Some(stop) = self.stop.get() {
            stop.stop();
        }
        self.ended.set(Some(ended));
    }

    fn report(&self, end: &G, line: &[(Player, G::Action)]) {
        let finished =
            self.attempts.borrow_mut().finish_by(end, line.iter().map(|(_, action)| action.clone()));
        match finished {
            Ok(score) => self.score.set(score),
            Err(ended) => self.end(ended),
        }
    }
}

impl<G: Scored> RolloutPolicy<WithoutRewards<G>> for Watched<'_, '_, G> {
    type Trace = OwnLine<G::Action>;

    fn simulate(
        &self,
        leaf: &mut Leaf<WithoutRewards<G>, impl Trace<WithoutRewards<G>>>,
        rng: &mut Rng,
    ) -> Result<Rewards, GameFault> {
        let rewards = leaf.play_out_at_random(rng)?;
        self.report(&leaf.state().state, leaf.played());
        self.is_counted.set(true);
        Ok(rewards)
    }

    fn learn(&mut self, OwnLine(line): &Self::Trace, _: &Rewards) {
        if self.is_counted.replace(false) {
            return;
        }
        // The tree has reached the end of the game, so there was no rollout.
        let mut end = self.attempts.get_mut().root().clone();
        line.iter().for_each(|(_, action)| end.apply(action.clone()));
        match end.turn() {
            Turn::Over => self.report(&end, line),
            _ => {
                self.end(fault(GameFault::Replay, line.iter().map(|(_, action)| action)));
            }
        }
    }
}

/// The actions of an iteration, in a one-player game without chance.
#[derive(Clone)]
struct OwnLine<A>(Vec<(Player, A)>);

impl<A> Default for OwnLine<A> {
    fn default() -> Self {
        OwnLine(Vec::new())
    }
}

impl<G: GameState> Trace<G> for OwnLine<G::Action> {
    fn restart(&mut self) {
        self.0.clear();
    }

    fn record(&mut self, _: &G, turn: Turn, action: &G::Action) -> Result<(), GameFault> {
        match turn {
            Turn::Player(0) => self.0.push((0, action.clone())),
            Turn::Player(player) => return Err(unknown(player)),
            _ => {
                fail::<(), _>(PuzzleError::Chance);
                return Err(GameFault::Failed);
            }
        }
        Ok(())
    }

    fn actions(&self) -> &[(Player, G::Action)] {
        &self.0
    }
}
