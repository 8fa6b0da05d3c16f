//! Agents and searches written as text, as in `mcts:384,c=0.5,policy=ucb1-tuned`, for any game. Uses the
//! agents and all layers below them.
//!
//! # To add a word
//!
//! To add a word, add a line to a list, and import the type in that file. The parameters that the line reads
//! from `Parameters` become part of the grammar, of canonical names and of the help.
//!
//! - **An agent**: `words.rs`, as `.with("mine:N", "about", |p| { let n = p.first_count("N", 1..)?; Ok(move
//!   || Mine::new(n)) })`.
//! - **A tree policy**: `selections.rs`, in one of three lists. Choose the list by the statistics that the
//!   policy is fed, and by whether it distinguishes unvisited children (`SEES_UNVISITED`): `UcbV: UcbV =
//!   "ucb-v", "Q + a bonus with the variance", |p| { let c = exploration(p, 1.0)?; Ok(move || UcbV::new(c))
//!   };`
//! - **A rollout policy**: `rollouts.rs`: `Nst: Nst = "nst" needs Numbers, "prefers sequences that did well",
//!   |p| { let n = p.count(..)?; Ok(move || Nst::new(n)) };`
//! - **A backpropagation**: `backprops.rs`, in `Lean` if it keeps no statistics per child and does not look
//!   at leaves, otherwise in `Keeping`: `Maximum: Maximum = "max", "the value of the best child", |_| Ok(||
//!   Maximum);`
//!
//! Write `needs Evaluation` or `needs Numbers` if the game must have that ability. The only heuristic `Fn(&G,
//! Action) -> f32` that a text can name is the game's static evaluation, `by_evaluation` in `rollouts.rs`.
//! The statistics of a policy must consist of `()`, `f32`, `u32`, pairs and arrays; for a struct, list its
//! fields in `packed.rs`. Their default must be all zeros. If they take more words than the list has, the
//! compiler reports it: raise the number beside the list. `[hot]` after the word compiles the policy into the
//! loop.
//!
//! # How it works
//!
//! A search loop is compiled for each combination of three types, so there must be few types. A list is one
//! type (`lists.rs`): an enum over its policies, which stores statistics as plain words (`packed.rs`) and
//! shows each policy its own statistics. Abilities that the game lacks get a stand-in
//! (`able.rs`), so that the enums have the same variants for every game; the words that need those abilities
//! are left out. Constants that differ between the policies of a list are resolved when a search is created.
//! A value in the state determines whether rollouts take the shortcut and what traces record (`able.rs`,
//! `notes.rs`). First-play urgency comes from the setting. `Needs::Iterations` is checked before a run
//! (`assemble.rs`).

mod abilities;
mod able;
mod assemble;
mod backprop;
mod backprops;
mod code;
mod error;
mod graph;
mod help;
mod lists;
pub(crate) mod nearest;
mod notes;
mod of_game;
mod packed;
mod parameters;
mod range;
mod rollouts;
mod selections;
mod settings;
mod table;
mod text;
mod tree_policy;
mod words;

pub use abilities::{Abilities, Rules, WithEvaluation, WithNumbers};
pub(crate) use code::code;
pub use error::{Ability, ReadError};
pub use parameters::Parameters;
pub(crate) use parameters::{Asked, is_reserved};
pub use text::{with_parameter, without_proofs};

use super::Recipe;
use able::Able;
use assemble::{MakeOwn, MakeSearch, Parts, assemble};
use backprops::{Keeping, Lean, MakeBackprop};
use core::fmt;
use graph::MakeGraph;
use lists::Ready;
use ramure::backpropagation::{Average, Backprop};
use ramure::search::{MirrorImages, Transpositions};
use ramure::selection::TreePolicy;
use ramure::simulation::{RolloutPolicy, Uniform};
use ramure::statistics::Statistics;
use ramure::{ActionIndex, GameState, Keyed, Search, StaticEvaluation, Symmetric};
use ramure_agents::Agent;
use rollouts::{AnyRollout, MakeRollout};
use selections::{Distinguishing, MakePolicy, Rewarded, WithPrior, ucb1};
use settings::{GraphOf, Settings};
use std::sync::Arc;
use table::{Entry, Table};

