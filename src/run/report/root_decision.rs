//! The root decision: chooses the action to play from the statistics of the root's children.
//! `search/build_report.rs` asks the tree policy first.

use crate::game::Rng;
use crate::math;
use crate::parameter::ParameterError;
use crate::run::report::ActionReport;
use smallvec::SmallVec;

/// Which action to play at the end of a search.
///
/// Proofs take precedence. A proven win is played, and a proven loss is avoided. Any other proven action is
/// played if its [worth](crate::ActionReport::worth) exceeds the mean of the favourite among the unproven
/// actions. Of several proven actions, the one with the greatest worth is played, and of these the most
/// visited: in a lost position often the one that took the longest to refute.
///
/// Actions that are equal in all that counts are drawn with equal probabilities. The same seed and the same
/// tree give the same action.
///
/// **Source:** robust, max, robust-max and secure child: Chaslot et al., *Progressive Strategies for
/// Monte-Carlo Tree Search*, 2008, section 2, where the robust-max child has no limit on the extra search;
/// temperature: Silver et al., *Mastering the game of Go without human knowledge*, 2017, "Play"; within:
/// Leela Chess Zero, `TempValueCutoff`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub enum RootDecision {
    /// The action with the most visits. Ties go to the greater prior, then to the greater mean, and then by
    /// the seed. The default.
    #[default]
    Robust,
    /// The action with the greatest mean. Ties go to the most visits, then to the greater prior, and then by
    /// the seed.
    Max,
    /// The action with both the greatest mean and the most visits. If these are two different actions when
    /// the budget ends, the search continues until they agree. The search exceeds the iterations and the time
    /// of the budget by at most this share, which is at least 0 (1 doubles the budget). If the two still
    /// differ then, the choice is the action with the most visits. Ties go to the greater mean, then to the
    /// greater prior, and then by the seed.
    MaxRobust(f32),
    /// The action with the greatest lower confidence bound `Q - A / sqrt(n)`, with this `A`, at least 0, in
    /// the units of the report.
    Secure(f32),
    /// A random action, with probability proportional to `n^(1/T)`, with this `T`, above 0. This gives
    /// variety, as in self-play. The same tree gives the same action; another seed gives another draw. Small
    /// temperatures approach [`RootDecision::Robust`]. With 1, the probabilities are the
    /// [shares of the visits](crate::Report::visit_shares).
    Temperature(f32),
    /// A random action, with probability proportional to `n`, among those whose mean is at least that of
    /// [`RootDecision::Robust`] less this margin, at least 0, in the units of the report. So an agent plays
    /// several good actions and no bad one. The same tree gives the same action; another seed gives another
    /// draw.
    Within(f32),
    /// A random action, drawn from the [improved policy](crate::selection::TreePolicy::improved_policy) of
    /// the tree policy, or, if there is none, the choice of [`RootDecision::Robust`]. This plays the mixed
    /// strategy of a policy that has one. The same tree gives the same action; another seed gives another
    /// draw.
    Mixed,
}

impl RootDecision {
    /// Checks the parameters, as a run does.
    ///
    /// # Errors
    ///
    /// Returns the first parameter that is out of its range.
    pub fn check(self) -> Result<(), ParameterError> {
        match self {
            RootDecision::Robust | RootDecision::Max | RootDecision::Mixed => Ok(()),
            RootDecision::MaxRobust(share) => {
                let fits = (0.0..f32::INFINITY).contains(&share);
                ParameterError::unless(
                    fits,
                    "RootDecision::MaxRobust",
                    f64::from(share),
                    "finite and at least 0",
                )
            }
            RootDecision::Secure(a) => {
                let fits = (0.0..f32::INFINITY).contains(&a);
                ParameterError::unless(fits, "RootDecision::Secure", f64::from(a), "finite and at least 0")
            }
            RootDecision::Temperature(t) => {
                let fits = t > 0.0 && t < f32::INFINITY;
                ParameterError::unless(fits, "RootDecision::Temperature", f64::from(t), "finite and above 0")
            }
            RootDecision::Within(margin) => {
                let fits = (0.0..f32::INFINITY).contains(&margin);
                ParameterError::unless(
                    fits,
                    "RootDecision::Within",
                    f64::from(margin),
                    "finite and at least 0",
                )
            }
        }
    }

