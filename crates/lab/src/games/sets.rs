//! Sets of cards or cells, as bits.

use ramure::Rng;

/// Returns the members of a set, in ascending order.
pub fn members(set: impl Into<u64>) -> impl Iterator<Item = u8> {
    let mut set = set.into();
    std::iter::from_fn(move || {
        let member = (set != 0).then(|| set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        member
    })
}

/// Draws a member of a set; `None` if it is empty.
pub fn draw(set: impl Into<u64>, rng: &mut Rng) -> Option<u8> {
    let set = set.into();
    (set != 0).then(|| {
        let left = (0..rng.below(set.count_ones() as usize)).fold(set, |set, _| set & (set - 1));
        left.trailing_zeros() as u8
    })
}
