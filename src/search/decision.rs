//! The final decision: which action to play, from the statistics of the root's children.

use super::report::ActionReport;
use crate::game::Rng;
use crate::math;
use crate::parameter::ParameterError;
use smallvec::SmallVec;

/// Which action to play in the end. Proofs go first: a proven win is taken, a proven loss avoided, any other proven action taken
/// if it is [worth](crate::ActionReport::worth) more than the mean of the favourite among the open actions. Of proven actions
/// the one that is worth the most is taken.
///
/// **Source:** robust, max, robust-max and secure child: Chaslot et al., *Progressive Strategies for Monte-Carlo Tree Search*, 2008,
/// section 2, where the robust-max child has no limit of patience; temperature: Silver et al., *Mastering the game of Go without human knowledge*, 2017, "Play".
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub enum RootDecision {
    /// The most visits; among equals the greater prior, then the greater mean, then the first. The default.
    #[default]
    Robust,
    /// The greatest mean; among equals the most visits.
    Max,
    /// The greatest mean and the most visits in one: if the budget ends while these are two actions, the search goes on until they
    /// are one, beyond the budget of iterations and of time by this share of it at most, at least 0 (1 doubles it); after that,
    /// as [`RootDecision::Robust`].
    MaxRobust(f32),
    /// The greatest lower confidence bound, `Q - A / sqrt(n)`, with this `A`, at least 0.
    Secure(f32),
    /// Drawn at random, each with a probability in proportion to `n^(1/T)`, with this `T`, above 0: for variety, as in
    /// self-play. The same for the same tree; another seed draws another. Small temperatures come close to [`RootDecision::Robust`].
    Temperature(f32),
}

impl RootDecision {
    pub(crate) fn check(self) -> Result<(), ParameterError> {
        match self {
            RootDecision::Robust | RootDecision::Max => Ok(()),
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
        }
    }

    /// The index of the favourite among the actions that are `open`, a list of indices.
    pub(super) fn favourite<A>(
        self,
        actions: &[ActionReport<A>],
        open: &[usize],
        rng: &mut Rng,
    ) -> Option<usize> {
        let greatest =
            |key: &dyn Fn(&ActionReport<A>) -> [f64; 3]| {
                open.iter().copied().reduce(|best, index| {
                    if key(&actions[index]) > key(&actions[best]) { index } else { best }
                })
            };
        let visits = |action: &ActionReport<A>| f64::from(action.visits);
        let prior = |action: &ActionReport<A>| f64::from(action.prior.unwrap_or(0.0));
        let mean = |action: &ActionReport<A>| f64::from(action.mean);
        let robust = |action: &ActionReport<A>| [visits(action), prior(action), mean(action)];
        match self {
            RootDecision::Robust | RootDecision::MaxRobust(_) => greatest(&robust),
            RootDecision::Max => greatest(&|action| [mean(action), visits(action), prior(action)]),
            RootDecision::Secure(a) => greatest(&|action| {
                let bound = if action.visits == 0 {
                    f64::MIN
                } else {
                    mean(action) - f64::from(a) / visits(action).sqrt()
                };
                [bound, visits(action), prior(action)]
            }),
            RootDecision::Temperature(t) => {
                let most = open.iter().map(|&index| visits(&actions[index])).fold(0.0, f64::max);
                if most == 0.0 {
                    return greatest(&robust);
                }
                let weight = |index: usize| math::pow(visits(&actions[index]) / most, 1.0 / f64::from(t));
                let mut left = rng.unit() * open.iter().map(|&index| weight(index)).sum::<f64>();
                open.iter()
                    .copied()
                    .find(|&index| {
                        left -= weight(index);
                        left < 0.0
                    })
                    .or_else(|| greatest(&robust))
            }
        }
    }
}

/// The index of the action to play, if `favourite` finds one among those that are open, and proofs go first.
pub(super) fn proofs_first<A>(
    actions: &[ActionReport<A>],
    favourite: &mut dyn FnMut(&[usize]) -> Option<usize>,
) -> Option<usize> {
    let proven = |index: &usize| actions[*index].proof;
    let all = 0..actions.len();
    let best_of = |proven: &mut dyn Iterator<Item = usize>| {
        proven.reduce(|best, index| {
            let key = |index: usize| (actions[index].worth, actions[index].proof, actions[index].visits);
            if key(index) > key(best) { index } else { best }
        })
    };
    let won = best_of(&mut all.clone().filter(|index| proven(index) == Some(1.0)));
    if won.is_some() {
        return won;
    }
    let best_proven = best_of(&mut all.clone().filter(|index| proven(index).is_some()));
    let is_open = |index: &usize| proven(index).is_none() && !actions[*index].is_shut;
    let mut open: SmallVec<[usize; 32]> = all.clone().filter(is_open).collect();
    if open.is_empty() && best_proven.is_none() {
        open.extend(all);
    }
    let Some(favourite) = favourite(&open) else { return best_proven };
    match best_proven {
        Some(index)
            if actions[index].proof > Some(0.0) && actions[index].worth > Some(actions[favourite].mean) =>
        {
            Some(index)
        }
        _ => Some(favourite),
    }
}

/// How the decision at the root stands: among the children that are not proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Standing {
    /// By how many visits the most visited is ahead of the next; of all, if there is only one action.
    pub lead: u64,
    /// Whether the most visited has the greatest mean.
    pub agrees: bool,
}

impl Standing {
    /// Of children with these visits and means, which may be `more` than are listed.
    pub fn of(children: impl Iterator<Item = (u32, f32)> + Clone, more: bool) -> Option<Self> {
        let first = children.clone().map(|(visits, _)| visits).max()?;
        let greatest = children.clone().filter(|child| child.0 > 0).map(|(_, mean)| mean).fold(0.0, f32::max);
        let is_first = |child: &(u32, f32)| child.0 == first;
        let second = children.clone().map(|(visits, _)| visits).filter(|&visits| visits < first).max();
        let lead = match (children.clone().filter(is_first).count(), second) {
            (1, None) if !more => u64::MAX,
            (1, second) => u64::from(first - second.unwrap_or(0)),
            _ => 0,
        };
        Some(Standing { lead, agrees: children.clone().any(|child| is_first(&child) && child.1 >= greatest) })
    }
}
