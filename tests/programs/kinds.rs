//! The kinds of searches: a space, an engine and lists of policies each, of which programs choose. Each kind compiles one search loop.

use super::policies::{AnyRollout, Averages, Derives, Lean, Priors, Rewarded, Seeing};
use super::program::{Program, Settings};
use super::runner::Beside;
use super::space::TableSpace;
use super::subject::{Asked, NodeSeen, Special, Subject, asked, nodes, unobserved};
use super::table::{Owned, Position, Walk, World};
use super::twin::Follower;
use crate::backpropagation::{
    Average, Contempt, Discounted, MaxBackup, PowerMean, RecencyWeighted, ScoreBounds, SoftmaxBackup, Solver,
};
use crate::saved::FileError;
use crate::search::{
    InformationSet, MirrorImages, OpenLoop, Planning, PlayerTrees, Sampled, Threads, Ticket, Transpositions,
    Window,
};
use crate::selection::{
    AtRoot, AvailabilityUcb1, Boltzmann, CompletedValues, Dirichlet, EpsilonGreedy, Exp3, Exploration,
    GaussianThompson, Gumbel, KlUcb, Moss, Puct, SequentialHalving, Thompson, Ucb1, Ucb1Tuned, UcbV,
};
use crate::simulation::{Cutoff, Evaluate, LastGoodReply, Mast, MultipleRollouts, Uniform};
use crate::space::ActionOf;
use crate::{Mcts, Rewards, SearchError};
use std::sync::Arc;

/// What a program searches, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Lines,
    LinesOwned,
    Graph,
    Mirror,
    Guesses,
    Open,
    Sampled,
    Planning,
    Asks,
    GraphThreads,
    Threads,
    PlayerTrees,
}

type Lines = Mcts<Position<u8>, Rewarded, AnyRollout<u8>, Averages>;
type LinesOwned = Mcts<Position<Owned>, Seeing, AnyRollout<Owned>, Derives>;
type Graph = Mcts<Transpositions<Position<u8>>, Rewarded, AnyRollout<u8>, Averages>;
type Mirror = Mcts<MirrorImages<Position<Owned>>, Rewarded, Uniform, Averages>;
type Guesses = Mcts<InformationSet<Position<Owned>>, Seeing, AnyRollout<Owned>, Lean>;
type Open = Mcts<OpenLoop<Position<u8>>, Seeing, Uniform, Lean>;
type Samples = Mcts<Sampled<Position<Owned>>, Rewarded, Uniform, Lean>;
type Plans = Mcts<Planning<Walk<u8>>, Rewarded, Uniform, Average>;
type Asks = Mcts<Position<u8>, Priors, AnyRollout<u8>, Averages, Window>;
type GraphThreads =
    Mcts<Transpositions<Position<Owned>>, Priors, AnyRollout<Owned>, Averages, Window<Threads>>;
type OwnedThreads = Mcts<Position<Owned>, Priors, AnyRollout<Owned>, Derives, Window<Threads>>;
type Players = Mcts<InformationSet<Position<u8>>, Seeing, AnyRollout<u8>, Average, PlayerTrees>;

macro_rules! special {
    ($($kind:ty: $($what:ident)*;)+) => { $( impl Special for $kind { special!(@moves $kind); $( special!(@$what $kind); )* } )+ };
    (@moves $kind:ty) => {
        fn moved_to(&mut self, action: ActionOf<Self::Space>, space: Self::Space) -> Result<(), SearchError> {
            <$kind>::advance_to(self, action, space)
        }
    };
    (@tree $kind:ty) => {
        fn seen_tree(&self, depth: usize) -> Option<Vec<NodeSeen>> {
            Some(nodes(self.tree(), depth))
        }
    };
    (@saves $kind:ty) => {
        fn written(&mut self) -> Option<Result<Vec<u8>, FileError>> {
            let mut file = Vec::new();
            Some(self.save_to(&mut file).map(|()| file))
        }
        fn read(&mut self, file: &[u8], resumes: bool) -> Result<(), FileError> {
            if resumes { self.resume_from(file) } else { self.load_from(file) }
        }
    };
    (@twin $kind:ty) => {
        fn follower(&self, seed: u64) -> Option<Box<dyn Beside>> {
            Some(Box::new(Follower::new(&self.trees, seed)))
        }
    };
    (@positions $kind:ty) => {
        fn with_earlier(&mut self, rooms: &[u16]) -> bool {
            let world = self.space().world().clone();
            self.set_earlier_states(rooms.iter().map(|&room| Position::new(&world, room)));
            true
        }
    };
    (@asks $kind:ty) => {
        fn question(&mut self) -> Option<Result<Option<Asked>, SearchError>> {
            Some(self.ask().map(|question| question.map(|question| asked::<Self::Space>(&question))))
        }
        fn answer(&mut self, ticket: Ticket, rewards: Rewards, priors: &[f32]) -> Result<(), SearchError> {
            self.tell(ticket, rewards, priors)
        }
        fn finished(&mut self) -> Result<(), SearchError> {
            self.finish()
        }
        fn planned(&mut self, iterations: u64) {
            self.plan(iterations);
        }
        fn open(&self) -> usize {
            self.open_questions()
        }
    };
}
use crate::Search as _;
special! {
    Lines: tree saves twin;
    LinesOwned: tree saves twin;
    Graph: tree saves positions twin;
    Mirror: tree saves positions twin;
    Guesses: tree saves twin;
    Open: tree saves twin;
    Samples: tree saves twin;
    Plans: tree saves twin;
    Asks: tree saves asks;
    GraphThreads: tree saves positions asks;
    OwnedThreads: tree saves asks;
    Players: saves;
}

