//! The settings of a search besides its policies.

use super::error::ReadError;
use super::parameters::Parameters;
use super::text;
use core::ops::{Bound, RangeInclusive};
use ramure::backpropagation::Backprop;
use ramure::search::{self, Space, Threads, Unobserved};
use ramure::selection::{FirstPlay, Needs, TreePolicy};
use ramure::simulation::RolloutPolicy;
use ramure::statistics::Statistics;
use ramure::{Bytes, Expansion, GameState, Mcts, Order, RootDecision};

/// The settings of a search that do not change its type.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub solver: bool,
    expansion: Expansion,
    /// `None` leaves the decision to the tree policy.
    pub decision: Option<RootDecision>,
    memory_limit: Option<Bytes>,
    pub window: Option<Window>,
    /// Whether the search shares positions, and which.
    pub graph: Option<GraphOf>,
}

/// The states that are one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GraphOf {
    /// States with the same key.
    Positions,
    /// States with the same key, and their mirror images.
    MirrorImages,
}

/// The leaves that a search holds at a time, the threads that simulate them, and what the search assumes of
/// their rewards.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// `None` leaves it to the search: so many for each thread.
    size: Option<usize>,
    threads: usize,
    unobserved: Unobserved,
}

/// The most threads.
const MOST_THREADS: u64 = 4096;

/// The most leaves of a window.
const MOST_LEAVES: u64 = 1 << 16;

/// Above 0.
pub(super) const ABOVE_0: (Bound<f64>, Bound<f64>) = (Bound::Excluded(0.0), Bound::Unbounded);

/// Above 0, and at most 1000.
pub(super) const ABOVE_0_TO_1000: (Bound<f64>, Bound<f64>) = (Bound::Excluded(0.0), Bound::Included(1000.0));

/// The constants of selection values.
pub(super) const CONSTANT: RangeInclusive<f64> = 0.0..=1000.0;

/// Above 0, and below 1.
pub(super) const BETWEEN_0_AND_1: (Bound<f64>, Bound<f64>) = (Bound::Excluded(0.0), Bound::Excluded(1.0));

/// Above 0, and 1 at most.
pub(super) const UP_TO_1: (Bound<f64>, Bound<f64>) = (Bound::Excluded(0.0), Bound::Included(1.0));

/// The properties of a tree policy on which the settings depend.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wants {
    /// The value of an unvisited child; `None` if the policy does not use it.
    pub first_play: Option<FirstPlay>,
    /// Whether children have priors.
    pub priors: bool,
    /// Whether the policy plans ahead for the iterations of a run.
    pub iterations: bool,
}

impl Wants {
    /// Returns the properties of a policy that does not read priors.
    pub fn of<G: GameState, P: TreePolicy<G>>() -> Self {
        Wants { first_play: P::FIRST_PLAY, priors: false, iterations: P::NEEDS == Needs::Iterations }
    }
}

impl Settings {
    /// Reads the settings from the parameters. `proves` is whether the search proves by default: as in code,
    /// another backpropagation replaces the default one with its proofs.
    pub fn read(parameters: &mut Parameters, wants: Wants, proves: bool) -> Result<Self, ReadError> {
        let about = "proves wins, draws and losses; no by default if backprop is not average";
        let solver = parameters.flag("solver", about, proves)?;
        let decision = decision(parameters)?;
        let mut expansion = expansion(parameters, wants)?;
        if let Some(default) = wants.first_play {
            expansion = expansion.first_play(first_play(parameters)?.unwrap_or(default));
        }
        let memory_limit = parameters.bytes("memory", "the most memory of the tree")?;
        let window = window(parameters)?;
        let graph = graph(parameters)?;
        expansion.check()?;
        decision.map_or(Ok(()), RootDecision::check)?;
        Ok(Settings { solver, expansion, decision, memory_limit, window, graph })
    }

    /// Whether the final action is the most visited one.
    pub fn is_robust(&self) -> bool {
        matches!(self.decision, None | Some(RootDecision::Robust))
    }

    /// Applies the settings to a search with a window.
    pub fn set_window<S, P, R, B>(
        &self,
        window: Window,
        search: Mcts<S, P, R, B>,
        seed: u64,
    ) -> Mcts<S, P, R, B, search::Window<Threads>>
    where
        S: Space,
        P: TreePolicy<S::Game, Stats: Statistics<S::Game, R>>,
        R: RolloutPolicy<S::Game>,
        B: Backprop<S::Game>,
    {
        let search = self.set(search, seed);
        let search = match window.size {
            Some(size) => search.window(size).threads(window.threads),
            None => search.threads(window.threads),
        };
        search.unobserved(window.unobserved)
    }

    /// Applies the settings to a search without a window.
    pub fn set<S, P, R, B>(&self, mut search: Mcts<S, P, R, B>, seed: u64) -> Mcts<S, P, R, B>
    where
        S: Space,
        P: TreePolicy<S::Game>,
        R: RolloutPolicy<S::Game>,
        B: Backprop<S::Game>,
    {
        search = search.expansion(self.expansion).seed(seed);
        if let Some(decision) = self.decision {
            search = search.root_decision(decision);
        }
        match self.memory_limit {
            Some(limit) => search.memory_limit(limit),
            None => search,
        }
    }
}

