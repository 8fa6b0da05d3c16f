//! Numbered jobs on the threads of this process, or of all ranks.

use super::RanksError;
use super::error::Shared;
use super::message::{Message, Rest, Step};
use super::session::{AtTheEnd, PAUSES, Session, differ, with_session};
use core::ops::ControlFlow;
use core::time::Duration;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

/// A rank asks for jobs for this time at once, if a job is short, so that it need not ask all the time.
const BLOCK: Duration = Duration::from_millis(20);
/// The most jobs in a message, so that it stays short.
const MOST_JOBS: usize = 128;

/// Does the job of this number. The flag says whether its result is no longer needed.
type Job<'a, T, E> = dyn Fn(usize, &AtomicBool) -> Option<Result<T, E>> + Sync + 'a;

/// The parts of a step.
pub struct Jobs<'a, T, E> {
    /// The purpose of the jobs, in an error if another rank does something else.
    pub what: &'a str,
    /// The number of threads of this rank.
    pub threads: usize,
    /// Does a job. Returns `None` if it has seen in the flag that its result is no longer needed.
    pub job: &'a Job<'a, T, E>,
    /// Whether the user has asked to stop.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
}

/// Does the jobs with these `numbers`, in this order. All ranks call this; the first one hands out the jobs,
/// and it alone needs the right numbers. There, `see` gets the results as they come, and can end the step.
///
/// # Errors
///
/// Returns an error if another rank failed, except in a job. `see` gets the errors of jobs.
///
/// # Panics
///
/// Resumes the panic of a job on this rank once all threads have ended.
pub fn perform<T, E>(
    jobs: &Jobs<'_, T, E>,
    numbers: &mut (dyn Iterator<Item = usize> + Send),
    see: &mut dyn FnMut(usize, Result<T, E>) -> ControlFlow<()>,
) -> Result<(), RanksError>
where
    T: Serialize + DeserializeOwned + Send,
    E: Shared + Send,
{
    let linked = with_session(|session| {
        if session.is_first() { lead(jobs, numbers, see, session) } else { follow(jobs, session) }
    });
    linked.unwrap_or_else(|| {
        alone(jobs, numbers, see);
        Ok(())
    })
}

type Panic = Box<dyn Any + Send>;

/// A job that has ended on this rank; an error if it panicked.
type Ended<T, E> = Result<(usize, Result<T, E>), Panic>;

/// Starts the threads, which take numbers from `next` until there are no more.
fn start<'s, T: Send, E: Send>(
    scope: &'s thread::Scope<'s, '_>,
    jobs: &'s Jobs<'_, T, E>,
    next: &'s (dyn Fn() -> Option<usize> + Sync),
    enough: &'s AtomicBool,
) -> Receiver<Ended<T, E>> {
    let (sender, results) = channel();
    for _ in 0..jobs.threads {
        let sender: Sender<Ended<T, E>> = sender.clone();
        scope.spawn(move || {
            while !enough.load(Ordering::Relaxed) && !(jobs.is_stopped)() {
                let Some(number) = next() else { break };
                let done = catch_unwind(AssertUnwindSafe(|| (jobs.job)(number, enough)));
                let Some(ended) = done.map(|result| Some((number, result?))).transpose() else { break };
                if sender.send(ended).is_err() {
                    break;
                }
            }
        });
    }
    results
}

/// The numbers of the jobs that have not begun, for several threads.
fn taking<'n>(
    numbers: &'n mut (dyn Iterator<Item = usize> + Send),
) -> impl Fn() -> Option<usize> + Sync + use<'n> {
    let numbers = Mutex::new(numbers);
    move || numbers.lock().unwrap_or_else(PoisonError::into_inner).next()
}

/// Passes an ended job to `see`. Returns the panic of the job, if there is one.
fn note<T, E>(
    ended: Ended<T, E>,
    enough: &AtomicBool,
    see: &mut dyn FnMut(usize, Result<T, E>) -> ControlFlow<()>,
) -> Option<Panic> {
    match ended {
        Ok((number, result)) => {
            if see(number, result).is_break() {
                enough.store(true, Ordering::Relaxed);
            }
            None
        }
        Err(panic) => {
            enough.store(true, Ordering::Relaxed);
            Some(panic)
        }
    }
}

