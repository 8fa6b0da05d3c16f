//! Agents and searches by text, as in `mcts:384,c=0.5,policy=ucb1-tuned`, for any game. Who adds a policy adds an entry in
//! `policies.rs`; who adds an agent, one in `words.rs`. Uses the agents and all below them.

mod error;
mod help;
mod nearest;
mod parameters;
mod policies;
mod range;
mod settings;
mod table;
mod text;
mod words;

pub use error::{Ability, ReadError};
pub use parameters::Parameters;

use super::{Agent, Recipe};
use crate::backpropagation::{Average, Backprop};
use crate::game::{ActionIndex, GameState, StaticEvaluation};
use crate::search::Search;
use crate::selection::TreePolicy;
use crate::simulation::{RolloutPolicy, Uniform};
use crate::statistics::Statistics;
use core::fmt;
use policies::{BASE, ucb1};
use settings::{MakeSearch, Settings, assemble};
use std::sync::Arc;
use table::{Entry, Table};

/// The agents and searches of a game that texts can name: for command lines and for files.
///
/// An agent is written as a word, and behind a colon its parameters with commas between them: `random`, `mc:64`,
/// `mcts:384,c=0.5,policy=ucb1-tuned`, `alphabeta:100ms`. A search is written in the same way, with the tree policy as the word:
/// `grave:ref=50,bias=1e-5`. [`help`](Self::help) lists everything.
///
/// What is read is checked at once: words, parameters and ranges. The name of a recipe is its text in a canonical form, from
/// which the same agent is read again.
///
/// ```
/// use ramure::agents::{Recipe, Registry};
/// use ramure::games::Connect4;
/// use ramure::prelude::*;
///
/// let known = Registry::<Connect4>::new().with_evaluation().with_numbers();
/// let recipe: Recipe<Connect4> = known.read("mcts:1e3, c=0.5, policy=ucb1-tuned")?;
/// assert_eq!(recipe.name(), "mcts:1000,policy=ucb1-tuned,c=0.5");
/// let action = recipe.make().choose(&Connect4::new())?;
///
/// let mut search = known.search("grave:ref=30,solver=yes", Connect4::new(), 7)?;
/// println!("{}", search.run(Budget::iterations(100))?);
///
/// let error = known.read("mtcs:100").unwrap_err();
/// println!("{error}"); // what there is
/// println!("{}", known.help());
/// # let _ = action;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # What is compiled
///
/// Every combination of policies is a loop of its own, compiled for each game that a program has a registry for. So
/// there are not all of them: of `policy`, `rollout` and `backprop` one may differ from `ucb1`, `uniform` and `average`; each
/// with and without `solver`. Any other combination is an error that says so, and is put together in code.
#[derive(Clone)]
pub struct Registry<G: GameState> {
    agents: Table<ReadAgent<G>>,
    policies: Table<ReadPart<G>>,
    rollouts: Table<ReadPart<G>>,
    backprops: Table<ReadPart<G>>,
}

/// Reads an agent.
type ReadAgent<G> = Arc<dyn Fn(&Registry<G>, &mut Parameters) -> Result<Recipe<G>, ReadError> + Send + Sync>;

/// Reads a policy: a search but for its settings.
type ReadPart<G> = Arc<
    dyn Fn(&mut Parameters) -> Result<Box<dyn FnOnce(Settings) -> MakeSearch<G>>, ReadError> + Send + Sync,
>;