/// The agents and searches of a game that texts can name, for command lines and files.
///
/// An agent is written as a word, followed by a colon and its parameters, separated by commas: `random`,
/// `mc:64`, `mcts:384,c=0.5,policy=ucb1-tuned`, `alphabeta:100ms`. A search is written in the same way, with
/// the tree policy as the word: `grave:ref=50,bias=1e-5`. [`help`](Self::help) lists everything.
///
/// A search created from text is `Send`: it can run on a thread of its own. The game, its actions, and the
/// parts of searches that you add must therefore be `Send`. The actions must also be `Sync`, because the
/// threads of a search share its rollout policy, which may keep actions.
///
/// Words, parameters and ranges are checked when a text is read. The name of a recipe is its text in a
/// canonical form, from which the same agent can be read again.
///
/// ```
/// use ramure_lab::{Recipe, Registry};
/// use ramure::prelude::*;
/// use ramure_games::Connect4;
///
/// let known = Registry::<Connect4>::new().with_evaluation().with_numbers();
/// let recipe: Recipe<Connect4> = known.read("mcts:1e3, c=0.5, policy=ucb1-tuned")?;
/// assert_eq!(recipe.name(), "mcts:1000,policy=ucb1-tuned,c=0.5");
/// let action = recipe.make().choose(&Connect4::new())?;
///
/// let mut search = known.search("grave:ref=30", Connect4::new(), 7)?;
/// println!("{}", search.run(Budget::iterations(100))?);
///
/// let error = known.read("mtcs:100").unwrap_err();
/// println!("{error}"); // lists the known words
/// println!("{}", known.help());
/// # let _ = action;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Any policy works with any rollouts and any backpropagation, with and without `solver`. `threads=4` searches
/// on four threads, as [`Mcts::threads`](ramure::Mcts::threads) does. `window=32` sets the
/// [window](ramure::search::Window); a result then does not depend on `threads`, which is 1 unless you set it.
/// If two parts share a parameter name, prefix the second with its part:
/// `policy=epsilon-greedy,epsilon=0.1,rollout=mast,rollout-epsilon=0.4`.
///
/// # What is compiled
///
/// A few search loops are compiled for each game that a program has a registry for. UCB1 with uniform
/// rollouts and averages has a loop of its own, which is as fast as a search written in code. The others
/// share loops, and are somewhat slower than a search written in code. `A` records whether a static
/// evaluation and numbers of actions were declared, and so which loops are compiled. You need not write it
/// unless you store a registry in a struct: `Registry<Connect4, WithNumbers<WithEvaluation>>`.
/// [`with_keys`](Self::with_keys) and [`with_mirror_images`](Self::with_mirror_images) compile the loops of
/// graph search, and leave `A` as it is.
#[derive(Clone)]
pub struct Registry<G: GameState + 'static, A: Abilities<G> = Rules> {
    /// `None` reads a search of this registry.
    agents: Table<Option<ReadAgent<G>>>,
    policies: Table<Part<G, MakePolicy<Able<G, A>>>>,
    rollouts: Table<Part<G, MakeRollout<Able<G, A>>>>,
    backprops: Table<Part<G, MakeBackprop<Able<G, A>>>>,
    /// Creates searches in which states with the same key are one position, if the game has keys.
    positions: Option<MakeGraph<G>>,
    /// Creates searches in which mirror images are one position, too, if the game also has symmetries.
    mirror_images: Option<MakeGraph<G>>,
    /// Whether parts may need a static evaluation, if `A` has one.
    evaluates: bool,
}

/// Reads an agent.
type ReadAgent<G> = Arc<dyn Fn(&mut Parameters) -> Result<Recipe<G>, ReadError> + Send + Sync>;

