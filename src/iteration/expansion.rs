//! The settings of the expansion: when a node gets children, how many, and in which order they are tried.
//! `expand.rs` applies them.

use crate::math;
use crate::parameter::ParameterError;
use crate::selection::FirstPlay;

/// The settings of the expansion: when a node gets children, how many, in which order, and the urgency of an
/// unvisited child.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::{Expansion, Order};
/// let expansion = Expansion::default().on_visit(5).order(Order::AsListed).widening(2.0, 0.5);
/// let mut search = Mcts::new(ramure_games::Connect4::new()).expansion(expansion);
/// search.run(Budget::iterations(100))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[must_use = "these settings do nothing until you pass them to a search"]
pub struct Expansion {
    pub(crate) on_visit: Option<u32>,
    pub(crate) depth: Option<u32>,
    pub(crate) order: Order,
    pub(crate) widening: Option<(f64, f64)>,
    pub(crate) outcome_widening: Option<(f64, f64)>,
    pub(crate) first_play: Option<FirstPlay>,
}

/// The default widening of sampled actions: scale and exponent.
const SAMPLED_ACTIONS: (f64, f64) = (2.0, 0.5);

/// The order in which the children of a node are created, and so first visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Order {
    /// A random order, different for each node. The default, because a systematic order would bias the
    /// search.
    #[default]
    Random,
    /// The order of `GameState::actions`: for games that list good actions first. It decides nothing for a
    /// policy that draws its choice, such as [`Thompson`](crate::selection::Thompson).
    AsListed,
    /// The greatest prior first; ties are in random order. For tree policies that have priors
    /// ([`Puct`](crate::selection::Puct)) or heuristic values
    /// ([`ProgressiveBias`](crate::selection::ProgressiveBias)). With any other tree policy a run returns
    /// [`SearchError::NoPriors`](crate::SearchError::NoPriors).
    Prior,
}

impl Expansion {
    /// Sets the visit on which a node gets children, at least 1. \[Default: the second visit; with priors the
    /// first\]
    ///
    /// A later visit saves memory, but makes the tree shallower. The root has children from the start. At
    /// most one node gets children per iteration: with 1, a child created in an iteration gets its own
    /// children on its second visit at the earliest.
    pub const fn on_visit(mut self, visit: u32) -> Self {
        self.on_visit = Some(visit);
        self
    }

    /// Sets the greatest depth, in plies below the current root, at least 1. An iteration that reaches it
    /// ends there with a rollout or an evaluation, as at any other leaf. \[Default: no limit\]
    ///
    /// The horizon moves with the root: after an [`advance`](crate::Mcts::advance), nodes that were too deep
    /// get children. The game goes on there, so the search proves nothing. A node at the horizon is evaluated
    /// again at each visit. The depth does not shorten rollouts; [`Cutoff`](crate::simulation::Cutoff) does,
    /// and [`Evaluate`](crate::simulation::Evaluate) plays none.
    ///
    /// An outcome of chance is a ply if it is a node of the tree. Where positions are shared, the line of
    /// play of the iteration counts, even if a shorter one leads to the same position. With a tree for each
    /// player, an iteration does not end within a step of simultaneous moves.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// use ramure::Expansion;
    /// use ramure_games::Connect4;
    /// let mut search = Mcts::new(Connect4::new()).expansion(Expansion::default().depth(3));
    /// let report = search.run(Budget::iterations(2_000))?;
    /// assert_eq!(report.depth, 3);
    /// search.advance(report.best_action())?;
    /// assert_eq!(search.run(Budget::iterations(2_000))?.depth, 3); // one ply further into the game
    /// # Ok::<(), SearchError>(())
    /// ```
    pub const fn depth(mut self, plies: u32) -> Self {
        self.depth = Some(plies);
        self
    }

    /// Sets the order in which children are tried. \[Default: random\]
    pub const fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// Turns on progressive widening: at a node with `N` visits, the search considers `⌈scale · N^exponent⌉`
    /// children, and at least one. `scale` is above 0, `exponent` is in [0, 1]. For games with very many
    /// actions. \[Default: the search considers all children\]
    ///
    /// The [`order`](Self::order) determines which children come first; with [`Order::Prior`] this is
    /// progressive unpruning. At a chance node it considers all outcomes. In a search of a
    /// [`Sampled`](crate::search::Sampled), this is the most actions that it samples there. \[Default for a
    /// `Sampled`: `2 N^0.5`\]
    ///
    /// **Source:** Coulom, *Computing Elo Ratings of Move Patterns in the Game of Go*, 2007; unpruning:
    /// Chaslot et al., *Progressive Strategies for Monte-Carlo Tree Search*, 2008; this form: Couëtoux et
    /// al., *Continuous Upper Confidence Trees*, 2011.
    pub const fn widening(mut self, scale: f64, exponent: f64) -> Self {
        self.widening = Some((scale, exponent));
        self
    }