impl<G: GameState + 'static> Registry<G> {
    /// What goes with every game.
    pub fn new() -> Self {
        let (agents, policies) = (Table::default(), Table::default());
        let empty = Registry { agents, policies, rollouts: Table::default(), backprops: Table::default() };
        policies::for_all(words::for_all(empty))
    }

    /// And what goes with a static evaluation: `minimax`, `alphabeta`, and the rollouts `cutoff`.
    pub fn with_evaluation(self) -> Self
    where
        G: StaticEvaluation,
    {
        policies::for_evaluation(words::for_evaluation(self))
    }

    /// And what goes with numbered actions: the policies `grave` and `rave`, and the rollouts `mast`.
    pub fn with_numbers(self) -> Self
    where
        G: ActionIndex,
    {
        policies::for_numbers(self)
    }

    /// And an agent of yours. `form` is shown in the help, as in `mine:N`; the word before the colon is that of the agent, and
    /// takes the place of an earlier one. `read` asks for the parameters and gives what makes the agent; it is also called
    /// to find out which parameters there are. See [`Parameters`] for an example.
    pub fn with<A, M>(
        self,
        form: &str,
        about: &str,
        read: impl Fn(&mut Parameters) -> Result<M, ReadError> + Send + Sync + 'static,
    ) -> Self
    where
        A: Agent<G> + 'static,
        M: Fn() -> A + Send + Sync + 'static,
    {
        self.with_reader(form, about, move |_, parameters| Ok(Recipe::new(read(parameters)?)))
    }

    fn with_reader(
        mut self,
        form: &str,
        about: &str,
        read: impl Fn(&Registry<G>, &mut Parameters) -> Result<Recipe<G>, ReadError> + Send + Sync + 'static,
    ) -> Self {
        self.agents.put(form, about, Arc::new(read));
        self
    }

    /// And a tree policy of yours, for `policy=` and for searches. It goes with uniform rollouts and averages.
    ///
    /// ```
    /// # use ramure::agents::Registry;
    /// # use ramure::games::TicTacToe;
    /// # use ramure::prelude::*;
    /// #[derive(Clone)]
    /// struct Greedy { epsilon: f64 }
    ///
    /// impl<G: GameState> TreePolicy<G> for Greedy {
    ///     type Stats = ();
    ///     fn select(&self, node: impl Node<G, ()>, rng: &mut Rng) -> Choice {
    ///         let explores = rng.unit() < self.epsilon;
    ///         node.argmax(|child| if explores { -child.visits() } else { child.mean() })
    ///     }
    /// }
    ///
    /// let known = Registry::<TicTacToe>::new().with_policy("greedy", "mostly the best", |parameters| {
    ///     let epsilon = parameters.number("epsilon", "how often any", 0.1, 0.0..=1.0)?;
    ///     Ok(move || Greedy { epsilon })
    /// });
    /// known.search("greedy:epsilon=0.2", TicTacToe::new(), 1)?.run(Budget::iterations(100))?;
    /// assert_eq!(known.read("mcts:100,policy=greedy")?.name(), "mcts:100,policy=greedy");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_policy<P, M>(
        mut self,
        word: &str,
        about: &str,
        read: impl Fn(&mut Parameters) -> Result<M, ReadError> + Send + Sync + 'static,
    ) -> Self
    where
        P: TreePolicy<G, Stats: Statistics<G, Uniform>> + 'static,
        M: Fn() -> P + Send + Sync + 'static,
    {
        let read = move |parameters: &mut Parameters| {
            assemble::<G, _, _, _>(read(parameters)?, || Uniform, || Average)
        };
        self.policies.put(word, about, Arc::new(read));
        self
    }

    /// And rollouts of yours, for `rollout=`. They go with UCB1 and averages.
    pub fn with_rollout<R, M>(
        mut self,
        word: &str,
        about: &str,
        read: impl Fn(&mut Parameters) -> Result<M, ReadError> + Send + Sync + 'static,
    ) -> Self
    where
        R: RolloutPolicy<G> + 'static,
        M: Fn() -> R + Send + Sync + 'static,
    {
        let read = move |p: &mut Parameters| assemble::<G, _, _, _>(ucb1(p)?, read(p)?, || Average);
        self.rollouts.put(word, about, Arc::new(read));
        self
    }

    /// And a backpropagation of yours, for `backprop=`. It goes with UCB1 and uniform rollouts.
    pub fn with_backprop<B, M>(
        mut self,
        word: &str,
        about: &str,
        read: impl Fn(&mut Parameters) -> Result<M, ReadError> + Send + Sync + 'static,
    ) -> Self
    where
        B: Backprop<G> + 'static,
        M: Fn() -> B + Send + Sync + 'static,
    {
        let read = move |p: &mut Parameters| assemble::<G, _, _, _>(ucb1(p)?, || Uniform, read(p)?);
        self.backprops.put(word, about, Arc::new(read));
        self
    }

    /// The agent that `text` names.
    ///
    /// # Errors
    ///
    /// What in it is not known, is missing, is there twice or is out of its range, and what there is instead.
    pub fn read(&self, text: &str) -> Result<Recipe<G>, ReadError> {
        let mut parameters = Parameters::read(text)?;
        let agent = self.agents.find("agent", parameters.word())?;
        let recipe = (agent.read)(self, &mut parameters)?;
        Ok(recipe.named(parameters.finish()?))
    }

    /// The search that `text` names, from `state`: a tree policy, and what `mcts` has but for its budget and `reuse`.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn search(&self, text: &str, state: G, seed: u64) -> Result<Box<dyn Search<Game = G>>, ReadError> {
        let mut parameters = Parameters::read(text)?;
        let policy = self.policies.find("policy", parameters.word())?;
        let make = self.make_search(policy, &mut parameters)?;
        parameters.finish()?;
        Ok(make(state, seed))
    }

    fn make_search(
        &self,
        policy: &Entry<ReadPart<G>>,
        parameters: &mut Parameters,
    ) -> Result<MakeSearch<G>, ReadError> {
        let rollout = self.rollouts.choose("rollout", "what is played from a leaf", parameters)?;
        let backprop = self.backprops.choose("backprop", "what rewards do to the nodes", parameters)?;
        let parts = [("policy", policy), ("rollout", rollout), ("backprop", backprop)];
        let others = Vec::from_iter(parts.iter().zip(BASE).filter(|((_, part), base)| part.word != *base));
        if others.len() > 1 {
            let parts = others.iter().map(|((name, part), _)| format!("{name}={}", part.word)).collect();
            return Err(ReadError::NotTogether { parts });
        }
        let read = others.first().map_or(policy, |((_, part), _)| part).read.clone();
        let search = parameters.of_policy(|parameters| read(parameters))?;
        Ok(search(Settings::read(parameters)?))
    }

    /// All words with their parameters, ranges and defaults: aligned, 80 columns wide at most, for a program's `--help`.
    pub fn help(&self) -> String {
        let mut text = "Agents, with their parameters and defaults, as in mcts:384,c=0.5:\n".to_owned();
        for Entry { word, form, about, read } in self.agents.entries() {
            let asked = Parameters::sample(word, |parameters| read(self, parameters).err());
            help::add(&mut text, form, about, asked.iter().filter(|asked| !asked.of_policy));
        }
        let base = Parameters::sample(BASE[0], |parameters| ucb1(parameters).err()).len();
        for (title, table, skipped) in [
            ("Policies, for policy=, and as searches, as in grave:ref=30:", &self.policies, 0),
            ("Rollouts, for rollout=; all but uniform only with policy=ucb1:", &self.rollouts, base),
            (
                "Backpropagations, for backprop=; all but average only with policy=ucb1:",
                &self.backprops,
                base,
            ),
        ] {
            text += &format!("\n{title}\n");
            for Entry { word, form, about, read } in table.entries() {
                let asked = Parameters::sample(word, |parameters| read(parameters).err());
                help::add(&mut text, form, about, asked.iter().skip(skipped));
            }
        }
        text
    }
}

impl<G: GameState + 'static> Default for Registry<G> {
    fn default() -> Self {
        Registry::new()
    }
}

impl<G: GameState> fmt::Debug for Registry<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry").field("agents", &self.agents.words()).finish_non_exhaustive()
    }
}
