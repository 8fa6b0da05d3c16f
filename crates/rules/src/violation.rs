//! Violations of laws, and how they are printed.

use super::law::Law;
use super::probe::catch;
use core::fmt;
use ramure::GameState;

/// A broken law, with the shortest line of play that was found to break it.
///
/// `Display` prints it for people, and prints states as [`Check::display`](crate::Check::display)
/// says. The example is a game of Chomp in which eaten rows grow again:
///
/// ```text
/// broken: the twin agrees (Law::Agreement)
/// after 2 actions: (1, 0), (0, 1)
///
///     the twin (there) differs: (1, 0), (2, 0) can be played here and not there; the twin is
///     Squares { left: [(0, 0)], bites: 2 }
///
/// before the last action:
///     Chomp { rows: [4, 0, 0], player: 1 }
/// after (0, 1):
///     Chomp { rows: [1, 1, 1], player: 0 }
///
/// All shorter lines of play were checked.
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct Violation<G: GameState> {
    /// The broken law.
    pub law: Law,
    /// The actions that lead from the initial state to the violation.
    pub actions: Vec<G::Action>,
    /// The state before the last action; `None` if there are no actions.
    pub before: Option<G>,
    /// The state after all actions; `None` if the last action could not be played, or if the initial state
    /// could not be inspected.
    pub after: Option<G>,
    /// How the violation was found.
    pub what: String,
    pub(super) found: Found,
    /// Whether all shorter lines of play were checked, and none was found to break the law.
    pub is_shortest: bool,
    /// How `Display` prints the states.
    pub(super) shown: Shown<G>,
}

/// How states are printed: with `Debug` or with `Display`.
#[doc(hidden)]
pub type Shown<G> = fn(&G) -> String;

/// How a line of play that breaks a law was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// While going through all lines, shortest first.
    BreadthFirst,
    /// In a random game, whose line was then shortened.
    Game {
        /// The number of the game, from 0.
        number: u32,
        /// The seed of the check.
        seed: u64,
        /// The number of actions before the line was shortened.
        length: usize,
    },
    /// In the statistics over all games together, see [`Law::RandomFair`].
    Together,
    /// The law was not checked: it needs more than [`GameState`], and was not asked for.
    NotAsked,
}

impl<G: GameState + fmt::Debug> core::error::Error for Violation<G> {}

impl<G: GameState + fmt::Debug> fmt::Debug for Violation<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ramure::__sentence(self, f)
    }
}

impl<G: GameState + fmt::Debug> fmt::Display for Violation<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "broken: {} (Law::{:?})", self.law, self.law)?;
        let actions: Vec<String> =
            self.actions.iter().map(|action| debug_text(action).replace('\n', " ")).collect();
        match &actions[..] {
            _ if self.found == Found::NotAsked => {}
            [] => writeln!(f, "in the initial state")?,
            [action] => writeln!(f, "after one action: {action}")?,
            _ => writeln!(f, "after {} actions: {}", actions.len(), ends(&actions))?,
        }
        write!(f, "\n{}\n", Indented(&self.what))?;
        if let Some(before) = &self.before {
            write!(f, "\nbefore the last action:\n{}\n", Indented((self.shown)(before).trim_end()))?;
        }
        if let Some(after) = &self.after {
            let when =
                actions.last().map_or("the initial state:".to_owned(), |last| format!("after {last}:"));
            let gap = if self.before.is_none() { "\n" } else { "" };
            write!(f, "{gap}{when}\n{}\n", Indented((self.shown)(after).trim_end()))?;
        }
        if let Found::Game { number, seed, length } = self.found {
            let shortened = if length > self.actions.len() {
                format!(", and shortened from {length} actions")
            } else {
                String::new()
            };
            write!(f, "\nFound in game {number} of seed {seed}{shortened}.")?;
        }
        if self.is_shortest && !self.actions.is_empty() {
            f.write_str("\nAll shorter lines of play were checked.")?;
        }
        Ok(())
    }
}

/// Returns the actions in a row; of more than a hundred, the first and the last ten.
fn ends(actions: &[String]) -> String {
    const MOST: usize = 100;
    const ENDS: usize = 10;
    let count = actions.len();
    if count <= MOST {
        return actions.join(", ");
    }
    let (first, last) = (&actions[..ENDS], &actions[count - ENDS..]);
    format!(
        "{}, then {} more (the field `actions` has all), and at last {}",
        first.join(", "),
        count - 2 * ENDS,
        last.join(", ")
    )
}

/// Returns the `Debug` text of a value.
pub(super) fn debug_text<T: fmt::Debug>(value: &T) -> String {
    print_caught("Debug", &|| format!("{value:?}"))
}

pub(super) fn display_text<T: fmt::Display>(value: &T) -> String {
    print_caught("Display", &|| value.to_string())
}

/// Returns the result of `print`, or a note that it panicked: a game that breaks one law may break others. A
/// very long text is cut.
fn print_caught(name: &str, print: &dyn Fn() -> String) -> String {
    const LONGEST: usize = 4_000;
    let mut text = String::new();
    if let Err(message) = catch(&mut || text = print()) {
        text = format!("(its `{name}` panicked: {message})");
    }
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} ... ({} bytes more)", &text[..end], text.len() - end),
        None => text,
    }
}

/// Indents each line by four spaces.
struct Indented<'a>(&'a str);

impl fmt::Display for Indented<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, line) in self.0.lines().enumerate() {
            if number > 0 {
                f.write_str("\n")?;
            }
            if !line.is_empty() {
                write!(f, "    {line}")?;
            }
        }
        Ok(())
    }
}
