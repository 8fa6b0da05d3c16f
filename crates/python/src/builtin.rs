//! The games of the crate, which are searched without the interpreter.

use crate::any_search::{Answer, AnySearch, Questions, any, deep};
use crate::language::Language;
use crate::network::{self, Evaluated, Function};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyList, PyTuple};
use ramure::backpropagation::{Average, Solver};
use ramure::search::{ActionOf, Threads, Window};
use ramure::selection::Ucb1;
use ramure::simulation::Uniform;
use ramure::{GameState, Mcts, Player, Turn};
use ramure_games::hex::HexAction;
use ramure_games::{Connect4, Hex, SudoTicTacToe, TicTacToe};
use ramure_lab::commands::{AnyAction, AnyGame};
use std::fmt::Display;
use std::mem::discriminant;
use std::slice;

/// A state of a game of the crate. It has the methods of a game written in Python.
#[pyclass(module = "ramure.games", weakref, str = "{0}")]
#[derive(Clone)]
pub struct Game(AnyGame);

impl Game {
    /// Returns the state of a game of the crate that an object is, if it is one.
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<Option<AnyGame>> {
        object.cast::<Game>().ok().map(|game| Ok(game.try_borrow()?.0.clone())).transpose()
    }
}

/// Returns the legal actions; none if the game is over.
fn legal<G: GameState>(state: &G) -> impl Iterator<Item = G::Action> {
    let is_on = state.turn() != Turn::Over;
    is_on.then(|| state.actions()).into_iter().flatten()
}

/// Returns an action as an object: a number if its text is one, and otherwise the text.
fn to_object(py: Python<'_>, action: &impl Display) -> PyResult<Py<PyAny>> {
    let text = action.to_string();
    if let Ok(number) = text.parse::<u32>() { number.into_py_any(py) } else { text.into_py_any(py) }
}

/// Returns the legal action that an object stands for.
fn from_object<G: GameState<Action: Display>>(state: &G, action: &Bound<'_, PyAny>) -> PyResult<G::Action> {
    let text = action.str()?.to_string();
    legal(state).find(|legal| legal.to_string() == text).ok_or_else(|| {
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
            Ok(AnyGame::Breakthrough(_)) => Err(PyValueError::new_err(
                "breakthrough is a game of the laboratory only; choose one of `ramure.games`",
            )),
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
        if let Turn::Player(player) = self.0.turn() { Some(player) } else { None }
    }

    fn actions(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        legal(&self.0).map(|action| to_object(py, &action)).collect()
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
        let last = self.0.players() - 1;
        if player > last {
            let text = format!("player {player} does not exist; the players are 0 to {last}");
            return Err(PyValueError::new_err(text));
        }
        Ok(self.0.reward(player))
    }

    fn players(&self) -> u8 {
        self.0.players()
    }

    fn board(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let (rows, columns) = size(&self.0);
        let owners = owners(&self.0).map(|owner| owner.unwrap_or(u8::MAX)); // -1
        array(py, owners.collect(), "int8", &[rows.into(), columns.into()])
    }

    fn planes(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        planes_of(py, slice::from_ref(self), &[])
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __repr__(&self) -> String {
        format!("<ramure.games.Game {}>", self.name())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a game cannot be pickled; keep its name and the actions that were played"))
    }
}

/// The number of rows and of columns of a board. (No [`Game`] is one of the other games.)
fn size(game: &AnyGame) -> (u8, u8) {
    match game {
        AnyGame::Connect4(_) => (6, 7),
        AnyGame::Hex(game) => (game.size(), game.size()),
        AnyGame::Sudo(_) => (9, 9),
        AnyGame::TicTacToe(_) => (3, 3),
        _ => (0, 0),
    }
}

/// The owner of each cell, row by row from the top.
fn owners(game: &AnyGame) -> impl Iterator<Item = Option<Player>> {
    let (rows, columns) = size(game);
    let cells = (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)));
    cells.map(move |(row, column)| match game {
        AnyGame::Connect4(game) => game.cell(5 - row, column), // Its rows are counted from the bottom.
        AnyGame::Hex(game) => game.cell(row, column),
        AnyGame::Sudo(game) => game.cell(row, column),
        AnyGame::TicTacToe(game) => game.cell(row, column),
        _ => None,
    })
}

/// The number of the cell on which an action places a stone, if it does.
fn target(game: &AnyGame, action: AnyAction) -> Option<usize> {
    let (row, column) = match (game, action) {
        (AnyGame::Connect4(game), AnyAction::Connect4(action)) => {
            let column = action.number();
            (5 - (0..6).find(|&row| game.cell(row, column).is_none())?, column)
        }
        (_, AnyAction::Hex(HexAction::Place(cell))) => (cell.row(), cell.column()),
        (_, AnyAction::Sudo(cell)) => {
            let (board, cell) = (cell.board(), cell.cell());
            (board / 3 * 3 + cell / 3, board % 3 * 3 + cell % 3)
        }
        (_, AnyAction::TicTacToe(cell)) => (cell.row(), cell.column()),
        _ => return None,
    };
    Some(usize::from(row) * usize::from(size(game).1) + usize::from(column))
}