/// Which action to play in the end; `None` leaves it to the tree policy.
fn decision(parameters: &mut Parameters) -> Result<Option<RootDecision>, ReadError> {
    let about = "the final decision; policy is robust unless the policy has its own way; max-robust has patience=1, \
                 secure a=1, temperature t=1, within by=0.05";
    let options = ["policy", "robust", "max", "max-robust", "secure", "temperature", "within"];
    Ok(match parameters.choice("final", about, &options)? {
        "robust" => Some(RootDecision::Robust),
        "max" => Some(RootDecision::Max),
        "max-robust" => {
            let about = "for final=max-robust, the share by which the budget may be exceeded";
            Some(RootDecision::MaxRobust(parameters.number("patience", about, 1.0, 0.0..)? as f32))
        }
        "secure" => {
            Some(RootDecision::Secure(parameters.number("a", "for final=secure", 1.0, 0.0..)? as f32))
        }
        "temperature" => {
            let temperature = parameters.number("t", "for final=temperature", 1.0, ABOVE_0)?;
            Some(RootDecision::Temperature(temperature as f32))
        }
        "within" => {
            let about = "for final=within, how much less the mean of an action may be than that of the most visited one";
            Some(RootDecision::Within(parameters.number("by", about, 0.05, 0.0..=1.0)? as f32))
        }
        _ => None,
    })
}

/// The window, if the text sets its size or the number of threads.
fn window(parameters: &mut Parameters) -> Result<Option<Window>, ReadError> {
    let about = "the threads of the search; its window is then 4 for each, unless it is set";
    let threads = parameters.optional_count("threads", about, 1..=MOST_THREADS)?;
    let about = "the leaves that a search finds before it uses their rewards; unobserved=loss";
    let size = parameters.optional_count("window", about, 1..=MOST_LEAVES)?;
    if threads.is_none() && size.is_none() {
        return Ok(None);
    }
    let about = "for threads and window, what counts for a visit until its reward arrives";
    let unobserved = match parameters.choice("unobserved", about, &["loss", "mean"])? {
        "mean" => Unobserved::Mean,
        _ => Unobserved::Loss,
    };
    let (size, threads) = (size.map(|size| size as usize), threads.unwrap_or(1) as usize);
    Ok(Some(Window { size, threads, unobserved }))
}

/// Whether the search shares positions.
fn graph(parameters: &mut Parameters) -> Result<Option<GraphOf>, ReadError> {
    let about = "shares positions that are reached in several ways, with policy=ucb1; mirror shares mirror images, too";
    Ok(match parameters.choice("transpositions", about, &["no", "yes", "mirror"])? {
        "yes" => Some(GraphOf::Positions),
        "mirror" => Some(GraphOf::MirrorImages),
        _ => None,
    })
}

fn expansion(parameters: &mut Parameters, wants: Wants) -> Result<Expansion, ReadError> {
    let orders: &[&str] = if wants.priors { &["random", "listed", "prior"] } else { &["random", "listed"] };
    let order = match parameters.choice("order", "the order of new children", orders)? {
        "listed" => Order::AsListed,
        "prior" => Order::Prior,
        _ => Order::Random,
    };
    let about = "the visit on which a node is expanded";
    let visit = parameters.count("expand", about, if wants.priors { 1 } else { 2 }, 1..)?;
    // A node cannot count more visits, so it is never expanded.
    let mut expansion = Expansion::default().order(order).on_visit(u32::try_from(visit).unwrap_or(u32::MAX));
    let about = "the greatest depth of the tree below the root; no limit, unless it is set";
    if let Some(plies) = parameters.optional_count("depth", about, 1..)? {
        expansion = expansion.depth(u32::try_from(plies).unwrap_or(u32::MAX));
    }
    let about = "progressive widening: this times N^exponent children; exponent=0.5";
    let Some(scale) = parameters.optional_number("widen", about, ABOVE_0)? else { return Ok(expansion) };
    let exponent = parameters.number("exponent", "for widen", 0.5, 0.0..=1.0)?;
    Ok(expansion.widening(scale, exponent))
}

/// The value of an unvisited child, if the text sets it.
fn first_play(parameters: &mut Parameters) -> Result<Option<FirstPlay>, ReadError> {
    let below = "mean-";
    let read = |text: &str| {
        let (kind, digits): (fn(f32) -> FirstPlay, _) = match text.strip_prefix(below) {
            Some(digits) => (FirstPlay::BelowMean, digits),
            None => (FirstPlay::Value, text),
        };
        let value = text::number(digits).filter(|value| (0.0..=1.0).contains(value))?;
        Some(kind(value as f32))
    };
    let write = |first_play: &FirstPlay| match *first_play {
        FirstPlay::Value(value) => value.to_string(),
        FirstPlay::BelowMean(value) => format!("{below}{value}"),
        // `read` gives no other.
        _ => String::new(),
    };
    let about = "the value of an unvisited child, unless it is tried before all others";
    let values = "a number from 0 to 1, or below the mean of its siblings as mean-0.1";
    parameters.ask("fpu", about, values, None, read, write)
}

#[cfg(test)]
mod tests {
    use super::super::parameters::{Parameters, is_reserved};
    use super::{FirstPlay, Settings, Wants};

    #[test]
    fn no_part_can_take_the_name_of_a_setting() {
        let wants = Wants { first_play: Some(FirstPlay::Infinite), priors: true, iterations: false };
        let asked = Parameters::sample("", |parameters| Settings::read(parameters, wants, true).err());
        assert!(asked.iter().any(|asked| asked.name == "threads"));
        for asked in asked {
            assert!(is_reserved(&asked.name), "{} is not reserved", asked.name);
        }
    }
}
