//! The file of a book: lines of JSON, each with a checksum.
//!
//! The first line describes the book, the last one counts the positions, and each line between them is a
//! position. A line ends with a checksum of itself and of the line before it. So no line can be changed, left
//! out or moved, and the file cannot end early.

use super::error::BookError;
use super::positions::Positions;
use crate::lines;
use core::marker::PhantomData;
use ramure::{Turn, hash_key};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// The first line of a book: what it is of, and how it was built.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The version of the format.
    pub(super) ramure_book: u32,
    /// The name of the game.
    pub game: String,
    /// The name of the start of the game.
    pub start: String,
    /// The search, as text.
    pub search: String,
    /// The iterations of the search of each position.
    pub iterations: u64,
    /// The seed of all searches.
    pub seed: u64,
    /// The most actions from the start to a position of the book, if there is a bound.
    pub depth: Option<u32>,
}

impl Head {
    /// The format that this version reads and writes.
    pub(super) const FORMAT: u32 = 1;

    /// Checks that the book in the file at `path`, which this is the head of, is the one that was asked for.
    pub(super) fn check(&self, asked: &Head, path: &Path) -> Result<(), BookError> {
        let depth =
            |depth: Option<u32>| depth.map_or_else(|| "no bound".to_owned(), |depth| depth.to_string());
        let pairs = [
            ("the game", self.game.clone(), asked.game.clone()),
            ("the start", self.start.clone(), asked.start.clone()),
            ("the search", self.search.clone(), asked.search.clone()),
            ("the iterations", self.iterations.to_string(), asked.iterations.to_string()),
            ("the seed", self.seed.to_string(), asked.seed.to_string()),
            ("the depth", depth(self.depth), depth(asked.depth)),
        ];
        match pairs.into_iter().find(|(_, file, asked)| file != asked) {
            Some((what, file, asked)) => Err(BookError::Other { path: path.to_owned(), what, file, asked }),
            None => Ok(()),
        }
    }
}

/// The result of a search in a position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The name of the position.
    pub position: String,
    /// The number of actions from the start to the position.
    pub depth: u32,
    /// The name of the action to play.
    pub best: String,
    /// All actions, in the order of the game.
    pub actions: Vec<BookAction>,
}

/// The result of a search for an action of a position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BookAction {
    /// The name of the action.
    pub action: String,
    /// The iterations that went through the action.
    pub visits: u32,
    /// The mean reward of the player to move.
    pub mean: f32,
    /// The reward of the player to move, if it is proven.
    pub proof: Option<f32>,
}

impl Entry {
    /// Returns the action to play.
    pub fn best(&self) -> Option<&BookAction> {
        self.actions.iter().find(|action| action.action == self.best)
    }
}

/// The last line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct End {
    positions: usize,
}

/// An opening book: what searches found in many positions.
///
/// ```
/// use ramure::prelude::*;
/// use ramure_lab::book::{Book, BookAgent, Construction};
/// use ramure_agents::{Agent, Random};
/// use ramure_games::TicTacToe;
///
/// # let folder = std::env::temp_dir().join(format!("ramure-lab-book-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("a.book");
/// # if false {
/// let path = "tic-tac-toe.book";
/// # }
/// let start = TicTacToe::new();
/// Construction::new("tic-tac-toe", start.clone(), "ucb1", |state, seed| Box::new(Mcts::new(state).seed(seed)))
///     .iterations(200)
///     .positions(20)
///     .build(&path)?;
///
/// let book = Book::<TicTacToe>::read(&path, "tic-tac-toe", &start)?;
/// assert_eq!(book.len(), 20);
/// println!("{:?}", book.find(&start));
///
/// let mut agent = BookAgent::new(book, Random::default());
/// agent.choose(&start)?;
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Book<G> {
    head: Head,
    pub(super) entries: Vec<Entry>,
    numbers: HashMap<String, usize>,
    of: PhantomData<fn() -> G>,
}

impl<G: Positions> Book<G> {
    /// Creates a book without positions.
    pub(super) fn new(head: Head) -> Self {
        Book { head, entries: Vec::new(), numbers: HashMap::new(), of: PhantomData }
    }

    pub(super) fn push(&mut self, entry: Entry) {
        self.numbers.insert(entry.position.clone(), self.entries.len());
        self.entries.push(entry);
    }

    /// Reads the book of the game that begins with `start`.
    ///
    /// # Errors
    ///
    /// Returns a [`BookError`] if the file cannot be read, if it is not a book, is damaged or incomplete, or
    /// is of another game.
    pub fn read(path: impl AsRef<Path>, game: &str, start: &G) -> Result<Self, BookError> {
        let path = path.as_ref();
        let book = Book::read_any(path, &fs::read(path).map_err(lines::failure(path, "read"))?)?;
        let asked = Head { game: game.to_owned(), start: start.place().name, ..book.head.clone() };
        book.head.check(&asked, path)?;
        Ok(book)
    }

