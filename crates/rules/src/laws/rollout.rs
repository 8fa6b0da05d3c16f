//! The law that `random_rollout` and `random_rollouts` end games as random play does.

use super::fair::Excess;
use super::{Part, Rule, Site};
use crate::look::Look;
use crate::probe::{Breach, Probe, broken};
use ramure::{GameState, MAX_PLAYERS, Rng};

/// The number of positions to play from: the first one, and some along the way.
const POSITIONS: u32 = 4;

/// The number of games from each position, in each way.
const GAMES: u32 = 400;

/// How many games `random_rollouts` is asked for at a time, and how often: a state that plays several games
/// at once may treat few games differently, or those that remain.
const SIZES: [(u32, u32); 4] = [(1, 800), (3, 267), (8, 100), (20, 80)];

/// How many games are played action by action, to compare with. A difference of 0.15 or more between two
/// means is found.
const BY_ACTIONS: u32 = 1600;

#[derive(Default)]
pub struct RandomRollout {
    positions: u32,
}

/// How often each player won, and then how often no player won.
type Outcomes = [u32; MAX_PLAYERS + 1];

impl<G: GameState> Rule<G> for RandomRollout {
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
    let mut outcomes: [Outcomes; 2] = Default::default();
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
            let (winners, outcomes) = (end.winners(), &mut outcomes[usize::from(shortcut)]);
            winners.iter().for_each(|winner| outcomes[usize::from(winner)] += 1);
            outcomes[MAX_PLAYERS] += u32::from(winners.is_empty());
        }
    }
    let [by_actions, by_shortcut] = outcomes;
    let mean = |wins: u32| (f64::from(wins) / f64::from(GAMES), GAMES);
    if !by_actions.iter().zip(by_shortcut).any(|(&one, other)| means_differ(mean(one), mean(other))) {
        return Ok(());
    }
    let players = usize::from(site.here().look.players).min(MAX_PLAYERS);
    let in_words = |outcomes: &Outcomes| {
        let wins = (0..players).map(|player| format!("player {player} won {}", outcomes[player]));
        format!("{}, {} had no winner", Vec::from_iter(wins).join(", "), outcomes[MAX_PLAYERS])
    };
    let (by_actions, by_shortcut) = (in_words(&by_actions), in_words(&by_shortcut));
    broken(format!(
        "of {GAMES} games played action by action, {by_actions}; of {GAMES} games ended by `random_rollout`, {by_shortcut}"
    ))
}

/// Compares the means of `random_rollouts`, for each number of games, with those of games played action by
/// action.
fn compare_several<G: GameState>(site: &mut Site<'_, G>) -> Result<(), Breach> {
    let (probe, last) = (site.probe, site.walk.last());
    let (state, players) = (&last.state, usize::from(last.look.players).min(MAX_PLAYERS));
    if last.look.is_over() {
        return Ok(());
    }
    let mut together = Vec::new();
    for (size, rounds) in SIZES {
        let mut means = [0.0; MAX_PLAYERS];
        let mut games = 0;
        for _ in 0..rounds {
            let rewards = probe.call("`random_rollouts`", || state.random_rollouts(size, &mut site.rng))?;
            // A game that does not play several at once needs no test.
            let Some(rewards) = rewards else { break };
            let rewards = rewards.as_slice();
            if rewards.len() != players || !rewards.iter().all(|reward| (0.0..=1.0).contains(reward)) {
                return broken(format!(
                    "`random_rollouts` returned {rewards:?}; there are {players} players, and rewards are in [0, 1]"
                ));
            }
            games += size;
            for (mean, &reward) in means.iter_mut().zip(rewards) {
                *mean += f64::from(reward) / f64::from(rounds);
            }
        }
        if games == size * rounds {
            together.push((size, games, means));
        }
    }
    if together.is_empty() {
        return Ok(());
    }
    let mut by_actions = [0.0; MAX_PLAYERS];
    for _ in 0..BY_ACTIONS {
        let Some(end) = end_of(probe.clone(state)?, &mut site.rng, probe)? else { return Ok(()) };
        for (mean, reward) in by_actions.iter_mut().zip(end.rewards) {
            *mean += reward / f64::from(BY_ACTIONS);
        }
    }
    for (size, games, means) in together {
        for player in 0..players {
            let (one, other) = (by_actions[player], means[player]);
            if means_differ((one, BY_ACTIONS), (other, games)) {
                return broken(format!(
                    "in {BY_ACTIONS} games played action by action, the mean reward of player {player} is {one:.3}; in {games} games played by \
                    `random_rollouts`, {size} at a time, it is {other:.3}"
                ));
            }
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
        let turn = probe.turn(&game)?;
        match probe.draw(&game, turn, rng)? {
            Some(action) => drop(probe.apply(&mut game, &action)?),
            None => {
                let look = Look::at(&game, probe)?;
                return Ok(look.is_over().then_some(look));
            }
        }
    }
    Ok(None)
}

/// Returns whether the means of two samples of rewards in [0, 1] differ too much; each comes with its number
/// of games. The variance of such a reward with the mean m is at most m (1 - m); that of a win or a loss is
/// this much.
fn means_differ((one, ones): (f64, u32), (other, others): (f64, u32)) -> bool {
    let (ones, others) = (f64::from(ones), f64::from(others));
    let mean = (one * ones + other * others) / (ones + others);
    let rare = (ones + others) * mean.min(1.0 - mean) < 50.0;
    let variance = mean * (1.0 - mean) * (1.0 / ones + 1.0 / others);
    !rare && Excess { statistic: (one - other) * (one - other) / variance, freedom: 1.0 }.is_too_much()
}
