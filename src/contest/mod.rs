//! Contests: agents play each other, and figures with intervals say who is the stronger. Uses `agents` and all below it.

mod estimate;

pub use estimate::Estimate;