    /// Sets how many outcomes a chance node may have in a search of a [`Sampled`](crate::search::Sampled): at
    /// most `⌈scale · N^exponent⌉` after `N` visits. `scale` is above 0, `exponent` is in [0, 1]. Any other
    /// search considers all outcomes; with this setting, its run returns an error. \[Default: `N^0.5`; for a
    /// [`Planning`](crate::search::Planning) `3 N^0.5`\]
    pub const fn outcome_widening(mut self, scale: f64, exponent: f64) -> Self {
        self.outcome_widening = Some((scale, exponent));
        self
    }

    /// Sets the first-play urgency, which decides when an unvisited child is tried. \[Default: that of the
    /// tree policy, mostly [`FirstPlay::Infinite`]\]
    ///
    /// With a tree policy that handles unvisited children itself ([`Thompson`](crate::selection::Thompson)),
    /// a run returns [`SearchError::FirstPlayUnused`](crate::SearchError::FirstPlayUnused).
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
        let depth = self.depth.unwrap_or(1);
        ParameterError::unless(depth >= 1, "Expansion::depth", f64::from(depth), "at least 1")?;
        let [actions, outcomes] = [
            ["Expansion::widening, scale", "Expansion::widening, exponent"],
            ["Expansion::outcome_widening, scale", "Expansion::outcome_widening, exponent"],
        ];
        for (widening, [scale_name, exponent_name]) in
            [(self.widening, actions), (self.outcome_widening, outcomes)]
        {
            if let Some((scale, exponent)) = widening {
                let fits = scale > 0.0 && scale < f64::INFINITY;
                ParameterError::unless(fits, scale_name, scale, "finite and above 0")?;
                let fits = (0.0..=1.0).contains(&exponent);
                ParameterError::unless(fits, exponent_name, exponent, "in [0, 1]")?;
            }
        }
        self.first_play.map_or(Ok(()), FirstPlay::check)
    }

    /// Checks that widening is off.
    pub(crate) fn check_unwidened(&self) -> Result<(), ParameterError> {
        let scale = self.widening.map_or(0.0, |(scale, _)| scale);
        let range = "off for an `InformationSet` or an `OpenLoop`";
        ParameterError::unless(self.widening.is_none(), "Expansion::widening, scale", scale, range)
    }

    /// Checks that outcomes are not widened, which only a search of sampled outcomes does.
    pub(crate) fn check_listed(&self) -> Result<(), ParameterError> {
        let scale = self.outcome_widening.map_or(0.0, |(scale, _)| scale);
        let fits = self.outcome_widening.is_none();
        ParameterError::unless(
            fits,
            "Expansion::outcome_widening, scale",
            scale,
            "off, except for a `Sampled`",
        )
    }

    /// Returns these settings with the default widening of sampled actions, and this one of outcomes.
    pub(crate) fn sampled(mut self, outcomes: (f64, f64)) -> Self {
        self.widening = self.widening.or(Some(SAMPLED_ACTIONS));
        self.outcome_widening = self.outcome_widening.or(Some(outcomes));
        self
    }

    /// Returns the visit on which a node gets children.
    #[inline(always)]
    pub(crate) fn visit(&self, default: u32) -> u32 {
        self.on_visit.unwrap_or(default)
    }

    /// Returns the most plies of an iteration in the tree.
    pub(crate) fn horizon(&self) -> usize {
        self.depth.map_or(usize::MAX, |plies| plies as usize)
    }

    /// Returns the order in which children are tried.
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

    /// Returns how many children the search considers at a node with this many visits.
    #[inline(always)]
    pub(crate) fn width(&self, visits: u32) -> usize {
        width(self.widening, visits)
    }

    /// Returns how many children the search considers at every node, if this does not grow with the visits.
    pub(crate) fn constant_width(&self) -> Option<usize> {
        self.widening.filter(|&(_, exponent)| exponent == 0.0).map(|_| self.width(1))
    }

    /// Returns how many outcomes a chance node may have with this many visits, in a search of sampled
    /// outcomes.
    #[inline(always)]
    pub(crate) fn outcome_width(&self, visits: u32) -> usize {
        width(self.outcome_widening, visits)
    }
}

#[inline(always)]
fn width(widening: Option<(f64, f64)>, visits: u32) -> usize {
    match widening {
        None => usize::MAX,
        Some((scale, exponent)) => {
            let width = (scale * math::pow(f64::from(visits), exponent)).ceil();
            if width < 1.0 { 1 } else { width as usize }
        }
    }
}