/// Does the jobs on the threads of this process.
fn alone<T: Send, E: Send>(
    jobs: &Jobs<'_, T, E>,
    numbers: &mut (dyn Iterator<Item = usize> + Send),
    see: &mut dyn FnMut(usize, Result<T, E>) -> ControlFlow<()>,
) {
    let (next, enough) = (taking(numbers), AtomicBool::new(false));
    let panic = thread::scope(|scope| {
        let _end = AtTheEnd(|| enough.store(true, Ordering::Relaxed));
        let results = start(scope, jobs, &next, &enough);
        results.into_iter().fold(None, |panic: Option<Panic>, ended| panic.or(note(ended, &enough, see)))
    });
    if let Some(panic) = panic {
        resume_unwind(panic);
    }
}

/// Does jobs on the threads of the first rank, and hands out others.
fn lead<T, E>(
    jobs: &Jobs<'_, T, E>,
    numbers: &mut (dyn Iterator<Item = usize> + Send),
    see: &mut dyn FnMut(usize, Result<T, E>) -> ControlFlow<()>,
    session: &mut Session,
) -> Result<(), RanksError>
where
    T: Serialize + DeserializeOwned + Send,
    E: Shared + Send,
{
    let step = session.step(jobs.what);
    let (next, enough, stopped) = (taking(numbers), AtomicBool::new(false), AtomicBool::new(false));
    let next = || if stopped.load(Ordering::Relaxed) { None } else { next() };
    let (working, ended) = (session.others().len(), vec![None; session.others().end]);
    let mut leader = Leader { session, step, working, ended };
    let (result, panic) = thread::scope(|scope| {
        let _end = AtTheEnd(|| enough.store(true, Ordering::Relaxed));
        let results = start(scope, jobs, &next, &enough);
        let (mut panic, mut is_done, mut pause) = (None, false, PAUSES.0);
        loop {
            match results.recv_timeout(pause) {
                Ok(ended) => {
                    panic = panic.or(note(ended, &enough, see));
                    pause = PAUSES.0;
                }
                Err(RecvTimeoutError::Timeout) => pause = (pause * 2).min(PAUSES.1),
                Err(RecvTimeoutError::Disconnected) => {
                    // Unless it was the user who ended the threads, no job is left.
                    is_done = true;
                    if leader.working > 0 {
                        thread::sleep(pause);
                    }
                    pause = (pause * 2).min(PAUSES.1);
                }
            }
            let heard = leader.hear(&next, &stopped, &mut |number, result| {
                note(Ok((number, result)), &enough, see);
                pause = PAUSES.0;
            });
            if (jobs.is_stopped)() {
                stopped.store(true, Ordering::Relaxed);
            }
            let (is_enough, is_stopped) = (enough.load(Ordering::Relaxed), stopped.load(Ordering::Relaxed));
            let rest = match (is_enough, is_stopped) {
                (true, _) => Some(Rest::Dropped),
                (_, true) => Some(Rest::Finished),
                _ => is_done.then_some(Rest::Done),
            };
            let told = rest.map_or(Ok(()), |rest| leader.end(rest));
            if let Err(error) = heard.and(told) {
                return (Err(error), panic);
            }
            if is_done && leader.working == 0 {
                return (Ok(()), panic);
            }
        }
    });
    if let Some(panic) = panic {
        resume_unwind(panic);
    }
    result
}

/// The first rank and what it knows of the others.
struct Leader<'s> {
    session: &'s mut Session,
    step: Step,
    /// The number of ranks that have not said that they have ended all jobs.
    working: usize,
    /// For each rank, what it was told when there were no more jobs.
    ended: Vec<Option<Rest>>,
}

