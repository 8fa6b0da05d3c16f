//! Connect 4 whose actions are the names of the columns, of any type.

use ramure::prelude::*;
use ramure_games::Connect4;
use ramure_games::connect4::Column;
use std::fmt::Debug;
use std::sync::Arc;

/// A name of a column, from which its number can be read.
pub trait Name: Clone + Eq + Debug + 'static {
    fn of(number: u8) -> Self;
    fn number(&self) -> u8;
}

impl Name for u8 {
    fn of(number: u8) -> u8 {
        number
    }
    fn number(&self) -> u8 {
        *self
    }
}

impl Name for String {
    fn of(number: u8) -> String {
        format!("drop a stone into column {number}")
    }
    fn number(&self) -> u8 {
        self.as_bytes()[self.len() - 1] - b'0'
    }
}

impl Name for Arc<str> {
    fn of(number: u8) -> Arc<str> {
        String::of(number).into()
    }
    fn number(&self) -> u8 {
        self.as_bytes()[self.len() - 1] - b'0'
    }
}

/// A position, and each column with its name.
#[derive(Clone)]
pub struct Named<A>(Connect4, Arc<[(Column, A)]>);

impl<A: Name> Named<A> {
    pub fn new() -> Self {
        let game = Connect4::new();
        let named = |column: Column| (column, A::of(column.number()));
        Named(game, game.actions().into_iter().map(named).collect())
    }
}

impl<A: Name> GameState for Named<A> {
    type Action = A;

    fn turn(&self) -> Turn {
        self.0.turn()
    }
    fn actions(&self) -> impl IntoIterator<Item = A> {
        let legal = self.1.iter().filter(|(column, _)| self.0.is_legal(*column));
        legal.map(|(_, name)| name.clone())
    }
    fn apply(&mut self, name: A) {
        self.0.apply(self.1[usize::from(name.number())].0);
    }
    fn reward(&self, player: Player) -> f64 {
        self.0.reward(player)
    }
    fn random_action(&self, rng: &mut Rng) -> Option<A> {
        let column = self.0.random_action(rng)?;
        Some(self.1[usize::from(column.number())].1.clone())
    }
}