/// Reads a part of a search.
enum Part<G: GameState, M> {
    /// A part that this crate defines.
    Ready(fn(&mut Parameters) -> Result<M, ReadError>),
    /// A part that the program added.
    Own(ReadOwn<G>),
}

/// A search that was read.
struct ReadSearch<G: GameState> {
    make: MakeSearch<G>,
    needs_iterations: bool,
    settings: Settings,
}

/// Reads a part that the program added, and returns a search without its settings.
type ReadOwn<G> = Arc<dyn Fn(&mut Parameters) -> Result<MakeOwn<G>, ReadError> + Send + Sync>;

impl<G: GameState, M> Clone for Part<G, M> {
    fn clone(&self) -> Self {
        match self {
            Part::Ready(read) => Part::Ready(*read),
            Part::Own(read) => Part::Own(Arc::clone(read)),
        }
    }
}

/// All words of a registry.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Words {
    /// Words of agents.
    pub agents: Vec<String>,
    /// Words for `policy=`, which also name searches.
    pub policies: Vec<String>,
    /// Words for `rollout=`.
    pub rollouts: Vec<String>,
    /// Words for `backprop=`.
    pub backprops: Vec<String>,
}

impl<G: GameState<Action: Send + Sync> + Send + 'static> Registry<G> {
    /// Creates a registry of the words that work for every game.
    pub fn new() -> Self {
        words::for_all(Registry::with_ready_parts(true))
    }
}

