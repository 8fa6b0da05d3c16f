//! The one place where the instruction set is chosen.

/// Calls `work`, compiled a second time for the vector and bit instructions of newer x86-64 processors if this one has
/// them. The results are the same to the bit: no fused multiply-add, no estimates.
///
/// `work` must be inlined: a closure with `#[inline(always)]`. With debug assertions it is compiled once, which halves what tests
/// wait for; that debug and release give the same bits (`tests/wasm/compare.sh`) then says that both ways do.
#[inline(always)]
pub(super) fn with_best_instructions<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
    {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn newer<T>(work: impl FnOnce() -> T) -> T {
            work()
        }
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
        {
            // SAFETY: all features that `newer` is compiled for have just been found present.
            return unsafe { newer(work) };
        }
    }
    work()
}
