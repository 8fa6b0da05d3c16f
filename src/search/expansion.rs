//! Expansion: when a node gets children, how many, and in which order they are tried.

use crate::math;
use crate::parameter::ParameterError;
use crate::selection::FirstPlay;

/// Expansion: when a node gets children, how many at first, in which order, and what an untried one counts.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::{Expansion, Order};
/// let expansion = Expansion::default().on_visit(5).order(Order::AsListed).widening(2.0, 0.5);
/// let mut search = Mcts::new(ramure::games::Connect4::new()).expansion(expansion);
/// search.run(Budget::iterations(100))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Expansion {
    on_visit: Option<u32>,
    order: Order,
    widening: Option<(f64, f64)>,
    first_play: Option<FirstPlay>,
}

/// In which order the children of a node are made, and so first visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Order {
    /// In a random order, for each node another. The default: an order that says something would bias the search.
    #[default]
    Random,
    /// In the order of `GameState::actions`: for games that list good actions first.
    AsListed,
    /// The greatest prior first, a random order among equals: for tree policies that keep priors
    /// ([`Puct`](crate::selection::Puct)) or heuristic values ([`ProgressiveBias`](crate::selection::ProgressiveBias)); with any
    /// other a run is an error, [`SearchError::NoPriors`](crate::SearchError::NoPriors).
    Prior,
}

impl Expansion {
    /// A node gets children on its `visit`-th visit, at least the first. \[Default: the second; with priors the first\]
    ///
    /// Later saves memory, at the price of a more shallow tree. The root has them from the start. At most one node gets
    /// children in an iteration: with 1, a child that was made in the same iteration waits for its second visit.
    pub const fn on_visit(mut self, visit: u32) -> Self {
        self.on_visit = Some(visit);
        self
    }

    /// The order in which children are tried. \[Default: random\]
    pub const fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// Progressive widening: a node with `N` visits shows `⌈scale · N^exponent⌉` children, at least one; `scale` above 0,
    /// `exponent` in [0, 1]. For games with very many actions. \[Default: all are shown\]
    ///
    /// Which are shown first is up to the [`order`](Self::order), also with priors: with [`Order::Prior`] this is progressive
    /// unpruning. Outcomes of chance are all there. **Source:** Coulom, *Computing Elo Ratings of Move Patterns in the Game
    /// of Go*, 2007; unpruning: Chaslot et al., *Progressive Strategies for Monte-Carlo Tree Search*, 2008; in this form
    /// Couëtoux et al., *Continuous Upper Confidence Trees*, 2011.
    pub const fn widening(mut self, scale: f64, exponent: f64) -> Self {
        self.widening = Some((scale, exponent));
        self
    }

    /// First-play urgency: when a child never visited is tried. \[Default: as the tree policy likes,
    /// mostly [`FirstPlay::Infinite`]\]
    ///
    /// A policy that has its own way with such children ([`Thompson`](crate::selection::Thompson)) makes it an error.
    pub const fn first_play(mut self, first_play: FirstPlay) -> Self {
        self.first_play = Some(first_play);
        self
    }

    /// Checks the parameters, as a run does.
    ///
    /// # Errors
    ///
    /// Returns the first parameter that is out of its range.
    pub fn check(&self) -> Result<(), ParameterError> {
        let visit = self.on_visit.unwrap_or(1);
        ParameterError::unless(visit >= 1, "Expansion::on_visit", f64::from(visit), "at least 1")?;
        if let Some((scale, exponent)) = self.widening {
            let fits = scale > 0.0 && scale < f64::INFINITY;
            ParameterError::unless(fits, "Expansion::widening, scale", scale, "finite and above 0")?;
            let fits = (0.0..=1.0).contains(&exponent);
            ParameterError::unless(fits, "Expansion::widening, exponent", exponent, "in [0, 1]")?;
        }
        self.first_play.map_or(Ok(()), FirstPlay::check)
    }

    /// The visit on which a node gets children.
    #[inline(always)]
    pub(crate) fn visit(&self, default: u32) -> u32 {
        self.on_visit.unwrap_or(default)
    }

    /// The order in which children are tried.
    #[inline(always)]
    pub(crate) fn tries(&self) -> Order {
        self.order
    }

    #[inline(always)]
    pub(crate) fn urgency(&self) -> Option<FirstPlay> {
        self.first_play
    }

    #[inline(always)]
    pub(crate) fn is_widened(&self) -> bool {
        self.widening.is_some()
    }

    /// How many children a node with this many visits shows.
    #[inline(always)]
    pub(crate) fn width(&self, visits: u32) -> usize {
        match self.widening {
            None => usize::MAX,
            Some((scale, exponent)) => {
                let width = (scale * math::pow(f64::from(visits), exponent)).ceil();
                if width < 1.0 { 1 } else { width as usize }
            }
        }
    }
}
