//! The part of the choice that each action has at the root: the shares of the visits and the improved policy, as
//! far as proofs leave the choice to them. Compiled once, and not for each game.

use crate::run::report::root_decision::{is_preferred, open_actions};
use crate::run::report::{ActionReport, without_actions};
use smallvec::SmallVec;

type Indices = SmallVec<[usize; 32]>;

/// Returns the share of each action: the probability with which
/// [`RootDecision::Temperature`](crate::RootDecision::Temperature) of 1 plays it. But if several proven
/// actions are the best, they share by their visits. All are 0 before the first visit and the first proof.
/// `has_wins` says whether a proof of 1 is a win, so that nothing can be better.
pub(super) fn by_visits(actions: &[ActionReport<()>], has_wins: bool) -> Vec<f32> {
    let visits = |index: usize| f64::from(actions[index].visits);
    let mut shares = vec![0.0; actions.len()];
    let best = best_proven(actions, has_wins);
    let open = if has_wins && is_won(actions, &best) { Indices::new() } else { open_actions(actions) };
    let Some(&proven) = best.first() else {
        let total: f64 = open.iter().map(|&index| visits(index)).sum();
        if total > 0.0 {
            distribute(1.0, &open, &visits, &mut shares);
        }
        return rounded(shares);
    };
    // If no reward counts as a win, none counts as a loss, so only the worth decides.
    let is_worse = |index: usize| is_preferred(&actions[proven], actions[index].mean, !has_wins);
    let (worse, better): (Indices, Indices) = open.iter().copied().partition(|&index| is_worse(index));
    let [lost, kept] = [&worse, &better].map(|part| part.iter().map(|&index| visits(index)).sum::<f64>());
    let whole =
        if lost + kept > 0.0 { kept / (lost + kept) } else { f64::from(u8::from(!better.is_empty())) };
    distribute(whole, &better, &visits, &mut shares);
    distribute(1.0 - whole, &best, &visits, &mut shares);
    rounded(shares)
}

/// Lets an improved policy follow the proofs, where rewards are in [0, 1]: proven wins have all of it; losses
/// and pruned actions have none while others are left. Other proven actions count by their worth already.
/// Without an improved policy, it does nothing.
pub(crate) fn correct_improved<A>(actions: &mut [ActionReport<A>]) {
    let has_proof = |action: &ActionReport<A>| action.proof.is_some() || action.is_pruned;
    if actions.first().is_none_or(|first| first.improved_policy.is_none()) || !actions.iter().any(has_proof) {
        return;
    }
    let entries = without_actions(actions);
    let best = best_proven(&entries, true);
    let mut left = if is_won(&entries, &best) { Indices::new() } else { open_actions(&entries) };
    if left.is_empty() {
        left = best;
    } else {
        left.extend((0..entries.len()).filter(|&index| entries[index].proof > Some(0.0)));
    }
    let weight = |index: usize| entries[index].improved_policy.map_or(0.0, f64::from);
    let mut shares = vec![0.0; entries.len()];
    distribute(1.0, &left, &weight, &mut shares);
    for (action, share) in actions.iter_mut().zip(rounded(shares)) {
        action.improved_policy = Some(share);
    }
}

/// Returns the proven actions of the greatest worth, and of these the ones of the greatest proof. But wins
/// come first, if there are wins.
fn best_proven(actions: &[ActionReport<()>], has_wins: bool) -> Indices {
    let key = |index: &usize| {
        let ActionReport { worth, proof, .. } = actions[*index];
        (has_wins && proof == Some(1.0), worth, proof)
    };
    let proven = (0..actions.len()).filter(|&index| actions[index].proof.is_some());
    let greatest = proven.clone().map(|index| key(&index)).reduce(|a, b| if b > a { b } else { a });
    proven.filter(|index| Some(key(index)) == greatest).collect()
}

/// Returns whether the `best` proven actions are wins.
fn is_won(actions: &[ActionReport<()>], best: &[usize]) -> bool {
    best.first().is_some_and(|&index| actions[index].proof == Some(1.0))
}

/// Gives `whole` to the actions `among`, in proportion to their weights, or in equal parts if these are 0.
fn distribute(whole: f64, among: &[usize], weight: &dyn Fn(usize) -> f64, shares: &mut [f64]) {
    let total: f64 = among.iter().map(|&index| weight(index)).sum();
    for &index in among {
        let part = if total > 0.0 { weight(index) / total } else { 1.0 / among.len() as f64 };
        shares[index] = whole * part;
    }
}

