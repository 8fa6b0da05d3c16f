//! The law that `random_action` and `random_outcome` are fair: one chi-squared statistic over many states.

use super::{Part, Rule, Site};
use crate::list::{list_by, order_of};
use crate::probe::{Breach, Probe, broken};
use crate::walk::Walk;
use ramure::{GameState, Rng, Turn};

/// The least expected count of an action.
const EXPECTED: f64 = 50.0;

/// The least expected count where a single state decides.
const EXPECTED_OF_ONE: f64 = 300.0;

/// The number of draws in all, without the last state.
const DRAWS: usize = 60_000;

/// Of more counts than this, the message shows so many that deviate most.
const SHOWN: usize = 8;

/// Up to this many actions are counted separately. More are counted in so many random groups.
const APART: usize = 128;

/// The number of first positions that are all sampled. Of the others, a fraction is sampled.
const FIRST: usize = 40;

pub struct RandomFair<G: GameState> {
    /// One generator for all samples; otherwise they would not be independent.
    rng: Option<Rng>,
    sum: Excess,
    draws: usize,
    sampled: Vec<Walk<G>>,
    /// The sample whose draws were the least likely.
    worst: Option<(Excess, Walk<G>, String)>,
}

/// Pearson's statistic and its degrees of freedom.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Excess {
    pub statistic: f64,
    pub freedom: f64,
}

impl Excess {
    /// A bound that a correct `random_action` exceeds less than once in ten million runs: d + 2 sqrt(d t) + 2
    /// t with d degrees of freedom and t = 17 > ln 1e7. For a chi-squared variable this is a theorem (Laurent
    /// and Massart 2000, lemma 1). Counts are whole numbers and have heavier tails, the more so the smaller
    /// the expected count of the rarest outcome. So the worst case was simulated: states with two outcomes,
    /// of which the rarer one has a probability of 1/20 and an expected count of 50:
    ///
    /// | such states, d | runs | exceeded in one run of ten million | critical value |
    /// |---|---|---|---|
    /// | 1 | 1e9 | 33.7 | 43.2 |
    /// | 5 | 3e8 | 45.0 | 57.4 |
    /// | 30 | 1e8 | 90.7 | 109.2 |
    /// | 300 | 1e7 | 431.1 (in one of a million) | 476.8 |
    fn critical(self) -> f64 {
        const T: f64 = 17.0;
        self.freedom + 2.0 * (self.freedom * T).sqrt() + 2.0 * T
    }

    pub fn is_too_much(self) -> bool {
        self.statistic > self.critical()
    }

    /// The excess in standard deviations; 0 if all outcomes are counted together.
    pub fn deviation(self) -> f64 {
        if self.freedom == 0.0 {
            return 0.0;
        }
        (self.statistic - self.freedom) / (2.0 * self.freedom).sqrt()
    }
}

impl<G: GameState> RandomFair<G> {
    pub fn new() -> Self {
        RandomFair { rng: None, sum: Excess::default(), draws: 0, sampled: Vec::new(), worst: None }
    }
}

impl<G: GameState> Rule<G> for RandomFair<G> {
    fn step(&mut self, site: &mut Site<'_, G>) -> Result<(), Breach> {
        let wanted = match site.part {
            // Half of the draws are for the states of games.
            Part::BreadthFirst => self.sampled.len() < FIRST && self.draws < DRAWS / 2,
            Part::Game => site.one_in(6),
            Part::Shortening => false,
        };
        if !wanted || self.draws >= DRAWS {
            return Ok(());
        }
        let rng = self.rng.get_or_insert_with(|| Rng::seeded(site.rng.bits()));
        if let Some(sample) = sample(site.walk, EXPECTED, rng, site.probe)? {
            self.sum.statistic += sample.excess.statistic;
            self.sum.freedom += sample.excess.freedom;
            self.draws += sample.draws;
            self.sampled.push(site.walk.clone());
            if self.worst.as_ref().is_none_or(|(worst, ..)| worst.deviation() < sample.excess.deviation()) {
                self.worst = Some((sample.excess, site.walk.clone(), sample.text));
            }
        }
        Ok(())
    }

