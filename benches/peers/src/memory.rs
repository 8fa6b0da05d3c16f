//! The bytes that a search allocates: an allocator that counts on demand.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering::Relaxed};

/// The system's allocator, which counts while [`peak_of`] runs. At other times this costs one test of a flag.
pub struct Counting;

static ON: AtomicBool = AtomicBool::new(false);
static LIVE: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);

#[inline]
fn count(bytes: isize) {
    if ON.load(Relaxed) {
        let live = LIVE.fetch_add(bytes, Relaxed) + bytes;
        PEAK.fetch_max(live, Relaxed);
    }
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as asked for by the caller.
        unsafe { System.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as asked for by the caller.
        unsafe { System.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // The system moves big allocations by their pages, so the old and the new one never exist at the same
        // time.
        count(size as isize - layout.size() as isize);
        // SAFETY: as asked for by the caller.
        unsafe { System.realloc(old, layout, size) }
    }

    #[inline]
    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as asked for by the caller.
        unsafe { System.dealloc(old, layout) }
    }
}

/// Returns the result of `f` and the peak of the bytes allocated while it ran.
pub fn peak_of<T>(f: impl FnOnce() -> T) -> (T, usize) {
    LIVE.store(0, Relaxed);
    PEAK.store(0, Relaxed);
    ON.store(true, Relaxed);
    let result = f();
    ON.store(false, Relaxed);
    (result, PEAK.load(Relaxed).max(0) as usize)
}