impl Leader<'_> {
    /// Answers all messages that have come.
    fn hear<T: DeserializeOwned, E: Shared>(
        &mut self,
        next: &dyn Fn() -> Option<usize>,
        stopped: &AtomicBool,
        note: &mut dyn FnMut(usize, Result<T, E>),
    ) -> Result<(), RanksError> {
        while let Some((rank, message, rest)) = self.session.receive()? {
            match message {
                Message::Ask { step, .. } if step != self.step => {
                    return Err(differ(rank, &self.step, &step));
                }
                Message::Ask { .. } if self.ended[rank].is_some() => {}
                Message::Ask { count, .. } => {
                    let numbers = Vec::from_iter((0..count.min(MOST_JOBS)).map_while(|_| next()));
                    if numbers.is_empty() {
                        self.end_one(rank, Rest::Done)?;
                    } else {
                        self.session.send(rank, &Message::Jobs { numbers }, &[])?;
                    }
                }
                Message::Result { number } => {
                    let result = serde_json::from_slice(&rest).map_err(|_| RanksError::Malformed { rank })?;
                    note(number, Ok(result));
                }
                Message::JobFailed { number, reason } => {
                    note(number, Err(RanksError::OtherRank { rank, message: reason }.into()));
                }
                Message::Stop => stopped.store(true, Ordering::Relaxed),
                Message::Done => self.working -= 1,
                _ => return Err(RanksError::Malformed { rank }),
            }
        }
        Ok(())
    }

    /// Tells all other ranks that there are no more jobs, unless they know.
    fn end(&mut self, rest: Rest) -> Result<(), RanksError> {
        for rank in self.session.others() {
            self.end_one(rank, rest)?;
        }
        Ok(())
    }

    fn end_one(&mut self, rank: usize, rest: Rest) -> Result<(), RanksError> {
        if self.ended[rank] >= Some(rest) {
            return Ok(());
        }
        self.ended[rank] = Some(rest);
        self.session.send(rank, &Message::End { step: self.step.number, rest }, &[])
    }
}

/// The jobs that the first rank gave to this one, and that have not begun.
#[derive(Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    change: Condvar,
}

#[derive(Default)]
struct Waiting {
    numbers: VecDeque<usize>,
    /// The number of threads that wait for a job.
    idle: usize,
    /// Whether no more jobs come.
    is_closed: bool,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a job. Returns `None` if no more come.
    fn take(&self) -> Option<usize> {
        let mut waiting = self.lock();
        waiting.idle += 1;
        let is_empty = |waiting: &mut Waiting| waiting.numbers.is_empty() && !waiting.is_closed;
        let mut waiting = self.change.wait_while(waiting, is_empty).unwrap_or_else(PoisonError::into_inner);
        waiting.idle -= 1;
        waiting.numbers.pop_front()
    }

    fn add(&self, numbers: Vec<usize>) {
        self.lock().numbers.extend(numbers);
        self.change.notify_all();
    }

    /// Lets the threads end when all jobs have begun, or at once.
    fn close(&self, forget: bool) {
        let mut waiting = self.lock();
        waiting.is_closed = true;
        if forget {
            waiting.numbers.clear();
        }
        drop(waiting);
        self.change.notify_all();
    }

    /// Returns how many jobs to ask for, if a few milliseconds are enough for `quick` of them.
    fn wanted(&self, quick: usize) -> usize {
        let waiting = self.lock();
        let (idle, here) = (waiting.idle, waiting.numbers.len());
        // Jobs that are not quick are fetched only for threads that wait: they would wait here while another
        // rank has none.
        match here * 2 < quick {
            true if quick > 1 => (quick - here).max(idle.saturating_sub(here)),
            _ => idle.saturating_sub(here),
        }
    }
}

/// When the latest results came: how long a job takes, all threads together, may change within a step.
struct Latest(VecDeque<Instant>);

impl Latest {
    /// The most results that count.
    const MOST: usize = 32;

    fn from(begin: Instant) -> Self {
        Latest(VecDeque::from([begin]))
    }

    /// Counts a result.
    fn add(&mut self, now: Instant) {
        self.0.truncate(Self::MOST);
        self.0.push_front(now);
    }

    /// Returns the mean time from one result to the next; `None` before the first.
    fn each(&self, now: Instant) -> Option<Duration> {
        now.duration_since(*self.0.back()?).checked_div(self.0.len() as u32 - 1)
    }
}

