//! A page to look at the tree of a search with, for searches of [`ramure`]. [`Explorer`] writes the page, and
//! [`RootHistory`] keeps what it shows over time.
//!
//! ```
//! use ramure::prelude::*;
//! use ramure_explorer::Explorer;
//!
//! let mut search = Mcts::new(ramure_games::Connect4::new());
//! search.run(Budget::iterations(1_000))?;
//! Explorer::new(search.tree()).pictures().save(std::env::temp_dir().join("tree.html"))?; // open it in a browser
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate uses only what is documented in `ramure`, so a page of your own can show what this one does. Of
//! the files, `collect` chooses the nodes to show, and `json` and `page` write them into the page.

#![deny(missing_docs, unsafe_code)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::return_self_not_must_use)]

mod collect;
mod history;
mod json;
mod page;
mod pool;

pub use history::RootHistory;

use core::fmt;
use page::{Format, Page};
use ramure::backpropagation::Backprop;
use ramure::search::{ActionOf, Space, TreeNode, TreeView};
use ramure::selection::TreePolicy;
use ramure::simulation::RolloutPolicy;
use ramure::statistics::Statistics;
use ramure::{GameState, Picture};
use std::io::{self, Write};
use std::path::Path;

/// The most nodes that a page shows, unless you say otherwise.
const NODES: usize = 20_000;

/// An action of the game as you implemented it.
type RealAction<S> = <<S as Space>::Real as GameState>::Action;

/// Draws a state, after the action that led to it.
type Draw<'a, S> = Box<dyn Fn(&<S as Space>::Real, Option<RealAction<S>>) -> String + 'a>;

/// Prints the statistics of a node.
type Print<'a, S, P, R, B> = fn(&TreeNode<'a, S, P, R, B>) -> String;

/// Returns the text of a pair without a part that stores nothing.
fn without_units(text: &str) -> &str {
    let inside = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(", ())"));
    let inside = inside.or_else(|| text.strip_prefix("((), ").and_then(|rest| rest.strip_suffix(')')));
    inside.map_or(text, without_units)
}

/// A page that shows the tree of a search: one HTML file that needs no server and no network.
///
/// The page opens on the best line. It shows each node's visits, its share of the visits of its parent, its
/// mean with a 95 % interval, prior and proof. Readers can open and fold nodes, sort them, find a line of
/// play, and compare two nodes. With [`pictures`](Self::pictures) or [`texts`](Self::texts), it shows
/// positions. With [`history`](Self::history), it shows how the visits and means of the root went. The tree
/// of a search that [shares positions](ramure::search::Transpositions) is shown as the graph that it is.
///
/// ```
/// use ramure::Every;
/// use ramure::prelude::*;
/// use ramure_explorer::{Explorer, RootHistory};
/// use ramure_games::Connect4;
///
/// let mut search = Mcts::new(Connect4::new()).seed(7);
/// let mut history = RootHistory::new();
/// search.run_with(Budget::iterations(2_000), Every::Iterations(50), &mut |report| history.record(report))?;
///
/// let explorer = Explorer::new(search.tree()).title("Connect 4").players(["Red", "Yellow"]);
/// let explorer = explorer.pictures().history(&history);
/// explorer.save(std::env::temp_dir().join("tree.html"))?; // open it in a browser
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// **Size:** about 40 KB, and 30 to 100 bytes a node. 100 000 nodes of Connect 4 with pictures take 8 MB.
///
/// **Cost:** one copy of the state, and one drawing, for each node that is shown. The search itself pays
/// nothing.
pub struct Explorer<'a, S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> {
    tree: TreeView<'a, S, P, R, B>,
    best_line: Vec<ActionOf<S>>,
    title: String,
    players: Vec<String>,
    nodes: usize,
    draw: Option<(Format, Draw<'a, S>)>,
    statistics: Option<Print<'a, S, P, R, B>>,
    history: Option<&'a RootHistory>,
}

impl<'a, S: Space, P: TreePolicy<S::Game>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>
    Explorer<'a, S, P, R, B>
where
    P::Stats: Statistics<S::Game, R>,
{
    /// Creates a page to look at this tree with, [`Mcts::tree`](ramure::Mcts::tree).
    pub fn new(tree: TreeView<'a, S, P, R, B>) -> Self {
        Explorer {
            tree,
            best_line: tree.best_line(),
            title: "The tree of a search".into(),
            players: Vec::new(),
            nodes: NODES,
            draw: None,
            statistics: None,
            history: None,
        }
    }
}

