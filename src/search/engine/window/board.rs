//! The board: the thread of the tree hands tasks out on it, servers take them in their order and give them back.
//!
//! Tasks are numbered in the order in which they are handed out. Task `n` has the place `n` modulo the number of places,
//! so at most so many are out at a time. The number decides which thread may lock a place, so no thread waits for a
//! lock. An idle thread first spins, because most tasks take microseconds, and then sleeps.

use core::hint;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// How often to look for something to do before sleeping. This takes up to a tenth of a millisecond.
const LOOKS: u32 = 2_000;

/// Where tasks wait for servers, and served tasks for the thread of the tree.
pub(crate) struct Board<T> {
    places: Box<[Place<T>]>,
    /// The number of the next task to be handed out.
    out: Line<AtomicU64>,
    /// The number of the next task to be taken.
    taken: Line<AtomicU64>,
    is_over: AtomicBool,
    servers: Waiters,
    owner: Waiters,
}

/// A cache line of its own: what different threads write must not share one.
#[repr(align(64))]
struct Line<T>(T);

impl<T> core::ops::Deref for Line<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

#[repr(align(64))]
struct Place<T> {
    task: Mutex<Option<T>>,
    is_served: AtomicBool,
}

impl<T> Place<T> {
    fn put(&self, task: T) {
        *self.task.lock().unwrap_or_else(PoisonError::into_inner) = Some(task);
    }

