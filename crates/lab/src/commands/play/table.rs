//! A person at a table: games with secrets against the search, where the person sees one side.

use crate::Failure;
use crate::commands::hidden::single_observer;
use crate::games::goofspiel::{Prizes, Scoring};
use crate::games::{Goofspiel, KnockoutWhist};
use crate::several::joined;
use ramure::prelude::*;
use ramure::selection::RegretMatching;
use ramure_agents::Agent;
use std::fmt::Display;
use std::io::{BufRead, Write};

/// A person at a terminal.
pub struct Person<'t> {
    /// The input of the person.
    pub input: &'t mut dyn BufRead,
    /// The output for the person.
    pub output: &'t mut dyn Write,
}

impl Person<'_> {
    /// Shows a text.
    pub(super) fn show(&mut self, text: impl Display) -> Result<(), Failure> {
        Ok(writeln!(self.output, "{text}")?)
    }

    /// Asks for a word, and shows the help if that is the word; `None` if the person leaves.
    pub(super) fn ask(&mut self, question: impl Display, help: &str) -> Result<Option<String>, Failure> {
        loop {
            write!(self.output, "{question}")?;
            self.output.flush()?;
            let mut line = String::new();
            let is_end = self.input.read_line(&mut line)? == 0;
            match line.trim() {
                word if is_end || word.eq_ignore_ascii_case("quit") => {
                    self.show("\nYou leave the table.")?;
                    return Ok(None);
                }
                word if word.eq_ignore_ascii_case("help") || word == "?" => self.show(help)?,
                word => return Ok(Some(word.to_owned())),
            }
        }
    }

    /// Asks for one of the actions, until the answer is one; `None` if the person leaves.
    fn choose<A: Clone + Display>(&mut self, actions: &[A], help: &str) -> Result<Option<A>, Failure> {
        let names = joined(actions, " ");
        while let Some(word) = self.ask(format_args!("your choice ({names}; or help, quit): "), help)? {
            match names.split(' ').position(|name| name.eq_ignore_ascii_case(&word)) {
                Some(place) => return Ok(Some(actions[place].clone())),
                None => self.show(format_args!("{word:?} is not one of them."))?,
            }
        }
        Ok(None)
    }
}

const WHIST: &str = "\
Knockout Whist: the last player left wins.
  A hand    is several tricks. A player who wins none is out. The next hand
            has one card less for each player.
  A trick   is a card of each player, of the suit that was led if the player
            has one. The highest trump wins it, or else the highest card of the
            suit that was led. The winner leads to the next trick.
  You       are player 0. Type a card as it is shown: its rank (2 to 9, T, J, Q,
            K, A) and its suit (c, d, h, s for clubs, diamonds, hearts, spades).";

const GOOFSPIEL: &str = "\
Goofspiel: most points win.
  Each turn   has a prize. You and player 1 bid a card at the same time. The
              greater card wins the prize, as many points as its number; of
              equal cards, none does. Each card can be bid once.
  You         are player 0. Type the number of a card.";

/// Plays Knockout Whist as player 0 against searches of what each of the others sees.
///
/// # Errors
///
/// Returns an error if there are not 2 to 7 players, if a search fails, or if the terminal does.
pub fn knockout_whist(
    players: u8,
    budget: Budget,
    seed: u64,
    person: &mut Person<'_>,
) -> Result<(), Failure> {
    let mut rng = Rng::seeded(seed);
    let mut state = KnockoutWhist::dealt(players, &mut rng)?;
    let mut others = single_observer::<KnockoutWhist>(budget, 0.7);
    others.new_game(seed);
    person.show(WHIST)?;
    loop {
        let action = match state.turn() {
            Turn::Player(0) => {
                person.show(format_args!("\n{}", state.view(0)))?;
                let actions = Vec::from_iter(state.actions());
                let Some(action) = person.choose(&actions, WHIST)? else { return Ok(()) };
                action
            }
            Turn::Player(player) => {
                let action = others.choose(&state)?;
                person.show(format_args!("player {player} plays {action}"))?;
                action
            }
            Turn::Chance => {
                let Some(outcome) = state.random_outcome(&mut rng) else { return Err("no cards".into()) };
                outcome
            }
            _ => break,
        };
        let before = state;
        state.apply(action);
        if before.turn() != Turn::Chance && state.turn() == Turn::Chance {
            let out = (0..players).filter(|&player| state.is_out(player) && !before.is_out(player));
            person.show(match &joined(out, ", player ")[..] {
                "" => "the hand is over, and nobody is out".to_owned(),
                names => format!("the hand is over; out: player {names}"),
            })?;
        }
    }
    person.show(match state.winner() {
        Some(0) => "\nYou have won.".to_owned(),
        winner => format!("\nPlayer {} has won.", winner.unwrap_or_default()),
    })
}

/// Plays Goofspiel as player 0 against a search that bids by regret matching. The search has bid before the
/// person does.
///
/// # Errors
///
/// Returns an error if there are not 1 to 13 cards, if a search fails, or if the terminal does.
pub fn goofspiel(
    cards: u8,
    order: Prizes,
    budget: Budget,
    seed: u64,
    person: &mut Person<'_>,
) -> Result<(), Failure> {
    let mut rng = Rng::seeded(seed);
    let mut state = Goofspiel::new(cards, order, Scoring::Win)?;
    let mut search = Mcts::player_trees(state).tree_policy(RegretMatching::default()).seed(rng.bits());
    person.show(GOOFSPIEL)?;
    loop {
        match state.turn() {
            Turn::Chance => {
                let Some(prize) = state.random_outcome(&mut rng) else { return Err("no prizes".into()) };
                state.apply(prize);
            }
            Turn::Player(_) => {
                search.reset(state);
                search.set_seed(rng.bits());
                search.run(budget)?;
                let theirs = search.report_of(1)?.try_best_action()?;
                person.show(format_args!("\n{state}"))?;
                let actions = Vec::from_iter(state.actions());
                let Some(own) = person.choose(&actions, GOOFSPIEL)? else { return Ok(()) };
                state.apply(own);
                state.apply(theirs);
                person.show(format_args!("player 1 has bid {theirs}"))?;
            }
            _ => break,
        }
    }
    let [own, other] = state.points();
    let result = match own.cmp(&other) {
        std::cmp::Ordering::Greater => "You have won",
        std::cmp::Ordering::Equal => "A draw",
        std::cmp::Ordering::Less => "Player 1 has won",
    };
    person.show(format_args!("\n{result}, {own} to {other}."))
}
