//! Reports, budgets, settings and rewards in JSON, with the feature `serde`.

use ramure::selection::FirstPlay;
use ramure::{
    Budget, Bytes, Every, Expansion, GameClock, Mcts, Order, Report, Rewards, Rng, RootDecision, SearchError,
    StopReason, Turn,
};
use ramure_games::Connect4;
use ramure_games::connect4::Column;
use serde::de::value::{Error, SeqDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt::Debug;
use std::time::Duration;

fn back<T: Serialize + DeserializeOwned>(value: &T) -> T {
    let text = serde_json::to_string(value).expect("it can be written");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Checks that `value` is written as `json`, and that `json` is read as `value`.
fn is<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, json: Value) {
    assert_eq!(serde_json::to_value(&value).expect("it can be written"), json);
    assert_eq!(back(&value), value);
}

/// Returns the message for a value that cannot be read.
fn unread<T: DeserializeOwned + Debug>(value: Value) -> String {
    serde_json::from_value::<T>(value.clone()).expect_err(&value.to_string()).to_string()
}

/// Returns the message for a value that cannot be written.
fn unwritten<T: Serialize + Debug>(value: &T) -> String {
    match serde_json::to_string(value) {
        Ok(text) => panic!("{value:?} was written as {text}"),
        Err(error) => error.to_string(),
    }
}

fn report() -> Report<Column> {
    Mcts::new(Connect4::new()).run(Budget::iterations(500)).expect("a sound game")
}

#[test]
fn a_report_is_readable_and_keeps_everything() {
    let report = report();
    assert_eq!(back(&report), report);
    let value = serde_json::to_value(&report).expect("it can be written");
    let names = |value: &Value| {
        let mut names: Vec<_> = value.as_object().expect("it has fields").keys().cloned().collect();
        names.sort();
        names
    };
    assert_eq!(
        names(&value),
        [
            "actions",
            "bytes",
            "chosen",
            "depth",
            "has_units",
            "iterations",
            "mean_depth",
            "nodes",
            "player",
            "principal_variation",
            "proof",
            "recycled_nodes",
            "root_visits",
            "stop_reason",
            "time",
        ]
    );
    assert_eq!(
        names(&value["actions"][0]),
        ["action", "improved_policy", "interval", "is_pruned", "mean", "prior", "proof", "visits", "worth"]
    );
    assert_eq!((&value["iterations"], &value["stop_reason"]), (&json!(500), &json!("iterations")));
    assert_eq!(value["time"].as_f64(), Some(report.time.as_secs_f64()));
    assert_eq!((&value["player"], &value["proof"]), (&json!(0), &json!(null)));
    for (written, action) in value["actions"].as_array().expect("a list").iter().zip(&report.actions) {
        assert_eq!(written["action"], action.action.to_string());
        assert_eq!(written["visits"], action.visits);
        assert_eq!(written["interval"][1].as_f64().map(|high| high as f32), Some(action.interval.1));
    }
    // A number is written with as few digits as its own type needs.
    let text = serde_json::to_string(&report).expect("it can be written");
    assert!(text.contains(&format!("\"mean\":{:?}", report.actions[0].mean)), "{text}");
    // Readers of later versions may find more fields.
    let mut later = value.clone();
    later["a_new_field"] = json!(1);
    assert_eq!(serde_json::from_value::<Report<Column>>(later).expect("it can be read"), report);
}

#[test]
fn a_report_that_is_not_finite_is_an_error_not_null() {
    let sound = report();
    let with = |change: fn(&mut Report<Column>)| {
        let mut report = sound.clone();
        change(&mut report);
        unwritten(&report)
    };
    assert_eq!(
        with(|report| report.actions[2].mean = f32::NAN),
        "ActionReport::mean is NaN; it must be finite"
    );
    let infinite = with(|report| report.actions[0].prior = Some(f32::INFINITY));
    assert_eq!(infinite, "ActionReport::prior is inf; it must be finite");
    assert!(with(|report| report.actions[0].proof = Some(f32::NAN)).contains("ActionReport::proof"));
    assert!(with(|report| report.actions[0].worth = Some(f32::NAN)).contains("ActionReport::worth"));
    let improved = with(|report| report.actions[0].improved_policy = Some(f32::NAN));
    assert!(improved.contains("ActionReport::improved_policy"));
    assert!(with(|report| report.actions[0].interval.0 = f32::NAN).contains("interval, low end"));
    assert!(with(|report| report.actions[0].interval.1 = f32::NAN).contains("interval, high end"));
    assert!(with(|report| report.proof = Some(f32::NEG_INFINITY)).contains("Report::proof"));
    assert!(with(|report| report.mean_depth = f64::NAN).contains("Report::mean_depth"));
}

#[test]
fn a_report_with_an_impossible_choice_or_time_is_rejected() {
    let sound = serde_json::to_value(report()).expect("it can be written");
    let with = |field: &str, value: Value| {
        let mut report = sound.clone();
        report[field] = value;
        unread::<Report<Column>>(report)
    };
    assert_eq!(with("chosen", json!(7)), "`chosen` is 7, counted from 0; the report has 7 actions");
    assert_eq!(with("time", json!(-1)), "the time is -1; it must be a number of seconds, at least 0");
    assert!(with("stop_reason", json!("tired")).contains("unknown variant `tired`"));
    assert!(with("principal_variation", json!(["7"])).contains("the number of a column"));
    assert!(with("mean_depth", json!(null)).contains("null"));
    let mut lacking = sound.clone();
    lacking.as_object_mut().expect("it has fields").remove("iterations");
    assert!(unread::<Report<Column>>(lacking).contains("missing field `iterations`"));
}

#[test]
fn every_stop_reason_has_a_name() {
    let names = [
        (StopReason::Iterations, "iterations"),
        (StopReason::Time, "time"),
        (StopReason::Bytes, "bytes"),
        (StopReason::Stopped, "stopped"),
        (StopReason::Proven, "proven"),
        (StopReason::Decided, "decided"),
        (StopReason::CountFull, "count_full"),
        (StopReason::NotRun, "not_run"),
        (StopReason::AskAndTell, "ask_and_tell"),
    ];
    for (reason, name) in names {
        is(reason, json!(name));
    }
}

#[test]
fn a_budget_is_written_with_its_bounds() {
    let unbounded = json!({"iterations": null, "time": null, "bytes": null, "stops_early": false, "percent_if_unclear": null});
    is(Budget::until_stopped(), unbounded);
    let all = Budget::millis(1_500)
        .and_iterations(u64::MAX)
        .and_bytes(Bytes::mib(1))
        .or_decided()
        .and_percent_if_unclear(50);
    let bounds = json!({"iterations": u64::MAX, "time": 1.5, "bytes": 1_048_576, "stops_early": true, "percent_if_unclear": 50});
    is(all, bounds);
    is(Bytes::kib(3), json!(3072));
    // A budget written by hand names the bounds that it has.
    let read = |value: Value| serde_json::from_value::<Budget>(value).expect("a budget");
    assert_eq!(read(json!({"iterations": 500})), Budget::iterations(500));
    assert_eq!(read(json!({"time": 2})), Budget::millis(2_000));
    assert_eq!(read(json!({})), Budget::until_stopped());
}

#[test]
fn an_empty_or_misspelt_budget_is_an_error() {
    let empty = SearchError::EmptyBudget.to_string();
    for value in [json!({"iterations": 0}), json!({"time": 0}), json!({"bytes": 0}), json!({"time": 1e-12})] {
        assert_eq!(unread::<Budget>(value), empty);
    }
    assert_eq!(unwritten(&Budget::iterations(0)), empty);
    assert!(unread::<Budget>(json!({"iteration": 500})).contains("unknown field `iteration`"));
    assert!(unread::<Budget>(json!({"time": -0.5})).contains("the time is -0.5; it must be"));
    assert!(unread::<Budget>(json!({"time": "1 s"})).contains("1 s"));
}

#[test]
fn a_clock_is_written_with_its_rules() {
    let second = Duration::from_secs(1);
    let plain = json!({
        "remaining": 60.0, "increment": 0.0, "moves_to_go": null, "period": null, "byo_yomi": null, "expected_moves": 30,
        "margin": 0.01, "stops_early": true, "percent_if_unclear": 50,
    });
    is(GameClock::new(60 * second), plain);
    let full = GameClock::new(60 * second)
        .increment(second / 2)
        .moves_to_go(12)
        .periods(40, 30 * second)
        .expected_moves(9)
        .margin(Duration::ZERO)
        .stops_early(false)
        .percent_if_unclear(0);
    let written = json!({
        "remaining": 60.0, "increment": 0.5, "moves_to_go": 12, "period": {"moves": 40, "time": 30.0}, "byo_yomi": null,
        "expected_moves": 9, "margin": 0.0, "stops_early": false, "percent_if_unclear": 0,
    });
    is(full, written);
    let mut canadian = GameClock::new(second).byo_yomi(2, 25, 300 * second);
    canadian.spent(31 * second).expect("a period follows");
    let written = json!({
        "remaining": 270.0, "increment": 0.0, "moves_to_go": 24, "period": null,
        "byo_yomi": {"periods": 2, "moves": 25, "time": 300.0, "has_begun": true}, "expected_moves": 30,
        "margin": 0.01, "stops_early": true, "percent_if_unclear": 50,
    });
    is(canadian, written);
    // By hand, you write the time and what differs from the default.
    let read = |value: Value| serde_json::from_value::<GameClock>(value).expect("a clock");
    assert_eq!(read(json!({"remaining": 60})), GameClock::new(60 * second));
    assert_eq!(read(json!({"remaining": 60, "increment": 1})), GameClock::new(60 * second).increment(second));
}

#[test]
fn a_clock_without_a_budget_is_neither_written_nor_read() {
    assert_eq!(unread::<GameClock>(json!({"remaining": 0})), SearchError::NoTime.to_string());
    let none = unread::<GameClock>(json!({"remaining": 1, "moves_to_go": 0}));
    assert_eq!(none, "GameClock::moves_to_go is 0; it must be at least 1");
    let period = json!({"remaining": 1, "period": {"moves": 0, "time": 1}});
    assert_eq!(unread::<GameClock>(period), "GameClock::periods is 0; it must be at least 1");
    assert!(unread::<GameClock>(json!({"increment": 1})).contains("missing field `remaining`"));
    assert!(unread::<GameClock>(json!({"remaining": 1, "margins": 1})).contains("unknown field `margins`"));
    assert_eq!(unwritten(&GameClock::new(Duration::ZERO)), SearchError::NoTime.to_string());
    // Nothing to exceed.
    assert_eq!(unread::<Budget>(json!({"percent_if_unclear": 50})), SearchError::CannotExceed.to_string());
}

#[test]
fn times_of_less_than_24_days_keep_every_nanosecond() {
    let mut rng = Rng::seeded(3);
    for _ in 0..2_000 {
        // Short times and long ones.
        let nanos = 1 + rng.bits() % (2_000_000_000_000_000 >> rng.below(50));
        let time = Duration::from_nanos(nanos);
        assert_eq!(back(&Budget::time(time)), Budget::time(time));
        assert_eq!(back(&Every::Time(time)), Every::Time(time));
    }
    assert_eq!(back(&Budget::time(Duration::MAX)), Budget::time(Duration::MAX));
    assert_eq!(serde_json::from_str::<Every>("{\"time\": 1e300}").expect("long"), Every::Time(Duration::MAX));
}

#[test]
fn settings_are_written_with_their_names_in_code() {
    is(Every::Iterations(100), json!({"iterations": 100}));
    is(Every::Time(Duration::from_millis(250)), json!({"time": 0.25}));
    is([Order::Random, Order::AsListed, Order::Prior], json!(["random", "as_listed", "prior"]));
    is([RootDecision::Robust, RootDecision::Max], json!(["robust", "max"]));
    is(RootDecision::MaxRobust(0.5), json!({"max_robust": 0.5}));
    is(RootDecision::Secure(1.0), json!({"secure": 1.0}));
    is(RootDecision::Temperature(0.25), json!({"temperature": 0.25}));
    is(FirstPlay::Infinite, json!("infinite"));
    is([FirstPlay::Value(0.5), FirstPlay::BelowMean(0.25)], json!([{"value": 0.5}, {"below_mean": 0.25}]));
    is([Turn::Player(3), Turn::Chance, Turn::Over], json!([{"player": 3}, "chance", "over"]));
    is(
        Expansion::default(),
        json!({"on_visit": null, "order": "random", "widening": null, "first_play": null}),
    );
    let full = Expansion::default()
        .on_visit(5)
        .order(Order::Prior)
        .widening(2.0, 0.5)
        .first_play(FirstPlay::Infinite);
    let widening = json!({"scale": 2.0, "exponent": 0.5});
    is(full, json!({"on_visit": 5, "order": "prior", "widening": widening, "first_play": "infinite"}));
    // By hand, you write what differs from the default.
    let read = |value: Value| serde_json::from_value::<Expansion>(value).expect("an expansion");
    assert_eq!(read(json!({"on_visit": 3})), Expansion::default().on_visit(3));
    assert_eq!(read(json!({"depth": 3})), Expansion::default().depth(3));
    assert_eq!(read(json!({})), Expansion::default());
}

#[test]
fn settings_out_of_range_are_rejected_in_both_directions() {
    let expansions = [
        Expansion::default().on_visit(0),
        Expansion::default().depth(0),
        Expansion::default().widening(0.0, 0.5),
        Expansion::default().widening(f64::INFINITY, 0.5),
        Expansion::default().widening(1.0, f64::NAN),
        Expansion::default().first_play(FirstPlay::Value(f32::NAN)),
    ];
    for expansion in expansions {
        assert_eq!(unwritten(&expansion), expansion.check().expect_err("out of range").to_string());
    }
    let decisions = [
        RootDecision::MaxRobust(f32::INFINITY),
        RootDecision::Secure(f32::NAN),
        RootDecision::Temperature(0.0),
    ];
    for decision in decisions {
        assert_eq!(unwritten(&decision), decision.check().expect_err("out of range").to_string());
    }
    let expected = Expansion::default().on_visit(0).check().expect_err("0").to_string();
    assert_eq!(unread::<Expansion>(json!({"on_visit": 0})), expected);
    let expected = Expansion::default().widening(2.0, 1.5).check().expect_err("1.5").to_string();
    assert_eq!(unread::<Expansion>(json!({"widening": {"scale": 2.0, "exponent": 1.5}})), expected);
    let expected = RootDecision::Temperature(-1.0).check().expect_err("negative").to_string();
    assert_eq!(unread::<RootDecision>(json!({"temperature": -1.0})), expected);
    assert_eq!(unread::<FirstPlay>(json!({"value": 1.5})), "FirstPlay is 1.5; it must be in [0, 1]");
    // JSON has no infinity, and a number too large for `f32` is not taken for one.
    assert!(unread::<RootDecision>(json!({"max_robust": 1e300})).contains("is inf; it must be finite"));
    assert!(unread::<RootDecision>(json!({"max_robust": null})).contains("null"));
    assert!(unread::<Expansion>(json!({"on_visits": 3})).contains("unknown field `on_visits`"));
    assert!(unread::<Expansion>(json!({"widening": {"scale": 2.0}})).contains("missing field `exponent`"));
}

#[test]
fn rewards_are_a_list_and_are_checked() {
    is(Rewards::new(2, |player| [1.0, 0.0][usize::from(player)]), json!([1.0, 0.0]));
    for players in 1..=8 {
        let rewards = Rewards::new(players, |player| 1.0 / (f32::from(player) + 3.0));
        let read = back(&rewards);
        assert_eq!((read, read.players()), (rewards, players));
    }
    assert_eq!(unread::<Rewards>(json!([0.5, 1.5])), "the reward of player 1 is 1.5; it must be in [0, 1]");
    assert_eq!(unread::<Rewards>(json!([])), "the number of rewards is 0; a game has 1 to 8 players");
    assert_eq!(
        unread::<Rewards>(json!(vec![0.5; 9])),
        "the number of rewards is 9; a game has 1 to 8 players"
    );
    assert_eq!(
        unwritten(&Rewards::new(1, |_| f32::NAN)),
        "the reward of player 0 is NaN; it must be in [0, 1]"
    );
    assert!(unwritten(&Rewards::new(0, |_| 0.0)).contains("the number of rewards is 0"));
    // Other formats have NaN.
    let nan: SeqDeserializer<_, Error> = vec![0.5, f32::NAN].into_deserializer();
    let error = Rewards::deserialize(nan).expect_err("NaN").to_string();
    assert_eq!(error, "the reward of player 1 is NaN; it must be in [0, 1]");
}
