//! The law that guesses are fair: where chance deals, they are distributed as chance would deal.

use super::fair::{Excess, pearson};
use super::{Rule, Site};
use crate::look::Look;
use crate::probe::{Breach, Probe, broken};
use crate::walk::Walk;
use core::fmt::Debug;
use ramure::{GameState, HiddenInformation, Player, Rng, Turn};
use std::collections::HashSet;

/// The most lines of play of one length that are compared.
const MOST_LINES: usize = 2_000;

/// The most groups of lines that are compared for each length and observer.
const MOST_GROUPS: usize = 12;

/// The most states that a group may have.
const MOST_STATES: usize = 200;

/// The least expected count of a state.
const EXPECTED: f64 = 50.0;

/// The number of times that two states are played on from, before they count as the same.
const PLAYS: u64 = 32;

/// The greatest number of further actions in such a play.
const FURTHER: usize = 100;

/// The number of states in a message.
const SHOWN: usize = 4;

/// The number of guesses in all, without those of the last group.
const GUESSES: usize = 100_000;

/// The number of lines of all lengths after which the law stops to look for longer ones.
const ALL_LINES: usize = 10_000;

/// A line of play, with the product of the probabilities of its outcomes of chance.
type Line<G> = (Walk<G>, f64);

/// Lines after which the turn is the same and a player has seen the same.
type Group<'l, G, V> = ((Turn, V), Vec<&'l Line<G>>);

/// All short lines of a game.
struct Lines<G: GameState> {
    by_length: Vec<Vec<Line<G>>>,
    /// The states after all lines, as texts.
    states: HashSet<String>,
    /// Whether these are all lines of the game.
    is_complete: bool,
}

impl<G: HiddenInformation + Debug> Lines<G> {
    fn of(start: &Walk<G>, probe: &Probe) -> Result<Self, (Walk<G>, Breach)> {
        let (mut by_length, mut states, mut count) = (Vec::new(), HashSet::new(), 0);
        let mut lines = vec![(start.clone(), 1.0)];
        while !lines.is_empty() && lines.len() <= MOST_LINES && count < ALL_LINES {
            count += lines.len();
            for (walk, _) in &lines {
                let text = probe.debug(&walk.last().state).map_err(|breach| (walk.clone(), breach))?;
                states.insert(text);
            }
            let next = longer(&lines, probe)?;
            by_length.push(lines);
            lines = next;
        }
        Ok(Lines { by_length, states, is_complete: lines.is_empty() })
    }
}

/// Goes through all short lines when the other rules are done.
pub struct GuessesFair<F, W> {
    seen: F,
    start: Option<W>,
}

/// Whether two states with different texts count as the same state.
type Same<'a, G> = &'a dyn Fn(&G, &G) -> Result<bool, Breach>;

/// States that count as the same.
struct Class<'l, G> {
    texts: Vec<String>,
    one: &'l G,
    weight: f64,
}

/// The comparison of guesses with the lines of one group.
struct Comparison<G: GameState> {
    excess: Excess,
    walk: Walk<G>,
    text: String,
}

impl<F, W> GuessesFair<F, W> {
    pub fn new(seen: F) -> Self {
        GuessesFair { seen, start: None }
    }
}

impl<G, V, F> Rule<G> for GuessesFair<F, Walk<G>>
where
    G: HiddenInformation + Debug,
    V: PartialEq,
    F: Fn(&G, Player) -> V,
{
    fn step(&mut self, site: &mut Site<'_, G>) -> Result<(), Breach> {
        if self.start.is_none() {
            let mut start = site.walk.clone();
            start.truncate(0);
            self.start = Some(start);
        }
        Ok(())
    }

    fn finish(&mut self, probe: &Probe) -> Result<(), (Walk<G>, Breach)> {
        let Some(start) = self.start.take() else { return Ok(()) };
        hides_nothing(&start, probe).map_err(|breach| (start.clone(), breach))?;
        let lines = Lines::of(&start, probe)?;
        // Texts are soon compared. Only if they are not as likely as they should be does it matter which states
        // are the same in spite of different texts.
        let by_text = self.judge(&lines, &|_, _| Ok(false), probe);
        by_text.or_else(|_| self.judge(&lines, &|one, other| self.is_same(one, other, probe), probe))
    }
}

/// The breach where the law has nothing to compare.
const NOTHING_ALIKE: &str = "there is nothing to compare: no short lines of play look alike to a player and differ in what chance did";

/// Fails if the start differs from guesses of it.
fn hides_nothing<G: HiddenInformation + Debug>(start: &Walk<G>, probe: &Probe) -> Result<(), Breach> {
    let state = &start.last().state;
    for observer in 0..start.last().look.players {
        for seed in 0..8 {
            let mut guess = probe.clone(state)?;
            probe.call("`determinize`", || guess.determinize(observer, &mut Rng::seeded(seed)))?;
            if probe.debug(&guess)? != probe.debug(state)? {
                return broken(format!(
                    "the check begins in a state that hides something from player {observer}, and the law does not know how likely it was; begin \
                     where nothing is hidden yet, and let chance deal. If nothing is hidden there, `determinize` changes what is not hidden"
                ));
            }
        }
    }
    Ok(())
}

