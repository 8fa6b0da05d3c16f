//! Reads records.

use super::{HexMove, HexRecord, cell};
use ramure::Player;
use ramure_games::hex::{Cell, HexAction};
use ramure_games::{Hex, IllegalAction};
use std::iter::Peekable;
use std::str::Chars;

/// Why a record cannot be read, and where.
#[derive(thiserror::Error, Clone, PartialEq)]
#[error("line {line}, column {column}: {problem}")]
pub struct SgfError {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What is wrong.
    pub problem: SgfProblem,
}

/// What is wrong with a record.
#[derive(thiserror::Error, Clone, PartialEq)]
#[non_exhaustive]
pub enum SgfProblem {
    /// A character is wrong.
    #[error("found {found:?}; expected {expected}")]
    Character {
        /// The character found.
        found: char,
        /// The expected characters.
        expected: &'static str,
    },
    /// The text ends within a game.
    #[error("the text ends too early; expected {expected}")]
    Ends {
        /// The expected next part.
        expected: &'static str,
    },
    /// The record is of another game.
    #[error("GM[{found}] is another game; Hex is GM[11]")]
    Game {
        /// The number of the game.
        found: String,
    },
    /// The record has no size.
    #[error("the size of the board is missing; write SZ in the first node, as in SZ[11]")]
    NoSize,
    /// There is no board of this size.
    #[error("SZ[{found}] is not a size; a board has as many rows as columns, from 2 to 19")]
    Size {
        /// The size.
        found: String,
    },
    /// A text is not a move.
    #[error("\"{found}\" is not a move; write a cell such as b3, swap-pieces, swap-sides, pass or resign")]
    Move {
        /// The text.
        found: String,
    },
    /// A text is not a list of cells.
    #[error("\"{found}\" is not a cell or a rectangle of cells; write b3, or b3:c4")]
    Stones {
        /// The text.
        found: String,
    },
    /// A text is not a colour.
    #[error("\"{found}\" is not a colour; write B or W")]
    Colour {
        /// The text.
        found: String,
    },
    /// A record takes stones away.
    #[error("AE takes stones off the board, which is not supported; leave them out instead")]
    Removal,
    /// A move is not legal.
    #[error(transparent)]
    Illegal(#[from] IllegalAction<HexAction>),
    /// A move follows a resignation.
    #[error("a player has resigned before this move; remove one of them")]
    Resigned,
}

ramure::debug_as_sentence!(SgfError);
ramure::debug_as_sentence!(SgfProblem);

/// A line and a column.
type Place = (usize, usize);

impl SgfProblem {
    fn at(self, (line, column): Place) -> SgfError {
        SgfError { line, column, problem: self }
    }
}

/// A property of a node: its name, and its values with their places.
struct Property {
    name: String,
    values: Vec<(String, Place)>,
    place: Place,
}

/// Reads all games of a text. Of each game, reads the main line: the first variation of each node.
///
/// Names of properties may have small letters, as in older files. What says nothing about the moves is
/// skipped, but must have the form of the format.
///
/// # Errors
///
/// Returns [`SgfError`] if the text has not the form of the format, or has no game; if a game is not Hex or has
/// no size from 2 to 19; and if a stone or a move cannot be read or is not legal, with the swap rule.
pub fn read(text: &str) -> Result<Vec<HexRecord>, SgfError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut cursor = Cursor { rest: text.chars().peekable(), place: (1, 1) };
    let mut records = Vec::new();
    loop {
        cursor.skip_space();
        if records.is_empty() || cursor.rest.peek().is_some() {
            records.push(cursor.game()?);
        } else {
            return Ok(records);
        }
    }
}

struct Cursor<'a> {
    rest: Peekable<Chars<'a>>,
    /// Where the next character is.
    place: Place,
}

