//! The weights of codes, which can be taken back.

use crate::math;

/// The greatest absolute value of a weight. Its exponential, times that of a bias, is far from the limits of `f64`.
pub(super) const MOST: f64 = 300.0;

/// A weight for each code; 0 for a code that was never changed.
///
/// Nested searches change weights, and take back what they have changed when they end. So there is one table, and a journal of
/// all changes, instead of a copy of the table for each level. Taking back costs as much as the changes did.
#[derive(Default)]
pub(super) struct Weights {
    /// Codes in the order in which they came, so that the last ones can be removed.
    entries: Vec<Entry>,
    /// A hash table with linear probing: 0 for a free place, or one more than an index of `entries`. Entries are removed in the
    /// reverse order of their insertion, so a removal leaves no gap that another entry was moved over.
    places: Vec<u32>,
    /// Each changed entry, with what it was before.
    journal: Vec<(u32, Value)>,
    /// The entries that the present [`adapt`](Self::adapt) changes.
    touched: Vec<u32>,
    /// The entries of the codes of the sequence in [`adapt`](Self::adapt).
    found: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Entry {
    code: u64,
    value: Value,
    /// The change that is being summed up.
    change: f64,
    is_touched: bool,
}

#[derive(Clone, Copy)]
struct Value {
    weight: f64,
    /// The exponential of the weight.
    factor: f64,
}

/// A moment to which [`Weights::take_back`] returns.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    entries: usize,
    journal: usize,
}

/// What one step of a line offered, and what was played.
pub(super) struct Choices<'s> {
    /// The code of each action.
    pub codes: &'s [u64],
    /// The exponential of the bias of each action; empty if there is no bias.
    pub biases: &'s [f64],
    pub chosen: usize,
}

impl Weights {
    /// Returns the exponential of the weight of `code`.
    #[inline]
    pub fn factor(&self, code: u64) -> f64 {
        match self.find(code) {
            Ok(index) => self.entries[index].value.factor,
            Err(_) => 1.0,
        }
    }

    /// Returns the weight of `code`.
    #[cfg(test)]
    pub fn weight(&self, code: u64) -> f64 {
        self.find(code).map_or(0.0, |index| self.entries[index].value.weight)
    }

    /// Returns the index of the entry of `code`, or else the free place for it.
    #[inline]
    fn find(&self, code: u64) -> Result<usize, usize> {
        if self.places.is_empty() {
            return Err(0);
        }
        let mask = self.places.len() - 1;
        let mut place = home(code, self.places.len());
        loop {
            match self.places[place] {
                0 => return Err(place),
                number => {
                    let index = number as usize - 1;
                    if self.entries[index].code == code {
                        return Ok(index);
                    }
                }
            }
            place = (place + 1) & mask;
        }
    }

    /// Returns the index of the entry of `code`, which is added if it is new.
    fn entry(&mut self, code: u64) -> usize {
        if (self.entries.len() + 1) * 2 > self.places.len() {
            self.grow();
        }
        self.find(code).unwrap_or_else(|place| {
            let value = Value { weight: 0.0, factor: 1.0 };
            self.entries.push(Entry { code, value, change: 0.0, is_touched: false });
            self.places[place] = self.entries.len() as u32;
            self.entries.len() - 1
        })
    }

    /// Doubles the hash table. The entries keep their order.
    fn grow(&mut self) {
        let size = (self.places.len() * 2).max(1024);
        self.places.clear();
        self.places.resize(size, 0);
        for (index, entry) in self.entries.iter().enumerate() {
            let mut place = home(entry.code, size);
            while self.places[place] != 0 {
                place = (place + 1) & (size - 1);
            }
            self.places[place] = index as u32 + 1;
        }
    }

    /// Returns this moment.
    pub fn mark(&self) -> Mark {
        Mark { entries: self.entries.len(), journal: self.journal.len() }
    }

    /// Takes back all changes since `mark`.
    pub fn take_back(&mut self, mark: Mark) {
        while self.journal.len() > mark.journal {
            if let Some((index, before)) = self.journal.pop() {
                self.entries[index as usize].value = before;
            }
        }
        while self.entries.len() > mark.entries {
            let last = self.entries.len();
            let code = self.entries[last - 1].code;
            let mut place = home(code, self.places.len());
            while self.places[place] as usize != last {
                place = (place + 1) & (self.places.len() - 1);
            }
            self.places[place] = 0;
            self.entries.pop();
        }
    }

    /// Returns the codes whose weights have changed since `mark`, with these weights.
    pub fn since(&self, mark: Mark, changed: &mut Vec<(u64, f64)>) {
        changed.clear();
        for &(index, _) in &self.journal[mark.journal..] {
            let Entry { code, value, .. } = self.entries[index as usize];
            changed.push((code, value.weight));
        }
        changed.sort_unstable_by_key(|&(code, _)| code);
        changed.dedup_by_key(|&mut (code, _)| code);
    }

    /// Sets these weights.
    pub fn set(&mut self, weights: &[(u64, f64)]) {
        for &(code, weight) in weights {
            let index = self.entry(code);
            self.change(index, weight);
        }
    }

    fn change(&mut self, index: usize, weight: f64) {
        let entry = &mut self.entries[index];
        self.journal.push((index as u32, entry.value));
        let weight = weight.clamp(-MOST, MOST);
        entry.value = Value { weight, factor: math::exp(weight) };
    }

    /// Makes the choices of a line more likely: adds `alpha` to the weight of each chosen code, and takes from the weight of each code
    /// offered `alpha` times its probability. All probabilities are those before the first change.
    pub fn adapt<'s>(&mut self, alpha: f64, steps: impl Iterator<Item = Choices<'s>>) {
        let (mut touched, mut found) = (std::mem::take(&mut self.touched), std::mem::take(&mut self.found));
        for Choices { codes, biases, chosen } in steps {
            found.clear();
            found.extend(codes.iter().map(|&code| self.entry(code) as u32));
            let bias = |number: usize| biases.get(number).copied().unwrap_or(1.0);
            let odds = |entry: &Entry, number: usize| entry.value.factor * bias(number);
            let sum: f64 = found
                .iter()
                .enumerate()
                .map(|(number, &index)| odds(&self.entries[index as usize], number))
                .sum();
            for (number, &index) in found.iter().enumerate() {
                let entry = &mut self.entries[index as usize];
                if !entry.is_touched {
                    entry.is_touched = true;
                    touched.push(index);
                }
                let probability = odds(entry, number) / sum;
                entry.change += alpha * (if number == chosen { 1.0 - probability } else { -probability });
            }
        }
        for index in touched.drain(..) {
            let entry = &mut self.entries[index as usize];
            let weight = entry.value.weight + entry.change;
            (entry.change, entry.is_touched) = (0.0, false);
            self.change(index as usize, weight);
        }
        (self.touched, self.found) = (touched, found);
    }
}

/// Returns the first place to look for `code` in a table of `size` places, a power of two.
#[inline]
fn home(code: u64, size: usize) -> usize {
    let mixed = (code ^ code >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 32) as usize & (size - 1)
}
