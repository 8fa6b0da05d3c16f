//! Searches are saved and loaded with a feature. A call without it is one error.
//! expect: searches are saved and loaded with the feature `save` of ramure, which is off
//! expect: in Cargo.toml, write: ramure = { version = "..", features = ["save"] }
//! errors: 4
use ramure::prelude::*;

include!("../common/sticks.rs");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut search = Mcts::new(Sticks(7, 0));
    search.save("sticks.tree")?;
    search.load("sticks.tree").expect("it is there");
    let mut threads = Mcts::new(Sticks(7, 0)).threads(2);
    threads.resume(std::path::Path::new("sticks.tree"))?;
    Mcts::new(Sticks(7, 0)).window(4).save_to(&mut Vec::new())?;
    Ok(())
}
