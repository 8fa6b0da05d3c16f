//! Writes the explorer's pages that the tests open in a browser: a usual one, that of a graph, that of a game
//! whose texts are HTML, and one without nodes.

use core::fmt::{self, Debug, Display};
use ramure::Every;
use ramure::prelude::*;
use ramure::search::Transpositions;
use ramure_explorer::{Explorer, RootHistory};
use ramure_games::{Connect4, TicTacToe};
use std::error::Error;
use std::path::PathBuf;

/// A game for one player whose names a browser would run, if the page let it.
#[derive(Clone)]
struct Hostile(u8);

#[derive(Clone, Copy, PartialEq, Eq)]
struct Name(u8);

const NAMES: [&str; 3] = [
    "<img src=x onerror=\"window.broken=true\">",
    "</script><script>window.broken=true</script>",
    "</pre><svg onload=\"window.broken=true\"><a href=\"javascript:0\">&amp;",
];

impl Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAMES[usize::from(self.0)])
    }
}

impl Display for Hostile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}", NAMES.join("\n"), self.0)
    }
}

impl GameState for Hostile {
    type Action = Name;

    fn turn(&self) -> Turn {
        if self.0 == 2 { Turn::Over } else { Turn::Player(self.0) }
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
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("give the folder of the pages")?);
    std::fs::create_dir_all(&folder)?;

    let mut search =
        Mcts::new(Connect4::new()).tree_policy(Ucb1::new(0.1)).backprop(Solver::new(Average)).seed(7);
    let mut history = RootHistory::new();
    search
        .run_with(Budget::iterations(20_000), Every::Iterations(500), &mut |report| history.record(report))?;
    let explorer = Explorer::new(search.tree()).title("Connect 4").players(["Red", "Yellow"]);
    explorer.pictures().statistics().history(&history).save(folder.join("connect4.html"))?;

    let mut search = Mcts::new(Transpositions::new(TicTacToe::new())).seed(3);
    search.run(Budget::iterations(3_000))?;
    Explorer::new(search.tree()).title("A graph").pictures().save(folder.join("graph.html"))?;

    let mut search = Mcts::new(Hostile(0)).seed(1);
    Explorer::new(search.tree()).title("Nothing yet").save(folder.join("empty.html"))?;
    let mut history = RootHistory::new();
    search.run_with(Budget::iterations(100), Every::Iterations(10), &mut |report| history.record(report))?;
    let explorer = Explorer::new(search.tree()).title(NAMES[1]).players([NAMES[0], NAMES[2]]);
    explorer.texts().statistics().history(&history).save(folder.join("hostile.html"))?;
    Ok(())
}