fn rounded(shares: Vec<f64>) -> Vec<f32> {
    shares.into_iter().map(|share| share as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rng;
    use crate::run::report::root_decision::RootDecision;

    /// Draws actions as a search may report them. `kinds` says which kinds of proofs there may be.
    fn actions(rng: &mut Rng, kinds: usize) -> Vec<ActionReport<()>> {
        let count = 1 + rng.below(5);
        let mut all = Vec::new();
        for _ in 0..count {
            // Means and proofs in quarters, so that some are equal.
            let (visits, mean) = (rng.below(9) as u32, rng.below(5) as f32 / 4.0);
            let proof = match rng.below(6).min(kinds) {
                0 | 1 => None,
                2 => Some(0.0),
                3 => Some(0.5),
                4 => Some(1.0),
                _ => Some(0.25),
            };
            let mean = if visits == 0 { 0.0 } else { mean };
            let mut action = ActionReport::new((), visits, mean, proof, Some(0.5));
            // A win late is worth less.
            action.worth = proof.map(|proof| proof * (4 + rng.below(2)) as f32 / 5.0);
            action.is_pruned = proof.is_none() && rng.below(5) == 0;
            all.push(action);
        }
        all
    }

    /// Returns whether two actions are proven and equally good.
    fn are_twins(one: &ActionReport<()>, other: &ActionReport<()>) -> bool {
        one.proof.is_some() && (one.proof, one.worth) == (other.proof, other.worth)
    }

    #[test]
    fn a_share_is_the_probability_with_which_a_temperature_of_one_plays() {
        const DRAWS: u32 = 2_000;
        let (mut rng, mut draws) = (Rng::seeded(1), Rng::seeded(2));
        for case in 0..600 {
            let actions = actions(&mut rng, case % 6);
            let shares = by_visits(&actions, true);
            let is_known = actions.iter().any(|action| action.visits > 0 || action.proof.is_some());
            let sum = shares.iter().sum::<f32>();
            assert!((sum - f32::from(u8::from(is_known))).abs() < 1e-5, "{sum} {actions:?}");
            let mut counts = vec![0; actions.len()];
            for _ in 0..DRAWS {
                let mut ties = Rng::seeded(draws.bits());
                let drawn =
                    RootDecision::Temperature(1.0).decide(&actions, &mut draws, &mut ties, &|_| false);
                counts[drawn.expect("there are actions")] += 1;
            }
            for (index, action) in actions.iter().enumerate().filter(|_| is_known) {
                // The decision plays one of several proven actions that are equally good.
                let with_twins = |of: &dyn Fn(usize) -> f64| {
                    let mut all = of(index);
                    for (other, entry) in actions.iter().enumerate() {
                        if other != index && are_twins(action, entry) {
                            all += of(other);
                        }
                    }
                    all
                };
                let share = with_twins(&|at| shares[at].into());
                let drawn = with_twins(&|at| counts[at].into()) / f64::from(DRAWS);
                // Six standard errors: a false alarm has a probability of 2e-9 for each share.
                let error = 6.0 * (share * (1.0 - share) / f64::from(DRAWS)).max(0.0).sqrt() + 1e-6;
                assert!((share - drawn).abs() <= error, "{shares:?} {counts:?} {actions:?}");
            }
        }
    }

    #[test]
    fn without_proofs_the_shares_are_those_of_the_visits() {
        let of = |visits: &[u32]| {
            let actions =
                Vec::from_iter(visits.iter().map(|&visits| ActionReport::new((), visits, 0.5, None, None)));
            by_visits(&actions, true)
        };
        assert_eq!(of(&[1, 0, 3]), [0.25, 0.0, 0.75]);
        assert_eq!(of(&[0, 0]), [0.0, 0.0]);
        assert_eq!(of(&[]), Vec::new());
        assert_eq!(of(&[u32::MAX, u32::MAX]), [0.5, 0.5]);
    }

    #[test]
    fn equal_proofs_share_by_their_visits() {
        let of = |entries: &[(u32, f32)]| {
            let proven = |&(visits, proof)| ActionReport::new((), visits, 0.5, Some(proof), None);
            by_visits(&Vec::from_iter(entries.iter().map(proven)), true)
        };
        assert_eq!(of(&[(1, 1.0), (9, 0.0), (3, 1.0)]), [0.25, 0.0, 0.75]);
        assert_eq!(of(&[(0, 1.0), (9, 0.5), (0, 1.0)]), [0.5, 0.0, 0.5]);
        // All lose.
        assert_eq!(of(&[(1, 0.0), (3, 0.0)]), [0.25, 0.75]);
        assert_eq!(of(&[(0, 0.0), (0, 0.0)]), [0.5, 0.5]);
    }

    #[test]
    fn a_return_of_a_simulator_is_neither_a_win_nor_a_loss() {
        let of = |proof, mean| {
            let actions = [
                ActionReport::new((), 1, proof, Some(proof), None),
                ActionReport::new((), 3, mean, None, None),
            ];
            [true, false].map(|has_wins| by_visits(&actions, has_wins))
        };
        assert_eq!(of(1.0, 20.0), [[1.0, 0.0], [0.0, 1.0]]);
        assert_eq!(of(-10.0, -20.0), [[0.0, 1.0], [1.0, 0.0]]);
        let proven = [1.0, 20.0].map(|of| ActionReport::new((), 1, of, Some(of), None));
        assert_eq!(by_visits(&proven, false), [0.0, 1.0]);
    }

    #[test]
    fn an_improved_policy_follows_proofs() {
        let of = |entries: &[(f32, Option<f32>)]| {
            let mut actions = Vec::from_iter(entries.iter().map(|&(improved, proof)| ActionReport {
                improved_policy: Some(improved),
                ..ActionReport::new((), 1, 0.5, proof, None)
            }));
            correct_improved(&mut actions);
            Vec::from_iter(actions.iter().map(|action| action.improved_policy.expect("it has one")))
        };
        let (win, draw, loss) = (Some(1.0), Some(0.5), Some(0.0));
        assert_eq!(of(&[(0.25, None), (0.75, None)]), [0.25, 0.75]);
        assert_eq!(of(&[(0.75, None), (0.25, win)]), [0.0, 1.0]);
        assert_eq!(of(&[(0.5, None), (0.125, win), (0.375, win)]), [0.0, 0.25, 0.75]);
        assert_eq!(of(&[(0.25, None), (0.5, loss), (0.25, draw)]), [0.5, 0.0, 0.5]);
        assert_eq!(of(&[(0.75, loss), (0.25, draw)]), [0.0, 1.0]);
        assert_eq!(of(&[(0.75, loss), (0.25, loss)]), [0.75, 0.25]);
        // What is left has no share: one that has no node, for example.
        assert_eq!(of(&[(0.75, loss), (0.25, loss), (0.0, None)]), [0.0, 0.0, 1.0]);
    }
}
