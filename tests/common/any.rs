//! One type for all games, so that the matrix of policies is compiled once instead of once per game.

use ramure::{ActionIndex, GameState, Player, Rng, StaticEvaluation, Turn};
use std::fmt::{self, Debug};

/// Any game whose actions are small numbers.
pub struct Any(Box<dyn Erased + Send + Sync>);

trait Erased {
    fn turn(&self) -> Turn;
    fn list(&self) -> Vec<u8>;
    fn apply(&mut self, action: u8);
    fn reward(&self, player: Player) -> f64;
    fn players(&self) -> u8;
    fn probability(&self, outcome: u8) -> f64;
    fn evaluate(&self, player: Player) -> f64;
    fn random_action(&self, rng: &mut Rng) -> Option<u8>;
    fn random_outcome(&self, rng: &mut Rng) -> Option<u8>;
    fn duplicate(&self) -> Box<dyn Erased + Send + Sync>;
    fn describe(&self) -> String;
}

impl<G: StaticEvaluation<Action = u8> + Debug + Send + Sync + 'static> Erased for G {
    fn turn(&self) -> Turn {
        GameState::turn(self)
    }
    fn list(&self) -> Vec<u8> {
        self.actions().into_iter().collect()
    }
    fn apply(&mut self, action: u8) {
        GameState::apply(self, action);
    }
    fn reward(&self, player: Player) -> f64 {
        GameState::reward(self, player)
    }
    fn players(&self) -> u8 {
        GameState::players(self)
    }
    fn probability(&self, outcome: u8) -> f64 {
        GameState::probability(self, outcome)
    }
    fn evaluate(&self, player: Player) -> f64 {
        StaticEvaluation::evaluate(self, player)
    }
    fn random_action(&self, rng: &mut Rng) -> Option<u8> {
        GameState::random_action(self, rng)
    }
    fn random_outcome(&self, rng: &mut Rng) -> Option<u8> {
        GameState::random_outcome(self, rng)
    }
    fn duplicate(&self) -> Box<dyn Erased + Send + Sync> {
        Box::new(self.clone())
    }
    fn describe(&self) -> String {
        format!("{self:?}")
    }
}

impl Any {
    /// Wraps a game and hides its type.
    pub fn new<G: StaticEvaluation<Action = u8> + Debug + Send + Sync + 'static>(state: G) -> Self {
        Any(Box::new(state))
    }

    /// Wraps a game with actions of any type. An action becomes its place in the list of legal actions.
    pub fn listed<G: GameState + Debug + Send + Sync + 'static>(state: G) -> Self {
        Any::new(Listed(state))
    }
}

impl Clone for Any {
    fn clone(&self) -> Self {
        Any(self.0.duplicate())
    }
}

impl Debug for Any {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.describe())
    }
}

impl GameState for Any {
    type Action = u8;

    fn turn(&self) -> Turn {
        self.0.turn()
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        self.0.list()
    }
    #[inline(never)]
    fn random_action(&self, rng: &mut Rng) -> Option<u8> {
        self.0.random_action(rng)
    }
    #[inline(never)]
    fn random_outcome(&self, rng: &mut Rng) -> Option<u8> {
        self.0.random_outcome(rng)
    }
    fn apply(&mut self, action: u8) {
        self.0.apply(action);
    }
    fn reward(&self, player: Player) -> f64 {
        self.0.reward(player)
    }
    fn players(&self) -> u8 {
        self.0.players()
    }
    fn probability(&self, outcome: u8) -> f64 {
        self.0.probability(outcome)
    }
}

impl ActionIndex for Any {
    const ACTION_COUNT: usize = 256;
    fn action_index(action: u8) -> usize {
        usize::from(action)
    }
}

impl StaticEvaluation for Any {
    fn evaluate(&self, player: Player) -> f64 {
        self.0.evaluate(player)
    }
}

/// A game whose actions are the numbers of their places in the list of legal actions, so that any game can be an
/// [`Any`].
#[derive(Clone)]
struct Listed<G>(G);

impl<G: Debug> Debug for Listed<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<G: GameState> GameState for Listed<G> {
    type Action = u8;

    fn turn(&self) -> Turn {
        self.0.turn()
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        let number = |(place, _)| u8::try_from(place).expect("at most 256 actions");
        self.0.actions().into_iter().enumerate().map(number)
    }
    fn apply(&mut self, place: u8) {
        self.0.apply(self.at(place));
    }
    fn reward(&self, player: Player) -> f64 {
        self.0.reward(player)
    }
    fn players(&self) -> u8 {
        self.0.players()
    }
    fn probability(&self, place: u8) -> f64 {
        self.0.probability(self.at(place))
    }
}

impl<G: GameState> Listed<G> {
    fn at(&self, place: u8) -> G::Action {
        self.0.actions().into_iter().nth(place.into()).expect("one of the list")
    }
}

impl<G: GameState> StaticEvaluation for Listed<G> {
    fn evaluate(&self, _: Player) -> f64 {
        0.5
    }
}
