//! Tables of known counts as text, and their comparison with a game.

use super::divide::divide_by;
use super::walk::unless_failed;
use super::{Column, TableError, columns, perft};
use ramure::{GameState, Turn, take_failure};

/// A difference is split by the first action if there are at most this many first actions.
const MOST_PARTS: u64 = 40;

/// Compares the numbers of lines of play from `initial`, as [`perft`] counts them, with a table of known
/// counts, and returns how many counts agree: all that are known.
///
/// # The table
///
/// A row is a depth, followed by the counts of [`PerftRow`](super::PerftRow) in order. Write `-` for unknown
/// counts; unknown counts at the end may be left out. Depths start at 1 and ascend. [`Perft`](super::Perft)
/// prints such a table.
///
/// ```text
/// # Connect 4: depth, lines, finished, wins of player 0, wins of player 1
/// 1       7
/// 6  117649      0
/// 7  823536  13032  13032  0
/// 8       -      -      0     # by the second player only
///
/// after 3; 3; 2
/// 1       7
/// 2      49
/// ```
///
/// A line `after ..` names a position; the rows below it count from there. Each action is written as its
/// `Debug` text, which is looked up among the legal actions. `#` starts a comment, also at the end of a line.
/// Blank lines are skipped.
///
/// # Cost
///
/// The same as for [`perft`] from each position to the depth of its last row. The whole text is read before
/// anything is counted.
///
/// # Errors
///
/// Returns [`TableError::Difference`] at the first count that differs from the game's, and another
/// [`TableError`] if the table cannot be read or has no rows. Most errors name the line.
///
/// # Panics
///
/// Panics if the game panics or [fails](ramure::fail).
///
/// # Example
///
/// In a test, keep the table in a file of its own, and include it with [`include_str!`].
///
/// ```
/// use ramure_games::Connect4;
///
/// let counts = ramure_rules::perft_table(&Connect4::new(), "
///     1      7
///     2     49
///     after 3; 3; 2
///     3    343  0
///     4   2401  180
/// ")?;
/// assert_eq!(counts, 6);
///
/// let error = ramure_rules::perft_table(&Connect4::new(), "1 7\n2 48").unwrap_err();
/// assert!(error.to_string().starts_with(
///     "line 2: lines at depth 2 from the initial position: the table has 48, the game has 49",
/// ));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn perft_table<G: GameState>(initial: &G, table: &str) -> Result<usize, TableError<G::Action>> {
    let sections = read(initial, table)?;
    sections.iter().try_for_each(Section::check)?;
    let rows = sections.iter().flat_map(|section| &section.rows);
    Ok(rows.flat_map(|row| &row.counts).flatten().count())
}

/// A position and its rows.
struct Section<G: GameState> {
    /// The line of the heading; 0 if there is none.
    line: usize,
    after: Vec<G::Action>,
    state: G,
    rows: Vec<Row>,
}

struct Row {
    line: usize,
    depth: usize,
    counts: Vec<Option<u64>>,
}

fn read<G: GameState>(initial: &G, table: &str) -> Result<Vec<Section<G>>, TableError<G::Action>> {
    take_failure(); // of a call outside of counts
    let mut section = Section { line: 0, after: Vec::new(), state: initial.clone(), rows: Vec::new() };
    let mut sections = Vec::new();
    for (line, text) in (1..).zip(table.lines()) {
        let text = text.trim();
        let heading =
            text.strip_prefix("after").filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '#']));
        if let Some(actions) = heading {
            section.end(&mut sections)?;
            section = Section::headed(initial, line, actions)?;
        } else if let Some(row) = Row::read(line, text, initial.players())? {
            if let Some(last) = section.rows.last().filter(|last| last.depth >= row.depth) {
                return Err(TableError::DepthOrder { line, depth: row.depth, before: last.depth });
            }
            section.rows.push(row);
        }
    }
    section.end(&mut sections)?;
    if sections.is_empty() { Err(TableError::NoRows) } else { Ok(sections) }
}

