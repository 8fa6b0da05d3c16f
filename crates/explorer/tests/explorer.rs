//! The data of an explorer's page, read back and compared with the tree.

use ramure::Every;
use ramure::Simulator;
use ramure::backpropagation::Average;
use ramure::prelude::*;
use ramure::search::{ActionOf, MirrorImages, Planning, Space, Transpositions, TreeNode};
use ramure::selection::Puct;
use ramure::simulation::EvaluationPriors;
use ramure::{GameState, Picture, Symmetric};
use ramure_explorer::{Explorer, RootHistory};
use ramure_games::{Connect4, Hex, TicTacToe};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Debug};

/// The data of a page.
struct Page {
    data: Value,
}

impl Page {
    fn read(page: &str) -> Page {
        let (_, data) =
            page.split_once("<script id=\"data\" type=\"application/json\">").expect("it has data");
        let (data, _) = data.split_once("</script>").expect("the data end");
        Page { data: serde_json::from_str(data).expect("it is JSON") }
    }

    fn len(&self) -> usize {
        self.data["visits"].as_array().expect("a list").len()
    }

    fn number(&self, list: &str, node: usize) -> f64 {
        self.data[list][node].as_f64().unwrap_or_else(|| panic!("{list} of {node}"))
    }

    fn above(&self, node: usize) -> Option<usize> {
        usize::try_from(self.data["parent"][node].as_i64().expect("a number")).ok()
    }

    fn action(&self, node: usize) -> &str {
        let place = self.number("action", node) as usize;
        self.data["actions"][place].as_str().expect("a text")
    }

    /// Rebuilds the position of a node from what differs between it and the position above.
    fn drawing(&self, node: usize) -> Vec<&str> {
        let changes: Vec<i64> = self.data["drawing"][node]
            .as_array()
            .expect("a list")
            .iter()
            .map(|number| number.as_i64().expect("a number"))
            .collect();
        let line = |place: i64| self.data["lines"][place as usize].as_str().expect("a text");
        if changes.first() == Some(&-1) {
            return changes[1..].iter().map(|&place| line(place)).collect();
        }
        let mut lines = self.drawing(self.above(node).expect("the root is whole"));
        for pair in changes.chunks(2) {
            lines[pair[0] as usize] = line(pair[1]);
        }
        lines
    }

    /// Returns the children of a node that are not in the page, and their visits.
    fn left_out(&self, node: usize) -> (u64, u64) {
        let pair = &self.data["hidden"][node.to_string()];
        (pair[0].as_u64().unwrap_or(0), pair[1].as_u64().unwrap_or(0))
    }
}

