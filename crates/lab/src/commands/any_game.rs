//! Every game of the commands as one type, and the games by name.

use crate::book::{Book, BookAgent};
use crate::games::{Breakthrough, SmallConnect4, breakthrough, debug_as_display};
use crate::registry::nearest::DidYouMean;
use crate::tuning::{Space, Tuner};
use crate::{Failure, Parameters, ReadError, Recipe, Registry, WithEvaluation, WithNumbers, Words};
use ramure::{
    ActionIndex, GameState, Keyed, Player, Rewards, Rng, Search, StaticEvaluation, Symmetric, Turn, hash_key,
};
use ramure_agents::Agent;
use ramure_games::bandit::BanditAction;
use ramure_games::sudo_tic_tac_toe::{self, Mode, SudoTicTacToe};
use ramure_games::{Bandit, Connect4, Hex, PGame, TicTacToe, connect4, hex, tic_tac_toe};
use std::fmt;
use std::sync::Arc;

/// A registry of every word, for [`AnyGame`]. Its functions are not generic, so that this library compiles
/// the search loops, and the command `ramure-lab` does not compile them again.
#[derive(Clone, Debug)]
pub struct Everything(Registry<AnyGame, WithNumbers<WithEvaluation>>);

impl Everything {
    /// Adds an agent; see [`Registry::with`].
    pub fn with<M, P>(
        self,
        form: &str,
        about: &str,
        read: impl Fn(&mut Parameters) -> Result<M, ReadError> + Send + Sync + 'static,
    ) -> Self
    where
        P: Agent<AnyGame> + 'static,
        M: Fn() -> P + Send + Sync + 'static,
    {
        Everything(self.0.with(form, about, read))
    }

    /// Reads an agent; see [`Registry::read`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Registry::read`].
    pub fn read(&self, text: &str) -> Result<Recipe<AnyGame>, ReadError> {
        self.0.read(text)
    }

    /// Creates a search; see [`Registry::search`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Registry::search`].
    pub fn search(
        &self,
        text: &str,
        state: AnyGame,
        seed: u64,
    ) -> Result<Box<dyn Search<Space = AnyGame> + Send>, ReadError> {
        self.0.search(text, state, seed)
    }

    /// Creates a tuner of the agent `default`; see [`Tuner::new`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Tuner::new`].
    pub fn tuner(&self, start: AnyGame, default: &str) -> Result<Tuner<AnyGame>, ReadError> {
        Tuner::new(start, &self.0, default)
    }

    /// Returns the settings of the agent `default`; see [`Space::new`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Space::new`].
    pub fn space(&self, default: &str) -> Result<Space<AnyGame>, ReadError> {
        Space::new(&self.0, default)
    }

    /// Returns a text as a line of Rust; see [`Registry::code`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Registry::code`].
    pub fn code(&self, text: &str) -> Result<Option<String>, ReadError> {
        self.0.code(text)
    }

    /// Returns all words.
    pub fn words(&self) -> Words {
        self.0.words()
    }

    /// Returns all words with their parameters; see [`Registry::help`].
    pub fn help(&self) -> String {
        self.0.help()
    }
}

/// The abilities of a game of [`AnyGame`], except its symmetries.
trait Playable: GameState {
    /// The number of action indices.
    const COUNT: usize;

    /// The static evaluation.
    fn value(&self, player: Player) -> f64;

    /// The index of an action.
    fn number(action: Self::Action) -> usize;

    /// The key of the position.
    fn place(&self) -> u128;
}

/// The arms of a bandit are indistinguishable before they are played.
impl Playable for Bandit {
    const COUNT: usize = Bandit::MAX_ARMS + 2;

    fn value(&self, _: Player) -> f64 {
        0.5
    }
    fn number(action: BanditAction) -> usize {
        match action {
            BanditAction::Arm(arm) => usize::from(arm),
            BanditAction::Win => Bandit::MAX_ARMS,
            BanditAction::Loss => Bandit::MAX_ARMS + 1,
        }
    }
    fn place(&self) -> u128 {
        // Arms with the same probability lead to the same position.
        let stage = match self.turn() {
            Turn::Over => (2, self.reward(0)),
            Turn::Chance => (1, self.probability(BanditAction::Win)),
            _ => (0, 0.0),
        };
        u128::from(stage.1.to_bits()) << 2 | stage.0
    }
}

/// Returns the greatest of the numbers.
const fn greatest<const N: usize>(numbers: [usize; N]) -> usize {
    let (mut most, mut index) = (0, 0);
    while index < N {
        if numbers[index] > most {
            most = numbers[index];
        }
        index += 1;
    }
    most
}

