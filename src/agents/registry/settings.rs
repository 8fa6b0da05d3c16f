//! What all searches have besides their policies, and how a search is made of both.

use super::error::ReadError;
use super::parameters::Parameters;
use crate::backpropagation::{Backprop, Solver};
use crate::game::GameState;
use crate::search::{Bytes, Expansion, Mcts, Order, RootDecision, Search};
use crate::selection::TreePolicy;
use crate::simulation::RolloutPolicy;
use crate::statistics::Statistics;
use core::ops::Bound;
use std::sync::Arc;

/// Makes a search from a state and a seed, as often as one is needed.
pub(super) type MakeSearch<G> = Arc<dyn Fn(G, u64) -> Box<dyn Search<Game = G>> + Send + Sync>;

/// The settings of a search that are no types.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    solver: bool,
    expansion: Expansion,
    decision: RootDecision,
    memory_limit: Option<Bytes>,
}

const ABOVE_0: (Bound<f64>, Bound<f64>) = (Bound::Excluded(0.0), Bound::Unbounded);

impl Settings {
    pub fn read(parameters: &mut Parameters) -> Result<Self, ReadError> {
        let solver = parameters.flag("solver", "proves wins, draws and losses", false)?;
        let about = "the action in the end; secure has a=1, temperature t=1";
        let decision = match parameters.choice("final", about, &["robust", "max", "secure", "temperature"])? {
            "max" => RootDecision::Max,
            "secure" => RootDecision::Secure(parameters.number("a", "for final=secure", 1.0, 0.0..)? as f32),
            "temperature" => {
                let temperature = parameters.number("t", "for final=temperature", 1.0, ABOVE_0)?;
                RootDecision::Temperature(temperature as f32)
            }
            _ => RootDecision::Robust,
        };
        let order = match parameters.choice("order", "the order of new children", &["random", "listed"])? {
            "listed" => Order::AsListed,
            _ => Order::Random,
        };
        let about = "the visit on which a node gets children";
        let visit = parameters.count("expand", about, 2, 1..)?;
        // More visits than a node can count are never.
        let expansion = Expansion::default().order(order).on_visit(u32::try_from(visit).unwrap_or(u32::MAX));
        let memory_limit = parameters.bytes("memory", "the tree takes no more")?;
        expansion.check()?;
        decision.check()?;
        Ok(Settings { solver, expansion, decision, memory_limit })
    }

    fn search<G, P, R, B>(&self, search: Mcts<G, P, R, B>, seed: u64) -> Box<dyn Search<Game = G>>
    where
        G: GameState + 'static,
        P: TreePolicy<G, Stats: Statistics<G, R>> + 'static,
        R: RolloutPolicy<G> + 'static,
        B: Backprop<G> + 'static,
    {
        let search = search.expansion(self.expansion).root_decision(self.decision).seed(seed);
        Box::new(match self.memory_limit {
            Some(limit) => search.memory_limit(limit),
            None => search,
        })
    }
}

/// All of a search but its settings. Here two loops are compiled: one with proofs, one without.
pub(super) fn assemble<G, P, R, B>(
    tree_policy: impl Fn() -> P + Send + Sync + 'static,
    rollout_policy: impl Fn() -> R + Send + Sync + 'static,
    backprop: impl Fn() -> B + Send + Sync + 'static,
) -> Result<Box<dyn FnOnce(Settings) -> MakeSearch<G>>, ReadError>
where
    G: GameState + 'static,
    P: TreePolicy<G, Stats: Statistics<G, R>> + 'static,
    R: RolloutPolicy<G> + 'static,
    B: Backprop<G> + 'static,
{
    TreePolicy::<G>::check(&tree_policy())?;
    RolloutPolicy::<G>::check(&rollout_policy())?;
    Backprop::<G>::check(&backprop())?;
    Ok(Box::new(move |settings| {
        Arc::new(move |state, seed| {
            let search = Mcts::new(state).tree_policy(tree_policy()).rollout_policy(rollout_policy());
            match settings.solver {
                true => settings.search(search.backprop(Solver::new(backprop())), seed),
                false => settings.search(search.backprop(backprop()), seed),
            }
        })
    }))
}
