//! Searches over several processes: what they agree on before each run.

use crate::backpropagation::Backprop;
use crate::game::{GameState, Rng, Turn};
use crate::iteration::FedBy;
use crate::parameter::ParameterError;
use crate::run::budget::{Budget, Every};
use crate::run::clock::WallClock;
use crate::run::error::SearchError;
use crate::run::report::Report;
use crate::search::engine::forest::bounds::{ForestBackprop, ForestPolicy, ForestSpace};
use crate::search::engine::forest::link::{Carrier, Link, Linked, malformed, trees_of};
use crate::search::engine::forest::wire::{Malformed, Reader, write_text, write_u32};
use crate::search::engine::forest::{Forest, Grove, MOST_TREES};
use crate::search::engine::panics::guarded;
use crate::search::engine::{Pace, Run, Single, Trees};
use crate::search::mcts::Mcts;
use crate::selection::TreePolicy;
use crate::simulation::RolloutPolicy;
use crate::space::{ActionOf, NodeKind, Space};
use crate::statistics::Pack;
use core::any::type_name;
use core::ops::Range;

/// The trees of other ranks.
pub(crate) struct Ranks<'l, P, B> {
    pub carrier: &'l mut dyn Carrier<P, B>,
    /// The trees of this rank.
    pub own: Range<usize>,
    /// The visits of the root on the first rank.
    pub visits: u32,
}

/// How many random games describe a position, and how many actions of each.
const GAMES: usize = 4;
const ACTIONS: usize = 64;

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>, E: Single<S, P, R, B>>
    Mcts<S, P, R, B, Forest<E>>
{
    /// Searches as [`run`](Self::run) does, together with other processes, the ranks of `link`. The trees are
    /// spread evenly over the ranks, in their order. All ranks must call this, with the same settings and the
    /// same budget.
    ///
    /// With a budget of iterations, the result is the same, to the bit, however the trees are spread over
    /// ranks and threads. A run by time ends on all ranks at the exchange after the first of them has used up
    /// the time. A [stop handle](Self::stop_handle) of any rank stops all of them.
    ///
    /// All ranks return the same iterations, visits and means. The line of play is that of each rank's first
    /// tree. Nodes and bytes of other trees are those before the last exchange. The [memory
    /// limit](crate::Mcts::memory_limit) is for the trees of all ranks together. Between two runs, all ranks
    /// must call [`advance`](Self::advance) with the same action. Ranks other than the first take what they
    /// know from runs over the link; they lose what they have found in runs alone.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`run`](Self::run); [`SearchError::RanksDiffer`] if the ranks do not search the
    /// same state with the same settings, [`SearchError::OtherRank`] if another rank failed, and
    /// [`SearchError::Link`] if the link did. An error if there are fewer trees than ranks.
    pub fn run_linked(
        &mut self,
        budget: Budget,
        link: &mut dyn Link,
    ) -> Result<Report<ActionOf<S>>, SearchError>
    where
        Grove<S, P, R, E::Backprop, E>: RunLinked<S>,
    {
        self.trees.run_linked(budget, link)
    }
}

/// Trees that can search together with those of other processes.
pub trait RunLinked<S: Space> {
    fn run_linked(&mut self, budget: Budget, link: &mut dyn Link)
    -> Result<Report<ActionOf<S>>, SearchError>;
}

impl<S, P, R, B, L> RunLinked<S> for Grove<S, P, R, B, L>
where
    S: ForestSpace,
    P: ForestPolicy<S::Game> + FedBy<S::Game, R>,
    P::Stats: Pack,
    R: RolloutPolicy<S::Game> + Clone + Send,
    B: ForestBackprop<S::Game>,
    B::Stats: Pack,
    L: Pace<S, P, R, B>,
{
    fn run_linked(
        &mut self,
        budget: Budget,
        link: &mut dyn Link,
    ) -> Result<Report<ActionOf<S>>, SearchError> {
        let clock = WallClock::start();
        let (rank, ranks, trees) = (link.rank(), link.ranks(), self.forest.trees);
        if ranks <= 1 {
            return self.run(budget, Every::Iterations(u64::MAX), &mut |_| {});
        }
        let mut linked = Linked { link, trees, message: Vec::new() };
        let fits = self.check().and_then(|()| Ok(self.forest.each.check()?)).and_then(|()| {
            let range = "1 if positions are shared; use `run`, which searches on this rank alone";
            ParameterError::unless(!S::ARE_POSITIONS, "Link::ranks", ranks as f64, range)?;
            let fits = (ranks..=MOST_TREES).contains(&trees);
            Ok(ParameterError::unless(fits, "Mcts::parallel", trees as f64, "at least the number of ranks")?)
        });
        if let Err(error) = fits {
            linked.fail(&error);
            return Err(error);
        }
        let range = trees_of(rank, ranks, trees);
        let settings = guarded(|| {
            self.place(range.clone())?;
            Ok(self.settings_of_all(budget))
        });
        let settings = settings.inspect_err(|error| linked.fail(error))?;
        let is_consistent = self.is_consistent;
        let own = Greeting {
            visits: self.first().root_visits(),
            joined: self.joined as u32,
            trunk: (self.members[0].trunk.visits(), self.members[0].trunk.len() as u32),
            is_consistent,
        };
        linked.message = own.write(&settings);
        linked.send()?;
        let (mut visits, mut is_consistent) = (own.visits, is_consistent);
        for other in (0..ranks).filter(|&other| other != rank) {
            linked.receive(other)?;
            let greeting = Greeting::read(Reader(&linked.message), &settings, other)?;
            is_consistent &=
                greeting.is_consistent && (greeting.trunk, greeting.joined) == (own.trunk, own.joined);
            if other == 0 {
                visits = greeting.visits;
            }
        }
        if !is_consistent {
            self.keep_first();
            if rank > 0 {
                self.members[0].search.clear();
            }
        }
        let ranks = Ranks { carrier: &mut linked, own: range, visits };
        self.run_on(budget, Every::Iterations(u64::MAX), &mut |_| {}, &clock, Some(ranks))
    }
}

