//! The Hex Text Protocol: an [`Engine`] that answers commands, and [`serve`], which reads them line by line.
//!
//! The protocol is version 2 of the [Go Text
//! Protocol](https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html) with the commands of
//! Hex, as HexGui and the programs MoHex and Wolve speak it. Black moves first and joins top and bottom:
//! player 0 of [`Hex`]. White joins left and right. Cells are `a1` to `s19`, the column first. The other moves
//! are those of [`HexMove`]. A colour may move out of turn: then the other one has passed.

mod commands;
mod lines;

pub use lines::{LONGEST_LINE, serve};

use crate::ReadError;
use crate::commands::{AnyAction, AnyGame, Everything};
use crate::sgf::{HexMove, HexRecord};
use core::fmt;
use core::time::Duration;
use ramure::{Budget, GameClock, ParameterError, Player, Search};
use ramure_games::Hex;
use ramure_games::hex::HexAction;
use std::time::Instant;

/// The initial settings of an engine.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The search, as in `grave:ref=30`: a tree policy with the parameters of `mcts`, without a budget.
    pub search: String,
    /// The number of rows of the board: 2 to 19.
    pub size: u8,
    /// Whether the second player may swap.
    pub swap: bool,
    /// The budget of each move, until a command sets a clock.
    pub budget: Budget,
    /// The seed of the search, the same for each game.
    pub seed: u64,
}

/// Why there is no engine with these settings.
#[derive(thiserror::Error, Clone, PartialEq)]
#[non_exhaustive]
pub enum SettingsError {
    /// There is no board of this size.
    #[error(transparent)]
    Size(#[from] ParameterError),
    /// The text does not name a search.
    #[error(transparent)]
    Search(#[from] ReadError),
}

ramure::debug_as_sentence!(SettingsError);

/// A Hex program that answers commands.
///
/// ```
/// use ramure::Budget;
/// use ramure_lab::htp::{Engine, Settings};
///
/// let settings = Settings { search: "grave".into(), size: 5, swap: false, budget: Budget::iterations(500), seed: 1 };
/// let mut engine = Engine::new(settings)?;
/// assert_eq!(engine.answer("1 play black c3").expect("an answer").text, "=1 \n\n");
/// assert_eq!(engine.answer("2 play black c3").expect("an answer").text, "?2 illegal move: c3 is not legal: this cell is taken; choose a free one\n\n");
/// assert!(engine.answer("3 genmove white").expect("an answer").text.starts_with("=3 "));
/// # Ok::<(), ramure_lab::htp::SettingsError>(())
/// ```
pub struct Engine {
    settings: Settings,
    registry: Everything,
    /// The positions of the game, from the first to the present one.
    positions: Vec<Hex>,
    /// The player who has resigned.
    resigned: Option<Player>,
    /// It searches the present position, or that with the other player to move.
    search: Box<dyn Search<Space = AnyGame> + Send>,
    /// The clock from `time_settings`, with which each game begins.
    time: Option<GameClock>,
    /// The clocks of black and white.
    clocks: [Option<GameClock>; 2],
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("settings", &self.settings)
            .field("position", self.position())
            .finish_non_exhaustive()
    }
}

/// An answer to a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The answer with its sign, its number and the empty line at its end.
    pub text: String,
    /// Whether the command was `quit`.
    pub quits: bool,
}

impl Engine {
    /// Creates an engine with an empty board.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no board of this size, or if the text does not name a search.
    pub fn new(settings: Settings) -> Result<Self, SettingsError> {
        let registry = AnyGame::registry();
        let start = start(settings.size, settings.swap)?;
        let search = registry.search(&settings.search, AnyGame::Hex(start.clone()), settings.seed)?;
        Ok(Engine {
            settings,
            registry,
            positions: vec![start],
            resigned: None,
            search,
            time: None,
            clocks: [None; 2],
        })
    }

    fn position(&self) -> &Hex {
        // There is always the first.
        &self.positions[self.positions.len() - 1]
    }

    /// Starts a game on a board of this size.
    fn restart(&mut self, size: u8) -> Result<(), SettingsError> {
        let start = start(size, self.settings.swap)?;
        self.begin(vec![start], None)
    }

