//! Every game of the portfolio as one type, so that the searches are compiled once.

use crate::games::{Dots, House, Kalah, Line, Othello, Place, TrickAction, Tricks};
use ramure::{ActionIndex, GameState, Player, Turn};
use ramure_games::sudo_tic_tac_toe::{self, Mode, SudoTicTacToe};
use ramure_games::{Connect4, Hex, connect4, hex};
use ramure_lab::games::breakthrough::Step;
use ramure_lab::games::einstein::EinsteinAction;
use ramure_lab::games::pig::PigAction;
use ramure_lab::games::{Breakthrough, Einstein, Pig, SmallConnect4};

/// The number of an action of EinStein würfelt nicht, below 48.
fn einstein_index(action: EinsteinAction) -> usize {
    match action {
        EinsteinAction::Place(corner) => usize::from(corner),
        EinsteinAction::Face(face) => 16 + usize::from(face),
        EinsteinAction::Move(stone, direction) => 24 + 3 * usize::from(stone) + direction as usize,
    }
}

/// The number of an action of Pig, below 9.
fn pig_index(action: PigAction) -> usize {
    match action {
        PigAction::Roll => 0,
        PigAction::Hold => 1,
        PigAction::Face(face) => 2 + usize::from(face),
    }
}

macro_rules! games {
    ($($name:ident: $game:ty, $action:ty, $index:expr;)*) => {
        /// A game.
        #[derive(Clone, Debug)]
        #[allow(clippy::large_enum_variant, reason = "searches clone states in place, and move none")]
        pub enum Rules {
            $($name($game),)*
        }

        /// An action.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Action {
            $($name($action),)*
        }

        /// The actions of one of the games.
        enum Actions<$($name),*> {
            $($name($name),)*
        }

        impl<$($name: Iterator<Item = $action>),*> Iterator for Actions<$($name),*> {
            type Item = Action;

            fn next(&mut self) -> Option<Action> {
                match self {
                    $(Actions::$name(actions) => actions.next().map(Action::$name),)*
                }
            }
        }

        impl GameState for Game {
            type Action = Action;

            fn players(&self) -> u8 {
                match &self.rules {
                    $(Rules::$name(game) => game.players(),)*
                }
            }
            fn turn(&self) -> Turn {
                match &self.rules {
                    $(Rules::$name(game) => game.turn(),)*
                }
            }
            fn actions(&self) -> impl IntoIterator<Item = Action> {
                match &self.rules {
                    $(Rules::$name(game) => Actions::$name(game.actions().into_iter()),)*
                }
            }
            fn apply(&mut self, action: Action) {
                match (&mut self.rules, action) {
                    $((Rules::$name(game), Action::$name(action)) => game.apply(action),)*
                    _ => unreachable!("an action of another game"),
                }
            }
            fn reward(&self, player: Player) -> f64 {
                let reward = match &self.rules {
                    $(Rules::$name(game) => game.reward(player),)*
                };
                if self.is_squeezed { 0.5 + 0.1 * (reward - 0.5) } else { reward }
            }
            fn probability(&self, outcome: Action) -> f64 {
                match (&self.rules, outcome) {
                    $((Rules::$name(game), Action::$name(outcome)) => game.probability(outcome),)*
                    _ => unreachable!("an outcome of another game"),
                }
            }
            fn random_action(&self, rng: &mut ramure::Rng) -> Option<Action> {
                match &self.rules {
                    $(Rules::$name(game) => game.random_action(rng).map(Action::$name),)*
                }
            }
            fn random_outcome(&self, rng: &mut ramure::Rng) -> Option<Action> {
                match &self.rules {
                    $(Rules::$name(game) => game.random_outcome(rng).map(Action::$name),)*
                }
            }
            fn random_rollout(&mut self, rng: &mut ramure::Rng) {
                match &mut self.rules {
                    $(Rules::$name(game) => game.random_rollout(rng),)*
                }
            }
        }

        impl ActionIndex for Game {
            const ACTION_COUNT: usize = 512;

            fn action_index(action: Action) -> usize {
                match action {
                    $(Action::$name(action) => $index(action),)*
                }
            }
        }

        $(
            impl From<$game> for Game {
                fn from(game: $game) -> Self {
                    Game { rules: Rules::$name(game), is_squeezed: false }
                }
            }
        )*
    };
}

games! {
    Connect4: Connect4, connect4::Column, Connect4::action_index;
    SmallConnect4: SmallConnect4, connect4::Column, SmallConnect4::action_index;
    Hex: Hex, hex::HexAction, Hex::action_index;
    Sudo: SudoTicTacToe, sudo_tic_tac_toe::Cell, SudoTicTacToe::action_index;
    Othello: Othello, Place, Othello::action_index;
    Breakthrough: Breakthrough, Step, Breakthrough::action_index;
    Kalah: Kalah, House, Kalah::action_index;
    Dots: Dots, Line, Dots::action_index;
    Tricks: Tricks, TrickAction, Tricks::action_index;
    Einstein: Einstein, EinsteinAction, einstein_index;
    Pig: Pig, PigAction, pig_index;
}

/// A game of the portfolio.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    is_squeezed: bool,
}

impl Game {
    /// Returns this game with rewards from 0.45 to 0.55 in place of 0 to 1.
    pub fn squeezed(&self) -> Self {
        Game { is_squeezed: true, ..self.clone() }
    }
}

/// Returns the games by name.
pub fn all() -> Vec<(&'static str, Game)> {
    let hex = |size| Hex::new(size).expect("a legal size");
    vec![
        ("connect4", Connect4::new().into()),
        ("connect4:6x5", SmallConnect4::new("6x5").expect("a legal size").into()),
        ("hex:7", hex(7).into()),
        ("hex:9", hex(9).into()),
        ("sudo:1", SudoTicTacToe::new(Mode::LocalWin).into()),
        ("sudo:2", SudoTicTacToe::new(Mode::Ultimate).into()),
        ("othello:6x6", Othello::new(6).into()),
        ("breakthrough:5x5", Breakthrough::new(false).into()),
        ("kalah", Kalah::new().into()),
        ("dots:3x3, by boxes", Dots::new().into()),
        ("tricks, three players", Tricks::new().into()),
        ("einstein, dice", Einstein::new().into()),
        ("pig, dice", Pig::new(100).into()),
    ]
}