/// Defines [`AnyGame`] by its games and their actions, each with the trait by which it prints. A game that
/// evaluates its states and numbers its actions itself has its key here, and its symmetries if it has any.
macro_rules! any_game {
    ($($name:ident: $game:ty as $shown:ident, $action:ty as $named:ident $(, by $key:path $(, with $images:ident)?)?;)*) => {
        $($(
            impl Playable for $game {
                const COUNT: usize = <$game as ActionIndex>::ACTION_COUNT;

                #[inline]
                fn value(&self, player: Player) -> f64 {
                    self.evaluate(player)
                }
                #[inline]
                fn number(action: $action) -> usize {
                    <$game>::action_index(action)
                }
                #[inline]
                fn place(&self) -> u128 {
                    $key(self)
                }
            }
        )?)*

        /// Makes the same call for whichever game it is.
        macro_rules! each {
            ($any:expr, $of:ident => $call:expr) => {
                match $any {
                    $(AnyGame::$name($of) => $call,)*
                }
            };
        }

        /// Any game of the programs.
        ///
        /// A registry compiles its search loops once for this type, instead of once for each game. A search
        /// of it finds what a search of the game itself finds.
        #[derive(Debug)]
        #[allow(clippy::large_enum_variant, reason = "searches clone states in place, and move none")]
        pub enum AnyGame {
            $(#[allow(missing_docs)] $name($game),)*
        }

        /// An action of [`AnyGame`].
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub enum AnyAction {
            $(#[allow(missing_docs)] $name($action),)*
        }

        /// The actions of one of the games.
        enum AnyActions<$($name),*> {
            $($name($name),)*
        }

        impl<$($name: Iterator<Item = $action>),*> Iterator for AnyActions<$($name),*> {
            type Item = AnyAction;

            #[inline]
            fn next(&mut self) -> Option<AnyAction> {
                match self {
                    $(AnyActions::$name(actions) => actions.next().map(AnyAction::$name),)*
                }
            }
        }

        impl Clone for AnyGame {
            #[inline]
            fn clone(&self) -> Self {
                match self {
                    $(AnyGame::$name(game) => AnyGame::$name(game.clone()),)*
                }
            }

            #[inline]
            fn clone_from(&mut self, source: &Self) {
                match (&mut *self, source) {
                    $((AnyGame::$name(game), AnyGame::$name(source)) => game.clone_from(source),)*
                    _ => *self = source.clone(),
                }
            }
        }

        impl GameState for AnyGame {
            type Action = AnyAction;

            #[inline]
            fn turn(&self) -> Turn {
                each!(self, game => game.turn())
            }

            #[inline]
            fn actions(&self) -> impl IntoIterator<Item = AnyAction> {
                match self {
                    $(AnyGame::$name(game) => AnyActions::$name(game.actions().into_iter()),)*
                }
            }

            #[inline]
            fn apply(&mut self, action: AnyAction) {
                match (self, action) {
                    $((AnyGame::$name(game), AnyAction::$name(action)) => game.apply(action),)*
                    _ => unreachable!("an action of another game is not legal"),
                }
            }

            #[inline]
            fn reward(&self, player: Player) -> f64 {
                each!(self, game => game.reward(player))
            }

            #[inline]
            fn players(&self) -> u8 {
                each!(self, game => game.players())
            }

            #[inline]
            fn probability(&self, outcome: AnyAction) -> f64 {
                match (self, outcome) {
                    $((AnyGame::$name(game), AnyAction::$name(outcome)) => game.probability(outcome),)*
                    _ => 0.0,
                }
            }

            #[inline]
            fn random_action(&self, rng: &mut Rng) -> Option<AnyAction> {
                match self {
                    $(AnyGame::$name(game) => game.random_action(rng).map(AnyAction::$name),)*
                }
            }

            #[inline]
            fn random_outcome(&self, rng: &mut Rng) -> Option<AnyAction> {
                match self {
                    $(AnyGame::$name(game) => game.random_outcome(rng).map(AnyAction::$name),)*
                }
            }

            #[inline]
            fn random_rollout(&mut self, rng: &mut Rng) {
                each!(self, game => game.random_rollout(rng))
            }

            #[inline(always)]
            fn random_rollouts(&self, games: u32, rng: &mut Rng) -> Option<Rewards> {
                each!(self, game => game.random_rollouts(games, rng))
            }

            #[inline]
            fn is_legal(&self, action: AnyAction) -> bool {
                match (self, action) {
                    $((AnyGame::$name(game), AnyAction::$name(action)) => game.is_legal(action),)*
                    _ => false,
                }
            }
        }

        impl StaticEvaluation for AnyGame {
            #[inline]
            fn evaluate(&self, player: Player) -> f64 {
                each!(self, game => Playable::value(game, player))
            }
        }

        impl ActionIndex for AnyGame {
            /// The greatest count of all the games.
            const ACTION_COUNT: usize = greatest([$(<$game as Playable>::COUNT),*]);

            #[inline]
            fn action_index(action: AnyAction) -> usize {
                match action {
                    $(AnyAction::$name(action) => <$game as Playable>::number(action),)*
                }
            }
        }

        impl Keyed for AnyGame {
            #[inline]
            fn key(&self) -> u128 {
                each!(self, game => game.place())
            }
        }

        impl Symmetric for AnyGame {
            /// The greatest number of all the games. The others of a game with fewer symmetries change
            /// nothing.
            const SYMMETRIES: usize = greatest([$($($(<$game as $images>::SYMMETRIES,)?)?)*]);

            fn transformed(&self, symmetry: usize) -> Self {
                match self {
                    $($($(AnyGame::$name(game) if symmetry < <$game as $images>::SYMMETRIES => {
                        $images::transformed(game, symmetry).into()
                    })?)?)*
                    _ => self.clone(),
                }
            }

            fn transformed_action(&self, action: AnyAction, symmetry: usize) -> AnyAction {
                match (self, action) {
                    $($($((AnyGame::$name(game), AnyAction::$name(action))
                        if symmetry < <$game as $images>::SYMMETRIES =>
                    {
                        AnyAction::$name($images::transformed_action(game, action, symmetry))
                    })?)?)*
                    _ => action,
                }
            }
        }

        impl fmt::Display for AnyGame {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(AnyGame::$name(game) => fmt::$shown::fmt(game, f),)*
                }
            }
        }

        impl fmt::Display for AnyAction {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(AnyAction::$name(action) => fmt::$named::fmt(action, f),)*
                }
            }
        }

        $(
            impl From<$game> for AnyGame {
                fn from(game: $game) -> Self {
                    AnyGame::$name(game)
                }
            }
        )*
    };
}