/// Compares all that a page says of a tree with the tree, and its positions with `drawn`. Returns the number
/// of nodes seen.
fn check<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>>(
    page: &Page,
    root: TreeNode<'_, S, P, R, B>,
    drawn: impl Fn(&TreeNode<'_, S, P, R, B>) -> String,
) -> usize {
    let mut below: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for node in 0..page.len() {
        if let Some(above) = page.above(node) {
            assert!(above < node, "a node comes after the one above it");
            below.entry(above).or_default().push(node);
        }
    }
    let mut seen = 0;
    let mut pending = vec![(0, root)];
    while let Some((at, node)) = pending.pop() {
        seen += 1;
        assert_eq!(page.number("visits", at), f64::from(node.visits()));
        assert!((page.number("mean", at) - f64::from(node.mean())).abs() <= 5.1e-5);
        assert_eq!(page.number("chooser", at), f64::from(node.chooser()));
        let turn = match node.state().turn() {
            Turn::Player(player) => f64::from(player),
            Turn::Chance => -1.0,
            _ => -2.0,
        };
        assert_eq!(page.number("turn", at), turn);
        let proof = node.proof(node.chooser()).map_or(-1.0, f64::from);
        assert_eq!(page.data["proof"][at].as_f64().unwrap_or(-1.0), proof);
        let lines: Vec<String> = drawn(&node).lines().map(str::to_owned).collect();
        assert_eq!(page.drawing(at), lines);
        let Some(children) = below.get(&at) else { continue };
        let stored: Vec<_> = node.children().collect();
        let (count, visits) = page.left_out(at);
        assert_eq!(stored.len(), children.len() + count as usize);
        let all: u64 = stored.iter().map(|child| u64::from(child.visits())).sum();
        let shown: u64 = children.iter().map(|&child| page.number("visits", child) as u64).sum();
        assert_eq!(all, shown + visits);
        for &child in children {
            let found = stored.iter().find(|stored| {
                stored.action().is_some_and(|action| format!("{action:?}") == page.action(child))
            });
            pending.push((child, found.expect("the tree has it").clone()));
        }
    }
    seen
}

/// Returns the picture of a node as pages store it: without the names of legal actions.
fn picture<S, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>>(node: &TreeNode<'_, S, P, R, B>) -> String
where
    S: Space<Real: Picture<Action = ActionOf<S>>>,
{
    let picture = node.state().picture(node.action());
    let parts: Vec<&str> = picture.split(" data-action=\"").collect();
    let rest = parts[1..].iter().map(|part| part.split_once('"').expect("the name ends").1);
    parts[0].to_owned() + &rest.collect::<String>()
}

#[test]
fn a_page_shows_the_whole_tree() -> Result<(), SearchError> {
    let mut search = Mcts::new(Connect4::new()).backprop(Solver::new(Average)).seed(3);
    let report = search.run(Budget::iterations(2_000))?;
    let page = Explorer::new(search.tree()).nodes(usize::MAX).pictures().to_string();
    let page = Page::read(&page);
    assert_eq!(page.len(), search.tree().node_count());
    assert_eq!(check(&page, search.tree().root().expect("it ran"), picture), page.len());

    let best: Vec<usize> = page.data["best"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|node| node.as_u64().unwrap() as usize)
        .collect();
    let line: Vec<String> = report.principal_variation.iter().map(|action| format!("{action:?}")).collect();
    assert_eq!(best.iter().map(|&node| page.action(node)).collect::<Vec<_>>(), line);
    let above: Vec<Option<usize>> = best.iter().map(|&node| page.above(node)).collect();
    let ways: Vec<Option<usize>> = [Some(0)].into_iter().chain(best.iter().copied().map(Some)).collect();
    assert_eq!(above, ways[..above.len()]);
    Ok(())
}

#[test]
fn a_limit_keeps_the_most_visited_nodes() -> Result<(), SearchError> {
    let mut search = Mcts::new(Hex::new(5).expect("a size")).seed(3);
    search.run(Budget::iterations(3_000))?;
    // Visited children first, then children without visits.
    for limit in [0, 1, 2, 40, 500, 2_000] {
        let page = Explorer::new(search.tree()).nodes(limit).texts().to_string();
        let page = Page::read(&page);
        assert_eq!(page.len(), limit.max(1));
        check(&page, search.tree().root().expect("it ran"), |node| node.state().to_string());

        let mut visits = Vec::new();
        let mut pending: Vec<_> = search.tree().root().into_iter().collect();
        while let Some(node) = pending.pop() {
            visits.push(f64::from(node.visits()));
            pending.extend(node.children());
        }
        visits.sort_by(|a, b| b.total_cmp(a));
        let shown: Vec<f64> = (0..page.len()).map(|node| page.number("visits", node)).collect();
        assert_eq!(shown, visits[..page.len()], "{limit} nodes");
    }
    Ok(())
}

#[test]
fn a_graph_shows_each_position_once() -> Result<(), SearchError> {
    let mut search = Mcts::new(Transpositions::new(TicTacToe::new())).backprop(Solver::new(Average)).seed(3);
    search.run(Budget::iterations(3_000))?;
    let page = Explorer::new(search.tree()).nodes(usize::MAX).pictures().to_string();
    let page = Page::read(&page);
    let seen = check(&page, search.tree().root().expect("it ran"), picture);
    assert_eq!(seen, page.len());
    let mut homes = BTreeMap::new();
    let mut reached = 0;
    for node in 0..page.len() {
        let position = page.number("position", node);
        if position >= 0.0 {
            reached += 1;
            homes.entry(position as u32).or_insert(node);
        }
        if let Some(above) = page.above(node) {
            let position = page.number("position", above) as u32;
            assert_eq!(homes[&position], above, "children are below the first node of their position");
        }
    }
    assert!(reached > homes.len() + 100, "{reached} ways to {} positions", homes.len());
    // Of all ways to a position, the visits are at most those of the position.
    for node in 0..page.len() {
        assert!(page.number("visits", node) <= page.number("positionVisits", node));
    }
    Ok(())
}

#[test]
fn mirror_images_are_drawn_as_they_are_stored() -> Result<(), SearchError> {
    let mut search = Mcts::new(MirrorImages::new(TicTacToe::new())).seed(3);
    search.run(Budget::iterations(300))?;
    let page = Explorer::new(search.tree()).pictures_by(|state, _| state.to_string()).to_string();
    let page = Page::read(&page);
    let seen = check(&page, search.tree().root().expect("it ran"), |node| node.state().to_string());
    assert_eq!(seen, page.len());

    // The best line, too: X wins in column 6 or, in the mirror image, in column 0.
    let mut won = Connect4::new();
    for column in ["6", "0", "6", "0", "6", "0"] {
        won.play(column.parse().expect("a column")).expect("it is legal");
    }
    for state in [won, won.transformed(0)] {
        let mut search = Mcts::new(MirrorImages::new(state)).seed(1);
        search.run(Budget::iterations(200))?;
        let page = Explorer::new(search.tree()).to_string();
        let page = Page::read(&page);
        let first = page.data["best"][0].as_u64().expect("a line") as usize;
        assert_eq!(page.number("proof", first), 1.0);
    }
    Ok(())
}

#[test]
fn the_history_of_a_simulator_has_its_returns() -> Result<(), SearchError> {
    let mut search = Mcts::new(Planning::new(Cost).horizon(5));
    let mut history = RootHistory::new();
    history.record(&search.run(Budget::iterations(100))?);
    let means = |page: String| Page::read(&page).data["history"]["means"].clone();
    let returns = means(Explorer::new(search.tree()).history(&history).to_string());
    assert!(returns[0][0].as_f64().is_some_and(|mean| mean <= -5.0), "{returns}");

    // An action that was not visited yet has no mean.
    let mut search = Mcts::new(Connect4::new());
    history.record(&search.run(Budget::iterations(3))?);
    let means = means(Explorer::new(search.tree()).history(&history).to_string());
    assert_eq!((0..7).filter(|&action: &usize| means[action][0].is_null()).count(), 4, "{means}");
    Ok(())
}

#[test]
fn priors_and_statistics_are_those_of_the_policies() -> Result<(), SearchError> {
    let mut search = Mcts::new(Connect4::new())
        .backprop(Average)
        .tree_policy(Puct::default())
        .rollout_policy(EvaluationPriors::new(Uniform, 0.5));
    search.run(Budget::iterations(200))?;
    let page = Explorer::new(search.tree()).statistics().texts().to_string();
    let page = Page::read(&page);
    let root = search.tree().root().expect("it ran");
    for child in root.children() {
        let name = format!("{:?}", child.action().expect("it is a child"));
        let node = (1..page.len()).find(|&node| page.above(node) == Some(0) && page.action(node) == name);
        let node = node.expect("it is in the page");
        let prior = child.stats().0;
        assert!((page.number("prior", node) - f64::from(prior)).abs() < 5.1e-5);
        let place = page.number("kept", node) as usize;
        assert_eq!(page.data["statistics"][place], format!("tree policy: {:.4?}", child.stats()));
    }
    Ok(())
}

#[test]
fn statistics_say_in_words_what_is_proven() -> Result<(), SearchError> {
    let mut search = Mcts::new(TicTacToe::new()).seed(3);
    search.run(Budget::iterations(30_000))?;
    let page = Explorer::new(search.tree()).statistics().to_string();
    let page = Page::read(&page);
    let texts: Vec<&str> =
        page.data["statistics"].as_array().expect("texts").iter().filter_map(|text| text.as_str()).collect();
    for words in [
        "nothing is proven",
        "a draw",
        "player 1 loses, the other player wins",
        "the player to move has at least a draw",
    ] {
        assert!(texts.iter().any(|text| text.ends_with(&format!("; backpropagation: {words}"))), "{words}");
    }
    assert!(texts.iter().all(|text| text.starts_with("tree policy: ") && !text.contains("()")));
    Ok(())
}

/// A game whose names are hostile to a page.
#[derive(Clone)]
struct Hostile(u8);

#[derive(Clone, Copy, PartialEq, Eq)]
struct Name(u8);

const NAMES: [&str; 3] = ["</script><script>alert(1)</script>", "\"\\\n\u{2028}<!--", "&amp;'\u{0}\u{1f}"];

impl Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAMES[usize::from(self.0)])
    }
}

