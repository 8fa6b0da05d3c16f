//! [`Batcher`]: an evaluator on a thread of its own, which several searches can share.

use crate::custom_error::{BoxError, CustomError};
use crate::game::{GameFault, GameState, Rewards};
use crate::run::error::SearchError;
use crate::search::engine::panics::panicked;
use crate::simulation::{Evaluator, Position, evaluate_by};
use core::fmt;
use core::panic::AssertUnwindSafe;
use core::time::Duration;
use std::panic::catch_unwind;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread;
use std::time::Instant;

/// The answer for one position: its value, and the priors of its actions.
type Answer = Result<(Rewards, Vec<f32>), BoxError>;

/// The positions of one request, and where to send the answers.
struct Request<G: GameState> {
    positions: Vec<(G, Vec<G::Action>)>,
    reply: Sender<Vec<Answer>>,
}

/// An [`Evaluator`] on a thread of its own. Clones of a batcher share the thread, so several searches can fill
/// one batch. A search with [`threads(2)`](crate::Mcts::threads) finds further leaves while its batch waits.
///
/// The thread takes the requests in their order, puts all that have arrived into one batch, and sends each
/// search its answers. It ends when the last clone is dropped.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::search::Batcher;
/// use ramure::selection::Puct;
/// use ramure::simulation::{Evaluate, Evaluator, Position};
/// use ramure::{BoxError, Rewards};
/// use ramure_games::Connect4;
///
/// struct Network;
///
/// impl Evaluator<Connect4> for Network {
///     fn evaluate(&self, batch: &mut [Position<'_, Connect4>]) -> Result<(), BoxError> {
///         batch.iter_mut().for_each(|position| position.set_value(Rewards::new(2, |_| 0.5)));
///         Ok(())
///     }
/// }
///
/// let batcher = Batcher::new(Network)?;
/// let search = Mcts::new(Connect4::new()).tree_policy(Puct::default());
/// let mut search = search.rollout_policy(Evaluate::new(batcher.clone())).window(32).threads(2);
/// let report = search.run(Budget::iterations(1_000))?;
/// assert_eq!(report.iterations, 1_000);
/// # Ok::<(), SearchError>(())
/// ```
pub struct Batcher<G: GameState> {
    requests: Sender<Request<G>>,
    timeout: Option<Duration>,
}

impl<G: GameState> Clone for Batcher<G> {
    fn clone(&self) -> Self {
        Batcher { requests: self.requests.clone(), timeout: self.timeout }
    }
}

impl<G: GameState> fmt::Debug for Batcher<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batcher").field("timeout", &self.timeout).finish_non_exhaustive()
    }
}

impl<G: GameState + Send + 'static> Batcher<G>
where
    G::Action: Send,
{
    /// Starts a thread for `evaluator`. It evaluates what has arrived at once: a batch has the positions of
    /// one search, or more if several searches are waiting.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::Threads`] if the thread cannot be started.
    pub fn new(evaluator: impl Evaluator<G> + Send + 'static) -> Result<Self, SearchError> {
        Batcher::collecting(evaluator, usize::MAX, Duration::ZERO)
    }

    /// Starts a thread for `evaluator`, for several searches: it evaluates batches of at most `size`
    /// positions, and waits up to `patience` for more positions while a batch has fewer. A size of 0 counts
    /// as 1.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::Threads`] if the thread cannot be started.
    pub fn collecting(
        evaluator: impl Evaluator<G> + Send + 'static,
        size: usize,
        patience: Duration,
    ) -> Result<Self, SearchError> {
        let (requests, received) = channel();
        let work = move || serve(&evaluator, &received, size.max(1), patience);
        thread::Builder::new()
            .name("ramure evaluator".into())
            .spawn(work)
            .map_err(|error| SearchError::Threads { error: CustomError::new(error) })?;
        Ok(Batcher { requests, timeout: None })
    }

    /// Sets how long a search waits for an answer before it fails with [`GameFault::NoAnswer`]. \[Default: no
    /// limit\]
    ///
    /// The thread of an evaluator that never returns is left behind. This setting is this clone's own.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Asks for the evaluation of several positions, each a state with its legal actions. Returns at once;
    /// [`Answers::wait`] waits.
    ///
    /// **Who needs it:** programs that drive many searches on one thread by [`ask`](crate::Mcts::ask) and
    /// [`tell`](crate::Mcts::tell).
    pub fn submit(&self, positions: Vec<(G, Vec<G::Action>)>) -> Answers {
        let (reply, answers) = channel();
        // If the thread has ended, the reply is dropped, and `wait` says so.
        let _ = self.requests.send(Request { positions, reply });
        Answers { answers, timeout: self.timeout }
    }
}

