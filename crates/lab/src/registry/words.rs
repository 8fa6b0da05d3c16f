//! The agents that texts can name, one entry each.

use super::Registry;
use super::abilities::Abilities;
use super::error::{Ability, ReadError};
use super::parameters::Parameters;
use super::settings::CONSTANT;
use super::text::Limit;
use crate::Recipe;
use core::f64::consts::SQRT_2;
use ramure::{Budget, GameState, RootDecision, Search, SearchError, StaticEvaluation};
use ramure_agents::{AlphaBeta, First, FlatMonteCarlo, MctsAgent, Minimax, Random};
use std::sync::Arc;

/// The greatest depth of [`Minimax`] and [`AlphaBeta`].
const MOST_DEPTH: u32 = 256;

/// Adds the agents that work for every game.
pub(super) fn for_all<G: GameState<Action: Send + Sync> + Send + 'static>(known: Registry<G>) -> Registry<G> {
    let mut known = known
        .with("first", "the first legal action", |_| Ok(|| First))
        .with("random", "a random legal action", |_| Ok(Random::default))
        .with("mc:N", "flat Monte-Carlo, N rollouts after each action", |p| {
            let rollouts = p.first_count("N", 1..)?;
            Ok(move || FlatMonteCarlo::per_action(rollouts))
        })
        .with("mc-total:N", "flat Monte-Carlo, N rollouts in all", |p| {
            let rollouts = p.first_count("N", 1..)?;
            Ok(move || FlatMonteCarlo::total(rollouts))
        })
        .with("mc-ucb1:N", "flat Monte-Carlo, N rollouts in all, divided by UCB1", |p| {
            let rollouts = p.first_count("N", 1..)?;
            let c = p.number("c", "the exploration constant", SQRT_2, CONSTANT)?;
            Ok(move || FlatMonteCarlo::ucb1(rollouts, c))
        });
    known.agents.put("mcts:BUDGET", "Monte-Carlo tree search", None);
    without_evaluation(known)
}

/// Names the agents that need a static evaluation, as words that cannot be used.
pub(super) fn without_evaluation<G: GameState, A: Abilities<G>>(mut known: Registry<G, A>) -> Registry<G, A> {
    for word in ["minimax", "alphabeta"] {
        known.agents.put_if(Some(Ability::Evaluation), word, "", None);
    }
    known
}

/// The agent `mcts`.
pub(super) fn mcts<G: GameState<Action: Send + Sync> + Send + 'static, A: Abilities<G>>(
    known: &Registry<G, A>,
    p: &mut Parameters,
) -> Result<Recipe<G>, ReadError> {
    let clock = p.clock()?;
    let budget = if clock.is_none() { Some(p.first_budget()?) } else { None };
    let policy = known.policies.choose("policy", "the tree policy", p)?;
    let search = known.read_search(policy, p)?;
    if search.needs_iterations && budget.and_then(|budget| budget.iterations).is_none() {
        return Err(ReadError::NeedsIterations { word: policy.word.clone() });
    }
    let reuse = p.flag("reuse", "keeps the tree between actions", true)?;
    let about = "for final=temperature and final=within, how many of its first actions of a game the agent chooses so";
    let opening = p.optional_count("opening", about, 1..=1_000)?.map(|actions| actions as u32);
    let opening = match (opening, search.settings.decision) {
        (None, _) => None,
        (Some(n), Some(decision @ (RootDecision::Temperature(_) | RootDecision::Within(_)))) => {
            Some((n, decision))
        }
        (Some(_), _) => {
            let why =
                "`opening` needs a final decision that draws, such as `final=temperature` or `final=within`";
            return Err(ReadError::Failed(why.into()));
        }
    };
    let can_stop_early = (search.settings.is_robust() || opening.is_some()) && !search.needs_iterations;
    let about = "stops when the most visited action cannot be overtaken; with clock, yes if it can";
    let early = p.flag("early", about, clock.is_some() && can_stop_early)?;
    if early && !can_stop_early {
        return Err(ReadError::Failed(SearchError::CannotStopEarly.to_string()));
    }
    let about = "the percentage by which the budget is exceeded while the most visited action has not the greatest \
                 mean; with clock 50";
    let unclear = p.count("unclear", about, if clock.is_some() { 50 } else { 0 }, 0..=1_000)? as u32;
    if unclear > 0 && search.needs_iterations {
        let word = &policy.word;
        return Err(ReadError::Failed(format!("`{word}` plans ahead for its budget; leave `unclear` out")));
    }
    let is_patient = matches!(search.settings.decision, Some(RootDecision::MaxRobust(_)));
    if (unclear > 0 || clock.is_some()) && is_patient {
        let why = "`final=max-robust` would have no effect, because `clock` and `unclear` set how far the budget is \
                   exceeded; choose another `final`";
        return Err(ReadError::Failed(why.into()));
    }
    let clock = clock.map(|clock| clock.stops_early(early).percent_if_unclear(unclear));
    let budget = budget.map(|budget| if early { budget.or_decided() } else { budget });
    let budget =
        budget.map(|budget| if unclear > 0 { budget.and_percent_if_unclear(unclear) } else { budget });
    let name = p.name();
    Ok(Recipe::new(move || {
        let make = Arc::clone(&search.make);
        let make = move |state: &G, seed| {
            let mut search = make(state.clone(), seed);
            if opening.is_some() {
                search.set_root_decision(None); // after the opening
            }
            search
        };
        let agent = match (clock, budget) {
            (Some(clock), _) => MctsAgent::on_clock(&name, clock, make),
            (None, budget) => MctsAgent::new(&name, budget.unwrap_or(Budget::until_stopped()), make),
        };
        let agent = if reuse { agent } else { agent.without_tree_reuse() };
        opening.into_iter().fold(agent, |agent, (actions, decision)| agent.opening(actions, decision))
    }))
}

/// Adds the agents that need a static evaluation.
pub(super) fn for_evaluation<G, A>(known: Registry<G, A>) -> Registry<G, A>
where
    G: StaticEvaluation<Action: Send + Sync> + Send + 'static,
    A: Abilities<G>,
{
    known
        .with("minimax:DEPTH", "searches every line of play, DEPTH actions deep", |p| {
            let depth = p.first_count("DEPTH", 1..=u64::from(MOST_DEPTH))?;
            Ok(move || Minimax::new(depth as u32))
        })
        .with("alphabeta:DEPTH", "minimax with pruning; DEPTH may be a time", |p| {
            let most = u64::from(MOST_DEPTH);
            let values =
                format!("a depth from 1 to {most}, a time up to 86400s as 100ms, or one of each as 8+100ms");
            let fits = |limit: &Limit| limit.count.is_none_or(|depth| depth <= most);
            let limit = p.first("DEPTH", &values, |text| Limit::read(text).filter(fits), Limit::written)?;
            let order =
                p.choice("order", "the order in which actions are tried", &["listed", "evaluation"])?;
            let nodes = p.optional_count("nodes", "deepens until it has looked at this many states", 1..)?;
            let by_evaluation = order == "evaluation";
            Ok(move || {
                let agent = AlphaBeta::new(limit.count.unwrap_or(most) as u32);
                let agent = if by_evaluation { agent.by_evaluation() } else { agent };
                let agent = limit.time.into_iter().fold(agent, AlphaBeta::time);
                nodes.into_iter().fold(agent, AlphaBeta::nodes)
            })
        })
}