impl<'a, S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> Explorer<'a, S, P, R, B> {
    /// Sets the title of the page. \[Default: "The tree of a search"\]
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Sets the names of the players, the first of which is player 0. \[Default: "player 0", "player 1", ..\]
    #[must_use]
    pub fn players<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.players = names.into_iter().map(N::into).collect();
        self
    }

    /// Shows the `count` most visited nodes, and at least the root. The page says how many others there are.
    /// \[Default: 20 000\]
    #[must_use]
    pub fn nodes(mut self, count: usize) -> Self {
        self.nodes = count.max(1);
        self
    }

    /// Shows each position as the picture that the game draws.
    #[must_use]
    pub fn pictures(self) -> Self
    where
        S::Real: Picture,
    {
        self.pictures_by(|state, last| state.picture(last))
    }

    /// Shows each position as the SVG image that `draw` returns. It gets the state and the action that led to
    /// it, [`TreeNode::last_action`]; see [`Picture`] for how to write such images.
    ///
    /// The page contains the images as they are. So `draw` must not put texts of strangers into them.
    #[must_use]
    pub fn pictures_by(mut self, draw: impl Fn(&S::Real, Option<RealAction<S>>) -> String + 'a) -> Self {
        self.draw = Some((Format::Svg, Box::new(draw)));
        self
    }

    /// Shows each position as the text that `Display` prints.
    #[must_use]
    pub fn texts(self) -> Self
    where
        S::Real: fmt::Display,
    {
        self.texts_by(|state| state.to_string())
    }

    /// Shows each position as the text that `write` returns.
    #[must_use]
    pub fn texts_by(mut self, write: impl Fn(&S::Real) -> String + 'a) -> Self {
        self.draw = Some((Format::Text, Box::new(move |state, _| write(state))));
        self
    }

    /// Shows what the tree policy and the backpropagation store for each node, as their `Debug` prints it
    /// with four decimals.
    #[must_use]
    pub fn statistics(mut self) -> Self
    where
        P::Stats: fmt::Debug,
        B::Stats: fmt::Debug,
    {
        self.statistics = Some(|node| {
            let kept = [
                ("tree policy", format!("{:.4?}", node.stats())),
                ("backpropagation", format!("{:.4?}", node.backprop_stats())),
            ];
            let texts = kept.iter().map(|(part, text)| (part, without_units(text)));
            let some = texts.filter(|&(_, text)| text != "()").map(|(part, text)| format!("{part}: {text}"));
            some.collect::<Vec<_>>().join("; ")
        });
        self
    }

    /// Shows how the visits and means of the root went over time.
    #[must_use]
    pub fn history(mut self, history: &'a RootHistory) -> Self {
        self.history = Some(history);
        self
    }
}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> Explorer<'_, S, P, R, B>
where
    P::Stats: Statistics<S::Game, R>,
{
    /// Writes the page to a file, and replaces it if it exists.
    ///
    /// # Errors
    ///
    /// Returns the error of the file system, with the path.
    pub fn save(&self, path: impl AsRef<Path>) -> io::Result<()> {
        let path = path.as_ref();
        let told = |error: io::Error| {
            io::Error::new(error.kind(), format!("cannot write the page {}: {error}", path.display()))
        };
        let mut file = io::BufWriter::new(std::fs::File::create(path).map_err(told)?);
        write!(file, "{self}").and_then(|()| file.flush()).map_err(told)
    }
}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> fmt::Display for Explorer<'_, S, P, R, B>
where
    P::Stats: Statistics<S::Game, R>,
{
    /// Writes the page: HTML.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Page {
            title: &self.title,
            players: &self.players,
            format: self.draw.as_ref().map(|&(format, _)| format),
            in_tree: self.tree.node_count(),
            nodes: self.collect(),
            history: self.history,
        }
        .write(f)
    }
}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> fmt::Debug for Explorer<'_, S, P, R, B> {
    /// Prints the tree and the settings. `Display` writes the page.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Explorer")
            .field("tree", &self.tree)
            .field("title", &self.title)
            .field("players", &self.players)
            .field("nodes", &self.nodes)
            .field("format", &self.draw.as_ref().map(|(format, _)| format))
            .finish_non_exhaustive()
    }
}
