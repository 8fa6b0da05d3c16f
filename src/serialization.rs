//! `Serialize` and `Deserialize`, behind the feature `serde`: reports, budgets, settings and rewards. Those
//! of the games are in `games/serialization.rs`.
//!
//! The private types `..Def` list the fields of the public types as they are written. A value that a search
//! would reject is an error in both directions, so every file that is written can be read. The checks are:
//!
//! - budgets, expansions, root decisions and first-play urgency: those that a search makes before a run;
//! - clocks: those that a clock makes before it returns a budget;
//! - rewards: their number and their range;
//! - reports: all fractions are finite, and `chosen` is the index of an action. Whether the fields of a
//!   report agree with each other, or with a game, is not checked;
//! - the other types: nothing but their form, because all their values are valid by themselves. A game has
//!   fewer players than a `Turn` can name.

use crate::game::{GameFault, MAX_PLAYERS, Player, Rewards, Turn};
use crate::iteration::expansion::{Expansion, Order};
use crate::parameter::ParameterError;
use crate::run::budget::{Budget, Bytes, Every, StopReason};
use crate::run::game_clock::{ByoYomi, GameClock, Period};
use crate::run::report::root_decision::RootDecision;
use crate::run::report::{ActionReport, Report};
use crate::search::{Exchange, PlayerAction};
use crate::selection::FirstPlay;
use core::convert::Infallible;
use core::fmt;
use core::time::Duration;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

/// Implements both traits for a type by its `..Def`. The function after `if` checks the value before it is
/// written and after it is read.
macro_rules! serialize_by {
    ($type:ty, $def:ty, if $check:expr $(, for $parameter:ident)?) => {
        #[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
        impl $(<$parameter: Serialize>)? Serialize for $type {
            fn serialize<Out: Serializer>(&self, serializer: Out) -> Result<Out::Ok, Out::Error> {
                $check(self).map_err(ser::Error::custom)?;
                <$def>::serialize(self, serializer)
            }
        }

        #[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
        impl<'de $(, $parameter: Deserialize<'de>)?> Deserialize<'de> for $type {
            fn deserialize<In: Deserializer<'de>>(deserializer: In) -> Result<Self, In::Error> {
                let value = <$def>::deserialize(deserializer)?;
                $check(&value).map_err(de::Error::custom)?;
                Ok(value)
            }
        }
    };
}

/// The check of types all of whose values are valid.
fn anything<T>(_: &T) -> Result<(), Infallible> {
    Ok(())
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
#[serde(remote = "PlayerAction", rename = "PlayerAction")]
struct PlayerActionDef<A> {
    player: Option<Player>,
    action: A,
}
serialize_by!(PlayerAction<A>, PlayerActionDef<A>, if anything, for A);

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
#[serde(remote = "StopReason", rename = "StopReason", rename_all = "snake_case")]
enum StopReasonDef {
    Iterations,
    Time,
    Bytes,
    Stopped,
    Proven,
    Decided,
    CountFull,
    NotRun,
    Passes,
    AskAndTell,
}
serialize_by!(StopReason, StopReasonDef, if anything);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Budget", rename = "Budget", deny_unknown_fields)]
struct BudgetDef {
    #[serde(default)]
    iterations: Option<u64>,
    #[serde(default, with = "optional_seconds")]
    time: Option<Duration>,
    #[serde(default)]
    bytes: Option<Bytes>,
    #[serde(default)]
    stops_early: bool,
    #[serde(default)]
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
    #[serde(default, with = "optional_period")]
    period: Option<Period>,
    #[serde(default, with = "optional_byo_yomi")]
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
#[serde(remote = "Bytes", transparent)]
struct BytesDef(usize);
serialize_by!(Bytes, BytesDef, if anything);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Every", rename = "Every", rename_all = "snake_case")]
enum EveryDef {
    Iterations(u64),
    Time(#[serde(with = "seconds")] Duration),
}
serialize_by!(Every, EveryDef, if anything);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Expansion", rename = "Expansion", deny_unknown_fields)]
struct ExpansionDef {
    #[serde(default)]
    on_visit: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(default)]
    order: Order,
    #[serde(default, with = "optional_widening")]
    widening: Option<(f64, f64)>,
    #[serde(default, with = "optional_widening", skip_serializing_if = "Option::is_none")]
    outcome_widening: Option<(f64, f64)>,
    #[serde(default)]
    first_play: Option<FirstPlay>,
}
serialize_by!(Expansion, ExpansionDef, if Expansion::check);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Exchange", rename = "Exchange", deny_unknown_fields, default = "Exchange::new")]
struct ExchangeDef {
    every: f64,
    share: f64,
    least_iterations: u32,
    least_visits: u32,
    most_nodes: f64,
    start: u32,
    overlap: bool,
}
serialize_by!(Exchange, ExchangeDef, if Exchange::check);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Order", rename = "Order", rename_all = "snake_case")]
enum OrderDef {
    Random,
    AsListed,
    Prior,
}
serialize_by!(Order, OrderDef, if anything);

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

#[derive(Serialize, Deserialize)]
#[serde(remote = "Turn", rename = "Turn", rename_all = "snake_case")]
enum TurnDef {
    Player(Player),
    Chance,
    Over,
}
serialize_by!(Turn, TurnDef, if anything);

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
            return Err(de::Error::custom(WrongCount(given.len())));
        }
        let rewards = Rewards::new(given.len() as u8, |player| given[usize::from(player)]);
        check_rewards(&rewards).map_err(de::Error::custom)?;
        Ok(rewards)
    }
}

