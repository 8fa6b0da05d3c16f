//! Writes the page. Nothing here depends on the game or the policies, so it is compiled once.

use crate::history::RootHistory;
use crate::json::{Array, Number, Text};
use crate::pool::Pool;
use core::fmt::{self, Display, Formatter};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The kind of the positions of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    Svg,
    Text,
}

/// A node of the page.
pub(crate) struct Node {
    pub above: Option<usize>,
    pub chooser: u8,
    /// The player to move, -1 for chance, -2 if the game is over.
    pub turn: i16,
    pub visits: u32,
    pub mean: f32,
    pub prior: Option<f32>,
    pub proof: Option<f32>,
    /// The number of the position, in a graph.
    pub position: Option<u32>,
    pub position_visits: u32,
    pub position_mean: f32,
}

/// The nodes of a page, and the texts that they share.
#[derive(Default)]
pub(crate) struct Nodes {
    nodes: Vec<Node>,
    actions: Pool,
    action: Vec<usize>,
    statistics: Pool,
    statistic: Vec<usize>,
    lines: Pool,
    /// The lines of each position, as places in `lines`.
    drawings: Vec<Vec<usize>>,
    /// For nodes with children that are not in the page, their number and their visits.
    left_out: BTreeMap<usize, (usize, u64)>,
    /// For each position, the first node that leads to it.
    homes: BTreeMap<u32, usize>,
    /// The nodes of the best line.
    pub best: Vec<usize>,
}

impl Nodes {
    pub(crate) fn push(&mut self, node: Node, action: &str, statistics: Option<&str>, drawing: Option<&str>) {
        if let Some(position) = node.position {
            self.homes.entry(position).or_insert(self.nodes.len());
        }
        self.action.push(self.actions.place(action));
        self.statistic.extend(statistics.map(|text| self.statistics.place(text)));
        if let Some(drawing) = drawing {
            let lines = drawing.lines().map(|line| self.lines.place(&without_actions(line)));
            self.drawings.push(lines.collect());
        }
        self.nodes.push(node);
    }

    /// Counts a child of a node that is not in the page.
    pub(crate) fn leave_out(&mut self, above: usize, visits: u32) {
        let (count, all_visits) = self.left_out.entry(above).or_default();
        *count += 1;
        *all_visits += u64::from(visits);
    }

    pub(crate) fn above(&self, index: usize) -> Option<usize> {
        self.nodes[index].above
    }

    /// Returns the node below which the children of a node's position are.
    pub(crate) fn home(&self, index: usize) -> usize {
        self.nodes[index].position.and_then(|position| self.homes.get(&position).copied()).unwrap_or(index)
    }

    /// Returns the lines of a position, as pairs of the number of a line and its text, where it differs from
    /// the position above. A position with another number of lines is -1 and all of its lines.
    fn changes(&self, index: usize) -> Vec<i64> {
        let lines = &self.drawings[index];
        let above = self.nodes[index].above.map(|above| &self.drawings[above]);
        match above.filter(|above| above.len() == lines.len()) {
            Some(above) => {
                let pairs = lines.iter().zip(above).enumerate().filter(|(_, (own, above))| own != above);
                pairs.flat_map(|(number, (&own, _))| [number as i64, own as i64]).collect()
            }
            None => core::iter::once(-1).chain(lines.iter().map(|&line| line as i64)).collect(),
        }
    }
}

/// Returns a line without the names of legal actions: nobody plays in the page, and they would differ from
/// node to node.
fn without_actions(line: &str) -> Cow<'_, str> {
    const NAME: &str = " data-action=\"";
    let Some((before, mut rest)) = line.split_once(NAME) else { return line.into() };
    let mut kept = String::from(before);
    loop {
        rest = rest.split_once('"').map_or("", |(_, after)| after);
        let Some((before, next)) = rest.split_once(NAME) else { return (kept + rest).into() };
        kept += before;
        rest = next;
    }
}

/// A page, ready to be written.
pub(crate) struct Page<'a> {
    pub title: &'a str,
    pub players: &'a [String],
    pub format: Option<Format>,
    /// The number of nodes in the tree.
    pub in_tree: usize,
    pub nodes: Nodes,
    pub history: Option<&'a RootHistory>,
}

const HTML: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

