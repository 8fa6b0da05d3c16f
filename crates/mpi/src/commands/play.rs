//! `ramure-mpi play`: a person against the search.

use crate::Setting;
use ramure::search::Link;
use ramure::{GameState, Turn};
use ramure_lab::Failure;
use ramure_mpi::{Delayed, MpiLink};
use std::fmt::Display;
use std::io::{BufRead, stdin};
use std::str::FromStr;

pub fn run<G>(setting: &Setting, state: G, link: &mut Delayed<MpiLink>) -> Result<(), Failure>
where
    G: GameState<Action: Display + FromStr<Err: Display> + Send + Sync> + Display + Send + Sync,
{
    let is_first = link.rank() == 0;
    let mut search = setting.forest(state.clone(), link);
    let mut state = state;
    while let Turn::Player(player) = state.turn() {
        let action = if player == 0 {
            let line = link.get_mut().share(is_first.then(|| ask(&state)))?;
            match line.parse::<G::Action>() {
                // The first rank accepts legal actions only, so anything else is the end.
                Err(_) => return Ok(()),
                Ok(action) => action,
            }
        } else {
            let report = search.run_linked(setting.budget(), link)?;
            // The decision of the first rank holds for all.
            let best = report.best_action().to_string();
            let best = link.get_mut().share(is_first.then_some(best))?;
            if is_first {
                println!("{report}\nThe search plays {best}.");
            }
            best.parse().unwrap_or_else(|_| report.best_action())
        };
        search.advance(action.clone())?;
        state.apply(action);
    }
    if is_first {
        println!("{state}");
        match state.reward(0) {
            reward if reward > 0.5 => println!("You win."),
            reward if reward < 0.5 => println!("The search wins."),
            _ => println!("A draw."),
        }
    }
    Ok(())
}

/// Asks for an action until it is legal. Returns an empty text at the end of the input.
fn ask<G>(state: &G) -> String
where
    G: GameState<Action: Display + FromStr<Err: Display>> + Display,
{
    println!("{state}");
    loop {
        println!("Your action:");
        let mut line = String::new();
        if !stdin().lock().read_line(&mut line).is_ok_and(|bytes| bytes > 0) {
            println!("The input has ended.");
            return String::new();
        }
        match line.trim().parse::<G::Action>() {
            Ok(action) if state.actions().into_iter().any(|legal| legal == action) => {
                return action.to_string();
            }
            Ok(action) => println!("{action} is not legal here."),
            Err(error) => println!("{error}"),
        }
    }
}
