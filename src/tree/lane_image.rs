//! Common parts of the images of blocks and of positions: a lane as bytes, numbers, and faults.

use super::NodeRef;

/// The most visits that a node can have.
const MOST_VISITS: u32 = i32::MAX as u32;

/// The greatest number of events that is taken from an image. Counters can still go on from it without an
/// overflow.
pub(super) const MOST_EVENTS: u64 = 1 << 62;

/// A fault of an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Flaw(pub &'static str);

/// The bytes of a lane that are the same in each tree.
pub(super) struct Lane {
    mean: f32,
    pub(super) visits: u32,
    low: u32,
    link: u32,
}

impl Lane {
    pub(super) fn of<A: Clone, P: Copy + Default, B: Copy + Default>(node: NodeRef<'_, A, P, B>) -> Self {
        let (visits, mean, low) = node.sums();
        Lane { mean, visits, low, link: node.link() }
    }

    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        put_number(self.visits, bytes);
        put_number(self.link, bytes);
        bytes.extend(self.mean.to_le_bytes());
        bytes.extend(self.low.to_le_bytes());
    }

    pub(super) fn take(bytes: &mut &[u8]) -> Result<Self, Flaw> {
        let (visits, link) = (take_number(bytes)?, take_number(bytes)?);
        let (mean, low) = (f32::from_le_bytes(take_bytes(bytes)?), u32::from_le_bytes(take_bytes(bytes)?));
        Ok(Lane { mean, visits, low, link })
    }

    /// Puts what was read into a lane. The counts of its block stay as they are.
    pub(super) fn restore<A: Clone, P: Copy + Default, B: Copy + Default>(
        &self,
        node: NodeRef<'_, A, P, B>,
    ) -> Result<(), Flaw> {
        unless(self.visits <= MOST_VISITS, "a node has more visits than it can count")?;
        unless(node.restore(self.visits, self.mean, self.low), "a mean is not a mean of rewards")?;
        node.set_link(self.link);
        Ok(())
    }
}

pub(super) fn unless(holds: bool, flaw: &'static str) -> Result<(), Flaw> {
    if holds { Ok(()) } else { Err(Flaw(flaw)) }
}

/// Takes the first `N` bytes.
pub(super) fn take_bytes<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], Flaw> {
    let (first, rest) = bytes.split_first_chunk().ok_or(Flaw("a chunk is too short"))?;
    *bytes = rest;
    Ok(*first)
}

/// Appends a number, seven bits a byte, the lowest first. Small numbers are common.
pub(super) fn put_number(mut number: u32, bytes: &mut Vec<u8>) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

pub(super) fn take_number(bytes: &mut &[u8]) -> Result<u32, Flaw> {
    let mut number = 0u64;
    for shift in (0..35).step_by(7) {
        let [byte] = take_bytes(bytes)?;
        number |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return u32::try_from(number).map_err(|_| Flaw("a number is too large"));
        }
    }
    Err(Flaw("a number is too long"))
}