    /// A line that is being shortened is judged by its last state alone.
    fn end(&mut self, site: &mut Site<'_, G>) -> Result<(), Breach> {
        if site.part != Part::Shortening {
            return Ok(());
        }
        match sample(site.walk, EXPECTED_OF_ONE, &mut site.rng, site.probe)? {
            Some(sample) if sample.excess.is_too_much() => broken(sample.text),
            _ => Ok(()),
        }
    }

    fn finish(&mut self, probe: &Probe) -> Result<(), (Walk<G>, Breach)> {
        if !self.sum.is_too_much() {
            return Ok(());
        }
        let lengths: Vec<usize> = self.sampled.iter().map(Walk::len).collect();
        let order = order_of(&lengths);
        // The first state that is significant by itself; with more draws, smaller faults are significant.
        for expected in [EXPECTED_OF_ONE, 10.0 * EXPECTED_OF_ONE] {
            for walk in order.iter().take(50).map(|&number| &self.sampled[number]) {
                let sample = sample(walk, expected, &mut Rng::seeded(0), probe)
                    .map_err(|breach| (walk.clone(), breach))?;
                if let Some(sample) = sample.filter(|sample| sample.excess.is_too_much()) {
                    return Err((walk.clone(), Breach::new(sample.text)));
                }
            }
        }
        let Some((_, walk, text)) = self.worst.take() else { return Ok(()) };
        let (statistic, critical) = (self.sum.statistic, self.sum.critical());
        let states = self.sampled.len();
        let what = format!(
            "{text}; over {states} states, chi-squared is {statistic:.0}, but at most {critical:.0} if all \
             are fair. This is the state that deviates the most"
        );
        Err((walk, Breach::new(what)))
    }
}

struct Sample {
    excess: Excess,
    draws: usize,
    text: String,
}

/// Draws in the last state of a line; `None` if there is no choice, or if another law is broken.
fn sample<G: GameState>(
    walk: &Walk<G>,
    expected: f64,
    rng: &mut Rng,
    probe: &Probe,
) -> Result<Option<Sample>, Breach> {
    let look = &walk.last().look;
    let weights = match look.turn {
        Turn::Chance => look.probabilities.clone(),
        _ => vec![1.0 / look.actions.len() as f64; look.actions.len()],
    };
    let mut groups: Vec<usize> = (0..weights.len()).map(|place| place % APART).collect();
    if weights.len() > APART {
        rng.shuffle(&mut groups);
    }
    let mut probabilities = vec![0.0; weights.len().min(APART)];
    for (&group, weight) in groups.iter().zip(&weights) {
        probabilities[group] += weight;
    }
    let least = probabilities.iter().copied().fold(1.0, f64::min);
    let total: f64 = probabilities.iter().sum();
    if look.actions.len() < 2 || least.is_nan() || least <= 0.0 || (total - 1.0).abs() > 1e-3 {
        return Ok(None);
    }
    // Very unlikely outcomes would need too many draws, and are counted together.
    let draws = (expected / least).min(20.0 * expected * probabilities.len() as f64).ceil() as usize;
    let mut drawn = vec![0u32; probabilities.len()];
    for _ in 0..draws {
        let action = probe.draw(&walk.last().state, look.turn, rng)?;
        let place = action.and_then(|action| look.actions.iter().position(|listed| *listed == action));
        match place {
            Some(place) => drawn[groups[place]] += 1,
            None => return Ok(None),
        }
    }
    let counts =
        drawn.iter().map(|&count| f64::from(count)).zip(probabilities.iter().map(|p| p * draws as f64));
    let excess = pearson(counts.clone(), expected);
    let mut counts = Vec::from_iter(counts.enumerate());
    let which = if counts.len() > SHOWN {
        let excess = |(found, expected): (f64, f64)| (found - expected) * (found - expected) / expected;
        counts.sort_by(|&(_, one), &(_, other)| excess(other).total_cmp(&excess(one)));
        counts.truncate(SHOWN);
        "; these deviate most"
    } else {
        ""
    };
    let counts = list_by(&counts, |&(group, (count, expected))| {
        let first = groups.iter().position(|&of| of == group).unwrap_or(0);
        format!("{:?} {count} ({expected:.0})", look.actions[first])
    });
    let (method, fair) = match look.turn {
        Turn::Chance => ("`random_outcome`", "by its probability"),
        _ => ("`random_action`", "equally often"),
    };
    let together = if look.actions.len() > APART {
        format!(", in {APART} random groups, each named by its first action")
    } else {
        String::new()
    };
    let text = format!(
        "{method} does not draw each action {fair}; counts in {draws} draws (expected counts in brackets){together}{which}: \
         {counts}"
    );
    Ok(Some(Sample { excess, draws, text }))
}

