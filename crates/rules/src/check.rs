//! The check of a game: its settings, and the laws that you ask for.

use super::engine::Engine;
use super::law::Law;
use super::laws::{self, Asked, Rule};
use super::list::order_of;
use super::settings::Settings;
use super::violation::{Shown, debug_text, display_text};
use super::{PATIENCE, Summary, TIME, Violation};
use core::fmt::{Debug, Display};
use core::hash::Hash;
use core::str::FromStr;
use core::time::Duration;
use ramure::{ActionIndex, GameState, HiddenInformation, Keyed, Player, StaticEvaluation, Symmetric};
use serde::{Serialize, de::DeserializeOwned};
use std::collections::HashSet;
use std::rc::Rc;

/// Checks the laws of a game on lines of play that start with `initial`.
///
/// The check first goes through all lines, shortest first, up to a limit of [`states`](Check::states). It
/// then plays random [`games`](Check::games) to their ends. In three of four games, each action is equally
/// likely. In the fourth, players avoid actions that end the game, so that boards fill up and draws occur. In
/// a game with chance they stop avoiding the end after a fifth of [`longest`](Check::longest). Outcomes of
/// chance are always drawn by their probabilities. A line that breaks a law is shortened until no action can
/// be left out of it.
///
/// ```
/// use ramure_games::Connect4;
///
/// let check = ramure_rules::check(Connect4::new()).hash().text().constant_sum(1.0).games(100);
/// match check.run() {
///     Ok(summary) => println!("{summary}"),
///     Err(violation) => panic!("{violation}"),
/// }
/// ```
pub fn check<G: GameState + Debug + 'static>(initial: G) -> Check<G> {
    let settings = Settings {
        initial,
        games: None,
        states: None,
        longest: 1_000,
        seed: 0,
        patience: PATIENCE,
        time: TIME,
        shown: debug_text,
        is_new: None,
    };
    Check { settings, only: None, without: Vec::new(), asked: Vec::new() }
}

/// A check that has not run yet: its settings, and the laws that it checks beyond those of every game.
///
/// Created by [`check`].
#[must_use = "nothing is checked before `run`"]
pub struct Check<G: GameState> {
    settings: Settings<G>,
    only: Option<Vec<Law>>,
    without: Vec<Law>,
    asked: Vec<Asked<G>>,
}

impl<G: GameState> Debug for Check<G> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let asked: Vec<Law> = self.asked.iter().map(|&(law, _)| law).collect();
        f.debug_struct("Check")
            .field("games", &self.settings.games)
            .field("states", &self.settings.states)
            .field("longest", &self.settings.longest)
            .field("seed", &self.settings.seed)
            .field("only", &self.only)
            .field("without", &self.without)
            .field("asked", &asked)
            .finish_non_exhaustive()
    }
}