any_game! {
    TicTacToe: TicTacToe as Display, tic_tac_toe::Cell as Display, by Keyed::key, with Symmetric;
    Connect4: Connect4 as Display, connect4::Column as Display, by Keyed::key, with Symmetric;
    Hex: Hex as Display, hex::HexAction as Display, by Keyed::key, with Symmetric;
    Sudo: SudoTicTacToe as Display, sudo_tic_tac_toe::Cell as Display, by Keyed::key, with Symmetric;
    // These two have no board.
    PGame: PGame as Debug, u8 as Display, by hash_key;
    Bandit: Bandit as Debug, BanditAction as Debug;
    SmallConnect4: SmallConnect4 as Display, connect4::Column as Display, by Keyed::key, with Symmetric;
    Breakthrough: Breakthrough as Display, breakthrough::Step as Display, by hash_key;
}

// Without the name of its game.
debug_as_display!(AnyAction);

/// The games by name, as a help text lists them.
pub const GAMES: &str = "tic-tac-toe, connect4:SIZE (connect4 is connect4:7x6), hex:SIZE (hex is hex:7), sudo:1 or \
                         sudo:2 (sudo is sudo:1), breakthrough, breakthrough:misere";

impl AnyGame {
    /// The start of the game that `text` names.
    ///
    /// # Errors
    ///
    /// Returns an error if no game has this name, or if a board cannot have this size.
    pub fn read(text: &str) -> Result<Self, Failure> {
        let (name, parameter) =
            text.split_once(':').map_or((text, None), |(name, parameter)| (name, Some(parameter)));
        match (name, parameter) {
            ("tic-tac-toe", None) => Ok(TicTacToe::new().into()),
            ("connect4", None | Some("7x6")) => Ok(Connect4::new().into()),
            ("connect4", Some(size)) => {
                let small = SmallConnect4::new(size).ok_or_else(|| {
                    let sizes = SmallConnect4::SIZES;
                    format!("\"{size}\" is not a size of a Connect 4 board, columns by rows; there are 7x6, {sizes}")
                })?;
                Ok(small.into())
            }
            ("hex", size) => {
                let size = size.unwrap_or("7");
                let number = size
                    .parse()
                    .map_err(|_| format!("\"{size}\" is not a size of a Hex board; write hex:7"))?;
                Ok(Hex::new(number)?.into())
            }
            ("sudo", None | Some("1")) => Ok(SudoTicTacToe::new(Mode::LocalWin).into()),
            ("sudo", Some("2")) => Ok(SudoTicTacToe::new(Mode::Ultimate).into()),
            ("breakthrough", None) => Ok(Breakthrough::new(false).into()),
            ("breakthrough", Some("misere")) => Ok(Breakthrough::new(true).into()),
            _ => {
                let near = DidYouMean(name, &["tic-tac-toe", "connect4", "hex", "sudo", "breakthrough"]);
                Err(format!("no game has the name \"{text}\"; there are {GAMES}{near}").into())
            }
        }
    }