impl GameState for Hostile {
    type Action = Name;
    fn turn(&self) -> Turn {
        if self.0 == 2 { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = Name> {
        (0..3).map(Name)
    }
    fn apply(&mut self, _: Name) {
        self.0 += 1;
    }
    fn reward(&self, _: Player) -> f64 {
        0.5
    }
    fn players(&self) -> u8 {
        1
    }
}

#[test]
fn names_do_not_break_out_of_the_page() -> Result<(), SearchError> {
    let mut search = Mcts::new(Hostile(0));
    let mut history = RootHistory::new();
    search.run_with(Budget::iterations(100), Every::Iterations(10), &mut |report| history.record(report))?;
    let explorer = Explorer::new(search.tree()).title("{data}</title><script>").players(["<b>", "\""]);
    let page = explorer.texts_by(|state| NAMES.concat() + &state.0.to_string()).history(&history).to_string();
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script>").count(), 2);
    assert_eq!(page.matches("<!--").count(), 0);
    assert!(page.contains("{data}&lt;/title&gt;&lt;script&gt;"));
    let page = Page::read(&page);
    let names: BTreeSet<&str> = (1..page.len()).map(|node| page.action(node)).collect();
    assert_eq!(names, BTreeSet::from(NAMES));
    assert_eq!(page.data["players"][0], "<b>");
    assert_eq!(page.drawing(0).join("\n"), NAMES.concat() + "0");
    Ok(())
}

#[test]
fn a_tree_without_nodes_has_a_page() {
    let search = Mcts::new(TicTacToe::new());
    let page = Explorer::new(search.tree()).pictures().history(&RootHistory::new()).to_string();
    assert_eq!(Page::read(&page).len(), 0);
}

#[test]
fn an_error_names_the_file() {
    let folder = std::env::temp_dir();
    let error = Explorer::new(Mcts::new(TicTacToe::new()).tree()).save(&folder).expect_err("it is a folder");
    assert!(error.to_string().contains(&folder.display().to_string()), "{error}");
}

#[test]
fn a_history_is_bounded_and_belongs_to_one_root() -> Result<(), SearchError> {
    let mut search = Mcts::new(Connect4::new()).seed(3);
    let mut history = RootHistory::new();
    assert!(history.is_empty());
    search.run_with(Budget::iterations(1_500), Every::Iterations(1), &mut |report| history.record(report))?;
    assert!((100..=400).contains(&history.len()), "{} moments", history.len());
    let report = search.report()?;
    let explorer = Explorer::new(search.tree());
    let page = Page::read(&explorer.history(&history).to_string());
    let recorded = &page.data["history"];
    let visits: Vec<u64> = recorded["visits"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|visits| visits.as_u64().unwrap())
        .collect();
    assert!(visits.windows(2).all(|pair| pair[0] < pair[1]), "{visits:?}");
    assert!(visits[visits.len() - 1] > 1_400 && visits[0] <= 16, "{visits:?}");
    assert_eq!(recorded["actions"].as_array().expect("a list").len(), report.actions.len());
    for at in 0..visits.len() {
        let sum: f64 = (0..7).map(|action| recorded["shares"][action][at].as_f64().expect("a number")).sum();
        assert!((sum - 1.0).abs() < 1e-3, "{sum}");
    }

    let kept = history.len();
    history.record(&report);
    history.record(&report);
    assert!(history.len() <= kept + 1, "the same report counts once");
    search.advance(report.best_action())?;
    let report = search.run(Budget::iterations(1))?;
    history.record(&report);
    assert_eq!(history.len(), 1, "another root");

    // The next root has the same actions, and soon more visits than the first one had at its last report.
    let mut search = Mcts::new(Connect4::new()).seed(3);
    let mut history = RootHistory::new();
    let every = Every::Iterations(50);
    search.run_with(Budget::iterations(50), every, &mut |report| history.record(report))?;
    let report = search.run_with(Budget::iterations(50), every, &mut |report| history.record(report))?;
    assert_eq!(history.len(), 2, "two runs of one root");
    search.advance(report.best_action())?;
    search.run_with(Budget::iterations(500), Every::Iterations(100), &mut |report| history.record(report))?;
    assert_eq!(history.len(), 5, "another root with the same actions");
    Ok(())
}

/// Each step costs 1 or 3.
#[derive(Clone, Hash)]
struct Cost;

impl Simulator for Cost {
    type Action = bool;
    type Reward = f64;

    fn actions(&self) -> impl IntoIterator<Item = bool> {
        [false, true]
    }
    fn step(&mut self, is_dear: bool, _: &mut Rng) -> f64 {
        if is_dear { -3.0 } else { -1.0 }
    }
}
