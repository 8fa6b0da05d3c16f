//! Compares ramure with a search that is written for Hex on 11x11 only: the same rules, rollouts with the same
//! distribution, UCB1 with c = 1, means of all rewards, no proofs. Prints a table.

#[cfg(target_arch = "x86_64")]
mod by_hand;
#[cfg(target_arch = "x86_64")]
mod compare;

#[cfg(target_arch = "x86_64")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    compare::run()
}

#[cfg(not(target_arch = "x86_64"))]
fn main() -> Result<(), &'static str> {
    Err("the search by hand is written for x86-64")
}
