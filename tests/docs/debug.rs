//! Values that users print or send to other threads: searches, views of a tree, errors.

use ramure::prelude::*;
use ramure_agents::Minimax;
use ramure_games::TicTacToe;
use std::fs;
use std::path::Path;

/// A closure has no `Debug`, and the types around it do.
#[test]
fn an_agent_with_a_closure_can_be_printed() {
    let agent = Minimax::new(2).evaluation(|_: &TicTacToe, _: Player| 0.5);
    let text = format!("{agent:?}");
    assert!(text.contains("{{closure}}"), "{text}");
}

#[test]
fn views_of_a_tree_print_their_contents() -> Result<(), SearchError> {
    let mut search = Mcts::new(TicTacToe::new());
    search.run(Budget::iterations(50))?;
    let view = search.tree();
    let text = format!("{view:?}");
    assert!(
        text.starts_with("TreeView { root: Some(TreeNode { action: None, chooser: 0, visits: 50"),
        "{text}"
    );
    assert!(text.contains(&format!("nodes: {}", view.node_count())), "{text}");
    let child = view.root().and_then(|root| root.children().next()).expect("the root has children");
    let text = format!("{child:?}");
    assert!(text.contains(&format!("action: {:?}", child.action())), "{text}");
    assert!(text.contains(&format!("visits: {}", child.visits())), "{text}");
    Ok(())
}

/// A search can go to another thread, whatever its engine is.
#[test]
fn searches_of_all_engines_are_send() {
    fn check<T: std::fmt::Debug + Send>(_: &T) {}
    let new = || Mcts::new(TicTacToe::new());
    check(&new().window(2));
    check(&new().threads(2));
    check(&Mcts::player_trees(TicTacToe::new()));
    check(&Mcts::outcome_sampling(TicTacToe::new()));
}

/// Rust prints an error that `main` returns with `Debug`.
#[test]
fn every_error_prints_its_sentence_with_debug() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("src")];
    // The other crates, if the whole repository is there.
    folders.extend(
        ["games", "lab", "mpi", "nets", "puzzles", "rules", "web"]
            .map(|name| root.join("crates").join(name).join("src")),
    );
    let (mut errors, mut silent) = (0, Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap_or_default();
            let implemented = text.lines().filter_map(|line| {
                let (traits, name) = line.strip_prefix("impl")?.split_once(" for ")?;
                (traits.ends_with(" Error") || traits.ends_with("::Error")).then_some(name)
            });
            let derived = text.split("#[derive(thiserror::Error").skip(1).filter_map(|rest| {
                let declared =
                    rest.lines().find(|line| line.contains("struct ") || line.contains("enum "))?;
                declared.split("struct ").last()?.split("enum ").last()
            });
            for name in implemented.chain(derived) {
                errors += 1;
                let name = name.split([' ', '<', '(', ';']).next().unwrap_or_default();
                let by_hand = format!("Debug for {name}");
                if !text.contains(&format!("debug_as_sentence!({name})")) && !text.contains(&by_hand) {
                    silent.push(format!("{}: {name}", path.display()));
                }
            }
        }
    }
    assert!(
        errors >= 25 && silent.is_empty(),
        "{errors} errors; these derive `Debug`:\n{}",
        silent.join("\n")
    );
}