    /// Returns the decision for means in [0, 1], where `unit` is what a reward of 1 is in the units of the
    /// report.
    pub(crate) fn in_rewards(self, unit: f32) -> Self {
        match self {
            RootDecision::Secure(a) => RootDecision::Secure(a / unit),
            RootDecision::Within(margin) => RootDecision::Within(margin / unit),
            other => other,
        }
    }

    /// Returns the index of the favourite among the `open` actions, given by their indices. `rng` makes the
    /// random decisions, and `ties` draws among equal actions.
    fn favourite(
        self,
        actions: &[ActionReport<()>],
        open: &[usize],
        rng: &mut Rng,
        ties: &mut Rng,
    ) -> Option<usize> {
        let mut greatest = |key: &dyn Fn(&ActionReport<()>) -> [f64; 3]| {
            ties.greatest(open.iter().copied(), |index| key(&actions[index]))
        };
        let visits = |action: &ActionReport<()>| f64::from(action.visits);
        let prior = |action: &ActionReport<()>| f64::from(action.prior.unwrap_or(0.0));
        let mean = |action: &ActionReport<()>| f64::from(action.mean);
        let robust = |action: &ActionReport<()>| [visits(action), prior(action), mean(action)];
        match self {
            RootDecision::Robust => greatest(&robust),
            // Of several actions with the most visits, the run has waited for one with the greatest mean.
            RootDecision::MaxRobust(_) => greatest(&|action| [visits(action), mean(action), prior(action)]),
            RootDecision::Max => greatest(&|action| [mean(action), visits(action), prior(action)]),
            RootDecision::Secure(a) => greatest(&|action| {
                let bound = if action.visits == 0 {
                    f64::MIN
                } else {
                    mean(action) - f64::from(a) / visits(action).sqrt()
                };
                [bound, visits(action), prior(action)]
            }),
            RootDecision::Mixed => {
                let share = |index: &usize| actions[*index].improved_policy.map_or(0.0, f64::from);
                draw(open, share, rng).or_else(|| greatest(&robust))
            }
            RootDecision::Temperature(t) => {
                let most = open.iter().map(|&index| visits(&actions[index])).fold(0.0, f64::max);
                if most == 0.0 {
                    return greatest(&robust);
                }
                let weight = |index: &usize| math::pow(visits(&actions[*index]) / most, 1.0 / f64::from(t));
                draw(open, weight, rng).or_else(|| greatest(&robust))
            }
            RootDecision::Within(margin) => {
                let first = greatest(&robust)?;
                let least = mean(&actions[first]) - f64::from(margin);
                let weight = |index: &usize| {
                    let action = &actions[*index];
                    if mean(action) >= least { visits(action) } else { 0.0 }
                };
                draw(open, weight, rng).or(Some(first))
            }
        }
    }

    /// Returns the index of the action to play. Proofs take precedence, and then the first unproven action
    /// that `is_chosen` by the tree policy. `rng` makes the random decisions, and `ties` draws among equal
    /// actions.
    pub(crate) fn decide(
        self,
        actions: &[ActionReport<()>],
        rng: &mut Rng,
        ties: &mut Rng,
        is_chosen: &dyn Fn(usize) -> bool,
    ) -> Option<usize> {
        proofs_first(actions, ties, &mut |open, ties| {
            let chosen = open.iter().copied().find(|&index| is_chosen(index));
            chosen.or_else(|| self.favourite(actions, open, rng, ties))
        })
    }
}

