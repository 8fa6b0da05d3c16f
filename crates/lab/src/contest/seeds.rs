//! The random numbers of a contest: each use has its own, and none depends on the order in which games are
//! played.

use ramure::Rng;

/// The purpose of random numbers.
#[derive(Clone, Copy)]
pub enum Use {
    /// The random opening of a group of games: the same for all games of the group, and in all pairings.
    Opening,
    /// The draws of chance after the opening: the same for all games of the group, and in all pairings.
    Luck,
    /// The agent of a player.
    Agent,
}

/// A seed that depends on the contest's seed, the use, and `of` (the group, or the game and the player).
pub fn seed(contest: u64, purpose: Use, of: &[u64]) -> u64 {
    let first = mix(contest ^ 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(1 + purpose as u64));
    of.iter().fold(first, |seed, &part| mix(seed ^ mix(part.wrapping_add(0x9e37_79b9_7f4a_7c15))))
}

/// A generator for that use.
pub fn generator(contest: u64, purpose: Use, of: &[u64]) -> Rng {
    Rng::seeded(seed(contest, purpose, of))
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014).
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