impl Kind {
    /// Returns a kind whose files this one refuses.
    pub fn other(self) -> Kind {
        if self == Kind::Lines { Kind::LinesOwned } else { Kind::Lines }
    }
}

impl Settings {
    fn exploration(&self) -> Exploration {
        if self.tree & 1 == 0 { Exploration::deviations(1.0) } else { Exploration::from(0.7) }
    }

    fn rewarded(&self) -> Rewarded {
        match self.tree % 7 {
            0 | 1 => Rewarded::Ucb1(Ucb1::new(self.exploration())),
            2 => Rewarded::Ucb1Tuned(Ucb1Tuned::default()),
            3 => Rewarded::UcbV(UcbV::default()),
            4 => Rewarded::KlUcb(KlUcb::default()),
            5 => Rewarded::Moss(Moss::default()),
            _ => Rewarded::Halving(AtRoot::new(SequentialHalving::new(), Ucb1::new(self.exploration()))),
        }
    }

    fn seeing(&self) -> Seeing {
        match self.tree % 7 {
            0 => Seeing::Thompson(Thompson),
            1 => Seeing::Gaussian(GaussianThompson::new(1.0)),
            2 => Seeing::EpsilonGreedy(EpsilonGreedy::new(0.2)),
            3 => Seeing::Boltzmann(Boltzmann::new(0.2)),
            4 => Seeing::Exp3(Exp3::new(0.2)),
            _ => Seeing::Available(AvailabilityUcb1::new(self.exploration())),
        }
    }

    fn priors(&self) -> Priors {
        match self.tree % 6 {
            0 | 1 => Priors::Puct(Puct::new(self.exploration())),
            2 => Priors::Noisy(AtRoot::new(Dirichlet::default(), Puct::default())),
            3 => Priors::Completed(CompletedValues::default()),
            4 => Priors::Puct(Puct::growing(1.0, 50.0)),
            _ => Priors::Gumbel(Gumbel::considering(3)),
        }
    }

    /// Returns whether the tree policy plans for a number of iterations.
    pub fn plans_ahead(&self, kind: Kind) -> bool {
        match kind {
            Kind::Lines | Kind::Graph | Kind::Mirror | Kind::Sampled | Kind::Planning => self.tree % 7 == 6,
            Kind::Asks | Kind::GraphThreads | Kind::Threads => self.tree % 6 == 5,
            _ => false,
        }
    }

    fn rollouts<A: Clone>(&self) -> AnyRollout<A> {
        match self.rollout % 6 {
            0 => AnyRollout::Uniform(Uniform),
            1 => AnyRollout::Evaluate(Evaluate::new(super::policies::ByTable)),
            2 => AnyRollout::Cutoff(Cutoff::new(2)),
            3 => AnyRollout::Mast(Mast::default()),
            4 => AnyRollout::Replies(LastGoodReply::forgetting(2)),
            _ => AnyRollout::Multiple(MultipleRollouts::new(2, Uniform)),
        }
    }

    fn averages(&self) -> Averages {
        match self.backprop % 4 {
            0 | 1 => Averages::Solver(Solver::new(Average)),
            2 => Averages::Bounds(ScoreBounds::general(Average)),
            _ => Averages::Average(Average),
        }
    }