/// Returns the planes of states that have boards of the same size, as an array whose shape begins with `shape`.
fn planes_of(py: Python<'_>, states: &[Game], shape: &[usize]) -> PyResult<Py<PyAny>> {
    let (rows, columns) = states.first().map_or((0, 0), |Game(state)| size(state));
    let cells = usize::from(rows) * usize::from(columns);
    let mut numbers = vec![0.0f32; states.len() * PLANES * cells];
    for (Game(state), numbers) in states.iter().zip(numbers.chunks_exact_mut(PLANES * cells)) {
        let Turn::Player(mover) = state.turn() else { continue };
        for (cell, owner) in owners(state).enumerate() {
            if let Some(owner) = owner {
                numbers[usize::from(owner != mover) * cells + cell] = 1.0;
            }
        }
        for cell in state.actions().into_iter().filter_map(|action| target(state, action)) {
            numbers[2 * cells + cell] = 1.0;
        }
        numbers[3 * cells..].fill(mover.into());
    }
    let bytes = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
    let shape = [shape, &[PLANES, rows.into(), columns.into()]].concat();
    array(py, bytes, "float32", &shape)
}

/// The planes of a state: the stones of the player to move, those of the other player, the cells where the
/// player to move may place one, and the number of this player.
const PLANES: usize = 4;

/// Returns an array of NumPy.
fn array(py: Python<'_>, bytes: Vec<u8>, kind: &str, shape: &[usize]) -> PyResult<Py<PyAny>> {
    let fields = (PyByteArray::new(py, &bytes), kind, PyTuple::new(py, shape)?);
    py.import("ramure._planes")?.getattr("array")?.call1(fields).map(Bound::unbind)
}

/// A game of the crate, or any of them.
pub trait Crate: GameState<Action: Display + Send + Sync> + Into<AnyGame> + Send + Sync + 'static {
    /// Returns the state of the same game that a state of any game is.
    fn of(&self, any: AnyGame) -> Option<Self>;
}

impl<G: Crate> Language for G {
    fn action_to_python(&self, py: Python<'_>, action: &ActionOf<Self>) -> PyResult<Py<PyAny>> {
        to_object(py, action)
    }
    fn action_from_python(&self, action: &Bound<'_, PyAny>) -> PyResult<ActionOf<Self>> {
        from_object(self, action)
    }
    /// An action is one of those that are legal where it is played.
    fn line_from_python(&self, line: &[Bound<'_, PyAny>]) -> PyResult<Option<Vec<ActionOf<Self>>>> {
        let (mut state, mut actions) = (self.clone(), Vec::with_capacity(line.len()));
        for object in line {
            let text = object.str()?.to_string();
            let Some(action) = legal(&state).find(|legal| legal.to_string() == text) else { return Ok(None) };
            state.apply(action.clone());
            actions.push(action);
        }
        Ok(Some(actions))
    }
    fn state_to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Game(self.clone().into()).into_py_any(py)
    }
    fn at(&self, state: &Bound<'_, PyAny>) -> PyResult<Self> {
        let state = Game::of(state)?.and_then(|state| Crate::of(self, state));
        let text = "the state is one of another game than that of the search; create another search";
        state.ok_or_else(|| PyTypeError::new_err(text))
    }
    fn inputs(py: Python<'_>, states: &[&Self], planes: bool) -> PyResult<Py<PyAny>> {
        let games: Vec<Game> = states.iter().map(|&state| Game(state.clone().into())).collect();
        match planes {
            true => planes_of(py, &games, &[games.len()]),
            false => Ok(PyList::new(py, games)?.into_any().unbind()),
        }
    }
}

impl Crate for AnyGame {
    fn of(&self, any: AnyGame) -> Option<Self> {
        (discriminant(self) == discriminant(&any)).then_some(any)
    }
}

/// The default search of a game, on several threads.
type Threaded<G> = Mcts<G, Ucb1, Uniform, Solver<Average>, Window<Threads>>;

/// Implements what Python needs of the games, and their default searches.
macro_rules! games {
    ($($name:ident: $game:ty;)*) => {
        $(
            impl Crate for $game {
                fn of(&self, any: AnyGame) -> Option<Self> {
                    if let AnyGame::$name(game) = any { Some(game) } else { None }
                }
            }

            deep!(Mcts<$game>, Threaded<$game>: pictures());
            deep!(asked Evaluated<$game>, Evaluated<$game, Threads>: pictures());
        )*

        /// Returns the search of a game by default, or by the function of `evaluate`, on this thread or on several.
        pub fn search(
            game: AnyGame,
            seed: u64,
            threads: Option<usize>,
            evaluate: Option<Function>,
        ) -> PyResult<Box<dyn AnySearch>> {
            match (game, threads, evaluate) {
                $(
                    (AnyGame::$name(game), None, None) => Ok(any(Mcts::new(game).seed(seed), None)),
                    (AnyGame::$name(game), Some(n), None) => Ok(any(Mcts::new(game).seed(seed).threads(n), None)),
                    (AnyGame::$name(game), None, Some(evaluate)) => Ok(network::search(game, seed, evaluate)),
                    (AnyGame::$name(game), Some(n), Some(evaluate)) => {
                        Ok(network::search_on(n, game, seed, evaluate))
                    }
                )*
                _ => Err(PyValueError::new_err(
                    "this game has no default search; name an algorithm, such as \"ucb1\"",
                )),
            }
        }
    };
}

games! {
    Connect4: Connect4;
    Hex: Hex;
    Sudo: SudoTicTacToe;
    TicTacToe: TicTacToe;
}
