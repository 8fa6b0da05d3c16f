//! A list of different texts, each stored once.

use std::collections::HashMap;

#[derive(Default)]
pub(crate) struct Pool {
    texts: Vec<String>,
    places: HashMap<String, usize>,
}

impl Pool {
    /// Returns the place of a text, and adds the text if it is new.
    pub(crate) fn place(&mut self, text: &str) -> usize {
        if let Some(&place) = self.places.get(text) {
            return place;
        }
        let place = self.texts.len();
        self.texts.push(text.into());
        self.places.insert(text.into(), place);
        place
    }

    /// Returns the texts, in the order of their places.
    pub(crate) fn texts(&self) -> &[String] {
        &self.texts
    }
}
