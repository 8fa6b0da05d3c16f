//! What tells two builds of a program apart.

use std::env;
use std::fs::File;
use std::io::{Read, Result};

/// The bytes that are read at a time, a multiple of 8.
const BLOCK: u64 = 1 << 16;

/// Returns a hash of the file of this program, so that ranks can find out whether they run the same build. Reads the whole file.
///
/// # Errors
///
/// Returns an error if the file cannot be read, for example because it was replaced.
pub fn build() -> Result<u64> {
    hash(File::open(env::current_exe()?)?)
}

fn hash(mut file: impl Read) -> Result<u64> {
    // Not 0, so that zeros at the start count.
    let (mut hash, mut length, mut block) = (1_u64, 0, Vec::new());
    loop {
        block.clear();
        if file.by_ref().take(BLOCK).read_to_end(&mut block)? == 0 {
            return Ok(hash ^ length);
        }
        length += block.len() as u64;
        for word in block.chunks(8) {
            let mut bytes = [0; 8];
            bytes[..word.len()].copy_from_slice(word);
            // Both steps can be undone, so a difference in one word cannot get lost.
            hash = (hash ^ u64::from_le_bytes(bytes)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            hash ^= hash >> 32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn every_byte_of_a_file_counts() {
        let file: Vec<u8> = (0..70_000_u32).map(|byte| (byte % 251) as u8).collect();
        let all = hash(&file[..]).expect("it is in memory");
        assert_eq!(hash(&file[..]).ok(), Some(all));
        for place in [0, 1, 7, 8, 65_535, 65_536, 69_999] {
            let mut other = file.clone();
            other[place] ^= 1;
            assert_ne!(hash(&other[..]).ok(), Some(all), "byte {place}");
            assert_ne!(hash(&file[..place]).ok(), Some(all), "the first {place} bytes");
        }
    }
}