impl Page<'_> {
    pub(crate) fn write(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut rest = HTML;
        while let Some((before, (name, after))) =
            rest.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
        {
            f.write_str(before)?;
            match name {
                "title" => write!(f, "{}", Escaped(self.title))?,
                "style" => f.write_str(STYLE)?,
                "script" => f.write_str(SCRIPT)?,
                _ => self.write_data(f)?,
            }
            rest = after;
        }
        f.write_str(rest)
    }

    fn write_data(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Nodes { nodes, actions, action, statistics, statistic, lines, left_out, best, .. } = &self.nodes;
        let missing = |value: Option<f32>| value.map_or(Number(-1.0), Number);
        let format = match self.format {
            None => "null",
            Some(Format::Svg) => "\"svg\"",
            Some(Format::Text) => "\"text\"",
        };
        write!(f, "{{\"nodes\":{},\"format\":{format}", self.in_tree)?;
        write!(f, ",\"players\":{}", texts(self.players))?;
        write!(f, ",\"actions\":{}", texts(actions.texts()))?;
        write!(f, ",\"action\":{}", Array(action.iter()))?;
        let parents = nodes.iter().map(|node| node.above.map_or(-1, |above| above as i64));
        write!(f, ",\"parent\":{}", Array(parents))?;
        write!(f, ",\"chooser\":{}", Array(nodes.iter().map(|node| node.chooser)))?;
        write!(f, ",\"turn\":{}", Array(nodes.iter().map(|node| node.turn)))?;
        write!(f, ",\"visits\":{}", Array(nodes.iter().map(|node| node.visits)))?;
        write!(f, ",\"mean\":{}", Array(nodes.iter().map(|node| Number(node.mean))))?;
        if nodes.iter().any(|node| node.prior.is_some()) {
            write!(f, ",\"prior\":{}", Array(nodes.iter().map(|node| missing(node.prior))))?;
        }
        if nodes.iter().any(|node| node.proof.is_some()) {
            write!(f, ",\"proof\":{}", Array(nodes.iter().map(|node| missing(node.proof))))?;
        }
        if nodes.iter().any(|node| node.position.is_some()) {
            let positions = nodes.iter().map(|node| node.position.map_or(-1, i64::from));
            write!(f, ",\"position\":{}", Array(positions))?;
            write!(f, ",\"positionVisits\":{}", Array(nodes.iter().map(|node| node.position_visits)))?;
            write!(f, ",\"positionMean\":{}", Array(nodes.iter().map(|node| Number(node.position_mean))))?;
        }
        if !statistic.is_empty() {
            write!(f, ",\"statistics\":{},\"kept\":{}", texts(statistics.texts()), Array(statistic.iter()))?;
        }
        let pairs = left_out.iter().map(|(node, (count, visits))| format!("\"{node}\":[{count},{visits}]"));
        write!(f, ",\"hidden\":{{{}}}", pairs.collect::<Vec<_>>().join(","))?;
        write!(f, ",\"best\":{}", Array(best.iter()))?;
        if self.format.is_some() {
            write!(f, ",\"lines\":{}", texts(lines.texts()))?;
            let drawings = (0..nodes.len()).map(|index| Array(self.nodes.changes(index).into_iter()));
            write!(f, ",\"drawing\":{}", Array(drawings))?;
        }
        match self.history.filter(|history| !history.is_empty()) {
            Some(history) => write_history(f, history)?,
            None => f.write_str(",\"history\":null")?,
        }
        f.write_str("}")
    }
}

fn write_history(f: &mut Formatter<'_>, history: &RootHistory) -> fmt::Result {
    let moments = history.moments();
    write!(f, ",\"history\":{{\"actions\":{}", texts(history.actions()))?;
    write!(f, ",\"visits\":{}", Array(moments.iter().map(|moment| moment.visits)))?;
    let totals: Vec<u64> = moments
        .iter()
        .map(|moment| moment.actions.iter().map(|&(visits, _)| u64::from(visits)).sum())
        .collect();
    let share =
        |at: usize, action: usize| f64::from(moments[at].actions[action].0) as f32 / totals[at].max(1) as f32;
    let mean = |at: usize, action: usize| match moments[at].actions[action] {
        (0, _) => "null".to_owned(),
        (_, mean) => Number(mean).to_string(), // for a simulator in its own units
    };
    let all = 0..moments.len();
    let shares = (0..history.actions().len())
        .map(|action| Array(all.clone().map(move |at| Number(share(at, action)))));
    write!(f, ",\"shares\":{}", Array(shares))?;
    let means = (0..history.actions().len()).map(|action| Array(all.clone().map(move |at| mean(at, action))));
    write!(f, ",\"means\":{}}}", Array(means))
}

fn texts(texts: &[String]) -> impl Display {
    Array(texts.iter().map(|text| Text(text)))
}

/// A text in HTML.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '&' => f.write_str("&amp;")?,
                _ => write!(f, "{character}")?,
            }
        }
        Ok(())
    }
}