/// Settings.
impl<G: GameState + Debug + 'static> Check<G> {
    /// Sets the number of games, including those that avoid the end. \[Default: 1000; fewer if states have so
    /// many actions that the games would take long, see [`Summary::games`]\]
    pub fn games(mut self, games: u32) -> Self {
        self.settings.games = Some(games);
        self
    }

    /// Sets the number of states that the check goes through, breadth-first, before it plays games.
    /// \[Default: 1000; fewer if states have thousands of actions\]
    pub fn states(mut self, states: usize) -> Self {
        self.settings.states = Some(states);
        self
    }

    /// Sets the greatest number of actions in a game. \[Default: 1000\]
    pub fn longest(mut self, longest: usize) -> Self {
        self.settings.longest = longest;
        self
    }

    /// Fixes all random choices. \[Default: 0\]
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = seed;
        self
    }

    /// Sets the time limit of a single call into the game. A call that takes longer is assumed never to
    /// return: the check prints the line of play that led there, and **ends the process**, because a call
    /// cannot be stopped. \[Default: 10 seconds\]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.settings.patience = patience;
        self
    }

    /// Sets the time limit of the whole check. A check that has not found a broken law by then stops, says so
    /// on the standard error stream, and returns a [`Summary`] of what it checked, which is
    /// [`stopped`](Summary::stopped). Shortening a line that breaks a law stops, too. `Duration::MAX` means no
    /// limit. WebAssembly has none. \[Default: one minute\]
    ///
    /// A check also says how far it is after five seconds, after ten, and so on.
    pub fn time(mut self, time: Duration) -> Self {
        self.settings.time = time;
        self
    }

    /// Prints the states of a violation with `Display`. [`laws!`](crate::laws!) does this if states
    /// implement `Display`, and so does [`text`](Self::text). \[Default: prints them with `Debug`\]
    pub fn display(mut self) -> Self
    where
        G: Display,
    {
        self.settings.shown = display_text;
        self
    }

    /// Checks only these laws. A law that must be asked for must still be asked for; otherwise the check
    /// returns a [`Violation`] that says so. \[Default: all laws\]
    pub fn only(self, laws: impl IntoIterator<Item = Law>) -> Self {
        Check { only: Some(Vec::from_iter(laws)), ..self }
    }

    /// Leaves out this law. \[Default: none\]
    pub fn without(mut self, law: Law) -> Self {
        self.without.push(law);
        self
    }
}

