//! A search that plays, and its opinion as text.

use super::{Console, Failure, Playable};
use ramure::{Budget, Report, Search, SearchError, StopHandle};
use std::io::Write;
use std::sync::{Mutex, PoisonError};

/// The search that Ctrl-C stops so that it moves now. If there is none, Ctrl-C ends the program.
static THINKING: Mutex<Option<StopHandle>> = Mutex::new(None);

fn set_thinking(search: Option<StopHandle>) {
    *THINKING.lock().unwrap_or_else(PoisonError::into_inner) = search;
}

/// Installs the handler of Ctrl-C.
pub fn handle_ctrl_c() {
    // If this fails, Ctrl-C ends the program as usual.
    let _ = ctrlc::set_handler(|| {
        match &*THINKING.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(search) => search.stop(),
            None => {
                let _ = writeln!(std::io::stderr(), "\nGoodbye.");
                std::process::exit(130); // the code that shells expect from an interrupted program
            }
        }
    });
}

/// One side's search. It follows the game, so it keeps the subtree of the actions that were played.
pub struct Thinker<G: Playable> {
    search: Box<dyn Search<Space = G>>,
    budget: Budget,
    /// Whether Ctrl-C makes the search move now.
    hurried_by_ctrl_c: bool,
}

impl<G: Playable> Thinker<G> {
    pub fn new(start: G, budget: Budget, seed: u64, hurried_by_ctrl_c: bool) -> Self {
        Thinker { search: start.search(seed), budget, hurried_by_ctrl_c }
    }

    /// Follows the game by one action, and keeps its subtree.
    pub fn advance(&mut self, action: G::Action) -> Result<(), SearchError> {
        self.search.advance(action)
    }

    /// Starts from another position with an empty tree.
    pub fn reset(&mut self, state: G) {
        self.search.reset(state);
    }

    /// Searches the current position.
    pub fn think(&mut self, console: &mut Console) -> Result<Report<G::Action>, Failure> {
        const NOTE: &str = "Thinking ... (Ctrl-C: move now)";
        if self.hurried_by_ctrl_c {
            console.say_for_now(NOTE)?;
            set_thinking(Some(self.search.stop_handle()));
        }
        let report = self.search.run(self.budget);
        if self.hurried_by_ctrl_c {
            set_thinking(None);
            console.wipe(NOTE)?;
        }
        Ok(report?)
    }
}

/// The search's opinion of the action it chose, in a line. It contains no times, so that a seed fixes the
/// whole output.
pub fn opinion<A: Clone>(report: &Report<A>) -> String {
    let chosen = report.chosen.map(|index| &report.actions[index]);
    let verdict = match (report.proof, chosen) {
        (Some(1.0), _) => "a forced win".to_owned(),
        (Some(0.5), _) => "a draw with best play".to_owned(),
        (Some(_), _) => "a forced loss".to_owned(),
        (None, Some(action)) => format!("mean {:.2}", action.mean),
        (None, None) => "nothing to choose".to_owned(),
    };
    let effort = match report.iterations {
        0 => "already proved".to_owned(),
        1 => "1 iteration".to_owned(),
        count => format!("{} iterations", grouped(count)),
    };
    format!("{verdict}; {effort}")
}

/// Returns a number with its digits in groups of three.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}