/// Does the jobs that the first rank hands out.
fn follow<T, E>(jobs: &Jobs<'_, T, E>, session: &mut Session) -> Result<(), RanksError>
where
    T: Serialize + Send,
    E: Shared + Send,
{
    let step = session.step(jobs.what);
    let (queue, enough) = (Queue::default(), AtomicBool::new(false));
    let next = || queue.take();
    let (result, panic) = thread::scope(|scope| {
        let _end = AtTheEnd(|| {
            enough.store(true, Ordering::Relaxed);
            queue.close(true);
        });
        let results = start(scope, jobs, &next, &enough);
        let mut panic = None;
        let result = serve(jobs, &step, session, &queue, &enough, &results, &mut panic);
        (result, panic)
    });
    if let Some(panic) = panic {
        resume_unwind(panic);
    }
    result
}

/// Asks for jobs and sends their results, until there are no more jobs and all threads have ended.
fn serve<T: Serialize, E: Shared>(
    jobs: &Jobs<'_, T, E>,
    step: &Step,
    session: &mut Session,
    queue: &Queue,
    enough: &AtomicBool,
    results: &Receiver<Ended<T, E>>,
    panic: &mut Option<Panic>,
) -> Result<(), RanksError> {
    let (mut latest, mut pause) = (Latest::from(Instant::now()), PAUSES.0);
    let (mut has_asked, mut has_stopped, mut is_ended) = (false, false, false);
    loop {
        match results.recv_timeout(pause) {
            Ok(Ok((number, result))) => {
                latest.add(Instant::now());
                pause = PAUSES.0;
                match result.map_err(|error| error.in_words()).and_then(|value| {
                    serde_json::to_vec(&value).map_err(|error| format!("a result cannot be sent: {error}"))
                }) {
                    Ok(bytes) => session.send(0, &Message::Result { number }, &bytes)?,
                    Err(reason) => session.send(0, &Message::JobFailed { number, reason }, &[])?,
                }
            }
            Ok(Err(one)) => {
                *panic = Some(one);
                return Ok(());
            }
            Err(RecvTimeoutError::Timeout) => pause = (pause * 2).min(PAUSES.1),
            Err(RecvTimeoutError::Disconnected) if is_ended => return session.send(0, &Message::Done, &[]),
            Err(RecvTimeoutError::Disconnected) => {
                thread::sleep(pause);
                pause = (pause * 2).min(PAUSES.1);
            }
        }
        while let Some((rank, message, _)) = session.receive()? {
            pause = PAUSES.0;
            match message {
                Message::Jobs { numbers } => {
                    has_asked = false;
                    queue.add(numbers);
                }
                Message::End { step: ended, .. } if ended < step.number => {} // it came too late
                Message::End { rest, .. } => {
                    is_ended = true;
                    if rest == Rest::Dropped {
                        enough.store(true, Ordering::Relaxed);
                    }
                    queue.close(rest > Rest::Done);
                }
                Message::Shared { step: there } | Message::NotShared { step: there, .. } => {
                    return Err(differ(0, step, &there));
                }
                _ => return Err(RanksError::Malformed { rank }),
            }
        }
        if is_ended {
            continue;
        }
        if (jobs.is_stopped)() {
            if !core::mem::replace(&mut has_stopped, true) {
                session.send(0, &Message::Stop, &[])?;
            }
        } else if !has_asked {
            let each = latest.each(Instant::now());
            let quick = each.map_or(1, |each| (BLOCK.as_nanos() / each.as_nanos().max(1)) as usize);
            let count = queue.wanted(quick.min(MOST_JOBS));
            if count > 0 {
                has_asked = true;
                session.send(0, &Message::Ask { step: step.clone(), count }, &[])?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Latest;
    use core::time::Duration;
    use std::time::Instant;

    #[test]
    fn the_time_of_a_job_is_that_of_the_latest() {
        let mut now = Instant::now();
        let mut latest = Latest::from(now);
        assert_eq!(latest.each(now), None);
        for time in [10_000, 10, 1_000].map(Duration::from_millis) {
            for _ in 0..40 {
                now += time;
                latest.add(now);
            }
            assert_eq!(latest.each(now), Some(time));
        }
        // A job that takes longer than those before counts while it goes on.
        assert_eq!(latest.each(now + Duration::from_secs(32)), Some(Duration::from_secs(2)));
    }
}
