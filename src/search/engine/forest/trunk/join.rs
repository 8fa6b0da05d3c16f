//! A new tree takes over what all trees know.

use crate::game::GameFault;
use crate::iteration::nodes::known;
use crate::iteration::path::TreeOf;
use crate::iteration::{FedBy, Iterations, LeafOf, close_if_certain};
use crate::search::engine::forest::bounds::{ForestBackprop, ForestPolicy};
use crate::search::engine::forest::trunk::exchange::adopt;
use crate::search::engine::forest::trunk::{NONE, Trunk, TrunkNode, refresh};
use crate::simulation::RolloutPolicy;
use crate::space::{ActionOf, Space};
use crate::statistics::Statistics;
use crate::tree::ROOT;

/// Gives the tree of `iterations`, which has only its root, all nodes of `trunk`, a [copy](Trunk::copy) of
/// that of another tree. The trunk itself stays as it is, so that all trees agree.
pub fn join<S: Space, P, R: RolloutPolicy<S::Game>, B>(
    trunk: &mut Trunk<ActionOf<S>, P::Stats, B::Stats>,
    iterations: &mut Iterations<'_, '_, S, P, R, B>,
    leaf: &mut LeafOf<S, P, R>,
) -> Result<(), GameFault>
where
    P: ForestPolicy<S::Game> + FedBy<S::Game, R>,
    B: ForestBackprop<S::Game>,
{
    let tree: &TreeOf<S, P, B> = iterations.tree;
    if trunk.visits() == 0 {
        return Ok(()); // nobody knows anything
    }
    if let Some(node) = trunk.share_position(iterations, 0, tree.root()) {
        let (tree_policy, backprop) = (&*iterations.tree_policy, iterations.backprop);
        trunk.nodes[0].hand_over::<S, P, B>(node, iterations.chooser, tree_policy, backprop);
    }
    let (mut parents, mut children) = (Vec::new(), Vec::new());
    let mut held = vec![(0, (ROOT, 0))];
    trunk.start_at_root(&mut parents);
    for family in 0..trunk.families.len() {
        let (first, chooser) = (trunk.families[family].first, trunk.families[family].chooser);
        let Some(parent) = trunk.parent_of(tree, family, &parents) else { continue };
        let is_visited = |shared: &TrunkNode<_, _, _>, _| shared.visits > 0;
        let adopted = adopt(trunk, iterations, leaf, family, parent, &mut children, true, is_visited)?;
        for &(index, spot) in &children {
            let at = (first + index) as usize;
            let TrunkNode { visits, family: below, .. } = trunk.nodes[at];
            let Some(mut node) = adopted.node::<S, P, B>(tree, (index, spot)) else { continue };
            if below != NONE {
                parents[below as usize] = spot;
            }
            if visits == 0 && !P::Stats::CREDITS {
                continue;
            }
            if visits > 0 {
                match trunk.share_position(iterations, at, node) {
                    Some(linked) => node = linked,
                    None => continue,
                }
            }
            let (tree_policy, backprop) = (&*iterations.tree_policy, iterations.backprop);
            trunk.nodes[at].hand_over::<S, P, B>(node, chooser, tree_policy, backprop);
            trunk.exchanged[at] = visits;
            held.push((at as u32, spot));
            if B::PROVES {
                let stats = known::<S, P, B>(tree, node).backprop();
                close_if_certain::<S, P, B>(backprop, node, node.visit_count(), stats, chooser, || {
                    tree_policy.skips_refuted()
                });
            }
        }
        adopted.let_go::<S, P, B>(tree);
    }
    if B::DERIVES {
        // It writes the values to the tree. Those of the trunk follow from the same children as before, up to
        // their last bits.
        let nodes = trunk.nodes.clone();
        refresh::refresh(trunk, iterations, &held)?;
        trunk.nodes = nodes;
    }
    Ok(())
}
