//! Keys of positions from states that implement `Hash`.

use core::hash::{Hash, Hasher};

/// Returns a hash of 128 bits of `value`, for [`Keyed::key`](super::Keyed::key).
///
/// Hash what matters for the future of the game and nothing else: a counter of actions, for example, makes
/// every position different. The result is the same in every run of a program, and on all platforms with the
/// same byte order and, for slices of `usize` and `isize`, the same word size: slices of numbers are hashed
/// byte by byte, as they lie in memory. The hash is not
/// cryptographic: somebody can construct states that collide.
///
/// ```
/// assert_eq!(ramure::hash_key(&(1u8, "white")), ramure::hash_key(&(1u8, "white")));
/// assert_ne!(ramure::hash_key(&(1u8, "white")), ramure::hash_key(&(0u8, "white")));
/// ```
pub fn hash_key<T: Hash + ?Sized>(value: &T) -> u128 {
    let mut hasher = KeyHasher { low: 0x243F_6A88_85A3_08D3, high: 0x1319_8A2E_0370_7344, length: 0 };
    value.hash(&mut hasher);
    hasher.key()
}

/// Two words that each multiply by an odd constant, and exchange the upper halves of their products.
struct KeyHasher {
    low: u64,
    high: u64,
    /// The number of words so far, and in its upper half the number of bytes in those that are not full.
    length: u64,
}

impl KeyHasher {
    #[inline(always)]
    fn mix(&mut self, word: u64) {
        let low = u128::from(self.low ^ word) * 0x9E37_79B9_7F4A_7C15;
        let high = u128::from(self.high ^ word.rotate_left(32)) * 0xD1B5_4A32_D192_ED03;
        self.low = low as u64 ^ (high >> 64) as u64;
        self.high = high as u64 ^ (low >> 64) as u64;
    }

    #[inline(always)]
    fn word(&mut self, word: u64) {
        self.length += 1;
        self.mix(word);
    }

    fn key(mut self) -> u128 {
        // The last words have not met all bits yet.
        for constant in [self.length, 0xA409_3822_299F_31D0, 0x082E_FA98_EC4E_6C89] {
            self.mix(constant);
        }
        u128::from(self.high) << 64 | u128::from(self.low)
    }
}

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.word(word.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)));
        }
        let rest = words.remainder();
        if !rest.is_empty() {
            // A full word may be equal to this one.
            self.length += (rest.len() as u64) << 32;
            self.word(rest.iter().rev().fold(rest.len() as u64, |word, &byte| word << 8 | u64::from(byte)));
        }
    }

    // Without these, numbers would be hashed in the byte order and the word size of the platform.
    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.word(number.into());
    }
    #[inline]
    fn write_u16(&mut self, number: u16) {
        self.word(number.into());
    }
    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.word(number.into());
    }
    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.word(number);
    }
    #[inline]
    fn write_u128(&mut self, number: u128) {
        self.word(number as u64);
        self.word((number >> 64) as u64);
    }
    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.word(number as u64);
    }
    #[inline]
    fn write_isize(&mut self, number: isize) {
        self.word(number as i64 as u64);
    }
    #[inline]
    fn write_i8(&mut self, number: i8) {
        self.word(number as u8 as u64);
    }
    #[inline]
    fn write_i16(&mut self, number: i16) {
        self.word(number as u16 as u64);
    }
    #[inline]
    fn write_i32(&mut self, number: i32) {
        self.word(number as u32 as u64);
    }
    #[inline]
    fn write_i64(&mut self, number: i64) {
        self.word(number as u64);
    }
    #[inline]
    fn write_i128(&mut self, number: i128) {
        self.write_u128(number as u128);
    }

    fn finish(&self) -> u64 {
        KeyHasher { ..*self }.key() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn keys_differ_and_each_half_of_them_does() {
        // Two of a million random keys agree in 64 bits with a probability of 3e-8.
        let keys = Vec::from_iter((0..crate::sized(50_000u64, 1_000_000)).map(|n| hash_key(&(n, n / 7))));
        for half in [0, 64] {
            assert_eq!(
                HashSet::<u64>::from_iter(keys.iter().map(|key| (key >> half) as u64)).len(),
                keys.len()
            );
        }
    }

    #[test]
    fn each_bit_of_the_state_changes_each_bit_of_the_key_half_of_the_time() {
        const STATES: u64 = 2_000;
        for bit in [0, 1, 31, 32, 63, 64, 100, 127] {
            let mut changed = [0u32; 128];
            for n in 0..STATES {
                let state = u128::from(n) * 0x1_0000_0001_0003;
                let difference = hash_key(&state) ^ hash_key(&(state ^ 1 << bit));
                for (place, count) in changed.iter_mut().enumerate() {
                    *count += (difference >> place & 1) as u32;
                }
            }
            // Seven standard deviations of 22: below 1e-8 for the 1024 counts together.
            assert!(changed.iter().all(|&count| count.abs_diff(1000) < 157), "bit {bit}: {changed:?}");
        }
    }

    #[test]
    fn lengths_and_orders_matter() {
        let keys = [
            hash_key(&[0u8; 0][..]),
            hash_key(&[0u8; 1][..]),
            hash_key(&[0u8; 8][..]),
            hash_key(&[0u8; 16][..]),
            hash_key(&(1u8, 2u8)),
            hash_key(&(2u8, 1u8)),
            hash_key(&("ab", "c")),
            hash_key(&("a", "bc")),
            hash_key("abcdefg"),
            hash_key("abcdefg\u{7}"),
            hash_key("abcdefghabcdefg"),
            hash_key("abcdefghabcdefg\u{7}"),
        ];
        assert_eq!(HashSet::from(keys).len(), keys.len());
    }
}
