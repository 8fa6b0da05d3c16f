//! What a page that shows a tree reads: children by their place, the last action of a state, the best line.

use crate::common::kuhn::{Act, Kuhn};
use crate::common::pig::Pig;
use ramure::Picture;
use ramure::prelude::*;
use ramure::search::{InformationSet, MirrorImages, OpenLoop, Paranoid, Space, TreeNode};
use ramure::selection::AvailabilityUcb1;
use ramure_games::{Connect4, TicTacToe};

/// Visits `node` and all below it. Checks each child by its place, and compares a child with its parent by `check`.
fn walk<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>>(
    node: TreeNode<'_, S, P, R, B>,
    check: &mut impl FnMut(&TreeNode<'_, S, P, R, B>, &TreeNode<'_, S, P, R, B>),
) -> usize {
    let children: Vec<_> = node.children().collect();
    let visits: Vec<u32> = children.iter().map(TreeNode::visits).collect();
    assert_eq!(node.child_visits().collect::<Vec<_>>(), visits);
    assert!(node.child(children.len()).is_none());
    let mut seen = 1;
    for (index, child) in children.into_iter().enumerate() {
        let same = node.child(index).expect("it is in the list");
        assert!(same.action() == child.action() && same.visits() == child.visits());
        check(&node, &child);
        seen += walk(child, check);
    }
    seen
}

#[test]
fn the_last_action_leads_from_the_parent_to_the_state() -> Result<(), SearchError> {
    let mut search = Mcts::new(Connect4::new()).seed(3);
    search.run(Budget::iterations(300))?;
    let root = search.tree().root().expect("it ran");
    assert_eq!(root.last_action(), None);
    let seen = walk(root, &mut |node, child| {
        let mut state = *node.state();
        state.apply(child.last_action().expect("no state is mirrored"));
        assert_eq!(state, *child.state());
    });
    assert_eq!(seen, search.tree().node_count());

    let mut search = Mcts::new(MirrorImages::new(TicTacToe::new())).seed(3);
    search.run(Budget::iterations(200))?;
    let mut mirrored = 0;
    walk(search.tree().root().expect("it ran"), &mut |node, child| {
        let mut state = *node.state();
        state.apply(child.action().expect("it is a child"));
        // A mirror image has no last action.
        assert_eq!(state == *child.state(), child.last_action() == child.action());
        mirrored += u32::from(child.last_action().is_none());
    });
    assert!(mirrored > 10, "{mirrored}");

    // An action of an open loop has a player, and that of the game has none.
    let mut search = Mcts::new(OpenLoop::new(Pig::new(10))).tree_policy(AvailabilityUcb1::new(0.7)).seed(3);
    search.run(Budget::iterations(100))?;
    walk(search.tree().root().expect("it ran"), &mut |_, child| {
        assert_eq!(child.last_action(), child.action().map(|chosen| chosen.action));
    });
    Ok(())
}

#[test]
fn a_child_by_its_place_is_legal_in_the_guess_that_is_shown() -> Result<(), SearchError> {
    let mut state = Kuhn::default();
    state.apply(Act::Deal(1));
    state.apply(Act::Deal(2));
    let mut search = Mcts::new(InformationSet::new(state)).tree_policy(AvailabilityUcb1::new(0.7)).seed(3);
    search.run(Budget::iterations(200))?;
    let seen = walk(search.tree().root().expect("it ran"), &mut |node, child| {
        assert!(node.state().is_legal(child.last_action().expect("all see it")));
    });
    assert!(seen > 4, "{seen}");
    Ok(())
}

#[test]
fn the_best_line_of_a_tree_names_its_nodes() -> Result<(), SearchError> {
    let mut search = Mcts::new(Connect4::new()).seed(3);
    let report = search.run(Budget::iterations(2_000))?;
    assert!(report.principal_variation.len() > 2);
    assert_eq!(search.tree().best_line(), report.principal_variation);

    // In a search of mirror images, the line of the report is one of the game, and that of the tree one of its nodes.
    let mut differ = 0;
    for column in 0..7 {
        let mut state = Connect4::new();
        state.play(format!("{column}").parse().expect("a column")).expect("it is free");
        let mut search = Mcts::new(MirrorImages::new(state)).seed(3);
        let report = search.run(Budget::iterations(2_000))?;
        let line = search.tree().best_line();
        assert_eq!(line.len(), report.principal_variation.len());
        differ += u32::from(line != report.principal_variation);
        let mut node = search.tree().root().expect("it ran");
        for action in line {
            let found = node.children().find(|child| child.action() == Some(action));
            node = found.expect("it has a node");
        }
    }
    assert!(differ > 0);

    let mut over = TicTacToe::new();
    while over.turn() != Turn::Over {
        let action = over.actions().into_iter().next().expect("the game goes on");
        over.apply(action);
    }
    assert_eq!(Mcts::new(over).tree().best_line(), []);
    Ok(())
}

#[test]
fn a_game_against_all_others_has_the_picture_of_its_state() {
    let mut state = TicTacToe::new();
    let action = state.actions().into_iter().next().expect("the board is empty");
    state.apply(action);
    assert_eq!(Paranoid::new(state).picture(Some(action)), state.picture(Some(action)));
}