impl<S, P, R, B, L> Grove<S, P, R, B, L>
where
    S: Space,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
    B: Backprop<S::Game>,
    L: Pace<S, P, R, B>,
{
    /// Returns what must be the same on all ranks, each with its name.
    fn settings_of_all(&self, budget: Budget) -> Vec<(&'static str, String)> {
        let first = self.first();
        vec![
            ("the version of ramure", env!("CARGO_PKG_VERSION").into()),
            ("the type of the search", type_name::<(S, P, R, B, Forest<L>)>().into()),
            ("the number of trees", self.forest.trees.to_string()),
            ("the exchange", format!("{:?}", self.forest.exchange)),
            ("the window of each tree", self.forest.each.setting()),
            ("the expansion", format!("{:?}", first.expansion)),
            ("the root decision", format!("{:?}", first.decision)),
            ("the actions at the root", format!("{:?}", first.root_actions)),
            ("the seed", self.seed.to_string()),
            ("the memory limit", self.memory_limit.to_string()),
            ("the budget", format!("{budget:?}")),
            ("the player who acted before the root", first.chooser.to_string()),
            ("the root state", description(first.root())),
        ]
    }
}

/// Describes a state by what a few random games from it look like: there is no other way that works for all
/// games.
fn description<G: GameState>(state: &G) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64; // FNV-1a
    let mut add = |text: &str| {
        for byte in text.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    };
    let mut rng = Rng::seeded(0);
    for _ in 0..GAMES {
        let mut state = state.clone();
        for _ in 0..ACTIONS {
            let turn = state.turn();
            add(&format!("{turn:?}"));
            if turn == Turn::Over {
                break;
            }
            let mut actions = Vec::from_iter(state.actions());
            add(&format!("{actions:?}"));
            if actions.is_empty() {
                break;
            }
            state.apply(actions.swap_remove(rng.below(actions.len())));
        }
    }
    format!("a game with the fingerprint {hash:016x}")
}

/// What the ranks tell each other before a run.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Greeting {
    /// The visits of the root.
    visits: u32,
    /// How many trees have joined.
    joined: u32,
    /// The visits and the nodes of the trunk.
    trunk: (u32, u32),
    is_consistent: bool,
}

/// The first byte of a greeting. No other message begins with it.
const GREETING: u8 = 4;

impl Greeting {
    fn write(self, settings: &[(&'static str, String)]) -> Vec<u8> {
        let mut message = vec![GREETING];
        write_u32(&mut message, settings.len() as u32);
        for (name, value) in settings {
            write_text(&mut message, name);
            write_text(&mut message, value);
        }
        write_u32(&mut message, self.visits);
        write_u32(&mut message, self.joined);
        write_u32(&mut message, self.trunk.0);
        write_u32(&mut message, self.trunk.1);
        message.push(u8::from(self.is_consistent));
        message
    }

    /// Reads the greeting of `rank` and compares its settings with those of this one.
    fn read(
        mut from: Reader<'_>,
        settings: &[(&'static str, String)],
        rank: usize,
    ) -> Result<Self, SearchError> {
        let malformed = malformed(rank);
        if from.u8().map_err(&malformed)? != GREETING {
            return Err(malformed(Malformed));
        }
        let count = from.u32().map_err(&malformed)? as usize;
        // The version comes first, so another version is named before anything else that it changed.
        for (what, here) in settings.iter().take(count) {
            let (name, there) = (from.text().map_err(&malformed)?, from.text().map_err(&malformed)?);
            if name != *what || there != here {
                let what = (*what).into();
                return Err(SearchError::RanksDiffer {
                    rank,
                    what,
                    here: here.as_str().into(),
                    there: there.into(),
                });
            }
        }
        if count != settings.len() {
            return Err(malformed(Malformed));
        }
        let mut read = || {
            let (visits, joined, trunk) = (from.u32()?, from.u32()?, (from.u32()?, from.u32()?));
            Ok(Greeting { visits, joined, trunk, is_consistent: from.u8()? != 0 })
        };
        read().map_err(malformed)
    }
}
