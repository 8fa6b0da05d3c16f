//! 2048: a person with advice from the search, and games of the search alone.

use super::table::Person;
use crate::Failure;
use crate::games::Game2048;
use crate::games::game_2048::Action2048::{self, Down, Left, Right, Up};
use ramure::prelude::*;
use ramure::search::OpenLoop;
use ramure::selection::AvailabilityUcb1;
use std::fmt;

/// The exploration constant of the searches.
const C: f32 = 0.1;

/// The command of a person.
enum Wish {
    Slide(Action2048),
    Hint,
    Play,
    Rest,
}

const HELP: &str = "\
2048: slide the tiles. Two equal ones that meet merge, and their sum adds to your
points. After each slide a new tile appears, a 2 or a 4.
  w a s d   slide up, left, down or right; so do these words
  hint      the search gives advice
  play      the search slides once
  rest      the search plays the rest of the game
  help      shows this again
  quit      leaves";

/// Plays 2048 with a person, who can ask the search for advice or let it play.
///
/// # Errors
///
/// Returns an error if a search fails, or if the terminal does.
pub fn with_person(budget: Budget, seed: u64, person: &mut Person<'_>) -> Result<(), Failure> {
    let (mut game, mut rng) = (Game2048::new(), Rng::seeded(seed));
    let mut plays_rest = false;
    person.show(HELP)?;
    loop {
        match game.turn() {
            Turn::Chance => {
                game.apply(game.random_outcome(&mut rng).ok_or("no cell is empty")?);
                continue;
            }
            Turn::Player(_) => person.show(format_args!("\n{game}"))?,
            _ => break,
        }
        let wish = if plays_rest { Some(Wish::Rest) } else { wish(&game, person)? };
        let slide = match wish {
            None => return Ok(()),
            Some(Wish::Slide(slide)) => slide,
            Some(searched) => {
                let report = with_chance_nodes(game, rng.bits()).run(budget)?;
                let slide = report.try_best_action()?;
                if matches!(searched, Wish::Hint) {
                    person.show(format_args!("{report}\nAdvice: {slide}."))?;
                    continue;
                }
                plays_rest |= matches!(searched, Wish::Rest);
                person.show(format_args!("the search slides {slide}"))?;
                slide
            }
        };
        game.apply(slide);
    }
    let (points, greatest) = (game.score(), game.greatest());
    person.show(format_args!(
        "\n{game}\nNo slide is left. You have {points} points, and the greatest tile is {greatest}."
    ))
}

/// Asks until the answer is a wish; `None` if the person leaves.
fn wish(game: &Game2048, person: &mut Person<'_>) -> Result<Option<Wish>, Failure> {
    loop {
        let Some(word) = person.ask("your slide (w a s d; hint play rest; or help, quit): ", HELP)? else {
            return Ok(None);
        };
        // The arrow keys of most terminals.
        let slide = match word.to_ascii_lowercase().as_str() {
            "w" | "up" | "\u{1b}[a" => Up,
            "s" | "down" | "\u{1b}[b" => Down,
            "d" | "right" | "\u{1b}[c" => Right,
            "a" | "left" | "\u{1b}[d" => Left,
            "hint" => return Ok(Some(Wish::Hint)),
            "play" => return Ok(Some(Wish::Play)),
            "rest" => return Ok(Some(Wish::Rest)),
            _ => {
                person.show(format_args!("{word:?} is not one of them."))?;
                continue;
            }
        };
        if game.is_legal(slide) {
            return Ok(Some(Wish::Slide(slide)));
        }
        person.show(format_args!("Nothing moves {slide}."))?;
    }
}

fn with_chance_nodes(game: Game2048, seed: u64) -> Mcts<Game2048> {
    Mcts::new(game).tree_policy(Ucb1::new(C)).seed(seed)
}

/// A player that plays alone: a random one, or one of two searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Random,
    /// A search with nodes for the tiles that chance places.
    ChanceNodes,
    OpenLoop,
}

/// The ends of games that one player played alone.
#[derive(Clone, PartialEq, Debug)]
pub struct Games {
    pub kind: Kind,
    pub ends: Vec<Game2048>,
}

/// Plays this many games. Game number n of each player begins with the same tiles.
///
/// # Errors
///
/// Returns an error if a search fails.
pub fn alone(kind: Kind, games: u32, budget: Budget, seed: u64) -> Result<Games, Failure> {
    let one = |number: u32| {
        let seed = seed.wrapping_add(number.into());
        let (mut game, mut rng) = (Game2048::new(), Rng::seeded(seed));
        loop {
            let action = match (game.turn(), kind) {
                (Turn::Over, _) => return Ok(game),
                (Turn::Player(_), Kind::ChanceNodes) => {
                    with_chance_nodes(game, seed).run(budget)?.try_best_action()?
                }
                (Turn::Player(_), Kind::OpenLoop) => {
                    Mcts::new(OpenLoop::new(game))
                        .tree_policy(AvailabilityUcb1::new(C))
                        .seed(seed)
                        .run(budget)?
                        .try_best_action()?
                        .action
                }
                (Turn::Chance, _) => game.random_outcome(&mut rng).ok_or("no cell is empty")?,
                _ => game.random_action(&mut rng).ok_or("the game goes on without actions")?,
            };
            game.apply(action);
        }
    };
    Ok(Games { kind, ends: (0..games).map(one).collect::<Result<_, Failure>>()? })
}

impl fmt::Display for Games {
    /// Prints the number of games, the mean points, and the share of games with a tile of 2048, both with
    /// their standard error.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.ends.len() as f64;
        let scores = || self.ends.iter().map(|end| f64::from(end.score()));
        let mean = scores().sum::<f64>() / n;
        let squares: f64 = scores().map(|score| (score - mean) * (score - mean)).sum();
        let error = if n > 1.0 { format!("{:.0}", (squares / (n - 1.0) / n).sqrt()) } else { "?".to_owned() };
        let share = self.ends.iter().filter(|end| end.greatest() >= 2048).count() as f64 / n;
        let deviation = (share * (1.0 - share) / n).sqrt();
        let name = match self.kind {
            Kind::Random => "random",
            Kind::ChanceNodes => "chance nodes",
            Kind::OpenLoop => "open loop",
        };
        write!(f, "{name:<12}  {n:>5}  {mean:>7.0} ± {error:<6}  {share:.2} ± {deviation:.2}")
    }
}