    /// Reads a book of whatever game.
    pub(super) fn read_any(path: &Path, bytes: &[u8]) -> Result<Self, BookError> {
        let not_a_book = || BookError::NotABook(path.to_owned());
        let incomplete = || BookError::Incomplete(path.to_owned());
        let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
        // What comes after the last line feed: nothing, or a line that is cut off.
        let is_whole = lines.pop().is_some_and(<[u8]>::is_empty);
        if !bytes.starts_with(b"{\"ramure_book\":") {
            return Err(not_a_book());
        }
        let damaged = |line: usize| BookError::Damaged { path: path.to_owned(), line: line + 1 };
        let mut sum = 0;
        let mut bodies = Vec::with_capacity(lines.len());
        for (number, line) in lines.iter().enumerate() {
            let (body, next) = without_sum(line, sum).ok_or_else(|| damaged(number))?;
            bodies.push(body);
            sum = next;
        }
        let head: Head = value(bodies.first().ok_or_else(incomplete)?).ok_or_else(not_a_book)?;
        if head.ramure_book != Head::FORMAT {
            return Err(not_a_book());
        }
        let end: End =
            bodies.last().filter(|_| is_whole).and_then(|body| value(body)).ok_or_else(incomplete)?;
        let mut book = Book::new(head);
        for (number, body) in bodies.iter().enumerate().take(bodies.len() - 1).skip(1) {
            let invalid = |why| BookError::Invalid { path: path.to_owned(), line: number + 1, why };
            let entry: Entry = value(body).ok_or_else(|| invalid("it is not a position"))?;
            if book.numbers.contains_key(&entry.position) {
                return Err(invalid("the position is there twice"));
            }
            let is_reward = |reward: f32| (0.0..=1.0).contains(&reward);
            if !entry
                .actions
                .iter()
                .all(|action| is_reward(action.mean) && action.proof.is_none_or(is_reward))
            {
                return Err(invalid("a mean is not a reward"));
            }
            if entry.best().is_none() {
                return Err(invalid("the action to play is none of the actions"));
            }
            book.push(entry);
        }
        if end.positions == book.len() { Ok(book) } else { Err(incomplete()) }
    }

    /// Writes the book.
    pub(super) fn write(&self, writer: &mut dyn Write) -> io::Result<()> {
        let mut sum = put(writer, &self.head, 0)?;
        for entry in &self.entries {
            sum = put(writer, entry, sum)?;
        }
        put(writer, &End { positions: self.len() }, sum).map(drop)
    }

    /// Returns how the book was built.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns all positions, in the order in which they were searched.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the entry of a position, or of a mirror image of it. The names of its actions are those of the
    /// state that is stored; see [`best_action`](Self::best_action).
    pub fn find(&self, state: &G) -> Option<&Entry> {
        self.numbers.get(&state.place().name).map(|&number| &self.entries[number])
    }

    /// Returns the action that the book plays in `state`, one of the legal ones. `None` if the book does not
    /// have the position.
    pub fn best_action(&self, state: &G) -> Option<G::Action> {
        if !matches!(state.turn(), Turn::Player(_)) {
            return None;
        }
        let place = state.place();
        let entry = &self.entries[*self.numbers.get(&place.name)?];
        state.actions().into_iter().find(|action| state.name_of(action.clone(), place.symmetry) == entry.best)
    }
}

/// The last field of each line.
const SUM: &[u8] = b",\"sum\":\"";
const DIGITS: usize = 16;

fn checksum(body: &[u8], before: u64) -> u64 {
    hash_key(&(before, body)) as u64
}

/// Writes a line, and returns its checksum.
fn put(writer: &mut dyn Write, line: &impl Serialize, before: u64) -> io::Result<u64> {
    let text = serde_json::to_string(line)?;
    let body = text.strip_suffix('}').unwrap_or(&text).as_bytes();
    let sum = checksum(body, before);
    writer.write_all(body)?;
    writer.write_all(SUM)?;
    writeln!(writer, "{sum:0DIGITS$x}\"}}")?;
    Ok(sum)
}

/// Returns a line without its checksum, and the checksum, if it is right.
fn without_sum(line: &[u8], before: u64) -> Option<(&[u8], u64)> {
    let (body, end) = line.split_at_checked(line.len().checked_sub(SUM.len() + DIGITS + 2)?)?;
    let sum = checksum(body, before);
    let expected = format!("{}{sum:0DIGITS$x}\"}}", String::from_utf8_lossy(SUM));
    (end == expected.as_bytes()).then_some((body, sum))
}

/// Returns the value of a line without its checksum.
fn value<T: DeserializeOwned>(body: &[u8]) -> Option<T> {
    serde_json::from_slice(&[body, b"}"].concat()).ok()
}