    /// Continues this game, with the clocks of a new one.
    fn begin(&mut self, positions: Vec<Hex>, resigned: Option<Player>) -> Result<(), SettingsError> {
        self.settings.size = positions[0].size();
        (self.positions, self.resigned) = (positions, resigned);
        self.clocks = [self.time; 2];
        self.renew(self.settings.search.clone())
    }

    /// Loads a record, as it is before this move, counted from 1.
    fn load(&mut self, record: &HexRecord, before: Option<usize>) -> Result<(), String> {
        let empty = start(record.size, self.settings.swap).map_err(|error| error.to_string())?;
        let mut positions = record.positions(empty).map_err(|error| error.to_string())?;
        positions.truncate(before.unwrap_or(usize::MAX));
        let resigned = match record.moves[..positions.len() - 1].last() {
            Some(&(player, HexMove::Resign)) => positions.pop().map(|_| player),
            _ => None,
        };
        self.begin(positions, resigned).map_err(|error| error.to_string())
    }

    /// Searches the present position with an empty tree.
    fn renew(&mut self, text: String) -> Result<(), SettingsError> {
        let state = AnyGame::Hex(self.position().clone());
        self.search = self.registry.search(&text, state, self.settings.seed)?;
        self.settings.search = text;
        Ok(())
    }

    /// Plays a move of this player, also out of turn.
    fn play(&mut self, player: Player, action: HexMove) -> Result<(), String> {
        let next = action.play(player, self.position()).map_err(|error| format!("illegal move: {error}"))?;
        if action == HexMove::Resign {
            self.resigned = Some(player);
            return Ok(());
        }
        let action = match action {
            HexMove::Place(cell) => Some(HexAction::Place(cell)),
            HexMove::SwapPieces => Some(HexAction::Swap),
            _ => None,
        };
        let is_known = self.searches(&self.position().clone().with_turn(player));
        let advanced = action.filter(|_| is_known).map(|action| self.search.advance(AnyAction::Hex(action)));
        // An error of the search is no reason to refuse a legal move.
        if !matches!(advanced, Some(Ok(_))) {
            self.search.reset(AnyGame::Hex(next.clone()));
        }
        self.positions.push(next);
        Ok(())
    }

    /// Returns whether this position is at the root of the search.
    fn searches(&self, position: &Hex) -> bool {
        matches!(self.search.state(), AnyGame::Hex(state) if state == position)
    }

    /// Takes the last move back.
    fn undo(&mut self) -> Result<(), String> {
        if self.resigned.take().is_some() {
            return Ok(());
        }
        if self.positions.len() == 1 {
            return Err("there is no move to undo".into());
        }
        self.positions.pop();
        self.search.reset(AnyGame::Hex(self.position().clone()));
        Ok(())
    }

    /// Searches for a move of this player, also out of turn. Charges the time to the player's clock.
    fn choose(&mut self, player: Player) -> Result<HexMove, String> {
        let start = Instant::now();
        let position = self.position().clone().with_turn(player);
        if !self.searches(&position) {
            self.search.reset(AnyGame::Hex(position));
        }
        let budget = match &self.clocks[usize::from(player)] {
            // A player without time still answers, as fast as possible.
            Some(clock) => clock.budget().unwrap_or(Budget::iterations(1)),
            None => self.settings.budget,
        };
        let report = self.search.run(budget).map_err(|error| error.to_string())?;
        if let Some(clock) = &mut self.clocks[usize::from(player)] {
            // The referee says who has lost on time.
            let _ = clock.spent(start.elapsed());
        }
        match report.best_action() {
            AnyAction::Hex(HexAction::Place(cell)) => Ok(HexMove::Place(cell)),
            AnyAction::Hex(HexAction::Swap) => Ok(HexMove::SwapPieces),
            other => Err(format!("{other} is no move of Hex")),
        }
    }
}

fn start(size: u8, swap: bool) -> Result<Hex, ParameterError> {
    let board = Hex::new(size)?;
    Ok(if swap { board.with_swap() } else { board })
}

/// Returns a clock for searches of any kind: not all of them can end early.
fn clock(time: Duration, moves: u32) -> GameClock {
    let clock = GameClock::new(time).stops_early(false).percent_if_unclear(0);
    if moves > 0 { clock.moves_to_go(moves) } else { clock }
}
