//! Ask and tell: the caller evaluates the leaves of a window.

use crate::backpropagation::Backprop;
use crate::game::{GameFault, GameState, Rewards, Turn, concluded, take_failure};
use crate::iteration::{FedBy, Iterations};
use crate::run::budget::Budget;
use crate::run::budget::StopReason;
use crate::run::clock::WallClock;
use crate::run::counts::RunCounts;
use crate::run::error::SearchError;
use crate::search::engine::window::{Asking, Counted, Queue, Window, Windowed};
use crate::search::mcts::Mcts;
use crate::search::run::MOST_VISITS;
use crate::selection::TreePolicy;
use crate::simulation::RolloutPolicy;
use crate::space::Space;
use crate::statistics::Statistics;
use core::fmt;
use core::mem;
use core::sync::atomic::{AtomicU32, Ordering};
use std::sync::RwLock;

/// The number of a [`Question`]. Each question of each search in this process has its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Ticket {
    window: u32,
    number: u64,
}

impl Ticket {
    /// Returns a number that no other window of this process has.
    pub(crate) fn new_window() -> u32 {
        static WINDOWS: AtomicU32 = AtomicU32::new(0);
        WINDOWS.fetch_add(1, Ordering::Relaxed)
    }
}

/// A leaf that waits for its rewards; see [`Mcts::ask`](crate::Mcts::ask).
#[non_exhaustive]
pub struct Question<'a, G: GameState> {
    /// The ticket to [`tell`](crate::Mcts::tell) the answer with.
    pub ticket: Ticket,
    /// The state to evaluate, in which the game is not over.
    pub state: &'a G,
    /// The legal actions, as far as the player who observes can tell them apart; none at a chance node.
    pub actions: &'a [G::Action],
    /// Whether the tree policy reads the priors of the answer.
    pub wants_priors: bool,
    /// The number of actions between the root of the search and the state.
    pub ply: u32,
}

impl<G: GameState + fmt::Debug> fmt::Debug for Question<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Question")
            .field("ticket", &self.ticket)
            .field("state", &self.state)
            .field("actions", &self.actions)
            .field("wants_priors", &self.wants_priors)
            .field("ply", &self.ply)
            .finish()
    }
}

impl<S: Space, P: TreePolicy<S::Game>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>, W>
    Mcts<S, P, R, B, Window<W>>
