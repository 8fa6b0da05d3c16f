//! A value for each position of a line. The next line reuses the values of the positions that both share.

use crate::probe::Breach;
use crate::walk::{Position, Walk};
use ramure::GameState;
use std::rc::Rc;

pub struct Along<G: GameState, T>(Vec<(Rc<Position<G>>, T)>);

impl<G: GameState, T> Along<G, T> {
    pub fn new() -> Self {
        Along(Vec::new())
    }

    /// Returns a value for each position of `walk`. Missing values are computed from the previous one.
    pub fn follow(
        &mut self,
        walk: &Walk<G>,
        mut make: impl FnMut(Option<&T>, &Position<G>) -> Result<T, Breach>,
    ) -> Result<impl DoubleEndedIterator<Item = &T> + ExactSizeIterator, Breach> {
        let positions = walk.positions();
        let shared = self
            .0
            .iter()
            .zip(positions)
            .take_while(|((kept, _), position)| Rc::ptr_eq(kept, position))
            .count();
        self.0.truncate(shared);
        for position in &positions[shared..] {
            let next = make(self.0.last().map(|(_, last)| last), position)?;
            self.0.push((position.clone(), next));
        }
        Ok(self.0.iter().map(|(_, kept)| kept))
    }
}
