//! The laws that run a search; no other part of `rules` does. If the rewards are correct, the budgets suffice
//! for every random draw.

use super::{Part, Rule, Site};
use crate::list::list;
use crate::look::Look;
use crate::probe::Breach;
use core::fmt::Debug;
use core::time::Duration;
use ramure::{Budget, Mcts, SearchError, StopReason};
use ramure::{GameState, Player, Turn};

/// How long a single call to a search may take, if its iterations do not take longer.
const MOMENT: Duration = Duration::from_millis(100);

/// Positions with more actions are skipped, since the budget grows with the square.
pub const MOST_ACTIONS: usize = 24;

/// The number of positions in which a search is run.
const SEARCHES: u32 = 25;

/// The number of positions whose actions are checked for immediate losses, which costs an action for each
/// reply to each.
const EXAMINED: u32 = 300;

pub fn finds_win<G: GameState + Debug>(winner: impl Fn(&G) -> Option<Player>) -> impl Rule<G> {
    let mut left = SEARCHES;
    move |site: &mut Site<'_, G>| {
        let Some(player) = to_be_searched(site, left) else { return Ok(()) };
        let mut wins = Vec::new();
        for action in &site.here().look.actions {
            if wins_at_once(site, &site.here().state, action, player, &winner)? {
                if !is_sharp(site, &site.here().state, action)? {
                    return Ok(());
                }
                wins.push(action.clone());
            }
        }
        if wins.is_empty() || wins.len() == site.here().look.actions.len() {
            return Ok(());
        }
        left -= u32::from(site.part != Part::Shortening);
        // The search tries each action once, and proves the winning one.
        let budget = 4 * site.here().look.actions.len();
        let found = search(site, budget)?.filter(|found| !wins.contains(&found.action));
        Breach::of(found.map(|Found { action, .. }| {
            format!(
                "player {player} can win at once with {}, but a search of {budget} iterations plays {action:?}",
                list(&wins)
            )
        }))
    }
}

pub fn blocks_loss<G: GameState + Debug>(winner: impl Fn(&G) -> Option<Player>) -> impl Rule<G> {
    let (mut left, mut examined) = (SEARCHES, 0);
    move |site: &mut Site<'_, G>| {
        let Some(player) = to_be_searched(site, if examined < EXAMINED { left } else { 0 }) else {
            return Ok(());
        };
        examined += u32::from(site.part == Part::Game);
        // Each losing action with the way in which the other player wins.
        let (mut losing, mut widest) = (Vec::new(), 0);
        for action in &site.here().look.actions {
            let next = site.probe.after(&site.here().state, action)?;
            match site.probe.turn(&next)? {
                Turn::Player(other) if other != player => {
                    let replies = site.probe.actions(&next)?;
                    widest = widest.max(replies.len());
                    for reply in replies {
                        if wins_at_once(site, &next, &reply, other, &winner)? {
                            if !is_sharp(site, &next, &reply)? {
                                return Ok(());
                            }
                            losing.push((action.clone(), format!("player {other} wins with {reply:?}")));
                            break;
                        }
                    }
                }
                Turn::Over => match site.probe.call("`winner`", || winner(&next))? {
                    Some(_) if !is_sharp(site, &site.here().state, action)? => return Ok(()),
                    Some(other) if other != player => {
                        losing.push((action.clone(), format!("player {other} has won")))
                    }
                    // Positions with a win in one belong to the other law.
                    Some(_) => return Ok(()),
                    None => {}
                },
                Turn::Player(_) => {}
                // After an action that leads to chance, a loss is not certain.
                _ => return Ok(()),
            }
        }
        let actions = site.here().look.actions.len();
        if losing.is_empty() || losing.len() == actions || widest > MOST_ACTIONS {
            return Ok(());
        }
        left -= u32::from(site.part != Part::Shortening);
        // The most visited action has enough visits to try all replies, so a winning reply is proven.
        let budget = actions * (widest + 8);
        let found = search(site, budget)?;
        // If the other actions are proven to lose later, any action may be played.
        let loses = |found: &Found<G::Action>, action| {
            found.lost.contains(action) || losing.iter().any(|(losing, _)| losing == action)
        };
        let found = found.filter(|found| !site.here().look.actions.iter().all(|action| loses(found, action)));
        let lost = found.and_then(|found| losing.iter().find(|(played, _)| *played == found.action));
        Breach::of(lost.map(|(action, how)| {
            format!(
                "a search of {budget} iterations plays {action:?}, which loses at once: then {how}; {} of the {actions} actions do \
                 not lose at once",
                actions - losing.len()
            )
        }))
    }
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
    action: &G::Action,
    player: Player,
    winner: impl Fn(&G) -> Option<Player>,
) -> Result<bool, Breach> {
    let next = site.probe.after(state, action)?;
    Ok(site.probe.call("`winner`", || winner(&next))? == Some(player))
}

/// Whether the rewards of the game that `action` ends are 1 for one player and 0 for all others. If a win is
/// worth less, or a loss more, another action may be better than an immediate win.
fn is_sharp<G: GameState>(site: &Site<'_, G>, state: &G, action: &G::Action) -> Result<bool, Breach> {
    let rewards = Look::at(&site.probe.after(state, action)?, site.probe)?.rewards;
    let count = |worth: f64| rewards.iter().filter(|&&reward| reward == worth).count();
    Ok(count(1.0) == 1 && count(0.0) + 1 == rewards.len())
}

/// The action that a search plays, and those that it has proven to lose.
struct Found<A> {
    action: A,
    lost: Vec<A>,
}

/// The result of a search. If it finds a fault in the game, which breaks a law of its own, returns `None`.
fn search<G: GameState + Debug>(
    site: &mut Site<'_, G>,
    iterations: usize,
) -> Result<Option<Found<G::Action>>, Breach> {
    let seed = site.rng.bits();
    let state = site.probe.clone(&site.here().state)?;
    site.probe.charge(10 * iterations as u64);
    let mut search = site.probe.call("a search", || Mcts::new(state).seed(seed))?;
    let mut left = iterations as u64;
    let found = loop {
        // Calls that take a moment each, because the time limit is for a call into the game.
        let budget = Budget::iterations(left).and_time(MOMENT);
        let report = match site.probe.call("a search", || search.run(budget))? {
            Ok(report) => report,
            Err(error) => break Err(error),
        };
        left -= report.iterations.min(left);
        if left == 0 || report.stop_reason != StopReason::Time {
            let lost = report.actions.iter().filter(|entry| entry.proof == Some(0.0));
            let lost = lost.map(|entry| entry.action.clone()).collect();
            break report.try_best_action().map(|action| Found { action, lost });
        }
    };
    match found {
        Err(SearchError::Failed { error, .. }) => Err(Breach::failed("a search", error)),
        found => Ok(found.ok()),
    }
}