/// The number of rewards is not the number of players of any game.
struct WrongCount(usize);

impl fmt::Display for WrongCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the number of rewards is {}; a game has 1 to {MAX_PLAYERS} players", self.0)
    }
}

fn check_rewards(rewards: &Rewards) -> Result<(), String> {
    match rewards.players() {
        0 => Err(WrongCount(0).to_string()),
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

/// A wall time as a number of seconds.
struct Seconds(Duration);

impl Serialize for Seconds {
    fn serialize<Out: Serializer>(&self, serializer: Out) -> Result<Out::Ok, Out::Error> {
        serializer.serialize_f64(self.0.as_secs_f64())
    }
}

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<In: Deserializer<'de>>(deserializer: In) -> Result<Self, In::Error> {
        let seconds = f64::deserialize(deserializer)?;
        if seconds.is_nan() || seconds < 0.0 {
            let message = format_args!("the time is {seconds}; it must be a number of seconds, at least 0");
            return Err(de::Error::custom(message));
        }
        // What remains are times that are too long. `Duration::MAX` is one itself when written in seconds.
        Ok(Seconds(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)))
    }
}

mod seconds {
    use super::Seconds;
    use core::time::Duration;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<Out: Serializer>(time: &Duration, serializer: Out) -> Result<Out::Ok, Out::Error> {
        Seconds(*time).serialize(serializer)
    }

    pub fn deserialize<'de, In: Deserializer<'de>>(deserializer: In) -> Result<Duration, In::Error> {
        Seconds::deserialize(deserializer).map(|seconds| seconds.0)
    }
}

mod optional_seconds {
    use super::Seconds;
    use core::time::Duration;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<Out: Serializer>(
        time: &Option<Duration>,
        serializer: Out,
    ) -> Result<Out::Ok, Out::Error> {
        time.map(Seconds).serialize(serializer)
    }

    pub fn deserialize<'de, In: Deserializer<'de>>(deserializer: In) -> Result<Option<Duration>, In::Error> {
        Ok(Option::<Seconds>::deserialize(deserializer)?.map(|seconds| seconds.0))
    }
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

/// The period of a clock, with the names of its parts.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Period", rename = "Period", deny_unknown_fields)]
struct PeriodDef {
    moves: u32,
    #[serde(with = "seconds")]
    time: Duration,
}

/// The byo-yomi of a clock, with the names of its parts.
#[derive(Serialize, Deserialize)]
#[serde(remote = "ByoYomi", rename = "ByoYomi", deny_unknown_fields)]
struct ByoYomiDef {
    periods: u32,
    moves: u32,
    #[serde(with = "seconds")]
    time: Duration,
    #[serde(default)]
    has_begun: bool,
}

mod optional_byo_yomi {
    use super::{ByoYomi, ByoYomiDef};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    struct Written(#[serde(with = "ByoYomiDef")] ByoYomi);

    pub fn serialize<Out: Serializer>(
        byo_yomi: &Option<ByoYomi>,
        serializer: Out,
    ) -> Result<Out::Ok, Out::Error> {
        byo_yomi.map(Written).serialize(serializer)
    }

    pub fn deserialize<'de, In: Deserializer<'de>>(deserializer: In) -> Result<Option<ByoYomi>, In::Error> {
        Ok(Option::<Written>::deserialize(deserializer)?.map(|byo_yomi| byo_yomi.0))
    }
}

mod optional_period {
    use super::{Period, PeriodDef};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    struct Written(#[serde(with = "PeriodDef")] Period);

    pub fn serialize<Out: Serializer>(
        period: &Option<Period>,
        serializer: Out,
    ) -> Result<Out::Ok, Out::Error> {
        period.map(Written).serialize(serializer)
    }

    pub fn deserialize<'de, In: Deserializer<'de>>(deserializer: In) -> Result<Option<Period>, In::Error> {
        Ok(Option::<Written>::deserialize(deserializer)?.map(|period| period.0))
    }
}