    /// Returns the name of the game, from which [`read`](Self::read) makes its start.
    pub fn game_name(&self) -> String {
        match self {
            AnyGame::TicTacToe(_) => "tic-tac-toe".into(),
            AnyGame::Connect4(_) => "connect4".into(),
            AnyGame::Hex(game) => format!("hex:{}", game.size()),
            AnyGame::Sudo(game) => format!("sudo:{}", if game.mode() == Mode::LocalWin { 1 } else { 2 }),
            AnyGame::PGame(_) => "p-game".into(),
            AnyGame::Bandit(_) => "bandit".into(),
            AnyGame::SmallConnect4(game) => format!("connect4:{}", game.size()),
            AnyGame::Breakthrough(game) if game.is_misere() => "breakthrough:misere".into(),
            AnyGame::Breakthrough(_) => "breakthrough".into(),
        }
    }

    /// Reads an agent for games that begin with this state: a text of the registry, with `book:FILE,` before
    /// it if it is to play from a book first.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Everything::read`], and those of reading the book.
    pub fn read_agent(&self, known: &Everything, text: &str) -> Result<Recipe<AnyGame>, Failure> {
        let Some(rest) = text.strip_prefix("book:") else { return Ok(known.read(text)?) };
        let (file, agent) = rest.split_once(',').ok_or_else(|| {
            format!("\"{text}\" has no agent for positions that are not in the book; write book:FILE,AGENT")
        })?;
        let agent = known.read(agent)?;
        let book = Arc::new(Book::read(file, &self.game_name(), self)?);
        let name = format!("book:{file},{}", agent.name());
        Ok(Recipe::new(move || BookAgent::new(Arc::clone(&book), agent.make())).named(name))
    }

    /// Checks that a text names a search of this game, and returns it, as a parser of options.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Everything::search`] in words.
    pub fn searched_by(self, text: &str) -> Result<String, String> {
        let known = AnyGame::registry().search(text, self, 0);
        known.map(|_| text.to_owned()).map_err(|error| error.to_string())
    }

    /// The words for searches and agents.
    pub fn registry() -> Everything {
        Everything(Registry::new().with_evaluation().with_numbers().with_mirror_images())
    }

    /// Reads an action as a person types it.
    ///
    /// # Errors
    ///
    /// Returns an error that says what is wrong with the text. The action need not be legal.
    pub fn read_action(&self, text: &str) -> Result<AnyAction, String> {
        fn in_words(error: impl fmt::Display) -> String {
            error.to_string()
        }
        match self {
            AnyGame::TicTacToe(_) => text.parse().map(AnyAction::TicTacToe).map_err(in_words),
            AnyGame::Connect4(_) => text.parse().map(AnyAction::Connect4).map_err(in_words),
            // The text of an action does not tell the size of the board.
            AnyGame::SmallConnect4(game) => text.parse().map(AnyAction::SmallConnect4).map_err(|_| {
                let (columns, _) = game.size().split_once('x').unwrap_or_default();
                format!(
                    "\"{text}\" is not one of the {columns} columns; they are numbered from 0 on the left"
                )
            }),
            AnyGame::Hex(game) => text.parse().map(AnyAction::Hex).map_err(|_| {
                let (last, size) = (char::from(b'a' + game.size() - 1), game.size());
                format!("\"{text}\" is not a cell of this board; write a1 to {last}{size}, or swap")
            }),
            AnyGame::Sudo(_) => text.parse().map(AnyAction::Sudo).map_err(in_words),
            AnyGame::PGame(_) | AnyGame::Bandit(_) | AnyGame::Breakthrough(_) => {
                let legal = self.actions().into_iter().find(|action| action.to_string() == text);
                legal.ok_or_else(|| format!("\"{text}\" is not an action here"))
            }
        }
    }
}