impl<G: GameState> Section<G> {
    /// Reads the heading of a section; `actions` is the text after the word `after`.
    fn headed(initial: &G, line: usize, actions: &str) -> Result<Self, TableError<G::Action>> {
        let mut section = Section { line, after: Vec::new(), state: initial.clone(), rows: Vec::new() };
        let mut rest = Some(actions);
        while let Some(text) = rest {
            let text = text.trim_start();
            if text.is_empty() || text.starts_with(['#', ';']) {
                return Err(TableError::MissingAction { line });
            }
            let (action, behind) = section.action(text)?;
            section.state.apply(action.clone());
            unless_failed();
            section.after.push(action);
            rest = behind.strip_prefix(';');
        }
        Ok(section)
    }

    /// The legal action whose text `text` starts with, and the rest of the text.
    fn action<'a>(&self, text: &'a str) -> Result<(G::Action, &'a str), TableError<G::Action>> {
        let over = self.state.turn() == Turn::Over;
        let legal: Vec<G::Action> =
            if over { Vec::new() } else { self.state.actions().into_iter().collect() };
        unless_failed();
        // The text of an action may contain a semicolon, so the action must be known before its end is.
        let named = legal.iter().filter_map(|action| {
            let behind = text.strip_prefix(format!("{action:?}").trim())?.trim_start();
            (behind.is_empty() || behind.starts_with([';', '#'])).then(|| (action.clone(), behind))
        });
        let mut named: Vec<(G::Action, &str)> = named.collect();
        named.sort_by_key(|(_, behind)| behind.len());
        match &named[..] {
            [(_, first), (_, second), ..] if first.len() == second.len() => {
                let found = text[..text.len() - first.len()].trim().to_string();
                Err(TableError::AmbiguousAction { line: self.line, found })
            }
            [named, ..] => Ok(named.clone()),
            [] => {
                let found = text.split([';', '#']).next().unwrap_or(text).trim().to_string();
                Err(TableError::UnknownAction { line: self.line, found, after: self.after.clone(), legal })
            }
        }
    }

    /// Stores the section, unless it is the one before the first heading and has no rows.
    fn end(self, sections: &mut Vec<Self>) -> Result<(), TableError<G::Action>> {
        match (self.rows.is_empty(), self.line) {
            (true, 0) => {}
            (true, line) => return Err(TableError::NoRowsBelow { line }),
            (false, _) => sections.push(self),
        }
        Ok(())
    }

    fn check(&self) -> Result<(), TableError<G::Action>> {
        let perft = perft(&self.state, self.rows.last().map_or(0, |row| row.depth));
        for &Row { line, depth, ref counts } in &self.rows {
            for (column, expected) in columns().zip(counts) {
                let found = perft.count(depth, column);
                if let Some(expected) = expected.filter(|&expected| expected != found) {
                    let few = perft.count(1, Column::Lines) <= MOST_PARTS;
                    let divide = few.then(|| divide_by(&self.state, depth, column));
                    let after = self.after.clone();
                    let column = column.to_string();
                    return Err(TableError::Difference {
                        line,
                        after,
                        depth,
                        column,
                        expected,
                        found,
                        divide,
                    });
                }
            }
        }
        Ok(())
    }
}

impl Row {
    /// The row of a line, if the line is not blank.
    fn read<A>(line: usize, text: &str, players: u8) -> Result<Option<Row>, TableError<A>> {
        let text = text.split('#').next().unwrap_or(text);
        let mut words = text.split_whitespace();
        let Some(first) = words.next() else { return Ok(None) };
        let depth = first.parse().ok().filter(|&depth| depth > 0);
        let Some(depth) = depth else {
            return Err(TableError::UnknownLine { line, found: first.to_string() });
        };
        let words: Vec<&str> = words.collect();
        if words.len() > usize::from(players) + 2 {
            return Err(TableError::TooManyCounts { line, found: words.len(), players });
        }
        let read = |(column, word): (Column, &&str)| match (*word, word.parse()) {
            ("-", _) => Ok(None),
            (_, Ok(count)) => Ok(Some(count)),
            (found, Err(_)) => {
                let (column, found) = (column.to_string(), found.to_string());
                Err(TableError::NotACount { line, column, found })
            }
        };
        let counts = columns().zip(&words).map(read).collect::<Result<Vec<Option<u64>>, _>>()?;
        if counts.iter().all(Option::is_none) {
            return Err(TableError::NothingKnown { line });
        }
        Ok(Some(Row { line, depth, counts }))
    }
}
