//! The construction of a book.

use super::{Book, BookAction, BookError, Entry, Head, Positions};
use crate::lines::{IfThere, Lines};
use core::cmp::Reverse;
use core::fmt;
use core::time::Duration;
use ramure::{Budget, Report, Search, SearchError, StopHandle, Turn, hash_key};
use std::collections::{BinaryHeap, HashMap};
use std::path::Path;
use std::time::Instant;

/// Creates a search from a state and a seed.
type MakeSearch<'a, G> = Box<dyn FnMut(G, u64) -> Box<dyn Search<Space = G> + Send> + 'a>;

/// The construction of a book: searches positions one after another, and saves what it found.
///
/// The next position is always the most likely one that is not in the book. The start has the weight 1. Each
/// position that is searched shares its weight among the positions after it, as the search shared its visits
/// among the actions; a position that is reached in several ways gets the sum. Positions with a decided game
/// and actions without visits are left out.
///
/// # Going on
///
/// The file is replaced by a longer one at [intervals](Self::save_every) and in the end. At every moment it
/// is complete, so a process that is killed loses what came after the last save. [`resume`](Self::resume)
/// reads the file, makes the same choices with the results in it, and so arrives at the same next position:
/// the file of an interrupted construction equals that of an uninterrupted one, byte for byte. The seed of
/// each search depends on the seed of the book and on the position.
///
/// One position is searched at a time. To use several cores, let the search have threads.
#[must_use]
pub struct Construction<'a, G> {
    head: Head,
    start: G,
    make: MakeSearch<'a, G>,
    positions: usize,
    save_every: Duration,
    stop: StopHandle,
    observer: Box<dyn FnMut(Progress) + 'a>,
}

/// How far a construction has come.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// The positions in the book.
    pub positions: usize,
    /// How many of them are in the file.
    pub saved: usize,
    /// The number of actions from the start to the latest position.
    pub depth: u32,
    /// The weight of the latest position.
    pub weight: f64,
}

impl<'a, G: Positions> Construction<'a, G> {
    /// Creates a construction of a book of `game`, which begins with `start`. `search` is the text of the
    /// search that `make` creates from a state and a seed; a file with another text is another book.
    pub fn new(
        game: impl Into<String>,
        start: G,
        search: impl Into<String>,
        make: impl FnMut(G, u64) -> Box<dyn Search<Space = G> + Send> + 'a,
    ) -> Self {
        let head = Head {
            ramure_book: Head::FORMAT,
            game: game.into(),
            start: start.place().name,
            search: search.into(),
            iterations: 10_000,
            seed: 0,
            depth: None,
        };
        Construction {
            head,
            start,
            make: Box::new(make),
            positions: usize::MAX,
            save_every: Duration::from_secs(60),
            stop: StopHandle::default(),
            observer: Box::new(|_| ()),
        }
    }