where
    P::Stats: Statistics<S::Game, R>,
{
    /// Plans for `iterations` iterations by [`ask`](Self::ask) and [`tell`](Self::tell). Tree policies that
    /// divide a fixed number of iterations, such as [`Gumbel`](crate::selection::Gumbel), need this; for
    /// others it has no effect.
    pub fn plan(&mut self, iterations: u64) {
        self.trees.planned = Some(iterations);
        self.trees.asking = None;
    }

    /// Descends to the next leaf and returns it as a question. Evaluate the state where and when you like,
    /// and [`tell`](Self::tell) the answer. Returns `None` while the window is full and its oldest question
    /// has no answer, if the root is proven, or if a whole window of leaves needs no answer.
    ///
    /// The leaves of finished games and of proven nodes need no answer, so they are not asked. The search
    /// uses the answers in the order of the questions, and each only when the window needs its place. So the
    /// result depends on the seed, the window and the answers, but not on the order or the time of their
    /// arrival. [`finish`](Self::finish) uses the last ones.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// use ramure::selection::Puct;
    /// use ramure::simulation::AskTell;
    /// use ramure::Rewards;
    /// use ramure_games::Connect4;
    ///
    /// let mut search = Mcts::new(Connect4::new()).tree_policy(Puct::default()).rollout_policy(AskTell).window(8);
    /// let mut queue = Vec::new();
    /// for _ in 0..100 {
    ///     // Fill the window. Here the questions would go to another process.
    ///     while let Some(question) = search.ask()? {
    ///         queue.push((question.ticket, question.actions.len()));
    ///     }
    ///     // Take any answers, in any order.
    ///     while let Some((ticket, actions)) = queue.pop() {
    ///         search.tell(ticket, Rewards::new(2, |_| 0.5), &vec![1.0; actions])?;
    ///     }
    /// }
    /// search.finish()?;
    /// assert!(search.report()?.root_visits >= 700);
    /// # Ok::<(), SearchError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Mcts::run`](crate::Mcts::run), and an error if the priors of an earlier answer
    /// were invalid.
    pub fn ask(&mut self) -> Result<Option<Question<'_, S::Real>>, SearchError> {
        take_failure(); // of a call outside of searches
        let trees = &mut self.trees;
        let turn = match &trees.asking {
            Some(asking) => asking.turn,
            None => {
                let turn =
                    trees.prepare(trees.planned.map_or_else(Budget::until_stopped, Budget::iterations))?;
                let counts = RunCounts::new(StopReason::AskAndTell);
                trees.asking = Some(Asking { turn, clock: WallClock::start(), counts });
                turn
            }
        };
        let asks = trees.counting(|search, counts| search.find(turn, counts))?;
        Ok(if asks { trees.last_question() } else { None })
    }

    /// Answers a question: the expected `rewards` of all players, and the `priors` of the
    /// [actions](Question::actions), which may have any scale. `priors` is ignored unless the question
    /// [wants](Question::wants_priors) them.
    ///
    /// # Errors
    ///
    /// Returns
    ///
    /// - [`SearchError::Ticket`] if the question is not open: it has been answered, the search has
    ///   [advanced](Self::advance), or the ticket is that of another search;
    /// - [`SearchError::Game`] if the number of rewards or priors is wrong, or one of them is not in range.
    ///
    /// The question then stays open.
    pub fn tell(&mut self, ticket: Ticket, rewards: Rewards, priors: &[f32]) -> Result<(), SearchError> {
        take_failure(); // of a call outside of searches
        self.trees.tell(ticket, rewards, priors)
    }

    /// Uses all answers that have arrived, and takes back the questions that are open: their visits no longer
    /// count, and their tickets are not valid any more. Call this before the last report.
    ///
    /// # Errors
    ///
    /// Returns an error if an answer cannot be used. The other answers are used all the same.
    pub fn finish(&mut self) -> Result<(), SearchError> {
        self.trees.finish()
    }

    /// Returns the number of questions that have no answer yet.
    pub fn open_questions(&self) -> usize {
        self.trees.queue.pending.iter().filter(|entry| entry.is_question()).count()
    }
}

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>, W>
    Windowed<S, P, R, B, W>
{
    /// Calls `work` with the counts of the iterations since the search began to ask.
    fn counting<T>(&mut self, work: impl FnOnce(&mut Self, &mut RunCounts) -> T) -> T {
        let counts = self.asking.as_ref().map(|asking| asking.counts);
        let mut counts = counts.unwrap_or_else(|| RunCounts::new(StopReason::NotRun));
        let result = work(self, &mut counts);
        if let Some(asking) = &mut self.asking {
            asking.counts = counts;
        }
        result
    }

    /// Descends to the next leaf that needs an answer. Counts the iterations that it resolves for that. Returns
    /// whether the last pending iteration asks.
    fn find(&mut self, turn: Turn, tally: &mut RunCounts) -> Result<bool, SearchError> {
        let (size, unobserved) = (self.window.size, self.window.unobserved);
        self.with_queue(turn, |queue, iterations, rollout_policy| {
            // If the game ends after a few actions, no leaf may need an answer.
            for _ in 0..size {
                if iterations.root_is_proven() {
                    break;
                }
                if iterations.tree.root().visit_count() >= MOST_VISITS {
                    return Err(SearchError::CountFull);
                }
                while !queue.has_place(iterations.root_is_leaf(), size) {
                    if queue.pending.front().is_some_and(|first| first.is_question()) {
                        return Ok(false);
                    }
                    let settled = queue.settle_first(iterations, rollout_policy, unobserved, tally);
                    if !settled? {
                        return Err(SearchError::MemoryLimit { limit: iterations.memory_limit });
                    }
                }
                queue.put_aside(iterations, rollout_policy, unobserved)?;
                if let Some(last) = queue.pending.back_mut()
                    && last.is_question()
                {
                    let Some(task) = &mut last.task else { continue };
                    if !task.expands && matches!(task.leaf.turn(), Turn::Player(_)) {
                        task.actions.extend(task.leaf.state().actions());
                    }
                    queue.asked.clear();
                    queue.asked.extend(task.actions.iter().cloned().filter_map(S::to_real));
                    match concluded(Ok(true)) {
                        Ok(asks) => return Ok(asks),
                        Err(cause) => task.result = Some(Err(cause)),
                    }
                }
            }
            Ok(false)
        })
    }

    /// Returns the last pending iteration as a question.
    fn last_question(&self) -> Option<Question<'_, S::Real>> {
        let last = self.queue.pending.back()?;
        let leaf = &last.task.as_ref()?.leaf;
        Some(Question {
            ticket: Ticket { window: self.queue.id, number: last.number },
            state: S::real(leaf.state()),
            actions: &self.queue.asked,
            wants_priors: last.expands,
            ply: leaf.ply(),
        })
    }

    fn tell(&mut self, ticket: Ticket, rewards: Rewards, priors: &[f32]) -> Result<(), SearchError> {
        let Some(index) = self.open_question(ticket) else { return Err(SearchError::Ticket) };
        let Some(task) = &mut self.queue.pending[index].task else { return Err(SearchError::Ticket) };
        let ply = task.leaf.ply();
        let at = |fault| SearchError::game(fault, ply);
        let rewards = rewards.checked(self.search.players).map_err(at)?;
        if task.expands {
            let (given, actions) = (priors.len(), task.actions.len());
            if given != actions {
                return Err(at(GameFault::PriorCount { given, actions }));
            }
            let player = if let Turn::Player(player) = task.leaf.turn() { player } else { 0 };
            let mut stats = vec![P::Stats::default(); actions];
            P::Stats::initialize(&self.search.rollout_policy, player, priors, Some(&rewards), &mut stats)
                .map_err(at)?;
            task.priors = priors.to_vec();
            task.leaf.set_value(Some(rewards));
        }
        task.result = Some(Ok(rewards));
        Ok(())
    }

    /// Returns the index of the pending iteration with this ticket, if it is an open question.
    fn open_question(&self, ticket: Ticket) -> Option<usize> {
        if ticket.window != self.queue.id {
            return None;
        }
        let index = usize::try_from(ticket.number.checked_sub(self.queue.pending.front()?.number)?).ok()?;
        self.queue.pending.get(index).filter(|entry| entry.is_question()).map(|_| index)
    }

    /// See [`Mcts::finish`].
    pub(crate) fn finish(&mut self) -> Result<(), SearchError> {
        if self.queue.pending.is_empty() {
            return Ok(());
        }
        take_failure(); // of a call outside of searches
        // A run that ended in a panic leaves iterations behind, too.
        let turn = self.asking.as_ref().map_or_else(|| self.search.turn(), |asking| Ok(asking.turn))?;
        self.counting(|search, counts| search.settle_pending(turn, counts))
    }

    /// Resolves all pending iterations, and counts those that have rewards.
    pub(crate) fn settle_pending(&mut self, turn: Turn, tally: &mut RunCounts) -> Result<(), SearchError> {
        let unobserved = self.window.unobserved;
        let settled = self.with_queue(turn, |queue, iterations, rollout_policy| {
            queue.settle_all(iterations, rollout_policy, unobserved, tally)
        });
        self.search.tree.tidy();
        settled.map(|_| ())
    }

    /// Calls `work` with the pending iterations and the data of the search.
    fn with_queue<T>(
        &mut self,
        turn: Turn,
        work: impl FnOnce(
            &mut Queue<S, P, R>,
            &mut Iterations<'_, '_, S, P, R, Counted<B>>,
            &RwLock<&mut R>,
        ) -> Result<T, SearchError>,
    ) -> Result<T, SearchError> {
        let Windowed { search, queue, .. } = self;
        search.with_iterations(turn, |iterations, rollout_policy, _| {
            // A shortage is dealt with when an iteration is resolved. This may be in a later call.
            iterations.shortage = mem::take(&mut queue.shortage);
            queue.learns = rollout_policy.learns();
            let result = work(queue, iterations, &RwLock::new(rollout_policy));
            queue.shortage = iterations.shortage;
            result
        })
    }
}
