//! The page that shows a tree needs a feature. A call without it is one error.
//! expect: FeatureExplorerIsEnabled
//! errors: 1
use ramure::prelude::*;

include!("../common/sticks.rs");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut search = Mcts::new(Sticks(7, 0));
    search.run(Budget::iterations(10))?;
    search.tree().explorer().title("Sticks").save("sticks.html")?;
    Ok(())
}
