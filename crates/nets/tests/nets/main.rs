//! Networks that are written here, with outputs that are known.

mod bad_input;
mod damaged;
mod evaluation;
mod models;
mod settings;
mod trained;

use ramure::search::Batcher;
use ramure::{GameState, Rewards, Rng, Turn};
use ramure_games::{Connect4, Hex};
use ramure_nets::{EvaluationError, Network, Planes};

/// Returns states of random games, in which the game is not over.
fn random_states<G: GameState>(start: &G, count: usize, seed: u64) -> Vec<G> {
    let mut rng = Rng::seeded(seed);
    let mut states = Vec::new();
    while states.len() < count {
        let mut state = start.clone();
        while states.len() < count && matches!(state.turn(), Turn::Player(_)) {
            states.push(state.clone());
            if let Some(action) = state.random_action(&mut rng) {
                state.apply(action);
            }
        }
    }
    states
}

type Answer = Result<(Rewards, Vec<f32>), EvaluationError>;

/// Evaluates all states in one batch, as a search does.
fn evaluate<G>(network: &Network<G>, states: &[G]) -> Vec<Answer>
where
    G: Planes + Send + 'static,
    G::Action: Send,
{
    let batcher = Batcher::new(network.clone()).unwrap();
    let positions = states.iter().map(|state| (state.clone(), state.actions().into_iter().collect()));
    let answers = batcher.submit(positions.collect()).wait().unwrap();
    // If the whole batch fails, its positions share the error, and `CustomError` gives it back.
    let error = |error: ramure::BoxError| {
        ramure::CustomError::new(error).get_ref().downcast_ref::<EvaluationError>().unwrap().clone()
    };
    answers.into_iter().map(|answer| answer.map_err(error)).collect()
}

/// Reads the stones of a board from its text: 0 for `first`, 1 for `second`, by row from the top and column.
fn stones(text: &str, rows: std::ops::Range<usize>, [first, second]: [char; 2]) -> Vec<Vec<Option<u8>>> {
    let row = |line: &str| -> Vec<Option<u8>> {
        let cells = line.chars().filter(|cell| ['.', first, second].contains(cell));
        cells.map(|cell| [first, second].iter().position(|&mark| mark == cell).map(|p| p as u8)).collect()
    };
    text.lines().skip(rows.start).take(rows.len()).map(row).collect()
}

/// Returns what a network must see of Connect 4, read from the text of the state.
fn connect4_planes(state: &Connect4) -> Vec<f32> {
    let board = stones(&state.to_string(), 1..7, ['R', 'Y']);
    let Turn::Player(mover) = state.turn() else { panic!("the game is over") };
    let of = |player: u8| {
        let cell = move |place: usize| f32::from(board[5 - place / 7][place % 7] == Some(player));
        (0..42).map(cell).collect::<Vec<_>>()
    };
    [of.clone()(mover), of(1 - mover)].concat()
}

/// Returns what a network must see of Hex without a swap: for player 1, rows and columns are exchanged.
fn hex_planes(state: &Hex) -> Vec<f32> {
    let size = usize::from(state.size());
    let board = stones(&state.to_string(), 1..size + 1, ['X', 'O']);
    let Turn::Player(mover) = state.turn() else { panic!("the game is over") };
    let mut planes = vec![0.0; 3 * size * size];
    for (row, cells) in board.iter().enumerate() {
        for (column, stone) in cells.iter().enumerate() {
            let place = if mover == 0 { row * size + column } else { column * size + row };
            if let Some(owner) = stone {
                planes[usize::from(*owner != mover) * size * size + place] = 1.0;
            }
        }
    }
    planes
}