/// Draws one of `open` with probability proportional to its weight. Returns `None` if no weight is above 0.
fn draw(open: &[usize], weight: impl Fn(&usize) -> f64, rng: &mut Rng) -> Option<usize> {
    let mut left = rng.unit() * open.iter().map(&weight).sum::<f64>();
    open.iter().copied().find(|index| {
        left -= weight(index);
        left < 0.0
    })
}

/// Returns the index of the action to play. Proofs take precedence; `favourite` chooses among the unproven
/// actions, and `ties` draws among equal ones.
fn proofs_first(
    actions: &[ActionReport<()>],
    ties: &mut Rng,
    favourite: &mut dyn FnMut(&[usize], &mut Rng) -> Option<usize>,
) -> Option<usize> {
    let proven = |index: &usize| actions[*index].proof;
    let all = 0..actions.len();
    let key = |index: usize| (actions[index].worth, actions[index].proof, actions[index].visits);
    let won = ties.greatest(all.clone().filter(|index| proven(index) == Some(1.0)), key);
    if won.is_some() {
        return won;
    }
    let best_proven = ties.greatest(all.clone().filter(|index| proven(index).is_some()), key);
    let Some(favourite) = favourite(&open_actions(actions), ties) else { return best_proven };
    let is_better = |index: &usize| is_preferred(&actions[*index], actions[favourite].mean, false);
    best_proven.filter(is_better).or(Some(favourite))
}

/// Returns the indices of the actions that proofs leave open: those neither proven nor pruned, or all if each
/// is pruned.
pub(super) fn open_actions(actions: &[ActionReport<()>]) -> SmallVec<[usize; 32]> {
    let is_open = |index: &usize| actions[*index].proof.is_none() && !actions[*index].is_pruned;
    let mut open: SmallVec<[usize; 32]> = (0..actions.len()).filter(is_open).collect();
    if open.is_empty() && actions.iter().all(|action| action.proof.is_none()) {
        open.extend(0..actions.len());
    }
    open
}

/// Returns whether a proven action is played rather than an open one with this mean. A loss is not, unless
/// `has_no_losses` says that the worst proof is none.
pub(super) fn is_preferred(proven: &ActionReport<()>, mean: f32, has_no_losses: bool) -> bool {
    (has_no_losses || proven.proof > Some(0.0)) && proven.worth > Some(mean)
}

/// How the root decision stands among the unproven children.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RootLead {
    /// The lead in visits of the most visited child over the next; `u64::MAX` if there is only one action.
    pub lead: u64,
    /// Whether the most visited child also has the greatest mean.
    pub agrees: bool,
}

