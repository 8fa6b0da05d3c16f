//! The law that `random_rollout` ends games as random play does.

use super::fair::Excess;
use super::{Part, Rule, Site};
use crate::game::{GameState, MAX_PLAYERS, Rng};
use crate::rules::law::Law;
use crate::rules::look::Look;
use crate::rules::probe::{Breach, Probe};

/// The number of positions to play from: the first one, and some along the way.
const POSITIONS: u32 = 4;

/// The number of games from each position, in each way.
const GAMES: u32 = 400;

#[derive(Default)]
pub struct RandomRollout {
    positions: u32,
}

/// How often each player won, and then how often no player won.
type Outcomes = [f64; MAX_PLAYERS + 1];

impl<G: GameState> Rule<G> for RandomRollout {
    fn law(&self) -> Law {
        Law::RandomRollout
    }

    fn step(&mut self, site: &mut Site<'_, G>) -> Result<(), Breach> {
        let wanted = match site.part {
            Part::BreadthFirst => self.positions == 0,
            Part::Game => self.positions < POSITIONS && site.one_in(12),
            Part::Shortening => false,
        };
        if wanted && !site.here().look.actions.is_empty() {
            self.positions += 1;
            return compare(site);
        }
        Ok(())
    }

    /// A line that is being shortened is judged by its last state alone.
    fn end(&mut self, site: &mut Site<'_, G>) -> Result<(), Breach> {
        if site.part == Part::Shortening { compare(site) } else { Ok(()) }
    }
}

/// Plays from the last state in both ways.
fn compare<G: GameState>(site: &mut Site<'_, G>) -> Result<(), Breach> {
    let probe = site.probe;
    let state = &site.walk.last().state;
    let mut outcomes = [[0.0; MAX_PLAYERS + 1]; 2];
    for shortcut in [true, false] {
        for _ in 0..GAMES {
            let mut game = probe.clone(state)?;
            if shortcut {
                probe.call("`random_rollout`", || game.random_rollout(&mut site.rng))?;
                // A game without a shortcut needs no test.
                if Look::at(&game, probe)? == site.walk.last().look {
                    return Ok(());
                }
            }
            let Some(outcome) = outcome(game, &mut site.rng, probe)? else { return Ok(()) };
            outcomes[usize::from(shortcut)][outcome] += 1.0;
        }
    }
    let [by_actions, by_shortcut] = outcomes;
    if !differ(&by_actions, &by_shortcut) {
        return Ok(());
    }
    let players = usize::from(site.here().look.players).min(MAX_PLAYERS);
    let in_words = |outcomes: &Outcomes| {
        let wins = (0..players).map(|player| format!("player {player} won {}", outcomes[player]));
        format!("{}, {} had no winner", Vec::from_iter(wins).join(", "), outcomes[MAX_PLAYERS])
    };
    let (by_actions, by_shortcut) = (in_words(&by_actions), in_words(&by_shortcut));
    let what = format!(
        "of {GAMES} games played action by action, {by_actions}; of {GAMES} games ended by `random_rollout`, {by_shortcut}"
    );
    Err(Breach::new(Law::RandomRollout, what))
}

/// The winner, if the rest of the game is played at random; `None` if that breaks another law.
fn outcome<G: GameState>(mut game: G, rng: &mut Rng, probe: &Probe) -> Result<Option<usize>, Breach> {
    const LONGEST: u32 = 10_000;
    for _ in 0..LONGEST {
        match probe.random_action(&game, rng)? {
            Some(action) => drop(probe.apply(&mut game, action)?),
            None => {
                let look = Look::at(&game, probe)?;
                let winner = look.winner().map_or(MAX_PLAYERS, usize::from);
                return Ok(look.is_over().then_some(winner));
            }
        }
    }
    Ok(None)
}

/// Pearson's statistic for two samples of the same size; outcomes that are too rare for it are merged.
fn differ(ones: &Outcomes, others: &Outcomes) -> bool {
    let (mut rare, mut sum) = ((0.0, 0.0), Excess::default());
    let mut add = |one: f64, other: f64| {
        sum.statistic += (one - other) * (one - other) / (one + other);
        sum.freedom += 1.0;
    };
    for (&one, &other) in ones.iter().zip(others) {
        if one + other < 50.0 { rare = (rare.0 + one, rare.1 + other) } else { add(one, other) }
    }
    if rare.0 + rare.1 > 0.0 {
        add(rare.0, rare.1);
    }
    // The samples have the same size, so one outcome follows from the others.
    sum.freedom = (sum.freedom - 1.0).max(1.0);
    sum.is_too_much()
}
