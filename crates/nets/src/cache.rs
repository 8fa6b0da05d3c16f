//! A cache of the outputs of a network for the last positions.

use ramure::hash_key;

/// A table of evaluations by key, in which a new one takes the place of an old one.
///
/// Each key has one place. So a look-up is one access to memory, and a table that is half full has lost a
/// fifth of what was stored.
pub(crate) struct Cache {
    keys: Vec<Option<u128>>,
    /// A row for each place.
    rows: Vec<f32>,
    width: usize,
}

impl Cache {
    /// Creates a table of `entries`, at least 1, rows of `width` numbers.
    pub(crate) fn new(entries: usize, width: usize) -> Self {
        Cache { keys: vec![None; entries], rows: vec![0.0; entries.saturating_mul(width)], width }
    }

    /// Returns an empty table of the same size.
    pub(crate) fn emptied(&self) -> Self {
        Cache::new(self.keys.len(), self.width)
    }

    pub(crate) fn get(&self, key: u128) -> Option<&[f32]> {
        let place = self.place(key);
        (self.keys[place] == Some(key)).then(|| &self.rows[place * self.width..][..self.width])
    }

    pub(crate) fn put(&mut self, key: u128, row: &[f32]) {
        let place = self.place(key);
        self.keys[place] = Some(key);
        self.rows[place * self.width..][..self.width].copy_from_slice(row);
    }

    /// Keys may be states as they are, so their bits are not evenly spread.
    fn place(&self, key: u128) -> usize {
        ((u128::from(hash_key(&key) as u64) * self.keys.len() as u128) >> 64) as usize
    }
}
