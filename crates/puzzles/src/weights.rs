//! The weights of codes, in a table whose changes can be taken back.

/// The greatest absolute value of a weight. Its exponential, times that of a bias, is far from the limits of
/// `f64`.
pub(crate) const MOST: f64 = 300.0;

/// A weight for each code; 0 for a code that was never changed.
///
/// Nested searches change weights, and take back their changes when they end. So there is one table, and a
/// journal of changes, instead of a copy of the table for each level. A level notes each entry only once,
/// however often it changes it: the level ends where it began, so only the first value counts.
#[derive(Default)]
pub(crate) struct Weights {
    /// Codes in the order in which they came, so that the last ones can be removed.
    entries: Vec<Entry>,
    /// A hash table with linear probing: 0 for a free place, or one more than an index of `entries`. Entries
    /// are removed in the reverse order of their insertion, so no remaining entry was probed past the gap
    /// that a removal leaves.
    places: Vec<u32>,
    /// Each changed entry, with what it was before. Entries that were added in the present level are not
    /// here: they are removed with it.
    journal: Vec<Change>,
    /// Where the present level began.
    level: Moment,
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
    /// The length of the journal after its last change of this entry; 0 if there is none.
    noted: u32,
}

/// The earlier value of an entry.
#[derive(Clone, Copy)]
struct Change {
    index: u32,
    noted: u32,
    value: Value,
}

#[derive(Clone, Copy)]
struct Value {
    weight: f64,
    /// The exponential of the weight.
    factor: f64,
}

/// The lengths of the two lists at a moment.
#[derive(Clone, Copy, Default)]
struct Moment {
    entries: usize,
    journal: usize,
}

/// The beginning of a level, to which [`Weights::take_back`] returns.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    began: Moment,
    /// The beginning of the level around it.
    outer: Moment,
}