impl Cursor<'_> {
    fn next(&mut self) -> Option<char> {
        let next = self.rest.next();
        match next {
            Some('\n') => self.place = (self.place.0 + 1, 1),
            Some(_) => self.place.1 += 1,
            None => {}
        }
        next
    }

    fn skip_space(&mut self) {
        while self.rest.peek().is_some_and(|next| next.is_whitespace()) {
            self.next();
        }
    }

    /// Returns the error that something else was expected here.
    fn wrong(&mut self, expected: &'static str) -> SgfError {
        let problem = match self.rest.peek() {
            Some(&found) => SgfProblem::Character { found, expected },
            None => SgfProblem::Ends { expected },
        };
        problem.at(self.place)
    }

    /// Skips white space and then this character.
    fn expect(&mut self, wanted: char, expected: &'static str) -> Result<(), SgfError> {
        self.skip_space();
        if self.rest.peek() != Some(&wanted) {
            return Err(self.wrong(expected));
        }
        self.next();
        Ok(())
    }

    fn game(&mut self) -> Result<HexRecord, SgfError> {
        self.expect('(', "a game, which begins with `(;`")?;
        self.expect(';', "the `;` of the first node")?;
        let place = self.place;
        let mut game = Game::of(&self.node()?, place)?;
        // The main line ends where the first variation does.
        let (mut depth, mut is_main) = (1u64, true);
        while depth > 0 {
            self.skip_space();
            match self.rest.peek() {
                Some('(') => depth += 1,
                Some(')') => (depth, is_main) = (depth - 1, false),
                Some(';') => {}
                _ => return Err(self.wrong("`;`, `(` or `)`")),
            }
            if self.next() == Some(';') {
                let node = self.node()?;
                if is_main {
                    game.play(&node)?;
                }
            }
        }
        Ok(game.record)
    }

    /// Reads the properties of a node.
    fn node(&mut self) -> Result<Vec<Property>, SgfError> {
        let mut properties = Vec::new();
        loop {
            self.skip_space();
            let mut property = Property { name: String::new(), values: Vec::new(), place: self.place };
            while let Some(letter) = self.rest.peek().copied().filter(char::is_ascii_alphabetic) {
                if letter.is_ascii_uppercase() {
                    property.name.push(letter);
                }
                self.next();
            }
            if self.place == property.place {
                return Ok(properties);
            }
            self.expect('[', "the `[` of a value")?;
            loop {
                property.values.push(self.value()?);
                self.skip_space();
                if self.rest.peek() != Some(&'[') {
                    break;
                }
                self.next();
            }
            properties.push(property);
        }
    }

    /// Reads a value up to its `]`.
    fn value(&mut self) -> Result<(String, Place), SgfError> {
        let (mut value, place) = (String::new(), self.place);
        loop {
            match self.next() {
                Some(']') => return Ok((value, place)),
                Some('\\') => value.extend(self.next()),
                Some(character) => value.push(character),
                None => return Err(SgfProblem::Ends { expected: "the `]` of this value" }.at(place)),
            }
        }
    }
}

/// Returns the start of a text, for a message.
fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

/// A record up to a node.
struct Game {
    record: HexRecord,
    position: Hex,
    has_resigned: bool,
}

impl Game {
    /// Begins a game with its first node.
    fn of(node: &[Property], place: Place) -> Result<Self, SgfError> {
        let find = |name: &str| {
            let property = node.iter().find(|property| property.name == name);
            property.and_then(|property| property.values.first())
        };
        let text = |name| find(name).map_or_else(String::new, |(value, _)| value.clone());
        if let Some((found, place)) = find("GM").filter(|(found, _)| found.trim() != "11") {
            return Err(SgfProblem::Game { found: shortened(found) }.at(*place));
        }
        let (found, place) = find("SZ").ok_or_else(|| SgfProblem::NoSize.at(place))?;
        let (rows, columns) = found.split_once(':').unwrap_or((found, found));
        let [rows, columns] = [rows, columns].map(|number| number.trim().parse::<u8>().ok());
        let size = rows.filter(|_| rows == columns);
        let empty = size.and_then(|size| Some((size, Hex::new(size).ok()?.with_swap())));
        let (size, position) =
            empty.ok_or_else(|| SgfProblem::Size { found: shortened(found) }.at(*place))?;
        let record = HexRecord {
            size,
            players: [text("PB"), text("PW")],
            result: text("RE"),
            stones: Vec::new(),
            turn: None,
            moves: Vec::new(),
        };
        let mut game = Game { record, position, has_resigned: false };
        for (player, cell, place) in set_up(node)? {
            game.position = HexMove::Place(cell)
                .play(player, &game.position)
                .map_err(|error| SgfProblem::from(error).at(place))?;
            game.record.stones.push((player, cell));
        }
        game.play_moves(node)?;
        Ok(game)
    }

