//! Recycling: when the memory is full, the least visited nodes lose their children, a few blocks at a time.
//! `chunks.rs` enforces the limit, and `make_room` in `iteration/mod.rs` starts the recycling.

use super::layout::SMALL;
use super::{AT_ONCE, NONE, NodeRef, ROOT, Tree};

/// The state of recycling in progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recycling {
    /// Nodes of a lower [`grade`] lose their children.
    pub least: usize,
    /// The next block to examine.
    pub next: u32,
    /// Whether any node has lost its children.
    pub gave_up_any: bool,
}

/// The number of blocks sampled to find out how many visits are few. Up to twice as many may be sampled.
const SAMPLE: usize = 512;

/// The number of [`grade`]s.
pub(super) const GRADES: usize = 33 << 4;

/// Returns the grade of a visit count, which grows with the count: exact up to 32 visits, then in sixteenths
/// of an octave.
fn grade(visits: u32) -> usize {
    (((visits + 1) as f32).to_bits() >> 19) as usize - (127 << 4)
}

impl<A: Clone, P: Copy + Default, B: Copy + Default> Tree<A, P, B> {
    /// Returns whether there is anything for [`work`](Self::work) to do.
    #[inline]
    pub fn has_work(&self) -> bool {
        self.has_cut_off() || self.is_recycling()
    }

    #[inline]
    pub fn is_recycling(&self) -> bool {
        self.recycling.get().is_some()
    }

    /// Returns how many nodes have ever lost their children by recycling.
    pub fn families_given_up(&self) -> u64 {
        self.families_given_up.get()
    }

    /// Returns whether blocks were cut off that are not freed yet.
    #[inline]
    pub fn has_cut_off(&self) -> bool {
        self.cut_off.get() != NONE
    }

    /// Frees the blocks that are still cut off, if that takes less than a millisecond, so that the number of
    /// children is exact.
    pub fn tidy(&self) {
        self.give_back(AT_ONCE / 4);
    }

    /// Returns how many children recycling has freed since the last [reset](Self::reset_recycled) of this
    /// count.
    pub fn recycled(&self) -> u64 {
        self.recycled.get()
    }

    pub fn reset_recycled(&self) {
        self.recycled.set(0);
    }

    /// Stops recycling, because the tree was replaced or has more room.
    pub fn stop_recycling(&self) {
        self.recycling.set(None);
    }

    /// Finds the least visited nodes that have `share` of the memory below them; [`work`](Self::work) then
    /// removes their children. The root keeps its children.
    ///
    /// This samples the blocks, so it takes no longer in a large tree than in a small one.
    pub fn begin_recycling(&self, share: f64) {
        if self.shares() {
            return self.begin_recycling_positions(share);
        }
        // All counts are in units of four children: the room in the blocks, and the room for the children of
        // the nodes of each grade.
        let (mut all, mut free, mut used) = (0, 0, 0);
        let mut below = [0usize; GRADES];
        for id in self.chunks.ids(0).step_by((self.chunks.count() / SAMPLE).max(1)) {
            let block = self.block(id);
            let room = block.room() / SMALL;
            all += room;
            free += if block.used() == 0 { room } else { 0 };
            if id == ROOT {
                continue;
            }
            for lane in 0..block.used() {
                used += self.count_below(block.node(lane), &mut below);
            }
        }
        let wanted = (all as f64 * share - free as f64) / (all - free).max(1) as f64 * used as f64;
        self.recycle_below(&below, wanted);
    }

    /// Does what [`begin_recycling`](Self::begin_recycling) does, where positions have the children.
    fn begin_recycling_positions(&self, share: f64) {
        let (all, free) = (self.reserved_bytes(), self.free_bytes.get());
        let (mut below, mut used) = ([0usize; GRADES], 0);
        for index in self.position_indices(ROOT).step_by((self.positions() / SAMPLE).max(1)) {
            used += self.count_below(self.position_with(index), &mut below);
        }
        let wanted = (all as f64 * share - free as f64) / (all - free).max(1) as f64 * used as f64;
        self.recycle_below(&below, wanted);
    }

    /// Adds the room for the children of `node` to that of its grade, and returns it.
    fn count_below(&self, node: NodeRef<'_, A, P, B>, below: &mut [usize; GRADES]) -> usize {
        if node.link() == NONE {
            return 0;
        }
        let last = self.block(node.link());
        let fours = (last.start() + last.room()) / SMALL;
        below[grade(node.visit_count())] += fours;
        fours
    }

    /// Begins to take the children from the least visited nodes that have `wanted` of the memory, by what the
    /// nodes of each grade have.
    fn recycle_below(&self, below: &[usize; GRADES], wanted: f64) {
        let (mut given, mut least) = (0, 0);
        while least < GRADES && (given == 0 || (given as f64) < wanted) {
            given += below[least];
            least += 1;
        }
        self.recycling.set(Some(Recycling { least, next: ROOT, gave_up_any: false }));
    }

    /// Processes up to `most` blocks: frees those that were cut off, then continues recycling. Positions
    /// whose statistics are `held` keep their children for now. When recycling ends in this call, returns
    /// whether any node lost its children, or would have lost them if it were not held.
    pub fn work(&self, most: usize, held: fn(B) -> bool) -> Option<bool> {
        let left = most - self.give_back(most);
        let recycling = self.recycling.get()?;
        if self.shares() {
            self.recycle_positions(recycling, left, held)
        } else {
            self.recycle_nodes(recycling, left)
        }
    }

    /// Continues recycling with the next blocks.
    fn recycle_nodes(&self, mut recycling: Recycling, mut left: usize) -> Option<bool> {
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
            let block = self.block(id);
            for lane in 0..block.used() {
                let node = block.node(lane);
                if node.link() != NONE && grade(node.visit_count()) < recycling.least {
                    self.cut_off(node.link());
                    node.set_link(NONE);
                    recycling.gave_up_any = true;
                    self.families_given_up.set(self.families_given_up.get() + 1);
                }
            }
            left -= self.give_back(left);
        }
        self.recycling.set(Some(recycling));
        None
    }

    /// Continues recycling with the next positions.
    fn recycle_positions(
        &self,
        mut recycling: Recycling,
        mut left: usize,
        held: fn(B) -> bool,
    ) -> Option<bool> {
        let root = self.root_position();
        for number in self.position_indices(recycling.next) {
            let lane = self.position_with(number);
            if left == 0 {
                self.recycling.set(Some(recycling));
                return None;
            }
            left -= 1;
            recycling.next = number + 1;
            if lane.link() != NONE && number != root && grade(lane.visit_count()) < recycling.least {
                recycling.gave_up_any = true;
                if !held(lane.backprop()) {
                    self.cut_off(lane.link());
                    lane.set_link(NONE);
                    self.families_given_up.set(self.families_given_up.get() + 1);
                }
            }
            left -= self.give_back(left);
        }
        self.stop_recycling();
        Some(recycling.gave_up_any)
    }
}
