//! Section I: a search that shares positions against one that does not.

use super::matches::{Claimed, findings};
use crate::report::Section;
use crate::setting::Setting;
use ramure_games::{Connect4, Hex};
use ramure_lab::Failure;

/// The search that the claims compare with.
const SOURCE: &str = "Childs, Brodeur and Kocsis 2008: stronger at equal iterations";

const NO_CLAIM: &str = "no claim: an iteration of a graph takes longer";

/// Plays all matches.
pub fn section(setting: &Setting) -> Result<Section, Failure> {
    let (connect4, hex) = (Connect4::new().into(), Hex::new(7)?.into());
    let mut all = findings(setting, &connect4, on_connect4())?;
    all.extend(findings(setting, &hex, on_hex())?);
    Ok(Section {
        title: "Graph search".into(),
        about: "A search that [shares positions](../transpositions.md) (`transpositions=yes`; `mirror`: mirror images, too) against one that does not, with the \
                same policies, played as above."
            .into(),
        findings: all,
        parts: Vec::new(),
    })
}

/// Returns the agent that shares positions, and the one that does not.
fn pair(budget: &str, c: &str, transpositions: &str) -> [String; 2] {
    let plain = format!("mcts:{budget},c={c}");
    [format!("{plain},transpositions={transpositions}"), plain]
}

fn on_connect4() -> Vec<Claimed> {
    let stronger = |budget: &str, transpositions: &str, games| {
        let [graph, tree] = pair(budget, "1", transpositions);
        let of = if transpositions == "mirror" { "a graph with mirror images" } else { "a graph" };
        let claim = format!("Connect 4, {budget} iterations: {of} beats a tree");
        Claimed::stronger([&graph, &tree], games, claim, SOURCE)
    };
    let [graph, tree] = pair("10ms", "1", "yes");
    let in_time = "Connect 4, equal time: a graph against a tree";
    vec![
        stronger("2000", "yes", 600),
        stronger("20000", "yes", 400),
        stronger("20000", "mirror", 200),
        Claimed::open([&graph, &tree], 300, in_time, NO_CLAIM),
    ]
}

fn on_hex() -> Vec<Claimed> {
    let of = |budget: &str, games, claim: &str, source| {
        let [graph, tree] = pair(budget, "0.5", "yes");
        Claimed::open([&graph, &tree], games, claim, source)
    };
    vec![
        of("4000", 400, "Hex 7x7, 4000 iterations: a graph against a tree", SOURCE),
        of("20000", 100, "Hex 7x7, 20000 iterations: a graph against a tree", SOURCE),
        of("10ms", 200, "Hex 7x7, equal time: a graph against a tree", NO_CLAIM),
    ]
}