    fn take(&self) -> Option<T> {
        self.task.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl<T> Board<T> {
    /// Creates a board with this number of places, at least one.
    pub fn new(places: usize) -> Self {
        let place = |_| Place { task: Mutex::new(None), is_served: AtomicBool::new(false) };
        Board {
            places: (0..places.max(1)).map(place).collect(),
            out: Line(AtomicU64::new(0)),
            taken: Line(AtomicU64::new(0)),
            is_over: AtomicBool::new(false),
            servers: Waiters::default(),
            owner: Waiters::default(),
        }
    }

    fn place(&self, number: u64) -> &Place<T> {
        &self.places[(number % self.places.len() as u64) as usize]
    }

    // For the thread of the tree.

    /// Hands a task out, and returns its number. Fewer tasks must be out than there are places.
    pub fn hand_out(&self, task: T) -> u64 {
        let number = self.out.load(Ordering::Relaxed);
        self.place(number).put(task);
        self.out.store(number + 1, Ordering::SeqCst);
        self.servers.wake(Condvar::notify_one);
        number
    }

    /// Returns whether the task is served.
    pub fn is_served(&self, number: u64) -> bool {
        self.place(number).is_served.load(Ordering::SeqCst)
    }

    /// Returns whether somebody has taken the task.
    pub fn is_taken(&self, number: u64) -> bool {
        number < self.taken.load(Ordering::SeqCst)
    }

    /// Returns whether the servers are to end.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }

    /// Waits until the task is served, or until no server will take it.
    pub fn wait_for(&self, number: u64) {
        let has_end = || self.is_served(number) || self.is_over() && !self.is_taken(number);
        self.owner.wait_until(|| has_end().then_some(()));
    }

    /// Takes a task off the board: one that is served, or [withdrawn](Self::withdraw).
    pub fn collect(&self, number: u64) -> Option<T> {
        let place = self.place(number);
        place.is_served.store(false, Ordering::Relaxed);
        place.take()
    }

    /// Keeps the tasks that nobody has taken from being taken. Returns the number of the first of them.
    pub fn withdraw(&self) -> u64 {
        self.taken.swap(self.out.load(Ordering::Relaxed), Ordering::AcqRel)
    }

    /// Ends the servers.
    pub fn close(&self) {
        self.is_over.store(true, Ordering::SeqCst);
        self.servers.wake(Condvar::notify_all);
        self.owner.wake(Condvar::notify_all);
    }

    // For all threads that serve.

    /// Takes the oldest open task.
    pub fn take(&self) -> Option<(u64, T)> {
        let mut number = self.taken.load(Ordering::Relaxed);
        while number < self.out.load(Ordering::SeqCst) {
            match self.taken.compare_exchange_weak(number, number + 1, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) => return self.place(number).take().map(|task| (number, task)),
                Err(now) => number = now,
            }
        }
        None
    }

    /// Waits for an open task. Returns `None` if the servers are to end. If a task is open and it `is_late`, this ends
    /// them, and the task stays open.
    pub fn wait_for_task(&self, is_late: &dyn Fn() -> bool) -> Option<(u64, T)> {
        let task = self.servers.wait_until(|| {
            let is_open = self.taken.load(Ordering::Relaxed) < self.out.load(Ordering::SeqCst);
            if self.is_over() || is_open && is_late() { Some(None) } else { self.take().map(Some) }
        });
        if task.is_none() {
            self.close();
        }
        task
    }

    /// Gives a served task back.
    pub fn give_back(&self, number: u64, task: T) {
        let place = self.place(number);
        place.put(task);
        place.is_served.store(true, Ordering::SeqCst);
        self.owner.wake(Condvar::notify_all);
    }
}

/// The threads that wait for something to do.
#[derive(Default)]
struct Waiters {
    sleepers: AtomicUsize,
    lock: Mutex<()>,
    woken: Condvar,
}

impl Waiters {
    /// Calls `look` until it returns something.
    fn wait_until<X>(&self, mut look: impl FnMut() -> Option<X>) -> X {
        for _ in 0..LOOKS {
            if let Some(found) = look() {
                return found;
            }
            hint::spin_loop();
        }
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        // A thread that makes a change after this finds the sleeper and wakes it. The next look sees an earlier change.
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        loop {
            if let Some(found) = look() {
                self.sleepers.fetch_sub(1, Ordering::SeqCst);
                return found;
            }
            guard = self.woken.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Wakes one sleeper or all, by `notify`, so that they look again.
    fn wake(&self, notify: fn(&Condvar)) {
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            drop(self.lock.lock());
            notify(&self.woken);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AtomicBool, Board, Ordering};
    use std::thread;

    #[test]
    fn each_task_is_served_once() {
        let board = Board::new(7);
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while let Some((number, task)) = board.wait_for_task(&|| false) {
                        board.give_back(number, task + 1);
                    }
                });
            }
            for task in 0..10_000_u64 {
                if task >= 7 {
                    board.wait_for(task - 7);
                    assert_eq!(board.collect(task - 7), Some(task - 6));
                }
                assert_eq!(board.hand_out(task), task);
            }
            for task in 10_000 - 7..10_000 {
                board.wait_for(task);
                assert_eq!(board.collect(task), Some(task + 1));
            }
            board.close();
        });
    }

    #[test]
    fn a_withdrawn_task_is_taken_by_nobody() {
        let board = Board::new(4);
        (0..4).for_each(|task| _ = board.hand_out(task));
        assert_eq!(board.take(), Some((0, 0)));
        assert_eq!(board.withdraw(), 1);
        assert_eq!(board.take(), None);
        assert_eq!((board.is_served(0), board.collect(1), board.collect(3)), (false, Some(1), Some(3)));
        board.give_back(0, 5);
        assert_eq!((board.is_served(0), board.collect(0)), (true, Some(5)));
        assert_eq!((board.hand_out(6), board.take()), (4, Some((4, 6))));
    }

    #[test]
    fn a_task_that_is_late_is_left_and_its_owner_does_not_wait_for_it() {
        let board = Board::new(4);
        let is_late = AtomicBool::new(false);
        let server = || board.wait_for_task(&|| is_late.load(Ordering::SeqCst));
        thread::scope(|scope| {
            let first = scope.spawn(server);
            assert_eq!(board.hand_out(5), 0);
            assert_eq!(first.join().expect("no panic"), Some((0, 5)));
            is_late.store(true, Ordering::SeqCst);
            let waiting = scope.spawn(|| board.wait_for(1));
            while board.owner.sleepers.load(Ordering::SeqCst) == 0 {
                thread::yield_now();
            }
            assert_eq!(board.hand_out(6), 1);
            assert_eq!(server(), None);
            waiting.join().expect("no panic");
            assert_eq!((board.is_taken(0), board.is_taken(1)), (true, false));
            assert_eq!((board.is_served(1), board.take()), (false, Some((1, 6))));
        });
    }
}
