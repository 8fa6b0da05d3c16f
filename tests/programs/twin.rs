//! The plain twin of the search beside a program: after each call that it plays, too, every node has the same visits, rewards and children.

use super::program::Call;
use super::quiet::caught;
use super::runner::{Beside, Outcome};
use super::space::TableSpace;
use super::subject::Subject;
use crate::backpropagation::Backprop;
use crate::iteration::FedBy;
use crate::search::one_tree::OneTree;
use crate::simulation::RolloutPolicy;
use crate::twin::Twin;
use crate::{Mcts, RootActions, StopReason};

/// A twin that follows a search.
pub struct Follower<S: TableSpace, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>> {
    twin: Twin<S, P, R, B>,
    /// The root before the call.
    space: S,
    /// Whether the search has done something that the twin does not do.
    is_lost: bool,
}

impl<S, P, R, B> Follower<S, P, R, B>
where
    S: TableSpace,
    P: FedBy<S::Game, R> + Clone,
    R: RolloutPolicy<S::Game> + Clone,
    B: Backprop<S::Game> + Clone,
{
    /// Creates the twin of a search that has not run.
    pub fn new(search: &OneTree<S, P, R, B>, seed: u64) -> Self {
        let mut twin = Twin::new(
            search.space.clone(),
            search.tree_policy.clone(),
            search.rollout_policy.clone(),
            search.backprop.clone(),
            seed,
        );
        twin.set_expansion(search.expansion);
        Follower { twin, space: search.space.clone(), is_lost: false }
    }

    fn follow(&mut self, call: &Call, played: &[u8], search: &OneTree<S, P, R, B>, outcome: &Outcome) {
        let run = match outcome {
            Outcome::Reported(report) | Outcome::Observed(_, report) => Some(report),
            _ => None,
        };
        match call {
            Call::Run(n) | Call::RunObserved(n, _, _) => {
                let Some(report) = run else { return };
                if !matches!(report.stop_reason, StopReason::Iterations | StopReason::Proven)
                    || report.iterations > *n
                {
                    self.is_lost = true;
                    return;
                }
                let made = self.twin.run(*n).expect("the search ran, too");
                assert_eq!(made, report.iterations, "iterations");
            }
            Call::Advance(_) | Call::AdvanceBest => {
                for &number in played {
                    self.twin.advance(&self.space.action(number));
                }
            }
            Call::Reset(room) => self.twin.reset(self.space.at(*room)),
            Call::ContinueAt(room) => self.twin.continue_at(self.space.at(*room)),
            Call::Only(..) | Call::Except(..) | Call::Lift => {
                self.twin.set_root_actions(search.root_actions.clone())
            }
            Call::Grow(_) => self.twin.set_expansion(search.expansion),
            Call::AdvanceIllegal
            | Call::Fork
            | Call::GoOnWithClone
            | Call::Decide(_)
            | Call::Report
            | Call::View
            | Call::LoadForeign => {}
            _ => self.is_lost |= *outcome != Outcome::Skipped || matches!(call, Call::Save(_)),
        }
        if *outcome == Outcome::Done
            && matches!(call, Call::Advance(_) | Call::AdvanceBest | Call::Reset(_) | Call::ContinueAt(_))
        {
            self.twin.set_root_actions(RootActions::default());
        }
        self.space = search.space.clone();
        if !self.is_lost {
            self.twin.compare(search, &format!("{call:?}"));
        }
    }
}

impl<S, P, R, B> Beside for Follower<S, P, R, B>
where
    S: TableSpace + 'static,
    P: FedBy<S::Game, R> + Clone + 'static,
    R: RolloutPolicy<S::Game> + Clone + 'static,
    B: Backprop<S::Game> + Clone + 'static,
{
    fn after_call(
        &mut self,
        call: &Call,
        played: &[u8],
        search: &dyn Subject,
        outcome: &Outcome,
    ) -> Result<(), String> {
        let search: &Mcts<S, P, R, B> = search.as_any().downcast_ref().expect("the search of this twin");
        if self.is_lost {
            return Ok(());
        }
        caught(|| self.follow(call, played, &search.trees, outcome))
            .map_err(|text| format!("the twin differs: {text}"))
    }
}