impl<F, W> GuessesFair<F, W> {
    /// Compares the guesses after all lines with what chance deals.
    fn judge<G: HiddenInformation + Debug, V: PartialEq>(
        &self,
        lines: &Lines<G>,
        same: Same<'_, G>,
        probe: &Probe,
    ) -> Result<(), (Walk<G>, Breach)>
    where
        F: Fn(&G, Player) -> V,
    {
        let mut rng = Rng::seeded(0);
        let (mut sum, mut worst, mut left) = (Excess::default(), None::<Comparison<G>>, GUESSES);
        let start = &lines.by_length[0][0].0;
        for of_one_length in &lines.by_length {
            for observer in 0..start.last().look.players {
                let groups = self.alike(of_one_length, observer, probe);
                for group in groups.map_err(|breach| (start.clone(), breach))? {
                    let comparison = compare(&group, lines, observer, same, &mut left, &mut rng, probe);
                    let Some(comparison) = comparison.map_err(|breach| (group[0].0.clone(), breach))? else {
                        continue;
                    };
                    sum.statistic += comparison.excess.statistic;
                    sum.freedom += comparison.excess.freedom;
                    if worst
                        .as_ref()
                        .is_none_or(|worst| worst.excess.deviation() < comparison.excess.deviation())
                    {
                        worst = Some(comparison);
                    }
                }
            }
        }
        match worst {
            None => Err((start.clone(), Breach::new(NOTHING_ALIKE))),
            Some(worst) if sum.is_too_much() => Err((worst.walk, Breach::new(worst.text))),
            Some(_) => Ok(()),
        }
    }

    /// Whether no player can tell two states apart, now or later: the players have seen the same, and the
    /// same actions lead to the same turns, actions, probabilities and rewards. A hand whose cards lie in
    /// another order is such a state, unless the order matters.
    fn is_same<G: HiddenInformation, V: PartialEq>(
        &self,
        one: &G,
        other: &G,
        probe: &Probe,
    ) -> Result<bool, Breach>
    where
        F: Fn(&G, Player) -> V,
    {
        for play in 0..PLAYS {
            let mut rng = Rng::seeded(play);
            let (mut one, mut other) = (probe.clone(one)?, probe.clone(other)?);
            for _ in 0..FURTHER {
                let look = Look::at(&one, probe)?;
                for player in 0..look.players {
                    let seen = |state: &G| probe.call("what is seen", || (self.seen)(state, player));
                    if seen(&one)? != seen(&other)? {
                        return Ok(false);
                    }
                }
                if look.difference_but_for_order(&Look::at(&other, probe)?).is_some() {
                    return Ok(false);
                }
                if look.actions.is_empty() {
                    break;
                }
                let action = &look.actions[rng.below(look.actions.len())];
                probe.apply(&mut one, action)?;
                probe.apply(&mut other, action)?;
            }
        }
        Ok(true)
    }

    /// Returns groups of lines after which `observer` has seen the same, if the lines of a group have the
    /// same actions of players.
    fn alike<'l, G: HiddenInformation, V: PartialEq>(
        &self,
        lines: &'l [Line<G>],
        observer: Player,
        probe: &Probe,
    ) -> Result<Vec<Vec<&'l Line<G>>>, Breach>
    where
        F: Fn(&G, Player) -> V,
    {
        let mut groups: Vec<Group<'_, G, V>> = Vec::new();
        // Nobody needs a guess of a finished game.
        for line in lines.iter().filter(|(walk, _)| !walk.has_ended()) {
            let here = line.0.last();
            let seen = probe.call("what is seen", || (self.seen)(&here.state, observer))?;
            let seen = (here.look.turn, seen);
            match groups.iter_mut().find(|(other, _)| *other == seen) {
                Some((_, group)) => group.push(line),
                None => groups.push((seen, vec![line])),
            }
        }
        let fits = |group: &Vec<&Line<G>>| {
            let first = choices(&group[0].0);
            group.len() > 1 && group.iter().all(|line| choices(&line.0) == first)
        };
        let groups: Vec<_> = groups.into_iter().map(|(_, group)| group).filter(fits).collect();
        let apart = groups.len().div_ceil(MOST_GROUPS).max(1);
        Ok(groups.into_iter().step_by(apart).collect())
    }
}

/// Returns the actions of players in a line; `None` stands for an outcome of chance.
fn choices<G: HiddenInformation>(walk: &Walk<G>) -> Vec<Option<G::Action>> {
    let steps = walk.positions().iter().zip(walk.actions());
    steps.map(|(before, action)| (before.look.turn != Turn::Chance).then_some(action)).collect()
}

