//! The only place where the instruction set is chosen.

/// Calls `work` with the best vector and bit instructions that the processor has.
///
/// Use it in a game whose [rollouts](crate::GameState::random_rollouts) work on several boards at once. On
/// x86-64, `work` is compiled a second time for newer instructions, and that version runs if the processor has
/// them. Elsewhere `work` is just called. The results are the same to the bit: no fused multiply-add, no
/// estimates.
///
/// `work` must be inlined: a closure with `#[inline(always)]`. With debug assertions it is compiled only
/// once, which takes half the time.
///
/// ```
/// let boards = [0x0F0F_u64; 8];
/// let stones = ramure::with_best_instructions(
///     #[inline(always)]
///     || boards.iter().map(|board| board.count_ones()).sum::<u32>(),
/// );
/// assert_eq!(stones, 64);
/// ```
//
// `tests/wasm/compare.sh` checks that debug and release builds give the same bits, and so that both versions do.
#[inline(always)]
pub fn with_best_instructions<T>(work: impl FnOnce() -> T) -> T {
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
            // SAFETY: all features for which `newer` is compiled have just been detected.
            return unsafe { newer(work) };
        }
    }
    work()
}
