//! The word `net`: an agent with a network, for contests by text.

use ramure::agents::{Agent, AgentError, MctsAgent};
use ramure::backpropagation::{Average, Solver};
use ramure::games::{Connect4, Hex, TicTacToe};
use ramure::selection::{AtRoot, CompletedValues, GumbelRoot, Puct};
use ramure::simulation::EvaluateBatch;
use ramure::{Budget, Mcts, Symmetric};
use ramure_lab::ReadError;
use ramure_lab::experiments::games::{AnyAction, AnyGame, Everything};
use ramure_lab::registry::Parameters;
use ramure_nets::train::Game;
use ramure_nets::{Network, Orientation};

/// How [`AnyGame`] holds a game.
trait GameIn: Game + Symmetric + Into<AnyGame> + 'static {
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

    fn choose(&mut self, state: &AnyGame) -> Result<AnyAction, AgentError> {
        let state =
            G::of(state).ok_or_else(|| AgentError::Failed("the network is of another game".into()))?;
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
    file: String,
    is_gumbel: bool,
    orientation: Orientation,
}

impl NetAgent {
    fn read(parameters: &mut Parameters) -> Result<Self, ReadError> {
        let budget = parameters.first_budget()?;
        let file = parameters.optional_text("file", "the network, an ONNX file", "a path")?;
        let policies = ["gumbel", "puct"];
        let policy = parameters.choice("policy", "the tree policy; gumbel needs iterations", &policies)?;
        if policy == "gumbel" && !budget.counts_iterations() {
            let why =
                "policy=gumbel plans for a number of iterations; write one, as in net:64, or policy=puct";
            return Err(ReadError::Failed(why.into()));
        }
        let about = "how the network sees a position: as it is, or the mean over all symmetries";
        let is_average = parameters.choice("orientation", about, &["same", "average"])? == "average";
        let missing = || ReadError::Failed("a network needs its file, as in net:64,file=network.onnx".into());
        Ok(NetAgent {
            budget,
            file: file.ok_or_else(missing)?,
            is_gumbel: policy == "gumbel",
            orientation: if is_average { Orientation::Average } else { Orientation::Same },
        })
    }

    fn agent<G: GameIn>(
        &self,
        start: &G,
    ) -> Result<impl Fn() -> AgentOf<G> + Send + Sync + use<G>, ReadError> {
        let network =
            Network::load(&self.file, start).map_err(|error| ReadError::Failed(error.to_string()))?;
        let (network, setting) = (network.orientation(self.orientation), self.clone());
        Ok(move || {
            let network = network.clone();
            let NetAgent { budget, is_gumbel, .. } = setting;
            let name = format!("net:{}", setting.file);
            let search = move |state: &G| {
                let rollouts = EvaluateBatch::new(network.clone());
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

/// Adds the word `net` for games that begin in `start`.
pub fn with_net(known: Everything, start: &AnyGame) -> Everything {
    const FORM: &str = "net:BUDGET";
    const ABOUT: &str = "a search with a network";
    match start.clone() {
        AnyGame::Connect4(start) => {
            known.with(FORM, ABOUT, move |parameters| NetAgent::read(parameters)?.agent(&start))
        }
        AnyGame::Hex(start) => {
            known.with(FORM, ABOUT, move |parameters| NetAgent::read(parameters)?.agent(&start))
        }
        AnyGame::TicTacToe(start) => {
            known.with(FORM, ABOUT, move |parameters| NetAgent::read(parameters)?.agent(&start))
        }
        _ => known,
    }
}
