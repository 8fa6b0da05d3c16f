//! `Serialize` and `Deserialize`, behind the feature `serde`, of the types whose values are checked: reports,
//! budgets, settings and rewards. All other types derive
//! both traits where they are defined: their values are valid by themselves, or checked as parts of these. A
//! game has fewer players than a `Turn` can name.
//!
//! The private types `..Def` list the fields of the public types as they are written. A value that a search
//! would reject is an error in both directions, so every file that is written can be read. The checks are:
//!
//! - budgets, expansions, root decisions and first-play urgency: those that a search makes before a run;
//! - clocks: those that a clock makes before it returns a budget;
//! - rewards: their number and their range;
//! - reports: all fractions are finite, and `chosen` is the index of an action. Whether the fields of a
//!   report agree with each other, or with a game, is not checked.

use crate::game::{GameFault, MAX_PLAYERS, Player, Rewards};
use crate::iteration::expansion::{Expansion, Order};
use crate::parameter::ParameterError;
use crate::run::budget::{Budget, Bytes, StopReason};
use crate::run::game_clock::{ByoYomi, GameClock, Period};
use crate::run::report::root_decision::RootDecision;
use crate::run::report::{ActionReport, Report};
use crate::run::seconds;
use crate::selection::FirstPlay;
use core::time::Duration;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

/// Implements both traits for a type by its `..Def`. The function after `if` checks the value before it is
/// written and after it is read.
macro_rules! serialize_by {
    ($type:ty, $def:ty, if $check:expr $(, for $parameter:ident)?) => {
        #[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
        impl $(<$parameter: Serialize>)? Serialize for $type {
            fn serialize<Out: Serializer>(&self, serializer: Out) -> Result<Out::Ok, Out::Error> {
                $check(self).map_err(::serde::ser::Error::custom)?;
                <$def>::serialize(self, serializer)
            }
        }

        #[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
        impl<'de $(, $parameter: Deserialize<'de>)?> Deserialize<'de> for $type {
            fn deserialize<In: Deserializer<'de>>(deserializer: In) -> Result<Self, In::Error> {
                let value = <$def>::deserialize(deserializer)?;
                $check(&value).map_err(::serde::de::Error::custom)?;
                Ok(value)
            }
        }
    };
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Report", rename = "Report")]
struct ReportDef<A> {
    actions: Vec<ActionReport<A>>,
    chosen: Option<usize>,
    principal_variation: Vec<A>,
    player: Option<Player>,
    proof: Option<f32>,
    iterations: u64,
    root_visits: u32,
    #[serde(with = "seconds")]
    time: Duration,
    nodes: usize,
    bytes: usize,
    recycled_nodes: u64,
    depth: u32,
    mean_depth: f64,
    stop_reason: StopReason,
    #[serde(default)]
    has_units: bool,
}
serialize_by!(Report<A>, ReportDef<A>, if check_report, for A);

#[derive(Serialize, Deserialize)]
#[serde(remote = "ActionReport", rename = "ActionReport")]
struct ActionReportDef<A> {
    action: A,
    visits: u32,
    mean: f32,
    proof: Option<f32>,
    worth: Option<f32>,
    prior: Option<f32>,
    improved_policy: Option<f32>,
    interval: (f32, f32),
    is_pruned: bool,
}
serialize_by!(ActionReport<A>, ActionReportDef<A>, if check_action_report, for A);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Budget", rename = "Budget", deny_unknown_fields, default = "Budget::until_stopped")]
struct BudgetDef {
    iterations: Option<u64>,
    #[serde(with = "seconds::optional")]
    time: Option<Duration>,
    bytes: Option<Bytes>,
    stops_early: bool,
    percent_if_unclear: Option<u32>,
}
serialize_by!(Budget, BudgetDef, if Budget::check);

#[derive(Serialize, Deserialize)]
#[serde(remote = "GameClock", rename = "GameClock", deny_unknown_fields)]
struct GameClockDef {
    #[serde(with = "seconds")]
    remaining: Duration,
    #[serde(default, with = "seconds")]
    increment: Duration,
    #[serde(default)]
    moves_to_go: Option<u32>,
    #[serde(default)]
    period: Option<Period>,
    #[serde(default)]
    byo_yomi: Option<ByoYomi>,
    #[serde(default = "expected_moves")]
    expected_moves: u32,
    #[serde(default = "margin", with = "seconds")]
    margin: Duration,
    #[serde(default = "stops_early")]
    stops_early: bool,
    #[serde(default = "percent_if_unclear")]
    percent_if_unclear: u32,
}
serialize_by!(GameClock, GameClockDef, if GameClock::check);

fn expected_moves() -> u32 {
    GameClock::EXPECTED_MOVES
}

fn margin() -> Duration {
    GameClock::MARGIN
}

fn stops_early() -> bool {
    true
}

