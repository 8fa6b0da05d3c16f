//! The word `net`: an agent with a network, for contests by text.

use crate::train::Game;
use crate::{Network, Orientation, trained};
use ramure::SearchError;
use ramure::backpropagation::{Average, Solver};
use ramure::selection::{AtRoot, CompletedValues, GumbelRoot, Puct};
use ramure::simulation::Evaluate;
use ramure::{Budget, Mcts, Symmetric};
use ramure_agents::{Agent, MctsAgent};
use ramure_games::{Connect4, Hex, TicTacToe};
use ramure_lab::ReadError;
use ramure_lab::commands::{AnyAction, AnyGame, Everything};
use ramure_lab::contest::in_full;
use ramure_lab::registry::Parameters;

/// How [`AnyGame`] holds a game.
trait GameIn: Game + Symmetric + 'static {
    fn of(game: &AnyGame) -> Option<&Self>;
    fn action(action: Self::Action) -> AnyAction;
    fn inner(action: AnyAction) -> Option<Self::Action>;
}

macro_rules! game_in {
    ($($game:ident),*) => {$(
        impl GameIn for $game {
            fn of(game: &AnyGame) -> Option<&Self> {
                if let AnyGame::$game(game) = game { Some(game) } else { None }
            }
            fn action(action: Self::Action) -> AnyAction {
                AnyAction::$game(action)
            }
            fn inner(action: AnyAction) -> Option<Self::Action> {
                if let AnyAction::$game(action) = action { Some(action) } else { None }
            }
        }
    )*};
}

game_in!(Connect4, Hex, TicTacToe);

/// Plays one of the games of [`AnyGame`].
struct AgentOf<G> {
    agent: Box<dyn Agent<G>>,
}

impl<G: GameIn> Agent<AnyGame> for AgentOf<G> {
    fn name(&self) -> String {
        self.agent.name()
    }

    fn choose(&mut self, state: &AnyGame) -> Result<AnyAction, SearchError> {
        let state =
            G::of(state).ok_or_else(|| SearchError::Agent("the network is of another game".into()))?;
        self.agent.choose(state).map(G::action)
    }

    fn played(&mut self, action: AnyAction) {
        if let Some(action) = G::inner(action) {
            self.agent.played(action);
        }
    }

    fn new_game(&mut self, seed: u64) {
        self.agent.new_game(seed);
    }
}

/// An agent with a network, as a text says it.
#[derive(Clone)]
struct NetAgent {
    budget: Budget,
    /// `None` for the network that comes with the crate.
    file: Option<String>,
    is_gumbel: bool,
    orientation: Orientation,
}

impl NetAgent {
    fn read(parameters: &mut Parameters) -> Result<Self, ReadError> {
        let budget = parameters.first_budget()?;
        let about = "the network, an ONNX file; connect4 and hex:7 have one that comes with the command";
        let file = parameters.optional_text("file", about, "a path")?;
        let policies = ["gumbel", "puct"];
        let policy = parameters.choice("policy", "the tree policy; gumbel needs iterations", &policies)?;
        if policy == "gumbel" && budget.iterations.is_none() {
            let why =
                "policy=gumbel plans for a number of iterations; write one, as in net:64, or policy=puct";
            return Err(ReadError::Failed(why.into()));
        }
        let about = "how the network sees a position: as it is, or the mean over all symmetries";
        let is_average = parameters.choice("orientation", about, &["same", "average"])? == "average";
        Ok(NetAgent {
            budget,
            file,
            is_gumbel: policy == "gumbel",
            orientation: if is_average { Orientation::Average } else { Orientation::Same },
        })
    }

    /// Returns agents for games that begin in `start`. The bytes are those of the network that comes with the
    /// crate, if there is one of this game and board.
    fn agent<G: GameIn>(
        &self,
        start: &G,
        trained: Option<&[u8]>,
    ) -> Result<impl Fn() -> AgentOf<G> + Send + Sync + use<G>, ReadError> {
        let missing = "no network of this game and board comes with the command; name a file, as in net:64,file=network.onnx";
        let network = match (&self.file, trained) {
            (Some(file), _) => Network::load(file, start),
            (None, Some(bytes)) => Network::from_bytes(bytes, start),
            (None, None) => return Err(ReadError::Failed(missing.into())),
        };
        let network = network.map_err(|error| ReadError::Failed(in_full(&error)))?;
        let (network, setting) = (network.orientation(self.orientation), self.clone());
        Ok(move || {
            let network = network.clone();
            let NetAgent { budget, is_gumbel, .. } = setting;
            let name = format!("net:{}", setting.file.as_deref().unwrap_or("trained"));
            let search = move |state: &G| {
                let rollouts = Evaluate::new(network.clone());
                Mcts::new(state.clone()).rollout_policy(rollouts).backprop(Solver::new(Average))
            };
            let agent: Box<dyn Agent<G>> = if is_gumbel {
                let root = || AtRoot::new(GumbelRoot::default().noise(0.0), CompletedValues::default());
                // Sequential halving starts from nothing, so the tree of the action before is of no use.
                Box::new(
                    MctsAgent::new(name, budget, move |state, seed| {
                        search(state).seed(seed).tree_policy(root())
                    })
                    .without_tree_reuse(),
                )
            } else {
                Box::new(MctsAgent::new(name, budget, move |state, seed| {
                    search(state).seed(seed).tree_policy(Puct::default())
                }))
            };
            AgentOf { agent }
        })
    }
}

/// Adds the word `net` to those of a contest, for games that begin in `start`: a search with a network.
///
/// There is none for games that cannot be shown to a network.
pub fn with_net(known: Everything, start: &AnyGame) -> Everything {
    match start.clone() {
        AnyGame::Connect4(start) => with_net_of(known, start, Some(trained::CONNECT4)),
        AnyGame::Hex(start) => {
            let trained = (start.size() == 7).then_some(trained::HEX7);
            with_net_of(known, start, trained)
        }
        AnyGame::TicTacToe(start) => with_net_of(known, start, None),
        _ => known,
    }
}

fn with_net_of<G: GameIn>(known: Everything, start: G, trained: Option<&'static [u8]>) -> Everything {
    known.with("net:BUDGET", "a search with a network", move |parameters| {
        NetAgent::read(parameters)?.agent(&start, trained)
    })
}