impl<G: GameState<Action: Send + Sync> + Send + 'static, A: Abilities<G>> Registry<G, A> {
    /// A registry without agents, with this crate's own parts of searches. If `evaluates` is false, those that
    /// need a static evaluation cannot be used, whatever `A` says.
    fn with_ready_parts(evaluates: bool) -> Self {
        fn table<G: GameState, M>(
            words: impl IntoIterator<Item = Ready<M>>,
            has: impl Fn(&Ability) -> bool,
        ) -> Table<Part<G, M>> {
            let mut table = Table::default();
            for Ready { word, about, needs, read } in words {
                table.put_if(needs.filter(|need| !has(need)), word, about, Part::Ready(read));
            }
            table
        }
        let has = |ability: &Ability| match ability {
            Ability::Evaluation => A::EVALUATION && evaluates,
            Ability::Numbers => A::NUMBERS,
            // No word needs these, only the setting `transpositions`.
            Ability::Keys | Ability::MirrorImages => false,
        };
        let policies = [Rewarded::words(), Distinguishing::words(), WithPrior::words()];
        let backprops = [Lean::words(), Keeping::words()];
        Registry {
            agents: Table::default(),
            policies: table(policies.into_iter().flatten(), has),
            rollouts: table(AnyRollout::words(), has),
            backprops: table(backprops.into_iter().flatten(), has),
            positions: None,
            mirror_images: None,
            evaluates,
        }
    }

    /// Returns the same registry for a game with other abilities.
    fn extended<B: Abilities<G>>(self) -> Registry<G, B> {
        fn own<G: GameState, M, N>(from: Table<Part<G, M>>, to: &mut Table<Part<G, N>>) {
            for Entry { form, about, read, .. } in from.into_entries() {
                if let Part::Own(read) = read {
                    to.put(&form, &about, Part::Own(read));
                }
            }
        }
        let mut extended = Registry {
            agents: self.agents,
            positions: self.positions,
            mirror_images: self.mirror_images,
            ..Registry::<G, B>::with_ready_parts(self.evaluates)
        };
        own(self.policies, &mut extended.policies);
        own(self.rollouts, &mut extended.rollouts);
        own(self.backprops, &mut extended.backprops);
        extended
    }

    /// Adds the words that need a static evaluation: `minimax`, `alphabeta`, rollouts such as `cutoff`,
    /// `backprop=implicit-minimax`, and the policies that read priors, such as `puct`. The priors are the
    /// softmax of the evaluations of the states after each action, with the temperature `prior-tau`; see
    /// [`EvaluationPriors`](ramure::simulation::EvaluationPriors).
    pub fn with_evaluation(mut self) -> Registry<G, WithEvaluation<A>>
    where
        G: StaticEvaluation,
    {
        self.evaluates = true;
        words::for_evaluation(self.extended())
    }

    /// Adds the words that need numbered actions: all-moves-as-first policies such as `grave`, and rollouts
    /// that learn, such as `mast`.
    pub fn with_numbers(self) -> Registry<G, WithNumbers<A>>
    where
        G: ActionIndex,
    {
        self.extended()
    }

    /// Leaves out again what [`with_evaluation`](Self::with_evaluation) added, for a type of which only some
    /// games have a static evaluation. Both registries share the search loops.
    pub fn without_evaluation(mut self) -> Self {
        self.evaluates = false;
        words::without_evaluation(self.extended())
    }

    /// Adds the setting `transpositions=yes`: the search shares positions, as one of [`Transpositions`] does.
    /// It works with UCB1, uniform rollouts and averages, with and without `solver`, `threads` and
    /// `window`.
    ///
    /// ```
    /// use ramure_lab::Registry;
    /// use ramure::prelude::*;
    /// use ramure_games::Hex;
    ///
    /// let known = Registry::new().with_keys();
    /// let mut search = known.search("ucb1:c=0.5,transpositions=yes", Hex::new(7)?, 1)?;
    /// search.run(Budget::iterations(1_000))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_keys(mut self) -> Self
    where
        G: Keyed,
    {
        self.positions = Some(|graph, state| graph.search(Transpositions::new(state)));
        self
    }

    /// Adds the setting `transpositions=yes`, as [`with_keys`](Self::with_keys) does, and
    /// `transpositions=mirror`, with which mirror images are the same position, as in a search of
    /// [`MirrorImages`].
    pub fn with_mirror_images(mut self) -> Self
    where
        G: Keyed + Symmetric,
    {
        self.mirror_images = Some(|graph, state| graph.search(MirrorImages::new(state)));
        self.with_keys()
    }

    /// Adds your own agent. `form` appears in the help, as in `mine:N`; the word before the colon names the
    /// agent, and replaces an earlier agent of that name. `read` asks for the parameters and returns a
    /// function that creates the agent. It is also called to find out which parameters exist. See
    /// [`Parameters`] for an example.
    pub fn with<M, P>(
        mut self,
        form: &str,
        about: &str,
        read: impl Fn(&mut Parameters) -> Result<M, ReadError> + Send + Sync + 'static,
    ) -> Self
    where
        P: Agent<G> + 'static,
        M: Fn() -> P + Send + Sync + 'static,
    {
        let read = move |parameters: &mut Parameters| Ok(Recipe::new(read(parameters)?));
        self.agents.put(form, about, Some(Arc::new(read)));
        self
    }

    /// Adds your own tree policy, for `policy=` and for searches. It gets its own search loops, and so works
    /// only with uniform rollouts and averages, without `threads` and `window`, with and without `solver`.
    ///
    /// ```
    /// # use ramure_lab::Registry;
    /// # use ramure::prelude::*;
    /// # use ramure_games::TicTacToe;
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
    /// let known = Registry::<TicTacToe>::new().with_policy("greedy", "mostly the best child", |parameters| {
    ///     let epsilon = parameters.number("epsilon", "the probability of a random child", 0.1, 0.0..=1.0)?;
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
        P: TreePolicy<G, Stats: Statistics<G, Uniform> + Send> + Send + 'static,
        M: Fn() -> P + Send + Sync + 'static,
    {
        let read = move |parameters: &mut Parameters| {
            assemble::<G, _, _, _>(read(parameters)?, || Uniform, || Average)
        };
        self.policies.put(word, about, Part::Own(Arc::new(read)));
        self
    }

    /// Adds your own rollout policy, for `rollout=`. It works only with UCB1 and averages, without
    /// `threads` and `window`.
    pub fn with_rollout<R, M>(
        mut self,
        word: &str,
        about: &str,
        read: impl Fn(&mut Parameters) -> Result<M, ReadError> + Send + Sync + 'static,
    ) -> Self
    where
        R: RolloutPolicy<G> + Send + 'static,
        M: Fn() -> R + Send + Sync + 'static,
    {
        let read = move |p: &mut Parameters| assemble::<G, _, _, _>(ucb1(p)?, read(p)?, || Average);
        self.rollouts.put(word, about, Part::Own(Arc::new(read)));
        self
    }

    /// Adds your own backpropagation, for `backprop=`. It works only with UCB1 and uniform rollouts, without
    /// `threads` and `window`.
    pub fn with_backprop<B, M>(
        mut self,
        word: &str,
        about: &str,
        read: impl Fn(&mut Parameters) -> Result<M, ReadError> + Send + Sync + 'static,
    ) -> Self
    where
        B: Backprop<G, Stats: Send> + Send + 'static,
        M: Fn() -> B + Send + Sync + 'static,
    {
        let read = move |p: &mut Parameters| assemble::<G, _, _, _>(ucb1(p)?, || Uniform, read(p)?);
        self.backprops.put(word, about, Part::Own(Arc::new(read)));
        self
    }

    /// Reads the agent that `text` names.
    ///
    /// # Errors
    ///
    /// Returns a [`ReadError`] if a word or a parameter is unknown, missing, given twice or out of range. The
    /// message lists what is allowed.
    pub fn read(&self, text: &str) -> Result<Recipe<G>, ReadError> {
        Ok(self.read_asked(text)?.0)
    }

    /// Reads the agent that `text` names, and returns also the parameters that the text may have.
    pub(crate) fn read_asked(&self, text: &str) -> Result<(Recipe<G>, Vec<Asked>), ReadError> {
        let mut parameters = Parameters::read(text)?;
        let agent = self.agents.find("agent", parameters.word())?;
        let recipe = self.read_agent(&agent.read, &mut parameters)?;
        let (name, asked) = parameters.finish()?;
        Ok((recipe.named(name), asked))
    }

    fn read_agent(
        &self,
        read: &Option<ReadAgent<G>>,
        parameters: &mut Parameters,
    ) -> Result<Recipe<G>, ReadError> {
        match read {
            Some(read) => read(parameters),
            None => words::mcts(self, parameters),
        }
    }

    /// Creates the search that `text` names, starting from `state`. The text is a tree policy with the
    /// parameters of `mcts`, except its budget, `clock`, `reuse`, `opening`,
    /// `early` and `unclear`.
    ///
    /// ```
    /// use ramure_lab::Registry;
    /// use ramure::prelude::*;
    /// use ramure_games::TicTacToe;
    ///
    /// let mut search = Registry::new().search("ucb1-tuned", TicTacToe::new(), 7)?;
    /// let elsewhere = std::thread::spawn(move || search.run(Budget::iterations(1_000)));
    /// println!("{}", elsewhere.join().expect("a search does not panic")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`read`](Self::read).
    pub fn search(
        &self,
        text: &str,
        state: G,
        seed: u64,
    ) -> Result<Box<dyn Search<Space = G> + Send>, ReadError> {
        let mut parameters = Parameters::read(text)?;
        let is_agent = self.agents.words().contains(&parameters.word());
        let policy = self
            .policies
            .find(if is_agent { "policy, but an agent" } else { "policy" }, parameters.word())?;
        let read = self.read_search(policy, &mut parameters)?;
        parameters.finish()?;
        Ok((read.make)(state, seed))
    }

    /// Reads all of a search except its tree policy.
    fn read_search(
        &self,
        policy: &Entry<Part<G, MakePolicy<Able<G, A>>>>,
        parameters: &mut Parameters,
    ) -> Result<ReadSearch<G>, ReadError> {
        let rollout = self.rollouts.choose("rollout", "the rollouts from a leaf", parameters)?;
        let backprop = self.backprops.choose("backprop", "how rewards update the nodes", parameters)?;
        let proves = backprop.word == self.backprops.words()[0];
        let words = [("policy", &policy.word), ("rollout", &rollout.word), ("backprop", &backprop.word)];
        let (what, word, read) = match (&policy.read, &rollout.read, &backprop.read) {
            (Part::Ready(read_policy), Part::Ready(read_rollout), Part::Ready(read_backprop)) => {
                let parts = Parts {
                    policy: parameters.of_part("policy", read_policy)?,
                    rollout: parameters.of_part("rollout", read_rollout)?,
                    backprop: parameters.of_part("backprop", read_backprop)?,
                };
                let settings = Settings::read(parameters, parts.policy.wants, proves)?;
                let graph = self.graph(&settings, words)?;
                return Ok(ReadSearch {
                    needs_iterations: parts.policy.wants.iterations,
                    settings,
                    make: Arc::new(move |state, seed| parts.search(&settings, graph, state, seed)),
                });
            }
            (_, _, Part::Own(read)) => ("backprop", &backprop.word, read),
            (_, Part::Own(read), _) => ("rollout", &rollout.word, read),
            (Part::Own(read), ..) => ("policy", &policy.word, read),
        };
        // A part that the program added is compiled only with the first words of the other lists.
        let usual = [self.policies.words()[0], self.rollouts.words()[0], self.backprops.words()[0]];
        let is_other = |name, word: &String, usual: &str| name == what || word != usual;
        let others = Vec::from_iter(
            words.iter().zip(usual).filter(|((name, word), usual)| is_other(*name, word, usual)),
        );
        if others.len() > 1 {
            let parts = others.iter().map(|((name, word), _)| format!("{name}={word}")).collect();
            return Err(ReadError::NotTogether { own: what.into(), parts });
        }
        let own = parameters.of_part(what, |parameters| read(parameters))?;
        let settings = Settings::read(parameters, own.wants, proves)?;
        if settings.window.is_some() {
            return Err(ReadError::NoWindow { what: what.into(), word: word.clone() });
        }
        if self.graph(&settings, words)?.is_some() {
            // It has the name of a part that is compiled.
            return Err(ReadError::OwnInGraph { what: what.into(), word: word.clone() });
        }
        Ok(ReadSearch { needs_iterations: own.wants.iterations, settings, make: (own.make)(settings) })
    }

    /// Returns what creates a search that shares positions, if the settings ask for one. Checks that the game
    /// has keys, and that the loop of these parts is compiled.
    fn graph(
        &self,
        settings: &Settings,
        words: [(&str, &String); 3],
    ) -> Result<Option<MakeGraph<G>>, ReadError> {
        let Some(of) = settings.graph else { return Ok(None) };
        let lacks = |ability| ReadError::Lacks { word: "transpositions".into(), ability };
        let positions = self.positions.ok_or_else(|| lacks(Ability::Keys))?;
        let make = match of {
            GraphOf::Positions => positions,
            GraphOf::MirrorImages => self.mirror_images.ok_or_else(|| lacks(Ability::MirrorImages))?,
        };
        let other = words.into_iter().zip(GRAPH_WORDS).find(|((_, word), usual)| word != usual);
        match other {
            Some(((what, word), only)) => {
                Err(ReadError::NoGraph { what: what.into(), word: word.clone(), only: only.into() })
            }
            None => Ok(Some(make)),
        }
    }

    /// Returns the search of an agent `mcts` as a line of Rust, for a game named `game`. `value_after` in it is
    /// a function of yours, `fn(&G, action) -> f32`: the evaluation of the state after an action, for the
    /// player to move. `None` if the line cannot say all of the text: parts that you added, `threads`, `window`,
    /// `memory`, `widen` and `transpositions`.
    ///
    /// ```
    /// use ramure_lab::Registry;
    /// use ramure_games::TicTacToe;
    ///
    /// let known = Registry::<TicTacToe>::new();
    /// let code = known.code("mcts:1000,policy=ucb1-tuned,solver=yes")?;
    /// let line = "Mcts::new(game).tree_policy(Ucb1Tuned::new(1.0)).backprop(Solver::new(Average))";
    /// assert_eq!(code.as_deref(), Some(line));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`read`](Self::read).
    pub fn code(&self, text: &str) -> Result<Option<String>, ReadError> {
        Ok(code(&self.read_asked(text)?.1))
    }

    /// Returns all words, for programs that try each of them.
    ///
    /// ```
    /// use ramure_lab::Registry;
    /// let words = Registry::<ramure_games::TicTacToe>::new().with_numbers().words();
    /// assert!(words.policies.contains(&"grave".to_owned()) && words.rollouts.contains(&"mast".to_owned()));
    /// ```
    pub fn words(&self) -> Words {
        fn of<T>(table: &Table<T>) -> Vec<String> {
            table.words().into_iter().map(str::to_owned).collect()
        }
        Words {
            agents: of(&self.agents),
            policies: of(&self.policies),
            rollouts: of(&self.rollouts),
            backprops: of(&self.backprops),
        }
    }

    /// Returns all words with their parameters, ranges and defaults, aligned and at most 80 columns wide, for
    /// a program's `--help`.
    pub fn help(&self) -> String {
        let mut text = "Agents, with their parameters and defaults, as in mcts:384,c=0.5:\n".to_owned();
        for Entry { word, form, about, read, .. } in self.agents.entries() {
            let asked = Parameters::sample(word, |parameters| self.read_agent(read, parameters).err());
            help::add(&mut text, form, about, asked.iter().filter(|asked| asked.part.is_none()));
        }
        // Reading a part that was added to another list asks for the parameters of UCB1 first.
        let of_ucb1 = Parameters::sample("", |parameters| ucb1(parameters).err()).len();
        text += "\nIf two parts share a parameter name, prefix the second with its part:\n";
        text += "policy=epsilon-greedy,epsilon=0.1,rollout=mast,rollout-epsilon=0.4.\n";
        text += "Policies that read priors also have order=prior; their defaults are expand=1 and\n";
        text += "fpu=0.5.\n";
        text += "\nPolicies, for policy=, and as searches, as in grave:ref=30:\n";
        help_with_parts(&mut text, "policy", &self.policies, 0);
        text += "\nRollouts, for rollout=:\n";
        help_with_parts(&mut text, "rollout", &self.rollouts, of_ucb1);
        text += "\nBackpropagations, for backprop=:\n";
        help_with_parts(&mut text, "backprop", &self.backprops, of_ucb1);
        text
    }
}

/// The policy, the rollouts and the backpropagation of searches that share positions.
const GRAPH_WORDS: [&str; 3] = ["ucb1", "uniform", "average"];

/// Adds the words of `parts`, which are of the kind `what`; those that the program added without their first
/// `skipped` parameters.
fn help_with_parts<G: GameState, M>(
    text: &mut String,
    what: &'static str,
    parts: &Table<Part<G, M>>,
    skipped: usize,
) {
    for Entry { word, form, about, read, .. } in parts.entries() {
        let (asked, skipped) = match read {
            Part::Ready(read) => {
                (Parameters::sample(word, |parameters| parameters.of_part(what, read).err()), 0)
            }
            Part::Own(read) => (Parameters::sample(word, |parameters| read(parameters).err()), skipped),
        };
        help::add(text, form, about, asked.iter().skip(skipped));
    }
}

impl<G: GameState<Action: Send + Sync> + Send + 'static> Default for Registry<G> {
    fn default() -> Self {
        Registry::new()
    }
}

impl<G: GameState + 'static, A: Abilities<G>> fmt::Debug for Registry<G, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry").field("agents", &self.agents.words()).finish_non_exhaustive()
    }
}
