//! Recycling: the least visited nodes give up their children when the memory is full, a few blocks at a time.

use super::layout::SMALL;
use super::{AT_ONCE, NONE, ROOT, Tree};

/// Recycling that goes on: which nodes give up their children, and how far it has come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recycling {
    /// Nodes of a lower [`grade`] give up their children.
    least: usize,
    /// The block to look at next.
    next: u32,
    /// Whether any node has given up its children.
    gave_up_any: bool,
}

/// So many blocks, or up to twice as many, are looked at to find out how many visits are few.
const SAMPLE: usize = 512;

/// The number of [`grade`]s.
const GRADES: usize = 33 << 4;

/// Sorts visit counts by size: exactly up to 32, then to a sixteenth of an octave.
fn grade(visits: u32) -> usize {
    (((visits + 1) as f32).to_bits() >> 19) as usize - (127 << 4)
}

impl<A: Copy, P: Copy + Default, B: Copy + Default> Tree<A, P, B> {
    /// Whether there is something for [`work`](Self::work) to do.
    #[inline(always)]
    pub fn has_work(&self) -> bool {
        self.has_cut_off() || self.is_recycling()
    }

    #[inline(always)]
    pub fn is_recycling(&self) -> bool {
        self.recycling.get().is_some()
    }

    /// Whether something was cut off that is not given back yet.
    #[inline(always)]
    pub fn has_cut_off(&self) -> bool {
        self.cut_off.get() != NONE
    }

    /// Gives back what is cut off still, if that takes less than a millisecond, so that the number of children is that of the
    /// tree.
    pub fn tidy(&self) {
        self.give_back(AT_ONCE / 4);
    }

    /// How many children recycling has given up since they were [counted anew](Self::count_recycled_anew).
    pub fn recycled(&self) -> u64 {
        self.recycled.get()
    }

    pub fn count_recycled_anew(&self) {
        self.recycled.set(0);
    }

    /// Recycling goes no further: the tree is another now, or has more room.
    pub fn stop_recycling(&self) {
        self.recycling.set(None);
    }

    /// Finds out which nodes are the least visited that have `share` of the memory below them; [`work`](Self::work) then takes
    /// their children away. The root keeps its own.
    ///
    /// Judges by a sample of the blocks, so that this takes no longer in a large tree than in a small one.
    pub fn begin_recycling(&self, share: f64) {
        // Counted in fours: what the blocks have room for, and what the nodes with about so many visits have for their children.
        let (mut all, mut free, mut used) = (0, 0, 0);
        let mut below = [0usize; GRADES];
        for id in self.chunks.ids(0).step_by((self.chunks.count() / SAMPLE).max(1)) {
            let block = self.block(id);
            let room = block.room() / SMALL;
            all += room;
            free += if block.used() == 0 { room } else { 0 };
            for place in block.places().filter(|place| id != ROOT && place.link() != NONE) {
                let last = self.block(place.link());
                let fours = (last.start() + last.room()) / SMALL;
                below[grade(place.child().visit_count())] += fours;
                used += fours;
            }
        }
        let wanted = (all as f64 * share - free as f64) / (all - free).max(1) as f64 * used as f64;
        let (mut given, mut least) = (0, 0);
        while least < GRADES && (given == 0 || (given as f64) < wanted) {
            given += below[least];
            least += 1;
        }
        self.recycling.set(Some(Recycling { least, next: ROOT, gave_up_any: false }));
    }

    /// Looks at as many as `most` blocks: gives back those that were cut off, then goes on recycling. When recycling ends with this,
    /// whether any node gave up its children.
    pub fn work(&self, most: usize) -> Option<bool> {
        let mut left = most - self.give_back(most);
        let mut recycling = self.recycling.get()?;
        let mut ids = self.chunks.ids(recycling.next);
        while left > 0 {
            let Some(id) = ids.next() else {
                self.stop_recycling();
                return Some(recycling.gave_up_any);
            };
            left -= 1;
            recycling.next = id + 1;
            if id == ROOT {
                continue;
            }
            for place in self.block(id).places() {
                if place.link() != NONE && grade(place.child().visit_count()) < recycling.least {
                    self.cut_off(place.link());
                    place.set_link(NONE);
                    recycling.gave_up_any = true;
                }
            }
            left -= self.give_back(left);
        }
        self.recycling.set(Some(recycling));
        None
    }
}
