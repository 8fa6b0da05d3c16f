use ramure::prelude::*;
use ramure::{Expansion, Order};
use ramure_games::Connect4;
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Settings from a file. You write only what differs from the default.
    let budget: Budget = serde_json::from_str(r#"{"iterations": 1000, "time": 2.5}"#)?;
    assert_eq!(budget, Budget::iterations(1_000).and_time(Duration::from_millis(2_500)));
    let expansion: Expansion = serde_json::from_str(r#"{"order": "as_listed"}"#)?;
    assert_eq!(expansion, Expansion::default().order(Order::AsListed));

    // A position from a file: its text.
    let text = serde_json::to_string(&Connect4::new())?;
    let position: Connect4 = serde_json::from_str(&text)?;
    let mut search = Mcts::new(position).expansion(expansion);
    let report = search.run(budget)?;
    println!("{}", serde_json::to_string_pretty(&report)?);

    // A misspelt or impossible setting is an error.
    assert!(serde_json::from_str::<Budget>(r#"{"iteration": 1000}"#).is_err());
    let error = serde_json::from_str::<Budget>(r#"{"iterations": 0}"#).map_err(|error| error.to_string());
    assert!(error.is_err_and(|message| message.starts_with("the budget is empty")));
    Ok(())
}
