//! The error of an iteration: plays its line a second time, to tell which actions led there.

use crate::backpropagation::Backprop;
use crate::game::{Cause, Rng, take_failure};
use crate::iteration::nodes::can_play;
use crate::iteration::{FedBy, Iterations, LeafOf, Traces};
use crate::simulation::{LONGEST_LINE, Leaf, LeafError, Retraced, RolloutPolicy, shorten_line};
use crate::space::Space;
use crate::space::transpositions::{transformation_of, unstored};

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>
    Iterations<'_, '_, S, P, R, B>
{
    /// Returns the error for what this iteration came to at `leaf`. If that is in a rollout, `rollout` is its
    /// policy and the generator from before.
    #[cold]
    #[inline(never)]
    pub fn error(&self, cause: Cause, leaf: &LeafOf<S, P, R>, rollout: Option<(&R, Rng)>) -> Box<LeafError> {
        let cause = match cause {
            Cause::Fault(fault) => Cause::Fault(S::fault(leaf.state(), fault)),
            Cause::Error(_) => cause,
        };
        let mut again: Leaf<S::Game, Retraced<Traces<S, P, R>>> =
            leaf.again(self.space.root(), |state, rng| {
                let _ = self.space.guess(state, rng); // it did not fail before
            });
        let (mut actions, mut goes_same_way, mut is_mirrored) = (Vec::new(), true, false);
        for step in &self.path.steps()[1..] {
            let stored = step.node().action();
            let transformation = if goes_same_way { transformation_of::<S>(again.state()) } else { 0 };
            let action = unstored::<S>(again.state(), transformation, stored);
            actions.push(format!("{action:?}"));
            // In a game that goes another way this time, an illegal action might panic.
            let is_legal = goes_same_way && can_play::<S>(again.state(), action.clone());
            goes_same_way = is_legal && again.apply(action).is_ok();
            is_mirrored |= transformation != 0;
        }
        if let Some((rollout_policy, mut rng)) = rollout
            && goes_same_way
            && !is_mirrored
            && leaf.ply() > again.ply()
        {
            let _ = rollout_policy.simulate(&mut again, &mut rng);
            if again.ply() == leaf.ply() {
                actions.clone_from(&again.trace().actions);
            }
        }
        if again.ply() < leaf.ply() {
            // Only a line that is known to its end has the full length.
            actions.truncate(LONGEST_LINE - 1);
        }
        actions.truncate(leaf.ply() as usize);
        shorten_line(&mut actions);
        take_failure(); // the game may have failed a second time just now
        LeafError::new(leaf, cause, actions, self.tree.root().visit_count() + 1)
    }
}