    fn derives(&self) -> Derives {
        match self.backprop % 4 {
            0 => Derives::SolvedMax(Solver::new(MaxBackup)),
            1 => Derives::Max(MaxBackup),
            2 => Derives::Power(PowerMean::default()),
            _ => Derives::Softmax(Solver::new(SoftmaxBackup::default())),
        }
    }

    fn lean(&self) -> Lean {
        match self.backprop % 4 {
            0 => Lean::Average(Average),
            1 => Lean::Contempt(Contempt::new(0.3, Average)),
            2 => Lean::Discounted(Discounted::new(0.9)),
            _ => Lean::Recent(RecencyWeighted::new(0.1)),
        }
    }

    fn finish<T: Special>(&self, mut search: T) -> Box<dyn Subject> {
        search.set_seed(self.seed);
        if let Some(expansion) = self.expansion {
            search.set_expansion(expansion.expansion());
        }
        if let Some(limit) = self.limit {
            search.set_memory_limit(crate::Bytes(limit));
        }
        Box::new(search)
    }
}

impl Program {
    /// Creates the search of this program, with the game of `world`.
    pub fn subject(&self, world: &Arc<World>, start: u16, threads: usize) -> Box<dyn Subject> {
        let settings = &self.settings;
        let numbers = || Position::<u8>::new(world, start);
        let owned = || Position::<Owned>::new(world, start);
        let (window, mean) = (settings.window, unobserved(settings.mean));
        match self.kind {
            Kind::Lines => settings.finish::<Lines>(
                Mcts::new(numbers())
                    .tree_policy(settings.rewarded())
                    .rollout_policy(settings.rollouts())
                    .backprop(settings.averages()),
            ),
            Kind::LinesOwned => settings.finish::<LinesOwned>(
                Mcts::new(owned())
                    .tree_policy(settings.seeing())
                    .rollout_policy(settings.rollouts())
                    .backprop(settings.derives()),
            ),
            Kind::Graph => settings.finish::<Graph>(
                Mcts::new(Transpositions::new(numbers()))
                    .tree_policy(settings.rewarded())
                    .rollout_policy(settings.rollouts())
                    .backprop(settings.averages()),
            ),
            Kind::Mirror => settings.finish::<Mirror>(
                Mcts::new(MirrorImages::new(owned()))
                    .tree_policy(settings.rewarded())
                    .backprop(settings.averages()),
            ),
            Kind::Guesses => settings.finish::<Guesses>(
                Mcts::new(InformationSet::new(owned()))
                    .tree_policy(settings.seeing())
                    .rollout_policy(settings.rollouts())
                    .backprop(settings.lean()),
            ),
            Kind::Open => settings.finish::<Open>(
                Mcts::new(OpenLoop::new(numbers())).tree_policy(settings.seeing()).backprop(settings.lean()),
            ),
            Kind::Sampled => settings.finish::<Samples>(
                Mcts::new(Sampled::new(owned())).tree_policy(settings.rewarded()).backprop(settings.lean()),
            ),
            Kind::Planning => {
                let plan = Planning::new(Walk(numbers())).discount(0.8).horizon(6);
                settings.finish::<Plans>(Mcts::new(plan).tree_policy(settings.rewarded()))
            }
            Kind::Asks => settings.finish::<Asks>(
                Mcts::new(numbers())
                    .tree_policy(settings.priors())
                    .rollout_policy(settings.rollouts())
                    .backprop(settings.averages())
                    .window(window)
                    .unobserved(mean),
            ),
            Kind::GraphThreads => settings.finish::<GraphThreads>(
                Mcts::new(Transpositions::new(owned()))
                    .tree_policy(settings.priors())
                    .rollout_policy(settings.rollouts())
                    .backprop(settings.averages())
                    .window(window)
                    .unobserved(mean)
                    .threads(threads),
            ),
            Kind::Threads => settings.finish::<OwnedThreads>(
                Mcts::new(owned())
                    .tree_policy(settings.priors())
                    .rollout_policy(settings.rollouts())
                    .backprop(settings.derives())
                    .window(window)
                    .unobserved(mean)
                    .threads(threads),
            ),
            Kind::PlayerTrees => settings.finish::<Players>(
                Mcts::player_trees(InformationSet::new(numbers()))
                    .tree_policy(settings.seeing())
                    .rollout_policy(settings.rollouts()),
            ),
        }
    }
}
