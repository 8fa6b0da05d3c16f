//! The games of the crate, which are searched without the interpreter.

use crate::failure::Hooks;
use crate::language::Language;
use crate::search::{AnySearch, Deep, set};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use ramure::backpropagation::{Average, Solver};
use ramure::games::{Connect4, Hex, SudoTicTacToe, TicTacToe};
use ramure::saved::FileError;
use ramure::search::Forest;
use ramure::selection::Ucb1;
use ramure::simulation::Uniform;
use ramure::{GameState, Mcts, Player, Search, Turn};
use ramure_lab::commands::{AnyGame, Everything};
use std::error::Error;
use std::fmt::Display;
use std::io;
use std::mem::discriminant;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

/// The words of searches and agents of the games of the crate.
pub static KNOWN: LazyLock<Everything> = LazyLock::new(AnyGame::registry);

/// A state of a game of the crate. It has the methods of a game written in Python.
#[pyclass(module = "ramure.games", name = "Game", weakref)]
#[derive(Clone)]
pub struct Game(pub AnyGame);

/// Returns an action as an object: a number if its text is one, and otherwise the text.
fn to_object(py: Python<'_>, action: &impl Display) -> PyResult<Py<PyAny>> {
    let text = action.to_string();
    match text.parse::<u32>() {
        Ok(number) => number.into_py_any(py),
        Err(_) => text.into_py_any(py),
    }
}

/// Returns the legal action that an object stands for.
fn from_object<G: GameState<Action: Display>>(state: &G, action: &Bound<'_, PyAny>) -> PyResult<G::Action> {
    let text = action.str()?.to_string();
    let legal = match state.turn() {
        Turn::Over => None,
        _ => state.actions().into_iter().find(|legal| legal.to_string() == text),
    };
    legal.ok_or_else(|| {
        let text: String = text.chars().take(40).collect();
        PyValueError::new_err(format!("the action {text} is not legal here; choose one of `actions()`"))
    })
}

#[pymethods]
impl Game {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        match AnyGame::read(name) {
            Ok(AnyGame::SmallConnect4(_)) => {
                Err(PyValueError::new_err("Connect 4 has 7 columns and 6 rows here; write connect4"))
            }
            Ok(game) => Ok(Game(game)),
            Err(error) => Err(PyValueError::new_err(error.to_string())),
        }
    }

    /// The name, with which `Game` creates the start of the game again.
    #[getter]
    fn name(&self) -> String {
        self.0.game_name()
    }

    fn turn(&self) -> Option<Player> {
        match self.0.turn() {
            Turn::Player(player) => Some(player),
            _ => None,
        }
    }

    fn actions(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        match self.0.turn() {
            Turn::Over => Ok(Vec::new()),
            _ => self.0.actions().into_iter().map(|action| to_object(py, &action)).collect(),
        }
    }

    fn apply(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let action = from_object(&self.0, action)?;
        self.0.apply(action);
        Ok(())
    }

    fn reward(&self, player: Player) -> PyResult<f64> {
        if self.0.turn() != Turn::Over {
            return Err(PyValueError::new_err("the game is not over; only a finished game has rewards"));
        }
        if player >= self.0.players() {
            let text =
                format!("player {player} does not exist; the players are 0 to {}", self.0.players() - 1);
            return Err(PyValueError::new_err(text));
        }
        Ok(self.0.reward(player))
    }

    fn players(&self) -> u8 {
        self.0.players()
    }

    fn board(&self) -> Vec<Vec<i8>> {
        let owner = |owner: Option<Player>| owner.map_or(-1, |player| player as i8);
        let rows = |count: u8, cell: &dyn Fn(u8, u8) -> Option<Player>, columns: u8| {
            (0..count).map(|row| (0..columns).map(|column| owner(cell(row, column))).collect()).collect()
        };
        match &self.0 {
            // Its rows are counted from the bottom.
            AnyGame::Connect4(game) => rows(6, &|row, column| game.cell(5 - row, column), 7),
            AnyGame::Hex(game) => rows(game.size(), &|row, column| game.cell(row, column), game.size()),
            AnyGame::Sudo(game) => rows(9, &|row, column| game.cell(row, column), 9),
            AnyGame::TicTacToe(game) => rows(3, &|row, column| game.cell(row, column), 3),
            _ => Vec::new(),
        }
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<ramure.games.Game {}>", self.name())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a game cannot be pickled; keep its name and the actions that were played"))
    }
}

