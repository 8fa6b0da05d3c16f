//! The laws of what a search makes of the game. The one part of the kit that searches: with a budget that suffices, if the
//! rewards are right, whatever is drawn.

use super::{Each, Part, Rule, Site};
use crate::backpropagation::{Average, Solver};
use crate::game::{GameState, Player, Turn};
use crate::rules::law::Law;
use crate::rules::list::list;
use crate::rules::look::Look;
use crate::rules::probe::Breach;
use crate::search::{Budget, Mcts, SearchError};
use core::fmt::Debug;

/// Positions with more actions are passed over: the budget grows with the square.
pub const MOST_ACTIONS: usize = 24;

/// In so many positions a search is run.
const SEARCHES: u32 = 25;

/// In so many positions it is asked which actions lose at once, which costs an action for each reply to each.
const EXAMINED: u32 = 300;

pub fn finds_win<G: GameState + Debug>(winner: impl Fn(&G) -> Option<Player>) -> impl Rule<G> {
    let mut left = SEARCHES;
    Each(Law::FindsWin, move |site: &mut Site<'_, G>| {
        let Some(player) = to_be_searched(site, left) else { return Ok(None) };
        let mut wins = Vec::new();
        for &action in &site.here().look.actions {
            if wins_at_once(site, &site.here().state, action, player, &winner)? {
                if !is_sharp(site, &site.here().state, action)? {
                    return Ok(None);
                }
                wins.push(action);
            }
        }
        if wins.is_empty() || wins.len() == site.here().look.actions.len() {
            return Ok(None);
        }
        left -= u32::from(site.part != Part::Shortening);
        // Each action is tried once, and the winning one is proven.
        let budget = 4 * site.here().look.actions.len();
        Ok(match search(site, budget)? {
            Ok(Found { action, .. }) if wins.contains(&action) => None,
            Ok(Found { action, .. }) => Some(format!(
                "player {player} wins at once with {}, but a search of {budget} iterations plays {action:?}",
                list(&wins)
            )),
            // What a search finds wrong with the game breaks a law of its own.
            Err(_) => None,
        })
    })
}

pub fn blocks_loss<G: GameState + Debug>(winner: impl Fn(&G) -> Option<Player>) -> impl Rule<G> {
    let (mut left, mut examined) = (SEARCHES, 0);
    Each(Law::BlocksLoss, move |site: &mut Site<'_, G>| {
        let Some(player) = to_be_searched(site, if examined < EXAMINED { left } else { 0 }) else {
            return Ok(None);
        };
        examined += u32::from(site.part == Part::Game);
        // Each with how the other one wins.
        let (mut losing, mut widest) = (Vec::new(), 0);
        for &action in &site.here().look.actions {
            let next = site.probe.after(&site.here().state, action)?;
            match site.probe.turn(&next)? {
                Turn::Player(other) if other != player => {
                    let replies = site.probe.actions(&next)?;
                    widest = widest.max(replies.len());
                    for reply in replies {
                        if wins_at_once(site, &next, reply, other, &winner)? {
                            if !is_sharp(site, &next, reply)? {
                                return Ok(None);
                            }
                            losing.push((action, format!("player {other} wins with {reply:?}")));
                            break;
                        }
                    }
                }
                Turn::Over => match site.probe.call("`winner`", || winner(&next))? {
                    Some(_) if !is_sharp(site, &site.here().state, action)? => return Ok(None),
                    Some(other) if other != player => {
                        losing.push((action, format!("player {other} has won")))
                    }
                    // A win in one is the other law's.
                    Some(_) => return Ok(None),
                    None => {}
                },
                // Dice may fall any way.
                Turn::Chance => return Ok(None),
                Turn::Player(_) => {}
            }
        }
        let actions = site.here().look.actions.len();
        if losing.is_empty() || losing.len() == actions || widest > MOST_ACTIONS {
            return Ok(None);
        }
        left -= u32::from(site.part != Part::Shortening);
        // The action with the most visits has enough for all replies to have been tried, so a winning one is proven.
        let budget = actions * (widest + 8);
        Ok(match search(site, budget)? {
            // Whoever has lost whatever he does may play anything.
            Ok(Found { is_lost: true, .. }) => None,
            Ok(Found { action, .. }) => losing.iter().find(|(played, _)| *played == action).map(|(_, how)| {
                format!(
                    "a search of {budget} iterations plays {action:?}, which loses at once: then {how}; {} of the {actions} actions do \
                     not lose at once",
                    actions - losing.len()
                )
            }),
            // What a search finds wrong with the game breaks a law of its own.
            Err(_) => None,
        })
    })
}

fn to_be_searched<G: GameState>(site: &mut Site<'_, G>, left: u32) -> Option<Player> {
    let wanted = site.part == Part::Shortening || left > 0 && site.rng.below(4) == 0;
    let look = &site.here().look;
    match look.turn {
        Turn::Player(player) if wanted && (2..=MOST_ACTIONS).contains(&look.actions.len()) => Some(player),
        _ => None,
    }
}

fn wins_at_once<G: GameState>(
    site: &Site<'_, G>,
    state: &G,
    action: G::Action,
    player: Player,
    winner: impl Fn(&G) -> Option<Player>,
) -> Result<bool, Breach> {
    let next = site.probe.after(state, action)?;
    Ok(site.probe.call("`winner`", || winner(&next))? == Some(player))
}

/// Whether the rewards of the game that `action` ends are one 1 and otherwise 0, whoever gets the 1. Where a win is worth less,
/// or a loss more, something else may be better than to win at once.
fn is_sharp<G: GameState>(site: &Site<'_, G>, state: &G, action: G::Action) -> Result<bool, Breach> {
    let rewards = Look::at(&site.probe.after(state, action)?, site.probe)?.rewards;
    let count = |worth: f64| rewards.iter().filter(|&&reward| reward == worth).count();
    Ok(count(1.0) == 1 && count(0.0) + 1 == rewards.len())
}

/// What a search plays, and whether it has proven that all actions lose.
struct Found<A> {
    action: A,
    is_lost: bool,
}

/// What a search finds, or what it finds wrong with the game.
fn search<G: GameState + Debug>(
    site: &mut Site<'_, G>,
    iterations: usize,
) -> Result<Result<Found<G::Action>, SearchError>, Breach> {
    let seed = site.rng.bits();
    let state = site.probe.clone(&site.here().state)?;
    site.probe.charge(10 * iterations as u64);
    site.probe.call("a search", || {
        let mut search = Mcts::new(state).backprop(Solver::new(Average)).seed(seed);
        let report = search.run(Budget::iterations(iterations as u64))?;
        Ok(Found { action: report.try_best_action()?, is_lost: report.proof == Some(0.0) })
    })
}
