//! Tables of words and what they stand for.

use super::error::{Ability, ReadError};
use super::parameters::Parameters;

/// Words of one kind, in the order in which they were added.
#[derive(Clone)]
pub(super) struct Table<T>(Vec<Entry<T>>);

/// A word and what it stands for.
#[derive(Clone)]
pub(super) struct Entry<T> {
    pub word: String,
    /// The form in which it is written, as in `mc:N`.
    pub form: String,
    pub about: String,
    /// The ability that it needs and that the game lacks.
    pub lacks: Option<Ability>,
    /// Reads its parameters.
    pub read: T,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table(Vec::new())
    }
}

impl<T> Table<T> {
    /// Adds a word, or replaces an earlier one.
    pub fn put(&mut self, form: &str, about: &str, read: T) {
        self.put_if(None, form, about, read);
    }

    /// Adds a word; if the game lacks an ability, the word is known but cannot be used.
    pub fn put_if(&mut self, lacks: Option<Ability>, form: &str, about: &str, read: T) {
        let word = form.split(':').next().unwrap_or(form).trim();
        let entry =
            Entry { word: word.into(), form: form.trim().into(), about: about.trim().into(), lacks, read };
        match self.0.iter_mut().find(|earlier| earlier.word == word) {
            Some(earlier) => *earlier = entry,
            None => self.0.push(entry),
        }
    }

    /// The entry of `word`; `what` describes it in the error.
    pub fn find(&self, what: &str, word: &str) -> Result<&Entry<T>, ReadError> {
        let known = || self.words().into_iter().map(str::to_owned).collect();
        match self.0.iter().find(|entry| entry.word == word) {
            Some(Entry { lacks: Some(ability), .. }) => {
                Err(ReadError::Lacks { word: word.into(), ability: *ability })
            }
            Some(entry) => Ok(entry),
            None if word.is_empty() => Err(ReadError::Empty { known: known() }),
            None => Err(ReadError::Unknown { what: what.into(), word: word.into(), known: known() }),
        }
    }

    /// The entry that the parameter `name` selects; the first entry if it is not set.
    pub fn choose(
        &self,
        name: &str,
        about: &str,
        parameters: &mut Parameters,
    ) -> Result<&Entry<T>, ReadError> {
        match parameters.choice(name, about, &self.words()) {
            Ok(word) => self.find(name, word),
            Err(ReadError::Unknown { word, .. }) => self.find(name, &word),
            Err(other) => Err(other),
        }
    }

    /// The words that can be used.
    pub fn words(&self) -> Vec<&str> {
        self.entries().map(|entry| entry.word.as_str()).collect()
    }

    /// The entries of the words that can be used.
    pub fn entries(&self) -> impl Iterator<Item = &Entry<T>> {
        self.0.iter().filter(|entry| entry.lacks.is_none())
    }

    /// All entries.
    pub fn into_entries(self) -> impl Iterator<Item = Entry<T>> {
        self.0.into_iter()
    }
}
