//! The tree policies that texts can name, in three lists. A list is one type, so that all its policies run in
//! the same loop.

use super::able::Full;
use super::error::ReadError;
use super::lists::any;
use super::packed::{BY_ACTIONS, BY_REWARDS, Holds, Packed, PriorWords};
use super::parameters::Parameters;
use super::settings::{ABOVE_0, ABOVE_0_TO_1000, BETWEEN_0_AND_1, CONSTANT, UP_TO_1};
use super::tree_policy::{self, Make};
use core::f64::consts::SQRT_2;
use ramure::selection::{
    AlphaAmaf, AtRoot, BayesUct, Boltzmann, Choice, CompletedValues, Dirichlet, EpsilonGreedy, Event, Exp3,
    Exploration, GaussianThompson, Grave, Gumbel, GumbelRoot, KlUcb, Moss, Node, ProgressiveBias,
    ProgressiveHistory, Puct, Rave, SequentialHalving, Shot, SinglePlayer, Thompson, TreePolicy, Ucb1,
    Ucb1Tuned, UcbV,
};
use ramure::{ParameterError, Player, Rewards, Rng};

/// Any tree policy.
pub(super) enum AnyPolicy<G: Full> {
    Rewarded(Rewarded<G>),
    Distinguishing(Distinguishing<G>),
    WithPrior(WithPrior<G>),
}

/// A tree policy that was read.
pub(super) type MakePolicy<G> = Make<G, AnyPolicy<G>>;

any! {
    /// Policies fed by rewards alone. Unvisited children are alike, so families grow as children are tried.
    Rewarded making MakePolicy, matched by each_rewarded;
    Ucb1: Ucb1 = "ucb1" [hot], "Q + c sqrt(ln N / n)" => make(), |p| make = ucb1(p)?;
    Ucb1Tuned: Ucb1Tuned = "ucb1-tuned" [hot], "UCB1 with a bonus that uses the variance" => Ucb1Tuned::new(c), |p|
        c = constant(p, 1.0)?;
    UcbV: UcbV = "ucb-v", "Q + sqrt(2 V zeta ln N / n) + 3 c zeta ln N / n" => UcbV::new(zeta, c), |p|
        zeta = p.number("zeta", "the weight of ln N", 1.2, CONSTANT)? as f32,
        c = p.number("c", "the weight of the last term", 1.0, CONSTANT)? as f32;
    KlUcb: KlUcb = "kl-ucb", "the greatest mean that the rewards do not rule out" => KlUcb::new(c), |p|
        c = p.number("c", "the weight of ln ln N", 0.0, CONSTANT)? as f32;
    Moss: Moss = "moss", "Q + sqrt(ln(N / (K n)) / n), MOSS-anytime"
        => horizon.map_or(Moss::new(), |horizon| Moss::with_horizon(horizon as u32)), |p|
        about = "the iterations of a run, for the paper's MOSS at the root",
        horizon = p.optional_count("horizon", about, 1..1 << 31)?;
    SinglePlayer: SinglePlayer = "single-player", "for one player without chance: Q + c sqrt(ln N / n) + sqrt(V + d / n), scaled to the rewards so far"
        => SinglePlayer::new(c, d), |p|
        c = constant(p, 0.02)?,
        d = p.number("d", "the larger, the less few visits are trusted", 0.001, CONSTANT)? as f32;
    BayesUct: BayesUct = "bayes-uct", "for backprop=bayes: Q + c sqrt(ln N) sigma"
        => if is_first { BayesUct::first(c) } else { BayesUct::second(c) }, |p|
        about = "2 as above, or 1 for Q + c sqrt(ln N / n)",
        is_first = p.choice("formula", about, &["2", "1"])? == "1",
        c = constant(p, SQRT_2)?;
    Shot: Shot = "shot", "sequential halving at every node" => Shot::new();
    Halving: AtRoot<SequentialHalving, Ucb1> = "halving", "sequential halving at the root, ucb1 below"
        => AtRoot::new(SequentialHalving::new(), make()), |p|
        make = ucb1(p)?;
}
tree_policy::tree_policy!(Rewarded matched by each_rewarded, keeps Packed<6, BY_REWARDS>, sees unvisited: false);