/// The actions that one step of a line offered, and the one that was played.
pub(crate) struct Choices<'s> {
    /// The code of each action.
    pub codes: &'s [u64],
    /// The exponential of the bias of each action. Without a bias, the slice is empty.
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
            self.entries.push(Entry { code, value, change: 0.0, is_touched: false, noted: 0 });
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

    /// Begins a level. It ends with [`leave`](Self::leave).
    pub fn enter(&mut self) -> Mark {
        let began = Moment { entries: self.entries.len(), journal: self.journal.len() };
        Mark { began, outer: core::mem::replace(&mut self.level, began) }
    }

    /// Takes back all changes of a level, and ends it.
    pub fn leave(&mut self, mark: Mark) {
        self.take_back(mark);
        self.level = mark.outer;
    }

    /// Takes back all changes of the present level.
    pub fn take_back(&mut self, Mark { began, .. }: Mark) {
        while self.journal.len() > began.journal {
            if let Some(Change { index, noted, value }) = self.journal.pop() {
                let entry = &mut self.entries[index as usize];
                (entry.value, entry.noted) = (value, noted);
            }
        }
        while self.entries.len() > began.entries {
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

    /// Returns the codes whose weights were changed in the present level, with these weights.
    pub fn since(&self, Mark { began, .. }: Mark, changed: &mut Vec<(u64, f64)>) {
        changed.clear();
        let old = self.journal[began.journal..].iter().map(|change| change.index as usize);
        for index in old.chain(began.entries..self.entries.len()) {
            let Entry { code, value, .. } = self.entries[index];
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
        if index < self.level.entries && entry.noted as usize <= self.level.journal {
            self.journal.push(Change { index: index as u32, noted: entry.noted, value: entry.value });
            entry.noted = self.journal.len() as u32;
        }
        let weight = weight.clamp(-MOST, MOST);
        entry.value = Value { weight, factor: libm::exp(weight) };
    }

    /// Makes the choices of a line more likely: adds `alpha` to the weight of each chosen code, and subtracts
    /// `alpha` times its probability from the weight of each code offered. All probabilities are those before
    /// the first change.
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

#[cfg(test)]
mod tests {
    use super::*;
    use ramure::Rng;
    use std::collections::BTreeMap;

    fn step(codes: &[u64], chosen: usize) -> Choices<'_> {
        Choices { codes, biases: &[], chosen }
    }

    /// Rosin 2011, algorithm 2, computed by hand: the second step offers codes of the first one, and reads
    /// their old weights.
    #[test]
    fn one_adaptation_is_that_of_the_paper_with_all_probabilities_from_before() {
        let mut weights = Weights::default();
        weights.adapt(1.0, [step(&[1, 2], 0), step(&[1, 3], 1)].into_iter());
        // All weights were 0: every probability is 1/2.
        let after = |weights: &Weights| [1, 2, 3].map(|code| weights.weight(code));
        assert_eq!(after(&weights), [0.5 - 0.5, -0.5, 0.5]);
        // exp(0) and exp(0.5) : p(3) = e^0.5 / (1 + e^0.5) = 0.62246; with a bias of ln 3 on code 1, 1.64872
        // / 4.64872 = 0.35466.
        let biased = Choices { codes: &[1, 3], biases: &[3.0, 1.0], chosen: 0 };
        weights.adapt(2.0, [step(&[1, 3], 1), biased].into_iter());
        let (p, q) = (0.622_459_331_2, 0.354_661_244_4);
        let expected = [-2.0 * (1.0 - p) + 2.0 * q, -0.5, 0.5 + 2.0 * (1.0 - p) - 2.0 * q];
        for (found, expected) in after(&weights).into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-8, "{found}, not {expected}");
        }
    }

    #[test]
    fn a_code_that_is_offered_twice_is_changed_for_both() {
        let mut weights = Weights::default();
        weights.adapt(1.0, [step(&[7, 7, 8, 8], 1)].into_iter());
        assert_eq!((weights.weight(7), weights.weight(8)), (1.0 - 0.5, -0.5));
    }

    /// Against a map that is copied where the table is marked.
    #[test]
    fn taking_back_restores_all_weights() {
        let mut rng = Rng::seeded(1);
        let mut weights = Weights::default();
        let mut known: BTreeMap<u64, f64> = BTreeMap::new();
        let mut marks = Vec::new();
        for _ in 0..crate::sized(3_000, 60_000) {
            match rng.below(8) {
                0 if marks.len() < 6 => marks.push((weights.enter(), known.clone())),
                1 => {
                    if let Some((mark, before)) = marks.pop() {
                        weights.leave(mark);
                        known = before;
                    }
                }
                2 => {
                    if let Some((mark, before)) = marks.last() {
                        weights.take_back(*mark);
                        known = before.clone();
                    }
                }
                _ => {
                    // Many codes share a place at first.
                    let codes: [u64; 5] =
                        core::array::from_fn(|_| (rng.below(2_000) as u64) << (4 * rng.below(4)));
                    weights.set(&codes.map(|code| (code, code as f64 % 17.0)));
                    known.extend(codes.map(|code| (code, code as f64 % 17.0)));
                }
            }
            let code = rng.below(2_000) as u64;
            assert_eq!(weights.weight(code), known.get(&code).copied().unwrap_or(0.0));
        }
        for (&code, &weight) in &known {
            assert_eq!((weights.weight(code), weights.factor(code)), (weight, libm::exp(weight)));
        }
        let mark = Mark { began: Moment::default(), outer: Moment::default() };
        let mut changed = Vec::new();
        weights.since(mark, &mut changed);
        assert_eq!(changed, known.into_iter().collect::<Vec<_>>());
        weights.leave(mark);
        assert!(weights.places.iter().all(|&place| place == 0) && weights.entries.is_empty());
    }

    /// However many iterations a level makes, the journal has each code once for each level.
    #[test]
    fn the_journal_does_not_grow_with_the_number_of_changes() {
        let mut weights = Weights::default();
        weights.adapt(1.0, [step(&[1, 2], 0)].into_iter());
        assert_eq!(weights.journal.len(), 0, "nothing is before the first level");
        let outer = weights.enter();
        for round in 0..50 {
            weights.adapt(0.01, [step(&[1, 2, 3], 2)].into_iter());
            let before = [1, 2, 3].map(|code| weights.weight(code).to_bits());
            let inner = weights.enter();
            for _ in 0..50 {
                weights.adapt(0.01, [step(&[1, 2, 3, 4 + round], 1)].into_iter());
                assert!(weights.journal.len() <= 2 + 3, "{} changes", weights.journal.len());
            }
            weights.leave(inner);
            assert_eq!([1, 2, 3].map(|code| weights.weight(code).to_bits()), before);
        }
        assert_eq!(weights.journal.len(), 2, "code 3 is removed with the level");
        weights.leave(outer);
        assert_eq!([1, 2, 3].map(|code| weights.weight(code)), [0.5, -0.5, 0.0]);
    }

    #[test]
    fn a_weight_stays_within_its_limits() {
        let mut weights = Weights::default();
        for _ in 0..50 {
            weights.adapt(1e300, [step(&[1, 2], 0)].into_iter());
        }
        assert_eq!((weights.weight(1), weights.weight(2)), (MOST, -MOST));
    }
}