fn percent_if_unclear() -> u32 {
    GameClock::PERCENT_IF_UNCLEAR
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Expansion", rename = "Expansion", deny_unknown_fields, default = "Expansion::default")]
struct ExpansionDef {
    on_visit: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    order: Order,
    #[serde(with = "optional_widening")]
    widening: Option<(f64, f64)>,
    #[serde(with = "optional_widening", skip_serializing_if = "Option::is_none")]
    outcome_widening: Option<(f64, f64)>,
    first_play: Option<FirstPlay>,
}
serialize_by!(Expansion, ExpansionDef, if Expansion::check);

#[derive(Serialize, Deserialize)]
#[serde(remote = "RootDecision", rename = "RootDecision", rename_all = "snake_case")]
enum RootDecisionDef {
    Robust,
    Max,
    MaxRobust(f32),
    Secure(f32),
    Temperature(f32),
    Within(f32),
    Mixed,
}
serialize_by!(RootDecision, RootDecisionDef, if |decision: &RootDecision| decision.check());

#[derive(Serialize, Deserialize)]
#[serde(remote = "FirstPlay", rename = "FirstPlay", rename_all = "snake_case")]
enum FirstPlayDef {
    Infinite,
    Value(f32),
    BelowMean(f32),
}
serialize_by!(FirstPlay, FirstPlayDef, if |first_play: &FirstPlay| first_play.check());

/// Rewards are written as a list of one number per player.
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl Serialize for Rewards {
    fn serialize<Out: Serializer>(&self, serializer: Out) -> Result<Out::Ok, Out::Error> {
        check_rewards(self).map_err(ser::Error::custom)?;
        serializer.collect_seq(self.as_slice())
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl<'de> Deserialize<'de> for Rewards {
    fn deserialize<In: Deserializer<'de>>(deserializer: In) -> Result<Self, In::Error> {
        let given = Vec::<f32>::deserialize(deserializer)?;
        if !(1..=MAX_PLAYERS).contains(&given.len()) {
            return Err(de::Error::custom(wrong_count(given.len())));
        }
        let rewards = Rewards::new(given.len() as u8, |player| given[usize::from(player)]);
        check_rewards(&rewards).map_err(de::Error::custom)?;
        Ok(rewards)
    }
}

/// The message for a number of rewards that is not the number of players of any game.
fn wrong_count(count: usize) -> String {
    format!("the number of rewards is {count}; a game has 1 to {MAX_PLAYERS} players")
}

fn check_rewards(rewards: &Rewards) -> Result<(), String> {
    match rewards.players() {
        0 => Err(wrong_count(0)),
        players => rewards.checked(players).map(|_| ()).map_err(|fault: GameFault| fault.to_string()),
    }
}

fn check_report<A>(report: &Report<A>) -> Result<(), String> {
    let actions = report.actions.len();
    if let Some(chosen) = report.chosen.filter(|&chosen| chosen >= actions) {
        return Err(format!("`chosen` is {chosen}, counted from 0; the report has {actions} actions"));
    }
    finite("Report::mean_depth", Some(report.mean_depth))
        .and_then(|()| finite("Report::proof", report.proof))
        .map_err(|error| error.to_string())
}

fn check_action_report<A>(action: &ActionReport<A>) -> Result<(), ParameterError> {
    finite("ActionReport::mean", Some(action.mean))?;
    finite("ActionReport::proof", action.proof)?;
    finite("ActionReport::worth", action.worth)?;
    finite("ActionReport::prior", action.prior)?;
    finite("ActionReport::improved_policy", action.improved_policy)?;
    finite("ActionReport::interval, low end", Some(action.interval.0))?;
    finite("ActionReport::interval, high end", Some(action.interval.1))
}

/// Checks a number. JSON has neither NaN nor infinity; `serde_json` would write `null`, which stands for
/// `None`.
fn finite(name: &'static str, value: Option<impl Into<f64>>) -> Result<(), ParameterError> {
    let value = value.map_or(0.0, Into::into);
    ParameterError::unless(value.is_finite(), name, value, "finite")
}

/// The parameters of progressive widening, with their names.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Widening {
    scale: f64,
    exponent: f64,
}

mod optional_widening {
    use super::Widening;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<Out: Serializer>(
        widening: &Option<(f64, f64)>,
        serializer: Out,
    ) -> Result<Out::Ok, Out::Error> {
        widening.map(|(scale, exponent)| Widening { scale, exponent }).serialize(serializer)
    }

    pub fn deserialize<'de, In: Deserializer<'de>>(
        deserializer: In,
    ) -> Result<Option<(f64, f64)>, In::Error> {
        let widening = Option::<Widening>::deserialize(deserializer)?;
        Ok(widening.map(|Widening { scale, exponent }| (scale, exponent)))
    }
}