any! {
    /// Policies that distinguish unvisited children, by the actions of the iteration or at random.
    Distinguishing making MakePolicy, matched by each_distinguishing;
    Thompson: Thompson = "thompson", "the greatest draw from Beta posteriors" => Thompson;
    GaussianThompson: GaussianThompson = "gaussian-thompson", "the greatest draw from normal posteriors"
        => GaussianThompson::new(sigma), |p|
        sigma = p.number("sigma", "the deviation of rewards", 1.0, ABOVE_0_TO_1000)?;
    EpsilonGreedy: EpsilonGreedy = "epsilon-greedy", "mostly the greatest mean" => EpsilonGreedy::new(epsilon), |p|
        epsilon = p.number("epsilon", "the probability of a random child", 0.1, 0.0..=1.0)?;
    Decreasing: EpsilonGreedy = "epsilon-n-greedy", "epsilon-greedy with decreasing epsilon, c K / (d^2 N)"
        => EpsilonGreedy::decreasing(c, d), |p|
        c = p.number("c", "the larger, the longer it explores", 0.1, ABOVE_0)?,
        d = p.number("d", "at most the gap between the best two means", 0.1, BETWEEN_0_AND_1)?;
    Boltzmann: Boltzmann = "boltzmann", "children drawn by exp(Q / tau)" => Boltzmann::new(tau), |p|
        tau = p.number("tau", "the temperature", 0.1, 1e-6..=1000.0)?;
    Exp3: Exp3 = "exp3", "children drawn by the sum of their rewards, each over its probability"
        => Exp3::new(gamma), |p|
        gamma = p.number("gamma", "the share of uniform draws", 0.1, UP_TO_1)?;
    Grave: Grave = "grave" needs Numbers, "AMAF values of the nearest node above with enough visits"
        => Grave::new(reference, bias), |p|
        reference = p.number("ref", "the visits that are enough", 50.0, 0.0..)? as f32,
        bias = p.number("bias", "the smaller, the longer AMAF counts", 1e-5, 0.0..)? as f32;
    Hrave: Grave = "hrave" needs Numbers, "AMAF values of the root" => Grave::hrave(bias), |p|
        bias = p.number("bias", "the smaller, the longer AMAF counts", 1e-5, 0.0..)? as f32;
    Rave: Rave = "rave" needs Numbers, "AMAF values of the node itself" => Rave::new(bias).exploration(c), |p|
        bias = p.number("bias", "the smaller, the longer AMAF counts", 1e-3, 0.0..)? as f32,
        c = p.number("c", "the exploration constant", 0.0, CONSTANT)? as f32;
    RaveByHand: Rave = "rave-k" needs Numbers, "RAVE with a hand-tuned schedule"
        => Rave::hand_selected(k).exploration(c), |p|
        k = p.number("k", "the visits at which AMAF and Q count the same", 1000.0, ABOVE_0)? as f32,
        c = p.number("c", "the exploration constant", 0.0, CONSTANT)? as f32;
    AlphaAmaf: AlphaAmaf = "alpha-amaf" needs Numbers, "AMAF values and UCB1 mixed" => AlphaAmaf::new(alpha, c), |p|
        alpha = p.number("alpha", "the share of AMAF", 0.5, 0.0..=1.0)? as f32,
        c = exploration(p, 1.0)?;
    ProgressiveHistory: ProgressiveHistory = "progressive-history" needs Numbers,
        "UCB1 plus the action's results elsewhere" => ProgressiveHistory::new(c, weight), |p|
        c = exploration(p, 1.0)?,
        weight = p.number("weight", "the larger, the longer the history counts", 5.0, CONSTANT)? as f32;
}
tree_policy::tree_policy!(Distinguishing matched by each_distinguishing, keeps Packed<4, BY_ACTIONS>, sees unvisited: true);