    setters! {
        /// Sets the iterations of the search of each position. \[Default: 10 000\]
        iterations(iterations: u64) => head.iterations = iterations;

        /// Sets the seed of all searches. \[Default: 0\]
        seed(seed: u64) => head.seed = seed;

        /// Sets the most actions from the start to a position of the book. \[Default: no bound\]
        depth(depth: u32) => head.depth = Some(depth);

        /// Sets the number of positions after which the book is complete. A book can be resumed with a
        /// greater number. \[Default: no bound\]
        positions(positions: usize) => positions = positions;

        /// Sets the time after which the file is saved again. \[Default: one minute\]
        save_every(time: Duration) => save_every = time;

        /// Ends the construction when `stop` is stopped, after the search in progress.
        stop_handle(stop: StopHandle) => stop = stop;

        /// Shows `observer` the progress after each position.
        observer(observer: impl FnMut(Progress) + 'a) => observer = Box::new(observer);
    }

    /// Builds the book as a new file.
    ///
    /// # Errors
    ///
    /// Returns a [`BookError`] if the file exists already or cannot be written, if chance acts in the game,
    /// or if a search fails. What was found before is in the file.
    pub fn build(self, path: impl AsRef<Path>) -> Result<Book<G>, BookError> {
        self.run(path.as_ref(), IfThere::Refuse)
    }

    /// Builds the book as a new file, and replaces an existing one.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`build`](Self::build), except that of a file that exists.
    pub fn replace(self, path: impl AsRef<Path>) -> Result<Book<G>, BookError> {
        self.run(path.as_ref(), IfThere::Replace)
    }

    /// Continues the book in this file, or starts a new one if the file does not exist.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`build`](Self::build), except that of a file that exists; and a [`BookError`]
    /// if the file is damaged, incomplete, not a book, or another book. Then the file stays as it is.
    pub fn resume(self, path: impl AsRef<Path>) -> Result<Book<G>, BookError> {
        self.run(path.as_ref(), IfThere::Resume)
    }

    fn run(mut self, path: &Path, if_there: IfThere) -> Result<Book<G>, BookError> {
        // Before the file is created.
        let mut frontier = Frontier::new(&self.start, self.head.depth)?;
        let mut lines = Lines::open(path, if_there)?;
        let mut book = Book::new(self.head.clone());
        if if_there == IfThere::Resume {
            let bytes = lines.read()?;
            // A construction that was killed before its first save leaves an empty file.
            if !bytes.is_empty() {
                book = self.read(lines.path(), &bytes, &mut frontier)?;
            }
        }
        let mut output = Output { lines, saved: usize::MAX, last: Instant::now() };
        let ended = self.search(&mut book, &mut frontier, &mut output);
        // A construction that has found nothing does not replace an older book.
        let has_nothing = book.is_empty() && (ended.is_err() || self.stop.is_stopped());
        let saved = if has_nothing { Ok(()) } else { output.save(&book) };
        ended.and(saved).map(|()| book)
    }

    /// Reads a book, and makes the choices that led to it.
    fn read(&self, path: &Path, bytes: &[u8], frontier: &mut Frontier<G>) -> Result<Book<G>, BookError> {
        let read = Book::<G>::read_any(path, bytes)?;
        read.head().check(&self.head, path)?;
        for (number, entry) in read.entries().iter().enumerate() {
            let invalid = |why| BookError::Invalid { path: path.to_owned(), line: number + 2, why };
            let next = frontier.next().ok_or_else(|| invalid("there are no more positions"))?;
            if (&next.name, next.depth) != (&entry.position, entry.depth) {
                return Err(invalid("another position is the most likely one"));
            }
            let place = next.state.place();
            let names =
                next.state.actions().into_iter().map(|action| next.state.name_of(action, place.symmetry));
            if !names.eq(entry.actions.iter().map(|action| action.action.clone())) {
                return Err(invalid("its actions are not those of the game"));
            }
            frontier.follow(&next, entry)?;
        }
        Ok(read)
    }

    fn search(
        &mut self,
        book: &mut Book<G>,
        frontier: &mut Frontier<G>,
        output: &mut Output,
    ) -> Result<(), BookError> {
        while book.len() < self.positions && !self.stop.is_stopped() {
            let Some(next) = frontier.next() else { break };
            let seed = hash_key(&(self.head.seed, &next.name[..])) as u64;
            let mut search = (self.make)(next.state.clone(), seed);
            let entry = search
                .run(Budget::iterations(self.head.iterations))
                .and_then(|report| entry(&next, &report))
                .map_err(|source| BookError::Search { position: next.name.clone(), source })?;
            frontier.follow(&next, &entry)?;
            book.push(entry);
            if output.last.elapsed() >= self.save_every {
                output.save(book)?;
            }
            let saved = if output.saved == usize::MAX { 0 } else { output.saved };
            (self.observer)(Progress {
                positions: book.len(),
                saved,
                depth: next.depth,
                weight: next.weight,
            });
        }
        Ok(())
    }
}

/// Returns what a search found, under the names of the position.
fn entry<G: Positions>(next: &Open<G>, report: &Report<G::Action>) -> Result<Entry, SearchError> {
    let symmetry = next.state.place().symmetry;
    let name = |action| next.state.name_of(action, symmetry);
    let actions = report.actions.iter().map(|action| BookAction {
        action: name(action.action.clone()),
        visits: action.visits,
        mean: action.mean,
        proof: action.proof,
    });
    Ok(Entry {
        position: next.name.clone(),
        depth: next.depth,
        best: name(report.try_best_action()?),
        actions: actions.collect(),
    })
}

/// The file that is being written.
struct Output {
    lines: Lines,
    /// The number of positions in the file; `usize::MAX` before the first save.
    saved: usize,
    last: Instant,
}

impl Output {
    /// Replaces the file by a new one with all positions.
    fn save<G: Positions>(&mut self, book: &Book<G>) -> Result<(), BookError> {
        if self.saved == book.len() {
            return Ok(());
        }
        self.lines.replace(|file| book.write(file))?;
        (self.saved, self.last) = (book.len(), Instant::now());
        Ok(())
    }
}

/// A position that is not in the book yet.
#[derive(Clone)]
struct Open<G> {
    state: G,
    name: String,
    depth: u32,
    weight: f64,
}

/// The order in which positions are searched: by the bits of the weight, which rise as it does, and of equal ones
/// the one that was found first.
type Rank = (u64, Reverse<usize>);

/// All positions that are one action after the book.
struct Frontier<G> {
    /// All positions that were found; `None` for those in the book.
    found: Vec<Option<Open<G>>>,
    numbers: HashMap<String, usize>,
    /// The open positions, some of them several times. Only the greatest weight of each counts.
    queue: BinaryHeap<Rank>,
    depth: u32,
}

impl<G: Positions> Frontier<G> {
    fn new(start: &G, depth: Option<u32>) -> Result<Self, BookError> {
        let mut frontier = Frontier {
            found: Vec::new(),
            numbers: HashMap::new(),
            queue: BinaryHeap::new(),
            depth: depth.unwrap_or(u32::MAX),
        };
        frontier.add(start.clone(), 0, 1.0)?;
        Ok(frontier)
    }

