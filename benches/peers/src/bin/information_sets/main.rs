//! ramure's side of the comparison of searches of information sets: answers the questions of
//! `information_sets.py`, one line each. Games and actions have the names and numbers of OpenSpiel.

#[path = "../../../../../crates/lab/src/games/leduc.rs"]
#[expect(dead_code, reason = "only the rules are needed")]
mod leduc;
#[path = "../../../../../crates/lab/src/games/phantom_tic_tac_toe.rs"]
#[expect(dead_code, reason = "only the rules are needed")]
mod phantom_tic_tac_toe;
#[path = "../../../../../crates/lab/src/games/sets.rs"]
mod sets;

use cpu_time::ProcessTime;
use leduc::{Leduc, LeducAction};
use phantom_tic_tac_toe::{PhantomAction, PhantomTicTacToe};
use ramure::prelude::*;
use ramure::search::InformationSet;
use ramure::selection::AvailabilityUcb1;
use ramure::{ActionIndex, HiddenInformation};
use ramure_games::TicTacToe;
use std::error::Error;
use std::fmt::{Debug, Write as _};
use std::io::{BufRead as _, Write as _};
use std::process::ExitCode;

/// A game that OpenSpiel has, too.
trait Shared: HiddenInformation + Default + Debug {
    /// OpenSpiel's number of an action; `None` for answers of the referee, which are no actions there.
    fn number(action: Self::Action) -> Option<u8>;

    /// OpenSpiel's return of a game that is over.
    fn payoff(&self, player: Player) -> f64;
}

impl Shared for Leduc {
    fn number(action: LeducAction) -> Option<u8> {
        Some(match action {
            LeducAction::Deal(card) => card.number(),
            LeducAction::Fold => 0,
            LeducAction::Call => 1,
            LeducAction::Raise => 2,
        })
    }

    fn payoff(&self, player: Player) -> f64 {
        self.chips(player).into()
    }
}

impl Shared for PhantomTicTacToe {
    fn number(action: PhantomAction) -> Option<u8> {
        match action {
            PhantomAction::Try(cell) => Some(TicTacToe::action_index(cell) as u8),
            PhantomAction::Free | PhantomAction::Taken => None,
        }
    }

    fn payoff(&self, player: Player) -> f64 {
        2.0 * self.reward(player) - 1.0
    }
}

/// A state, and what each of the two players has seen on the way to it.
struct Reached<G> {
    state: G,
    seen: [String; 2],
}

impl<G: Shared> Reached<G> {
    /// Plays actions from the start.
    fn after(numbers: &[&str]) -> Result<Self, Box<dyn Error>> {
        let mut reached = Reached { state: G::default(), seen: Default::default() };
        for number in numbers {
            let number = number.parse()?;
            let action = reached
                .find(Some(number))
                .ok_or_else(|| format!("{number} is not legal in {:?}", reached.state))?;
            reached.apply(action);
            while let Some(answer) = reached.find(None) {
                reached.apply(answer);
            }
        }
        Ok(reached)
    }

    fn find(&self, number: Option<u8>) -> Option<G::Action> {
        self.state.actions().into_iter().find(|action| G::number(action.clone()) == number)
    }

    fn apply(&mut self, action: G::Action) {
        for (player, seen) in (0..).zip(&mut self.seen) {
            if let Some(action) = self.state.observe(action.clone(), player) {
                write!(seen, "{action:?},").expect("a string takes any text");
            }
        }
        self.state.apply(action);
    }

    /// Describes the state: whose turn it is, what each player has seen, then the legal actions or the
    /// returns.
    fn describe(&self) -> String {
        let turn = match self.state.turn() {
            Turn::Player(player) => player.to_string(),
            Turn::Chance => "chance".into(),
            _ => "over".into(),
        };
        let numbers: Vec<String> = if self.state.turn() == Turn::Over {
            (0..2).map(|player| self.state.payoff(player).to_string()).collect()
        } else {
            let numbers = self.state.actions().into_iter().filter_map(G::number);
            numbers.map(|number| number.to_string()).collect()
        };
        let [first, second] = &self.seen;
        format!("{turn}|{first}|{second}|{}", numbers.join(" "))
    }

    /// Searches as the player to move; returns the action and the nanoseconds of processor time, from an
    /// empty tree to the best action.
    fn choose(self, search: &str, c: f32, iterations: u64, seed: u64) -> Result<(u8, u128), Box<dyn Error>> {
        if !matches!(self.state.turn(), Turn::Player(_)) {
            return Err("no player is to move".into());
        }
        let (state, budget) = (self.state, Budget::iterations(iterations));
        let start = ProcessTime::now();
        let (action, made) = match search {
            "so-ismcts" => {
                let report = Mcts::new(InformationSet::new(state))
                    .tree_policy(AvailabilityUcb1::new(c))
                    .seed(seed)
                    .run(budget)?;
                (report.best_action(), report.iterations)
            }
            "mo-ismcts" => {
                let trees = Mcts::player_trees(InformationSet::new(state));
                let report = trees.tree_policy(AvailabilityUcb1::new(c)).seed(seed).run(budget)?;
                (report.best_action(), report.iterations)
            }
            _ => return Err(format!("unknown search `{search}`").into()),
        };
        let time = start.elapsed();
        if made != iterations {
            return Err(format!("made {made} iterations").into());
        }
        let action = G::number(action).ok_or("the best action has no number")?;
        Ok((action, time.as_nanos()))
    }
}

fn answer_for<G: Shared>(words: &[&str]) -> Result<String, Box<dyn Error>> {
    match words {
        ["state", actions @ ..] => Ok(Reached::<G>::after(actions)?.describe()),
        ["choose", search, c, iterations, seed, actions @ ..] => {
            let reached = Reached::<G>::after(actions)?;
            let (action, nanoseconds) =
                reached.choose(search, c.parse()?, iterations.parse()?, seed.parse()?)?;
            Ok(format!("{action} {nanoseconds}"))
        }
        _ => Err("a question is GAME state ACTIONS or GAME choose SEARCH C ITERATIONS SEED ACTIONS".into()),
    }
}

fn answer(line: &str) -> Result<String, Box<dyn Error>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.split_first() {
        Some((&"leduc_poker", words)) => answer_for::<Leduc>(words),
        Some((&"phantom_ttt", words)) => answer_for::<PhantomTicTacToe>(words),
        _ => Err(format!("no game in `{line}`").into()),
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        writeln!(output, "{}", answer(&line?)?)?;
        output.flush()?;
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