any! {
    /// Policies that read priors, which come from the static evaluation.
    WithPrior making MakePolicy, matched by each_with_prior;
    Puct: Puct = "puct" needs Evaluation [hot], "Q + c P sqrt(N) / (1 + n), P from the evaluation" => make(), |p| make = puct(p)?;
    NoisyPuct: AtRoot<Dirichlet, Puct> = "puct-noise" needs Evaluation, "puct with Dirichlet noise at the root" => {
        let noise = alpha.map_or(Dirichlet::scaled(total), |alpha| Dirichlet::new(alpha as f32));
        AtRoot::new(noise.epsilon(epsilon), make())
    }, |p|
        epsilon = p.number("epsilon", "the share of the noise", 0.25, 0.0..=1.0)? as f32,
        alpha = p.optional_number("alpha", "alpha of the noise, instead of total over the number of actions", ABOVE_0)?,
        total = match alpha {
            Some(_) => 0.0,
            None => p.number("total", "alpha is this over the number of actions", 10.0, ABOVE_0)? as f32,
        },
        make = puct(p)?;
    Gumbel: Gumbel = "gumbel" needs Evaluation, "Gumbel draws at the root, completed values below" => {
        let root = GumbelRoot::new(actions).scale(c_visit, c_scale).noise(noise);
        let gumbel = AtRoot::new(root, CompletedValues::new(c_visit, c_scale));
        if is_rescaled { gumbel.rescaled() } else { gumbel }
    }, |p|
        actions = p.count("actions", "the number of actions drawn", 16, 1..=1_000_000)? as u32,
        noise = p.number("noise", "the scale of the draws", 1.0, 0.0..)? as f32,
        (c_visit, c_scale, is_rescaled) = completed(p)?;
    CompletedValues: CompletedValues = "completed" needs Evaluation, "priors improved by completed values" => {
        let completed = CompletedValues::new(c_visit, c_scale);
        if is_rescaled { completed.rescaled() } else { completed }
    }, |p|
        (c_visit, c_scale, is_rescaled) = completed(p)?;
    ProgressiveBias: ProgressiveBias = "progressive-bias" needs Evaluation, "UCB1 plus a heuristic that fades with visits"
        => ProgressiveBias::new(c, weight), |p|
        c = exploration(p, 1.0)?,
        weight = p.number("weight", "the weight of the heuristic, which is the prior", 1.0, CONSTANT)? as f32;
}
tree_policy::tree_policy!(WithPrior matched by each_with_prior, keeps PriorWords, sees unvisited: true);

fn puct(parameters: &mut Parameters) -> Result<impl Fn() -> Puct + Send + Sync + use<>, ReadError> {
    let c = exploration(parameters, 2.5)?;
    let base =
        parameters.optional_count("base", "lets c grow with the visits; AlphaZero has 19652", 1..=1 << 24)?;
    let about =
        "lowers fpu by this times the root of the sum of the priors tried; with fpu=mean-0 as in KataGo";
    let reduction = parameters.number("fpu-reduction", about, 0.0, 0.0..=1.0)? as f32;
    Ok(move || {
        let puct = base.map_or(Puct::new(c), |base| Puct::growing(c, base as f32));
        if reduction > 0.0 { puct.fpu_reduction(reduction) } else { puct }
    })
}

/// Reads the constants of completed values, and whether values are rescaled.
fn completed(parameters: &mut Parameters) -> Result<(f32, f32, bool), ReadError> {
    let c_visit =
        parameters.number("c-visit", "the visits added to the weight of values", 50.0, 0.0..)? as f32;
    let c_scale = parameters.number("c-scale", "the weight of values", 1.0, 0.0..)? as f32;
    let about = "rescales the values of siblings to [0, 1]; mctx does, with c-scale=0.1";
    Ok((c_visit, c_scale, parameters.flag("rescale", about, false)?))
}

pub(super) fn ucb1(
    parameters: &mut Parameters,
) -> Result<impl Fn() -> Ucb1 + Send + Sync + use<>, ReadError> {
    let c = exploration(parameters, 1.0)?;
    Ok(move || Ucb1::new(c))
}

/// Reads an exploration constant, which by default is this many deviations of the rewards.
fn exploration(parameters: &mut Parameters, deviations: f64) -> Result<Exploration, ReadError> {
    let about = "the exploration constant, in place of k";
    if let Some(c) = parameters.optional_number("c", about, CONSTANT)? {
        return Ok(Exploration::from(c as f32));
    }
    let about = "the exploration constant in standard deviations of the rewards";
    Ok(Exploration::deviations(parameters.number("k", about, deviations, CONSTANT)? as f32))
}

fn constant(parameters: &mut Parameters, default: f64) -> Result<f32, ReadError> {
    Ok(parameters.number("c", "the exploration constant", default, CONSTANT)? as f32)
}