/// Sends the batch to the thread and waits for the answers. So
/// [`Evaluate`](crate::simulation::Evaluate) of a batcher lets several searches on several threads
/// fill one batch.
impl<G: GameState + Send + 'static> Evaluator<G> for Batcher<G>
where
    G::Action: Send,
{
    fn evaluate(&self, batch: &mut [Position<'_, G>]) -> Result<(), BoxError> {
        let positions = batch.iter().map(|position| (position.state.clone(), position.actions.to_vec()));
        let answers = self.submit(positions.collect()).wait()?;
        for (position, answer) in batch.iter_mut().zip(answers) {
            match answer {
                Ok((value, priors)) => {
                    position.priors().copy_from_slice(&priors);
                    position.set_value(value);
                }
                Err(error) => position.fail(error),
            }
        }
        Ok(())
    }
}

/// The answers that a [`Batcher`] will give to one request.
#[derive(Debug)]
pub struct Answers {
    answers: Receiver<Vec<Answer>>,
    timeout: Option<Duration>,
}

impl Answers {
    /// Returns the answers as [`wait`](Self::wait) does if they have come, and `None` if they have not. So
    /// one thread can look after many requests.
    ///
    /// The timeout does not apply. After the answers were returned, the next call returns
    /// [`GameFault::EvaluatorEnded`].
    ///
    /// # Errors
    ///
    /// Returns [`GameFault::EvaluatorEnded`] if the evaluator's thread ended without an answer.
    pub fn try_wait(&self) -> Result<Option<Vec<Answer>>, GameFault> {
        match self.answers.try_recv() {
            Ok(answers) => Ok(Some(answers)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(GameFault::EvaluatorEnded),
        }
    }

    /// Waits for the answers: for each position, in their order, its value and the priors of its actions, or
    /// an error.
    ///
    /// If the evaluator fails for a whole batch, its positions share the error.
    /// [`CustomError::new(error).get_ref()`](crate::CustomError) is then the error itself.
    ///
    /// # Errors
    ///
    /// Returns a [`GameFault`] if the answers do not come in time, or not at all.
    pub fn wait(self) -> Result<Vec<Answer>, GameFault> {
        match self.timeout {
            None => self.answers.recv().map_err(|_| GameFault::EvaluatorEnded),
            Some(after) => self.answers.recv_timeout(after).map_err(|error| match error {
                RecvTimeoutError::Timeout => GameFault::NoAnswer { after },
                RecvTimeoutError::Disconnected => GameFault::EvaluatorEnded,
            }),
        }
    }
}

/// Answers requests until the last batcher is dropped.
fn serve<G: GameState>(
    evaluator: &impl Evaluator<G>,
    requests: &Receiver<Request<G>>,
    size: usize,
    patience: Duration,
) {
    while let Ok(first) = requests.recv() {
        // A patience that overflows has no end.
        let end = Instant::now().checked_add(patience);
        let mut batch = vec![first];
        let positions =
            |batch: &[Request<G>]| batch.iter().map(|request| request.positions.len()).sum::<usize>();
        while positions(&batch) < size {
            let next = match end {
                Some(end) => requests.recv_timeout(end.saturating_duration_since(Instant::now())).ok(),
                None => requests.recv().ok(),
            };
            match next {
                Some(request) => batch.push(request),
                None => break,
            }
        }
        let all = batch.iter().flat_map(|request| &request.positions);
        let mut all: Vec<_> = all.map(|(state, actions)| Position::new(state, actions)).collect();
        let mut answers = Vec::with_capacity(all.len());
        while !all.is_empty() {
            let mut part: Vec<_> = all.drain(..all.len().min(size)).collect();
            let evaluate = |batch: &mut [Position<'_, G>]| {
                let outcome = catch_unwind(AssertUnwindSafe(|| evaluator.evaluate(batch)));
                outcome.unwrap_or_else(|panic| Err(panicked(&*panic)))
            };
            evaluate_by(evaluate, &mut part);
            let answer = |Position { priors, value, .. }: Position<'_, G>| {
                Ok((value?.ok_or(GameFault::NotEvaluated)?, priors))
            };
            answers.extend(part.into_iter().map(answer));
        }
        let mut answers = answers.into_iter();
        for request in &batch {
            // A search that no longer waits has dropped the receiver.
            let _ = request.reply.send(answers.by_ref().take(request.positions.len()).collect());
        }
    }
}