    /// Plays a node after the first: its stones, and its moves.
    fn play(&mut self, node: &[Property]) -> Result<(), SgfError> {
        for (player, cell, place) in set_up(node)? {
            self.play_one(player, HexMove::Place(cell), place)?;
        }
        self.play_moves(node)
    }

    fn play_moves(&mut self, node: &[Property]) -> Result<(), SgfError> {
        for property in node {
            let player = match property.name.as_str() {
                "B" => 0,
                "W" => 1,
                "PL" => {
                    self.set_turn(&property.values[0])?;
                    continue;
                }
                "AE" => return Err(SgfProblem::Removal.at(property.place)),
                _ => continue,
            };
            for (value, place) in &property.values {
                let wrong = |_| SgfProblem::Move { found: shortened(value) }.at(*place);
                self.play_one(player, value.parse().map_err(wrong)?, *place)?;
            }
        }
        Ok(())
    }

    fn play_one(&mut self, player: Player, action: HexMove, place: Place) -> Result<(), SgfError> {
        if self.has_resigned {
            return Err(SgfProblem::Resigned.at(place));
        }
        let played = action.play(player, &self.position);
        self.position = played.map_err(|error| SgfProblem::from(error).at(place))?;
        self.has_resigned = action == HexMove::Resign;
        self.record.moves.push((player, action));
        Ok(())
    }

    /// Sets the player to move. After the first move, the colours of the moves say that.
    fn set_turn(&mut self, (value, place): &(String, Place)) -> Result<(), SgfError> {
        let player = match value.trim().to_ascii_lowercase().as_str() {
            "b" | "black" => 0,
            "w" | "white" => 1,
            _ => return Err(SgfProblem::Colour { found: shortened(value) }.at(*place)),
        };
        if self.record.moves.is_empty() {
            self.record.turn = Some(player);
            self.position = self.position.clone().with_turn(player);
        }
        Ok(())
    }
}

/// Returns the stones that a node puts on the board, black and white in turn as far as possible, so that the
/// fewest turns are passes.
fn set_up(node: &[Property]) -> Result<Vec<(Player, Cell, Place)>, SgfError> {
    let mut stones = [Vec::new(), Vec::new()];
    for property in node {
        let Some(player) = ["AB", "AW"].iter().position(|name| *name == property.name) else { continue };
        for (value, place) in &property.values {
            let (first, last) = value.split_once(':').unwrap_or((value, value));
            let read = |text: &str| cell(&text.trim().to_ascii_lowercase());
            let (Ok(first), Ok(last)) = (read(first), read(last)) else {
                return Err(SgfProblem::Stones { found: shortened(value) }.at(*place));
            };
            let between = |a: u8, b: u8| a.min(b)..=a.max(b);
            for row in between(first.row(), last.row()) {
                let cells =
                    between(first.column(), last.column()).filter_map(|column| Cell::new(row, column));
                stones[player].extend(cells.map(|cell| (player as Player, cell, *place)));
            }
        }
    }
    let [black, white] = stones.map(Vec::into_iter);
    let (mut black, mut white) = (black, white);
    let mut all = Vec::new();
    loop {
        let before = all.len();
        all.extend(black.next());
        all.extend(white.next());
        if all.len() == before {
            return Ok(all);
        }
    }
}
