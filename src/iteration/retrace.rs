//! Plays a line a second time, to tell which actions led to a fault.

use crate::backpropagation::Backprop;
use crate::game::{Rng, put_failure_back, take_failure};
use crate::iteration::nodes::can_play;
use crate::iteration::{FedBy, Iterations, LeafOf, Traces};
use crate::simulation::{LONGEST_LINE, Leaf, Retraced, RolloutPolicy, shorten_line};
use crate::space::Space;
use crate::space::transpositions::{transformation_of, unstored};

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>
    Iterations<'_, '_, S, P, R, B>
{
    /// Tells `leaf` how this iteration came to a fault. If that is in a rollout, `rollout` is its policy
    /// and the generator from before.
    #[cold]
    #[inline(never)]
    pub fn tell(&self, leaf: &LeafOf<S, P, R>, rollout: Option<(&R, Rng)>) {
        let failure = take_failure();
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
        leaf.set_line(actions, self.tree.root().visit_count() + 1);
        // The game may have failed a second time just now.
        put_failure_back(failure);
    }
}
