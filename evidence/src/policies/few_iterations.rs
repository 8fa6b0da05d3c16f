//! Gumbel against PUCT with few iterations and noisy priors.

use super::matches::score_of;
use crate::report::{Finding, Part, Section, Table, Verdict};
use crate::setting::Setting;
use ramure::backpropagation::Average;
use ramure::selection::{AtRoot, CompletedValues, GumbelRoot, Puct};
use ramure::simulation::{Evaluate, Evaluator, Position};
use ramure::{BoxError, Budget, Mcts, Rewards, Rng, StaticEvaluation, Turn};
use ramure_agents::MctsAgent;
use ramure_games::Connect4;
use ramure_lab::Failure;
use ramure_lab::Recipe;
use ramure_lab::contest::Estimate;
use ramure_lab::games::Breakthrough;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The simulations per action, as the paper counts them. The evaluation of the root is one more iteration.
const SIMULATIONS: [u64; 4] = [2, 4, 8, 16];

const GAMES: u32 = 400;

/// The noise of the priors, and the scale of Gumbel's own noise.
const VARIANTS: [(f64, f32); 4] = [(1.0, 0.0), (1.0, 1.0), (0.0, 0.0), (0.0, 1.0)];

/// An evaluator in place of a network. The value is the static evaluation. The priors are the softmax of the
/// evaluations of the next states, with normal noise on each logit. The noise is a function of the state.
#[derive(Clone, Copy)]
struct Noisy(f64);

impl<G: StaticEvaluation + Hash> Evaluator<G> for Noisy {
    fn evaluate(&self, batch: &mut [Position<'_, G>]) -> Result<(), BoxError> {
        for position in batch {
            let (state, actions) = (position.state, position.actions);
            let value = self.value(state, actions, position.priors());
            position.set_value(value);
        }
        Ok(())
    }
}

impl Noisy {
    fn value<G: StaticEvaluation + Hash>(
        &self,
        state: &G,
        actions: &[G::Action],
        priors: &mut [f32],
    ) -> Rewards {
        const TEMPERATURE: f64 = 0.1;
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        let mut rng = Rng::seeded(hasher.finish());
        for (action, prior) in actions.iter().zip(priors) {
            let mut next = state.clone();
            next.apply(action.clone());
            let value = match state.turn() {
                Turn::Player(player) if next.turn() == Turn::Over => next.reward(player),
                Turn::Player(player) => next.evaluate(player),
                _ => 0.5,
            };
            // The sum of twelve uniform numbers is normal enough.
            let normal = (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
            *prior = libm::exp((value - 0.5) / TEMPERATURE + self.0 * normal) as f32;
        }
        Rewards::new(state.players(), |player| state.evaluate(player) as f32)
    }
}

/// Plays all matches, on a game with few actions and on a game with more.
pub fn add(setting: &Setting, section: &mut Section) -> Result<(), Failure> {
    let head = SIMULATIONS.map(|simulations| format!("{simulations} simulations"));
    let heads = ["game", "noise of the priors' logits", "noise of Gumbel"].map(str::to_owned);
    let mut table = Table::new(heads.into_iter().chain(head));
    play(setting, Connect4::new(), "Connect 4", section, &mut table)?;
    play(setting, Breakthrough::new(false), "Breakthrough 5x5", section, &mut table)?;
    section.parts.push(Part::Text(format!(
        "Gumbel's score against PUCT in {GAMES} games each, without keeping the tree between actions. Both have the same values, \
         from the static evaluation, and the same priors: the softmax, with temperature 0.1, of the evaluations of the next \
         states. The table names the standard deviation of the normal noise on each logit. Without noise, the priors already \
         contain all that a look at the children can tell, so there is nothing to gain. As in the paper, \"simulations\" are the \
         iterations after the one that evaluates the root."
    )));
    section.parts.push(Part::Table(table));
    Ok(())
}

fn play<G: StaticEvaluation + Hash + Sync + 'static>(
    setting: &Setting,
    start: G,
    game: &str,
    section: &mut Section,
    table: &mut Table,
) -> Result<(), Failure> {
    for (noise, own) in VARIANTS {
        let against = |simulations| {
            let (gumbel, puct) = agents(simulations + 1, noise, own);
            score_of(setting, &start, [gumbel, puct], GAMES)
        };
        let scores = SIMULATIONS.into_iter().map(against).collect::<Result<Vec<_>, _>>()?;
        let cells = scores.iter().map(|score| format!("{score:.2}"));
        table.row([game.to_owned(), noise.to_string(), own.to_string()].into_iter().chain(cells));
        if noise > 0.0 {
            let how = if own > 0.0 { "with its noise" } else { "without its own noise" };
            section.findings.push(finding(format!("{game}, noisy priors: Gumbel {how} beats PUCT"), &scores));
        }
    }
    Ok(())
}

/// Returns Gumbel, with its own noise, and PUCT.
fn agents<G>(iterations: u64, noise: f64, own: f32) -> (Recipe<G>, Recipe<G>)
where
    G: StaticEvaluation + Hash + Sync + 'static,
{
    let (budget, rollouts) = (Budget::iterations(iterations), move || Evaluate::new(Noisy(noise)));
    let gumbel = Recipe::new(move || {
        let policy = move || AtRoot::new(GumbelRoot::new(16).noise(own), CompletedValues::default());
        let search = move |state: &G, seed| {
            Mcts::new(state.clone())
                .backprop(Average)
                .tree_policy(policy())
                .rollout_policy(rollouts())
                .seed(seed)
        };
        MctsAgent::new(format!("gumbel {iterations}"), budget, search).without_tree_reuse()
    });
    let puct = Recipe::new(move || {
        let search = move |state: &G, seed| {
            Mcts::new(state.clone())
                .backprop(Average)
                .tree_policy(Puct::default())
                .rollout_policy(rollouts())
                .seed(seed)
        };
        MctsAgent::new(format!("puct {iterations}"), budget, search).without_tree_reuse()
    });
    (gumbel, puct)
}

/// Judges whether Gumbel is better with each number of simulations.
fn finding(claim: String, scores: &[Estimate]) -> Finding {
    let with = |seen: fn(Estimate) -> bool| {
        let these = SIMULATIONS.iter().zip(scores).filter(|(_, score)| seen(**score));
        let listed = these.map(|(simulations, score)| format!("{simulations} ({:.2})", score.value));
        let list = listed.collect::<Vec<_>>().join(", ");
        if list.is_empty() { "none".to_owned() } else { list }
    };
    let (better, worse) = (with(|score| score.low > 0.5), with(|score| score.high < 0.5));
    let all_are_better = scores.iter().all(|score| score.low > 0.5);
    Finding::new(
        format!("{claim} at 2, 4, 8 and 16 simulations"),
        "Danihelka et al. 2022: with few simulations",
        format!("better at {better}; worse at {worse}"),
        Verdict::of(all_are_better, "not at every number"),
    )
}
