//! The backpropagations that texts can name, in two lists. A list is one type, with and without proofs.

use super::able::Full;
use super::backprop::{self, Make};
use super::lists::any;
use super::packed::{BY_REWARDS, Holds, Packed};
use super::settings::{ABOVE_0, UP_TO_1};
use ramure::backpropagation::{
    Average, Backprop, BayesBackup, Contempt, Discounted, ImplicitMinimax, MaxBackup, PowerMean,
    RecencyWeighted, RelativeBonus, ScoreBounds, SoftmaxBackup, Step,
};
use ramure::{GameFault, MAX_PLAYERS, ParameterError, Player, Rewards};

/// Any backpropagation.
#[allow(clippy::large_enum_variant, reason = "a search has only one")]
pub(super) enum AnyBackprop<G: Full> {
    Lean(Lean<G>),
    Keeping(Keeping<G>),
}

/// A backpropagation that was read.
pub(super) type MakeBackprop<G> = Make<G, AnyBackprop<G>>;

any! {
    /// Keeps no statistics per child.
    Lean making MakeBackprop, matched by each_lean;
    Average: Average = "average", "the mean of all rewards" => Average;
    Contempt: Contempt<Average> = "contempt", "the mean, with another worth of draws than 1/2" => match player {
        Some(player) => Contempt::of(player as Player, value, Average),
        None => Contempt::new(value, Average),
    }, |p|
        value = p.number("draw", "the worth of a draw", 0.4, 0.0..=1.0)? as f32,
        player = p.optional_count("player", "the player it holds for; for others, 1 less this", 0..MAX_PLAYERS as u64)?;
    RelativeBonus: RelativeBonus<Average> = "relative-bonus", "a bonus for games shorter than the mean"
        => RelativeBonus::new(k, bonus, Average), |p|
        k = p.number("k", "the steepness of the bonus", 1.4, ABOVE_0)? as f32,
        bonus = p.number("bonus", "the size of the bonus", 0.25, 0.0..=1.0)? as f32;
}
backprop::backprop!(Lean matched by each_lean, keeps (), updated by update);

any! {
    /// Keeps statistics per child, or looks at leaves.
    Keeping making MakeBackprop, matched by each_keeping;
    Discounted: Discounted = "discounted", "rewards shrink towards 1/2 with every step up"
        => Discounted::new(gamma), |p|
        gamma = p.number("gamma", "the factor of a step", 0.99, UP_TO_1)? as f32;
    RecencyWeighted: RecencyWeighted = "recency-weighted", "means that weigh recent rewards more"
        => RecencyWeighted::new(alpha), |p|
        alpha = p.number("alpha", "the share of the latest reward", 0.01, UP_TO_1)? as f32;
    MaxBackup: MaxBackup = "max", "the value of the best child" => MaxBackup;
    PowerMean: PowerMean = "power-mean", "the power mean of the children" => PowerMean::new(power), |p|
        power = p.number("power", "the exponent: 1 is the mean, infinity the greatest", 2.0, 1.0..)? as f32;
    SoftmaxBackup: SoftmaxBackup = "softmax", "the mean of the children, weighted by exp(Q / tau)"
        => SoftmaxBackup::new(tau), |p|
        tau = p.number("tau", "the temperature", 0.1, ABOVE_0)? as f32;
    BayesBackup: BayesBackup = "bayes", "the expected maximum of uncertain children" => BayesBackup;
    ImplicitMinimax: ImplicitMinimax<Average> = "implicit-minimax" needs Evaluation,
        "the mean mixed with the minimax of evaluations" => ImplicitMinimax::new(alpha, Average), |p|
        alpha = p.number("alpha", "the share of the evaluation", 0.4, 0.0..=1.0)? as f32;
    ScoreBounds: ScoreBounds<Average> = "score-bounds", "the mean, with proven bounds of rewards"
        => if general { ScoreBounds::general(Average) } else { ScoreBounds::new(Average) }, |p|
        general = p.flag("general", "allows the rewards of two players to sum to more than 1", false)?;
}
backprop::backprop!(Keeping matched by each_keeping, keeps Packed<16, BY_REWARDS>, updated by update_apart);