/// Laws that need more than [`GameState`].
impl<G: GameState + Debug + 'static> Check<G> {
    fn and(mut self, law: Law, rule: impl Rule<G> + 'static) -> Self {
        self.asked.push((law, Box::new(rule)));
        self
    }

    /// Asks for [`Law::Equality`]. The check then goes through lines that meet in the same state only once,
    /// and the summary counts distinct states.
    pub fn hash(mut self) -> Self
    where
        G: Eq + Hash,
    {
        let mut seen = HashSet::new();
        let is_new = move |state: &G| !seen.contains(state) && seen.insert(state.clone());
        self.settings.is_new = Some(Box::new(is_new));
        self.and(Law::Equality, laws::equality())
    }

    /// Asks for [`Law::Text`], and prints the states of a violation as [`display`](Self::display) does.
    pub fn text(self) -> Self
    where
        G: Display + FromStr<Err: Debug>,
    {
        self.display().and(Law::Text, laws::text)
    }

    /// Asks for [`Law::ActionText`].
    pub fn action_text(self) -> Self
    where
        G::Action: Display + FromStr<Err: Debug>,
    {
        self.and(Law::ActionText, laws::action_text)
    }

    /// Asks for [`Law::Serde`]: a search of this game that was saved and loaded goes on as if it had never
    /// been interrupted.
    pub fn serde(self) -> Self
    where
        G: Serialize + DeserializeOwned,
        G::Action: Serialize + DeserializeOwned,
    {
        self.and(Law::Serde, laws::serde)
    }

    /// Asks for [`Law::Symmetry`].
    pub fn symmetry(self) -> Self
    where
        G: Symmetric,
    {
        self.and(Law::Symmetry, laws::symmetry)
    }

    /// Asks for [`Law::Evaluation`].
    pub fn evaluation(self) -> Self
    where
        G: StaticEvaluation,
    {
        self.and(Law::Evaluation, laws::evaluation)
    }

    /// Asks for [`Law::Indices`].
    pub fn indices(self) -> Self
    where
        G: ActionIndex,
    {
        self.and(Law::Indices, laws::indices())
    }

    /// Asks for [`Law::Keys`]: states with the same [key](Keyed::key) are the same position.
    ///
    /// The law looks for states with the same key that were reached in different ways, and plays on from
    /// both. It does not ask that a position has the same key in every way to reach it: with a finer key than
    /// necessary, a search is right, and recognises less.
    ///
    /// ```
    /// use ramure::Keyed;
    /// use ramure::prelude::*;
    /// use ramure_rules::Law;
    ///
    /// /// Players take one, two or three sticks in turn.
    /// #[derive(Clone, Debug)]
    /// struct Sticks { left: u8, player: Player }
    ///
    /// impl GameState for Sticks {
    ///     type Action = u8;
    ///     fn turn(&self) -> Turn { if self.left == 0 { Turn::Over } else { Turn::Player(self.player) } }
    ///     fn actions(&self) -> impl IntoIterator<Item = u8> { 1..=self.left.min(3) }
    ///     fn apply(&mut self, taken: u8) { *self = Sticks { left: self.left - taken, player: 1 - self.player } }
    ///     fn reward(&self, player: Player) -> f64 { f64::from(u8::from(player != self.player)) }
    /// }
    ///
    /// impl Keyed for Sticks {
    ///     fn key(&self) -> u128 { self.left.into() } // forgets the player to move
    /// }
    ///
    /// let violation = ramure_rules::check(Sticks { left: 9, player: 0 }).keys().run().unwrap_err();
    /// assert_eq!((violation.law, violation.actions.len()), (Law::Keys, 2)); // takes one and one; another way takes two
    /// ```
    pub fn keys(self) -> Self
    where
        G: Keyed,
    {
        self.and(Law::Keys, laws::keys(None::<fn(&G) -> u128>))
    }

    /// Asks for [`Law::Keys`], as [`keys`](Self::keys) does. In addition, the key must equal what `fresh`
    /// computes from the state alone.
    ///
    /// Use it if the game keeps its key up to date in [`apply`](GameState::apply), such as a sum of Zobrist
    /// numbers. A stone that is captured and stays in the key makes positions different that are the same,
    /// which [`keys`](Self::keys) accepts.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// use ramure::{Keyed, hash_key};
    ///
    /// /// Players take one of nine numbers in turn, and the player with the greater sum wins. The key is kept up to date.
    /// #[derive(Clone, Debug)]
    /// struct Numbers { owners: [Option<Player>; 9], taken: u8, key: u128 }
    ///
    /// impl Numbers {
    ///     fn sum(&self, player: Player) -> usize { (0..9).filter(|&n| self.owners[n] == Some(player)).sum() }
    ///     fn fresh(&self) -> u128 {
    ///         let owners = self.owners.iter().enumerate();
    ///         owners.fold(0, |key, (n, owner)| owner.map_or(key, |player| key ^ hash_key(&(n, player))))
    ///     }
    /// }
    ///
    /// impl GameState for Numbers {
    ///     type Action = usize;
    ///     fn turn(&self) -> Turn { if self.taken == 9 { Turn::Over } else { Turn::Player(self.taken % 2) } }
    ///     fn actions(&self) -> impl IntoIterator<Item = usize> { (0..9).filter(|&n| self.owners[n].is_none()) }
    ///     fn apply(&mut self, n: usize) {
    ///         self.owners[n] = Some(self.taken % 2);
    ///         self.key ^= hash_key(&(n, self.taken % 2));
    ///         self.taken += 1;
    ///     }
    ///     fn reward(&self, player: Player) -> f64 { f64::from(u8::from(self.sum(player) > self.sum(1 - player))) }
    /// }
    ///
    /// impl Keyed for Numbers {
    ///     fn key(&self) -> u128 { self.key }
    /// }
    ///
    /// ramure_rules::check(Numbers { owners: [None; 9], taken: 0, key: 0 }).keys_by(Numbers::fresh).games(20).run()?;
    /// # Ok::<(), ramure_rules::Violation<Numbers>>(())
    /// ```
    pub fn keys_by(self, fresh: impl Fn(&G) -> u128 + 'static) -> Self
    where
        G: Keyed,
    {
        self.and(Law::Keys, laws::keys(Some(fresh)))
    }

    /// Asks for [`Law::ConstantSum`], to within 1e-6. The sum is 1 if a win is worth 1, a loss 0 and a draw
    /// 1/2 to both.
    pub fn constant_sum(self, sum: f64) -> Self {
        self.and(Law::ConstantSum, laws::constant_sum(sum))
    }

    /// Asks for [`Law::Invariant`]: `holds` must return true in every state, including the initial state and
    /// finished games. A panic in it counts as false, so you can use `assert!` to explain what is wrong. Each
    /// call adds an invariant.
    ///
    /// An invariant finds impossible states, however they are reached. A [`twin`](Self::twin) finds possible
    /// states that were reached by a wrong rule.
    ///
    /// ```
    /// use ramure_games::Connect4;
    ///
    /// let stones = |state: &Connect4, player| {
    ///     (0..42).filter(|cell| state.cell(cell / 7, cell % 7) == Some(player)).count()
    /// };
    /// let in_turn = move |state: &Connect4| matches!(stones(state, 0) - stones(state, 1), 0 | 1);
    /// ramure_rules::check(Connect4::new()).invariant(in_turn).games(100).run()?;
    /// # Ok::<(), ramure_rules::Violation<Connect4>>(())
    /// ```
    pub fn invariant(self, holds: impl Fn(&G) -> bool + 'static) -> Self {
        self.and(Law::Invariant, laws::invariant(holds))
    }

    /// Defines the winner, so that the rewards can be checked against it. `winner` looks at the board, and
    /// returns `None` while the game runs or if no player has won. Asks for [`Law::Winner`],
    /// [`Law::FindsWin`] and [`Law::BlocksLoss`]. The two laws of a search apply only where a win is worth 1
    /// to the winner and 0 to all others.
    pub fn winner(self, winner: impl Fn(&G) -> Option<Player> + Clone + 'static) -> Self {
        self.and(Law::Winner, laws::winner(winner.clone()))
            .and(Law::FindsWin, laws::finds_win(winner.clone()))
            .and(Law::BlocksLoss, laws::blocks_loss(winner))
    }

    /// Asks for [`Law::Guesses`] and [`Law::Announced`]: `seen` returns everything that a player has seen of a
    /// state. States are compared by their `Debug` texts.
    ///
    /// `Law::Guesses` does not compare probabilities. It also misses a guess that leaves some of what is hidden as
    /// it is, because that looks like something that the observer has seen and `seen` does not return. Where
    /// chance deals, [`fair_guesses`](Self::fair_guesses) finds both.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// use ramure::HiddenInformation;
    ///
    /// /// The player guesses which of three cups hides the ball.
    /// #[derive(Clone, Debug)]
    /// struct Cups { ball: u8, guess: Option<u8> }
    ///
    /// impl GameState for Cups {
    ///     type Action = u8;
    ///     fn turn(&self) -> Turn { if self.guess.is_none() { Turn::Player(0) } else { Turn::Over } }
    ///     fn actions(&self) -> impl IntoIterator<Item = u8> { (0..3).filter(|_| self.guess.is_none()) }
    ///     fn apply(&mut self, cup: u8) { self.guess = Some(cup); }
    ///     fn reward(&self, _: Player) -> f64 { f64::from(u8::from(self.guess == Some(self.ball))) }
    ///     fn players(&self) -> u8 { 1 }
    /// }
    ///
    /// impl HiddenInformation for Cups {
    ///     fn determinize(&mut self, _: Player, rng: &mut Rng) {
    ///         if self.guess.is_none() {
    ///             self.ball = rng.below(3) as u8;
    ///         }
    ///     }
    /// }
    ///
    /// ramure_rules::check(Cups { ball: 1, guess: None }).hidden(|cups, _| cups.guess).run()?;
    /// # Ok::<(), ramure_rules::Violation<Cups>>(())
    /// ```
    pub fn hidden<V: PartialEq + Debug>(self, seen: impl Fn(&G, Player) -> V + 'static) -> Self
    where
        G: HiddenInformation,
    {
        let seen = Rc::new(seen);
        let also = Rc::clone(&seen);
        self.and(Law::Guesses, laws::Guesses::new(move |state: &G, player| seen(state, player)))
            .and(Law::Announced, laws::Announced::new(move |state: &G, player| also(state, player)))
    }

    /// Asks for [`Law::GuessesFair`]: `seen` returns everything that a player has seen of a state. States are
    /// compared by their `Debug` texts.
    ///
    /// The law plays all short lines of the game, at most 2000 of one length. After those in which a player
    /// has seen the same and the players have done the same, it compares the guesses of one state with all
    /// their states, weighted by the probabilities of chance. It leaves out finished games, and guesses for
    /// which lines of another length may stand. Nothing is concluded from how likely the others were to act
    /// as they did.
    ///
    /// The check must begin where nothing is hidden yet. If the hands are dealt before the first state, or if
    /// only the players' own actions are hidden, the check fails and says so. States count as the same if all
    /// players have seen the same and if the same actions have the same consequences. So a hand may lie in the
    /// order in which it was dealt, where `seen` sorts it.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// use ramure::HiddenInformation;
    ///
    /// /// Chance puts a ball under one of three cups, and the player guesses which.
    /// #[derive(Clone, Debug)]
    /// struct Cups { ball: Option<u8>, guess: Option<u8> }
    ///
    /// impl GameState for Cups {
    ///     type Action = u8;
    ///     fn turn(&self) -> Turn {
    ///         match (self.ball, self.guess) {
    ///             (None, _) => Turn::Chance,
    ///             (_, None) => Turn::Player(0),
    ///             _ => Turn::Over,
    ///         }
    ///     }
    ///     fn actions(&self) -> impl IntoIterator<Item = u8> { (0..3).filter(|_| self.guess.is_none()) }
    ///     fn apply(&mut self, cup: u8) {
    ///         if self.ball.is_none() { self.ball = Some(cup) } else { self.guess = Some(cup) }
    ///     }
    ///     fn reward(&self, _: Player) -> f64 { f64::from(u8::from(self.guess == self.ball)) }
    ///     fn players(&self) -> u8 { 1 }
    /// }
    ///
    /// impl HiddenInformation for Cups {
    ///     fn determinize(&mut self, _: Player, rng: &mut Rng) {
    ///         if self.ball.is_some() && self.guess.is_none() {
    ///             self.ball = Some(rng.below(3) as u8);
    ///         }
    ///     }
    /// }
    ///
    /// // The player sees that there is a ball, and sees it after the guess.
    /// let seen = |cups: &Cups, _| (cups.ball.is_some(), cups.guess, cups.ball.filter(|_| cups.guess.is_some()));
    /// let start = Cups { ball: None, guess: None };
    /// ramure_rules::check(start).hidden(seen).fair_guesses(seen).run()?;
    /// # Ok::<(), ramure_rules::Violation<Cups>>(())
    /// ```
    pub fn fair_guesses<V: PartialEq>(self, seen: impl Fn(&G, Player) -> V + 'static) -> Self
    where
        G: HiddenInformation,
    {
        self.and(Law::GuessesFair, laws::GuessesFair::new(seen))
    }

    /// Asks for [`Law::Agreement`] with another implementation of the same game. To check nothing else, add
    /// `.only([Law::Agreement])`.
    ///
    /// They are played in lockstep, and must agree on the players, the turn, the set of actions, the
    /// probabilities of chance and the rewards; the order of the actions may differ. Write the twin as
    /// plainly as possible: arrays of cells, scanned in full after every action.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// use ramure_games::TicTacToe;
    ///
    /// /// The cells in the order in which they were marked.
    /// #[derive(Clone, Debug)]
    /// struct Plain(Vec<<TicTacToe as GameState>::Action>);
    ///
    /// impl Plain {
    ///     fn has_won(&self, player: usize) -> bool {
    ///         let own: Vec<(u8, u8)> = self.0.iter().skip(player).step_by(2).map(|cell| (cell.row(), cell.column())).collect();
    ///         let full = |line: &dyn Fn(&(u8, u8)) -> bool| own.iter().filter(|cell| line(cell)).count() == 3;
    ///         (0..3).any(|i| full(&|cell| cell.0 == i) || full(&|cell| cell.1 == i))
    ///             || full(&|cell| cell.0 == cell.1)
    ///             || full(&|cell| cell.0 + cell.1 == 2)
    ///     }
    /// }
    ///
    /// impl GameState for Plain {
    ///     type Action = <TicTacToe as GameState>::Action;
    ///
    ///     fn turn(&self) -> Turn {
    ///         let over = self.has_won(0) || self.has_won(1) || self.0.len() == 9;
    ///         if over { Turn::Over } else { Turn::Player(self.0.len() as u8 % 2) }
    ///     }
    ///     fn actions(&self) -> impl IntoIterator<Item = Self::Action> {
    ///         let all = if self.turn() == Turn::Over { vec![] } else { Vec::from_iter(TicTacToe::new().actions()) };
    ///         all.into_iter().filter(|cell| !self.0.contains(cell))
    ///     }
    ///     fn apply(&mut self, cell: Self::Action) {
    ///         self.0.push(cell);
    ///     }
    ///     fn reward(&self, player: Player) -> f64 {
    ///         match (self.has_won(player.into()), self.has_won(1 - usize::from(player))) {
    ///             (true, _) => 1.0,
    ///             (_, true) => 0.0,
    ///             _ => 0.5,
    ///         }
    ///     }
    /// }
    ///
    /// ramure_rules::check(TicTacToe::new()).twin(Plain(vec![])).games(200).run()?;
    /// # Ok::<(), ramure_rules::Violation<TicTacToe>>(())
    /// ```
    pub fn twin<P: GameState<Action = G::Action> + Debug + 'static>(self, twin: P) -> Self {
        self.and(Law::Agreement, laws::twin(twin))
    }

    /// Sets how states are printed.
    #[doc(hidden)]
    pub fn __shown(mut self, shown: Shown<G>) -> Self {
        self.settings.shown = shown;
        self
    }

    /// Whether this law is left out.
    pub(super) fn leaves_out(&self, law: Law) -> bool {
        self.without.contains(&law)
    }

    /// Runs the check.
    ///
    /// **Cost:** one to four seconds in a debug build, for all laws of one of the four games. States with
    /// thousands of actions, games of thousands of actions and states of many kilobytes take longer; fewer
    /// [`games`](Self::games) and [`states`](Self::states) help. A check takes at most
    /// [a minute](Self::time).
    ///
    /// # Errors
    ///
    /// Returns the first broken law that it finds, with a short line of play that breaks it. A game that
    /// panics, that [fails](ramure::fail), or that lists actions without end, breaks [`Law::Calls`].
    pub fn run(mut self) -> Result<Summary, Violation<G>> {
        let mut rules = laws::of_every_game(self.settings.longest);
        rules.append(&mut self.asked);
        rules.retain(|(law, _)| {
            self.only.as_ref().is_none_or(|only| only.contains(law)) && !self.without.contains(law)
        });
        let laws: Vec<Law> = rules.iter().map(|&(law, _)| law).collect();
        let mut unsorted: Vec<_> = rules.into_iter().map(Some).collect();
        let rules = order_of(&laws).into_iter().filter_map(|number| unsorted[number].take()).collect();
        let mut only = self.only.take().unwrap_or_default();
        only.retain(|law| !self.without.contains(law));
        Engine::new(self.settings, rules).run(&only)
    }
}

/// Finds out whether a concrete type of states implements `Display`: method calls on a reference to a check
/// find this first, and [`ShownByDebug`] if it does not apply.
#[doc(hidden)]
pub trait ShownByDisplay<G> {
    fn __by(&self) -> Shown<G>;
}

impl<G: GameState + Display> ShownByDisplay<G> for Check<G> {
    fn __by(&self) -> Shown<G> {
        display_text
    }
}

/// See [`ShownByDisplay`].
#[doc(hidden)]
pub trait ShownByDebug<G> {
    fn __by(&self) -> Shown<G>;
}

impl<G: GameState + Debug> ShownByDebug<G> for &Check<G> {
    fn __by(&self) -> Shown<G> {
        debug_text
    }
}