/// Computes the statistic of pairs of counts, observed and expected. Those with an expected count below
/// `least` are merged.
pub(super) fn pearson(counts: impl Iterator<Item = (f64, f64)>, least: f64) -> Excess {
    let (mut rest, mut cells) = ((0.0, 0.0), Vec::new());
    for (found, expected) in counts {
        if expected < least * 0.999 {
            rest = (rest.0 + found, rest.1 + expected);
        } else {
            cells.push((found, expected));
        }
    }
    if rest.1 > 0.0 && rest.1 < least {
        let smallest = (0..cells.len()).min_by(|&one, &other| cells[one].1.total_cmp(&cells[other].1));
        let (found, expected) = smallest.map_or((0.0, 0.0), |place| cells.swap_remove(place));
        rest = (rest.0 + found, rest.1 + expected);
    }
    if rest.1 > 0.0 {
        cells.push(rest);
    }
    let statistic =
        cells.iter().map(|(found, expected)| (found - expected) * (found - expected) / expected).sum();
    Excess { statistic, freedom: cells.len().saturating_sub(1) as f64 }
}

#[cfg(test)]
mod tests {
    use super::{Excess, pearson};
    use ramure::Rng;

    /// The statistic of `states` states with outcomes of these probabilities, each with as many draws as the
    /// rarest outcome needs.
    fn simulated(probabilities: &[f64], states: usize, rng: &mut Rng) -> Excess {
        let least = probabilities.iter().copied().fold(1.0, f64::min);
        let draws = (50.0 / least).ceil();
        let mut sum = Excess::default();
        for _ in 0..states {
            let mut counts = vec![0.0; probabilities.len()];
            for _ in 0..draws as usize {
                let mut rest = rng.unit();
                let place = probabilities.iter().position(|p| {
                    rest -= p;
                    rest < 0.0
                });
                counts[place.unwrap_or(0)] += 1.0;
            }
            let expected = probabilities.iter().map(|p| p * draws);
            let excess = pearson(counts.iter().copied().zip(expected), 50.0);
            sum.statistic += excess.statistic;
            sum.freedom += excess.freedom;
        }
        sum
    }

    /// The same bound with t = ln 100 must be exceeded in fewer than one run of a hundred. If it were
    /// exceeded in exactly one, 40 or more of 2000 runs would occur with a probability below 1e-4, and 16 or
    /// more of 500 as well.
    #[test]
    fn the_critical_value_is_on_the_safe_side() {
        let (runs, too_many) = crate::sized((500, 16), (2_000, 40));
        let mut rng = Rng::seeded(1);
        for (probabilities, states) in
            [(&[0.1, 0.9][..], 1), (&[0.1, 0.9], 8), (&[0.25; 4], 2), (&[0.05, 0.2, 0.75], 3)]
        {
            let exceeded = (0..runs).filter(|_| {
                let Excess { statistic, freedom } = simulated(probabilities, states, &mut rng);
                let t = 4.605; // ln 100
                statistic > freedom + 2.0 * (freedom * t).sqrt() + 2.0 * t
            });
            assert!(exceeded.count() < too_many, "{probabilities:?}");
        }
    }

    #[test]
    fn rare_outcomes_are_counted_together() {
        let excess = pearson([(60.0, 50.0), (3.0, 2.0), (1.0, 1.0), (90.0, 100.0)].into_iter(), 50.0);
        // The two rare outcomes have an expected count of 3, which is too few, so the smallest of the others
        // joins them: 64 where 53 were expected.
        assert_eq!(excess.freedom, 1.0);
        assert!((excess.statistic - (121.0 / 53.0 + 1.0)).abs() < 1e-9, "{excess:?}");
    }
}