/// Returns all lines that are one action longer. Those of games that are over end.
fn longer<G: HiddenInformation>(lines: &[Line<G>], probe: &Probe) -> Result<Vec<Line<G>>, (Walk<G>, Breach)> {
    let mut longer = Vec::new();
    for (walk, weight) in lines.iter().filter(|(walk, _)| !walk.has_ended()) {
        for pick in 0..walk.last().look.actions.len() {
            if longer.len() > MOST_LINES {
                return Ok(longer);
            }
            let mut next = walk.clone();
            next.announce(probe);
            next.play(pick, probe).map_err(|breach| (walk.clone(), breach))?;
            longer.push((next, weight * walk.last().look.probabilities.get(pick).unwrap_or(&1.0)));
        }
    }
    Ok(longer)
}

/// Puts the states of a group into classes of the same state.
fn classes<'l, G: HiddenInformation + Debug>(
    group: &[&'l Line<G>],
    same: Same<'_, G>,
    probe: &Probe,
) -> Result<Vec<Class<'l, G>>, Breach> {
    let mut classes: Vec<Class<'_, G>> = Vec::new();
    for (walk, weight) in group {
        if classes.len() > MOST_STATES {
            break; // too many, whatever follows
        }
        let one = &walk.last().state;
        let text = probe.debug(one)?;
        match class_of(&mut classes, one, text, same)? {
            Ok(place) => classes[place].weight += weight,
            Err(text) => classes.push(Class { texts: vec![text], one, weight: *weight }),
        }
    }
    Ok(classes)
}

/// Returns the place of the class of a state, or its text if it is in none of them.
fn class_of<G>(
    classes: &mut [Class<'_, G>],
    state: &G,
    text: String,
    same: Same<'_, G>,
) -> Result<Result<usize, String>, Breach> {
    if let Some(place) = classes.iter().position(|class| class.texts.contains(&text)) {
        return Ok(Ok(place));
    }
    for (place, class) in classes.iter_mut().enumerate() {
        if same(class.one, state)? {
            class.texts.push(text);
            return Ok(Ok(place));
        }
    }
    Ok(Err(text))
}

/// Compares the guesses of one state of a group with all its states. Returns `None` if all are the same
/// state, if they are too many, or if a guess is not one of them and may be right. `left` is the number of
/// guesses that may still be made.
fn compare<G: HiddenInformation + Debug>(
    group: &[&Line<G>],
    lines: &Lines<G>,
    observer: Player,
    same: Same<'_, G>,
    left: &mut usize,
    rng: &mut Rng,
    probe: &Probe,
) -> Result<Option<Comparison<G>>, Breach> {
    let mut states = classes(group, same, probe)?;
    let total: f64 = states.iter().map(|state| state.weight).sum();
    let least = states.iter().map(|state| state.weight / total).fold(1.0, f64::min);
    if !(2..=MOST_STATES).contains(&states.len()) || least.is_nan() || least <= 0.0 || *left == 0 {
        return Ok(None);
    }
    // Very unlikely states would need too many guesses, and are counted together.
    let draws = (EXPECTED / least).min(20.0 * EXPECTED * states.len() as f64).ceil() as usize;
    *left = left.saturating_sub(draws);
    let walk = &group[0].0;
    walk.announce(probe);
    let mut drawn = vec![0_u32; states.len()];
    for _ in 0..draws {
        let mut guess = probe.clone(&walk.last().state)?;
        probe.call("`determinize`", || guess.determinize(observer, rng))?;
        match class_of(&mut states, &guess, probe.debug(&guess)?, same)? {
            Ok(place) => drawn[place] += 1,
            // Lines of another length may look the same. Then the probabilities are not known.
            Err(text) if !lines.is_complete || lines.states.contains(&text) => return Ok(None),
            Err(text) => {
                return broken(format!(
                    "chance cannot have led to a guess for player {observer}, with all that this player has seen: {text}"
                ));
            }
        }
    }
    let count = |(&count, state): (&u32, &Class<'_, G>)| {
        (f64::from(count), state.weight / total * draws as f64, state.texts[0].clone())
    };
    let mut counts: Vec<_> = drawn.iter().zip(&states).map(count).collect();
    let excess = pearson(counts.iter().map(|&(count, expected, _)| (count, expected)), EXPECTED);
    greatest_difference_first(&mut counts);
    let mut text = format!(
        "guesses for player {observer} are not distributed as chance would deal what this player has not seen (`seen` must return all that the player has seen); of {draws} guesses,"
    );
    for (count, expected, state) in counts.iter().take(SHOWN) {
        text += &format!("\n{count} (expected: {expected:.0}) are {state}");
    }
    Ok(Some(Comparison { excess, walk: walk.clone(), text }))
}

/// Sorts states by how much their counts differ from what is expected.
fn greatest_difference_first(counts: &mut [(f64, f64, String)]) {
    counts.sort_by(|one, other| (other.0 - other.1).abs().total_cmp(&(one.0 - one.1).abs()));
}
