//! Assembles searches from their parts. The search loops are compiled here.

use super::abilities::Abilities;
use super::able::{Able, Full, Wish};
use super::backprops::{AnyBackprop, Lean, MakeBackprop};
use super::error::ReadError;
use super::graph::{Graph, MakeGraph};
use super::of_game::OfGame;
use super::rollouts::{AnyRollout, MakeRollout, PriorRollouts};
use super::selections::{AnyPolicy, MakePolicy, Rewarded};
use super::settings::{Settings, Wants};
use ramure::backpropagation::{Backprop, Decorated, ProofsIf, Solver};
use ramure::selection::TreePolicy;
use ramure::simulation::RolloutPolicy;
use ramure::statistics::Statistics;
use ramure::{GameState, Mcts, Search};
use std::sync::Arc;

/// Creates a search from a state and a seed, any number of times.
pub(super) type MakeSearch<G> = Arc<dyn Fn(G, u64) -> Box<dyn Search<Space = G> + Send> + Send + Sync>;

/// A search with a part that the program added, without its settings.
pub(super) struct MakeOwn<G: GameState> {
    pub wants: Wants,
    pub make: Box<dyn FnOnce(Settings) -> MakeSearch<G>>,
}

/// The parts that a text names.
pub(super) struct Parts<G: Full> {
    pub policy: MakePolicy<G>,
    pub rollout: MakeRollout<G>,
    pub backprop: MakeBackprop<G>,
}

impl<G: GameState<Action: Send + Sync> + Send + 'static, A: Abilities<G>> Parts<Able<G, A>> {
    /// Any tree policy with any rollouts and any backpropagation.
    ///
    /// The most common search, UCB1 with uniform rollouts and averages, has a loop of its own, and another
    /// one with proofs. All others share two loops for each pair of a list of tree policies and a list of
    /// backpropagations: one with a window, and one without.
    ///
    /// With `graph`, UCB1 searches a graph: `graph` creates that search.
    pub fn search(
        &self,
        settings: &Settings,
        graph: Option<MakeGraph<G>>,
        state: G,
        seed: u64,
    ) -> Box<dyn Search<Space = G> + Send> {
        let (policy, rollout, backprop) =
            ((self.policy.make)(), (self.rollout.make)(), (self.backprop.make)());
        if let (Some(make), AnyPolicy::Rewarded(Rewarded::Ucb1(ucb1))) = (graph, &policy) {
            return make(&Graph { ucb1: *ucb1, settings: *settings, seed }, state);
        }
        match (policy, rollout, backprop) {
            (
                AnyPolicy::Rewarded(Rewarded::Ucb1(ucb1)),
                AnyRollout::Uniform(uniform),
                AnyBackprop::Lean(Lean::Average(average)),
            ) if settings.window.is_none() => {
                let search = Mcts::new(state).tree_policy(ucb1).rollout_policy(uniform);
                match settings.solver {
                    true => Box::new(settings.set(search.backprop(Solver::new(average)), seed)),
                    false => Box::new(settings.set(search.backprop(average), seed)),
                }
            }
            (policy, rollout, backprop) => {
                let search = Mcts::new(Able::new(state, self.wish()));
                match policy {
                    AnyPolicy::Rewarded(policy) => {
                        let search = search.tree_policy(policy).rollout_policy(rollout);
                        self.finish(search, backprop, settings, seed)
                    }
                    AnyPolicy::Distinguishing(policy) => {
                        let search = search.tree_policy(policy).rollout_policy(rollout);
                        self.finish(search, backprop, settings, seed)
                    }
                    AnyPolicy::WithPrior(policy) if A::EVALUATION => {
                        let rollout = PriorRollouts::new(rollout, self.policy.priors);
                        let search = search.tree_policy(policy).rollout_policy(rollout);
                        self.finish(search, backprop, settings, seed)
                    }
                    AnyPolicy::WithPrior(_) => unreachable!("no word needs what the game lacks"),
                }
            }
        }
    }

    /// Returns what the traces must record of each iteration.
    fn wish(&self) -> Wish {
        Wish::new(self.policy.noted, self.rollout.noted, self.backprop.counts)
    }

    /// Adds the backpropagation and the settings to a search.
    fn finish<P, R>(
        &self,
        search: Mcts<Able<G, A>, P, R>,
        backprop: AnyBackprop<Able<G, A>>,
        settings: &Settings,
        seed: u64,
    ) -> Box<dyn Search<Space = G> + Send>
    where
        P: TreePolicy<Able<G, A>, Stats: Statistics<Able<G, A>, R, Trace: Send> + Send> + Send + 'static,
        R: RolloutPolicy<Able<G, A>, Trace: Send> + Send + Sync + 'static,
    {
        let proofs = ProofsIf(settings.solver);
        match backprop {
            AnyBackprop::Lean(lean) => self.set(search.backprop(Decorated::by(proofs, lean)), settings, seed),
            AnyBackprop::Keeping(keeping) => {
                self.set(search.backprop(Decorated::by(proofs, keeping)), settings, seed)
            }
        }
    }

    /// Adds the settings to a search.
    fn set<P, R, B>(
        &self,
        search: Mcts<Able<G, A>, P, R, B>,
        settings: &Settings,
        seed: u64,
    ) -> Box<dyn Search<Space = G> + Send>
    where
        P: TreePolicy<Able<G, A>, Stats: Statistics<Able<G, A>, R, Trace: Send> + Send> + Send + 'static,
        R: RolloutPolicy<Able<G, A>, Trace: Send> + Send + Sync + 'static,
        B: Backprop<Able<G, A>, Stats: Send> + Send + 'static,
    {
        match settings.window {
            Some(window) => self.boxed(settings.set_window(window, search, seed)),
            None => self.boxed(settings.set(search, seed)),
        }
    }

    fn boxed(
        &self,
        search: impl Search<Space = Able<G, A>> + Send + 'static,
    ) -> Box<dyn Search<Space = G> + Send> {
        Box::new(OfGame::able(search, self.wish(), self.policy.wants.iterations))
    }
}

/// A part that the program added, with the default of the other parts and no window: two loops, with and
/// without proofs.
pub(super) fn assemble<G, P, R, B>(
    tree_policy: impl Fn() -> P + Send + Sync + 'static,
    rollout_policy: impl Fn() -> R + Send + Sync + 'static,
    backprop: impl Fn() -> B + Send + Sync + 'static,
) -> Result<MakeOwn<G>, ReadError>
where
    G: GameState<Action: Send + Sync> + Send + 'static,
    P: TreePolicy<G, Stats: Statistics<G, R> + Send> + Send + 'static,
    R: RolloutPolicy<G> + Send + 'static,
    B: Backprop<G, Stats: Send> + Send + 'static,
{
    TreePolicy::<G>::check(&tree_policy())?;
    RolloutPolicy::<G>::check(&rollout_policy())?;
    Backprop::<G>::check(&backprop())?;
    let make = move |settings: Settings| -> MakeSearch<G> {
        Arc::new(move |state, seed| {
            let search = Mcts::new(state).tree_policy(tree_policy()).rollout_policy(rollout_policy());
            match settings.solver {
                true => Box::new(settings.set(search.backprop(Solver::new(backprop())), seed)),
                false => Box::new(settings.set(search.backprop(backprop()), seed)),
            }
        })
    };
    Ok(MakeOwn { wants: Wants::of::<G, P>(), make: Box::new(make) })
}