/// Implements what Python needs of the games.
macro_rules! languages {
    ($($game:ty),*) => {$(
        impl Language for $game {
            fn hooks(&self) -> Option<&Arc<Hooks>> {
                None
            }
            fn action_to_python(&self, py: Python<'_>, action: &Self::Action) -> PyResult<Py<PyAny>> {
                to_object(py, action)
            }
            fn action_from_python(&self, action: &Bound<'_, PyAny>) -> PyResult<Self::Action> {
                from_object(self, action)
            }
            fn state_to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                Game(self.clone().into()).into_py_any(py)
            }
            fn state_from_python(state: &Bound<'_, PyAny>) -> PyResult<Self> {
                let game = state.cast::<Game>().map_err(|_| another_game())?.try_borrow()?;
                Self::of_any(&game.0).ok_or_else(another_game)
            }
            fn is_same_game(&self, other: &Self) -> bool {
                OfAny::is_same_game(self, other)
            }
        }
    )*};
}

languages!(AnyGame, Connect4, Hex, SudoTicTacToe, TicTacToe);

pub fn another_game() -> PyErr {
    PyTypeError::new_err("the state is one of another game than that of the search; create another search")
}

/// Finds a game in a state of any game.
trait OfAny: Sized {
    fn of_any(game: &AnyGame) -> Option<Self>;

    fn is_same_game(&self, _: &Self) -> bool {
        true
    }
}

impl OfAny for AnyGame {
    fn of_any(game: &AnyGame) -> Option<Self> {
        Some(game.clone())
    }

    fn is_same_game(&self, other: &Self) -> bool {
        discriminant(self) == discriminant(other)
    }
}

/// Returns the exception for a file that cannot be written or read.
fn of_file(error: FileError) -> PyErr {
    let source = error.source().and_then(|source| source.downcast_ref::<io::Error>());
    match source {
        Some(source) => io::Error::new(source.kind(), format!("{error}: {source}")).into(),
        None => PyValueError::new_err(error.to_string()),
    }
}

/// The default search of a game, with any number of trees.
type Default<G> = Mcts<G, Ucb1, Uniform, Solver<Average>, Forest>;

/// Implements the default searches of games.
macro_rules! defaults {
    ($($name:ident: $game:ty;)*) => {
        $(
            impl OfAny for $game {
                fn of_any(game: &AnyGame) -> Option<Self> {
                    if let AnyGame::$name(game) = game { Some(game.clone()) } else { None }
                }
            }

            impl Deep<$game> for Default<$game> {
                fn page(&self, title: &str, nodes: usize) -> Result<String, &'static str> {
                    Ok(self.tree().explorer().title(title).nodes(nodes).pictures().to_string())
                }
                fn save(&mut self, path: PathBuf) -> PyResult<()> {
                    Default::<$game>::save(self, path).map_err(of_file)
                }
                fn load(&mut self, path: PathBuf) -> PyResult<()> {
                    Default::<$game>::resume(self, path).map_err(of_file)
                }
            }
        )*
    };
}

defaults! {
    Connect4: Connect4;
    Hex: Hex;
    Sudo: SudoTicTacToe;
    TicTacToe: TicTacToe;
}

/// Returns the default search of a game.
pub fn by_default(
    game: &AnyGame,
    seed: u64,
    memory: Option<usize>,
    trees: usize,
) -> PyResult<Box<dyn AnySearch>> {
    macro_rules! search {
        ($game:expr) => {
            Ok(set(Box::new(Mcts::new($game.clone()).seed(seed).parallel(trees)), memory))
        };
    }
    match game {
        AnyGame::Connect4(game) => search!(game),
        AnyGame::Hex(game) => search!(game),
        AnyGame::Sudo(game) => search!(game),
        AnyGame::TicTacToe(game) => search!(game),
        _ => {
            Err(PyValueError::new_err("this game has no default search; name an algorithm, such as \"ucb1\""))
        }
    }
}

/// Returns the search that a text names.
pub fn by_text(text: &str, game: &Game, seed: u64) -> PyResult<Box<dyn Search<Space = AnyGame> + Send>> {
    KNOWN.search(text, game.0.clone(), seed).map_err(|error| PyValueError::new_err(error.to_string()))
}
