//! One number for the results of many searches, which a program or node can call.

#[path = "../../common/mod.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod common;

/// The number that is the same on every platform.
#[unsafe(no_mangle)]
pub extern "C" fn fingerprint() -> u64 {
    common::fingerprint::fingerprint()
}