impl RootLead {
    /// Computes the standing from the visits and means of the children. `more` says that not all children are
    /// listed.
    pub fn of(children: &[(u32, f32)], more: bool) -> Option<Self> {
        let first = children.iter().map(|&(visits, _)| visits).max()?;
        let greatest = children.iter().filter(|child| child.0 > 0).map(|child| child.1).fold(0.0, f32::max);
        let is_first = |child: &&(u32, f32)| child.0 == first;
        let second = children.iter().map(|&(visits, _)| visits).filter(|&visits| visits < first).max();
        let lead = match (children.iter().filter(is_first).count(), second) {
            (1, None) if !more => u64::MAX,
            (1, second) => u64::from(first - second.unwrap_or(0)),
            _ => 0,
        };
        Some(RootLead { lead, agrees: children.iter().any(|child| is_first(&child) && child.1 >= greatest) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An action with these visits and this mean.
    fn action(visits: u32, mean: f32) -> ActionReport<()> {
        ActionReport {
            action: (),
            visits,
            mean,
            proof: None,
            worth: None,
            prior: None,
            improved_policy: None,
            interval: (0.0, 1.0),
            is_pruned: false,
        }
    }

    fn with_prior(visits: u32, mean: f32, prior: f32) -> ActionReport<()> {
        ActionReport { prior: Some(prior), ..action(visits, mean) }
    }

    fn proven(visits: u32, proof: f32, worth: f32) -> ActionReport<()> {
        ActionReport { proof: Some(proof), worth: Some(worth), ..action(visits, worth) }
    }

    /// Returns the favourite, which must be the same for all seeds.
    fn favourite(decision: RootDecision, actions: &[ActionReport<()>]) -> Option<usize> {
        let all = Vec::from_iter(0..actions.len());
        let by = |seed| decision.favourite(actions, &all, &mut Rng::seeded(1), &mut Rng::seeded(seed));
        let first = by(0);
        assert!((1..20).all(|seed| by(seed) == first), "{decision:?}");
        first
    }

    #[test]
    fn equal_actions_are_drawn_with_equal_probabilities() {
        let twice = [action(5, 0.5), action(5, 0.2), action(5, 0.5), action(5, 0.5)];
        let won = [proven(5, 1.0, 1.0), proven(3, 1.0, 1.0), proven(5, 1.0, 1.0), proven(5, 1.0, 1.0)];
        for decision in [RootDecision::Robust, RootDecision::Max, RootDecision::Secure(1.0)] {
            for actions in [&twice, &won] {
                let mut counts = [0_u32; 4];
                let mut ties = Rng::seeded(7);
                for _ in 0..3_000 {
                    let mut rng = Rng::seeded(1);
                    let chosen = proofs_first(actions, &mut ties, &mut |open, ties| {
                        decision.favourite(actions, open, &mut rng, ties)
                    });
                    counts[chosen.expect("there are actions")] += 1;
                }
                // Six standard errors of 1000 +- 26: a false alarm has a probability of 2e-9 for each count.
                assert!(
                    counts[1] == 0 && [0, 2, 3].iter().all(|&index| counts[index].abs_diff(1_000) < 156),
                    "{counts:?}"
                );
            }
        }
    }

    #[test]
    fn favourites_follow_their_definitions() {
        let robust = |actions: &[_]| favourite(RootDecision::Robust, actions);
        assert_eq!(robust(&[]), None);
        assert_eq!(robust(&[action(3, 0.9), action(5, 0.1), action(4, 1.0)]), Some(1));
        assert_eq!(robust(&[action(5, 0.1), action(5, 0.2), action(5, 0.1)]), Some(1));
        assert_eq!(robust(&[with_prior(5, 0.9, 0.1), with_prior(5, 0.1, 0.2)]), Some(1));
        // It has both the most visits and the greatest mean.
        let both = [with_prior(5, 0.6, 0.4), with_prior(5, 0.9, 0.3), with_prior(4, 0.9, 0.5)];
        assert_eq!(favourite(RootDecision::MaxRobust(0.5), &both), Some(1));
        let max = |actions: &[_]| favourite(RootDecision::Max, actions);
        assert_eq!(max(&[action(3, 0.9), action(5, 0.1), action(4, 0.9), action(3, 0.9)]), Some(2));
        assert_eq!(max(&[with_prior(5, 0.9, 0.1), with_prior(5, 0.9, 0.2)]), Some(1));
        let secure = |a, actions: &[_]| favourite(RootDecision::Secure(a), actions);
        // 0.9 - 1 / 2 is less than 0.75 - 1 / 4, and 1 - 1 is less than both.
        let three = [action(4, 0.9), action(16, 0.75), action(1, 1.0)];
        assert_eq!([0.0, 0.5, 1.0].map(|a| secure(a, &three)), [Some(2), Some(0), Some(1)]);
        // An unvisited action has no bound, however far below 0 the other bounds are.
        assert_eq!(secure(1e30, &[action(0, 1.0), action(1, 0.0), action(4, 0.0)]), Some(2));
        assert_eq!(secure(1.0, &[action(0, 1.0), action(1, 0.0)]), Some(1));
        assert_eq!(secure(0.0, &[action(4, 0.5), action(5, 0.5), action(4, 0.5)]), Some(1));
    }

    #[test]
    fn a_temperature_draws_open_actions_by_powers_of_their_visits() {
        let actions = [action(30, 0.5), action(10, 0.5), action(99, 0.5), action(0, 0.5), action(20, 0.5)];
        let (open, mut rng) = ([0, 1, 3, 4], Rng::seeded(1));
        for (t, powers) in [(1.0, [30.0, 10.0, 0.0, 0.0, 20.0]), (0.5, [900.0, 100.0, 0.0, 0.0, 400.0])] {
            let mut counts = [0.0; 5];
            for _ in 0..20_000 {
                let drawn =
                    RootDecision::Temperature(t).favourite(&actions, &open, &mut rng, &mut Rng::seeded(2));
                counts[drawn.expect("some are open")] += 1.0;
            }
            let sum = powers.iter().sum::<f64>();
            for (count, power) in counts.into_iter().zip(powers) {
                // Six standard errors: a false alarm has a probability of 2e-9 for each count.
                let p = power / sum;
                assert!(
                    (count - 20_000.0 * p).abs() <= 6.0 * (20_000.0 * p * (1.0 - p)).sqrt(),
                    "{counts:?}"
                );
            }
        }
        let once = [action(1, 0.9), action(1, 0.1)];
        let drawn = (0..100)
            .map(|_| RootDecision::Temperature(1.0).favourite(&once, &[0, 1], &mut rng, &mut Rng::seeded(2)));
        // Both actions are drawn; the probability that one of them is not is 2^-99.
        assert_eq!(std::collections::BTreeSet::from_iter(drawn).len(), 2);
        // (999 / 1000)^100 is .9. If the visits were not divided by the greatest, the powers would overflow,
        // and the action with the most visits would be played each time; the probability of this is 2e-28.
        let many = [action(1_000, 0.5), action(999, 0.5)];
        let drawn = (0..100).map(|_| {
            RootDecision::Temperature(0.01).favourite(&many, &[0, 1], &mut rng, &mut Rng::seeded(2))
        });
        assert_eq!(std::collections::BTreeSet::from_iter(drawn).len(), 2);
        // Without any visits, the choice is that of `Robust`.
        let unvisited = [with_prior(0, 0.0, 0.2), with_prior(0, 0.0, 0.5), with_prior(0, 0.0, 0.3)];
        for _ in 0..20 {
            assert_eq!(favourite(RootDecision::Temperature(1.0), &unvisited), Some(1));
        }
    }

    #[test]
    fn a_margin_draws_the_good_actions_by_their_visits() {
        let actions = [action(30, 0.5), action(10, 0.46), action(20, 0.44), action(0, 0.0), action(5, 0.9)];
        let (open, mut rng, mut counts) = ([0, 1, 2, 3, 4], Rng::seeded(1), [0.0_f64; 5]);
        for _ in 0..20_000 {
            let drawn = RootDecision::Within(0.05).favourite(&actions, &open, &mut rng, &mut Rng::seeded(2));
            counts[drawn.expect("some are open")] += 1.0;
        }
        for (count, visits) in counts.into_iter().zip([30.0_f64, 10.0, 0.0, 0.0, 5.0]) {
            // Six standard errors: a false alarm has a probability of 2e-9 for each count.
            let p = visits / 45.0;
            assert!((count - 20_000.0 * p).abs() <= 6.0 * (20_000.0 * p * (1.0 - p)).sqrt(), "{counts:?}");
        }
        // Without a margin, only actions that are at least as good as the most visited one; without visits,
        // the choice of `Robust`.
        assert_eq!(favourite(RootDecision::Within(0.0), &actions[..4]), Some(0));
        assert_eq!(
            favourite(RootDecision::Within(1.0), &[with_prior(0, 0.0, 0.2), with_prior(0, 0.0, 0.5)]),
            Some(1)
        );
    }

    #[test]
    fn proofs_take_precedence_according_to_their_worth() {
        let decide = |actions: &[ActionReport<()>]| {
            let mut shown = Vec::new();
            let chosen = proofs_first(actions, &mut Rng::seeded(2), &mut |open, _| {
                shown = open.to_vec();
                open.iter().copied().max_by_key(|&index| actions[index].visits)
            });
            (chosen, shown)
        };
        let pruned = |visits| ActionReport { is_pruned: true, ..action(visits, 0.9) };
        // A proven win is played: the one with the greatest worth.
        assert_eq!(decide(&[action(9, 0.9), proven(1, 1.0, 0.8), proven(1, 1.0, 0.9)]).0, Some(2));
        assert_eq!(decide(&[action(9, 0.9), proven(2, 1.0, 0.9), proven(1, 1.0, 0.9)]).0, Some(1));
        // A proven draw is played if its worth exceeds the mean of the favourite, whatever its proof says.
        assert_eq!(decide(&[action(9, 0.4), proven(1, 0.5, 0.5)]), (Some(1), vec![0]));
        assert_eq!(decide(&[action(9, 0.5), proven(1, 0.5, 0.5)]), (Some(0), vec![0]));
        assert_eq!(decide(&[action(9, 0.6), proven(1, 0.5, 0.5)]).0, Some(0));
        assert_eq!(decide(&[action(9, 0.6), proven(1, 0.5, 0.7)]).0, Some(1));
        assert_eq!(decide(&[action(9, 0.4), proven(1, 0.5, 0.3)]).0, Some(0));
        // A proven loss is never played if another action is open.
        assert_eq!(decide(&[action(9, 0.1), proven(1, 0.0, 0.2)]).0, Some(0));
        assert_eq!(decide(&[proven(1, 0.0, 0.1), proven(1, 0.0, 0.2)]), (Some(1), vec![]));
        assert_eq!(decide(&[proven(1, 0.0, 0.5), proven(1, 0.25, 0.5)]).0, Some(1));
        assert_eq!(decide(&[proven(1, 0.0, 0.5), proven(2, 0.0, 0.5)]).0, Some(1));
        // A pruned action is played only if there is no other.
        assert_eq!(decide(&[pruned(9), action(2, 0.1), proven(9, 0.0, 0.0)]), (Some(1), vec![1]));
        assert_eq!(decide(&[pruned(9), proven(9, 0.25, 0.25)]), (Some(1), vec![]));
        assert_eq!(decide(&[pruned(1), pruned(2)]), (Some(1), vec![0, 1]));
        assert_eq!(decide(&[]), (None, vec![]));
    }

    #[test]
    fn a_root_lead_has_the_lead_in_visits_and_whether_the_means_agree() {
        let of = |children: &[(u32, f32)], more| {
            RootLead::of(children, more).map(|standing| (standing.lead, standing.agrees))
        };
        assert_eq!(of(&[], false), None);
        assert_eq!(of(&[(7, 0.5)], false), Some((u64::MAX, true)));
        assert_eq!(of(&[(7, 0.5)], true), Some((7, true)));
        assert_eq!(of(&[(7, 0.5), (4, 0.25), (1, 0.25)], false), Some((3, true)));
        assert_eq!(of(&[(4, 0.25), (7, 0.5)], true), Some((3, true)));
        assert_eq!(of(&[(7, 0.5), (4, 0.75)], false), Some((3, false)));
        assert_eq!(of(&[(7, 0.5), (4, 0.5)], false), Some((3, true)));
        assert_eq!(of(&[(7, 0.5), (7, 0.25), (1, 0.1)], false), Some((0, true)));
        assert_eq!(of(&[(7, 0.5), (7, 0.25), (1, 0.75)], false), Some((0, false)));
        // An unvisited child has no mean.
        assert_eq!(of(&[(7, 0.5), (0, 0.75)], false), Some((7, true)));
        assert_eq!(of(&[(1, 0.0), (0, 0.0)], true), Some((1, true)));
    }
}
