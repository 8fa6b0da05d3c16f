//! The law that `random_rollout` and `random_rollouts` end games as random play does.

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

/// How many games `random_rollouts` is asked for, in turn: a state that plays several games at once may treat few games differently.
const SIZES: [u32; 4] = [1, 3, 8, 20];

/// How often it is asked for each of them, which makes 1600 games. They show a difference of 0.12 between two means.
const ROUNDS: u32 = 50;

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
            compare(site)?;
            return compare_several(site);
        }
        Ok(())
    }

    /// A line that is being shortened is judged by its last state alone.
    fn end(&mut self, site: &mut Site<'_, G>) -> Result<(), Breach> {
        if site.part != Part::Shortening {
            return Ok(());
        }
        compare(site)?;
        compare_several(site)
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
            let Some(end) = end_of(game, &mut site.rng, probe)? else { return Ok(()) };
            outcomes[usize::from(shortcut)][end.winner().map_or(MAX_PLAYERS, usize::from)] += 1.0;
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

/// Compares the means of `random_rollouts` with those of games played action by action.
fn compare_several<G: GameState>(site: &mut Site<'_, G>) -> Result<(), Breach> {
    let (probe, last) = (site.probe, site.walk.last());
    let (state, players) = (&last.state, usize::from(last.look.players).min(MAX_PLAYERS));
    if last.look.is_over() {
        return Ok(());
    }
    let breach = |what| Err(Breach::new(Law::RandomRollout, what));
    let (mut together, mut games) = ([0.0; MAX_PLAYERS], 0);
    for _ in 0..ROUNDS {
        for size in SIZES {
            let rewards = probe.call("`random_rollouts`", || state.random_rollouts(size, &mut site.rng))?;
            let Some(rewards) = rewards else { continue };
            let rewards = rewards.as_slice();
            if rewards.len() != players || !rewards.iter().all(|reward| (0.0..=1.0).contains(reward)) {
                return breach(format!(
                    "`random_rollouts` returned {rewards:?}; there are {players} players, and rewards are in [0, 1]"
                ));
            }
            games += size;
            for (sum, &reward) in together.iter_mut().zip(rewards) {
                *sum += f64::from(reward) * f64::from(size);
            }
        }
        // A game that does not play several at once needs no test.
        if games == 0 {
            return Ok(());
        }
    }
    let mut by_actions = [0.0; MAX_PLAYERS];
    for _ in 0..games {
        let Some(end) = end_of(probe.clone(state)?, &mut site.rng, probe)? else { return Ok(()) };
        for (sum, reward) in by_actions.iter_mut().zip(end.rewards) {
            *sum += reward;
        }
    }
    for player in 0..players {
        let [one, other] = [by_actions[player], together[player]].map(|sum| sum / f64::from(games));
        if means_differ(one, other, f64::from(games)) {
            return breach(format!(
                "in {games} games played action by action, the mean reward of player {player} is {one:.3}; in {games} games played by \
                `random_rollouts`, it is {other:.3}"
            ));
        }
    }
    Ok(())
}

/// Returns how the game ends, if the rest of it is played at random; `None` if that breaks another law.
fn end_of<G: GameState>(
    mut game: G,
    rng: &mut Rng,
    probe: &Probe,
) -> Result<Option<Look<G::Action>>, Breach> {
    const LONGEST: u32 = 10_000;
    for _ in 0..LONGEST {
        match probe.random_action(&game, rng)? {
            Some(action) => drop(probe.apply(&mut game, action)?),
            None => {
                let look = Look::at(&game, probe)?;
                return Ok(look.is_over().then_some(look));
            }
        }
    }
    Ok(None)
}

/// Returns whether the means of two samples of `games` rewards in [0, 1] differ too much. The variance of such a reward with the mean m
/// is at most m (1 - m); that of a win or a loss is this much.
fn means_differ(one: f64, other: f64, games: f64) -> bool {
    let mean = (one + other) / 2.0;
    let rare = 2.0 * games * mean.min(1.0 - mean) < 50.0;
    let variance = 2.0 * mean * (1.0 - mean) / games;
    !rare && Excess { statistic: (one - other) * (one - other) / variance, freedom: 1.0 }.is_too_much()
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