    /// Adds a position, or adds to its weight.
    fn add(&mut self, state: G, depth: u32, weight: f64) -> Result<(), BookError> {
        match state.turn() {
            Turn::Player(_) if depth <= self.depth => {}
            Turn::Chance => return Err(BookError::Chance),
            _ => return Ok(()),
        }
        let name = state.place().name;
        let number = *self.numbers.entry(name.clone()).or_insert(self.found.len());
        if number == self.found.len() {
            self.found.push(Some(Open { state, name, depth, weight: 0.0 }));
        }
        if let Some(open) = &mut self.found[number] {
            open.weight += weight;
            self.queue.push((open.weight.to_bits(), Reverse(number)));
        }
        Ok(())
    }

    /// Takes the most likely position.
    fn next(&mut self) -> Option<Open<G>> {
        loop {
            // The greatest weight of a position is its latest one, because weights only grow.
            let (_, Reverse(number)) = self.queue.pop()?;
            if let Some(open) = self.found[number].take() {
                return Some(open);
            }
        }
    }

    /// Adds the positions after one that was searched.
    fn follow(&mut self, from: &Open<G>, entry: &Entry) -> Result<(), BookError> {
        let visits: u64 = entry.actions.iter().map(|action| u64::from(action.visits)).sum();
        for (action, found) in from.state.actions().into_iter().zip(&entry.actions) {
            if found.visits > 0 {
                let mut next = from.state.clone();
                next.apply(action);
                let share = f64::from(found.visits) / visits as f64;
                self.add(next, from.depth.saturating_add(1), from.weight * share)?;
            }
        }
        Ok(())
    }
}

impl<G> fmt::Debug for Construction<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Construction")
            .field("head", &self.head)
            .field("positions", &self.positions)
            .field("save_every", &self.save_every)
            .finish_non_exhaustive()
    }
}
