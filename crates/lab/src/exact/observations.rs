//! The observations of players, as numbers.

/// The observations of a player: numbers for sequences of actions. Number 0 is the empty sequence.
pub struct Observations<A> {
    /// The sequences that are longer by one action, for each number.
    longer: Vec<Vec<(A, u32)>>,
    /// The last action, and the number of the sequence without it.
    last: Vec<Option<(A, u32)>>,
}

impl<A: Clone + Eq> Observations<A> {
    pub fn new() -> Self {
        Observations { longer: vec![Vec::new()], last: vec![None] }
    }

    /// Returns the sequence `number` with `action` at its end.
    pub fn after(&mut self, number: u32, action: A) -> u32 {
        let known = &self.longer[number as usize];
        if let Some(&(_, longer)) = known.iter().find(|(known, _)| *known == action) {
            return longer;
        }
        let new = self.last.len() as u32;
        self.last.push(Some((action.clone(), number)));
        self.longer.push(Vec::new());
        self.longer[number as usize].push((action, new));
        new
    }

    /// Returns all actions of the sequence `number`.
    pub fn all(&self, mut number: u32) -> Vec<A> {
        let mut all = Vec::new();
        while let Some((action, shorter)) = &self.last[number as usize] {
            all.push(action.clone());
            number = *shorter;
        }
        all.reverse();
        all
    }
}
